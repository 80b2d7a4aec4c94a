"""Layout of the numbers: a ruleset's row, the fields of an outcome, and what is counted of each seat."""

from __future__ import annotations

from enum import IntEnum, auto

import numpy as np

from engine.readings.meanings.criteria import AMONG_EQUALS
from lab.survey.tariff import OF_OUTCOME

SILENT_READING = -1
ENDS_UNDECIDED = -2  #: ends a list of criteria that may leave players tied, where no place is told that parts them
MAX_CRITERIA = 8  #: criteria in a list
OUTCOME_FIELD_NAMES = tuple(OF_OUTCOME)
OPEN_FIELD_CODES = np.array([len(values) - 1 for values in OF_OUTCOME.values()], np.int64)  #: the number of "left open"
(
    HERO, MADE_FIELD, BREAK, BROKEN_IN, ESPAGNOLETTE_FIELD, ESP_LOST, KEPT_FIELD, WINNER, LOSER, TWIN, STAKE_FIELD,
    STAKE_WON, TALON_FIELD,
) = range(len(OUTCOME_FIELD_NAMES))  # fmt: skip


class OutcomeRuleColumn(IntEnum):
    """Columns of a ruleset's row; a question on which it is silent has -1."""

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
    LOSERS = WINNERS + MAX_CRITERIA
    BY_TRICKS = LOSERS + MAX_CRITERIA
    VALUES = BY_TRICKS + MAX_CRITERIA  #: what each of 64 card numbers is worth in the talon


assert OutcomeRuleColumn.WINNERS == OutcomeRuleColumn.BONUS + 1
OUTCOME_RULES_WIDTH = int(OutcomeRuleColumn.VALUES) + 64
#: Readings that are said here once more, since compiled code must know them by heart; no other is surveyed.
BREAKER_READINGS = "first", "each", "nobody"
UNDERTAKEN_READINGS = "by-renouncing", "by-renouncing-or-announcing", "by-holding"  # nobody announces in a survey
LOST_BY_READINGS = "last-tricks", "any-trick"
PLACE_READINGS = "dealer-first-leftwards", "dealer-last-leftwards"
CRITERION_NAMES = (
    "fewest-points", "most-points", "fewest-tricks", "fewest-tricks-but-one", "most-tricks", "fewest-marking-cards",
    "fewer-marking-cards-than-all", "unmarked-or-fewer-than-the-rest", "dealer-apart", "only-without-court",
    "rather-without-court", "trickless-first", "best-placed", "worst-placed", "first-in-play", "eldest-if-tied",
    "alone", "nobody",
)  # fmt: skip
(
    FEWEST_POINTS, MOST_POINTS, FEWEST_TRICKS, FEWEST_BUT_ONE, MOST_TRICKS, FEWEST_MARKING, FEWER_THAN_ALL,
    UNMARKED_OR_FEWER, DEALER_APART, WITHOUT_COURT, RATHER_WITHOUT, TRICKLESS, BEST_PLACED, WORST_PLACED, FIRST_IN_PLAY,
    ELDEST_IF_TIED, ALONE_, NOBODY_,
) = range(len(CRITERION_NAMES))  # fmt: skip
AMONG = np.array([name in AMONG_EQUALS for name in CRITERION_NAMES])
B_FIRST, B_EACH = BREAKER_READINGS.index("first"), BREAKER_READINGS.index("each")
U_HOLDING, L_ANY = UNDERTAKEN_READINGS.index("by-holding"), LOST_BY_READINGS.index("any-trick")
P_LAST = PLACE_READINGS.index("dealer-last-leftwards")
(
    LAST_FREE, BREAKER, UNDER, LOSES, UNTIL, STAND, IN_REV, PAYS, WINS_TRICK, WINS_, PLACING, DRAW, SHARE, NEVER_,
    ACE_, KING_, QUEEN_, KNAVE_, BONUS, WINNERS, LOSERS, BY_TRICKS, VALUES,
) = map(int, OutcomeRuleColumn)  # fmt: skip
#: what is counted of each seat, and its places
POINTS_TAKEN, TRICKS_, MARKING, COURT_, BEST_FIRST, BEST_LAST, WORST_FIRST, WORST_LAST, COUNT_COLUMNS = range(9)
