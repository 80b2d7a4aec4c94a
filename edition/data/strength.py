"""Strength of the nets as `proofs.strength` measured it: the rung of its receipt that skilled players stand on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from edition.data.counsel import MARGIN, StoredMean
from rulebook.receipts import Receipt

STRENGTH_PROOF = "strength"  #: the proof that measures it, and its receipt
NET_MATCH = "net against cautious"  #: one net with three cautious players
NET_AHEAD = "more than the others"  #: what it wins a deal, less what they win on average


def read_net_leads(receipts: Iterable[Receipt]) -> Mapping[str, StoredMean]:
    """Read by how much each source's net wins from three cautious players, as far as that was measured."""
    figures = next((one.figures for one in receipts if one.proof == STRENGTH_PROOF), {})
    found = {siglum: some.get(NET_MATCH) for siglum, some in figures.items() if isinstance(some, Mapping)}
    return {
        siglum: StoredMean(float(line[NET_AHEAD]), float(line[MARGIN]))
        for siglum, line in found.items()
        if isinstance(line, Mapping) and all(isinstance(line.get(name), int | float) for name in (NET_AHEAD, MARGIN))
    }
