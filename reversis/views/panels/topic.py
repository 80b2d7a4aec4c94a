"""Panels of a topic's page: who pays whom, as a table for each event, and example deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from docutils import nodes

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.nodes.builders import (
    Content,
    add_classes,
    add_page_id,
    block,
    bullet_list,
    details,
    fill_node,
    labelled_span,
    link,
    para,
    section,
    span,
    table_entry,
)
from edition.nodes.components import SourceMark, status_marks
from edition.nodes.deferred import defer_content
from edition.views.layout import Nodes, join_content
from edition.views.plain_answers import source_marks
from edition.views.topics.book_table import render_book_row, render_book_table, render_short_rows, with_role
from edition.views.topics.short_table import ShortRow, list_short_rows
from edition.views.topics.topic import list_topic_questions
from reversis.files.extras import get_deal_titles
from reversis.files.separations import load_separations
from reversis.findings.shared_results import collect_situation_payments
from reversis.views.topics.payments import (
    ANY_PAYMENT,
    AmountCell,
    EventTable,
    PaidAmount,
    PaymentBlock,
    PaymentLine,
    list_event_tables,
)
from rulebook.phrases import format_count, lower_first, pluralize_counter

_SHOWN_DEALS = 6


# ---- what is shown
@dataclass(frozen=True, slots=True)
class TopicPayments:
    """Payment tables of a topic, and the rows of its first table that stand below them too."""

    sources: tuple[SourceMark, ...]
    units: tuple[tuple[SourceMark, str], ...]  #: the counter in which each book's sums are given
    short: tuple[ShortRow, ...]
    tables: tuple[EventTable, ...]


DealLink: TypeAlias = tuple[str, str, str]  #: example deal, its title, and the event that it shows in which way


@cached_on_corpus
def collect_event_tables(corpus: Corpus) -> Mapping[str, tuple[EventTable, ...]]:
    """Payment tables of every topic, by group."""
    return {group: list_event_tables(corpus, rows) for group, rows in collect_situation_payments(corpus).items()}


def view_payments(corpus: Corpus, group: str) -> TopicPayments | None:
    """View the payments of a topic; None if it is about none."""
    tables = collect_event_tables(corpus).get(group)
    if not tables:
        return None
    marks, rows = source_marks(corpus), list_short_rows(corpus, corpus.telling.topic(group))
    return TopicPayments(
        tuple(marks.values()),
        tuple((mark, corpus.library.sources[siglum].unit) for siglum, mark in marks.items()),
        tuple(row for row in rows if row.events),
        tables,
    )


def view_deals(corpus: Corpus, group: str) -> tuple[DealLink, ...] | None:
    """View example deals: one for every way in which books differ, the other ways, those that tell books apart."""
    titles = get_deal_titles(corpus)
    ways = [(table, block) for table in collect_event_tables(corpus).get(group, ()) for block in table.blocks]
    examples = [(id, table, block) for table, block in ways if block.differs for id in block.deals[:1]]
    examples += [(id, table, block) for table, block in ways for id in block.deals]
    shows = {
        id: "; ".join(filter(None, (table.title, lower_first(block.words)))) for id, table, block in reversed(examples)
    }
    order = dict.fromkeys(id for id, _, _ in examples)
    store = load_separations(corpus.library)
    for question in list_topic_questions(corpus, group):
        for separation in store.by_question.get(question.slug, ()) if store else ():
            order.update(dict.fromkeys(separation.worked))
    return tuple((id, titles[id], shows.get(id, "")) for id in order if id in titles) or None


# ---- payments
def render_payments(view: TopicPayments) -> Nodes:
    """Render a payment of each event in one table; all that is paid is folded, event by event."""
    shown = [table for table in view.tables if not table.in_example and any(each.known for each in table.blocks)]
    special = [table for table in view.tables if table.in_example and any(each.known for each in table.blocks)]
    if not shown and not special:
        return []
    folded = [
        details(
            f"{table.title}: {_name_sums(table)}",
            *([defer_content(f"{table.anchor}-sums", _name_deals(table), *whole)] if table in special else whole),
        )
        for table in (*shown, *special)
        for whole in [_render_event(view, table)]
    ]
    for box, event in zip(folded, (*shown, *special), strict=True):
        add_page_id(box, event.anchor)
    examples = [_render_examples(view, shown)] if shown else []
    title = "Who pays whom, and how much"
    return [
        section("money", title, _money_note(view), *examples, block(*folded, cls="rv-folds"), *_render_untold(view))
    ]


def _name_sums(table: EventTable) -> str:
    return "sums of the example deals" if table.in_example and not table.special else "who pays whom"


def _render_examples(view: TopicPayments, events: Sequence[EventTable]) -> nodes.table:
    """Table with the first payment of each event, in the first of its cases that is known."""
    rows = list[nodes.row]()
    for event in events:
        case = next(case for case in event.blocks if case.known)
        words = ": ".join(filter(None, (event.title, lower_first(case.words))))
        rows += _block_rows(view, replace(case, words=words, lines=case.lines[:1]))
    return render_book_table(view.sources, "examples", "One payment of each kind", "Who pays whom", rows)


def _name_deals(table: EventTable) -> list[Content]:
    """Say where the sums of an event stand, for whoever cannot unfold them."""
    deals = dict.fromkeys(deal for block in table.blocks for deal in block.deals)
    links = [link("deal", deal) for deal in deals]
    return ["The sums stand in the ledgers of these deals: ", *join_content(links, ", "), "."]


def _money_note(view: TopicPayments) -> nodes.paragraph:
    counters = ", ".join(f"{pluralize_counter(unit)} ({mark.name})" for mark, unit in view.units if unit)
    return para(
        f"Each book counts its own smallest counters: {counters}. Every sum is settled by the engine from a deal, and "
        "leads to the rule behind it. “Partly ours”: one of the rules behind it, such as doubling, is our assumption.",
        cls="rv-small",
    )


def _render_event(view: TopicPayments, event: EventTable) -> Nodes:
    blocks = [block for block in event.blocks if block.known]
    cases = {line.words for block in blocks for line in block.lines} - {ANY_PAYMENT}
    single = len(blocks) > 1 and all(len(block.lines) == 1 and block.words for block in blocks)
    only = cases.pop() if single and len(cases) == 1 else ""
    lead = " ".join(filter(None, (event.meaning, f"{only}:" if only else "")))
    rows = (row for block in blocks for row in (_single_rows if only else _block_rows)(view, block))
    asked = "In which case" if only else "Who pays whom"
    return [
        *([para(lead)] if lead else []),
        render_book_table(view.sources, event.anchor, f"{event.title}: who pays whom", asked, rows),
        *_event_notes(event, blocks),
        *_render_besides(view, event),
    ]


def _render_besides(view: TopicPayments, event: EventTable) -> Nodes:
    """Rows of the topic's table on this event, such as what becomes of the pool."""
    rows = [row for row in view.short if event.anchor in row.events]
    if not rows:
        return []
    title, lines = f"{event.title}: also asked", render_short_rows(view.sources, rows)
    return [render_book_table(view.sources, f"{event.anchor}-besides", title, "Also asked", lines)]


