"""What a page says, before anybody thinks of how it looks.

A view is a frozen record in which everything has been sorted, counted and put into words; two equal views
make equal pages, so a view's text is also the fingerprint by which a page knows that it is out of date.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from edition.analysis.costs import CostLine, cost_line, find_costs
from edition.analysis.effects import compute_effects
from edition.citation.places import source_pairs
from edition.corpus.corpus import Shelf, emendations
from edition.corpus.references import Run
from edition.data.drafts import UNREAD, collated, finished
from edition.text import answers as words
from edition.text.answers import Answer
from engine.interpretation.effects import Effect
from rulebook.answers import canonical, worth
from rulebook.model import Alternative, Cell, Cite, Clause, Like, Note, Question, Source
from rulebook.proposals import played
from rulebook.sources.glossary import Term
from rulebook.tei.reader import Emendation
from rulebook.text import single_spaced

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


def clause_view(shelf: Shelf, clause: Clause) -> ClauseView:
    """A clause with its words, its answers, and the doubts about them."""
    source = shelf.library.sources[clause.source]
    answered = tuple(answers(shelf, clause.answers, source))
    return ClauseView(
        clause.id,
        source_link(source),
        tuple(quotation(shelf, source, cite) for cite in clause.cites),
        answered,
        tuple(question_link(shelf.library.questions[slug]) for slug in clause.about),
        clause.status,
        clause.cert,
        clause.label,
        shelf.prose(clause.because, source.siglum),
        shelf.prose(clause.note, source.siglum),
        shelf.prose(clause.searched, source.siglum),
        words.taken_from(clause.taken_from) if clause.taken_from else "",
        clause.computation,
        tuple(another(shelf, one, source) for one in clause.alternatives),
        clause.emendations,
        f"reviewed by {clause.reviewer}" if clause.reviewer else f"coded by {clause.coder}, not yet reviewed",
    )


def answers(shelf: Shelf, given: Mapping[str, Any], source: Source) -> Iterator[Answered]:
    """The questions answered, each with its answer in words."""
    for slug, value in given.items():
        question = shelf.library.questions[slug]
        said = words.answer(question, value, shelf.library)
        yield Answered(question_link(question), said, words.counted(question, value, source))


def another(shelf: Shelf, one: Alternative, source: Source) -> Another:
    """Another way to take a clause."""
    said = tuple(answers(shelf, one.answers, source))
    because = shelf.prose(one.because, source.siglum)
    return Another(one.id, one.kind, one.label, said, one.cert, one.exact, source.language, one.computation, because)


def quotation(shelf: Shelf, source: Source, cite: Cite) -> Quotation:
    """A citation with its page, and with the whole sentence in English."""
    sentence = shelf.sentence(cite.locus)
    return Quotation(
        cite.locus,
        cite.to,
        (sentence.page or "") if sentence else "",
        cite.exact,
        sentence.lang if sentence else source.language,
        cite.view,
        cite.role,
        tuple(run for locus in shelf.loci(cite) for run in translated(shelf, source, locus)),
        " ".join(paraphrase(source, locus) for locus in shelf.loci(cite)),
    )


def translated(shelf: Shelf, source: Source, locus: str) -> Iterator[Words]:
    """A sentence in English; words left in their own language say so, and lead to the glossary."""
    if source.translation and locus in source.translation.sentences:
        for part in source.translation.sentences[locus].parts:
            lang = part.lang if part.kind == "foreign" else ""
            yield part.text, lang, shelf.term_of(locus, part.text, lang) if lang else ""
        yield " ", "", ""


def paraphrase(source: Source, locus: str) -> str:
    """A statement in our own words."""
    return next((single_spaced(one.text) for one in source.statements if one.id == locus), "")


def marks(shelf: Shelf, question: Question) -> tuple[Mark, ...]:
    """All sources on one question; sources with the same letter give the same answer."""
    cells = [(siglum, shelf.cell(siglum, question.slug)) for siglum in shelf.library.sources]
    letters = lettered(cell for _, cell in cells)
    return tuple(mark(shelf, question, siglum, cell, letters) for siglum, cell in cells)


def lettered(cells: Iterable[Cell | None]) -> dict[str, str]:
    """A letter for each different answer, in the order of the sources."""
    values = dict.fromkeys(canonical(cell.value) for cell in cells if cell and cell.value is not None)
    return dict(zip(values, LETTERS, strict=False))


def mark(shelf: Shelf, question: Question, siglum: str, cell: Cell | None, letters: Mapping[str, str]) -> Mark:
    """One source on one question."""
    if cell is None:
        return Mark(siglum, "…", "none", f"{siglum}: no answer and no reason")
    if cell.value is None:
        return Mark(siglum, NO_ANSWER.get(cell.status, "·"), "none", f"{siglum}: {words.STATUS[cell.status]}")
    letter = letters[canonical(cell.value)]
    said = words.answer(question, cell.value, shelf.library)
    shown = f"({letter})" if cell.supplied else f"{letter}?" if cell.status in DOUBTFUL else letter
    how = "supplied by us" if cell.supplied else words.STATUS[cell.status]
    how += ", not played" if unplayed(shelf, question, cell.value) else ""
    return Mark(siglum, shown, letter, f"{siglum}: {said.full or said.short} ({how})")


def unplayed(shelf: Shelf, question: Question, value: Any) -> str:
    """What the engine plays in the place of an answer, and why; empty where it plays the answer itself."""
    if value is None:
        return ""
    plays, why = played(question, value)
    said = words.answer(question, plays, shelf.library)
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


def agreement(shelf: Shelf, question: Question, sigla: Iterable[str] = ()) -> str:
    """Whether those sources that speak for themselves say the same; readings supplied by us do not count."""
    cells = [shelf.cell(siglum, question.slug) for siglum in sigla or shelf.library.sources]
    said = [what_it_comes_to(shelf, cell) for cell in cells if cell and cell.value is not None and not cell.supplied]
    return {0: "nobody", 1: "alone"}.get(len(said), "agree" if len(set(said)) == 1 else "differ")


def what_it_comes_to(shelf: Shelf, cell: Cell) -> str:
    """An answer; where it points to another ("as if forced"), what that comes to in the same source."""
    if not isinstance(cell.value, Like):
        return canonical(cell.value)
    found = worth(cell.value, shelf.answers_of[cell.source])
    return canonical(cell.value if found is None else found)


def by_group(shelf: Shelf) -> dict[str, tuple[Question, ...]]:
    """The questions under the headings of the table of contents."""
    groups: dict[str, list[Question]] = {}
    for question in shelf.library.questions.values():
        groups.setdefault(question.group, []).append(question)
    return {group: tuple(questions) for group, questions in groups.items()}


# --- a question -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One answer that a question can have, and who gives it."""

    answer: Answer
    letter: str
    holders: tuple[str, ...]
    supplied_for: tuple[str, ...]
    rivals: tuple[tuple[str, str], ...]  #: (siglum, id) of interpretations and options that read so
    count: str
    unplayed: str = ""  #: what the engine plays in its place, and why
    by: str = ""  #: the source that proposes the reading


