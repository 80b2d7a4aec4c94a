"""A line of a printed settlement: when, what befell, by which rule, and who pays whom, or why nobody does."""

from __future__ import annotations

import pytest

from engine.cards import parse_card_name, spell_card
from engine.deal.events import Fact
from engine.deal.pool import Pool
from engine.settlement.ledger import ONE_STAKE, Entry, Money, Posting, format_entry
from tests.support.deals import lay_deal

JACK = parse_card_name("JH")
TWO_PAY = (Posting(1, 0, Money(40)), Posting(2, 0, Money(20)))


@pytest.mark.parametrize(
    ("rule", "name", "played", "postings", "reason", "told"),
    [
        ("forced", "quinola-forced", True, TWO_PAY, "",
         "Trick 5, quinola forced {}: east to south 40, north to south 20"),
        ("partie", "partie", False, TWO_PAY, "", "End, partie: east to south 40, north to south 20"),
        ("draws-stake", "quinola-thrown-off", True, (Posting("pool", 0, ONE_STAKE),), "",
         "Trick 5, quinola thrown off {} (draws stake): pool to south 60"),
        ("forced", "quinola-forced", True, (), "nobody-pays", "Trick 5, quinola forced {}: nothing (nobody pays)"),
        ("partie", "partie", False, (), "", "End, partie: nothing"),
        ("forced", "quinola-forced", True, (Posting(1, 0, Money(0)), TWO_PAY[1]), "",
         "Trick 5, quinola forced {}: north to south 20"),
    ],
)  # fmt: skip
def test_a_line_says_when_what_by_which_rule_and_who_pays(
    rule: str, name: str, played: bool, postings: tuple[Posting, ...], reason: str, told: str
) -> None:
    fact = Fact("quinola", 4, 3, 0, 11, trick=5, card=JACK) if played else Fact("seat", 4, 3, 0, 11)
    line = format_entry(Entry(rule, fact, name, postings, (), reason), lay_deal(), Pool(60))
    assert line == told.format(spell_card(JACK))
