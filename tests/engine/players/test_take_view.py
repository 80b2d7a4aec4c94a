"""A player's view, taken from a record: nothing else is in it, and every mistake has a way out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import parse_card_name
from engine.deal.events import Fault
from engine.deal.model import Deal, Exchange, Gift
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.generation.deal import random_deal
from engine.generation.partial_deal import WHOLE_DEAL_KEYS, read_sketch
from engine.generation.turn import TableShape
from engine.players.take_view import sketch_deal, take_view
from engine.players.view import PlayerView
from engine.readings.ask import Ask
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.resolve import resolve

TABLE = TableShape(4, 48, 11, 4)


@pytest.fixture(scope="module")
def ask(library: Library) -> Ask:
    return Ask(resolve(library, "PAM"))


@pytest.fixture(scope="module")
def deal(ask: Ask) -> Deal:
    found = random_deal(ask.ruleset, 11, TABLE, exchange=False, pool=Pool(45))
    assert found.seats == ("south", "east", "north", "west")
    return found


def view(record: object, ask: Ask, *asked: object) -> PlayerView:
    found, problems = take_view(record, ask, *asked)  # type: ignore[arg-type]
    assert found is not None, problems
    return found


def wrong(record: object, ask: Ask, *asked: object) -> Problem:
    found, problems = take_view(record, ask, *asked)  # type: ignore[arg-type]
    assert found is None and len(problems) == 1, problems
    return problems[0]


# ---- what is in it
@pytest.mark.parametrize("trick", [1, 2, 7, 11])
def test_the_view_has_the_hand_and_what_was_played_before_the_turn(ask: Ask, deal: Deal, trick: int) -> None:
    for seat, name in enumerate(deal.seats):
        found = view(deal, ask, name, trick)
        row = deal.tricks[trick - 1]
        place = next(at for at, card in enumerate(row) if card in deal.hands[seat])
        before = [card for one in deal.tricks[: trick - 1] for card in one] + [*row[:place]]
        eldest = (deal.dealer + 1) % 4
        assert found.seat == (seat - eldest) % 4 and found.held == deal.hands[seat]
        assert [card for _, card in found.played] == before and found.row == row[:place]
        assert all(card in deal.hands[(who + eldest) % 4] for who, card in found.played)
        assert len(found.hand) == 12 - trick and found.pool == Pool(45)


def test_a_record_of_which_only_the_own_hand_and_the_cards_played_are_known_gives_the_same_view(
    ask: Ask, deal: Deal
) -> None:
    changed = replace(deal, exchange=(Exchange(1, deal.talon[0], min(deal.hands[1])),), dealer=3)
    changed = replace(changed, tricks=()) if deal.dealer != 3 else changed
    for record in (deal, changed):
        for seat, name in enumerate(record.seats):
            trick = 5 if record.tricks else None
            if not record.tricks and seat != 0:
                continue
            whole = view(record, ask, name, trick)
            gaps = replace(sketch_deal(record), hands={seat: tuple(record.hands[seat])}, talon=())
            assert view(gaps, ask, name, trick) == whole


def test_of_the_exchange_a_player_knows_what_he_did_himself(library: Library) -> None:
    ask = Ask(resolve(library, "HOY"))
    deal = random_deal(ask.ruleset, 3, TABLE, exchange=False)
    eldest = (deal.dealer + 1) % 4
    south, opposite = min(deal.hands[eldest]), min(deal.hands[(eldest + 2) % 4])
    out = next(card for card in deal.talon if card >> 4 != 1)
    told = replace(
        deal,
        exchange=(Exchange(eldest, out, max(deal.hands[eldest])),),
        gifts=(Gift((eldest + 2) % 4, south, eldest), Gift(eldest, opposite, (eldest + 2) % 4)),
    )
    own, other = (view(told, ask, deal.seats[(eldest + by) % 4], 1) for by in (0, 1))
    assert own.aside == {out} and own.given == opposite
    assert other.aside == frozenset() and other.given is None


def test_without_seat_or_trick_it_is_the_turn_of_whoever_is_to_play(ask: Ask, deal: Deal) -> None:
    broken = replace(sketch_deal(deal), tricks=(*deal.tricks[:3], (*deal.tricks[3][:2], None, None)))
    found = view(broken, ask)
    assert found == view(deal, ask, deal.seats[deal.holder(deal.tricks[3][2]) or 0], 4)
    unplayed = view(replace(sketch_deal(deal), tricks=((), ())), ask)
    assert unplayed.seat == 0 and unplayed.played == ()


# ---- what is wrong
def test_a_seat_that_is_none(ask: Ask, deal: Deal) -> None:
    assert "no seat 'esat'" in wrong(deal, ask, "esat", 3).what
    assert "'east'" in wrong(deal, ask, "esat", 3).way_out


@pytest.mark.parametrize("trick", [0, 12, 99])
def test_a_trick_that_is_not_there(ask: Ask, deal: Deal, trick: int) -> None:
    found = wrong(deal, ask, "east", trick)
    assert found.what == f"there is no trick {trick}" and "1 to 11" in found.way_out


def test_a_finished_deal(ask: Ask, deal: Deal) -> None:
    assert wrong(deal, ask).what == "the deal is finished"
    assert wrong(deal, ask, "east").what == "the deal is finished"


def test_a_trick_before_which_cards_are_unknown(ask: Ask, deal: Deal) -> None:
    gaps = replace(sketch_deal(deal), tricks=(deal.tricks[0], (*deal.tricks[1][:3], None), deal.tricks[2]))
    found = wrong(gaps, ask, "east", 3)
    assert found.what == "not all the cards of trick 2 are known, and it comes before trick 3"
    last = deal.seats[deal.holder(deal.tricks[1][3]) or 0]
    third = deal.seats[deal.holder(deal.tricks[1][2]) or 0]
    bare = replace(gaps, tricks=(deal.tricks[0], (*deal.tricks[1][:2], None, deal.tricks[1][3])))
    found = wrong(bare, ask, last, 2)
    assert found.what == f"trick 2: the card of {third}, who plays before {last}, is not known"


def test_a_hand_that_is_not_whole(ask: Ask, deal: Deal) -> None:
    gaps = replace(sketch_deal(deal), hands={1: tuple(sorted(deal.hands[1]))[:9]}, tricks=())
    assert "no cards; by these rules it has 11" in wrong(replace(gaps, dealer=3), ask, "south", 1).what
    eldest = wrong(replace(gaps, dealer=0), ask, "east", 1)
    assert "the hand of east has 9 cards; by these rules it has 11" in eldest.what


def test_a_card_played_by_one_who_has_it_not(ask: Ask, deal: Deal) -> None:
    first, second, *others = deal.tricks[0]
    turned = (second, first, *others)
    found = wrong(replace(deal, tricks=(turned, *deal.tricks[1:])), ask, "east", 3)
    assert "trick 1: it is the turn of" in found.what and "hold" in found.what
    leader = deal.seats[deal.holder(first) or 0]
    seat = deal.seats.index(leader)
    own = replace(sketch_deal(deal), hands={seat: tuple(deal.hands[seat])}, tricks=(turned, *deal.tricks[1:]))
    assert "who does not hold" in wrong(own, ask, leader, 3).what


def test_faults_on_record_and_an_unknown_dealer(ask: Ask, deal: Deal) -> None:
    faulty = replace(deal, faults=(Fault("revoke", 1, 2),))
    assert "the record lists faults" in wrong(faulty, ask, "east", 1).what
    assert wrong(replace(sketch_deal(deal), dealer=None), ask, "east", 1).what == "it is not said who deals"


def test_a_table_that_the_rules_do_not_know(ask: Ask, library: Library) -> None:
    five = random_deal(resolve(library, "ACA"), 1, TableShape(5, 48, 9, 3))
    found = wrong(five, ask, "east", 1)
    assert found.what == "5 players with 48 cards" and found.way_out == "these rules play with 4 players with 48 cards"


def test_a_card_that_was_laid_away_is_not_in_play(ask: Ask, deal: Deal) -> None:
    eldest = (deal.dealer + 1) % 4
    held = min(deal.hands[eldest])
    gaps = replace(sketch_deal(deal), rest={"exchange": (Exchange(eldest, held),)}, tricks=())
    assert "laid away or given, and yet in play" in wrong(gaps, ask, deal.seats[eldest], 1).what


# ---- a record with gaps may tell of the exchange, where nothing is to be completed
def test_the_exchange_is_read_where_it_is_not_barred() -> None:
    raw = {"dealer": "west", "hands": {"south": "2S 3S"}, "exchange": [{"seat": "south", "out": "AC", "in": "2S"}]}
    sketch, problems = read_sketch(raw, barred=())
    assert sketch is not None and not problems
    assert sketch.rest["exchange"] == (Exchange(0, parse_card_name("AC"), parse_card_name("2S")),)
    assert "exchange" in WHOLE_DEAL_KEYS and read_sketch(raw)[0] is None
    assert read_deal(raw)[0] is None
