"""HTML of docutils nodes without Sphinx: what a notebook shows of the site's components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from docutils import nodes
from sphinx import addnodes

from edition.nodes.builders import VOID, html_attributes, markup

#: Class of nodes -> its element; of nodes that are not here only the content is written.
_TAGS: Mapping[type[nodes.Node], str] = {
    nodes.paragraph: "p",
    nodes.inline: "span",
    nodes.strong: "strong",
    nodes.emphasis: "em",
    nodes.literal: "code",
    nodes.container: "div",
    nodes.block_quote: "blockquote",
    nodes.bullet_list: "ul",
    nodes.list_item: "li",
    nodes.table: "table",
    nodes.title: "caption",
    nodes.thead: "thead",
    nodes.tbody: "tbody",
    nodes.row: "tr",
    nodes.entry: "td",
}


def format_node_html(node: nodes.Node) -> str:
    """Return the HTML of a node: all text escaped, links as plain words, since a notebook lies on no site."""
    if isinstance(node, nodes.raw):
        return node.astext()  # a drawing of ours: builders put no words of a source there
    if isinstance(node, nodes.Text):
        return escape(node.astext())
    if not isinstance(node, nodes.Element) or isinstance(node, nodes.colspec):
        return ""
    inner = "".join(map(format_node_html, node.children))
    tag = _find_tag(node)
    if not tag:
        return inner
    return f"<{tag}{_format_attributes(node)}>" + ("" if tag in VOID else f"{inner}</{tag}>")


def _find_tag(node: nodes.Element) -> str:
    if isinstance(node, markup):
        return str(node["tag"])
    if isinstance(node, addnodes.pending_xref):
        return ""
    in_head = isinstance(node, nodes.entry) and isinstance(node.parent.parent, nodes.thead)
    return "th" if in_head else _TAGS.get(type(node), "")


def _format_attributes(node: nodes.Element) -> str:
    names = dict.fromkeys(name for one in node["classes"] for name in one.split())
    languages = [name.removeprefix("language-") for name in names if name.startswith("language-")]
    classes = " ".join(name for name in names if not name.startswith("language-"))
    given: dict[str, object] = {"class": classes, "lang": " ".join(languages), **html_attributes(node)}
    return "".join(_format_pairs((name, value) for name, value in given.items() if value))


def _format_pairs(pairs: Iterable[tuple[str, object]]) -> Iterable[str]:
    return (f' {name}="{escape(str(value))}"' for name, value in pairs)
