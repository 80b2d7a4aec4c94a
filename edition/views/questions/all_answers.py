"""All answers: every question with the plain answer of each source, and who agrees.

The table stands whole in the page, as lean as it can be; quotations, letters, statuses and full words lie in a script
of the site (`edition.site.answer_words`), which `static/answers.js` fetches when somebody asks for them. Roles are
written out, because rows and cells are laid out as a grid, and would otherwise be no table to those who listen to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from edition.citation.places import source_pairs
from edition.corpus.corpus import Corpus
from edition.corpus.progress import format_reservations
from edition.game import PanelView, view_panels
from edition.nodes.components import SourceMark
from edition.text.answers import get_family_name
from edition.views import common
from edition.views.plain_answers import (
    AnswerView,
    Groups,
    describe_answer_plainly,
    describe_missing_answer,
    find_answer_marks,
    group_voices,
    source_marks,
)
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.model import Like, Question

#: Agreement of the sources that speak for themselves -> its name in the filter and in a row.
AGREEMENT_NAMES: Mapping[str, str] = {
    "differ": "Differ",
    "agree": "Agree",
    "alone": "Only one says",
    "nobody": "None says",
}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One question with the answers of all sources."""

    question: common.QuestionLink
    answers: tuple[AnswerView, ...]
    voices: Groups
    kind: str  #: of agreement
    played: bool  #: whether the engine asks the question


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A source at the head of a column."""

    source: SourceMark
    family: str  #: empty while it is not placed
    draft: str = ""  #: how far it is read, if it is a draft


@dataclass(frozen=True, slots=True)
class AnswerMeasure:
    """Measure by a game of each difference: a choice above the table, and a number in every row."""

    label: str
    any: str  #: the first choice
    least: Mapping[str, str]  #: least number -> its name in the choice
    note: str  #: in the key below the table
    numbers: Mapping[str, float]  #: question -> highest number of its differences; none where it is not known


@dataclass(frozen=True, slots=True)
class AnswersView:
    """All questions under their headings."""

    columns: tuple[AnswerColumn, ...]
    groups: tuple[tuple[str, tuple[AnswerRow, ...]], ...]
    pairs: tuple[tuple[str, str], ...]  #: every two sources that can be linked to
    families: common.FamilyAgreement | None = None  #: behind the agreement of books
    measure: AnswerMeasure | None = None
    panels: tuple[PanelView, ...] = ()  #: above the table
    example: str = ""  #: a word for which readers search
    points: bool = False  #: whether any answer points to another question

    @property
    def rows(self) -> Iterator[AnswerRow]:
        """Every question."""
        return (row for _, rows in self.groups for row in rows)

    @property
    def statuses(self) -> frozenset[str]:
        """Marks of the statuses that occur."""
        return frozenset(mark for row in self.rows for answer in row.answers for mark in answer.status.split())

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of questions by kind of agreement."""
        by_kind = Counter(row.kind for row in self.rows)
        return {kind: by_kind[kind] for kind in AGREEMENT_NAMES}


def answers_view(corpus: Corpus, _: str = "") -> AnswersView:
    """Every question in every source."""
    groups = tuple(
        (group, tuple(build_answer_row(corpus, question) for question in some))
        for group, some in common.group_questions(corpus).items()
    )
    return AnswersView(
        tuple(_build_columns(corpus)),
        groups,
        source_pairs(corpus),
        common.count_agreement_by_family(corpus),
        next((panel.record for panel in view_panels(corpus, "answer-measure")), None),
        view_panels(corpus, "answers"),
        corpus.settings.example,
        any(cell and isinstance(cell.value, Like) for cell in corpus.cells.values()),
    )


def _build_columns(corpus: Corpus) -> Iterator[AnswerColumn]:
    for siglum, mark in source_marks(corpus).items():
        source = corpus.library.sources[siglum]
        family = get_family_name(source) if source.family else ""
        yield AnswerColumn(mark, family, format_reservations(corpus.library, siglum))


def build_answer_row(corpus: Corpus, question: Question) -> AnswerRow:
    """Build the row of a question: the answers of all sources, and who agrees."""
    answers = tuple(_build_answer(corpus, question, siglum) for siglum in corpus.library.sources)
    kind = common.classify_agreement(corpus, question)
    played = not question.not_played
    return AnswerRow(common.question_link(question), answers, group_voices(corpus, question), kind, played)


def _build_answer(corpus: Corpus, question: Question, siglum: str) -> AnswerView:
    cell = corpus.cell(siglum, question.slug)
    if cell is None or cell.value is None:
        words = describe_missing_answer(corpus.library.sources[siglum], cell)
        return AnswerView(siglum, question.id, "not consulted" if words == NOT_CONSULTED else words, missing=True)
    words, marks = describe_answer_plainly(corpus, question, siglum), find_answer_marks(corpus, cell)
    return AnswerView(
        siglum, question.id, words, marks, played=not common.explain_unplayed(corpus, question, cell.value)
    )
