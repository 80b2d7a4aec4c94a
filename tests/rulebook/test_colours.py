"""Colour slots: who asks for one has it, and everybody has one of their own."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.checks import problems_of
from rulebook.colours import COLOUR_SLOTS, assign_colour_slots
from rulebook.model import FrozenMap, Source
from tests.support.library import assembled, opened, write_nine_sources


def source(siglum: str, **record: object) -> Source:
    return Source(siglum, FrozenMap(record))


@settings(deadline=None)  # a machine may be busy
@given(st.lists(st.none() | st.integers(1, COLOUR_SLOTS), max_size=40))
def test_no_two_sources_have_one_slot(wishes: list[int | None]) -> None:
    slots = assign_colour_slots(source(f"S{at}", colour=wish) for at, wish in enumerate(wishes))
    assert list(slots) == [f"S{at}" for at in range(len(wishes))]
    assert len({*slots.values()}) == len(wishes)
    asked = [(slot, wish) for slot, wish in zip(slots.values(), wishes, strict=True) if wish]
    assert all((slot - wish) % COLOUR_SLOTS == 0 for slot, wish in asked)
    assert {wish for _, wish in asked} <= {slot for slot, _ in asked}


def test_who_asks_for_nothing_has_the_first_free_slot_in_order() -> None:
    wishes = {"A": None, "B": 1, "C": None, "D": 3, "E": None}
    slots = assign_colour_slots(source(siglum, colour=wish) for siglum, wish in wishes.items())
    assert slots == {"A": 2, "B": 1, "C": 4, "D": 3, "E": 5}


def test_a_ninth_source_has_a_slot_beyond_the_colours(tmp_path: Path) -> None:
    root = write_nine_sources(tmp_path)
    assert problems_of(assembled(root)) == []
    slots = assign_colour_slots(opened(root).sources.values())
    assert (slots["BBB"], slots["GGG"], slots["AAA"]) == (5, 1, 2)
    assert sorted(slots.values()) == [*range(1, 10)]


def test_a_colour_may_be_taken_twice_when_none_is_free(tmp_path: Path) -> None:
    root = write_nine_sources(tmp_path)
    for at, siglum in enumerate(("AAA", "CCC", "DDD", "EEE", "FFF", "HHH"), 2):
        with (root / siglum / "source.yaml").open("a", encoding="utf-8") as record:
            record.write(f"colour: {at if at < 5 else at + 1}\n")
    with (root / "III" / "source.yaml").open("a", encoding="utf-8") as record:
        record.write("colour: 4\n")
    assert problems_of(assembled(root)) == []
    assert assign_colour_slots(opened(root).sources.values())["III"] == 12


def test_a_source_without_short_forms_has_its_title_and_date_where_they_fit() -> None:
    long = source("LAH", short_title="The rules adopted at The Hague", date="1785, or in the year before")
    short = source("LAH", short_title="The Hague", date="1785")
    own = source("LAH", short_title="The Hague", short_name="Hague", date="1785", short_date="in 1785")
    assert [(one.short_name, one.short_date) for one in (long, short, own)] == [
        ("LAH", ""),
        ("The Hague", "1785"),
        ("Hague", "in 1785"),
    ]
