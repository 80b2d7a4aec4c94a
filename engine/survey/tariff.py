"""The tariff: what every payment rule makes of every situation, found by running the rule itself, and kept.

For each rule there is a tree. Its branches are what the rule reads, in the order in which it reads it: a feature of the
fact, a field of the outcome, the answer to a question; its leaves are what every player then wins or loses. A situation
that has not been met is settled once by the readable rule, which writes down what it reads; from then on it is looked
up. No rule is said again here, and a ruleset needs no tree of its own: its answers are branches like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.ask import Ask
from engine.cards import SUITS
from engine.facts import MANNERS
from engine.ledger import Posting, balances
from engine.payments import RULES, Rule
from engine.pools import Pool
from engine.survey.coding import DEALER, TRICKS
from engine.survey.order import SEATS
from engine.survey.played import Numbers
from rulebook.measures import canonical
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

    def of(self, question: str, ruleset: Ruleset) -> tuple[int, int]:
        """Where a question stands, and which answer a ruleset gives to it."""
        ruling = ruleset.rulings.get(question)
        if ruling is None:
            return self.places[question], 0
        known = self.known[question]
        return self.places[question], known.setdefault(canonical(ruling.value), len(known) + 1)

    def row(self, ruleset: Ruleset) -> Numbers:
        """All answers of a ruleset, in the order of the questions."""
        return np.array([self.of(question, ruleset)[1] for question in self.places], np.int64)


@dataclass
class Tariff:
    """The trees of all rules, for one pool before the deal, and one first leader."""

    answers: Answers
    pool: Pool
    eldest: int
    roots: dict[tuple[str, str], int] = field(default_factory=dict)  #: (rule, kind) -> node
    nodes: list[tuple[int, dict[int, int]]] = field(default_factory=list)  #: what is read there; value -> child
    leaves: list[tuple[int, ...]] = field(default_factory=list)  #: net of the four seats; and 1 where rules are silent
    known: dict[tuple[int, ...], int] = field(default_factory=dict)
    learnt: int = 0  #: how many situations
    made: tuple[Numbers, ...] = ()  #: the trees as rows of numbers, until something is learnt

    def __post_init__(self) -> None:
        for kind in KINDS:
            for rule in SURVEYED:
                if kind in rule.kinds:
                    self.roots[rule.name, kind] = self.node()

    def node(self) -> int:
        """A new node, where nothing is known yet."""
        self.nodes.append((UNREAD, {}))
        return len(self.nodes) - 1

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
        self.made, self.learnt = (), self.learnt + 1
        path = situation.path or [Read(0, value) for value in range(len(NOBODY))]
        for number, read in enumerate(path, 1):
            reads, children = self.nodes[at]
            assert reads in (UNREAD, read.place), "a rule reads the same things in the same order"
            self.nodes[at] = (read.place, children)
            if number == len(path) or not situation.path:
                children[read.value] = leaf
            else:
                at = children[read.value] if read.value in children else children.setdefault(read.value, self.node())

    def read_by(self, root: int, ruleset: Ruleset) -> frozenset[int]:
        """The places of all that a tree reads under one ruleset, as far as it has grown."""
        return self._read_by(root, self.answers.row(ruleset))

    def _read_by(self, at: int, answers: Numbers) -> frozenset[int]:
        place, children = self.nodes[at]
        taken = children.values() if place < len(NAMES) else [children.get(int(answers[place - len(NAMES)]), MISSING)]
        return frozenset((place,)).union(*(self._read_by(child, answers) for child in taken if child >= 0))

    def flat(self) -> tuple[Numbers, ...]:
        """The trees as rows of numbers: what is read at a node, where its branches begin, branches, leaves."""
        if not self.made:
            self.made = self.rows()
        return self.made

    def rows(self) -> tuple[Numbers, ...]:
        """The same, made anew."""
        widths = [1 + max(children, default=-1) for _, children in self.nodes]
        base = np.concatenate(([0], np.cumsum(widths))).astype(np.int64)
        child = np.full(int(base[-1]), MISSING, np.int64)
        for at, (_, children) in enumerate(self.nodes):
            for value, to in children.items():
                child[base[at] + value] = to
        reads = np.array([place for place, _ in self.nodes], np.int64)
        return reads, base, child, np.array(self.leaves or [(0,) * (SEATS + 1)], np.int64)


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
