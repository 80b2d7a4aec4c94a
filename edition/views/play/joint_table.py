"""Joint ledger on a page: one table whose columns are the books, fetched when it is unfolded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docutils import nodes

from edition.nodes.builders import Content, add_page_id, code, details, fill_node, para, span, strong, table
from edition.nodes.components import SourceMark, source_shape
from edition.nodes.deferred import defer_content
from edition.palette import format_slot_classes
from edition.text.typography import use_minus_signs
from edition.views.layout import Nodes
from edition.views.play.lines import capitalize_seats
from rulebook.joint_ledger import JointCell, JointColumn, JointEvent, JointView, list_joint_balances
from rulebook.phrases import format_signed_sum, pluralize_counter

_WHEN: Mapping[str, str] = {"before": "Deal", "end": "End"}


MAX_NAMED_BOOKS = 5  #: of more books the heads of the results have only sigla
STATE_LABELS: Mapping[str, str] = {"settled": "", "refused": "not legal here", "silent": "no answer"}


def render_joint_table(
    view: JointView, events: Sequence[JointEvent], marks: Sequence[SourceMark], command: str
) -> Nodes:
    """Render a joint ledger, and the command that prints it, with a mark for each of its columns.

    Nothing where fewer than two books are there to be compared, or nothing is paid.
    """
    paid = [event for event in events if event.paid]
    if len(view.ledgers) < 2 or not paid:
        return []
    many = len(view.ledgers) > MAX_NAMED_BOOKS
    head = [
        "",
        "What happened, who pays whom",
        *([_render_head(*column, many)] for column in zip(view.ledgers, marks, strict=True)),
    ]
    rows = [row for event in paid for row in _render_event(event, view.seats)]
    rows += [_render_balance(*total, at == 0) for at, total in enumerate(list_joint_balances(view))]
    whole = table("Who pays whom, book by book", head, rows, cls=f"rv-joint{' rv-many' * many}")
    whole["ids"] = ["table-joint-ledger"]
    for row in whole.findall(nodes.row):  # a narrow screen shows the sigla over the sums
        cells = [cell for cell in row.children if isinstance(cell, nodes.entry)][2:]
        for cell, mark in zip(cells, marks, strict=True):
            cell["html"] = {"data-label": mark.siglum}
    _unwrap_cells(whole)
    instead: list[Content] = [
        "Each book has its ledger above; ",
        code(command),
        " prints them in one.",
    ]
    words = dict.fromkeys(event.words for event in events if not event.paid)
    unpaid = "; ".join(capitalize_seats(word, view.seats) for word in words)
    notes = [para(_NOTE, cls="rv-small")]
    notes += [para(f"Nobody pays by any book: {unpaid}.", cls="rv-small")] if unpaid else []
    return [
        add_page_id(
            details("All books in one ledger", defer_content("joint-ledger", instead, whole, *notes)), "joint-ledger"
        )
    ]


_NOTE = "0: nothing is paid. –: this book has no such payment, or the deal is not legal by it. Bold: the books differ."


def _unwrap_cells(made: nodes.table) -> None:
    """Put a cell's single line straight into the cell, and its class on it: a page holds 5,000 elements."""
    for cell in made.findall(nodes.entry):
        if len(cell.children) == 1 and isinstance(line := cell.children[0], nodes.paragraph):
            cell["classes"] += line["classes"]
            cell.children = []
            fill_node(cell, line.children)


def _render_head(column: JointColumn, mark: SourceMark, many: bool) -> nodes.inline:
    state = STATE_LABELS[column.state] or pluralize_counter(column.unit)
    words = span(mark.siglum if many else mark.name, " ", span(state, cls="rv-small"), cls="rv-joint-name")
    return span(source_shape(mark), " ", words, cls=format_slot_classes(mark.slot), title=mark.title)


def _render_event(event: JointEvent, seats: Sequence[str]) -> Iterator[list[list[Content]]]:
    for at, row in enumerate(event.rows):
        words: list[Content] = [capitalize_seats(event.words, seats), " "] if at == 0 else []
        payee = row.payee if row.payee == "pool" else row.payee.capitalize()
        pays = f"{row.payer.capitalize()} to {payee}"
        said: list[Content] = [*words, span(pays, cls="rv-small")] if words else [para(pays, cls="rv-small")]
        when = _WHEN.get(event.step, event.step) if at == 0 else ""
        yield [[when], said, *([_render_cell(cell, row.differs)] for cell in row.cells)]


def _render_cell(cell: JointCell, differs: bool) -> Content:
    if cell.state == "paid":
        return para(str(cell.amount), cls="rv-differs") if differs else str(cell.amount)
    return para("0" if cell.state == "nothing" else "–", cls="rv-nothing")


def _render_balance(account: str, amounts: Sequence[int | None], first: bool) -> list[list[Content]]:
    differs = len({amount for amount in amounts if amount is not None}) > 1
    sums = ("–" if amount is None else use_minus_signs(format_signed_sum(amount)) for amount in amounts)
    cells: list[list[Content]] = [[strong(words) if differs and words != "–" else words] for words in sums]
    return [["Net" if first else ""], [account.capitalize()], *cells]
