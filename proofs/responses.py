"""Best responses to a table of nets: how much one player wins by knowing how the three others play.

    python -m proofs.responses [--deals 48] [--worlds 32] [--seed 1785] [--source PAM]

Four nets exchange and play; then one of them, in each seat in turn, is replaced by a player who knows the nets, and the
same cards are played again. His gain is what he wins more than the net had won in his seat, with a 95 % interval from
the spread over the deals. Over all sources it is told in hundredths of each source's first pool, deal by deal, for the
cards are the same under each. It is a lower bound on that of the best response, which nobody can find exactly: at each
of his turns he draws lawful worlds and plays every card out in each of them, himself and all others by the net from
there on, and takes the card that brings most: one step better than the net. He exchanges as the net in his seat does.

Three such players are measured. *Search* is the usual one of 64 worlds, which knows nothing of nets. *Playouts* knows
how the others go on from here. *Reading* also knows how they came here: of four times as many worlds it keeps those in
which nets would most often have played the cards that were played. What the others have laid away or given he does not
know, and takes their nets as if they had laid away nothing.

Written down before the run: all three gain, playouts more than the search, and reading more than playouts.

Pieces of eight deals are kept in `build/best-response/`, so that a run which was broken off goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np

from engine.players.policy import WEIGHTS_FOLDER, read_net
from lab.players.arena import (
    NET_PLAYER,
    PlayingCompany,
    deal_to_company,
    find_all_turns,
    find_players,
    see_turns,
)
from lab.players.net_batch import LayerArrays, choose_turns_by_net, make_layer_arrays
from lab.players.search import (
    Floats,
    TurnPositions,
    Weighed,
    allocate_lanes,
    draw_all_worlds,
    find_turns,
    list_rows,
    replay_lines,
    weigh_cards,
)
from lab.survey import chunk as piece
from lab.survey.buffers import Bytes, IntArray, PlayedDeals
from lab.survey.pricing import PRICED_SETTLED
from lab.survey.request import SURVEY_SEATS, Rules
from proofs.arguments import ProofParser, format_sources, run_proof, store_receipt
from proofs.kept import BUILD, fingerprint_nets, keep_measured
from proofs.strength import gather_company
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import NETS, build_receipt, fingerprint_file

_KEPT = BUILD / "best-response"
_SAYS = (
    "What one player wins a deal more than a net in his seat among three nets, with the same cards, if he searches, if"
    " he knows how the nets play, and if he also reads their choices, in the smallest unit of each source."
)
SEARCH, PLAYOUTS, READING = "search 64", "knows their playouts", "reads their choices"
_PIECE = 8  #: deals in a piece
ALL_SOURCES = "all sources, in hundredths of the first pool"
DRAWN_FOR_ONE = 4  #: so many worlds are drawn for each that is kept
GainLine: TypeAlias = Mapping[str, float]
Responder: TypeAlias = Callable[[PlayingCompany, TurnPositions, int, int], IntArray]  #: turns, worlds, seed -> cards


# ---- worlds
def draw_turn_worlds(
    coded: IntArray, where: TurnPositions, may: IntArray, worlds: int, seed: int
) -> tuple[IntArray, IntArray]:
    """Draw lawful worlds: hands [4, turns, worlds] and talon [turns, worlds]."""
    drawn = np.zeros((SURVEY_SEATS, where.size, worlds), np.int64), np.zeros((where.size, worlds), np.int64)
    views = where.seats, where.held, where.aside, where.given, where.cards, where.players
    draw_all_worlds(coded, seed, worlds, views, *drawn, may)
    return drawn


def count_strange_choices(company: PlayingCompany, where: TurnPositions, hands: IntArray) -> IntArray:
    """Count in each world the cards of the others that nets would not have played: [turns, worlds]."""
    turns, worlds = hands.shape[1:]
    lanes, strange = np.repeat(np.arange(turns), worlds), np.zeros(turns * worlds, np.int64)
    flat, me = np.ascontiguousarray(hands.reshape(SURVEY_SEATS, -1)), where.seats[lanes]
    cards, players = (np.ascontiguousarray(row[:, lanes]) for row in (where.cards, where.players))
    for step in range(cards.shape[0]):
        seats, may = players[step].astype(np.int64), np.zeros(lanes.size, np.int64)
        find_all_turns(company.coded, seats, flat, cards[:step], players[:step], may)
        some = np.flatnonzero((seats != me) & (may & (may - 1) != 0))
        none = np.zeros(some.size, np.int64)
        view = TurnPositions(
            seats[some],
            flat[seats[some], some],
            none,
            none,
            np.ascontiguousarray(cards[:step, some]),
            np.ascontiguousarray(players[:step, some]),
        )
        strange[some] += choose_by_net(company, view, may[some]) != cards[step, some]
    return strange.reshape(turns, worlds)


def choose_by_net(company: PlayingCompany, view: TurnPositions, may: IntArray) -> IntArray:
    """Choose a card in each of some turns by the company's net."""
    return choose_turns_by_net(company.coded, load_turn_layers(company.rules.source), view, may)


