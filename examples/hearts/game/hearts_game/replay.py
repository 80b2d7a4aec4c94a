"""A deal replayed by the rules of a book: refused, or the hearts that each player has taken.

Each table has the readings of a question, and what they mean. What a book does not say of the play cannot be held
against a deal: it is noted. Only if it does not say who takes a trick can nobody go on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from hearts_game.deals import HEARTS, PACK, RANKS, Deal
from rulebook.ask import Asker, UnplayedAnswer
from rulebook.model import Ruleset, Ruling
from rulebook.phrases import join_names

_MeaningT = TypeVar("_MeaningT")
Cards = tuple[str, ...]

PLAYERS: Mapping[str, range] = {
    "two-to-six": range(2, 7),
    "two-or-more": range(2, len(PACK) + 1),
    "four-or-five": range(4, 6),
    "four": range(4, 5),
}
#: Cards that are not dealt, of so many over: the deuces that a book throws out, or any at all.
UNDEALT: Mapping[str, Callable[[int, Cards], Cards]] = {
    "deuces-out": lambda over, left: ("2S", "2C", "2D", "2H")[:over],
    "left-on-table": lambda over, left: left if len(left) == over else (),
    "uneven": lambda over, left: (),
}
FULL_PACK: Mapping[object, bool] = {len(PACK): True}
ORDERS: Mapping[str, str] = {"ace-to-deuce": RANKS, "king-to-ace": "A" + RANKS[:-1]}
FIRST_LEADERS: Mapping[str, Callable[[Deal], str]] = {
    "left-of-dealer": lambda deal: deal.next_seat(deal.dealer),
    "dealer": lambda deal: deal.dealer,
}
NEXT_LEADERS: Mapping[str, Callable[[Deal, str, str], str]] = {
    "taker": lambda deal, leader, taker: taker,
    "in-turn": lambda deal, leader, taker: deal.next_seat(leader),
}


def _is_heart(card: str) -> bool:
    return card[1] == "H"


#: Cards of a hand that may be led, or played to a suit, or thrown away.
LEADS: Mapping[str, Callable[[Cards], Cards]] = {
    "any": lambda hand: hand,
    "no-heart": lambda hand: tuple(card for card in hand if not _is_heart(card)) or hand,
}
FOLLOWS: Mapping[str, Callable[[Cards, str], Cards]] = {
    "must": lambda hand, suit: tuple(card for card in hand if card[1] == suit) or hand,
    "free": lambda hand, suit: hand,
}
DISCARDS: Mapping[str, Callable[[Cards], Cards]] = {
    "any": lambda hand: hand,
    "heart-first": lambda hand: tuple(filter(_is_heart, hand)) or hand,
}
#: Cards among which the highest takes the trick.
CONTENDERS: Mapping[str, Callable[[Cards], Cards]] = {
    "highest-of-suit-led": lambda cards: tuple(card for card in cards if card[1] == cards[0][1]),
    "highest-card": lambda cards: cards,
}


class Trick(NamedTuple):
    """Trick with the player who took it, and the questions that decided that."""

    number: int
    plays: tuple[tuple[str, str, tuple[str, ...]], ...]  #: seat and card, and what a page marks of it
    taker: str
    asked: tuple[str, ...] = ()

    @property
    def leader(self) -> str:
        """Player who led to it."""
        return self.plays[0][0]

    @property
    def hearts(self) -> int:
        """Number of hearts in it."""
        return sum(_is_heart(card) for _, card, _ in self.plays)


class Refusal(NamedTuple):
    """Something that a book does not allow, and the answer that says so."""

    trick: int | None
    card: str
    message: str
    ruling: Ruling

    @property
    def clauses(self) -> tuple[str, ...]:
        """Clauses of that answer."""
        return self.ruling.clauses


@dataclass(slots=True)
class Replay:
    """Deal on its way through the rules of a book."""

    deal: Deal
    ruleset: Ruleset
    tricks: list[Trick] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    unsaid: dict[str, None] = field(default_factory=dict)  #: questions on play without an answer

    @property
    def taken(self) -> dict[str, int]:
        """Hearts of each player."""
        taken = dict.fromkeys(self.deal.seats, 0) | self.deal.taken
        for trick in self.tricks:
            taken[trick.taker] += trick.hearts
        return taken

    def look_up(self, question: str, meanings: Mapping[Any, _MeaningT]) -> _MeaningT | None:
        """Return what the answer means; None, and a note, where there is none."""
        ask = Asker(self.ruleset)
        if not ask.answers(question):
            self.unsaid[question] = None
            return None
        return find_meaning(ask, question, meanings)

    def refuse(self, question: str, message: str, trick: int | None = None, card: str = "") -> None:
        """Note something that the book does not allow."""
        self.refusals.append(Refusal(trick, card, message, self.ruleset.rulings[question]))


def find_meaning(ask: Asker, question: str, meanings: Mapping[Any, _MeaningT]) -> _MeaningT:
    """Return what the answer to a question means. Raises Silent; UnplayedAnswer for one without a meaning here."""
    reading = ask.word(question)
    if reading not in meanings:
        raise UnplayedAnswer(question, ask.ruleset.name, str(reading), "this game does not know what that means")
    return meanings[reading]


def replay_deal(deal: Deal, ruleset: Ruleset) -> Replay:
    """Replay a deal by the rules of a book. Raises Silent if nobody can tell who takes a trick."""
    replay = Replay(deal, ruleset)
    players = replay.look_up("players.number", PLAYERS)
    if players is not None and len(deal.seats) not in players:
        replay.refuse("players.number", f"{len(deal.seats)} players are not provided for")
    if deal.hands:
        _check_pack(replay)
        _play_tricks(replay)
    elif over := len(PACK) % len(deal.seats):
        _check_hearts(replay, over)
    return replay


def _find_undealt(replay: Replay, over: int) -> Cards | None:
    """Find the cards that are not dealt; None where the book does not say."""
    find_undealt = replay.look_up("pack.uneven", UNDEALT)
    return find_undealt(over, tuple(replay.deal.left.split())) if find_undealt else None


def _check_hearts(replay: Replay, over: int) -> None:
    """Check the number of hearts taken, where every card that is not dealt is known."""
    undealt = _find_undealt(replay, over)
    if undealt is None or len(undealt) < over:
        return
    taken, dealt = sum(replay.deal.taken.values()), HEARTS - sum(map(_is_heart, undealt))
    if taken != dealt:
        replay.refuse("pack.uneven", f"{taken} hearts are taken, and {dealt} are dealt")


def _check_pack(replay: Replay) -> None:
    """Check that the cards which were dealt are those of the pack for so many players."""
    deal, over = replay.deal, len(PACK) % len(replay.deal.seats)
    question = "pack.uneven" if over else "pack.cards"
    undealt = _find_undealt(replay, over) if over else () if replay.look_up(question, FULL_PACK) else None
    if undealt is None:
        return
    dealt, wanted = {card for seat in deal.seats for card in deal.hand(seat)}, {*PACK} - {*undealt}
    for card in sorted(dealt ^ wanted):
        replay.refuse(question, f"{card} is {'not in the pack' if card in dealt else 'missing'}", None, card)
    sizes = {len(deal.hand(seat)) for seat in deal.seats}
    if len(sizes) > 1 and dealt == wanted and len(wanted) % len(deal.seats) == 0:
        replay.refuse(question, "the hands are not of one size")


def _play_tricks(replay: Replay) -> None:
    deal = replay.deal
    hands = {seat: deal.hand(seat) for seat in deal.seats}
    find_leader = replay.look_up("lead.first", FIRST_LEADERS)
    leader = find_leader(deal) if find_leader else ""
    for number, words in enumerate(deal.tricks, 1):
        cards = tuple(words.split())
        first = deal.find_holder(cards[0])
        if leader and first != leader:
            question = "lead.first" if number == 1 else "lead.next"
            replay.refuse(question, f"{first} leads, and {leader} should", number, cards[0])
        for card in cards:
            seat = deal.find_holder(card)
            _check_card(replay, number, card, cards[0], hands[seat])
            hands[seat] = tuple(other for other in hands[seat] if other != card)
        ask = Asker(replay.ruleset)
        taker = deal.find_holder(_find_taking_card(ask, cards, number))
        plays = tuple(
            (seat, card, ("leads",) * (card == cards[0]) + ("takes",) * (seat == taker))
            for seat, card in ((deal.find_holder(card), card) for card in cards)
        )
        replay.tricks.append(Trick(number, plays, taker, ask.asked))
        find_next = replay.look_up("lead.next", NEXT_LEADERS)
        leader = find_next(deal, first, taker) if find_next else ""


def _find_taking_card(ask: Asker, cards: Cards, number: int) -> str:
    """Find the card that takes a trick. Raises Silent, also where two are equally high and nothing parts them."""
    contenders = find_meaning(ask, "trick.taker", CONTENDERS)(cards)
    order = find_meaning(ask, "cards.order", ORDERS)
    highest = max(contenders, key=lambda card: order.index(card[0]))
    equal = [card for card in contenders if card[0] == highest[0]]
    if len(equal) > 1:
        reason = f"nothing says which of {join_names(equal)}, equally high, takes trick {number}"
        raise UnplayedAnswer("trick.taker", ask.ruleset.name, ask.word("trick.taker"), reason)
    return highest


def _check_card(replay: Replay, number: int, card: str, led: str, hand: Cards) -> None:
    """Check that a player was free to play a card."""
    if card == led:
        question, legal = "lead.card", (replay.look_up("lead.card", LEADS) if number == 1 else None)
        allowed = legal(hand) if legal else hand
    elif any(other[1] == led[1] for other in hand):
        question, follow = "play.follow", replay.look_up("play.follow", FOLLOWS)
        allowed = follow(hand, led[1]) if follow else hand
    else:
        question, discard = "play.void", replay.look_up("play.void", DISCARDS)
        allowed = discard(hand) if discard else hand
    if card not in allowed:
        seat = replay.deal.find_holder(card)
        message = f"{seat} plays {card}, and may play {', '.join(allowed)} only"
        replay.refuse(question, message, number, card)
