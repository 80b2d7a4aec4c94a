"""Writing down how a sentence stood when its clause was coded: `seen:` in clauses.yaml, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from rulebook.io.files import replace_file
from rulebook.io.strict_yaml import Positions, Steps, read_yaml
from rulebook.problems import Problem
from rulebook.quotations import fingerprint_citation
from rulebook.sources.assemble import assemble_library
from rulebook.sources.assembled_library import AssembledLibrary, iter_citations
from rulebook.sources.paths import find_sources


@dataclass(frozen=True, slots=True)
class Edit:
    """A fingerprint to be written into a citation."""

    clause: str
    positions: Positions
    steps: Steps
    seen: str
    fresh: bool  #: there was none before

    @property
    def after(self) -> Steps:
        """The entry behind which a fresh fingerprint goes: the last locus."""
        to = (*self.steps, "to")
        return to if to in self.positions.spots else (*self.steps, "locus")


def stamp_fingerprints(root: Path | None = None, confirmed: Collection[str] = ()) -> tuple[list[str], list[Problem]]:
    """Fill in missing fingerprints and renew those of confirmed clauses.

    Returns the ids of the clauses touched, and the problems.
    """
    root = root or find_sources()
    case, problems = assemble_library(root)
    edits = list(_find_needed_edits(case, confirmed)) if case else []
    for name in sorted({edit.positions.name for edit in edits}):
        mine = [edit for edit in edits if edit.positions.name == name]
        problems += _write_edits(root.parent / name, name, mine)
    return list(dict.fromkeys(edit.clause for edit in edits)), problems


def _find_needed_edits(case: AssembledLibrary, confirmed: Collection[str]) -> Iterator[Edit]:
    """Find the citations without a fingerprint, or whose drift has been confirmed."""
    for source, clause, cite in iter_citations(case):
        now = fingerprint_citation(source, cite)
        if now and cite.seen != now and (not cite.seen or clause.id in confirmed):
            yield Edit(clause.id, *case.places[cite.where], seen=now, fresh=not cite.seen)


def _write_edits(path: Path, name: str, edits: list[Edit]) -> list[Problem]:
    """Write the edits into a file, the last first, unless that would change anything else."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for edit in sorted(edits, key=lambda edit: edit.positions.spot(edit.steps).line, reverse=True):
        _insert_fingerprint(lines, edit)
    letters = "\n".join(lines)
    old, new = read_yaml(path, name)[0], read_yaml(letters, name)[0]
    if without_seen(old) != without_seen(new):
        what = "could not be stamped without changing something else"
        return [Problem(name, 1, 1, what, "write seen: on a line of its own")]
    replace_file(path, letters)
    return []


def _insert_fingerprint(lines: list[str], edit: Edit) -> None:
    """Put one fingerprint in: over the old one, or behind the locus."""
    if (*edit.steps, "seen") in edit.positions.spots:
        spot, text = edit.positions.spot((*edit.steps, "seen")), edit.seen
        at, end = spot.column - 1, spot.end_column - 1
    else:
        spot, text = edit.positions.spot(edit.after), f', seen: "{edit.seen}"'
        at = end = spot.end_column - 1
        if not edit.positions.spot(edit.steps).flow:
            lines.insert(spot.end_line, f"{' ' * (spot.key[1] - 1)}seen: {edit.seen}")
            return
    if '"' not in text and edit.positions.spot(edit.steps).flow:
        text = f'"{text}"'
    line = lines[spot.end_line - 1]
    lines[spot.end_line - 1] = line[:at] + text + line[end:]


def without_seen(data: object) -> object:
    """The same data without any fingerprint."""
    if isinstance(data, dict):
        return {key: without_seen(value) for key, value in data.items() if key != "seen"}
    return [without_seen(item) for item in data] if isinstance(data, list) else data
