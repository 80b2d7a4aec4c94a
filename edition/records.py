"""Everything that the edition shows, read and put in order; all problems at once."""

from __future__ import annotations

from pathlib import Path

from edition import deals, ledgers
from edition.shelf import Shelf, all_ids, read_glossary, read_works, shelve
from rulebook.load import find_sources, load
from rulebook.model import Problem


def read_all(root: Path | None = None) -> tuple[Shelf | None, list[Problem]]:
    """The library on its shelf with the glossary and the deals; nothing but problems if any part is not in order."""
    root = root or find_sources()
    library, problems = load(root)
    if library is None:
        return None, problems
    terms, more = read_glossary(root / "glossary.yaml", dict(all_ids(library)))
    works, unread = read_works(root / "bibliography.bib")
    problems = [*problems, *more, *unread, *deals.faults(library)]
    if problems:
        return None, problems
    return shelve(library, terms, ledgers.deal_list(library), works), []
