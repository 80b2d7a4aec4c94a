"""Grid of a sheet: cells as a spreadsheet counts them, cleaned of what spreadsheets do to text.

Knows neither sources nor columns.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulebook.problems import HintedError

MAX_SHEET_BYTES = 5_000_000  #: bytes of a sheet; that of four hundred questions has 300,000
MAX_CELLS = 200_000  #: filled cells of a sheet; that of four hundred questions has 10,000

_PROTECTED = re.compile(r"'+(?:[=+@]|-.)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_FORMULA = re.compile(r"[=+@]|-.", re.DOTALL)

#: What a spreadsheet shows for a formula that it cannot reckon, in English, French and German.
ERROR_VALUE = re.compile(
    r"#(?:NAME\?|NOM\s?\?|REF!|BEZUG!|VALUE!|VALEUR!|WERT!|N/A|NV|NULL?!|DIV/0\s?!|NUM!|NOMBRE!|ZAHL!)|Err:\d{3}",
    re.IGNORECASE,
)
_MONTH = (  # as Excel and LibreOffice write them in English, French and German
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|janv|févr|fév|mars|avr|avril|mai|juin|juil|août|sept|déc"
    r"|jän|mär|mrz|märz|juni|juli|okt|dez)"
)
#: What becomes of 1-2 or 3/4 in a spreadsheet: 01. Feb, 2-Jan, janv-02, 01/02/2026, 2026-01-02.
DATE = re.compile(
    rf"\d{{1,2}}[-./ ]{{1,2}}{_MONTH}\.?(?:[-./ ]{{1,2}}\d{{2,4}})?|{_MONTH}\.?[-./ ]\d{{1,4}}"
    r"|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{1,2}\.\d{1,2}\.|\d{4}-\d{2}-\d{2}(?:[T ][\d:]+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Grid:
    """The cells of a sheet by row and column, from the first row on."""

    rows: tuple[tuple[str, ...], ...]
    lossy: str = ""  #: the encoding in which it was saved, if that does not have every letter


class UnreadableSheet(HintedError):
    """A sheet that cannot be read, where, and the way out."""

    def __init__(self, what: str, way_out: str, row: int = 1) -> None:
        self.row = row
        super().__init__(what, way_out)


def protect_cell(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would take for a formula."""
    return f"'{text}" if _FORMULA.match(text) or _PROTECTED.match(text) else text


def protect_data_cell(cell: object) -> str:
    """Protect a cell of data as one of a sheet; a plain number stays a number."""
    text = "" if cell is None else str(cell)
    return text if _NUMBER.fullmatch(text) else protect_cell(text)


def protect_apostrophe(text: str) -> str:
    """Double the apostrophe of a cell that would be taken for protected."""
    return f"'{text}" if _PROTECTED.match(text) else text


def clean_cell(text: str) -> str:
    """Return a cell in one form: composed letters, line feeds, no white space around it, no protection."""
    plain = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " "))
    plain = "\n".join(line.rstrip(" ") for line in plain.strip().split("\n"))
    return plain[1:] if _PROTECTED.match(plain) else plain


def is_same_text(shown: str, wanted: str, lossy: str) -> bool:
    """Return whether a cell says what it should, as far as the encoding in which it was saved has the letters."""
    if shown == wanted or not lossy:
        return shown == wanted
    return len(shown) == len(wanted) and all(
        a == b or not _is_encodable(b, lossy) for a, b in zip(shown, wanted, strict=True)
    )


def _is_encodable(letter: str, encoding: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def name_column(number: int) -> str:
    """Return the letters of a column, from 1: A, B, ... Z, AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def iter_filled_rows(rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the rows that are not empty, with their numbers from 1."""
    return ((at, row) for at, row in enumerate(rows, 1) if any(cell.strip() for cell in row))
