"""Tables of players of several kinds: many deals side by side, a card at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.deal.pool import Pool
from engine.players import preferences as policies
from engine.players.nets import TrainedNet
from lab.players.exchange import DISCARDING, GIVING, Offers, may_exchange, weigh_offers
from lab.players.net_batch import choose_offers_by_net, choose_turns_by_net, make_layer_arrays
from lab.players.search import TurnPositions, Weighed, weigh_cards
from lab.players.turns import find_next_seat, find_turn
from lab.survey import chunk as piece
from lab.survey.buffers import NO_CARD, Bytes, IntArray, PlayedDeals, allocate_deals
from lab.survey.encode_rules import PlayRuleColumn
from lab.survey.jit import count_bits, find_kth_bit, i64, jit_compile
from lab.survey.play_rules import BLOCK, deal_block, flag_dealt_events, list_quinolas, list_trumps
from lab.survey.play_single import (
    choose_preferred_card,
    choose_preferred_discard,
    exchange_seat,
    is_taking_trick,
    swap_card,
)
from lab.survey.pricing import PRICED_SETTLED
from lab.survey.request import Rules
from lab.survey.rng import EXCHANGING, PLAYING, draw_bits, scale_draw, start_stream

Lots: TypeAlias = npt.NDArray[np.uint64]
#: kinds of players; a positive number is that of the worlds of a search
RANDOM_PLAYER, CAUTIOUS_PLAYER, NET_PLAYER = 0, -1, -2
Watch: TypeAlias = Callable[[TurnPositions | Offers, Weighed, bool], None]  #: is shown all that a search weighs
LANES_AT_ONCE = 1 << 15  #: playouts that are priced together


@jit_compile
def find_players(rules: IntArray, cards: Bytes, players: Bytes, step: int, seats: IntArray) -> None:
    """Find whose turn it is after so many cards."""
    for at in range(seats.size):
        seats[at] = find_next_seat(rules, cards[:, at], players[:, at], step)


@jit_compile
def choose_simply(
    rules: IntArray,
    liked: IntArray,
    kinds: IntArray,
    seats: IntArray,
    may: IntArray,
    lots: Lots,
    cards: Bytes,
    step: int,
    chosen: IntArray,
) -> None:
    """Choose a card for whoever does not search, or has no choice; the others are left as they are."""
    for at in range(seats.size):
        kind, draw = kinds[at, seats[at]], draw_bits(lots[at], PLAYING + step)
        if kind == RANDOM_PLAYER or count_bits(may[at]) == 1:
            chosen[at] = find_kth_bit(may[at], scale_draw(draw, count_bits(may[at])))
        elif kind == CAUTIOUS_PLAYER or chosen[at] < 0:
            place, led, best = step & 3, i64(-1), i64(0)
            for back in range(place):
                card = i64(cards[step - place + back, at])
                best = card if is_taking_trick(card, led, best, list_trumps(rules)) else best
                led = card if back == 0 else led
            quinolas = list_quinolas(rules)
            chosen[at] = choose_preferred_card(liked, may[at], led, best, place == 3, quinolas, draw)


@jit_compile
def find_all_turns(
    rules: IntArray, seats: IntArray, hands: IntArray, cards: Bytes, players: Bytes, may: IntArray
) -> None:
    """Find what may be played in every deal."""
    for at in range(seats.size):
        may[at] = find_turn(rules, seats[at], hands[seats[at], at], cards[:, at], players[:, at])[0]


@dataclass(frozen=True, slots=True)
class PlayingCompany:
    """Rules, pool and seed by which a company plays; what kind of player sits where is told with each deal."""

    prices: piece.DealPricer
    rules: Rules
    pool: Pool
    seed: int
    net: TrainedNet | None = None  #: of those who play by a net
    watch: Watch | None = None

    @classmethod
    def at_table(
        cls, prices: piece.DealPricer, rules: Rules, seed: int, net: TrainedNet | None = None
    ) -> PlayingCompany:
        """Gather the players at a table with its opening pool."""
        return cls(prices, rules, prices.bind(rules)[1], seed, net)

    @property
    def coded(self) -> IntArray:
        """The rules of play as numbers."""
        return np.array(self.prices.rules(self.rules, self.pool)[1], np.int64)

    def settle(self, played: PlayedDeals, n: int) -> IntArray:
        """Settle the first n of some deals: what each seat wins. Raises AssertionError if any is not settled."""
        desk = piece.TableDeals(played, tuple(map(int, self.coded)))
        priced = self.prices.own(desk, self.rules, self.pool)
        if (priced.became[:n] != PRICED_SETTLED).any():
            raise AssertionError(f"{self.rules}: a deal played by the company is not settled")
        return priced.net[:n]


@jit_compile
def deal_unexchanged(rules: IntArray, seed: int, first: int, hands: IntArray, talon: IntArray, flags: IntArray) -> None:
    """Deal the cards of a survey's deals: eleven to each but the dealer, who has twelve, and three to the talon."""
    held, turned = np.zeros((4, BLOCK), np.int64), np.zeros(BLOCK, np.int64)
    lots, room, events = np.zeros(BLOCK, np.uint64), np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.int64)
    for start in range(0, talon.size, BLOCK):
        for lane in range(BLOCK):
            lots[lane] = start_stream(seed, first + start + lane)
        deal_block(lots, held, turned, room)
        flag_dealt_events(rules, held, turned, events)
        end = start + BLOCK
        hands[:, start:end], talon[start:end], flags[start:end] = held, turned, events


