"""Nodes that only a book has: parts, footnotes, facing texts, turned pages.

They are docutils nodes like all others, told apart by a class, so that whatever is laid out for the site can stand
in the book as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from docutils import nodes

from edition.corpus.citation_cff import Release
from edition.nodes.builders import TARGET, Content, add_classes, block, fill_node, link, para, section, span

BOOK_PART_CLASS = "bk-part"
BOOK_CHAPTER_CLASS = "bk-chapter"
BOOK_NOTE_CLASS = "bk-note"
BOOK_FACING_CLASS = "bk-facing"
_FACING_ROW_CLASS = "bk-row"
BOOK_TURNED_CLASS = "bk-turned"
BOOK_SMALL_CLASS = "bk-small"
BOOK_NARROW_CLASS = "bk-narrow"
BOOK_BESIDE_CLASS = "bk-beside"
BOOK_PAGE_LIST_CLASS = "bk-pages"
BOOK_PAGES_CLASS = "bk-at"
BOOK_NAMED_PAGES_CLASS = "bk-named"  #: pages with the word before their numbers
BOOK_INDEX_CLASS = "bk-index"
BOOK_OURS_CLASS = "bk-ours"  #: our words, though a language is named
LANGUAGE_PREFIX = "language-"  #: of the class that names the language of some words
TIME_VARIABLE = "SOURCE_DATE_EPOCH"
EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)  # the earliest that a ZIP can name

_HandlerT = TypeVar("_HandlerT")


@dataclass(frozen=True, slots=True)
class BookContent:
    """Content of the book: the title page, and all that follows, part by part."""

    title: str
    subtitle: str
    author: str
    made_by: str  #: the sentence on who made it: persons, or passes of a program
    release: Release
    day: str  #: of the release; before one, the last on which a source was consulted; empty where none is named
    sources: tuple[tuple[str, str, str, str], ...]  #: siglum, what we call it, what it calls itself, in which language
    colophon: tuple[nodes.Node, ...]
    parts: tuple[nodes.section, ...]
    languages: tuple[str, ...] = ("en",)  #: that of the book first, then those of the sources

    @property
    def dated(self) -> str:
        """The year, and whether the version can be had."""
        return ", ".join(filter(None, (self.day[:4], "" if self.release.date else self.release.dated)))


def build_book_part(target: str, title: str, *content: Content) -> nodes.section:
    """A part of the book; it begins on a new page."""
    return section(target, title, *content, cls=BOOK_PART_CLASS)


def build_book_chapter(target: str, title: str, *content: Content, cls: str = "", short: str = "") -> nodes.section:
    """A chapter; `short` is what stands at the head of its pages."""
    chapter = section(target, title, *content, cls=f"{BOOK_CHAPTER_CLASS} {cls}")
    chapter["short"] = short or title
    return chapter


def build_book_footnote(*content: Content) -> nodes.inline:
    """Words at the foot of the page, with a number here."""
    return span(*content, cls=BOOK_NOTE_CLASS)


def build_facing_row(place: Iterable[Content], *sides: nodes.Node) -> nodes.container:
    """A sentence: its number, and what stands beside it: the words, and the translation if there is one."""
    return block(para(*place, cls="bk-place"), *sides, cls=_FACING_ROW_CLASS)


def build_facing_side(*content: Content, lang: str = "", kind: str = "text") -> nodes.paragraph:
    """The words of one side."""
    return para(*content, cls=f"bk-side bk-{kind}", lang=lang)


def build_facing_text(rows: Iterable[nodes.container]) -> nodes.container:
    """Sentences under each other, their two sides facing."""
    return block(*rows, cls=BOOK_FACING_CLASS)


def set_in_small_type(*content: Content) -> nodes.container:
    """Matter in smaller type."""
    return block(*content, cls=BOOK_SMALL_CLASS)


def narrow_table(node: nodes.table) -> nodes.table:
    """A table that is no wider than its words."""
    return add_classes(node, BOOK_NARROW_CLASS)


def build_beside(text: Content, *beside: Content) -> nodes.container:
    """Words with others in the margin beside them."""
    return block(block(text), block(*beside), cls=BOOK_BESIDE_CLASS)


def build_page_list(rows: Iterable[tuple[str, str, Iterable[Content]]]) -> nodes.container:
    """A list of things, by kind, id and words, each with its page."""
    return block(*(para(link(kind, id, *words)) for kind, id, words in rows), cls=BOOK_PAGE_LIST_CLASS)


def build_page_numbers(places: Iterable[tuple[str, str]]) -> nodes.inline:
    """Numbers of the pages on which things stand, each page once."""
    return span(*(link(kind, id) for kind, id in places), cls=BOOK_PAGES_CLASS)


def build_index(entries: Iterable[nodes.Node]) -> nodes.container:
    """Entries of an index, in narrow columns."""
    return block(*entries, cls=BOOK_INDEX_CLASS)


def unfold_index(chapter: nodes.section) -> nodes.section:
    """A chapter whose index stands in no columns, so that a long one can be parted between its entries."""
    for index in [child for child in chapter.findall(nodes.container) if BOOK_INDEX_CLASS in get_node_classes(child)]:
        at = chapter.index(index)
        chapter[at : at + 1] = index.children
    return chapter


# --- places ---------------------------------------------------------------------------------------

LinkTarget = tuple[str, str]  #: what kind of thing, and its id


def format_target_label(place: LinkTarget) -> str:
    """Format a link target as a label."""
    return "/".join(place)


def get_node_classes(node: nodes.Element) -> list[str]:
    """The classes of a node."""
    return list(node.get("classes", []))


def get_link_targets(node: nodes.Element) -> list[LinkTarget]:
    """Link targets that a node bears."""
    known: list[tuple[str, str, str, str]] = node.get(TARGET, [])
    return [(kind, target) for kind, target, _, _ in known]


def places_of(node: nodes.Node) -> Iterator[tuple[LinkTarget, nodes.Element]]:
    """Everything in a tree that can be linked to, in the order of the book."""
    for element in node.findall(nodes.Element):
        yield from ((place, element) for place in get_link_targets(element))


def find_target_homes(parts: Iterable[nodes.section]) -> Mapping[LinkTarget, nodes.Element]:
    """First node that bears each link target: its home."""
    homes: dict[LinkTarget, nodes.Element] = {}
    for part in parts:
        for place, element in places_of(part):
            homes.setdefault(place, element)
    return homes


def drop_screen_nodes(content: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Remove what only a screen has use for: navigation, switches, and empty places for a script."""
    holder = fill_node(nodes.container(), content)
    for element in list(holder.findall(nodes.Element)):
        if element.parent is not None and (
            element.get("tag") in ("nav", "fieldset") or "rv-unseen" in get_node_classes(element)
        ):
            element.parent.remove(element)
    return list(holder.children)


