"""The edges of the tariff, and of what is counted: trees grown by hand, rules made for one thing, sums in the head.

Nothing is dealt here and no source is read, so that it is quick also where nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import FrozenInstanceError, replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from engine.cards import CARD_SUITS
from engine.deal.events import CARD_MANNERS
from engine.deal.pool import Pool
from engine.settlement.ledger import Money, Posting
from engine.settlement.payments.rules import RULES, PaymentRule
from engine.settlement.settle import Refused, Settled, Summary, Unanswered
from lab.survey import reference as readable
from lab.survey.counting import compare_deal_nets
from lab.survey.pricing import PRICED_FORBIDDEN, PRICED_SETTLED, PRICED_SILENT
from lab.survey.request import CHUNK, EVENTS, UNSETTLED_NET, Rules, SurveyOrder, SurveyTable
from lab.survey.tally import MOVED_STEPS, Count, Versus
from lab.survey.tariff import (
    FEATURE_NAMES,
    FEATURE_PLACES,
    FEATURE_VALUES,
    LEFT_OPEN,
    MISSING,
    OF_OUTCOME,
    SEAT_GROUPS,
    SURVEYED_FACT_KINDS,
    SURVEYED_RULES,
    TRICKS_OR_NONE,
    UNREAD_NODE,
    AnswerCodes,
    FeatureRead,
    GrowingArray,
    Situation,
    Tariff,
    settle_situation,
)
from rulebook.model import Library, Ruleset, Ruling, Silent

QUESTIONS = ("first", "second", "third")
FIRST, SECOND, THIRD = (len(FEATURE_NAMES) + at for at in range(3))  #: where they stand
PLAYER, POINTS, ALONE, TRICK = (FEATURE_PLACES[name] for name in ("player", "points", "alone", "trick"))
INVENTED = ("invented", "seat")
SOUTH, EAST = 1, 2  #: as a feature tells of a player
FREE = (0, 0, 0, 0, 0)


def ruleset(**answers: object) -> Ruleset:
    rulings = {slug: Ruling(slug, slug, cast(Any, value), (), "made-up") for slug, value in answers.items()}
    return Ruleset("made-up", "made-up", rulings)


def answers() -> AnswerCodes:
    """Answers to three questions, none of which has been heard yet."""
    return AnswerCodes(Library(cast(Any, dict.fromkeys(QUESTIONS)), {}))


def tariff() -> Tariff:
    """A tariff that knows nothing, with a node for an invented rule."""
    found = Tariff(answers(), Pool(40), 0)
    found.roots[INVENTED] = found.node()
    return found


def rule(
    pays: Callable[..., Iterable[object]], manners: tuple[str, ...] = (), in_reversis: bool = False
) -> PaymentRule:
    """A rule made for one thing, which looks at every seat."""
    return PaymentRule("invented", ("seat",), manners, cast(Any, pays), in_reversis=in_reversis)


def features(**of: int) -> tuple[int, ...]:
    """A situation by number; what is not named is nought."""
    return tuple(of.get(name, 0) for name in FEATURE_NAMES)


def situation(these: Ruleset | None = None, eldest: int = 0, **of: int) -> Situation:
    return Situation("seat", features(**of), these or ruleset(), answers(), eldest)


def one(player: int, points: int) -> Posting:
    return Posting(player, (player + 1) % 4, Money(points))


def by_points(fact: Any, outcome: Any, ask: Any) -> Iterable[Posting]:
    """A rule that reads the player first, then his points."""
    yield one(fact.player, fact.points)


def by_answers(fact: Any, outcome: Any, ask: Any) -> Iterable[Posting]:
    """A rule that reads a feature below some answers only."""
    if ask("first") == "go-on" and ask("second") == "go-on":
        yield one(fact.player, 3)


def looked_up(grown: Tariff, given: Sequence[int], these: Ruleset) -> tuple[int, ...] | None:
    """What stands at the end of the invented rule's tree; None where it has not grown so far."""
    reads, begins, widths, branches, paid = grown.flat()
    at, row = grown.roots[INVENTED], grown.answers.row(these)
    for _ in range(9):
        place = int(reads[at])
        if place < 0:
            return None
        value = given[place] if place < len(FEATURE_NAMES) else int(row[place - len(FEATURE_NAMES)])
        if value >= widths[at]:
            return None
        at = int(branches[begins[at] + value])
        if at < 0:
            return None if at == MISSING else tuple(map(int, paid[-2 - at]))
    raise AssertionError("a tree without an end")


