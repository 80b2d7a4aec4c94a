"""The outcome of many deals: who wins what, by the criteria that `engine.settlement.outcome` goes through.

What `engine.settlement.outcome` says field by field is said here a second time, since compiled code cannot ask. Tests
hold every criterion and every field to the first, and `python -m proofs.paths` whole deals.

Each field is a number, as `engine.survey.tariff` lists them. A field that the rules leave open, because they are silent
on a question that leads to it, has the number after the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum, auto
from typing import Any

import numpy as np

from engine.cards import RANKS, card, rank_of
from engine.readings.ask import Ask
from engine.readings.meanings.cards import DRAWS
from engine.readings.meanings.criteria import AMONG_EQUALS
from engine.readings.meanings.espagnolette import HE_PAYS, STANDS, WINS
from engine.readings.meanings.partie import SETTLED_IN_REVERSIS
from engine.readings.meanings.reversis import NEVER, REVERSIS_DRAWS
from engine.readings.meanings.stake import SHARED
from engine.survey.buffers import FORBIDDEN, HOLDER, MANNER, RENOUNCED, THROWN_OFF, Numbers
from engine.survey.encode_rules import TRICKS, Unsurveyed
from engine.survey.jit import compiled, count, i64, inlined, lowest
from engine.survey.play_batch import BLOCK
from engine.survey.tariff import MOST, OF_OUTCOME
from rulebook.model import Ruleset, Silent

SILENT = -1
LONGEST = 8  #: criteria in a list
FIELDS = tuple(OF_OUTCOME)
OPEN = np.array([len(values) - 1 for values in OF_OUTCOME.values()], np.int64)  #: the number of "left open"
HERO, MADE, BREAK, BROKEN_IN, ESPAGNOLETTE, ESP_LOST, KEPT, WINNER, LOSER, TWIN, STAKE, STAKE_WON, TALON = range(
    len(FIELDS)
)


class At(IntEnum):
    """The places of a ruleset's row. A question on which it is silent has -1."""

    LAST_FREE = 0  #: how many of the last tricks a reversis may still be undertaken without
    BREAKER = auto()  #: by the order of BREAKERS
    UNDERTAKEN = auto()
    LOST_BY = auto()
    UNTIL = auto()
    STANDS = auto()
    IN_REVERSIS = auto()
    HE_PAYS = auto()
    WINS_WITH_TRICK = auto()
    WINS = auto()
    PLACE = auto()
    DRAWS = auto()
    SHARED = auto()
    NEVER = auto()  #: a reversis never draws the stake
    ACE = auto()  #: points
    KING = auto()
    QUEEN = auto()
    KNAVE = auto()
    BONUS = auto()
    WINNERS = 19  #: the list of criteria, so many from here on, by the order of CRITERIA; ends with -1
    LOSERS = WINNERS + LONGEST
    BY_TRICKS = LOSERS + LONGEST
    PLAIN = BY_TRICKS + LONGEST  #: of each list: it only looks for the least of something, again and again
    VALUES = int(PLAIN) + 3  #: what each of 64 card numbers is worth in the talon


