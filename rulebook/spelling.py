"""Old spelling and new: a small table, and nothing clever.

The page keeps its own spelling. The reading view exchanges letters (``ſ`` for ``s``) and the words of
`sources/spelling.yaml`, nothing else; a word that the table does not know stays as it is.
Searching folds both spellings to one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.io.strict_yaml import Positions, read_yaml
from rulebook.problems import Problem
from rulebook.strings import quote_value

if TYPE_CHECKING:
    pass

SPELLING = "spelling.yaml"  #: in the folder of sources
LIGATURE_SPELLINGS: Mapping[str, str] = {"œ": "oe", "æ": "ae", "’": "'", "ʼ": "'"}


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of one language that are spelt otherwise today."""

    words: Mapping[str, str] = field(default_factory=dict)
    pattern: re.Pattern[str] | None = None

    @classmethod
    def of(cls, words: Mapping[str, str]) -> WordTable:
        """Make a table ready for looking up; longer entries go first."""
        lower = {old.lower(): new for old, new in words.items()}
        entries = "|".join(re.escape(old) for old in sorted(lower, key=lambda old: (-len(old), old)))
        return cls(lower, re.compile(rf"(?<!\w)(?:{entries})(?!\w)", re.IGNORECASE) if entries else None)

    def exchange(self, text: str) -> str:
        """Every word of the table for its modern form, the case kept."""
        if self.pattern is None:
            return text
        return self.pattern.sub(lambda match: in_case_of(match[0], self._find_modern_form(match[0])), text)

    def _find_modern_form(self, old: str) -> str:
        """Return the modern form; the pattern takes a long s for an s, which `lower` does not."""
        return self.words.get(old.lower()) or self.words.get(old.casefold(), old)


@dataclass(frozen=True, slots=True)
class Spelling:
    """The table that turns old spelling into today's, with its version."""

    version: str = "0"
    letters: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, WordTable] = field(default_factory=dict)
    folded: Mapping[str, WordTable] = field(default_factory=dict)

    @classmethod
    def of(cls, version: str, letters: Mapping[str, str], words: Mapping[str, Mapping[str, str]]) -> Spelling:
        """Make the table from plain letters and from plain words by language."""
        return cls(
            version,
            dict(letters),
            {lang: WordTable.of(table) for lang, table in words.items()},
            {lang: WordTable.of(bare_table(table)) for lang, table in words.items()},
        )


NO_TABLE = Spelling()


def in_case_of(old: str, new: str) -> str:
    """The new word in capitals where the old one had them."""
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def get_primary_language(tag: str) -> str:
    """Return the language alone: `fr` of `fr-FR`."""
    return tag.partition("-")[0].lower()


def modernise_spelling(text: str, lang: str, spelling: Spelling) -> str:
    """Return the text as it would be spelt today, as far as the table knows."""
    for old, new in spelling.letters.items():
        text = text.replace(old, new)
    return spelling.words.get(get_primary_language(lang), WordTable()).exchange(text)


@lru_cache(maxsize=50_000)
def simplify_letters(text: str) -> str:
    """Return letters without accent, ligature or capital; white space single."""
    for joined, parted in LIGATURE_SPELLINGS.items():
        text = text.casefold().replace(joined, parted)
    letters = (c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return " ".join("".join(letters).split())


def bare_table(words: Mapping[str, str]) -> dict[str, str]:
    """The same words for a search: entries that differ in accents only fall away."""
    pairs = ((simplify_letters(old), simplify_letters(new)) for old, new in words.items())
    return {old: new for old, new in pairs if old != new}


# --- reading the table --------------------------------------------------------------------------


def read_spelling(path: Path) -> tuple[Spelling, list[Problem]]:
    """Read the table of spellings; a table with faults counts as empty."""
    from rulebook.schema.reference_records import SpellingRecord  # they take a moment to import
    from rulebook.schema.validation import validate_record

    raw, positions, problems = read_yaml(path)
    if problems:
        return NO_TABLE, problems

    filled = {"letters": None, "words": None, **(raw if isinstance(raw, dict) else {})}  # neither may be left out
    record, problems = validate_record(SpellingRecord, filled, positions, ())
    if record is None:
        return NO_TABLE, problems
    problems = [*words_change_once(positions, record.words)]
    return (NO_TABLE if problems else Spelling.of(str(record.version), record.letters, record.words)), problems


def words_change_once(positions: Positions, words: Mapping[str, Mapping[str, str]]) -> Iterator[Problem]:
    """No modern form is itself an old one: reading twice changes nothing more."""
    for lang, table in words.items():
        again = WordTable.of(table)
        for old, new in table.items():
            if again.exchange(new) != new:
                what = (
                    f"spelling ({lang}): {quote_value(old)} becomes {quote_value(new)}, which the table changes again"
                )
                way_out = f"give {quote_value(old)} its last form, {quote_value(again.exchange(new))}"
                yield positions.where(("words", lang, old)).problem(what, way_out)
