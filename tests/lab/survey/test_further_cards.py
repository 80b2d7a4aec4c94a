"""What a survey makes of several quinolas, of rules that hang on the stake, and of cards given across the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cards import make_card_mask, parse_card_name
from engine.deal.model import Deal, Exchange, Gift
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.players.preferences import SURVEY_POLICIES
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from lab.survey import chunk as work
from lab.survey import play_rules as lockstep
from lab.survey import play_single as singly
from lab.survey.encode_rules import HEARTS_MASK, encode_play_rules
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.pricing import PRICED_FORBIDDEN, PRICED_SETTLED, PRICED_SILENT, Priced
from lab.survey.request import SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from rulebook.model import Library
from tests.support.columns import columns, fits, turned
from tests.support.deal_records import PATHS, record
from tests.support.deals import lay_deal
from tests.support.settling import Rules as Bind

JH, QH = (parse_card_name(one) for one in ("JH", "QH"))
LITTLE = (
    "quinola.others=[{card: QH, name: little quinola, thrown-off: 3, forced: 7, others-pay: 1, first-each: 3, "
    "first-dealer: 4, limit-from: 12, limit: 9}]"
)
LIMITS = ("stake.limit-from=20", "stake.limit=15")
UP_TO = (
    "quinola.thrown-off.stake=draws-up-to-limit",
    *(f"quinola.{how}.stake=matches-up-to-limit" for how in ("forced", "led")),
    "reversis.stake-pools=stake-up-to-limit",
)
HANDS = "espagnolette.hands=[{aces: 4, quinola: false}, {aces: 3, quinola: true}, {aces: 2, cards: [JH, QH]}]"
TAKES = "play.trick-taker=thrown-quinola-takes"
FROM_LIMIT, BELOW = "exchange.hearts=quinola-from-limit", "exchange.duty=compulsory-below-limit"
ACROSS, NOBODY = "exchange.across=opposite", "exchange.across=nobody"
#: Nearly all that a survey of several quinolas may meet.
GREAT_AND_LITTLE = (LITTLE, *LIMITS, *UP_TO, HANDS, FROM_LIMIT, BELOW, ACROSS)
STATES = {Settled: PRICED_SETTLED, Refused: PRICED_FORBIDDEN, Unanswered: PRICED_SILENT}


# ---- the row of numbers
SIXTY = Pool(60)


def row(rules: Bind, *wishes: str, pool: Pool = SIXTY) -> tuple[int, ...]:
    return encode_play_rules(rules("PAM", *wishes), pool)


def test_a_quinola_that_is_no_heart_may_be_laid_away(rules: Bind) -> None:
    club = row(rules, "quinola.others=[{card: JC, name: little}]", *LIMITS, FROM_LIMIT, pool=Pool(0))
    assert club[Column.BARRED] == 1 << JH == club[Column.BARRED] & HEARTS_MASK


def test_every_quinola_takes_when_thrown_where_one_does(rules: Bind) -> None:
    taking, not_taking = (np.array(row(rules, LITTLE, *wishes)) for wishes in ((TAKES,), ()))
    assert lockstep.list_trumps(taking) == 1 << JH | 1 << QH and lockstep.list_trumps(not_taking) == 0
    assert lockstep.list_trumps(np.array(row(rules, TAKES))) == 1 << JH
    assert lockstep.list_trumps(np.array(row(rules, TAKES, "quinola.card=2S"))) == 1 << parse_card_name("2S")


# ---- deal by deal
def opening(library: Library, these: Rules) -> Pool:
    return work.get_deal_pricer(library).bind(these)[1]


def agree(deals: list[Deal], priced: Priced, library: Library, these: Rules) -> set[int]:
    """The states of the deals, after both paths have been found to agree on each."""
    ruleset = work.get_deal_pricer(library).bind(these)[0]
    for at, deal in enumerate(deals):
        found = settle(deal, ruleset)
        assert priced.became[at] == STATES[type(found)], (deal.id, these)
        if isinstance(found, Settled):
            assert priced.net[at].tolist() == [found.net[seat] for seat in range(SURVEY_SEATS)], (deal.id, these)
            assert -priced.net[at].sum() == found.net["pool"]
    return {int(one) for one in priced.became[: len(deals)]}


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("policy", SURVEY_POLICIES)
@pytest.mark.parametrize("wishes", [(LITTLE, TAKES), GREAT_AND_LITTLE], ids=["little", "great and little"])
def test_both_paths_agree_on_several_quinolas(library: Library, wishes: tuple[str, ...], policy: str) -> None:
    own, number = Rules("PAM", wishes), 60
    order, prices = SurveyOrder(7, policy, number, (SurveyTable(own),)), work.get_deal_pricer(library)
    _, numbers, _ = prices.rules(own)
    desk = work.TableDeals(work.play_piece_deals(order, np.array(numbers), range(number)), numbers)
    pool = opening(library, own)
    deals = list(work.deals_of(order, library, order.tables[0], range(number)))
    assert agree(deals, prices.own(desk, own, pool), library, own) == {PRICED_SETTLED}
    seen: set[int] = set()
    others = ((), (LITTLE,), (LITTLE, NOBODY), (LITTLE, *LIMITS, *UP_TO, ACROSS))
    for other in (*(Rules("PAM", one) for one in others), Rules("ACA")):
        seen |= agree(deals, prices.other(desk, own, other, pool), library, other)
    assert seen >= {PRICED_SETTLED, PRICED_FORBIDDEN} and (PRICED_SILENT in seen) is (ACROSS in wishes)
    cards = {card for deal in deals for trick in deal.tricks for card in trick}
    assert {JH, QH} <= cards


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_a_table_with_one_quinola_is_settled_by_rules_with_two(library: Library) -> None:
    own, number = Rules("PAM"), 60
    order, prices = SurveyOrder(8, "random", number, (SurveyTable(own),)), work.get_deal_pricer(library)
    _, numbers, _ = prices.rules(own)
    desk = work.TableDeals(work.play_piece_deals(order, np.array(numbers), range(number)), numbers)
    deals, pool = list(work.deals_of(order, library, order.tables[0], range(number))), opening(library, own)
    for other in (Rules("PAM", (LITTLE,)), Rules("PAM", (LITTLE, TAKES)), Rules("PAM", (LITTLE, HANDS, ACROSS))):
        assert PRICED_SETTLED in agree(deals, prices.other(desk, own, other, pool), library, other)


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("more", [(), (*LIMITS, *UP_TO), (HANDS, "reversis.stake=draws", "reversis.stake-pools=stake")])
def test_worked_deals_with_reversis_and_espagnolette_are_settled_alike(library: Library, more: tuple[str, ...]) -> None:
    these = Rules("PAM", (LITTLE, *more))
    read = [read_deal(record(path))[0] for path in PATHS]
    pool = opening(library, these)
    deals = [turned(deal, pool) for deal in read if deal is not None and fits(deal)]
    given = columns([replace(deal, pools={}) for deal in deals])
    priced = work.get_deal_pricer(library).own(work.TableDeals(given, ()), these, pool)
    assert agree(deals, priced, library, these) >= {PRICED_SETTLED, PRICED_FORBIDDEN}


# ---- the exchange
def exchanged(library: Library, policy: str, *wishes: str, number: int = 40) -> list[Deal]:
    own = Rules("PAM", wishes)
    order = SurveyOrder(3, policy, number, (SurveyTable(own),))
    return list(work.deals_of(order, library, order.tables[0], range(number)))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_everybody_exchanges_who_has_to(library: Library) -> None:
    free, must = (exchanged(library, "random", f"exchange.duty={word}") for word in ("free", "compulsory"))
    assert {len(deal.exchange) for deal in must} == {4} and {len(deal.exchange) for deal in free} >= {1, 2, 3}


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("policy", SURVEY_POLICIES)
def test_no_quinola_is_laid_away_below_its_limit(library: Library, policy: str) -> None:
    allowed = ("stake.limit-from=1", "stake.limit=1", FROM_LIMIT, "quinola.others=[{card: QH, name: l, first-each: 1}]")
    barred = ("stake.limit-from=999", *allowed[1:])
    out = [
        {x.out for deal in exchanged(library, policy, *one, number=150) for x in deal.exchange}
        for one in (allowed, barred)
    ]
    assert not out[1] & {JH, QH} and (policy == "cautious" or {JH, QH} <= out[0])


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("policy", SURVEY_POLICIES)
def test_those_who_sit_opposite_give_each_other_a_card(library: Library, policy: str) -> None:
    for deal in exchanged(library, policy, ACROSS):
        assert [(gift.seat, gift.to) for gift in deal.gifts] == [(0, 2), (1, 3), (2, 0), (3, 1)]
        assert all(gift.card in deal.hands[gift.to] for gift in deal.gifts)
        assert read_deal_again(deal) == deal
    assert not any(deal.gifts for deal in exchanged(library, policy))


def read_deal_again(deal: Deal) -> Deal | None:
    return read_deal(write_deal(deal))[0]


def test_a_card_laid_away_is_judged_by_the_hand_before_cards_were_given(rules: Bind) -> None:
    """South had only the king of hearts among hearts; a lower heart came to the hand from north."""
    deal = lone_king()
    rows = {wish: np.array(row(rules, "exchange.hearts=forbidden", EXCEPTION, wish)) for wish in (ACROSS, NOBODY)}
    assert is_legal(rows[ACROSS], deal, deal.gifts) and not is_legal(rows[NOBODY], deal, deal.gifts)
    assert not is_legal(rows[ACROSS], deal, ())
    assert is_legal(rows[NOBODY], replace(deal, exchange=()), ())


EXCEPTION = "exchange.heart-exception=[lone-king-or-queen]"


def lone_king() -> Deal:
    spades = ("AS", "KS", "QS", "JS", "9S", "8S", "7S", "6S", "5S", "4S")
    deal = lay_deal(hands={"south": f"{' '.join(spades)} 2H", "north": "3S"}, talon="KH")
    three, two = parse_card_name("3S"), parse_card_name("2H")
    gifts = (Gift(0, three, 2), Gift(2, two, 0), Gift(1, min(deal.hands[3]), 3), Gift(3, min(deal.hands[1]), 1))
    return replace(deal, gifts=gifts, exchange=(Exchange(0, parse_card_name("KH"), parse_card_name("4S")),))


def is_legal(numbers: np.ndarray[tuple[int], np.dtype[np.int64]], deal: Deal, gifts: tuple[Gift, ...]) -> bool:
    swaps = np.full((12 if gifts else 8, 1), 255, np.uint8)
    for x in deal.exchange:
        swaps[x.seat, 0], swaps[4 + x.seat, 0] = x.out, x.taken
    for gift in gifts:
        swaps[8 + gift.seat, 0] = gift.card
    hands = np.array([[make_card_mask(hand)] for hand in deal.hands], np.uint64).astype(np.int64)
    return bool(singly.is_exchange_legal(numbers, hands, 0, swaps))