@jit_compile
def exchange_by_preference(
    rules: IntArray,
    liked: IntArray,
    seat: int,
    simple: IntArray,
    lots: Lots,
    hands: IntArray,
    talon: IntArray,
    dealt: IntArray,
    swaps: Bytes,
) -> None:
    """Have one seat exchange by preference in these deals."""
    for at in simple:
        talon[at] = exchange_seat(rules, liked, lots[at], hands, talon[at], at, swaps, dealt[at], seat)


@jit_compile
def exchange_as_chosen(
    seat: int,
    deals: IntArray,
    chosen: IntArray,
    lots: Lots,
    hands: IntArray,
    talon: IntArray,
    dealt: IntArray,
    swaps: Bytes,
) -> None:
    """Have one seat lay away the card chosen in each of these deals, if any."""
    for i in range(deals.size):
        at = deals[i]
        if chosen[i] != NO_CARD:
            talon[at] = swap_card(seat, chosen[i], lots[at], hands, talon[at], at, swaps, dealt[at])


@jit_compile
def swap_gifts(liked: IntArray, quinolas: int, lots: Lots, gifts: IntArray, hands: IntArray, swaps: Bytes) -> None:
    """Have players who sit opposite give each other the card chosen, or, where it is -1, what they would lay away."""
    for at in range(hands.shape[1]):
        for seat in range(4):
            if gifts[seat, at] < 0:
                lot = draw_bits(lots[at], EXCHANGING + 10 + seat)
                gifts[seat, at] = choose_preferred_discard(liked, hands[seat, at], quinolas, lot)
            swaps[8 + seat, at] = gifts[seat, at]
        for seat in range(4):
            given = i64(1) << gifts[seat, at]
            hands[seat, at] ^= given
            hands[(seat + 2) & 3, at] |= given


def require_net(company: PlayingCompany) -> TrainedNet:
    """Return the company's net. Raises ValueError where it has none."""
    if company.net is None:
        raise ValueError(f"nobody has trained a net for {company.rules}")
    return company.net


