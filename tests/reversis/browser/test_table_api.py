"""A game at the table, asked as the page asks: stateless, by plain data, by the rules of every book."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from engine.deal.reader import read_deal
from engine.players import nets
from engine.settlement.settle import Settled, settle
from reversis.browser.api import answer_request
from rulebook.model import Library
from rulebook.resolve import resolve

BOOKS = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")
Answer = dict[str, Any]


class Page:
    """A page that keeps the game and asks."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.game: Mapping[str, Any] = {}
        self.view: Answer = {}

    def ask(self, do: str, **request: object) -> Answer:
        plain = json.loads(json.dumps({"do": f"table.{do}", "game": self.game, **request}))
        answer = json.loads(json.dumps(answer_request(self.library, plain)))
        if "game" in answer:
            self.game, self.view = answer["game"], answer["view"]
        return answer

    def begin(self, source: str, seed: int = 328, **options: object) -> Page:
        assert "wrong" not in self.ask("begin", source=source, seed=seed, **options)
        return self

    def lawful(self) -> list[str]:
        return [cell["card"] for cell in self.view["hand"] if cell["legal"]]

    def move(self, card: str | None, **more: object) -> Answer:
        return self.ask("card" if self.view["phase"] == "play" else "exchange", card=card, **more)

    def move_somehow(self, lots: Random) -> Answer:
        return self.move(lots.choice([*self.lawful(), *([None] if self.view["keep"] else [])]))

    def play(self, lots: Random) -> Iterator[Answer]:
        while self.view["phase"] != "over":
            yield self.move_somehow(lots)


@pytest.fixture
def page(library: Library) -> Page:
    return Page(library)


@pytest.mark.parametrize("source", BOOKS)
def test_a_game_by_random_choices_is_settled_as_its_record_is(page: Page, library: Library, source: str) -> None:
    page.begin(source, others="cautious")
    answers = [*page.play(Random(source))]
    assert not any("refused" in answer or "wrong" in answer for answer in answers)
    (record,) = page.game["deals"]
    deal, problems = read_deal(record)
    assert deal is not None and not problems
    settled = settle(deal, resolve(library, source))
    assert isinstance(settled, Settled)
    assert [seat["account"] for seat in page.view["seats"]] == [settled.net[seat] for seat in range(4)]
    assert sum(pool["amount"] for pool in page.view["pools"]) == settled.pool.total
    shown = [paid for answer in answers for move in answer["view"]["moves"] for paid in move.get("postings", ())]
    for at, seat in enumerate(deal.seats):
        brought = sum(paid["amount"] * ((paid["payee"] == seat) - (paid["payer"] == seat)) for paid in shown)
        assert brought == settled.net[at], seat


@pytest.mark.parametrize("source", BOOKS)
def test_every_card_that_is_dim_is_refused_with_a_clause_of_the_book_and_costs_nothing(page: Page, source: str) -> None:
    page.begin(source, others="cautious")
    lots, refused = Random(source), 0
    while page.view["phase"] != "over":
        before = page.game
        for cell in page.view["hand"]:
            if not cell["legal"]:
                slip = page.move(cell["card"])["refused"]
                assert slip["clause"].startswith(f"{source}.") and slip["title"] and slip["words"], slip
                assert page.game == before
                refused += 1
        page.move_somehow(lots)
    assert refused > 3


def test_the_pages_of_the_view_say_whose_turn_it_is_and_what_was_paid(page: Page) -> None:
    page.begin("PAM", others="net")
    assert (
        page.view["say"].startswith("Lay one card away, or keep your hand. ")
        and page.view["offer"]["kind"] == "lay away"
    )
    page.move("7S")
    assert page.view["live"][0] == "You lay the 7 of spades away and take the 8 of hearts."
    assert page.view["live"][1] == "East lays a card away and takes another."
    page.move("JH")
    (paid,) = [move for move in page.view["moves"] if move["kind"] == "payment"]
    assert paid["words"] == "You put 45 into the basket." and paid["slip"]["quote"] == "on fait la remise"
    assert page.view["pools"] == [{"name": "the basket", "card": "", "amount": 90}]
    assert page.view["debts"][0]["words"].startswith("You owe the winner of the partie for the quinola")
    assert page.view["last"]["taker"] == "south" and page.view["seats"][0]["tricks"] == 1