# ---- what the numbers of the features stand for
def test_a_number_of_sixteen_tells_of_every_group_of_players() -> None:
    assert len(SEAT_GROUPS) == 16 == len(set(SEAT_GROUPS))
    assert (
        SEAT_GROUPS[:5] == ((), (0,), (1,), (0, 1), (2,))
        and SEAT_GROUPS[10] == (1, 3)
        and SEAT_GROUPS[15] == (0, 1, 2, 3)
    )
    assert OF_OUTCOME["breakers"] == OF_OUTCOME["stake_winners"] == (*SEAT_GROUPS, LEFT_OPEN)


def test_a_trick_is_none_or_one_of_eleven() -> None:
    assert TRICKS_OR_NONE == (None, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)


def test_points_and_the_worth_of_a_talon_go_up_to_sixty_three() -> None:
    assert [*FEATURE_VALUES["points"]] == [*range(64)]
    assert FEATURE_VALUES["talon_value"] == (*range(64), LEFT_OPEN)
    assert situation(points=63).fact.points == 63 == situation(talon_value=63).outcome.talon_value


def test_all_rules_are_surveyed_but_those_on_faults() -> None:
    faults = {"misdeal", "dealt-again", "fine", "fine-returned"}
    assert [one.name for one in SURVEYED_RULES] == [one.name for one in RULES if one.name not in faults]
    assert len(SURVEYED_RULES) == len(RULES) - len(faults) and all(
        {*one.kinds} <= {*SURVEYED_FACT_KINDS} for one in SURVEYED_RULES
    )


# ---- a situation as a rule sees it
def test_what_a_rule_reads_is_written_down_once_and_in_its_order() -> None:
    told = situation(points=7, player=EAST, manner=2)
    assert (told.fact.points, told.fact.player, told.fact.points, told.outcome.hero) == (7, 1, 7, None)
    assert told.fact.manner == CARD_MANNERS[2] and told.fact.suit == next(iter(CARD_SUITS))
    expected = [("points", 7), ("player", EAST), ("hero", 0), ("manner", 2), ("suit", 0)]
    assert told.path == [FeatureRead(FEATURE_PLACES[name], value) for name, value in expected]


def test_what_is_the_same_in_every_deal_is_not_written_down() -> None:
    told = situation(eldest=2)
    fact = told.fact
    assert (fact.kind, fact.seats, fact.dealer, fact.eldest, fact.last) == ("seat", 4, 3, 2, 11)
    assert fact.claimed is True and fact.fault is None and told.outcome.forfeited is False
    assert told.path == []


def test_a_rule_may_ask_for_the_same_fact_of_another_player() -> None:
    told = situation(player=SOUTH, points=9)
    other = replace(told.fact, player=3)
    assert other.player == 3 and other.points == 9 and told.path == [FeatureRead(POINTS, 9)]


def test_what_has_been_read_or_ordered_cannot_be_changed() -> None:
    for done in (FeatureRead(1, 2), SurveyTable(Rules("PAM")), SurveyOrder(1, "random", 3, ())):
        with pytest.raises(FrozenInstanceError):
            setattr(done, next(iter(type(done).__dataclass_fields__)), 9)
    assert len({FeatureRead(1, 2), FeatureRead(1, 2), FeatureRead(2, 1)}) == 2


