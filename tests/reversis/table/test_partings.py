"""Where the books part in a trick: who pays, or whether, and in whose words."""

from __future__ import annotations

from engine.play.table import TOLERABLE
from engine.session.session import give_own_pool
from engine.settlement.settle import Settled, settle
from reversis.table.partings import describe_flows, find_trick_parting, list_flows, sum_card
from reversis.table.totals import settle_by_books
from rulebook.model import Library
from tests.support.settling import SIGLA, Rules
from tests.support.table_deals import break_off, play_deal

SEAT = 0


def test_camps_pay_differently_and_each_has_its_own_words(library: Library, rules: Rules) -> None:
    partings = []
    for seed in range(4):
        deal = play_deal(rules("PAM"), seed)
        for number in range(1, len(deal.tricks)):
            fragment = break_off(deal, number)
            books = settle_by_books([rules(siglum) for siglum in SIGLA], rules("PAM"), [fragment], SEAT)
            parting = find_trick_parting(library, books, SEAT)
            if parting is None:
                continue
            partings.append(parting)
            assert parting["trick"] == number and len(parting["camps"]) > 1
            says = {camp["says"] for camp in parting["camps"]}
            assert len(says) == len(parting["camps"])
            named = [source for camp in parting["camps"] for source in camp["sources"]]
            assert len(named) == len({*named})
            for camp in parting["camps"]:
                slip = camp["slip"]
                assert slip["title"] == camp["says"] and slip["source"] in ("", *camp["sources"])
                for source in camp["sources"]:
                    settled = settle(give_own_pool(fragment, rules(source)), rules(source), TOLERABLE)
                    assert isinstance(settled, Settled)
                    flows = [list_flows(settled, card, number) for card in fragment.tricks[-1]]
                    assert any(describe_flows(fragment, each, SEAT) == camp["says"] for each in flows)
                    wins = {sum_card(settled, card, number, SEAT) for card in fragment.tricks[-1]}
                    sums = [each for each in camp["sums"] if source in each["sources"]]
                    assert len(sums) <= 1 and {each["sum"] for each in sums} <= wins
    assert len(partings) > 3 and {parting["question"] for parting in partings} - {"Q224"}
    camps = [camp for parting in partings for camp in parting["camps"]]
    assert any(camp["slip"]["quote"] for camp in camps)
    yours = [camp for camp in camps if "you" in camp["says"].lower()]
    assert yours and all(camp["sums"] for camp in yours)
    assert any(len(camp["sums"]) > 1 for camp in yours), "books of one camp have sums of their own"


def test_books_that_pay_alike_do_not_part_whatever_their_amounts(library: Library, rules: Rules) -> None:
    alike = ("MEY", "PAM", "PIE")
    deal = play_deal(rules("PAM"), 0)
    for number in range(1, len(deal.tricks)):
        books = settle_by_books([rules(siglum) for siglum in alike], rules("PAM"), [break_off(deal, number)], SEAT)
        parting = find_trick_parting(library, books, SEAT)
        assert parting is None or len(parting["camps"]) > 1
    books = settle_by_books([rules("PAM")], rules("PAM"), [break_off(deal, 5)], SEAT)
    assert find_trick_parting(library, books, SEAT) is None


def test_a_deal_that_is_over_has_no_parting(library: Library, rules: Rules) -> None:
    books = settle_by_books([rules(siglum) for siglum in SIGLA], rules("PAM"), [play_deal(rules("PAM"), 0)], SEAT)
    assert find_trick_parting(library, books, SEAT) is None


def test_who_pays_is_said_without_amounts(rules: Rules) -> None:
    deal = play_deal(rules("PAM"), 0)
    assert describe_flows(deal, frozenset(), SEAT) == "Nobody pays."
    assert describe_flows(deal, frozenset({(0, 1), (0, "pool")}), SEAT) == "You pay East and the pool."
    assert describe_flows(deal, frozenset({(2, 0)}), SEAT) == "North pays you."
