"""A settlement as an execution trace: the steps that led to every payment, each with the provision it comes from.

The shape is that of RegelRecht's trace format 1, in which the Dutch government explains decisions by law
(`schema/trace/v1/trace-schema.json` of the repository MinBZK/regelrecht, RFC-039, as seen on 26 November 2026). It is
made for laws: here a source stands where a law would, a clause where an article would. Experimental, as theirs may
still change. Every worked deal is exported by every source that settles it on its page; those by sources for which
the record states the sums lie among the downloads one by one, the others in an archive, lest they outweigh all else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from edition.analysis.ledgers import AnySettlement
from edition.corpus.corpus import Corpus
from edition.data.deals import readable_deals
from edition.data.drafts import list_playable_sources
from edition.data.limits import select_settling_sources
from edition.export.columns import simplify_value
from edition.export.file import ExportFile, drop_empty_entries
from edition.export.tables import list_cited_places
from edition.text.events import describe_entry
from engine.cards import format_card
from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.play.table import Refusal
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry, name_ledger_account
from engine.settlement.result_json import dump_posting
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.answers.values import format_canonical
from rulebook.model import Clause, Library, Ruling
from rulebook.resolve import resolve
from rulebook.strings import single_spaced

_TRACE_VERSION = 1
_PREFERRED = ".preferred"
_Node = dict[str, Any]


class RulingTracer:
    """Traces answers to their clauses and sentences, each once: many payments of many deals rest on the same."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[int, tuple[Ruling, _Node]] = {}  #: by identity; the ruling is kept, so that it stays its own

    def trace(self, ruling: Ruling) -> _Node:
        """Return the step of an answer, which is not to be changed."""
        if id(ruling) not in self._known:
            self._known[id(ruling)] = ruling, _trace_ruling(self._library, ruling)
        return self._known[id(ruling)][1]


def build_execution_trace(library: Library, settlement: AnySettlement, tracer: RulingTracer | None = None) -> _Node:
    """Return a settlement as a trace; a deal that is not settled has no result, and the steps that say why."""
    steps = [*_list_steps(library, settlement, tracer or RulingTracer(library))]
    anchor = _anchor(library, settlement.ruleset.source)
    root = _make_node("action", settlement.deal.id, steps, anchor=anchor)
    if isinstance(settlement, Settled):
        root["result"] = {name_ledger_account(settlement.deal, who): sum for who, sum in settlement.net.items()}
    return {"trace_version": _TRACE_VERSION, "root": _number(root)}


def _number(node: _Node, address: str = "n") -> _Node:
    """Give a node and all nested in it their addresses: n, n0, n0.2."""
    dot = "" if address == "n" else "."
    children = [_number(child, f"{address}{dot}{at}") for at, child in enumerate(node.get("children", ()))]
    return {**node, "node_id": address, **({"children": children} if children else {})}


def _make_node(kind: str, name: str, children: list[_Node], **fields: Any) -> _Node:
    return drop_empty_entries({"node_type": kind, "name": name, **fields, "children": children})


def _make_value(name: str, value: object, resolved: str, kind: str = "resolve", **fields: Any) -> _Node:
    """Return a step that looks a value up, whatever the value is."""
    made = _make_node(kind, name, [], resolve_type=resolved, source={"kind": resolved})
    return {**made, "result": simplify_value(value), **drop_empty_entries(fields)}


_make_parameter = partial(_make_value, resolved="PARAMETER")


def _anchor(library: Library, siglum: str, **place: str) -> _Node:
    """Return a reference to a source, or to a place in it."""
    return drop_empty_entries({"law_id": siglum, "law": library.sources[siglum].title, **place})


# --- the steps --------------------------------------------------------------------------------------------


def _list_steps(library: Library, settlement: AnySettlement, tracer: RulingTracer) -> Iterator[_Node]:
    if isinstance(settlement, Settled):
        yield _make_value("unit", settlement.ruleset.unit, "DEFINITION")
        yield from (_trace_entry(library, settlement, one, tracer) for one in settlement.entries)
    elif isinstance(settlement, Refused):
        yield from (_trace_refusal(library, settlement, one, tracer) for one in settlement.refusals)
    else:
        yield _trace_silence(library, settlement)


def _trace_entry(library: Library, settled: Settled, entry: Entry, tracer: RulingTracer) -> _Node:
    """Trace a line of the ledger: the values that fed it, the answers it rests on, and who pays whom."""
    steps = [*_list_parameters(settled, entry), *map(tracer.trace, settled.rulings(entry))]
    message = describe_entry(entry, settled.deal.seats)
    made = _make_node("action", entry.rule, steps, anchor=_anchor(library, settled.ruleset.source), message=message)
    postings = (dump_posting(settled, one) for one in entry.postings)
    return {**made, "result": [one for one in postings if one["amount"]]}


def _list_parameters(settled: Settled, entry: Entry) -> Iterator[_Node]:
    """Yield what the deal brings to a payment: event, players, the stake if that is paid by; or why nobody pays."""
    fact = entry.fact
    seats = {"player": fact.player, "leader": fact.leader, "taker": fact.taker}
    yield _make_parameter("fact", entry.name)
    if fact.trick is not None:
        yield _make_parameter("trick", fact.trick)
    if fact.card is not None:
        yield _make_parameter("card", format_card(fact.card))
    yield from (_make_parameter(name, settled.deal.seats[seat]) for name, seat in seats.items() if seat is not None)
    pools = {one.pool for one in entry.postings if one.money.stakes}
    yield from (_make_parameter("stake", settled.before.of(pool).stake) for pool in sorted(pools))
    if entry.rule == _PARTIE_RULE:
        yield from _list_partie_parameters(settled)
    if entry.reason:
        yield _make_parameter("unpaid", entry.reason)


