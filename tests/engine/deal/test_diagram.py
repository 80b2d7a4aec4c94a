"""Deals written in both forms and read again; deals read from diagrams as card books print them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
import yaml

from engine.cards import CARD_SUITS, HEARTS_INDEX, format_card, sort_cards, suit_of
from engine.deal.diagram import read_diagram
from engine.deal.model import OPTIONAL, Deal
from engine.deal.pool import Pool
from engine.deal.writer import long_form, write_deal
from engine.generation.deal import random_deal
from reversis.cli.deal import format_record_yaml
from rulebook.io.strict_yaml import read_yaml
from tests.support.deal_records import PATHS
from tests.support.deals import read
from tests.support.schemas import validator
from tests.support.settling import Rules

SIGNS = dict(zip(CARD_SUITS, "♠♥♦♣", strict=True))


def strict(text: str) -> Any:
    data, _, problems = read_yaml(text)
    assert problems == []
    return data


# ---- writing and reading
def forms(deal: Deal) -> list[dict[str, object]]:
    return [write_deal(deal), long_form(write_deal(deal))]


@pytest.mark.slow
def test_a_worked_deal_survives_both_forms_in_yaml_and_json(sampled_deals: tuple[Deal, ...]) -> None:
    for deal, form in ((one, form) for one in sampled_deals for form in forms(one)):
        plain = json.loads(json.dumps(form, default=dict))
        assert list(validator("deal").iter_errors(plain)) == [], deal.id
        assert read(plain) == deal, deal.id
        assert read(strict(format_record_yaml(plain))) == deal, deal.id
        assert yaml.load(format_record_yaml(plain), yaml.CSafeLoader) == plain, deal.id


@pytest.mark.slow
@pytest.mark.parametrize("source", ["PAM", "ACA", "GER", "PAR"])
def test_a_deal_by_lot_survives_both_forms_and_agrees_with_the_schema(rules: Rules, source: str) -> None:
    for seed in range(10):
        deal = random_deal(rules(source), seed)
        for form in forms(deal):
            assert list(validator("deal").iter_errors(json.loads(json.dumps(form)))) == []
            assert read(form) == deal == read(strict(format_record_yaml(form)))


def test_the_long_form_leaves_nothing_unsaid(rules: Rules) -> None:
    form = long_form(write_deal(random_deal(rules("PAM"), 1)))
    assert set(OPTIONAL) <= set(form)
    hands: Any = form["hands"]
    assert all(isinstance(hand, list) and len(hand) == 11 for hand in hands.values())
    assert form["pool"] == {"stake": 60, "waiting": [], "supplements_paid": False}
    assert long_form(form) == form


def test_the_compact_form_has_its_cards_in_lines(rules: Rules) -> None:
    form = write_deal(random_deal(rules("PAM"), 1))
    assert isinstance(form["talon"], str) and all(isinstance(row, str) for row in form["tricks"])  # type: ignore[attr-defined]


def test_a_pool_of_each_source_is_spelt_out_for_each() -> None:
    deal = read(strict(PATHS[0].read_text(encoding="utf-8")))
    raw = write_deal(deal) | {"pool": {"PAM": {"stake": 5}, "ACA": {"waiting": [3]}}}
    assert long_form(raw)["pool"] == {
        "PAM": {"stake": 5, "waiting": [], "supplements_paid": False},
        "ACA": {"stake": 0, "waiting": [3], "supplements_paid": False},
    }


# ---- diagrams
COMPASS = """\
Title: As a book prints it
                    North
                    ♠ K Q 6
                    ♥ 8 5 3
                    ♦ 7 4
                    ♣ J 8 7
West (dealer)                        East
♠ J 4 3                              ♠ 9 7 5 2
♥ K 9 4                              ♥ 6 2
♦ K 8                                ♦ J 9 6 3
♣ K 5 4                              ♣ 9
                    South
                    ♠ 8
                    ♥ A Q 7
                    ♦ AQ52
                    ♣ A 6 2
Talon: JH AS QC ♣3
Pool: 60

Tricks:
 1. QD 9D 4D KD
 2. West: ♠3 8S 7S KS
