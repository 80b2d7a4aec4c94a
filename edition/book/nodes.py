"""What a book has and a page of the site has not: parts, notes at the foot, facing texts, turned pages.

They are docutils nodes like all others, told apart by a class, so that whatever is laid out for the site can stand
in the book as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from docutils import nodes

from edition.nodes.builders import TARGET, Content, block, classed, filled, para, section, span

PART = "bk-part"
CHAPTER = "bk-chapter"
NOTE = "bk-note"
FACING = "bk-facing"
ROW = "bk-row"
TURNED = "bk-turned"
SMALL = "bk-small"
KEPT = "bk-kept"
NARROW = "bk-narrow"
OURS = "bk-ours"  #: our words, though a language is named
TIME_VARIABLE = "SOURCE_DATE_EPOCH"
EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)  # the earliest that a ZIP can name


@dataclass(frozen=True, slots=True)
class Book:
    """What stands on the title page, and all that follows, part by part."""

    title: str
    subtitle: str
    author: str
    version: str
    sources: tuple[tuple[str, str, str], ...]  #: siglum, what we call it, what it calls itself
    colophon: tuple[nodes.Node, ...]
    parts: tuple[nodes.section, ...]
    languages: tuple[str, ...] = ("en",)  #: that of the book first, then those of the sources


def part(target: str, title: str, *content: Content) -> nodes.section:
    """A part of the book; its chapters begin on new pages."""
    return section(target, title, *content, cls=PART)


def chapter(target: str, title: str, *content: Content, cls: str = "", short: str = "") -> nodes.section:
    """A chapter; `short` is what stands at the head of its pages."""
    made = section(target, title, *content, cls=f"{CHAPTER} {cls}")
    made["short"] = short or title
    return made


def footnote(*content: Content) -> nodes.inline:
    """Words at the foot of the page, with a number here."""
    return span(*content, cls=NOTE)


def row(place: Iterable[Content], *sides: nodes.Node) -> nodes.container:
    """A sentence: its number, and what stands beside it: the words, and the translation if there is one."""
    return block(para(*place, cls="bk-place"), *sides, cls=ROW)


def side(*content: Content, lang: str = "", kind: str = "text") -> nodes.paragraph:
    """The words of one side."""
    return para(*content, cls=f"bk-side bk-{kind}", lang=lang)


def facing(rows: Iterable[nodes.container]) -> nodes.container:
    """Sentences under each other, their two sides facing."""
    return block(*rows, cls=FACING)


def small(*content: Content) -> nodes.container:
    """Matter in smaller type."""
    return block(*content, cls=SMALL)


def kept(*content: Content) -> nodes.container:
    """What should stand on one page, if it can."""
    return block(*content, cls=KEPT)


def narrow(node: nodes.table) -> nodes.table:
    """A table that is no wider than its words."""
    return classed(node, NARROW)


# --- places ---------------------------------------------------------------------------------------

Place = tuple[str, str]  #: what kind of thing, and its id


def name(place: Place) -> str:
    """A place as a label."""
    return "/".join(place)


def classes(node: nodes.Element) -> list[str]:
    """The classes of a node."""
    return list(node.get("classes", []))


def targets(node: nodes.Element) -> list[Place]:
    """What a node is the place of."""
    known: list[tuple[str, str, str, str]] = node.get(TARGET, [])
    return [(kind, target) for kind, target, _, _ in known]


def places_of(node: nodes.Node) -> Iterator[tuple[Place, nodes.Element]]:
    """Everything in a tree that can be linked to, in the order of the book."""
    for element in node.findall(nodes.Element):
        yield from ((place, element) for place in targets(element))


def homes(parts: Iterable[nodes.section]) -> Mapping[Place, nodes.Element]:
    """Where each thing is at home: where it stands first."""
    found: dict[Place, nodes.Element] = {}
    for one in parts:
        for place, element in places_of(one):
            found.setdefault(place, element)
    return found


def unfolded(content: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Nodes without what only a screen has use for: ways onward, switches, empty places for a script."""
    kept_ = list(content)
    holder = filled(nodes.container(), kept_)
    for one in list(holder.findall(nodes.Element)):
        if one.parent is not None and (one.get("tag") in ("nav", "fieldset") or "rv-unseen" in classes(one)):
            one.parent.remove(one)
    return list(holder.children)


# --- marks of quotation -----------------------------------------------------------------------------

OPENING = re.compile(r"(?<![^\s(\[“—–])\"(?=[^\s.,;:!?)\]])")
APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)|(?<=s)'(?=\s)")


def curled(tree: nodes.Element) -> None:
    """Give our own words the marks of quotation that a book has; those of the sources stay as they are."""
    for text in list(tree.findall(nodes.Text)):
        if ('"' in text or "'" in text) and is_ours(text):
            said = OPENING.sub("“", str(text)).replace('"', "”")
            text.parent.replace(text, nodes.Text(APOSTROPHE.sub("’", said)))


def is_ours(text: nodes.Text) -> bool:
    """Whether some words are ours: in no language that is named, or marked so."""
    node: nodes.Element | None = text.parent
    while node is not None:
        names = classes(node)
        if any(name.startswith("language-") for name in names):
            return OURS in names
        if isinstance(node, nodes.literal | nodes.literal_block | nodes.raw):
            return False
        node = node.parent
    return True


def book_time() -> datetime:
    """Return the time that the environment sets, never the clock's: equal records make equal books."""
    said = os.environ.get(TIME_VARIABLE, "")
    return max(datetime.fromtimestamp(int(said), UTC), EARLIEST) if said.isdecimal() else EARLIEST
