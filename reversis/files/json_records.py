"""The head that the JSON files share which programs keep with the sources, and the names in them that must exist."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from rulebook import __version__
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.receipts import describe_outdated
from rulebook.schema.records import Record
from rulebook.schema.validation import read_json_record
from rulebook.sources.id_registry import TOMBSTONES_FILE

_QUESTION_KIND, SOURCE_KIND, _DEAL_KIND = "question", "source", "worked deal"
_ALTERNATIVE_KIND, _RULESET_KIND = "interpretation or option", "source, interpretation or option"

_NamesByKind = Mapping[str, frozenset[str]]  #: kind of thing -> the names under which there is one, or was


def names_in(library: Library) -> _NamesByKind:
    """Everything that a stored file may name: what is there, and what has a tombstone."""
    path = Path(library.root) / TOMBSTONES_FILE
    raw = read_yaml(path)[0] if path.is_file() else ()
    gone = (
        frozenset(str(tombstone["id"]) for tombstone in raw if isinstance(tombstone, dict))
        if isinstance(raw, list)
        else frozenset()
    )
    alternatives = gone.union(alternative.id for clause in library.clauses() for alternative in clause.alternatives)
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


def require_word(kind: str, known: Collection[str]) -> AfterValidator:
    """Demand that a word is one of those that are known."""
    return AfterValidator(lambda word: _check_known(kind, known, word))


def _check_known(kind: str, known: Collection[str], word: str) -> str:
    if word not in known:
        raise PydanticCustomError("unknown_name", "there is no {kind} {word}", {"kind": kind, "word": word[:40]})
    return word


def require_length(length: int) -> Any:
    """Demand a list of that length."""
    return Field(min_length=length, max_length=length)


AS_LIST = Field(strict=False)  #: a tuple, which JSON has as a list

QuestionName = Annotated[str, _require_name(_QUESTION_KIND)]
SiglumName = Annotated[str, _require_name(SOURCE_KIND)]
DealName = Annotated[str, _require_name(_DEAL_KIND)]
AlternativeName = Annotated[str, _require_name(_ALTERNATIVE_KIND)]
RulesetName = Annotated[str, _require_name(_RULESET_KIND)]
SiglumPair = Annotated[tuple[SiglumName, SiglumName], AS_LIST]
QuestionNames = Annotated[tuple[QuestionName, ...], AS_LIST]
DealNames = Annotated[tuple[DealName, ...], AS_LIST]
Fingerprint = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]+$")]


class StoredRecord(Record):
    """Head of every stored file: the command, and the state of the sources."""

    digest: str = ""
    schema_: Literal[1] = Field(alias="schema")
    command: str
    version: str
    sources: Fingerprint

    def outdated(self, digest: str) -> tuple[str, ...]:
        """Reasons why the file does not fit the present edition; empty when it does."""
        return describe_outdated((self.version, self.sources), (__version__, digest))


_StoredT = TypeVar("_StoredT", bound=StoredRecord)


def read_stored(
    record: type[_StoredT], path: Path, root: Path, again: str, library: Library | None = None
) -> tuple[_StoredT | None, list[Problem]]:
    """Read a stored file, or everything that does not fit; only a library lets names be checked."""
    name = f"{root.name}/{path.relative_to(root).as_posix()}"
    stored, problems = read_json_record(record, path, name, again, library and names_in(library))
    return stored, [replace(problem, way_out=again) for problem in problems]


def dump_json_line(data: object) -> str:
    """Data in one line of JSON, as stored files have it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
