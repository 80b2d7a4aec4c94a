"""The tariff: what every payment rule makes of every situation, found by running the rule itself, and kept.

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

from engine.cards import SUITS
from engine.deal.events import MANNERS
from engine.deal.pool import Pool
from engine.readings.ask import Ask
from engine.settlement.ledger import Posting, balances
from engine.settlement.payments.rules import RULES, Rule
from engine.survey.buffers import Numbers
from engine.survey.encode_rules import DEALER, TRICKS
from engine.survey.request import SEATS
from rulebook.answers.values import canonical
from rulebook.model import Library, Ruleset, Silent

NOBODY: tuple[int | None, ...] = (None, *range(SEATS))
NO_TRICK: tuple[int | None, ...] = (None, *range(1, TRICKS + 1))
GROUPS = tuple(tuple(s for s in range(SEATS) if group >> s & 1) for group in range(1 << SEATS))
YES_NO = (False, True)
MOST = 64  #: points, and the worth of a talon, stay below this
UNSAID = object()  #: a field that the rules leave open, because they are silent on a question that leads to it

#: What a fact may be asked for, and what each number stands for.
OF_FACT: Mapping[str, Sequence[Any]] = {
    "player": NOBODY,
    "leader": NOBODY,
    "taker": NOBODY,
    "manner": MANNERS,
    "trick": NO_TRICK,
    "alone": YES_NO,
    "free": YES_NO,
    "court_led": YES_NO,
    "highest_before": NOBODY,
    "privileged": YES_NO,
    "suit": tuple(SUITS),
    "points": range(MOST),
}
#: What the outcome may be asked for; the last number of each means that the rules leave it open.
OF_OUTCOME: Mapping[str, Sequence[Any]] = {
    "hero": (*NOBODY, UNSAID),
    "made": (*YES_NO, UNSAID),
    "breakers": (*GROUPS, UNSAID),
    "broken_in": (*NO_TRICK, UNSAID),
    "espagnolette": (*NOBODY, UNSAID),
    "espagnolette_lost": (*YES_NO, UNSAID),
    "kept": (*NOBODY, UNSAID),
    "winner": (*NOBODY, UNSAID),
    "loser": (*NOBODY, UNSAID),
    "twin": (*NOBODY, UNSAID),
    "stake_winners": (*GROUPS, UNSAID),
    "stake_won": (*YES_NO, UNSAID),
    "talon_value": (*range(MOST), UNSAID),
}
FEATURES = {**OF_FACT, **OF_OUTCOME}
NAMES = tuple(FEATURES)
PLACE = {name: at for at, name in enumerate(NAMES)}
KINDS = ("ace", "quinola", "seat")
SURVEYED = tuple(rule for rule in RULES if set(rule.kinds) & set(KINDS))
MISSING = -1  #: no such situation has been met
UNREAD = -1  #: nobody has been at this node yet


class Open(Exception):
    """A rule has read a field that the rules leave open."""


@dataclass(frozen=True, slots=True)
class Read:
    """One thing that a rule has read: where it stands among features and answers, and what stood there."""

    place: int
    value: int


class Shown:
    """A fact, or an outcome, made of numbers; what is read of it is written down."""

    __dataclass_fields__: Mapping[str, object] = {}  # so that a rule may ask for the same fact of another player
    situation: Situation

    def __init__(self, **changed: object) -> None:
        self.__dict__.update(changed)

    def __getattr__(self, name: str) -> object:
        return self.situation.read(name)


class Situation:
    """A situation as a rule sees it: features by number, a ruleset, and what has been read so far."""

    def __init__(self, kind: str, features: Sequence[int], ruleset: Ruleset, answers: Answers, eldest: int) -> None:
        self.features, self.answers, self.ruleset = features, answers, ruleset
        self.path: list[Read] = []
        same = {"kind": kind, "seats": SEATS, "dealer": DEALER, "eldest": eldest, "last": TRICKS}
        plain = {"claimed": True, "fault": None}  # what is led is asked for, and nobody makes a fault
        self.fact: Any = type("Fact", (Shown,), {"situation": self, **same, **plain})()
        self.outcome: Any = type("Outcome", (Shown,), {"situation": self, "forfeited": False})()

    def read(self, name: str) -> Any:
        """One feature; written down when it is read first."""
        place = PLACE[name]
        value = self.features[place]
        self.note(place, value)
        found = FEATURES[name][value]
        if found is UNSAID:
            raise Open(name)
        return found

    def note(self, place: int, value: int) -> None:
        """Write down what has been read, once."""
        if all(read.place != place for read in self.path):
            self.path.append(Read(place, value))


class Noting(Ask):
    """Answers questions as ever, and has the situation write down each answer."""

    __slots__ = ("situation",)

    def __init__(self, situation: Situation) -> None:
        super().__init__(situation.ruleset)
        self.situation = situation

    def __call__(self, question: str) -> Any:
        """The answer. Raises Silent."""
        self.situation.note(*self.situation.answers.of(question, self.ruleset))
        return super().__call__(question)

    def fresh(self) -> Noting:
        """Another asker of the same ruleset."""
        return Noting(self.situation)

    word = number = words = numbers = table = tables = __call__


class Answers:
    """Every answer that any ruleset gives, as a number; 0 is silence."""

    def __init__(self, library: Library) -> None:
        self.places = {slug: len(NAMES) + at for at, slug in enumerate(library.questions)}
        self.known: dict[str, dict[str, int]] = {slug: {} for slug in library.questions}
        self.slugs = tuple(library.questions)
        self.rows: dict[int, tuple[Ruleset, Numbers]] = {}

    def of(self, question: str, ruleset: Ruleset) -> tuple[int, int]:
        """Where a question stands, and which answer a ruleset gives to it."""
        ruling = ruleset.rulings.get(question)
        if ruling is None:
            return self.places[question], 0
        known = self.known[question]
        return self.places[question], known.setdefault(canonical(ruling.value), len(known) + 1)

    def row(self, ruleset: Ruleset) -> Numbers:
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

    answers: Answers
    pool: Pool
    eldest: int
    roots: dict[tuple[str, str], int] = field(default_factory=dict)  #: (rule, kind) -> node
    reads: Row = field(default_factory=lambda: Row(UNREAD))
    begins: Row = field(default_factory=lambda: Row(0))
    widths: Row = field(default_factory=lambda: Row(0))
    branches: Row = field(default_factory=lambda: Row(MISSING))
    leaves: list[tuple[int, ...]] = field(default_factory=list)  #: net of the four seats; and 1 where rules are silent
    known: dict[tuple[int, ...], int] = field(default_factory=dict)
    paid: Numbers = field(default_factory=lambda: np.zeros((0, SEATS + 1), np.int64))  #: the leaves, as an array
    grown: int = 0  #: how often it was found that a rule reads more than was known
    #: what each rule reads under a ruleset, for those rulesets that were asked about; kept true as the trees grow
    reading: dict[int, tuple[Ruleset, Reads]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind in KINDS:
            for rule in SURVEYED:
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

    def learn(self, rule: Rule, kind: str, features: Sequence[int], ruleset: Ruleset) -> None:
        """Settle one situation by the rule itself, and grow the tree by what it has read."""
        situation = Situation(kind, features, ruleset, self.answers, self.eldest)
        leaf = self.leaf(settled(rule, situation, self.pool))
        at = self.roots[rule.name, kind]
        # a rule that reads nothing always says the same, whoever plays
        path = situation.path or [Read(0, value) for value in range(len(NOBODY))]
        for number, read in enumerate(path, 1):
            branch = self.branch(at, read)
            if number == len(path) or not situation.path:
                self.branches.all[branch] = leaf
            else:
                if self.branches.all[branch] == MISSING:
                    self.branches.all[branch] = self.node()
                at = int(self.branches.all[branch])
        self.has_read((rule.name, kind), path)

    def branch(self, at: int, read: Read) -> int:
        """Where the branch of a node stands; room is made for it if there is none."""
        reads = int(self.reads.all[at])
        assert reads in (UNREAD, read.place), "a rule reads the same things in the same order"
        begins, width = int(self.begins.all[at]), int(self.widths.all[at])
        if read.value >= width:
            wanted = max(read.value + 1, self.width(read.place))
            fresh = self.branches.add(wanted)
            self.branches.all[fresh : fresh + width] = self.branches.all[begins : begins + width]
            self.reads.all[at], self.begins.all[at], self.widths.all[at] = read.place, fresh, wanted
            begins = fresh
        return begins + read.value

    def width(self, place: int) -> int:
        """How many values a place may have, as far as is known."""
        if place < len(NAMES):
            return len(FEATURES[NAMES[place]])
        return 1 + len(self.answers.known[self.answers.slugs[place - len(NAMES)]])

    def read_by(self, ruleset: Ruleset) -> Reads:
        """The places of all that each rule reads under one ruleset, as far as the trees have grown."""
        known = self.reading.get(id(ruleset))
        if known is None or known[0] is not ruleset:
            answers = self.answers.row(ruleset)
            found = {name: set(self._read_by(root, answers)) for name, root in self.roots.items()}
            known = self.reading[id(ruleset)] = ruleset, found
        return known[1]

    def _read_by(self, at: int, answers: Numbers) -> frozenset[int]:
        place, begins, width = (int(row.all[at]) for row in (self.reads, self.begins, self.widths))
        if place == UNREAD:
            return frozenset()
        taken: Sequence[int] = range(width)
        if place >= len(NAMES):
            mine = int(answers[place - len(NAMES)])
            taken = [mine] if mine < width else []
        below = (int(self.branches.all[begins + value]) for value in taken)
        return frozenset((place,)).union(*(self._read_by(child, answers) for child in below if child >= 0))

    def has_read(self, name: tuple[str, str], path: Sequence[Read]) -> None:
        """What has been read on a new path, told to all rulesets that would have gone the same way."""
        for ruleset, found in self.reading.values():
            answers = self.answers.row(ruleset)
            for read in path:
                if read.place not in found[name]:
                    found[name].add(read.place)
                    self.grown += 1
                if read.place >= len(NAMES) and answers[read.place - len(NAMES)] != read.value:
                    break

    def flat(self) -> tuple[Numbers, ...]:
        """What is read at each node, where its branches begin, how many there are; the branches; the leaves."""
        if len(self.paid) != len(self.leaves):
            self.paid = np.array(self.leaves, np.int64)
        return self.reads.all, self.begins.all, self.widths.all, self.branches.all, self.paid


class Row:
    """A row of whole numbers that grows; what is not used yet has a number of its own."""

    def __init__(self, unused: int) -> None:
        self.unused, self.size = unused, 0
        self.all: Numbers = np.full(1024, unused, np.int64)

    def add(self, places: int) -> int:
        """So many more places; where they begin."""
        begins, self.size = self.size, self.size + places
        if self.size > len(self.all):
            more = np.full(max(self.size, len(self.all)), self.unused, np.int64)
            self.all = np.concatenate((self.all, more))
        return begins


def settled(rule: Rule, situation: Situation, pool: Pool) -> tuple[int, ...]:
    """What a rule makes of a situation: what each seat wins, and 1 last where the rules are silent on a question."""
    ask = Noting(situation)
    try:
        if rule.manners and situation.fact.manner not in rule.manners:
            return (0,) * (SEATS + 1)
        if rule.in_reversis and situation.outcome.hero is None:
            return (0,) * (SEATS + 1)
        said: Iterable[object] = list(rule.pays(situation.fact, situation.outcome, ask))
    except (Silent, Open):
        return (*(0,) * SEATS, 1)
    net = balances([one for one in said if isinstance(one, Posting)], pool, SEATS)
    return (*(net[seat] for seat in range(SEATS)), 0)
