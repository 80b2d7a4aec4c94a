"""Every emendation of every source, with its reasons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from edition.corpus.collations import list_collations, list_refuted, list_supporters
from edition.corpus.corpus import Corpus, list_emendations
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import NoteView, Prose, notes_at
from edition.views.plain_answers import source_marks
from rulebook.model import Source
from rulebook.text import Emendation


@dataclass(frozen=True, slots=True)
class EmendationView:
    """A misprint, what we read instead, and why."""

    emendation: Emendation
    page: str
    lang: str
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
            tuple(emendation_view(corpus, source, emendation) for emendation in list_emendations(source)),
            tuple(
                (tombstone.id, tombstone.on, corpus.prose(tombstone.why, source.siglum))
                for tombstone in corpus.gone
                if re.fullmatch(rf"{re.escape(source.siglum)}\.e\d+", tombstone.id)
            ),
        )
        for source in corpus.library.sources.values()
        if source.text
    )


def emendation_view(corpus: Corpus, source: Source, emendation: Emendation) -> EmendationView:
    """One emendation with its note."""
    sentence = corpus.sentence(emendation.sentence)
    return EmendationView(
        emendation,
        (sentence.page or "") if sentence else "",
        source.language,
        tuple(notes_at(corpus, source, (emendation.id,))),
        tuple(clause.id for clause in source.clauses if emendation.id in clause.emendations),
        list_supporters(corpus, emendation.id),
        any(line.id == emendation.sentence for each in list_collations(corpus) for line in each.witness.sentences),
        emendation.id in list_refuted(corpus),
    )


#: Evidence of a correction -> what it is, in words.
_BORNE_OUT_TEXT = "another print of this text shows it"
_EVIDENCE: Mapping[str, str] = {
    "internal": "the text itself shows it",
    "external": "another book shows it",
    "conjecture": "our conjecture",
}


def name_evidence(emendation: EmendationView) -> str:
    """Name the evidence in words; a witness of the same text is more than another book that has the word."""
    evidence = emendation.emendation.evidence
    return _BORNE_OUT_TEXT if evidence == "external" and emendation.borne_out else _EVIDENCE.get(evidence, evidence)


render_emendations = template_renderer("edition", "emendations", evidence=name_evidence)
