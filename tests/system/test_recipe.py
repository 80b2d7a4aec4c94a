"""The recipe "Add a reading" in CONTRIBUTING.md, followed letter by letter on a copy of the project."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import CLONE

TEXT = (CLONE / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPE = TEXT.partition("\n## Add a reading\n")[2].partition("\n## ")[0]
STEPS = re.split(r"^\d\. ", RECIPE, flags=re.MULTILINE)[1:]
DEAL = ("run", "pam-quinola-forced-side-last", "--source", "PAM", "--format", "json")


def changes_of(step: str) -> list[tuple[str, str]]:
    """What stands there and what shall stand there, for every change in a step."""
    boxes = re.findall(r"^   ```diff\n(.*?)^   ```$", step, re.MULTILINE | re.DOTALL)
    rows = [[line.removeprefix("   ") for line in box.splitlines()] for box in boxes]
    return [(kept(lines, " -"), kept(lines, " +")) for lines in rows]


def kept(lines: list[str], signs: str) -> str:
    return "".join(f"{line[1:]}\n" for line in lines if line[0] in signs)


def change(folder: Path, step: str) -> list[str]:
    """Change files as a reader would; the changes whose lines are not found just once in a file that the step names."""
    named = [folder / name for name in set(re.findall(r"`((?:sources|engine|tests)/[\w/.-]+)`", step))]
    astray = []
    for before, after in changes_of(step):
        texts = {path: path.read_text(encoding="utf-8") for path in named if path.is_file()}
        if sum(text.count(before) for text in texts.values()) != 1:
            astray.append(before)
            continue
        (path,) = (path for path, text in texts.items() if before in text)
        path.write_text(texts[path].replace(before, after), encoding="utf-8", newline="\n")
    return astray


class Newcomer:
    """Somebody with a copy of what the recipe changes, who does what stands there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("engine", "rulebook", "sources", "tests/engine/readings"):
            leave = shutil.ignore_patterns("__pycache__", "survey" if name == "sources" else "")
            shutil.copytree(CLONE / name, folder / name, ignore=leave)
        shutil.copy(CLONE / "pyproject.toml", folder)

    def follow(self, number: int) -> None:
        """Make all the changes of a step."""
        assert change(self.folder, STEPS[number - 1]) == [], "not there, or more than once"

    def python(self, *words: str) -> tuple[int, str]:
        """Run a module; return the exit code and what was printed."""
        path = os.pathsep.join(map(str, (self.folder, CLONE)))
        own = {"PYTHONPATH": path, "XDG_CACHE_HOME": str(self.folder / "cache"), "COLUMNS": "400"}
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        command = [sys.executable, "-m", *words]
        done = subprocess.run(
            command, cwd=self.folder, env=kept | own, capture_output=True, text=True, timeout=300, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def rows(self) -> tuple[int, str]:
        """Run the tests of what readings mean."""
        return self.python(
            "pytest", "-q", "--noconftest", "-p", "no:xdist", "tests/engine/readings/test_meaning_rows.py"
        )


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    return Newcomer(tmp_path_factory.mktemp("clone"))


def test_every_step_is_numbered_and_has_its_matter() -> None:
    titles = [found[1] for step in STEPS if (found := re.match(r"\*\*([^*]+?)[.]?\*\*", step))]
    assert titles == [
        "The question",
        "The meaning",
        "What it means, once more",
        "The sentence",
        "The schema",
        "Play it",
        "Everything once",
    ]
    assert [len(changes_of(step)) for step in STEPS] == [2, 2, 1, 1, 0, 0, 0]


@pytest.mark.release  # ten seconds
def test_a_newcomer_adds_a_reading(newcomer: Newcomer) -> None:
    newcomer.follow(1)
    code, told = newcomer.python("reversis.cli", "check")
    assert code == 1 and "1 problem in 1 file" in told
    assert re.search(r"sources/questions/50-quinola\.yaml:\d+:5: Q030: the engine does not know what dealer", told)
    assert "say what it means in QUINOLA_FORCER in engine/readings/meanings/cards.py" in told

    newcomer.follow(2)
    code, told = newcomer.rows()
    assert code == 1 and "say in tests/engine/readings/meaning_rows.py what is expected of dealer" in told

    newcomer.follow(3)
    assert_wrong_code_is_noticed(newcomer)
    code, told = newcomer.rows()
    assert code == 0, told

    newcomer.follow(4)
    assert newcomer.python("rulebook.json_schema")[0] == 0
    schema = (newcomer.folder / "sources/schema/clauses.schema.json").read_text(encoding="utf-8")
    assert '"highest-heart-before", "dealer", "nobody"' in re.sub(r"\s+", " ", schema)
    code, told = newcomer.python("reversis.cli", "check")
    assert code == 0, told
    usual, paid = (newcomer.python("reversis.cli", *DEAL, *wish)[1].strip() for wish in ((), ("--with", "Q030=dealer")))
    assert '"from": "south"' in paid and usual != paid
    assert forced_payees(usual) == {"west"} and forced_payees(paid) == {"east"}  # who deals


def assert_wrong_code_is_noticed(newcomer: Newcomer) -> None:
    """The dealer's line with the function of its neighbour: it plays, and the row does not let it pass."""
    path = newcomer.folder / "engine/readings/meanings/cards.py"
    right = path.read_text(encoding="utf-8")
    wrong = right.replace("outcome: fact.dealer", "outcome:  fact.leader")  # byte code kept by second and size
    assert wrong != right
    path.write_text(wrong, encoding="utf-8", newline="\n")
    code, told = newcomer.rows()
    path.write_text(right, encoding="utf-8", newline="\n")
    assert code == 1 and "test_a_reading_means_what_its_row_says" in told
    assert "quinola.forced.payee: {'dealer': " in told


def forced_payees(printed: str) -> set[str]:
    """Who is paid, of the players, for the forced quinola."""
    entries = json.loads(printed)["entries"]
    postings = [p for entry in entries if entry["fact"] == "quinola-forced" for p in entry["postings"]]
    return {posting["to"] for posting in postings} - {"pool"}


def test_the_lines_that_stand_there_do(tmp_path: Path) -> None:
    """The quick part: every change finds its place."""
    for name in set(re.findall(r"`((?:sources|engine|tests)/[\w/.-]+)`", RECIPE)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CLONE / name, tmp_path / name)
    before = {path: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file()}
    assert [lines for step in STEPS for lines in change(tmp_path, step)] == []
    after = {path: path.read_text(encoding="utf-8") for path in before}
    for new in (new for step in STEPS for _, new in changes_of(step)):
        assert sum(text.count(new) for text in after.values()) == 1, new
    assert after != before
