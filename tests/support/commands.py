"""Commands as they are typed, in this process; whatever a command does, it does not end in a traceback."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from reversis.cli.main import cli
from rulebook.io.cache import read_cached_library
from rulebook.model import Library


def run(*words: str, stdin: str | bytes | None = None, columns: str | None = None) -> Result:
    """Run a command, on a screen as wide as it likes unless columns are given."""
    done = CliRunner().invoke(cli, list(words), input=stdin, env={"COLUMNS": columns})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def refused(code: int, *words: str, stdin: str | bytes | None = None) -> str:
    """Output of a command that must end with this code."""
    done = run(*words, stdin=stdin)
    assert done.exit_code == code, done.output
    return done.output


def said(*words: str, code: int = 0, columns: str | None = None) -> str:
    """Output of a command that must end with this code, on one line."""
    done = run(*words, columns=columns)
    assert done.exit_code == code, done.output
    return " ".join(done.output.split())


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One cache for the tests of every module that imports this: not the user's own, and filled once.

    The library is taken from its file once, as if every command were the next of one long process: what it is made of,
    which is its key, is still looked at by each.
    """
    folder = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setattr("rulebook.io.cache.cache_folder", lambda: folder)
    monkeypatch.setattr("rulebook.load.read_cached_library", read_library_once)


_libraries: dict[str, Library] = {}


def read_library_once(key: str) -> Library | None:
    """The library that was made from just these files, if a command has kept one."""
    if key not in _libraries and (cached_library := read_cached_library(key)) is not None:
        _libraries.clear()
        _libraries[key] = cached_library
    return _libraries.get(key)
