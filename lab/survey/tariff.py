"""Tariff: a cache of what every payment rule makes of every situation, filled by running the rule itself.

For each rule there is a tree. Its branches are what the rule reads, in the order in which it reads it: a feature of the
fact, a field of the outcome, the answer to a question; its leaves are what every player then wins or loses. A situation
that has not been met is settled once by the readable rule, which writes down what it reads; from then on it is looked
up. No rule is said again here, and a ruleset needs no tree of its own: its answers are branches like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from engine.cards import CARD_SUITS
from engine.deal.events import CARD_MANNERS
from engine.deal.pool import Pool
from engine.readings.ask import Ask
from engine.settlement.ledger import Posting, compute_balances
from engine.settlement.payments.rules import RULES, PaymentRule
from lab.survey.buffers import IntArray
from lab.survey.encode_rules import DEALER, TRICKS_PER_DEAL
from lab.survey.request import SURVEY_SEATS
from rulebook.answers.values import format_canonical
from rulebook.model import Library, Ruleset, Silent

_SEATS_OR_NOBODY: tuple[int | None, ...] = (None, *range(SURVEY_SEATS))
TRICKS_OR_NONE: tuple[int | None, ...] = (None, *range(1, TRICKS_PER_DEAL + 1))
SEAT_GROUPS = tuple(tuple(s for s in range(SURVEY_SEATS) if group >> s & 1) for group in range(1 << SURVEY_SEATS))
_YES_NO = (False, True)
POINTS_LIMIT = 64  #: points, and the worth of a talon, stay below this
LEFT_OPEN = object()  #: a field that the rules leave open, because they are silent on a question that leads to it

#: What a fact may be asked for, and what each number stands for.
OF_FACT: Mapping[str, Sequence[Any]] = {
    "player": _SEATS_OR_NOBODY,
    "leader": _SEATS_OR_NOBODY,
    "taker": _SEATS_OR_NOBODY,
    "manner": CARD_MANNERS,
    "trick": TRICKS_OR_NONE,
    "alone": _YES_NO,
    "free": _YES_NO,
    "court_led": _YES_NO,
    "queen_led": _YES_NO,
    "highest_before": _SEATS_OR_NOBODY,
    "privileged": _YES_NO,
    "suit": tuple(CARD_SUITS),
    "points": range(POINTS_LIMIT),
}
#: What the outcome may be asked for; the last number of each means that the rules leave it open.
OF_OUTCOME: Mapping[str, Sequence[Any]] = {
    "hero": (*_SEATS_OR_NOBODY, LEFT_OPEN),
    "made": (*_YES_NO, LEFT_OPEN),
    "breakers": (*SEAT_GROUPS, LEFT_OPEN),
    "broken_in": (*TRICKS_OR_NONE, LEFT_OPEN),
    "espagnolette": (*_SEATS_OR_NOBODY, LEFT_OPEN),
    "espagnolette_lost": (*_YES_NO, LEFT_OPEN),
    "kept": (*_SEATS_OR_NOBODY, LEFT_OPEN),
    "winner": (*_SEATS_OR_NOBODY, LEFT_OPEN),
    "loser": (*_SEATS_OR_NOBODY, LEFT_OPEN),
    "twin": (*_SEATS_OR_NOBODY, LEFT_OPEN),
    "stake_winners": (*SEAT_GROUPS, LEFT_OPEN),
    "stake_won": (*_YES_NO, LEFT_OPEN),
    "talon_value": (*range(POINTS_LIMIT), LEFT_OPEN),
}
FEATURE_VALUES = {**OF_FACT, **OF_OUTCOME}
FEATURE_NAMES = tuple(FEATURE_VALUES)
FEATURE_PLACES = {name: at for at, name in enumerate(FEATURE_NAMES)}
SURVEYED_FACT_KINDS = ("ace", "quinola", "seat")
SURVEYED_RULES = tuple(rule for rule in RULES if set(rule.kinds) & set(SURVEYED_FACT_KINDS))
MISSING = -1  #: no such situation has been met
UNREAD_NODE = -1  #: nobody has been at this node yet


class OpenFieldRead(Exception):
    """A rule has read a field that the rules leave open."""


FeatureRead: TypeAlias = tuple[int, int]  #: one read of a rule: its place among features and answers, and the value


class TrackedRecord:
    """Fact or outcome made of numbers that records what is read of it."""

    __dataclass_fields__: Mapping[str, object] = {}  # so that a rule may ask for the same fact of another player
    situation: Situation

    def __init__(self, **changed: object) -> None:
        self.__dict__.update(changed)

    def __getattr__(self, name: str) -> object:
        return self.situation.read(name)


class Situation:
    """A situation as a rule sees it: features by number, a ruleset, and what has been read so far."""

    def __init__(self, kind: str, features: Sequence[int], ruleset: Ruleset, answers: AnswerCodes, eldest: int) -> None:
        self.features, self.answers, self.ruleset = features, answers, ruleset
        self.path: list[FeatureRead] = []
        same = {"kind": kind, "seats": SURVEY_SEATS, "dealer": DEALER, "eldest": eldest, "last": TRICKS_PER_DEAL}
        # what is led is asked for, and nobody revokes, makes another fault, or throws down a hand
        plain = {"claimed": True, "revoked": False, "fault": None, "claimer": None, "throws_down": None}
        self.fact: Any = type("Fact", (TrackedRecord,), {"situation": self, **same, **plain})()
        self.outcome: Any = type("Outcome", (TrackedRecord,), {"situation": self, "forfeited": False})()

    def read(self, name: str) -> Any:
        """One feature; written down when it is read first."""
        place = FEATURE_PLACES[name]
        value = self.features[place]
        self.note(place, value)
        feature = FEATURE_VALUES[name][value]
        if feature is LEFT_OPEN:
            raise OpenFieldRead(name)
        return feature

    def note(self, place: int, value: int) -> None:
        """Write down what has been read, once."""
        if all(read != place for read, _ in self.path):
            self.path.append((place, value))


class TrackedAsk(Ask):
    """Answers questions as ever, and has the situation record each answer."""

    __slots__ = ("situation",)

    def __init__(self, situation: Situation) -> None:
        super().__init__(situation.ruleset)
        self.situation = situation

    def __call__(self, question: str) -> Any:
        """The answer. Raises Silent."""
        self.situation.note(*self.situation.answers.of(question, self.ruleset))
        return super().__call__(question)

    def fresh(self) -> TrackedAsk:
        """Another asker of the same ruleset."""
        return TrackedAsk(self.situation)

    word = number = words = numbers = table = tables = __call__


class AnswerCodes:
    """Every answer that any ruleset gives, as a number; 0 is silence."""

    def __init__(self, library: Library) -> None:
        self.places = {slug: len(FEATURE_NAMES) + at for at, slug in enumerate(library.questions)}
        self.known: dict[str, dict[str, int]] = {slug: {} for slug in library.questions}
        self.slugs = tuple(library.questions)
        self.rows: dict[int, tuple[Ruleset, IntArray]] = {}

    def of(self, question: str, ruleset: Ruleset) -> tuple[int, int]:
        """Return the place of a question and the code of a ruleset's answer to it."""
        ruling = ruleset.rulings.get(question)
        if ruling is None:
            return self.places[question], 0
        known = self.known[question]
        return self.places[question], known.setdefault(format_canonical(ruling.value), len(known) + 1)

    def row(self, ruleset: Ruleset) -> IntArray:
        """All answers of a ruleset, in the order of the questions; reckoned once for each."""
        known = self.rows.get(id(ruleset))
        if known is None or known[0] is not ruleset:
            row = np.array([self.of(question, ruleset)[1] for question in self.places], np.int64)
            known = self.rows[id(ruleset)] = ruleset, row
        return known[1]


