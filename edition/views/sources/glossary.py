"""The glossary: the words of the game, what they mean, and where they stand."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, add_anchor, block, definition_list, details, link, para, span
from edition.text import answers as words
from edition.views.common import Prose
from edition.views.layout import LANGUAGE_NAMES, Nodes, join_content, render_prose
from rulebook.sources.glossary import Term


@dataclass(frozen=True, slots=True)
class TermView:
    """A word of the game, what it means, and where it stands."""

    term: Term
    gloss: Prose
    see: tuple[tuple[str, str], ...]
    attested: tuple[tuple[str, tuple[str, ...]], ...]  #: source by source


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
    return TermView(term, corpus.prose(term.gloss), see, tuple((siglum, tuple(loci)) for siglum, loci in places))


def render_glossary(view: tuple[TermView, ...]) -> Nodes:
    """The words of the game."""
    return [definition_list([(_term_head(one), _term_body(one)) for one in view], cls="rv-glossary")]


def _term_head(one: TermView) -> list[Content]:
    made = span(one.term.term, lang=one.term.lang)
    language = span(LANGUAGE_NAMES.get(one.term.lang, one.term.lang), cls="rv-small")
    return [add_anchor(made, "term", one.term.id, one.term.english or one.term.term, at=one.term.id), " ", language]


def _term_body(one: TermView) -> list[Content]:
    body: list[Content] = [para(one.term.english, cls="rv-english-word")] if one.term.english else []
    body.append(para(*render_prose(one.gloss)))
    if one.see:
        body.append(
            para(span("See", cls="rv-label"), " ", *join_content(link("term", id, word) for id, word in one.see))
        )
    return [*body, *_render_attestations(one)]


def _render_attestations(one: TermView) -> Nodes:
    if not one.attested:
        return []
    number = sum(len(loci) for _, loci in one.attested)
    rows = [
        para(
            span(siglum, cls="rv-siglum"),
            " ",
            *join_content(link("sentence", locus, locus.partition(".")[2]) for locus in loci),
        )
        for siglum, loci in one.attested
    ]
    return [block(details(f"Attested in {words.format_count(number, 'sentence')}", *rows), cls="rv-small")]
