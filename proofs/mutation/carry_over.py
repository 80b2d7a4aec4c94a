"""Carry over the verdicts of mutation testing from whole files to functions, without a new trial.

    python -m proofs.mutation.carry_over REVISION     a revision that still has proofs/mutants.json

Until then a verdict was kept under the fingerprint of the whole file, the operator and its occurrence in the file. The
files are read as they were at that revision, so the script can be repeated at any time; it prints how many verdicts
were carried, and why others were not. Notes, receipt and survivors are written only while the receipt is still of the
old form: afterwards they may know better.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from proofs.mutation.coverage import HERE
from proofs.mutation.run import SURVIVORS, UNEXPLAINED, figures_of, mutants_of_code, sort_key, survivor_row
from proofs.mutation.verdicts import RECEIPT, SURVIVED, UNTRIED, Mutant, Verdicts, group_by_unit
from rulebook.code_units import read_units
from rulebook.io.files import replaced
from rulebook.receipts import read_receipt, write_receipt

CHANGED = "of a file that was changed after the trial"
ANNOTATION = "in an annotation, which is no longer counted as a change"
DISAGREEING = "on code that stands in two places, with different verdicts"


@dataclass(frozen=True, slots=True)
class Carried:
    """The verdicts by mutant, and how many were not carried, by reason."""

    verdicts: Mapping[Mutant, str]
    lost: Mapping[str, int]


def carry_over(notes: Mapping[str, str], files: Mapping[str, str]) -> Carried:
    """Find the mutant of each note. Where equal code in two places has different verdicts, neither is carried."""
    mutants = {old_key(one, code): one for file, code in files.items() for one in mutants_of_code(file, code)}
    verdicts = {mutant: notes.get(key, UNTRIED) for key, mutant in mutants.items()}
    states = defaultdict[tuple[str, str], set[str]](set)
    for mutant, state in verdicts.items():
        states[mutant.unit, mutant.name].add(state)
    disagreeing = {mutant for mutant in verdicts if len(states[mutant.unit, mutant.name]) > 1}
    seals = set(map(seal, files.values()))
    unknown = Counter(
        ANNOTATION if key.partition(" ")[0] in seals else CHANGED for key in notes.keys() - mutants.keys()
    )
    carried = {mutant: UNTRIED if mutant in disagreeing else state for mutant, state in verdicts.items()}
    return Carried(carried, {**unknown, DISAGREEING: len(disagreeing)})


def seal(code: str) -> str:
    """Return the fingerprint of a file, as the old notes have it."""
    return sha256(code.encode()).hexdigest()[:16]


def old_key(mutant: Mutant, code: str) -> str:
    """Return the key of a verdict in the old notes."""
    return f"{seal(code)} {mutant.operator} {mutant.occurrence}"


def carry_survivors(rows: Sequence[Mapping[str, Any]], verdicts: Mapping[Mutant, str]) -> list[dict[str, Any]]:
    """Return the rows of the survivors, each with its unit in place of file and line."""
    survivors = {(m.file, m.operator, m.occurrence): m for m, state in verdicts.items() if state == SURVIVED}
    found = []
    for row in rows:
        if mutant := survivors.get((row["file"], row["operator"], row["occurrence"])):
            found.append(survivor_row(mutant, row["becomes"]) | {"reason": row["reason"]})
    return sorted(found, key=sort_key)


def read_at(revision: str, path: str) -> str:
    """Return a file as it was at a revision."""
    return subprocess.run(
        ["git", "show", f"{revision}:{path}"], cwd=HERE, check=True, capture_output=True
    ).stdout.decode()


def main() -> int:
    """Carry everything over, and print how much that is."""
    (revision,) = sys.argv[1:]
    old = json.loads(read_at(revision, "sources/receipts/mutation.json"))
    notes = json.loads(read_at(revision, "proofs/mutants.json"))
    files = {file: read_at(revision, file) for file in old["figures"]["by file"]}
    carried = carry_over(notes, files)
    sys.stdout.write(f"{len(notes)} verdicts; {sum(s != UNTRIED for s in carried.verdicts.values())} carried\n")
    sys.stdout.writelines(f"not carried: {count} {why}\n" for why, count in carried.lost.items())
    receipt, _ = read_receipt(RECEIPT, RECEIPT.name)
    if receipt and not receipt.by_function:
        units = [unit.key for code in files.values() for unit in read_units(code)]
        survivors = carry_survivors(json.loads(read_at(revision, "proofs/survivors.json")), carried.verdicts)
        figures = figures_of(carried.verdicts, units) | {UNEXPLAINED: sum(not row["reason"] for row in survivors)}
        replaced(SURVIVORS, json.dumps(survivors, indent=1, ensure_ascii=False) + "\n")
        write_receipt(RECEIPT.parent.parent, replace(receipt, figures=figures))
        known = {
            unit: {one.name: carried.verdicts[one] for one in group if carried.verdicts[one] != UNTRIED}
            for unit, group in group_by_unit(carried.verdicts).items()
        }
        Verdicts(known).save()
        sys.stdout.write("notes, receipt and survivors are written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
