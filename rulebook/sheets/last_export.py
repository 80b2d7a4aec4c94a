"""Memory of the sheets that were read: what each row said then, and what clauses.yaml said of it afterwards.

A sheet goes on being filled in after it was read, and still bears the versions with which it was written out. By this
memory a cell that has changed in the sheet only is told from one that somebody else has changed in clauses.yaml.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from pydantic import RootModel, ValidationError

from rulebook.schema.records import Record
from rulebook.sheets.rows import SheetRow, compute_version, hash_cell, parse_version

MEMORY_FILE = "backups/sheets-read.json"  #: in the folder of a source; not under version control


class RememberedRow(Record):
    """A row as it was read for the last time; each of its cells by its fingerprint."""

    written: str  #: its version, as the sheet was written out with it
    said: str  #: what the sheet said when it was read
    became: str  #: what clauses.yaml said afterwards

    def list_typed(self) -> Mapping[str, str]:
        """Return the fingerprints of the cells that had been changed since the sheet was written out."""
        before = parse_version(self.written)
        return {
            name: fingerprint
            for name, fingerprint in parse_version(self.said).items()
            if fingerprint != before.get(name)
        }


#: clause and question, as the sheet names them -> the row
RememberedRows = Mapping[str, RememberedRow]


class SheetMemory(RootModel[dict[str, dict[str, RememberedRow]]]):
    """The sheets of one source that were read, each by the fingerprint of its path."""

    @classmethod
    def parse(cls, letters: str) -> SheetMemory:
        """Parse the file; one that is missing or spoilt remembers nothing."""
        try:
            return cls.model_validate_json(letters)
        except ValidationError:
            return cls({})

    def recall(self, sheet: Path, cells: Iterable[Mapping[str, str]]) -> RememberedRows:
        """Return the rows of a sheet when it was last read; of a copy, those that were not touched since."""
        there = {name_row(cell): cell for cell in cells}
        known = {
            name: row
            for name, row in self.root.get(_name_sheet(sheet), {}).items()
            if name in there and there[name].get("version") == row.written
        }
        untouched = {
            name: row
            for rows in self.root.values()
            for name, row in rows.items()
            if name in there and there[name].get("version") == row.written and compute_version(there[name]) == row.said
        }
        return {**untouched, **(known if _is_same_sheet(known, there) else {})}

    def knows_others_only(self, sheet: Path) -> bool:
        """Return whether sheets of the source were read, and none under this name."""
        return bool(self.root) and _name_sheet(sheet) not in self.root

    def find_neighbour(self, sheet: Path) -> str:
        """Return the name of a file beside a sheet that was read; empty if there is none."""
        return next((path.name for path in sorted(sheet.parent.iterdir()) if _name_sheet(path) in self.root), "")

    def remember(
        self, sheet: Path, cells: Iterable[Mapping[str, str]], find: Callable[[Mapping[str, str]], SheetRow]
    ) -> SheetMemory:
        """Return the memory with the rows that were read now; `find` finds what clauses.yaml says of one."""
        rows = {
            name_row(cell): RememberedRow(
                written=cell["version"], said=compute_version(cell), became=compute_version(find(cell).cells)
            )
            for cell in cells
            if cell["version"]
        }
        name = _name_sheet(sheet)
        return SheetMemory({**self.root, name: {**self.root.get(name, {}), **rows}})


def name_row(cells: Mapping[str, str]) -> str:
    """Return clause and question of a row, as the sheet has them."""
    return f"{cells.get('clause', '')} {cells.get('question', '')}"


def _name_sheet(sheet: Path) -> str:
    return hashlib.sha256(str(sheet.resolve()).encode("utf-8")).hexdigest()


def _is_same_sheet(known: RememberedRows, there: Mapping[str, Mapping[str, str]]) -> bool:
    """Return whether a sheet still says half of what was typed into it, or is about one row only and says something.

    A colleague's sheet that was saved under the same name does neither, where it is not filled in.
    """
    kept = [
        hash_cell(there[name].get(cell, "")) == mark
        for name, row in known.items()
        for cell, mark in row.list_typed().items()
    ]
    if 2 * sum(kept) >= len(kept):
        return True
    return len(known) == 1 and all(
        parse_version(compute_version(there[name])) != parse_version(row.written) for name, row in known.items()
    )
