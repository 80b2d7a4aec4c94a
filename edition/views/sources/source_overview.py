"""Sentence status overview of a source: what each sentence is to the rules.

Nothing of it is written in by hand. Whether a sentence is encoded, an example, advice, narrative or a heading is
what the account of the sentences comes to (`rulebook.checks.coverage`); how an encoded one stands to the other sources
follows from the clauses that rest on it and from the answers that all sources give to the same questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.views.common import find_testimony
from rulebook.checks.coverage import ANSWERING_ROLES
from rulebook.grouping import group_pairs
from rulebook.model import DOUBTFUL_STATUSES, Clause

ALONE_STATE = "alone"
#: What a sentence is to the rules -> its name, and what that says; of several that hold, the first is meant.
SENTENCE_STATES: Mapping[str, tuple[str, str]] = {
    "disputed": ("ambiguous", "the words can be read in more than one way"),
    "differ": ("books differ", "on some point another source says otherwise"),
    ALONE_STATE: ("only here", "on some point all other sources are silent, and on none do they differ"),
    "agree": ("all agree", "all sources that speak of it say the same"),
    "encoded": ("a reason", "it answers no question and only gives a reason"),
    "example": ("an example", "a case worked out; no rule rests on it"),
    "advice": ("advice", "on how to play well; alone it supports no rule"),
    "narrative": ("narrative", "no rule rests on it"),
    "heading": ("a heading", "a title, or the heading of a chapter"),
    "not-yet": ("open", "not quoted, or only in part, and not explained yet"),
}


@dataclass(frozen=True, slots=True)
class Company:
    """One source's answer among those of the others; a reading supplied by us is nobody's word."""

    speaks: bool  #: whether the source answers for itself
    same: tuple[str, ...]
    otherwise: tuple[str, ...]
    silent: tuple[str, ...]

    @property
    def kind(self) -> str:
        """In one word: they differ, they agree, or it speaks alone; nothing where it does not speak."""
        if not self.speaks:
            return ""
        return "differ" if self.otherwise else "agree" if self.same else ALONE_STATE


def compare_all_testimonies(corpus: Corpus, siglum: str) -> dict[str, Company]:
    """Relation of a source to the others on every question, by slug."""
    return {slug: _compare_testimony(corpus, siglum, slug) for slug in corpus.library.questions}


def _compare_testimony(corpus: Corpus, siglum: str, slug: str) -> Company:
    testimonies = {name: find_testimony(corpus, name, slug) for name in corpus.library.sources}
    mine = testimonies.pop(siglum)
    return Company(
        bool(mine),
        tuple(name for name, value in testimonies.items() if value and value == mine),
        tuple(name for name, value in testimonies.items() if value and value != mine),
        tuple(name for name, value in testimonies.items() if not value),
    )


def find_bearing_clauses(corpus: Corpus, locus: str) -> tuple[Clause, ...]:
    """Find the clauses that cite a sentence as grounds or in support."""
    return tuple(
        clause
        for clause in corpus.clauses_at.get(locus, ())
        if any(cite.role in ANSWERING_ROLES and locus in corpus.loci(cite) for cite in clause.cites)
    )


def classify_sentence(kind: str, clauses: Iterable[Clause], beside: Mapping[str, Company]) -> str:
    """Status of a sentence, from its kind in the account and the clauses on it."""
    if kind != "encoded":
        return kind
    clauses = tuple(clauses)
    states = {beside[slug].kind for clause in clauses for slug in clause.answers}
    states |= {"disputed" for clause in clauses if bool(clause.rivals) or clause.status in DOUBTFUL_STATUSES}
    return next((state for state in SENTENCE_STATES if state in states), "encoded")


@dataclass(frozen=True, slots=True)
class StateGroup:
    """The sentences of one status."""

    state: str
    ids: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the status."""
        return SENTENCE_STATES[self.state][0]

    @property
    def says(self) -> str:
        """Meaning of the status."""
        return SENTENCE_STATES[self.state][1]


def group_by_state(states: Iterable[tuple[str, str]]) -> tuple[StateGroup, ...]:
    """Sentences under their statuses, from pairs of id and status; a sentence with two stands under both."""
    ids_by_state = group_pairs((state, id) for id, state in states)
    return tuple(StateGroup(state, ids_by_state[state]) for state in SENTENCE_STATES if state in ids_by_state)
