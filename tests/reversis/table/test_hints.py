"""Hints: the net's card, a reason that is known, and nothing that depends on cards that the player has not seen."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from engine.deal.model import Deal
from engine.generation.at_table import add_card, set_up_turn
from engine.generation.turn import TableShape
from engine.players.nets import find_net
from engine.readings.ask import Ask
from reversis.table.hints import LAYOUTS, CardComparison, compare_legal_cards, hint_card, hint_offer, weigh_legal_cards
from reversis.table.offers import list_offer_questions
from reversis.table.rollouts import play_to_end
from rulebook.model import Ruleset
from tests.support.settling import SIGLA, Rules
from tests.support.table_deals import begin_by_seed, deal_by_seed, swap_unseen_cards

SEAT = 0
_SHARE = re.compile(
    r"better in (\d+) of (\d+) layouts of the cards you have not seen(, alike in \d+)?; over all of them by \d+ on aver"
)


def play_to_turn(ruleset: Ruleset, seed: int, cards: int) -> Deal | None:
    """Play until it is the person's turn after so many cards; None if only one card may be played then."""
    deal, ask, lots = deal_by_seed(ruleset, seed), Ask(ruleset), Random(seed)
    while True:
        _, turn = set_up_turn(deal, ask)
        if turn is None:
            return None
        if sum(map(len, deal.tricks)) >= cards and turn.seat == SEAT:
            return deal if len(turn.legal) > 1 else None
        deal = add_card(deal, lots.choice(turn.legal))


@pytest.mark.slow
def test_a_hint_is_the_nets_card_and_changes_with_nothing_unseen(rules: Rules) -> None:
    counts = Counter[str]()
    for siglum in SIGLA:
        ruleset = rules(siglum)
        deal = play_to_turn(ruleset, 2, 30)
        if deal is None:
            continue
        hint = hint_card(deal, ruleset, 2)
        assert hint["by"] == "net" and hint["cards"][0] == {"card": hint["card"], "behind": 0.0}
        for swapped in swap_unseen_cards(deal, ruleset, SEAT, Random(2), 1):
            assert hint_card(swapped, ruleset, 2) == hint, siglum
            counts["swapped"] += 1
        counts["asked"] += 1
    assert counts["asked"] > 2 and counts["swapped"] == counts["asked"], counts


@pytest.mark.slow
def test_the_reason_is_what_the_trick_pays_or_a_share_of_layouts(rules: Rules) -> None:
    ruleset, seen = rules("PAM"), Counter[str]()
    for seed in range(14):
        deal = play_to_turn(ruleset, seed, 33)
        if deal is None:
            continue
        why = hint_card(deal, ruleset, seed)["why"]
        share = _SHARE.match(why)
        last = why.startswith("you play last: with the ")
        assert share or last or not why
        if share:
            assert int(share[2]) == LAYOUTS >= int(share[1]) > 0
        if last:
            assert len(deal.tricks[-1]) == len(deal.seats) - 1 and "the trick with" in why
        seen["share" if share else "last" if last else "none"] += 1
    assert min(seen["share"], seen["last"], seen["none"]) > 0, seen


def test_the_only_lawful_card_needs_no_reason_from_layouts(rules: Rules) -> None:
    ruleset, ask = rules("PAM"), Ask(rules("PAM"))
    deal, lots = deal_by_seed(ruleset, 4), Random(4)
    while len((turn := set_up_turn(deal, ask)[1]).legal) > 1:  # type: ignore[union-attr]
        deal = add_card(deal, lots.choice(turn.legal))  # type: ignore[union-attr]
    assert hint_card(deal, ruleset, 1)["why"] == "it is the only card that may be played"


def test_a_hint_before_play_ranks_what_may_be_laid_away_and_keeping(rules: Rules) -> None:
    for siglum in ("PAM", "HOY"):
        deal = begin_by_seed(rules(siglum), 3)
        (offer,) = list_offer_questions(rules(siglum), deal)
        hint = hint_offer(offer, 3)
        assert hint["by"] == "net" and len(hint["cards"]) == len(offer.legal) + offer.may_keep
        assert (None in [cell["card"] for cell in hint["cards"]]) == offer.may_keep


def test_where_there_is_no_net_a_careful_player_chooses(rules: Rules) -> None:
    ruleset = rules("ACA")
    deal = deal_by_seed(ruleset, 1, TableShape(5, 48, 9, 3))
    assert find_net(ruleset, 5, 48) is None
    hint = hint_card(deal, ruleset, 1)
    assert hint["by"] == "caution" and hint["cards"] == [] and hint["card"]


def test_nets_play_on_as_they_play_at_the_table(rules: Rules) -> None:
    for siglum in SIGLA:
        ruleset, ask, net = rules(siglum), Ask(rules(siglum)), find_net(rules(siglum), 4, 48)
        begun = deal = play_to_turn(ruleset, 7, 26) or deal_by_seed(ruleset, 7)
        while (turn := set_up_turn(deal, ask)[1]) is not None:
            deal = add_card(deal, weigh_legal_cards(deal, ask, net, turn.legal)[0].card)
        assert play_to_end(begun, ask, net, Random(0)) == deal, siglum


def test_the_same_card_is_no_better_than_itself_and_a_comparison_says_what_it_counts(rules: Rules) -> None:
    deal = play_to_turn(rules("PAM"), 1, 36)
    assert deal is not None
    turn = set_up_turn(deal, Ask(rules("PAM")))[1]
    assert turn is not None
    same = compare_legal_cards([deal] * 3, rules("PAM"), None, SEAT, (turn.legal[0], turn.legal[0]))
    assert same == CardComparison(0, 0, 3, 0.0) and not same.is_better
    words = "better in 21 of 30 layouts of the cards you have not seen, alike in 3; over all of them by 12 on average"
    assert str(CardComparison(21, 6, 30, 12.2)) == words
