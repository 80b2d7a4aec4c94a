"""Tables are plain records: pandas and polars take them as they are, and each column holds one kind of value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import pytest

import reversis as rv
from rulebook.model import Library, Like, Question
from tests.reversis.door.test_reprs import SURVEY

DEAL = "pam-quinola-forced-opposite-last"


def settled(library: Library) -> list[Any]:
    pam = rv.rules(library, "PAM")
    dealt = [rv.settle(rv.random_deal(pam, seed), pam) for seed in range(20)]
    return [rv.settle(rv.deal(DEAL, library), rv.rules(library, one)) for one in ("PAM", "ACA")] + dealt


TABLES: Mapping[str, Callable[[Library], Any]] = {
    "matrix": rv.matrix,
    "clauses": rv.clauses,
    "deals": rv.deals,
    "payments": lambda library: rv.payments(settled(library)),
    "balances": lambda library: rv.balances(settled(library)),
    "refusals": lambda library: rv.refusals(settled(library)),
    "comparison": lambda library: rv.compare("PAM", "ACA", library),
    "survey": lambda library: SURVEY,
}


@pytest.mark.parametrize("name", TABLES)
def test_pandas_and_polars_take_the_rows_as_they_are(library: Library, name: str) -> None:
    import pandas
    import polars

    rows = TABLES[name](library).rows()
    assert rows and all(list(row) == list(rows[0]) for row in rows)
    one, other = pandas.DataFrame(rows), polars.DataFrame(rows)
    assert one.shape == other.shape == (len(rows), len(rows[0]))
    assert list(one.columns) == other.columns
    assert polars.Object not in other.dtypes


@pytest.mark.parametrize("name", TABLES)
def test_a_column_holds_one_kind_of_value(library: Library, name: str) -> None:
    for row in (rows := TABLES[name](library).rows()):
        for column, value in row.items():
            assert value is None or type(value) in (str, int, bool, float, list), (column, value)
            assert not isinstance(value, list) or all(type(one) is str for one in value), column
    for column in rows[0]:
        assert len({type(row[column]) for row in rows} - {type(None)}) < 2, column


def test_the_matrix_has_a_row_for_every_question_and_source(library: Library) -> None:
    rows = {(row["question"], row["source"]): row for row in rv.matrix(library)}
    assert len(rows) == len(library.questions) * len(library.sources)
    cell = rows["Q031", "PAM"]
    assert (cell["number"], cell["unit"], cell["supplied"], cell["clauses"]) == (5, "fiche", False, ["PAM.c031"])
    assert cell["words"] == "5 fiches"


def alike(library: Library, asked: Question, one: str, other: str) -> bool:
    """Whether two sources answer by the same reference, such as "as much as when forced", whatever the sum."""
    first, second = (library.cell(siglum, asked.slug) for siglum in (one, other))
    return bool(first and second and isinstance(first.value, Like) and first.value == second.value)


def test_the_matrix_counts_the_differences_of_two_sources_as_compare_does(library: Library) -> None:
    values = {(row["question"], row["source"]): row["value_json"] for row in rv.matrix(library)}
    for one, other in combinations(library.sources, 2):
        differing = [
            asked.id
            for asked in library.questions.values()
            if values[asked.id, one] != values[asked.id, other] and not alike(library, asked, one, other)
        ]
        assert differing == [row["question"] for row in rv.compare(one, other, library).rows()]


def test_what_a_strict_source_deals_at_the_table_of_all_is_settled_by_all(library: Library) -> None:
    strict, table = rv.rules(library, "GER"), rv.TableShape(4, 48, 11, 4)
    dealt = [rv.random_deal(strict, seed, table, exchange=False, id=f"GER-{seed}") for seed in range(20)]
    every = [rv.settle(one, rv.rules(library, source)) for source in library.sources for one in dealt]
    assert len(rv.refusals(every)) == 0 and len({row["deal"] for row in rv.balances(every)}) == len(dealt)


def test_payments_add_up_to_balances(library: Library) -> None:
    some = settled(library)
    net: dict[tuple[object, object, object], int] = {}
    for row in rv.payments(some).rows():
        for who, sign in ((row["payer"], -1), (row["payee"], 1)):
            key = row["deal"], row["source"], who
            net[key] = net.get(key, 0) + sign * int(str(row["amount"]))
    for row in rv.balances(some).rows():
        assert net.get((row["deal"], row["source"], row["account"]), 0) == row["net"], row


def test_what_balances_leave_out_stands_among_the_refusals_with_the_reason(library: Library) -> None:
    deal = rv.deal(DEAL, library)
    some = [rv.settle(deal, rules) for rules in map(lambda source: rv.rules(library, source), library.sources)]
    some.append(rv.settle(deal, rv.Ruleset("nothing", "PAM", {})))
    refused = rv.refusals(some).rows()
    assert len(refused) + len({row["source"] for row in rv.balances(some)}) == len(some)
    assert ("ACA", "refused", "trick 1: south may not play 7♣; he may play 5♥") in [
        (row["source"], row["state"], row["why"]) for row in refused
    ]
    assert [str(row["why"])[:20] for row in refused if row["state"] == "silent"] == ["nothing is silent on"]
