"""Dated mentions of the game: each with a reference, each marked by how it was seen."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rulebook.history.attestations import (
    ATTESTATIONS_FILE,
    FIRST_HAND,
    ONLY_SAID,
    QUOTED,
    find_oldest,
    list_perhaps_older,
    read_attestations,
)
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.schema.history_records import AttestationRecord
from rulebook.sources.paths import find_sources

SOURCES = find_sources()
SAID = """\
- id: said
  name: a saying
  date: "1634"
  dating: not after
  what: Said of 1634.
  where: No source is named
  seen: only said
  by: Somebody
  address: https://example.org/
  accessed: "2026-11-26"
"""
READ = """\
- id: read
  name: rules
  date: "1745"
  until: "1800"
  dating: between
  what: Rules.
  where: A book of 1745 to 1800
  seen: at first hand
  text: GER
"""
QUOTE = SAID.replace("id: said", "id: quote").replace("only said", "quoted") + "  words: au reversin\n  lang: fr\n"


def read(tmp_path: Path, library: Library, words: str) -> tuple[tuple[AttestationRecord, ...], list[Problem]]:
    root = tmp_path / "sources"
    root.mkdir(exist_ok=True)
    (root / ATTESTATIONS_FILE).write_text(words, encoding="utf-8")
    return read_attestations(root, library)


def test_those_of_the_edition_are_in_order(library: Library) -> None:
    found, problems = read_attestations(SOURCES, library)
    assert problems == []
    assert [one.order for one in found] == sorted(one.order for one in found)
    assert all(one.where and (one.text or one.work or one.address) for one in found)


def test_the_oldest_is_that_of_which_the_last_possible_year_is_the_earliest(library: Library) -> None:
    """1765 is certain; the German treatise, of 1745 to 1800, may be older."""
    found, _ = read_attestations(SOURCES, library)
    oldest = find_oldest(found, FIRST_HAND)
    assert oldest is not None and oldest.text == "ENC"
    assert [one.text for one in list_perhaps_older(found, oldest, FIRST_HAND)] == ["GER"]


def test_the_oldest_words_are_a_letter_of_1601(library: Library) -> None:
    found, _ = read_attestations(SOURCES, library)
    oldest = find_oldest(found, QUOTED)
    assert oldest is not None and oldest.date == "1601-11-13" and "reversin" in oldest.words


def test_what_may_be_another_game_is_not_the_oldest(tmp_path: Path, library: Library) -> None:
    doubtful = SAID.replace("id: said", "id: other").replace("1634", "1540") + "  doubt: Another name.\n"
    found, problems = read(tmp_path, library, doubtful + SAID)
    assert problems == []
    oldest = find_oldest(found, ONLY_SAID)
    assert oldest is not None and oldest.id == "said"
    assert list_perhaps_older(found, oldest, ONLY_SAID) == []


def test_of_what_has_no_last_year_none_is_the_oldest(tmp_path: Path, library: Library) -> None:
    words = READ.replace("between", "not before").replace('  until: "1800"\n', "")
    found, problems = read(tmp_path, library, words)
    assert problems == [] and find_oldest(found, FIRST_HAND) is None
    assert list_perhaps_older(found, None, FIRST_HAND) == []


@pytest.mark.parametrize(
    ("words", "what", "way_out"),
    [
        (SAID.replace('"1634"', '"in 1634"'), "date", ""),
        (SAID + '  until: "1700"\n', "not after with until: 1700", 'add until: "1799"'),
        (READ.replace('"1800"', '"1700"'), "1700 is before 1745", "exchange the two"),
        (SAID.replace("  by: Somebody\n", ""), "only said, but not by whom, where and when", "add by, address"),
        (SAID.replace('  accessed: "2026-11-26"\n', ""), "only said, but not by whom, where and when", "accessed"),
        (READ.replace("  text: GER\n", ""), "at first hand", "name either text"),
        (READ + "  by: Somebody\n", "at first hand", "name either text"),
        (READ.replace("GER", "GERR"), "no source or witness GERR", "did you mean GER"),
        (READ.replace("text: GER", "work: nothing"), "no work nothing in bibliography.bib", "add the work"),
        (QUOTE.replace("  words: au reversin\n", ""), "quoted, but no words", "write seen: only said"),
        (SAID + "  words: reversin\n  lang: fr\n", "words of what is only said", "write seen: quoted"),
        (QUOTE.replace("  lang: fr\n", ""), "words and their language go together", "add words and lang"),
        (SAID.replace('"1634"', '"1635"'), "said is of 1635, and its words name 1634", "correct the year"),
        (SAID.replace("Said of 1634", "Said"), "said is of 1634, and its words name no year", "name it in what"),
        (READ + SAID, "said is of 1634, and stands behind read of 1745", "move it, or correct the year"),
        (SAID + SAID, "said stands 2 times", "give each its own"),
        (SAID.replace("https://", "ftp://"), "address", ""),
        (SAID.replace("  where: No source is named\n", ""), "where is missing", "add it"),
    ],
)
def test_a_fault_is_told_with_a_way_out(words: str, what: str, way_out: str, tmp_path: Path, library: Library) -> None:
    _, problems = read(tmp_path, library, words)
    assert any(what in problem.what and way_out in problem.way_out and problem.line > 0 for problem in problems), (
        problems
    )


@pytest.mark.slow
def test_a_year_changed_by_one_is_noticed_in_every_attestation(tmp_path: Path, library: Library) -> None:
    """Its words name it as well: a century or a decade by its first year and its last."""
    letters = (SOURCES / ATTESTATIONS_FILE).read_text("utf-8")
    years = [*re.finditer(r'^  (?:date|until): "(\d{4})', letters, re.MULTILINE)]
    spoilt = (letters[: at.start(1)] + str(int(at[1]) + 1) + letters[at.end(1) :] for at in years)
    shutil.copytree(SOURCES / "ACA/witnesses", tmp_path / "sources/ACA/witnesses")
    shutil.copytree(SOURCES / "PAM/witnesses", tmp_path / "sources/PAM/witnesses")
    shutil.copy(SOURCES / "bibliography.bib", tmp_path / "sources")
    assert len(years) > 30 and read(tmp_path, library, letters)[1] == []
    assert [at[0] for at, words in zip(years, spoilt, strict=True) if not read(tmp_path, library, words)[1]] == []


def test_a_table_is_no_list(tmp_path: Path, library: Library) -> None:
    _, (problem,) = read(tmp_path, library, "a: 1\n")
    assert (problem.what, problem.way_out) == ("is no list", "begin every attestation with a dash")
