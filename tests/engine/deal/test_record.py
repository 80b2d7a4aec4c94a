"""The deal record: every fault at once, each with its place and the way out; there and back again."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import parse_card_name
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from rulebook.io.plain_values import MAX_WHOLE_NUMBER, TOO_LONG
from rulebook.problems import Problem, Where
from tests.support.deals import fresh, laid, read, record


def faults(raw: object) -> list[str]:
    deal, problems = read_deal(raw)
    assert deal is None and problems
    assert all(p.way_out for p in problems)
    return [p.what for p in problems]


def test_a_record_goes_there_and_back() -> None:
    d = laid(hands={"south": "7C"}, talon="5D")
    raw = record(
        d,
        exchange=[{"seat": "south", "out": "5D", "in": "7C", "looked": True}],
        claims={d.tricks[0][0]: False},
        announced=[{"what": "espagnolette", "seat": "east", "before": 2}],
        faults=[{"kind": "out-of-turn", "seat": "north", "trick": 3}],
        pool={"PAM": {"stake": 45}, "PAR": {"stake": 25, "waiting": [20], "supplements_paid": True}},
        cites=["PAM.s0001"],
        note="a note",
    )
    deal = read(raw)
    again = read(write_deal(deal))
    assert again == deal and write_deal(again) == write_deal(deal)
    assert deal.pool("PAR") == Pool(25, (20,), True) and deal.pool("GER") == Pool(0)
    assert deal.claims == {parse_card_name(d.tricks[0][0]): False}
    assert deal.holder(parse_card_name("7C")) == 0 and deal.holder(parse_card_name("5D")) is None


def with_hand(raw: dict[str, Any], seat: str, hand: str) -> dict[str, Any]:
    return {**raw, "hands": {**raw["hands"], seat: hand}}


def test_the_same_card_twice_and_the_one_that_is_missing_are_both_told() -> None:
    raw = fresh()
    south, east = raw["hands"]["south"].split(), raw["hands"]["east"].split()
    (fault,) = problems(with_hand(raw, "south", " ".join([east[0], *south[1:]])))
    assert "lies twice" in fault.what and east[0] in fault.what
    assert f"nowhere lies {south[0]}" in fault.way_out


def test_every_fault_is_told_at_once() -> None:
    told = faults(fresh() | {"dealer": "wets", "pack": 50, "colour": "red", "provenance": "dreamt"})
    for word in ("wets", "50", "colour", "dreamt"):
        assert any(word in t for t in told)


def test_a_misspelt_key_is_guessed() -> None:
    _, problems = read_deal(fresh() | {"trickss": []})
    assert any("did you mean 'tricks'?" in p.way_out for p in problems)


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ({"exchange": [{"seat": "south", "outt": "5D"}]}, "outt"),
        ({"faults": [{"kind": "revoke", "seat": "south", "trick": 2, "colour": 1}]}, "colour"),
        ({"faults": [{"kind": "yawning", "seat": "south", "trick": 2}]}, "yawning"),
        ({"faults": [{"kind": "revoke", "seat": "south"}]}, "trick"),
        ({"announced": [{"what": "marriage", "seat": "south"}]}, "marriage"),
        ({"announced": {"what": "reversis"}}, "list"),
        ({"pool": {"stake": -1}}, "stake"),
        ({"pool": {"steak": 1}}, "steak"),
        ({"pool": {"stake": 1, "waiting": ["x"]}}, "waiting"),
        ({"claims": ["AS"]}, "claims"),
        ({"seats": ["south", "east", "pool", "west"]}, "seats"),
        ({"seats": ["south", "east", "east", "west"]}, "seats"),
        ({"tricks": "AS"}, "tricks"),
        ({"hands": None}, "hands"),
    ],
)
def test_what_is_wrong_is_named(keys: dict[str, object], word: str) -> None:
    assert any(word in t for t in faults(fresh() | keys))


def test_laid_out_cards_lie_in_the_talon_and_taken_ones_in_the_hand() -> None:
    d = laid(hands={"south": "7C", "east": "8C"}, talon="5D")
    told = faults(record(d, exchange=[{"seat": "south", "out": "8C", "in": "7C"}]))
    assert told == ["8C was laid out, but is not in the talon"]
    told = faults(record(d, exchange=[{"seat": "south", "out": "5D", "in": "8C"}]))
    assert told == ["8C was taken, but is not in the hand of south"]


def test_a_card_of_the_talon_cannot_be_played_nor_one_twice() -> None:
    d = laid()
    rows = [" ".join(r) for r in d.tricks]
    aside = record(d) | {"tricks": [rows[0].replace(d.tricks[0][0], d.talon[0]), *rows[1:]]}
    assert any("nobody's hand" in t and d.talon[0] in t and "trick 1" in t for t in faults(aside))
    twice = record(d) | {"tricks": [*rows[:10], rows[0]]}
    assert any("played in trick 1 already" in t for t in faults(twice))


def test_too_few_tricks_are_a_fragment_or_a_fault() -> None:
    d = laid()
    short = record(d) | {"tricks": [" ".join(r) for r in d.tricks[:3]]}
    assert any("3 tricks" in t for t in faults(short))
    assert read(short | {"fragment": True}).fragment


def test_hands_of_unlike_size_are_told() -> None:
    raw = fresh()
    first, *south = raw["hands"]["south"].split()
    told = faults(with_hand(raw, "south", " ".join(south)) | {"talon": f"{raw['talon']} {first}"})
    assert any("not of one size" in t for t in told)


def test_a_problem_says_where_it_stands() -> None:
    _, problems = read_deal(fresh() | {"dealer": "nobody"})
    assert [p.file for p in problems] == ["dealer"]


def test_what_is_no_table_is_no_deal() -> None:
    assert faults(["AS"]) == ["this is no deal record"]


def problems(raw: object) -> list[Problem]:
    deal, found = read_deal(raw)
    assert deal is None
    return found


def told(raw: object) -> list[str]:
    return [problem.what for problem in problems(raw)]


# ---- how much
def test_a_stake_may_be_of_any_size_that_a_table_has_ever_seen() -> None:
    assert MAX_WHOLE_NUMBER == 1_000_000_000_000_000
    assert read(fresh(pool={"stake": MAX_WHOLE_NUMBER})).pool("PAM").stake == MAX_WHOLE_NUMBER
    (one,) = problems(fresh(pool={"stake": MAX_WHOLE_NUMBER + 1}))
    assert one.what == "the stake is far too large" and one.way_out.endswith(f"0 or more, at most {MAX_WHOLE_NUMBER}")
    (one,) = problems(fresh(pool={"stake": -1}))
    assert one.what == "the stake is -1" and one.way_out == "write a whole number, 0 or more"


@pytest.mark.parametrize("stake", [True, -MAX_WHOLE_NUMBER], ids=["yes is no number", "far below nought is no size"])
def test_a_stake_that_is_none_is_not_too_large_but_wrong(stake: int) -> None:
    assert told(fresh(pool={"stake": stake})) == [f"the stake is {stake}"]


def test_a_number_that_nobody_could_read_is_not_even_told() -> None:
    assert int("1" + 100 * "0") == TOO_LONG
    assert "a number of more digits than anybody can read" not in told(fresh(pool={"stake": TOO_LONG - 1}))
    for number in (TOO_LONG, -TOO_LONG):
        assert told(fresh(pool={"stake": number})) == ["a number of more digits than anybody can read"]


def test_half_a_letter_is_told_where_it_stands_also_in_a_key() -> None:
    (one,) = problems(fresh(note="\ud800 half"))
    assert (one.file, one.what) == ("note", "'\\ud800 half' has half a letter, U+D800")
    assert [p.file for p in problems(fresh(expect={"\udc00": "\ud800"}))] == ["expect", "expect/'\\udc00'"]
    assert [p.file for p in problems(fresh(expect={7: "\ud800"}))] == ["expect/int"]


# ---- faults on record


def test_only_the_dealer_of_an_incomplete_pack_may_miss_cards() -> None:
    raw = fresh()
    first, *talon = raw["talon"].split()
    missing = raw | {"talon": " ".join(talon)}
    assert told(missing) == [f"missing from hands and talon: {first}"]
    short = missing | {"faults": [{"kind": "incomplete-pack", "seat": raw["dealer"]}]}
    assert len(read(short).talon) == len(talon)


# ---- what a record must have, and how it is told


def test_a_card_that_lies_twice_is_told_with_both_its_places() -> None:
    raw = fresh()
    hands = raw["hands"]
    south, east = hands["south"].split(), hands["east"].split()
    twice = raw | {"hands": {**hands, "east": " ".join([south[0], *east[1:]])}}
    assert f"{south[0]} lies twice: in the hand of south and in the hand of east" in told(twice)
    talon = raw | {"talon": " ".join([south[0], *raw["talon"].split()[1:]])}
    assert f"{south[0]} lies twice: in the hand of south and in talon" in told(talon)


# ---- where a fault stands, and the way out
def at(raw: object) -> list[tuple[str, str, str]]:
    return [(problem.file, problem.what, problem.way_out) for problem in problems(raw)]


def test_a_card_that_is_not_held_or_not_played_is_told_at_its_trick() -> None:
    d = laid()
    rows = [" ".join(row) for row in d.tricks]
    gone, seat = d.tricks[2][0], next(s for s, hand in d.hands.items() if d.tricks[2][0] in hand)
    missing = ("tricks/2", f"trick 3 has no card of {seat}'s", "each player plays one card to a trick")
    aside = ("tricks/2", f"trick 3: {d.talon[0]} is in nobody's hand", "play cards that are held when play begins")
    assert at(record(d) | {"tricks": [*rows[:2], rows[2].replace(f"{gone} ", ""), *rows[3:]]}) == [missing]
    assert at(record(d) | {"tricks": [*rows[:2], rows[2].replace(gone, d.talon[0]), *rows[3:]]}) == [missing, aside]


@pytest.mark.parametrize("seat", ["south", "north"])
@pytest.mark.parametrize("cards", [1, 2])
def test_a_short_hand_is_one_fault_at_its_place_whatever_follows_from_it(seat: str, cards: int) -> None:
    d = laid()
    held = [*d.hands[seat]]
    counts = ", ".join(f"{s} {len(h) - cards * (s == seat)}" for s, h in d.hands.items())
    ((place, what, way_out),) = at(with_hand(record(d), seat, " ".join(held[cards:])))
    assert place == f"hands/{seat}" and way_out == f"every card of the pack must lie somewhere; now hold {counts}"
    assert {*what.removeprefix("missing from hands and talon: ").split()} == {*held[:cards]}


def test_a_card_that_lies_twice_for_another_or_in_a_hand_too_long_is_one_fault() -> None:
    d, raw = laid(), fresh()
    first, second, *south = d.hands["south"]
    twice = f"a card lies in one place only; nowhere lies {first}"
    assert [fault[2] for fault in at(with_hand(raw, "south", " ".join([second, second, *south])))] == [twice]
    long = at(with_hand(raw, "south", " ".join([*d.hands["south"], d.talon[0]])))
    assert [fault[1] for fault in long] == [f"{d.talon[0]} lies twice: in the hand of south and in talon"]


def test_what_everybody_holds_is_said_only_where_everybody_does() -> None:
    d = laid()
    card, *talon = d.talon
    raw = record(d) | {"talon": " ".join(talon)}
    sizes = "the hands are not of one size: south 12, east 11, north 11, west 11"
    assert told(with_hand(raw, "south", " ".join([*d.hands["south"], card]))) == [sizes]


@pytest.mark.parametrize(("seat", "misspelt"), [("west", "wset"), ("south", "suoth")])
def test_a_misspelt_seat_is_one_fault_at_its_place_in_the_list_or_among_the_hands(seat: str, misspelt: str) -> None:
    raw = fresh(expect={"PAM": {"net": {"south": 1, "west": -1}}})
    seats, hands = raw["seats"], raw["hands"]
    in_list = raw | {"seats": [misspelt if one == seat else one for one in seats]}
    assert at(in_list) == [(f"seats/{seats.index(seat)}", f"no hand for {misspelt}", f"did you mean '{seat}'?")]
    in_hands = raw | {"hands": {misspelt if one == seat else one: cards for one, cards in hands.items()}}
    assert at(in_hands) == [
        (f"hands/{misspelt}", f"no seat '{misspelt}', and no hand for {seat}", f"did you mean '{seat}'?")
    ]


@pytest.mark.parametrize(
    ("file", "named"), [("mine.yaml", "mine.yaml"), ("mine.json", "mine.json"), ("standard input", "FILE")]
)
def test_the_command_that_finds_a_card_names_the_file_of_the_record(file: str, named: str) -> None:
    raw = fresh()
    _, (unknown, *_) = read_deal(raw | {"talon": f"? {raw['talon']}"}, lambda place: Where(file))
    assert (unknown.what, unknown.way_out) == ("'?' is no card", f"`reversis deal fill {named} --source S` finds it")
    _, (wrong, *_) = read_deal(raw | {"talon": f"1S {raw['talon']}"}, lambda place: Where(file))
    assert wrong.way_out == "write rank and suit: AS KH QD JC TS 9H ... 2C"


# ---- further pools


def test_a_pool_that_is_none_is_told_where_it_stands() -> None:
    hint = "write pool: {stake: 60, waiting: []}"
    assert at(fresh(pool=5)) == [("pool", "the pool must be a table", hint)]
    assert at(fresh(pool={"others": {"QH": 5}})) == [("pool/others/QH", "the pool must be a table", hint)]
    ((_, what, way_out),) = at(fresh(pool={"others": 5}))
    assert (what, way_out) == ("others must be a table", "write others: {QH: {stake: 39, waiting: []}}")
    assert [where for where, _, _ in at(fresh(pool={"others": {"XX": {}}}))] == ["pool/others/XX"]
