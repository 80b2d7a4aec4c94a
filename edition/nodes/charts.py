"""Pictures of figures: drawn by matplotlib, then made part of the page.

A picture takes its colours from the page (so that it can be read in the dark too) and its letters from the page's
sans-serif; it has attributes only and no style of its own, which the policy of the pages forbids. It bears a title and
a description for those who do not see it. The same figures make the same letters: there is neither a date in it nor a
name drawn by lot. Every figure that is drawn stands in a table beside it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from lxml import etree

from engine.survey.clustering import Node
from engine.survey.statistics import Estimate

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
INK, FAINT, RED, BLUE = "#010101", "#020202", "#030303", "#040404"  # stand for the colours of the page
COLOURS: Mapping[str, str] = {
    INK: "currentColor",
    FAINT: "var(--color-foreground-muted)",
    RED: "var(--rv-red)",
    BLUE: "var(--color-brand-content)",
}
MARKS = (("o", RED), ("D", BLUE), ("s", INK))  #: told apart by their shape, not by their colour alone
SIZE = 11
SHAPES: Mapping[str, float] = {"wide": 7.6, "square": 3.4, "tree": 4.3}  #: inches; type.css says how each may shrink


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn, in words: a name for its parts, a title, and all that it shows."""

    name: str
    title: str
    says: str


def drawn(picture: Picture, shape: str, height: float, draw: Callable[[Any], None]) -> str:
    """A picture as a part of a page."""
    logging.getLogger("matplotlib").setLevel(logging.WARNING)  # it tells of every font it looks at
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    style: Any = {"svg.fonttype": "none", "svg.hashsalt": picture.name, "font.size": SIZE, **STYLE}
    with rc_context(style):
        figure = Figure(figsize=(SHAPES[shape], height), layout="constrained")
        draw(figure.add_subplot())
        found = BytesIO()
        figure.savefig(found, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return part_of_page(found.getvalue(), picture, shape)


STYLE: Mapping[str, Any] = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "legend.labelcolor"), INK),
    **dict.fromkeys(("axes.edgecolor", "grid.color"), FAINT),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
    "grid.alpha": 0.35,
    "axes.unicode_minus": False,
}


# ---- into the page
def part_of_page(letters: bytes, picture: Picture, shape: str) -> str:
    """The picture with names that no other bears, the colours and letters of the page, and words for the ear."""
    root: Any = etree.fromstring(letters)
    for odd in [*root.iter(f"{SVG}metadata"), *root.iter(f"{SVG}style")]:
        odd.getparent().remove(odd)
    for element in root.iter(etree.Element):
        renamed(element, picture.name)
        coloured(element)
    del root.attrib["width"], root.attrib["height"]
    root.attrib.update({"class": f"rv-plot rv-plot-{shape}", "role": "img", "aria-labelledby": f"{picture.name}-title"})
    root.attrib["aria-describedby"] = f"{picture.name}-desc"
    for at, (tag, said) in enumerate((("title", picture.title), ("desc", picture.says))):
        told = etree.Element(f"{SVG}{tag}", id=f"{picture.name}-{tag}")
        told.text = said
        root.insert(at, told)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode")


def renamed(element: Any, name: str) -> None:
    """Every name within a picture begins with the picture's own."""
    if "id" in element.attrib:
        element.attrib["id"] = f"{name}-{element.attrib['id']}"
    if LINK in element.attrib:
        element.attrib["href"] = f"#{name}-{element.attrib.pop(LINK).removeprefix('#')}"
    if element.attrib.get("clip-path", "").startswith("url(#"):
        element.attrib["clip-path"] = element.attrib["clip-path"].replace("url(#", f"url(#{name}-")


def coloured(element: Any) -> None:
    """Its style as attributes, in the page's colours; words have the page's letters."""
    style = dict(settings(element.attrib.pop("style", "")))
    if element.tag == f"{SVG}text":
        style = {"fill": COLOURS[INK], **style}
    for key, value in style.items():
        element.attrib[key] = COLOURS.get(value, value)


