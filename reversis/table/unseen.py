"""Cards of a deal in play that a player has not seen: covered, and laid out again as they may lawfully lie.

Whoever shows something before the deal is over works on such layouts. They are made of what the player has seen and of
nothing else, so that nothing shown can betray a card: with other cards in the places unseen the layouts are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from engine.cards import HEARTS_INDEX, make_card_mask, make_pack, rank_of, sort_cards, suit_of
from engine.deal.model import Deal, Exchange
from engine.generation.at_table import set_up_turn
from engine.generation.turn import TALON_PLACE
from engine.play.table import ACE_RANK, find_quinolas
from engine.readings.ask import Ask
from engine.readings.meanings.play import FIRST_LEAD, MUST_FOLLOW

_Bars: TypeAlias = "Mapping[int, frozenset[int]]"  #: of each place the suits of which it has no further card
_TRIES = 40  #: for each layout
_LAYOUTS = 2  #: at least; they are those in which a payment may come out otherwise, and one more
_PRIVILEGED_SHARE = 0.8  #: so likely one who has shown the privilege not to follow holds each card that may give it


@dataclass(frozen=True)
class Lean:
    """A leaning of layouts: suits that players shall not have, and a player who shall have one of some cards."""

    bars: Mapping[int, frozenset[int]] = field(default_factory=dict)
    holder: int = -1
    cards: tuple[int, ...] = ()
    every: bool = False  #: the holder has all of them

    def draw_held(self, lots: Random) -> dict[int, int]:
        """Draw which of the cards the holder has."""
        return dict.fromkeys(self.cards if self.every or not self.cards else (lots.choice(self.cards),), self.holder)


NO_LEAN = Lean()


@dataclass(frozen=True)
class SeenDeal:
    """All that one player has seen: their own cards, those played, and who has exchanged."""

    deal: Deal  #: in the other hands and the talon only the cards that the player knows to be there
    seat: int
    exchanges: tuple[tuple[int, bool], ...]  #: seats in the order of the record, and whether a card was laid away
    talon: int  #: its cards

    @property
    def unseen(self) -> list[int]:
        """The cards whose places are not known."""
        known = {*self.deal.talon}.union(*self.deal.hands)
        return sort_cards(make_pack(self.deal.pack) - known)


def cover_deal(deal: Deal, seat: int) -> SeenDeal:
    """Cover all that a player has not seen; the cards must have been dealt out and exchanged."""
    played = {card for row in deal.tricks for card in row}
    given = {gift.card for gift in deal.gifts if gift.seat == seat}
    hands = (hand if who == seat else hand & (played | given) for who, hand in enumerate(deal.hands))
    own = tuple(exchange for exchange in deal.exchange if exchange.seat == seat)
    seen = replace(
        deal,
        hands=tuple(hands),
        talon=tuple(exchange.out for exchange in own if exchange.out is not None),
        exchange=own,
        gifts=tuple(gift for gift in deal.gifts if seat in (gift.seat, gift.to)),
        fragment=True,
        expect={},
        note="",
    )
    exchanges = tuple((exchange.seat, exchange.out is not None) for exchange in deal.exchange)
    return SeenDeal(seen, seat, exchanges, len(deal.talon))


def lay_out_unseen_cards(seen: SeenDeal, ask: Ask, count: int, lots: Random, lean: Lean = NO_LEAN) -> list[Deal]:
    """Lay out the unseen cards in so many lawful ways, or fewer where no more are found. Raises Silent."""
    bars, privileged = find_barred_suits(seen, ask)
    bars = {who: bars.get(who, frozenset()) | lean.bars.get(who, frozenset()) for who in {*bars, *lean.bars}}
    special = [card for card in seen.unseen if rank_of(card) == ACE_RANK or card in find_quinolas(ask)]
    layouts = list[Deal]()
    for _ in range(_TRIES * count):
        held = lean.draw_held(lots)
        if privileged is not None:
            held |= {card: privileged for card in special if lots.random() < _PRIVILEGED_SHARE}
        places = place_cards(seen, bars, held, lots)
        layout = places and _uncover_deal(seen, places)
        if layout and not set_up_turn(layout, ask)[0].refusals:
            layouts.append(layout)
            if len(layouts) == count:
                break
    return layouts


def lay_out_either_way(
    seen: SeenDeal, ask: Ask, cards: Collection[int], is_privileged: Callable[[int], bool], lots: Random
) -> list[Deal]:
    """Lay out the unseen cards so that all is tried that a payment for some cards may hang on.

    It may hang on whether whoever played such a card had no other of its suit, and whether the hand gave a privilege.
    """
    leans = [*lean_to_following(seen, ask, cards), *lean_to_privilege(seen, ask, cards, is_privileged)]
    layouts = [layout for lean in leans for layout in lay_out_unseen_cards(seen, ask, 1, lots, lean)]
    return [*layouts, *lay_out_unseen_cards(seen, ask, max(1, _LAYOUTS - len(layouts)), lots)]


def lean_to_following(seen: SeenDeal, ask: Ask, cards: Collection[int]) -> Iterator[Lean]:
    """Lean to where the players of some cards had no other of the suit, and for each to where they had."""
    unknown = find_unknown_followings(seen, ask, cards)
    if unknown:
        yield Lean({who: frozenset(suit for other, suit in unknown if other == who) for who, _ in unknown})
    for who, suit in unknown:
        yield Lean(holder=who, cards=tuple(card for card in seen.unseen if suit_of(card) == suit))


def lean_to_privilege(
    seen: SeenDeal, ask: Ask, cards: Collection[int], is_privileged: Callable[[int], bool]
) -> Iterator[Lean]:
    """Lean to where a player of some cards has a privileged hand, if they may have one."""
    barred, _ = find_barred_suits(seen, ask)
    special = [card for card in seen.unseen if rank_of(card) == ACE_RANK or card in cards]
    for who, hand in enumerate(seen.deal.hands):
        may = tuple(card for card in special if suit_of(card) not in barred.get(who, ()))
        if who != seen.seat and hand & {*cards} and is_privileged(make_card_mask({*hand, *may})):
            yield Lean(holder=who, cards=may, every=True)


def find_unknown_followings(seen: SeenDeal, ask: Ask, cards: Collection[int]) -> list[tuple[int, int]]:
    """Find whose some cards were, and of which suit, where nobody knows whether it was the last of its suit."""
    barred, _ = find_barred_suits(seen, ask)
    played = [card for row in seen.deal.tricks for card in row]
    unknown = dict[tuple[int, int], None]()
    for at, card in enumerate(played):
        who, suit = seen.deal.holder(card), suit_of(card)
        if card not in cards or who is None or who == seen.seat or suit in barred.get(who, ()):
            continue
        later = any(suit_of(other) == suit and other in seen.deal.hands[who] for other in played[at + 1 :])
        if not later and any(suit_of(other) == suit for other in seen.unseen):
            unknown[who, suit] = None
    return [*unknown]


def find_barred_suits(seen: SeenDeal, ask: Ask) -> tuple[_Bars, int | None]:
    """Find the suits that the others cannot hold any more, by how they played; and who has shown a privilege.

    Whoever did not follow suit is taken to have none of it, unless they played some of it later.
    """
    barred = dict[int, set[int]]()
    privileged = None
    must, first = MUST_FOLLOW[ask.word("play.follow")], FIRST_LEAD[ask.word("play.first-lead")]
    for number, row in enumerate(seen.deal.tricks):
        for at, card in enumerate(row):
            who, suit = seen.deal.holder(card), suit_of(row[0]) if at else first if number == 0 else -1
            lacks = barred.setdefault(who if who is not None else seen.seat, set())
            if suit_of(card) in lacks and who != seen.seat:
                privileged = who
            if suit >= 0 and suit != suit_of(card) and must:
                lacks.add(suit)
    free = (seen.seat, privileged)
    return {who: frozenset(suits) for who, suits in barred.items() if who not in free and suits}, privileged


def place_cards(
    seen: SeenDeal, bars: _Bars, held: Mapping[int, int | None], lots: Random
) -> Mapping[int, Sequence[int]] | None:
    """Place the unseen cards at random, those that fit in fewest places first; None where it came to a dead end."""
    size = len(seen.deal.hands[seen.seat])
    room = {who: size - len(hand) for who, hand in enumerate(seen.deal.hands) if who != seen.seat}
    room[TALON_PLACE] = seen.talon - len(seen.deal.talon)
    places: dict[int, list[int]] = {place: [] for place in room}
    cards = seen.unseen
    lots.shuffle(cards)
    may = {card: _list_places(card, room, bars, held) for card in cards}
    for card in sorted(cards, key=lambda card: len(may[card])):
        weights = [room[place] for place in may[card]]
        if not any(weights):
            return None
        place = lots.choices(may[card], weights)[0]
        room[place] -= 1
        places[place].append(card)
    return places


def _list_places(card: int, room: Mapping[int, int], bars: _Bars, held: Mapping[int, int | None]) -> list[int]:
    holder = held.get(card)
    if holder is not None:
        return [holder]
    return [place for place in room if suit_of(card) not in bars.get(place, ())]


def _uncover_deal(seen: SeenDeal, places: Mapping[int, Sequence[int]]) -> Deal:
    """Return the deal with the unseen cards in their places."""
    deal = seen.deal
    hands = tuple(hand | {*places.get(who, ())} for who, hand in enumerate(deal.hands))
    talon = (*deal.talon, *places[TALON_PLACE])
    return replace(deal, hands=hands, talon=talon, exchange=tuple(_uncover_exchanges(seen, places[TALON_PLACE])))


def _uncover_exchanges(seen: SeenDeal, talon: Sequence[int]) -> Iterator[Exchange]:
    """Name what each has laid away: of the others any card of the talon, no heart if there is another."""
    own = {exchange.seat: replace(exchange, taken=None) for exchange in seen.deal.exchange}
    outs = sorted(talon, key=lambda card: suit_of(card) == HEARTS_INDEX, reverse=True)
    for who, laid in seen.exchanges:
        yield own.get(who) or Exchange(who, outs.pop() if laid and outs else None)
