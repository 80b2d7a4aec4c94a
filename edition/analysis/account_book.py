"""The account book of a session, line by line, whoever shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from edition.analysis.ledgers import signed
from edition.text.events import joined
from engine.session.session import NotCounted, Session, Silence, Step
from engine.settlement.ledger import Entry
from engine.settlement.settle import Refused
from rulebook.model import Library

#: What passes between deals, as it stands in the account book.
SAID: Mapping[str, str] = {
    "first-stake": "the first stake is put in",
    "dealer-adds": "the dealer adds his part",
    "stake-renewed": "the stake is renewed by all",
    "waiting-put-up": "what waited is put up",
    "contribution-counts": "the last dealer's part joins the stake",
    "matched-sum-noted": "noted, to be paid in its turn",
    "shared-out": "what is left is shared out",
}
WHEN: Mapping[str, str] = {"begin": "at the beginning", "finish": "at the parting"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what passes, or how all stand; a sum that only changes its place on the table is in brackets."""

    kind: str  #: deal | between | standing | not-counted
    words: str
    sums: tuple[str, ...]  #: of each player
    table: str  #: of all that lies on the table
    clauses: tuple[tuple[str, bool], ...] = ()  #: ids, and whether we supply the answer
    beside: str = ""  #: what waits, and what the reader has chosen
    deal: str = ""


def lines(one: Step | NotCounted) -> Iterator[Line]:
    """The lines of one step: what passes, and after a deal how all stand."""
    if isinstance(one, NotCounted):
        yield Line("not-counted", "not counted", ("",) * len(one.session.seats), "", deal=one.deal.id)
        return
    if one.settled is not None:
        yield played(one)
    yield from (between(one, entry) for entry in one.entries)
    if one.settled is not None or (one.kind == "finish" and one.entries):
        after = one.after
        yield Line("standing", "so stand", tuple(map(signed, after.accounts)), str(after.laid), (), lying(after))


def played(step: Step) -> Line:
    """A deal: whose, for what, and what it brings."""
    assert step.settled is not None
    deal, before = step.settled.deal, step.settled.before
    waiting = f", {joined([*map(str, before.waiting)])} waiting" if before.waiting else ""
    words = f"{step.after.deals}. {deal.seats[deal.dealer]} deals, for {before.stake}{waiting}"
    net = [signed(step.settled.net[account]) for account in (*range(len(deal.seats)), "pool")]
    return Line("deal", words, tuple(net[:-1]), net[-1], deal=deal.id)


def between(step: Step, entry: Entry) -> Line:
    """What passes between deals."""
    sums = dict.fromkeys([*range(len(step.after.seats)), "pool"], 0)
    for p in entry.postings:
        sums[p.payer] -= p.money.plain
        sums[p.payee] += p.money.plain
    within = sum(p.money.plain for p in entry.postings if p.payer == p.payee)
    *seats, pool = (signed(n) if n else "" for n in sums.values())
    rests: dict[tuple[str, bool], None] = {}
    for ruling in step.rulings(entry):
        rests |= dict.fromkeys((name, ruling.supplied) for name in ruling.clauses)
    chosen = ", ".join(f"{ruling.id} as chosen" for ruling in step.rulings(entry) if not ruling.clauses)
    return Line("between", SAID[entry.name], tuple(seats), pool or (f"({within})" if within else ""), (*rests,), chosen)


def lying(session: Session) -> str:
    """What lies on the table besides the stake."""
    waiting = zip(session.pool.waiting, session.owed, strict=True)
    told = [str(n) if who is None else f"{n} owed by {session.seats[who]}" for n, who in waiting]
    return f"waiting: {', '.join(told)}" if told else ""


def remarks(library: Library, found: Sequence[Step | NotCounted]) -> Iterator[str]:
    """Why deals are not counted, and where the rules are silent, each silence once."""
    for one in found:
        if isinstance(one, NotCounted):
            yield from (f"not counted: {words}" for words in why(one))
    for words, when in silences(library, found).items():
        yield f"{', '.join(when)}: {words} So nothing is put up or shared out."


def why(one: NotCounted) -> Iterator[str]:
    """Why a deal is not counted."""
    yield from (f"{problem.what}; {problem.way_out}" for problem in one.problems)
    if isinstance(one.found, Refused):
        yield from (f"{one.deal.id}: {refusal.message}" for refusal in one.found.refusals)
    elif one.found is not None:
        yield f"{one.deal.id}: {one.found.silent}"


def silences(library: Library, found: Sequence[Step | NotCounted]) -> dict[str, list[str]]:
    """What the rules do not tell, and when it was wanting."""
    told: dict[str, list[str]] = {}
    for one in found:
        if isinstance(one, NotCounted):
            continue
        for silent in one.silent:
            when = WHEN.get(one.kind, f"after deal {one.after.deals}")
            told.setdefault(not_told(library, silent), []).append(when)
    return told


def not_told(library: Library, silent: Silence) -> str:
    """A silence as one would tell it: which question is left open, and what we say of it."""
    question = library.questions[silent.question]
    words = str(silent).replace(f" on {silent.question}: silent (", f" on {question.id} “{question.asks}” (")
    return f"{words.rstrip('.')}."
