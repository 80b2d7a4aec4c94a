"""A sheet out and in again: the same bytes, whatever spreadsheet has saved it in between."""

from __future__ import annotations

import codecs
import random
import re
from collections import Counter

import pytest

from engine.answers import GAME_KINDS
from rulebook.answers.typed import parse_text
from rulebook.sheets.columns import COLUMNS, HEADINGS, STATUS_OF_MARK
from rulebook.sheets.csv_form import SEPARATORS, parse_csv, render_csv
from rulebook.sheets.grid import clean_cell, is_same_text, protect_cell
from rulebook.sheets.ods_form import parse_ods, render_ods
from tests.support.settling import SIGLA
from tests.support.sheets import cells_of, context_of, edited, fill, read_back, to_csv
from tests.support.tiers import sample

LOCKED = [column.locked or column.told for column in COLUMNS]


@pytest.mark.slow
@pytest.mark.parametrize("siglum", SIGLA)
def test_out_in_out_is_the_same_bytes(siglum: str) -> None:
    context = context_of(siglum)
    out = render_csv(cells_of(context))
    reading, edits = read_back(context, out.encode())
    after = edits.apply(context.letters)
    assert (after, reading.changed, reading.problems) == (context.letters, [], [])
    assert render_csv(cells_of(context_of(siglum, after))) == out


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(100), every=20))
def test_readings_and_words_that_were_filled_in_come_out_again_and_nothing_else_changes(seed: int) -> None:
    """A row whose words and answers are those of other rows, as far as it is taken, is the same when it is written."""
    rng, siglum = random.Random(seed), SIGLA[seed % len(SIGLA)]
    context = context_of(siglum)
    rows = [row for row in context.rows if row.answered and not (row.cells["rivals"] or row.cells["other_answer"])]
    once = {id for id, number in Counter(row.question for row in context.rows).items() if number == 1}
    row = rng.choice([row for row in rows if row.cells["status"] in ("stated", "implied") and row.question in once])
    question = next(one for one in context.questions.values() if one.id == row.question)
    other = rng.choice([one for one in question.readings or ("0", "7", "[]", "JH") if one != row.cells["answer"]])
    donor = rng.choice([one for one in context.rows if one.cells["words"] or one.cells["place"]])
    given = {"other_answer": other, "other_name": "the other", "other_because": "It may be.", "because": "So it is."}
    given |= {"words_2": donor.cells["words"], "place_2": donor.cells["place"]} if not row.cells["citations"] else {}
    sheet = fill(cells_of(context), row.question, **given)
    reading, edits = read_back(context, render_csv(sheet).encode())
    if reading.problems or edits.problems:
        assert all("other_answer" in one.what or "words" in one.what for one in reading.problems + edits.problems)
        return
    after = context_of(siglum, edits.apply(context.letters))
    (now,) = (one for one in after.rows if one.question == row.question)
    assert after.is_same_cell("other_answer", now, given.pop("other_answer")), "0 is {sum: 0} where that is meant"
    assert {name: now.cells[name] for name in given} == given
    assert (now.cells["status"], now.cells["rivals"]) == ("ambiguous", "")
    others = [(one.question, one.cells) for one in context.rows if one.clause != row.clause]
    assert [(one.question, one.cells) for one in after.rows if one.clause not in (row.clause, now.clause)] == others
    assert edited(after, sheet) == after.letters


@pytest.mark.parametrize("separator", SEPARATORS.values())
def test_every_cell_comes_back(separator: str) -> None:
    cells = [[*HEADINGS], ["=1+1", "-5", "'=x", "'x", "a;b,c\td", '"q"', "two\nlines", "@me", "+", "-", "ſ — …"]]
    grid = parse_csv(render_csv(cells, separator).encode(), HEADINGS)
    assert grid.rows[1] == tuple(clean_cell(one) if "\t" in one else one for one in cells[1])
    assert all(clean_cell(protect_cell(one)) == one for one in cells[1] if "\t" not in one)


@pytest.mark.parametrize(
    ("encoding", "separator", "end"),
    [
        ("utf-8-sig", ",", "\r\n"),
        ("utf-8-sig", ";", "\r\n"),  # Excel in a French or German Windows: CSV UTF-8
        ("cp1252", ";", "\r\n"),  # and plain CSV, which loses the long s
        ("utf-16", "\t", "\r\n"),  # Unicode text
        ("utf-8", ",", "\n"),  # LibreOffice
        ("utf-8", "|", "\n"),
    ],
)
@pytest.mark.parametrize("siglum", sample(["GER", "PAM"], every=2))
def test_an_untouched_sheet_saved_by_a_spreadsheet_changes_nothing(
    siglum: str, encoding: str, separator: str, end: str
) -> None:
    context = context_of(siglum)
    reading, edits = read_back(context, to_csv(cells_of(context), encoding, separator, end))
    assert (reading.problems, reading.changed, edits.changed, edits.added) == ([], [], {}, [])


