"""Ranges of README's first finding over other readings, as `proofs.findings` measured them.

The proof writes its receipt by the names that stand here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reversis.files.counsel import MARGIN, RANGE, READINGS, ReadingMean, StoredMean
from rulebook.receipts import NETS, Receipt

FINDINGS_PROOF = "findings"  #: the proof that measures it, and its receipt
FINDING_SOURCE, FINDING_QUESTION, FINDING_GIVER = "GER", "Q033", "HOY"
CHANGED = "changed of 100"


@dataclass(frozen=True, slots=True)
class FindingRange:
    """Share of deals that another answer changes, of 100, under one policy: as we read the book, and otherwise."""

    policy: str
    changed: StoredMean
    readings: int
    lowest: ReadingMean
    highest: ReadingMean


def read_finding_ranges(receipts: Iterable[Receipt]) -> tuple[FindingRange, ...]:
    """Read the ranges of a receipt; none where there is none."""
    figures = next((receipt.figures for receipt in receipts if receipt.proof == FINDINGS_PROOF), {})
    return tuple(_read_range(policy, line) for policy, line in figures.items() if policy != NETS)


def _read_range(policy: str, line: Mapping[str, Any]) -> FindingRange:
    ends = (ReadingMean(tuple(line[name]["by"]), _read_changed(line[name])) for name in RANGE)
    return FindingRange(policy, _read_changed(line), line[READINGS], *ends)


def _read_changed(line: Mapping[str, Any]) -> StoredMean:
    return StoredMean(line[CHANGED], line[MARGIN])
