"""Fingerprints of golden outputs, and the rulesets and deals from which the outputs are made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from engine.deal.model import Deal
from engine.deal.writer import write_deal
from proofs import golden_results as results
from rulebook.model import Library, Ruleset
from rulebook.resolve import resolve

GOLDEN_SEED = 1634
_OMITTED_FIELDS = ("ruleset", "library", "own", "other", "deal", "settled", "played", "seen", "first_ruleset", "digest")
#: What only a ruleset with several privileged cards knows, by record; left out where it is empty.
_OMITTED_DEFAULTS = (
    ("Case", "called"),
    ("Fact", "called"),
    ("Measures", "others"),
    ("Pool", "others"),
    ("Posting", "pool"),
)

NamedValue: TypeAlias = "tuple[str, object]"


def to_golden_data(value: Any) -> object:
    """Convert any value to JSON data that is the same in every run."""
    if isinstance(value, Deal):
        return write_deal(value)
    if is_dataclass(value) and not isinstance(value, type):
        told = {one.name: getattr(value, one.name) for one in fields(value) if one.name not in _OMITTED_FIELDS}
        told = {name: one for name, one in told.items() if one or (type(value).__name__, name) not in _OMITTED_DEFAULTS}
        return {"is": type(value).__name__, **{name: to_golden_data(one) for name, one in told.items()}}
    if isinstance(value, Mapping):
        return sorted(([repr(to_golden_data(key)), to_golden_data(one)] for key, one in value.items()), key=repr)
    if isinstance(value, set | frozenset):
        return sorted(map(to_golden_data, value), key=repr)
    if isinstance(value, list | tuple):
        return [to_golden_data(one) for one in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def fingerprint_golden_value(value: object) -> str:
    """Return the fingerprint of any value."""
    return hashlib.sha256(json.dumps(to_golden_data(value), default=str).encode()).hexdigest()[:12]


def resolve_all_rulesets(own: Library) -> tuple[Ruleset, ...]:
    """Return the default ruleset of every source, and all stored hybrids."""
    return tuple(
        results.iter_golden_rulesets(own, json.loads(results.GOLDEN_RESULTS_FILE.read_text("utf-8"))["hybrids"])
    )


def resolve_some_rulesets(own: Library) -> tuple[Ruleset, ...]:
    """Return the default ruleset of every source, and one hybrid of each."""
    rules = resolve_all_rulesets(own)
    return (*rules[: len(own.sources)], *rules[len(own.sources) :: results.HYBRIDS_PER_SOURCE])


def resolve_source_rulesets(own: Library) -> tuple[Ruleset, ...]:
    """Return the default ruleset of every source."""
    return tuple(resolve(own, siglum) for siglum in own.sources)


def read_stored_deals() -> Iterator[Deal]:
    """Yield the stored random deals, from every table of every source."""
    yield from map(results.read_valid_deal, json.loads(results.GOLDEN_RESULTS_FILE.read_text("utf-8"))["deals"])
