"""How a deal that is wished may come about: who holds which cards, who may take which trick, which card falls when.

A plan is drawn up by lot from what is given and what is wished. It is only a way to get there: whether the deal has
what is wished is seen when it has been played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from engine.cards import card, cards_of, pack, rank_of, suit_of
from engine.generation.wishes import CARDS, ESPAGNOLETTE, PARTIE, REVERSIS, Wish, wished_card
from engine.play.trick import of_suit
from engine.readings.ask import Ask

if TYPE_CHECKING:
    from engine.generation.deal import Shape, Turn

ASIDE = -1
ACES = tuple(card(f"A{suit}") for suit in "SHDC")


class Lost(Exception):
    """The lot fell so that it cannot be as wished; lay out another deal."""


@dataclass(frozen=True)
class Sketch:
    """What is known, or wished, of a deal; seats are numbers, None stands for what is not known."""

    wishes: tuple[Wish, ...] = ()
    seats: tuple[str, ...] = ()
    players: int | None = None
    pack: int | None = None
    dealer: int | None = None
    hands: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    talon: tuple[int, ...] = ()
    tricks: tuple[tuple[int | None, ...], ...] = ()
    claims: Mapping[int, bool] = field(default_factory=dict)
    id: str = "filled"
    rest: Mapping[str, object] = field(default_factory=dict)  #: fields of a Deal that are taken over as they stand


@dataclass(frozen=True, slots=True)
class Aim:
    """A card that is to be played in a certain trick by a certain player, and how."""

    card: int
    seat: int
    trick: int
    manner: str = ""  #: led | followed | thrown-off; empty: anyhow


@dataclass
class Plan:
    """One way in which it may come about; the lot fills it in step by step."""

    players: int
    last: int
    eldest: int
    held: dict[int, int] = field(default_factory=dict)  #: card -> who holds it, or ASIDE
    without: dict[int, set[int]] = field(default_factory=dict)  #: seat -> suits of which he has no other card
    takers: dict[int, frozenset[int]] = field(default_factory=dict)  #: trick -> who may take it
    aims: list[Aim] = field(default_factory=list)
    claims: dict[int, bool] = field(default_factory=dict)
    holder: int | None = None  #: who is to use the privilege of his hand
    winner: int | None = None  #: who is to win the partie, and keeps out of the tricks as far as he may

    def may_take(self, number: int) -> frozenset[int]:
        """Who may take a trick."""
        return self.takers.get(number) or frozenset(range(self.players))

    def takes(self, number: int, seats: Iterable[int]) -> None:
        """Only these may take a trick. Raises Lost where that leaves nobody."""
        left = self.may_take(number) & frozenset(seats)
        if not left:
            raise Lost("the trick would have to be taken by two players")
        self.takers[number] = left

    def never(self, seat: int, numbers: Iterable[int]) -> None:
        """He takes none of these tricks."""
        for number in numbers:
            self.takes(number, set(range(self.players)) - {seat})

    def hold(self, number: int, place: int) -> None:
        """A card is to be in a hand, or aside. Raises Lost where it has another place already."""
        if self.held.setdefault(number, place) != place:
            raise Lost("a card would have to be in two places")

    def aim(self, number: int, seat: int, trick: int, manner: str = "") -> None:
        """A card is to be played then and there. Raises Lost where that cannot be."""
        for other in self.aims:
            if (other.card == number and (other.trick, other.seat) != (trick, seat)) or (
                other.card != number and (other.trick, other.seat) == (trick, seat)
            ):
                raise Lost("two cards would have to be played at once")
        self.hold(number, seat)
        self.aims.append(Aim(number, seat, trick, manner))

    def leads(self, number: int, seats: Iterable[int]) -> None:
        """One of these leads to a trick. Raises Lost."""
        if number > 1:
            self.takes(number - 1, seats)
        elif self.eldest not in seats:
            raise Lost("another has the first lead")


def drawn_up(rng: Random, sketch: Sketch, ask: Ask, shape: Shape, eldest: int, first_suit: int) -> Plan:
    """A plan for all that is given and wished. Raises Lost."""
    plan = Plan(shape.players, shape.hand, eldest)
    plan.claims.update(sketch.claims)
    given(rng, plan, sketch)
    names = {name: i for i, name in enumerate(sketch.seats)}
    by_subject = {s: [w for w in sketch.wishes if w.subject == s] for s in (*CARDS, REVERSIS, ESPAGNOLETTE, PARTIE)}
    for wish in by_subject[REVERSIS]:
        reversis(rng, plan, wish, ask.number("reversis.undertaken"), names)
    for wish in by_subject[ESPAGNOLETTE]:
        espagnolette(rng, plan, wish, ask, names, card(ask.word("quinola.card")))
    cards = [(w, card_of(rng, w, card(ask.word("quinola.card")))) for s in CARDS for w in by_subject[s]]
    for wish, number in cards:
        wins_from(rng, plan, wish, number, any(w.has("won") for w in by_subject[ESPAGNOLETTE]))
    for wish, number in cards:
        one_card(rng, plan, wish, names, number)
    for wish in by_subject[PARTIE]:
        partie(rng, plan, wish, names)
    short_suits(rng, plan, first_suit)
    strong_hands(rng, plan, shape)
    return plan


def named(rng: Random, names: Mapping[str, int], name: str, others: Iterable[int]) -> int:
    """The player who is named, or anyone of the others. Raises Lost where there is nobody."""
    left = sorted(others)
    if name:
        return names[name]
    if not left:
        raise Lost("nobody is left for it")
    return rng.choice(left)


# ---- what is given
def given(rng: Random, plan: Plan, sketch: Sketch) -> None:
    """The cards that have their place, and those that are played already. Raises Lost."""
    for seat, hand in sketch.hands.items():
        for number in hand:
            plan.hold(number, seat)
    for number in sketch.talon:
        plan.hold(number, ASIDE)
    for trick, row in enumerate(sketch.tricks, 1):
        played(rng, plan, trick, row)


def played(rng: Random, plan: Plan, trick: int, row: Sequence[int | None]) -> None:
    """The known cards of a trick, each the card of him whose turn it is. Raises Lost."""
    known = [(i, c) for i, c in enumerate(row) if c is not None]
    if not known:
        return
    at, shown = next(((i, plan.held[c]) for i, c in known if c in plan.held), (0, -2))
    may = plan.may_take(trick - 1) if trick > 1 else {plan.eldest}
    leader = (shown - at) % plan.players if shown >= 0 else rng.choice(sorted(may))
    plan.leads(trick, {leader})
    for i, number in known:
        plan.aim(number, (leader + i) % plan.players, trick, "led" if i == 0 else "")
    if len(known) == plan.players:
        cards = [c for _, c in known]
        best = max(range(len(cards)), key=lambda i: (suit_of(cards[i]) == suit_of(cards[0]), rank_of(cards[i])))
        plan.takes(trick, {(leader + best) % plan.players})


# ---- what is wished
def reversis(rng: Random, plan: Plan, wish: Wish, late: int, names: Mapping[str, int]) -> None:
    """One takes all tricks, or all but some of the last; or two take an early one."""
    early = range(1, plan.last - late + 1)
    if len(early) == (1 if wish.has("none") else 0):
        raise Lost("by these rules there is always a reversis, or never one")
    if wish.has("none"):
        if not early:
            return
        a, b = rng.sample(range(plan.players), 2)
        first, second = rng.sample(early, 2)
        plan.takes(first, set(range(plan.players)) - {a, b} if rng.random() < 0.5 else {a})
        plan.takes(second, {b})
        return
    against = names.get(wish.seat("broken"), -1)
    hero = named(rng, names, wish.seat("made", "undertaken"), set(range(plan.players)) - {against})
    for trick in early:
        plan.takes(trick, {hero})
    if wish.has("made"):
        for trick in last_tricks(plan, late):
            plan.takes(trick, {hero})
    elif wish.has("broken"):
        broken_at(rng, plan, hero, against, late)


def last_tricks(plan: Plan, number: int) -> range:
    """So many of the last tricks; all, if there are not so many."""
    return range(max(1, plan.last - number + 1), plan.last + 1)


def breaking_trick(rng: Random, plan: Plan, late: int) -> int:
    """One of the last tricks, in which a reversis can be broken. Raises Lost where there is none."""
    if late == 0:
        raise Lost("by these rules a reversis that fails was none")
    return rng.choice(last_tricks(plan, late))


def broken_at(rng: Random, plan: Plan, hero: int, against: int, late: int) -> None:
    """One of the last tricks goes to another, the first of them to him who is to break it. Raises Lost."""
    trick = breaking_trick(rng, plan, late)
    for before in range(last_tricks(plan, late)[0], trick):
        plan.takes(before, {hero})
    plan.takes(trick, {against} if against >= 0 else set(range(plan.players)) - {hero})


def espagnolette(rng: Random, plan: Plan, wish: Wish, ask: Ask, names: Mapping[str, int], quinola: int) -> None:
    """One holds the privileged hand and uses it; he keeps out of the tricks, or gets into them too late."""
    if wish.has("none"):
        return
    hands = ask.tables("espagnolette.hands")
    if not hands:
        raise Lost("these rules know no espagnolette")
    heroes = {next(iter(s)) for t, s in plan.takers.items() if len(s) == 1 and t == 1}
    holder = plan.holder = named(rng, names, wish.seat(), set(range(plan.players)) - heroes)
    hand, free = rng.choice(hands), [a for a in ACES if plan.held.get(a, holder) == holder]
    for number in rng.sample(free, min(hand["aces"], len(free))):
        plan.hold(number, holder)
    if hand["quinola"]:
        plan.hold(quinola, holder)
    in_the_tricks(rng, plan, wish, ask.number("espagnolette.until"), ask.number("reversis.undertaken"), holder)


def in_the_tricks(rng: Random, plan: Plan, wish: Wish, bound: int, late: int, holder: int) -> None:
    """When he may take a trick: he who loses gets in late; he who breaks a reversis does too; he who wins, never.

    `bound`: in so many of the last tricks he must follow suit; if in none, a late one is like any other. `late`: in so
    many a reversis can be broken. Raises Lost.
    """
    every = last_tricks(plan, plan.last)
    last = last_tricks(plan, bound) or every
    if wish.has("lost"):
        plan.takes(rng.choice(last if rng.random() < 0.7 else every), {holder})
    elif wish.has("breaking"):
        heroes = plan.may_take(1)
        trick = breaking_trick(rng, plan, late)
        for before in range(last_tricks(plan, late)[0], trick):
            plan.takes(before, heroes)
        plan.takers[trick] = frozenset({holder})
    elif wish.has("won"):
        plan.never(holder, last)


def partie(rng: Random, plan: Plan, wish: Wish, names: Mapping[str, int]) -> None:
    """The winner of the partie takes no trick; or everybody takes one, and he few."""
    known = plan.winner if plan.winner is not None else plan.holder if rng.random() < 0.6 else None
    winning = ("won", "with-a-trick", "without-a-trick")
    who = named(rng, names, wish.seat(*winning), range(plan.players) if known is None else {known})
    if wish.has(*winning):
        plan.winner = who if plan.winner is None else plan.winner
    if wish.has("without-a-trick"):
        plan.never(who, range(1, plan.last + 1))
    elif wish.has("with-a-trick"):
        everybody_takes(rng, plan)


def everybody_takes(rng: Random, plan: Plan) -> None:
    """Each player is to take some trick, so that nobody is without one."""
    seats = set(range(plan.players)) - {next(iter(s)) for s in plan.takers.values() if len(s) == 1}
    free = [t for t in range(1, plan.last + 1) if len(plan.may_take(t)) > 1]
    rng.shuffle(free)
    for seat, trick in zip(sorted(seats), free, strict=False):
        if seat in plan.may_take(trick):
            plan.takes(trick, {seat})


def only(plan: Plan, trick: int, seat: int) -> bool:
    """Whether a trick is to be his and nobody else's."""
    return plan.may_take(trick) == frozenset({seat})


