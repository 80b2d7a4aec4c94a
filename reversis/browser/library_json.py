"""The checked library in a form that can be carried: written as plain data, and put together again from it.

Reading the files takes a YAML reader and a checker; a browser's Python has neither. So what has been read and checked
is written down once more as JSON: all that deals are settled by, without the texts themselves. The standard library is
enough for both ways, and equal libraries give equal letters.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass, replace
from typing import Any

from engine.answers import GAME_KINDS
from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.model import (
    CLOSED,
    Alternative,
    Cite,
    Clause,
    FrozenMap,
    Library,
    Like,
    Question,
    SentenceStatus,
    Source,
    Statement,
    UnheldOrder,
)
from rulebook.problems import NOWHERE

_LIBRARY_SCHEMA = 1
_TYPE_KEY = "~"  #: the key under which a table says what it is; no name of ours begins so


def _make_question(**fields: Any) -> Question:
    """Make a question with its kind of answers, which follows from its measure."""
    measure = fields.get("measure")
    return Question(**fields, kind={**LIBRARY_KINDS, **GAME_KINDS}[measure["type"]] if measure else CLOSED)


NOUNS: Mapping[str, Callable[..., Any]] = {
    **{noun.__name__: noun for noun in (Alternative, Cite, Clause, Library, Like)},
    **{noun.__name__: noun for noun in (SentenceStatus, Source, Statement, UnheldOrder)},
    "Question": _make_question,
}
_RECORD_KEYS = ("siglum", "title", "short_title", "short_name", "language", "units")  #: what results and tables tell


def pack_library(library: Library) -> str:
    """All that deals are settled by, as JSON; the same library gives the same letters."""
    whole = {"schema": _LIBRARY_SCHEMA, "library": _encode_value(slim_library(library))}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def unpack_library(letters: str | bytes) -> Library:
    """The library out of such letters. Raises ValueError for anything else."""
    whole = json.loads(letters)
    if not isinstance(whole, dict) or whole.get("schema") != _LIBRARY_SCHEMA:
        raise ValueError(f"no library of schema {_LIBRARY_SCHEMA}")
    library = _decode_value(whole["library"])
    if not isinstance(library, Library):
        raise ValueError("no library")
    return library


def slim_library(library: Library) -> Library:
    """The library without its texts, and without the places of its files."""
    sources = {siglum: slim_source(source) for siglum, source in library.sources.items()}
    questions = {slug: slim_question(question) for slug, question in library.questions.items()}
    return Library(questions, sources, library.digest)


def slim_question(question: Question) -> Question:
    """A question without its coding procedure, its short forms, its places in a file and its kind."""
    return replace(question, where=NOWHERE, coding="", short=FrozenMap(), places=FrozenMap(), kind=CLOSED)


def slim_source(source: Source) -> Source:
    """A source with its clauses and statements, what no answer of it holds, and of its record what a result tells."""
    record = {key: source.record[key] for key in _RECORD_KEYS if key in source.record}
    statements = tuple(replace(statement, where=NOWHERE) for statement in source.statements)
    coverage = {
        id: SentenceStatus(id, status.kind, not_held=status.not_held)
        for id, status in source.coverage.items()
        if status.not_held
    }
    clauses = tuple(map(slim_clause, source.clauses))
    return Source(source.siglum, record, clauses, statements=statements, coverage=FrozenMap(coverage))


def slim_clause(clause: Clause) -> Clause:
    """A clause without the places of its file; where it was searched stays if a silence gives no other reason."""
    searched = "" if clause.because else clause.searched
    cites = tuple(replace(cite, where=NOWHERE, seen="", clause="") for cite in clause.cites)
    alternatives = tuple(replace(alternative, where=NOWHERE) for alternative in clause.alternatives)
    return replace(clause, where=NOWHERE, cites=cites, alternatives=alternatives, note="", searched=searched)


def _encode_value(value: object) -> object:
    """Record as a table that names its type; tables, lists and values as they are."""
    if is_dataclass(value) and not isinstance(value, type):
        record = {f.name: getattr(value, f.name) for f in fields(value) if not _has_default(value, f)}
        return {_TYPE_KEY: type(value).__name__, **{name: _encode_value(part) for name, part in record.items()}}
    if isinstance(value, Mapping):
        return {str(key): _encode_value(part) for key, part in value.items()}
    return [_encode_value(part) for part in value] if isinstance(value, list | tuple) else value


def _has_default(noun: object, field: Field[Any]) -> bool:
    default = field.default_factory() if callable(field.default_factory) else field.default
    return bool(getattr(noun, field.name) == default)


def _decode_value(value: object) -> Any:
    """Value from which such data was made; its tables and lists cannot be changed."""
    if isinstance(value, dict):
        record = {key: _decode_value(part) for key, part in value.items() if key != _TYPE_KEY}
        return NOUNS[value[_TYPE_KEY]](**record) if _TYPE_KEY in value else FrozenMap(record)
    return tuple(map(_decode_value, value)) if isinstance(value, list) else value
