"""View records that several pages share, and the functions that fill them.

A view is a frozen record in which everything has been sorted, counted and put into words; two equal views
make equal pages, so a view's text is also the fingerprint by which a page knows that it is out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from edition.corpus.corpus import Corpus
from edition.corpus.references import Run
from edition.text import answers as words
from edition.text.answers import Answer
from engine.interpretation.effects import Effect
from rulebook.answers.conditions import worth
from rulebook.answers.values import canonical
from rulebook.model import Alternative, Cell, Cite, Clause, Like, Note, Question, Source
from rulebook.proposals import played
from rulebook.strings import single_spaced

LETTERS = "abcdefghij"

Prose = tuple[Run, ...]
Words = tuple[str, str, str]  # some words of a translation, their language if they were left in it, their term


# --- small records ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class QuestionLink:
    """A question by its id, its slug and what it asks."""

    id: str
    slug: str
    asks: str


@dataclass(frozen=True, slots=True)
class SourceLink:
    """A source by its siglum and title."""

    siglum: str
    title: str
    lang: str


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a source, where they stand, and what the sentence means."""

    locus: str
    to: str
    page: str
    exact: str
    lang: str
    view: str
    role: str
    translation: tuple[Words, ...]  #: empty for a source in English
    paraphrase: str  #: our own words, for a source that may not be printed


@dataclass(frozen=True, slots=True)
class Answered:
    """One question with the answer that a clause gives it."""

    question: QuestionLink
    answer: Answer
    unit: str


@dataclass(frozen=True, slots=True)
class Another:
    """A rival interpretation, or an option that the source offers."""

    id: str
    kind: str
    label: str
    answers: tuple[Answered, ...]
    cert: str
    exact: str  #: the source's words that offer it, where the clause does not quote them
    lang: str
    computation: str
    because: Prose
    effect: Effect | None = None  #: what it changes in the worked deals, where that is shown


