"""The trees of the books as drawings that a page of paper holds; those of the site have its own letters and width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from docutils import nodes

from edition.nodes.builders import block, para
from edition.nodes.charts import ChartScale, choose_scale
from edition.nodes.components import SourceMark
from reversis.views.surveys.distances import (
    DistancesView,
    FarView,
    describe_tree,
    render_lede,
)
from rulebook.distances import TreeNode

_WIDTH, _LEFT, _NAMES, _ROW, _FOOT = 460, 18, 262, 26, 30  #: of a drawing; where its names begin; a row; the scale
_TICKS = 3


def render_printed_trees(view: DistancesView | None) -> list[nodes.Node]:
    """Render what the distances say, and a tree for each measure that the site draws."""
    if view is None:
        return []
    drawn = (piece for measure in view.pictured for piece in _render_tree(view, measure))
    return [*render_lede(view), *drawn]


def _render_tree(view: DistancesView, measure: FarView) -> Iterator[nodes.Node]:
    if measure.tree is not None:
        caption, words = describe_tree(view, measure)
        drawn = draw_printed_tree(measure.tree, view.marks, words)
        yield block(para(caption, cls="bk-caption"), drawn, cls="bk-figure")


def draw_printed_tree(tree: TreeNode, marks: Mapping[str, SourceMark], says: str) -> nodes.raw:
    """Draw a tree of sources with its leaves on the right, their names and the scale."""
    scale = choose_scale(tree.height, _TICKS)
    rows = {leaf: (at + 0.5) * _ROW for at, leaf in enumerate(tree.leaves)}
    high = len(rows) * _ROW
    parts = [
        *(_draw_tick(scale, tick, high) for tick in scale.ticks),
        *_draw_branch(tree, rows, scale)[1],
        *(f'<text x="{_NAMES + 8}" y="{y + 5:.1f}">{escape(marks[leaf].name)}</text>' for leaf, y in rows.items()),
    ]
    size = f'viewBox="0 0 {_WIDTH} {high + _FOOT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="bk-tree" role="img" aria-label="{escape(says)}" {size}>'
    return nodes.raw("", f"{head}{''.join(parts)}</svg>", format="html")


def _across(scale: ChartScale, height: float) -> float:
    """Position of a height: the leaves, at nought, are on the right."""
    return _NAMES - (_NAMES - _LEFT) * height / scale.end


def _draw_tick(scale: ChartScale, tick: float, high: int) -> str:
    x = _across(scale, tick)
    label = f'<text x="{x:.1f}" y="{high + 20}" text-anchor="middle">{tick * 200:g} %</text>'
    return f"{_draw_line('bk-grid', x, x, 0, high)}{label}"


def _draw_line(cls: str, x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line class="{cls}" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}"/>'


def _draw_branch(node: TreeNode, rows: Mapping[str, float], scale: ChartScale) -> tuple[float, list[str]]:
    """Lines of a branch with all below it, and the height on the page at which it stands."""
    if not node.branches:
        return rows[node.leaves[0]], []
    parts = [_draw_branch(branch, rows, scale) for branch in node.branches]
    x = _across(scale, node.height)
    lines = [line for _, some in parts for line in some]
    for child, (y, _) in zip(node.branches, parts, strict=True):
        lines.append(_draw_line("bk-branch", _across(scale, child.height), x, y, y))
    places = [y for y, _ in parts]
    return sum(places) / len(places), [*lines, _draw_line("bk-branch", x, x, places[0], places[-1])]