def _event_notes(event: EventTable, blocks: Sequence[PaymentBlock]) -> Iterator[nodes.Node]:
    remarks = ["Sums are those of the example deals. "] if event.in_example else []
    untold = dict.fromkeys(block.untold for block in blocks if block.untold)
    remarks += [f"Not computed for the {', '.join(untold)}: no example deal was found. "] if untold else []
    gaps = dict.fromkeys(cell.gap for block in blocks for line in block.lines for cell in line.cells if cell.gap)
    remarks += [f"Not known: {' or '.join(gaps)}. "] if gaps else []
    rules = [piece for id in event.questions for piece in (link("question", id), ", ")][:-1]
    yield para(*remarks, *(["The rules behind it: ", *rules, "."] if rules else []), cls="rv-small")


def _block_rows(view: TopicPayments, block: PaymentBlock) -> Iterator[nodes.row]:
    if block.words:
        entry = with_role("rowheader", table_entry([block.words], ""))
        entry["morecols"] = len(view.sources)
        entry["html"]["scope"] = "rowgroup"
        yield with_role("row", fill_node(add_classes(nodes.row(), "rv-pays-way"), [entry]))
    reasons: dict[str, str] = {}
    for line in block.lines:
        yield _payment_row(view, line, reasons)


def _single_rows(view: TopicPayments, block: PaymentBlock) -> Iterator[nodes.row]:
    yield _payment_row(view, replace(block.lines[0], words=block.words), {})


def _payment_row(view: TopicPayments, line: PaymentLine, reasons: dict[str, str]) -> nodes.row:
    """A payment; why nothing is known of a book is said once in a block."""
    cells = [_render_cell(cell, reasons.get(cell.source) == cell.unknown) for cell in line.cells]
    row = render_book_row(view.sources, line.words, cells)
    reasons.update({cell.source: cell.unknown for cell in line.cells if cell.unknown})
    return row


def _render_cell(cell: AmountCell, again: bool) -> Iterator[Content]:
    if cell.unknown:
        grounds = ("clause", cell.clause) if cell.clause else ("cell", f"{cell.question}@{cell.source}")
        if again:
            yield labelled_span(cell.unknown, "–", cls="")
        elif cell.clause or cell.question:
            yield link(*grounds, cell.unknown, cls="rv-pays-note")
        else:
            yield span(cell.unknown, cls="rv-pays-note")
        return
    for at, amount in enumerate(cell.amounts):
        yield span(*_render_amount(cell, amount, first=at == 0), cls="rv-pays-part")


def _render_amount(cell: AmountCell, amount: PaidAmount, first: bool) -> Iterator[Content]:
    if amount.tricks:
        yield f"{amount.tricks}: "
    cls = "rv-amount" if amount.words[:1].isdigit() else "rv-pays-words"
    grounds = cell.question if first else ""
    yield link("cell", f"{grounds}@{cell.source}", amount.words, cls=cls) if grounds else span(amount.words, cls=cls)
    if first:
        yield from status_marks(cell.status, cell.other)
    if first and cell.partly_ours:
        title = "a rule that it rests on is our assumption"
        yield from (" ", span("(partly ours)", cls="rv-status rv-status-ours", title=title))
    if amount.note:
        yield span(f" {amount.note}", cls="rv-pays-note")


def _render_untold(view: TopicPayments) -> Nodes:
    """Events of which no book's payments could be computed, and why."""
    rows = [
        [f"{event.title}: {lower_first(block.words)}" if block.words else event.title]
        for event in view.tables
        for block in event.blocks
        if not block.known
    ]
    if not rows:
        return []
    why = para("For these no example deal was found, so nothing could be computed.")
    return [details(f"Not computed: {format_count(len(rows), 'case')}", why, bullet_list(rows))]


# ---- deals
def render_topic_deals(view: tuple[DealLink, ...]) -> Nodes:
    """Render the example deals, all but the first folded."""
    rows = [[*([f"{shows}: "] if shows else []), link("deal", id, title)] for id, title, shows in view]
    rest = rows[_SHOWN_DEALS:]
    more = [details(format_count(len(rest), "more deal"), bullet_list(rest))] if rest else []
    return [section("deals", "See it happen: example deals", bullet_list(rows[:_SHOWN_DEALS], cls="rv-index"), *more)]
