"""Every reading means what its row says; every key has a row; a row tells a meaning from its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from types import FunctionType
from typing import cast

from engine.cards import parse_card_name
from engine.readings.meanings.by_question import FURTHER_MEANINGS, MEANINGS
from engine.readings.meanings.criteria import AMONG_EQUALS, count_places_in_play, count_places_leftwards
from engine.readings.meanings.deal import HEART_EXCEPTION
from engine.readings.meanings.play import FIRST_LEADER, QUINOLA_FREE
from tests.engine.readings.meaning_rows import FURTHER_ROWS, ROWS, Case, measures

Rows = Mapping[str, tuple[Case, ...]]
HOME = "tests/engine/readings/meaning_rows.py"


def slugs_of(key: str) -> list[str]:
    return key.split(" + ")


def every_table() -> Iterator[tuple[str, Mapping[str, object], Rows]]:
    """The name of a question, its table, and its rows; for second tables too."""
    rows = {slug: rows for key, rows in ROWS.items() for slug in slugs_of(key)}
    yield from ((slug, table, rows.get(slug, {})) for slug, table in MEANINGS.items())
    yield from ((slug, table, FURTHER_ROWS.get(slug, {})) for slug, table in FURTHER_MEANINGS.items())


def outcome(meaning: object, case: Case) -> object:
    if case.value:
        return meaning
    found = cast("Callable[..., object]", meaning)(*case.situation)
    return tuple(found) if isinstance(found, list) else found


def failing(meaning: object, cases: tuple[Case, ...]) -> list[Case]:
    """The cases that a meaning does not come up to."""
    return [case for case in cases if not agrees(meaning, case)]


def agrees(meaning: object, case: Case) -> bool:
    found = outcome(meaning, case)
    return found == case.expected and type(found) is type(case.expected)


def test_every_reading_has_a_row_and_every_row_a_reading() -> None:
    for slug, table, rows in every_table():
        without = [reading for reading in table if not rows.get(reading)]
        assert not without, f"{slug}: say in {HOME} what is expected of {', '.join(without)}"
        assert not set(rows) - set(table), f"{slug}: {HOME} has rows for what is no reading"


def test_rows_are_for_questions_that_have_a_table() -> None:
    assert {slug for key in ROWS for slug in slugs_of(key)} == set(MEANINGS)
    assert set(FURTHER_ROWS) == set(FURTHER_MEANINGS) <= set(MEANINGS)


def test_a_reading_means_what_its_row_says() -> None:
    for slug, table, rows in every_table():
        wrong = {reading: cases for reading in rows if (cases := failing(table[reading], rows[reading]))}
        assert not wrong, f"{slug}: {wrong}"


def test_who_leads_first_is_not_the_dealer_for_whoever_is_right_of_him() -> None:
    """The row of `dealer` once passed with the function of its neighbour."""
    rows = ROWS["play.first-leader"]
    assert not failing(FIRST_LEADER["dealer"], rows["dealer"])
    assert failing(FIRST_LEADER["right-of-dealer"], rows["dealer"])


# ---- a meaning in the place of its neighbour
def mean_the_same(one: object, other: object) -> bool:
    """Return whether two meanings are one and the same, or written alike."""
    if isinstance(one, FunctionType) and isinstance(other, FunctionType):
        return one is other or (one.__code__.co_code, one.__code__.co_consts, one.__code__.co_names) == (
            other.__code__.co_code,
            other.__code__.co_consts,
            other.__code__.co_names,
        )
    return one == other


def unnoticed(table: Mapping[str, object], rows: Rows) -> list[str]:
    """The readings that could have a neighbour's meaning, and no row would tell."""
    return [
        f"{reading} with the meaning of {neighbour}"
        for reading, neighbour in permutations(table, 2)
        if reading in rows  # or it has been named above
        and not mean_the_same(table[reading], table[neighbour])
        and not fails_somewhere(table[neighbour], rows[reading])
    ]