def card_of(rng: Random, wish: Wish, quinola: int) -> int:
    """The card that is wished; where any ace will do, one of them."""
    number = wished_card(wish, quinola)
    return rng.choice(ACES) if number is None else number


def wins_from(rng: Random, plan: Plan, wish: Wish, number: int, keeps: bool) -> None:
    """For a card that is led, the winner of the partie must sit in the place that is wished. Raises Lost."""
    if manner_of(wish) != "led" or not wish.has("opposite", "side", "own"):
        return
    held = plan.held.get(number)
    holders = may_hold(plan, wish, number) if held is None else {held}
    winners = [s for s in range(plan.players) if plan.holder is None or (s == plan.holder) == keeps]
    pairs = [(h, w) for h in sorted(holders) for w in winners if in_place(plan, wish, w, h)]
    if not pairs:
        raise Lost("nobody sits in the place that is wished")
    holder, plan.winner = rng.choice(pairs)
    plan.hold(number, holder)


def in_place(plan: Plan, wish: Wish, seat: int, holder: int) -> bool:
    """Whether the other sits where he is wished to sit; it may be the holder himself."""
    return seat == holder if wish.has("own") else seat != holder and suits_place(plan, wish, seat, holder)


def one_card(rng: Random, plan: Plan, wish: Wish, names: Mapping[str, int], number: int) -> None:
    """The card, its holder, the trick in which it falls, and who is to lead or take that trick. Raises Lost."""
    if wish.has("laid-away"):
        plan.hold(number, ASIDE)
        return
    forcer = names.get(wish.seat("forced", "opposite", "side"), -1)
    place = plan.held.get(number)
    holders = may_hold(plan, wish, number) - {forcer}
    holder = named(rng, names, holder_named(wish), holders if place is None else {place})
    manner = manner_of(wish) or rng.choice(("led", "followed", "thrown-off"))
    trick = trick_for(rng, plan, wish, manner, holder)
    plan.aim(number, holder, trick, manner)
    around = [s for s in range(plan.players) if s != holder and suits_place(plan, wish, s, holder)]
    if forcer >= 0:
        around = [forcer]
    if number in ACES and manner != "thrown-off":
        plan.takes(trick, {holder})
    if manner == "led":
        plan.leads(trick, {holder})
        plan.claims[number] = not wish.has("unclaimed")
    elif manner == "followed":
        plan.leads(trick, around)
    else:
        plan.takes(trick, around)
        plan.leads(trick, set(range(plan.players)) - {holder})


