"""Playing a recorded deal card by card under a ruleset: what is refused, what happened, what can be counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.cards import HEARTS, RANKS, SUITS, card, cards_of, in_order, mask, name, names, rank_of, suit_of
from engine.deal.events import Fact, Fault, Measures
from engine.deal.model import FAULTS, Deal, Exchange
from engine.play import trick as play
from engine.readings.ask import Ask
from engine.readings.meanings import (
    AGAIN,
    FIRST_LEAD,
    FIRST_LEADER,
    HEART_EXCEPTION,
    HEARTS_DISCARDED,
    IN_TIME,
    LATE_MISDEAL,
    LOOKS,
    MAY_EXCHANGE,
    MISDEAL_COST,
    MUST_FOLLOW,
    NEXT_LEADER,
    PACKS,
    PLAYERS,
    QUINOLA_FREE,
    QUINOLA_TAKES,
    REVOKE_STANDS,
    RIGHT_LOST,
    TURNED_UP,
)
from rulebook.model import FrozenMap

#: The order of play at a table of so many, by who leads.
TURNS: Mapping[int, Sequence[list[int]]] = {
    seats: [[(leader + i) % seats for i in range(seats)] for leader in range(seats)] for seats in (4, 5)
}
QUEEN = RANKS.index("Q")
KNAVE = RANKS.index("J")
ACE = RANKS.index("A")
ACES = mask(range(len(RANKS) - 1, 64, 16))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something in the record that the source does not allow: where, which card, what was legal, by which questions."""

    message: str
    asked: tuple[str, ...]
    trick: int | None = None
    seat: int | None = None
    card: int | None = None
    legal: tuple[int, ...] = ()


@dataclass(frozen=True)
class Played:
    """A replayed deal: refusals, facts in order, measures, and listed faults that the source allows."""

    refusals: tuple[Refusal, ...]
    facts: tuple[Fact, ...]
    measures: Measures
    passed_over: tuple[str, ...] = ()


@dataclass
class Table:
    """The state of a deal while it is replayed."""

    deal: Deal
    ask: Ask
    hands: list[int]
    held: Mapping[int, int]  #: card -> who held it at the first lead
    turns: Sequence[list[int]]  #: leader -> the seats in order
    eldest: int
    leader: int
    quinola: int
    must: int  #: suit is to be followed; asked once for the whole deal
    trump: int  #: a card that takes when thrown on another suit, or -1
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
        """How many play."""
        return len(self.hands)

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


def replay(deal: Deal, ask: Ask) -> Played:
    """Play a recorded deal under a ruleset; all that the source forbids is noted, and play goes on. Raises Silent."""
    table = seated(deal, ask)
    check_table(table)
    if table.void is None:
        check_exchange(table)
        for number, row in enumerate(deal.tricks, 1):
            play_trick(table, number, row)
        check_announced(table)
    closing = () if table.void else closing_facts(table)
    return Played(tuple(table.refusals), (*table.facts, *closing), measures(table), tuple(table.passed_over))


def seated(deal: Deal, ask: Ask) -> Table:
    """The table before the first card."""
    order, points = str(ask("cards.order")), ask.table("cards.points")
    strength = tuple(len(order) - order.index(r) for r in RANKS)
    eldest = FIRST_LEADER[ask.word("play.first-leader")](deal.dealer, len(deal.seats))
    quinola = card(ask.word("quinola.card"))
    table = Table(
        deal,
        ask,
        [mask(h) for h in deal.hands],
        {c: seat for seat, hand in enumerate(deal.hands) for c in hand},
        TURNS[len(deal.seats)],
        eldest,
        eldest,
        quinola,
        MUST_FOLLOW[ask.word("play.follow")],
        quinola if QUINOLA_TAKES[ask.word("play.trick-taker")] else -1,
        strength,
        [points.get(rank, 0) for rank in RANKS],
        deal.hand_size,
        taken=[[] for _ in deal.seats],
    )
    table.holder = next((s for s, hand in enumerate(table.hands) if privileged(hand, quinola, ask)), None)
    return table


