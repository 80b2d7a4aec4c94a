"""Cards that players exchange across the table: the record, what a source makes of it, and what it looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.deal.model import Deal, Exchange, Gift
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.generation.deal import random_deal
from engine.settlement.settle import Unanswered, settle
from reversis.words.deal_views import table_words
from rulebook.model import FrozenMap
from tests.support.deal_records import ROOT, record
from tests.support.deals import FIVE, lay_deal, net
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


# ---- who must exchange
ALWAYS, BELOW = "exchange.duty=compulsory", ("exchange.duty=compulsory-below-limit", "stake.limit-from=100")
FIVE_PLAY = (
    "table.players=four-or-five",
    "table.shapes=[{players: 5, pack: 48, hand: 9, talon: 3}]",
    "exchange.among-five=first-in-order",
)
LITTLE = "quinola.others=[{card: QH, name: little quinola, limit-from: 50}]"


def kept(seat: int = 0, stake: int = 60, little: int | None = None) -> Deal:
    """South leads first and west deals; the record says that somebody kept the hand."""
    others = () if little is None else (("QH", Pool(little)),)
    return replace(lay_deal(), exchange=(Exchange(seat),), pools={"": Pool(stake, others=others)})


def test_a_hand_may_be_kept_where_the_exchange_is_free(settles: Settle) -> None:
    assert net(settles(kept(), "PAM")) == net(settles(replace(kept(), exchange=()), "PAM"))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_player_who_must_exchange_and_did_not_is_refused_with_the_clause(refuses: Refuse, seat: int) -> None:
    (refusal,) = refuses(kept(seat), "PAM", ALWAYS).refusals
    assert refusal.message == f"{kept().seats[seat]} must exchange a card" and refusal.seat == seat
    assert refusal.asked == ("exchange.who", "exchange.duty")


def test_who_has_looked_and_not_exchanged_has_kept_the_hand(refuses: Refuse) -> None:
    deal = replace(kept(), exchange=(Exchange(0, looked=True),))
    assert [refusal.message for refusal in refuses(deal, "PAM", ALWAYS).refusals] == ["south must exchange a card"]


def test_of_a_player_whom_the_record_does_not_name_nothing_is_known(settles: Settle) -> None:
    deal = lay_deal()
    other = Exchange(1, deal.talon[0], min(deal.hands[1]))
    assert settles(replace(deal, exchange=(other,)), "PAM", ALWAYS, "exchange.hearts=allowed")


def test_the_dealer_who_takes_no_card_need_not_exchange(settles: Settle) -> None:
    assert settles(kept(3), "PAM", ALWAYS)


def test_who_may_not_exchange_need_not(settles: Settle, refuses: Refuse) -> None:
    eldest = "exchange.who=eldest-only"
    assert settles(kept(1), "PAM", ALWAYS, eldest)
    assert refuses(kept(0), "PAM", ALWAYS, eldest).refusals[0].seat == 0


def test_for_whom_the_talon_has_no_card_left_the_exchange_is_no_duty(settles: Settle, refuses: Refuse) -> None:
    five = lay_deal(dealer="ann", seats=FIVE)  # of three cards one is the dealer's discard: two players may take one
    for seat in (1, 2):
        (refusal,) = refuses(replace(five, exchange=(Exchange(seat),)), "PAM", ALWAYS, *FIVE_PLAY).refusals
        assert refusal.message == f"{five.seats[seat]} must exchange a card"
    for seat in (3, 4, 0):
        assert settles(replace(five, exchange=(Exchange(seat),)), "PAM", ALWAYS, *FIVE_PLAY)


@pytest.mark.parametrize(("stake", "refused"), [(0, True), (99, True), (100, False), (101, False)])
def test_the_duty_ends_when_the_stake_has_grown_to_the_limit(
    settles: Settle, refuses: Refuse, stake: int, refused: bool
) -> None:
    if refused:
        (refusal,) = refuses(kept(stake=stake), "PAM", *BELOW).refusals
        assert refusal.asked == ("exchange.who", "exchange.duty", "stake.limit-from")
    else:
        assert settles(kept(stake=stake), "PAM", *BELOW)


@pytest.mark.parametrize(
    ("great", "little", "refused"), [(99, 49, True), (100, 49, False), (99, 50, False), (49, 99, False)]
)
def test_of_several_pools_one_that_has_grown_is_enough(
    settles: Settle, refuses: Refuse, great: int, little: int, refused: bool
) -> None:
    deal = kept(stake=great, little=little)
    if refused:
        (refusal,) = refuses(deal, "PAM", LITTLE, *BELOW).refusals
        assert refusal.asked == ("exchange.who", "exchange.duty", "stake.limit-from", "quinola.others")
    else:
        assert settles(deal, "PAM", LITTLE, *BELOW)


def test_a_source_that_is_silent_on_it_is_asked_only_where_a_hand_was_kept(rules: Rules) -> None:
    plain = rules("PAM")
    silent = replace(
        plain, rulings=FrozenMap({slug: one for slug, one in plain.rulings.items() if slug != "exchange.duty"})
    )
    found = settle(kept(), silent)
    assert isinstance(found, Unanswered) and found.silent.question == "exchange.duty"
    assert not isinstance(settle(replace(kept(), exchange=()), silent), Unanswered)
    assert random_deal(silent, 3) == random_deal(plain, 3)


def test_a_record_says_that_a_hand_was_kept_by_naming_no_card() -> None:
    raw: Mapping[str, Any] = {**write_deal(lay_deal()), "exchange": [{"seat": "south"}]}
    deal, problems = read_deal(raw)
    assert deal is not None and not problems and deal.exchange == (Exchange(0),)
    assert write_deal(deal)["exchange"] == [{"seat": "south"}]


def test_in_a_random_deal_everybody_exchanges_who_has_to(rules: Rules) -> None:
    free, must = rules("PAM", "exchange.hearts=allowed"), rules("PAM", "exchange.hearts=allowed", ALWAYS)
    below = rules("PAM", "exchange.hearts=allowed", *BELOW)
    dealt = [[len(random_deal(one, seed).exchange) for seed in range(8)] for one in (free, must, below)]
    assert min(dealt[0]) < 3 and dealt[1] == dealt[2] == [3] * 8
    assert [len(random_deal(below, seed, pool=Pool(100)).exchange) for seed in range(8)] == dealt[0]
