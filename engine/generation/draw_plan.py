"""Draw up a plan at random, from what is given of a deal and what is wished of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from engine.cards import cards_of, make_pack, parse_card_name, rank_of, suit_of
from engine.generation import wishes
from engine.generation.plan import ACE_CARDS, Impossible, Lost, Plan
from engine.generation.turn import TALON_PLACE, TableShape
from engine.play.table import make_named_mask
from engine.readings.ask import Ask

NO_FAILED_REVERSIS = "by these rules a reversis that fails was none"


def draw_plan(rng: Random, sketch: wishes.Sketch, ask: Ask, shape: TableShape, eldest: int, first_suit: int) -> Plan:
    """Draw up a plan for all that is given and wished. Raises Lost."""
    plan = Plan(shape.players, shape.hand, eldest)
    plan.claims.update(sketch.claims)
    plan_given_cards(rng, plan, sketch)
    names = {name: i for i, name in enumerate(sketch.seats)}
    by_subject = {
        s: [w for w in sketch.wishes if w.subject == s]
        for s in (*wishes.CARD_SUBJECTS, wishes.WISH_REVERSIS, wishes.WISH_ESPAGNOLETTE, wishes.WISH_PARTIE)
    }
    for wish in by_subject[wishes.WISH_REVERSIS]:
        plan_reversis(rng, plan, wish, ask.number("reversis.undertaken"), names)
    for wish in by_subject[wishes.WISH_ESPAGNOLETTE]:
        plan_espagnolette(rng, plan, wish, ask, names, parse_card_name(ask.word("quinola.card")))
    cards = [
        (w, choose_card(rng, w, parse_card_name(ask.word("quinola.card"))))
        for s in wishes.CARD_SUBJECTS
        for w in by_subject[s]
    ]
    for wish, number in cards:
        plan_winner_of_led_card(
            rng, plan, wish, number, any(w.has("won") for w in by_subject[wishes.WISH_ESPAGNOLETTE])
        )
    for wish, number in cards:
        plan_card(rng, plan, wish, names, number)
    for wish in by_subject[wishes.WISH_PARTIE]:
        plan_partie(rng, plan, wish, names)
    plan_voids(rng, plan, first_suit)
    plan_strong_hands(rng, plan, shape)
    return plan


def choose_player(rng: Random, names: Mapping[str, int], name: str, others: Iterable[int]) -> int:
    """Return the player who is named, or any of the others. Raises Lost where there is nobody."""
    left = sorted(others)
    if name:
        return names[name]
    if not left:
        raise Lost("nobody is left for it")
    return rng.choice(left)


# ---- what is given
def plan_given_cards(rng: Random, plan: Plan, sketch: wishes.Sketch) -> None:
    """Place the known cards, and those that are played already. Raises Lost."""
    for seat, hand in sketch.hands.items():
        for number in hand:
            plan.hold(number, seat)
    for number in sketch.talon:
        plan.hold(number, TALON_PLACE)
    for trick, row in enumerate(sketch.tricks, 1):
        plan_given_trick(rng, plan, trick, row)


def plan_given_trick(rng: Random, plan: Plan, trick: int, row: Sequence[int | None]) -> None:
    """Have each known card of a trick played by the player whose turn it is. Raises Lost."""
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
def plan_reversis(rng: Random, plan: Plan, wish: wishes.Wish, late: int, names: Mapping[str, int]) -> None:
    """Have one take all tricks, or all but some of the last; or two take an early one. Raises Lost."""
    early = range(1, plan.last - late + 1)
    if len(early) == (1 if wish.has("none") else 0):
        raise Impossible("by these rules there is always a reversis, or never one")
    if wish.has("none"):
        if not early:
            return
        a, b = rng.sample(range(plan.players), 2)
        first, second = rng.sample(early, 2)
        plan.takes(first, set(range(plan.players)) - {a, b} if rng.random() < 0.5 else {a})
        plan.takes(second, {b})
        return
    against = names.get(wish.seat("broken"), -1)
    hero = choose_player(rng, names, wish.seat("made", "undertaken"), set(range(plan.players)) - {against})
    for trick in early:
        plan.takes(trick, {hero})
    if wish.has("made"):
        for trick in last_tricks(plan, late):
            plan.takes(trick, {hero})
    elif wish.has("broken"):
        plan_breaking_trick(rng, plan, hero, against, late)


def last_tricks(plan: Plan, number: int) -> range:
    """Return the last `number` tricks, or all if there are fewer."""
    return range(max(1, plan.last - number + 1), plan.last + 1)


def choose_breaking_trick(rng: Random, plan: Plan, late: int) -> int:
    """Choose one of the last tricks, in which a reversis can be broken. Raises Lost where there is none."""
    if late == 0:
        raise Impossible(NO_FAILED_REVERSIS)
    return rng.choice(last_tricks(plan, late))


def plan_breaking_trick(rng: Random, plan: Plan, hero: int, against: int, late: int) -> None:
    """Have another take one of the last tricks, the first of them the player named. Raises Lost."""
    trick = choose_breaking_trick(rng, plan, late)
    for before in range(last_tricks(plan, late)[0], trick):
        plan.takes(before, {hero})
    plan.takes(trick, {against} if against >= 0 else set(range(plan.players)) - {hero})


def plan_espagnolette(
    rng: Random, plan: Plan, wish: wishes.Wish, ask: Ask, names: Mapping[str, int], quinola: int
) -> None:
    """Have one hold the privileged hand and use it: no tricks, or too late. Raises Lost."""
    if wish.has("none"):
        return
    hands = ask.tables("espagnolette.hands")
    if not hands:
        raise Impossible("these rules know no espagnolette")
    heroes = {next(iter(s)) for t, s in plan.takers.items() if len(s) == 1 and t == 1}
    holder = plan.holder = choose_player(rng, names, wish.seat(), set(range(plan.players)) - heroes)
    hand, free = rng.choice(hands), [a for a in ACE_CARDS if plan.held.get(a, holder) == holder]
    for number in rng.sample(free, min(hand["aces"], len(free))):
        plan.hold(number, holder)
    for number in [quinola] * bool(hand["quinola"]) + [*cards_of(make_named_mask(hand))]:
        plan.hold(number, holder)
    plan_tricks_of_espagnolette(
        rng, plan, wish, ask.number("espagnolette.until"), ask.number("reversis.undertaken"), holder
    )


def plan_tricks_of_espagnolette(rng: Random, plan: Plan, wish: wishes.Wish, bound: int, late: int, holder: int) -> None:
    """Say when the holder may take a trick: late if they lose or break a reversis; never if they win.

    `bound`: in so many of the last tricks he must follow suit; if in none, a late one is like any other. `late`: in so
    many a reversis can be broken. Raises Lost.
    """
    every = last_tricks(plan, plan.last)
    last = last_tricks(plan, bound) or every
    if wish.has("lost"):
        plan.takes(rng.choice(last if rng.random() < 0.7 else every), {holder})
    elif wish.has("breaking"):
        heroes = plan.may_take(1)
        trick = choose_breaking_trick(rng, plan, late)
        for before in range(last_tricks(plan, late)[0], trick):
            plan.takes(before, heroes)
        plan.takers[trick] = frozenset({holder})
    elif wish.has("won"):
        plan.never(holder, last)


def plan_partie(rng: Random, plan: Plan, wish: wishes.Wish, names: Mapping[str, int]) -> None:
    """Have the winner of the partie take no trick; or everybody one, and the winner few. Raises Lost."""
    known = plan.winner if plan.winner is not None else plan.holder if rng.random() < 0.6 else None
    winning = ("won", "with-a-trick", "without-a-trick")
    who = choose_player(rng, names, wish.seat(*winning), range(plan.players) if known is None else {known})
    if wish.has(*winning):
        plan.winner = who if plan.winner is None else plan.winner
    if wish.has("without-a-trick"):
        plan.never(who, range(1, plan.last + 1))
    elif wish.has("with-a-trick"):
        plan_trick_for_everybody(rng, plan)


def plan_trick_for_everybody(rng: Random, plan: Plan) -> None:
    """Have each player take some trick, so that nobody is without one."""
    seats = set(range(plan.players)) - {next(iter(s)) for s in plan.takers.values() if len(s) == 1}
    free = [t for t in range(1, plan.last + 1) if len(plan.may_take(t)) > 1]
    rng.shuffle(free)
    for seat, trick in zip(sorted(seats), free, strict=False):
        if seat in plan.may_take(trick):
            plan.takes(trick, {seat})


def choose_card(rng: Random, wish: wishes.Wish, quinola: int) -> int:
    """Return the card that is wished; where any ace will do, one of them."""
    number = wishes.wished_card(wish, quinola)
    return rng.choice(ACE_CARDS) if number is None else number


def plan_winner_of_led_card(rng: Random, plan: Plan, wish: wishes.Wish, number: int, keeps: bool) -> None:
    """Seat the winner of the partie where the wish wants it for a card that is led. Raises Lost."""
    if manner_of(wish) != "led" or not wish.has("opposite", "side", "own"):
        return
    held = plan.held.get(number)
    holders = may_hold(plan, wish, number) if held is None else {held}
    winners = [s for s in range(plan.players) if plan.holder is None or (s == plan.holder) == keeps]
    pairs = [
        (h, w)
        for h in sorted(holders)
        for w in winners
        if (w == h if wish.has("own") else w != h and suits_place(plan, wish, w, h))
    ]
    if not pairs:
        raise Lost("nobody sits in the place that is wished")
    holder, plan.winner = rng.choice(pairs)
    plan.hold(number, holder)


def plan_card(rng: Random, plan: Plan, wish: wishes.Wish, names: Mapping[str, int], number: int) -> None:
    """Plan a card's holder, the trick in which it falls, and who leads or takes that trick. Raises Lost."""
    if wish.has("laid-away"):
        plan.hold(number, TALON_PLACE)
        return
    forcer = names.get(wish.seat(wishes.FORCING), -1)
    place = plan.held.get(number)
    holders = may_hold(plan, wish, number) - {forcer}
    holder = choose_player(
        rng,
        names,
        next((w.seat for w in wish.words if w.seat and w.name != wishes.FORCING), ""),
        holders if place is None else {place},
    )
    manner = manner_of(wish) or rng.choice(("led", "followed", "thrown-off"))
    trick = choose_trick(rng, plan, wish, manner, holder)
    plan.aim(number, holder, trick, manner)
    around = [s for s in range(plan.players) if s != holder and suits_place(plan, wish, s, holder)]
    if forcer >= 0:
        around = [forcer]
    if number in ACE_CARDS and manner != "thrown-off":
        plan.takes(trick, {holder})
    if manner == "led":
        plan.leads(trick, {holder})
        plan.claims[number] = not wish.has("unclaimed")
    elif manner == "followed":
        plan.leads(trick, around)
    else:
        plan.takes(trick, around)
        plan.leads(trick, set(range(plan.players)) - {holder})


