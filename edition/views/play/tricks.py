"""The tricks of a deal in a table: who played what, who took it, and how much it counts in each source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from docutils import nodes

from edition.nodes.builders import Content, add_classes, add_page_id, card_sign, para, screen_reader_text, span, table
from edition.nodes.components import SourceMark, source_shape
from rulebook.phrases import format_count


class PlayedTrick(Protocol):
    """Trick: its number, who played what with which marks, and who took it."""

    @property
    def number(self) -> int:
        """Its number, from 1."""

    @property
    def plays(self) -> Sequence[tuple[str, str, tuple[str, ...]]]:
        """Seat, card and marks of each play; marks are *leads*, *takes*, and what was played amiss."""

    @property
    def taker(self) -> str:
        """Player who took it; empty where no source can tell."""


class PlayLedger(Protocol):
    """Takers of the tricks by one source, and how much each trick counts there."""

    @property
    def source(self) -> str:
        """Siglum of the source."""

    @property
    def takers(self) -> Sequence[str]:
        """Player who takes each trick, as far as somebody does."""

    @property
    def points(self) -> Sequence[int]:
        """Number that each of them counts."""


class PlayedDeal(Protocol):
    """Deal with its tricks, and what each source says of them."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The players."""

    @property
    def tricks(self) -> Sequence[PlayedTrick]:
        """The tricks in order."""

    @property
    def ledgers(self) -> Sequence[PlayLedger]:
        """A ledger for each source."""


def render_play_table(
    view: PlayedDeal, marks: Mapping[str, SourceMark] | None = None, counted: str = "point"
) -> nodes.Node:
    """Tricks in order, with a column for every player and the taker; sources by their shapes, or by their sigla."""
    if not view.tricks:
        return para("No card was led.")
    head = ["Trick", *map(str.capitalize, view.seats), "Taken by"]
    caption = "The leader’s card is underlined, the taker’s is bold."
    rows = [
        (
            [add_page_id(span(str(trick.number)), f"t{trick.number}")],
            *([*_render_played_cards(trick, seat)] for seat in view.seats),
            [*_render_takers(view, trick, marks or {}, counted)],
        )
        for trick in view.tricks
    ]
    return table(caption, head, rows, cls=f"rv-play rv-play-of-{len(view.seats)}")


def _render_played_cards(trick: PlayedTrick, seat: str) -> Iterator[Content]:
    for player, card, marks in trick.plays:
        if player == seat:
            yield add_classes(card_sign(card), " ".join(f"rv-card-{mark}" for mark in marks if " " not in mark))
            for mark in marks:
                yield from (" ", span(mark, cls=f"rv-play-mark rv-play-{mark.partition(' ')[0]}"))


def _render_takers(
    view: PlayedDeal, trick: PlayedTrick, marks: Mapping[str, SourceMark], counted: str
) -> Iterator[Content]:
    """Taker and count; where sources differ, each group of them. Every source has a place of its own for links."""
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
        yield span(*places, f"{taker.capitalize()}, {format_count(points, counted)}", cls="rv-takers")
    if not groups:
        yield trick.taker.capitalize() or "the books differ"


def _name_source(siglum: str, marks: Mapping[str, SourceMark]) -> list[Content]:
    if siglum in marks:
        return [source_shape(marks[siglum]), screen_reader_text(marks[siglum].name), " "]
    return [f"{siglum} "]
