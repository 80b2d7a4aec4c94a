"""The review of a deal that is over: its words agree with the ledger, par with the table, a dear card with layouts."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.generation.at_table import set_up_turn
from engine.readings.ask import Ask
from engine.settlement.settle import Settled, settle
from reversis.files.deal_streams import read_deal_stream
from reversis.files.saved_games import PLAY_NOTE
from reversis.table.decisions import waive_espagnolette
from reversis.table.game import (
    TableGame,
    deal_next,
    find_session,
    find_table_turn,
    is_persons_turn,
    let_others_move,
    list_offers,
    make_offers,
    open_table,
    play_next_card,
)
from reversis.table.hints import LAYOUTS
from reversis.table.offers import KEPT_HAND
from reversis.table.options import TableOptions
from reversis.table.review import (
    describe_headline,
    explain_no_dearest_card,
    find_dearest_card,
    find_par,
    list_decisions,
    list_ledger,
    review_deal,
)
from reversis.table.table_words import TableNames
from reversis.words.events import PARTIE_PHRASE
from rulebook.model import Library
from tests.reversis.table.test_decisions import ESPAGNOLETTE
from tests.support.settling import SIGLA

KINDS = ("person", "net", "net", "net")


def play_game(library: Library, source: str, seed: int, by_net: bool = False) -> TableGame:
    """Play a deal: the person at random, or as a net would."""
    game = open_table(library, TableOptions(source, seed, KINDS))
    game = let_others_move(deal_next(game, find_session(game, 0)))
    if by_net:
        played = let_others_move(replace(game, options=replace(game.options, kinds=("net",) * 4)))
        return replace(played, options=game.options)
    return play_on(game, Random(seed))


def play_on(game: TableGame, lots: Random, keeps: bool = False) -> TableGame:
    """Play a deal to its end, the person at random; `keeps`: the hand as it was dealt."""
    while game.deal.fragment:
        assert is_persons_turn(game)
        if offers := list_offers(game):
            game = let_others_move(make_offers(game, {0: KEPT_HAND if keeps else lots.choice(offers[0].legal)}))
        else:
            turn = find_table_turn(game)[1]
            assert turn is not None
            game = let_others_move(play_next_card(game, lots.choice(turn.legal)))
    return game


@pytest.mark.slow
@pytest.mark.parametrize(("source", "seed"), [("PAM", 328), ("HOY", 328), ("GER", 2)])
def test_the_review_agrees_with_the_ledger_and_the_record(library: Library, source: str, seed: int) -> None:
    game = play_game(library, source, seed)
    settled = settle(game.deal, game.ruleset)
    assert isinstance(settled, Settled)
    review = review_deal(game)
    assert review["headline"]["net"] == settled.net[0]
    paid = sum(
        posting["amount"] * ((posting["payee"] == "south") - (posting["payer"] == "south"))
        for line in review["ledger"]
        for posting in line["postings"]
    )
    assert [line["trick"] for line in review["ledger"]] == [
        entry.fact.trick for entry in settled.entries if entry.postings
    ]
    assert paid == settled.net[0] and all(line["sentence"] and line["slip"]["title"] for line in review["ledger"])
    (record,) = read_deal_stream(review["yaml"].encode().splitlines(keepends=True), "game.yaml")
    assert record.deal is not None and record.deal.note.startswith(PLAY_NOTE)
    assert (record.deal.hands, record.deal.tricks) == (game.deal.hands, game.deal.tricks)
    if dearest := review["dearest"]:
        assert dearest["of"] == LAYOUTS and dearest["better"] >= 20 and dearest["by"] > 0
        assert dearest["card"] in dearest["words"] or str(dearest["better"]) in dearest["words"]


def test_where_no_card_is_called_dear_a_line_says_why(library: Library) -> None:
    like_a_net = explain_no_dearest_card(play_game(library, "PAM", 328, by_net=True))
    assert like_a_net == "No card of yours cost you: a skilled player would have played the same."
    others = explain_no_dearest_card(play_game(library, "PAM", 328))
    assert others.startswith("No card of yours clearly cost you: ") and "fewer than 20 of 30 layouts" in others
    alone = open_table(library, TableOptions("ACA", 1, ("person", *["cautious"] * 4), players=5))
    assert explain_no_dearest_card(let_others_move(deal_next(alone, find_session(alone, 0)))).startswith("No net")


@pytest.mark.slow
def test_a_card_is_called_dear_where_another_does_better_in_most_layouts(library: Library) -> None:
    dearest = find_dearest_card(play_game(library, "GER", 4))
    assert dearest is not None and (dearest["card"], dearest["trick"]) == ("JS", 10) and dearest["better"] >= 20


def test_par_is_what_a_net_makes_of_the_hand_and_a_net_has_no_dear_card(library: Library) -> None:
    game = play_game(library, "PAM", 328, by_net=True)
    settled = settle(game.deal, game.ruleset)
    assert isinstance(settled, Settled)
    par = find_par(game)
    assert par == find_par(play_game(library, "PAM", 328)) and par is not None
    assert par["net"] == settled.net[0] and f"{settled.net[0]:+d}" in par["words"]
    assert [*list_decisions(game)] == []


def test_decisions_are_turns_at_which_another_card_was_lawful(library: Library) -> None:
    game = play_game(library, "GER", 2)
    decisions = [*list_decisions(game)]
    assert decisions
    for decision in decisions:
        turn = set_up_turn(decision.deal, Ask(game.ruleset))[1]
        assert turn is not None and {decision.card, decision.instead} <= {*turn.legal}
        assert (turn.number, turn.seat) == (decision.number, 0) and decision.behind > 0


def test_after_the_privilege_is_waived_no_card_is_advised_that_it_alone_allowed(library: Library) -> None:
    game = open_table(library, TableOptions("PAR", ESPAGNOLETTE, KINDS))
    game = waive_espagnolette(let_others_move(deal_next(game, find_session(game, 0))))
    bound = 0
    for seed in range(6):
        played = play_on(game, Random(seed), keeps=True)
        for decision in list_decisions(played):
            turn = find_table_turn(played.with_deal(decision.deal))[1]
            free = set_up_turn(decision.deal, Ask(game.ruleset))[1]
            assert turn is not None and free is not None and {decision.card, decision.instead} <= {*turn.legal}
            bound += turn.legal != free.legal
    assert bound


def test_the_headline_says_tricks_partie_and_quinola(library: Library) -> None:
    game = play_game(library, "PAM", 328)
    settled = settle(game.deal, game.ruleset)
    assert isinstance(settled, Settled)
    words = describe_headline(settled, TableNames(game.seats, 0))["words"]
    assert words == (
        "You took 6 tricks and lost the partie, or talon, which cost you 30; led aces, owed to the winner of the "
        "partie, cost you 8; your jack of hearts was forced, and that cost you 55; aces cost you 1."
    )


@pytest.mark.parametrize("source", SIGLA)
def test_the_parts_of_the_headline_sum_up_to_the_net(library: Library, source: str) -> None:
    game, named = open_table(library, TableOptions(source, 0, ("random",) * 4)), set[str]()
    for seed in range(100):
        dealt = replace(game, options=replace(game.options, seed=seed))
        settled = settle(let_others_move(deal_next(dealt, find_session(dealt, 0))).deal, game.ruleset)
        assert isinstance(settled, Settled)
        headline = describe_headline(settled, TableNames(game.seats, seed % 4))
        assert sum(part["sum"] for part in headline["parts"]) == headline["net"] == settled.net[seed % 4]
        for part in headline["parts"]:
            assert str(abs(part["sum"])) in headline["words"]
            named.add(part["words"].split()[0])
    assert {"led", "the", "your"} <= named or source in ("ACA", "GER")
    assert {"aces", "the", "your"} <= named


@pytest.mark.parametrize(("source", "counted"), [("PAM", "are always counted."), ("GER", "points.")])
def test_the_ledger_says_by_what_the_partie_is_counted(library: Library, source: str, counted: str) -> None:
    game = play_game(library, source, 328)
    settled = settle(game.deal, game.ruleset)
    assert isinstance(settled, Settled)
    ledger = list_ledger(game, settled, TableNames(game.seats, 0))
    partie = [line["sentence"] for line in ledger if PARTIE_PHRASE in line["sentence"]]
    assert partie and all(counted in sentence for sentence in partie)