def test_what_was_taken_back_is_as_it_was_and_is_marked(page: Page) -> None:
    page.begin("HOY", others="cautious")
    lots, states = Random(1), []
    while page.view["phase"] != "over":
        states.append((page.game["deals"], {**page.view, "moves": 0, "live": 0}))
        page.move_somehow(lots)
    for count, (deals, view) in enumerate(reversed(states), 1):
        page.ask("back")
        assert page.game["deals"] == deals and {**page.view, "moves": 0, "live": 0} == view
        assert page.game["marks"]["backs"] == count
    assert page.ask("back") == {"wrong": "There is nothing to take back."}


def test_a_session_goes_on_by_the_book_and_a_game_is_read_again_as_it_was(page: Page) -> None:
    page.begin("GER", others="random")
    [*page.play(Random(2))]
    standing = [seat["standing"] for seat in page.view["seats"]]
    brought = page.view["standing"]
    assert [*brought["now"].values()] == standing and sum(standing) == -brought["pools"][0]["amount"]
    for seat, now in brought["now"].items():
        assert brought["deals"][0]["accounts"][seat] + brought["put_in"][seat] == now
    game, view = page.game, page.view
    page.ask("view")
    assert (page.game, page.view) == (game, view)
    page.ask("next")
    assert page.view["deal"]["number"] == page.view["deal"]["of"] == 2 and page.game["options"].count("--deals 2") == 1
    assert page.ask("next") == {"wrong": "The deal is not over."}
    after = [seat["standing"] for seat in page.view["seats"]]
    assert all(now <= then for now, then in zip(after, standing, strict=True))  # they have put in again


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"form": 2}, "The game was kept by a newer edition"),
        ({"form": "1"}, "What was kept of the game is damaged"),
        ({"options": ["x"]}, "What was kept of the game is damaged"),
        ({"deals": None}, "What was kept of the game is damaged"),
        ({"marks": 3}, "What was kept of the game is damaged"),
        ({"options": "--source PAM --seed x"}, "The options of the game cannot be read: --source PAM --seed x"),
        ({"deals": [{"deal": "x"}]}, "x cannot go on: missing from hands and talon"),
        ({"deals": ["x"]}, "A deal of the game cannot be read"),
        ({"deals": []}, "The game has no deal, or no person plays in it."),
    ],
)
def test_a_game_that_is_damaged_is_said_to_be(page: Page, change: Answer, words: str) -> None:
    page.begin("PAM")
    page.game = {**page.game, **change}
    assert page.ask("view")["wrong"].startswith(words)


def test_weights_that_are_handed_in_are_played_by_as_those_of_the_folder(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.begin("PAM", others="net")
    page.move("7S")
    deals = page.game["deals"]
    monkeypatch.setattr(nets, "read_net", lambda *_: None)
    monkeypatch.setattr(nets, "_HANDED_IN", {})
    page.begin("PAM", others="net")
    assert any("no skilled players" in note for note in page.view["notes"])
    text = (nets.WEIGHTS_FOLDER / "PAM.json").read_text(encoding="utf-8")
    assert page.ask("weights", source="PAM", text=text) == {"source": "PAM"}
    page.begin("PAM", others="net")
    page.move("7S")
    assert page.game["deals"] == deals and not any("no skilled players" in note for note in page.view["notes"])
    assert "the net is not as its training wrote it" in page.ask("weights", source="PAM", text="{}")["wrong"]


def test_what_cannot_be_done_now_is_said(page: Page) -> None:
    page.begin("PAM")
    assert page.ask("card", card="7S") == {"wrong": "It is not your turn to play a card."}
    assert page.ask("exchange", card="AS") == {"wrong": "AS is not in your hand."}
    assert page.ask("choose", name="announce", value=True)["wrong"] == "There is nothing to choose about announce now."
    page.move(None)
    assert page.ask("exchange", card="7S") == {"wrong": "The exchange is over."}
    assert page.ask("begin", source="XYZ", seed=1)["wrong"].startswith("There is no source XYZ")


def test_the_title_of_a_deal_is_kept_through_the_exchange_and_in_the_midst_of_a_trick(page: Page) -> None:
    page.begin("PAM", others="net")
    (deal,) = page.game["deals"]
    page.game = {**page.game, "deals": [{**deal, "title": "Three aces led"}]}
    for _ in range(4):
        page.move_somehow(Random(5))
        assert page.game["deals"][0]["title"] == "Three aces led"
