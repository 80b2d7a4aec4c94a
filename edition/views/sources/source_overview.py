"""Sentence status overview of a source, in one letter or two per sentence.

It stands above the text.

Nothing of it is written in by hand. Whether a sentence is encoded, an example, advice, narrative or a heading is
what the account of the sentences comes to (`rulebook.checks.coverage`); how an encoded one stands to the other sources
follows from the clauses that rest on it and from the answers that all sources give to the same questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.text.answers import format_count
from edition.views.common import find_testimony
from rulebook.checks.coverage import ANSWERING_ROLES
from rulebook.model import DOUBTFUL_STATUSES, Clause

#: How a sentence stands -> its letter, its name, and what that says; of several that hold, the first is told.
SENTENCE_STATES: Mapping[str, tuple[str, str, str]] = {
    "disputed": ("D", "disputed", "its words can be taken in more than one way"),
    "differ": ("V", "various", "on some point of it another source says otherwise"),
    "alone": ("S", "single", "on some point of it all other sources are silent"),
    "agree": ("C", "common", "all sources that speak of it agree"),
    "encoded": ("R", "reason", "a clause rests on it that answers no question and only tells why"),
    "example": ("E", "example", "a case worked out; no clause is grounded on it, though some may cite it"),
    "advice": ("A", "advice", "counsel on how to play; alone it grounds no clause, after another letter it does"),
    "narrative": ("N", "narrative", "no clause is grounded on it, though some may cite it in support"),
    "heading": ("h", "heading", "a title, or the heading of a chapter"),
    "not-yet": ("?", "open", "not yet accounted for"),
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
        return "differ" if self.otherwise else "agree" if self.same else "alone"

    @property
    def words(self) -> str:
        """Sources that say the same, and sources that say otherwise."""
        told = [(self.same, "as in"), (self.otherwise, "otherwise in"), (self.silent, "not said in")]
        told = told if self.speaks else [(self.otherwise, "supplied by us; said in")]
        return "; ".join(f"{how} {join_names_with_and(sigla)}" for sigla, how in told if sigla)


def join_names_with_and(names: Iterable[str]) -> str:
    """Join names for reading aloud: PAM, ACA and GER."""
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def compare_all_testimonies(corpus: Corpus, siglum: str) -> dict[str, Company]:
    """Relation of a source to the others on every question, by slug."""
    return {slug: _compare_testimony(corpus, siglum, slug) for slug in corpus.library.questions}


def _compare_testimony(corpus: Corpus, siglum: str, slug: str) -> Company:
    said = {name: find_testimony(corpus, name, slug) for name in corpus.library.sources}
    mine = said.pop(siglum)
    return Company(
        bool(mine),
        tuple(name for name, value in said.items() if value and value == mine),
        tuple(name for name, value in said.items() if value and value != mine),
        tuple(name for name, value in said.items() if not value),
    )


def is_disputed_clause(clause: Clause) -> bool:
    """Test whether a passage can be taken in more than one way.

    An option that the source offers is no dispute.
    """
    return bool(clause.rivals) or clause.status in DOUBTFUL_STATUSES


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
    found = {beside[slug].kind for clause in clauses for slug in clause.answers}
    found |= {"disputed" for clause in clauses if is_disputed_clause(clause)}
    return next((one for one in SENTENCE_STATES if one in found), "encoded")


@dataclass(frozen=True, slots=True)
class Letter:
    """A sentence in the overview."""

    id: str
    state: str
    clauses: tuple[str, ...]
    counsel: bool = False  #: whether it is advice as well

    @property
    def states(self) -> tuple[str, ...]:
        """All that it counts as."""
        return (self.state, "advice") if self.counsel else (self.state,)

    @property
    def sign(self) -> str:
        """Letters to show."""
        return "".join(SENTENCE_STATES[one][0] for one in self.states)

    @property
    def name(self) -> str:
        """The names of its letters."""
        return " and ".join(SENTENCE_STATES[one][1] for one in self.states)

    @property
    def words(self) -> str:
        """Description for screen readers and tooltips."""
        _, name, says = SENTENCE_STATES[self.state]
        also = "; also advice" if self.counsel else ""
        resting = f" ({', '.join(self.clauses)})" if self.clauses else ""
        return f"{self.id}: {name}, {says}{also}{resting}"


@dataclass(frozen=True, slots=True)
class LetterLegendRow:
    """A row of the legend."""

    state: str
    number: int

    @property
    def sign(self) -> str:
        """Its letter."""
        return SENTENCE_STATES[self.state][0]

    @property
    def words(self) -> str:
        """Meaning of the letter."""
        _, name, says = SENTENCE_STATES[self.state]
        return f"{name}: {says}"


def build_letter_legend(letters: Iterable[Letter]) -> tuple[LetterLegendRow, ...]:
    """Legend of the letters that occur, each with its number of sentences."""
    counted = Counter(state for one in letters for state in one.states)
    return tuple(LetterLegendRow(state, counted[state]) for state in SENTENCE_STATES if counted[state])


def summarise_question_kinds(kinds: Iterable[str]) -> str:
    """Number of questions that a sentence answers, by agreement of the sources.

    The rest is supplied by us.
    """
    counted = Counter(kinds)
    told = [f"{counted[kind]} {name}" for kind, (_, name, _) in SENTENCE_STATES.items() if counted[kind]]
    told += [f"{counted['']} supplied by us"] if counted[""] else []
    return f"{format_count(sum(counted.values()), 'question')}: {', '.join(told)}"
