"""Costliest questions for a narrow screen: lines of text with a small bar below.

A figure that is drawn for a page would shrink on a phone until it is unreadable. Here the text is text of the page,
and only marks are drawn: a mark for every policy, with its interval, on one logarithmic scale for all lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

from docutils import nodes

from edition.analysis.costs import format_cost_percent
from edition.nodes.builders import Content, block, fill_node, link, para, span
from edition.nodes.charts import EstimateLine
from engine.survey.statistics import Estimate

BAR_WIDTH, BAR_HEIGHT = 320, 26  # of a bar, in units of the drawing
_POLICY_MARKERS: Sequence[str] = (
    '<circle r="4.5" ',
    '<rect width="8" height="8" x="-4" y="-4" ',
    '<path d="M0 -6 5 4 -5 4Z" ',
)


def build_bar_list(lines: Sequence[EstimateLine], legend: Sequence[str]) -> nodes.container:
    """Bar list with a shared logarithmic scale and a legend."""
    known = [one for _, row in lines for one in row if one is not None and one.value > 0]
    if not known:
        return block(cls="rv-bars")
    low = floor(log10(min(one.value for one in known)))
    high = max(ceil(log10(max(one.high for one in known))), low + 1)
    rows = [fill_node(nodes.list_item(), [_build_bar_line(one, legend, low, high)]) for one in lines]
    listed_ = fill_node(nodes.bullet_list(bullet="*"), rows)
    key = para(*_build_legend(legend), cls="rv-small")
    return block(key, _wrap_bar_svg(_draw_scale(low, high), "rv-bar-scale"), listed_, cls="rv-bars")


def _build_legend(legend: Sequence[str]) -> Iterator[Content]:
    """Legend: one marker per policy."""
    for nth, name in enumerate(legend):
        sign = _wrap_inline_svg(_draw_marker(nth, 8, 8), 16, 16)
        yield from (", " if nth else "", sign, f" {name[:1].lower()}{name[1:]}")
    yield "; the scale goes by powers of ten, in hundredths of the opening pool."


def _build_bar_line(one: EstimateLine, legend: Sequence[str], low: int, high: int) -> nodes.container:
    """One question: its name, its figures and its bar."""
    name, row = one
    id, _, slug = name.partition(" ")
    shares = ("not surveyed" if each is None else format_cost_percent(each.value / 100) for each in row)
    said = [f"{how[:1].lower()}{how[1:]} {share}" for how, share in zip(legend, shares, strict=True)]
    words = para(link("question", id, id, cls="rv-id"), f" {slug} ", span("; ".join(said), cls="rv-small"))
    marks = [*_draw_grid_lines(low, high), *draw_estimate_markers(row, low, high)]
    return block(words, _wrap_bar_svg("".join(marks), "rv-bar"))


def locate_on_log_scale(value: float, low: int, high: int) -> float:
    """Horizontal position of a value on the logarithmic scale, in drawing units."""
    return 8 + (BAR_WIDTH - 16) * (log10(max(value, 10.0**low)) - low) / (high - low)


def draw_estimate_markers(row: Sequence[Estimate | None], low: int, high: int) -> Iterator[str]:
    """Markers of one question with their intervals, one policy below the other."""
    step = BAR_HEIGHT / (len(row) + 1)
    for nth, one in enumerate(row):
        if one is not None and one.value > 0:
            left, at, right = (locate_on_log_scale(each, low, high) for each in (one.low, one.value, one.high))
            down = step * (nth + 1)
            yield f'<line class="rv-bar-{nth}" x1="{left:.1f}" x2="{right:.1f}" y1="{down:.1f}" y2="{down:.1f}"/>'
            yield _draw_marker(nth, at, down)


def _draw_marker(nth: int, across: float, down: float) -> str:
    """Marker of a policy; policies differ in shape, not only in colour."""
    shape = _POLICY_MARKERS[nth % len(_POLICY_MARKERS)]
    return f'<g transform="translate({across:.1f} {down:.1f})">{shape}class="rv-bar-{nth}"/></g>'


def _draw_grid_lines(low: int, high: int) -> Iterator[str]:
    """Grid line for every power of ten."""
    for power in range(low, high + 1):
        at = locate_on_log_scale(10.0**power, low, high)
        yield f'<line class="rv-bar-grid" x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="{BAR_HEIGHT}"/>'


def _draw_scale(low: int, high: int) -> str:
    """Labels of the scale, one for every power of ten."""
    anchors = {low: "start", high: "end"}
    return "".join(
        f'<text x="{locate_on_log_scale(10.0**power, low, high):.1f}" y="18" '
        f'text-anchor="{anchors.get(power, "middle")}">'
        f"{10.0**power:g}</text>"
        for power in range(low, high + 1)
    )


def _wrap_bar_svg(inside: str, cls: str) -> nodes.raw:
    """Drawing as an SVG hidden from screen readers; the text beside it holds the figures."""
    head = f'<svg class="{cls}" viewBox="0 0 {BAR_WIDTH} {BAR_HEIGHT}" aria-hidden="true" focusable="false">'
    return nodes.raw("", f"{head}{inside}</svg>", format="html")


def _wrap_inline_svg(inside: str, wide: int, high: int) -> nodes.raw:
    svg = f'<svg class="rv-bar-key" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" aria-hidden="true">'
    return nodes.raw("", f"{svg}{inside}</svg>", format="html")
