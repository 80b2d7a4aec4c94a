"""Ledger of a deal by one source: what happened, who pays whom, on which sentence it rests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    add_classes,
    add_page_id,
    block,
    bullet_list,
    card_sign,
    details,
    fill_node,
    link,
    page_link,
    para,
    span,
    strong,
)
from edition.nodes.components import SourceMark, source_shape
from edition.nodes.deferred import defer_content
from edition.text.answers import spell_out_sources
from edition.views.common import QuotationView, build_quotation_view
from edition.views.layout import Nodes, join_content, render_passage
from edition.views.plain_answers import source_marks
from reversis.words.certainty import PossibleView
from reversis.words.explanation import ExplainedNonpayment
from reversis.words.ledgers import (
    CitedClauseView,
    EntryView,
    LedgerView,
    PostingView,
    SilenceView,
    names_of,
)
from reversis.words.missing import MissingGroup
from rulebook.phrases import format_count, pluralize_counter
from rulebook.strings import single_spaced, slugify_text

#: Rule of an entry -> end of the question whose clause says most about it; of other rules the first one does.
_TELLING_QUESTIONS: Mapping[str, str] = {
    "forced": ".amount",
    "thrown-off": ".amount",
    "partie": ".amount",
    "matches-stake": ".stake",
    "draws-stake": ".stake",
}
STATE_LABELS: Mapping[str, str] = {"settled": "", "refused": "not legal here", "silent": "no answer"}


# ---- view
@dataclass(frozen=True, slots=True)
class LedgerLine:
    """Entry of a ledger with the quotation that says most about it."""

    entry: EntryView
    name: str  #: the same by every source for what is the same there
    clause: str
    quotation: QuotationView | None


@dataclass(frozen=True, slots=True)
class BookLedger:
    """Everything that a deal comes to by the rules of one source."""

    source: SourceMark
    ledger: LedgerView
    lines: tuple[LedgerLine, ...]
    possible: PossibleView
    unpaid: tuple[ExplainedNonpayment, ...]


def build_book_ledger(
    corpus: Corpus, one: LedgerView, possible: PossibleView, unpaid: tuple[ExplainedNonpayment, ...]
) -> BookLedger:
    """Ledger of one source with its quotations, its readings and what it does not pay."""
    names = zip(one.entries, names_of(one.entries), strict=True)
    lines = tuple(_build_line(corpus, one, entry, name) for entry, name in names)
    foreign = tuple(spell_out_sources(words, corpus.library) for words in one.foreign_sums)
    ledger = replace(one, foreign_sums=foreign) if foreign else one
    return BookLedger(source_marks(corpus)[one.source], ledger, lines, possible, unpaid)


def _build_line(corpus: Corpus, one: LedgerView, entry: EntryView, name: str) -> LedgerLine:
    clause = find_telling_clause(one, entry)
    found = corpus.library.clause(clause) if clause else None
    cite = min(found.cites, key=lambda c: (c.role != "grounds", not c.exact), default=None) if found else None
    source = corpus.library.sources[one.source]
    return LedgerLine(entry, name, clause, build_quotation_view(corpus, source, cite) if cite else None)


def find_telling_clause(one: LedgerView, entry: EntryView) -> str:
    """Clause that says most about an entry; the source's own, if there is one."""
    end = _TELLING_QUESTIONS.get(entry.rule, "")
    ranked = sorted(entry.rulings, key=lambda ruling: not (end and ruling.slug.endswith(end)))
    named = [id for ruling in ranked for id in ruling.clauses]
    return next((id for id in named if one.clause(id).kind != "supplied"), named[0] if named else "")


# ---- words
def capitalize_players(words: str, seats: Sequence[str]) -> str:
    """Our own words with capitals for the players."""
    return re.sub(rf"\b(?:{'|'.join(map(re.escape, seats))})\b", lambda found: found[0].capitalize(), words)


def capitalize_seats(words: str, seats: Sequence[str]) -> str:
    """Our own words with capitals for the players, and at their head."""
    said = capitalize_players(words, seats)
    return said[:1].upper() + said[1:]


#: a card as a message names it: rank and suit, standing alone
_CARD_CODE_PATTERN = re.compile(r"(?<!\w)([AKQJT2-9][SHDC])(?!\w)")


def with_cards(message: str) -> list[Any]:
    """A message with its cards shown as cards."""
    return [
        card_sign(part) if _CARD_CODE_PATTERN.fullmatch(part) else part
        for part in _CARD_CODE_PATTERN.split(message)
        if part
    ]


