"""The players at the table, and the choices of each: persons are asked, the others see what a player sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

import click

from edition.cli.output import print_remark
from engine.cards import (
    CARD_SUITS,
    ENGLISH_SUITS,
    card_words,
    format_card,
    format_cards,
    is_half_french,
    make_pack,
    parse_card_name,
    suit_of,
)
from engine.deal.model import Deal
from engine.generation.deal import choose_random_card
from engine.generation.turn import PlayerTurn, TableShape
from engine.play.table import PlayTable, find_quinolas
from engine.players.cautious import choose_cautious_card, choose_cautious_discard
from engine.players.nets import find_net
from engine.players.preferences import CAUTIOUS, RANDOM, SKILLED
from engine.players.take_view import take_view
from engine.readings.ask import Ask
from reversis.cli.hint.hint import DEFAULT_WORLDS, HintQuestion, find_hint, print_hint, require_search
from reversis.cli.hint.hint_exchange import KEPT_HAND, ExchangeQuestion, show_exchange_hint, weigh_exchange
from reversis.cli.net_limits import describe_net_limits
from reversis.cli.table.terminal_io import Talk
from rulebook.model import Library, Ruleset
from rulebook.strings import quote_value

PERSON = "person"  #: a kind of player besides those of a survey
KINDS = (PERSON, RANDOM, CAUTIOUS, SKILLED)
_WORLDS = 64  #: of a skilled player
_LEAVE, _HELP = ("q", "quit"), ("?", "h", "help", "hint")
_HOW_TO_TYPE = "type rank and suit, such as QH or 7S; ? for a hint, q to leave."


class Leave(Exception):
    """A person has left the table."""


@dataclass
class SeatedCompany:
    """The players, each by kind, and what they need to choose."""

    library: Library
    ruleset: Ruleset
    seats: tuple[str, ...]
    kinds: tuple[str, ...]
    seed: int
    talk: Talk
    ask: Ask = field(init=False)

    def __post_init__(self) -> None:
        self.ask = Ask(self.ruleset)

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons."""
        return tuple(seat for seat, kind in enumerate(self.kinds) if kind == PERSON)

    def draw_lots(self, deal: Deal, *turn: int) -> Random:
        """Return the lots of a turn: the same whenever the game is gone on with."""
        return Random(f"play:{self.seed}:{deal.id}:{':'.join(map(str, turn))}")

    # ---- before play
    def choose_offer(self, asked: ExchangeQuestion) -> int:
        """Choose a card to lay away, KEPT_HAND for none, or one to give across the table."""
        kind, lots = self.kinds[asked.seat], self.draw_lots(asked.deal, 0 if asked.to is None else -1, asked.seat)
        if kind == PERSON:
            words = f"{asked.words}{' (Enter)' * asked.may_keep}"
            hint = partial(show_exchange_hint, asked, self.seed, "text")
            return self.ask_for_card(asked.deal, asked.seat, words, asked.legal, hint, asked.may_keep)
        if kind == RANDOM:
            return KEPT_HAND if asked.may_keep and lots.random() < 0.5 else lots.choice(asked.legal)
        if kind == SKILLED and (worths := weigh_exchange(asked)):
            return worths[0].card
        return choose_cautious_discard(lots, asked.legal, find_quinolas(self.ask))

    # ---- the play
    def choose_card(self, deal: Deal, turn: PlayerTurn) -> int:
        """Choose a card to play."""
        kind, lots = self.kinds[turn.seat], self.draw_lots(deal, turn.number, turn.seat)
        if kind == PERSON:
            lie = describe_row(self.seats, turn.table, turn.row)
            self.talk.say(f"on the table: {lie or 'nothing'}")
            words = f"trick {turn.number}: {self.seats[turn.seat]} to play"
            return self.ask_for_card(deal, turn.seat, words, turn.legal, lambda: self.hint_card(deal))
        if len(turn.legal) == 1:
            return turn.legal[0]
        if kind == RANDOM:
            return choose_random_card(lots, turn)
        return find_hint(self.question(deal, _WORLDS)).cards[0] if kind == SKILLED else choose_cautious_card(lots, turn)

    def question(self, deal: Deal, worlds: int) -> HintQuestion:
        """The turn that has come, as a hint is asked for."""
        view, problems = take_view(deal, self.ask)
        assert view is not None, problems
        return HintQuestion(self.library, self.ruleset, deal, view, worlds, self.seed)

    def hint_card(self, deal: Deal) -> None:
        """Show a hint, or why there is none."""
        try:
            asked = self.question(deal, DEFAULT_WORLDS)
            print_hint(asked, find_hint(asked))
        except click.ClickException as fault:
            self.talk.say(fault.message)

    # ---- persons
    def ask_for_card(
        self, deal: Deal, seat: int, words: str, legal: tuple[int, ...], hint: Callable[[], None], empty: bool = False
    ) -> int:
        """Ask until a card is named that will do, or, where an *empty* line may, the hand is kept. Raises Leave."""
        self.talk.say(f"{self.seats[seat]} holds {' '.join(format_cards(list_held_cards(deal, seat)))}")
        while True:
            line = self.hear_line(f"{words}: {' '.join(format_cards(legal))}")
            if line.casefold() in _HELP:
                hint()
                continue
            if not line and empty:
                return KEPT_HAND
            card = self.read_card(deal, seat, line, legal)
            if card is not None and not (is_half_french(line) and self.is_taken_back(line, card)):
                return card

    def hear_line(self, words: str) -> str:
        """Ask for a line. Raises Leave."""
        try:
            line = self.talk.listen(words).strip()
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        if line.casefold() in _LEAVE:
            raise Leave
        return line

    def is_taken_back(self, line: str, card: int) -> bool:
        """Say in words which card was typed, before it counts, and ask whether it was meant. Raises Leave.

        R, D and V are French and the letters of suits English: RC may have been meant for *roi de coeur*.
        """
        words = f"{quote_value(line)} is the {card_words(card)}: Enter takes it, any other word takes it back"
        return self.hear_line(words) != ""

    def read_card(self, deal: Deal, seat: int, line: str, legal: tuple[int, ...]) -> int | None:
        """Read a card, or say why it will not do."""
        choice = " ".join(format_cards(legal))
        try:
            card = parse_card_name(line)
        except ValueError:
            what = f"{quote_value(line)} is no card: " if line else "A card is to be named: "
            self.talk.say(f"{what}{_HOW_TO_TYPE}")
            return None
        if card in legal:
            return card
        if card not in make_pack(deal.pack):
            self.talk.say(f"there is no {format_card(card)} in a pack of {deal.pack}; type one of {choice}")
            return None
        held = card in list_held_cards(deal, seat)
        why = explain_unlawful_card(deal, card, legal) if held else "is not in the hand"
        self.talk.say(f"{format_card(card)} {why}; type one of {choice}")
        return None