def may_hold(plan: Plan, wish: wishes.Wish, number: int) -> frozenset[int]:
    """Return who may hold a card wished in a trick: its leader if it is led, its taker if it is an ace."""
    manner, trick = manner_of(wish), trick_number(plan, wish.trick)
    if trick is None or manner in ("", "thrown-off"):
        return frozenset(range(plan.players))
    leaders = plan.may_take(trick - 1) if trick > 1 else frozenset({plan.eldest})
    takers = plan.may_take(trick) if number in ACE_CARDS else frozenset(range(plan.players))
    return takers & leaders if manner == "led" else takers - (leaders if len(leaders) == 1 else set())


def trick_number(plan: Plan, trick: int | None) -> int | None:
    """Return a trick counted from the first. Raises Lost where there are fewer."""
    if trick is None:
        return None
    if trick > plan.last:
        raise Impossible("there are not so many tricks")
    return trick if trick > 0 else plan.last + 1 + trick


def manner_of(wish: wishes.Wish) -> str:
    """Return how the card is to be played; empty if it is not said."""
    words = {"led": "led", "claimed": "led", "unclaimed": "led", "thrown-off": "thrown-off"}
    words |= dict.fromkeys(("followed", "forced", "put"), "followed")
    return next((words[w.name] for w in wish.words if w.name in words), "")


