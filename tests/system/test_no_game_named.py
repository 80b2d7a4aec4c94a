"""`rulebook` and `edition` name no game; the lines that still do are listed by file, and the list only shrinks."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from edition.game import NO_GAME
from edition.site import preview
from rulebook.program_fingerprint import PROGRAM_ROOT
from rulebook.program_name import GAME_VARIABLE
from tests.support.library import changed, write_library

WORDS = re.compile("quinola|reversis", re.IGNORECASE)
ENDINGS = {".py", ".html", ".md", ".xml", ".js", ".css"}
#: File, and in how many of its lines the game is named.
LISTED = PROGRAM_ROOT / "tests" / "data" / "names-of-the-game.txt"
#: Kinds of links and pages, and fields, of the game; these folders use none.
FREE_OF_KINDS = ("edition/cli", "edition/coding", "edition/corpus", "edition/nodes", "edition/citation")
KINDS = {
    *("deal", "deals", "parting", "cost", "costs", "effect", "effects", "howto", "howto-card", "howto-full"),
    *("counsel", "session", "sessions", "itself", "surveys", "own-deal"),
}
FIELDS = {"deals", "deals_at", "surveys", "causes", "shown_apart", "sessions"}
#: The record of a release calls its results so, whichever game they are of.
RELEASES = "edition/corpus/releases.py"


def count_lines() -> dict[str, int]:
    files = (path for room in ("rulebook", "edition") for path in (PROGRAM_ROOT / room).rglob("*"))
    code = sorted(path for path in files if path.suffix in ENDINGS)
    counts = {path: sum(map(bool, map(WORDS.search, path.read_text(encoding="utf-8").split("\n")))) for path in code}
    return {path.relative_to(PROGRAM_ROOT).as_posix(): number for path, number in counts.items() if number}


def test_no_more_lines_name_the_game_than_are_listed() -> None:
    listed = {name: int(number) for name, number in (line.split() for line in LISTED.read_text().splitlines())}
    counts = count_lines()
    more = {name: number for name, number in counts.items() if number > listed.get(name, 0)}
    assert not more, f"they name the game, or do so in more lines than before: {more}"
    assert counts == listed, "take out of the list what no longer names the game"


def find_kinds(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in FIELDS:
            yield f".{node.attr}"
        elif isinstance(node, ast.Constant) and node.value in KINDS:
            yield repr(node.value)


@pytest.mark.parametrize("folder", FREE_OF_KINDS)
def test_a_folder_knows_no_kind_of_thing_of_the_game(folder: str) -> None:
    files = [*(PROGRAM_ROOT / folder).rglob("*.py")]
    assert files
    found = {path.relative_to(PROGRAM_ROOT).as_posix(): [*find_kinds(path)] for path in files}
    assert {name: kinds for name, kinds in found.items() if kinds and name != RELEASES} == {}


def test_the_preview_knows_no_kind_of_thing_of_the_game() -> None:
    assert [*find_kinds(Path(preview.__file__))] == []


def test_without_a_game_nothing_is_added() -> None:
    assert not (NO_GAME.readers or NO_GAME.lookups or NO_GAME.pages or NO_GAME.panels)
    assert [*NO_GAME.check(None)] == []


#: Runs commands of every edition on a folder of sources, and prints which houses of the game were imported for it.
PROGRAM = """
import sys
from click.testing import CliRunner
from edition.cli.main import library_cli

for words in (["check"], ["list"], ["show", "AAA"], ["compare", "AAA", "BBB"]):
    result = CliRunner().invoke(library_cli, ["--sources", sys.argv[1], *words])
    assert result.exit_code == 0, result.output
print({name.partition(".")[0] for name in sys.modules} & {"engine", "lab", "reversis"})
"""


@pytest.mark.slow
def test_the_commands_of_every_edition_import_no_game(tmp_path: Path) -> None:
    root = write_library(tmp_path, deals=False)
    readings = "  readings: {every: In every one., first: In the first.}\n  short: {every: all, first: the first}\n"
    changed(root, "questions/10.yaml", "  measure: {type: tricks}\n", readings)  # a kind of answers of the game
    changed(root, "AAA/clauses.yaml", "toll.tricks: [1, -1]", "toll.tricks: every")
    changed(root, "AAA/clauses.yaml", "{Q003: [1]}", "{Q003: first}")
    changed(root, "BBB/clauses.yaml", "{Q003: []}", "{Q003: first}")
    env = {name: value for name, value in os.environ.items() if name != GAME_VARIABLE}
    command = [sys.executable, "-c", PROGRAM, str(root)]
    done = subprocess.run(command, env=env, cwd=PROGRAM_ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "set()\n"), done.stderr
