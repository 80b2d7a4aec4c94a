"""A TEI file that others made, turned into the plain notation from which ours is made.

Kept are headings, paragraphs, items and the beginnings of pages, and the words of any other element where they stand.
Of two readings the one that the page has is taken. What is left out (notes, running heads, other readings) is gathered
with its words: no letter of the file is lost untold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from rulebook.strings import single_spaced
from rulebook.tei.document import TEI_PREFIX, get_attribute, line_of_element, tag_of
from rulebook.tei.import_plain import LITERAL_LETTERS

#: Elements that are a block of their own wherever they stand, and how the notation begins it.
_BLOCK_PREFIXES: Mapping[str, str] = {"head": "# "} | dict.fromkeys(
    re.findall(
        r"\S+",
        """p ab item l label cell titlePart docImprint docDate byline dateline opener salute closer signed trailer
        speaker stage""",
    ),
    "",
)
_SPACES = ("lb", "cb", "gb", "milestone")  #: where a line ends, unless a word goes on
#: Of several readings of one place: those that stand on the page, before what an editor makes of it.
_PAGE_READINGS: Mapping[str, Sequence[str]] = {"choice": ("sic", "orig", "abbr"), "app": ("lem",)}
_SKIPPED_ELEMENTS = re.findall(
    r"\S+", "note fw figure teiHeader facsimile sourceDoc standOff corr reg expan add index interp gap"
)


@dataclass(slots=True)
class Taken:
    """A text taken over, and what was not."""

    left_out: dict[str, list[str]] = field(default_factory=dict)  #: the words of each piece, by the kind
    lines: list[int] = field(default_factory=list)  #: in which each block begins in the file
    _blocks: list[str] = field(default_factory=list)
    _prefix: str = ""
    _line: int = 1
    _pieces: list[str] = field(default_factory=list)

    def notation(self, root: etree._Element) -> str:
        """The whole text, block by block; empty if the file is no TEI with a text."""
        if tag_of(root) == "text" or root.find(f".//{TEI_PREFIX}text") is not None:
            self.element(root, in_words=False)
            self.end_block(root)
        return "\n\n".join(self._blocks) + "\n" * bool(self._blocks)

    def line(self, line: int) -> int:
        """The line of the file from which a line of the notation comes: a block to a line, and an empty one between."""
        return self.lines[min((line - 1) // 2, len(self.lines) - 1)]

    def element(self, element: etree._Element, in_words: bool) -> None:
        """Take an element that is not skipped: its words, and those of what it holds."""
        name = tag_of(element)
        is_block = name in _BLOCK_PREFIXES or not in_words
        in_words = in_words or name in _BLOCK_PREFIXES or not _holds_block(element)
        if is_block:
            self.end_block(element)
            self._prefix = _BLOCK_PREFIXES.get(name, "")
        self.words(element.text)
        for child in element:
            self.child(child, in_words)
            self.words(child.tail)
        if is_block:
            self.end_block(element)

    def child(self, child: etree._Element, in_words: bool) -> None:
        """Take what stands within an element, or leave it out."""
        name, empty = tag_of(child), not len(child) and not child.text
        if empty and name == "pb":
            self.page(child)
        elif empty and name in _SPACES:
            self._pieces.append("" if child.get("break") == "no" else " ")
        elif name in _PAGE_READINGS:
            self.readings(child, _PAGE_READINGS[name], in_words)
        elif name in _SKIPPED_ELEMENTS:
            self.leave_out(child, name)
        elif empty:
            self.leave_out(child, f"{name} without words")  # a sign that only its attributes name, a place, a picture
        else:
            self.element(child, in_words)

    def readings(self, place: etree._Element, names: Sequence[str], in_words: bool) -> None:
        """Of several readings take that of the page, or else the first."""
        own = [reading for reading in place if tag_of(reading) in names] or [*place][:1]
        self.words(place.text)
        for reading in place:
            if reading in own:
                self.element(reading, in_words)
            else:
                self.leave_out(reading, "other reading")
            self.words(reading.tail)

    def words(self, words: str | None) -> None:
        """Take words; what the notation would take for its own stays a letter."""
        self._pieces.append((words or "").translate(LITERAL_LETTERS))

    def leave_out(self, element: etree._Element, kind: str) -> None:
        """Leave an element out, and note its words."""
        words = single_spaced("".join(str(run) for run in element.itertext()))
        self.left_out.setdefault(kind, []).append(words)

    def page(self, mark: etree._Element) -> None:
        """Take the beginning of a page; one whose number is no number cannot be cited."""
        number = get_attribute(mark, "n").strip()
        if re.fullmatch(r"\[\d+\]|\d+", number):
            self._pieces.append(f"[p. {number}]")
        else:
            self.left_out.setdefault("page whose number is no number", []).append(number)

    def end_block(self, element: etree._Element) -> None:
        """End the block that is being gathered; the next one begins with *element* or behind it."""
        words = single_spaced("".join(self._pieces))
        if words:
            self._blocks.append(self._prefix + words)
            self.lines.append(self._line)
        self._pieces, self._prefix, self._line = [], "", line_of_element(element)


def _holds_block(element: etree._Element) -> bool:
    """Return whether a block stands within an element, other than in what is left out."""
    children = [child for child in element if tag_of(child) not in _SKIPPED_ELEMENTS]
    return any(tag_of(child) in ("div", *_BLOCK_PREFIXES) or _holds_block(child) for child in children)


def is_xml(letters: str) -> bool:
    """Return whether a file is markup rather than plain text."""
    return letters.lstrip("\ufeff \n\r\t").startswith("<")
