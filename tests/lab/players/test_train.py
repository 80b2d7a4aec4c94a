"""Nets as they are trained, and as compiled code runs them: the same digits, and better play than with caution."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.cards import cards_of
from engine.players.nets import (
    MOST_FEATURES,
    TURN_FEATURES,
    list_turn_features,
    read_net,
    weigh_offers_by_net,
    weigh_turn_by_net,
)
from engine.players.view import PlayerView, SeenCard, TurnOrder
from lab.players import train
from lab.players.arena import (
    CAUTIOUS_PLAYER,
    NET_PLAYER,
    PlayingCompany,
    deal_to_company,
    iter_turns,
    play_company,
    require_net,
)
from lab.players.exchange import DISCARDING, Offers
from lab.players.net_batch import (
    choose_offers_by_net,
    choose_turns_by_net,
    list_columns,
    make_layer_arrays,
    mark_turn_features,
)
from lab.players.search import TurnPositions, find_turns
from lab.players.train import TrainingPlan, round_layers, teach, train_net
from lab.survey import chunk as piece
from lab.survey.request import Rules
from rulebook.model import Library

pytestmark = pytest.mark.release  # a search goes through thousands of deals: only compiled

TINY = TrainingPlan(deals=1, worlds=2, epochs=1, seed=7)
STRENGTH = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)


def company(library: Library, source: str) -> PlayingCompany:
    prices, these = piece.get_deal_pricer(library), Rules(source)
    return PlayingCompany.at_table(prices, these, 1785, read_net(source))


def view_of(where: TurnPositions, at: int) -> PlayerView:
    """One of some turns, as a player sees it."""
    played = tuple(
        SeenCard(int(who), int(card)) for who, card in zip(where.players[:, at], where.cards[:, at], strict=True)
    )
    held, aside, given = (frozenset(cards_of(int(one[at]))) for one in (where.held, where.aside, where.given))
    return PlayerView(int(where.seats[at]), 4, held, played, aside, next(iter(given), None))


@pytest.mark.parametrize("source", ["PAM", "HOY"])
def test_compiled_code_and_the_standard_library_choose_the_same_cards(library: Library, source: str) -> None:
    """At every free turn of some deals, and the features are the same one by one."""
    table = company(library, source)
    net, kinds = require_net(table), np.full(4, NET_PLAYER)
    played = play_company(table, deal_to_company(table, range(12), kinds), kinds)
    order = TurnOrder(4, 0, STRENGTH, frozenset(), (0, 1, 2, 3))
    tried = 0
    for _, where in iter_turns(table, played, 64, 12):
        may, sole, marks = np.zeros(where.size, np.int64), np.zeros(where.size, np.int64), where.cards[:0]
        find_turns(table.coded, where.held, where.seats, where.cards, where.players, may, sole)
        marks = np.zeros((where.size, TURN_FEATURES), np.uint8)
        mark_turn_features(table.coded, list_columns(where), marks)
        chosen = choose_turns_by_net(table.coded, make_layer_arrays(net.turns), where, may)
        for at in range(where.size):
            view, legal = view_of(where, at), tuple(cards_of(int(may[at])))
            assert weigh_turn_by_net(net, view, order, legal)[0].card == chosen[at]
            assert {*np.flatnonzero(marks[at]).tolist()} == plain_features(view, order)
            tried += 1
    assert tried > 200


def plain_features(view: PlayerView, order: TurnOrder) -> set[int]:
    """The features of a turn by the standard library alone."""
    into, cards = [0] * MOST_FEATURES, [card for _, card in view.played]
    takers = [order.find_taker(view.played[at].seat, cards[at : at + 4]) for at in range(0, len(cards) & 60, 4)]
    best = order.find_taker(0, view.row) if view.row else -1
    given = 0 if view.given is None else 1 << view.given
    known = sum(1 << card for card in view.held), sum(1 << card for card in view.aside), given
    count = list_turn_features(view.seat, known, cards, [who for who, _ in view.played], takers, best, into)
    return {*into[:count]}


def test_compiled_code_and_the_standard_library_lay_away_the_same(library: Library) -> None:
    table = company(library, "PAM")
    net = require_net(table)
    hands = deal_to_company(table, range(64), np.full(4, CAUTIOUS_PLAYER)).hands[2].copy()
    chosen = choose_offers_by_net(
        table.coded, make_layer_arrays(net.offers), Offers(2, hands, np.zeros_like(hands)), DISCARDING
    )
    for hand, card in zip(hands.tolist(), chosen.tolist(), strict=True):
        held = [*cards_of(hand)]
        found = weigh_offers_by_net(net, 2, held, (), False, (*held, -1))
        assert (found[0].card if found[0].card >= 0 else 255) == card


@pytest.mark.parametrize("source", ["PAM", "GER"])
def test_the_net_wins_from_the_cautious(library: Library, source: str) -> None:
    table, total = company(library, source), np.zeros((128, 4))
    for turn in range(4):
        kinds = np.roll(np.array([NET_PLAYER, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER]), turn)
        played = play_company(table, deal_to_company(table, range(128), kinds), kinds)
        priced = table.prices.own(piece.TableDeals(played, tuple(map(int, table.coded))), table.rules, table.pool)
        assert not priced.became[:128].any(), "every deal is lawful and settled"
        total += np.roll(priced.net[:128], -turn, axis=1) / 4
    ahead = total[:, 0] - total[:, 1:].mean(axis=1)
    assert ahead.mean() > 2 * ahead.std() / 128**0.5


def test_without_a_net_nobody_plays_by_one(library: Library) -> None:
    prices, these = piece.get_deal_pricer(library), Rules("PAM")
    table = PlayingCompany.at_table(prices, these, 1)
    with pytest.raises(ValueError, match="nobody has trained a net for PAM"):
        deal_to_company(table, range(1), np.full(4, NET_PLAYER))


# ---- training
@pytest.mark.slow
def test_the_same_command_gives_the_same_weights_and_they_can_be_read(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "TURN_UNITS", 4)
    monkeypatch.setattr(train, "OFFER_UNITS", 2)
    one, again = train_net(library, "PAM", TINY), train_net(library, "PAM", TINY)
    assert one == again
    assert one["command"] == "python -m lab.players.train --source PAM --seed 7 --deals 1 --worlds 2 --epochs 1"
    (tmp_path / "PAM.json").write_text(json.dumps(one), encoding="utf-8")
    net = read_net("PAM", tmp_path)
    assert net is not None and (net.turns.hidden, net.offers.hidden, net.stake) == (4, 2, 45)


@pytest.mark.parametrize("option", ["--deals", "--worlds", "--epochs"])
def test_a_training_on_nothing_is_refused_in_one_line(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        train.main(["--source", "PAM", option, "0"])
    said = capsys.readouterr().err
    assert left.value.code == 2 and f"argument {option}: '0' is not a whole number from 1 up" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("option", ["--deals", "--worlds", "--epochs", "--seed"])
def test_a_trial_does_not_replace_the_net_by_which_all_play(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(train, "train_net", lambda own, source, plan: {"source": source})
    monkeypatch.setattr(train, "WEIGHTS_FOLDER", tmp_path / "weights")
    with pytest.raises(SystemExit) as left:
        train.main(["--source", "PAM", option, "3"])
    assert left.value.code == 2 and "add --folder DIR" in capsys.readouterr().err and not [*tmp_path.iterdir()]
    assert train.main(["--source", "PAM", option, "3", "--folder", str(tmp_path / "trial")]) == 0
    assert sorted(path.name for path in (tmp_path / "trial").iterdir()) == ["PAM.json", "SHA256SUMS"]
    assert train.main(["--source", "PAM"]) == 0 and (tmp_path / "weights" / "PAM.json").is_file()


def lessons(rows: int) -> train.Lessons:
    """Lessons of which all can be learnt: the worth of a card is told by one feature for each."""
    lots = np.random.default_rng(1)
    marks = (lots.random((rows, 16)) < 0.5).astype(np.uint8)
    worths = np.full((rows, 49), np.nan, np.float32)
    worths[:, :16] = np.where(marks, 5.0, -5.0) + 100
    return train.Lessons(np.packbits(marks, axis=1), 16, worths)


def test_a_net_learns_and_keeps_it_in_whole_numbers() -> None:
    some = lessons(4000)
    layers = teach(some, 24, 60, 1)
    record: dict[str, Any] = round_layers(layers)
    aims, real = train.find_aims(some.worths), layers.find_outputs(some.take(slice(None)))
    missed = (train.centre(real[:, :49], aims.may) - aims.shares) ** 2
    assert missed.sum() < 0.1 * (aims.shares**2).sum()
    from engine.players.nets import unpack_layers

    whole = unpack_layers(record)
    hidden = np.maximum(some.take(slice(None)).astype(np.int64) @ np.array(whole.first), 0)
    found = hidden @ np.array(whole.second) + np.array(whole.bias)
    assert abs(found[:, 49].mean() / whole.mean_unit - 100) < 2
    shares = train.centre((found[:, :49] / whole.share_unit).astype(np.float32), aims.may)
    gone = train.centre(real[:, :49], aims.may) * aims.unit - shares
    assert np.abs(gone[:, :16]).mean() < 0.5


def test_a_source_that_is_none_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        train.main(["--source", "XYZ"])
    assert left.value.code == 1 and "XYZ" in capsys.readouterr().err
