"""Strength of the players: a duplicate tournament under every source's rules.

    python -m proofs.strength [--deals 256] [--seed 1785] [--source PAM]

One player of a kind sits with three of another, every deal is played from all four seats with the same cards, and what
he wins more than the others on average is told with a 95 % interval, from the spread over the deals. A search is named
by the number of its worlds; the net is that of the source (`lab.players.train`). Written down before the run: each
kind beats the one before it; a search of 64 worlds wins, against three cautious players and under the full rules, at
least a tenth of the first pool a deal; and the net wins from them at least six tenths of what that search does.

In the last four tricks the hands are small enough to try every line of play with all cards open. There four of a kind
sit together, and the regret of a choice is what the card that was played wins less than the best, if from then on each
player chooses what serves him best; nobody can be without any, for nobody sees the other hands. Written down before the
run: it falls from random players to cautious ones, and on to the net and to the search of 64 worlds.

Every match is kept in `build/strength/`, by sources, program, net and number of deals, so that a run which was broken
off goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from engine.players.nets import WEIGHTS_FOLDER, read_net
from lab.checkpoints import BUILD, fingerprint_nets, measure_once
from lab.players.arena import (
    CAUTIOUS_PLAYER,
    NET_PLAYER,
    RANDOM_PLAYER,
    PlayingCompany,
    deal_to_company,
    iter_turns,
    play_company,
)
from lab.players.endgame import CARDS_PER_DEAL
from lab.players.search import Floats, solve_open_hands
from lab.survey import chunk as piece
from lab.survey.outcomes import layout
from lab.survey.request import SURVEY_SEATS, Rules
from proofs.arguments import ProofParser, format_sources, run_proof, store_receipt
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import NETS, build_receipt, fingerprint_file

_KEPT = BUILD / "strength"
_SAYS = (
    "One player of a kind with three of another, every deal from all four seats: what he wins a deal, and how much more"
    " than the others, with the 95 % interval of the latter, in the smallest unit of each source."
)
MatchFigures: TypeAlias = dict[str, dict[str, float]]  #: match -> what was measured
PLAYER_KIND_NAMES = {RANDOM_PLAYER: "random", CAUTIOUS_PLAYER: "cautious", NET_PLAYER: "net"}
#: Who plays the last four tricks among themselves, from the weakest to the strongest.
LAST_TRICKS_KINDS = (RANDOM_PLAYER, CAUTIOUS_PLAYER, NET_PLAYER, 64)
_LAST_TRICKS_FROM = CARDS_PER_DEAL - 16  #: after so many cards every player holds four
_LAST_TRICKS_SHARE = 0.25  #: of the usual number of deals: every line of them is played
_LINES_AT_ONCE = 2048  #: reckoned with for a turn
NET_SHARE = 0.6  #: of what a search of 64 worlds wins from the cautious, a net is to win so much


@dataclass(frozen=True, slots=True)
class Match:
    """One player of a kind against three of another, on so many times the usual number of deals."""

    one: int
    others: int
    share: float = 1.0

    def __str__(self) -> str:
        return f"{name_kind(self.one)} against {name_kind(self.others)}"


LADDER = (
    Match(CAUTIOUS_PLAYER, RANDOM_PLAYER),
    Match(NET_PLAYER, CAUTIOUS_PLAYER),
    Match(16, CAUTIOUS_PLAYER),
    Match(16, NET_PLAYER),
    Match(64, CAUTIOUS_PLAYER),
    Match(64, 16),
    Match(64, NET_PLAYER),
    Match(256, 16),
    Match(256, 64, 4.0),  # so little lies between them that it takes more deals to be seen
)


def name_kind(kind: int) -> str:
    """Name a kind of player: random, cautious, net, or search with so many worlds."""
    return PLAYER_KIND_NAMES.get(kind, f"search {kind}")


def play_match(company: PlayingCompany, match: Match, deals: int) -> tuple[Floats, int]:
    """Play a match from all four seats; what each wins, [deals, 4], the one player first, and reversis undertaken."""
    total, undertaken = np.zeros((deals, SURVEY_SEATS)), 0
    row, of = tuple(map(int, company.coded)), company.prices.rules(company.rules, company.pool)[2]
    for turn in range(SURVEY_SEATS):
        kinds = np.roll(np.array([match.one, match.others, match.others, match.others]), turn)
        desk = piece.TableDeals(play_company(company, deal_to_company(company, range(deals), kinds), kinds), row)
        priced = company.prices.own(desk, company.rules, company.pool)
        if priced.became[:deals].any():
            raise AssertionError(f"{company.rules}: a deal of {match} is unlawful, or not settled")
        total += np.roll(priced.net[:deals], -turn, axis=1) / SURVEY_SEATS
        undertaken += int((desk.outcome(row, of)[0][:deals, layout.HERO] == turn + 1).sum())
    return total, undertaken


def measure_match(company: PlayingCompany, match: Match, deals: int) -> dict[str, float]:
    """Measure a match: what the one player wins a deal, how much more than the others, and how sure that is."""
    number = max(1, round(deals * match.share))
    net, undertaken = play_match(company, match, number)
    ahead = net[:, 0] - net[:, 1:].mean(axis=1)
    return {
        "deals from four seats": number,
        "wins a deal": round(float(net[:, 0].mean()), 2),
        "more than the others": round(float(ahead.mean()), 2),
        "give or take": round(float(1.96 * ahead.std() / number**0.5), 2),
        "reversis undertaken in a hundred deals": round(100 * undertaken / (SURVEY_SEATS * number), 2),
    }


def measure_strength(own: Library, siglum: str, deals: int, seed: int, ladder: Sequence[Match]) -> MatchFigures:
    """Measure every match of the ladder under one source's rules; what has been measured before is read."""
    trials = {
        str(match): ((match.one, match.others), partial(measure_match, match=match, deals=deals)) for match in ladder
    }
    return _measure_trials(own, siglum, seed, trials)


