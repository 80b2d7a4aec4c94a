"""Advice on what is laid away: where each condition applies, and that every choice is played on the cards as dealt."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import cards_of, format_card
from engine.players.nets import read_net
from lab.players.arena import NET_PLAYER, PlayingCompany, choose_offers
from lab.players.counsel import CounselTrial, parse_cards, play_by_net
from lab.players.counsel_discards import (
    DISCARD_CONDITIONS,
    deal_cards,
    list_advised_discards,
    play_discards,
    try_discards,
)
from lab.players.exchange import DISCARDING, may_exchange
from lab.survey import chunk as piece
from lab.survey.buffers import NO_CARD
from lab.survey.encode_rules import DEALER
from lab.survey.play_rules import BLOCK
from lab.survey.request import Rules
from rulebook.model import Library

SOLE, LOWEST = (CounselTrial(name, ("KH", "QH")) for name in ("lay-away-sole", "lay-away-lowest"))
PLAIN = "2S 5S 8S JS 3D 7D KD 2C 6C 9C"  #: ten cards of a hand, and no heart


def gather(library: Library, siglum: str) -> PlayingCompany:
    prices, rules = piece.get_deal_pricer(library), Rules(siglum)
    return PlayingCompany.at_table(prices, rules, 1785, read_net(siglum))


def advised(company: PlayingCompany, seat: int, hearts: str, trial: CounselTrial) -> tuple[str, bool] | None:
    """The advised card of one hand, and whether to keep all would go against it; None where it is no case."""
    hand = np.array([parse_cards([*PLAIN.split(), *hearts.split()])])
    found = list_advised_discards(company.coded, seat, hand, [trial])
    if not found:
        return None
    ((_, cards),) = found[0]
    assert not cards.followed & cards.against and not cards.followed >> NO_CARD
    assert {format_card(card) for card in cards_of(cards.against) if card != NO_CARD} >= {*PLAIN.split()}
    return " ".join(map(format_card, cards_of(cards.followed))), bool(cards.against >> NO_CARD)


# ---- conditions
@pytest.mark.parametrize(
    ("hearts", "sole", "lowest"),
    [
        ("KH", "KH", "KH"),
        ("QH", "QH", "QH"),
        ("AH", None, None),
        ("9H", None, None),
        ("KH AH", None, "KH"),
        ("QH KH", None, "QH"),
        ("9H KH", None, None),
        ("JH QH", None, None),
        ("", None, None),
    ],
)
def test_a_king_or_queen_of_hearts_is_laid_away_by_itself_or_without_a_lower_heart(
    library: Library, hearts: str, sole: str | None, lowest: str | None
) -> None:
    """ACA.s0024 speaks of the only heart, GER.s0054 of one without a lower; the eldest of both may exchange."""
    alone, under = (advised(gather(library, one), 0, hearts, trial) for one, trial in (("ACA", SOLE), ("GER", LOWEST)))
    assert (alone and alone[0]) == sole and (under and under[0]) == lowest


def test_to_lay_nothing_away_goes_against_the_advice_but_for_the_dealer_who_has_to(library: Library) -> None:
    company = gather(library, "ACA")
    assert advised(company, 0, "KH", SOLE) == ("KH", True)
    assert advised(company, DEALER, "KH 3S", SOLE) == ("KH", False)


def test_who_may_not_exchange_has_nothing_to_decide(library: Library) -> None:
    company = gather(library, "GER")
    assert [may_exchange(company.coded, seat) for seat in range(4)] == [True, False, False, True]
    assert advised(company, 1, "KH", LOWEST) is None


def test_where_the_rules_forbid_it_the_advice_is_no_case(library: Library) -> None:
    """By the rules of ACA a king of hearts with the ace may not be laid away: no case, though it is the lowest."""
    assert advised(gather(library, "ACA"), 0, "KH AH", LOWEST) is None


# ---- trying
@pytest.mark.release  # a search goes through thousands of deals: only compiled
@pytest.mark.parametrize("siglum", ["ACA", "GER", "PIE", "HOY"])
def test_a_deal_in_which_one_does_what_the_net_does_is_that_of_the_net(library: Library, siglum: str) -> None:
    company, numbers = gather(library, siglum), range(7, 7 + BLOCK)
    usual = play_by_net(company, numbers)
    for seat in (seat for seat in range(4) if may_exchange(company.coded, seat)):
        deals, lots = deal_cards(company, numbers)
        who = seat, deals.hands[seat], np.zeros(BLOCK, np.int64)
        cards = choose_offers(company, who, DISCARDING, NET_PLAYER, 0)
        assert (play_discards(company, deals, lots, seat, cards) == usual.net[:, seat]).all()


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_advice_is_tried_on_the_same_hands_in_one_piece_and_in_two(library: Library) -> None:
    company, trials = gather(library, "ACA"), [SOLE, CounselTrial("lay-away-lowest", ("KH",))]
    whole = try_discards(company, trials, range(2 * BLOCK), 16)
    halves = [try_discards(company, trials, range(start, start + BLOCK), 16) for start in (0, BLOCK)]
    for at, one in enumerate(whole):
        assert 10 < one.cases.sum() < BLOCK and (one.agreed <= one.cases).all() and np.isfinite(one.gain).all()
        for name in ("cases", "agreed", "gain", "cost", "ahead"):
            assert (getattr(one, name) == np.concatenate([getattr(half[at], name) for half in halves])).all()
    assert whole[0].gain.any() and not (whole[0].gain == whole[1].gain).all()


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_without_a_net_nothing_is_tried(library: Library) -> None:
    prices, rules = piece.get_deal_pricer(library), Rules("ACA")
    company = PlayingCompany.at_table(prices, rules, 1785)
    with pytest.raises(ValueError, match="nobody has trained a net for ACA"):
        try_discards(company, [SOLE], range(BLOCK), 16)


def test_every_condition_is_a_function_of_its_own() -> None:
    assert len({*DISCARD_CONDITIONS.values()}) == len(DISCARD_CONDITIONS)
