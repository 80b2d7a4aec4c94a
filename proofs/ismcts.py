"""The method of the players against OpenSpiel's ISMCTS bot, at Hearts, on the same deals.

    python -m proofs.ismcts [--deals 96] [--worlds 64] [--seed 1785]

Needs OpenSpiel (`pip install "reversis[bench]"`), which the package neither imports nor depends on. Information set
Monte Carlo tree search is the usual measure for games with hidden cards. Reversis is no game of OpenSpiel's, so both
play its Hearts, without passing (`proofs.hearts` has the rules): the method is compared, not the kernel of Reversis.
Ours draws so many lawful worlds and plays every card out in each of them by the cautious preferences of the survey;
theirs runs so many simulations in worlds of OpenSpiel's, each with a random playout, and plays the card that it visited
most. It is written in C++; its constant of exploration was chosen, before this run and on other deals, as the strongest
of those tried against each other (`--tune --deals 64 --seed 7`).

Every deal is played with one of ours in each of the four seats among three of theirs, and the other way round, the same
cards each time. A player is ahead by the points that the others have on average more than he, with a 95 % interval from
the spread over the deals. OpenSpiel keeps the rules and counts the points; at every turn and at the end ours must come
to the same, or the run stops. Time is the processor's, of the choices that are free, on the machine of the run.

Written down before the run: ours is ahead of a bot with as many simulations as it has worlds, and of one with four
times as many, in either seating, at less time a card. Added after a first run, which had shown that ours takes a sixth
of the time of as many simulations and a twenty-fourth of that of four times as many: with six and with 24 times as many
worlds, which takes as long as they do, it is ahead as well.

Pieces of eight deals are kept in `build/ismcts/`, so that a run which was broken off goes on.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any, TypeAlias

import numpy as np

from lab.survey.buffers import IntArray
from lab.survey.request import SURVEY_SEATS
from proofs.arguments import ProofParser, run_proof, store_receipt
from proofs.hearts import HEARTS_CARDS, HEARTS_POINTS, HeartsSearch, find_hearts_turn, play_hearts
from proofs.kept import BUILD, keep_measured
from rulebook.load import library
from rulebook.receipts import build_receipt

_KEPT = BUILD / "ismcts"
_SAYS = (
    "At Hearts, one of the search among three of OpenSpiel's ISMCTS bots, and one of these among three of ours, every"
    " deal from all four seats: how many points he is ahead of the others a deal, and the time a card."
)
_THEIRS = "open_spiel"  #: the package
_PIECE = 8  #: deals in a piece
NOBODY_PASSES = 0
EXPLORATION = 10.0  #: their constant, for points from nought to 26
TRIED_CONSTANTS = (2.0, 10.0, 20.0, 40.0)
#: our worlds and their simulations, as so many times the given number, and the share of the deals; the third and fourth
#: take about the same time a card
HEARTS_LADDER = ((1, 1, 1.0), (1, 4, 0.5), (6, 1, 1.0), (24, 4, 0.5))
MatchLine: TypeAlias = dict[str, float]


@dataclass(frozen=True, slots=True)
class HeartsMatch:
    """One player among three others; a player is a number of worlds, or of simulations with a constant."""

    one: int | tuple[int, float]
    others: int | tuple[int, float]

    def __str__(self) -> str:
        return f"{name_player(self.one)} against {name_player(self.others)}"


def name_player(player: int | tuple[int, float]) -> str:
    """Name a player."""
    return f"search {player}" if isinstance(player, int) else f"ISMCTS {player[0]}"


def number_their_card(action: int) -> int:
    """Return our number of a card of OpenSpiel's, which is four times its rank and its suit, clubs first."""
    return (3 - (action & 3)) * 16 + (action >> 2)


def number_action(card: int) -> int:
    """Return OpenSpiel's number of a card of ours."""
    return (card & 15) * 4 + 3 - (card >> 4)