def privileged(hand: int, quinola: int, ask: Ask) -> bool:
    """Whether a hand gives the privilege of the espagnolette."""
    aces = (hand & ACES).bit_count()
    holds = bool(hand >> quinola & 1)
    return any(aces >= h["aces"] and (holds or not h["quinola"]) for h in ask.tables("espagnolette.hands"))


# ---- before the first card
def check_table(table: Table) -> None:
    """The number of players, the pack and the hands must be such as the source plays with."""
    deal = table.deal
    known = (("table.players", len(deal.seats), PLAYERS, "players"), ("table.pack", deal.pack, PACKS, "cards"))
    for question, found, meaning, noun in known:
        why = table.ask.fresh()
        allowed = meaning[why.word(question)]
        if found not in allowed:
            table.refuse(why, f"{found} {noun}: this source plays with {' or '.join(map(str, allowed))}")
    for fault in deal.faults:
        if fault.kind in BEFORE_PLAY and not table.refusals:
            BEFORE_PLAY[fault.kind](table, fault)
    if not table.refusals and table.void is None:
        check_shape(table)


def check_shape(table: Table) -> None:
    """Hands and talon must have the sizes that the source deals, save for what a fault on record explains."""
    deal, why = table.deal, table.ask.fresh()
    shapes = [s for s in why.tables("table.shapes") if (s["players"], s["pack"]) == (len(deal.seats), deal.pack)]
    found = {(size, deal.talon_size) for size in deal.even_hands} if deal.faults else {(table.last, len(deal.talon))}
    if len(found) != 1 or not any((s["hand"], s["talon"]) in found for s in shapes):
        wanted = " or ".join(f"{s['hand']} and {s['talon']}" for s in shapes) or "no such deal"
        hands = " and ".join(map(str, sorted({len(hand) for hand in deal.hands})))
        table.refuse(why, f"hands of {hands} and a talon of {len(deal.talon)}: this source deals {wanted}")


# ---- faults before the first card
def peeked(table: Table, fault: Fault) -> None:
    """A player saw the card of the talon that he might have taken: a fault as far as he might not."""
    own = [x for x in table.deal.exchange if x.seat == fault.seat]
    exchanged = not own or any(x.out is not None or x.taken is not None for x in own)
    takes = MAY_EXCHANGE[table.ask.word("exchange.who")](fault.seat, table.deal.dealer, table.eldest)
    if takes and LOOKS[table.ask.word("exchange.look")](exchanged):
        regulated(table, fault)
    else:
        pass_over(table, fault)


def undiscarded(table: Table, fault: Fault) -> None:
    """A player took a card of the talon and laid none away; he must be one who may take a card."""
    why = table.ask.fresh()
    if MAY_EXCHANGE[why.word("exchange.who")](fault.seat, table.deal.dealer, table.eldest):
        regulated(table, fault)
    else:
        message = "may not take a card of the talon, and so cannot forget to lay one away"
        table.refuse(why, f"{table.deal.seats[fault.seat]} {message}", seat=fault.seat)


def regulated(table: Table, fault: Fault) -> None:
    """A fault that may bar its author; a source that says nothing of it leaves the deal unsettled. Raises Silent."""
    table.ask.fresh()(f"{fault.kind}.bars")
    table.bar(fault)


def misdealt(table: Table, fault: Fault) -> None:
    """A deal dealt wrongly is void where the source has it dealt again, and as late as it says so."""
    if not dealt_again(table, fault):
        return
    why = table.ask.fresh()
    if IN_TIME[why.word("misdeal.until")](fault):
        void, keeps = True, MISDEAL_COST[why.word("misdeal.cost")](fault)
    else:
        void, keeps = LATE_MISDEAL[why.word("misdeal.late-deal")]
    if fault.redeemed and not keeps:
        message = f"{table.deal.seats[fault.seat]} may not buy back the deal"
        table.refuse(why, message, seat=fault.seat)
    table.facts.append(table.fact(kind="fault", manner=fault.kind, player=fault.seat, fault=fault))
    table.void = fault if void else table.void