def may_hold(plan: Plan, wish: Wish, number: int) -> frozenset[int]:
    """Who may hold a card that is to fall in a certain trick: its leader, if it is led; its taker, if it is an ace."""
    manner, trick = manner_of(wish), numbered(plan, wish.trick)
    if trick is None or manner in ("", "thrown-off"):
        return frozenset(range(plan.players))
    leaders = plan.may_take(trick - 1) if trick > 1 else frozenset({plan.eldest})
    takers = plan.may_take(trick) if number in ACES else frozenset(range(plan.players))
    return takers & leaders if manner == "led" else takers - (leaders if len(leaders) == 1 else set())


def numbered(plan: Plan, trick: int | None) -> int | None:
    """A trick counted from the first. Raises Lost where there are not so many."""
    if trick is None:
        return None
    if trick > plan.last:
        raise Lost("there are not so many tricks")
    return trick if trick > 0 else plan.last + 1 + trick


def holder_named(wish: Wish) -> str:
    """Who is named as the holder of the card."""
    return next((w.seat for w in wish.words if w.seat and w.name not in ("forced", "opposite", "side")), "")


def manner_of(wish: Wish) -> str:
    """What is to befall the card."""
    words = {"led": "led", "claimed": "led", "unclaimed": "led", "thrown-off": "thrown-off"}
    words |= dict.fromkeys(("followed", "forced", "put"), "followed")
    return next((words[w.name] for w in wish.words if w.name in words), "")


