"""Tables of a topic with a column for each book; the one at its head, of what a player asks first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docutils import nodes

from edition.nodes.builders import (
    Content,
    NodeT,
    add_classes,
    fill_node,
    link,
    section,
    span,
    table_column,
    table_entry,
)
from edition.nodes.components import SourceMark, source_chip, status_marks
from edition.palette import format_slot_classes
from edition.views.layout import Nodes
from edition.views.plain_answers import AnswerView
from edition.views.topics.short_table import ShortRow

_FEW_SOURCES = 5  #: with more books than these the tables stack on wider screens


# ---- tables
def render_book_table(
    sources: Sequence[SourceMark], anchor: str, title: str, asked: str, rows: Iterable[nodes.row]
) -> nodes.table:
    """Table with a column for each book, under a head that says what stands before them."""
    group = nodes.tgroup(cols=len(sources) + 1)
    group += [table_column(first=at == 0) for at in range(len(sources) + 1)]
    heads: list[Content] = [asked, *(source_chip(source) for source in sources)]
    head = fill_node(nodes.row(), [with_role("columnheader", table_entry([content], "")) for content in heads])
    group += with_role("rowgroup", fill_node(nodes.thead(), [with_role("row", head)]))
    group += with_role("rowgroup", fill_node(nodes.tbody(), rows))
    many = " rv-many" if len(sources) > _FEW_SOURCES else ""
    table = with_role("table", fill_node(add_classes(nodes.table(), f"rv-table rv-figures rv-pays{many}"), [group]))
    table.insert(0, fill_node(nodes.title(), [title]))
    table["ids"] = [f"table-{anchor}"]
    return table


def with_role(role: str, node: NodeT) -> NodeT:
    """Say what a part of a table is: on a narrow screen it is no longer laid out as one."""
    node["html"] = {**node.get("html", {}), "role": role}
    return node


def render_book_row(sources: Sequence[SourceMark], asked: str, cells: Sequence[Iterable[Content]]) -> nodes.row:
    """Row of such a table: what is asked, and a cell for each book."""
    name = with_role("rowheader", table_entry([asked], ""))
    entries = [_book_entry(mark, cell) for mark, cell in zip(sources, cells, strict=True)]
    return with_role("row", fill_node(nodes.row(), [name, *entries]))


def _book_entry(mark: SourceMark, content: Iterable[Content]) -> nodes.entry:
    """Cell of a book, with its name for a narrow screen."""
    entry = with_role("cell", add_classes(table_entry([*content], ""), format_slot_classes(mark.slot)))
    entry["html"]["data-book"] = mark.name
    return entry


# ---- in short
def render_short_table(sources: Sequence[SourceMark], title: str, rows: Iterable[ShortRow]) -> Nodes:
    """Render the table at the head of a topic."""
    table = render_book_table(sources, "short", title, "What is asked", render_short_rows(sources, rows))
    return [section("short", "In short, book by book", table)]


def render_short_rows(sources: Sequence[SourceMark], rows: Iterable[ShortRow]) -> Iterator[nodes.row]:
    """Render rows of what a player asks first."""
    return (render_book_row(sources, row.asks, [*map(_render_short_cell, row.cells)]) for row in rows)


def _render_short_cell(cell: Iterable[AnswerView]) -> Iterator[Content]:
    for answer in cell:
        target = f"{answer.question}@{answer.siglum}"
        if answer.missing:
            yield link("cell", target, answer.words, cls="rv-pays-note")
        else:
            yield span(
                link("cell", target, answer.words), *status_marks(answer.status, answer.other), cls="rv-short-answer"
            )
