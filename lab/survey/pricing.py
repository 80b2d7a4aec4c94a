"""Price many deals under a ruleset by looking them up in the tariff, which learns what it does not know yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from engine.cards import suit_of
from engine.settlement.payments.rules import PaymentRule
from lab.survey import buffers as bits
from lab.survey.buffers import (
    ALONE,
    COURT,
    FORBIDDEN,
    FREE,
    HIGHEST,
    LEADER,
    MANNER,
    PLAYER,
    PRIVILEGED,
    QUEEN_LED,
    SPECIAL_CARDS,
    TAKER,
    TRICK,
    IntArray,
    PlayedDeals,
)
from lab.survey.jit import i64, jit_compile, jit_inline, wrap_overflow
from lab.survey.outcomes.layout import (
    BREAK,
    ESPAGNOLETTE_FIELD,
    HERO,
    LOSER,
    STAKE_FIELD,
    STAKE_WON,
    TALON_FIELD,
    TWIN,
    WINNER,
)
from lab.survey.request import SURVEY_SEATS
from lab.survey.tariff import (
    FEATURE_NAMES,
    FEATURE_PLACES,
    MISSING,
    OF_FACT,
    SURVEYED_FACT_KINDS,
    SURVEYED_RULES,
    Tariff,
)
from rulebook.model import Ruleset

(
    F_PLAYER, F_LEADER, F_TAKER, F_MANNER, F_TRICK, F_ALONE, F_FREE, F_COURT, F_QUEEN, F_HIGHEST, F_PRIVILEGED, F_SUIT,
    F_POINTS,
) = (FEATURE_PLACES[name] for name in OF_FACT)  # fmt: skip
Roots: TypeAlias = "tuple[tuple[PaymentRule, str], ...]"  #: rules with the kind of fact they look at
FIRST_OUTCOME, FEATURE_COUNT = len(OF_FACT), len(FEATURE_NAMES)
PRICED_SETTLED, PRICED_SILENT, PRICED_FORBIDDEN, PRICED_UNKNOWN = range(4)  #: what became of a deal
_LEARN_BATCH = 4096  #: so many unknown situations are learnt before the rest of the deals are looked at


@dataclass(frozen=True, slots=True)
class Priced:
    """Some deals under one ruleset: what each seat wins, and what became of each deal."""

    net: IntArray  #: [deals, 4]
    became: IntArray  #: [deals] PRICED_SETTLED, PRICED_SILENT or PRICED_FORBIDDEN


@dataclass(frozen=True, slots=True)
class FactTables:
    """Lookup tables of single facts under one ruleset, for ordinary deals.

    They hold where nobody plays for the reversis or the espagnolette.

    Such deals are nearly all, and their facts few; so each is looked up whole, once all its rules have been gone
    through. The numbers of the four seats are packed into one. Where a rule reads more than these tables tell apart,
    they are not used.
    """

    aces: IntArray
    quinola: IntArray
    seats: IntArray
    by_points: bool  #: what a seat owes goes by its points, or else by the talon


_LARGEST_PACKED_NET = 3600  #: nine of them, for nine facts, are still a number of sixteen bits
UNFILLED = np.iinfo(np.int64).min  #: nothing is known; it is kept as nought, so that empty tables take no room
ACE_READS = ("player", "leader", "taker", "manner", "trick", "alone", "free", "suit", "winner")
QUINOLA_READS = (*ACE_READS, "court_led", "highest_before", "privileged", "stake_won")
SEAT_READS = ("player", "winner", "loser", "twin", "stake_winners", "stake_won")
#: nought in such a deal
NEVER_READ = ("hero", "made", "breakers", "broken_in", "espagnolette", "espagnolette_lost", "kept")


def make_fact_tables(tariff: Tariff, ruleset: Ruleset) -> FactTables | None:
    """Make empty tables; None where a rule reads more than they could tell apart."""
    by_points = goes_by_points(tariff, ruleset)
    if by_points is None:
        return None
    sizes = 1 << 16 + 3, 1 << 19 + 4, 4 * 5 * 5 * 5 * 64 * 17
    aces, quinola, seats = (np.zeros(size, np.int64) for size in sizes)
    return FactTables(aces, quinola, seats, by_points)


def goes_by_points(tariff: Tariff, ruleset: Ruleset) -> bool | None:
    """Return whether a seat's debt goes by its points, as far as is known; None: no tables will do."""
    reads = {kind: frozenset[str]() for kind in SURVEYED_FACT_KINDS}
    for (_, kind), places in tariff.read_by(ruleset).items():
        reads[kind] |= {FEATURE_NAMES[place] for place in places if place < FEATURE_COUNT} - {*NEVER_READ}
    by_points = "talon_value" not in reads["seat"]
    seat = (*SEAT_READS, "points" if by_points else "talon_value")
    if not all(
        reads[kind] <= {*may} for kind, may in zip(SURVEYED_FACT_KINDS, (ACE_READS, QUINOLA_READS, seat), strict=True)
    ):
        return None
    return by_points


