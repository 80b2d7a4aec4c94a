"""Sheets as ODS, through odfdo (the extra `sheet`); what would unpack into too much is refused before it is read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lxml import etree

from rulebook.sheets.grid import MAX_CELLS, Grid, UnreadableSheet, clean_cell, protect_apostrophe

_MAX_UNPACKED_BYTES = 50_000_000  #: bytes of all parts of an ODS file
_MAX_PARTS = 500  #: parts of an ODS file; LibreOffice writes some twenty
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_SAVE_AGAIN = "open it in a spreadsheet and save it as ODS or `CSV UTF-8`"
_INSTALL = 'pip install "reversis[sheet]" installs it; a sheet in CSV needs nothing'
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  #: the first that an archive can have


def render_ods(rows: Iterable[Sequence[str]], name: str, locked: Sequence[bool], widths: Sequence[str] = ()) -> bytes:
    """Render a sheet as ODS; every cell is text, so that no spreadsheet makes a date of it. Raises UnreadableSheet."""
    odf = _import_odfdo()
    document = odf.Document("spreadsheet")
    document.body.clear()
    table = odf.Table(name)
    styles = _add_styles(odf, document)
    for width in widths:
        table.append(odf.Column(style=_add_width(odf, document, width)))
    for at, row in enumerate(rows):
        odf_row = odf.Row()
        for column, text in enumerate(row):
            kind = "head" if at == 0 else "locked" if locked[column] else "open"
            odf_row.append_cell(
                odf.Cell(
                    text=protect_apostrophe(text),
                    value=protect_apostrophe(text),
                    cell_type="string",
                    style=styles[kind],
                ),
                clone=False,
            )
        table.append_row(odf_row, clone=False)
    document.body.append(table)
    packed = io.BytesIO()
    document.save(packed)
    return _without_clock(packed)


def _without_clock(packed: io.BytesIO) -> bytes:
    """Return an archive with one date for all parts, so that the same sheet is the same bytes."""
    result = io.BytesIO()
    with zipfile.ZipFile(packed) as before, zipfile.ZipFile(result, "w") as after:
        for part in before.infolist():
            fixed = zipfile.ZipInfo(part.filename, _FIRST_DAY)
            fixed.compress_type = part.compress_type
            after.writestr(fixed, before.read(part))
    return result.getvalue()


def _add_styles(odf: Any, document: Any) -> dict[str, Any]:
    """Add the looks of headings, and of cells that are not to be changed; return their names."""
    looks = {"head": "#d9d9d9", "locked": "#f0f0f0", "open": "#ffffff"}
    names = {}
    for name, colour in looks.items():
        style = odf.Style("table-cell", name=name)
        look = {"fo:background-color": colour, "fo:wrap-option": "wrap", "style:vertical-align": "top"}
        style.set_properties(look, area="table-cell")
        names[name] = document.insert_style(style, automatic=True)
    return names


def _add_width(odf: Any, document: Any, width: str) -> Any:
    """Add the look of a column as wide as this, such as 4cm; return its name."""
    style = odf.Style("table-column", name=f"width-{width}")
    style.set_properties({"style:column-width": width}, area="table-column")
    return document.insert_style(style, automatic=True)


def parse_ods(octets: bytes) -> Grid:
    """Parse the first table of an ODS file. Raises UnreadableSheet."""
    _refuse_bombs(octets)
    odf = _import_odfdo()
    try:
        tables = odf.Document(io.BytesIO(octets)).body.tables
        if not tables:
            raise UnreadableSheet("has no table", _SAVE_AGAIN)
        return Grid(tuple(_iter_rows(tables[0])))
    except UnreadableSheet:
        raise
    except Exception as fault:  # a damaged file fails in many ways, in the library and below it
        raise UnreadableSheet(
            f"cannot be read as ODS: {str(fault)[:80] or type(fault).__name__}", _SAVE_AGAIN
        ) from fault


def _iter_rows(table: Any) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table; of those that are repeated without anything in them only the first."""
    table.rstrip(aggressive=True)
    for row in table.traverse():
        cells = [clean_cell(_read_cell(cell)) for cell in row.traverse()]
        while cells and not cells[-1]:
            cells.pop()
        yield tuple(cells)


def _read_cell(cell: Any) -> str:
    """Return a cell as it is read, a number without a needless point, a date as such."""
    if cell.type in ("float", "percentage", "currency"):
        number = float(cell.value)
        return str(int(number)) if number.is_integer() else str(number)
    if cell.type == "date":
        return str(cell.value)[:10]
    if cell.type == "boolean":
        return "true" if cell.value else "false"
    written = cell.get_attribute("office:string-value")
    shown = "\n".join(part.text_recursive for part in cell.get_elements("text:p"))
    return shown or str(written or "")


# ---- what is refused
def _refuse_bombs(octets: bytes) -> None:
    """Raise UnreadableSheet for a file that would unpack into too much, or brings its own entities."""
    try:
        with zipfile.ZipFile(io.BytesIO(octets)) as packed:
            parts = packed.infolist()
            if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_UNPACKED_BYTES:
                raise UnreadableSheet(f"unpacks into more than {_MAX_UNPACKED_BYTES} bytes", _SAVE_AGAIN)
            for name in (part.filename for part in parts if part.filename.endswith((".xml", ".rdf"))):
                if b"<!DOCTYPE" in packed.read(name) or b"<!ENTITY" in packed.read(name):
                    raise UnreadableSheet(f"declares entities in {name[:40]}", _SAVE_AGAIN)
            if packed.read("mimetype")[:60].strip() != b"application/vnd.oasis.opendocument.spreadsheet":
                raise UnreadableSheet("is no ODS spreadsheet", _SAVE_AGAIN)
            _refuse_too_many_cells(packed.read("content.xml"))
    except UnreadableSheet:
        raise
    except KeyError as fault:
        raise UnreadableSheet("is no ODS spreadsheet: a part of it is missing", _SAVE_AGAIN) from fault
    except Exception as fault:  # a damaged archive fails in many ways: checksums, passwords, methods
        raise UnreadableSheet(f"cannot be unpacked: {str(fault)[:80]}", _SAVE_AGAIN) from fault


def _refuse_too_many_cells(content: bytes) -> None:
    """Raise UnreadableSheet if a table has too many cells once repeated rows and columns are counted."""
    root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False))
    for table in root.iter(f"{_TABLE}table"):
        total = 0
        for row in table.iter(f"{_TABLE}table-row"):
            filled = [cell for cell in row if isinstance(cell.tag, str) and len(cell)]
            if filled:  # a row needs all cells before the last that is filled, and each is there as often as its row
                before = sum(_count(cell, "number-columns-repeated") for cell in row if isinstance(cell.tag, str))
                empty = _count(row[-1], "number-columns-repeated") if not len(row[-1]) else 0
                total += (before - empty) * _count(row, "number-rows-repeated")
            elif row.getnext() is not None:
                total += min(_count(row, "number-rows-repeated"), MAX_CELLS)
        if total > MAX_CELLS + _LAST_ROW:
            raise UnreadableSheet(f"has more than {MAX_CELLS} cells", "keep the rows of the questions only")


_LAST_ROW = MAX_CELLS  #: what a run of empty rows may add, with which spreadsheets fill a table


def _count(element: Any, name: str) -> int:
    return max(int(element.get(f"{_TABLE}{name}", "1")), 1)


def _import_odfdo() -> Any:
    try:
        import odfdo
    except ImportError as fault:
        raise UnreadableSheet("is ODS, and odfdo is not installed", _INSTALL) from fault
    return odfdo
