"""Strict YAML: strings stay strings, everything has its place, what would surprise is refused."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path

import pytest
import yaml

import rulebook.io.strict_yaml as strict_yaml
import rulebook.io.yaml_cache as yaml_cache
from rulebook.io import strict_yaml as yamlpos
from rulebook.io.files import cache_folder
from rulebook.io.strict_yaml import MAX_YAML_BYTES, MAX_YAML_DEPTH, read_yaml
from rulebook.io.yaml_cache import PARSED_YAML_FILE, reuse_parsed_yaml
from rulebook.problems import Problem, Where
from tests.support.in_one_test import in_one_test

TEXT = """\
# a comment
- id: one
  cites:
    - {locus: A.s1, exact: "q: r"}
  answers: {Q1: 5}
- id: two
"""


@pytest.fixture(params=["C parser", "Python parser"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers say the same."""
    if request.param == "Python parser":
        monkeypatch.setattr(yamlpos, "LOADER", yaml.SafeLoader)


@in_one_test("written, read", [
        ("5", 5), ("-1", -1), ("0", 0), ("true", True), ("false", False), ("null", None), ("~", None), ("", None),
        ("0.10", 0.1), ("-2.5", -2.5),
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("True", "True"), ("2020-01-01", "2020-01-01"), ("007", "007"),
        ("1e3", "1e3"), ("0x1F", "0x1F"), ("1_000", "1_000"), ("12:30:00", "12:30:00"), ("+5", "+5"), (".5", ".5"),
        ("'5'", "5"), ('"true"', "true"), ("9" * 19, "9" * 19), (".inf", ".inf"), ("=", "="),
    ])  # fmt: skip
def test_strings_stay_strings(written: str, read: object) -> None:
    data, _, problems = read_yaml(f"a: {written}\n")
    assert problems == [] and isinstance(data, dict)
    assert data["a"] == read and type(data["a"]) is type(read)


def test_keys_are_words_whatever_they_look_like() -> None:
    assert read_yaml("1: a\nyes: b\nnull: c\n")[0] == {"1": "a", "yes": "b", "null": "c"}


def test_everything_has_its_place() -> None:
    data, positions, problems = read_yaml(TEXT, "t.yaml")
    assert problems == [] and isinstance(data, list) and len(data) == 2
    assert positions.where((0, "id")) == Where("t.yaml", 2, 7)
    assert positions.where((0, "cites", 0, "exact")) == Where("t.yaml", 4, 28)
    assert positions.key((0, "cites", 0, "exact")) == Where("t.yaml", 4, 21)
    assert positions.where((0, "answers", "Q1")) == Where("t.yaml", 5, 17)
    assert positions.where((1,)) == Where("t.yaml", 6, 3)
    assert positions.spot((0, "cites", 0)).flow and not positions.spot((0,)).flow


def test_what_is_missing_is_placed_where_it_should_stand() -> None:
    _, positions, _ = read_yaml(TEXT, "t.yaml")
    assert positions.where((1, "answers", "Q9")) == Where("t.yaml", 6, 3)
    assert positions.where((7,)) == Where("t.yaml", 2, 1)


