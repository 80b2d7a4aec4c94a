"""Passes that a language model made: their names, and the sentence that says so wherever readers are counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulebook.model import Source
from rulebook.phrases import format_count, join_names

MODEL = "language model"  #: `kind` of a coder who is no person


def list_model_passes(source: Source) -> tuple[str, ...]:
    """Ids of the passes over a source that a language model made."""
    return tuple(str(coder["id"]) for coder in _list_coders(source) if coder.get("kind") == MODEL)


def describe_passes(sources: Iterable[Source]) -> str:
    """One sentence on who made this; empty if no pass was a language model's."""
    known = list(sources)
    named = list(dict.fromkeys(name for source in known for name in list_model_passes(source)))
    if not named:
        return ""
    persons = any(len(list_model_passes(source)) < len(_list_coders(source)) for source in known)
    end = "" if persons else "; no human scholar has read them yet"
    return f"{join_names(named)} are passes of a language model{end}."


def describe_review(source: Source) -> str:
    """Number of the clauses of a source that somebody besides their coder has read."""
    reviewed = sum(bool(clause.reviewer) for clause in source.clauses)
    return f"{reviewed} of {format_count(len(source.clauses), 'clause')} read again in another pass"


def name_pass(source: Source, id: str) -> str:
    """Name of a pass beside what it signed."""
    return f"{id} ({MODEL})" if id in list_model_passes(source) else id


def _list_coders(source: Source) -> list[Mapping[str, object]]:
    coders = source.record.get("coders")
    return [coder for coder in coders if isinstance(coder, Mapping)] if isinstance(coders, list | tuple) else []
