"""The counsel of the sources, tried: what each advises or claims, in its own words, and what came of it.

The figures are those of the receipt of `proofs.counsel` alone; without one the page shows the sentences all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from docutils import nodes

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.nodes.builders import (
    Content,
    add_anchor,
    block,
    bullet_list,
    card_signs,
    code,
    heading,
    link,
    para,
    section,
    strong,
    table,
)
from edition.nodes.components import SourceMark, named_source, render_prose, source_shape
from edition.views.common import Prose, QuotationView, build_quotation_view
from edition.views.layout import Nodes, join_content, render_passage, render_quotation_place
from edition.views.plain_answers import source_marks
from reversis.files.counsel import (
    COUNSEL_PROOF,
    CounselResult,
    CounselResults,
    StoredMean,
    describe_trial,
    read_counsel_results,
)
from reversis.files.counsel_file import ADVICE, Counsel
from reversis.files.extras import get_counsel
from reversis.findings.costs import THIN_SPACE, format_cost_figure
from reversis.views.surveys.counsel_limits import (
    AS_READ,
    FAILS,
    FAILS_AS_READ,
    HOLDS,
    IN_PART,
    NOT_KNOWN,
    UNDECIDED,
    CounselLimit,
    DealerShare,
    find_counsel_limit,
    find_dealer_share,
)
from reversis.views.surveys.counsel_verdicts import (
    NO_RESULT,
    TOO_FEW,
    count_counsel_verdicts,
    is_better_than_average,
    judge_counsel,
    word_counsel_verdict,
)
from reversis.views.surveys.play_effects import MeasuredState, format_signed, format_signed_interval
from rulebook import __version__
from rulebook.model import Cite
from rulebook.phrases import format_count, join_names, pluralize_counter

NO_COUNSEL_TEXT = "The counsel of the books has not been tried yet: `python -m proofs.counsel` does it."
#: Verdict -> how it is counted on top, after those that hold.
_COUNTED_VERDICTS = (
    (AS_READ, "As we read the books, and not by every reading: {}."),
    (IN_PART, "In part: {}."),
    (NOT_KNOWN, "Not known: {}, for what was tried comes out, but says less than they do."),
    (FAILS, "Costs, or does not hold: {}, for the interval lies below 0."),
    (FAILS_AS_READ, "The same as we read the books, and not by every reading: {}."),
    (UNDECIDED, "Undecided: {}, for it holds 0."),
    (TOO_FEW, "Too few cases: {}."),
    (NO_RESULT, "Not tried yet: {}."),
)
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
class AlikeCounsel:
    """The outcome of what another book says, tried in the same way."""

    id: str
    book: str
    gain: str
    verdict: str


@dataclass(frozen=True, slots=True)
class CounselRow:
    """One piece of counsel with its words and what came of it."""

    id: str
    source: SourceMark
    quotations: tuple[QuotationView, ...]
    says: str
    advises: bool  #: it is tried choice by choice, and not on whole deals
    test: str  #: empty if it cannot be tried
    cards: tuple[str, ...]
    over: tuple[str, ...]
    how: Prose
    untried: Prose
    verdict: str
    limit: CounselLimit  #: how far the verdict reaches
    unit: str
    result: CounselResult | None
    alike: tuple[AlikeCounsel, ...] = ()  #: what other books say that is tried in the same way


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Wins in each place at the table of one source, the dealer last."""

    source: SourceMark
    unit: str
    wins: tuple[StoredMean, ...]
    share: DealerShare | None  #: what the dealer alone puts in, which is not counted


@dataclass(frozen=True, slots=True)
class CounselView:
    """Everything on the page."""

    tried: tuple[CounselRow, ...]
    untried: tuple[CounselRow, ...]
    places: tuple[PlaceRow, ...]
    without: tuple[str, ...]  #: sources without advice or claim
    state: MeasuredState | None


@cached_on_corpus
def find_counsel_results(corpus: Corpus) -> CounselResults | None:
    """Find what the receipt tells."""
    return read_counsel_results(corpus.receipts, get_counsel(corpus))


