"""Builders of page content: docutils nodes from text that has already been chosen.

Period text is never read as markup: whatever comes in as a string goes out as those letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias, TypeVar

from docutils import nodes
from sphinx import addnodes

from rulebook.strings import slugify_text

Content: TypeAlias = "str | nodes.Node"
ContentLike: TypeAlias = "Content | Sequence[Any]"  # one piece, or several in a row
NodeT = TypeVar("NodeT", bound=nodes.Element)

DOMAIN = "edition"
TARGET = "edition-target"  # on a node: what can be linked to here, as (kind, id, title)

VOID = frozenset({"input", "br", "hr", "wbr"})  # HTML elements that hold nothing


class markup(nodes.General, nodes.Inline, nodes.TextElement):
    """An HTML element that docutils has no name for; other formats print what it holds."""


class cite_here(nodes.General, nodes.Element):
    """The place of a citation; `kind` and `target` say of what. Only the pages of a site fill it."""


# --- filling and marking --------------------------------------------------------------------------


def as_content_list(content: ContentLike) -> list[Content]:
    """One piece of content or several, as a list."""
    return [content] if isinstance(content, (str, nodes.Node)) else list(content)


def fill_node(node: NodeT, content: Iterable[Content]) -> NodeT:
    """Append content to a node and return the node."""
    children = [nodes.Text(piece) if isinstance(piece, str) else piece for piece in content]
    if node.parent is not None:
        node.extend(children)
        return node
    for child in children:  # docutils looks for the document at each of them, and there is none yet
        child.parent = node
    node.children += children
    return node


def add_classes(node: NodeT, cls: str = "", lang: str = "", **attributes: str) -> NodeT:
    """Add classes, a language and HTML attributes to a node and return it."""
    if cls or lang:
        node.attributes["classes"] = [
            *node.attributes["classes"],
            *cls.split(),
            *([f"language-{lang}"] if lang else []),
        ]
    if attributes:
        node["html"] = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    return node


def add_page_id(node: NodeT, at: str) -> NodeT:
    """Give a node an id on its page, for scripts and links from elsewhere; no page of ours links to it."""
    node["ids"] = [*node["ids"], at]
    return node


def add_anchor(node: NodeT, kind: str, target: str, title: str = "", at: str | None = None) -> NodeT:
    """Make a node a link target; `at` is its address on the page if it is not its id."""
    place = target if at is None else at
    if place and place not in node["ids"]:
        node["ids"] = [*node["ids"], place]
    node[TARGET] = [*node.get(TARGET, []), (kind, target, title or target, place)]
    return node


# --- words ----------------------------------------------------------------------------------------


def span(*content: Content, cls: str = "", lang: str = "", **attributes: str) -> nodes.inline:
    """Words within a line."""
    return fill_node(add_classes(nodes.inline(), cls, lang, **attributes), content)


def name_language(tree: nodes.Element, words: str, lang: str) -> None:
    """Name the language of some words, in whatever capitals, where they first stand in a tree."""
    for element in list(tree.findall(nodes.Element)):
        _join_texts(element)
    for text in list(tree.findall(nodes.Text)):
        before, found, after = _partition_in_any_case(str(text), words)
        if found:
            text.parent.replace(text, [nodes.Text(before), span(found, lang=lang), nodes.Text(after)])
            return


def _join_texts(element: nodes.Element) -> None:
    """Make one text of those that follow each other."""
    pieces = [list(group) for _, group in groupby(element.children, key=lambda child: isinstance(child, nodes.Text))]
    if any(len(group) > 1 and isinstance(group[0], nodes.Text) for group in pieces):
        element.children = [
            one
            for group in pieces
            for one in ([nodes.Text("".join(map(str, group)))] if isinstance(group[0], nodes.Text) else group)
        ]
        for child in element.children:
            child.parent = element


def _partition_in_any_case(text: str, words: str) -> tuple[str, str, str]:
    at = text.lower().find(words.lower())
    return (text, "", "") if at < 0 else (text[:at], text[at : at + len(words)], text[at + len(words) :])


def strong(*content: Content, cls: str = "") -> nodes.strong:
    """Words that matter most."""
    return fill_node(add_classes(nodes.strong(), cls), content)


def emphasis(*content: Content, cls: str = "", lang: str = "") -> nodes.emphasis:
    """Words set apart."""
    return fill_node(add_classes(nodes.emphasis(), cls, lang), content)


def code(*words: Content, cls: str = "") -> nodes.literal:
    """A name that a program would understand, such as a slug."""
    return fill_node(add_classes(nodes.literal(), f"slug {cls}"), words)


def screen_reader_text(words: str) -> nodes.inline:
    """Text for screen readers only."""
    return span(words, cls="rv-unseen")


def link(kind: str, target: str, *content: Content, title: str = "", cls: str = "") -> addnodes.pending_xref:
    """Cross-reference to another record of the edition, resolved by the domain."""
    reference = addnodes.pending_xref(
        "", refdomain=DOMAIN, reftype=kind, reftarget=target, refexplicit=True, refwarn=True, reftip=title
    )
    return fill_node(reference, [span(*(content or (target,)), cls=f"xref {cls}")])


def page_link(page: str, *content: Content, cls: str = "") -> addnodes.pending_xref:
    """Link to a page by its name."""
    return link("page", page, *content, cls=cls)


def external_link(address: str, *content: Content) -> nodes.reference:
    """Link to another site; nothing is fetched from there."""
    return fill_node(nodes.reference("", "", refuri=address, internal=False), content)


def same_page_link(anchor_id: str, *content: Content, cls: str = "", **attributes: str) -> nodes.reference:
    """Link to another place on the same page."""
    node = nodes.reference("", "", refuri=f"#{anchor_id}", internal=True)
    return fill_node(add_classes(node, cls, **attributes), content)


def file_link(address: str, *content: Content, cls: str = "") -> nodes.reference:
    """Link to a file of the edition that is no page, by its address from this page; it is to be kept."""
    node = nodes.reference("", "", refuri=address, internal=True)
    return fill_node(add_classes(node, cls, download=""), content)


# --- blocks ---------------------------------------------------------------------------------------


def para(*content: Content, cls: str = "", lang: str = "", **attributes: str) -> nodes.paragraph:
    """A paragraph."""
    return fill_node(add_classes(nodes.paragraph(), cls, lang, **attributes), content)


def block(*content: Content, cls: str = "", lang: str = "", **attributes: str) -> nodes.container:
    """A part of the page that holds others."""
    return fill_node(add_classes(nodes.container(), cls, lang, **attributes), content)


def markup_of(tag: str, *content: Content, cls: str = "", lang: str = "", **attributes: str) -> markup:
    """Any other HTML element."""
    return fill_node(add_classes(markup("", tag=tag), cls, lang, **attributes), content)


def details(summary: ContentLike, *content: Content, cls: str = "") -> markup:
    """Words folded away under a heading; it opens without a script."""
    return markup_of("details", markup_of("summary", *as_content_list(summary)), *content, cls=cls)


def block_quote(*content: Content, cls: str = "", lang: str = "") -> nodes.block_quote:
    """Block quotation."""
    return fill_node(add_classes(nodes.block_quote(), cls, lang), content)


def bullet_list(items: Iterable[ContentLike], cls: str = "") -> nodes.bullet_list:
    """Bullet list."""
    rows = [fill_node(nodes.list_item(), wrap_in_paragraphs(item)) for item in items]
    return fill_node(add_classes(nodes.bullet_list(bullet="*"), cls), rows)


def definition_list(pairs: Iterable[tuple[ContentLike, ContentLike]], cls: str = "") -> nodes.definition_list:
    """Definition list of (term, definition) pairs."""
    rows = [_definition_item(term, definition) for term, definition in pairs]
    return fill_node(add_classes(nodes.definition_list(), cls), rows)


def _definition_item(term: ContentLike, definition: ContentLike) -> nodes.definition_list_item:
    head = fill_node(nodes.term(), as_content_list(term))
    return fill_node(
        nodes.definition_list_item(), [head, fill_node(nodes.definition(), wrap_in_paragraphs(definition))]
    )


_BLOCK_NODES = (nodes.paragraph, nodes.container, nodes.bullet_list, nodes.block_quote, nodes.definition_list)


def wrap_in_paragraphs(content: ContentLike) -> list[Content]:
    """Leave blocks as they are and gather inline content into paragraphs."""
    pieces = groupby(as_content_list(content), key=lambda piece: isinstance(piece, _BLOCK_NODES))
    return [part for blocks, group in pieces for part in (group if blocks else [para(*group)])]


def section(target: str, title: ContentLike, *content: Content, cls: str = "") -> nodes.section:
    """A heading with what stands under it."""
    head = fill_node(nodes.title(), as_content_list(title))
    return fill_node(add_classes(nodes.section(ids=[target]), cls), [head, *content])


def heading(level: int, *content: Content, cls: str = "", lang: str = "") -> nodes.rubric:
    """A heading that the table of contents does not list."""
    rubric = nodes.rubric()
    rubric["heading-level"] = level
    return fill_node(add_classes(rubric, cls, lang), content)


# --- tables ---------------------------------------------------------------------------------------


def table(
    caption: ContentLike, head: Sequence[Any], rows: Iterable[Sequence[Any]], cls: str = "", kind: str = "table"
) -> nodes.table:
    """A table with a caption; the first column names the rows.

    Each cell bears the name of its column, so that a narrow screen can show the row as a list. Its address on the
    page is made of its kind and its caption.
    """
    labels = [_plain_text(cell) for cell in head]
    columns = [table_column(first=at == 0) for at in range(len(head))]
    group = nodes.tgroup(cols=len(head))
    group += columns
    group += fill_node(nodes.thead(), [_table_row(head, [""] * len(head))])
    group += fill_node(nodes.tbody(), [_table_row(row, labels) for row in rows])
    node = fill_node(add_classes(nodes.table(), f"rv-table {cls}"), [group])
    if caption:
        node.insert(0, fill_node(nodes.title(), as_content_list(caption)))
        node["ids"] = [f"{kind}-{slugify_text(_plain_text(caption))}"]  # or Sphinx would number it, and numbers move
    return node


def table_column(first: bool) -> nodes.colspec:
    """Table column; the first one names the rows."""
    column = nodes.colspec(colwidth="1")
    if first:
        column["stub"] = 1
    return column


def _table_row(cells: Sequence[Any], labels: Sequence[str]) -> nodes.row:
    return fill_node(nodes.row(), [table_entry(cell, label) for cell, label in zip(cells, labels, strict=True)])


def table_entry(cell: ContentLike, label: str) -> nodes.entry:
    """Table cell labelled with the name of its column."""
    entry = nodes.entry()
    if label:
        entry["html"] = {"data-label": label}
    return fill_node(entry, wrap_in_paragraphs(cell))


def _plain_text(content: ContentLike) -> str:
    return "".join(piece if isinstance(piece, str) else piece.astext() for piece in as_content_list(content))


# --- cards ----------------------------------------------------------------------------------------

SUIT_SYMBOLS: Mapping[str, tuple[str, str, str]] = {
    "S": ("♠", "black", "spades"),
    "H": ("♥", "red", "hearts"),
    "D": ("♦", "red", "diamonds"),
    "C": ("♣", "black", "clubs"),
}
CARD_RANK_NAMES: Mapping[str, str] = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
CARD_RANK_LABELS: Mapping[str, str] = {"T": "10"}
TEXT_VARIATION_SELECTOR = "\ufe0e"  #: after a sign: it is a letter, and no telephone may make a coloured picture of it


def card_sign(name: str) -> nodes.inline:
    """Card: rank and coloured suit symbol, with its name for screen readers."""
    rank, suit_ = name[:-1], name[-1:]
    sign = labelled_span(
        f"{CARD_RANK_NAMES.get(rank, rank)} of {SUIT_SYMBOLS[suit_][2]}",
        CARD_RANK_LABELS.get(rank, rank),
        suit_symbol(suit_),
    )
    sign["html"]["data-card"] = name
    return sign


def suit_sign(name: str) -> nodes.inline:
    """Suit symbol in red or black, with its name for screen readers."""
    return labelled_span(SUIT_SYMBOLS[name][2], suit_symbol(name))


def suit_symbol(name: str) -> nodes.inline:
    """Suit symbol without a spoken name."""
    sign, colour, _ = SUIT_SYMBOLS[name]
    return span(sign + TEXT_VARIATION_SELECTOR, cls=f"rv-suit rv-{colour}")


def labelled_span(words: str, *content: Content, cls: str = "rv-card") -> nodes.inline:
    """Inline signs with a label for screen readers."""
    return span(*content, cls=cls, role="img", aria_label=words, title=words)


def card_signs(names: str) -> list[Content]:
    """Cards from the notation of a deal, such as "JH QC 2S"."""
    signs: list[Content] = []
    for name in names.split():
        signs += [" ", card_sign(name)] if signs else [card_sign(name)]
    return signs


def html_attributes(node: nodes.Element) -> dict[str, Any]:
    """HTML attributes of a node besides its classes."""
    return dict(node.get("html", {}))
