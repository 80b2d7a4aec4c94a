"""Surveys in Parquet files, with a dictionary of their columns inside; the same order makes the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from engine.survey.piece import Nets
from engine.survey.request import ACCOUNTS, UNSETTLED, Order
from engine.survey.table import COLUMNS, NETS_COLUMNS, NUMBERED, Survey, heading, of_rows, rows
from rulebook.io.files import whole

READABLE = 0o644  #: by everybody, as a file that one writes oneself

WRITING: Mapping[str, Any] = {"compression": "zstd", "version": "2.6", "write_statistics": True}
DICTIONARY, HEADING, DESCRIPTION = "data_dictionary", "survey", "description"


# ---- a survey
def write_survey(path: Path, survey: Survey) -> None:
    """Put a survey in a file, all of it or nothing."""
    types = {"table": pa.string(), "rules": pa.string(), "own": pa.bool_(), **dict.fromkeys(NUMBERED, pa.int64())}
    table = pa.Table.from_pylist(
        [dict(row) for row in rows(survey.order, survey.tally)], schema_of(types, COLUMNS, heading(survey))
    )
    with whole(path, READABLE) as name:
        parquet.write_table(table, name, **WRITING)


def read_survey(path: Path) -> Survey:
    """A survey out of its file. Raises ValueError where it is none."""
    table = parquet.read_table(path)
    found = (table.schema.metadata or {}).get(HEADING.encode())
    if found is None:
        raise ValueError(f"{path.name} is no survey")
    return of_rows(json.loads(found), table.to_pylist())


def dictionary_of(path: Path) -> Mapping[str, str]:
    """What a file says of its own columns."""
    found: dict[str, str] = json.loads(parquet.read_schema(path).metadata[DICTIONARY.encode()])
    return found


def schema_of(types: Mapping[str, Any], says: Mapping[str, str], head: Mapping[str, Any]) -> Any:
    """Columns with what they say, and on the file its dictionary and its heading, each entry by itself too."""
    fields = [pa.field(name, types[name], metadata={DESCRIPTION: words}) for name, words in says.items()]
    alone = {name: value if isinstance(value, str) else json.dumps(value) for name, value in head.items()}
    return pa.schema(fields, metadata={HEADING: line(head), DICTIONARY: line(says), **alone})


def line(data: Mapping[str, Any]) -> str:
    """Plain data in a line."""
    return json.dumps(data, ensure_ascii=False)


# ---- the sums of every deal
class NetsFile:
    """A file of single deals, one group of rows for each piece; it appears when all are in."""

    def __init__(self, path: Path, order: Order, head: Mapping[str, Any]) -> None:
        sums = {name: pa.int32() for name in NETS_COLUMNS if name.startswith("net_")}
        types = {"deal": pa.int64(), "table": pa.dictionary(pa.int16(), pa.string()), **sums}
        self.schema = schema_of(types, NETS_COLUMNS, head)
        self.names = pa.array([str(table.rules) for table in order.tables])
        self.whole = whole(path, READABLE)

    def __enter__(self) -> NetsFile:
        self.writer = parquet.ParquetWriter(self.whole.__enter__(), self.schema, **WRITING)
        return self

    def keep(self, numbers: range, nets: Nets) -> None:
        """Put in some deals: a row for every deal and table."""
        tables = len(self.names)
        which = np.tile(np.arange(tables, dtype=np.int16), len(numbers))
        columns = [
            pa.array(np.repeat(np.arange(numbers.start, numbers.stop, dtype=np.int64), tables)),
            pa.DictionaryArray.from_arrays(pa.array(which), self.names),
            *sums_of(nets),
        ]
        self.writer.write_table(pa.Table.from_arrays(columns, schema=self.schema), row_group_size=len(which))

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self.writer.close()
        self.whole.__exit__(kind, what, where)


def sums_of(nets: Nets) -> Iterator[Any]:
    """A column for each account; nothing where the deal is not settled."""
    flat = nets.reshape(-1, ACCOUNTS)
    silent = flat[:, 0] == UNSETTLED
    for account in range(ACCOUNTS):
        yield pa.array(np.ascontiguousarray(flat[:, account]), pa.int32(), mask=silent)
