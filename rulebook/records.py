"""The shape of every YAML file in `sources/`; what does not fit is told with its place and a way out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from rulebook.measures import did_you_mean
from rulebook.model import Problem
from rulebook.yamlpos import Positions, Steps


class Record(BaseModel):
    """A table with known entries and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# --- questions ------------------------------------------------------------------------------------

Affects = Literal["table", "deal", "play", "award", "payment", "pool", "irregularity"]
Unit = Literal["smallest", "times", "tricks"]


class MeasureRecord(Record):
    """How a question is answered that has no closed list of readings."""

    type: str
    unit: Unit | None = None
    min: int | None = None
    max: int | None = None
    of: dict[str, str] | None = None
    like: str | None = None


class QuestionRecord(Record):
    """One question, under its id."""

    slug: str
    asks: str
    group: str
    affects: Affects
    coding: str
    readings: dict[str, str] | None = None
    measure: MeasureRecord | None = None
    depends: str = ""
    related: list[str] = []
    not_played: str = ""


# --- a source -------------------------------------------------------------------------------------


class FamilyRecord(Record):
    """The sources it stands with, where that needs more than a name."""

    name: str
    certainty: str = ""
    note: str = ""


class RightsRecord(Record):
    """What may be done with each layer."""

    text: str
    encoding: str
    translation: str | None


class CapRecord(Record):
    """How much may be quoted of a source in copyright."""

    words_each: int
    share_of_page: float
    page_words: int


class UnitsRecord(Record):
    """The counters: the smallest, and what the others are worth in it."""

    smallest: str
    multiples: dict[str, int]


class CoderRecord(Record):
    """An editorial pass."""

    id: str
    role: str


class SourceRecord(Record):
    """The bibliographic record of a source."""

    siglum: str
    title: str
    short_title: str
    author: str = ""
    language: str
    family: str | FamilyRecord
    date: str
    date_certainty: str
    place: str | None
    exemplar: str
    address: str | None = None
    address_note: str = ""
    accessed: str | None = None
    accessed_note: str = ""
    rights: RightsRecord
    quotation_cap: CapRecord | None = None
    units: UnitsRecord
    coders: list[CoderRecord]
    images_seen: bool
    image_link: str | None
    introduction: str
    bibliography: list[str]
    draft: bool = False


class StatementRecord(Record):
    """A rule of a source in copyright, in our words."""

    id: str
    section: str
    text: str
    quote: str = ""
    quote_hash: str = ""


class PrintedRecord(Record):
    """A number that a source prints about its own game."""

    id: str
    locus: str
    exact: str = ""
    view: str = "diplomatic"
    what: str
    says: int
    unit: str = ""
    reckon: str = ""
    deal: str = ""
    rule: str = ""
    payer: str = ""
    payee: str = ""
    remark: str = ""


class NoteRecord(Record):
    """A remark of the editors."""

    id: str
    on: str
    kind: str
    by: str
    text: str


class StandingRecord(Record):
    """What becomes of one sentence."""

    kind: str
    questions: list[str] = []
    residue: str = ""
    because: str = ""


class TombstoneRecord(Record):
    """What became of an id that was published and is gone."""

    id: str
    on: str
    why: str
    see: list[str] = []


# --- clauses --------------------------------------------------------------------------------------


class CiteRecord(Record):
    """Words of the source, and where they stand."""

    locus: str
    to: str = ""
    exact: str = ""
    prefix: str = ""
    suffix: str = ""
    view: str = "diplomatic"
    role: str = "grounds"
    seen: str = ""


class RivalRecord(Record):
    """Another way to take the words."""

    id: str
    label: str
    answers: dict[str, Any]
    cert: str = "low"
    because: str = ""
    decision: str = ""
    computation: str = ""


class OptionRecord(RivalRecord):
    """An alternative that the source itself offers."""

    exact: str = ""


class ClauseRecord(Record):
    """What one passage says, or that nothing is said."""

    id: str
    cites: list[CiteRecord] = []
    answers: dict[str, Any] = {}
    on: list[str] = []
    status: str
    cert: str
    coder: str
    reviewer: str = ""
    label: str = ""
    decision: str = ""
    because: str = ""
    searched: str = ""
    taken_from: str = ""
    computation: str = ""
    note: str = ""
    rivals: list[RivalRecord] = []
    options: list[OptionRecord] = []


# --- how the rules are told -------------------------------------------------------------------------


class NameRecord(Record):
    """A thing that every source calls by a word of its own."""

    otherwise: str
    terms: list[str]


class RuleRecord(Record):
    """How one question is told: by its readings, by one sentence for every answer, or both."""

    says: str = ""
    readings: dict[str, str] = {}
    words: dict[str, str] = {}
    then: dict[str, str] = {}
    called: str = ""
    same: str = ""
    join: str = "and"


class SectionRecord(Record):
    """Questions under one heading, in the order in which they are told."""

    id: str
    title: str
    needs: str = ""
    rules: dict[str, RuleRecord]


