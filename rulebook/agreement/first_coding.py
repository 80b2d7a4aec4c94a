"""The copy of the first coding of a source, drawn from its clauses."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from rulebook.agreement.codings import FIRST_CODING_FILE, SECOND_CODING_FILE, coded_by_clauses
from rulebook.io.files import replace_file
from rulebook.model import Cell, Library, Like, Question, Value

# --- keeping the first coding ---------------------------------------------------------------------------

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
    asked = (one for one in library.questions.values() if not one.by)  # nobody else codes what a source only proposes
    entries = (render_entry(library, one, library.cell(siglum, one.slug)) for one in asked)
    return FIRST_HEAD.format(siglum=siglum, coders=coders) + "".join(entries)


def render_entry(library: Library, question: Question, cell: Cell | None) -> str:
    """Render one cell as an entry of a coding; what was taken from another source is no finding in this one."""
    coded = coded_by_clauses(cell)
    lines = [f"{question.id}:", f"  status: {coded.status}"]
    borrowed = cell is not None and all(clause.taken_from in library.sources for clause in cell.clauses)
    if coded.value is not None and not borrowed:
        lines.append(f"  answer: {render_answer(library, coded.value)}")
    if coded.cert:
        lines.append(f"  cert: {coded.cert}")
    return "\n".join(lines) + "\n"


def render_answer(library: Library, value: Value) -> str:
    """Render an answer as it is written in a file."""
    if isinstance(value, Like):
        times = f", times: {value.times}" if value.times != 1 else ""
        return f"{{as: {library.question(value.question).id}{times}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(render_answer(library, one) for one in value)}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {render_answer(library, one)}" for key, one in value.items()) + "}"
    return str(value) if isinstance(value, int) else render_word(value)


def render_word(word: str) -> str:
    """Render a word, in quotes where another reader might take it for something else."""
    plain = re.fullmatch(r"[A-Za-z][\w-]*", word) and word not in ("yes", "no", "true", "false", "null", "on", "off")
    return word if plain else json.dumps(word)
