"""Shapes of the JSON files that programs keep with the sources; every name in them exists."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from engine.comparison.attribution import RESULT_STATE_NAMES
from engine.comparison.bundles import JOINED
from engine.comparison.separation import EFFECTIVE
from engine.interpretation.effects import HOW, HOW_SESSION
from lab.survey.request import ACCOUNTS, EVENTS
from lab.survey.tally import MOVED_STEPS
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.schema.records import Record
from rulebook.schema.validation import read_json_record
from rulebook.sources.registry import TOMBSTONES_FILE

_QUESTION_KIND, SOURCE_KIND, _DEAL_KIND = "question", "source", "worked deal"
_ALTERNATIVE_KIND, _RULESET_KIND = "interpretation or option", "source, interpretation or option"

_NamesByKind = Mapping[str, frozenset[str]]  #: kind of thing -> the names under which there is one, or was


def names_in(library: Library) -> _NamesByKind:
    """Everything that a stored file may name: what is there, and what has a tombstone."""
    path = Path(library.root) / TOMBSTONES_FILE
    raw = read_yaml(path)[0] if path.is_file() else ()
    gone = frozenset(str(one["id"]) for one in raw if isinstance(one, dict)) if isinstance(raw, list) else frozenset()
    alternatives = gone.union(one.id for clause in library.clauses() for one in clause.alternatives)
    return {
        _QUESTION_KIND: frozenset(library.questions),
        SOURCE_KIND: gone.union(library.sources),
        _DEAL_KIND: gone.union(Path(path).stem for path in library.deals),
        _ALTERNATIVE_KIND: alternatives,
        _RULESET_KIND: alternatives.union(library.sources),
    }


def _require_name(kind: str) -> AfterValidator:
    """Demand that a word is the name of something of a kind; an empty one names nothing."""

    def there(word: str, info: ValidationInfo) -> str:
        return _check_known(kind, info.context[kind], word) if word and info.context else word

    return AfterValidator(there)


def _require_word(kind: str, known: Collection[str]) -> AfterValidator:
    return AfterValidator(lambda word: _check_known(kind, known, word))


def _check_known(kind: str, known: Collection[str], word: str) -> str:
    if word not in known:
        raise PydanticCustomError("unknown_name", "there is no {kind} {word}", {"kind": kind, "word": word[:40]})
    return word


def _require_length(length: int) -> Any:
    return Field(min_length=length, max_length=length)


_QuestionName = Annotated[str, _require_name(_QUESTION_KIND)]
_SiglumName = Annotated[str, _require_name(SOURCE_KIND)]
_DealName = Annotated[str, _require_name(_DEAL_KIND)]
_AlternativeName = Annotated[str, _require_name(_ALTERNATIVE_KIND)]
_RulesetName = Annotated[str, _require_name(_RULESET_KIND)]
_SiglumPair = Annotated[list[_SiglumName], _require_length(2)]
_Fraction = Annotated[str, Field(pattern=r"^-?\d{1,18}(/[1-9]\d{0,17})?$")]
_Fingerprint = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]+$")]


class StoredRecord(Record):
    """Head of every stored file: the command, and the state of the sources."""

    digest: str = ""
    schema_: Literal[1] = Field(alias="schema")
    command: str
    version: str
    sources: _Fingerprint


_StoredT = TypeVar("_StoredT", bound=StoredRecord)


def read_stored(
    record: type[_StoredT], path: Path, root: Path, again: str, library: Library | None = None
) -> tuple[_StoredT | None, list[Problem]]:
    """Read a stored file, or everything that does not fit; only a library lets names be checked."""
    name = f"{root.name}/{path.relative_to(root).as_posix()}"
    found, problems = read_json_record(record, path, name, again, library and names_in(library))
    return found, [replace(one, way_out=again) for one in problems]


def dump_json_line(data: object) -> str:
    """Data in one line of JSON, as stored files have it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# ---- attributions.json
class CauseRecord(Record):
    """Answers that are exchanged together, and what they add to every account."""

    questions: list[_QuestionName] = Field(default_factory=list)
    adds: dict[str, _Fraction]
    joined: Annotated[str, _require_word("reason to exchange answers together", JOINED)] = ""


MAY_PLAY, TAKEN = "may-play", "taken"
#: Words for what turns out; `reversis.words.certainty` puts all but the first two into English.
TURNED_OUTCOMES = (
    *(MAY_PLAY, TAKEN, "lawful", "passed-over"),
    *("pool", "reversis", "espagnolette", "partie", "next_dealer"),
)


class TurnRecord(Record):
    """Something besides money that turns out otherwise."""

    what: Annotated[str, _require_word("difference", TURNED_OUTCOMES)]
    enough: list[list[_QuestionName]] = Field(default_factory=list)
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

    deal: _DealName
    pair: _SiglumPair
    seal: _Fingerprint
    states: Annotated[list[Annotated[str, _require_word("state", RESULT_STATE_NAMES.values())]], _require_length(2)]
    difference: dict[str, int]
    causes: list[CauseRecord] = Field(default_factory=list)
    turned: list[TurnRecord] = Field(default_factory=list)


class CausesRecord(StoredRecord):
    """The whole file."""

    found: list[CausedRecord]


# ---- separating.json
class PartingRecord(Record):
    """Findings on one question and two sources that answer it differently."""

    question: _QuestionName
    pair: _SiglumPair
    verdict: Literal["effective", "latent", "unknown", "not-played"]
    base: _SiglumName = ""
    giver: _SiglumName = ""
    brings: list[_QuestionName] = Field(default_factory=list)
    deal: str = ""
    session: list[_DealName] = Field(default_factory=list)
    how: list[Annotated[str, _require_word("difference", {*HOW, *HOW_SESSION})]] = Field(default_factory=list)
    worked: list[_DealName] = Field(default_factory=list)
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
    alike: list[Annotated[list[_RulesetName], _require_length(2)]]


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
    questions: list[_QuestionName] = Field(default_factory=list)
    source: _SiglumName = ""
    alternative: _AlternativeName = ""


class LeftOutRecord(StandRecord):
    """A ruleset that a survey cannot show."""

    because: str


class VersusRecord(Record):
    """Counts of one ruleset."""

    source: _SiglumName
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
    steps: Annotated[list[int], _require_length(len(MOVED_STEPS))]


class TableRecord(Record):
    """One table."""

    source: _SiglumName
    unit: str
    pool: int
    deals: int
    settled: int
    net: Annotated[list[int], _require_length(ACCOUNTS)]
    squares: Annotated[list[int], _require_length(ACCOUNTS)]
    events: Annotated[list[int], _require_length(len(EVENTS))]
    others: list[VersusRecord]
    left_out: list[LeftOutRecord]


class SurveyRecord(StoredRecord):
    """The whole file."""

    seed: int
    policy: str
    deals: int
    python: str
    made: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    nets: dict[str, Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]] = Field(default_factory=dict)
    events: list[str]
    steps: list[int]
    tables: list[TableRecord]
