"""How the table looks: nothing overlaps, is cut off or scrolls in play, at any size, by any book; nothing jumps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proofs.table_looks import SIZES, TWICE
from proofs.table_positions import SOURCES, find_position
from proofs.table_scenes import (
    SCENES,
    list_axe_findings,
    list_faults,
    open_page,
    open_tables,
    play_for_shifts,
    show_scene,
)
from rulebook.model import Library

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SOME_SIZES = ((390, 664), (360, 640), (1366, 650))
SOME_SCENES = ("exchange PAM", "early GER", "late HOY", "dim PAM")
MOST_SHIFT = 0.02  #: of the window, over a deal


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with open_tables(site) as found:
        yield found


@pytest.fixture
def page(browser: Any, library: Library) -> Iterator[Any]:
    tab = open_page(browser, library, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    yield tab
    tab.context.close()


def look(page: Any, library: Library, address: str, name: str, sizes: tuple[tuple[int, int], ...]) -> list[str]:
    """Show a scene and list what is amiss at each size."""
    scene = SCENES[name]
    show_scene(page, address, scene, find_position(library, scene.position) if scene.position else None)
    faults = list[str]()
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(60)
        faults += [f"{name}, {width} x {height}: {fault}" for fault in list_faults(page, scene)]
    return faults


def test_nothing_overlaps_or_scrolls_in_play(page: Any, library: Library, address: str) -> None:
    faults = [fault for name in SOME_SCENES for fault in look(page, library, address, name, SOME_SIZES)]
    assert faults + list_axe_findings(page) == []


def test_a_fault_would_be_listed(page: Any, library: Library, address: str) -> None:
    look(page, library, address, "late HOY", ((390, 664),))
    page.evaluate("""() => {
      document.querySelector(".pl-say").style.marginTop = "-2rem";
      document.querySelector(".pl-pool strong").style.marginLeft = "30rem";
      document.querySelector(".pl-acts button").style.minHeight = "auto";
    }""")
    faults = " ".join(list_faults(page, SCENES["late HOY"]))
    assert "pl-say" in faults and "beside the felt" in faults and "target" in faults


def measure_shift(
    browser: Any, library: Library, address: str, source: str, size: tuple[int, int], speed: int
) -> float:
    """Play a deal in a window with motion, and measure how far things move by themselves, as layout shift."""
    page = open_page(browser, library, viewport={"width": size[0], "height": size[1]})
    scene = replace(SCENES[f"exchange {source}"], settings={"speed": speed})
    show_scene(page, address, scene, find_position(library, scene.position))
    shifts = play_for_shifts(page)
    page.context.close()
    assert shifts  # something always moves: none would mean that nothing was measured
    return sum(shift["value"] for shift in shifts)


def test_nothing_jumps_while_a_deal_is_played(browser: Any, library: Library, address: str) -> None:
    assert measure_shift(browser, library, address, "PAM", (390, 844), 2) < MOST_SHIFT


@pytest.mark.nightly
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("size", SIZES)
def test_nothing_jumps_by_any_book(
    browser: Any, library: Library, address: str, source: str, size: tuple[int, int]
) -> None:
    assert measure_shift(browser, library, address, source, size, 1) < MOST_SHIFT


@pytest.mark.nightly
@pytest.mark.parametrize("name", SCENES)
def test_every_scene_fits_at_every_size(page: Any, library: Library, address: str, name: str) -> None:
    faults = look(page, library, address, name, (*SIZES, TWICE))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        faults += list_axe_findings(page)
    assert faults == []
