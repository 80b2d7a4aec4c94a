"""Small promises of the survey: ways of playing, the row of a ruleset, what is kept of a deal, and compiled code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.players.preferences import build_preference_table
from engine.readings.ask import Ask
from lab.survey.encode_rules import (
    Unsurveyed,
    check_table_shape,
)
from lab.survey.jit import (
    MAX_CACHE_FOLDERS,
    open_compile_cache,
    prune_compile_cache,
)
from tests.lab.survey.test_play import ruled


def asking(**answers: object) -> Ask:
    return Ask(ruled(**answers))


# ---- the cautious player


def test_the_preferences_are_these_numbers_and_the_last_is_the_quinolas() -> None:
    """From the two to the ace, as the pages print them; each row by what a card would do."""
    assert build_preference_table() == (
        (*range(53, 40, -1), 0),
        (*range(81, 94), 70),
        (*range(41, 54), 30),
        (*range(33, 20, -1), 10),
        (*range(101, 114), 120),
        (*range(21, 33), 20, 0),
        (*range(1, 14), 0),
    )


# ---- the row of a ruleset


def shaped(**answers: object) -> Ask:
    """A table of four with 48 cards, but for these answers."""
    given: dict[str, object] = {
        "cards_order": "AKQJT98765432",
        "table_players": "four",
        "table_pack": "without-tens",
        "table_shapes": ({"players": 4, "pack": 48, "hand": 11, "talon": 4},),
    }
    return asking(**given | answers)


@pytest.mark.parametrize("wrong", [{"table_players": "five"}, {"table_pack": "with-tens"}], ids=str)
def test_either_other_players_or_another_pack_is_enough_to_be_refused(wrong: dict[str, object]) -> None:
    check_table_shape(shaped())
    with pytest.raises(Unsurveyed, match="no table of four with 48 cards"):
        check_table_shape(shaped(**wrong))


# ---- where compiled code is kept


def test_a_cupboard_that_another_process_makes_at_the_same_moment_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not there when one looked, and is there when one would make it."""
    real, looked = Path.is_dir, list[Path]()

    def too_early(path: Path) -> bool:
        if looked or path.name != "new":
            return real(path)
        looked.append(path)
        path.mkdir()
        return False

    monkeypatch.setattr(Path, "is_dir", too_early)
    assert open_compile_cache(tmp_path, "new") == tmp_path / "new" == looked[0]


def test_what_cannot_be_taken_away_does_not_keep_what_is_older_still(tmp_path: Path) -> None:
    names = [*(f"kept-{age}" for age in range(MAX_CACHE_FOLDERS)), "no folder", "old"]
    for age, name in enumerate(names):
        if name == "no folder":
            (tmp_path / name).write_text("", encoding="utf-8")
        else:
            (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    prune_compile_cache(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*names} - {"old"}
