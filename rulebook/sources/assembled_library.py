"""The library as it was read: every answer as it was given, the place of everything, the registry of ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulebook.answers.values import AnswerMap, Wrong
from rulebook.grouping import group_pairs
from rulebook.io.strict_yaml import Positions, Steps
from rulebook.model import Alternative, Cite, Clause, Library, Source, Value
from rulebook.problems import Where
from rulebook.schema.records import TombstoneRecord


@dataclass(frozen=True, slots=True)
class Given:
    """One answer, or one reason for having none, as it was written down."""

    source: str
    clause: str
    owner: str  #: the clause itself, or one of its alternatives
    kind: str  #: answer | reason
    key: str  #: Q031 or a slug
    where: Where
    slug: str = ""  #: empty for a question that there is not
    value: Value | None = None
    wrong: Wrong | None = None
    numbers: tuple[int, ...] = ()  #: as they were typed; an answer has them in an order of its own

    @property
    def own(self) -> bool:
        """Return whether it is the clause's own, not an alternative's."""
        return self.owner == self.clause


@dataclass(frozen=True, slots=True)
class Registry:
    """The ids that were ever published, and those there are now that the library does not hold itself."""

    begun: bool = False  #: nothing is held to have been published before there is a registry
    ids: Mapping[str, Where] = field(default_factory=dict)
    tombstones: tuple[tuple[TombstoneRecord, Where], ...] = ()
    terms: tuple[tuple[str, Where], ...] = ()
    deals: tuple[tuple[str, Where], ...] = ()
    sessions: tuple[tuple[str, Where], ...] = ()

    @property
    def published(self) -> frozenset[str]:
        """Every id that was ever published."""
        return frozenset((*self.ids, *(grave.id for grave, _ in self.tombstones)))


@dataclass(frozen=True)
class AssembledLibrary:
    """The library as it was read, with the place of everything in it."""

    library: Library
    givens: tuple[Given, ...] = ()
    places: Mapping[Where, tuple[Positions, Steps]] = field(default_factory=dict)
    incomplete: frozenset[str] = frozenset()  #: sources of whose clauses some could not be read at all
    lost: bool = False  #: whether anything else could not be read
    registry: Registry = field(default_factory=Registry)

    def at(self, record: Where, *steps: str | int) -> Where:
        """The place of an entry within a record."""
        if record not in self.places:
            return record
        positions, start = self.places[record]
        return positions.where((*start, *steps))

    @cached_property
    def by_source(self) -> Mapping[str, tuple[Given, ...]]:
        """Answers and omissions of each source, alternatives left out."""
        return {sig: tuple(g for g in self.givens if g.source == sig and g.own) for sig in self.library.sources}

    @cached_property
    def by_owner(self) -> Mapping[str, Sequence[Given]]:
        """Answers and omissions of each clause, interpretation and option, by its id."""
        return defaultdict(tuple, group_pairs((answer.owner, answer) for answer in self.givens))

    @cached_property
    def answers(self) -> Mapping[str, AnswerMap]:
        """Every source's own answers, supplied ones included."""
        return {
            sig: {g.slug: g.value for g in reversed(givens) if g.value is not None}
            for sig, givens in self.by_source.items()
        }

    def named(self, slug: str) -> str:
        """A question by both its names."""
        question = self.library.questions.get(slug)
        return f"{question.id} ({slug})" if question else slug


def iter_citations(case: AssembledLibrary) -> Iterator[tuple[Source, Clause, Cite]]:
    """Yield every citation with its clause and source."""
    for source in case.library.sources.values():
        for clause in source.clauses:
            for cite in clause.cites:
                yield source, clause, cite


def iter_clauses(case: AssembledLibrary, *statuses: str) -> Iterator[tuple[Source, Clause]]:
    """Yield every clause of these statuses, or of any."""
    for source in case.library.sources.values():
        for clause in source.clauses:
            if not statuses or clause.status in statuses:
                yield source, clause


def iter_alternatives(case: AssembledLibrary) -> Iterator[tuple[Source, Clause, Alternative]]:
    """Yield every rival interpretation and every option."""
    for source, clause in iter_clauses(case):
        for alternative in clause.alternatives:
            yield source, clause, alternative
