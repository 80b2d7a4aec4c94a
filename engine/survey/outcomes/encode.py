"""Encode what a ruleset says of the outcome as a row of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.cards import RANKS, card, rank_of
from engine.readings.ask import Ask
from engine.readings.meanings.cards import DRAWS
from engine.readings.meanings.espagnolette import HE_PAYS, STANDS, WINS
from engine.readings.meanings.partie import SETTLED_IN_REVERSIS
from engine.readings.meanings.reversis import NEVER, REVERSIS_DRAWS
from engine.readings.meanings.stake import SHARED
from engine.survey.buffers import Numbers
from engine.survey.encode_rules import TRICKS, Unsurveyed
from engine.survey.outcomes.layout import (
    BREAKER_READINGS,
    LONGEST,
    LOST_BY_READINGS,
    NAMED,
    OF_CRITERION,
    PLACE_READINGS,
    SILENT,
    UNDERTAKEN_READINGS,
    WIDTH,
    At,
)
from engine.survey.tariff import MOST
from rulebook.model import Ruleset, Silent

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
def encode_outcome_rules(ruleset: Ruleset) -> Numbers:
    """Encode what a ruleset says of the outcome as a row of numbers. Raises Unsurveyed."""
    ask = Ask(ruleset)
    row = np.full(WIDTH, SILENT, np.int64)
    for at, (question, readings) in LISTED.items():
        row[at] = encode_reading(question, readings, answer_or_none(ask, question))
    for at, (question, meaning) in YES.items():
        word = answer_or_none(ask, question)
        row[at] = SILENT if word is None else int(meaning[word])
    for at, (question, most) in NUMBERS.items():
        row[at] = encode_number(question, answer_or_none(ask, question), most)
    try:
        for at, question in LISTS.items():
            encode_criteria(ask, at, question, row)
        encode_points(ask, row)
    except Silent as silent:
        raise Unsurveyed(f"these rules are silent on {silent.question}") from None
    return row


def encode_criteria(ask: Ask, at: At, question: str, row: Numbers) -> None:
    """Write a list of criteria into the row. Raises Unsurveyed, and Silent."""
    criteria = ask.words(question)
    if len(criteria) >= LONGEST:
        raise Unsurveyed(f"{question} is a list of more than {LONGEST - 1} criteria")
    row[at : at + len(criteria)] = [encode_reading(question, NAMED, one) for one in criteria]
    row[At.PLAIN + (at - At.WINNERS) // LONGEST] = int(looks_for_least_only(criteria, row[At.PLACE]))


def encode_reading(question: str, known: Sequence[str], word: Any) -> int:
    """Return which reading of a closed list it is; -1 for silence. Raises Unsurveyed."""
    if word is None:
        return SILENT
    if word not in known:
        raise Unsurveyed(f"{question} is answered {word}, which no survey knows")
    return known.index(word)


def encode_number(question: str, number: Any, most: int) -> int:
    """Return a number that compiled code has room for; -1 for silence. Raises Unsurveyed."""
    if number is None:
        return SILENT
    if not 0 <= number <= most:
        raise Unsurveyed(f"{question} is {number}, and no survey goes beyond {most}")
    return int(number)


def looks_for_least_only(criteria: Sequence[str], place: int) -> bool:
    """Return whether every criterion looks for the least of something, so one number tells the best."""
    placed = place != SILENT or not {"best-placed", "worst-placed"} & {*criteria}
    return bool(criteria) and placed and all(OF_CRITERION[NAMED.index(one), 0] >= 0 for one in criteria)


def answer_or_none(ask: Ask, question: str) -> Any:
    """Return an answer; None for silence."""
    try:
        return ask(question)
    except Silent:
        return None


def encode_points(ask: Ask, row: Numbers) -> None:
    """Write what the cards count, in tricks and in the talon, into the row. Raises Unsurveyed."""
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
