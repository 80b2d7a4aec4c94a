"""Play several deals in a row: as an account book, or as data."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.table import Column, Table
from rich.text import Text

from edition.cli import output
from edition.cli.arguments import hint_nearest_name, parse_wish_option, resolve_cli_rules
from edition.cli.options import FORMAT_OPTION, IGNORE_UNKNOWN_OPTION, PLAYED_BY_OPTION, make_wish_option
from engine.deal.model import Deal
from engine.session.record import Sitting
from engine.session.result_json import list_balances, session_result
from engine.session.session import NotCounted, Session, Step, begin, steps
from reversis.cli.deal_arguments import (
    AS_PLAYED_OPTION,
    TOLERATE_OPTION,
    complete_session,
    find_deal_id,
    load_playable_library,
    match_sigla,
    print_unmet_figures,
    read_cli_records,
    require_record_names,
    say_unused,
)
from reversis.files.deals import find_deal_paths, find_session_paths
from reversis.files.sessions import (
    SittingRecord,
    find_unmet_figures,
    is_session,
    is_session_pending,
    read_session,
    read_session_file,
)
from reversis.words.account_book import (
    ABOUT_DEALS,
    generate_account_lines,
    generate_session_remarks,
)
from rulebook.model import Library, Ruleset
from rulebook.phrases import describe_sum_unit, format_count, format_signed_sum
from rulebook.strings import quote_value


@click.command("session")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_session)
@PLAYED_BY_OPTION
@make_wish_option("Play another rule, as with `run`: also one on which a source is silent, such as Q112=shared.")
@click.option(
    "-t",
    "--turn",
    is_flag=True,
    help="Turn each deal so that the right player deals, and ignore its own pool. This lets worked deals be played in "
    "a row.",
)
@AS_PLAYED_OPTION
@TOLERATE_OPTION
@FORMAT_OPTION
@IGNORE_UNKNOWN_OPTION
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each source, with the final balances.")
def session_command(
    files: tuple[str, ...],
    sources: tuple[str, ...],
    wishes: tuple[str, ...],
    turn: bool,
    as_played: bool,
    tolerate: tuple[str, ...],
    form: str,
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Play several deals in a row: accounts and pool are carried on.

    FILE is a deal record, the id of a worked deal, - for deals on standard input (YAML, JSON or JSON lines), a game
    that `reversis play` has saved, or one worked session of the edition (its file or its id). The first deal says who
    sits where and who deals.

    Contributions before the first deal and renewals between deals follow each source. A record may leave out the pool.
    A deal whose dealer or pool does not fit the session is reported and not counted, and so is one that the source
    refuses or cannot settle. With --as-played and --tolerate other sources settle a game that was played by one.

    Exit code 1 if a record is faulty, if a worked session does not come to what it expects, if a deal is not counted
    under a source that you named, or if none is counted by any.
    """
    if turn and as_played:
        raise click.UsageError("Either --turn or --as-played.")
    lib = load_playable_library()
    choices = [parse_wish_option(lib, text) for text in wishes]
    rulesets = [resolve_cli_rules(lib, siglum, choices) for siglum in match_sigla(lib, sources)]
    order, code = read_session_deals(lib, files, turn, quiet, ignore_unknown)
    if order is None:
        sys.exit(1)
    unpaid = order.sitting.unpaid if order.sitting else ()
    begun = [(ruleset, begin(ruleset, order.seats, order.dealer, unpaid)) for ruleset in rulesets]
    how = (order.turn and not as_played, as_played, tolerate)
    played = [(ruleset, tuple(steps(first, order.deals, *how))) for ruleset, first in begun]
    if not any(has_counted(all_steps) for _, all_steps in played):
        code = True
        if form == "text":
            output.print_line(_say_nothing_counted(order, rulesets))
    for ruleset, all_steps in played:
        if form == "json":
            output.print_json(session_result(order.id, ruleset, all_steps, lib.digest))
        else:
            print_account_book(order, ruleset, all_steps)
        # as it was played by another source nothing comes to what the record expects
        code |= not (as_played or check_session_result(order, ruleset, all_steps))
        code |= bool(sources) and any(isinstance(step, NotCounted) for step in all_steps)
    sys.exit(int(code))


@dataclass(frozen=True)
class SessionOptions:
    """Options of one session: the deals in order, the table, and how to report."""

    library: Library
    id: str
    deals: tuple[Deal, ...]
    seats: tuple[str, ...]
    dealer: int
    turn: bool
    quiet: bool
    piped: bool = False
    sitting: Sitting | None = None


# ---- which deals
def read_session_deals(
    lib: Library, files: Sequence[str], turn: bool, quiet: bool, ignore_unknown: bool
) -> tuple[SessionOptions | None, bool]:
    """Read the deals asked for, in order; and report whether a record was faulty."""
    sat = find_worked_session(lib, files, ignore_unknown)
    if sat is not None:
        output.print_problems(sat.problems, stderr=True)
        sitting = sat.sitting
        if sitting is None:
            return None, True
        if ignore_unknown:
            say_unused(lib, sat.file, {"expect": sitting.expect})
        return SessionOptions(
            lib, sitting.id, sat.deals, sitting.seats, sitting.dealer, True, quiet, sitting=sitting
        ), False
    check_session_files(lib, files)
    cli_records = list(read_cli_records(lib, files, ignore_unknown, in_a_row=True))
    for record in cli_records:
        output.print_problems(record.problems, stderr=True)
    deals = tuple(record.deal for record in cli_records if record.deal is not None)
    if not deals:
        output.print_remark("No deal to play.")
        return None, True
    order = SessionOptions(lib, name_session(deals), deals, deals[0].seats, deals[0].dealer, turn, quiet, "-" in files)
    return order, len(deals) < len(cli_records)


