"""Sums and postings that several payment rules share: what a card is worth, who sits opposite, the stake matched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings.cards import MULTIPLIED
from engine.readings.meanings.outcome import SeatOrNone
from engine.readings.meanings.stake import MATCH_BASE, MATCH_OPERATION, POOL_ACCOUNT
from engine.settlement.ledger import NO_MONEY, Account, Money, Posting
from engine.settlement.nonpayment import Not
from engine.settlement.outcome import OutcomeView

Postings: TypeAlias = Iterator["Posting | Not"]
Pays: TypeAlias = Callable[[Fact, OutcomeView, Ask], Postings]


def post_payment(
    payer: SeatOrNone | str, payee: SeatOrNone | str, money: Money, operation: str = "", by: str = ""
) -> Postings:
    """Post a sum, unless payer and payee are the same or the sum is zero.

    `by` is the question that fixes the sum.
    """
    if payer is None or payee is None:
        return
    if payer == payee:
        yield Not("own")
    elif money == NO_MONEY:
        yield Not("nobody-pays", by)
    else:
        yield Posting(payer, payee, money, operation)


def sit_opposite(fact: Fact, a: Account, b: Account) -> bool:
    """Return whether two players sit opposite; five players have nobody opposite."""
    return fact.seats == 4 and isinstance(a, int) and isinstance(b, int) and (a - b) % 4 == 2


def price_card(fact: Fact, how: str, payer: int, payee: int, amount: int, ask: Ask) -> Money:
    """Multiply the amount for an ace or the quinola: opposite, and in the tricks that count more.

    `how` says for what it is paid: thrown-off, forced or led.
    """
    if amount == 0:
        return NO_MONEY
    opposite = ask.number("payments.opposite") if sit_opposite(fact, payer, payee) else 1
    return Money(amount * opposite * trick_factor(fact, how, ask))


def trick_factor(fact: Fact, how: str, ask: Ask) -> int:
    """Return how many times a payment is multiplied for the trick in which it falls."""
    tricks: Iterable[int] = ask.numbers("payments.doubled-tricks")
    counted = {number if number > 0 else fact.last + 1 + number: number for number in tricks}
    if fact.trick not in counted or not any(MULTIPLIED[word](how) for word in ask.words("payments.doubled-kinds")):
        return 1
    if isinstance(tricks, Mapping):  # a source may name a factor for each trick
        return int(tricks[counted[fact.trick]])
    return ask.number("payments.trick-factor")


def card_worth(fact: Fact, amount: int, ask: Ask) -> int:
    """Return the amount for a card: the favoured ace has its own."""
    if amount == 0 or fact.kind != "ace" or ask.word("ace.favoured-suit") != fact.suit:
        return amount  # who pays nothing pays nothing for any ace
    favoured = ask.table("ace.favoured-amount")
    return favoured["sum"] if "sum" in favoured else amount * favoured["times"]


def matching_amount(ask: Ask) -> Money:
    """Return as much as the stake, or as the stake and all that waits."""
    return Money(0, 1, MATCH_BASE[ask.word("stake.match-base")])


def limited_stake(ask: Ask) -> Money:
    """Return the stake, or the fixed part of it that counts where it has grown to a certain sum."""
    return Money(0, 1, limit_from=ask.number("stake.limit-from"), limit=ask.number("stake.limit"))


def post_stake_match(fact: Fact, seat: SeatOrNone, ask: Ask, limited: bool) -> Postings:
    """Post a player's payment of as much as the stake into the pool."""
    money = limited_stake(ask) if limited else matching_amount(ask)
    yield from post_payment(seat, POOL_ACCOUNT, money, MATCH_OPERATION[ask.word("stake.matched-into")])


def rule_postings(pays: Pays, fact: Fact, outcome: OutcomeView, ask: Ask) -> Iterator[Posting]:
    """Return what a rule pays, without its reasons for not paying."""
    return (posting for posting in pays(fact, outcome, ask) if isinstance(posting, Posting))
