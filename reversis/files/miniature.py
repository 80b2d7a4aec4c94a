"""Exploitability of the players in the last tricks, as `proofs.miniature` measured it, read from its receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reversis.files.counsel import MARGIN, StoredMean
from rulebook.grouping import group_pairs
from rulebook.receipts import NETS, Receipt

MINIATURE_PROOF = "miniature"  #: the proof that measures it, and its receipt
_SHARES, _SHARE = "share of the random players' exploitability", "share"
GAP = "gap"  #: what one of a kind among three of the solution wins less than they do
ENDING_SIZES = "sizes"  #: a line for each ending
SOLUTION_KIND, RANDOM_KIND, NET_KIND = "solution", "random", "net"


@dataclass(frozen=True, slots=True)
class StoredMiniatures:
    """Exploitability of every kind of player, as the receipt has it."""

    shares: Mapping[str, StoredMean]  #: kind -> its exploitability in parts of that of random players
    gaps: Mapping[str, Mapping[str, float]]  #: source -> kind -> gap
    endings: int

    @property
    def kinds_by_share(self) -> Mapping[StoredMean, Sequence[str]]:
        """Kinds of player that are compared with random ones; those with the same figures together."""
        others = (kind for kind in self.shares if kind not in (SOLUTION_KIND, RANDOM_KIND))
        return group_pairs((self.shares[kind], kind) for kind in others)

    def list_not_falling(self) -> tuple[str, ...]:
        """List the kinds of player that are no less exploitable than the kind before them."""
        kinds = [kind for kind in self.shares if kind != SOLUTION_KIND]
        return tuple(
            stronger for weaker, stronger in pairwise(kinds) if self.shares[stronger].mean >= self.shares[weaker].mean
        )

    def select_worse(self, kind: str, than: str) -> tuple[str, ...]:
        """Select the sources by which a kind has the greater gap than another."""
        both = {siglum: gaps for siglum, gaps in self.gaps.items() if kind in gaps and than in gaps}
        return tuple(siglum for siglum, gaps in both.items() if gaps[kind] > gaps[than])


def read_miniatures(receipts: Iterable[Receipt]) -> StoredMiniatures | None:
    """Read the receipt; None where there is none, or one that an earlier program wrote."""
    figures = next((receipt.figures for receipt in receipts if receipt.proof == MINIATURE_PROOF), None)
    if figures is None:
        return None
    try:
        shares = {kind: StoredMean(float(line[_SHARE]), float(line[MARGIN])) for kind, line in figures[_SHARES].items()}
        tables = {name: some for name, some in figures.items() if name not in (_SHARES, ENDING_SIZES, NETS)}
        gaps = {name: {kind: float(line[GAP]) for kind, line in some.items()} for name, some in tables.items()}
        return StoredMiniatures(shares, gaps, len(figures[ENDING_SIZES]))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
