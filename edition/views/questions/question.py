"""A question: what is asked, what each source answers, who reads how, and what the disagreement changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from edition.corpus.corpus import Corpus
from edition.corpus.progress import describe_extent
from edition.corpus.references import Run
from edition.game import PanelView, view_panels
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.text import answers as words
from edition.views.common import (
    AGREEMENT,
    AnswerMark,
    ClauseView,
    Prose,
    QuestionLink,
    QuotationView,
    assign_answer_letters,
    build_answer_marks,
    classify_agreement,
    clause_view,
    describe_search,
    explain_unplayed,
    format_source_answer,
    question_link,
)
from edition.views.layout import render_matrix_mark, strip_item_number
from edition.views.plain_answers import (
    MISSING_ANSWERS,
    Groups,
    describe_answer_plainly,
    describe_missing_answer,
    find_answer_marks,
    group_voices,
    list_other_readings,
    source_marks,
)
from edition.views.topics.topic import collect_question_topics
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import describe_measure, format_answer
from rulebook.model import Cell, FrozenMap, Question
from rulebook.phrases import AnswerText, format_count


@dataclass(frozen=True, slots=True)
class ConditionWord:
    """A word of the condition under which a question makes sense."""

    words: str
    question: QuestionLink | None = None  #: asked in full


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One answer that a question can have, and who gives it."""

    answer: AnswerText
    letter: str
    holders: tuple[str, ...]  #: sigla
    supplied_for: tuple[str, ...]
    rivals: tuple[tuple[str, str], ...]  #: (siglum, id) of interpretations and options that read so
    count: str
    unplayed: str = ""  #: what the engine plays in its place, and why
    by: str = ""  #: the source that proposes the reading


@dataclass(frozen=True, slots=True)
class CellView:
    """Answer of one source to the question."""

    source: SourceMark
    target: str
    mark: AnswerMark
    answer: AnswerText | None
    unit: str
    status: str
    cert: str
    supplied: bool
    clauses: tuple[ClauseView, ...]
    unplayed: str = ""  #: what the engine plays in its place, and why
    plain: str = ""  #: the answer in plain words
    standing: str = ""  #: marks, as of `ANSWER_STATUS_MARKS`, or none where it is simply stated
    others: tuple[tuple[str, str], ...] = ()  #: other readings: id, and the answer in plain words
    partial: str = ""  #: how little of a source was consulted


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question, its readings, and every source's answer."""

    link: QuestionLink
    group: str
    topics: tuple[tuple[str, str], ...]  #: group and title of the pages that show it, the fullest first
    affects: str
    measure: str
    coding: Prose
    related: tuple[QuestionLink, ...]
    not_played: str
    agreement: str
    readings: tuple[ReadingRow, ...]
    cells: tuple[CellView, ...]
    before: QuestionLink | None
    after: QuestionLink | None
    by: str  #: the source that proposes the question
    condition: tuple[ConditionWord, ...]
    sources: Mapping[str, SourceMark]
    voices: Groups
    kind: str  #: of agreement
    panels: tuple[PanelView, ...]  #: what the difference changes in the game


def question_view(corpus: Corpus, name: str) -> QuestionView:
    """Everything about one question."""
    question = corpus.library.question(name)
    before, after = _find_neighbours(list(corpus.library.questions.values()), question)
    kind = classify_agreement(corpus, question)
    return QuestionView(
        question_link(question),
        question.group,
        tuple((group, corpus.telling.topic(group).title) for group in collect_question_topics(corpus)[question.slug]),
        corpus.settings.affects.get(question.affects, question.affects),
        "" if question.closed else describe_measure(question),
        corpus.prose(question.coding),
        tuple(question_link(corpus.library.question(slug)) for slug in question.related),
        question.not_played,
        AGREEMENT[kind],
        tuple(reading_rows(corpus, question)),
        build_cell_views(corpus, question),
        question_link(before) if before else None,
        question_link(after) if after else None,
        question.by,
        tuple(list_condition_words(corpus, question)),
        FrozenMap(source_marks(corpus)),
        group_voices(corpus, question),
        kind,
        view_panels(corpus, "question", question.id),
    )


def _find_neighbours(row: list[Any], item: Any) -> tuple[Any, Any]:
    at = row.index(item)
    return (row[at - 1] if at else None), (row[at + 1] if at + 1 < len(row) else None)


#: How a condition is written -> how it is read.
_CONDITION_OPERATORS: Mapping[str, str] = {"==": "is", "!=": "is not", "[]": "none"}


def list_condition_words(corpus: Corpus, question: Question) -> Iterator[ConditionWord]:
    """Condition under which a question makes sense, word by word."""
    for word in question.depends.split():
        other = corpus.library.questions.get(word.strip("()"))
        yield ConditionWord("", question_link(other)) if other else ConditionWord(_CONDITION_OPERATORS.get(word, word))


