"""What many deals come to under a ruleset: looked up in the tariff, which learns what it does not know yet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.cards import suit_of
from engine.payments import Rule
from engine.survey.compiling import compiled
from engine.survey.coding import At
from engine.survey.order import SEATS
from engine.survey.played import (
    ALONE,
    COURT,
    FORBIDDEN,
    FREE,
    HIGHEST,
    LEADER,
    MANNER,
    PLAYER,
    PRIVILEGED,
    SPECIAL,
    TAKER,
    TRICK,
    Numbers,
    Played,
)
from engine.survey import played as bits
from engine.survey.outcomes import FIELDS
from engine.survey.tariff import KINDS, MISSING, NAMES, OF_FACT, PLACE, SURVEYED, Tariff
from rulebook.model import Ruleset

(
    F_PLAYER, F_LEADER, F_TAKER, F_MANNER, F_TRICK, F_ALONE, F_FREE, F_COURT, F_HIGHEST, F_PRIVILEGED, F_SUIT, F_POINTS,
) = range(len(OF_FACT))  # fmt: skip
FIRST_OUTCOME, ALL = len(OF_FACT), len(NAMES)
SETTLED, SILENT, FORBID, UNKNOWN = range(4)  #: what became of a deal
AT_ONCE = 4096  #: so many unknown situations are learnt before the rest of the deals are looked at


@dataclass(frozen=True, slots=True)
class Priced:
    """Some deals under one ruleset: what each seat wins, and what became of each deal."""

    net: Numbers  #: [4, deals]
    became: Numbers  #: [deals] SETTLED, SILENT or FORBID


def roots_of(tariff: Tariff) -> tuple[tuple[tuple[Rule, str], ...], Numbers]:
    """Every rule with the kind of fact that it looks at, and where its tree begins: [kind, rule] -> node, or -1."""
    order = tuple((rule, kind) for kind in KINDS for rule in SURVEYED if kind in rule.kinds)
    return order, np.array([[KINDS.index(kind), tariff.roots[rule.name, kind]] for rule, kind in order], np.int64)


def price(ruleset: Ruleset, tariff: Tariff, deals: Played, fields: Numbers, points: Numbers, quinola: int) -> Priced:
    """All deals under a ruleset; what the tariff does not know is learnt on the way."""
    found = Priced(np.zeros((SEATS, deals.taken.size), np.int64), np.full(deals.taken.size, UNKNOWN, np.int64))
    order, roots = roots_of(tariff)
    answers = tariff.answers.row(ruleset)
    met = np.zeros((AT_ONCE, ALL + 1), np.int64)
    while True:
        unknown = look_up(
            (roots, *flat(tariff)), answers, (deals.facts, deals.told, fields, points), suit_of(quinola), found.net, found.became, met
        )
        if unknown == 0:
            return found
        for rule, kind, features in distinct(order, met[:unknown]):
            tariff.learn(rule, kind, features, ruleset)


def distinct(order: tuple[tuple[Rule, str], ...], met: Numbers) -> list[tuple[Rule, str, tuple[int, ...]]]:
    """Each unknown situation once."""
    rows = dict.fromkeys(map(tuple, met.tolist()))
    return [(*order[row[-1]], row[:-1]) for row in rows]


def flat(tariff: Tariff) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The trees as rows of numbers, made anew only when something has been learnt."""
    return tariff.flat()


@compiled
def walk(trees: tuple[Numbers, ...], root: int, features: Numbers, answers: Numbers) -> int:
    """Down one tree: the number of a leaf, or MISSING."""
    _, reads, base, child, _ = trees
    at = root
    while at >= 0:
        place = reads[at]
        if place < 0:
            return MISSING
        value = features[place] if place < ALL else answers[place - ALL]
        if value >= base[at + 1] - base[at]:
            return MISSING
        at = child[base[at] + value]
    return at if at == MISSING else -2 - at


@compiled
def add_up(
    trees: tuple[Numbers, ...], kind: int, features: Numbers, answers: Numbers, net: Numbers, met: Numbers, unknown: int
) -> int:
    """All rules of a kind over one fact, added to `net`; its fifth number tells of silence. How many are unknown."""
    roots, leaves = trees[0], trees[4]
    for at in range(roots.shape[0]):
        if roots[at, 0] != kind:
            continue
        leaf = walk(trees, roots[at, 1], features, answers)
        if leaf == MISSING:
            if unknown < met.shape[0]:
                met[unknown, :ALL], met[unknown, ALL] = features, at
            unknown += 1
        else:
            net += leaves[leaf]
    return unknown


@compiled
def look_up(
    trees: tuple[Numbers, ...], answers: Numbers, deals: tuple[Numbers, ...], suit: int, nets: Numbers, became: Numbers, met: Numbers
) -> int:
    """Price what can be priced; how many situations are written down in `met` that nobody has learnt yet."""
    facts, told, fields, points = deals
    features, net, unknown = np.zeros(ALL, np.int64), np.zeros(5, np.int64), 0
    for at in range(became.size):
        if became[at] != UNKNOWN:
            continue
        if told[at] >> FORBIDDEN & 1:
            became[at] = FORBID
            continue
        before = unknown
        net[:] = 0
        features[FIRST_OUTCOME:] = fields[:, at]
        for special in range(SPECIAL):
            fact = facts[special, at]
            manner = fact >> MANNER & 3
            if manner == bits.ASIDE and special < 4:
                continue  # no rule looks at an ace that nobody held
            spread(fact, suit if special == 4 else special, features)
            unknown = add_up(trees, 1 if special == 4 else 0, features, answers, net, met, unknown)
        features[:FIRST_OUTCOME] = 0
        for seat in range(SEATS):
            features[F_PLAYER], features[F_POINTS] = seat + 1, points[seat, at]
            unknown = add_up(trees, 2, features, answers, net, met, unknown)
        if unknown == before:
            became[at] = SILENT if net[4] else SETTLED
            nets[:, at] = net[:4]
        if unknown >= met.shape[0]:
            return met.shape[0]
    return unknown


@compiled
def spread(fact: int, suit: int, features: Numbers) -> None:
    """What one number tells of a fact, each thing in its place."""
    manner = fact >> MANNER & 3
    here = np.int64(manner != bits.ASIDE)
    features[F_PLAYER] = ((fact >> PLAYER & 3) + 1) * here
    features[F_LEADER] = ((fact >> LEADER & 3) + 1) * here
    features[F_TAKER] = ((fact >> TAKER & 3) + 1) * here
    features[F_MANNER] = manner
    features[F_TRICK] = fact >> TRICK & 15
    features[F_ALONE] = fact >> ALONE & 1
    features[F_FREE] = fact >> FREE & 1
    features[F_COURT] = fact >> COURT & 1
    features[F_HIGHEST] = fact >> HIGHEST & 7
    features[F_PRIVILEGED] = fact >> PRIVILEGED & 1
    features[F_SUIT] = suit
    features[F_POINTS] = 0


assert FIELDS and PLACE["player"] == F_PLAYER and PLACE["points"] == F_POINTS and At.QUINOLA >= 0
