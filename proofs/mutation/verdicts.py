"""Verdicts of mutation testing: read, kept between runs, and written into the receipt, one line for each code unit.

A verdict belongs to the code unit (`rulebook.code_units`) that a mutant changes, to the operator, and to its occurrence
within the unit. It holds as long as the code of the unit does, whatever becomes of the rest of the file, and wherever
the unit is moved.

Verdicts are kept in two places. The receipts, one for each group of files, are in git and have a line for each unit; a
fresh clone knows from them which verdicts hold. build/mutation/notes.json has every single verdict since, so that a run
that was broken off goes on. Where the two differ the notes are right, unless the receipt has been replaced since they
were written.

Knows nothing of how mutants are made or tried.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proofs.mutation.coverage import MUTATION_GROUPS, MUTATION_ROOT
from rulebook.io.files import replace_file
from rulebook.receipts import UNIT_PLACES, fingerprint_file, parse_states, read_receipt
from rulebook.sources.paths import find_sources

_NOTES_FILE = MUTATION_ROOT / "build" / "mutation" / "notes.json"
MUTATION_RECEIPTS = {name: find_sources() / "receipts" / f"mutation-{name}.json" for name in MUTATION_GROUPS}

KILLED, SURVIVED, TIMED, NO_MUTANT = "killed", "survived", "timed out", "no mutant"
UNTRIED = "not tried"  #: no verdict
_NO_NOTES: Mapping[str, Any] = {"receipts": {}, "verdicts": {}}
#: Of two verdicts on the same code in two places the later counts.
_VERDICT_ORDER = (UNTRIED, NO_MUTANT, KILLED, TIMED, SURVIVED)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change: where, by which operator, and which of the places where that could be applied."""

    file: str
    line: int
    operator: str
    occurrence: int  #: in the file
    text: str  #: the line as it is in the real file
    unit: str = ""  #: key of the code unit
    nth: int = 0  #: occurrence in the unit

    @property
    def name(self) -> str:
        """Operator and occurrence, which tell the mutants of a unit apart."""
        return f"{self.operator.removeprefix('core/')} {self.nth}"


def pick_worse_verdict(one: str, other: str) -> str:
    """Return the verdict that counts, of two on the same code."""
    return max(one, other, key=_VERDICT_ORDER.index)


def group_by_unit(mutants: Iterable[Mutant]) -> Mapping[str, list[Mutant]]:
    """Return the mutants of each unit, under its key."""
    units = defaultdict[str, list[Mutant]](list)
    for mutant in mutants:
        units[mutant.unit].append(mutant)
    return units


# ---- lines of the receipt
def format_verdict_line(mutants: Sequence[Mutant], verdicts: Mapping[Mutant, str]) -> str:
    """Return the line of a unit: how many were killed, and which others ended how."""
    found = dict[str, str]()
    for mutant in mutants:
        found[mutant.name] = pick_worse_verdict(found.get(mutant.name, UNTRIED), verdicts[mutant])
    places = len(mutants) // max(len(found), 1)
    states = defaultdict[str, list[str]](list, {KILLED: []})
    for name, state in sorted(found.items()):
        states[state].append(name)
    parts = [f"{len(states.pop(KILLED))} {KILLED}"]
    parts += [f"{len(names)} {state} ({'; '.join(names)})" for state, names in sorted(states.items())]
    return ", ".join([*parts, f"{places} {UNIT_PLACES}"] if places > 1 else parts)


def parse_verdict_line(line: str, names: Iterable[str]) -> dict[str, str]:
    """Return the verdict on each mutant of a unit; none at all if the line is of other mutants than these."""
    states = {state: (count, which) for state, count, which in parse_states(line) if state != UNIT_PLACES}
    killed, _ = states.pop(KILLED, (0, ()))
    named = {name: state for state, (_, which) in states.items() for name in which}
    verdicts = {name: named.get(name, KILLED) for name in names}
    if not named.keys() <= verdicts.keys() or len(verdicts) != len(named) + killed:
        return {}
    return {name: state for name, state in verdicts.items() if state != UNTRIED}


def _read_verdict_lines(path: Path) -> Mapping[str, str]:
    found, _ = read_receipt(path, path.name) if path.exists() else (None, [])
    return found.by_function if found else {}


# ---- between runs
@dataclass
class Verdicts:
    """All verdicts that are known: by unit, and within it by mutant."""

    known: dict[str, dict[str, str]]
    notes: Path = _NOTES_FILE
    receipts: Collection[Path] = tuple(MUTATION_RECEIPTS.values())
    fresh: set[tuple[str, str]] = field(default_factory=set)  #: what has been noted in this run

    @classmethod
    def read(
        cls,
        mutants: Iterable[Mutant],
        notes: Path = _NOTES_FILE,
        receipts: Collection[Path] = tuple(MUTATION_RECEIPTS.values()),
    ) -> Verdicts:
        """Read the verdicts on these mutants from the receipts, and all that are in the notes."""
        noted = json.loads(notes.read_text("utf-8")) if notes.exists() else _NO_NOTES
        lines, replaced_since = dict[str, str](), set[str]()
        for receipt in receipts:
            own = _read_verdict_lines(receipt)
            lines |= own
            if noted["receipts"].get(receipt.stem) != fingerprint_file(receipt):
                replaced_since |= own.keys()
        known = dict[str, dict[str, str]]()
        for unit, group in group_by_unit(mutants).items():
            if unit in lines:
                known[unit] = parse_verdict_line(lines[unit], (mutant.name for mutant in group))
        for unit, states in noted["verdicts"].items():
            if unit not in replaced_since:
                known[unit] = known.get(unit, {}) | states
        return cls(known, notes, receipts)

    def of(self, mutant: Mutant) -> str:
        """Return the verdict on a mutant."""
        return self.known.get(mutant.unit, {}).get(mutant.name, UNTRIED)

    def note(self, mutant: Mutant, state: str) -> None:
        """Note a verdict. Of the same code in two places, tried in one run, the place counts that is tested worse."""
        before = self.of(mutant) if (mutant.unit, mutant.name) in self.fresh else UNTRIED
        self.known.setdefault(mutant.unit, {})[mutant.name] = pick_worse_verdict(before, state)
        self.fresh.add((mutant.unit, mutant.name))
        if len(self.fresh) % 20 == 0:
            self.save()

    def outdated(self, units: Container[str]) -> int:
        """Return how many verdicts are on units that are no longer there."""
        return sum(len(states) for unit, states in self.known.items() if unit not in units)

    def save(self) -> None:
        """Write the notes; they belong to the receipts as they are now."""
        self.notes.parent.mkdir(parents=True, exist_ok=True)
        data = {"receipts": {one.stem: fingerprint_file(one) for one in self.receipts}, "verdicts": self.known}
        replace_file(self.notes, json.dumps(data, indent=0, sort_keys=True) + "\n")
