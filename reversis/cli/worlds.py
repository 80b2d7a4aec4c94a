"""Print which parts of a deal's result are certain however a source is read."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from edition.cli import output
from edition.cli.options import FORMAT_OPTION, IGNORE_UNKNOWN_OPTION, make_source_option
from engine.deal.model import Deal
from engine.interpretation.worlds import Worlds, possible_worlds
from reversis.cli.deal_arguments import (
    complete_deal,
    load_playable_library,
    match_sigla,
    process_cli_deals,
    require_record_names,
)
from reversis.words.certainty import (
    ContestView,
    PossibleView,
    describe_possible_worlds,
    dump_possible_worlds,
)
from rulebook.model import Library
from rulebook.phrases import describe_sum_unit


@click.command("worlds")
@click.argument("deals", nargs=-1, required=True, metavar="DEAL...", shell_complete=complete_deal)
@make_source_option("Use the rules of this source; default: all.")
@click.option("--options", is_flag=True, help="Also try the options that a source itself offers.")
@FORMAT_OPTION
@IGNORE_UNKNOWN_OPTION
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each deal and source.")
def worlds_command(
    deals: tuple[str, ...], sources: tuple[str, ...], options: bool, form: str, ignore_unknown: bool, quiet: bool
) -> None:
    """Show which results of a deal depend on how a source is read.

    A payment is certain if it is made in every reading of the source. Otherwise the command shows its amount in our
    reading and in each other one, and the smallest set of our decisions on which it depends. Only questions that the
    deal raises are tried.

    DEAL is a file (YAML, or JSON), the id of a worked deal of the edition, or - for standard input (YAML, JSON or
    JSON lines). Exit code 1 if a record is faulty.
    """
    lib = load_playable_library()
    sigla = match_sigla(lib, sources)
    require_record_names(lib, deals)

    def print_each_source(deal: Deal) -> None:
        for source in sigla:
            worlds = possible_worlds(deal, lib, source, options)
            if form == "json":
                output.print_json(dump_possible_worlds(worlds, lib.sources[source].unit, options))
            else:
                print_worlds(lib, worlds, options, quiet)

    sys.exit(process_cli_deals(lib, deals, ignore_unknown, print_each_source))


def print_worlds(library: Library, worlds: Worlds, options: bool, quiet: bool) -> None:
    """Print what is certain or contested, and the decisions on which that depends."""
    from rich.text import Text

    view, screen = describe_possible_worlds(library, worlds, options), output.make_console()
    if quiet:
        words = " ".join(filter(None, (view.unsettled, view.said)))
        output.print_lines(screen, [f"{worlds.deal.id}  {view.source}  {words}"])
        return
    screen.print(
        Text.assemble((worlds.deal.id, "bold"), f"  {view.source}  {view.title}, {describe_sum_unit(view.unit)}")
    )
    output.print_lines(screen, [*_format_certainty(view, worlds.deal), ""])


def _format_certainty(view: PossibleView, deal: Deal) -> Iterator[str]:
    yield from filter(None, (view.unsettled, view.said))
    if view.settled:
        return
    if view.certain:
        yield f"\nCertain, however {view.source} is understood:"
        yield from (f"  {event}: {sums}" for event, sums in view.certain)
    if view.contests:
        yield "\nContested:"
        yield from (line for contest in view.contests for line in _format_contest(contest))
        yield "\nThe decisions on which this depends:"
        for clause, asks, readings in view.decisions:
            yield f"  {clause}  {asks}"
            yield from (f"    {id or 'ours'}: {label}" for id, label in readings)
    if view.net:
        yield f"\nIn the end: {'; '.join(view.net)}"


def _format_contest(contest: ContestView) -> Iterator[str]:
    yield f"  {contest.what}: {contest.ours}"
    yield from (f"    {' or '.join(readings)}: {result}" for result, readings in contest.others)
    if contest.together:
        yield f"    {contest.further}"
    yield f"    depends on {', or on '.join(', '.join(some) for some in contest.depends)}"