_PARTIE_RULE = "partie"


def _list_partie_parameters(settled: Settled) -> Iterator[_Node]:
    """Yield what the partie is settled by: who wins it, what is due, and the tricks, points and talon of the deal."""
    seats, won = settled.deal.seats, settled.outcome.partie
    if won:
        yield _make_parameter("winner", seats[won.winner])
        yield _make_parameter("due", won.value)
    measured = replay_deal(settled.deal, Ask(settled.ruleset)).measures
    yield _make_parameter("tricks", dict(zip(seats, measured.tricks, strict=True)))
    yield _make_parameter("points", dict(zip(seats, measured.points, strict=True)))
    yield _make_parameter("talon", [*map(format_card, measured.talon)])


def _trace_refusal(library: Library, refused: Refused, refusal: Refusal, tracer: RulingTracer) -> _Node:
    rulings = [tracer.trace(refused.ruleset.rulings[slug]) for slug in refusal.asked]
    anchor = _anchor(library, refused.ruleset.source)
    made = _make_node("requirement", "legal play", rulings, anchor=anchor, message=refusal.message)
    return {**made, "result": False}


def _trace_silence(library: Library, unanswered: Unanswered) -> _Node:
    asked = library.questions.get(unanswered.silent.question)
    anchor = _anchor(library, unanswered.ruleset.source)
    name = asked.id if asked else unanswered.silent.question
    resolved = {"resolve_type": "OPEN_TERM_SILENT", "source": {"kind": "OPEN_TERM_SILENT"}}
    return _make_node("open_term_resolution", name, [], anchor=anchor, message=str(unanswered.silent), **resolved)


# --- the answers ------------------------------------------------------------------------------------------


def _trace_ruling(library: Library, ruling: Ruling) -> _Node:
    """Trace an answer to the clauses and sentences on which it rests."""
    kind, resolved = _classify_ruling(ruling)
    clauses = [step for id in ruling.clauses for step in _trace_clause(library, library.clause(id), ruling)]
    message = f"{library.questions[ruling.question].asks} {format_canonical(ruling.value)}"
    anchor = _anchor(library, ruling.source) if ruling.clauses else {}  # an answer that was asked for is no source's
    made = _make_value(ruling.id, ruling.value, resolved, kind, anchor=anchor, message=message)
    return {**made, **({"children": clauses} if clauses else {})}


def _classify_ruling(ruling: Ruling) -> tuple[str, str]:
    """Return the kind of a step, and where its value was found: what the source leaves open is filled by us."""
    chosen = ruling.interpretation and not ruling.interpretation.endswith(_PREFERRED)
    if chosen or not ruling.clauses:
        return "override_resolution", "OVERRIDE"
    return ("open_term_resolution", "OPEN_TERM") if ruling.supplied else ("resolve", "DEFINITION")


def _trace_clause(library: Library, clause: Clause, ruling: Ruling) -> Iterator[_Node]:
    """Yield a clause, once for every place that it cites; the understanding chosen and the reason explain it."""
    at = partial(_anchor, library, clause.source, article=clause.id)
    words = (ruling.interpretation, clause.label, single_spaced(clause.because))
    explanation = ": ".join(one for one in words if one)
    for place in list_cited_places(clause.cites) or ("",):
        basis = at(sentence=place, explanation=explanation)
        yield _make_node("article", clause.id, [], anchor=at(), legal_basis=basis)


# --- the files --------------------------------------------------------------------------------------------

_TRACE_SAYS = "a settlement, step by step, by a source for which the deal's record states the sums"
_PACKED_TRACE_SAYS = "the same by the other sources (of the downloads in the archive of traces only)"


def name_trace_file(deal: str, siglum: str) -> str:
    """Return the name of the file with the trace of a deal by a source."""
    return f"{deal}.{siglum}.json"


def list_traced_sources(library: Library, deal: Deal) -> tuple[str, ...]:
    """Return the sources by which a trace lies among the downloads as a file: the record states what they come to."""
    return tuple(one for one in select_settling_sources(library, deal) if one in deal.expect)


def export_traces(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield a trace for each worked deal and source, those that are published one by one first."""
    playable = list_playable_sources(corpus.library)
    traces = (trace for siglum in playable for trace in _trace_deals(corpus.library, siglum))
    yield from sorted(traces, key=lambda trace: (trace.packed, trace.path))


def _trace_deals(library: Library, siglum: str) -> Iterator[ExportFile]:
    """Yield the traces of all worked deals that are settled by a source."""
    rules, tracer = resolve(library, siglum), RulingTracer(library)
    for deal in readable_deals(library):
        if siglum in select_settling_sources(library, deal):
            packed = siglum not in list_traced_sources(library, deal)
            trace = build_execution_trace(library, settle(deal, rules), tracer)
            letters = json.dumps(trace, ensure_ascii=False, separators=(",", ":")) + "\n"  # indented, half as much more
            says = _PACKED_TRACE_SAYS if packed else _TRACE_SAYS
            yield ExportFile(name_trace_file(deal.id, siglum), letters.encode(), says, packed=packed)
