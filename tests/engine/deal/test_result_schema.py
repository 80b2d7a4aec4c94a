"""The JSON Schemas of the deal record and of the result say what the program reads and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.deal.fields import PROVENANCES
from engine.deal.model import ANNOUNCED, DEAL_KEYS, FAULT_KINDS, Deal
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.settlement.result_json import RESULT_SCHEMA, SEVERAL_POOLS_SCHEMA, result
from engine.settlement.settle import settle
from rulebook.model import Library
from rulebook.resolve import drop_answer, resolve
from tests.support.deal_records import PATHS, record
from tests.support.schemas import schema, validator


def test_the_schema_of_the_deal_record_knows_just_the_keys_that_are_read() -> None:
    known = schema("deal")["properties"]
    assert set(known) == set(DEAL_KEYS)
    assert known["provenance"]["enum"] == list(PROVENANCES)
    assert known["faults"]["items"]["properties"]["kind"]["enum"] == list(FAULT_KINDS)
    assert known["announced"]["items"]["properties"]["what"]["enum"] == list(ANNOUNCED)


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_worked_deal_and_what_is_written_of_it_agree_with_the_schema(path: Path) -> None:
    raw = record(path)
    deal, problems = read_deal(raw)
    assert problems == [] and deal is not None
    assert list(validator("deal").iter_errors(raw)) == []
    assert list(validator("deal").iter_errors(json.loads(json.dumps(write_deal(deal), default=dict)))) == []


@pytest.mark.parametrize("wrong", [{"pack": 50}, {"talon": "1S"}, {"seats": ["a", "b", "c"]}, {"daeler": "west"}])
def test_a_faulty_record_does_not(wrong: dict[str, object]) -> None:
    assert list(validator("deal").iter_errors({**record(PATHS[0]), **wrong})) != []


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_result_agrees_with_its_schema(path: Path, library: Library, deals: dict[str, Deal]) -> None:
    check = validator("result")
    assert schema("result")["properties"]["schema"]["enum"] == [RESULT_SCHEMA, SEVERAL_POOLS_SCHEMA]
    for source in library.sources:
        ruleset = resolve(library, source)
        for one in (ruleset, drop_answer(ruleset, "cards.points")):
            told = json.loads(json.dumps(result(settle(deals[path.stem], one))))
            assert [e.message for e in check.iter_errors(told)] == []


def test_an_entry_knows_the_emendations_it_rests_on(library: Library, deals: dict[str, Deal]) -> None:
    """The pamphlet's 64 fiches for a broken reversis, where the page prints 4, are an emendation."""
    told: Any = result(settle(deals["pam-espagnolette-pays-broken"], resolve(library, "PAM")))
    rests = {e["rule"]: e["emendations"] for e in told["entries"]}
    assert set(library.clause("PAM.c094").emendations) <= set(rests["reversis-broken"]) != set()
