"""The tables of all kinds of views and their layouts, and of all kinds of things that have an address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Shelf
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

#: kinds of things that can be linked to
KINDS = (
    "source",
    "sentence",
    "question",
    "cell",
    "clause",
    "deal",
    "term",
    "emendation",
    "alternative",
    "note",
    "pair",
    "clauses",
    "work",
    "parting",
    "cost",
    "costs",
    "howto",
    "group",
    "row",
    "words",
)

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
