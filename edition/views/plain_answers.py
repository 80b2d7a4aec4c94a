"""Answers as readers meet them: who says the same, and every answer in plain words with its status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.nodes.components import SourceMark, SourceVoice, list_source_marks
from edition.text.answers import find_answer_status
from edition.text.typography import curl_quotes
from rulebook.answers.conditions import dereference_answer
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import NOT_CONSULTED, format_plain_answer
from rulebook.grouping import group_pairs
from rulebook.model import Cell, Library, Like, Question, Source, Value
from rulebook.schema.reference_records import AgreedSumsRecord

Groups = tuple[tuple[SourceVoice, ...], ...]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """Answer of a source to a question, or a sentence of it, in plain words; or why there is none (*missing*)."""

    siglum: str
    question: str  #: id
    words: str
    status: str = ""  #: marks, as of `ANSWER_STATUS_MARKS`
    missing: bool = False
    played: bool = True
    other: str = ""  #: other readings, in a line


#: Status of an answer that is missing -> what stands in its place.
MISSING_ANSWERS: Mapping[str, str] = {
    "silent": "says nothing",
    "inapplicable": "not applicable",
    "not-collated": "not read yet",
    "partial": NOT_CONSULTED,
}


@cached_on_corpus
def source_marks(corpus: Corpus) -> Mapping[str, SourceMark]:
    """Mark of every source of the edition, by siglum."""
    return list_source_marks(corpus.library.sources.values())


def group_voices(corpus: Corpus, question: Question) -> Groups:
    """Sources by what they answer, or what we assume for them, in the order of the sources."""
    voices = (
        (_resolve_answer(corpus, cell), SourceVoice(mark, not corpus.answers_itself(siglum, question.slug)))
        for siglum, mark in source_marks(corpus).items()
        if (cell := corpus.cell(siglum, question.slug)) and cell.value is not None
    )
    return tuple(group_pairs(voices).values())


def _resolve_answer(corpus: Corpus, cell: Cell) -> str:
    """Canonical answer of a cell; one that points to another is that other."""
    value = dereference_answer(cell.value, corpus.answers_of[cell.source]) if isinstance(cell.value, Like) else None
    return format_canonical(cell.value if value is None else value)


@cached_on_corpus
def collect_agreed_answers(corpus: Corpus) -> frozenset[tuple[str, str]]:
    """Answers, by source and slug, that a source leaves to the players, or beside which it offers another itself."""
    agreed, library = corpus.telling.agreed, corpus.library
    offered = (
        (clause.source, slug) for clause in library.clauses() for option in clause.options for slug in option.answers
    )
    left = ((siglum, slug) for siglum in library.sources for slug in _list_sums_left(corpus, siglum, agreed))
    return frozenset((*offered, *left))


def _list_sums_left(corpus: Corpus, siglum: str, agreed: AgreedSumsRecord) -> Iterator[str]:
    """Yield the questions that a source answers by a sum and leaves to agreement, by its own words."""
    parts = corpus.own_answers_of[siglum].get(agreed.by)
    for part in parts if isinstance(parts, tuple) else ():
        yield from agreed.sums.get(str(part), ())


def find_answer_marks(corpus: Corpus, cell: Cell) -> str:
    """Status of an answer, and whether it is left to the players besides: "ours agreed"."""
    agreed = cell.value is not None and (cell.source, cell.question) in collect_agreed_answers(corpus)
    return " ".join(filter(None, (find_answer_status(cell), "agreed" if agreed else "")))


def describe_other_readings(corpus: Corpus, question: Question, siglum: str) -> str:
    """Answers to which other readings of a source would come, in a line; empty if there are none."""
    readings = list_other_readings(corpus, question, siglum).values()
    return f"or: {'; or: '.join(readings)}" if readings else ""


def list_other_readings(corpus: Corpus, question: Question, siglum: str) -> Mapping[str, str]:
    """Other readings of a source by their ids, with the answers in plain words to which they come, each answer once."""
    source, own = corpus.library.sources[siglum], describe_answer_plainly(corpus, question, siglum)
    rivals = (
        alternative
        for clause, alternative in corpus.alternatives_on.get(question.slug, ())
        if clause.source == siglum and alternative.kind == "interpretation"
    )
    first: dict[str, str] = {own: ""}
    for alternative in rivals:
        first.setdefault(
            format_printed_answer(question, alternative.answers[question.slug], source, corpus.library), alternative.id
        )
    return {id: answer for answer, id in first.items() if id}


def describe_answer_plainly(corpus: Corpus, question: Question, siglum: str) -> str:
    """Answer of a source in plain words; empty where it has none."""
    cell = corpus.cell(siglum, question.slug)
    if cell is None or cell.value is None:
        return ""
    return format_printed_answer(question, cell.value, corpus.library.sources[siglum], corpus.library)


def describe_missing_answer(source: Source, cell: Cell | None) -> str:
    """Words in place of an answer; of a text that is not consulted whole nobody can tell that it says nothing."""
    status = cell.status if cell else "not-collated"
    return MISSING_ANSWERS["partial" if status == "silent" and source.partial else status]


def format_printed_answer(question: Question, value: Value, source: Source, library: Library) -> str:
    """Answer in plain words as a page prints them, with typographic apostrophes."""
    return curl_quotes(format_plain_answer(question, value, source, library))[0]
