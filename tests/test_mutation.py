"""Mutation testing is what it says: every survivor has its reason, and the receipt tells what the notes tell."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from numba import config

from proofs import mutation, touching
from proofs.mutation import (
    BY_FILE,
    KILLED,
    NONE,
    SURVIVED,
    SURVIVORS,
    TIMED,
    UNEXPLAINED,
    Mutant,
    Notes,
    bare,
    place,
    tried,
)
from proofs.touching import COMPILING, HERE, Part, Seen, Touching, parts, shelf, subjects
from rulebook.load import find_sources
from rulebook.receipts import FINGERPRINT, Receipt, fingerprint, read_receipt

PROOF = find_sources() / "receipts" / "mutation.json"


@pytest.fixture(scope="module")
def receipt() -> Receipt:
    found, problems = read_receipt(PROOF, PROOF.name)
    assert found is not None, problems
    return found


@pytest.fixture(scope="module")
def survivors() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(SURVIVORS.read_text("utf-8"))
    return found


def noted(seal: str) -> Counter[str]:
    return Counter(state for key, state in Notes().had.items() if key.startswith(f"{seal} "))


# ---- what is kept
def test_every_survivor_has_a_reason(receipt: Receipt, survivors: list[dict[str, Any]]) -> None:
    assert [one["becomes"] for one in survivors if not one["reason"]] == []
    assert receipt.figures[UNEXPLAINED] == 0
    assert [one["becomes"] for one in survivors if one["reason"] and len(one["reason"].split()) < 6] == []
    assert all(one["becomes"] != one["text"] for one in survivors)


def test_all_were_tried_and_nine_of_ten_are_killed(receipt: Receipt) -> None:
    figures = receipt.figures
    assert figures["killed"] / (figures["killed"] + figures["survived"]) >= 0.9
    assert figures["mutants"] == figures["killed"] + figures["survived"] + figures["timed out, counted apart"]
    assert figures["mutants"] > 3000 and figures["not tried yet"] == 0


def test_the_receipt_tells_what_the_notes_tell(receipt: Receipt, survivors: list[dict[str, Any]]) -> None:
    """The notes of a file are of just the letters that it had when it was tried; the receipt names them."""
    assert receipt.figures["survived"] == len(survivors)
    alive = Counter(one["file"] for one in survivors)
    for file, row in receipt.figures[BY_FILE].items():
        states = noted(row[FINGERPRINT])
        assert [row[state] for state in (KILLED, SURVIVED, TIMED)] == [states[s] for s in (KILLED, SURVIVED, TIMED)]
        assert alive[file] == row[SURVIVED], file
    total = [sum(row[state] for row in receipt.figures[BY_FILE].values()) for state in (KILLED, SURVIVED, TIMED)]
    assert total == [receipt.figures[key] for key in ("killed", "survived", "timed out, counted apart")]
    assert receipt.figures["changes that leave the same program or none"] == sum(
        noted(row[FINGERPRINT])[NONE] for row in receipt.figures[BY_FILE].values()
    )


def test_a_file_that_has_changed_since_is_told(receipt: Receipt, tmp_path: Path) -> None:
    """Not a fault of whoever changes the engine; but the page says of which files the receipt no longer speaks."""
    changed = set(receipt.changed(HERE))
    for file, row in receipt.figures[BY_FILE].items():
        assert (file in changed) == (fingerprint(HERE / file) != row[FINGERPRINT])
    for file in receipt.figures[BY_FILE]:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("# another\n", encoding="utf-8")
    assert receipt.changed(tmp_path) == tuple(receipt.figures[BY_FILE])


def test_notes_of_a_file_that_has_changed_count_for_nothing() -> None:
    notes = Notes()
    mutant = Mutant("engine/play.py", 20, "core/AddNot", 0, "")
    known, before = notes.of(mutant), notes.outdated
    assert known in (KILLED, SURVIVED, TIMED, NONE)
    notes.seals["engine/play.py"] = "0" * 16
    assert notes.of(mutant) == "" and notes.outdated > before


# ---- how it is done
def test_a_change_of_an_annotation_or_a_docstring_is_no_other_program() -> None:
    plain = "def f(a: int) -> int:\n    b: int = a + 1\n    return b\n"
    other = "def f(a: str) -> None:\n    b: str = a + 1\n    return b\n"
    assert bare(plain) == bare(other) != bare(plain.replace("+", "-"))


def test_the_place_of_a_mutant_is_the_statement_around_it() -> None:
    """Of a statement that holds others only the head: what stands inside is run on its own."""
    lines = (HERE / "engine/play.py").read_text("utf-8").splitlines()
    head = next(at for at, line in enumerate(lines, 1) if line.lstrip().startswith("for i in range"))
    assert list(place(Mutant("engine/play.py", head, "", 0, ""))) == [head]
    inside = next(at for at, line in enumerate(lines, 1) if line.strip() == "return i")
    assert list(place(Mutant("engine/play.py", inside, "", 0, ""))) == [inside]


def test_every_room_of_the_engine_is_a_subject() -> None:
    assert {"rulebook/resolve.py", "engine/settle.py", "engine/play.py"} <= set(subjects())
    assert len(subjects()) == len(list((HERE / "engine").rglob("*.py"))) + 1


def test_the_survey_is_tried_while_the_compiler_rests_and_what_says_how_to_compile_in_both_ways() -> None:
    plain, interpreted, compiled, marked = parts()
    assert not {*plain.subjects} & {*interpreted.subjects} and {*compiled.subjects} == {COMPILING}
    assert {COMPILING, *marked.subjects} < {*interpreted.subjects}
    assert all("/survey/" in file for file in interpreted.subjects)
    assert [part.interpreted for part in parts()] == [False, True, False, False]
    assert {path for part in parts() for path in part.tests} <= {*touching.test_files()}
    assert len({shelf("tests/test_runs.py", part) for part in parts()}) == 4


def test_what_marks_functions_to_be_compiled_is_known() -> None:
    marks = ("\n@compiled\n", "\n@inlined\n")
    texts = {file: (HERE / file).read_text("utf-8") for file in touching.within("engine/**/*.py") if file != COMPILING}
    assert [file for file, text in texts.items() if any(mark in text for mark in marks)] == [*touching.MARKED]


def test_only_the_survey_has_the_compiler_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = config.DISABLE_JIT
    monkeypatch.setenv("NUMBA_DISABLE_JIT", str(int(before)))
    plain, interpreted, *_ = parts()
    plain.begin()
    assert before == config.DISABLE_JIT
    interpreted.begin()
    assert config.DISABLE_JIT and os.environ["NUMBA_DISABLE_JIT"] == "1"
    os.environ["NUMBA_DISABLE_JIT"] = str(int(before))
    config.reload_config()


def test_whoever_survives_in_one_part_may_be_killed_in_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def in_part(part: Part, chosen: list[Mutant], asked: object) -> Iterator[tuple[Mutant, str]]:
        seen.append((part.name, [one.line for one in chosen]))
        yield from ((one, KILLED if one.line == 1 or part.name == "compiled" else SURVIVED) for one in chosen)

    monkeypatch.setattr(mutation, "in_part", in_part)
    files = ("engine/play.py", COMPILING, COMPILING, "engine/survey/runs.py")
    chosen = [Mutant(file, line, "", 0, "") for file, line in zip(files, (5, 1, 2, 2), strict=True)]
    found = [(one.file, one.line, state) for one, state in tried(chosen, Namespace(by=[]))]
    assert seen == [("", [5]), ("interpreted", [1, 2, 2]), ("compiled", [2])]
    assert found == [
        ("engine/play.py", 5, SURVIVED),
        (COMPILING, 1, KILLED),
        ("engine/survey/runs.py", 2, SURVIVED),
        (COMPILING, 2, KILLED),
    ]


def test_where_files_of_tests_are_named_only_the_parts_that_are_shown_to_them_are_gone_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The later parts have not measured such a file, and would tell of tests that fail though nothing is wrong."""
    seen = []

    def in_part(part: Part, chosen: list[Mutant], asked: object) -> Iterator[tuple[Mutant, str]]:
        seen.append(part.name)
        yield from ((one, SURVIVED) for one in chosen)

    monkeypatch.setattr(mutation, "in_part", in_part)
    chosen = [Mutant("engine/survey/lots.py", 1, "", 0, "")]
    assert list(tried(chosen, Namespace(by=["tests/test_survey_rows.py::test_one"]))) and seen == ["interpreted"]
    seen.clear()
    assert not list(tried(chosen, Namespace(by=["tests/test_play.py"]))) and seen == []


