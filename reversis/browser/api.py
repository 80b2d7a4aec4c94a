"""Settle a reader's deal: requests and answers in plain data, for Python in a browser.

`reversis.browser.bundle` takes this, the engine and the library to the browser. Records are read and results written by
the functions of the command line, so both say the same. Nothing here needs more than the standard library, and a
request of an older page is answered as before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from engine.cards import format_card
from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.generation import requests as by_lot
from engine.generation.turn import TableShape, list_table_shapes
from engine.settlement.settle import Refused, settle
from reversis.browser.library_json import unpack_library
from reversis.browser.table_api import TABLE_ACTIONS
from reversis.browser.table_totals_api import TABLE_TOTALS_ACTIONS
from reversis.files.deals import DealRecord, parse_record_data, read_json_deal, sigla_of
from reversis.table.faults import TableFault
from reversis.words.deal_views import view_settlements
from reversis.words.ledgers import LedgerLine, LedgerView, RefusalView, SilenceView, names_of
from reversis.words.missing import dump_result
from rulebook.answers.values import format_canonical
from rulebook.cited_clauses import CitedClause
from rulebook.model import Library, Ruleset, Silent
from rulebook.phrases import pluralize_counter
from rulebook.problems import Problem, SpoiltFile
from rulebook.resolve import BadChoice, rules
from rulebook.strings import quote_value

_FINISH_ATTEMPTS = 12  #: ways to play the rest that are tried for one that every book allows

_Request = Mapping[str, Any]
_Response = dict[str, Any]


def open_browser_library(letters: str) -> Callable[[str], str]:
    """Open a packed library; return a function that answers requests, both as JSON."""
    library = unpack_library(letters)
    return lambda request: json.dumps(answer_request(library, json.loads(request)), ensure_ascii=False)


def answer_request(library: Library, request: _Request) -> _Response:
    """Answer a request; say in words what cannot be done."""
    try:
        return _ACTIONS[request["do"]](library, request)
    except (BadChoice, by_lot.NoSuchDeal, Silent, SpoiltFile, TableFault) as fault:
        return {"wrong": str(fault)}


def _resolve_rulesets(library: Library, request: _Request) -> list[Ruleset]:
    """Rules of every book that is asked for, with the reader's wishes. Raises BadChoice."""
    unknown = [siglum for siglum in request["sources"] if siglum not in library.sources]
    if unknown:
        raise BadChoice(f"no source {quote_value(unknown[0])}; there are {', '.join(library.sources)}")
    return [rules(library, siglum, *request.get("wishes", ())) for siglum in request["sources"]]


# ---- settling
def _settle_record(library: Library, request: _Request) -> _Response:
    """Settle a record; `results` are what `reversis run --format json` prints, a line each.

    With `arrange` each trick is first led by the player who is to lead it, and `record` is the deal as it was settled.
    """
    rulesets = _resolve_rulesets(library, request)
    record = read_json_deal(request["record"], request.get("name", "deal.json"), sigla=sigla_of(library))
    if record.deal is None:
        return {"problems": _list_record_problems(library, record, request["record"])}
    arranged = _arrange_tricks(rulesets, record.deal) if request.get("arrange") else record.deal
    settlements = [settle(arranged, ruleset) for ruleset in rulesets]
    before = _settle_earlier_deal(library, request, rulesets)
    views = view_settlements(library, arranged, settlements).ledgers
    return {
        "deal": arranged.id,
        "results": [json.dumps(dump_result(library, settlement), ensure_ascii=False) for settlement in settlements],
        "ledgers": [_format_ledger(view, then, arranged) for view, then in zip(views, before, strict=True)],
        **({} if arranged.tricks == record.deal.tricks else {"tricks": write_deal(arranged)["tricks"]}),
    }


def _arrange_tricks(asked: Sequence[Ruleset], deal: Deal) -> Deal:
    """Deal with each trick led by the player who is to lead it; as it is where the books do not say who."""
    try:
        return by_lot.reorder_tricks(asked[0], deal) if asked else deal
    except Silent:
        return deal


def _list_record_problems(library: Library, record: DealRecord, letters: str) -> list[_Response]:
    """Everything that is wrong with a record, each with its place in the record as far as that is known."""
    data = parse_record_data(letters)
    problems = read_deal(data, sigla=sigla_of(library))[1] if data is not None else []
    ways = [problem.file for problem in problems]
    places = ways if len(ways) == len(record.problems) else [""] * len(record.problems)
    return [_format_problem(problem, way) for problem, way in zip(record.problems, places, strict=True)]


