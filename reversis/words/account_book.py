"""The account book of a session, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.cards import spell_cards
from engine.session.session import NotCounted, Session, Step
from engine.settlement.ledger import Entry
from engine.settlement.settle import Refused
from rulebook.grouping import group_pairs
from rulebook.model import Library
from rulebook.phrases import format_signed_sum, join_names

#: What passes between deals, as it stands in the account book.
TRANSFER_TEXTS: Mapping[str, str] = {
    "first-stake": "the first stake is put in",
    "dealer-adds": "the dealer adds a contribution",
    "stake-renewed": "the stake is renewed by all",
    "waiting-put-up": "the waiting sum is now played for",
    "contribution-counts": "the last dealer's part joins the stake",
    "matched-sum-noted": "noted, to be paid in its turn",
    "shared-out": "what is left is shared out",
}
ABOUT_DEALS = "not counted: ", "To play "  #: openings of the remarks on deals that are not counted
TURN_OPTION = "--turn"  #: of the command that plays a session
_STEP_TIMES: Mapping[str, str] = {"begin": "at the beginning", "finish": "at the end"}


@dataclass(frozen=True, slots=True)
class AccountBookLine:
    """Line of the account book; a sum that only changes its place on the table is in brackets."""

    kind: str  #: deal | between | standing | not-counted
    words: str
    sums: tuple[str, ...]  #: of each player
    table: str  #: of all that lies on the table
    clauses: tuple[tuple[str, bool], ...] = ()  #: ids, and whether we supply the answer
    beside: str = ""  #: what waits, and what the reader has chosen
    deal: str = ""


def generate_account_lines(step: Step | NotCounted) -> Iterator[AccountBookLine]:
    """Yield the lines of one step: payments, and after a deal the standing of all."""
    if isinstance(step, NotCounted):
        yield AccountBookLine("not-counted", "not counted", ("",) * len(step.session.seats), "", deal=step.deal.id)
        return
    if step.settled is not None:
        yield build_deal_line(step)
    yield from (_build_transfer_line(step, entry) for entry in step.entries)
    if step.settled is not None or (step.kind == "finish" and step.entries):
        after = step.after
        sums = tuple(map(format_signed_sum, after.accounts))
        yield AccountBookLine("standing", "balance", sums, str(after.laid), beside=describe_waiting_sums(after))


def build_deal_line(step: Step) -> AccountBookLine:
    """Build the line of a deal: whose, for what, and what it brings."""
    assert step.settled is not None
    deal, before = step.settled.deal, step.settled.before
    waiting = f", {join_names([*map(str, before.waiting)])} waiting" if before.waiting else ""
    others = "".join(f", {pool.stake} for {spell_cards(card)}" for card, pool in before.others)
    words = f"{step.after.deals}. {deal.seats[deal.dealer]} deals, for {before.stake}{waiting}{others}"
    net = [format_signed_sum(step.settled.net[account]) for account in (*range(len(deal.seats)), "pool")]
    return AccountBookLine("deal", words, tuple(net[:-1]), net[-1], deal=deal.id)


def _build_transfer_line(step: Step, entry: Entry) -> AccountBookLine:
    sums = dict.fromkeys([*range(len(step.after.seats)), "pool"], 0)
    for p in entry.postings:
        sums[p.payer] -= p.money.plain
        sums[p.payee] += p.money.plain
    within = sum(p.money.plain for p in entry.postings if p.payer == p.payee)
    *seats, pool = (format_signed_sum(n) if n else "" for n in sums.values())
    rests: dict[tuple[str, bool], None] = {}
    for ruling in step.rulings(entry):
        rests |= dict.fromkeys((name, ruling.supplied) for name in ruling.clauses)
    chosen = ", ".join(f"{ruling.id} as chosen" for ruling in step.rulings(entry) if not ruling.clauses)
    table = pool or (f"({within})" if within else "")
    whose = f", for the {entry.fact.called}" if entry.fact.called else ""
    return AccountBookLine("between", f"{TRANSFER_TEXTS[entry.name]}{whose}", tuple(seats), table, (*rests,), chosen)


def describe_waiting_sums(session: Session) -> str:
    """Describe what lies on the table besides the stake; of further pools by their cards."""
    sums: list[str] = []
    for card in session.cards:
        state, whose = session.about(card), f" for {spell_cards(card)}" if card else ""
        waiting = zip(state.pool.waiting, state.owed, strict=True)
        sums += [f"{n}{whose}" if who is None else f"{n}{whose} owed by {state.seats[who]}" for n, who in waiting]
    return f"waiting: {', '.join(sums)}" if sums else ""


def generate_session_remarks(
    library: Library, all_steps: Sequence[Step | NotCounted], piped: bool = False
) -> Iterator[str]:
    """Yield why deals are not counted and where the rules are silent, each reason once.

    Deals that come *piped* cannot be changed: then the one thing to do is said once.
    """
    uncounted = [step for step in all_steps if isinstance(step, NotCounted)]
    reasons = group_pairs((reason, step.deal.id) for step in uncounted for reason in explain_uncounted_deal(step))
    by_turning = piped and any(TURN_OPTION in way_out for _, way_out in reasons)
    for (what, way_out), ids in reasons.items():
        hint = "" if by_turning and TURN_OPTION in way_out else way_out and f"; {way_out}"
        yield f"not counted: {', '.join(ids)}{' ' if len(ids) == 1 else ': each '}{what}{hint}"
    if by_turning:
        yield f"To play deals from a pipe in a row, give {TURN_OPTION}: each then follows the one before."
    settled = (step.settled for step in all_steps if isinstance(step, Step) and step.settled)
    for words, ids in group_pairs((words, step.deal.id) for step in settled for words in step.passed_over).items():
        yield f"passed over: {', '.join(ids)}: {words}"
    for words, when in group_pairs(_list_session_silences(library, all_steps)).items():
        yield f"{', '.join(when)}: {words} So nothing is paid in or shared out."


def explain_uncounted_deal(deal: NotCounted) -> Iterator[tuple[str, str]]:
    """Yield the reasons why a deal is not counted, without its id, and the way out where there is one."""
    for problem in deal.problems:
        yield problem.what.removeprefix(f"{deal.deal.id} "), problem.way_out
    if isinstance(deal.found, Refused):
        yield from ((f"is refused: {refusal.message}", "") for refusal in deal.found.refusals)
    elif deal.found is not None:
        yield f"is not settled: {deal.found.silent}", ""


def _list_session_silences(library: Library, all_steps: Sequence[Step | NotCounted]) -> Iterator[tuple[str, str]]:
    for step in (step for step in all_steps if isinstance(step, Step)):
        for silent in step.silent:
            when = _STEP_TIMES.get(step.kind, f"after deal {step.after.deals}")
            question = library.questions[silent.question]
            words = str(silent).replace(f" on {silent.question}: silent (", f" on {question.id} “{question.asks}” (")
            yield f"{words.rstrip('.')}.", when
