"""The index of words: every word that is printed here of the sources, under today's spelling, with the places.

Of a transcribed source that is the whole text, of one in copyright the few words that are quoted. A word is looked up
as the page should have it (emended); a misprint stands under its own letters besides. The commonest words are left out:
`common` in `sources/indices.yaml` says which. A language with many words has a page for each letter; its own page
then lists the words alone, each under the address that it has always had.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.corpus.limits import MAX_INDEX_SOURCES, MAX_WORDS_ON_PAGE
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.layout import LANGUAGE_NAMES
from edition.views.plain_answers import source_marks
from rulebook.grouping import group_pairs
from rulebook.spelling import modernise_spelling, simplify_letters
from rulebook.strings import slugify_text
from rulebook.tei.views import mended_words, show_view
from rulebook.text import Sentence, TextPart

#: A word with the hyphens in it, or the sign for "and"; one that is written with an apostrophe nowadays too.
_WORD_PATTERN = re.compile(r"aujourd['’]hui|[^\W\d_]+(?:-[^\W\d_]+)*|&", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WordToken:
    """One word where it stands."""

    lang: str
    printed: str  #: as it is spelt there
    now: str  #: as it would be spelt today
    locus: str
    opens: bool  #: whether it is the first of its sentence, where a capital says nothing
    misprint: bool = False  #: whether the page has it, and we read otherwise


@dataclass(frozen=True, slots=True)
class WordPlace:
    """A sentence in which a word stands, and how often."""

    locus: str
    times: int


@dataclass(frozen=True, slots=True)
class WordEntry:
    """A word with all its places."""

    word: str
    at: str  #: its address on the page
    old: tuple[str, ...]  #: its spellings, where they are not today's
    misprint: bool
    total: int
    places: tuple[tuple[str, tuple[WordPlace, ...]], ...]  #: siglum -> sentences
    clauses: tuple[tuple[str, tuple[str, ...]], ...]  #: siglum -> clauses that quote it
    more: int = 0  #: sources that have it too, where too many have it to name them all


@dataclass(frozen=True, slots=True)
class WordsView:
    """The words of one language."""

    lang: str
    name: str
    sources: tuple[SourceMark, ...]
    letters: tuple[tuple[str, tuple[WordEntry, ...]], ...]
    total: int  #: words that stand in the entries
    left_out: tuple[tuple[str, int], ...]

    @property
    def entries(self) -> int:
        """Number of different words."""
        return sum(len(group) for _, group in self.letters)

    @property
    def split(self) -> bool:
        """Test whether every letter has a page of its own."""
        return self.entries > MAX_WORDS_ON_PAGE

    def page_of(self, letter: str) -> str:
        """Name of the page of a letter."""
        return f"words-{self.lang}-{slugify_text(letter) or 'other'}"


@dataclass(frozen=True, slots=True)
class LetterView:
    """The words of one letter on a page of their own."""

    lang: str
    name: str
    letter: str
    entries: tuple[WordEntry, ...]
    pages: tuple[tuple[str, str], ...]  #: every letter of the language with its page


# --- the words of the sources -------------------------------------------------------------------------------


def list_word_tokens(corpus: Corpus) -> Iterator[WordToken]:
    """Every word printed here, source by source."""
    for source in corpus.library.sources.values():
        for sentence in source.text.sentences.values() if source.text else ():
            yield from of_sentence(corpus, sentence)
        for statement in source.statements:
            yield from of_words(corpus, statement.quote, source.language, statement.id)
        quotes = {statement.id: statement.quote for statement in source.statements}
        quoted = dict.fromkeys(
            (cite.locus, cite.exact) for clause in source.clauses for cite in clause.cites if cite.exact
        )
        for locus, exact in quoted:
            if locus in quotes and exact not in quotes[locus]:
                yield from of_words(corpus, exact, source.language, locus)


def of_sentence(corpus: Corpus, sentence: Sentence) -> Iterator[WordToken]:
    """The words of a sentence as it should be, each run in its own language; and the misprints."""
    first = True
    for lang, text in split_language_runs(sentence.parts, sentence.lang):
        for token in of_words(corpus, text, lang, sentence.id):
            yield token if first else WordToken(token.lang, token.printed, token.now, token.locus, False)
            first = False
    spare = Counter(_WORD_PATTERN.findall(sentence.diplomatic)) - Counter(_WORD_PATTERN.findall(sentence.emended))
    for word, times in spare.items():
        yield from [WordToken(sentence.lang, word, word, sentence.id, False, True)] * times


def split_language_runs(parts: Iterable[TextPart], lang: str) -> Iterator[tuple[str, str]]:
    """Split the emended words of a sentence into runs of one language.

    Where all are in one language there is one run, so that no word is cut in two.
    """
    pieces = tuple(parts)
    if {part.lang for part in pieces if part.kind != "pb"} <= {lang, ""}:
        yield lang, show_view(pieces, mended_words)
        return
    for part in pieces:
        yield part.lang or lang, show_view((part,), mended_words)


def of_words(corpus: Corpus, text: str, lang: str, locus: str) -> Iterator[WordToken]:
    """The words of some text."""
    for at, match in enumerate(_WORD_PATTERN.finditer(text)):
        word = match[0]
        yield WordToken(lang, word, modernise_spelling(word, lang, corpus.spelling), locus, at == 0)


def is_common(corpus: Corpus, token: WordToken) -> bool:
    """Test whether the index leaves a word out; a misprint never is."""
    return not token.misprint and token.now.lower() in corpus.register.common.get(token.lang, frozenset())


# --- the view -----------------------------------------------------------------------------------------------


def list_word_languages(corpus: Corpus) -> tuple[str, ...]:
    """Languages of which words are printed here."""
    return tuple(_index_languages(corpus))


def words_view(corpus: Corpus, lang: str) -> WordsView:
    """The index of one language; KeyError where there is none."""
    return _index_languages(corpus)[lang]


@cached_on_corpus
def _index_languages(corpus: Corpus) -> Mapping[str, WordsView]:
    groups = group_pairs((token.lang, token) for token in list_word_tokens(corpus))
    return {lang: _index_language(corpus, lang, tokens) for lang, tokens in groups.items()}


def _index_language(corpus: Corpus, lang: str, tokens: Sequence[WordToken]) -> WordsView:
    kept = [token for token in tokens if not is_common(corpus, token)]
    common = Counter(token.now.lower() for token in tokens if is_common(corpus, token))
    entries = sorted(
        entries_of(corpus, kept), key=lambda entry: (simplify_letters(entry.word), entry.word, entry.misprint)
    )
    sigla = dict.fromkeys(token.locus.partition(".")[0] for token in tokens)
    return WordsView(
        lang,
        LANGUAGE_NAMES.get(lang, lang),
        tuple(source_marks(corpus)[siglum] for siglum in sigla),
        tuple(group_pairs((simplify_letters(entry.word)[0].upper(), entry) for entry in entries).items()),
        len(kept),
        tuple(sorted(common.items())),
    )


def list_letter_pages(corpus: Corpus) -> Iterator[str]:
    """Names of the pages of single letters: words-fr-a."""
    for view in _index_languages(corpus).values():
        yield from (view.page_of(letter) for letter, _ in view.letters if view.split)


def letter_view(corpus: Corpus, page: str) -> LetterView:
    """The words of one letter, by the name of its page; StopIteration where there is none."""
    view = words_view(corpus, page.split("-")[1])
    letter, entries = next(pair for pair in view.letters if view.page_of(pair[0]) == page)
    pages = tuple((each, view.page_of(each)) for each, _ in view.letters)
    return LetterView(view.lang, view.name, letter, entries, pages)


def entries_of(corpus: Corpus, tokens: Iterable[WordToken]) -> Iterator[WordEntry]:
    """One entry for each word; a misprint has one of its own."""
    groups = group_pairs(((token.now.lower(), token.misprint), token) for token in tokens)
    quoting = _index_quoted_words(corpus)
    for (_, misprint), group in groups.items():
        yield build_word_entry(group, misprint, quoting)


def build_word_entry(
    group: Sequence[WordToken], misprint: bool, quoting: Mapping[tuple[str, str], tuple[str, ...]]
) -> WordEntry:
    """Build the entry of a word with its spellings and places."""
    word = as_written(group)
    old = dict.fromkeys(token.printed.lower() for token in group if token.printed.lower() != token.now.lower())
    counted = Counter(token.locus for token in group)
    clauses = dict.fromkeys(
        clause
        for token in group
        for clause in quoting.get((token.locus, simplify_letters(token.printed)), ())
        if not misprint
    )
    places = group_by_id_source((locus, WordPlace(locus, times)) for locus, times in counted.items())
    mark = "-misprint" if misprint else ""
    return WordEntry(
        word,
        f"{group[0].lang}-{'-'.join(word.lower().split()).replace('&', 'et')}{mark}",
        tuple(sorted(old)),
        misprint,
        len(group),
        places[:MAX_INDEX_SOURCES],
        group_by_id_source((clause, clause) for clause in sorted(clauses)),
        len(places[MAX_INDEX_SOURCES:]),
    )


def group_by_id_source(pairs: Iterable[tuple[str, Any]]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Values grouped under the sources of their ids, in their order."""
    return tuple(group_pairs((id.partition(".")[0], value) for id, value in pairs).items())