# ---- answers by number
def test_silence_is_nought_and_answers_are_numbered_as_they_are_heard() -> None:
    heard = answers()
    asked = [
        heard.of("second", ruleset(second=value) if value else ruleset())[1] for value in ("b", None, "a", "b", "c")
    ]
    assert asked == [1, 0, 2, 1, 3]
    assert heard.of("first", ruleset()) == (FIRST, 0) and heard.of("third", ruleset(third=5)) == (THIRD, 1)
    assert heard.known == {"first": {}, "second": {"b": 1, "a": 2, "c": 3}, "third": {"5": 1}}


def test_a_row_of_answers_is_reckoned_once_for_each_ruleset() -> None:
    heard, mine, theirs = answers(), ruleset(first="a", third="c"), ruleset(first="b")
    row = heard.row(mine)
    assert row.tolist() == [1, 0, 1] and heard.row(theirs).tolist() == [2, 0, 0]
    assert heard.row(mine) is row


def test_a_row_is_not_taken_for_that_of_a_ruleset_that_is_gone() -> None:
    """Two rulesets may have the same number, one after the other."""
    heard, mine = answers(), ruleset(first="a", third="c")
    heard.rows[id(mine)] = ruleset(), np.array([9, 9, 9], np.int64)
    assert heard.row(mine).tolist() == [1, 0, 1]


# ---- trees
def test_a_tariff_begins_with_a_node_for_each_rule_and_nothing_else() -> None:
    empty = Tariff(answers(), Pool(40), 0)
    assert [*empty.roots.values()] == [*range(len(empty.roots))] and empty.grown == 0
    assert {empty.reads.size, empty.begins.size, empty.widths.size} == {len(empty.roots)}
    reads, _, widths, branches, paid = empty.flat()
    assert {*reads.tolist()} == {UNREAD_NODE} and {*widths.tolist()} == {0} and {*branches.tolist()} == {MISSING}
    assert paid.shape == (0, 5)


def test_more_nodes_may_be_made_than_there_was_room_for() -> None:
    grown = tariff()
    for at in range(grown.reads.size, 2500):
        assert grown.node() == at
    assert grown.begins.size == grown.widths.size == grown.reads.size == 2500
    assert min(map(len, grown.flat()[:3])) >= 2500
    assert grown.branch(2499, FeatureRead(ALONE, 1)) == 1 and grown.widths.all[2499] == 2


def test_a_row_grows_and_keeps_what_it_holds() -> None:
    row = GrowingArray(-5)
    assert row.size == 0 and row.add(3) == 0 and row.add(2) == 3 and row.size == 5
    row.all[:5] = range(5)
    assert row.add(5000) == 5 and row.size == 5005 <= len(row.all)
    assert row.all[:5].tolist() == [0, 1, 2, 3, 4] and {*row.all[5:].tolist()} == {-5}


def test_leaves_are_numbered_below_what_is_missing_and_each_is_kept_once() -> None:
    grown = tariff()
    assert [grown.leaf(net) for net in (FREE, (1, -1, 0, 0, 0), FREE)] == [-2, -3, -2]
    assert grown.flat()[4].tolist() == [[0, 0, 0, 0, 0], [1, -1, 0, 0, 0]]


def test_a_place_is_as_wide_as_what_may_stand_there() -> None:
    grown = tariff()
    widths = [
        grown.width(FEATURE_PLACES[name]) for name in ("player", "alone", "trick", "talon_value", "stake_winners")
    ]
    assert widths == [5, 2, 12, 65, 17]
    assert [grown.width(place) for place in (FIRST, SECOND, THIRD)] == [1, 1, 1]
    for value in "abc":
        grown.answers.of("first", ruleset(first=value, third=value))
    grown.answers.of("third", ruleset(third="a"))
    assert [grown.width(place) for place in (FIRST, SECOND, THIRD)] == [4, 1, 2]


