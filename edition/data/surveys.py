"""Surveys as they are stored: `sources/survey/<policy>.json`, whole numbers only, with what repeats them.

They lie with the sources and go with them into every copy; like receipts they are no part of what the fingerprint of
the sources is taken of. No page needs more than what stands there: neither numba nor a single deal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from edition.data.json_records import SurveyRecord, read_stored
from engine.survey.request import EVENTS, Rules
from engine.survey.tally import STEPS, Count, Versus
from engine.survey.variants import KINDS, UNSURVEYED, Disagreement, LeftOut, Stand, Weighed
from rulebook.io.files import replaced
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.receipts import outdated

FOLDER = "survey"
DICTIONARY = "stored-survey.schema.json"  #: among the schemas: what every entry means
SCHEMA = 1
AGAIN = "repeat the survey: python -m proofs.survey"
HEAD = ("schema", "command", "seed", "policy", "deals", "version", "sources", "python", "made")


@dataclass(frozen=True, slots=True)
class Seated:
    """One table: the source, what lies in its pool, what was weighed there, and what was counted."""

    weighed: Weighed
    unit: str  #: the source's smallest counter
    pool: int  #: what lies in the pool before the deal
    count: Count

    @property
    def siglum(self) -> str:
        """The source by whose rules the cards are played."""
        return self.weighed.rules.source

    @property
    def priced(self) -> tuple[tuple[Disagreement, Versus], ...]:
        """Every ruleset with what was counted of it."""
        return tuple(zip(self.weighed.others, self.count.others, strict=True))


@dataclass(frozen=True, slots=True)
class Survey:
    """One survey: how to repeat it, of which state of the edition it is, and all that it counted."""

    command: str
    seed: int
    policy: str
    deals: int
    version: str
    sources: str
    python: str
    made: str
    tables: tuple[Seated, ...]
    schema: int = SCHEMA

    def outdated(self, version: str, digest: str) -> tuple[str, ...]:
        """Why it does not speak of the present edition; empty when it does."""
        return outdated((self.version, self.sources), (version, digest))


# ---- writing
def write_survey(root: Path, one: Survey) -> Path:
    """Put a survey in the place of the last one of the same policy: one line for each ruleset."""
    return replaced(root / FOLDER / f"{one.policy}.json", letters(one))


def letters(one: Survey) -> str:
    """A survey as it is written."""
    head = {name: getattr(one, name) for name in HEAD} | {"events": list(EVENTS), "steps": list(STEPS)}
    tables = ",\n".join(map(table_letters, one.tables))
    return f'{line(head)[:-1]},\n"tables": [\n{tables}\n]}}\n'


def table_letters(one: Seated) -> str:
    """A table as it is written."""
    counted = {name: getattr(one.count, name) for name in COUNTED}
    head = {"source": one.siglum, "unit": one.unit, "pool": one.pool, **counted}
    others = ",\n".join(f"  {line(priced(*pair))}" for pair in one.priced)
    left = ",\n".join(f"  {line({**plain(out.stand), 'because': out.because})}" for out in one.weighed.left_out)
    return f'{line(head)[:-1]},\n "others": [\n{others}\n ],\n "left_out": [\n{left}\n ]}}'


COUNTED = ("deals", "settled", "net", "squares", "events")


def priced(one: Disagreement, count: Versus) -> dict[str, object]:
    """A ruleset and what was counted of it."""
    stands = [plain(stand) for stand in one.stands]
    return {"source": one.rules.source, "wishes": list(one.rules.wishes), "stands": stands, **asdict(count)}


def plain(stand: Stand) -> dict[str, object]:
    """One thing for which a ruleset stands, without what it leaves unsaid."""
    return {key: value for key, value in asdict(stand).items() if value}


def line(data: object) -> str:
    """Data in one line of JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# ---- reading
