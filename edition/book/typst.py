"""From nodes to the language of the typesetter.

Every node becomes an expression of Typst's code, never of its markup, and every word a string in quotation marks: no
letter of a source can be taken for an instruction. How things look is said in `book.typ`, function by function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape

from docutils import nodes
from sphinx import addnodes

from edition.book import nodes as leaves
from edition.book.nodes import Book, Place, classes, targets
from edition.nodes.builders import markup

Put = Callable[["Setter", nodes.Element], str]

LANGUAGE = "language-"


@dataclass(frozen=True, slots=True)
class Setter:
    """What is known while a book is set: where things are at home, and how deep the headings stand."""

    homes: Mapping[Place, nodes.Element] = field(default_factory=dict)
    level: int = 0

    def set(self, node: nodes.Node) -> str:
        """One node as an expression."""
        if isinstance(node, nodes.Text):
            return string(str(node))
        assert isinstance(node, nodes.Element)
        said = by_kind(node)(self, node)
        if isinstance(node, nodes.section):
            return said  # its anchors stand below its heading
        anchors = [f"at({string(leaves.name(place))})" for place in self.anchored(node)]
        return block_of([*anchors, said]) if anchors else said

    def anchored(self, node: nodes.Element) -> Iterator[Place]:
        """The labels that a node bears; a thing that stands twice is at home where it stands first."""
        yield from (place for place in targets(node) if self.homes.get(place) is node)

    def inner(self, node: nodes.Element) -> str:
        """All that a node holds."""
        return self.all(node.children)

    def all(self, found: Iterable[nodes.Node]) -> str:
        """Several nodes in a row."""
        return block_of([self.set(one) for one in found])

    def deeper(self) -> Setter:
        """The same, one heading further down."""
        return Setter(self.homes, self.level + 1)


# --- strings and calls ------------------------------------------------------------------------------

LINE_END = re.compile(r"\s*\n\s*")
ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"'})


def string(words: str) -> str:
    """Words in quotation marks; line ends of a file are spaces."""
    return f'"{LINE_END.sub(" ", words).translate(ESCAPED)}"'


def block_of(expressions: Sequence[str]) -> str:
    """Several expressions joined to one."""
    found = [one for one in expressions if one not in ("[]", '""')]
    if not found:
        return "[]"
    return found[0] if len(found) == 1 else "{" + "; ".join(found) + "}"


def call(name: str, *arguments: str, **named: str) -> str:
    """A function with its arguments."""
    given = [*arguments, *(f"{key}: {value}" for key, value in named.items())]
    return f"{name}({', '.join(given)})"


def array(items: Iterable[str]) -> str:
    """Several values as one."""
    return "(" + "".join(f"{item}, " for item in items) + ")"


def boolean(said: object) -> str:
    """Yes or no."""
    return "true" if said else "false"


# --- classes ----------------------------------------------------------------------------------------

#: a class of a node -> the function of `book.typ` that sets it
STYLES: Mapping[str, str] = {
    leaves.NOTE: "foot",
    leaves.SMALL: "smaller",
    leaves.KEPT: "kept",
    leaves.TURNED: "turned",
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
}


def styled(node: nodes.Element, said: str) -> str:
    """Words in the manner of their classes, and hyphenated by their language."""
    for cls in reversed(classes(node)):
        if cls in STYLES and said != "[]":
            said = call(STYLES[cls], said)
    for cls in classes(node):
        if cls.startswith(LANGUAGE) and said != "[]":
            said = call("tongue", string(cls.removeprefix(LANGUAGE)), said)
    return said


# --- one kind of node after the other ---------------------------------------------------------------


def by_kind(node: nodes.Element) -> Put:
    """Who sets such a node; a kind that nobody sets is an error, so that nothing is lost in silence."""
    for cls in classes(node):
        if cls in BY_CLASS:
            return BY_CLASS[cls]
    return next(BY_NODE[kind] for kind in type(node).__mro__ if kind in BY_NODE)


def through(setter: Setter, node: nodes.Element) -> str:
    """What it holds, in the manner of its classes."""
    return styled(node, setter.inner(node))


def nothing(setter: Setter, node: nodes.Element) -> str:
    """What is not for readers of a book."""
    return "[]"


def wrapped(function: str) -> Put:
    """What it holds, as the argument of a function."""

    def put(setter: Setter, node: nodes.Element) -> str:
        said = setter.inner(node)
        return said if said == "[]" else styled(node, call(function, said))

    return put


def section(setter: Setter, node: nodes.Element) -> str:
    """A heading, and what stands under it."""
    below = setter.deeper()
    title, *rest = node.children
    level = str(min(below.level, 6))
    short = string(node.get("short", title.astext()))
    fresh = {"fresh": "true"} if leaves.TURNED in classes(node) else {}  # it begins with a page of its own kind
    assert isinstance(title, nodes.Element)
    head = call(heading_of(node), level, below.inner(title), short, **fresh)
    anchors = [f"at({string(leaves.name(place))})" for place in setter.anchored(node)]
    return styled(node, block_of([head, *anchors, below.all(rest)]))


def heading_of(node: nodes.Element) -> str:
    """The function that sets its heading."""
    found = {leaves.PART: "part-heading", leaves.CHAPTER: "chapter-heading", "bk-question": "question-heading"}
    return next((found[cls] for cls in classes(node) if cls in found), "section-heading")


def listing(function: str) -> Put:
    """A list."""

    def put(setter: Setter, node: nodes.Element) -> str:
        items = [one for one in node.children if isinstance(one, nodes.list_item)]
        return styled(node, call(function, array(map(setter.inner, items))))

    return put


def definitions(setter: Setter, node: nodes.Element) -> str:
    """Names, and what is said of each."""
    rows = []
    for item in node.children:
        if isinstance(item, nodes.Element):
            terms = [one for one in item.children if isinstance(one, nodes.term)]
            rest = [one for one in item.children if not isinstance(one, nodes.term)]
            rows.append(array([setter.all(terms), setter.all(rest)]))
    return styled(node, call("terms-of", array(rows), running=boolean("rv-glossary" in classes(node))))


def cross(setter: Setter, node: nodes.Element) -> str:
    """A way to another place in the book; where that is not in the book, the words alone."""
    place = (node["reftype"], node["reftarget"])
    said = through(setter, node)
    if place not in setter.homes or said == "[]":
        return said
    return call("link", call("label", string(leaves.name(place))), said)


def reference(setter: Setter, node: nodes.Element) -> str:
    """A way out of the book; places on a page of the site have none here."""
    said = through(setter, node)
    address = str(node.get("refuri", ""))
    return call("link", string(address), said) if address.startswith(("http:", "https:")) else said


def foot(setter: Setter, node: nodes.Element) -> str:
    """A note at the foot of the page."""
    return call("foot", setter.inner(node))


def facing(setter: Setter, node: nodes.Element) -> str:
    """Two sides, sentence by sentence."""
    rows = [one for one in node.children if isinstance(one, nodes.Element)]
    two = any(len(one.children) > 2 for one in rows)
    return call("facing", array(facing_row(setter, one, two) for one in rows), two=boolean(two))


def facing_row(setter: Setter, node: nodes.Element, two: bool) -> str:
    """One sentence: number, words, translation."""
    cells = [setter.set(one) for one in node.children]
    cells += ["[]"] * (3 - len(cells)) if two else []
    anchors = [f"at({string(leaves.name(place))})" for place in setter.anchored(node)]
    title = any("bk-title" in classes(one) for one in node.children if isinstance(one, nodes.Element))
    return call("row", array([block_of([*anchors, cells[0]]), *cells[1:]]), title=boolean(title))


def side(setter: Setter, node: nodes.Element) -> str:
    """The words of a side, without the space that a paragraph has."""
    return styled(node, setter.inner(node))


def picture(setter: Setter, node: nodes.Element) -> str:
    """A drawing; other raw matter is for screens."""
    drawing = node.astext()
    if not drawing.lstrip().startswith("<svg"):
        return "[]"
    alt = re.search(r'aria-label="([^"]*)"', drawing)
    inked = drawing.replace(">", f"><style>{INK}</style>", 1)
    return call("drawing", string(inked), string(unescape(alt[1]) if alt else "a drawing"))


#: the colours of a drawing on paper; on a screen the site's style sheet has them
INK = (
    ".rv-board, .rv-way { fill: none; stroke: #5c554a; stroke-width: 1.5 } "
    ".rv-across { stroke: #5c554a; stroke-dasharray: 2 4 } .rv-tip { fill: #5c554a } "
    ".rv-seat-mark { fill: white; stroke: #1c1a17; stroke-width: 1.5 } .rv-dealer { fill: #1c1a17 } "
    "text { font-family: 'Junicode Two Beta'; font-size: 16px; fill: #1c1a17 } .rv-dealer + .rv-number { fill: white }"
)


# --- tables -----------------------------------------------------------------------------------------

SHORT = 9  #: a column of words no longer than this is as wide as they are


def table(setter: Setter, node: nodes.Element) -> str:
    """A table with its caption; columns get room by what they hold."""
    title = next((one for one in node.children if isinstance(one, nodes.title)), None)
    head = [row for part in node.findall(nodes.thead) for row in part.children]
    body = [row for part in node.findall(nodes.tbody) for row in part.children]
    rows = [[*cells_of(row)] for row in (*head, *body)]
    set_rows = [array(setter.all(cell.children) for cell in row) for row in rows]
    made = call(
        "tabled",
        array(widths(rows)),
        array(set_rows[: len(head)]),
        array(set_rows[len(head) :]),
        caption=setter.inner(title) if title else "none",
        narrow=boolean(leaves.NARROW in classes(node)),
    )
    return styled(node, made)


def cells_of(row: nodes.Node) -> Iterator[nodes.entry]:
    """The cells of a row."""
    yield from (cell for cell in row.children if isinstance(cell, nodes.entry))


def widths(rows: Sequence[Sequence[nodes.entry]]) -> list[str]:
    """How wide each column is: as its words if they are few, else its share of what is left."""
    columns = [[cell.astext() for cell in column] for column in zip(*rows, strict=False)]
    return [width([words for words in column if words]) for column in columns]


def width(column: Sequence[str]) -> str:
    """The width of a column by its words: many words get more room, but not in proportion."""
    longest = max(map(len, column), default=0)
    if longest <= SHORT:
        return "auto"
    usual = sum(map(len, column)) / len(column)
    return f"{max(2.2, (usual * longest) ** 0.25):.2f}fr"


# --- the tables -------------------------------------------------------------------------------------

BY_CLASS: Mapping[str, Put] = {
    leaves.NOTE: foot,
    leaves.FACING: facing,
    "bk-side": side,
    "bk-place": side,
    "rv-unseen": nothing,
}

BY_NODE: Mapping[type[nodes.Node], Put] = {
    nodes.section: section,
    nodes.paragraph: wrapped("para"),
    nodes.container: through,
    markup: through,
    nodes.inline: through,
    nodes.term: through,
    nodes.definition: through,
    nodes.legend: through,
    nodes.strong: wrapped("strong"),
    nodes.emphasis: wrapped("emph"),
    nodes.title_reference: wrapped("emph"),
    nodes.literal: wrapped("slug"),
    nodes.literal_block: wrapped("listing"),
    nodes.superscript: wrapped("super"),
    nodes.block_quote: wrapped("quoted"),
    nodes.rubric: wrapped("minor-heading"),
    nodes.title: through,
    nodes.bullet_list: listing("bulleted"),
    nodes.enumerated_list: listing("numbered"),
    nodes.definition_list: definitions,
    nodes.table: table,
    nodes.transition: nothing,
    nodes.comment: nothing,
    nodes.target: nothing,
    nodes.raw: picture,
    nodes.reference: reference,
    addnodes.pending_xref: cross,
}


# --- the whole --------------------------------------------------------------------------------------


def source_of(book: Book) -> str:
    """The whole book in the language of the typesetter."""
    setter = Setter(leaves.homes(book.parts))
    sources = array(array(map(string, one)) for one in book.sources)
    opening = call(
        "book.with",
        title=string(book.title),
        subtitle=string(book.subtitle),
        author=string(book.author),
        version=string(book.version),
        sources=sources,
        colophon=setter.all(book.colophon),
    )
    parts = "\n".join(f"#{setter.set(one)}" for one in book.parts)
    return f'#import "book.typ": *\n#show: {opening}\n{parts}\n'
