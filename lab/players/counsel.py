"""Advice on play, tried: cards that are advised against those that are not, both priced by search.

A condition looks at a turn as the player sees it, and says which cards follow the advice and which go against it. Of
both the best as search finds it are priced on fresh worlds, in deals that everyone plays as the search does. A claim is
tried otherwise: on the results of whole deals, which are played by the net of the source. `counsel_discards` tries
advice on what is laid away before play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from engine.cards import CARD_RANKS, HEARTS_INDEX, cards_of, make_card_mask, parse_card_name, rank_of, suit_of
from lab.players.arena import NET_PLAYER, PlayingCompany, deal_to_company, iter_turns, play_company
from lab.players.regret import FRESH, seat_searching_players, select_turns
from lab.players.search import Floats, TurnPositions, Weighed, play_out_cards
from lab.players.turns import find_turn
from lab.survey.buffers import HOLDER, IntArray, PlayedDeals
from lab.survey.encode_rules import DEALER
from lab.survey.play_rules import list_quinolas, list_trumps
from lab.survey.play_single import is_taking_trick
from lab.survey.request import SURVEY_SEATS

_COURT_RANKS = range(CARD_RANKS.index("J"), len(CARD_RANKS))  #: jack, queen, king, ace


@dataclass(frozen=True, slots=True)
class CounselTrial:
    """One way to try advice or a claim: the name of a condition, and the cards or ranks that it is about."""

    condition: str
    cards: tuple[str, ...] = ()
    over: tuple[str, ...] = ()  #: rather than these; none for all others
    high: str = ""  #: a card of this rank or above is high
    low: str = ""  #: a card of this rank or below is low


class AdvisedCards(NamedTuple):
    """Cards that follow an advice, and cards that go against it, as bits; a turn is a case where there are both."""

    followed: int
    against: int

    @property
    def is_case(self) -> bool:
        """Return whether there is a choice between both."""
        return bool(self.followed and self.against)


NO_CASE = AdvisedCards(0, 0)  #: the advice says nothing here


@dataclass(frozen=True, slots=True)
class TurnSight:
    """A turn as the player sees it, as far as advice asks for it; cards as bits."""

    hand: int
    may: int
    row: tuple[int, ...]  #: the trick on the table, in order
    taking: int  #: of those that may be played, what would lie highest now
    won: int  #: the card with which the player took the trick before, if he now leads; -1 for none
    quinolas: int
    seen: int  #: what was played, or laid away by the player

    @property
    def follows(self) -> bool:
        """Return whether only cards of the suit led may be played."""
        return bool(self.row) and not self.may & ~_get_suit(suit_of(self.row[0]))

    @property
    def renounces(self) -> bool:
        """Return whether the player has none of the suit led."""
        return bool(self.row) and not self.hand & _get_suit(suit_of(self.row[0]))


def _get_suit(suit: int) -> int:
    return 0xFFFF << 16 * suit


def _list_ranks(cards: int, ranks: range) -> int:
    """Select cards of some ranks."""
    return make_card_mask(card for card in cards_of(cards) if rank_of(card) in ranks)


def parse_cards(names: Sequence[str]) -> int:
    """Parse names of cards into bits."""
    return make_card_mask(map(parse_card_name, names))


# ---- conditions
def play_below(turn: TurnSight, _: CounselTrial) -> AdvisedCards:
    """Follow below the card led."""
    if not turn.follows:
        return NO_CASE
    lower = _list_ranks(turn.may, range(rank_of(turn.row[0])))
    return AdvisedCards(lower, turn.may & ~lower)


def avoid_points(turn: TurnSight, _: CounselTrial) -> AdvisedCards:
    """Stay below the best card of a trick in which aces or court cards lie."""
    counts = any(rank_of(card) in _COURT_RANKS for card in turn.row)
    return AdvisedCards(turn.may & ~turn.taking, turn.taking) if counts else NO_CASE


def take_high(turn: TurnSight, _: CounselTrial) -> AdvisedCards:
    """Take with the highest card, if one takes as the last to play."""
    if len(turn.row) < SURVEY_SEATS - 1 or not turn.taking:
        return NO_CASE
    highest = 1 << turn.taking.bit_length() - 1
    return AdvisedCards(highest, turn.taking & ~highest)


def return_low(turn: TurnSight, _: CounselTrial) -> AdvisedCards:
    """Lead the lowest card of the suit in which one has just taken with a higher one."""
    if turn.won < 0:
        return NO_CASE
    same = _list_ranks(turn.may & _get_suit(suit_of(turn.won)), range(rank_of(turn.won)))
    return AdvisedCards(same & -same, turn.may & ~(same & -same))


def lead_low(turn: TurnSight, trial: CounselTrial) -> AdvisedCards:
    """Lead the low card of a suit of which one holds a high one too."""
    if turn.row:
        return NO_CASE
    high, low = range(CARD_RANKS.index(trial.high), len(CARD_RANKS)), range(CARD_RANKS.index(trial.low) + 1)
    followed = 0
    for suit in range(4):
        held = turn.may & _get_suit(suit)
        lowest = _list_ranks(held & -held, low)
        followed |= lowest if _list_ranks(held, high) else 0
    return AdvisedCards(followed, turn.may & ~followed)


def throw_cards(turn: TurnSight, trial: CounselTrial) -> AdvisedCards:
    """Throw these cards off on another suit, rather than all others or than some."""
    if not turn.renounces:
        return NO_CASE
    followed = turn.may & parse_cards(trial.cards)
    return AdvisedCards(followed, turn.may & ~followed & (parse_cards(trial.over) if trial.over else -1))


def throw_high(turn: TurnSight, _: CounselTrial) -> AdvisedCards:
    """Throw the highest cards off on another suit."""
    if not turn.renounces:
        return NO_CASE
    top = max(map(rank_of, cards_of(turn.may)))
    followed = _list_ranks(turn.may, range(top, top + 1))
    return AdvisedCards(followed, turn.may & ~followed)


def lead_hearts(turn: TurnSight, _: CounselTrial) -> AdvisedCards:
    """Lead a heart while the quinola is out and in another hand, as far as the player knows."""
    out = not turn.quinolas & (turn.hand | turn.seen)
    if turn.row or not out:
        return NO_CASE
    followed = turn.may & _get_suit(HEARTS_INDEX)
    return AdvisedCards(followed, turn.may & ~followed)


def guard_quinola(turn: TurnSight, _: CounselTrial) -> AdvisedCards:
    """Part with no other heart while one holds the quinola."""
    if not turn.quinolas & turn.hand or turn.follows:
        return NO_CASE
    hearts = turn.may & _get_suit(HEARTS_INDEX)
    return AdvisedCards(turn.may & ~hearts, hearts & ~turn.quinolas)


def keep_from_leading(turn: TurnSight, trial: CounselTrial) -> AdvisedCards:
    """Lead anything rather than these cards."""
    against = 0 if turn.row else turn.may & parse_cards(trial.cards)
    return AdvisedCards(turn.may & ~against, against)


AdviceCondition: TypeAlias = Callable[[TurnSight, CounselTrial], AdvisedCards]
ADVICE_CONDITIONS: Mapping[str, AdviceCondition] = {
    "play-below": play_below,
    "avoid-points": avoid_points,
    "take-high": take_high,
    "return-low": return_low,
    "lead-low": lead_low,
    "throw-cards": throw_cards,
    "throw-high": throw_high,
    "lead-hearts": lead_hearts,
    "guard-quinola": guard_quinola,
    "keep-from-leading": keep_from_leading,
}


# ---- what a player sees
def make_turn_sight(coded: IntArray, positions: TurnPositions, at: int) -> TurnSight:
    """Make of one of several turns what advice asks for."""
    seat, held = int(positions.seats[at]), int(positions.held[at])
    cards, players = positions.cards[:, at], positions.players[:, at]
    played, step = [int(card) for card in cards], cards.size
    mine = make_card_mask(card for card, who in zip(played, players.tolist(), strict=True) if who == seat)
    may = int(find_turn(coded, positions.seats[at], positions.held[at], cards, players)[0])
    row, before = tuple(played[step - step % 4 :]), tuple(played[step - 4 :]) if step and step % 4 == 0 else ()
    taker = find_highest_place(coded, before) if before else -1
    took = taker >= 0 and int(players[step - 4 + taker]) == seat
    taking = make_card_mask(
        card for card in cards_of(may) if row and (find_highest_place(coded, (*row, card)) == len(row))
    )
    seen = make_card_mask(played) | int(positions.aside[at])
    quinolas = int(list_quinolas(coded))
    won = before[taker] if took else -1
    return TurnSight(held & ~mine, may, row, taking, won, quinolas, seen)


def find_highest_place(coded: IntArray, row: Sequence[int]) -> int:
    """Find the place of the card that lies highest."""
    trumps, won = list_trumps(coded), 0
    for place, card in enumerate(row):
        won = place if is_taking_trick(card, row[0] if place else -1, row[won], trumps) else won
    return won


# ---- trying advice
@dataclass(frozen=True, slots=True)
class TriedAdvice:
    """Advice tried on some deals: [deals] each, sums over the cases of a deal."""

    cases: IntArray
    agreed: IntArray  #: in how many of them the best card follows the advice
    cost: Floats  #: how much less the best card that follows it is worth than the best of all
    gain: Floats  #: how much more it is worth than the best card that goes against it
    ahead: Floats  #: how much more those that follow it are worth on average than those that do not


def make_tried_advice(n: int) -> TriedAdvice:
    """Make what comes of advice before any case, on n deals."""
    return TriedAdvice(*np.zeros((2, n), np.int64), *np.zeros((3, n)))


def try_advice(
    company: PlayingCompany, trials: Sequence[CounselTrial], numbers: range, worlds: int, seed: int = 0
) -> tuple[TriedAdvice, ...]:
    """Try each of some pieces of advice in every turn of these deals to which it applies. Raises Unsurveyed."""
    n = len(numbers)
    kinds = seat_searching_players(n, worlds)
    played = play_company(company, deal_to_company(company, numbers, kinds, seed), kinds, seed)
    tried = tuple(make_tried_advice(n) for _ in trials)
    for deals, positions in iter_turns(company, played, worlds, n):
        advised = list_advised(company.coded, positions, trials)
        if not advised:
            continue
        some = np.array([*advised], np.int64)
        where = select_turns(positions, some)
        prices = company.prices
        worths, fresh = (
            list_worths(play_out_cards(prices, company.rules, where, company.pool, worlds, draw_seed).weigh(prices))
            for draw_seed in (seed, seed + FRESH)
        )
        for column, (at, cases) in enumerate(advised.items()):
            for trial, cards in cases:
                add_case(tried[trial], int(deals[at]), cards, worths.get(column, {}), fresh.get(column, {}))
    return tried


def list_advised(
    coded: IntArray, positions: TurnPositions, trials: Sequence[CounselTrial]
) -> dict[int, list[tuple[int, AdvisedCards]]]:
    """List the turns to which some advice applies, with the advice by its number and the cards."""
    cases_by_turn = dict[int, list[tuple[int, AdvisedCards]]]()
    for at in range(positions.size):
        turn = make_turn_sight(coded, positions, at)
        each = ((number, ADVICE_CONDITIONS[trial.condition](turn, trial)) for number, trial in enumerate(trials))
        if cases := [(number, cards) for number, cards in each if cards.is_case]:
            cases_by_turn[at] = cases
    return cases_by_turn


def list_worths(weighed: Weighed) -> dict[int, dict[int, float]]:
    """List what every card of every turn is worth; none that is not settled in any world."""
    worths = dict[int, dict[int, float]]()
    for at, card, mean in zip(weighed.turn.tolist(), weighed.card.tolist(), weighed.means.tolist(), strict=True):
        if np.isfinite(mean):
            worths.setdefault(at, {})[card] = mean
    return worths


def add_case(
    tried: TriedAdvice, deal: int, cards: AdvisedCards, worths: Mapping[int, float], fresh: Mapping[int, float]
) -> None:
    """Add a case: cards are chosen by what was found, and priced by what fresh worlds tell."""
    known = make_card_mask(worths.keys() & fresh.keys())
    followed, against = ([*cards_of(some & known)] for some in cards)
    if not followed or not against:
        return
    best, mine, other = (max(some, key=lambda card: worths[card]) for some in (cards_of(known), followed, against))
    tried.cases[deal] += 1
    tried.agreed[deal] += best in followed
    tried.cost[deal] += fresh[best] - fresh[mine]
    tried.gain[deal] += fresh[mine] - fresh[other]
    means = [sum(fresh[card] for card in some) / len(some) for some in (followed, against)]
    tried.ahead[deal] += means[0] - means[1]


# ---- trying claims
@dataclass(frozen=True, slots=True)
class DealResults:
    """Whole deals with what everybody won in them."""

    played: PlayedDeals
    net: Floats  #: [deals, 4]


def compare_seats(net: Floats, seats: IntArray) -> Floats:
    """Compare what one seat of each deal won with what the other three did on average."""
    own = net[np.arange(seats.size), seats]
    compared: Floats = own - (net.sum(axis=1) - own) / (SURVEY_SEATS - 1)
    return compared


def compare_dealers(results: DealResults, _: CounselTrial) -> tuple[Floats, IntArray]:
    """Compare what the dealer won with what the others did."""
    n = results.net.shape[0]
    return compare_seats(results.net, np.full(n, DEALER)), np.ones(n, np.int64)


def compare_holders(results: DealResults, trial: CounselTrial) -> tuple[Floats, IntArray]:
    """Compare how much the holder of a card won or lost with how much the others did."""
    holds = results.played.hands[:, : results.net.shape[0]] & np.int64(parse_cards(trial.cards)) != 0
    swing = compare_seats(np.abs(results.net), holds.argmax(axis=0))
    return np.where(holds.any(axis=0), swing, 0.0), holds.any(axis=0).astype(np.int64)


def compare_courts(results: DealResults, _: CounselTrial) -> tuple[Floats, IntArray]:
    """Compare how much less than the others the player won who held most aces and court cards."""
    hands = results.played.hands[:, : results.net.shape[0]].tolist()
    counts = np.array([[_list_ranks(hand, _COURT_RANKS).bit_count() for hand in seat] for seat in hands])
    sole = (counts == counts.max(axis=0)).sum(axis=0) == 1
    return np.where(sole, -compare_seats(results.net, counts.argmax(axis=0)), 0.0), sole.astype(np.int64)


def compare_espagnolettes(results: DealResults, _: CounselTrial) -> tuple[Floats, IntArray]:
    """Compare what the holder of the espagnolette won with what the others did."""
    holder = results.played.told[: results.net.shape[0]] >> HOLDER & 7  # the seat plus one; 0 where nobody held it
    held = (holder > 0).astype(np.int64)
    return compare_seats(results.net, np.maximum(holder - 1, 0)) * held, held


ClaimCondition: TypeAlias = Callable[[DealResults, CounselTrial], tuple[Floats, IntArray]]
#: What is compared, in each deal, and in which deals there is something to compare; above 0 the claim is true.
CLAIM_CONDITIONS: Mapping[str, ClaimCondition] = {
    "dealer-ahead": compare_dealers,
    "holder-swings": compare_holders,
    "courts-lose": compare_courts,
    "espagnolette-ahead": compare_espagnolettes,
}


def play_by_net(company: PlayingCompany, numbers: range) -> DealResults:
    """Play deals by the net of the source. Raises ValueError where there is none."""
    n, kinds = len(numbers), np.full(SURVEY_SEATS, NET_PLAYER)
    played = play_company(company, deal_to_company(company, numbers, kinds), kinds)
    return DealResults(played, company.settle(played, n).astype(np.float64))


# ---- summing up
class CaseMean(NamedTuple):
    """A mean over cases, and how far its 95 % interval reaches to either side, from the spread over the deals."""

    mean: float
    margin: float


def average_cases(sums: Floats, cases: IntArray) -> CaseMean:
    """Average what was summed up deal by deal over the cases; the cases of a deal hang together."""
    total = int(cases.sum())
    if total == 0:
        return CaseMean(0.0, float("inf"))
    mean, dealt = float(sums.sum()) / total, int((cases > 0).sum())
    if dealt < 2:
        return CaseMean(mean, float("inf"))
    spread = float((((sums - mean * cases) ** 2).sum() * dealt / (dealt - 1)) ** 0.5)
    return CaseMean(mean, 1.96 * spread / total)


def list_place_means(results: DealResults) -> Iterator[CaseMean]:
    """Yield what is won in each place at the table, the eldest first and the dealer last."""
    for seat in range(SURVEY_SEATS):
        yield average_cases(results.net[:, seat], np.ones(results.net.shape[0], np.int64))
