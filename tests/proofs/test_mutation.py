"""Mutation testing is what it says: every survivor has its reason, and the receipts tell what the notes tell."""

from __future__ import annotations

import os
import subprocess
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from numba import config

from proofs.mutation import carry_over, line_dates
from proofs.mutation import coverage as touching
from proofs.mutation import run as mutation
from proofs.mutation.carry_over import find_carried, find_renames
from proofs.mutation.coverage import (
    JIT_FILE,
    MUTATION_GROUPS,
    MUTATION_ROOT,
    CoverageMap,
    CoveredLines,
    MutationPart,
    find_coverage_cache,
    find_mutation_group,
    list_mutated_files,
    list_mutation_parts,
)
from proofs.mutation.nearest_tests import locate_mutant
from proofs.mutation.run import (
    UNEXPLAINED_LABEL,
    collect_mutation_figures,
    iter_code_mutants,
    iter_file_mutants,
    normalise_program,
    read_survivors,
    try_mutants,
)
from proofs.mutation.verdicts import (
    KILLED,
    MUTATION_RECEIPTS,
    NO_MUTANT,
    SURVIVED,
    TIMED,
    UNTRIED,
    Mutant,
    Verdicts,
    format_verdict_line,
    parse_verdict_line,
)
from rulebook.code_units import read_units
from rulebook.receipts import UNIT_PLACES, Receipt, build_receipt, parse_states, read_receipt, write_receipt
from rulebook.sources.paths import find_sources

PROOFS = {path.stem.removeprefix("mutation-"): path for path in (find_sources() / "receipts").glob("mutation-*.json")}
WHOLE = [name for name in PROOFS if name in MUTATION_GROUPS]  #: the others are of samples
NOWHERE = Path("nowhere.json")
SIGNED = {"NAME": "Nobody", "EMAIL": "nobody@localhost"}
STATES = {"killed": KILLED, "survived": SURVIVED, "timed out, counted apart": TIMED}
STATES |= {"changes that leave the same program or none": NO_MUTANT}


def read_proof(name: str) -> Receipt:
    found, problems = read_receipt(PROOFS[name], PROOFS[name].name)
    assert found is not None, problems
    return found


# ---- what is kept
def test_each_group_has_a_receipt_but_the_players() -> None:
    """Nobody has tried all mutants of the players yet; docs/proofs.md says so."""
    assert {*WHOLE} == {*MUTATION_GROUPS} - {"players"} and "players" not in read_survivors()
    assert {*read_survivors()} == {*PROOFS} and all(read_proof(name).proof == f"mutation-{name}" for name in PROOFS)


@pytest.mark.parametrize("name", sorted(PROOFS))
def test_every_survivor_has_a_reason(name: str) -> None:
    receipt, survivors = read_proof(name), read_survivors()[name]
    assert len(survivors) == receipt.figures["survived"]
    assert [one["becomes"] for one in survivors if not one["reason"]] == []
    assert receipt.figures[UNEXPLAINED_LABEL] == 0
    assert [one["becomes"] for one in survivors if one["reason"] and len(one["reason"].split()) < 6] == []
    assert all(one["becomes"] != one["text"] for one in survivors)


@pytest.mark.parametrize("name", sorted(PROOFS))
def test_all_were_tried_and_nine_of_ten_are_killed(name: str) -> None:
    figures = read_proof(name).figures
    assert figures["killed"] / (figures["killed"] + figures["survived"]) >= 0.9
    assert figures["mutants"] == figures["killed"] + figures["survived"] + figures["timed out, counted apart"]
    assert figures["not tried yet"] == 0
    assert figures["mutants"] > {"rules": 3000, "survey": 4000, "deals": 1000}.get(name, 200)


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_the_lines_of_the_receipt_sum_up_to_its_figures(name: str) -> None:
    receipt = read_proof(name)
    sums = Counter[str]()
    for line in receipt.by_function.values():
        states = {state: count for state, count, _ in parse_states(line)}
        places = states.pop(UNIT_PLACES, 1)
        sums.update({state: places * count for state, count in states.items()})
    assert sums == {state: receipt.figures[figure] for figure, state in STATES.items()}


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_the_receipt_names_the_survivors_that_have_reasons(name: str) -> None:
    receipt, survivors = read_proof(name), read_survivors()[name]
    named = Counter[str]()
    for key, line in receipt.by_function.items():
        states = {state: (count, which) for state, count, which in parse_states(line)}
        count, which = states.get(SURVIVED, (0, ()))
        assert count == len(which)
        named.update({f"{key} {name}": states.get(UNIT_PLACES, (1, ()))[0] for name in which})
    rows = Counter(
        f"{one['unit']} {one['code']} {one['operator'].removeprefix('core/')} {one['occurrence']}" for one in survivors
    )
    assert rows == named


