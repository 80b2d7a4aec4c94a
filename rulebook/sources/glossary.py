"""The glossary, `sources/glossary.yaml`: words of the game in every language, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulebook.io.strict_yaml import Data, Positions, Steps, read_yaml
from rulebook.problems import Problem, Where
from rulebook.strings import LANGUAGE_TAG_PATTERN, list_strings, quote_value, single_spaced, slugify_text

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

TERM_LISTS = ("forms", "see", "attestations")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game in one language, and what it means."""

    id: str
    term: str
    lang: str
    gloss: str
    english: str = ""  #: the word in English, in short
    forms: tuple[str, ...] = ()  #: how it is spelt in the texts
    see: tuple[str, ...] = ()
    attestations: tuple[str, ...] = ()


def read_glossary(path: Path, known: Mapping[str, str]) -> tuple[tuple[Term, ...], list[Problem]]:
    """Return the glossary as far as it can be had, and all that is wrong with it; a missing file is an empty one."""
    if not path.is_file():
        return (), []
    raw, positions, problems = read_yaml(path, f"{path.parent.name}/{path.name}")
    if problems or raw is None:
        return (), problems or [positions.where(()).problem("is empty", "fill it, or take it away")]
    if not isinstance(raw, list):
        return (), [positions.where(()).problem("is no list", "write a YAML list of {term, lang, definition}")]
    problems = [problem for at, one in enumerate(raw) for problem in problems_of_term(positions, at, one, known)]
    terms = tuple((parse_term(one), positions.where((at,))) for at, one in enumerate(raw) if isinstance(one, dict))
    return tuple(term for term, _ in terms), [*problems, *problems_among_terms(terms)]


def parse_term(raw: Mapping[str, Any]) -> Term:
    """One entry of the glossary."""
    term, lang = str(raw.get("term", "")), str(raw.get("lang", ""))
    definition = single_spaced(str(raw.get("definition") or ""))
    name = str(raw.get("id") or f"{lang}-{slugify_text(term)}")
    lists = (list_strings(raw.get(key)) for key in TERM_LISTS)
    return Term(name, term, lang, definition, single_spaced(str(raw.get("english") or "")), *lists)


def problems_of_term(positions: Positions, at: int, raw: Data, known: Mapping[str, str]) -> Iterator[Problem]:
    """A term has a word, a language and a definition, and is attested where it says."""
    from rulebook.schema.reference_records import TermRecord  # they take a moment to import
    from rulebook.schema.validation import validate_record

    here = positions.where((at,))
    if not isinstance(raw, dict):
        yield here.problem(f"entry {at + 1} is no table", "write {term: ..., lang: ..., definition: ...}")
        return
    name = f"entry {at + 1} ({raw.get('term', 'without a term')})"

    def explain(steps: Steps, fault: ErrorDetails) -> Iterator[Problem]:
        key, given, unknown = str(steps[0]), fault["input"], fault["type"] == "extra_forbidden"
        if unknown:
            way_out = f"use {', '.join(sorted(TermRecord.model_fields))}"
            yield positions.key((at, key)).problem(f"{name}: unknown key {key}", way_out)
        legible = given is None or (isinstance(given, str) and (unknown or key in TERM_LISTS))  # one word for a list
        if fault["type"] != "missing" and not (legible and steps == (key,)):
            shape = "a list of words: [one, two]" if key in TERM_LISTS else "text, in quotes if need be"
            yield positions.where((at, key)).problem(f"{name}: {key} cannot be read", f"write {shape}")

    yield from validate_record(TermRecord, raw, positions, (at,), explain=explain)[1]
    for key in ("term", "lang", "definition"):
        if not raw.get(key):
            yield here.problem(f"{name}: no {key}", f"add {key}: ...")
    if isinstance(raw.get("lang"), str) and not LANGUAGE_TAG_PATTERN.fullmatch(str(raw["lang"])):
        what = f"{name}: the language {quote_value(raw['lang'])} is not well formed"
        yield positions.where((at, "lang")).problem(what, "write it in two letters: fr, de, en")
    for nth, locus in enumerate(list_strings(raw.get("attestations"))):
        if known.get(locus) != "sentence":
            place = positions.where((at, "attestations", nth))
            yield place.problem(f"{name}: no sentence {locus}", "give the id of a sentence or statement")


def problems_among_terms(terms: Sequence[tuple[Term, Where]]) -> Iterator[Problem]:
    """No term stands twice, and every reference among terms finds one."""
    counted = Counter(term.id for term, _ in terms)
    names = {name for term, _ in terms for name in (term.id, term.term)}
    last = {term.id: where for term, where in terms}
    for twice, times in counted.items():
        if times > 1:
            yield last[twice].problem(f"{twice} stands {times} times", "join the entries, or give each an id")
    for term, where in terms:
        for other in term.see:
            if other not in names:
                yield where.problem(f"{term.term}: see {other}, which is not there", "name a term of the glossary")
