"""Table at the head of a topic: what a player asks first, with the answer of every book in a few words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.views.plain_answers import (
    MISSING_ANSWERS,
    AnswerView,
    describe_answer_plainly,
    describe_other_readings,
    find_answer_marks,
)
from rulebook.answers.wording import format_answer
from rulebook.phrases import lower_first
from rulebook.schema.reference_records import TopicLineRecord, TopicRecord, TopicRowRecord


@dataclass(frozen=True, slots=True)
class ShortRow:
    """Row of the table: its label in words of a player, with the cell of every book."""

    asks: str
    questions: tuple[str, ...]
    cells: tuple[tuple[AnswerView, ...], ...]  #: answers of every book; the last of several sentences has the status
    events: tuple[str, ...] = ()  #: anchors of the payment tables under which it stands too


def list_short_rows(corpus: Corpus, topic: TopicRecord) -> tuple[ShortRow, ...]:
    """List the rows of the table of a topic that any book answers."""
    rows = (_build_row(corpus, row) for row in topic.table)
    return tuple(row for row in rows if not all(answer.missing for cell in row.cells for answer in cell))


def _build_row(corpus: Corpus, row: TopicRowRecord) -> ShortRow:
    ids = tuple(corpus.library.questions[slug].id for slug in row.answers)
    cells = tuple(_build_cell(corpus, siglum, row) for siglum in corpus.library.sources)
    return ShortRow(row.asks, ids, cells, tuple(row.events))


def _build_cell(corpus: Corpus, siglum: str, row: TopicRowRecord) -> tuple[AnswerView, ...]:
    cells = [corpus.cell(siglum, slug) for slug in row.answers]
    applies = not all(cell is not None and cell.status == "inapplicable" for cell in cells)
    partial = corpus.library.sources[siglum].partial
    missing = MISSING_ANSWERS["partial" if partial else "silent"] if applies else "does not apply"
    first = corpus.library.questions[next(iter(row.answers))].id
    return tuple(_list_answers(corpus, siglum, row.answers)) or (AnswerView(siglum, first, missing, missing=True),)


def _list_answers(corpus: Corpus, siglum: str, lines: Mapping[str, TopicLineRecord]) -> Iterator[AnswerView]:
    for slug, line in lines.items():
        cell, question = corpus.cell(siglum, slug), corpus.library.questions[slug]
        if cell is None or cell.value is None:
            continue
        plain = describe_answer_plainly(corpus, question, siglum)
        full = lower_first(format_answer(question, cell.value, corpus.library).full.rstrip(".")) or plain
        words = line.template(cell.value).replace("{answer}", plain).replace("{full}", full)
        if not words:  # an answer that another row, or the silence of this one, says as well
            continue
        *parts, last = words.split(". ")
        yield from (AnswerView(siglum, question.id, part) for part in parts)
        other = describe_other_readings(corpus, question, siglum)
        yield AnswerView(siglum, question.id, last, find_answer_marks(corpus, cell), other=other)
