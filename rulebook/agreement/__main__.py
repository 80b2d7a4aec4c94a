"""`python -m rulebook.agreement`: compute the figures, and list what is not settled."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rulebook.agreement.codings import (
    FIRST_CODING_FILE,
    SECOND_CODING_FILE,
    UnreadableCoding,
    coded_by_clauses,
    sigla_coded_twice,
)
from rulebook.agreement.report import check_codings, read_agreement
from rulebook.agreement.statistics import ALL_CELLS, SPOKEN_CELLS, recompute
from rulebook.io.files import replace_file
from rulebook.io.yaml_writing import format_yaml_flow
from rulebook.load import quick_load
from rulebook.model import Cell, Library, Like, Question, Value
from rulebook.phrases import format_count
from rulebook.sources.paths import find_working_library

FIRST_HEAD = """\
# The first coding of {siglum} ({coders}), as the clauses stood when the second was finished and before the two were
# compared. Drawn from clauses.yaml by `python -m rulebook.agreement --keep-first`; never to be edited: what was mended
# after the comparison stands in the clauses, and why, in settled.yaml.
"""


def write_first_codings(library: Library) -> list[str]:
    """Write down the first coding of every source that has a second one and no copy of the first; their sigla."""
    missing = [
        siglum
        for siglum in library.sources
        if (Path(library.root) / siglum / SECOND_CODING_FILE).exists()
        and not (Path(library.root) / siglum / FIRST_CODING_FILE).exists()
    ]
    for siglum in missing:
        replace_file(Path(library.root) / siglum / FIRST_CODING_FILE, render_first_coding(library, siglum))
    return missing


def render_first_coding(library: Library, siglum: str) -> str:
    """Render the cells of a source as a coding."""
    coders = ", ".join(sorted({clause.coder for clause in library.sources[siglum].clauses}))
    questions = (
        question for question in library.questions.values() if not question.by
    )  # nobody else codes what a source only proposes
    entries = (render_entry(library, question, library.cell(siglum, question.slug)) for question in questions)
    return FIRST_HEAD.format(siglum=siglum, coders=coders) + "".join(entries)


def render_entry(library: Library, question: Question, cell: Cell | None) -> str:
    """Render one cell as an entry of a coding; what was taken from another source is no finding in this one."""
    coded = coded_by_clauses(cell)
    lines = [f"{question.id}:", f"  status: {coded.status}"]
    borrowed = cell is not None and all(clause.taken_from in library.sources for clause in cell.clauses)
    if coded.value is not None and not borrowed:
        lines.append(f"  answer: {format_yaml_flow(_name_reference(library, coded.value))}")
    if coded.cert:
        lines.append(f"  cert: {coded.cert}")
    return "\n".join(lines) + "\n"


def _name_reference(library: Library, value: Value) -> Value:
    """Return an answer as it is written in a file: one that points to another names the question."""
    if not isinstance(value, Like):
        return value
    times = {"times": value.times} if value.times != 1 else {}
    return {"as": library.question(value.question).id, **times}


def main(words: Sequence[str] = ()) -> int:
    """Bring the figures up to date, and tell what is not settled."""
    library, faults = quick_load(find_working_library())
    if library is None or faults:
        sys.stderr.write("".join(f"{fault}\n" for fault in faults))
        return 1
    if "--keep-first" in words:
        sys.stdout.write("".join(f"kept the first coding of {siglum}\n" for siglum in write_first_codings(library)))
    if lacking := explain_missing_codings(library):
        sys.stderr.write(f"{lacking}\n")
        return 1
    try:
        recompute(library)
    except UnreadableCoding as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    return print_agreement(library)


def explain_missing_codings(library: Library) -> str:
    """Explain why there are no two codings to compare; empty where there are."""
    if sigla_coded_twice(library):
        return ""
    alone = [siglum for siglum in library.sources if (Path(library.root) / siglum / SECOND_CODING_FILE).exists()]
    if not alone:
        return f"no source is coded twice: the answers of a second coder stand in SIGLUM/{SECOND_CODING_FILE}"
    keep = "python -m rulebook.agreement --keep-first"
    return f"{', '.join(alone)}: {FIRST_CODING_FILE} is missing; `{keep}` takes it from the clauses as they stand now"


def print_agreement(library: Library) -> int:
    """Print how far the coders agree, and what is left to settle."""
    known, left = read_agreement(library), check_codings(library)
    for name, figure in {ALL_CELLS: known.all, SPOKEN_CELLS: known.spoken, **known.by_source}.items():
        parts = (
            f"{what} {m.per_cent} % alpha {m.alpha}" for what, m in (("value", figure.value), ("status", figure.status))
        )
        sys.stdout.write(f"{name}: {figure.cells} cells, {', '.join(parts)}\n")
    for siglum, ids in known.once.items():
        sys.stdout.write(f"coded once only in {siglum}, and not counted: {', '.join(ids)}\n")
    settled = format_count(len(known.settled), "disagreement")
    sys.stdout.write(f"{settled} settled\n" + "".join(f"{problem}\n" for problem in left))
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
