"""Interpretations and options, each with what it changes in the worked deals and what it costs at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from docutils import nodes

from edition.analysis.costs import POLICIES, find_costs, interval, left_out, meaning, of_alternative, percent
from edition.analysis.effects import compute_effects
from edition.corpus.corpus import Corpus, alternatives
from edition.nodes.builders import TARGET, Content, block, link, para, span, strong
from edition.views.common import DOUBTFUL, BySource, ClauseView, chosen_clauses
from edition.views.layout import Nodes, answers, badges, others, quoted, source_sections, told
from engine.survey.statistics import Weight


@dataclass(frozen=True, slots=True)
class AtTable:
    """What an alternative costs at the table of its source, or why that is not known."""

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
    found = ((one.id, at_table(corpus, clause.source, one.id)) for clause, one in alternatives(corpus.library))
    return Doubts(interpretations_view(corpus), tuple((id, cost) for id, cost in found if cost))


def interpretations_view(corpus: Corpus, _: str = "") -> BySource:
    """Every passage that can be taken in more than one way."""
    found = chosen_clauses(corpus, lambda clause: bool(clause.alternatives) or clause.status in DOUBTFUL)
    return tuple((source, tuple(with_effects(corpus, clause) for clause in clauses)) for source, clauses in found)


def with_effects(corpus: Corpus, clause: ClauseView) -> ClauseView:
    """A clause whose rivals tell which worked deals they change."""
    return replace(
        clause, others=tuple(replace(one, effect=compute_effects(corpus).get(one.id)) for one in clause.others)
    )


def at_table(corpus: Corpus, siglum: str, id: str) -> AtTable | None:
    """What an alternative costs; nothing where no survey knows it."""
    cost = of_alternative(find_costs(corpus), id)
    if cost is None:
        because = left_out(corpus.surveys, alternative=id)
        return AtTable(siglum, f"Not surveyed: {because}.", False) if because else None
    said = "; ".join(f"{POLICIES.get(policy, policy).lower()} {figures(one)}" for policy, one in cost.weights)
    pool = "the opening pool, which we supply," if cost.pool_supplied else "the opening pool"
    return AtTable(siglum, f"Of {pool} it moves in a deal, on the mean: {said}.", True)


def figures(one: Weight) -> str:
    """The mean with its interval, and how often it matters at all."""
    if not one.known:
        return "not to be reckoned"
    moved = f"{percent(one.of_pool.value)} ({interval(one.of_pool)})" if one.moving else "nothing seen"
    often = meaning(one).rstrip(".")
    return f"{moved}: {often[:1].lower()}{often[1:]}"


def doubts(view: Doubts) -> Nodes:
    """Clause by clause under their sources."""
    costs = dict(view.costs)
    return source_sections(
        "doubt", view.clauses, lambda source, found: (with_costs(render_alternatives(one), costs) for one in found)
    )


def render_alternatives(clause: ClauseView) -> nodes.container:
    """Return a clause with its rivals, which are at home here and can be linked to."""
    head = para(strong(link("clause", clause.id)), " ", *badges(clause.status, clause.cert), cls="rv-clause-head")
    kept = clause.label or "as coded"
    preferred = block(
        para(span("Preferred", cls="rv-label"), " ", kept),
        answers(clause.answers),
        *told("Because", clause.because),
        cls="rv-other rv-preferred",
    )
    return block(head, *map(quoted, clause.quotations), preferred, *others(clause, target=True), cls="rv-clause")


def with_costs(clause: nodes.container, costs: Mapping[str, AtTable]) -> nodes.container:
    """A clause whose alternatives tell what they cost."""
    for other in clause.findall(nodes.container):
        targets: list[tuple[str, str, str, str]] = other.get(TARGET, [])
        for id in [id for kind, id, _, _ in targets if kind == "alternative" and id in costs]:
            other += cost_line(costs[id])
    return clause


def cost_line(one: AtTable) -> nodes.paragraph:
    """What an alternative costs, and the way to all figures of that table."""
    more: list[Content] = [" ", link("costs", one.source, "All that is weighed there")] if one.weighed else []
    return para(span("At the table", cls="rv-label"), f" {one.words}", *more, cls="rv-effect")


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"interpretations": doubts_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"interpretations": doubts}
