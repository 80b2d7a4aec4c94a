"""The edges of pricing: trees made by hand, a few deals, and what each of them must come to.

What is looked up whole must tell apart all that a rule may read, and must be kept only where it is known for certain.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError, dataclass, field
from itertools import product
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
import pytest

from engine.deal.pool import Pool
from engine.settlement.ledger import Money, Posting
from engine.settlement.payments.rules import PaymentRule
from lab.survey import buffers as played
from lab.survey import pricing
from lab.survey.buffers import (
    FOLLOWED,
    IN_TALON,
    LED,
    MANNER,
    SPECIAL_CARDS,
    THROWN_OFF,
    IntArray,
    PlayedDeals,
)
from lab.survey.outcomes import layout
from lab.survey.outcomes.layout import (
    HERO,
    LOSER,
    OUTCOME_FIELD_NAMES,
    STAKE_FIELD,
    STAKE_WON,
    TALON_FIELD,
    TWIN,
    WINNER,
)
from lab.survey.pricing import (
    ACE_READS,
    FEATURE_COUNT,
    NEVER_READ,
    PRICED_FORBIDDEN,
    PRICED_SETTLED,
    PRICED_SILENT,
    PRICED_UNKNOWN,
    QUINOLA_READS,
    SEAT_READS,
    UNFILLED,
    FactTables,
    all_roots,
    price_deals,
)
from lab.survey.request import SURVEY_SEATS
from lab.survey.tariff import FEATURE_PLACES, MISSING, OF_FACT, UNREAD_NODE, AnswerCodes, Tariff

ACE, QUINOLA, SEAT = range(3)
LAID_AWAY = IN_TALON << MANNER
#: what is read, and what follows from each number; or what four seats win, and 1 where the rules are silent
Tree: TypeAlias = "tuple[int, Mapping[int, Tree]] | list[int] | None"
SAYS_NOTHING: Tree = [0, 0, 0, 0, 1]
PAYS: Tree = [9, -5, -4, 0, 0]
NOTHING: Tree = [0, 0, 0, 0, 0]
SEATS_TO_PAY = {1: [-8, 8, 0, 0, 0], 2: [0, -7, 7, 0, 0], 3: [0, 0, -6, 6, 0], 4: [5, 0, 0, -5, 0]}
EVERY: tuple[tuple[int, Tree], ...] = (
    (ACE, (FEATURE_PLACES["suit"], {suit: [10 + suit, -10 - suit, 0, 0, 0] for suit in range(4)})),
    (QUINOLA, [0, 0, 70, -70, 0]),
    (SEAT, (FEATURE_PLACES["player"], SEATS_TO_PAY)),
)
UNMET: tuple[tuple[int, Tree], ...] = ((ACE, None), (QUINOLA, None), (SEAT, None))


# ---- made by hand
def grown(*rules: tuple[int, Tree]) -> tuple[IntArray, ...]:
    """Trees as the fast path has them: one for each rule, with the kind of fact it looks at. A gap before each node."""
    reads, begins, widths = list[int](), list[int](), list[int]()
    branches, leaves = list[int](), list[list[int]]()

    def planted(tree: Tree) -> int:
        if isinstance(tree, list):
            leaves.append(tree)
            return MISSING - len(leaves)
        at = len(reads)
        place, below = tree or (UNREAD_NODE, {})
        width = max(below, default=-1) + 1
        reads.append(place)
        begins.append(len(branches) + 1)
        widths.append(width)
        branches.extend([MISSING] * (width + 1))
        for value, child in below.items():
            branches[begins[at] + value] = planted(child)
        return at

    starts = [
        (kind, planted((FEATURE_PLACES["privileged"], {0: tree, 1: tree}) if isinstance(tree, list) else tree))
        for kind, tree in rules
    ]
    rows = (np.array(row, np.int64) for row in (reads, begins, widths, branches))
    return np.array(starts, np.int64).reshape(-1, 2), *rows, np.array(leaves, np.int64).reshape(-1, SURVEY_SEATS + 1)


@dataclass(frozen=True)
class Dealt:
    """A deal: its facts, what the outcome says, and what each seat has taken."""

    facts: tuple[int, ...] = (LAID_AWAY,) * 4 + (0,)
    says: Mapping[int, int] = field(default_factory=dict)
    points: tuple[int, ...] = (0,) * SURVEY_SEATS
    forbidden: bool = False


def column(*deals: Dealt) -> tuple[IntArray, ...]:
    """Several deals as the fast path has them."""
    fields = np.zeros((len(deals), len(OUTCOME_FIELD_NAMES)), np.int64)
    for at, deal in enumerate(deals):
        for name, value in deal.says.items():
            fields[at, name] = value
    facts = np.array([deal.facts for deal in deals], np.int64).T.copy()
    told = np.array([int(deal.forbidden) << played.FORBIDDEN for deal in deals], np.int64)
    return facts, told, fields, np.array([deal.points for deal in deals], np.int64)


def emptied(none: bool = False) -> tuple[IntArray, IntArray, IntArray]:
    """Tables in which nothing is known; or no tables."""
    sizes = (0, 0, 0) if none else (1 << 19, 1 << 23, 17 * 5 * 5 * 5 * 4 * 64)
    aces, quinola, seats = (np.zeros(size, np.int64) for size in sizes)
    return aces, quinola, seats


@dataclass
class Found:
    """What has been found of some deals."""

    nets: list[list[int]]
    became: list[int]
    met: list[list[int]]
    unknown: int


def looked_up(
    rules: tuple[tuple[int, Tree], ...],
    *deals: Dealt,
    tables: tuple[IntArray, IntArray, IntArray] | None = None,
    by_points: bool = True,
    suit: int = 2,
    answers: tuple[int, ...] = (0,),
    most: int = 8,
) -> Found:
    nets, became = np.zeros((len(deals), SURVEY_SEATS), np.int64), np.full(len(deals), PRICED_UNKNOWN, np.int64)
    met = np.full((most, FEATURE_COUNT + 1), 77, np.int64)
    unknown = pricing.look_up(
        grown(*rules),
        np.array(answers, np.int64),
        column(*deals),
        suit,
        tables or emptied(none=True),
        by_points,
        nets,
        became,
        met,
    )
    return Found(nets.tolist(), became.tolist(), met.tolist(), unknown)


def whole(deal: Dealt, tables: tuple[IntArray, IntArray, IntArray], by_points: bool = True) -> tuple[int, list[int]]:
    """A deal looked up whole, and where its nine facts stand."""
    places = np.full(9, 77, np.int64)
    found = pricing.look_up_ordinary_deal(column(deal), 0, 2, tables, by_points, places)
    return found, places.tolist()


def fact(**parts: int) -> int:
    return sum(value << int(getattr(played, name.upper())) for name, value in parts.items())


FACTS = (
    fact(player=1, leader=2, taker=3, manner=FOLLOWED, trick=5),
    fact(player=3, leader=1, taker=2, manner=THROWN_OFF, trick=11, alone=1),
    fact(player=2, leader=3, taker=1, manner=LED, trick=10),
    fact(player=0, leader=3, taker=3, manner=FOLLOWED, trick=1),
    fact(player=1, leader=3, taker=1, manner=THROWN_OFF, trick=7, alone=1, free=1, court=1, highest=4, privileged=1),
)
ALL_HELD = Dealt(FACTS, {WINNER: 3, LOSER: 2, TWIN: 4, STAKE_FIELD: 6, STAKE_WON: 1, TALON_FIELD: 21}, (40, 12, 3, 9))


# ---- where things stand in the tables
@pytest.mark.parametrize("by_points", [True, False])
@pytest.mark.parametrize(
    ("stake", "won", "by_tricks"), [(0, 0, 0), (0, 1, 16), (1, 1, 1), (1, 0, 1), (15, 1, 15), (6, 0, 6)]
)
def test_every_seat_has_a_place_of_its_own_for_all_that_a_seat_may_owe_by(
    stake: int, won: int, by_tricks: int, by_points: bool
) -> None:
    tables, sizes = emptied(), (17, 5, 5, 5, SURVEY_SEATS, 64)
    for winner, loser, twin, talon in ((1, 2, 3, 5), (4, 0, 1, 63), (0, 4, 4, 0), (3, 3, 0, 62)):
        says = {WINNER: winner, LOSER: loser, TWIN: twin, STAKE_FIELD: stake, STAKE_WON: won, TALON_FIELD: talon}
        deal = Dealt(says=says, points=(7, 63, 0, 40))
        debts = deal.points if by_points else (talon,) * SURVEY_SEATS
        expected = [
            int(np.ravel_multi_index((by_tricks, winner, loser, twin, seat, debt), sizes))
            for seat, debt in enumerate(debts)
        ]
        assert whole(deal, tables, by_points)[1][5:] == expected


@pytest.mark.parametrize("winner", range(5))
def test_every_ace_and_the_quinola_have_a_place_of_their_own_for_all_that_is_told_of_them(winner: int) -> None:
    tables, aces, quinola = emptied(), (8, 4, 1 << 14), (2, 8, 1 << 19)
    for won, turn in product((0, 1), range(5)):
        facts = tuple(FACTS[(at + turn) % 5] for at in range(5))
        _, places = whole(Dealt(facts, {WINNER: winner, STAKE_WON: won}), tables)
        for special in range(4):
            told = facts[special] & 0x3FFF
            assert places[special] == np.ravel_multi_index((winner, special, told), aces)
        assert places[4] == np.ravel_multi_index((won, winner, facts[4]), quinola)


def test_the_tables_have_just_a_place_for_each_thing() -> None:
    tables = pricing.make_fact_tables(reading({}), ruled())
    assert tables is not None and tables.by_points
    assert [tables.aces.size, tables.quinola.size, tables.seats.size] == [one.size for one in emptied()]
    assert not tables.aces[:100].any()


def test_an_ace_that_was_laid_away_has_no_place_and_any_other_has() -> None:
    for manner in (LED, FOLLOWED, THROWN_OFF, IN_TALON):
        for more in (0, fact(trick=1), fact(player=3, leader=3)):
            one = fact(manner=manner) | more
            _, places = whole(Dealt((one, one, one, one, one)), emptied())
            assert [place == -1 for place in places[:4]] == [manner == IN_TALON] * 4, (manner, more)
            assert places[4] == one, "the quinola is looked at wherever it is"


@pytest.mark.parametrize(
    ("name", "most"), [(LOSER, 4), (TWIN, 4), (WINNER, 4), (STAKE_FIELD, 15), (STAKE_WON, 1), (TALON_FIELD, 63)]
)
def test_a_field_that_is_left_open_has_no_place(name: int, most: int) -> None:
    """The last number that tells something has one. The talon is not asked for where it goes by points."""
    tables = emptied()
    assert whole(Dealt(says={name: most}), tables, False)[1][4:] != [-1] * 5
    assert min(whole(Dealt(says={name: most}), tables, False)[1][4:]) >= 0
    assert whole(Dealt(says={name: most + 1}), tables, False) == (UNFILLED, [-1] * 9)
    by_points = whole(Dealt(says={name: most + 1}), tables, True)[1]
    assert (min(by_points[4:]) >= 0) if name == TALON_FIELD else (by_points == [-1] * 9)


def test_what_falls_off_the_upper_end_is_lost_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert whole(ALL_HELD, emptied())[0] == UNFILLED


# ---- looked up whole
def kept(deal: Dealt, each: int) -> tuple[IntArray, IntArray, IntArray]:
    """Tables that know the nine facts of a deal: the first seat wins, by each in turn, twice as much as before."""
    tables = emptied()
    _, places = whole(deal, tables)
    for at, place in enumerate(places):
        won = each << at
        table = tables[0 if at < 4 else 1 if at == 4 else 2]
        table[place] = pricing.pack_nets(np.array([won, -won, at, -at, 0], np.int64)) ^ UNFILLED
    return tables


def test_a_deal_of_which_all_facts_are_known_is_looked_up_whole() -> None:
    found = looked_up(UNMET, ALL_HELD, tables=kept(ALL_HELD, 1))
    assert (found.unknown, found.became, found.nets) == (0, [PRICED_SETTLED], [[511, -511, 36, -36]])


@pytest.mark.parametrize("at", range(9))
def test_a_deal_of_which_one_fact_is_not_known_yet_is_not_looked_up_whole(at: int) -> None:
    tables = kept(ALL_HELD, 2)
    _, places = whole(ALL_HELD, tables)
    tables[0 if at < 4 else 1 if at == 4 else 2][places[at]] = 0
    assert whole(ALL_HELD, tables)[0] == UNFILLED
    found = looked_up(UNMET, ALL_HELD, tables=tables, most=20)
    assert (found.became, found.unknown) == ([PRICED_UNKNOWN], 9)


ZERO = Dealt((0, 0, 0, 0, 0))
HALF_HELD = Dealt((*FACTS[:2], LAID_AWAY, LAID_AWAY, FACTS[4]), {WINNER: 1, LOSER: 3}, (5, 6, 7, 22))


@pytest.mark.parametrize("deal", [ZERO, ALL_HELD, HALF_HELD, Dealt()], ids=["zero", "held", "half", "aside"])
@pytest.mark.parametrize("by_points", [True, False])
def test_a_deal_gone_through_once_is_then_known_whole(deal: Dealt, by_points: bool) -> None:
    """The first time every rule is asked; the second time no rule knows anything, and the tables know it all."""
    tables = emptied()
    first = looked_up(EVERY, deal, tables=tables, by_points=by_points)
    second = looked_up(UNMET, deal, tables=tables, by_points=by_points)
    won = sum(10 + suit for suit in range(4) if deal.facts[suit] != LAID_AWAY)
    assert first.nets == [[won - 8 + 5, -won + 8 - 7, 70 + 7 - 6, -70 + 6 - 5]] and first.became == [PRICED_SETTLED]
    assert (second.nets, second.became, second.unknown) == (first.nets, first.became, 0)


def test_what_a_fact_comes_to_is_kept_just_where_it_has_a_place() -> None:
    """One seat has a place, and nothing else."""
    for player in range(SURVEY_SEATS):
        (aces, quinola, seats), places = emptied(), np.full(9, -1, np.int64)
        places[5 + player] = 7
        room = np.zeros(FEATURE_COUNT, np.int64), np.zeros(5, np.int64), np.zeros(5, np.int64)
        met = np.zeros((8, FEATURE_COUNT + 1), np.int64)
        trees, answers, looks = grown(*EVERY), np.zeros(1, np.int64), (True, True, True)
        held = column(Dealt((0, 0, 0, 0, 0)))
        unknown = pricing.price_deal_by_rules(
            trees, answers, held, 0, 2, looks, (aces, quinola, seats, places), room, met, 0
        )
        paid = np.array(SEATS_TO_PAY[player + 1], np.int64)
        assert unknown == 0 and not aces.any() and not quinola[:9].any() and quinola[-1] == 0
        assert np.flatnonzero(seats).tolist() == [7] and seats[7] ^ UNFILLED == pricing.pack_nets(paid)


def test_what_is_too_much_or_silent_is_never_looked_up_whole() -> None:
    for leaf, became in (([3601, -3601, 0, 0, 0], PRICED_SETTLED), (SAYS_NOTHING, PRICED_SILENT)):
        tables = emptied()
        rules = (EVERY[0], (QUINOLA, leaf), EVERY[2])
        for _ in range(2):
            assert looked_up(rules, ALL_HELD, tables=tables).became == [became]
        assert looked_up(UNMET, ALL_HELD, tables=tables).became == [PRICED_UNKNOWN]


# ---- gone through
@pytest.mark.parametrize("kind", [ACE, QUINOLA, SEAT])
def test_rules_of_one_kind_are_asked_where_there_are_no_others(kind: int) -> None:
    deal = Dealt((0, *(LAID_AWAY,) * 3, 0))
    found = looked_up(((kind, PAYS),), deal)
    times = 4 if kind == SEAT else 1
    assert (found.nets, found.became) == ([[9 * times, -5 * times, -4 * times, 0]], [PRICED_SETTLED])


def test_no_rule_looks_at_an_ace_that_was_laid_away() -> None:
    by_manner: Tree = (FEATURE_PLACES["manner"], dict.fromkeys(range(4), PAYS))
    for special, manner in product(range(4), (LED, FOLLOWED, THROWN_OFF, IN_TALON)):
        facts = [LAID_AWAY] * 4 + [0]
        facts[special] = manner << MANNER
        found = looked_up(((ACE, by_manner),), Dealt(tuple(facts)))
        assert found.nets == [[0, 0, 0, 0] if manner == IN_TALON else [9, -5, -4, 0]], (special, manner)


def test_the_quinola_is_looked_at_also_where_it_was_laid_away() -> None:
    by_manner: Tree = (FEATURE_PLACES["manner"], {at: [at + 1, -at - 1, 0, 0, 0] for at in range(4)})
    for manner in range(4):
        found = looked_up(((QUINOLA, by_manner),), Dealt((LAID_AWAY,) * 4 + (manner << MANNER,)))
        assert found.nets == [[manner + 1, -manner - 1, 0, 0]]


@pytest.mark.parametrize("suit", range(4))
def test_an_ace_is_of_its_own_suit_and_the_quinola_of_hers(suit: int) -> None:
    by_suit: Tree = (FEATURE_PLACES["suit"], {at: [1 << at, -(1 << at), 0, 0, 0] for at in range(4)})
    assert looked_up(((QUINOLA, by_suit),), Dealt(), suit=suit).nets == [[1 << suit, -(1 << suit), 0, 0]]
    facts = [LAID_AWAY] * 5
    facts[suit] = 0
    assert looked_up(((ACE, by_suit),), Dealt(tuple(facts)), suit=3 - suit).nets == [[1 << suit, -(1 << suit), 0, 0]]


def test_of_a_seat_nothing_is_told_but_who_it_is_and_its_points() -> None:
    """What was told of the quinola before is forgotten."""
    for name in OF_FACT:
        if name not in ("player", "points"):
            rules: tuple[tuple[int, Tree], ...] = ((QUINOLA, NOTHING), (SEAT, (FEATURE_PLACES[name], {0: PAYS})))
            found = looked_up(rules, Dealt((*FACTS[:4], FACTS[4])))
            assert (found.unknown, found.nets) == (0, [[36, -20, -16, 0]]), name
    by_points: Tree = (FEATURE_PLACES["points"], {at: [at, -at, 0, 0, 0] for at in (5, 0, 30, 63)})
    assert looked_up(((SEAT, by_points),), Dealt(points=(5, 0, 30, 63))).nets == [[98, -98, 0, 0]]


def test_a_rule_may_read_the_first_question_of_all() -> None:
    for answer, won in ((2, 9), (1, 0)):
        tree: Tree = (FEATURE_COUNT, {1: NOTHING, 2: PAYS})
        assert looked_up(((QUINOLA, tree),), Dealt(), answers=(answer, 0)).nets[0][0] == won
    assert looked_up(((QUINOLA, (FEATURE_COUNT, {2: PAYS})),), Dealt(), answers=(3, 2)).unknown == 1


def test_a_branch_that_leads_nowhere_yet_is_not_led_on_by_another_tree() -> None:
    rules: tuple[tuple[int, Tree], ...] = (
        (QUINOLA, (FEATURE_PLACES["player"], {2: PAYS})),
        (QUINOLA, (FEATURE_PLACES["manner"], {0: PAYS})),
    )
    found = looked_up(rules, Dealt())
    assert (found.unknown, found.became) == (1, [PRICED_UNKNOWN])
    assert (
        found.met[0][-1] == 0
        and found.met[0][FEATURE_PLACES["player"]] == 1
        and found.met[1] == [77] * (FEATURE_COUNT + 1)
    )


# ---- what becomes of a deal
@pytest.mark.parametrize("kind", [ACE, QUINOLA, SEAT])
def test_where_one_rule_is_silent_the_deal_is_and_the_next_is_not(kind: int) -> None:
    """Nothing is left open in the outcome, and another rule is sure of what it pays."""
    tree: Tree = (FEATURE_PLACES["winner"], {1: SAYS_NOTHING, 2: PAYS})
    deals = [Dealt((0, LAID_AWAY, LAID_AWAY, LAID_AWAY, 0), {WINNER: winner}) for winner in (1, 2)]
    found = looked_up(((kind, tree), (QUINOLA, PAYS)), *deals)
    assert found.became == [PRICED_SILENT, PRICED_SETTLED] and found.unknown == 0


@pytest.mark.parametrize(
    ("name", "most"), [(HERO, 4), (layout.BREAK, 15), (layout.ESPAGNOLETTE_FIELD, 4), (WINNER, 4), (LOSER, 4)]
)
def test_where_it_is_left_open_how_a_deal_ended_it_is_not_settled(name: int, most: int) -> None:
    """Though every rule knows what it pays; the last number that tells something leaves nothing open."""
    found = looked_up(((QUINOLA, PAYS),), Dealt(says={name: most}), Dealt(says={name: most + 1}), Dealt())
    assert found.became == [PRICED_SETTLED, PRICED_SILENT, PRICED_SETTLED]


def test_what_the_rules_forbid_is_not_priced() -> None:
    found = looked_up(((QUINOLA, PAYS),), Dealt(forbidden=True), Dealt())
    assert (found.became, found.nets) == ([PRICED_FORBIDDEN, PRICED_SETTLED], [[0, 0, 0, 0], [9, -5, -4, 0]])


@pytest.mark.parametrize("most", [1, 2])
def test_as_soon_as_there_is_no_more_room_for_what_is_unknown_it_is_learnt(most: int) -> None:
    tree: Tree = (FEATURE_PLACES["winner"], {0: PAYS})
    rules = ((QUINOLA, tree), (QUINOLA, tree))[:most]
    found = looked_up(rules, Dealt(says={WINNER: 3}), Dealt(), most=most)
    assert (found.unknown, found.became) == (most, [PRICED_UNKNOWN, PRICED_UNKNOWN])
    assert [row[-1] for row in found.met] == [*range(most)]


def test_never_more_is_said_to_be_unknown_than_there_is_room_for() -> None:
    found = looked_up(((SEAT, None),), Dealt(), Dealt(), most=3)
    assert (found.unknown, len(found.met)) == (3, 3)
    assert [row[FEATURE_PLACES["player"]] for row in found.met] == [1, 2, 3]


def test_where_there_is_room_left_the_rest_of_the_deals_are_looked_at() -> None:
    found = looked_up(((QUINOLA, (FEATURE_PLACES["winner"], {0: PAYS})),), Dealt(says={WINNER: 3}), Dealt(), most=2)
    assert (found.unknown, found.became, found.nets[1]) == (1, [PRICED_UNKNOWN, PRICED_SETTLED], [9, -5, -4, 0])


# ---- what a fact tells
@pytest.mark.parametrize("manner", range(4))
def test_a_fact_is_spread_out_each_thing_in_its_place(manner: int) -> None:
    """Where the card was laid away there is neither player nor leader nor taker."""
    here = int(manner != IN_TALON)
    parts = {"trick": 9, "alone": 1, "free": 0, "court": 1, "highest": 4, "privileged": 1, "queen_led": 1}
    features = np.full(FEATURE_COUNT, 77, np.int64)
    pricing.unpack_fact(fact(player=2, leader=3, taker=1, manner=manner, **parts), 3, features)
    expected = [3 * here, 4 * here, 2 * here, manner, 9, 1, 0, 1, 1, 4, 1, 3, 0]
    assert features.tolist() == expected + [77] * (FEATURE_COUNT - len(expected))


# ---- which tables would do
def ruled() -> Any:
    return SimpleNamespace(name="bare", rulings={}, reasons={})


def reading(reads: Mapping[str, set[int]], one: int = 0) -> Any:
    """A tariff of which only is known what rules of each kind read; its rulesets answer all by one number."""
    found = {("a rule", kind): places for kind, places in reads.items()}
    answers = SimpleNamespace(row=lambda ruleset: np.array(ruleset.answers, np.int64))
    return SimpleNamespace(read_by=lambda ruleset: defaultdict(set, found), answers=answers)


def places_of(*names: str) -> set[int]:
    return {FEATURE_PLACES[name] for name in names}


def test_tables_do_where_rules_read_no_more_than_they_tell_apart() -> None:
    """All that they tell apart may be read at once, and so may any answer."""
    full = {"ace": {*ACE_READS}, "quinola": {*QUINOLA_READS}, "seat": {*SEAT_READS}}
    for by_points, debt in ((True, "points"), (False, "talon_value")):
        reads = {
            kind: places_of(*names, *NEVER_READ) | {FEATURE_COUNT, FEATURE_COUNT + 3} for kind, names in full.items()
        }
        reads["seat"] |= places_of(debt)
        assert pricing.goes_by_points(reading(reads), ruled()) is by_points
    assert pricing.goes_by_points(reading({}), ruled()) is True


@pytest.mark.parametrize(
    ("kind", "name"), [("ace", "points"), ("ace", "court_led"), ("quinola", "loser"), ("seat", "suit")]
)
def test_tables_do_not_do_where_a_rule_reads_more(kind: str, name: str) -> None:
    assert pricing.goes_by_points(reading({kind: places_of(name)}), ruled()) is None
    assert pricing.make_fact_tables(reading({kind: places_of(name)}), ruled()) is None


def test_tables_do_not_do_where_a_seat_owes_by_its_points_and_by_the_talon() -> None:
    assert pricing.goes_by_points(reading({"seat": places_of("points", "talon_value")}), ruled()) is None


def test_only_rules_that_read_an_answer_that_differs_may_pay_otherwise() -> None:
    tariff: Any = SimpleNamespace()
    roots = all_roots(tariff)
    (first, kind), (second, other) = roots[0], roots[1]
    reads = {(first.name, kind): {FEATURE_COUNT + 1, 0}, (second.name, other): {FEATURE_COUNT, FEATURE_COUNT + 2, 3}}
    tariff.answers = SimpleNamespace(row=lambda ruleset: np.array(ruleset.answers, np.int64))
    tariff.read_by = lambda ruleset: defaultdict(set, reads)
    one: Any = SimpleNamespace(answers=(1, 2, 3))
    for answers, differ in (((1, 5, 3), roots[:1]), ((1, 2, 0), roots[1:2]), ((0, 0, 3), roots[:2]), ((1, 2, 3), ())):
        assert pricing.find_affected_roots(tariff, one, SimpleNamespace(answers=answers)) == differ  # type: ignore[arg-type]


def by_talon(fact: Any, outcome: Any, ask: Any) -> Iterator[Posting]:
    """The first seat pays the second what the talon is worth."""
    if fact.player == 0:
        yield Posting(0, 1, Money(outcome.talon_value))


def for_nothing(fact: Any, outcome: Any, ask: Any) -> Iterator[Posting]:
    """Whoever held it, nothing is paid."""
    if fact.player == SURVEY_SEATS:
        yield Posting(0, 1, Money(1))


@pytest.mark.parametrize("with_tables", [True, False])
def test_tables_are_laid_aside_as_soon_as_a_rule_is_found_to_read_what_they_do_not_tell_apart(
    with_tables: bool,
) -> None:
    """Two deals with the same points, and another talon."""
    library: Any = SimpleNamespace(questions={})
    tariff, ruleset = Tariff(AnswerCodes(library), Pool(), 0), ruled()
    roots = (
        (PaymentRule("talon", ("seat",), (), by_talon), "seat"),
        (PaymentRule("nothing", ("quinola",), (), for_nothing), "quinola"),
    )
    for rule, kind in roots:
        tariff.roots[rule.name, kind] = tariff.node()
    facts, told, fields, points = column(Dealt(says={TALON_FIELD: 5}), Dealt(says={TALON_FIELD: 7}))
    empty = np.zeros(2, np.int64)
    bytes_ = np.zeros((44, 2), np.uint8)
    deals = PlayedDeals(
        facts, empty, empty, empty, told, np.zeros((SURVEY_SEATS, 2), np.int64), bytes_, bytes_[: 2 * SURVEY_SEATS]
    )
    tables = pricing.make_fact_tables(tariff, ruleset) if with_tables else None
    assert tables is None or tables.by_points
    found = price_deals(ruleset, tariff, deals, (fields, points), 32, roots, tables)
    assert found.became.tolist() == [PRICED_SETTLED, PRICED_SETTLED]
    assert found.net.tolist() == [[-5, 5, 0, 0], [-7, 7, 0, 0]]
    assert pricing.goes_by_points(tariff, ruleset) is False and len(facts) == SPECIAL_CARDS


def test_what_was_found_cannot_be_put_aside_for_something_else() -> None:
    nothing = np.zeros(0, np.int64)
    found, tables = pricing.Priced(nothing, nothing), FactTables(nothing, nothing, nothing, True)
    with pytest.raises(FrozenInstanceError):
        found.net = nothing  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        tables.by_points = False  # type: ignore[misc]
    assert not hasattr(found, "__dict__") and not hasattr(tables, "__dict__")