def all_roots(tariff: Tariff) -> Roots:
    """Every rule with the kind of fact that it looks at, and where its tree begins."""
    return tuple((rule, kind) for kind in SURVEYED_FACT_KINDS for rule in SURVEYED_RULES if kind in rule.kinds)


def further_roots(tariff: Tariff) -> Roots:
    """The rules that are applied to a further privileged card, and to its pool, once more."""
    return tuple((rule, kind) for rule, kind in all_roots(tariff) if kind == "quinola" or rule.each_pool)


def add_prices(first: Priced, other: Priced) -> Priced:
    """Add up what two parts of the rules come to; a deal is settled only if both settle it."""
    became = np.where(first.became == PRICED_SETTLED, other.became, first.became)
    return Priced(first.net + other.net, became)


def find_affected_roots(tariff: Tariff, ruleset: Ruleset, other: Ruleset) -> Roots:
    """Find the rules that may pay otherwise under another ruleset.

    These are the rules that have read an answer in which the two differ.

    The trees must know already what the one comes to in these deals. A rule that then reads no such answer goes the
    same way under both.
    """
    differ = {
        FEATURE_COUNT + int(at) for at in np.flatnonzero(tariff.answers.row(ruleset) != tariff.answers.row(other))
    }
    reads = tariff.read_by(ruleset)
    return tuple((rule, kind) for rule, kind in all_roots(tariff) if reads[rule.name, kind] & differ)


def price_deals(
    ruleset: Ruleset,
    tariff: Tariff,
    deals: PlayedDeals,
    outcome: tuple[IntArray, IntArray],
    quinola: int,
    roots: Roots,
    tables: FactTables | None = None,
) -> Priced:
    """Price all deals under some rules of a ruleset; the tariff learns what it does not know."""
    priced = Priced(
        np.zeros((deals.taken.size, SURVEY_SEATS), np.int64), np.full(deals.taken.size, PRICED_UNKNOWN, np.int64)
    )
    starts = np.array(
        [[SURVEYED_FACT_KINDS.index(kind), tariff.roots[rule.name, kind]] for rule, kind in roots], np.int64
    ).reshape(-1, 2)
    answers, met = tariff.answers.row(ruleset), np.zeros((_LEARN_BATCH, FEATURE_COUNT + 1), np.int64)
    nothing = np.zeros(0, np.int64)
    without = FactTables(nothing, nothing, nothing, False)
    while True:
        with_tables = tables or without
        unknown = look_up(
            (starts, *tariff.flat()),
            answers,
            (deals.facts, deals.told, *outcome),
            suit_of(quinola),
            (with_tables.aces, with_tables.quinola, with_tables.seats),
            with_tables.by_points,
            priced.net,
            priced.became,
            met,
        )
        if unknown == 0:
            return priced
        for rule, kind, features in [
            (*roots[row[-1]], row[:-1]) for row in dict.fromkeys(map(tuple, met[:unknown].tolist()))
        ]:
            tariff.learn(rule, kind, features, ruleset)
        if tables and goes_by_points(tariff, ruleset) != tables.by_points:
            tables = None  # what has just been learnt reads something that they do not tell apart


@jit_inline
def walk_tariff_tree(trees: tuple[IntArray, ...], root: int, features: IntArray, answers: IntArray) -> int:
    """Walk down one tree to the number of a leaf, or MISSING."""
    _, reads, begins, widths, branches, _ = trees
    at = root
    while at >= 0:
        place = reads[at]
        if place < 0:
            return MISSING
        value = features[place] if place < FEATURE_COUNT else answers[place - FEATURE_COUNT]
        if value >= widths[at]:
            return MISSING
        at = branches[begins[at] + value]
    return at if at == MISSING else -2 - at