def turned_up(table: Table, fault: Fault) -> None:
    """A card turned up in dealing."""
    if dealt_again(table, fault):
        if TURNED_UP[table.ask.word("deal.card-turned-up")](fault):
            make_void(table, fault)
        else:
            pass_over(table, fault)


def mishandled(table: Table, fault: Fault) -> None:
    """The pack itself was not as it should be."""
    if dealt_again(table, fault):
        make_void(table, fault)
    elif FAULTS[fault.kind].short:
        why = table.ask.fresh()
        why("table.pack")
        cards = sum(map(len, table.deal.hands)) + len(table.deal.talon)
        table.refuse(why, f"{cards} cards of a pack of {table.deal.pack}: the pack must be complete")


def dealt_again(table: Table, fault: Fault) -> bool:
    """Whether the source has the cards dealt again for such a fault; otherwise it is passed over, and said."""
    again = fault.kind in [AGAIN[cause] for cause in table.ask.words("deal.again")]
    if not again:
        pass_over(table, fault)
    return again


def make_void(table: Table, fault: Fault) -> None:
    """No card of this deal counts; a misdeal, which may cost the deal, is remembered before any other cause."""
    table.facts.append(table.fact(kind="fault", manner=fault.kind, player=fault.seat, fault=fault))
    table.void = table.void or fault


#: What a source makes of a fault that was made before the first card is led.
BEFORE_PLAY: Mapping[str, Callable[[Table, Fault], None]] = {
    "peek": peeked,
    "undiscarded": undiscarded,
    "ten-cards": regulated,
    "misdeal": misdealt,
    "card-turned-up": turned_up,
    "badly-shuffled": mishandled,
    "incomplete-pack": mishandled,
}


def check_exchange(table: Table) -> None:
    """The exchange must be open to him who makes it, and he may lay out only what may be discarded."""
    for x in table.deal.exchange:
        if x.looked:
            check_look(table, x)
        if (x.taken is not None) or (x.out is not None and x.seat != table.deal.dealer):
            check_exchanger(table, x)
        if x.out is not None and suit_of(x.out) == HEARTS:
            check_heart(table, x)


def check_exchanger(table: Table, x: Exchange) -> None:
    """Only he may take a card from the talon whom the source names."""
    deal, why = table.deal, table.ask.fresh()
    if not MAY_EXCHANGE[why.word("exchange.who")](x.seat, deal.dealer, table.eldest):
        table.refuse(why, f"{deal.seats[x.seat]} may not exchange a card", seat=x.seat, card=x.out)
    elif (x.seat - table.eldest) % table.seats >= deal.talon_size - 1:  # each in turn has one card of the talon
        why("table.shapes")
        table.refuse(why, f"no card of the talon is left for {deal.seats[x.seat]}", seat=x.seat, card=x.out)


def check_look(table: Table, x: Exchange) -> None:
    """A player may see the card of the talon that is his only as far as the source allows it."""
    why, exchanged = table.ask.fresh(), x.out is not None or x.taken is not None
    if LOOKS[why.word("exchange.look")](exchanged) and not listed(table, "peek", None, x.seat):
        then = ", and lay a card away all the same" if exchanged else ""
        message = f"{table.deal.seats[x.seat]} may not see his card of the talon{then}"
        table.refuse(why, message, seat=x.seat, card=x.out)