"""


def diagram(text: str) -> Deal:
    deal, problems = read_diagram(text)
    assert deal is not None, problems
    return deal


def test_a_compass_is_read() -> None:
    deal = diagram(COMPASS)
    record = write_deal(deal)
    assert record["hands"] == {
        "south": "8S AH QH 7H AD QD 5D 2D AC 6C 2C",
        "east": "9S 7S 5S 2S 6H 2H JD 9D 6D 3D 9C",
        "north": "KS QS 6S 8H 5H 3H 7D 4D JC 8C 7C",
        "west": "JS 4S 3S KH 9H 4H KD 8D KC 5C 4C",
    }
    assert (record["talon"], record["tricks"], record["dealer"]) == (
        "JH AS QC 3C",
        ["QD 9D 4D KD", "3S 8S 7S KS"],
        "west",
    )
    assert (deal.fragment, deal.pack, deal.title, deal.pool("").stake) == (True, 48, "As a book prints it", 60)


def test_a_compass_in_french_letters_is_the_same_deal() -> None:
    french = re.sub("[KQJ](?![a-z])", lambda court: "RDV"["KQJ".index(court[0])], COMPASS)
    assert "♠ R D 6" in french and "1. DD 9D 4D RD" in french
    assert diagram(french) == diagram(COMPASS)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("♣ K 5 4", "♣ R 5 4", 11), ("♦ AQ52", "♦ AD52", 15), ("Talon: JH", "Talon: VH", 17), ("♣3", "♣V", 17)],
    ids=["a suit", "without spaces", "a card", "a sign before its rank"],
)
def test_a_diagram_that_mixes_french_courts_with_english_ones_is_refused_with_its_line(
    old: str, new: str, line: int
) -> None:
    assert old in COMPASS
    deal, problems = read_diagram(COMPASS.replace(old, new))
    (mixed,) = (problem for problem in problems if "R, D, V and K, Q, J are mixed" in problem.what)
    assert deal is None and mixed.line == line and "write K, Q, J" in mixed.way_out


def drawn(deal: Deal) -> str:
    """A deal as a diagram, one hand below the other, letters for suits."""
    lines = [f"Seats: {', '.join(deal.seats)}", f"Dealer: {deal.seats[deal.dealer]}", "Pool: 60"]
    for seat, hand in zip(deal.seats, deal.hands, strict=True):
        lines.append(seat.capitalize())
        for number, suit in enumerate(CARD_SUITS):
            held = [format_card(c)[0].replace("T", "10") for c in sorted(hand) if suit_of(c) == number]
            lines.append(f"{suit}: {' '.join(held) or '-'}")
    lines.append(f"Talon: {' '.join(SIGNS[format_card(c)[1]] + format_card(c)[0] for c in deal.talon)}")
    return "\n".join([*lines, *(f"{n}) {' '.join(map(format_card, row))}" for n, row in enumerate(deal.tricks, 1))])


@pytest.mark.parametrize("source", ["PAM", "ACA"])
def test_a_diagram_of_any_deal_is_read_again(rules: Rules, source: str) -> None:
    for seed in range(12):
        deal = random_deal(rules(source), seed, exchange=False)
        again = diagram(drawn(deal))
        assert (again.seats, again.hands, again.talon, again.tricks, again.dealer, again.pack) == (
            deal.seats, deal.hands, deal.talon, deal.tricks, deal.dealer, deal.pack,
        )  # fmt: skip
        assert not again.fragment and again.pool("").stake == 60


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("♥ K 9 4 ", "♥ K 9 X ", 9, "'X' is no rank"),
        ("JH AS", "1H AS", 17, "'1H' is no card"),
        ("West (dealer)", "West         ", 1, "who deals is not known"),
        ("Pool: 60", "Pol: 60", 18, "'Pol' is no word"),
        ("Pool: 60", "Pool: many", 18, "pool is 'many'"),
        (" 2. West", " 3. West", 22, "trick 3 stands where trick 2 should"),
        ("West: ♠3", "East: ♠3", 22, "3S is west's, not East's"),
        (" 1. QD 9D 4D KD", " 1. QD 9D 4D QD", 21, "QD was played in trick 1"),
        ("♦ 7 4", "♦ 7 8", 7, "8D lies twice"),
        ("                    North", "                    ♠ 2", 2, "a suit without a name"),
        ("East\n", "Bob \n", 2, "order of play"),
        ("♦ 7 4", "! 7 4", 5, "neither a name nor a suit"),
    ],
)
def test_a_fault_in_a_diagram_is_told_with_its_line_and_the_way_out(old: str, new: str, line: int, said: str) -> None:
    assert COMPASS.count(old) == 1
    deal, problems = read_diagram(COMPASS.replace(old, new), "d.txt")
    assert deal is None
    assert any(said in p.what and p.line == line and p.file == "d.txt" and p.way_out for p in problems), problems


def test_an_empty_diagram_is_no_deal() -> None:
    deal, problems = read_diagram("")
    assert deal is None and any("no hands" in p.what for p in problems)


ROWS = """\
North
♠ K Q 6
♥ 8 5 3
♦ 7 4
♣ J 8 7
West (dealer)
♠ J 4 3
♥ K 9 4
♦ K 8
♣ K 5 4
South
♠ 8
♥ A Q 7
♦ A Q 5 2
♣ A 6 2
East
♠ 9 7 5 2
♥ 6 2
♦ J 9 6 3
♣ 9
Talon: JH AS QC 3C
"""
PLAY = "1. QD 9D 4D KD\n"


def problems(text: str) -> list[tuple[int, int, str, str]]:
    deal, found = read_diagram(text)
    assert deal is None
    return [(one.line, one.column, one.what, one.way_out) for one in found]


def shown(text: str) -> Deal:
    deal, found = read_diagram(text)
    assert deal is not None, found
    return deal


def record(text: str) -> dict[str, Any]:
    return write_deal(shown(text))


def test_a_fault_is_told_with_its_line_and_its_column() -> None:
    told = problems("Dealre: west\n" + ROWS)
    assert told[0] == (1, 1, "'Dealre' is no word of a diagram", "did you mean 'dealer'?")
    told = problems(ROWS.replace("♣ J 8 7", "♣ J 1 7"))
    assert (5, 1, "'1' is no rank", "write A K Q J T 9 ... 2, or a dash for a void") in told
    told = problems(ROWS + "1. QD 9X 4D KD\n")
    assert (22, 1, "'9X' is no card", "write rank and suit: AS KH QD JC TS 9H ... 2C, or ♠A ♥K") in told
    told = problems(ROWS + "2. QD 9D 4D KD\n")
    assert (22, 1, "trick 2 stands where trick 1 should", "number the rows in order, from 1") in told


# ---- how a fault is told
NO_WORD = "known are dealer, pack, seats, pool, title, note, deal, talon, and the players' names"
NO_SUIT = "begin a suit with ♠ ♥ ♦ ♣ or S: H: D: C:"
BESIDE = "cards go on the lines below the name, suit by suit"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("      ! 7\n" + ROWS, (1, 7, "'! 7' is neither a name nor a suit", NO_SUIT)),
        (ROWS + "    South\n", (22, 5, "the cards of south are given twice", "keep one; the first stand in line 11")),
        ("\nPack: 48\nPack: 48\n" + ROWS, (3, 1, "pack is said twice", "keep one; the first stands in line 2")),
        ("West: 5C\n", (1, 1, "cards beside the name West", BESIDE)),
        ("West:\n", (1, 1, "'West' is no word of a diagram", NO_WORD)),
        ("Es: west\n", (1, 1, "'Es' is no word of a diagram", NO_WORD)),
    ],
)
def test_a_fault_is_told_where_it_stands_with_the_way_out(text: str, told: tuple[int, int, str, str]) -> None:
    assert told in problems(text)


def test_a_number_of_too_many_digits_is_no_stake_and_no_number_of_a_trick() -> None:
    assert record("Pool: 123456789\n" + ROWS)["pool"]["stake"] == 123_456_789
    (one,) = problems("Pool: 1234567890\n" + ROWS)
    assert one[2:] == ("pool is '1234567890'", "write a whole number of at most 9 digits: Pool: 48")
    assert [what for _, _, what, _ in problems(ROWS + "1234567890. West: QD 9D 4D KD\n")] == [
        "trick '1234567890' stands where trick 1 should",
        "trick '1234567890': QD is south's, not West's",
    ]


def test_a_diagram_has_at_most_twenty_thousand_letters() -> None:
    assert record(ROWS.ljust(20_000, "\n")) == record(ROWS)
    told = (1, 1, "a diagram of 20001 letters", "give one deal; a diagram has at most 20000 letters")
    assert problems(ROWS.ljust(20_001, "\n")) == [told]


# ---- as it is printed
PRINTED = """\
Deal: mine
Title: a title
Seats: south, east, north, west
Pack: 48
Pool: 60

