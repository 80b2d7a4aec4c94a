"""Settling deals: as text, as data, as a page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from edition.analysis.deal_views import DealView, view_settlements
from edition.analysis.ledgers import Settlement, expectation
from edition.cli import output
from edition.cli.arguments import checked, library, records, rules, sigla, wish
from edition.cli.options import IGNORE_UNKNOWN, PLAYED_BY
from edition.text.answers import sums_in
from engine.deal.model import Deal
from engine.settlement.result_json import result
from engine.settlement.settle import Settled, settle
from rulebook.model import Library, Ruleset


@click.command("run")
@click.argument("deals", nargs=-1, required=True, metavar="DEAL...")
@PLAYED_BY
@click.option("--all", "all_", is_flag=True, help="By every source; so it is when no source is named.")
@click.option(
    "--with",
    "wishes",
    multiple=True,
    metavar="WISH",
    help="Play another rule: QUESTION=READING (Q031=3), QUESTION@SOURCE (Q017@ACA), or the id of an interpretation "
    "or option (PAM.i01). A question is named by its id or its slug. May be given several times.",
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
    help="Tables, one line of JSON for each deal and source, or one page that stands by itself.",
)
@IGNORE_UNKNOWN
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each deal and source.")
def run_command(
    deals: tuple[str, ...],
    sources: tuple[str, ...],
    all_: bool,
    wishes: tuple[str, ...],
    form: str,
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Settle deals: who pays whom, and which clause says so.

    DEAL is a file (YAML, or JSON), the id of a worked deal of the edition, or - for JSON lines on standard input.

    Exit code 1 if a record is faulty, if a result is not what the record expects of the source, or if a source that
    you named refuses the deal or is silent on it. By every source (--all) a refusal or a silence is a result like
    any other: exit code 0.
    """
    if sources and all_:
        raise click.UsageError("Either --source or --all: with --all every source is run.")
    sys.exit(run(deals, sources, wishes, form, quiet, ignore_unknown))


@dataclass(frozen=True)
class Order:
    """What was asked for."""

    library: Library
    rulesets: tuple[Ruleset, ...]
    demanded: bool  #: the sources were named, so that a refusal is a problem
    quiet: bool
    ignore_unknown: bool = False  #: a record may name sources that the library does not have


def run(
    deals: Sequence[str], sources: Sequence[str], wishes: Sequence[str], form: str, quiet: bool, ignore_unknown: bool
) -> int:
    """Settle every deal by every ruleset asked for; 0, or 1 where there were problems."""
    lib = library()
    choices = [wish(lib, text) for text in wishes]
    rulesets = tuple(rules(lib, s, choices) for s in sigla(lib, sources))
    order = Order(lib, rulesets, bool(sources), quiet, ignore_unknown)
    checked(lib, deals)
    return FORMS[form](order, deals)


def settlements(order: Order, deal: Deal) -> list[Settlement]:
    """A deal under every ruleset."""
    return [settle(deal, ruleset) for ruleset in order.rulesets]


def found_wanting(order: Order, all_: Sequence[Settlement]) -> bool:
    """Whether a source that was named does not settle the deal, or the record expects something else."""
    unsettled = order.demanded and any(not isinstance(s, Settled) for s in all_)
    expected = [expectation(s) for s in all_]
    return unsettled or any(e is not None and not e.met for e in expected)


def each(order: Order, deals: Sequence[str], show: Callable[[Order, Deal, list[Settlement]], None]) -> int:
    """Every deal in turn; a faulty record is told, and the next one settled."""
    code = 0
    for record in records(order.library, deals, order.ignore_unknown):
        if record.deal is None:
            output.tell(record.problems, stderr=True)
            code = 1
            continue
        all_ = settlements(order, record.deal)
        show(order, record.deal, all_)
        code |= found_wanting(order, all_)
    return code


# ---- text
def as_text(order: Order, deals: Sequence[str]) -> int:
    """Tables for who reads along."""
    from edition.cli.ledger_tables import show

    screen = output.console()

    def print_deal(order: Order, deal: Deal, all_: list[Settlement]) -> None:
        show(screen, view_settlements(order.library, deal, all_), order.quiet)
        if order.quiet:
            say_missed(deal, all_)

    return each(order, deals, print_deal)


# ---- data
def as_json(order: Order, deals: Sequence[str]) -> int:
    """One line for each deal and source."""
    return each(order, deals, print_data)


def print_data(order: Order, deal: Deal, all_: list[Settlement]) -> None:
    """The results, and on the other stream what came out otherwise than the record says."""
    for settlement in all_:
        output.data(result(settlement, order.library.digest))
    say_missed(deal, all_)


def say_missed(deal: Deal, all_: list[Settlement]) -> None:
    """Say on the other stream where a result is not what the record expects."""
    for settlement in all_:
        expected = expectation(settlement)
        for figure in expected.missed if expected else ():
            name = settlement.ruleset.name
            output.say(f"{deal.id}, {name}: {figure.what} is {figure.found}, the record expects {figure.expected}")


# ---- a page
def as_page(order: Order, deals: Sequence[str]) -> int:
    """One page with all the deals; it stands by itself and asks nobody for anything."""
    views: list[DealView] = []

    def collect(order: Order, deal: Deal, all_: list[Settlement]) -> None:
        views.append(view_settlements(order.library, deal, all_))

    code = each(order, deals, collect)
    if views:
        output.page(page(views))
    return code


def page(views: Sequence[DealView]) -> str:
    """The page of some deals."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = Path(__file__).parent.parent / "templates"
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    clauses = {c.id: c for view in views for ledger in view.ledgers for c in ledger.clauses}
    return environment.get_template("ledger.html").render(
        views=views, clauses=clauses.values(), suits=suits, sums_in=sums_in
    )


def suits(cards: str) -> list[tuple[str, str, str]]:
    """Cards as (rank, suit sign, colour)."""
    return [(card[:-1].replace("T", "10"), *SIGNS[card[-1]]) for card in cards.split()]


SIGNS: Mapping[str, tuple[str, str]] = {
    "S": ("♠", "black"),
    "H": ("♥", "red"),
    "D": ("♦", "red"),
    "C": ("♣", "black"),
}
FORMS: Mapping[str, Callable[[Order, Sequence[str]], int]] = {"text": as_text, "json": as_json, "html": as_page}
