"""Pages written by hand, as nodes: their references lead about in the book, their directives show what they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles
from myst_parser.parsers.docutils_ import Parser
from sphinx.util.docutils import docutils_namespace

from edition.corpus.corpus import Corpus
from edition.nodes.builders import DOMAIN, filled, link, span
from edition.views.registry import ALL_LAYOUTS, ALL_VIEWS, KINDS

ESSAYS = Path(__file__).parent / "pages"

HEAD = re.compile(r"\A---\n.*?\n---\n", re.S)
TOCTREE = re.compile(r"^(`{3,})\{toctree\}.*?^\1$", re.S | re.M)
PAGE = re.compile(r"\[([^\]]+)\]\((?:[\w/.-]*\.md)?(?:#[\w-]*)?\)")  #: a link to another page of the site
NAMED = re.compile(r"(?s)(.*?)\s*<([^<>]+)>")  #: a reference under other words
OPENS = re.compile(r'<span lang="([a-z-]+)">')

SETTINGS = {
    "myst_enable_extensions": ["attrs_block", "attrs_inline", "deflist"],
    "_disable_config": True,
    "report_level": 3,
    "halt_level": 3,
}


def essay(corpus: Corpus, path: Path) -> tuple[str, list[nodes.Node]]:
    """The title of a page and what stands under it."""
    words = TOCTREE.sub("", HEAD.sub("", path.read_text(encoding="utf-8")))
    with docutils_namespace():
        teach(corpus)
        tree = publish_doctree(PAGE.sub(r"\1", words), parser=Parser(), settings_overrides=dict(SETTINGS))
    for parent in list(tree.findall(nodes.TextElement)):
        in_their_language(parent)
    title = next(one for one in tree.children if isinstance(one, nodes.title))
    return title.astext(), [one for one in tree.children if one is not title]


def teach(corpus: Corpus) -> None:
    """Let the parser know our references, and what shows a record."""
    for kind in KINDS:
        roles.register_local_role(f"{DOMAIN}:{kind}", refers(kind))
    for view in ALL_VIEWS:
        directives.register_directive(f"{DOMAIN}:{view}", shows(corpus, view))


def refers(kind: str) -> Callable[..., Any]:
    """A reference to one kind of thing."""

    def role(name: str, raw: str, text: str, *rest: object, **options: object) -> tuple[list[nodes.Node], list[Any]]:
        found = NAMED.fullmatch(text)
        return [link(kind, found[2], found[1]) if found else link(kind, text)], []

    return role


def shows(corpus: Corpus, view: str) -> type[Directive]:
    """A directive that shows a record, or a list of them."""

    class Shown(Directive):
        optional_arguments = 1
        option_spec: ClassVar[dict[str, Any]] = {}

        def run(self) -> list[nodes.Node]:
            """What it shows."""
            return ALL_LAYOUTS[view](ALL_VIEWS[view](corpus, (self.arguments or [""])[0]))

    return Shown


# --- languages --------------------------------------------------------------------------------------


def in_their_language(parent: nodes.TextElement) -> None:
    """Words between two tags of a language become words in that language."""
    if any(isinstance(one, nodes.raw) for one in parent.children):
        children = list(parent.children)
        parent.clear()
        filled(parent, joined_up(iter(children)))


def joined_up(children: Iterator[nodes.Node]) -> Iterator[nodes.Node]:
    """The same nodes, with what stands between two tags in one."""
    for one in children:
        opens = OPENS.fullmatch(one.astext()) if isinstance(one, nodes.raw) else None
        if opens:
            yield span(*until_closed(children), lang=opens[1])
        else:
            yield one


def until_closed(children: Iterator[nodes.Node]) -> Iterator[nodes.Node]:
    """All up to the closing tag."""
    for one in children:
        if isinstance(one, nodes.raw):
            return
        yield one
