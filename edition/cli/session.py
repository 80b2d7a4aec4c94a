"""Playing several deals in a row: as an account book, or as data."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich import box
from rich.table import Table
from rich.text import Text

from edition.analysis.account_book import Line, lines, remarks
from edition.analysis.ledgers import signed
from edition.cli import output
from edition.cli.arguments import checked, library, nearest, records, rules, say_unused, sigla, wish
from edition.cli.options import FORMAT, IGNORE_UNKNOWN, PLAYED_BY
from edition.data.deals import paths
from edition.data.sessions import SittingRecord, is_session, missed, read_session, read_session_file, session_paths
from edition.text.answers import sums_in
from engine.deal.model import Deal
from engine.session.record import Sitting
from engine.session.result_json import session_result, standing
from engine.session.session import NotCounted, Session, Step, begin, steps
from rulebook.model import Library, Ruleset


@click.command("session")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@PLAYED_BY
@click.option(
    "--with",
    "wishes",
    multiple=True,
    metavar="WISH",
    help="Play another rule, as with `run`: also one on which a source is silent, such as Q112=shared.",
)
@click.option(
    "-t",
    "--turn",
    is_flag=True,
    help="Turn each deal so that he deals whose turn it is, and leave its own pool out. So worked deals can be played "
    "in a row.",
)
@FORMAT
@IGNORE_UNKNOWN
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each source, how all stand in the end.")
def session_command(
    files: tuple[str, ...],
    sources: tuple[str, ...],
    wishes: tuple[str, ...],
    turn: bool,
    form: str,
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Play several deals in a row: accounts and pool are carried on.

    FILE is a deal record, the id of a worked deal, - for JSON lines on standard input, or one worked session of the
    edition (its file or its id). The first deal tells who sits where and who deals.

    Before the first deal everybody puts in, between the deals the stake is renewed and the dealer adds to it, as each
    source has it. A record may leave out the pool; one that has another dealer, or another pool, than the session is
    told and not counted, and so is a deal that the source refuses or cannot settle.

    Exit code 1 if a record is faulty, if a worked session does not come to what it expects, or if a deal is not
    counted under a source that you named.
    """
    sys.exit(session(files, sources, wishes, turn, form, quiet, ignore_unknown))


@dataclass(frozen=True)
class Order:
    """What was asked for: the deals in their order, at which table, and how they are to be told."""

    library: Library
    id: str
    deals: tuple[Deal, ...]
    seats: tuple[str, ...]
    dealer: int
    turn: bool
    quiet: bool
    sitting: Sitting | None = None


def session(
    files: Sequence[str],
    sources: Sequence[str],
    wishes: Sequence[str],
    turn: bool,
    form: str,
    quiet: bool,
    ignore_unknown: bool,
) -> int:
    """Play the deals in a row by every source asked for; 0, or 1 where there were problems."""
    lib = library()
    choices = [wish(lib, text) for text in wishes]
    rulesets = [rules(lib, siglum, choices) for siglum in sigla(lib, sources)]
    order, code = ordered(lib, files, turn, quiet, ignore_unknown)
    if order is None:
        return 1
    for ruleset in rulesets:
        first = begin(ruleset, order.seats, order.dealer)
        found = tuple(steps(first, order.deals, order.turn))
        FORMS[form](order, ruleset, found)
        code |= not met(order, ruleset, found)
        code |= bool(sources) and any(isinstance(one, NotCounted) for one in found)
    return int(code)


# ---- which deals
def ordered(
    lib: Library, files: Sequence[str], turn: bool, quiet: bool, ignore_unknown: bool
) -> tuple[Order | None, bool]:
    """The deals asked for, in their order; and whether a record was faulty."""
    sat = worked_session(lib, files, ignore_unknown)
    if sat is not None:
        output.tell(sat.problems, stderr=True)
        sitting = sat.sitting
        if sitting is None:
            return None, True
        if ignore_unknown:
            say_unused(lib, sat.file, {"expect": sitting.expect})
        return Order(lib, sitting.id, sat.deals, sitting.seats, sitting.dealer, True, quiet, sitting), False
    known(lib, files)
    found = list(records(lib, files, ignore_unknown))
    for record in found:
        output.tell(record.problems, stderr=True)
    deals = tuple(record.deal for record in found if record.deal is not None)
    if not deals:
        output.say("No deal to play.")
        return None, True
    return Order(lib, called(deals), deals, deals[0].seats, deals[0].dealer, turn, quiet), len(deals) < len(found)


