"""Faster search for nodes of a class in a page.

Sphinx, docutils, MyST and the theme each walk every page from end to end for nodes of one class, and most pages have
none. Here a walk needs no recursion, and a page of which it is known what it has is not walked for what it lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partialmethod
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinxcontrib.bibtex.nodes import bibliography

#: Classes of nodes of which nothing makes new ones once our own are in a page: if it has none, it never will.
LASTING_CLASSES: frozenset[type[nodes.Node]] = frozenset(
    (
        *(nodes.image, nodes.table, nodes.math_block, bibliography),
        *(addnodes.only, addnodes.toctree, addnodes.index, addnodes.desc_signature, addnodes.pending_xref),
        addnodes.download_reference,
    )
)
_PRESENT = "edition_present"  #: on a document: the classes of its nodes, if they are known


def iter_nodes(root: nodes.Node, wanted: type) -> Iterator[Any]:
    """Yield the nodes of a class in the order of the page, as `root.findall(wanted)` does."""
    if isinstance(root, wanted):
        yield root
    rows = [iter(root.children)]
    while rows:
        for node in rows[-1]:
            if isinstance(node, wanted):
                yield node
            if node.children:
                rows.append(iter(node.children))
                break
        else:
            rows.pop()


def note_present_classes(document: nodes.document, found: set[type]) -> None:
    """Note of which classes a page has nodes; that is known as long as the page is."""
    setattr(document, _PRESENT, found)


def note_absent_class(document: nodes.document, gone: type) -> None:
    """Note that a page has no node of a class any more."""
    getattr(document, _PRESENT, set()).discard(gone)


def lacks(document: nodes.document, wanted: type) -> bool:
    """Return True if a page is known to have no node of this class."""
    present = getattr(document, _PRESENT, None) if wanted in LASTING_CLASSES else None
    return present is not None and not any(issubclass(one, wanted) for one in present)


def _find(document: nodes.document, condition: Any = None, *more: Any, ordinary: Any, **flags: Any) -> Iterator[Any]:
    if more or flags or not isinstance(condition, type):
        found: Iterator[Any] = ordinary(document, condition, *more, **flags)
        return found
    return iter(()) if lacks(document, condition) else iter_nodes(document, condition)


def install_node_search() -> None:
    """Let `document.findall` search so for a class; for any other condition docutils does as it always did."""
    if "findall" not in vars(nodes.document):
        nodes.document.findall = partialmethod(_find, ordinary=nodes.document.findall)  # type: ignore[assignment,method-assign]