@dataclass(frozen=True, slots=True)
class CellView:
    """What one source says on the question."""

    source: SourceLink
    target: str
    mark: Mark
    answer: Answer | None
    unit: str
    status: str
    cert: str
    supplied: bool
    clauses: tuple[ClauseView, ...]
    unplayed: str = ""  #: what the engine plays in its place, and why


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question, its readings, and every source's answer."""

    link: QuestionLink
    group: str
    affects: str
    measure: str
    coding: Prose
    related: tuple[QuestionLink, ...]
    not_played: str
    agreement: str
    cost: CostLine | None
    readings: tuple[ReadingRow, ...]
    cells: tuple[CellView, ...]
    before: QuestionLink | None
    after: QuestionLink | None
    by: str = ""  #: the source that proposes the question


def question_view(shelf: Shelf, name: str) -> QuestionView:
    """Everything about one question."""
    question = shelf.library.question(name)
    before, after = neighbours(list(shelf.library.questions.values()), question)
    return QuestionView(
        question_link(question),
        question.group,
        words.AFFECTS.get(question.affects, question.affects),
        "" if question.closed else words.measure(question),
        shelf.prose(question.coding),
        tuple(question_link(shelf.library.question(one)) for one in question.related),
        question.not_played,
        AGREEMENT[agreement(shelf, question)],
        cost_line(shelf.surveys, find_costs(shelf), question),
        tuple(readings(shelf, question)),
        tuple(cell_view(shelf, question, one) for one in marks(shelf, question)),
        question_link(before) if before else None,
        question_link(after) if after else None,
        question.by,
    )


