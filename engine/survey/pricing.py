"""What many deals come to under a ruleset: looked up in the tariff, which learns what it does not know yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from engine.cards import suit_of
from engine.settlement.payments.rules import Rule
from engine.survey import buffers as bits
from engine.survey.buffers import (
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
from engine.survey.jit import compiled, i64, inlined, wrapping
from engine.survey.outcomes.layout import BREAK, ESPAGNOLETTE, HERO, LOSER, STAKE, STAKE_WON, TALON, TWIN, WINNER
from engine.survey.request import SEATS
from engine.survey.tariff import KINDS, MISSING, NAMES, OF_FACT, PLACE, SURVEYED, Tariff
from rulebook.model import Ruleset

(
    F_PLAYER, F_LEADER, F_TAKER, F_MANNER, F_TRICK, F_ALONE, F_FREE, F_COURT, F_HIGHEST, F_PRIVILEGED, F_SUIT, F_POINTS,
) = (PLACE[name] for name in OF_FACT)  # fmt: skip
Roots: TypeAlias = "tuple[tuple[Rule, str], ...]"  #: rules with the kind of fact they look at
FIRST_OUTCOME, ALL = len(OF_FACT), len(NAMES)
SETTLED, SILENT, FORBID, UNKNOWN = range(4)  #: what became of a deal
AT_ONCE = 4096  #: so many unknown situations are learnt before the rest of the deals are looked at


@dataclass(frozen=True, slots=True)
class Priced:
    """Some deals under one ruleset: what each seat wins, and what became of each deal."""

    net: Numbers  #: [deals, 4]
    became: Numbers  #: [deals] SETTLED, SILENT or FORBID


@dataclass(frozen=True, slots=True)
class Known:
    """What single facts come to under one ruleset where nobody plays for the reversis or the espagnolette.

    Such deals are nearly all, and their facts few; so each is looked up whole, once all its rules have been gone
    through. The numbers of the four seats are packed into one. Where a rule reads more than these tables tell apart,
    they are not used.
    """

    aces: Numbers
    quinola: Numbers
    seats: Numbers
    by_points: bool  #: what a seat owes goes by its points, or else by the talon


LARGEST = 3600  #: nine of them, for nine facts, are still a number of sixteen bits
UNFILLED = np.iinfo(np.int64).min  #: nothing is known; it is kept as nought, so that empty tables take no room
ACE_READS = ("player", "leader", "taker", "manner", "trick", "alone", "free", "suit", "winner")
QUINOLA_READS = (*ACE_READS, "court_led", "highest_before", "privileged", "stake_won")
SEAT_READS = ("player", "winner", "loser", "twin", "stake_winners", "stake_won")
#: nought in such a deal
NEVER_READ = ("hero", "made", "breakers", "broken_in", "espagnolette", "espagnolette_lost", "kept")


def known(tariff: Tariff, ruleset: Ruleset) -> Known | None:
    """Empty tables; None where a rule reads more than they could tell apart."""
    by_points = goes_by_points(tariff, ruleset)
    if by_points is None:
        return None
    sizes = 1 << 16 + 3, 1 << 19 + 4, 4 * 5 * 5 * 5 * 64 * 17
    aces, quinola, seats = (np.zeros(size, np.int64) for size in sizes)
    return Known(aces, quinola, seats, by_points)


def goes_by_points(tariff: Tariff, ruleset: Ruleset) -> bool | None:
    """Whether what a seat owes goes by its points, as far as the trees have grown; None where tables would not do."""
    reads = {kind: frozenset[str]() for kind in KINDS}
    for (_, kind), places in tariff.read_by(ruleset).items():
        reads[kind] |= {NAMES[place] for place in places if place < ALL} - {*NEVER_READ}
    by_points = "talon_value" not in reads["seat"]
    seat = (*SEAT_READS, "points" if by_points else "talon_value")
    if not all(reads[kind] <= {*may} for kind, may in zip(KINDS, (ACE_READS, QUINOLA_READS, seat), strict=True)):
        return None
    return by_points


def all_roots(tariff: Tariff) -> Roots:
    """Every rule with the kind of fact that it looks at, and where its tree begins."""
    return tuple((rule, kind) for kind in KINDS for rule in SURVEYED if kind in rule.kinds)


def affected(tariff: Tariff, one: Ruleset, other: Ruleset) -> Roots:
    """The rules that may pay otherwise under another ruleset: those that have read an answer in which the two differ.

    The trees must know already what the one comes to in these deals. A rule that then reads no such answer goes the
    same way under both.
    """
    differ = {ALL + int(at) for at in np.flatnonzero(tariff.answers.row(one) != tariff.answers.row(other))}
    reads = tariff.read_by(one)
    return tuple((rule, kind) for rule, kind in all_roots(tariff) if reads[rule.name, kind] & differ)


def price(
    ruleset: Ruleset,
    tariff: Tariff,
    deals: Played,
    outcome: tuple[Numbers, Numbers],
    quinola: int,
    roots: Roots,
    tables: Known | None = None,
) -> Priced:
    """All deals under a ruleset, as far as some rules go; what the tariff does not know is learnt on the way."""
    found = Priced(np.zeros((deals.taken.size, SEATS), np.int64), np.full(deals.taken.size, UNKNOWN, np.int64))
    starts = np.array([[KINDS.index(kind), tariff.roots[rule.name, kind]] for rule, kind in roots], np.int64).reshape(
        -1, 2
    )
    answers, met = tariff.answers.row(ruleset), np.zeros((AT_ONCE, ALL + 1), np.int64)
    nothing = np.zeros(0, np.int64)
    without = Known(nothing, nothing, nothing, False)
    while True:
        with_tables = tables or without
        unknown = look_up(
            (starts, *tariff.flat()),
            answers,
            (deals.facts, deals.told, *outcome),
            suit_of(quinola),
            (with_tables.aces, with_tables.quinola, with_tables.seats),
            with_tables.by_points,
            found.net,
            found.became,
            met,
        )
        if unknown == 0:
            return found
        for rule, kind, features in distinct(roots, met[:unknown]):
            tariff.learn(rule, kind, features, ruleset)
        if tables and goes_by_points(tariff, ruleset) != tables.by_points:
            tables = None  # what has just been learnt reads something that they do not tell apart


def distinct(roots: Roots, met: Numbers) -> list[tuple[Rule, str, tuple[int, ...]]]:
    """Each unknown situation once."""
    rows = dict.fromkeys(map(tuple, met.tolist()))
    return [(*roots[row[-1]], row[:-1]) for row in rows]


@inlined
def walk(trees: tuple[Numbers, ...], root: int, features: Numbers, answers: Numbers) -> int:
    """Down one tree: the number of a leaf, or MISSING."""
    _, reads, begins, widths, branches, _ = trees
    at = root
    while at >= 0:
        place = reads[at]
        if place < 0:
            return MISSING
        value = features[place] if place < ALL else answers[place - ALL]
        if value >= widths[at]:
            return MISSING
        at = branches[begins[at] + value]
    return at if at == MISSING else -2 - at


@inlined
def add_up(
    trees: tuple[Numbers, ...], kind: int, features: Numbers, answers: Numbers, net: Numbers, met: Numbers, unknown: int
) -> int:
    """What all rules of a kind make of one fact; the fifth number of `net` tells of silence. How many are unknown."""
    roots, leaves = trees[0], trees[5]
    for seat in range(5):
        net[seat] = 0
    for at in range(roots.shape[0]):
        if roots[at, 0] != kind:
            continue
        leaf = walk(trees, roots[at, 1], features, answers)
        if leaf == MISSING:
            if unknown < met.shape[0]:
                for place in range(ALL):
                    met[unknown, place] = features[place]
                met[unknown, ALL] = at
            unknown += 1
        else:
            for seat in range(5):
                net[seat] += leaves[leaf, seat]
    return unknown


@compiled
def any_of(roots: Numbers, kind: int) -> bool:
    """Whether any of the rules looks at such a fact."""
    return bool((roots[:, 0] == kind).any())


@compiled
def packed(net: Numbers) -> int:
    """The numbers of four seats in one; UNFILLED where they are too large, or where the rules are silent."""
    for seat in range(4):
        if net[4] or net[seat] > LARGEST or net[seat] < -LARGEST:
            return UNFILLED
    return net[0] + (net[1] << 16) + (net[2] << 32) + (net[3] << 48)


@compiled
def unpacked(sums: int, nets: Numbers, at: int) -> None:
    """Several packed numbers added up, and taken apart again."""
    for seat in range(4):
        low = ((sums & 0xFFFF) ^ 0x8000) - 0x8000
        nets[at, seat] = low
        sums = (sums - low) >> 16


@compiled
@wrapping
def usual(
    deals: tuple[Numbers, ...], at: int, suit: int, tables: tuple[Numbers, ...], by_points: bool, places: Numbers
) -> int:
    """A deal looked up whole: packed; UNFILLED where one of its facts is not known yet. `places`: where they stand."""
    facts, _, fields, points = deals
    aces, quinola, seats = tables
    winner, loser, twin, stake = fields[at, WINNER], fields[at, LOSER], fields[at, TWIN], fields[at, STAKE]
    talon, total, full = fields[at, TALON], i64(0), True
    by_tricks = 16 if stake == 0 and fields[at, STAKE_WON] else stake  # 16: it is won, but not by tricks
    if loser > 4 or twin > 4 or winner > 4 or stake > 15 or fields[at, STAKE_WON] > 1 or (talon > 63 and not by_points):
        places[:] = -1
        return UNFILLED
    for special in range(4):
        fact = facts[special, at]
        places[special] = -1
        if fact >> MANNER & 3 != bits.ASIDE:
            place = (fact & 0x3FFF) | special << 14 | winner << 16
            places[special] = place
            full &= aces[place] != 0
            total += aces[place] ^ UNFILLED
    place = (facts[4, at] & 0x7FFFF) | winner << 19 | fields[at, STAKE_WON] << 22
    places[4] = place
    full &= quinola[place] != 0
    total += quinola[place] ^ UNFILLED
    for seat in range(4):
        debt = points[at, seat] if by_points else talon
        place = ((((by_tricks * 5 + winner) * 5 + loser) * 5 + twin) * 4 + seat) * 64 + debt
        places[5 + seat] = place
        full &= seats[place] != 0
        total += seats[place] ^ UNFILLED
    return total if full else UNFILLED


@inlined
def fill(table: Numbers, place: int, net: Numbers) -> None:
    """Keep what one fact comes to."""
    table[place] = packed(net) ^ UNFILLED


@compiled
def gone_through(
    trees: tuple[Numbers, ...],
    answers: Numbers,
    deals: tuple[Numbers, ...],
    at: int,
    suit: int,
    looks: tuple[bool, bool, bool],
    known: tuple[Numbers, Numbers, Numbers, Numbers],
    room: tuple[Numbers, Numbers, Numbers],
    met: Numbers,
    unknown: int,
) -> int:
    """One deal, every rule over every fact, added to `room`'s second row. `known`: tables to be filled, and where."""
    facts, _, fields, points = deals
    features, net, one = room
    aces, quinola, seats, places = known
    for field in range(ALL - FIRST_OUTCOME):
        features[FIRST_OUTCOME + field] = fields[at, field]
    for special in range(SPECIAL):
        fact, kind = facts[special, at], int(special == 4)
        # no rule looks at an ace that nobody held
        if (fact >> MANNER & 3 != bits.ASIDE or special == 4) and looks[kind]:
            spread(fact, suit if special == 4 else special, features)
            before = unknown
            unknown = add_up(trees, kind, features, answers, one, met, unknown)
            if unknown == before and places[special] >= 0:
                fill(quinola if special == 4 else aces, places[special], one)
            for seat in range(5):
                net[seat] += one[seat]
    if looks[2]:
        for feature in range(FIRST_OUTCOME):
            features[feature] = 0
        for player in range(SEATS):
            features[F_PLAYER], features[F_POINTS] = player + 1, points[at, player]
            before = unknown
            unknown = add_up(trees, 2, features, answers, one, met, unknown)
            if unknown == before and places[5 + player] >= 0:
                fill(seats, places[5 + player], one)
            for seat in range(5):
                net[seat] += one[seat]
    return unknown


