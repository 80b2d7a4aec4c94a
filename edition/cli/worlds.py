"""What of a deal holds however a source is understood: as text, as data."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

import click

from edition.analysis.certainty import ContestView, DecisionView, PossibleView, possible, written
from edition.cli import output
from edition.cli.arguments import checked, library, records, sigla
from edition.cli.options import FORMAT, IGNORE_UNKNOWN
from edition.text.answers import sums_in
from engine.deal.model import Deal
from engine.interpretation.worlds import Worlds, worlds
from rulebook.model import Library


@click.command("worlds")
@click.argument("deals", nargs=-1, required=True, metavar="DEAL...")
@click.option("-s", "--source", "sources", multiple=True, metavar="S", help="By this source; by all if none is named.")
@click.option("--options", is_flag=True, help="Try the options too that a source itself offers.")
@FORMAT
@IGNORE_UNKNOWN
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each deal and source.")
def worlds_command(
    deals: tuple[str, ...], sources: tuple[str, ...], options: bool, form: str, ignore_unknown: bool, quiet: bool
) -> None:
    """Tell what of a deal is certain, and what is contested.

    A payment is certain if it is made however the source is understood. Otherwise you are told how it comes as we read
    the source, how under each rival interpretation, and the smallest set of our decisions on which that depends. Only
    questions that the deal raises are tried.

    DEAL is a file (YAML, or JSON), the id of a worked deal of the edition, or - for JSON lines on standard input. Exit
    code 1 if a record is faulty.
    """
    sys.exit(tell_worlds(deals, sources, options, form, quiet, ignore_unknown))


def tell_worlds(
    deals: Sequence[str], sources: Sequence[str], options: bool, form: str, quiet: bool, ignore_unknown: bool
) -> int:
    """Tell of every deal and source what is certain; 0, or 1 where a record is faulty."""
    lib = library()
    named = sigla(lib, sources)
    checked(lib, deals)
    code = 0
    for record in records(lib, deals, ignore_unknown):
        if record.deal is None:
            output.tell(record.problems, stderr=True)
            code = 1
            continue
        for source in named:
            FORMS[form](lib, worlds(record.deal, lib, source, options), options, quiet)
    return code


# ---- data
def as_json(library: Library, found: Worlds, options: bool, quiet: bool) -> None:
    """One line for each deal and source."""
    output.data(written(found, library.sources[found.source].unit, options))


# ---- text
def as_text(library: Library, found: Worlds, options: bool, quiet: bool) -> None:
    """What is certain, what is contested, and on which decisions that hangs."""
    from rich.text import Text

    view, screen = possible(library, found, options), output.console()
    if quiet:
        screen.print(Text(f"{found.deal.id}  {view.source}  {in_short(view)}"), soft_wrap=True)
        return
    screen.print(Text.assemble((found.deal.id, "bold"), f"  {view.source}  {view.title}, {sums_in(view.unit)}"))
    for words in lines(view, found.deal):
        screen.print(Text(words), soft_wrap=True)
    screen.print()


def in_short(view: PossibleView) -> str:
    """In one line: that the deal is not settled, if so, and how much is certain."""
    return " ".join(filter(None, (view.unsettled, view.said)))


def lines(view: PossibleView, deal: Deal) -> Iterator[str]:
    """Everything, line by line."""
    yield from filter(None, (view.unsettled, view.said))
    if view.settled:
        return
    if view.certain:
        yield f"\nCertain, however {view.source} is understood:"
        yield from (f"  {one.what}: {one.said}" for one in view.certain)
    if view.contests:
        yield "\nContested:"
        yield from (line for one in view.contests for line in contest(one))
        yield "\nThe decisions on which this depends:"
        yield from (line for one in view.decisions for line in decision(one))
    if view.net:
        yield f"\nIn the end: {'; '.join(view.net)}"


def contest(one: ContestView) -> Iterator[str]:
    """What is contested, how it comes by our reading, and how otherwise."""
    yield f"  {one.what}: {one.ours}"
    yield from (f"    {' or '.join(other.readings)}: {other.said}" for other in one.others)
    if one.together:
        yield f"    {one.further}"
    yield f"    depends on {', or on '.join(', '.join(some) for some in one.depends)}"


def decision(one: DecisionView) -> Iterator[str]:
    """A decision with its readings."""
    yield f"  {one.clause}  {one.asks}"
    yield from (f"    {reading.id or 'ours'}: {reading.label}" for reading in one.readings)


FORMS: Mapping[str, Callable[[Library, Worlds, bool, bool], None]] = {"text": as_text, "json": as_json}
