"""Carry the verdicts of mutation testing over renames, without a new trial.

    python -m proofs.mutation.carry_over REVISION     the last revision with the old names

A verdict belongs to a function's code (`rulebook.code_units`), and a new name changes that. Where a function differs
from what it was in nothing but names of definitions that were themselves renamed, its verdicts still hold: the receipts
and the survivors get its new key. The script prints how many units were carried.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from proofs.mutation.coverage import MUTATION_ROOT, list_mutated_files
from proofs.mutation.run import (
    describe_mutant_change,
    iter_file_mutants,
    make_survivor_row,
    make_survivor_sort_key,
    read_survivors,
    replace_survivors,
)
from proofs.mutation.verdicts import MUTATION_RECEIPTS
from rulebook.code_units import UNIT_PACKAGES, normalise_syntax, units_with_nodes
from rulebook.receipts import BY_FUNCTION, read_receipt, write_receipt

Renames: TypeAlias = set[tuple[str, str]]  #: old and new name of a definition
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


def find_renames(old: str, new: str) -> Renames:
    """Find the top-level definitions of a module that have another name now, by their order in the file."""
    pairs = zip(_definitions(old), _definitions(new), strict=False)
    return {(a, b) for one, other in pairs for a, b in zip(one, other, strict=False) if a != b}


def find_carried(old: str, new: str, renames: Renames) -> Mapping[str, str]:
    """Return the keys that units of a module had, each with the key that the same unit has now."""
    before, after = list(units_with_nodes(old)), list(units_with_nodes(new))
    if len(before) != len(after):
        return {}
    names_before, names_after = _imported(old), _imported(new)
    found = {}
    for (unit, one), (other_unit, other) in zip(before, after, strict=True):
        differing = list(_differences(normalise_syntax(one), normalise_syntax(other)))
        canonical = {(names_before.get(a, a), names_after.get(b, b)) for a, b in differing}
        if unit.key != other_unit.key and all(a == b or (a, b) in renames for a, b in canonical):
            found[unit.key] = other_unit.key
    return found


def carry_survivors(rows: list[dict[str, Any]], carried: Mapping[str, str], files: list[str]) -> list[dict[str, Any]]:
    """Return the rows of the survivors as the mutants of the renamed code are; reasons stay."""
    present = {(one.unit, one.operator, one.nth): one for file in files for one in iter_file_mutants(file)}
    found = []
    for row in rows:
        key = f"{row['unit']} {row['code']}"
        mutant = present.get((carried.get(key, ""), row["operator"], row["occurrence"]))
        found.append(
            make_survivor_row(mutant, describe_mutant_change(mutant)) | {"reason": row["reason"]} if mutant else row
        )
    return sorted(found, key=make_survivor_sort_key)


def main() -> int:
    """Carry everything over, and print how much that is."""
    (revision,) = sys.argv[1:]
    paths = [
        path.relative_to(MUTATION_ROOT).as_posix()
        for name in UNIT_PACKAGES
        for path in sorted((MUTATION_ROOT / name).rglob("*.py"))
    ]
    files = {path: (_read_at(revision, path), (MUTATION_ROOT / path).read_text("utf-8")) for path in paths}
    renames = {pair for old, new in files.values() for pair in find_renames(old, new)}
    wanted = [path for path in list_mutated_files() if files[path][0] != files[path][1]]
    carried = {key: to for path in wanted for key, to in find_carried(*files[path], renames).items()}
    for path in (path for path in MUTATION_RECEIPTS.values() if path.exists()):
        carry_receipt(path, carried)
    replace_survivors({name: carry_survivors(rows, carried, wanted) for name, rows in read_survivors().items()})
    return 0


def carry_receipt(path: Path, carried: Mapping[str, str]) -> None:
    """Give the lines of a receipt the new keys, and print how many have one."""
    receipt, _ = read_receipt(path, path.name)
    assert receipt, path
    known = sum(key in receipt.by_function for key in carried)
    others = len(receipt.changed(MUTATION_ROOT)) - known
    sys.stdout.write(f"{receipt.proof}: {known} units carried over; of {others} others the code changed\n")
    lines = {carried.get(key, key): line for key, line in receipt.by_function.items()}
    write_receipt(path.parent.parent, replace(receipt, figures={**receipt.figures, BY_FUNCTION: lines}))


def _definitions(code: str) -> list[list[str]]:
    return [list(_bound(node)) for node in ast.parse(code).body if isinstance(node, DEFINITIONS)]


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name


def _imported(code: str) -> Mapping[str, str]:
    """Return what the names stand for that imports bind."""
    imports = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name: alias.name for node in imports for alias in node.names}


def _differences(one: object, other: object) -> Iterator[tuple[str, str]]:
    """Yield the leaves in which two normalised trees differ; of another shape, a pair that no rename explains."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        if one[:1] == other[:1] == ("imports",):
            return
        for a, b in zip(one, other, strict=True):
            yield from _differences(a, b)
    elif one != other:
        yield (one.strip("'"), other.strip("'")) if isinstance(one, str) and isinstance(other, str) else ("", "?")


def _read_at(revision: str, path: str) -> str:
    asked = ["git", "show", f"{revision}:{path}"]
    return subprocess.run(asked, cwd=MUTATION_ROOT, check=True, capture_output=True).stdout.decode()


if __name__ == "__main__":
    sys.exit(main())
