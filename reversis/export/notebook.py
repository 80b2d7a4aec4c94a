"""A notebook that opens the exported tables: types, a pivot, a plot.

It needs pandas and Matplotlib of whoever runs it, and nothing of this edition but the CSV tables beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from edition.corpus.corpus import Corpus
from edition.export.file import QUOTES_NONE, ExportFile

NOTEBOOK_FILE = "explore-tables.ipynb"

_INTRODUCTION = """\
# The rules of Reversis as tables

{title}, version {version}, {dated}.

This notebook lies beside the tables of the edition (CSV) and reads them as `csv-metadata.json` describes them. It needs
pandas and Matplotlib (`pip install jupyterlab pandas matplotlib`) and no network. `README.txt` says what each table
holds, `RIGHTS.txt` what may be done with it."""

_READ = '''\
import json
from pathlib import Path

import pandas as pd

DESCRIBED = {
    table["url"]: table["tableSchema"]["columns"]
    for table in json.loads(Path("csv-metadata.json").read_text(encoding="utf-8"))["tables"]
}


def read_cell(column, cell):
    """Return a cell in the type of its column; an empty one is none, or an empty list."""
    if "separator" in column:
        return cell.split(column["separator"]) if cell else []
    if not cell:
        return None
    kind = column["datatype"]
    return cell == "yes" if isinstance(kind, dict) else READERS.get(kind, str)(cell)


READERS = {"integer": int, "json": json.loads}
DTYPES = {"integer": "Int64", "string": "string"}


def read_table(name):
    """Read a table with the types of its columns."""
    table = pd.read_csv(f"{name}.csv", dtype=str, keep_default_na=False)
    for column in DESCRIBED[f"{name}.csv"]:
        dtype = "object" if "separator" in column else DTYPES.get(str(column["datatype"]), "object")
        cells = [read_cell(column, cell) for cell in table[column["name"]]]
        table[column["name"]] = pd.Series(cells, index=table.index, dtype=dtype)
    return table


sources, questions, cells, results = map(read_table, ("sources", "questions", "cells", "results"))
sources[["siglum", "short_title", "date", "family", "unit"]]'''

_PIVOT_TEXT = """\
## Every question, every source

One row for each question. `reading` is the answer as people read it, `reading_json` the same as data,
`value_json` what it comes to where it points to another answer. Where a source is silent and play needs an answer, ours
stands there and `supplied` is true."""

_PIVOT = """\
matrix = cells.pivot(index="slug", columns="source", values="reading")
matrix.head(12)"""

_COUNT_TEXT = """\
## On which matters do the sources differ?

Only what the sources say themselves counts here. Sums differ already where the counters do: `unit` names them. An
answer that points to another counts as what that comes to. (`reversis compare` counts our answers too.)"""

_COUNT = """\
own = ~cells["supplied"].fillna(True).astype(bool) & ~cells["rests_on_supplied"].astype(bool)
said = cells[own & cells["reading"].notna()]
answers = said["value_json"].map(repr).groupby(said["question"]).agg(["size", "nunique"])
verdict = pd.Series("said by one, or none", index=questions["id"], name="verdict")
verdict[answers.index[answers["size"] > 1]] = "agreed"
verdict[answers.index[answers["nunique"] > 1]] = "different"
counts = pd.crosstab(questions.set_index("id")["group"], verdict)
counts = counts.reindex(columns=["different", "agreed", "said by one, or none"], fill_value=0)
counts.sort_values("different", ascending=False)"""

_PLOT = """\
axes = counts.sort_values("different").plot.barh(
    stacked=True, figsize=(8, 5), color=["#b2182b", "#2166ac", "#d0d0d0"], title="Where the sources differ"
)
axes.set(xlabel="questions", ylabel="")
axes.legend(title="", loc="lower right")
axes.figure.tight_layout()"""

_DEAL_TEXT = """\
## The same cards, other results

Of the deals that most sources settle, the one on which an account differs most. The counters of two sources are not the
same money; here they are compared one to one."""

_DEAL = """\
settled = results[results["state"] == "settled"]
heard = settled.groupby("deal")["source"].transform("nunique")
settled = settled[heard == heard.max()]
spread = settled.groupby(["deal", "account"])["net"].agg(lambda net: net.max() - net.min()).groupby("deal").max()
deal = spread.idxmax()
print(deal)
settled[settled["deal"] == deal].pivot(index="account", columns="source", values="net")"""

_MARKDOWN, _CODE = "markdown", "code"
_CELLS: tuple[tuple[str, str], ...] = (
    (_MARKDOWN, _INTRODUCTION),
    (_CODE, _READ),
    (_MARKDOWN, _PIVOT_TEXT),
    (_CODE, _PIVOT),
    (_MARKDOWN, _COUNT_TEXT),
    (_CODE, _COUNT),
    (_CODE, _PLOT),
    (_MARKDOWN, _DEAL_TEXT),
    (_CODE, _DEAL),
)


def make_notebook_files(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield the notebook, without outputs; the tables that it reads are those of the CSV export."""
    release = corpus.release
    values = {"{title}": release.title, "{version}": release.version, "{dated}": release.dated}
    letters = (
        json.dumps(
            {
                "cells": [_make_cell(at, kind, _fill(text, values)) for at, (kind, text) in enumerate(_CELLS, 1)],
                "metadata": {
                    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                    "language_info": {"name": "python"},
                },
                "nbformat": 4,
                "nbformat_minor": 5,
            },
            ensure_ascii=False,
            indent=1,
        )
        + "\n"
    )
    yield ExportFile(NOTEBOOK_FILE, letters.encode(), "opens the tables: types, a pivot, a plot", QUOTES_NONE)


def _fill(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _make_cell(at: int, kind: str, text: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"cell-{at:02}", "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell if kind == _MARKDOWN else {**cell, "execution_count": None, "outputs": []}