@pytest.mark.slow
@in_one_test(
    "text, line, column, what",
    [
        ("a: 1\nb: 2\na: 3\n", 3, 1, "'a' is given twice"),
        ("a: &x 1\n", 1, 4, "an anchor, &x"),
        ("a: 1\nb: *x\n", 2, 4, "an alias, *x"),
        ("a: !!python/object:os.system x\n", 1, 4, "a tag, tag:yaml.org,2002:python/object:os.system"),
        ("!x\na: 1\n", 1, 1, "a tag, !x"),
        ("a: 1\n---\nb: 2\n", 2, 1, "a second document begins"),
        ("%YAML 1.1\n---\na: 1\n", 1, 1, "a directive before the document"),
        ("a: 1\nb:\tc\n", 2, 3, "a tab"),
        ("\ufeffa: 1\n", 1, 1, "a byte order mark"),
        ("a: 1\r\n", 1, 5, "a carriage return"),
        ("a: b\x07c\n", 1, 5, "a character that cannot be seen, U+0007"),
        ('a: "b\\x07c"\n', 1, 4, "an escape for a character that cannot be seen, U+0007"),
        ('a: "b\\ufeffc"\n', 1, 4, "an escape for a character that cannot be seen, U+FEFF"),
        ("a: 1\nb: e\u0301te\u0301\n", 2, 4, "a letter in several pieces (not NFC)"),
        ("? [a, b]\n: 1\n", 1, 3, "a key that is a list or a table"),
        ('"": 1\n', 1, 1, "a key without a name"),
        ("[" * 100_000, 1, MAX_YAML_DEPTH + 2, f"nests deeper than {MAX_YAML_DEPTH}"),
        ("- " * 5_000 + "a", 1, 2 * MAX_YAML_DEPTH + 3, f"nests deeper than {MAX_YAML_DEPTH}"),
        ("a" * (MAX_YAML_BYTES + 1), 1, 1, f"is larger than {MAX_YAML_BYTES} bytes"),
    ],
)
def test_what_would_surprise_is_refused(text: str, line: int, column: int, what: str) -> None:
    data, _, (problem,) = read_yaml(text, "t.yaml")
    assert data is None
    assert (problem.file, problem.line, problem.column, problem.what) == ("t.yaml", line, column, what)
    assert problem.way_out


def test_a_document_start_alone_is_no_second_document() -> None:
    assert read_yaml("---\na: 1\n")[0] == {"a": 1}


@in_one_test(
    "text, line, what",
    [
        ("a: b: c\n", 1, "a colon within a text"),
        ("{a: 1\n", 2, "cannot be read as YAML: did not find expected ',' or '}'"),
        ("a: 'x\n", 1, "the quotation mark ' is opened here and not closed"),
        ("a: 1\n b: 2\n", 2, "b begins in column 2, and what stands beside it in column 1"),
        ("a: [1, 2\nb: 3\n", 1, "[ is opened here and not closed"),
        ("a: 1\nid 2\n", 2, "no colon behind id"),
        ("a: 1\nid:2\n", 2, "no space behind the colon of id"),
        ("- a: 1\n-a: 2\n", 2, "no space behind the dash"),
        ('a: "x" y\n', 1, "the text goes on behind its closing quotation mark"),
        ("a:\n  - b: 1\n  c: 2\n", 2, "a dash before b, and none before c"),
        ("<<<<<<< mine\na: 1\n=======\na: 2\n", 1, "two versions of the file stand here side by side"),
    ],
)
def test_broken_yaml_is_told_with_its_line(text: str, line: int, what: str) -> None:
    data, _, (problem,) = read_yaml(text, "t.yaml")
    assert data is None and problem.line == line and problem.way_out
    assert problem.what == what or (what.startswith("cannot") and problem.what.startswith("cannot be read as YAML: "))


def test_what_stands_in_a_long_text_is_no_slip() -> None:
    text = 'a: >-\n  id 2, and: colons: "open\n  - [brackets\n  -b: 1\nc: [1\n'
    _, _, (problem,) = read_yaml(text, "t.yaml")
    assert (problem.line, problem.what) == (5, "[ is opened here and not closed")


def test_a_billion_laughs_are_one_complaint_each() -> None:
    laughs = "a: &a [ha]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True))
    data, _, problems = read_yaml(laughs)
    assert data is None and len(problems) == 22


def test_all_faults_are_told_at_once() -> None:
    _, _, problems = read_yaml("a: &x 1\na: !t 2\nb: *x\n")
    assert [(problem.line, problem.what) for problem in problems] == [
        (1, "an anchor, &x"), (2, "'a' is given twice"), (2, "a tag, !t"), (3, "an alias, *x"),
    ]  # fmt: skip


def test_a_duplicate_says_where_the_first_stands() -> None:
    assert read_yaml("a:\n  b: 1\n  b: 2\n")[2][0].way_out == "keep one; the first stands in line 2"