def as_written(group: Iterable[WordToken]) -> str:
    """A word as it is written in the middle of a sentence: with a capital if it never stands there without one."""
    written = [token.now for token in group]
    inside = [token.now for token in group if not token.opens and not (len(token.now) > 1 and token.now.isupper())]
    if inside and all(word[:1].isupper() for word in inside) and not any(word[:1].islower() for word in written):
        return inside[0]
    return written[0].lower()


def _index_quoted_words(corpus: Corpus) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Clauses that quote a word of a sentence, by both; one that quotes it twice is named twice."""
    return group_pairs(
        ((locus, simplify_letters(word)), clause.id)
        for clause in corpus.library.clauses()
        for cite in clause.cites
        for locus in corpus.loci(cite)
        for word in _WORD_PATTERN.findall(cite.exact)
    )


def list_view(corpus: Corpus, _: str = "") -> tuple[tuple[str, str, int, int], ...]:
    """The languages, each with its number of different words and of all words."""
    return tuple(
        (language.lang, language.name, language.entries, language.total)
        for language in _index_languages(corpus).values()
    )


# --- the layout -----------------------------------------------------------------------------------------------

render_word_index = template_renderer("edition", "words")
render_letter_page = template_renderer("edition", "letter")
render_word_index_list = template_renderer("edition", "wordlists")
