"""Recorded deals as the columns of numbers that the compiled path reads, and what it makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.cards import mask
from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from engine.survey import buffers as played
from engine.survey import play_single as singly
from engine.survey.buffers import NONE, Numbers, Played
from engine.survey.encode_rules import DEALER, At
from engine.survey.outcomes import batch
from engine.survey.piece import Priser
from engine.survey.play_batch import BLOCK
from engine.survey.pricing import Priced, all_roots, price
from engine.survey.request import SEATS, Rules


def fits(deal: Deal) -> bool:
    """Whether a survey could have played it: four with 48 cards, nothing said and nothing amiss."""
    plain = not (deal.faults or deal.claims or deal.announced or deal.fragment)
    looked = any(x.looked or x.out is None for x in deal.exchange)
    return plain and not looked and (len(deal.seats), deal.pack, len(deal.tricks)) == (4, 48, 11)


def turned(deal: Deal, pool: Pool) -> Deal:
    """The same deal with the dealer in the last seat, and another pool."""
    by = DEALER - deal.dealer
    hands = tuple(deal.hands[(seat - by) % SEATS] for seat in range(SEATS))
    seats = tuple(deal.seats[(seat - by) % SEATS] for seat in range(SEATS))
    exchange = tuple(Exchange((x.seat + by) % SEATS, x.out, x.taken) for x in deal.exchange)
    return replace(deal, dealer=DEALER, hands=hands, seats=seats, exchange=exchange, pools={"": pool})


def columns(deals: Sequence[Deal]) -> Played:
    """Turned deals, one a column; the last block is filled with empty ones."""
    found = played.room(-(-len(deals) // BLOCK) * BLOCK)
    for at, deal in enumerate(deals):
        found.hands[:, at] = np.array([mask(hand) for hand in deal.hands], np.uint64).astype(np.int64)
        found.talon[at] = np.array(mask(deal.talon), np.uint64).astype(np.int64)
        found.cards[:, at] = [card for row in deal.tricks for card in row]
        for x in deal.exchange:
            found.swaps[x.seat, at], found.swaps[SEATS + x.seat, at] = x.out, NONE if x.taken is None else x.taken
    for at in range(len(deals), found.taken.size):
        found.hands[:, at], found.cards[:, at] = found.hands[:, 0], found.cards[:, 0]
        found.talon[at], found.swaps[:, at] = found.talon[0], found.swaps[:, 0]
    return found


def again(given: Played, row: Sequence[int]) -> Played:
    """The columns, replayed by some rules."""
    other = played.room(given.taken.size)
    into = (other.facts, other.taken, other.takers, other.told)
    singly.again(np.array(row, np.int64), given.hands, into, given.cards, given.swaps)
    return replace(given, facts=other.facts, taken=other.taken, takers=other.takers, told=other.told)


def priced(priser: Priser, these: Rules, pool: Pool, given: Played) -> tuple[Priced, Numbers]:
    """What the compiled path makes of them, and the outcomes."""
    ruleset, row, of = priser.rules(these)
    p, tariff = again(given, row), priser.tariff(pool, row[At.ELDEST])
    fields, points = np.zeros((p.taken.size, 13), np.int64), np.zeros((p.taken.size, SEATS), np.int64)
    batch.compute_outcomes(np.array(of, np.int64), (p.facts, p.taken, p.takers, p.talon, p.told), fields, points)
    return price(ruleset, tariff, p, (fields, points), row[At.QUINOLA], all_roots(tariff)), fields
