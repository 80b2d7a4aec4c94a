"""One piece of a survey, and any single deal of it as a record.

A table's deals are played once, by its own rules. Under each other ruleset the same cards are replayed, unless it says
the same of dealing and playing; the outcome is gone through anew only where it says something else of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.cards import cards_of, format_card
from engine.deal.model import Deal, Exchange, Gift
from engine.deal.pool import Pool
from engine.generation.turn import SEAT_NAMES
from engine.players import preferences as policies
from engine.readings.ask import read_for_card
from lab.survey import buffers as played
from lab.survey import play_rules as lockstep
from lab.survey import play_single as singly
from lab.survey import reference as readable
from lab.survey.buffers import NO_CARD, IntArray, PlayedDeals
from lab.survey.counting import compare_deal_nets, sum_deal_nets
from lab.survey.encode_rules import DEALER, PACK_SIZE, PlayRuleColumn, build_play_rules_array
from lab.survey.outcomes import encode, layout, single
from lab.survey.pricing import (
    PRICED_SETTLED,
    PRICED_SILENT,
    FactTables,
    Priced,
    Roots,
    add_prices,
    all_roots,
    find_affected_roots,
    further_roots,
    goes_by_points,
    make_fact_tables,
    price_deals,
)
from lab.survey.request import (
    ACCOUNTS,
    EVENTS,
    SURVEY_SEATS,
    UNSETTLED_NET,
    Rules,
    SurveyOrder,
    SurveyTable,
)
from lab.survey.tally import MOVED_STEPS, Count, SurveyTally, Versus
from lab.survey.tariff import AnswerCodes, Tariff
from rulebook.model import Library, Ruleset

Nets: TypeAlias = npt.NDArray[np.int32]  #: [deals of the piece, tables, ACCOUNTS]
AT_HAND = 1 << 14  #: deals that fit into a processor's own memory with all that is worked out of them


# ---- the play
def play_piece_deals(order: SurveyOrder, row: IntArray, numbers: range) -> PlayedDeals:
    """Play deals by a policy of the survey's own, and a few more to fill the last block."""
    size = -(-len(numbers) // lockstep.BLOCK) * lockstep.BLOCK
    deals = played.allocate_deals(size, len(list_further_cards(row)), bool(row[PlayRuleColumn.ACROSS]))
    into = (deals.facts, deals.taken, deals.takers, deals.talon, deals.told, deals.hands)
    if order.policy == policies.RANDOM:
        lockstep.play_random_deals(row, order.seed, numbers.start, into, deals.cards, deals.swaps)
    elif order.policy != policies.CAUTIOUS:
        raise ValueError(f"nobody was named who plays {order.policy}")
    else:
        preferences = np.array(policies.build_preference_table(), np.int64)
        singly.play_deals_by_preference(row, preferences, order.seed, numbers.start, into, deals.cards, deals.swaps)
    return deals


def list_further_cards(row: Sequence[int] | IntArray) -> tuple[int, ...]:
    """List the privileged cards besides the quinola, in the order of their rows of facts."""
    return tuple(cards_of(int(row[PlayRuleColumn.FURTHER])))


def replay_piece_deals(deals: PlayedDeals, row: IntArray) -> PlayedDeals:
    """Replay the same deals, card by card, under other rules of play."""
    other = played.allocate_deals(deals.taken.size, len(list_further_cards(row)))
    singly.replay_single_deals(
        row, deals.hands, (other.facts, other.taken, other.takers, other.told), deals.cards, deals.swaps
    )
    return PlayedDeals(
        other.facts, other.taken, other.takers, deals.talon, other.told, deals.hands, deals.cards, deals.swaps
    )


# ---- the price
@dataclass
class TableDeals:
    """A table's deals, and a cache of all that has been computed from them."""

    deals: PlayedDeals
    row: tuple[int, ...]
    replayed: dict[tuple[int, ...], PlayedDeals] = field(default_factory=dict)
    decided: dict[tuple[tuple[int, ...], tuple[int, ...], int], tuple[IntArray, IntArray]] = field(default_factory=dict)
    owned: dict[tuple[tuple[int, ...], tuple[int, ...]], Priced] = field(default_factory=dict)
    #: what some rules of payment alone come to under the table's own
    parts: dict[tuple[Roots, tuple[int, ...], tuple[int, ...]], Priced] = field(default_factory=dict)

    def under(self, row: tuple[int, ...]) -> PlayedDeals:
        """The deals as these rules of play have them."""
        if row == self.row:
            return self.deals
        if row not in self.replayed:
            self.replayed[row] = replay_piece_deals(self.deals, np.array(row, np.int64))
        return self.replayed[row]

    def outcome(self, row: tuple[int, ...], of: tuple[int, ...], card: int = 0) -> tuple[IntArray, IntArray]:
        """Outcomes and points: `row` says what rules of play, `of` what rules of the outcome.

        Of several privileged cards the outcome is that for one of them: 0 for the quinola, 1 for the next.
        """
        if (row, of, card) not in self.decided:
            p = self.about(row, card)
            fields, points = np.zeros((p.taken.size, 13), np.int64), np.zeros((p.taken.size, SURVEY_SEATS), np.int64)
            single.compute_outcomes(
                np.array(of, np.int64), (p.facts, p.taken, p.takers, p.talon, p.told), fields, points
            )
            self.decided[row, of, card] = fields, points
        return self.decided[row, of, card]

    def about(self, row: tuple[int, ...], card: int) -> PlayedDeals:
        """The deals as these rules of play have them, as if one of several privileged cards were the quinola."""
        deals, first = self.under(row), played.SPECIAL_CARDS - 1
        return replace(deals, facts=deals.facts[[*range(first), first + card]]) if card else deals


@dataclass
class DealPricer:
    """Prices deals under rulesets; keeps the tariffs, by the pool before the deal and the first leader."""

    library: Library
    answers: AnswerCodes = field(init=False)
    tariffs: dict[tuple[Pool, int], Tariff] = field(default_factory=dict)
    #: how far trees had grown
    known: dict[tuple[Rules, Pool], tuple[int, FactTables | None]] = field(default_factory=dict)
    coded: dict[tuple[Rules, Pool], tuple[Ruleset, tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)
    bound: dict[Rules, tuple[Ruleset, Pool]] = field(default_factory=dict)
    #: the rules as they read for a further privileged card
    read: dict[tuple[Rules, int], Ruleset] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.answers = AnswerCodes(self.library)

    def bind(self, these: Rules) -> tuple[Ruleset, Pool]:
        """A ruleset, and the pool for which its first deal is played."""
        if these not in self.bound:
            ruleset = readable.resolve_table_rules(self.library, these)
            self.bound[these] = ruleset, readable.compute_opening_pool(ruleset, SEAT_NAMES[SURVEY_SEATS])
        return self.bound[these]

    def rules(self, these: Rules, pool: Pool | None = None) -> tuple[Ruleset, tuple[int, ...], tuple[int, ...]]:
        """A ruleset, and what it says of play, with this pool or its own, and of outcome in numbers."""
        ruleset, opening = self.bind(these)
        known = these, opening if pool is None else pool
        if known not in self.coded:
            rows = build_play_rules_array(ruleset, known[1]), encode.encode_outcome_rules(ruleset)
            self.coded[known] = (ruleset, *(tuple(map(int, row)) for row in rows))  # type: ignore[assignment]
        return self.coded[known]

    def tariff(self, pool: Pool, eldest: int) -> Tariff:
        """The trees that hold for this pool and this first leader."""
        return self.tariffs.setdefault((pool, eldest), Tariff(self.answers, pool, eldest))

    def own(self, desk: TableDeals, these: Rules, pool: Pool) -> Priced:
        """A table's deals under its own rules."""
        _, row, of = self.rules(these, pool)
        return self.as_own(desk, these, (row, of), pool)

    def tables(self, these: Rules, pool: Pool) -> FactTables | None:
        """Tables for a table's own rules, as long as they tell apart all that the trees are known to read."""
        ruleset, row, _ = self.rules(these, pool)
        tariff = self.tariff(pool, row[PlayRuleColumn.ELDEST])
        grown, fact_tables = self.known.get((these, pool), (-1, None))
        if grown != tariff.grown:
            if not fact_tables or goes_by_points(tariff, ruleset) != fact_tables.by_points:
                fact_tables = make_fact_tables(tariff, ruleset)
            self.known[these, pool] = tariff.grown, fact_tables
        return fact_tables

    def other(self, desk: TableDeals, base: Rules, these: Rules, pool: Pool) -> Priced:
        """The same deals under another ruleset: only the payment rules that may differ are applied again."""
        own, own_row, _ = self.rules(base, pool)
        ruleset, row, of = self.rules(these, pool)
        if own_row[PlayRuleColumn.ACROSS] and "exchange.across" not in ruleset.rulings:
            size = desk.deals.taken.size  # the cards that were given raise what these rules say nothing of
            return Priced(np.zeros((size, SURVEY_SEATS), np.int64), np.full(size, PRICED_SILENT))
        tariff, quinola = self.tariff(pool, row[PlayRuleColumn.ELDEST]), row[PlayRuleColumn.QUINOLA]
        under, outcome = desk.under(row), desk.outcome(row, of)
        if list_further_cards(row) or list_further_cards(own_row):
            first = price_deals(ruleset, tariff, under, outcome, quinola, all_roots(tariff))
            return self.with_further_cards(desk, these, (row, of), pool, first)
        if (row[PlayRuleColumn.ELDEST], quinola) != (own_row[PlayRuleColumn.ELDEST], own_row[PlayRuleColumn.QUINOLA]):
            return price_deals(ruleset, tariff, under, outcome, quinola, all_roots(tariff))
        mine = self.as_own(desk, base, (row, of), pool)
        roots = find_affected_roots(tariff, own, ruleset)
        if bool((mine.became == PRICED_SILENT).any()):
            return price_deals(ruleset, tariff, under, outcome, quinola, all_roots(tariff))
        if (roots, row, of) not in desk.parts:
            desk.parts[roots, row, of] = price_deals(own, tariff, under, outcome, quinola, roots)
        part = price_deals(ruleset, tariff, under, outcome, quinola, roots)
        return Priced(mine.net - desk.parts[roots, row, of].net + part.net, part.became)

    def as_own(
        self, desk: TableDeals, base: Rules, rows: tuple[tuple[int, ...], tuple[int, ...]], pool: Pool
    ) -> Priced:
        """Price the play and outcome of other rules by the table's own rules of payment."""
        if rows not in desk.owned:
            own, _ = self.bind(base)
            row, of = rows
            tariff = self.tariff(pool, row[PlayRuleColumn.ELDEST])
            tables, roots, outcome = self.tables(base, pool), all_roots(tariff), desk.outcome(row, of)
            priced = price_deals(own, tariff, desk.under(row), outcome, row[PlayRuleColumn.QUINOLA], roots, tables)
            desk.owned[rows] = self.with_further_cards(desk, base, rows, pool, priced)
        return desk.owned[rows]

    def with_further_cards(
        self, desk: TableDeals, these: Rules, rows: tuple[tuple[int, ...], tuple[int, ...]], pool: Pool, first: Priced
    ) -> Priced:
        """Add to the price for the first card what every further one brings: the same rules, with its sums and pool."""
        (row, of), total = rows, first
        for at, card in enumerate(list_further_cards(row), 1):
            own_pool = pool.of(format_card(card))
            tariff = self.tariff(own_pool, row[PlayRuleColumn.ELDEST])
            deals, outcome, roots = desk.about(row, at), desk.outcome(row, of, at), further_roots(tariff)
            total = add_prices(total, price_deals(self.for_card(these, card), tariff, deals, outcome, card, roots))
        return total

    def for_card(self, these: Rules, card: int) -> Ruleset:
        """The rules as they read for a further privileged card."""
        if (these, card) not in self.read:
            self.read[these, card] = read_for_card(self.bind(these)[0], format_card(card))
        return self.read[these, card]


_PRISERS: dict[int, DealPricer] = {}


def get_deal_pricer(library: Library) -> DealPricer:
    """Get this process's pricer of a library: what it has learnt holds for every piece."""
    return _PRISERS.setdefault(id(library), DealPricer(library))


# ---- the count
def play_table_deals(order: SurveyOrder, library: Library, rules: Rules, numbers: range) -> TableDeals:
    """Play deals at a table of these rules: by whoever the order names, or by a policy of the survey's own."""
    _, row, _ = get_deal_pricer(library).rules(rules)
    if order.play is not None:
        return TableDeals(order.play(order, library, rules, numbers), row)
    return TableDeals(play_piece_deals(order, np.array(row, np.int64), numbers), row)


def tally_piece(order: SurveyOrder, library: Library, chunk: int) -> SurveyTally:
    """Tally one piece, which depends only on the order, the sources and its number."""
    return SurveyTally(tuple(count_table_deals(order, table, library, order.numbers(chunk)) for table in order.tables))


def count_table_deals(order: SurveyOrder, table: SurveyTable, library: Library, numbers: range) -> Count:
    """Count deals at one table, in batches that fit into the processor's cache."""
    parts = (numbers[at : at + AT_HAND] for at in range(0, len(numbers), AT_HAND))
    return reduce(add, (count_deal_batch(order, table, library, part) for part in parts))


def count_deal_batch(order: SurveyOrder, table: SurveyTable, library: Library, numbers: range) -> Count:
    """Count one batch of deals at one table."""
    prices = get_deal_pricer(library)
    (_, row, of), (_, pool) = prices.rules(table.rules), prices.bind(table.rules)
    desk = play_table_deals(order, library, table.rules, numbers)
    first, n = prices.own(desk, table.rules, pool), len(numbers)
    others = tuple(
        compare_priced_deals(first, prices.other(desk, table.rules, other, pool), numbers) for other in table.others
    )
    settled, net, squares = sum_deal_nets(first.net, first.became, n)
    events = tuple(count_survey_events(desk, row, of, n))
    return Count(n, int(settled), tuple(map(int, net)), tuple(map(int, squares)), events, others)


def compare_priced_deals(own: Priced, other: Priced, numbers: range) -> Versus:
    """Compare the same deals under two rulesets."""
    steps = np.zeros(len(MOVED_STEPS), np.int64)
    sums = compare_deal_nets(own.net, other.net, own.became, other.became, len(numbers), MOVED_STEPS, steps)
    settled, forbidden, silent, changed, moved, squares, worst, at = map(int, sums)
    where = numbers.start + at if worst else -1
    return Versus(settled, forbidden, silent, changed, moved, squares, worst, where, tuple(map(int, steps)))


def count_survey_events(desk: TableDeals, row: tuple[int, ...], of: tuple[int, ...], n: int) -> Iterator[int]:
    """Count how often each of EVENTS came about."""
    deals, hero = desk.deals, desk.outcome(row, of)[0][:n, layout.HERO]
    flags, facts, talon, takers = deals.told[:n], deals.facts[:, :n], deals.talon[:n], deals.takers[:n]
    manner = facts >> played.MANNER & 3
    seen = {
        "four-aces": flags >> played.FOUR_ACES & 1,
        "three-aces-and-quinola": flags >> played.THREE_AND_QUINOLA & 1,
        "quinola-turned": flags >> played.QUINOLA_TURNED & 1,
        "quinola-aside": talon >> row[PlayRuleColumn.QUINOLA] & 1,
        "quinola-thrown-off": manner[4] == played.THROWN_OFF,
        "quinola-followed": manner[4] == played.FOLLOWED,
        "quinola-led": manner[4] == played.LED,
        "aces-thrown-off": manner[:4] == played.THROWN_OFF,
        "privileged": (flags >> played.HOLDER & 7) > 0,
        "renounced": flags >> played.RENOUNCED & 1,
        "reversis-undertaken": (hero > 0) & (hero <= SURVEY_SEATS),
        "reversis-made": takers == (takers & 3) * sum(1 << 2 * trick for trick in range(11)),  # by one
        "exchanges": deals.swaps[SURVEY_SEATS : 2 * SURVEY_SEATS, :n] != NO_CARD,
    }
    return (int(np.asarray(seen[name]).sum()) for name in EVENTS)


def compute_piece_nets(order: SurveyOrder, library: Library, chunk: int) -> Nets:
    """Compute each account's net, deal by deal and table by table, under the table's own rules.

    The deals of the piece in their order, `order.tables` in theirs; the eldest first, the dealer, then the pool. A deal
    on which the table's own rules are silent has UNSETTLED_NET in all five places.
    """
    numbers, prices = order.numbers(chunk), get_deal_pricer(library)
    nets = np.full((len(numbers), len(order.tables), ACCOUNTS), UNSETTLED_NET, np.int32)
    for at, table in enumerate(order.tables):
        desk = play_table_deals(order, library, table.rules, numbers)
        priced = prices.own(desk, table.rules, prices.bind(table.rules)[1])
        settled = np.flatnonzero(priced.became[: len(numbers)] == PRICED_SETTLED)
        nets[settled, at, :SURVEY_SEATS] = priced.net[settled]
        nets[settled, at, SURVEY_SEATS] = -priced.net[settled].sum(axis=1)
    return nets


# ---- a single deal
def deal_of(order: SurveyOrder, library: Library, table: SurveyTable, number: int) -> Deal:
    """The deal of that number as it was dealt, exchanged and played at that table."""
    return next(iter(deals_of(order, library, table, range(number, number + 1))))


def deals_of(order: SurveyOrder, library: Library, table: SurveyTable, numbers: range) -> Iterable[Deal]:
    """Deals as records, with the opening pool of the table."""
    _, pool = get_deal_pricer(library).bind(table.rules)
    deals = play_table_deals(order, library, table.rules, numbers).deals
    return (build_survey_deal(f"survey-{order.seed}-{number}", deals, at, pool) for at, number in enumerate(numbers))


def build_survey_deal(name: str, deals: PlayedDeals, at: int, pool: Pool) -> Deal:
    """Build the record of one of the deals."""
    cards = [int(c) for c in deals.cards[:, at]]
    return Deal(
        name,
        PACK_SIZE,
        SEAT_NAMES[SURVEY_SEATS],
        DEALER,
        tuple(frozenset(cards_of(int(hand))) for hand in deals.hands[:, at]),
        tuple(cards_of(int(deals.talon[at]))),
        tuple(tuple(cards[4 * trick : 4 * trick + 4]) for trick in range(11)),
        provenance="generated",
        pools={"": pool},
        exchange=tuple(list_deal_exchanges([int(c) for c in deals.swaps[:, at]])),
        gifts=tuple(
            Gift(seat, int(card), (seat + 2) % SURVEY_SEATS)
            for seat, card in enumerate(deals.swaps[2 * SURVEY_SEATS :, at])
        ),
    )


def list_deal_exchanges(swaps: list[int]) -> Iterator[Exchange]:
    """Yield who discarded and took which card, in order; the dealer is last and takes nothing."""
    for seat in range(SURVEY_SEATS):
        out, taken = swaps[seat], swaps[SURVEY_SEATS + seat]
        if out != NO_CARD:
            yield Exchange(seat, out, None if taken == NO_CARD else taken)
