"""The letters of the edition: cut from Junicode in `vendor/fonts`, and four signs that it lacks.

`python -m edition.site.fonts` writes them into `edition/static/fonts`, where they are kept with the repository: a build
needs none of the tools (the extra `fonts`) that cut them. A test asks whether every letter of every page is there;
one that is missing belongs into `SPANS` or `SINGLE`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edition.nodes.builders import AS_TEXT

HERE = Path(__file__).resolve().parents[1]
FOUND = HERE.parent / "vendor" / "fonts"
KEPT = HERE / "static" / "fonts"


@dataclass(frozen=True, slots=True)
class Face:
    """One style: the file as it was found, and the name under which its letters are kept."""

    found: str
    name: str


FACES = (
    Face("JunicodeTwoBeta-Regular.otf", "junicode-regular"),
    Face("JunicodeTwoBeta-Italic.otf", "junicode-italic"),
    Face("JunicodeTwoBeta-Semibold.otf", "junicode-semibold"),
    Face("JunicodeTwoBeta-SemiboldItalic.otf", "junicode-semibold-italic"),
)

#: Spans of letters, by their numbers, and single ones: what texts of Europe's printers need, old and new.
SPANS = ((0x20, 0x7E), (0xA0, 0xFF), (0x2002, 0x200A), (0x2013, 0x2014), (0x2018, 0x2022), (0x2190, 0x2193))
SINGLE = (
    "ĀāĂăĄąĆćČčĎďĒēĘęĚěĪīıŁłŃńŇňŌōŐőŒœŘřŚśŠšŤťŪūŮůŰűŸŹźŻżŽžſ"
    "ˆ˜\u0300\u0301\u0302\u0303\u0304\u0308\u0327…\u202f′″‸‹›⁄€−≈≠≤≥⅓⅔"
)
#: What the letters can do: small capitals, old-style and lining figures, ligatures, accents, spacing.
FEATURES = ("kern", "liga", "ccmp", "locl", "mark", "smcp", "c2sc", "onum", "lnum", "tnum", "pnum")


def letters() -> frozenset[int]:
    """Every letter that is kept, by its number."""
    spans = (number for first, last in SPANS for number in range(first, last + 1))
    return frozenset([*spans, *map(ord, SINGLE)])


def cut(face: Face, into: Path) -> Path:
    """The letters of one style that the edition needs."""
    from fontTools import subset

    options = subset.Options()
    options.flavor, options.layout_features = "woff2", list(FEATURES)
    font = subset.load_font(str(FOUND / face.found), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=letters())
    cutter.subset(font)
    path = into / f"{face.name}.woff2"
    subset.save_font(font, str(path), options)
    return path


# --- the suits ----------------------------------------------------------------------------------------

WIDTH = 640  #: of each sign, where a letter m is 800 wide

HEART = (
    "M320 -20C300 55 62 205 42 415C30 560 130 640 212 640C272 640 310 600 320 545"
    "C330 600 368 640 428 640C510 640 610 560 598 415C578 205 340 55 320 -20Z"
)
DIAMOND = "M320 -35C272 90 196 215 88 318C196 421 272 546 320 671C368 546 444 421 552 318C444 215 368 90 320 -35Z"
SPADE = (
    "M320 670C300 590 52 430 42 250C36 150 110 92 188 92C246 92 288 124 306 172C300 92 272 24 212 4L212 -10L428 -10"
    "L428 4C368 24 340 92 334 172C352 124 394 92 452 92C530 92 604 150 598 250C588 430 340 590 320 670Z"
)
CLUB = (
    "M320 670C242 670 184 612 184 536C184 494 204 456 236 430C216 440 194 444 172 444C94 444 38 388 38 312"
    "C38 234 96 178 172 178C232 178 282 212 302 264C304 150 282 34 212 4L212 -10L428 -10L428 4"
    "C358 34 336 150 338 264C358 212 408 178 468 178C544 178 602 234 602 312C602 388 546 444 468 444"
    "C446 444 424 440 404 430C436 456 456 494 456 536C456 612 398 670 320 670Z"
)
SUITS: Mapping[str, str] = {"♠": SPADE, "♥": HEART, "♦": DIAMOND, "♣": CLUB}

LONG_AGO = 2_082_844_800  #: the first second of 1970, as fonts count seconds


def suits(into: Path) -> Path:
    """The four signs as a font; it bears no date, so that the same signs make the same file."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.t2CharStringPen import T2CharStringPen

    names = {sign: f"uni{ord(sign):04X}" for sign in SUITS}
    glyphs: dict[str, Any] = {".notdef": T2CharStringPen(WIDTH, None).getCharString()}
    glyphs |= {names[sign]: drawn(path, T2CharStringPen(WIDTH, None)) for sign, path in SUITS.items()}
    made = FontBuilder(1000, isTTF=False)
    made.setupGlyphOrder(list(glyphs))
    made.setupCharacterMap(
        {ord(sign): name for sign, name in names.items()}, uvs=[(ord(sign), ord(AS_TEXT), None) for sign in SUITS]
    )
    made.setupCFF("ReversisSuits", {"FullName": "Reversis Suits"}, glyphs, {})
    made.setupHorizontalMetrics(dict.fromkeys(glyphs, (WIDTH, 0)))
    made.setupHorizontalHeader(ascent=725, descent=-275)
    made.setupNameTable({"familyName": "Reversis Suits", "styleName": "Regular", "copyright": "MIT"})
    made.setupOS2(sTypoAscender=725, sTypoDescender=-275, usWinAscent=725, usWinDescent=275, sCapHeight=663)
    made.setupPost()
    made.font["head"].created = made.font["head"].modified = LONG_AGO
    made.font.recalcTimestamp, made.font.flavor = False, "woff2"
    path = into / "suits.woff2"
    made.save(path)
    return path


def drawn(path: str, pen: Any) -> Any:
    """A sign from its outline."""
    from fontTools.svgLib.path import parse_path

    parse_path(path, pen)
    return pen.getCharString()


# --- all of them ----------------------------------------------------------------------------------------


def lay(into: Path) -> Iterator[Path]:
    """All fonts into a folder, with the licence of those that are not ours."""
    into.mkdir(parents=True, exist_ok=True)
    for face in FACES:
        yield cut(face, into)
    yield suits(into)
    shutil.copyfile(FOUND / "LICENSE", into / "OFL.txt")


def main(say: Callable[[str], object] = print) -> None:
    """Cut the letters anew, and say what they weigh."""
    if len(sys.argv) > 2:
        sys.exit("usage: python -m edition.site.fonts [DIR]")
    into = Path(sys.argv[1]) if len(sys.argv) == 2 else KEPT
    for path in lay(into):
        say(f"{path.name} {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
