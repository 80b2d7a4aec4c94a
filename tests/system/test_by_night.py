"""What takes hours: commands that are killed at any moment, and builds under several seeds of Python's hashes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from rulebook.io.transactions import UNFINISHED_NAME
from tests.edition.site.test_edits import write_pages
from tests.support.killing import other_processes, seen
from tests.support.library import changed, write_three_sources
from tests.support.places import CLONE

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks"),
]
PROGRAM = "import sys; from reversis.cli.main import main; sys.argv[0] = 'reversis'; main()"
BUILD = (
    "import sys; from pathlib import Path; from edition.site.build import build_html; "
    "sys.exit(build_html(Path('out'), False, '2', Path('sources'), Path('hand')))"
)
PARTS = (
    "rulebook",
    "engine",
    "edition",
    "reversis",
    "vendor",
    "sources",
    "CITATION.cff",
    "CHANGELOG.md",
    ".zenodo.json",
)
KILLS = 20
RANDOM_PLAYERS = [word for seat in ("south", "east", "north", "west") for word in (f"--{seat}", "random")]
#: What is run before, so that something is there; what is killed; and the folder or file that it writes.
COMMANDS: Mapping[str, tuple[Sequence[str], Sequence[str], str]] = {
    "export": (("export", "csv", "out"), ("export", "csv", "out", "--overwrite"), "out"),
    "supply": ((), ("supply", "HOY", "--from", "PAM", "--all-deals", "--write"), "sources"),
    "release": ((), ("release", "9.9.9", "2030-01-01"), ""),
    "survey": ((), ("survey", "--deals", "20000", "--jobs", "2", "--out", "survey.parquet"), "survey.parquet"),
    "play": ((), ("play", "-s", "PAM", *RANDOM_PLAYERS, "--seed", "1", "--out", "game.yaml"), ""),
    "epub": (("build", "epub", "-o", "out"), ("build", "epub", "-o", "out"), "out"),
    "pdf": (("build", "pdf", "-o", "out"), ("build", "pdf", "-o", "out"), "out"),
    "build": (("build", "html", "-o", "out"), ("build", "html", "-o", "out"), "out"),
}


class Clone:
    """A copy of the program with its sources, in which commands are run."""

    def __init__(self, folder: Path, parts: Sequence[str] = PARTS) -> None:
        self.folder, self.before, self.program = folder / "clone", folder / "before", PROGRAM
        self.env = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        self.env["PYTHONPATH"] = str(self.folder if parts else CLONE)
        self.folder.mkdir()
        for name in parts:
            copy = shutil.copytree if (CLONE / name).is_dir() else shutil.copy2
            copy(CLONE / name, self.folder / name)

    def start(self, words: Sequence[str], **env: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", self.program, *words]
        quiet, env = subprocess.DEVNULL, {**self.env, **env}
        return subprocess.Popen(
            command, cwd=self.folder, env=env, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )

    def run(self, words: Sequence[str], **env: str) -> float:
        """Run a command to its end, and return the seconds that took."""
        began = time.monotonic()
        assert not words or self.start(words, **env).wait() == 0, words
        return time.monotonic() - began

    def keep(self) -> None:
        shutil.copytree(self.folder, self.before, symlinks=True)

    def restore(self) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self.before, self.folder, symlinks=True)

    def files(self, place: str) -> Mapping[str, bytes]:
        found = seen(self.folder) if place == "" else seen(self.folder / place)
        one = self.folder / place
        return (
            {place: one.read_bytes()} if one.is_file() else {k: v for k, v in found.items() if "__pycache__" not in k}
        )


def kill_at(running: subprocess.Popen[bytes], seconds: float) -> bool:
    """Kill a process after some time, and wait for those it had begun; return False if it was done before."""
    time.sleep(seconds)
    killed = running.poll() is None
    os.kill(running.pid, signal.SIGKILL) if killed else None
    running.wait()
    until = time.monotonic() + 60
    while other_processes(running.pid):
        assert time.monotonic() < until, "a process that it had begun goes on"
        time.sleep(0.1)
    return killed


@pytest.mark.parametrize("name", COMMANDS)
def test_whenever_a_command_is_killed_what_it_writes_is_old_or_new(tmp_path: Path, name: str) -> None:
    first, words, place = COMMANDS[name]
    clone, random, killed = Clone(tmp_path), Random(name), 0
    clone.run(first)
    changed(clone.folder / "sources", "ACA/source.yaml", "short_name: ", "short_name: New ")
    clone.keep()
    old, seconds = clone.files(place), clone.run(words)
    new = clone.files(place)
    assert new != old
    while killed < KILLS:
        clone.restore()
        died = kill_at(clone.start(words), random.uniform(0, seconds))
        killed, seconds = killed + died, seconds if died else seconds * 0.8
        if name == "play":  # it saves after every card
            if (clone.folder / "game.yaml").exists():
                clone.run(("play", "--resume", "game.yaml"))
            continue
        if clone.files(place) not in (old, new):  # a list in the folder says what the next run finishes
            assert name in ("export", "supply", "release") and (clone.folder / place / UNFINISHED_NAME).exists(), died
        if name not in ("supply", "survey"):  # which would find nothing to do, or a file that is there
            clone.run(words)
            assert clone.files(place) == new


@pytest.mark.parametrize("form", ["html", "pdf", "epub"])
def test_whenever_a_build_of_three_sources_is_killed_the_edition_is_old_or_new(tmp_path: Path, form: str) -> None:
    clone, random, killed = Clone(tmp_path, parts=()), Random(form), 0
    write_pages(clone.folder / "hand", write_three_sources(clone.folder))
    words = ("--sources", "sources", "build", form, "-o", "out")
    if form == "html":  # with pages of its own, for those of the edition name its own questions
        clone.program, words = BUILD, ()
    clone.start(words).wait()
    changed(clone.folder / "sources", "BBB/source.yaml", "short_name: Tolls BBB", "short_name: Ferries")
    clone.keep()
    old, began = clone.files("out"), time.monotonic()
    assert clone.start(words).wait() == 0
    new, seconds = clone.files("out"), time.monotonic() - began
    assert old and new != old
    while killed < KILLS:
        clone.restore()
        died = kill_at(clone.start(words), random.uniform(0, seconds))
        killed, seconds = killed + died, seconds if died else seconds * 0.8
        assert clone.files("out") in (old, new)
        assert clone.start(words).wait() == 0 and clone.files("out") == new


@pytest.mark.parametrize("words", [("build", "html"), ("build", "epub"), ("export", "all")], ids=" ".join)
def test_no_order_comes_from_a_set(tmp_path: Path, words: tuple[str, ...]) -> None:
    clone, found = Clone(tmp_path), list[Mapping[str, bytes]]()
    for seed in "0123":
        clone.run((*words, "-o", f"out{seed}"), PYTHONHASHSEED=seed)
        found.append(clone.files(f"out{seed}"))
    assert found[0]
    for others in found[1:]:
        assert not [path for path in {*found[0], *others} if found[0].get(path) != others.get(path)]
