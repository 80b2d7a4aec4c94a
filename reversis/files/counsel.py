"""Counsel of the sources as `proofs.counsel` tried it: the figures of its receipt, read into records.

The proof writes them by the names that stand here. A result counts only while its piece of counsel is tried as it was
then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reversis.files.counsel_file import CounselRecord
from rulebook.receipts import Receipt

COUNSEL_PROOF = "counsel"  #: the proof that tries it, and its receipt
RESULTS, PLACE_MEANS, UNITS = "results", "places", "units"
MARGIN = "give or take"
READINGS, RANGE = "other readings", ("lowest", "highest")
FEWEST_DEALS = 10  #: with fewer the spread over the deals tells nothing


@dataclass(frozen=True, slots=True)
class StoredMean:
    """Mean, and how far its 95 % interval reaches to either side."""

    mean: float
    margin: float


@dataclass(frozen=True, slots=True)
class ReadingMean:
    """Mean under other readings of the source; with none of them under the preferred ones, on the same deals."""

    by: tuple[str, ...]
    mean: StoredMean


@dataclass(frozen=True, slots=True)
class CounselResult:
    """Outcome of trying one piece of counsel."""

    cases: int
    deals: int  #: in which there was a case
    of: int  #: deals in all
    gain: StoredMean | None  #: what following it wins, or by how much a claim is true; None with too few cases
    cost: StoredMean | None  #: of advice: what is lost against the best card
    ahead: StoredMean | None  #: of advice: what cards that follow it are worth more on average
    agreed: float | None  #: of advice: in how many of a hundred cases the best card follows it
    readings: int = 0  #: number of other readings under which it was tried
    ends: tuple[ReadingMean, ...] = ()  #: lowest and highest gain over all readings


@dataclass(frozen=True, slots=True)
class CounselResults:
    """All that the receipt tells."""

    results: Mapping[str, CounselResult]
    places: Mapping[str, tuple[StoredMean, ...]]  #: source -> what is won in each place, the dealer last
    units: Mapping[str, str]


def describe_trial(advice: CounselRecord) -> str:
    """Describe how a piece of counsel is tried, as the receipt keeps it."""
    over = ("rather than", *advice.over) if advice.over else ()
    ranks = (f"{name} {rank}" for name, rank in (("high", advice.high), ("low", advice.low)) if rank)
    return " ".join((advice.tried, *advice.cards, *over, *ranks))


def read_counsel_results(receipts: Sequence[Receipt], counsel: Sequence[CounselRecord]) -> CounselResults | None:
    """Read the receipt; None where there is none, or one that an earlier program wrote."""
    figures = next((receipt.figures for receipt in receipts if receipt.proof == COUNSEL_PROOF), None)
    if figures is None:
        return None
    try:
        lines = {advice.id: figures[RESULTS][advice.id] for advice in counsel if advice.id in figures[RESULTS]}
        same = {
            advice.id for advice in counsel if advice.id in lines and lines[advice.id]["test"] == describe_trial(advice)
        }
        places = {
            name: tuple(_read_mean(mean, "wins") for mean in some.values())
            for name, some in figures[PLACE_MEANS].items()
        }
        return CounselResults(
            {id: _read_result(line) for id, line in lines.items() if id in same},
            {name: tuple(mean for mean in some if mean) for name, some in places.items()},
            {name: str(unit) for name, unit in figures[UNITS].items()},
        )
    except (KeyError, TypeError, ValueError):
        return None


def _read_result(line: Mapping[str, Any]) -> CounselResult:
    enough = line["deals with a case"] >= FEWEST_DEALS
    gain, cost, ahead = (_read_mean(line, name) if enough else None for name in ("gain", "cost", "ahead"))
    agreed = float(line["best card follows, of 100"]) if enough and "cost" in line else None
    ends = tuple(_read_end(line[name]) for name in RANGE if enough and name in line)
    counts = int(line["cases"]), int(line["deals with a case"]), int(line["deals"])
    return CounselResult(*counts, gain, cost, ahead, agreed, int(line.get(READINGS, 0)), ends)


def _read_end(line: Mapping[str, Any]) -> ReadingMean:
    return ReadingMean(tuple(map(str, line["by"])), StoredMean(float(line["gain"]), float(line[f"gain {MARGIN}"])))


def _read_mean(line: Mapping[str, Any], name: str) -> StoredMean | None:
    return StoredMean(float(line[name]), float(line[f"{name} {MARGIN}"])) if name in line else None
