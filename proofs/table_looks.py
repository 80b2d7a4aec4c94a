"""Pictures of the table in every state, size and light, and what is amiss in them.

    python -m proofs.table_looks [--site build/html] [--only WORD] [--size 390x844] [--out build/table-looks]

The positions are reached by play in Python (`proofs.table_positions`) and put into the page as its own store keeps
them; the engine that the page then asks is this Python, so that nobody waits for the browser's. For each size there is
a sheet with all pictures.
"""

from __future__ import annotations

import html
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from proofs.table_positions import find_position
from proofs.table_scenes import SCENES, BrowserPage, list_axe_findings, list_faults, open_page, open_tables, show_scene
from rulebook.io.files import replace_file
from rulebook.load import library
from rulebook.program_options import ProgramParser

SIZES = ((390, 844), (390, 664), (360, 640), (1024, 768), (1366, 650), (1366, 768), (1280, 800))
TWICE = (640, 400)  #: what a window of 1280 x 800 holds at 200 %
FOR_ALL_BOOKS = ((360, 640), (1366, 650))


@dataclass(frozen=True)
class Light:
    """The light of a window: its name, what the browser is asked for, and settings of the table."""

    name: str
    media: Mapping[str, str]
    settings: Mapping[str, object] = field(default_factory=dict)


LIGHTS = (
    Light("light", {"color_scheme": "light"}),
    Light("dark", {"color_scheme": "dark"}),
    Light("forced", {"color_scheme": "dark", "forced_colors": "active"}),
    Light("four suits", {"color_scheme": "light"}, {"suits": True}),
)
USUAL = {"color_scheme": "light", "forced_colors": "none", "reduced_motion": "reduce"}
_BESIDES = ("early PAM", "parting", "over PAM")  #: scenes that are looked at in the lights besides
_BESIDES_SIZES = ((390, 844), (1280, 800))


def is_looked_at(name: str, size: tuple[int, int], light: Light) -> bool:
    """Return whether a scene is looked at in this size and light."""
    if light is not LIGHTS[0]:
        return (name in _BESIDES or light is LIGHTS[1]) and size in _BESIDES_SIZES and SCENES[name].everywhere
    return SCENES[name].everywhere or size in FOR_ALL_BOOKS


def look_at_scene(page: BrowserPage, name: str, sizes: list[tuple[int, int]], out: Path) -> Iterator[str]:
    """Take the pictures of a scene that is shown; yield what is amiss."""
    for (width, height), light in ((size, light) for size in sizes for light in LIGHTS):
        if not is_looked_at(name, (width, height), light):
            continue
        page.emulate_media(**{**USUAL, **light.media})
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(
            "(four) => { document.querySelector('.pl').dataset.suits = four ? 'four' : 'two'; scrollTo(0, 0); }",
            "suits" in light.settings,
        )
        page.wait_for_timeout(60)
        page.screenshot(path=out / f"{name_picture(name, width, height, light)}.png")
        faults = list_faults(page, SCENES[name]) if light is LIGHTS[0] else []
        looks_axe = (width, height) in _BESIDES_SIZES and light in LIGHTS[:2]
        for fault in [*faults, *(list_axe_findings(page) if looks_axe else [])]:
            yield f"{name}, {width}x{height}, {light.name}: {fault}"


def name_picture(name: str, width: int, height: int, light: Light) -> str:
    """Name the file of a picture."""
    return f"{name} {width}x{height} {light.name}".replace(" ", "-")


def write_sheets(browser: Any, names: list[str], sizes: list[tuple[int, int]], out: Path) -> None:
    """Put the pictures of each size and light on a sheet."""
    for (width, height), light in ((size, light) for size in sizes for light in LIGHTS):
        pictures = [(name, f"{name_picture(name, width, height, light)}.png") for name in names]
        shown = width if width < SIZES[3][0] else width // 2
        figures = "".join(
            f"<figure><figcaption>{html.escape(name)}</figcaption><img src='{file}' width='{shown}'></figure>"
            for name, file in pictures
            if (out / file).is_file()
        )
        if not figures:
            continue
        style = "body{display:flex;flex-wrap:wrap;gap:12px;background:#777;font:14px sans-serif}figure{margin:0}"
        sheet = out / f"sheet-{width}x{height}-{light.name.replace(' ', '-')}.html"
        replace_file(sheet, f"<meta charset=utf-8><style>{style}</style>{figures}")
        page = browser.new_page(viewport={"width": 2500, "height": 800})
        page.goto(sheet.resolve().as_uri())
        page.screenshot(path=sheet.with_suffix(".png"), full_page=True)
        page.close()


def main() -> int:
    """Take all pictures; print what is amiss."""
    parser = ProgramParser("proofs.table_looks", __doc__)
    parser.add_argument("--site", type=Path, default=Path("build/html"), metavar="DIR", help="the built edition")
    parser.add_argument("--out", type=Path, default=Path("build/table-looks"), metavar="DIR", help="where pictures go")
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="only scenes whose name has it")
    parser.add_argument("--size", action="append", default=[], metavar="WxH", help="only windows of this size")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    names = [name for name in SCENES if not given.only or any(word in name for word in given.only)]
    sizes = [size for size in (*SIZES, TWICE) if not given.size or f"{size[0]}x{size[1]}" in given.size]
    count = 0
    for fault in look_at_table(given.site, given.out, names, sizes):
        print(fault, flush=True)
        count += 1
    print(f"{len(names)} scenes, {count} faults; pictures in {given.out}")
    return int(bool(count))


def look_at_table(site: Path, out: Path, names: list[str], sizes: list[tuple[int, int]]) -> Iterator[str]:
    """Look at scenes in all sizes; yield what is amiss, and leave the sheets."""
    from playwright.sync_api import sync_playwright

    own = library()
    reach = cache(partial(find_position, own))
    with sync_playwright() as driver, open_tables(site) as address:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = open_page(browser, own, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        for name in names:
            scene = SCENES[name]
            position = reach(scene.position) if scene.position else None
            show_scene(page, address, scene, position)
            yield from look_at_scene(page, name, sizes, out)
        write_sheets(browser, names, sizes, out)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
