"""The check of the sources for the form, in a process of its own.

Meanwhile the server may be making pages of the last answer, which would keep it waiting. The process reads a line and
answers with one; it ends with the server, since nobody writes to it any more.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, cast

from edition.corpus.problems import find_all_problems
from rulebook.io.yaml_cache import reuse_parsed_yaml
from rulebook.load import load_library
from rulebook.problems import Problem
from rulebook.program_fingerprint import PROGRAM_ROOT

#: With -P nothing is imported from the current folder, which may be a stranger's; a clone need not be installed.
_PROGRAM = """\
import sys
sys.argv[1] in sys.path or sys.path.insert(0, sys.argv[1])
from edition.coding.checker import answer_lines
answer_lines()
"""


class SourceChecker:
    """Checks folders of sources in another process, which is started when it is first asked."""

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def check(self, root: Path, deals: bool = True) -> list[Problem]:
        """Return all that is wrong with a folder of sources now; without its deals that takes half the time."""
        with self._gate:
            try:
                return self._ask(root, deals)
            except (OSError, ValueError):  # it has died, or cannot be started
                self._end()
                return check_folder(root, deals)

    def close(self) -> None:
        """End the process."""
        with self._gate:
            self._end()

    def _ask(self, root: Path, deals: bool) -> list[Problem]:
        if self._process is None:
            command = [sys.executable, "-P", "-c", _PROGRAM, str(PROGRAM_ROOT)]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8", bufsize=1)
        asked, answered = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        asked.write(json.dumps([str(root), deals]) + "\n")
        return [Problem(*fields) for fields in json.loads(answered.readline())]

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def check_folder(root: Path, deals: bool = True) -> list[Problem]:
    """Return all that is wrong with a folder of sources; without its deals, and what else lies beside the sources."""
    with reuse_parsed_yaml():
        return find_all_problems(root)[1] if deals else load_library(root)[1]


def answer_lines() -> None:
    """Check the folder that each line names; Ctrl-C is for the server, whose end ends this too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        root, deals = json.loads(line)
        problems = check_folder(Path(root), deals)
        rows = [(problem.file, problem.line, problem.column, problem.what, problem.way_out) for problem in problems]
        try:
            print(json.dumps(rows), flush=True)
        except BrokenPipeError:  # the server was killed: nobody is there to answer, or to be told of that
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # where Python flushes at the end
            return