def test_a_node_has_room_for_all_that_may_stand_there_and_for_what_goes_beyond() -> None:
    grown = tariff()
    at = grown.roots[INVENTED]
    assert grown.branch(at, FeatureRead(FIRST, 0)) == 0 and grown.widths.all[at] == 1
    grown.branches.all[0] = 77
    assert grown.branch(at, FeatureRead(FIRST, 3)) == 4 and grown.widths.all[at] == 4
    assert (grown.reads.all[at], grown.begins.all[at], grown.branches.size) == (FIRST, 1, 5)
    assert grown.branches.all[1:5].tolist() == [77, MISSING, MISSING, MISSING]
    assert grown.branch(at, FeatureRead(FIRST, 2)) == 3 and grown.branches.size == 5


def test_a_situation_is_looked_up_once_it_has_been_learnt() -> None:
    grown, mine = tariff(), ruleset()
    assert looked_up(grown, features(player=EAST, points=7), mine) is None
    grown.learn(rule(by_points), "seat", features(player=EAST, points=7), mine)
    assert looked_up(grown, features(player=EAST, points=7), mine) == (0, -7, 7, 0, 0)
    assert looked_up(grown, features(player=EAST, points=7, leader=3), mine) == (0, -7, 7, 0, 0)
    assert looked_up(grown, features(player=EAST, points=6), mine) is None
    assert looked_up(grown, features(player=SOUTH, points=7), mine) is None


def test_a_rule_that_reads_nothing_says_the_same_whoever_plays() -> None:
    grown, mine = tariff(), ruleset()
    grown.read_by(mine)
    grown.learn(rule(lambda fact, outcome, ask: [one(2, 5)]), "seat", features(player=3), mine)
    for player in range(5):
        for leader in range(5):
            assert looked_up(grown, features(player=player, leader=leader), mine) == (0, 0, -5, 5, 0)
    assert grown.reads.all[grown.roots[INVENTED]] == PLAYER and grown.read_by(mine)[INVENTED] == {PLAYER}


# ---- what a rule reads under a ruleset
@pytest.mark.parametrize("name", FEATURE_NAMES)
def test_whatever_a_rule_reads_is_told(name: str) -> None:
    grown, mine = tariff(), ruleset()
    grown.branch(grown.roots[INVENTED], FeatureRead(FEATURE_PLACES[name], 1))
    assert {rule: reads for rule, reads in grown.read_by(mine).items() if reads} == {INVENTED: {FEATURE_PLACES[name]}}


def test_what_is_read_is_gone_through_once_for_each_ruleset() -> None:
    grown, mine = tariff(), ruleset(first="go-on")
    assert grown.read_by(mine) is grown.read_by(mine)
    another = ruleset(first="stop")
    grown.reading[id(another)] = ruleset(), {INVENTED: {THIRD}}
    assert grown.read_by(another)[INVENTED] == set()


def branching() -> tuple[Tariff, dict[str, Ruleset]]:
    """A tree that reads the first question, then the second, then who plays; and rulesets that go several ways."""
    grown = tariff()
    these = {
        "on": ruleset(first="go-on", second="go-on"),
        "stop": ruleset(first="stop", second="go-on"),
        "half": ruleset(first="go-on", second="stop"),
        "silent": ruleset(),
    }
    for mine in these.values():
        grown.answers.row(mine)
    return grown, these


def test_a_ruleset_reads_only_what_stands_below_its_own_answers() -> None:
    grown, these = branching()
    for mine in these.values():
        grown.learn(rule(by_answers), "seat", features(player=EAST), mine)
    reads = {name: grown.read_by(mine)[INVENTED] for name, mine in these.items()}
    assert reads["on"] == {FIRST, SECOND, PLAYER} and reads["half"] == {FIRST, SECOND}
    assert reads["stop"] == {FIRST} and reads["silent"] == {FIRST}
    assert looked_up(grown, features(player=EAST), these["on"]) == (0, -3, 3, 0, 0)
    assert looked_up(grown, features(player=EAST), these["half"]) == FREE
    assert looked_up(grown, features(player=EAST), these["silent"]) == (0, 0, 0, 0, 1)


