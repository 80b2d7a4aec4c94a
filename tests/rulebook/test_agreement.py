"""Two codings of the same words: the figures are reckoned from what is kept, and no disagreement is left open."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from edition.corpus.problems import find_problems_in_results
from rulebook.agreement.__main__ import main, write_first_codings
from rulebook.agreement.codings import (
    FIRST_CODING_FILE,
    SECOND_CODING_FILE,
    SETTLEMENTS_FILE,
    CodedAnswer,
    UnreadableCoding,
    questions_coded_once,
    read_coding,
    read_pairs,
    sigla_coded_twice,
)
from rulebook.agreement.report import check_codings, read_agreement
from rulebook.agreement.settlements import read_settlements
from rulebook.agreement.statistics import (
    FIGURES_FILE,
    compute_figure,
    figures_are_fresh,
    group_cells,
    nominal_alpha,
    recompute,
)
from rulebook.load import quick_load
from rulebook.model import Library
from tests.support.library import changed, loaded, write_library
from tests.support.pages import build_corpus

ED2 = """\
Q001: {status: stated, answer: leader, cert: high}
Q002: {status: stated, answer: 3, cert: low, because: Three are printed.}
Q003: {status: implied, answer: [1, -1], cert: high}
"""
WHY = """\
- question: Q002
  first: {status: stated, answer: 2}
  second: {status: stated, answer: 3}
  kept: first
  why: Two are printed.
  procedure: unchanged
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_library(tmp_path)
    (root / "AAA" / SECOND_CODING_FILE).write_text(ED2, encoding="utf-8")
    write_first_codings(loaded(root))
    (root / "AAA" / SETTLEMENTS_FILE).write_text(WHY, encoding="utf-8")
    return root


def told(root: Path) -> list[str]:
    return [one.what for one in check_codings(loaded(root)) if one.file.endswith(SETTLEMENTS_FILE) or "Q00" in one.what]


# ---- the codings
def test_a_second_coding_without_the_first_is_told_with_what_takes_it_from_the_clauses(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REVERSIS_SOURCES", str(root))
    (root / "AAA" / SETTLEMENTS_FILE).unlink()
    (root / "AAA" / FIRST_CODING_FILE).unlink()
    assert main() == 1 and "AAA: coding-ed1.yaml is missing; `python -m" in capsys.readouterr().err
    (root / "AAA" / SECOND_CODING_FILE).unlink()
    assert main() == 1 and "no source is coded twice" in capsys.readouterr().err
    assert not (root / FIGURES_FILE).exists()


def test_the_first_coding_is_drawn_from_the_clauses_and_reads_back_the_same(root: Path) -> None:
    library = loaded(root)
    coding = read_coding(library, root / "AAA" / FIRST_CODING_FILE)
    for slug in library.questions:
        cell = library.cell("AAA", slug)
        assert cell is not None
        assert (coding[slug].status, coding[slug].value) == (cell.status, cell.value)


def test_the_first_coding_is_kept_as_it_was_when_a_clause_is_mended(root: Path) -> None:
    before = (root / "AAA" / FIRST_CODING_FILE).read_bytes()
    changed(root, "AAA/clauses.yaml", "Q002: 2 ", "Q002: 3 ")
    assert write_first_codings(loaded(root)) == []
    assert (root / "AAA" / FIRST_CODING_FILE).read_bytes() == before


def test_an_answer_from_another_source_is_no_finding_of_the_coder(root: Path) -> None:
    """It is silent in the first coding, and a silence stands where an answer was supplied."""
    second = "Q001: {status: implied, answer: nobody}\nQ002: {status: inapplicable}\nQ003: {status: silent}\n"
    (root / "BBB" / SECOND_CODING_FILE).write_text(second, encoding="utf-8")
    library = loaded(root)
    write_first_codings(library)
    question = library.question("Q003")
    cell = library.cell("BBB", question.slug)
    assert cell is not None and cell.value == () and cell.clauses[0].taken_from == "AAA"
    first = read_coding(library, root / "BBB" / FIRST_CODING_FILE)[question.slug]
    assert (first.status, first.value) == ("silent", None)
    assert told(root) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("answer: leader", "answer: leeder", "leeder is no reading"),
        ("answer: 3", "answer: three", "three is no whole number"),
        ("status: implied", "status: meant", "Q003 has no status"),
        ("Q003:", "Q009:", "there is no question Q009"),
        ("Q003: {status: implied, answer: [1, -1], cert: high}\n", "", "Q003 is not coded"),
    ],
)
def test_a_coding_is_read_strictly(root: Path, old: str, new: str, says: str) -> None:
    changed(root, f"AAA/{SECOND_CODING_FILE}", old, new)
    with pytest.raises(UnreadableCoding, match=says):
        read_coding(loaded(root), root / "AAA" / SECOND_CODING_FILE)


