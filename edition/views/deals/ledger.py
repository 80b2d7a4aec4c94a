"""Layout of what one source makes of a deal: the ledger, what is not paid, what is certain and what contested."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docutils import nodes

from edition.analysis.certainty import ContestView, DecisionView, PossibleView
from edition.analysis.explanation import ExplainedAnswer, ExplainedNonpayment
from edition.analysis.ledgers import CitedClauseView, EntryView, LedgerView, PostingView, names_of
from edition.nodes.builders import (
    Content,
    block,
    bullet_list,
    card_sign,
    definition_list,
    details,
    heading,
    link,
    para,
    section,
    span,
    strong,
    table,
)
from edition.text.answers import format_counters, pluralize_counter
from edition.text.events import BEFORE_THE_PLAY
from edition.views.layout import Nodes, join_content, render_badge


def render_ledger(one: LedgerView, worlds_: PossibleView, not_paid: Sequence[ExplainedNonpayment]) -> nodes.section:
    """Section with the result of the deal by one source."""
    parts = {"settled": _settled_parts, "refused": _refused_parts, "silent": _silent_parts}[one.state](one)
    more = (
        *unpaid_section(one.source, not_paid),
        *_expected_figures(one),
        *passed_over_faults(one),
        _certain_and_contested(worlds_),
    )
    return section(one.source, f"{one.source}: {one.title}", *parts, *more, cls=f"rv-ledger rv-{one.state}")


def unpaid_section(source: str, found: Sequence[ExplainedNonpayment]) -> Nodes:
    """Payments that are not made, with the reasons, folded away."""
    if not found:
        return []
    lines = [
        [f"{one.sentence}.", *(piece for because in one.because for piece in decided_by(because))] for one in found
    ]
    folded = block(details("What is not paid, and why", bullet_list(lines)), cls="rv-words")
    return [with_address(f"{source}-why-not", folded)]


def with_address(address: str, node: nodes.container) -> nodes.container:
    """A part of the page with an address."""
    node["ids"] = [address]
    return node


def decided_by(one: ExplainedAnswer) -> Iterator[Content]:
    """The question that decides it, and the clauses that answer it."""
    yield " "
    yield link("question", one.question, one.question, title=f"{one.asks} {one.answer}".strip())
    for ground in one.grounds:
        yield from (" ", link("clause", ground.clause))
        for quotation in ground.quotations:
            said = _render_clause_words(ground.kind, quotation.words, ground.lang)
            yield from (" ", said, " (", link("sentence", quotation.locus), ")")
        yield from (f" {ground.remark}",) if ground.remark else ()


# ---- certain and contested
def _certain_and_contested(one: PossibleView) -> nodes.container:
    said = [para(words) for words in (one.unsettled, one.said) if words]
    return block(
        heading(3, "Certain and contested"), *said, *([] if one.settled else _contested_parts(one)), cls="rv-possible"
    )


def _contested_parts(one: PossibleView) -> Nodes:
    head = ("What", "As we read it", "Otherwise", "Depends on")
    rows = [
        (each.what, each.ours, [bullet_list(_other_outcomes(each), cls="rv-postings")], [*_decisive_clauses(each)])
        for each in one.contests
    ]
    contests = [
        table(f"Contested by {one.source}, in {pluralize_counter(one.unit)}", head, rows, cls="rv-contests rv-stack")
    ]
    certain = bullet_list([f"{each.what}: {each.said}"] for each in one.certain)
    decisions = bullet_list(_decision_line(each) for each in one.decisions)
    return [
        *(contests if rows else []),
        *([para("In the end: ", "; ".join(one.net), ".")] if one.net else []),
        *([details(f"Certain, however {one.source} is understood", certain)] if one.certain else []),
        *([details("The decisions on which this depends", decisions)] if one.decisions else []),
    ]


def _other_outcomes(one: ContestView) -> Iterator[list[Content]]:
    for other in one.others:
        yield [*join_content((link("alternative", id) for id in other.readings), " or "), ": ", other.said]
    if one.further:
        yield [one.further]


def _decisive_clauses(one: ContestView) -> Iterator[Content]:
    for at, some in enumerate(one.depends):
        yield from [", or "] if at else []
        yield from join_content(link("clause", id) for id in some)


def _decision_line(one: DecisionView) -> list[Content]:
    rivals = join_content((span(link("alternative", each.id), f" {each.label}") for each in one.readings[1:]), "; ")
    return [link("clause", one.clause), f" {one.asks} Ours: {one.readings[0].label}. Rivals: ", *rivals, "."]


# ---- a deal that was settled
def _settled_parts(one: LedgerView) -> Nodes:
    rows = [
        (
            [_marked_entry(entry, name)],
            [
                para(entry.sentence),
                *([para("by choice of the reader: ", ", ".join(entry.chosen))] if entry.chosen else []),
            ],
            [bullet_list([posting_line(each, one.unit) for each in entry.postings], cls="rv-postings")]
            if entry.postings
            else "nobody pays",
            [rests_on(one, entry)],
        )
        for entry, name in zip(one.entries, names_of(one.entries), strict=True)
    ]
    head = ("Trick", "What happened", "Who pays", "Rests on")
    entries_ = (
        table(f"The ledger by {one.source}, in {pluralize_counter(one.unit)}", head, rows, cls="rv-entries rv-stack")
        if rows
        else para("Nothing is paid.")
    )
    after: list[tuple[Any, Any]] = [("Pool before", one.pool_before), ("Pool after", one.pool_after)]
    after += [("Outcome", [para(said) for said in one.outcome])] if one.outcome else []
    after += [("In the end", one.said.removeprefix("settled: "))]
    after += [("Still open", [para(said) for said in one.open])] if one.open else []
    return [entries_, *all_words(one), definition_list(after, cls="rv-facts")]


def _marked_entry(entry: EntryView, name: str) -> nodes.Node:
    when = "before" if entry.rule in BEFORE_THE_PLAY else "after"
    return span(link_to_trick(entry), cls="rv-when", data_entry=name, data_when=str(entry.trick or when))


def link_to_trick(entry: EntryView) -> Content:
    """The trick in which it happened."""
    if entry.trick is None:
        return "before the play" if entry.rule in BEFORE_THE_PLAY else "after the play"
    return nodes.reference("", "", nodes.Text(str(entry.trick)), refuri=f"#t{entry.trick}", internal=True)


def posting_line(one: PostingView, unit: str) -> list[Content]:
    """Counters that change hands."""
    number, counter = format_counters(one.amount, unit).split(" ")
    said = (f"{one.payer} to {one.payee} ", strong(number), f" {counter}")
    marks = {"data_payer": one.payer, "data_payee": one.payee, "data_amount": str(one.amount)}
    return [span(*said, cls="rv-posting", **marks)]


def rests_on(one: LedgerView, entry: EntryView) -> nodes.Node:
    """The clauses an entry rests on, with their sentences, and the questions that were asked."""
    found = [one.clause(id) for id in entry.clauses]
    names = [piece for each in found for piece in (*_clause_and_place(each), ", ")][:-1]
    asked = [
        link("cell", f"{r.id}@{one.source}", r.id, title=f"{r.slug}: {r.value}") for r in entry.rulings if not r.given
    ]
    mended = [link("emendation", name) for name in entry.emendations]
    return block(
        para(*names),
        *([para("by the emendation ", *join_content(mended), cls="rv-small")] if mended else []),
        para("asked: ", *join_content(asked, " "), cls="rv-small"),
        cls="rv-rests",
    )


def _clause_and_place(one: CitedClauseView) -> list[Content]:
    clause = link("clause", one.id, one.id.partition(".")[2], title=one.short)
    return [clause, " (", link("sentence", one.locus, one.locus.partition(".")[2]), ")"] if one.locus else [clause]


def all_words(one: LedgerView) -> Nodes:
    """Words of the clauses on which a ledger rests, folded away."""
    if not one.clauses:
        return []
    summary = f"What these {len(one.clauses)} clauses say"
    lines = bullet_list([_clause_line(each) for each in one.clauses])
    return [with_address(f"{one.source}-clauses", block(details(summary, lines), cls="rv-words"))]


def _clause_line(one: CitedClauseView) -> list[Content]:
    place: list[Content] = [" ", link("sentence", one.locus)] if one.locus else []
    return [link("clause", one.id), " ", _render_clause_words(one.kind, one.words, one.lang), *place]


def _render_clause_words(kind: str, words: str, lang: str) -> Content:
    return span("“", span(words, lang=lang), "”") if kind == "quotation" else f"({_CLAUSE_KIND_LABELS[kind]}) {words}"


_CLAUSE_KIND_LABELS: Mapping[str, str] = {
    "paraphrase": "in our words",
    "supplied": "supplied by us",
    "reason": "no answer",
}


#: a card as a message names it: rank and suit, standing alone
_CARD_CODE_PATTERN = re.compile(r"(?<!\w)([AKQJT2-9][SHDC])(?!\w)")


def with_cards(message: str) -> list[Any]:
    """A message with its cards shown as cards."""
    return [
        card_sign(part) if _CARD_CODE_PATTERN.fullmatch(part) else part
        for part in _CARD_CODE_PATTERN.split(message)
        if part
    ]


# ---- a deal that was not
def _refused_parts(one: LedgerView) -> Nodes:
    lines = [
        [
            span(
                *with_cards(each.message),
                ".",
                *(
                    [" It rests on ", *join_content(link("clause", id) for id in each.clauses), "."]
                    if each.clauses
                    else []
                ),
                cls="rv-refusal",
                data_when=str(each.trick or "before"),
                data_of=each.card,
            )
        ]
        for each in one.refusals
    ]
    by_id = [_clause_line(each) for each in one.clauses]
    return [
        para("By this source the deal cannot be played so."),
        bullet_list(lines),
        *([bullet_list(by_id)] if by_id else []),
    ]


def _silent_parts(one: LedgerView) -> Nodes:
    if one.silence is None:
        return []
    return [para(one.silence.message, " ", link("question", one.silence.question), f" {one.silence.asks}")]


# ---- either
def _expected_figures(one: LedgerView) -> Nodes:
    if one.expectation is None:
        return []
    word = "All expected figures came out." if one.expectation.met else "Not all expected figures came out:"
    missed = [f"{each.what}: expected {each.expected}, found {each.found}" for each in one.expectation.missed]
    why = one.expectation.reasoning
    return [
        para(render_badge(word, "rv-good" if one.expectation.met else "rv-warn"), cls="rv-expected"),
        *([bullet_list(missed)] if missed else []),
        *([para(span("The arithmetic", cls="rv-label"), " ", " ".join(why.split()))] if why else []),
    ]


def passed_over_faults(one: LedgerView) -> Nodes:
    """Faults that the record lists and this source allows, and what the source says and the engine does not play."""
    said = (*one.passed_over, *(f"Left out: {words}" for words in one.left_out))
    return [bullet_list([[words] for words in said])] if said else []