def neighbours(row: list[Any], one: Any) -> tuple[Any, Any]:
    """What stands before and after."""
    at = row.index(one)
    return (row[at - 1] if at else None), (row[at + 1] if at + 1 < len(row) else None)


def readings(shelf: Shelf, question: Question) -> Iterator[ReadingRow]:
    """Every reading of a closed question, or every answer that was given or considered, with those who hold it."""
    library = shelf.library
    cells = {siglum: shelf.cell(siglum, question.slug) for siglum in library.sources}
    letters = lettered(cells.values())
    for value in possible_answers(shelf, question, cells.values()):
        name = canonical(value)
        same = [cell for cell in cells.values() if cell and cell.value is not None and canonical(cell.value) == name]
        holders = tuple(cell.source for cell in same if not cell.supplied)
        yield ReadingRow(
            words.answer(question, value, library),
            letters.get(name, ""),
            holders,
            tuple(cell.source for cell in same if cell.supplied),
            tuple(considered(shelf, question, name)),
            how_many(shelf, holders),
            unplayed(shelf, question, value),
            question.proposed[name].source if name in question.proposed else "",
        )


def possible_answers(shelf: Shelf, question: Question, cells: Iterable[Cell | None]) -> list[Any]:
    """The closed list, or all answers that the sources give or might give."""
    if question.closed:
        return list(question.readings)
    given = [cell.value for cell in cells if cell and cell.value is not None]
    rivals = [one.answers[question.slug] for _, one in shelf.alternatives_on.get(question.slug, ())]
    return list({canonical(value): value for value in (*given, *rivals)}.values())


def considered(shelf: Shelf, question: Question, name: str) -> Iterator[tuple[str, str]]:
    """The interpretations and options under which a source would give this answer."""
    for clause, one in shelf.alternatives_on.get(question.slug, ()):
        if canonical(one.answers[question.slug]) == name:
            yield clause.source, one.id


def how_many(shelf: Shelf, holders: Iterable[str]) -> str:
    """How many sources, and how many families they make: two of a family are not two witnesses."""
    sigla = tuple(holders)
    families = {words.family(shelf.library.sources[siglum]) for siglum in sigla}
    if not sigla:
        return "none"
    return f"{words.plural(len(sigla), 'source')}, {words.plural(len(families), 'family', 'families')}"


def cell_view(shelf: Shelf, question: Question, mine: Mark) -> CellView:
    """One source's answer, with the clauses it rests on."""
    siglum, source = mine.siglum, shelf.library.sources[mine.siglum]
    cell = shelf.cell(siglum, question.slug)
    if cell is None:
        return CellView(source_link(source), f"{question.id}@{siglum}", mine, None, "", "not-collated", "", False, ())
    return CellView(
        source_link(source),
        f"{question.id}@{siglum}",
        mine,
        *said_by(shelf, question, source),
        cell.status,
        cell.cert,
        cell.supplied,
        tuple(clause_view(shelf, clause) for clause in cell.clauses),
        unplayed(shelf, question, cell.value),
    )


# --- two sources side by side -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairRow:
    """A question with two answers."""

    question: QuestionLink
    first: tuple[Mark, Answer | None, str]
    second: tuple[Mark, Answer | None, str]
    agreement: str
    kind: str


@dataclass(frozen=True, slots=True)
class PairView:
    """Two sources over all questions."""

    first: SourceLink
    second: SourceLink
    groups: tuple[tuple[str, tuple[PairRow, ...]], ...]
    counts: tuple[tuple[str, int], ...]
    kin: str