# ---- the figures


def test_alpha_is_krippendorffs() -> None:
    pytest.importorskip("krippendorff")
    both = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b"), ("a", "a")]
    # by hand: observed disagreement 2/10, expected 2 x 5 x 5 / (10 x 9) of pairs
    observed, expected = 2 / 10, 2 * 5 * 5 / (10 * 9)
    assert nominal_alpha(both) == pytest.approx(1 - observed / expected, abs=1e-4)
    assert nominal_alpha([("a", "a"), ("a", "a")]) is None


def test_the_figures_are_stale_as_soon_as_a_coding_changes(root: Path) -> None:
    pytest.importorskip("krippendorff")
    assert [one.what for one in figures_are_fresh(loaded(root))] == ["is missing, though sources have been coded twice"]
    recompute(loaded(root))
    assert not list(figures_are_fresh(loaded(root)))
    changed(root, f"AAA/{SECOND_CODING_FILE}", "answer: 3", "answer: 4")
    assert "older than the codings" in next(figures_are_fresh(loaded(root))).what


def test_figures_that_were_tampered_with_are_told(root: Path) -> None:
    pytest.importorskip("krippendorff")
    recompute(loaded(root))
    changed(root, FIGURES_FILE, '"all": {cells: 3, value: {agreed: 2', '"all": {cells: 3, value: {agreed: 3')
    assert "older than the codings" in next(figures_are_fresh(loaded(root))).what


# ---- questions put after the codings
@pytest.fixture
def later(root: Path) -> Path:
    """The library after one more question was put, and answered by the clauses alone."""
    pytest.importorskip("krippendorff")
    recompute(loaded(root))
    path = next((root / "questions").iterdir())
    more = "Q004:\n  slug: toll.due\n  asks: When?\n  group: The toll\n  affects: payment\n"
    more += "  readings: {at-once: At once., later: Later.}\n"
    more += "  short: {at-once: at once, later: later}\n  coding: Code the time.\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    changed(root, "AAA/clauses.yaml", "    Q001: leader ", "    Q004: at-once\n    Q001: leader ")
    return root


def test_a_question_put_after_the_codings_is_part_of_no_figure_and_is_listed(later: Path) -> None:
    library = loaded(later)
    assert questions_coded_once(library) == {"AAA": ["Q004"]}
    assert [pair.question.id for pair in read_pairs(library)] == ["Q001", "Q002", "Q003"]
    assert "older than the codings or the questions" in next(figures_are_fresh(library)).what
    recompute(library)
    assert not list(figures_are_fresh(library))
    assert (read_agreement(library).once, read_agreement(library).all.cells) == ({"AAA": ["Q004"]}, 3)


def test_a_question_that_one_coder_has_coded_must_be_coded_by_the_other(later: Path) -> None:
    path = later / "AAA" / SECOND_CODING_FILE
    path.write_text(path.read_text(encoding="utf-8") + "Q004: {status: silent}\n", encoding="utf-8")
    with pytest.raises(UnreadableCoding, match="Q004 is not coded"):
        read_pairs(loaded(later))


# ---- settling


def test_check_tells_figures_of_codings_that_are_gone(root: Path) -> None:
    pytest.importorskip("krippendorff")
    recompute(loaded(root))
    for name in (FIRST_CODING_FILE, SECOND_CODING_FILE, SETTLEMENTS_FILE):
        (root / "AAA" / name).unlink()
    found = [
        result.what
        for result in find_problems_in_results(build_corpus(loaded(root)))
        if result.file == f"sources/{FIGURES_FILE}"
    ]
    assert found == ["holds figures, though no source has been coded twice"]


IDLE = WHY.replace("Q002", "Q001").replace("answer: 2", "answer: leader").replace("answer: 3", "answer: leader")
KEPT = "Q002 of AAA is settled as {}, but the clauses now say 2 (stated)"
SETTLED = {
    "a settled library is in order": (WHY, []),
    "a disagreement without a settlement": ("[]\n", ["Q002 of AAA: one coder found 2 (stated), the other 3 (stated)"]),
    "an idle settlement": (WHY + IDLE, ["Q001 of AAA needs no settlement: both found leader (stated)"]),
    "a second settlement of the same": (WHY + WHY, ["Q002 of AAA is settled twice"]),
    "a settlement says what was found": (
        *(WHY.replace("answer: 3", "answer: 4"), ["Q002 of AAA: the second coder found 3 (stated), not 4 (stated)"]),
    ),
    "it holds only while the clauses say so": (WHY.replace("kept: first", "kept: second"), [KEPT.format("second")]),
    "it holds for both": (WHY.replace("kept: first", "kept: both"), [KEPT.format("both")]),
}


