"""Outcomes of many deals side by side, as long as nobody plays for the reversis or the espagnolette."""

from __future__ import annotations

import numpy as np

from lab.survey.buffers import HOLDER, MANNER, THROWN_OFF, IntArray
from lab.survey.jit import i64, jit_compile, jit_inline
from lab.survey.outcomes.layout import (
    ACE_,
    ANY_COURT,
    ANY_TRICK,
    BONUS,
    BY_TRICKS,
    COUNT_COLUMNS,
    COURT_,
    DRAW,
    FEW_POINTS,
    FEW_TRICKS,
    KING_,
    KNAVE_,
    LAST_FREE,
    LEAST_ONLY_FLAGS,
    LOSER,
    LOSERS,
    MARKING,
    MAX_CRITERIA,
    OF_CRITERION,
    OPEN_FIELD_CODES,
    P_LAST,
    PLACING,
    POINTS_TAKEN,
    QUEEN_,
    SHARE,
    STAKE_FIELD,
    STAKE_WON,
    TALON_FIELD,
    TRICKS_,
    TWIN,
    VALUES,
    WINNER,
    WINNERS,
)
from lab.survey.outcomes.ranking import leaves_courtless_only
from lab.survey.outcomes.single import compute_outcome, make_work_room
from lab.survey.play_rules import BLOCK


# ---- deals in which nobody plays for the reversis or the espagnolette, many side by side
@jit_compile
def can_go_side_by_side(o: IntArray) -> bool:
    """Return whether all lists of a ruleset can be gone through side by side."""
    listed = (
        o[LEAST_ONLY_FLAGS] == 1 and o[LEAST_ONLY_FLAGS + 1] == 1 and (o[LEAST_ONLY_FLAGS + 2] == 1 or o[BY_TRICKS] < 0)
    )
    return listed and o[LAST_FREE] >= 0 and (o[BY_TRICKS] < 0 or o[SHARE] == 0)


@jit_compile
def count_block(o: IntArray, taken: IntArray, v: IntArray) -> None:
    """Count points, tricks and so on, as `count_tricks` has them: [what, seat, lane]."""
    ace, king, queen, knave = o[ACE_], o[KING_], o[QUEEN_], o[KNAVE_]
    for seat in range(4):
        points, tricks, marking, court = v[POINTS_TAKEN, seat], v[TRICKS_, seat], v[MARKING, seat], v[COURT_, seat]
        for lane in range(BLOCK):
            b = taken[lane] >> 16 * seat
            points[lane] = (b & 7) * ace + (b >> 3 & 7) * king + (b >> 6 & 7) * queen + (b >> 9 & 7) * knave
            tricks[lane] = b >> 12 & 15
        for lane in range(BLOCK):
            b = taken[lane] >> 16 * seat
            court[lane] = (b & 7) + (b >> 3 & 7) + (b >> 6 & 7)
            marking[lane] = court[lane] + (b >> 9 & 7)
        few, fewer, some, any_ = v[FEW_POINTS, seat], v[FEW_TRICKS, seat], v[ANY_COURT, seat], v[ANY_TRICK, seat]
        for lane in range(BLOCK):
            few[lane], fewer[lane] = 63 - points[lane], 63 - tricks[lane]
            some[lane], any_[lane] = i64(court[lane] > 0), i64(tricks[lane] > 0)


@jit_compile
def block_keys(o: IntArray, criteria: int, v: IntArray, key: IntArray) -> None:
    """Write for each seat the number by which a list tells the best."""
    last = int(o[PLACING] == P_LAST)
    key[:] = 0
    for at in range(criteria, criteria + MAX_CRITERIA):
        if o[at] < 0:
            break
        for seat in range(4):
            into, column = key[seat], v[OF_CRITERION[o[at], last], seat]
            for lane in range(BLOCK):
                into[lane] = into[lane] << 6 | column[lane]


@jit_compile
def best_of_block(o: IntArray, criteria: int, v: IntArray, key: IntArray, but: IntArray, found: IntArray) -> None:
    """Find who is best by a list, 1 and the seat: not who is named in `but`; 0 where a list leaves nobody."""
    block_keys(o, criteria, v, key)
    a, b, c, d = key[0], key[1], key[2], key[3]
    court = v[ANY_COURT]
    strict = leaves_courtless_only(o, criteria)
    far = i64(1) << 60
    for lane in range(BLOCK):
        w = far if but[lane] == 1 else a[lane]
        x = far if but[lane] == 2 else b[lane]
        y = far if but[lane] == 3 else c[lane]
        z = far if but[lane] == 4 else d[lane]
        bound = min(min(w, x), min(y, z))
        found[lane] = 1 if w == bound else 2 if x == bound else 3 if y == bound else 4
    if strict:
        for lane in range(BLOCK):
            who = found[lane] - 1
            found[lane] = 0 if court[who, lane] else found[lane]


