"""Sheets spoilt at random, as hands, spreadsheets and disks do it."""

from __future__ import annotations

import random
from collections.abc import Callable

from rulebook.sheets.columns import ADDED_COLUMNS, HEADINGS, WITHDRAW, WITHDRAWN_COLUMNS
from tests.support.sheets import Cells, to_csv

JUNK = (
    *("", " ", "?", "-", "–", "n/a", WITHDRAW, "WITHDRAW", "01. Feb", "2,5", "2.0", "#NAME?", "=1+1", "'=x", "four"),
    *("[1, -1]", "{AD: 5", "[[[[[[1]]]]]]", "{" * 50, "null", "true", "9" * 40, "Q031", "PAM.s0001", "GER.s0010"),
    *("stated", "silent", "ambiguous", "inapplicable", "high", "der", "GER.s0068-GER.s0001", "x" * 5000, '"'),
    *("\u200b", "\x07", "\ufeff", "\U0001f600", "a\nb\n\nc", "# no comment", "- id: X", "*alias", "&a", "!!t"),
)
SpoilCells = Callable[[random.Random, Cells], Cells]


def put_junk(rng: random.Random, cells: Cells) -> Cells:
    for _ in range(rng.randint(1, 8)):
        row = rng.choice(cells[1:])
        row[rng.randrange(len(row))] = rng.choice(JUNK)
    return cells


def put_junk_in_answers(rng: random.Random, cells: Cells) -> Cells:
    for _ in range(rng.randint(1, 8)):
        rng.choice(cells[1:])[HEADINGS.index("answer")] = rng.choice(JUNK)
    return cells


def put_junk_in_added_cells(rng: random.Random, cells: Cells) -> Cells:
    """Other readings and further words, typed or taken back: some of them such as can be taken."""
    heads, needed = cells[0], ("readings", "words", "place", "because", *ADDED_COLUMNS)
    at = {name: heads.index(name) for name in needed if name in heads}
    if len(at) < len(needed):
        return cells
    for row in rng.sample(cells[1:], min(len(cells) - 1, rng.randint(1, 3))):
        if len(row) < len(heads):
            continue
        donor = rng.choice([cell for cell in cells[1:] if len(cell) == len(heads)])
        kind = rng.randrange(5)
        if kind == 0:
            row[at[rng.choice(ADDED_COLUMNS)]] = rng.choice(JUNK)
        elif kind == 1:
            row[at[rng.choice(WITHDRAWN_COLUMNS)]] = rng.choice((WITHDRAW, ""))
        elif kind == 2:
            row[at["words_2"]], row[at["place_2"]] = donor[at["words"]], donor[at["place"]]
        else:
            readings = [line.partition(":")[0] for line in row[at["readings"]].split("\n")]
            given = {"other_answer": rng.choice((*readings, "1", "[]", rng.choice(JUNK)))}
            given |= {"other_because": "It may be.", "because": row[at["because"]] or "So it is used."}
            for name, text in given.items():
                row[at[name]] = text
    return cells


def mix_rows(rng: random.Random, cells: Cells) -> Cells:
    """Cells of one row in another, as when a column is sorted by itself."""
    column = rng.randrange(len(HEADINGS))
    one, other = rng.sample(cells[1:], 2)
    one[column], other[column] = other[column], one[column]
    return cells


def drop_rows(rng: random.Random, cells: Cells) -> Cells:
    return [row for row in cells if rng.random() < 0.98]


def repeat_rows(rng: random.Random, cells: Cells) -> Cells:
    return [*cells, *(list(row) for row in rng.sample(cells, 2))]


def shift_cells(rng: random.Random, cells: Cells) -> Cells:
    rng.choice(cells).insert(rng.randrange(len(HEADINGS)), "")
    return cells


def cut_cells(rng: random.Random, cells: Cells) -> Cells:
    del rng.choice(cells)[rng.randrange(len(HEADINGS)) :]
    return cells


def drop_column(rng: random.Random, cells: Cells) -> Cells:
    column = rng.randrange(len(HEADINGS))
    return [[text for at, text in enumerate(row) if at != column] for row in cells]


def fill_down(rng: random.Random, cells: Cells) -> Cells:
    """One cell dragged over those below it."""
    column, first = rng.randrange(len(HEADINGS)), rng.randrange(1, len(cells) - 5)
    for row in cells[first : first + 4]:
        row[column] = cells[first][column]
    return cells


def sort_rows(rng: random.Random, cells: Cells) -> Cells:
    rng.shuffle(cells)
    return cells


def move_columns(rng: random.Random, cells: Cells) -> Cells:
    order = rng.sample(range(len(HEADINGS)), len(HEADINGS))
    return [[row[at] for at in order if at < len(row)] for row in cells]


def show_numbers_as_a_spreadsheet(rng: random.Random, cells: Cells) -> Cells:
    """A column of numbers with decimals, or as dates, as it looks once its format is no more that of text."""
    column, shown = HEADINGS.index("answer"), rng.choice(("{},0", "{}.00", "{},5", "0{}.01.2026", "{}. Feb", "{}-janv"))
    for row in cells[1:]:
        if column < len(row) and row[column].isdecimal() and rng.random() < 0.3:
            row[column] = shown.format(row[column])
    return cells


def curl_quotes(rng: random.Random, cells: Cells) -> Cells:
    """Straight quotes as a word processor sets them, in some rows."""
    for row in rng.sample(cells[1:], 20):
        row[:] = [one.replace('"', "“").replace("'", "’") for one in row]
    return cells


def lose_texts(rng: random.Random, cells: Cells) -> Cells:
    """A column that was emptied, as when the wrong one is marked and deleted."""
    column = rng.randrange(len(HEADINGS))
    return [cells[0], *([*row[:column], "", *row[column + 1 :]] for row in cells[1:])]


SPOIL_CELLS: tuple[SpoilCells, ...] = (
    put_junk, put_junk_in_answers, put_junk_in_answers, put_junk_in_added_cells, put_junk_in_added_cells, mix_rows,
    drop_rows, repeat_rows, shift_cells, cut_cells, drop_column, fill_down, sort_rows, move_columns,
    show_numbers_as_a_spreadsheet, curl_quotes, lose_texts,
)  # fmt: skip


def spoil_bytes(rng: random.Random, octets: bytes) -> bytes:
    """A few bytes changed, a piece cut out, or the end missing; mostly nothing of it."""
    kind, at = rng.randrange(10), rng.randrange(len(octets))
    if kind == 0:
        return octets[:at]
    if kind == 1:
        return octets[:at] + octets[at + rng.randrange(200) :]
    if kind == 2:
        return octets[:at] + rng.choice((b'"', b"\0", b"\xff\xfe", b"\x81", b"\r", b";", b"\n")) + octets[at:]
    if kind == 3:
        return octets[:at] + rng.randbytes(rng.randint(1, 40)) + octets[at:]
    return octets


def spoil_sheet(rng: random.Random, cells: Cells) -> bytes:
    for spoil in rng.sample(SPOIL_CELLS, rng.randint(1, 2)):
        cells = spoil(rng, cells)
    encoding = rng.choice(("utf-8", "utf-8-sig", "cp1252", "utf-16", "latin-1"))
    return spoil_bytes(rng, to_csv(cells, encoding, rng.choice(",;\t"), rng.choice(("\n", "\r\n"))))
