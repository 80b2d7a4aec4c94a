"""Settle deals: as text, as data, as a page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from edition.cli import output
from edition.cli.arguments import parse_wish_option, resolve_cli_rules
from edition.cli.options import (
    IGNORE_UNKNOWN_OPTION,
    PLAYED_BY_OPTION,
    make_format_option,
    make_wish_option,
)
from engine.deal.model import Deal
from engine.session.session import give_own_pool
from engine.settlement.settle import Settled, settle
from reversis.cli.deal_arguments import (
    AS_PLAYED_OPTION,
    TOLERATE_OPTION,
    complete_deal,
    load_playable_library,
    match_sigla,
    print_unmet_figures,
    process_cli_deals,
    require_record_names,
)
from reversis.files.drafts import list_playable_sources
from reversis.words.deal_views import DealView, view_settlements
from reversis.words.ledgers import AnySettlement, compare_expectation
from reversis.words.missing import dump_result
from rulebook.model import Library, Ruleset
from rulebook.phrases import describe_sum_unit


@click.command("run")
@click.argument("deals", nargs=-1, required=True, metavar="DEAL...", shell_complete=complete_deal)
@PLAYED_BY_OPTION
@click.option(
    "--all",
    "all_",
    is_flag=True,
    help="Use every source except drafts that settle no worked deal of their own; the default.",
)
@make_wish_option(
    "Play another rule: QUESTION=READING (Q031=3), QUESTION@SOURCE (Q017@ACA), or the id of an interpretation or "
    "option (PAM.i01). May be given several times."
)
@make_format_option(
    ["text", "json", "html"],
    "Tables, one line of JSON for each deal and source, or a self-contained web page.",
)
@AS_PLAYED_OPTION
@TOLERATE_OPTION
@IGNORE_UNKNOWN_OPTION
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each deal and source.")
def run_command(
    deals: tuple[str, ...],
    sources: tuple[str, ...],
    all_: bool,
    wishes: tuple[str, ...],
    form: str,
    as_played: bool,
    tolerate: tuple[str, ...],
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Settle deals: who pays whom, and which clause says so.

    Prints what everybody wins or loses by each source. Then, without --source, one table of payments with a column for
    each source; with --source, the payments by that source, with its clauses.

    DEAL is a file, the id of a worked deal of the edition (`reversis list deals`), or - for standard input, as
    `reversis deal random | reversis run -` has it: YAML, JSON or JSON lines, of one deal or several. JSON lines are
    settled one by one as they are read. Without `pool` in a record the pool is empty: its stake is 0.

    Exit code 1 if a record is faulty, if a result is not what the record expects of the source, or if a source that
    you named refuses the deal or is silent on it. With --all, a refusal or a silence counts as a result: exit code 0.
    """
    if sources and all_:
        raise click.UsageError("Either --source or --all: with --all every source is run.")
    lib = load_playable_library()
    choices = [parse_wish_option(lib, text) for text in wishes]
    rulesets = tuple(resolve_cli_rules(lib, s, choices) for s in match_sigla(lib, sources))
    require_record_names(lib, deals)
    if left := [source for source in lib.sources if not (sources or source in list_playable_sources(lib))]:
        named = " ".join(f"--source {siglum}" for siglum in left)
        output.print_remark(f"Left out, being drafts that settle no worked deal of their own yet: {named} runs them")
    options = RunOptions(lib, rulesets, bool(sources), quiet, ignore_unknown, as_played, tolerate)
    sys.exit(_PRINTERS[form](options, deals))


@dataclass(frozen=True)
class RunOptions:
    """Options of one run: the rulesets, and how to report."""

    library: Library
    rulesets: tuple[Ruleset, ...]
    demanded: bool  #: the sources were named, so that a refusal is a problem
    quiet: bool
    ignore_unknown: bool  #: a record may name sources that the library does not have
    as_played: bool = False  #: each source has the pool of its own rules
    tolerate: tuple[str, ...] = ()  #: what is passed over and not refused

    def settle(self, deal: Deal) -> list[AnySettlement]:
        """Settle a deal by each source; with pools of their own nothing comes to what the record expects."""
        if not self.as_played:
            return [settle(deal, ruleset, self.tolerate) for ruleset in self.rulesets]
        deal = replace(deal, expect={})
        return [settle(give_own_pool(deal, ruleset), ruleset, self.tolerate) for ruleset in self.rulesets]


