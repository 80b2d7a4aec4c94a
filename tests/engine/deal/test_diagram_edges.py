"""The edges of a diagram: what stands over what, what says nothing, and where a fault is said to stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.cards import HEARTS_INDEX, sort_cards, suit_of
from engine.deal.diagram import read_diagram
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.deal.writer import write_deal
from rulebook.problems import Problem

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


def test_names_over_their_suits_are_read_from_above() -> None:
    hands = record(ROWS + PLAY)["hands"]
    assert hands["north"] == "KS QS 6S 8H 5H 3H 7D 4D JC 8C 7C"
    assert hands["east"] == "9S 7S 5S 2S 6H 2H JD 9D 6D 3D 9C"


def test_empty_lines_remarks_and_headings_say_nothing() -> None:
    text = "\n# a remark\n" + ROWS.replace("West", "\n   # another: here\n\nWest") + "Tricks:\n\nThe play\n" + PLAY
    assert record(text) == record(ROWS + PLAY)


def test_of_two_names_in_one_column_the_lower_counts_and_of_two_columns_the_nearer() -> None:
    columns = """\
Seats: ann, bob, cat, dan
Dealer: dan
    Ann                     Bob
    ♠ K Q 6                 ♠ 9 7 5 2
    ♥ 8 5 3                 ♥ 6 2
    ♦ 7 4                   ♦ J 9 6 3
    ♣ J 8 7                 ♣ 9
     Cat                     Dan
    ♠ 8                     ♠ J 4 3
    ♥ A Q 7                 ♥ K 9 4
    ♦ A Q 5 2               ♦ K 8
    ♣ A 6 2                 ♣ K 5 4
Talon: JH AS QC 3C
"""
    assert record(columns)["hands"] == {
        "ann": "KS QS 6S 8H 5H 3H 7D 4D JC 8C 7C",
        "bob": "9S 7S 5S 2S 6H 2H JD 9D 6D 3D 9C",
        "cat": "8S AH QH 7H AD QD 5D 2D AC 6C 2C",
        "dan": "JS 4S 3S KH 9H 4H KD 8D KC 5C 4C",
    }


def test_a_suit_belongs_to_no_name_in_its_own_line() -> None:
    assert (1, 10, "a suit without a name over it", "write the player's name in the line before") in problems(
        "North    ♠ K Q\n" + ROWS
    )


def test_the_talon_may_stand_like_a_player_over_its_suits() -> None:
    as_player = ROWS.replace("Talon: JH AS QC 3C", "Talon\n♠ A\n♥ J\n♦ -\n♣ Q 3") + PLAY
    assert record(as_player)["talon"] == "AS JH QC 3C"
    with_colon = ROWS.replace("Talon: JH AS QC 3C", "Talon:\n♠ A\n♥ J\n♦ -\n♣ Q 3") + PLAY
    assert {what for _, _, what, _ in problems(with_colon)} >= {"'Talon' is no word of a diagram"}


def test_a_fault_is_told_with_its_line_and_its_column() -> None:
    told = problems("Dealre: west\n" + ROWS)
    assert told[0] == (1, 1, "'Dealre' is no word of a diagram", "did you mean 'dealer'?")
    told = problems(ROWS.replace("♣ J 8 7", "♣ J 1 7"))
    assert (5, 1, "'1' is no rank", "write A K Q J T 9 ... 2, or a dash for a void") in told
    told = problems(ROWS + "1. QD 9X 4D KD\n")
    assert (22, 1, "'9X' is no card", "write rank and suit: AS KH QD JC TS 9H ... 2C, or ♠A ♥K") in told
    told = problems(ROWS + "2. QD 9D 4D KD\n")
    assert (22, 1, "trick 2 stands where trick 1 should", "number the rows in order, from 1") in told


def test_who_is_named_as_the_leader_must_have_led() -> None:
    assert record(ROWS + "1. south: QD 9D 4D KD\n") == record(ROWS + PLAY)
    told = problems(ROWS + "1. East: QD 9D 4D KD\n")
    assert (22, 1, "trick 1: QD is south's, not East's", "name him who leads, or nobody") in told


def test_what_is_missing_is_told_at_the_first_line() -> None:
    told = problems(ROWS.replace(" (dealer)", ""))
    assert (1, 1, "who deals is not known", "write Dealer: and his name, or (dealer) after it") in told
    assert (1, 1, "no hands", "write each player's name over his cards") in problems("Dealer: west\n")


def test_an_order_of_play_that_nobody_knows_is_asked_for_where_the_first_name_stands() -> None:
    told = problems("# first\n" + ROWS.replace("North", "Ned"))
    way_out = "write it: Seats: ann, bob, cat, dan (to the right)"
    assert (2, 1, "the order of play of ned, west, south, east is not known", way_out) in told


@pytest.mark.parametrize(
    ("word", "what", "line"),
    [
        ("Pack: fifty", "pack is 'fifty'", 1),
        ("Pack: 50", "a pack of 50 cards", 1),
        ("Pool: -1", "pool is '-1'", 1),
        ("Seats: south, east, north", "seats must be four or five different names, in order of play", 1),
        ("1. QD QD 4D KD", "trick 1: QD was played in trick 1 already", 1),
        ("Dealer: nobody", "no seat 'nobody'", 1),
    ],
)
def test_what_the_record_cannot_be_is_told_where_the_word_stands(word: str, what: str, line: int) -> None:
    text = f"{word}\n{ROWS.replace(' (dealer)', '') if word.startswith('Dealer') else ROWS}"
    assert (line, what) in {(row, told) for row, _, told, _ in problems(text)}


def test_a_fault_in_a_hand_is_told_where_the_hand_stands() -> None:
    text = ROWS.replace("♣ 9\n", "♣ 9 9\n")
    assert {row for row, _, what, _ in problems(text) if "lies twice" in what} == {16}
    talon = ROWS.replace("JH AS QC 3C", "JH AS QC 9C")
    told: list[Problem] = read_diagram(talon)[1]
    assert {one.line for one in told if "lies twice" in one.what} == {21}


def test_the_pack_is_counted_where_it_is_not_named() -> None:
    assert record(ROWS + PLAY)["pack"] == 48
    told = {what for _, _, what, _ in problems("Pack: 52\n" + ROWS)}
    assert "missing from hands and talon: TS TH TD TC" in told


def test_as_many_rows_as_cards_are_a_whole_deal_and_fewer_a_fragment() -> None:
    assert record(ROWS + PLAY)["fragment"] is True
    assert record("Deal: mine\nNote: a note\n" + ROWS)["note"] == "a note"
    assert record("Deal: mine\n" + ROWS)["deal"] == "mine" and record(ROWS)["deal"] == "from-a-diagram"


def test_of_two_names_equally_near_the_lower_counts() -> None:
    text = """\