@inlined
def untold(fields: Numbers, at: int) -> bool:
    """Whether something is left open without which nobody can say in a few words how the deal ended."""
    return (
        fields[at, HERO] > 4
        or fields[at, BREAK] > 15
        or fields[at, ESPAGNOLETTE] > 4
        or fields[at, WINNER] > 4
        or fields[at, LOSER] > 4
    )


@compiled
def look_up(
    trees: tuple[Numbers, ...],
    answers: Numbers,
    deals: tuple[Numbers, ...],
    suit: int,
    tables: tuple[Numbers, Numbers, Numbers],
    by_points: bool,
    nets: Numbers,
    became: Numbers,
    met: Numbers,
) -> int:
    """Price what can be priced; how many situations are written down in `met` that nobody has learnt yet."""
    _, told, fields, _ = deals
    features, net, one = np.zeros(ALL, np.int64), np.zeros(5, np.int64), np.zeros(5, np.int64)
    places, unknown, whole = np.full(9, -1, np.int64), 0, tables[0].size > 0
    looks = any_of(trees[0], 0), any_of(trees[0], 1), any_of(trees[0], 2)
    for at in range(became.size):
        if became[at] != UNKNOWN:
            continue
        if told[at] >> FORBIDDEN & 1:
            became[at] = FORBID
            continue
        places[4] = -1
        if whole and fields[at, HERO] == 0 and fields[at, ESPAGNOLETTE] == 0:
            sums = usual(deals, at, suit, tables, by_points, places)
            if sums != UNFILLED:
                unpacked(sums, nets, at)
                became[at] = SETTLED
                continue
        if places[4] < 0:
            places[:] = -1
        before, net[:] = unknown, 0
        known = tables[0], tables[1], tables[2], places
        unknown = gone_through(trees, answers, deals, at, suit, looks, known, (features, net, one), met, unknown)
        if unknown == before:
            became[at] = SILENT if net[4] or untold(fields, at) else SETTLED
            for seat in range(SEATS):
                nets[at, seat] = net[seat]
        if unknown >= met.shape[0]:
            return met.shape[0]
    return unknown


@compiled
def spread(fact: int, suit: int, features: Numbers) -> None:
    """What one number tells of a fact, each thing in its place."""
    manner = fact >> MANNER & 3
    here = i64(manner != bits.ASIDE)
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
