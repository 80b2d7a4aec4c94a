"""The checked library in a form that can be carried: written as plain data, and put together again from it.

Reading the files takes a YAML reader and a checker; a browser's Python has neither. So what has been read and checked
is written down once more as JSON: all that deals are settled by, without the texts themselves. The standard library is
enough for both ways, and equal libraries give equal letters.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulebook.model import Alternative, Cite, Clause, FrozenMap, Library, Like, Question, Source, Statement
from rulebook.problems import NOWHERE

SCHEMA = 1
KIND = "~"  #: the key under which a table says what it is; no name of ours begins so
NOUNS: Mapping[str, Callable[..., Any]] = {
    noun.__name__: noun for noun in (Alternative, Cite, Clause, Library, Like, Question, Source, Statement)
}
RECORD = ("siglum", "title", "short_title", "language", "units")  #: what of a source's record a result tells


def pack(library: Library) -> str:
    """All that deals are settled by, as JSON; the same library gives the same letters."""
    whole = {"schema": SCHEMA, "library": plain(slim(library))}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def unpack(letters: str | bytes) -> Library:
    """The library out of such letters. Raises ValueError for anything else."""
    whole = json.loads(letters)
    if not isinstance(whole, dict) or whole.get("schema") != SCHEMA:
        raise ValueError(f"no library of schema {SCHEMA}")
    library = restored(whole["library"])
    if not isinstance(library, Library):
        raise ValueError("no library")
    return library


def slim(library: Library) -> Library:
    """The library without its texts, and without the places of its files."""
    sources = {siglum: slim_source(source) for siglum, source in library.sources.items()}
    questions = {slug: replace(question, where=NOWHERE, coding="") for slug, question in library.questions.items()}
    return Library(questions, sources, library.digest)


def slim_source(source: Source) -> Source:
    """A source with its clauses and statements, and of its record what a result tells."""
    record = {key: source.record[key] for key in RECORD if key in source.record}
    statements = tuple(replace(one, where=NOWHERE) for one in source.statements)
    return Source(source.siglum, record, tuple(map(slim_clause, source.clauses)), statements=statements)


def slim_clause(clause: Clause) -> Clause:
    """A clause without the places of its file."""
    cites = tuple(replace(one, where=NOWHERE, seen="") for one in clause.cites)
    alternatives = tuple(replace(one, where=NOWHERE) for one in clause.alternatives)
    return replace(clause, where=NOWHERE, cites=cites, alternatives=alternatives, note="", searched="")


def plain(value: object) -> object:
    """A noun as a table that says what it is; a table, a list, a word, a number as they are."""
    if is_dataclass(value) and not isinstance(value, type):
        told = {f.name: getattr(value, f.name) for f in fields(value)}
        return {KIND: type(value).__name__, **{k: plain(v) for k, v in told.items() if not left_out(value, k, v)}}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def left_out(noun: object, key: str, value: object) -> bool:
    """Whether a noun has this value anyway."""
    (one,) = (f for f in fields(noun) if f.name == key)  # type: ignore[arg-type]
    if callable(one.default_factory):
        return bool(value == one.default_factory())
    return bool(value == one.default)


def restored(value: object) -> Any:
    """What such data was made from; tables that cannot be changed, and lists likewise."""
    if isinstance(value, dict):
        made = {key: restored(one) for key, one in value.items() if key != KIND}
        return NOUNS[value[KIND]](**made) if KIND in value else FrozenMap(made)
    return tuple(map(restored, value)) if isinstance(value, list) else value
