"""Answers as readers meet them: who says the same, and every answer in plain words with its status."""

from __future__ import annotations

from collections.abc import Mapping

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.nodes.components import SourceMark, SourceVoice, list_source_marks
from edition.text.answers import format_plain_answer
from edition.text.typography import curl_quotes
from rulebook.answers.conditions import dereference_answer
from rulebook.answers.values import format_canonical
from rulebook.model import DOUBTFUL_STATUSES, Cell, Clause, Library, Like, Question, Source, Value

Groups = tuple[tuple[SourceVoice, ...], ...]


@cached_on_corpus
def source_marks(corpus: Corpus) -> Mapping[str, SourceMark]:
    """Mark of every source of the edition, by siglum."""
    return list_source_marks(corpus.library.sources.values())


def group_voices(corpus: Corpus, question: Question) -> Groups:
    """Sources by what they answer, or what we assume for them, in the order of the sources."""
    found: dict[str, list[SourceVoice]] = {}
    for siglum, mark in source_marks(corpus).items():
        cell = corpus.cell(siglum, question.slug)
        if cell and cell.value is not None:
            own = corpus.own_answers_of[siglum]
            assumed = dereference_answer(own.get(question.slug), own) is None  # also of an answer that points to ours
            found.setdefault(_resolve_answer(corpus, cell), []).append(SourceVoice(mark, assumed))
    return tuple(map(tuple, found.values()))


def _resolve_answer(corpus: Corpus, cell: Cell) -> str:
    """Canonical answer of a cell; one that points to another is that other."""
    found = dereference_answer(cell.value, corpus.answers_of[cell.source]) if isinstance(cell.value, Like) else None
    return format_canonical(cell.value if found is None else found)


def find_answer_status(cell: Cell | Clause) -> str:
    """Status of an answer that readers see: doubtful, ours, follows, or none where it is simply stated."""
    if cell.supplied:
        return "ours"
    return "doubtful" if cell.status in DOUBTFUL_STATUSES else "follows" if cell.status == "implied" else ""


def describe_answer_plainly(corpus: Corpus, question: Question, siglum: str) -> str:
    """Answer of a source in plain words; empty where it has none."""
    cell = corpus.cell(siglum, question.slug)
    if cell is None or cell.value is None:
        return ""
    return format_printed_answer(question, cell.value, corpus.library.sources[siglum], corpus.library)


def format_printed_answer(question: Question, value: Value, source: Source, library: Library) -> str:
    """Answer in plain words as a page prints them, with typographic apostrophes."""
    return curl_quotes(format_plain_answer(question, value, source, library))[0]
