"""What a filled-in sheet does to the clauses: found, split, kept, merged, or refused with row and column."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from rulebook.clause_edits import read_clause_fields
from rulebook.sheets.columns import ADDED_COLUMNS, COLUMNS, EARLIER_COLUMNS, HEADINGS
from rulebook.sheets.context import SheetContext
from rulebook.sheets.csv_form import render_csv
from rulebook.sheets.rows import SheetRow, compute_version, list_sheet_rows
from tests.support.in_one_test import in_one_test
from tests.support.settling import SIGLA
from tests.support.sheets import cells_of, context_of, edited, faults, fill, read_back, to_csv

GER = "GER"


def clauses(letters: str) -> dict[str, dict[str, Any]]:
    return {id: dict(one) for id, one in read_clause_fields(letters).items()}


def changed(before: str, after: str) -> dict[str, dict[str, Any]]:
    """The clauses that are other than before, or new."""
    old = clauses(before)
    return {id: one for id, one in clauses(after).items() if old.get(id) != one}


def refuse(question: str, siglum: str = GER, **given: str) -> str:
    """What is said of a sheet in which these cells were filled."""
    context = context_of(siglum)
    found = faults(context, render_csv(fill(cells_of(context), question, **given)).encode())
    assert found, "it is refused"
    return "\n".join(found)


def accept(question: str, siglum: str = GER, **given: str) -> dict[str, dict[str, Any]]:
    """The clauses that a sheet changes in which these cells were filled."""
    return accept_in(context_of(siglum), question, **given)


def accept_in(context: SheetContext, question: str, **given: str) -> dict[str, dict[str, Any]]:
    """The same, in a source as it stands after something was written."""
    return changed(context.letters, edited(context, fill(cells_of(context), question, **given)))


# ---- what is read right
@pytest.mark.slow
def test_the_sentence_is_found_from_the_words_as_they_are_remembered() -> None:
    (one,) = accept("Q001", words="vier auch funf personen").values()
    assert (one["cites"][0]["exact"], one["cites"][0]["locus"]) == ("Vier, auch fünf Personen", "GER.s0010")
    before = clauses(context_of(GER).letters)["GER.c001"]
    assert one["cites"][1:] == before["cites"][1:] and one["reviewer"] == before["reviewer"]


def test_a_change_in_one_row_of_a_clause_splits_that_question_off() -> None:
    before = clauses(context_of(GER).letters)["GER.c031"]
    found = accept("Q099", note="Only for the fine.")
    assert found["GER.c031"] == before | {"answers": {"Q100": before["answers"]["Q100"]}}
    (new,) = (one for id, one in found.items() if id != "GER.c031")
    assert (new["answers"], new["cites"], new["note"]) == ({"Q099": 2}, before["cites"], "Only for the fine.")
    assert "reviewer" not in new, "nobody has reviewed it"


def test_a_new_id_was_never_given_to_anything() -> None:
    (new,) = accept("Q099", note="x").keys() - {"GER.c031"}
    assert new not in context_of(GER).published


def test_where_a_question_has_another_kind_now_the_sheet_takes_the_place_of_its_old_answer() -> None:
    letters = context_of(GER).letters
    old = next(answer for answer in ("Q099: 2", "Q100: 2") if answer in letters)
    context = context_of(GER, letters.replace(old, f"{old[:4]}: somebody", 1))
    found = accept_in(context, old[:4], answer="2")
    assert any(one.get("answers", {}).get(old[:4]) == 2 for one in found.values())


def test_a_dash_is_silence_over_the_whole_text() -> None:
    found = accept("Q099", answer="–", words="", place="")
    (new,) = (one for one in found.values() if one["status"] == "silent")
    assert (new["on"], new["searched"]) == (["Q099"], "GER.s0001-GER.s0068") and "cites" not in new


def test_rivals_and_comments_stay_when_their_clause_changes() -> None:
    context = context_of("ACA")
    before = clauses(context.letters)["ACA.c101"]
    after = edited(context, fill(cells_of(context), "Q002", note="New."))
    assert clauses(after)["ACA.c101"] == before | {"note": "New."}
    assert "Q002: with-or-without-tens  # table.pack" in after


def test_withdraw_takes_a_clause_out_and_leaves_its_question_uncollated() -> None:
    context = context_of(GER)
    reading, edits = read_back(context, render_csv(fill(cells_of(context), "Q218", answer="withdraw")).encode())
    assert (reading.problems, edits.problems, edits.withdrawn) == ([], [], ["GER.c153"])
    (new,) = changed(context.letters, edits.apply(context.letters)).values()
    assert (new["on"], new["status"]) == (["Q218"], "not-collated")


# ---- other readings, further words
OTHER = {"because": "So the example.", "other_answer": "four", "other_because": "The fifth may only look on."}


def rows_with(siglum: str, *columns: str) -> list[SheetRow]:
    """The rows of a source in which these cells are filled."""
    return [row for row in context_of(siglum).rows if all(row.cells[name] for name in columns)]


def test_another_answer_makes_a_rival_and_the_words_ambiguous() -> None:
    (one,) = accept("Q001", **OTHER).values()
    assert (one["status"], one["because"], one["label"]) == ("ambiguous", "So the example.", "4 or 5")
    (rival,) = one["rivals"]
    assert rival == {"id": rival["id"], "label": "4", "answers": {"Q001": "four"}, "because": OTHER["other_because"]}
    assert rival["id"] not in context_of(GER).published


def test_another_answer_has_a_computation_of_its_own() -> None:
    context, given = context_of(GER), OTHER | {"other_answer": "0", "other_computation": "nobody else is named = 0"}
    later = context_of(GER, edited(context, fill(cells_of(context), "Q099", **given)))
    (row,) = (row for row in later.rows if row.question == "Q099")
    assert {name: row.cells[name] for name in given} == given and row.cells["computation"] == ""
    (rival,) = clauses(later.letters)[row.clause]["rivals"]
    assert (rival["answers"], rival["computation"]) == ({"Q099": 0}, given["other_computation"])
    (one,) = accept_in(later, "Q099", other_computation="").values()
    assert "computation" not in one["rivals"][0]


def test_a_row_shows_the_other_answer_that_was_typed_and_takes_it_back() -> None:
    context = context_of(GER)
    sheet = fill(cells_of(context), "Q001", **OTHER)
    later = context_of(GER, edited(context, sheet))
    (row,) = (row for row in later.rows if row.question == "Q001")
    assert {name: row.cells[name] for name in OTHER} == OTHER
    assert (row.cells["other_name"], row.cells["rivals"]) == ("4", "")
    assert edited(later, sheet) == later.letters, "the same sheet once more"
    fresh = cells_of(later)
    assert "was four and is now empty" in "\n".join(faults(later, to_csv(fill(fresh, "Q001", other_answer=""))))
    changed_mind = fill(fresh, "Q001", other_because="Another reason.", other_answer="four")
    (one,) = changed(later.letters, edited(later, changed_mind)).values()
    assert one["rivals"][0]["because"] == "Another reason."
    gone = clauses(edited(later, fill(fresh, "Q001", other_answer="withdraw")))["GER.c001"]
    assert gone["status"] == "stated" and not {"rivals", "label"} & {*gone}


def test_a_published_reading_that_is_withdrawn_leaves_a_tombstone() -> None:
    row = next(row for row in rows_with("PAM", "other_answer"))
    before = clauses(context_of("PAM").letters)[row.clause]
    assert before["rivals"][0]["cert"] == "low"
    sheet = fill(cells_of(context_of("PAM")), row.question, other_answer="withdraw")
    assert read_back(context_of("PAM"), to_csv(sheet))[1].withdrawn == [before["rivals"][0]["id"]]
    (one,) = accept(row.question, "PAM", other_because="Otherwise.").values()
    assert one["rivals"] == [before["rivals"][0] | {"because": "Otherwise."}], "id, name and certainty stay"


# ---- answers that go with the other reading of another question
GUEST = {"other_answer": "nothing", "other_with": "Q033"}


def test_an_answer_that_goes_with_another_reading_stands_in_the_row_of_its_own_question() -> None:
    (host,) = (row for row in context_of("PAM").rows if row.question == "Q033")
    (guest,) = (row for row in context_of("PAM").rows if row.question == "Q038")
    assert (host.cells["other_answer"], host.cells["other_with"], host.cells["rivals"]) == ("sole-card", "", "")
    assert {name: guest.cells[name] for name in GUEST} == GUEST
    rival = clauses(context_of("PAM").letters)[host.clause]["rivals"][0]
    assert rival["answers"] == {"Q033": "sole-card", "Q038": "nothing"}


def test_silence_within_another_reading_is_entered_changed_and_taken_back() -> None:
    """As a historian wanted to with Hoyle: under the other reading of Q033 the text says nothing on Q038."""
    context = context_of("PAM")
    before = clauses(context.letters)["PAM.c033"]
    silent = edited(context, fill(cells_of(context), "Q038", other_answer="–"))
    (rival,) = clauses(silent)["PAM.c033"]["rivals"]
    assert (rival["answers"], rival["silent"]) == ({"Q033": "sole-card"}, ["Q038"])
    assert rival["searched"] == "PAM.s0001-PAM.s0128", "the whole text, as of any silence"
    later = context_of("PAM", silent)
    (guest,) = (row for row in later.rows if row.question == "Q038")
    assert (guest.cells["other_answer"], guest.cells["other_with"]) == ("-", "Q033")
    assert edited(later, cells_of(later)) == silent, "an untouched sheet changes nothing"
    for given, answers in (("nothing", {"Q033": "sole-card", "Q038": "nothing"}), ("withdraw", {"Q033": "sole-card"})):
        (rival,) = clauses(edited(later, fill(cells_of(later), "Q038", other_answer=given)))["PAM.c033"]["rivals"]
        assert rival == before["rivals"][0] | {"answers": answers}, "and nothing is left of the silence"
    (rival,) = clauses(edited(later, fill(cells_of(later), "Q033", other_because="So it sounds.")))["PAM.c033"][
        "rivals"
    ]
    assert rival["silent"] == ["Q038"]


def test_it_goes_with_the_reading_when_that_is_changed_and_when_it_is_withdrawn() -> None:
    (one,) = accept("Q033", "PAM", other_because="It sounds so.").values()
    assert one["rivals"][0]["answers"] == {"Q033": "sole-card", "Q038": "nothing"}
    later = context_of("PAM", edited(context_of("PAM"), fill(cells_of(context_of("PAM")), "Q033", **WITHDRAWN)))
    (guest,) = (row for row in later.rows if row.question == "Q038")
    assert (guest.cells["other_answer"], guest.cells["other_with"]) == ("", "")


WITHDRAWN = {"other_answer": "withdraw", "status": "implied"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "given", "said"),
    [
        ("Q038", {"other_with": ""}, "other_with (U39), PAM.c038, Q038: was Q033 and is now empty"),
        ("Q038", {"other_with": "Q999"}, "there is no question 'Q999'"),
        ("Q038", {"other_with": "Q038"}, "is the question of this row"),
        ("Q038", {"other_with": "Q001"}, "Q001 has no other reading"),
        ("Q038", {"other_with": "Q075"}, "Q075 has several other readings"),
        ("Q038", {"other_answer": "perhaps"}, "perhaps is no reading"),
        ("Q042", {"other_answer": "-", "other_with": "Q033"}, "is silence, and Q042 is answered here in every reading"),
        ("Q033", {"other_answer": "-"}, "- is no answer; silence goes with the other reading of another question"),
        ("Q038", {"other_because": "x"}, "is that of the other reading of Q033"),
        ("Q033", {"other_with": "Q038"}, "Q033 has another reading of its own; to replace that one, write withdraw"),
        (
            "Q078",
            {"status": "ambiguous"} | GUEST | {"other_answer": "matches"},
            "status (G84), PAM.c078, Q078: is ambig",
        ),
        ("Q001", {"other_with": "Q033"}, "other_answer (Q2), PAM.c001, Q001: is missing"),
    ],
)
def test_an_answer_that_goes_with_no_reading_is_refused(question: str, given: dict[str, str], said: str) -> None:
    assert said in refuse(question, "PAM", **given)


def test_further_words_become_citations_behind_the_first_and_are_shown_again() -> None:
    context = context_of(GER)
    before = clauses(context.letters)["GER.c001"]["cites"]
    sheet = fill(cells_of(context), "Q001", words_2="zum marquieren der tours", words_3="Cajus der die Carte ausgiebt")
    later = context_of(GER, edited(context, sheet))
    cites = clauses(later.letters)["GER.c001"]["cites"]
    assert [cite["locus"] for cite in cites] == ["GER.s0010", "GER.s0012", "GER.s0020", before[1]["locus"]]
    assert (cites[0], cites[3], cites[1]["role"]) == (*before, "grounds")
    (row,) = (row for row in later.rows if row.question == "Q001")
    assert (row.cells["words_2"], row.cells["place_3"]) == ("zum marquieren der Tours", "GER.s0020")
    assert edited(later, sheet) == later.letters, "the same sheet once more"
    (told,) = faults(later, to_csv(fill(cells_of(later), "Q001", words_2="")))
    assert "words_2 (V2), GER.c001, Q001: was zum marquieren der Tours and is now empty" in told
    (one,) = accept_in(later, "Q001", words_2="withdraw").values()
    assert one["cites"] == [cites[0], *cites[2:]]


def test_only_what_the_answer_rests_on_has_cells_and_the_rest_stays_locked() -> None:
    (row,) = (row for row in context_of(GER).rows if row.clause == "GER.c007")
    assert row.cells["words_2"] == "Das Reversis hat keine Trümpfe" and not row.cells["words_3"]
    assert row.cells["citations"].startswith("supports GER.s0045") and "against GER.s0027" in row.cells["citations"]


# ---- what does not stay behind
SUPPLIED = {"taken_from": "PAM", "because": "GER does not say it; taken from PAM.", "certainty": "low"}


def supplied() -> tuple[SheetContext, str, str]:
    """A source with a supplied answer: the source, the question, its clause."""
    context = context_of(GER)
    closed = {question.id: [*question.readings] for question in context.questions.values() if question.readings}
    asked = next(row for row in context.rows if row.cells["answer"] == "-" and row.question in closed)
    sheet = fill(cells_of(context), asked.question, answer=closed[asked.question][0], **SUPPLIED)
    later = context_of(GER, edited(context, sheet))
    return later, asked.question, next(row.clause for row in later.rows if row.question == asked.question)


def test_a_supplied_answer_that_is_taken_back_takes_its_reason_along() -> None:
    context, question, clause = supplied()
    assert clauses(context.letters)[clause]["cert"] == "low"
    (one,) = accept_in(context, question, answer="-").values()
    assert (one["on"], one["status"], one["cert"]) == ([question], "silent", "high")
    assert not {"because", "taken_from", "answers"} & {*one} and one["searched"]
    assert "no reason is given" in "\n".join(faults(context, to_csv(fill(cells_of(context), question, answer="n/a"))))
    (one,) = accept_in(context, question, answer="n/a", because="Another answer rules it out.").values()
    assert one["because"] == "Another answer rules it out." and "taken_from" not in one
    (one,) = accept_in(context, question, words="vier auch funf personen").values()
    assert one["status"] == "stated" and not {"because", "taken_from", "searched"} & {*one}


def test_words_beside_a_silence_are_refused_though_it_was_one_before() -> None:
    row = next(row for row in context_of(GER).rows if row.cells["answer"] == "-")
    assert "the answer is -, and words are cited for it" in refuse(row.question, words="vier auch funf personen")


# ---- sheets of an earlier form
def as_earlier(context: SheetContext) -> list[list[str]]:
    """A sheet as it was written before it had cells for other readings and further words."""
    rows = [row.as_earlier() for row in context.rows]
    names = [name for name in HEADINGS if name not in ADDED_COLUMNS]
    return [names, *([row.cells[name] for name in names] for row in rows)]


def as_second(context: SheetContext) -> list[list[str]]:
    """A sheet as it was written when another reading had no computation of its own."""
    compared = [*EARLIER_COLUMNS, *(column.name for column in COLUMNS if column.added == 1)]
    cells = [row.cells | {"version": compute_version(row.cells, compared)} for row in context.rows]
    names = [column.name for column in COLUMNS if column.added < 2]
    return [names, *([row[name] for name in names] for row in cells)]


@pytest.mark.parametrize("siglum", SIGLA)
def test_a_sheet_of_the_second_form_is_still_read(siglum: str) -> None:
    context = context_of(siglum)
    reading, edits = read_back(context, to_csv(as_second(context)))
    assert (reading.problems, reading.changed, reading.overtaken, edits.changed) == ([], [], [], {})


@pytest.mark.parametrize("siglum", SIGLA)
def test_a_sheet_of_an_earlier_form_is_still_read(siglum: str) -> None:
    context = context_of(siglum)
    reading, edits = read_back(context, to_csv(as_earlier(context)))
    assert (reading.problems, reading.changed, reading.overtaken, edits.changed) == ([], [], [], {})


def test_an_entry_in_a_sheet_of_an_earlier_form_loses_neither_readings_nor_citations() -> None:
    context = context_of("PAM")
    row = next(row for row in rows_with("PAM", "other_answer", "words_2"))
    names, *cells = as_earlier(context)
    at = names.index("note")
    cells = [[*cell[:at], "New.", *cell[at + 1 :]] if cell[1] == row.question else cell for cell in cells]
    before = clauses(context.letters)[row.clause]
    reading, edits = read_back(context, to_csv([names, *cells]))
    assert [*reading.problems, *edits.problems] == []
    assert changed(context.letters, edits.apply(context.letters)) == {row.clause: before | {"note": "New."}}


# ---- the file has changed meanwhile
def test_a_sheet_can_be_read_again_after_more_was_filled_in() -> None:
    first = fill(cells_of(context_of(GER)), "Q001", words="vier auch funf personen")
    later = context_of(GER, edited(context_of(GER), first))
    assert edited(later, first) == later.letters
    assert [*changed(later.letters, edited(later, fill(first, "Q002", note="More.")))] == ["GER.c002"]
    split = fill(first, "Q099", note="Split.")
    latest = context_of(GER, edited(later, split))
    assert edited(latest, split) == latest.letters


def test_what_was_changed_in_the_file_only_stays_and_what_was_changed_on_both_sides_is_refused() -> None:
    sheet = cells_of(context_of(GER))
    later = context_of(GER, edited(context_of(GER), fill(sheet, "Q001", note="In the file.")))
    assert edited(later, sheet) == later.letters
    both = clauses(edited(later, fill(sheet, "Q001", because="In the sheet.")))["GER.c001"]
    assert (both["note"], both["because"]) == ("In the file.", "In the sheet.")
    (fault,) = faults(later, render_csv(fill(sheet, "Q001", note="In the sheet.")).encode())
    assert "note (O2)" in fault and "changed here too" in fault


# ---- what is refused
def test_an_answered_row_that_is_empty_or_missing_is_no_deletion() -> None:
    assert "answer (F2), GER.c001, Q001: was four-or-five and is now empty" in refuse("Q001", answer="")
    context = context_of(GER)
    gone = [row for row in cells_of(context) if row[1] != "Q001"]
    (fault,) = faults(context, to_csv(gone))
    assert "the row of GER.c001, Q001 is missing" in fault and "withdraw" in fault
    (fault,) = faults(context, to_csv(gone[:1]))
    assert f"{len(context.rows)} rows that were answered are missing" in fault


def test_a_question_of_one_s_own_is_proposed_and_then_has_its_row_in_a_new_sheet() -> None:
    context = context_of(GER)
    cells = cells_of(context)
    row = ["Q901" if name == "question" else "yes" if name == "answer" else "" for name in HEADINGS]
    (fault,) = faults(context, to_csv([*cells, row]))
    assert "there is no question 'Q901'" in fault and "did you mean" in fault
    assert "? A question of your own is proposed first, in GER/proposed.yaml" in fault
    assert "take the row out, read the sheet, and then propose" in fault
    assert "has its row in a new sheet (--out)" in fault
    added = replace(context.questions["table.players"], id="Q901", slug="table.dogs", by=GER, readings={"yes": "Yes."})
    questions = {**context.questions, "table.dogs": added}
    later = replace(context, questions=questions, rows=list_sheet_rows(context.letters, questions, GER))
    told = faults(later, to_csv([*cells, row]))
    assert len({*told}) == 1 and "version (AE" in told[0] and "this row was not in the sheet" in told[0]
    assert "write a new sheet with reversis sheet GER --out FILE.csv, and copy into its row" in told[0]


@pytest.mark.slow
@in_one_test(
    "given, said",
    [
        ({"answer": "four-or-fife"}, "answer (F2), GER.c001, Q001: four-or-fife is no reading of table.players"),
        ({"answer": "01. Feb"}, "answer (F2), GER.c001, Q001: 01. Feb looks like a date"),
        ({"answer": "02-janv"}, "looks like a date"),
        ({"computation": "01/02/2026"}, "computation (L2), GER.c001, Q001: 01/02/2026 looks like a date"),
        ({"because": "#NOM?"}, "what a spreadsheet writes for a formula"),
        ({"note": "a\u200bb"}, "U+200B"),
        ({"status": "statted"}, "did you mean stated?"),
        ({"status": "ambiguous"}, "fill `other_answer`"),
        ({"certainty": "sure"}, "'sure' is no certainty"),
        ({"words": "fünfundzwanzig Personen spielen Whist"}, "does not stand in GER"),
        (
            {"words": "vier oder auch fünf Personen dürfen mit derlei Karten handeln"},
            'the nearest is "Vier, auch fünf Personen" in GER.s0010',
        ),
        ({"words": "zzyzx qqq"}, "fewer words may be found"),
        ({"words": "der"}, "write under `place` which is meant"),
        ({"words": "", "place": ""}, "no words of the source are given"),
        ({"place": "GER.s9999"}, "'GER.s9999' is no sentence of GER"),
        ({"place": "GER.s0011"}, "they stand in GER.s0010"),
        ({"coder": "me"}, "there is no coder 'me'"),
        ({"reviewer": "me"}, "reviewer (AD2), GER.c001, Q001: this column is locked"),
        ({"citations": ""}, "put back 'supports GER.s0016"),
        ({"clause": "GER.c999"}, "GER.c999 does not speak to Q001"),
        ({"question": "Q1"}, "there is no question 'Q1'"),
        ({"version": "", "note": "x"}, "version (AE2), GER.c001, Q001: is empty"),
        ({"answer": "-"}, "empty `words` and `place`"),
        ({"answer": "silent"}, "if the source does not say, write -"),
        ({"citations": "grounds GER.s0016"}, "further words go into words_2 and words_3"),
        ({"rivals": "four"}, "what the words may also mean goes into other_answer"),
        ({"status": "contradictory", "because": "Both."}, "the answer is contradictory, and the other one is missing"),
        ({"status": "implied", "other_answer": "four", "other_because": "x"}, "write ambiguous or contradictory"),
        ({"other_answer": "four"}, "other_because (S2), GER.c001, Q001: no reason is given"),
        ({"other_answer": "five", "other_because": "x"}, "other_answer (Q2), GER.c001, Q001: five is no reading"),
        ({"other_answer": "four-or-five", "other_because": "x"}, "both readings have the same answer"),
        ({"other_because": "x"}, "other_answer (Q2), GER.c001, Q001: is missing"),
        ({"words_2": "fünfundzwanzig Personen"}, "words_2 (V2), GER.c001, Q001: "),
        ({"place_2": "GER.s9999"}, "place_2 (W2), GER.c001, Q001: 'GER.s9999' is no sentence of GER"),
        ({"words_2": "der"}, "write under `place_2` which is meant"),
        ({"words_3": "Vier, auch fünf Personen"}, "words_2 is empty"),
    ],
)
def test_a_cell_that_cannot_be_taken_is_refused_with_row_and_column(given: dict[str, str], said: str) -> None:
    context = context_of(GER)
    cells = cells_of(context)
    cells[1] = [given.get(name, text) for name, text in zip(HEADINGS, cells[1], strict=True)]
    assert any(said in fault for fault in faults(context, render_csv(cells).encode()))


def test_a_supplied_answer_says_whence_and_why() -> None:
    context = context_of(GER)
    closed = {question.id: [*question.readings] for question in context.questions.values() if question.readings}
    asked = next(row for row in context.rows if row.cells["answer"] == "-" and row.question in closed)
    value = closed[asked.question][0]
    told = refuse(asked.question, answer=value, because="")
    assert "taken_from" in told and "because" in told


def test_a_column_that_is_missing_or_twice_is_named() -> None:
    context = context_of(GER)
    head, *rows = cells_of(context)
    wrong = [["anwser" if one == "answer" else one for one in head], *rows]
    assert "did you mean anwser?" in "\n".join(faults(context, to_csv(wrong)))
    twice = [[*head, "note"], *([*row, ""] for row in rows)]
    assert "is there twice" in "\n".join(faults(context, to_csv(twice)))
    assert "is empty" in "\n".join(faults(context, b""))
    (one,) = faults(context, b"hello")
    assert re.search(r"is no sheet of ours: (\d+) of \1 columns are missing, such as clause; give the CSV or ODS", one)


def test_a_question_on_trial_has_a_row_in_the_sheet_of_its_source_only() -> None:
    context = context_of(GER)
    question = next(iter(context.questions.values()))
    on_trial = {**context.questions, "on.trial": replace(question, id="Q999", slug="on.trial", by="PAM")}
    rows = {siglum: list_sheet_rows(context.letters, on_trial, siglum) for siglum in (GER, "PAM")}
    assert [row.question for row in rows["PAM"] if row not in rows[GER]] == ["Q999"]
    answered = list_sheet_rows(context.letters.replace(f"{question.id}:", "Q999:"), on_trial, GER)
    assert "Q999" in [row.question for row in answered], "but whoever answers it has its row"
