"""The compiled path and the readable one, side by side: the same deals must come to the same, seat by seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.players.preferences import SURVEY_POLICIES
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from lab.survey import chunk as work
from lab.survey import reference as readable
from lab.survey.buffers import PlayedDeals
from lab.survey.pricing import PRICED_FORBIDDEN, PRICED_SETTLED, PRICED_SILENT
from lab.survey.request import EVENTS, SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from lab.survey.tally import Count, SurveyTally
from lab.survey.variants import SourceVariants, plan_survey_variants
from rulebook.model import Library
from tests.support.columns import columns, fits, priced, turned
from tests.support.deal_records import PATHS, record
from tests.support.settling import SIGLA, iter_played_alternatives

pytestmark = pytest.mark.usefixtures("compiled")
#: beginnings of the slugs of questions, from each of which some exchanged answers are taken
OF_PLAY = ("play.first-lead", "exchange", "play.quinola-alone", "play.trick-taker", "espagnolette.right", "play.follow")
OF_OUTCOME_ = ("espagnolette", "partie", "reversis.undertaken", "stake", "cards.points", "talon", "reversis.broken")
OF_MONEY = ("payments", "ace", "quinola", "reversis")


@pytest.fixture(scope="module")
def flips(library: Library) -> dict[str, tuple[Rules, ...]]:
    """What is priced beside each source."""
    return {variant.rules.source: some(library, variant) for variant in plan_survey_variants(library)}


def some(library: Library, one: SourceVariants) -> tuple[Rules, ...]:
    """All four sources whole, and two rulesets for each of the beginnings."""
    found = {Rules(other): None for other in library.sources}
    for start in (*OF_PLAY, *OF_OUTCOME_, *OF_MONEY):
        fitting = [
            other.rules
            for other in one.others
            if any(q.startswith(start) for stand in other.stands for q in stand.questions[:1])
        ]
        found |= dict.fromkeys(fitting[:2])
    return tuple(found)


def plain(tally: SurveyTally) -> SurveyTally:
    """Without the events, which the readable path cannot tell of cards as first dealt."""
    return SurveyTally(tuple(replace(count, events=(0,) * len(EVENTS)) for count in tally.tables))


@pytest.mark.release
@pytest.mark.parametrize("policy", SURVEY_POLICIES)
@pytest.mark.parametrize("siglum", SIGLA)
def test_both_paths_count_the_same(
    library: Library, flips: dict[str, tuple[Rules, ...]], siglum: str, policy: str
) -> None:
    others = flips[siglum]
    assert len(others) >= 20
    order = SurveyOrder(20, policy, 36, (SurveyTable(Rules(siglum), others),), 24)
    compiled = work.tally_piece(order, library, 0) + work.tally_piece(order, library, 1)
    deals = range(order.deals)

    def dealt(table: SurveyTable, number: int) -> Deal:
        return work.deal_of(order, library, table, number)

    expected = readable.tally_by_ledger(order, library, dealt, deals)
    for mine, theirs, rules in zip(compiled.tables[0].others, expected.tables[0].others, others, strict=True):
        assert mine == theirs, rules
    assert plain(compiled) == plain(expected)
    (count,) = compiled.tables
    assert count.settled == 36 and any(count.net) and count.others[others.index(Rules(siglum))].changed == 0
    assert sum(one.changed > 0 for one in count.others) > 5


@pytest.mark.slow
def test_pieces_of_any_size_come_to_the_same(library: Library) -> None:
    """The tables of what is known are made anew where trees grow that read more; single deals come first here."""
    table = SurveyTable(Rules("ACA"), (Rules("PAM"), Rules("PAR")))
    small = SurveyOrder(77, "random", 60, (table,), 1)
    fresh = work.DealPricer(library)
    singles = [one_of(fresh, library, table, small, range(n, n + 1)) for n in range(60)]
    whole = work.tally_piece(replace(small, size=60), library, 0).tables[0]
    assert sum(singles[1:], singles[0]) == whole


def one_of(priser: work.DealPricer, library: Library, table: SurveyTable, order: SurveyOrder, numbers: range) -> Count:
    before = work.get_deal_pricer(library)
    work._PRISERS[id(library)] = priser
    try:
        return work.count_deal_batch(order, table, library, numbers)
    finally:
        work._PRISERS[id(library)] = before


# ---- worked deals: all that random play never brings about
@cache
def recorded() -> tuple[Deal, ...]:
    """Every worked deal that a survey could have played."""
    read = (read_deal(record(path))[0] for path in PATHS)
    return tuple(deal for deal in read if deal is not None and fits(deal))


@cache
def worked(pool: Pool) -> list[Deal]:
    """The same, the dealer last, with this pool before them."""
    return [turned(deal, pool) for deal in recorded()]


@cache
def given() -> PlayedDeals:
    """The same as columns, as they were played; no pool stands there."""
    return columns([turned(deal, Pool(0)) for deal in recorded()])


def every(library: Library) -> Iterator[Rules]:
    yield from map(Rules, library.sources)
    yield from (Rules(clause.source, (one.id,)) for clause, one in iter_played_alternatives(library))


def became_of(found: Settled | Refused | Unanswered) -> int:
    return {Settled: PRICED_SETTLED, Refused: PRICED_FORBIDDEN, Unanswered: PRICED_SILENT}[type(found)]


@pytest.mark.release
@pytest.mark.parametrize("siglum", SIGLA)
def test_both_paths_settle_every_worked_deal_alike(library: Library, siglum: str) -> None:
    """Reversis and espagnolette in all their turns; here stand some 12,400 comparisons of a deal under a ruleset."""
    priser, compared, became = work.get_deal_pricer(library), 0, set()
    for these in (one for one in every(library) if one.source == siglum):
        ruleset, _, _ = priser.rules(these)
        pool = readable.compute_opening_pool(ruleset, ("south", "east", "north", "west"))
        deals = worked(pool)
        found, _ = priced(priser, these, pool, given())
        for at, deal in enumerate(deals):
            theirs = settle(deal, ruleset)
            assert found.became[at] == became_of(theirs), (deal.id, these)
            if isinstance(theirs, Settled):
                assert found.net[at].tolist() == [theirs.net[seat] for seat in range(SURVEY_SEATS)], (deal.id, these)
                assert -found.net[at].sum() == theirs.net[POOL_ACCOUNT]
            compared, became = compared + 1, became | {int(found.became[at])}
    assert compared > 300 and became >= {PRICED_SETTLED, PRICED_FORBIDDEN}
