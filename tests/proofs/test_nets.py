"""Figures that rest on nets: those that lie here have made what is stored under their fingerprints."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from engine.players.nets import WEIGHTS_FOLDER, read_net
from engine.players.preferences import SKILLED
from lab.checkpoints import fingerprint_nets
from lab.players.arena import CAUTIOUS_PLAYER, NET_PLAYER, PlayingCompany
from lab.players.counsel import list_place_means, play_by_net
from lab.players.skilled import fingerprint_net, order_survey
from lab.survey import chunk as piece
from lab.survey.request import Rules, SurveyTable
from proofs.counsel import write_mean
from proofs.strength import Match, measure_match
from reversis.files.counsel import COUNSEL_PROOF, PLACE_MEANS
from reversis.files.strength import NET_MATCH, STRENGTH_PROOF
from reversis.files.surveys import StoredSurvey, read_surveys
from rulebook import __version__
from rulebook.model import Library
from rulebook.receipts import NETS, Receipt, read_receipts
from rulebook.sources.paths import find_sources
from tests.support.settling import SIGLA

pytestmark = pytest.mark.release  # thousands of deals by nets: only compiled

ROOT = find_sources()


def company(library: Library, source: str, seed: int) -> PlayingCompany:
    return PlayingCompany.at_table(piece.get_deal_pricer(library), Rules(source), seed, read_net(source))


@cache
def stored_survey() -> StoredSurvey:
    return next(one for one in read_surveys(ROOT)[0] if one.policy == SKILLED)


@cache
def receipt(proof: str) -> Receipt:
    return next(one for one in read_receipts(ROOT)[0] if one.proof == proof)


def is_of_this_net(one: StoredSurvey | Receipt, nets: dict[str, Any], source: str, library: Library) -> bool:
    """Whether figures must come out again: from the same net, rules and version."""
    return nets[source] == fingerprint_net(source) and not one.outdated(__version__, library.rules_digest)


def test_a_receipt_names_nets_as_a_survey_does() -> None:
    assert fingerprint_nets(SIGLA) == {siglum: fingerprint_net(siglum) for siglum in SIGLA}
    assert fingerprint_nets(["XXX"]) == {} and not (WEIGHTS_FOLDER / "XXX.json").exists()


def test_what_rests_on_nets_names_them() -> None:
    assert {*dict(stored_survey().nets)} == {table.siglum for table in stored_survey().tables}
    figures = receipt(STRENGTH_PROOF).figures
    assert {*figures[NETS]} == {name for name, lines in figures.items() if NET_MATCH in lines}
    assert {*receipt(COUNSEL_PROOF).figures[NETS]} >= {*receipt(COUNSEL_PROOF).figures[PLACE_MEANS]}


@pytest.mark.release
@pytest.mark.parametrize("source", SIGLA)
def test_the_net_that_a_stored_survey_names_has_made_it(source: str, library: Library) -> None:
    one = stored_survey()
    seated = next(table for table in one.tables if table.siglum == source)
    order = order_survey(one.seed, SKILLED, one.deals, (SurveyTable(seated.weighed.rules),), one.deals)
    found, stored = piece.tally_piece(order, library, 0).tables[0], seated.count
    same = [(each.net, each.squares, each.events, each.settled) for each in (found, stored)]
    assert same[0] == same[1] or not is_of_this_net(one, dict(one.nets), source, library)


@pytest.mark.release
@pytest.mark.parametrize("source", SIGLA)
def test_the_net_that_the_receipt_of_strength_names_has_won_so_much(source: str, library: Library) -> None:
    one = receipt(STRENGTH_PROOF)
    stored, match = one.figures[source][NET_MATCH], Match(NET_PLAYER, CAUTIOUS_PLAYER)
    found = measure_match(company(library, source, one.seed), match, stored["deals from four seats"])
    assert found == stored or not is_of_this_net(one, one.figures[NETS], source, library)


@pytest.mark.release
@pytest.mark.parametrize("source", [*receipt(COUNSEL_PROOF).figures[PLACE_MEANS]])
def test_the_net_that_the_receipt_of_counsel_names_has_won_so_much_in_each_place(source: str, library: Library) -> None:
    one = receipt(COUNSEL_PROOF)
    stored, deals = one.figures[PLACE_MEANS][source], int(one.command.partition("--results ")[2].split()[0])
    places = list_place_means(play_by_net(company(library, source, one.seed), range(deals)))
    found = [write_mean("wins", place) for place in places]
    assert found == [*stored.values()] or not is_of_this_net(one, one.figures[NETS], source, library)
