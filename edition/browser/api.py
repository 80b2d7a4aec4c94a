"""A deal settled anew, for a reader who has changed it: asked and answered in plain data, wherever Python runs.

The pages of the edition carry this, the engine and the library into the reader's browser (`edition.browser.bundle`). A
record is read, and a result is written, by the functions that the command line uses; so both say the same. Nothing here
needs more than the standard library.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from edition.analysis.deal_views import view_settlements
from edition.analysis.ledgers import EntryView, LedgerView, PostingView, Settlement, names_of
from edition.browser.library_json import unpack
from edition.data.deals import Record, data_of, read_json, sigla_of
from edition.text.answers import counters_of
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.generation import requests as by_lot
from engine.settlement.result_json import result
from engine.settlement.settle import settle
from rulebook.model import Library, Ruleset, Silent
from rulebook.problems import Problem
from rulebook.resolve import BadChoice, rules

Request = Mapping[str, Any]
Answer = dict[str, Any]


def opened(letters: str) -> Callable[[str], str]:
    """Open a library that was carried here; what comes back answers requests, both as JSON."""
    library = unpack(letters)
    return lambda request: json.dumps(answer(library, json.loads(request)), ensure_ascii=False)


def answer(library: Library, request: Request) -> Answer:
    """Do what is asked; what cannot be done is told in words."""
    try:
        return DONE[request["do"]](library, request)
    except (BadChoice, by_lot.NoSuchDeal, Silent) as fault:
        return {"wrong": str(fault)}


def rulesets(library: Library, request: Request) -> list[Ruleset]:
    """The rules of every source that is asked for, with the reader's wishes. Raises BadChoice."""
    unknown = [siglum for siglum in request["sources"] if siglum not in library.sources]
    if unknown:
        raise BadChoice(f"no source {unknown[0]!r}; there are {', '.join(library.sources)}")
    return [rules(library, siglum, *request.get("wishes", ())) for siglum in request["sources"]]


# ---- settling
def run(library: Library, request: Request) -> Answer:
    """Settle a record; `results` are what `reversis run --format json` prints, a line each."""
    asked = rulesets(library, request)
    record = read_json(request["record"], request.get("name", "deal.json"), sigla=sigla_of(library))
    if record.deal is None:
        return {"problems": placed(library, record, request["record"])}
    settlements = [settle(record.deal, ruleset) for ruleset in asked]
    before = earlier(library, request, asked)
    views = view_settlements(library, record.deal, settlements).ledgers
    return {
        "deal": record.deal.id,
        "results": [line(library, one) for one in settlements],
        "ledgers": [ledger(view, then) for view, then in zip(views, before, strict=True)],
    }


def line(library: Library, settlement: Settlement) -> str:
    """A result as the command line prints it."""
    return json.dumps(result(settlement, library.digest), ensure_ascii=False)


def placed(library: Library, record: Record, letters: str) -> list[Answer]:
    """Everything that is wrong with a record, each with its way through the record as far as that is known."""
    data = data_of(letters)
    problems = read_deal(data, sigla=sigla_of(library))[1] if data is not None else []
    ways = [problem.file for problem in problems]
    found = ways if len(ways) == len(record.problems) else [""] * len(record.problems)
    return [told(problem, way) for problem, way in zip(record.problems, found, strict=True)]


def told(problem: Problem, way: str) -> Answer:
    """A problem: the way to it, what is wrong, how to mend it, and how the command line says so."""
    what = problem.what.removeprefix(f"{way}: ") if way else problem.what
    return {"way": way, "what": what, "way_out": problem.way_out, "said": str(problem)}


def earlier(library: Library, request: Request, asked: Sequence[Ruleset]) -> Sequence[LedgerView | None]:
    """The ledgers of the deal as it was before the reader changed it, by the same rules."""
    deal = read_json(request["before"], "before.json").deal if request.get("before") else None
    if deal is None:
        return [None] * len(asked)
    return view_settlements(library, deal, [settle(deal, ruleset) for ruleset in asked]).ledgers