def render_clause_words(one: CitedClauseView) -> Content:
    """Words of a clause: the source's in quotation marks, ours with a remark."""
    if one.kind == "quotation":
        return span("“", span(one.words, lang=one.lang), "”")
    return f"({CLAUSE_KIND_LABELS[one.kind]}) {one.words}"


CLAUSE_KIND_LABELS: Mapping[str, str] = {
    "paraphrase": "our summary",
    "supplied": "our assumption",
    "reason": "no answer",
}


# ---- layout
def render_ledger(one: BookLedger, seats: Sequence[str]) -> nodes.Element:
    """Ledger of one source, folded up: its lines in order, from before the play to the end."""
    parts = {"settled": _render_lines, "refused": _render_refusals, "silent": _render_silence}[one.ledger.state]
    items = bullet_list((), cls="rv-items")
    add_page_id(items, f"table-{slugify_text(f'The ledger by {one.source.siglum}, in {_format_unit(one.ledger)}')}")
    fill_node(items, parts(one, seats))
    made = details([*_render_head(one)], items, cls=f"rv-ledger rv-{one.ledger.state}")
    made["html"] = {"data_book": one.source.siglum, "data_state": one.ledger.state}
    made["html"] = {key.replace("_", "-"): value for key, value in made["html"].items()}
    return add_page_id(made, one.source.siglum)


def _format_unit(one: LedgerView) -> str:
    return pluralize_counter(one.unit)


def _render_head(one: BookLedger) -> Iterator[Content]:
    yield source_shape(one.source)
    yield " "
    yield strong(one.source.name, cls="rv-ledger-name")
    yield span(f" {one.source.date}", cls="rv-chip-date")
    state = STATE_LABELS[one.ledger.state]
    yield span(f" {state or f'sums in {_format_unit(one.ledger)}'}", cls="rv-small")
    if one.ledger.shortfalls:
        yield span(" not all its rules are simulated", cls="rv-badge rv-unplayed")


def _render_item(step: str, *content: nodes.Node, **marks: str) -> nodes.list_item:
    when = {"before": "deal", "end": "end"}.get(step, step)
    made = add_classes(nodes.list_item(), "rv-item", data_step=step, **marks)
    return fill_node(made, [span(when, cls="rv-item-when"), *content])


def _render_lines(one: BookLedger, seats: Sequence[str]) -> Iterator[nodes.Node]:
    yield _render_item("before", para(f"The pool: {one.ledger.pool_before}."))
    late = sorted(one.lines, key=lambda line: {"before": 0, "end": 2}.get(line.entry.step, 1))
    for line in late:
        yield _render_line(one.ledger, line, seats)
    yield _render_item("end", para(" ".join(_format_end(one.ledger, seats))))
    for words in one.ledger.shortfalls:
        yield _render_item("end", para("Not simulated. ", capitalize_seats(words, seats), ".", cls="rv-small"))
    for words in one.ledger.foreign_sums:
        yield _render_item("end", para("Scales are mixed: ", words, ".", cls="rv-small"))


def _format_end(one: LedgerView, seats: Sequence[str]) -> Iterator[str]:
    for words in one.outcome:
        yield f"{capitalize_seats(words, seats)}."
    yield f"The pool: {one.pool_after}."
    for words in one.open:
        yield f"Still open: {words}."


def _render_line(ledger: LedgerView, line: LedgerLine, seats: Sequence[str]) -> nodes.Node:
    entry = line.entry
    chosen = [para("By choice of the reader: ", ", ".join(entry.chosen))] if entry.chosen else []
    return _render_item(
        entry.step,
        para(capitalize_seats(entry.event, seats)),
        *([_render_postings(entry.postings)] if entry.postings else []),
        *chosen,
        details([*_render_citation(ledger, line)], *_render_grounds(ledger, line)),
        data_entry=line.name,
        data_card=entry.card,
        data_event=entry.card_event,
    )


def _render_postings(postings: Sequence[PostingView]) -> nodes.paragraph:
    return para(*(piece for one in postings for piece in (render_posting(one), " ")), cls="rv-pays")


def render_posting(one: PostingView) -> nodes.inline:
    """Counters that pass from one to another."""
    marks = {"data_payer": one.payer, "data_payee": one.payee, "data_amount": str(one.amount)}
    words = f"{one.payer.capitalize()} to {one.payee if one.payee == 'pool' else one.payee.capitalize()} "
    return span(words, strong(str(one.amount)), cls="rv-posting", **marks)


def _render_citation(ledger: LedgerView, line: LedgerLine) -> Iterator[Content]:
    """First words of the quotation and their place, in one line."""
    if not line.clause:
        yield "Why"
        return
    clause = ledger.clause(line.clause)
    short = span(clause.short, lang=clause.lang) if clause.kind == "quotation" else ""
    label = CLAUSE_KIND_LABELS.get(clause.kind, "")
    yield span("“", short, "”") if short else label[:1].upper() + label[1:]
    if clause.locus:
        yield span(f" {clause.locus.partition('.')[2]}", cls="rv-id")


