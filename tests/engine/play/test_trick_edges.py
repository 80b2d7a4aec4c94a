"""Where one more or one less would matter: the edges of the rooms of the engine, each with the rule that draws it."""

from __future__ import annotations

from engine.cards import CARD_RANKS, CARD_SUITS
from engine.interpretation.decision_diagram import Drawings, End
from engine.play.trick import find_legal_follows, find_legal_leads, find_taking_card
from tests.engine.play.test_trick import hand, row

HEARTS, SPADES, DIAMONDS = (CARD_SUITS.index(suit) for suit in "HSD")


# ---- a trick
def test_spades_can_be_demanded_like_any_suit() -> None:
    assert find_legal_leads(hand("5H 9S"), SPADES) == hand("9S")


def test_who_has_none_of_the_suit_plays_anything_also_where_another_card_is_free() -> None:
    held = hand("9S 8C")
    assert find_legal_follows(held, DIAMONDS, 1, 0, hand("JH")) == held


def test_the_lowest_card_of_all_follows_suit_like_any() -> None:
    assert find_legal_follows(hand("2S 5H"), SPADES, 1, 0, 0) == hand("2S")


def test_of_cards_that_count_alike_the_first_takes() -> None:
    assert find_taking_card(row("5S 9S KS"), (0,) * 13, -1) == 0


def test_where_the_ten_beats_the_king_each_card_has_its_own_strength() -> None:
    tens_high = tuple("23456789JQKTA".index(rank) for rank in CARD_RANKS)
    assert find_taking_card(row("JS QS"), tens_high, -1) == 1
    assert find_taking_card(row("QS KS TS"), tens_high, -1) == 2
    assert find_taking_card(row("KS TS"), tens_high, -1) == 1


# ---- drawings
def test_a_choice_that_can_be_made_in_one_way_only_is_no_fork() -> None:
    sheet = Drawings()
    only = sheet.end("only")
    assert sheet.fork(0, [only]) is only


def test_one_chooses_once_though_a_way_asks_again() -> None:
    """What comes of taking the first way, when the first way asks the same, is its own first way."""
    sheet = Drawings()
    a, b, c = map(sheet.end, "abc")
    again = sheet.choose(0, [sheet.fork(0, [a, b]), c])
    assert again is sheet.fork(0, [a, c])
    assert all(isinstance(way, End) for way in getattr(again, "ways", ()))
