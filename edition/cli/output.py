"""Terminal output: problems, tables, data; without a terminal no colour, and no letter is lost."""

from __future__ import annotations

import difflib
import errno
import io
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NoReturn

import click

from rulebook.phrases import format_count
from rulebook.problems import Problem
from rulebook.strings import escape_unseen

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Column, Table

DEFAULT_WIDTH = 110  #: columns where there is no terminal to ask
PRETTY_JSON = "edition.cli.pretty"  #: in the context of a command: whether --pretty was given
_MAX_REPEATED = 3  #: places that are printed of one message in one file; the rest is counted
_STANDARD_STREAMS = 3  #: their numbers are 0, 1 and 2
_READER_LEFT = 141  #: exit code of a process that SIGPIPE ends, as shells have it
_PRETTY_WIDTH = 88  #: columns that an object may fill before it is spread over several lines


class _ClosedOutput(io.StringIO):
    """Standard output that was closed before the program began: what is printed there is lost, and that is an error."""

    def write(self, _: str) -> NoReturn:
        """Raise OSError."""
        raise OSError(errno.EBADF, "it is closed", "standard output")


def replace_closed_streams() -> None:
    """Replace standard streams that were closed before the program began, as by cron; no other file takes their place.

    Nothing can be read from such an input; what is written to such an output is an error.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < _STANDARD_STREAMS:
        pass
    os.close(number)
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115 (it stays open to the end)
    sys.stdout = sys.stdout or _ClosedOutput()
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def prepare_streams() -> None:
    """Replace letters that a terminal cannot show by question marks, and streams that are closed by empty ones."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def leave_without_reader(code: int = _READER_LEFT) -> NoReturn:
    """Exit where nobody takes the output any more, which is no fault; what waits to be written is dropped."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)


class _TerminalBuffer(io.StringIO):
    """Text that is kept until it is known whether it fits the screen; colours are written as to a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Return True, as the terminal does that it stands for."""
        return True


@contextmanager
def page_long_output(wanted: bool) -> Iterator[None]:
    """Show standard output in a pager where it is longer than the terminal; elsewhere leave it alone."""
    screen = sys.stdout
    if not (wanted and screen.isatty() and sys.stdin.isatty()):
        yield
        return
    sys.stdout = kept = _TerminalBuffer()
    try:
        yield
    finally:
        sys.stdout = screen
        letters = kept.getvalue()
        if letters.count("\n") < shutil.get_terminal_size().lines:
            screen.write(letters)
        else:
            click.echo_via_pager(letters)  # whether in colour depends on the pager


def make_console(stderr: bool = False) -> Console:
    """Return a console as wide as the terminal; a file or a pipe counts as wide."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            leave_without_reader()  # Rich would exit with 1

    console = Screen(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = DEFAULT_WIDTH
    return console


def make_table(*columns: Column | str, right: Iterable[str] = ()) -> Table:
    """Return an empty table; the columns of *right* come last, aligned to the right."""
    from rich import box
    from rich.table import Column, Table

    return Table(*columns, *(Column(head, justify="right") for head in right), box=box.SIMPLE_HEAD, pad_edge=False)


def print_lines(screen: Console, lines: Iterable[str], style: str = "", after: str | None = None) -> None:
    """Print lines, wrapped between words where the width is known; into a pipe as they are.

    What is wrapped goes on after *after*, or indented a little more than the line.
    """
    from rich.text import Text

    wrapped = has_known_width(screen)
    for words in lines:
        for line in wrap_line(words, screen.width, after) if wrapped else (words,):
            screen.print(Text(line, style), soft_wrap=True)


def has_known_width(screen: Console) -> bool:
    """Return whether somebody has said how wide a line may be: a terminal, or COLUMNS."""
    return screen.is_terminal or "COLUMNS" in os.environ


def wrap_message(words: str) -> str:
    """Wrap the message of an error between words where the width is known; no terminal obeys what it quotes."""
    words = escape_unseen(words)
    if not (sys.stderr.isatty() or "COLUMNS" in os.environ):
        return words
    width = shutil.get_terminal_size().columns - len("Error: ")
    return "\n".join(part for line in words.split("\n") for part in wrap_line(line, width))


def print_line(words: str) -> None:
    """Print one line to standard output, wrapped where the width is known."""
    print_lines(make_console(), [words])


def wrap_line(words: str, width: int, after: str | None = None) -> list[str]:
    """Wrap a line between words; what follows begins with *after*, or is indented a little more than it."""
    indent = " " * (len(words) - len(words.lstrip(" ")) + 2) if after is None else after
    lines = [
        wrap(line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
        for line in words.split("\n")
    ]
    return [part for line in lines for part in (line or [""])]


def print_problems(problems: Iterable[Problem], stderr: bool = False) -> None:
    """Print every problem with its place and its hint; what is work to be done comes behind what is wrong."""
    problems = sorted(problems, key=lambda problem: problem.waits)
    if not problems:
        return  # nor is what prints them imported
    from rich.text import Text

    screen = make_console(stderr)
    for problem in _condense_problems(problems):
        place = escape_unseen(f"{problem.file}:{problem.line}:{problem.column}:")
        texts = (f"{place} {escape_unseen(problem.what)}", f"    {escape_unseen(problem.way_out)}")
        what, hint = (
            "\n".join(wrap_line(words, screen.width)) if has_known_width(screen) else words for words in texts
        )
        screen.print(Text.assemble((what[: len(place)], "bold"), what[len(place) :]), soft_wrap=True)
        screen.print(Text(hint, "green"), soft_wrap=True)


def _condense_problems(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield problems; where one message comes again and again in a file, the last that is printed counts the rest."""
    numbers, printed = Counter(map(_key_message, problems)), Counter[tuple[str, str, str]]()
    for problem in problems:
        key = _key_message(problem)
        printed[key] += 1
        more = numbers[key] - _MAX_REPEATED
        if printed[key] == _MAX_REPEATED and more > 0:
            yield replace(problem, what=f"{problem.what}, and so in {format_count(more, 'further place')}")
        elif printed[key] <= _MAX_REPEATED:
            yield problem


def _key_message(problem: Problem) -> tuple[str, str, str]:
    return problem.file, problem.what, problem.way_out


def fail_with_problems(problems: Iterable[Problem], words: str) -> NoReturn:
    """Print problems to standard error, and raise click.ClickException."""
    print_problems(problems, stderr=True)
    raise click.ClickException(words)


def print_remark(words: str) -> None:
    """Print a remark to standard error, so that results can be piped on."""
    click.echo(wrap_message(words), err=True)


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
        parts = [f"{dump(str(key))}: {format_pretty_json(item, dump, inner)}" for key, item in value.items()]
    elif any(isinstance(item, Mapping | list | tuple) for item in value):
        parts = [format_pretty_json(item, dump, inner) for item in value]
    else:
        parts = [", ".join(row) for row in _fill_rows([dump(item) for item in value], _PRETTY_WIDTH - inner)]
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


def print_diff(name: str, before: str, after: str) -> None:
    """Print what changes, in colour at a terminal."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in difflib.unified_diff(before.split("\n"), after.split("\n"), name, name, lineterm=""):
        click.secho(line, fg=colours.get(line[:1]))