def name_session(deals: Sequence[Deal]) -> str:
    """Return a name for an unnamed session, the same for the same row of deals."""
    ids = "\n".join(deal.id for deal in deals)
    return f"session-{hashlib.sha256(ids.encode()).hexdigest()[:8]}"


def find_worked_session(lib: Library, files: Sequence[str], ignore_unknown: bool) -> SittingRecord | None:
    """Return the worked session that was asked for; None where these are deals."""
    named = [name for name in files if name in find_session_paths(lib) or is_session(Path(name))]
    if not named:
        return None
    if len(files) > 1:
        raise click.UsageError(f"{named[0]} is a whole session. Give one session, or several deals.")
    path = Path(named[0])
    if path.is_file():
        return read_session_file(lib, path, ignore_unknown=ignore_unknown)
    return read_session(lib, named[0], ignore_unknown)


def check_session_files(lib: Library, files: Sequence[str]) -> None:
    """Raise click.UsageError unless every name is a file, worked session or deal."""
    for name in files:
        sessions = find_session_paths(lib)
        if name != "-" and not Path(name).exists() and find_deal_id(lib, name) is None:
            hint = hint_nearest_name(Path(name).stem, [*sessions, *find_deal_paths(lib)])
            raise click.UsageError(
                f"No file, no worked session and no worked deal {quote_value(name)}. {hint}".rstrip()
            )
    require_record_names(lib, files)


def check_session_result(order: SessionOptions, ruleset: Ruleset, all_steps: tuple[Step | NotCounted, ...]) -> bool:
    """Check a worked session against its expectations; print those not met, unless they are pending."""
    if order.sitting is None or ruleset.name not in order.sitting.expect:
        return True
    if is_session_pending(order.sitting, ruleset.name):
        return True
    wrong = find_unmet_figures(order.sitting, ruleset.name, all_steps)
    print_unmet_figures(order.id, ruleset.name, wrong)
    return not wrong


# ---- text
def print_account_book(order: SessionOptions, ruleset: Ruleset, all_steps: tuple[Step | NotCounted, ...]) -> None:
    """Print every movement with what it rests on, and the balances after each deal."""
    screen = output.make_console()
    last = next(step.after for step in reversed(all_steps) if isinstance(step, Step))
    if order.quiet:
        output.print_lines(screen, [f"{order.id}  {ruleset.name}  {describe_balances(last)}"])
        return
    title, deals = order.library.sources[ruleset.source].title, format_count(last.deals, "deal")
    head = f"  {title}: {order.id}, {deals}, {describe_sum_unit(ruleset.unit)}"
    screen.print(Text.assemble((ruleset.name, "bold"), head), soft_wrap=True)
    remarks = generate_session_remarks(order.library, all_steps, order.piped)
    if not has_counted(all_steps):
        output.print_lines(screen, [*(remark for remark in remarks if remark.startswith(ABOUT_DEALS)), ""])
        return
    screen.print(_build_account_table(last, all_steps))
    output.print_lines(screen, [*remarks, f"in the end: {describe_balances(last)}", ""])


def has_counted(all_steps: Sequence[Step | NotCounted]) -> bool:
    """Return whether any deal of a session is counted."""
    return any(isinstance(step, Step) and step.settled is not None for step in all_steps)


def _say_nothing_counted(order: SessionOptions, rulesets: Sequence[Ruleset]) -> str:
    deals = "the deal is not counted" if len(order.deals) == 1 else f"none of the {len(order.deals)} deals is counted"
    by = rulesets[0].name if len(rulesets) == 1 else "any source"
    return f"Nothing is played: {deals} by {by}{'.' if order.quiet else '; the reasons follow.'}"


def describe_balances(session: Session) -> str:
    """Describe how all stand, in one line."""
    all_ = ", ".join(f"{who} {format_signed_sum(n)}" for who, n in list(list_balances(session).items())[:-1])
    deals = format_count(session.deals, "deal")
    return f"{deals}; {all_}; on the table {session.laid}; in all {session.balance}"


def _build_account_table(session: Session, all_steps: Sequence[Step | NotCounted]) -> Table:
    sums = (Column(who, justify="right", no_wrap=True) for who in (*session.seats, "table"))
    table = output.make_table(Column("", ratio=5), *sums, Column("rests on", ratio=4))
    for step in all_steps:
        for line in generate_account_lines(step):
            name = f": {line.deal}" if line.kind == "deal" else ""
            words = f"{line.deal}: {line.words}" if line.kind == "not-counted" else f"{line.words}{name}"
            indent = "   " if line.kind in ("between", "standing") else ""
            rests = [f"{id} (supplied)" if supplied else id for id, supplied in line.clauses]
            table.add_row(*map(Text, [indent + words, *line.sums, line.table, " ".join([*rests, line.beside])]))
    return table
