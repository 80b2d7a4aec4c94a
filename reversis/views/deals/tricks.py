"""The tricks of a deal in a table: who played what, who took it, and how many points it counts in each source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docutils import nodes

from edition.nodes.builders import Content, add_classes, add_page_id, card_sign, para, screen_reader_text, span, table
from edition.nodes.components import SourceMark, source_shape
from edition.views.layout import Nodes
from reversis.words.deal_views import DealView, TrickView
from rulebook.phrases import format_count


def render_play_table(view: DealView, marks: Mapping[str, SourceMark] | None = None) -> nodes.Node:
    """Tricks in order, with a column for every player and the taker; sources by their shapes, or by their sigla."""
    if not view.tricks:
        return para("No card was led.")
    head = ["Trick", *map(str.capitalize, view.seats), "Taken by"]
    caption = "The leader’s card is underlined, the taker’s is bold."
    rows = [
        (
            [add_page_id(span(str(trick.number)), f"t{trick.number}")],
            *([*_render_played_cards(trick, seat)] for seat in view.seats),
            [*_render_takers(view, trick, marks or {})],
        )
        for trick in view.tricks
    ]
    return table(caption, head, rows, cls=f"rv-play rv-play-of-{len(view.seats)}")


def _render_played_cards(trick: TrickView, seat: str) -> Iterator[Content]:
    for player, card, marks in trick.plays:
        if player == seat:
            yield add_classes(card_sign(card), " ".join(f"rv-card-{mark}" for mark in marks if " " not in mark))
            for mark in marks:
                yield from (" ", span(mark, cls=f"rv-play-mark rv-play-{mark.partition(' ')[0]}"))


def _render_takers(view: DealView, trick: TrickView, marks: Mapping[str, SourceMark]) -> Iterator[Content]:
    """Taker and points; where sources differ, each group of them. Every source has a place of its own for links."""
    groups: dict[tuple[str, int], list[str]] = {}
    for ledger in view.ledgers:
        if len(ledger.takers) >= trick.number:
            groups.setdefault((ledger.takers[trick.number - 1], ledger.points[trick.number - 1]), []).append(
                ledger.source
            )
    for (taker, points), sigla in groups.items():
        places = []
        for siglum in sigla:
            data = {"data_book": siglum, "data_taker": taker, "data_points": str(points)}
            named = _name_source(siglum, marks) if len(groups) > 1 else []
            places.append(add_page_id(span(*named, **data), f"t{trick.number}-{siglum}"))
        yield span(*places, f"{taker.capitalize()}, {format_count(points, 'point')}", cls="rv-takers")
    if not groups:
        yield trick.taker.capitalize() or "the books differ"


def _name_source(siglum: str, marks: Mapping[str, SourceMark]) -> list[Content]:
    if siglum in marks:
        return [source_shape(marks[siglum]), screen_reader_text(marks[siglum].name), " "]
    return [f"{siglum} "]


def render_play_section_content(view: DealView, marks: Mapping[str, SourceMark]) -> Nodes:
    """The table with the name under which it was first published as a place."""
    made = render_play_table(view, marks)
    if isinstance(made, nodes.table):
        add_page_id(made, "table-the-play-the-card-that-leads-and-the-card-that-takes-are-named-so")
        add_page_id(made, "table-who-takes-each-trick-by-each-source-and-its-points")
    return [made]
