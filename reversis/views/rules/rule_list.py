"""The rules of every source: a card for each, with what only this source says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.corpus.progress import describe_extent
from edition.nodes.components import SourceMark
from edition.views.common import find_testimony
from edition.views.layout import LANGUAGE_NAMES
from edition.views.plain_answers import source_marks
from reversis.views.page_template import page_renderer
from reversis.views.rules.rule_lines import render_pieces
from reversis.views.rules.rule_writer import build_rule_writer
from rulebook.phrases import Pieces

_MOST_SPECIAL = 3  #: rules named for each source
_MOVING_COUNTERS = ("payment", "pool", "award")  #: what a question affects if its answer moves counters


@dataclass(frozen=True, slots=True)
class RulesCard:
    """A source in the list: its language, and the most important rules that only it has."""

    source: SourceMark
    language: str
    special: tuple[Pieces, ...]
    more: int  #: rules besides in which it differs from all others
    partial: str = ""  #: how little of a source was consulted


def howtos_view(corpus: Corpus, _: str = "") -> tuple[RulesCard, ...]:
    """Every source by which one can play."""
    return tuple(_build_card(corpus, siglum) for siglum in corpus.library.sources)


def _build_card(corpus: Corpus, siglum: str) -> RulesCard:
    writer, language = build_rule_writer(corpus, siglum), corpus.library.sources[siglum].language
    shown = (name for name in _order_by_importance(corpus) if name in writer.shown_questions)
    alone = [name for name in shown if _is_alone(corpus, siglum, name)]
    covered = {*corpus.telling.left_out, *corpus.telling.two_minutes.aim}
    special = list[Pieces]()
    for slug in alone:
        if slug not in covered:
            sentence = writer.told(corpus.library.questions[slug])
            covered.update(question.slug for question in sentence.questions)
            special.append(sentence.said)
    return RulesCard(
        source_marks(corpus)[siglum],
        LANGUAGE_NAMES.get(language, language),
        tuple(special[:_MOST_SPECIAL]),
        max(0, len(special) - _MOST_SPECIAL),
        describe_extent(corpus.library.sources[siglum]),
    )


def _order_by_importance(corpus: Corpus) -> Iterable[str]:
    """Order all questions: first those of the rules in two minutes, then those that move counters."""
    rest = sorted(corpus.library.questions.values(), key=lambda question: question.affects not in _MOVING_COUNTERS)
    return dict.fromkeys((*corpus.telling.two_minutes.questions, *(other.slug for other in rest)))


def _is_alone(corpus: Corpus, siglum: str, slug: str) -> bool:
    """Test whether a source says something that none of the others says, of which they speak too."""
    testimonies = {source: find_testimony(corpus, source, slug) for source in corpus.library.sources}
    others = {words for other, words in testimonies.items() if other != siglum and words}
    return bool(testimonies[siglum] and others) and testimonies[siglum] not in others


render_howto_list = page_renderer("howtos", pieces=render_pieces)
