"""Encode what a ruleset says of the outcome as a row of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.cards import CARD_RANKS, parse_card_name, rank_of
from engine.readings.ask import Ask
from engine.readings.meanings.cards import THROWN_QUINOLA_DRAWS
from engine.readings.meanings.criteria import list_tie_breakers
from engine.readings.meanings.espagnolette import HE_PAYS, STANDS, WINS
from engine.readings.meanings.partie import SETTLED_IN_REVERSIS
from engine.readings.meanings.reversis import NEVER_DRAWS, REVERSIS_DRAWS
from engine.readings.meanings.stake import TIED_STAKE_SHARED
from lab.survey.buffers import IntArray
from lab.survey.encode_rules import TRICKS_PER_DEAL, Unsurveyed
from lab.survey.outcomes import layout
from lab.survey.tariff import POINTS_LIMIT
from rulebook.ask import UnplayedAnswer
from rulebook.model import Ruleset, Silent

#: questions with a closed list of readings, as their place in it, or as yes and no
_READING_QUESTIONS: Mapping[layout.OutcomeRuleColumn, tuple[str, Sequence[str]]] = {
    layout.OutcomeRuleColumn.BREAKER: ("reversis.broken.breaker", layout.BREAKER_READINGS),
    layout.OutcomeRuleColumn.UNDERTAKEN: ("espagnolette.undertaken", layout.UNDERTAKEN_READINGS),
    layout.OutcomeRuleColumn.LOST_BY: ("espagnolette.lost-by", layout.LOST_BY_READINGS),
    layout.OutcomeRuleColumn.PLACE: ("partie.place", layout.PLACE_READINGS),
}
_YES_NO_QUESTIONS: Mapping[layout.OutcomeRuleColumn, tuple[str, Mapping[str, bool]]] = {
    layout.OutcomeRuleColumn.STANDS: ("espagnolette.third-breaks", STANDS),
    layout.OutcomeRuleColumn.IN_REVERSIS: ("partie.in-reversis", SETTLED_IN_REVERSIS),
    layout.OutcomeRuleColumn.HE_PAYS: (
        "espagnolette.lost.partie",
        {reading: bool(how) for reading, how in HE_PAYS.items()},
    ),
    layout.OutcomeRuleColumn.WINS_WITH_TRICK: ("espagnolette.kept-trick", WINS),
    layout.OutcomeRuleColumn.WINS: ("espagnolette.won.partie", WINS),
    layout.OutcomeRuleColumn.DRAWS: (
        "quinola.thrown-off.stake",
        {reading: bool(how) for reading, how in THROWN_QUINOLA_DRAWS.items()},
    ),
    layout.OutcomeRuleColumn.SHARED: ("stake.tied", TIED_STAKE_SHARED),
    layout.OutcomeRuleColumn.NEVER: (
        "reversis.stake",
        {reading: how == NEVER_DRAWS for reading, how in REVERSIS_DRAWS.items()},
    ),
}
#: numbers, and the most that they may be
_NUMBER_QUESTIONS = {
    layout.OutcomeRuleColumn.LAST_FREE: ("reversis.undertaken", TRICKS_PER_DEAL - 1),
    layout.OutcomeRuleColumn.UNTIL: ("espagnolette.until", TRICKS_PER_DEAL),
    layout.OutcomeRuleColumn.BONUS: ("talon.bonus", POINTS_LIMIT - 1),
}
CRITERIA_QUESTIONS = {
    layout.OutcomeRuleColumn.WINNERS: "partie.winner",
    layout.OutcomeRuleColumn.LOSERS: "partie.loser",
    layout.OutcomeRuleColumn.BY_TRICKS: "stake.by-tricks",
}
_COURT_COLUMNS = {
    layout.OutcomeRuleColumn.ACE: "A",
    layout.OutcomeRuleColumn.KING: "K",
    layout.OutcomeRuleColumn.QUEEN: "Q",
    layout.OutcomeRuleColumn.KNAVE: "J",
}


# ---- a ruleset as numbers
def encode_outcome_rules(ruleset: Ruleset) -> IntArray:
    """Encode what a ruleset says of the outcome as a row of numbers. Raises Unsurveyed."""
    ask = Ask(ruleset)
    row = np.full(layout.OUTCOME_RULES_WIDTH, layout.SILENT_READING, np.int64)
    for at, (question, readings) in _READING_QUESTIONS.items():
        row[at] = encode_reading(question, readings, answer_or_none(ask, question))
    for at, (question, meaning) in _YES_NO_QUESTIONS.items():
        word = answer_or_none(ask, question)
        row[at] = layout.SILENT_READING if word is None else int(meaning[word])
    for at, (question, most) in _NUMBER_QUESTIONS.items():
        row[at] = encode_number(question, answer_or_none(ask, question), most)
    try:
        for at, question in CRITERIA_QUESTIONS.items():
            encode_criteria(ask, at, question, row)
        encode_points(ask, row)
    except Silent as silent:
        raise Unsurveyed(f"these rules are silent on {silent.question}") from None
    return row


def encode_criteria(ask: Ask, at: layout.OutcomeRuleColumn, question: str, row: IntArray) -> None:
    """Write a list of criteria into the row. Raises Unsurveyed, and Silent."""
    criteria, place = ask.words(question), row[layout.OutcomeRuleColumn.PLACE]
    end, tie_breakers = layout.SILENT_READING, list_tie_breakers(question, criteria)
    if tie_breakers and place == layout.SILENT_READING:
        end = layout.ENDS_UNDECIDED
    else:
        criteria += tie_breakers
    if len(criteria) >= layout.MAX_CRITERIA:
        raise Unsurveyed(f"{question} is a list of more than {layout.MAX_CRITERIA - 1} criteria")
    row[at : at + len(criteria) + 1] = [
        *(encode_reading(question, layout.CRITERION_NAMES, criterion) for criterion in criteria),
        end,
    ]


def encode_reading(question: str, known: Sequence[str], word: Any) -> int:
    """Return which reading of a closed list it is; -1 for silence. Raises Unsurveyed."""
    if word is None:
        return layout.SILENT_READING
    if word not in known:
        raise Unsurveyed(f"{question} is answered {word}, which no survey knows")
    return known.index(word)


def encode_number(question: str, number: Any, most: int) -> int:
    """Return a number that compiled code has room for; -1 for silence. Raises Unsurveyed."""
    if number is None:
        return layout.SILENT_READING
    if not 0 <= number <= most:
        raise Unsurveyed(f"{question} is {number}, and no survey goes beyond {most}")
    return int(number)


def answer_or_none(ask: Ask, question: str) -> Any:
    """Return an answer; None for silence. Raises Unsurveyed for what the engine cannot play at all."""
    try:
        return ask(question)
    except UnplayedAnswer as unknown:
        raise Unsurveyed(str(unknown)) from None
    except Silent:
        return None


def encode_points(ask: Ask, row: IntArray) -> None:
    """Write what the cards count, in tricks and in the talon, into the row. Raises Unsurveyed."""
    table = ask.table("cards.points")
    if (
        set(table) - set(_COURT_COLUMNS.values())
        or 4 * sum(table.values()) >= POINTS_LIMIT
        or min(table.values(), default=0) < 0
    ):
        raise Unsurveyed("cards below the jack count, or all together count more than 63, or one less than nothing")
    for at, rank in _COURT_COLUMNS.items():
        row[at] = table.get(rank, 0)
    try:
        special = ask.table("talon.special-cards")
    except Silent:
        row[layout.OutcomeRuleColumn.BONUS] = layout.SILENT_READING
        return
    row[layout.OutcomeRuleColumn.VALUES :] = [
        table.get(CARD_RANKS[rank_of(n)], 0) if n & 15 < len(CARD_RANKS) else 0 for n in range(64)
    ]
    for name, value in special.items():
        row[layout.OutcomeRuleColumn.VALUES + parse_card_name(name)] = value
    if (
        row[layout.OutcomeRuleColumn.BONUS] + sum(sorted(row[layout.OutcomeRuleColumn.VALUES :])[-4:]) >= POINTS_LIMIT
        or min(row[layout.OutcomeRuleColumn.VALUES :]) < 0
    ):
        raise Unsurveyed("a talon may be worth more than 63, or a card less than nothing")
