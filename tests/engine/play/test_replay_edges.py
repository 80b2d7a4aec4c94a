"""The edges of the play: the lowest card, the second heart lead, two cards to choose from, half an exchange."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import cards_of, format_card, make_card_mask, parse_card_name
from engine.deal.events import Fact, Fault
from engine.deal.model import Exchange
from engine.play.irregularities import note_peek
from engine.play.replay import card_fact, check_exchange, finish_trick, play_card
from engine.play.table import PlayedCard, PlayTable, legal_cards, seat_players
from engine.readings.ask import Ask
from engine.readings.meanings.play import QUINOLA_FREE
from rulebook.model import Ruleset
from tests.support.deals import laid, mixed, read, record
from tests.support.settling import Refuse, Rules

SOUTH, EAST, NORTH, WEST = range(4)


def table(ruleset: Ruleset, **keys: object) -> PlayTable:
    return seat_players(read(record(laid(where=mixed), **keys)), Ask(ruleset))


def held(at: PlayTable, seat: int, hand: str) -> PlayTable:
    at.hands[seat] = make_card_mask(map(parse_card_name, hand.split()))
    return at


def may(at: PlayTable, number: int, seat: int, led: str) -> list[str]:
    return sorted(
        map(format_card, cards_of(legal_cards(at, number, seat, parse_card_name(led) if led else None, at.ask)))
    )


# ---- what may be played
def test_the_two_of_a_suit_follows_like_any_card(rules: Rules) -> None:
    assert may(held(table(rules("PAM")), EAST, "2S 5H"), 4, EAST, "9S") == ["2S"]
    assert may(held(table(rules("PAR")), EAST, "2S JH"), 4, EAST, "9S") == ["2S"]


def test_the_lone_quinola_may_be_kept_only_when_two_hearts_were_led(rules: Rules) -> None:
    """The first card of a trick tells what was led, whatever falls on it."""
    at = held(table(rules("PAM", "play.quinola-alone=free-after-two-heart-leads")), EAST, "JH 5S")
    at.holder = None
    for number, row, hearts in ((1, "5C 9H 7H 8H", 0), (2, "3H 9C 7C 8C", 1), (3, "4H 9D 7D 8D", 2)):
        finish_trick(
            at, number, [PlayedCard(seat, parse_card_name(one), False, False) for seat, one in enumerate(row.split())]
        )
        assert at.heart_leads == hearts
        assert may(at, number + 1, EAST, "KH") == (["5S", "JH"] if hearts == 2 else ["JH"])
    assert QUINOLA_FREE["free-after-two-heart-leads"](3, 2)


def test_the_first_lead_is_free_where_no_suit_is_demanded_and_always_later(rules: Rules) -> None:
    free, hearts = (held(table(rules("PAM", f"play.first-lead={lead}")), EAST, "2S 5H 9C") for lead in ("any", "heart"))
    assert may(free, 1, EAST, "") == ["2S", "5H", "9C"] and may(hearts, 1, EAST, "") == ["5H"]
    assert may(hearts, 2, EAST, "") == ["2S", "5H", "9C"]


# ---- what befell a card
def befell(rules: Rules, row: str, at: int) -> Fact:
    table_ = table(rules("PAM"))
    cards = [PlayedCard(seat, parse_card_name(one), False, False) for seat, one in enumerate(row.split())]
    return card_fact(table_, 3, cards, at, SOUTH)


@pytest.mark.parametrize(
    ("row", "court"),
    [
        ("QH JH 2H 3H", True),
        ("AH JH 2H 3H", True),
        ("TH JH KH AH", False),
        ("9H JH QH KH", False),
        ("JC JH QC 3C", False),
    ],
)
def test_a_trick_is_led_with_a_court_card_from_the_queen_on(rules: Rules, row: str, court: bool) -> None:
    assert befell(rules, row, 1).court_led is court


@pytest.mark.parametrize(
    ("hand", "played", "led", "wish", "free"),
    [
        ("JH", "JH", "", "", False),
        ("JH 5S", "JH", "", "", True),
        ("JH 5S 6S", "5S", "", "", True),
        ("JH 5S", "JH", "KH", "", False),
        ("JH 5S", "JH", "KH", "play.quinola-alone=free", True),
        ("JH 5H 5S", "JH", "KH", "play.quinola-alone=free", False),  # he had another heart to give
        ("JH", "JH", "KH", "play.quinola-alone=free", False),  # the last card of all
        ("JH 5S", "JH", "KH", "play.quinola-alone=free-after-two-heart-leads", False),
        ("JH 5S", "JH", "KC", "play.quinola-alone=free", False),  # thrown off
        ("AS 5H", "AS", "KS", "play.quinola-alone=free", False),
        ("AS 5H", "AS", "KS", "play.follow=need-not", True),
        ("AS 6S 5H", "AS", "KS", "play.follow=need-not", False),
    ],
)
def test_a_card_is_free_where_another_might_have_been_led_or_the_only_one_kept(
    rules: Rules, hand: str, played: str, led: str, wish: str, free: bool
) -> None:
    for holder in (None, EAST):  # the privilege of an espagnolette is another matter
        at = held(table(rules("PAM", *[wish] * bool(wish))), EAST, hand)
        at.holder = holder
        assert play_card(at, 4, EAST, parse_card_name(played), parse_card_name(led) if led else None).free is free


# ---- before the first card
def exchanging(at: PlayTable, *exchange: Exchange) -> PlayTable:
    at.deal = replace(at.deal, exchange=exchange)
    return at


def looked(rules: Rules, reading: str, out: str = "", taken: str = "") -> int:
    """How often somebody is refused who has looked at the card of the talon, and exchanged or half exchanged."""
    at = table(rules("PAM", f"exchange.look={reading}", "exchange.hearts=allowed"))
    cards = (parse_card_name(one) if one else None for one in (out, taken))
    check_exchange(exchanging(at, Exchange(SOUTH, *cards, looked=True)))
    return sum("may not see" in one.message for one in at.refusals)


def test_who_has_laid_a_card_away_or_taken_one_has_exchanged(rules: Rules) -> None:
    assert looked(rules, "instead-of-exchanging") == 0
    assert looked(rules, "instead-of-exchanging", out="9C") == 1
    assert looked(rules, "instead-of-exchanging", taken="9C") == 1
    assert looked(rules, "never") == 1 and looked(rules, "always", out="9C", taken="8C") == 0


@pytest.mark.parametrize(
    ("exchange", "fault"),
    [
        ((), True),
        ((Exchange(SOUTH),), False),
        ((Exchange(SOUTH, out=5),), True),
        ((Exchange(SOUTH, taken=5),), True),
        ((Exchange(EAST, out=5),), True),
    ],
)
def test_a_peek_counts_unless_he_has_left_his_card_lying(
    rules: Rules, exchange: tuple[Exchange, ...], fault: bool
) -> None:
    at = exchanging(table(rules("PAM", "exchange.look=instead-of-exchanging")), *exchange)
    note_peek(at, Fault("peek", SOUTH))
    assert (SOUTH in at.culprits) is fault and bool(at.passed_over) is not fault


@pytest.mark.parametrize(
    ("seat", "cards", "who", "refused"),
    [
        (WEST, ("9C", ""), "everyone-but-dealer", []),
        (WEST, ("", "9C"), "everyone-but-dealer", [WEST]),
        (SOUTH, ("9C", ""), "everyone-but-dealer", []),
        (SOUTH, ("", "9C"), "eldest-only", []),
        (EAST, ("9C", ""), "eldest-only", [EAST]),
        (EAST, ("", ""), "eldest-only", []),
    ],
)
def test_the_dealer_lays_a_card_out_by_right_and_the_others_where_they_may(
    rules: Rules, seat: int, cards: tuple[str, str], who: str, refused: list[int]
) -> None:
    at = table(rules("PAM", f"exchange.who={who}", "exchange.hearts=allowed"))
    check_exchange(exchanging(at, Exchange(seat, *(parse_card_name(one) if one else None for one in cards))))
    assert [one.seat for one in at.refusals] == refused


# ---- faults and wrong leads
def test_a_revoke_on_record_at_a_lead_was_no_revoke(rules: Rules) -> None:
    deal = laid(where=mixed)
    at = table(rules("PAM"), faults=[{"kind": "revoke", "seat": "south", "trick": 1}])
    play_card(at, 1, SOUTH, parse_card_name(deal.tricks[0][0]), None)
    assert at.passed_over == ["trick 1: south's revoke costs nothing under this source"] and not at.culprits


def test_who_leads_first_is_another_question_than_who_leads_next(refuses: Refuse) -> None:
    d = laid(where=mixed)
    for number, question, other in (
        (1, "play.first-leader", "play.next-leader"),
        (2, "play.next-leader", "play.first-leader"),
    ):
        rows = [list(row) for row in d.tricks]
        rows[number - 1] = [*rows[number - 1][1:], rows[number - 1][0]]
        raw = record(d) | {"tricks": [" ".join(row) for row in rows]}
        first = refuses(read(raw), "PAM").refusals[0]
        assert first.trick == number and question in first.asked and other not in first.asked