@dataclass(frozen=True, slots=True)
class ClauseView:
    """What one passage says, or that nothing is said."""

    id: str
    source: SourceLink
    quotations: tuple[Quotation, ...]
    answers: tuple[Answered, ...]
    about: tuple[QuestionLink, ...]
    status: str
    cert: str
    label: str
    because: Prose
    note: Prose
    searched: Prose
    taken_from: str
    computation: str
    others: tuple[Another, ...]
    emendations: tuple[str, ...]  #: those to which its quotations owe something
    read_by: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One source on one question, in a letter or two; the same letter is the same answer."""

    siglum: str
    letter: str  #: what is shown: a, (b), c?, –
    kind: str  #: a, b, c ..., none: for the colour beside the letter
    words: str  #: what is said to those who listen


# --- parts of many views ----------------------------------------------------------------------------


def question_link(question: Question) -> QuestionLink:
    """A question as others point to it."""
    return QuestionLink(question.id, question.slug, question.asks)


def source_link(source: Source) -> SourceLink:
    """A source as others point to it."""
    return SourceLink(source.siglum, source.title, source.language)


def clause_view(corpus: Corpus, clause: Clause) -> ClauseView:
    """A clause with its words, its answers, and the doubts about them."""
    source = corpus.library.sources[clause.source]
    answered = tuple(answers(corpus, clause.answers, source))
    return ClauseView(
        clause.id,
        source_link(source),
        tuple(quotation(corpus, source, cite) for cite in clause.cites),
        answered,
        tuple(question_link(corpus.library.questions[slug]) for slug in clause.about),
        clause.status,
        clause.cert,
        clause.label,
        corpus.prose(clause.because, source.siglum),
        corpus.prose(clause.note, source.siglum),
        corpus.prose(clause.searched, source.siglum),
        words.taken_from(clause.taken_from) if clause.taken_from else "",
        clause.computation,
        tuple(another(corpus, one, source) for one in clause.alternatives),
        clause.emendations,
        f"reviewed by {clause.reviewer}" if clause.reviewer else f"coded by {clause.coder}, not yet reviewed",
    )


def answers(corpus: Corpus, given: Mapping[str, Any], source: Source) -> Iterator[Answered]:
    """The questions answered, each with its answer in words."""
    for slug, value in given.items():
        question = corpus.library.questions[slug]
        said = words.answer(question, value, corpus.library)
        yield Answered(question_link(question), said, words.counted(question, value, source))


def another(corpus: Corpus, one: Alternative, source: Source) -> Another:
    """Another way to take a clause."""
    said = tuple(answers(corpus, one.answers, source))
    because = corpus.prose(one.because, source.siglum)
    return Another(one.id, one.kind, one.label, said, one.cert, one.exact, source.language, one.computation, because)


def quotation(corpus: Corpus, source: Source, cite: Cite) -> Quotation:
    """A citation with its page, and with the whole sentence in English."""
    sentence = corpus.sentence(cite.locus)
    return Quotation(
        cite.locus,
        cite.to,
        (sentence.page or "") if sentence else "",
        cite.exact,
        sentence.lang if sentence else source.language,
        cite.view,
        cite.role,
        tuple(run for locus in corpus.loci(cite) for run in translated(corpus, source, locus)),
        " ".join(paraphrase(source, locus) for locus in corpus.loci(cite)),
    )


def translated(corpus: Corpus, source: Source, locus: str) -> Iterator[Words]:
    """A sentence in English; words left in their own language say so, and lead to the glossary."""
    if source.translation and locus in source.translation.sentences:
        for part in source.translation.sentences[locus].parts:
            lang = part.lang if part.kind == "foreign" else ""
            yield part.text, lang, corpus.term_of(locus, part.text, lang) if lang else ""
        yield " ", "", ""


def paraphrase(source: Source, locus: str) -> str:
    """A statement in our own words."""
    return next((single_spaced(one.text) for one in source.statements if one.id == locus), "")


def marks(corpus: Corpus, question: Question) -> tuple[Mark, ...]:
    """All sources on one question; sources with the same letter give the same answer."""
    cells = [(siglum, corpus.cell(siglum, question.slug)) for siglum in corpus.library.sources]
    letters = lettered(cell for _, cell in cells)
    return tuple(mark(corpus, question, siglum, cell, letters) for siglum, cell in cells)


def lettered(cells: Iterable[Cell | None]) -> dict[str, str]:
    """A letter for each different answer, in the order of the sources."""
    values = dict.fromkeys(canonical(cell.value) for cell in cells if cell and cell.value is not None)
    return dict(zip(values, LETTERS, strict=False))


def mark(corpus: Corpus, question: Question, siglum: str, cell: Cell | None, letters: Mapping[str, str]) -> Mark:
    """One source on one question."""
    if cell is None:
        return Mark(siglum, "…", "none", f"{siglum}: no answer and no reason")
    if cell.value is None:
        return Mark(siglum, NO_ANSWER.get(cell.status, "·"), "none", f"{siglum}: {words.STATUS[cell.status]}")
    letter = letters[canonical(cell.value)]
    said = words.answer(question, cell.value, corpus.library)
    shown = f"({letter})" if cell.supplied else f"{letter}?" if cell.status in DOUBTFUL else letter
    how = "supplied by us" if cell.supplied else words.STATUS[cell.status]
    how += ", not played" if unplayed(corpus, question, cell.value) else ""
    return Mark(siglum, shown, letter, f"{siglum}: {said.full or said.short} ({how})")


def unplayed(corpus: Corpus, question: Question, value: Any) -> str:
    """What the engine plays in the place of an answer, and why; empty where it plays the answer itself."""
    if value is None:
        return ""
    plays, why = played(question, value)
    said = words.answer(question, plays, corpus.library)
    return f"The engine does not play this, but “{said.full or said.short}”. {single_spaced(why)}" if why else ""


#: Where a source is still to be read, nobody can say that it is silent.
NO_ANSWER: Mapping[str, str] = {"inapplicable": "–", "silent": "·", "not-collated": "…"}
DOUBTFUL = frozenset({"ambiguous", "contradictory"})


AGREEMENT: Mapping[str, str] = {
    "agree": "All that speak agree",
    "differ": "They differ",
    "alone": "One source alone speaks",
    "nobody": "No source speaks",
}


def agreement(corpus: Corpus, question: Question, sigla: Iterable[str] = ()) -> str:
    """Whether those sources that speak for themselves say the same; readings supplied by us do not count."""
    cells = [corpus.cell(siglum, question.slug) for siglum in sigla or corpus.library.sources]
    said = [what_it_comes_to(corpus, cell) for cell in cells if cell and cell.value is not None and not cell.supplied]
    return {0: "nobody", 1: "alone"}.get(len(said), "agree" if len(set(said)) == 1 else "differ")


def what_it_comes_to(corpus: Corpus, cell: Cell) -> str:
    """An answer; where it points to another ("as if forced"), what that comes to in the same source."""
    if not isinstance(cell.value, Like):
        return canonical(cell.value)
    found = worth(cell.value, corpus.answers_of[cell.source])
    return canonical(cell.value if found is None else found)


def by_group(corpus: Corpus) -> dict[str, tuple[Question, ...]]:
    """The questions under the headings of the table of contents."""
    groups: dict[str, list[Question]] = {}
    for question in corpus.library.questions.values():
        groups.setdefault(question.group, []).append(question)
    return {group: tuple(questions) for group, questions in groups.items()}


def said_by(corpus: Corpus, question: Question, source: Source) -> tuple[Answer | None, str]:
    """A source's answer in words and, if it is a sum, in counters."""
    cell = corpus.cell(source.siglum, question.slug)
    if cell is None or cell.value is None:
        return None, ""
    return words.answer(question, cell.value, corpus.library), words.counted(question, cell.value, source)


