"""Show anything by its id or name, for people or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from edition.cli import output
from edition.cli.arguments import match_siglum
from edition.cli.completion import complete_id
from edition.cli.lookup import catalogue
from edition.cli.lookup.describe import describe_thing
from edition.cli.lookup.entries import LookupEntry, LookupField, serialize_entry
from edition.cli.options import FORMAT_OPTION, PLAYED_BY_OPTION
from edition.corpus.corpus import Corpus
from rulebook.phrases import format_count
from rulebook.program_name import name_command
from rulebook.strings import quote_value

if TYPE_CHECKING:
    from rich.console import Console

_MAX_WHOLE_ENTRIES = 3  #: things of one name that are shown in full; more are listed
_MIN_WIDTH = 40
_MAX_FAULTS = 12  #: unknown names that are listed, with near ones; the rest is counted
_RECORD_SUFFIXES = (".yaml", ".json")  #: of files that are called by the id of what they hold


@click.command("show")
@click.argument("names", nargs=-1, required=True, metavar="ID...", shell_complete=complete_id)
@PLAYED_BY_OPTION
@FORMAT_OPTION
def show_command(names: tuple[str, ...], sources: tuple[str, ...], form: str) -> None:
    """Show anything by its id: a question, a sentence, a term.

    ID is the name that pages and commands use, in upper or lower case: a question (Q031, 31 or its slug), a source
    (PAM), a sentence (PAM.s71), a clause (PAM.c031), a doubtful passage (PAM.i03), an emendation (PAM.e05), a note, an
    answer (Q031@PAM), a reading (Q024=nobody), a work. A term or a topic goes by its name too.

    Printed are its content, its page in the edition and its file. Several things are shown one after the other; with
    --source, the answer of that source to a question. JSON is one object for each thing. Exit
    code 2 if any name is unknown; the others are shown all the same.
    """
    corpus = catalogue.open_corpus()
    if len(names) > 1 and catalogue.find_named(corpus, " ".join(names)):  # a name of several words
        names = (" ".join(names),)
    things, faults = find_each(corpus, names)
    if sources:
        things = _take_answers(corpus, things, sources)
    if form == "json":
        for thing in things:
            output.print_json(serialize_entry(describe_thing(corpus, thing)))
    else:
        _print_entries([describe_thing(corpus, thing) for thing in things], len(names))
    for fault in faults:
        output.print_remark(f"Error: {fault}")
    sys.exit(2 if faults else 0)


def find_each(corpus: Corpus, names: Sequence[str]) -> tuple[list[catalogue.NamedThing], list[str]]:
    """Find all that is named, each once, and say which names mean nothing. Raise click.UsageError if none does."""
    called = {name: Path(name).stem if Path(name).suffix in _RECORD_SUFFIXES else name for name in names}
    named = {name: catalogue.find_named(corpus, stem) for name, stem in called.items()}
    unknown = [name for name, meant in named.items() if not meant]
    faults = [_describe_unknown(corpus, name) for name in unknown[:_MAX_FAULTS]]
    if more := unknown[_MAX_FAULTS:]:
        faults.append(f"Unknown too: {format_count(len(more), 'further name')}.")
    things = list(dict.fromkeys(thing for meant in named.values() for thing in meant))
    if not things:
        raise click.UsageError("\n".join(faults))
    return things, faults


def _take_answers(
    corpus: Corpus, things: Sequence[catalogue.NamedThing], sources: Sequence[str]
) -> list[catalogue.NamedThing]:
    """Put the answers of some sources for the questions. Raise click.UsageError where there is no question."""
    sigla = [match_siglum(corpus.library, source) for source in sources]
    if not any(thing.kind == "question" for thing in things):
        raise click.UsageError("--source is for questions: of each it shows the answer of that source.")
    answers = (
        [catalogue.NamedThing("answer", f"{thing.id}@{siglum}") for siglum in sigla]
        if thing.kind == "question"
        else [thing]
        for thing in things
    )
    return [thing for some in answers for thing in some]


def _describe_unknown(corpus: Corpus, name: str) -> str:
    near = catalogue.suggest_answers(corpus, name) or catalogue.suggest_names(corpus, name)
    hint = f"Near it: {', '.join(near)}." if near else f"`{name_command('list')}` lists what there is."
    return f"Nothing is called {quote_value(name.strip())}. {hint}"


# ---- text
def _print_entries(entries: list[LookupEntry], asked: int) -> None:
    screen = output.make_console()
    if asked == 1 and len(entries) > _MAX_WHOLE_ENTRIES:
        output.print_lines(screen, (f"{entry.id}  {entry.kind}: {entry.title}" for entry in entries))
        return
    for at, entry in enumerate(entries):
        if at:
            screen.print()
        _print_entry(screen, entry)


def _print_entry(screen: Console, entry: LookupEntry) -> None:
    from rich.text import Text

    width = max(screen.width, _MIN_WIDTH)
    for at, line in enumerate(_wrap_hanging(f"{entry.id}  {entry.title}", width, 0)):
        screen.print(Text(line, style="" if at else "bold"), soft_wrap=True)
    fields = [line for field in entry.fields for line in _format_field(field, width)]
    places = (("page", entry.page), ("file", entry.file))
    fields += [f"  {label}: {place}" for label, place in places if place]
    output.print_lines(screen, (f"  {entry.kind}", *fields))


def _format_field(field: LookupField, width: int) -> Iterator[str]:
    if len(field.lines) == 1:
        yield from _wrap_hanging(f"{field.label}: {field.lines[0]}", width, 2)
    elif field.lines:
        yield f"  {field.label}:"
        for line in field.lines:
            deeper = len(line) - len(line.lstrip())
            yield from _wrap_hanging(line.lstrip(), width, 4 + deeper)


def _wrap_hanging(words: str, width: int, indent: int) -> list[str]:
    """Wrap words within a width; every line but the first stands two letters farther in."""
    before = " " * indent
    return wrap(
        words,
        width,
        initial_indent=before,
        subsequent_indent=f"{before}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