def reading_rows(corpus: Corpus, question: Question) -> Iterator[ReadingRow]:
    """Every reading of a closed question, or every answer that was given or considered, with those who hold it."""
    library = corpus.library
    cells = {siglum: corpus.cell(siglum, question.slug) for siglum in library.sources}
    letters = assign_answer_letters(cells.values())
    for value in possible_answers(corpus, question, cells.values()):
        name = format_canonical(value)
        same = [
            cell for cell in cells.values() if cell and cell.value is not None and format_canonical(cell.value) == name
        ]
        holders = tuple(cell.source for cell in same if not cell.supplied)
        yield ReadingRow(
            format_answer(question, value, library),
            letters.get(name, ""),
            holders,
            tuple(cell.source for cell in same if cell.supplied),
            tuple(find_alternatives_with_answer(corpus, question, name)),
            count_holders(corpus, holders),
            explain_unplayed(corpus, question, value),
            question.proposed[name].source if name in question.proposed else "",
        )


def possible_answers(corpus: Corpus, question: Question, cells: Iterable[Cell | None]) -> list[Any]:
    """The closed list, or all answers that the sources give or might give."""
    if question.closed:
        return list(question.readings)
    given = [cell.value for cell in cells if cell and cell.value is not None]
    rivals = [alternative.answers[question.slug] for _, alternative in corpus.alternatives_on.get(question.slug, ())]
    return list({format_canonical(value): value for value in (*given, *rivals)}.values())


def find_alternatives_with_answer(corpus: Corpus, question: Question, name: str) -> Iterator[tuple[str, str]]:
    """Interpretations and options under which a source would give this answer."""
    for clause, alternative in corpus.alternatives_on.get(question.slug, ()):
        if format_canonical(alternative.answers[question.slug]) == name:
            yield clause.source, alternative.id


def count_holders(corpus: Corpus, sigla: Sequence[str]) -> str:
    """Number of sources and of the families to which they belong.

    Two of a family are not two witnesses.
    """
    if not sigla:
        return "none"
    families = words.count_families(corpus.library.sources[siglum] for siglum in sigla)
    return f"{format_count(len(sigla), 'source')}{families}"


def build_cell_views(corpus: Corpus, question: Question) -> tuple[CellView, ...]:
    """Answers of all sources to a question."""
    return tuple(_cell_view(corpus, question, mark) for mark in build_answer_marks(corpus, question))


def _cell_view(corpus: Corpus, question: Question, mine: AnswerMark) -> CellView:
    siglum, source = mine.siglum, corpus.library.sources[mine.siglum]
    cell = corpus.cell(siglum, question.slug)
    if cell is None:
        return CellView(
            source_marks(corpus)[siglum], f"{question.id}@{siglum}", mine, None, "", "not-collated", "", False, ()
        )
    return CellView(
        source_marks(corpus)[siglum],
        f"{question.id}@{siglum}",
        mine,
        *format_source_answer(corpus, question, source),
        cell.status,
        words.find_sure_certainty(source, cell.status, cell.value is not None, cell.cert),
        cell.supplied,
        tuple(clause_view(corpus, clause) for clause in cell.clauses),
        explain_unplayed(corpus, question, cell.value),
        describe_answer_plainly(corpus, question, siglum) or describe_missing_answer(source, cell),
        find_answer_marks(corpus, cell) if cell.value is not None else "",
        tuple(list_other_readings(corpus, question, siglum).items()),
        describe_extent(source),
    )


MAX_OVERVIEW_SENTENCES = 2  #: so many sentences are quoted under an answer; all of them in the evidence


def select_ground_quotations(cell: CellView) -> list[QuotationView]:
    """Quotations on which the answer rests, or else the first that is quoted."""
    quoted = [quote for clause in cell.clauses for quote in clause.quotations]
    resting = [quote for quote in quoted if quote.role == "grounds"]
    chosen = dict.fromkeys(resting or quoted[:1])
    places = [*dict.fromkeys((quote.locus, quote.to) for quote in chosen)][:MAX_OVERVIEW_SENTENCES]
    return [quote for quote in chosen if (quote.locus, quote.to) in places]


def join_within_sentences(quotes: Iterable[QuotationView]) -> list[QuotationView]:
    """Join what is quoted of the same sentence, so that this is translated once."""
    joined: dict[tuple[str, str], QuotationView] = {}
    for quote in quotes:
        before = joined.get(place := (quote.locus, quote.to))
        joined[place] = replace(before, exact=f"{before.exact}” … “{quote.exact}") if before else quote
    return [*joined.values()]


def list_missing_quote_reasons(cell: CellView) -> Iterator[Prose]:
    """Reasons for a missing quotation: a vain search, or our inference and its basis."""
    for clause in cell.clauses:
        if clause.searched:
            yield (Run("Not found in "), *describe_search(clause.searched, clause.partial), Run("."))
        if clause.taken_from and clause.taken_from != "logic":
            yield (Run(f"Our inference from {clause.taken_from}."),)
        elif clause.taken_from and not clause.searched:
            yield (Run("Our inference."),)
        elif clause.because and not clause.taken_from:
            yield clause.because


# ---- layout
render_question = template_renderer(
    "edition",
    "question",
    missing=MISSING_ANSWERS,
    ground_quotations=lambda cell: join_within_sentences(select_ground_quotations(cell)),
    missing_reasons=lambda cell: [*list_missing_quote_reasons(cell)],
    mark=render_matrix_mark,
    unnumbered=strip_item_number,
)