def suits_place(plan: Plan, wish: Wish, seat: int, holder: int) -> bool:
    """Whether a seat is where the other is wished to sit."""
    facing = plan.players == 4 and (seat - holder) % 4 == 2
    return not (wish.has("opposite") and not facing) and not (wish.has("side") and facing)


def trick_for(rng: Random, plan: Plan, wish: Wish, manner: str, holder: int) -> int:
    """The trick in which the card is to fall: the one that is wished, or one that may do. Raises Lost."""
    trick = numbered(plan, wish.trick)
    if trick is not None:
        return trick
    may = [t for t in range(1, plan.last + 1) if could_fall(plan, manner, holder, t)]
    if not may:
        raise Lost("there is no trick in which the card could fall so")
    return rng.choice(may)


def could_fall(plan: Plan, manner: str, holder: int, trick: int) -> bool:
    """Whether the holder may have, or must not have, the lead of a trick."""
    leaders = plan.may_take(trick - 1) if trick > 1 else frozenset({plan.eldest})
    free = not any((a.seat, a.trick) == (holder, trick) for a in plan.aims)
    return free and (holder in leaders if manner == "led" else leaders != {holder})


# ---- the hands that help
def short_suits(rng: Random, plan: Plan, first_suit: int) -> None:
    """Who is to throw a card off soon is dealt a void; who leads or follows otherwise than usual, none of that suit."""
    for aim in plan.aims:
        if aim.manner == "thrown-off" and aim.seat != plan.holder and rng.random() < 1.2 - aim.trick / plan.last:
            suits = [s for s in range(4) if not any(suit_of(c) == s for c, p in plan.held.items() if p == aim.seat)]
            forced = [first_suit] if aim.trick == 1 and first_suit in suits else suits
            if forced:
                plan.without.setdefault(aim.seat, set()).add(rng.choice(forced))
        elif aim.manner in ("led", "followed") and aim.trick == 1 and first_suit not in (-1, suit_of(aim.card)):
            plan.without.setdefault(plan.eldest, set()).add(first_suit)
        elif aim.manner == "followed" and rng.random() < 0.3:
            plan.without.setdefault(aim.seat, set()).add(suit_of(aim.card))


