"""Verdicts on counsel: what the interval of a result says, in words no wider than what was tried.

A verdict is worded once and stands so wherever it is shown: in the table, with the sentence, on the page of the
source.
"""

from __future__ import annotations

from collections.abc import Mapping

from reversis.files.counsel import CounselResult
from reversis.views.surveys.counsel_limits import (
    AS_READ,
    FAILS,
    FAILS_AS_READ,
    HOLDS,
    IN_PART,
    NOT_KNOWN,
    UNDECIDED,
    CounselLimit,
)

#: Too few cases to tell, or no result is stored.
TOO_FEW, NO_RESULT = "too few", "no result"
_SHORT_VERDICTS: Mapping[str, str] = {
    TOO_FEW: "Too few cases to tell",
    NO_RESULT: "Not tried yet as it is written now",
}
#: Verdict, whether it is tried choice by choice, whether it is better than the average other choice -> words.
_CHOICE_WORDS: Mapping[tuple[str, bool], tuple[str, str]] = {
    (HOLDS, True): ("Holds", ": it wins more than the best other choice"),
    (HOLDS, False): ("Holds", ": it wins more than the best other choice"),
    (FAILS, True): ("Costs", ": the best other choice wins more, the average other choice less"),
    (FAILS, False): ("Costs", ": the best other choice wins more"),
    (UNDECIDED, True): (
        "Undecided",
        ": it may win more than the best other choice or less; it wins more than the average one",
    ),
    (UNDECIDED, False): ("Undecided", ": it may win more than the best other choice or less"),
}
_CLAIM_WORDS: Mapping[str, str] = {
    FAILS: "Does not hold: the opposite is the case",
    UNDECIDED: "Undecided: the interval holds 0",
}
_CLAIM_HEADS: Mapping[str, str] = {HOLDS: "Holds", IN_PART: "Holds in part", NOT_KNOWN: "Not known"}
#: Verdict that another reading of the book overturns -> the same without that.
_ALIKE_AS_READ: Mapping[str, str] = {AS_READ: HOLDS, FAILS_AS_READ: FAILS}
_AS_READ_WORDS = ", as we read the book: by another reading it may not be so"


def judge_counsel(result: CounselResult | None, limit: CounselLimit) -> str:
    """Judge a result by its interval, and by how far its test reaches."""
    if result is None:
        return NO_RESULT
    gain = result.gain
    if gain is None:
        return TOO_FEW
    if gain.mean > gain.margin:
        kept = all(one.mean.mean > one.mean.margin for one in result.ends)
        return AS_READ if limit.holds == HOLDS and not kept else limit.holds
    if gain.mean < -gain.margin:
        return FAILS if all(one.mean.mean < -one.mean.margin for one in result.ends) else FAILS_AS_READ
    return UNDECIDED


def is_better_than_average(result: CounselResult | None) -> bool:
    """Return whether choices that follow an advice are surely worth more on average than the others."""
    ahead = result.ahead if result else None
    return ahead is not None and ahead.mean > ahead.margin


def word_counsel_verdict(verdict: str, advises: bool, limit: CounselLimit, better: bool = False) -> str:
    """Word a verdict with its limit."""
    if verdict in _SHORT_VERDICTS:
        return _SHORT_VERDICTS[verdict]
    if verdict in _ALIKE_AS_READ:
        return f"{word_counsel_verdict(_ALIKE_AS_READ[verdict], advises, limit, better)}{_AS_READ_WORDS}"
    if advises:
        head, rest = _CHOICE_WORDS[verdict, better]
        return f"{head}{limit.scope}{rest}"
    return _CLAIM_WORDS.get(verdict) or f"{_CLAIM_HEADS[verdict]}{limit.words}"
