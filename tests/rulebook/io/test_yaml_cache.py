"""The cache of parsed YAML: the same data and places as by reading, and no fault is ever cached."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import yaml

import rulebook.io.strict_yaml as strict_yaml
import rulebook.io.yaml_cache as yaml_cache
from rulebook.io.files import cache_folder
from rulebook.io.strict_yaml import read_yaml
from rulebook.io.yaml_cache import PARSED_YAML_FILE, reuse_parsed_yaml
from rulebook.problems import Problem

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
