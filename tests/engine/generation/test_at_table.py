"""A deal in progress: turn by turn it becomes a deal that its source settles, whatever is chosen."""

from __future__ import annotations

from random import Random

import pytest

from engine.cards import HEARTS_INDEX, parse_card_name, suit_of
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.generation.at_table import (
    add_card,
    begin_deal,
    exchange_card,
    find_exchange_turn,
    give_cards,
    list_givers,
    set_up_turn,
)
from engine.generation.turn import list_table_shapes
from engine.players.cautious import choose_cautious_card, choose_cautious_discard
from engine.readings.ask import Ask
from engine.settlement.settle import Settled, settle
from rulebook.model import Library, Ruleset
from rulebook.resolve import resolve

SOURCES = ("ACA", "GER", "HOY", "PAM", "PAR")


def play_whole_deal(ruleset: Ruleset, seed: int, cautious: bool = False) -> Deal:
    """Deal, exchange and play, at random or with caution."""
    ask, rng = Ask(ruleset), Random(seed)
    deal = begin_deal(rng, list_table_shapes(ruleset)[0], seed % 4, "mine", Pool(60))
    while turn := find_exchange_turn(deal, ask):
        out = choose_cautious_discard(rng, turn.legal, ()) if cautious else rng.choice(turn.legal)
        deal = exchange_card(deal, turn.seat, None if turn.may_keep and not cautious and rng.random() < 0.5 else out)
    if givers := list_givers(deal, ask):
        deal = give_cards(deal, {pair: rng.choice(sorted(deal.hands[pair[0]])) for pair in givers})
    while play := set_up_turn(deal, ask)[1]:
        deal = add_card(deal, choose_cautious_card(rng, play) if cautious else rng.choice(play.legal))
    return deal


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("cautious", [False, True])
def test_turn_by_turn_a_deal_comes_about_that_its_source_settles_and_that_can_be_written_and_read(
    library: Library, source: str, cautious: bool
) -> None:
    ruleset = resolve(library, source)
    for seed in range(8):
        deal = play_whole_deal(ruleset, seed, cautious)
        assert isinstance(settle(deal, ruleset), Settled), settle(deal, ruleset)
        assert not deal.fragment and deal.exchange[-1].seat == deal.dealer
        again, problems = read_deal(write_deal(deal))
        assert again is not None and not problems
        assert (again.hands, again.tricks, again.exchange, again.gifts) == (
            deal.hands, deal.tricks, deal.exchange, deal.gifts,
        )  # fmt: skip


def test_the_eldest_exchanges_first_and_the_dealer_lays_away_last(library: Library) -> None:
    ruleset = resolve(library, "PAM")
    ask, deal = Ask(ruleset), begin_deal(Random(3), list_table_shapes(ruleset)[0], 2, "mine", Pool(60))
    seats = []
    while turn := find_exchange_turn(deal, ask):
        seats.append((turn.seat, turn.may_keep))
        deal = exchange_card(deal, turn.seat, turn.legal[0])
    assert seats == [(3, True), (0, True), (1, True), (2, False)]


def test_a_card_that_is_left_lies_for_nobody_else(library: Library) -> None:
    """Whoever keeps his hand leaves his card of the talon; the next takes his own."""
    ruleset = resolve(library, "PAM")
    ask, deal = Ask(ruleset), begin_deal(Random(3), list_table_shapes(ruleset)[0], 3, "mine", Pool(60))
    first, second, third = deal.talon
    deal = exchange_card(deal, 0, None)
    turn = find_exchange_turn(deal, ask)
    assert turn is not None and turn.seat == 1
    deal = exchange_card(deal, 1, turn.legal[0])
    assert deal.exchange[0].taken is None and deal.exchange[1].taken == second
    assert {first, third} <= {*deal.talon}


def test_where_hearts_may_not_be_laid_away_none_is_offered(library: Library) -> None:
    """ACA, Q008: "personne n'en peut écarter"."""
    ruleset = resolve(library, "ACA")
    shape = next(one for one in list_table_shapes(ruleset) if (one.players, one.pack) == (4, 48))
    deal = begin_deal(Random(1), shape, 3, "mine", Pool(60))
    turn = find_exchange_turn(deal, Ask(ruleset))
    assert turn is not None and any(suit_of(card) == HEARTS_INDEX for card in deal.hands[turn.seat])
    assert turn.legal and all(suit_of(card) != HEARTS_INDEX for card in turn.legal)


def test_where_only_the_eldest_exchanges_nobody_else_is_asked(library: Library) -> None:
    ruleset = resolve(library, "GER")
    shape = next(one for one in list_table_shapes(ruleset) if (one.players, one.pack) == (4, 48))
    ask, deal = Ask(ruleset), begin_deal(Random(1), shape, 3, "mine", Pool(60))
    turn = find_exchange_turn(deal, ask)
    assert turn is not None and turn.seat == 0
    then = find_exchange_turn(exchange_card(deal, 0, None), ask)
    assert then is not None and then.seat == 3


def test_the_turn_names_who_plays_and_what_he_may(library: Library) -> None:
    ruleset = resolve(library, "PAM")
    deal = play_whole_deal(ruleset, 4)
    begun = Deal("x", deal.pack, deal.seats, deal.dealer, deal.hands, deal.talon, (deal.tricks[0], deal.tricks[1][:2]))
    table, turn = set_up_turn(begun, Ask(ruleset))
    assert turn is not None and turn.number == 2 and turn.row == deal.tricks[1][:2]
    assert turn.seat == deal.holder(deal.tricks[1][2]) and deal.tricks[1][2] in turn.legal
    assert parse_card_name("TS") not in turn.legal and len(table.takers) == 1
