"""Each export opened by the programs it is for: Arrow, pandas, polars, csvw, pycldf, a notebook, its README."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import reversis as rv
from edition.corpus.corpus import Corpus
from edition.export.columns import ColumnType
from edition.export.formats import list_export_formats
from edition.export.tables import list_export_tables
from reversis.cli.main import cli
from reversis.export.notebook import NOTEBOOK_FILE
from reversis.files.surveys import list_survey_rows
from reversis.game import GAME
from rulebook.answers.conditions import dereference_answer
from rulebook.answers.values import format_canonical
from rulebook.model import Library, Like
from rulebook.resolve import resolve
from rulebook.strings import LIST_SEPARATOR
from tests.support.library import write_library
from tests.support.readers import make_plain, read_arrow, read_cldf, read_csv_on_the_web

pytestmark = pytest.mark.slow


# ---- the columns: their names are relied on, their types are what they hold
OLD_COLUMNS = """\
questions id slug asks group affects answers depends played why_not proposed_by on_trial
cells question slug source status reading gloss supplied certainty unit clauses loci quotation
clauses clause source question status reading certainty loci quotation because coder reviewer
alternatives alternative kind clause source question reading certainty label because
sentences sentence source page lang printed reading english
results deal source state account net unit why
payments deal source trick fact payer payee amount unit questions clauses
sources siglum short_title title author date lang family unit printed rights
"""
OLD_CLDF_COLUMNS = """\
ID Language_ID Parameter_ID Value Code_ID Comment Source Status Supplied_Value Certainty Unit Quotation Clause_IDs \
Example_IDs Statement_IDs"""
NEW_CLDF_COLUMNS = (
    "Value_JSON Supplied_Value_JSON Resolved_JSON Resolved_Rests_On_Supplied Supplied_Code_ID Left_Open Rival_Values "
    "Not_Played"
)
#: Every column that is not text.
TYPES: Mapping[str, str] = {
    "questions.answers": "list<element: string>",
    "questions.played": "bool",
    "questions.on_trial": "list<element: string>",
    "questions.closed": "bool",
    "cells.supplied": "bool",
    "cells.rests_on_supplied": "bool",
    "cells.clauses": "list<element: string>",
    "cells.loci": "list<element: string>",
    "cells.quotation": "list<element: string>",
    "clauses.loci": "list<element: string>",
    "clauses.quotation": "list<element: string>",
    "results.net": "int64",
    "payments.trick": "int64",
    "payments.amount": "int64",
    "payments.questions": "list<element: string>",
    "payments.clauses": "list<element: string>",
    "sources.printed": "bool",
}


def test_columns_keep_their_names_and_order_and_new_ones_come_last() -> None:
    for line in OLD_COLUMNS.splitlines():
        name, *old = line.split()
        (table,) = (one for one in list_export_tables(GAME) if one.name == name)
        assert [*table.names[: len(old)]] == old, name


def test_the_values_of_cldf_keep_their_columns(exported: Path) -> None:
    found = (exported / "cldf" / "values.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert found[:15] == OLD_CLDF_COLUMNS.split() and " ".join(found[15:]) == NEW_CLDF_COLUMNS


def arrow_types(exported: Path) -> Iterator[tuple[str, str]]:
    for table in list_export_tables(GAME):
        for field in read_arrow(exported / "parquet" / f"{table.name}.parquet").schema:
            yield f"{table.name}.{field.name}", str(field.type)


def test_parquet_has_the_type_of_each_column(exported: Path) -> None:
    found = dict(arrow_types(exported))
    assert len(found) == sum(len(table.names) for table in list_export_tables(GAME))
    assert {name: kind for name, kind in found.items() if kind != "string"} == TYPES


# ---- pandas, polars, csvw, pycldf
def test_pandas_reads_the_types_and_pivots_the_matrix(exported: Path, library: Library) -> None:
    import pandas as pd

    cells = pd.read_parquet(exported / "parquet" / "cells.parquet", dtype_backend="numpy_nullable")
    assert str(cells["supplied"].dtype) == "boolean" and [*cells["clauses"][0]] == ["ACA.c001"]
    matrix = cells.pivot(index="question", columns="source", values="reading")
    assert matrix.shape == (len(library.questions), len(library.sources))
    payments = pd.read_parquet(exported / "parquet" / "payments.parquet", dtype_backend="numpy_nullable")
    assert str(payments["trick"].dtype) == "Int64" and payments["trick"].max() > 10
    results = pd.read_parquet(exported / "parquet" / "results.parquet", dtype_backend="numpy_nullable")
    assert (results.groupby(["deal", "source"])["net"].sum() == 0).all()


def test_csv_on_the_web_and_parquet_hold_the_same(exported: Path) -> None:
    group = read_csv_on_the_web(exported / "csv")
    for table in list_export_tables(GAME):
        web = [dict(row) for row in group.tabledict[f"{table.name}.csv"]]
        arrow = read_arrow(exported / "parquet" / f"{table.name}.parquet").to_pylist()
        for row in arrow:
            for name in ("reading_json", "value_json"):
                if row.get(name) is not None:
                    row[name] = json.loads(row[name])
        assert web == arrow, table.name


def test_plain_pandas_loses_no_cell_of_csv_and_reads_yes_and_no(exported: Path) -> None:
    import pandas as pd

    for path in sorted((exported / "csv").glob("*.csv")):
        found = pd.read_csv(path, dtype=str)  # which takes words such as NA, None and null for nothing
        verbatim = pd.read_csv(path, dtype=str, keep_default_na=False)
        assert (found.isna() == (verbatim == "")).all(axis=None), path.name
    cells = pd.read_csv(exported / "csv" / "cells.csv", true_values=["yes"], false_values=["no"])
    assert str(cells["supplied"].dtype) == "bool" and 0 < cells["supplied"].sum() < len(cells)


def test_an_answer_as_json_is_that_of_the_library(exported: Path, library: Library) -> None:
    cells = read_arrow(exported / "parquet" / "cells.parquet").to_pylist()
    kinds = set()
    for row in cells:
        cell = library.cell(row["source"], row["slug"])
        assert cell is not None
        if cell.value is None:
            assert row["reading"] is row["reading_json"] is None
        else:
            said = json.loads(row["reading_json"])
            assert said == make_plain(cell.value) and row["reading"] == format_canonical(cell.value)
            kinds.add(type(said))
    assert kinds == {str, int, list, dict}


def test_one_separator_which_no_value_holds(exported: Path, real: Corpus) -> None:
    for table in list_export_tables(GAME):
        lists = [column.name for column in table.columns if column.type is ColumnType.LIST]
        for row in table.records(real):
            assert not [word for name in lists for word in row[name] if LIST_SEPARATOR in word or not word]
    for folder, name in (("csv", "csv-metadata.json"), ("cldf", "StructureDataset-metadata.json")):
        told = json.loads((exported / folder / name).read_text(encoding="utf-8"))
        apart = {
            (one["name"], one["separator"])
            for table in told["tables"]
            for one in table["tableSchema"]["columns"]
            if "separator" in one
        }
        assert {separator for column, separator in apart if column != "Source"} == {LIST_SEPARATOR}


def test_the_lines_of_a_survey_have_the_same_separator(library: Library, surveyed_edition: Corpus) -> None:
    surveys = surveyed_edition.extras["surveys"]
    several = set()
    for survey in surveys:
        head, *lines = list_survey_rows(survey)
        for line in lines:
            row = dict(zip(head, line, strict=True))
            asked = str(row["questions"]).split(LIST_SEPARATOR) if row["questions"] else []
            assert {*asked} <= {*library.questions}
            several.add(len(asked))
    assert surveys and max(several) > 1


# ---- README: followed to the letter
def blocks(folder: Path) -> dict[str, str]:
    """The lines of code in a README, under what they are for."""
    text = (folder / "README.txt").read_text(encoding="utf-8")
    found = re.findall(r"^(\S.*):\n\n((?:    .*\n)+)", text, re.MULTILINE)
    return {program: re.sub("^    ", "", lines, flags=re.MULTILINE) for program, lines in found}


@pytest.mark.parametrize("form", list_export_formats(GAME))
def test_the_python_of_each_readme_runs_beside_it(exported: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd
    import polars as pl

    monkeypatch.chdir(exported / form)
    lines = [code for program, code in blocks(exported / form).items() if program.startswith("Python")]
    assert lines
    for code in lines:
        names: dict[str, Any] = {}
        exec(compile(code, f"{form}/README.txt", "exec"), names)
        frames = [one for one in names.values() if isinstance(one, pd.DataFrame | pl.DataFrame)]
        assert frames and all(len(one) > 3 for one in frames)


@pytest.mark.parametrize("form", list_export_formats(GAME))
def test_every_folder_has_a_readme_that_names_its_files_and_speaks_to_r(exported: Path, form: str) -> None:
    text = (exported / form / "README.txt").read_text(encoding="utf-8")
    assert any(program.split(" ")[0] == "R" for program in blocks(exported / form))
    files = (path for path in (exported / form).rglob("*") if path.is_file())
    there = {path.relative_to(exported / form).as_posix() for path in files} - {"README.txt", "RIGHTS.txt"}
    named = {name: more for name, more in re.findall(r"^(\S+?)(?: and (\d+) more)?: ", text, re.MULTILINE)}
    assert sum(1 + int(more or 0) for name, more in named.items() if name in there) == len(there)
    assert "RIGHTS.txt" in text


@pytest.mark.parametrize("form", ["csv", "cldf"])
def test_two_sources_differ_in_the_tables_on_as_many_questions_as_compare_says(
    exported: Path, library: Library, form: str
) -> None:
    import pandas as pd

    name, *columns = ("cells", "question", "source", "value_json")
    if form == "cldf":
        name, *columns = ("values", "Parameter_ID", "Language_ID", "Resolved_JSON")
    cells = pd.read_csv(exported / form / f"{name}.csv", dtype=str).fillna("")
    values = cells.pivot(index=columns[0], columns=columns[1], values=columns[2])
    for one, other in combinations(library.sources, 2):
        both = [resolve(library, siglum).rulings for siglum in (one, other)]
        alike = {  # both point to the same answer: whether they differ is counted there
            question.id
            for question in library.questions.values()
            if all(question.slug in rulings and isinstance(rulings[question.slug].answer, Like) for rulings in both)
            if both[0][question.slug].answer == both[1][question.slug].answer
        }
        differing = set(values.index[values[one] != values[other]]) - alike
        assert len(differing) == len(rv.compare(one, other, library)), (one, other)


def test_what_a_source_says_by_pointing_to_an_answer_of_ours_is_marked_in_every_export(
    exported: Path, library: Library
) -> None:
    import pandas as pd

    pointing = {
        (asked.id, siglum)
        for asked in library.questions.values()
        for siglum in library.sources
        if (cell := library.cell(siglum, asked.slug)) and isinstance(cell.value, Like) and not cell.supplied
        if library_value(library, asked.slug)(siglum) is None
    }
    assert ("Q023", "ACA") in pointing
    cells = pd.read_csv(exported / "csv" / "cells.csv", true_values=["yes"], false_values=["no"])
    values = read_cldf(exported / "cldf")["ValueTable"]
    marked = [
        {(one.question, one.source) for one in cells.itertuples() if one.rests_on_supplied},
        {(one["Parameter_ID"], one["Language_ID"]) for one in values if one["Resolved_Rests_On_Supplied"]},
        {(row["question"], row["source"]) for row in rv.matrix(library).rows() if row["rests_on_supplied"]},
    ]
    assert marked == [pointing] * 3


def test_a_silence_without_an_answer_of_ours_is_of_high_certainty_as_the_readme_says(exported: Path) -> None:
    values = [*read_cldf(exported / "cldf")["ValueTable"]]
    languages = read_cldf(exported / "cldf")["LanguageTable"]
    whole = {language["ID"] for language in languages if language["Consulted"] == "whole"}
    silent = [one for one in values if one["Status"] == "silent" and one["Supplied_Value"] is None]
    assert {one["Certainty"] for one in silent if one["Language_ID"] in whole} == {"high"}
    assert {one["Certainty"] for one in silent if one["Language_ID"] not in whole} == {None}
    told = " ".join((exported / "cldf" / "README.txt").read_text(encoding="utf-8").split())
    for words in ("high says that the source is silent for certain", "not the same money", "certain and yet left open"):
        assert words in told
    assert any((one["Status"], one["Certainty"], one["Left_Open"]) == ("stated", "high", True) for one in values)


def count_differences_said(library: Library) -> int:
    """Number of the questions on which two sources say different things themselves, references followed."""
    return sum(
        len({repr(said) for said in map(library_value(library, slug), library.sources) if said is not None}) > 1
        for slug in library.questions
    )


def library_value(library: Library, slug: str) -> Callable[[str], object]:
    """The answer of a source itself to a question, by its siglum."""

    def find_value(siglum: str) -> object:
        cell = library.cell(siglum, slug)
        own = {key: one.answer for key, one in rv.rules(library, siglum).rulings.items() if not one.supplied}
        return None if cell is None or cell.supplied else dereference_answer(own.get(slug), own)

    return find_value


# ---- the notebook
def test_the_notebook_runs_without_a_network_beside_the_tables_alone(
    exported: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    import matplotlib
    import nbformat

    def refuse(*_: object) -> None:
        raise OSError("no network here")

    notebook = nbformat.read(exported / "notebook" / NOTEBOOK_FILE, as_version=4)
    nbformat.validate(notebook)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.chdir(exported / "notebook")
    matplotlib.use("Agg")
    names: dict[str, Any] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, cell.id, "exec"), names)
    assert names["matrix"].shape == (len(library.questions), len(library.sources))
    assert names["counts"].to_numpy().sum() == len(library.questions)
    assert names["counts"]["different"].sum() == count_differences_said(library)
    assert len(names["axes"].patches) == names["counts"].size
    matplotlib.pyplot.close("all")


# ---- downloads, and the command


def test_a_notebook_comes_with_its_tables(tmp_path: Path) -> None:
    sources = write_library(tmp_path / "sources", deals=False)
    done = CliRunner().invoke(cli, ["export", "notebook", str(tmp_path / "new" / "out"), "--sources", str(sources)])
    assert done.exit_code == 0, done.output
    there = {path.name for path in (tmp_path / "new" / "out").iterdir()}
    assert there == {
        *(NOTEBOOK_FILE, "csv-metadata.json", "matrix.csv", "README.txt", "RIGHTS.txt"),
        *(f"{table.name}.csv" for table in list_export_tables(GAME)),
    }
