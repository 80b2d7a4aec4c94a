"""Terms of the indices: common words, names of cards, proper names.

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
from rulebook.sources.bibliography import read_entries

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
    """All three."""

    common: Mapping[str, frozenset[str]] = field(default_factory=FrozenMap)  #: language -> words left out
    cards: tuple[Card, ...] = ()
    names: tuple[IndexName, ...] = ()


EMPTY_REGISTER = Register()


_CONTAINERS: Mapping[str, type] = {"common": dict, "cards": list, "names": list}

#: entry of the file -> what is said of an item of it, and the way out
_ITEM_FAULTS: Mapping[str, tuple[str, str]] = {
    "common": ("common words of {} cannot be read", "write fr: [le, la]"),
    "cards": ("card {} cannot be read", "write {id: ace, name: Aces, codes: [A*], words: {fr: [as]}}"),
    "names": (
        "name {} cannot be read",
        f"write {{name: ..., kind: one of {', '.join(INDEX_NAME_KINDS)}, forms: [...]}}",
    ),
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
            positions.where(()).problem("is no table", "write common:, cards: and names:")
        ]
    filled = {key: value for key, value in raw.items() if isinstance(value, _CONTAINERS.get(key, object))}
    record, problems = validate_record(IndicesRecord, filled, positions, (), explain=partial(_explain_fault, positions))
    if record is None:
        return EMPTY_REGISTER, problems
    register = build_register(record, positions)
    return register, [*_find_absent_forms(register, library, read_entries(root / "bibliography.bib"))]


def _explain_fault(positions: Positions, steps: Steps, fault: ErrorDetails) -> Iterator[Problem]:
    if len(steps) == 1:
        yield positions.key(steps).problem(f"unknown key {steps[0]}", "use common, cards, names")
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
    return Register(common, tuple(cards), tuple(names))


def _find_absent_forms(register: Register, library: Library, works: Mapping[str, str]) -> Iterator[Problem]:
    """Yield forms of a name that stand in no text, note or entry of the bibliography."""
    everything = "\n".join(text for _, _, text in iter_indexed_texts(library, works))
    for name in register.names:
        for form in name.forms:
            if not _stands_as_words(form, everything):
                yield name.where.problem(f"{name.name}: {form!r} stands nowhere", "take the form out, or mend it")


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