def counsel_view(corpus: Corpus, _: str = "") -> CounselView:
    """All counsel, with what came of it."""
    counsel, stored = get_counsel(corpus), find_counsel_results(corpus)
    found = [_counsel_row(corpus, one, stored) for one in counsel if one.source in corpus.library.sources]
    rows = [*_find_alike(found, counsel)]
    marks = source_marks(corpus)
    places = stored.places.items() if stored else ()
    speak = {one.source for one in counsel}
    return CounselView(
        tuple(one for one in rows if one.test),
        tuple(one for one in rows if not one.test),
        tuple(
            PlaceRow(marks[name], stored.units[name], wins, find_dealer_share(corpus, name))
            for name, wins in places
            if stored and name in marks
        ),
        tuple(mark.name for siglum, mark in marks.items() if siglum not in speak),
        _find_state(corpus) if stored else None,
    )


def _find_state(corpus: Corpus) -> MeasuredState:
    receipt = next(one for one in corpus.receipts if one.proof == COUNSEL_PROOF)
    return MeasuredState(0, receipt.command, receipt.made, receipt.outdated(__version__, corpus.library.rules_digest))


def list_tried_counsel(corpus: Corpus, locus: str) -> tuple[tuple[str, str, str], ...]:
    """List the counsel in a sentence that is tried: its id, its words in plain English, the verdict."""
    stored = find_counsel_results(corpus)
    results = stored.results if stored else {}
    return tuple(
        (one.id, one.says, _describe_outcome(corpus, one, results.get(one.id)))
        for one in get_counsel(corpus)
        if one.tried and any(each.at == locus for each in one.passages)
    )


def _describe_outcome(corpus: Corpus, one: Counsel, result: CounselResult | None) -> str:
    """Describe the verdict on one piece of counsel, with its limit."""
    limit = _find_limit(corpus, one, result)
    better = is_better_than_average(result)
    return word_counsel_verdict(judge_counsel(result, limit), is_choice_test(one.tried), limit, better)


def _find_limit(corpus: Corpus, one: Counsel, result: CounselResult | None) -> CounselLimit:
    return find_counsel_limit(corpus, one.tried, one.source, result.gain if result else None)


def _counsel_row(corpus: Corpus, one: Counsel, stored: CounselResults | None) -> CounselRow:
    source = corpus.library.sources[one.source]
    printed = source.text is not None  # of a source in copyright our statement stands there already
    cites = [Cite(each.at, exact=each.exact if printed else "") for each in one.passages]
    result = stored.results.get(one.id) if stored else None
    limit = _find_limit(corpus, one, result)
    return CounselRow(
        one.id,
        source_marks(corpus)[one.source],
        tuple(build_quotation_view(corpus, source, each) for each in cites),
        one.says,
        is_choice_test(one.tried) if one.tried else one.kind == ADVICE,
        one.tried,
        one.cards,
        one.over,
        corpus.prose(one.how, one.source),
        corpus.prose(one.untried, one.source),
        judge_counsel(result, limit),
        limit,
        stored.units.get(one.source, "") if stored else "",
        result,
    )


def _find_alike(rows: Sequence[CounselRow], counsel: Iterable[Counsel]) -> Iterator[CounselRow]:
    """Yield the rows, each with what other books say that is tried in the same way."""
    trials = {one.id: describe_trial(one) for one in counsel}
    for row in rows:
        others = (
            AlikeCounsel(one.id, one.source.name, _format_gain(one), describe_counsel_verdict(one))
            for one in rows
            if row.test and one.result and trials[one.id] == trials[row.id] and one.source != row.source
        )
        yield replace(row, alike=tuple(others))


def is_choice_test(test: str) -> bool:
    """Return whether a test is of choices, and not of whole deals."""
    return ", against " in TEST_WORDS[test]


