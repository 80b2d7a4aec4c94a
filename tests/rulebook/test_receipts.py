"""Receipts of proofs: read strictly, shown on one page, and never taken for proofs of another edition."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from edition.corpus.corpus import Corpus
from rulebook import __version__
from rulebook.model import Library
from rulebook.receipts import BY_FUNCTION, RECEIPTS_FOLDER, Receipt, build_receipt, read_receipts, write_receipt
from rulebook.sources.paths import SOURCE_FILE_PATTERNS, digest_sources, find_files, find_sources
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS, build_corpus
from tests.support.places import CLONE

SEAL = "sha256:" + "0" * 64
FIGURES = {
    "inputs": 12,
    "by kind": {"wish": {"read": 3, "refused": 1}, "deal": {"read": 8}},
    "outcomes": {"settled": 5},
}
ONE = build_receipt("fuzz", "All is read.", "python -m proofs.fuzz", 1, SEAL, FIGURES)
GOOD = {
    "proof": "fuzz",
    "says": "All is read.",
    "command": "python -m proofs.fuzz",
    "seed": 1,
    "version": "0.1.0",
    "sources": SEAL,
    "python": "3.11",
    "made": "2025-01-31",
    "figures": {},
}

CURRENT = "Made from this version of the edition and its sources."


def laid(folder: Path, data: object, name: str = "fuzz.json") -> Path:
    (folder / RECEIPTS_FOLDER).mkdir(exist_ok=True)
    letters = data if isinstance(data, str) else json.dumps(data, indent=1)
    (folder / RECEIPTS_FOLDER / name).write_text(letters, encoding="utf-8")
    return folder


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    assert write_receipt(tmp_path, ONE).name == "fuzz.json"
    assert read_receipts(tmp_path) == ((ONE,), [])


def test_a_receipt_has_just_these_entries(tmp_path: Path) -> None:
    assert list(json.loads(write_receipt(tmp_path, ONE).read_text(encoding="utf-8"))) == ["digest", *GOOD]


def test_where_nothing_was_proved_there_is_no_receipt(tmp_path: Path) -> None:
    assert read_receipts(tmp_path) == ((), [])


@pytest.mark.parametrize("key", GOOD)
def test_every_entry_is_needed(tmp_path: Path, key: str) -> None:
    found, problems = read_receipts(laid(tmp_path, {k: v for k, v in GOOD.items() if k != key}))
    assert found == () and [p.what for p in problems] == [f"{key} is missing"]


@pytest.mark.parametrize(
    ("data", "what", "line"),
    [
        (GOOD | {"seed": "1"}, "seed must be a whole number", 5),
        (GOOD | {"seed": True}, "seed must be a whole number", 5),
        (GOOD | {"sources": "sha256:0"}, "sources cannot be sha256:0", 7),
        (GOOD | {"made": "31.1.2025"}, "made cannot be 31.1.2025", 9),
        (GOOD | {"figures": [1]}, "figures must be a table", 10),
        (GOOD | {"says": " "}, "says cannot be blank", 3),
        (GOOD | {"wrong": 1}, "the entry wrong is unknown here", 11),
        (GOOD | {"proof": "other"}, "the proof is called other, its file fuzz", 2),
        ([], "the entry must be a table, not a list", 1),
        ("{\n", "cannot be read as JSON", 2),
        ("[" * 5000, "cannot be read as JSON", 1),
    ],
)
def test_a_spoilt_receipt_is_told_where_it_stands(tmp_path: Path, data: object, what: str, line: int) -> None:
    found, problems = read_receipts(laid(tmp_path, data))
    assert found == () and problems and all(p.way_out for p in problems)
    assert problems[0].what.startswith(what) and problems[0].line == line


def test_a_receipt_of_this_edition_is_not_outdated() -> None:
    assert ONE.outdated(__version__, SEAL) == ()


def test_a_receipt_of_other_sources_or_another_version_says_so() -> None:
    assert ONE.outdated("9.9", SEAL) == (f"it is of version {__version__}, the edition of 9.9",)
    assert ONE.outdated(__version__, "sha256:1") == ("the sources have changed since",)
    assert len(ONE.outdated("9.9", "sha256:1")) == 2


def test_receipts_are_no_part_of_what_the_fingerprint_is_taken_of(tmp_path: Path) -> None:
    (tmp_path / "glossary.yaml").write_text("[]\n", encoding="utf-8")
    before = digest_sources(tmp_path)
    write_receipt(tmp_path, ONE)
    assert digest_sources(tmp_path) == before
    assert not [path for path in find_files(find_sources(), SOURCE_FILE_PATTERNS) if RECEIPTS_FOLDER in path.parts]


def test_receipts_are_shipped_with_the_sources() -> None:
    """The whole folder of sources goes into the wheel; what is not beside them would not."""
    root = CLONE
    assert '"sources" = "rulebook/_sources"' in (root / "pyproject.toml").read_text(encoding="utf-8")
    assert (root / "sources" / RECEIPTS_FOLDER).is_dir()


# ---- the page
def shown(library: Library, *receipts: Receipt) -> Any:
    return ALL_VIEWS["proofs"](build_corpus(library, receipts=receipts), "")


def told(view: Any) -> str:
    return " ".join(node.astext() for node in ALL_RENDERERS["proofs"](view))


def test_the_page_names_what_was_proved_and_how_to_repeat_it(library: Library) -> None:
    (view,) = shown(library, replace(ONE, sources=library.rules_digest))
    text = told((view,))
    assert "Damaged and random input" in text and CURRENT in text and "All are of this edition" in text
    whole = " ".join(node.astext() for node in ALL_RENDERERS["proof"](view))
    parts = (
        "Damaged and random input",
        ONE.command,
        "Seed",
        ONE.made,
        ONE.version,
        library.rules_digest,
        "Inputs",
        "12",
        "By kind",
        "–",
    )
    assert all(part in whole for part in parts)


def test_the_page_says_plainly_when_a_receipt_is_of_another_edition(library: Library) -> None:
    text = told(shown(library, ONE, replace(ONE, proof="other", sources=library.rules_digest)))
    assert f"Made {ONE.made}; the sources have changed since." in text
    assert text.count("the sources have changed since") == 1 and "what has changed since was not tested" in text


def test_the_page_of_a_proof_whose_program_is_retired_says_that_it_is_not_repeated(library: Library) -> None:
    gone = replace(
        ONE, command=f"{ONE.command}  # retired; last in revision 0123abcd", figures={BY_FUNCTION: {"f": "1"}}
    )
    for receipt, words in ((ONE, "repeated before each release"), (gone, "Its program is retired")):
        (view,) = shown(library, receipt)
        text = " ".join(" ".join(node.astext() for node in ALL_RENDERERS["proof"](view)).split())
        assert words in text and (receipt is ONE) == ("By kind" in text) == ("is retired" not in text)


def test_without_receipts_the_page_says_so(library: Library) -> None:
    assert told(shown(library)) == "No proof has left a receipt."


@pytest.mark.slow
def test_the_edition_shows_every_receipt_that_lies_with_the_sources(corpus: Corpus) -> None:
    assert {receipt.proof for receipt in corpus.receipts} == {
        path.stem for path in (find_sources() / RECEIPTS_FOLDER).glob("*.json")
    }
