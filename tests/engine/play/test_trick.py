"""The mechanics of a trick: what may be played, who takes."""

from __future__ import annotations

from engine.cards import CARD_SUITS, make_card_mask, parse_card_name
from engine.play.trick import find_legal_follows, find_legal_leads, find_taking_card, select_suit

STRENGTH = tuple(range(13))
HEARTS = CARD_SUITS.index("H")


def hand(text: str) -> int:
    return make_card_mask(map(parse_card_name, text.split()))


def row(text: str) -> tuple[int, ...]:
    return tuple(map(parse_card_name, text.split()))


def test_the_leader_plays_anything_unless_a_suit_is_demanded() -> None:
    assert find_legal_leads(hand("5H 9S"), -1) == hand("5H 9S")
    assert find_legal_leads(hand("5H 9S"), HEARTS) == hand("5H")
    assert find_legal_leads(hand("9S 8C"), HEARTS) == hand("9S 8C")


def test_a_follower_plays_the_suit_led_if_he_can() -> None:
    held = hand("5H JH 9S")
    assert find_legal_follows(held, HEARTS, 1, 0, 0) == hand("5H JH")
    assert find_legal_follows(held, CARD_SUITS.index("D"), 1, 0, 0) == held


def test_the_privilege_and_the_free_card_open_the_whole_hand() -> None:
    held = hand("JH 9S")
    assert find_legal_follows(held, HEARTS, 1, 0, 0) == hand("JH")
    assert find_legal_follows(held, HEARTS, 1, 1, 0) == held
    assert find_legal_follows(held, HEARTS, 1, 0, hand("JH")) == held
    assert find_legal_follows(hand("5H JH 9S"), HEARTS, 1, 0, hand("JH")) == hand("5H JH")  # free only when it is alone
    assert find_legal_follows(held, HEARTS, 0, 0, 0) == held


def test_the_highest_of_the_suit_led_takes() -> None:
    assert find_taking_card(row("5S 9S AH KS"), STRENGTH, -1) == 3
    assert find_taking_card(row("5S AH AD AC"), STRENGTH, -1) == 0


def test_a_thrown_quinola_takes_only_where_it_is_a_trump() -> None:
    quinola = parse_card_name("JH")
    assert find_taking_card(row("5S JH AS KS"), STRENGTH, quinola) == 1
    assert find_taking_card(row("5H JH AH KH"), STRENGTH, quinola) == 2
    assert find_taking_card(row("JH AH 2H 3H"), STRENGTH, quinola) == 1


def test_a_suit_of_a_hand() -> None:
    assert select_suit(hand("AS KH 2H"), HEARTS) == hand("KH 2H")