def measure_endgames(own: Library, siglum: str, deals: int, seed: int, kinds: Iterable[int]) -> MatchFigures:
    """Measure the last four tricks of every kind under one source's rules; what has been measured before is read."""
    number = max(1, round(deals * _LAST_TRICKS_SHARE))
    trials = {name_kind(kind): ((kind,), partial(measure_last_tricks, kind=kind, deals=number)) for kind in kinds}
    return _measure_trials(own, siglum, seed, trials)


def _measure_trials(
    own: Library, siglum: str, seed: int, trials: Mapping[str, tuple[Sequence[int], partial[dict[str, float]]]]
) -> MatchFigures:
    """Measure trials by name, each with the kinds of its players; those by a net only where the source has one."""
    company = PlayingCompany.at_table(piece.get_deal_pricer(own), Rules(siglum), seed, read_net(siglum))
    figures = dict[str, dict[str, float]]()
    for name, (kinds, measure) in trials.items():
        by_net = NET_PLAYER in kinds
        if by_net and company.net is None:
            continue
        net = fingerprint_file(WEIGHTS_FOLDER / f"{siglum}.json") if by_net else ""
        key = f"{own.rules_digest} {siglum} {measure.func.__name__} {measure.keywords} {seed} {net}"
        figures[name] = measure_once(_KEPT, key, partial(measure, company))
        sys.stderr.write(f"{siglum}: {name}: {figures[name]}\n")
    return figures


