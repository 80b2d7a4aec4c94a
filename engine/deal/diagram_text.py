"""Cards written as in a diagram of a card book; `engine.deal.diagram` reads them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.cards import CARD_SUITS, sort_cards, spell_card, suit_of

_GAP = "   "  #: as far as hands that stand side by side must be apart


def format_hands(hands: Mapping[str, Iterable[int]]) -> Iterator[str]:
    """Format hands side by side, a line for the names and one for each suit."""
    columns = [[name, *_list_suits(hand)] for name, hand in hands.items()]
    widths = [max(map(len, column)) for column in columns]
    for line in zip(*columns, strict=True):
        yield _GAP.join(piece.ljust(width) for piece, width in zip(line, widths, strict=True)).rstrip()


def _list_suits(hand: Iterable[int]) -> Iterator[str]:
    cards = sort_cards(hand)
    for suit, sign in zip(CARD_SUITS, "♠♥♦♣", strict=True):
        held = [spell_card(card).rstrip(sign) for card in cards if CARD_SUITS[suit_of(card)] == suit]
        yield f"{sign} {' '.join(held) or '–'}"


def format_card_row(cards: Iterable[int]) -> str:
    """Format cards in the order given: 7♣ 5♣ 3♣ 3♠."""
    return " ".join(map(spell_card, cards))
