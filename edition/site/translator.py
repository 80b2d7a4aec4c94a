"""The HTML translator: what our nodes know beyond docutils is written out as attributes."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

from edition.nodes.builders import VOID, html_attributes, markup


class EditionTranslator(HTML5Translator):
    """Sphinx's own, with attributes that travel on the nodes and with scopes on table headings."""

    def starttag(self, node: Any, tagname: str, suffix: str = "\n", empty: bool = False, **attributes: Any) -> str:
        """A start tag with everything that the node says about itself."""
        if isinstance(node, nodes.Element):
            attributes = {**html_attributes(node), **attributes}
            if tagname == "th":
                attributes.setdefault("scope", "col" if isinstance(node.parent.parent, nodes.thead) else "row")
            if attributes.get("role") == "doc-biblioentry":
                attributes["role"] = "listitem"  # the newer name; docutils still writes the one it replaced
            if (quick := self.plain(node, {name.lower(): told for name, told in attributes.items()})) is not None:
                return f"<{tagname.lower()}{quick}{' /' if empty else ''}>{suffix}"
        return super().starttag(node, tagname, suffix, empty, **attributes)

    def plain(self, node: nodes.Element, told: dict[str, Any]) -> str | None:
        """The attributes of a tag as docutils writes them, but sooner; nothing where more is to be weighed.

        That is so where a node has several ids, or where a class stands for a language or for the width of a column.
        """
        ids, classes = node["ids"], (*node["classes"], *str(told.pop("class", "")).split())
        if len(ids) > 1 or not told.keys().isdisjoint(("ids", "classes")) or isinstance(node, nodes.table):
            return None
        if any(one.startswith("language-") for one in classes):
            return None
        told |= {"class": " ".join(dict.fromkeys(classes))} if classes else {}
        told |= {"id": ids[0]} if ids else {}
        return "".join(f' {name}="{self.attval(shown(value))}"' for name, value in sorted(told.items()))

    def visit_literal_block(self, node: Any) -> None:
        """Program text, which a wide line may push out of sight: the keyboard can move it."""
        try:
            super().visit_literal_block(node)
        except nodes.SkipNode:
            self.body[-1] = self.body[-1].replace("<pre>", '<pre tabindex="0">', 1)
            raise


def shown(value: Any) -> str:
    """What stands in an attribute."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def visit_markup(translator: HTML5Translator, node: markup) -> None:
    """An element under its own name."""
    translator.body.append(translator.starttag(node, node["tag"], ""))


def depart_markup(translator: HTML5Translator, node: markup) -> None:
    """Its end, where it has one."""
    if node["tag"] not in VOID:
        translator.body.append(f"</{node['tag']}>")


def pass_over(translator: Any, node: markup) -> None:
    """Other formats print what it holds."""


class StackTables(SphinxPostTransform):
    """A table written in an essay stacks on a narrow screen as ours do: each cell is told the name of its column."""

    default_priority = 500

    def run(self, **kwargs: Any) -> None:
        """Every table with a head that has no label on its cells yet."""
        for table in self.document.findall(nodes.table):
            if "rv-table" not in table["classes"]:
                heads = [cell.astext() for head in table.findall(nodes.thead) for cell in head.findall(nodes.entry)]
                table["classes"] += ["rv-stack"] if heads else []
                for body in table.findall(nodes.tbody):
                    label(body, heads)


def label(body: nodes.Element, heads: list[str]) -> None:
    """Give every cell of a table the name of its column."""
    for row in body.findall(nodes.row):
        for cell, head in zip(row.findall(nodes.entry), heads, strict=False):
            cell["html"] = {"data-label": head}


class OneIdEach(SphinxPostTransform):
    """The theme wraps every table into a box that bears the table's id once more; an id stands once on a page.

    A table that does not turn into a list on a narrow screen is moved about in its box, with the keyboard too.
    """

    default_priority = 600  # after the theme's own

    def run(self, **kwargs: Any) -> None:
        """Take the id from the box, and say what is in it."""
        for box in self.document.findall(nodes.container):
            if "table-wrapper" in box["classes"]:
                box["ids"] = []
                if "rv-stack" not in box["classes"] or "rv-figures" in box["classes"]:  # figures are wide elsewhere too
                    box["html"] = {"tabindex": "0", **named(box)}


def named(box: nodes.Element) -> dict[str, str]:
    """A box that holds a table with a caption is a place of its own, under that name."""
    captions = [title.astext() for table in box.findall(nodes.table) for title in table.findall(nodes.title)]
    return {"role": "region", "aria-label": captions[0]} if captions else {}