@jit_inline
def add_up(
    trees: tuple[IntArray, ...],
    kind: int,
    features: IntArray,
    answers: IntArray,
    net: IntArray,
    met: IntArray,
    unknown: int,
) -> int:
    """Add up what all rules of a kind pay for a fact, `net[4]` for silence; return how many are unknown."""
    roots, leaves = trees[0], trees[5]
    for seat in range(5):
        net[seat] = 0
    for at in range(roots.shape[0]):
        if roots[at, 0] != kind:
            continue
        leaf = walk_tariff_tree(trees, roots[at, 1], features, answers)
        if leaf == MISSING:
            if unknown < met.shape[0]:
                for place in range(FEATURE_COUNT):
                    met[unknown, place] = features[place]
                met[unknown, FEATURE_COUNT] = at
            unknown += 1
        else:
            for seat in range(5):
                net[seat] += leaves[leaf, seat]
    return unknown


@jit_compile
def has_rule_for_kind(roots: IntArray, kind: int) -> bool:
    """Return whether any of the rules looks at such a fact."""
    return bool((roots[:, 0] == kind).any())


@jit_compile
def pack_nets(net: IntArray) -> int:
    """Pack four seats' numbers into one; UNFILLED where they are too large or rules are silent."""
    for seat in range(4):
        if net[4] or net[seat] > _LARGEST_PACKED_NET or net[seat] < -_LARGEST_PACKED_NET:
            return UNFILLED
    return net[0] + (net[1] << 16) + (net[2] << 32) + (net[3] << 48)


@jit_compile
def unpack_nets(sums: int, nets: IntArray, at: int) -> None:
    """Unpack a sum of packed numbers."""
    for seat in range(4):
        low = ((sums & 0xFFFF) ^ 0x8000) - 0x8000
        nets[at, seat] = low
        sums = (sums - low) >> 16


@jit_compile
@wrap_overflow
def look_up_ordinary_deal(
    deals: tuple[IntArray, ...], at: int, suit: int, tables: tuple[IntArray, ...], by_points: bool, places: IntArray
) -> int:
    """Look up a deal whole, packed, and note where its facts stand; UNFILLED if one is not known yet."""
    facts, _, fields, points = deals
    aces, quinola, seats = tables
    winner, loser, twin, stake = fields[at, WINNER], fields[at, LOSER], fields[at, TWIN], fields[at, STAKE_FIELD]
    talon, total, full = fields[at, TALON_FIELD], i64(0), True
    by_tricks = 16 if stake == 0 and fields[at, STAKE_WON] else stake  # 16: it is won, but not by tricks
    if loser > 4 or twin > 4 or winner > 4 or stake > 15 or fields[at, STAKE_WON] > 1 or (talon > 63 and not by_points):
        places[:] = -1
        return UNFILLED
    for special in range(4):
        fact = facts[special, at]
        places[special] = -1
        if fact >> MANNER & 3 != bits.IN_TALON:
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


@jit_inline
def store_fact_price(table: IntArray, place: int, net: IntArray) -> None:
    """Store the price of one fact."""
    table[place] = pack_nets(net) ^ UNFILLED


@jit_compile
def price_deal_by_rules(
    trees: tuple[IntArray, ...],
    answers: IntArray,
    deals: tuple[IntArray, ...],
    at: int,
    suit: int,
    looks: tuple[bool, bool, bool],
    known: tuple[IntArray, IntArray, IntArray, IntArray],
    room: tuple[IntArray, IntArray, IntArray],
    met: IntArray,
    unknown: int,
) -> int:
    """Price one deal, every rule over every fact, adding to `room`'s second row.

    `make_fact_tables`: tables to be filled, and where.
    """
    facts, _, fields, points = deals
    features, net, fact_net = room
    aces, quinola, seats, places = known
    for field in range(FEATURE_COUNT - FIRST_OUTCOME):
        features[FIRST_OUTCOME + field] = fields[at, field]
    for special in range(SPECIAL_CARDS):
        fact, kind = facts[special, at], int(special == 4)
        # no rule looks at an ace that nobody held
        if (fact >> MANNER & 3 != bits.IN_TALON or special == 4) and looks[kind]:
            unpack_fact(fact, suit if special == 4 else special, features)
            before = unknown
            unknown = add_up(trees, kind, features, answers, fact_net, met, unknown)
            if unknown == before and places[special] >= 0:
                store_fact_price(quinola if special == 4 else aces, places[special], fact_net)
            for seat in range(5):
                net[seat] += fact_net[seat]
    if looks[2]:
        for feature in range(FIRST_OUTCOME):
            features[feature] = 0
        for player in range(SURVEY_SEATS):
            features[F_PLAYER], features[F_POINTS] = player + 1, points[at, player]
            before = unknown
            unknown = add_up(trees, 2, features, answers, fact_net, met, unknown)
            if unknown == before and places[5 + player] >= 0:
                store_fact_price(seats, places[5 + player], fact_net)
            for seat in range(5):
                net[seat] += fact_net[seat]
    return unknown


