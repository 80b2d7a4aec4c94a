"""All answers: every question with the plain answer of each source, and who agrees.

The table stands whole in the page, as lean as it can be; quotations, letters, statuses and full words lie in a script
of the site (`edition.site.answer_words`), which `static/answers.js` fetches when somebody asks for them. Roles are
written out, because rows and cells are laid out as a grid, and would otherwise be no table to those who listen to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from edition.citation.places import source_pairs
from edition.corpus.corpus import Corpus
from edition.corpus.progress import format_reservations
from edition.nodes.components import SourceMark
from edition.text.answers import NOT_CONSULTED, get_family_name
from edition.views.common import (
    FamilyAgreement,
    QuestionLink,
    classify_agreement,
    count_agreement_by_family,
    explain_unplayed,
    group_questions,
    question_link,
)
from edition.views.plain_answers import (
    Groups,
    describe_answer_plainly,
    describe_missing_answer,
    find_answer_marks,
    group_voices,
    source_marks,
)
from lab.survey.variants import VARIANT_QUESTION
from reversis.findings.costs import find_costs, find_question_costs, format_cost_percent, get_cost_sort_key
from reversis.findings.leading import sort_policies
from reversis.views.surveys.costs import find_costliest
from rulebook.model import Cell, Question, Source

DEAREST = 6  #: questions named above the table

#: Agreement of the sources that speak for themselves -> its name in the filter and in a row.
AGREEMENT_NAMES: Mapping[str, str] = {
    "differ": "Differ",
    "agree": "Agree",
    "alone": "Only one says",
    "nobody": "None says",
}


@dataclass(frozen=True, slots=True)
class PlainAnswer:
    """Answer of one source in plain words, with the mark of its status; *missing* where there is none."""

    siglum: str
    words: str
    status: str = ""
    missing: bool = False
    played: bool = True


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One question with the answers of all sources."""

    question: QuestionLink
    answers: tuple[PlainAnswer, ...]
    voices: Groups
    kind: str  #: of agreement
    played: bool  #: whether the engine asks the question
    money: float | None  #: highest cost of another source's answer, in hundredths of the pool; None if not surveyed


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A source at the head of a column."""

    source: SourceMark
    family: str
    draft: str = ""  #: how far it is read, if it is a draft


@dataclass(frozen=True, slots=True)
class AnswersView:
    """All questions under their headings."""

    columns: tuple[AnswerColumn, ...]
    groups: tuple[tuple[str, tuple[AnswerRow, ...]], ...]
    pairs: tuple[tuple[str, str], ...]  #: every two sources that can be linked to
    families: FamilyAgreement | None = None  #: behind the agreement of books
    dearest: tuple[AnswerRow, ...] = ()  #: differences that move most money, as far as surveyed

    @property
    def rows(self) -> Iterator[AnswerRow]:
        """Every question."""
        return (row for _, rows in self.groups for row in rows)

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of questions by kind of agreement."""
        found = Counter(row.kind for row in self.rows)
        return {kind: found[kind] for kind in AGREEMENT_NAMES}


def answers_view(corpus: Corpus, _: str = "") -> AnswersView:
    """Every question in every source."""
    groups = tuple(
        (group, tuple(_build_row(corpus, one) for one in some)) for group, some in group_questions(corpus).items()
    )
    rows = {row.question.slug: row for _, some in groups for row in some}
    dearest = tuple(rows[slug] for slug in _find_dearest(corpus))
    return AnswersView(
        tuple(_build_columns(corpus)), groups, source_pairs(corpus), count_agreement_by_family(corpus), dearest
    )


def _find_dearest(corpus: Corpus) -> Iterator[str]:
    """Differences in the order of the page of costs: as the players who lead there would meet them."""
    asked = (slug for policy in sort_policies(corpus)[-1:] for slug in find_costliest(corpus, policy))
    differing = (slug for slug in asked if classify_agreement(corpus, corpus.library.questions[slug]) == "differ")
    return islice(differing, DEAREST)


def _build_columns(corpus: Corpus) -> Iterator[AnswerColumn]:
    for siglum, mark in source_marks(corpus).items():
        family = get_family_name(corpus.library.sources[siglum])
        yield AnswerColumn(mark, family, format_reservations(corpus.library, siglum))


def _build_row(corpus: Corpus, question: Question) -> AnswerRow:
    answers = tuple(_build_answer(corpus, question, siglum) for siglum in corpus.library.sources)
    shares = [one.share for one in list_prices(corpus, question)]
    surveyed = any(True for _ in find_question_costs(find_costs(corpus), question.slug))
    money = max(shares, default=0.0) if surveyed else None
    kind = classify_agreement(corpus, question)
    played = not question.not_played
    return AnswerRow(question_link(question), answers, group_voices(corpus, question), kind, played, money)


def _describe_missing_briefly(source: Source, cell: Cell | None) -> str:
    """Words in place of an answer; hundreds of cells have them, and the page is long."""
    words = describe_missing_answer(source, cell)
    return "not consulted" if words == NOT_CONSULTED else words


def _build_answer(corpus: Corpus, question: Question, siglum: str) -> PlainAnswer:
    cell = corpus.cell(siglum, question.slug)
    if cell is None or cell.value is None:
        return PlainAnswer(siglum, _describe_missing_briefly(corpus.library.sources[siglum], cell), missing=True)
    said = describe_answer_plainly(corpus, question, siglum)
    return PlainAnswer(
        siglum, said, find_answer_marks(corpus, cell), played=not explain_unplayed(corpus, question, cell.value)
    )


# ---- money


@dataclass(frozen=True, slots=True)
class Price:
    """Cost at the table of one source of taking the answer of another."""

    table: str
    giver: str
    share: float  #: of the opening pool in a deal, in hundredths, under the policy under which it is most
    words: str


def list_prices(corpus: Corpus, question: Question) -> Iterator[Price]:
    """Costs of other sources' answers at each source's table, as far as surveyed."""
    for cost in find_question_costs(find_costs(corpus), question.slug):
        policy = max((name for name, _ in cost.weights), key=lambda name: get_cost_sort_key(cost, name))
        found = cost.of(policy)
        assert found is not None
        share = found.of_pool.value
        forbidden = f"{format_cost_percent(found.forbidden.value)} of deals not legal" if found.forbidden.value else ""
        pool = "a pool that is our assumption" if cost.pool_supplied else "the pool"
        moved = f"{format_cost_percent(share)} of {pool}" if share else "" if forbidden else "no money seen to move"
        said = ", ".join(part for part in (moved, forbidden) if part)
        for stand in cost.stands:
            if stand.kind == VARIANT_QUESTION and question.slug in stand.questions:
                yield Price(cost.table, stand.source, share * 100, said)
