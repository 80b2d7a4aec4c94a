"""Sense of what hands have written beside the sources: words stand where they should, ids and years are possible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from rulebook.io.strict_yaml import Steps, read_yaml
from rulebook.model import Library, Question
from rulebook.problems import Problem
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE
from rulebook.sources.id_registry import TOMBSTONES_FILE
from rulebook.sources.rule_sentences import GLOSSARY_FILE, TELLING_FILE
from rulebook.spelling import SPELLING, simplify_letters
from rulebook.strings import list_strings, quote_value

_PROSE_FILES = ("*.yaml", BIBLIOGRAPHY_FILE)
_ID = re.compile(r"\b(?:[A-Z]{2,6}\.(?:s\d{4}|n\d\d|c\d{3}|i\d\d|o\d\d|e\d\d|note\d\d)|Q\d{3})\b")
_PRINT_YEARS = range(1450, 2101)  #: no printed book is older; nothing here reads the clock
_GAP = re.compile(r"\{(Q\d{3})")
_SAME_WORD = 0.6  #: so much of two spellings of one word is alike
_YEAR = re.compile(r"^\s*year\s*=\s*[{\"]?(\w*)")
_KEY_YEAR = re.compile(r"^@\w+\{\S*?(?<!\d)(1\d{3}|20\d\d)(?!\d)\S*?,")


def find_senseless_entries(library: Library, ids: Mapping[str, str]) -> Iterator[Problem]:
    """Find what hands have written beside the sources and what cannot be right. `ids`: every id, with its kind."""
    root = Path(library.root)
    yield from find_terms_that_stand_nowhere(library, root)
    yield from find_spellings_that_stand_nowhere(library, root)
    yield from find_spellings_of_other_words(root)
    yield from find_unrelated_gaps(library, root)
    yield from find_ids_of_nothing(root, ids)
    yield from find_impossible_years(root)


def find_terms_that_stand_nowhere(library: Library, root: Path) -> Iterator[Problem]:
    """In each sentence under `attestations` of a term one of its forms stands."""
    raw, positions, problems = read_yaml(root / GLOSSARY_FILE, f"{root.name}/{GLOSSARY_FILE}")
    texts = [source.text for source in library.sources.values() if source.text]
    sentences = {id: sentence for text in texts for id, sentence in text.sentences.items()}
    for at, term in enumerate(raw if isinstance(raw, list) and not problems else ()):
        if not isinstance(term, dict):
            continue
        forms = list_strings(term.get("forms"))
        for nth, id in enumerate(list_strings(term.get("attestations"))):
            if (sentence := sentences.get(id)) and not _stands_in(
                forms, (sentence.diplomatic, sentence.emended, sentence.reading)
            ):
                what = f"{quote_value(term.get('term'))}: none of its forms stands in {id}"
                hint = "name the sentence in which it stands, or add its form there"
                yield positions.where((at, "attestations", nth)).problem(what, hint)


def find_spellings_that_stand_nowhere(library: Library, root: Path) -> Iterator[Problem]:
    """Every old word of the table of spellings occurs in one of the texts of its language."""
    raw, positions, problems = read_yaml(root / SPELLING, f"{root.name}/{SPELLING}")
    words = raw.get("words") if isinstance(raw, dict) and not problems else None
    for lang, table in words.items() if isinstance(words, dict) else ():
        texts = [source.text for source in library.sources.values() if source.text and source.language.startswith(lang)]
        wording = " ".join(
            f"{sentence.diplomatic} {sentence.emended}" for text in texts for sentence in text.sentences.values()
        )
        there = frozenset(re.findall(r"\w+|&", wording.casefold()))
        for old in table if isinstance(table, dict) and texts else ():
            if not {*re.findall(r"\w+|&", old.casefold())} <= there:
                what, hint = f"spelling ({lang}): {quote_value(old)} stands in no text", "take it out, or correct it"
                yield positions.where(("words", lang, old)).problem(what, hint)


def find_spellings_of_other_words(root: Path) -> Iterator[Problem]:
    """Today's form is of the same word as the old one, and makes its plural as the old one does."""
    raw, positions, problems = read_yaml(root / SPELLING, f"{root.name}/{SPELLING}")
    words = raw.get("words") if isinstance(raw, dict) and not problems else None
    for lang, table in words.items() if isinstance(words, dict) else ():
        forms = {str(old): str(new) for old, new in table.items()} if isinstance(table, dict) else {}
        for old, new in forms.items():
            alike = SequenceMatcher(None, simplify_letters(old), simplify_letters(new), autojunk=False).ratio()
            if len(old) > 3 and alike < _SAME_WORD:
                what = f"spelling ({lang}): {quote_value(new)} is another word than {quote_value(old)}"
                yield positions.where(("words", lang, old)).problem(what, "write the same word as it is spelt today")
            if forms.get(f"{old}s", f"{new}s") != f"{new}s":
                plural = quote_value(forms[f"{old}s"])
                what = f"spelling ({lang}): {quote_value(old)} is {quote_value(new)}, and its plural {plural}"
                yield positions.where(("words", lang, old)).problem(what, "correct one of the two")


