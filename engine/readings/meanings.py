"""What each reading means: tables from a reading to a number or a small function, and nothing else.

A test holds the keys of each table to the readings of its question: a reading without a meaning fails, and so does
a meaning without a reading. A `Table` knows besides, by their form, readings that only a source to come may have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from engine.deal.events import Fact, Fault, Measures
from engine.deal.pool import Pool
from engine.readings.patterns import SUIT_OF, Table, cards, number, ranks

Seat: TypeAlias = "int | None"


class Outcome(Protocol):
    """The seats of the outcome that a meaning may look at."""

    @property
    def hero(self) -> Seat:
        """Who has undertaken the reversis."""

    @property
    def winner(self) -> Seat:
        """Who wins the partie."""

    @property
    def loser(self) -> Seat:
        """Who loses it."""

    @property
    def twin(self) -> Seat:
        """Who has as many points as the loser."""


# ---- the table and the deal
PLAYERS: Mapping[str, tuple[int, ...]] = Table(
    {"four": (4,), "four-or-five": (4, 5)}, ("five", "five", lambda: (5,))
)  # a record of a deal has four seats or five
PACKS: Mapping[str, tuple[int, ...]] = Table(
    {"without-tens": (48,), "with-or-without-tens": (48, 52)}, ("with-tens", "with-tens", lambda: (52,))
)
MAY_EXCHANGE: Mapping[str, Callable[[int, int, int], bool]] = {  # seat, dealer, eldest
    "everyone-but-dealer": lambda seat, dealer, eldest: seat != dealer,
    "eldest-only": lambda seat, dealer, eldest: seat == eldest,
}
#: whether seeing one's card of the talon is a fault: had he exchanged, and laid a card away?
LOOKS: Mapping[str, Callable[[bool], bool]] = {
    "instead-of-exchanging": lambda exchanged: exchanged,
    "never": lambda exchanged: True,
    "always": lambda exchanged: False,
}
HEARTS_DISCARDED: Mapping[str, bool] = {"allowed": True, "forbidden": False}
Laid: TypeAlias = Callable[[int, int, Sequence[int]], bool]  # card, quinola, ranks of the hearts in hand: bare numbers


def _lone(words: str) -> Laid | None:
    of = ranks(words)
    return (lambda card, quinola, hearts: card & 15 in of and len(hearts) == 1) if of else None


def _without_lower(words: str) -> Laid | None:
    of = ranks(words)
    return (lambda card, quinola, hearts: card & 15 in of and min(hearts) >= card & 15) if of else None


HEART_EXCEPTION: Mapping[str, Laid] = Table(
    {
        "lone-king-or-queen": lambda card, quinola, hearts: card & 15 in (10, 11) and len(hearts) == 1,
        "king-or-queen-without-lower": lambda card, quinola, hearts: card & 15 in (10, 11) and min(hearts) >= card & 15,
        "lone-quinola": lambda card, quinola, hearts: card == quinola and len(hearts) == 1,
    },
    ("lone-RANK, lone-RANK-or-RANK", "lone-(.+)", _lone),
    ("RANK-or-RANK-without-lower", "(.+)-without-lower", _without_lower),
)

# ---- the play
FIRST_LEADER: Mapping[str, Callable[[int, int], int]] = {
    "right-of-dealer": lambda dealer, seats: (dealer + 1) % seats,
    "dealer": lambda dealer, seats: dealer,
}
FIRST_LEAD: Mapping[str, int] = Table(  # a suit's number, or -1
    {"any": -1, "heart": 1}, ("spade, diamond, club", "(.+)", SUIT_OF.get)
)
MUST_FOLLOW: Mapping[str, int] = {"must": 1, "need-not": 0}
Freed: TypeAlias = Callable[[int, int], bool]  # tricks played before, times hearts were led before


def _after_tricks(word: str) -> Freed | None:
    needed = number(word)
    return None if needed is None else lambda tricks, hearts: tricks >= needed


def _after_leads(word: str) -> Freed | None:
    needed = number(word)
    return None if needed is None else lambda tricks, hearts: hearts >= needed


QUINOLA_FREE: Mapping[str, Freed] = Table(
    {
        "must-follow": lambda tricks, hearts: False,
        "free-after-two-tricks": lambda tricks, hearts: tricks >= 2,
        "free-after-two-heart-leads": lambda tricks, hearts: hearts >= 2,
        "free": lambda tricks, hearts: True,
    },
    ("free-after-NUMBER-tricks", "free-after-(.+)-tricks?", _after_tricks),
    ("free-after-NUMBER-heart-leads", "free-after-(.+)-heart-leads?", _after_leads),
)
QUINOLA_TAKES: Mapping[str, bool] = {"highest-of-suit-led": False, "thrown-quinola-takes": True}
NEXT_LEADER: Mapping[str, Callable[[int, int], int]] = {
    "taker": lambda taker, eldest: taker,
    "first-leader": lambda taker, eldest: eldest,
}

# ---- cards that pay or are paid
SEAT: Mapping[str, Callable[[Fact, Outcome], Seat]] = {
    "taker": lambda fact, outcome: fact.taker,
    "leader": lambda fact, outcome: fact.leader,
    "highest-heart-before": lambda fact, outcome: fact.highest_before,
    "winner-of-partie": lambda fact, outcome: outcome.winner,
    "nobody": lambda fact, outcome: None,
}


def _seats(*names: str) -> Mapping[str, Callable[[Fact, Outcome], Seat]]:
    return {n: SEAT[n] for n in names}


PAYER = _seats("taker", "leader", "nobody")
FORCER = _seats("leader", "taker", "nobody")
QUINOLA_FORCER = _seats("leader", "taker", "highest-heart-before", "nobody")
LED_PAYEE = _seats("winner-of-partie", "nobody")
FORCED: Mapping[str, Callable[[Fact], bool]] = {
    "own-suit": lambda fact: True,
    "sole-card": lambda fact: fact.alone and not fact.free,
}
#: which hearts force the quinola of an espagnolette
FORCES_HIM: Mapping[str, Callable[[Fact], bool]] = {
    "as-any-holder": lambda fact: True,
    "only-by-court-heart": lambda fact: fact.court_led,
    "nothing": lambda fact: False,
}
GORGED: Mapping[str, Callable[[Fact], bool]] = {
    "any-lead": lambda fact: True,
    "free-lead": lambda fact: fact.free,
    "free-lead-of-eldest": lambda fact: fact.free and fact.player == fact.eldest,
}
DRAWS: Mapping[str, bool] = {"draws": True, "nothing": False}
MATCHES: Mapping[str, bool] = {"matches": True, "nothing": False}
OWED_TO_HIMSELF: Mapping[str, bool] = {"nothing": False, "others-pay": True}
OWED: Mapping[str, Callable[[Fact], bool]] = {
    "must-be-claimed": lambda fact: fact.claimed,
    "unasked": lambda fact: True,
}

# ---- the stake
MATCH_BASE: Mapping[str, int] = {"stake": 0, "stake-and-waiting": 1}  # how often what waits is matched too
#: how the sum that matches the stake is laid: a name of engine.deal.pool.OPERATIONS
MATCH_OPERATION: Mapping[str, str] = {"stake": "add", "waiting": "wait", "supplement": "supplement"}
MOVES_UP: Mapping[str, bool] = {"newest-moves-up": True, "stays-empty": False}
DOUBLES_ONLY_POOL: Mapping[str, Callable[[bool], bool]] = {  # was a supplement paid before?
    "unless-supplement-paid": lambda paid: not paid,
    "always": lambda paid: True,
}
SHARED: Mapping[str, bool] = {"one": False, "shared": True}
REFRESHED: Mapping[str, Callable[[str], bool]] = {
    "forced": lambda manner: manner == "forced",
    "laid-away": lambda manner: manner == "laid-away",
    "led": lambda manner: manner == "led",
    "put": lambda manner: manner == "put",
}
REFRESHED_WHEN_WON: Mapping[str, bool] = {"only-if-not-won": False, "always": True}

# ---- the stake from one deal to the next
#: at which states of the stake everybody puts in again: is nothing left at all, the pool, the first stake if asked for
RENEWED_WHEN: Mapping[str, Callable[[bool, Pool, Callable[[], int]], bool]] = {
    "empty": lambda empty, pool, first: empty,
    "below-first": lambda empty, pool, first: pool.stake < first(),
}
RENEWED_SUM: Mapping[str, Callable[[int, Callable[[], int]], int]] = {  # a full stake, what is wanting if asked for
    "full": lambda full, wanting: full,
    "topped-up": lambda full, wanting: wanting(),
}
RENEWED_BY: Mapping[str, Callable[[Seat, int], Seat]] = {  # who dealt, who will deal
    "next-deal": lambda last, following: following,
    "at-once": lambda last, following: last,
}
BESIDES: Mapping[str, bool] = {"part-of-it": False, "in-addition": True}
INCLUDED: Mapping[str, bool] = {"included": True, "not-included": False}
#: which of the waiting sums, oldest first, is put up
WAITING_ORDER: Mapping[str, Callable[[Sequence[int]], int]] = {
    "largest-first": lambda waiting: waiting.index(max(waiting)),
    "oldest-first": lambda waiting: 0,
    "newest-first": lambda waiting: len(waiting) - 1,
}
TOGETHER: Mapping[str, bool] = {"one-at-a-time": False, "together": True}
NOTED: Mapping[str, bool] = {"at-once": False, "in-its-turn": True}
#: whether what is left is divided; who wins it later, or draws the highest card, no record of a session tells
SHARED_OUT: Mapping[str, bool] = {"shared": True, "played-out": False, "highest-card": False}


# ---- the partie: one criterion narrows the seats that are still in question
def _least(seats: Sequence[int], key: Callable[[int], int]) -> list[int]:
    bound = min(map(key, seats), default=0)
    return [s for s in seats if key(s) == bound]


def leftwards(m: Measures, seat: int) -> int:
    """How many places to the left of the dealer a seat is; the dealer himself is at 0."""
    return (m.dealer - seat) % m.seats


def in_play(m: Measures, seat: int) -> int:
    """How many places after the first leader a seat is in order of play."""
    return (seat - m.eldest) % m.seats


PLACE: Mapping[str, Callable[[Measures, int], int]] = {
    "dealer-first-leftwards": leftwards,
    "dealer-last-leftwards": lambda m, s: leftwards(m, s) or m.seats,
}
Criterion: TypeAlias = Callable[[Measures, Sequence[int], Callable[[int], int]], Iterable[int]]


def _fewer_than_all(m: Measures, seats: Sequence[int]) -> list[int]:
    return [s for s in seats if all(m.marking[s] < m.marking[o] for o in range(m.seats) if o != s)]


def _unmarked_or_fewer_than_the_rest(m: Measures, seats: Sequence[int]) -> list[int]:
    """Those with the fewest marking cards of all, if everybody who has so few is in question; else those with none."""
    fewest = _least(range(m.seats), lambda s: m.marking[s])
    return fewest if {*fewest} <= {*seats} else [s for s in seats if not m.marking[s]]


def _eldest_if_tied(m: Measures, seats: Sequence[int]) -> list[int]:
    """The eldest, and behind him the first of the equals, should the eldest be out of the question."""
    first = _least(seats, lambda s: in_play(m, s))
    return list(seats) if len(seats) < 2 else list(dict.fromkeys((m.eldest, *first)))


def _taken(m: Measures, seat: int, bits: int) -> int:
    """How many of certain cards lie in a player's tricks."""
    return (m.taken[seat] & bits).bit_count()


