"""By what one sees that a rule which is not played would have mattered in a deal, and where nobody can tell."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.cards import parse_card_name
from engine.deal.events import Announcement
from engine.deal.model import Deal, Exchange
from engine.settlement.result_json import result
from engine.settlement.settle import Settled, settle
from engine.settlement.unplayed_rules import UnplayedRule, judge_unplayed_rules, list_unplayed_rules
from rulebook.model import Occasion
from tests.support.deals import lay_deal
from tests.support.settling import Rules

pytestmark = pytest.mark.slow

RULE = "quinola.thrown-off.amount"
THROWN = [(3, "east")]


@cache
def thrown() -> Deal:
    """East throws the knave of hearts on south's spade in the third trick; north, between, follows."""
    deal = lay_deal(
        tricks={3: "south:KS! east:JH north:6S west:5D", 5: "north:KC! west:QH"},
        takers={4: "north", 6: "west"},
        talon="4C",
    )
    said = (Announcement("reversis", 1), Announcement("espagnolette", 2))
    away = Exchange(3, parse_card_name("4C"), parse_card_name("5D"))
    return replace(deal, exchange=(away,), announced=said)


def judged(rules: Rules, *wishes: str, deal: Deal | None = None, **told: object) -> tuple[Settled, UnplayedRule]:
    """A deal settled by a source of which one rule is not played, and what is told of that rule."""
    plain = thrown() if deal is None else deal
    own = rules("PAM", *wishes)
    ruling = replace(own.rulings[RULE], not_played="nobody has written it", **told)  # type: ignore[arg-type]
    done = settle(replace(plain, exchange=(), announced=()), replace(own, rulings={**own.rulings, RULE: ruling}))
    assert isinstance(done, Settled), done
    done = replace(done, deal=plain)
    (one,) = judge_unplayed_rules(done)
    return done, one


def places(done: Settled, rule: UnplayedRule) -> list[tuple[int | None, str | None]]:
    return [(each.trick, None if each.seat is None else done.deal.seats[each.seat]) for each in rule.raised]


@pytest.mark.parametrize(
    ("occasion", "seen"),
    [
        (Occasion(card="KS", when="led"), [(3, "south")]),
        (Occasion(card="JH", when="led"), []),
        (Occasion(card="6S", when="led"), []),
        (Occasion(card="6S", when="followed"), [(3, "north")]),
        (Occasion(card="KS", when="followed"), []),
        (Occasion(card="JH", when="followed"), []),
        (Occasion(card="JH", when="thrown-off"), THROWN),
        (Occasion(card="5D", when="thrown-off"), [(3, "west")]),
        (Occasion(card="6S", when="thrown-off"), []),
        (Occasion(card="KS", when="played"), [(3, "south")]),
        (Occasion(card="5D", when="played"), [(3, "west")]),
        (Occasion(card="4C", when="played"), []),
        (Occasion(card="4C", when="discarded"), [(None, "west")]),
        (Occasion(card="5D", when="discarded"), []),
        (Occasion(card="5D", when="taken-in"), [(None, "west")]),
        (Occasion(card="4C", when="taken-in"), []),
        (Occasion(card="4C", when="in-the-talon"), [(None, None)]),
        (Occasion(card="5D", when="in-the-talon"), []),
        (Occasion(announced="reversis"), [(None, "east")]),
        (Occasion(announced="espagnolette"), [(None, "north")]),
        (Occasion(announced="peace"), []),
        (Occasion(stake_from=60), [(None, None)]),
        (Occasion(stake_from=61), []),
    ],
)
def test_each_occasion_is_seen_where_it_is_and_nowhere_else(
    rules: Rules, occasion: Occasion, seen: list[tuple[int | None, str | None]]
) -> None:
    done, one = judged(rules, matters=(occasion,))
    assert places(done, one) == seen and one.mattered is bool(seen)


def test_a_card_that_was_led_second_in_its_trick_was_not_led(rules: Rules) -> None:
    """Whoever plays second follows, if the suit is that of the first card."""
    second = lay_deal(tricks={3: "south:KS! east:JS"}, takers={4: "south"})
    for when, seen in (("led", []), ("followed", THROWN), ("thrown-off", [])):
        done, one = judged(rules, deal=second, matters=(Occasion(card="JS", when=when),))
        assert places(done, one) == seen, when


def test_where_no_occasion_is_told_what_is_paid_by_the_answer_played_instead_tells(rules: Rules) -> None:
    done, one = judged(rules)
    assert one.mattered is True and places(done, one) == THROWN


def test_what_a_deal_never_asks_has_not_mattered_and_what_pays_nothing_leaves_it_open(rules: Rules) -> None:
    _, idle = judged(rules, deal=lay_deal(talon="JH"))
    assert (idle.mattered, idle.raised) == (False, ())
    _, nothing = judged(rules, "quinola.thrown-off.amount=0")
    assert (nothing.mattered, nothing.raised) == (None, ())
    _, unasked = judged(rules, unasked=True)
    assert (unasked.mattered, unasked.raised) == (None, ())


def test_a_ledger_names_what_its_deal_asks_or_raises_or_what_is_never_asked_and_nothing_else(rules: Rules) -> None:
    aside = lay_deal(talon="JH")
    for deal, told, named in (
        (thrown(), {}, True),
        (thrown(), {"matters": (Occasion(card="4C", when="led"),)}, True),
        (aside, {"unasked": True}, True),
        (aside, {"matters": (Occasion(card="JH", when="in-the-talon"),)}, True),
        (aside, {"matters": (Occasion(card="JH", when="led"),)}, False),
        (aside, {}, False),
    ):
        done, one = judged(rules, deal=deal, **told)
        assert list_unplayed_rules(done) == ((one,) if named else ()), told
        assert ("left_out" in result(done)) is named


def test_the_data_of_a_result_say_whose_occasion_it_was_where_it_was_anybodys(rules: Rules) -> None:
    done, _ = judged(rules, matters=(Occasion(card="JH", when="thrown-off", says="more"), Occasion(stake_from=60)))
    left_out: Any = result(done)["left_out"]
    (told,) = left_out
    assert told["mattered"] is True and told["raised"] == [
        {"trick": 3, "seat": "east", "card": "JH", "when": "thrown-off", "says": "more"},
        {"trick": None, "seat": None, "stake_from": 60},
    ]
