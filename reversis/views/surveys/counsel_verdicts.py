"""Verdicts on counsel: what the interval of a result says, in words no wider than what was tried, and their limits.

A verdict is worded once and stands so wherever it is shown: in the table, with the sentence, on the page of the
source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from reversis.files.counsel import CounselResult, StoredMean
from reversis.views.surveys.play_effects import format_signed
from rulebook.phrases import format_counters, pluralize_counter
from rulebook.resolve import resolve

_DEALER_ADDS = "stake.dealer-adds"  #: the question that asks what the dealer alone puts in for each deal


#: It holds under every reading of the book, as we read it alone, in part only, or it is not known because the test is
#: narrower than the words; the opposite holds, under every reading or as we read it; or neither is sure.
HOLDS, AS_READ, IN_PART, NOT_KNOWN = "holds", "holds as read", "in part", "not known"
FAILS, FAILS_AS_READ, UNDECIDED = "fails", "fails as read", "undecided"
#: Test of choices -> what else it was tried on than the words may mean.
_CHOICE_SCOPES: Mapping[str, str] = {
    "take-high": " (tried in every trick, not in the last ones alone)",
    "return-low": " (tried in every trick, not in the last ones alone)",
    "lead-low": " (tried against every other lead, not against high cards alone)",
}


@dataclass(frozen=True, slots=True)
class CounselLimit:
    """Reach of a verdict; whatever it does not need is empty."""

    holds: str = HOLDS  #: what an interval above 0 shows of a claim: all of it, a part, or not what it says
    words: str = ""  #: with such a verdict on a claim
    scope: str = ""  #: with every verdict on advice
    note: str = ""  #: a sentence behind the figures


#: Test of whole deals -> how far an interval above 0 reaches.
_CLAIM_LIMITS: Mapping[str, CounselLimit] = {
    "holder-swings": CounselLimit(
        NOT_KNOWN, ": its holder wins or loses more than the others, but no other card was tried"
    ),
    "courts-lose": CounselLimit(words=" on average: who holds most of them is behind the others"),
    "espagnolette-ahead": CounselLimit(words=" on average: the holder is ahead of the others"),
}


@dataclass(frozen=True, slots=True)
class DealerShare:
    """Sum that the dealer alone puts into the pool for each deal."""

    amount: int
    supplied: bool  #: the source does not say so; it is our assumption

    def describe(self, unit: str) -> str:
        """Say what is put in: "5 fiches", or "nothing (our assumption)"."""
        much = format_counters(self.amount, unit) if self.amount else "nothing"
        return f"{much}{' (our assumption)' if self.supplied else ''}"


def find_dealer_share(corpus: Corpus, siglum: str) -> DealerShare | None:
    """Find what the dealer alone puts in for a deal; None where the source's rules have no sum for it."""
    ruling = resolve(corpus.library, siglum).rulings.get(_DEALER_ADDS)
    known = ruling is not None and isinstance(ruling.value, int)
    return DealerShare(int(str(ruling.value)), ruling.supplied) if ruling and known else None


def find_counsel_limit(corpus: Corpus, test: str, siglum: str, gain: StoredMean | None) -> CounselLimit:
    """Find how far the verdict of a test reaches by the rules of a source."""
    if test == "dealer-ahead":
        share, unit = find_dealer_share(corpus, siglum), corpus.library.sources[siglum].unit
        if share is None:
            return CounselLimit()
        ours = " (our assumption)" if share.supplied else ""
        if not share.amount:
            note = f"The dealer puts in no more than the others{ours}, so nothing is left out."
            return CounselLimit(words=f", if the dealer adds nothing{ours}", note=note)
        holds, words, comes_to = _weigh_price(
            share, gain, f"{format_counters(share.amount, unit)} that the dealer adds{ours}"
        )
        return CounselLimit(holds, words, note=_price_deal(share, unit, gain, comes_to))
    return _CLAIM_LIMITS.get(test) or CounselLimit(scope=_CHOICE_SCOPES.get(test, ""))


def _weigh_price(share: DealerShare, gain: StoredMean | None, price: str) -> tuple[str, str, str]:
    """Weigh the price of the deal against its gain: verdict, words behind it, what it comes to."""
    if gain is None or abs(gain.mean - share.amount) <= gain.margin:
        words = f": of the play alone. Nobody can tell whether it makes up for the {price}"
        return IN_PART, words, "whether the deal costs more than it gains is not known"
    if gain.mean < share.amount:
        words = f": of the play alone. The {price} are more than it gains"
        return IN_PART, words, "to deal then costs more than it gains"
    return HOLDS, f", also with the {price}", "the deal still gains more than it costs"


def _price_deal(share: DealerShare, unit: str, gain: StoredMean | None, comes_to: str) -> str:
    paid = f"Not counted: for each deal the dealer adds {share.describe(unit)} to what all put in."
    if gain is None:
        return paid
    left = gain.mean - share.amount
    counted = f"{format_signed(abs(left))} {pluralize_counter(unit)} {'behind' if left < 0 else 'ahead of'} the others"
    return (
        f"{paid} Whoever wins the pool has them; if in the long run that is each of the four as often, a fourth comes "
        f"back to each, and with them counted the dealer is {counted}: {comes_to}."
    )


# ---- verdicts
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
    UNDECIDED: "Undecided: it may be so, or the opposite",
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
        kept = all(end.mean.mean > end.mean.margin for end in result.ends)
        return AS_READ if limit.holds == HOLDS and not kept else limit.holds
    if gain.mean < -gain.margin:
        return FAILS if all(end.mean.mean < -end.mean.margin for end in result.ends) else FAILS_AS_READ
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
