"""English of the books' sentences for the browser, and the meaning of words that it keeps from the original."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from edition.corpus.corpus import Corpus
from edition.text.answers import spell_out_sources
from edition.views.common import TranslatedRun, read_english_runs
from rulebook.model import Source
from rulebook.schema.reference_records import TermRecord
from rulebook.strings import single_spaced

_FOREIGN = frozenset({"fr", "de"})
_ENGLISH = frozenset({"g-reversis", "g-quinola"})  #: words that an English book explains itself; Hoyle has two quinolas


def list_english_sentences(corpus: Corpus) -> dict[str, dict[str, str]]:
    """List by the id of a sentence: its translation, and the meaning of words kept from the original."""
    translations = [source.translation for source in corpus.library.sources.values() if source.translation]
    sentences = {
        locus: single_spaced("".join(part.text for part in sentence.parts))
        for translation in translations
        for locus, sentence in translation.sentences.items()
    }
    words = {locus: explain_kept_words(corpus, locus) for locus, kind in corpus.kinds.items() if kind == "sentence"}
    return {"sentences": sentences, "words": {locus: meanings for locus, meanings in words.items() if meanings}}


def explain_kept_words(corpus: Corpus, locus: str) -> str:
    """Explain words of a sentence's English by the glossary, and name the players of an example as such."""
    source = corpus.library.sources[locus.partition(".")[0]]
    runs = [*read_english_runs(corpus, source, locus)]
    terms = [term for term in corpus.terms_at.get(locus, ()) if term.lang in _FOREIGN]
    meanings = {
        term.id: f"{word}: {meaning}"
        for word, term in _find_kept_terms(source, runs, terms)
        if word not in (meaning := _shorten_meaning(corpus, term)) and not meaning.endswith("counter")
    }
    return "; ".join([*meanings.values(), *_explain_names(corpus, "".join(text for text, _, _ in runs))])


def _find_kept_terms(
    source: Source, runs: Iterable[TranslatedRun], terms: Iterable[TermRecord]
) -> Iterator[tuple[str, TermRecord]]:
    """Find terms in the words that a translation leaves in their language, or anywhere in an English book."""
    terms = [term for term in terms if source.language != "en" or term.id not in _ENGLISH]
    for text, lang, _ in runs:
        for term in terms if lang or source.language == "en" else ():
            forms = "|".join(map(re.escape, (term.term, *term.forms)))
            if match := re.fullmatch(forms, text.strip(), re.I) if lang else re.search(rf"\b(?:{forms})\b", text):
                yield match[0], term


def _shorten_meaning(corpus: Corpus, term: TermRecord) -> str:
    """Return the English of a term, without a translation word by word before a colon."""
    return spell_out_sources(term.english.rpartition(": ")[2], corpus.library)


def _explain_names(corpus: Corpus, english: str) -> Iterator[str]:
    named = [name for name in corpus.register.names if name.kind == "example"]
    if words := dict.fromkeys(match[0] for name in named for match in name.pattern.finditer(english)):
        yield f"{', '.join(words)}: {'players' if len(words) > 1 else 'a player'} in the book’s example"
