"""Inter-coder agreement (per cent, Krippendorff's alpha), and the file that keeps the figures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from rulebook.agreement.codings import FIRST, SECOND, Coded, Pair, Reader, Unreadable, coded_once, pairs, sigla
from rulebook.io.files import replaced
from rulebook.model import Library
from rulebook.problems import Problem, Where
from rulebook.schema.coding_records import FigureRecord, FiguresRecord
from rulebook.schema.validation import validated

FIGURES = "agreement.yaml"

ALL, SPOKEN = "all", "spoken"
RUN = "run: python -m rulebook.agreement"


@dataclass(frozen=True, slots=True)
class Measured:
    """How far two coders agree on one thing."""

    agreed: int
    per_cent: float | None
    alpha: float | None  #: Krippendorff's, nominal; None where it cannot be reckoned


@dataclass(frozen=True, slots=True)
class Figure:
    """How far they agree over some cells: on the answers, and on the status."""

    cells: int
    value: Measured
    status: Measured


Alpha: TypeAlias = Callable[[Sequence[tuple[str, str]]], float | None]
ASPECTS: Mapping[str, Callable[[Coded], str]] = {
    "value": lambda coded: coded.text,
    "status": lambda coded: coded.speaks,
}


def share(part: int, of: int) -> float | None:
    """Per cent, to one place."""
    return round(100 * part / of, 1) if of else None


def measured(cells: Sequence[Pair], aspect: str, alpha: Alpha) -> Measured:
    """The agreement of some cells in one respect."""
    look = ASPECTS[aspect]
    both = [(look(pair.first), look(pair.second)) for pair in cells]
    agreed = sum(one == other for one, other in both)
    return Measured(agreed, share(agreed, len(both)), alpha(both))


def figure(name: str, cells: Sequence[Pair], alpha: Alpha) -> Figure:
    """The agreement of some cells."""
    # `spoken` is chosen by the status itself, so that chance says nothing about the status there
    return Figure(
        len(cells), measured(cells, "value", alpha), measured(cells, "status", unreckoned if name == SPOKEN else alpha)
    )


def unreckoned(both: Sequence[tuple[str, str]]) -> None:
    """No alpha."""
    return None


def spoken(pair: Pair) -> bool:
    """Whether at least one of the two hears the source speak; agreement on silence is cheap."""
    return "speaks" in (pair.first.speaks, pair.second.speaks)


def sections(cells: Sequence[Pair]) -> Iterator[tuple[str, list[Pair]]]:
    """The cells of every figure: all, those with words, by source, by group of questions."""
    yield ALL, list(cells)
    yield SPOKEN, [pair for pair in cells if spoken(pair)]
    for siglum in dict.fromkeys(pair.source for pair in cells):
        yield f"source {siglum}", [pair for pair in cells if pair.source == siglum]
    for group in dict.fromkeys(pair.question.group for pair in cells):
        yield f"group {group}", [pair for pair in cells if pair.question.group == group]


def nominal_alpha(both: Sequence[tuple[str, str]]) -> float | None:
    """Krippendorff's alpha for two coders and names without an order, by the package of that name."""
    import krippendorff

    names = sorted({name for pair in both for name in pair})
    if len(names) < 2:  # nothing varies: agreement by chance is certain, and alpha is nought by nought
        return None
    rows = [[names.index(pair[coder]) for pair in both] for coder in (0, 1)]
    return round(float(krippendorff.alpha(reliability_data=rows, level_of_measurement="nominal")), 4)


# --- what is kept of them -------------------------------------------------------------------------------

HEAD = """\
# How far two independent codings of the sources agree. Written by `python -m rulebook.agreement`; not to be edited.
# Cells: one question for one source. Value: the answer, no answer being one of its own; status: speaks, silent or
# inapplicable. Spoken: the cells in which at least one coder hears the source speak. Alpha: Krippendorff's, nominal,
# the answers of all questions being reckoned as one list of names; null where all cells are alike, and for the
# status of the spoken cells, which are chosen by it. Coded once: questions put after both codings were closed; nobody
# has coded them a second time, and they are no part of any figure.
"""