def test_a_letter_that_windows_lacks_is_the_same_when_it_has_become_a_question_mark() -> None:
    grid = parse_csv("clause,words\nINN.c001,muſt follow\n".encode("cp1252", errors="replace"), HEADINGS)
    assert is_same_text(grid.rows[1][1], "muſt follow", grid.lossy)
    assert not is_same_text(grid.rows[1][1], "muſt fallow", grid.lossy)
    assert not is_same_text("mu?t", "must", parse_csv("ü,ſ".encode(), HEADINGS).lossy)


def test_a_line_that_declares_the_separator_is_no_row() -> None:
    context = context_of("GER")
    octets = codecs.BOM_UTF8 + b"sep=;\r\n" + to_csv(cells_of(context), "utf-8", ";", "\r\n")
    assert read_back(context, octets)[0].problems == []


def test_empty_rows_and_columns_at_the_end_are_passed_over() -> None:
    context = context_of("GER")
    cells = [[*row, "", ""] for row in cells_of(context)] + [[""] * 5, []]
    assert edited(context, cells) == context.letters


def test_rows_and_columns_may_be_sorted_and_a_column_of_ones_own_added() -> None:
    context = context_of("GER")
    head, *rows = cells_of(context)
    mixed = [[*reversed(head), "my remarks"], *([*reversed(row), "?"] for row in reversed(rows))]
    reading, edits = read_back(context, to_csv(mixed))
    assert (reading.problems, reading.changed, reading.ignored) == ([], [], ["my remarks"])
    assert edits.apply(context.letters) == context.letters


def test_what_only_informs_may_be_left_out() -> None:
    context = context_of("GER")
    gone = [at for at, one in enumerate(COLUMNS) if one.told]
    cells = [[text for at, text in enumerate(row) if at not in gone] for row in cells_of(context)]
    assert edited(context, cells) == context.letters


@pytest.mark.parametrize("siglum", SIGLA)
def test_every_answer_is_shown_as_it_may_be_typed(siglum: str) -> None:
    context = context_of(siglum)
    for row in context.rows:
        if row.cells["answer"] not in STATUS_OF_MARK:
            question = next(one for one in context.questions.values() if one.id == row.question)
            clause = next(one for one in context.source.clauses if one.id == row.clause)
            ids = {one.id: slug for slug, one in context.questions.items()}
            value, wrong = parse_text(question, row.cells["answer"], lambda name, ids=ids: ids.get(name, name))
            assert (value, wrong) == (clause.answers[question.slug], "")


# ---- ODS
@pytest.mark.slow
@pytest.mark.parametrize("siglum", sample(SIGLA, every=7))
def test_out_in_out_as_ods_is_the_same_bytes(siglum: str) -> None:
    context = context_of(siglum)
    out = render_ods(cells_of(context), siglum, LOCKED)
    reading, edits = read_back(context, out)
    assert (reading.problems, reading.changed) == ([], [])
    assert edits.apply(context.letters) == context.letters
    assert render_ods(cells_of(context), siglum, LOCKED) == out


def test_cells_of_ods_come_back_whatever_is_in_them() -> None:
    cells = [[*HEADINGS], ["=1+1", "-5", "'=x", "'x", "two\nlines", "a  b", "1-2", "007", "true", "2,5", " ſ", "<&>"]]
    read = parse_ods(render_ods(cells, "INN", LOCKED))
    assert read.rows[1] == tuple(one.strip() for one in cells[1])


def test_the_example_of_every_kind_of_answer_can_be_typed() -> None:
    """What the column `readings` offers as an example is taken by the question beside it."""
    questions = [one for one in context_of("GER").questions.values() if not one.closed]
    assert {str(one.measure["type"]) for one in questions} >= {*GAME_KINDS}
    for question in questions:
        row = next(one for one in context_of("GER").rows if one.question == question.id)
        first = row.cells["readings"].split("\n")[0]
        for example in re.findall(r"\[\{.*?\}\]|\[.*?\]|\{.*?\}|KQJ\w+|9C", first):
            if "as: ID" not in example:  # in which a person writes one
                assert parse_text(question, example)[1] == "", (question.id, example)