@jit_compile
def twins_of_block(v: IntArray, winner: IntArray, loser: IntArray, twin: IntArray) -> None:
    """Find another with as many points as the loser, the first in play."""
    a, b, c, d = v[POINTS_TAKEN, 0], v[POINTS_TAKEN, 1], v[POINTS_TAKEN, 2], v[POINTS_TAKEN, 3]
    for lane in range(BLOCK):
        won, lost = winner[lane], loser[lane]
        most = a[lane] if lost == 1 else b[lane] if lost == 2 else c[lane] if lost == 3 else d[lane]
        who = 4 if (d[lane] == most) & (won != 4) & (lost != 4) else 0
        who = 3 if (c[lane] == most) & (won != 3) & (lost != 3) else who
        who = 2 if (b[lane] == most) & (won != 2) & (lost != 2) else who
        twin[lane] = 1 if (a[lane] == most) & (won != 1) & (lost != 1) else who


@jit_compile
def talons_of_block(o: IntArray, talon: IntArray, value: IntArray) -> None:
    """Sum up the cards of the talon."""
    if o[BONUS] < 0:
        value[:] = OPEN_FIELD_CODES[TALON_FIELD]
        return
    value[:] = o[BONUS]
    for rank in range(13):
        for suit in range(4):
            worth = o[VALUES + 16 * suit + rank]
            if worth:
                for lane in range(BLOCK):
                    value[lane] += worth * (talon[lane] >> 16 * suit + rank & 1)


@jit_compile
def compute_block(
    o: IntArray, into: tuple[IntArray, ...], fields: IntArray, points: IntArray, v: IntArray, room: IntArray
) -> None:
    """Compute a block of deals as if nobody played for the reversis or the espagnolette.

    `into`: taken, talon, facts of the quinola; `room`: [9, lanes], to work in.
    """
    taken, talon, quinola = into
    winner, loser, twin, stake, value = room[0], room[1], room[2], room[3], room[4]
    key = room[5:9]
    count_block(o, taken, v)
    winner[:] = 0
    best_of_block(o, WINNERS, v, key, winner, winner)
    best_of_block(o, LOSERS, v, key, winner, loser)
    twins_of_block(v, winner, loser, twin)
    stake[:] = 0
    if o[BY_TRICKS] >= 0:
        best_of_block(o, BY_TRICKS, v, key, stake, stake)
    talons_of_block(o, talon, value)
    draws = o[DRAW] > 0
    for lane in range(BLOCK):
        drawn = draws and quinola[lane] >> MANNER & 3 == THROWN_OFF
        by_tricks_ = i64(0) if drawn or stake[lane] == 0 else i64(1) << stake[lane] - 1
        for field in range(WINNER):
            fields[lane, field] = 0
        lost = 0 if winner[lane] == 0 else loser[lane]
        fields[lane, WINNER], fields[lane, LOSER] = winner[lane], lost
        fields[lane, TWIN], fields[lane, STAKE_FIELD] = 0 if lost == 0 else twin[lane], by_tricks_
        fields[lane, STAKE_WON], fields[lane, TALON_FIELD] = int(drawn or by_tricks_ != 0), value[lane]
        for seat in range(4):
            points[lane, seat] = v[POINTS_TAKEN, seat, lane]


@jit_inline
def is_usual(o: IntArray, takers: int, told: int, quinola: int) -> bool:
    """Return whether nobody plays for the reversis or holds an espagnolette, and nothing is left open."""
    early = (i64(1) << 2 * (11 - o[LAST_FREE])) - 1
    same = (takers & 3) * 0x155555
    left_open = o[DRAW] < 0 and quinola >> MANNER & 3 == THROWN_OFF
    return (takers ^ same) & early != 0 and not told >> HOLDER & 7 and not left_open


@jit_compile
def compute_outcomes(o: IntArray, into: tuple[IntArray, ...], fields: IntArray, points: IntArray) -> None:
    """Compute every deal's outcome but those forbidden; the deals are a multiple of a block.

    `into`: facts, taken, takers, talon, told; `fields`: [deals, 13]; `points`: [deals, 4].
    """
    facts, taken, takers, talon, told = into
    counts, f = make_work_room()
    if not can_go_side_by_side(o):
        for at in range(taken.size):
            compute_outcome(o, into, at, counts, f, fields, points)
        return
    v, room = np.zeros((COUNT_COLUMNS, 4, BLOCK), np.int64), np.zeros((9, BLOCK), np.int64)
    for column in range(COUNT_COLUMNS):
        for seat in range(4):
            v[column, seat] = counts[seat, column]
    quinola, t, n = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    for block in range(taken.size // BLOCK):
        a, b = block * BLOCK, (block + 1) * BLOCK
        t[:], n[:], quinola[:] = taken[a:b], talon[a:b], facts[4, a:b]
        compute_block(o, (t, n, quinola), fields[a:b], points[a:b], v, room)
        for at in range(a, b):
            if not is_usual(o, takers[at], told[at], facts[4, at]):
                compute_outcome(o, into, at, counts, f, fields, points)