PAIR: Mapping[str, str] = {
    "agree": "They agree",
    "differ": "They differ",
    "alone": "One alone speaks",
    "nobody": "Neither speaks",
    "unread": "One is not read for it yet",
}


def pair_view(shelf: Shelf, name: str) -> PairView:
    """Two sources, named like PAM-ACA, side by side."""
    first, second = (shelf.library.sources[siglum] for siglum in name.split("-"))
    groups = tuple(
        (group, tuple(pair_row(shelf, question, first, second) for question in questions))
        for group, questions in by_group(shelf).items()
    )
    counted = Counter(row.kind for _, rows in groups for row in rows)
    one, other = words.family(first), words.family(second)
    kin = f"Both belong to one family ({one})." if one == other else f"They belong to two families: {one}, and {other}."
    counts = tuple((PAIR[kind], counted[kind]) for kind in PAIR)
    return PairView(source_link(first), source_link(second), groups, counts, kin)


def pair_row(shelf: Shelf, question: Question, first: Source, second: Source) -> PairRow:
    """Two sources on one question."""
    cells = [shelf.cell(source.siglum, question.slug) for source in (first, second)]
    unread = any(cell is not None and cell.status == UNREAD for cell in cells)
    kind = "unread" if unread else agreement(shelf, question, (first.siglum, second.siglum))
    marked = {one.siglum: one for one in marks(shelf, question)}
    one, other = (said_by(shelf, question, source) for source in (first, second))
    return PairRow(
        question_link(question),
        (marked[first.siglum], *one),
        (marked[second.siglum], *other),
        PAIR[kind],
        kind,
    )


def said_by(shelf: Shelf, question: Question, source: Source) -> tuple[Answer | None, str]:
    """A source's answer in words and, if it is a sum, in counters."""
    cell = shelf.cell(source.siglum, question.slug)
    if cell is None or cell.value is None:
        return None, ""
    return words.answer(question, cell.value, shelf.library), words.counted(question, cell.value, source)


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


def notes_at(shelf: Shelf, source: Source, names: Iterable[str]) -> Iterator[NoteView]:
    """The notes on a sentence and on the emendations in it."""
    for name in names:
        for note in shelf.notes_on.get(name, ()):
            yield note_view(shelf, source, note)


def note_view(shelf: Shelf, source: Source, note: Note) -> NoteView:
    """A note cut after its first sentence, so that the rest can be folded away."""
    text = single_spaced(note.text)
    first, rest = first_sentence(text)
    return NoteView(
        note.id, note.kind, note.on, shelf.prose(first, source.siglum), shelf.prose(rest, source.siglum), note.by
    )


def first_sentence(text: str) -> tuple[str, str]:
    """The first sentence of some length, and the rest; a short rest is not worth folding away."""
    ends = (at for before, at in pairwise(range(len(text))) if text[before] in ".?!" and text[at] == " ")
    end = next((at for at in ends if at >= 25 and text[at + 1 : at + 2].isupper()), len(text))
    return (text, "") if len(text) - end < 60 else (text[:end], text[end + 1 :])


# --- the clauses of a source ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClausesView:
    """Every clause of a source, in the order of its text."""

    source: SourceLink
    clauses: tuple[ClauseView, ...]
    counts: tuple[tuple[str, int], ...]


def clauses_view(shelf: Shelf, siglum: str) -> ClausesView:
    """Every clause of one source."""
    source = shelf.library.sources[siglum]
    counted = Counter(clause.status for clause in source.clauses)
    counts = tuple((status, counted[status]) for status in words.STATUS if counted[status])
    return ClausesView(source_link(source), tuple(clause_view(shelf, one) for one in source.clauses), counts)


# --- lists over all sources -----------------------------------------------------------------------------

BySource = tuple[tuple[SourceLink, tuple[ClauseView, ...]], ...]


def chosen_clauses(shelf: Shelf, wanted: Callable[[Clause], bool]) -> BySource:
    """The clauses of each source that answer to a description."""
    return tuple(
        (source_link(source), tuple(clause_view(shelf, clause) for clause in source.clauses if wanted(clause)))
        for source in shelf.library.sources.values()
    )