def fails_somewhere(meaning: object, cases: tuple[Case, ...]) -> bool:
    try:
        return bool(failing(meaning, cases))
    except (TypeError, AttributeError):  # the neighbour does not even understand the situation
        return True


def test_the_meaning_of_a_neighbour_is_noticed() -> None:
    for slug, table, rows in every_table():
        found = unnoticed(table, rows)
        assert not found, f"{slug}: add a situation to {HOME} that tells {'; '.join(found)}"


def test_rows_that_tell_nothing_are_found() -> None:
    """The test of neighbours can fail: one situation in which two meanings come to the same is not enough."""
    table = {"eldest": lambda dealer, seats: (dealer + 1) % seats, "last": lambda dealer, seats: seats - 1}
    same: Rows = {"eldest": (Case(3, (2, 4)),), "last": (Case(3, (2, 4)),)}
    apart: Rows = {"eldest": (Case(0, (3, 4)),), "last": (Case(3, (3, 4)),)}
    assert len(unnoticed(table, same)) == 2 and not unnoticed(table, apart)


# ---- questions that share a table
def test_questions_with_one_table_are_named_together() -> None:
    """A reading added to one of them means a reading for all; where that is wrong, the table must be parted."""
    for key in ROWS:
        tables = [MEANINGS[slug] for slug in slugs_of(key)]
        assert all(table is tables[0] for table in tables), f"{key}: they have tables of their own; part the rows too"
    shared = {slug for key in ROWS for slug in slugs_of(key) if len(slugs_of(key)) > 1}
    functions = {slug: table for slug, table in MEANINGS.items() if slug not in shared}
    twice = [(a, b) for a, b in permutations(functions, 2) if functions[a] is functions[b]]
    assert not twice, f"name them together in {HOME}, or part their table: {twice}"


def test_what_is_paid_for_a_led_ace_is_no_matter_of_the_led_quinola() -> None:
    assert MEANINGS["ace.led.payee"] is not MEANINGS["quinola.led.payee"]


def test_places_are_counted_from_the_dealer_to_the_left_and_in_play_from_the_eldest() -> None:
    m = measures(dealer=2, eldest=3)
    assert [count_places_leftwards(m, seat) for seat in range(4)] == [2, 1, 0, 3]
    assert [count_places_in_play(m, seat) for seat in range(4)] == [1, 2, 3, 0]
    assert AMONG_EQUALS == ("best-placed", "worst-placed", "first-in-play", "eldest-if-tied", "alone")


def test_when_the_lone_quinola_may_be_kept() -> None:
    grid = [(tricks, hearts) for tricks in (0, 1, 2, 3) for hearts in (0, 1, 2)]
    assert {word for word, free in QUINOLA_FREE.items() if not any(free(*at) for at in grid)} == {"must-follow"}
    assert {word for word, free in QUINOLA_FREE.items() if all(free(*at) for at in grid)} == {"free"}
    assert [at for at in grid if QUINOLA_FREE["free-after-two-tricks"](*at)] == [at for at in grid if at[0] > 1]
    assert [at for at in grid if QUINOLA_FREE["free-after-two-heart-leads"](*at)] == [at for at in grid if at[1] == 2]


def test_when_a_heart_may_be_discarded_after_all() -> None:
    quinola = parse_card_name("JH")
    found = {
        (word, which, others)
        for word, may in HEART_EXCEPTION.items()
        for which in (f"{rank}H" for rank in "23456789TJQKA")
        for others in ("", "2H", "AH", "JH", "QH", "KH")
        if others != which
        and may(
            parse_card_name(which),
            quinola,
            [parse_card_name(which) & 15, *(parse_card_name(one) & 15 for one in others.split())],
        )
    }
    courts = ("QH", "KH")
    assert found == {
        *(("lone-king-or-queen", which, "") for which in courts),
        *(("king-or-queen-without-lower", which, others) for which in courts for others in ("", "AH")),
        ("king-or-queen-without-lower", "QH", "KH"),
        ("lone-quinola", "JH", ""),
    }