def fingerprint(path: Path) -> str:
    """A coding, told by its bytes."""
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def fingerprints(library: Library) -> dict[str, tuple[str, str]]:
    """Both codings of every source that has two."""
    folders = {siglum: Path(library.root) / siglum for siglum in sigla(library)}
    return {siglum: (fingerprint(one / FIRST), fingerprint(one / SECOND)) for siglum, one in folders.items()}


def written(library: Library, package: str) -> str:
    """The figures as they stand in their file."""
    lines = [HEAD + f"package: {json.dumps(package)}", f"coded-once: [{', '.join(coded_once(library))}]", "codings:"]
    for siglum, (first, second) in fingerprints(library).items():
        lines.append(f"  {siglum}:\n    first: {first}\n    second: {second}")
    lines.append("figures:")
    for name, cells in sections(pairs(library)):
        lines.append(f"  {json.dumps(name)}: {in_brackets(figure(name, cells, nominal_alpha))}")
    return "\n".join(lines) + "\n"


def in_brackets(one: Figure) -> str:
    """A figure on one line."""
    value, status = (
        f"{{agreed: {m.agreed}, per-cent: {json.dumps(m.per_cent)}, alpha: {json.dumps(m.alpha)}}}"
        for m in (one.value, one.status)
    )
    return f"{{cells: {one.cells}, value: {value}, status: {status}}}"


@dataclass(frozen=True, slots=True)
class Kept:
    """The figures as they were last written down, and the codings they were reckoned from."""

    package: str
    once: tuple[str, ...]  #: ids of the questions that were coded once only
    codings: Mapping[str, tuple[str, str]]
    figures: Mapping[str, Figure]


def read_figures(library: Library) -> Kept:
    """The figures that are kept. Raises Unreadable."""
    reader = Reader(library, Path(library.root) / FIGURES)
    reader.done()
    record, problems = validated(FiguresRecord, reader.data, reader.positions, ())
    if record is None or not {ALL, SPOKEN} <= set(record.figures):
        what = "is not as it was written"
        raise Unreadable(
            [replace(one, way_out=RUN) for one in problems] or [reader.positions.where(()).problem(what, RUN)]
        )
    codings = {siglum: (both.first, both.second) for siglum, both in record.codings.items()}
    figures = {name: a_figure(one) for name, one in record.figures.items()}
    return Kept(record.package, tuple(record.coded_once), codings, figures)


def a_figure(one: FigureRecord) -> Figure:
    """One figure as it is used."""
    value, status = (Measured(m.agreed, m.per_cent, m.alpha) for m in (one.value, one.status))
    return Figure(one.cells, value, status)


def figures_are_fresh(library: Library, cells: Sequence[Pair] | None = None) -> Iterator[Problem]:
    """The figures were reckoned from the codings as they lie here; needs no array library."""
    place = Where(f"{Path(library.root).name}/{FIGURES}")
    if not sigla(library):
        return
    if not (Path(library.root) / FIGURES).exists():
        yield place.problem("is missing, though sources have been coded twice", RUN)
        return
    known = read_figures(library)
    cells = pairs(library) if cells is None else cells
    counts = {name: figure(name, some, unreckoned) for name, some in sections(cells)}
    told = (known.codings, known.once, counted(known.figures))
    if told != (fingerprints(library), coded_once(library), counted(counts)):
        yield place.problem("the figures are older than the codings or the questions", RUN)


def counted(figures: Mapping[str, Figure]) -> dict[str, tuple[int, int, int]]:
    """What of the figures can be counted on fingers."""
    return {name: (one.cells, one.value.agreed, one.status.agreed) for name, one in figures.items()}


def version() -> str:
    """The package that reckons alpha, with its version."""
    from importlib.metadata import version as version_of

    return f"krippendorff {version_of('krippendorff')}"


def recompute(library: Library) -> Path:
    """Reckon the figures anew and write them down. Raises Unreadable."""
    path = Path(library.root) / FIGURES
    replaced(path, written(library, version()))
    return path
