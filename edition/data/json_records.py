"""Shapes of the JSON files that programs keep with the sources; every name in them must lead somewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.schema.records import Record
from rulebook.schema.validation import read_json_record

TOMBSTONES = "tombstones.yaml"
QUESTION, SOURCE, DEAL, ALTERNATIVE = "question", "source", "worked deal", "interpretation or option"

Known = Mapping[str, frozenset[str]]  #: kind of thing -> the names under which there is one, or was


def names_in(library: Library) -> Known:
    """Everything that a stored file may name: what is there, and what has a tombstone."""
    path = Path(library.root) / TOMBSTONES
    raw = read_yaml(path)[0] if path.is_file() else ()
    gone = frozenset(str(one["id"]) for one in raw if isinstance(one, dict)) if isinstance(raw, list) else frozenset()
    alternatives = (one.id for clause in library.clauses() for one in clause.alternatives)
    return {
        QUESTION: frozenset(library.questions),
        SOURCE: gone.union(library.sources),
        DEAL: gone.union(Path(path).stem for path in library.deals),
        ALTERNATIVE: gone.union(alternatives),
    }


def named(kind: str) -> AfterValidator:
    """Demand that a word is the name of something of a kind; an empty one names nothing."""

    def there(word: str, info: ValidationInfo) -> str:
        if word and info.context and word not in info.context[kind]:
            raise PydanticCustomError("unknown_name", "there is no {kind} {word}", {"kind": kind, "word": word[:40]})
        return word

    return AfterValidator(there)


Question = Annotated[str, named(QUESTION)]
Siglum = Annotated[str, named(SOURCE)]
Worked = Annotated[str, named(DEAL)]
Alternative = Annotated[str, named(ALTERNATIVE)]
Pair = Annotated[list[Siglum], Field(min_length=2, max_length=2)]
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
    joined: str = ""


class TurnRecord(Record):
    """Something besides money that turns out otherwise."""

    what: str
    enough: list[list[Question]] = Field(default_factory=list)
    trick: int = 0
    seat: str = ""


class CausedRecord(Record):
    """One deal under two sources."""

    deal: Worked
    pair: Pair
    seal: Seal
    states: Annotated[list[str], Field(min_length=2, max_length=2)]
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
    how: list[str] = Field(default_factory=list)
    worked: list[Worked] = Field(default_factory=list)
    because: str = ""


class SetRecord(Record):
    """The fewest deals that tell some rulesets apart."""

    what: str
    deals: list[str]
    exact: bool
    pairs: int
    alike: list[list[str]]


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
    steps: list[int]


class TableRecord(Record):
    """One table."""

    source: Siglum
    unit: str
    pool: int
    deals: int
    settled: int
    net: list[int]
    squares: list[int]
    events: list[int]
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
