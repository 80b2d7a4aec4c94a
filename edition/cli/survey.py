"""Very many deals by lot, counted: how often what befalls, and what it comes to by other rules."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from edition.cli import output
from edition.cli.arguments import library, nearest, sigla
from edition.cli.options import FILE, FORMAT
from engine.survey.policies import POLICIES
from rulebook import __version__
from rulebook.model import Library

if TYPE_CHECKING:
    from engine.survey.request import Order, Rules, Table
    from engine.survey.runner import Crew, Keep, Told
    from engine.survey.table import Survey
    from engine.survey.tally import Tally

MOST = 10**12  #: nobody waits for more deals
EXTRAS: Mapping[str, tuple[str, ...]] = {"survey": ("numpy", "numba", "pyarrow"), "cluster": ("distributed",)}
TIMES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


@click.command("survey")
@click.option(
    "--deals", metavar="N", default="1M", show_default=True, help="So many deals: 1000000, 1_000_000, 1e6 or 1M."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    default=1,
    show_default=True,
    help="Every lot is drawn from this seed.",
)
@click.option(
    "--policy",
    metavar="random|cautious",
    default="random",
    show_default=True,
    help="How cards are chosen: any that may be played, or as one plays to lose tricks.",
)
@click.option(
    "-s",
    "--source",
    "sources",
    multiple=True,
    metavar="S",
    help="A company that plays by this source; may be given several times. Without it there is one for every source.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="So many processes; one for each core if not given."
)
@click.option(
    "--every",
    is_flag=True,
    help="Settle each deal not by the other sources only, but with every single answer in which they differ, and by "
    "every rival interpretation and option: some 270 rulesets.",
)
@click.option("--cluster", default="", metavar="ADDRESS", help="Let the workers of this Dask scheduler do it.")
@click.option("--out", type=FILE, metavar="FILE", help="Keep what was counted in this Parquet file.")
@click.option(
    "--per-deal", type=FILE, metavar="FILE", help="Keep what each wins in every single deal in this Parquet file."
)
@click.option(
    "--deal", "number", type=click.IntRange(min=0), metavar="N", help="Show only deal N of the survey, as a record."
)
@FORMAT
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each company. No progress is shown.")
def survey_command(
    deals: str,
    seed: int,
    policy: str,
    sources: tuple[str, ...],
    jobs: int | None,
    every: bool,
    cluster: str,
    out: Path | None,
    per_deal: Path | None,
    number: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Play very many deals, and count.

    Each company is dealt the same cards, exchanges and plays by its own rules, and every deal is also settled by other
    rules. You are told what each player wins, how often what befalls, and what would have come out otherwise by how
    many counters. The same seed brings out the same figures, however many processes or machines do the work.

    A deal that stands out can be had as a record: --deal N with the same seed, policy and source; `reversis run`
    settles it. A survey needs pip install "reversis[survey]"; with --cluster, "reversis[survey,cluster]" here and on
    every worker.
    """
    asked = Asked(sources, how_many(deals), seed, policy, jobs, cluster, out, per_deal, form, quiet, every)
    if cluster and jobs:
        raise click.UsageError("Either --jobs or --cluster: a cluster has as many hands as it has.")
    sys.exit(survey(asked) if number is None else one_deal(asked, number))


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for."""

    sources: tuple[str, ...]
    deals: int
    seed: int
    policy: str
    jobs: int | None  #: None: as many as there are cores
    cluster: str
    out: Path | None
    per_deal: Path | None
    form: str
    quiet: bool
    every: bool = False


def survey(asked: Asked) -> int:
    """Carry a survey out, keep it where it is to be kept, and tell of it; 0."""
    needed("survey", *(("cluster",) if asked.cluster else ()))
    lib = library()
    places(asked)
    order = surveyable(lib, order_of(lib, asked), asked.sources)
    try:
        found = surveyed(lib, order, asked)
        if asked.out:
            from engine.survey.parquet import write_survey

            write_survey(asked.out, found)
    except OSError as fault:  # a full disk, say
        raise click.ClickException(f"The survey cannot be kept: {fault}") from None
    FORMS[asked.form](lib, found, asked.quiet)
    return 0


def needed(*extras: str) -> None:
    """Without an extra the command says what to install."""
    for extra in extras:
        try:
            for module in EXTRAS[extra]:
                import_module(module)
        except ImportError as fault:
            every = ",".join(extras)
            raise click.ClickException(
                f"A survey{' on a cluster' * (extra == 'cluster')} needs {fault.name or extra}, which is not "
                f'installed: pip install "reversis[{every}]"'
            ) from None


def places(asked: Asked) -> None:
    """Where files are to lie must be known to be good before the first deal is played."""
    paths = [path for path in (asked.out, asked.per_deal) if path is not None]
    for path in paths:
        folder = path.resolve().parent
        if not folder.is_dir():
            raise click.UsageError(f"No folder {path.parent.as_posix()} to put {path.name} in.")
        if not os.access(folder, os.W_OK):
            raise click.UsageError(f"Nothing may be written in {path.parent.as_posix()}.")
    if len({path.resolve() for path in paths}) < len(paths):
        raise click.UsageError("--out and --per-deal are two files; give them two names.")


# ---- what was typed
def how_many(text: str) -> int:
    """A number of deals as one writes it: 1000000, 1_000_000, 1e6, 1M, 2.5M, 300k."""
    number = whole_number(text)
    if number is None:
        raise click.UsageError(f"--deals: {text!r} is no whole number; write 1000000, 1_000_000, 1e6 or 1M.")
    if not 1 <= number <= MOST:
        raise click.UsageError(f"--deals: {text} is not in the range from 1 to {MOST:,}.")
    return number


def whole_number(text: str) -> int | None:
    """A whole number, however it is written."""
    found = re.fullmatch(r"([+-]?[\d_,]*\.?\d+(?:e\d{1,2})?)([kmg]?)", text.strip().casefold())
    if not found or not re.match(r"[+-]?[\d.]", found[1]):
        return None
    number = Decimal(found[1].replace("_", "").replace(",", "")) * TIMES[found[2]]
    return int(number) if number == int(number) else None


def policy_of(name: str) -> str:
    """A manner of playing by its name."""
    if name.strip().casefold() in POLICIES:
        return name.strip().casefold()
    raise click.UsageError(f"No policy {name!r}. {nearest(name, POLICIES)}")


def order_of(library: Library, asked: Asked) -> Order:
    """What is to be done."""
    from engine.survey.request import Order

    tables = tables_of(library, sigla(library, asked.sources), asked.every)
    return Order(asked.seed, policy_of(asked.policy), asked.deals, tables)


def tables_of(library: Library, sources: Sequence[str], every: bool) -> tuple[Table, ...]:
    """The companies, and by which other rules their deals are settled besides."""
    from engine.survey.request import Rules, Table

    if every:
        from engine.survey.variants import disagreements

        return disagreements(library, sources)
    return tuple(Table(Rules(own), tuple(Rules(one) for one in library.sources if one != own)) for own in sources)


def command_of(library: Library, order: Order, *more: str) -> str:
    """What to type to have the same again; who lends a hand makes no difference."""
    named = dict.fromkeys(table.rules.source for table in order.tables)
    sources = [f"--source {one}" for one in named] if tuple(named) != tuple(library.sources) else []
    every = ["--every"] if any(one.wishes for table in order.tables for one in table.others) else []
    return " ".join(("reversis survey", *more, *every, f"--seed {order.seed}", f"--policy {order.policy}", *sources))


def surveyable(library: Library, order: Order, named: Sequence[str]) -> Order:
    """The order as far as its rules can be surveyed; what cannot is said before the first deal.

    A source that was asked for by its name must be one of those that can.
    """
    every = dict.fromkeys(one for table in order.tables for one in (table.rules, *table.others))
    why = {these: because for these in every if (because := unsurveyed(library, these))}
    own = [table.rules for table in order.tables]
    for these in own:
        if these in why and (named or why.keys() >= {*own}):
            raise click.ClickException(f"No survey can play by {these}: {why[these]}. {SINGLY}")
    for these, because in why.items():
        output.say(f"Left out of the survey: {these}, since {because}. {SINGLY}")
    kept = [one for one in order.tables if one.rules not in why]
    return replace(order, tables=tuple(replace(t, others=tuple(o for o in t.others if o not in why)) for t in kept))


SINGLY = "Deal by deal it can be settled all the same: `reversis run`."


def unsurveyed(library: Library, these: Rules) -> str:
    """Why no survey can play by some rules; empty where it can."""
    from engine.survey import piece as work
    from engine.survey.encode_rules import Unsurveyed

    try:
        work.priser(library).rules(these)
    except Unsurveyed as why:
        return str(why)
    return ""


# ---- carried out
def surveyed(library: Library, order: Order, asked: Asked) -> Survey:
    """Every deal of an order, counted; each one's sums kept, if that is asked for."""
    from engine.survey.table import Survey
    from engine.survey.tally import Tally

    command = command_of(library, order, f"--deals {order.deals}")
    empty = Survey(order, Tally(), command, __version__, library.digest)
    with (
        output.progress("{task.completed:,.0f} deals", order.deals, asked.quiet) as told,
        keeping(asked.per_deal, empty) as keep,
    ):
        return replace(empty, tally=tally_of(library, order, asked, told, keep))