def _format_problem(problem: Problem, way: str) -> _Response:
    """Problem: its place, what is wrong, how to correct it, and how the command line says so."""
    what = problem.what.removeprefix(f"{way}: ") if way else problem.what
    return {"way": way, "what": what, "way_out": _choose_page_hint(problem), "said": str(problem)}


def _choose_page_hint(problem: Problem) -> str:
    """Hint for a reader who has the buttons of a page, and neither a file nor a command line."""
    if problem.reason == "trick-count":
        return "a hand has as many tricks as cards: play the rest at random, or tick “Some tricks are missing”"
    return "write the card, or play the rest at random" if "`reversis deal " in problem.way_out else problem.way_out


def _settle_earlier_deal(library: Library, request: _Request, asked: Sequence[Ruleset]) -> Sequence[LedgerView | None]:
    """Ledgers of the deal before the reader changed it, by the same rules."""
    deal = read_json_deal(request["before"], "before.json").deal if request.get("before") else None
    if deal is None:
        return [None] * len(asked)
    return view_settlements(library, deal, [settle(deal, ruleset) for ruleset in asked]).ledgers


# ---- a ledger as a page shows it
_UNSHOWN = ("unpaid", "not_held", "unread")  #: what only an explanation has


def _format_ledger(view: LedgerView, then: LedgerView | None, deal: Deal) -> _Response:
    """Ledger in words and sums, with what has changed."""
    names = list(names_of(view.entries))
    was = dict(zip(names_of(then.entries), then.entries, strict=True)) if then else {}
    both_settled = then is not None and then.state == view.state == "settled"
    plain = asdict(replace(view, entries=(), clauses=(), silence=None, refusals=()))
    return {
        **{name: value for name, value in plain.items() if name not in _UNSHOWN},
        "refusals": [
            {**_drop_reasons(asdict(refusal)), "revokes": _may_be_revoke(refusal, deal)} for refusal in view.refusals
        ],
        "silence": _format_silence(view.silence) if view.silence else None,
        "hybrid": view.hybrid,
        "counters": pluralize_counter(view.unit),
        "state_was": then.state if then else "",
        "entries": [
            _format_entry(entry, was.get(name), both_settled) for name, entry in zip(names, view.entries, strict=True)
        ],
        "gone": [
            _format_entry(entry, None, False) for name, entry in was.items() if both_settled and name not in names
        ],
        "net_was": [sum_ for _, sum_ in then.net] if then and both_settled else [],
        "expectation": _format_expectation(view),
        "clauses": list(map(_format_clause, view.clauses)),
        "clauses_were": list(map(_format_clause, then.clauses)) if then and both_settled else [],
    }


def _may_be_revoke(refusal: RefusalView, deal: Deal) -> bool:
    """Check that a card that is refused does not follow suit, and that no revoke is on record for it."""
    if not refusal.trick or not refusal.card or not refusal.legal:
        return False
    led = format_card(deal.tricks[refusal.trick - 1][0])
    known = any((fault.kind, fault.trick) == ("revoke", refusal.trick) for fault in deal.faults)
    return refusal.card[-1] != led[-1] and not known


def _drop_reasons(fields: _Response) -> _Response:
    return {name: value for name, value in fields.items() if name != "because"}


def _format_clause(clause: CitedClause) -> _Response:
    names = ("id", "source", "status", "kind", "words", "lang", "locus", "short")
    return {name: getattr(clause, name) for name in names}


def _format_silence(silence: SilenceView) -> _Response:
    plain = _drop_reasons(asdict(replace(silence, partly=())))
    return {**plain, "partly": list(map(_format_line, silence.partly))}


def _format_line(line: LedgerLine) -> _Response:
    entry = line.entry
    return {
        "trick": entry.fact.trick,
        "fact": entry.name,
        "rule": entry.rule,
        "card": line.card,
        "sentence": line.sentence,
        "postings": [asdict(posting) for posting in line.postings],
        "rulings": [
            {
                "id": ruling.id,
                "slug": ruling.question,
                "value": format_canonical(ruling.value),
                "clauses": ruling.clauses,
                "supplied": ruling.supplied,
                "interpretation": ruling.interpretation,
                "emendations": ruling.emendations,
            }
            for ruling in line.rulings
        ],
        "clauses": line.clauses,
        "headline": line.headline,
    }