def check_heart(table: Table, x: Exchange) -> None:
    """A heart may be discarded only where the source allows it."""
    why = table.ask.fresh()
    assert x.out is not None
    if HEARTS_DISCARDED[why.word("exchange.hearts")]:
        return
    before = (set(table.deal.hands[x.seat]) - {x.taken}) | {x.out}
    hearts = [rank_of(c) for c in before if suit_of(c) == HEARTS]
    if not any(HEART_EXCEPTION[e](x.out, table.quinola, hearts) for e in why.words("exchange.heart-exception")):
        table.refuse(why, f"{table.deal.seats[x.seat]} may not discard {name(x.out)}, a heart", seat=x.seat, card=x.out)


def check_announced(table: Table) -> None:
    """Only who holds a hand that gives the espagnolette may announce it."""
    for announcement in table.deal.announced:
        if announcement.what == "espagnolette" and announcement.seat != table.holder:
            why = table.ask.fresh()
            why("espagnolette.hands")
            message = f"{table.deal.seats[announcement.seat]} announces espagnolette without a hand that gives it"
            table.refuse(why, message, seat=announcement.seat)


# ---- a trick
def play_trick(table: Table, number: int, row: Sequence[int]) -> None:
    """Play one recorded trick, noting every card the source forbids."""
    holders = [table.held[c] for c in row]
    expected = table.turns[table.leader]
    if holders != expected:
        check_turns(table, number, row, holders, expected)
    cards = [
        play_card(table, number, seat, c, row[0] if i else None)
        for i, (seat, c) in enumerate(zip(holders, row, strict=True))
    ]
    finish_trick(table, number, cards)


def check_turns(table: Table, number: int, row: Sequence[int], holders: Sequence[int], expected: Sequence[int]) -> None:
    """The leader leads, the others follow in order of seats; who is on record for playing too early may.

    Who has no card left, having played with one too few, is passed over, also where it would be his to lead.
    """
    expected = [seat for seat in expected if table.hands[seat]]
    if holders[0] != expected[0]:
        wrong_leader(table, number, row[0], holders[0], expected[0])
    elif in_turn(table, number, holders) != in_turn(table, number, expected):
        wrong_turn(table, number, row, holders, expected)


def in_turn(table: Table, number: int, seats: Sequence[int]) -> list[int]:
    """The players of a trick without those who are on record for playing before their turn."""
    return [s for s in seats if not listed(table, "out-of-turn", number, s)]


def wrong_leader(table: Table, number: int, led: int, holder: int, leader: int) -> None:
    """The first card of a trick must be the leader's."""
    why = table.ask.fresh()
    why("play.first-leader" if number == 1 else "play.next-leader")
    names_ = table.deal.seats
    table.refuse(
        why,
        f"trick {number}: {names_[leader]} leads, but {name(led)} is {names_[holder]}'s",
        trick=number,
        seat=holder,
        card=led,
        legal=tuple(in_order(cards_of(table.hands[leader]))),
    )


def wrong_turn(table: Table, number: int, row: Sequence[int], holders: Sequence[int], expected: Sequence[int]) -> None:
    """Cards follow in order of seats."""
    i = next(i for i, seat in enumerate(expected) if holders[i] != seat)
    names_, why = table.deal.seats, table.ask.fresh()
    why("play.first-leader")
    message = f"trick {number}: it is {names_[expected[i]]}'s turn, but {name(row[i])} is {names_[holders[i]]}'s"
    table.refuse(why, message, trick=number, seat=holders[i], card=row[i])


def play_card(table: Table, number: int, seat: int, number_of_card: int, led: int | None) -> PlayedCard:
    """Take a card from a hand, after asking whether it may be played."""
    hand, bit = table.hands[seat], 1 << number_of_card
    lawful = legal(table, number, seat, led, table.ask)
    if not lawful & bit:
        unlawful(table, number, seat, number_of_card, led)
    elif table.deal.faults and (fault := listed(table, "revoke", number, seat)):
        lawful_after_all(table, fault, followed=led is not None and suit_of(led) == suit_of(number_of_card))
    if seat == table.holder and led is not None and lawful & bit:
        table.renounced |= renouncing(table, number, seat, number_of_card, led)
    alone = play.of_suit(hand, suit_of(number_of_card)) == bit
    free = lawful.bit_count() > 1 if led is None else alone and might_be_kept(table, number, hand, number_of_card, led)
    table.hands[seat] = hand - bit
    return PlayedCard(seat, number_of_card, alone, free)


