"""The library with its cross-references: what cites what, and which words of a note refer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from edition.corpus.citation_cff import Release
from edition.corpus.references import Run, find_references
from edition.corpus.releases import Snapshot
from edition.corpus.settings import read_library_release, read_library_words
from edition.game import NO_GAME, Game, read_game
from edition.text.foreign_words import WordRuns, collect_word_runs, split_foreign_words
from rulebook.agreement.report import AgreementReport
from rulebook.answers.conditions import dereference_answer, is_resting_on_supplied
from rulebook.drafts import list_finished_sources
from rulebook.grouping import group_pairs
from rulebook.library_settings import LibrarySettings
from rulebook.model import Alternative, Cell, Cite, Clause, Library, Note, Question, Source, Value
from rulebook.phrases import spell_number
from rulebook.reads import ClauseWord, note_reads, record_reads
from rulebook.receipts import Receipt
from rulebook.resolve import iter_clause_alternatives
from rulebook.schema.records import TombstoneRecord
from rulebook.schema.reference_records import IndicesRecord, TellingRecord, TermRecord
from rulebook.sources.index_terms import EMPTY_REGISTER
from rulebook.spelling import NO_TABLE, Spelling
from rulebook.strings import single_spaced, slugify_text
from rulebook.text import Emendation, Sentence

_ResultT = TypeVar("_ResultT")
_AskedT = ParamSpec("_AskedT")


@dataclass(frozen=True)
class Corpus:
    """All that a page may want to know."""

    library: Library
    terms: tuple[TermRecord, ...] = ()
    works: Mapping[str, str] = field(default_factory=dict)  #: keys of the bibliography -> a short title
    cells: Mapping[tuple[str, str], Cell | None] = field(default_factory=dict)  #: (siglum, slug) -> what it says
    clauses_at: Mapping[str, tuple[Clause, ...]] = field(default_factory=dict)  #: sentence, statement -> what cites it
    notes_on: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)  #: sentence, emendation, statement -> notes
    terms_at: Mapping[str, tuple[TermRecord, ...]] = field(default_factory=dict)  #: sentence -> terms attested there
    kinds: Mapping[str, str] = field(default_factory=dict)  #: every id -> what it is the id of
    codings: AgreementReport | None = None  #: how far two coders agree; None where there is only one coding
    gone: tuple[TombstoneRecord, ...] = ()  #: ids that were published and are no more
    receipts: tuple[Receipt, ...] = ()  #: what was proved about the edition, or about an earlier state of it
    telling: TellingRecord = field(default_factory=TellingRecord)  #: how the rules of a source are told
    spelling: Spelling = NO_TABLE  #: old spelling and today's
    register: IndicesRecord = EMPTY_REGISTER  #: what the indices go by
    releases: tuple[Snapshot, ...] = ()  #: what every release held, the earliest first
    entries: Mapping[str, str] = field(default_factory=dict)  #: keys of the bibliography -> all that it says there
    settings: LibrarySettings = field(default_factory=LibrarySettings)  #: with what stands for those that it lacks
    game: Game = NO_GAME
    extras: Mapping[str, Any] = field(default_factory=dict)  #: name of a reader of the game -> what it read
    digest: str = ""  #: fingerprint of every file of the folder, as it was before the first of them was read
    frame: str = ""  #: fingerprint of the same without the words of clauses, whose reading is recorded
    #: function marked as `cached_on_corpus`, with what it is asked for -> what it returned
    memo: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    #: the same -> the words that were read for it
    words_read: dict[Hashable, Set[ClauseWord]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def remember(self, asked: Hashable, result: Any, words: Iterable[ClauseWord]) -> None:
        """Keep what a function marked as `cached_on_corpus` returns, and the words that were read for it."""
        self.memo[asked], self.words_read[asked] = result, frozenset(words)

    @cached_property
    def release(self) -> Release:
        """The edition as a work that can be cited; drafts, which its title does not count, stand behind it."""
        release = read_library_release(self.library.root, self.settings, self.game.name)
        finished, everyone = len(list_finished_sources(self.library)), len(self.library.sources)
        if finished in (0, everyone):
            return release
        drafts = f"{spell_number(everyone - finished)} draft{'s' * (everyone - finished > 1)}"
        return replace(release, title=f"{release.title}, with {drafts}")

    @property
    def file_stem(self) -> str:
        """First part of the names of its files: the game, or the title of the library."""
        return self.game.name or slugify_text(self.settings.title)

    def say(self, words: str) -> str:
        """Return words of the settings with the number of the sources in them."""
        return words.replace("{sources}", spell_number(len(self.library.sources)).capitalize())

    @cached_property
    def answers_of(self) -> Mapping[str, Mapping[str, Value]]:
        """Answers of each source, by question."""
        answers: dict[str, dict[str, Value]] = {siglum: {} for siglum in self.library.sources}
        for (siglum, slug), cell in self.cells.items():
            if cell and cell.value is not None:
                answers[siglum][slug] = cell.value
        return answers

    @cached_property
    def own_answers_of(self) -> Mapping[str, Mapping[str, Value]]:
        """Answers of each source, by question, without those that we supply."""
        ours = {key for key, cell in self.cells.items() if cell and cell.supplied}
        return {
            siglum: {slug: value for slug, value in answers.items() if (siglum, slug) not in ours}
            for siglum, answers in self.answers_of.items()
        }

    def answers_itself(self, siglum: str, slug: str) -> bool:
        """Return whether a source answers a question, and by no answer that we supply."""
        own = self.own_answers_of.get(siglum, {})
        return dereference_answer(own.get(slug), own) is not None

    def rests_on_supplied(self, siglum: str, slug: str) -> bool:
        """Return whether a source's own answer points to one that we supply."""
        return is_resting_on_supplied(slug, self.own_answers_of[siglum], self.answers_of[siglum])

    @cached_property
    def alternatives_on(self) -> Mapping[str, tuple[tuple[Clause, Alternative], ...]]:
        """Every rival interpretation and every option, by the questions that it answers."""
        return group_pairs(
            (slug, (clause, alternative))
            for clause, alternative in iter_clause_alternatives(self.library.clauses())
            for slug in alternative.answers
        )

    def cell(self, siglum: str, slug: str) -> Cell | None:
        """Return the cell of a source on a question."""
        return self.cells[siglum, slug]

    def sentence(self, name: str) -> Sentence | None:
        """A sentence by its id."""
        text = self.library.sources[name.partition(".")[0]].text
        return text.sentences.get(name) if text else None

    def loci(self, cite: Cite) -> tuple[str, ...]:
        """The sentences that a citation covers."""
        source = self.library.sources[cite.locus.partition(".")[0]]
        return sentences_between(source, cite.locus, cite.to)

    def term_of(self, locus: str, words: str, lang: str) -> str:
        """The id of the term that some words of a sentence's translation are; empty if they are none."""
        wanted = words.strip().lower()
        for term in self.terms_at.get(locus, ()):
            if term.lang == lang and wanted in {form.lower() for form in (term.term, *term.forms)}:
                return term.id
        return ""

    def questions_of(self, clause: Clause) -> tuple[Question, ...]:
        """The questions that a clause answers, or gives a reason for."""
        return tuple(self.library.questions[slug] for slug in clause.questions)

    def prose(self, words: str, siglum: str = "") -> tuple[Run, ...]:
        """Our own words, with every id in them made a reference.

        Bare ids are those of the source at hand; where there is none, of the source that was named last.
        """
        sources = self.library.sources
        return tuple(find_references(single_spaced(words), siglum, sources, self.kinds, self.mark_languages))

    def mark_languages(self, words: str) -> Iterator[Run]:
        """Words of ours, and among them those of the sources that are not in English."""
        for piece, lang in split_foreign_words(words, self._foreign_runs):
            yield Run(piece, lang=lang)

    @cached_property
    def _foreign_runs(self) -> WordRuns:
        """Word sequences in the texts that are not English, with their language."""
        return {
            run: source.language
            for source in self.library.sources.values()
            if source.text and source.language != "en"
            for sentence in source.text.sentences.values()
            for run in collect_word_runs((sentence.diplomatic, sentence.emended, sentence.reading))
        }


