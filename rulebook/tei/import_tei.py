"""A TEI file that others made, turned into the plain notation from which ours is made.

Kept are headings, paragraphs, items and the beginnings of pages. Of two readings the one that the page has is taken;
what is left out (notes, running heads, their own markup) is counted and told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree

from rulebook.tei.document import TEI_PREFIX, get_attribute, tag_of

_BLOCK_PREFIXES: Mapping[str, str] = {"head": "# ", "p": "", "ab": "", "item": "", "l": "", "label": "", "cell": ""}
#: What stands on the page, before what an editor makes of it.
_PAGE_READINGS = ("sic", "orig", "abbr")
_SKIPPED_ELEMENTS = ("note", "fw", "figure", "teiHeader", "corr", "reg", "expan", "add", "index", "interp", "standOff")


@dataclass(slots=True)
class Taken:
    """A text taken over, and what was not."""

    left_out: Counter[str] = field(default_factory=Counter)

    def notation(self, root: etree._Element) -> str:
        """The whole text, block by block."""
        text = root if tag_of(root) == "text" else root.find(f".//{TEI_PREFIX}text")
        blocks = [] if text is None else [*self.blocks(text)]
        return "\n\n".join(block for block in blocks if block.strip()) + "\n"

    def blocks(self, element: etree._Element) -> Iterator[str]:
        """Its headings and paragraphs, and the pages that begin between them."""
        for child in element:
            name = tag_of(child)
            if name == "pb":
                yield self.page(child)
            elif name in _SKIPPED_ELEMENTS:
                self.left_out[name] += 1
            elif name in _BLOCK_PREFIXES and not any(tag_of(one) in _BLOCK_PREFIXES for one in child.iterdescendants()):
                yield _BLOCK_PREFIXES[name] + " ".join(self.words(child).split())
            else:
                yield from self.blocks(child)

    def words(self, element: etree._Element) -> str:
        """The words of an element as they stand on the page."""
        return (element.text or "") + "".join(self.within(child) + (child.tail or "") for child in element)

    def within(self, child: etree._Element) -> str:
        """The words of a piece of a sentence."""
        name = tag_of(child)
        if name == "pb":
            return self.page(child)
        if name == "lb":
            return "" if child.get("break") == "no" else " "
        if name == "choice":
            return self.chosen(child)
        if name in _SKIPPED_ELEMENTS or not isinstance(child.tag, str):
            self.left_out[name or "comment"] += 1
            return ""
        return self.words(child)

    def chosen(self, choice: etree._Element) -> str:
        """Of two readings, that of the page."""
        own = [one for one in choice if tag_of(one) in _PAGE_READINGS]
        self.left_out["other reading"] += len(choice) - len(own)
        return "".join(map(self.words, own or list(choice)[:1]))

    def page(self, mark: etree._Element) -> str:
        """The beginning of a page; a page whose number is no number cannot be cited."""
        number = re.fullmatch(r"\[?(\d+)\]?", get_attribute(mark, "n").strip())
        if number is None:
            self.left_out["page whose number is no number"] += 1
            return ""
        return f"[p. {get_attribute(mark, 'n').strip()}]"


def is_xml(letters: str) -> bool:
    """Return whether a file is markup rather than plain text."""
    return letters.lstrip("\ufeff \n\r\t").startswith("<")
