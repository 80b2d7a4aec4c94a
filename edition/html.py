"""The HTML translator: what our nodes know beyond docutils is written out as attributes."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

from edition.tree import VOID, html_attributes, markup


class EditionTranslator(HTML5Translator):
    """Sphinx's own, with attributes that travel on the nodes and with scopes on table headings."""

    def starttag(self, node: Any, tagname: str, suffix: str = "\n", empty: bool = False, **attributes: Any) -> str:
        """A start tag with everything that the node says about itself."""
        if isinstance(node, nodes.Element):
            attributes = {**html_attributes(node), **attributes}
            if tagname == "th":
                attributes["scope"] = "col" if isinstance(node.parent.parent, nodes.thead) else "row"
            if attributes.get("role") == "doc-biblioentry":
                attributes["role"] = "listitem"  # the newer name; docutils still writes the one it replaced
        return super().starttag(node, tagname, suffix, empty, **attributes)


def visit_markup(translator: HTML5Translator, node: markup) -> None:
    """An element under its own name."""
    translator.body.append(translator.starttag(node, node["tag"], ""))


def depart_markup(translator: HTML5Translator, node: markup) -> None:
    """Its end, where it has one."""
    if node["tag"] not in VOID:
        translator.body.append(f"</{node['tag']}>")


def pass_over(translator: Any, node: markup) -> None:
    """Other formats print what it holds."""


class OneIdEach(SphinxPostTransform):
    """The theme wraps every table into a box that bears the table's id once more; an id stands once on a page."""

    default_priority = 600  # after the theme's own

    def run(self, **kwargs: Any) -> None:
        """Take the id from the box."""
        for box in self.document.findall(nodes.container):
            if "table-wrapper" in box["classes"]:
                box["ids"] = []