@pytest.mark.slow
def test_a_fresh_clone_knows_from_the_receipts_which_verdicts_hold() -> None:
    """Without notes: of functions that are as they were every verdict, of others none."""
    lines = {**read_proof("rules").by_function, **read_proof("deals").by_function}
    found = [
        mutant for file in ("engine/play/trick.py", "engine/generation/wishes.py") for mutant in iter_file_mutants(file)
    ]
    verdicts = Verdicts.read(found, NOWHERE, MUTATION_RECEIPTS.values())
    holding = [mutant for mutant in found if mutant.unit in lines]
    assert holding and all(verdicts.of(mutant) != UNTRIED for mutant in holding)
    assert all(verdicts.of(mutant) == UNTRIED for mutant in {*found} - {*holding})


# ---- for how long a verdict holds
CODE = """\
\"\"\"A small module.\"\"\"
from engine.cards import LOW, rank_of

TABLE = {"low": 1, "high": 2}


def double(number: int | None, é: "int | None" = None) -> int:
    \"\"\"Twice.\"\"\"
    return 2 * number | 1


class Hand:
    size: int = 3

    def lowest(self, more=True):
        from engine.cards import LOW, order
        return order(self)[0] if more and self.size > 1 else LOW
"""
STATES_IN_TURN = (KILLED, SURVIVED, KILLED, TIMED, KILLED, NO_MUTANT, KILLED)


def tried_once(file: str, code: str, home: Path) -> dict[Mutant, str]:
    """Every mutant of some code with a verdict of its own, and the receipt of that below `home`."""
    found = {one: STATES_IN_TURN[at % 7] for at, one in enumerate(iter_code_mutants(file, code))}
    figures = collect_mutation_figures(found, [unit.key for unit in read_units(code)])
    write_receipt(home, build_receipt("mutation", "So.", "so", 1, "sha256:" + "0" * 64, figures))
    return found


def known_of(file: str, code: str, home: Path) -> dict[tuple[str, str], str]:
    """What a clone that has no notes knows of the mutants of some code."""
    found = list(iter_code_mutants(file, code))
    verdicts = Verdicts.read(found, NOWHERE, [home / "receipts" / "mutation.json"])
    return {(mutant.unit.split()[0], mutant.name): verdicts.of(mutant) for mutant in found}


def by_name(found: dict[Mutant, str]) -> dict[tuple[str, str], str]:
    return {(mutant.unit.split()[0], mutant.name): state for mutant, state in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", ["engine/play/trick.py", "engine/comparison/shapley.py", "engine/generation/wishes.py"]
)
def test_moving_a_file_leaves_every_verdict(tmp_path: Path, file: str) -> None:
    """The modules around it have moved as well, so that its imports read otherwise."""
    code = (MUTATION_ROOT / file).read_text("utf-8")
    moved = "# moved\n\n" + code.replace("from engine.", "from engine.elsewhere.")
    before = by_name(tried_once(file, code, tmp_path))
    assert known_of("engine/elsewhere/moved.py", moved, tmp_path) == before and len(before) > 10
    home = tmp_path / "home"
    (home / "engine" / "elsewhere").mkdir(parents=True)
    (home / "engine" / "elsewhere" / "moved.py").write_text(moved, "utf-8")
    receipt, _ = read_receipt(tmp_path / "receipts" / "mutation.json", "mutation.json")
    assert receipt and receipt.changed(home) == ()


@pytest.mark.parametrize(
    ("old", "new", "unit"),
    [
        ("2 * number", "3 * number", "double"),
        ("self.size > 1", "self.size > 2", "Hand.lowest"),
        ("size: int = 3", "size: int = 4", "Hand.size"),
        ('"low": 1', '"low": 0', "TABLE"),
    ],
)
def test_changing_one_function_voids_only_its_own_verdicts(tmp_path: Path, old: str, new: str, unit: str) -> None:
    before = by_name(tried_once("engine/a.py", CODE, tmp_path))
    changed = CODE.replace(old, new)
    after = known_of("engine/a.py", changed, tmp_path)
    assert after == {key: UNTRIED if key[0] == unit else state for key, state in before.items()}
    assert unit in {name for name, _ in before}
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "a.py").write_text(changed, "utf-8")
    receipt, _ = read_receipt(tmp_path / "receipts" / "mutation.json", "mutation.json")
    assert receipt and receipt.changed(tmp_path) == (unit,)


