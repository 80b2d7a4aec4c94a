"""Whatever one feeds the readers, they either read it or say what is wrong: where, what, and the way out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest
from lxml import etree

from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.generation.deal import Found, fill
from engine.generation.partial_deal import read_sketch
from proofs import fuzz
from proofs.fuzz import (
    INPUT_KINDS,
    FuzzBench,
    FuzzOutcome,
    RefusedInput,
    build_fuzz_receipt,
    exchange_words,
    feed_all,
    feed_command,
    feed_input,
    find_lost_letters,
    find_lost_parts,
    find_problem_gaps,
    make_input,
    spoil_data,
    spoil_text,
)
from reversis.files.deals import read_json_deal
from rulebook.io.plain_values import MAX_WHOLE_NUMBER
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import load_library
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.receipts import read_receipts
from rulebook.resolve import BadChoice, read_choice, resolve
from rulebook.sources.bibliography import read_works
from rulebook.sources.paths import find_sources
from rulebook.spelling import NO_TABLE, read_spelling
from rulebook.tei.import_tei import Taken
from tests.support.commands import cache
from tests.support.deals import fresh

__all__ = ["cache"]

FEW = 100
WORDS = ("south", "Q001")


@pytest.fixture(scope="module")
def bench(library: Library, tmp_path_factory: pytest.TempPathFactory) -> FuzzBench:
    return FuzzBench(tmp_path_factory.mktemp("fuzz"), library)


def faults_of(outcomes: list[FuzzOutcome]) -> list[str]:
    return [f"{outcome.kind}:{outcome.number}: {outcome.fault}" for outcome in outcomes if outcome.fault]


# ---- the sample
@pytest.mark.slow
def test_whatever_is_fed_is_read_or_refused_with_a_place_and_a_way_out(bench: FuzzBench) -> None:
    outcomes = feed_all(bench, FEW, seed=8)
    assert len(outcomes) == FEW and faults_of(outcomes) == []
    by_kind = build_fuzz_receipt(bench, outcomes, FEW, 8).figures["by kind"]
    unmixed = [kind for kind, line in by_kind.items() if not (line["read"] and line["refused"])]
    assert unmixed == [], "a kind of which nothing is read proves little"
    assert bench.settled["settled"] > FEW // 10


@pytest.mark.nightly
def test_forty_thousand_inputs_are_read_or_refused_with_a_place_and_a_way_out(bench: FuzzBench) -> None:
    outcomes = feed_all(bench, 40_000, seed=38)
    assert len(outcomes) == 40_000 and faults_of(outcomes) == []


@pytest.mark.slow
def test_the_same_seed_feeds_the_same(bench: FuzzBench) -> None:
    for kind in INPUT_KINDS:
        assert make_input(bench, 1, kind, 3) == make_input(bench, 1, kind, 3)


def test_there_are_twelve_kinds_and_their_shares_make_a_whole() -> None:
    assert len(INPUT_KINDS) == 12 and sum(share for share, *_ in INPUT_KINDS.values()) == 100


def test_the_small_library_is_in_order_before_it_is_spoilt(bench: FuzzBench) -> None:
    library, problems = load_library(bench.small)
    assert library is not None and problems == []
    INPUT_KINDS["sources in YAML"][3](bench, "registry.yaml", (bench.small / "registry.yaml").read_bytes())


def test_changes_befall_anything_and_leave_what_they_change_as_it_was() -> None:
    raw = fresh()
    before = json.dumps(raw)
    assert sum(spoil_data(Random(n), raw, WORDS) != raw for n in range(50)) > 40 and json.dumps(raw) == before
    for letters in ("", "a", "a: b\n"):
        changed = [(spoil_text(Random(n), letters, WORDS), exchange_words(Random(n), letters)) for n in range(50)]
        assert len({*changed}) > 10


# ---- what a fault is
def plant(monkeypatch: pytest.MonkeyPatch, read: Any) -> None:
    kind = (100, lambda bench, rng: ("a", "letters"), "", lambda bench, name, octets: read())
    monkeypatch.setattr(fuzz, "INPUT_KINDS", {"bad": kind})


def broken() -> None:
    raise KeyError("south")


def endless() -> None:
    while True:
        pass


def told(*problems: Problem) -> Any:
    def read() -> None:
        raise RefusedInput(problems, b"\n")

    return read


@pytest.mark.parametrize(
    ("read", "fault"),
    [
        (broken, "KeyError"),
        (endless, "took longer"),
        (told(Problem("a", 0, 1, "x", "y")), "no line"),
        (told(Problem("a", 4, 1, "x", "y")), "a line that the file does not have"),
        (told(Problem("", 1, 1, "x", "y")), "no file"),
        (told(Problem("a", 1, 1, " ", "y")), "no words"),
        (told(Problem("a", 1, 1, "x", " ")), "no way out"),
        (told(Problem("a", 1, 1, "x", "known are ")), "no way out"),
        (told(Problem("a.yaml", 2, 1, "is no card", "there are AS, KH")), ""),
    ],
)
def test_a_fault_is_found(bench: FuzzBench, monkeypatch: pytest.MonkeyPatch, read: Any, fault: str) -> None:
    plant(monkeypatch, read)
    monkeypatch.setattr(fuzz, "BOUND", 0.2)
    outcome = feed_input(bench, 1, "bad", 0)
    assert fault in outcome.fault and bool(fault) == bool(outcome.fault)


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        ({"tricks": ()}, "trick 1"),
        ({"talon": ()}, "talon"),
        ({"hands": (frozenset(),) * 4}, "hand 0"),
        ({"title": "another"}, "title"),
        ({"claims": {}}, "claims"),
    ],
)
def test_a_sketch_that_is_not_in_the_deal_made_of_it_is_a_fault(
    library: Library, change: dict[str, Any], lost: str
) -> None:
    raw = fresh()
    part = {key: raw[key] for key in ("hands", "talon", "tricks")} | {"title": "one", "claims": {"AS": True}}
    sketch, problems = read_sketch(part)
    assert sketch is not None, problems
    found = fill(resolve(library, "PAM"), sketch)
    assert isinstance(found, Found) and [*find_lost_parts(sketch, found.deal)] == []
    assert lost in [*find_lost_parts(sketch, replace(found.deal, **change))]


@pytest.mark.parametrize(("taken", "lost"), [("He pays.", ""), ("He says.", "p"), ("", "Hepays.")])
def test_a_letter_that_an_import_neither_keeps_nor_shows_is_a_fault(taken: str, lost: str) -> None:
    root = etree.fromstring("<p>He <hi>pays</hi>.</p>")
    assert find_lost_letters(root, Taken(), taken) == lost
    assert find_lost_letters(root, Taken({"note": ["Hepays."]}), taken) == ""


@pytest.mark.parametrize(
    "words", [["show", "Q999"], ["show", "x" * 5000], ["deal", "fill", "--wish", "x"], ["run"], ["no"]]
)
def test_a_command_line_is_refused_in_words(words: list[str]) -> None:
    with pytest.raises(RefusedInput) as told:
        feed_command(words)
    assert [*find_problem_gaps(*told.value.problems, 0)] == []


def test_letters_that_a_terminal_obeys_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "cli", click.Command("x", callback=lambda: click.echo("a\x1b[2Jb\u202e")))
    with pytest.raises(AssertionError, match=r"U\+001B to the terminal"):
        feed_command([])


@pytest.mark.parametrize("written", [False, True])
def test_a_sheet_that_does_not_do_what_it_says_is_a_fault(
    bench: FuzzBench, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    octets = bench.sheets["AAA"].encode()
    output = "nothing to change" if written else "AAA/clauses.yaml: 1 row changed"

    def obey(words: list[str]) -> str:
        if written:
            Path(words[1], "AAA/clauses.yaml").write_text("", encoding="utf-8")
        return output

    monkeypatch.setattr(fuzz, "feed_command", obey)
    with pytest.raises(AssertionError, match="says one thing, and does another"):
        fuzz.feed_sheet(bench, "AAA", octets)


def test_a_stored_result_that_was_changed_is_noticed(bench: FuzzBench, monkeypatch: pytest.MonkeyPatch) -> None:
    octets = (Path(bench.library.root) / "receipts/twice.json").read_bytes()
    read = INPUT_KINDS["kept file"][3]
    read(bench, "receipts/twice.json", octets)
    with pytest.raises(RefusedInput):
        read(bench, "receipts/twice.json", octets.replace(b"2026-11-23", b"2026-11-22"))
    monkeypatch.setattr(fuzz, "find_all_problems", lambda root: (object(), []))
    with pytest.raises(AssertionError, match="a change goes unnoticed"):
        read(bench, "receipts/twice.json", octets + b" ")


def test_with_a_fault_there_is_no_receipt(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(monkeypatch, broken)
    assert fuzz.main(["--number", "3", "--out", str(tmp_path / "fuzz.json")]) == 1
    assert "3 inputs, 3 faults" in capsys.readouterr().out and not list(tmp_path.iterdir())


def test_the_receipt_says_what_became_of_every_kind(bench: FuzzBench) -> None:
    one = build_fuzz_receipt(bench, [FuzzOutcome("wish", 0), FuzzOutcome("wish", 1, True, 2)], 2, 5)
    assert (one.proof, one.seed, one.sources) == ("fuzz", 5, bench.library.rules_digest)
    assert one.command == "python -m proofs.fuzz --number 2 --seed 5"
    assert one.figures["by kind"]["wish"] == {"inputs": 2, "read": 1, "refused": 1, "problems": 2}


def test_the_receipt_that_is_kept_is_of_a_full_run_without_a_fault() -> None:
    receipts, problems = read_receipts(find_sources())
    (one,) = (receipt for receipt in receipts if receipt.proof == "fuzz")
    assert problems == [] and one.figures["inputs"] >= 40_000 and one.figures["by kind"].keys() == INPUT_KINDS.keys()
    assert one.figures[fuzz.FAULTS] == 0


# ---- faults that were found so
def read(**changes: object) -> tuple[Deal | None, list[Problem]]:
    return read_deal(fresh() | changes)


def test_where_no_seat_is_known_the_way_out_says_what_to_mend_first() -> None:
    _, problems = read(seats=[])
    assert problems and not any(p.way_out.endswith("known are ") for p in problems)


def test_half_a_letter_in_json_is_told_with_its_line() -> None:
    letters = json.dumps(fresh() | {"deal": "\ud800"})
    json_deal = read_json_deal(letters, "<stdin>", 4)
    assert json_deal.deal is None and [(p.file, p.line) for p in json_deal.problems] == [("<stdin>", 4)]


@pytest.mark.parametrize("sum_", [MAX_WHOLE_NUMBER + 1, 10**4000, 10**6000], ids=("one more", "long", "far too long"))
def test_a_sum_that_nobody_could_write_down_is_refused(sum_: int) -> None:
    deal, problems = read(pool={"stake": sum_, "waiting": []})
    assert deal is None and all(str(p) for p in problems)


def test_a_line_end_that_no_editor_counts_is_refused() -> None:
    """Otherwise every line named after it would be off by one."""
    for letter in "\u2028\u2029\x85\u200b\u202e":
        _, _, (problem, *_) = read_yaml(f"a: b{letter}\nc: d\n", "a.yaml")
        assert (problem.line, problem.column) == (1, 5) and "cannot be seen" in problem.what


def test_a_spelling_table_that_nests_without_end_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "spelling.yaml").write_text("a: " + "[" * 5000, encoding="utf-8")
    table, problems = read_spelling(tmp_path / "spelling.yaml")
    assert table == NO_TABLE and problems


def test_a_fault_in_the_spelling_table_is_told_where_it_stands(tmp_path: Path) -> None:
    letters = "version: 1\nletters: {}\nwords:\n  fr:\n    a: b\n    b: c\n"
    (tmp_path / "spelling.yaml").write_text(letters, encoding="utf-8")
    assert [p.line for p in read_spelling(tmp_path / "spelling.yaml")[1]] == [5]


def test_a_bibliography_that_is_not_utf_8_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_bytes(b"@misc{a, title={\xed\xff}}\n")
    works, problems = read_works(tmp_path / "a.bib")
    assert works == {} and len(problems) == 1


def test_a_wish_for_an_answer_that_a_source_does_not_have_shows_the_way_out(library: Library) -> None:
    own = {s: {q for c in source.clauses for q in c.answers} for s, source in library.sources.items()}
    slug, siglum = next((q, s) for q in library.questions for s in own if q not in own[s])
    other = next(s for s in own if s != siglum)
    with pytest.raises(BadChoice, match=f"or give the answer: {slug}="):
        resolve(library, other, [read_choice(library, f"{slug}@{siglum}")])