def sentences_between(source: Source, first: str, last: str = "") -> tuple[str, ...]:
    """The ids from one to another, in the order of the text; statements stand singly."""
    if not last or source.text is None:
        return (first, last) if last else (first,)
    names = list(source.text.sentences)
    if first not in names or last not in names:
        return (first,)
    return tuple(names[names.index(first) : names.index(last) + 1])


def cached_on_corpus(
    function: Callable[Concatenate[Corpus, _AskedT], _ResultT],
) -> Callable[Concatenate[Corpus, _AskedT], _ResultT]:
    """Decorate a function of the whole corpus: its result is cached in the corpus.

    So each layer adds what it computes, and the corpus need not know the layers above it.
    """

    @wraps(function)
    def remembered(corpus: Corpus, /, *args: _AskedT.args, **kwargs: _AskedT.kwargs) -> _ResultT:
        asked = (remembered, *args) if args else remembered
        if asked not in corpus.memo:
            with record_reads() as words:
                result = function(corpus, *args, **kwargs)
            corpus.remember(asked, result, words)
        note_reads(corpus.words_read.get(asked, ()))
        value: _ResultT = corpus.memo[asked]
        return value

    return remembered


# --- gathering ------------------------------------------------------------------------------------


def build_corpus(library: Library, terms: Iterable[TermRecord] = (), **more: Any) -> Corpus:
    """Put the library in order; what is besides goes into the corpus as it is, and its game is found if not given."""
    terms = tuple(terms)
    more.setdefault("game", read_game(Path(library.root) if library.root else None)[0])
    more.setdefault("settings", read_library_words(library.root, more["game"].name))
    return Corpus(
        library,
        terms,
        cells={(siglum, slug): library.cell(siglum, slug) for siglum in library.sources for slug in library.questions},
        clauses_at=group_pairs(
            (locus, clause) for clause in library.clauses() for locus in list_cited_sentences(library, clause)
        ),
        notes_on=group_pairs((note.on, note) for source in library.sources.values() for note in source.notes),
        terms_at=group_pairs((locus, term) for term in terms for locus in term.attestations),
        kinds=dict(list_library_ids(library)),
        **more,
    )


def list_cited_sentences(library: Library, clause: Clause) -> Iterator[str]:
    """Yield every sentence that a clause cites, once."""
    loci = (
        locus
        for cite in clause.cites
        for locus in sentences_between(library.sources[cite.locus.partition(".")[0]], cite.locus, cite.to)
    )
    yield from dict.fromkeys(loci)


def list_library_ids(library: Library) -> Iterator[tuple[str, str]]:
    """Yield every id of the library, with its kind."""
    for question in library.questions.values():
        yield question.id, "question"
    for source in library.sources.values():
        if source.text is not None:
            yield from ((name, "sentence") for name in source.text.sentences)
            yield from ((name, "emendation") for name in source.text.emendations)
        yield from ((statement.id, "sentence") for statement in source.statements)
        yield from ((note.id, "note") for note in source.notes)
        for clause in source.clauses:
            yield clause.id, "clause"
            yield from ((alternative.id, "alternative") for alternative in clause.alternatives)


def list_emendations(source: Source) -> tuple[Emendation, ...]:
    """Return every emendation of a source, in the order of the text."""
    return tuple(source.text.emendations.values()) if source.text else ()
