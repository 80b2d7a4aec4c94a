"""Terms of the indices and the search: common words, names of cards, proper names, synonyms, players' phrases.

From `sources/indices.yaml`, with its faults.

The file never says where anything stands. That is looked up, and a name that stands nowhere is a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.io.strict_yaml import Positions, Steps, read_yaml
from rulebook.model import FrozenMap, Library
from rulebook.problems import Problem, Where
from rulebook.quotations import is_word_letter
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_entries
from rulebook.sources.rule_sentences import read_term_ids
from rulebook.spelling import simplify_letters
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from rulebook.schema.reference_records import IndicesRecord

INDICES_FILE = "indices.yaml"

#: What a name may be the name of, and the heading under which it stands.
INDEX_NAME_KINDS: Mapping[str, str] = {
    "person": "People",
    "example": "Players in examples, who are nobody in particular",
    "place": "Places and peoples",
    "book": "Books",
    "body": "Societies",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A card, a rank or a suit, and what it is called in each language."""

    id: str
    name: str
    codes: tuple[str, ...]  #: JH; A*: the rank; *H: the suit
    words: Mapping[str, tuple[str, ...]] = field(default_factory=FrozenMap)  #: language -> names, words side by side


@dataclass(frozen=True, slots=True)
class IndexName:
    """A person, a place, a book, with the forms by which it is found."""

    name: str
    kind: str
    forms: tuple[str, ...]
    where: Where = field(default_factory=lambda: Where(INDICES_FILE), compare=False)

    @property
    def pattern(self) -> re.Pattern[str]:
        """Any of its forms, as whole words."""
        return re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in self.forms))


@dataclass(frozen=True, slots=True)
class Register:
    """All that the file holds."""

    common: Mapping[str, frozenset[str]] = field(default_factory=FrozenMap)  #: language -> words left out
    cards: tuple[Card, ...] = ()
    names: tuple[IndexName, ...] = ()
    filler: tuple[str, ...] = ()  #: words of a query that say nothing of what is sought
    synonyms: tuple[tuple[str, ...], ...] = ()  #: words and phrases that the search takes for one another
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=FrozenMap)  #: question, topic or term -> phrases


EMPTY_REGISTER = Register()


_CONTAINERS: Mapping[str, type] = {
    **{"common": dict, "cards": list, "names": list},
    **{"filler": list, "synonyms": list, "asked": dict},
}

#: entry of the file -> what is said of an item of it, and the way out
_ITEM_FAULTS: Mapping[str, tuple[str, str]] = {
    "common": ("common words of {} cannot be read", "write fr: [le, la]"),
    "cards": ("card {} cannot be read", "write {id: ace, name: Aces, codes: [A*], words: {fr: [as]}}"),
    "names": (
        "name {} cannot be read",
        f"write {{name: ..., kind: one of {', '.join(INDEX_NAME_KINDS)}, forms: [...]}}",
    ),
    "filler": ("filler word {} cannot be read", "write filler: [how, do, you]"),
    "synonyms": ("synonyms {} cannot be read", "write [pool, basket, pot]: two words or more"),
    "asked": ("what is asked for {} cannot be read", "write Q057: [who wins]"),
}


def read_register(root: Path, library: Library) -> tuple[Register, list[Problem]]:
    """The register as it stands; an empty one where there is no file, or one with faults."""
    from rulebook.schema.reference_records import IndicesRecord  # they take a moment to import
    from rulebook.schema.validation import validate_record

    if not (root / INDICES_FILE).exists():
        return EMPTY_REGISTER, []
    raw, positions, problems = read_yaml(root / INDICES_FILE, f"{root.name}/{INDICES_FILE}")
    if problems or not isinstance(raw, dict):
        return EMPTY_REGISTER, problems or [
            positions.where(()).problem("is no table", f"write {': '.join(_CONTAINERS)}:")
        ]
    filled = {key: value for key, value in raw.items() if isinstance(value, _CONTAINERS.get(key, object))}
    record, problems = validate_record(IndicesRecord, filled, positions, (), explain=partial(_explain_fault, positions))
    if record is None:
        return EMPTY_REGISTER, problems
    register = build_register(record, positions)
    absent = _find_absent_forms(register, library, read_entries(root / BIBLIOGRAPHY_FILE))
    return register, [*absent, *_find_search_faults(root, register, library, positions)]


