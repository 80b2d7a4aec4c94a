"""Skilled players of a survey: the same counts from the same seed, lawful play by their nets, and what is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from engine.players.preferences import SKILLED
from engine.settlement.settle import Settled, settle
from lab.players import skilled
from lab.players.skilled import SkilledPlayers, fingerprint_net, list_order_nets, order_survey
from lab.survey import chunk as piece
from lab.survey.encode_rules import Unsurveyed
from lab.survey.request import Rules, SurveyOrder, SurveyTable
from lab.survey.runner import SingleProcessCrew, run_survey_order
from lab.survey.tally import SurveyTally
from rulebook.model import Library
from tests.support.settling import SIGLA

pytestmark = [
    pytest.mark.release,
    pytest.mark.usefixtures("compiled"),
]

TABLES = (SurveyTable(Rules("PAM"), (Rules("PAM"), Rules("ACA"))), SurveyTable(Rules("HOY"), (Rules("PAM"),)))


def tally(library: Library, seed: int = 5, deals: int = 300, size: int = 1 << 16) -> SurveyTally:
    return run_survey_order(order_survey(seed, SKILLED, deals, TABLES, size), SingleProcessCrew(library))


def test_the_same_seed_gives_the_same_counts_in_pieces_of_any_size(library: Library) -> None:
    found = tally(library)
    assert tally(library) == tally(library, size=77) == found
    assert tally(library, seed=6) != found
    itself = found.tables[0].others[0]
    assert itself.settled == 300 and itself.changed == itself.moved == 0


def test_an_order_that_travels_to_another_process_brings_the_players_along(library: Library) -> None:
    order = order_survey(5, SKILLED, 40, TABLES)
    there = pickle.loads(pickle.dumps(order))
    assert there.play == order.play and piece.tally_piece(there, library, 0) == piece.tally_piece(order, library, 0)


def test_skilled_players_play_otherwise_than_the_cautious(library: Library) -> None:
    both = [order_survey(5, policy, 300, TABLES) for policy in (SKILLED, "cautious")]
    assert both[1] == SurveyOrder(5, "cautious", 300, TABLES) and both[1].play is None
    skilled_count, cautious_count = (piece.tally_piece(order, library, 0).tables[0] for order in both)
    assert skilled_count.events != cautious_count.events and skilled_count.net != cautious_count.net


@pytest.mark.parametrize("siglum", SIGLA)
def test_each_deal_is_lawful_and_comes_to_the_same_by_the_readable_path(library: Library, siglum: str) -> None:
    table = SurveyTable(Rules(siglum))
    order = order_survey(9, SKILLED, 12, (table,))
    ruleset, nets = piece.get_deal_pricer(library).bind(table.rules)[0], piece.compute_piece_nets(order, library, 0)
    for deal, sums in zip(piece.deals_of(order, library, table, range(12)), nets[:, 0].tolist(), strict=True):
        found = settle(deal, ruleset)
        assert isinstance(found, Settled), found
        assert [found.net[seat] for seat in range(4)] == sums[:4]


def test_a_table_without_a_net_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skilled, "read_net", lambda source: None)
    with pytest.raises(Unsurveyed, match="nobody has trained a net for PAM"):
        order_survey(1, SKILLED, 4, TABLES)


def test_rules_that_no_net_was_made_for_are_played_by_that_of_their_source(library: Library) -> None:
    order = order_survey(5, SKILLED, 64, (SurveyTable(Rules("PAM", ("Q017@ACA",))),))
    assert isinstance(order.play, SkilledPlayers) and [source for source, _ in order.play.nets] == ["PAM"]
    assert piece.tally_piece(order, library, 0).tables[0].settled > 0


def test_an_order_names_the_nets_of_its_players_and_of_nobody_else() -> None:
    nets = dict(list_order_nets(order_survey(5, SKILLED, 4, TABLES)))
    assert nets == {one: fingerprint_net(one) for one in ("PAM", "HOY")} and nets["PAM"] != nets["HOY"]
    assert list_order_nets(order_survey(5, "cautious", 4, TABLES)) == ()


def test_another_net_than_was_ordered_plays_nothing(library: Library) -> None:
    order = replace(order_survey(1, SKILLED, 4, TABLES), play=SkilledPlayers((("PAM", "0" * 16),)))
    with pytest.raises(Unsurveyed, match="another than was ordered"):
        piece.tally_piece(order, library, 0)


def test_a_policy_for_which_nobody_is_named_is_not_played_by_somebody_else(library: Library) -> None:
    with pytest.raises(ValueError, match="nobody was named who plays skilled"):
        piece.tally_piece(SurveyOrder(1, SKILLED, 4, TABLES), library, 0)