def _fewest_of(words: str) -> Criterion | None:
    bits = cards(words)
    return (lambda m, ss, place: _least(ss, lambda s: _taken(m, s, bits))) if bits else None


def _most_of(words: str) -> Criterion | None:
    bits = cards(words)
    return (lambda m, ss, place: _least(ss, lambda s: -_taken(m, s, bits))) if bits else None


def _only_without(words: str) -> Criterion | None:
    bits = cards(words)
    return (lambda m, ss, place: [s for s in ss if not _taken(m, s, bits)]) if bits else None


def _rather_without(words: str) -> Criterion | None:
    bits = cards(words)
    return (lambda m, ss, place: _least(ss, lambda s: bool(_taken(m, s, bits)))) if bits else None


LISTED: Mapping[str, Criterion] = {  # measures, seats still in question, place -> seats that remain
    "fewest-points": lambda m, ss, place: _least(ss, lambda s: m.points[s]),
    "most-points": lambda m, ss, place: _least(ss, lambda s: -m.points[s]),
    "fewest-tricks": lambda m, ss, place: _least(ss, lambda s: m.tricks[s]),
    "fewest-tricks-but-one": lambda m, ss, place: _least([s for s in ss if m.tricks[s]], lambda s: m.tricks[s]),
    "most-tricks": lambda m, ss, place: _least(ss, lambda s: -m.tricks[s]),
    "fewest-marking-cards": lambda m, ss, place: _least(ss, lambda s: m.marking[s]),
    "fewer-marking-cards-than-all": lambda m, ss, place: _fewer_than_all(m, ss),
    "unmarked-or-fewer-than-the-rest": lambda m, ss, place: _unmarked_or_fewer_than_the_rest(m, ss),
    "only-without-court": lambda m, ss, place: [s for s in ss if not m.court[s]],
    "rather-without-court": lambda m, ss, place: _least(ss, lambda s: bool(m.court[s])),
    "trickless-first": lambda m, ss, place: _least(ss, lambda s: bool(m.tricks[s])),
    "best-placed": lambda m, ss, place: _least(ss, place),
    "worst-placed": lambda m, ss, place: _least(ss, lambda s: -place(s)),
    "first-in-play": lambda m, ss, place: _least(ss, lambda s: in_play(m, s)),
    "eldest-if-tied": lambda m, ss, place: _eldest_if_tied(m, ss),
    "alone": lambda m, ss, place: ss if len(ss) == 1 else [],
    "nobody": lambda m, ss, place: [],
}
CRITERIA: Mapping[str, Criterion] = Table(
    LISTED,
    ("fewest-CARDS", "fewest-(.+)", _fewest_of),
    ("most-CARDS", "most-(.+)", _most_of),
    ("only-without-CARDS", "only-without-(.+)", _only_without),
    ("rather-without-CARDS", "rather-without-(.+)", _rather_without),
)
PLACED = ("best-placed", "worst-placed")  #: the criteria that ask who is best placed
#: the criteria that look at nothing anybody has done, but only keep equals apart
AMONG_EQUALS = (*PLACED, "first-in-play", "eldest-if-tied", "alone")

