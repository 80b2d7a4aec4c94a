"""Making a separating deal small: whatever is not needed for the difference is taken out of it, step by step.

How small a deal is, is told by a row of numbers (`measure_deal_size`), compared from the first to the last. Each step
takes something away, lets two cards change places, or plays the last tricks anew; it is kept if the difference stays
and the deal is no larger. Nothing is ever believed: after every step the deal is settled both ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import TypeAlias

from engine.cards import rank_of
from engine.comparison.separation import Separation, try_separation
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.deal.variants import swap_cards_in_tricks
from engine.generation.deal import choose_random_card, copy_table, play_random_trick
from engine.generation.plan import Lost
from engine.interpretation.effects import DealResult, summarise_visible_entry
from engine.play.replay import play_trick
from engine.play.table import seat_players
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry
from engine.settlement.settle import Refused, Settled
from rulebook.model import Silent

_DealSize: TypeAlias = tuple[int, ...]
MAX_SHRINK_STEPS = 250  #: so many steps are tried on one deal
PLAIN_POOL = Pool(60)


# ---- how small
def measure_deal_size(separation: Separation) -> _DealSize:
    """Measure how large a separating deal is: a number for each of DEAL_SIZE_MEASURES."""
    return tuple(measure(separation) for measure in DEAL_SIZE_MEASURES.values())


def odd_pool(separation: Separation) -> int:
    """Measure what lies in the pool besides a plain stake."""
    pool = separation.deal.pool(separation.swap.base)
    return 2 * len(pool.waiting) + int(pool.supplements_paid) + int(pool.stake != PLAIN_POOL.stake)


def _count_special_endings(separation: Separation) -> int:
    both = [side.outcome for side in _list_settled_sides(separation)]
    return sum(any(getattr(o, name) is not None for o in both) for name in ("reversis", "espagnolette"))


def _count_special_cards(separation: Separation) -> int:
    """Count the aces and quinolas to which anything happens in the play."""
    first = next(iter(_list_settled_sides(separation)))
    cards = {(e.fact.card, e.fact.trick) for e in first.entries if e.fact.trick is not None}
    return len(cards)


def find_decisive_trick(separation: Separation) -> int:
    """Find the first trick of a differing entry or a refused card."""
    tricks = [e.fact.trick for side in differing_entries(separation.before, separation.after) for e in side]
    tricks += [
        r.trick
        for result in (separation.before, separation.after)
        if isinstance(result, Refused)
        for r in result.refusals
    ]
    numbers = [t for t in tricks if t is not None]
    unlawful = not all(isinstance(result, Settled) for result in (separation.before, separation.after))
    return (
        min(numbers)
        if numbers and len(numbers) == len(tricks)
        else 0
        if unlawful and not numbers
        else len(separation.deal.tricks)
    )


#: What makes a deal large, the worst first.
DEAL_SIZE_MEASURES: Mapping[str, Callable[[Separation], int]] = {
    "settled one way only": lambda separation: int(
        not (isinstance(separation.before, Settled) and isinstance(separation.after, Settled))
    ),
    "faults": lambda separation: len(separation.deal.faults),
    "words and exchanges": lambda separation: (
        len(separation.deal.exchange)
        + len(separation.deal.gifts)
        + len(separation.deal.announced)
        + sum(not claimed for claimed in separation.deal.claims.values())
    ),
    "another table": lambda separation: int(len(separation.deal.seats) != 4) + int(separation.deal.pack != 48),
    "another pool": odd_pool,
    "reversis and espagnolette": _count_special_endings,
    "aces and quinola in the play": _count_special_cards,
    "entries that differ": lambda separation: sum(map(len, differing_entries(separation.before, separation.after))),
    "number of the trick": find_decisive_trick,
    "height of the cards": lambda separation: sum(
        rank_of(c) for row in separation.deal.tricks[: find_decisive_trick(separation)] for c in row
    ),
}


def _list_settled_sides(separation: Separation) -> Iterator[Settled]:
    """Yield the sides that are settled, our own first."""
    yield from (side for side in (separation.before, separation.after) if isinstance(side, Settled))


def differing_entries(before: DealResult, after: DealResult) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """The entries that only one side has, as a reader sees them."""
    if not (isinstance(before, Settled) and isinstance(after, Settled)):
        return (), ()
    return _find_entries_only_in(before, after), _find_entries_only_in(after, before)


def _find_entries_only_in(settlement: Settled, other: Settled) -> tuple[Entry, ...]:
    had = Counter(repr(summarise_visible_entry(entry, other)) for entry in other.entries)
    entries = []
    for entry in settlement.entries:
        shown = repr(summarise_visible_entry(entry, settlement))
        had[shown] -= 1
        if had[shown] < 0:
            entries.append(entry)
    return tuple(entries)


# ---- smaller
def shrink_separation(separation: Separation, seed: int | str = 1, steps: int = MAX_SHRINK_STEPS) -> Separation:
    """Make the deal smaller with the same difference, in a limited number of steps."""
    separation = strip_separation(separation)
    rng, least = Random(f"shrink:{seed}:{separation.swap.question}"), measure_deal_size(separation)
    for _ in range(steps):
        other = accept_smaller_deal(separation, rng.choice(MOVES)(rng, separation), least)
        if other is not None:
            separation, least = other, measure_deal_size(other)
    return separation


def accept_smaller_deal(separation: Separation, deal: Deal | None, most: _DealSize) -> Separation | None:
    """Return the separation by this deal if it separates as well and is no larger."""
    if deal is None or deal == separation.deal:
        return None
    try:
        other = try_separation(separation.swap, deal)
    except (IndexError, KeyError, ValueError):  # a hand without the card it should play: no deal at all
        return None
    return other if other is not None and measure_deal_size(other) <= most else None


def strip_separation(separation: Separation) -> Separation:
    """Leave out what can be left out at once: waiting sums, words, exchanges, faults."""
    for take_out in REMOVALS:
        for deal in take_out(separation.deal):
            separation = accept_smaller_deal(separation, deal, measure_deal_size(separation)) or separation
    return separation


#: What can be left out of a deal, one thing after the other.
REMOVALS: tuple[Callable[[Deal], Iterable[Deal]], ...] = (
    lambda deal: [replace(deal, pools={"": PLAIN_POOL})],
    lambda deal: [replace(deal, claims={})],
    lambda deal: [replace(deal, announced=())],
    lambda deal: [replace(deal, gifts=())],
    lambda deal: [replace(deal, exchange=()), *(replace(deal, exchange=(exchange,)) for exchange in deal.exchange)],
    lambda deal: [replace(deal, faults=()), *(replace(deal, faults=(fault,)) for fault in deal.faults)],
)


# ---- steps
def places_changed(rng: Random, separation: Separation) -> Deal | None:
    """Two cards change places, wherever they lie and whenever they are played."""
    a, b = rng.sample(sorted({c for hand in separation.deal.hands for c in hand} | set(separation.deal.talon)), 2)
    return exchange_two_cards(separation.deal, a, b)


def neighbours_changed(rng: Random, separation: Separation) -> Deal | None:
    """A card of the tricks that count here changes places with a lower one."""
    deal = separation.deal
    early = [c for row in deal.tricks[: find_decisive_trick(separation)] for c in row]
    if not early:
        return None
    a = rng.choice(early)
    lower = sorted(c for hand in (*deal.hands, deal.talon) for c in hand if rank_of(c) < rank_of(a))
    return exchange_two_cards(deal, a, rng.choice(lower)) if lower else None


def exchange_two_cards(deal: Deal, a: int, b: int) -> Deal:
    """Return the deal with two cards in each other's places."""
    turn: dict[int | None, int] = {a: b, b: a}
    return replace(
        deal,
        hands=tuple(frozenset(turn.get(c, c) for c in hand) for hand in deal.hands),
        talon=tuple(turn.get(c, c) for c in deal.talon),
        tricks=swap_cards_in_tricks(deal.tricks, a, b),
        claims={turn.get(c, c): claimed for c, claimed in deal.claims.items()},
        exchange=tuple(replace(x, out=turn.get(x.out, x.out), taken=turn.get(x.taken, x.taken)) for x in deal.exchange),
        gifts=tuple(replace(gift, card=turn.get(gift.card, gift.card)) for gift in deal.gifts),
    )


