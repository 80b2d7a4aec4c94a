"""The playing cards: cut from the sheet in `vendor/cards`, one small picture each.

`python -m edition.site.card_images DIR` cuts them into a folder and says what they weigh. The sheet stays as it is;
what is cut is made anew with every edition. A drawing traced from a woodcut names its points to a thousandth of a step
that nobody can see: here they are whole steps, a seventh of a point on the card. The corners are left out (the time
printed none, and the page has legible ones of its own), and so are the jokers.
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

from edition.nodes.builders import RANKS, SUITS

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
SHEET = "guyenne-classic.svgz"

WIDTH, HEIGHT = 79, 123  #: a card's place on the sheet
COLUMNS = ("A", *"23456789T", "J", "Q", "K")
ROWS = "CDHS"

CORNERS = re.compile(r"#(i[tb](\d+|[jqk])|[cdhs]s)$")  #: printed corners: ranks, and the small suits beneath them

NOTICE = """\
The playing cards in this folder are under the GNU General Public License, version 3 or later (LICENSE).
They come from AisleRiot (gnome-cards-data 1:3.22.23-1): guyenne-classic.svgz is the sheet as it was found, and their
source. One picture each was cut from it by edition/site/card_images.py of the Reversis edition whenever this folder was
built: numbers rounded, printed corners and jokers left out. The file "copyright" tells whose they are.
"""


def find_sheet() -> Path:
    """The folder of the sheet: in a clone, or in an installed copy."""
    here = Path(__file__).resolve().parents[1]
    found = (here.parent / "vendor" / "cards", here / "_cards")
    return next((path for path in found if (path / SHEET).is_file()), found[0])


def lay_cards(into: Path) -> None:
    """All cards into a folder, with their licence and the sheet that they were cut from."""
    folder = find_sheet()
    into.mkdir(parents=True, exist_ok=True)
    for name, picture in cut((folder / SHEET).read_bytes()):
        (into / f"{name}.svg").write_text(picture, encoding="utf-8", newline="\n")
    for name in ("LICENSE", "copyright", SHEET):
        shutil.copyfile(folder / name, into / (name if "." in name else f"{name}.txt"))
    (into / "README.txt").write_text(NOTICE, encoding="utf-8", newline="\n")


def cut(sheet: bytes) -> Iterator[tuple[str, str]]:
    """Every card by its name ("QH"), and the back."""
    root = ET.fromstring(gzip.decompress(sheet))
    known = {one.get("id", ""): one for one in root.iter()}
    for row, suit in enumerate(ROWS):
        for column, rank in enumerate(COLUMNS):
            word = {"A": "1", "T": "10"}.get(rank, RANKS.get(rank, rank))
            group = known[f"{SUITS[suit][2].removesuffix('s')}_{word}"]
            yield rank + suit, picture(group, known, column * WIDTH, row * HEIGHT)
    yield "back", picture(known["back"], known, 2 * WIDTH, len(ROWS) * HEIGHT)


def picture(group: ET.Element, known: dict[str, ET.Element], left: int, top: int) -> str:
    """One card as a picture of its own."""
    found = deepcopy(group)
    for use in [one for one in found if CORNERS.search(one.get(HREF, ""))]:
        found.remove(use)
    needed = dict(borrowed(found, known))
    pieces = [*(slim(deepcopy(known[name]), needed) for name in needed), slim(found, needed)]
    inner = "".join(ET.tostring(one, encoding="unicode") for one in pieces[:-1])
    drawn = ET.tostring(pieces[-1], encoding="unicode")
    whole = f'<svg viewBox="{left} {top} {WIDTH} {HEIGHT}"><defs>{inner}</defs>{drawn}</svg>'
    return whole.replace("svg:", "").replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="158" height="246" ', 1
    )


def borrowed(found: ET.Element, known: dict[str, ET.Element]) -> Iterator[tuple[str, None]]:
    """What a drawing takes from elsewhere on the sheet, and what that takes in turn."""
    own = {one.get("id") for one in found.iter()}
    for use in found.iter(f"{SVG}use"):
        name = use.get(HREF, "").removeprefix("#")
        if name not in own:
            yield name, None
            yield from borrowed(known[name], known)


def slim(element: ET.Element, needed: dict[str, None]) -> ET.Element:
    """Without what a browser does not need, and with whole numbers where the drawing is fine enough."""
    used = {*needed, *(use.get(HREF, "").removeprefix("#") for use in element.iter(f"{SVG}use"))}
    for one in element.iter():
        one.tag = one.tag.removeprefix(SVG)
        if one.get("id") not in used:
            one.attrib.pop("id", None)
        if one.tag == "use":
            one.attrib.pop("width", None), one.attrib.pop("height", None)
            one.set("href", one.attrib.pop(HREF))
    for fine in (one for one in element.iter("g") if one.get("transform", "").startswith("matrix(.1")):
        for path in fine.iter("path"):
            path.set("d", rounded(path.get("d", "")))
    return element


# --- paths ----------------------------------------------------------------------------------------

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.I)
ARC = re.compile(rf"\s*,?\s*({NUMBER.pattern}|[01])", re.I)
STEP = re.compile(r"([mzlhvcsqta])([^mzlhvcsqta]*)", re.I)

#: how many numbers each letter takes
TAKES = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


def rounded(path: str) -> str:
    """A path in whole numbers; each point is rounded where it lies, so that no error adds up."""
    said: list[str] = []
    at = start = (0.0, 0.0)
    placed = begun = (0, 0)
    last = ""
    for letter, numbers in steps(path):
        kind = letter.lower()
        if kind == "z":
            at, placed = start, begun
            said, last = [*said, "z"], "z"
            continue
        base = (0.0, 0.0) if letter.isupper() else at
        whole, at, after = moved(kind, numbers, base, at, placed)
        if kind == "m":
            start, begun = at, after
        elif after == placed and not any(whole):
            continue
        placed = after
        mark = "" if kind == last else kind
        said, last = [*said, mark + packed(whole, mark == "")], kind
    return "".join(said)


def moved(
    kind: str, numbers: list[float], base: tuple[float, float], at: tuple[float, float], placed: tuple[int, int]
) -> tuple[list[float | int], tuple[float, float], tuple[int, int]]:
    """One step in whole numbers from where the pen was put, where it should be now, and where it is."""
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


def steps(path: str) -> Iterator[tuple[str, list[float]]]:
    """The steps of a path one by one, each with its letter; after a move come lines."""
    for letter, rest in STEP.findall(path):
        if letter in "zZ":
            yield letter, []
            continue
        numbers = arcs(rest) if letter in "aA" else [float(n) for n in NUMBER.findall(rest)]
        size = TAKES[letter.lower()]
        for at in range(0, len(numbers), size):
            yield letter, numbers[at : at + size]
            letter = {"m": "l", "M": "L"}.get(letter, letter)


def arcs(rest: str) -> list[float]:
    """The numbers of arcs, whose two flags may stand together with what follows them."""
    found: list[float] = []
    at = 0
    flag = re.compile(r"[\s,]*([01])")
    number = re.compile(rf"[\s,]*({NUMBER.pattern})", re.I)
    while hit := (flag if len(found) % 7 in (3, 4) else number).match(rest, at):
        found.append(float(hit[1]))
        at = hit.end()
    return found


def packed(numbers: list[float | int], goes_on: bool) -> str:
    """Numbers with a space only where they would run together."""
    said = ""
    for number in numbers:
        word = f"{number:d}" if isinstance(number, int) else f"{number:g}"
        said += word if word.startswith("-") or (not said and not goes_on) else f" {word}"
    return said


def main(say: Callable[[str], object] = print) -> None:
    """Cut the cards into a folder, and say what they weigh."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m edition.site.card_images DIR")
    into = Path(sys.argv[1])
    lay_cards(into)
    pictures = sorted(into.glob("*.svg"))
    weight = sum(len(gzip.compress(path.read_bytes())) for path in pictures)
    say(f"{len(pictures)} cards, {weight / 1000:.0f} kB when compressed")


if __name__ == "__main__":
    main()
