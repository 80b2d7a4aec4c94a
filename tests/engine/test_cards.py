"""Cards, packs and their names."""

from __future__ import annotations

import pytest

from engine.cards import (
    cards_of,
    format_card,
    format_cards,
    make_card_mask,
    make_pack,
    parse_card_name,
    rank_of,
    sort_cards,
    suit_of,
)


def test_a_card_is_rank_and_suit() -> None:
    queen = parse_card_name("QH")
    assert (format_card(queen), suit_of(queen), rank_of(parse_card_name("2S"))) == ("QH", 1, 0)


@pytest.mark.parametrize(
    ("written", "plain"), [("RH", "KH"), ("Dh", "QH"), ("V♥", "JH"), ("10♠", "TS"), (" a♢ ", "AD"), ("9♧", "9C")]
)
def test_french_courts_and_suit_symbols_are_accepted(written: str, plain: str) -> None:
    assert parse_card_name(written) == parse_card_name(plain)


@pytest.mark.parametrize("wrong", ["", "H", "1H", "QX", "QHH", "HQ", "11S"])
def test_what_is_no_card_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        parse_card_name(wrong)


def test_a_pack_has_fifty_two_cards_or_forty_eight_without_the_tens() -> None:
    assert len(make_pack(52)) == 52 and len(make_pack(48)) == 48
    assert {format_card(c) for c in make_pack(52) - make_pack(48)} == {"TS", "TH", "TD", "TC"}


def test_names_go_there_and_back() -> None:
    assert {parse_card_name(format_card(c)) for c in make_pack(52)} == make_pack(52)


def test_a_hand_as_bits() -> None:
    hand = [parse_card_name(c) for c in ("2S", "AC", "JH")]
    assert set(cards_of(make_card_mask(hand))) == set(hand)
    assert format_cards(hand) == ["2S", "JH", "AC"]
    assert [format_card(c) for c in sort_cards([parse_card_name("2H"), parse_card_name("AH")])] == ["AH", "2H"]