def might_be_kept(table: Table, number: int, hand: int, lone: int, led: int) -> bool:
    """Whether the only card of the suit led need not have followed, whoever holds it; a last card must."""
    if suit_of(lone) != suit_of(led) or hand == 1 << lone:
        return False
    return not table.must or (lone == table.quinola and quinola_free(table, number, table.ask))


def renouncing(table: Table, number: int, seat: int, number_of_card: int, led: int) -> bool:
    """Whether a player renounces by his privilege: on another suit, although he holds the suit led."""
    could = suit_of(number_of_card) != suit_of(led) and play.of_suit(table.hands[seat], suit_of(led)) != 0
    return could and renounces(table, number, seat, table.ask)


def legal(table: Table, number: int, seat: int, led: int | None, ask: Ask) -> int:
    """The cards a player may play, as bits."""
    hand = table.hands[seat]
    if led is None:
        return play.may_lead(hand, FIRST_LEAD[ask.word("play.first-lead")] if number == 1 else -1)
    suit, quinola = suit_of(led), 1 << table.quinola
    must = table.must if ask is table.ask else MUST_FOLLOW[ask.word("play.follow")]
    free = quinola if play.of_suit(hand, suit) == quinola and quinola_free(table, number, ask) else 0
    return play.may_follow(hand, suit, must, int(renounces(table, number, seat, ask)), free)


def quinola_free(table: Table, number: int, ask: Ask) -> bool:
    """Whether a quinola that is its holder's only card of its suit may be kept."""
    return QUINOLA_FREE[ask.word("play.quinola-alone")](number - 1, table.heart_leads)


def renounces(table: Table, number: int, seat: int, ask: Ask) -> bool:
    """Whether a player may renounce in this trick by the privilege of his hand."""
    if seat != table.holder or number > table.last - ask.number("espagnolette.until"):
        return False
    return seat not in table.takers or not RIGHT_LOST[ask.word("espagnolette.right-after-trick")]


def listed(table: Table, kind: str, number: int | None, seat: int) -> Fault | None:
    """A fault that is on record."""
    return next((f for f in table.deal.faults if (f.kind, f.seat, f.trick) == (kind, seat, number)), None)


def unlawful(table: Table, number: int, seat: int, number_of_card: int, led: int | None) -> None:
    """A card that may not be played: a fault on record lets it stand, otherwise it is refused."""
    fault, why = listed(table, "revoke", number, seat), table.ask.fresh()
    if fault and REVOKE_STANDS[why.word("revoke.card")]:
        revoked(table, fault, number_of_card)
        return
    allowed = in_order(cards_of(legal(table, number, seat, led, why)))
    if led is not None:
        why("espagnolette.hands")  # whoever holds such a hand might have played it
    may = " ".join(names(allowed))
    message = f"trick {number}: {table.deal.seats[seat]} may not play {name(number_of_card)}; he may play {may}"
    table.refuse(why, message, trick=number, seat=seat, card=number_of_card, legal=tuple(allowed))


def revoked(table: Table, fault: Fault, card_: int | None) -> None:
    """A revoke that has its price."""
    table.facts.append(
        table.fact(kind="fault", manner="revoke", trick=fault.trick, card=card_, player=fault.seat, fault=fault)
    )
    table.bar(fault)


def lawful_after_all(table: Table, fault: Fault, followed: bool) -> None:
    """A revoke on record, and a lawful card: it was no fault, or the unlawful card was taken back and he followed."""
    if followed and not REVOKE_STANDS[table.ask.word("revoke.card")]:
        revoked(table, fault, None)
    else:
        pass_over(table, fault)


