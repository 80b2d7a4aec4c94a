"""Outcomes of deals, one after another."""

from __future__ import annotations

import numpy as np

from lab.survey.buffers import FORBIDDEN, HOLDER, MANNER, RENOUNCED, THROWN_OFF, IntArray
from lab.survey.jit import count_bits, find_lowest_bit, i64, jit_compile, jit_inline
from lab.survey.outcomes.layout import (
    ACE_,
    B_EACH,
    B_FIRST,
    BEST_FIRST,
    BEST_LAST,
    BONUS,
    BREAK,
    BREAKER,
    BROKEN_IN,
    BY_TRICKS,
    COUNT_COLUMNS,
    COURT_,
    DRAW,
    ESP_LOST,
    ESPAGNOLETTE_FIELD,
    HERO,
    IN_REV,
    KEPT_FIELD,
    KING_,
    KNAVE_,
    L_ANY,
    LAST_FREE,
    LOSER,
    LOSERS,
    LOSES,
    MADE_FIELD,
    MARKING,
    NEVER_,
    OPEN_FIELD_CODES,
    PAYS,
    POINTS_TAKEN,
    QUEEN_,
    SHARE,
    STAKE_FIELD,
    STAKE_WON,
    STAND,
    TALON_FIELD,
    TRICKS_,
    TWIN,
    U_HOLDING,
    UNDER,
    UNTIL,
    VALUES,
    WINNER,
    WINNERS,
    WINS_,
    WINS_TRICK,
    WORST_FIRST,
    WORST_LAST,
)
from lab.survey.outcomes.ranking import best_seat, equal_seats


# ---- the fields
@jit_inline
def count_tricks(o: IntArray, taken: int, counts: IntArray) -> None:
    """Count points, tricks, marking cards and court cards of each seat."""
    for seat in range(4):
        bits = taken >> 16 * seat
        aces, kings, queens, knaves = bits & 7, bits >> 3 & 7, bits >> 6 & 7, bits >> 9 & 7
        counts[seat, POINTS_TAKEN] = aces * o[ACE_] + kings * o[KING_] + queens * o[QUEEN_] + knaves * o[KNAVE_]
        counts[seat, TRICKS_] = bits >> 12 & 15
        counts[seat, MARKING] = aces + kings + queens + knaves
        counts[seat, COURT_] = aces + kings + queens


@jit_inline
def has_taken(takers: int, seat: int, first: int) -> bool:
    """Return whether a seat has taken a trick from that one on, counted from 0."""
    taken = False
    for trick in range(11):
        taken |= (trick >= first) & (takers >> 2 * trick & 3 == seat)
    return taken


@jit_inline
def find_reversis(o: IntArray, takers: int, f: IntArray) -> None:
    """Find who has undertaken the reversis, whether it was made, and who has broken it where."""
    first = takers & 3
    f[HERO], f[MADE_FIELD], f[BREAK], f[BROKEN_IN] = 0, 0, 0, 0
    for trick in range(11 - o[LAST_FREE]):
        if takers >> 2 * trick & 3 != first:
            return
    f[HERO], f[MADE_FIELD] = first + 1, 1
    against = i64(0)
    for trick in range(11):
        taker = takers >> 2 * trick & 3
        if taker != first:
            f[MADE_FIELD] = 0
            if f[BROKEN_IN] == 0:
                f[BROKEN_IN] = trick + 1
                against = 1 << taker
            elif o[BREAKER] == B_EACH:
                against |= 1 << taker
    if f[BROKEN_IN]:
        f[BREAK] = (
            OPEN_FIELD_CODES[BREAK]
            if o[BREAKER] < 0
            else against
            if o[BREAKER] == B_FIRST or o[BREAKER] == B_EACH
            else 0
        )


