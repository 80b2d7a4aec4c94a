"""The page of a source's rules: two minutes first, then every rule with its evidence.

Nothing here knows a source: the sentences come from `RuleWriter`, the choice from `sources/telling.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.views import common
from reversis.views.page_template import page_renderer
from reversis.views.rules.first_deal import FirstDeal, choose_first_deal
from reversis.views.rules.rule_writer import RulesPart, build_rule_writer
from reversis.views.rules.seating import Seating, build_seatings, describe_seating, draw_seating
from reversis.views.rules.two_minutes import SHORT_RULES_COMPONENTS, ShortRules, short_rules_view
from rulebook.answers.conditions import ruled_out
from rulebook.grouping import group_pairs
from rulebook.model import Cell
from rulebook.phrases import add_article, format_counters, pluralize_counter

_SECOND_UNIT_QUESTION = "units.second"  #: the question that tells what the larger counter is worth


# --- the view -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HowtoView:
    """The rules of one source, to play by."""

    short: ShortRules
    unit: str  #: in which all sums are told
    counters: tuple[tuple[str, str], ...]  #: larger ones whose worth no rule tells
    tables: tuple[Seating, ...]
    parts: tuple[RulesPart, ...]
    open: tuple[tuple[str, tuple[tuple[common.QuestionLink, str], ...]], ...]  #: group -> questions with their clauses
    first: FirstDeal | None
    needless: tuple[int, int] = (0, 0)  #: unanswered, but not open: what cannot arise, and what play does not ask

    @property
    def assumed(self) -> int:
        """Number of the rules that are ours."""
        return sum(sentence.all_ours for part in self.parts for sentence in part.told)

    @property
    def own(self) -> int:
        """Number of the rules that rest on the source, if only in part."""
        return sum(len(part.told) for part in self.parts) - self.assumed


def howto_view(corpus: Corpus, siglum: str) -> HowtoView:
    """Rules of the game by one source."""
    source = corpus.library.sources[siglum]
    writer = build_rule_writer(corpus, siglum)
    answers = writer.answers
    unanswered, left_out = _list_unanswered(corpus, writer.cells), corpus.telling.left_out
    needless = [slug for slug, arises in unanswered.items() if not arises and slug not in left_out]
    return HowtoView(
        short_rules_view(corpus, siglum),
        pluralize_counter(source.unit),
        tuple(
            (name, format_counters(number, source.unit))
            for name, number in source.counters.items()
            if number not in (1, answers.get(_SECOND_UNIT_QUESTION))
        ),
        build_seatings(answers),
        tuple(writer.parts()),
        tuple(left_open(corpus, writer.cells)),
        choose_first_deal(corpus, source),
        (len(needless), len([slug for slug in unanswered if slug in left_out])),
    )


_OpenPoints = Iterator[tuple[str, tuple[tuple[common.QuestionLink, str], ...]]]


def left_open(corpus: Corpus, cells: Mapping[str, Cell]) -> _OpenPoints:
    """Questions on which the players have to agree, nobody knowing an answer."""
    unanswered, left_out = _list_unanswered(corpus, cells), corpus.telling.left_out
    open_ = [corpus.library.questions[slug] for slug, arises in unanswered.items() if arises and slug not in left_out]
    yield from group_pairs(
        (question.group, (common.question_link(question), cells[question.slug].clauses[0].id)) for question in open_
    ).items()


def _list_unanswered(corpus: Corpus, cells: Mapping[str, Cell]) -> Mapping[str, bool]:
    """Questions to which nobody knows an answer -> whether they can arise, by the answers to the others."""
    asked, answers = (
        corpus.library.questions,
        {slug: cell.value for slug, cell in cells.items() if cell.value is not None},
    )
    unsaid = (slug for slug, cell in cells.items() if cell.value is None and cell.status in ("silent", "not-collated"))
    return {slug: not ruled_out(slug, asked, answers, answers) for slug in unsaid}


# --- the page ---------------------------------------------------------------------------------------------------


def _draw_seating(seating: Seating) -> nodes.raw:
    return nodes.raw("", draw_seating(seating), format="html")


_COMPONENTS = {
    **SHORT_RULES_COMPONENTS,
    "describe_seating": describe_seating,
    "picture": _draw_seating,
    "with_article": add_article,
}
render_howto = page_renderer("howto", **_COMPONENTS)
render_rules_chapter = page_renderer("rules-chapter", **_COMPONENTS)
