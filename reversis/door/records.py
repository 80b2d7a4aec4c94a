"""Tables of the edition as plain records: answers, clauses, payments and balances, for pandas, polars or a loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from edition.export.columns import format_value_json
from edition.export.tables import RESTS_ON_SUPPLIED_SAYS, VALUE_JSON_SAYS
from engine.cards import spell_card, spell_cards
from engine.settlement.ledger import name_ledger_account
from engine.settlement.settle import Refused, Settled, Unanswered
from rulebook.answers.conditions import is_resting_on_supplied
from rulebook.answers.values import AnswerMap, format_canonical
from rulebook.answers.wording import format_plain_answer, get_sum_counter
from rulebook.display import Tabular, format_repr
from rulebook.model import Cite, Clause, Library, Question, Source, Value
from rulebook.resolve import require_library
from rulebook.strings import single_spaced
from rulebook.suggestions import describe_type

RecordValue: TypeAlias = "str | int | bool | float | list[str] | None"
_Row: TypeAlias = "tuple[RecordValue, ...]"
_Outcome: TypeAlias = "Settled | Refused | Unanswered"


@dataclass(frozen=True, slots=True)
class Records(Tabular[RecordValue]):
    """A table: its name, the meaning of each column, and its rows."""

    name: str
    columns: Mapping[str, str]  #: name of a column -> what stands in it
    table: tuple[_Row, ...]

    def rows(self) -> list[dict[str, RecordValue]]:
        """Return every row as a plain dict: `pandas.DataFrame(records.rows())`."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.table]

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return format_repr(self, f"{self.name}: {len(self.table)} rows of {', '.join(self.columns)}")


# ---- answers
_ANSWER_COLUMNS: Mapping[str, str] = {
    "status": "stated, implied, denied, ambiguous, contradictory, silent, inapplicable or not-collated",
    "reading": "the answer, as data; empty where there is none",
    "number": "the answer where it is a whole number",
    "words": "the answer in plain words",
    "certainty": "how sure the coding is: high, medium, low",
    "loci": "sentences or statements it rests on, a range with a hyphen",
    "quotations": "the words of the source",
}
_QUESTION_COLUMNS: Mapping[str, str] = {"question": "id of the question", "slug": "its speaking name"}
_SOURCE_COLUMN: Mapping[str, str] = {"source": "siglum of the source"}


def matrix(library: Library) -> Records:
    """List every answer: one row for each question and source."""
    require_library(library, "matrix(library)")
    columns = {
        **_QUESTION_COLUMNS,
        "asks": "the question",
        "group": "heading under which it stands",
        "affects": "what it touches: table, deal, play, award, payment, pool, irregularity",
        **_SOURCE_COLUMN,
        **_ANSWER_COLUMNS,
        "supplied": "whether the answer is ours, the source being silent",
        "unit": "the counter of the sum, where the answer is one",
        "clauses": "clauses that speak to it",
        "value_json": VALUE_JSON_SAYS,
        "rests_on_supplied": RESTS_ON_SUPPLIED_SAYS,
    }
    own = {siglum: _list_answers(library, siglum, own=True) for siglum in library.sources}
    answers = {siglum: _list_answers(library, siglum) for siglum in library.sources}
    rows = (
        (
            *(question.id, question.slug, question.asks, question.group, question.affects, source.siglum),
            *_make_cell_values(library, question, source),
            format_value_json(question, answers[source.siglum]),
            is_resting_on_supplied(question.slug, own[source.siglum], answers[source.siglum]),
        )
        for source in library.sources.values()  # a reader of frames looks at the first rows to know the columns
        for question in library.questions.values()
    )
    return Records("matrix", columns, tuple(rows))


def _list_answers(library: Library, siglum: str, own: bool = False) -> AnswerMap:
    cells = (library.cell(siglum, slug) for slug in library.questions)
    chosen_cells = (cell for cell in cells if cell and not (own and cell.supplied))
    return {cell.question: cell.value for cell in chosen_cells if cell.value is not None}


def _make_cell_values(library: Library, asked: Question, source: Source) -> _Row:
    cell = library.cell(source.siglum, asked.slug)
    if cell is None:
        return ("not-collated", *_list_answer(library, asked, source, None), "", [], [], False, "", [])
    cites = [cite for clause in cell.clauses for cite in clause.cites]
    return (
        cell.status,
        *_list_answer(library, asked, source, cell.value),
        cell.cert,
        *_list_citations(cites),
        cell.supplied,
        get_sum_counter(asked, cell.value, source),
        [clause.id for clause in cell.clauses],
    )


def _list_answer(library: Library, asked: Question, source: Source, value: Value | None) -> _Row:
    if value is None:
        return "", None, ""
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    return format_canonical(value), number, format_plain_answer(asked, value, source, library)


def _list_citations(cites: Iterable[Cite]) -> tuple[list[str], list[str]]:
    citations = tuple(cites)
    loci = dict.fromkeys(f"{cite.locus}-{cite.to}" if cite.to else cite.locus for cite in citations)
    return [*loci], [*dict.fromkeys(cite.exact for cite in citations if cite.exact)]


