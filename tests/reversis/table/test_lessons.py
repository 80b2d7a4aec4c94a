"""Lessons: every leaf is replayed and settled, and the right card is right however the unseen cards lie."""

from __future__ import annotations

import pytest

from engine.cards import format_card, parse_card_name
from engine.generation.at_table import set_up_turn
from engine.players.nets import find_net
from engine.readings.ask import Ask
from reversis.table.lesson_search import FITS, LessonChoice, count_right
from reversis.table.lessons import (
    LESSON_SOURCE,
    SOUTH,
    list_lessons,
    list_topic_names,
    read_lessons,
    restore_leaves,
    restore_position,
)
from rulebook.model import Library
from tests.support.settling import Rules


def test_there_is_a_lesson_for_every_topic_in_order() -> None:
    assert tuple(lesson["name"] for lesson in read_lessons()) == list_topic_names() == tuple(FITS)


def test_every_leaf_is_a_lawful_deal_and_the_right_card_is_the_best(library: Library, rules: Rules) -> None:
    for lesson in read_lessons():
        position, leaves = restore_position(lesson), restore_leaves(library, lesson)
        table, turn = set_up_turn(position, Ask(rules(LESSON_SOURCE)))
        assert turn is not None and turn.seat == SOUTH and not table.refusals
        assert bin(table.hands[SOUTH]).count("1") in (5, 6)
        assert {leaf.card for leaf in leaves} == {*turn.legal} and len(leaves) >= 2
        assert all(not leaf.deal.fragment for leaf in leaves)
        by_card = {format_card(leaf.card): leaf for leaf in leaves}
        right, wrong = by_card[lesson["right"]], by_card[lesson["wrong"]]
        assert all(right.net - leaf.net >= 3 for leaf in leaves if leaf is not right), "one card is right"
        assert FITS[lesson["name"]](LessonChoice(turn, right, wrong)), lesson["name"]


@pytest.mark.slow
def test_the_right_card_does_better_in_27_of_30_layouts_against_nets_and_careful_players(rules: Rules) -> None:
    own = rules(LESSON_SOURCE)
    for lesson in read_lessons():
        cards = parse_card_name(lesson["right"]), parse_card_name(lesson["wrong"])
        for kind, net in (("net", find_net(own, 4, 48)), ("cautious", None)):
            better = count_right(restore_position(lesson), own, net, *cards)
            assert better == lesson["better"][kind] >= 27, (lesson["name"], kind)


def test_lessons_are_written_out_with_their_words_and_their_sentence(library: Library) -> None:
    lessons = list_lessons(library)
    assert [lesson["name"] for lesson in lessons] == [*list_topic_names()]
    for lesson in lessons:
        start = lesson["start"]
        left = len(start["hand"]) * 4 - len(start["trick"]["cards"])
        assert lesson["title"] and start["phase"] == "play" and start["trick"]["turn"] == "south"
        assert {*lesson["leaves"]} == {held["card"] for held in start["hand"] if held["legal"]}
        assert {*lesson["refused"]} == {held["card"] for held in start["hand"] if not held["legal"]}
        assert all(slip["clause"] and slip["quote"] for slip in lesson["refused"].values())
        for card, leaf in lesson["leaves"].items():
            played = [move for move in leaf["view"]["moves"] if move["kind"] == "card"]
            assert len(played) == left and (played[0]["seat"], played[0]["card"]) == ("south", card)
            assert leaf["view"]["phase"] == "over" and leaf["view"]["seats"][0]["account"] == leaf["net"]
            assert leaf["words"].startswith("You took") and leaf["slip"]["title"]
            assert leaf["slip"]["quote"] or leaf["slip"]["assumption"]
        nets = {card: leaf["net"] for card, leaf in lesson["leaves"].items()}
        assert nets[lesson["right"]] == max(nets.values())


def test_a_lesson_says_why_another_card_is_better_by_what_both_bring(library: Library) -> None:
    reasons = {lesson["name"]: lesson for lesson in list_lessons(library)}
    for lesson in reasons.values():
        best = lesson["leaves"][lesson["right"]]
        assert not best["reason"]
        for leaf in lesson["leaves"].values():
            assert bool(leaf["reason"]) == (leaf["net"] < best["net"])
    assert reasons["points"]["leaves"]["6D"]["reason"] == (
        "With the 3 of diamonds the partie brings you 14; with the 6 of diamonds it brings you nothing."
    )
    assert reasons["all"]["leaves"]["2H"]["reason"] == (
        "The jack of hearts is led in trick 6 and brings you 45; with the 2 of hearts it is led in trick 11 and brings "
        "you nothing."
    )
    assert reasons["espagnolette"]["leaves"]["2D"]["reason"].endswith(
        "North pays 5 × 2 (they sit opposite) × 2 (in the last trick) = 20."
    )


def test_what_is_owed_to_the_winner_of_the_partie_is_told_apart_from_other_aces(library: Library) -> None:
    words = list_lessons(library)[0]["leaves"]["3D"]["words"]
    assert "aces brought you 2; led aces, owed to the winner of the partie, brought you 2." in words
