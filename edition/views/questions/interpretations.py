"""Interpretations and options, each with what it changes in the worked deals and what it costs at the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from docutils import nodes

from edition.analysis.costs import (
    POLICY_HEADINGS,
    describe_cost,
    explain_unsurveyed,
    find_alternative_cost,
    find_costs,
    format_cost_interval,
    format_cost_percent,
)
from edition.analysis.effects import compute_effects
from edition.corpus.corpus import Corpus
from edition.nodes.builders import TARGET, Content, block, link, para, span, strong
from edition.views.common import BySource, ClauseView, select_clauses
from edition.views.layout import (
    Nodes,
    render_answers,
    render_clause_alternatives,
    render_labelled_note,
    render_quotation,
    render_status_badges,
    source_sections,
)
from engine.survey.statistics import Weight
from rulebook.model import DOUBTFUL_STATUSES
from rulebook.resolve import iter_clause_alternatives


@dataclass(frozen=True, slots=True)
class AtTable:
    """Cost of an alternative at the table of its source, or why it is not known."""

    source: str
    words: str
    weighed: bool


@dataclass(frozen=True, slots=True)
class Doubts:
    """Every passage that can be taken in more than one way, with what its alternatives cost."""

    clauses: BySource
    costs: tuple[tuple[str, AtTable], ...]  #: id of the alternative -> what it costs


def doubts_view(corpus: Corpus, _: str = "") -> Doubts:
    """Every passage that can be taken in more than one way."""
    found = select_clauses(corpus, lambda clause: bool(clause.alternatives) or clause.status in DOUBTFUL_STATUSES)
    passages = tuple((source, tuple(with_effects(corpus, clause) for clause in clauses)) for source, clauses in found)
    costs = (
        (one.id, at_table(corpus, clause.source, one.id))
        for clause, one in iter_clause_alternatives(corpus.library.clauses())
    )
    return Doubts(passages, tuple((id, cost) for id, cost in costs if cost))


def with_effects(corpus: Corpus, clause: ClauseView) -> ClauseView:
    """A clause whose rivals carry their effects on the worked deals."""
    return replace(
        clause, others=tuple(replace(one, effect=compute_effects(corpus).get(one.id)) for one in clause.others)
    )


def at_table(corpus: Corpus, siglum: str, id: str) -> AtTable | None:
    """Cost of an alternative; None where no survey knows it."""
    cost = find_alternative_cost(find_costs(corpus), id)
    if cost is None:
        because = explain_unsurveyed(corpus.surveys, alternative=id)
        return AtTable(siglum, f"Not surveyed: {because}.", False) if because else None
    said = "; ".join(
        f"{POLICY_HEADINGS.get(policy, policy).lower()} {format_weight_figures(one)}" for policy, one in cost.weights
    )
    pool = "the opening pool, which we supply," if cost.pool_supplied else "the opening pool"
    return AtTable(siglum, f"Of {pool} it moves in a deal, on the mean: {said}.", True)


def format_weight_figures(one: Weight) -> str:
    """Format the mean with its interval, and how often it matters at all."""
    if not one.known:
        return "not to be reckoned"
    moved = (
        f"{format_cost_percent(one.of_pool.value)} ({format_cost_interval(one.of_pool)})"
        if one.moving
        else "nothing seen"
    )
    often = describe_cost(one).rstrip(".")
    return f"{moved}: {often[:1].lower()}{often[1:]}"


def render_doubts(view: Doubts) -> Nodes:
    """Render the doubtful clauses under their sources, with costs."""
    costs = dict(view.costs)
    return source_sections(
        "doubt", view.clauses, lambda source, found: (with_costs(render_alternatives(one), costs) for one in found)
    )


def render_alternatives(clause: ClauseView) -> nodes.container:
    """Return a clause with its rivals, which are at home here and can be linked to."""
    head = para(
        strong(link("clause", clause.id)), " ", *render_status_badges(clause.status, clause.cert), cls="rv-clause-head"
    )
    kept = clause.label or "as coded"
    preferred = block(
        para(span("Preferred", cls="rv-label"), " ", kept),
        render_answers(clause.answers),
        *render_labelled_note("Because", clause.because),
        cls="rv-other rv-preferred",
    )
    return block(
        head,
        *map(render_quotation, clause.quotations),
        preferred,
        *render_clause_alternatives(clause, target=True),
        cls="rv-clause",
    )


def with_costs(clause: nodes.container, costs: Mapping[str, AtTable]) -> nodes.container:
    """A clause whose alternatives show what they cost."""
    for other in clause.findall(nodes.container):
        targets: list[tuple[str, str, str, str]] = other.get(TARGET, [])
        for id in [id for kind, id, _, _ in targets if kind == "alternative" and id in costs]:
            other += _render_alternative_cost(costs[id])
    return clause


def _render_alternative_cost(one: AtTable) -> nodes.paragraph:
    more: list[Content] = [" ", link("costs", one.source, "All that is weighed there")] if one.weighed else []
    return para(span("At the table", cls="rv-label"), f" {one.words}", *more, cls="rv-effect")