def find_unrelated_gaps(library: Library, root: Path) -> Iterator[Problem]:
    """A sentence of the rule pages takes an answer only from a question that is related, or of the same group."""
    raw, positions, problems = read_yaml(root / TELLING_FILE, f"{root.name}/{TELLING_FILE}")
    questions = {question.id: question for question in library.questions.values()}
    for steps, text in _iter_texts(raw if not problems else None, ()):
        own = next((questions[step] for step in reversed(steps) if step in questions), None)
        for id in _GAP.findall(text) if own else ():
            if own and (other := questions.get(id)) and other is not own and not _is_related(own, other):
                what = f"{own.id} tells of {id}, which is not related to it"
                yield positions.where(steps).problem(what, "name the question that is meant, or add it under `related`")


def _iter_texts(data: object, steps: Steps) -> Iterator[tuple[Steps, str]]:
    if isinstance(data, str):
        yield steps, data
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield from _iter_texts(value, (*steps, key))


def _is_related(own: Question, other: Question) -> bool:
    own_names, other_names = (f"{each.depends} {' '.join(each.related)}" for each in (own, other))
    return own.group == other.group or other.slug in own_names or own.slug in other_names


def find_ids_of_nothing(root: Path, ids: Mapping[str, str]) -> Iterator[Problem]:
    """Every id that prose names is there, or has a tombstone."""
    paths = [path for pattern in _PROSE_FILES for path in sorted(root.glob(pattern))]
    letters = {path: path.read_text(encoding="utf-8", errors="replace") for path in paths}
    known = {*ids, *_ID.findall(letters.get(root / TOMBSTONES_FILE, ""))}
    for path, text in letters.items():
        for number, line in enumerate(text.split("\n"), 1):
            for match in _ID.finditer(line):
                if match[0] not in known:
                    name = f"{root.name}/{path.name}"
                    yield Problem(name, number, match.start() + 1, f"there is no {match[0]}", "name what is there")


def find_impossible_years(root: Path) -> Iterator[Problem]:
    """A work has a year in which books were printed, and that which its key names."""
    path, key_year = root / BIBLIOGRAPHY_FILE, ""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []
    for number, line in enumerate(lines, 1):
        if line.startswith("@"):
            key_year = named[1] if (named := _KEY_YEAR.match(line)) else ""
        elif (year := _YEAR.match(line)) and (what := _explain_year(year[1], key_year)):
            yield Problem(f"{root.name}/{BIBLIOGRAPHY_FILE}", number, 1, what, "look it up in the work itself")


def _explain_year(year: str, key_year: str) -> str:
    if not (year.isdecimal() and int(year[:9]) in _PRINT_YEARS):
        return f"no work has the year {quote_value(year)}"
    return f"the year is {year}, and the key of the work says {key_year}" if key_year not in ("", year) else ""


def _stands_in(forms: Sequence[str], texts: Sequence[str]) -> bool:
    """Return whether one of the forms stands as a word in one of the texts."""
    return any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in forms for text in texts)
