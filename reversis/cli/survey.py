"""Survey many random deals: the frequency of events, and the results by other rules."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from edition.cli import output
from edition.cli.arguments import hint_nearest_name
from edition.cli.options import FILE_TYPE, FORMAT_OPTION, OUTPUT_NAMES, make_source_option
from engine.players.preferences import ALL_POLICIES, SKILLED
from reversis.cli.deal_arguments import load_playable_library, match_sigla
from reversis.cli.net_limits import describe_net_limits
from rulebook import __version__
from rulebook.installing import format_install_command
from rulebook.model import Library
from rulebook.strings import quote_value

if TYPE_CHECKING:
    from lab.survey.request import Rules, SurveyOrder, SurveyTable
    from lab.survey.runner import Crew, NetsCallback, ProgressCallback
    from lab.survey.table import SurveyRun
    from lab.survey.tally import SurveyTally

_MAX_DEALS = 10**12  #: nobody waits for more deals
#: The modules of an extra; Numba only after ours that keeps it from the settings of a stranger.
_EXTRA_MODULES: Mapping[str, tuple[str, ...]] = {
    "survey": (
        "numpy",
        "lab.survey.jit",
        "numba",
        "pyarrow",
    ),
    "cluster": ("distributed",),
}
#: Code that is compiled last, in the cache of compiled code: of a whole survey, of a single deal, of the skilled.
_COMPILED_COUNT, _COMPILED_PLAY = "survey_*/counting.*.nbi", "survey_*/play_rules.*.nbi"
_COMPILED_NET = "players_*/net_batch.*.nbi"
_OTHER_FORMS = frozenset({".csv", ".tsv", ".json", ".jsonl", ".txt", ".xlsx", ".ods"})  #: that no Parquet file is
_MULTIPLIERS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


@click.command("survey")
@click.option(
    "--deals", metavar="N", default="1M", show_default=True, help="Number of deals: 1000000, 1_000_000, 1e6 or 1M."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    default=1,
    show_default=True,
    help="Random seed.",
)
@click.option(
    "--policy",
    metavar="random|cautious|skilled",
    default="random",
    show_default=True,
    help="How cards are chosen: any legal card, so as to lose tricks, or by the source's neural net.",
)
@make_source_option("Play by this source; may be given several times. Default: every source.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes (default: CPU cores).")
@click.option(
    "--every",
    is_flag=True,
    help="Settle each deal not only by the other sources, but also with each single answer in which they differ, and "
    "with each other reading and option: some 270 rulesets.",
)
@click.option("--cluster", default="", metavar="ADDRESS", help="Use the workers of this Dask scheduler.")
@click.option(*OUTPUT_NAMES, "out", type=FILE_TYPE, metavar="FILE", help="Write the counts to this Parquet file.")
@click.option(
    "--per-deal", type=FILE_TYPE, metavar="FILE", help="Write each player's result of every deal to this Parquet file."
)
@click.option(
    "--deal", "number", type=click.IntRange(min=0), metavar="N", help="Show only deal N of the survey, as a record."
)
@FORMAT_OPTION
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each source. No progress is shown.")
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
    """Simulate many deals and count results.

    For each source, four (or five) simulated players are dealt the same cards, exchange and play by its rules, and
    every deal is also settled by other rules. The result: what each player wins, how often each event occurs, and how
    often and by how many counters other rules would have changed the result. The same seed gives the same figures on
    any number of processes or machines.

    A single deal can be printed as a record: --deal N with the same seed, policy and source; `reversis run`
    settles it. A survey needs pip install "reversis[survey]"; with --cluster, pip install "reversis[survey,cluster]"
    here and on every worker.
    """
    asked = SurveyOptions(
        sources, parse_deal_count(deals), seed, policy, jobs, cluster, out, per_deal, form, quiet, every
    )
    if cluster and jobs:
        raise click.UsageError("Either --jobs or --cluster: a cluster has as many hands as it has.")
    is_sized = click.get_current_context().get_parameter_source("deals") is not ParameterSource.DEFAULT
    if number is not None and is_sized and number >= asked.deals:
        last = f"{asked.deals:,} deals are numbered from 0 to {asked.deals - 1:,}"
        raise click.UsageError(f"--deal: there is no deal {number:,}: {last}. Without --deals any can be shown.")
    if number is None:
        run_survey_command(asked)
    else:
        print_survey_deal(asked, number)


@dataclass(frozen=True, slots=True)
class SurveyOptions:
    """Options of one survey."""

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
    every: bool


def run_survey_command(asked: SurveyOptions) -> None:
    """Run a survey, save it where asked, and print it."""
    check_output_paths(asked)
    lib = load_playable_library()
    check_names(lib, asked)
    require_extras("survey", *(("cluster",) if asked.cluster else ()))
    order = bring_skilled_players(lib, drop_unsurveyable_rules(lib, order_of(lib, asked), asked.sources))
    try:
        survey = count_survey_deals(lib, order, asked)
        if asked.out:
            from lab.survey.parquet import write_survey_parquet

            write_survey_parquet(asked.out, survey)
    except OSError as fault:  # a full disk, say
        raise click.ClickException(f"The survey cannot be kept: {fault}") from None
    if asked.form == "json":
        from lab.survey.table import dump_survey_run

        output.print_json(dump_survey_run(survey))
    else:
        from reversis.cli.survey_tables import print_survey_report

        print_survey_report(output.make_console(), lib, survey, asked.quiet)


def require_extras(*extras: str, needed_by: str = "A survey") -> None:
    """Raise click.ClickException if a module of an extra is not installed."""
    for extra in extras:
        try:
            for module in _EXTRA_MODULES[extra]:
                import_module(module)
        except ImportError as fault:
            raise click.ClickException(
                f"{needed_by}{' on a cluster' * (extra == 'cluster')} needs {fault.name or extra}, which is not "
                f"installed: {format_install_command(*extras)}"
            ) from None


@cache  # it is compiled once, though many cards are weighed
def announce_compiling(what: str, takes: str, *compiled: str) -> None:
    """Say on standard error that the first run takes a while, unless all this code is cached from an earlier one."""
    from lab.survey.jit import COMPILE_CACHE, INTERPRETED

    if not INTERPRETED and (COMPILE_CACHE is None or not all(any(COMPILE_CACHE.glob(pattern)) for pattern in compiled)):
        output.print_remark(f"The {what} is compiled now, once for this version: that takes {takes} or more.")


def check_output_paths(asked: SurveyOptions) -> None:
    """Raise click.UsageError, before the first deal, unless the output files can be written."""
    paths = [path for path in (asked.out, asked.per_deal) if path is not None]
    for path in paths:
        if path.suffix.casefold() in _OTHER_FORMS:
            raise click.UsageError(
                f"{path.name}: what is kept is a Parquet file; give it a name like {path.stem}.parquet, and print JSON"
                " with --format json."
            )
        folder = path.resolve().parent
        if not folder.is_dir():
            raise click.UsageError(f"No folder {path.parent.as_posix()} to put {path.name} in.")
        if not os.access(folder, os.W_OK):
            raise click.UsageError(f"Nothing may be written in {path.parent.as_posix()}.")
    if len({path.resolve() for path in paths}) < len(paths):
        raise click.UsageError("--out and --per-deal are two files; give them two names.")


# ---- what was typed
def check_names(library: Library, asked: SurveyOptions) -> None:
    """Raise click.UsageError, before an extra is asked for, unless policy and sources are known."""
    parse_policy_name(asked.policy)
    if mixed := next((name for name in asked.sources if "+" in name), None):
        raise click.UsageError(
            f"A survey takes sources by their sigla, not {quote_value(mixed)}:"
            f" --source {mixed.partition('+')[0].strip()}. With --every its deals are also settled with each answer of"
            " another source."
        )
    match_sigla(library, asked.sources)


def parse_deal_count(text: str) -> int:
    """Parse a number of deals: 1000000, 1_000_000, 1e6, 1M, 2.5M, 300k."""
    number = _parse_whole_number(text)
    if number is None:
        raise click.UsageError(f"--deals: {quote_value(text)} is no whole number; write 1000000, 1_000_000, 1e6 or 1M.")
    if not 1 <= number <= _MAX_DEALS:
        raise click.UsageError(f"--deals: {text} is not in the range from 1 to {_MAX_DEALS:,}.")
    return number


def _parse_whole_number(text: str) -> int | None:
    """Parse a whole number, however it is written; None if it is none."""
    match = re.fullmatch(r"([+-]?[\d_,]*\.?\d+(?:e\d{1,2})?)([kmg]?)", text.strip().casefold())
    if not match or not re.match(r"[+-]?[\d.]", match[1]):
        return None
    number = Decimal(match[1].replace("_", "").replace(",", "")) * _MULTIPLIERS[match[2]]
    return int(number) if number == int(number) else None


def parse_policy_name(name: str) -> str:
    """Return a policy by its name. Raise click.UsageError if there is none."""
    if name.strip().casefold() in ALL_POLICIES:
        return name.strip().casefold()
    raise click.UsageError(f"No policy {quote_value(name)}. {hint_nearest_name(name, ALL_POLICIES)}")


def order_of(library: Library, asked: SurveyOptions) -> SurveyOrder:
    """Build the order of a survey from the options."""
    from lab.survey.request import SurveyOrder

    tables = tables_of(library, match_sigla(library, asked.sources), asked.every)
    return SurveyOrder(asked.seed, parse_policy_name(asked.policy), asked.deals, tables)


def bring_skilled_players(library: Library, order: SurveyOrder) -> SurveyOrder:
    """Return the order with skilled players, where it is one for them; say whose net was made for something else."""
    if order.policy != SKILLED:
        return order
    from lab.players.skilled import get_table_net, order_survey
    from lab.survey import chunk as work

    for table in order.tables:
        ruleset, pool = work.get_deal_pricer(library).bind(table.rules)
        for limit in describe_net_limits(ruleset, pool.stake, get_table_net(table.rules)):
            output.print_remark(f"{table.rules}: {limit}")
    return order_survey(order.seed, order.policy, order.deals, order.tables)


def tables_of(library: Library, sources: Sequence[str], every: bool) -> tuple[SurveyTable, ...]:
    """Build the tables, each with the other rules its deals are also settled by."""
    from lab.survey.request import Rules, SurveyTable

    if every:
        from lab.survey.variants import list_survey_tables

        return list_survey_tables(library, sources)
    return tuple(
        SurveyTable(Rules(own), tuple(Rules(source) for source in library.sources if source != own)) for own in sources
    )


def command_of(library: Library, order: SurveyOrder, *more: str) -> str:
    """Return the command that repeats a survey; jobs and cluster do not matter."""
    named = dict.fromkeys(table.rules.source for table in order.tables)
    sources = [f"--source {siglum}" for siglum in named] if tuple(named) != tuple(library.sources) else []
    every = ["--every"] if any(other.wishes for table in order.tables for other in table.others) else []
    return " ".join(("reversis survey", *more, *every, f"--seed {order.seed}", f"--policy {order.policy}", *sources))


def drop_unsurveyable_rules(library: Library, order: SurveyOrder, named: Sequence[str]) -> SurveyOrder:
    """Return the order without rules that cannot be surveyed; report these first.

    A source that was asked for by its name must be one of those that can.
    """
    from lab.players.skilled import get_table_net
    from lab.survey import chunk as work

    every = dict.fromkeys(rules for table in order.tables for rules in (table.rules, *table.others))
    why = explain_refusals(work.get_deal_pricer(library).rules, every)
    own = [table.rules for table in order.tables]
    unskilled = explain_refusals(get_table_net, own) if order.policy == SKILLED else {}
    unplayed = {these: because for these in own if (because := why.get(these) or unskilled.get(these))}
    for these, because in unplayed.items():
        if named or unplayed.keys() >= {*own}:
            raise click.ClickException(f"No survey can play by {these}: {because}. {_RUN_HINT}")
    for these, because in (why | unplayed).items():
        output.print_remark(f"Left out of the survey: {these}, since {because}. {_RUN_HINT}")
    kept = [table for table in order.tables if table.rules not in unplayed]
    return replace(order, tables=tuple(replace(t, others=tuple(o for o in t.others if o not in why)) for t in kept))


_RUN_HINT = "Deal by deal it can be settled all the same: `reversis run`."


def explain_refusals(find: Callable[[Rules], object], tried: Iterable[Rules]) -> dict[Rules, str]:
    """Return the reasons why nothing is found for some of the rules that are tried."""
    from lab.survey.encode_rules import Unsurveyed

    why: dict[Rules, str] = {}
    for these in tried:
        try:
            find(these)
        except Unsurveyed as refused:
            why[these] = str(refused)
    return why


# ---- carried out
def count_survey_deals(library: Library, order: SurveyOrder, asked: SurveyOptions) -> SurveyRun:
    """Count every deal of an order; save the sums of each if asked for."""
    from lab.players.skilled import list_order_nets
    from lab.survey.table import SurveyRun
    from lab.survey.tally import SurveyTally

    if not (asked.quiet or asked.cluster):
        announce_survey_compiling(order, _COMPILED_COUNT)
    command, nets = command_of(library, order, f"--deals {order.deals}"), list_order_nets(order)
    empty = SurveyRun(order, SurveyTally(), command, __version__, library.rules_digest, nets)
    with (
        output.show_progress("{task.completed:,.0f} deals", order.deals, asked.quiet) as report,
        open_nets_file(asked.per_deal, empty) as keep,
    ):
        return replace(empty, tally=compute_tally(library, order, asked, report, keep))


def announce_survey_compiling(order: SurveyOrder, compiled: str) -> None:
    """Say that the survey is compiled first, unless it is cached from an earlier one."""
    announce_compiling("survey", "a minute", compiled, *([_COMPILED_NET] if order.policy == SKILLED else []))


def compute_tally(
    library: Library, order: SurveyOrder, asked: SurveyOptions, report: ProgressCallback, keep: NetsCallback | None
) -> SurveyTally:
    """Compute the tally, here or on a cluster. Raise click.ClickException if a worker is lost."""
    from concurrent.futures.process import BrokenProcessPool

    from lab.survey.dask import NoCluster
    from lab.survey.encode_rules import Unsurveyed
    from lab.survey.runner import run_survey_order

    try:
        with open_survey_workers(library, order, asked) as hands:
            return run_survey_order(order, hands, report, keep)
    except (NoCluster, Unsurveyed) as fault:  # a worker that cannot be used, or has other nets
        raise click.ClickException(f"{str(fault)[:1].upper()}{str(fault)[1:]}.") from None
    except BrokenProcessPool:
        raise click.ClickException(
            "A process that did part of the work has died; there may be too little memory. Try fewer --jobs."
        ) from None


def open_survey_workers(library: Library, order: SurveyOrder, asked: SurveyOptions) -> AbstractContextManager[Crew]:
    """Open the workers: a cluster, or processes of this machine."""
    from lab.survey.dask import open_cluster
    from lab.survey.runner import count_cores, make_crew

    if asked.cluster:
        return open_cluster(asked.cluster, library)
    return make_crew(library, order, count_cores() if asked.jobs is None else asked.jobs)


@contextmanager
def open_nets_file(path: Path | None, survey: SurveyRun) -> Iterator[NetsCallback | None]:
    """Open a file for the sums of every deal, if one is wanted."""
    if path is None:
        yield None
        return
    from lab.survey.parquet import NetsFile
    from lab.survey.table import dump_survey_heading

    with NetsFile(path, survey.order, dump_survey_heading(survey)) as file:
        yield file.keep


# ---- one deal
def print_survey_deal(asked: SurveyOptions, number: int) -> None:
    """Print the record of one deal of a survey, as each table played it."""
    from reversis.cli.deal import print_deal_records

    if asked.cluster or asked.out or asked.per_deal:
        raise click.UsageError("--deal shows one deal; a cluster and files of counts have no part in it.")
    lib = load_playable_library()
    check_names(lib, asked)
    require_extras("survey")
    order = drop_unsurveyable_rules(lib, order_of(lib, replace(asked, deals=number + 1)), asked.sources)
    order = bring_skilled_players(lib, order)
    announce_survey_compiling(order, _COMPILED_PLAY)
    print_deal_records(build_deal_records(lib, order, number), asked.form, False)


def build_deal_records(library: Library, order: SurveyOrder, number: int) -> Iterator[Mapping[str, object]]:
    """Yield a deal as each table played it, with the command that makes it again."""
    from engine.deal.writer import write_deal
    from lab.survey import chunk as work

    for table in order.tables:
        again = command_of(library, replace(order, tables=(table,)), f"--deal {number}")
        name = f"survey-{order.seed}-{number}-{table.rules.source.casefold()}"
        title = f"Deal {number} of a survey, played by {table.rules}, {order.policy}"
        deal = work.deal_of(order, library, table, number)
        yield write_deal(replace(deal, id=name, title=title, provenance="generated", note=f"Generated: {again}"))
