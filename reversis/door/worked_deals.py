"""Deals by name: worked deals of the edition, files, and records as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from engine.deal.model import Deal
from engine.deal.reader import read_deal
from reversis.door.records import Records
from reversis.files.deals import find_deal_paths, list_deal_entries, read_deal_file, read_worked
from rulebook.load import library as load_library
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.strings import quote_value
from rulebook.suggestions import describe_type, match_name

_FILE_SUFFIXES = frozenset({".yaml", ".yml", ".json"})


_HINT_DEAL = "deals() lists them; the name of a file ends in .yaml, .yml or .json."


class BadRecord(ValueError):
    """A faulty deal record; the message lists all problems, each with a hint."""


@cache
def open_default_library() -> Library:
    """Open the library that is meant where none is given."""
    return load_library()


def deal(name: str | Path | Mapping[str, object], library: Library | None = None) -> Deal:
    """Read a deal: a worked deal by its id, in any letters; a YAML or JSON file; or a record as plain data.

    Raises UnknownName, a KeyError, for a deal that is not there, and BadRecord for faults in a record.
    """
    if isinstance(name, Mapping):
        return _require_faultless(*read_deal(name))
    if not isinstance(name, str | Path):
        raise TypeError(
            f'{describe_type(name)} names no deal: give an id, a file or a record: deal("pam-quinola-gorged")'
        )
    if Path(name).suffix.lower() in _FILE_SUFFIXES:
        if not Path(name).is_file():
            raise FileNotFoundError(
                f"No file {quote_value(str(name))}; give the id of a worked deal, or a file that is there."
            )
        read = read_deal_file(Path(name))
        return _require_faultless(read.deal, read.problems)
    lib = library or open_default_library()
    read = read_worked(lib, match_name("deal", str(name), find_deal_paths(lib), _HINT_DEAL))
    return _require_faultless(read.deal, read.problems)


def _require_faultless(record: Deal | None, problems: list[Problem] | tuple[Problem, ...]) -> Deal:
    if record is None:
        raise BadRecord("\n".join(f"{problem.file}: {problem.what}: {problem.way_out}" for problem in problems))
    return record


def deals(library: Library | None = None) -> Records:
    """List the worked deals: id, title, provenance, and the sentences that they illustrate."""
    columns = {
        "deal": "id of the worked deal",
        "title": "its title",
        "provenance": "printed, completed, constructed or generated",
        "cites": "ids of the sentences that it illustrates",
    }
    deal_entries = list_deal_entries(library or open_default_library())
    return Records(
        "deals", columns, tuple((entry.id, entry.title, entry.provenance, [*entry.cites]) for entry in deal_entries)
    )
