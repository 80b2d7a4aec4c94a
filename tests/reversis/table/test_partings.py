"""Where the books part in a trick: who pays, or whether, and in whose words."""

from __future__ import annotations

import re

from engine.cards import parse_card_name, rank_of
from engine.play.table import ACE_RANK, TOLERABLE
from engine.session.session import give_own_pool
from engine.settlement.settle import Settled, settle
from reversis.table.partings import (
    PARTIE_WINNER,
    describe_flows,
    find_camps,
    find_stand,
    find_trick_parting,
    list_flows,
    list_table_entries,
    sum_card,
)
from reversis.table.totals import settle_by_books
from rulebook.model import Library
from tests.support.settling import SIGLA, Rules
from tests.support.table_deals import break_off, play_deal

SEAT = 0
QUEEN_OF_HEARTS = parse_card_name("QH")


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
            ways = {(camp["says"], camp["slip"]["question"]) for camp in parting["camps"]}
            assert len(ways) == len(parting["camps"]) and len({says for says, _ in ways}) > 1
            named = [source for camp in parting["camps"] for source in camp["sources"]]
            assert sorted([*named, *(other["source"] for other in parting["others"])]) == sorted(SIGLA)
            assert all(other["words"].endswith(".") for other in parting["others"])
            for camp in parting["camps"]:
                slip = camp["slip"]
                assert slip["title"] == camp["says"] and slip["source"] in ("", *camp["sources"])
                for source in camp["sources"]:
                    settled = settle(give_own_pool(fragment, rules(source)), rules(source), TOLERABLE)
                    assert isinstance(settled, Settled)
                    about = [list_table_entries(settled, card, number) for card in fragment.tricks[-1]]
                    flows = [list_flows(settled, entries) for entries in about]
                    assert any(describe_flows(fragment, each, SEAT) == camp["says"] for each in flows)
                    wins = {sum_card(settled, card, number, SEAT) for card in fragment.tricks[-1]}
                    sums = [each for each in camp["sums"] if source in each["sources"]]
                    assert len(sums) <= 1 and {each["sum"] for each in sums} <= wins
    assert len(partings) > 3 and {question for parting in partings for question in parting["questions"]} - {"Q224"}
    camps = [camp for parting in partings for camp in parting["camps"]]
    assert any(camp["slip"]["quote"] for camp in camps)
    yours = [camp for camp in camps if re.search(r"\b[Yy]ou\b(?! owe)", camp["says"])]
    assert yours and all(camp["sums"] for camp in yours)
    assert any(len(camp["sums"]) > 1 for camp in yours), "books of one camp have sums of their own"


def test_a_book_that_pays_nothing_is_quoted_for_its_own_reason(library: Library, rules: Rules) -> None:
    """Of two that pay nothing for a forced ace one may call it free, the other not forced."""
    reasons = set[frozenset[str]]()
    for seed in range(6):
        deal = play_deal(rules("PAM"), seed)
        for number, row in enumerate(deal.tricks[:-1], 1):
            books = settle_by_books([rules(siglum) for siglum in SIGLA], rules("PAM"), [break_off(deal, number)], SEAT)
            for card in row:
                stands = [stand for book in books if book.settled and (stand := find_stand(book, card, SEAT))]
                unpaid = [camp for camp in find_camps(library, stands, card) if not camp.flows]
                for camp in unpaid:
                    bars = [{entry.by for entry in stand.entries if entry.by} for stand in camp.stands]
                    assert all(camp.question in bar for bar in bars if bar)
                reasons.add(frozenset(camp.question for camp in unpaid))
    assert {"ace.forced.when", "ace.forced.payee"} in reasons


def test_books_that_pay_alike_do_not_part_whatever_their_amounts(library: Library, rules: Rules) -> None:
    alike = ("MEY", "PAM", "PIE")
    deal = play_deal(rules("PAM"), 0)
    for number in range(1, len(deal.tricks)):
        books = settle_by_books([rules(siglum) for siglum in alike], rules("PAM"), [break_off(deal, number)], SEAT)
        parting = find_trick_parting(library, books, SEAT)
        assert parting is None or len(parting["camps"]) > 1
    books = settle_by_books([rules("PAM")], rules("PAM"), [break_off(deal, 5)], SEAT)
    assert find_trick_parting(library, books, SEAT) is None


def test_what_a_led_card_is_owed_parts_the_books_though_nobody_has_won_yet(library: Library, rules: Rules) -> None:
    deal = play_deal(rules("PAM"), 9)
    led = next(number for number, row in enumerate(deal.tricks, 1) if rank_of(row[0]) == ACE_RANK)
    books = settle_by_books([rules(siglum) for siglum in SIGLA], rules("PAM"), [break_off(deal, led)], SEAT)
    parting = find_trick_parting(library, books, SEAT)
    assert parting and any("the winner of the partie" in camp["says"] for camp in parting["camps"])
    assert any(camp["says"] == "Nobody pays." for camp in parting["camps"])


def test_a_card_without_the_quinolas_rights_is_never_told_by_rules_of_the_quinola(
    library: Library, rules: Rules
) -> None:
    """The queen of hearts is a second quinola in one book alone: that is where they part, not by what it costs."""
    told = 0
    for seed in range(6):
        deal = play_deal(rules("PAM"), seed)
        number = next(number for number, row in enumerate(deal.tricks, 1) if QUEEN_OF_HEARTS in row)
        books = settle_by_books([rules(siglum) for siglum in SIGLA], rules("PAM"), [break_off(deal, number)], SEAT)
        stands = [stand for book in books if book.settled and (stand := find_stand(book, QUEEN_OF_HEARTS, SEAT))]
        camps = find_camps(library, stands, QUEEN_OF_HEARTS) if number < len(deal.tricks) else []
        for camp in camps if len(camps) > 1 else ():
            told += 1
            assert camp.question == "quinola.others"
    assert told > 2


def test_a_deal_that_is_over_has_no_parting(library: Library, rules: Rules) -> None:
    books = settle_by_books([rules(siglum) for siglum in SIGLA], rules("PAM"), [play_deal(rules("PAM"), 0)], SEAT)
    assert find_trick_parting(library, books, SEAT) is None


def test_who_pays_is_said_without_amounts(rules: Rules) -> None:
    deal = play_deal(rules("PAM"), 0)
    assert describe_flows(deal, frozenset(), SEAT) == "Nobody pays."
    assert describe_flows(deal, frozenset({(0, 1), (0, "pool")}), SEAT) == "You pay East and the pool."
    assert describe_flows(deal, frozenset({(2, 0)}), SEAT) == "North pays you."
    owed = frozenset({(0, "pool"), (0, PARTIE_WINNER)})
    assert describe_flows(deal, owed, SEAT) == "You pay the pool; you owe the winner of the partie."


def test_what_few_books_pay_for_besides_stands_with_the_parting(library: Library, rules: Rules) -> None:
    """Where an ace parts the books, Hoyle's queen of hearts in the same trick changes its total too."""
    besides = []
    for seed in range(30):
        deal = play_deal(rules("PAM"), seed)
        for number in range(1, len(deal.tricks)):
            books = settle_by_books([rules(siglum) for siglum in SIGLA], rules("PAM"), [break_off(deal, number)], SEAT)
            besides += (find_trick_parting(library, books, SEAT) or {"besides": []})["besides"]
    assert besides and {each["source"] for each in besides} <= {"HOY"}, besides
    assert any("little quinola" in each["words"] for each in besides)
    assert all(" you" in each["words"].lower() for each in besides), besides
