"""The agreement as a whole: all faults, and the report for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulebook.agreement.codings import (
    CodedOnce,
    UnreadableCoding,
    coding_paths,
    every_coding_is_one_of_two,
    read_entries_of,
    read_pairs,
    sigla_coded_twice,
)
from rulebook.agreement.settlements import (
    WAYS_SETTLED,
    CodingSettlement,
    every_disagreement_is_settled_once,
    read_settlements,
)
from rulebook.agreement.statistics import (
    ALL_CELLS,
    FIGURES_FILE,
    SPOKEN_CELLS,
    figures_are_fresh,
    read_figures,
)
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.schema.agreement_records import CodingsRecord, FigureRecord


def unreadable_codings(library: Library) -> Iterator[Problem]:
    """Yield what keeps codings, settlements and figures from being read at all."""
    yield from every_coding_is_one_of_two(library)
    for siglum in sigla_coded_twice(library):
        for path in coding_paths(library, siglum):
            yield from read_entries_of(library, path)[0].problems
    read_settlements(library)
    if (Path(library.root) / FIGURES_FILE).is_file():
        read_figures(library)


def check_codings(library: Library) -> list[Problem]:
    """Return all that is wrong with the codings, the figures and the settlements."""
    try:
        cells = read_pairs(library)
        problems = {*every_coding_is_one_of_two(library), *figures_are_fresh(library, cells)}
        return sorted({*problems, *every_disagreement_is_settled_once(library, cells)})
    except UnreadableCoding as fault:
        return fault.problems


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """All that a page on the double coding needs: figures as kept, and every disagreement with its reason."""

    package: str  #: the program that reckoned alpha, with its version
    once: CodedOnce
    codings: Mapping[str, CodingsRecord]  #: siglum -> fingerprints of the first and of the second coding
    all: FigureRecord
    spoken: FigureRecord  #: only the cells in which at least one coder hears the source speak
    by_source: Mapping[str, FigureRecord]
    by_group: Mapping[str, FigureRecord]
    settled: tuple[CodingSettlement, ...]

    def counts(self) -> Mapping[str, int]:
        """Number of disagreements by the way in which they were settled."""
        return {way: sum(settlement.kept == way for settlement in self.settled) for way in WAYS_SETTLED}


def read_agreement(library: Library) -> AgreementReport:
    """Return the agreement as last computed, and the settlements; computes nothing. Raises UnreadableCoding."""
    figures = read_figures(library)

    def named(kind: str) -> dict[str, FigureRecord]:
        return {name.removeprefix(kind): figure for name, figure in figures.figures.items() if name.startswith(kind)}

    return AgreementReport(
        figures.package,
        figures.coded_once,
        figures.codings,
        figures.figures[ALL_CELLS],
        figures.figures[SPOKEN_CELLS],
        named("source "),
        named("group "),
        read_settlements(library),
    )
