"""Terminal output: problems, tables, data; without a terminal no colour, and no letter is lost."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click

from rulebook.problems import Problem

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    from edition.data.deals import ExpectedFigure

DEFAULT_WIDTH = 110  #: columns where there is no terminal to ask
PRETTY_JSON = "edition.cli.pretty"  #: in the context of a command: whether --pretty was given
_PRETTY_WIDTH = 88  #: columns that an object may fill before it is spread over several lines


def prepare_streams() -> None:
    """Replace letters that a terminal cannot show by question marks, not errors."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def make_console(stderr: bool = False) -> Console:
    """Return a console as wide as the terminal; a file or a pipe counts as wide."""
    from rich.console import Console

    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = DEFAULT_WIDTH
    return made


def make_table(*columns: Column | str, right: Iterable[str] = ()) -> Table:
    """Return an empty table; the columns of *right* come last, aligned to the right."""
    from rich import box
    from rich.table import Column, Table

    return Table(*columns, *(Column(head, justify="right") for head in right), box=box.SIMPLE_HEAD, pad_edge=False)


def print_lines(screen: Console, lines: Iterable[str]) -> None:
    """Print lines as they are; the terminal wraps those that are too long."""
    from rich.text import Text

    for words in lines:
        screen.print(Text(words), soft_wrap=True)


def print_problems(problems: Iterable[Problem], stderr: bool = False) -> None:
    """Print every problem with its place and its hint."""
    problems = tuple(problems)
    if not problems:
        return  # nor is what prints them imported
    screen = make_console(stderr)
    for problem in problems:
        screen.print(_format_problem(problem), soft_wrap=True)


def _format_problem(problem: Problem) -> Text:
    from rich.text import Text

    place = (f"{problem.file}:{problem.line}:{problem.column}:", "bold")
    return Text.assemble(place, f" {problem.what}\n", (f"    {problem.way_out}", "green"))


def fail_with_problems(problems: Iterable[Problem], words: str) -> NoReturn:
    """Print problems to standard error, and raise click.ClickException."""
    print_problems(problems, stderr=True)
    raise click.ClickException(words)


def print_remark(words: str) -> None:
    """Print a remark to standard error, so that results can be piped on."""
    click.echo(words, err=True)


@contextmanager
def show_progress(words: str, total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar at a terminal; yield a function that takes the number of items done."""
    screen = make_console(stderr=True)
    if quiet or not screen.is_terminal:
        yield lambda done: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn(words), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.advance(task, done)


def print_json(record: object) -> None:
    """Print one line of JSON, or several for people; ASCII where the stream cannot carry other letters."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    dump = partial(json.dumps, ensure_ascii=encoding not in ("utf8", "utf8sig"))
    context = click.get_current_context(silent=True)
    pretty = context is not None and context.meta.get(PRETTY_JSON)
    click.echo(format_pretty_json(record, dump) if pretty else dump(record))


def format_pretty_json(value: Any, dump: Callable[[object], str] = json.dumps, indent: int = 0) -> str:
    """Format JSON for people: what fits a line stands in one, all else is indented."""
    short, inner = dump(value), indent + 2
    if len(short) + indent <= _PRETTY_WIDTH or not isinstance(value, Mapping | list | tuple):
        return short
    if isinstance(value, Mapping):
        parts = [f"{dump(str(key))}: {format_pretty_json(one, dump, inner)}" for key, one in value.items()]
    elif any(isinstance(one, Mapping | list | tuple) for one in value):
        parts = [format_pretty_json(one, dump, inner) for one in value]
    else:
        parts = [", ".join(row) for row in _fill_rows([dump(one) for one in value], _PRETTY_WIDTH - inner)]
    begin, end = "{}" if isinstance(value, Mapping) else "[]"
    lines = f",\n{' ' * inner}".join(parts)
    return f"{begin}\n{' ' * inner}{lines}\n{' ' * indent}{end}"


def _fill_rows(words: Iterable[str], width: int) -> Iterator[list[str]]:
    """Yield as many words at a time as a line holds."""
    row: list[str] = []
    for word in words:
        if row and sum(map(len, row)) + 2 * len(row) + len(word) > width:
            yield row
            row = []
        row.append(word)
    yield row


def print_unmet_figures(id: str, ruleset: str, figures: Iterable[ExpectedFigure]) -> None:
    """Print to standard error where a result is not what a record expects."""
    for figure in figures:
        print_remark(f"{id}, {ruleset}: {figure.what} is {figure.found}, the record expects {figure.expected}")