def silences_view(shelf: Shelf, _: str = "") -> BySource:
    """Where a source says nothing: what we supply, or why we do not; a draft that waits to be read is not silent."""
    done = finished(shelf.library)
    return chosen_clauses(
        shelf, lambda clause: clause.status == "silent" or (clause.status == UNREAD and clause.source in done)
    )


def inapplicable_view(shelf: Shelf, _: str = "") -> BySource:
    """Questions that make no sense for a source."""
    return chosen_clauses(shelf, lambda clause: clause.status == "inapplicable")


def interpretations_view(shelf: Shelf, _: str = "") -> BySource:
    """Every passage that can be taken in more than one way."""
    found = chosen_clauses(shelf, lambda clause: bool(clause.alternatives) or clause.status in DOUBTFUL)
    return tuple((source, tuple(with_effects(shelf, clause) for clause in clauses)) for source, clauses in found)


def with_effects(shelf: Shelf, clause: ClauseView) -> ClauseView:
    """A clause whose rivals tell which worked deals they change."""
    return replace(
        clause, others=tuple(replace(one, effect=compute_effects(shelf).get(one.id)) for one in clause.others)
    )


@dataclass(frozen=True, slots=True)
class EmendationView:
    """A misprint, what we read instead, and why."""

    id: str
    sentence: str
    page: str
    lang: str
    sic: str
    corr: str
    cert: str
    evidence: str
    by: str
    notes: tuple[NoteView, ...]
    clauses: tuple[str, ...]  #: those that rest on it


def emendations_view(shelf: Shelf, _: str = "") -> tuple[tuple[SourceLink, tuple[EmendationView, ...]], ...]:
    """Every emendation of every source."""
    return tuple(
        (source_link(source), tuple(emendation_view(shelf, source, one) for one in emendations(source)))
        for source in shelf.library.sources.values()
        if source.text
    )


def emendation_view(shelf: Shelf, source: Source, one: Emendation) -> EmendationView:
    """One emendation with its note."""
    sentence = shelf.sentence(one.sentence)
    return EmendationView(
        one.id,
        one.sentence,
        (sentence.page or "") if sentence else "",
        source.language,
        one.sic,
        one.corr,
        one.cert,
        one.evidence,
        one.resp.removeprefix("#"),
        tuple(notes_at(shelf, source, (one.id,))),
        tuple(clause.id for clause in source.clauses if one.id in clause.emendations),
    )


# --- the small pages -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TermView:
    """A word of the game, what it means, and where it stands."""

    term: Term
    gloss: Prose
    see: tuple[tuple[str, str], ...]
    attested: tuple[tuple[str, tuple[str, ...]], ...]  #: source by source


def glossary_view(shelf: Shelf, _: str = "") -> tuple[TermView, ...]:
    """The glossary in the order of the alphabet."""
    ordered = sorted(shelf.terms, key=lambda term: folded(term.term))
    return tuple(term_view(shelf, term) for term in ordered)


def folded(term: str) -> str:
    """A word without accents, for the order of the alphabet."""
    return "".join(one for one in unicodedata.normalize("NFD", term.lower()) if one.isalnum() or one == " ")


def term_view(shelf: Shelf, term: Term) -> TermView:
    """One entry of the glossary."""
    by_name = {name: other for other in shelf.terms for name in (other.id, other.term)}
    see = tuple((by_name[name].id, by_name[name].term) for name in term.see if name in by_name)
    places = groupby(term.attestations, key=lambda locus: locus.partition(".")[0])
    return TermView(term, shelf.prose(term.gloss), see, tuple((siglum, tuple(loci)) for siglum, loci in places))


@dataclass(frozen=True, slots=True)
class Shares:
    """Who may do what with one source, and who worked on it."""

    source: SourceLink
    lines: tuple[tuple[str, str], ...]


