"""The search page; its index is written by `edition.site.search_index`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.game import Game
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import group_questions
from edition.views.plain_answers import source_marks

#: What can be found, and the heading under which it is shown, in this order; what a game adds stands between.
_FIRST_KINDS: Mapping[str, str] = {"topic": "Topics and pages", "question": "Questions", "term": "Glossary"}
_LAST_KINDS: Mapping[str, str] = {
    "clause": "Rules",
    "sentence": "Sentences",
    "page": "Other pages",
    "note": "Notes",
    "emendation": "Corrected misprints",
}


@dataclass(frozen=True, slots=True)
class FindView:
    """Filters of the search."""

    kinds: tuple[tuple[str, str], ...]
    sources: tuple[SourceMark, ...]
    groups: tuple[str, ...]


def list_search_kinds(game: Game) -> Mapping[str, str]:
    """Return what a search finds, with its heading."""
    of_game = {kind: lookup.heading for kind, lookup in game.lookups.items() if lookup.heading}
    return {**_FIRST_KINDS, **of_game, **_LAST_KINDS}


def find_view(corpus: Corpus, _: str = "") -> FindView:
    """The kinds of things, the sources, and the groups of questions."""
    kinds = tuple(list_search_kinds(corpus.game).items())
    return FindView(kinds, (*source_marks(corpus).values(),), tuple(group_questions(corpus)))


render_search = template_renderer("edition", "find")
