"""The joint ledger: every source a column, every posting once, every column its balance."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.settlement.ledger import Entry
from reversis.files.deals import read_worked
from reversis.words.deal_views import (
    DealView,
    resolve_rulesets,
    view_deal,
    worked_deal_view,
)
from reversis.words.events import ENTRY_PHRASES, EVENT_HEADLINES, describe_event
from reversis.words.joint_ledger import build_joint_ledger
from rulebook.joint_ledger import JointEvent, list_joint_balances
from rulebook.model import Library
from tests.support.library import NINE, opened, write_nine_sources


@pytest.fixture(scope="module")
def views(library: Library, sampled_deals: tuple[Deal, ...]) -> tuple[DealView, ...]:
    return tuple(worked_deal_view(library, deal.id) for deal in sampled_deals)


@pytest.fixture(scope="module")
def joint(views: tuple[DealView, ...]) -> dict[str, tuple[JointEvent, ...]]:
    return {view.id: build_joint_ledger(view) for view in views}


def postings_in(view: DealView, at: int) -> Counter[tuple[str, str, str]]:
    one = view.ledgers[at]
    sums: Counter[tuple[str, str, str]] = Counter()
    for step, paid in ((line.step, paid) for line in one.entries for paid in line.postings):
        sums[step, str(paid.payer), str(paid.payee)] += paid.amount
    return sums


def postings_of(events: tuple[JointEvent, ...], at: int) -> Counter[tuple[str, str, str]]:
    sums: Counter[tuple[str, str, str]] = Counter()
    for event in events:
        sums.update({(event.step, row.payer, row.payee): row.cells[at].amount for row in event.rows})
    return +sums


def event_of(events: tuple[JointEvent, ...], words: str) -> JointEvent:
    return next(event for event in events if event.words == words)


def add_up_column(events: tuple[JointEvent, ...], column: int) -> dict[str, int]:
    """Add up one column from its cells: what every account gains or loses."""
    sums: dict[str, int] = defaultdict(int)
    for row in (row for event in events for row in event.rows if row.payer):
        sums[row.payer] -= row.cells[column].amount
        sums[row.payee] += row.cells[column].amount
    return dict(sums)


def check_figures(view: DealView, events: tuple[JointEvent, ...]) -> None:
    """Every posting once, every column its balance, no cell that contradicts its column."""
    for at, one in enumerate(view.ledgers):
        assert postings_of(events, at) == postings_in(view, at), f"{view.id} {one.source}"
        balance = {account: amounts[at] for account, amounts in list_joint_balances(view)}
        states = {row.cells[at].state for event in events for row in event.rows}
        if one.state == "settled":
            assert dict.fromkeys(balance, 0) | add_up_column(events, at) == dict(one.net) == balance
            assert states <= {"paid", "nothing", "absent"}
        else:
            assert states <= {one.state} and set(balance.values()) == {None} and one.why


def test_every_posting_stands_once_and_every_column_comes_to_its_balance(
    views: tuple[DealView, ...], joint: dict[str, tuple[JointEvent, ...]]
) -> None:
    for view in views:
        check_figures(view, joint[view.id])


def test_events_stand_in_the_order_of_play_and_each_once(joint: dict[str, tuple[JointEvent, ...]]) -> None:
    for ledger in joint.values():
        order = [0 if e.step == "before" else 99 if e.step == "end" else int(e.step) for e in ledger]
        assert order == sorted(order)
        for event in ledger:
            assert len({(row.payer, row.payee) for row in event.rows}) == len(event.rows) >= 1
            assert any(event.lines)


def test_the_forced_quinola_is_one_event_with_a_row_for_each_payer(library: Library) -> None:
    view = worked_deal_view(library, "pam-quinola-forced-opposite-last")
    ledger = build_joint_ledger(view)
    assert [(c.source, c.state) for c in view.ledgers] == [
        ("ACA", "refused"),
        ("GER", "refused"),
        ("HOY", "settled"),
        ("MEY", "settled"),
        ("PAM", "settled"),
        ("PAR", "settled"),
        ("PIE", "settled"),
    ]
    assert view.ledgers[0].why.startswith("trick 1: south may not play 7C") and view.ledgers[0].grounds
    forced = event_of(ledger, "east's quinola is forced")
    assert (forced.step, forced.lines[4][0].card) == ("11", "JH")
    assert [(r.payer, r.payee, [(c.state, c.amount) for c in r.cells[2:]]) for r in forced.rows] == [
        ("south", "west", [("paid", 6), *[("paid", 10)] * 4]),
        ("east", "west", [("paid", 12), *[("paid", 40)] * 4]),
        ("north", "west", [("paid", 6), *[("paid", 10)] * 4]),
    ]
    partie = event_of(ledger, "the partie, or talon")
    assert [[c.amount for c in row.cells] for row in partie.rows] == [[0, 0, 42, 42, 42, 40, 42]] and partie.rows[
        0
    ].differs
    assert all(row.differs for row in forced.rows)
    assert next(amounts for _, amounts in list_joint_balances(view)) == (None, None, -12, -10, -10, -10, -10)


def test_a_payment_that_one_source_alone_knows_is_absent_under_the_others(
    joint: dict[str, tuple[JointEvent, ...]],
) -> None:
    states = {tuple(cell.state for cell in row.cells) for one in joint.values() for e in one for row in e.rows}
    assert any({"paid", "absent"} <= set(row) for row in states)
    assert any({"paid", "nothing"} <= set(row) for row in states)


def test_nine_sources_are_nine_columns_even_if_none_can_settle(library: Library, tmp_path: Path) -> None:
    nine = opened(write_nine_sources(tmp_path))
    deal = read_worked(library, "pam-quinola-forced-opposite-last").deal
    assert deal is not None
    view = view_deal(nine, deal, resolve_rulesets(nine, NINE))
    ledger = build_joint_ledger(view)
    assert ledger == ()
    check_figures(view, ledger)


def test_every_rule_has_its_headline() -> None:
    assert list(EVENT_HEADLINES) == list(ENTRY_PHRASES)
    seats = ("south", "east", "north", "west")
    for rule in EVENT_HEADLINES:
        fact = Fact(kind="quinola", seats=4, dealer=3, eldest=0, last=11, player=1, trick=3)
        said = describe_event(Entry(rule, fact, "quinola-forced", (), ()), seats)
        assert said[0].islower() and "{" not in said and not said.endswith(".")
