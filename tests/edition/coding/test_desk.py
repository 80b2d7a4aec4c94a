"""Coding in the browser: an answer changes its clause and nothing else, is refused in words, and can be undone."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from edition.coding.desk import ClausesChanged, ClausesHeld, CodingDesk, NotShown, NotWritten
from edition.coding.form_rows import FormAnswer, Marked, RivalFields, SilentAnswers
from edition.coding.history import HISTORY_FILE
from edition.corpus.progress import format_progress
from rulebook.clause_edits import read_clause_fields
from rulebook.load import load_library
from tests.support.coding import (
    BOTH,
    FIRST,
    FIRST_ALONE,
    LAST,
    fill_form,
    find_row,
    mark_words,
    read_clauses_file,
    write_by_hand,
)
from tests.support.killing import hidden
from tests.support.library import ASKED_OF_BOTH, CLAUSES, SPOKEN, write_library


@pytest.fixture
def desk(tmp_path: Path) -> CodingDesk:
    return CodingDesk(write_library(tmp_path, deals=False))


def clause(desk: CodingDesk, id: str) -> dict[str, Any]:
    return dict(read_clause_fields(read_clauses_file(desk, id[:3]))[id])


def refused(desk: CodingDesk, given: FormAnswer, siglum: str = "AAA") -> NotWritten:
    before = read_clauses_file(desk, siglum)
    with pytest.raises(NotWritten) as found:
        desk.write_answer(siglum, given)
    assert read_clauses_file(desk, siglum) == before and not hidden(desk.root)
    return found.value


def fields_refused(desk: CodingDesk, given: FormAnswer, siglum: str = "AAA") -> dict[str, str]:
    return {one["field"]: one["what"] for one in refused(desk, given, siglum).more["fields"]}


# ---- what is shown
def test_the_form_is_told_the_text_the_questions_and_the_present_answers(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    assert [one["id"] for one in state["sentences"]] == ["AAA.s0001", "AAA.s0002", "AAA.s0003"]
    assert state["sentences"][2]["text"].startswith("On le paye doble"), "as it stands on the page"
    assert state["sentences"][2]["english"] == "It is paid twice in the first trick, and twice in the last."
    first = state["questions"][0]
    assert (first["asks"], first["readings"][0]) == ("Who is paid the toll?", ["leader", "He who led."])
    assert find_row(state, "Q001")["cells"]["words"] == "Celui qui mene reçoit deux jetons"
    assert (state["paraphrased"], state["undo"], state["coders"]) == (False, None, ["ed1"])


def test_a_paraphrased_source_has_statements(desk: CodingDesk) -> None:
    state = desk.describe("BBB")
    assert state["paraphrased"] and [one["id"] for one in state["sentences"]] == ["BBB.n01", "BBB.n02"]
    assert (state["sentences"][0]["statement"], state["sentences"][0]["text"]) == (
        "Whoever leads is paid.",
        "pays the leader",
    )


@pytest.mark.parametrize("siglum", ["CCC", "", "..", "aaa", "questions", "AAA/.."])
def test_what_is_no_source_is_not_shown(desk: CodingDesk, siglum: str) -> None:
    with pytest.raises(NotShown, match="there is no source"):
        desk.describe(siglum)


def test_clauses_that_cannot_be_read_are_told_with_their_line(desk: CodingDesk) -> None:
    write_by_hand(desk.root / "AAA" / "clauses.yaml", "  status: stated\n", "  status: [stated\n")
    with pytest.raises(NotShown, match=r"AAA/clauses\.yaml:1\d:"):
        desk.describe("AAA")


# ---- what is written
def test_an_answer_changes_the_lines_of_its_clause_and_no_other_byte(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    told = desk.write_answer("AAA", fill_form(state, "Q003", **FIRST))
    assert told["written"] and find_row(told, "Q003")["cells"]["answer"] == "[1]"
    assert read_clauses_file(desk) == FIRST_ALONE


def test_marked_words_are_cited_where_they_were_marked(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    marked = mark_words(state, "AAA.s0003", "levée", 1)
    desk.write_answer("AAA", fill_form(state, "Q001", marked=marked, answer="taker"))
    (new,) = (
        one for id, one in read_clause_fields(read_clauses_file(desk)).items() if id not in ("AAA.c001", "AAA.c002")
    )
    (cite,) = new["cites"]
    assert (cite["locus"], cite["exact"], cite["suffix"]) == ("AAA.s0003", "levée", ".")
    assert cite["seen"].startswith("sha256:") and new["answers"] == {"Q001": "taker"}
    assert clause(desk, "AAA.c001")["answers"] == {"Q002": 2}, "the question was taken from its clause"


def test_words_are_marked_over_the_end_of_a_sentence(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    marked = Marked(first="AAA.s0002", last="AAA.s0003", start=27, end=10, exact="jetons de chacun. On le paye")
    desk.write_answer("AAA", fill_form(state, "Q001", marked=marked, place="AAA.s0002-AAA.s0003"))
    (new,) = (
        field
        for field in read_clause_fields(read_clauses_file(desk)).values()
        if field["answers"] == {"Q001": "leader"}
    )
    cite = new["cites"][0]
    assert (cite["locus"], cite["to"], cite["exact"]) == ("AAA.s0002", "AAA.s0003", "jetons de chacun. On le paye")


def test_what_is_not_applicable_needs_no_words_but_a_reason(desk: CodingDesk) -> None:
    state = desk.describe("BBB")
    given = fill_form(state, "Q003", answer="n/a", taken_from="", because="")
    assert fields_refused(desk, given, "BBB") == {"because": "no reason is given"}
    desk.write_answer("BBB", fill_form(state, "Q003", answer="n/a", taken_from="", because="Nobody is paid."))
    assert clause(desk, "BBB.c002")["status"] == "inapplicable"


def test_what_the_file_says_already_is_not_written_again(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    for question in ("Q001", "Q002", "Q003"):
        assert not desk.write_answer("AAA", fill_form(state, question))["written"]
    assert read_clauses_file(desk) == CLAUSES and not (desk.root / "AAA" / HISTORY_FILE).exists()


def test_check_is_content_with_what_was_written(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    marked = mark_words(state, "AAA.s0002", "reçoit deux jetons de chacun")
    desk.write_answer("AAA", fill_form(state, "Q002", marked=marked, answer="2"))
    _, problems = load_library(desk.root)
    assert problems == []


# ---- what is refused
@pytest.mark.parametrize(
    ("given", "field", "what"),
    [
        ({"answer": ""}, "answer", "is missing"),
        ({"answer": "nobdy"}, "answer", "nobdy is no reading"),
        ({"answer": "taker", "words": "not there at all"}, "words", "does not stand in AAA"),
        ({"because": "a\u202eb"}, "because", "cannot be seen"),
        ({"coder": "ed9"}, "coder", "no coder 'ed9'"),
        ({"place": "AAA.s0099"}, "place", "no sentence of AAA"),
        ({"status": "sure"}, "status", "'sure' is no status"),
    ],
)
def test_a_field_that_the_file_cannot_take_is_named(
    desk: CodingDesk, given: dict[str, str], field: str, what: str
) -> None:
    found = fields_refused(desk, fill_form(desk.describe("AAA"), "Q001", **given))
    assert what in found[field]


@pytest.mark.parametrize("status", ["implied", "denied", "ambiguous", "contradictory"])
def test_what_does_not_stand_there_in_so_many_words_needs_a_reason(desk: CodingDesk, status: str) -> None:
    rival = other_reading() if status in ("ambiguous", "contradictory") else None
    state = desk.describe("AAA")
    found = fields_refused(desk, fill_form(state, "Q001", status=status, because=" ", rival=rival))
    assert found.keys() == {"because"}
    assert desk.write_answer("AAA", fill_form(state, "Q001", status=status, because="Because.", rival=rival))["written"]


def test_a_refusal_speaks_of_the_fields_of_the_form(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    (fault,) = refused(desk, fill_form(state, "Q001", words="", place="")).more["fields"]
    assert fault["out"] == "mark the words on which the answer rests in the text, or write them here"
    faults = refused(desk, fill_form(state, "Q001", status="ambiguous", because="")).more["fields"]
    (other,) = (one for one in faults if one["field"] == "other_answer")
    assert "“The answer in that reading” and “Why the words may be taken so”" in other["out"]
    faults = refused(desk, fill_form(state, "Q001", words_3="jetons")).more["fields"]
    assert [one["what"] for one in faults] == ["“Words of the source, passage 2” is empty"]


def test_half_a_word_and_another_text_are_refused(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    given = fill_form(state, "Q003", marked=mark_words(state, "AAA.s0002", "jeton"))
    assert fields_refused(desk, given) == {"words": "half a word is marked"}
    other = mark_words(state, "AAA.s0002", "jetons").model_copy(update={"start": 3})
    assert "another than the form shows" in fields_refused(desk, fill_form(state, "Q003", marked=other))["words"]


def test_a_number_that_neither_stands_in_the_words_nor_is_reckoned_is_refused_as_in_a_sheet(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    marked = mark_words(state, "AAA.s0002", "de chacun")
    given = fill_form(state, "Q002", marked=marked, answer="1")
    assert fields_refused(desk, given) == {"answer": "Q002 (toll.amount) answered 1, but the quotation names no number"}
    (fault,) = refused(desk, given).more["fields"]
    assert "fill in “Computation” with the numbers in order" in fault["out"]
    wrong = fill_form(state, "Q003", answer="[1, 2, x]", computation="", words="levée")
    assert fields_refused(desk, wrong)["computation"] == "answered 1, 2, but the quotation names no number"
    assert desk.write_answer("AAA", fill_form(state, "Q002", marked=marked, answer="1", computation="un = 1"))[
        "written"
    ]


def test_a_row_that_there_is_not_is_refused(desk: CodingDesk) -> None:
    given = fill_form(desk.describe("AAA"), "Q003").model_copy(update={"clause": "AAA.c001"})
    assert "AAA.c001 does not speak to Q003" in refused(desk, given).what


# ---- two tabs, an editor, a file that is held
def test_of_two_tabs_the_second_is_shown_both_and_writes_nothing(desk: CodingDesk) -> None:
    one = other = desk.describe("AAA")
    desk.write_answer("AAA", fill_form(one, "Q003", **FIRST))
    conflict = refused(desk, fill_form(other, "Q003", **LAST))
    assert isinstance(conflict, ClausesChanged)
    assert "toll.tricks: [1]\n" in conflict.more["theirs"] and "toll.tricks: [-1]\n" in conflict.more["mine"]
    again = fill_form(other | conflict.more["now"], "Q003", **LAST)
    assert desk.write_answer("AAA", again)["written"] and "toll.tricks: [-1]\n" in read_clauses_file(desk)


def test_what_an_editor_has_changed_since_is_not_overwritten(desk: CodingDesk) -> None:
    """Neither the answer nor anything else of the clause, though the answer is the same."""
    state = desk.describe("AAA")
    write_by_hand(desk.root / "AAA" / "clauses.yaml", "  cert: medium\n", "  cert: medium  # mine\n")
    conflict = refused(desk, fill_form(state, "Q003", **FIRST))
    assert isinstance(conflict, ClausesChanged)
    assert "Q003 has changed in the file since this page was opened" in conflict.what
    assert "# mine" in conflict.more["theirs"]
    with pytest.raises(ClausesChanged):
        desk.undo("AAA", state["seen"])


def test_nor_is_the_other_reading_of_another_question_written_over(desk: CodingDesk) -> None:
    """Q002 goes with the other reading of Q001, which another tab has changed since."""
    reading = other_reading(computation="rien = 0")
    desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q001", because="So it is used.", rival=reading))
    old = desk.describe("AAA")
    changed = other_reading(because="It may be.", computation="rien = 0")
    more = {"status": "ambiguous", "because": "So it is used.", "rival": changed}
    desk.write_answer("AAA", fill_form(old, "Q001", **more))
    bundled = RivalFields(answer="0", label="", because="", preferred="", goes_with="Q001")
    assert isinstance(refused(desk, fill_form(old, "Q002", rival=bundled)), ClausesChanged)
    assert desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q002", rival=bundled))["written"]


def test_undo_never_takes_back_what_another_tab_has_written_since(desk: CodingDesk) -> None:
    mine = desk.describe("AAA")
    mine |= desk.write_answer("AAA", fill_form(mine, "Q001", answer="taker"))
    desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q003", **FIRST))
    before = read_clauses_file(desk)
    with pytest.raises(ClausesChanged) as found:
        desk.undo("AAA", mine["seen"])
    assert read_clauses_file(desk) == before
    assert found.value.more["now"]["undo"]["what"] == "Q003: [1]", "the page says what would be taken back now"


def test_a_clause_that_an_editor_has_taken_away_is_told(desk: CodingDesk) -> None:
    state = desk.describe("BBB")
    write_by_hand(desk.root / "BBB" / "clauses.yaml", SPOKEN[SPOKEN.index("- id: BBB.c003") :], "")
    conflict = refused(desk, fill_form(state, "Q002", because="Indeed."), "BBB")
    assert (conflict.more["theirs"], conflict.more["mine"]) == ("", "") and "does not speak" in conflict.more["note"]


@pytest.mark.parametrize("name", ["clauses.yaml", "coding-form.jsonl"])
def test_a_file_that_another_program_holds_is_told_and_nothing_lost(
    desk: CodingDesk, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    state, move = desk.describe("AAA"), Path.replace

    def held(path: Path, to: Path) -> Path:
        if to.name == name and "new" in path.parts:
            raise PermissionError(errno.EACCES, "The process cannot access the file", str(to))
        return move(path, to)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", held)
        found = refused(desk, fill_form(state, "Q003", **FIRST))
    assert isinstance(found, ClausesHeld) and "cannot be written just now" in found.what
    assert desk.describe("AAA") == state
    assert desk.write_answer("AAA", fill_form(state, "Q003", **FIRST))["written"]


def test_a_file_that_cannot_even_be_read_is_told(desk: CodingDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    def held(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "in use", str(path))

    monkeypatch.setattr(Path, "read_bytes", held)
    with pytest.raises(ClausesHeld, match=r"AAA/clauses\.yaml cannot be read just now \(in use\)"):
        desk.describe("AAA")


# ---- undo
def test_answers_are_undone_one_after_the_other_also_after_a_restart(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    states = [read_clauses_file(desk)]
    three = {"answer": "3", "computation": "deux + 1 = 3"}
    for question, more in (("Q003", FIRST), ("Q001", {"answer": "taker"}), ("Q002", three), ("Q003", {"answer": "-"})):
        state |= desk.write_answer("AAA", fill_form(state, question, **more))
        states.append(read_clauses_file(desk))
    for before in reversed(states[:-1]):
        again = CodingDesk(desk.root)  # the server has ended, and begun again
        now = again.describe("AAA")
        told = again.undo("AAA", now["seen"])
        assert read_clauses_file(desk) == before and told["undone"] == now["undo"]["what"]
    assert CodingDesk(desk.root).describe("AAA")["undo"] is None
    with pytest.raises(NotWritten, match="there is nothing to undo"):
        desk.undo("AAA", desk.describe("AAA")["seen"])


def test_an_answer_there_and_back_is_undone_twice_and_not_for_ever(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    for more in (FIRST, BOTH):
        state |= desk.write_answer("AAA", fill_form(state, "Q003", **more))
    assert read_clauses_file(desk) == CLAUSES
    for after in (FIRST_ALONE, CLAUSES):
        state |= desk.undo("AAA", state["seen"])
        assert read_clauses_file(desk) == after
    assert state["undo"] is None


def test_what_was_changed_by_hand_since_is_not_undone(desk: CodingDesk) -> None:
    told = desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q003", **FIRST))
    assert told["undo"] == {"question": "Q003", "what": "Q003: [1]"}
    write_by_hand(desk.root / "AAA" / "clauses.yaml", "# A comment that must survive.", "# Mine.")
    state = desk.describe("AAA")
    assert state["undo"] is None
    assert state["undo_refused"].endswith("changed by another program since the last answer of the form (Q003: [1])")
    with pytest.raises(NotWritten, match=r"clauses\.yaml was changed by another program since the last answer"):
        desk.undo("AAA", state["seen"])
    assert read_clauses_file(desk).startswith("# Mine.")


def test_a_spoilt_history_costs_the_undo_and_nothing_else(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    (desk.root / "AAA" / "backups").mkdir()
    (desk.root / "AAA" / HISTORY_FILE).write_text('half a li\n{"number": 1}\n\n', encoding="utf-8")
    state |= desk.write_answer("AAA", fill_form(state, "Q003", **FIRST))
    desk.undo("AAA", state["seen"])
    assert read_clauses_file(desk) == CLAUSES


def test_a_history_that_somebody_has_changed_undoes_nothing(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    state |= desk.write_answer("AAA", fill_form(state, "Q003", **FIRST))
    write_by_hand(desk.root / "AAA" / HISTORY_FILE, '"old":"', '"old":"not ours')
    with pytest.raises(NotWritten, match="was changed, and nothing was undone"):
        desk.undo("AAA", state["seen"])
    assert "toll.tricks: [1]\n" in read_clauses_file(desk)


# ---- all that is left
def test_all_that_is_left_is_marked_silent_in_one_step_and_taken_back_in_one(tmp_path: Path) -> None:
    desk = CodingDesk(write_library(tmp_path, deals=False))
    for question in ("Q001", "Q003"):
        desk.write_answer("AAA", fill_form(desk.describe("AAA"), question, answer="?", because=""))
    before, state = read_clauses_file(desk), desk.describe("AAA")
    left = [row["question"] for row in state["rows"] if not row["answered"]]
    assert left == ["Q001", "Q003"]
    told = desk.mark_silent("AAA", SilentAnswers(seen=state["seen"], questions=("Q001", "Q003")))
    assert [find_row(told, one)["cells"]["answer"] for one in left] == ["-", "-"]
    assert find_row(told, "Q001")["cells"]["searched"] == "AAA.s0001-AAA.s0003"
    assert find_row(told, "Q002")["cells"]["answer"] == "2" and told["marked"] == 2
    assert told["undo"]["what"] == "2 questions marked as silent"
    desk.undo("AAA", told["seen"])
    assert read_clauses_file(desk) == before


def test_whoever_marks_all_as_silent_is_told_what_an_own_answer_rules_out(desk: CodingDesk) -> None:
    desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q001", answer="nobody"))
    desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q002", answer="?"))
    given = SilentAnswers(seen=desk.describe("AAA")["seen"], questions=("Q002",))
    told = desk.mark_silent("AAA", given)
    (remark,) = told["remarks"]
    assert told["idle"] == [{"question": "Q002", "why": "Q001 is nobody"}]
    assert "Not applicable" in remark and "Q002 (Q001 is nobody)" in remark


def test_a_silence_that_a_deal_may_ask_all_the_same_is_not_called_inapplicable(desk: CodingDesk) -> None:
    (desk.root / "questions/20.yaml").write_text(ASKED_OF_BOTH, encoding="utf-8")
    for payee, idle in (("taker", ["Q005"]), ("leader", [])):
        desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q001", answer=payee))
        desk.write_answer(
            "AAA", fill_form(desk.describe("AAA"), "Q004", answer="nobody", words="jetons", place="AAA.s0002")
        )
        if payee == "leader":
            desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q005", answer="?"))
        told = desk.mark_silent("AAA", SilentAnswers(seen=desk.describe("AAA")["seen"], questions=("Q005",)))
        assert [one["question"] for one in told["idle"]] == idle


def test_what_no_answer_quotes_is_counted_as_check_does_with_the_answers_of_now(desk: CodingDesk) -> None:
    for left, question in enumerate(("", "Q001", "Q002", "Q003")):
        if left:
            desk.write_answer("AAA", fill_form(desk.describe("AAA"), question, answer="?"))
        counted = desk.count_unquoted("AAA")
        told = format_progress(load_library(desk.root)[0], "AAA")
        assert told.startswith(f"{counted['total']} sentences: ") and f" {counted['untouched']} untouched" in told
        assert (f"; {counted['partly']} ha" in told) == (counted["partly"] > 0)
    assert counted["untouched"] > 0, "nothing is quoted any more"


def test_what_has_an_answer_is_never_marked_as_silent(desk: CodingDesk) -> None:
    state, before = desk.describe("AAA"), read_clauses_file(desk)
    with pytest.raises(NotWritten, match="Q001 is answered"):
        desk.mark_silent("AAA", SilentAnswers(seen=state["seen"], questions=("Q001",)))
    write_by_hand(desk.root / "AAA" / "clauses.yaml", "# A comment that must survive.", "# Mine.")
    with pytest.raises(ClausesChanged) as found:
        desk.mark_silent("AAA", SilentAnswers(seen=state["seen"], questions=("Q001",)))
    assert found.value.more["now"]["seen"] == desk.describe("AAA")["seen"]
    assert read_clauses_file(desk) == before.replace("# A comment that must survive.", "# Mine.")


# ---- what check says
def test_the_problems_of_the_source_come_first_and_name_file_line_and_hint(desk: CodingDesk) -> None:
    write_by_hand(desk.root / "BBB" / "clauses.yaml", 'exact: "the leader"', 'exact: "the taker"')
    write_by_hand(desk.root / "AAA" / "clauses.yaml", "Q002: 2  ", "Q002: 7  ")
    problems = desk.find_problems("AAA")
    assert problems[0]["own"] and problems[0]["place"].startswith("sources/AAA/clauses.yaml:")
    assert "7" in problems[0]["what"] and "fill in “Computation” with" in problems[0]["out"], "as the field is called"
    assert any(not problem["own"] and "BBB/clauses.yaml" in problem["place"] for problem in problems)


# ---- two ways to read the words
def other_reading(**more: str) -> RivalFields:
    given = {"answer": "taker", "label": "who takes", "because": "The verb allows it.", "preferred": "who leads"}
    return RivalFields(**(given | more))


def test_another_reading_becomes_a_rival_and_the_words_ambiguous(desk: CodingDesk) -> None:
    state = desk.describe("AAA")
    desk.write_answer("AAA", fill_form(state, "Q001", because="So it is used.", rival=other_reading()))
    (new,) = (one for id, one in read_clause_fields(read_clauses_file(desk)).items() if "Q001" in one["answers"])
    assert (new["status"], new["label"], new["because"]) == ("ambiguous", "who leads", "So it is used.")
    rival = {"id": "AAA.i02", "label": "who takes", "answers": {"Q001": "taker"}, "because": "The verb allows it."}
    assert new["rivals"] == [rival], "AAA.i01 is another's"
    assert "AAA.i02 who takes | Q001: taker" in find_row(desk.describe("AAA"), "Q001")["cells"]["rivals"]
    desk.undo("AAA", desk.describe("AAA")["seen"])
    assert read_clauses_file(desk) == CLAUSES


@pytest.mark.parametrize(
    ("more", "because", "field", "what"),
    [
        ({"answer": "leader"}, "x", "other_answer", "both readings have the same answer"),
        ({"answer": "north"}, "x", "other_answer", "north is no reading"),
        ({"because": " "}, "x", "other_because", "no reason is given"),
        ({}, "", "because", "the words can be read in two ways"),
    ],
)
def test_half_another_reading_is_refused(
    desk: CodingDesk, more: dict[str, str], because: str, field: str, what: str
) -> None:
    given = fill_form(desk.describe("AAA"), "Q001", because=because, rival=other_reading(**more))
    assert what in fields_refused(desk, given)[field]
