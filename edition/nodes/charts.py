"""Charts drawn by matplotlib as SVG that is part of the page.

A chart takes its colours from the page (so that it can be read in dark mode too) and the page's sans-serif font; it
has attributes only and no style of its own, which the policy of the pages forbids. It has a title and a description
for screen readers. The same figures give the same bytes: there is neither a date nor a random name in it. Every
figure that is drawn stands in a table beside it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from lxml import etree

from engine.survey.clustering import TreeNode
from engine.survey.statistics import Estimate

_SVG_NS = "{http://www.w3.org/2000/svg}"
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_INK, _FAINT, _RED, _BLUE = "#010101", "#020202", "#030303", "#040404"  # stand for the colours of the page
_PAGE_COLOURS: Mapping[str, str] = {
    _INK: "currentColor",
    _FAINT: "var(--rv-soft)",
    _RED: "var(--rv-red)",
    _BLUE: "var(--rv-ink)",
}
_POLICY_MARKERS = (("o", _RED), ("D", _BLUE), ("s", _INK))  #: told apart by their shape, not by their colour alone
_FONT_SIZE = 11
#: inches; type.css says how each may shrink
_FIGURE_WIDTHS: Mapping[str, float] = {"wide": 7.6, "square": 3.4, "tree": 4.3}


@dataclass(frozen=True, slots=True)
class ChartDescription:
    """Text of a chart: the prefix of its ids, its title and its full description."""

    name: str
    title: str
    says: str


def _render_svg(picture: ChartDescription, shape: str, height: float, draw: Callable[[Any], None]) -> str:
    """Draw a chart and return it as SVG to embed in a page."""
    logging.getLogger("matplotlib").setLevel(logging.WARNING)  # it tells of every font it looks at
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    style: Any = {"svg.fonttype": "none", "svg.hashsalt": picture.name, "font.size": _FONT_SIZE, **_RC_STYLE}
    with rc_context(style):
        figure = Figure(figsize=(_FIGURE_WIDTHS[shape], height), layout="constrained")
        draw(figure.add_subplot())
        found = BytesIO()
        figure.savefig(found, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _embed_svg(found.getvalue(), picture, shape)


_RC_STYLE: Mapping[str, Any] = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "legend.labelcolor"), _INK),
    **dict.fromkeys(("axes.edgecolor", "grid.color"), _FAINT),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
    "grid.alpha": 0.35,
    "axes.unicode_minus": False,
}


# ---- into the page
def _embed_svg(letters: bytes, picture: ChartDescription, shape: str) -> str:
    """SVG for a page: unique ids, page colours and fonts, title and description."""
    root: Any = etree.fromstring(letters)
    for odd in [*root.iter(f"{_SVG_NS}metadata"), *root.iter(f"{_SVG_NS}style")]:
        odd.getparent().remove(odd)
    for element in root.iter(etree.Element):
        _prefix_svg_ids(element, picture.name)
        _apply_page_colours(element)
    del root.attrib["width"], root.attrib["height"]
    root.attrib.update({"class": f"rv-plot rv-plot-{shape}", "role": "img", "aria-labelledby": f"{picture.name}-title"})
    root.attrib["aria-describedby"] = f"{picture.name}-desc"
    for at, (tag, said) in enumerate((("title", picture.title), ("desc", picture.says))):
        told = etree.Element(f"{_SVG_NS}{tag}", id=f"{picture.name}-{tag}")
        told.text = said
        root.insert(at, told)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode")


def _prefix_svg_ids(element: Any, name: str) -> None:
    """Prefix all ids in a chart, and the references to them, with its name."""
    if "id" in element.attrib:
        element.attrib["id"] = f"{name}-{element.attrib['id']}"
    if _XLINK_HREF in element.attrib:
        element.attrib["href"] = f"#{name}-{element.attrib.pop(_XLINK_HREF).removeprefix('#')}"
    if element.attrib.get("clip-path", "").startswith("url(#"):
        element.attrib["clip-path"] = element.attrib["clip-path"].replace("url(#", f"url(#{name}-")


def _apply_page_colours(element: Any) -> None:
    """Turn the style of an element into attributes in the colours of the page; text takes the font of the page."""
    style = dict(_parse_style(element.attrib.pop("style", "")))
    if element.tag == f"{_SVG_NS}text":
        style = {"fill": _PAGE_COLOURS[_INK], **style}
    for key, value in style.items():
        element.attrib[key] = _PAGE_COLOURS.get(value, value)


def _parse_style(style: str) -> Iterator[tuple[str, str]]:
    """Declarations of a style attribute; of a font only its size."""
    for piece in filter(None, map(str.strip, style.split(";"))):
        key, _, value = (part.strip() for part in piece.partition(":"))
        if key == "font":
            yield "font-size", next(word for word in value.split() if word.endswith("px"))
        elif key != "font-family":
            yield key, value


# ---- the pictures
EstimateLine = tuple[str, Sequence["Estimate | None"]]


def render_forest_plot(
    picture: ChartDescription, lines: Sequence[EstimateLine], legend: Sequence[str], axis: str
) -> str:
    """Forest plot: values with their intervals on a logarithmic scale."""
    step = 0.5 / max(len(legend), 1)

    def draw(axes: Any) -> None:
        for nth, name in enumerate(legend):
            mark, colour = _POLICY_MARKERS[nth % len(_POLICY_MARKERS)]
            some = [(at + step * (nth - (len(legend) - 1) / 2), row[nth]) for at, (_, row) in enumerate(lines)]
            known = [(at, one) for at, one in some if one is not None and one.value > 0]
            off = [[max(0.0, one.value - one.low) for _, one in known], [one.high - one.value for _, one in known]]
            style = {"fmt": mark, "color": colour, "markersize": 5, "elinewidth": 1.4, "label": name}
            axes.errorbar([one.value for _, one in known], [at for at, _ in known], xerr=off, **style)
        axes.set_xscale("log")
        axes.set_yticks(range(len(lines)), [name for name, _ in lines])
        axes.set_ylim(len(lines) - 0.4, -0.6)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(_format_minor_ticks(axes))
        axes.grid(axis="x")
        axes.set_xlabel(axis)
        axes.figure.legend(loc="outside upper left", ncols=2)

    return _render_svg(picture, "wide", 1.2 + 0.36 * len(lines), draw)


def _format_minor_ticks(axes: Any) -> Callable[[float, object], str]:
    """Formatter of minor ticks: a number where the axis spans hardly a power of ten, else nothing."""
    low, high = axes.get_xlim()
    return lambda value, _: f"{value:g}" if high < 20 * low and f"{value:e}"[0] in "25" else ""


_PairDistances = Mapping[frozenset[str], float]


def render_heat_map(
    picture: ChartDescription, names: Sequence[str], far: _PairDistances, words: Callable[[float], str]
) -> str:
    """Heat map of the distances of every two sources: the farther apart, the darker, each with its number."""
    most = max(far.values(), default=0.0) or 1.0

    def draw(axes: Any) -> None:
        from matplotlib.patches import Rectangle

        for down, one in enumerate(names):
            for across, other in enumerate(names):
                value = far.get(frozenset((one, other)), 0.0)
                style: dict[str, Any] = {"facecolor": _RED, "edgecolor": _FAINT, "linewidth": 0.5}
                shade = 0.05 + 0.4 * value / most
                axes.add_patch(Rectangle((across - 0.5, down - 0.5), 1, 1, alpha=shade, **style))
                shown = "–" if one == other else words(value)
                axes.text(across, down, shown, ha="center", va="center")
        axes.set_xticks(range(len(names)), names)
        axes.set_yticks(range(len(names)), names)
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_aspect("equal")

    return _render_svg(picture, "square", 3.4, draw)


def render_dendrogram(picture: ChartDescription, tree: TreeNode, axis: str) -> str:
    """Dendrogram with its leaves on the right and every fork at its height."""
    rows = {leaf: at for at, leaf in enumerate(tree.leaves)}

    def draw(axes: Any) -> None:
        _draw_branch(axes, tree, rows)
        axes.set_xlim(tree.height * 1.06 or 1.0, 0)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.yaxis.tick_right()
        axes.set_yticks(range(len(rows)), tree.leaves)
        axes.tick_params(axis="y", length=0)
        for side in ("left", "right"):
            axes.spines[side].set_visible(False)
        axes.set_xlabel(axis)

    return _render_svg(picture, "tree", 0.9 + 0.42 * len(rows), draw)


def _draw_branch(axes: Any, node: TreeNode, rows: Mapping[str, int]) -> float:
    """Draw a branch with all below it; return its position among the rows."""
    if not node.branches:
        return float(rows[node.leaves[0]])
    places = [_draw_branch(axes, one, rows) for one in node.branches]
    for one, place in zip(node.branches, places, strict=True):
        axes.plot([one.height, node.height], [place, place], color=_INK, linewidth=1.4, solid_capstyle="butt")
    axes.plot([node.height, node.height], places, color=_INK, linewidth=1.4)
    return sum(places) / len(places)