def read_surveys(root: Path, library: Library | None = None) -> tuple[tuple[Survey, ...], list[Problem]]:
    """Every survey that is stored, and all that is wrong with any; a library tells what may be named."""
    paths = sorted((root / FOLDER).glob("*.json"), key=lambda path: (path.stem != "random", path.stem))
    read = [read_survey(path, root, library) for path in paths]
    return tuple(one for one, _ in read if one), [problem for _, problems in read for problem in problems]


def read_survey(path: Path, root: Path, library: Library | None = None) -> tuple[Survey | None, list[Problem]]:
    """One survey, or everything that is wrong with it."""
    record, problems = read_stored(SurveyRecord, path, root, AGAIN, library)
    if record is None:
        return None, problems
    try:
        return survey_of(record.model_dump(by_alias=True, exclude_unset=True), path.stem), []
    except (ValueError, TypeError) as fault:  # of another version of the program, or of another policy
        return None, [Problem(f"{root.name}/{FOLDER}/{path.name}", 1, 1, f"is no survey: {fault}", AGAIN)]


def survey_of(data: Mapping[str, Any], policy: str) -> Survey:
    """A survey as it was written. Raises ValueError and TypeError where it is not of this program."""
    if data["schema"] != SCHEMA or data["events"] != list(EVENTS) or data["steps"] != list(STEPS):
        raise ValueError("it was written by another version of this program")
    if data["policy"] != policy:
        raise ValueError(f"the policy is called {data['policy']}, its file {policy}")
    head = {name: data[name] for name in HEAD}
    return Survey(**head, tables=tuple(map(read_table, data["tables"])))


def read_table(raw: Mapping[str, Any]) -> Seated:
    """One table."""
    others = tuple(Disagreement(read_rules(o), tuple(map(read_stand, o["stands"]))) for o in raw["others"])
    left = tuple(LeftOut(read_stand(o), one_of(o["because"], UNSURVEYED)) for o in raw["left_out"])
    counted = {name: whole(raw[name]) for name in COUNTED}
    count = Count(**counted, others=tuple(map(read_versus, raw["others"])))
    return Seated(Weighed(Rules(raw["source"]), others, left), raw["unit"], raw["pool"], count)


def read_rules(raw: Mapping[str, Any]) -> Rules:
    """A ruleset by its source and wishes."""
    return Rules(raw["source"], tuple(raw["wishes"]))


def read_stand(raw: Mapping[str, Any]) -> Stand:
    """One thing for which a ruleset stands."""
    questions = tuple(raw.get("questions", ()))
    return Stand(one_of(raw["kind"], KINDS), questions, raw.get("source", ""), raw.get("alternative", ""))


def read_versus(raw: Mapping[str, Any]) -> Versus:
    """What was counted of one ruleset."""
    return Versus(**{field.name: whole(raw[field.name]) for field in fields(Versus)})


def whole(value: Any) -> Any:
    """A whole number, or a row of them. Raises TypeError."""
    if isinstance(value, list):
        return tuple(map(whole, value))
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number")
    return value


def one_of(word: str, known: Iterable[str]) -> str:
    """A word of a closed list. Raises ValueError."""
    if word not in known:
        raise ValueError(f"{word!r} is not among {', '.join(known)}")
    return word


# ---- as a table for other programs
COLUMNS = ("policy", "seed", "deals", "table", "unit", "pool", "ruleset", "stands_for", "questions")
SUMS = tuple(field.name for field in fields(Versus) if field.name != "steps")


def rows(one: Survey) -> Iterator[tuple[object, ...]]:
    """A survey line by line: the head first, then a line for each ruleset at each table."""
    yield (*COLUMNS, *SUMS, *(f"moved_from_{step}" for step in STEPS))
    for seated in one.tables:
        for each, count in seated.priced:
            stands = "; ".join(stand.name or stand.kind for stand in each.stands)
            asked = " ".join(dict.fromkeys(slug for stand in each.stands for slug in stand.questions))
            named = (
                one.policy,
                one.seed,
                one.deals,
                seated.siglum,
                seated.unit,
                seated.pool,
                str(each.rules),
                stands,
                asked,
            )
            yield (*named, *(getattr(count, name) for name in SUMS), *count.steps)
