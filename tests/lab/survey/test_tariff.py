"""The tariff: what it has learnt once it knows, in one order, and a rule that reads what it cannot show is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.readings.ask import Ask
from engine.settlement.ledger import Money, Posting
from engine.settlement.payments.rules import PaymentRule
from lab.survey import chunk as work
from lab.survey import reference as readable
from lab.survey.pricing import all_roots
from lab.survey.request import Rules
from lab.survey.tariff import (
    FEATURE_NAMES,
    MISSING,
    SURVEYED_FACT_KINDS,
    SURVEYED_RULES,
    UNREAD_NODE,
    Tariff,
)
from rulebook.model import Library
from tests.lab.survey.test_paths_agree import worked
from tests.support.columns import columns, priced
from tests.support.deals import FOUR
from tests.support.settling import Rules as Bound

pytestmark = pytest.mark.usefixtures("compiled")


def grown(library: Library, siglum: str = "PAM") -> tuple[work.DealPricer, Tariff]:
    """A tariff that has learnt all the worked deals of a table."""
    priser, these = work.DealPricer(library), Rules(siglum)
    ruleset, _, _ = priser.rules(these)
    pool = readable.compute_opening_pool(ruleset, FOUR)
    priced(priser, these, pool, columns(worked(pool)))
    (tariff,) = priser.tariffs.values()
    return priser, tariff


def state(tariff: Tariff) -> tuple[object, ...]:
    """All that a tariff knows."""
    return tuple(row.tolist() for row in tariff.flat())


def leaves(tariff: Tariff, at: int, path: dict[int, int]) -> Iterator[dict[int, int]]:
    """What stood at every place that was read, for every leaf below a node."""
    place, begins, width = (int(row[at]) for row in tariff.flat()[:3])
    assert place not in path, "a rule reads a thing once"
    for value in range(width if place != UNREAD_NODE else 0):
        child = int(tariff.flat()[3][begins + value])
        if child < MISSING:
            yield {**path, place: value}
        elif child > MISSING:
            yield from leaves(tariff, child, {**path, place: value})


@pytest.mark.slow
def test_learning_again_changes_nothing_and_asks_in_the_same_order(library: Library) -> None:
    priser, tariff = grown(library)
    ruleset, before, learnt = priser.rules(Rules("PAM"))[0], state(tariff), 0
    row = tariff.answers.row(ruleset)
    for rule in SURVEYED_RULES:
        for kind in (kind for kind in SURVEYED_FACT_KINDS if kind in rule.kinds):
            for path in leaves(tariff, tariff.roots[rule.name, kind], {}):
                features = [path.get(place, 0) for place in range(len(FEATURE_NAMES))]
                assert all(
                    row[place - len(FEATURE_NAMES)] == value
                    for place, value in path.items()
                    if place >= len(FEATURE_NAMES)
                )
                tariff.learn(rule, kind, features, ruleset)
                learnt += 1
    assert state(tariff) == before and learnt > 500


def told(fact: Any, outcome: Any, ask: Ask) -> Iterator[Posting]:
    yield Posting(fact.player, (fact.player + 1) % 4, Money(fact.points))


READS: dict[str, Callable[..., Any]] = {
    "fact": lambda fact, outcome, ask: iter([fact.colour]),
    "outcome": lambda fact, outcome, ask: iter([outcome.next_dealer]),
    "question": lambda fact, outcome, ask: iter([ask("no.such.question")]),
    "card": lambda fact, outcome, ask: iter([fact.card]),
}


@pytest.mark.parametrize("reads", READS)
def test_a_rule_that_reads_what_no_survey_shows_is_not_priced(library: Library, rules: Bound, reads: str) -> None:
    tariff = grown(library)[1]
    rule = PaymentRule("partie", ("seat",), (), READS[reads])
    with pytest.raises(KeyError):
        tariff.learn(rule, "seat", [1, *(0 for _ in FEATURE_NAMES[1:])], rules("PAM"))


def test_a_rule_that_reads_in_another_order_is_found_out(library: Library, rules: Bound) -> None:
    tariff = grown(library)[1]
    rule = PaymentRule("partie", ("seat",), (), lambda fact, outcome, ask: told(fact, outcome, ask))
    with pytest.raises(AssertionError, match="in the same order"):
        tariff.learn(rule, "seat", [1, *(0 for _ in FEATURE_NAMES[1:])], rules("PAM"))


def test_every_rule_has_a_tree_for_every_kind_of_fact(library: Library) -> None:
    tariff = grown(library)[1]
    assert {(rule.name, kind) for rule, kind in all_roots(tariff)} == {*tariff.roots}
    assert {kind for _, kind in tariff.roots} == {*SURVEYED_FACT_KINDS}
