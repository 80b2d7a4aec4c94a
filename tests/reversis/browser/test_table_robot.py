"""A robot visitor: many games by every book, with every control of the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from benchmarks.table_hints import measure_regrets
from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.settlement.settle import Settled, settle
from reversis.browser.api import answer_request
from reversis.table.game import (
    TableGame,
    deal_next,
    find_session,
    find_table_turn,
    let_others_move,
    list_offers,
    make_offers,
    open_table,
    play_next_card,
)
from reversis.table.offers import KEPT_HAND
from reversis.table.options import TableOptions, read_table_options
from rulebook.model import Library
from rulebook.resolve import rules

BOOKS = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")
OTHERS = ("net", "cautious", "random")
NETS = ("net", "net", "net", "net")
TABLES = {"ACA": ((4, 48), (5, 48)), "GER": ((4, 48), (5, 52))}  #: books that have more than one
#: Books that have the espagnolette, and in how many games the person is dealt it; by PAR alone it is announced.
PRIVILEGED = {"HOY": 0.2, "MEY": 0.2, "PAM": 0.2, "PAR": 0.6, "PIE": 0.2}
AGREED = {"ACA": ("Q031", "Q032", "Q035", "Q020"), "GER": ("Q035", "Q020")}  #: questions whose sums are agreed on
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
    "waive",
    "next",
    "totals",
    "end",
    "reading",
    "hybrid",
    "agreed",
    "five players",
    "52 cards",
}

Answer = dict[str, Any]


class Robot:
    """A visitor who does whatever can be done, by lot, and counts it."""

    def __init__(self, library: Library, seed: int) -> None:
        self.library, self.lots, self.used = library, Random(seed), Counter[str]()
        self.game: Answer = {}
        self.view: Answer = {}
        self.wishes: list[str] = []

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
        kind, self.wishes = self.choose_wishes(source)
        if self.lots.random() < PRIVILEGED.get(source, 0):
            seed = find_privileged_seed(self.library, source, seed)
        self.ask(kind, "begin", source=source, seed=seed, others=others, players=players, pack=pack, wishes=self.wishes)
        self.used.update({"five players": players == 5, "52 cards": pack == 52})
        self.play_deal()
        if self.lots.random() < 0.1 and not table:
            self.ask("next", "next")
            self.play_deal()

    def choose_wishes(self, source: str) -> tuple[str, list[str]]:
        """Choose to play by the book, by a rival reading of it, or with another book's answer to a question."""
        kind = self.lots.choice(("begin", "begin", "reading", "hybrid", *(["agreed"] if source in AGREED else [])))
        clauses = (clause for clause in self.library.clauses() if clause.source == source)
        readings = [other.id for clause in clauses for other in clause.alternatives]
        questions = [question.id for question in self.library.questions.values()]
        other = self.lots.choice([book for book in BOOKS if book != source])
        agreed = [f"{question}={self.lots.randrange(9)}" for question in AGREED.get(source, ())]
        hybrids = [f"{question}@{other}" for question in questions]
        wishes = {"reading": readings, "hybrid": hybrids, "agreed": agreed}.get(kind, [])
        self.lots.shuffle(wishes)
        playable = (wish for wish in wishes if self.can_begin(source, wish))
        return kind, [wish for wish in (next(playable, ""),) if wish]

    def can_begin(self, source: str, wish: str) -> bool:
        """Return whether a deal by such a wish begins; if not, the page says why before anybody sits down."""
        request = {"do": "table.begin", "source": source, "seed": 1, "wishes": [wish]}
        return "wrong" not in answer_request(self.library, request)

    def play_deal(self) -> None:
        while self.view["phase"] != "over":
            self.do_besides()
            self.move()
        self.check_end()

    def do_besides(self) -> None:
        """Use some of what costs nothing."""
        for choice in self.view["choices"]:
            if choice in self.view["choices"] and self.lots.random() < 0.2:  # one may end another
                self.ask(choice["name"], "choose", name=choice["name"], value=self.lots.choice(choice["values"]))
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
        settled = settle(deal, rules(self.library, self.view["deal"]["source"], *self.wishes))
        assert isinstance(settled, Settled), deal.id
        assert [seat["account"] for seat in self.view["seats"]] == [settled.net[at] for at in range(len(deal.seats))]
        assert sum(pool["amount"] for pool in self.view["pools"]) == settled.pool.total
        assert name_cards(deal) == name_cards(self.play_at_once(deal))
        self.used["moves"] = 0

    def play_at_once(self, record: Deal) -> Deal:
        """Play the last deal at one go, as at the terminal, with the same choices of the person."""
        game = open_table(self.library, read_table_options(self.game["options"]))
        earlier = tuple(read_deal(each)[0] for each in self.game["deals"][:-1])
        game = replace(game, deals=tuple(deal for deal in earlier if deal))
        game = let_others_move(deal_next(game, find_session(game, len(earlier))))
        while game.deal.fragment:
            game = let_others_move(move_as_recorded(game, record))
        return game.deal


def find_privileged_seed(library: Library, source: str, seed: int) -> int:
    """Find a seed by which the person is dealt the espagnolette: it is rare."""
    game = open_table(library, TableOptions(source, seed, NETS))
    while True:
        seed += 1000
        dealt = replace(game, options=replace(game.options, seed=seed))
        if find_table_turn(deal_next(dealt, find_session(dealt, 0)))[0].holder == 0:
            return seed


def move_as_recorded(game: TableGame, record: Deal) -> TableGame:
    """Have the person move as in a record."""
    if offers := list_offers(game):
        if offers[0].to is not None:
            return make_offers(game, {gift.seat: gift.card for gift in record.gifts if gift.seat == 0})
        own = next(exchange for exchange in record.exchange if exchange.seat == 0)
        return make_offers(game, {0: KEPT_HAND if own.out is None else own.out}, own.looked)
    turn = find_table_turn(game)[1]
    assert turn is not None
    return play_next_card(game, next(card for card in record.tricks[turn.number - 1] if record.holder(card) == 0))


def name_cards(deal: Deal) -> object:
    """Name all that is dealt, exchanged, given and played."""
    return deal.dealer, deal.hands, deal.talon, deal.exchange, deal.gifts, deal.tricks


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


@pytest.mark.nightly
def test_a_hinted_card_costs_little_against_a_search(library: Library) -> None:
    regrets = measure_regrets(library, 60, 1)
    assert len(regrets) == 60 and {regret.book for regret in regrets} == {*BOOKS}
    assert sum(regret.fresh for regret in regrets) / len(regrets) < 2.0  # counters
