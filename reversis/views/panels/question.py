"""Effects of an answer in the game, on the page of its question: money, play, and deals that show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes import builders
from edition.views.common import classify_agreement
from edition.views.layout import Nodes
from engine.comparison import separation
from reversis.files.extras import get_deal_titles
from reversis.files.finding_ranges import FINDING_QUESTION
from reversis.files.separations import load_separations
from reversis.findings import costs
from reversis.findings.leading import sort_surveys
from reversis.views.deals.separations import (
    VERDICTS_TOLD,
    SeparationCase,
    collect_separation_cases,
    render_separation_case,
)
from reversis.views.surveys.finding_ranges import FindingRangesView, finding_ranges_view, render_finding_note
from reversis.views.surveys.play_effects import summarise_play_effect
from rulebook.model import Question
from rulebook.phrases import format_count


@dataclass(frozen=True, slots=True)
class AnswerEffectsView:
    """Effects of an answer in the game."""

    id: str
    differ: bool  #: whether the sources differ on the question
    cost: costs.CostLine | None
    ranges: FindingRangesView | None  #: of the figure over other readings, where they were tried
    play: str  #: what another answer does to play, in a line; empty where that was not measured
    not_played: str
    cases: tuple[SeparationCase, ...]  #: where two sources part on it, with a deal or the reason why there is none


def view_answer_effects(corpus: Corpus, id: str) -> AnswerEffectsView | None:
    """View what an answer to a question changes; None if nothing is known of it."""
    question = corpus.library.question(id)
    view = AnswerEffectsView(
        question.id,
        classify_agreement(corpus, question) == "differ",
        costs.summarise_question_cost(corpus.library, sort_surveys(corpus), costs.find_costs(corpus), question),
        finding_ranges_view(corpus) if question.id == FINDING_QUESTION else None,
        summarise_play_effect(corpus, question.slug),
        question.not_played,
        tuple(find_question_separations(corpus, question)),
    )
    return view if view.cost or view.play or view.not_played or view.cases else None


def find_question_separations(corpus: Corpus, question: Question) -> Iterator[SeparationCase]:
    """Cases in which two sources part on a question that is played, a deal first."""
    store = load_separations(corpus.library)
    separations = store.by_question.get(question.slug, ()) if store else ()
    if store is None or not separations or separations[0].verdict == separation.NOT_PLAYED:
        return
    order = separation.EFFECTIVE, separation.LATENT, separation.VERDICT_UNKNOWN
    yield from sorted(
        collect_separation_cases(corpus.library, store, None, separations, get_deal_titles(corpus)),
        key=lambda case: order.index(case.verdict),
    )


def render_answer_effects(view: AnswerEffectsView) -> Nodes:
    """Render effects of a disagreement: its cost at the table, and deals that show it."""
    lines: Nodes = []
    if view.cost:
        more: list[builders.Content] = [" ", builders.link("cost", view.id, "All figures")] if view.cost.weighed else []
        lines.append(builders.para(view.cost.words, *more))
    if view.ranges:
        lines += render_finding_note(view.ranges)
    elif view.cost and view.cost.weighed:
        lines.append(builders.para("Other readings of the books were not tried for these figures.", cls="rv-small"))
    if view.play:
        lines.append(builders.para(view.play, " ", builders.link("effect", view.id, "What a rule does to play")))
    if view.not_played:
        lines.append(builders.para(f"Not simulated: {view.not_played}"))
    if view.cases:
        deals = builders.link("parting", view.id, "all questions with such deals")
        verdicts = dict.fromkeys(case.verdict for case in view.cases)
        means = f"what {' and '.join(verdicts)} {'mean' if len(verdicts) > 1 else 'means'}"
        legend = builders.link("parting", VERDICTS_TOLD, means)
        lines.append(
            builders.para(
                "The same cards are settled twice, with the one answer and with the other (",
                deals,
                "; ",
                legend,
                ").",
            )
        )
    cases = [builders.block(*render_separation_case(case), cls="rv-case") for case in view.cases]
    rest = cases[1:]
    changes: Nodes = [builders.block(builders.block(*lines), *cases[:1], cls="rv-changes")]
    changes += [builders.details(format_count(len(rest), "other case"), *rest, cls="rv-cases")] if rest else []
    return [builders.section("changes", "What the difference changes" if view.differ else "In play", *changes)]
