"""What the readings mean, put by hand beside the tables of the engine: yes or no, who, which, how many."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace

import pytest

from engine.cards import parse_card_name
from engine.deal.events import Announcement, Fact, Fault, Measures
from engine.deal.pool import Pool
from engine.readings.meanings.by_question import MEANINGS
from engine.readings.meanings.cards import FORCED, FORCES_HIM, GORGED, OWED
from engine.readings.meanings.criteria import (
    AMONG_EQUALS,
    CRITERIA,
    PARTIE_PLACES,
    count_places_in_play,
    count_places_leftwards,
)
from engine.readings.meanings.deal import HEART_EXCEPTION, LOOKS, MAY_EXCHANGE, NEXT_DEALER
from engine.readings.meanings.espagnolette import LOST_BY, UNDERTAKEN
from engine.readings.meanings.faults import (
    BARRED,
    IN_TIME,
    LATE_MISDEAL,
    MISDEAL_COST,
    RECEIPTS,
    REDEEMABLE,
    TALON_COUNTED,
    TURNED_UP,
)
from engine.readings.meanings.partie import ALSO_OWES, BEARERS, DEBTORS
from engine.readings.meanings.play import FIRST_LEADER, NEXT_LEADER, QUINOLA_FREE
from engine.readings.meanings.reversis import BREAKERS, BREAKING_PAYERS, RETURNED, WHOSE_QUINOLA
from engine.readings.meanings.stake import DOUBLES_ONLY_POOL, RENEWED_BY, RENEWED_SUM, RENEWED_WHEN, WAITING_ORDER
from engine.settlement.outcome import OutcomeView

#: The readings that mean yes to what the engine asks; every other reading of the same question means no.
YES = {
    "exchange.hearts": "allowed",
    "play.trick-taker": "thrown-quinola-takes",
    "ace.led.by-winner": "others-pay",
    "quinola.thrown-off.stake": "draws",
    "quinola.forced.stake": "matches",
    "quinola.put.stake": "matches",
    "quinola.led.stake": "matches",
    "quinola.led.by-winner": "others-pay",
    "stake.after-winning": "newest-moves-up",
    "stake.tied": "shared",
    "stake.refreshed.unless-won": "always",
    "stake.dealer-in-first": "in-addition",
    "stake.dealer-included": "included",
    "stake.waiting.together": "together",
    "stake.matched-when": "in-its-turn",
    "session.pool-left": "shared",
    "partie.in-reversis": "settled-by-the-others",
    "reversis.returns-fines": "yes",
    "reversis.broken.stake": "matches",
    "espagnolette.right-after-trick": "lost",
    "espagnolette.kept-trick": "wins",
    "espagnolette.won.partie": "wins",
    "espagnolette.lost.partie": "he-pays-the-natural-winner",
    "espagnolette.lost.returns-others-to": "who-paid",
    "espagnolette.lost.stake-into": "same-pool",
    "espagnolette.pays-reversis-made": "he-pays-for-all",
    "espagnolette.pays-reversis-broken": "he-pays",
    "espagnolette.breaks.paid": "paid",
    "espagnolette.breaks.own-quinola": "waived",
    "espagnolette.third-breaks": "stands",
    "revoke.payee": "pool",
    "revoke.card": "stands",
    "peek.forced-stake": "nothing",
    "barred.stake": "not-drawn",
    "barred.partie": "next-best",
    "out-of-turn.payee": "pool",
}


def test_yes_is_yes_and_no_is_no() -> None:
    plain = {slug: table for slug, table in MEANINGS.items() if all(isinstance(one, bool) for one in table.values())}
    assert {slug: [word for word, yes in table.items() if yes] for slug, table in plain.items()} == {
        slug: [word] for slug, word in YES.items()
    }
    assert REDEEMABLE == {"deal-unless-redeemed": True, "deal": False, "nothing": False}
    assert LATE_MISDEAL == {"void-turn-lost": (True, False), "void": (True, True), "stands": (False, False)}


def test_words_that_mean_a_number_or_a_way_to_lay_counters() -> None:
    assert {
        "table.players": {"four": (4,), "four-or-five": (4, 5)},
        "table.pack": {"without-tens": (48,), "with-or-without-tens": (48, 52)},
        "play.first-lead": {"any": -1, "heart": 1},
        "play.follow": {"must": 1, "need-not": 0},
        "stake.match-base": {"stake": 0, "stake-and-waiting": 1},
        "stake.matched-into": {"stake": "add", "waiting": "wait", "supplement": "supplement"},
        "reversis.stake-pools": {"stake": (0, "draw"), "stake-and-waiting": (1, "draw-all")},
        "revoke.fine-joined": {"joined": "add", "separate": "wait"},
    }.items() <= MEANINGS.items()
    assert len(set(MEANINGS["partie.amount"].values())) == 3 == len(set(MEANINGS["reversis.stake"].values()))


# ---- the table and the play
def test_who_may_take_a_card_and_look_at_it() -> None:
    assert [MAY_EXCHANGE["everyone-but-dealer"](seat, 2, 3) for seat in range(4)] == [True, True, False, True]
    assert [MAY_EXCHANGE["eldest-only"](seat, 2, 3) for seat in range(4)] == [False, False, False, True]
    assert {word: (look(False), look(True)) for word, look in LOOKS.items()} == {
        "instead-of-exchanging": (False, True),
        "never": (True, True),
        "always": (False, False),
    }


def test_the_eldest_sits_at_the_dealers_right_and_the_next_lead_is_the_takers() -> None:
    assert [FIRST_LEADER["right-of-dealer"](dealer, 5) for dealer in range(5)] == [1, 2, 3, 4, 0]
    assert FIRST_LEADER["dealer"](2, 4) == 2
    assert (NEXT_LEADER["taker"](1, 3), NEXT_LEADER["first-leader"](1, 3)) == (1, 3)


def test_when_the_lone_quinola_may_be_kept() -> None:
    grid = [(tricks, hearts) for tricks in (0, 1, 2, 3) for hearts in (0, 1, 2)]
    assert {word for word, free in QUINOLA_FREE.items() if not any(free(*at) for at in grid)} == {"must-follow"}
    assert {word for word, free in QUINOLA_FREE.items() if all(free(*at) for at in grid)} == {"free"}
    assert [at for at in grid if QUINOLA_FREE["free-after-two-tricks"](*at)] == [at for at in grid if at[0] > 1]
    assert [at for at in grid if QUINOLA_FREE["free-after-two-heart-leads"](*at)] == [at for at in grid if at[1] == 2]


# ---- cards that pay
def fact(**told: object) -> Fact:
    plain: dict[str, object] = {"kind": "quinola", "seats": 4, "dealer": 3, "eldest": 0, "last": 11, "player": 1}
    return Fact(**(plain | told))  # type: ignore[arg-type]


def seen(**told: object) -> OutcomeView:
    return SimpleNamespace(**({"hero": None, "winner": None, "loser": None, "twin": None} | told))  # type: ignore[return-value]


def test_when_a_card_is_forced_led_and_owed_for() -> None:
    assert FORCED["own-suit"](fact()) and not FORCED["sole-card"](fact()) and FORCED["sole-card"](fact(alone=True))
    assert FORCES_HIM["as-any-holder"](fact()) and not FORCES_HIM["nothing"](fact(court_led=True))
    assert [FORCES_HIM["only-by-court-heart"](fact(court_led=led)) for led in (False, True)] == [False, True]
    assert GORGED["any-lead"](fact()) and [GORGED["free-lead"](fact(free=free)) for free in (False, True)] == [
        False,
        True,
    ]
    eldest = [GORGED["free-lead-of-eldest"](fact(free=free, player=p)) for free in (False, True) for p in (0, 1)]
    assert eldest == [False, False, True, False]
    assert OWED["unasked"](fact(claimed=False)) and not OWED["must-be-claimed"](fact(claimed=False))
    assert OWED["must-be-claimed"](fact())


def test_which_payments_a_reversis_undoes() -> None:
    made, thrown, other = seen(hero=2), fact(manner="thrown-off"), fact(kind="ace", manner="thrown-off")
    assert RETURNED["everything"](other, made, 0, 1)
    own, to_pool = RETURNED["makers-own-and-thrown-quinola"], RETURNED["makers-own-to-pool-and-thrown-quinola"]
    assert own(other, made, 2, 1) and own(thrown, made, 0, 1) and not own(other, made, 0, 1)
    assert not own(fact(manner="led"), made, 0, 1)
    assert to_pool(other, made, 2, "pool") and to_pool(thrown, made, 0, 1)
    assert not to_pool(other, made, 2, 1) and not to_pool(other, made, 0, "pool")


def test_whose_quinola_and_who_has_broken() -> None:
    made = seen(hero=1)
    table = {
        word: [
            whose(fact(player=p, taker=t), made, lambda forced=forced: forced)  # type: ignore[misc]
            for p, t, forced in ((1, 0, False), (1, 1, True), (0, 1, False))
        ]
        for word, whose in WHOSE_QUINOLA.items()
    }
    assert table == {
        "his-own": [True, True, False],
        "his-own-unless-forced": [True, False, False],
        "any-he-takes": [False, True, True],
    }
    assert {word: broke([3, 0, 3]) for word, broke in BREAKERS.items()} == {"first": (3,), "each": (3, 0), "nobody": ()}
    assert {word: (pays(False), pays(True)) for word, pays in BREAKING_PAYERS.items()} == {
        "nothing": (False, False),
        "all-pay": (True, True),
        "holder-pays": (False, True),
    }


# ---- the stake
def test_the_stake_from_deal_to_deal() -> None:
    assert [DOUBLES_ONLY_POOL["unless-supplement-paid"](paid) for paid in (False, True)] == [True, False]
    assert DOUBLES_ONLY_POOL["always"](True)
    assert [RENEWED_WHEN["below-first"](False, Pool(n), lambda: 9) for n in (8, 9, 10)] == [True, False, False]
    assert RENEWED_WHEN["empty"](True, Pool(9), lambda: 0) and not RENEWED_WHEN["empty"](False, Pool(0), lambda: 9)
    assert (RENEWED_SUM["full"](9, lambda: 2), RENEWED_SUM["topped-up"](9, lambda: 2)) == (9, 2)
    assert (RENEWED_BY["next-deal"](1, 2), RENEWED_BY["at-once"](1, 2)) == (2, 1)
    assert {word: which([3, 9, 5]) for word, which in WAITING_ORDER.items()} == {
        "largest-first": 1,
        "oldest-first": 0,
        "newest-first": 2,
    }


# ---- the partie
def measures(**told: object) -> Measures:
    plain: dict[str, object] = {"seats": 4, "dealer": 3, "eldest": 0, "last": 11, "takers": (), "points": (5, 5, 9, 0)}
    plain |= {"tricks": (2, 3, 6, 0), "marking": (1, 2, 4, 1), "court": (0, 1, 3, 0), "talon": (1, 2, 3, 4)}
    return Measures(**(plain | told))  # type: ignore[arg-type]


def test_places_are_counted_from_the_dealer_to_the_left_and_in_play_from_the_eldest() -> None:
    m = measures(dealer=2, eldest=3)
    assert (
        [count_places_leftwards(m, seat) for seat in range(4)]
        == [2, 1, 0, 3]
        == [PARTIE_PLACES["dealer-first-leftwards"](m, s) for s in range(4)]
    )
    assert [PARTIE_PLACES["dealer-last-leftwards"](m, seat) for seat in range(4)] == [2, 1, 4, 3]
    assert [count_places_in_play(m, seat) for seat in range(4)] == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("word", "left"),
    [
        ("fewest-points", [3]),
        ("most-points", [2]),
        ("fewest-tricks", [3]),
        ("fewest-tricks-but-one", [0]),
        ("most-tricks", [2]),
        ("fewest-marking-cards", [0, 3]),
        ("fewer-marking-cards-than-all", []),
        ("unmarked-or-fewer-than-the-rest", [0, 3]),
        ("only-without-court", [0, 3]),
        ("rather-without-court", [0, 3]),
        ("trickless-first", [3]),
        ("best-placed", [3]),
        ("worst-placed", [0]),
        ("first-in-play", [0]),
        ("eldest-if-tied", [0]),
        ("alone", []),
        ("nobody", []),
    ],
)
def test_who_is_left_in_question(word: str, left: Iterable[int]) -> None:
    m = measures()
    assert list(CRITERIA[word](m, range(4), lambda seat: count_places_leftwards(m, seat))) == list(left)


def test_who_is_left_in_question_where_it_is_close() -> None:
    m = measures(marking=(3, 2, 4, 1))
    assert list(CRITERIA["fewer-marking-cards-than-all"](m, range(4), int)) == [3]
    rest = CRITERIA["unmarked-or-fewer-than-the-rest"]
    assert list(rest(m, [1, 3], int)) == [3] and list(rest(m, [0, 1], int)) == []
    few, none = measures(marking=(3, 2, 2, 4)), measures(marking=(0, 2, 0, 0))
    assert list(rest(few, [1, 2], int)) == [1, 2] and list(rest(few, [1, 3], int)) == []  # another has as few
    assert list(rest(none, [0, 1, 2], int)) == [0, 2] and list(rest(none, [1], int)) == list(rest(none, [], int)) == []
    assert list(CRITERIA["rather-without-court"](measures(court=(1, 1, 3, 2)), [0, 1, 2], int)) == [0, 1, 2]
    assert list(CRITERIA["alone"](m, [2], int)) == [2] and list(CRITERIA["eldest-if-tied"](m, [2], int)) == [2]
    assert list(CRITERIA["eldest-if-tied"](m, [2, 1], int)) == [0, 1]
    assert list(CRITERIA["fewest-points"](m, [], int)) == []
    assert AMONG_EQUALS == ("best-placed", "worst-placed", "first-in-play", "eldest-if-tied", "alone")


def test_who_owes_and_who_bears_the_debt() -> None:
    """The eldest is 0; the winner 3; the loser 2, or the eldest himself."""
    at, own = seen(winner=3, loser=2, twin=1), seen(winner=3, loser=0, twin=1)
    assert [DEBTORS["loser"](fact(player=p), at) for p in range(4)] == [False, False, True, False]
    assert [DEBTORS["every-other"](fact(player=p), at) for p in range(4)] == [True, True, True, False]
    assert {w: [bear(fact(player=p), at) for p in (0, 2)] for w, bear in BEARERS.items()} == {
        "none": [(0,), (2,)],
        "own-points-halved": [(2, 0), (2,)],
        "debt-shared": [(0,), (2, 0)],
        "only-equals": [(0,), (2,)],
    }
    assert {w: bear(fact(player=0), own) for w, bear in BEARERS.items()} == {
        "none": (0,),
        "own-points-halved": (0,),
        "debt-shared": (0,),
        "only-equals": (1, 0),
    }
    assert BEARERS["only-equals"](fact(player=0), seen(winner=3, loser=0)) == (0,)
    assert BEARERS["debt-shared"](fact(player=2), seen(winner=0, loser=2)) == (2,)
    assert {w: [owes(fact(player=p), at) for p in (0, 1)] for w, owes in ALSO_OWES.items()} == {
        "none": [False, False],
        "own-points-halved": [True, False],
        "debt-shared": [False, False],
        "only-equals": [False, False],
    }
    assert not ALSO_OWES["own-points-halved"](fact(player=0), seen(winner=0, loser=2))


# ---- the espagnolette, and who deals next
def test_how_an_espagnolette_is_undertaken_and_lost() -> None:
    said = (Announcement("espagnolette", 1),)
    cases = [measures(holder=1), measures(holder=1, renounced=True), measures(holder=1, announced=said)]
    cases += [measures(holder=2, announced=said), measures(holder=1, announced=(Announcement("reversis", 1),))]
    assert {word: [undertaken(m) for m in cases] for word, undertaken in UNDERTAKEN.items()} == {
        "by-renouncing": [False, True, False, False, False],
        "by-renouncing-or-announcing": [False, True, True, False, False],
        "by-holding": [True] * 5,
    }
    m = measures(takers=(1, 0, 0, 0, 0, 0, 0, 0, 2, 3, 3))
    assert [LOST_BY["any-trick"](m, seat, 2) for seat in range(4)] == [True] * 4
    assert [LOST_BY["last-tricks"](m, seat, 2) for seat in range(4)] == [False, False, False, True]
    assert LOST_BY["last-tricks"](m, 2, 3)
    assert LOST_BY["last-tricks"](m, 1, 12)  # more tricks than there are: all of them


def test_who_deals_next() -> None:
    assert [NEXT_DEALER["right-of-dealer"](measures(dealer=d), 2) for d in range(4)] == [1, 2, 3, 0]
    assert NEXT_DEALER["trickless-winner-else-right"](measures(), None) == 0
    assert NEXT_DEALER["trickless-winner-else-right"](measures(), 0) == 0
    assert NEXT_DEALER["trickless-winner-else-right"](measures(), 2) == 2


# ---- faults
RULES = (
    "partie",
    "reversis-made",
    "reversis-stake",
    "reversis-by-quinola",
    "reversis-broken",
    "forced",
    "breaking-quinola",
)
OTHERS = ("thrown-off", "draws-stake", "led", "reversis-made-returned")


def barred(word: str, kind: str = "quinola") -> set[str]:
    return {rule for rule in (*RULES, *OTHERS) if RECEIPTS[word](rule, fact(kind=kind))}


def test_what_a_fault_denies() -> None:
    assert barred("partie") == {"partie"}
    assert barred("reversis") == {"reversis-made", "reversis-stake", "reversis-by-quinola"}
    assert barred("breaking") == {"reversis-broken"}
    assert barred("forcing") == {"forced", "breaking-quinola"} and barred("forcing", "ace") == set()
    assert barred("thrown-quinola") == {"thrown-off", "draws-stake"} and barred("thrown-quinola", "ace") == set()
    assert barred("other-receipts") == {"thrown-off", "led", "reversis-made-returned"}
    assert barred("other-receipts", "ace") == barred("other-receipts") | {"forced", "breaking-quinola"}
    assert BARRED == {"every-receipt": ("partie", "reversis", "breaking", "forcing", "other-receipts"), "nothing": ()}


def test_what_a_fault_in_dealing_does() -> None:
    assert {
        w: [again(Fault("card-turned-up", 0, accepted=yes)) for yes in (False, True)] for w, again in TURNED_UP.items()
    } == {"again-unless-all-agree": [True, False], "always-again": [True, True], "stands": [False, False]}
    times = ("before-discard", "before-lead", "in-play")
    assert {w: [early(Fault("misdeal", 0, noticed=when)) for when in times] for w, early in IN_TIME.items()} == {
        "before-discards": [True, False, False],
        "before-first-lead": [True, True, False],
    }
    assert {
        w: [keeps(Fault("misdeal", 0, redeemed=yes)) for yes in (False, True)] for w, keeps in MISDEAL_COST.items()
    } == {"deal-unless-redeemed": [False, True], "deal": [False, False], "nothing": [True, True]}
    m = measures(talon_due=2)
    assert (TALON_COUNTED["all-there"](m), TALON_COUNTED["as-due"](m)) == ((1, 2, 3, 4), (1, 2))


def test_when_a_heart_may_be_discarded_after_all() -> None:
    quinola = parse_card_name("JH")
    found = {
        (word, which, others)
        for word, may in HEART_EXCEPTION.items()
        for which in (f"{rank}H" for rank in "23456789TJQKA")
        for others in ("", "2H", "AH", "JH", "QH", "KH")
        if others != which
        and may(
            parse_card_name(which),
            quinola,
            [parse_card_name(which) & 15, *(parse_card_name(one) & 15 for one in others.split())],
        )
    }
    courts = ("QH", "KH")
    assert found == {
        *(("lone-king-or-queen", which, "") for which in courts),
        *(("king-or-queen-without-lower", which, others) for which in courts for others in ("", "AH")),
        ("king-or-queen-without-lower", "QH", "KH"),
        ("lone-quinola", "JH", ""),
    }