def test_files_that_are_none_are_told(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"a: 1\nb: \xe9t\xe9\n")
    (tmp_path / "huge.yaml").write_bytes(b"#" * (MAX_YAML_BYTES + 1))
    (tmp_path / "pipe.yaml").mkdir() if sys.platform == "win32" else os.mkfifo(tmp_path / "pipe.yaml")
    told = {name: read_yaml(tmp_path / f"{name}.yaml", name)[2] for name in ("latin", "huge", "pipe", "absent")}
    assert [(one.line, one.what) for one in told["latin"]] == [(2, "is not UTF-8")]
    assert [one.what for one in told["huge"]] == [f"is larger than {MAX_YAML_BYTES} bytes"]
    assert [one.what for one in told["pipe"] + told["absent"]] == ["is not there, or is no plain file"] * 2


def test_an_empty_file_has_no_data() -> None:
    assert read_yaml("# nothing\n")[0] is None


# ---- what was parsed is kept
LETTERS = 'one: [1, 0.5, true, null, "a b"]\ntwo:\n  - {three: "ſ"}\n'


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    return cache_folder() / PARSED_YAML_FILE


def no_parser(*_: object) -> None:
    """Stand in for the parser where it must not be needed."""
    raise AssertionError("a file was parsed again")


def read_cached(letters: str) -> tuple[object, ...]:
    """Data, places and problems, read with the cache at work."""
    with reuse_parsed_yaml():
        data, positions, problems = read_yaml(letters, "a.yaml")
    return data, positions, problems


def test_what_was_parsed_once_is_read_again_with_all_its_places(monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_cached(LETTERS)
    monkeypatch.setattr(strict_yaml, "compose_yaml", no_parser)
    again = read_cached(LETTERS)
    assert first == again == ({"one": [1, 0.5, True, None, "a b"], "two": [{"three": "ſ"}]}, first[1], [])
    assert isinstance(again[1], strict_yaml.Positions)
    assert again[1].where(("two", 0, "three")).line == 3
    assert again[1].spot(("two", 0)).flow


def test_who_changes_what_was_read_changes_no_later_reading() -> None:
    read_cached(LETTERS)
    with reuse_parsed_yaml():
        data = read_yaml(LETTERS, "a.yaml")[0]
        assert isinstance(data, dict)
        data.clear()
        assert read_yaml(LETTERS, "a.yaml")[0]


def test_a_fault_is_found_every_time_and_never_cached(own_cache: Path) -> None:
    wrong = "one: 1\none: 2\n"
    expected = read_yaml(wrong, "a.yaml")[2]
    assert expected and [read_cached(wrong)[2] for _ in range(2)] == [expected, expected]
    assert not own_cache.exists()


def test_a_changed_file_is_parsed_as_it_stands_now() -> None:
    read_cached(LETTERS)
    assert read_cached(LETTERS.replace("1", "2"))[0] == {"one": [2, 0.5, True, None, "a b"], "two": [{"three": "ſ"}]}
    assert read_cached(f"{LETTERS}\ttab: 1\n")[2]


def test_another_parser_or_program_parses_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    read_cached(LETTERS)
    calls: list[str] = []
    parse = strict_yaml.compose_yaml

    def counted(name: str, letters: str) -> tuple[strict_yaml.Data, strict_yaml.Positions, list[Problem]]:
        calls.append(name)
        return parse(name, letters)

    monkeypatch.setattr(strict_yaml, "compose_yaml", counted)
    read_cached(LETTERS)
    assert calls == []
    monkeypatch.setattr(yaml_cache, "code_fingerprint", lambda *_: "of another program")
    read_cached(LETTERS)
    monkeypatch.setattr(yaml, "__with_libyaml__", not yaml.__with_libyaml__)
    read_cached(LETTERS)
    assert calls == ["a.yaml", "a.yaml"]


@pytest.mark.parametrize("spoil", [lambda octets: octets[:-9], lambda octets: octets[:64] + b"nonsense", lambda _: b""])
def test_a_spoilt_cache_is_as_good_as_none(own_cache: Path, spoil: object) -> None:
    first = read_cached(LETTERS)
    assert callable(spoil)
    own_cache.write_bytes(spoil(own_cache.read_bytes()))
    assert read_cached(LETTERS) == first
    assert pickle.loads(own_cache.read_bytes()[64:])
