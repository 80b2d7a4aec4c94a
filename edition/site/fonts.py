"""Fonts: subsets of Junicode (`vendor/fonts`), and four suit symbols.

`python -m edition.site.fonts` writes them into `edition/static/fonts`, where they are kept with the repository: a
build needs none of the tools (the extra `fonts`) that make them. A test checks that the fonts hold every character of
every page; one that is missing belongs into `SPANS` or `SINGLE`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edition.nodes.builders import TEXT_VARIATION_SELECTOR

_EDITION_DIR = Path(__file__).resolve().parents[1]
FONT_SOURCES = _EDITION_DIR.parent / "vendor" / "fonts"
FONT_FOLDER = _EDITION_DIR / "static" / "fonts"


@dataclass(frozen=True, slots=True)
class Face:
    """One style: its file in `vendor/fonts`, and the name of its subset."""

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
    "αβγδεζ"  # the signs of lost texts
    "ˆ˜\u0300\u0301\u0302\u0303\u0304\u0308\u0327…\u202f′″‸‹›⁄€−≈≠≤≥⅓⅔"
)
#: What the letters can do: small capitals, old-style and lining figures, ligatures, accents, spacing.
FONT_FEATURES = ("kern", "liga", "ccmp", "locl", "mark", "smcp", "c2sc", "onum", "lnum", "tnum", "pnum")


def list_font_codepoints() -> frozenset[int]:
    """Code points of every character in the fonts."""
    spans = (number for first, last in SPANS for number in range(first, last + 1))
    return frozenset([*spans, *map(ord, SINGLE)])


def subset_font(face: Face, into: Path) -> Path:
    """Write the subset of one style that the edition needs, as WOFF2."""
    from fontTools import subset

    options = subset.Options()
    options.flavor, options.layout_features = "woff2", list(FONT_FEATURES)
    font = subset.load_font(str(FONT_SOURCES / face.found), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=list_font_codepoints())
    cutter.subset(font)
    path = into / f"{face.name}.woff2"
    subset.save_font(font, str(path), options)
    return path


# --- the suits ----------------------------------------------------------------------------------------

_SIGN_WIDTH = 640  #: of each sign, where a letter m is 800 wide

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
SUIT_OUTLINES: Mapping[str, str] = {"♠": SPADE, "♥": HEART, "♦": DIAMOND, "♣": CLUB}

_FONT_TIMESTAMP = 2_082_844_800  #: the first second of 1970, as fonts count seconds


def build_suit_font(into: Path) -> Path:
    """Write the four suit symbols as a font.

    It has no date, so that the same outlines give the same file.
    """
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.t2CharStringPen import T2CharStringPen
    from fontTools.svgLib.path import parse_path

    names = {sign: f"uni{ord(sign):04X}" for sign in SUIT_OUTLINES}
    glyphs: dict[str, Any] = {".notdef": T2CharStringPen(_SIGN_WIDTH, None).getCharString()}
    for sign, outline in SUIT_OUTLINES.items():
        pen = T2CharStringPen(_SIGN_WIDTH, None)
        parse_path(outline, pen)
        glyphs[names[sign]] = pen.getCharString()
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(
        {ord(sign): name for sign, name in names.items()},
        uvs=[(ord(sign), ord(TEXT_VARIATION_SELECTOR), None) for sign in SUIT_OUTLINES],
    )
    builder.setupCFF("ReversisSuits", {"FullName": "Reversis Suits"}, glyphs, {})
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (_SIGN_WIDTH, 0)))
    builder.setupHorizontalHeader(ascent=725, descent=-275)
    builder.setupNameTable({"familyName": "Reversis Suits", "styleName": "Regular", "copyright": "MIT"})
    builder.setupOS2(sTypoAscender=725, sTypoDescender=-275, usWinAscent=725, usWinDescent=275, sCapHeight=663)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = _FONT_TIMESTAMP
    builder.font.recalcTimestamp, builder.font.flavor = False, "woff2"
    path = into / "suits.woff2"
    builder.save(path)
    return path


# --- all of them ----------------------------------------------------------------------------------------


def write_fonts(into: Path) -> Iterator[Path]:
    """Write all fonts into a folder, with the licence of those that are not ours."""
    into.mkdir(parents=True, exist_ok=True)
    for face in FACES:
        yield subset_font(face, into)
    yield build_suit_font(into)
    shutil.copyfile(FONT_SOURCES / "LICENSE", into / "OFL.txt")


def main(say: Callable[[str], object] = print) -> None:
    """Write the fonts again and print their sizes."""
    if len(sys.argv) > 2:
        sys.exit("usage: python -m edition.site.fonts [DIR]")
    into = Path(sys.argv[1]) if len(sys.argv) == 2 else FONT_FOLDER
    for path in write_fonts(into):
        say(f"{path.name} {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
