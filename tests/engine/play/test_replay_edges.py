"""The edges of the play: the lowest card, the second heart lead, two cards to choose from, half an exchange."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import cards_of, format_card, make_card_mask, parse_card_name
from engine.deal.events import Fact, Fault
from engine.deal.model import Exchange
from engine.play.irregularities import note_peek
from engine.play.replay import card_fact, check_exchange, finish_trick, measure_deal, play_card, replay_deal
from engine.play.table import PlayedCard, PlayTable, has_privilege, legal_cards, seat_players
from engine.readings.ask import Ask
from engine.readings.meanings.play import QUINOLA_FREE
from rulebook.model import Ruleset
from tests.support.deals import Laid, laid, mixed, read, record
from tests.support.settling import Refuse, Rules

SOUTH, EAST, NORTH, WEST = range(4)
LITTLE = "quinola.others=[{card: QH, name: little quinola}]"


def table(ruleset: Ruleset, **keys: object) -> PlayTable:
    return seat_players(read(record(laid(where=mixed), **keys)), Ask(ruleset))


def held(at: PlayTable, seat: int, hand: str) -> PlayTable:
    at.hands[seat] = make_card_mask(map(parse_card_name, hand.split()))
    return at


def together(row: str) -> list[PlayedCard]:
    """The cards of a trick, from south on."""
    return [PlayedCard(seat, parse_card_name(one), False, False) for seat, one in enumerate(row.split())]


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
        finish_trick(at, number, together(row))
        assert at.heart_leads == hearts
        assert may(at, number + 1, EAST, "KH") == (["5S", "JH"] if hearts == 2 else ["JH"])
    assert QUINOLA_FREE["free-after-two-heart-leads"](3, 2)


def test_the_first_lead_is_free_where_no_suit_is_demanded_and_always_later(rules: Rules) -> None:
    free, hearts = (held(table(rules("PAM", f"play.first-lead={lead}")), EAST, "2S 5H 9C") for lead in ("any", "heart"))
    assert may(free, 1, EAST, "") == ["2S", "5H", "9C"] and may(hearts, 1, EAST, "") == ["5H"]
    assert may(hearts, 2, EAST, "") == ["2S", "5H", "9C"]


@pytest.mark.parametrize(
    ("hand", "may_play"),
    [("5H 9S", ["5H"]), ("JH 9S", ["9S", "JH"]), ("QH 9S", ["9S", "QH"]), ("5H JH 9S", ["5H", "JH"])],
)
def test_only_a_lone_privileged_card_may_be_kept(rules: Rules, hand: str, may_play: list[str]) -> None:
    at = held(table(rules("PAM", "play.quinola-alone=free", LITTLE)), EAST, hand)
    at.holder = None
    assert may(at, 4, EAST, "KH") == may_play


@pytest.mark.parametrize(
    ("hand", "needed", "privileged"),
    [
        ("AS AC 5H", "aces: 3, quinola: false", False),
        ("AS AC AD 5H", "aces: 3, quinola: false", True),
        ("AS AC AD 5H", "aces: 3, quinola: true", False),
        ("AS AC AD JH", "aces: 3, quinola: true", True),
        ("AS AC AD QH", "aces: 3, quinola: true", True),
        ("AS AC KH", "aces: 2, cards: [KH], quinola: false", True),
        ("5S AS AC KH", "aces: 2, cards: [5S, KH], quinola: false", True),
        ("5S AS AC", "aces: 2, cards: [5S, KH], quinola: false", False),
        ("5S AS AC KH", "aces: 2, cards: [4S], quinola: false", False),
    ],
)
def test_a_privileged_hand_has_all_that_is_named(rules: Rules, hand: str, needed: str, privileged: bool) -> None:
    at = held(table(rules("PAM", f"espagnolette.hands=[{{{needed}}}]", LITTLE)), EAST, hand)
    assert has_privilege(at.hands[EAST], make_card_mask(at.quinolas), at.ask) is privileged


@pytest.mark.parametrize(
    ("hand", "played", "number", "renounces"),
    [
        ("2S 5H", "5H", 4, True),
        ("2S 5H", "2S", 4, False),
        ("9S 5H", "5H", 4, True),
        ("9C 5H", "5H", 4, False),  # he has none of the suit led
        ("9S 5H", "5H", 9, False),  # anybody might have done so, and his privilege is over
    ],
)
def test_the_holder_renounces_by_holding_back_the_suit_led_while_the_privilege_lasts(
    rules: Rules, hand: str, played: str, number: int, renounces: bool
) -> None:
    at = held(table(rules("PAM", "play.follow=need-not", "espagnolette.until=3")), EAST, hand)
    at.holder = EAST
    play_card(at, number, EAST, parse_card_name(played), parse_card_name("KS"))
    assert at.renounced is renounces


@pytest.mark.parametrize(
    ("row", "taker"),
    [
        ("KS JH 9S 8S", EAST),
        ("KS 9S 8S JH", WEST),
        ("KS 9C QH JH", NORTH),  # the first of two
        ("KS 9C 8D 7H", SOUTH),
        ("KH JH 9H 8H", SOUTH),  # it follows suit
        ("9H 2S 3S 4S", SOUTH),
        ("9S 2C 3C 4H", SOUTH),
    ],
)
def test_a_thrown_quinola_takes_the_trick_and_no_other_card_that_is_thrown(rules: Rules, row: str, taker: int) -> None:
    at = table(rules("PAM", "play.trick-taker=thrown-quinola-takes", LITTLE))
    finish_trick(at, 3, together(row))
    assert at.takers == [taker]


# ---- what befell a card
def befell(rules: Rules, row: str, at: int) -> Fact:
    return card_fact(table(rules("PAM")), 3, together(row), at, SOUTH)


@pytest.mark.parametrize(
    ("row", "court", "queen"),
    [
        ("QH JH 2H 3H", True, True),
        ("AH JH 2H 3H", True, False),
        ("KH JH QC QH", True, False),
        ("KH QH 2H JH", True, False),
        ("TH JH KH AH", False, False),
        ("9H JH QH KH", False, False),
        ("JC JH QC 3C", False, False),
    ],
)
def test_a_trick_is_led_with_a_court_card_from_the_queen_on(rules: Rules, row: str, court: bool, queen: bool) -> None:
    fact = befell(rules, row, row.split().index("JH"))
    assert (fact.court_led, fact.queen_led) == (court, queen)


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


def test_of_a_further_privileged_card_that_was_not_played_it_is_told_that_nothing_befell_it(rules: Rules) -> None:
    deal = read(record(laid(tricks={3: "south:KS! east:JH", 11: "west:QH"})))
    for played, befallen in ((11, True), (4, False)):
        measures = replay_deal(replace(deal, tricks=deal.tricks[:played]), Ask(rules("PAM", LITTLE))).measures
        (little,) = measures.others.values()
        assert measures.quinola is not None and measures.quinola.manner == "thrown-off"
        assert (format_card(little.card or 0), little.kind, little.called) == ("QH", "quinola", "little quinola")
        assert little.further and bool(little.manner) is befallen


def test_what_each_has_taken_is_counted_by_rank(rules: Rules) -> None:
    at = table(rules("PAM"))
    for number, row in enumerate(("AS KC QD JH", "9S TS 8H 7C"), 1):
        finish_trick(at, number, together(row))
    measures = measure_deal(at)
    assert (measures.points[SOUTH], measures.marking[SOUTH], measures.court[SOUTH]) == (4 + 3 + 2 + 1, 4, 3)
    assert measures.talon_due == 4
    at.deal = replace(at.deal, faults=(Fault("undiscarded", EAST),))
    assert measure_deal(at).talon_due == 5


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


@pytest.mark.parametrize(("out", "taken"), [("9C", ""), ("", "9C")])
def test_who_has_exchanged_by_half_has_not_kept_the_hand(rules: Rules, out: str, taken: str) -> None:
    at = table(rules("PAM", "exchange.duty=compulsory", "exchange.hearts=allowed"))
    check_exchange(exchanging(at, Exchange(SOUTH, *(parse_card_name(one) if one else None for one in (out, taken)))))
    assert at.refusals == []
    check_exchange(exchanging(at, Exchange(SOUTH)))
    assert [one.message for one in at.refusals] == ["south must exchange a card"]


@pytest.mark.parametrize(
    ("out", "hand", "wishes", "refused"),
    [
        ("5H", "9C 5H", ("exchange.hearts=quinola-from-limit",), False),
        ("JH", "9C JH", ("exchange.hearts=quinola-from-limit",), True),
        ("JH", "9C JH", ("exchange.hearts=allowed",), False),
        ("JH", "9C JH", ("exchange.hearts=forbidden", "exchange.heart-exception=[]"), True),
        ("JH", "9C JH", ("exchange.hearts=forbidden", "exchange.heart-exception=[lone-quinola]"), False),
        ("QH", "9C QH", ("exchange.hearts=forbidden", "exchange.heart-exception=[lone-quinola]"), False),
        ("5H", "9C 5H", ("exchange.hearts=forbidden", "exchange.heart-exception=[lone-quinola]"), True),
    ],
)
def test_only_a_privileged_card_is_laid_away_by_the_rule_for_the_quinola(
    rules: Rules, out: str, hand: str, wishes: tuple[str, ...], refused: bool
) -> None:
    """The stake is 60, and has not grown to the limit."""
    at = table(rules("PAM", LITTLE, "stake.limit-from=100", *wishes))
    hands = (frozenset(map(parse_card_name, hand.split())), *at.deal.hands[1:])
    at.deal = replace(at.deal, hands=hands)
    check_exchange(exchanging(at, Exchange(SOUTH, parse_card_name(out), parse_card_name("9C"))))
    assert bool(at.refusals) is refused


# ---- faults and wrong leads
def test_a_revoke_on_record_at_a_lead_was_no_revoke(rules: Rules) -> None:
    deal = laid(where=mixed)
    at = table(rules("PAM"), faults=[{"kind": "revoke", "seat": "south", "trick": 1}])
    play_card(at, 1, SOUTH, parse_card_name(deal.tricks[0][0]), None)
    assert at.passed_over == ["trick 1: south's revoke costs nothing under this source"] and not at.culprits


@pytest.mark.parametrize(("played", "fault"), [("9S", True), ("8C", False)])
def test_an_unlawful_card_taken_back_is_a_fault_where_suit_was_followed_in_its_place(
    rules: Rules, played: str, fault: bool
) -> None:
    """Who threw a card off by right had none of the suit, so that no card of the trick could be unlawful."""
    faults = [{"kind": "revoke", "seat": "east", "trick": 4}]
    at = table(rules("PAM", "revoke.card=taken-back"), faults=faults)
    at.holder = None
    play_card(held(at, EAST, f"{played} 5H"), 4, EAST, parse_card_name(played), parse_card_name("KS"))
    assert (EAST in at.culprits) is fault and bool(at.passed_over) is not fault


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
        led, (leader, next_) = rows[number - 1][0], (held_by(d, card) for card in d.tricks[number - 1][:2])
        assert first.message == f"trick {number}: {leader} leads, but {led} is {next_}'s"
        assert first.seat == d.seats.index(next_)


def held_by(d: Laid, card: str) -> str:
    return next(seat for seat, hand in d.hands.items() if card in hand)