DEBTORS: Mapping[str, Callable[[Fact, Outcome], bool]] = {
    "loser": lambda fact, outcome: fact.player == outcome.loser,
    "every-other": lambda fact, outcome: fact.player != outcome.winner,
}
BY_TALON, BY_PAYER, BY_AGREEMENT = range(3)
DEBT: Mapping[str, int] = {"talon-cards": BY_TALON, "payers-points": BY_PAYER, "agreed-sum": BY_AGREEMENT}


def _own_points_halved(fact: Fact, outcome: Outcome) -> tuple[Seat, ...]:
    return (outcome.loser, fact.eldest) if fact.player == fact.eldest != outcome.loser else (fact.player,)


def _debt_shared(fact: Fact, outcome: Outcome) -> tuple[Seat, ...]:
    shared = fact.player == outcome.loser and fact.eldest not in (outcome.winner, outcome.loser)
    return (outcome.loser, fact.eldest) if shared else (fact.player,)


def _only_equals(fact: Fact, outcome: Outcome) -> tuple[Seat, ...]:
    equal = fact.player == fact.eldest == outcome.loser and outcome.twin is not None
    return (outcome.twin, fact.eldest) if equal else (fact.player,)


#: who bears a debt: one seat, or two that halve it, the first paying the odd unit
BEARERS: Mapping[str, Callable[[Fact, Outcome], tuple[Seat, ...]]] = {
    "none": lambda fact, outcome: (fact.player,),
    "own-points-halved": _own_points_halved,
    "debt-shared": _debt_shared,
    "only-equals": _only_equals,
}
#: who owes besides the loser
ALSO_OWES: Mapping[str, Callable[[Fact, Outcome], bool]] = {
    "none": lambda fact, outcome: False,
    "own-points-halved": lambda fact, outcome: fact.player == fact.eldest != outcome.winner,
    "debt-shared": lambda fact, outcome: False,
    "only-equals": lambda fact, outcome: False,
}
SETTLED_IN_REVERSIS: Mapping[str, bool] = {"not-settled": False, "settled-by-the-others": True}