@lru_cache(maxsize=2)
def load_turn_layers(source: str) -> LayerArrays:
    """Load the weights by which a source's net plays; made anew for every turn, they would take most of the time."""
    net = read_net(source)
    if net is None:
        raise ValueError(f"nobody has trained a net for {source}")
    return make_layer_arrays(net.turns)


def keep_likely_worlds(
    company: PlayingCompany, where: TurnPositions, drawn: tuple[IntArray, IntArray], worlds: int
) -> tuple[IntArray, IntArray]:
    """Keep so many worlds of each turn in which nets would most often have played as was played."""
    hands, talon = drawn
    best = count_strange_choices(company, where, hands).argsort(axis=1, kind="stable")[:, :worlds]
    kept = np.take_along_axis(hands, np.broadcast_to(best, (SURVEY_SEATS, *best.shape)), axis=2)
    return np.ascontiguousarray(kept), np.take_along_axis(talon, best, axis=1)


# ---- playouts
def weigh_by_nets(company: PlayingCompany, where: TurnPositions, worlds: int, seed: int, reads: bool) -> Weighed:
    """Weigh every card that may be played in some turns by playing it out with nets in so many lawful worlds."""
    coded, n = company.coded, where.size
    may, sole = np.zeros(n, np.int64), np.zeros(n, np.int64)
    rows = find_turns(coded, where.held, where.seats, where.cards, where.players, may, sole)
    drawn = draw_turn_worlds(coded, where, may, worlds * (DRAWN_FOR_ONE if reads else 1), seed)
    hands, talon = keep_likely_worlds(company, where, drawn, worlds) if reads else drawn
    turn, card = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    rows = list_rows(may, turn, card)
    turn, card = turn[:rows], card[:rows]
    lanes = np.repeat(turn, worlds)
    deals = allocate_lanes(lanes.size, tuple(map(int, coded)))
    deals.hands[:, : lanes.size] = hands[:, turn].reshape(SURVEY_SEATS, -1)
    deals.talon[: lanes.size] = talon[turn].ravel()
    play_out_by_nets(company, where, (lanes, np.repeat(card, worlds)), deals)
    replay_lines(coded, lanes.size, deals.hands, (deals.facts, deals.taken, deals.takers, deals.told), deals.cards)
    priced = company.prices.own(piece.TableDeals(deals, tuple(map(int, coded))), company.rules, company.pool)
    worth = priced.net[np.arange(lanes.size), where.seats[lanes]].astype(float)
    worth[priced.became[: lanes.size] != PRICED_SETTLED] = np.nan
    return Weighed(turn, card, worth.reshape(rows, worlds), 0, np.zeros(rows, np.bool_))


def play_out_by_nets(
    company: PlayingCompany, where: TurnPositions, chosen: tuple[IntArray, IntArray], deals: PlayedDeals
) -> None:
    """Play lanes to their end by nets. `chosen`: of each lane the turn that it goes out from, and the card played."""
    (lanes, card), known = chosen, where.cards.shape[0]
    size, me = lanes.size, where.seats[lanes]
    cards, players = deals.cards[:, :size], np.zeros((deals.cards.shape[0], size), np.uint8)
    cards[:known], players[:known] = where.cards[:, lanes], where.players[:, lanes]
    cards[known], players[known] = card, me
    hands, seats, may = deals.hands[:, :size], np.zeros(size, np.int64), np.zeros(size, np.int64)
    for step in range(known + 1, cards.shape[0]):
        find_players(company.coded, cards, players, step, seats)
        find_all_turns(company.coded, seats, hands, cards[:step], players[:step], may)
        own = np.where(seats == me, -1, 0)  # what the others have laid away or given he does not know
        sight = hands[seats, np.arange(size)], own & where.aside[lanes], own & where.given[lanes]
        cards[step] = choose_in_lanes(company, seats, sight, (cards[:step], players[:step]), may)
        players[step] = seats


