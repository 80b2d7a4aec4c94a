"""Meanings of the readings on the table, the deal and the exchange."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from engine.deal.events import Measures
from engine.readings.meanings.outcome import SeatOrNone
from engine.readings.patterns import MeaningTable, parse_rank_words

PLAYER_COUNTS: Mapping[str, tuple[int, ...]] = MeaningTable(
    {"four": (4,), "four-or-five": (4, 5)}, ("five", "five", lambda: (5,))
)  # a record of a deal has four seats or five
PACK_SIZES_BY_READING: Mapping[str, tuple[int, ...]] = MeaningTable(
    {"without-tens": (48,), "with-or-without-tens": (48, 52)}, ("with-tens", "with-tens", lambda: (52,))
)
MAY_EXCHANGE: Mapping[str, Callable[[int, int, int], bool]] = {  # seat, dealer, eldest
    "everyone-but-dealer": lambda seat, dealer, eldest: seat != dealer,
    "eldest-only": lambda seat, dealer, eldest: seat == eldest,
}
#: where the talon has too few cards, whether it has one for a player: the place in turn, how many players before have
#: taken one, how many cards were left from the deal
HAS_TALON_CARD: Mapping[str, Callable[[int, int, int], bool]] = {
    "in-turn-while-cards-last": lambda place, taken, cards: taken < cards,
    "first-in-order": lambda place, taken, cards: place < cards,
    "eldest-only": lambda place, taken, cards: place == 0,
    "all-in-turn": lambda place, taken, cards: True,
    "nobody": lambda place, taken, cards: False,
}
DRAWS_DISCARDS: Mapping[str, bool] = {"yes": True, "no": False}
#: whether seeing one's card of the talon is a fault: had he exchanged, and laid a card away?
LOOKS: Mapping[str, Callable[[bool], bool]] = {
    "instead-of-exchanging": lambda exchanged: exchanged,
    "never": lambda exchanged: True,
    "always": lambda exchanged: False,
}
#: whether a player who may exchange has to: has a stake grown to its limit, if asked? has a supplement been paid?
MUST_EXCHANGE: Mapping[str, Callable[[Callable[[], bool], bool], bool]] = {
    "free": lambda grown, supplement: False,
    "compulsory": lambda grown, supplement: True,
    "compulsory-below-limit": lambda grown, supplement: not grown(),
    "compulsory-after-supplement": lambda grown, supplement: supplement,
}
GIVES_ACROSS: Mapping[str, Callable[[int, int, int], bool]] = {  # giver, receiver, number of players
    "nobody": lambda giver, to, seats: False,
    "opposite": lambda giver, to, seats: seats == 4 and (giver - to) % seats == 2,
}
QUINOLA_FROM_LIMIT = 2  #: any heart, but the quinola only where enough lies in the pool
QUINOLA_UNTIL_SUPPLEMENT = 3  #: any heart, but the quinola only while no supplement has been paid
HEARTS_DISCARDED: Mapping[str, int] = {
    "allowed": True,
    "forbidden": False,
    "quinola-from-limit": QUINOLA_FROM_LIMIT,
    "quinola-until-supplement": QUINOLA_UNTIL_SUPPLEMENT,
}
Laid: TypeAlias = Callable[[int, int, Sequence[int]], bool]  # card, quinola, ranks of the hearts in hand: bare numbers


def _lone(words: str) -> Laid | None:
    of = parse_rank_words(words)
    return (lambda card, quinola, hearts: card & 15 in of and len(hearts) == 1) if of else None


def _without_lower(words: str) -> Laid | None:
    of = parse_rank_words(words)
    return (lambda card, quinola, hearts: card & 15 in of and min(hearts) >= card & 15) if of else None


HEART_EXCEPTION: Mapping[str, Laid] = MeaningTable(
    {
        "lone-king-or-queen": lambda card, quinola, hearts: card & 15 in (10, 11) and len(hearts) == 1,
        "king-or-queen-without-lower": lambda card, quinola, hearts: card & 15 in (10, 11) and min(hearts) >= card & 15,
        "lone-quinola": lambda card, quinola, hearts: card == quinola and len(hearts) == 1,
    },
    ("lone-RANK, lone-RANK-or-RANK", "lone-(.+)", _lone),
    ("RANK-or-RANK-without-lower", "(.+)-without-lower", _without_lower),
)

NEXT_DEALER: Mapping[str, Callable[[Measures, SeatOrNone], int]] = {  # measures, trickless winner of the talon
    "right-of-dealer": lambda m, trickless: (m.dealer + 1) % m.seats,
    "trickless-winner-else-right": lambda m, trickless: (m.dealer + 1) % m.seats if trickless is None else trickless,
}