def tally_of(library: Library, order: Order, asked: Asked, told: Told, keep: Keep | None) -> Tally:
    """The sum, whoever does the work."""
    from concurrent.futures.process import BrokenProcessPool

    from engine.survey.dask import NoCluster
    from engine.survey.runner import run

    try:
        with crew(library, order, asked) as hands:
            return run(order, hands, told, keep)
    except NoCluster as fault:
        raise click.ClickException(f"{str(fault)[:1].upper()}{str(fault)[1:]}.") from None
    except BrokenProcessPool:
        raise click.ClickException(
            "A process that did part of the work has died; there may be too little memory. Try fewer --jobs."
        ) from None


def crew(library: Library, order: Order, asked: Asked) -> AbstractContextManager[Crew]:
    """Who does the work: a cluster, or processes of this machine."""
    from engine.survey.dask import cluster
    from engine.survey.runner import cores, crew_of

    if asked.cluster:
        return cluster(asked.cluster, library)
    return crew_of(library, order, cores() if asked.jobs is None else asked.jobs)


@contextmanager
def keeping(path: Path | None, survey: Survey) -> Iterator[Keep | None]:
    """A file for the sums of every deal, if one is wanted."""
    if path is None:
        yield None
        return
    from engine.survey.parquet import NetsFile
    from engine.survey.table import heading

    with NetsFile(path, survey.order, heading(survey)) as file:
        yield file.keep


