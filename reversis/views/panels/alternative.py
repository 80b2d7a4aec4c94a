"""Effects of another reading in the game: example deals, money, and the readings on which most money depends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import code, details, link, para, span, table
from edition.nodes.components import SourceMark, named_source
from edition.views.common import AlternativeView, ClauseView
from edition.views.layout import Nodes, join_content, render_labelled_line
from edition.views.questions import interpretations
from engine.interpretation.effects import Effect
from lab.survey.statistics import Weight
from reversis.files.extras import get_deals, get_surveys
from reversis.findings import costs
from reversis.findings.shared_results import compute_effects
from rulebook.phrases import format_count

LARGEST = 10  #: so many readings stand in the overview
_MAX_LISTED_DEALS = 6  #: of more deals than these a list is folded away
_CHANGES = {
    "lawfulness": "legality",
    "net": "results",
    "entries": "payments",
}  #: what a reader calls what changes in a deal


# ---- example deals
def view_effect(corpus: Corpus, id: str) -> Effect | None:
    """View the example deals and sessions that a reading changes."""
    return compute_effects(corpus).get(id)


def render_effect(effect: Effect) -> Nodes:
    """Render which example deals and sessions a reading changes."""
    if not effect.played:
        return [render_labelled_line("In play", "The engine does not play it.")]
    if not effect.differences:
        return [render_labelled_line("In play", "It changes none of the example deals and sessions.")]
    deals = join_content(
        span(
            *(["the session ", code(trial.deal)] if trial.kind == "session" else [link("deal", trial.deal)]),
            f" ({', '.join(_CHANGES.get(how, how) for how in trial.how)})",
        )
        for trial in effect.differences
    )
    if (number := len(effect.differences)) > _MAX_LISTED_DEALS:
        return [details(f"It changes {number} example deals and sessions", para(*deals), cls="rv-words")]
    return [render_labelled_line("In play", "It changes ", *deals, ".")]


# ---- money
@dataclass(frozen=True, slots=True)
class MoneyAtTable:
    """Money that depends on a reading at the table of its source, or why it is not known."""

    words: str
    share: float = 0.0  #: of the pool, under the policy that leads at the table
    percent: str = ""
    supplied: bool = False  #: whether that pool is our assumption


def view_money(corpus: Corpus, id: str) -> MoneyAtTable | None:
    """View the money that depends on a reading; None where no survey knows it."""
    cost = costs.find_alternative_cost(costs.find_costs(corpus), id)
    if cost is None:
        surveys = get_surveys(corpus)
        surveyed = any(id.startswith(f"{table.siglum}.") for survey in surveys for table in survey.tables)
        later = "this book came after the last survey" if surveys and not surveyed else ""
        because = costs.explain_unsurveyed(surveys, alternative=id) or later
        return MoneyAtTable(f"Not surveyed: {because}.") if because else None
    figures = "; ".join(
        f"{costs.POLICY_HEADINGS.get(policy, policy).lower()} {format_weight_figures(cost, weight)}"
        for policy, weight in cost.weights
    )
    pool = "the opening pool, which we supply," if cost.pool_supplied else "the opening pool"
    lead = cost.weights[-1][1]
    share = lead.of_pool.value if lead.known else 0.0
    words = f"Share of {pool} that changes hands per deal: {figures}."
    return MoneyAtTable(words, share, costs.format_cost_percent(share), cost.pool_supplied)


def format_weight_figures(cost: costs.DisagreementCost, weight: Weight) -> str:
    """Format the average with its interval, and how often it matters at all."""
    if not weight.known:
        return "not known"
    moved = (
        f"{costs.format_cost_percent(weight.of_pool.value)} ({costs.format_cost_interval(weight.of_pool)})"
        if weight.moving
        else costs.describe_no_cost(cost, weight)
    )
    often = costs.describe_cost(cost, weight).rstrip(".")
    return f"{moved}, {often[:1].lower()}{often[1:]}"


def render_money(money: MoneyAtTable) -> Nodes:
    """Render the money that depends on a reading."""
    return [render_labelled_line("Money", money.words)]


# ---- the overview
#: Reading with its passage and the money that depends on it.
PricedReading: TypeAlias = tuple[SourceMark, ClauseView, AlternativeView, MoneyAtTable]


def view_largest(corpus: Corpus, _: str = "") -> tuple[PricedReading, ...] | None:
    """View the readings on which most money depends."""
    readings = (
        (book.source, passage, reading, money)
        for book in interpretations.doubts_view(corpus)
        for passage in book.passages
        for reading in passage.others
        if (money := view_money(corpus, reading.id)) and money.share
    )
    return tuple(sorted(readings, key=lambda priced: -priced[-1].share)[:LARGEST]) or None


def render_largest(view: tuple[PricedReading, ...]) -> Nodes:
    """Render the reading on which most money depends in a sentence, and the largest beside ours in a table."""
    rows = [
        (
            [para(named_source(source)), *interpretations.render_passage_words(passage)],
            *interpretations.render_answer_lines(passage, reading),
            [para(link("alternative", reading.id, money.percent, title="With the reasons"))],
        )
        for source, passage, reading, money in view
    ]
    head = "Passage", "Our reading", "Other reading", "Share of the opening pool"
    caption = f"The {len(rows)} on which most money depends, per deal"
    return [_render_most_money(*view[0]), table(caption, head, rows, cls="rv-stack rv-figures rv-doubts-largest")]


def _render_most_money(source: SourceMark, _: ClauseView, reading: AlternativeView, money: MoneyAtTable) -> nodes.Node:
    """Say on which reading most money depends, and how much."""
    asked = reading.answers[0]
    ours = "; that pool is our assumption" if money.supplied else ""
    return para(
        f"Most money depends on {source.within}: ",
        link("question", asked.question.id, asked.question.asks),
        f" In simulated deals the other reading ({asked.plain}) moves {money.percent} of the opening pool a deal",
        f"{ours}.",
    )


def effects_view(corpus: Corpus, _: str = "") -> str:
    """Count alternatives that change a worked deal, change none, or are not played, in a sentence."""
    sorts = Counter(
        "changing" if effect.differences else "idle" if effect.played else "unplayed"
        for effect in compute_effects(corpus).values()
    )
    deals = format_count(len(get_deals(corpus)), "worked deal")
    sessions = format_count(len(corpus.library.sessions), "worked session")
    return (
        f"Each of the {sorts.total()} other readings and options was tried on the {deals} and the {sessions}: "
        f"{sorts['changing']} change the result of at least one, which each of them names; {sorts['idle']} "
        f"{'changes' if sorts['idle'] == 1 else 'change'} no result there; {sorts['unplayed']} are on questions that "
        "our program does not play."
    )


def render_effects_summary(words: str) -> Nodes:
    """Render the count."""
    return [para(words)]