WIDTH = int(At.VALUES) + 64
#: Readings that are said here once more, since compiled code must know them by heart; no other is surveyed.
BREAKER_READINGS = "first", "each", "nobody"
UNDERTAKEN_READINGS = "by-renouncing", "by-renouncing-or-announcing", "by-holding"  # nobody announces in a survey
LOST_BY_READINGS = "last-tricks", "any-trick"
PLACE_READINGS = "dealer-first-leftwards", "dealer-last-leftwards"
NAMED = (
    "fewest-points",
    "most-points",
    "fewest-tricks",
    "fewest-tricks-but-one",
    "most-tricks",
    "fewest-marking-cards",
    "fewer-marking-cards-than-all",
    "unmarked-or-fewer-than-the-rest",
    "only-without-court",
    "rather-without-court",
    "trickless-first",
    "best-placed",
    "worst-placed",
    "first-in-play",
    "eldest-if-tied",
    "alone",
    "nobody",
)
#: questions with a closed list of readings, as their place in it, or as yes and no
LISTED: Mapping[At, tuple[str, Sequence[str]]] = {
    At.BREAKER: ("reversis.broken.breaker", BREAKER_READINGS),
    At.UNDERTAKEN: ("espagnolette.undertaken", UNDERTAKEN_READINGS),
    At.LOST_BY: ("espagnolette.lost-by", LOST_BY_READINGS),
    At.PLACE: ("partie.place", PLACE_READINGS),
}
YES: Mapping[At, tuple[str, Mapping[str, bool]]] = {
    At.STANDS: ("espagnolette.third-breaks", STANDS),
    At.IN_REVERSIS: ("partie.in-reversis", SETTLED_IN_REVERSIS),
    At.HE_PAYS: ("espagnolette.lost.partie", HE_PAYS),
    At.WINS_WITH_TRICK: ("espagnolette.kept-trick", WINS),
    At.WINS: ("espagnolette.won.partie", WINS),
    At.DRAWS: ("quinola.thrown-off.stake", DRAWS),
    At.SHARED: ("stake.tied", SHARED),
    At.NEVER: ("reversis.stake", {reading: how == NEVER for reading, how in REVERSIS_DRAWS.items()}),
}
#: numbers, and the most that they may be
NUMBERS = {
    At.LAST_FREE: ("reversis.undertaken", TRICKS - 1),
    At.UNTIL: ("espagnolette.until", TRICKS),
    At.BONUS: ("talon.bonus", MOST - 1),
}
LISTS = {At.WINNERS: "partie.winner", At.LOSERS: "partie.loser", At.BY_TRICKS: "stake.by-tricks"}
COURTS = {At.ACE: "A", At.KING: "K", At.QUEEN: "Q", At.KNAVE: "J"}


# ---- a ruleset as numbers
def coded(ruleset: Ruleset) -> Numbers:
    """What a ruleset says of the outcome. Raises Unsurveyed."""
    ask = Ask(ruleset)
    row = np.full(WIDTH, SILENT, np.int64)
    for at, (question, readings) in LISTED.items():
        row[at] = place_of(question, readings, said(ask, question))
    for at, (question, meaning) in YES.items():
        word = said(ask, question)
        row[at] = SILENT if word is None else int(meaning[word])
    for at, (question, most) in NUMBERS.items():
        row[at] = within(question, said(ask, question), most)
    try:
        for at, question in LISTS.items():
            listed(ask, at, question, row)
        points(ask, row)
    except Silent as silent:
        raise Unsurveyed(f"these rules are silent on {silent.question}") from None
    return row


