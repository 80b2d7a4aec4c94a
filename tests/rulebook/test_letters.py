"""Text hygiene: what no file may hold is refused in every form, and a value in a message is quoted in one way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.deal.diagram import read_diagram
from engine.deal.reader import read_deal
from engine.session.record import read_sitting
from rulebook.io.strict_json import read_json_file
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import load_library
from rulebook.problems import Problem
from rulebook.sources.bibliography import read_works
from rulebook.strings import MAX_QUOTED, escape_unseen, quote_value
from rulebook.tei.checks import text_letters_are_fit
from rulebook.tei.document import open_document
from tests.support.commands import refused, run
from tests.support.deals import fresh
from tests.support.library import write_library

HALF, ESCAPE = "\ud800", "\x1b[31m"
UNFIT = {
    "zero": "a\0b",
    "escape": f"a{ESCAPE}b",
    "right to left": "a\u202eb",
    "zero width": "a\u200bb",
    "tag": "a\U000e0041b",
    "half": f"a{HALF}b",
    "decomposed": "cafe\u0301",
}


def read_by_json(text: str, folder: Path) -> list[Problem]:
    (folder / "x.json").write_text(json.dumps({"title": text}), "utf-8")
    return read_json_file(folder / "x.json", "x.json", "again")[1]


def read_by_tei(text: str, folder: Path) -> list[Problem]:
    told = "".join(f"&#{ord(letter)};" for letter in text)
    (folder / "x.xml").write_text(f"<TEI><p>{told}</p></TEI>", "utf-8")
    document, problems = open_document(folder / "x.xml")
    return problems or [*text_letters_are_fit(document)] if document else problems


def read_by_bibtex(text: str, folder: Path) -> list[Problem]:
    (folder / "x.bib").write_bytes(f"@misc{{a, title = {{{text}}}}}\n".encode("utf-8", "surrogatepass"))
    return read_works(folder / "x.bib")[1]


READERS: dict[str, Callable[[str, Path], list[Problem]]] = {
    "a deal record": lambda text, _: read_deal(fresh(title=text))[1],
    "a key of a deal record": lambda text, _: read_deal(fresh(expect={"PAM": {"outcome": {text: 1}}}))[1],
    "a session": lambda text, _: read_sitting({"session": "x", "seats": ["a"], "note": text})[1],
    "a diagram": lambda text, _: read_diagram(f"Title: {text}\n")[1],
    "YAML": lambda text, _: read_yaml(f"title: {text}\n")[2],
    "an escape in YAML": lambda text, _: read_yaml(f"title: {json.dumps(text)}\n")[2],
    "JSON": read_by_json,
    "TEI": read_by_tei,
    "BibTeX": read_by_bibtex,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", UNFIT.values(), ids=UNFIT)
def test_what_no_file_may_hold_is_refused_in_every_form(tmp_path: Path, reader: str, text: str) -> None:
    problems = READERS[reader](text, tmp_path)
    assert problems and all(problem.what and problem.way_out for problem in problems)
    assert not READERS[reader]("café, ſ: 5", tmp_path) or reader in ("a diagram", "a session", "YAML")


@pytest.mark.slow
@pytest.mark.parametrize("text", [f"a{ESCAPE}b", "a\u202eb"], ids=ascii)
@pytest.mark.parametrize("command", ["run", "explain"])
def test_no_title_and_no_message_reaches_the_terminal_raw(command: str, text: str) -> None:
    for record in (fresh(title=text), fresh(title="x") | {text: 1}, fresh(title="x", provenance=text)):
        done = run(command, "-", "-s", "PAM", stdin=json.dumps(record))
        assert done.exit_code == 1 and escape_unseen(done.output) == done.output
    assert escape_unseen(told := refused(2, "show", text)) == told


@pytest.mark.parametrize("letter", ["\r", ESCAPE, "\u202e", "\x07"], ids=ascii)
@pytest.mark.parametrize("words", [["variants", "PAM"], ["show", "Q024", "--format"], ["deal", "random", "--seed"]])
def test_an_argument_that_is_refused_reaches_the_terminal_escaped(words: list[str], letter: str) -> None:
    told = refused(2, *words, f"a{letter}b")
    assert letter not in told and "Error: " in told


@pytest.mark.parametrize("words", [["session"], ["play", "--resume"]])
def test_a_name_that_the_system_refuses_reaches_the_terminal_escaped(words: list[str]) -> None:
    told = refused(1, *words, "\u202e" * 800)
    assert escape_unseen(told) == told and "File name too long" in told


def test_an_escape_code_in_a_fact_of_a_new_source_is_refused(tmp_path: Path) -> None:
    root = write_library(tmp_path)
    facts = ("date", "place", "author", "exemplar", "unit", "coder", "short-title")
    words = [*(f"--{name}=x" for name in facts), "--language=fr", f"--title=a{ESCAPE}b", "--sources", str(root)]
    assert "Title 'a\\x1b[31mb' has a character that cannot be seen, U+001B" in refused(2, "new-source", "LAH", *words)
    assert not (root / "LAH").exists()


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("a", "'a'"),
        ("x" * 60, f"'{'x' * 60}'"),
        ("x" * 61, f"'{'x' * 57}...'"),
        (ESCAPE, "'\\x1b[31m'"),
        ("it's", '"it\'s"'),
        (5, "5"),
        (None, "None"),
        (10**5000, "a number of 16610 bits"),
        ([1] * 99, "[1, 1, 1, 1, 1, 1, ...]"),
    ],
    ids=quote_value,
)
def test_a_value_is_quoted_in_one_way(value: object, quoted: str) -> None:
    assert quote_value(value) == quoted


@pytest.mark.parametrize("letter", ["a", "\x1b", "\u202e", "\U000e0041", "'", '"', "\n", "\\"], ids=ascii)
@pytest.mark.parametrize("times", [1, 15, 59, 60, 61, 10_000])
def test_no_more_than_sixty_letters_are_quoted_and_all_can_be_seen(letter: str, times: int) -> None:
    for value in (letter * times, [letter * times], {letter * times: letter}):
        assert len(told := quote_value(value)) <= MAX_QUOTED + 2
        assert told.isprintable()


def test_carriage_returns_and_a_byte_order_mark_change_nothing_in_any_file_of_a_source(tmp_path: Path) -> None:
    plain, windows = (write_library(tmp_path / name) for name in ("plain", "windows"))
    files = [path for path in windows.rglob("*") if path.suffix in (".yaml", ".xml", ".json", ".txt")]
    for path in files:
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert {path.suffix for path in files} >= {".yaml", ".xml"}
    (one, faults), (other, found) = load_library(plain), load_library(windows)
    assert one and other and faults == found == []
    for siglum, source in one.sources.items():
        assert other.sources[siglum].clauses == source.clauses and other.sources[siglum].text == source.text
    assert other.questions == one.questions
