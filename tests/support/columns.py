"""Recorded deals as the columns of numbers that the compiled path reads, and what it makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.cards import make_card_mask
from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from lab.survey import buffers as played
from lab.survey import play_single as singly
from lab.survey.buffers import NO_CARD, IntArray, PlayedDeals
from lab.survey.chunk import DealPricer, TableDeals, list_further_cards
from lab.survey.encode_rules import DEALER, PlayRuleColumn
from lab.survey.play_rules import BLOCK
from lab.survey.pricing import Priced, all_roots, price_deals
from lab.survey.request import SURVEY_SEATS, Rules


def fits(deal: Deal) -> bool:
    """Whether a survey could have played it: four with 48 cards, nothing said and nothing amiss."""
    plain = not (deal.faults or deal.claims or deal.announced or deal.fragment or deal.gifts)
    looked = any(x.looked or x.out is None for x in deal.exchange)
    return plain and not looked and (len(deal.seats), deal.pack, len(deal.tricks)) == (4, 48, 11)


def turned(deal: Deal, pool: Pool) -> Deal:
    """The same deal with the dealer in the last seat, and another pool."""
    by = DEALER - deal.dealer
    hands = tuple(deal.hands[(seat - by) % SURVEY_SEATS] for seat in range(SURVEY_SEATS))
    seats = tuple(deal.seats[(seat - by) % SURVEY_SEATS] for seat in range(SURVEY_SEATS))
    exchange = tuple(Exchange((x.seat + by) % SURVEY_SEATS, x.out, x.taken) for x in deal.exchange)
    return replace(deal, dealer=DEALER, hands=hands, seats=seats, exchange=exchange, pools={"": pool})


def columns(deals: Sequence[Deal]) -> PlayedDeals:
    """Turned deals, one a column; the last block is filled with empty ones."""
    found = played.allocate_deals(-(-len(deals) // BLOCK) * BLOCK)
    for at, deal in enumerate(deals):
        found.hands[:, at] = np.array([make_card_mask(hand) for hand in deal.hands], np.uint64).astype(np.int64)
        found.talon[at] = np.array(make_card_mask(deal.talon), np.uint64).astype(np.int64)
        found.cards[:, at] = [card for row in deal.tricks for card in row]
        for x in deal.exchange:
            found.swaps[x.seat, at], found.swaps[SURVEY_SEATS + x.seat, at] = (
                x.out,
                NO_CARD if x.taken is None else x.taken,
            )
    for at in range(len(deals), found.taken.size):
        found.hands[:, at], found.cards[:, at] = found.hands[:, 0], found.cards[:, 0]
        found.talon[at], found.swaps[:, at] = found.talon[0], found.swaps[:, 0]
    return found


def again(given: PlayedDeals, row: Sequence[int]) -> PlayedDeals:
    """The columns, replayed by some rules."""
    other = played.allocate_deals(given.taken.size, len(list_further_cards(row)))
    into = (other.facts, other.taken, other.takers, other.told)
    singly.replay_single_deals(np.array(row, np.int64), given.hands, into, given.cards, given.swaps)
    return replace(given, facts=other.facts, taken=other.taken, takers=other.takers, told=other.told)


def priced(priser: DealPricer, these: Rules, pool: Pool, given: PlayedDeals) -> tuple[Priced, IntArray]:
    """What the compiled path makes of them, and the outcomes."""
    ruleset, row, of = priser.rules(these)
    desk, tariff = TableDeals(again(given, row), row), priser.tariff(pool, row[PlayRuleColumn.ELDEST])
    outcome, quinola = desk.outcome(row, of), row[PlayRuleColumn.QUINOLA]
    first = price_deals(ruleset, tariff, desk.deals, outcome, quinola, all_roots(tariff))
    return priser.with_further_cards(desk, these, (row, of), pool, first), outcome[0]