# --- what all forms of the book need to render a node ------------------------------------------------


def find_node_handler(
    node: nodes.Element, by_class: Mapping[str, _HandlerT], by_kind: Mapping[type[nodes.Node], _HandlerT]
) -> _HandlerT:
    """Find what renders a node, by a class or its kind; a kind that has none is an error, so that nothing is lost."""
    named = next((by_class[cls] for cls in get_node_classes(node) if cls in by_class), None)
    handler = named or next((by_kind[kind] for kind in type(node).__mro__ if kind in by_kind), None)
    if handler is None:  # a StopIteration would only end the row it stands in
        raise LookupError(f"the book has nothing that renders a {type(node).__name__}: {node.astext()[:80]}")
    return handler


def split_table(node: nodes.Element) -> tuple[nodes.title | None, list[list[nodes.entry]], list[list[nodes.entry]]]:
    """Return the caption of a table, its head and its body, row by row."""
    caption = next((child for child in node.children if isinstance(child, nodes.title)), None)
    head, body = (
        [
            [cell for cell in row.children if isinstance(cell, nodes.entry)]
            for part in node.findall(kind)
            for row in part.children
        ]
        for kind in (nodes.thead, nodes.tbody)
    )
    return caption, head, body


# --- marks of quotation -----------------------------------------------------------------------------

OPENING = re.compile(r"(?<![^\s(\[“—–])\"(?=[^\s.,;:!?)\]])")
APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)|(?<=s)'(?=\s)")


def curl_quotation_marks(tree: nodes.Element) -> None:
    """Give our own words the marks of quotation that a book has; those of the sources stay as they are."""
    for text in list(tree.findall(nodes.Text)):
        if ('"' in text or "'" in text) and is_ours(text):
            words = OPENING.sub("“", str(text)).replace('"', "”")
            text.parent.replace(text, nodes.Text(APOSTROPHE.sub("’", words)))


def is_ours(text: nodes.Text) -> bool:
    """Check whether words are ours: in no language that is named, or marked so."""
    node: nodes.Element | None = text.parent
    while node is not None:
        names = get_node_classes(node)
        if any(name.startswith(LANGUAGE_PREFIX) for name in names):
            return BOOK_OURS_CLASS in names
        if isinstance(node, nodes.literal | nodes.literal_block | nodes.raw):
            return False
        node = node.parent
    return True


def book_time(day: str) -> datetime:
    """Return the time that the environment sets, or the day of the release; never the clock's."""
    seconds = os.environ.get(TIME_VARIABLE, "")
    if seconds.isdecimal():
        return max(datetime.fromtimestamp(int(seconds), UTC), EARLIEST)
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else EARLIEST
