"""The coding manual: what to look for at every question, how to write the answer, and how the sources were coded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import Prose, QuestionLink, group_questions, question_link
from edition.views.plain_answers import source_marks
from edition.views.questions.question import ConditionWord, list_condition_words
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import describe_measure
from rulebook.model import Cell, Cite, Like, Question, Value
from rulebook.strings import slugify_text


@dataclass(frozen=True, slots=True)
class Example:
    """Coding of one source: the answer of its clause, and the words it rests on."""

    source: SourceMark
    clause: str
    written: str  #: as it stands behind the id of the question; empty where there is only a reason
    status: str
    exact: str
    paraphrase: str  #: in our words, where nothing is quoted


@dataclass(frozen=True, slots=True)
class ManualEntry:
    """A question as a coder sees it."""

    question: QuestionLink
    readings: tuple[tuple[str, str], ...]  #: what may be written, and what it means
    measure: str
    bounds: str
    coding: Prose
    condition: tuple[ConditionWord, ...]
    not_played: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class ManualChapter:
    """The questions under one heading."""

    group: str
    entries: tuple[ManualEntry, ...]


def manual_view(corpus: Corpus, topic: str = "") -> ManualChapter:
    """Every question of a topic, named by the slug of its heading. StopIteration if there is no such topic."""
    group, questions = next(entry for entry in group_questions(corpus).items() if slugify_text(entry[0]) == topic)
    return ManualChapter(group, tuple(_build_manual_entry(corpus, question) for question in questions))


@dataclass(frozen=True, slots=True)
class ManualList:
    """Every topic with the number of its questions, in the order of the table of contents, and the sources coded."""

    topics: tuple[tuple[str, int], ...]
    sources: int


def manual_list_view(corpus: Corpus, _: str = "") -> ManualList:
    """List the topics of the manual."""
    topics = tuple((group, len(questions)) for group, questions in group_questions(corpus).items())
    return ManualList(topics, len(source_marks(corpus)))


def _build_manual_entry(corpus: Corpus, question: Question) -> ManualEntry:
    limits = (("min", "at least"), ("max", "at most"))
    return ManualEntry(
        question_link(question),
        tuple(list_answer_choices(question)),
        "" if question.closed else describe_measure(question),
        ", ".join(f"{label} {question.measure[key]}" for key, label in limits if key in question.measure),
        corpus.prose(question.coding),
        tuple(list_condition_words(corpus, question)),
        question.not_played,
        tuple(find_coding_examples(corpus, question)),
    )


def list_answer_choices(question: Question) -> Iterator[tuple[str, str]]:
    """Permitted values: the readings, or the words of which an answer is made."""
    listed = question.readings or question.measure.get("of")
    if isinstance(listed, Mapping):
        yield from ((str(name), str(gloss)) for name, gloss in listed.items())


def find_coding_examples(corpus: Corpus, question: Question) -> Iterator[Example]:
    """Coding of a question in each source; sources not read for it are left out."""
    for siglum, mark in source_marks(corpus).items():
        cell = corpus.cell(siglum, question.slug)
        if cell and cell.status != "not-collated":
            cite = next((cite for clause in cell.clauses for cite in clause.cites if cite.exact), None)
            yield Example(
                mark,
                cell.clauses[0].id,
                "" if cell.value is None else _format_coded_value(corpus, cell.value),
                cell.status,
                _shorten_quotation(cite) if cite else "",
                "" if cite else find_cell_paraphrase(corpus, cell),
            )


_MAX_QUOTATION_LENGTH = 160  #: letters of a quotation; the clause has it whole


def _shorten_quotation(cite: Cite) -> str:
    exact = " ".join(cite.exact.split())
    return exact if len(exact) <= _MAX_QUOTATION_LENGTH else f"{exact[:_MAX_QUOTATION_LENGTH].rpartition(' ')[0]} …"


def find_cell_paraphrase(corpus: Corpus, cell: Cell) -> str:
    """Our own statement on which a clause rests, where the source is not reprinted."""
    statements = {statement.id: statement.text for statement in corpus.library.sources[cell.source].statements}
    return next((statements[c.locus] for clause in cell.clauses for c in clause.cites if c.locus in statements), "")


def _format_coded_value(corpus: Corpus, value: Value) -> str:
    if isinstance(value, Like):
        other = {"as": corpus.library.questions[value.question].id}
        return format_canonical(other if value.times == 1 else {**other, "times": value.times})
    return format_canonical(value)


render_manual = template_renderer("edition", "manual")
render_manual_list = template_renderer("edition", "manual-list")
