"""The agreement as a whole: all faults, and the report for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulebook.agreement.codings import Unreadable, entries_of, every_coding_is_one_of_two, pairs, paths, sigla
from rulebook.agreement.settlements import (
    KEPT,
    Settlement,
    every_disagreement_is_settled_once,
    settlements,
)
from rulebook.agreement.statistics import ALL, FIGURES, SPOKEN, Figure, figures_are_fresh, read_figures
from rulebook.model import Library
from rulebook.problems import Problem


def unreadable(library: Library) -> Iterator[Problem]:
    """What keeps codings, settlements and figures from being read at all."""
    yield from every_coding_is_one_of_two(library)
    for siglum in sigla(library):
        for path in paths(library, siglum):
            yield from entries_of(library, path)[0].problems
    settlements(library)
    if (Path(library.root) / FIGURES).is_file():
        read_figures(library)


def problems(library: Library) -> list[Problem]:
    """All that is wrong with the codings, the figures and the settlements."""
    try:
        cells = pairs(library)
        found = {*every_coding_is_one_of_two(library), *figures_are_fresh(library, cells)}
        return sorted({*found, *every_disagreement_is_settled_once(library, cells)})
    except Unreadable as fault:
        return fault.problems


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """All that a page on the double coding needs: figures as kept, and every disagreement with its reason."""

    package: str  #: the program that reckoned alpha, with its version
    once: tuple[str, ...]  #: ids of the questions that were put after the codings, and have no second one
    codings: Mapping[str, tuple[str, str]]  #: siglum -> fingerprints of the first and of the second coding
    all: Figure
    spoken: Figure  #: only the cells in which at least one coder hears the source speak
    by_source: Mapping[str, Figure]
    by_group: Mapping[str, Figure]
    settled: tuple[Settlement, ...]

    def counts(self) -> Mapping[str, int]:
        """How many disagreements were settled in which way."""
        return {way: sum(one.kept == way for one in self.settled) for way in KEPT}


def report(library: Library) -> AgreementReport:
    """The agreement as it was last reckoned, and the settlements; nothing is reckoned here. Raises Unreadable."""
    known = read_figures(library)

    def named(kind: str) -> dict[str, Figure]:
        return {name.removeprefix(kind): one for name, one in known.figures.items() if name.startswith(kind)}

    return AgreementReport(
        known.package,
        known.once,
        known.codings,
        known.figures[ALL],
        known.figures[SPOKEN],
        named("source "),
        named("group "),
        settlements(library),
    )