@jit_inline
def find_espagnolette(o: IntArray, takers: int, flags: int, f: IntArray) -> None:
    """Find who has undertaken the espagnolette, whether it is lost, and stands beside a broken reversis."""
    holder = flags >> HOLDER & 7
    f[ESPAGNOLETTE_FIELD], f[ESP_LOST], f[KEPT_FIELD] = 0, 0, 0
    if holder == 0:
        return
    if o[UNDER] < 0:
        f[ESPAGNOLETTE_FIELD], f[ESP_LOST] = OPEN_FIELD_CODES[ESPAGNOLETTE_FIELD], OPEN_FIELD_CODES[ESP_LOST]
        f[KEPT_FIELD] = OPEN_FIELD_CODES[KEPT_FIELD] if f[HERO] and not f[MADE_FIELD] else 0
        return
    if (o[UNDER] != U_HOLDING and not flags >> RENOUNCED & 1) or f[HERO] == holder:
        return
    f[ESPAGNOLETTE_FIELD] = holder
    if f[HERO] == 0:
        until = o[UNTIL] if o[LOSES] >= 0 else i64(-1)
        first = 0 if o[LOSES] == L_ANY else 11 - until
        f[ESP_LOST] = OPEN_FIELD_CODES[ESP_LOST] if until < 0 else i64(has_taken(takers, holder - 1, first))
        return
    if f[BREAK] and not has_taken(takers, holder - 1, 0):
        unknown = o[BREAKER] < 0 or o[STAND] < 0
        f[KEPT_FIELD] = OPEN_FIELD_CODES[KEPT_FIELD] if unknown else holder if o[STAND] else 0
    if o[LOSES] < 0 or o[UNTIL] < 0:  # no such deal is told in words without it
        f[ESPAGNOLETTE_FIELD] = OPEN_FIELD_CODES[ESPAGNOLETTE_FIELD]


@jit_inline
def find_partie(o: IntArray, takers: int, counts: IntArray, f: IntArray) -> None:
    """Find who wins the partie, or talon, and who loses it."""
    f[WINNER], f[LOSER], f[TWIN] = find_partie_winner(o, takers, counts, f), 0, 0
    if f[WINNER] == OPEN_FIELD_CODES[WINNER]:
        f[LOSER], f[TWIN] = OPEN_FIELD_CODES[LOSER], OPEN_FIELD_CODES[TWIN]
        return
    if f[WINNER] == 0:
        return
    lost = f[ESP_LOST] == 1
    if f[ESP_LOST] == OPEN_FIELD_CODES[ESP_LOST] or (lost and o[PAYS] < 0):
        f[LOSER] = OPEN_FIELD_CODES[LOSER]
    elif lost and o[PAYS]:
        f[LOSER] = f[ESPAGNOLETTE_FIELD]
    else:
        out = i64(1) << f[WINNER] - 1
        out |= i64(1) << f[HERO] - 1 if f[HERO] and f[KEPT_FIELD] == 0 else 0
        loser = best_seat(o, LOSERS, 15 & ~out, counts)
        f[LOSER] = OPEN_FIELD_CODES[LOSER] if loser < 0 else loser
    if f[LOSER] == OPEN_FIELD_CODES[LOSER]:
        f[TWIN] = OPEN_FIELD_CODES[TWIN]
    elif f[LOSER]:
        for seat in range(3, -1, -1):
            if (
                seat + 1 != f[WINNER]
                and seat + 1 != f[LOSER]
                and counts[seat, POINTS_TAKEN] == counts[f[LOSER] - 1, POINTS_TAKEN]
            ):
                f[TWIN] = seat + 1


@jit_inline
def find_partie_winner(o: IntArray, takers: int, counts: IntArray, f: IntArray) -> int:
    """Return who wins the partie: 1 and the seat; nobody: 0."""
    open_ = OPEN_FIELD_CODES[WINNER]
    if f[HERO] == 0 and (
        f[ESPAGNOLETTE_FIELD] == OPEN_FIELD_CODES[ESPAGNOLETTE_FIELD] or f[ESP_LOST] == OPEN_FIELD_CODES[ESP_LOST]
    ):
        return open_
    candidates = i64(15)
    if f[HERO]:
        if f[KEPT_FIELD] == OPEN_FIELD_CODES[KEPT_FIELD]:
            return open_
        if f[KEPT_FIELD]:
            return f[KEPT_FIELD]
        if o[IN_REV] < 0:
            return open_
        if not o[IN_REV]:
            return i64(0)
        candidates = 15 & ~(i64(1) << f[HERO] - 1)
    elif f[ESPAGNOLETTE_FIELD] and not f[ESP_LOST]:
        wins = o[WINS_TRICK] if has_taken(takers, f[ESPAGNOLETTE_FIELD] - 1, 0) else o[WINS_]
        if wins < 0:
            return open_
        if wins:
            return f[ESPAGNOLETTE_FIELD]
    elif f[ESPAGNOLETTE_FIELD]:
        if o[PAYS] < 0:
            return open_
        candidates = 15 & ~(i64(1) << f[ESPAGNOLETTE_FIELD] - 1) if o[PAYS] else candidates
    winner = best_seat(o, WINNERS, candidates, counts)
    return open_ if winner < 0 else winner


