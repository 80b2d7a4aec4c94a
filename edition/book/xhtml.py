"""From nodes to the pages of an EPUB: every chapter a file with its notes at its end, and no script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from docutils import nodes
from sphinx import addnodes

from edition.book import nodes as leaves
from edition.book.nodes import (
    LANGUAGE_PREFIX,
    BookContent,
    LinkTarget,
    find_node_handler,
    get_link_targets,
    get_node_classes,
    split_table,
)
from edition.nodes.builders import VOID, html_attributes, markup
from edition.nodes.deferred import deferred

_NodeRenderer = Callable[["Page", nodes.Element], str]

DRAWN = "<svg "
LARGEST_EPUB_FILE = 200_000  #: bytes; reading devices are slow with files above 300 kB


@dataclass(frozen=True, slots=True)
class BookFile:
    """One file of the book: a part, a chapter, or a piece of one."""

    name: str
    title: str
    level: int  #: 1 a part, 2 a chapter, 0 a chapter that goes on
    body: str
    sections: tuple[tuple[str, str], ...] = ()  #: of a chapter: title and address

    @property
    def draws(self) -> bool:
        """True if there is a drawing in it, which the list of files must say."""
        return DRAWN in self.body


@dataclass(frozen=True, slots=True)
class Page:
    """State while one file is written; its notes gather until its end."""

    name: str
    files: Mapping[nodes.Node, str]  #: a chapter or part -> the file it is
    homes: Mapping[LinkTarget, nodes.Element]
    level: int = 0
    notes: list[str] = field(default_factory=list)

    def put(self, node: nodes.Node) -> str:
        """One node."""
        if isinstance(node, nodes.Text):
            return escape(str(node), quote=False)
        assert isinstance(node, nodes.Element)
        return find_node_handler(node, _RENDERERS_BY_CLASS, _RENDERERS_BY_NODE)(self, node)

    def inner(self, node: nodes.Element) -> str:
        """All that a node holds."""
        return self.all(node.children)

    def all(self, children: Iterable[nodes.Node]) -> str:
        """Several nodes in a row."""
        return "".join(map(self.put, children))

    def deeper(self) -> Page:
        """The same, one heading further down."""
        return Page(self.name, self.files, self.homes, self.level + 1, self.notes)

    def at_home(self, node: nodes.Element) -> list[str]:
        """The addresses of what is at home here."""
        return [_format_anchor(place) for place in get_link_targets(node) if self.homes.get(place) is node]


def _format_anchor(place: LinkTarget) -> str:
    """A place as an XML name; what a name may not hold is written by its number."""
    return re.sub(r"[^\w.-]", lambda match: f"_{ord(match[0]):x}_", "-".join(place))


# --- tags -------------------------------------------------------------------------------------------

_SPOKEN_ATTRIBUTES = ("role", "aria-label")


def _render_tag(name: str, node: nodes.Element, page: Page, content: str, **more: str) -> str:
    """An element with the classes, the language and the addresses of a node."""
    names = [cls for cls in get_node_classes(node) if not cls.startswith(LANGUAGE_PREFIX)]
    langs = [cls.removeprefix(LANGUAGE_PREFIX) for cls in get_node_classes(node) if cls.startswith(LANGUAGE_PREFIX)]
    attributes = {**({"class": " ".join(names)} if names else {}), **_get_spoken_attributes(node), **more}
    if langs:
        attributes |= {"lang": langs[-1], "xml:lang": langs[-1]}
    first, *rest = [*page.at_home(node), ""]
    if first:
        attributes["id"] = first
    empty = "".join(f'<span id="{address}"></span>' for address in rest if address)
    return _render_element(name, empty + content, attributes)


def _render_element(name: str, content: str, attributes: Mapping[str, str]) -> str:
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}/>" if name in VOID else f"<{name}{given}>{content}</{name}>"


def _get_spoken_attributes(node: nodes.Element) -> dict[str, str]:
    """Attributes for screen readers; a role stands only where it can be named."""
    known = html_attributes(node)
    return {key: known[key] for key in _SPOKEN_ATTRIBUTES if key in known} if known.get("role") == "img" else {}


def _make_tag_renderer(name: str) -> _NodeRenderer:
    return lambda page, node: _render_tag(name, node, page, page.inner(node))


def _render_nothing(page: Page, node: nodes.Element) -> str:
    return ""


def _render_section(page: Page, node: nodes.Element) -> str:
    below = page.deeper()
    title, *rest = node.children
    level = min(below.level, 6)
    head = f"<h{level}>{below.all(title.children)}</h{level}>"
    return _render_tag("section", node, page, head + below.all(rest)) + "\n"


def _render_footnote(page: Page, node: nodes.Element) -> str:
    """A note: its number here, its words at the end of the file."""
    number = len(page.notes) + 1
    page.notes.append("")  # keeps its place while its words are written, which may hold notes of their own
    back = f'<a href="#r{number}" role="doc-backlink">{number}</a>'
    words = f"<p>{back} {page.inner(node)}</p>"
    page.notes[number - 1] = f'<aside id="n{number}" epub:type="footnote" role="doc-footnote">{words}</aside>'
    ids = "".join(f'<span id="{address}"></span>' for address in page.at_home(node))
    mark = f'<a id="r{number}" href="#n{number}" epub:type="noteref" role="doc-noteref">{number}</a>'
    return f"{ids}<sup>{mark}</sup>"


def _render_cross_reference(page: Page, node: nodes.Element) -> str:
    """Link to another place in the book; where that is not in the book, the words alone."""
    place = (node["reftype"], node["reftarget"])
    content = page.inner(node)
    if place not in page.homes:
        return content
    home = _find_file_name(page, page.homes[place])
    return f'<a href="{"" if home == page.name else home}#{_format_anchor(place)}">{content}</a>'


def _render_places(page: Page, node: nodes.Element) -> str:
    """The places of an entry of an index, by their numbers: no page has one here."""
    return _render_tag("span", node, page, ", ".join(dict.fromkeys(map(page.put, node.children))))


def _find_file_name(page: Page, node: nodes.Node) -> str:
    holder: nodes.Node | None = node
    while holder is not None and holder not in page.files:
        holder = holder.parent
    assert holder is not None
    return page.files[holder]


def _render_external_link(page: Page, node: nodes.Element) -> str:
    """Link out of the book; places on a page of the site have none here."""
    there = str(node.get("refuri", ""))
    content = page.inner(node)
    return _render_element("a", content, {"href": there}) if there.startswith(("http:", "https:")) else content


def _make_list_renderer(name: str) -> _NodeRenderer:
    """A list; one without items is none."""
    return lambda page, node: _render_tag(name, node, page, page.inner(node)) if node.children else ""


def _render_flow(page: Page, node: nodes.Element) -> str:
    """An element that stands within a line or as a block, by its content."""
    return _render_tag("div" if _holds_blocks(node) else "span", node, page, page.inner(node))


_BLOCK_NODES = (
    nodes.paragraph,
    nodes.container,
    nodes.bullet_list,
    nodes.block_quote,
    nodes.definition_list,
    nodes.table,
)


def _holds_blocks(node: nodes.Element) -> bool:
    return any(
        isinstance(child, _BLOCK_NODES) or (isinstance(child, nodes.Element) and _holds_blocks(child))
        for child in node.children
    )


def _render_table(page: Page, node: nodes.Element) -> str:
    title, head, body = split_table(node)
    caption = f"<caption>{page.inner(title)}</caption>" if title else ""
    thead = f"<thead>{_render_rows(page, head, head=True)}</thead>" if head else ""
    return _render_tag("table", node, page, f"{caption}{thead}<tbody>{_render_rows(page, body, head=False)}</tbody>")


def _render_rows(page: Page, rows: Iterable[Iterable[nodes.entry]], head: bool) -> str:
    rendered = ("".join(cell_of(page, cell, head, at) for at, cell in enumerate(row)) for row in rows)
    return "".join(f"<tr>{cells}</tr>" for cells in rendered)


def cell_of(page: Page, cell: nodes.entry, head: bool, at: int) -> str:
    """A cell; of one paragraph the words alone."""
    only = cell.children[0] if len(cell.children) == 1 else None
    plain = isinstance(only, nodes.paragraph) and not get_node_classes(only) and not get_link_targets(only)
    content = page.inner(only) if plain and isinstance(only, nodes.Element) else page.inner(cell)
    if head:
        return f'<th scope="col">{content}</th>' if content else "<td></td>"
    label = escape(html_attributes(cell).get("data-label", ""))
    return f'<th scope="row">{content}</th>' if at == 0 and content else f'<td data-label="{label}">{content}</td>'


def _render_drawing(page: Page, node: nodes.Element) -> str:
    """A drawing; other raw matter is for screens."""
    drawing = node.astext()
    return drawing if drawing.lstrip().startswith(DRAWN) else ""


_RENDERERS_BY_CLASS: Mapping[str, _NodeRenderer] = {
    leaves.BOOK_NOTE_CLASS: _render_footnote,
    leaves.BOOK_PAGES_CLASS: _render_places,
    "rv-unseen": _render_nothing,
}

_RENDERERS_BY_NODE: Mapping[type[nodes.Node], _NodeRenderer] = {
    nodes.section: _render_section,
    nodes.paragraph: _make_tag_renderer("p"),
    nodes.container: _make_tag_renderer("div"),
    markup: _render_flow,
    deferred: lambda page, node: page.all(node.children[1:]),
    nodes.inline: _render_flow,
    nodes.strong: _make_tag_renderer("strong"),
    nodes.emphasis: _make_tag_renderer("em"),
    nodes.title_reference: _make_tag_renderer("em"),
    nodes.literal: _make_tag_renderer("code"),
    nodes.literal_block: _make_tag_renderer("pre"),
    nodes.superscript: _make_tag_renderer("sup"),
    nodes.block_quote: _make_tag_renderer("blockquote"),
    nodes.rubric: lambda page, node: _render_tag(f"h{min(page.level + 1, 6)}", node, page, page.inner(node)),
    nodes.bullet_list: _make_list_renderer("ul"),
    nodes.enumerated_list: _make_list_renderer("ol"),
    nodes.list_item: _make_tag_renderer("li"),
    nodes.definition_list: _make_list_renderer("dl"),
    nodes.definition_list_item: Page.inner,
    nodes.term: _make_tag_renderer("dt"),
    nodes.definition: _make_tag_renderer("dd"),
    nodes.table: _render_table,
    nodes.transition: _render_nothing,
    nodes.comment: _render_nothing,
    nodes.target: _render_nothing,
    nodes.raw: _render_drawing,
    nodes.reference: _render_external_link,
    addnodes.pending_xref: _render_cross_reference,
}


# --- files ------------------------------------------------------------------------------------------


def render_book_files(book: BookContent) -> Iterator[BookFile]:
    """Render every part and every chapter as a file of its own; a long chapter as several."""
    homes = leaves.find_target_homes(book.parts)
    named = dict(_name_files(book))
    chapters = {part: [child for child in part.children if isinstance(child, nodes.section)] for part in book.parts}
    for chapter in (chapter for below in chapters.values() for chapter in below):
        named |= _name_pieces(chapter, named[chapter], Page(named[chapter], named, homes, 1))
    for part, below in chapters.items():
        yield _render_part(part.children[0].astext(), named[part], [(named[chapter], chapter) for chapter in below])
        for chapter in below:
            yield from _render_chapter(chapter, named, homes)


def _render_part(title: str, name: str, chapters: Iterable[tuple[str, nodes.section]]) -> BookFile:
    """Render the page on which a part begins, with its chapters."""
    rows = "".join(
        f'<li><a href="{file}">{escape(chapter.children[0].astext())}</a></li>' for file, chapter in chapters
    )
    return BookFile(name, title, 1, f'<h1>{escape(title, quote=False)}</h1><ul class="bk-chapters">{rows}</ul>')


def _name_files(book: BookContent) -> Iterator[tuple[nodes.Node, str]]:
    for part in book.parts:
        yield part, f"{part['ids'][0]}.xhtml"
        for chapter in part.children:
            if isinstance(chapter, nodes.section):
                yield chapter, f"{chapter['ids'][0]}.xhtml"


def _name_pieces(chapter: nodes.section, name: str, page: Page) -> Iterator[tuple[nodes.Node, str]]:
    """Name the file of each piece of a chapter; a long chapter goes on in further files."""
    room, at = LARGEST_EPUB_FILE, 1
    for child in chapter.children[1:]:
        size = len(page.put(child).encode())
        if size > room and room < LARGEST_EPUB_FILE:
            room, at = LARGEST_EPUB_FILE, at + 1
        room -= size
        yield child, name if at == 1 else name.replace(".xhtml", f"-{at}.xhtml")


def _render_chapter(
    chapter: nodes.section, named: Mapping[nodes.Node, str], homes: Mapping[LinkTarget, nodes.Element]
) -> Iterator[BookFile]:
    """Render the files of a chapter; the first bears its heading and lists its sections."""
    title, *content = chapter.children
    assert isinstance(title, nodes.Element)
    first, *further = [[*group] for _, group in groupby(content, key=lambda node: named[node])] or [[]]
    page = Page(named[chapter], named, homes, 1)
    words = _render_tag("section", chapter, page, f"<h1>{page.inner(title)}</h1>{page.all(first)}")
    sections = tuple(_list_sections(content, page))
    yield BookFile(page.name, title.astext(), 2, f"{words}\n{_render_notes(page)}", sections)
    for group in further:
        page = Page(named[group[0]], named, homes, 1)
        head = f"<h1>{page.inner(title)}, continued</h1>"
        words = f'<section class="bk-continued">{head}{page.all(group)}</section>'
        yield BookFile(page.name, title.astext(), 0, f"{words}\n{_render_notes(page)}")


def _list_sections(content: Iterable[nodes.Node], page: Page) -> Iterator[tuple[str, str]]:
    """List the sections of a chapter, title and address, that can be linked to."""
    for node in content:
        if isinstance(node, nodes.section) and (ids := page.at_home(node)):
            yield node.children[0].astext(), f"{_find_file_name(page, node)}#{ids[0]}"


def _render_notes(page: Page) -> str:
    if not page.notes:
        return ""
    head = '<h2 class="bk-notes">Notes</h2>'
    return f'<section class="bk-notes" epub:type="footnotes">{head}{"".join(page.notes)}</section>'


def render_loose_nodes(content: Iterable[nodes.Node]) -> str:
    """Render nodes that stand outside the parts, such as the colophon."""
    return Page("", {}, {}).all(content)
