"""HTML translator: writes the attributes of our nodes that docutils does not know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.writers.html5 import HTML5Translator

from edition.nodes.builders import VOID, markup

#: Letters that docutils writes otherwise, the ampersand first, because it is in what the others become.
_SPECIAL = sorted(
    ((chr(code), entity) for code, entity in HTML5Translator.special_characters.items()),
    key=lambda pair: pair[0] != "&",
)
_LINKS = (nodes.reference, addnodes.pending_xref)
_BREAKS = re.compile("[\n\r\t\v\f]")


@lru_cache(maxsize=50_000)
def escape_attribute(value: str) -> str:
    """Value of an attribute as docutils writes it outside of e-mail links."""
    return escape_text(_BREAKS.sub(" ", value))


def escape_text(text: str) -> str:
    """Text as docutils writes it, but faster: most texts have nothing to escape."""
    for letter, entity in _SPECIAL:
        if letter in text:
            text = text.replace(letter, entity)
    return text


@lru_cache(maxsize=5_000)
def split_classes(classes: tuple[str, ...]) -> tuple[str, str]:
    """Classes in one string, each once, and the language that they name."""
    languages = [cls.removeprefix("language-") for cls in classes if cls.startswith("language-")]
    others = (cls for cls in classes if cls.strip() and not cls.startswith("language-"))
    return " ".join(dict.fromkeys(others)), next(iter(languages), "")


@lru_cache(maxsize=5_000)
def _plain_tag(tagname: str, suffix: str, empty: bool, *classes: str) -> str:
    """Start tag of a node that has classes and nothing else."""
    joined, language = split_classes(classes)
    named = {"class": joined, EditionTranslator.lang_attribute: language}
    attributes = "".join(f' {name}="{escape_attribute(value)}"' for name, value in named.items() if value)
    return f"<{tagname.lower()}{attributes}{' /' if empty else ''}>{suffix}"


_UNBREAKABLE = re.compile(r"[\w.]{1,24}")


class Gap(NamedTuple):
    """A link, or a citation, as it is known before all pages have been read."""

    kind: str
    target: str
    tip: str = ""
    classes: tuple[str, ...] = ()
    id: str = ""
    cited: bool = False


class EditionTranslator(HTML5Translator):
    """Sphinx's HTML translator with node attributes and scopes on table headings.

    What is called for every node is written directly for the common case, and left to docutils in any other.
    """

    def __init__(self, *given: Any) -> None:
        """Remember which method visits and which leaves each class of nodes."""
        super().__init__(*given)
        self.methods: dict[type, tuple[Callable[[Any], None], Callable[[Any], None]]] = {}
        self.gaps: dict[Gap, int] = {}
        self.folds: dict[str, str] = {}  #: key -> HTML that a page fetches when a fold is opened

    def write(self, node: nodes.Node) -> None:
        """Write a node and all in it, as `node.walkabout` does, but without a message at every step."""
        kind = node.__class__
        if kind not in self.methods:
            self.methods[kind] = self.find_method("visit", kind), self.find_method("depart", kind)
        visit, depart = self.methods[kind]
        try:
            visit(node)
        except nodes.SkipNode:
            return
        for child in node.children[:]:
            self.write(child)
        depart(node)

    def find_method(self, step: str, kind: type) -> Callable[[Any], None]:
        """Method of this translator for a class of nodes, or for the next class above it."""
        methods = (getattr(self, f"{step}_{above.__name__}", None) for above in kind.__mro__)
        unknown = self.unknown_visit if step == "visit" else self.unknown_departure
        return next(filter(None, methods), unknown)

    def add_gap(self, gap: Gap) -> None:
        """Leave a gap, which is filled when all pages have been read."""
        self.body.append(f"\ue010{self.gaps.setdefault(gap, len(self.gaps))}\ue011")

    def visit_pending_xref(self, node: addnodes.pending_xref) -> None:
        """Leave a gap for the start of a link within the edition."""
        attributes = node.attributes
        tip, id = attributes.get("reftip", ""), next(iter(attributes["ids"]), "")
        self.add_gap(Gap(attributes["reftype"], attributes["reftarget"], tip, tuple(attributes["classes"]), id))

    def depart_pending_xref(self, node: addnodes.pending_xref) -> None:
        """Write the end of a link."""
        self.body.append("</a>")

    def encode(self, text: object) -> str:
        """Text with the special letters written out."""
        return escape_text(str(text))

    def visit_Text(self, node: nodes.Text) -> None:
        """Write text; a single word of a program breaks nowhere, and needs no protection."""
        protected = self.protect_literal_text and not _UNBREAKABLE.fullmatch(node)
        if protected or self.in_mailto or "\0" in node:
            super().visit_Text(node)
        else:
            self.body.append(escape_text(str(node)))

    def visit_inline(self, node: nodes.inline) -> None:
        """Write the start of words within a line; those of a program, or with a tag for a class, as docutils does."""
        if _is_bare_link_text(node):
            return
        program = isinstance(node.parent, (nodes.literal_block, nodes.literal))
        if program or not self.supported_inline_tags.isdisjoint(node["classes"]):
            super().visit_inline(node)
        else:
            node.html5tagname = "span"  # type: ignore[attr-defined]
            self.body.append(self.starttag(node, "span", ""))

    def depart_inline(self, node: nodes.inline) -> None:
        """Write the end of words within a line."""
        if not _is_bare_link_text(node):
            super().depart_inline(node)

    def starttag(self, node: Any, tagname: str, suffix: str = "\n", empty: bool = False, **attributes: Any) -> str:
        """A start tag with everything that the node says about itself."""
        if isinstance(node, nodes.Element):
            if not attributes and self._is_plain(node, tagname):
                return _plain_tag(tagname, suffix, empty, *node.attributes["classes"])
            if own := node.attributes.get("html"):
                attributes = {**own, **attributes}
            if tagname == "th":
                attributes.setdefault("scope", "col" if isinstance(node.parent.parent, nodes.thead) else "row")
            if attributes.get("role") == "doc-biblioentry":
                attributes["role"] = "listitem"  # the newer name; docutils still writes the one it replaced
            if (quick := self.plain(node, {name.lower(): value for name, value in attributes.items()})) is not None:
                return f"<{tagname.lower()}{quick}{' /' if empty else ''}>{suffix}"
        return super().starttag(node, tagname, suffix, empty, **attributes)

    def _is_plain(self, node: nodes.Element, tagname: str) -> bool:
        """Return whether a start tag depends on nothing but the classes of its node, as most do."""
        own = node.attributes
        return not (own["ids"] or "html" in own or tagname == "th" or self.in_mailto or isinstance(node, nodes.table))

    def plain(self, node: nodes.Element, attributes: dict[str, Any]) -> str | None:
        """Attributes of a tag as docutils writes them, but faster; None for harder cases.

        Those are nodes with several ids, tables, and whatever lies in an e-mail link.
        """
        ids, classes = node.attributes["ids"], node.attributes["classes"]
        if (
            len(ids) > 1
            or self.in_mailto
            or isinstance(node, nodes.table)
            or "ids" in attributes
            or "classes" in attributes
        ):
            return None
        more = attributes.pop("class", "")
        joined, language = split_classes((*classes, *str(more).split()) if more else tuple(classes))
        if language:
            attributes[self.lang_attribute] = language
        if joined:
            attributes["class"] = joined
        if ids:
            attributes["id"] = ids[0]
        names = sorted(attributes) if len(attributes) > 1 else attributes
        return "".join([f' {name}="{escape_attribute(_format_attribute(attributes[name]))}"' for name in names])

    def visit_literal_block(self, node: Any) -> None:
        """Program text, which can be scrolled with the keyboard if a line is too wide."""
        try:
            super().visit_literal_block(node)
        except nodes.SkipNode:
            self.body[-1] = self.body[-1].replace("<pre>", '<pre tabindex="0">', 1)
            raise


def _is_bare_link_text(node: nodes.inline) -> bool:
    """Return whether this is only what Sphinx wraps the words of a link in; pages have thousands of links."""
    return node["classes"] == ["xref"] and isinstance(node.parent, _LINKS) and not node.get("html")


def _format_attribute(value: Any) -> str:
    if value.__class__ is str:
        return str(value)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def visit_markup(translator: HTML5Translator, node: markup) -> None:
    """Write the start tag of an element."""
    translator.body.append(translator.starttag(node, node["tag"], ""))


def depart_markup(translator: HTML5Translator, node: markup) -> None:
    """Write the end tag of an element, unless it is void."""
    if node["tag"] not in VOID:
        translator.body.append(f"</{node['tag']}>")


def dress_tables(tables: Iterable[nodes.table]) -> None:
    """Make every table fit for a narrow screen.

    A table in an essay stacks there: its cells are labelled by column. Every table comes into a box in which it can be
    scrolled if it is wide, with the keyboard too; one that turns into a list on a narrow screen needs no such box
    there, unless it has columns of figures.
    """
    for table in tables:
        if "rv-table" not in table["classes"]:
            _stack_table(table)
        box = nodes.container("", classes=["table-wrapper"])
        if "rv-stack" not in table["classes"] or "rv-figures" in table["classes"]:
            box["html"] = {"tabindex": "0", **name_table_region(table)}
        table.parent.replace(table, box)  # its id stays its own
        box += table


def _stack_table(table: nodes.table) -> None:
    """Give every cell of a table the name of its column."""
    heads = [cell.astext() for head in table.findall(nodes.thead) for cell in head.findall(nodes.entry)]
    table["classes"] += ["rv-stack"] if heads else []
    for row in (row for body in table.findall(nodes.tbody) for row in body.findall(nodes.row)):
        for cell, head in zip(row.findall(nodes.entry), heads, strict=False):
            cell["html"] = {"data-label": head}


def name_table_region(table: nodes.Element) -> dict[str, str]:
    """Attributes that make the box of a captioned table a named region."""
    captions = [title.astext() for title in table.findall(nodes.title)]
    return {"role": "region", "aria-label": captions[0]} if captions else {}
