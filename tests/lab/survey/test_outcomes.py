"""The edges of the outcome: the last number that a row of rules has room for, ties, silences, and deals side by side.

Few deals, each made for one thing, so that it is quick also where nothing is compiled. What the fast path tells of a
deal is held to the readable engine field by field, and here and there to what was reckoned by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from engine.cards import make_card_mask, parse_card_name
from engine.deal.events import Fact, Measures
from engine.readings.ask import Ask
from engine.settlement.outcome import DealOutcome, find_tied_seats, pick_seat_by_criteria
from lab.survey import buffers as played
from lab.survey.buffers import IntArray
from lab.survey.encode_rules import TRICKS_PER_DEAL, Unsurveyed
from lab.survey.outcomes import batch, encode, layout, ranking, single
from lab.survey.outcomes.layout import CRITERION_NAMES, OUTCOME_FIELD_NAMES
from lab.survey.outcomes.layout import OutcomeRuleColumn as Column
from lab.survey.play_rules import BLOCK
from lab.survey.request import SURVEY_SEATS
from lab.survey.tariff import FEATURE_VALUES, LEFT_OPEN
from rulebook.model import Ruleset
from tests.lab.survey.test_play import ANSWERS, but, lists, number_of, ruled, signed, told_in_words

WORTH = {"A": 4, "K": 3, "Q": 2, "J": 1}
MANNERS = ("led", "followed", "thrown-off", "laid-away")
EVEN = ("AKQJ",) * SURVEY_SEATS  #: nobody has taken more than another
TURNS = "01230123012"  #: by whom the tricks are taken, in turn
TALON = ("AD", "KC", "2S", "7H")
BASE = ruled(
    reversis_undertaken=2,
    reversis_broken_breaker="first",
    reversis_stake="draws",
    espagnolette_hands=(),
    espagnolette_undertaken="by-renouncing",
    espagnolette_lost__by="last-tricks",
    espagnolette_until=2,
    espagnolette_third__breaks="stands",
    espagnolette_lost_partie="natural-order",
    espagnolette_kept__trick="natural-order",
    espagnolette_won_partie="wins",
    partie_in__reversis="settled-by-the-others",
    partie_place="dealer-last-leftwards",
    partie_winner=("fewest-points",),
    partie_loser=("most-points",),
    stake_by__tricks=("most-tricks",),
    stake_tied="one",
    quinola_thrown__off_stake="draws",
    talon_bonus=4,
    talon_special__cards={"AD": 7},
    cards_points=WORTH,
)

OTHER = but(
    BASE,
    reversis_undertaken=0,
    reversis_broken_breaker="each",
    reversis_stake="nothing",
    espagnolette_undertaken="by-holding",
    espagnolette_lost__by="any-trick",
    espagnolette_third__breaks="annulled",
    espagnolette_lost_partie="he-pays-the-natural-winner",
    espagnolette_kept__trick="wins",
    espagnolette_won_partie="natural-order",
    partie_winner=("fewest-tricks", "alone"),
    partie_loser=("fewest-marking-cards", "best-placed"),
    stake_by__tricks=(),
    stake_tied="shared",
    quinola_thrown__off_stake="nothing",
    talon_special__cards={},
)


def row_with(**answers: object) -> IntArray:
    """The row of the rules above with other answers."""
    return encode.encode_outcome_rules(but(BASE, **answers))


# ---- deals made by hand
@dataclass(frozen=True)
class Dealt:
    """A deal as either path wants it."""

    measures: Measures
    taken: int
    told: int
    quinola: int


def dealt(
    takers: str = TURNS,
    cards: Sequence[str] = EVEN,
    holder: int | None = None,
    manner: str = "followed",
    talon: Sequence[str] = TALON,
) -> Dealt:
    """Who took which trick, the ranks that each seat has taken, who renounced as the espagnolette, and the rest."""
    by, taken = [*map(int, takers)], 0
    for seat, ranks in enumerate(cards):
        bits = sum(ranks.count(rank) << 3 * at for at, rank in enumerate(WORTH))
        taken |= (bits | by.count(seat) << played.TRICKS_TAKEN) << 16 * seat
    measures = Measures(
        SURVEY_SEATS,
        SURVEY_SEATS - 1,
        0,
        TRICKS_PER_DEAL,
        tuple(by),
        tuple(sum(WORTH[rank] for rank in ranks) for ranks in cards),
        tuple(map(by.count, range(SURVEY_SEATS))),
        tuple(map(len, cards)),
        tuple(len(ranks) - ranks.count("J") for ranks in cards),
        tuple(map(parse_card_name, talon)),
        holder=holder,
        renounced=holder is not None,
        quinola=Fact("quinola", SURVEY_SEATS, SURVEY_SEATS - 1, 0, TRICKS_PER_DEAL, manner=manner, player=0),
        talon_due=len(talon),
    )
    told = 0 if holder is None else holder + 1 << played.HOLDER | 1 << played.RENOUNCED
    return Dealt(measures, signed(taken), told, MANNERS.index(manner) << played.MANNER)


def row_of(deals: Sequence[Dealt]) -> tuple[IntArray, ...]:
    """Several deals as the fast path has them: facts, taken, takers, talon, told."""
    facts = np.zeros((5, len(deals)), np.int64)
    facts[4] = [one.quinola for one in deals]
    takers = [sum(taker << 2 * at for at, taker in enumerate(one.measures.takers)) for one in deals]
    talons = [signed(make_card_mask(one.measures.talon)) for one in deals]
    rows = ([one.taken for one in deals], takers, talons, [one.told for one in deals])
    return facts, *(np.array(row, np.int64) for row in rows)


def expected(ruleset: Ruleset, deal: Dealt) -> list[int]:
    outcome = DealOutcome(deal.measures, Ask(ruleset))
    return [number_of(name, outcome, ruleset) for name in OUTCOME_FIELD_NAMES]


def told(ruleset: Ruleset, deal: Dealt) -> dict[str, object]:
    """What both paths tell of a deal, by the names of the fields; they have to agree in all of them."""
    (counts, f), fields = single.make_work_room(), np.zeros((1, 13), np.int64)
    points = np.zeros((1, SURVEY_SEATS), np.int64)
    single.compute_outcome(encode.encode_outcome_rules(ruleset), row_of([deal]), 0, counts, f, fields, points)
    assert fields[0].tolist() == expected(ruleset, deal), dict(zip(OUTCOME_FIELD_NAMES, fields[0], strict=True))
    assert points[0].tolist() == [*deal.measures.points]
    return {name: FEATURE_VALUES[name][int(at)] for name, at in zip(OUTCOME_FIELD_NAMES, fields[0], strict=True)}


def counts_of(row: IntArray, deal: Dealt) -> IntArray:
    counts, _ = single.make_work_room()
    single.count_tricks(row, deal.taken, counts)
    return counts


def best_of(deal: Dealt, *criteria: str, among: int = 15, **answers: object) -> int:
    """One more than the seat that the fast path finds best by a list; 0 for nobody."""
    row = row_with(partie_winner=criteria, **answers)
    return int(ranking.best_seat(row, Column.WINNERS, among, counts_of(row, deal)))


# ---- a ruleset as a row of numbers
def test_a_row_has_minus_one_wherever_the_rules_are_silent() -> None:
    silent = {
        Column.LAST_FREE: "reversis_undertaken",
        Column.BREAKER: "reversis_broken_breaker",
        Column.NEVER: "reversis_stake",
        Column.UNTIL: "espagnolette_until",
        Column.PLACE: "partie_place",
        Column.SHARED: "stake_tied",
        Column.DRAWS: "quinola_thrown__off_stake",
        Column.BONUS: "talon_bonus",
    }
    row = encode.encode_outcome_rules(but(BASE, **dict.fromkeys(silent.values())))
    for at, question in silent.items():
        assert row[at] == -1 != row_with()[at], question
    assert row_with(talon_special__cards=None)[Column.BONUS] == -1
    assert row[Column.WINNERS] == CRITERION_NAMES.index("fewest-points") and row[Column.WINNERS + 1] == -1


def test_a_row_says_whether_a_reversis_ever_draws_the_stake() -> None:
    readings = ("own-quinola-early", "draws", "nothing")
    assert [row_with(reversis_stake=how)[Column.NEVER] for how in readings] == [0, 0, 1]


def test_a_row_says_what_every_card_is_worth() -> None:
    """The special cards by their own value; a rank that counts nothing, and a number that is no card, are worth 0."""
    row = row_with(cards_points={"A": 4, "Q": 2})
    assert row[[Column.ACE, Column.KING, Column.QUEEN, Column.KNAVE]].tolist() == [4, 0, 2, 0]
    worth = {16 * suit + rank: value for suit, (rank, value) in product(range(4), ((12, 4), (10, 2)))}
    worth[parse_card_name("AD")] = 7
    assert row[Column.VALUES :].tolist() == [worth.get(number, 0) for number in range(64)]


def test_a_row_says_of_each_list_by_itself_whether_it_only_looks_for_the_least() -> None:
    names = ("partie_winner", "partie_loser", "stake_by__tricks")
    for plain in product((True, False), repeat=3):
        given = {name: ("most-points",) if one else ("alone",) for name, one in zip(names, plain, strict=True)}
        assert row_with(**given)[Column.PLAIN : Column.VALUES].tolist() == [*map(int, plain)]


def test_a_list_that_asks_for_no_place_needs_none() -> None:
    assert encode.looks_for_least_only(("fewest-points",), -1) and not encode.looks_for_least_only(("best-placed",), -1)
    assert encode.looks_for_least_only(("fewest-points", "worst-placed"), 0) and not encode.looks_for_least_only((), 0)


@pytest.mark.parametrize(
    "answers",
    [
        {"reversis_undertaken": 10},
        {"talon_bonus": 63, "talon_special__cards": None},
        {"talon_bonus": 25, "talon_special__cards": {}},  # all cards together, which no talon holds, would be too much
        {"talon_bonus": 45, "talon_special__cards": {}},  # and so would the five best
        {"cards_points": {"A": 4, "K": 0}},
        {"cards_points": {}},
        {"partie_winner": ("fewest-points",) * 7},
    ],
    ids=str,
)
def test_what_just_finds_room_is_not_refused(answers: dict[str, object]) -> None:
    assert len(row_with(**answers)) == layout.OUTCOME_RULES_WIDTH


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"talon_bonus": 64, "talon_special__cards": None}, "talon.bonus is 64, and no survey goes beyond 63"),
        ({"talon_bonus": -1}, "talon.bonus is -1, and"),
        ({"reversis_undertaken": 11}, "reversis.undertaken is 11, and no survey goes beyond 10"),
        ({"partie_winner": ("fewest-points",) * 8}, "partie.winner is a list of more than 7 criteria"),
        ({"talon_bonus": 48, "talon_special__cards": {}}, "a talon may be worth more than 63"),
        ({"talon_special__cards": {"2S": -1}}, "or a card less than nothing"),
        ({"cards_points": {"A": -1}, "talon_special__cards": None}, "or one less than nothing"),
    ],
    ids=str,
)
def test_what_just_finds_no_room_is_refused_with_a_reason(answers: dict[str, object], reason: str) -> None:
    with pytest.raises(Unsurveyed, match=reason):
        row_with(**answers)


@pytest.mark.parametrize(
    ("answers", "quick"),
    [
        ({}, True),
        ({"partie_winner": ("alone",)}, False),
        ({"partie_loser": ("alone",)}, False),
        ({"reversis_undertaken": None}, False),
        ({"reversis_undertaken": 0}, True),
        ({"stake_tied": "shared"}, False),
        ({"stake_tied": None}, False),
        ({"stake_by__tricks": ("fewest-points",)}, True),
        ({"stake_by__tricks": ("fewest-points", "alone")}, False),
        ({"stake_by__tricks": ("fewest-points",), "stake_tied": "shared"}, False),
        ({"stake_by__tricks": (), "stake_tied": "shared"}, True),
    ],
    ids=str,
)
def test_lists_are_gone_through_side_by_side_only_where_that_tells_the_best(
    answers: dict[str, object], quick: bool
) -> None:
    assert bool(batch.can_go_side_by_side(row_with(**answers))) == quick


# ---- who is best
@pytest.mark.slow
@pytest.mark.parametrize("question", ["partie.winner", "partie.loser", "stake.by-tricks"])
@pytest.mark.parametrize("special", [{}, {"3S": 1, "4S": 1, "5S": 1}, None], ids=str)
def test_each_list_is_gone_through_in_its_own_way(question: str, special: dict[str, int] | None) -> None:
    """Whatever the other lists are like, and whatever the cards are worth that stand behind them in the row."""
    at = {question: at for at, question in encode.CRITERIA_QUESTIONS.items()}[question]
    slug, deal = question.replace(".", "_").replace("-", "__"), dealt(cards=("A", "J", "J", "KQ"))
    for other, criteria in product((("alone",), ("most-points",)), (("fewest-points", "alone"), ("most-tricks",), ())):
        answers: dict[str, object] = dict.fromkeys(("partie_winner", "partie_loser", "stake_by__tricks"), other)
        ruleset = but(BASE, **{**answers, slug: criteria, "talon_special__cards": special})
        row = encode.encode_outcome_rules(ruleset)
        for seats in range(1, 1 << SURVEY_SEATS):
            among = [seat for seat in range(SURVEY_SEATS) if seats >> seat & 1]
            best = pick_seat_by_criteria(deal.measures, among, Ask(ruleset), question)
            assert ranking.best_seat(row, at, seats, counts_of(row, deal)) == (0 if best is None else best + 1), seats


@pytest.mark.slow
def test_lists_of_every_length_leave_whom_the_readable_path_leaves() -> None:
    rng, names = Random(21), ("A", "K", "Q", "J")
    for criteria in lists(rng, 60):
        ruleset = but(BASE, partie_winner=criteria, partie_place=rng.choice(layout.PLACE_READINGS))
        row, ask = encode.encode_outcome_rules(ruleset), Ask(ruleset)
        for _ in range(3):
            owners = [rng.choice(range(SURVEY_SEATS)) for _ in range(16)]
            cards = [
                "".join(names[at % 4] for at, owner in enumerate(owners) if owner == s) for s in range(SURVEY_SEATS)
            ]
            deal = dealt("".join(rng.choice("0123"[: rng.randint(1, 4)]) for _ in range(TRICKS_PER_DEAL)), cards)
            counts = counts_of(row, deal)
            for seats in (15, rng.randint(1, 14)):
                among = [seat for seat in range(SURVEY_SEATS) if seats >> seat & 1]
                best = pick_seat_by_criteria(deal.measures, among, ask, "partie.winner")
                assert ranking.best_seat(row, Column.WINNERS, seats, counts) == (0 if best is None else best + 1), (
                    criteria
                )
            assert ranking.equal_seats(row, Column.WINNERS, counts) == make_card_mask(
                find_tied_seats(deal.measures, ask, "partie.winner")
            )


@pytest.mark.parametrize(
    ("criteria", "best"),
    [
        (("most-tricks",), 1),
        (("trickless-first",), 2),
        (("rather-without-court",), 3),
        (("trickless-first", "rather-without-court"), 2),
        (("only-without-court",), 3),
        (("fewest-points",), 3),
        (("fewest-tricks", "most-points"), 2),
        (("most-points", "fewest-tricks"), 1),
    ],
    ids=str,
)
def test_the_best_of_four_by_a_list_reckoned_by_hand(criteria: tuple[str, ...], best: int) -> None:
    """Seat 2 takes no trick, as he says, and a king is put down to him; seat 3 takes a trick without any court card."""
    deal, ask = dealt("00111111113", ("K", "AAAAKQQQQJJJ", "K", "J")), Ask(but(BASE, partie_winner=criteria))
    assert best_of(deal, *criteria) == best + 1
    assert pick_seat_by_criteria(deal.measures, range(SURVEY_SEATS), ask, "partie.winner") == best


def test_an_earlier_criterion_outweighs_all_that_come_later() -> None:
    """One trick less is better than all the points there are."""
    deal, criteria = dealt("12222222222", ("", "AAAAKKKKQQQQJJJJ", "", "")), ("fewest-tricks", "most-points")
    assert row_with(partie_winner=criteria)[Column.PLAIN] and best_of(deal, *criteria, among=0b0111) == 1


def test_nobody_is_best_of_nobody_and_of_a_silence_it_cannot_be_said() -> None:
    assert [best_of(dealt(), *criteria, among=0) for criteria in (("fewest-points",), ("alone",), ())] == [0, 0, 0]
    assert best_of(dealt(), "fewest-points", "best-placed", partie_place=None) == -1


def test_where_an_earlier_criterion_is_equal_the_later_decides() -> None:
    """And nothing of it spills over into the earlier: no points at all, no trick at all."""
    deal = dealt("01111111111", ("", "AAAAKKKKQQQQJJJJ", "", ""))
    assert best_of(deal, "fewest-tricks", "most-points", among=0b0111) == 3
    assert best_of(deal, "fewest-points", "most-tricks", among=0b0111) == 1
    assert best_of(dealt("11111111111", ("J", "", "", "")), *("fewest-points",) * 7) == 2
    assert best_of(dealt("11111111111", ("", "K", "", "")), "rather-without-court", "most-tricks") == 1


# ---- every answer
def endings() -> list[Dealt]:
    """Reversis made, missed and broken, early and late, by one and by two; espagnolettes with a trick and without."""
    found = list[Dealt]()
    for hero, breaker, third in ((0, 1, 2), (3, 2, 0)):
        for last in ("", "b", "bh", "hb", "bt", "tb", "bhb", "tbt", "bhh", "bhbt", "tthhb", "bbbbbbbbbb"):
            after = last.translate({ord("h"): str(hero), ord("b"): str(breaker), ord("t"): str(third)})
            takers = str(hero) * (TRICKS_PER_DEAL - len(after)) + after
            for holder in (None, hero, third):
                found.append(dealt(takers, holder=holder, manner="thrown-off" if hero else "led"))
    for holder in range(SURVEY_SEATS):
        others = "".join(str(seat) for seat in range(SURVEY_SEATS) if seat != holder) * 4
        for trick in (None, 0, 1, 8, 9, 10):  # the one that the holder takes
            takers = (
                others[:TRICKS_PER_DEAL]
                if trick is None
                else f"{others[:trick]}{holder}{others[trick : TRICKS_PER_DEAL - 1]}"
            )
            cards = ["" if seat == (holder + 1) % SURVEY_SEATS else "AK" for seat in range(SURVEY_SEATS)]
            found.append(dealt(takers, cards, holder))
            found.append(replace(found[-1], measures=replace(found[-1].measures, renounced=False), told=holder + 1))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("question", [one for one in ANSWERS if one != "espagnolette.hands"])
def test_every_answer_to_every_question_is_heeded_in_every_ending(question: str) -> None:
    slug, deals = question.replace("-", "__").replace(".", "_"), endings()
    (counts, f), into, points = single.make_work_room(), row_of(deals), np.zeros((len(deals), SURVEY_SEATS), np.int64)
    for given, at in product((BASE, OTHER), range(len(ANSWERS[question]))):
        ruleset, fields = but(given, **{slug: ANSWERS[question][at]}), np.full((len(deals), 13), 77, np.int64)
        row = encode.encode_outcome_rules(ruleset)
        for number, deal in enumerate(deals):
            single.compute_outcome(row, into, number, counts, f, fields, points)
            found = dict(zip(OUTCOME_FIELD_NAMES, fields[number].tolist(), strict=True))
            theirs = dict(zip(OUTCOME_FIELD_NAMES, expected(ruleset, deal), strict=True))
            if told_in_words(theirs, ruleset, deal.measures):
                assert found == theirs, (ANSWERS[question][at], deal)
        assert points.tolist() == [[*deal.measures.points] for deal in deals]


def test_an_espagnolette_beside_a_reversis_is_left_open_where_nothing_says_what_loses_it() -> None:
    deal, (counts, f) = dealt("0" * 10 + "1", holder=2), single.make_work_room()
    for answer in ("espagnolette_lost__by", "espagnolette_until"):
        fields, points = np.zeros((1, 13), np.int64), np.zeros((1, SURVEY_SEATS), np.int64)
        row = row_with(**{answer: None})
        single.compute_outcome(row, row_of([deal]), 0, counts, f, fields, points)
        assert FEATURE_VALUES["espagnolette"][int(fields[0, layout.ESPAGNOLETTE_FIELD])] is LEFT_OPEN


def test_where_nothing_says_what_a_reversis_is_all_is_left_open_but_the_talon() -> None:
    row, (counts, f) = row_with(reversis_undertaken=None), single.make_work_room()
    deals = [dealt(), dealt("0" * 11), dealt("1" * 10 + "2", holder=3)]
    fields, points = np.zeros((len(deals), 13), np.int64), np.zeros((len(deals), SURVEY_SEATS), np.int64)
    for at in range(len(deals)):
        single.compute_outcome(row, row_of(deals), at, counts, f, fields, points)
        told_open = {
            name
            for name, n in zip(OUTCOME_FIELD_NAMES, fields[at], strict=True)
            if FEATURE_VALUES[name][int(n)] is LEFT_OPEN
        }
        assert told_open == {*OUTCOME_FIELD_NAMES} - {"talon_value"} and fields[at, layout.TALON_FIELD] == 4 + 7 + 3


def test_where_places_are_not_spoken_of_a_list_that_asks_for_them_leaves_its_field_open() -> None:
    for answer, names in (
        ("partie_winner", ("winner", "loser", "twin")),
        ("partie_loser", ("loser", "twin")),
        ("stake_by__tricks", ("stake_winners", "stake_won")),
    ):
        for criteria in (("best-placed",), ("fewest-points", "worst-placed")):
            found = told(but(BASE, partie_place=None, **{answer: criteria}), dealt())
            assert {name for name in OUTCOME_FIELD_NAMES if found[name] is LEFT_OPEN} == {*names}


# ---- the partie
def test_a_twin_has_as_many_points_as_the_loser_and_is_neither_loser_nor_winner() -> None:
    for winner in range(SURVEY_SEATS):  # all have as many points, and the winner the fewest tricks
        takers = "".join(one for one in "0123" * 3 if one != str(winner)) + "00"
        ruleset = but(BASE, partie_winner=("fewest-tricks",), partie_loser=("most-points",))
        found = told(ruleset, dealt(takers))
        loser, twin = [seat for seat in range(SURVEY_SEATS) if seat != winner][:2]
        assert (found["winner"], found["loser"], found["twin"]) == (winner, loser, twin)
    for one, other in combinations(range(SURVEY_SEATS), 2):  # two have the most points, and share them
        cards = ["AAK" if seat in (one, other) else "J" * (seat + 1) for seat in range(SURVEY_SEATS)]
        for place in layout.PLACE_READINGS:
            ruleset = but(BASE, partie_loser=("most-points", "worst-placed"), partie_place=place)
            found = told(ruleset, dealt(cards=cards))
            assert {found["loser"], found["twin"]} == {one, other}
    assert told(BASE, dealt(cards=("A", "AA", "AKQ", "KJ")))["twin"] is None


def test_the_winner_is_never_the_loser() -> None:
    for seats in product(("A", "K"), repeat=SURVEY_SEATS):
        found = told(but(BASE, partie_winner=("most-points",)), dealt(cards=seats))
        assert found["winner"] != found["loser"]


def test_where_a_list_leaves_nobody_nobody_wins_and_nobody_loses() -> None:
    found = told(but(BASE, partie_winner=("nobody",)), dealt())
    assert (found["winner"], found["loser"], found["twin"]) == (None, None, None)
    found = told(but(BASE, partie_loser=("nobody",)), dealt())
    assert (found["winner"], found["loser"], found["twin"]) == (0, None, None)


@pytest.mark.parametrize("hero", range(SURVEY_SEATS))
def test_who_plays_for_the_reversis_neither_wins_nor_loses_the_partie(hero: int) -> None:
    cards = ["AAAAKKKKQQQQ" if seat == hero else "J" for seat in range(SURVEY_SEATS)]
    for last in range(SURVEY_SEATS):
        found = told(BASE, dealt(f"{hero}" * 10 + f"{last}", cards))
        assert (found["hero"], found["made"]) == (hero, last == hero)
        assert found["winner"] != hero != found["loser"] and None not in (found["winner"], found["loser"])
        unsettled = told(but(BASE, partie_in__reversis="not-settled"), dealt(f"{hero}" * 10 + f"{last}", cards))
        assert (unsettled["winner"], unsettled["loser"]) == (None, None)


@pytest.mark.parametrize(("hero", "breaker", "holder"), [(0, 1, 2), (1, 3, 0), (2, 0, 3), (3, 2, 1)])
def test_beside_a_kept_espagnolette_the_broken_reversis_may_lose_the_partie(
    hero: int, breaker: int, holder: int
) -> None:
    """He whose espagnolette stands wins it; where it is annulled, he who tried the reversis is out of the question."""
    cards = ["AAAAKKKKQQQQ" if seat == hero else "J" for seat in range(SURVEY_SEATS)]
    deal = dealt(f"{hero}" * 10 + f"{breaker}", cards, holder)
    found = told(BASE, deal)
    assert (found["kept"], found["winner"], found["loser"]) == (holder, holder, hero)
    found = told(but(BASE, espagnolette_third__breaks="annulled"), deal)
    assert found["kept"] is None and found["loser"] not in (hero, None)
    found = told(but(BASE, espagnolette_third__breaks=None), deal)
    assert (found["kept"], found["winner"], found["loser"]) == (LEFT_OPEN, LEFT_OPEN, LEFT_OPEN)


@pytest.mark.parametrize("holder", range(SURVEY_SEATS))
def test_a_lost_espagnolette_pays_or_the_partie_goes_its_natural_way(holder: int) -> None:
    cards = ["" if seat == holder else "AKQJ"[: seat + 1] for seat in range(SURVEY_SEATS)]
    deal = dealt(TURNS[:9] + f"{holder}" * 2, cards, holder)
    natural = told(BASE, deal)
    assert natural["espagnolette_lost"] is True and natural["winner"] == holder
    assert natural["loser"] == max(seat for seat in range(SURVEY_SEATS) if seat != holder)
    pays = told(but(BASE, espagnolette_lost_partie="he-pays-the-natural-winner"), deal)
    assert pays["loser"] == holder and pays["winner"] == min(seat for seat in range(SURVEY_SEATS) if seat != holder)
    silent = told(but(BASE, espagnolette_lost_partie=None), deal)
    assert (silent["winner"], silent["loser"]) == (LEFT_OPEN, LEFT_OPEN)


def test_what_undertakes_or_loses_an_espagnolette_left_unsaid_leaves_the_partie_open() -> None:
    silent = but(BASE, espagnolette_undertaken=None)
    for deal in (dealt(holder=1), dealt("00112233000", holder=2)):
        found = told(silent, deal)
        assert {found[name] for name in ("espagnolette", "espagnolette_lost", "winner", "loser", "twin")} == {LEFT_OPEN}
    for answer in ("espagnolette_lost__by", "espagnolette_until"):
        found = told(but(BASE, **{answer: None}), dealt(holder=1))
        assert found["espagnolette"] == 1
        assert {found[name] for name in ("espagnolette_lost", "winner", "loser", "twin")} == {LEFT_OPEN}


def test_a_reversis_that_is_made_settles_the_winner_whatever_is_unsaid_of_the_espagnolette() -> None:
    """But who loses to him cannot be said, since a lost espagnolette might pay."""
    deal, silent = dealt("0" * 11, ("AAAA", "K", "Q", "J"), holder=2), but(BASE, espagnolette_undertaken=None)
    found = told(silent, deal)
    assert (found["kept"], found["winner"], found["loser"], found["twin"]) == (None, 3, LEFT_OPEN, LEFT_OPEN)
    found = told(but(silent, partie_in__reversis="not-settled"), deal)
    assert (found["winner"], found["loser"]) == (None, None)


# ---- the stake
@pytest.mark.parametrize("tied_", ["one", "shared", None])
@pytest.mark.parametrize("draws", ["draws", "nothing", None])
@pytest.mark.parametrize("manner", MANNERS)
def test_the_stake_goes_by_tricks_unless_a_quinola_thrown_off_draws_it(
    manner: str, draws: str | None, tied_: str | None
) -> None:
    ruleset = but(BASE, quinola_thrown__off_stake=draws, stake_tied=tied_)
    clear, equal = told(ruleset, dealt("01110123012", manner=manner)), told(ruleset, dealt(TURNS, manner=manner))
    if manner == "thrown-off" and draws != "nothing":
        both = ((), True) if draws else (LEFT_OPEN, LEFT_OPEN)
        assert (clear["stake_winners"], clear["stake_won"]) == (equal["stake_winners"], equal["stake_won"]) == both
        return
    assert (clear["stake_winners"], clear["stake_won"]) == ((1,), True)
    won = {"one": (0,), "shared": (0, 1, 2), None: LEFT_OPEN}[tied_]
    assert (equal["stake_winners"], equal["stake_won"]) == (won, LEFT_OPEN if won is LEFT_OPEN else True)


def test_where_a_list_leaves_nobody_the_stake_is_not_won_by_tricks() -> None:
    for criteria in (("nobody",), ()):
        found = told(but(BASE, stake_by__tricks=criteria, quinola_thrown__off_stake="nothing"), dealt())
        assert (found["stake_winners"], found["stake_won"]) == ((), False)
    found = told(but(BASE, stake_by__tricks=("fewest-points",)), dealt(cards=("AA", "A", "A", "A")))
    assert (found["stake_winners"], found["stake_won"]) == ((1,), True)


def test_a_reversis_draws_the_stake_or_never_does() -> None:
    for how, won in (("draws", True), ("own-quinola-early", True), ("nothing", False), (None, LEFT_OPEN)):
        assert told(but(BASE, reversis_stake=how), dealt("2" * 11))["stake_won"] is won
        assert told(but(BASE, reversis_stake=how), dealt("2" * 10 + "1"))["stake_won"] is False


# ---- many side by side
@pytest.mark.parametrize(
    ("takers", "last_free", "usual"),
    [
        (TURNS, 2, True),
        ("00000000011", 2, False),
        ("00000000100", 2, True),
        ("33333333033", 2, True),
        ("00000001000", 2, True),
        ("22222222222", 0, False),
        ("22222222221", 0, True),
        ("01230123012", 10, False),
        ("32132132132", 10, False),
    ],
)
def test_a_deal_is_usual_unless_one_player_takes_all_but_the_last_tricks(
    takers: str, last_free: int, usual: bool
) -> None:
    row = row_with(reversis_undertaken=last_free)
    _, _, by, _, _ = row_of([dealt(takers)])
    assert bool(batch.is_usual(row, by[0], 0, 0)) == usual


def test_a_deal_is_usual_unless_somebody_is_privileged_or_a_quinola_thrown_off_is_not_spoken_of() -> None:
    facts, _, by, _, _ = row_of([dealt(manner=manner) for manner in MANNERS])
    for draws in ("draws", "nothing", None):
        row = row_with(quinola_thrown__off_stake=draws)
        for at, manner in enumerate(MANNERS):
            usual = draws is not None or manner != "thrown-off"
            assert bool(batch.is_usual(row, by[at], 0, facts[4, at])) == usual, (draws, manner)
            assert bool(batch.is_usual(row, by[at], 1 << played.FORBIDDEN, facts[4, at])) == usual
            for holder in range(1, SURVEY_SEATS + 1):
                assert not batch.is_usual(row, by[at], holder << played.HOLDER, facts[4, at])


def rows_of_four() -> list[Dealt]:
    """Deals with many equals, with every manner of the quinola; a reversis and an espagnolette among them."""
    rng, found = Random(13), list[Dealt]()
    for cards, manner in product(product(("A", "K"), repeat=SURVEY_SEATS), ("followed", "thrown-off")):
        takers = "".join(rng.choice("0123") for _ in range(TRICKS_PER_DEAL))
        found.append(dealt(takers, cards, manner=manner, talon=rng.sample(("AS", "AD", "KC", "QH", "JH", "7D"), 4)))
    found += [dealt("1" * 11), dealt("3" * 10 + "0", holder=2), dealt(holder=1, manner="thrown-off"), dealt()]
    found += [dealt("00111111112"), dealt("23333333312", ("JJJJ", "AK", "AQ", "A"))]
    found += [dealt("21212121212", manner="laid-away"), dealt("13131313130", manner="led")]
    while len(found) % BLOCK:
        found.append(found[rng.randrange(40)])
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"quinola_thrown__off_stake": "nothing"},
        {"quinola_thrown__off_stake": None},
        {"partie_winner": ("only-without-court",)},
        {"partie_loser": ("only-without-court",)},
        {"stake_by__tricks": ("only-without-court",)},
        {"partie_winner": ("most-points",), "partie_loser": ("most-points",)},
        {"stake_by__tricks": (), "talon_special__cards": None},
        {"talon_bonus": 0},
        {"stake_by__tricks": ("fewest-points",)},
        {"partie_winner": ("trickless-first", "rather-without-court", "worst-placed")},
        {"partie_loser": ("fewest-marking-cards", "fewest-tricks"), "partie_place": None},
        {"stake_by__tricks": ("fewest-tricks", "best-placed"), "reversis_undertaken": 0},
        {"stake_tied": "shared"},
    ],
    ids=str,
)
def test_many_deals_side_by_side_are_told_as_the_readable_path_tells_each(answers: dict[str, object]) -> None:
    ruleset, deals = but(BASE, **answers), rows_of_four()
    fields, points = np.full((len(deals), 13), 7, np.int64), np.zeros((len(deals), SURVEY_SEATS), np.int64)
    batch.compute_outcomes(encode.encode_outcome_rules(ruleset), row_of(deals), fields, points)
    for at, deal in enumerate(deals[:40]):
        assert fields[at].tolist() == expected(ruleset, deal), (at, deal)
        assert points[at].tolist() == [*deal.measures.points]


def shared_by_lot(rng: Random) -> Dealt:
    """Cards and tricks by lot; now and then one player has all four of a rank, and all tricks but a few."""
    cards = [""] * SURVEY_SEATS
    for rank in WORTH:
        among = rng.sample(range(SURVEY_SEATS), rng.randint(1, SURVEY_SEATS))
        for _ in range(4):
            cards[rng.choice(among)] += rank
    return dealt("".join(rng.choice("0123"[rng.randint(0, 3) :]) for _ in range(TRICKS_PER_DEAL)), cards)


def test_what_is_counted_side_by_side_is_what_is_counted_of_each() -> None:
    rng, row = Random(33), row_with()
    v = np.zeros((layout.COUNT_COLUMNS, SURVEY_SEATS, BLOCK), np.int64)
    for _ in range(8):
        deals = [shared_by_lot(rng) for _ in range(BLOCK)]
        batch.count_block(row, np.array([deal.taken for deal in deals], np.int64), v)
        for lane, deal in enumerate(deals):
            counts, m = counts_of(row, deal), deal.measures
            assert v[: layout.BEST_FIRST, :, lane].T.tolist() == counts[:, : layout.BEST_FIRST].tolist(), deal
            columns = layout.POINTS_TAKEN, layout.TRICKS_, layout.MARKING, layout.COURT_
            assert [(*v[column, :, lane],) for column in columns] == [m.points, m.tricks, m.marking, m.court]
            assert [(*v[column, :, lane],) for column in (layout.FEW_POINTS, layout.FEW_TRICKS)] == [
                tuple(63 - n for n in m.points),
                tuple(63 - n for n in m.tricks),
            ]


@pytest.mark.release
@pytest.mark.parametrize(
    "criteria",
    [
        ("fewest-tricks", "most-points"),
        ("fewest-marking-cards", "most-tricks", "best-placed"),
        ("only-without-court",),
        ("only-without-court", "most-points"),
        ("trickless-first", "most-points"),
    ],
    ids=str,
)
def test_the_best_side_by_side_is_the_best_of_each(criteria: tuple[str, ...]) -> None:
    """Among them those who must not be chosen, and deals in which a list leaves nobody."""
    rng, ruleset = Random(34), but(BASE, partie_winner=criteria)
    row, (counts, _) = encode.encode_outcome_rules(ruleset), single.make_work_room()
    v, key = np.zeros((layout.COUNT_COLUMNS, SURVEY_SEATS, BLOCK), np.int64), np.zeros((SURVEY_SEATS, BLOCK), np.int64)
    v[:, :, :] = counts.T[:, :, None]
    first = [dealt("12222222222", ("", "AAAAKKKKQQQQJJJJ", "", "")), dealt("11111111111", ("K", "K", "K", "J"))]
    for _ in range(6):
        deals = [*first, *(shared_by_lot(rng) for _ in range(BLOCK - 2))]
        out, found = np.array([rng.randrange(SURVEY_SEATS + 1) for _ in deals], np.int64), np.zeros(BLOCK, np.int64)
        out[0] = SURVEY_SEATS
        batch.count_block(row, np.array([deal.taken for deal in deals], np.int64), v)
        batch.best_of_block(row, Column.WINNERS, v, key, out, found)
        for lane, deal in enumerate(deals):
            among = [seat for seat in range(SURVEY_SEATS) if seat + 1 != out[lane]]
            best = pick_seat_by_criteria(deal.measures, among, Ask(ruleset), "partie.winner")
            assert found[lane] == (0 if best is None else best + 1), (deal, out[lane])


def test_twins_side_by_side_are_neither_winners_nor_losers() -> None:
    """Every winner, every loser, and every way to have as many points or not."""
    cases = [
        (winner, loser, equals)
        for winner, loser, equals in product(range(1, 5), range(1, 5), range(16))
        if winner != loser and equals >> loser - 1 & 1
    ]
    cases += cases[: -len(cases) % BLOCK]
    for at in range(0, len(cases), BLOCK):
        block = cases[at : at + BLOCK]
        v, twin = np.zeros((layout.COUNT_COLUMNS, SURVEY_SEATS, BLOCK), np.int64), np.full(BLOCK, 9, np.int64)
        for lane, (_, _, equals) in enumerate(block):
            v[layout.POINTS_TAKEN, :, lane] = [20 if equals >> seat & 1 else seat for seat in range(SURVEY_SEATS)]
        winner, loser = (np.array([one[which] for one in block], np.int64) for which in range(2))
        batch.twins_of_block(v, winner, loser, twin)
        for lane, (won, lost, equals) in enumerate(block):
            others = (seat for seat in range(1, 5) if equals >> seat - 1 & 1 and seat not in (won, lost))
            assert twin[lane] == next(others, 0), block[lane]


def test_every_card_is_worth_the_same_in_a_talon_side_by_side() -> None:
    row, value = row_with(), np.zeros(BLOCK, np.int64)
    pack = [number for number in range(64) if number & 15 < 13]
    for number in pack:
        rank = {12: 4, 11: 3, 10: 2, 9: 1}.get(number & 15, 0)
        worth = 7 if number == parse_card_name("AD") else rank
        batch.talons_of_block(row, np.array([signed(1 << number)] + [0] * (BLOCK - 1), np.int64), value)
        assert value[:2].tolist() == [4 + worth, 4], number
    batch.talons_of_block(row_with(talon_bonus=None), np.zeros(BLOCK, np.int64), value)
    assert {*value.tolist()} == {len(FEATURE_VALUES["talon_value"]) - 1}


def test_of_a_forbidden_deal_nothing_is_told() -> None:
    deal = dealt()
    for answers in ({"partie_winner": ("alone",)}, {}):
        row, into = row_with(**answers), row_of([deal] * BLOCK)
        into[4][:] |= 1 << played.FORBIDDEN
        counts, f = single.make_work_room()
        fields, points = np.full((BLOCK, 13), 77, np.int64), np.full((BLOCK, SURVEY_SEATS), 77, np.int64)
        single.compute_outcome(row, into, 1, counts, f, fields, points)
        assert {*fields.flat, *points.flat} == {77}
