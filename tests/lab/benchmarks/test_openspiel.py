"""The benchmark against OpenSpiel: that it counts what it says it counts; how fast anything is, is no test."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from lab.benchmarks import openspiel
from lab.benchmarks.openspiel import (
    Pace,
    choose_best,
    compare_processes,
    compare_speeds,
    main,
    order_tables,
    time_hearts,
)
from rulebook.model import Library


class Game:
    """A stand-in for Hearts, which every one can play at once."""

    def __init__(self) -> None:
        self.passed: list[int] = []

    def num_players(self) -> int:
        return 4

    def new_initial_state(self) -> Game:
        return self

    def apply_action(self, action: int) -> None:
        self.passed.append(action)

    def is_terminal(self) -> bool:
        return True

    def history(self) -> range:
        return range(105)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    game, seeds = Game(), []
    spiel = SimpleNamespace(
        load_game=lambda name: game,
        make_uniform_random_bot=lambda seat, seed: (seat, seed),
        evaluate_bots=lambda state, bots, seed: seeds.append(seed),
    )
    monkeypatch.setitem(sys.modules, "pyspiel", spiel)
    monkeypatch.setattr(openspiel, "version", lambda package: "0")
    return game


def test_paces_are_compared_card_by_card() -> None:
    assert Pace(10, 1760, 1.0).compare(Pace(10, 520, 2.0)) == pytest.approx(1760 / 260)
    assert str(Pace(10, 520, 0.5)).split() == ["20", "deals/s", "1,040", "cards/s"]
    assert choose_best([Pace(1, 1, 3.0), Pace(1, 1, 2.0)]).seconds == 2.0


@pytest.mark.slow
def test_every_source_has_a_table_that_settles_its_deals(library: Library) -> None:
    order = order_tables(library, 100, "random")
    assert [table.rules.source for table in order.tables] == list(library.sources)
    assert all(not table.rules.wishes and not table.others for table in order.tables)
    some = list(library.sources)[:2]
    assert [table.rules.source for table in order_tables(library, 100, "random", sources=some).tables] == some


def test_nobody_passes_cards_in_their_games(game: Game) -> None:
    assert (time_hearts(7, 1).deals, time_hearts(7, 1).cards) == (7, 7 * 52)
    assert game.passed == [openspiel.NOBODY_PASSES] * 16


@pytest.mark.release
def test_both_are_measured_and_the_ratio_told(game: Game, library: Library) -> None:
    lines = list(compare_speeds(library, order_tables(library, 3, "random"), 3, 2))
    assert len(lines) == 4 and f"reversis survey, random, {len(library.sources)} tables, settled" in lines[2]
    assert lines[3].startswith("ratio, card by card: ")


def test_without_pieces_enough_two_processes_are_not_measured(library: Library) -> None:
    assert list(compare_processes(library, order_tables(library, 3, "random"), 1)) == [
        "two processes: not measured; that takes two cores, and four pieces of work"
    ]


def test_without_openspiel_one_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert main(["--deals", "1"]) == 1
    assert capsys.readouterr().err == 'This needs OpenSpiel: pip install "reversis[bench]"\n'


@pytest.mark.slow
@pytest.mark.release
def test_the_memory_of_a_survey_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--peak", "2", "--size", "1"]) == 0
    assert capsys.readouterr().out.endswith("MB\n") or sys.platform == "win32"


def test_a_number_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--deals", "many"])
    assert "not a whole number from 1 up" in capsys.readouterr().err
