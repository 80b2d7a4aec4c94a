"""`compare --deal` on the command line: what is told of one deal by two sources, and the schema of its data."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.comparison.bundles import JOINED
from engine.interpretation.worlds import UPSHOT_SOURCES
from engine.settlement.payments.rules import RULES
from reversis.cli.compare_deal import DEAL_COMPARISON_SCHEMA
from rulebook.io.strict_yaml import read_yaml
from rulebook.sources.paths import find_sources
from tests.support import commands

run = partial(commands.run, "compare")


def data(*words: str) -> Any:
    done = run(*words, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def faults(found: object) -> list[str]:
    Draft202012Validator.check_schema(definitions())
    return [f"{e.json_path}: {e.message}" for e in Draft202012Validator(definitions()).iter_errors(found)]


def definitions() -> Any:
    return json.loads((find_sources() / "schema" / "comparison.schema.json").read_text(encoding="utf-8"))


# ---- text
def test_a_deal_compared_tells_structure_then_money_then_causes() -> None:
    text = run("PAM", "ACA", "--deal", "aca-quinola-forced").output
    heads = ["Before any money:", "In the end; smallest units are compared one to one", "The answers that cause it"]
    places = [text.index(one) for one in (*heads, "Payment by payment:", "The two differ on ")]
    assert places == sorted(places)
    assert "a fiche of PAM as a jeton of ACA; 24 lay in the pool" in text
    assert "enough to turn PAM: what ACA answers to Q012" in text
    assert "    enough to turn PAM: what ACA answers to Q065, or to Q005 and Q064" in text
    assert "  Q031: east -10, north +4, west +6\n" in text
    assert "      PAM: 5 (stated PAM.c031)\n      ACA: 1 (ambiguous ACA.c208)\n" in text
    assert "(alone: east -12, north +4, west +8; as the last of all: east -8, north +4, west +4)" in text
    assert "These answers act on each other: exchanged one by one in PAM they would come to" in text


def test_of_a_refused_deal_only_the_structure_is_told() -> None:
    text = run("PAM", "GER", "-d", "pam-espagnolette-won").output
    assert "By GER the deal may not be played so:\n  trick 1: east may not play AD" in text
    assert "enough to turn PAM: what GER answers to Q080" in text
    assert "no money is shared out" in text and "Payment by payment" not in text and "The answers that" not in text


@pytest.mark.slow
def test_a_deal_in_which_nothing_differs() -> None:
    text = run("PAM", "pam", "-d", "pam-espagnolette-won").output
    assert "No payment depends on an answer in which the two differ." in text and "Before any money" not in text


# ---- how it is typed


def test_what_cannot_be_done_is_told_with_a_way_out() -> None:
    for code, words, what in (
        (2, ("PAM", "ACA", "-d", "aca-quinola-forzed"), "Did you mean aca-quinola-forced?"),
        (2, ("PAM", "XYZ", "-d", "aca-quinola-forced"), "No source 'XYZ'"),
        (2, ("PAM", "ACA", "-d", "aca-quinola-forced", "-g", "Quinola"), "give one of them"),
    ):
        done = run(*words)
        assert (done.exit_code, what in done.output) == (code, True), done.output


def test_deals_on_standard_input_and_a_faulty_one() -> None:
    done = run("PAM", "ACA", "-d", "-", stdin='{"deal": "x"}\n')
    assert done.exit_code == 1 and "pack" in done.output


@pytest.mark.slow
def test_of_a_fragment_it_is_told_what_is_open() -> None:
    record = fragment("aca-quinola-forced", 6)
    text = run("PAM", "ACA", "-d", "-", stdin=record).output
    assert "By PAM the tricks that are known leave open: partie" in text
    assert "A question that only one of them answers is answered, wherever it comes up, as that one does." in text
    found = json.loads(run("PAM", "ACA", "-d", "-", "-f", "json", stdin=record).stdout)
    assert faults(found) == [] and "partie" in found["states"][0]["open"]


def fragment(name: str, tricks: int) -> str:
    """A worked deal of which only the first tricks are known, as a line of JSON."""
    path = next(find_sources().glob(f"**/deals/{name}.yaml"))
    raw, _, _ = read_yaml(path, path.name)
    known = {key: value for key, value in raw.items() if key not in ("expect", "note")}
    return json.dumps(known | {"tricks": raw["tricks"][:tricks], "fragment": True}) + "\n"


# ---- data
@pytest.mark.release
@pytest.mark.parametrize(
    "words",
    [
        ("PAM", "ACA", "aca-quinola-forced"),
        ("GER", "PAM", "ger-revoke-keeps-the-quinola"),
        ("PAM", "GER", "pam-espagnolette-won"),
        ("PAM", "PAR", "pam-ten-cards"),
        ("PAM", "PAM + Q032@ACA", "aca-quinola-forced"),
        ("ACA", "PAR", "five-players-ten-each"),
        ("PAM", "PAR", "par-reversis-made-pool"),
    ],
)
def test_the_data_agree_with_the_schema_and_add_up(words: tuple[str, str, str]) -> None:
    found = data(words[0], words[1], "--deal", words[2])
    assert faults(found) == []
    assert found["schema"] == DEAL_COMPARISON_SCHEMA and found["compared"] == [*words[:2]]
    for who, net in (found["money"] or {"net": {}})["net"].items():
        added = [Fraction(one["adds"].get(who, 0)) for one in found["money"]["causes"]]
        assert sum(added) == net["difference"] == net["sums"][1] - net["sums"][0]
        assert sum(one["difference"].get(who, 0) for one in found["money"]["payments"]) == net["difference"]


def test_the_schema_knows_the_closed_lists() -> None:
    known = definitions()
    assert known["properties"]["schema"]["const"] == DEAL_COMPARISON_SCHEMA
    assert known["$defs"]["payment"]["properties"]["rule"]["enum"] == sorted(rule.name for rule in RULES)
    assert set(known["$defs"]["turn"]["properties"]["what"]["enum"]) == {
        *("lawful", "may-play", "taken", "passed-over"),
        *UPSHOT_SOURCES,
    }
    assert known["$defs"]["cause"]["properties"]["joined"]["enum"] == [one or None for one in JOINED]


@pytest.mark.slow
def test_wrong_data_do_not_agree() -> None:
    good = data("PAM", "ACA", "--deal", "aca-quinola-forced")
    assert faults(good) == []
    for wrong in (
        {"schema": 2},
        {"money": None},
        {"more": 1},
        {"compared": ["PAM"]},
        {"structure": [{"what": "luck"}]},
    ):
        assert faults(good | wrong)
    assert faults({key: value for key, value in good.items() if key != "states"})
    halved = deepcopy(good)
    halved["money"]["causes"][0]["adds"]["east"] = -2.5
    assert faults(halved)
    refused = data("PAM", "GER", "--deal", "pam-espagnolette-won")
    assert faults(refused) == [] and faults(refused | {"money": good["money"]})