def rights_view(shelf: Shelf, _: str = "") -> tuple[Shares, ...]:
    """The rights in each layer of each source."""
    return tuple(
        Shares(source_link(source), tuple((layer, str(terms or "none here")) for layer, terms in rights.items()))
        for source in shelf.library.sources.values()
        for rights in [as_table(source.record.get("rights"))]
    )


def people_view(shelf: Shelf, _: str = "") -> tuple[Shares, ...]:
    """Who did what in each source."""
    return tuple(Shares(source_link(source), tuple(hands(source))) for source in shelf.library.sources.values())


def hands(source: Source) -> Iterator[tuple[str, str]]:
    """The hands named in a source's record, and who has read its clauses."""
    for coder in as_list(source.record.get("coders")):
        yield str(coder.get("id", "")), str(coder.get("role", ""))
    for coder, number in Counter(clause.coder for clause in source.clauses).items():
        yield coder, f"coding of {words.plural(number, 'clause')}"
    reviewed = sum(bool(clause.reviewer) for clause in source.clauses)
    yield "review", f"{reviewed} of {words.plural(len(source.clauses), 'clause')} read by a second hand"


@dataclass(frozen=True, slots=True)
class Numbers:
    """What there is, counted."""

    lines: tuple[tuple[str, str], ...]


def numbers_view(shelf: Shelf, _: str = "") -> Numbers:
    """What there is in this edition, counted and never written in by hand."""
    library = shelf.library
    sources = [library.sources[siglum] for siglum in finished(library)]
    families = {words.family(source) for source in sources}
    begun = [f"{siglum} ({said})" for siglum in library.sources if (said := collated(library, siglum))]
    translated_sentences = sum(len(one.text.sentences) for one in sources if one.text and one.translation)
    rivals = sum(len(clause.alternatives) for clause in library.clauses())
    return Numbers(
        (
            (str(len(sources)), f"sources, in {words.plural(len(families), 'family', 'families')}"),
            (str(translated_sentences), "sentences with translation"),
            (str(len(library.questions)), "questions"),
            (str(sum(clause.status != UNREAD for clause in library.clauses())), "clauses"),
            (str(rivals), "rival interpretations and options"),
            (str(sum(len(emendations(source)) for source in library.sources.values())), "emendations"),
            *([(str(len(begun)), f"begun and not counted: {', '.join(begun)}")] if begun else []),
        )
    )


def sources_view(shelf: Shelf, _: str = "") -> tuple[tuple[SourceLink, str, str, str], ...]:
    """The sources in a row: title, date, and what of them is here."""
    return tuple(
        (
            source_link(source),
            str(source.record.get("title", "")),
            str(source.record.get("date", "")),
            "; ".join(filter(None, (here_as(source), collated(shelf.library, source.siglum)))),
        )
        for source in shelf.library.sources.values()
    )


def here_as(source: Source) -> str:
    """What of a source can be read here."""
    if source.text:
        return "text and translation" if source.translation else "text, not translated yet"
    return "statements in our own words" if source.statements else "nothing yet"


def questions_view(shelf: Shelf, _: str = "") -> tuple[tuple[str, tuple[tuple[QuestionLink, str, bool], ...]], ...]:
    """All questions under their headings, with how the sources stand to each, and whether it is played."""
    return tuple(
        (group, tuple((question_link(one), AGREEMENT[agreement(shelf, one)], not one.not_played) for one in questions))
        for group, questions in by_group(shelf).items()
    )


def pairs_view(shelf: Shelf, _: str = "") -> tuple[PairView, ...]:
    """Every two sources with their counts."""
    return tuple(pair_view(shelf, "-".join(pair)) for pair in source_pairs(shelf))


# --- the table of views ------------------------------------------------------------------------------------

VIEWS: Mapping[str, Callable[[Shelf, str], Any]] = {
    "clauses": clauses_view,
    "question": question_view,
    "questions": questions_view,
    "pair": pair_view,
    "pairs": pairs_view,
    "silences": silences_view,
    "inapplicable": inapplicable_view,
    "emendations": emendations_view,
    "glossary": glossary_view,
    "rights": rights_view,
    "people": people_view,
    "numbers": numbers_view,
    "sources": sources_view,
}
