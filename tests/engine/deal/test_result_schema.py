"""The JSON Schemas of the deal record and of the result say what the program reads and writes."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from engine.deal.fields import PROVENANCES
from engine.deal.model import ANNOUNCED, DEAL_KEYS, FAULT_KINDS, Deal
from engine.deal.reader import read_deal
from engine.generation.deal import random_deal
from engine.generation.turn import list_table_shapes
from engine.interpretation.worlds import possible_worlds
from engine.settlement.explain import reckon
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.payments.rules import RULES
from engine.settlement.result_json import RESULT_SCHEMA, SEVERAL_POOLS_SCHEMA, result
from engine.settlement.settle import settle
from reversis.cli import explain
from reversis.cli.explain import serialize_explanation
from reversis.cli.main import cli
from reversis.words.certainty import UPSHOT_WORDINGS, WORLDS_SCHEMA, dump_possible_worlds
from reversis.words.explanation import build_explanation
from rulebook.model import STATUSES, Library
from rulebook.resolve import drop_answer, resolve
from tests.support.deal_records import PATHS, record
from tests.support.schemas import schema, validator
from tests.support.settling import SIGLA
from tests.support.tiers import sample


def test_the_schema_of_the_deal_record_knows_just_the_keys_that_are_read() -> None:
    known = schema("deal")["properties"]
    assert set(known) == set(DEAL_KEYS)
    assert known["provenance"]["enum"] == list(PROVENANCES)
    assert known["faults"]["items"]["properties"]["kind"]["enum"] == list(FAULT_KINDS)
    assert known["announced"]["items"]["properties"]["what"]["enum"] == list(ANNOUNCED)


@pytest.mark.slow
def test_a_worked_deal_agrees_with_the_schema() -> None:
    for path in PATHS:
        deal, problems = read_deal(record(path))
        assert problems == [] and deal is not None, path
        assert list(validator("deal").iter_errors(record(path))) == [], path


@pytest.mark.parametrize("wrong", [{"pack": 50}, {"talon": "1S"}, {"seats": ["a", "b", "c"]}, {"daeler": "west"}])
def test_a_faulty_record_does_not(wrong: dict[str, object]) -> None:
    assert list(validator("deal").iter_errors({**record(PATHS[0]), **wrong})) != []


@pytest.mark.slow
@pytest.mark.parametrize("source", SIGLA)
def test_every_result_agrees_with_its_schema(source: str, library: Library, sampled_deals: tuple[Deal, ...]) -> None:
    assert schema("result")["properties"]["schema"]["enum"] == [RESULT_SCHEMA, SEVERAL_POOLS_SCHEMA]
    ruleset = resolve(library, source)
    for deal, one in product(sampled_deals, (ruleset, drop_answer(ruleset, "cards.points"))):
        assert faults(validator("result"), result(settle(deal, one))) == [], deal.id


def test_an_entry_knows_the_emendations_it_rests_on(library: Library, deals: dict[str, Deal]) -> None:
    """The pamphlet's 64 fiches for a broken reversis, where the page prints 4, are an emendation."""
    told: Any = result(settle(deals["pam-espagnolette-pays-broken"], resolve(library, "PAM")))
    rests = {e["rule"]: e["emendations"] for e in told["entries"]}
    assert set(library.clause("PAM.c094").emendations) <= set(rests["reversis-broken"]) != set()


def faults(check: Draft202012Validator, data: object) -> list[str]:
    """What the schema says against it, once it has gone through JSON."""
    return [f"{e.json_path}: {e.message}" for e in check.iter_errors(json.loads(json.dumps(data)))]


def test_the_schemas_know_the_closed_lists() -> None:
    told, possible = schema("explanation"), schema("worlds")
    assert told["properties"]["schema"]["const"] == explain.EXPLANATION_SCHEMA
    assert possible["properties"]["schema"]["const"] == WORLDS_SCHEMA
    rules = sorted(rule.name for rule in RULES)
    assert told["$defs"]["rule"]["enum"] == possible["$defs"]["posting"]["properties"]["rule"]["enum"] == rules
    assert told["$defs"]["unpaid"]["properties"]["reason"]["enum"] == list(NONPAYMENT_REASONS)
    assert told["$defs"]["clause"]["properties"]["status"]["enum"] == list(STATUSES)
    assert possible["$defs"]["upshot"]["properties"]["what"]["enum"] == list(UPSHOT_WORDINGS)


@pytest.mark.slow
@pytest.mark.parametrize("path", sample(PATHS, 10), ids=lambda path: path.stem)
def test_every_worked_deal_explained_agrees_with_the_schema(
    path: Path, library: Library, deals: dict[str, Deal]
) -> None:
    """By every source, settled or refused; by rules that are silent on the points of the cards; and as a fragment."""
    deal = deals[path.stem]
    part = replace(deal, tricks=deal.tricks[:4], fragment=True)
    for source in SIGLA:
        ruleset = resolve(library, source)
        for played, by in ((deal, ruleset), (deal, drop_answer(ruleset, "cards.points")), (part, ruleset)):
            told = serialize_explanation(played, build_explanation(library, reckon(played, by)))
            assert faults(validator("explanation"), told) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", sample(PATHS[::3], 8), ids=lambda path: path.stem)
def test_the_worlds_of_worked_deals_agree_with_the_schema(path: Path, library: Library, deals: dict[str, Deal]) -> None:
    deal = deals[path.stem]
    for source in SIGLA:
        found = dump_possible_worlds(possible_worlds(deal, library, source), library.sources[source].unit, False)
        assert faults(validator("worlds"), found) == []


@pytest.mark.slow
def test_worlds_with_options_agree_with_the_schema(library: Library, deals: dict[str, Deal]) -> None:
    for name in ("pam-quinola-placed", "ger-quinola-placed", "aca-quinola-thrown-off"):
        for source in ("ACA", "GER"):
            worlds = possible_worlds(deals[name], library, source, True)
            found = dump_possible_worlds(worlds, library.sources[source].unit, True)
            assert faults(validator("worlds"), found) == []


@pytest.mark.release
@pytest.mark.parametrize("at", SIGLA)
def test_deals_by_lot_agree_with_both(at: str, library: Library) -> None:
    """At every table that a source knows, told by all four."""
    for seed, shape in enumerate(list_table_shapes(resolve(library, at)) * 4):
        deal = random_deal(resolve(library, at), seed, shape)
        for source in SIGLA:
            told = serialize_explanation(deal, build_explanation(library, reckon(deal, resolve(library, source))))
            assert faults(validator("explanation"), told) == []
            found = dump_possible_worlds(possible_worlds(deal, library, source), library.sources[source].unit, False)
            assert faults(validator("worlds"), found) == []


@pytest.mark.slow
def test_what_the_commands_print_agrees_too() -> None:
    for name, words in (
        ("explanation", ["explain", "pam-espagnolette-won", "-s", "PAM", "-f", "json", "--trick", "2"]),
        ("explanation", ["explain", "pam-espagnolette-won", "-s", "GER", "-f", "json", "--seat", "east"]),
        ("explanation", ["explain", "pam-revoke", "-s", "PAM", "--with", "Q031=3", "-f", "json"]),
        ("worlds", ["worlds", "pam-espagnolette-won", "--options", "-f", "json"]),
    ):
        done = CliRunner().invoke(cli, words)
        lines = done.stdout.splitlines()
        assert lines, done.output
        assert [faults(validator(name), json.loads(line)) for line in lines] == [[]] * len(lines)