def choose_in_lanes(
    company: PlayingCompany,
    seats: IntArray,
    sight: tuple[IntArray, IntArray, IntArray],
    played: tuple[Bytes, Bytes],
    may: IntArray,
) -> IntArray:
    """Choose in each lane by the net, where there is a choice. `sight`: cards held, laid away and given, as bits."""
    free = np.flatnonzero(may & (may - 1))
    chosen: IntArray = np.frexp((may & -may).astype(float))[1].astype(np.int64) - 1  # the only card, where there is one
    cards, players = (np.ascontiguousarray(row[:, free]) for row in played)
    view = TurnPositions(seats[free], sight[0][free], sight[1][free], sight[2][free], cards, players)
    chosen[free] = choose_by_net(company, view, may[free])
    return chosen


# ---- responders
def respond_by_search(company: PlayingCompany, where: TurnPositions, worlds: int, seed: int) -> IntArray:
    """Choose as the usual search of 64 worlds does."""
    return weigh_cards(company.prices, company.rules, where, company.pool, 64, seed).choose(where.size)


def respond_by_playouts(company: PlayingCompany, where: TurnPositions, worlds: int, seed: int) -> IntArray:
    """Choose the card that is best if nets go on from here."""
    return weigh_by_nets(company, where, worlds, seed, False).choose(where.size)


def respond_by_reading(company: PlayingCompany, where: TurnPositions, worlds: int, seed: int) -> IntArray:
    """Choose likewise, in the worlds in which nets would have come here."""
    return weigh_by_nets(company, where, worlds, seed, True).choose(where.size)


RESPONDERS: Mapping[str, Responder] = {
    SEARCH: respond_by_search,
    PLAYOUTS: respond_by_playouts,
    READING: respond_by_reading,
}


def play_response(
    company: PlayingCompany, dealt: PlayedDeals, n: int, seat: int, respond: Callable[[TurnPositions], IntArray]
) -> PlayedDeals:
    """Play the first n deals with a responder in one seat and nets in the others; the rest of a block by nets."""
    coded, size = company.coded, dealt.taken.size
    cards, players = np.zeros((44, size), np.uint8), np.zeros((44, size), np.uint8)
    seats, may = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for step in range(44):
        find_players(coded, cards, players, step, seats)
        find_all_turns(coded, seats, dealt.hands, cards[:step], players[:step], may)
        every = np.arange(size)
        chosen = choose_by_net(company, see_turns(seats, every, dealt, cards[:step], players[:step]), may)
        mine = np.flatnonzero((seats[:n] == seat) & (may[:n] & (may[:n] - 1) != 0))
        if mine.size:
            found = respond(see_turns(seats[mine], mine, dealt, cards[:step], players[:step]))
            chosen[mine] = np.where(found < 0, chosen[mine], found)
        cards[step], players[step] = chosen, seats
    played = replace(dealt, cards=cards)
    replayed = piece.replay_piece_deals(played, coded)
    return replace(replayed, told=replayed.told | dealt.told)


def price_players(company: PlayingCompany, played: PlayedDeals, n: int) -> Floats:
    """Price what each player wins in the first n deals: [n, 4]."""
    desk = piece.TableDeals(played, tuple(map(int, company.coded)))
    priced = company.prices.own(desk, company.rules, company.pool)
    if (priced.became[:n] != PRICED_SETTLED).any():
        raise AssertionError(f"{company.rules}: a deal is unlawful, or not settled")
    return priced.net[:n].astype(float)


