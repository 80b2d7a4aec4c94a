"""Small things about letters: white space, names of languages, letters that no text may hold, values in messages."""

from __future__ import annotations

import re
import reprlib
import unicodedata
from typing import NamedTuple

#: A language as the web names it, such as fr, de or fr-FR; pages and attributes are called by it.
LANGUAGE_TAG_PATTERN = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

#: Stands between several values of one cell; one letter, as `split` of pandas takes longer ones for patterns.
LIST_SEPARATOR = "|"


def single_spaced(words: str) -> str:
    """Return words without the line ends of the file."""
    return " ".join(words.split())


def split_paragraphs(words: str) -> tuple[str, ...]:
    """Split a longer text into its paragraphs, each on one line."""
    return tuple(single_spaced(paragraph) for paragraph in re.split(r"\n\s*\n", words) if paragraph.strip())


def slugify_text(words: str) -> str:
    """Return words as part of an address."""
    return re.sub(r"[^\w]+", "-", words.lower()).strip("-")


def list_strings(raw: object) -> tuple[str, ...]:
    """Return one word or several, as several."""
    if isinstance(raw, (list, tuple)):
        return tuple(map(str, raw))
    return (str(raw),) if raw else ()


def locate_letter(letters: str, at: int) -> tuple[int, int]:
    """Return line and column of a letter, from 1."""
    return letters.count("\n", 0, at) + 1, at - letters.rfind("\n", 0, at)


#: Controls, letters without a width or that turn the direction, halves of letters, and what is no letter at all.
UNSEEN_CHARACTERS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)


class UnfitLetter(NamedTuple):
    """A letter that no text of the edition may hold, whatever form it comes in."""

    at: int
    what: str
    way_out: str


def find_unfit_letter(text: str) -> UnfitLetter | None:
    """Find the first letter of a text that cannot be seen, or else the first that is not composed (NFC)."""
    if text.isascii() and text.isprintable():
        return None  # nearly all are
    if match := UNSEEN_CHARACTERS.search(text):
        half = "\ud800" <= match[0] <= "\udfff"
        what, way_out = (
            ("half a letter", "write the whole letter") if half else ("a character that cannot be seen", "take it out")
        )
        return UnfitLetter(match.start(), f"{what}, U+{ord(match[0]):04X}", way_out)
    whole = unicodedata.normalize("NFC", text)
    if whole == text:
        return None
    at = next((at for at, (a, b) in enumerate(zip(text, whole, strict=False)) if a != b), min(len(text), len(whole)))
    return UnfitLetter(at, "a letter in several pieces (not NFC)", "write accented letters as one letter")


def escape_unseen(text: str) -> str:
    """Escape what cannot be seen, so that no terminal obeys it; a carriage return would hide what stands before it."""
    escaped = UNSEEN_CHARACTERS.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
    return escaped.replace("\r", "\\r")


MAX_QUOTED = 60  #: letters of a value that a message repeats


class _ShortRepr(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        """Write a whole number; of one whose digits Python would not write, only its size."""
        return repr(x) if x.bit_length() < 8 * MAX_QUOTED else f"a number of {x.bit_length()} bits"


_SHORT_REPR = _ShortRepr()


def quote_value(value: object) -> str:
    """Quote a value that somebody wrote, for a message: on one line, all of it to be seen, and at most `MAX_QUOTED`.

    Letters that cannot be seen are escaped as Python does it, so that no terminal obeys them.
    """
    text = isinstance(value, str)
    show, whole = (repr, value) if isinstance(value, str) else (str, _SHORT_REPR.repr(value))
    if len(show(whole[: MAX_QUOTED + 1])) - 2 * text <= MAX_QUOTED:
        return show(whole)
    cuts = (f"{whole[:length]}..." for length in range(MAX_QUOTED - 3, 0, -1))
    return next(shown for cut in cuts if len(shown := show(cut)) - 2 * text <= MAX_QUOTED)