# ---- a table
class HeartsTable:
    """A deal at OpenSpiel's table, and the same beside it by our rules."""

    def __init__(self, spiel: Any, order: Sequence[int]) -> None:
        self.state = spiel.load_game("hearts(pass_cards=False)").new_initial_state()
        self.state.apply_action(NOBODY_PASSES)
        for action in order:
            self.state.apply_action(int(action))
        self.hands = np.zeros(SURVEY_SEATS, np.int64)
        for at, action in enumerate(order):
            self.hands[at % SURVEY_SEATS] |= np.int64(1) << number_their_card(int(action))
        self.cards, self.players = np.zeros(HEARTS_CARDS, np.uint8), np.zeros(HEARTS_CARDS, np.uint8)
        self.left, self.step = self.hands.copy(), 0

    @property
    def over(self) -> bool:
        """True once all cards are played."""
        return self.step == HEARTS_CARDS

    def list_legal(self) -> list[int]:
        """List the cards that may be played, by OpenSpiel and by us."""
        theirs = sorted(map(number_their_card, self.state.legal_actions()))
        may = int(find_hearts_turn(self.left[self.state.current_player()], self.cards[: self.step]))
        if theirs != [card for card in range(64) if may >> card & 1]:
            raise AssertionError(f"OpenSpiel has other cards that may be played: {self.state}")
        return theirs

    def play(self, card: int) -> None:
        """Play a card."""
        seat = self.state.current_player()
        self.cards[self.step], self.players[self.step] = card, seat
        self.left[seat] ^= np.int64(1) << card
        self.step += 1
        self.state.apply_action(number_action(card))

    def count_points(self) -> IntArray:
        """Count the points of each player, by OpenSpiel and by us."""
        ours, players = np.zeros(SURVEY_SEATS, np.int64), np.zeros(HEARTS_CARDS, np.uint8)
        nothing = np.zeros((7, 14), np.int64)
        play_hearts(nothing, HEARTS_CARDS, np.uint64(0), self.hands, self.cards, players, ours)
        theirs = HEARTS_POINTS - np.array(self.state.returns(), np.int64)
        if (ours != theirs).any() or (players != self.players).any():
            raise AssertionError(f"OpenSpiel counts other points: {self.state}")
        return ours


class TreeSearch:
    """OpenSpiel's bot, as a player like ours."""

    def __init__(self, spiel: Any, simulations: int, constant: float, seed: int) -> None:
        most_visited = spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        playout = spiel.RandomRolloutEvaluator(1, seed)
        self.bot = spiel.ISMCTSBot(seed, playout, constant, simulations, -1, most_visited, False, False)

    def choose(self, table: HeartsTable) -> int:
        """Choose a card."""
        return number_their_card(self.bot.step(table.state))


class WorldSearch:
    """Our search, as a player at their table."""

    def __init__(self, worlds: int, seed: int) -> None:
        self.search = HeartsSearch(worlds, seed)

    def choose(self, table: HeartsTable) -> int:
        """Choose a card from what its player sees."""
        seat, step = table.state.current_player(), table.step
        return self.search.choose(seat, int(table.hands[seat]), table.cards[:step], table.players[:step])


def make_player(spiel: Any, player: int | tuple[int, float], seed: int) -> TreeSearch | WorldSearch:
    """Make a player."""
    return WorldSearch(player, seed) if isinstance(player, int) else TreeSearch(spiel, *player, seed)


# ---- matches
def play_seating(spiel: Any, match: HeartsMatch, number: int, seat: int, seed: int) -> tuple[float, IntArray, Any]:
    """Play a deal with the one player in a seat: points ahead; choices and seconds of the one and the others."""
    order = np.random.default_rng([seed, number]).permutation(HEARTS_CARDS).tolist()
    table, choices, seconds = HeartsTable(spiel, order), np.zeros(2, np.int64), np.zeros(2)
    players = [
        make_player(spiel, match.one if at == seat else match.others, 64 * number + 8 * seat + at + 1)
        for at in range(SURVEY_SEATS)
    ]
    while not table.over:
        legal, me = table.list_legal(), table.state.current_player()
        card = legal[0]
        if len(legal) > 1:
            began = time.process_time()
            card = players[me].choose(table)
            seconds[int(me != seat)] += time.process_time() - began
            choices[int(me != seat)] += 1
        table.play(card)
    points = table.count_points()
    ahead = (points.sum() - points[seat]) / (SURVEY_SEATS - 1) - points[seat]
    return float(ahead), choices, seconds


def play_hearts_piece(spiel: Any, match: HeartsMatch, numbers: range, seed: int) -> dict[str, list[float]]:
    """Play some deals from all four seats: for each how far ahead; choices and seconds of the one and the others."""
    ahead, choices, seconds = list[float](), np.zeros(2), np.zeros(2)
    for number in numbers:
        seatings = [play_seating(spiel, match, number, seat, seed) for seat in range(SURVEY_SEATS)]
        ahead.append(sum(one[0] for one in seatings) / SURVEY_SEATS)
        choices += sum(one[1] for one in seatings)
        seconds += sum(one[2] for one in seatings)
    return {"ahead": ahead, "choices": choices.tolist(), "seconds": seconds.tolist()}