# ---- layout
def render_counsel(view: CounselView) -> Nodes:
    """Render the outcome at a glance, every sentence with its trial, and what could not be tried."""
    if not view.tried and not view.untried:
        return [para("No source has been searched for advice yet.")]
    lede = para(
        "The books do not only give rules: now and then they say how to play well, or what is worth having. Each such "
        "sentence is tried here under the rules of its own book, with players who look ahead.",
        cls="rv-lede",
    )
    without = [para(f"Without advice or claim: {join_names(view.without)}.", cls="rv-small")] if view.without else []
    return [
        lede,
        *_render_state(view),
        *([_render_overview(view.tried)] if view.state else []),
        *without,
        section("tried", "Sentence by sentence", *map(_render_row, view.tried), cls="rv-readings"),
        *_render_places(view.places),
        section("untried", "What could not be tried", bullet_list(map(_render_untried, view.untried))),
    ]


def _render_state(view: CounselView) -> Iterator[nodes.Node]:
    state = view.state
    if state is None:
        yield para(NO_COUNSEL_TEXT)
        return
    counts = count_counsel_verdicts(one.verdict for one in view.tried)
    rest = [words.format(counts[verdict]) for verdict, words in _COUNTED_VERDICTS if counts[verdict]]
    yield para(
        f"{format_count(len(view.tried), 'sentence was', 'sentences were')} tried. ",
        strong(f"{counts[HOLDS]} hold"),
        f" by every reading of their books, as far as their lines say: the 95{THIN_SPACE}% interval lies above 0. ",
        " ".join(rest),
    )
    yield para(f"Measured {state.made}. To repeat it: ", code(state.command), cls="rv-small")
    if state.outdated:
        yield para(strong("Of an earlier state: "), "; ".join(state.outdated), ". Repeat it.", cls="rv-clause")


def _render_overview(rows: Sequence[CounselRow]) -> nodes.table:
    lines = [
        (
            [link("counsel", one.id, one.says)],
            one.source.name,
            f"{one.result.cases:,}" if one.result else "–",
            _format_gain(one),
            describe_counsel_verdict(one),
        )
        for one in rows
    ]
    head = "Advice or claim", "Book", "Cases", f"Gain, or by how much it is true (95{THIN_SPACE}%)", "Verdict"
    return table("All that was tried", head, lines, cls="rv-stack rv-figures")


def _format_gain(one: CounselRow) -> str:
    gain = one.result.gain if one.result else None
    return _format_with_interval(gain, one.unit) if gain else "–"


def _format_with_interval(mean: StoredMean, unit: str) -> str:
    return f"{format_mean(mean, unit)} ({format_mean_interval(mean)})"


def format_mean(mean: StoredMean, unit: str) -> str:
    """Format a mean with its counters."""
    return f"{format_signed(mean.mean)} {unit if abs(mean.mean) == 1 else pluralize_counter(unit)}"


def format_mean_interval(mean: StoredMean) -> str:
    """Format the ends of an interval."""
    return format_signed_interval(mean.mean - mean.margin, mean.mean + mean.margin)


def _render_row(one: CounselRow) -> nodes.container:
    made = block(
        heading(3, one.says, cls="rv-reading-head"),
        *_render_words(one),
        para("Tried: ", TEST_WORDS[one.test], *_name_cards(one), ". ", *render_prose(one.how)),
        para(strong(describe_counsel_verdict(one)), ". ", *_describe_result(one)),
        *_render_range(one),
        *_render_alike(one),
        cls="rv-reading",
    )
    return add_anchor(made, "counsel", one.id, one.says)


def _name_cards(one: CounselRow) -> Iterator[Content]:
    """Name the cards that a test is about."""
    if one.cards:
        yield ": "
        yield from card_signs(" ".join(one.cards))
    if one.over:
        yield " rather than "
        yield from card_signs(" ".join(one.over))


def describe_counsel_verdict(one: CounselRow) -> str:
    """Describe a verdict in words that stand on their own."""
    return word_counsel_verdict(one.verdict, one.advises, one.limit, is_better_than_average(one.result))


def _render_alike(one: CounselRow) -> Iterator[nodes.Node]:
    """Say what came of the same in other books."""
    for each in one.alike:
        yield para("Tried the same way: ", link("counsel", each.id, each.book), f", {each.gain}. {each.verdict}.")