#: (rule, kind) -> the places of what it reads
Reads: TypeAlias = "dict[tuple[str, str], set[int]]"


@dataclass
class Tariff:
    """The trees of all rules, for one pool before the deal, and one first leader.

    A node is a number: what is read there, where its branches begin in the row of branches, and how many there are. A
    branch leads to a node, to a leaf (below MISSING), or nowhere yet. All rows grow as situations are met.
    """

    answers: AnswerCodes
    pool: Pool
    eldest: int
    roots: dict[tuple[str, str], int] = field(default_factory=dict)  #: (rule, kind) -> node
    reads: GrowingArray = field(default_factory=lambda: GrowingArray(UNREAD_NODE))
    begins: GrowingArray = field(default_factory=lambda: GrowingArray(0))
    widths: GrowingArray = field(default_factory=lambda: GrowingArray(0))
    branches: GrowingArray = field(default_factory=lambda: GrowingArray(MISSING))
    leaves: list[tuple[int, ...]] = field(default_factory=list)  #: net of the four seats; and 1 where rules are silent
    known: dict[tuple[int, ...], int] = field(default_factory=dict)
    #: the leaves, as an array
    paid: IntArray = field(default_factory=lambda: np.zeros((0, SURVEY_SEATS + 1), np.int64))
    grown: int = 0  #: how often it was found that a rule reads more than was known
    #: what each rule reads under a ruleset, for those rulesets that were asked about; kept true as the trees grow
    reading: dict[int, tuple[Ruleset, Reads]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind in SURVEYED_FACT_KINDS:
            for rule in SURVEYED_RULES:
                if kind in rule.kinds:
                    self.roots[rule.name, kind] = self.node()

    def node(self) -> int:
        """A new node, where nothing is known yet."""
        for row in (self.begins, self.widths):
            row.add(1)
        return self.reads.add(1)

    def leaf(self, net: tuple[int, ...]) -> int:
        """A leaf, by a number below MISSING."""
        if net not in self.known:
            self.known[net] = len(self.leaves)
            self.leaves.append(net)
        return MISSING - 1 - self.known[net]

    def learn(self, rule: PaymentRule, kind: str, features: Sequence[int], ruleset: Ruleset) -> None:
        """Settle one situation by the rule itself, and grow the tree by what it has read."""
        situation = Situation(kind, features, ruleset, self.answers, self.eldest)
        leaf = self.leaf(settle_situation(rule, situation, self.pool))
        at = self.roots[rule.name, kind]
        # a rule that reads nothing always says the same, whoever plays
        path = situation.path or [(0, value) for value in range(len(_SEATS_OR_NOBODY))]
        for number, (place, value) in enumerate(path, 1):
            branch = self.branch(at, place, value)
            if number == len(path) or not situation.path:
                self.branches.all[branch] = leaf
            else:
                if self.branches.all[branch] == MISSING:
                    self.branches.all[branch] = self.node()
                at = int(self.branches.all[branch])
        self.has_read((rule.name, kind), path)

    def branch(self, at: int, place: int, value: int) -> int:
        """Return the place of a node's branch; room is made for it if there is none."""
        reads = int(self.reads.all[at])
        assert reads in (UNREAD_NODE, place), "a rule reads the same things in the same order"
        begins, width = int(self.begins.all[at]), int(self.widths.all[at])
        if value >= width:
            wanted = max(value + 1, self.width(place))
            fresh = self.branches.add(wanted)
            self.branches.all[fresh : fresh + width] = self.branches.all[begins : begins + width]
            self.reads.all[at], self.begins.all[at], self.widths.all[at] = place, fresh, wanted
            begins = fresh
        return begins + value

    def width(self, place: int) -> int:
        """Return the number of values that a place may have, as far as is known."""
        if place < len(FEATURE_NAMES):
            return len(FEATURE_VALUES[FEATURE_NAMES[place]])
        return 1 + len(self.answers.known[self.answers.slugs[place - len(FEATURE_NAMES)]])

    def read_by(self, ruleset: Ruleset) -> Reads:
        """The places of all that each rule reads under one ruleset, as far as the trees have grown."""
        known = self.reading.get(id(ruleset))
        if known is None or known[0] is not ruleset:
            answers = self.answers.row(ruleset)
            reads = {name: set(self._read_by(root, answers)) for name, root in self.roots.items()}
            known = self.reading[id(ruleset)] = ruleset, reads
        return known[1]

    def _read_by(self, at: int, answers: IntArray) -> frozenset[int]:
        place, begins, width = (int(row.all[at]) for row in (self.reads, self.begins, self.widths))
        if place == UNREAD_NODE:
            return frozenset()
        taken: Sequence[int] = range(width)
        if place >= len(FEATURE_NAMES):
            mine = int(answers[place - len(FEATURE_NAMES)])
            taken = [mine] if mine < width else []
        below = (int(self.branches.all[begins + value]) for value in taken)
        return frozenset((place,)).union(*(self._read_by(child, answers) for child in below if child >= 0))

    def has_read(self, name: tuple[str, str], path: Sequence[FeatureRead]) -> None:
        """Add what was read on a new path to all rulesets that would go the same way."""
        for ruleset, reads in self.reading.values():
            answers = self.answers.row(ruleset)
            for place, value in path:
                if place not in reads[name]:
                    reads[name].add(place)
                    self.grown += 1
                if place >= len(FEATURE_NAMES) and answers[place - len(FEATURE_NAMES)] != value:
                    break

    def flat(self) -> tuple[IntArray, ...]:
        """Return reads, branch starts and branch counts of the nodes, then branches and leaves, as arrays."""
        if len(self.paid) != len(self.leaves):
            self.paid = np.array(self.leaves, np.int64)
        return self.reads.all, self.begins.all, self.widths.all, self.branches.all, self.paid


class GrowingArray:
    """Row of integers that grows; what is not used yet has a number of its own."""

    def __init__(self, unused: int) -> None:
        self.unused, self.size = unused, 0
        self.all: IntArray = np.full(1024, unused, np.int64)

    def add(self, places: int) -> int:
        """Add places; return where they begin."""
        begins, self.size = self.size, self.size + places
        if self.size > len(self.all):
            more = np.full(max(self.size, len(self.all)), self.unused, np.int64)
            self.all = np.concatenate((self.all, more))
        return begins


def settle_situation(rule: PaymentRule, situation: Situation, pool: Pool) -> tuple[int, ...]:
    """Settle a situation by a rule: what each seat wins, and 1 where the rules are silent."""
    ask = TrackedAsk(situation)
    try:
        if rule.manners and situation.fact.manner not in rule.manners:
            return (0,) * (SURVEY_SEATS + 1)
        if rule.in_reversis and situation.outcome.hero is None:
            return (0,) * (SURVEY_SEATS + 1)
        results: Iterable[object] = list(rule.pays(situation.fact, situation.outcome, ask))
    except (Silent, OpenFieldRead):
        return (*(0,) * SURVEY_SEATS, 1)
    net = compute_balances([posting for posting in results if isinstance(posting, Posting)], pool, SURVEY_SEATS)
    return (*(net[seat] for seat in range(SURVEY_SEATS)), 0)