def played_anew(rng: Random, separation: Separation) -> Deal | None:
    """Replay the last tricks, from any trick on, by the rules of a side that allows the deal."""
    deal = separation.deal
    if deal.faults or deal.fragment:
        return None
    side = next(_list_settled_sides(separation))
    table = seat_players(deal, Ask(side.ruleset))
    kept = rng.randrange(len(deal.tricks))
    try:
        for number, row in enumerate(deal.tricks[:kept], 1):
            play_trick(table, number, row)
        table, rows = copy_table(table), list(deal.tricks[:kept])
        for number in range(kept + 1, table.last + 1):
            rows.append(play_random_trick(rng, table, number, choose_random_card))
    except (Lost, Silent):
        return None
    return replace(deal, tricks=tuple(rows))


def exchange_two_tricks(rng: Random, separation: Separation) -> Deal | None:
    """Exchange two whole tricks."""
    rows = list(separation.deal.tricks)
    if len(rows) < 2:
        return None
    a, b = rng.sample(range(len(rows)), 2)
    rows[a], rows[b] = rows[b], rows[a]
    return replace(separation.deal, tricks=tuple(rows))


MOVES: tuple[Callable[[Random, Separation], Deal | None], ...] = (
    places_changed,
    places_changed,
    neighbours_changed,
    played_anew,
    exchange_two_tricks,
)
