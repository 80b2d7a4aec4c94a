"""Everything that the edition shows, read and put in order; all problems at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path

from edition import deals, ledgers
from edition.causation import read_causes
from edition.register import read_entries, read_register
from edition.shelf import Gone, Shelf, all_ids, read_glossary, read_works, shelve, single_spaced, strings
from edition.snapshots import read_snapshots
from edition.surveys import read_surveys
from edition.telling import read_telling
from engine.beyond import misjudged
from rulebook.agreement import FIGURES, AgreementReport, Unreadable, report
from rulebook.load import find_sources, load
from rulebook.model import Library, Problem
from rulebook.receipts import read_receipts
from rulebook.spelling import read_spelling
from rulebook.yamlpos import read_yaml

#: What a build has read already, for the Sphinx that it starts: reading takes a second or two.
handed: ContextVar[Shelf | None] = ContextVar("handed", default=None)


def read_all(root: Path | None = None) -> tuple[Shelf | None, list[Problem]]:
    """The library on its shelf with the glossary and the deals; nothing but problems if any part is not in order."""
    root = root or find_sources()
    library, problems = load(root)
    if library is None:
        return None, problems
    terms, more = read_glossary(root / "glossary.yaml", dict(all_ids(library)))
    works, unread = read_works(root / "bibliography.bib")
    codings, amiss = read_codings(library)
    receipts, spoilt = read_receipts(root)
    surveys, unreadable = read_surveys(root)
    causes, lost = read_causes(root)
    telling, untold = read_telling(root, library, (term.id for term in terms))
    register, unplaced = read_register(root, library)
    releases, unsure = read_snapshots(root)
    unsound = [*unsure, *amiss, *spoilt, *unreadable, *lost, *untold, *unplaced, *misjudged(library)]
    problems = [*problems, *more, *unread, *deals.faults(library), *unsound]
    if problems:
        return None, problems
    gone = tombstones(root / "tombstones.yaml")
    listed = ledgers.deal_list(library)
    shelf = shelve(library, terms, listed, works, codings, gone, receipts, surveys, causes, telling)
    spelling, _ = read_spelling(root / "spelling.yaml")  # its faults are the library's
    entries = read_entries(root / "bibliography.bib")
    return replace(shelf, spelling=spelling, register=register, entries=entries, releases=releases), []


def read_codings(library: Library) -> tuple[AgreementReport | None, list[Problem]]:
    """How far the two codings agree, as last reckoned; nothing where that was never done."""
    if not (Path(library.root) / FIGURES).is_file():
        return None, []
    try:
        return report(library), []
    except Unreadable as fault:
        return None, fault.problems


def tombstones(path: Path) -> Iterator[Gone]:
    """What became of ids that are gone, from a file that has been checked."""
    raw, _, _ = read_yaml(path, path.name) if path.is_file() else (None, None, None)  # where `on` is a word
    for one in raw if isinstance(raw, list) else ():
        if isinstance(one, dict):
            yield Gone(str(one["id"]), str(one["on"]), single_spaced(str(one["why"])), strings(one.get("see")))
