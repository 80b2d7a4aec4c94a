"""A player's view, taken from the record of a deal, whole or with gaps.

Nothing of what the player does not see goes into it. That the play up to his turn is lawful is checked all the same: of
a whole record everything, of one with gaps what he does himself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from engine.cards import format_card, make_pack, sort_cards
from engine.deal.fields import Find, RecordPlace, locate_without_file
from engine.deal.model import Deal, Exchange, Gift
from engine.deal.pool import NO_POOL, Pool
from engine.generation.at_table import set_up_turn
from engine.generation.turn import PlayerTurn, TableShape, find_table_shape, list_table_shapes
from engine.generation.wishes import Sketch
from engine.play.replay import check_exchange, check_table, finish_trick, play_card
from engine.play.table import PlayTable, seat_players
from engine.players.view import PlayerView, SeenCard, TurnOrder, ask_turn_order
from engine.readings.ask import Ask
from rulebook.problems import Problem
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

Rows: TypeAlias = "list[tuple[int, ...]]"  #: the cards of some tricks, the last of which may be broken off


def take_view(
    record: Deal | Sketch, ask: Ask, seat: str = "", trick: int | None = None, find: Find = locate_without_file
) -> tuple[PlayerView | None, list[Problem]]:
    """Take the view of a player at his turn in a trick, or return every problem with its place and a hint.

    Without a trick it is his next turn, without a seat that of whoever is to play. Seats of the view are counted from
    the eldest. Raises Silent.
    """
    taker = _ViewTaker(sketch_deal(record) if isinstance(record, Deal) else record, ask, find)
    view = taker.take(record if isinstance(record, Deal) else None, seat, trick)
    return (None if taker.problems else view), taker.problems


def sketch_deal(deal: Deal) -> Sketch:
    """Return a whole deal as if it were a record with gaps."""
    rest = {"pools": deal.pools, "exchange": deal.exchange, "gifts": deal.gifts, "faults": deal.faults}
    hands = {seat: tuple(hand) for seat, hand in enumerate(deal.hands)}
    return Sketch((), deal.seats, len(deal.seats), deal.pack, deal.dealer, hands, deal.talon, deal.tricks, rest=rest)


@dataclass
class _ViewTaker:
    """Takes a view from a record; notes every problem."""

    record: Sketch
    ask: Ask
    find: Find
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, place: RecordPlace, what: str, hint: str) -> None:
        """Note a problem."""
        self.problems.append(self.find(place).problem(what, hint))

    def take(self, whole: Deal | None, name: str, trick: int | None) -> PlayerView | None:
        """Take the view; None where there are problems. `whole`: the record, if nothing is missing in it."""
        shape, dealer = self.find_shape(), self.record.dealer
        self.check_record(name)
        if shape is None or dealer is None or self.problems:
            return None
        order = ask_turn_order(self.ask, dealer, shape.players)
        turn = self.find_turn(order, shape, name, trick)
        if turn is None:
            return None
        seat, rows = turn
        held, seen = frozenset(self.record.hands.get(seat, ())), order.name_players(rows)
        view = self.make_view(order, seat, held, seen)
        self.check_hand(shape, seat, held)
        self.check_places(view, order)
        if not self.problems:
            deal = whole or complete_anyhow(self.record, shape, dealer, seat, held, seen)
            self.check_lawful(deal, rows, None if whole else seat)
        return view

    # ---- the table
    def find_shape(self) -> TableShape | None:
        """Find the table, by these rules."""
        seats, pack, hands = len(self.record.seats), self.record.pack, self.record.hands.values()
        table_shape = find_table_shape(self.ask.ruleset, seats, pack, map(len, hands))
        if table_shape is None:
            cards = f" with {pack} cards" if pack else ""
            table_shapes = list_table_shapes(self.ask.ruleset)
            tables = " or ".join(f"{shape.players} players with {shape.pack} cards" for shape in table_shapes)
            self.wrong(("seats",), f"{seats} players{cards}", f"these rules play with {tables or 'nothing known'}")
        return table_shape

    def check_record(self, name: str) -> None:
        """Note a seat that is none, and what a record may not leave out or may not have."""
        seats = self.record.seats
        if name and name not in seats:
            hint = did_you_mean(name, seats, f"the seats are {', '.join(seats)}", repr)
            self.wrong(("seats",), f"no seat {quote_value(name)}", hint)
        if self.record.dealer is None:
            self.wrong(("dealer",), "it is not said who deals", f"write it: dealer: {seats[-1]}")
        if self.record.rest.get("faults"):
            what = "the record lists faults, and the players know of none"
            self.wrong(("faults",), what, "take them out, if the play up to there is legal without them")

    # ---- whose turn
    def find_turn(self, order: TurnOrder, shape: TableShape, name: str, trick: int | None) -> tuple[int, Rows] | None:
        """Find the seat whose turn it is, and the cards played before, trick by trick."""
        rows = self.record.tricks
        done = next((at for at, row in enumerate(rows) if None in row or len(row) < order.seats), len(rows))
        number = done + 1 if trick is None else trick
        if trick is None and done == shape.hand:
            self.wrong(("tricks",), "the deal is finished", f"name a trick from 1 to {shape.hand}")
        elif not 1 <= number <= shape.hand:
            self.wrong(("tricks",), f"there is no trick {number}", f"they go from 1 to {shape.hand}")
        elif number > done + 1:
            what = f"not all the cards of trick {done + 1} are known, and it comes before trick {number}"
            self.wrong(("tricks", done), what, "write in every card that was played, or ask for an earlier trick")
        else:
            before = cast(Rows, [*rows[: number - 1]])
            return self.find_place(order, before, rows[number - 1] if number <= len(rows) else (), name)
        return None

    def find_place(
        self, order: TurnOrder, before: Rows, row: Sequence[int | None], name: str
    ) -> tuple[int, Rows] | None:
        """Find a player's place in a trick, and the cards that lie there before it."""
        leader, seats = order.find_next_player(before), self.record.seats
        known = next((at for at, card in enumerate(row) if card is None), len(row))
        place = (seats.index(name) - leader) % order.seats if name else known % order.seats
        if place > known:
            missing = seats[(leader + known) % order.seats]
            what = f"trick {len(before) + 1}: the card of {missing}, who plays before {name}, is not known"
            self.wrong(("tricks", len(before)), what, f"write it in, or ask what {missing} is to play")
            return None
        return (leader + place) % order.seats, [*before, cast("tuple[int, ...]", tuple(row[:place]))]

    # ---- what the player knows
    def make_view(self, order: TurnOrder, seat: int, held: frozenset[int], seen: Sequence[SeenCard]) -> PlayerView:
        """Make the view, with seats counted from the eldest."""

        def turn(seat: int) -> int:
            return (seat - order.eldest) % order.seats

        pools = cast("Mapping[str, Pool]", self.record.rest.get("pools", {}))
        exchanges = cast("Sequence[Exchange]", self.record.rest.get("exchange", ()))
        gifts = cast("Sequence[Gift]", self.record.rest.get("gifts", ()))
        return PlayerView(
            turn(seat),
            order.seats,
            held,
            tuple(SeenCard(turn(who), card) for who, card in seen),
            frozenset(exchange.out for exchange in exchanges if exchange.seat == seat and exchange.out is not None),
            next((gift.card for gift in gifts if gift.seat == seat), None),
            pools.get(self.ask.ruleset.source) or pools.get("") or NO_POOL,
        )

    def check_hand(self, shape: TableShape, seat: int, held: frozenset[int]) -> None:
        """Note a hand that is not whole, or has cards that are not in the pack."""
        place, name = ("hands", self.record.seats[seat]), self.record.seats[seat]
        if len(held) != shape.hand:
            what = f"the hand of {name} has {len(held) or 'no'} cards; by these rules it has {shape.hand}"
            self.wrong(place, what, f"write all cards that {name} held when the first card was led")
        if strange := [format_card(card) for card in sort_cards(held - make_pack(shape.pack))]:
            what = f"no card of a pack of {shape.pack}: {' '.join(strange)}"
            self.wrong(place, what, "write pack: 52, if there are tens")

    def check_places(self, view: PlayerView, order: TurnOrder) -> None:
        """Note a card that is played by one who cannot have it, as far as the player knows."""
        for at, (who, card) in enumerate(view.played):
            name, place = self.record.seats[(who + order.eldest) % order.seats], ("tricks", at // order.seats)
            if (card in view.held) != (who == view.seat):
                holds = "does not hold" if who == view.seat else "cannot hold"
                what = f"trick {at // order.seats + 1}: it is the turn of {name}, who {holds} {format_card(card)}"
                self.wrong(place, what, "write the cards of a trick in the order played, the leader's first")
                break  # from there on everybody would be named wrongly
        given = set() if view.given is None else {view.given}
        gone, played = {*view.aside} | given, {card for _, card in view.played}
        if wrong := [format_card(card) for card in sort_cards(gone & view.held | view.aside & played)]:
            self.wrong(("exchange",), f"laid away or given, and yet in play: {' '.join(wrong)}", "write where they lie")

    # ---- by the rules
    def check_lawful(self, deal: Deal, rows: Rows, judged: int | None) -> None:
        """Note what the rules forbid, of one player or of all."""
        table = seat_players(deal, self.ask)
        check_table(table)
        check_exchange(table)
        for at, row in enumerate(rows):
            if not self.play_row(table, at + 1, row):
                return
        for refusal in table.refusals:
            if judged is None or refusal.seat in (None, judged):
                place: RecordPlace = ("exchange",) if refusal.trick is None else ("tricks", refusal.trick - 1)
                self.wrong(
                    place, f"by {self.ask.ruleset.name}: {refusal.message}", "correct the record, or ask by other rules"
                )

    def play_row(self, table: PlayTable, number: int, row: Sequence[int]) -> bool:
        """Play the cards of a trick, the last of which may be broken off; stop at one of another player's."""
        played, led = [], None
        for seat, card in zip(table.turns[table.leader], row, strict=False):
            if table.held.get(card) != seat:
                name, held = table.deal.seats[seat], format_card(card)
                what = f"trick {number}: it is the turn of {name}, who does not hold {held}"
                self.wrong(("tricks", number - 1), what, "write the cards of a trick in the order played")
                return False
            played.append(play_card(table, number, seat, card, led))
            led = row[0]
        if len(played) == table.seats:
            finish_trick(table, number, played)
        return True


def find_view_turn(view: PlayerView, ask: Ask) -> tuple[PlayerTurn, TurnOrder]:
    """Find a player's turn with what he may play, from his view alone, and the order of play with the view's seats.

    Raises Silent.
    """
    orders = (ask_turn_order(ask, dealer, view.seats) for dealer in range(view.seats))
    dealer, order = next((at, candidate) for at, candidate in enumerate(orders) if candidate.eldest == 0)
    tables = (
        shape for shape in list_table_shapes(ask.ruleset) if (shape.players, shape.hand) == (view.seats, len(view.held))
    )
    known = Sketch(seats=tuple(map(str, range(view.seats))))
    deal = complete_anyhow(known, next(tables), dealer, view.seat, view.held, view.played)
    cards = tuple(card for _, card in view.played)
    rows = tuple(cards[at : at + view.seats] for at in range(0, len(cards), view.seats))
    _, turn = set_up_turn(replace(deal, tricks=rows), ask)
    assert turn is not None, "a view is taken at a turn"
    return turn, order


def complete_anyhow(
    record: Sketch, shape: TableShape, dealer: int, seat: int, held: frozenset[int], seen: Sequence[SeenCard]
) -> Deal:
    """Complete a deal of which one hand and the cards played are known; where the others lie does not matter."""
    played = [frozenset(card for who, card in seen if who == at) for at in range(shape.players)]
    rest = iter(sort_cards(make_pack(shape.pack) - held - {card for _, card in seen}))
    hands = tuple(
        held if at == seat else played[at] | {*_draw(rest, shape.hand - len(played[at]))} for at in range(shape.players)
    )
    exchange = tuple(
        entry for entry in cast("Sequence[Exchange]", record.rest.get("exchange", ())) if entry.seat == seat
    )
    pools = cast("Mapping[str, Pool]", record.rest.get("pools", {}))
    return Deal(record.id, shape.pack, record.seats, dealer, hands, tuple(rest), (), pools=pools, exchange=exchange)


def _draw(cards: Iterator[int], number: int) -> Iterator[int]:
    return (next(cards) for _ in range(number))
