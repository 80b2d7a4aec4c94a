"""Possible worlds: what is found by trying only what is asked is what settling the deal in every world would find."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.deal.model import Deal
from engine.interpretation.explore import Case
from engine.interpretation.worlds import (
    UNSETTLED_UPSHOT,
    UPSHOT_SOURCES,
    Paid,
    Worlds,
    possible_worlds,
)
from engine.settlement.settle import settle
from rulebook.decisions import build_knots, find_decisions
from rulebook.model import FrozenMap, Library, Like, Question
from rulebook.resolve import Choice, resolve
from tests.support.deals import FIVE, FOUR, lay_deal
from tests.support.settling import SIGLA
from tests.support.worlds import Seen, World, belongs, brute_force, product_of, seen, settling, trimmed, with_rivals

MOST = 40  #: worlds to be settled one by one


def what(case: Case, paid: Paid) -> tuple[object, ...]:
    """A posting as brute force names it."""
    plain = case.rule, case.kind, case.manner, case.trick, case.card, case.player
    return *plain, paid.payer, paid.payee, paid.amount


def sums(paid: Paid) -> str:
    return f"{paid.payer} {paid.payee} {paid.amount}"


def affair(case: Case) -> Case:
    """What happens to all seats at the end of the deal is one affair."""
    return replace(case, player=None) if case.kind == "seat" else case


def check(deal: Deal, library: Library, source: str, options: bool = False) -> Worlds:
    """Everything that is told of a deal must be what settling it in every world comes to."""
    found, every = possible_worlds(deal, library, source, options), brute_force(deal, library, source, options)
    check_postings(found, every)
    check_contests(found, every)
    check_states(found, every)
    check_net(found, every)
    check_upshots(found, every)
    return found


def check_postings(found: Worlds, every: list[tuple[World, Seen]]) -> None:
    told = {what(posting.case, posting.paid): posting for posting in found.postings}
    assert len(told) == len(found.postings)
    assert set(told) == {one for _, s in every for one in s.ledger}
    for name, one in told.items():
        holds = [(world, name in s.ledger) for world, s in every]
        assert (not one.depends) == all(held for _, held in holds)
        assert one.preferred == holds[0][1]
        assert {frozenset(some) for some in one.depends} == settling(holds)
        assert [*map(len, one.depends)] == sorted(map(len, one.depends))
        assert all(belongs(world, one.holds) == held for world, held in holds)


def check_contests(found: Worlds, every: list[tuple[World, Seen]]) -> None:
    assert {affair(one.case) for one in found.contested} == {one.about for one in found.contests}
    for contest in found.contests:
        assert [v.preferred for v in contest.variants] == [True] + [False] * (len(contest.variants) - 1)
        names = [sorted(map(sums, v.value)) for v in contest.variants]
        told = {
            what(posting.case, posting.paid): sums(posting.paid)
            for posting in found.postings
            if affair(posting.case) == contest.about
        }
        said = [(world, sorted(told[name] for name in s.ledger & told.keys())) for world, s in every]
        assert {frozenset(some) for some in contest.depends} == settling(said)
        for world, paid in said:
            assert [belongs(world, v.worlds) for v in contest.variants] == [name == paid for name in names]


def check_states(found: Worlds, every: list[tuple[World, Seen]]) -> None:
    assert {state.value for state in found.states} == {s.state for _, s in every}
    for one in found.states:
        assert one.preferred == (every[0][1].state == one.value)
        assert all(belongs(world, one.worlds) == (s.state == one.value) for world, s in every)
    playable = settling([(world, s.state) for world, s in every])
    assert {frozenset(some) for some in found.playable} == playable


def check_net(found: Worlds, every: list[tuple[World, Seen]]) -> None:
    nets = [dict(s.net) for _, s in every if s.net is not None]
    for one in found.net:
        gains = [net[one.account] for net in nets]
        assert (one.least, one.most) == (min(gains, default=0), max(gains, default=0))
        assert one.preferred == (None if every[0][1].net is None else dict(every[0][1].net)[one.account])


def turned_out(name: str, s: Seen) -> object:
    """How something besides the payments has turned out in one world."""
    if s.state != "settled":
        return UNSETTLED_UPSHOT
    return s.pool if name == "pool" else getattr(s.outcome, name)


def check_upshots(found: Worlds, every: list[tuple[World, Seen]]) -> None:
    told = {one.about: one for one in found.upshots}
    for name in UPSHOT_SOURCES:
        turned = [(world, turned_out(name, s)) for world, s in every]
        assert (name in told) == (len({value for _, value in turned}) > 1)
        if name in told:
            assert {frozenset(some) for some in told[name].depends} == settling(turned)
            assert told[name].variants[0].preferred and told[name].variants[0].value == turned[0][1]
            for turn in told[name].variants:
                assert all(belongs(world, turn.worlds) == (value == turn.value) for world, value in turned)


def few(library: Library, source: str, names: list[str], options: bool = False) -> Library:
    """The library with so many of these decisions left as can be tried one by one."""
    kept: list[str] = []
    for name in names:
        smaller = trimmed(library, source, [*kept, name])
        if sum(1 for _ in product_of(smaller, source, options)) <= MOST:
            kept.append(name)
    return trimmed(library, source, kept)


# ---- equal to brute force
@pytest.mark.release
@pytest.mark.parametrize("options", [False, True], ids=["interpretations", "options too"])
@pytest.mark.parametrize("siglum", SIGLA)
def test_possible_worlds_are_those_of_brute_force(
    library: Library, deals: dict[str, Deal], siglum: str, options: bool
) -> None:
    contested = 0
    for at, deal in enumerate(deals.values()):
        if at % 4 != options:
            continue
        rng = Random(f"{deal.id} {siglum}")
        raised = [decision.clause for decision in possible_worlds(deal, library, siglum, options).decisions]
        idle = [c.id for c in library.sources[siglum].clauses if c.alternatives and c.id not in raised]
        rng.shuffle(raised)
        small = few(library, siglum, [*raised[:4], *rng.sample(idle, min(1, len(idle))), *raised[4:]], options)
        contested += len(check(deal, small, siglum, options).contested)
    assert contested  # or nothing would have been compared


@pytest.mark.release
def test_all_worlds_of_a_source_are_those_of_brute_force(library: Library, deals: dict[str, Deal]) -> None:
    found = check(deals["par-quinola-led"], library, "PAR")
    assert found.contested and found.certain
    assert {c for one in found.contested for some in one.depends for c in some} == {"PAR.c026"}


def invented(library: Library, deal: Deal, source: str, rng: Random) -> Library:
    """A library with invented rivals to the clauses on whose questions this deal turns, at times excluding others."""
    settled = settle(deal, resolve(library, source))
    asked = sorted(getattr(settled, "asked", frozenset()))
    questions = [library.questions[slug] for slug in asked if library.questions[slug].closed]
    clauses = [c.id for c in library.sources[source].clauses if any(q in asked for q in c.answers)]
    rivals = {}
    for clause in rng.sample(clauses, 4):
        picked = rng.sample(questions, 3)
        rivals[clause] = [bundle(picked, rng) for _ in range(rng.randint(1, 2))]
    overlapping = rng.choice(list(rivals.values()))
    rivals[clauses[0]] = [bundle([library.questions[q] for q in overlapping[0]], rng)]
    return with_rivals(library, source, rivals)


def bundle(questions: list[Question], rng: Random) -> FrozenMap[str, str]:
    some = rng.sample(questions, rng.randint(1, len(questions)))
    return FrozenMap({q.slug: rng.choice([*q.readings]) for q in some})


@pytest.mark.release
@pytest.mark.parametrize("siglum", SIGLA)
def test_invented_rivals_that_exclude_each_other_are_tried_as_by_brute_force(
    library: Library, deals: dict[str, Deal], siglum: str
) -> None:
    several = 0
    for seed in range(8):
        rng = Random(f"{siglum} {seed}")
        deal = rng.choice([d for d in deals.values() if d.id.startswith(siglum.lower())])
        made = invented(library, deal, siglum, rng)
        found = check(deal, made, siglum)
        several += any(len(knot.decisions) > 1 for knot in knots_of(made, siglum)) and found.number > 1
    assert several > 1


def knots_of(library: Library, source: str) -> tuple[object, ...]:
    own = resolve(library, source)
    return build_knots(library, own, tuple(find_decisions(library, source, own)))


# ---- which decisions hang together
def with_two_rivals(library: Library, one: dict[str, object], other: dict[str, object]) -> Library:
    """PAM, with one invented rival each to two clauses that have nothing to do with each other."""
    return with_rivals(library, "PAM", {"PAM.c030": [FrozenMap(one)], "PAM.c033": [FrozenMap(other)]})


FORCED = "pam-quinola-forced-opposite-last"


def test_two_readings_that_exclude_each_other_are_not_held_together(library: Library, deals: dict[str, Deal]) -> None:
    made = with_two_rivals(
        library,
        {"quinola.forced.payee": "highest-heart-before", "quinola.forced.amount": 4},
        {"quinola.forced.amount": 6},
    )
    found = check(deals[FORCED], made, "PAM")
    assert found.number == 3
    assert {some for one in found.contested for some in one.depends} >= {("PAM.c033", "PAM.c030")}


def test_readings_granted_only_together_leave_several_smallest_sets(library: Library, deals: dict[str, Deal]) -> None:
    made = with_two_rivals(
        library,
        {"quinola.forced.others-pay": Like("quinola.led.others-pay"), "quinola.led.amount": 3},
        {"quinola.forced.amount": Like("quinola.led.amount"), "quinola.led.others-pay": 7},
    )
    found = check(deals[FORCED], made, "PAM")
    assert found.number == 2
    assert {one.depends for one in found.contested} == {(("PAM.c033",), ("PAM.c030",))}


def test_answers_that_would_point_in_a_circle_make_no_world(library: Library, deals: dict[str, Deal]) -> None:
    made = with_two_rivals(
        library, {"quinola.forced.others-pay": Like("quinola.led.others-pay")}, {"quinola.led.others-pay": 3}
    )
    assert isinstance(resolve(library, "PAM").rulings["quinola.led.others-pay"].value, Like)
    found = check(deals[FORCED], made, "PAM")
    assert found.number == 3  # the first rival points back, unless the second one gives a number
    assert any(len(posting.depends) > 0 for posting in found.postings)


def test_a_rival_may_raise_questions_of_its_own(library: Library, deals: dict[str, Deal]) -> None:
    found = check(deals["aca-five-players"], trimmed(library, "ACA", ["ACA.c012"]), "ACA", options=True)
    assert [decision.clause for decision in found.decisions] == ["ACA.c012"]


# ---- what is not asked
seeds = st.integers(1, 400)


@cache
def by_lot(seed: int, players: int) -> Deal:
    """A deal by lot, with a quinola in some trick or five at the table."""
    told = {"pool": {"stake": 37, "waiting": [11, 5]}}
    if players == 5:
        return lay_deal(seats=FIVE, dealer="ann", heart_first=True, seed=seed, told=told)
    tricks = {seed % 9 + 2: f"{FOUR[seed % 4]}:JH"}
    return lay_deal(tricks=tricks, heart_first=seed % 2 == 0, seed=seed, told=told)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, derandomize=True)
@given(seeds, st.sampled_from((4, 4, 5)), st.sampled_from(SIGLA))
def test_a_decision_that_is_not_raised_never_changes_anything(
    library: Library, seed: int, players: int, siglum: str
) -> None:
    deal, rng = by_lot(seed, players), Random(seed)
    raised = possible_worlds(deal, library, siglum, options=True).decisions
    taken = [Choice(r, named=r) for r in held(library, siglum, [rng.choice(one.readings) for one in raised])]
    before = seen(settle(deal, resolve(library, siglum, taken)))
    for clause in library.sources[siglum].clauses:
        for idle in clause.alternatives if clause.id not in {one.clause for one in raised} else ():
            wishes = [*taken, Choice(idle.id, named=idle.id)]
            if len(held(library, siglum, [w.named for w in wishes])) == len(wishes):
                assert seen(settle(deal, resolve(library, siglum, wishes))) == before, idle.id


def held(library: Library, siglum: str, readings: list[str]) -> list[str]:
    """Those of some readings that can be held together with the ones before; ours need not be named."""
    answers = {a.id: a.answers for c in library.sources[siglum].clauses for a in c.alternatives}
    kept: list[str] = []
    for name in readings:
        against = [q for had in kept for q, v in answers[had].items() if answers.get(name, {}).get(q, v) != v]
        kept += [name] if name in answers and not against else []
    return kept


@pytest.mark.slow
@settings(max_examples=10, deadline=None, derandomize=True)
@given(seeds, st.sampled_from((4, 5)), st.sampled_from(SIGLA))
def test_possible_worlds_of_any_deal_are_those_of_brute_force(
    library: Library, seed: int, players: int, siglum: str
) -> None:
    deal = by_lot(seed, players)
    raised = [decision.clause for decision in possible_worlds(deal, library, siglum, options=True).decisions]
    Random(seed).shuffle(raised)
    check(deal, few(library, siglum, raised, options=True), siglum, options=True)


# ---- the sources as they are
def test_of_a_deal_that_raises_no_decision_everything_is_certain(library: Library, deals: dict[str, Deal]) -> None:
    found = possible_worlds(deals["aca-ace-of-hearts-forced"], library, "PAR")
    assert (found.number, found.decisions, found.contests, found.upshots) == (1, (), (), ())
    assert found.certain == found.postings and found.postings
    assert all(posting.holds == ((),) and posting.depends == () for posting in found.postings)
    assert all(one.least == one.most == one.preferred for one in found.net)


def test_twenty_thousand_worlds_are_told_of_without_settling_each(library: Library, deals: dict[str, Deal]) -> None:
    found = possible_worlds(deals["aca-quinola-forced"], library, "ACA")
    assert (
        20_000 < found.number < prod(len(decision.readings) for decision in found.decisions)
    )  # some exclude each other
    assert found.certain and found.contested


def test_worlds_in_which_the_deal_is_refused_pay_nothing(library: Library, deals: dict[str, Deal]) -> None:
    found = possible_worlds(deals["quinola-alone-first-trick"], library, "ACA")
    assert {state.value: state.preferred for state in found.states} == {"refused": True, "settled": False}
    assert not found.certain and not any(posting.preferred for posting in found.postings)
    assert all("ACA.c025" in some for posting in found.postings for some in posting.depends)
    assert found.playable == (("ACA.c024", "ACA.c025"),)  # either may set the quinola free


@pytest.mark.slow
def test_a_sources_options_are_not_tried_unless_they_are_asked_for(library: Library, deals: dict[str, Deal]) -> None:
    differ = 0
    for deal in list(deals.values())[::9]:
        plain, with_options = (possible_worlds(deal, library, "GER", options) for options in (False, True))
        assert plain == possible_worlds(deal, library, "GER")
        differ += plain.number != with_options.number
    assert differ
