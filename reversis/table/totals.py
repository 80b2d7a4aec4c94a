"""Totals of a deal by every book, while it is played and at its end.

Each book has its own pool: its first one in a single deal, in a session the one that it has carried on. What it would
have forbidden before play and at the first lead is passed over, and said. Until the deal is over a sum is shown only
where it is the same however the unseen cards lie, as far as some layouts tell that are made of what the player has
seen: nothing shown can betray a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engine.cards import CARD_SUITS, ENGLISH_SUITS, make_card_mask, rank_of, spell_card, spell_cards, suit_of
from engine.deal.model import Deal
from engine.play.table import ACE_RANK, TOLERABLE, Refusal, find_quinolas, has_privilege
from engine.readings.ask import Ask
from engine.session.session import Session, Step, begin, prepare_next_deal, steps
from engine.settlement.ledger import Entry
from engine.settlement.settle import Refused, Settled, Unanswered, has_unsaid_gifts, settle
from reversis.table.partie_words import explain_sums
from reversis.table.payments import list_paid_sums, sum_entry, sum_payments
from reversis.table.table_words import TableNames, describe_payments
from reversis.table.unseen import cover_deal, lay_out_either_way
from reversis.words.ledgers import AnySettlement
from rulebook.model import Library, Ruleset
from rulebook.phrases import format_signed_sum

HIDDEN = "…"
_NONE = "–"
_ALL_THE_SAME = "counted all the same, as each book settles the cards that were played"
LAID_AWAY = "exchange.hearts"  #: what this question forbids depends on the card that was laid away
_MAY_BETRAY = "this depends on cards that you have not seen: it is shown when the deal is over"


@dataclass(frozen=True)
class BookSettlements:
    """A deal by one book: settled once when it is over, before that for each layout of the unseen cards."""

    ruleset: Ruleset
    session: Session  #: as it was before the deal
    missed: tuple[str, ...]  #: earlier deals that the book does not count
    settlements: tuple[AnySettlement, ...]
    tricks: int  #: whole ones
    final: bool

    @property
    def settled(self) -> tuple[Settled, ...]:
        """The settlements, if the book settles the deal however the unseen cards lie; else none."""
        settled = tuple(each for each in self.settlements if isinstance(each, Settled))
        return settled if len(settled) == len(self.settlements) else ()


def settle_by_books(
    rulesets: Sequence[Ruleset], own: Ruleset, deals: Sequence[Deal], seat: int
) -> list[BookSettlements]:
    """Settle the last of some deals by every book, as far as a player may know it. `own`: the rules it is played by."""
    *earlier, deal = deals
    whole = tuple(row for row in deal.tricks if len(row) == len(deal.seats))
    layouts = lay_out_whole_tricks(deal, whole, rulesets, Ask(own), seat) if deal.fragment else [deal]
    books = list[BookSettlements]()
    for ruleset in rulesets:
        session, missed = carry_session(ruleset, earlier, deal)
        mine = [replace(layout, pools={"": session.pool}, expect={}) for layout in layouts]
        settlements = tuple(settle(layout, ruleset, TOLERABLE) for layout in mine)
        books.append(BookSettlements(ruleset, session, missed, settlements, len(whole), not deal.fragment))
    return books


def lay_out_whole_tricks(
    deal: Deal, whole: tuple[tuple[int, ...], ...], rulesets: Sequence[Ruleset], ask: Ask, seat: int
) -> list[Deal]:
    """Lay out the unseen cards of a deal in play, with the tricks that are whole; none before the first is."""
    if not whole:
        return []
    seen = cover_deal(replace(deal, tricks=whole, fragment=True), seat)
    quinolas = {ruleset.name: find_quinolas(Ask(ruleset)) for ruleset in rulesets}
    paid = {card for row in whole for card in row if rank_of(card) == ACE_RANK}.union(*quinolas.values())

    def is_privileged(hand: int) -> bool:
        return any(has_privilege(hand, make_card_mask(quinolas[each.name]), Ask(each)) for each in rulesets)

    return lay_out_either_way(seen, ask, paid, is_privileged, Random(f"totals:{deal.id}:{len(whole)}"))


def carry_session(ruleset: Ruleset, earlier: Sequence[Deal], deal: Deal) -> tuple[Session, tuple[str, ...]]:
    """Carry a session on to a deal by the rules of a book; return also which deals it does not count."""
    first = begin(ruleset, deal.seats, (*earlier, deal)[0].dealer)
    past = [*steps(first, earlier, as_played=True, tolerate=TOLERABLE)][:-1]  # the last one parts the company
    session = next(step.after for step in reversed(past) if isinstance(step, Step))
    if not session.ready:
        session = prepare_next_deal(replace(session, dealer=deal.dealer)).after
    return session, tuple(step.deal.id for step in past if not isinstance(step, Step))


# ---- as data
def list_totals(library: Library, books: Iterable[BookSettlements], seat: int) -> list[dict[str, Any]]:
    """List what the deal comes to for a player by every book; `standing` counts what was put in and earlier deals."""
    return [_describe_total(library, book, seat) for book in books]


def _describe_total(library: Library, book: BookSettlements, seat: int) -> dict[str, Any]:
    total, shown, reason = find_total(library, book, seat)
    return {
        "source": book.ruleset.source,
        "title": library.sources[book.ruleset.source].title,
        "total": total,
        "shown": shown,
        "reason": reason,
        "passed": [*list_passed_over(book, seat)],
        "pool": book.session.pool.total,
        "unit": book.ruleset.unit,
        "standing": None if total is None else book.session.accounts[seat] + total,
        "missed": list(book.missed),
        "final": book.final,
        "parts": list_parts(library, book, seat) if book.final else [],
    }


def list_parts(library: Library, book: BookSettlements, seat: int) -> list[dict[str, Any]]:
    """List what has made a player's total, the largest sums first: who pays whom, and why so much."""
    parts = [
        {"words": describe_share(library, settled, entry, seat), "sum": sum_}
        for settled in book.settled
        for entry in settled.entries
        if (sum_ := sum_entry(settled, entry, seat))
    ]
    return sorted(parts, key=lambda part: -abs(part["sum"]))


