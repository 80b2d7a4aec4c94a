"""The edition as a work that others cite: `CITATION.cff`, read in one place.

    python -m edition.corpus.citation_cff       write .zenodo.json, by which an archive describes a release, anew from
    CITATION.cff

A version that has not been released bears no date, and is cited as not yet released; a release writes the line
`date-released` into the file. Nothing here looks at the clock.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulebook.io.files import replace_file
from rulebook.io.strict_yaml import read_yaml
from rulebook.library_settings import CITATION_FILE
from rulebook.problems import Problem
from rulebook.strings import list_strings

ZENODO_FILE = ".zenodo.json"
_REQUIRED_KEYS = ("title", "version", "authors")
_PACKAGE_FOLDER = Path(__file__).resolve().parents[1]

#: Where the terms of each licence can be read, by its SPDX identifier.
LICENCE_URLS: Mapping[str, str] = {
    "MIT": "https://spdx.org/licenses/MIT.html",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "GPL-3.0-or-later": "https://www.gnu.org/licenses/gpl-3.0.html",
}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, or a company of people under one name."""

    family: str
    given: str = ""
    company: bool = False

    @property
    def name(self) -> str:
        """As one names them in a sentence."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class Release:
    """A version of the edition: whose it is, what it is called, and since when it can be had."""

    title: str
    version: str
    date: str  #: as 2026-11-21; empty while it has not been released
    authors: tuple[Person, ...]
    abstract: str
    keywords: tuple[str, ...]
    licences: tuple[str, ...]
    message: str
    doi: str = ""  #: under which an archive keeps it; empty while it has none

    @property
    def by(self) -> str:
        """All who made it, in a row."""
        return " and ".join(person.name for person in self.authors)

    @property
    def dated(self) -> str:
        """The day, or that there is none yet."""
        return self.date or "not yet released"


def find_release() -> Path:
    """Return the path of the file: in an installed copy, or at the top of a clone."""
    paths = (_PACKAGE_FOLDER / "_citation.cff", _PACKAGE_FOLDER.parent / CITATION_FILE)
    return next((path for path in paths if path.is_file()), paths[-1])


def read_release(path: Path | None = None) -> Release:
    """Read the file. Raise ValueError if it lacks what no citation can do without."""
    path = path or find_release()
    raw, problems = read_citation_file(path, CITATION_FILE)
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    return Release(
        str(raw["title"]),
        str(raw["version"]),
        str(raw.get("date-released", "")),
        tuple(_read_authors(raw)),
        " ".join(str(raw.get("abstract", "")).split()),
        list_strings(raw.get("keywords")),
        list_strings(raw.get("license")),
        str(raw.get("message", "")),
        str(raw.get("doi", "")),
    )


def read_citation_file(path: Path, name: str) -> tuple[Mapping[str, Any], list[Problem]]:
    """Read the file as data, and find what keeps it from being cited by; *name* is what problems call it."""
    raw, positions, problems = read_yaml(path, name)
    table = raw if isinstance(raw, Mapping) else {}
    if problems:
        return table, problems
    if missing := [key for key in _REQUIRED_KEYS if not table.get(key)]:
        way_out = "write a line for each: title: ..., version: 0.1.0, authors:"
        return table, [positions.where(()).problem(f"does not say: {', '.join(missing)}", way_out)]
    authors = table["authors"] if isinstance(table["authors"], list) else [None]
    wrong = [one for one in authors if not (isinstance(one, Mapping) and {"name", "family-names"} & one.keys())]
    what, way_out = "an author has no name", "write `- name: ...` for a group, `- family-names: ...` for a person"
    return table, [positions.where(("authors",)).problem(what, way_out)] if wrong else []


def _read_authors(raw: Mapping[str, Any]) -> Iterator[Person]:
    """Yield the authors: persons have family names, organizations a name."""
    for author in raw.get("authors", ()):
        if "name" in author:
            yield Person(str(author["name"]), company=True)
        else:
            yield Person(str(author["family-names"]), str(author.get("given-names", "")))


# ---- for an archive
def format_zenodo(release: Release) -> str:
    """Format the release for Zenodo, which knows one licence: that of the data."""
    data = next(
        (name for name in release.licences if name.startswith("CC-")), release.licences[0] if release.licences else ""
    )
    record: dict[str, object] = {
        "title": release.title,
        "upload_type": "dataset",
        "description": release.abstract,
        "creators": [{"name": ", ".join(filter(None, (who.family, who.given)))} for who in release.authors],
        "keywords": list(release.keywords),
        "version": release.version,
        "language": "eng",
        "access_right": "open",
        "license": data.lower(),
        "notes": f"{release.message} Licences, layer by layer: {', '.join(release.licences)}; see LICENSE.",
    }
    dated = {"publication_date": release.date, "doi": release.doi}
    record |= {key: value for key, value in dated.items() if value}
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def main() -> int:
    """Write `.zenodo.json`."""
    replace_file(_PACKAGE_FOLDER.parent / ZENODO_FILE, format_zenodo(read_release()))
    sys.stdout.write(f"{ZENODO_FILE} says what {CITATION_FILE} says\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