def strong_hands(rng: Random, plan: Plan, shape: Shape) -> None:
    """Who is to take nearly all tricks is dealt the highest cards that are left, of a few suits or of all."""
    for seat in range(plan.players):
        own = [t for t in range(1, plan.last + 1) if only(plan, t, seat)]
        if len(own) > plan.last - 4:
            room = shape.hand - sum(p == seat for p in plan.held.values()) - (plan.last - len(own))
            for number in highest(rng, plan, seat, shape, room):
                plan.hold(number, seat)


def highest(rng: Random, plan: Plan, seat: int, shape: Shape, room: int) -> Iterator[int]:
    """So many of the highest cards of suits, some suits long and some short."""
    barred = plan.without.get(seat, set())
    left = {s: sorted(c for c in pack(shape.pack) if suit_of(c) == s and c not in plan.held) for s in range(4)}
    weights = {s: 0.0 if s in barred else rng.choice((0.3, 1.0, 3.0)) for s in range(4)}
    for _ in range(max(0, room)):
        suits = [s for s in range(4) if left[s] and weights[s]]
        if not suits:
            return
        yield left[rng.choices(suits, [weights[s] for s in suits])[0]].pop()


# ---- playing towards it
def lean(rng: Random, plan: Plan, turn: Turn) -> int:
    """The card that the plan demands; or one that keeps to it, and by which the trick goes where it should."""
    for aim in plan.aims:
        if (aim.seat, aim.trick) == (turn.seat, turn.number):
            return demanded(aim, turn)
    kept = {a.card for a in plan.aims if a.trick != turn.number}
    free = [c for c in turn.legal if c not in kept]
    if not free:
        raise Lost("the card cannot be kept so long")
    if not turn.row:
        return lead(rng, plan, turn, free)
    return follow(rng, plan, turn, free)


