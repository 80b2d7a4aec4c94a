"""A person at the terminal: what he is shown at his turn, and what he types; a card, or a word that asks for more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

import click

from engine.cards import card_words, format_card, format_cards, is_half_french, make_pack, parse_card_name, suit_of
from engine.deal.model import Deal
from engine.generation.turn import PlayerTurn
from engine.play.table import PlayTable
from engine.players.take_view import take_view
from reversis.cli.hint.hint import DEFAULT_WORLDS, HintQuestion, find_hint, print_hint
from reversis.cli.hint.hint_exchange import show_exchange_hint
from reversis.cli.table.terminal_io import Talk
from reversis.table.game import TableGame
from reversis.table.offers import KEPT_HAND, ExchangeQuestion
from reversis.table.refusals import build_refusal_slip, find_refusal
from reversis.table.table_words import TableNames
from reversis.words.spoken_answers import SpokenRules, speak_answer
from rulebook.strings import quote_value

_LEAVE, _BACK, _HINT, _HELP = ("q", "quit"), ("back", "undo"), ("h", "hint"), ("?", "help")
_HOW_TO_TYPE = "type rank and suit, such as QH or 7S; ? for help, q to leave."
_HELP_LINES = (
    "Type a card by rank and suit: QH is the queen of hearts, 10S the ten of spades.",
    "h  hint: which card, and how much less the others are worth",
    "back  take back your last choice, and what the others did since",
    "q  leave; the game is saved after every card",
)
_RULES = (  #: the questions that a player has first
    *("cards.points", "exchange.who", "play.first-lead", "play.follow", "quinola.card", "quinola.thrown-off.stake"),
    *("quinola.forced.when", "quinola.forced.stake", "ace.thrown-off.amount", "partie.winner", "partie.loser"),
)


class Leave(Exception):
    """A person has left the table."""


class TakeBack(Exception):
    """A person takes back the last choice."""


# ---- turns
def ask_for_offer(game: TableGame, talk: Talk, asked: ExchangeQuestion) -> int:
    """Ask for a card to lay away or to give, KEPT_HAND for none. Raises Leave, TakeBack."""
    words = f"{asked.words}{' (Enter)' * asked.may_keep}"
    hint = partial(show_exchange_hint, asked, game.options.seed, "text")
    return _ask_for_card(game, talk, asked.seat, words, asked.legal, hint, asked.may_keep)


def ask_for_card(game: TableGame, talk: Talk, turn: PlayerTurn) -> int:
    """Ask for a card to play, unless there is only one. Raises Leave, TakeBack."""
    if len(turn.legal) == 1:
        return turn.legal[0]
    if turn.table.takers:
        row, taker = game.deal.tricks[len(turn.table.takers) - 1], game.seats[turn.table.takers[-1]]
        talk.say(f"last trick: {describe_row(game.seats, turn.table, row)}; it went to {taker}")
    lie = describe_row(game.seats, turn.table, turn.row)
    talk.say(f"on the table: {lie or 'nothing'}")
    words = f"trick {turn.number}: {game.seats[turn.seat]} to play"
    return _ask_for_card(game, talk, turn.seat, words, turn.legal, lambda: _hint_card(game, talk))


def describe_row(seats: Sequence[str], table: PlayTable, row: Sequence[int]) -> str:
    """Describe the cards of a trick, each with its player."""
    return ", ".join(f"{seats[table.held[card]]} {format_card(card)}" for card in row)


def list_held_cards(deal: Deal, seat: int) -> frozenset[int]:
    """List the cards that a player still holds."""
    return deal.hands[seat] - {card for row in deal.tricks for card in row}


def format_suits(cards: frozenset[int]) -> str:
    """Format a hand with its suits apart."""
    suits = groupby(map(parse_card_name, format_cards(cards)), suit_of)
    return " | ".join(" ".join(map(format_card, suit)) for _, suit in suits)


# ---- help
def ask_hint(game: TableGame, worlds: int) -> HintQuestion:
    """Make the question for a hint at the turn that has come."""
    view, problems = take_view(game.deal, game.ask)
    assert view is not None, problems
    return HintQuestion(game.library, game.ruleset, game.deal, view, worlds, game.options.seed)


def _hint_card(game: TableGame, talk: Talk) -> None:
    """Show a hint, or why there is none."""
    try:
        asked = ask_hint(game, DEFAULT_WORLDS)
        print_hint(asked, find_hint(asked))
    except click.ClickException as fault:
        talk.say(fault.message)


def list_help(game: TableGame) -> Iterator[str]:
    """List what can be typed, and the rules that a player asks for first."""
    yield from _HELP_LINES
    yield f"By {game.ruleset.name}:"
    words = SpokenRules(game.library, game.ruleset)
    for slug in _RULES:
        value, question = words.value(slug), words.question(slug)
        if value is not None:
            yield f"  {question.asks} {speak_answer(words, question, value)}"


# ---- what is typed
def _ask_for_card(
    game: TableGame,
    talk: Talk,
    seat: int,
    words: str,
    legal: tuple[int, ...],
    hint: Callable[[], None],
    empty: bool = False,
) -> int:
    """Ask until a card is named that will do, or, where an *empty* line may, the hand is kept."""
    talk.say(f"{game.seats[seat]} holds {format_suits(list_held_cards(game.deal, seat))}")
    while True:
        line = _hear_line(talk, f"{words}: {' '.join(format_cards(legal))}")
        if line.casefold() in _HINT:
            hint()
        elif line.casefold() in _HELP:
            talk.say(*list_help(game))
        elif not line and empty:
            return KEPT_HAND
        else:
            card = _read_card(game, talk, seat, line, legal)
            if card is not None and not (is_half_french(line) and _is_withdrawn(talk, line, card)):
                return card


def _hear_line(talk: Talk, words: str) -> str:
    """Ask for a line. Raises Leave, TakeBack."""
    try:
        line = talk.listen(words).strip()
    except (EOFError, KeyboardInterrupt):
        raise Leave from None
    if line.casefold() in _LEAVE:
        raise Leave
    if line.casefold() in _BACK:
        raise TakeBack
    return line


def _is_withdrawn(talk: Talk, line: str, card: int) -> bool:
    """Say in words which card was typed, before it counts, and ask whether it was meant.

    R, D and V are French and the letters of suits English: RC may have been meant for *roi de coeur*.
    """
    words = f"{quote_value(line)} is the {card_words(card)}: Enter takes it, any other word takes it back"
    return _hear_line(talk, words) != ""


def _read_card(game: TableGame, talk: Talk, seat: int, line: str, legal: tuple[int, ...]) -> int | None:
    """Read a card, or say why it will not do."""
    choice = " ".join(format_cards(legal))
    try:
        card = parse_card_name(line)
    except ValueError:
        what = f"{quote_value(line)} is no card: " if line else "A card is to be named: "
        talk.say(f"{what}{_HOW_TO_TYPE}")
        return None
    if card in legal:
        return card
    if card not in make_pack(game.deal.pack):
        talk.say(f"there is no {format_card(card)} in a pack of {game.deal.pack}; type one of {choice}")
        return None
    held = card in list_held_cards(game.deal, seat)
    talk.say(
        f"{format_card(card)} {_explain(game, seat, card) if held else 'is not in the hand'}; type one of {choice}"
    )
    return None


def _explain(game: TableGame, seat: int, card: int) -> str:
    """Explain by the clause why a card that is held may not be taken."""
    refusal = find_refusal(game, card)
    assert refusal is not None, "it is not among the cards that may be taken"
    slip = build_refusal_slip(game, TableNames(game.seats, seat), refusal)
    words = slip["words"].rstrip(".")
    quoted = f": “{slip['quote']}”" * bool(slip["quote"])
    return f"may not be taken: {words} ({slip['clause']}{quoted})"
