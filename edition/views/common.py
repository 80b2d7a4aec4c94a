"""View records that several pages share, and the functions that fill them.

A view is a frozen record in which everything has been sorted, counted and put into words; two equal views
make equal pages, so a view's text is also the fingerprint by which a page knows that it is out of date.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Corpus
from edition.corpus.references import Run
from edition.nodes.components import SourceMark
from edition.text import answers as words
from edition.text.passes import name_pass
from edition.text.typography import curl_quotes
from edition.views import plain_answers
from rulebook import model, phrases
from rulebook.answers import wording
from rulebook.answers.conditions import dereference_answer
from rulebook.answers.values import format_canonical
from rulebook.grouping import group_pairs
from rulebook.proposals import find_played_answer
from rulebook.quotations import list_loci
from rulebook.strings import single_spaced

ANSWER_LETTERS = "abcdefghij"

Prose = tuple[Run, ...]
TranslatedRun = tuple[str, str, str]  # some words of a translation, their language if they were left in it, their term


# --- small records ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class QuestionLink:
    """A question by its id, its slug and what it asks."""

    id: str
    slug: str
    asks: str


@dataclass(frozen=True, slots=True)
class QuotationView:
    """Quotation with its place and its translation or paraphrase."""

    locus: str
    to: str
    page: str
    exact: str
    lang: str
    view: str
    role: str
    translation: tuple[TranslatedRun, ...]  #: empty for a source in English
    paraphrase: str  #: our own words, for a source that may not be printed
    whole: bool  #: all of its sentence is quoted, as much as is translated


@dataclass(frozen=True, slots=True)
class ClauseAnswer:
    """Question with the answer that a clause gives."""

    question: QuestionLink
    answer: phrases.AnswerText
    plain: str  #: the answer in plain words
    unit: str = ""


@dataclass(frozen=True, slots=True)
class AlternativeView:
    """Rival interpretation, or an option that the source offers."""

    id: str
    kind: str
    label: str
    answers: tuple[ClauseAnswer, ...]
    cert: str
    exact: str  #: the source's words that offer it, where the clause does not quote them
    lang: str
    computation: str
    because: Prose


@dataclass(frozen=True, slots=True)
class ClauseView:
    """Clause as shown on pages: quotations, answers, reasons and alternatives."""

    id: str
    source: SourceMark
    quotations: tuple[QuotationView, ...]
    answers: tuple[ClauseAnswer, ...]
    about: tuple[QuestionLink, ...]
    status: str
    standing: str  #: doubtful, ours, follows; empty where its answers are simply stated
    cert: str
    label: str
    because: Prose
    note: Prose
    searched: Prose
    taken_from: str
    computation: str
    others: tuple[AlternativeView, ...]
    emendations: tuple[str, ...]  #: those to which its quotations owe something
    read_by: str
    partial: bool = False  #: whether the source is not consulted whole, so that nobody can tell that it is silent
    throughout: bool = False  #: whether all was searched that we have of the source

    @property
    def asks(self) -> tuple[QuestionLink, ...]:
        """Questions to which the clause or an alternative speaks, each once."""
        others = (each.question for other in self.others for each in other.answers)
        return tuple(dict.fromkeys((*(each.question for each in self.answers), *self.about, *others)))


@dataclass(frozen=True, slots=True)
class AnswerMark:
    """Answer of one source to one question in a letter or two.

    The same letter is the same answer.
    """

    siglum: str
    letter: str  #: what is shown: a, (b), c?, –
    kind: str  #: a, b, c ..., none: for the colour beside the letter
    words: str  #: what is said to those who listen


# --- parts of many views ----------------------------------------------------------------------------


def question_link(question: model.Question) -> QuestionLink:
    """Link data of a question, its words with typographic apostrophes."""
    return QuestionLink(question.id, question.slug, curl_quotes(question.asks)[0])


def clause_view(corpus: Corpus, clause: model.Clause) -> ClauseView:
    """View of a clause with its quotations, answers and alternatives."""
    source = corpus.library.sources[clause.source]
    answered = tuple(build_clause_answers(corpus, clause.answers, source))
    return ClauseView(
        clause.id,
        plain_answers.source_marks(corpus)[source.siglum],
        tuple(build_quotation_view(corpus, source, cite) for cite in clause.cites),
        answered,
        tuple(question_link(corpus.library.questions[slug]) for slug in clause.about),
        clause.status,
        words.find_answer_status(clause) if clause.answers else "",
        words.find_sure_certainty(source, clause.status, bool(clause.answers), clause.cert),
        clause.label,
        corpus.prose(clause.because, source.siglum),
        corpus.prose(clause.note, source.siglum),
        corpus.prose(clause.searched, source.siglum),
        _describe_ground(corpus, clause.taken_from),
        clause.computation,
        tuple(_build_alternative_view(corpus, alternative, source) for alternative in clause.alternatives),
        clause.emendations,
        _describe_hands(source, clause),
        source.partial,
        _is_all_of(source, clause.searched),
    )


def _is_all_of(source: model.Source, searched: str) -> bool:
    loci = list_loci(source)
    return bool(loci) and searched.strip() == f"{loci[0]}-{loci[-1]}"


def _describe_hands(source: model.Source, clause: model.Clause) -> str:
    """Describe the hands of a clause: its coder and reader, a language model named as one."""
    coder, reviewer = name_pass(source, clause.coder), name_pass(source, clause.reviewer)
    return f"coded by {coder}, {f'read again by {reviewer}' if reviewer else 'not yet reviewed'}"


def describe_search(searched: Prose, partial: bool) -> Prose:
    """Range that was searched in vain; of a *partial* text, that no more of it could be."""
    return (*searched, Run("; anything beyond that was not consulted")) if searched and partial else searched


def _describe_ground(corpus: Corpus, taken_from: str) -> str:
    source = corpus.library.sources.get(taken_from)
    return words.name_within(source) if source else wording.describe_supply_ground(taken_from)


def build_clause_answers(corpus: Corpus, given: Mapping[str, Any], source: model.Source) -> Iterator[ClauseAnswer]:
    """Questions answered, each with the text of its answer."""
    for slug, value in given.items():
        question = corpus.library.questions[slug]
        yield ClauseAnswer(
            question_link(question),
            wording.format_answer(question, value, corpus.library),
            plain_answers.format_printed_answer(question, value, source, corpus.library),
            wording.get_sum_counter(question, value, source),
        )


def _build_alternative_view(corpus: Corpus, alternative: model.Alternative, source: model.Source) -> AlternativeView:
    unsaid = words.describe_silence("silent", source.partial)
    silent = (
        ClauseAnswer(question_link(corpus.library.questions[slug]), phrases.AnswerText(unsaid, ""), unsaid)
        for slug in alternative.silent
    )
    answers = (*build_clause_answers(corpus, alternative.answers, source), *silent)
    because = corpus.prose(alternative.because, source.siglum)
    return AlternativeView(
        alternative.id,
        alternative.kind,
        alternative.label,
        answers,
        alternative.cert,
        alternative.exact,
        source.language,
        alternative.computation,
        because,
    )


def build_quotation_view(corpus: Corpus, source: model.Source, cite: model.Cite) -> QuotationView:
    """Citation with its page and the whole sentence in English."""
    sentence = corpus.sentence(cite.locus)
    return QuotationView(
        cite.locus,
        cite.to,
        (sentence.page or "") if sentence else "",
        cite.exact,
        sentence.lang if sentence else source.language,
        cite.view,
        cite.role,
        tuple(run for locus in corpus.loci(cite) for run in read_translated_runs(corpus, source, locus)),
        " ".join(_find_paraphrase(source, locus) for locus in corpus.loci(cite)),
        bool(sentence) and _strip_ends(cite.exact) == _strip_ends(getattr(sentence, cite.view)),
    )


def _strip_ends(words: str) -> str:
    return words.strip(" .,;:")


def read_translated_runs(corpus: Corpus, source: model.Source, locus: str) -> Iterator[TranslatedRun]:
    """Sentence in English, in runs.

    Words left in their own language have their language and their term in the glossary.
    """
    if source.translation and locus in source.translation.sentences:
        for part in source.translation.sentences[locus].parts:
            lang = part.lang if part.kind == "foreign" else ""
            yield part.text, lang, corpus.term_of(locus, part.text, lang) if lang else ""
        yield " ", "", ""


def read_english_runs(corpus: Corpus, source: model.Source, locus: str) -> Iterator[TranslatedRun]:
    """Sentence in English, in runs: translated, in our summary, or as a source in English has it."""
    yield from read_translated_runs(corpus, source, locus)
    sentence = corpus.sentence(locus) if source.language == "en" else None
    if text := sentence.reading if sentence else _find_paraphrase(source, locus):
        yield text, "", ""


def _find_paraphrase(source: model.Source, locus: str) -> str:
    return next((single_spaced(statement.text) for statement in source.statements if statement.id == locus), "")


def build_answer_marks(corpus: Corpus, question: model.Question) -> tuple[AnswerMark, ...]:
    """Answers of all sources to a question; equal letters are equal answers."""
    cells = [(siglum, corpus.cell(siglum, question.slug)) for siglum in corpus.library.sources]
    letters = assign_answer_letters(cell for _, cell in cells)
    return tuple(_build_answer_mark(corpus, question, siglum, cell, letters) for siglum, cell in cells)


def assign_answer_letters(cells: Iterable[model.Cell | None]) -> dict[str, str]:
    """Assign a letter to each different answer, in the order of the sources."""
    values = dict.fromkeys(format_canonical(cell.value) for cell in cells if cell and cell.value is not None)
    return dict(zip(values, ANSWER_LETTERS, strict=False))


def _build_answer_mark(
    corpus: Corpus, question: model.Question, siglum: str, cell: model.Cell | None, letters: Mapping[str, str]
) -> AnswerMark:
    if cell is None:
        return AnswerMark(siglum, "…", "none", f"{siglum}: no answer and no reason")
    if cell.value is None:
        unsaid = words.describe_silence(cell.status, corpus.library.sources[siglum].partial)
        return AnswerMark(siglum, _NO_ANSWER_SIGNS.get(cell.status, "·"), "none", f"{siglum}: {unsaid}")
    letter = letters[format_canonical(cell.value)]
    answer = wording.format_answer(question, cell.value, corpus.library)
    shown = f"({letter})" if cell.supplied else f"{letter}?" if cell.status in model.DOUBTFUL_STATUSES else letter
    how = "supplied by us" if cell.supplied else wording.describe_status(cell)
    how += ", not simulated" if explain_unplayed(corpus, question, cell.value) else ""
    return AnswerMark(siglum, shown, letter, f"{siglum}: {answer.full or answer.short} ({how})")


def explain_unplayed(corpus: Corpus, question: model.Question, value: Any) -> str:
    """Answer that the engine plays instead of this one, and why.

    Empty if the engine plays the answer itself.
    """
    if value is None:
        return ""
    plays, why = find_played_answer(question, value)
    answer = wording.format_answer(question, plays, corpus.library)
    return f"The engine does not play this, but “{answer.full or answer.short}”. {single_spaced(why)}" if why else ""


#: Where a source is still to be read, nobody can say that it is silent.
_NO_ANSWER_SIGNS: Mapping[str, str] = {"inapplicable": "–", "silent": "·", "not-collated": "…"}


AGREEMENT: Mapping[str, str] = {
    "agree": "All that speak agree",
    "differ": "They differ",
    "alone": "One source alone speaks",
    "nobody": "No source speaks",
}


def classify_agreement(corpus: Corpus, question: model.Question, sigla: Iterable[str] = ()) -> str:
    """Agreement of the sources that answer: agree, differ, alone or nobody.

    Readings supplied by us do not count.
    """
    return classify_accord(
        [find_testimony(corpus, siglum, question.slug) for siglum in sigla or corpus.library.sources]
    )


def find_agreeing_families(corpus: Corpus, question: model.Question) -> frozenset[str]:
    """Families of the books that say something on a question; two books of one family are not two witnesses."""
    sources = corpus.library.sources
    return frozenset(
        words.get_family_name(sources[siglum]) for siglum in sources if find_testimony(corpus, siglum, question.slug)
    )


@dataclass(frozen=True, slots=True)
class FamilyAgreement:
    """Questions on which the books agree: how many families that is."""

    within: tuple[tuple[str, int], ...]  #: family -> questions on which books of it alone agree
    across: int  #: questions on which books of several families do
    known: bool  #: whether any two books of the library are of one family

    @property
    def total(self) -> int:
        """Number of questions on which the books agree."""
        return self.across + sum(number for _, number in self.within)

    def describe(self) -> str:
        """Say it in a sentence."""
        alone = phrases.join_names([f"{number} within the family {name}" for name, number in self.within])
        return f"{self.across} across families{f', {alone}' if alone else ''}"


def count_agreement_by_family(corpus: Corpus, questions: Iterable[model.Question] | None = None) -> FamilyAgreement:
    """Count the families behind the agreement of books on some questions, or on all."""
    asked = corpus.library.questions.values() if questions is None else questions
    agreeing = (
        find_agreeing_families(corpus, question)
        for question in asked
        if classify_agreement(corpus, question) == "agree"
    )
    counted = Counter(min(families) if len(families) == 1 else "" for families in agreeing)
    sources = corpus.library.sources.values()
    known = len({words.get_family_name(source) for source in sources}) < len(sources)
    return FamilyAgreement(tuple((name, n) for name, n in counted.most_common() if name), counted[""], known)


def classify_accord(testimonies: Collection[str]) -> str:
    """Agreement of the sources: nobody, alone, agree or differ.

    Only those that speak for themselves count, by what each of them says; the silent say nothing.
    """
    spoken = [testimony for testimony in testimonies if testimony]
    return {0: "nobody", 1: "alone"}.get(len(spoken), "agree" if len(set(spoken)) == 1 else "differ")


def find_testimony(corpus: Corpus, siglum: str, slug: str) -> str:
    """Canonical own answer of a source; empty where it is silent, or where only we speak.

    An answer that points to another ("as if forced") is resolved within the same source; where it points to one that
    we supply, what it comes to is ours.
    """
    own = corpus.own_answers_of[siglum]
    value = dereference_answer(own.get(slug), own)
    return "" if value is None else format_canonical(value)


def group_questions(corpus: Corpus) -> dict[str, tuple[model.Question, ...]]:
    """Questions by group, in the order of the table of contents."""
    return group_pairs((question.group, question) for question in corpus.library.questions.values())


def format_source_answer(
    corpus: Corpus, question: model.Question, source: model.Source
) -> tuple[phrases.AnswerText | None, str]:
    """Text of a source's answer, and its counter if it is a sum."""
    cell = corpus.cell(source.siglum, question.slug)
    if cell is None or cell.value is None:
        return None, ""
    return wording.format_answer(question, cell.value, corpus.library), wording.get_sum_counter(
        question, cell.value, source
    )


