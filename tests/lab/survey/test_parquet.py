"""What a survey leaves: rows under explained names, in Parquet and in JSON; read again they are what was counted."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from stat import S_IMODE
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from lab.survey.parquet import NetsFile, read_column_dictionary, read_survey_parquet, write_survey_parquet
from lab.survey.request import ACCOUNTS, EVENTS, UNSETTLED_NET, Rules, SurveyOrder, SurveyTable
from lab.survey.table import (
    NETS_COLUMNS,
    SURVEY_FILE_COLUMNS,
    WHO,
    SurveyRun,
    dump_survey_heading,
    dump_survey_run,
    generate_survey_rows,
    read_survey_dump,
)
from lab.survey.tally import MOVED_STEPS, Count, SurveyTally, Versus, find_count_faults

PAM, ACA, TWIST = Rules("PAM"), Rules("ACA"), Rules("PAM", ("Q031=3", "Q017@ACA"))


@pytest.fixture
def survey() -> SurveyRun:
    """Two tables; sums as large as a hundred million deals make them."""
    deals = 100_000_000
    order = SurveyOrder(7, "cautious", deals, (SurveyTable(PAM, (ACA, TWIST, PAM)), SurveyTable(ACA)))
    versus = Versus(55, 8, deals - 63, 55, 10**9, 5 * 10**16, 10**8, deals - 1, tuple(range(len(MOVED_STEPS))))
    seven = Versus(7, silent=deals - 7, steps=(7, *(0,) * (len(MOVED_STEPS) - 1)))
    net, squares = (-(10**9), 4, 3, 2, 10**9 - 9), (10**15, 1, 2, 3, 10**15)
    count = Count(deals, deals - 1, net, squares, tuple(range(len(EVENTS))), (versus, Versus(silent=deals), seven))
    return SurveyRun(order, SurveyTally((count, Count(deals))), "reversis survey", "0.1.0", "sha256:" + "a" * 64)


# ---- Parquet
def test_a_survey_is_read_from_its_file_as_it_was_written(tmp_path: Path, survey: SurveyRun) -> None:
    write_survey_parquet(tmp_path / "one.parquet", survey)
    assert read_survey_parquet(tmp_path / "one.parquet") == survey


def test_a_file_explains_its_columns_and_says_what_made_it(tmp_path: Path, survey: SurveyRun) -> None:
    path = tmp_path / "one.parquet"
    write_survey_parquet(path, survey)
    schema = parquet.read_schema(path)
    assert json.loads(schema.metadata[b"data_dictionary"]) == read_column_dictionary(path) == dict(SURVEY_FILE_COLUMNS)
    assert {f.name: f.metadata[b"description"].decode() for f in schema} == SURVEY_FILE_COLUMNS
    found = {name: schema.metadata[name.encode()].decode() for name in ("command", "seed", "version", "sources")}
    assert found == {"command": "reversis survey", "seed": "7", "version": "0.1.0", "sources": survey.sources}


def test_a_file_is_everybodys_to_read_and_tells_the_least_and_the_most_of_each_column(
    tmp_path: Path, survey: SurveyRun
) -> None:
    path = tmp_path / "one.parquet"
    write_survey_parquet(path, survey)
    assert sys.platform == "win32" or S_IMODE(path.stat().st_mode) == 0o644  # Windows knows no such modes
    group = parquet.read_metadata(path).row_group(0)
    columns = {group.column(at).path_in_schema: group.column(at) for at in range(group.num_columns)}
    for name in ("settled", "table", "rules"):
        values = [value for value in parquet.read_table(path)[name].to_pylist() if value is not None]
        told = columns[name].statistics
        assert columns[name].is_stats_set and (told.min, told.max) == (min(values), max(values)), name


def test_the_nets_of_skilled_players_are_kept_and_read_again(tmp_path: Path, survey: SurveyRun) -> None:
    path, skilled = tmp_path / "one.parquet", replace(survey, nets=(("PAM", "0" * 16), ("ACA", "1" * 16)))
    write_survey_parquet(path, skilled)
    assert read_survey_parquet(path) == skilled != survey
    assert json.loads(parquet.read_schema(path).metadata[b"nets"]) == {"PAM": "0" * 16, "ACA": "1" * 16}
    assert read_survey_dump(json.loads(json.dumps(dump_survey_run(skilled)))) == skilled
    write_survey_parquet(path, survey)
    assert b"nets" not in parquet.read_schema(path).metadata and "nets" not in dump_survey_heading(survey)


def test_the_same_survey_makes_the_same_bytes(tmp_path: Path, survey: SurveyRun) -> None:
    pieces = replace(survey, order=replace(survey.order, size=11))
    for name, one in {"a": survey, "b": survey, "c": pieces}.items():
        write_survey_parquet(tmp_path / name, one)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()


def test_a_file_that_is_no_survey_is_refused(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"deal": [1]}), tmp_path / "other.parquet")
    with pytest.raises(ValueError, match=r"other\.parquet is no survey"):
        read_survey_parquet(tmp_path / "other.parquet")


@pytest.mark.parametrize("change", ["half", "twice", "one row twice", "another figure", "another order"])
@pytest.mark.parametrize("digest", [True, False], ids=["with its digest", "of an earlier version"])
def test_a_file_with_other_rows_than_were_written_is_refused(
    tmp_path: Path, survey: SurveyRun, change: str, digest: bool
) -> None:
    path = tmp_path / "one.parquet"
    write_survey_parquet(path, survey)
    table = parquet.read_table(path)
    if not digest:
        table = table.replace_schema_metadata({k: v for k, v in table.schema.metadata.items() if k != b"digest"})
        parquet.write_table(table, path)
        assert read_survey_parquet(path) == survey
    if change == "half" and not digest:
        pytest.skip("fewer tables, each of them whole, are a survey too")
    figures = [0 if name == "settled" and table["own"].to_pylist()[0] else None for name in table.column_names]
    other = {
        "half": lambda: table.slice(0, len(table) // 2),
        "twice": lambda: pa.concat_tables([table, table]),
        "one row twice": lambda: pa.concat_tables([table, table.slice(0, 1)]),
        "another figure": lambda: table.set_column(
            at := figures.index(0), table.schema.field(at), pa.array([10**12, *table.column(at).to_pylist()[1:]])
        ),
        "another order": lambda: table.take([1, 0, *range(2, len(table))]),
    }[change]()
    parquet.write_table(other, path)
    with pytest.raises(ValueError, match=r"rows|twice|cannot be right|does not stand"):
        read_survey_parquet(path)


@pytest.mark.parametrize("at", range(7))
def test_what_no_deals_could_add_up_to_is_told(survey: SurveyRun, at: int) -> None:
    count = survey.tally.tables[0]
    versus = count.others[0]
    spoilt = (
        replace(count, settled=count.deals + 1),
        replace(count, net=(1, *count.net[1:])),
        replace(count, squares=(0, *count.squares[1:])),
        replace(count, others=(replace(versus, settled=versus.settled + 1),)),
        replace(count, others=(replace(versus, steps=(1, *versus.steps[1:])),)),
        replace(count, others=(replace(versus, moved=0),)),
        replace(count, others=(replace(versus, worst=1),)),
    )[at]
    assert not [*find_count_faults(count)] and [*find_count_faults(spoilt)]


# ---- JSON
def test_a_survey_goes_through_json_and_comes_back(survey: SurveyRun) -> None:
    assert read_survey_dump(json.loads(json.dumps(dump_survey_run(survey)))) == survey


def test_a_survey_of_another_schema_is_refused(survey: SurveyRun) -> None:
    with pytest.raises(ValueError, match="schema 2"):
        read_survey_dump(dump_survey_run(survey) | {"schema": 2})


# ---- rows


def test_a_row_tells_what_was_counted(survey: SurveyRun) -> None:
    own, other, unmoved = list(generate_survey_rows(survey.order, survey.tally))[:3]
    assert (own["deals"], own["settled"], own["silent"], own["net_eldest"]) == (10**8, 10**8 - 1, 1, -(10**9))
    assert own["changed"] is None and own["event_exchanges"] == len(EVENTS) - 1
    assert (other["changed"], other["worst"], other["worst_deal"], other["moved_0"]) == (55, 10**8, 99_999_999, 0)
    assert other["net_eldest"] is None and unmoved["worst_deal"] is None


# ---- single deals
def nets_written(path: Path, order: SurveyOrder, *pieces: Any) -> Path:
    with NetsFile(path, order, {"schema": 1, "command": "reversis survey"}) as file:
        for chunk, nets in enumerate(pieces):
            file.keep(order.numbers(chunk), nets)
    return path


def test_single_deals_have_a_row_for_every_table(tmp_path: Path, survey: SurveyRun) -> None:
    order = replace(survey.order, deals=3, size=2)
    first = np.arange(2 * 2 * ACCOUNTS, dtype=np.int32).reshape(2, 2, ACCOUNTS)
    last = np.full((1, 2, ACCOUNTS), UNSETTLED_NET, np.int32)
    last[0, 0] = -5
    path = nets_written(tmp_path / "deals.parquet", order, first, last)
    table = parquet.read_table(path)
    assert table.column_names == list(NETS_COLUMNS) and len(WHO) == ACCOUNTS
    found = [tuple(row.values()) for row in table.to_pylist()]
    assert found == [
        (0, "PAM", 0, 1, 2, 3, 4),
        (0, "ACA", 5, 6, 7, 8, 9),
        (1, "PAM", 10, 11, 12, 13, 14),
        (1, "ACA", 15, 16, 17, 18, 19),
        (2, "PAM", -5, -5, -5, -5, -5),
        (2, "ACA", None, None, None, None, None),
    ]
    assert parquet.read_metadata(path).num_row_groups == 2
    assert read_column_dictionary(path) == dict(NETS_COLUMNS)


def test_a_file_of_single_deals_appears_when_it_is_whole(tmp_path: Path, survey: SurveyRun) -> None:
    order = replace(survey.order, deals=1)
    with (
        pytest.raises(KeyboardInterrupt),
        NetsFile(tmp_path / "deals.parquet", order, dump_survey_heading(survey)) as file,
    ):
        file.keep(range(1), np.zeros((1, 2, ACCOUNTS), np.int32))
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