# ---- figures
def measure_response_piece(company: PlayingCompany, name: str, numbers: range, worlds: int) -> list[float]:
    """Measure what a responder gains in each of some deals, on average over the four seats."""
    n = len(numbers)
    dealt = deal_to_company(company, numbers, np.full(SURVEY_SEATS, NET_PLAYER))
    usual = price_players(company, play_response(company, dealt, 0, 0, lambda where: where.seats), n)
    gains = np.zeros(n)

    def respond(where: TurnPositions) -> IntArray:
        return RESPONDERS[name](company, where, worlds, company.seed)

    for seat in range(SURVEY_SEATS):
        won = price_players(company, play_response(company, dealt, n, seat, respond), n)
        gains += (won[:, seat] - usual[:, seat]) / SURVEY_SEATS
    return [float(one) for one in gains]


def measure_responses(own: Library, siglum: str, deals: int, worlds: int, seed: int) -> dict[str, list[float]]:
    """Measure the gains of all responders under one source's rules; what has been measured before is read."""
    company, found = gather_company(own, siglum, seed), dict[str, list[float]]()
    weights = fingerprint_file(WEIGHTS_FOLDER / f"{siglum}.json")
    for name in RESPONDERS:
        gains = list[float]()
        for first in range(0, deals, _PIECE):
            numbers = range(first, min(first + _PIECE, deals))
            key = f"{own.rules_digest} {siglum} {weights} {name} {numbers} {worlds} {seed}"
            gains += keep_measured(_KEPT, key, partial(measure_response_piece, company, name, numbers, worlds))
        found[name] = gains
        sys.stderr.write(f"{siglum}: {name}: {sum_up_gains(gains)}\n")
    return found


def sum_up_sources(
    found: Mapping[str, Mapping[str, Sequence[float]]], pools: Mapping[str, int]
) -> dict[str, dict[str, GainLine]]:
    """Sum up the gains of every source, and of all together: deal by deal, in hundredths of the first pool."""
    lines = {siglum: {name: sum_up_gains(gains) for name, gains in each.items()} for siglum, each in found.items()}
    shares = {
        name: np.mean([100 * np.array(each[name]) / pools[siglum] for siglum, each in found.items()], axis=0)
        for name in RESPONDERS
    }
    return {ALL_SOURCES: {name: sum_up_gains(each.tolist()) for name, each in shares.items()}, **lines}


def sum_up_gains(gains: Sequence[float]) -> GainLine:
    """Sum up gains, one a deal."""
    each = np.array(gains)
    return {
        "deals from four seats": each.size,
        "gain a deal": round(float(each.mean()), 2),
        "give or take": round(1.96 * float(each.std(ddof=1)) / each.size**0.5, 2),
    }


def list_response_surprises(figures: Mapping[str, Mapping[str, GainLine]]) -> Iterator[str]:
    """Yield what did not come as expected."""
    for siglum, found in figures.items():
        before = -np.inf
        for name, line in found.items():
            if line["gain a deal"] <= line["give or take"]:
                yield f"{siglum}: no clear gain: {name}"
            if line["gain a deal"] <= before:
                yield f"{siglum}: no more than the one before: {name}"
            before = line["gain a deal"]


def main(words: list[str] | None = None) -> int:
    """Measure the responses; with all sources, leave a receipt."""
    parser = ProofParser("responses", __doc__)
    parser.add_number("--deals", 48, "how many, each from four seats; two at least", least=2)
    parser.add_number("--worlds", 32, "in which every card is played out")
    parser.add_seed(1785)
    parser.add_sources()
    given = parser.parse_args(words)
    own = library()
    command = f"python -m proofs.responses --deals {given.deals} --worlds {given.worlds} --seed {given.seed}"
    command += format_sources(given.source)
    sources = parser.match_sources(own, given.source) or sorted(own.sources)
    place = parser.choose_place(given, command) if given.out or not given.source else None
    found = {one: measure_responses(own, one, given.deals, given.worlds, given.seed) for one in sources}
    figures = sum_up_sources(found, {one: piece.get_deal_pricer(own).bind(Rules(one))[1].stake for one in sources})
    for surprise in list_response_surprises(figures):
        sys.stdout.write(f"unexpected: {surprise}\n")
    if place:
        measured = {**figures, NETS: fingerprint_nets(sources)}
        store_receipt(place, build_receipt("responses", _SAYS, command, given.seed, own.rules_digest, measured))
    else:
        sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main, _KEPT))