# ---- the reversis
POOL = "pool"


def _thrown_quinola(fact: Fact) -> bool:
    return fact.kind == "quinola" and fact.manner == "thrown-off"


#: which payments in the play a reversis undoes: fact, outcome, payer, payee
RETURNED: Mapping[str, Callable[[Fact, Outcome, object, object], bool]] = {
    "everything": lambda fact, outcome, payer, payee: True,
    "makers-own-and-thrown-quinola": lambda fact, outcome, payer, payee: payer == outcome.hero or _thrown_quinola(fact),
    "makers-own-to-pool-and-thrown-quinola": lambda fact, outcome, payer, payee: (
        (payer == outcome.hero and payee == POOL) or _thrown_quinola(fact)
    ),
}
FINES_RETURNED: Mapping[str, bool] = {"yes": True, "no": False}
NEVER, ALWAYS, BY_QUINOLA = range(3)
REVERSIS_DRAWS: Mapping[str, int] = {"own-quinola-early": BY_QUINOLA, "draws": ALWAYS, "nothing": NEVER}
#: what a reversis draws: how often what waits is drawn too, and a name of engine.deal.pool.OPERATIONS
REVERSIS_POOLS: Mapping[str, tuple[int, str]] = {"stake": (0, "draw"), "stake-and-waiting": (1, "draw-all")}
WHOSE_QUINOLA: Mapping[str, Callable[[Fact, Outcome, Callable[[], bool]], bool]] = {  # ..., was it forced, if asked
    "his-own": lambda fact, outcome, forced: fact.player == outcome.hero,
    "his-own-unless-forced": lambda fact, outcome, forced: fact.player == outcome.hero and not forced(),
    "any-he-takes": lambda fact, outcome, forced: fact.taker == outcome.hero,
}
BREAKERS: Mapping[str, Callable[[Sequence[int]], tuple[int, ...]]] = {
    "first": lambda against: tuple(against[:1]),
    "each": lambda against: tuple(dict.fromkeys(against)),
    "nobody": lambda against: (),
}
#: who pays when the quinola itself breaks the reversis: is the payer its holder?
BREAKING_PAYERS: Mapping[str, Callable[[bool], bool]] = {
    "nothing": lambda holder: False,
    "all-pay": lambda holder: True,
    "holder-pays": lambda holder: holder,
}

