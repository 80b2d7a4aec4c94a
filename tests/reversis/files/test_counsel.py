"""The counsel of the sources: every word of it stands in its sentence, and it is tried, or it is said why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from reversis.files.counsel_file import COUNSEL_FILE, CounselRecord, read_counsel
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.sources.paths import digest_sources, find_sources

SOURCES = find_sources()
BELOW = """\
- id: below
  passages:
    - {at: ACA.s0034, exact: "des cartes au-dessous de celle qu'on a jouée"}
  says: Play below the card led.
  kind: advice
  tried: play-below
"""
LOW = BELOW.replace("play-below", "lead-low") + '  high: K\n  low: "7"\n'


def read(tmp_path: Path, library: Library, words: str) -> tuple[tuple[CounselRecord, ...], list[Problem]]:
    root = tmp_path / "sources"
    root.mkdir(exist_ok=True)
    (root / COUNSEL_FILE).write_text(words, encoding="utf-8")
    return read_counsel(root, library)


def test_that_of_the_edition_is_in_order(library: Library) -> None:
    found, problems = read_counsel(SOURCES, library)
    assert problems == []
    assert {one.source for one in found} == {*library.sources} - {"HOY"}
    assert sum(bool(one.tried) for one in found) >= 20
    assert all(bool(one.tried) != bool(one.untried) for one in found)


def test_every_sentence_that_is_marked_as_counsel_is_there(library: Library) -> None:
    found, _ = read_counsel(SOURCES, library)
    quoted = {each.at for one in found for each in one.passages}
    marked = {id for source in library.sources.values() for id, each in source.coverage.items() if each.counsel}
    assert marked and marked <= quoted


def test_it_is_no_part_of_the_fingerprint_of_the_sources(tmp_path: Path) -> None:
    before = digest_sources(tmp_path)
    (tmp_path / COUNSEL_FILE).write_text(BELOW, encoding="utf-8")
    assert digest_sources(tmp_path) == before


def test_without_a_file_there_is_none(tmp_path: Path, library: Library) -> None:
    assert read_counsel(tmp_path, library) == ((), [])


def test_ranks_and_cards_are_read(tmp_path: Path, library: Library) -> None:
    (one,), problems = read(tmp_path, library, LOW)
    assert problems == [] and (one.source, one.high, one.low) == ("ACA", "K", "7")


@pytest.mark.parametrize(
    ("words", "what", "way_out"),
    [
        (BELOW.replace("des cartes", "les cartes"), "ACA.s0034 has no", ""),
        (BELOW.replace("ACA.s0034", "ACA.s9034"), "no sentence ACA.s9034", "did you mean ACA.s0034"),
        (BELOW.replace("play-below", "play-above"), "tried", ""),
        (BELOW.replace("  tried: play-below\n", ""), "no test, and no reason", "write tried: or untried:"),
        (BELOW + "  untried: Nobody could.\n", "both a test and a reason", "write tried: or untried:"),
        (BELOW + "  cards: [JH]\n", "asks for neither cards nor ranks", "nothing else"),
        (BELOW + "  over: [JH]\n", "does not look at over", "take it out"),
        (LOW.replace("  high: K\n", ""), "asks for high and low, not low", "what the test asks for"),
        (BELOW.replace("play-below", "throw-cards"), "asks for cards, not nothing", "what the test asks for"),
        (BELOW + BELOW, "below stands 2 times", "give each its own"),
        (
            BELOW.replace("  says:", '    - {at: PAM.s0005, exact: "donner les cartes"}\n  says:'),
            "words of ACA and PAM",
            "an entry for each source",
        ),
        ("a: 1\n", "is no list", "dash"),
    ],
)
def test_a_fault_is_told_with_a_way_out(words: str, what: str, way_out: str, tmp_path: Path, library: Library) -> None:
    _, problems = read(tmp_path, library, words)
    assert any(what in problem.what and way_out in problem.way_out and problem.line > 0 for problem in problems), (
        problems
    )