@jit_inline
def is_outcome_unknown(fields: IntArray, at: int) -> bool:
    """Return whether the outcome leaves open what a summary of the deal needs."""
    return (
        fields[at, HERO] > 4
        or fields[at, BREAK] > 15
        or fields[at, ESPAGNOLETTE_FIELD] > 4
        or fields[at, WINNER] > 4
        or fields[at, LOSER] > 4
    )


@jit_compile
def look_up(
    trees: tuple[IntArray, ...],
    answers: IntArray,
    deals: tuple[IntArray, ...],
    suit: int,
    tables: tuple[IntArray, IntArray, IntArray],
    by_points: bool,
    nets: IntArray,
    became: IntArray,
    met: IntArray,
) -> int:
    """Price what can be priced; write the situations not yet learnt into `met`, return their number."""
    _, flags, fields, _ = deals
    features, net, fact_net = np.zeros(FEATURE_COUNT, np.int64), np.zeros(5, np.int64), np.zeros(5, np.int64)
    places, unknown, whole = np.full(9, -1, np.int64), 0, tables[0].size > 0
    looks = has_rule_for_kind(trees[0], 0), has_rule_for_kind(trees[0], 1), has_rule_for_kind(trees[0], 2)
    for at in range(became.size):
        if became[at] != PRICED_UNKNOWN:
            continue
        if flags[at] >> FORBIDDEN & 1:
            became[at] = PRICED_FORBIDDEN
            continue
        places[4] = -1
        if whole and fields[at, HERO] == 0 and fields[at, ESPAGNOLETTE_FIELD] == 0:
            sums = look_up_ordinary_deal(deals, at, suit, tables, by_points, places)
            if sums != UNFILLED:
                unpack_nets(sums, nets, at)
                became[at] = PRICED_SETTLED
                continue
        if places[4] < 0:
            places[:] = -1
        before, net[:] = unknown, 0
        known = tables[0], tables[1], tables[2], places
        unknown = price_deal_by_rules(
            trees, answers, deals, at, suit, looks, known, (features, net, fact_net), met, unknown
        )
        if unknown == before:
            became[at] = PRICED_SILENT if net[4] or is_outcome_unknown(fields, at) else PRICED_SETTLED
            for seat in range(SURVEY_SEATS):
                nets[at, seat] = net[seat]
        if unknown >= met.shape[0]:
            return met.shape[0]
    return unknown


@jit_compile
def unpack_fact(fact: int, suit: int, features: IntArray) -> None:
    """Unpack the number that encodes a fact, each part in its place."""
    manner = fact >> MANNER & 3
    here = i64(manner != bits.IN_TALON)
    features[F_PLAYER] = ((fact >> PLAYER & 3) + 1) * here
    features[F_LEADER] = ((fact >> LEADER & 3) + 1) * here
    features[F_TAKER] = ((fact >> TAKER & 3) + 1) * here
    features[F_MANNER] = manner
    features[F_TRICK] = fact >> TRICK & 15
    features[F_ALONE] = fact >> ALONE & 1
    features[F_FREE] = fact >> FREE & 1
    features[F_COURT] = fact >> COURT & 1
    features[F_QUEEN] = fact >> QUEEN_LED & 1
    features[F_HIGHEST] = fact >> HIGHEST & 7
    features[F_PRIVILEGED] = fact >> PRIVILEGED & 1
    features[F_SUIT] = suit
    features[F_POINTS] = 0