# ---- told
def as_text(library: Library, survey: Survey, quiet: bool) -> None:
    """The report."""
    from edition.cli.survey_tables import show

    show(output.console(), library, survey, quiet)


def as_json(library: Library, survey: Survey, quiet: bool) -> None:
    """One line of JSON."""
    from engine.survey.table import written

    output.data(written(survey))


FORMS: Mapping[str, Callable[[Library, Survey, bool], None]] = {"text": as_text, "json": as_json}


# ---- one deal
def one_deal(asked: Asked, number: int) -> int:
    """The record of one deal of a survey, as each table played it; 0."""
    from edition.cli.deal import give

    needed("survey")
    if asked.cluster or asked.out or asked.per_deal:
        raise click.UsageError("--deal shows one deal; a cluster and files of counts have no part in it.")
    lib = library()
    order = surveyable(lib, order_of(lib, replace(asked, deals=number + 1)), asked.sources)
    give(deal_records(lib, order, number), asked.form, False)
    return 0


def deal_records(library: Library, order: Order, number: int) -> Iterator[Mapping[str, object]]:
    """A deal as each table played it, with the command that makes it again."""
    from engine.deal.writer import write_deal
    from engine.survey import piece as work

    for table in order.tables:
        again = command_of(library, replace(order, tables=(table,)), f"--deal {number}")
        name = f"survey-{order.seed}-{number}-{table.rules.source.casefold()}"
        title = f"Deal {number} of a survey, played by {table.rules}, {order.policy}"
        deal = work.deal_of(order, library, table, number)
        yield write_deal(replace(deal, id=name, title=title, provenance="generated", note=f"Generated: {again}"))