def has_run_problem(order: RunOptions, all_: Sequence[AnySettlement]) -> bool:
    """Check for an unsettled deal under a named source, or an unmet expectation."""
    unsettled = order.demanded and any(not isinstance(s, Settled) for s in all_)
    expected = [compare_expectation(s) for s in all_]
    return unsettled or any(e is not None and e.failed for e in expected)


def settle_each_record(
    order: RunOptions, deals: Sequence[str], show: Callable[[RunOptions, Deal, list[AnySettlement]], None]
) -> int:
    """Settle and show every deal in turn; return 0, or 1 where there were problems."""

    def settle_and_show(deal: Deal) -> bool:
        all_ = order.settle(deal)
        show(order, deal, all_)
        return has_run_problem(order, all_)

    return process_cli_deals(order.library, deals, order.ignore_unknown, settle_and_show)


def _print_unmet(deal: Deal, all_: list[AnySettlement]) -> None:
    for settlement in all_:
        expected = compare_expectation(settlement)
        if expected and not expected.pending:
            print_unmet_figures(deal.id, settlement.ruleset.name, expected.missed)


# ---- text
def _print_run_tables(order: RunOptions, deals: Sequence[str]) -> int:
    from reversis.cli.ledger_tables import print_deal_view
    from reversis.cli.reckonings import list_reckonings

    screen = output.make_console()

    def print_deal(order: RunOptions, deal: Deal, all_: list[AnySettlement]) -> None:
        view = view_settlements(order.library, deal, all_)
        sums = [*map(partial(list_reckonings, order.library), view.ledgers, all_)] if order.demanded else []
        print_deal_view(screen, view, order.quiet, not order.demanded, sums)
        if order.quiet:
            _print_unmet(deal, all_)

    return settle_each_record(order, deals, print_deal)


# ---- data
def _print_run_data(order: RunOptions, deals: Sequence[str]) -> int:
    """Print one line of JSON for each deal and source; unmet expectations to standard error."""

    def print_settlements(order: RunOptions, deal: Deal, all_: list[AnySettlement]) -> None:
        for settlement in all_:
            output.print_json(dump_result(order.library, settlement))
        _print_unmet(deal, all_)

    return settle_each_record(order, deals, print_settlements)


# ---- a page
def print_run_page(order: RunOptions, deals: Sequence[str]) -> int:
    """Print one self-contained page with all the deals."""
    views: list[DealView] = []

    def collect(order: RunOptions, deal: Deal, all_: list[AnySettlement]) -> None:
        views.append(view_settlements(order.library, deal, all_))

    code = settle_each_record(order, deals, collect)
    if views:
        click.echo(_render_deals_page(views).encode("utf-8"))  # as the page declares, whatever the terminal
    return code


def _render_deals_page(views: Sequence[DealView]) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(Path(__file__).parent.parent / "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    clauses = {c.id: c for view in views for ledger in view.ledgers for c in ledger.clauses}
    return environment.get_template("ledger.html").render(
        views=views, clauses=clauses.values(), suits=split_cards_by_suit, sums_in=describe_sum_unit
    )


def split_cards_by_suit(cards: str) -> list[tuple[str, str, str]]:
    """Return cards as (rank, suit sign, colour)."""
    return [(card[:-1].replace("T", "10"), *_SUIT_SIGNS[card[-1]]) for card in cards.split()]


_SUIT_SIGNS: Mapping[str, tuple[str, str]] = {
    "S": ("♠", "black"),
    "H": ("♥", "red"),
    "D": ("♦", "red"),
    "C": ("♣", "black"),
}
_PRINTERS: Mapping[str, Callable[[RunOptions, Sequence[str]], int]] = {
    "text": _print_run_tables,
    "json": _print_run_data,
    "html": print_run_page,
}
