"""Deals by lot and by wish, with faults, forgotten claims and full or empty pools, for what must hold of any deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

from engine.cards import suit_of
from engine.deal.events import Announcement, Fault
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.generation.deal import Found, fill, random_deal
from engine.generation.turn import SEAT_NAMES, list_table_shapes
from engine.generation.wishes import Sketch, read_wishes
from engine.play.replay import Played, replay_deal
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry
from engine.settlement.outcome import DealOutcome
from engine.settlement.settle import Settled, all_entries, settle_replayed_deal
from rulebook.model import Ruleset, Ruling, Silent, Value

WISHES = (
    "quinola forced opposite first trick",
    "quinola forced side last trick",
    "quinola forced opposite trick 5",
    "quinola put side",
    "quinola thrown off opposite",
    "quinola thrown off side last trick",
    "quinola led",
    "quinola led first trick",
    "quinola led unclaimed",
    "quinola in the talon",
    "ace of diamonds led opposite",
    "ace of hearts led side",
    "ace led unclaimed",
    "ace of diamonds thrown off opposite first trick",
    "ace of diamonds thrown off side",
    "ace of hearts thrown off last trick",
    "ace of spades forced opposite",
    "ace of hearts followed",
    "ace of diamonds forced side",
    "partie without trick",
    "reversis made",
    "reversis made quinola led trick 3",
    "reversis made quinola thrown off",
    "reversis made quinola followed ace thrown off",
    "reversis broken",
    "reversis broken quinola followed trick 10",
    "reversis broken quinola led trick 4",
    "espagnolette won",
    "espagnolette won quinola thrown off",
    "espagnolette lost",
    "espagnolette lost quinola thrown off",
    "espagnolette lost ace thrown off",
    "espagnolette undertaken reversis made",
    "espagnolette undertaken reversis broken",
    "espagnolette undertaken reversis broken quinola thrown off",
)
POOLS = (Pool(60), Pool(37, (11, 5)), Pool(0), Pool(40, (), True), Pool(0, (25,)), Pool(120, (60, 60)))
NOTICED = ("before-discard", "before-discard", "before-lead", "in-play")


# ---- making deals
def lot(ruleset: Ruleset, kind: str, seed: int) -> Deal:
    """A deal of a kind, lawful under a ruleset but for what its faults say; any deal where no such deal is found."""
    rng = Random(f"{kind}:{seed}")
    deal = BY_KIND[kind](rng, ruleset) if kind in BY_KIND else wished(rng, ruleset, kind)
    deal = replace(deal, pools={"": rng.choice(POOLS)})
    led = {row[0] for row in deal.tricks}
    aces = {c for hand in deal.hands for c in hand if c & 15 == 12} & led
    return replace(deal, claims={c: rng.random() < 0.6 for c in sorted(aces)} | dict(deal.claims))


def wished(rng: Random, ruleset: Ruleset, text: str) -> Deal:
    """A deal with what is wished, if it is found soon."""
    shape = rng.choice(list_table_shapes(ruleset))
    wishes, wrong = read_wishes(text, SEAT_NAMES[shape.players])
    assert not wrong, wrong
    sketch = Sketch(wishes, SEAT_NAMES[shape.players], shape.players, shape.pack)
    try:
        found = fill(ruleset, sketch, str(rng.random()), 30, shape)
    except Silent:  # the rules do not tell what the wish means: forced, where nothing is paid for it
        return by_lot(rng, ruleset)
    return found.deal if isinstance(found, Found) else by_lot(rng, ruleset)


def by_lot(rng: Random, ruleset: Ruleset) -> Deal:
    """Any deal at any table."""
    return random_deal(ruleset, rng.random().hex(), rng.choice(list_table_shapes(ruleset)))


def at_fault(rng: Random, ruleset: Ruleset) -> Deal:
    """A deal with one or two faults that do not touch the cards."""
    deal = wished(rng, ruleset, rng.choice(WISHES)) if rng.random() < 0.7 else by_lot(rng, ruleset)
    seats = range(len(deal.seats))
    turns = [Fault("out-of-turn", rng.choice(seats), rng.randint(1, 9)) for _ in range(2)]
    others = [seat for seat in seats if seat != deal.dealer]  # who has a card of the talon to see
    peeks = [Fault("peek", rng.choice(others)) for _ in range(2)]
    return replace(deal, faults=tuple(rng.choice([turns[:1], turns, peeks[:1], peeks, [turns[0], peeks[0]]])))


def maker_at_fault(rng: Random, ruleset: Ruleset) -> Deal:
    """A reversis made by a player who has played before his turn."""
    deal = wished(rng, ruleset, "reversis made")
    holders = {deal.holder(row[0]) for row in deal.tricks[1:]}
    faults = [Fault("out-of-turn", seat, rng.randint(1, 9)) for seat in holders if seat is not None]
    return replace(deal, faults=tuple(faults[:1]))


def misdealt(rng: Random, ruleset: Ruleset) -> Deal:
    """A deal that may have to be dealt again."""
    deal = by_lot(rng, ruleset)
    dealer = deal.dealer
    faults = (
        Fault("misdeal", dealer, None, rng.choice(NOTICED), rng.random() < 0.5),
        Fault("card-turned-up", dealer, accepted=rng.random() < 0.5),
        Fault("badly-shuffled", dealer),
    )
    return replace(deal, faults=tuple(rng.sample(faults, rng.choice([1, 1, 2]))))


def announced(rng: Random, ruleset: Ruleset) -> Deal:
    """A deal in which something is said aloud, at times by one who has no right to it."""
    deal = wished(rng, ruleset, rng.choice([w for w in WISHES if "espagnolette" in w]))
    holder = replay_deal(deal, Ask(ruleset)).measures.holder
    seat = rng.randrange(len(deal.seats)) if holder is None or rng.random() < 0.1 else holder
    return replace(deal, announced=(Announcement(rng.choice(["espagnolette", "reversis"]), seat),))


def revoked(rng: Random, ruleset: Ruleset) -> Deal:
    """A deal in which one player did not follow suit though he could; it stands on record."""
    deal = by_lot(rng, ruleset)
    for number, seat, other in some(rng, swaps(deal), 40):
        refused = replay_deal(other, Ask(ruleset)).refusals
        if refused and {(r.trick, r.seat) for r in refused} == {(number, seat)}:
            return replace(other, faults=(Fault("revoke", seat, number),))
    return deal


def swaps(deal: Deal) -> Iterator[tuple[int, int, Deal]]:
    """Deals in which one player has followed suit later with a card, and thrown off another instead."""
    for early, late in combinations(range(len(deal.tricks)), 2):
        for c in deal.tricks[early][1:]:
            seat = deal.holder(c)
            d = next(one for one in deal.tricks[late] if deal.holder(one) == seat)
            if seat is not None and suit_of(c) == suit_of(deal.tricks[early][0]) != suit_of(d) != suit_of(c):
                rows = [list(row) for row in deal.tricks]
                rows[early][rows[early].index(c)], rows[late][rows[late].index(d)] = d, c
                yield early + 1, seat, replace(deal, tricks=tuple(map(tuple, rows)))


def some(rng: Random, found: Iterator[tuple[int, int, Deal]], most: int) -> Sequence[tuple[int, int, Deal]]:
    """A few of them, by lot."""
    every = list(found)
    return rng.sample(every, min(most, len(every)))


def broken_off(rng: Random, ruleset: Ruleset) -> Deal:
    """A fragment: the last tricks are not known."""
    deal = wished(rng, ruleset, rng.choice(WISHES))
    return replace(deal, tricks=deal.tricks[: rng.randint(1, len(deal.tricks))], fragment=True)


def unlawful(rng: Random, ruleset: Ruleset) -> Deal:
    """A deal in which two cards have been played the wrong way round."""
    deal = by_lot(rng, ruleset)
    _, _, other = rng.choice(list(swaps(deal)))
    return other


BY_KIND: Mapping[str, Callable[[Random, Ruleset], Deal]] = {
    "by lot": by_lot,
    "at fault": at_fault,
    "misdealt": misdealt,
    "maker at fault": maker_at_fault,
    "announced": announced,
    "revoked": revoked,
    "broken off": broken_off,
    "unlawful": unlawful,
}
KINDS = (*BY_KIND, *WISHES)


# ---- settling them
def given_by_reader(given: Mapping[str, Value]) -> dict[str, Ruling]:
    """Rulings that no clause supports."""
    return {slug: Ruling(slug, slug, value, (), "given") for slug, value in given.items()}


def told(deal: Deal, ruleset: Ruleset) -> tuple[Settled, tuple[Entry, ...]]:
    """A lawful deal settled, and every entry that there is, also those that no ledger shows."""
    ask = Ask(ruleset)
    played = replay_deal(deal, ask)
    assert not played.refusals, played.refusals
    return settle_replayed_deal(deal, ruleset, played, ask), tuple(
        all_entries(played, DealOutcome(played.measures, ask), [], True)
    )


def played(deal: Deal, ruleset: Ruleset) -> Played:
    """A deal played under a ruleset."""
    return replay_deal(deal, Ask(ruleset))
