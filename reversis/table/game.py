"""A game at a table: its rules, who sits there, the deals so far; and the moves, one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from engine.cards import cards_of, rank_of
from engine.deal.model import Deal
from engine.generation.at_table import add_card, begin_deal, exchange_card, give_cards, set_up_turn, undo_last_move
from engine.generation.requests import find_tables
from engine.generation.turn import SEAT_NAMES, PlayerTurn, TableShape
from engine.play.table import ACE_RANK, PlayTable, find_quinolas, legal_cards
from engine.players.preferences import SKILLED
from engine.readings.ask import Ask
from engine.session.session import NotCounted, Session, Step, begin, play_next_deal, prepare_next_deal
from engine.settlement.settle import Settled, settle
from reversis.table.faults import TableFault
from reversis.table.offers import KEPT_HAND, ExchangeQuestion, list_offer_questions
from reversis.table.options import TableOptions
from reversis.table.players import PERSON, choose_offer, choose_player_card
from rulebook.model import Library, Ruleset
from rulebook.resolve import rules


@dataclass(frozen=True)
class TableGame:
    """A game: its rules and options, and the deals so far, of which the last may be in progress."""

    library: Library
    ruleset: Ruleset
    shape: TableShape
    options: TableOptions
    deals: tuple[Deal, ...] = ()
    search: Callable[[TableGame], int] | None = None  #: of the skilled, for whoever is to play

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in order of play."""
        return SEAT_NAMES[self.shape.players]

    @property
    def persons(self) -> tuple[int, ...]:
        """The seats of persons."""
        return tuple(seat for seat, kind in enumerate(self.options.kinds) if kind == PERSON)

    @property
    def ask(self) -> Ask:
        """An asker of the rules, who has asked nothing yet."""
        return Ask(self.ruleset)

    @property
    def deal(self) -> Deal:
        """The last deal."""
        return self.deals[-1]

    @property
    def waived(self) -> bool:
        """True if persons have waived the espagnolette in the last deal."""
        return len(self.deals) in self.options.waived

    def with_deal(self, deal: Deal) -> TableGame:
        """The game with the last deal as it now stands."""
        return replace(self, deals=(*self.deals[:-1], deal))

    def draw_lots(self, *turn: int) -> Random:
        """Return the lots of a turn: the same whenever the game is gone on with."""
        return Random(f"play:{self.options.seed}:{self.deal.id}:{':'.join(map(str, turn))}")


def open_table(library: Library, options: TableOptions, deals: tuple[Deal, ...] = ()) -> TableGame:
    """Open a table by the rules that are asked for. Raises BadChoice, NoSuchDeal, Silent, TableFault."""
    if options.source not in library.sources:
        raise TableFault(f"There is no source {options.source}; there are {', '.join(library.sources)}.")
    ruleset = rules(library, options.source, *options.wishes)
    shape = find_tables([ruleset], options.players, options.pack)[0]
    return TableGame(library, ruleset, shape, replace(options, players=shape.players, pack=shape.pack), deals)


# ---- the deals of a game
def begin_game(game: TableGame) -> Step:
    """Draw who deals first, and have all put in what is due before the first deal."""
    dealer = Random(f"play:{game.options.seed}").randrange(len(game.seats))
    return begin(game.ruleset, game.seats, dealer)


def find_session(game: TableGame, count: int) -> Session:
    """Find how the company stands when so many deals are played and all is put in for the next. Raises TableFault."""
    step = begin_game(game)
    for deal in game.deals[:count]:
        result = play_next_deal(step.after, deal)
        if isinstance(result, NotCounted):
            raise TableFault(f"The game ends here: {'; '.join(p.what for p in result.problems) or result.found}.")
        step = prepare_next_deal(result.after)
    return step.after


def deal_next(game: TableGame, session: Session) -> TableGame:
    """Deal the cards of the next deal, the same for the same seed."""
    number, seed = len(game.deals) + 1, game.options.seed
    lots = Random(f"play:{seed}:{number}")
    deal = begin_deal(lots, game.shape, session.dealer, f"play-{seed}-{number}", session.pool)
    return replace(game, deals=(*game.deals, deal))


# ---- whose turn it is
def list_offers(game: TableGame) -> list[ExchangeQuestion]:
    """List the turns before play that have come; several only of players who give each other cards at once."""
    return list_offer_questions(game.ruleset, game.deal)


