"""One wording for what keeps a file from being read as JSON, whoever reads it, and the place of every fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from edition.corpus.releases import read_snapshot
from reversis.files import deals as worked
from rulebook.io.strict_json import locate_json_values, read_json_file
from rulebook.problems import Problem
from rulebook.receipts import read_receipt
from rulebook.schema.records import Record
from rulebook.schema.validation import read_json_record

FAULTS = {
    '{"a: b": 1,\n "a: b": 2}': "'a: b' is given twice",
    f'{{"{"k" * 5000}": 1,\n "{"k" * 5000}": 2}}': f"'{'k' * 57}...' is given twice",
    '{"a": NaN}': "NaN is no number",
    f'{{"a": {"9" * 5000}}}': "a number has too many digits",
    "[" * 100_000: "nests too deep",
}
READERS: dict[str, Callable[[Path], list[Problem]]] = {
    "stored files": lambda path: read_json_file(path, "x.json", "correct it")[1],
    "deals": lambda path: [*worked.read_deal_file(path, "x.json").problems],
    "receipts": lambda path: read_receipt(path, "x.json")[1],
    "snapshots": lambda path: read_snapshot(path, "x.json")[1],
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("letters", FAULTS, ids=FAULTS.values())
def test_what_is_no_json_is_told_by_every_reader_in_the_same_words(tmp_path: Path, reader: str, letters: str) -> None:
    (tmp_path / "x.json").write_text(letters, encoding="utf-8")
    (one,) = READERS[reader](tmp_path / "x.json")
    assert ((one.line, one.column), one.what) == ((1, 1), f"cannot be read as JSON: {FAULTS[letters]}") and one.way_out


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_tells_line_and_column_of_what_is_no_json(tmp_path: Path, reader: str) -> None:
    (tmp_path / "x.json").write_text('{"a":\n  nonsense}', encoding="utf-8")
    (one,) = READERS[reader](tmp_path / "x.json")
    assert (one.line, one.column, one.what) == (2, 3, "cannot be read as JSON: Expecting value")


class Small(Record):
    """A shape with one entry."""

    number: int


@pytest.mark.parametrize("blank", [" ", "\t", "\t\t", "\r\n\t", "\n \t"])
def test_a_fault_is_told_at_its_place_however_a_file_is_indented(tmp_path: Path, blank: str) -> None:
    path = tmp_path / "x.json"
    letters = f'{{{blank}"number":{blank}"seven"}}'
    path.write_text(letters, encoding="utf-8", newline="")
    found, (one,) = read_json_record(Small, path, "x.json", "correct it")
    before = letters[: letters.index('"seven"')]
    assert found is None and (one.line, one.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


@pytest.mark.parametrize("letter", ["\x7f", "\ufeff", "\u2028", "\u200b", "e\u0301", "\x85"])
def test_letters_that_yaml_refuses_do_not_hide_the_place(tmp_path: Path, letter: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"a": f"1{letter}", "b": [1, 2]}, ensure_ascii=False), encoding="utf-8")
    place = locate_json_values(path, "x.json").where(("b", 1))
    assert (place.line, place.column) == (1, path.read_text(encoding="utf-8").index("2]") + 1)