south       east        north     west (dealer)
♠ 8         ♠ 9 7 5 2   ♠ K Q 6   ♠ J 4 3
♥ A Q 7     ♥ 6 2       ♥ 8 5 3   ♥ –
♦ A Q 5 2   ♦ J 9 6 3   ♦ 7 4     ♦ K 8
♣ A 6 2     ♣ 9         ♣ J 8 7   ♣ K Q 5 4 3

Talon: J♥ A♠ K♥ 9♥ 4♥

 1. south: Q♦ 9♦ 4♦ K♦
 2. west: 3♠ 8♠ 7♠ K♠"""


def printed() -> Deal:
    return shown("Deal: mine\nTitle: a title\nPool: 60\n" + ROWS + PLAY + "2. 3S 8S 7S KS\n")


def test_a_printed_deal_shows_hands_side_by_side_and_who_led_each_trick() -> None:
    *others, west = printed().hands
    jack, ace, *clubs = printed().talon
    hearts = [card for card in sort_cards(west) if suit_of(card) == HEARTS_INDEX]
    without_hearts = west - {*hearts} | {*clubs}
    assert str(replace(printed(), hands=(*others, without_hearts), talon=(jack, ace, *hearts))) == PRINTED


@pytest.mark.parametrize(
    ("pools", "stake", "unsaid"),
    [
        ({"": Pool(60)}, True, False),
        ({"": Pool(60, (7,))}, True, True),
        ({"": Pool(60), "PAM": Pool(7)}, True, True),
        ({"PAM": Pool(7)}, False, True),
    ],
)
def test_of_pools_a_printed_deal_shows_one_stake_and_says_that_there_is_more(
    pools: dict[str, Pool], stake: bool, unsaid: bool
) -> None:
    lines = str(replace(printed(), pools=pools)).splitlines()
    assert ("Pool: 60" in lines, "# Not shown here: pool" in lines) == (stake, unsaid)
    assert stake == any(line.startswith("Pool:") for line in lines)
    assert unsaid == any(line.startswith("#") for line in lines)
