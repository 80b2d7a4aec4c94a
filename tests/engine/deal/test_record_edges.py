"""The record of a deal at its edges: how large, how deep, how long; and what each fault on record must and may tell."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from engine.deal.events import Announcement, Fact, Fault
from engine.deal.model import FAULT_KIND_BY_NAME, REQUIRED, Exchange, FaultKind, Gift
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import long_form, write_deal
from rulebook.io.plain_values import MAX_NESTING_DEPTH, MAX_WHOLE_NUMBER, TOO_LONG
from rulebook.problems import Problem, Where
from tests.support.deals import FOUR, fresh, laid, read, record


def problems(raw: object) -> list[Problem]:
    deal, found = read_deal(raw)
    assert deal is None
    return found


def told(raw: object) -> list[str]:
    return [one.what for one in problems(raw)]


def nested(depth: int) -> object:
    raw: object = 1
    for _ in range(depth):
        raw = [raw]
    return raw


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


def test_a_record_nests_so_deep_and_no_deeper() -> None:
    def expecting(depth: int) -> dict[str, object]:
        return fresh(expect={"PAM": {"outcome": {"partie": nested(depth)}}})

    assert read(expecting(MAX_NESTING_DEPTH - 4))
    (one,) = problems(expecting(MAX_NESTING_DEPTH - 3))
    assert one.what == "nests deeper than 40" and one.file.startswith("expect/PAM/outcome/partie/0/0/0")


def test_half_a_letter_is_told_where_it_stands_also_in_a_key() -> None:
    (one,) = problems(fresh(note="\ud800 half"))
    assert (one.file, one.what) == ("note", "'\\ud800 half' has half a letter, U+D800")
    assert [p.file for p in problems(fresh(expect={"\udc00": "\ud800"}))] == ["expect", "expect/'\\udc00'"]
    assert [p.file for p in problems(fresh(expect={7: "\ud800"}))] == ["expect/int"]


def test_a_long_text_with_half_a_letter_is_quoted_in_part() -> None:
    assert told(fresh(note="\ud800" + "x" * 100)) == ["'\\ud800" + "x" * 51 + "...' has half a letter, U+D800"]


# ---- faults on record
def test_what_each_kind_of_fault_does_to_the_cards() -> None:
    dealing = {kind for kind, one in FAULT_KIND_BY_NAME.items() if one.dealing}
    assert dealing == {"misdeal", "card-turned-up", "badly-shuffled", "incomplete-pack"}
    assert {kind for kind, one in FAULT_KIND_BY_NAME.items() if one.odd} == {"misdeal", "incomplete-pack"}
    assert {kind for kind, one in FAULT_KIND_BY_NAME.items() if one.short} == {"incomplete-pack"}
    assert {kind: one.over for kind, one in FAULT_KIND_BY_NAME.items() if one.over} == {
        "undiscarded": 1,
        "ten-cards": -1,
    }
    assert FaultKind("yawned") == FaultKind("yawned", (), (), False, 0, False, False)


@pytest.mark.parametrize("kind", [kind for kind, one in FAULT_KIND_BY_NAME.items() if one.dealing])
def test_a_fault_in_dealing_is_the_dealers(kind: str) -> None:
    fault = {"kind": kind, "seat": "south"} | ({"noticed": "in-play"} if kind == "misdeal" else {})
    assert f"a fault {kind} of 'south'" in told(fresh(faults=[fault]))


def test_a_fault_tells_what_its_kind_knows() -> None:
    (one,) = problems(fresh(faults=[{"kind": "revoke", "seat": "south", "trick": 2, "accepted": True}]))
    assert (one.what, one.way_out) == ("a fault revoke has no 'accepted'", "it knows trick")
    (one,) = problems(fresh(faults=[{"kind": "peek", "seat": "south", "trick": 2}]))
    assert (one.what, one.way_out) == ("a fault peek has no 'trick'", "kind and seat are enough")


def test_a_trick_of_a_fault_is_counted_from_one() -> None:
    assert told(fresh(faults=[{"kind": "revoke", "seat": "south", "trick": 0}])) == ["trick is 0"]
    assert told(fresh(announced=[{"what": "reversis", "seat": "south", "before": 0}])) == ["before is 0"]


def test_only_the_dealer_of_an_incomplete_pack_may_miss_cards() -> None:
    raw = fresh()
    first, *talon = raw["talon"].split()
    missing = raw | {"talon": " ".join(talon)}
    assert told(missing) == [f"missing from hands and talon: {first}"]
    short = missing | {"faults": [{"kind": "incomplete-pack", "seat": raw["dealer"]}]}
    assert len(read(short).talon) == len(talon)


def test_with_two_cards_laid_away_for_one_the_others_tell_how_many_tricks_there_are() -> None:
    d = laid()
    last, raw = d.tricks[-1], record(d)
    hands = raw["hands"]
    seat = next(s for s in FOUR if last[1] in hands[s].split())
    fewer = {**hands, seat: " ".join(c for c in hands[seat].split() if c != last[1])}
    rows = [*raw["tricks"][:-1], " ".join(c for c in last if c != last[1])]
    found = read(
        raw
        | {"hands": fewer, "tricks": rows, "talon": f"{raw['talon']} {last[1]}"}
        | {"faults": [{"kind": "ten-cards", "seat": seat}]}
    )
    assert found.hand_size == 11 and found.talon_size == len(d.talon) and found.even_hands == [11] * 4


# ---- tricks
def test_a_trick_with_a_card_too_many_says_whose_and_one_too_few_too() -> None:
    d = laid()
    rows = [list(row) for row in d.tricks]
    hands = record(d)["hands"]
    holder = {c: s for s, hand in hands.items() for c in hand.split()}
    one, other = rows[0][0], next(c for c in rows[1] if holder[c] != holder[rows[0][0]])
    rows[0][0], rows[1][rows[1].index(other)] = other, one
    found = told(record(d) | {"tricks": [" ".join(row) for row in rows]})
    assert f"trick 1 has no card of {holder[one]}'s" in found
    assert f"trick 1 has 2 cards of {holder[other]}'s" in found
    single = told(record(d) | {"tricks": [*(" ".join(row) for row in d.tricks), d.tricks[0][0]]})
    assert f"trick 12 has 1 card of {holder[d.tricks[0][0]]}'s" not in single
    assert "12 tricks, though everybody holds 11 cards" in single


def test_a_card_is_taken_by_one_who_sits_there() -> None:
    """With a hand missing there is one fault to tell, and no more."""
    raw = fresh(exchange=[{"seat": "west", "in": "AS"}])
    hands = {seat: hand for seat, hand in raw["hands"].items() if seat != "west"}
    assert "no hand for west" in told(raw | {"hands": hands})


# ---- as it is written
@pytest.mark.parametrize("cites", ["PAM.s0001", ["PAM.s0001", 7], None, {"PAM.s0001": 1}])
def test_sentences_are_a_list_of_texts(cites: object) -> None:
    assert read(fresh(cites=["PAM.s0001"])).cites == ("PAM.s0001",)
    assert [one.file for one in problems(fresh(cites=cites))] == ["cites/1" if isinstance(cites, list) else "cites"]


def test_the_long_form_leaves_nothing_unsaid() -> None:
    said = long_form(write_deal(read(fresh(pool={"stake": 7}))))
    assert said["pool"] == {"stake": 7, "waiting": [], "supplements_paid": False}
    assert (said["faults"], said["claims"], said["fragment"], said["note"]) == ([], {}, False, "")
    assert all(isinstance(row, list) and len(row) == 4 for row in said["tricks"])  # type: ignore[attr-defined]
    each = long_form(write_deal(read(fresh(pool={"PAM": {"stake": 7}, "GER": {}}))))
    assert each["pool"]["GER"]["stake"] == 0 and each["pool"]["PAM"]["stake"] == 7  # type: ignore[index]


def test_what_is_false_or_empty_is_not_written() -> None:
    deal = read(fresh(faults=[{"kind": "misdeal", "seat": "west", "noticed": "in-play", "redeemed": False}]))
    assert write_deal(deal)["faults"] == [{"kind": "misdeal", "seat": "west", "noticed": "in-play"}]
    assert not {"exchange", "claims", "announced", "fragment", "expect", "note"} & set(write_deal(read(fresh())))


# ---- what a record must have, and how it is told
@pytest.mark.parametrize("key", REQUIRED)
def test_every_key_that_is_needed_is_missed(key: str) -> None:
    assert f"no {key!r}" in told({k: v for k, v in fresh().items() if k != key})


@pytest.mark.parametrize("seats", ["south", 5, None, {"south": 1}])
def test_seats_are_a_list_of_names(seats: object) -> None:
    assert "seats must be four or five different names, in order of play" in told(fresh() | {"seats": seats})


@pytest.mark.parametrize("exchange", ["south", {"seat": "south"}, 5])
def test_an_exchange_is_a_list_of_tables(exchange: object) -> None:
    assert told(fresh(exchange=exchange)) == ["exchange must be a list"]


def test_one_sum_that_waits_needs_no_list() -> None:
    assert read(fresh(pool={"waiting": 7})).pool("PAM").waiting == (7,)
    assert told(fresh(pool={"waiting": "ab"})) == ["a waiting sum is 'ab'"]


def test_that_a_supplement_was_paid_is_written_down() -> None:
    raw = fresh(pool={"stake": 5, "waiting": [], "supplements_paid": True})
    assert write_deal(read(raw))["pool"] == raw["pool"]


def test_what_is_said_aloud_was_said_before_the_first_trick_unless_it_is_told() -> None:
    said = [{"what": "espagnolette", "seat": seat} for seat in ("east", "north", "west")]
    found = read(fresh(announced=[said[0], said[1] | {"before": 1}, said[2] | {"before": 3}])).announced
    assert [one.before for one in found] == [1, 1, 3]


def test_a_card_that_lies_twice_is_told_with_both_its_places() -> None:
    raw = fresh()
    hands = raw["hands"]
    south, east = hands["south"].split(), hands["east"].split()
    twice = raw | {"hands": {**hands, "east": " ".join([south[0], *east[1:]])}}
    assert f"{south[0]} lies twice: in the hand of south and in the hand of east" in told(twice)
    talon = raw | {"talon": " ".join([south[0], *raw["talon"].split()[1:]])}
    assert f"{south[0]} lies twice: in the hand of south and in talon" in told(talon)


def test_a_hand_of_nobody_and_a_ten_in_a_pack_without_are_told() -> None:
    raw = fresh()
    hands = raw["hands"]
    assert "no seat 'sooth'" in told(raw | {"hands": {**hands, "sooth": "AS"}})
    south = hands["south"].split()
    ten = raw | {"hands": {**hands, "south": " ".join(["TS", *south[1:]])}}
    assert "TS is no card of a pack of 48" in told(ten)


def test_after_a_fault_that_nobody_knows_the_next_is_read_all_the_same() -> None:
    found = told(fresh(faults=[{"kind": "yawning", "seat": "south"}, {"kind": "revoke", "seat": "south"}]))
    assert found == ["unknown fault 'yawning'", "a fault revoke without 'trick'"]


@pytest.mark.parametrize("short", FOUR)
def test_without_a_fault_on_record_the_first_hand_tells_how_many_tricks_there_are(short: str) -> None:
    raw = fresh()
    hands = raw["hands"]
    fewer = {**hands, short: " ".join(hands[short].split()[1:])}
    found = told(raw | {"hands": fewer, "talon": f"{raw['talon']} {hands[short].split()[0]}"})
    assert ("11 tricks, though everybody holds 10 cards" in found) == (short == "south")


def test_without_hands_nobody_has_taken_a_card() -> None:
    assert "no hands" in told(fresh(exchange=[{"seat": "south", "in": "AS"}]) | {"hands": None})


# ---- where a fault stands, and the way out
def at(raw: object) -> list[tuple[str, str, str]]:
    return [(one.file, one.what, one.way_out) for one in problems(raw)]


PLAYS_THEM = "`reversis deal fill FILE --source S` plays them"


@pytest.mark.parametrize(
    ("empty", "what"), [([4], "trick 4 is empty"), ([4, 10, 11], "3 tricks are empty"), ([1], "trick 1 is empty")]
)
def test_empty_tricks_are_told_once_at_the_first_with_the_command_that_plays_them(empty: list[int], what: str) -> None:
    rows = ["" if number in empty else row for number, row in enumerate(fresh()["tricks"], 1)]
    assert at(fresh() | {"tricks": rows}) == [(f"tricks/{empty[0] - 1}", what, PLAYS_THEM)]


@pytest.mark.parametrize("found", [0, 3])
def test_only_where_no_trick_is_on_record_a_command_is_named_that_plays_them(found: int) -> None:
    (one,) = at(fresh() | {"tricks": fresh()["tricks"][:found]})
    hint = "write all tricks, or fragment: true where some are missing"
    assert one[2] == (hint if found else f"{hint}; {PLAYS_THEM}")


def test_a_card_that_is_not_held_or_not_played_is_told_at_its_trick() -> None:
    d = laid()
    rows = [" ".join(row) for row in d.tricks]
    gone, seat = d.tricks[2][0], next(s for s, hand in d.hands.items() if d.tricks[2][0] in hand)
    missing = ("tricks/2", f"trick 3 has no card of {seat}'s", "each player plays one card to a trick")
    aside = ("tricks/2", f"trick 3: {d.talon[0]} is in nobody's hand", "play cards that are held when play begins")
    assert at(record(d) | {"tricks": [*rows[:2], rows[2].replace(f"{gone} ", ""), *rows[3:]]}) == [missing]
    assert at(record(d) | {"tricks": [*rows[:2], rows[2].replace(gone, d.talon[0]), *rows[3:]]}) == [missing, aside]


@pytest.mark.parametrize("number", [4, 5])
def test_of_cards_that_lie_nowhere_four_are_named_beside_those_that_lie_twice(number: int) -> None:
    raw = fresh()
    south, east = raw["hands"]["south"].split(), raw["hands"]["east"].split()
    hands = raw["hands"] | {"east": " ".join([*south[:number], *east[number:]])}
    (hint,) = {way_out for _, what, way_out in at(raw | {"hands": hands}) if "lies twice" in what}
    named = hint.partition("; nowhere lies ")[2].split()
    assert hint.startswith("a card lies in one place only") and sorted(named) == sorted(east[:4] if number == 4 else [])


def test_hands_under_other_names_are_one_problem_told_at_the_first() -> None:
    raw = fresh(exchange=[{"seat": "wets", "looked": True}]) | {"dealer": "wets"}
    hands = {"wets" if seat == "west" else seat: hand for seat, hand in raw["hands"].items()}
    what = "no seat 'wets', and no hand for west"
    assert at(raw | {"hands": hands}) == [("hands/wets", what, "did you mean 'west'?")]
    both = {{"west": "uve", "east": "eeast"}.get(seat, seat): hand for seat, hand in raw["hands"].items()}
    what = "no seat 'eeast', 'uve', and no hand for east, west"
    assert at(fresh() | {"hands": both}) == [("hands/eeast", what, "did you mean 'east'?")]


@pytest.mark.parametrize(
    ("file", "named"), [("mine.yaml", "mine.yaml"), ("mine.json", "mine.json"), ("standard input", "FILE")]
)
def test_the_command_that_finds_a_card_names_the_file_of_the_record(file: str, named: str) -> None:
    raw = fresh()
    _, (unknown, *_) = read_deal(raw | {"talon": f"? {raw['talon']}"}, lambda place: Where(file))
    assert (unknown.what, unknown.way_out) == ("'?' is no card", f"`reversis deal fill {named} --source S` finds it")
    _, (wrong, *_) = read_deal(raw | {"talon": f"1S {raw['talon']}"}, lambda place: Where(file))
    assert wrong.way_out == "write rank and suit: AS KH QD JC TS 9H ... 2C"


def test_a_word_that_is_like_none_is_told_all_that_there_are() -> None:
    (one,) = at(fresh() | {"provenance": "zzz"})
    assert one == ("provenance", "unknown provenance 'zzz'", "known are printed, completed, constructed, generated")


def test_a_text_nests_no_deeper_than_a_number() -> None:
    def saying(depth: int) -> dict[str, object]:
        raw: object = "plain"
        for _ in range(depth):
            raw = [raw]
        return fresh(expect={"PAM": {"outcome": {"partie": raw}}})

    assert read(saying(MAX_NESTING_DEPTH - 4))
    assert told(saying(MAX_NESTING_DEPTH - 3)) == ["nests deeper than 40"]


# ---- further pools
def test_further_pools_are_read_by_their_cards() -> None:
    others = {"QH": {"stake": 39, "waiting": [7]}, "D♠": {"stake": 5}}
    pool = read(fresh(pool={"stake": 60, "others": others})).pool("PAM")
    assert dict(pool.others) == {"QH": Pool(39, (7,)), "QS": Pool(5)} and pool.total == 60 + 39 + 7 + 5
    assert Pool(60, (20, 5)).total == 85


def test_a_pool_that_is_none_is_told_where_it_stands() -> None:
    hint = "write pool: {stake: 60, waiting: []}"
    assert at(fresh(pool=5)) == [("pool", "the pool must be a table", hint)]
    assert at(fresh(pool={"others": {"QH": 5}})) == [("pool/others/QH", "the pool must be a table", hint)]
    ((_, what, way_out),) = at(fresh(pool={"others": 5}))
    assert (what, way_out) == ("others must be a table", "write others: {QH: {stake: 39, waiting: []}}")
    assert [where for where, _, _ in at(fresh(pool={"others": {"XX": {}}}))] == ["pool/others/XX"]


def test_results_leave_out_whether_a_supplement_was_paid() -> None:
    """A session goes on from it, a single result does not."""
    pool = Pool(25, (20,), True, (("QH", Pool(5, (), True)),))
    plain = {"stake": 25, "waiting": [20], "others": {"QH": {"stake": 5, "waiting": []}}}
    assert pool.record() == plain
    whole = {"stake": 5, "waiting": [], "supplements_paid": True}
    assert pool.record(full=True) == plain | {"supplements_paid": True, "others": {"QH": whole}}


# ---- seats and sigla
@pytest.mark.parametrize("last", ["", 5, True, "pool", "south"])
def test_a_seat_has_a_name_of_its_own(last: object) -> None:
    found = told(fresh() | {"seats": ["south", "east", "north", last]})
    assert "seats must be four or five different names, in order of play" in found


@pytest.mark.parametrize("key", ["pam", "P", "PAMPHLET", 7])
def test_a_siglum_is_two_to_six_capitals_also_where_no_source_is_known(key: object) -> None:
    (one,) = problems(fresh(expect={key: {}}))
    assert (one.what, one.way_out) == (f"{key!r} is no siglum of a source", "write two to six capital letters")


# ---- what is read stays as it is
PARTS = [Exchange(0), Gift(0, 1, 2), Pool(), Fault("peek", 0), Announcement("reversis", 0), FaultKind("yawned")]


@pytest.mark.parametrize("one", [*PARTS, read(fresh())], ids=lambda one: type(one).__name__)
def test_what_a_record_tells_is_not_changed_once_it_is_read(one: Any) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(one, fields(one)[0].name, 1)


def test_of_a_fact_nothing_goes_without_saying_but_that_it_was_claimed() -> None:
    fact = Fact("session", seats=4, dealer=0, eldest=1, last=11)
    assert {part.name for part in fields(fact) if getattr(fact, part.name) is True} == {"claimed"}
