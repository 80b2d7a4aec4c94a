"""Playing several deals in a row: as an account book, or as data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich import box
from rich.table import Table
from rich.text import Text

from edition.commands import output
from edition.commands.wishes import checked, library, nearest, records, rules, sigla, wish
from edition.ledgers import signed
from edition.sittings import SittingRecord, is_session, missed, read_session, read_session_file, session_paths
from edition.worked import paths
from engine.deals import Deal
from engine.ledger import Entry
from engine.session import NotCounted, Session, Step, begin, steps
from engine.session_results import session_result, standing
from engine.settle import Refused
from engine.sittings import Sitting
from rulebook.model import Library, Ruleset

#: What passes between deals, as it stands in the account book.
SAID: Mapping[str, str] = {
    "first-stake": "the first stake is put in",
    "dealer-adds": "the dealer adds his part",
    "stake-renewed": "the stake is renewed by all",
    "waiting-put-up": "what waited is put up",
    "contribution-counts": "the last dealer's part joins the stake",
    "matched-sum-noted": "noted, to be paid in its turn",
    "shared-out": "what is left is shared out",
}


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
    files: Sequence[str], sources: Sequence[str], wishes: Sequence[str], turn: bool, form: str, quiet: bool
) -> int:
    """Play the deals in a row by every source asked for; 0, or 1 where there were problems."""
    lib = library()
    choices = [wish(lib, text) for text in wishes]
    rulesets = [rules(lib, siglum, choices) for siglum in sigla(lib, sources)]
    order, code = ordered(lib, files, turn, quiet)
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
def ordered(lib: Library, files: Sequence[str], turn: bool, quiet: bool) -> tuple[Order | None, bool]:
    """The deals asked for, in their order; and whether a record was faulty."""
    sat = worked_session(lib, files)
    if sat is not None:
        output.tell(sat.problems, stderr=True)
        sitting = sat.sitting
        if sitting is None:
            return None, True
        return Order(lib, sitting.id, sat.deals, sitting.seats, sitting.dealer, True, quiet, sitting), False
    known(lib, files)
    found = list(records(lib, files))
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


def worked_session(lib: Library, files: Sequence[str]) -> SittingRecord | None:
    """The worked session that was asked for; None where these are deals."""
    named = [name for name in files if name in session_paths(lib) or is_session(Path(name))]
    if not named:
        return None
    if len(files) > 1:
        raise click.UsageError(f"{named[0]} is a whole session. Give one session, or several deals.")
    path = Path(named[0])
    return read_session_file(lib, path) if path.is_file() else read_session(lib, named[0])


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
    head = (f"  {title}: {order.id}, {output.plural(last.deals, 'deal')}, sums in {ruleset.unit}", "")
    screen.print(Text.assemble((ruleset.name, "bold"), head), soft_wrap=True)
    screen.print(book(last, found))
    for words in remarks(found):
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
        for row in rows(one):
            table.add_row(*map(Text, row))
    return table


def rows(one: Step | NotCounted) -> Iterator[list[str]]:
    """The lines of one step: what passes, and after a deal how all stand."""
    if isinstance(one, NotCounted):
        empty = [""] * (len(one.session.seats) + 2)
        yield [f"{one.deal.id}: not counted", *empty]
        return
    after = one.after
    if one.settled is not None:
        deal, before = one.settled.deal, one.settled.before
        net = [signed(one.settled.net[account]) for account in (*range(len(after.seats)), "pool")]
        waiting = f", {' and '.join(map(str, before.waiting))} waiting" if before.waiting else ""
        words = f"{after.deals}. {deal.seats[deal.dealer]} deals, for {before.stake}{waiting}: {deal.id}"
        yield [words, *net, ""]
    for entry in one.entries:
        yield [f"   {SAID[entry.name]}", *moved(one, entry), clauses(one, entry)]
    if one.settled is not None or (one.kind == "finish" and one.entries):
        yield ["   so stand", *(signed(n) for n in after.accounts), str(after.laid), lying(after)]


def moved(step: Step, entry: Entry) -> list[str]:
    """What an entry moves, account by account; a sum that only changes its place on the table stands in brackets."""
    sums = dict.fromkeys([*range(len(step.after.seats)), "pool"], 0)
    for p in entry.postings:
        sums[p.payer] -= p.money.plain
        sums[p.payee] += p.money.plain
    within = sum(p.money.plain for p in entry.postings if p.payer == p.payee)
    *seats, pool = (signed(n) if n else "" for n in sums.values())
    return [*seats, pool or (f"({within})" if within else "")]


def clauses(step: Step, entry: Entry) -> str:
    """The clauses an entry rests on; what is supplied, or chosen by the reader, is marked."""
    found: dict[str, None] = {}
    for ruling in step.rulings(entry):
        names = ruling.clauses or (f"{ruling.id} as chosen",)
        found |= dict.fromkeys(f"{name} (supplied)" if ruling.supplied else name for name in names)
    return " ".join(found)


def lying(session: Session) -> str:
    """What lies on the table besides the stake."""
    waiting = zip(session.pool.waiting, session.owed, strict=True)
    told = [str(n) if who is None else f"{n} owed by {session.seats[who]}" for n, who in waiting]
    return f"waiting: {', '.join(told)}" if told else ""


def remarks(found: Sequence[Step | NotCounted]) -> Iterator[str]:
    """Why deals are not counted, and where the rules are silent, each silence once."""
    for one in found:
        if isinstance(one, NotCounted):
            yield from (f"not counted: {words}" for words in why(one))
    for words, when in silences(found).items():
        yield f"{', '.join(when)}: {words} So nothing is put up or shared out."


def why(one: NotCounted) -> Iterator[str]:
    """Why a deal is not counted."""
    yield from (f"{problem.what}; {problem.way_out}" for problem in one.problems)
    if isinstance(one.found, Refused):
        yield from (f"{one.deal.id}: {refusal.message}" for refusal in one.found.refusals)
    elif one.found is not None:
        yield f"{one.deal.id}: {one.found.silent}"


def silences(found: Sequence[Step | NotCounted]) -> dict[str, list[str]]:
    """What the rules do not tell, and when it was wanting."""
    told: dict[str, list[str]] = {}
    for one in found:
        if isinstance(one, NotCounted):
            continue
        for silent in one.silent:
            when = WHEN.get(one.kind, f"after deal {one.after.deals}")
            told.setdefault(f"{str(silent).rstrip('.')}.", []).append(when)
    return told


WHEN: Mapping[str, str] = {"begin": "at the beginning", "finish": "at the parting"}
FORMS: Mapping[str, Callable[[Order, Ruleset, tuple[Step | NotCounted, ...]], None]] = {
    "text": as_text,
    "json": as_json,
}