def settings(style: str) -> Iterator[tuple[str, str]]:
    """What a style sets; of a font only its size."""
    for piece in filter(None, map(str.strip, style.split(";"))):
        key, _, value = (part.strip() for part in piece.partition(":"))
        if key == "font":
            yield "font-size", next(word for word in value.split() if word.endswith("px"))
        elif key != "font-family":
            yield key, value


# ---- the pictures
Line = tuple[str, Sequence["Estimate | None"]]


def forest(picture: Picture, lines: Sequence[Line], legend: Sequence[str], axis: str) -> str:
    """Values with their intervals, line under line, on a scale by powers of ten."""
    step = 0.5 / max(len(legend), 1)

    def draw(axes: Any) -> None:
        for nth, name in enumerate(legend):
            mark, colour = MARKS[nth % len(MARKS)]
            some = [(at + step * (nth - (len(legend) - 1) / 2), row[nth]) for at, (_, row) in enumerate(lines)]
            known = [(at, one) for at, one in some if one is not None and one.value > 0]
            off = [[max(0.0, one.value - one.low) for _, one in known], [one.high - one.value for _, one in known]]
            style = {"fmt": mark, "color": colour, "markersize": 5, "elinewidth": 1.4, "label": name}
            axes.errorbar([one.value for _, one in known], [at for at, _ in known], xerr=off, **style)
        axes.set_xscale("log")
        axes.set_yticks(range(len(lines)), [name for name, _ in lines])
        axes.set_ylim(len(lines) - 0.4, -0.6)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(between_powers(axes))
        axes.grid(axis="x")
        axes.set_xlabel(axis)
        axes.figure.legend(loc="outside upper left", ncols=2)

    return drawn(picture, "wide", 1.2 + 0.36 * len(lines), draw)


def between_powers(axes: Any) -> Callable[[float, object], str]:
    """What stands between two powers of ten: a number where hardly any power is seen, otherwise nothing."""
    low, high = axes.get_xlim()
    return lambda value, _: f"{value:g}" if high < 20 * low and f"{value:e}"[0] in "25" else ""


Square = Mapping[frozenset[str], float]


def heat(picture: Picture, names: Sequence[str], far: Square, words: Callable[[float], str]) -> str:
    """Every two sources in a square: the farther apart, the darker, and the number in it."""
    most = max(far.values(), default=0.0) or 1.0

    def draw(axes: Any) -> None:
        from matplotlib.patches import Rectangle

        for down, one in enumerate(names):
            for across, other in enumerate(names):
                value = far.get(frozenset((one, other)), 0.0)
                square: dict[str, Any] = {
                    "facecolor": RED,
                    "edgecolor": FAINT,
                    "linewidth": 0.5,
                    "alpha": 0.05 + 0.4 * value / most,
                }
                axes.add_patch(Rectangle((across - 0.5, down - 0.5), 1, 1, **square))
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

    return drawn(picture, "square", 3.4, draw)


def branches(picture: Picture, tree: Node, axis: str) -> str:
    """A tree, its leaves at the right, every fork at its height."""
    rows = {leaf: at for at, leaf in enumerate(tree.leaves)}

    def draw(axes: Any) -> None:
        grow(axes, tree, rows)
        axes.set_xlim(tree.height * 1.06 or 1.0, 0)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.yaxis.tick_right()
        axes.set_yticks(range(len(rows)), tree.leaves)
        axes.tick_params(axis="y", length=0)
        for side in ("left", "right"):
            axes.spines[side].set_visible(False)
        axes.set_xlabel(axis)

    return drawn(picture, "tree", 0.9 + 0.42 * len(rows), draw)


def grow(axes: Any, node: Node, rows: Mapping[str, int]) -> float:
    """One branch with all that grows from it; its place among the rows."""
    if not node.branches:
        return float(rows[node.leaves[0]])
    places = [grow(axes, one, rows) for one in node.branches]
    for one, place in zip(node.branches, places, strict=True):
        axes.plot([one.height, node.height], [place, place], color=INK, linewidth=1.4, solid_capstyle="butt")
    axes.plot([node.height, node.height], places, color=INK, linewidth=1.4)
    return sum(places) / len(places)
