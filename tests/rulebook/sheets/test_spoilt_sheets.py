"""Spoilt sheets: whatever happened to one, reading it ends without a traceback, and nothing is lost."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable
from functools import cache

import pytest

from rulebook.clause_edits import CannotEdit, ClauseFields, read_clause_fields
from rulebook.sheets.columns import COLUMNS, HEADINGS, OTHER_COLUMNS, STATUS_OF_MARK, WITHDRAW, WORD_COLUMNS
from rulebook.sheets.csv_form import parse_csv
from rulebook.sheets.grid import UnreadableSheet
from rulebook.sheets.held_rivals import list_alternatives
from rulebook.sheets.ods_form import parse_ods, render_ods
from rulebook.sheets.reading import ChangedRow
from tests.support.settling import SIGLA
from tests.support.sheets import cells_of, context_of, read_back, to_csv
from tests.support.spoiling import put_junk, sort_rows, spoil_sheet
from tests.support.tiers import sample

pytestmark = pytest.mark.slow


def assert_nothing_is_lost(siglum: str, octets: bytes) -> bool:
    """Whether the sheet was taken; if so, all is still there but what its rows take back in so many words."""
    context = context_of(siglum)
    try:
        reading, edits = read_back(context, octets)
        if reading.problems or edits.problems:
            assert all(
                one.what and one.way_out and one.line and one.column for one in reading.problems + edits.problems
            )
            return False
        after = edits.apply(context.letters)
    except (UnreadableSheet, CannotEdit) as fault:
        assert fault.what and fault.way_out
        return False
    old, new = read_clause_fields(context.letters), read_clause_fields(after)
    taken_back = {row.base.question for row in reading.changed if row.cells["answer"].casefold() == WITHDRAW}
    marked = {row.base.question for row in reading.changed if row.cells["answer"] in STATUS_OF_MARK}
    touched = {row.base.clause for row in reading.changed}
    assert {id for id in old if id not in touched} <= {*new}
    assert all(new[id] == old[id] for id in old if id not in touched)
    answered = {row.question for row in context.rows if row.answered and row.cells["answer"] not in STATUS_OF_MARK}
    ids = {slug: one.id for slug, one in context.questions.items()}
    still = {ids.get(key, key) for one in new.values() for key in one.get("answers", {})}
    assert answered - taken_back - marked <= still
    changed_rows = {(row.base.clause, row.base.question) for row in reading.changed}
    kept = [row for row in context.rows if row.clause and (row.clause, row.question) not in changed_rows]
    for row in kept:  # its answer stands where it stood, or where its clause has gone
        assert new[row.clause].get("answers", {}).get(row.key) == old[row.clause].get("answers", {}).get(row.key)
    gone = {id for id, fields in edits.changed.items() if fields is None}
    asked = {row.base.clause: row for row in reading.changed}
    for id in (id for id in old if id not in gone):
        assert old[id].get("reviewer") == new[id].get("reviewer")
        assert_readings_are_kept(old[id], new[id], asked.get(id))
        silenced = new[id]["status"] in ("silent", "inapplicable", "not-collated")
        assert silenced or count_lost_citations(old[id], new[id]) <= count_asked_citations(asked.get(id))
    reasons = [alternative["because"] for fields in new.values() for alternative in list_alternatives(fields)]
    typed = [row.cells["other_because"] for row in reading.changed if row.is_changed("other_because")]
    assert {one for one in typed if one} <= {*reasons}
    comments = [line for line in context.letters.split("\n") if line.startswith("#")]
    assert [line for line in after.split("\n") if line.startswith("#")] == comments
    return True


def assert_readings_are_kept(old: ClauseFields, new: ClauseFields, row: ChangedRow | None) -> None:
    """Every other reading is there as before but for what the cells of the clause's row say of it."""
    before, after = list_alternatives(old), list_alternatives(new)
    if row is None or not row.is_changed(*OTHER_COLUMNS):
        assert after == before
    elif row.cells["other_answer"].casefold() == WITHDRAW:
        assert row.base.cells["other_answer"] and len(before) == 1 and not after
    elif row.base.cells["other_answer"]:
        assert [one["id"] for one in after] == [one["id"] for one in before] and len(after) == 1
        assert after[0].get("cert") == before[0].get("cert")
    else:  # it is added here, or to the clause that the question gets for itself
        assert after[: len(before)] == before


def count_lost_citations(old: ClauseFields, new: ClauseFields) -> int:
    """How many citations behind the first are gone or changed."""
    there = new.get("cites", [])
    return sum(one not in there for one in old.get("cites", [])[1:])


def count_asked_citations(row: ChangedRow | None) -> int:
    """How many citations behind the first the cells of a row change or take back."""
    return sum(row is not None and row.is_changed(*pair) for pair in WORD_COLUMNS[1:])


