"""Playing a record card by card: what is refused, with the card, the trick, what was legal, and the clauses."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.cards import CARD_SUITS, format_cards, make_card_mask, parse_card_name
from engine.deal.model import Deal, Exchange
from engine.play.replay import check_exchange, play_card
from engine.play.table import PlayTable, seat_players
from engine.play.trick import find_legal_follows, find_legal_leads, find_taking_card, select_suit
from engine.readings.ask import Ask
from engine.settlement.result_json import result
from engine.settlement.settle import Refused
from rulebook.model import Ruleset
from tests.support.deals import ACES_HAND, FIVE, Laid, held_past, laid, lay_deal, mixed, read, record, revoke
from tests.support.settling import Refuse, Rules, Settle


def told(refused: Refused) -> list[dict[str, object]]:
    found = result(refused)["refused"]
    assert isinstance(found, list) and found
    for row in found:
        assert row["message"] and row["clauses"], row
    return found


@cache
def revoked(listed: bool = False) -> Deal:
    """East throws a club on a spade in trick 5, though he holds the six of spades."""
    return lay_deal(
        tricks={5: "south:9S! east:7C"},
        hands={"east": "6S"},
        without={"east": "S"},
        revokes=[(5, "east")],
        heart_first=True,
        where=held_past("6S", 5),
        told={"faults": [revoke(5)] if listed else []},
    )


@pytest.mark.parametrize(
    ("source", "clause"), [("PAM", "PAM.c013"), ("ACA", "ACA.c005"), ("GER", "GER.c008"), ("PAR", "PAR.c009")]
)
def test_a_revoke_is_refused_with_card_trick_and_clause(refuses: Refuse, source: str, clause: str) -> None:
    (row,) = told(refuses(revoked(), source))
    assert (row["trick"], row["seat"], row["card"], row["legal"]) == (5, "east", "7C", ["6S"])
    assert clause in row["clauses"]  # type: ignore[operator]
    assert "trick 5" in str(row["message"]) and "7C" in str(row["message"]) and "6S" in str(row["message"])


def test_a_revoke_on_record_stands(settles: Settle) -> None:
    for source in ("PAM", "ACA", "GER"):
        assert settles(revoked(True), source).entries


def test_suit_need_not_be_followed_where_that_is_the_answer(settles: Settle) -> None:
    assert settles(revoked(), "PAM", "play.follow=need-not").entries


@cache
def spade_first() -> Deal:
    return lay_deal(tricks={1: "south:9S!"}, hands={"south": "5H"}, where=mixed)


def test_aca_s0016_ger_s0042_the_first_lead_must_be_a_heart(refuses: Refuse, settles: Settle) -> None:
    for source, clause in (("ACA", "ACA.c016"), ("GER", "GER.c033")):
        (row,) = told(refuses(spade_first(), source))
        assert row["trick"] == 1 and row["card"] == "9S" and clause in row["clauses"]  # type: ignore[operator]
        assert "5H" in row["legal"] and all(c[1] == "H" for c in row["legal"])  # type: ignore[operator, attr-defined]
    for source in ("PAM", "PAR"):
        assert settles(spade_first(), source).entries


def with_rows(d: Laid, rows: dict[int, str]) -> Deal:
    written = [rows.get(t, " ".join(row)) for t, row in enumerate(d.tricks, 1)]
    return read(record(d) | {"tricks": written})


def test_the_wrong_leader_is_refused(refuses: Refuse) -> None:
    d = laid(where=mixed)
    row = d.tricks[2]
    deal = with_rows(d, {3: " ".join([*row[1:], row[0]])})
    first = told(refuses(deal, "PAM"))[0]
    assert first["trick"] == 3 and first["card"] == row[1] and "leads" in str(first["message"])
    assert row[0] in first["legal"]  # type: ignore[operator]


def test_the_wrong_turn_is_refused_unless_it_is_on_record(refuses: Refuse, settles: Settle) -> None:
    d = laid(where=lambda d: mixed(d) and d.takers[1] == "south")
    row = d.tricks[2]  # south leads; north plays before east
    swapped = " ".join([row[0], row[2], row[1], row[3]])
    first = told(refuses(with_rows(d, {3: swapped}), "PAM"))[0]
    assert first["trick"] == 3 and first["card"] == row[2] and "turn" in str(first["message"])
    raw = record(d, faults=[{"kind": "out-of-turn", "seat": "north", "trick": 3}])
    rows = [" ".join(r) for r in d.tricks]
    settled = settles(read(raw | {"tricks": [*rows[:2], swapped, *rows[3:]]}), "PAM")
    assert [e.fact.player for e in settled.entries if e.rule == "fine"] == [2]
    assert settled.net == settles(read(raw), "PAM").net


def test_all_faults_are_told_at_once(refuses: Refuse) -> None:
    d = lay_deal(
        tricks={1: "south:9S!", 5: "south:8S! east:7C"},
        hands={"south": "5H", "east": "6S"},
        revokes=[(5, "east")],
        where=held_past("6S", 5),
    )
    rows = told(refuses(d, "ACA"))
    assert [(r["trick"], r["card"]) for r in rows] == [(1, "9S"), (5, "7C")]


def test_pam_s0003_par_n01_five_players_are_too_many(refuses: Refuse) -> None:
    d = lay_deal(dealer="ann", seats=FIVE)
    for source, clause in (("PAM", "PAM.c001"), ("PAR", "PAR.c001")):
        row = told(refuses(d, source))[0]
        assert "5 players" in str(row["message"]) and clause in row["clauses"]  # type: ignore[operator]


def test_pam_s0003_the_tens_are_left_out(refuses: Refuse, settles: Settle) -> None:
    deal = lay_deal(pack=52, heart_first=True)
    row = told(refuses(deal, "PAM"))[0]
    assert "52 cards" in str(row["message"]) and "PAM.c002" in row["clauses"]  # type: ignore[operator]
    for source in ("ACA", "GER"):
        assert settles(deal, source).entries


def test_aca_x_a2_nine_cards_and_a_talon_of_seven(refuses: Refuse, settles: Settle) -> None:
    d = laid(dealer="ann", pack=52, seats=FIVE, heart_first=True)
    last = {c for row in d.tricks[9:] for c in row}
    nine = Laid(
        d.seats,
        {s: tuple(c for c in h if c not in last) for s, h in d.hands.items()},
        (*d.talon, *sorted(last)),
        d.tricks[:9],
        d.takers[:9],
    )
    deal = read(record(nine, dealer="ann", pack=52))
    ten = read(record(d, dealer="ann", pack=52))
    for source in ("ACA", "GER"):  # seven is a misprint for one
        assert "talon of 7" in str(told(refuses(deal, source))[0]["message"])
        assert settles(ten, source).entries is not None
    assert settles(deal, "ACA", "ACA.i02").entries is not None  # or it is right, and nothing else is
    assert "talon of 2" in str(told(refuses(ten, "ACA", "ACA.i02"))[0]["message"])


# ---- the quinola alone: X-A9, X-G13
@cache
def kept_back(trick: int, hearts_before: int = 1) -> Deal:
    """East, with the quinola as his only heart, throws another card on a heart led in this trick."""
    tricks = {1: "south:6H! east:2H", trick: "south:5H! east:7C"}

    def rightly(d: Laid) -> bool:
        led = sum(row[0][1] == "H" for row in d.tricks[: trick - 1])
        return held_past("JH", trick)(d) and led == hearts_before

    return lay_deal(
        tricks=tricks,
        hands={"east": "JH 3H" if hearts_before == 2 else "JH"},
        without={"east": "H"},
        revokes=[(trick, "east")],
        heart_first=True,
        where=rightly,
    )


def test_aca_x_a9_the_lone_quinola_must_follow_where_it_is_forced(refuses: Refuse) -> None:
    for source, clause in (("ACA", "ACA.c025"), ("GER", "GER.c011"), ("PAM", "PAM.c014"), ("PAR", "PAR.c010")):
        (row,) = told(refuses(kept_back(4), source))
        assert row["legal"] == ["JH"] and clause in row["clauses"]  # type: ignore[operator]


def test_aca_x_a9_free_after_two_tricks(refuses: Refuse, settles: Settle) -> None:
    for source in ("ACA", "GER"):
        assert settles(kept_back(4), source, "play.quinola-alone=free-after-two-tricks").entries
        assert told(refuses(kept_back(2), source, "play.quinola-alone=free-after-two-tricks"))
        assert settles(kept_back(2), source, "play.quinola-alone=free").entries
        two = "play.quinola-alone=free-after-two-heart-leads"
        assert told(refuses(kept_back(6, 1), source, two))
        assert settles(kept_back(6, 2), source, two).entries


# ---- the espagnolette's right
@cache
def renounces(trick: int, kept: int = 0) -> Deal:
    """East, with four aces, renounces in a trick; perhaps after a trick has stayed with him."""

    def rightly(d: Laid) -> bool:
        before = d.takers[: trick - 1].count("east")
        return held_past("6S", trick)(d) and (trick == 10 or (before > 0) == (kept > 0))

    tricks = {trick: "south:9S! east:7C"}
    return lay_deal(hands={"east": f"{ACES_HAND} 6S"}, tricks=tricks, revokes=[(trick, "east")], where=rightly)


def test_pam_s0087_he_may_renounce_in_the_first_nine_tricks(refuses: Refuse, settles: Settle) -> None:
    for source in ("PAM", "PAR"):
        assert settles(renounces(4), source).outcome.espagnolette is not None
    for source in ("ACA", "GER"):
        assert told(refuses(renounces(4), source, "play.first-lead=any"))


def test_pam_s0090_par_n47_he_must_follow_suit_in_the_tenth(refuses: Refuse) -> None:
    for source, clause in (("PAM", "PAM.c081"), ("PAR", "PAR.c061")):
        row = told(refuses(renounces(10), source))[-1]
        assert row["trick"] == 10 and row["card"] == "7C" and clause in row["clauses"]  # type: ignore[operator]


def test_pam_n10_a_kept_trick_costs_him_the_right(refuses: Refuse, settles: Settle) -> None:
    (row,) = told(refuses(renounces(7, 1), "PAM"))
    assert row["card"] == "7C" and "PAM.c082" in row["clauses"]  # type: ignore[operator]
    assert settles(renounces(7, 1), "PAM", "espagnolette.right-after-trick=kept").entries
    assert settles(renounces(7, 1), "PAR").outcome.espagnolette == (1, False)  # PAR.A17: undertaken, and at once lost


def test_pam_s0083_three_aces_without_the_quinola_give_no_right(refuses: Refuse) -> None:
    d = lay_deal(
        hands={"east": "AS AH AD 6S", "north": "AC JH"},
        tricks={4: "south:9S! east:7C"},
        revokes=[(4, "east")],
        where=held_past("6S", 4),
    )
    (row,) = told(refuses(d, "PAM"))
    assert "PAM.c080" in row["clauses"]  # type: ignore[operator]


# ---- the exchange: X-A15, X-G2, X-G16, X-G20
def exchange(hand: str, out: str, seat: str = "south", without: str = "") -> Deal:
    hands, swap = {seat: f"7C {hand}".strip()}, {"exchange": [{"seat": seat, "out": out, "in": "7C"}]}
    return lay_deal(hands=hands, talon=out, without={seat: without}, heart_first=True, where=mixed, told=swap)


def test_aca_s0016_ger_s0043_no_heart_may_be_discarded(refuses: Refuse, settles: Settle) -> None:
    deal = exchange("2H", "9H")
    for source in ("ACA", "GER"):
        row = told(refuses(deal, source))[0]
        assert row["card"] == "9H" and row["seat"] == "south"
    for source in ("PAM", "PAR"):
        assert settles(deal, source).entries


def test_aca_s0024_save_the_lone_king_or_queen_and_s0025_the_lone_quinola(refuses: Refuse, settles: Settle) -> None:
    for alone in ("KH", "QH", "JH"):
        assert settles(exchange("", alone, without="H"), "ACA").entries
    guarded = exchange("AH", "KH", without="H")
    assert told(refuses(guarded, "ACA"))
    assert settles(guarded, "GER").entries  # X-G20: no lower heart
    assert told(refuses(exchange("2H", "KH", without="H"), "GER"))
    assert told(refuses(exchange("", "JH", without="H"), "ACA", "exchange.heart-exception=[lone-king-or-queen]"))


def test_ger_x_g2_only_the_eldest_exchanges(refuses: Refuse, settles: Settle) -> None:
    deal = exchange("", "9C", seat="north")
    row = told(refuses(deal, "GER"))[0]
    assert row["seat"] == "north" and "GER.c005" in row["clauses"]  # type: ignore[operator]
    assert settles(deal, "GER", "exchange.who=everyone-but-dealer").entries
    assert settles(deal, "ACA").entries
    assert told(refuses(exchange("", "9C", seat="west"), "PAM"))  # the dealer takes nothing


def test_an_espagnolette_is_announced_by_its_holder_only(refuses: Refuse) -> None:
    said = {"announced": [{"what": "espagnolette", "seat": "north", "before": 1}]}
    (row,) = told(refuses(lay_deal(hands={"east": ACES_HAND}, where=mixed, told=said), "PAR"))
    assert "north announces espagnolette" in str(row["message"])


def test_the_legal_cards_of_a_refusal_are_named_in_order(refuses: Refuse) -> None:
    refused = refuses(spade_first(), "ACA").refusals[0]
    assert list(format_cards(refused.legal)) == told(refuses(spade_first(), "ACA"))[0]["legal"]


def test_pam_s0087_the_ninth_trick_is_the_last_in_which_he_may_renounce(settles: Settle) -> None:
    tricks, where = {9: "south:9S! east:7C"}, held_past("6S", 9)
    deal = lay_deal(hands={"east": f"{ACES_HAND} 6S"}, tricks=tricks, revokes=[(9, "east")], where=where)
    assert settles(deal, "PAR").outcome.espagnolette is not None


SOUTH, EAST, NORTH, WEST = range(4)


def table(ruleset: Ruleset, **keys: object) -> PlayTable:
    return seat_players(read(record(laid(where=mixed), **keys)), Ask(ruleset))


def held(at: PlayTable, seat: int, hand: str) -> PlayTable:
    at.hands[seat] = make_card_mask(map(parse_card_name, hand.split()))
    return at


# ---- what befell a card


# ---- before the first card
def exchanging(at: PlayTable, *exchange: Exchange) -> PlayTable:
    at.deal = replace(at.deal, exchange=exchange)
    return at


@pytest.mark.parametrize(("out", "taken"), [("9C", ""), ("", "9C")])
def test_who_has_exchanged_by_half_has_not_kept_the_hand(rules: Rules, out: str, taken: str) -> None:
    at = table(rules("PAM", "exchange.duty=compulsory", "exchange.hearts=allowed"))
    check_exchange(exchanging(at, Exchange(SOUTH, *(parse_card_name(one) if one else None for one in (out, taken)))))
    assert at.refusals == []
    check_exchange(exchanging(at, Exchange(SOUTH)))
    assert [refusal.message for refusal in at.refusals] == ["south must exchange a card"]


# ---- faults and wrong leads


@pytest.mark.parametrize(("played", "fault"), [("9S", True), ("8C", False)])
def test_an_unlawful_card_taken_back_is_a_fault_where_suit_was_followed_in_its_place(
    rules: Rules, played: str, fault: bool
) -> None:
    """Who threw a card off by right had none of the suit, so that no card of the trick could be unlawful."""
    faults = [{"kind": "revoke", "seat": "east", "trick": 4}]
    at = table(rules("PAM", "revoke.card=taken-back"), faults=faults)
    at.holder = None
    play_card(held(at, EAST, f"{played} 5H"), 4, EAST, parse_card_name(played), parse_card_name("KS"))
    assert (EAST in at.culprits) is fault and bool(at.passed_over) is not fault


def test_who_leads_first_is_another_question_than_who_leads_next(refuses: Refuse) -> None:
    d = laid(where=mixed)
    for number, question, other in (
        (1, "play.first-leader", "play.next-leader"),
        (2, "play.next-leader", "play.first-leader"),
    ):
        rows = [list(row) for row in d.tricks]
        rows[number - 1] = [*rows[number - 1][1:], rows[number - 1][0]]
        raw = record(d) | {"tricks": [" ".join(row) for row in rows]}
        first = refuses(read(raw), "PAM").refusals[0]
        assert first.trick == number and question in first.asked and other not in first.asked
        led, (leader, next_) = rows[number - 1][0], (held_by(d, card) for card in d.tricks[number - 1][:2])
        assert first.message == f"trick {number}: {leader} leads, but {led} is {next_}'s"
        assert first.seat == d.seats.index(next_)


def held_by(d: Laid, card: str) -> str:
    return next(seat for seat, hand in d.hands.items() if card in hand)


STRENGTH = tuple(range(13))
HEARTS = CARD_SUITS.index("H")


def hand(text: str) -> int:
    return make_card_mask(map(parse_card_name, text.split()))


def row(text: str) -> tuple[int, ...]:
    return tuple(map(parse_card_name, text.split()))


def test_the_leader_plays_anything_unless_a_suit_is_demanded() -> None:
    assert find_legal_leads(hand("5H 9S"), -1) == hand("5H 9S")
    assert find_legal_leads(hand("5H 9S"), HEARTS) == hand("5H")
    assert find_legal_leads(hand("9S 8C"), HEARTS) == hand("9S 8C")


def test_a_follower_plays_the_suit_led_if_he_can() -> None:
    held = hand("5H JH 9S")
    assert find_legal_follows(held, HEARTS, 1, 0, 0) == hand("5H JH")
    assert find_legal_follows(held, CARD_SUITS.index("D"), 1, 0, 0) == held


def test_the_privilege_and_the_free_card_open_the_whole_hand() -> None:
    held = hand("JH 9S")
    assert find_legal_follows(held, HEARTS, 1, 0, 0) == hand("JH")
    assert find_legal_follows(held, HEARTS, 1, 1, 0) == held
    assert find_legal_follows(held, HEARTS, 1, 0, hand("JH")) == held
    assert find_legal_follows(hand("5H JH 9S"), HEARTS, 1, 0, hand("JH")) == hand("5H JH")  # free only when it is alone
    assert find_legal_follows(held, HEARTS, 0, 0, 0) == held


def test_the_highest_of_the_suit_led_takes() -> None:
    assert find_taking_card(row("5S 9S AH KS"), STRENGTH, -1) == 3
    assert find_taking_card(row("5S AH AD AC"), STRENGTH, -1) == 0


def test_a_thrown_quinola_takes_only_where_it_is_a_trump() -> None:
    quinola = parse_card_name("JH")
    assert find_taking_card(row("5S JH AS KS"), STRENGTH, quinola) == 1
    assert find_taking_card(row("5H JH AH KH"), STRENGTH, quinola) == 2
    assert find_taking_card(row("JH AH 2H 3H"), STRENGTH, quinola) == 1


def test_a_suit_of_a_hand() -> None:
    assert select_suit(hand("AS KH 2H"), HEARTS) == hand("KH 2H")
