"""The decisions that a source leaves to its editors, and the ways to take several of them together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from rulebook.model import Clause, FrozenMap, Library, Like, Ruleset, Ruling
from rulebook.resolve import BadChoice, Choice, find_choice_rulings, resolve

Rulings = Mapping[str, Ruling]
_ALTERNATIVE_KINDS = ("interpretation", "option")


@dataclass(frozen=True, slots=True)
class Decision:
    """A clause that can be taken in several ways: as we prefer, or by one of its alternatives."""

    clause: str
    readings: tuple[str, ...]  #: ours first, named c021.preferred, then the alternatives by their ids
    answers: tuple[Rulings, ...]  #: what each of them changes in the rules; nothing for ours

    @property
    def questions(self) -> frozenset[str]:
        """The questions that one of its alternatives answers."""
        return frozenset(q for answers in self.answers for q in answers)


@dataclass(frozen=True)
class Knot:
    """Decisions that cannot be taken one by one, since some of their readings exclude each other; mostly one alone.

    `list_compatible_ways` are the readings that can be held together, by their numbers; ours come first.
    """

    decisions: tuple[Decision, ...]
    ways: tuple[tuple[int, ...], ...]

    @cached_property
    def answers(self) -> tuple[Rulings, ...]:
        """The changes that each way makes in the rules."""
        return tuple(_merge_readings(self.decisions, way) for way in self.ways)

    def apart(self, way: int, other: int) -> frozenset[int]:
        """The decisions, by their numbers, on which two ways differ."""
        pairs = zip(self.ways[way], self.ways[other], strict=True)
        return frozenset(at for at, (a, b) in enumerate(pairs) if a != b)


def find_decisions(library: Library, source: str, own: Ruleset, options: bool = False) -> Iterator[Decision]:
    """Find every decision of a source.

    Decisions are between rival interpretations, and at wish among the options that it offers.
    """
    kinds = _ALTERNATIVE_KINDS if options else _ALTERNATIVE_KINDS[:1]
    for clause in library.sources[source].clauses:
        rivals = [a.id for a in clause.alternatives if a.kind in kinds]
        if rivals:
            yield _make_decision(library, clause, own, rivals)


def _make_decision(library: Library, clause: Clause, own: Ruleset, rivals: Sequence[str]) -> Decision:
    """Make the decision on one clause.

    Each reading brings the whole bundle of answers that go with it.
    """
    source = library.sources[clause.source]
    bundles = [find_choice_rulings(library, source, own.rulings, Choice(name, named=name)) for name in rivals]
    return Decision(clause.id, (f"{clause.id}.preferred", *rivals), (FrozenMap(), *map(FrozenMap, bundles)))


def _merge_readings(these: Sequence[Decision], way: Sequence[int]) -> Rulings:
    """Merge the changes that several readings make in the rules."""
    rulings: dict[str, Ruling] = {}
    for decision, reading in zip(these, way, strict=True):
        rulings |= decision.answers[reading]
    return rulings


# ---- which readings exclude each other
def _are_exclusive(rulings: Rulings, other: Rulings) -> bool:
    """Return whether two readings cannot be held together.

    They cannot if they answer the same question differently.
    """
    return any(q in other and other[q].value != ruling.value for q, ruling in rulings.items())


def _find_circular_questions(own: Ruleset, these: Iterable[Decision]) -> frozenset[str]:
    """Find the questions whose answers might point to each other in a circle.

    That may be if readings are combined amiss.
    """
    bundles = [own.rulings, *(answers for decision in these for answers in decision.answers)]
    points: dict[str, set[str]] = {}
    for question, ruling in (pair for bundle in bundles for pair in bundle.items()):
        if isinstance(ruling.value, Like):
            points.setdefault(question, set()).add(ruling.value.question)
    return frozenset(q for q in points if q in _find_reached_questions(points, q))


def _find_reached_questions(points: Mapping[str, Iterable[str]], question: str) -> set[str]:
    """Find every question to which one points, at once or by way of others."""
    reached: set[str] = set()
    waiting = [*points.get(question, ())]
    while waiting:
        slug = waiting.pop()
        if slug not in reached:
            reached.add(slug)
            waiting += points.get(slug, ())
    return reached


def build_knots(library: Library, own: Ruleset, these: Sequence[Decision]) -> tuple[Knot, ...]:
    """Group the decisions that hang together, in the order of their clauses."""
    pointing = _find_circular_questions(own, these)
    tied: list[list[Decision]] = []
    for decision in these:
        near = [group for group in tied if any(hang_together(decision, other, pointing) for other in group)]
        tied = [group for group in tied if group not in near]
        tied.append([*(other for group in near for other in group), decision])
    order = {decision.clause: at for at, decision in enumerate(these)}
    groups = [sorted(group, key=lambda member: order[member.clause]) for group in tied]
    groups.sort(key=lambda group: order[group[0].clause])
    return tuple(Knot(tuple(group), tuple(list_compatible_ways(library, own, group, pointing))) for group in groups)


def hang_together(decision: Decision, other: Decision, pointing: frozenset[str]) -> bool:
    """Return whether two decisions cannot be taken apart from each other."""
    return any(_are_exclusive(a, b) for a in decision.answers for b in other.answers) or bool(
        decision.questions & pointing and other.questions & pointing
    )


def list_compatible_ways(
    library: Library, own: Ruleset, these: Sequence[Decision], pointing: frozenset[str]
) -> Iterator[tuple[int, ...]]:
    """Yield the readings that can be held together.

    None excludes another, and no answers point in a circle.
    """
    bound = any(decision.questions & pointing for decision in these)
    for way in product(*(range(len(decision.readings)) for decision in these)):
        answers = [decision.answers[reading] for decision, reading in zip(these, way, strict=True)]
        if any(_are_exclusive(a, b) for a, b in combinations(answers, 2)):
            continue
        if not bound or granted_together(library, own.source, these, way):
            yield way


def granted_together(library: Library, source: str, these: Sequence[Decision], way: Sequence[int]) -> bool:
    """Return whether the rulebook grants these readings together."""
    named = [decision.readings[reading] for decision, reading in zip(these, way, strict=True) if reading]
    try:
        resolve(library, source, [Choice(name, named=name) for name in named])
    except BadChoice:
        return False
    return True