def explain_unlawful_card(deal: Deal, card: int, legal: tuple[int, ...]) -> str:
    """Explain why a card that is held may not be taken: mostly because suit is to be followed."""
    row = deal.tricks[-1] if deal.tricks else ()
    led = suit_of(row[0]) if 0 < len(row) < len(deal.seats) else None
    if led is not None and suit_of(card) != led and {suit_of(other) for other in legal} == {led}:
        return f"may not be played: follow {ENGLISH_SUITS[CARD_SUITS[led]]}"
    return "may not be taken here"


def describe_row(seats: Sequence[str], table: PlayTable, row: Sequence[int]) -> str:
    """Describe the cards of a trick, each with its player."""
    return ", ".join(f"{seats[table.held[card]]} {format_card(card)}" for card in row)


def list_held_cards(deal: Deal, seat: int) -> frozenset[int]:
    """List the cards that a player still holds."""
    return deal.hands[seat] - {card for row in deal.tricks for card in row}


def replace_missing_skill(
    library: Library, ruleset: Ruleset, shape: TableShape, kinds: tuple[str, ...], talk: Talk
) -> tuple[str, ...]:
    """Have the skilled play by a net where nobody can search, with caution where there is none either; and say so."""
    if SKILLED not in kinds:
        return kinds
    try:
        require_search(library, ruleset, shape)
    except click.ClickException as fault:
        if net := find_net(ruleset, shape.players, shape.pack):
            limits = "".join(f"{limit} " for limit in describe_net_limits(ruleset, net.stake, net))
            print_remark(f"The skilled seats play by a net, and search nothing. {limits}{fault.message}")
            return kinds
        print_remark(f"The skilled seats play with caution instead. {fault.message}")
        return tuple(CAUTIOUS if kind == SKILLED else kind for kind in kinds)
    return kinds
