"""Reckonings of the sums of a ledger, with the factors that `explain` tells: 5 × 2 (they sit opposite)."""

from __future__ import annotations

from typing import TypeAlias

from engine.cards import format_card
from engine.readings.ask import Ask
from engine.readings.meanings.partie import BY_PAYER, BY_TALON, DEBT
from engine.settlement.ledger import Entry, Posting
from engine.settlement.outcome import list_talon_points
from engine.settlement.payments.amounts import sit_opposite
from engine.settlement.settle import Settled
from reversis.words.ledgers import AnySettlement, LedgerView
from reversis.words.spoken_answers import SpokenRules, sum_in_words
from rulebook.model import Library

Reckonings: TypeAlias = "tuple[tuple[str, ...], ...]"  #: of each entry of a ledger, of each of its postings


def list_reckonings(library: Library, ledger: LedgerView, settlement: AnySettlement) -> Reckonings:
    """List how each sum of a ledger comes about; empty where it is told by the clauses alone."""
    if not isinstance(settlement, Settled):
        return ()
    words = SpokenRules(library, settlement.ruleset)
    return tuple(
        tuple(
            describe_reckoning(words, ledger, settlement, entry, posting)
            for posting in entry.postings
            if posting.counted(settlement.before)
        )
        for entry in settlement.entries
    )


def describe_reckoning(words: SpokenRules, ledger: LedgerView, done: Settled, entry: Entry, posting: Posting) -> str:
    """Describe how a sum comes about: its factors, and what the partie, or talon, is reckoned by."""
    amount = posting.counted(done.before)
    reckoning = sum_in_words(words, done, entry, posting, amount)
    product = reckoning.removesuffix(f" = {amount}")
    if product != reckoning:
        return "; ".join(filter(None, (f"= {product}", _describe_partie(words, ledger, done, entry, posting))))
    if reckoning:  # of a debt that two bear
        return reckoning.removeprefix(f"{amount}, ")
    return _describe_partie(words, ledger, done, entry, posting)


def _describe_partie(words: SpokenRules, ledger: LedgerView, done: Settled, entry: Entry, posting: Posting) -> str:
    """Describe the cards or the points that one pays for the partie, or talon, if they come to the sum."""
    by = words.value("partie.amount")
    if entry.rule != "partie" or by is None or not isinstance(posting.payer, int):
        return ""
    if DEBT[str(by)] == BY_TALON:
        reckoning, points = describe_talon(words, done)
    elif DEBT[str(by)] == BY_PAYER:
        payer = done.deal.seats[posting.payer]
        points = sum(each for who, each in zip(ledger.takers, ledger.points, strict=False) if who == payer)
        reckoning = f"{points} points in {payer}'s tricks"
    else:
        return ""
    opposite = _get_number(words, "partie.opposite") if sit_opposite(entry.fact, posting.payer, posting.payee) else 1
    return reckoning if points * _get_number(words, "partie.per-point") * opposite == posting.money.plain else ""


def describe_talon(words: SpokenRules, done: Settled) -> tuple[str, int]:
    """Describe what the cards of the talon count, with what is added, and their sum."""
    bonus, counts = _get_number(words, "talon.bonus"), list_talon_points(done.played.measures, Ask(done.ruleset))
    parts = [f"{format_card(card)} {points}" for card, points in counts.items() if points]
    added = [f"{bonus} added"] if bonus else []
    return f"the talon: {', '.join([*parts, *added]) or 'nothing'}", bonus + sum(counts.values())


def _get_number(words: SpokenRules, slug: str) -> int:
    value = words.value(slug)
    return value if isinstance(value, int) else 0
