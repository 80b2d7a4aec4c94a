"""Proofs of a sheet's rows in the source as it will be: numbers, and silences that an answer of its own makes idle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulebook.answers.conditions import find_ruling_question
from rulebook.answers.values import format_canonical
from rulebook.checks.number_words import find_named_numbers
from rulebook.checks.numbers import find_untraced_numbers, words_for_numbers
from rulebook.checks.numerals import ComputationInputs, describe_untraced, format_number_list
from rulebook.model import SPOKEN_STATUSES, Alternative, Clause, Source
from rulebook.problems import Problem
from rulebook.sheets.columns import WORD_COLUMNS
from rulebook.sheets.context import ClauseEdits
from rulebook.sheets.reading import ChangedRow
from rulebook.sources.assemble import assemble_library
from rulebook.sources.assembled_library import AssembledLibrary


def assemble_edited(root: Path, siglum: str, letters: str) -> AssembledLibrary | None:
    """Read the library with other letters of a source's clauses.yaml; nothing if it cannot be read."""
    return assemble_library(root, {root / siglum / "clauses.yaml": letters})[0]


#: Cells on which the proof of a number rests: while one is wrong, a number that is missing there says nothing new.
_PROOF_COLUMNS = ("answer", "computation", *(name for pair in WORD_COLUMNS for name in pair))


def find_unproved_numbers(
    case: AssembledLibrary, siglum: str, edits: ClauseEdits, faults: Iterable[Problem] = ()
) -> Iterator[Problem]:
    """Yield the numbers in changed rows that neither stand in their words nor are reckoned from them.

    Rows in which *faults* spoil the proof are left out.
    """
    source, spoilt = case.library.sources[siglum], {(fault.line, fault.column) for fault in faults}
    for clause in source.clauses:
        row = edits.rows.get(clause.id)
        if row and spoilt.isdisjoint((row.number, row.columns.get(name)) for name in _PROOF_COLUMNS):
            for owner, what, way_out in find_untraced_numbers(case, source, clause):
                column, hint = _locate_number(row, owner, way_out)
                if isinstance(owner, Alternative) and len(owner.answers) > 1:
                    hint += _locate_tied_sums(case, clause, owner)
                message = what if owner.id == clause.id else f"{owner.id}: {what}"
                yield row.problem(column, message, hint)


def _locate_number(row: ChangedRow, owner: Clause | Alternative, way_out: str) -> tuple[str, str]:
    """Return the cell in which the numbers of a clause or of another reading are mended, and how."""
    if isinstance(owner, Alternative) and row.cells["other_answer"]:
        mended = way_out.replace("add computation:", "add other_computation:")
        return ("other_computation" if row.cells["other_computation"] else "other_answer"), mended
    return ("computation" if row.cells["computation"] else "answer"), way_out


def _locate_tied_sums(case: AssembledLibrary, clause: Clause, owner: Alternative) -> str:
    """Say in which row the sums of a reading stand that answers several questions, and in which order."""
    order, host = ([case.library.questions[slug].id for slug in holder.answers] for holder in (owner, clause))
    return f"; all sums of this reading stand in the row of {host[0]}, in the order {', '.join(order)}"


def find_unquoted_numbers(source: Source, rows: Iterable[ChangedRow]) -> Iterator[Problem]:
    """Yield the numbers, typed in answers that cannot be read, that the words do not name: both are mended at once."""
    known = words_for_numbers(source)
    for row in rows:
        words, computation = row.cells["words"], row.cells["computation"]
        numbers = tuple(map(int, _NUMBER.findall(row.cells["answer"]))) if row.cells["answer"][:1] in "[{" else ()
        if numbers and words and not computation:
            quoted = frozenset(number.value for number in find_named_numbers(words, known))
            why, way_out = describe_untraced(numbers, words, "", ComputationInputs(quoted=quoted, words=known))
            if why:
                yield row.problem("computation", f"answered {format_number_list(numbers)}, but {why}", way_out)


_NUMBER = re.compile(r"(?<![\w-])\d{1,9}(?!\w)")


def list_idle_silences(case: AssembledLibrary, siglum: str, edits: ClauseEdits) -> list[str]:
    """List the changed rows that say silent where an answer of the source leaves no room for the question."""
    questions, answers = case.library.questions, case.answers[siglum]
    clauses = case.library.sources[siglum].clauses
    own = {slug for clause in clauses if clause.status in SPOKEN_STATUSES for slug in clause.answers}
    reasons: dict[str, str] = {}
    for clause in clauses:
        for slug in clause.about if clause.status == "silent" and clause.id in edits.rows else ():
            if other := find_ruling_question(slug, questions, answers, own):
                reasons[questions[slug].id] = f"{questions[other].id} is {format_canonical(answers[other])}"
    return [f"{id} ({why})" for id, why in reasons.items()]
