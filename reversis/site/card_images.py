"""Playing card images: cut from the sheet in `vendor/cards`, one SVG each.

`python -m reversis.site.card_images DIR` cuts them into a folder and prints their compressed size. The sheet stays as
it is; the images are cut again for every edition. A drawing traced from a woodcut has its points to a thousandth of a
step that nobody can see: here they are whole steps, a seventh of a point on the card. The printed corners are left
out (cards of the time had none, and the page has legible ones of its own), and so are the jokers.
"""

from __future__ import annotations

import gzip
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path

from edition.nodes.builders import CARD_RANK_NAMES, SUIT_SYMBOLS
from edition.settings import find_vendor_folder

_SVG_NS = "{http://www.w3.org/2000/svg}"
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
SHEET = "guyenne-classic.svgz"

_CARD_WIDTH, _CARD_HEIGHT = 79, 123  #: a card's place on the sheet
_SHEET_RANKS = ("A", *"23456789T", "J", "Q", "K")
_SHEET_SUITS = "CDHS"

CORNERS = re.compile(r"#(i[tb](\d+|[jqk])|[cdhs]s)$")  #: printed corners: ranks, and the small suits beneath them

_README_TEXT = """\
The playing cards in this folder are under the GNU General Public License, version 3 or later (LICENSE).
They come from AisleRiot (gnome-cards-data 1:3.22.23-1): guyenne-classic.svgz is the sheet as it was found, and their
source. One picture each was cut from it by reversis/site/card_images.py of the Reversis edition whenever this folder
was built: numbers rounded, printed corners and jokers left out. The file "copyright" tells whose they are.
"""


def find_sheet() -> Path:
    """The folder of the sheet."""
    return find_vendor_folder("cards", SHEET)


_LAST_FILE = "README.txt"


def write_card_images(into: Path) -> None:
    """Write all card images into a folder, with their licence and their sheet.

    An edition that begins as a copy of the last has them, of the same program and the same sheet.
    """
    if (into / _LAST_FILE).is_file():
        return
    folder = find_sheet()
    into.mkdir(parents=True, exist_ok=True)
    for name, picture in cut_card_sheet((folder / SHEET).read_bytes()):
        (into / f"{name}.svg").write_text(picture, encoding="utf-8", newline="\n")
    for name in ("LICENSE", "copyright", SHEET):
        shutil.copyfile(folder / name, into / (name if "." in name else f"{name}.txt"))
    (into / _LAST_FILE).write_text(_README_TEXT, encoding="utf-8", newline="\n")


def cut_card_sheet(sheet: bytes) -> Iterator[tuple[str, str]]:
    """Cut a sheet into (name, SVG) pairs: every card ("QH"), and the back."""
    root = ET.fromstring(gzip.decompress(sheet))
    known = {element.get("id", ""): element for element in root.iter()}
    for row, suit in enumerate(_SHEET_SUITS):
        for column, rank in enumerate(_SHEET_RANKS):
            word = {"A": "1", "T": "10"}.get(rank, CARD_RANK_NAMES.get(rank, rank))
            group = known[f"{SUIT_SYMBOLS[suit][2].removesuffix('s')}_{word}"]
            yield rank + suit, _extract_card_svg(group, known, column * _CARD_WIDTH, row * _CARD_HEIGHT)
    yield "back", _extract_card_svg(known["back"], known, 2 * _CARD_WIDTH, len(_SHEET_SUITS) * _CARD_HEIGHT)


def _extract_card_svg(group: ET.Element, known: dict[str, ET.Element], left: int, top: int) -> str:
    """One card as an SVG of its own."""
    drawing = deepcopy(group)
    for use in [element for element in drawing if CORNERS.search(element.get(_XLINK_HREF, ""))]:
        drawing.remove(use)
    needed = dict.fromkeys(_find_referenced_ids(drawing, known))
    inner = "".join(ET.tostring(_simplify_svg(deepcopy(known[name]), needed), encoding="unicode") for name in needed)
    drawn = ET.tostring(_simplify_svg(drawing, needed), encoding="unicode")
    whole = f'<svg viewBox="{left} {top} {_CARD_WIDTH} {_CARD_HEIGHT}"><defs>{inner}</defs>{drawn}</svg>'
    return whole.replace("svg:", "").replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="158" height="246" ', 1
    )


def _find_referenced_ids(drawing: ET.Element, known: dict[str, ET.Element]) -> Iterator[str]:
    """Ids of the elements elsewhere on the sheet that a drawing uses, and of those that these use."""
    own = {element.get("id") for element in drawing.iter()}
    for use in drawing.iter(f"{_SVG_NS}use"):
        name = use.get(_XLINK_HREF, "").removeprefix("#")
        if name not in own:
            yield name
            yield from _find_referenced_ids(known[name], known)


