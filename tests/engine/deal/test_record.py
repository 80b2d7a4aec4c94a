"""The deal record: every fault at once, each with its place and the way out; there and back again."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import parse_card_name
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
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
    told = faults(with_hand(raw, "south", " ".join([east[0], *south[1:]])))
    assert any("lies twice" in t and east[0] in t for t in told)
    assert any("missing" in t and south[0] in t for t in told)
    assert any("nobody" in t and south[0] in t for t in told)


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
