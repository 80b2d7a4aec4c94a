"""Stored surveys: `sources/survey/<policy>.json`, with what repeats them.

They hold whole numbers only.

They lie with the sources and go with them into every copy; like receipts they are no part of what the fingerprint of
the sources is taken of. No page needs more than what stands there: neither numba nor a single deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from lab.survey import tally, variants
from lab.survey.request import ACCOUNTS, EVENTS, Rules
from reversis.files import json_records
from rulebook.io.digests import add_digest
from rulebook.io.files import replace_file
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.receipts import describe_outdated
from rulebook.schema.records import Record
from rulebook.strings import LIST_SEPARATOR, quote_value

SURVEYS_FOLDER = "survey"
SURVEY_DICTIONARY_FILE = "stored-survey.schema.json"  #: among the schemas: what every entry means
STORED_SURVEY_SCHEMA = 1
_REMAKE_HINT = "repeat the survey: python -m proofs.survey"
_HEAD_KEYS = ("schema", "command", "seed", "policy", "deals", "version", "sources", "python", "made")


@dataclass(frozen=True, slots=True)
class Seated:
    """One table: the source, its pool, the rulesets weighed there, and the counts."""

    weighed: variants.SourceVariants
    unit: str  #: the source's smallest counter
    pool: int  #: what lies in the pool before the deal
    count: tally.Count

    @property
    def siglum(self) -> str:
        """The source by whose rules the cards are played."""
        return self.weighed.rules.source

    @property
    def priced(self) -> tuple[tuple[variants.Disagreement, tally.Versus], ...]:
        """Every ruleset with what was counted of it."""
        return tuple(zip(self.weighed.others, self.count.others, strict=True))


@dataclass(frozen=True, slots=True)
class StoredSurvey:
    """One survey: the command, the state of the edition, and all counts."""

    command: str
    seed: int
    policy: str
    deals: int
    version: str
    sources: str
    python: str
    made: str
    tables: tuple[Seated, ...]
    schema: int = STORED_SURVEY_SCHEMA
    nets: tuple[tuple[str, str], ...] = ()  #: of skilled players, where it is known: source -> fingerprint of its net

    def outdated(self, version: str, digest: str) -> tuple[str, ...]:
        """Reasons why it does not fit the present edition; empty when it does."""
        return describe_outdated((self.version, self.sources), (version, digest))


# ---- shapes of the file
class StandRecord(Record):
    """One thing for which a ruleset stands."""

    kind: str
    questions: list[json_records.QuestionName] = Field(default_factory=list)
    source: json_records.SiglumName = ""
    alternative: json_records.AlternativeName = ""


class LeftOutRecord(StandRecord):
    """A ruleset that a survey cannot show."""

    because: str


class VersusRecord(Record):
    """Counts of one ruleset."""

    source: json_records.SiglumName
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
    steps: Annotated[list[int], json_records.require_length(len(tally.MOVED_STEPS))]


class TableRecord(Record):
    """One table."""

    source: json_records.SiglumName
    unit: str
    pool: int
    deals: int
    settled: int
    net: Annotated[list[int], json_records.require_length(ACCOUNTS)]
    squares: Annotated[list[int], json_records.require_length(ACCOUNTS)]
    events: Annotated[list[int], json_records.require_length(len(EVENTS))]
    others: list[VersusRecord]
    left_out: list[LeftOutRecord]


class SurveyRecord(json_records.StoredRecord):
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


# ---- writing
def write_stored_survey(path: Path, survey: StoredSurvey) -> Path:
    """Write a survey to a file, a line for each ruleset; the pages read `survey/<policy>.json` below the sources."""
    return replace_file(path, format_stored_survey(survey))


def format_stored_survey(survey: StoredSurvey) -> str:
    """Format a survey as it is stored."""
    head = {name: getattr(survey, name) for name in _HEAD_KEYS} | ({"nets": dict(survey.nets)} if survey.nets else {})
    head |= {"events": list(EVENTS), "steps": list(tally.MOVED_STEPS)}
    tables = ",\n".join(map(_format_stored_table, survey.tables))
    return add_digest(f'{json_records.dump_json_line(head)[:-1]},\n"tables": [\n{tables}\n]}}\n')


def _format_stored_table(seated: Seated) -> str:
    counted = {name: getattr(seated.count, name) for name in _COUNT_FIELDS}
    head = {"source": seated.siglum, "unit": seated.unit, "pool": seated.pool, **counted}
    others = ",\n".join(f"  {json_records.dump_json_line(_serialize_versus(*pair))}" for pair in seated.priced)
    unweighed = [{**_serialize_stand(out.stand), "because": out.because} for out in seated.weighed.left_out]
    left = ",\n".join(f"  {json_records.dump_json_line(out)}" for out in unweighed)
    return f'{json_records.dump_json_line(head)[:-1]},\n "others": [\n{others}\n ],\n "left_out": [\n{left}\n ]}}'


_COUNT_FIELDS = ("deals", "settled", "net", "squares", "events")


def _serialize_versus(disagreement: variants.Disagreement, count: tally.Versus) -> dict[str, object]:
    stands = [_serialize_stand(stand) for stand in disagreement.stands]
    return {
        "source": disagreement.rules.source,
        "wishes": list(disagreement.rules.wishes),
        "stands": stands,
        **asdict(count),
    }


def _serialize_stand(stand: variants.SurveyVariant) -> dict[str, object]:
    return {key: value for key, value in asdict(stand).items() if value}


# ---- reading
def read_surveys(root: Path, library: Library | None = None) -> tuple[tuple[StoredSurvey, ...], list[Problem]]:
    """Read every stored survey, and all that is wrong with any; names with a library only."""
    paths = sorted((root / SURVEYS_FOLDER).glob("*.json"), key=lambda path: (path.stem != "random", path.stem))
    read = [_read_stored_survey(path, root, library) for path in paths]
    return tuple(survey for survey, _ in read if survey), [problem for _, problems in read for problem in problems]


def _read_stored_survey(
    path: Path, root: Path, library: Library | None = None
) -> tuple[StoredSurvey | None, list[Problem]]:
    """Read one survey, or everything that is wrong with it."""
    record, problems = json_records.read_stored(SurveyRecord, path, root, _REMAKE_HINT, library)
    if record is None:
        return None, problems
    try:
        return parse_stored_survey(record.model_dump(by_alias=True, exclude_unset=True), path.stem), []
    except ValueError as fault:  # of another version of the program, or of another policy
        name = f"{root.name}/{SURVEYS_FOLDER}/{path.name}"
        return None, [Problem(name, 1, 1, f"is no survey: {fault}", _REMAKE_HINT)]


def parse_stored_survey(data: Mapping[str, Any], policy: str) -> StoredSurvey:
    """Build a survey from its data. Raise ValueError where it is not of this program."""
    if (
        data["schema"] != STORED_SURVEY_SCHEMA
        or data["events"] != list(EVENTS)
        or data["steps"] != list(tally.MOVED_STEPS)
    ):
        raise ValueError("it was written by another version of this program")
    if data["policy"] != policy:
        raise ValueError(f"the policy is called {data['policy']}, its file {policy}")
    head = {name: data[name] for name in _HEAD_KEYS}
    tables, nets = tuple(map(_parse_table, data["tables"])), tuple(data.get("nets", {}).items())
    for table in tables:
        if faults := [*tally.find_count_faults(table.count)]:
            raise ValueError(f"the table of {table.siglum} cannot be right: {faults[0]}")
        if table.count.deals != data["deals"]:
            raise ValueError(f"the table of {table.siglum} has {table.count.deals} of {data['deals']} deals")
    return StoredSurvey(**head, tables=tables, nets=nets)


def _parse_table(raw: Mapping[str, Any]) -> Seated:
    others = tuple(
        variants.Disagreement(Rules(other["source"], tuple(other["wishes"])), tuple(map(_parse_stand, other["stands"])))
        for other in raw["others"]
    )
    left = tuple(
        variants.LeftOut(_parse_stand(o), _require_word(o["because"], variants.UNSURVEYED_REASONS))
        for o in raw["left_out"]
    )
    prices = (
        tally.Versus(**_read_counts(other, (field.name for field in fields(tally.Versus)))) for other in raw["others"]
    )
    count = tally.Count(**_read_counts(raw, _COUNT_FIELDS), others=tuple(prices))
    return Seated(variants.SourceVariants(Rules(raw["source"]), others, left), raw["unit"], raw["pool"], count)


def _read_counts(raw: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: tuple(raw[name]) if isinstance(raw[name], list) else raw[name] for name in names}


def _parse_stand(raw: Mapping[str, Any]) -> variants.SurveyVariant:
    kind, questions = _require_word(raw["kind"], variants.VARIANT_KINDS), tuple(raw.get("questions", ()))
    return variants.SurveyVariant(kind, questions, raw.get("source", ""), raw.get("alternative", ""))


def _require_word(word: str, known: Iterable[str]) -> str:
    if word not in known:
        raise ValueError(f"{quote_value(word)} is not among {', '.join(known)}")
    return word


# ---- as a table for other programs
_CSV_COLUMNS = ("policy", "seed", "deals", "table", "unit", "pool", "ruleset", "stands_for", "questions")
_SUM_FIELDS = tuple(field.name for field in fields(tally.Versus) if field.name != "steps")


def list_survey_rows(survey: StoredSurvey) -> Iterator[tuple[object, ...]]:
    """Yield a survey line by line: the head, then each ruleset at each table."""
    yield (*_CSV_COLUMNS, *_SUM_FIELDS, *(f"moved_from_{step}" for step in tally.MOVED_STEPS))
    for seated in survey.tables:
        table = (survey.policy, survey.seed, survey.deals, seated.siglum, seated.unit, seated.pool)
        for each, count in seated.priced:
            stands = LIST_SEPARATOR.join(stand.name or stand.kind for stand in each.stands)
            asked = LIST_SEPARATOR.join(dict.fromkeys(slug for stand in each.stands for slug in stand.questions))
            sums = [getattr(count, name) for name in _SUM_FIELDS]
            yield (*table, str(each.rules), stands, asked, *sums, *count.steps)
