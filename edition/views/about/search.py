"""The search page; its index is written by `edition.site.search_index`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import group_questions
from edition.views.plain_answers import source_marks

#: What can be found, and the heading under which it is shown; in this order.
SEARCH_KINDS: Mapping[str, str] = {
    "topic": "Topics",
    "question": "Questions",
    "term": "Glossary",
    "deal": "Example deals",
    "clause": "Rules",
    "sentence": "Sentences",
    "page": "Pages",
    "note": "Notes",
    "emendation": "Corrected misprints",
}


@dataclass(frozen=True, slots=True)
class FindView:
    """Filters of the search."""

    kinds: tuple[tuple[str, str], ...]
    sources: tuple[SourceMark, ...]
    groups: tuple[str, ...]


def find_view(corpus: Corpus, _: str = "") -> FindView:
    """The kinds of things, the sources, and the groups of questions."""
    return FindView(tuple(SEARCH_KINDS.items()), (*source_marks(corpus).values(),), tuple(group_questions(corpus)))


render_search = template_renderer("edition", "find")
