"""The terminal and the page play the same game: same seed and players, same cards, moves and ledger."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from engine.cards import format_card
from reversis.cli.table.saved_game import read_saved_game
from rulebook.model import Library
from tests.reversis.browser.test_table_api import BOOKS, Page
from tests.support.commands import cache, run

__all__ = ["cache"]  # the fixture, for these tests too


@pytest.mark.slow
@pytest.mark.parametrize("source", BOOKS)
def test_the_same_choices_make_the_same_record(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.chdir(tmp_path)
    page, lots, typed = Page(library).begin(source, seed=41, others="net"), Random(source), list[str]()
    while page.view["phase"] != "over":
        cards = page.lawful()
        card = lots.choice(cards)
        if len(cards) > 1 or page.view["phase"] != "play":
            typed.append(card)
        page.move(card)
    others = (f"--{seat}=net" for seat in ("east", "north", "west"))
    done = run("play", "-s", source, "--seed", "41", "--out", "game.yaml", *others, stdin="\n".join([*typed, ""]))
    assert done.exit_code == 0, done.output
    saved = read_saved_game(Path("game.yaml"))
    assert " ".join(saved.options) == page.game["options"].strip()
    (record,) = page.game["deals"]
    (deal,) = saved.deals
    assert [*map(str.split, record["tricks"])] == [[*map(format_card, row)] for row in deal.tricks]
    again = run("run", "game.yaml", "-s", source, "--format", "json")
    net = json.loads(again.stdout)["net"]
    assert {seat["seat"]: seat["account"] for seat in page.view["seats"]} == {
        seat: net[seat] for seat in ("south", "east", "north", "west")
    }


@pytest.mark.slow
def test_a_game_of_the_page_is_gone_on_with_at_the_terminal(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page writes its records one after another; JSON lines under their keys are YAML too."""
    monkeypatch.chdir(tmp_path)
    page = Page(library).begin("HOY", seed=3, others="cautious")
    for _ in range(5):
        page.move(page.lawful()[0])
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in page.game["deals"][0].items()]
    Path("page.yaml").write_text("".join(lines), "utf-8")
    told = run("play", "--resume", "page.yaml", stdin="q\n")
    assert told.exit_code == 0 and "trick 4: south to play" in told.output, told.output


def test_what_a_person_waives_and_does_not_ask_for_is_gone_on_with_at_the_terminal(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = Page(library).begin("PAM", seed=120, others="cautious", wishes=["Q020=3"])
    page.ask("choose", name="claims", value=False)
    page.ask("choose", name="waive", value=True)
    while page.view["phase"] != "play":
        page.move(next(card for card in page.lawful() if card[0] not in "AJ"))
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in page.game["deals"][0].items()]
    Path("page.yaml").write_text("".join(lines), "utf-8")
    card = page.lawful()[0]
    told = run("play", "--resume", "page.yaml", stdin=f"{card}\nq\n")
    assert told.exit_code == 0 and f"south plays {card}" in told.output, told.output
    options = " ".join(read_saved_game(Path("page.yaml")).options)
    assert "--with Q020=3" in options and "--claims none --waive 1 --south person" in options
