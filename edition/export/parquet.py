"""Export the tables as Parquet, each with its dictionary inside; it needs Arrow, an extra."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from edition.corpus.corpus import Corpus
from edition.export.file import ExportFile
from edition.export.tables import EXPORT_TABLES, NUMBER_COLUMNS, ExportTable, build_export_header

PARQUET_EXTRA = "parquet"
_DICTIONARY_KEY, _DESCRIPTION_KEY = "data_dictionary", "description"  #: as in the files of surveys
_WRITE_OPTIONS: Mapping[str, Any] = {"compression": "zstd", "version": "2.6", "write_statistics": True}


def is_arrow_installed() -> bool:
    """Check that Arrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def make_parquet_files(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield a file for every table; none where Arrow is not installed."""
    for table in EXPORT_TABLES if is_arrow_installed() else ():
        yield ExportFile(f"{table.name}.parquet", _format_parquet(table, corpus), table.says)


def _format_parquet(table: ExportTable, corpus: Corpus) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {True: pa.int64(), False: pa.string()}
    fields = [
        pa.field(name, kinds[name in NUMBER_COLUMNS], metadata={_DESCRIPTION_KEY: says}) for name, says in table.columns
    ]
    told = {
        _DICTIONARY_KEY: dict(table.columns),
        _DESCRIPTION_KEY: table.says,
        **build_export_header(corpus),
    }
    letters = {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for key, value in told.items()
    }
    schema = pa.schema(fields, metadata=letters)
    rows = [*table.rows(corpus)]
    columns = [[convert_parquet_cell(name, row[at]) for row in rows] for at, name in enumerate(table.names)]
    arrays = [pa.array(cells, type=field.type) for cells, field in zip(columns, fields, strict=True)]
    into = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), into, **_WRITE_OPTIONS)
    return into.getvalue()


def convert_parquet_cell(name: str, value: Any) -> Any:
    """Convert a cell to the type of its column; an empty one of a column of numbers is no number."""
    if name in NUMBER_COLUMNS:
        return None if value == "" else int(value)
    return str(value)
