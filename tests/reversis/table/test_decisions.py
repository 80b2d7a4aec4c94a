"""Every decision that a book gives a player has its control or its sentence, and stands in the record."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.cards import format_card
from engine.deal.reader import read_deal
from engine.generation.at_table import set_up_turn
from engine.settlement.settle import Settled, settle
from reversis.browser.table_api import read_kept_game
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
    take_back,
)
from reversis.table.options import TableOptions
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.reversis.browser.test_table_api import BOOKS, Page

GIFT = "players who sit opposite give each other one card."
ESPAGNOLETTE = 120  #: a seed by which south holds three aces and the jack of hearts


@pytest.fixture
def page(library: Library) -> Page:
    return Page(library)


def settle_record(page: Page, source: str) -> Settled:
    deal, problems = read_deal(page.game["deals"][-1])
    assert deal is not None and not problems
    settled = settle(deal, resolve(page.library, source))
    assert isinstance(settled, Settled), settled
    return settled


def name_choices(page: Page) -> dict[str, Any]:
    return {choice["name"]: choice["value"] for choice in page.view["choices"]}


# ---- the exchange
def test_by_the_german_treatise_the_eldest_alone_exchanges(page: Page) -> None:
    phases, notes = set[tuple[str, bool]](), "Only the eldest hand may exchange a card by this book."
    for seed in range(12):
        page.begin("GER", seed=seed, others="cautious")
        dealer, eldest = page.view["deal"]["dealer"] == "south", page.view["seats"][0]["leads"]
        assert page.view["phase"] == ("exchange" if dealer or eldest else "play")
        assert (notes in page.view["notes"]) == (not dealer and not eldest)
        assert page.view["keep"] == eldest
        phases.add((page.view["phase"], dealer))
    assert phases == {("play", False), ("exchange", False), ("exchange", True)}


def test_the_dealer_lays_a_card_away_and_keeps_none(page: Page) -> None:
    page.begin("PAM", seed=7, others="cautious")
    assert page.view["deal"]["dealer"] == "south" and len(page.view["hand"]) == 12
    assert page.view["say"].startswith("Lay one card away. ") and not page.view["offer"]["look"]
    assert not any("12 cards" in words for words in page.view["offer"]["says"])
    slip = page.move(None)["refused"]
    assert slip["title"] == "The dealer must lay a card away" and slip["clause"] == "PAM.c143"
    page.move(page.lawful()[0])
    assert page.view["phase"] == "play" and len(page.view["hand"]) == 11


def test_hoyle_makes_a_card_be_exchanged_and_one_be_given_across_the_table(page: Page) -> None:
    page.begin("HOY", seed=328, others="cautious")
    slips = {slip["clause"]: slip for slip in page.view["offer"]["slips"]}
    *says, dealer = page.view["offer"]["says"]
    assert "HOY.c132" in slips and says == [slip["words"] for slip in slips.values()]
    assert dealer == "West deals: 12 cards, one of which is laid away." and dealer in page.view["live"]
    quinolas = "The jack of hearts is the great quinola and the queen of hearts is the little quinola"
    notes = {f"{quinolas}; each has a pool of its own.", f"After the exchange, {GIFT}"}
    assert notes < {*page.view["notes"]}
    refused = page.move(None)["refused"]
    assert refused["title"] == "You must exchange a card" and not page.view["keep"]
    assert refused["words"] == "You must exchange a card until the stake has grown to 100: it is 26."
    assert len(page.view["pools"]) == 2 and {pool["amount"] for pool in page.view["pools"]} == {26, 13}
    page.move("7S")
    assert page.view["phase"] == "give" and page.view["offer"]["to"] == "north"
    assert page.view["say"] == "Give a card to North; you get one in return."
    page.move("2C")
    given = [move["words"] for move in page.view["moves"] if move["kind"] == "give"]
    assert given[0] == "You give North the 2 of clubs." and any(
        words.startswith("North gives you the") for words in given
    )
    assert given[1] == "East gives West a card." and page.view["phase"] == "play"


@pytest.mark.parametrize(
    ("source", "price"),
    {
        "ACA": "1 for each point in the cards laid away.",
        "HOY": "1 for each point in the cards laid away, and 4 more. There the ace of diamonds counts 5 and the jack "
        "of hearts counts 4. Players who sit opposite each other pay it twice.",
        "GER": "1 for each point in the tricks that they have taken. The points of the player who led first are paid "
        "for too, half by that player and half by the loser.",
        "PAR": "1 for each point in the cards laid away, and 4 more. Players who sit opposite each other pay it twice.",
    }.items(),
)
def test_the_rules_say_what_the_partie_costs_and_what_counts_otherwise_in_the_talon(
    page: Page, source: str, price: str
) -> None:
    page.begin(source, others="cautious")
    assert f"For the partie, or talon, the player who loses it pays {price}" in page.view["notes"]


@pytest.mark.parametrize("source", ["ACA", "GER", "HOY"])
def test_a_barred_heart_is_refused_by_its_clause(page: Page, source: str) -> None:
    clauses = {"ACA": "ACA.c116", "GER": "GER.c034", "HOY": "HOY.c008"}
    for seed in range(20):
        page.begin(source, seed=seed, others="cautious")
        barred = [cell["card"] for cell in page.view["hand"] if not cell["legal"]]
        if page.view["phase"] == "exchange" and barred:
            assert page.move(barred[0])["refused"]["clause"] == clauses[source]
            return
    raise AssertionError("no heart was barred")


@pytest.mark.parametrize("source", ["PAM", "HOY"])
def test_what_is_got_before_play_is_marked_until_ones_first_card(page: Page, source: str) -> None:
    page.begin(source, seed=328, others="cautious")
    before = {cell["card"] for cell in page.view["hand"]}
    assert not any(cell["drawn"] for cell in page.view["hand"])
    while page.view["phase"] != "play":
        page.move(page.lawful()[0])
    marked = {cell["card"] for cell in page.view["hand"] if cell["drawn"]}
    assert marked == {cell["card"] for cell in page.view["hand"]} - before
    assert len(marked) == (2 if source == "HOY" else 1)
    page.move(page.lawful()[0])
    assert not any(cell["drawn"] for cell in page.view["hand"])


@pytest.mark.parametrize("source", ["ACA", "MEY", "PAM", "PAR", "PIE"])
def test_who_keeps_the_hand_may_look_at_the_card_left_and_the_record_has_it(page: Page, source: str) -> None:
    page.begin(source, seed=328, others="cautious")
    left = page.game["deals"][0]["talon"].split()[0]
    assert page.view["offer"]["look"]
    page.move(None, look=True)
    assert page.game["deals"][0]["exchange"][0] == {"seat": "south", "looked": True}
    assert page.view["notes"][0].startswith("You kept your hand and looked at the card left: the ") and left
    [*page.play(Random(1))]
    settle_record(page, source)
    assert page.game["deals"][0]["exchange"][0]["looked"]


def test_where_nobody_may_look_none_is_offered_and_none_stands_in_the_record(page: Page) -> None:
    page.begin("PAM", wishes=["Q134=never"], others="cautious")
    assert page.view["keep"] and not page.view["offer"]["look"]
    page.move(None, look=True)
    assert page.game["deals"][0]["exchange"][0] == {"seat": "south"}


@pytest.mark.parametrize("source", BOOKS)
def test_why_one_exchanges_is_told_by_a_sentence_of_the_book(page: Page, source: str) -> None:
    titles = set[str]()
    for seed in range(8):
        page.begin(source, seed=seed, others="cautious")
        while page.view["offer"]:
            why = page.view["offer"]["why"]
            titles.add(why["title"])
            assert why["source"] == source and (why["quote"] or why["assumption"]) and "?" in why["words"]
            page.move(page.lawful()[0])
    assert {"Why exchange?", "Why lay a card away?"} <= titles
    assert ("Why give a card?" in titles) == (source == "HOY")


#: What lies in the pools at first, and who has put it in.
POOLS = {
    "ACA": "The basket: 8 jetons; all put in 2.",
    "HOY": "The pools: 26 and 13 fish; all put in 9, the dealer 12.",
    "PAM": "The basket: 45 fiches; all put in 10, the dealer 15.",
    "PIE": "The basket: 9 Marken; all put in 2, the dealer 3.",
}


@pytest.mark.parametrize("source", POOLS)
def test_at_the_first_turn_it_is_said_what_lies_in_the_pools_and_who_put_it_in(page: Page, source: str) -> None:
    page.begin(source, seed=328, others="cautious", deals=2)
    assert page.view["stake"] == POOLS[source] and page.view["say"].endswith(f" {POOLS[source]}")
    assert any(POOLS[source] in words for words in page.view["live"])
    page.move(page.lawful()[0])
    assert POOLS[source] not in page.view["say"] and page.view["stake"] == POOLS[source]
    [*page.play(Random(1))]
    page.ask("next")
    assert page.view["stake"].endswith(", put in for this deal or left from earlier ones.")


# ---- the claims
def test_a_choice_about_claims_is_kept(page: Page) -> None:
    page.begin("PAM")
    for claims in (True, False, True):
        page.ask("choose", name="claims", value=claims)
        assert name_choices(page)["claims"] == claims == ("--claims none" not in page.game["options"])


def play_low(game: TableGame) -> TableGame:
    """Play a deal to its end, the person with the lowest cards."""
    game = let_others_move(game)
    while game.deal.fragment:
        offers = [offer for offer in list_offers(game) if offer.seat == 0]
        legal = offers[0].legal if offers else (find_table_turn(game)[1] or pytest.fail("nobody plays")).legal
        card = min(legal, key=lambda card: card & 15)
        game = let_others_move(make_offers(game, {0: card}) if offers else play_next_card(game, card))
    return game


@pytest.mark.parametrize("source", ["HOY", "PAM", "PAR"])
def test_what_a_person_does_not_ask_for_is_not_paid(library: Library, source: str) -> None:
    for seed in range(60):
        game = open_table(library, TableOptions(source, seed, ("person", "random", "random", "random")))
        game = deal_next(game, find_session(game, 0))
        unasked = play_low(replace(game, options=replace(game.options, unclaimed=True)))
        asked = play_low(game)
        sums = [settle(each.deal, game.ruleset) for each in (asked, unasked)]
        nets = [settled.net[0] for settled in sums if isinstance(settled, Settled)]
        if nets[0] != nets[1]:
            assert nets[0] > nets[1] and False in unasked.deal.claims.values() and not asked.deal.claims
            back = take_back(unasked)
            assert back is not None and not back.deal.claims
            return
    raise AssertionError("nothing was owed to the person in sixty deals")


def test_two_books_have_nothing_to_be_asked_for(page: Page) -> None:
    assert [source for source in BOOKS if "claims" not in name_choices(page.begin(source))] == ["ACA", "GER"]


# ---- the espagnolette
@pytest.mark.parametrize("source", ["HOY", "MEY", "PAM", "PAR", "PIE"])
def test_a_card_by_the_privilege_is_marked_and_settled(page: Page, source: str) -> None:
    page.begin(source, seed=ESPAGNOLETTE, others="cautious")
    assert any(note.startswith("You hold the espagnolette: up to trick ") for note in page.view["notes"])
    while page.view["phase"] != "play":
        page.move(next(card for card in page.lawful() if card[0] not in "AJ"))
    used = False
    while page.view["phase"] != "over":
        by_privilege = [cell["card"] for cell in page.view["hand"] if cell["privilege"] and cell["legal"]]
        assert not by_privilege or "need not follow" in page.view["say"] or used
        used = used or bool(by_privilege)
        lowest = sorted(page.lawful(), key=lambda card: "23456789TJQKA".index(card[0]))
        page.move([*by_privilege, *lowest][0])
    assert used
    assert [seat["account"] for seat in page.view["seats"]] == [settle_record(page, source).net[at] for at in range(4)]
    assert settle_record(page, source).outcome.espagnolette is not None


@pytest.mark.parametrize("source", ["HOY", "PAM", "PAR", "PIE"])
def test_who_has_waived_the_espagnolette_follows_suit_in_this_deal(page: Page, source: str) -> None:
    page.begin(source, seed=ESPAGNOLETTE, others="cautious", deals=2)
    assert name_choices(page)["waive"] is False
    page.ask("choose", name="waive", value=True)
    assert "waive" not in name_choices(page) and " --waive 1" in page.game["options"]
    assert page.view["notes"][0] == "You hold the espagnolette, and have waived it in this deal: you follow suit."
    refusals = 0
    while page.view["phase"] != "over":
        assert not any(cell["privilege"] for cell in page.view["hand"])
        if page.view["phase"] == "play":
            game, legal = read_kept_game(page.library, page.game), {*page.lawful()}
            bound, free = find_table_turn(game)[1], set_up_turn(game.deal, game.ask)[1]
            assert bound is not None and free is not None and legal == {*map(format_card, bound.legal)}
            for card in {*free.legal} - {*bound.legal}:
                refused = page.ask("card", card=format_card(card))["refused"]
                assert refused["title"] == "You have waived the espagnolette" and refused["source"] == source
                assert refused["clause"].startswith(f"{source}.")
                refusals += 1
            assert page.ask("hint")["hint"]["card"] in legal
        plays = page.view["phase"] == "play"
        page.move(min(page.lawful(), key=lambda card: (not plays and card[0] in "AJ", "23456789TJQKA".index(card[0]))))
    assert refusals and settle_record(page, source).outcome.espagnolette is None
    page.ask("next")
    assert str(read_kept_game(page.library, page.game).options) == page.game["options"]
    assert not read_kept_game(page.library, page.game).waived


def test_who_has_waived_it_keeps_a_lone_quinola_where_the_rules_let_anybody_keep_it(page: Page) -> None:
    page.begin("PAM", seed=10758, others="cautious", wishes=["Q014=free"])
    page.ask("choose", name="waive", value=True)
    free = 0
    while page.view["phase"] != "over":
        held, lawful, plays = [cell["card"] for cell in page.view["hand"]], page.lawful(), page.view["phase"] == "play"
        led = (page.view["trick"] or {}).get("cards") if plays else None
        lone = [card for card in held if card[1] == "H"] == ["JH"] and len(held) > 1
        free += bool(led and lone and led[0]["card"][1] == "H" and lawful == held)
        page.move(min(lawful, key=lambda card: (card == "JH", not plays and card[0] == "A", card[1] != "H")))
    assert free


@pytest.mark.parametrize("source", ["ACA", "GER", "MEY"])
def test_where_it_is_no_privilege_to_be_used_there_is_nothing_to_waive(page: Page, source: str) -> None:
    page.begin(source, seed=ESPAGNOLETTE, others="cautious")
    assert "waive" not in name_choices(page)


def test_by_parlett_the_espagnolette_may_be_announced_and_that_be_taken_back(page: Page) -> None:
    page.begin("PAR", seed=ESPAGNOLETTE, others="cautious")
    assert name_choices(page)["announce"] is False
    for value in (True, False, True):
        page.ask("choose", name="announce", value=value)
        assert name_choices(page)["announce"] == value
    announced = [{"what": "espagnolette", "seat": "south", "before": 1}]
    assert page.game["deals"][0]["announced"] == announced
    while page.view["phase"] != "play":
        page.move(next(card for card in page.lawful() if card[0] not in "AJ"))
    [*page.play(Random(2))]
    assert page.game["deals"][0]["announced"] == announced and "announce" not in name_choices(page)
    settle_record(page, "PAR")
    assert "announce" not in name_choices(page.begin("PAM", seed=ESPAGNOLETTE))


# ---- tables, rules and remarks
@pytest.mark.parametrize(
    ("source", "players", "pack"), [("ACA", 5, 48), ("GER", 4, 52), ("ACA", 5, 52), ("GER", 5, 48)]
)
def test_other_tables_are_played_at_with_caution_and_it_is_said(
    page: Page, source: str, players: int, pack: int
) -> None:
    page.begin(source, players=players, pack=pack, others="net")
    assert len(page.view["seats"]) == players
    assert "There are no skilled players for this table: the others play with caution." in page.view["notes"]
    [*page.play(Random(3))]
    settled = settle_record(page, source)
    assert [seat["account"] for seat in page.view["seats"]] == [settled.net[at] for at in range(players)]


def test_another_rule_is_played_and_said(page: Page) -> None:
    page.begin("PAM", wishes=["Q012=heart"], others="cautious")
    assert page.view["deal"]["ruleset"] == "PAM + Q012=heart" and " --with 'Q012=heart'" in page.game["options"]
    page.move("7S")
    slip = page.move("AD")["refused"]
    assert slip["title"] == "The first card is bound" and slip["clause"] == ""


def test_there_is_a_table_for_nobody_else(page: Page) -> None:
    assert "PAM does not play so" in page.ask("begin", source="PAM", seed=1, players=5)["wrong"]


@pytest.mark.parametrize("source", BOOKS)
def test_the_view_is_plain_data_of_few_kilobytes(page: Page, source: str) -> None:
    page.begin(source)
    page.move_somehow(Random(4))
    assert len(json.dumps(page.view)) < 16_000
    assert any("on the page Settle your own deal" in note for note in page.view["notes"])