@pytest.mark.parametrize("name", SETTLED)
def test_a_settlement_that_is_amiss_is_told(root: Path, name: str) -> None:
    letters, expected = SETTLED[name]
    (root / "AAA" / SETTLEMENTS_FILE).write_text(letters, encoding="utf-8")
    assert told(root) == expected


def test_a_clause_that_leaves_what_both_coders_found_needs_a_settlement(root: Path) -> None:
    changed(root, "AAA/clauses.yaml", "Q001: leader ", "Q001: taker ")
    assert told(root) == ["Q001 of AAA: both coders found leader (stated), but the clauses now say taker (stated)"]


def test_a_silence_passed_on_since_the_codings_needs_no_settlement(root: Path) -> None:
    """Both coders called inapplicable what hangs on a silence, as they were told to; it is silent now."""
    (root / "BBB" / SECOND_CODING_FILE).write_text(
        "Q001: {status: silent, answer: nobody}\nQ002: {status: inapplicable}\nQ003: {status: silent}\n",
        encoding="utf-8",
    )
    changed(
        root,
        "BBB/clauses.yaml",
        "status: implied",
        "status: silent\n  searched: BBB.n01\n  taken_from: logic\n  because: So.",
    )
    write_first_codings(loaded(root))
    changed(root, "BBB/clauses.yaml", "status: inapplicable", "status: silent\n  searched: BBB.n01-BBB.n02")
    assert told(root) == []
    changed(root, "BBB/clauses.yaml", "answers: {Q001: nobody}", "answers: {Q001: leader}")
    assert any(one.startswith("Q002 of BBB: both coders found no answer (inapplicable)") for one in told(root))


def test_a_settlement_without_a_reason_is_none(root: Path) -> None:
    changed(root, f"AAA/{SETTLEMENTS_FILE}", "why: Two are printed.", "why: ''")
    with pytest.raises(UnreadableCoding, match="is no settlement"):
        read_settlements(loaded(root))


# ---- the edition's own
@pytest.fixture(scope="module")
def library() -> Library:
    found, faults = quick_load()
    assert found is not None and not faults
    return found


@pytest.mark.slow
def test_every_disagreement_of_sources_that_have_been_coded_twice_is_settled(library: Library) -> None:
    """A source with one coding is no part of a figure, and the page on the two codings names it."""
    assert {pair.source for pair in read_pairs(library)} == set(sigla_coded_twice(library)) >= {"ACA", "GER", "PAM"}
    assert check_codings(library) == []


@pytest.mark.release
def test_the_kept_figures_are_those_that_the_command_reckons(library: Library) -> None:
    pytest.importorskip("krippendorff")
    kept = read_agreement(library)
    for name, cells in group_cells(read_pairs(library)):
        found = {"all": kept.all, "spoken": kept.spoken}.get(name) or {
            **{f"source {siglum}": one for siglum, one in kept.by_source.items()},
            **{f"group {group}": one for group, one in kept.by_group.items()},
        }[name]
        assert compute_figure(name, cells, nominal_alpha) == found


def test_every_question_was_coded_twice_or_is_listed_as_coded_once(library: Library) -> None:
    known = read_agreement(library)
    assert {*known.once} <= {*known.by_source} == {*sigla_coded_twice(library)}
    asked = sum(not question.by for question in library.questions.values())  # what a source proposes nobody else codes
    for siglum, figure in known.by_source.items():
        assert figure.cells == asked - len(known.once.get(siglum, ())), siglum
    assert known.all.cells == sum(figure.cells for figure in known.by_source.values())


def test_a_question_that_was_new_for_older_codings_counts_where_both_coders_had_it(root: Path) -> None:
    """A source that is coded later has more questions; those of another are no part of its figures only."""
    (root / "BBB" / SECOND_CODING_FILE).write_text("Q001: {status: silent, answer: nobody}\n", encoding="utf-8")
    (root / "BBB" / FIRST_CODING_FILE).write_text("Q001: {status: implied, answer: nobody}\n", encoding="utf-8")
    library = loaded(root)
    assert [(pair.source, pair.question.id) for pair in read_pairs(library)][-1] == ("BBB", "Q001")
    assert questions_coded_once(library) == {"BBB": ["Q002", "Q003"]}


@pytest.mark.slow
def test_the_rest_of_the_program_needs_no_array_library() -> None:
    code = (
        "import sys, json\nsys.modules['numpy'] = sys.modules['krippendorff'] = None\n"
        "from rulebook.load import quick_load\nfrom rulebook.agreement.report import check_codings, read_agreement\n"
        "library, _ = quick_load()\nprint(json.dumps([len(check_codings(library)), read_agreement(library).all.cells]))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)[1] > 0


def test_an_agreed_cell_is_agreed_only_while_the_clause_says_the_same(library: Library) -> None:
    pair = next(pair for pair in read_pairs(library) if pair.agreed)
    assert not replace(pair, now=CodedAnswer("silent", "another")).agreed
