"""Every emendation of every source, with its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Corpus, list_emendations
from edition.nodes.builders import Content, add_anchor, link, section, span, table
from edition.views.common import NoteView, SourceLink, notes_at, source_link
from edition.views.layout import Nodes, join_content, render_prose
from rulebook.model import Source
from rulebook.text import Emendation


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


def emendations_view(corpus: Corpus, _: str = "") -> tuple[tuple[SourceLink, tuple[EmendationView, ...]], ...]:
    """Every emendation of every source."""
    return tuple(
        (source_link(source), tuple(emendation_view(corpus, source, one) for one in list_emendations(source)))
        for source in corpus.library.sources.values()
        if source.text
    )


def emendation_view(corpus: Corpus, source: Source, one: Emendation) -> EmendationView:
    """One emendation with its note."""
    sentence = corpus.sentence(one.sentence)
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
        tuple(notes_at(corpus, source, (one.id,))),
        tuple(clause.id for clause in source.clauses if one.id in clause.emendations),
    )


def render_emendations(view: tuple[tuple[SourceLink, tuple[EmendationView, ...]], ...]) -> Nodes:
    """Every emendation, source by source."""
    head = ("Emendation", "Place", "The page has", "We read", "Certainty and evidence", "Why", "Clauses")
    return [
        section(
            f"emendations-{source.siglum}",
            f"{source.siglum}: {source.title}",
            table(f"Emendations in {source.siglum}", head, map(_emendation_row, found), cls="rv-stack rv-emendations"),
        )
        for source, found in view
    ]


def _emendation_row(one: EmendationView) -> tuple[Any, ...]:
    name = add_anchor(span(one.id), "emendation", one.id, f"{one.sic or '(nothing)'} → {one.corr or '(nothing)'}")
    where: list[Content] = [link("sentence", one.sentence), f", p. {one.page}" if one.page else ""]
    why = [piece for each in one.notes for piece in (*render_prose(each.first), " ", *render_prose(each.rest))]
    return (
        [name],
        where,
        [span(one.sic, lang=one.lang) if one.sic else "(nothing)"],
        [span(one.corr, lang=one.lang) if one.corr else "(nothing)"],
        f"{one.cert}; {one.evidence}; {one.by}",
        why or "–",
        join_content(link("clause", id, id.partition(".")[2]) for id in one.clauses) or "–",
    )