Seats: ann, bob, cat, dan
Dealer: dan
Ann
♠ K Q 6
♥ 8 5 3
♦ 7 4
♣ J 8 7
        Bob
    ♠ 9 7 5 2
    ♥ 6 2
    ♦ J 9 6 3
    ♣ 9
                Cat
            ♠ 8
            ♥ A Q 7
            ♦ A Q 5 2
            ♣ A 6 2
                        Dan
                    ♠ J 4 3
                    ♥ K 9 4
                    ♦ K 8
                    ♣ K 5 4
Talon: JH AS QC 3C
"""
    hands = record(text)["hands"]
    assert [len(hand.split()) for hand in hands.values()] == [11] * 4 and hands["bob"].startswith("9S 7S 5S 2S")


def test_more_rows_than_cards_are_told_at_the_first_line() -> None:
    rows = "".join(f"{n}. QD 9D 4D KD\n" for n in range(1, 13))
    told = problems(ROWS + rows)
    assert (1, "12 tricks, though everybody holds 11 cards") in {(line, what) for line, _, what, _ in told}


def test_where_nothing_is_said_of_a_pool_there_is_none() -> None:
    assert record(ROWS + PLAY)["pool"] == {"stake": 0, "waiting": []}


def test_one_card_more_than_forty_eight_is_of_the_whole_pack() -> None:
    told = {what for _, _, what, _ in problems(ROWS.replace("QC 3C", "QC 3C TS"))}
    assert "missing from hands and talon: TH TD TC" in told


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


def test_with_cards_beside_a_name_nobody_asks_for_hands_as_well() -> None:
    assert [what for _, _, what, _ in problems("Dealer: west\nWest: 5C\n")] == ["cards beside the name West"]


def test_a_number_of_too_many_digits_is_no_stake_and_no_number_of_a_trick() -> None:
    assert record("Pool: 123456789\n" + ROWS)["pool"]["stake"] == 123_456_789
    (one,) = problems("Pool: 1234567890\n" + ROWS)
    assert one[2:] == ("pool is '1234567890'", "write a whole number of at most 9 digits: Pool: 48")
    assert [what for _, _, what, _ in problems(ROWS + "1234567890. West: QD 9D 4D KD\n")] == [
        "trick '1234567890' stands where trick 1 should",
        "trick '1234567890': QD is south's, not West's",
    ]


@pytest.mark.parametrize(("word", "quoted"), [("x" * 60, "x" * 60), ("x" * 61, "x" * 57 + "...")])
def test_of_a_long_word_sixty_letters_are_quoted(word: str, quoted: str) -> None:
    assert [what for _, _, what, _ in problems(f"Pool: {word}\n{ROWS}")] == [f"pool is {quoted!r}"]


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


def test_a_short_word_for_a_deal_shows_its_first_trick() -> None:
    assert repr(printed()) == "<Deal mine, 4 players, 48 cards, 2 tricks: Q♦ 9♦ 4♦ K♦ …>"
    assert repr(replace(printed(), tricks=())) == "<Deal mine, 4 players, 48 cards, 0 tricks>"


def test_a_printed_deal_without_talon_or_stake_leaves_the_line_out() -> None:
    bare = str(replace(printed(), talon=(), pools={}, tricks=(printed().tricks[0], ())))
    assert "Talon" not in bare and "Pool" not in bare and bare.endswith("\n\n 1. south: Q♦ 9♦ 4♦ K♦\n 2.")


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
