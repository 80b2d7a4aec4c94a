"""Payments at a table: those so far, those of the trick just ended, and what still waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.readings.ask import name_other_quinolas, name_quinola
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Account, Entry, Posting, compute_balances
from engine.settlement.settle import Settled, settle
from reversis.table.table_words import TableNames
from reversis.words.events import AT_THE_TABLE, BEFORE_THE_PLAY, name_event_card
from reversis.words.ledgers import LedgerLine, build_ledger_line
from reversis.words.spoken_answers import SpokenRules, sum_in_words
from rulebook.model import Library, Ruleset, Ruling

#: Of a line's answers, the one that says the most about it: by the ending of its question; else the first.
_TELLING: Mapping[str, str] = {
    **dict.fromkeys(("thrown-off", "forced", "led", "partie"), ".amount"),
    "matches-stake": ".stake",
}


def settle_so_far(deal: Deal, ruleset: Ruleset) -> Settled | None:
    """Settle the whole tricks of a deal; None where the rules are silent on them."""
    whole = tuple(row for row in deal.tricks if len(row) == len(deal.seats))
    settled = settle(deal if not deal.fragment else replace(deal, tricks=whole), ruleset)
    return settled if isinstance(settled, Settled) else None


def list_paid_lines(settled: Settled | None) -> list[LedgerLine]:
    """List what is paid so far; what is paid at the end is told at the end: it may rest on cards that nobody sees."""
    if settled is None:
        return []
    lines = (build_ledger_line(settled, entry) for entry in settled.entries)
    return [line for line in lines if is_paid_by_now(line, settled.deal)]


def is_paid_by_now(line: LedgerLine, deal: Deal) -> bool:
    """Return whether what a line of the ledger tells has been paid as far as the deal is played."""
    return bool(line.postings) and (not deal.fragment or line.step != "end")


def keep_tricks(deal: Deal, count: int) -> Deal:
    """The deal as it stood after so many tricks."""
    return replace(deal, tricks=deal.tricks[:count], claims={}, fragment=True)


def list_counted_postings(settled: Settled | None) -> list[Posting]:
    """List every payment that counts by now."""
    if settled is None:
        return []
    over = not settled.deal.fragment
    paid = (
        entry
        for entry in settled.entries
        if over or entry.rule in BEFORE_THE_PLAY or (entry.rule in AT_THE_TABLE and entry.fact.trick)
    )
    return [posting for entry in paid for posting in entry.postings]


def sum_payments(settled: Settled | None) -> Mapping[Account, int]:
    """Sum what was paid in the tricks so far."""
    return compute_balances(list_counted_postings(settled), settled.before, len(settled.deal.seats)) if settled else {}


def sum_entry(settled: Settled, entry: Entry, seat: int) -> int:
    """Sum what an entry of a ledger brings a player."""
    paid = zip(entry.postings, settled.amounts(entry), strict=True)
    return sum(amount * ((posting.payee == seat) - (posting.payer == seat)) for posting, amount in paid)


def list_paid_sums(entry: Entry, ruleset: Ruleset, before: Pool) -> list[tuple[int | str, int | str, int]]:
    """List who pays whom how much by an entry, pools under their names; what comes to nothing is left out."""
    pools = name_pools(ruleset)

    def name(posting: Posting, account: Account) -> Account:
        return pools[posting.pool] if account == POOL_ACCOUNT else account

    sums = ((posting, posting.counted(before)) for posting in entry.postings)
    return [(name(paid, paid.payer), name(paid, paid.payee), amount) for paid, amount in sums if amount]


def list_factors(
    library: Library, settled: Settled, entry: Entry, names: TableNames, seat: int | None = None
) -> list[str]:
    """List how the sums of an entry come about that have factors, as sentences: "You pay 5 × 2 (...) = 10.".

    `seat`: only those that this player pays or is paid.
    """
    words = SpokenRules(library, settled.ruleset).about(entry.fact)
    amounts = zip(entry.postings, settled.amounts(entry), strict=True)
    paid = [(posting, amount) for posting, amount in amounts if seat in (None, posting.payer, posting.payee)]
    sums = [(posting.payer, sum_in_words(words, settled, entry, posting, amount)) for posting, amount in paid if amount]
    return [f"{names.do(payer, 'pay')} {sum_}." for payer, sum_ in sums if sum_ and isinstance(payer, int)]


def choose_telling_ruling(line: LedgerLine) -> Ruling | None:
    """Choose the answer that says the most about a payment; None where it rests on none."""
    ending = _TELLING.get(line.entry.rule, "")
    return next((ruling for ruling in line.rulings if ruling.question.endswith(ending)), next(iter(line.rulings), None))


# ---- the pools
def name_pools(ruleset: Ruleset) -> Mapping[str, str]:
    """Name the pools by their privileged cards, the first being empty."""
    others = name_other_quinolas(ruleset)
    if not others:
        return {"": "the basket"}
    first = {"": f"the pool of the {name_quinola(ruleset)}"}
    return first | {card: f"the pool of the {name}" for card, name in others.items()}


def count_pools(deal: Deal, ruleset: Ruleset, postings: Sequence[Posting]) -> Mapping[str, int]:
    """Count what lies in each pool after some payments, sums that wait beside the stake included."""
    pool = deal.pool(ruleset.source)
    totals = {card: pool.of(card).stake + sum(pool.of(card).waiting) for card in name_pools(ruleset)}
    for posting in postings:
        for account, sign in ((posting.payer, -1), (posting.payee, 1)):
            if account == POOL_ACCOUNT:
                totals[posting.pool] += sign * posting.counted(pool)
    return totals


# ---- what waits
@dataclass(frozen=True, slots=True)
class Debt:
    """A card of a whole trick that has still to be paid for."""

    seat: int
    card: int
    trick: int
    words: str  #: what the card is called


def list_table_debts(settled: Settled | None) -> list[Debt]:
    """List the led aces and quinolas that nobody is paid for yet, as it depends on who wins the partie."""
    if settled is None or not settled.deal.fragment:
        return []
    led = (fact for fact in settled.played.facts if fact.manner == "led")
    return [describe_debt(fact) for fact in led if f"led (trick {fact.trick})" in settled.open]


def describe_debt(fact: Fact) -> Debt:
    """Describe the card of a fact as still to be paid for."""
    card = fact.card or 0
    return Debt(fact.player or 0, card, fact.trick or 0, name_event_card(fact.kind, card, fact.called))
