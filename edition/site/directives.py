"""Directives: `{edition:question} Q031` on a page shows that record.

Whatever is shown is a view first and nodes afterwards (`edition.views.page_kinds`); the fingerprint of the view is
stored, so that a page is written again when, and only when, its content has changed.
"""

from __future__ import annotations

from typing import Any, cast

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from edition.nodes.builders import DOMAIN, details
from edition.site.domain import EditionDomain
from edition.site.node_search import note_present_classes

_logger = logging.getLogger(__name__)


class view_placeholder(nodes.General, nodes.Element):
    """Placeholder of a view until the page has been read.

    `kind` and `view` say what will replace it.
    """


class ShowRecord(SphinxDirective):
    """Shows a record, or a list of records, where it stands."""

    optional_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Insert a placeholder for the view that the directive is named after."""
        kind, argument = self.name.removeprefix(f"{DOMAIN}:"), (self.arguments or [""])[0]
        domain = cast(EditionDomain, self.env.get_domain(DOMAIN))
        try:
            view, said = domain.view(kind, argument)
        except (KeyError, StopIteration):
            message = "there is no %s %s to show"
            _logger.warning(message, kind, argument, location=self.get_location(), type="edition", subtype="unknown")
            return []
        domain.note_shown(self.env.docname, kind, argument, said)
        return [view_placeholder(kind=kind, view=view)]


class FoldText(SphinxDirective):
    """Folds paragraphs of a page away under a line; what is found in them opens it."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Put the content into a folded block, with the argument as its line."""
        return [details(self.arguments[0], *self.parse_content_to_nodes(), cls="rv-fold")]


class RenderPlaceholders(SphinxTransform):
    """Replace the placeholders of a page by views, after Sphinx's own transforms.

    Our nodes need none of that work, and there are many of them: so late, it costs a third of the time.
    """

    default_priority = 870  # the event that tells everybody "this page has been read" comes at 880

    def apply(self, **kwargs: Any) -> None:
        """Put the nodes of each view into its place."""
        domain = cast(EditionDomain, self.env.get_domain(DOMAIN))
        for place in list(self.document.findall(view_placeholder)):
            place.replace_self(domain.pages[place["kind"]].render(place["view"]))
        note_present_classes(self.document, domain.note_places(self.env.docname, self.document))
