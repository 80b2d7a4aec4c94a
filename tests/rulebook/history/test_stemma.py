"""Who copied whom: the words of every piece of evidence stand in the sentence named, and the tree is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebook.history.stemma import EMPTY_STEMMA, STEMMA_FILE, Stemma, read_stemma
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.sources.paths import find_sources

SOURCES = find_sources()
GOOD = (SOURCES / STEMMA_FILE).read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with the witnesses of the edition and a stemma of one's own."""
    root = tmp_path / "sources"
    root.mkdir()
    for path in SOURCES.glob("*/witnesses/*"):
        copy = root / path.relative_to(SOURCES)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    yield root


def read(folder: Path, library: Library, words: str = GOOD) -> tuple[Stemma, list[Problem]]:
    (folder / STEMMA_FILE).write_text(words, encoding="utf-8")
    return read_stemma(folder, library)


def test_the_stemma_of_the_edition_is_in_order(library: Library) -> None:
    stemma, problems = read_stemma(SOURCES, library)
    assert problems == []
    assert len(stemma.edges) > 5
    assert all(edge.evidence for edge in stemma.edges)


def test_every_source_and_witness_stands_in_the_tree(library: Library) -> None:
    stemma, _ = read_stemma(SOURCES, library)
    assert {*library.sources, *stemma.witnesses} <= {*stemma.texts}


def test_without_a_file_there_is_no_tree(tmp_path: Path, library: Library) -> None:
    assert read_stemma(tmp_path, library) == (EMPTY_STEMMA, [])


#: What is put in place of what -> what is said, and the way out.
FAULTS = {
    "another word": (
        ("nous avons vu Art. 1. qu'on", "nous avons vu Art. 2. qu'on"),
        'PAM.s0054 has no "nous avons vu Art. 2. qu\'on ne renonce jamais"',
        "the nearest is",
    ),
    "another word of a witness": (
        ('at: PAM.s0003, exact: "Art. I."', 'at: PAM.s0003, exact: "Art. II."'),
        "HAG has no 'Art. II.' at PAM.s0003",
        "it has there: Art. I. Le Reversis",
    ),
    "another sum of a statement": (
        ('PAR.n41, exact: "pays 64 fish"', 'PAR.n41, exact: "pays 65 fish"'),
        "PAR.n41 has no 'pays 65 fish'",
        "quote our statement",
    ),
    "a sentence that there is not": (
        ("{at: GER.s0042,", "{at: GER.s9942,"),
        "no sentence GER.s9942",
        "did you mean GER.s0042",
    ),
    "a sentence that was not consulted": (
        ("{witness: ENC, at: ACA.s0016,", "{witness: ENC, at: ACA.s0030,"),
        "ENC has no sentence ACA.s0030",
        "ACA.s00",
    ),
    "an unknown witness": (("{witness: ENC, at: ACA.s0004", "{witness: ENZ, at: ACA.s0004"), "no witness ENZ", "ENC"),
    "an unknown text": (("below: [PAM, HAG]", "below: [PAM, HAGUE]"), "no text is called HAGUE", "did you mean"),
    "an ancestor of nobody": (
        ("above: mcleod-article", "above: french-list"),
        "nothing descends from mcleod-article",
        "add an edge",
    ),
    "one sign for two": (("sign: β", "sign: α"), "α is the sign of 2 ancestors", "give each its own"),
    "several copies": (
        ("below: [GER]\n    kind: translated", "below: [GER, ACA]\n    kind: translated"),
        "translated to several texts",
        "write an edge for each",
    ),
    "a shared ancestor of one": (
        ("below: [PAM, HAG]", "below: [PAM]"),
        "a shared ancestor has two descendants or more",
        "copied, abridged or translated",
    ),
    "a circle": (("above: ENC\n    below: [ACA]", "above: ENC\n    below: [ENC]"), "ENC descends from itself", "turn"),
    "words of another branch": (
        ('- {at: PAM.s0072, exact: "joué ou gorgé"}', '- {at: ACA.s0023, exact: "Voilà les règles"}'),
        "ACA is not below numbered-articles",
        "quote PAM, HAG",
    ),
    "one side only": (
        ('          - {witness: ENC, at: ACA.s0013, exact: "c\'est au premier à le payer"}\n', ""),
        "an agreement in wording of one text",
        "quote both sides",
    ),
    "another order": (
        ('{at: GER.s0040, exact: "Das Farbe-Verläugnen"}', '{at: GER.s0037, exact: "Die As gelten 5"}'),
        "the sentences of GER do not follow one another",
        "as they stand there",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_with_its_line_and_a_way_out(fault: str, folder: Path, library: Library) -> None:
    (old, new), what, way_out = FAULTS[fault]
    assert old in GOOD
    words = GOOD.replace(old, new, 1)
    _, problems = read(folder, library, words)
    told = [problem for problem in problems if what in problem.what]
    assert told, problems
    assert way_out in told[0].way_out, told[0]
    assert told[0].file == "sources/stemma.yaml"
    first = next(at for at, line in enumerate(words.split("\n"), 1) if line != GOOD.split("\n")[at - 1])
    assert abs(told[0].line - first) < 16 or fault in ("an ancestor of nobody", "one sign for two")


def test_all_faults_are_told_at_once(folder: Path, library: Library) -> None:
    words = GOOD.replace("nous avons vu Art. 1.", "nous avons lu Art. 1.").replace("gergi", "gorgi")
    _, problems = read(folder, library, words)
    assert len(problems) == 2


def test_an_unknown_entry_is_refused(folder: Path, library: Library) -> None:
    _, (problem,) = read(folder, library, GOOD.replace("    cert: high", "    certain: high\n    cert: high", 1))
    assert "certain" in problem.what


def test_a_list_is_no_stemma(folder: Path, library: Library) -> None:
    _, (problem,) = read(folder, library, "- x\n")
    assert (problem.what, problem.way_out) == ("is no table", "write ancestors: and edges:")