def suits_place(plan: Plan, wish: wishes.Wish, seat: int, holder: int) -> bool:
    """Return whether a seat is where the other is wished to sit."""
    facing = plan.players == 4 and (seat - holder) % 4 == 2
    return not (wish.has("opposite") and not facing) and not (wish.has("side") and facing)


def choose_trick(rng: Random, plan: Plan, wish: wishes.Wish, manner: str, holder: int) -> int:
    """Choose the trick in which the card is to fall: the one wished, or one that may do. Raises Lost."""
    trick = trick_number(plan, wish.trick)
    if trick is not None:
        return trick
    may = [t for t in range(1, plan.last + 1) if could_fall(plan, manner, holder, t)]
    if not may:
        raise Lost("there is no trick in which the card could fall so")
    return rng.choice(may)


def could_fall(plan: Plan, manner: str, holder: int, trick: int) -> bool:
    """Return whether the holder may have, or must not have, the lead of a trick."""
    leaders = plan.may_take(trick - 1) if trick > 1 else frozenset({plan.eldest})
    free = not any((a.seat, a.trick) == (holder, trick) for a in plan.aims)
    return free and (holder in leaders if manner == "led" else leaders != {holder})


# ---- the hands that help
def plan_voids(rng: Random, plan: Plan, first_suit: int) -> None:
    """Deal a void to who is to throw a card off soon, and no first suit to who is not to lead it."""
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


def plan_strong_hands(rng: Random, plan: Plan, shape: TableShape) -> None:
    """Deal the highest cards left, of a few suits or of all, to who is to take nearly all tricks."""
    for seat in range(plan.players):
        own = [t for t in range(1, plan.last + 1) if plan.may_take(t) == frozenset({seat})]
        if len(own) > plan.last - 4:
            room = shape.hand - sum(p == seat for p in plan.held.values()) - (plan.last - len(own))
            for number in draw_highest_cards(rng, plan, seat, shape, room):
                plan.hold(number, seat)


def draw_highest_cards(rng: Random, plan: Plan, seat: int, shape: TableShape, room: int) -> Iterator[int]:
    """Draw a number of the highest cards of suits, some suits long and some short."""
    barred = plan.without.get(seat, set())
    left = {s: sorted(c for c in make_pack(shape.pack) if suit_of(c) == s and c not in plan.held) for s in range(4)}
    weights = {s: 0.0 if s in barred else rng.choice((0.3, 1.0, 3.0)) for s in range(4)}
    for _ in range(max(0, room)):
        suits = [s for s in range(4) if left[s] and weights[s]]
        if not suits:
            return
        yield left[rng.choices(suits, [weights[s] for s in suits])[0]].pop()
