"""The mechanics of a trick: what may be played, who takes."""

from __future__ import annotations

from engine.cards import RANKS, SUITS, card, mask
from engine.play.trick import may_follow, may_lead, of_suit, taker

STRENGTH = tuple(range(13))
HEARTS = SUITS.index("H")


def hand(text: str) -> int:
    return mask(map(card, text.split()))


def row(text: str) -> tuple[int, ...]:
    return tuple(map(card, text.split()))


def test_the_leader_plays_anything_unless_a_suit_is_demanded() -> None:
    assert may_lead(hand("5H 9S"), -1) == hand("5H 9S")
    assert may_lead(hand("5H 9S"), HEARTS) == hand("5H")
    assert may_lead(hand("9S 8C"), HEARTS) == hand("9S 8C")


def test_a_follower_plays_the_suit_led_if_he_can() -> None:
    held = hand("5H JH 9S")
    assert may_follow(held, HEARTS, 1, 0, 0) == hand("5H JH")
    assert may_follow(held, SUITS.index("D"), 1, 0, 0) == held


def test_the_privilege_and_the_free_card_open_the_whole_hand() -> None:
    held = hand("JH 9S")
    assert may_follow(held, HEARTS, 1, 0, 0) == hand("JH")
    assert may_follow(held, HEARTS, 1, 1, 0) == held
    assert may_follow(held, HEARTS, 1, 0, hand("JH")) == held
    assert may_follow(hand("5H JH 9S"), HEARTS, 1, 0, hand("JH")) == hand("5H JH")  # free only when it is alone
    assert may_follow(held, HEARTS, 0, 0, 0) == held


def test_the_highest_of_the_suit_led_takes() -> None:
    assert taker(row("5S 9S AH KS"), STRENGTH, -1) == 3
    assert taker(row("5S AH AD AC"), STRENGTH, -1) == 0


def test_a_thrown_quinola_takes_only_where_it_is_a_trump() -> None:
    quinola = card("JH")
    assert taker(row("5S JH AS KS"), STRENGTH, quinola) == 1
    assert taker(row("5H JH AH KH"), STRENGTH, quinola) == 2
    assert taker(row("JH AH 2H 3H"), STRENGTH, quinola) == 1


def test_the_order_of_ranks_is_an_answer() -> None:
    tens_high = tuple("23456789JQKTA".index(r) for r in RANKS)
    assert taker(row("KS TS"), tens_high, -1) == 1


def test_a_suit_of_a_hand() -> None:
    assert of_suit(hand("AS KH 2H"), HEARTS) == hand("KH 2H")
