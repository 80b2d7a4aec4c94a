"""What is told of two rulesets besides money, held against playing the deal under each; and small things of sharing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from engine.cards import cards_of
from engine.comparison.attribution import (
    Affair,
    Attribution,
    Course,
    Mixer,
    Part,
    attribute_difference,
    choice_at,
    find_sufficient_bundles,
    merge_payments,
    taker_at,
)
from engine.comparison.bundles import Bundle, merge_bundles_by_group
from engine.deal.events import Fault
from engine.deal.model import Deal
from engine.interpretation.decision_diagram import Drawings
from engine.interpretation.explore import Case, RuleSilence
from engine.interpretation.worlds import Paid
from engine.play.replay import finish_trick, play_card, replay_deal
from engine.play.table import legal_cards, seat_players
from engine.readings.ask import Ask
from rulebook.model import Library, Question, Ruleset
from tests.support.settling import Rules

ORDER = 'PAM + cards.order="23456789TJQKA"'  #: the lowest card takes


def named(rules: Rules, name: str) -> Ruleset:
    source, *wishes = name.split(" + ")
    return rules(source, *wishes)


def may_play(deal: Deal, ruleset: Ruleset) -> list[tuple[int, int, int]]:
    """Trick, seat, and what might be played, card by card as recorded."""
    table, found = seat_players(deal, Ask(ruleset)), []
    for number, row in enumerate(deal.tricks, 1):
        played = []
        for at, card in enumerate(row):
            led, seat = row[0] if at else None, table.held[card]
            found.append((number, seat, legal_cards(table, number, seat, led, table.ask)))
            played.append(play_card(table, number, seat, card, led))
        finish_trick(table, number, played)
    return found


def of_kind(found: Attribution, what: str) -> list[tuple[object, ...]]:
    return [(one.trick, one.seat, one.first, one.second) for one in found.turned if one.what == what]


@pytest.mark.slow
@pytest.mark.parametrize("pair", [("PAM", ORDER), (ORDER, "PAM"), ("PAM", "ACA"), ("GER", "PAM")])
@pytest.mark.parametrize("name", ["aca-quinola-forced", "ger-revoke-keeps-the-quinola"])
def test_every_trick_and_every_choice_that_differs_is_told_and_no_other(
    pair: tuple[str, str], name: str, library: Library, deals: dict[str, Deal], rules: Rules
) -> None:
    first, second = (named(rules, one) for one in pair)
    found = attribute_difference(library, deals[name], first, second)
    takers = [replay_deal(deals[name], Ask(one)).measures.takers for one in (first, second)]
    told = [(at, None, a, b) for at, (a, b) in enumerate(zip(*takers, strict=True), 1) if a != b]
    assert of_kind(found, "taken") == told
    both = zip(may_play(deals[name], first), may_play(deals[name], second), strict=True)
    assert of_kind(found, "may-play") == [(*a[:2], a[2], b[2]) for a, b in both if a != b]
    for one in found.turned:
        if one.what == "may-play":
            assert set(cards_of(one.first)) != set(cards_of(one.second))


def test_that_a_fault_costs_nothing_by_one_ruleset_only_is_told(
    library: Library, deals: dict[str, Deal], rules: Rules
) -> None:
    deal = deals["aca-quinola-forced"]
    shuffled = replace(deal, faults=(Fault("badly-shuffled", deal.dealer),))
    said = (f"{deal.seats[deal.dealer]}'s badly-shuffled costs nothing under this source",)
    stands, again = rules("PAM"), rules("PAM", "deal.again=[badly-shuffled]")
    for first, second, told in ((stands, again, (said, ())), (again, stands, ((), said))):
        found = attribute_difference(library, shuffled, first, second)
        (one,) = [one for one in found.turned if one.what == "passed-over"]
        assert (one.first, one.second, one.enough) == (*told, ((Bundle(("deal.again",)),),))


def test_what_passes_between_two_is_one_sum() -> None:
    said = (Paid(0, 1, 5), Paid(2, 1, 3), Paid(0, 1, 4))
    assert merge_payments(said) == (Paid(0, 1, 9), Paid(2, 1, 3))


def part(share: int, alone: int, last: int) -> Part:
    return Part(Bundle(("x",)), {0: Fraction(share)}, {0: alone}, {0: last})


@pytest.mark.parametrize(
    ("parts", "difference", "misleading"),
    [
        ((part(3, 3, 3),), 3, False),
        ((part(3, 3, 3),), 4, True),  # exchanged one by one they do not add up
        ((part(3, 3, 4),), 3, True),  # they add up, but not from the other side
        ((), 0, False),
    ],
)
def test_where_the_answers_one_by_one_mislead(parts: tuple[Part, ...], difference: int, misleading: bool) -> None:
    case = Case("led", "ace", "led", 1, 12, 0)
    assert Affair(case, (), (), {0: difference}, parts, ()).misleading == misleading


@pytest.mark.parametrize("pair", [("PAM", "ACA"), ("GER", "PAM"), ("PAR", "GER")])
def test_who_adds_most_is_told_first_and_the_smallest_set_that_is_enough(
    pair: tuple[str, str], library: Library, deals: dict[str, Deal], rules: Rules
) -> None:
    found = attribute_difference(library, deals["aca-quinola-forced"], rules(pair[0]), rules(pair[1]))
    sums = [sum(map(abs, share.values())) for share in found.shares.values()]
    assert sums == sorted(sums, reverse=True) and len(set(sums)) > 1
    for one in found.turned:
        ranks = [(len(some), some[0].questions if some else ()) for some in one.enough]
        assert ranks == sorted(ranks)


def test_a_group_is_told_by_the_first_question_of_a_bundle_also_where_bundles_were_joined() -> None:
    slugs = ("a.x", "b.x", "a.y", "b.y", "c.x")
    library = Library({q: Question(f"Q10{n}", q, "?", q[0], "payment", "") for n, q in enumerate(slugs)}, {})
    one, other, alone = Bundle(("a.x", "b.x")), Bundle(("a.y", "b.y")), Bundle(("c.x",))
    whole = Bundle(("a.x", "b.x", "a.y", "b.y"), "too-many")
    assert merge_bundles_by_group(library, (one, other, alone)) == (whole, alone)


def test_beyond_the_last_card_or_where_the_rules_are_silent_nothing_may_be_played_and_nobody_takes() -> None:
    course = Course(((1, 0, 7),), (3,))
    assert (choice_at(0, course), taker_at(0, course)) == (7, 3)
    assert (choice_at(1, course), taker_at(1, course)) == (None, None)
    assert (choice_at(0, RuleSilence("q")), taker_at(0, RuleSilence("q"))) == (None, None)


def test_the_smallest_sets_stand_in_order_of_size_and_then_of_the_questions_they_begin_with() -> None:
    """Either the first and the last answer together, or the second and the third, or the fourth alone, will do."""
    mixer, draw = Mixer.__new__(Mixer), Drawings()
    mixer.bundles = tuple(Bundle((name,)) for name in ("m.first", "b.second", "z.third", "y.fourth", "a.last"))
    no, yes = draw.end("no"), draw.end("yes")
    fourth = draw.choose(3, [no, yes])
    last, third = draw.choose(4, [no, yes]), draw.choose(2, [no, yes])

    def either(one: object, other: object) -> object:
        return "yes" if "yes" in (one, other) else "no"

    first_and_last = draw.choose(0, [no, last])
    second_and_third = draw.choose(1, [no, third])
    branch = draw.combine(either, draw.combine(either, first_and_last, second_and_third), fourth)
    sets = find_sufficient_bundles(mixer, branch, "yes")
    told = [[one.questions[0] for one in some] for some in sets]
    assert told == [["y.fourth"], ["b.second", "z.third"], ["m.first", "a.last"]]
    assert find_sufficient_bundles(mixer, yes, "yes") == ((),)


@pytest.mark.release
def test_a_payment_that_is_the_same_both_ways_and_in_every_mixture_is_not_told(
    library: Library, deals: dict[str, Deal], rules: Rules
) -> None:
    for name in list(deals)[::12]:
        for pair in (("PAM", "ACA"), ("GER", "PAR")):
            first, second = (named(rules, one) for one in pair)
            for one in attribute_difference(library, deals[name], first, second).affairs:
                assert one.first != one.second or one.parts
