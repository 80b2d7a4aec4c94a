"""Charts drawn while the pages are built, as SVG that is part of the page.

Every position across is a percentage, so that a chart fills any width with straight axes and letters of one size.
Words stand outside the drawing, as text of the page, or are its labels. Bars are ink: colour means a book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, inf, log10

from docutils import nodes

from edition.nodes.builders import Content, block, bullet_list, para, span, strong
from edition.nodes.components import SourceMark, source_shape
from edition.palette import format_slot_classes
from rulebook.distances import TreeNode
from rulebook.estimates import Estimate

_MOST_TICKS, _TREE_TICKS = 5, 2  #: steps of a scale


@dataclass(frozen=True, slots=True)
class ChartScale:
    """Linear scale from nothing to its end, in hundredths, with its ticks."""

    end: float
    ticks: tuple[float, ...]

    def across(self, value: float) -> str:
        """Position of a value, as a percentage of the width."""
        return f"{100 * max(0.0, min(1.0, value / self.end)):.2f}%"


def choose_scale(most: float, ticks: int = _MOST_TICKS) -> ChartScale:
    """Return the scale with round ticks, at most so many steps, that holds the greatest value."""
    most = most if 0 < most < inf else 1.0
    power = 10.0 ** floor(log10(most))
    step = next(s for s in (power / 10, power / 5, power / 2, power, 2 * power, 5 * power) if most / s <= ticks)
    count = ceil(round(most / step, 9))
    return ChartScale(step * count, tuple(step * n for n in range(count + 1)))


# ---- bars


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """Bar of one value with its interval, and the other values that are marked beside it."""

    value: Estimate
    others: tuple[float, ...] = ()
    says: str = ""  #: all of it in words, for whoever points at the bar


@dataclass(frozen=True, slots=True)
class ChartRow:
    """Row of a bar chart: what it is of, the bar, its value and notes; *at* stands between name and bar."""

    label: Sequence[Content]
    bar: DrawnValue
    value: str
    notes: Sequence[Content] = ()
    at: Content = ""


def draw_bar(scale: ChartScale, bar: DrawnValue) -> nodes.raw:
    """Bar with grid lines, interval and marks; its words are its title, as its row says the value to all."""
    parts = [*_draw_grid(scale), f'<rect class="rv-bar" y="20%" width="{scale.across(bar.value.value)}" height="60%"/>']
    if bar.value.high < inf and bar.value.high > bar.value.low:
        ends = f'x1="{scale.across(bar.value.low)}" x2="{scale.across(bar.value.high)}"'
        parts.append(f'<line class="rv-interval" {ends} y1="50%" y2="50%"/>')
    marks = enumerate(map(scale.across, bar.others), 1)
    parts += [f'<rect class="rv-mark-{at}" x="{across}" width="3" height="100%"/>' for at, across in marks]
    return wrap_svg(f"<title>{escape(bar.says)}</title>{''.join(parts)}", "rv-bar-row", HIDDEN_FROM_READERS)


def draw_axis(scale: ChartScale) -> nodes.raw:
    """Labels of the ticks, in hundredths; hidden from screen readers, which are told every value."""
    return wrap_svg("".join(_label_ticks(scale)), "rv-bar-axis", HIDDEN_FROM_READERS)


def _label_ticks(scale: ChartScale) -> Iterator[str]:
    for tick in scale.ticks:
        yield f'<text x="{scale.across(tick)}" y="80%" text-anchor="middle">{tick * 100:g} %</text>'


def _draw_grid(scale: ChartScale) -> Iterator[str]:
    for tick in scale.ticks:
        yield f'<line class="rv-grid" x1="{scale.across(tick)}" x2="{scale.across(tick)}" y1="0" y2="100%"/>'


#: Attributes of a drawing that screen readers pass over.
HIDDEN_FROM_READERS = 'aria-hidden="true" focusable="false"'


def wrap_svg(inside: str, cls: str, attributes: str) -> nodes.raw:
    """Wrap the parts of a drawing as a node of the page."""
    return nodes.raw("", f'<svg class="{cls}" {attributes}>{inside}</svg>', format="html")


def bar_rows(rows: Iterable[ChartRow], scale: ChartScale, unit: str, cls: str = "") -> nodes.container:
    """Bar chart with one axis for all rows; *unit* says what is measured along it."""
    axis = para(span(unit, cls="rv-cost-unit"), draw_axis(scale), cls="rv-cost-axis")
    chart = bullet_list(([*_row_parts(row, scale)] for row in rows), cls="rv-cost-chart")
    return block(axis, chart, cls=f"rv-cost-figure {cls}")


def _row_parts(row: ChartRow, scale: ChartScale) -> Iterator[Content]:
    yield span(*row.label, cls="rv-cost-label")
    yield span(row.at, cls="rv-cost-at") if row.at else span(cls="rv-cost-at")
    yield draw_bar(scale, row.bar)
    yield strong(row.value, cls="rv-cost-value")
    yield span(*row.notes, cls="rv-cost-notes")


def bar_key(names: Sequence[str], extra: Iterable[Content] = ()) -> nodes.paragraph:
    """Key of a bar chart: what the bar is, and what the marks beside it are."""
    signs: list[Content] = []
    for at, name in enumerate(names):
        drawn = '<rect class="rv-bar" y="20%" width="100%" height="60%"/>' if not at else _KEY_MARK.format(at=at)
        signs.append(span(wrap_svg(drawn, "rv-bar-key", HIDDEN_FROM_READERS), f" {name[:1].lower()}{name[1:]}"))
    return para(*signs, *extra, cls="rv-cost-key")


_KEY_MARK = '<rect class="rv-mark-{at}" x="45%" width="3" height="100%"/>'


# ---- trees


def tree_figure(
    tree: TreeNode, sources: Mapping[str, SourceMark], caption: Sequence[Content], says: str
) -> nodes.container:
    """Tree of sources with its leaves on the right, at the places where their names stand."""
    rows = {leaf: at for at, leaf in enumerate(tree.leaves)}
    scale = choose_scale(tree.height, _TREE_TICKS)
    lines = [*_draw_grid_back(scale), *_draw_branch(tree, rows, scale)[1]]
    drawn = wrap_svg("".join(lines), "rv-tree-drawn", f'role="img" aria-label="{escape(says)}"')
    leaves = bullet_list(([_leaf(sources[leaf])] for leaf in tree.leaves), cls="rv-tree-leaves")
    axis = wrap_svg("".join(_label_ticks_back(scale)), "rv-bar-axis", HIDDEN_FROM_READERS)
    return block(
        para(*caption, cls="rv-tree-caption"),
        block(para(drawn, cls="rv-tree-lines"), leaves, para(axis, cls="rv-tree-axis"), cls="rv-tree-grid"),
        cls="rv-tree",
    )


def _leaf(source: SourceMark) -> nodes.inline:
    return span(source_shape(source), " ", source.name, cls=f"rv-leaf {format_slot_classes(source.slot)}")


def _back(scale: ChartScale, height: float) -> str:
    """Position of a height: the leaves, at nought, are on the right."""
    return scale.across(scale.end - height)


def _draw_grid_back(scale: ChartScale) -> Iterator[str]:
    for tick in scale.ticks:
        yield f'<line class="rv-grid" x1="{_back(scale, tick)}" x2="{_back(scale, tick)}" y1="0" y2="100%"/>'


def _label_ticks_back(scale: ChartScale) -> Iterator[str]:
    ends = {scale.ticks[0]: "end", scale.ticks[-1]: "start"}
    for tick in scale.ticks:
        anchor = ends.get(tick, "middle")
        yield f'<text x="{_back(scale, tick)}" y="80%" text-anchor="{anchor}">{tick * 200:g} %</text>'


def _draw_branch(node: TreeNode, rows: Mapping[str, int], scale: ChartScale) -> tuple[float, list[str]]:
    """Lines of a branch with all below it, and where it stands among the rows, as a percentage."""
    if not node.branches:
        return 100 * (rows[node.leaves[0]] + 0.5) / len(rows), []
    parts = [_draw_branch(branch, rows, scale) for branch in node.branches]
    at = _back(scale, node.height)
    lines = [line for _, some in parts for line in some]
    for branch, (place, _) in zip(node.branches, parts, strict=True):
        lines.append(f'<line x1="{_back(scale, branch.height)}" x2="{at}" y1="{place:.2f}%" y2="{place:.2f}%"/>')
    places = [place for place, _ in parts]
    lines.append(f'<line x1="{at}" x2="{at}" y1="{places[0]:.2f}%" y2="{places[-1]:.2f}%"/>')
    return sum(places) / len(places), lines
