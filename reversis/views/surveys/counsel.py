"""The counsel of the sources, tried: what each advises or claims, in its own words, and what came of it.

The figures are those of the receipt of `proofs.counsel` alone; without one the page shows the sentences all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.nodes.components import SourceMark
from edition.views.common import Prose, QuotationView, build_quotation_view
from edition.views.layout import render_passage, render_quotation_place
from edition.views.plain_answers import source_marks
from reversis.files.counsel import (
    COUNSEL_PROOF,
    CounselResult,
    CounselResults,
    StoredMean,
    describe_trial,
    read_counsel_results,
)
from reversis.files.counsel_file import ADVICE, CounselRecord
from reversis.files.extras import get_counsel, get_surveys
from reversis.views.page_template import page_renderer
from reversis.views.surveys.counsel_verdicts import (
    CounselLimit,
    DealerShare,
    find_counsel_limit,
    find_dealer_share,
    is_better_than_average,
    judge_counsel,
    word_counsel_verdict,
)
from reversis.views.surveys.play_effects import MeasuredState, format_signed, format_signed_interval
from rulebook import __version__
from rulebook.model import Cite
from rulebook.phrases import pluralize_counter

#: How each test goes, in words: for advice where it applies and which cards follow it, for a claim what is compared.
TEST_WORDS: Mapping[str, str] = {
    "play-below": "following suit, with cards above and below the card led: one below it, against one above",
    "avoid-points": "with an ace or court card on the table: a card that does not lie highest, against one that does",
    "take-high": "last to a trick: the highest card that takes it, against another that takes it",
    "return-low": "leading after taking a trick: the lowest card of the same suit, against any other card",
    "lead-low": "leading: the lowest card of a suit in which one has a high one too, against any other card",
    "throw-cards": "unable to follow: one of these cards, against another",
    "throw-high": "unable to follow: a card of the highest rank in hand, against any other",
    "lead-hearts": "leading, while the quinola may be with another player: a heart, against another suit",
    "guard-quinola": "holding the quinola, free to play several suits: any but a plain heart, against a plain heart",
    "keep-from-leading": "leading, with this card in hand: any other card, against this one",
    "lay-away-sole": "before play, such a card being the only one of its suit: to lay it away, against another choice",
    "lay-away-lowest": "before play, such a card being the lowest of its suit: to lay it away, against another choice",
    "dealer-ahead": "what the dealer wins a deal, less what the other three win on average",
    "holder-swings": "how much the holder of the card wins or loses a deal, less how much the others do on average",
    "courts-lose": "how much less the player with most aces and court cards wins a deal than the others on average",
    "espagnolette-ahead": "what the holder of an espagnolette wins a deal, less what the other three win on average",
}


@dataclass(frozen=True, slots=True)
class CounselRow:
    """One piece of counsel with its words and what came of it."""

    counsel: CounselRecord
    source: SourceMark
    quotations: tuple[QuotationView, ...]
    advises: bool  #: it is tried choice by choice, and not on whole deals
    how: Prose
    untried: Prose
    verdict: str
    limit: CounselLimit  #: how far the verdict reaches
    unit: str
    result: CounselResult | None
    #: what other books say that is tried in the same way: id, book, gain and verdict
    alike: tuple[tuple[str, str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CounselView:
    """Everything on the page."""

    tried: tuple[CounselRow, ...]
    untried: tuple[CounselRow, ...]
    #: wins in each place at the table of a source, the dealer last: its counter, and what the dealer alone puts in
    places: tuple[tuple[SourceMark, str, tuple[StoredMean, ...], DealerShare | None], ...]
    without: tuple[str, ...]  #: sources without advice or claim
    state: MeasuredState | None
    pools: Mapping[str, int]  #: counters before the deal, by the siglum of the source

    def find_clearest(self, verdict: str) -> CounselRow | None:
        """Find the advice of a verdict whose gain or loss is the largest beside its margin; None if there is none."""
        rows = [row for row in self.tried if row.advises and row.verdict == verdict and row.result and row.result.gain]
        return max(rows, key=_weigh_gain, default=None)


def _weigh_gain(row: CounselRow) -> float:
    gain = row.result.gain if row.result else None
    return abs(gain.mean) / gain.margin if gain and gain.margin else 0.0


@cached_on_corpus
def find_counsel_results(corpus: Corpus) -> CounselResults | None:
    """Find what the receipt tells."""
    return read_counsel_results(corpus.receipts, get_counsel(corpus))


def counsel_view(corpus: Corpus, _: str = "") -> CounselView:
    """All counsel, with what came of it."""
    counsel, stored = get_counsel(corpus), find_counsel_results(corpus)
    bare_rows = [_counsel_row(corpus, advice, stored) for advice in counsel if advice.source in corpus.library.sources]
    rows = [*_find_alike(bare_rows)]
    marks = source_marks(corpus)
    places = stored.places.items() if stored else ()
    speak = {advice.source for advice in counsel}
    return CounselView(
        tuple(row for row in rows if row.counsel.tried),
        tuple(row for row in rows if not row.counsel.tried),
        tuple(
            (marks[name], stored.units[name], wins, find_dealer_share(corpus, name))
            for name, wins in places
            if stored and name in marks
        ),
        tuple(mark.name for siglum, mark in marks.items() if siglum not in speak),
        _find_state(corpus) if stored else None,
        {table.siglum: table.pool for survey in get_surveys(corpus) for table in survey.tables},
    )


def _find_state(corpus: Corpus) -> MeasuredState:
    receipt = next(candidate for candidate in corpus.receipts if candidate.proof == COUNSEL_PROOF)
    return MeasuredState(0, receipt.command, receipt.made, receipt.outdated(__version__, corpus.library.rules_digest))


def list_tried_counsel(corpus: Corpus, locus: str) -> tuple[tuple[str, str, str], ...]:
    """List the counsel in a sentence that is tried: its id, its words in plain English, the verdict."""
    stored = find_counsel_results(corpus)
    results = stored.results if stored else {}
    return tuple(
        (advice.id, advice.says, _describe_outcome(corpus, advice, results.get(advice.id)))
        for advice in get_counsel(corpus)
        if advice.tried and any(each.at == locus for each in advice.passages)
    )


def _describe_outcome(corpus: Corpus, advice: CounselRecord, result: CounselResult | None) -> str:
    """Describe the verdict on one piece of counsel, with its limit."""
    limit = _find_limit(corpus, advice, result)
    better = is_better_than_average(result)
    return word_counsel_verdict(judge_counsel(result, limit), is_choice_test(advice.tried), limit, better)


def _find_limit(corpus: Corpus, advice: CounselRecord, result: CounselResult | None) -> CounselLimit:
    return find_counsel_limit(corpus, advice.tried, advice.source, result.gain if result else None)


def _counsel_row(corpus: Corpus, advice: CounselRecord, stored: CounselResults | None) -> CounselRow:
    source = corpus.library.sources[advice.source]
    printed = source.text is not None  # of a source in copyright our statement stands there already
    cites = [Cite(each.at, exact=each.exact if printed else "") for each in advice.passages]
    result = stored.results.get(advice.id) if stored else None
    limit = _find_limit(corpus, advice, result)
    return CounselRow(
        advice,
        source_marks(corpus)[advice.source],
        tuple(build_quotation_view(corpus, source, each) for each in cites),
        is_choice_test(advice.tried) if advice.tried else advice.kind == ADVICE,
        corpus.prose(advice.how, advice.source),
        corpus.prose(advice.untried, advice.source),
        judge_counsel(result, limit),
        limit,
        stored.units.get(advice.source, "") if stored else "",
        result,
    )


def _find_alike(rows: Sequence[CounselRow]) -> Iterator[CounselRow]:
    """Yield the rows, each with what other books say that is tried in the same way."""
    for row in rows:
        others = (
            (other.counsel.id, other.source.name, format_gain(other), describe_counsel_verdict(other))
            for other in rows
            if row.counsel.tried and other.result and other.source != row.source
            if describe_trial(other.counsel) == describe_trial(row.counsel)
        )
        yield replace(row, alike=tuple(others))


def is_choice_test(test: str) -> bool:
    """Return whether a test is of choices, and not of whole deals."""
    return ", against " in TEST_WORDS[test]


# ---- in words
def format_mean(mean: float, unit: str) -> str:
    """Format a mean with its counters."""
    return f"{format_signed(mean)} {unit if abs(mean) == 1 else pluralize_counter(unit)}"


def format_mean_interval(mean: StoredMean) -> str:
    """Format the ends of an interval."""
    return format_signed_interval(mean.mean - mean.margin, mean.mean + mean.margin)


def format_gain(row: CounselRow) -> str:
    """Format the gain of an advice with its interval; a dash where there is none."""
    gain = row.result.gain if row.result else None
    return f"{format_mean(gain.mean, row.unit)} ({format_mean_interval(gain)})" if gain else "–"


def describe_counsel_verdict(row: CounselRow) -> str:
    """Describe a verdict in words that stand on their own."""
    return word_counsel_verdict(row.verdict, row.advises, row.limit, is_better_than_average(row.result))


render_counsel = page_renderer(
    "counsel",
    between=format_mean_interval,
    gain=format_gain,
    mean=format_mean,
    passage=render_passage,
    place=render_quotation_place,
    test=TEST_WORDS.__getitem__,
    verdict=describe_counsel_verdict,
)