def clauses(library: Library) -> Records:
    """List the clauses: one row for each question that a clause answers."""
    require_library(library, "clauses(library)")
    columns = {
        "clause": "id of the clause",
        **_SOURCE_COLUMN,
        **_QUESTION_COLUMNS,
        **_ANSWER_COLUMNS,
        "because": "the reason given for it",
        "coder": "the editorial pass that coded it",
        "reviewer": "the pass that read it again; empty if none did",
    }
    rows = (
        _make_clause_row(library, source, clause, slug)
        for source in library.sources.values()
        for clause in source.clauses
        for slug in clause.questions
    )
    return Records("clauses", columns, tuple(rows))


def _make_clause_row(library: Library, source: Source, clause: Clause, slug: str) -> _Row:
    asked = library.questions[slug]
    return (
        *(clause.id, source.siglum, asked.id, slug, clause.status),
        *_list_answer(library, asked, source, clause.answers.get(slug)),
        clause.cert,
        *_list_citations(clause.cites),
        *(single_spaced(clause.because), clause.coder, clause.reviewer),
    )


# ---- settled deals
_DEAL_COLUMNS: Mapping[str, str] = {
    "deal": "id of the deal",
    **_SOURCE_COLUMN,
    "rules": "the rules as they are printed: PAM, or PAM + Q031=3",
}
_UNIT_COLUMN: Mapping[str, str] = {"unit": "the counter in which sums are given"}


def payments(settled: _Outcome | Iterable[_Outcome]) -> Records:
    """List the payments of settled deals: one row each; what could not be settled is in `refusals`."""
    columns = {
        **_DEAL_COLUMNS,
        "trick": "the trick to which it belongs; nothing at the end of the deal",
        "rule": "the rule of payment",
        "fact": "what happened",
        "card": "the card it is about; empty where it is about none",
        "payer": "who pays: a seat, or pool",
        "payee": "who is paid",
        "amount": "how much",
        **_UNIT_COLUMN,
        "questions": "questions on which it rests",
        "clauses": "clauses that answer them",
    }
    return Records(
        "payments", columns, tuple(row for settlement in _iter_settled(settled) for row in _list_payments(settlement))
    )


def _list_payments(settlement: Settled) -> Iterator[_Row]:
    for entry in settlement.entries:
        rulings = settlement.rulings(entry)
        card = "" if entry.fact.card is None else spell_card(entry.fact.card)
        for posting in entry.postings:
            if amount := posting.counted(settlement.before):
                yield (
                    *(settlement.deal.id, settlement.ruleset.source, settlement.ruleset.name),
                    *(entry.fact.trick, entry.rule, entry.name, card),
                    *(str(name_ledger_account(settlement.deal, who)) for who in (posting.payer, posting.payee)),
                    *(amount, settlement.ruleset.unit, [ruling.id for ruling in rulings]),
                    [*dict.fromkeys(clause for ruling in rulings for clause in ruling.clauses)],
                )


def balances(settled: _Outcome | Iterable[_Outcome]) -> Records:
    """List what each account of settled deals wins or loses: one row for each seat, and for the pool.

    A deal that could not be settled has no row here; it stands in `refusals`.
    """
    columns = {**_DEAL_COLUMNS, "account": "a seat, or pool", "net": "what it wins, or loses", **_UNIT_COLUMN}
    rows = (
        (
            *(settlement.deal.id, settlement.ruleset.source, settlement.ruleset.name),
            *(str(name_ledger_account(settlement.deal, who)), amount, settlement.ruleset.unit),
        )
        for settlement in _iter_settled(settled)
        for who, amount in settlement.net.items()
    )
    return Records("balances", columns, tuple(rows))


def refusals(settled: _Outcome | Iterable[_Outcome]) -> Records:
    """List the deals that a source refuses or is silent on, each with the reason; no settled deal has a row.

    `payments` and `balances` leave these deals out, so whoever counts deals should count here too.
    """
    columns = {
        **_DEAL_COLUMNS,
        "state": "refused, or silent",
        "why": "what the source forbids, or the question on which it is silent",
    }
    rows = (
        (result.deal.id, result.ruleset.source, result.ruleset.name, *_explain_unsettled(result))
        for result in _iter_results(settled)
        if not isinstance(result, Settled)
    )
    return Records("refusals", columns, tuple(rows))


def _explain_unsettled(result: Refused | Unanswered) -> tuple[str, str]:
    if isinstance(result, Refused):
        return "refused", spell_cards("; ".join(refusal.message for refusal in result.refusals))
    return "silent", str(result.silent)


def _iter_settled(given: _Outcome | Iterable[_Outcome]) -> Iterator[Settled]:
    return (result for result in _iter_results(given) if isinstance(result, Settled))


def _iter_results(given: object) -> Iterator[_Outcome]:
    """Yield one or several results. Raises TypeError for anything else."""
    if isinstance(given, Settled | Refused | Unanswered):
        yield given
        return
    if not isinstance(given, Iterable) or isinstance(given, str | Mapping):
        raise TypeError(f"{describe_type(given)} is no result; {_SETTLE_FIRST}")
    for result in given:
        if not isinstance(result, Settled | Refused | Unanswered):
            raise TypeError(f"{describe_type(result)} is no result; {_SETTLE_FIRST}")
        yield result


_SETTLE_FIRST = "settle the deal first: settle(deal, ruleset), or [settle(one, ruleset) for one in dealt]"