def _render_grounds(ledger: LedgerView, line: LedgerLine) -> Nodes:
    """Quotation with the English, and everything else on which the entry rests."""
    entry = line.entry
    found: Nodes = render_passage(_leave_out_repeated(ledger, line)) if line.quotation else []
    place: list[Content] = ["Sentence ", link("sentence", line.quotation.locus), ". "] if line.quotation else []
    mended = [link("emendation", name) for name in entry.emendations]
    also = [id.partition(".")[2] for id in entry.clauses if id != line.clause]
    clause: list[Content] = ["Rests on ", link("clause", line.clause)] if line.clause else []
    rests = [*clause, f", with {', '.join(also)}." if also else "."]
    emended = [" Corrected misprint: ", *join_content(mended), "."] if mended else []
    return [*found, para(*place, *rests, *emended, cls="rv-small rv-rests")]


def _leave_out_repeated(ledger: LedgerView, line: LedgerLine) -> QuotationView:
    """Quotation without its words where the line that unfolds it has all of them already."""
    assert line.quotation is not None
    whole = single_spaced(line.quotation.exact) == ledger.clause(line.clause).short
    return replace(line.quotation, exact="") if whole else line.quotation


def _render_refusals(one: BookLedger, seats: Sequence[str]) -> Iterator[nodes.Node]:
    yield _render_item("before", para("By this source the deal is not legal: it settles nothing."))
    for each in one.ledger.refusals:
        rests = [" It rests on ", *join_content(link("clause", id) for id in each.clauses), "."] if each.clauses else []
        words = para(*with_cards(capitalize_seats(each.message, seats)), ".", *rests, cls="rv-refusal")
        yield _render_item(str(each.trick or "before"), words, data_card=each.card, data_event="not legal here")


def _render_silence(one: BookLedger, seats: Sequence[str]) -> Iterator[nodes.Node]:
    found = one.ledger.silence
    if found:
        words = para(found.message, " ", link("question", found.question), f" {found.asks}")
        yield _render_item("before", block(words, *_render_missing_answers(found)))
        yield from (_render_item(each.step, *_render_partial_entry(each, seats)) for each in found.partly)


def _render_missing_answers(found: SilenceView) -> Nodes:
    """Everything that the source would have to answer, folded away; and that what follows is no result."""
    groups = ([para(group.title), bullet_list(_list_missing(group), cls="rv-small")] for group in found.missing)
    count = format_count(found.missing_count, "answer")
    folded = [details(f"What this deal lacks: {count}", *chain.from_iterable(groups))] if found.missing else []
    partly = "These payments are settled all the same; they are no result. " if found.partly else ""
    left = f"Left out for want of an answer: {', '.join(found.unsettled)}." if found.unsettled else ""
    return [*folded, *([para(partly, left, cls="rv-small")] if partly or left else [])]


def _list_missing(group: MissingGroup) -> Iterator[list[Content]]:
    """Questions by the reason for which they are not answered."""
    for reason, some in group.by_reason().items():
        perhaps = {one.id: "" if one.needed else " (only by some answers to the others)" for one in some}
        asked = [span(link("question", one.id), f" {one.asks}{perhaps[one.id]}") for one in some]
        yield [*join_content(asked, "; "), f": {reason}"]


def _render_partial_entry(entry: EntryView, seats: Sequence[str]) -> Nodes:
    paid = "; ".join(f"{each.payer} to {each.payee} {each.amount}" for each in entry.postings) or "nobody pays"
    said = capitalize_seats(f"{entry.event}: {paid}", seats)
    return [para(said, " (", *join_content(link("clause", id) for id in entry.clauses), ")")]


def render_clause_list(one: LedgerView) -> Nodes:
    """Words of the clauses on which a ledger rests, folded away."""
    if not one.clauses:
        return []
    lines = bullet_list([*_render_clause_line(each)] for each in one.clauses)
    instead: list[Content] = [page_link(f"clauses/{one.source}", "All clauses of this book")]
    kept = defer_content(f"{one.source}-clauses", instead, lines)
    folded = details(f"What these {len(one.clauses)} clauses say", kept)
    return [add_page_id(block(folded, cls="rv-words"), f"{one.source}-clauses")]


def _render_clause_line(one: CitedClauseView) -> Iterator[Content]:
    yield from (link("clause", one.id), " ", render_clause_words(one))
    yield f" {one.locus}" if one.locus else ""
