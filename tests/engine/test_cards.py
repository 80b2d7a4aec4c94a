"""Cards, packs and their names."""

from __future__ import annotations

import pytest

from engine.cards import card, cards_of, in_order, mask, name, names, pack, rank_of, suit_of


def test_a_card_is_rank_and_suit() -> None:
    assert name(card("QH")) == "QH" and suit_of(card("QH")) == 1 and rank_of(card("2S")) == 0


@pytest.mark.parametrize(
    ("written", "plain"), [("RH", "KH"), ("Dh", "QH"), ("V♥", "JH"), ("10♠", "TS"), (" a♢ ", "AD"), ("9♧", "9C")]
)
def test_french_courts_and_suit_symbols_are_accepted(written: str, plain: str) -> None:
    assert card(written) == card(plain)


@pytest.mark.parametrize("wrong", ["", "H", "1H", "QX", "QHH", "HQ", "11S"])
def test_what_is_no_card_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        card(wrong)


def test_a_pack_has_fifty_two_cards_or_forty_eight_without_the_tens() -> None:
    assert len(pack(52)) == 52 and len(pack(48)) == 48
    assert {name(c) for c in pack(52) - pack(48)} == {"TS", "TH", "TD", "TC"}


def test_names_go_there_and_back() -> None:
    assert {card(name(c)) for c in pack(52)} == pack(52)


def test_a_hand_as_bits() -> None:
    hand = [card(c) for c in ("2S", "AC", "JH")]
    assert set(cards_of(mask(hand))) == set(hand)
    assert names(hand) == ["2S", "JH", "AC"]
    assert [name(c) for c in in_order([card("2H"), card("AH")])] == ["AH", "2H"]
