"""Reasons for unpaid events of a deal by one source, and results that depend on a reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docutils import nodes

from edition.nodes.builders import (
    Content,
    add_page_id,
    block,
    bullet_list,
    details,
    link,
    para,
    span,
    table,
)
from edition.nodes.components import source_shape
from edition.text.typography import use_minus_signs
from edition.views.layout import Nodes, join_content, render_badge
from reversis.views.deals.ledger import (
    STATE_LABELS,
    BookLedger,
    capitalize_seats,
    render_clause_list,
    render_clause_words,
)
from reversis.words.certainty import ContestView, DecisionView, PossibleView
from reversis.words.explanation import ExplainedAnswer, ExplainedNonpayment
from reversis.words.ledgers import CitedClauseView, Expectation, LedgerView
from rulebook.phrases import pluralize_counter
from rulebook.strings import slugify_text


def render_book_details(one: BookLedger, seats: Sequence[str]) -> nodes.Node:
    """Everything on one source that is not in its ledger, folded up."""
    inner = (
        *_render_expected_figures(one.ledger, seats),
        *_render_left_out(one.ledger),
        *_render_readings(one.possible, seats),
        *render_unpaid(one.source.siglum, one.unpaid, seats),
        *render_clause_list(one.ledger),
    )
    state = STATE_LABELS[one.ledger.state]
    said = _summarize_readings(one.possible) if one.ledger.state == "settled" else state
    return details([source_shape(one.source), " ", one.source.title, span(f" {said}", cls="rv-small")], *inner)


def _summarize_readings(one: PossibleView) -> str:
    if one.settled:
        return "same in every reading"
    return "depends on the reading"


# ---- what is not paid
def render_unpaid(siglum: str, found: Sequence[ExplainedNonpayment], seats: Sequence[str]) -> Nodes:
    """Payments that are not made, with the reasons, folded away."""
    if not found:
        return []
    lines = [
        [f"{capitalize_seats(one.sentence, seats)}.", *(piece for each in one.because for piece in _decided_by(each))]
        for one in found
    ]
    folded = block(details("What is not paid, and why", bullet_list(lines)), cls="rv-words")
    return [add_page_id(folded, f"{siglum}-why-not")]


def _decided_by(one: ExplainedAnswer) -> Iterator[Content]:
    """The question that decides it, and the clauses that answer it."""
    yield " "
    yield link("question", one.question, one.question, title=f"{one.asks} {one.answer}".strip())
    for ground in one.grounds:
        yield from (" ", link("clause", ground.clause))
        for quotation in ground.quotations:
            quoted = CitedClauseView("", "", "", ground.kind, quotation.words, ground.lang)
            yield from (" ", render_clause_words(quoted), " (", link("sentence", quotation.locus), ")")
        yield from (f" {ground.remark}",) if ground.remark else ()


# ---- what depends on the reading
def _render_readings(one: PossibleView, seats: Sequence[str]) -> Nodes:
    said = [para(words) for words in (one.unsettled, one.said) if words]
    return [*said, *([] if one.settled else _render_contests(one, seats))]


def _render_contests(one: PossibleView, seats: Sequence[str]) -> Nodes:
    head = ("What", "As we read it", "Otherwise", "Depends on")
    rows = [
        (
            capitalize_seats(each.what, seats),
            capitalize_seats(each.ours, seats),
            [bullet_list(_other_outcomes(each, seats), cls="rv-postings")],
            [*_decisive_clauses(each)],
        )
        for each in one.contests
    ]
    unit = pluralize_counter(one.unit)
    contests = table(f"Depends on the reading (in {unit})", head, rows, cls="rv-contests rv-stack")
    contests["ids"] = [f"table-{slugify_text(f'Contested by {one.source}, in {unit}')}"]
    certain = bullet_list([f"{capitalize_seats(each.what, seats)}: {each.said}"] for each in one.certain)
    decisions = bullet_list([*_decision_line(each)] for each in one.decisions)
    ends = [para("In the end: ", capitalize_seats("; ".join(one.net), seats), ".")] if one.net else []
    return [
        *([contests] if rows else []),
        *ends,
        *([details("Same in every reading", certain)] if one.certain else []),
        *([details("The readings on which this depends", decisions)] if one.decisions else []),
    ]


def _other_outcomes(one: ContestView, seats: Sequence[str]) -> Iterator[list[Content]]:
    for other in one.others:
        readings = join_content((link("alternative", id) for id in other.readings), " or ")
        yield [*readings, ": ", capitalize_seats(other.said, seats)]
    if one.further:
        yield [one.further]


def _decisive_clauses(one: ContestView) -> Iterator[Content]:
    for at, some in enumerate(one.depends):
        yield from [", or "] if at else []
        yield from join_content(link("clause", id) for id in some)


def _decision_line(one: DecisionView) -> Iterator[Content]:
    yield link("clause", one.clause)
    yield f" {one.asks} Ours: {one.readings[0].label}. Other readings: "
    yield from join_content((span(link("alternative", each.id), f" {each.label}") for each in one.readings[1:]), "; ")
    yield "."


# ---- figures and omissions
def _render_expected_figures(one: LedgerView, seats: Sequence[str]) -> Nodes:
    found = one.expectation
    if found is None:
        return []
    word = _describe_expectation(found)
    missed = [f"{each.what}: expected {each.expected}, found {each.found}" for each in found.missed]
    why = (
        [para(span("The arithmetic", cls="rv-label"), f" {capitalize_seats(use_minus_signs(found.reasoning), seats)}")]
        if found.reasoning
        else []
    )
    return [para(render_badge(word), cls="rv-expected"), *([bullet_list(missed)] if missed else []), *why]


def _describe_expectation(found: Expectation) -> str:
    if found.pending and not found.met:
        return f"Not to be reached yet: {found.pending}"
    return "All expected figures came out." if found.met else "Not all expected figures came out:"


def _render_left_out(one: LedgerView) -> Nodes:
    """Faults on record that this source allows, and what it says and the engine does not play."""
    said = (*one.passed_over, *(f"Left out: {words}" for words in one.left_out))
    return [bullet_list([[words] for words in said])] if said else []
