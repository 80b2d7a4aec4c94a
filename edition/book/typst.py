"""From nodes to the language of the typesetter.

Every node becomes an expression of Typst's code, never of its markup, and every word a string in quotation marks: no
letter of a source can be taken for an instruction. How things look is said in `book.typ`, function by function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape

from docutils import nodes
from sphinx import addnodes

from edition.book import nodes as leaves
from edition.book.nodes import (
    LANGUAGE_PREFIX,
    BookContent,
    LinkTarget,
    find_node_handler,
    format_target_label,
    get_link_targets,
    get_node_classes,
    split_table,
)
from edition.nodes.builders import markup
from edition.nodes.deferred import deferred

_NodeSetter = Callable[["Setter", nodes.Element], str]


@dataclass(frozen=True, slots=True)
class Setter:
    """State while a book is set: homes of the link targets, and depth of headings."""

    homes: Mapping[LinkTarget, nodes.Element] = field(default_factory=dict)
    level: int = 0

    def set(self, node: nodes.Node) -> str:
        """One node as an expression."""
        if isinstance(node, nodes.Text):
            return quote_typst_string(str(node))
        assert isinstance(node, nodes.Element)
        expression = find_node_handler(node, _SETTERS_BY_CLASS, _SETTERS_BY_NODE)(self, node)
        if isinstance(node, nodes.section):
            return expression  # its anchors stand below its heading
        anchors = self.anchors(node)
        return _block_of([*anchors, expression]) if anchors else expression

    def anchors(self, node: nodes.Element) -> list[str]:
        """The labels that a node bears; a thing that stands twice is at home where it stands first."""
        places = (place for place in get_link_targets(node) if self.homes.get(place) is node)
        return [_format_call("at", quote_typst_string(format_target_label(place))) for place in places]

    def inner(self, node: nodes.Element) -> str:
        """All that a node holds."""
        return self.all(node.children)

    def all(self, children: Iterable[nodes.Node]) -> str:
        """Several nodes in a row; a comma parts the numbers of notes that follow each other."""
        row = _drop_sign(list(children))
        pairs = zip([None, *row], row, strict=False)
        return _block_of(
            [
                f"note-comma; {self.set(node)}" if _is_note(before) and _is_note(node) else self.set(node)
                for before, node in pairs
            ]
        )

    def deeper(self) -> Setter:
        """The same, one heading further down."""
        return replace(self, level=self.level + 1)


def _drop_sign(row: list[nodes.Node]) -> list[nodes.Node]:
    """The row without the sign of a source, which only a screen shows, and the space behind it."""
    signed = bool(row) and isinstance(row[0], nodes.Element) and "rv-sign" in get_node_classes(row[0])
    if signed and len(row) > 1 and isinstance(row[1], nodes.Text):
        return [nodes.Text(row[1].lstrip()), *row[2:]]
    return row


def _is_note(node: nodes.Node | None) -> bool:
    return isinstance(node, nodes.Element) and leaves.BOOK_NOTE_CLASS in get_node_classes(node)


# --- strings and calls ------------------------------------------------------------------------------

LINE_END = re.compile(r"\s*\n\s*")
ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"'})


def quote_typst_string(words: str) -> str:
    """Quote words as a Typst string; line ends of a file are spaces."""
    return f'"{LINE_END.sub(" ", words).translate(ESCAPED)}"'


def _block_of(expressions: Sequence[str]) -> str:
    filled = [expression for expression in expressions if expression not in ("[]", '""')]
    if not filled:
        return "[]"
    return filled[0] if len(filled) == 1 else "{" + "; ".join(filled) + "}"


def _format_call(name: str, *arguments: str, **named: str) -> str:
    given = [*arguments, *(f"{key}: {value}" for key, value in named.items())]
    return f"{name}({', '.join(given)})"


def _format_array(items: Iterable[str]) -> str:
    return "(" + "".join(f"{item}, " for item in items) + ")"


def _format_boolean(value: object) -> str:
    return "true" if value else "false"


# --- classes ----------------------------------------------------------------------------------------

#: a class of a node -> the function of `book.typ` that sets it
STYLES: Mapping[str, str] = {
    leaves.BOOK_NOTE_CLASS: "foot",
    leaves.BOOK_SMALL_CLASS: "smaller",
    leaves.BOOK_TURNED_CLASS: "turned",
    "rv-takers": "line-of",
    "rv-card-leads": "led",
    "rv-card-takes": "won",
    "rv-red": "red-suit",
    "rv-black": "black-suit",
    "rv-badge": "badge",
    "rv-label": "labelled",
    "rv-small": "small",
    "rv-id": "number-of",
    "rv-ids": "number-of",
    "rv-grounds": "number-of",
    "rv-siglum": "siglum",
    "rv-mark": "mark",
    "rv-unclear": "unclear",
    "rv-exact": "exact",
    "rv-break": "page-mark",
    "bk-head": "question-head",
    "bk-entry": "entry",
    "bk-corr": "emended",
    "bk-hang": "hanging",
    "bk-own-title": "own-title",
    "bk-figure": "figured",
    "bk-landmark": "landmarked",
    "bk-caption": "caption",
}


def _apply_styles(node: nodes.Element, expression: str) -> str:
    """Words in the manner of their classes, and hyphenated by their language."""
    for cls in reversed(get_node_classes(node)):
        if cls in STYLES and expression != "[]":
            expression = _format_call(STYLES[cls], expression)
    for cls in get_node_classes(node):
        if cls.startswith(LANGUAGE_PREFIX) and expression != "[]":
            expression = _format_call("tongue", quote_typst_string(cls.removeprefix(LANGUAGE_PREFIX)), expression)
    return expression


# --- one kind of node after the other ---------------------------------------------------------------


def _set_content(setter: Setter, node: nodes.Element) -> str:
    return _apply_styles(node, setter.inner(node))


def _set_nothing(setter: Setter, node: nodes.Element) -> str:
    return "[]"


def _make_wrapper(function: str) -> _NodeSetter:
    """Setter that passes the content of a node to a Typst function."""

    def put(setter: Setter, node: nodes.Element) -> str:
        expression = setter.inner(node)
        return expression if expression == "[]" else _apply_styles(node, _format_call(function, expression))

    return put


def _set_section(setter: Setter, node: nodes.Element) -> str:
    below = setter.deeper()
    title, *rest = node.children
    level = str(min(below.level, 6))
    short = quote_typst_string(node.get("short", title.astext()))
    turned = leaves.BOOK_TURNED_CLASS in get_node_classes(node)  # it begins with a page of its own kind
    fresh = {"fresh": "true"} if turned or _follows_part_heading(node) else {}
    assert isinstance(title, nodes.Element)
    anchors, words = setter.anchors(node), below.inner(title)
    if below.level > _CONTENTS_DEPTH:  # behind a heading they would part it from what follows it
        anchors, words = [], _block_of([*anchors, words])
    head = _format_call(_heading_of(node), level, words, short, **fresh, **_place_index(rest))
    return _apply_styles(node, _block_of([head, *anchors, below.all(rest)]))


def _place_index(content: Iterable[nodes.Node]) -> dict[str, str]:
    """A chapter with a long index begins at the top of a page, one with a short index where it stays whole."""
    index = next(
        (element for element in _elements(content) if leaves.BOOK_INDEX_CLASS in get_node_classes(element)), None
    )
    if index is None:
        return {}
    return {"top": "true"} if _is_long_index(index) else {"room": "150mm"}


def _is_long_index(node: nodes.Element) -> bool:
    return len(node.children) > _SHORT_INDEX


_SHORT_INDEX = 30  #: entries that stand on a page together with what goes before


def _elements(content: Iterable[nodes.Node]) -> Iterator[nodes.Element]:
    return (node for node in content if isinstance(node, nodes.Element))


_CONTENTS_DEPTH = 2  #: the headings that stand in the list of contents too, where an anchor would stand twice


def _follows_part_heading(node: nodes.Element) -> bool:
    """Test for a chapter right under the heading of its part, which has no page of its own."""
    classes = get_node_classes(node.parent) if isinstance(node.parent, nodes.section) else []
    return leaves.BOOK_PART_CLASS in classes and node.parent.children[1] is node


def _heading_of(node: nodes.Element) -> str:
    headings = {
        leaves.BOOK_PART_CLASS: "part-heading",
        leaves.BOOK_CHAPTER_CLASS: "chapter-heading",
        "bk-question": "question-heading",
        "bk-deal": "deal-heading",
    }
    return next((headings[cls] for cls in get_node_classes(node) if cls in headings), "section-heading")


def _make_list_setter(function: str) -> _NodeSetter:
    def put(setter: Setter, node: nodes.Element) -> str:
        items = [child for child in node.children if isinstance(child, nodes.list_item)]
        return _apply_styles(node, _format_call(function, _format_array(map(setter.inner, items))))

    return put


def _set_definitions(setter: Setter, node: nodes.Element) -> str:
    rows = []
    for item in node.children:
        if isinstance(item, nodes.Element):
            terms = [child for child in item.children if isinstance(child, nodes.term)]
            rest = [child for child in item.children if not isinstance(child, nodes.term)]
            rows.append(_format_array([setter.all(terms), setter.all(rest)]))
    running = _format_boolean("rv-glossary" in get_node_classes(node))
    return _apply_styles(node, _format_call("terms-of", _format_array(rows), running=running))


def _set_cross_reference(setter: Setter, node: nodes.Element) -> str:
    """Link to another place in the book; where that is not in the book, the words alone."""
    place = (node["reftype"], node["reftarget"])
    expression = _set_content(setter, node)
    if place not in setter.homes or expression == "[]":
        return expression
    if place[0] == "note":
        siglum = quote_typst_string(str(place[1]).partition(".")[0])
        return _format_call("note-at", _format_label(place), siglum, expression)
    return _format_call("to" if place[0] in _PAGED_KINDS else "link", _format_label(place), expression)


#: what a reference names by its page too; sources are in the contents, terms and works in the order of the alphabet
_PAGED_KINDS = frozenset({"sentence", "note", "emendation", "clause", "alternative", "question", "cell", "deal"})


def _format_label(place: LinkTarget) -> str:
    return _format_call("label", quote_typst_string(format_target_label(place)))


def _list_known_targets(setter: Setter, node: nodes.Element) -> list[tuple[LinkTarget, nodes.Element]]:
    """References within a node to what stands in the book."""
    references = (
        ((reference["reftype"], reference["reftarget"]), reference) for reference in node.findall(addnodes.pending_xref)
    )
    return [(place, reference) for place, reference in references if place in setter.homes]


def _set_page_list(setter: Setter, node: nodes.Element) -> str:
    targets = _list_known_targets(setter, node)
    return _format_call(
        "page-list",
        _format_array(_format_array([_format_label(place), setter.inner(reference)]) for place, reference in targets),
    )


def _set_page_numbers(setter: Setter, node: nodes.Element) -> str:
    labels = dict.fromkeys(_format_label(place) for place, _ in _list_known_targets(setter, node))
    named = {"named": "true"} if leaves.BOOK_NAMED_PAGES_CLASS in get_node_classes(node) else {}
    return _format_call("pages-of", _format_array(labels), **named)


def _set_index(setter: Setter, node: nodes.Element) -> str:
    """Entries of an index, each with whether it is a heading."""
    rows = [(isinstance(element, nodes.rubric), element) for element in _elements(node.children)]
    entries = (
        _format_array([_format_boolean(heads), setter.inner(element) if heads else setter.set(element)])
        for heads, element in rows
    )
    return _format_call("index-of", _format_array(entries), top=_format_boolean(_is_long_index(node)))


def _set_external_link(setter: Setter, node: nodes.Element) -> str:
    """Link out of the book; places on a page of the site have none here."""
    expression = _set_content(setter, node)
    address = str(node.get("refuri", ""))
    return (
        _format_call("link", quote_typst_string(address), expression)
        if address.startswith(("http:", "https:"))
        else expression
    )


def _set_facing_text(setter: Setter, node: nodes.Element) -> str:
    rows = [child for child in node.children if isinstance(child, nodes.Element)]
    two = any(len(row.children) > 2 for row in rows)
    array = _format_array(_set_facing_row(setter, row, two) for row in rows)
    return _format_call("facing", array, two=_format_boolean(two))


def _set_facing_row(setter: Setter, node: nodes.Element, two: bool) -> str:
    cells = [setter.set(child) for child in node.children]
    cells += ["[]"] * (3 - len(cells)) if two else []
    title = any("bk-title" in get_node_classes(child) for child in node.children if isinstance(child, nodes.Element))
    array = _format_array([_block_of([*setter.anchors(node), cells[0]]), *cells[1:]])
    number = quote_typst_string(node.children[0].astext())
    return _format_call("row", array, title=_format_boolean(title), number=number)


def _set_drawing(setter: Setter, node: nodes.Element) -> str:
    """A drawing; other raw matter is for screens."""
    drawing = node.astext()
    if not drawing.lstrip().startswith("<svg"):
        return "[]"
    alt = re.search(r'aria-label="([^"]*)"', drawing)
    inked = drawing.replace(">", f"><style>{_DRAWING_COLOURS}</style>", 1)
    words = unescape(alt[1]) if alt else "a drawing"
    return _format_call("drawing", quote_typst_string(inked), quote_typst_string(words))


#: the colours of a drawing on paper; on a screen the site's style sheet has them
_DRAWING_COLOURS = (
    ".rv-board, .rv-way { fill: none; stroke: #5c554a; stroke-width: 1.5 } "
    ".rv-across { stroke: #5c554a; stroke-dasharray: 2 4 } .rv-tip { fill: #5c554a } "
    ".rv-seat-mark { fill: white; stroke: #1c1a17; stroke-width: 1.5 } .rv-dealer { fill: #1c1a17 } "
    ".bk-branch { stroke: #1c1a17; stroke-width: 1.5 } .bk-grid { stroke: #cfc8bb; stroke-width: 1 } "
    "text { font-family: 'Junicode Two Beta'; font-size: 16px; fill: #1c1a17 } .rv-dealer + .rv-number { fill: white }"
)


# --- tables -----------------------------------------------------------------------------------------

_LONGEST_WHOLE = 400  #: a row whose cells have no more letters stays on one page
_MAX_AUTO_WIDTH = 9  #: a column of words no longer than this is as wide as they are


def _set_table(setter: Setter, node: nodes.Element) -> str:
    title, head, body = split_table(node)
    rows = (_format_array(_format_array(map(setter.inner, row)) for row in part) for part in (head, body))
    longest = max((len(cell.astext()) for row in body for cell in row), default=0)
    expression = _format_call(
        "tabled",
        _format_array(_compute_column_widths([*head, *body])),
        *rows,
        caption=setter.inner(title) if title else "none",
        narrow=_format_boolean(leaves.BOOK_NARROW_CLASS in get_node_classes(node)),
        sums=str(node.get("sums", 0)),
        groups=_format_array(map(str, node.get("groups", ()))),
        breaking=_format_boolean(longest > _LONGEST_WHOLE),
        marked=_format_boolean("bk-marked" in get_node_classes(node)),
    )
    return _apply_styles(node, expression)


def _compute_column_widths(rows: Sequence[Sequence[nodes.entry]]) -> list[str]:
    columns = [[cell.astext() for cell in column] for column in zip(*rows, strict=False)]
    return [_compute_column_width([words for words in column if words]) for column in columns]


def _compute_column_width(column: Sequence[str]) -> str:
    """The width of a column by its words: many words get more room, but not in proportion."""
    longest = max(map(len, column), default=0)
    if longest <= _MAX_AUTO_WIDTH:
        return "auto"
    usual = sum(map(len, column)) / len(column)
    return f"{max(2.2, (usual * longest) ** 0.25):.2f}fr"


# --- the tables -------------------------------------------------------------------------------------

_SETTERS_BY_CLASS: Mapping[str, _NodeSetter] = {
    leaves.BOOK_NOTE_CLASS: lambda setter, node: _format_call("foot", setter.inner(node)),
    leaves.BOOK_FACING_CLASS: _set_facing_text,
    leaves.BOOK_PAGE_LIST_CLASS: _set_page_list,
    leaves.BOOK_PAGES_CLASS: _set_page_numbers,
    leaves.BOOK_BESIDE_CLASS: lambda setter, node: _format_call("beside", *map(setter.set, node.children)),
    leaves.BOOK_INDEX_CLASS: _set_index,
    "bk-side": _set_content,  # without the space that a paragraph has
    "bk-place": _set_content,
    "rv-unseen": _set_nothing,
}

_SETTERS_BY_NODE: Mapping[type[nodes.Node], _NodeSetter] = {
    nodes.section: _set_section,
    nodes.paragraph: _make_wrapper("para"),
    nodes.container: _set_content,
    markup: _set_content,
    deferred: lambda setter, node: setter.all(node.children[1:]),
    nodes.inline: _set_content,
    nodes.term: _set_content,
    nodes.definition: _set_content,
    nodes.legend: _set_content,
    nodes.strong: _make_wrapper("strong"),
    nodes.emphasis: _make_wrapper("emph"),
    nodes.title_reference: _make_wrapper("emph"),
    nodes.literal: _make_wrapper("slug"),
    nodes.literal_block: _make_wrapper("listing"),
    nodes.superscript: _make_wrapper("super"),
    nodes.block_quote: _make_wrapper("quoted"),
    nodes.rubric: _make_wrapper("minor-heading"),
    nodes.title: _set_content,
    nodes.bullet_list: _make_list_setter("bulleted"),
    nodes.enumerated_list: _make_list_setter("numbered"),
    nodes.definition_list: _set_definitions,
    nodes.table: _set_table,
    nodes.transition: _set_nothing,
    nodes.comment: _set_nothing,
    nodes.target: _set_nothing,
    nodes.raw: _set_drawing,
    nodes.reference: _set_external_link,
    addnodes.pending_xref: _set_cross_reference,
}


# --- the whole --------------------------------------------------------------------------------------


def render_typst(book: BookContent) -> str:
    """Render the whole book in the language of the typesetter."""
    setter = Setter(leaves.find_target_homes(book.parts))
    sources = _format_array(_format_array(map(quote_typst_string, source)) for source in book.sources)
    opening = _format_call(
        "book.with",
        title=quote_typst_string(book.title),
        subtitle=quote_typst_string(book.subtitle),
        author=quote_typst_string(book.author),
        version=quote_typst_string(book.release.version),
        released=quote_typst_string(book.dated),
        keywords=_format_array(map(quote_typst_string, book.release.keywords)),
        sources=sources,
        colophon=setter.all(book.colophon),
        **{"made-by": quote_typst_string(book.made_by)},
    )
    parts = "\n".join(f"#{setter.set(part)}" for part in book.parts)
    return f'#import "book.typ": *\n#show: {opening}\n{parts}\n'