def _explain_fault(positions: Positions, steps: Steps, fault: ErrorDetails) -> Iterator[Problem]:
    if len(steps) == 1:
        yield positions.key(steps).problem(f"unknown key {steps[0]}", f"use {', '.join(_CONTAINERS)}")
        return
    what, way_out = _ITEM_FAULTS[str(steps[0])]
    named = steps[1] + 1 if isinstance(steps[1], int) else steps[1]
    yield positions.where(steps[:2]).problem(what.format(named), way_out)


def build_register(record: IndicesRecord, positions: Positions) -> Register:
    """Build the register from a record that fits; the place of every name is kept."""
    cards = (
        Card(one.id, one.name, tuple(one.codes), FrozenMap({lang: tuple(said) for lang, said in one.words.items()}))
        for one in record.cards
    )
    names = (
        IndexName(one.name, one.kind, tuple(one.forms), positions.where(("names", at)))
        for at, one in enumerate(record.names)
    )
    common = FrozenMap({lang: frozenset(words) for lang, words in record.common.items()})
    asked = FrozenMap({id: tuple(phrases) for id, phrases in record.asked.items()})
    synonyms = tuple(map(tuple, record.synonyms))
    return Register(common, tuple(cards), tuple(names), tuple(record.filler), synonyms, asked)


def _find_absent_forms(register: Register, library: Library, works: Mapping[str, str]) -> Iterator[Problem]:
    """Yield forms of a name that stand in no text, note or entry of the bibliography."""
    everything = "\n".join(text for _, _, text in iter_indexed_texts(library, works))
    for name in register.names:
        for form in name.forms:
            if not _stands_as_words(form, everything):
                yield name.where.problem(
                    f"{name.name}: {quote_value(form)} stands nowhere", "take the form out, or mend it"
                )


def _find_search_faults(root: Path, register: Register, library: Library, positions: Positions) -> Iterator[Problem]:
    """Yield phrases that are asked for nothing, and phrases with two meanings."""
    questions = library.questions.values()
    known = {name for one in questions for name in (one.id, one.group)} | {*read_term_ids(root)}
    for id in register.asked:
        if id not in known:
            place = positions.where(("asked", id))
            yield place.problem(f"no question, topic or term {id}", did_you_mean(id, known, "use the id of one"))
    meanings: dict[str, int] = {}
    for at, phrases in enumerate(register.synonyms):
        for phrase in phrases:
            if meanings.setdefault(simplify_letters(phrase), at) != at:
                yield positions.where(("synonyms", at)).problem(
                    f"{quote_value(phrase)} has two meanings", "keep it in one line"
                )


def _stands_as_words(form: str, text: str) -> bool:
    """Return whether a form stands in a text with no letter of a word before or behind it."""
    at = text.find(form)
    while at >= 0:
        end = at + len(form)
        if not is_word_letter(text[max(at - 1, 0) : at]) and not is_word_letter(text[end : end + 1]):
            return True
        at = text.find(form, at + 1)
    return False


def iter_indexed_texts(library: Library, works: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield all texts in which a name may stand: kind of thing, id, and the words."""
    for source in library.sources.values():
        said = str(source.record.get("introduction") or ""), str(source.record.get("author") or "")
        yield "source", source.siglum, " ".join(" ".join(said).split())
        for sentence in source.text.sentences.values() if source.text else ():
            english = source.translation.sentences.get(sentence.id) if source.translation else None
            translated = " ".join(part.text for part in english.parts) if english else ""
            yield "sentence", sentence.id, " ".join(f"{sentence.emended} {translated}".split())
        for statement in source.statements:
            yield "sentence", statement.id, " ".join(f"{statement.text} {statement.quote}".split())
        for note in source.notes:
            yield "note", note.id, " ".join(note.text.split())
    for key, said_there in works.items():
        yield "work", key, said_there