def listed(ask: Ask, at: At, question: str, row: Numbers) -> None:
    """A list of criteria. Raises Unsurveyed, and Silent."""
    criteria = ask.words(question)
    if len(criteria) >= LONGEST:
        raise Unsurveyed(f"{question} is a list of more than {LONGEST - 1} criteria")
    row[at : at + len(criteria)] = [place_of(question, NAMED, one) for one in criteria]
    row[At.PLAIN + (at - At.WINNERS) // LONGEST] = int(only_least(criteria, row[At.PLACE]))


def place_of(question: str, known: Sequence[str], word: Any) -> int:
    """Which reading of a closed list it is; -1 for silence. Raises Unsurveyed."""
    if word is None:
        return SILENT
    if word not in known:
        raise Unsurveyed(f"{question} is answered {word}, which no survey knows")
    return known.index(word)


def within(question: str, number: Any, most: int) -> int:
    """A number that compiled code has room for; -1 for silence. Raises Unsurveyed."""
    if number is None:
        return SILENT
    if not 0 <= number <= most:
        raise Unsurveyed(f"{question} is {number}, and no survey goes beyond {most}")
    return int(number)


def only_least(criteria: Sequence[str], place: int) -> bool:
    """Whether every criterion of a list looks for the least of something, so that one number can tell the best."""
    placed = place != SILENT or not {"best-placed", "worst-placed"} & {*criteria}
    return bool(criteria) and placed and all(OF_CRITERION[NAMED.index(one), 0] >= 0 for one in criteria)


def said(ask: Ask, question: str) -> Any:
    """An answer; none for silence."""
    try:
        return ask(question)
    except Silent:
        return None


def points(ask: Ask, row: Numbers) -> None:
    """What the cards count, in tricks and in the talon. Raises Unsurveyed."""
    table = ask.table("cards.points")
    if set(table) - set(COURTS.values()) or 4 * sum(table.values()) >= MOST or min(table.values(), default=0) < 0:
        raise Unsurveyed("cards below the jack count, or all together count more than 63, or one less than nothing")
    for at, rank in COURTS.items():
        row[at] = table.get(rank, 0)
    try:
        special = ask.table("talon.special-cards")
    except Silent:
        row[At.BONUS] = SILENT
        return
    row[At.VALUES :] = [table.get(RANKS[rank_of(n)], 0) if n & 15 < len(RANKS) else 0 for n in range(64)]
    for name, value in special.items():
        row[At.VALUES + card(name)] = value
    if row[At.BONUS] + sum(sorted(row[At.VALUES :])[-4:]) >= MOST or min(row[At.VALUES :]) < 0:
        raise Unsurveyed("a talon may be worth more than 63, or a card less than nothing")


assert At.WINNERS == At.BONUS + 1
CODES: Sequence[int] = [NAMED.index(name) for name in NAMED]
(
    FEWEST_POINTS, MOST_POINTS, FEWEST_TRICKS, FEWEST_BUT_ONE, MOST_TRICKS, FEWEST_MARKING, FEWER_THAN_ALL,
    UNMARKED_OR_FEWER, WITHOUT_COURT, RATHER_WITHOUT, TRICKLESS, BEST_PLACED, WORST_PLACED, FIRST_IN_PLAY,
    ELDEST_IF_TIED, ALONE_, NOBODY_,
) = CODES  # fmt: skip
AMONG = np.array([name in AMONG_EQUALS for name in NAMED])
B_FIRST, B_EACH = BREAKER_READINGS.index("first"), BREAKER_READINGS.index("each")
U_HOLDING, L_ANY = UNDERTAKEN_READINGS.index("by-holding"), LOST_BY_READINGS.index("any-trick")
P_LAST = PLACE_READINGS.index("dealer-last-leftwards")
E = {at.name: int(at) for at in At}
LAST_FREE, BREAKER, UNDER, LOSES, UNTIL, STAND, IN_REV = (
    E["LAST_FREE"], E["BREAKER"], E["UNDERTAKEN"], E["LOST_BY"], E["UNTIL"], E["STANDS"], E["IN_REVERSIS"],
)  # fmt: skip
PAYS, WINS_TRICK, WINS_, PLACING, DRAW, SHARE, NEVER_, ACE_, KING_, QUEEN_, KNAVE_, BONUS = (
    E["HE_PAYS"], E["WINS_WITH_TRICK"], E["WINS"], E["PLACE"], E["DRAWS"], E["SHARED"], E["NEVER"],
    E["ACE"], E["KING"], E["QUEEN"], E["KNAVE"], E["BONUS"],
)  # fmt: skip
WINNERS, LOSERS, BY_TRICKS, VALUES, PLAIN = E["WINNERS"], E["LOSERS"], E["BY_TRICKS"], E["VALUES"], E["PLAIN"]
#: what is counted of each seat; then what makes a long row short: so much less than 63, some rather than none, places
POINTS, TRICKS_, MARKING, COURT_, FEW_POINTS, FEW_TRICKS, ANY_COURT, ANY_TRICK, BEST_FIRST, BEST_LAST = range(10)
WORST_FIRST, WORST_LAST, IN_PLAY, COUNTED = range(10, 14)
#: where the number stands whose least a criterion looks for, the dealer being the best placed, or the worst; -1: none
OF_CRITERION = np.full((len(NAMED), 2), -1, np.int64)
for _criterion, _columns in {
    FEWEST_POINTS: (POINTS, POINTS),
    MOST_POINTS: (FEW_POINTS, FEW_POINTS),
    FEWEST_TRICKS: (TRICKS_, TRICKS_),
    MOST_TRICKS: (FEW_TRICKS, FEW_TRICKS),
    FEWEST_MARKING: (MARKING, MARKING),
    RATHER_WITHOUT: (ANY_COURT, ANY_COURT),
    WITHOUT_COURT: (ANY_COURT, ANY_COURT),  # the least must then be nought
    TRICKLESS: (ANY_TRICK, ANY_TRICK),
    BEST_PLACED: (BEST_FIRST, BEST_LAST),
    WORST_PLACED: (WORST_FIRST, WORST_LAST),
    FIRST_IN_PLAY: (IN_PLAY, IN_PLAY),
}.items():
    OF_CRITERION[_criterion] = _columns


# ---- who is best
@inlined
def least(seats: int, a: int, b: int, c: int, d: int) -> int:
    """The seats that have the least of something, of those in question."""
    far = i64(1 << 20)
    w = a if seats & 1 else far
    x = b if seats & 2 else far
    y = c if seats & 4 else far
    z = d if seats & 8 else far
    bound = min(min(w, x), min(y, z))
    found = i64(w == bound) | i64(x == bound) << 1 | i64(y == bound) << 2 | i64(z == bound) << 3
    return found & seats


@inlined
def least_of(seats: int, counts: Numbers, what: int, sign: int) -> int:
    """The seats with the least, or most, of what was counted."""
    return least(seats, sign * counts[0, what], sign * counts[1, what], sign * counts[2, what], sign * counts[3, what])


@compiled
def narrowed(criterion: int, seats: int, counts: Numbers, last: bool) -> int:
    """The seats that one criterion leaves; `last`: the dealer is the worst placed, not the best."""
    if criterion == FEWEST_POINTS:
        return least_of(seats, counts, POINTS, 1)
    if criterion == MOST_POINTS:
        return least_of(seats, counts, POINTS, -1)
    if criterion == FEWEST_TRICKS:
        return least_of(seats, counts, TRICKS_, 1)
    if criterion == MOST_TRICKS:
        return least_of(seats, counts, TRICKS_, -1)
    if criterion == FEWEST_MARKING:
        return least_of(seats, counts, MARKING, 1)
    if criterion == FEWEST_BUT_ONE:
        return least_of(seats & ~trickless(counts), counts, TRICKS_, 1)
    if criterion == FEWER_THAN_ALL:
        fewest = least_of(i64(15), counts, MARKING, 1)
        return seats & fewest if count(fewest) == 1 else i64(0)
    if criterion == UNMARKED_OR_FEWER:
        fewest = least_of(i64(15), counts, MARKING, 1)
        return fewest if fewest & ~seats == 0 else seats & empty_of(counts, MARKING)
    if criterion == WITHOUT_COURT:
        return seats & without(counts)
    if criterion == RATHER_WITHOUT:
        return seats & without(counts) if seats & without(counts) else seats
    if criterion == TRICKLESS:
        return seats & trickless(counts) if seats & trickless(counts) else seats
    if criterion == BEST_PLACED:
        return least_of(seats, counts, BEST_LAST if last else BEST_FIRST, 1)
    if criterion == WORST_PLACED:
        return least_of(seats, counts, WORST_LAST if last else WORST_FIRST, 1)
    if criterion == FIRST_IN_PLAY:
        return seats & -seats
    if criterion == ELDEST_IF_TIED:
        return seats if count(seats) < 2 else i64(1) | (seats & -seats)
    if criterion == ALONE_:
        return seats if count(seats) == 1 else i64(0)
    return i64(0)


@inlined
def empty_of(counts: Numbers, what: int) -> int:
    """The seats that have none of what was counted."""
    return (
        i64(counts[0, what] == 0)
        | i64(counts[1, what] == 0) << 1
        | i64(counts[2, what] == 0) << 2
        | i64(counts[3, what] == 0) << 3
    )


@inlined
def without(counts: Numbers) -> int:
    """Who has taken no ace, king or queen."""
    return empty_of(counts, COURT_)


@inlined
def trickless(counts: Numbers) -> int:
    """Who has taken no trick."""
    return empty_of(counts, TRICKS_)


@inlined
def in_a_row(o: Numbers, criteria: int, candidates: int, counts: Numbers) -> int:
    """The same as `best`, for a list of which every criterion only looks for the least of something.

    What is looked for is written as one number for each seat, six bits a criterion, the first highest.
    """
    last, found, least_ = o[PLACING] == P_LAST, i64(0), i64(1) << 60
    for seat in range(4):
        key = i64(0)
        for at in range(criteria, criteria + LONGEST):
            if o[at] < 0:
                break
            key = key << 6 | counts[seat, OF_CRITERION[o[at], int(last)]]
        # the first of those who are equal in everything
        key = key if candidates >> seat & 1 else i64(1) << 60
        found = seat + 1 if key < least_ else found
        least_ = min(key, least_)
    return i64(0) if found and lacks(o, criteria) and counts[found - 1, ANY_COURT] else found


@inlined
def lacks(o: Numbers, criteria: int) -> bool:
    """Whether a list leaves nobody, unless he has taken no ace, king or queen."""
    found = False
    for at in range(criteria, criteria + LONGEST):
        found |= o[at] == WITHOUT_COURT
    return found


@compiled
def best(o: Numbers, criteria: int, candidates: int, counts: Numbers) -> int:
    """1 and the first of the seats that a list leaves; 0 where it leaves none, or is empty; -1 where it is silent."""
    if o[PLAIN + (criteria - WINNERS) // LONGEST]:
        return in_a_row(o, criteria, candidates, counts)
    seats = candidates if o[criteria] >= 0 else i64(0)
    had = seats
    for at in range(criteria, criteria + LONGEST):
        if o[at] < 0:
            break
        if (o[at] == BEST_PLACED or o[at] == WORST_PLACED) and o[PLACING] < 0:
            return i64(-1)
        seats = narrowed(o[at], seats, counts, o[PLACING] == P_LAST)
    seats &= had
    return lowest(seats) + 1 if seats else i64(0)


@compiled
def equals(o: Numbers, criteria: int, counts: Numbers) -> int:
    """The seats that are equal in all that a list looks at, before it keeps equals apart."""
    seats, any_ = i64(15), False
    for at in range(criteria, criteria + LONGEST):
        if o[at] < 0:
            break
        if not AMONG[o[at]]:
            seats, any_ = narrowed(o[at], seats, counts, False), True
    return seats if any_ else i64(0)


# ---- the fields
@inlined
def counted(o: Numbers, taken: int, counts: Numbers) -> None:
    """Points, tricks, marking cards and court cards of each seat."""
    for seat in range(4):
        bits = taken >> 16 * seat
        aces, kings, queens, knaves = bits & 7, bits >> 3 & 7, bits >> 6 & 7, bits >> 9 & 7
        counts[seat, POINTS] = aces * o[ACE_] + kings * o[KING_] + queens * o[QUEEN_] + knaves * o[KNAVE_]
        counts[seat, TRICKS_] = bits >> 12 & 15
        counts[seat, MARKING] = aces + kings + queens + knaves
        counts[seat, COURT_] = aces + kings + queens
        counts[seat, FEW_POINTS] = 63 - counts[seat, POINTS]
        counts[seat, FEW_TRICKS] = 63 - counts[seat, TRICKS_]
        counts[seat, ANY_COURT] = i64(counts[seat, COURT_] > 0)
        counts[seat, ANY_TRICK] = i64(counts[seat, TRICKS_] > 0)


@inlined
def has_taken(takers: int, seat: int, first: int) -> bool:
    """Whether a seat has taken a trick from that one on, counted from 0."""
    found = False
    for trick in range(11):
        found |= (trick >= first) & (takers >> 2 * trick & 3 == seat)
    return found


@inlined
def reversis(o: Numbers, takers: int, f: Numbers) -> None:
    """Who has undertaken the reversis, whether he has made it, and who has broken it where."""
    first = takers & 3
    f[HERO], f[MADE], f[BREAK], f[BROKEN_IN] = 0, 0, 0, 0
    for trick in range(11 - o[LAST_FREE]):
        if takers >> 2 * trick & 3 != first:
            return
    f[HERO], f[MADE] = first + 1, 1
    against = i64(0)
    for trick in range(11):
        taker = takers >> 2 * trick & 3
        if taker != first:
            f[MADE] = 0
            if f[BROKEN_IN] == 0:
                f[BROKEN_IN] = trick + 1
                against = 1 << taker
            elif o[BREAKER] == B_EACH:
                against |= 1 << taker
    if f[BROKEN_IN]:
        f[BREAK] = OPEN[BREAK] if o[BREAKER] < 0 else against if o[BREAKER] == B_FIRST or o[BREAKER] == B_EACH else 0


@inlined
def espagnolette(o: Numbers, takers: int, told: int, f: Numbers) -> None:
    """Who has undertaken the espagnolette, whether he has lost it, and whether it stands beside a broken reversis."""
    holder = told >> HOLDER & 7
    f[ESPAGNOLETTE], f[ESP_LOST], f[KEPT] = 0, 0, 0
    if holder == 0:
        return
    if o[UNDER] < 0:
        f[ESPAGNOLETTE], f[ESP_LOST] = OPEN[ESPAGNOLETTE], OPEN[ESP_LOST]
        f[KEPT] = OPEN[KEPT] if f[HERO] and not f[MADE] else 0
        return
    if (o[UNDER] != U_HOLDING and not told >> RENOUNCED & 1) or f[HERO] == holder:
        return
    f[ESPAGNOLETTE] = holder
    if f[HERO] == 0:
        until = o[UNTIL] if o[LOSES] >= 0 else i64(-1)
        first = 0 if o[LOSES] == L_ANY else 11 - until
        f[ESP_LOST] = OPEN[ESP_LOST] if until < 0 else i64(has_taken(takers, holder - 1, first))
        return
    if not f[MADE] and not has_taken(takers, holder - 1, 0):
        f[KEPT] = OPEN[KEPT] if o[STAND] < 0 else holder if o[STAND] else 0
    if o[LOSES] < 0 or o[UNTIL] < 0:  # no such deal is told in words without it
        f[ESPAGNOLETTE] = OPEN[ESPAGNOLETTE]


@inlined
def parties(o: Numbers, takers: int, counts: Numbers, f: Numbers) -> None:
    """Who wins the partie, or talon, and who loses it."""
    f[WINNER], f[LOSER], f[TWIN] = won(o, takers, counts, f), 0, 0
    if f[WINNER] == OPEN[WINNER]:
        f[LOSER], f[TWIN] = OPEN[LOSER], OPEN[TWIN]
        return
    if f[WINNER] == 0:
        return
    lost = f[ESP_LOST] == 1
    if f[ESP_LOST] == OPEN[ESP_LOST] or (lost and o[PAYS] < 0):
        f[LOSER] = OPEN[LOSER]
    elif lost and o[PAYS]:
        f[LOSER] = f[ESPAGNOLETTE]
    else:
        out = i64(1) << f[WINNER] - 1
        out |= i64(1) << f[HERO] - 1 if f[HERO] and f[KEPT] == 0 else 0
        loser = best(o, LOSERS, 15 & ~out, counts)
        f[LOSER] = OPEN[LOSER] if loser < 0 else loser
    if f[LOSER] == OPEN[LOSER]:
        f[TWIN] = OPEN[TWIN]
    elif f[LOSER]:
        for seat in range(3, -1, -1):
            if seat + 1 != f[WINNER] and seat + 1 != f[LOSER] and counts[seat, POINTS] == counts[f[LOSER] - 1, POINTS]:
                f[TWIN] = seat + 1


@inlined
def won(o: Numbers, takers: int, counts: Numbers, f: Numbers) -> int:
    """Who wins the partie: 1 and his seat; nobody: 0."""
    open_ = OPEN[WINNER]
    if f[HERO] == 0 and (f[ESPAGNOLETTE] == OPEN[ESPAGNOLETTE] or f[ESP_LOST] == OPEN[ESP_LOST]):
        return open_
    candidates = i64(15)
    if f[HERO]:
        if f[KEPT] == OPEN[KEPT]:
            return open_
        if f[KEPT]:
            return f[KEPT]
        if o[IN_REV] < 0:
            return open_
        if not o[IN_REV]:
            return i64(0)
        candidates = 15 & ~(i64(1) << f[HERO] - 1)
    elif f[ESPAGNOLETTE] and not f[ESP_LOST]:
        wins = o[WINS_TRICK] if has_taken(takers, f[ESPAGNOLETTE] - 1, 0) else o[WINS_]
        if wins < 0:
            return open_
        if wins:
            return f[ESPAGNOLETTE]
    elif f[ESPAGNOLETTE]:
        if o[PAYS] < 0:
            return open_
        candidates = 15 & ~(i64(1) << f[ESPAGNOLETTE] - 1) if o[PAYS] else candidates
    found = best(o, WINNERS, candidates, counts)
    return open_ if found < 0 else found


@inlined
def stake(o: Numbers, quinola: int, counts: Numbers, f: Numbers) -> None:
    """Who wins the stake by his tricks, and whether anybody has won it at all."""
    thrown = quinola >> MANNER & 3 == THROWN_OFF
    f[STAKE] = 0
    if f[HERO] == 0:
        if thrown and o[DRAW] < 0:
            f[STAKE] = OPEN[STAKE]
        elif not (thrown and o[DRAW]):
            f[STAKE] = by_tricks(o, counts)
    if f[MADE]:
        f[STAKE_WON] = OPEN[STAKE_WON] if o[NEVER_] < 0 else 1 - o[NEVER_]
    elif f[STAKE] == OPEN[STAKE] or (thrown and o[DRAW] < 0):
        f[STAKE_WON] = OPEN[STAKE_WON]
    else:
        f[STAKE_WON] = i64(f[STAKE] != 0 or (thrown and o[DRAW] != 0))


@inlined
def by_tricks(o: Numbers, counts: Numbers) -> int:
    """Whose tricks win the stake: one, or several who share it, or nobody."""
    if o[BY_TRICKS] < 0:
        return i64(0)
    tied = equals(o, BY_TRICKS, counts)
    if count(tied) > 1 and o[SHARE] != 0:
        return OPEN[STAKE] if o[SHARE] < 0 else tied
    one = best(o, BY_TRICKS, i64(15), counts)
    return OPEN[STAKE] if one < 0 else i64(1) << one - 1 if one else i64(0)


# ---- deals in which nobody plays for the reversis or the espagnolette, many side by side
@compiled
def quick(o: Numbers) -> bool:
    """Whether all lists of a ruleset can be gone through side by side."""
    listed = o[PLAIN] == 1 and o[PLAIN + 1] == 1 and (o[PLAIN + 2] == 1 or o[BY_TRICKS] < 0)
    return listed and o[LAST_FREE] >= 0 and (o[BY_TRICKS] < 0 or o[SHARE] == 0)


@compiled
def counted_side_by_side(o: Numbers, taken: Numbers, v: Numbers) -> None:
    """Points, tricks and so on, as `counted` has them: [what, seat, lane]."""
    ace, king, queen, knave = o[ACE_], o[KING_], o[QUEEN_], o[KNAVE_]
    for seat in range(4):
        points, tricks, marking, court = v[POINTS, seat], v[TRICKS_, seat], v[MARKING, seat], v[COURT_, seat]
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


@compiled
def keys(o: Numbers, criteria: int, v: Numbers, key: Numbers) -> None:
    """For each seat the number by which a list tells the best."""
    last = int(o[PLACING] == P_LAST)
    key[:] = 0
    for at in range(criteria, criteria + LONGEST):
        if o[at] < 0:
            break
        for seat in range(4):
            into, column = key[seat], v[OF_CRITERION[o[at], last], seat]
            for lane in range(BLOCK):
                into[lane] = into[lane] << 6 | column[lane]


@compiled
def best_side_by_side(o: Numbers, criteria: int, v: Numbers, key: Numbers, but: Numbers, found: Numbers) -> None:
    """Who is best by a list, 1 and his seat: not he who is named in `but`; nobody where a list leaves nobody."""
    keys(o, criteria, v, key)
    a, b, c, d = key[0], key[1], key[2], key[3]
    court = v[ANY_COURT]
    strict = lacks(o, criteria)
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


@compiled
def twins(v: Numbers, winner: Numbers, loser: Numbers, twin: Numbers) -> None:
    """Another with as many points as the loser, the first in play."""
    a, b, c, d = v[POINTS, 0], v[POINTS, 1], v[POINTS, 2], v[POINTS, 3]
    for lane in range(BLOCK):
        won, lost = winner[lane], loser[lane]
        most = a[lane] if lost == 1 else b[lane] if lost == 2 else c[lane] if lost == 3 else d[lane]
        who = 4 if (d[lane] == most) & (won != 4) & (lost != 4) else 0
        who = 3 if (c[lane] == most) & (won != 3) & (lost != 3) else who
        who = 2 if (b[lane] == most) & (won != 2) & (lost != 2) else who
        twin[lane] = 1 if (a[lane] == most) & (won != 1) & (lost != 1) else who


@compiled
def talons(o: Numbers, talon: Numbers, value: Numbers) -> None:
    """What the cards of the talon come to."""
    if o[BONUS] < 0:
        value[:] = OPEN[TALON]
        return
    value[:] = o[BONUS]
    for rank in range(13):
        for suit in range(4):
            worth = o[VALUES + 16 * suit + rank]
            if worth:
                for lane in range(BLOCK):
                    value[lane] += worth * (talon[lane] >> 16 * suit + rank & 1)


@compiled
def side_by_side(
    o: Numbers, into: tuple[Numbers, ...], fields: Numbers, points: Numbers, v: Numbers, room: Numbers
) -> None:
    """A block of deals as if nobody played for the reversis or the espagnolette. `room`: [9, lanes], to work in.

    `into`: taken, talon, facts of the quinola.
    """
    taken, talon, quinola = into
    winner, loser, twin, stake, value = room[0], room[1], room[2], room[3], room[4]
    key = room[5:9]
    counted_side_by_side(o, taken, v)
    winner[:] = 0
    best_side_by_side(o, WINNERS, v, key, winner, winner)
    best_side_by_side(o, LOSERS, v, key, winner, loser)
    twins(v, winner, loser, twin)
    stake[:] = 0
    if o[BY_TRICKS] >= 0:
        best_side_by_side(o, BY_TRICKS, v, key, stake, stake)
    talons(o, talon, value)
    draws = o[DRAW] > 0
    for lane in range(BLOCK):
        drawn = draws and quinola[lane] >> MANNER & 3 == THROWN_OFF
        by_tricks_ = i64(0) if drawn or stake[lane] == 0 else i64(1) << stake[lane] - 1
        for field in range(WINNER):
            fields[lane, field] = 0
        lost = 0 if winner[lane] == 0 else loser[lane]
        fields[lane, WINNER], fields[lane, LOSER] = winner[lane], lost
        fields[lane, TWIN], fields[lane, STAKE] = 0 if lost == 0 else twin[lane], by_tricks_
        fields[lane, STAKE_WON], fields[lane, TALON] = int(drawn or by_tricks_ != 0), value[lane]
        for seat in range(4):
            points[lane, seat] = v[POINTS, seat, lane]


@inlined
def is_usual(o: Numbers, takers: int, told: int, quinola: int) -> bool:
    """Whether nobody plays for the reversis, nobody holds a hand of the espagnolette, and nothing is left open."""
    early = (i64(1) << 2 * (11 - o[LAST_FREE])) - 1
    same = (takers & 3) * 0x155555
    left_open = o[DRAW] < 0 and quinola >> MANNER & 3 == THROWN_OFF
    return (takers ^ same) & early != 0 and not told >> HOLDER & 7 and not left_open


@compiled
def outcomes(o: Numbers, into: tuple[Numbers, ...], fields: Numbers, points: Numbers) -> None:
    """Every deal's outcome: `fields` [deals, 13], `points` [deals, 4], a multiple of a block; not those forbidden.

    `into`: facts, taken, takers, talon, told.
    """
    facts, taken, takers, talon, told = into
    counts, f = work_room()
    if not quick(o):
        for at in range(taken.size):
            one_outcome(o, into, at, counts, f, fields, points)
        return
    v, room = np.zeros((COUNTED, 4, BLOCK), np.int64), np.zeros((9, BLOCK), np.int64)
    for column in range(COUNTED):
        for seat in range(4):
            v[column, seat] = counts[seat, column]
    quinola, t, n = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    for block in range(taken.size // BLOCK):
        a, b = block * BLOCK, (block + 1) * BLOCK
        t[:], n[:], quinola[:] = taken[a:b], talon[a:b], facts[4, a:b]
        side_by_side(o, (t, n, quinola), fields[a:b], points[a:b], v, room)
        for at in range(a, b):
            if not is_usual(o, takers[at], told[at], facts[4, at]):
                one_outcome(o, into, at, counts, f, fields, points)


@compiled
def work_room() -> tuple[Numbers, Numbers]:
    """What is counted of each seat, and the fields of one deal."""
    counts = np.zeros((4, COUNTED), np.int64)
    for seat in range(4):  # to the left of the dealer, who is the last in play
        counts[seat, BEST_FIRST], counts[seat, BEST_LAST] = (3 - seat) & 3, 4 if seat == 3 else 3 - seat
        counts[seat, WORST_FIRST], counts[seat, WORST_LAST] = 8 - counts[seat, BEST_FIRST], 8 - counts[seat, BEST_LAST]
        counts[seat, IN_PLAY] = seat
    return counts, np.zeros(13, np.int64)


@compiled
def one_outcome(
    o: Numbers, into: tuple[Numbers, ...], at: int, counts: Numbers, f: Numbers, fields: Numbers, points: Numbers
) -> None:
    """One deal's outcome, whatever happened in it."""
    facts, taken, takers, talon, told = into
    if told[at] >> FORBIDDEN & 1:
        return
    counted(o, taken[at], counts)
    if o[LAST_FREE] < 0:
        f[:] = OPEN
    else:
        reversis(o, takers[at], f)
        espagnolette(o, takers[at], told[at], f)
        parties(o, takers[at], counts, f)
        stake(o, facts[4, at], counts, f)
    value, rest = o[BONUS], talon[at]
    while rest:
        value += o[VALUES + lowest(rest)]
        rest &= rest - 1
    f[TALON] = OPEN[TALON] if o[BONUS] < 0 else value
    for field in range(13):
        fields[at, field] = f[field]
    for seat in range(4):
        points[at, seat] = counts[seat, POINTS]
