"""The glossary: the words of the game, what they mean, and where they stand."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from string import ascii_uppercase

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    add_anchor,
    block,
    definition_list,
    details,
    emphasis,
    link,
    para,
    same_page_link,
    span,
)
from edition.nodes.components import SourceMark, render_prose, source_shape
from edition.text import answers as words
from edition.text.typography import curl_quotes
from edition.views.common import Prose
from edition.views.layout import LANGUAGE_NAMES, Nodes, join_content
from edition.views.plain_answers import source_marks
from rulebook.phrases import format_count
from rulebook.sources.glossary import Term


@dataclass(frozen=True, slots=True)
class TermView:
    """A word of the game, what it means, and where it stands."""

    term: Term
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
    return "".join(one for one in unicodedata.normalize("NFD", term.lower()) if one.isalnum() or one == " ")


def _term_view(corpus: Corpus, term: Term) -> TermView:
    by_name = {name: other for other in corpus.terms for name in (other.id, other.term)}
    see = tuple((by_name[name].id, by_name[name].term) for name in term.see if name in by_name)
    places = groupby(term.attestations, key=lambda locus: locus.partition(".")[0])
    marks = source_marks(corpus)
    attested = tuple((marks[siglum], tuple(loci)) for siglum, loci in places)
    gloss = words.spell_out_sources(_name_sources_of_places(term), corpus.library)
    english, _ = curl_quotes(words.spell_out_sources(term.english, corpus.library))
    return TermView(term, english, corpus.prose(gloss), see, attested)


_BARE_PLACE = re.compile(r"(?<![\w.])[sn]\d+\b")


def _name_sources_of_places(term: Term) -> str:
    """The gloss, in which a bare number of a sentence has its source where only one attests the word there."""

    def name(found: re.Match[str]) -> str:
        loci = [one for one in term.attestations if one.partition(".")[2] == found[0]]
        return loci[0] if len(loci) == 1 else found[0]

    return _BARE_PLACE.sub(name, term.gloss)


def render_glossary(view: tuple[TermView, ...]) -> Nodes:
    """Links to the first word of each letter, and all words."""
    firsts = {without_accents(one.term.term)[:1].upper(): one.term.id for one in reversed(view)}
    letters = sorted({*firsts, *ascii_uppercase})
    jumps = (same_page_link(firsts[one], one) if one in firsts else span(one, cls="rv-no-entry") for one in letters)
    return [para(*join_content(jumps, " "), cls="rv-jumps"), *render_terms(view)]


def render_terms(view: tuple[TermView, ...]) -> Nodes:
    """The words of the game."""
    return [definition_list([(_term_head(one), _term_body(one)) for one in view], cls="rv-glossary")]


def _term_head(one: TermView) -> list[Content]:
    made = span(one.term.term, lang=one.term.lang)
    language = span(LANGUAGE_NAMES.get(one.term.lang, one.term.lang), cls="rv-small")
    return [add_anchor(made, "term", one.term.id, one.term.english or one.term.term, at=one.term.id), " ", language]


def _term_body(one: TermView) -> list[Content]:
    english: list[Content] = [emphasis(one.english), ". "] if one.english else []
    links = join_content(link("term", id, word) for id, word in one.see)
    see = [para(span("See", cls="rv-label"), " ", *links, cls="rv-term-see")] if links else []
    return [para(*english, *render_prose(one.gloss)), *see, *_render_attestations(one)]


def _render_attestations(one: TermView) -> Nodes:
    if not one.attested:
        return []
    number = sum(len(loci) for _, loci in one.attested)
    rows = [
        para(
            *(source_shape(mark), " ", span(mark.name), " "),
            *join_content((link("sentence", locus, locus.partition(".")[2]) for locus in loci), " "),
        )
        for mark, loci in one.attested
    ]
    return [block(details(f"Occurs in {format_count(number, 'sentence')}", *rows, cls="rv-term-places"))]