def measure_hearts_match(spiel: Any, match: HeartsMatch, deals: int, seed: int) -> MatchLine:
    """Measure a match; pieces that have been played before are read."""
    pieces = list[Mapping[str, list[float]]]()
    play_seating(spiel, HeartsMatch(1, 1), 0, 0, seed)  # compiled, if it was not
    for first in range(0, deals, _PIECE):
        numbers = range(first, min(first + _PIECE, deals))
        play = partial(play_hearts_piece, spiel, match, numbers, seed)
        pieces.append(keep_measured(_KEPT, f"{version(_THEIRS)} {match.one} {match.others} {numbers} {seed}", play))
        sys.stderr.write(f"\r{match}: {numbers.stop} of {deals} deals")
    sys.stderr.write("\n")
    ahead = np.concatenate([piece["ahead"] for piece in pieces])
    choices, seconds = (np.sum([piece[name] for piece in pieces], axis=0) for name in ("choices", "seconds"))
    pace = 1000 * seconds / choices
    return {
        "deals from four seats": deals,
        "points ahead": round(float(ahead.mean()), 2),
        "give or take": round(float(1.96 * ahead.std() / deals**0.5), 2),
        "milliseconds a card": round(float(pace[0]), 2),
        "of the others": round(float(pace[1]), 2),
    }


def list_hearts_matches(worlds: int) -> Iterator[tuple[HeartsMatch, float]]:
    """List the matches, with the share of the deals."""
    for times, simulations, share in HEARTS_LADDER:
        ours, theirs = times * worlds, (simulations * worlds, EXPLORATION)
        yield HeartsMatch(ours, theirs), share
        yield HeartsMatch(theirs, ours), share


def tune_theirs(spiel: Any, simulations: int, deals: int, seed: int) -> None:
    """Say how each constant does among three of the default of OpenSpiel's examples."""
    for constant in TRIED_CONSTANTS[1:]:
        match = HeartsMatch((simulations, constant), (simulations, TRIED_CONSTANTS[0]))
        sys.stdout.write(f"constant {constant}: {measure_hearts_match(spiel, match, deals, seed)}\n")


def list_match_surprises(figures: Mapping[str, MatchLine], worlds: int) -> Iterator[str]:
    """Yield what did not come as expected."""
    for match, _ in list_hearts_matches(worlds):
        one, ours = figures[str(match)], 1 if isinstance(match.one, int) else -1
        if ours * one["points ahead"] <= one["give or take"]:
            yield f"{match}: ours is not clearly ahead"
        if worlds in (match.one, match.others) and ours * (one["of the others"] - one["milliseconds a card"]) <= 0:
            yield f"{match}: ours takes more time a card"


def main(words: list[str] | None = None) -> int:
    """Play the matches and leave a receipt; or try constants for their bot, and print how they do."""
    parser = ProofParser("ismcts", __doc__)
    parser.add_number("--deals", 96, "how many, each from four seats")
    parser.add_number("--worlds", 64, "of our search")
    parser.add_seed(1785)
    parser.add_argument("--tune", action="store_true", help="only try constants for their bot against each other")
    given = parser.parse_args(words)
    command = f"python -m proofs.ismcts --deals {given.deals} --worlds {given.worlds} --seed {given.seed}"
    place = None if given.tune else parser.choose_place(given, command)
    try:
        spiel = import_module("pyspiel")
    except ImportError:
        sys.stderr.write('This needs OpenSpiel: pip install "reversis[bench]"\n')
        return 1
    if place is None:
        tune_theirs(spiel, given.worlds, given.deals, given.seed)
        return 0
    figures = {
        str(match): measure_hearts_match(spiel, match, max(1, round(given.deals * share)), given.seed)
        for match, share in list_hearts_matches(given.worlds)
    }
    for surprise in list_match_surprises(figures, given.worlds):
        sys.stdout.write(f"unexpected: {surprise}\n")
    tried = {"version of OpenSpiel": version(_THEIRS), "their constant of exploration": EXPLORATION, **figures}
    store_receipt(place, build_receipt("ismcts", _SAYS, command, given.seed, library().rules_digest, tried))
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main, _KEPT))