def test_where_tests_run_nothing_of_a_file_every_mutant_is_shown_to_all_of_them() -> None:
    """A mark stands where the file is read; the first test that needs the file would be the only one to run it."""
    marks, file = "tests/test_survey_marks.py", "engine/survey/lots.py"
    touching = Touching({marks: Seen(0.0, {"m::lots": 1.0, "m::singly": 1.0}, {file: {"1": "1"}})})
    marked = next(part for part in parts() if part.name == "marked")
    mutant = Mutant(file, 1, "core/RemoveDecorator", 0, "@compiled")
    assert mutation.Trial(marked, touching, 1.0).tests(mutant) == ["m::lots", "m::singly"]
    assert mutation.Trial(replace(marked, whole=False), touching, 1.0).tests(mutant) == ["m::lots"]


def test_a_file_of_tests_that_sees_no_mutant_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["mutation", "--anew", "--by", "tests/test_plai.py", "engine/play.py"])
    with pytest.raises(SystemExit, match=r"no mutant is shown to tests/test_plai\.py"):
        mutation.main()


TOUCHING = Touching(
    {
        "tests/test_near.py": Seen(0.0, {"n::slow": 3.0, "n::quick": 0.1}, {"engine/a.py": {"5": "3", "6": "1"}}),
        "tests/test_far.py": Seen(0.2, {"f::one": 0.1, "f::other": 0.1}, {"engine/a.py": {"5": "1", "9": "2"}}),
        "tests/test_beside.py": Seen(0.0, {"b::none": 0.1}, {"engine/b.py": {"1": "1"}}),
    }
)


def test_the_tests_that_run_a_line_come_first_the_nearest_and_quickest_before() -> None:
    near = ["tests/test_near.py"]
    assert TOUCHING.asked("engine/a.py", [5], near, 60) == ["n::quick", "f::one", "n::slow", "f::other"]
    assert TOUCHING.asked("engine/a.py", [5], [], 60) == ["n::quick", "f::one", "n::slow", "f::other"]
    assert TOUCHING.asked("engine/a.py", [6], near, 60) == ["n::slow", "n::quick"]


def test_no_more_tests_are_asked_than_there_is_time_for() -> None:
    assert TOUCHING.asked("engine/a.py", [5], [], 0.05) == ["n::quick"]


def test_what_no_test_runs_by_itself_is_shown_to_all_that_run_the_file_and_to_the_nearest() -> None:
    """A table is made while its file is read; whoever uses the file may notice what is wrong in it."""
    found = TOUCHING.asked("engine/a.py", [1], ["tests/test_beside.py"], 60)
    assert set(found) == {"n::quick", "n::slow", "f::one", "f::other", "b::none"}
