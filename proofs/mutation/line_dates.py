"""When a line of code was written, by the history of the repository."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache

from proofs.mutation.coverage import MUTATION_ROOT

_LINE_HEAD = re.compile(r"^[0-9a-f]{40,64} \d+ (\d+)")


@cache
def read_line_dates(file: str) -> Mapping[int, date]:
    """Return the day on which each line of a file was written, in UTC.

    A line keeps its day when only its blanks change, or when it moves from one file to another.
    Raises subprocess.CalledProcessError if the file is not in the repository.
    """
    blame = ("git", "blame", "-w", "-C", "-C", "--line-porcelain", "--", file)
    told = subprocess.run(blame, cwd=MUTATION_ROOT, capture_output=True, encoding="utf-8", check=True).stdout
    found, line = dict[int, date](), 0
    for words in told.splitlines():
        if head := _LINE_HEAD.match(words):
            line = int(head[1])
        elif words.startswith("author-time "):
            found[line] = datetime.fromtimestamp(int(words.split()[1]), UTC).date()
    return found