# ---- the espagnolette
RIGHT_LOST: Mapping[str, bool] = {"lost": True, "kept": False}


def _announced(m: Measures) -> bool:
    return any(a.what == "espagnolette" and a.seat == m.holder for a in m.announced)


UNDERTAKEN: Mapping[str, Callable[[Measures], bool]] = {
    "by-renouncing": lambda m: m.renounced,
    "by-renouncing-or-announcing": lambda m: m.renounced or _announced(m),
    "by-holding": lambda m: True,
}
LOST_BY: Mapping[str, Callable[[Measures, int, int], bool]] = {  # measures, seat, number of last tricks
    "last-tricks": lambda m, seat, n: seat in m.takers[max(0, m.last - n) :],
    "any-trick": lambda m, seat, n: seat in m.takers,
}
WINS: Mapping[str, bool] = {"wins": True, "natural-order": False}
HE_PAYS: Mapping[str, bool] = {"he-pays-the-natural-winner": True, "natural-order": False}
BACK_TO_PAYER: Mapping[str, bool] = {"who-paid": True, "who-was-paid": False}
INTO_SAME_POOL: Mapping[str, bool] = {"same-pool": True, "new-pool": False}
PAYS_FOR_ALL: Mapping[str, bool] = {"he-pays-for-all": True, "each-his-own": False}
PAYS_BREAKER: Mapping[str, bool] = {"he-pays": True, "undertaker": False}
PAID: Mapping[str, bool] = {"paid": True, "nothing": False}
WAIVED: Mapping[str, bool] = {"waived": True, "pays": False}
STANDS: Mapping[str, bool] = {"stands": True, "annulled": False}

# ---- after the deal, and irregularities
NEXT_DEALER: Mapping[str, Callable[[Measures, Seat], int]] = {  # measures, trickless winner of the talon
    "right-of-dealer": lambda m, trickless: (m.dealer + 1) % m.seats,
    "trickless-winner-else-right": lambda m, trickless: (m.dealer + 1) % m.seats if trickless is None else trickless,
}
FINE_TO_POOL: Mapping[str, bool] = {"pool": True, "every-other": False}
FINE_LAID: Mapping[str, str] = {"joined": "add", "separate": "wait"}  # a name of engine.deal.pool.OPERATIONS
REVOKE_STANDS: Mapping[str, bool] = {"stands": True, "taken-back": False}

