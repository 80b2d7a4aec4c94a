"""A library without a game is checked, shown and exported by the edition alone: nothing of a game can be imported."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulebook.program_fingerprint import PROGRAM_ROOT
from rulebook.program_name import GAME_VARIABLE
from tests.support.places import DATA

#: What no page of a library may say: names of the game; of a library of something else, any word of card games.
FORBIDDEN = {"hearts": r"quinola|reversis", "recipes": r"quinola|reversis|\b(?:trick|deal|card|player)s?\b"}
#: Names of classes, and of files of the program, are no words of a page.
UNSAID = re.compile(r' (?:classes|refdomain|cls)="[^"]*"')

#: As where only `rulebook` and `edition` are installed: runs commands, then shows every page, and prints both.
PROGRAM = """
import json, re, sys
from pathlib import Path

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("engine", "lab", "reversis"):
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, Refuse())
from click.testing import CliRunner
from edition.cli.main import library_cli
from edition.corpus.load import read_corpus_checked
from edition.site.stubs import generate_stub_pages
from edition.views.page_kinds import get_page_kinds

root, out = map(Path, sys.argv[1:])
told = {}
siglum = min(path.parent.name for path in root.glob("*/source.yaml"))
for words in (["check"], ["list", "questions"], ["show", "Q001"], ["show", siglum], ["export", "all", "-o", str(out)]):
    result = CliRunner().invoke(library_cli, ["--sources", str(root), *words])
    assert result.exit_code == 0, (words, result.output)
    told[" ".join(words[:2])] = result.output
corpus, problems = read_corpus_checked(root)
assert corpus is not None and not problems
kinds = get_page_kinds(corpus.game)
texts = "\\n".join(text for _, text in generate_stub_pages(corpus))
placed = re.findall(r"{edition:([\\w-]+)} (.*)", texts)
for kind, name in [*placed, *((kind, "") for kind, page in kinds.items() if not page.path)]:
    nodes = kinds[kind].render(kinds[kind].view(corpus, name))
    told[f"page {kind} {name}"] = "\\n".join(node.pformat() for node in nodes)
print(json.dumps(told))
"""


@pytest.mark.slow
@pytest.mark.parametrize("library", FORBIDDEN)
def test_a_library_without_a_game_needs_no_game(tmp_path: Path, library: str) -> None:
    env = {name: value for name, value in os.environ.items() if name != GAME_VARIABLE}
    command = [sys.executable, "-c", PROGRAM, str(DATA / library), str(tmp_path / "out")]
    done = subprocess.run(command, env=env, cwd=PROGRAM_ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len([name for name in told if name.startswith("page ")]) > 20
    assert {path.suffix for path in (tmp_path / "out").rglob("*")} >= {".csv", ".json", ".xml", ".bib"}
    words = {name: UNSAID.sub("", text) for name, text in told.items()}
    found = {name: re.findall(rf".*(?:{FORBIDDEN[library]}).*", text, re.IGNORECASE) for name, text in words.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}
