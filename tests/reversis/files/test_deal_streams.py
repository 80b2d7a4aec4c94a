"""Deals on standard input: each form is recognised, every fault has its line, and results come line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from reversis.files.deal_streams import read_deal_stream
from tests.support.places import CLONE

YAML = (CLONE / "sources/PAM/deals/pam-revoke.yaml").read_bytes()


def lines(letters: bytes) -> list[bytes]:
    return letters.splitlines(keepends=True)


def as_json(indent: int | None = None) -> bytes:
    (record,) = read_deal_stream(lines(YAML))
    assert record.deal is not None
    from engine.deal.writer import write_deal

    return json.dumps(write_deal(record.deal), indent=indent).encode() + b"\n"


@pytest.mark.parametrize(
    ("letters", "deals"),
    [
        (YAML, 1),
        (b"---\n" + YAML + b"...\n---\n# a remark\n---\n" + YAML, 2),
        (YAML.replace(b"\n", b"\r\n"), 1),
        (b"\xef\xbb\xbf" + YAML, 1),
        (as_json(), 1),
        (as_json() + b"\n\n" + as_json(), 2),
        (as_json(2) + as_json(2), 2),
        (as_json() + as_json("\t"), 2),  # type: ignore[arg-type]
        (b" \n\n", 0),
    ],
    ids=["YAML", "documents", "CRLF", "mark", "JSON", "lines", "indented", "with tabs", "nothing"],
)
def test_each_form_is_recognised(letters: bytes, deals: int) -> None:
    found = [record.deal for record in read_deal_stream(lines(letters))]
    assert len(found) == deals and all(deal is not None and deal.id == "pam-revoke" for deal in found)


@pytest.mark.parametrize(
    ("letters", "places"),
    [
        (YAML.replace(b"dealer: ", b"dealer: x") + b"---\n" + YAML.replace(b"pack: 48", b"pack: 47"), 2),
        (as_json(2).replace(b'"pack": 48', b'"pack": 47'), 1),
    ],
    ids=["YAML", "JSON"],
)
def test_every_fault_has_the_line_in_the_stream(letters: bytes, places: int) -> None:
    problems = [problem for record in read_deal_stream(lines(letters)) for problem in record.problems]
    wrong = [at for at, line in enumerate(lines(letters), 1) if b"dealer: x" in line or b"47" in line]
    assert len(wrong) == places and [problem.line for problem in problems] == wrong
    assert {problem.file for problem in problems} == {"standard input"}


def test_a_faulty_line_does_not_swallow_the_next() -> None:
    letters = b"rubbish\n" + as_json() + b'{"deal": "x", "pa\n' + as_json() + b"[]\n"
    found = list(read_deal_stream(lines(letters)))
    assert [record.deal is not None for record in found] == [False, True, False, True, False]
    assert [record.problems[0].line for record in found if record.problems] == [1, 3, 5]


def test_the_record_of_a_line_comes_before_the_next_line_is_read() -> None:
    def wait() -> Iterator[bytes]:
        yield as_json()
        raise AssertionError("read too far")

    assert next(read_deal_stream(wait())).deal is not None


def test_letters_that_are_no_utf8_have_their_line() -> None:
    (record,) = read_deal_stream(lines(b"deal: x\ntitle: \xff\n"))
    assert [(problem.line, problem.what) for problem in record.problems] == [(2, "is not UTF-8")]