def find_table_turn(game: TableGame) -> tuple[PlayTable, PlayerTurn | None]:
    """Set up the table of the last deal, and find whose turn it is; who has waived the privilege plays without it."""
    table, turn = set_up_turn(game.deal, game.ask)
    if turn is None or not (game.waived and turn.row and turn.seat == table.holder and turn.seat in game.persons):
        return table, turn
    legal = legal_cards(replace(table, holder=None), turn.number, turn.seat, turn.row[0], game.ask)
    return table, replace(turn, legal=tuple(cards_of(legal)))


def is_persons_turn(game: TableGame) -> bool:
    """Return whether the next to move is a person."""
    if offers := list_offers(game):
        return any(offer.seat in game.persons for offer in offers)
    turn = find_table_turn(game)[1]
    return turn is not None and turn.seat in game.persons


# ---- the moves
def make_offers(game: TableGame, chosen: Mapping[int, int], looked: bool = False) -> TableGame:
    """Have those who are next before play make their offers: persons what they have chosen, others as they play.

    `looked`: who keeps the hand looks at the card that he leaves.
    """
    offers = list_offers(game)
    cards = {offer.seat: _choose_offer(game, offer, chosen) for offer in offers}
    if offers[0].to is None:
        ((seat, card),) = cards.items()
        kept = card == KEPT_HAND
        return game.with_deal(exchange_card(game.deal, seat, None if kept else card, looked and kept))
    return game.with_deal(give_cards(game.deal, {(gift.seat, gift.to or 0): cards[gift.seat] for gift in offers}))


def _choose_offer(game: TableGame, offer: ExchangeQuestion, chosen: Mapping[int, int]) -> int:
    if offer.seat in chosen:
        return chosen[offer.seat]
    lots = game.draw_lots(0 if offer.to is None else -1, offer.seat)
    return choose_offer(game.options.kinds[offer.seat], lots, offer)


def play_next_card(game: TableGame, card: int) -> TableGame:
    """Play the next card; with the last one it is settled what persons ask for."""
    deal = add_card(game.deal, card)
    return game.with_deal(deal if deal.fragment or not game.options.unclaimed else _waive_claims(game, deal))


def _waive_claims(game: TableGame, deal: Deal) -> Deal:
    """The deal with what a person who has won the partie does not ask for."""
    settled = settle(deal, game.ruleset)
    partie = settled.outcome.partie if isinstance(settled, Settled) else None
    if partie is None or partie.winner not in game.persons:
        return deal
    privileged, led = find_quinolas(game.ask), [row[0] for row in deal.tricks]
    return replace(deal, claims={card: False for card in led if rank_of(card) == ACE_RANK or card in privileged})


def move_next(game: TableGame) -> TableGame | None:
    """Have the next player move, if that is no person; else, or when the deal is over, return None. Raises Silent."""
    if offers := list_offers(game):
        return None if any(offer.seat in game.persons for offer in offers) else make_offers(game, {})
    turn = find_table_turn(game)[1]
    if turn is None or turn.seat in game.persons:
        return None
    kind = game.options.kinds[turn.seat]
    if kind == SKILLED and game.search and len(turn.legal) > 1:
        return play_next_card(game, game.search(game))
    lots = game.draw_lots(turn.number, turn.seat)
    return play_next_card(game, choose_player_card(kind, lots, game.ruleset, game.deal, turn))


def let_others_move(game: TableGame) -> TableGame:
    """Have the others move until it is a person's turn, or the deal is over. Raises Silent."""
    while moved := move_next(game):
        game = moved
    return game


# ---- taken back
def take_back(game: TableGame) -> TableGame | None:
    """Return to the last decision of a person; None if no person has decided anything in this deal."""
    deal = game.deal
    while (earlier := undo_last_move(deal)) is not None:
        if find_last_movers(deal) & {*game.persons}:
            return game.with_deal(earlier)
        deal = earlier
    return None


def find_last_movers(deal: Deal) -> set[int]:
    """Find who has made the last move: several, if cards were given across the table."""
    if deal.tricks:
        return {deal.holder(deal.tricks[-1][-1]) or 0}
    return {gift.seat for gift in deal.gifts} or {deal.exchange[-1].seat}


def deal_anew(game: TableGame) -> TableGame:
    """Return to the last deal as it was dealt."""
    while (deal := undo_last_move(game.deal)) is not None:
        game = game.with_deal(deal)
    return game