def test_annotations_docstrings_and_comments_void_nothing(tmp_path: Path) -> None:
    """An operator could be applied in an annotation too; that neither counts nor shifts what is counted."""
    before = by_name(tried_once("engine/a.py", CODE, tmp_path))
    other = CODE.replace("number: int | None", "number").replace("Twice.", "Two times.").replace("-> int", "-> 'a | b'")
    other = other.replace("more=True", "more: bool | int = True").replace("from engine.cards import LOW", "import LOW")
    other = other.replace("import LOW, order", "# so\n        from x import order\n        from y import LOW")
    assert known_of("engine/a.py", other, tmp_path) == before
    assert [one.text for one in iter_code_mutants("", CODE) if "BitOr" in one.operator] == ["return 2 * number | 1"]


def test_a_line_of_other_mutants_than_these_tells_nothing() -> None:
    """Another list of operators makes other mutants of the same code."""
    line = "2 killed, 1 survived (AddNot 0), 1 not tried (AddNot 3)"
    verdicts = {"AddNot 0": SURVIVED, "AddNot 1": KILLED, "AddNot 2": KILLED}
    assert parse_verdict_line(line, [*verdicts, "AddNot 3"]) == verdicts
    assert parse_verdict_line(line, verdicts) == parse_verdict_line(line, [*verdicts, "AddNot 3", "AddNot 4"]) == {}
    assert parse_verdict_line(line, ["AddNot 1", "AddNot 2", "AddNot 3", "NumberReplacer 0"]) == {}


def test_a_line_is_read_as_it_was_written() -> None:
    found = dict(zip(iter_code_mutants("engine/a.py", CODE), STATES_IN_TURN, strict=False))
    assert parse_verdict_line(format_verdict_line([*found], found), [one.name for one in found]) == {
        one.name: state for one, state in found.items()
    }
    assert format_verdict_line((), {}) == "0 killed" and parse_verdict_line("0 killed", ()) == {}


