"""Scatter charts, drawn while the pages are built: every point a measured thing, with logarithmic axes.

As in `edition.nodes.charts` every position is a percentage, and what stands at 0 has a column and a row of its own.
The drawing is one picture to a screen reader, which is told what it shows; all values stand in a table beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import TypeAlias

from docutils import nodes

from edition.nodes.builders import Content, block, para, span
from edition.nodes.charts import HIDDEN_FROM_READERS, wrap_svg

_ZERO, _FIRST, _LAST = 3.0, 12.0, 97.0  #: places of 0, of the first power of ten and of the last, in hundredths
_RADIUS = 5  #: of a point, in px
_SIZE, _HOLE = 12, 6  #: of a point in the shape of a source, and of what is left out of a hollow one, in px
_FIELDS = ((300, 320), (840, 384))  #: a field on a telephone and on a large screen, in px; labels are parted in both
_LETTER, _LINE = 9, 13  #: width of a digit and height of a line, in px

LabelBox: TypeAlias = tuple[float, float, float, float]  #: left, top, right and bottom, in px


@dataclass(frozen=True, slots=True)
class LogScale:
    """Logarithmic scale from one power of ten to another, with a place for 0 before it."""

    first: int
    last: int

    def place(self, value: float) -> float:
        """Place of a value, in hundredths of the length; smaller ones than the first power stand between it and 0."""
        if value <= 0:
            return _ZERO
        share = (log10(value) - self.first) / (self.last - self.first)
        return max((_ZERO + _FIRST) / 2, min(100.0, _FIRST + (_LAST - _FIRST) * share))

    @property
    def ticks(self) -> tuple[float, ...]:
        """0 and the powers of ten."""
        return 0.0, *(10.0**power for power in range(self.first, self.last + 1))


def choose_log_scale(values: Iterable[float]) -> LogScale:
    """Choose the shortest scale of whole powers of ten that holds all values above 0."""
    above = [value for value in values if value > 0]
    if not above:
        return LogScale(0, 1)
    first = floor(log10(min(above)))
    return LogScale(first, max(first + 1, ceil(log10(max(above)))))


@dataclass(frozen=True, slots=True)
class DrawnPoint:
    """Point of a scatter chart; hollow where it cannot be told from nothing."""

    across: float
    up: float
    says: str  #: in words, for whoever points at it
    sure: bool
    colour: str = ""  #: CSS classes of a source's hue and shape; none for a circle
    label: str = ""


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """Place of a label beside its point, in px, and which of its ends stands there."""

    dx: int
    dy: int
    anchor: str

    def lay(self, x: float, y: float, label: str) -> LabelBox:
        """Lay a label out from its point, as a box."""
        width = _LETTER * len(label)
        left = x + self.dx - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left, y + self.dy - _LINE, left + width, y + self.dy


@dataclass(frozen=True, slots=True)
class ChartAxis:
    """Axis with its name and its scale."""

    name: str
    scale: LogScale


def scatter_figure(points: Sequence[DrawnPoint], across: ChartAxis, up: ChartAxis, says: str) -> nodes.container:
    """Scatter chart: those that can be told from nothing lie above the others."""
    ordered = sorted(points, key=lambda point: point.sure)
    places = _place_labels(ordered, across.scale, up.scale)
    parts = [
        *_draw_grid(across.scale, up.scale),
        *(_draw_point(point, across.scale, up.scale, place) for point, place in zip(ordered, places, strict=True)),
    ]
    drawn = wrap_svg("".join(parts), "rv-scatter-drawn", f'role="img" aria-label="{escape(says)}"')
    ticks = wrap_svg(
        "".join(
            f'<text x="{across.scale.place(tick):.2f}%" y="80%" text-anchor="middle">{tick:g}</text>'
            for tick in across.scale.ticks
        ),
        "rv-scatter-axis",
        HIDDEN_FROM_READERS,
    )
    return block(
        para(span(up.name, cls="rv-scatter-name"), cls="rv-scatter-top"),
        para(drawn, cls="rv-scatter-field"),
        para(ticks, cls="rv-scatter-ticks"),
        para(span(across.name, cls="rv-scatter-name"), cls="rv-scatter-foot"),
        cls="rv-scatter",
    )


def scatter_key(sure: str, unsure: str, extra: Iterable[Content] = ()) -> nodes.paragraph:
    """Key of a scatter chart: full points and hollow ones."""
    signs = (
        span(wrap_svg(_mark("50%", "50%", is_sure), "rv-scatter-key-mark", HIDDEN_FROM_READERS), f" {words}")
        for is_sure, words in ((True, sure), (False, unsure))
    )
    return para(*signs, *extra, cls="rv-cost-key")


def _mark(x: str, y: str, sure: bool, colour: str = "") -> str:
    if colour:
        hole = "" if sure else _draw_shape(x, y, "rv-point-hole", colour, _HOLE)
        return f"{_draw_shape(x, y, 'rv-point-shape', colour, _SIZE)}{hole}"
    kind = "rv-point" if sure else "rv-point rv-point-unsure"
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{_RADIUS}"/>'


def _draw_shape(x: str, y: str, kind: str, colour: str, size: int) -> str:
    """Draw a square about a place, which the style sheet cuts into the shape of a source."""
    at = f'x="{x}" y="{y}" width="{size}" height="{size}" transform="translate(-{size // 2} -{size // 2})"'
    return f'<rect class="{kind} {colour}" {at}/>'


#: Places of a label: beside the point, above and below it, at its corners, then further out.
_PLACES = tuple(
    LabelPlace(dx, dy, anchor)
    for out in (8, 20, 32)
    for dx, dy, anchor in (
        (out, 4, "start"),
        (-out, 4, "end"),
        (0, -out, "middle"),
        (0, out + _LINE, "middle"),
        (out, -out, "start"),
        (out, out + _LINE, "start"),
        (-out, -out, "end"),
        (-out, out + _LINE, "end"),
    )
)


def _place_labels(points: Sequence[DrawnPoint], across: LogScale, up: LogScale) -> list[LabelPlace]:
    """Place labels so that none lies on another or on a number of the axis; the last place is taken where none is."""
    taken: list[list[LabelBox]] = []  #: in each field
    for _, height in _FIELDS:
        ticks = (height - height * up.place(tick) / 100 for tick in up.ticks)
        taken.append([(-5.0 * _LETTER, y - _LINE, -8.0, y + 4) for y in ticks])
    places = list[LabelPlace]()
    for point in points:
        share = across.place(point.across) / 100, 1 - up.place(point.up) / 100
        laid = [
            (place, [place.lay(width * share[0], height * share[1], point.label) for width, height in _FIELDS])
            for place in _PLACES
        ]
        place, boxes = next((choice for choice in laid if not _is_covered(choice[1], taken)), laid[-1])
        for box, others in zip(boxes, taken, strict=True):
            others.append(box)
        places.append(place)
    return places


def _is_covered(boxes: Sequence[LabelBox], taken: Sequence[Sequence[LabelBox]]) -> bool:
    return any(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
        for (left, top, right, bottom), others in zip(boxes, taken, strict=True)
        for other in others
    )


def _draw_point(point: DrawnPoint, across: LogScale, up: LogScale, place: LabelPlace) -> str:
    x, y = f"{across.place(point.across):.2f}%", f"{100 - up.place(point.up):.2f}%"
    at = f'x="{x}" y="{y}" dx="{place.dx}" dy="{place.dy}" text-anchor="{place.anchor}"'
    label = f'<text class="rv-point-label" {at}>{escape(point.label)}</text>' if point.label else ""
    return f"<g><title>{escape(point.says)}</title>{_mark(x, y, point.sure, point.colour)}{label}</g>"


def _draw_grid(across: LogScale, up: LogScale) -> Iterator[str]:
    for tick in across.ticks:
        x = f"{across.place(tick):.2f}%"
        yield f'<line class="rv-grid" x1="{x}" x2="{x}" y1="0" y2="100%"/>'
    for tick in up.ticks:
        y = f"{100 - up.place(tick):.2f}%"
        yield f'<line class="rv-grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>'
        yield f'<text x="-8" y="{y}" dy="4" text-anchor="end">{tick:g}</text>'