def test_a_feature_is_followed_on_all_its_branches() -> None:
    grown, mine = tariff(), ruleset(first="a", third="c")

    def pays(fact: Any, outcome: Any, ask: Any) -> Iterable[Posting]:
        ask("first" if fact.alone else "third")
        return ()

    for alone in (0, 1):
        grown.learn(rule(pays), "seat", features(alone=alone), mine)
    assert grown.read_by(mine)[INVENTED] == {ALONE, FIRST, THIRD}


def test_an_answer_that_nobody_has_given_there_leads_nowhere() -> None:
    """Its number lies just beyond the branches; what stands there is another node's."""
    grown, mine = tariff(), ruleset(first="a")
    grown.answers.row(mine)
    root, below, other = grown.roots[INVENTED], grown.node(), grown.node()
    assert grown.branch(root, FeatureRead(FIRST, 1)) == 1
    grown.branches.all[1] = below
    grown.branch(below, FeatureRead(ALONE, 0))
    grown.branches.all[2] = other
    grown.branch(other, FeatureRead(TRICK, 0))
    later = ruleset(first="b")
    assert grown.answers.row(later)[0] == 2 == grown.widths.all[root]
    assert grown.read_by(later)[INVENTED] == {FIRST}
    assert grown.read_by(mine)[INVENTED] == {FIRST, ALONE, TRICK}


def test_what_is_missing_is_not_taken_for_the_last_of_all_nodes() -> None:
    grown = tariff()
    last = len(grown.reads.all) - 1
    while grown.reads.size <= last:
        grown.node()
    assert len(grown.reads.all) == grown.reads.size
    grown.branch(last, FeatureRead(TRICK, 1))
    grown.branch(grown.roots[INVENTED], FeatureRead(ALONE, 1))
    assert grown.read_by(ruleset())[INVENTED] == {ALONE}


def test_a_new_path_is_told_to_all_that_would_go_the_same_way() -> None:
    grown, these = branching()
    for mine in these.values():
        grown.read_by(mine)
    grown.learn(rule(by_answers), "seat", features(player=EAST), these["on"])
    reads = {name: grown.read_by(mine)[INVENTED] for name, mine in these.items()}
    assert reads["on"] == {FIRST, SECOND, PLAYER} and reads["half"] == {FIRST, SECOND}
    assert reads["stop"] == {FIRST} == reads["silent"]
    assert grown.grown == 3 + 2 + 1 + 1
    grown.learn(rule(by_answers), "seat", features(player=SOUTH), these["on"])
    assert grown.grown == 7


def test_a_path_by_features_is_told_to_every_ruleset() -> None:
    grown, mine, theirs = tariff(), ruleset(first="a"), ruleset(first="b", third="c")
    for these in (mine, theirs):
        grown.read_by(these)
    grown.has_read(
        INVENTED, [FeatureRead(ALONE, 1), FeatureRead(POINTS, 40), FeatureRead(THIRD, 1), FeatureRead(TRICK, 3)]
    )
    assert grown.read_by(theirs)[INVENTED] == {ALONE, POINTS, THIRD, TRICK}
    assert grown.read_by(mine)[INVENTED] == {ALONE, POINTS, THIRD} and grown.grown == 7


# ---- one situation settled by the rule itself
def owing(fact: Any, outcome: Any, ask: Any) -> Iterable[object]:
    yield "a word, and no posting"
    yield one(0, 4)


@pytest.mark.parametrize(
    ("of", "expected"),
    [({"hero": 0}, FREE), ({"hero": 2}, (-4, 4, 0, 0, 0)), ({"hero": 5}, (0, 0, 0, 0, 1))],
    ids=["nobody", "somebody", "left open"],
)
def test_a_rule_of_the_reversis_pays_only_where_one_was_undertaken(
    of: dict[str, int], expected: tuple[int, ...]
) -> None:
    assert settle_situation(rule(owing, in_reversis=True), situation(None, 0, **of), Pool(40)) == expected


@pytest.mark.parametrize("hero", [0, 2, 5])
def test_another_rule_does_not_even_ask_who_plays_for_the_reversis(hero: int) -> None:
    told = situation(hero=hero)
    assert settle_situation(rule(owing), told, Pool(40)) == (-4, 4, 0, 0, 0) and told.path == []


