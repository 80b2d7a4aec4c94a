"""The process that checks: it says what `reversis check` says, ends with the server, and is missed by nobody."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edition.coding.checker import SourceChecker, check_folder
from edition.coding.desk import CodingDesk
from rulebook.problems import Problem
from rulebook.sources.paths import find_sources
from tests.support.coding import fill_form, write_by_hand
from tests.support.fifth_source import RECKONED
from tests.support.library import write_library

pytestmark = pytest.mark.slow


@pytest.fixture
def checker() -> Iterator[SourceChecker]:
    made = SourceChecker()
    yield made
    made.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_library(tmp_path, deals=False)


def find_own(problems: list[Problem]) -> list[Problem]:
    return [problem for problem in problems if "clauses.yaml" in problem.file]


def test_it_says_what_check_says_time_after_time(checker: SourceChecker, root: Path) -> None:
    assert find_own(checker.check(root)) == []
    write_by_hand(root / "AAA" / "clauses.yaml", "Q002: 2  ", "Q002: 7  ")
    assert checker.check(root) == check_folder(root) and find_own(checker.check(root))
    assert find_own(checker.check(root, deals=False)) == find_own(checker.check(root))


def test_if_it_dies_the_check_is_made_without_it(checker: SourceChecker, root: Path) -> None:
    before = checker.check(root, deals=False)
    assert checker._process is not None
    checker._process.kill()
    assert checker.check(root, deals=False) == before and checker.check(root, deals=False) == before


def test_an_answer_is_checked_within_four_seconds(tmp_path: Path) -> None:
    """The time of the processor, in all sources of the edition; what else the machine does is no matter."""
    root = Path(shutil.copytree(find_sources(), tmp_path / "sources", ignore=shutil.ignore_patterns(*RECKONED)))
    desk = CodingDesk(root)
    state = desk.describe("PAR")
    check_folder(root, deals=False)  # as the form has it done when it is opened
    before = time.process_time()
    desk.write_answer("PAR", fill_form(state, "Q013", note="A note."))
    assert check_folder(root, deals=False) == []
    assert time.process_time() - before < 4  # half of that on the machine of last week


def test_it_ends_without_a_word_when_the_server_is_killed_before_it_has_answered(root: Path) -> None:
    command, pipe = [sys.executable, "-m", "edition.coding.checker"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as running:
        assert running.stdin is not None and running.stdout is not None and running.stderr is not None
        running.stdout.close()
        running.stdin.write(json.dumps([str(root), False]) + "\n")
        running.stdin.close()
        assert (running.wait(30), running.stderr.read()) == (0, "")


SERVER = """
import sys, time
from pathlib import Path
from edition.coding.checker import SourceChecker
checker = SourceChecker()
checker.check(Path(sys.argv[1]), deals=False)
print(checker._process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a system that kills")
def test_it_ends_when_the_server_is_killed(root: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER, str(root)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        os.kill(pid, signal.SIGINT)  # as Ctrl-C does to both
        os.kill(pid, 0)
        server.kill()
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{pid}/stat").is_file() and Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("it goes on without a server")
