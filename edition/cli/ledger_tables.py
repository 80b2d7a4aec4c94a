"""A settled deal in tables on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from edition.analysis.deal_views import DealView
from edition.analysis.ledgers import EntryView, LedgerView, RefusalView, SilenceView, signed
from edition.text.answers import sums_in


def show(screen: Console, view: DealView, quiet: bool) -> None:
    """A deal with the ledgers of all its sources; quietly, a line for each."""
    if quiet:
        for ledger in view.ledgers:
            screen.print(Text(f"{view.id}  {ledger.ruleset}  {ledger.said}"), soft_wrap=True)
        return
    screen.print(Text.assemble((view.id, "bold"), f"  {view.title}"), soft_wrap=True)
    if view.tricks:
        screen.print(tricks(view))
    for words in lines(view):
        screen.print(Text(words), soft_wrap=True)
    for ledger in view.ledgers:
        screen.print()
        show_ledger(screen, ledger)
    screen.print()


def lines(view: DealView) -> Iterator[str]:
    """What is to be known besides the tricks."""
    yield f"{view.provenance}; {view.pack} cards; {view.dealer} deals; talon {view.talon or 'none'}"
    yield from (f"{heading}: {words}" for heading, words in view.table)


def tricks(view: DealView) -> Table:
    """The tricks, a row each; the leader's card with an arrow, the taker's with a star."""
    table = Table(box=box.SIMPLE_HEAD, caption="> leads   * takes", caption_justify="left", pad_edge=False)
    for head in ("trick", *view.seats):
        table.add_column(head)
    for trick in view.tricks:
        cells = [f"{trick.of(s)}{' >' * (s == trick.leader)}{' *' * (s == trick.taker)}" for s in view.seats]
        table.add_row(*map(Text, (str(trick.number), *cells)))
    return table


# ---- one source
def show_ledger(screen: Console, ledger: LedgerView) -> None:
    """What one source makes of the deal."""
    hybrid = " (not the rules of one source)" if ledger.hybrid else ""
    screen.print(
        Text.assemble((ledger.ruleset, "bold"), f"  {ledger.title}{hybrid}, {sums_in(ledger.unit)}"), soft_wrap=True
    )
    if ledger.state == "settled":
        show_settled(screen, ledger)
    elif ledger.state == "refused":
        screen.print(refusals(ledger))
    elif ledger.silence:
        screen.print(Text(silence(ledger.silence)), soft_wrap=True)
    for words in remarks(ledger):
        screen.print(Text(words), soft_wrap=True)


def show_settled(screen: Console, ledger: LedgerView) -> None:
    """The ledger, the balances, the pool."""
    screen.print(entries(ledger))
    screen.print(net(ledger))
    screen.print(Text(f"pool: {ledger.pool_before} before, {ledger.pool_after} after"), soft_wrap=True)
    if ledger.outcome:
        screen.print(Text(f"outcome: {'; '.join(ledger.outcome)}"), soft_wrap=True)


def entries(ledger: LedgerView) -> Table:
    """Entry by entry: what happened, who pays, and the clauses that say so."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_lines=False)
    table.add_column("what happened, who pays whom", ratio=9)
    table.add_column("which clauses say so", ratio=10)
    for at, entry in enumerate(ledger.entries):
        if at:
            table.add_row()
        table.add_row(Group(Text(entry.sentence), *payments(entry)), clauses(ledger, entry.clauses, notes(entry)))
    return table


def payments(entry: EntryView) -> Iterator[Text]:
    """Who pays whom how much."""
    if not entry.postings:
        yield Text("  nobody pays", style="dim")
    for posting in entry.postings:
        yield Text.assemble(f"  {posting.payer} to {posting.payee}: ", (str(posting.amount), "bold"))


def notes(entry: EntryView) -> Iterator[str]:
    """What an entry rests on besides clauses: misprints mended, and what the reader has chosen."""
    yield from (f"rests on the emendation {name}" for name in entry.emendations)
    yield from (f"chosen: {name}" for name in entry.chosen)


def clauses(ledger: LedgerView, ids: Sequence[str], notes: Iterable[str] = ()) -> Group:
    """Clauses with their first words, a line each; an id is never cut."""
    rows = [Text.assemble((id, "bold"), " ", ledger.clause(id).marked, no_wrap=True, overflow="ellipsis") for id in ids]
    return Group(*rows, *map(Text, notes))


def net(ledger: LedgerView) -> Table:
    """What each has won or lost."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("net")
    for who, _ in ledger.net:
        table.add_column(who, justify="right")
    table.add_row("", *(Text(signed(amount)) for _, amount in ledger.net))
    return table


def refusals(ledger: LedgerView) -> Table:
    """What the source does not allow, and the clauses that forbid it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head, ratio in (("refused", 6), ("trick", None), ("card", None), ("legal", 3), ("which clauses say so", 8)):
        table.add_column(head, ratio=ratio)
    for at, refusal in enumerate(ledger.refusals):
        if at:
            table.add_row()
        table.add_row(*refusal_row(refusal), clauses(ledger, refusal.clauses))
    return table


def refusal_row(refusal: RefusalView) -> list[Text]:
    """One refusal: what is wrong, the trick, the card, what might have been played."""
    trick = "" if refusal.trick is None else str(refusal.trick)
    return [Text(cell) for cell in (refusal.message, trick, refusal.card, " ".join(refusal.legal))]


def silence(view: SilenceView) -> str:
    """On what the rules are silent, and what would have to be known."""
    return "\n".join((view.message, *((f"{view.question}: {view.asks}",) if view.asks else ())))


def remarks(ledger: LedgerView) -> Iterator[str]:
    """What is passed over, what stays open, and whether the record had expected it so."""
    yield from (f"passed over: {words}" for words in ledger.passed_over)
    yield from (f"left out: {words}" for words in ledger.left_out)
    yield from (f"open, the record being a fragment: {words}" for words in ledger.open)
    if ledger.expectation is None:
        return
    if ledger.expectation.met:
        yield f"as the record expects: {len(ledger.expectation.figures)} figures agree"
    for figure in ledger.expectation.missed:
        yield f"NOT as the record expects: {figure.what} is {figure.found}, expected {figure.expected}"