def choose_offers(
    company: PlayingCompany, who: tuple[int, IntArray, IntArray], stage: int, kind: int, seed: int
) -> IntArray:
    """Choose what each of some players in a seat lays away, or gives: by search, or by a net."""
    seat, hands, aside = who
    if kind == NET_PLAYER:
        layers = make_layer_arrays(require_net(company).offers)
        return choose_offers_by_net(company.coded, layers, Offers(seat, hands, aside), stage)
    worlds = kind
    chosen, size = np.zeros(hands.size, np.int64), max(1, LANES_AT_ONCE // (12 * worlds))
    for start in range(0, hands.size, size):
        part = slice(start, start + size)
        offers = Offers(seat, np.ascontiguousarray(hands[part]), np.ascontiguousarray(aside[part]))
        weighed = weigh_offers(company.prices, company.rules, offers, stage, company.pool, worlds, seed)
        if company.watch:
            company.watch(offers, weighed, stage == GIVING)
        chosen[part] = weighed.choose(offers.hands.size)
    return chosen


def deal_to_company(company: PlayingCompany, numbers: range, kinds: IntArray, seed: int = 0) -> PlayedDeals:
    """Deal as a survey does, and have everyone exchange as his kind does; nothing is played yet.

    There are as many deals as fill the last block; `kinds`: [deals, 4], or of one deal for all.
    """
    coded, n = company.coded, -(-len(numbers) // BLOCK) * BLOCK
    kinds = np.broadcast_to(kinds, (n, 4))
    deals = allocate_deals(n, len(piece.list_further_cards(coded)), bool(coded[PlayRuleColumn.ACROSS]))
    deal_unexchanged(coded, company.seed, numbers.start, deals.hands, deals.talon, deals.told)
    usual, dealt = np.array(policies.build_preference_table(), np.int64), deals.talon.copy()
    lots = start_streams(company.seed, numbers.start, n)
    for seat in range(4):
        seeks = may_exchange(coded, seat) & list_thoughtful(kinds[:, seat])
        simple, nothing = np.flatnonzero(~seeks), np.zeros(n, np.int64)
        exchange_by_preference(coded, usual, seat, simple, lots, deals.hands, deals.talon, dealt, deals.swaps)
        for kind in sorted({*kinds[seeks, seat].tolist()}):
            some = np.flatnonzero(seeks & (kinds[:, seat] == kind))
            chosen = choose_offers(company, (seat, deals.hands[seat, some], nothing[some]), DISCARDING, kind, seed)
            exchange_as_chosen(seat, some, chosen, lots, deals.hands, deals.talon, dealt, deals.swaps)
    if coded[PlayRuleColumn.ACROSS]:
        gifts, aside = np.full((4, n), -1, np.int64), make_card_bits(deals.swaps[:4])
        for seat in range(4):
            for kind in sorted({*kinds[list_thoughtful(kinds[:, seat]), seat].tolist()}):
                some = np.flatnonzero(kinds[:, seat] == kind)
                who = seat, deals.hands[seat, some], aside[seat, some]
                gifts[seat, some] = choose_offers(company, who, GIVING, kind, seed)
        swap_gifts(usual, list_quinolas(coded), lots, gifts, deals.hands, deals.swaps)
    return deals


def list_thoughtful(kinds: IntArray) -> npt.NDArray[np.bool_]:
    """List who chooses otherwise than by preference or at random."""
    thoughtful: npt.NDArray[np.bool_] = (kinds > 0) | (kinds == NET_PLAYER)
    return thoughtful


def make_card_bits(cards: Bytes) -> IntArray:
    """Return one card in each column as a bit, none as 0."""
    return np.where(cards == NO_CARD, 0, np.int64(1) << (cards.astype(np.int64) & 63))


def cut_turns(turns: IntArray, worlds: int) -> list[IntArray]:
    """Cut turns into parts whose playouts are priced together."""
    size = max(1, LANES_AT_ONCE // (6 * worlds))
    return [turns[start : start + size] for start in range(0, turns.size, size)]


def see_turns(who: IntArray, deals: IntArray, dealt: PlayedDeals, cards: Bytes, players: Bytes) -> TurnPositions:
    """Take the views of these players in these deals, after the cards so far."""
    aside, across = make_card_bits(dealt.swaps[who, deals]), dealt.swaps.shape[0] > 8
    return TurnPositions(
        who.copy(),
        dealt.hands[who, deals],
        aside,
        make_card_bits(dealt.swaps[8 + who, deals]) if across else np.zeros_like(aside),
        np.ascontiguousarray(cards[:, deals]),
        np.ascontiguousarray(players[:, deals]),
    )


def iter_turns(
    company: PlayingCompany, played: PlayedDeals, worlds: int, n: int
) -> Iterator[tuple[IntArray, TurnPositions]]:
    """Yield the turns of the first n deals in which there was a choice, with the numbers of the deals."""
    coded, size = company.coded, played.taken.size
    seats, may, players = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros((44, size), np.uint8)
    for step in range(44):
        find_players(coded, played.cards, players, step, seats)
        find_all_turns(coded, seats, played.hands, played.cards[:step], players[:step], may)
        players[step] = seats
        free = [at for at, bits in enumerate(may[:n].tolist()) if bits.bit_count() > 1]
        for part in cut_turns(np.array(free, np.int64), worlds):
            yield part, see_turns(seats[part], part, played, played.cards[:step], players[:step])


def play_company(company: PlayingCompany, dealt: PlayedDeals, kinds: IntArray, seed: int = 0) -> PlayedDeals:
    """Play deals card by card, each seat as its kind does; what it comes to is not priced yet.

    `kinds`: [deals, 4], or of one deal for all.
    """
    coded, n = company.coded, dealt.taken.size
    cards, players = np.zeros((44, n), np.uint8), np.zeros((44, n), np.uint8)
    seats, may, chosen = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    kinds = np.ascontiguousarray(np.broadcast_to(kinds, (n, 4)))
    layers = make_layer_arrays(require_net(company).turns) if NET_PLAYER in kinds else ()
    usual, lots, at = np.array(policies.build_preference_table(), np.int64), start_streams(seed, 0, n), np.arange(n)
    for step in range(44):
        find_players(coded, cards, players, step, seats)
        find_all_turns(coded, seats, dealt.hands, cards[:step], players[:step], may)
        chosen[:] = -1
        free = may & (may - 1) != 0  # more than one card may be played
        kind = kinds[at, seats]
        for worlds in sorted({*kind[free & (kind > 0)].tolist()}):
            for part in cut_turns(np.flatnonzero(free & (kind == worlds)), worlds):
                where = see_turns(seats[part], part, dealt, cards[:step], players[:step])
                weighed = weigh_cards(company.prices, company.rules, where, company.pool, worlds, seed)
                chosen[part] = weighed.choose(part.size)
                if company.watch:
                    company.watch(where, weighed, False)
        if layers and (by_net := np.flatnonzero(free & (kind == NET_PLAYER))).size:
            where = see_turns(seats[by_net], by_net, dealt, cards[:step], players[:step])
            chosen[by_net] = choose_turns_by_net(coded, layers, where, may[by_net])
        choose_simply(coded, usual, kinds, seats, may, lots, cards, step, chosen)
        cards[step], players[step] = chosen, seats
    played = PlayedDeals(
        dealt.facts, dealt.taken, dealt.takers, dealt.talon, dealt.told, dealt.hands, cards, dealt.swaps
    )
    replayed = piece.replay_piece_deals(played, coded)
    return replace(replayed, told=replayed.told | dealt.told)


def start_streams(seed: int, first: int, n: int) -> Lots:
    """Start a stream of lots for each deal."""
    return np.array([start_stream(seed, first + at) for at in range(n)], np.uint64)
