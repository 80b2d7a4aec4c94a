"""Files below a library that this game reads and checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from edition.game import Reader
from engine.comparison.printed_figures import check_source_figures
from engine.readings.unsupported import find_misjudged_readings
from reversis.files.attributions import ATTRIBUTIONS_FILE, read_causes
from reversis.files.counsel_file import COUNSEL_FILE, read_counsel
from reversis.files.deals import deal_problems, list_deal_entries, read_worked_records
from reversis.files.drafts import list_playable_sources
from reversis.files.separations import SEPARATIONS_FILE, read_partings
from reversis.files.sessions import worked_sessions
from reversis.files.surveys import read_surveys
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library, Printed
from rulebook.problems import Problem, Where
from rulebook.sources.paths import DEAL_FILE_PATTERNS, SESSION_FILE_PATTERNS

_ReadResult: TypeAlias = tuple[Any, Iterable[Problem]]


def read_deals(root: Path, library: Library) -> _ReadResult:
    """Read the list of worked deals whose records are in order, and report the faults of the others."""
    return list_deal_entries(library), deal_problems(library)


def read_sessions(root: Path, library: Library) -> _ReadResult:
    """Report the faults of worked sessions; the pages that show one read it again."""
    return None, [problem for record in worked_sessions(library) for problem in record.problems]


def find_printed_figure_faults(root: Path, library: Library) -> _ReadResult:
    """Report every figure that a source prints about its own game and that cannot be computed."""
    known = {record.deal.id: record.deal for record in read_worked_records(library) if record.deal is not None}
    hint = "give a sum over answers, or a payment of a worked deal"
    return None, [
        place_of_figure(root, siglum, at, held.printed).problem(f"{held.printed.id}: {held.fault}", hint)
        for siglum in list_playable_sources(library)
        for at, held in enumerate(check_source_figures(library, siglum, known))
        if held.fault and not held.silent
    ]


def place_of_figure(root: Path, siglum: str, at: int, printed: Printed) -> Where:
    """Return the place where the computation of a printed figure is written."""
    name = f"{siglum}/printed.yaml"
    _, positions, _ = read_yaml(root / name, f"{root.name}/{name}")
    return positions.where((at, "deal" if printed.deal else "reckon"))


GAME_READERS: Mapping[str, Reader] = {
    "readings": Reader((), lambda root, library: (None, find_misjudged_readings(library))),
    "deals": Reader(DEAL_FILE_PATTERNS, read_deals),
    "sessions": Reader(SESSION_FILE_PATTERNS, read_sessions),
    "printed figures": Reader(("*/printed.yaml",), find_printed_figure_faults),
    "surveys": Reader(("survey/*.json",), read_surveys),
    "causes": Reader((ATTRIBUTIONS_FILE,), read_causes),
    "partings": Reader((SEPARATIONS_FILE,), read_partings),
    "counsel": Reader((COUNSEL_FILE,), read_counsel),
}
