"""Inter-coder agreement (per cent, Krippendorff's alpha), and the file that keeps the figures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from rulebook.agreement import codings
from rulebook.io.files import replace_file
from rulebook.model import Library
from rulebook.problems import Problem, Where
from rulebook.program_name import name_command
from rulebook.schema.agreement_records import CodingsRecord, FigureRecord, FiguresRecord, MeasuredRecord
from rulebook.schema.validation import validate_record

FIGURES_FILE = "agreement.yaml"

ALL_CELLS, SPOKEN_CELLS = "all", "spoken"


Alpha: TypeAlias = Callable[[Sequence[tuple[str, str]]], float | None]
ASPECTS: Mapping[str, Callable[[codings.CodedAnswer], str]] = {
    "value": lambda coded: coded.text,
    "status": lambda coded: coded.speaks,
}


def per_cent(part: int, of: int) -> float | None:
    """Return a share in per cent, to one place."""
    return round(100 * part / of, 1) if of else None


def measure_agreement(cells: Sequence[codings.CodedPair], aspect: str, alpha: Alpha) -> MeasuredRecord:
    """Measure the agreement of some cells in one respect."""
    look = ASPECTS[aspect]
    both = [(look(pair.first), look(pair.second)) for pair in cells]
    agreed = sum(first == second for first, second in both)
    return MeasuredRecord(agreed=agreed, per_cent=per_cent(agreed, len(both)), alpha=alpha(both))


def compute_figure(name: str, cells: Sequence[codings.CodedPair], alpha: Alpha) -> FigureRecord:
    """Compute the agreement of some cells."""
    # `spoken` is chosen by the status itself, so that chance says nothing about the status there
    return FigureRecord(
        cells=len(cells),
        value=measure_agreement(cells, "value", alpha),
        status=measure_agreement(cells, "status", no_alpha if name == SPOKEN_CELLS else alpha),
    )


def no_alpha(both: Sequence[tuple[str, str]]) -> None:
    """Return no alpha."""
    return None


def group_cells(cells: Sequence[codings.CodedPair]) -> Iterator[tuple[str, list[codings.CodedPair]]]:
    """Group the cells of every figure: all, those with words, by source, by group of questions."""
    yield ALL_CELLS, list(cells)
    # one of the two hears the source speak; agreement on silence is cheap
    yield SPOKEN_CELLS, [pair for pair in cells if "speaks" in (pair.first.speaks, pair.second.speaks)]
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

FIGURES_HEAD = """\
# How far two independent codings of the sources agree. Written by `python -m rulebook.agreement`; not to be edited.
# Cells: one question for one source. Value: the answer, no answer being one of its own; status: speaks, silent or
# inapplicable. Spoken: the cells in which at least one coder hears the source speak. Alpha: Krippendorff's, nominal,
# the answers of all questions being reckoned as one list of names; null where all cells are alike, and for the
# status of the spoken cells, which are chosen by it. Coded once: by source, the questions put after both its codings
# were closed; nobody has coded them there a second time, and those cells are no part of any figure.
"""


def fingerprint_coding(path: Path) -> str:
    """Return the fingerprint of a coding, taken of its bytes."""
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def fingerprint_codings(library: Library) -> dict[str, CodingsRecord]:
    """Return the fingerprints of both codings of every source that has two."""
    folders = {siglum: Path(library.root) / siglum for siglum in codings.sigla_coded_twice(library)}
    return {
        siglum: CodingsRecord(
            first=fingerprint_coding(folder / codings.FIRST_CODING_FILE),
            second=fingerprint_coding(folder / codings.SECOND_CODING_FILE),
        )
        for siglum, folder in folders.items()
    }


def render_figures(library: Library, package: str) -> str:
    """Render the figures as they stand in their file."""
    once = (f"{siglum}: [{', '.join(ids)}]" for siglum, ids in codings.questions_coded_once(library).items())
    lines = [
        FIGURES_HEAD + f"package: {json.dumps(package)}",
        f"coded-once: {{{', '.join(once)}}}",
        "codings:",
    ]
    for siglum, both in fingerprint_codings(library).items():
        lines.append(f"  {siglum}:\n    first: {both.first}\n    second: {both.second}")
    lines.append("figures:")
    for name, cells in group_cells(codings.read_pairs(library)):
        lines.append(f"  {json.dumps(name)}: {render_figure(compute_figure(name, cells, nominal_alpha))}")
    return "\n".join(lines) + "\n"


def render_figure(figure: FigureRecord) -> str:
    """Render a figure on one line."""
    value, status = (
        f"{{agreed: {m.agreed}, per-cent: {json.dumps(m.per_cent)}, alpha: {json.dumps(m.alpha)}}}"
        for m in (figure.value, figure.status)
    )
    return f"{{cells: {figure.cells}, value: {value}, status: {status}}}"


def read_figures(library: Library) -> FiguresRecord:
    """The figures that are kept. Raises UnreadableCoding."""
    reader = codings.CodingReader(library, Path(library.root) / FIGURES_FILE)
    reader.done()
    record, problems = validate_record(FiguresRecord, reader.data, reader.positions, ())
    if record is None or not {ALL_CELLS, SPOKEN_CELLS} <= set(record.figures):
        what = "is not as it was written"
        raise codings.UnreadableCoding(
            [replace(problem, way_out=hint_update()) for problem in problems]
            or [reader.positions.where(()).problem(what, hint_update())]
        )
    return record


def figures_are_fresh(library: Library, cells: Sequence[codings.CodedPair] | None = None) -> Iterator[Problem]:
    """The figures were reckoned from the codings as they lie here; needs no array library."""
    place, there = Where(f"{Path(library.root).name}/{FIGURES_FILE}"), (Path(library.root) / FIGURES_FILE).exists()
    if not codings.sigla_coded_twice(library):
        if there:
            yield place.problem("holds figures, though no source has been coded twice", "take the file away")
        return
    if not there:
        yield place.problem("is missing, though sources have been coded twice", hint_update())
        return
    figures = read_figures(library)
    cells = codings.read_pairs(library) if cells is None else cells
    counts = {name: compute_figure(name, some, no_alpha) for name, some in group_cells(cells)}
    recorded = (figures.codings, figures.coded_once, count_figures(figures.figures))
    once = codings.questions_coded_once(library, cells)
    if recorded != (fingerprint_codings(library), once, count_figures(counts)):
        yield place.problem("the figures are older than the codings or the questions", hint_update())


def count_figures(figures: Mapping[str, FigureRecord]) -> dict[str, tuple[int, int, int]]:
    """Return what of the figures can be counted on fingers."""
    return {name: (figure.cells, figure.value.agreed, figure.status.agreed) for name, figure in figures.items()}


def hint_update() -> str:
    """Say what computes the figures."""
    return f"run {name_command('check --update')}"


def recompute(library: Library) -> Path:
    """Recompute the figures and write them to their file. Raises UnreadableCoding."""
    from importlib.metadata import version

    path = Path(library.root) / FIGURES_FILE
    replace_file(path, render_figures(library, f"krippendorff {version('krippendorff')}"))
    return path
