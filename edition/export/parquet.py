"""Export the tables as Parquet, each with its dictionary inside; it needs Arrow, an extra."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from edition.corpus.corpus import Corpus
from edition.export.columns import ColumnType
from edition.export.file import ExportFile
from edition.export.tables import ExportTable, build_export_header, list_export_tables

PARQUET_EXTRA = "parquet"
PARQUET_SCHEMA = 2  #: 1 had text and numbers only, and no nulls in columns of text
_DICTIONARY_KEY, _DESCRIPTION_KEY = "data_dictionary", "description"  #: as in the files of surveys
_WRITE_OPTIONS: Mapping[str, Any] = {"compression": "snappy", "version": "2.6", "write_statistics": True}


def is_arrow_installed() -> bool:
    """Check that Arrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def make_parquet_files(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield a file for every table; none where Arrow is not installed."""
    for table in list_export_tables(corpus.game) if is_arrow_installed() else ():
        yield ExportFile(f"{table.name}.parquet", _format_parquet(table, corpus), table.says)


def _format_parquet(table: ExportTable, corpus: Corpus) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    fields = [
        pa.field(column.name, _make_arrow_type(column.type), metadata={_DESCRIPTION_KEY: column.says})
        for column in table.columns
    ]
    schema = pa.schema(fields, metadata=_build_metadata(table, corpus))
    rows = [*table.rows(corpus)]
    arrays = [
        pa.array([convert_parquet_cell(column.type, row[at]) for row in rows], type=schema.types[at])
        for at, column in enumerate(table.columns)
    ]
    into = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), into, **_WRITE_OPTIONS)
    return into.getvalue()


def _make_arrow_type(type: ColumnType) -> Any:
    import pyarrow as pa

    types = {ColumnType.BOOLEAN: pa.bool_, ColumnType.INTEGER: pa.int64, ColumnType.LIST: lambda: pa.list_(pa.string())}
    return types.get(type, pa.string)()


def _build_metadata(table: ExportTable, corpus: Corpus) -> dict[str, str]:
    metadata = {
        _DICTIONARY_KEY: dict(table.dictionary),
        _DESCRIPTION_KEY: table.says,
        **build_export_header(corpus),
        "schema": PARQUET_SCHEMA,
    }
    return {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in metadata.items()
    }


def convert_parquet_cell(type: ColumnType, value: Any) -> Any:
    """Return a cell as Arrow takes it: an empty list of nothing, else null where there is nothing."""
    return list(value) if type is ColumnType.LIST else None if value == "" else value
