"""Strength of the players as `proofs.strength` measured it: who wins from whom, and what is lost in the last tricks.

The rung on which skilled players stand, and all the others, as the receipt has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from reversis.files.counsel import MARGIN, StoredMean
from rulebook.receipts import Receipt

STRENGTH_PROOF = "strength"  #: the proof that measures it, and its receipt
NET_MATCH = "net against cautious"  #: one net with three cautious players
SEARCH_MATCH = "search 64 against cautious"  #: one search with three cautious players; the nets have learnt from it
AGAINST = " against "  #: between the kinds of a match
NET_AHEAD = "more than the others"  #: what it wins a deal, less what they win on average
MATCH_DEALS = "deals from four seats"
LAST_TRICKS = "last four tricks"  #: behind a source, of what four of a kind lose there
LOSS = "regret a deal"


@dataclass(frozen=True, slots=True)
class StrengthMatch:
    """One player of a kind among three of another: by how much that player is ahead, by the rules of each source."""

    one: str
    others: str
    deals: int  #: the fewest of any source, each from four seats
    ahead: Mapping[str, StoredMean]

    def select(self, sign: int) -> tuple[str, ...]:
        """Select the sources by which the one is surely ahead (1) or behind (-1), or neither (0)."""
        return tuple(name for name, mean in self.ahead.items() if judge_mean(mean) == sign)

    @property
    def least_sure(self) -> str:
        """Source whose interval comes nearest to 0, measured by its width."""
        return min(self.ahead, key=lambda siglum: self.ahead[siglum].mean / (self.ahead[siglum].margin or 1e-9))


@dataclass(frozen=True, slots=True)
class EndgameLoss:
    """Loss of four players of a kind in the last tricks, by the rules of each source."""

    kind: str
    loss: Mapping[str, StoredMean]


@dataclass(frozen=True, slots=True)
class EndgameStep:
    """Two kinds of players in the last tricks: by the rules of how many books the stronger loses less."""

    weaker: str
    stronger: str
    books: int
    less: int
    apart: int  #: books by whose rules the intervals do not overlap


@dataclass(frozen=True, slots=True)
class StoredStrength:
    """All that the receipt tells."""

    matches: tuple[StrengthMatch, ...]
    endings: tuple[EndgameLoss, ...]
    seed: int
    made: str

    @property
    def results(self) -> int:
        """Number of results: of every match by the rules of every book."""
        return sum(len(match.ahead) for match in self.matches)

    @property
    def surely_ahead(self) -> int:
        """Number of results by which the one is surely ahead."""
        return sum(len(match.select(1)) for match in self.matches)

    @property
    def steps(self) -> tuple[EndgameStep, ...]:
        """Each kind of player in the last tricks, compared with the kind before it."""
        return tuple(_compare_endings(*pair) for pair in pairwise(self.endings))


def _compare_endings(weaker: EndgameLoss, stronger: EndgameLoss) -> EndgameStep:
    both = [(weaker.loss[siglum], mean) for siglum, mean in stronger.loss.items() if siglum in weaker.loss]
    less = sum(after.mean < before.mean for before, after in both)
    return EndgameStep(weaker.kind, stronger.kind, len(both), less, sum(not overlap(*pair) for pair in both))


def judge_mean(mean: StoredMean, than: float = 0.0) -> int:
    """Judge a mean by its interval: 1 if all of it lies above a number, -1 if below, else 0."""
    return (mean.mean - mean.margin > than) - (mean.mean + mean.margin < than)


def overlap(mean: StoredMean, other: StoredMean) -> bool:
    """Return whether two intervals overlap."""
    return abs(mean.mean - other.mean) <= mean.margin + other.margin


def read_strength(receipts: Iterable[Receipt]) -> StoredStrength | None:
    """Read the receipt; None where there is none, or one that an earlier program wrote."""
    receipt = next((candidate for candidate in receipts if candidate.proof == STRENGTH_PROOF), None)
    if receipt is None:
        return None
    tables = {name: some for name, some in receipt.figures.items() if isinstance(some, Mapping)}
    try:
        matches = tuple(_read_matches(tables))
        endings = tuple(_read_endings(tables))
    except (KeyError, TypeError, ValueError):
        return None
    return StoredStrength(matches, endings, receipt.seed, receipt.made) if matches else None


def _read_matches(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[StrengthMatch]:
    for name in dict.fromkeys(name for some in tables.values() for name in some if AGAINST in name):
        lines = {siglum: some[name] for siglum, some in tables.items() if name in some}
        player, _, others = name.partition(AGAINST)
        deals = min(int(line[MATCH_DEALS]) for line in lines.values())
        yield StrengthMatch(player, others, deals, _read_means(lines, NET_AHEAD))


def _read_endings(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[EndgameLoss]:
    behind = f", {LAST_TRICKS}"
    last = {name.removesuffix(behind): some for name, some in tables.items() if name.endswith(behind)}
    for kind in dict.fromkeys(kind for some in last.values() for kind in some):
        lines = {siglum: some[kind] for siglum, some in last.items() if kind in some}
        yield EndgameLoss(kind, _read_means(lines, LOSS))


def _read_means(lines: Mapping[str, Mapping[str, Any]], name: str) -> Mapping[str, StoredMean]:
    return {siglum: StoredMean(float(line[name]), float(line[MARGIN])) for siglum, line in lines.items()}


def find_match(matches: Iterable[StrengthMatch], name: str) -> StrengthMatch | None:
    """Find a match by its name."""
    return next((match for match in matches if f"{match.one}{AGAINST}{match.others}" == name), None)


def list_net_shares(matches: Sequence[StrengthMatch]) -> Mapping[str, float]:
    """List by source what share of the search's lead over cautious players the net has."""
    net, search = find_match(matches, NET_MATCH), find_match(matches, SEARCH_MATCH)
    if net is None or search is None:
        return {}
    both = {siglum: (mean.mean, search.ahead[siglum]) for siglum, mean in net.ahead.items() if siglum in search.ahead}
    return {siglum: lead / whole.mean for siglum, (lead, whole) in both.items() if judge_mean(whole) > 0}


def read_net_leads(receipts: Iterable[Receipt]) -> Mapping[str, StoredMean]:
    """Read by how much each source's net wins from three cautious players, as far as that was measured."""
    strength = read_strength(receipts)
    match = find_match(strength.matches, NET_MATCH) if strength else None
    return match.ahead if match else {}