# ---- what a fault denies its author
THROWN_QUINOLA, EVERY_OTHER, MAKING = "thrown-quinola", "other-receipts", "making-reversis"
MADE = ("reversis-made", "reversis-stake", "reversis-by-quinola")
NAMED_RECEIPTS: Mapping[str, Callable[[str, Fact], bool]] = {  # the rule that would pay him, and for what
    "partie": lambda rule, fact: rule == "partie",
    "reversis": lambda rule, fact: rule in MADE,
    "breaking": lambda rule, fact: rule == "reversis-broken",
    "forcing": lambda rule, fact: fact.kind == "quinola" and rule in ("forced", "breaking-quinola"),
}


def _other_receipt(rule: str, fact: Fact) -> bool:
    """Any payment that has no name of its own; of the stake it is asked by itself."""
    return rule != "draws-stake" and not any(named(rule, fact) for named in NAMED_RECEIPTS.values())


RECEIPTS: Mapping[str, Callable[[str, Fact], bool]] = {
    **NAMED_RECEIPTS,
    MAKING: NAMED_RECEIPTS["reversis"],  # engine.settlement.outcome knows of no reversis then
    THROWN_QUINOLA: lambda rule, fact: fact.kind == "quinola" and rule in ("thrown-off", "draws-stake"),
    EVERY_OTHER: _other_receipt,
}
#: what he loses who has revoked, in the words of the other faults; of the stake it is asked by itself
BARRED: Mapping[str, tuple[str, ...]] = {"every-receipt": (*NAMED_RECEIPTS, EVERY_OTHER), "nothing": ()}
BARRED_STAKE: Mapping[str, bool] = {"not-drawn": True, "drawn": False}
NEXT_BEST: Mapping[str, bool] = {"next-best": True, "nobody": False}
FORCED_BY_BARRED: Mapping[str, bool] = {"matches": False, "nothing": True}  # is the forced player let off?
TALON_COUNTED: Mapping[str, Callable[[Measures], tuple[int, ...]]] = {
    "all-there": lambda m: m.talon,
    "as-due": lambda m: m.talon[: m.talon_due],
}

# ---- what a fault in dealing does to the deal
AGAIN: Mapping[str, str] = {  # a cause for dealing again, and the fault that gives it
    "incomplete-pack": "incomplete-pack",
    "badly-shuffled": "badly-shuffled",
    "card-turned-up": "card-turned-up",
    "misdeal": "misdeal",
}
TURNED_UP: Mapping[str, Callable[[Fault], bool]] = {  # are the cards dealt again?
    "again-unless-all-agree": lambda fault: not fault.accepted,
    "always-again": lambda fault: True,
    "stands": lambda fault: False,
}
IN_TIME: Mapping[str, Callable[[Fault], bool]] = {
    "before-discards": lambda fault: fault.noticed == "before-discard",
    "before-first-lead": lambda fault: fault.noticed in ("before-discard", "before-lead"),
}
#: does the dealer keep the deal?
MISDEAL_COST: Mapping[str, Callable[[Fault], bool]] = {
    "deal-unless-redeemed": lambda fault: fault.redeemed,
    "deal": lambda fault: False,
    "nothing": lambda fault: True,
}
REDEEMABLE: Mapping[str, bool] = {"deal-unless-redeemed": True, "deal": False, "nothing": False}
LATE_MISDEAL: Mapping[str, tuple[bool, bool]] = {  # is the deal void, and does the dealer then keep it?
    "void-turn-lost": (True, False),
    "void": (True, True),
    "stands": (False, False),
}

