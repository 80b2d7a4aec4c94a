"""The tables in Parquet, each with its dictionary inside; needs Arrow, an extra."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from edition.corpus.corpus import Corpus
from edition.export.file import Made
from edition.export.tables import NUMBERS, TABLES, Table, head

EXTRA = "parquet"
DICTIONARY, DESCRIPTION = "data_dictionary", "description"  #: as in the files of surveys
WRITING: Mapping[str, Any] = {"compression": "zstd", "version": "2.6", "write_statistics": True}


def there() -> bool:
    """Whether Arrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def made(corpus: Corpus) -> Iterator[Made]:
    """A file for every table; none where Arrow is not installed."""
    for table in TABLES if there() else ():
        yield Made(f"{table.name}.parquet", as_parquet(table, corpus), table.says)


def as_parquet(table: Table, corpus: Corpus) -> bytes:
    """A table as a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {True: pa.int64(), False: pa.string()}
    fields = [pa.field(name, kinds[name in NUMBERS], metadata={DESCRIPTION: says}) for name, says in table.columns]
    told = {DICTIONARY: dict(table.columns), DESCRIPTION: table.says, **head(corpus, corpus.release.version)}
    schema = pa.schema(fields, metadata={key: written(value) for key, value in told.items()})
    rows = [*table.rows(corpus)]
    names = [name for name, _ in table.columns]
    columns = [[typed(name, row[at]) for row in rows] for at, name in enumerate(names)]
    arrays = [pa.array(cells, type=field.type) for cells, field in zip(columns, fields, strict=True)]
    into = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), into, **WRITING)
    return into.getvalue()


def typed(name: str, value: Any) -> Any:
    """A cell as its column has it; an empty one of a column of numbers is no number."""
    if name in NUMBERS:
        return None if value == "" else int(value)
    return str(value)


def written(value: object) -> str:
    """What stands in the head of a file."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
