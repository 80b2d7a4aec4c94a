"""Terms of the indices and the search: common words, names of cards, proper names, synonyms, players' phrases.

From `sources/indices.yaml`, with its faults.

The file never says where anything stands. That is looked up, and a name that stands nowhere is a problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.io.strict_yaml import Positions, read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.quotations import is_word_letter
from rulebook.schema.reference_records import IndicesRecord
from rulebook.schema.validation import validate_record
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_entries
from rulebook.sources.rule_sentences import read_term_ids
from rulebook.spelling import simplify_letters
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

if TYPE_CHECKING:
    pass

INDICES_FILE = "indices.yaml"

#: What a name may be the name of, and the heading under which it stands.
INDEX_NAME_KINDS: Mapping[str, str] = {
    "person": "People",
    "example": "Players in examples, who are nobody in particular",
    "place": "Places and peoples",
    "book": "Books",
    "body": "Societies",
}


EMPTY_REGISTER = IndicesRecord()


def read_register(root: Path, library: Library) -> tuple[IndicesRecord, list[Problem]]:
    """The register as it stands; an empty one where there is no file, or one with faults."""
    if not (root / INDICES_FILE).exists():
        return EMPTY_REGISTER, []
    raw, positions, problems = read_yaml(root / INDICES_FILE, f"{root.name}/{INDICES_FILE}")
    if problems or not isinstance(raw, dict):
        return EMPTY_REGISTER, problems or [
            positions.where(()).problem("is no table", f"write {': '.join(IndicesRecord.model_fields)}:")
        ]
    filled = {key: value for key, value in raw.items() if value is not None}
    register, problems = validate_record(IndicesRecord, filled, positions, ())
    if register is None:
        return EMPTY_REGISTER, problems
    absent = _find_absent_forms(register, library, positions, read_entries(root / BIBLIOGRAPHY_FILE))
    return register, [*absent, *_find_search_faults(root, register, library, positions)]


def _find_absent_forms(
    register: IndicesRecord, library: Library, positions: Positions, works: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield forms of a name that stand in no text, note or entry of the bibliography."""
    everything = "\n".join(text for _, _, text in iter_indexed_texts(library, works))
    for at, name in enumerate(register.names):
        for form in name.forms:
            if not _stands_as_words(form, everything):
                yield positions.where(("names", at)).problem(
                    f"{name.name}: {quote_value(form)} stands nowhere", "take the form out, or correct it"
                )


def _find_search_faults(
    root: Path, register: IndicesRecord, library: Library, positions: Positions
) -> Iterator[Problem]:
    """Yield phrases that are asked for nothing, and phrases with two meanings."""
    questions = library.questions.values()
    known = {name for question in questions for name in (question.id, question.group)}
    known |= {*read_term_ids(root), *library.sources}
    for id in register.asked:
        if id not in known:
            place = positions.where(("asked", id))
            hint = did_you_mean(id, known, "use the id of one")
            yield place.problem(f"no question, topic, term or source {id}", hint)
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
        texts = str(source.record.get("introduction") or ""), str(source.record.get("author") or "")
        yield "source", source.siglum, " ".join(" ".join(texts).split())
        for sentence in source.text.sentences.values() if source.text else ():
            english = source.translation.sentences.get(sentence.id) if source.translation else None
            translated = " ".join(part.text for part in english.parts) if english else ""
            yield "sentence", sentence.id, " ".join(f"{sentence.emended} {translated}".split())
        for statement in source.statements:
            yield "sentence", statement.id, " ".join(f"{statement.text} {statement.quote}".split())
        for note in source.notes:
            yield "note", note.id, " ".join(note.text.split())
    for key, entry in works.items():
        yield "work", key, entry