# ---- a ledger as a page shows it
def ledger(view: LedgerView, then: LedgerView | None) -> Answer:
    """A ledger in words and sums, and what is otherwise than it was."""
    names = list(names_of(view.entries))
    was = dict(zip(names_of(then.entries), then.entries, strict=True)) if then else {}
    both_settled = then is not None and then.state == view.state == "settled"
    return {
        **asdict(view),
        "hybrid": view.hybrid,
        "counters": counters_of(view.unit),
        "state_was": then.state if then else "",
        "entries": [entry(one, was.get(name), both_settled) for name, one in zip(names, view.entries, strict=True)],
        "gone": [entry(one, None, False) for name, one in was.items() if both_settled and name not in names],
        "net_was": [sum_ for _, sum_ in then.net] if then and both_settled else [],
        "expectation": expected(view),
        "clauses": [{**asdict(one), "short": one.short} for one in view.clauses],
        "clauses_were": [{**asdict(one), "short": one.short} for one in then.clauses] if then and both_settled else [],
    }


def entry(one: EntryView, was: EntryView | None, marked: bool) -> Answer:
    """A line of the ledger, with a word on how it differs from what it was."""
    mark = "" if not marked else "new" if was is None else "" if paid(one) == paid(was) else "changed"
    more = {"emendations": one.emendations, "chosen": one.chosen, "mark": mark}
    return {**asdict(one), **more, "was": [asdict(each) for each in was.postings] if was and mark else []}


def paid(one: EntryView) -> list[PostingView]:
    """The payments of an entry, in an order of their own."""
    return sorted(one.postings, key=lambda each: (each.payer, each.payee, each.amount))


def expected(view: LedgerView) -> Answer | None:
    """What the record itself expects, as far as it does."""
    if view.expectation is None:
        return None
    missed = [asdict(one) for one in view.expectation.missed]
    return {"met": view.expectation.met, "missed": missed, "reasoning": view.expectation.reasoning}


# ---- by lot
def random(library: Library, request: Request) -> Answer:
    """A deal by lot: the record that `reversis deal random` makes of the same seed."""
    source, seed, size = request.get("source") or None, request["seed"], request.get("players")
    asked = [rules(library, siglum) for siglum in ([source] if source else library.sources)]
    command = "reversis deal random" + by_lot.format_options(source=source, seed=seed, players=size)
    made = by_lot.make_random_record(asked, by_lot.find_tables(asked, size), seed, 1, 1, command)
    return {"record": by_lot.drop_blanks(made)}


def finish(library: Library, request: Request) -> Answer:
    """The cards and the first tricks as they are, the rest played by lot as the source allows."""
    data = data_of(request["record"])
    if not isinstance(data, Mapping):
        return {"problems": placed(library, read_json(request["record"], "deal.json"), request["record"])}
    (ruleset,) = rulesets(library, {**request, "sources": [request["source"]]})
    record, problems = by_lot.play_on(ruleset, data, request["kept"], request["seed"], sigla_of(library))
    if record is None:
        return {"problems": [told(one, one.file) for one in problems]}
    return {"record": record}


def lead(library: Library, request: Request) -> Answer:
    """The same play, each trick led by the player who is to lead it by a source."""
    record = read_json(request["record"], "deal.json", sigla=sigla_of(library))
    if record.deal is None:
        return {"problems": placed(library, record, request["record"])}
    (ruleset,) = rulesets(library, {**request, "sources": [request["source"]]})
    return {"record": by_lot.drop_blanks(write_deal(by_lot.reorder_tricks(ruleset, record.deal)))}


DONE: Mapping[str, Callable[[Library, Request], Answer]] = {
    "run": run,
    "random": random,
    "finish": finish,
    "lead": lead,
}
