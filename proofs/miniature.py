"""Three-trick miniatures, solved by counterfactual regret, and how far each kind of player is from the solution.

    python -m proofs.miniature [--games 4] [--rounds 300] [--seed 1785] [--source PAM]

A miniature is the end of a real deal. Four nets have played eight tricks of it; these, and the cards laid away, lie
open to everyone. Each player holds three more cards, and knows his own. The twelve cards may lie in any way that is
lawful after what was played, each as likely as another: nothing else is read into the eight tricks. The last three
tricks are played, and the whole deal is paid by the tariff of the source. Of the deals with numbers from nought on,
those are taken in which the cards may lie in 12 to 24 ways, so that every line of play can be written out, and in
which random players could do better.

Regret matching runs so many rounds (`proofs.counterfactual`). Among four players nothing says that it ends in an
equilibrium, nor that there is only one; so the exploitability of its average strategies is told as well, exactly: what
each of the four could win more if he alone knew the strategies of the others, all four together. It is told likewise
of four random or cautious players, nets, and searches of 16 and 64 worlds, each as it chooses at every information
set, cautious ones sixteen times over, for they draw lots among equals. The gap is what one of a kind among three of
the solution wins less than they do in his seat, on average over the seats; it is below nought where the solution is no
equilibrium. Of a single miniature all this is exact, in the smallest unit of the source; as they are few, the least and
the greatest stand beside their mean. Over all sources each kind's exploitability is compared with that of the random
players in the same miniature, with a 95 % interval from the spread over the miniatures.

Written down before the run: the solution's exploitability is less than a hundredth of the random players'; that of the
kinds falls from random to cautious, to net, to search 16 and to search 64; and no kind is ahead of the solution in its
own company.

Every miniature is kept in `build/miniature/`, so that a run which was broken off goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice, pairwise
from statistics import mean
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.cards import make_card_mask
from engine.players import preferences as policies
from engine.players.policy import WEIGHTS_FOLDER
from lab.players.arena import (
    CAUTIOUS_PLAYER,
    NET_PLAYER,
    RANDOM_PLAYER,
    PlayingCompany,
    choose_simply,
    cut_turns,
    deal_to_company,
    find_players,
    play_company,
    require_net,
    start_streams,
)
from lab.players.hidden_hands import find_barred_cards, list_cases, list_special_cards
from lab.players.net_batch import choose_turns_by_net, make_layer_arrays
from lab.players.regret import select_turns
from lab.players.search import Floats, TurnPositions, try_all_lines, weigh_cards
from lab.players.turns import NOBODY
from lab.survey.buffers import Bytes, IntArray, PlayedDeals
from lab.survey.play_rules import BLOCK
from lab.survey.pricing import PRICED_SETTLED
from lab.survey.request import SURVEY_SEATS
from proofs.arguments import ProofParser, format_sources, run_proof, store_receipt
from proofs.counterfactual import (
    GameLevel,
    Profile,
    SmallGame,
    follow_level,
    make_level,
    make_uniform_profile,
    measure_gap,
    measure_profile,
    solve_game,
)
from proofs.kept import BUILD, fingerprint_nets, keep_measured
from proofs.strength import gather_company, name_kind
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import NETS, build_receipt, fingerprint_file

_KEPT = BUILD / "miniature"
_SAYS = (
    "The last three tricks of real deals, solved by counterfactual regret: what four players of a kind could each win"
    " more by the best response to the others, in all, and what one of the kind among three of the solution wins less."
)
SOLUTION = "solution"
SIZES = "sizes"  #: of a miniature: its deal, ways, lines, and information sets
KNOWN_CARDS = 32  #: played before: eight tricks
LEFT_CARDS = 12
FREE_CARDS = 8  #: of the last three tricks two: in the last one nobody has a choice
FEWEST_WAYS, MOST_WAYS = 12, 24
_NOTHING = 1e-9  #: what rounding makes of nought
#: kind -> how many choices of a card are averaged; a search of the same seed and view always chooses the same
CHOICES: Mapping[int, int] = {RANDOM_PLAYER: 1, CAUTIOUS_PLAYER: 16, NET_PLAYER: 1, 16: 1, 64: 1}
KindFigures: TypeAlias = dict[str, dict[str, float]]  #: kind -> what was measured of one miniature


# ---- a miniature
@dataclass(frozen=True, slots=True)
class OpenEnding:
    """The end of a deal: what was played in eight tricks, what lies aside, and how the other cards may lie."""

    cards: Bytes  #: [32] in the order played
    players: Bytes  #: [32] who played each
    talon: int  #: as bits
    left: tuple[int, ...]  #: the twelve cards
    hands: IntArray  #: [4, ways] each hand at the first lead, as bits


@dataclass(frozen=True, slots=True)
class Miniature:
    """An ending written out whole, and what the player sees at each information set of each move."""

    deal: int
    game: SmallGame
    views: tuple[TurnPositions, ...]  #: for each level, a column for each information set


def list_possible_seats(coded: IntArray, cards: Bytes, players: Bytes, left: Sequence[int]) -> list[list[int]]:
    """List for each card who may hold it after what was played, by right or by the privilege not to follow."""
    barred, firm, shown = (np.zeros(SURVEY_SEATS + 1, np.int64) for _ in range(3))
    np.bitwise_or.at(shown, players, 1 << cards.astype(np.int64))
    privileged = find_barred_cards(coded, NOBODY, 0, (cards, players), barred, firm)
    special = make_card_mask(left) & list_special_cards(coded)
    for who in list_cases(coded, NOBODY, shown, special, privileged, barred, firm)[0]:
        if who != NOBODY:
            barred[who] = firm[who]
    return [[seat for seat in range(SURVEY_SEATS) if not int(barred[seat]) >> card & 1] for card in left]


def count_ways(seats: Sequence[Sequence[int]], room: tuple[int, ...]) -> int:
    """Count the ways in which cards may lie; `seats`: who may hold each card, `room`: how many each seat takes."""
    ways = {room: 1}
    for some in seats:
        after: dict[tuple[int, ...], int] = {}
        for left, number in ways.items():
            for seat in some:
                if left[seat]:
                    less = (*left[:seat], left[seat] - 1, *left[seat + 1 :])
                    after[less] = after.get(less, 0) + number
        ways = after
    return sum(ways.values())


def iter_ways(seats: Sequence[Sequence[int]], room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the ways in which cards may lie: who holds each."""
    if not seats:
        yield ()
        return
    for seat in seats[0]:
        less = (*room[:seat], room[seat] - 1, *room[seat + 1 :])
        if room[seat] and count_ways(seats[1:], less):
            yield from ((seat, *rest) for rest in iter_ways(seats[1:], less))


