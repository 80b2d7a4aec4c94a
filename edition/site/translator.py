"""HTML translator: writes the attributes of our nodes that docutils does not know."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

from edition.nodes.builders import VOID, html_attributes, markup


class EditionTranslator(HTML5Translator):
    """Sphinx's HTML translator with node attributes and scopes on table headings."""

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
        """Attributes of a tag as docutils writes them, but faster; None for harder cases.

        Those are nodes with several ids, and those with a class for a language or a column width.
        """
        ids, classes = node["ids"], (*node["classes"], *str(told.pop("class", "")).split())
        if len(ids) > 1 or not told.keys().isdisjoint(("ids", "classes")) or isinstance(node, nodes.table):
            return None
        if any(one.startswith("language-") for one in classes):
            return None
        told |= {"class": " ".join(dict.fromkeys(classes))} if classes else {}
        told |= {"id": ids[0]} if ids else {}
        return "".join(f' {name}="{self.attval(_format_attribute(value))}"' for name, value in sorted(told.items()))

    def visit_literal_block(self, node: Any) -> None:
        """Program text, which can be scrolled with the keyboard if a line is too wide."""
        try:
            super().visit_literal_block(node)
        except nodes.SkipNode:
            self.body[-1] = self.body[-1].replace("<pre>", '<pre tabindex="0">', 1)
            raise


def _format_attribute(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def visit_markup(translator: HTML5Translator, node: markup) -> None:
    """Write the start tag of an element."""
    translator.body.append(translator.starttag(node, node["tag"], ""))


def depart_markup(translator: HTML5Translator, node: markup) -> None:
    """Write the end tag of an element, unless it is void."""
    if node["tag"] not in VOID:
        translator.body.append(f"</{node['tag']}>")


def skip_markup(translator: Any, node: markup) -> None:
    """Do nothing: other formats print only the content."""


class StackTables(SphinxPostTransform):
    """Make a table in an essay stack on a narrow screen: label its cells by column."""

    default_priority = 500

    def run(self, **kwargs: Any) -> None:
        """Label the cells of every table that has a head and no labels yet."""
        for table in self.document.findall(nodes.table):
            if "rv-table" not in table["classes"]:
                heads = [cell.astext() for head in table.findall(nodes.thead) for cell in head.findall(nodes.entry)]
                table["classes"] += ["rv-stack"] if heads else []
                for body in table.findall(nodes.tbody):
                    _label_cells(body, heads)


def _label_cells(body: nodes.Element, heads: list[str]) -> None:
    """Give every cell of a table the name of its column."""
    for row in body.findall(nodes.row):
        for cell, head in zip(row.findall(nodes.entry), heads, strict=False):
            cell["html"] = {"data-label": head}


class OneIdEach(SphinxPostTransform):
    """Remove the duplicate id from the box that the theme puts around every table.

    A table that does not turn into a list on a narrow screen can be scrolled in its box, with the keyboard too.
    """

    default_priority = 600  # after the theme's own

    def run(self, **kwargs: Any) -> None:
        """Take the id from the box, and say what is in it."""
        for box in self.document.findall(nodes.container):
            if "table-wrapper" in box["classes"]:
                box["ids"] = []
                if "rv-stack" not in box["classes"] or "rv-figures" in box["classes"]:  # figures are wide elsewhere too
                    box["html"] = {"tabindex": "0", **name_table_region(box)}


def name_table_region(box: nodes.Element) -> dict[str, str]:
    """Attributes that make the box of a captioned table a named region."""
    captions = [title.astext() for table in box.findall(nodes.table) for title in table.findall(nodes.title)]
    return {"role": "region", "aria-label": captions[0]} if captions else {}
