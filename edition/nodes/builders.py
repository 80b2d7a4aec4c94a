"""The pieces of a page: docutils nodes, made from words that have already been chosen.

Period text is never read as markup: whatever comes in as a string goes out as those letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias, TypeVar

from docutils import nodes
from sphinx import addnodes

from rulebook.strings import address

Content: TypeAlias = "str | nodes.Node"
Some: TypeAlias = "Content | Sequence[Any]"  # one piece, or several in a row
N = TypeVar("N", bound=nodes.Element)

DOMAIN = "reversis"
TARGET = "reversis-target"  # on a node: what can be linked to here, as (kind, id, title)

VOID = frozenset({"input", "br", "hr", "wbr"})  # HTML elements that hold nothing


class markup(nodes.General, nodes.Inline, nodes.TextElement):
    """An HTML element that docutils has no name for; other formats print what it holds."""


class cite_here(nodes.General, nodes.Element):
    """The place of a citation; `kind` and `target` say of what. Only the pages of a site fill it."""


# --- filling and marking --------------------------------------------------------------------------


def listed(content: Some) -> list[Content]:
    """One piece or several, as a list."""
    return [content] if isinstance(content, (str, nodes.Node)) else list(content)


def filled(node: N, content: Iterable[Content]) -> N:
    """A node with its words in it."""
    node.extend([nodes.Text(one) if isinstance(one, str) else one for one in content])
    return node


def classed(node: N, cls: str = "", lang: str = "", **attributes: str) -> N:
    """A node with its classes, its language, and what else HTML should know of it."""
    names = [*cls.split(), *([f"language-{lang}"] if lang else [])]
    node["classes"] = [*node.get("classes", []), *names]
    if attributes:
        node["html"] = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    return node


def named(node: N, at: str) -> N:
    """Give a node an address on its page, for scripts and for links from elsewhere; no part of ours links to it."""
    node["ids"] = [*node["ids"], at]
    return node


def anchor(node: N, kind: str, target: str, title: str = "", at: str | None = None) -> N:
    """Make a node something that others can link to; `at` is its address on the page, when it is not its id."""
    place = target if at is None else at
    if place and place not in node["ids"]:
        node["ids"] = [*node["ids"], place]
    node[TARGET] = [*node.get(TARGET, []), (kind, target, title or target, place)]
    return node


# --- words ----------------------------------------------------------------------------------------


def span(*content: Content, cls: str = "", lang: str = "", **attributes: str) -> nodes.inline:
    """Words within a line."""
    return filled(classed(nodes.inline(), cls, lang, **attributes), content)


def strong(*content: Content, cls: str = "") -> nodes.strong:
    """Words that matter most."""
    return filled(classed(nodes.strong(), cls), content)


def emphasis(*content: Content, cls: str = "", lang: str = "") -> nodes.emphasis:
    """Words set apart."""
    return filled(classed(nodes.emphasis(), cls, lang), content)


def code(words: str) -> nodes.literal:
    """A name that a program would understand, such as a slug."""
    return filled(classed(nodes.literal(), "slug"), [words])


def unseen(words: str) -> nodes.inline:
    """Words for those who listen to the page instead of looking at it."""
    return span(words, cls="rv-unseen")


def link(kind: str, target: str, *content: Content, title: str = "", cls: str = "") -> addnodes.pending_xref:
    """A way to something else in the edition; the domain finds where that is."""
    found = addnodes.pending_xref(
        "", refdomain=DOMAIN, reftype=kind, reftarget=target, refexplicit=True, refwarn=True, reftip=title
    )
    return filled(found, [span(*(content or (target,)), cls=f"xref {cls}")])


def outward(address: str, *content: Content) -> nodes.reference:
    """A way out of the edition; nothing is fetched from there."""
    return filled(nodes.reference("", "", refuri=address, internal=False), content)


def within(anchor_id: str, *content: Content, cls: str = "", **attributes: str) -> nodes.reference:
    """A way to another place on this page."""
    node = nodes.reference("", "", refuri=f"#{anchor_id}", internal=True)
    return filled(classed(node, cls, **attributes), content)


# --- blocks ---------------------------------------------------------------------------------------


def para(*content: Content, cls: str = "", lang: str = "") -> nodes.paragraph:
    """A paragraph."""
    return filled(classed(nodes.paragraph(), cls, lang), content)


def block(*content: Content, cls: str = "", lang: str = "", **attributes: str) -> nodes.container:
    """A part of the page that holds others."""
    return filled(classed(nodes.container(), cls, lang, **attributes), content)


def markup_of(tag: str, *content: Content, cls: str = "", lang: str = "", **attributes: str) -> markup:
    """Any other HTML element."""
    return filled(classed(markup("", tag=tag), cls, lang, **attributes), content)


def details(summary: Some, *content: Content, cls: str = "") -> markup:
    """Words folded away under a heading; it opens without a script."""
    return markup_of("details", markup_of("summary", *listed(summary)), *content, cls=cls)


def quotation(*content: Content, cls: str = "", lang: str = "") -> nodes.block_quote:
    """The words of somebody else, set in."""
    return filled(classed(nodes.block_quote(), cls, lang), content)


def bullets(items: Iterable[Some], cls: str = "") -> nodes.bullet_list:
    """A list without numbers."""
    rows = [filled(nodes.list_item(), [para(*listed(item))]) for item in items]
    return filled(classed(nodes.bullet_list(bullet="*"), cls), rows)


def definitions(pairs: Iterable[tuple[Some, Some]], cls: str = "") -> nodes.definition_list:
    """Names, and what is to be said of each."""
    rows = [definition(term, said) for term, said in pairs]
    return filled(classed(nodes.definition_list(), cls), rows)


def definition(term: Some, said: Some) -> nodes.definition_list_item:
    """One name, and what is to be said of it."""
    head = filled(nodes.term(), listed(term))
    return filled(nodes.definition_list_item(), [head, filled(nodes.definition(), grouped(said))])


BLOCKS = (nodes.paragraph, nodes.container, nodes.bullet_list, nodes.block_quote, nodes.definition_list)


def grouped(said: Some) -> list[Content]:
    """Blocks as they are; words within a line gathered into paragraphs."""
    pieces = groupby(listed(said), key=lambda one: isinstance(one, BLOCKS))
    return [part for blocks, group in pieces for part in (group if blocks else [para(*group)])]


def section(target: str, title: Some, *content: Content, cls: str = "") -> nodes.section:
    """A heading with what stands under it."""
    head = filled(nodes.title(), listed(title))
    return filled(classed(nodes.section(ids=[target]), cls), [head, *content])


def heading(level: int, *content: Content, cls: str = "", lang: str = "") -> nodes.rubric:
    """A heading that the table of contents does not list."""
    made = nodes.rubric()
    made["heading-level"] = level
    return filled(classed(made, cls, lang), content)


def picture(svg: str, says: str) -> nodes.container:
    """A picture that is part of the page; a wide one can be moved about in its frame, with the keyboard too."""
    return block(nodes.raw("", svg, format="html"), cls="rv-picture", role="region", tabindex="0", aria_label=says)


# --- tables ---------------------------------------------------------------------------------------


def table(
    caption: Some,
    head: Sequence[Any],
    rows: Iterable[Sequence[Any]],
    cls: str = "",
    kind: str = "table",
) -> nodes.table:
    """A table with a caption; the first column names the rows.

    Each cell bears the name of its column, so that a narrow screen can show the row as a list. Its address on the
    page is made of its kind and its caption.
    """
    labels = [plain(one) for one in head]
    columns = [column(first=at == 0) for at in range(len(head))]
    group = nodes.tgroup(cols=len(head))
    group += columns
    group += filled(nodes.thead(), [row_of(head, [""] * len(head))])
    group += filled(nodes.tbody(), [row_of(row, labels) for row in rows])
    made = filled(classed(nodes.table(), f"rv-table {cls}"), [group])
    if caption:
        made.insert(0, filled(nodes.title(), listed(caption)))
        made["ids"] = [f"{kind}-{address(plain(caption))}"]  # or Sphinx would number it, and numbers move
    return made


def column(first: bool) -> nodes.colspec:
    """A column; the first one names the rows."""
    made = nodes.colspec(colwidth="1")
    if first:
        made["stub"] = 1
    return made


def row_of(cells: Sequence[Any], labels: Sequence[str]) -> nodes.row:
    """A row; a cell that is a row's own node may carry an anchor."""
    return filled(nodes.row(), [entry_of(cell, label) for cell, label in zip(cells, labels, strict=True)])


