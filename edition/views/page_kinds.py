"""All kinds of page: the function that builds each view from the corpus, and the one that renders it as nodes.

Whatever is shown is a view first (`ALL_VIEWS`) and nodes afterwards (`ALL_RENDERERS`); the view's fingerprint is kept,
so that a page is made again when, and only when, what it shows has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.views.about import api, changes, downloads, home, numbers, people, receipts, search, validation
from edition.views.deals import deal, deal_editor, deal_list, printed_figures, separations, sessions
from edition.views.questions import (
    agenda,
    agreement,
    coding_manual,
    interpretations,
    matrix,
    pairs,
    question,
    question_list,
    silences,
    unsupported,
)
from edition.views.rules import rules
from edition.views.sources import clauses, emendations, glossary, indexes, source_list, source_text, word_index
from edition.views.surveys import costs, distances, survey_columns, surveys

#: The kinds of things that have an address of their own.
ADDRESSED_KINDS = (
    *("source", "sentence", "question", "cell", "clause", "deal", "term", "emendation", "alternative", "note"),
    *("pair", "clauses", "work", "parting", "cost", "costs", "howto", "group", "row", "words"),
)

#: Every module that has a table of views and one of renderers
PAGE_MODULES = (
    *(api, changes, downloads, home, numbers, people, receipts, search, validation),
    *(deal, deal_editor, deal_list, printed_figures, separations, sessions),
    *(agenda, agreement, coding_manual, interpretations, matrix, pairs),
    *(question, question_list, silences, unsupported),
    rules,
    *(clauses, emendations, glossary, indexes, source_list, source_text, word_index),
    *(costs, distances, survey_columns, surveys),
)
ALL_VIEWS: dict[str, Callable[[Corpus, str], Any]] = {
    kind: make for page in PAGE_MODULES for kind, make in page.VIEWS.items()
}
ALL_RENDERERS: dict[str, Callable[[Any], list[nodes.Node]]] = {
    kind: render for page in PAGE_MODULES for kind, render in page.RENDER.items()
}
