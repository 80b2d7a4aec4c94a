"""Directives: a thin page says `{reversis:question} Q031`, and the record is shown there.

Whatever is shown is a view first (`views.VIEWS`) and nodes afterwards (`render.RENDER`); the view's fingerprint is
kept, so that a page is made again when, and only when, what it shows has changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from edition.corpus.corpus import Shelf
from edition.nodes.builders import DOMAIN
from edition.views.about import api, changes, downloads, home, validation
from edition.views.about import receipts as proofs
from edition.views.about import search as finding
from edition.views.common import VIEWS
from edition.views.deals import deal as deals
from edition.views.deals import printed_figures as itself
from edition.views.deals import separations as separating
from edition.views.deals import sessions
from edition.views.layout import RENDER
from edition.views.questions import agenda
from edition.views.questions import agreement as coding
from edition.views.questions import coding_manual as manual
from edition.views.questions import interpretations as doubting
from edition.views.questions import matrix_layout as beside
from edition.views.questions import question as asking
from edition.views.questions import unsupported as beyond
from edition.views.rules import rules as howto
from edition.views.sources import indexes as indices
from edition.views.sources import source_text as facing
from edition.views.sources import word_index as wordlist
from edition.views.surveys import costs as materiality
from edition.views.surveys import distances as farness
from edition.views.surveys import survey_columns as dictionary

if TYPE_CHECKING:
    from edition.site.domain import ReversisDomain

logger = logging.getLogger(__name__)

#: modules that have a table of views and one of layouts of their own
OWN = (
    *(deals, coding, itself, proofs, separating, materiality, farness, agenda, sessions, api, howto, downloads),
    *(facing, finding, indices, wordlist),
    *(beside, beyond, asking, home, doubting, dictionary, manual, changes, validation),
)
ALL_VIEWS: dict[str, Callable[[Shelf, str], Any]] = {**VIEWS, **{k: v for one in OWN for k, v in one.VIEWS.items()}}
ALL_LAYOUTS: dict[str, Callable[[Any], list[nodes.Node]]] = {
    **RENDER,
    **{k: v for one in OWN for k, v in one.RENDER.items()},
}


def digest(view: object) -> str:
    """A fingerprint of a view."""
    return fingerprint(repr(view))


def fingerprint(said: str) -> str:
    """A fingerprint of what a view says."""
    return hashlib.sha256(said.encode("utf-8")).hexdigest()


class shown(nodes.General, nodes.Element):
    """Keeps the place of a view until the page has been read; `kind` and `view` say what will stand there."""


class Show(SphinxDirective):
    """Shows a record, or a list of records, where it stands."""

    optional_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        """The place of the view that the directive is named for."""
        kind, argument = self.name.removeprefix(f"{DOMAIN}:"), (self.arguments or [""])[0]
        domain = cast("ReversisDomain", self.env.get_domain(DOMAIN))
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
        domain = cast("ReversisDomain", self.env.get_domain(DOMAIN))
        for place in list(self.document.findall(shown)):
            place.replace_self(ALL_LAYOUTS[place["kind"]](place["view"]))
        domain.note_places(self.env.docname, self.document)


DIRECTIVES: dict[str, type[Directive]] = dict.fromkeys(ALL_VIEWS, Show)