@jit_inline
def find_stake_winners(o: IntArray, quinola: int, counts: IntArray, f: IntArray) -> None:
    """Find who wins the stake by tricks, and whether anybody has won it at all."""
    thrown = quinola >> MANNER & 3 == THROWN_OFF
    f[STAKE_FIELD] = 0
    if f[HERO] == 0:
        if thrown and o[DRAW] < 0:
            f[STAKE_FIELD] = OPEN_FIELD_CODES[STAKE_FIELD]
        elif not (thrown and o[DRAW]):
            f[STAKE_FIELD] = find_winners_by_tricks(o, counts)
    if f[MADE_FIELD]:
        f[STAKE_WON] = OPEN_FIELD_CODES[STAKE_WON] if o[NEVER_] < 0 else 1 - o[NEVER_]
    elif f[STAKE_FIELD] == OPEN_FIELD_CODES[STAKE_FIELD] or (thrown and o[DRAW] < 0):
        f[STAKE_WON] = OPEN_FIELD_CODES[STAKE_WON]
    else:
        f[STAKE_WON] = i64(f[STAKE_FIELD] != 0 or (thrown and o[DRAW] != 0))


@jit_inline
def find_winners_by_tricks(o: IntArray, counts: IntArray) -> int:
    """Return whose tricks win the stake: one, or several who share it, or nobody."""
    if o[BY_TRICKS] < 0:
        return i64(0)
    tied = equal_seats(o, BY_TRICKS, counts)
    if count_bits(tied) > 1 and o[SHARE] != 0:
        return OPEN_FIELD_CODES[STAKE_FIELD] if o[SHARE] < 0 else tied
    winner = best_seat(o, BY_TRICKS, i64(15), counts)
    return OPEN_FIELD_CODES[STAKE_FIELD] if winner < 0 else i64(1) << winner - 1 if winner else i64(0)


@jit_compile
def make_work_room() -> tuple[IntArray, IntArray]:
    """Return room for what is counted of each seat, and for the fields of one deal."""
    counts = np.zeros((4, COUNT_COLUMNS), np.int64)
    for seat in range(4):  # to the left of the dealer, who is the last in play
        counts[seat, BEST_FIRST], counts[seat, BEST_LAST] = (3 - seat) & 3, 4 if seat == 3 else 3 - seat
        counts[seat, WORST_FIRST], counts[seat, WORST_LAST] = 8 - counts[seat, BEST_FIRST], 8 - counts[seat, BEST_LAST]
    return counts, np.zeros(13, np.int64)


@jit_compile
def compute_outcome(
    o: IntArray, into: tuple[IntArray, ...], at: int, counts: IntArray, f: IntArray, fields: IntArray, points: IntArray
) -> None:
    """Compute one deal's outcome, whatever happened in it."""
    facts, taken, takers, talon, flags = into
    if flags[at] >> FORBIDDEN & 1:
        return
    count_tricks(o, taken[at], counts)
    if o[LAST_FREE] < 0:
        f[:] = OPEN_FIELD_CODES
    else:
        find_reversis(o, takers[at], f)
        find_espagnolette(o, takers[at], flags[at], f)
        find_partie(o, takers[at], counts, f)
        find_stake_winners(o, facts[4, at], counts, f)
    value, rest = o[BONUS], talon[at]
    while rest:
        value += o[VALUES + find_lowest_bit(rest)]
        rest &= rest - 1
    f[TALON_FIELD] = OPEN_FIELD_CODES[TALON_FIELD] if o[BONUS] < 0 else value
    for field in range(13):
        fields[at, field] = f[field]
    for seat in range(4):
        points[at, seat] = counts[seat, POINTS_TAKEN]


@jit_compile
def compute_outcomes(o: IntArray, into: tuple[IntArray, ...], fields: IntArray, points: IntArray) -> None:
    """Compute every deal's outcome but those forbidden.

    `into`: facts, taken, takers, talon, told; `fields`: [deals, 13]; `points`: [deals, 4].
    """
    counts, f = make_work_room()
    for at in range(points.shape[0]):
        compute_outcome(o, into, at, counts, f, fields, points)
