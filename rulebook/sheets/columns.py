"""Columns of a coding sheet: what stands in each, and which of them a coder fills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column: its heading, what stands in it, and the entry of a clause that it holds."""

    name: str
    says: str
    locked: bool = False  #: kept as it is; a change is refused
    entry: str = ""  #: of a clause, where the cell is that entry's text
    told: bool = False  #: to be read only: what stands there is no part of an answer
    added: int = 0  #: the form of sheet after the first since which it is there; a sheet may leave it out
    width: str = "3cm"  #: in ODS


SOURCE = "source"  #: the column that names the source in words

COLUMNS: tuple[SheetColumn, ...] = (
    SheetColumn("clause", "id of the clause; empty in a row for a new one", locked=True),
    SheetColumn("question", "id of the question", locked=True),
    SheetColumn("asks", "the question", told=True, width="6cm"),
    SheetColumn("readings", "what it can be answered with", told=True, width="7cm"),
    SheetColumn("procedure", "how a coder decides", told=True, width="8cm"),
    SheetColumn("answer", "a reading, a number, a list ..., or one of the marks above", width="5cm"),
    SheetColumn("status", "stated, implied, silent ...; left empty it follows from the answer", entry="status"),
    SheetColumn("certainty", "high, medium or low; left empty it is high", entry="cert"),
    SheetColumn("words", "the words of the source, as you remember them", width="8cm"),
    SheetColumn("place", "the sentence in which they stand; left empty it is found"),
    SheetColumn("because", "why", entry="because", width="8cm"),
    SheetColumn("computation", "the arithmetic, where a number is computed", entry="computation", width="5cm"),
    SheetColumn("searched", "for silence: the range read; left empty it is the whole text", entry="searched"),
    SheetColumn("taken_from", "for an answer supplied: a siglum, practice or logic", entry="taken_from"),
    SheetColumn("note", "what a reader should know", entry="note", width="5cm"),
    SheetColumn("coder", "the editorial pass", entry="coder"),
    SheetColumn(
        "other_answer",
        "what the words may also mean: the answer in that reading; beside other_with also -, silence in it",
        added=1,
        width="5cm",
    ),
    SheetColumn("other_name", "that reading in a few words; left empty it is named after its answer", added=1),
    SheetColumn("other_because", "why the words may be taken so", added=1, width="5cm"),
    SheetColumn(
        "other_computation",
        "the arithmetic of that answer; and, in order, of those in the rows that name this one in other_with",
        added=2,
        width="5cm",
    ),
    SheetColumn(
        "other_with",
        "where it goes with the other reading of another question: that one, such as Q033; this row may have an answer"
        " of its own, but other_name, other_because and other_computation are those of that row, and stay empty here",
        added=2,
    ),
    SheetColumn("words_2", "further words on which the answer rests", added=1, width="5cm"),
    SheetColumn("place_2", "their sentence; left empty it is found", added=1),
    SheetColumn("words_3", "and further ones", added=1, width="5cm"),
    SheetColumn("place_3", "their sentence; left empty it is found", added=1),
    SheetColumn("citations", "citations for which the row has no cells", locked=True, width="5cm"),
    SheetColumn("rivals", "other readings and options for which the row has no cells", locked=True, width="5cm"),
    SheetColumn("label", "name of the preferred reading", locked=True, entry="label"),
    SheetColumn("decision", "the editors' decision", locked=True, entry="decision"),
    SheetColumn("reviewer", "who has read it again", locked=True, entry="reviewer"),
    SheetColumn("version", "by which a later change of the clause is noticed", locked=True),
    SheetColumn(SOURCE, "whose sheet it is: siglum, title and date", told=True, width="6cm"),
)
COLUMN_BY_NAME: Mapping[str, SheetColumn] = {column.name: column for column in COLUMNS}
HEADINGS: tuple[str, ...] = tuple(COLUMN_BY_NAME)

OPEN_COLUMNS = tuple(column.name for column in COLUMNS if not column.locked and not column.told)
TEXT_COLUMNS = tuple(column.name for column in COLUMNS if column.entry and not column.locked)
#: The cells that say how an answer is reached: rows of one clause that agree in them stay one clause.
SHARED_COLUMNS = tuple(name for name in OPEN_COLUMNS if name != "answer")
ADDED_COLUMNS = tuple(column.name for column in sorted(COLUMNS, key=lambda column: column.added) if column.added)
EARLIER_COLUMNS = tuple(
    column.name for column in COLUMNS if not (column.told or column.added or column.name == "version")
)
COMPARED_COLUMNS = (*EARLIER_COLUMNS, *ADDED_COLUMNS)  #: in the order of a row's version, to which new ones are added
#: How many cells the version of a row covers, by the form of the sheet.
COMPARED_COUNTS = frozenset(
    len(EARLIER_COLUMNS) + sum(0 < column.added <= form for column in COLUMNS)
    for form in {column.added for column in COLUMNS}
)
OTHER_COLUMNS = ("other_answer", "other_name", "other_because", "other_computation")
#: What a row says where the reading is that of another question: the answer that goes with it, and whose it is.
BUNDLE_COLUMNS = ("other_answer", "other_with")
WORD_COLUMNS = (("words", "place"), ("words_2", "place_2"), ("words_3", "place_3"))
#: Cells that are never merely emptied: `withdraw` takes back what they hold.
WITHDRAWN_COLUMNS = ("other_answer", "words_2", "words_3")

UNCOLLATED_MARK, SILENT, INAPPLICABLE, WITHDRAW = "?", "-", "n/a", "withdraw"
#: What stands for a status in the column of answers; the dashes are what spreadsheets make of a hyphen.
STATUS_OF_MARK: Mapping[str, str] = {
    **dict.fromkeys(("?", "？"), "not-collated"),
    **dict.fromkeys(("-", "–", "—", "−", "‐", "‑"), "silent"),
    **dict.fromkeys(("n/a", "N/A", "n.a."), "inapplicable"),
}
MARK_OF_STATUS: Mapping[str, str] = {"not-collated": UNCOLLATED_MARK, "silent": SILENT, "inapplicable": INAPPLICABLE}
UNREAD_REASON = "Not read for this question yet."  #: the reason in clauses of a new source; a sheet leaves it out
