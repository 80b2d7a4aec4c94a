"""One deal at the terminal: moves are told as they are made, the game is saved after each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.session.session import Session
from reversis.cli.table.deal_lines import (
    describe_deal,
    list_move_lines,
    list_new_payment_lines,
    list_past_lines,
    list_standings,
)
from reversis.cli.table.persons import TakeBack, ask_for_card, ask_for_offer
from reversis.cli.table.saved_game import save_game
from reversis.cli.table.terminal_io import Talk
from reversis.table.game import (
    TableGame,
    find_table_turn,
    is_persons_turn,
    list_offers,
    make_offers,
    move_next,
    play_next_card,
    take_back,
)


@dataclass
class TerminalTable:
    """A game at the terminal: how it stands, its file, the screen."""

    game: TableGame
    path: Path
    talk: Talk

    def save(self) -> None:
        """Save the game as it now stands."""
        save_game(self.path, self.game.deals, str(self.game.options))


def play_deal(table: TerminalTable, session: Session) -> None:
    """Exchange and play one deal to its end, saved after every card. Raises Leave, Silent."""
    table.save()
    table.talk.space()
    table.talk.say(describe_deal(table.game), style="bold")
    table.talk.say(*list_past_lines(table.game))
    stood = 0  #: tricks, when it was last said how everybody stands
    while table.game.deal.fragment:
        tricks = table.game.deal.tricks
        if tricks and len(tricks[-1]) == len(table.game.seats):
            if len(tricks) != stood and table.game.persons:
                table.talk.say(*list_standings(table.game, session))
            stood = len(tricks)
            table.talk.space()
        _move(table)


def _move(table: TerminalTable) -> None:
    """Make the next move, and tell it; or take back the last choice of a person."""
    before, talk = table.game, table.talk
    try:
        moved = move_next(before) or _ask_person(table)
    except TakeBack:
        _take_back(table)
        return
    table.game = moved
    table.save()
    talk.say(*list_move_lines(before, moved))
    deal = moved.deal
    if deal.tricks and len(deal.tricks[-1]) == len(moved.seats) and (deal.fragment or not talk.is_terminal):
        talk.say(*(f"  {line}" for line in list_new_payment_lines(moved)))  # else the whole ledger follows


def _ask_person(table: TerminalTable) -> TableGame:
    game = table.game
    if offers := list_offers(game):
        own = [offer for offer in offers if offer.seat in game.persons]
        return make_offers(game, {offer.seat: ask_for_offer(game, table.talk, offer) for offer in own})
    turn = find_table_turn(game)[1]
    assert turn is not None, "the deal is not over"
    return play_next_card(game, ask_for_card(game, table.talk, turn))


def _take_back(table: TerminalTable) -> None:
    """Take back the last move of a person who had a choice."""
    game = take_back(table.game)
    while game is not None and not _has_choice(game):
        game = take_back(game)
    if game is None:
        table.talk.say("There is nothing to take back.")
        return
    table.game = game
    table.save()
    table.talk.say(f"taken back: {describe_place(game)}")


def _has_choice(game: TableGame) -> bool:
    assert is_persons_turn(game), "a person's choice is what is taken back"
    turn = None if list_offers(game) else find_table_turn(game)[1]
    return turn is None or len(turn.legal) > 1


def describe_place(game: TableGame) -> str:
    """Describe where in a deal the game stands."""
    return "before the first trick" if list_offers(game) else f"trick {len(find_table_turn(game)[0].takers) + 1}"