def test_a_rule_pays_only_for_a_card_of_its_manner() -> None:
    for manner, expected in enumerate((FREE, FREE, (-4, 4, 0, 0, 0), FREE)):
        told = situation(manner=manner)
        assert settle_situation(rule(owing, ("thrown-off",)), told, Pool(40)) == expected
        assert told.path == [FeatureRead(FEATURE_PLACES["manner"], manner)]


def test_where_the_rules_are_silent_nobody_pays_and_it_is_told() -> None:
    def asking(fact: Any, outcome: Any, ask: Any) -> Iterable[object]:
        yield one(0, 4)
        yield one(1, ask("first"))

    told = situation()
    assert settle_situation(rule(asking), told, Pool(40)) == (0, 0, 0, 0, 1) and told.path == [FeatureRead(FIRST, 0)]
    assert settle_situation(rule(asking), situation(ruleset(first=6)), Pool(40)) == (-4, -2, 6, 0, 0)


def test_a_stake_is_reckoned_from_the_pool() -> None:
    def draws(fact: Any, outcome: Any, ask: Any) -> Iterable[object]:
        yield Posting("pool", 2, Money(1, 1))

    assert settle_situation(rule(draws), situation(), Pool(40)) == (0, 0, 41, 0, 0)


# ---- the readable count
NETS = {"even": (0, 0, 0, 0, 0), "paid": (-6, 2, 2, 2, 0), "drawn": (-6, 2, 2, 7, -5), "large": (-1000, 1000, 0, 0, 0)}


def of_net(name: str) -> Settled:
    """A settled deal of which nothing matters but what everybody has won."""
    accounts: dict[int | str, int] = {**dict(enumerate(NETS[name][:4])), "pool": NETS[name][4]}
    return Settled(cast(Any, None), ruleset(), (), accounts, Pool(), Pool(), Summary(None, None, None, None))


SILENCE = Unanswered(cast(Any, None), ruleset(), Silent("first", "made-up"))
REFUSAL = Refused(cast(Any, None), ruleset(), ())


def step(at: int) -> tuple[int, ...]:
    """One deal in one step of the histogram."""
    return tuple(int(place == at) for place in range(len(MOVED_STEPS)))


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        (of_net("paid"), of_net("paid"), Versus(1, 0, 0, 0, 0, 0, 0, -1, step(0))),
        (of_net("even"), of_net("paid"), Versus(1, 0, 0, 1, 6, 36, 6, 12, step(3))),
        (of_net("drawn"), of_net("paid"), Versus(1, 0, 0, 1, 5, 25, 5, 12, step(3))),
        (of_net("large"), of_net("even"), Versus(1, 0, 0, 1, 1000, 1_000_000, 1000, 12, step(10))),
        (of_net("even"), SILENCE, Versus(silent=1)),
        (SILENCE, of_net("even"), Versus(silent=1)),
        (SILENCE, SILENCE, Versus(silent=1)),
        (SILENCE, REFUSAL, Versus(silent=1)),
        (of_net("even"), REFUSAL, Versus(forbidden=1)),
        (REFUSAL, of_net("even"), Versus(forbidden=1)),
    ],
)
def test_a_deal_under_two_rulesets(own: object, other: object, expected: Versus) -> None:
    assert readable.compare_deal_ledgers(12, own, other) == expected


@pytest.mark.parametrize(
    ("found", "settled", "net", "squares"),
    [(of_net("drawn"), 1, (-6, 2, 2, 7, -5), (36, 4, 4, 49, 25)), (SILENCE, 0, FREE, FREE), (REFUSAL, 0, FREE, FREE)],
    ids=["settled", "silent", "forbidden"],
)
def test_a_deal_at_its_own_table(
    monkeypatch: pytest.MonkeyPatch, found: object, settled: int, net: tuple[int, ...], squares: tuple[int, ...]
) -> None:
    monkeypatch.setattr(readable, "settle", lambda deal, rules: found)
    count = readable.count_deal_by_ledger(7, cast(Any, None), ruleset(), ())
    assert count == Count(1, settled, net, squares, (0,) * len(EVENTS))


