"""The JSON Schemas of the deal record and of the result say what the program reads and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.deal.fields import PROVENANCES
from engine.deal.model import ANNOUNCED, DEAL_KEYS, FAULT_KINDS
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.settlement.result_json import RESULT_SCHEMA, result
from engine.settlement.settle import settle
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from rulebook.resolve import drop_answer, resolve
from rulebook.sources.paths import find_sources

ROOT = find_sources()
DEALS = sorted(ROOT.glob("**/deals/*.yaml"))


def schema(name: str) -> dict[str, Any]:
    return dict(json.loads((ROOT / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")))


def validator(name: str) -> Draft202012Validator:
    Draft202012Validator.check_schema(schema(name))
    return Draft202012Validator(schema(name))


def record(path: Path) -> Any:
    data, _, problems = read_yaml(path, path.name)
    assert problems == []
    return data


def test_the_schema_of_the_deal_record_knows_just_the_keys_that_are_read() -> None:
    known = schema("deal")["properties"]
    assert set(known) == set(DEAL_KEYS)
    assert known["provenance"]["enum"] == list(PROVENANCES)
    assert known["faults"]["items"]["properties"]["kind"]["enum"] == list(FAULT_KINDS)
    assert known["announced"]["items"]["properties"]["what"]["enum"] == list(ANNOUNCED)


@pytest.mark.parametrize("path", DEALS, ids=lambda path: path.stem)
def test_a_worked_deal_and_what_is_written_of_it_agree_with_the_schema(path: Path) -> None:
    raw = record(path)
    deal, problems = read_deal(raw)
    assert problems == [] and deal is not None
    assert list(validator("deal").iter_errors(raw)) == []
    assert list(validator("deal").iter_errors(json.loads(json.dumps(write_deal(deal), default=dict)))) == []


@pytest.mark.parametrize("wrong", [{"pack": 50}, {"talon": "1S"}, {"seats": ["a", "b", "c"]}, {"daeler": "west"}])
def test_a_faulty_record_does_not(wrong: dict[str, object]) -> None:
    assert list(validator("deal").iter_errors(record(DEALS[0]) | wrong)) != []


@pytest.mark.parametrize("path", DEALS, ids=lambda path: path.stem)
def test_every_result_agrees_with_its_schema(path: Path, library: Library) -> None:
    deal, _ = read_deal(record(path))
    assert deal is not None
    check = validator("result")
    assert schema("result")["properties"]["schema"]["const"] == RESULT_SCHEMA
    for source in library.sources:
        ruleset = resolve(library, source)
        for one in (ruleset, drop_answer(ruleset, "cards.points")):
            assert [e.message for e in check.iter_errors(json.loads(json.dumps(result(settle(deal, one)))))] == []


def test_an_entry_knows_the_emendations_it_rests_on(library: Library) -> None:
    """The pamphlet's 64 fiches for a broken reversis, where the page prints 4, are an emendation."""
    deal, _ = read_deal(record(ROOT / "PAM" / "deals" / "pam-espagnolette-pays-broken.yaml"))
    assert deal is not None
    told: Any = result(settle(deal, resolve(library, "PAM")))
    rests = {e["rule"]: e["emendations"] for e in told["entries"]}
    assert set(library.clause("PAM.c094").emendations) <= set(rests["reversis-broken"]) != set()