def entry_of(cell: Some, label: str) -> nodes.entry:
    """One cell, with the name of its column."""
    entry = nodes.entry()
    if label:
        entry["html"] = {"data-label": label}
    return filled(entry, grouped(cell))


def plain(content: Some) -> str:
    """The bare words of some content."""
    return "".join(one if isinstance(one, str) else one.astext() for one in listed(content))


# --- cards ----------------------------------------------------------------------------------------

SUITS: Mapping[str, tuple[str, str, str]] = {
    "S": ("♠", "black", "spades"),
    "H": ("♥", "red", "hearts"),
    "D": ("♦", "red", "diamonds"),
    "C": ("♣", "black", "clubs"),
}
RANKS: Mapping[str, str] = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
SHOWN: Mapping[str, str] = {"T": "10"}
AS_TEXT = "\ufe0e"  #: after a sign: it is a letter, and no telephone may make a coloured picture of it


def card(name: str) -> nodes.inline:
    """A card: its rank, and its suit in red or black; those who listen hear its name."""
    rank, suit_ = name[:-1], name[-1:]
    made = spoken(f"{RANKS.get(rank, rank)} of {SUITS[suit_][2]}", SHOWN.get(rank, rank), symbol(suit_))
    made["html"]["data-card"] = name
    return made


def suit(name: str) -> nodes.inline:
    """A suit, in red or black."""
    return spoken(SUITS[name][2], symbol(name))


def symbol(name: str) -> nodes.inline:
    """The sign of a suit."""
    sign, colour, _ = SUITS[name]
    return span(sign + AS_TEXT, cls=f"rv-suit rv-{colour}")


def spoken(words: str, *content: Content, cls: str = "rv-card") -> nodes.inline:
    """Signs that are seen as they are and heard in words."""
    return span(*content, cls=cls, role="img", aria_label=words, title=words)


def cards(names: str) -> list[Content]:
    """Several cards, as they are written in a deal: "JH QC 2S"."""
    found: list[Content] = []
    for name in names.split():
        found += [" ", card(name)] if found else [card(name)]
    return found


def html_attributes(node: nodes.Element) -> dict[str, Any]:
    """What HTML should know of a node beyond its classes."""
    return dict(node.get("html", {}))