def test_the_last_seat_deals_when_the_company_sits_down(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def begin(*given: object) -> object:
        asked.append(given)
        return SimpleNamespace(after=SimpleNamespace(pool=Pool(20)))

    monkeypatch.setattr(readable, "begin", begin)
    mine, seats = ruleset(), ("south", "east", "north", "west")
    assert readable.compute_opening_pool(mine, seats) == Pool(20) and asked == [(mine, seats, 3)]


# ---- the count by numbers
def counted(
    one: Sequence[Sequence[int]], other: Sequence[Sequence[int]], was: Sequence[int], became: Sequence[int]
) -> tuple[list[int], list[int]]:
    """What is counted of so many deals under two rulesets, and the histogram."""
    mine, theirs, before, after = (np.array(given, np.int64) for given in (one, other, was, became))
    steps = np.zeros(len(MOVED_STEPS), np.int64)
    found = compare_deal_nets(mine, theirs, before, after, len(was), MOVED_STEPS, steps)
    return found.tolist(), steps.tolist()


def test_every_sum_of_counters_falls_into_its_step() -> None:
    moved = [0, 1, 2, 4, 5, 9, 10, 19, 20, 49, 50, 99, 100, 199, 200, 499, 500, 999, 1000, 5000]
    deals, even = [(-n, n, 0, 0) for n in moved], [(0, 0, 0, 0)] * len(moved)
    fine = [PRICED_SETTLED] * len(moved)
    found, steps = counted(deals, even, fine, fine)
    assert steps == [1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2]
    assert found == [20, 0, 0, 19, sum(moved), sum(n * n for n in moved), 5000, 19]


@pytest.mark.parametrize(
    ("was", "became", "expected"),
    [
        (PRICED_SETTLED, PRICED_SETTLED, [1, 0, 0, 1, 3, 9, 3, 0]),
        (PRICED_SETTLED, PRICED_SILENT, [0, 0, 1, 0, 0, 0, 0, 0]),
        (PRICED_SILENT, PRICED_SETTLED, [0, 0, 1, 0, 0, 0, 0, 0]),
        (PRICED_SILENT, PRICED_SILENT, [0, 0, 1, 0, 0, 0, 0, 0]),
        (PRICED_SETTLED, PRICED_FORBIDDEN, [0, 1, 0, 0, 0, 0, 0, 0]),
        (PRICED_FORBIDDEN, PRICED_SETTLED, [0, 1, 0, 0, 0, 0, 0, 0]),
        (PRICED_FORBIDDEN, PRICED_SILENT, [0, 1, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_a_deal_is_settled_or_forbidden_or_left_in_silence(was: int, became: int, expected: list[int]) -> None:
    found, steps = counted([(-3, 3, 0, 0)], [(0, 0, 0, 0)], [was], [became])
    assert found == expected and sum(steps) == expected[0]


def test_what_passes_to_or_from_the_pool_is_moved_too() -> None:
    fine = [PRICED_SETTLED] * 3
    found, steps = counted([(5, 0, 0, 0), (0, -2, 0, 0), (1, -1, 4, -6)], [(0, 0, 0, 0)] * 3, fine, fine)
    assert found == [3, 0, 0, 3, 5 + 2 + 7, 25 + 4 + 49, 7, 2] and steps == [0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0]


# ---- the order
def test_a_piece_of_work_is_of_65536_deals_unless_another_size_is_asked_for() -> None:
    order = SurveyOrder(1, "random", 65_537, ())
    assert CHUNK == order.size == 65_536 and order.chunks == 2
    assert [order.numbers(chunk) for chunk in range(2)] == [range(65_536), range(65_536, 65_537)]


def test_a_deal_without_a_result_has_the_lowest_number_of_thirty_two_bits() -> None:
    assert np.iinfo(np.int32).min == UNSETTLED_NET