def _format_entry(line: LedgerLine, was: LedgerLine | None, marked: bool) -> _Response:
    """A line of the ledger, with a word on how it differs from what it was."""
    mark = (
        "" if not marked else "new" if was is None else "" if _sort_postings(line) == _sort_postings(was) else "changed"
    )
    more = {"emendations": line.emendations, "chosen": line.chosen, "mark": mark}
    return {**_format_line(line), **more, "was": [asdict(each) for each in was.postings] if was and mark else []}


def _sort_postings(line: LedgerLine) -> list[tuple[str, str, int]]:
    """The payments of an entry, in an order of their own."""
    return sorted((str(paid.payer), str(paid.payee), paid.amount) for paid in line.postings)


def _format_expectation(view: LedgerView) -> _Response | None:
    """Expectations of the record itself, as far as it has any."""
    if view.expectation is None:
        return None
    missed = [asdict(figure) for figure in view.expectation.missed]
    pending = {"pending": view.expectation.pending} if view.expectation.pending else {}
    return {"met": view.expectation.met, "missed": missed, "reasoning": view.expectation.reasoning, **pending}


# ---- random deals
def _deal_random_record(library: Library, request: _Request) -> _Response:
    """Random deal, legal by every book that is asked for, with a pack that all of them play with.

    By one book, or by all, it is the deal that `reversis deal random` makes of the same seed.
    """
    source, seed, size = request.get("source") or None, request["seed"], request.get("players")
    named = [source] if source else request.get("sources") or list(library.sources)
    asked = [rules(library, siglum, *request.get("wishes", ())) for siglum in named]
    tables = _find_common_tables(asked, size) if "sources" in request else by_lot.find_tables(asked, size)
    pack = tables[0].pack if "sources" in request else None
    command = "reversis deal random" + by_lot.format_options(source=source, seed=seed, players=size, pack=pack)
    random_record = by_lot.make_random_record(asked, tables, seed, 1, 1, command)
    return {"record": by_lot.drop_blanks(random_record)}


def _find_common_tables(asked: Sequence[Ruleset], size: int | None) -> list[TableShape]:
    """Tables at which all these books play; any where they have none in common. Raises NoSuchDeal."""
    tables = by_lot.find_tables(asked, size)
    return [table for table in tables if all(table in list_table_shapes(ruleset) for ruleset in asked)] or tables


def _finish_record(library: Library, request: _Request) -> _Response:
    """Keep cards and first tricks; play the rest at random, if possible so that every book allows it."""
    data = parse_record_data(request["record"])
    if not isinstance(data, Mapping):
        unread = read_json_deal(request["record"], "deal.json")
        return {"problems": _list_record_problems(library, unread, request["record"])}
    rulesets = _resolve_rulesets(library, {**request, "sources": request.get("sources") or [request["source"]]})
    first: _Response | None = None
    for attempt in range(_FINISH_ATTEMPTS if len(rulesets) > 1 else 1):
        maker = rulesets[attempt % len(rulesets)]
        record, problems = by_lot.play_on(maker, data, request["kept"], request["seed"] + attempt, sigla_of(library))
        if record is None:
            return {"problems": [_format_problem(problem, problem.file) for problem in problems]}
        first = first or {"record": record}
        if _is_legal_everywhere(record, rulesets):
            return {"record": record}
    return first or {}


def _is_legal_everywhere(record: Mapping[str, object], asked: Sequence[Ruleset]) -> bool:
    """Return True if no book refuses the deal."""
    deal, _ = read_deal(record)
    return deal is not None and not any(isinstance(settle(deal, ruleset), Refused) for ruleset in asked)


def _correct_leaders(library: Library, request: _Request) -> _Response:
    """Same tricks, each led by the player who is to lead it by a book; older pages ask for it."""
    record = read_json_deal(request["record"], "deal.json", sigla=sigla_of(library))
    if record.deal is None:
        return {"problems": _list_record_problems(library, record, request["record"])}
    (ruleset,) = _resolve_rulesets(library, {**request, "sources": [request["source"]]})
    return {"record": by_lot.drop_blanks(write_deal(by_lot.reorder_tricks(ruleset, record.deal)))}


_ACTIONS: Mapping[str, Callable[[Library, _Request], _Response]] = {
    "run": _settle_record,
    "random": _deal_random_record,
    "finish": _finish_record,
    "lead": _correct_leaders,
    **TABLE_ACTIONS,
    **TABLE_TOTALS_ACTIONS,
}