def find_ending(coded: IntArray, played: PlayedDeals, players: Bytes, at: int) -> OpenEnding | None:
    """Find the end of a played deal; None if its cards may lie in too few ways, or too many."""
    cards, before = played.cards[:KNOWN_CARDS, at], players[:KNOWN_CARDS, at]
    left = tuple(sorted(map(int, played.cards[KNOWN_CARDS:, at])))
    seats, room = list_possible_seats(coded, cards, before, left), (LEFT_CARDS // SURVEY_SEATS,) * SURVEY_SEATS
    if not FEWEST_WAYS <= count_ways(seats, room) <= MOST_WAYS:
        return None
    bits, owners = 1 << np.array(left, np.int64), np.array([*iter_ways(seats, room)], np.int64)
    shown = played.hands[:, at] & ~make_card_mask(left)
    hands = np.stack([shown[seat] | (bits * (owners == seat)).sum(axis=1) for seat in range(SURVEY_SEATS)])
    return OpenEnding(cards, before, int(played.talon[at]), left, hands)


def list_players(coded: IntArray, cards: Bytes) -> Bytes:
    """List who plays each card of some lines of play, from the first card on."""
    players, seats = np.zeros_like(cards), np.zeros(cards.shape[1], np.int64)
    for step in range(cards.shape[0]):
        find_players(coded, cards, players, step, seats)
        players[step] = seats
    return players


def write_miniature(company: PlayingCompany, ending: OpenEnding, deal: int) -> Miniature | None:
    """Write out an ending; None where some line is not settled, or no choice makes a difference."""
    ways, coded = ending.hands.shape[1], company.coded
    column, nothing = np.zeros(ways, np.int64), np.zeros(0, np.int64)
    where = TurnPositions(
        column,
        column,
        column,
        column,
        np.repeat(ending.cards[:, None], ways, axis=1),
        np.repeat(ending.players[:, None], ways, axis=1),
    )
    drawn = np.ascontiguousarray(ending.hands[:, :, None]), np.full((ways, 1), ending.talon)
    rows = nothing, nothing, np.zeros(0, np.bool_)
    tried = try_all_lines(company.rules, company.pool, coded, where, np.ones(ways, np.int64), rows, drawn)
    priced = company.prices.own(tried.desk, company.rules, company.pool)
    cards = tried.desk.deals.cards
    lines = np.flatnonzero(cards[-1] != cards[-2])  # a lane that only fills the block has no cards
    way = np.searchsorted(tried.first[:, 0], lines, side="right") - 1
    settled = priced.became[lines] == PRICED_SETTLED
    lawful = np.bincount(way, settled, ways) > 0
    if not settled[lawful[way]].all():
        return None
    lines, way = lines[settled], way[settled]
    payoffs = priced.net[lines].T.astype(float)
    small = link_lines(coded, ending, deal, (np.ascontiguousarray(cards[:, lines]), way), payoffs)
    return small if measure_profile(small.game, make_uniform_profile(small.game)).exploitability > _NOTHING else None


def link_lines(
    coded: IntArray, ending: OpenEnding, deal: int, lines: tuple[Bytes, IntArray], payoffs: Floats
) -> Miniature:
    """Link lines of play to a game. `lines`: the cards of each, and which way the others lie, in order."""
    (cards, way), players, places = lines, list_players(coded, lines[0]), np.zeros(64, np.int64)
    places[list(ending.left)] = np.arange(LEFT_CARDS)
    begins = np.diff(way, prepend=-1) != 0
    number, deals, seen = np.cumsum(begins) - 1, int(begins.sum()), np.zeros(way.size, np.int64)
    levels, views = list[GameLevel](), list[TurnPositions]()
    for step in range(KNOWN_CARDS, KNOWN_CARDS + FREE_CARDS):
        begins = begins | (np.diff(cards[step].astype(np.int64), prepend=-1) != 0)
        first = np.flatnonzero(begins)
        who, card = (row[step, first].astype(np.int64) for row in (players, cards))
        held = ending.hands[who, way[first]]
        known = seen[first] << LEFT_CARDS | number_hands(held, ending.left)
        levels.append(make_level(number[first], known, card, who))
        some = levels[-1].sample
        aside, none = np.full(some.size, ending.talon), np.zeros(some.size, np.int64)
        played = (np.ascontiguousarray(row[:step, first[some]]) for row in (cards, players))
        views.append(TurnPositions(who[some], held[some], aside, none, *played))
        number, seen = np.cumsum(begins) - 1, seen << 4 | places[cards[step]]
    return Miniature(deal, SmallGame(deals, tuple(levels), payoffs), tuple(views))


def number_hands(held: IntArray, left: Sequence[int]) -> IntArray:
    """Number hands by which of the cards that are left they have."""
    return sum(((held >> card & 1) << at for at, card in enumerate(left)), np.zeros_like(held))


def iter_miniatures(company: PlayingCompany) -> Iterator[Miniature]:
    """Yield the miniatures of a source in the order of their deals."""
    kinds = np.full(SURVEY_SEATS, NET_PLAYER)
    for first in count(0, BLOCK):
        dealt = deal_to_company(company, range(first, first + BLOCK), kinds)
        played = play_company(company, dealt, kinds)
        players = list_players(company.coded, played.cards)
        for at in range(BLOCK):
            ending = find_ending(company.coded, played, players, at)
            found = write_miniature(company, ending, first + at) if ending else None
            if found:
                yield found


# ---- kinds of players
def make_kind_profile(company: PlayingCompany, small: Miniature, kind: int) -> Profile:
    """Make the profile of four players of a kind: how often each would choose each card, over several choices.

    Where a player never comes by his own choices, he is left at random: no best response can make use of it.
    """
    if kind == RANDOM_PLAYER:
        return make_uniform_profile(small.game)
    reach, profile = np.ones((SURVEY_SEATS, small.game.deals)), list[Floats]()
    for level, view in zip(small.game.levels, small.views, strict=True):
        nodes = np.arange(level.player.size)
        comes = reach[:, level.parent][level.player, nodes][level.sample] > 0
        chosen = [mark_choices(company, level, view, comes, kind, at) for at in range(CHOICES.get(kind, 1))]
        profile.append(np.mean(chosen, axis=0))
        reach = follow_level(reach, level, profile[-1])
    return tuple(profile)


def mark_choices(
    company: PlayingCompany,
    level: GameLevel,
    view: TurnPositions,
    comes: npt.NDArray[np.bool_],
    kind: int,
    choice: int,
) -> Floats:
    """Mark the action that a kind of player chooses in each information set to which he comes."""
    may = np.bitwise_or.reduceat(np.int64(1) << level.card, level.group_starts)
    free, marked = np.flatnonzero(comes & (may & (may - 1) != 0)), 1.0 / np.bincount(level.group)[level.group]
    if free.size:
        chosen = np.full(may.size, -1, np.int64)
        chosen[free] = choose_for_kind(company, select_turns(view, free), may[free], kind, choice)
        marked = np.where(chosen[level.group] < 0, marked, level.card == chosen[level.group])
        if not (np.bincount(level.group, marked)[free] == 1).all():
            raise AssertionError(f"{company.rules}: {name_kind(kind)} has chosen a card that may not be played")
    return marked


def choose_for_kind(company: PlayingCompany, view: TurnPositions, may: IntArray, kind: int, choice: int) -> IntArray:
    """Choose a card in each of some turns as a kind of player does; another choice draws other lots."""
    seed = company.seed + choice
    if kind == NET_PLAYER:
        return choose_turns_by_net(company.coded, make_layer_arrays(require_net(company).turns), view, may)
    chosen = np.full(view.size, -1, np.int64)
    if kind == CAUTIOUS_PLAYER:
        liked, kinds = np.array(policies.build_preference_table(), np.int64), np.full((view.size, SURVEY_SEATS), kind)
        lots = start_streams(seed, 0, view.size)
        choose_simply(company.coded, liked, kinds, view.seats, may, lots, view.cards, view.cards.shape[0], chosen)
        return chosen
    for part in cut_turns(np.arange(view.size), kind):
        some = select_turns(view, part)
        chosen[part] = weigh_cards(company.prices, company.rules, some, company.pool, kind, seed).choose(part.size)
    return chosen


# ---- figures
def measure_miniature(company: PlayingCompany, small: Miniature, rounds: int, kinds: Sequence[int]) -> KindFigures:
    """Solve a miniature, and measure the solution and each kind of player."""
    game = small.game
    solved = solve_game(game, rounds)
    found = {SOLUTION: {"exploitability": measure_profile(game, solved).exploitability}}
    for kind in kinds:
        own = make_kind_profile(company, small, kind)
        found[name_kind(kind)] = {
            "exploitability": measure_profile(game, own).exploitability,
            "gap": measure_gap(game, own, solved),
        }
    sizes = {
        "deal": small.deal,
        "ways": game.deals,
        "lines": game.payoffs.shape[1],
        "information sets": sum(level.sample.size for level in game.levels),
    }
    return {SIZES: sizes, **found}


def measure_miniatures(
    own: Library, siglum: str, games: int, rounds: int, seed: int, kinds: Sequence[int]
) -> list[KindFigures]:
    """Measure the first miniatures of a source; what has been measured before is read."""
    company, found = gather_company(own, siglum, seed), list[KindFigures]()
    weights = fingerprint_file(WEIGHTS_FOLDER / f"{siglum}.json")
    for number, small in enumerate(islice(iter_miniatures(company), games), 1):
        key = f"{own.rules_digest} {siglum} {weights} {small.deal} {rounds} {seed} {kinds}"
        found.append(keep_measured(_KEPT, key, partial(measure_miniature, company, small, rounds, kinds)))
        sys.stderr.write(f"{siglum}: {number} of {games}: {found[-1]}\n")
    return found


def sum_up_miniatures(found: Sequence[KindFigures]) -> KindFigures:
    """Sum up the miniatures of a source: each kind's exploitability on average, at least and at most, and its gap."""
    lines = dict[str, dict[str, float]]()
    for name in found[0].keys() - {SIZES}:
        each, gaps = ([one[name].get(what, 0.0) for one in found] for what in ("exploitability", "gap"))
        spread = {"exploitability": mean(each), "at least": min(each), "at most": max(each), "gap": mean(gaps)}
        lines[name] = {what: round(number, 3) for what, number in spread.items()}
    return {name: lines[name] for name in found[0] if name in lines}


def compare_with_random(found: Sequence[KindFigures]) -> KindFigures:
    """Compare exploitability with that of random players in the same miniature: on average, and how sure that is."""
    lines = dict[str, dict[str, float]]()
    for name in (SOLUTION, *map(name_kind, CHOICES)):
        if name in found[0]:
            random = name_kind(RANDOM_PLAYER)
            each = np.array([one[name]["exploitability"] / one[random]["exploitability"] for one in found])
            sure = 1.96 * float(each.std(ddof=1)) / each.size**0.5
            lines[name] = {"share": round(float(each.mean()), 4), "give or take": round(sure, 4)}
    return lines


def list_miniature_surprises(figures: Mapping[str, KindFigures], kinds: Sequence[int]) -> Iterator[str]:
    """Yield what did not come as expected."""
    for siglum, found in figures.items():
        spread = {name: line["exploitability"] for name, line in found.items()}
        if 100 * spread[SOLUTION] >= spread[name_kind(RANDOM_PLAYER)]:
            yield f"{siglum}: the solution is exploited for a hundredth of what random players are, or more"
        for weaker, stronger in pairwise(map(name_kind, kinds)):
            if spread[weaker] <= spread[stronger]:
                yield f"{siglum}: {stronger} is exploited for no less than {weaker}"
        for name in map(name_kind, kinds):
            if found[name]["gap"] < -spread[SOLUTION]:
                yield f"{siglum}: {name} is ahead of the solution in its own company"


def main(words: list[str] | None = None, kinds: Sequence[int] = tuple(CHOICES)) -> int:
    """Solve the miniatures; with all sources, leave a receipt."""
    parser = ProofParser("miniature", __doc__)
    parser.add_number("--games", 4, "how many of each source, two at least", least=2)
    parser.add_number("--rounds", 300, "of regret matching")
    parser.add_seed(1785)
    parser.add_sources()
    given = parser.parse_args(words)
    own = library()
    command = f"python -m proofs.miniature --games {given.games} --rounds {given.rounds} --seed {given.seed}"
    command += format_sources(given.source)
    sources = parser.match_sources(own, given.source) or sorted(own.sources)
    place = parser.choose_place(given, command) if given.out or not given.source else None
    found = {one: measure_miniatures(own, one, given.games, given.rounds, given.seed, kinds) for one in sources}
    figures = {one: sum_up_miniatures(each) for one, each in found.items()}
    for surprise in list_miniature_surprises(figures, kinds):
        sys.stdout.write(f"unexpected: {surprise}\n")
    if place is None:
        sys.stdout.write(json.dumps(figures, indent=1) + "\n")
        return 0
    every = [small for each in found.values() for small in each]
    sizes = {f"{one} {small[SIZES]['deal']}": small[SIZES] for one, each in found.items() for small in each}
    shares = {"share of the random players' exploitability": compare_with_random(every)}
    measured = {**shares, **figures, SIZES: sizes} | {NETS: fingerprint_nets(sources)}
    store_receipt(place, build_receipt("miniature", _SAYS, command, given.seed, own.rules_digest, measured))
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main, _KEPT))
