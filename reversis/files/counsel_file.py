"""The counsel of the sources, `sources/counsel.yaml`: advice and claims about play, how each is tried, what is wrong.

The file is no part of the fingerprint of the sources: no rule follows from it, and a receipt about rules is not
outdated by it. The receipt of the trials keeps with each result how it was tried; where that has changed, the result
is not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reversis.files.counsel_records import CounselRecord
from rulebook.history.attestations import find_repeated_ids
from rulebook.io.strict_yaml import Positions, read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.quotations import find_passage_fault
from rulebook.schema.validation import validate_record
from rulebook.strings import single_spaced

COUNSEL_FILE = "counsel.yaml"
ADVICE, CLAIM = "advice", "claim"
#: What a test asks for, and must have.
TEST_TERMS: Mapping[str, tuple[str, ...]] = {
    "throw-cards": ("cards",),
    "keep-from-leading": ("cards",),
    "lay-away-sole": ("cards",),
    "lay-away-lowest": ("cards",),
    "holder-swings": ("cards",),
    "lead-low": ("high", "low"),
}
_TERMS = ("cards", "high", "low")


@dataclass(frozen=True, slots=True)
class CounselPassage:
    """Words of a source that advise or claim something."""

    at: str
    exact: str


@dataclass(frozen=True, slots=True)
class Counsel:
    """A piece of advice, or a claim about play, and how it is tried."""

    id: str
    source: str
    passages: tuple[CounselPassage, ...]
    says: str
    kind: str
    tried: str  #: empty if it cannot be tried
    cards: tuple[str, ...]
    over: tuple[str, ...]
    high: str
    low: str
    how: str
    untried: str


def read_counsel(root: Path, library: Library) -> tuple[tuple[Counsel, ...], list[Problem]]:
    """Return the counsel in its order, and all that is wrong with it; none where there is no file."""
    path = root / COUNSEL_FILE
    if not path.is_file():
        return (), []
    raw, positions, problems = read_yaml(path, f"{root.name}/{COUNSEL_FILE}")
    if problems or not isinstance(raw, list):
        return (), problems or [positions.where(()).problem("is no list", "begin every piece of counsel with a dash")]
    read = [validate_record(CounselRecord, one, positions, (at,)) for at, one in enumerate(raw)]
    if faults := [fault for _, some in read for fault in some]:
        return (), faults
    records = [record for record, _ in read if record is not None]
    faults = [fault for check in _CHECKS for fault in check(positions, records)]
    faults += check_passages(positions, records, library)
    return tuple(map(_build_counsel, records)), faults


def _build_counsel(one: CounselRecord) -> Counsel:
    return Counsel(
        one.id,
        one.passages[0].at.partition(".")[0],
        tuple(CounselPassage(each.at, single_spaced(each.exact)) for each in one.passages),
        single_spaced(one.says),
        one.kind,
        one.tried,
        tuple(one.cards),
        tuple(one.over),
        one.high,
        one.low,
        single_spaced(one.how),
        single_spaced(one.untried),
    )


# ---- checks
def it_is_tried_or_it_is_said_why_not(positions: Positions, records: Sequence[CounselRecord]) -> Iterator[Problem]:
    """Yield counsel with neither a test nor a reason, or with both."""
    for at, one in enumerate(records):
        if bool(one.tried) == bool(one.untried.strip()):
            what = "both a test and a reason why there is none" if one.tried else "no test, and no reason why not"
            yield positions.where((at, "id")).problem(f"{one.id} has {what}", "write tried: or untried:")


def the_test_has_what_it_asks_for(positions: Positions, records: Sequence[CounselRecord]) -> Iterator[Problem]:
    """Yield counsel whose test misses cards or ranks, or has some that it does not look at."""
    for at, one in enumerate(records):
        given, wanted = tuple(name for name in _TERMS if getattr(one, name)), TEST_TERMS.get(one.tried, ())
        if given != wanted:
            asks = " and ".join(wanted) or "neither cards nor ranks"
            what = f"{one.tried or 'what is not tried'} asks for {asks}, not {' and '.join(given) or 'nothing'}"
            yield positions.where((at, "id")).problem(what, "write what the test asks for, and nothing else")
        elif one.over and one.tried != "throw-cards":
            yield positions.where((at, "over")).problem(f"{one.tried} does not look at over", "take it out")


def all_passages_are_of_one_source(positions: Positions, records: Sequence[CounselRecord]) -> Iterator[Problem]:
    """Yield counsel with words of two sources: each is tried by its own rules."""
    for at, one in enumerate(records):
        sources = sorted({each.at.partition(".")[0] for each in one.passages})
        if len(sources) > 1:
            what = f"words of {' and '.join(sources)}"
            yield positions.where((at, "passages")).problem(what, "write an entry for each source")


def check_passages(positions: Positions, records: Sequence[CounselRecord], library: Library) -> Iterator[Problem]:
    """Yield passages whose words do not stand in their sentence."""
    for at, one in enumerate(records):
        for nth, passage in enumerate(one.passages):
            if fault := find_passage_fault(library, passage.at, passage.exact):
                entry, what, way_out = fault
                yield positions.where((at, "passages", nth, entry)).problem(what, way_out)


_CHECKS: tuple[Callable[[Positions, Sequence[CounselRecord]], Iterator[Problem]], ...] = (
    find_repeated_ids,
    it_is_tried_or_it_is_said_why_not,
    the_test_has_what_it_asks_for,
    all_passages_are_of_one_source,
)
