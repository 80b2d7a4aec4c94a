"""The dearest questions for a narrow screen: every question a line of words with a small bar below it.

A figure that is drawn for a page would shrink on a phone until nobody could read it. Here the words are words of the
page, and only marks are drawn: a mark for every policy, with its interval, on one scale by powers of ten for all lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

from docutils import nodes

from edition.analysis.costs import percent
from edition.nodes.builders import Content, block, filled, link, listed, para, span
from edition.nodes.charts import Line
from engine.survey.statistics import Estimate

WIDE, HIGH = 320, 26  # of a bar, in units of the drawing
MARKS: Sequence[str] = ('<circle r="4.5" ', '<rect width="8" height="8" x="-4" y="-4" ', '<path d="M0 -6 5 4 -5 4Z" ')


def bars(lines: Sequence[Line], legend: Sequence[str]) -> nodes.container:
    """All lines under a scale, with what the marks mean."""
    known = [one for _, row in lines for one in row if one is not None and one.value > 0]
    if not known:
        return block(cls="rv-bars")
    low = floor(log10(min(one.value for one in known)))
    high = max(ceil(log10(max(one.high for one in known))), low + 1)
    rows = [filled(nodes.list_item(), [line(one, legend, low, high)]) for one in lines]
    listed_ = filled(nodes.bullet_list(bullet="*"), rows)
    key = para(*key_words(legend), cls="rv-small")
    return block(key, drawing(scale(low, high), "rv-bar-scale"), listed_, cls="rv-bars")


def key_words(legend: Sequence[str]) -> Iterator[Content]:
    """Which mark is which policy."""
    for nth, name in enumerate(legend):
        yield from (", " if nth else "", inline(mark(nth, 8, 8), 16, 16), f" {name[:1].lower()}{name[1:]}")
    yield "; the scale goes by powers of ten, in hundredths of the opening pool."


def line(one: Line, legend: Sequence[str], low: int, high: int) -> nodes.container:
    """One question: its name, its figures, and its bar."""
    name, row = one
    id, _, slug = name.partition(" ")
    said = [f"{how[:1].lower()}{how[1:]} {share(est)}" for how, est in zip(legend, row, strict=True)]
    words = para(*listed(link("question", id, id, cls="rv-id")), f" {slug} ", span("; ".join(said), cls="rv-small"))
    return block(words, drawing("".join([*grid(low, high), *marked(row, low, high)]), "rv-bar"))


def share(one: Estimate | None) -> str:
    """A figure in words."""
    return "not surveyed" if one is None else percent(one.value / 100)


def place(value: float, low: int, high: int) -> float:
    """Where a value stands on the scale."""
    return 8 + (WIDE - 16) * (log10(max(value, 10.0**low)) - low) / (high - low)


def marked(row: Sequence[Estimate | None], low: int, high: int) -> Iterator[str]:
    """The marks of one question with their intervals, one policy below the other."""
    step = HIGH / (len(row) + 1)
    for nth, one in enumerate(row):
        if one is not None and one.value > 0:
            left, right, down = place(one.low, low, high), place(one.high, low, high), step * (nth + 1)
            yield f'<line class="rv-bar-{nth}" x1="{left:.1f}" x2="{right:.1f}" y1="{down:.1f}" y2="{down:.1f}"/>'
            yield mark(nth, place(one.value, low, high), down)


def mark(nth: int, across: float, down: float) -> str:
    """The mark of a policy: told apart by its shape."""
    shape = MARKS[nth % len(MARKS)]
    return f'<g transform="translate({across:.1f} {down:.1f})">{shape}class="rv-bar-{nth}"/></g>'


def grid(low: int, high: int) -> Iterator[str]:
    """A fine line for every power of ten."""
    for power in range(low, high + 1):
        at = place(10.0**power, low, high)
        yield f'<line class="rv-bar-grid" x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="{HIGH}"/>'


def scale(low: int, high: int) -> str:
    """The powers of ten, written out."""
    anchors = {low: "start", high: "end"}
    return "".join(
        f'<text x="{place(10.0**power, low, high):.1f}" y="18" text-anchor="{anchors.get(power, "middle")}">'
        f"{10.0**power:g}</text>"
        for power in range(low, high + 1)
    )


def drawing(inside: str, cls: str) -> nodes.raw:
    """Marks as a part of the page; what they show is said in words beside them."""
    svg = f'<svg class="{cls}" viewBox="0 0 {WIDE} {HIGH}" aria-hidden="true" focusable="false">{inside}</svg>'
    return nodes.raw("", svg, format="html")


def inline(inside: str, wide: int, high: int) -> nodes.raw:
    """A mark within a line."""
    svg = f'<svg class="rv-bar-key" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" aria-hidden="true">'
    return nodes.raw("", f"{svg}{inside}</svg>", format="html")
