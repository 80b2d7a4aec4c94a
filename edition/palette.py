"""Palette of the sources: for each slot a hue, in light and in dark, and a shape.

Every hue can be read as text on every ground of the pages (4.5:1 or more), and any two differ in lightness or hue
for the colour-blind too; the shape says the same again. No shape is a suit of the cards. `rulebook.colours` says which
source has which slot; nothing is known here of any source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

LIGHT_HUES: Sequence[str] = (
    *("#006fa3", "#8d6100", "#73287b", "#097859"),
    *("#2a3051", "#293901", "#5145bd", "#743c38"),
)
DARK_HUES: Sequence[str] = (
    *("#66c0ff", "#d4ab49", "#e896d2", "#72ddb0"),
    *("#88999f", "#f4e37d", "#a67dcf", "#d67464"),
)
#: Name of a shape -> the CSS that cuts it out of a square, in the order of the slots.
SHAPES: Mapping[str, str] = {
    "circle": "circle(45%)",  # whole wherever its square is cut to whole pixels
    "square": "inset(4%)",
    "triangle": "polygon(50% 0, 100% 94%, 0 94%)",
    "cross": "polygon(33% 0, 67% 0, 67% 33%, 100% 33%, 100% 67%, 67% 67%, 67% 100%, 33% 100%, 33% 67%, 0 67%, "
    "0 33%, 33% 33%)",
    "triangle that points down": "polygon(0 6%, 100% 6%, 50% 100%)",
    "bar": "polygon(0 30%, 100% 30%, 100% 70%, 0 70%)",
    "star": "polygon(50% 0, 62% 36%, 100% 38%, 70% 60%, 81% 97%, 50% 76%, 19% 97%, 30% 60%, 0 38%, 38% 36%)",
    "diagonal cross": "polygon(20% 0, 50% 30%, 80% 0, 100% 20%, 70% 50%, 100% 80%, 80% 100%, 50% 70%, 20% 100%, "
    "0 80%, 30% 50%, 0 20%)",
}
_SHAPE_STEP = 3  #: from a shape to that which its hue has next; it meets every shape once before it comes round


def list_hue_variables(hues: Sequence[str]) -> Mapping[str, str]:
    """Names and values of the CSS variables of the hues: rv-s1, rv-s2 ..."""
    return {f"rv-s{slot}": hue for slot, hue in enumerate(hues, 1)}


def list_shape_variables() -> Mapping[str, str]:
    """Names and values of the CSS variables of the shapes: rv-m1, rv-m2 ..."""
    return {f"rv-m{slot}": cut for slot, cut in enumerate(SHAPES.values(), 1)}


def format_slot_classes(slot: int) -> str:
    """CSS classes of a slot: its hue with its own shape; from the ninth slot on hatched, or with another shape."""
    return " ".join(_iter_slot_classes(slot - 1))


def _iter_slot_classes(place: int) -> Iterator[str]:
    turn, hue = divmod(place, len(LIGHT_HUES))
    yield f"rv-s{hue + 1}"
    if turn % 2:
        yield "rv-hatch"
    if turn // 2:
        yield f"rv-m{(hue + _SHAPE_STEP * (turn // 2)) % len(SHAPES) + 1}"
