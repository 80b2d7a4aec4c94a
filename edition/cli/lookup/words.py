"""Words that people look for: other words for the same thing, and the rows of a list in which words stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulebook.io.strict_yaml import read_yaml
from rulebook.sources.index_terms import INDICES_FILE
from rulebook.spelling import simplify_letters

Synonyms = tuple[tuple[str, ...], ...]


def read_synonyms(root: Path) -> Synonyms:
    """Read the words that mean the same to who searches; `check` looks whether they are well written."""
    path = root / INDICES_FILE
    raw = read_yaml(path, path.name)[0] if path.is_file() else {}
    rows = raw.get("synonyms") if isinstance(raw, Mapping) else None
    return tuple(tuple(map(str, row)) for row in (rows if isinstance(rows, list) else []) if isinstance(row, list))


def list_other_words(synonyms: Synonyms, words: str) -> tuple[str, ...]:
    """List what else words may mean: their synonyms; for half a name those of all of it."""
    folded = simplify_letters(words.strip().replace("-", " "))
    for begins in ("", " of "):
        rows = [row for row in synonyms if any(_goes_on(simplify_letters(phrase), folded, begins) for phrase in row)]
        if len(rows) == 1:
            return rows[0]
    return ()


def _goes_on(phrase: str, words: str, further: str) -> bool:
    """Return whether a phrase is these words, or the words followed by some others."""
    return phrase.startswith(words + further) if further else phrase == words


def row_has_words(row: Mapping[str, Any], words: Sequence[str], synonyms: Synonyms) -> bool:
    """Return whether all words, or what means the same as all of them together, stand in a row of a list."""
    text = simplify_letters(" ".join(map(str, row.values())))
    others = list_other_words(synonyms, " ".join(words))
    return any(_stands_in(phrase, text) for phrase in others) or all(
        any(_stands_in(phrase, text) for phrase in (word, *list_other_words(synonyms, word))) for word in words
    )


def _stands_in(words: str, text: str) -> bool:
    """Return whether words stand in a text, whatever their endings."""
    return re.search(rf"(?<!\w){re.escape(simplify_letters(words))}", text) is not None
