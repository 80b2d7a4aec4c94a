"""Directives: a thin page says `{reversis:question} Q031`, and the record is shown there.

Whatever is shown is a view first and nodes afterwards (`edition.views.registry`); the view's fingerprint is kept, so
that a page is made again when, and only when, what it shows has changed.
"""

from __future__ import annotations

from typing import Any, cast

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from edition.nodes.builders import DOMAIN
from edition.site.domain import ReversisDomain
from edition.views.registry import ALL_LAYOUTS

logger = logging.getLogger(__name__)


class shown(nodes.General, nodes.Element):
    """Keeps the place of a view until the page has been read; `kind` and `view` say what will stand there."""


class Show(SphinxDirective):
    """Shows a record, or a list of records, where it stands."""

    optional_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        """The place of the view that the directive is named for."""
        kind, argument = self.name.removeprefix(f"{DOMAIN}:"), (self.arguments or [""])[0]
        domain = cast(ReversisDomain, self.env.get_domain(DOMAIN))
        try:
            view, said = domain.view(kind, argument)
        except (KeyError, StopIteration):
            message = "there is no %s %s to show"
            logger.warning(message, kind, argument, location=self.get_location(), type="edition", subtype="unknown")
            return []
        domain.note_shown(self.env.docname, kind, argument, said)
        return [shown(kind=kind, view=view)]


class Unfold(SphinxTransform):
    """Lays out every view of a page once Sphinx has worked on the hand-written words around it.

    Our nodes need none of that work, and there are many of them: so late, it costs a third of the time.
    """

    default_priority = 870  # the event that tells everybody "this page has been read" comes at 880

    def apply(self, **kwargs: Any) -> None:
        """Put the nodes of each view into its place."""
        domain = cast(ReversisDomain, self.env.get_domain(DOMAIN))
        for place in list(self.document.findall(shown)):
            place.replace_self(ALL_LAYOUTS[place["kind"]](place["view"]))
        domain.note_places(self.env.docname, self.document)
