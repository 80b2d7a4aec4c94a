"""The counsel of the sources, `sources/counsel.yaml`: advice and claims about play, how each is tried, what is wrong.

The file is no part of the fingerprint of the sources: no rule follows from it, and a receipt about rules is not
outdated by it. The receipt of the trials keeps with each result how it was tried; where that has changed, the result
is not shown.
"""
# ruff: noqa: RUF012  (pydantic copies a default; ruff does not see that a Record is a model of it)

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from rulebook.history.attestations import find_repeated_ids
from rulebook.io.strict_yaml import Positions, read_yaml
from rulebook.json_schema import SchemaKind
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.quotations import find_passage_fault
from rulebook.schema.history_records import PageAddress, SpacedText, Words
from rulebook.schema.records import Record
from rulebook.schema.validation import validate_record

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


#: Ways to try advice, in turns of play and before them, and then claims, in whole deals; the engine says how.
CounselTest = Literal[
    "",
    "play-below",
    "avoid-points",
    "take-high",
    "return-low",
    "lead-low",
    "throw-cards",
    "throw-high",
    "lead-hearts",
    "guard-quinola",
    "keep-from-leading",
    "lay-away-sole",
    "lay-away-lowest",
    "dealer-ahead",
    "holder-swings",
    "courts-lose",
    "espagnolette-ahead",
]
CounselCard = Annotated[str, Field(pattern=r"^(10|[2-9AKQJ])[SHDC]$")]
CounselRank = Annotated[str, Field(pattern=r"^(10|[2-9AKQJ])?$")]


class CounselPassageRecord(Record):
    """Words of a source that advise or claim something."""

    at: str  #: The sentence or statement.
    exact: Words  #: Its words, letter for letter as printed; of a source in copyright, words of our statement.


class CounselRecord(Record):
    """One piece of advice, or one claim about play, of one source."""

    id: PageAddress  #: Its address on the page: small letters, figures and hyphens.
    passages: Annotated[list[CounselPassageRecord], Field(min_length=1)]  #: Where it stands; all in one source.
    says: Words  #: The advice or claim in plain English.
    kind: Literal["advice", "claim"]  #: Whether it says what to do, or how things are.
    tried: CounselTest = ""  #: The test by which it is tried; left out if it cannot be tried.
    cards: list[CounselCard] = []  #: The cards that it is about, if the test asks for some.
    over: list[CounselCard] = []  #: The cards that they are to be preferred to; left out for all others.
    high: CounselRank = ""  #: A card of this rank or above is high, if the test asks for that.
    low: CounselRank = ""  #: A card of this rank or below is low.
    how: SpacedText = ""  #: In what the test is narrower or wider than the words, if it is.
    untried: SpacedText = ""  #: Why it cannot be tried, if it cannot.

    @property
    def source(self) -> str:
        """The source whose words it is."""
        return self.passages[0].at.partition(".")[0]


#: Records of files, for the schemas by which editors complete them.
GAME_SCHEMAS: Mapping[str, SchemaKind] = {
    "counsel": (CounselRecord, "list", "What the sources advise and claim about play")
}


# ---- reading
def read_counsel(root: Path, library: Library) -> tuple[tuple[CounselRecord, ...], list[Problem]]:
    """Return the counsel in its order, and all that is wrong with it; none where there is no file."""
    path = root / COUNSEL_FILE
    if not path.is_file():
        return (), []
    raw, positions, problems = read_yaml(path, f"{root.name}/{COUNSEL_FILE}")
    if problems or not isinstance(raw, list):
        return (), problems or [positions.where(()).problem("is no list", "begin every piece of counsel with a dash")]
    read = [validate_record(CounselRecord, entry, positions, (at,)) for at, entry in enumerate(raw)]
    if faults := [fault for _, some in read for fault in some]:
        return (), faults
    records = [record for record, _ in read if record is not None]
    faults = [fault for check in _CHECKS for fault in check(positions, records)]
    faults += check_passages(positions, records, library)
    return tuple(records), faults


# ---- checks
def it_is_tried_or_it_is_said_why_not(positions: Positions, records: Sequence[CounselRecord]) -> Iterator[Problem]:
    """Yield counsel with neither a test nor a reason, or with both."""
    for at, record in enumerate(records):
        if bool(record.tried) == bool(record.untried):
            what = "both a test and a reason why there is none" if record.tried else "no test, and no reason why not"
            yield positions.where((at, "id")).problem(f"{record.id} has {what}", "write tried: or untried:")


def the_test_has_what_it_asks_for(positions: Positions, records: Sequence[CounselRecord]) -> Iterator[Problem]:
    """Yield counsel whose test misses cards or ranks, or has some that it does not look at."""
    for at, record in enumerate(records):
        given, wanted = tuple(name for name in _TERMS if getattr(record, name)), TEST_TERMS.get(record.tried, ())
        if given != wanted:
            asks = " and ".join(wanted) or "neither cards nor ranks"
            what = f"{record.tried or 'what is not tried'} asks for {asks}, not {' and '.join(given) or 'nothing'}"
            yield positions.where((at, "id")).problem(what, "write what the test asks for, and nothing else")
        elif record.over and record.tried != "throw-cards":
            yield positions.where((at, "over")).problem(f"{record.tried} does not look at over", "take it out")


def all_passages_are_of_one_source(positions: Positions, records: Sequence[CounselRecord]) -> Iterator[Problem]:
    """Yield counsel with words of two sources: each is tried by its own rules."""
    for at, record in enumerate(records):
        sources = sorted({each.at.partition(".")[0] for each in record.passages})
        if len(sources) > 1:
            what = f"words of {' and '.join(sources)}"
            yield positions.where((at, "passages")).problem(what, "write an entry for each source")


def check_passages(positions: Positions, records: Sequence[CounselRecord], library: Library) -> Iterator[Problem]:
    """Yield passages whose words do not stand in their sentence."""
    for at, record in enumerate(records):
        for nth, passage in enumerate(record.passages):
            if fault := find_passage_fault(library, passage.at, passage.exact):
                entry, what, way_out = fault
                yield positions.where((at, "passages", nth, entry)).problem(what, way_out)


_CHECKS: tuple[Callable[[Positions, Sequence[CounselRecord]], Iterator[Problem]], ...] = (
    find_repeated_ids,
    it_is_tried_or_it_is_said_why_not,
    the_test_has_what_it_asks_for,
    all_passages_are_of_one_source,
)
