"""The table while a deal is played: its state, and the cards that a source allows a player to play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.cards import CARD_RANKS, format_card, make_card_mask, parse_card_name, suit_of
from engine.deal.events import Fact, Fault
from engine.deal.model import Deal, Exchange
from engine.play import trick as play
from engine.readings.ask import Ask, list_other_quinolas, name_quinola
from engine.readings.meanings.deal import HAS_TALON_CARD, MAY_EXCHANGE, PLAYER_COUNTS
from engine.readings.meanings.espagnolette import RIGHT_LOST
from engine.readings.meanings.play import FIRST_LEAD, FIRST_LEADER, MUST_FOLLOW, QUINOLA_FREE, QUINOLA_TAKES

#: The order of play at a table of so many, by who leads.
TURNS: Mapping[int, Sequence[list[int]]] = {
    seats: [[(leader + i) % seats for i in range(seats)] for leader in range(seats)] for seats in (4, 5)
}
QUEEN_RANK = CARD_RANKS.index("Q")
KNAVE_RANK = CARD_RANKS.index("J")
ACE_RANK = CARD_RANKS.index("A")
_ACES_MASK = make_card_mask(range(len(CARD_RANKS) - 1, 64, 16))


#: Kinds of refusals that a settlement can pass over at wish: a deal played by another source settles all the same.
TOLERABLE = ("exchange", "first-lead")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something in the record that the source does not allow: where, which card, what was legal, by which questions."""

    message: str
    asked: tuple[str, ...]
    trick: int | None = None
    seat: int | None = None
    card: int | None = None
    legal: tuple[int, ...] = ()
    kind: str = ""  #: among TOLERABLE, where it can be passed over at wish


@dataclass
class PlayTable:
    """The state of a deal while it is replayed."""

    deal: Deal
    ask: Ask
    hands: list[int]
    held: Mapping[int, int]  #: card -> who held it at the first lead
    turns: Sequence[list[int]]  #: leader -> the seats in order
    eldest: int
    leader: int
    quinolas: Mapping[int, str]  #: the quinola first, and the other privileged cards -> what the source calls each
    must: int  #: suit is to be followed; asked once for the whole deal
    trumps: frozenset[int]  #: the cards that take when thrown on another suit
    strength: tuple[int, ...]
    values: Sequence[int]  #: the points of a card, by rank
    last: int  #: the number of the last trick
    holder: int | None = None
    heart_leads: int = 0
    renounced: bool = False
    takers: list[int] = field(default_factory=list)
    taken: list[list[int]] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    culprits: dict[int, tuple[str, ...]] = field(default_factory=dict)
    void: Fault | None = None

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def quinola(self) -> int:
        """The first of the privileged cards."""
        return next(iter(self.quinolas))

    def fact(self, **what: object) -> Fact:
        """A fact at this table."""
        return Fact(seats=self.seats, dealer=self.deal.dealer, eldest=self.eldest, last=self.last, **what)  # type: ignore[arg-type]

    def bar(self, fault: Fault) -> None:
        """Note a fault that may bar its author from payments."""
        self.culprits[fault.seat] = (*self.culprits.get(fault.seat, ()), fault.kind)

    def refuse(self, ask: Ask, message: str, **what: object) -> None:
        """Note something the source does not allow."""
        self.refusals.append(Refusal(message, ask.asked, **what))  # type: ignore[arg-type]


class PlayedCard(NamedTuple):
    """A card as it came to the table."""

    seat: int
    card: int
    alone: bool
    free: bool
    revoked: bool = False


def seat_players(deal: Deal, ask: Ask) -> PlayTable:
    """Set up the table before the first card."""
    order, points = str(ask("cards.order")), ask.table("cards.points")
    strength = tuple(len(order) - order.index(r) for r in CARD_RANKS)
    eldest = FIRST_LEADER[ask.word("play.first-leader")](deal.dealer, len(deal.seats))
    quinolas = find_quinolas(ask)
    table = PlayTable(
        deal,
        ask,
        [make_card_mask(h) for h in deal.hands],
        {c: seat for seat, hand in enumerate(deal.hands) for c in hand},
        TURNS[len(deal.seats)],
        eldest,
        eldest,
        quinolas,
        MUST_FOLLOW[ask.word("play.follow")],
        frozenset(quinolas if QUINOLA_TAKES[ask.word("play.trick-taker")] else ()),
        strength,
        [points.get(rank, 0) for rank in CARD_RANKS],
        deal.hand_size,
        taken=[[] for _ in deal.seats],
    )
    mask = make_card_mask(quinolas)
    table.holder = next((s for s, hand in enumerate(table.hands) if has_privilege(hand, mask, ask)), None)
    return table


