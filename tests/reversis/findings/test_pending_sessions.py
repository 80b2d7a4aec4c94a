"""A worked session whose figures the engine cannot come to yet, and what is said when they come true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.session.record import read_sitting
from reversis.cli.session import SessionOptions, check_session_result
from reversis.files.sessions import SittingRecord, is_session_pending, play_worked_session, read_session
from reversis.findings.expectations import find_missed_sessions
from rulebook.model import Library
from tests.support.schemas import validator
from tests.support.settling import Rules

NAME, WHY = "pam-basket-renewed", "The little pool is not counted yet."


def with_expectation(library: Library, pending: bool, wrong: bool) -> SittingRecord:
    session = read_session(library, NAME)
    assert session.sitting is not None
    expected: Any = session.sitting.expect["PAM"]
    first, *rest = expected["after"]
    first = {**first, "accounts": {**first["accounts"], "south": 99}} if wrong else first
    changed = {**expected, "after": [first, *rest], **({"pending": WHY} if pending else {})}
    return replace(session, sitting=replace(session.sitting, expect={"PAM": changed}))


def told(library: Library, record: SittingRecord) -> Iterator[str]:
    yield from (f"{session.what}; {session.way_out}" for session in find_missed_sessions(library, [record]))


@pytest.mark.parametrize(
    ("pending", "wrong", "says"),
    [
        (False, False, []),
        (False, True, [f"{NAME} under PAM: after 1 accounts south is -13, not 99"]),
        (True, True, []),
        (True, False, [f"{NAME} under PAM: every figure that was pending has come true"]),
    ],
)
def test_what_is_pending_is_told_only_when_it_comes_true(
    library: Library, pending: bool, wrong: bool, says: list[str]
) -> None:
    record = with_expectation(library, pending, wrong)
    found = [*told(library, record)]
    assert [one.partition("; ")[0] for one in found] == says
    assert all("take out `pending`" in one for one in found if pending)


def test_the_command_is_content_with_what_is_pending(library: Library, rules: Rules) -> None:
    for pending, content in ((True, True), (False, False)):
        record = with_expectation(library, pending, wrong=True)
        sitting = record.sitting
        assert sitting is not None and is_session_pending(sitting, "PAM") is pending
        assert not is_session_pending(sitting, "ACA")
        found = play_worked_session(sitting, record.deals, rules("PAM"))
        order = SessionOptions(library, NAME, record.deals, sitting.seats, sitting.dealer, True, True, sitting=sitting)
        assert check_session_result(order, rules("PAM"), found) is content


def test_reader_and_schema_know_it() -> None:
    seats = ["south", "east", "north", "west"]
    expect = {"PAM": {"after": [{"accounts": {"south": 1}}], "pending": WHY}}
    raw = {"session": NAME, "seats": seats, "dealer": "south", "deals": ["one"], "expect": expect}
    assert read_sitting(raw)[1] == [] and list(validator("session").iter_errors(raw)) == []
