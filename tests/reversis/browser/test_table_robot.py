"""A robot visitor: many games by every book, with every control of the table."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.deal.reader import read_deal
from engine.settlement.settle import Settled, settle
from reversis.browser.api import answer_request
from rulebook.model import Library
from rulebook.resolve import resolve

BOOKS = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")
OTHERS = ("net", "cautious", "random")
TABLES = {"ACA": ((4, 48), (5, 48)), "GER": ((4, 48), (5, 52))}  #: books that have more than one
USED_AT_LEAST = 20  #: times, of each control, in 500 games
CONTROLS = {
    "lay away",
    "keep",
    "look",
    "give",
    "card",
    "dim",
    "back",
    "hint",
    "claims",
    "announce",
    "next",
    "totals",
    "end",
}

Answer = dict[str, Any]


class Robot:
    """A visitor who does whatever can be done, by lot, and counts it."""

    def __init__(self, library: Library, seed: int) -> None:
        self.library, self.lots, self.used = library, Random(seed), Counter[str]()
        self.game: Answer = {}
        self.view: Answer = {}

    def ask(self, control: str, do: str, **request: object) -> Answer:
        """Ask as the page does; nothing may go wrong."""
        answer = answer_request(self.library, {"do": f"table.{do}", "game": self.game, **request})
        assert "wrong" not in answer, (control, answer)
        self.used[control] += 1
        if "game" in answer:
            self.game, self.view = answer["game"], answer["view"]
        return answer

    def play(self, source: str, seed: int, others: str, table: tuple[int, int] | None) -> None:
        players, pack = table or (None, None)
        self.ask("begin", "begin", source=source, seed=seed, others=others, players=players, pack=pack)
        self.play_deal()
        if self.lots.random() < 0.1 and not table:
            self.ask("next", "next")
            self.play_deal()

    def play_deal(self) -> None:
        while self.view["phase"] != "over":
            self.do_besides()
            self.move()
        self.check_end()

    def do_besides(self) -> None:
        """Use some of what costs nothing."""
        for choice in self.view["choices"]:
            if self.lots.random() < 0.2:
                self.ask(choice["name"], "choose", name=choice["name"], value=self.lots.random() < 0.5)
        dim = [held["card"] for held in self.view["hand"] if not held["legal"]]
        if dim and self.lots.random() < 0.1:
            before = self.game
            slip = self.ask("dim", "card" if self.view["phase"] == "play" else "exchange", card=dim[0])["refused"]
            assert slip["clause"] and self.game == before
        if self.lots.random() < 0.02:
            hint = self.ask("hint", "hint")["hint"]
            assert hint["card"] in {held["card"] for held in self.view["hand"] if held["legal"]} | {None}
        if self.lots.random() < 0.05:
            assert len(self.ask("totals", "totals")["totals"]) == len(BOOKS)
        if self.lots.random() < 0.03 and self.used["moves"]:
            self.ask("back", "back")

    def move(self) -> None:
        legal = [held["card"] for held in self.view["hand"] if held["legal"]]
        if self.view["phase"] == "play":
            self.ask("card", "card", card=self.lots.choice(legal))
        elif self.view["keep"] and self.lots.random() < 0.5:
            look = self.view["offer"]["look"] and self.lots.random() < 0.5
            self.ask("look" if look else "keep", "exchange", card=None, look=look)
        else:
            self.ask(self.view["offer"]["kind"], "exchange", card=self.lots.choice(legal))
        self.used["moves"] += 1

    def check_end(self) -> None:
        """Every counter is accounted for, and the record comes to what was shown."""
        assert "review" in self.ask("end", "end")
        deal, problems = read_deal(self.game["deals"][-1])
        assert deal is not None and not problems
        settled = settle(deal, resolve(self.library, self.view["deal"]["source"]))
        assert isinstance(settled, Settled), deal.id
        assert [seat["account"] for seat in self.view["seats"]] == [settled.net[at] for at in range(len(deal.seats))]
        assert sum(pool["amount"] for pool in self.view["pools"]) == settled.pool.total
        self.used["moves"] = 0


def play_games(library: Library, count: int) -> Counter[str]:
    """Play so many games over all books, players and tables; return how often each control was used."""
    used = Counter[str]()
    for seed in range(count):
        source, others = BOOKS[seed % len(BOOKS)], OTHERS[seed // len(BOOKS) % len(OTHERS)]
        tables = (None, *TABLES.get(source, ()))
        robot = Robot(library, seed)
        robot.play(source, seed, others, tables[seed // 21 % len(tables)])
        used += robot.used
    return used


@pytest.mark.slow
def test_a_robot_plays_games_by_three_books(library: Library) -> None:
    used = play_games(library, 3)
    assert used["card"] > 30 and used["end"] >= 3


@pytest.mark.nightly
def test_a_robot_plays_500_games_and_uses_every_control(library: Library) -> None:
    used = play_games(library, 500)
    assert {control: used[control] for control in CONTROLS if used[control] < USED_AT_LEAST} == {}
