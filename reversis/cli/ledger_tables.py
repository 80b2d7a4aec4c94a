"""Tables of a settled deal for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from edition.cli.output import make_table, print_lines
from reversis.cli.reckonings import Reckonings
from reversis.words import ledgers
from reversis.words.deal_views import DealView
from reversis.words.joint_ledger import build_joint_ledger
from rulebook.joint_ledger import JointCell, JointEvent, list_joint_balances
from rulebook.phrases import describe_sum_unit, format_count, format_signed_sum, pluralize_counter


def print_deal_view(screen: Console, view: DealView, quiet: bool, joint: bool, sums: Sequence[Reckonings] = ()) -> None:
    """Print a deal: the balances of all sources first, then one joint ledger, or a ledger each.

    Quietly, a line for each source. `sums`: how those of each ledger come about.
    """
    if quiet:
        print_lines(screen, (f"{view.id}  {ledger.ruleset}  {ledger.said}" for ledger in view.ledgers))
        return
    print_lines(screen, [f"{view.id}  {view.title}"], "bold")
    screen.print(_build_balance_table(view))
    if view.tricks:
        screen.print(build_trick_table(view))
    facts = f"{view.provenance}; {view.pack} cards; {view.dealer} deals; talon {view.talon or 'none'}"
    print_lines(screen, [facts, *(f"{heading}: {words}" for heading, words in view.table)])
    if joint:
        _print_joint_ledger(screen, view)
    else:
        for at, ledger in enumerate(view.ledgers):
            screen.print()
            _print_ledger_view(screen, ledger, sums[at] if sums else ())
            print_lines(screen, (f"scales are mixed: {words}" for words in ledger.foreign_sums))
    screen.print()


# ---- all sources
def _build_balance_table(view: DealView) -> Table:
    """Build the table of what each account has won or lost under every source; of one alone in a line."""
    heads, balances = list(map(_head_column, view.ledgers)), [*list_joint_balances(view)]
    if len(heads) == 1:
        table = make_table("net", right=[account for account, _ in balances])
        table.add_row(*map(Text, (*heads, *(_format_gain(amounts[0]) for _, amounts in balances))))
        return table
    table = make_table("net", right=heads)
    for account, amounts in balances:
        table.add_row(*map(Text, (account, *map(_format_gain, amounts))))
    return table


def _format_gain(amount: int | None) -> str:
    return "–" if amount is None else format_signed_sum(amount)


def _head_column(column: ledgers.LedgerView) -> str:
    return f"{column.ruleset}\n{_STATE_WORDS.get(column.state, f'in {pluralize_counter(column.unit)}')}"


_TIMES: Mapping[str, str] = {"before": "before the play", "end": "at the end"}
_STATE_WORDS: Mapping[str, str] = {"refused": "refused", "silent": "silent"}


def _print_joint_ledger(screen: Console, view: DealView) -> None:
    """Print the joint ledger, then what each source says besides, and where the reasons are."""
    events = build_joint_ledger(view)
    if any(event.paid for event in events):
        screen.print()
        screen.print(_build_joint_table(view, events))
    if unpaid := [f"{e.words} ({_TIMES.get(e.step) or f'trick {e.step}'})" for e in events if not e.paid]:
        print_lines(screen, [f"Nobody pays for: {'; '.join(unpaid)}"])
    for ledger in view.ledgers:
        print_lines(screen, _format_column_remarks(ledger))
    mixed = [
        f"{column.ruleset} ({words.partition(',')[0]})" for column in view.ledgers for words in column.foreign_sums
    ]
    print_lines(screen, [f"scales are mixed: {', '.join(mixed)}"] if mixed else [])
    named = next((column.source for column in view.ledgers if column.state == "settled"), view.ledgers[0].source)
    print_lines(screen, [f"The clauses behind a column: the same command with --source {named}"])


def _build_joint_table(view: DealView, events: Iterable[JointEvent]) -> Table:
    """Build the ledger whose columns are the sources: a line for each payer and payee of an event."""
    table = make_table("trick", "what happened, who pays whom", right=(ledger.ruleset for ledger in view.ledgers))
    for event in (candidate for candidate in events if candidate.paid):
        table.add_row(Text({"before": "deal"}.get(event.step, event.step)), Text(event.words))
        for row in event.rows:
            table.add_row("", Text(f"  {row.payer} to {row.payee}"), *map(_format_joint_cell, row.cells))
    table.caption, table.caption_justify = "0 nothing is paid   – no such payment, or no ledger", "left"
    return table


def _format_joint_cell(cell: JointCell) -> Text:
    if cell.state == "paid":
        return Text(str(cell.amount), style="bold")
    return Text("0" if cell.state == "nothing" else "–", style="dim")


def _format_column_remarks(ledger: ledgers.LedgerView) -> Iterator[str]:
    """Yield what a source says besides its payments: the end, or why it settles nothing."""
    if ledger.state == "settled":
        ends = [f"pool: {ledger.pool_before} before, {ledger.pool_after} after", *ledger.outcome]
        yield f"{ledger.ruleset}: {'; '.join(ends)}"
    else:
        rests = f" ({', '.join(ledger.grounds)})" if ledger.grounds else ""
        asks = f" {ledger.silence.question}: {ledger.silence.asks}" if ledger.silence and ledger.silence.asks else ""
        yield f"{ledger.ruleset}: {'refused: ' * (ledger.state == 'refused')}{ledger.why}{rests}{asks}"
    yield from (f"{ledger.ruleset}: {remark}" for remark in _format_ledger_remarks(ledger))


# ---- the cards
def build_trick_table(view: DealView) -> Table:
    """Build the table of tricks; an arrow marks the leader's card, a star the taker's."""
    table = make_table("trick", *view.seats)
    table.caption, table.caption_justify = "> leads   * takes", "left"
    for trick in view.tricks:
        cells = [f"{trick.of(s)}{' >' * (s == trick.leader)}{' *' * (s == trick.taker)}" for s in view.seats]
        table.add_row(*map(Text, (str(trick.number), *cells)))
    return table


# ---- one source
_MAX_EVENT_WIDTH = 44  #: the clauses have the rest
_NARROW = 80  #: columns; on a narrower screen hardly a word of a clause would be left


def _print_ledger_view(screen: Console, ledger: ledgers.LedgerView, sums: Reckonings) -> None:
    hybrid = " (not the rules of one source)" if ledger.hybrid else ""
    print_lines(screen, [f"{ledger.ruleset}  {ledger.title}{hybrid}, {describe_sum_unit(ledger.unit)}"], "bold")
    if ledger.state == "settled":
        screen.print(build_entry_table(ledger, screen.width < _NARROW, sums))
        outcome = [f"outcome: {'; '.join(ledger.outcome)}"] if ledger.outcome else []
        print_lines(screen, [f"pool: {ledger.pool_before} before, {ledger.pool_after} after", *outcome])
    elif ledger.state == "refused":
        screen.print(_build_refusal_table(ledger))
    elif ledger.silence:
        view = ledger.silence
        print_lines(screen, [view.message, *([f"{view.question}: {view.asks}"] if view.asks else [])])
        print_lines(screen, [*_format_missing_answers(ledger.source, view), *_format_partial_ledger(view)])
    print_lines(screen, _format_ledger_remarks(ledger))


def _format_missing_answers(source: str, silence: ledgers.SilenceView) -> Iterator[str]:
    """Yield everything that a source would have to answer for the deal, group by group, with the reason."""
    if not silence.missing:
        return
    count = format_count(silence.missing_count, "answer")
    command = f"`reversis supply {source} --from {silence.lender or 'S'}`"
    yield f"For this deal {source} lacks {count}; {command} takes what it lacks from others."
    for group in silence.missing:
        yield f"  {group.title}"
        for reason, some in group.by_reason().items():
            yield f"    {reason}"
            yield f"      {', '.join(f'{answer.id} {answer.slug}{_PERHAPS * (not answer.needed)}' for answer in some)}"


_PERHAPS = " (perhaps)"  #: some answers to the other questions do without it


def _format_partial_ledger(silence: ledgers.SilenceView) -> Iterator[str]:
    """Yield what is settled all the same, and what is left out."""
    if silence.partly or silence.unsettled:
        yield "Settled all the same, which is no result:" if silence.partly else "Nothing else is paid either."
    for entry in silence.partly:
        paid = "; ".join(f"{each.payer} to {each.payee}: {each.amount}" for each in entry.postings) or "nobody pays"
        yield f"  {entry.sentence}: {paid} ({', '.join(entry.clauses)})"
    yield from (f"  left out for want of an answer: {words}" for words in silence.unsettled)


def build_entry_table(ledger: ledgers.LedgerView, wraps: bool = False, sums: Reckonings = ()) -> Table:
    """Build the ledger table: events, payers, and the clauses that say so, whose words are cut or go on below."""
    table = make_table(
        Column("what happened, who pays whom", max_width=_MAX_EVENT_WIDTH), Column("which clauses say so")
    )
    for at, entry in enumerate(ledger.entries):
        if at:
            table.add_row()
        table.add_row(
            Group(Text(entry.sentence), *_format_payments(entry, sums[at] if sums else ())),
            _list_clauses(ledger, entry.clauses, _format_entry_notes(entry), wraps),
        )
    return table


def _format_payments(entry: ledgers.LedgerLine, sums: Sequence[str]) -> Iterator[RenderableType]:
    """Yield the postings of an entry: payer, payee, amount; and how that comes about."""
    if not entry.postings:
        yield Text("  nobody pays", style="dim")
    for at, posting in enumerate(entry.postings):
        yield Text.assemble(f"  {posting.payer} to {posting.payee}: ", (str(posting.amount), "bold"))
        if sums:
            yield from (Padding(Text(part), (0, 0, 0, 4)) for part in sums[at].split("; ") if part)


def _format_entry_notes(entry: ledgers.LedgerLine) -> Iterator[str]:
    yield from (f"rests on the emendation {name}" for name in entry.emendations)
    yield from (f"chosen: {name}" for name in entry.chosen)


def _list_clauses(
    ledger: ledgers.LedgerView, ids: Sequence[str], notes: Iterable[str] = (), wraps: bool = False
) -> Group:
    """List clauses with their first words, a line each unless it wraps; an id is never cut."""
    parts = [(Text(id, "bold"), f" {ledger.clause(id).marked if wraps else ledger.clause(id).quoted}") for id in ids]
    rows = [
        Text.assemble(id, words, no_wrap=not wraps, overflow="fold" if wraps else "ellipsis") for id, words in parts
    ]
    return Group(*rows, *map(Text, notes))


def _build_refusal_table(ledger: ledgers.LedgerView) -> Table:
    table = make_table(
        Column("refused", ratio=6), "trick", "card", Column("legal", ratio=3), Column("which clauses say so", ratio=8)
    )
    for at, refusal in enumerate(ledger.refusals):
        if at:
            table.add_row()
        trick = "" if refusal.trick is None else str(refusal.trick)
        table.add_row(
            *[Text(cell) for cell in (refusal.message, trick, refusal.card, " ".join(refusal.legal))],
            _list_clauses(ledger, refusal.clauses),
        )
    return table


def _format_ledger_remarks(ledger: ledgers.LedgerView) -> Iterator[str]:
    yield from (f"passed over: {words}" for words in ledger.passed_over)
    yield from (f"left out: {words}" for words in ledger.left_out)
    yield from (f"NOT all that {ledger.source} pays: {words}" for words in ledger.shortfalls)
    yield from (f"open, the record being a fragment: {words}" for words in ledger.open)
    if ledger.expectation is None:
        return
    if ledger.expectation.pending:
        yield from _format_pending(ledger.expectation)
        return
    if ledger.expectation.met:
        yield f"as the record expects: {len(ledger.expectation.figures)} figures agree"
    for figure in ledger.expectation.missed:
        yield f"NOT as the record expects: {figure.what} is {figure.found}, expected {figure.expected}"


def _format_pending(expectation: ledgers.Expectation) -> Iterator[str]:
    """Yield how far a result is that the engine cannot reach yet."""
    if expectation.came_true:
        yield f"came true: all {len(expectation.figures)} figures that were pending agree; take out `pending`"
        return
    yield f"pending, as the record says: {expectation.pending}"
    yield from (f"  {figure.what} is {figure.found}, pending {figure.expected}" for figure in expectation.missed)