def pass_over(table: Table, fault: Fault) -> None:
    """A fault on record that is none under this source is said, and nothing follows from it."""
    place = f"trick {fault.trick}: " if fault.trick else ""
    table.passed_over.append(f"{place}{table.deal.seats[fault.seat]}'s {fault.kind} costs nothing under this source")


def finish_trick(table: Table, number: int, cards: Sequence[PlayedCard]) -> None:
    """See who takes the trick, note what happened to aces and the quinola, and who leads next."""
    row = tuple([c.card for c in cards])
    taker = cards[play.taker(row, table.strength, table.trump)].seat
    for i, c in enumerate(row):
        if c == table.quinola or c & 15 == ACE:
            table.facts.append(card_fact(table, number, cards, i, taker))
    for fault in table.deal.faults:
        if fault.kind == "out-of-turn" and fault.trick == number:
            what: dict[str, object] = {"kind": "fault", "manner": fault.kind, "trick": number, "player": fault.seat}
            table.facts.append(table.fact(**what, fault=fault))
    table.takers.append(taker)
    table.taken[taker].extend(row)
    table.heart_leads += suit_of(row[0]) == HEARTS
    table.leader = NEXT_LEADER[table.ask.word("play.next-leader")](taker, table.eldest)


def card_fact(table: Table, number: int, cards: Sequence[PlayedCard], i: int, taker: int) -> Fact:
    """What happened to an ace or the quinola."""
    c, led = cards[i], suit_of(cards[0].card)
    manner = "led" if i == 0 else "followed" if suit_of(c.card) == led else "thrown-off"
    return table.fact(
        kind="quinola" if c.card == table.quinola else "ace",
        trick=number,
        card=c.card,
        player=c.seat,
        leader=cards[0].seat,
        taker=taker,
        highest_before=highest_before(table, cards[:i], led),
        suit=SUITS[suit_of(c.card)],
        manner=manner,
        court_led=rank_of(cards[0].card) >= QUEEN,
        privileged=c.seat == table.holder,
        alone=c.alone,
        free=c.free,
        claimed=table.deal.claims.get(c.card, True),
    )


def highest_before(table: Table, cards: Sequence[PlayedCard], suit: int) -> int | None:
    """Who had played the highest ace, king or queen of the suit led."""
    courts = [c for c in cards if suit_of(c.card) == suit and rank_of(c.card) >= QUEEN]
    return max(courts, key=lambda c: table.strength[rank_of(c.card)]).seat if courts else None


# ---- when the cards are played
def closing_facts(table: Table) -> Iterator[Fact]:
    """The quinola that nobody held, and each seat at the end of the deal."""
    if table.quinola in table.deal.talon:
        yield table.fact(kind="quinola", card=table.quinola, suit=SUITS[suit_of(table.quinola)], manner="laid-away")
    for seat in range(table.seats):
        yield table.fact(kind="seat", player=seat, points=points(table, table.taken[seat]))


def points(table: Table, cards: Iterable[int]) -> int:
    """The points of the cards a player has taken."""
    return sum([table.values[c & 15] for c in cards])


def measures(table: Table) -> Measures:
    """What can be counted."""

    def at_least(rank: int) -> tuple[int, ...]:
        return tuple(len([c for c in pile if c & 15 >= rank]) for pile in table.taken)

    quinola = next((f for f in table.facts if f.kind == "quinola"), None)
    return Measures(
        table.seats,
        table.deal.dealer,
        table.eldest,
        table.last,
        tuple(table.takers),
        tuple(points(table, pile) for pile in table.taken),
        tuple(table.takers.count(s) for s in range(table.seats)),
        at_least(KNAVE),
        at_least(QUEEN),
        table.deal.talon,
        table.holder,
        table.renounced,
        table.deal.announced,
        quinola,
        table.deal.talon_size if table.deal.faults else len(table.deal.talon),
        FrozenMap(table.culprits),
        table.void,
        tuple(mask(pile) for pile in table.taken),
    )
