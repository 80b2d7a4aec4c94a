"""Words at a table: players by name, turns, payments, moves; the person is addressed as you."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.cards import CARD_SUITS, ENGLISH_RANKS, ENGLISH_SUITS, card_words, suit_of
from engine.deal.model import Deal, Exchange, Gift
from engine.play.table import Refusal
from engine.settlement.ledger import Entry
from reversis.words.events import describe_entry
from rulebook.phrases import capitalise, format_counters

#: Verbs that follow the name of a player in the sentences of a ledger.
_VERBS: Mapping[str, str] = {
    **{"has": "have", "is": "are", "undertakes": "undertake", "loses": "lose", "wins": "win"},
    **{f"{verb}s": verb for verb in ("throw", "lead", "pay", "draw", "put", "make", "take", "hold", "revoke")},
}
_YOUR = re.compile(r"\byou's\b")
_YOU_DO = re.compile(rf"\byou ({'|'.join(_VERBS)})\b")


@dataclass(frozen=True, slots=True)
class TableNames:
    """The names of the players, one of whom is addressed as you."""

    seats: Sequence[str]
    you: int

    def name(self, seat: int) -> str:
        """Name a player in the middle of a sentence."""
        return "you" if seat == self.you else capitalise(self.seats[seat])

    def do(self, seat: int, verb: str, of_others: str = "") -> str:
        """A player with a verb: East plays, You play."""
        return f"You {verb}" if seat == self.you else f"{self.name(seat)} {of_others or f'{verb}s'}"

    @property
    def all(self) -> tuple[str, ...]:
        """The names in order of play."""
        return tuple(map(self.name, range(len(self.seats))))

    def describe_entry(self, entry: Entry) -> str:
        """Describe an entry of the ledger in one sentence."""
        return f"{self.address(describe_entry(entry, self.all))}."

    def address(self, sentence: str) -> str:
        """Turn a sentence about you into one to you: "you's ace", "you throws" are no English."""
        return capitalise(_YOU_DO.sub(lambda match: f"you {_VERBS[match[1]]}", _YOUR.sub("your", sentence)))


# ---- payments
def describe_payment(names: TableNames, payer: int | str, payee: int | str, amount: int, unit: str = "") -> str:
    """Describe a payment: "East pays you 5", or with a unit "East pays you 5 fiches"; pools by their names."""
    sum_ = format_counters(amount, unit) if unit else str(amount)
    if isinstance(payer, int) and isinstance(payee, int):
        return f"{names.do(payer, 'pay')} {names.name(payee)} {sum_}"
    if isinstance(payer, int):
        return f"{names.do(payer, 'put')} {sum_} into {payee}"
    if isinstance(payee, int):
        return f"{names.do(payee, 'draw')} {sum_} from {payer}"
    return f"{sum_} moves within {payee}"


def describe_payments(names: TableNames, postings: Iterable[tuple[int | str, int | str, int]], unit: str = "") -> str:
    """Describe the payments of one event in a sentence."""
    return "; ".join(describe_payment(names, *posting, unit) for posting in postings)


# ---- the exchange
def describe_exchange(names: TableNames, deal: Deal, exchange: Exchange) -> str:
    """Describe an exchange: the person's own with the cards, another's without."""
    who, own = exchange.seat, exchange.seat == names.you
    if exchange.out is None:
        return f"{names.do(who, 'keep')} {'your' if own else 'the'} hand."
    out = f"the {card_words(exchange.out)}" if own else "a card"
    if exchange.taken is None:
        return f"{names.do(who, 'lay')} {out} away."
    taken = f"the {card_words(exchange.taken)}" if own else "another"
    return f"{names.do(who, 'lay')} {out} away and {'take' if own else 'takes'} {taken}."


def describe_gift(names: TableNames, gift: Gift) -> str:
    """Describe a card given across the table: to the person or by him by its name."""
    card = f"the {card_words(gift.card)}" if names.you in (gift.seat, gift.to) else "a card"
    return f"{names.do(gift.seat, 'give')} {names.name(gift.to)} {card}."


# ---- why not
def explain_refusal(names: TableNames, deal: Deal, refusal: Refusal) -> str:
    """Explain in a sentence why a card may not be taken, or the hand not be kept."""
    asked = refusal.asked[0] if refusal.asked else ""
    if asked == "play.first-lead":
        suit = "/".join(sorted({_suit_word(card) for card in refusal.legal}))
        return f"The first card must be a {suit}, and you have one."
    if asked.startswith("play.") and deal.tricks:
        led = deal.tricks[-1][0]
        leader = names.name(deal.holder(led) or 0)
        return f"{leader} led {_suits_word(led)}, and you have {_suits_word(led)}."
    sentence = refusal.message.replace(names.seats[names.you], "you", 1)
    return f"{names.address(sentence)}."


def _suits_word(card: int) -> str:
    return ENGLISH_SUITS[CARD_SUITS[suit_of(card)]]


def _suit_word(card: int) -> str:
    return _suits_word(card).removesuffix("s")


# ---- turns
def describe_lead(names: TableNames, deal: Deal, led: int | None, hand: Iterable[int], legal: Sequence[int]) -> str:
    """Say what a person whose turn it is may play."""
    if led is None:
        held = [*hand]
        suits = {suit_of(card) for card in legal}
        only = f": it must be a {_suit_word(legal[0])}" if len(suits) == 1 and len(legal) < len(held) else ""
        return f"Your turn. You lead{only}."
    leader, suit = names.name(deal.holder(led) or 0), _suits_word(led)
    has_suit = any(suit_of(card) == suit_of(led) for card in hand)
    if not has_suit:
        return f"Your turn. {leader} led {suit}. You have none: play any card."
    free = any(suit_of(card) != suit_of(led) for card in legal)
    follow = f"Follow with a {_suit_word(led)}" + ", or by your privilege you need not follow" * free
    return f"Your turn. {leader} led {suit}. {follow}."


def describe_trick(names: TableNames, number: int, cards: Sequence[tuple[int, int]], taker: int | None) -> str:
    """Describe the cards of a trick, and who takes it."""
    if not cards:
        return f"Trick {number}."
    (leader, led), *others = cards
    words = [f"{names.do(leader, 'lead')} {card_words(led)}."]
    for seat, card in others:
        verb = "throw" if suit_of(card) != suit_of(led) else "play"
        words.append(f"{names.do(seat, verb)} {card_words(card)}.")
    if taker is not None:
        words.append(f"{names.do(taker, 'take')} the trick.")
    return f"Trick {number}. {' '.join(words)}"


def list_points(points: Mapping[str, int]) -> str:
    """List the ranks that count points, the highest first: ace 4, king 3."""
    ranks = sorted(filter(points.get, points), key=lambda rank: -points[rank])
    return ", ".join(f"{ENGLISH_RANKS.get(rank, rank)} {points[rank]}" for rank in ranks)


def name_shown_card(card: int, quinolas: Mapping[int, str]) -> str:
    """Name a card, a privileged one with its right: jack of hearts, the quinola."""
    return card_words(card) + (f", the {quinolas[card] or 'quinola'}" if card in quinolas else "")


def list_choices(cards: Sequence[int], quinolas: Mapping[int, str]) -> str:
    """List the cards that may be played, with the numbers that choose them."""
    return "; ".join(f"{at}, {name_shown_card(card, quinolas)}" for at, card in enumerate(cards, 1))
