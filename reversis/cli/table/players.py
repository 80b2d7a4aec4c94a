"""The players at the table, and the choices of each: persons are asked, the others see what a player sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
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
    sort_cards,
    suit_of,
)
from engine.deal.model import Deal
from engine.generation.at_table import ExchangeTurn
from engine.generation.deal import choose_random_card
from engine.generation.turn import PlayerTurn, TableShape
from engine.play.table import PlayTable, find_quinolas
from engine.players.cautious import choose_cautious_card, choose_cautious_discard
from engine.players.nets import NetWorth, find_net
from engine.players.preferences import CAUTIOUS, RANDOM, SKILLED
from engine.players.take_view import take_view
from engine.readings.ask import Ask
from reversis.cli.hint.hint import DEFAULT_WORLDS, HintQuestion, find_hint, print_hint, require_search
from reversis.cli.hint.hint_exchange import ExchangeQuestion, show_exchange_hint, weigh_exchange
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


class Kept(Exception):
    """A person keeps the hand as it is."""


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
    def choose_exchange(self, deal: Deal, turn: ExchangeTurn) -> int | None:
        """Choose a card to lay away, or none to keep the hand."""
        kind, lots = self.kinds[turn.seat], self.draw_lots(deal, 0, turn.seat)
        if kind == PERSON:
            return self.ask_for_discard(deal, turn)
        if kind == RANDOM:
            return None if turn.may_keep and lots.random() < 0.5 else lots.choice(turn.legal)
        if kind == SKILLED and (found := self.weigh_offers(deal, turn.seat, turn.legal, turn.may_keep)):
            return None if found[0].card < 0 else found[0].card
        return choose_cautious_discard(lots, turn.legal, find_quinolas(self.ask))

    def choose_gift(self, deal: Deal, seat: int, to: int) -> int:
        """Choose a card to give across the table."""
        cards, lots = tuple(sort_cards(deal.hands[seat])), self.draw_lots(deal, -1, seat)
        if self.kinds[seat] == PERSON:
            words = f"{self.seats[seat]} gives a card to {self.seats[to]}"
            return self.ask_for_card(deal, seat, words, cards, lambda: self.hint_gift(deal, seat, to, cards))
        if self.kinds[seat] == RANDOM:
            return lots.choice(cards)
        if self.kinds[seat] == SKILLED and (found := self.weigh_offers(deal, seat, cards, gives=True)):
            return found[0].card
        return choose_cautious_discard(lots, cards, find_quinolas(self.ask))

    def ask_for_discard(self, deal: Deal, turn: ExchangeTurn) -> int | None:
        """Ask a person for a card to lay away; None keeps the hand."""
        does = "lays a card away" if turn.seat == deal.dealer else "exchanges a card"
        words = f"{self.seats[turn.seat]} {does}{', or nothing (Enter)' * turn.may_keep}"
        self.show_hand(deal, turn.seat)
        card = None
        while card is None:
            try:
                card = self.ask_once(
                    deal, turn.seat, words, turn.legal, lambda: self.hint_discard(deal, turn), turn.may_keep
                )
            except Kept:
                return None
        return card

    def hint_discard(self, deal: Deal, turn: ExchangeTurn) -> None:
        """Show what to lay away, as the command `hint` does."""
        asked = ExchangeQuestion(self.ruleset, deal, turn.seat, turn.legal, turn.may_keep)
        show_exchange_hint(asked, self.seed, "text")

    def hint_gift(self, deal: Deal, seat: int, to: int, cards: tuple[int, ...]) -> None:
        """Show what to give across the table, as the command `hint` does."""
        show_exchange_hint(ExchangeQuestion(self.ruleset, deal, seat, cards, to=to), self.seed, "text")

    def weigh_offers(
        self, deal: Deal, seat: int, legal: tuple[int, ...], may_keep: bool = False, gives: bool = False
    ) -> tuple[NetWorth, ...]:
        """Weigh by a net what may be laid away or given, the best first; nothing where there is no net."""
        return weigh_exchange(self.ruleset, deal, seat, legal, may_keep, gives)

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
    def ask_for_card(self, deal: Deal, seat: int, words: str, legal: tuple[int, ...], hint: Callable[[], None]) -> int:
        """Ask until a card is named that will do. Raises Leave."""
        self.show_hand(deal, seat)
        while (card := self.ask_once(deal, seat, words, legal, hint)) is None:
            pass
        return card

    def ask_once(
        self, deal: Deal, seat: int, words: str, legal: tuple[int, ...], hint: Callable[[], None], empty: bool = False
    ) -> int | None:
        """Ask for a card; None where it will not do, or a hint was asked for. Raises Leave, and Kept if it may."""
        said = self.hear_line(f"{words}: {' '.join(format_cards(legal))}")
        if said.casefold() in _HELP:
            hint()
            return None
        if not said and empty:
            raise Kept
        card = self.read_card(deal, seat, said, legal)
        return None if card is not None and is_half_french(said) and self.is_taken_back(said, card) else card

    def hear_line(self, words: str) -> str:
        """Ask for a line. Raises Leave."""
        try:
            said = self.talk.listen(words).strip()
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        if said.casefold() in _LEAVE:
            raise Leave
        return said

    def is_taken_back(self, said: str, card: int) -> bool:
        """Say in words which card was typed, before it counts, and ask whether it was meant. Raises Leave.

        R, D and V are French and the letters of suits English: RC may have been meant for *roi de coeur*.
        """
        words = f"{quote_value(said)} is the {card_words(card)}: Enter takes it, any other word takes it back"
        return self.hear_line(words) != ""

    def show_hand(self, deal: Deal, seat: int) -> None:
        """Show a person the hand."""
        self.talk.say(f"{self.seats[seat]} holds {' '.join(format_cards(list_held_cards(deal, seat)))}")

    def read_card(self, deal: Deal, seat: int, said: str, legal: tuple[int, ...]) -> int | None:
        """Read a card, or say why it will not do."""
        choice = " ".join(format_cards(legal))
        try:
            card = parse_card_name(said)
        except ValueError:
            what = f"{quote_value(said)} is no card: " if said else "A card is to be named: "
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
    if led is not None and suit_of(card) != led and {suit_of(one) for one in legal} == {led}:
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
