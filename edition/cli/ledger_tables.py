"""Tables of a settled deal for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, Group
from rich.table import Column, Table
from rich.text import Text

from edition.analysis.deal_views import DealView
from edition.analysis.ledgers import EntryView, LedgerView, RefusalView, format_signed_sum
from edition.cli.output import make_table, print_lines
from edition.text.answers import describe_sum_unit


def print_deal_view(screen: Console, view: DealView, quiet: bool) -> None:
    """Print a deal with the ledgers of all its sources; quietly, a line for each."""
    if quiet:
        print_lines(screen, (f"{view.id}  {ledger.ruleset}  {ledger.said}" for ledger in view.ledgers))
        return
    screen.print(Text.assemble((view.id, "bold"), f"  {view.title}"), soft_wrap=True)
    if view.tricks:
        screen.print(build_trick_table(view))
    facts = f"{view.provenance}; {view.pack} cards; {view.dealer} deals; talon {view.talon or 'none'}"
    print_lines(screen, [facts, *(f"{heading}: {words}" for heading, words in view.table)])
    for ledger in view.ledgers:
        screen.print()
        _print_ledger_view(screen, ledger)
    screen.print()


def build_trick_table(view: DealView) -> Table:
    """Build the table of tricks; an arrow marks the leader's card, a star the taker's."""
    table = make_table("trick", *view.seats)
    table.caption, table.caption_justify = "> leads   * takes", "left"
    for trick in view.tricks:
        cells = [f"{trick.of(s)}{' >' * (s == trick.leader)}{' *' * (s == trick.taker)}" for s in view.seats]
        table.add_row(*map(Text, (str(trick.number), *cells)))
    return table


# ---- one source
def _print_ledger_view(screen: Console, ledger: LedgerView) -> None:
    hybrid = " (not the rules of one source)" if ledger.hybrid else ""
    screen.print(
        Text.assemble((ledger.ruleset, "bold"), f"  {ledger.title}{hybrid}, {describe_sum_unit(ledger.unit)}"),
        soft_wrap=True,
    )
    if ledger.state == "settled":
        screen.print(build_entry_table(ledger))
        screen.print(build_net_table(ledger))
        outcome = [f"outcome: {'; '.join(ledger.outcome)}"] if ledger.outcome else []
        print_lines(screen, [f"pool: {ledger.pool_before} before, {ledger.pool_after} after", *outcome])
    elif ledger.state == "refused":
        screen.print(_build_refusal_table(ledger))
    elif ledger.silence:
        view = ledger.silence
        print_lines(screen, [view.message, *([f"{view.question}: {view.asks}"] if view.asks else [])])
    print_lines(screen, _format_ledger_remarks(ledger))


def build_entry_table(ledger: LedgerView) -> Table:
    """Build the ledger table: events, payers, and the clauses that say so."""
    table = make_table(Column("what happened, who pays whom", ratio=9), Column("which clauses say so", ratio=10))
    for at, entry in enumerate(ledger.entries):
        if at:
            table.add_row()
        table.add_row(
            Group(Text(entry.sentence), *_format_payments(entry)),
            _list_clauses(ledger, entry.clauses, _format_entry_notes(entry)),
        )
    return table


def _format_payments(entry: EntryView) -> Iterator[Text]:
    """Yield the postings of an entry: payer, payee, amount."""
    if not entry.postings:
        yield Text("  nobody pays", style="dim")
    for posting in entry.postings:
        yield Text.assemble(f"  {posting.payer} to {posting.payee}: ", (str(posting.amount), "bold"))


def _format_entry_notes(entry: EntryView) -> Iterator[str]:
    yield from (f"rests on the emendation {name}" for name in entry.emendations)
    yield from (f"chosen: {name}" for name in entry.chosen)


def _list_clauses(ledger: LedgerView, ids: Sequence[str], notes: Iterable[str] = ()) -> Group:
    """List clauses with their first words, a line each; an id is never cut."""
    rows = [Text.assemble((id, "bold"), " ", ledger.clause(id).marked, no_wrap=True, overflow="ellipsis") for id in ids]
    return Group(*rows, *map(Text, notes))


def build_net_table(ledger: LedgerView) -> Table:
    """Build the table of what each account has won or lost."""
    table = make_table("net", right=(who for who, _ in ledger.net))
    table.add_row("", *(Text(format_signed_sum(amount)) for _, amount in ledger.net))
    return table


def _build_refusal_table(ledger: LedgerView) -> Table:
    table = make_table(
        Column("refused", ratio=6), "trick", "card", Column("legal", ratio=3), Column("which clauses say so", ratio=8)
    )
    for at, refusal in enumerate(ledger.refusals):
        if at:
            table.add_row()
        table.add_row(*_format_refusal_row(refusal), _list_clauses(ledger, refusal.clauses))
    return table


def _format_refusal_row(refusal: RefusalView) -> list[Text]:
    trick = "" if refusal.trick is None else str(refusal.trick)
    return [Text(cell) for cell in (refusal.message, trick, refusal.card, " ".join(refusal.legal))]


def _format_ledger_remarks(ledger: LedgerView) -> Iterator[str]:
    yield from (f"passed over: {words}" for words in ledger.passed_over)
    yield from (f"left out: {words}" for words in ledger.left_out)
    yield from (f"open, the record being a fragment: {words}" for words in ledger.open)
    if ledger.expectation is None:
        return
    if ledger.expectation.met:
        yield f"as the record expects: {len(ledger.expectation.figures)} figures agree"
    for figure in ledger.expectation.missed:
        yield f"NOT as the record expects: {figure.what} is {figure.found}, expected {figure.expected}"
