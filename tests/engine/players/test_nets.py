"""The nets of the sources: small whole numbers, the standard library alone, nothing that the player does not see."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.cards import make_pack, parse_card_name, sort_cards
from engine.deal.model import Deal
from engine.generation.deal import random_deal
from engine.generation.turn import TableShape
from engine.players import nets
from engine.players.nets import (
    OUTPUTS,
    TURN_FEATURES,
    WEIGHTS_FOLDER,
    TrainedNet,
    find_net,
    fingerprint_answers,
    list_turn_features,
    number_card,
    read_net,
    weigh_offers_by_net,
    weigh_turn_by_net,
)
from engine.players.take_view import find_view_turn, take_view
from engine.players.view import PlayerView, SeenCard
from engine.readings.ask import Ask
from rulebook.model import Library
from rulebook.resolve import read_choice, resolve
from rulebook.sources.paths import digest_sources

LARGEST = 64_000  #: bytes of a file
TABLE = TableShape(4, 48, 11, 4)


def cards(text: str) -> list[int]:
    return [parse_card_name(name) for name in text.split()]


def features(view: PlayerView, takers: list[int], best: int) -> set[int]:
    """The features of a turn, each once."""
    into = [0] * nets.MOST_FEATURES
    known = sum(1 << card for card in view.held), sum(1 << card for card in view.aside), 0
    players, played = [who for who, _ in view.played], [card for _, card in view.played]
    count = list_turn_features(view.seat, known, played, players, takers, best, into)
    found = into[:count]
    assert len({*found}) == count and max(found) < TURN_FEATURES
    return {*found}


def view_at(library: Library, source: str, deal: Deal, seat: str, trick: int) -> tuple[PlayerView, Ask]:
    ask = Ask(resolve(library, source))
    view, problems = take_view(deal, ask, seat, trick)
    assert view is not None, problems
    return view, ask


def net_of(source: str) -> TrainedNet:
    net = read_net(source)
    assert net is not None
    return net


# ---- the files
def test_every_source_has_a_net_of_at_most_64_kilobytes_in_small_whole_numbers(library: Library) -> None:
    for source in library.sources:
        net = net_of(source)
        assert (WEIGHTS_FOLDER / f"{source}.json").stat().st_size <= LARGEST
        for layers in (net.turns, net.offers):
            rows = (*layers.first, *layers.second)
            assert {type(weight) for row in rows for weight in row} == {int}
            assert max(max(row) for row in rows) <= 127 and min(min(row) for row in rows) >= -127
            assert len(layers.bias) == OUTPUTS == len(layers.second[0]) and len(layers.first[0]) == layers.hidden
        assert net.source == source
        assert re.match(rf"python -m (engine|lab)\.players\.train --source {source} ", net.command)


@pytest.mark.release
def test_every_net_was_made_for_the_answers_of_today(library: Library) -> None:
    assert [source for source in library.sources if not net_of(source).is_made_for(resolve(library, source))] == []


def test_weights_are_no_part_of_the_fingerprint_of_the_sources(library: Library) -> None:
    root = Path(library.root)
    assert not WEIGHTS_FOLDER.is_relative_to(root) and digest_sources(root) == library.digest


def test_new_weights_change_no_fingerprint_of_the_program(tmp_path: Path) -> None:
    from lab.survey.jit import fingerprint_engine_files

    (tmp_path / "one.py").write_text("1\n", encoding="utf-8")
    before = fingerprint_engine_files(tmp_path)
    (tmp_path / "weights.json").write_text("{}", encoding="utf-8")
    assert fingerprint_engine_files(tmp_path) == before


# ---- whose net
def test_other_answers_get_the_nearest_net_and_it_is_known(library: Library) -> None:
    own, other = resolve(library, "PAM"), resolve(library, "PAM", [read_choice(library, "Q031=3")])
    net = find_net(other, 4, 48)
    assert net == find_net(own, 4, 48) and net is not None
    assert fingerprint_answers(own) != fingerprint_answers(other)
    assert not net.is_made_for(other)


def test_there_is_no_net_for_five_players_for_52_cards_or_for_a_source_that_has_none(library: Library) -> None:
    own = resolve(library, "PAM")
    assert find_net(own, 5, 48) is find_net(own, 4, 52) is find_net(replace(own, source="XYZ"), 4, 48) is None


# ---- what is seen
def test_the_cards_of_the_others_change_nothing(library: Library) -> None:
    deal, lot = random_deal(resolve(library, "PAM"), 12, TABLE), Random(5)
    seat, trick = 1, 6
    seen = {card for row in deal.tricks[: trick - 1] for card in row}
    view, ask = view_at(library, "PAM", deal, deal.seats[seat], trick)
    on_table = {card for _, card in view.played}
    hidden = sort_cards(make_pack(48) - deal.hands[seat] - on_table)
    turn, order = find_view_turn(view, ask)
    found = weigh_turn_by_net(net_of("PAM"), view, order, turn.legal)
    assert seen <= on_table and len(found) == len(turn.legal) > 0
    for _ in range(5):
        lot.shuffle(hidden)
        rest = iter(hidden)
        hands = tuple(
            hand if at == seat else frozenset(hand & on_table) | {next(rest) for _ in range(11 - len(hand & on_table))}
            for at, hand in enumerate(deal.hands)
        )
        other = replace(deal, hands=hands, talon=tuple(rest), tricks=deal.tricks[: trick - 1], fragment=True)
        same = replace(view, played=view.played[: 4 * (trick - 1)])
        assert {who.card for who in same.played} <= on_table
        ask_again = Ask(resolve(library, "PAM"))
        again, problems = take_view(
            replace(other, tricks=(*other.tricks, tuple(card for _, card in view.played[4 * (trick - 1) :]))),
            ask_again,
            deal.seats[seat],
            trick,
        )
        if again is None:  # the shuffled hands could not have followed suit as these did
            assert problems
            continue
        assert again == view
        assert weigh_turn_by_net(net_of("PAM"), again, order, find_view_turn(again, ask_again)[0].legal) == found


def test_what_may_be_played_follows_from_the_view_alone(library: Library) -> None:
    """It is what the deal itself allows, at every turn of some deals."""
    from engine.generation.at_table import set_up_turn

    for source in ("PAM", "HOY"):
        deal = random_deal(resolve(library, source), 3, TABLE)
        for trick in range(1, 12):
            for seat in deal.seats:
                view, ask = view_at(library, source, deal, seat, trick)
                done, row = deal.tricks[: trick - 1], tuple(card for _, card in view.played[4 * (trick - 1) :])
                _, turn = set_up_turn(replace(deal, tricks=(*done, row) if row else done, fragment=True), ask)
                assert turn is not None and find_view_turn(view, ask)[0].legal == turn.legal


def test_a_hand_is_seen_by_the_lower_cards_that_are_still_out() -> None:
    """The knave of hearts has eight lower cards of its suit; with all of them seen it has none."""
    held = frozenset(cards("JH AS KS QS JS 9S 8S 7S 6S 5S 4S"))
    knave = 4 * number_card(parse_card_name("JH"))
    assert knave + 3 in features(PlayerView(0, 4, held), [], -1)
    low = cards("2H 3H 4H 5H 6H 7H 8H 9H")
    seen = tuple(SeenCard(1 + at % 3, card) for at, card in enumerate(low[:3]))
    aside = frozenset(low[3:])
    first = (SeenCard(0, parse_card_name("4S")), *seen)
    assert knave in features(PlayerView(0, 4, held, first, aside), [0], -1)


def test_whoever_does_not_follow_is_known_to_be_void_until_he_shows_the_suit() -> None:
    held = frozenset(cards("AS KS QS JS 9S 8S 7S 6S 5S 4S 3S"))
    row = zip(range(4), cards("3S 2C 2D 2S"), strict=True)
    one = features(PlayerView(0, 4, held, tuple(SeenCard(*each) for each in row)), [3], -1)
    other = zip(range(4), cards("3S 2C TS 2S"), strict=True)  # as if the third had followed
    two = features(PlayerView(0, 4, held, tuple(SeenCard(*each) for each in other)), [3], -1)
    assert 348 + 0 in one & two, "the next player has no spade"
    assert 348 + 4 in one and 348 + 4 not in two


# ---- what comes out


def test_a_plain_hand_lays_away_what_endangers_it() -> None:
    """PAM: of a hand with low cards and one bare king, the king goes."""
    hand = cards("2S 3S 4S 2H 3H 4H 2C 3C 4C KD 2D 5H")
    found = weigh_offers_by_net(net_of("PAM"), 3, hand, (), False, hand)
    assert {one.card for one in found} == {*hand} and found[0].card == parse_card_name("KD")
    assert found[0].worth - found[-1].worth == pytest.approx(found[-1].behind) and found[-1].behind > 0


def test_neither_numpy_nor_the_survey_is_imported() -> None:
    import subprocess

    words = "import engine.players.nets, sys; print([one for one in ('numpy', 'numba') if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