def test_of_the_same_code_in_two_places_the_place_counts_that_is_tested_worse(tmp_path: Path) -> None:
    found = [mutant for file in ("engine/a.py", "engine/b.py") for mutant in iter_code_mutants(file, "SIDE = -1\n")]
    verdicts = Verdicts({}, tmp_path / "notes.json", [tmp_path / "none.json"])
    for mutant, state in zip(found, (SURVIVED, KILLED, KILLED, KILLED, KILLED, KILLED), strict=False):
        verdicts.note(mutant, state)
    assert verdicts.of(found[0]) == SURVIVED and {verdicts.of(one) for one in found[1 : len(found) // 2]} == {KILLED}
    line = format_verdict_line(found, {one: verdicts.of(one) for one in found})
    assert line == f"{len(found) // 2 - 1} killed, 1 survived ({found[0].name}), 2 places"
    assert parse_verdict_line(line, [one.name for one in found])[found[0].name] == SURVIVED
    apart = dict.fromkeys(found, KILLED)
    assert format_verdict_line(found, apart | {found[0]: SURVIVED}) == line, "not that of the last place"
    again = Verdicts(verdicts.known, tmp_path / "notes.json", [tmp_path / "none.json"])
    again.note(found[0], KILLED)
    assert again.of(found[0]) == KILLED


def test_notes_go_on_where_a_run_was_broken_off_until_the_receipt_is_replaced(tmp_path: Path) -> None:
    found = tried_once("engine/a.py", CODE, tmp_path)
    survivor = next(mutant for mutant, state in found.items() if state == SURVIVED)
    notes, receipt = tmp_path / "build" / "notes.json", tmp_path / "receipts" / "mutation.json"
    other = tmp_path / "receipts" / "mutation-other.json"
    verdicts = Verdicts.read(found, notes, [receipt, other])
    verdicts.note(survivor, KILLED)
    verdicts.save()
    assert Verdicts.read(found, notes, [receipt, other]).of(survivor) == KILLED
    told = receipt.read_text("utf-8").replace('"mutation"', '"mutation-other"').replace(survivor.unit, "other 0")
    other.write_text(told, "utf-8")
    assert Verdicts.read(found, notes, [receipt, other]).of(survivor) == KILLED, "another group was proved anew"
    receipt.write_text(receipt.read_text("utf-8") + "\n", "utf-8")
    assert Verdicts.read(found, notes, [receipt, other]).of(survivor) == SURVIVED
    assert Verdicts.read([], notes, [receipt]).known == {}


def test_verdicts_on_code_that_is_gone_are_counted_and_kept(tmp_path: Path) -> None:
    found = tried_once("engine/a.py", CODE, tmp_path)
    verdicts = Verdicts.read(found, tmp_path / "notes.json", [tmp_path / "receipts" / "mutation.json"])
    units = {unit.key for unit in read_units(CODE)}
    gone = next(unit for unit in units if unit.startswith("double "))
    assert verdicts.outdated(units) == 0
    assert verdicts.outdated(units - {gone}) == sum(mutant.unit == gone for mutant in found) > 0


BEFORE = "def told(x: int) -> int:\n    return x + 1\n\n\ndef twice(x: int) -> int:\n    return told(told(x)) * 2\n"
AFTER = BEFORE.replace("told", "add_one")


def test_verdicts_are_carried_over_a_rename() -> None:
    renames = find_renames(BEFORE, AFTER)
    assert renames == {("told", "add_one")}
    old, new = [unit.key for unit in read_units(BEFORE)], [unit.key for unit in read_units(AFTER)]
    assert find_carried(BEFORE, AFTER, renames) == dict(zip(old, new, strict=True))


def test_a_name_that_was_imported_under_another_is_the_same() -> None:
    before = "from a import told as said\n\n\ndef f(x: int) -> int:\n    return said(x)\n"
    after = "from a import add_one\n\n\ndef f(x: int) -> int:\n    return add_one(x)\n"
    assert [*find_carried(before, after, {("told", "add_one")})] == [read_units(before)[0].key]
    assert find_carried(before, after, set()) == {}


@pytest.mark.parametrize(
    "after",
    [
        AFTER.replace("* 2", "* 3"),
        AFTER.replace("add_one(add_one(x))", "add_one(x)"),
        AFTER.replace("add_one(add_one", "abs(add_one"),
    ],
)
def test_a_verdict_is_not_carried_to_code_that_does_something_else(after: str) -> None:
    carried = find_carried(BEFORE, after, {("told", "add_one")})
    assert [key.split()[0] for key in carried] == ["told"]


def test_a_survivor_keeps_its_reason_and_gets_the_new_key(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = next(one for one in iter_code_mutants("engine/a.py", AFTER) if one.unit.startswith("add_one"))
    monkeypatch.setattr(carry_over, "iter_file_mutants", lambda file: [mutant])
    monkeypatch.setattr(carry_over, "describe_mutant_change", lambda one: "return x - 1")
    old = read_units(BEFORE)[0].key
    name, code = old.split()
    row = {"unit": name, "code": code, "operator": mutant.operator, "occurrence": mutant.nth, "text": "", "becomes": ""}
    other = row | {"unit": "elsewhere", "reason": "Another."}
    found = carry_over.carry_survivors([row | {"reason": "For show."}, other], {old: mutant.unit}, ["engine/a.py"])
    assert [(one["unit"], one["reason"]) for one in found] == [("add_one", "For show."), ("elsewhere", "Another.")]


# ---- how it is done
def test_a_change_of_an_annotation_or_a_docstring_is_no_other_program() -> None:
    plain = "def f(a: int) -> int:\n    b: int = a + 1\n    return b\n"
    other = "def f(a: str) -> None:\n    b: str = a + 1\n    return b\n"
    assert normalise_program(plain) == normalise_program(other) != normalise_program(plain.replace("+", "-"))


def test_the_place_of_a_mutant_is_the_statement_around_it() -> None:
    """Of a statement that holds others only the head: what stands inside is run on its own."""
    lines = (MUTATION_ROOT / "engine/play/trick.py").read_text("utf-8").splitlines()
    head = next(at for at, line in enumerate(lines, 1) if line.lstrip().startswith("for i in range"))
    assert list(locate_mutant(Mutant("engine/play/trick.py", head, "", 0, ""))) == [head]
    inside = next(at for at, line in enumerate(lines, 1) if line.strip() == "return i")
    assert list(locate_mutant(Mutant("engine/play/trick.py", inside, "", 0, ""))) == [inside]


def test_every_room_of_the_engine_is_a_subject() -> None:
    assert {"rulebook/resolve.py", "engine/settlement/settle.py", "engine/play/trick.py"} <= set(list_mutated_files())
    assert len(list_mutated_files()) == len(list((MUTATION_ROOT / "engine").rglob("*.py"))) + 1


def test_every_file_that_is_mutated_is_of_one_group() -> None:
    by_group = {group: list_mutated_files((group,)) for group in MUTATION_GROUPS}
    assert sorted(file for files in by_group.values() for file in files) == sorted(list_mutated_files())
    assert {"engine/settlement/settle.py", "engine/cards.py", "rulebook/resolve.py"} <= {*by_group["rules"]}
    assert {find_mutation_group(file) for file in by_group["rules"]} == {"rules"}
    folders = {
        "deals": {"generation", "comparison"},
        "players": {"players"},
        "survey": {"survey"},
    }
    assert {group: {file.split("/")[1] for file in by_group[group]} for group in folders} == folders


def test_the_survey_is_tried_while_the_compiler_rests_and_what_says_how_to_compile_in_both_ways() -> None:
    plain, interpreted, compiled, marked = list_mutation_parts()
    assert not {*plain.subjects} & {*interpreted.subjects} and {*compiled.subjects} == {JIT_FILE}
    assert {JIT_FILE, *marked.subjects} < {*interpreted.subjects}
    assert all(file.startswith(("lab/survey/", "engine/players/")) for file in interpreted.subjects)
    assert [part.interpreted for part in list_mutation_parts()] == [False, True, False, False]
    assert {path for part in list_mutation_parts() for path in part.tests} <= {*touching.list_mutation_test_files()}
    assert len({find_coverage_cache("tests/lab/survey/test_runner.py", part) for part in list_mutation_parts()}) == 4


def test_test_files_of_one_name_are_cached_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(touching, "_COVERAGE_CACHE", tmp_path)
    monkeypatch.setattr(touching, "trace_test_file", lambda path, part: touching.CoveredLines(tests={path: 1.0}))
    paths = ("tests/edition/cli/test_deal.py", "tests/engine/generation/test_deal.py")
    part = replace(list_mutation_parts()[0], tests=paths)
    for path in (*paths, paths[0]):
        touching.cache_test_coverage(path, part)
    assert [[*one.tests] for one in touching.CoverageMap.read(part).seen.values()] == [[path] for path in paths]
    assert len([*tmp_path.rglob("*.json")]) == 2


def test_what_marks_functions_to_be_compiled_is_known() -> None:
    marks = ("\n@jit_compile\n", "\n@jit_inline\n")
    texts = {
        file: (MUTATION_ROOT / file).read_text("utf-8")
        for file in touching.glob_project_files("engine/**/*.py")
        if file != JIT_FILE
    }
    assert [file for file, text in texts.items() if any(mark in text for mark in marks)] == [*touching.JIT_MARKED_FILES]


def test_only_the_survey_has_the_compiler_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = config.DISABLE_JIT
    monkeypatch.setenv("NUMBA_DISABLE_JIT", str(int(before)))
    plain, interpreted, *_ = list_mutation_parts()
    plain.begin()
    assert before == config.DISABLE_JIT
    interpreted.begin()
    assert config.DISABLE_JIT and os.environ["NUMBA_DISABLE_JIT"] == "1"
    os.environ["NUMBA_DISABLE_JIT"] = str(int(before))
    config.reload_config()


def test_whoever_survives_in_one_part_may_be_killed_in_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def in_part(part: MutationPart, chosen: list[Mutant], asked: object) -> Iterator[tuple[Mutant, str]]:
        seen.append((part.name, [one.line for one in chosen]))
        yield from ((one, KILLED if one.line == 1 or part.name == "compiled" else SURVIVED) for one in chosen)

    monkeypatch.setattr(mutation, "try_part_mutants", in_part)
    files = ("engine/play/trick.py", JIT_FILE, JIT_FILE, "lab/survey/runner.py")
    chosen = [Mutant(file, line, "", 0, "") for file, line in zip(files, (5, 1, 2, 2), strict=True)]
    found = [(one.file, one.line, state) for one, state in try_mutants(chosen, Namespace(by=[]))]
    assert seen == [("", [5]), ("interpreted", [1, 2, 2]), ("compiled", [2])]
    assert found == [
        ("engine/play/trick.py", 5, SURVIVED),
        (JIT_FILE, 1, KILLED),
        ("lab/survey/runner.py", 2, SURVIVED),
        (JIT_FILE, 2, KILLED),
    ]


def test_where_files_of_tests_are_named_only_the_parts_that_are_shown_to_them_are_gone_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The later parts have not measured such a file, and would tell of tests that fail though nothing is wrong."""
    seen = []

    def in_part(part: MutationPart, chosen: list[Mutant], asked: object) -> Iterator[tuple[Mutant, str]]:
        seen.append(part.name)
        yield from ((one, SURVIVED) for one in chosen)

    monkeypatch.setattr(mutation, "try_part_mutants", in_part)
    chosen = [Mutant("lab/survey/rng.py", 1, "", 0, "")]
    assert list(try_mutants(chosen, Namespace(by=["tests/lab/survey/test_table.py::test_one"]))) and seen == [
        "interpreted"
    ]
    seen.clear()
    assert not list(try_mutants(chosen, Namespace(by=["tests/engine/play/test_trick.py"]))) and seen == []


def test_where_tests_run_nothing_of_a_file_every_mutant_is_shown_to_all_of_them() -> None:
    """A mark stands where the file is read; the first test that needs the file would be the only one to run it."""
    marks, file = "tests/lab/survey/test_jit_marks.py", "lab/survey/rng.py"
    touching = CoverageMap({marks: CoveredLines(0.0, {"m::lots": 1.0, "m::singly": 1.0}, {file: {"1": "1"}})})
    marked = next(part for part in list_mutation_parts() if part.name == "marked")
    mutant = Mutant(file, 1, "core/RemoveDecorator", 0, "@jit_compile")
    assert mutation.MutantTrial(marked, touching, 1.0).tests(mutant) == ["m::lots", "m::singly"]
    assert mutation.MutantTrial(replace(marked, whole=False), touching, 1.0).tests(mutant) == ["m::lots"]


def test_a_file_of_tests_that_sees_no_mutant_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["mutation", "--anew", "--by", "tests/test_plai.py", "engine/play/trick.py"])
    with pytest.raises(SystemExit, match=r"no mutant is shown to tests/test_plai\.py"):
        mutation.main()


TOUCHING = CoverageMap(
    {
        "tests/test_near.py": CoveredLines(
            0.0, {"n::slow": 3.0, "n::quick": 0.1}, {"engine/a.py": {"5": "3", "6": "1"}}
        ),
        "tests/test_far.py": CoveredLines(0.2, {"f::one": 0.1, "f::other": 0.1}, {"engine/a.py": {"5": "1", "9": "2"}}),
        "tests/test_beside.py": CoveredLines(0.0, {"b::none": 0.1}, {"engine/b.py": {"1": "1"}}),
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


def test_a_line_keeps_its_day_though_its_blanks_change_and_it_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str, day: str = "2026-01-01") -> None:
        when = {f"GIT_{who}_{what}": said for who in ("AUTHOR", "COMMITTER") for what, said in SIGNED.items()}
        dated = {f"GIT_{who}_DATE": f"{day}T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
        subprocess.run(("git", *words), cwd=tmp_path, env=os.environ | when | dated, check=True, capture_output=True)

    moved = [f"    the_sum_of_what_is_paid = {n} * fiches_in_the_basket" for n in range(9)]
    git("init", "-q")
    (tmp_path / "old.py").write_text("\n".join([*moved, ""]), "utf-8")
    git("add", ".")
    git("commit", "-qm", "old")
    (tmp_path / "old.py").write_text("\n", "utf-8")
    (tmp_path / "new.py").write_text("\n".join([*(f"    {line}" for line in moved), "    is_new = True", ""]), "utf-8")
    git("add", ".")
    git("commit", "-qm", "new", day="2026-03-03")
    monkeypatch.setattr(line_dates, "MUTATION_ROOT", tmp_path)
    found = line_dates.read_line_dates.__wrapped__("new.py")
    assert [found[line] for line in range(1, 10)] == [date(2026, 1, 1)] * 9
    assert found[10] == date(2026, 3, 3)
