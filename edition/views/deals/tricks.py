"""The tricks of a deal in a table: who played what, who took it, and how many points it counts in each source."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from edition.analysis.deal_views import DealView, TrickView
from edition.analysis.ledgers import LedgerView
from edition.nodes.builders import Content, add_page_id, card_sign, para, span, table
from edition.text.answers import format_count
from edition.views.layout import Nodes


def render_play_table(view: DealView) -> nodes.Node:
    """Tricks in order, with a column for every player and the taker."""
    if not view.tricks:
        return para("No card was led.")
    head = ["Trick", *view.seats, "Taken by"]
    rows = [
        (
            [add_page_id(span(str(trick.number)), f"t{trick.number}")],
            *([*_render_played_cards(trick, seat)] for seat in view.seats),
            [*_render_takers(view, trick)],
        )
        for trick in view.tricks
    ]
    return table("The tricks: who leads, who takes", head, rows, cls="rv-play")


def _render_played_cards(trick: TrickView, seat: str) -> Iterator[Content]:
    for one in trick.plays:
        if one.seat == seat:
            yield card_sign(one.card)
            for mark in one.marks:
                yield from (" ", span(mark, cls=f"rv-play-mark rv-play-{mark.partition(' ')[0]}"))


def _render_takers(view: DealView, trick: TrickView) -> Iterator[Content]:
    """Taker and points, said once where every source says the same; each source has a place of its own for links."""
    known = [(one, *_find_taker(one, trick.number)) for one in view.ledgers if len(one.takers) >= trick.number]
    same = len({(taker, points) for _, taker, points in known}) < 2
    for at, (one, taker, points) in enumerate(known):
        words = f"{taker}, {format_count(points, 'point')}"
        said = words if same and not at else "" if same else f"{one.source}: {words}"
        marks = {"data_book": one.source, "data_taker": taker, "data_points": str(points)}
        yield add_page_id(span(said, cls="" if same else "rv-taker", **marks), f"t{trick.number}-{one.source}")
    if not known:
        yield trick.taker or "the sources differ"


def _find_taker(one: LedgerView, number: int) -> tuple[str, int]:
    return one.takers[number - 1], one.points[number - 1]


def render_play_section_content(view: DealView) -> Nodes:
    """The table with the name under which it was first published as a place."""
    made = render_play_table(view)
    if isinstance(made, nodes.table):
        add_page_id(made, "table-the-play-the-card-that-leads-and-the-card-that-takes-are-named-so")
        add_page_id(made, "table-who-takes-each-trick-by-each-source-and-its-points")
    return [made]
