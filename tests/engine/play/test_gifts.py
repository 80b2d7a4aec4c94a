"""Cards that players exchange across the table: the record, what a source makes of it, and what it looks like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.deal.model import Deal, Gift
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.settlement.settle import Unanswered, settle
from reversis.words.deal_views import table_words
from tests.support.deal_records import ROOT, record
from tests.support.schemas import validator
from tests.support.settling import Refuse, Rules, Settle

RAW = record(ROOT / "PAM/deals/pam-quinola-forced-opposite-last.yaml")
ACROSS = "exchange.across=opposite"
BOTH = ({"seat": "south", "gives": "JC", "to": "north"}, {"seat": "north", "gives": "QC", "to": "south"})


def told(*entries: Mapping[str, str]) -> dict[str, Any]:
    return {**{key: value for key, value in RAW.items() if key != "expect"}, "exchange": list(entries)}


def read(*entries: Mapping[str, str]) -> Deal:
    deal, problems = read_deal(told(*entries))
    assert deal is not None, problems
    return deal


def wrong(*entries: Mapping[str, str]) -> str:
    deal, problems = read_deal(told(*entries))
    assert deal is None
    return "; ".join(f"{problem.what}, {problem.way_out}" for problem in problems)


def test_a_record_tells_who_gave_which_card_to_whom() -> None:
    deal = read(*BOTH)
    assert [(deal.seats[gift.seat], deal.seats[gift.to]) for gift in deal.gifts] == [
        ("south", "north"),
        ("north", "south"),
    ]
    assert deal.exchange == () and write_deal(deal)["exchange"] == list(BOTH)


def test_a_record_without_such_cards_is_written_as_ever() -> None:
    swap = {"seat": "south", "out": "AS", "in": "6C"}
    assert write_deal(read(swap))["exchange"] == [swap] and "exchange" not in write_deal(read())


def test_a_card_taken_from_the_talon_may_be_given_on() -> None:
    assert read({"seat": "south", "out": "AS", "in": "JC"}, *BOTH).exchange
    assert "JC was taken, but is not in the hand of south" in wrong({"seat": "south", "out": "AS", "in": "JC"})


def test_cards_taken_and_cards_given_are_told_in_any_order() -> None:
    swap = {"seat": "south", "out": "AS", "in": "JC"}
    assert read(BOTH[0], swap, BOTH[1]) == read(swap, *BOTH) == read(*BOTH, swap)


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        (BOTH[:1], "south gets nothing from north in exchange, write what north gives to south as well"),
        ((BOTH[0], {**BOTH[1], "gives": "KS"}), "KS was given, but is not in the hand of south"),
        ((*BOTH, {**BOTH[0], "gives": "KS"}), "south gives a second card, each player gives one"),
        (({"seat": "south", "gives": "QC", "to": "south"},), "south gives a card to south, name the other player"),
        (({"seat": "south", "gives": "QC"},), "no seat"),
        (({**BOTH[0], "out": "AS"}, BOTH[1]), "unknown key 'out'"),
        (({**BOTH[0], "to": "nroth"}, BOTH[1]), "no seat 'nroth'"),
    ],
)
def test_a_card_that_nobody_got_is_a_problem_of_the_record(entries: tuple[Mapping[str, str], ...], says: str) -> None:
    assert says in wrong(*entries)


def test_players_opposite_may_exchange_where_the_source_says_so(settles: Settle, refuses: Refuse, rules: Rules) -> None:
    assert settles(read(*BOTH), "PAM", ACROSS).net == settles(read(), "PAM").net
    first, second = refuses(read(*BOTH), "PAM", "exchange.across=nobody").refusals
    assert first.message == "south may not exchange a card with north" and first.asked == ("exchange.across",)
    assert second.message == "north may not exchange a card with south"
    silent = settle(read(*BOTH), rules("PAM"))
    assert isinstance(silent, Unanswered) and silent.silent.question == "exchange.across"


def test_neighbours_may_not(refuses: Refuse) -> None:
    neighbours = ({"seat": "south", "gives": "JH", "to": "east"}, {"seat": "east", "gives": "QC", "to": "south"})
    assert "south may not exchange a card with east" in refuses(read(*neighbours), "PAM", ACROSS).refusals[0].message


def test_a_heart_laid_away_is_judged_by_the_hand_before_the_cards_were_given() -> None:
    deal = read(*BOTH)
    south, jack, queen = 0, deal.gifts[0].card, deal.gifts[1].card
    assert jack in deal.before_gifts(south) and queen not in deal.before_gifts(south)
    assert queen in deal.hands[south] and len(deal.before_gifts(south)) == len(deal.hands[south])
    assert Gift(south, jack, 2) in deal.gifts


def test_the_page_of_a_deal_tells_it() -> None:
    assert ("exchange", "south gives JC to north") in [*table_words(read(*BOTH))]


def test_the_schema_of_records_knows_the_two_forms_and_no_third() -> None:
    schema = validator("deal")
    assert schema.is_valid(told(*BOTH)) and schema.is_valid(told({"seat": "south", "out": "AS", "in": "6C"}, *BOTH))
    for mixed in ({**BOTH[0], "out": "AS"}, {"seat": "south", "gives": "QC"}, {"seat": "south", "to": "north"}):
        assert not schema.is_valid(told(mixed, BOTH[1]))
