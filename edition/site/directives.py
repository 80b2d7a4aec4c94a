"""Directives: `{edition:question} Q031` on a page shows that record.

Whatever is shown is a view first and nodes afterwards (`edition.views.page_kinds`); the fingerprint of the view is
stored, so that a page is written again when, and only when, its content has changed.
"""

from __future__ import annotations

from typing import cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinxcontrib.bibtex.nodes import bibliography

from edition.nodes.builders import DOMAIN, details
from edition.site.domain import EditionDomain
from rulebook.reads import record_reads

WAITS = "edition_waits"  #: on a document that has been read: whether it has some of the following
PAGE_TABLES = "edition_tables"  #: on a document that has been read: its tables
#: What only Sphinx can write, and only when all pages have been read.
_WAITING = (
    *(nodes.image, nodes.math, nodes.math_block, bibliography),
    *(addnodes.only, addnodes.toctree, addnodes.index, addnodes.desc, addnodes.download_reference),
)
_logger = logging.getLogger(__name__)


class view_placeholder(nodes.General, nodes.Element):
    """Placeholder of a view until the page has been read.

    `kind`, `argument` and `view` say what will replace it.
    """


def make_placeholder(env: BuildEnvironment, kind: str, argument: str) -> view_placeholder:
    """Make a view for the page that is being read. Raises KeyError or StopIteration if there is no such record."""
    domain = cast(EditionDomain, env.get_domain(DOMAIN))
    view, shown = domain.view(kind, argument)
    domain.note_shown(env.docname, (kind, argument), shown)
    return view_placeholder(kind=kind, argument=argument, view=view)


class ShowRecord(SphinxDirective):
    """Shows a record, or a list of records, where it stands."""

    optional_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Insert a placeholder for the view that the directive is named after."""
        kind, argument = self.name.removeprefix(f"{DOMAIN}:"), (self.arguments or [""])[0]
        try:
            return [make_placeholder(self.env, kind, argument)]
        except (KeyError, StopIteration):
            message = "there is no %s %s to show"
            _logger.warning(message, kind, argument, location=self.get_location(), type="edition", subtype="unknown")
            return []


class FoldText(SphinxDirective):
    """Folds paragraphs of a page away under a line; what is found in them opens it."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Put the content into a folded block, with the argument as its line."""
        return [details(self.arguments[0], *self.parse_content_to_nodes(), cls="rv-fold")]


def render_placeholders(app: Sphinx, document: nodes.document) -> None:
    """Replace the placeholders of a page that has been read by nodes.

    Sphinx's own transforms are done by then: our nodes need none of that work, and there are many of them.
    """
    domain = cast(EditionDomain, app.env.get_domain(DOMAIN))
    setattr(document, WAITS, _must_wait(document))
    for place in list(document.findall(view_placeholder)):
        with record_reads() as words:
            place.replace_self(domain.pages[place["kind"]].render(place["view"]))
        domain.note_rendered(app.env.docname, (place["kind"], place["argument"]), words)
    setattr(document, PAGE_TABLES, domain.note_places(app.env.docname, document))


def _must_wait(document: nodes.document) -> bool:
    """Return whether a page, as written by hand, has something that only Sphinx can write, at the end."""
    foreign = any(link.get("refdomain") != DOMAIN for link in document.findall(addnodes.pending_xref))
    return foreign or any(isinstance(node, _WAITING) for node in document.findall(nodes.Element))
