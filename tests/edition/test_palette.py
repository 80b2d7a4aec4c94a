"""The palette: every hue can be read on every ground, and no two slots are taken for one another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import dist

import pytest

from edition.palette import DARK_HUES, LIGHT_HUES, SHAPES, format_slot_classes
from edition.settings import DARK, LIGHT
from rulebook.colours import COLOUR_SLOTS

#: Paper, sunk and raised grounds, and the card table.
GROUNDS = ("rv-paper", "rv-sunk", "rv-raised", "rv-felt")
SCHEMES = {"light": LIGHT, "dark": {**LIGHT, **DARK}}
#: How an eye sees linear light: Machado, Oliveira and Fernandes 2009, at full severity.
EYES: Mapping[str, Sequence[Sequence[float]]] = {
    "any": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
LEAST_CONTRAST = 4.5
LEAST_DISTANCE = 0.07  #: in OKLab; side by side an eye tells apart a third of that


def linear(colour: str) -> list[float]:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, other: str) -> float:
    """As WCAG 2 computes it."""
    light = sorted(sum(k * part for k, part in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) + 0.05
                   for c in (one, other))  # fmt: skip
    return light[1] / light[0]


def seen(colour: str, eye: str) -> tuple[float, ...]:
    """Lightness and hue of a colour in OKLab, as an eye sees it."""
    red, green, blue = (
        min(1.0, max(0.0, sum(k * part for k, part in zip(row, linear(colour), strict=True)))) for row in EYES[eye]
    )
    cones = (
        (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3),
        (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3),
        (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3),
    )
    rows = ((0.2104542553, 0.793617785, -0.0040720468), (1.9779984951, -2.428592205, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.808675766))  # fmt: skip
    return tuple(sum(k * cone for k, cone in zip(row, cones, strict=True)) for row in rows)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", GROUNDS)
def test_every_hue_can_be_read_on_every_ground(scheme: str, ground: str) -> None:
    colours = SCHEMES[scheme]
    found = {slot: contrast(colours[f"rv-s{slot}"], colours[ground]) for slot in range(1, COLOUR_SLOTS + 1)}
    assert {slot: round(one, 2) for slot, one in found.items() if one < LEAST_CONTRAST} == {}


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("hues", [LIGHT_HUES, DARK_HUES], ids=["light", "dark"])
def test_any_two_hues_differ_for_the_colour_blind_too(hues: Sequence[str], eye: str) -> None:
    near = {(one, other): dist(seen(one, eye), seen(other, eye)) for one, other in combinations(hues, 2)}
    assert {pair: round(far, 3) for pair, far in near.items() if far < LEAST_DISTANCE} == {}


def test_the_measures_find_what_is_hard_to_read_or_to_tell_apart() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21) and contrast("#999999", "#ffffff") < LEAST_CONTRAST
    red, green = "#8c4b00", "#5b6600"  # told apart by everybody else
    assert dist(seen(red, "any"), seen(green, "any")) > LEAST_DISTANCE > dist(seen(red, "deuteranopia"),
                                                                              seen(green, "deuteranopia"))  # fmt: skip


def shape_of(slot: int) -> tuple[int, bool]:
    """The shape of a slot, by its number, and whether it is hatched."""
    classes = format_slot_classes(slot).split()
    own = int(classes[0].removeprefix("rv-s"))
    other = [int(one.removeprefix("rv-m")) for one in classes if re.fullmatch(r"rv-m\d", one)]
    return (other or [own])[0], "rv-hatch" in classes


def test_every_colour_has_a_shape_of_its_own_and_later_slots_look_otherwise() -> None:
    assert len(LIGHT_HUES) == len(DARK_HUES) == len(SHAPES) == len({*SHAPES.values()}) == COLOUR_SLOTS
    assert len({shape_of(slot) for slot in range(1, 2 * COLOUR_SLOTS + 1)}) == 2 * COLOUR_SLOTS
    assert [shape_of(slot) for slot in (1, 8, 9, 16)] == [(1, False), (8, False), (1, True), (8, True)]
    many = range(1, 2 * COLOUR_SLOTS * COLOUR_SLOTS + 1)
    assert len({format_slot_classes(slot) for slot in many}) == len({((slot - 1) % COLOUR_SLOTS, *shape_of(slot))
                                                                     for slot in many}) == len(many)  # fmt: skip