def measure_last_tricks(company: PlayingCompany, kind: int, deals: int) -> dict[str, float]:
    """Measure what four players of a kind lose in the last four tricks by not choosing the best card."""
    kinds = np.full(SURVEY_SEATS, kind)
    played = play_company(company, deal_to_company(company, range(deals), kinds), kinds)
    lost, choices, best = np.zeros(deals), 0, 0
    for among, turns in iter_turns(company, played, _LINES_AT_ONCE, deals):
        step = turns.cards.shape[0]
        if step < _LAST_TRICKS_FROM:
            continue
        open_hands = played.hands[:, among], played.talon[among]
        weighed = solve_open_hands(company.prices, company.rules, turns, company.pool, *open_hands)
        greatest = np.full(among.size, -np.inf)
        np.maximum.at(greatest, weighed.turn, weighed.worth[:, 0])
        chosen = weighed.worth[weighed.card == played.cards[step, among][weighed.turn], 0]
        np.add.at(lost, among, greatest - chosen)
        choices, best = choices + among.size, best + int((greatest == chosen).sum())
    return {
        "deals": deals,
        "choices": choices,
        "best card in a hundred": round(100 * best / max(1, choices), 1),
        "regret a deal": round(float(lost.mean()), 2),
        "give or take": round(float(1.96 * lost.std() / deals**0.5), 2),
    }


def list_surprises(
    figures: Mapping[str, MatchFigures], pools: Mapping[str, int], ladder: Sequence[Match]
) -> Iterator[str]:
    """Yield what did not come as expected."""
    for siglum, results in figures.items():
        for match in ladder:
            result = results.get(str(match))
            if result is None:
                yield f"{siglum}: nobody has trained a net for {match}"
                continue
            if result["more than the others"] <= result["give or take"]:
                yield f"{siglum}: {match} is not clearly ahead"
            if match == Match(64, CAUTIOUS_PLAYER) and 10 * result["wins a deal"] < pools[siglum]:
                yield f"{siglum}: {match} wins less than a tenth of the first pool"
        net, search = (results.get(str(Match(kind, CAUTIOUS_PLAYER))) for kind in (NET_PLAYER, 64))
        if net and search and net["wins a deal"] < NET_SHARE * search["wins a deal"]:
            yield f"{siglum}: the net wins less than six tenths of what a search of 64 worlds does"


def list_endgame_surprises(figures: Mapping[str, MatchFigures]) -> Iterator[str]:
    """Yield where a weaker kind of player loses less in the last four tricks than the next stronger one."""
    for siglum, results in figures.items():
        names = [name for name in map(name_kind, LAST_TRICKS_KINDS) if name in results]
        for weaker, stronger in pairwise(names):
            if results[weaker]["regret a deal"] <= results[stronger]["regret a deal"]:
                yield f"{siglum}: in the last four tricks {stronger} loses no less than {weaker}"


def main(
    words: list[str] | None = None, ladder: Sequence[Match] = LADDER, kinds: Sequence[int] = LAST_TRICKS_KINDS
) -> int:
    """Play the tournament; with all sources, leave a receipt."""
    parser = ProofParser("strength", __doc__)
    parser.add_number("--deals", 256, "how many in a match, each from four seats")
    parser.add_seed(1785)
    parser.add_sources()
    given = parser.parse_args(words)
    own, command = (
        library(),
        f"python -m proofs.strength --deals {given.deals} --seed {given.seed}{format_sources(given.source)}",
    )
    sources = parser.match_sources(own, given.source) or sorted(own.sources)
    place = parser.choose_place(given, command) if given.out or not given.source else None
    figures = {source: measure_strength(own, source, given.deals, given.seed, ladder) for source in sources}
    endgames = {source: measure_endgames(own, source, given.deals, given.seed, kinds) for source in sources}
    pools = {source: piece.get_deal_pricer(own).bind(Rules(source))[1].stake for source in sources}
    for surprise in (*list_surprises(figures, pools, ladder), *list_endgame_surprises(endgames)):
        sys.stdout.write(f"unexpected: {surprise}\n")
    if place:
        last = {f"{siglum}, last four tricks": results for siglum, results in endgames.items()}
        measured = {"first pool": pools, **figures, **last, NETS: fingerprint_nets(sources)}
        store_receipt(place, build_receipt("strength", _SAYS, command, given.seed, own.rules_digest, measured))
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main, _KEPT))
