"""Every emendation of every source, with its reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.corpus.collations import list_collations, list_refuted, list_supporters
from edition.corpus.corpus import Corpus, list_emendations
from edition.nodes.builders import Content, add_anchor, link, page_link, para, section, span, table
from edition.nodes.components import SourceMark, named_source
from edition.text.answers import format_count
from edition.views.common import NoteView, Prose, notes_at
from edition.views.layout import Nodes, join_content, render_prose
from edition.views.plain_answers import source_marks
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
    borne_out: tuple[str, ...] = ()  #: the witnesses that have what we read
    within: bool = False  #: whether it stands where a witness was consulted
    refuted: bool = False  #: whether a witness has what our copy has


@dataclass(frozen=True, slots=True)
class SourceEmendations:
    """Corrections of one source, and those that have been withdrawn."""

    source: SourceMark
    found: tuple[EmendationView, ...]
    withdrawn: tuple[tuple[str, str, Prose], ...]  #: id, day, why


def emendations_view(corpus: Corpus, _: str = "") -> tuple[SourceEmendations, ...]:
    """Every emendation of every source."""
    return tuple(
        SourceEmendations(
            source_marks(corpus)[source.siglum],
            tuple(emendation_view(corpus, source, one) for one in list_emendations(source)),
            tuple(
                (one.id, one.on, corpus.prose(one.why, source.siglum))
                for one in corpus.gone
                if re.fullmatch(rf"{re.escape(source.siglum)}\.e\d+", one.id)
            ),
        )
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
        list_supporters(corpus, one.id),
        any(line.id == one.sentence for each in list_collations(corpus) for line in each.witness.sentences),
        one.id in list_refuted(corpus),
    )


def render_emendations(view: tuple[SourceEmendations, ...]) -> Nodes:
    """Render how many misprints are corrected, and all of them source by source."""
    every = [each for one in view for each in one.found]
    total, resting = len(every), sum(bool(one.clauses) for one in every)
    lede = para(
        f"We correct {format_count(total, 'misprint')}; on {resting} of them a rule rests, so that another reading "
        "of the word could make another rule.",
        *_tell_borne_out([one for one in every if one.borne_out]),
        *_tell_refuted(every),
        _tell_untried(every),
        cls="rv-lede",
    )
    head = ("Our copy has", "We read", "Where", "Why", "How sure", "Rules that rest on it")
    return [
        lede,
        *(
            section(
                f"emendations-{one.source.siglum}",
                [named_source(one.source)],
                *([_emendation_table(one.source, head, one.found)] if one.found else []),
                *map(_tell_withdrawn, one.withdrawn),
            )
            for one in view
            if one.found or one.withdrawn
        ),
    ]


def _tell_withdrawn(one: tuple[str, str, Prose]) -> nodes.paragraph:
    id, day, why = one
    gone = page_link("tombstones", "ids that are gone")
    return para(span(id, cls="rv-id"), f" was withdrawn on {day}: ", *render_prose(why), " See ", gone, ".")


def _tell_borne_out(found: Sequence[EmendationView]) -> list[Content]:
    """Name the corrections that another print of the text bears out, and the print."""
    if not found:
        return [" No other print of a text has been found to bear one out."]
    named = ([_link_emendation(one), " (", *_name_supporters(one)[1:], ")"] for one in found)
    verb = "is" if len(found) == 1 else "are"
    said = f" {len(found)} of them {verb} borne out by another print of the text: "
    return [said, *[piece for at, one in enumerate(named) for piece in [*([", "] if at else []), *one]], "."]


def _tell_refuted(every: Sequence[EmendationView]) -> list[Content]:
    """Name the corrections that another print refutes; nothing where no other print could."""
    if not any(one.within for one in every):
        return []
    refuted = [_link_emendation(one) for one in every if one.refuted]
    return [" Refuted by another print: ", *(join_content(refuted) or ["none"]), "."]


def _tell_untried(every: Sequence[EmendationView]) -> str:
    """Say of how many corrections no other print could tell, since none was consulted there."""
    untried = sum(not one.within for one in every)
    if untried == len(every):
        return ""
    return f" Of {untried} no other print can tell, since none that we know was consulted where they stand."


def _link_emendation(one: EmendationView) -> nodes.Node:
    return link("emendation", one.id, span(f"{one.sic} → {one.corr}", lang=one.lang))


#: Evidence of a correction -> what it is, in words.
_BORNE_OUT_TEXT = "another print of this text shows it"
_EVIDENCE: Mapping[str, str] = {
    "internal": "the text itself shows it",
    "external": "another book shows it",
    "conjecture": "our conjecture",
}


def _emendation_table(source: SourceMark, head: Sequence[str], found: Iterable[EmendationView]) -> nodes.table:
    caption = f"Corrected misprints: {source.name}"
    return table(caption, head, map(_emendation_row, found), cls="rv-stack rv-quiet rv-emendations")


def _emendation_row(one: EmendationView) -> tuple[Any, ...]:
    read = span(one.sic, lang=one.lang) if one.sic else span("(nothing)")
    name = add_anchor(read, "emendation", one.id, f"{one.sic or '(nothing)'} → {one.corr or '(nothing)'}")
    where: list[Content] = [link("sentence", one.sentence), f", p. {one.page}" if one.page else ""]
    why = [piece for each in one.notes for piece in (*render_prose(each.first), " ", *render_prose(each.rest))]
    return (
        [name],
        [span(one.corr, lang=one.lang) if one.corr else "(nothing)"],
        [*where, " ", span(one.id, cls="rv-small")],
        why or "–",
        [f"certainty {one.cert}; {name_evidence(one)}", *_name_supporters(one)],
        join_content(link("clause", id, id.partition(".")[2]) for id in one.clauses) or "–",
    )


def name_evidence(one: EmendationView) -> str:
    """Name the evidence in words; a witness of the same text is more than another book that has the word."""
    if one.evidence == "external" and one.borne_out:
        return _BORNE_OUT_TEXT
    return _EVIDENCE.get(one.evidence, one.evidence)


def _name_supporters(one: EmendationView) -> list[Content]:
    """Name the witnesses that bear an emendation out."""
    siglum = one.id.partition(".")[0]
    return [piece for name in one.borne_out for piece in ("; ", link("variants", siglum, f"{name} has it"))]
