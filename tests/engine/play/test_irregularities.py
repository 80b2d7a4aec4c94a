"""Faults on record and what they cost: fines, payments denied, deals that are void; each sentence of the laws."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.engine.settlement.test_settle as plain
from engine.cards import parse_card_name
from engine.deal.events import Fault
from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.settlement.ledger import Entry
from engine.settlement.result_json import result
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from reversis.words.deal_views import view_deal
from reversis.words.events import (
    ENTRY_PHRASES,
    describe_entry,
    describe_outcome,
)
from rulebook.model import Library
from tests.support.cases import case
from tests.support.deal_records import PATHS
from tests.support.deal_records import record as record_of
from tests.support.deals import entries, held_past, lay_deal, mixed, net, paid, read, revoke
from tests.support.in_one_test import in_one_test
from tests.support.schemas import validator
from tests.support.settling import SIGLA, Refuse, Rules, Settle


def printed(name: str) -> Mapping[str, Any]:
    (path,) = (path for path in PATHS if path.stem == name)
    return record_of(path)


def worked(name: str, **keys: object) -> Deal:
    """A worked deal, at times with another fault."""
    return read({**printed(name), **keys})


def with_fault(deal: Deal, kind: str, seat: str, **fields: object) -> Deal:
    raw = write_deal(deal)
    listed: Any = raw.get("faults", [])
    return read(raw | {"faults": [*listed, {"kind": kind, "seat": seat, **fields}]})


def said(settled: Settled, rule: str) -> list[str]:
    return [describe_entry(e, settled.deal.seats) for e in entries(settled, rule)]


# ---- dealing
def test_pam_s0113_a_card_turned_up_has_the_cards_dealt_again(library: Library, settles: Settle) -> None:
    settled = settles(worked("pam-card-turned-up"), "PAM")
    assert settled.outcome.void and settled.outcome.next_dealer == 3
    assert set(net(settled).values()) == {0} and settled.pool == Pool(60)
    assert said(settled, "dealt-again") == [
        "Before the play: west has turned up a card in dealing: the cards are dealt again, and nobody pays"
    ]
    (shown,) = view_deal(library, settled.deal, [settled.ruleset]).ledgers[0].entries
    assert shown.step == "before" and shown.event.startswith("west has turned up a card in dealing")
    assert describe_outcome(settled.outcome, settled.deal.seats) == ("the deal is void", "west deals next")
    assert "PAM.c126" in result(settled)["entries"][0]["clauses"]  # type: ignore[index]


def test_pam_s0113_unless_all_the_players_let_the_deal_stand(settles: Settle) -> None:
    deal = worked("pam-quinola-placed")
    allowed = with_fault(deal, "card-turned-up", "east", accepted=True)
    settled = settles(allowed, "PAM")
    assert settled.entries == settles(deal, "PAM").entries and "card-turned-up" in settled.passed_over[0]
    assert settles(allowed, "PAM", "deal.card-turned-up=always-again").outcome.void
    forced = with_fault(deal, "card-turned-up", "east")
    assert settles(forced, "PAM").outcome.void
    assert settles(forced, "PAM", "deal.card-turned-up=stands").net == settles(deal, "PAM").net


def test_pam_s0114_who_has_dealt_wrongly_loses_the_deal(settles: Settle) -> None:
    fault = {"kind": "misdeal", "seat": "west", "noticed": "before-discard"}
    settled = settles(worked("pam-misdeal-bought-back", faults=[fault]), "PAM")
    assert settled.outcome.void and settled.outcome.next_dealer == 0
    assert set(net(settled).values()) == {0} and settled.pool == Pool(60)
    assert said(settled, "misdeal") == [
        "Before the play: west has dealt wrongly, which comes out before the discard, and nothing is paid for it"
    ]


def test_pam_s0115_he_may_deal_again_for_a_counter(settles: Settle) -> None:
    deal = worked("pam-misdeal-bought-back")
    settled = settles(deal, "PAM")
    assert (settled.outcome.void, settled.outcome.next_dealer, settled.pool) == (True, 3, Pool(65))
    free = settles(worked("pam-misdeal-bought-back"), "PAM", "misdeal.cost=nothing", "misdeal.redemption=5")
    assert free.outcome.next_dealer == 3 and free.pool == Pool(60)


def test_pam_s0116_too_late_it_costs_four_counters_and_the_deal(settles: Settle) -> None:
    deal = worked("pam-misdeal-too-late")
    settled = settles(deal, "PAM")
    assert (settled.outcome.void, settled.outcome.next_dealer, settled.pool) == (True, 0, Pool(80))
    assert settles(deal, "PAM", "misdeal.late-deal=void").outcome.next_dealer == 3
    in_time = settles(deal, "PAM", "misdeal.until=before-first-lead")
    assert in_time.pool == Pool(60) and in_time.outcome.next_dealer == 0
    assert settles(deal, "PAM", "misdeal.late-fine={stakes: 1}").pool == Pool(120)


def test_pam_s0116_what_was_played_does_not_count(settles: Settle) -> None:
    deal = with_fault(worked("pam-quinola-placed"), "misdeal", "east", noticed="in-play")
    settled = settles(deal, "PAM")
    assert net(settled) == {"south": 0, "east": -20, "north": 0, "west": 0, "pool": 20}
    assert [e.rule for e in settled.entries] == ["misdeal"] and settled.outcome.next_dealer == 2
    played_on = settles(deal, "PAM", "misdeal.late-deal=stands")
    whole = settles(worked("pam-quinola-placed"), "PAM")
    assert [e for e in played_on.entries if e.rule != "misdeal"] == list(whole.entries)
    assert played_on.net == {**whole.net, 1: whole.net[1] - 20, "pool": whole.net["pool"] + 20}


def test_pam_s0116_a_late_misdeal_is_not_bought_back(refuses: Refuse) -> None:
    fault = {"kind": "misdeal", "seat": "west", "noticed": "in-play", "redeemed": True}
    (refusal,) = refuses(worked("pam-misdeal-too-late", faults=[fault]), "PAM").refusals
    assert "west may not buy back" in refusal.message and "misdeal.late-deal" in refusal.asked
    in_time = fault | {"noticed": "before-discard"}
    refuses(worked("pam-misdeal-too-late", faults=[in_time]), "PAM", "misdeal.cost=deal")


def test_a_fine_for_a_misdeal_that_stands_comes_back_with_the_fines(settles: Settle) -> None:
    deal = read(write_deal(plain.made()) | {"dealer": "south"})  # who leads, and makes the reversis
    faulty = with_fault(deal, "misdeal", "south", noticed="in-play")
    wishes = ("misdeal.late-deal=stands", "play.first-leader=dealer")
    back, kept = (settles(faulty, "PAM", *wishes, f"reversis.returns-fines={r}") for r in ("yes", "no"))
    assert (net(back)["south"], net(kept)["south"]) == (64, 44)


def test_aca_s0022_an_ill_shuffled_or_incomplete_pack_is_dealt_again(settles: Settle, refuses: Refuse) -> None:
    shuffled = worked("badly-shuffled")
    assert settles(shuffled, "ACA").outcome.void and settles(shuffled, "ACA").outcome.next_dealer == 3
    assert not settles(shuffled, "PAM").outcome.void
    raw = printed("badly-shuffled")
    short = {**raw, "hands": {**raw["hands"], "south": "7S 6S 5S 3S KH JH 9H 6H 4D JC"}, "tricks": [], "fragment": True}
    deal = read({**short, "faults": [{"kind": "incomplete-pack", "seat": "west"}]})
    assert settles(deal, "ACA").outcome.void
    (refusal,) = refuses(deal, "PAM", "deal.again=[misdeal]").refusals[:1]
    assert "47 cards" in refusal.message and refusal.asked == ("table.pack",)
    assert any("missing" in p.what for p in read_deal(short)[1])


def test_aca_c919_what_a_misdeal_costs_is_not_told(rules: Rules) -> None:
    deal = worked("pam-misdeal-bought-back")
    assert isinstance(settle(deal, rules("ACA")), Refused)  # no cause for a new deal, and such hands are not dealt
    found = settle(deal, rules("ACA", "ACA.i25"))
    assert isinstance(found, Unanswered) and found.silent.question.startswith("misdeal.")


def test_a_misdeal_decides_who_deals_next_among_several_causes(settles: Settle) -> None:
    deal = with_fault(worked("pam-card-turned-up"), "misdeal", "west", noticed="before-discard")
    assert settles(deal, "PAM").outcome.next_dealer == 0


# ---- the talon card seen
def test_pam_s0118_he_cannot_win_the_partie_nor_place_his_quinola(settles: Settle) -> None:
    settled = settles(worked("pam-peek-partie-and-quinola"), "PAM")
    assert settled.outcome.partie is not None and settled.outcome.partie.winner == 2
    assert paid(settled, "thrown-off", "draws-stake", of="JH") == {}
    assert [e.reason for e in settled.entries if e.fact.kind == "quinola" and not e.postings] == ["barred", "barred"]
    assert any("draws nothing, south being barred by a fault" in s for s in said(settled, "draws-stake"))
    assert paid(settled, "thrown-off") == {("east", "south"): 1}  # aces are not denied him
    nobody = settles(worked("pam-peek-partie-and-quinola"), "PAM", "PAM.i26")
    assert nobody.outcome.partie is None and any("nobody wins it" in s for s in said(nobody, "partie"))


def test_pam_s0118_nor_make_the_reversis(settles: Settle) -> None:
    settled = settles(with_fault(plain.made_with_hearts(3), "peek", "south"), "PAM")
    assert settled.outcome.reversis == (0, True, ())
    assert set(net(settled).values()) == {0} and settled.pool == Pool(60)
    assert all("bars" in s for s in said(settled, "reversis-made"))


def test_pam_s0118_or_there_is_none_though_he_takes_every_trick(settles: Settle) -> None:
    deal = worked("pam-peek-makes-the-reversis")
    unpaid, none = settles(deal, "PAM"), settles(deal, "PAM", "PAM.i31")
    assert unpaid.outcome.reversis == (1, True, ()) and not any(unpaid.net.values()) and unpaid.pool == Pool(55)
    assert none.outcome.reversis is None and none.outcome.partie is not None and none.outcome.partie.winner == 3
    assert net(none) == {"south": -3, "east": -99, "north": -5, "west": 52, "pool": 55} and none.pool == Pool(110)
    assert "peek.bars" in entries(none, "partie")[0].asked
    twelfth, (south, east, *others) = parse_card_name("2D"), deal.hands
    kept = replace(
        deal,
        hands=(south, east | {twelfth}, *others),
        talon=tuple(c for c in deal.talon if c != twelfth),
        exchange=(Exchange(1, None, twelfth),),
        faults=(Fault("undiscarded", 1),),
    )
    assert settles(kept, "PAM").outcome.reversis and not settles(kept, "PAM", "PAM.i31").outcome.reversis


def test_pam_s0118_a_reversis_of_his_that_is_broken_he_pays_for_like_any_other(settles: Settle) -> None:
    raw = write_deal(plain.broken("east:KC")) | {"faults": [{"kind": "peek", "seat": "south"}]}
    for wishes in ((), ("PAM.i31",)):
        settled = settles(read(raw), "PAM", *wishes)
        assert settled.outcome.reversis == (0, False, (1,))
        assert paid(settled, "reversis-broken") == {("south", "east"): 64}


def test_pam_s0118_and_is_paid_nothing_for_breaking_one(settles: Settle) -> None:
    settled = settles(worked("pam-peek-breaks-a-reversis"), "PAM")
    (entry,) = entries(settled, "reversis-broken")
    assert (entry.postings, entry.reason) == ((), "barred") and "peek.bars" in entry.asked


def test_pam_s0119_he_forces_for_nothing_and_the_stake_is_matched(settles: Settle) -> None:
    deal = worked("pam-peek-forces-the-quinola")
    settled = settles(deal, "PAM")
    assert paid(settled, "forced", of="JH") == {} and settled.pool == Pool(120)
    assert any("peek.forced-stake" in e.asked for e in entries(settled, "matches-stake"))
    let_off = settles(deal, "PAM", "peek.forced-stake=nothing")
    assert let_off.pool == Pool(60) and net(let_off)["east"] == net(settled)["east"] + 60


def test_pam_s0011_he_may_see_the_card_if_he_leaves_it(settles: Settle, refuses: Refuse) -> None:
    raw = dict(printed("pam-peek-forces-the-quinola"))
    left = read(raw | {"exchange": [{"seat": "south", "looked": True}]})
    settled = settles(left, "PAM")
    assert settled.passed_over == ("south's peek costs nothing under this source",)
    assert settles(left, "PAM", "exchange.look=always").net == settled.net
    unlisted = read({k: v for k, v in raw.items() if k != "faults"})
    (refusal,) = refuses(unlisted, "PAM").refusals
    assert "lay a card away all the same" in refusal.message and "exchange.look" in refusal.asked
    assert settles(unlisted, "PAM", "exchange.look=always").net == settled.net
    nothing_said = read({k: v for k, v in raw.items() if k != "exchange"})
    assert settles(nothing_said, "PAM").net == settles(read(raw), "PAM").net


def test_the_dealer_has_no_card_of_the_talon_to_see(refuses: Refuse) -> None:
    deal = worked("pam-quinola-placed")
    for found in (refuses(with_fault(deal, "peek", "east"), "PAM"), refuses(case("pam-dealer-peeks"), "PAM")):
        (refusal,) = found.refusals
        assert refusal.message.endswith("has no card of the talon to see") and refusal.asked == ("exchange.who",)
    looked = replace(deal, exchange=(Exchange(deal.dealer, looked=True),))
    assert "has no card of the talon to see" in refuses(looked, "PAM").refusals[0].message


def test_ger_s0017_who_may_not_take_a_card_has_none_to_see(refuses: Refuse) -> None:
    deal = lay_deal(heart_first=True)
    (refusal,) = refuses(with_fault(deal, "peek", "north"), "GER").refusals
    assert refusal.message == "north has no card of the talon to see" and refusal.asked == ("exchange.who",)


# ---- too many or too few cards
def test_pam_s0121_who_has_laid_none_away_has_a_right_to_nothing(settles: Settle) -> None:
    settled = settles(worked("pam-undiscarded"), "PAM")
    assert not any(to == "north" for (_, to) in paid(settled, "thrown-off", "forced"))
    rival = settles(worked("pam-undiscarded"), "PAM", "PAM.i27")
    assert net(rival)["north"] - net(settled)["north"] == 4 + 2


def test_pam_s0010_only_who_may_take_a_card_can_forget_to_lay_one_away(refuses: Refuse) -> None:
    raw = printed("pam-undiscarded")
    deal = read({**raw, "dealer": "north", "exchange": []})
    assert any("may not take a card" in r.message for r in refuses(deal, "PAM").refusals)


def test_pam_s0123_with_ten_cards_no_payment_but_two(settles: Settle) -> None:
    settled = settles(worked("pam-ten-cards"), "PAM")
    assert net(settled)["east"] == 0 and settled.pool == Pool(60)
    drawn = settles(worked("pam-ten-cards"), "PAM", "PAM.i28")
    assert net(drawn)["east"] == 60 and paid(drawn, "thrown-off", of="JH") == {}
    forced = settles(worked("pam-ten-cards-forces-the-quinola"), "PAM")
    assert paid(forced, "forced", of="JH") == {("south", "north"): 20, ("east", "north"): 5, ("west", "north"): 5}


def short_handed(deal: Deal, seat: str) -> Deal:
    """The same deal, one player having laid away the card that he plays to the last trick."""
    raw: Any = write_deal(deal)
    number = deal.seats.index(seat)
    last = next(c for c in raw["tricks"][-1].split() if parse_card_name(c) in deal.hands[number])
    tricks = [*raw["tricks"][:-1], " ".join(c for c in raw["tricks"][-1].split() if c != last)]
    hands = raw["hands"] | {seat: " ".join(c for c in raw["hands"][seat].split() if c != last)}
    talon = f"{raw['talon']} {last}"
    return read(
        raw | {"hands": hands, "talon": talon, "tricks": tricks, "faults": [{"kind": "ten-cards", "seat": seat}]}
    )


def test_pam_s0123_who_breaks_a_reversis_is_paid_all_the_same(settles: Settle) -> None:
    deal = plain.broken("south:2C! east:KC")
    settled = settles(short_handed(deal, "north"), "PAM")
    assert settled.outcome.reversis == (0, False, (1,))
    breaker = settles(short_handed(deal, "east"), "PAM")
    assert paid(breaker, "reversis-broken") == {("south", "east"): 64}
    assert "ten-cards.bars" in entries(breaker, "reversis-broken")[0].asked


def test_pam_n27_who_has_no_card_left_is_passed_over_also_in_leading(settles: Settle, refuses: Refuse) -> None:
    deal = short_handed(lay_deal(where=lambda d: mixed(d) and d.takers[9] == "east"), "east")
    assert [deal.holder(c) for c in deal.tricks[-1]] == [2, 3, 0]
    assert settles(deal, "PAM").outcome.partie is not None
    turned = read(write_deal(deal) | {"tricks": [*rows(deal)[:-1], " ".join(reversed(rows(deal)[-1].split()))]})
    assert "trick 11: north leads" in refuses(turned, "PAM").refusals[0].message


def rows(deal: Deal) -> list[str]:
    return list(write_deal(deal)["tricks"])  # type: ignore[call-overload]


def test_pam_s0124_all_the_cards_lying_aside_count(settles: Settle) -> None:
    deal = worked("pam-ten-cards-forces-the-quinola")
    value = settles(deal, "PAM").outcome.partie
    due = settles(deal, "PAM", "talon.irregular=as-due").outcome.partie
    assert value is not None and due is not None and (value.value, due.value) == (7, 6)


def test_hands_of_another_size_are_refused_where_no_fault_explains_them(refuses: Refuse) -> None:
    raw = printed("pam-ten-cards")
    told = [p.what for p in read_deal({k: v for k, v in raw.items() if k != "faults"})[1]]
    assert "the hands are not of one size: south 11, east 10, north 11, west 11" in told
    uneven = worked("pam-misdeal-bought-back")
    (refusal,) = refuses(uneven, "ACA").refusals
    assert "hands of 10 and 11 and 12" in refusal.message and "table.shapes" in refusal.asked


def test_every_other_player_still_plays_a_card_to_every_trick() -> None:
    raw = printed("pam-ten-cards")
    rows = [*raw["tricks"][:-1], "6S 6D"]
    assert any("trick 11 has no card of west's" in p.what for p in read_deal({**raw, "tricks": rows})[1])


# ---- the revoke
def test_pam_s0128_who_has_revoked_does_not_draw_the_stake(settles: Settle) -> None:
    deal = lay_deal(
        hands={"east": "6S"},
        tricks={5: "south:9S! east:7C", 6: "east:JH"},
        revokes=[(5, "east")],
        where=lambda d: held_past("6S", 5)(d) and d.takers[5] != "east",
        without={"east": "D"},
        told={"faults": [revoke(5)]},
    )
    settled = settles(deal, "PAM")
    assert settled.pool == Pool(70) and paid(settled, "draws-stake", "thrown-off", of="JH") == {}
    assert "barred.stake" in entries(settled, "draws-stake")[0].asked
    assert paid(settles(deal, "PAM", "barred.stake=drawn"), "draws-stake") == {("pool", "east"): 60}
    assert settles(deal, "PAM", "revoke.fine-joined=separate").pool == Pool(60, (10,))


def test_a_revoke_that_is_taken_back_costs_its_fine_and_the_lawful_card_is_played(
    settles: Settle, refuses: Refuse
) -> None:
    deal = lay_deal(tricks={5: "south:9S! east:6S"}, heart_first=True, where=mixed, told={"faults": [revoke(5)]})
    assert settles(deal, "PAM").passed_over == ("trick 5: east's revoke costs nothing under this source",)
    assert paid(settles(deal, "PAM", "revoke.card=taken-back"), "fine") == {("east", "pool"): 10}
    (refusal,) = refuses(worked("revoke-fined"), "ACA", "revoke.card=taken-back").refusals
    assert refusal.trick == 4 and "revoke.card" in refusal.asked


def test_what_a_barred_player_never_received_is_not_given_back_manifold(settles: Settle) -> None:
    deal = plain.lost_late()
    whole, barred = settles(deal, "PAM"), settles(with_fault(deal, "peek", "east"), "PAM", f"peek.bars=[{EVERY}]")
    assert any(e.postings for e in entries(whole, "espagnolette-returns") if e.fact.player == 1)
    assert not any(e.postings for e in entries(barred, "espagnolette-returns") if e.fact.player == 1)
    assert not any(e.postings for e in entries(barred, "espagnolette-returns-stake"))
    assert barred.pool == Pool(60)


EVERY = "partie, thrown-quinola, reversis, breaking, forcing, other-receipts"


def test_a_barred_espagnolette_is_passed_over_for_the_partie(settles: Settle) -> None:
    deal = plain.won()
    barred = settles(with_fault(deal, "peek", "east"), "PAM")
    assert barred.outcome.partie is not None and barred.outcome.partie.winner != 1
    assert settles(with_fault(deal, "peek", "east"), "PAM", "barred.partie=nobody").outcome.partie is None


def test_the_stake_that_a_barred_player_would_have_won_goes_by_tricks(settles: Settle) -> None:
    wishes = ("peek.bars=[thrown-quinola]", "exchange.who=everyone-but-dealer", "peek.forced-stake=matches")
    placed = worked("ger-quinola-placed")
    before = settles(placed, "GER")
    found = [c for c in before.entries if c.rule == "draws-stake" and c.postings]
    assert found
    seat = placed.seats[found[0].fact.player or 0]
    settled = settles(with_fault(placed, "peek", seat), "GER", *wishes)
    assert paid(settled, "draws-stake") == {} and settled.pool.stake == 0
    assert sum(paid(settled, "stake-by-tricks").values()) == settled.before.stake


# ---- silence
@pytest.mark.parametrize(
    ("name", "source", "question"),
    [
        ("pam-peek-forces-the-quinola", "PAR", "peek.bars"),
        ("pam-undiscarded", "PAR", "undiscarded.bars"),
        ("pam-ten-cards", "GER", "ten-cards.bars"),
        ("pam-card-turned-up", "GER", "deal.again"),
        ("badly-shuffled", "PAR", "deal.again"),
    ],
)
def test_a_source_that_says_nothing_of_a_fault_leaves_the_deal_unsettled(
    rules: Rules, name: str, source: str, question: str
) -> None:
    found = settle(worked(name), rules(source))
    assert isinstance(found, Unanswered) and found.silent.question == question


def test_a_fault_that_is_no_cause_for_anything_is_passed_over(settles: Settle) -> None:
    deal = with_fault(worked("aca-quinola-thrown-off"), "misdeal", dealer("aca-quinola-thrown-off"), noticed="in-play")
    settled = settles(deal, "ACA")
    assert settled.net == settles(worked("aca-quinola-thrown-off"), "ACA").net
    assert "misdeal costs nothing" in settled.passed_over[0]


def dealer(name: str) -> str:
    return str(printed(name)["dealer"])


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(1, 400), st.sampled_from(("south", "east", "north")))
def test_a_fault_that_denies_nothing_changes_nothing(rules: Rules, seed: int, seat: str) -> None:
    deal = lay_deal(heart_first=True, seed=seed)
    for siglum in SIGLA:
        wishes = ("exchange.who=everyone-but-dealer", "peek.bars=[]")
        before, after = (
            settle(deal, rules(siglum, *wishes)),
            settle(with_fault(deal, "peek", seat), rules(siglum, *wishes)),
        )
        assert isinstance(before, Settled) and isinstance(after, Settled)
        assert (before.net, before.pool, before.outcome) == (after.net, after.pool, after.outcome)
        assert [(e.name, e.postings) for e in before.entries] == [(e.name, e.postings) for e in after.entries]


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(1, 400), st.sampled_from(("south", "east", "north")))
def test_who_is_barred_from_everything_receives_nothing(rules: Rules, seed: int, seat: str) -> None:
    deal = with_fault(lay_deal(heart_first=True, seed=seed), "peek", seat)
    wishes = (f"peek.bars=[{EVERY}]", "barred.partie=next-best", "peek.forced-stake=matches")
    for siglum in ("PAM", "ACA"):
        found = settle(deal, rules(siglum, *wishes))
        assert isinstance(found, Settled) and sum(found.net.values()) == 0
        number = deal.seats.index(seat)
        assert not [p for e in found.entries for p in e.postings if p.payee == number and not p.undoes]


# ---- the record


def test_a_fault_goes_there_and_back() -> None:
    for name in ("pam-misdeal-bought-back", "pam-misdeal-too-late", "pam-ten-cards", "pam-undiscarded"):
        deal = worked(name)
        assert read(write_deal(deal)) == deal
    assert [worked(name).hand_size for name in ("pam-ten-cards", "pam-undiscarded")] == [11, 11]
    shown: Any = write_deal(worked("pam-misdeal-bought-back"))["faults"]
    assert shown == [{"kind": "misdeal", "seat": "west", "noticed": "before-discard", "redeemed": True}]


@in_one_test("rule", ENTRY_PHRASES)
def test_every_rule_can_be_said_of_one_who_is_barred(rule: str, settles: Settle) -> None:
    fact = next(f.fact for f in settles(worked("pam-ten-cards"), "PAM").entries if f.fact.kind == "quinola")
    told = describe_entry(Entry(rule, fact, "quinola-thrown-off", (), (), "barred"), ("south", "east", "north", "west"))
    assert re.fullmatch(r"(Trick 7|At the end|Before the play): [a-z].*[a-z0-9]", told) and "  " not in told
    assert "empty stake" not in told and "too late" not in told


@pytest.mark.parametrize("name", ["pam-misdeal-too-late", "pam-card-turned-up", "badly-shuffled"])
def test_the_result_of_a_void_deal_agrees_with_its_schema(rules: Rules, name: str) -> None:
    found: Any = result(settle(worked(name), rules("PAM" if name.startswith("pam") else "ACA")))
    assert found["outcome"]["void"] is True and found["outcome"]["partie"] is None
    assert list(validator("result").iter_errors(found)) == []


@pytest.mark.parametrize(
    ("fault", "again", "deal", "other"),
    [
        ("undiscarded", "undiscarded", "pam-undiscarded", "misdeal"),  # a card taken for none
        ("ten-cards", "two-discarded", "pam-ten-cards", "undiscarded"),  # two cards discarded for one
    ],
)
def test_a_fault_in_the_exchange_makes_the_deal_void_where_the_source_says_so(
    settles: Settle, fault: str, again: str, deal: str, other: str
) -> None:
    faulty = worked(deal)
    void = settles(faulty, "PAM", f"deal.again=[{again}]")
    assert void.outcome.void and not any(void.net.values()) and void.outcome.next_dealer == faulty.dealer
    assert [(e.name, e.reason) for e in void.entries] == [(fault, "nobody-pays")]
    assert "deal.again" in void.entries[0].asked and f"{fault}.bars" not in void.asked
    assert settles(faulty, "PAM", f"deal.again=[{other}]").net == settles(faulty, "PAM").net
