"""A hint at every position that lawful play reaches: any source, table, option and rival, with the extra or without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import click
import pytest

from engine.cards import parse_card_name
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.generation.at_table import (
    add_card,
    exchange_card,
    find_exchange_turn,
    give_cards,
    list_givers,
    set_up_turn,
)
from engine.generation.deal import choose_random_card, lay_out_cards, make_random_pool, make_unplayed_deal
from engine.generation.requests import drop_blanks
from engine.generation.turn import TableShape, list_table_shapes
from engine.play.table import find_quinolas
from engine.players.cautious import choose_cautious_card
from engine.players.take_view import take_view
from engine.readings.ask import Ask
from reversis.cli.deal import format_record_yaml
from reversis.cli.hint import hint
from reversis.cli.hint.hint_exchange import find_exchange_question, weigh_exchange
from reversis.cli.table.saved_faults import find_deal_faults
from reversis.files.positions import read_positions
from rulebook.model import Library, Ruleset
from rulebook.resolve import BadChoice, iter_clause_alternatives, rules

WORLDS = 8  #: as few as the command takes: each of them has to be lawful
POSITIONS = 10  #: of a deal
DEALS, ALL_DEALS = 24, 1000
ACES = frozenset(map(parse_card_name, ("AS", "AH", "AD", "AC")))


@dataclass(frozen=True)
class Position:
    """A deal as it stands at a turn, under a ruleset."""

    ruleset: Ruleset
    deal: Deal


def draw_ruleset(library: Library, lot: Random) -> Ruleset:
    """A source as preferred, or with one rival, option or other way alone."""
    source = lot.choice(sorted(library.sources))
    others = [one.id for _, one in iter_clause_alternatives(library.sources[source].clauses)]
    wish = lot.choice(["", *others])
    try:
        return rules(library, source, *([wish] if wish else []))
    except BadChoice:
        return rules(library, source)


def deal_cards(ruleset: Ruleset, lot: Random, shape: TableShape) -> Deal:
    """The cards as dealt; in every second deal most aces and quinolas lie together, as an espagnolette's do."""
    strong, seat = [*ACES, *find_quinolas(Ask(ruleset))], lot.randrange(shape.players)
    lot.shuffle(strong)
    wanted = {card: seat for card in strong[: lot.choice((0, 5))]}
    dealer = lot.randrange(shape.players)
    pool = make_random_pool(ruleset, shape.players, dealer)
    deal = make_unplayed_deal(shape, dealer, lay_out_cards(lot, shape, wanted, {}), f"lot-{lot.randrange(10**6)}", pool)
    last, *talon = deal.talon
    hands = (*deal.hands[:dealer], deal.hands[dealer] | {last}, *deal.hands[dealer + 1 :])
    return Deal(deal.id, deal.pack, deal.seats, dealer, hands, tuple(talon), (), pools=deal.pools, fragment=True)


def play(ruleset: Ruleset, lot: Random) -> Iterator[Position]:
    """Every position of a deal, from the first exchange to the last card."""
    ask = Ask(ruleset)
    deal, choose = (
        deal_cards(ruleset, lot, lot.choice(list_table_shapes(ruleset))),
        lot.choice((choose_random_card, choose_cautious_card)),
    )
    while turn := find_exchange_turn(deal, ask):
        yield Position(ruleset, deal)
        deal = exchange_card(deal, turn.seat, lot.choice([*turn.legal, *([None] if turn.may_keep else [])]))
    if givers := list_givers(deal, ask):
        yield Position(ruleset, deal)
        deal = give_cards(deal, {(one, to): lot.choice(sorted(deal.hands[one])) for one, to in givers})
    while player := set_up_turn(deal, ask)[1]:
        yield Position(ruleset, deal)
        deal = add_card(deal, choose(lot, player))


def draw_positions(library: Library, seed: int) -> list[Position]:
    """Some positions of one deal."""
    lot = Random(f"positions:{seed}")
    found = [*play(draw_ruleset(library, lot), lot)]
    return lot.sample(found, min(POSITIONS, len(found)))


def ask_for_hint(library: Library, position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What the command says of a saved game, and what may be played."""
    ask, ruleset = Ask(position.ruleset), position.ruleset
    text = format_record_yaml(drop_blanks(write_deal(position.deal)))
    (record,) = read_positions(text.encode().splitlines(keepends=True), "game.yaml")
    assert not record.problems, text
    assert [*find_deal_faults(position.deal, ask, record.find)] == [], text
    if exchange_question := find_exchange_question(ruleset, record, ""):
        found = weigh_exchange(exchange_question)
        return tuple(one.card for one in found if one.card >= 0) or exchange_question.legal, exchange_question.legal
    assert record.record is not None
    view, problems = take_view(record.record, ask, find=record.find)
    assert view is not None, (problems, text)
    _, turn = set_up_turn(position.deal, ask)
    assert turn is not None
    question = hint.HintQuestion(library, ruleset, position.deal, view, WORLDS, 1, record.find)
    return hint.find_hint(question).cards, turn.legal


def find_bad_hints(library: Library, deals: range) -> list[str]:
    """Positions whose hint names a card that may not be played, or neither one card nor all that may be."""
    positions = ((seed, position) for seed in deals for position in draw_positions(library, seed))
    return [
        f"seed {seed}: {position.ruleset.name}, {len(position.deal.tricks)} tricks"
        for seed, position in positions
        for cards, legal in [ask_for_hint(library, position)]
        if not cards or not {*cards} <= {*legal} or len(cards) not in (1, len(legal))
    ]


@pytest.fixture(params=[pytest.param(True, marks=pytest.mark.release), False])
def _extra(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra, and as if it were not installed."""

    def refuse(*_: object) -> None:
        raise click.ClickException("A player who looks ahead needs numba")

    if not request.param:
        monkeypatch.setattr(hint, "require_search", refuse)


@pytest.mark.slow
@pytest.mark.usefixtures("_extra")
def test_every_position_that_lawful_play_reaches_gets_a_hint(library: Library) -> None:
    assert find_bad_hints(library, range(DEALS)) == []


@pytest.mark.nightly
@pytest.mark.usefixtures("_extra")
def test_ten_thousand_positions_that_lawful_play_reaches_get_a_hint(library: Library) -> None:
    assert find_bad_hints(library, range(DEALS, ALL_DEALS)) == []
