"""Every worked deal can be read, is settled or refused under every source, and comes to what it says it should."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.settlement.result_json import result
from engine.settlement.settle import settle
from reversis.files.deals import compare_expectations
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.support.deal_records import PATHS, record
from tests.support.settling import SIGLA

#: "16 + 32 = 48": what a reasoning adds up
SUM = re.compile(r"(?:(?<=[;:,] )|(?<=[a-z] ))([+-]?\d+(?: [+-] ?\d+)+) = (-?\d+)(?=[;:,.]| =|$)")
#: "south -20 -50 +1 = -69", the signs close to the figures: what passes to or from a seat in the whole deal
TALLY = re.compile(r"\b(south|east|north|west) [+-]?\d+(?: [+-]\d+)+ = (-?\d+)")


def deal_of(path: Path) -> Deal:
    deal, problems = read_deal(record(path))
    assert deal is not None and not problems, "\n".join(map(str, problems))
    return deal


def known(library: Library, locus: str) -> bool:
    """Whether a sentence or statement is there to be cited."""
    source = library.sources.get(locus.split(".")[0])
    if source is None:
        return False
    return locus in (source.text.sentences if source.text else {s.id for s in source.statements})


def outcome(library: Library, path: Path, siglum: str) -> Mapping[str, Any]:
    return result(settle(deal_of(path), resolve(library, siglum)))


def test_a_worked_deal_reads_without_problems_and_says_where_it_belongs(library: Library) -> None:
    """It is named for its file, cites what is there, and expects something of the source in whose folder it lies."""
    for path in PATHS:
        deal, siglum = deal_of(path), path.parent.parent.name
        assert deal.id == path.stem and deal.cites, path
        assert [locus for locus in deal.cites if not known(library, locus)] == [], path
        assert siglum not in SIGLA or siglum in deal.expect, path


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_worked_deal_is_settled_to_nought_or_refused_by_a_clause_and_comes_to_what_is_expected(
    library: Library, path: Path
) -> None:
    expected = record(path).get("expect") or {}
    for siglum in SIGLA:
        found = outcome(library, path, siglum)
        assert_settled_to_nought_or_refused(library, path, found)
        if siglum in expected:
            assert_expected(expected[siglum], found, siglum)
    assert {*expected} <= {*SIGLA}


def assert_settled_to_nought_or_refused(library: Library, path: Path, found: Mapping[str, Any]) -> None:
    if "silent" in found:
        deal, asked = deal_of(path), library.questions[found["silent"]["question"]]
        if deal.gifts:  # of cards given across the table one source alone speaks
            assert asked.slug == "exchange.across", found
            return
        assert deal.faults, found  # a source without penalties, where none is supplied, says nothing to a fault
        assert asked.affects == "irregularity" or asked.slug == "play.thrown-down", found
    elif "refused" in found:
        assert all(refusal["clauses"] for refusal in found["refused"]), found
    else:
        assert sum(found["net"].values()) == 0 and all(entry["clauses"] for entry in found["entries"]), found


def assert_expected(expected: Mapping[str, Any], found: Mapping[str, Any], siglum: str) -> None:
    if "pending" in expected:  # and it is told when it comes true
        assert any(not one.met for one in compare_expectations(expected, found)), siglum
        return
    assert ("refused" in expected) == ("refused" in found), (siglum, found)
    if "refused" not in expected:
        assert {key: found[key] for key in ("net", "pool")} == {key: expected[key] for key in ("net", "pool")}, siglum


def test_the_sums_in_a_reasoning_add_up() -> None:
    expectations = ((path, *one) for path in PATHS for one in (record(path).get("expect") or {}).items())
    for path, siglum, expected in expectations:
        words = " ".join(str(expected.get("reasoning", "")).split())
        assert words, (path, siglum)
        for terms, total in SUM.findall(words):
            added = sum(int(term.replace(" ", "")) for term in re.findall(r"[+-]? ?\d+", terms))
            assert added == int(total), (path, terms)
        for seat, total in TALLY.findall(words):
            assert expected["net"][seat] == int(total), (path, siglum, seat)


def test_there_are_enough_worked_deals(library: Library) -> None:
    """Four for each source; for an entry of fewer than twenty sentences, which rules less, three."""
    assert len(PATHS) >= 16
    owners = Counter(path.parent.parent.name for path in PATHS)
    short = {siglum for siglum, one in library.sources.items() if one.text and len(one.text.sentences) < 20}
    assert {siglum: owners[siglum] for siglum in SIGLA if owners[siglum] < (3 if siglum in short else 4)} == {}
