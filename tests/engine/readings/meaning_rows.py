"""What each reading means at the table: for every key of every table of meanings a row with what must come of it.

A row has a situation, in the order in which the table asks, and the seat, number, card or truth that is expected. Where
a meaning is a plain value, the row has no situation, and the words beside it say what that value stands for.

To add a reading, add a row here, and think of a situation in which its neighbours come to something else:
`test_meaning_rows.py` swaps every meaning for each of its neighbours, and some row must notice it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from engine.cards import parse_card_name
from engine.deal.events import Announcement, Fact, Fault, Measures
from engine.deal.pool import Pool
from engine.readings.meanings.cards import UP_TO_LIMIT
from engine.readings.meanings.deal import QUINOLA_FROM_LIMIT, QUINOLA_UNTIL_SUPPLEMENT
from engine.readings.meanings.espagnolette import ALL_COSTS, STAKE_INSTEAD
from engine.readings.meanings.faults import DIRECTS, NAMED_RECEIPTS, PAYS_ALL_THROWN, PAYS_THROWN, PLAYED_OUT
from engine.readings.meanings.partie import BY_AGREEMENT, BY_PAYER, BY_TALON
from engine.readings.meanings.reversis import ALWAYS_DRAWS, BY_QUINOLA, NEVER_DRAWS


@dataclass(frozen=True)
class Case:
    """One situation, and what comes of it."""

    expected: object
    situation: tuple[Any, ...] = ()
    value: bool = False  #: the meaning is a plain value, which stands for itself


def when(*situation: Any, gives: object) -> Case:
    """A situation and what is expected of it."""
    return Case(gives, situation)


def is_(value: object) -> tuple[Case, ...]:
    """A meaning that is a plain value."""
    return (Case(value, value=True),)


# ---- who sits where: dealer 3, eldest 0, four players; the card is player 1's
def fact(**told: object) -> Fact:
    plain: dict[str, object] = {"kind": "quinola", "seats": 4, "dealer": 3, "eldest": 0, "last": 11, "player": 1}
    return Fact(**(plain | told))  # type: ignore[arg-type]


def seen(**told: object) -> Any:
    return SimpleNamespace(**({"hero": None, "winner": None, "loser": None, "twin": None} | told))


def measures(**told: object) -> Measures:
    plain: dict[str, object] = {"seats": 4, "dealer": 3, "eldest": 0, "last": 11, "takers": (), "points": (5, 5, 9, 0)}
    plain |= {"tricks": (2, 3, 6, 0), "marking": (1, 2, 4, 1), "court": (0, 1, 3, 0), "talon": (1, 2, 3, 4)}
    return Measures(**(plain | told))  # type: ignore[arg-type]


def card(name: str) -> int:
    return parse_card_name(name)


def heart(out: str, *others: str) -> tuple[int, int, list[int]]:
    """A heart to be laid away by a player with these other hearts; the quinola is the jack."""
    return card(out), card("JH"), [card(one) & 15 for one in (out, *others)]


#: five players, so that each is somebody else; the first leader led here too
PAID = (fact(seats=5, dealer=4, leader=0, taker=2, highest_before=3), seen(winner=1))
NOT_PAID = (fact(seats=5, dealer=4, leader=0, taker=2), seen())
MISDEALT, KEPT = Fault("misdeal", 0), Fault("misdeal", 0, redeemed=True)
TURNED, ACCEPTED = Fault("card-turned-up", 0), Fault("card-turned-up", 0, accepted=True)
BEFORE_DISCARD, BEFORE_LEAD = (Fault("misdeal", 0, noticed=when) for when in ("before-discard", "before-lead"))
IN_PLAY = Fault("misdeal", 0, noticed="in-play")
SAID = (Announcement("espagnolette", 1),)
PARTED = seen(winner=3, loser=2, twin=1)  # the eldest, 0, has neither won nor lost
HIMSELF = seen(winner=3, loser=0, twin=1)  # the eldest is the loser
MADE, BROKEN = seen(hero=2, made=True), seen(hero=2, made=False)
THROWN, ACE = fact(manner="thrown-off"), fact(kind="ace", manner="thrown-off")
TAKERS = measures(takers=(1, 0, 0, 0, 0, 0, 0, 0, 2, 3, 3))


def leftwards(seat: int) -> int:
    """Places from the dealer, 3, to the left: the dealer himself is best placed."""
    return (3 - seat) % 4


def of(m: Measures, *seats: int, leaves: tuple[int, ...]) -> Case:
    """A criterion: the seats in question, and those that are left."""
    return when(m, seats, leftwards, gives=leaves)


ALL = (0, 1, 2, 3)
PLAIN = measures()
ELDEST_IS_1 = measures(eldest=1, tricks=(3, 4, 2, 0))
CRITERIA_ROWS: Mapping[str, tuple[Case, ...]] = {
    "fewest-points": (of(PLAIN, *ALL, leaves=(3,)), of(PLAIN, 0, 1, 2, leaves=(0, 1)), of(PLAIN, leaves=())),
    "most-points": (of(PLAIN, *ALL, leaves=(2,)), of(PLAIN, 0, 1, 3, leaves=(0, 1))),
    "fewest-tricks": (of(PLAIN, *ALL, leaves=(3,)), of(PLAIN, 0, 1, 2, leaves=(0,))),
    "fewest-tricks-but-one": (of(PLAIN, *ALL, leaves=(0,)), of(PLAIN, 3, leaves=())),
    "most-tricks": (of(PLAIN, *ALL, leaves=(2,)), of(PLAIN, 0, 1, 3, leaves=(1,))),
    "fewest-marking-cards": (of(PLAIN, *ALL, leaves=(0, 3)), of(PLAIN, 1, 2, leaves=(1,))),
    "fewer-marking-cards-than-all": (
        of(PLAIN, *ALL, leaves=()),
        of(measures(marking=(3, 2, 4, 1)), *ALL, leaves=(3,)),
        of(measures(marking=(3, 2, 4, 1)), 0, 1, leaves=()),
    ),
    "unmarked-or-fewer-than-the-rest": (
        of(PLAIN, *ALL, leaves=(0, 3)),
        of(measures(marking=(3, 2, 4, 1)), 1, 3, leaves=(3,)),
        of(measures(marking=(3, 2, 4, 1)), 0, 1, leaves=()),
        of(measures(marking=(3, 2, 2, 4)), 1, 2, leaves=(1, 2)),
        of(measures(marking=(3, 2, 2, 4)), 1, 3, leaves=()),  # another has as few
        of(measures(marking=(0, 2, 0, 0)), 0, 1, 2, leaves=(0, 2)),
        of(measures(marking=(0, 2, 0, 0)), 1, leaves=()),
    ),
    "dealer-apart": (  # the dealer is 3
        of(measures(marking=(1, 2, 4, 0)), *ALL, leaves=(3,)),
        of(measures(tricks=(3, 4, 2, 2), marking=(1, 2, 4, 0)), *ALL, leaves=(0, 1, 2)),
        of(measures(tricks=(3, 4, 3, 1), marking=(1, 2, 1, 1)), *ALL, leaves=(0, 1, 2)),
        of(measures(tricks=(3, 4, 3, 1), marking=(2, 2, 2, 1)), 0, 3, leaves=(3,)),
        of(measures(tricks=(3, 4, 3, 1), marking=(0, 2, 2, 0)), *ALL, leaves=(3,)),
    ),
    "only-without-court": (
        of(PLAIN, *ALL, leaves=(0, 3)),
        of(PLAIN, 1, 2, leaves=()),
        of(measures(marking=(0, 1, 2, 3), court=(0, 0, 1, 1)), *ALL, leaves=(0, 1)),  # a jack is no court card here
    ),
    "rather-without-court": (of(PLAIN, *ALL, leaves=(0, 3)), of(PLAIN, 1, 2, leaves=(1, 2))),
    "trickless-first": (of(PLAIN, *ALL, leaves=(3,)), of(PLAIN, 0, 2, leaves=(0, 2))),
    "best-placed": (of(PLAIN, *ALL, leaves=(3,)), of(PLAIN, 0, 1, 2, leaves=(2,))),
    "worst-placed": (of(PLAIN, *ALL, leaves=(0,)), of(ELDEST_IS_1, *ALL, leaves=(0,))),
    "first-in-play": (of(PLAIN, *ALL, leaves=(0,)), of(ELDEST_IS_1, *ALL, leaves=(1,)), of(PLAIN, 2, 1, leaves=(1,))),
    "eldest-if-tied": (of(PLAIN, *ALL, leaves=(0,)), of(PLAIN, 2, leaves=(2,)), of(PLAIN, 2, 1, leaves=(0, 1))),
    "alone": (of(PLAIN, *ALL, leaves=()), of(PLAIN, 2, leaves=(2,))),
    "nobody": (of(measures(marking=(3, 2, 4, 1)), *ALL, leaves=()), of(PLAIN, 2, leaves=())),
}

_TO_REVERSIS = ("reversis-made", "reversis-stake", "reversis-by-quinola")
_RULES = ("partie", *_TO_REVERSIS, "reversis-broken", "forced", "breaking-quinola", "thrown-off", "draws-stake", "led")


def denied(quinola: str, ace: str | None = None) -> tuple[Case, ...]:
    """By which rules nothing is received, for the quinola and for an ace."""
    lost = {"quinola": quinola.split(), "ace": (quinola if ace is None else ace).split()}
    return tuple(when(rule, fact(kind=kind), gives=rule in lost[kind]) for rule in _RULES for kind in lost)


RECEIPTS_ROWS: Mapping[str, tuple[Case, ...]] = {
    "partie": denied("partie"),
    "reversis": denied(" ".join(_TO_REVERSIS)),
    "making-reversis": denied(" ".join(_TO_REVERSIS)),  # and besides there is no reversis (`outcome.hero`)
    "breaking": denied("reversis-broken"),
    "forcing": denied("forced breaking-quinola", ace=""),
    "thrown-quinola": denied("thrown-off draws-stake", ace=""),
    "other-receipts": denied("thrown-off led", ace="thrown-off led forced breaking-quinola"),
}

#: question, or questions that share a table (`+`) -> reading -> what comes of it
ROWS: Mapping[str, Mapping[str, tuple[Case, ...]]] = {
    # -- the table: how many players, how many cards
    "table.players": {"four": is_((4,)), "four-or-five": is_((4, 5))},
    "table.pack": {"without-tens": is_((48,)), "with-or-without-tens": is_((48, 52))},
    # -- the exchange: may this seat take a card (seat, dealer, eldest)?
    "exchange.who": {
        "everyone-but-dealer": (when(0, 3, 0, gives=True), when(1, 3, 0, gives=True), when(3, 3, 0, gives=False)),
        "eldest-only": (when(0, 3, 0, gives=True), when(1, 3, 0, gives=False), when(3, 3, 0, gives=False)),
    },
    # must a player who may exchange do so (has a stake grown to its limit)?
    "exchange.duty": {
        "free": (when(lambda: False, False, gives=False), when(lambda: True, True, gives=False)),
        "compulsory": (when(lambda: False, False, gives=True), when(lambda: True, False, gives=True)),
        "compulsory-below-limit": (when(lambda: False, False, gives=True), when(lambda: True, True, gives=False)),
        "compulsory-after-supplement": (when(lambda: True, False, gives=False), when(lambda: True, True, gives=True)),
    },
    # is it a fault to see one's card of the talon (having laid one away)?
    "exchange.look": {
        "instead-of-exchanging": (when(False, gives=False), when(True, gives=True)),
        "never": (when(False, gives=True), when(True, gives=True)),
        "always": (when(False, gives=False), when(True, gives=False)),
    },
    # is there a card of the talon (place in turn, cards taken before, cards left from the deal)?
    "exchange.among-five": {
        "in-turn-while-cards-last": (when(2, 1, 2, gives=True), when(0, 0, 1, gives=True), when(2, 2, 2, gives=False)),
        "first-in-order": (when(1, 0, 2, gives=True), when(2, 0, 2, gives=False), when(2, 1, 3, gives=True)),
        "eldest-only": (when(0, 0, 2, gives=True), when(1, 0, 2, gives=False)),
        "all-in-turn": (when(3, 2, 2, gives=True), when(2, 2, 2, gives=True)),
        "nobody": (when(0, 0, 2, gives=False),),
    },
    "exchange.discard-drawn": {"yes": is_(True), "no": is_(False)},
    # may hearts be laid away?
    "exchange.hearts": {
        "allowed": is_(True),
        "forbidden": is_(False),
        "quinola-from-limit": is_(QUINOLA_FROM_LIMIT),
        "quinola-until-supplement": is_(QUINOLA_UNTIL_SUPPLEMENT),
    },
    # may one player give a card to another: giver, receiver, players?
    "exchange.across": {
        "nobody": (when(0, 2, 4, gives=False),),
        "opposite": (
            when(0, 2, 4, gives=True),
            when(3, 1, 4, gives=True),
            when(0, 1, 4, gives=False),
            when(0, 2, 5, gives=False),
        ),
    },
    "exchange.heart-exception": {
        "lone-king-or-queen": (
            *(when(*heart(one), gives=True) for one in ("KH", "QH")),
            *(when(*heart(*one), gives=False) for one in (("KH", "AH"), ("JH",), ("AH",))),
        ),
        "king-or-queen-without-lower": (
            *(when(*heart(*one), gives=True) for one in (("KH",), ("QH",), ("KH", "AH"), ("QH", "KH"))),
            *(when(*heart(*one), gives=False) for one in (("KH", "2H"), ("KH", "QH"), ("AH",), ("JH",))),
        ),
        "lone-quinola": (
            when(*heart("JH"), gives=True),
            *(when(*heart(*one), gives=False) for one in (("JH", "2H"), ("QH",))),
        ),
    },
    # -- the play: who leads first (dealer, players), which suit, by its number
    "play.first-leader": {
        "right-of-dealer": (when(2, 4, gives=3), when(3, 4, gives=0), when(3, 5, gives=4)),
        "dealer": (when(2, 4, gives=2), when(3, 5, gives=3)),
    },
    "play.first-lead": {"any": is_(-1), "heart": is_(1)},
    "play.follow": {"must": is_(1), "need-not": is_(0)},
    # may the lone quinola be kept (tricks played before, hearts led before)?
    "play.quinola-alone": {
        "must-follow": (when(9, 9, gives=False),),
        "free-after-two-tricks": (when(1, 9, gives=False), when(2, 0, gives=True), when(3, 1, gives=True)),
        "free-after-two-heart-leads": (when(9, 1, gives=False), when(9, 2, gives=True)),
        "free": (when(0, 0, gives=True),),
    },
    "play.trick-taker": {"highest-of-suit-led": is_(False), "thrown-quinola-takes": is_(True)},  # a thrown quinola?
    "play.next-leader": {"taker": (when(1, 3, gives=1),), "first-leader": (when(1, 3, gives=3),)},  # taker, eldest
    # -- aces and the quinola: who pays, or is paid: leader 0, holder and winner 1, taker 2, highest heart 3, dealer 4
    "ace.thrown-off.payer + quinola.thrown-off.payer": {
        "taker": (when(*PAID, gives=2),),
        "leader": (when(*PAID, gives=0),),
        "nobody": (when(*PAID, gives=None),),
    },
    "ace.forced.payee": {
        "leader": (when(*PAID, gives=0),),
        "taker": (when(*PAID, gives=2),),
        "nobody": (when(*PAID, gives=None),),
    },
    "quinola.forced.payee": {
        "leader": (when(*PAID, gives=0),),
        "taker": (when(*PAID, gives=2),),
        "highest-heart-before": (when(*PAID, gives=3), when(*NOT_PAID, gives=None)),
        "nobody": (when(*PAID, gives=None),),
    },
    "ace.led.payee": {
        "winner-of-partie": (when(*PAID, gives=1), when(*NOT_PAID, gives=None)),
        "nobody": (when(*PAID, gives=None),),
    },
    "quinola.led.payee": {
        "winner-of-partie": (when(*PAID, gives=1), when(*NOT_PAID, gives=None)),
        "nobody": (when(*PAID, gives=None),),
    },
    # is a card that falls to its own suit forced?
    "ace.forced.when + quinola.forced.when": {
        "own-suit": (when(fact(), gives=True), when(fact(alone=True, free=True), gives=True)),
        "sole-card": (
            when(fact(), gives=False),
            when(fact(alone=True), gives=True),
            when(fact(alone=True, free=True), gives=False),
        ),
    },
    # is an espagnolette's quinola forced?
    "espagnolette.forced": {  # the card; is there a reversis?
        "as-any-holder": (when(fact(), lambda: True, gives=True), when(fact(court_led=True), lambda: True, gives=True)),
        "as-any-holder-unless-reversis": (
            when(fact(), lambda: False, gives=True),
            when(fact(court_led=True), lambda: True, gives=False),
        ),
        "only-by-court-heart": (
            when(fact(), lambda: False, gives=False),
            when(fact(court_led=True), lambda: True, gives=True),
            when(fact(court_led=True, queen_led=True), lambda: False, gives=True),
        ),
        "only-by-ace-or-king": (
            when(fact(), lambda: False, gives=False),
            when(fact(court_led=True), lambda: True, gives=True),
            when(fact(court_led=True, queen_led=True), lambda: False, gives=False),
        ),
        "ace-or-king-unless-reversis": (
            when(fact(), lambda: False, gives=False),
            when(fact(court_led=True), lambda: False, gives=True),
            when(fact(court_led=True), lambda: True, gives=False),
            when(fact(court_led=True, queen_led=True), lambda: False, gives=False),
        ),
        "nothing": (when(fact(), lambda: False, gives=False), when(fact(court_led=True), lambda: False, gives=False)),
    },
    # does this lead of the quinola cost the stake? The eldest is 0.
    "quinola.led.when": {
        "any-lead": (when(fact(), gives=True), when(fact(free=True, player=0), gives=True)),
        "free-lead": (when(fact(), gives=False), when(fact(free=True), gives=True)),
        "free-lead-of-eldest": (
            when(fact(free=True), gives=False),
            when(fact(player=0), gives=False),
            when(fact(free=True, player=0), gives=True),
        ),
    },
    # do the others pay the winner of the partie for the card that he led himself?
    "ace.led.by-winner + quinola.led.by-winner": {"nothing": is_(False), "others-pay": is_(True)},
    # is it owed for a card that was led?
    "payments.led-claimed": {
        "must-be-claimed": (when(fact(claimed=False), gives=False), when(fact(claimed=True), gives=True)),
        "unasked": (when(fact(claimed=False), gives=True), when(fact(claimed=True), gives=True)),
    },
    # -- the stake: is it drawn, or matched?
    "quinola.thrown-off.stake": {
        "draws": is_(True),
        "nothing": is_(False),
        "draws-up-to-limit": is_(UP_TO_LIMIT),
    },
    "quinola.forced.stake + quinola.put.stake + quinola.led.stake + reversis.broken.stake": {
        "matches": is_(True),
        "nothing": is_(False),
        "matches-up-to-limit": is_(UP_TO_LIMIT),
    },
    # how it is laid (an operation on the pool), and how often all that waits is matched besides
    "stake.matched-into": {"stake": is_("add"), "waiting": is_("wait"), "supplement": is_("supplement")},
    "stake.match-base": {"stake": is_(0), "stake-and-waiting": is_(1)},
    "stake.after-winning": {"newest-moves-up": is_(True), "stays-empty": is_(False)},  # does a waiting sum move up?
    # does a supplement double the only pool (one was paid before)?
    "stake.only-pool": {
        "unless-supplement-paid": (when(False, gives=True), when(True, gives=False)),
        "always": (when(False, gives=True), when(True, gives=True)),
    },
    "stake.tied": {"one": is_(False), "shared": is_(True)},  # do equals share it?
    # does everybody put in again when this befell the quinola?
    "stake.refreshed.when": {
        fate: tuple(when(one, gives=one == fate) for one in ("forced", "laid-away", "led", "put", "thrown-off"))
        for fate in ("forced", "laid-away", "led", "put")
    },
    # does a payment for this count for more?
    "payments.doubled-kinds": {
        how: tuple(when(one, gives=one == how) for one in ("thrown-off", "forced", "led"))
        for how in ("thrown-off", "forced", "led")
    },
    "stake.refreshed.unless-won": {"only-if-not-won": is_(False), "always": is_(True)},  # even if it was won?
    # -- from deal to deal: does everybody put in again (nothing is left at all, the pool, the first stake)?
    "stake.renewed.when": {
        "empty": (when(True, Pool(9), lambda: 0, gives=True), when(False, Pool(0), lambda: 9, gives=False)),
        "below-first": (when(False, Pool(8), lambda: 9, gives=True), when(False, Pool(9), lambda: 9, gives=False)),
    },
    "stake.renewed.how": {"full": (when(9, lambda: 2, gives=9),), "topped-up": (when(9, lambda: 2, gives=2),)},
    "stake.renewed.time": {"next-deal": (when(1, 2, gives=2),), "at-once": (when(1, 2, gives=1),)},  # as dealer
    "stake.dealer-in-first": {"part-of-it": is_(False), "in-addition": is_(True)},  # does the dealer add more?
    "stake.dealer-included": {"included": is_(True), "not-included": is_(False)},  # does it count at once?
    "stake.dealer-adds-again": {"once": is_(False), "each-deal": is_(True)},  # is it due again after a void deal?
    "stake.waiting.order": {  # of sums that wait, oldest first
        "largest-first": (when((3, 9, 5), gives=1),),
        "oldest-first": (when((3, 9, 5), gives=0),),
        "newest-first": (when((3, 9, 5), gives=2),),
    },
    "stake.waiting.together": {"one-at-a-time": is_(False), "together": is_(True)},
    "stake.matched-when": {"at-once": is_(False), "in-its-turn": is_(True)},  # is it only noted for now?
    "session.pool-left": {"shared": is_(True), "played-out": is_(False), "highest-card": is_(False)},  # divided?
    # -- the partie
    "stake.by-tricks + partie.winner + partie.loser": CRITERIA_ROWS,
    "partie.place": {  # the dealer is 3
        "dealer-first-leftwards": tuple(when(PLAIN, seat, gives=place) for seat, place in enumerate((3, 2, 1, 0))),
        "dealer-last-leftwards": tuple(when(PLAIN, seat, gives=place) for seat, place in enumerate((3, 2, 1, 4))),
    },
    "partie.paid-by": {  # does he owe? The winner is 3, the loser 2.
        "loser": tuple(when(fact(player=p), PARTED, gives=owes) for p, owes in enumerate((False, False, True, False))),
        "every-other": tuple(when(fact(player=p), PARTED, gives=p != 3) for p in ALL),
        "every-other-with-points": (
            *(when(fact(player=p, points=1), PARTED, gives=p != 3) for p in ALL),
            when(fact(player=1, points=0), PARTED, gives=False),
        ),
    },
    "partie.amount": {
        "talon-cards": is_(BY_TALON),
        "payers-points": is_(BY_PAYER),
        "agreed-sum": is_(BY_AGREEMENT),
    },
    "partie.eldest-share": {  # who bears the debt of the eldest, 0, or of 2
        "none": tuple(when(fact(player=p), out, gives=(p,)) for p, out in ((0, PARTED), (2, PARTED), (0, HIMSELF))),
        "own-points-halved": (
            when(fact(player=0), PARTED, gives=(2, 0)),
            when(fact(player=2), PARTED, gives=(2,)),
            when(fact(player=0), HIMSELF, gives=(0,)),
        ),
        "debt-shared": (
            when(fact(player=0), PARTED, gives=(0,)),
            when(fact(player=2), PARTED, gives=(2, 0)),
            when(fact(player=2), seen(winner=0, loser=2), gives=(2,)),
            when(fact(player=0), HIMSELF, gives=(0,)),
        ),
        "only-equals": (
            when(fact(player=2), PARTED, gives=(2,)),
            when(fact(player=0), HIMSELF, gives=(1, 0)),
            when(fact(player=0), seen(winner=3, loser=0), gives=(0,)),
        ),
    },
    "partie.in-reversis": {"not-settled": is_(False), "settled-by-the-others": is_(True)},
    # -- the reversis: is this payment undone (what, outcome with hero 2, payer, payee)?
    "reversis.returns": {
        "everything": (
            when(ACE, MADE, 0, 1, gives=True),
            when(ACE, MADE, 2, 1, gives=True),
            when(THROWN, BROKEN, "pool", 0, gives=True),
        ),
        "makers-own-and-thrown-quinola": (
            when(ACE, MADE, 2, 1, gives=True),
            when(THROWN, MADE, 0, 1, gives=True),
            when(ACE, MADE, 0, 1, gives=False),
            when(fact(manner="led"), MADE, 0, 1, gives=False),
        ),
        "makers-own-to-pool-and-thrown-quinola": (
            when(ACE, MADE, 2, "pool", gives=True),
            when(THROWN, MADE, 0, 1, gives=True),
            when(ACE, MADE, 2, 1, gives=False),
            when(ACE, MADE, 0, "pool", gives=False),
        ),
        "between-players-and-stakes-if-made": (
            when(ACE, BROKEN, 0, 1, gives=True),
            when(ACE, BROKEN, 2, "pool", gives=False),
            when(THROWN, BROKEN, "pool", 0, gives=False),
            when(THROWN, MADE, "pool", 0, gives=True),
        ),
        "stakes-and-makers-own-if-made": (
            when(ACE, MADE, 2, 1, gives=True),
            when(ACE, BROKEN, 2, 1, gives=False),
            when(ACE, MADE, 0, 1, gives=False),
            when(THROWN, MADE, 0, 1, gives=False),
            when(THROWN, BROKEN, "pool", 1, gives=True),
            when(THROWN, MADE, 0, "pool", gives=True),
        ),
    },
    "reversis.returns-fines": {"yes": is_(True), "no": is_(False)},
    "reversis.stake": {
        "own-quinola-early": is_(BY_QUINOLA),
        "draws": is_(ALWAYS_DRAWS),
        "nothing": is_(NEVER_DRAWS),
    },
    # how often all that waits is drawn too, and the operation on the pool
    "reversis.stake-pools": {
        "stake": is_((0, "draw", False)),
        "stake-and-waiting": is_((1, "draw-all", False)),
        "stake-up-to-limit": is_((0, "draw", True)),
    },
    "reversis.stake.whose-quinola": {  # whose it was and who took it; the hero is 2; was it forced?
        "his-own": (
            when(fact(player=2, taker=0), MADE, lambda: True, gives=True),
            when(fact(player=1, taker=2), MADE, lambda: False, gives=False),
        ),
        "his-own-unless-forced": (
            when(fact(player=2, taker=0), MADE, lambda: False, gives=True),
            when(fact(player=2, taker=2), MADE, lambda: True, gives=False),
            when(fact(player=1, taker=2), MADE, lambda: False, gives=False),
        ),
        "any-he-takes": (
            when(fact(player=2, taker=0), MADE, lambda: False, gives=False),
            when(fact(player=1, taker=2), MADE, lambda: True, gives=True),
        ),
    },
    "reversis.broken.breaker": {  # who has taken tricks against it, in order
        "first": (when((3, 0, 3), gives=(3,)),),
        "each": (when((3, 0, 3), gives=(3, 0)),),
        "nobody": (when((3, 0, 3), gives=()),),
    },
    "reversis.breaking-quinola": {  # does he pay (he holds the quinola)?
        "nothing": (when(False, gives=False), when(True, gives=False)),
        "all-pay": (when(False, gives=True), when(True, gives=True)),
        "holder-pays": (when(False, gives=False), when(True, gives=True)),
    },
    # -- the espagnolette, which 1 holds
    "espagnolette.right-after-trick": {"lost": is_(True), "kept": is_(False)},
    "espagnolette.undertaken": {
        "by-renouncing": (
            when(measures(holder=1, renounced=True), gives=True),
            when(measures(holder=1, announced=SAID), gives=False),
            when(measures(holder=1), gives=False),
        ),
        "by-renouncing-or-announcing": (
            when(measures(holder=1, renounced=True), gives=True),
            when(measures(holder=1, announced=SAID), gives=True),
            when(measures(holder=2, announced=SAID), gives=False),
            when(measures(holder=1, announced=(Announcement("reversis", 1),)), gives=False),
        ),
        "by-holding": (when(measures(holder=1), gives=True),),
    },
    "espagnolette.lost-by": {  # seat, and how many tricks are the last
        "last-tricks": (
            when(TAKERS, 3, 2, gives=True),
            when(TAKERS, 2, 2, gives=False),
            when(TAKERS, 2, 3, gives=True),
            when(TAKERS, 1, 12, gives=True),  # more tricks than there are: all of them
        ),
        "any-trick": (when(TAKERS, 1, 2, gives=True), when(measures(takers=(0,)), 1, 2, gives=False)),
    },
    "espagnolette.kept-trick + espagnolette.won.partie": {"wins": is_(True), "natural-order": is_(False)},
    "espagnolette.lost.partie": {
        "he-pays-the-natural-winner": is_(True),
        "natural-order": is_(False),
        "he-pays-all-costs": is_(ALL_COSTS),
    },
    "espagnolette.lost.returns-others-to": {"who-paid": is_(True), "who-was-paid": is_(False)},
    "espagnolette.lost.stake-into": {"same-pool": is_(True), "new-pool": is_(False)},
    "espagnolette.pays-reversis-made": {"he-pays-for-all": is_(True), "each-his-own": is_(False)},
    "espagnolette.pays-reversis-broken": {"he-pays": is_(True), "undertaker": is_(False)},
    "espagnolette.breaks.paid": {
        "paid": is_(True),
        "nothing": is_(False),
        "puts-in-the-stake": is_(STAKE_INSTEAD),
    },
    "espagnolette.breaks.own-quinola": {"waived": is_(True), "pays": is_(False)},  # is he let off?
    "espagnolette.forced.stake-payee": {"pool": is_(True), "forcer": is_(False)},  # is it the pool's?
    "espagnolette.breaking": {"lost": is_(True), "not-lost": is_(False)},  # is it lost by breaking a reversis?
    "espagnolette.third-breaks": {"stands": is_(True), "annulled": is_(False)},  # does he keep his winnings?
    # -- who deals next: the dealer was 3; who won without a trick
    "deal.next-dealer": {
        "right-of-dealer": (when(PLAIN, 2, gives=0), when(measures(dealer=1), None, gives=2)),
        "trickless-winner-else-right": (when(PLAIN, 2, gives=2), when(PLAIN, 0, gives=0), when(PLAIN, None, gives=0)),
    },
    # -- faults
    # what follows if a hand is thrown down
    "play.thrown-down": {
        "pays-for-thrown-cards": is_(PAYS_THROWN),
        "pays-for-all-thrown-cards": is_(PAYS_ALL_THROWN),
        "breaker-directs": is_(DIRECTS),
        "played-out": is_(PLAYED_OUT),
    },
    # who makes good what a player has not put in: the player, the dealer, who leads first
    "stake.shortfall": {
        "who-failed": (when(2, 3, lambda: 0, gives=2),),
        "eldest-hand": (when(2, 3, lambda: 0, gives=0),),
        "dealer": (when(2, 3, lambda: 0, gives=3),),
        "nobody": (when(2, 3, lambda: 0, gives=None),),
    },
    "revoke.payee + out-of-turn.payee + misdeal.payee": {
        "pool": is_(True),
        "every-other": is_(False),
    },  # is the fine the pool's?
    "revoke.card": {"stands": is_(True), "taken-back": is_(False)},
    "revoke.thrown-off": {"as-usual": is_(True), "nothing": is_(False)},  # does a card thrown off bring anything?
    "revoke.fine-joined": {"joined": is_("add"), "separate": is_("wait")},  # the operation on the pool
    "revoke.bars": {"every-receipt": is_((*NAMED_RECEIPTS, "other-receipts")), "nothing": is_(())},
    "peek.bars + undiscarded.bars + ten-cards.bars": RECEIPTS_ROWS,
    "peek.forced-stake": {"matches": is_(False), "nothing": is_(True)},  # is who was forced let off?
    "barred.stake": {"not-drawn": is_(True), "drawn": is_(False)},  # does the stake stay?
    "barred.partie": {"next-best": is_(True), "nobody": is_(False)},  # does the next best win?
    "talon.irregular": {
        "all-there": (when(measures(talon_due=2), gives=(1, 2, 3, 4)),),
        "as-due": (when(measures(talon_due=2), gives=(1, 2)),),
    },
    "deal.again": {
        **{k: is_(k) for k in ("incomplete-pack", "badly-shuffled", "card-turned-up", "misdeal", "undiscarded")},
        "two-discarded": is_("ten-cards"),
    },
    "deal.card-turned-up": {  # are the cards dealt again?
        "again-unless-all-agree": (when(TURNED, gives=True), when(ACCEPTED, gives=False)),
        "always-again": (when(TURNED, gives=True), when(ACCEPTED, gives=True)),
        "stands": (when(TURNED, gives=False), when(ACCEPTED, gives=False)),
    },
    "misdeal.cost": {  # does the dealer keep the deal?
        "deal-unless-redeemed": (when(MISDEALT, gives=False), when(KEPT, gives=True)),
        "deal": (when(MISDEALT, gives=False), when(KEPT, gives=False)),
        "nothing": (when(MISDEALT, gives=True), when(KEPT, gives=True)),
    },
    "misdeal.until": {  # did it come out in time?
        "before-discards": (
            when(BEFORE_DISCARD, gives=True),
            when(BEFORE_LEAD, gives=False),
            when(IN_PLAY, gives=False),
        ),
        "before-first-lead": (
            when(BEFORE_DISCARD, gives=True),
            when(BEFORE_LEAD, gives=True),
            when(IN_PLAY, gives=False),
        ),
    },
    "misdeal.late-deal": {  # is the deal void, and does the dealer then keep it?
        "void-turn-lost": is_((True, False)),
        "void": is_((True, True)),
        "stands": is_((False, False)),
    },
}
#: the second tables (`FURTHER_MEANINGS`)
FURTHER_ROWS: Mapping[str, Mapping[str, tuple[Case, ...]]] = {
    "partie.eldest-share": {  # does he owe besides the loser, 2? The eldest is 0.
        "none": (when(fact(player=0), PARTED, gives=False),),
        "own-points-halved": (
            when(fact(player=0), PARTED, gives=True),
            when(fact(player=1), PARTED, gives=False),
            when(fact(player=0), seen(winner=0, loser=2), gives=False),
        ),
        "debt-shared": (when(fact(player=0), PARTED, gives=False),),
        "only-equals": (when(fact(player=0), PARTED, gives=False),),
    },
    # may the dealer buy back a misdeal?
    "misdeal.cost": {"deal-unless-redeemed": is_(True), "deal": is_(False), "nothing": is_(False)},
}
