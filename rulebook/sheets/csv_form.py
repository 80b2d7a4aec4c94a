"""Sheets as CSV: written plainly, read as Excel in any country and LibreOffice save them."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from rulebook.sheets.grid import MAX_CELLS, Grid, UnreadableSheet, clean_cell, protect_cell, protect_data_cell

SEPARATORS: Mapping[str, str] = {"comma": ",", "semicolon": ";", "tab": "\t"}
_WINDOWS = "cp1252"  #: in which a French or German Windows saves "CSV"
_UTF8_HINT = "save it as `CSV UTF-8`, or as ODS"
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def render_csv(rows: Iterable[Sequence[str]], separator: str = ",") -> str:
    """Render a sheet as CSV."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
    writer.writerows([protect_cell(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def render_data_csv(rows: Iterable[Iterable[object]]) -> str:
    """Render rows of data as CSV, the names of the columns first; to a spreadsheet no cell is a formula."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(map(protect_data_cell, row) for row in rows)
    return buffer.getvalue()


def parse_csv(octets: bytes, headings: Collection[str]) -> Grid:
    """Parse CSV in whatever encoding, with whatever separator. Raises UnreadableSheet."""
    letters, lossy = _decode(octets)
    declared = re.match(r'"?sep=([,;|\t])"?\r?\n', letters)
    letters = letters[declared.end() :] if declared else letters
    if "\0" in letters:
        raise UnreadableSheet("holds no text: there are zero bytes in it", _UTF8_HINT)
    return Grid(_parse_rows(letters, declared[1] if declared else _guess_separator(letters, headings)), lossy)


def _decode(octets: bytes) -> tuple[str, str]:
    """Return the letters, and the encoding if it has not every letter. Raises UnreadableSheet."""
    encoding = next((name for mark, name in _MARKS if octets.startswith(mark)), "")
    try:  # letters that Windows-1252 lacks may have become question marks, and nothing else may be beyond ASCII
        return octets.decode(encoding or "utf-8"), _WINDOWS if octets.isascii() else ""
    except UnicodeDecodeError as fault:
        if encoding:
            row = octets[: fault.start].count(b"\n") + 1
            raise UnreadableSheet(f"is not {encoding[:6].upper()}, though it says so", _UTF8_HINT, row) from fault
    try:
        return octets.decode(_WINDOWS), _WINDOWS
    except UnicodeDecodeError as fault:
        row = octets[: fault.start].count(b"\n") + 1
        raise UnreadableSheet("is neither UTF-8 nor Windows-1252", _UTF8_HINT, row) from fault


def _guess_separator(letters: str, headings: Collection[str]) -> str:
    """Return the separator by which the first line has most of the headings."""
    first = letters.lstrip("\r\n").partition("\n")[0]
    return max(
        (",", ";", "\t", "|"),
        key=lambda mark: len({part.strip().strip('"').strip().casefold() for part in first.split(mark)} & {*headings}),
    )


def _parse_rows(letters: str, separator: str) -> tuple[tuple[str, ...], ...]:
    rows: list[tuple[str, ...]] = []
    cells = 0
    reader = csv.reader(io.StringIO(letters, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            rows.append(tuple(map(clean_cell, row)))
            cells += sum(map(bool, rows[-1]))
            if cells > MAX_CELLS:
                raise UnreadableSheet(f"has more than {MAX_CELLS} cells", "keep the rows of the questions only")
    except csv.Error as fault:
        what = f"cannot be read as CSV: {fault}"
        raise UnreadableSheet(what, "look for a quotation mark that is not closed", len(rows) + 1) from fault
    return tuple(rows)
