"""Nothing that a person is shown before a deal is over changes with the cards that he has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from engine.cards import make_pack
from engine.deal.fields import locate_without_file
from engine.deal.model import Deal
from reversis.browser.table_totals_api import settle_game_by_books
from reversis.cli.table.deal_lines import list_past_lines, list_payment_lines
from reversis.table.game import (
    TableGame,
    deal_next,
    find_session,
    find_table_turn,
    let_others_move,
    list_offers,
    make_offers,
    open_table,
    play_next_card,
)
from reversis.table.hints import hint_card, hint_offer
from reversis.table.known_payments import find_known_payments
from reversis.table.options import TableOptions
from reversis.table.partings import find_trick_parting
from reversis.table.payments import list_paid_lines, settle_so_far
from reversis.table.person_view import view_game
from reversis.table.saved_faults import find_deal_faults
from reversis.table.sight import look_at_game
from reversis.table.totals import list_totals
from rulebook.model import Library

BOOKS = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")
ALONE = ("person", "cautious", "random", "cautious")
SWAPS = 4  #: at each turn


def begin(library: Library, source: str, seed: int) -> TableGame:
    game = open_table(library, TableOptions(source, seed, ALONE))
    return let_others_move(deal_next(game, find_session(game, 0)))


def move_somehow(game: TableGame, lots: Random) -> TableGame:
    if offers := [offer for offer in list_offers(game) if offer.seat in game.persons]:
        return let_others_move(make_offers(game, {0: lots.choice(offers[0].legal)}))
    turn = find_table_turn(game)[1]
    assert turn is not None
    return let_others_move(play_next_card(game, lots.choice(turn.legal)))


def swap_cards(deal: Deal, one: int, other: int) -> Deal:
    """The same deal with two cards in each other's places, wherever the record has them."""
    turn = {one: other, other: one}
    return replace(
        deal,
        hands=tuple(frozenset(turn.get(card, card) for card in hand) for hand in deal.hands),
        talon=tuple(turn.get(card, card) for card in deal.talon),
        exchange=tuple(
            replace(each, out=turn.get(each.out, each.out), taken=turn.get(each.taken, each.taken))  # type: ignore[arg-type]
            for each in deal.exchange
        ),
        gifts=tuple(replace(gift, card=turn.get(gift.card, gift.card)) for gift in deal.gifts),
    )


def list_unseen_cards(deal: Deal) -> list[int]:
    own = {exchange.out for exchange in deal.exchange if exchange.seat == 0}
    own |= {gift.card for gift in deal.gifts if 0 in (gift.seat, gift.to)}
    seen = {*deal.hands[0], *own}.union(*deal.tricks)
    return sorted(make_pack(deal.pack) - seen)


@pytest.mark.slow
@pytest.mark.parametrize("source", BOOKS)
def test_no_view_betrays_an_unseen_card(library: Library, source: str) -> None:
    assert count_swaps(library, source, [11, 12], view_game) > 50


@pytest.mark.nightly
@pytest.mark.parametrize("source", BOOKS)
def test_neither_view_nor_totals_betray_an_unseen_card_in_100_deals(library: Library, source: str) -> None:
    assert count_swaps(library, source, range(100, 115), show_all) > 500


@pytest.mark.nightly
@pytest.mark.parametrize("source", BOOKS)
def test_no_hint_betrays_an_unseen_card(library: Library, source: str) -> None:
    assert count_swaps(library, source, [21, 22], show_hint) > 50


def count_swaps(library: Library, source: str, seeds: Iterable[int], show: Callable[[TableGame], object]) -> int:
    """Swap unseen cards at every turn of some deals, compare what is shown, and count the swaps."""
    lots, swapped = Random(source), 0
    for seed in seeds:
        game = begin(library, source, seed)
        while game.deal.fragment:
            before = show(game)
            pairs = list(combinations(list_unseen_cards(game.deal), 2))
            lots.shuffle(pairs)
            others = (game.with_deal(swap_cards(game.deal, *pair)) for pair in pairs)
            lawful = (other for other in others if not [*find_deal_faults(other.deal, other.ask, locate_without_file)])
            for _, other in zip(range(SWAPS), lawful, strict=False):
                assert show(other) == before, (source, seed, len(game.deal.tricks))
                swapped += 1
            game = move_somehow(game, lots)
    return swapped


def show_all(game: TableGame) -> object:
    """All that stands on the page at a turn: the view, the totals by every book, where they part."""
    books = settle_game_by_books(game)
    return view_game(game), list_totals(game.library, books, 0), find_trick_parting(game.library, books, 0)


def show_hint(game: TableGame) -> object:
    offer = next(iter(list_offers(game)), None)
    return hint_offer(offer, 1) if offer else hint_card(game.deal, game.ruleset, 1)


@pytest.mark.parametrize(("source", "seed"), [("ACA", 1), ("ACA", 4), ("HOY", 6), ("HOY", 20)])
def test_the_terminal_holds_back_a_payment_that_hangs_on_unseen_cards(library: Library, source: str, seed: int) -> None:
    lots, held_back = Random(seed), 0
    game = begin(library, source, seed)
    while game.deal.fragment:
        known, paid = (
            find_known_payments(game.deal, game.ruleset, 0),
            list_paid_lines(settle_so_far(game.deal, game.ruleset)),
        )
        lines = [line for line in list_past_lines(game) if line.startswith("  ")]
        assert len(lines) == len(known.lines)
        held_back += len(known.lines) < len(paid)
        game = move_somehow(game, lots)
    assert held_back
    whole = find_known_payments(game.deal, game.ruleset, 0).lines
    assert len(list_payment_lines(game, game.deal)) == len(whole)


def test_a_hand_is_no_card_more_than_the_person_holds(library: Library) -> None:
    game = begin(library, "HOY", 5)
    assert {*look_at_game(game).hand} == game.deal.hands[0]
