"""Surveys in Parquet files, with a dictionary of their columns inside; the same order makes the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from lab.survey.chunk import Nets
from lab.survey.request import ACCOUNTS, UNSETTLED_NET, SurveyOrder
from lab.survey.table import (
    NETS_COLUMNS,
    SURVEY_FILE_COLUMNS,
    SURVEY_NUMERIC_COLUMNS,
    SurveyRun,
    dump_survey_heading,
    generate_survey_rows,
    read_survey_rows,
)
from rulebook.io.files import atomic_write

_FILE_MODE = 0o644  #: by everybody, as a file that one writes oneself

_PARQUET_OPTIONS: Mapping[str, Any] = {"compression": "zstd", "version": "2.6", "write_statistics": True}
_DICTIONARY_KEY, _HEADING_KEY, _DESCRIPTION_KEY = "data_dictionary", "survey", "description"
_DIGEST_KEY = "digest"


# ---- a survey
def write_survey_parquet(path: Path, survey: SurveyRun) -> None:
    """Write a survey to a Parquet file, completely or not at all."""
    types = {
        "table": pa.string(),
        "rules": pa.string(),
        "own": pa.bool_(),
        **dict.fromkeys(SURVEY_NUMERIC_COLUMNS, pa.int64()),
    }
    rows, head = [dict(row) for row in generate_survey_rows(survey.order, survey.tally)], dump_survey_heading(survey)
    schema = build_parquet_schema(types, SURVEY_FILE_COLUMNS, head)
    digest = {_DIGEST_KEY: _compute_survey_digest(format_json_line(head), rows)}
    table = pa.Table.from_pylist(rows, schema.with_metadata({**schema.metadata, **digest}))
    with atomic_write(path, _FILE_MODE) as name:
        parquet.write_table(table, name, **_PARQUET_OPTIONS)


def read_survey_parquet(path: Path) -> SurveyRun:
    """Read a survey from its Parquet file. Raises ValueError where it is none, or not as it was written."""
    table = parquet.read_table(path)
    metadata, rows = table.schema.metadata or {}, table.to_pylist()
    heading, digest = metadata.get(_HEADING_KEY.encode()), metadata.get(_DIGEST_KEY.encode())
    if heading is None:
        raise ValueError(f"{path.name} is no survey")
    if digest is not None and digest.decode() != _compute_survey_digest(heading.decode(), rows):
        raise ValueError(f"{path.name} has other rows than were written; repeat the survey")
    return read_survey_rows(json.loads(heading), rows)  # one of an earlier version has no digest


def _compute_survey_digest(heading: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Compute the digest of a survey over its heading and every row."""
    return sha256(f"{heading}{json.dumps(rows, sort_keys=True)}".encode()).hexdigest()


def read_column_dictionary(path: Path) -> Mapping[str, str]:
    """Read the dictionary of columns that a file holds."""
    columns: dict[str, str] = json.loads(parquet.read_schema(path).metadata[_DICTIONARY_KEY.encode()])
    return columns


def build_parquet_schema(types: Mapping[str, Any], says: Mapping[str, str], head: Mapping[str, Any]) -> Any:
    """Build the schema: described columns, their dictionary, the heading whole and by entry."""
    fields = [pa.field(name, types[name], metadata={_DESCRIPTION_KEY: words}) for name, words in says.items()]
    alone = {name: value if isinstance(value, str) else json.dumps(value) for name, value in head.items()}
    return pa.schema(
        fields, metadata={_HEADING_KEY: format_json_line(head), _DICTIONARY_KEY: format_json_line(says), **alone}
    )


def format_json_line(data: Mapping[str, Any]) -> str:
    """Format plain data as one line of JSON."""
    return json.dumps(data, ensure_ascii=False)


# ---- the sums of every deal
class NetsFile:
    """A file of single deals, one group of rows for each piece; it appears when all are in."""

    def __init__(self, path: Path, order: SurveyOrder, head: Mapping[str, Any]) -> None:
        sums = {name: pa.int32() for name in NETS_COLUMNS if name.startswith("net_")}
        types = {"deal": pa.int64(), "table": pa.dictionary(pa.int16(), pa.string()), **sums}
        self.schema = build_parquet_schema(types, NETS_COLUMNS, head)
        self.names = pa.array([str(table.rules) for table in order.tables])
        self.whole = atomic_write(path, _FILE_MODE)

    def __enter__(self) -> NetsFile:
        self.writer = parquet.ParquetWriter(self.whole.__enter__(), self.schema, **_PARQUET_OPTIONS)
        return self

    def keep(self, numbers: range, nets: Nets) -> None:
        """Put in some deals: a row for every deal and table."""
        tables = len(self.names)
        which = np.tile(np.arange(tables, dtype=np.int16), len(numbers))
        columns = [
            pa.array(np.repeat(np.arange(numbers.start, numbers.stop, dtype=np.int64), tables)),
            pa.DictionaryArray.from_arrays(pa.array(which), self.names),
            *build_net_columns(nets),
        ]
        self.writer.write_table(pa.Table.from_arrays(columns, schema=self.schema), row_group_size=len(which))

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self.writer.close()
        self.whole.__exit__(kind, what, where)


def build_net_columns(nets: Nets) -> Iterator[Any]:
    """Build a column for each account; null where the deal is not settled."""
    flat = nets.reshape(-1, ACCOUNTS)
    silent = flat[:, 0] == UNSETTLED_NET
    for account in range(ACCOUNTS):
        yield pa.array(np.ascontiguousarray(flat[:, account]), pa.int32(), mask=silent)
