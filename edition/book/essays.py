"""Pages written by hand, as nodes: their references lead about in the book, their directives show what they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles
from myst_parser.parsers.docutils_ import Parser
from sphinx.util.docutils import docutils_namespace

from edition.corpus.corpus import Corpus
from edition.game import PageKind
from edition.nodes.builders import DOMAIN, fill_node, heading, link, markup, span
from edition.views.page_kinds import get_page_kinds, list_addressed_kinds

ESSAYS = Path(__file__).parent / "pages"

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)
TOCTREE = re.compile(r"^(`{3,})\{toctree\}.*?^\1$", re.S | re.M)
_PAGE_LINK = re.compile(r"\[([^\]]+)\]\((?:[\w/.-]*\.md)?(?:#[\w-]*)?\)")  #: a link to another page of the site
_TITLED_REFERENCE = re.compile(r"(?s)(.*?)\s*<([^<>]+)>")  #: a reference under other words
OPENS = re.compile(r'<span lang="([a-z-]+)">')

_PARSER_SETTINGS = {
    "myst_enable_extensions": ["attrs_block", "attrs_inline", "deflist"],
    "_disable_config": True,
    "report_level": 3,
    "halt_level": 3,
}


def parse_essay(corpus: Corpus, path: Path) -> tuple[str, list[nodes.Node]]:
    """Parse a page written by hand; return its title and its content."""
    words = TOCTREE.sub("", _FRONT_MATTER.sub("", path.read_text(encoding="utf-8")))
    with docutils_namespace():
        _register_markup(corpus)
        tree = publish_doctree(_PAGE_LINK.sub(r"\1", words), parser=Parser(), settings_overrides=dict(_PARSER_SETTINGS))
    for summary in [summary for summary in tree.findall(markup) if summary["tag"] == "summary"]:
        summary.parent.replace(
            summary, heading(4, *summary.children)
        )  # what a fold is opened by is a heading in a book
    for parent in list(tree.findall(nodes.TextElement)):
        in_their_language(parent)
    title = next(child for child in tree.children if isinstance(child, nodes.title))
    return title.astext(), [child for child in tree.children if child is not title]


def _register_markup(corpus: Corpus) -> None:
    for kind in list_addressed_kinds(corpus.game):
        roles.register_local_role(f"{DOMAIN}:{kind}", _make_role(kind))
    for kind, page in get_page_kinds(corpus.game).items():
        directives.register_directive(f"{DOMAIN}:{kind}", _make_directive(corpus, page))


def _make_role(kind: str) -> Callable[..., Any]:
    def role(name: str, raw: str, text: str, *rest: object, **options: object) -> tuple[list[nodes.Node], list[Any]]:
        match = _TITLED_REFERENCE.fullmatch(text)
        return [link(kind, match[2], match[1]) if match else link(kind, text)], []

    return role


def _make_directive(corpus: Corpus, page: PageKind) -> type[Directive]:
    class Shown(Directive):
        optional_arguments = 1

        def run(self) -> list[nodes.Node]:
            """Lay out the record."""
            render = page.render_print or page.render
            return render(page.view(corpus, (self.arguments or [""])[0]))

    return Shown


# --- languages --------------------------------------------------------------------------------------


def in_their_language(parent: nodes.TextElement) -> None:
    """Words between two tags of a language become words in that language."""
    if any(isinstance(child, nodes.raw) for child in parent.children):
        children = list(parent.children)
        parent.clear()
        fill_node(parent, joined_up(iter(children)))


def joined_up(children: Iterator[nodes.Node]) -> Iterator[nodes.Node]:
    """The same nodes, with what stands between two tags in one."""
    for child in children:
        opens = OPENS.fullmatch(child.astext()) if isinstance(child, nodes.raw) else None
        if opens:
            yield span(*until_closed(children), lang=opens[1])
        else:
            yield child


def until_closed(children: Iterator[nodes.Node]) -> Iterator[nodes.Node]:
    """All up to the closing tag."""
    for child in children:
        if isinstance(child, nodes.raw):
            return
        yield child