class TellingRecord(Record):
    """The whole file."""

    names: dict[str, NameRecord] = {}
    left_out: dict[str, str] = {}
    sections: list[SectionRecord] = []


# --- what does not fit ----------------------------------------------------------------------------

R = TypeVar("R", bound=Record)

#: kind of fault -> what is wrong, and the way out; {key} and {given} stand for the entry and its value.
FAULTS: Mapping[str, tuple[str, str]] = {
    "missing": ("{key} is missing", "add it"),
    "string_type": ("{key} must be text, not {given}", 'put it in quotes: "{given}"'),
    "int_type": ("{key} must be a whole number, not {given}", "write it as 5, without quotes"),
    "float_type": ("{key} must be a number, not {given}", "write it as 0.10, without quotes"),
    "bool_type": ("{key} must be true or false, not {given}", "write true or false, without quotes"),
    "list_type": ("{key} must be a list, not {given}", "begin every item with a dash, or write [one, two]"),
    "dict_type": ("{key} must be a table, not {given}", "write `name: value` in lines of its own"),
    "model_type": ("{key} must be a table, not {given}", "write `name: value` in lines of its own"),
}


def validated(record: type[R], data: object, positions: Positions, steps: Steps) -> tuple[R | None, list[Problem]]:
    """A record out of plain data, or everything that does not fit."""
    try:
        return record.model_validate(data), []
    except ValidationError as error:
        faults = [*unmistaken(record, data, error.errors(include_url=False, include_context=True))]
        return None, sorted({problem_of(record, data, fault, positions, steps) for fault in faults})


def unmistaken(record: type[Record], data: object, faults: list[ErrorDetails]) -> Iterator[ErrorDetails]:
    """The faults without those entries that are missing only because their name is misspelt: that is told once."""
    paths = [(fault, tuple(walked(data, fault["loc"]))) for fault in faults]
    strange = [path for fault, path in paths if fault["type"] == "extra_forbidden"]
    meant = {(*path[:-1], nearest_to(str(path[-1]), fields_at(record, path[:-1]))) for path in strange}
    yield from (fault for fault, path in paths if fault["type"] != "missing" or path not in meant)


def nearest_to(word: str, known: tuple[str, ...]) -> str:
    """The entry that was meant, if any."""
    return next(iter(get_close_matches(word, known, 1)), "")


def problem_of(record: type[Record], data: object, fault: ErrorDetails, positions: Positions, steps: Steps) -> Problem:
    """A fault found by the record, in the words and at the place of the file."""
    path = tuple(walked(data, fault["loc"]))
    key, given = str(path[-1]) if path else "the entry", shown(fault["input"])
    if fault["type"] == "extra_forbidden":
        otherwise = "known are: " + ", ".join(fields_at(record, path[:-1]))
        way_out = did_you_mean(key, fields_at(record, path[:-1]), otherwise)
        return positions.key((*steps, *path)).problem(f"the entry {key} is unknown here", way_out)
    if fault["type"] == "literal_error":
        known = literals_in(fault)
        way_out = did_you_mean(fault["input"], known, "use one of: " + ", ".join(known))
        return positions.where((*steps, *path)).problem(f"{key} cannot be {given}", way_out)
    what, way_out = FAULTS.get(fault["type"], ("{key}: " + fault["msg"], "see the other entries of this kind"))
    if fault["input"] is None and fault["type"] == "string_type":
        way_out = "write it; behind a # everything is a remark, unless the text stands in quotes"
    filled = [text.replace("{key}", key).replace("{given}", given) for text in (what, way_out)]
    return positions.where((*steps, *path)).problem(*filled)


def walked(data: object, location: tuple[int | str, ...]) -> Iterator[str | int]:
    """The way to a fault through the data, without the names of alternatives tried."""
    for at, step in enumerate(location):
        steps = data if isinstance(data, dict) else dict(enumerate(data)) if isinstance(data, list) else {}
        last = isinstance(data, dict) and at == len(location) - 1  # an entry that is missing ends the way
        if step in steps or last:
            yield step
        data = steps.get(step, data)


def shown(given: object) -> str:
    """What was given, in a few letters."""
    kinds = {dict: "a table", list: "a list", type(None): "nothing"}
    return kinds.get(type(given)) or (str(given).lower() if isinstance(given, bool) else str(given)[:40])


def literals_in(fault: ErrorDetails) -> list[str]:
    """The words of a closed list, from the complaint that none of them was used."""
    return [word for word in str(fault.get("ctx", {}).get("expected", "")).split("'")[1::2]]


def fields_at(record: type[Record], steps: Steps) -> tuple[str, ...]:
    """The entries known at a place within a record."""
    for step in steps:
        if isinstance(step, str) and step in record.model_fields:
            record = record_in(record.model_fields[step].annotation) or record
    return tuple(record.model_fields)


def record_in(annotation: object) -> type[Record] | None:
    """The record somewhere in a type: in a list, beside None."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    return next((found for part in get_args(annotation) if (found := record_in(part))), None)