#: The table of contents: the meaning of every closed question, by its slug.
MEANINGS: Mapping[str, Mapping[str, object]] = {
    "table.players": PLAYERS,
    "table.pack": PACKS,
    "exchange.who": MAY_EXCHANGE,
    "exchange.look": LOOKS,
    "exchange.hearts": HEARTS_DISCARDED,
    "exchange.heart-exception": HEART_EXCEPTION,
    "play.first-leader": FIRST_LEADER,
    "play.first-lead": FIRST_LEAD,
    "play.follow": MUST_FOLLOW,
    "play.quinola-alone": QUINOLA_FREE,
    "play.trick-taker": QUINOLA_TAKES,
    "play.next-leader": NEXT_LEADER,
    "ace.thrown-off.payer": PAYER,
    "ace.forced.when": FORCED,
    "ace.forced.payee": FORCER,
    "ace.led.payee": LED_PAYEE,
    "ace.led.by-winner": OWED_TO_HIMSELF,
    "quinola.thrown-off.payer": PAYER,
    "quinola.forced.payee": QUINOLA_FORCER,
    "quinola.forced.when": FORCED,
    "quinola.thrown-off.stake": DRAWS,
    "quinola.forced.stake": MATCHES,
    "quinola.put.stake": MATCHES,
    "quinola.led.when": GORGED,
    "quinola.led.stake": MATCHES,
    "quinola.led.payee": LED_PAYEE,
    "quinola.led.by-winner": OWED_TO_HIMSELF,
    "payments.led-claimed": OWED,
    "stake.matched-into": MATCH_OPERATION,
    "stake.match-base": MATCH_BASE,
    "stake.after-winning": MOVES_UP,
    "stake.only-pool": DOUBLES_ONLY_POOL,
    "stake.by-tricks": CRITERIA,
    "stake.tied": SHARED,
    "stake.refreshed.when": REFRESHED,
    "stake.refreshed.unless-won": REFRESHED_WHEN_WON,
    "stake.dealer-in-first": BESIDES,
    "stake.dealer-included": INCLUDED,
    "stake.renewed.when": RENEWED_WHEN,
    "stake.renewed.how": RENEWED_SUM,
    "stake.renewed.time": RENEWED_BY,
    "stake.waiting.order": WAITING_ORDER,
    "stake.waiting.together": TOGETHER,
    "stake.matched-when": NOTED,
    "session.pool-left": SHARED_OUT,
    "partie.winner": CRITERIA,
    "partie.place": PLACE,
    "partie.loser": CRITERIA,
    "partie.paid-by": DEBTORS,
    "partie.amount": DEBT,
    "partie.eldest-share": BEARERS,
    "partie.in-reversis": SETTLED_IN_REVERSIS,
    "reversis.returns": RETURNED,
    "reversis.returns-fines": FINES_RETURNED,
    "reversis.stake": REVERSIS_DRAWS,
    "reversis.stake-pools": REVERSIS_POOLS,
    "reversis.stake.whose-quinola": WHOSE_QUINOLA,
    "reversis.broken.breaker": BREAKERS,
    "reversis.broken.stake": MATCHES,
    "reversis.breaking-quinola": BREAKING_PAYERS,
    "espagnolette.right-after-trick": RIGHT_LOST,
    "espagnolette.undertaken": UNDERTAKEN,
    "espagnolette.lost-by": LOST_BY,
    "espagnolette.kept-trick": WINS,
    "espagnolette.won.partie": WINS,
    "espagnolette.lost.partie": HE_PAYS,
    "espagnolette.lost.returns-others-to": BACK_TO_PAYER,
    "espagnolette.lost.stake-into": INTO_SAME_POOL,
    "espagnolette.pays-reversis-made": PAYS_FOR_ALL,
    "espagnolette.pays-reversis-broken": PAYS_BREAKER,
    "espagnolette.forced": FORCES_HIM,
    "espagnolette.breaks.paid": PAID,
    "espagnolette.breaks.own-quinola": WAIVED,
    "espagnolette.third-breaks": STANDS,
    "deal.next-dealer": NEXT_DEALER,
    "revoke.payee": FINE_TO_POOL,
    "revoke.card": REVOKE_STANDS,
    "revoke.fine-joined": FINE_LAID,
    "revoke.bars": BARRED,
    "peek.bars": RECEIPTS,
    "peek.forced-stake": FORCED_BY_BARRED,
    "undiscarded.bars": RECEIPTS,
    "ten-cards.bars": RECEIPTS,
    "barred.stake": BARRED_STAKE,
    "barred.partie": NEXT_BEST,
    "talon.irregular": TALON_COUNTED,
    "deal.again": AGAIN,
    "deal.card-turned-up": TURNED_UP,
    "misdeal.cost": MISDEAL_COST,
    "misdeal.until": IN_TIME,
    "misdeal.late-deal": LATE_MISDEAL,
    "out-of-turn.payee": FINE_TO_POOL,
}
