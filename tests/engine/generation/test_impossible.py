"""Wishes that no seed can fill say why: a contradiction, a rule that is not there, or what no deal ever had."""

from __future__ import annotations

import pytest

from engine.generation.deal import Found, NotFound, fill
from engine.generation.impossible import UnmetWishes, find_contradiction, list_wish_parts
from engine.generation.turn import SEAT_NAMES
from engine.generation.wishes import OUTCOME_WORDS, Sketch, Wish, Word, read_wishes
from tests.support.settling import Rules


def wished(text: str) -> tuple[Wish, ...]:
    found, problems = read_wishes(text, SEAT_NAMES[4])
    assert not problems, problems
    return found


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("no reversis, reversis made", "“no reversis” and “reversis made”"),
        ("reversis made, reversis broken", "“reversis made” and “reversis broken”"),
        ("reversis undertaken by east, reversis made by west", "“reversis undertaken by east” and"),
        ("reversis made by east broken by east", "“reversis made by east” and “reversis broken by east”"),
        ("no espagnolette, espagnolette lost", "“no espagnolette” and “espagnolette lost”"),
        ("partie won by east, partie lost by east", "“partie won by east” and “partie lost by east”"),
        ("partie with a trick, partie trickless", "“partie with a trick” and “partie without a trick”"),
        ("quinola led forced", "“quinola led” and “quinola forced”"),
        ("quinola forced, quinola put", "“quinola forced” and “quinola put”"),
        ("quinola in the talon at the last trick", "“quinola laid away” and “quinola at the last trick”"),
        ("quinola at the first trick, quinola at the last trick", "“quinola at the first trick” and"),
        ("ace of clubs led by east, ace of clubs led by west", "“ace of clubs led by east” and"),
        ("four players, five players", "“table four” and “table five”"),
    ],
)
def test_what_cannot_both_be_had_is_named(text: str, pair: str) -> None:
    told = find_contradiction(wished(text))
    assert told.startswith(pair) and told.endswith("cannot both be had")


@pytest.mark.parametrize("text", ["ace laid away", "ace of diamonds in the talon"])
def test_an_ace_that_is_laid_away_is_nothing_to_be_found(text: str) -> None:
    told = find_contradiction(wished(text))
    assert "is nothing that a rule asks about" in told and "ace" in told


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ace led by east, ace led by west",  # there are four
        "ace of spades led, ace of clubs forced",
        "quinola forced from the side by east at trick 7",
        "quinola forced by east, quinola at trick 7",
        "quinola thrown off at the last trick, reversis made by east, partie lost by west",
        "reversis made by east, espagnolette breaking by west",
        "partie won by east, partie lost by west",
        "partie won trickless",
        "five players, 52 cards",
    ],
)
def test_what_can_be_had_together_is_no_contradiction(text: str) -> None:
    assert find_contradiction(wished(text)) == ""


def test_no_single_thing_contradicts_itself() -> None:
    for subject, word in OUTCOME_WORDS:
        for seat in ("", "east"):
            assert find_contradiction((Wish(subject, (Word(word, seat),)),) * 2) == ""


def test_a_contradiction_is_told_before_a_deal_is_laid_out(rules: Rules) -> None:
    found = fill(rules("PAM"), Sketch(wished("quinola led, quinola thrown off")), 1)
    assert isinstance(found, NotFound) and found.tries == 0 and found.never
    assert str(found) == "no seed can fill this: “quinola led” and “quinola thrown off” cannot both be had"


@pytest.mark.parametrize(
    ("source", "text", "why"),
    [
        ("GER", "espagnolette won", "these rules know no espagnolette"),
        ("GER", "reversis broken", "by these rules a reversis that fails was none"),
        ("PAM", "quinola led at trick 12", "there are not so many tricks"),
        ("PAM", "five players", "these rules know no such table (known: 4 players with 48 cards)"),
    ],
)
def test_a_rule_that_a_source_does_not_have_ends_the_search_at_once(
    rules: Rules, source: str, text: str, why: str
) -> None:
    found = fill(rules(source), Sketch(wished(text)), 1)
    assert isinstance(found, NotFound) and found.tries < 100
    assert str(found) == f"no seed can fill this: {why}"


def test_what_one_table_of_a_source_has_no_room_for_is_found_at_another(rules: Rules) -> None:
    assert isinstance(fill(rules("ACA"), Sketch(wished("quinola led at trick 12")), 1, 300), Found)


def test_a_search_in_vain_says_which_part_was_never_met(rules: Rules) -> None:
    found = fill(rules("PAM"), Sketch(wished("reversis made by east, partie won"), seats=SEAT_NAMES[4]), 1, 60)
    assert isinstance(found, NotFound) and not found.never
    assert found.unmet == "“partie won” was never met"
    assert "60 were laid out" in str(found) and str(found).endswith("“partie won” was never met")


def test_parts_that_were_met_only_one_by_one_are_told_so(rules: Rules) -> None:
    wish = wished("quinola thrown off at trick 7")[0]
    unmet = UnmetWishes([wish])
    for text in ("quinola thrown off at trick 6", "quinola led at trick 7"):
        got = fill(rules("PAM"), Sketch(wished(text)), 1)
        assert isinstance(got, Found)
        unmet.observe(got.seen)
    assert str(unmet) == "“quinola thrown off at trick 7” was never met all at once"
    assert [str(part) for part in list_wish_parts(wish)] == ["quinola thrown off", "quinola at trick 7"]
    both = UnmetWishes(wished("quinola led, no reversis"))
    assert str(both) == ""
