"""The bibliography, `sources/bibliography.bib`: works by their keys, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rulebook.io.files import read_once
from rulebook.problems import Problem
from rulebook.strings import find_unfit_letter, quote_value, single_spaced

BIBLIOGRAPHY_FILE = "bibliography.bib"


def read_works(path: Path) -> tuple[dict[str, str], list[Problem]]:
    """Return the works of the bibliography, each by its key with who wrote it and a title; none if there is no file."""
    from pybtex.exceptions import PybtexError
    from pybtex.scanner import PybtexSyntaxError

    if not path.is_file():
        return {}, []
    try:
        entries = _parse_bibtex(path)
        letters = path.read_text(encoding="utf-8")
    except OSError as fault:
        what = f"cannot be read: {fault.strerror}"
        return {}, [Problem(name_in_messages(path), 1, 1, what, "make it readable")]
    except PybtexSyntaxError as fault:
        return {}, [
            Problem(name_in_messages(path), fault.lineno or 1, 1, f"is no BibTeX: {fault}", "correct the entry")
        ]
    except (PybtexError, UnicodeError) as fault:
        what = f"cannot be read: {fault}"
        return {}, [Problem(name_in_messages(path), 1, 1, what, "correct the entry, and save the file as UTF-8")]
    if not entries and (line := line_of_words(path)):
        way_out = "write a work: @misc{key, title = {...}}"
        return {}, [Problem(name_in_messages(path), line, 1, "words, and no work", way_out)]
    return {key: title_of(entry) for key, entry in entries.items()}, [
        *find_unfit_letters_of_works(path, letters),
        *find_unprintable_entries(path, entries),
        *find_bad_links(path, entries),
    ]


@read_once(4)
def _parse_bibtex(path: Path) -> Mapping[str, Any]:
    """Return the entries of a BibTeX file; a check asks for them three times. Raises PybtexError and UnicodeError."""
    from pybtex.database.input.bibtex import Parser  # by itself, not by its name: that searches all that is installed

    entries: Mapping[str, Any] = Parser().parse_file(str(path)).entries
    return entries


def name_in_messages(path: Path) -> str:
    """The bibliography as messages call it: from the folder of sources on."""
    return f"{path.parent.name}/{path.name}"


#: How an address stands within a text of the bibliography.
_LINK_PATTERN = re.compile(r"\\(?:href|url)\s*\{([^{}]*)\}")


def find_unfit_letters_of_works(path: Path, letters: str) -> Iterator[Problem]:
    """Letters that no file of the edition may hold, line by line."""
    for line, words in enumerate(letters.split("\n"), 1):
        if unfit_letter := find_unfit_letter(words):
            yield Problem(name_in_messages(path), line, unfit_letter.at + 1, unfit_letter.what, unfit_letter.way_out)


def find_bad_links(path: Path, entries: Mapping[str, Any]) -> Iterator[Problem]:
    """The addresses that lead to no page of the web: a browser would obey some of them."""
    for key, entry in entries.items():
        within = [address for words in entry.fields.values() for address in _LINK_PATTERN.findall(str(words))]
        for there in filter(None, map(str.strip, (str(entry.fields.get("url", "")), *within))):
            if not there.startswith(("https://", "http://")):
                what = f"{key}: the address {quote_value(there)} is none of the web"
                yield Problem(name_in_messages(path), line_of_entry(path, key), 1, what, "let it begin with https://")


def line_of_words(path: Path) -> int:
    """The first line that is neither empty nor a remark; 0 if there is none."""
    lines = enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    return next((at for at, words in lines if words.strip() and not words.lstrip().startswith("%")), 0)


def line_of_entry(path: Path, key: str) -> int:
    """The line on which an entry of the bibliography begins."""
    begins = re.compile(rf"\s*@\w+\s*[{{(]\s*{re.escape(key)}\s*,")
    lines = enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    return next((at for at, words in lines if begins.match(words)), 1)


_STYLE_METHOD = re.compile(r"get_(\w+)_template")  #: how a style names what prints works of one kind


def find_unprintable_entries(path: Path, entries: Mapping[str, Any]) -> Iterator[Problem]:
    """The entries of a kind that nobody can print, or that lack what a printed entry of their kind has to have."""
    from pybtex.database import BibliographyData
    from pybtex.style.formatting.plain import Style
    from pybtex.style.labels.number import LabelStyle
    from pybtex.style.names.plain import NameStyle
    from pybtex.style.sorting.author_year_title import SortingStyle
    from pybtex.style.template import FieldIsMissing

    style = Style(LabelStyle, NameStyle, SortingStyle)  # by themselves, not by their names: see `_parse_bibtex`
    kinds = [match[1] for name in dir(style) if (match := _STYLE_METHOD.fullmatch(name))]
    for key, entry in entries.items():
        if entry.type not in kinds:
            what, way_out = f"{key}: no work is of the kind @{entry.type}", f"there are @{', @'.join(kinds)}"
            yield Problem(name_in_messages(path), line_of_entry(path, key), 1, what, way_out)
            continue
        try:
            [*style.format_bibliography(BibliographyData({key: entry}))]
        except FieldIsMissing as fault:
            way_out = "add the entry, or call the work @misc"
            yield Problem(name_in_messages(path), line_of_entry(path, key), 1, f"{key}: {fault}", way_out)


def title_of(entry: Any) -> str:
    """Author and title of a work, without the braces that keep capitals."""
    people = " and ".join(" ".join(person.last_names) for person in entry.persons.get("author", ()))
    return single_spaced(f"{people}: {bare_title_of(entry)}" if people else bare_title_of(entry))


def bare_title_of(entry: Any) -> str:
    """Title of a work alone."""
    title = str(entry.fields.get("title", "")).translate({ord("{"): None, ord("}"): None})
    return single_spaced(title).replace("``", "“").replace("''", "”")


def read_foreign_titles(path: Path) -> dict[str, tuple[str, str]]:
    """Return the titles that are not in English, by the keys of their works, each with its language."""
    entries = _parse_bibtex(path) if path.is_file() else {}
    named = {key: BIBLIOGRAPHY_LANGUAGES.get(str(entry.fields.get("langid", ""))) for key, entry in entries.items()}
    return {key: (bare_title_of(entries[key]), lang) for key, lang in named.items() if lang and lang != "en"}


#: Languages as BibTeX names them.
BIBLIOGRAPHY_LANGUAGES: Mapping[str, str] = {"french": "fr", "german": "de", "english": "en", "latin": "la"}


# ---- whole entries
def read_entries(path: Path) -> dict[str, str]:
    """Return all that each entry says, by its key; `read_works` tells what is wrong with the file."""
    from pybtex.exceptions import PybtexError

    try:
        entries = _parse_bibtex(path)
    except (PybtexError, UnicodeError, OSError):
        return {}
    return {key: _format_entry(entry) for key, entry in entries.items()}


def _format_entry(entry: Any) -> str:
    """An entry in one line, without the braces that keep capitals."""
    people = (str(person) for group in entry.persons.values() for person in group)
    text = " ".join((*people, *map(str, entry.fields.values())))
    return " ".join(text.translate({ord("{"): None, ord("}"): None}).split())
