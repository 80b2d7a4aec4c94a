"""Terms of the indices: common words, names of cards, proper names.

From `sources/indices.yaml`, with its faults.

The file never says where anything stands. That is looked up, and a name that stands nowhere is a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulebook.io.strict_yaml import Data, Positions, read_yaml
from rulebook.model import FrozenMap, Library
from rulebook.problems import Problem, Where
from rulebook.sources.bibliography import read_entries

INDICES_FILE = "indices.yaml"
_ADDRESS_PATTERN = re.compile(r"[a-z0-9-]+")  #: on a page
_LANG_PATTERN = re.compile(r"[a-z]{2,3}")
_CARD_CODE_PATTERN = re.compile(r"[AKQJT2-9][SHDC]|[AKQJT2-9]\*|\*[SHDC]")

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


def read_register(root: Path, library: Library) -> tuple[Register, list[Problem]]:
    """The register as it stands; an empty one where there is no file, or one with faults."""
    if not (root / INDICES_FILE).exists():
        return EMPTY_REGISTER, []
    raw, positions, problems = read_yaml(root / INDICES_FILE, f"{root.name}/{INDICES_FILE}")
    if problems or not isinstance(raw, dict):
        return EMPTY_REGISTER, problems or [
            positions.where(()).problem("is no table", "write common:, cards: and names:")
        ]
    problems = [*_find_unknown_keys(raw, positions), *_find_entry_faults(raw, positions)]
    if problems:
        return EMPTY_REGISTER, problems
    register = Register(read_common(raw), read_cards(raw), read_names(raw, positions))
    return register, [*_find_absent_forms(register, library, read_entries(root / "bibliography.bib"))]


def _as_table(value: Data) -> dict[str, Data]:
    """A table; an empty one where there is none."""
    return value if isinstance(value, dict) else {}


def _as_list(value: Data) -> list[Data]:
    """A list; an empty one where there is none."""
    return value if isinstance(value, list) else []


def _as_words(value: Data) -> tuple[str, ...]:
    """A list of words."""
    return tuple(str(one) for one in _as_list(value))


def read_common(raw: dict[str, Data]) -> Mapping[str, frozenset[str]]:
    """The words left out, by language."""
    return FrozenMap({lang: frozenset(_as_words(found)) for lang, found in _as_table(raw.get("common")).items()})


def read_cards(raw: dict[str, Data]) -> tuple[Card, ...]:
    """The cards."""
    return tuple(
        Card(
            str(one["id"]),
            str(one["name"]),
            _as_words(one.get("codes")),
            FrozenMap({lang: _as_words(found) for lang, found in _as_table(one["words"]).items()}),
        )
        for one in map(_as_table, _as_list(raw.get("cards")))
    )


def read_names(raw: dict[str, Data], positions: Positions) -> tuple[IndexName, ...]:
    """The names."""
    return tuple(
        IndexName(str(one["name"]), str(one["kind"]), _as_words(one["forms"]), positions.where(("names", at)))
        for at, one in enumerate(map(_as_table, _as_list(raw.get("names"))))
    )


# --- faults -----------------------------------------------------------------------------------------------


def _find_unknown_keys(raw: dict[str, Data], positions: Positions) -> Iterator[Problem]:
    """Yield unknown keys."""
    for key in sorted(set(raw) - {"common", "cards", "names"}):
        yield positions.key((key,)).problem(f"unknown key {key}", "use common, cards, names")


def _find_entry_faults(raw: dict[str, Data], positions: Positions) -> Iterator[Problem]:
    """Yield the faults of the file, entry by entry."""
    for lang, found in _as_table(raw.get("common")).items():
        if not _LANG_PATTERN.fullmatch(lang) or not is_words(found):
            yield positions.where(("common", lang)).problem(
                f"common words of {lang} cannot be read", "write fr: [le, la]"
            )
    for at, one in enumerate(_as_list(raw.get("cards"))):
        if not is_card(one):
            way_out = "write {id: ace, name: Aces, codes: [A*], words: {fr: [as]}}"
            yield positions.where(("cards", at)).problem(f"card {at + 1} cannot be read", way_out)
    for at, one in enumerate(_as_list(raw.get("names"))):
        if not is_name(one):
            way_out = f"write {{name: ..., kind: one of {', '.join(INDEX_NAME_KINDS)}, forms: [...]}}"
            yield positions.where(("names", at)).problem(f"name {at + 1} cannot be read", way_out)


def is_words(value: Data) -> bool:
    """A list of words, none of them empty."""
    return isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)


def is_card(value: Data) -> bool:
    """A card with its names, and codes that are cards."""
    one = _as_table(value)
    named = isinstance(one.get("name"), str) and _ADDRESS_PATTERN.fullmatch(str(one.get("id"))) is not None
    called = _as_table(one.get("words"))
    coded = is_words(one.get("codes")) and all(
        _CARD_CODE_PATTERN.fullmatch(code) for code in _as_words(one.get("codes"))
    )
    return named and coded and bool(called) and all(map(is_words, called.values())) and len(one) == 4


def is_name(value: Data) -> bool:
    """A name with its forms, of a kind that is known."""
    one = _as_table(value)
    forms = one.get("forms")
    return isinstance(one.get("name"), str) and one.get("kind") in INDEX_NAME_KINDS and is_words(forms) and bool(forms)


def _find_absent_forms(register: Register, library: Library, works: Mapping[str, str]) -> Iterator[Problem]:
    """Yield forms of a name that stand in no text, note or entry of the bibliography."""
    everything = "\n".join(text for _, _, text in iter_indexed_texts(library, works))
    for name in register.names:
        for form in name.forms:
            if not re.search(rf"(?<!\w){re.escape(form)}(?!\w)", everything):
                yield name.where.problem(f"{name.name}: {form!r} stands nowhere", "take the form out, or mend it")


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
