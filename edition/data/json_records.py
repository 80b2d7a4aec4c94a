"""Shapes of the JSON files that programs keep with the sources; every name in them must lead somewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from engine.comparison.attribution import STATES
from engine.comparison.bundles import JOINED
from engine.comparison.separation import EFFECTIVE
from engine.interpretation.effects import HOW, HOW_SESSION
from engine.survey.request import ACCOUNTS, EVENTS
from engine.survey.tally import STEPS
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.schema.records import Record
from rulebook.schema.validation import read_json_record

TOMBSTONES = "tombstones.yaml"
QUESTION, SOURCE, DEAL, ALTERNATIVE = "question", "source", "worked deal", "interpretation or option"
RULESET = "source, interpretation or option"

Known = Mapping[str, frozenset[str]]  #: kind of thing -> the names under which there is one, or was


def names_in(library: Library) -> Known:
    """Everything that a stored file may name: what is there, and what has a tombstone."""
    path = Path(library.root) / TOMBSTONES
    raw = read_yaml(path)[0] if path.is_file() else ()
    gone = frozenset(str(one["id"]) for one in raw if isinstance(one, dict)) if isinstance(raw, list) else frozenset()
    alternatives = gone.union(one.id for clause in library.clauses() for one in clause.alternatives)
    return {
        QUESTION: frozenset(library.questions),
        SOURCE: gone.union(library.sources),
        DEAL: gone.union(Path(path).stem for path in library.deals),
        ALTERNATIVE: alternatives,
        RULESET: alternatives.union(library.sources),
    }


def named(kind: str) -> AfterValidator:
    """Demand that a word is the name of something of a kind; an empty one names nothing."""

    def there(word: str, info: ValidationInfo) -> str:
        return among(kind, info.context[kind], word) if word and info.context else word

    return AfterValidator(there)


def one_of(kind: str, known: Collection[str]) -> AfterValidator:
    """Demand one of the words that the program has for something."""
    return AfterValidator(lambda word: among(kind, known, word))


def among(kind: str, known: Collection[str], word: str) -> str:
    """Return a word if it is known. Raises PydanticCustomError."""
    if word not in known:
        raise PydanticCustomError("unknown_name", "there is no {kind} {word}", {"kind": kind, "word": word[:40]})
    return word


def row_of(length: int) -> Any:
    """Demand so many entries in a list."""
    return Field(min_length=length, max_length=length)


Question = Annotated[str, named(QUESTION)]
Siglum = Annotated[str, named(SOURCE)]
Worked = Annotated[str, named(DEAL)]
Alternative = Annotated[str, named(ALTERNATIVE)]
Ruleset = Annotated[str, named(RULESET)]
Pair = Annotated[list[Siglum], row_of(2)]
Share = Annotated[str, Field(pattern=r"^-?\d{1,18}(/[1-9]\d{0,17})?$")]
Seal = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]+$")]


class StoredRecord(Record):
    """The head of every such file: what makes it again, and of which state of the sources it is."""

    schema_: Literal[1] = Field(alias="schema")
    command: str
    version: str
    sources: Seal


R = TypeVar("R", bound=StoredRecord)


def read_stored(
    record: type[R], path: Path, root: Path, again: str, library: Library | None = None
) -> tuple[R | None, list[Problem]]:
    """A stored file, or everything that does not fit its shape; the way out is always to make it again.

    Without a library nobody asks whether the names in it lead anywhere.
    """
    name = f"{root.name}/{path.relative_to(root).as_posix()}"
    found, problems = read_json_record(record, path, name, again, library and names_in(library))
    return found, [replace(one, way_out=again) for one in problems]


# ---- attributions.json
class CauseRecord(Record):
    """Answers that are exchanged together, and what they add to every account."""

    questions: list[Question] = Field(default_factory=list)
    adds: dict[str, Share]
    joined: Annotated[str, one_of("reason to exchange answers together", JOINED)] = ""


MAY_PLAY, TAKEN = "may-play", "taken"
#: Words for what turns out; `edition.analysis.certainty` puts all but the first two into English.
TURNED = (
    *(MAY_PLAY, TAKEN, "lawful", "passed-over"),
    *("pool", "reversis", "espagnolette", "partie", "next_dealer"),
)


class TurnRecord(Record):
    """Something besides money that turns out otherwise."""

    what: Annotated[str, one_of("difference", TURNED)]
    enough: list[list[Question]] = Field(default_factory=list)
    trick: Annotated[int, Field(ge=0)] = 0
    seat: str = ""

    @model_validator(mode="after")
    def says_where(self) -> Self:
        """Demand the trick of a difference in play, and the seat of one in what may be played."""
        if (self.what in (MAY_PLAY, TAKEN) and not self.trick) or (self.what == MAY_PLAY and not self.seat):
            raise PydanticCustomError("incomplete", "{what} without its trick or seat", {"what": self.what})
        return self


class CausedRecord(Record):
    """One deal under two sources."""

    deal: Worked
    pair: Pair
    seal: Seal
    states: Annotated[list[Annotated[str, one_of("state", STATES.values())]], row_of(2)]
    difference: dict[str, int]
    causes: list[CauseRecord] = Field(default_factory=list)
    turned: list[TurnRecord] = Field(default_factory=list)


class CausesRecord(StoredRecord):
    """The whole file."""

    found: list[CausedRecord]


# ---- separating.json
class PartingRecord(Record):
    """What is known of one question and two sources that answer it differently."""

    question: Question
    pair: Pair
    verdict: Literal["effective", "latent", "unknown", "not-played"]
    base: Siglum = ""
    giver: Siglum = ""
    brings: list[Question] = Field(default_factory=list)
    deal: str = ""
    session: list[Worked] = Field(default_factory=list)
    how: list[Annotated[str, one_of("difference", {*HOW, *HOW_SESSION})]] = Field(default_factory=list)
    worked: list[Worked] = Field(default_factory=list)
    because: str = ""

    @model_validator(mode="after")
    def is_shown(self) -> Self:
        """Demand of an effective one, and of no other, a deal or a session, and the two sides."""
        one_shown = bool(self.deal) != bool(self.session)
        shown = one_shown and bool(self.how) and {self.base, self.giver} == {*self.pair}
        if shown != (self.verdict == EFFECTIVE):
            what = "an effective parting has a deal or a session, base and giver of its pair, and how; no other has"
            raise PydanticCustomError("not_shown", what)
        return self


class SetRecord(Record):
    """The fewest deals that tell some rulesets apart."""

    what: str
    deals: list[str]
    exact: bool
    pairs: int
    alike: list[Annotated[list[Ruleset], row_of(2)]]


class StoreRecord(StoredRecord):
    """The whole file."""

    seed: int
    deals: dict[str, dict[str, Any]]
    partings: list[PartingRecord]
    sets: list[SetRecord]


# ---- survey/*.json
class StandRecord(Record):
    """One thing for which a ruleset stands."""

    kind: str
    questions: list[Question] = Field(default_factory=list)
    source: Siglum = ""
    alternative: Alternative = ""


class LeftOutRecord(StandRecord):
    """What a survey cannot show."""

    because: str


class VersusRecord(Record):
    """What was counted of one ruleset."""

    source: Siglum
    wishes: list[str]
    stands: list[StandRecord]
    settled: int
    forbidden: int
    silent: int
    changed: int
    moved: int
    squares: int
    worst: int
    worst_deal: int
    steps: Annotated[list[int], row_of(len(STEPS))]


class TableRecord(Record):
    """One table."""

    source: Siglum
    unit: str
    pool: int
    deals: int
    settled: int
    net: Annotated[list[int], row_of(ACCOUNTS)]
    squares: Annotated[list[int], row_of(ACCOUNTS)]
    events: Annotated[list[int], row_of(len(EVENTS))]
    others: list[VersusRecord]
    left_out: list[LeftOutRecord]


class SurveyRecord(StoredRecord):
    """The whole file."""

    seed: int
    policy: str
    deals: int
    python: str
    made: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    events: list[str]
    steps: list[int]
    tables: list[TableRecord]