@pytest.mark.parametrize("seed", sample(range(2000), every=80))
def test_a_spoilt_sheet_ends_without_a_traceback_and_loses_nothing(seed: int) -> None:
    rng = random.Random(seed)
    siglum = SIGLA[seed % len(SIGLA)]
    assert_nothing_is_lost(siglum, spoil_sheet(rng, cells_of(context_of(siglum))))


def test_some_spoilt_sheets_are_taken_and_some_refused() -> None:
    """Otherwise the test above would try nothing."""
    sheets = [put_junk(random.Random(seed), cells_of(context_of("GER"))) for seed in range(12)]
    sheets += [sort_rows(random.Random(1), cells_of(context_of("GER"))[1:]), cells_of(context_of("GER"))]
    assert {assert_nothing_is_lost("GER", to_csv(one)) for one in sheets} == {True, False}


# ---- ODS
@cache
def small_ods() -> bytes:
    return render_ods(cells_of(context_of("GER"))[:12], "GER", [False] * len(COLUMNS))


def with_part(name: str, replace: Callable[[bytes], bytes]) -> bytes:
    """The small ODS file with one part replaced."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(small_ods())) as before, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.infolist():
            octets = before.read(part)
            after.writestr(part.filename, replace(octets) if part.filename == name else octets)
    return made.getvalue()


ROW, CELL, END = b"<table:table-row", b"<table:table-cell", b"</table:table>"
LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("part", "replace", "said"),
    [
        ("styles.xml", lambda old: old + b" " * 60_000_000, "unpacks into more than"),
        ("content.xml", lambda old: old.replace(b"?>", b"?>" + LAUGHS, 1), "declares entities"),
        ("content.xml", lambda old: old.replace(ROW, ROW + b' table:number-rows-repeated="1048576"'), "more than"),
        ("content.xml", lambda old: old.replace(CELL, CELL + b' table:number-columns-repeated="16384"'), "more than"),
        ("content.xml", lambda old: old[:500], "cannot be unpacked"),
        ("content.xml", lambda old: b"", "cannot be unpacked"),
        ("mimetype", lambda old: b"application/x", "is no ODS spreadsheet"),
    ],
)  # fmt: skip
def test_an_ods_file_that_would_burst_is_refused(part: str, replace: Callable[[bytes], bytes], said: str) -> None:
    with pytest.raises(UnreadableSheet, match=said):
        parse_ods(with_part(part, replace))


def test_a_workbook_of_another_program_is_refused() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr("xl/workbook.xml", "<x/>")
    with pytest.raises(UnreadableSheet, match="is no ODS spreadsheet"):
        parse_ods(made.getvalue())


def test_the_empty_rows_with_which_libreoffice_fills_a_table_are_no_bomb() -> None:
    many = b' table:number-rows-repeated="1048520">' + CELL + b' table:number-columns-repeated="16384"/>'
    filler = ROW + many + b"</table:table-row>"
    grid = parse_ods(with_part("content.xml", lambda old: old.replace(END, filler + END)))
    assert [row for row in grid.rows if row] == [tuple(_cut(row)) for row in cells_of(context_of("GER"))[:12]]


def _cut(row: list[str]) -> list[str]:
    return row[: max(at for at, text in enumerate(row, 1) if text)]


def test_a_date_and_a_number_in_ods_are_read_as_such() -> None:
    old, typed = b'office:value-type="string"', b'office:value-type="%s" office:%s="%s"'
    date = typed % (b"date", b"date-value", b"2026-02-01")
    read = parse_ods(with_part("content.xml", lambda octets: octets.replace(old, date, 1)))
    assert read.rows[0][0] == "2026-02-01"
    read = parse_ods(
        with_part("content.xml", lambda octets: octets.replace(old, typed % (b"float", b"value", b"2"), 1))
    )
    assert read.rows[0][0] == "2"


@pytest.mark.parametrize("seed", sample(range(200), every=40))
def test_a_spoilt_ods_file_ends_without_a_traceback(seed: int) -> None:
    rng = random.Random(seed)
    octets = bytearray(small_ods())
    for _ in range(rng.randint(1, 20)):
        octets[rng.randrange(len(octets))] = rng.randrange(256)
    assert_nothing_is_lost("GER", bytes(octets[: rng.choice((len(octets), rng.randrange(len(octets))))]))


@pytest.mark.parametrize(
    ("octets", "said"),
    [
        (b"clause;question\0", "zero bytes"),
        (b'clause,question\n"open', "cannot be read as CSV"),
        (b"\xff\xfea", "is not UTF-16"),
        (b"clause\n\x81", "neither UTF-8 nor Windows-1252"),
        (b"a,b\n" * 150_000, "more than"),
    ],
)
def test_what_is_no_csv_is_refused(octets: bytes, said: str) -> None:
    with pytest.raises(UnreadableSheet, match=said):
        parse_csv(octets, HEADINGS)
