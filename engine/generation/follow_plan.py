"""Play towards a plan: the card that it demands, or one by which the trick goes where it should."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.cards import cards_of, rank_of, suit_of
from engine.generation.plan import Aim, Lost, Plan
from engine.generation.turn import PlayerTurn
from engine.play.trick import select_suit


def follow_plan(rng: Random, plan: Plan, turn: PlayerTurn) -> int:
    """Play the card that the plan demands; or one that keeps to it, and by which the trick goes where it should."""
    for aim in plan.aims:
        if (aim.seat, aim.trick) == (turn.seat, turn.number):
            return demanded_card(aim, turn)
    kept = {a.card for a in plan.aims if a.trick != turn.number}
    free = [c for c in turn.legal if c not in kept]
    if not free:
        raise Lost("the card cannot be kept so long")
    if not turn.row:
        return lead_towards_plan(rng, plan, turn, free)
    return follow_towards_plan(rng, plan, turn, free)


def demanded_card(aim: Aim, turn: PlayerTurn) -> int:
    """Return the card that is to fall now. Raises Lost where it may not be played, or not in this manner."""
    led = suit_of(turn.row[0]) if turn.row else None
    manner = "led" if led is None else "followed" if suit_of(aim.card) == led else "thrown-off"
    if aim.card not in turn.legal or aim.manner not in ("", manner):
        raise Lost("the card cannot be played so")
    return aim.card


def lead_towards_plan(rng: Random, plan: Plan, turn: PlayerTurn, free: Sequence[int]) -> int:
    """Lead so that the wished cards can be played: high to take the trick, low if not. Raises Lost."""
    for aim in plan.aims:
        if aim.trick == turn.number and aim.seat != turn.seat:
            free = [c for c in free if allows_aim(aim, suit_of(c), turn, plan)]
    if not free:
        raise Lost("no lead serves")
    if rng.random() < 0.15:
        return rng.choice(free)
    if plan.may_take(turn.number) == {turn.seat}:
        safe = [c for c in free if not is_beaten(c, turn)]
        return rng.choice(safe) if safe else max(free, key=rank_of)
    if turn.seat not in plan.may_take(turn.number) or turn.seat == plan.winner:
        return min(free, key=lambda c: (rank_of(c), rng.random()))
    return rng.choice(free)


def allows_aim(aim: Aim, suit: int, turn: PlayerTurn, plan: Plan) -> bool:
    """Return whether a card can be played in the manner wished if this suit is led."""
    if aim.manner == "followed":
        return suit == suit_of(aim.card)
    if aim.manner == "thrown-off":
        void = not select_suit(turn.table.hands[aim.seat], suit)
        return suit != suit_of(aim.card) and (void or aim.seat == plan.holder)
    return True


def is_beaten(number: int, turn: PlayerTurn) -> bool:
    """Return whether another holds a higher card of the suit."""
    others = (h for s, h in enumerate(turn.table.hands) if s != turn.seat)
    return any(c > number for h in others for c in cards_of(select_suit(h, suit_of(number))))


def follow_towards_plan(rng: Random, plan: Plan, turn: PlayerTurn, free: Sequence[int]) -> int:
    """Play a card that takes, if only this player is to take the trick; one that does not, if not."""
    led = suit_of(turn.row[0])
    best = max(rank_of(c) for c in turn.row if suit_of(c) == led)
    over = [c for c in free if suit_of(c) == led and rank_of(c) > best]
    under = [c for c in free if c not in over]
    may = plan.may_take(turn.number)
    shy = turn.seat == plan.winner and len(may) > 1
    if over and may == {turn.seat}:
        return max(over, key=rank_of) if rng.random() < 0.6 else rng.choice(over)
    if under and plan.winner not in (None, turn.seat, plan.holder) and rng.random() < 0.5:
        return load_trick(plan, turn, under, best)
    if turn.seat not in may or shy:
        return throw_off(rng, plan, turn, under or free)
    return rng.choice(free)


def load_trick(plan: Plan, turn: PlayerTurn, under: Sequence[int], best: int) -> int:
    """Play a high card on another's trick, a low one on that of the partie's winner to be."""
    at = next(i for i, c in enumerate(turn.row) if rank_of(c) == best and suit_of(c) == suit_of(turn.row[0]))
    his = turn.table.turns[turn.table.leader][at] == plan.winner
    return min(under, key=rank_of) if his else max(under, key=rank_of)


def throw_off(rng: Random, plan: Plan, turn: PlayerTurn, free: Sequence[int]) -> int:
    """Get rid of a card: the privileged renounce, others play a short suit, or what takes tricks."""
    led = suit_of(turn.row[0])
    if turn.seat == plan.holder:
        return rng.choice([c for c in free if suit_of(c) != led] or list(free))
    kind = rng.random()
    if kind < 0.3:
        return max(free, key=lambda c: (rank_of(c), rng.random()))
    if kind < 0.6:
        hand = turn.table.hands[turn.seat]
        return min(free, key=lambda c: (select_suit(hand, suit_of(c)).bit_count(), rng.random()))
    return rng.choice(free)
