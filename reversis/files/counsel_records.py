"""The shape of the advice and claims of the sources on how to play, and of how each is tried."""
# ruff: noqa: RUF012  (pydantic copies a default; ruff does not see that a Record is a model of it)

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from rulebook.json_schema import SchemaKind
from rulebook.schema.history_records import PageAddress, Words
from rulebook.schema.records import Record

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

    at: str
    """The sentence or statement."""
    exact: Words
    """Its words, letter for letter as printed; of a source in copyright, words of our statement."""


class CounselRecord(Record):
    """One piece of advice, or one claim about play, of one source."""

    id: PageAddress
    """Its address on the page: small letters, figures and hyphens."""
    passages: Annotated[list[CounselPassageRecord], Field(min_length=1)]
    """Where it stands; all in one source."""
    says: Words
    """The advice or claim in plain English."""
    kind: Literal["advice", "claim"]
    """Whether it says what to do, or how things are."""
    tried: CounselTest = ""
    """The test by which it is tried; left out if it cannot be tried."""
    cards: list[CounselCard] = []
    """The cards that it is about, if the test asks for some."""
    over: list[CounselCard] = []
    """The cards that they are to be preferred to; left out for all others."""
    high: CounselRank = ""
    """A card of this rank or above is high, if the test asks for that."""
    low: CounselRank = ""
    """A card of this rank or below is low."""
    how: str = ""
    """In what the test is narrower or wider than the words, if it is."""
    untried: str = ""
    """Why it cannot be tried, if it cannot."""


#: Records of files, for the schemas by which editors complete them.
GAME_SCHEMAS: Mapping[str, SchemaKind] = {
    "counsel": (CounselRecord, "list", "What the sources advise and claim about play")
}