# --- notes ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoteView:
    """Editorial note, with the references of its text."""

    note: model.Note
    text: Prose


def as_list(value: object) -> list[Any]:
    """List, or an empty one if the value is none."""
    return list(value) if isinstance(value, (list, tuple)) else []


def as_mapping(value: object) -> Mapping[str, Any]:
    """Mapping, or an empty one if the value is none."""
    return value if isinstance(value, Mapping) else {}


def notes_at(corpus: Corpus, source: model.Source, names: Iterable[str]) -> Iterator[NoteView]:
    """The notes on a sentence and on the emendations in it."""
    for name in names:
        for note in corpus.notes_on.get(name, ()):
            yield NoteView(note, corpus.prose(single_spaced(note.text), source.siglum))


BySource = tuple[tuple[SourceMark, tuple[ClauseView, ...]], ...]


def select_clauses(corpus: Corpus, wanted: Callable[[model.Clause], bool]) -> BySource:
    """Clauses of each source that satisfy a condition; of those that have any."""
    marks = plain_answers.source_marks(corpus)
    chosen = group_pairs((marks[clause.source], clause) for clause in corpus.library.clauses() if wanted(clause))
    return tuple((mark, tuple(clause_view(corpus, clause) for clause in clauses)) for mark, clauses in chosen.items())
