"""Content that a page fetches when its fold is opened.

A page with thousands of small remarks opens slowly. They are left out of its HTML and lie beside it in a script file,
which works from a folder on a disk too; the words that stand in their place lead to a page that has them in full.
"""

from __future__ import annotations

from docutils import nodes

from edition.nodes.builders import Content, fill_node, para


class deferred(nodes.General, nodes.Element):
    """Content under a key: first what stands in its place, then what is fetched."""


def defer_content(key: str, instead: list[Content], *content: nodes.Node) -> deferred:
    """Leave content out of the page until its fold is opened; *instead* stands in its place."""
    return fill_node(deferred("", key=key), [para(*instead), *content])
