"""The glossary: the words of the game, what they mean, and where they stand."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from string import ascii_uppercase

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.text import answers as words
from edition.text.typography import curl_quotes
from edition.views.common import Prose
from edition.views.layout import LANGUAGE_NAMES
from edition.views.plain_answers import source_marks
from rulebook.schema.reference_records import TermRecord


@dataclass(frozen=True, slots=True)
class TermView:
    """A word of the game, what it means, and where it stands."""

    term: TermRecord
    letter: str  #: under which it stands
    english: str  #: in a few words
    gloss: Prose
    see: tuple[tuple[str, str], ...]
    attested: tuple[tuple[SourceMark, tuple[str, ...]], ...]  #: source by source


def glossary_view(corpus: Corpus, _: str = "") -> tuple[TermView, ...]:
    """The glossary in the order of the alphabet."""
    ordered = sorted(corpus.terms, key=lambda term: without_accents(term.term))
    return tuple(_term_view(corpus, term) for term in ordered)


def without_accents(term: str) -> str:
    """A word without accents, for the order of the alphabet."""
    return "".join(letter for letter in unicodedata.normalize("NFD", term.lower()) if letter.isalnum() or letter == " ")


def _term_view(corpus: Corpus, term: TermRecord) -> TermView:
    by_name = {name: other for other in corpus.terms for name in (other.id, other.term)}
    see = tuple((by_name[name].id, by_name[name].term) for name in term.see if name in by_name)
    places = groupby(term.attestations, key=lambda locus: locus.partition(".")[0])
    marks = source_marks(corpus)
    attested = tuple((marks[siglum], tuple(loci)) for siglum, loci in places)
    gloss = words.spell_out_sources(_name_sources_of_places(term), corpus.library)
    english, _ = curl_quotes(words.spell_out_sources(term.english, corpus.library))
    return TermView(term, without_accents(term.term)[:1].upper(), english, corpus.prose(gloss), see, attested)


_BARE_PLACE = re.compile(r"(?<![\w.])[sn]\d+\b")


def _name_sources_of_places(term: TermRecord) -> str:
    """The gloss, in which a bare number of a sentence has its source where only one attests the word there."""

    def name(match: re.Match[str]) -> str:
        loci = [attestation for attestation in term.attestations if attestation.partition(".")[2] == match[0]]
        return loci[0] if len(loci) == 1 else match[0]

    return _BARE_PLACE.sub(name, term.definition)


render_glossary = template_renderer("edition", "glossary", alphabet=ascii_uppercase, languages=LANGUAGE_NAMES)
#: The words alone, as in a book.
render_terms = template_renderer("edition", "glossary-terms", languages=LANGUAGE_NAMES)
