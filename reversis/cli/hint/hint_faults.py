"""Faults of a record for which no hint can be given, named for what they are: a hand or a card, and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.cards import format_card, make_pack
from engine.deal.fields import Find
from engine.generation.turn import TableShape, find_table_shape
from engine.generation.wishes import Sketch
from engine.players.view import PlayerView, TurnOrder, ask_turn_order
from engine.readings.ask import Ask
from reversis.files.positions import PositionRecord
from rulebook.problems import Problem


def find_position_faults(position: PositionRecord, ask: Ask, seat: str, trick: int | None) -> tuple[Problem, ...]:
    """Find cards that are in no pack, else a hand that is missing of whoever is to play. Raises Silent."""
    record, find = position.record, position.find
    if not isinstance(record, Sketch) or record.dealer is None:
        return ()
    shape = find_table_shape(ask.ruleset, len(record.seats), record.pack, map(len, record.hands.values()))
    if shape is None:
        return ()
    strange = tuple(find_strange_cards(record, shape.pack, find))
    return strange or tuple(find_missing_hand(record, shape, ask, seat, trick, find))


def find_strange_cards(record: Sketch, pack: int, find: Find) -> Iterator[Problem]:
    """Find the tricks with cards that are not in the pack."""
    cards = make_pack(pack)
    for at, row in enumerate(record.tricks):
        if strange := [format_card(card) for card in row if card is not None and card not in cards]:
            what = f"trick {at + 1}: no card of a pack of {pack}: {' '.join(strange)}"
            yield find(("tricks", at)).problem(what, "write the card that was played, or pack: 52 if there are tens")


def find_missing_hand(
    record: Sketch, shape: TableShape, ask: Ask, seat: str, trick: int | None, find: Find
) -> Iterator[Problem]:
    """Find out whether the hand is missing of the player who is asked for, or is still to lay a card away."""
    assert record.dealer is not None
    order = ask_turn_order(ask, record.dealer, shape.players)
    turn = find_turn_on_record(record, order, trick)
    if turn is None or (seat and seat not in record.seats):
        return
    number, leader, known = turn
    who = record.seats.index(seat) if seat else (leader + known) % order.seats
    name, dealer = record.seats[who], record.seats[record.dealer]
    if len(record.hands.get(record.dealer, ())) == shape.hand + 1 and not any(record.tricks):
        what = f"{dealer} has still to lay a card away, and a hint on that needs the hands of all"
        yield find(("hands", dealer)).problem(what, f"write them all, or the {shape.hand} cards that {dealer} keeps")
    elif not record.hands.get(who):
        turns = "" if seat else f"it is {name}'s turn in trick {number}, and "
        others = [other for other in range(order.seats) if record.hands.get(other)]
        ways = [f"write all cards that {name} held when the first card was led"]
        ways += [way for other in others if (way := suggest_turn(record, other, order, turn))]
        yield find(("hands",)).problem(f"{turns}the hand of {name} is not in the record", "; or ".join(ways))


def find_turn_on_record(record: Sketch, order: TurnOrder, trick: int | None) -> tuple[int, int, int] | None:
    """Find a trick, who leads to it, and how many of its cards are known; None where it cannot be told."""
    rows = record.tricks
    done = next((at for at, row in enumerate(rows) if None in row or len(row) < order.seats), len(rows))
    number = done + 1 if trick is None else trick
    if not 1 <= number <= done + 1:
        return None
    row = rows[number - 1] if number <= len(rows) else ()
    known = next((at for at, card in enumerate(row) if card is None), len(row)) % order.seats
    before = [[card for card in earlier if card is not None] for earlier in rows[: number - 1]]
    return number, order.find_next_player(before), known


def suggest_turn(record: Sketch, seat: int, order: TurnOrder, turn: tuple[int, int, int]) -> str:
    """Suggest to ask for the last turn that another player has had; nothing where there was none."""
    number, leader, known = turn
    last = number if (seat - leader) % order.seats < known else number - 1
    return f"--seat {record.seats[seat]} --trick {last}" if last else ""


# ---- play that no hidden cards explain
def find_unlawful_play(
    view: PlayerView, names: Sequence[str], rules: str, find: Find, is_lawful: Callable[[PlayerView], bool]
) -> Problem:
    """Find from where on the play is not lawful however the hidden cards lie, and the card that tells, if one does."""
    turns = [at for at, (who, _) in enumerate(view.played) if who == view.seat]
    start = next((at for at in reversed(turns) if is_lawful(replace(view, played=view.played[:at]))), 0)
    for at in range(start, len(view.played)):
        if revoke := describe_revoke(view, names, at):
            place = find(("tricks", at // view.seats))
            return place.problem(revoke, "correct the card, or who played it")
    number = start // view.seats + 1
    what = f"from trick {number} on the play is not legal by {rules}, however the hidden cards lie"
    return find(("tricks", number - 1)).problem(what, "look at the cards played since, and at who played them")


def describe_revoke(view: PlayerView, names: Sequence[str], at: int) -> str:
    """Describe that a card is of a suit of which its player had none before; nothing where it is not so."""
    who, card = view.played[at]
    for earlier in range(at // view.seats * view.seats):
        led = view.played[earlier // view.seats * view.seats].card
        other = view.played[earlier]
        if other.seat == who != view.seat and led >> 4 == card >> 4 != other.card >> 4:
            return (
                f"trick {at // view.seats + 1}: {names[who]} plays {format_card(card)}, having had none of its suit in "
                f"trick {earlier // view.seats + 1}, where {format_card(led)} was led and {names[who]} played "
                f"{format_card(other.card)}"
            )
    return ""