def called(deals: Sequence[Deal]) -> str:
    """A name for a session that has none: always the same for the same deals in the same order."""
    ids = "\n".join(deal.id for deal in deals)
    return f"session-{hashlib.sha256(ids.encode()).hexdigest()[:8]}"


def worked_session(lib: Library, files: Sequence[str], ignore_unknown: bool) -> SittingRecord | None:
    """The worked session that was asked for; None where these are deals."""
    named = [name for name in files if name in session_paths(lib) or is_session(Path(name))]
    if not named:
        return None
    if len(files) > 1:
        raise click.UsageError(f"{named[0]} is a whole session. Give one session, or several deals.")
    path = Path(named[0])
    if path.is_file():
        return read_session_file(lib, path, ignore_unknown=ignore_unknown)
    return read_session(lib, named[0], ignore_unknown)


def known(lib: Library, files: Sequence[str]) -> None:
    """Every name must be there before the first card; a session may have been meant as well as a deal."""
    for name in files:
        sessions = session_paths(lib)
        if name != "-" and not Path(name).exists() and name not in paths(lib):
            hint = nearest(Path(name).stem, [*sessions, *paths(lib)])
            raise click.UsageError(f"No file, no worked session and no worked deal {name!r}. {hint}".rstrip())
    checked(lib, files)


def met(order: Order, ruleset: Ruleset, found: tuple[Step | NotCounted, ...]) -> bool:
    """Whether a worked session comes to what it expects; what does not is told."""
    if order.sitting is None or ruleset.name not in order.sitting.expect:
        return True
    wrong = missed(order.sitting, ruleset.name, found)
    for figure in wrong:
        output.say(f"{order.id}, {ruleset.name}: {figure.what} is {figure.found}, the record expects {figure.expected}")
    return not wrong


# ---- data
def as_json(order: Order, ruleset: Ruleset, found: tuple[Step | NotCounted, ...]) -> None:
    """One line for each source."""
    output.data(session_result(order.id, ruleset, found, order.library.digest))


# ---- text
def as_text(order: Order, ruleset: Ruleset, found: tuple[Step | NotCounted, ...]) -> None:
    """An account book: every movement with what it rests on, and how all stand after each deal."""
    screen = output.console()
    last = next(one.after for one in reversed(found) if isinstance(one, Step))
    if order.quiet:
        screen.print(Text(f"{order.id}  {ruleset.name}  {in_short(last)}"), soft_wrap=True)
        return
    title = order.library.sources[ruleset.source].title
    head = (f"  {title}: {order.id}, {output.plural(last.deals, 'deal')}, {sums_in(ruleset.unit)}", "")
    screen.print(Text.assemble((ruleset.name, "bold"), head), soft_wrap=True)
    screen.print(book(last, found))
    for words in remarks(order.library, found):
        screen.print(Text(words), soft_wrap=True)
    screen.print(Text(f"in the end: {in_short(last)}"), soft_wrap=True)
    screen.print()


def in_short(session: Session) -> str:
    """How everybody stands."""
    all_ = ", ".join(f"{who} {signed(n)}" for who, n in list(standing(session).items())[:-1])
    return f"{output.plural(session.deals, 'deal')}; {all_}; on the table {session.laid}; all told {session.balance}"


def book(session: Session, found: Sequence[Step | NotCounted]) -> Table:
    """The account book."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", ratio=5)
    for who in (*session.seats, "table"):
        table.add_column(who, justify="right", no_wrap=True)
    table.add_column("rests on", ratio=4)
    for one in found:
        for line in lines(one):
            table.add_row(*map(Text, row(line)))
    return table


def row(line: Line) -> list[str]:
    """A line of the account book, cell by cell."""
    name = f": {line.deal}" if line.kind == "deal" else ""
    words = f"{line.deal}: {line.words}" if line.kind == "not-counted" else f"{line.words}{name}"
    indent = "   " if line.kind in ("between", "standing") else ""
    rests = [f"{id} (supplied)" if supplied else id for id, supplied in line.clauses]
    return [indent + words, *line.sums, line.table, " ".join([*rests, line.beside])]


FORMS: Mapping[str, Callable[[Order, Ruleset, tuple[Step | NotCounted, ...]], None]] = {
    "text": as_text,
    "json": as_json,
}