def find_quinolas(ask: Ask) -> Mapping[int, str]:
    """Find the privileged cards, the quinola first, and what the source calls them; the quinola may have no name."""
    others = {parse_card_name(str(quinola["card"])): str(quinola["name"]) for quinola in list_other_quinolas(ask)}
    return {parse_card_name(ask.word("quinola.card")): name_quinola(ask.ruleset)} | others


def name_pool(card: int, quinolas: Iterable[int]) -> str:
    """Name the pool that a card draws: of a privileged card besides the first its own; else empty, the first pool."""
    return format_card(card) if card in tuple(quinolas)[1:] else ""


def has_privilege(hand: int, quinolas: int, ask: Ask) -> bool:
    """Return whether a hand gives the privilege of the espagnolette."""
    aces = (hand & _ACES_MASK).bit_count()
    holds = bool(hand & quinolas)
    return any(
        aces >= h["aces"] and (holds or not h["quinola"]) and not make_named_mask(h) & ~hand
        for h in ask.tables("espagnolette.hands")
    )


def make_named_mask(hand: Mapping[str, Any]) -> int:
    """Return the cards that a privileged hand needs by name, as bits."""
    return make_card_mask(parse_card_name(name) for name in hand.get("cards", ()))


def legal_cards(table: PlayTable, number: int, seat: int, led: int | None, ask: Ask) -> int:
    """Return the cards a player may play, as bits."""
    hand = table.hands[seat]
    if led is None:
        return play.find_legal_leads(hand, FIRST_LEAD[ask.word("play.first-lead")] if number == 1 else -1)
    suit = suit_of(led)
    must = table.must if ask is table.ask else MUST_FOLLOW[ask.word("play.follow")]
    same = play.select_suit(hand, suit)
    free = same if is_quinola(table, same) and quinola_free(table, number, ask) else 0
    return play.find_legal_follows(hand, suit, must, int(can_renounce(table, number, seat, ask)), free)


def is_quinola(table: PlayTable, cards: int) -> bool:
    """Return whether cards, given as bits, are a single privileged card."""
    return cards.bit_count() == 1 and cards.bit_length() - 1 in table.quinolas


def quinola_free(table: PlayTable, number: int, ask: Ask) -> bool:
    """Return whether a quinola that is its holder's only card of its suit may be kept."""
    return QUINOLA_FREE[ask.word("play.quinola-alone")](number - 1, table.heart_leads)


def can_renounce(table: PlayTable, number: int, seat: int, ask: Ask) -> bool:
    """Return whether a player may renounce in this trick by the privilege of the hand."""
    if seat != table.holder or number > table.last - ask.number("espagnolette.until"):
        return False
    return seat not in table.takers or not RIGHT_LOST[ask.word("espagnolette.right-after-trick")]


# ---- the exchange
def has_talon_card(table: PlayTable, seat: int, why: Ask) -> bool:
    """Return whether a player may take a card of the talon, and one is there for them; five may have to share few."""
    if not MAY_EXCHANGE[why.word("exchange.who")](seat, table.deal.dealer, table.eldest):
        return False
    place, cards = (seat - table.eldest) % table.seats, count_cards_left(table)
    if cards >= table.seats - 1:
        return True
    if table.seats == 4 or table.seats not in PLAYER_COUNTS[table.ask.fresh().word("table.players")]:
        why("table.shapes")
        return place < cards
    takers = {x.seat for x in table.deal.exchange if takes_card(x, table.deal.dealer)}
    before = sum((taker - table.eldest) % table.seats < place for taker in takers)
    return HAS_TALON_CARD[why.word("exchange.among-five")](place, before, cards)


def count_cards_left(table: PlayTable) -> int:
    """Count the cards that were left from the deal: the last card of the talon is the dealer's discard."""
    return table.deal.talon_size - 1


def takes_card(x: Exchange, dealer: int) -> bool:
    """Return whether an exchange took a card of the talon, also where the record names only the one laid away."""
    return x.taken is not None or (x.out is not None and x.seat != dealer)
