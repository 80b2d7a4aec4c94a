"""Limits of a verdict on counsel: where a test is narrower than the words, and what the figures come to besides.

They follow from the test, from the rules of the source and from the stored surveys; nothing here names a source.
"""

from __future__ import annotations

from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.data.counsel import StoredMean
from edition.text.answers import format_counters, pluralize_counter
from edition.views.surveys.play_effects import format_signed
from edition.views.surveys.reversis_rates import count_reversis
from engine.survey.policies import SKILLED
from rulebook.resolve import resolve

_DEALER_ADDS = "stake.dealer-adds"  #: the question that asks what the dealer alone puts in for each deal


@dataclass(frozen=True, slots=True)
class CounselLimit:
    """Reach of a verdict: words behind "Holds", and a sentence behind the figures; empty where it needs none."""

    verdict: str = ""
    note: str = ""


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
        return _limit_deal(corpus, siglum, gain)
    if test == "reversis-broken":
        return _limit_reversis(corpus, siglum)
    if test == "holder-swings":
        return CounselLimit(", as far as tried: not compared with other cards")
    return CounselLimit()


def _limit_deal(corpus: Corpus, siglum: str, gain: StoredMean | None) -> CounselLimit:
    """Set the price of the deal beside what it gains; what all put in alike makes no difference to it."""
    share, unit = find_dealer_share(corpus, siglum), corpus.library.sources[siglum].unit
    if share is None:
        return CounselLimit()
    if not share.amount:
        ours = " (our assumption)" if share.supplied else ""
        return CounselLimit("", f"The dealer puts in no more than the others{ours}, so nothing is left out.")
    much = format_counters(share.amount, unit)
    return CounselLimit(f", without the {much} that the dealer adds", _price_deal(share, unit, gain))


def _price_deal(share: DealerShare, unit: str, gain: StoredMean | None) -> str:
    paid = f"Not counted: for each deal the dealer adds {share.describe(unit)} to what all put in."
    if gain is None:
        return paid
    left = gain.mean - share.amount
    counted = f"{format_signed(abs(left))} {pluralize_counter(unit)} {'behind' if left < 0 else 'ahead of'} the others"
    comes_to = "to deal then costs more than it gains" if left < 0 else "the deal still gains more than it costs"
    return (
        f"{paid} Whoever wins the pool has them; if in the long run that is each of the four as often, a fourth comes "
        f"back to each, and with them counted the dealer is {counted}: {comes_to}."
    )


def _limit_reversis(corpus: Corpus, siglum: str) -> CounselLimit:
    """Set those that were made beside those that failed."""
    survey = next((one for one in corpus.surveys if one.policy == SKILLED), None)
    found = count_reversis(survey, siglum) if survey else None
    note = (
        f"Skilled players undertook {found.undertaken:,} in {found.deals:,} simulated deals, and made {found.made:,} "
        f"of them; {found.undertaken - found.made:,} failed. What is won by those that are made is not counted here."
        if found and found.undertaken
        else "What is won by those that are made is not counted here."
    )
    return CounselLimit(" for those that fail", note)