def describe_share(library: Library, settled: Settled, entry: Entry, seat: int) -> str:
    """Describe an entry with the payments in which a player has a share, and how they come about."""
    names = TableNames(settled.deal.seats, seat)
    paid = list_paid_sums(entry, settled.ruleset, settled.before)
    own = describe_payments(names, (sums for sums in paid if seat in sums[:2]))
    return " ".join([names.describe_entry(entry), f"{own}.", *explain_sums(library, settled, entry, names, seat)])


def find_total(library: Library, book: BookSettlements, seat: int) -> tuple[int | None, str, str]:
    """Find the total of a player, how it is shown, and why there is none; nothing passes before a trick is whole."""
    if book.settlements and not book.settled:
        reasons = {explain_no_total(library, each, seat) for each in book.settlements}
        return (None, _NONE, reasons.pop()) if len(reasons) == 1 else (None, HIDDEN, _MAY_BETRAY)
    sums = {sum_payments(settled)[seat] for settled in book.settled} if book.tricks else {0}
    if len(sums) != 1:
        return None, HIDDEN, _MAY_BETRAY
    total = sums.pop()
    return total, format_signed_sum(total), ""


def explain_no_total(library: Library, settlement: AnySettlement, seat: int) -> str:
    """Explain why a book has no total; empty where it has one. What a refused player might have played is left out."""
    if isinstance(settlement, Refused):
        names = TableNames(settlement.deal.seats, seat)
        return "; ".join(dict.fromkeys(_describe_refusal(refusal, names) for refusal in settlement.refusals))
    if isinstance(settlement, Unanswered):
        question = library.questions.get(settlement.silent.question)
        return f"this book does not say: {question.asks if question else settlement.silent.question}"
    return ""


def _describe_refusal(refusal: Refusal, names: TableNames) -> str:
    if refusal.trick is None or refusal.seat is None or refusal.card is None:
        seat = refusal.seat
        message = refusal.message if seat is None else refusal.message.replace(names.seats[seat], names.name(seat), 1)
        return spell_cards(message)
    who, card = names.name(refusal.seat), spell_card(refusal.card)
    suits = {ENGLISH_SUITS[CARD_SUITS[suit_of(legal)]] for legal in refusal.legal}
    lead = f": the first lead must be of {suits.pop()}" if refusal.kind == "first-lead" and len(suits) == 1 else ""
    return f"trick {refusal.trick}: by this book {who} may not play {card}{lead}"


def list_passed_over(book: BookSettlements, seat: int) -> Iterator[str]:
    """List what the book does not allow and is passed over, as far as it is so however the unseen cards lie."""
    tolerated = [_list_tolerated(book, settled, seat) for settled in book.settled]
    always = [words for words in (tolerated or [{}])[0] if all(words in other for other in tolerated)]
    yield from always[:-1]
    yield from (f"{words}; {_ALL_THE_SAME}" for words in always[-1:])


def _list_tolerated(book: BookSettlements, settled: Settled, seat: int) -> Mapping[str, None]:
    """List what is passed over, each once; before the deal is over nobody knows what another has laid away."""
    deal, names = settled.deal, TableNames(settled.deal.seats, seat)
    unsaid = has_unsaid_gifts(deal, Ask(settled.ruleset))
    across = ["this book does not speak of cards given across the table"] if unsaid else []
    known = (each for each in settled.played.refusals if book.final or each.seat == seat or LAID_AWAY not in each.asked)
    return dict.fromkeys([*across, *(_describe_refusal(refusal, names) for refusal in known)])
