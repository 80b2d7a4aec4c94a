"""Drawings of the history: the tree of who copied whom, and the dates at which the game is attested.

As in `edition.nodes.charts` every position across is a percentage, so that a drawing fills any width. Words that need
room stand beside it as text of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from docutils import nodes

from edition.nodes.builders import block, para, span
from edition.nodes.charts import HIDDEN_FROM_READERS, wrap_svg

# ---- the tree
_ROW, _TOP, _RADIUS = 84, 32, 7  #: in px: from level to level, to the first, of a mark
_FOOT = 34  #: below the last level, in px
SOURCE_MARK, WITNESS_MARK, UNSEEN_MARK = "source", "witness", "unseen"


@dataclass(frozen=True, slots=True)
class DrawnText:
    """Mark of a text in the tree: its place across and down, and its sign."""

    id: str
    sign: str
    kind: str  #: source, witness or unseen
    says: str  #: its name in full, for whoever points at it
    across: float  #: in hundredths of the width
    level: int
    colour: str = ""  #: CSS classes of a source's hue


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """Line from a text to one that comes from it; broken where that is only possible."""

    above: str
    below: str
    broken: bool


def stemma_figure(texts: Sequence[DrawnText], lines: Sequence[DrawnLine], says: str) -> nodes.container:
    """Tree of texts, those above first; a text that was not seen is a hollow mark."""
    places = {text.id: text for text in texts}
    high = _TOP + _ROW * max((text.level for text in texts), default=0) + _FOOT
    parts = [*(_draw_line(places[line.above], places[line.below], line.broken) for line in lines)]
    below = {line.below for line in lines}
    parts += (_draw_text(text, _SIGN_DROPS[text.id in below]) for text in texts)
    drawn = wrap_svg("".join(parts), "rv-stemma-drawn", f'height="{high}" role="img" aria-label="{escape(says)}"')
    return block(para(drawn, cls="rv-stemma-figure"), para(*_line_key(), cls="rv-stemma-lines"), cls="rv-stemma")


def _get_height(text: DrawnText) -> int:
    return _TOP + _ROW * text.level


def _draw_line(above: DrawnText, below: DrawnText, broken: bool) -> str:
    ends = f'x1="{above.across:.2f}%" y1="{_get_height(above)}" x2="{below.across:.2f}%" y2="{_get_height(below)}"'
    return f"<line{_BROKEN if broken else ''} {ends}/>"


_BROKEN = ' class="rv-broken"'


#: Whether a line comes from above -> how far below its mark a sign stands.
_SIGN_DROPS: Mapping[bool, int] = {True: 26, False: -14}


def _draw_text(text: DrawnText, drop: int) -> str:
    x, y = f"{text.across:.2f}%", _get_height(text)
    mark = f'<circle class="rv-text-{text.kind} {text.colour}" cx="{x}" cy="{y}" r="{_RADIUS}"/>'
    sign = f'<text x="{x}" y="{y + drop}" text-anchor="middle">{escape(text.sign)}</text>'
    return f"<g><title>{escape(text.says)}</title>{mark}{sign}</g>"


def stemma_key_mark(kind: str, colour: str = "") -> nodes.raw:
    """Mark of a text, as in the tree, beside its name."""
    drawn = f'<circle class="rv-text-{kind} {colour}" cx="50%" cy="50%" r="5"/>'
    return wrap_svg(drawn, "rv-stemma-mark", HIDDEN_FROM_READERS)


def _line_key() -> Iterator[nodes.Node]:
    for cls, words in (("", " descends from it"), (_BROKEN, " perhaps, or in part")):
        line = f'<line{cls} x1="0" x2="100%" y1="50%" y2="50%"/>'
        yield span(wrap_svg(line, "rv-stemma-line", HIDDEN_FROM_READERS), words)
    yield span(stemma_key_mark(UNSEEN_MARK), " not seen")


# ---- the dates
_CENTURY = 100
_OPEN_YEARS = 15  #: drawn of a span without an end


@dataclass(frozen=True, slots=True)
class DrawnDate:
    """Date on the time line: a year, or a span with one end or two."""

    first: int
    last: int
    opens: bool = False  #: not after: nothing is known of the years before
    ends: bool = True  #: False for not before
    says: str = ""


@dataclass(frozen=True, slots=True)
class DateLane:
    """Lane of the time line: its name, the mark of its dates and the dates."""

    name: str
    cls: str
    dates: tuple[DrawnDate, ...]


@dataclass(frozen=True, slots=True)
class YearScale:
    """Whole centuries that hold all dates."""

    first: int
    last: int

    def across(self, year: float) -> str:
        """Position of a year, as a percentage of the width."""
        share = (year - self.first) / (self.last - self.first)
        return f"{100 * max(0.0, min(1.0, share)):.2f}%"

    @property
    def ticks(self) -> tuple[int, ...]:
        """First years of the centuries."""
        return tuple(range(self.first, self.last + 1, _CENTURY))


def choose_years(lanes: Sequence[DateLane]) -> YearScale:
    """Return the centuries from the first date to the last."""
    years = [year for lane in lanes for date in lane.dates for year in (date.first, date.last)] or [_CENTURY]
    first = min(years) // _CENTURY * _CENTURY
    return YearScale(first, max(first, (max(years) - 1) // _CENTURY * _CENTURY) + _CENTURY)


def date_figure(lanes: Sequence[DateLane], says: str) -> nodes.container:
    """Time line with a lane for each way of seeing, one above the other, and its years below."""
    scale = choose_years(lanes)
    rows = [para(span(lane.name, cls="rv-lane-name"), _draw_lane(lane, scale), cls="rv-lane") for lane in lanes]
    axis = para(span(cls="rv-lane-name"), _draw_years(scale), cls="rv-lane")
    return block(*rows, axis, cls="rv-lanes", role="img", aria_label=says)


def _draw_lane(lane: DateLane, scale: YearScale) -> nodes.raw:
    grid = (f'<line class="rv-grid" x1="{x}" x2="{x}" y1="0" y2="100%"/>' for x in map(scale.across, scale.ticks))
    parts = [*grid, *(_draw_date(date, scale) for date in sorted(lane.dates, key=_is_point))]
    return wrap_svg("".join(parts), f"rv-lane-drawn {lane.cls}", HIDDEN_FROM_READERS)


def _is_point(date: DrawnDate) -> bool:
    return date.first == date.last and date.ends and not date.opens


def _draw_date(date: DrawnDate, scale: YearScale) -> str:
    title = f"<title>{escape(date.says)}</title>"
    if _is_point(date):
        return f'<g>{title}<circle cx="{scale.across(date.first)}" cy="32%" r="5"/></g>'
    first = date.first - _OPEN_YEARS if date.opens else date.first
    last = date.last if date.ends else date.last + _OPEN_YEARS
    ends = f'x1="{scale.across(first)}" x2="{scale.across(last)}"'
    broken = _BROKEN if date.opens or not date.ends else ' class="rv-span"'
    ticks = [year for year, known in ((date.first, not date.opens), (date.last, date.ends)) if known]
    marks = (f'<line class="rv-span" x1="{x}" x2="{x}" y1="62%" y2="88%"/>' for x in map(scale.across, ticks))
    return f'<g>{title}<line{broken} {ends} y1="75%" y2="75%"/>{"".join(marks)}</g>'


def _draw_years(scale: YearScale) -> nodes.raw:
    anchors: Mapping[int, str] = {scale.first: "start", scale.last: "end"}
    parts = (
        f'<text x="{scale.across(year)}" y="80%" text-anchor="{anchors.get(year, "middle")}">{year}</text>'
        for year in scale.ticks
    )
    return wrap_svg("".join(parts), "rv-lane-axis", HIDDEN_FROM_READERS)