def _simplify_svg(element: ET.Element, needed: dict[str, None]) -> ET.Element:
    """Remove what a browser does not need.

    Where the drawing is fine enough, its numbers are rounded to whole ones.
    """
    used = {*needed, *(use.get(_XLINK_HREF, "").removeprefix("#") for use in element.iter(f"{_SVG_NS}use"))}
    for node in element.iter():
        node.tag = node.tag.removeprefix(_SVG_NS)
        if node.get("id") not in used:
            node.attrib.pop("id", None)
        if node.tag == "use":
            node.attrib.pop("width", None), node.attrib.pop("height", None)
            node.set("href", node.attrib.pop(_XLINK_HREF))
    for fine in (node for node in element.iter("g") if node.get("transform", "").startswith("matrix(.1")):
        for path in fine.iter("path"):
            path.set("d", round_svg_path(path.get("d", "")))
    return element


# --- paths ----------------------------------------------------------------------------------------

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.I)
_PATH_STEP = re.compile(r"([mzlhvcsqta])([^mzlhvcsqta]*)", re.I)

#: how many numbers each letter takes
_ARGUMENT_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


def round_svg_path(path: str) -> str:
    """Round a path to whole numbers.

    Each point is rounded where it lies, so that no error adds up.
    """
    steps: list[str] = []
    at = start = (0.0, 0.0)
    placed = begun = (0, 0)
    last = ""
    for letter, numbers in parse_path_steps(path):
        kind = letter.lower()
        if kind == "z":
            at, placed = start, begun
            steps, last = [*steps, "z"], "z"
            continue
        base = (0.0, 0.0) if letter.isupper() else at
        whole, at, after = _round_path_step(kind, numbers, base, at, placed)
        if kind == "m":
            start, begun = at, after
        elif after == placed and not any(whole):
            continue
        placed = after
        mark = "" if kind == last else kind
        steps, last = [*steps, mark + _join_numbers(whole, mark == "")], kind
    return "".join(steps)


def _round_path_step(
    kind: str, numbers: list[float], base: tuple[float, float], at: tuple[float, float], placed: tuple[int, int]
) -> tuple[list[float | int], tuple[float, float], tuple[int, int]]:
    """Round one step of a path.

    Returns the step in whole numbers from where the pen is, where the pen should be now, and where it is.
    """
    if kind == "h":
        numbers = [numbers[0], at[1] - base[1]]
    elif kind == "v":
        numbers = [at[0] - base[0], numbers[0]]
    head, points = (numbers[:5], numbers[5:]) if kind == "a" else ([], numbers)
    real = [n + base[i % 2] for i, n in enumerate(points)]
    whole = [round(n) for n in real]
    relative: list[float | int] = [n - placed[i % 2] for i, n in enumerate(whole)]
    if kind in "hv":
        relative = [relative["hv".index(kind)]]
    turned: list[float | int] = [max(1, round(head[0])), max(1, round(head[1])), *map(round, head[2:])] if head else []
    return [*turned, *relative], (real[-2], real[-1]), (whole[-2], whole[-1])


def parse_path_steps(path: str) -> Iterator[tuple[str, list[float]]]:
    """Steps of a path, each with its letter.

    The steps after a move are lines.
    """
    for letter, rest in _PATH_STEP.findall(path):
        if letter in "zZ":
            yield letter, []
            continue
        numbers = _parse_arc_numbers(rest) if letter in "aA" else [float(n) for n in _NUMBER.findall(rest)]
        size = _ARGUMENT_COUNTS[letter.lower()]
        for at in range(0, len(numbers), size):
            yield letter, numbers[at : at + size]
            letter = {"m": "l", "M": "L"}.get(letter, letter)


def _parse_arc_numbers(rest: str) -> list[float]:
    """Numbers of arcs, whose two flags may stand without space before what follows."""
    numbers: list[float] = []
    at = 0
    flag = re.compile(r"[\s,]*([01])")
    number = re.compile(rf"[\s,]*({_NUMBER.pattern})", re.I)
    while hit := (flag if len(numbers) % 7 in (3, 4) else number).match(rest, at):
        numbers.append(float(hit[1]))
        at = hit.end()
    return numbers


def _join_numbers(numbers: list[float | int], goes_on: bool) -> str:
    """Join numbers with a space only where they would run together."""
    text = ""
    for number in numbers:
        word = f"{number:d}" if isinstance(number, int) else f"{number:g}"
        text += word if word.startswith("-") or (not text and not goes_on) else f" {word}"
    return text


def main(say: Callable[[str], object] = print) -> None:
    """Cut the cards into a folder and print their compressed size."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m reversis.site.card_images DIR")
    into = Path(sys.argv[1])
    write_card_images(into)
    pictures = sorted(into.glob("*.svg"))
    weight = sum(len(gzip.compress(path.read_bytes())) for path in pictures)
    say(f"{len(pictures)} cards, {weight / 1000:.0f} kB when compressed")


if __name__ == "__main__":
    main()