def demanded(aim: Aim, turn: Turn) -> int:
    """The card that is to fall now. Raises Lost where it may not be played, or not in this manner."""
    led = suit_of(turn.row[0]) if turn.row else None
    manner = "led" if led is None else "followed" if suit_of(aim.card) == led else "thrown-off"
    if aim.card not in turn.legal or aim.manner not in ("", manner):
        raise Lost("the card cannot be played so")
    return aim.card


def lead(rng: Random, plan: Plan, turn: Turn, free: Sequence[int]) -> int:
    """A lead to which the wished cards can be played; high if he is to take the trick, low if not. Raises Lost."""
    for aim in plan.aims:
        if aim.trick == turn.number and aim.seat != turn.seat:
            free = [c for c in free if allows(aim, suit_of(c), turn, plan)]
    if not free:
        raise Lost("no lead serves")
    if rng.random() < 0.15:
        return rng.choice(free)
    if plan.may_take(turn.number) == {turn.seat}:
        safe = [c for c in free if not beaten(c, turn)]
        return rng.choice(safe) if safe else max(free, key=rank_of)
    if turn.seat not in plan.may_take(turn.number) or turn.seat == plan.winner:
        return min(free, key=lambda c: (rank_of(c), rng.random()))
    return rng.choice(free)


def allows(aim: Aim, suit: int, turn: Turn, plan: Plan) -> bool:
    """Whether a card can be played in the manner wished if this suit is led."""
    if aim.manner == "followed":
        return suit == suit_of(aim.card)
    if aim.manner == "thrown-off":
        void = not of_suit(turn.table.hands[aim.seat], suit)
        return suit != suit_of(aim.card) and (void or aim.seat == plan.holder)
    return True


def beaten(number: int, turn: Turn) -> bool:
    """Whether another holds a higher card of the suit."""
    others = (h for s, h in enumerate(turn.table.hands) if s != turn.seat)
    return any(c > number for h in others for c in cards_of(of_suit(h, suit_of(number))))


def follow(rng: Random, plan: Plan, turn: Turn, free: Sequence[int]) -> int:
    """A card that takes, if he alone is to take the trick; one that does not, if he is not to take it."""
    led = suit_of(turn.row[0])
    best = max(rank_of(c) for c in turn.row if suit_of(c) == led)
    over = [c for c in free if suit_of(c) == led and rank_of(c) > best]
    under = [c for c in free if c not in over]
    may = plan.may_take(turn.number)
    shy = turn.seat == plan.winner and len(may) > 1
    if over and may == {turn.seat}:
        return max(over, key=rank_of) if rng.random() < 0.6 else rng.choice(over)
    if under and plan.winner not in (None, turn.seat, plan.holder) and rng.random() < 0.5:
        return load(plan, turn, under, best)
    if turn.seat not in may or shy:
        return thrown(rng, plan, turn, under or free)
    return rng.choice(free)


def load(plan: Plan, turn: Turn, under: Sequence[int], best: int) -> int:
    """A high card on another's trick, a low one on his who is to win the partie."""
    at = next(i for i, c in enumerate(turn.row) if rank_of(c) == best and suit_of(c) == suit_of(turn.row[0]))
    his = turn.table.turns[turn.table.leader][at] == plan.winner
    return min(under, key=rank_of) if his else max(under, key=rank_of)


def thrown(rng: Random, plan: Plan, turn: Turn, free: Sequence[int]) -> int:
    """A card to be rid of: the privileged renounces, others get rid of a short suit, or of what takes tricks."""
    led = suit_of(turn.row[0])
    if turn.seat == plan.holder:
        return rng.choice([c for c in free if suit_of(c) != led] or list(free))
    kind = rng.random()
    if kind < 0.3:
        return max(free, key=lambda c: (rank_of(c), rng.random()))
    if kind < 0.6:
        hand = turn.table.hands[turn.seat]
        return min(free, key=lambda c: (of_suit(hand, suit_of(c)).bit_count(), rng.random()))
    return rng.choice(free)
