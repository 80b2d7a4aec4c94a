"""Which answers make the difference on the worked deals: stored, held to the present sources, and shown."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes

from edition.nodes.deferred import deferred
from engine.settlement.settle import Settled, settle
from reversis.files.attributions import (
    ATTRIBUTIONS_FILE,
    Cause,
    Caused,
    Causes,
    TurnedOutcome,
    attribute_deal,
    fingerprint_deal,
    read_causes,
    write_causes,
)
from reversis.files.separations import worked_deals
from reversis.views.deals.attribution import (
    attribution_section,
    causes_view,
)
from rulebook import __version__
from rulebook.model import Library
from rulebook.resolve import resolve
from rulebook.sources.paths import find_sources

DEAL = "pam-quinola-forced-opposite-last"
ONE = Caused(
    deal="some-deal",
    pair=("AAA", "BBB"),
    seal="sha256:1",
    states=("settled", "settled"),
    difference={"south": 3, "pool": -3},
    causes=(
        Cause(questions=("toll.payee", "toll.amount"), adds={"south": "5/2", "pool": "-5/2"}, joined="dependent"),
        Cause(adds={"south": "1/2"}),
    ),
    turned=(TurnedOutcome(what="taken", enough=(("toll.payee",),), trick=3), TurnedOutcome(what="lawful")),
)


def found(*some: Caused, sources: str = "sha256:0") -> Causes:
    command = "python -m proofs.attributions"
    return Causes(schema=1, command=command, version=__version__, sources=sources, found=some)


def shown(view: Any) -> str:
    return " ".join(node.astext() for node in attribution_section(view, {}))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_causes(tmp_path, found(ONE))
    read, problems = read_causes(tmp_path)
    assert read is not None and read.found == (ONE,) and not problems


@pytest.mark.parametrize("spoilt", ["{", "[]", '{"schema": 2}', '{"schema": 1, "found": [{}]}'])
def test_a_spoilt_file_is_told_with_a_way_out(tmp_path: Path, spoilt: str) -> None:
    (tmp_path / ATTRIBUTIONS_FILE).write_text(spoilt, encoding="utf-8")
    read, problems = read_causes(tmp_path)
    assert read is None and "proofs.attributions" in problems[0].way_out


@pytest.fixture(scope="module")
def attributed(library: Library) -> Causes:
    """The shares of one deal, for every pair of sources."""
    return found(*attribute_deal(library, worked_deals(library)[DEAL]), sources=library.rules_digest)


@pytest.mark.slow
def test_the_shares_of_a_deal_add_up_to_what_either_source_makes_of_it(library: Library, attributed: Causes) -> None:
    deal = worked_deals(library)[DEAL]
    for one in attributed.found:
        results = [settle(deal, resolve(library, siglum)) for siglum in one.pair]
        both = [result for result in results if isinstance(result, Settled)]
        assert (len(both) == 2) == (one.states == ("settled", "settled"))
        for at, seat in enumerate(deal.seats if len(both) == 2 else ()):
            moved = both[1].net[at] - both[0].net[at]
            assert moved == sum(Fraction(cause.adds.get(seat, "0")) for cause in one.causes)


@pytest.mark.slow
def test_a_page_shows_what_every_answer_adds_and_a_changed_deal_shows_none(
    library: Library, attributed: Causes
) -> None:
    deal = worked_deals(library)[DEAL]
    said = shown(causes_view(library, attributed, deal))
    assert "ACA and PAM" in said and "together" in said and attributed.sources[:19] in said
    assert causes_view(library, attributed, replace(deal, dealer=0)) is None


@pytest.mark.slow
def test_the_shares_of_a_pair_are_fetched_when_it_is_unfolded(library: Library, attributed: Causes) -> None:
    """Of seven books there are 21 pairs; the page has a line for each that it shows."""
    deal = worked_deals(library)[DEAL]
    made = attribution_section(causes_view(library, attributed, deal), {})
    kept = {one.children[0].astext(): one for part in made for one in part.findall(deferred)}
    settling = sorted(
        siglum for siglum in library.sources if isinstance(settle(deal, resolve(library, siglum)), Settled)
    )
    assert len(kept) == comb(len(settling), 2) and {"PAM", "PAR"} <= {*settling}
    (shares,) = (one for words, one in kept.items() if f"reversis compare PAM PAR --deal {DEAL}" in words)
    assert any(isinstance(child, nodes.table) for child in shares.children[1:])


def test_books_without_a_result_stand_in_one_line_with_what_they_decide_otherwise(library: Library) -> None:
    """However many pairs they are in; what several pairs have in common is said once."""
    turned = (TurnedOutcome(what="may-play", trick=1, seat="south"),)
    unsettled = [
        ONE.model_copy(update={"pair": pair, "states": states, "difference": {}, "causes": (), "turned": turned})
        for pair, states in (
            (("ACA", "PAM"), ("refused", "settled")),
            (("ACA", "GER"), ("refused", "refused")),
            (("GER", "PAM"), ("refused", "settled")),
        )
    ]
    deal = worked_deals(library)[DEAL]
    seal = fingerprint_deal(deal)
    view = causes_view(
        library, found(*(one.model_copy(update={"deal": DEAL, "seal": seal}) for one in unsettled)), deal
    )
    (made,) = attribution_section(view, {})
    folded = [child for child in made.children if "rv-words" in child["classes"]]
    said = folded[0].astext()
    assert len(folded) == 1 and "Académie text and German treatise" in said and "no result" in said
    assert said.count("what South may play") == 1 and said.count("does not allow") == 2


@pytest.mark.slow
def test_what_is_stored_is_whole_and_adds_up(library: Library) -> None:
    stored, problems = read_causes(find_sources())
    assert stored is not None and not problems
    deals = worked_deals(library)
    for one in stored.found:
        accounts = {*one.difference, *(name for cause in one.causes for name in cause.adds)}
        for name in accounts:
            shares = sum(Fraction(cause.adds.get(name, "0")) for cause in one.causes)
            assert shares == one.difference.get(name, 0), (one.deal, one.pair, name)
    if not stored.outdated(library.rules_digest):
        assert {one.deal for one in stored.found if one.seal == fingerprint_deal(deals[one.deal])} == set(deals)
        assert len(stored.found) == len(deals) * comb(len(library.sources), 2)


def test_the_file_is_json_line_by_line() -> None:
    data = json.loads((find_sources() / ATTRIBUTIONS_FILE).read_text(encoding="utf-8"))
    assert data["command"] == "python -m proofs.attributions" and data["found"]
