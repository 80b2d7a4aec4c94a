"""The exchange of five players, for whom the talon has too few cards: who has one, and who may take a discard."""

from __future__ import annotations

from typing import Any

import pytest

from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from tests.support.deals import FIVE, lay_deal
from tests.support.settling import Refuse, Settle

OUTS, INS = ("9C", "8C", "7C", "6C"), ("9S", "8S", "7S", "6S")
NO_DISCARDS = ("exchange.among-five=all-in-turn", "exchange.discard-drawn=no")


def exchanged(*seats: str, pack: int = 48, **changed: str) -> Deal:
    """Five play, ann deals and bob is the first in rank; these players exchange a card, in this order."""
    swaps = {seat: {"seat": seat, "out": out, "in": taken} for seat, out, taken in zip(seats, OUTS, INS, strict=False)}
    for seat, taken in changed.items():
        swaps[seat]["in"] = taken
    taken_later = {one["in"] for one in swaps.values()}
    return lay_deal(
        hands={seat: one["in"] for seat, one in swaps.items()},
        talon=" ".join(one["out"] for one in swaps.values() if one["out"] not in taken_later),
        dealer="ann",
        seats=FIVE,
        pack=pack,
        heart_first=True,
        told={"exchange": list(swaps.values())},
    )


def refused(refuses: Refuse, deal: Deal, *wishes: str) -> list[str]:
    return [refusal.message for refusal in refuses(deal, "ACA", *wishes).refusals]


def test_aca_x_a15_the_third_in_rank_takes_what_the_second_leaves(settles: Settle, refuses: Refuse) -> None:
    deal = exchanged("bob", "dan")
    assert settles(deal, "ACA").entries
    assert refused(refuses, deal, "ACA.i35") == ["no card of the talon is left for dan"]
    assert settles(exchanged("dan", "eve"), "ACA").entries


def test_aca_x_a15_in_turn_while_cards_last_and_no_longer(settles: Settle, refuses: Refuse) -> None:
    for wishes in ((), ("ACA.i35",)):
        assert settles(exchanged("bob", "cat"), "ACA", *wishes).entries
    assert refused(refuses, exchanged("bob", "cat", "dan")) == ["no card of the talon is left for dan"]
    (refusal,) = refuses(exchanged("bob", "cat", "dan"), "ACA").refusals
    assert refusal.asked == ("exchange.who", "exchange.among-five")


@pytest.mark.parametrize("siglum", ["HOY", "MEY", "PAM", "PAR", "PIE"])
def test_where_four_play_an_exchange_of_five_is_refused_for_their_number(refuses: Refuse, siglum: str) -> None:
    """How few cards go round among five is no question there (Q139)."""
    for seats in (("bob",), ("bob", "cat", "dan")):
        first, *_ = refuses(exchanged(*seats), siglum).refusals
        assert first.message == "5 players: this source plays with 4"


def test_aca_x_a15_of_one_card_the_second_may_have_it_alone(settles: Settle, refuses: Refuse) -> None:
    one_card = "table.shapes=[{players: 5, pack: 52, hand: 10, talon: 2}]"
    assert settles(exchanged("cat", pack=52), "ACA", one_card).entries
    assert refused(refuses, exchanged("cat", pack=52), one_card, "ACA.i35") == ["no card of the talon is left for cat"]
    assert refused(refuses, exchanged("bob", "cat", pack=52), one_card) == ["no card of the talon is left for cat"]


def test_aca_i22_a_later_player_draws_an_earlier_discard(settles: Settle, refuses: Refuse) -> None:
    deal = exchanged("bob", "cat", "dan", "eve", dan=OUTS[0], eve=OUTS[1])
    assert settles(deal, "ACA", "ACA.i22").entries
    assert f"dan may not take {OUTS[0]}, which another has discarded" in refused(refuses, deal, *NO_DISCARDS)
    assert refused(refuses, deal) == [f"no card of the talon is left for {one}" for one in ("dan", "eve")]


def test_discards_are_drawn_from_above_in_the_order_in_which_they_were_laid(refuses: Refuse) -> None:
    crossed = exchanged("bob", "cat", "dan", dan=OUTS[1])
    assert refused(refuses, crossed, "ACA.i22") == [f"dan takes {OUTS[1]}, which is not the next card of the talon"]
    elsewhence = exchanged("bob", "cat", "dan")
    assert refused(refuses, elsewhence, "ACA.i22") == [f"dan takes {INS[2]}, which is not the next card of the talon"]
    early = exchanged("bob", "cat", cat=OUTS[0])
    assert refused(refuses, early, "ACA.i22") == [f"cat takes {OUTS[0]}, which is not the next card of the talon"]


def test_a_record_tells_of_a_discard_that_another_drew_later() -> None:
    raw: dict[str, Any] = dict(write_deal(exchanged("bob", "cat", "dan", dan=OUTS[0])))
    assert raw["exchange"][0]["out"] == raw["exchange"][2]["in"] == OUTS[0]
    assert read_deal(raw)[0] is not None
    deal, problems = read_deal(raw | {"exchange": [*reversed(raw["exchange"])]})
    assert deal is None and f"{OUTS[0]} was laid out, but is not in the talon" in str(problems[0])


def test_who_has_no_card_of_the_talon_can_neither_see_nor_keep_one(refuses: Refuse) -> None:
    for wish in ({"kind": "peek", "seat": "dan"}, {"kind": "peek", "seat": "ann"}):
        raw = dict(write_deal(exchanged("bob", "cat"))) | {"faults": [wish]}
        deal, _ = read_deal(raw)
        assert deal and refused(refuses, deal, "peek.bars=[]") == [f"{wish['seat']} has no card of the talon to see"]
    raw = dict(write_deal(exchanged("bob", "cat")))
    deal, _ = read_deal(raw | {"exchange": [*raw["exchange"], {"seat": "eve", "looked": True}]})
    assert deal and refused(refuses, deal) == ["eve has no card of the talon to see"]