# --- notes ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoteView:
    """A remark of the editors: its first sentence, and the rest."""

    id: str
    kind: str
    on: str
    first: Prose
    rest: Prose
    by: str


def as_list(value: object) -> list[Any]:
    """A list, also when there is none."""
    return list(value) if isinstance(value, (list, tuple)) else []


def as_table(value: object) -> Mapping[str, Any]:
    """A table, also when there is none."""
    return value if isinstance(value, Mapping) else {}


def notes_at(corpus: Corpus, source: Source, names: Iterable[str]) -> Iterator[NoteView]:
    """The notes on a sentence and on the emendations in it."""
    for name in names:
        for note in corpus.notes_on.get(name, ()):
            yield note_view(corpus, source, note)


def note_view(corpus: Corpus, source: Source, note: Note) -> NoteView:
    """A note cut after its first sentence, so that the rest can be folded away."""
    text = single_spaced(note.text)
    first, rest = first_sentence(text)
    return NoteView(
        note.id, note.kind, note.on, corpus.prose(first, source.siglum), corpus.prose(rest, source.siglum), note.by
    )


def first_sentence(text: str) -> tuple[str, str]:
    """The first sentence of some length, and the rest; a short rest is not worth folding away."""
    ends = (at for before, at in pairwise(range(len(text))) if text[before] in ".?!" and text[at] == " ")
    end = next((at for at in ends if at >= 25 and text[at + 1 : at + 2].isupper()), len(text))
    return (text, "") if len(text) - end < 60 else (text[:end], text[end + 1 :])


BySource = tuple[tuple[SourceLink, tuple[ClauseView, ...]], ...]


def chosen_clauses(corpus: Corpus, wanted: Callable[[Clause], bool]) -> BySource:
    """The clauses of each source that answer to a description."""
    return tuple(
        (source_link(source), tuple(clause_view(corpus, clause) for clause in source.clauses if wanted(clause)))
        for source in corpus.library.sources.values()
    )