def _render_words(one: CounselRow) -> Iterator[nodes.Node]:
    """Words of the source with their place."""
    for quote in one.quotations:
        yield block(
            *render_passage(quote),
            para(named_source(one.source), ", ", *render_quotation_place(quote), cls="rv-locus"),
            cls="rv-quote",
        )


def _describe_result(one: CounselRow) -> Iterator[Content]:
    """Describe the figures of a result in words."""
    result = one.result
    if result is None:
        return
    noun = "case" if result.cases == 1 else "cases"
    yield f"{result.cases:,} {noun} in {result.deals:,} of {result.of:,} deals"
    if result.gain is None:
        yield "."
        return
    interval = f"(95{THIN_SPACE}%: {format_mean_interval(result.gain)})"
    if not one.advises:
        yield f": {format_mean(result.gain, one.unit)} {interval}. {one.limit.note}".rstrip()
        return
    much = format_mean(StoredMean(abs(result.gain.mean), 0.0), one.unit)
    than = "less" if result.gain.mean < 0 else "more"
    yield f". The best choice that follows it wins {much} {than} than the best that does not {interval}."
    if result.agreed is not None and result.cost:
        sure = result.cost.mean > result.cost.margin
        loss = f"{format_mean(result.cost, one.unit)} a case" if sure else "nothing that can be told from 0"
        yield (
            f" In {format_cost_figure(result.agreed)} of 100 cases the best choice of all follows it; whoever always "
            f"follows it loses {loss} against the best choice "
            f"({format_mean_interval(result.cost)})."
        )
    if result.ahead:
        yield (
            f" Choices that follow it are worth {format_mean(result.ahead, one.unit)} more on average than those that "
            f"do not ({format_mean_interval(result.ahead)})."
        )


def _render_range(one: CounselRow) -> Iterator[nodes.Node]:
    """Say between what the figure lies over the other readings of the book, and by which."""
    if not one.result or not one.result.ends:
        return
    ends = [[f"{_format_with_interval(end.mean, one.unit)}, ", *_name_readings(end.by)] for end in one.result.ends]
    tried = format_count(one.result.readings, "other reading")
    yield para(
        f"By {tried}, alone and together: from ",
        *ends[0],
        " to ",
        *ends[1],
        ".",
        cls="rv-small",
    )


def _name_readings(by: Sequence[str]) -> Iterator[Content]:
    """Name the readings by which a figure comes out."""
    if not by:
        yield "as we read it"
    for at, id in enumerate(by):
        yield " with " if at else "by "
        yield link("alternative", id)


def _render_untried(one: CounselRow) -> list[Content]:
    places = join_content([*(link("sentence", each.locus) for each in one.quotations)], ", ")
    said: list[Content] = [source_shape(one.source), f" {one.source.name}, ", *places, f": {one.says} "]
    return [*said, *render_prose(one.untried)]


def _render_places(rows: Sequence[PlaceRow]) -> Iterator[nodes.Node]:
    """Table of what is won in each place at the table."""
    lines = [
        (one.source.name, *(f"{format_mean(each, one.unit)} ({format_mean_interval(each)})" for each in one.wins))
        for one in rows
    ]
    if lines:
        head = "By the rules of", "Eldest", "Second", "Third", "Dealer"
        made = table("What is won in each place", head, lines, cls="rv-stack rv-figures")
        yield section(
            "places",
            "Place by place",
            made,
            para("A deal, with its 95 % interval. It does not sum to 0: the basket takes and gives.", cls="rv-small"),
            *_tell_shares(rows),
        )


def _tell_shares(rows: Iterable[PlaceRow]) -> Iterator[nodes.Node]:
    """Say what is not counted: what everybody puts in, and the dealer alone."""
    shares = [f"{one.share.describe(one.unit)} by the rules of {one.source.within}" for one in rows if one.share]
    alone = f", and what the dealer alone adds for each deal: {join_names(shares)}" if shares else ""
    yield para(f"Not counted is what everybody puts into the basket before the deal{alone}.", cls="rv-small")
