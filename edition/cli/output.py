"""What goes to the screen: problems, tables, data; no colour and no lost letter where there is no terminal."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from rulebook.problems import Problem

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WIDE = 110  #: columns where there is no terminal to ask


def prepare_streams() -> None:
    """Letters that a screen cannot show become question marks, not errors."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def console(stderr: bool = False) -> Console:
    """A screen, as wide as it is; a file or a pipe counts as a wide one."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = WIDE
    return made


def tell(problems: Iterable[Problem], stderr: bool = False) -> None:
    """Every problem: where, what, and the way out."""
    screen = console(stderr)
    for problem in problems:
        screen.print(told(problem), soft_wrap=True)


def told(problem: Problem) -> Text:
    """A problem, its place standing out."""
    from rich.text import Text

    place = (f"{problem.file}:{problem.line}:{problem.column}:", "bold")
    return Text.assemble(place, f" {problem.what}\n", (f"    {problem.way_out}", "green"))


def say(words: str) -> None:
    """A remark that is no result: it goes to the other stream, so that results can be piped on."""
    click.echo(words, err=True)


@contextmanager
def progress(words: str, total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar for who waits at a terminal; it is told of so much more that is done."""
    screen = console(stderr=True)
    if quiet or not screen.is_terminal:
        yield lambda done: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn(words), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.advance(task, done)


def data(record: object) -> None:
    """One line of JSON; as plain letters where the stream cannot carry others."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    click.echo(json.dumps(record, ensure_ascii=encoding not in ("utf8", "utf8sig")))


def page(html: str) -> None:
    """A page, always in UTF-8 as it says of itself."""
    click.echo(html.encode("utf-8"))


def plural(number: int, one: str, many: str = "") -> str:
    """So many of something."""
    return f"{number} {one if number == 1 else many or one + 's'}"
