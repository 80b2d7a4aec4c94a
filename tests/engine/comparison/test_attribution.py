"""A deal under two rulesets: what differs, whose answers cause it, and that the shares add up to the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import combinations, islice, permutations

import pytest

from engine.cards import cards_of
from engine.comparison.attribution import Attribution, attribute_difference, list_accounts
from engine.comparison.bundles import POOL_BUNDLE, Bundle, find_bundles
from engine.deal.events import Fault
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.generation.deal import random_deal
from engine.generation.turn import list_table_shapes
from engine.play.replay import finish_trick, play_card, replay_deal
from engine.play.table import legal_cards, seat_players
from engine.readings.ask import Ask
from engine.settlement.ledger import Account
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Library, Like, Question, Ruleset, Ruling
from rulebook.resolve import Choice, drop_answer, resolve
from tests.support.settling import SIGLA, Rules

PAIRS = tuple(combinations(SIGLA, 2))
Net = Mapping[Account, int]


@pytest.fixture(scope="module")
def attributed(library: Library, deals: dict[str, Deal], rules: Rules) -> Callable[..., Attribution]:
    """A worked deal by two rulesets, given as one types them: "PAM", or "PAM + Q031=3"."""

    def named(name: str) -> Ruleset:
        source, *wishes = name.split(" + ")
        return rules(source, *wishes)

    def attributed(deal: str, first: str, second: str, **how: int) -> Attribution:
        return attribute_difference(library, deals[deal], named(first), named(second), **how)

    return attributed


def net(deal: Deal, ruleset: Ruleset) -> Net:
    found = settle(deal, ruleset)
    assert isinstance(found, Settled), found
    return found.net


def less(one: Mapping[Account, int], other: Mapping[Account, int]) -> Net:
    return {a: one[a] - other[a] for a in one}


def adds_up(found: Attribution) -> bool:
    """The shares sum to the difference, of the whole and of every payment; and every share sums to nought."""
    assert isinstance(found.first, Settled) and isinstance(found.second, Settled)
    everyone, whole = list_accounts(found.deal), less(found.second.net, found.first.net)
    assert dict(found.difference) == whole
    assert {a: sum(share[a] for share in found.shares.values()) for a in everyone} == whole
    for one in found.affairs:
        assert {a: sum(part.share[a] for part in one.parts) for a in everyone} == one.difference
        assert all(sum(some.values()) == 0 for part in one.parts for some in (part.share, part.alone, part.last))
    return any(whole.values())


# ---- the whole
@pytest.mark.release
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_shares_sum_to_the_difference_on_worked_deals(
    pair: tuple[str, str], library: Library, deals: dict[str, Deal]
) -> None:
    rulesets = resolve(library, pair[0]), resolve(library, pair[1])
    found = [attribute_difference(library, deal, *rulesets) for deal in [*deals.values()][PAIRS.index(pair) :: 9]]
    assert any([adds_up(one) for one in found if one.settled])
    for one in found:
        assert set(one.shares) <= set(one.asked) <= set(one.differ)
        assert one.settled or not one.affairs


@pytest.mark.release
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_shares_sum_to_the_difference_on_deals_by_lot(pair: tuple[str, str], library: Library) -> None:
    first, second = (resolve(library, siglum) for siglum in pair)
    table = next(shape for shape in list_table_shapes(first) if shape in list_table_shapes(second))
    dealt = (random_deal(rules, seed, table, exchange=False) for seed in range(100) for rules in (first, second))
    found = (attribute_difference(library, deal, first, second) for deal in dealt)
    summed = (adds_up(one) for one in found if one.settled)
    few = [*islice(summed, 6)]
    assert any(few) or any(summed)  # books may be so near that few deals tell them apart


@pytest.mark.slow
def test_a_source_differs_from_itself_in_nothing(attributed: Callable[..., Attribution]) -> None:
    found = attributed("pam-espagnolette-won", "PAM", "PAM")
    assert (found.differ, found.asked, found.turned, found.affairs, found.shares) == ((), (), (), (), {})


def test_what_is_asked_by_nobody_has_no_share(attributed: Callable[..., Attribution]) -> None:
    """No quinola is thrown off in this deal, so what that costs cannot matter."""
    found = attributed("aca-quinola-forced", "PAM", "ACA")
    thrown, forced = Bundle(("quinola.thrown-off.amount",)), Bundle(("quinola.forced.others-pay",))
    assert thrown in found.differ and thrown not in found.asked
    assert forced in found.asked and any(found.shares[forced].values())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["aca-quinola-forced", "ger-revoke-keeps-the-quinola"])
def test_from_the_other_side_it_is_the_contrary(name: str, attributed: Callable[..., Attribution]) -> None:
    there, back = attributed(name, "PAM", "GER"), attributed(name, "GER", "PAM")
    assert there.shares.keys() == back.shares.keys()
    assert there.shares == {one: {a: -n for a, n in share.items()} for one, share in back.shares.items()}
    for one, other in zip(there.affairs, back.affairs, strict=True):
        assert (one.case, one.first, one.second) == (other.case, other.second, other.first)
        alone = {part.bundle: part.alone for part in one.parts}
        assert alone == {part.bundle: {a: -n for a, n in part.last.items()} for part in other.parts}
        assert [two.first for two in one.interplay] == [two.second for two in other.interplay]


# ---- against what the command line gives
def mixture(library: Library, first: str, second: str, these: Sequence[Bundle]) -> Ruleset:
    """One source with answers of the other, as the rulebook resolves it, and none where that has none."""
    slugs, given = [slug for one in these for slug in one.questions], resolve(library, second).rulings
    choices = [Choice(f"{slug}@{second}", slug, source=second) for slug in slugs if slug in given]
    return reduce(drop_answer, (slug for slug in slugs if slug not in given), resolve(library, first, choices))


@pytest.mark.release
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_what_an_answer_comes_to_alone_is_what_running_the_deal_with_it_gives(
    pair: tuple[str, str], library: Library, deals: dict[str, Deal]
) -> None:
    tried = 0
    for deal in [*deals.values()][PAIRS.index(pair) :: 20]:
        found = attribute_difference(library, deal, *(resolve(library, siglum) for siglum in pair))
        for bundle in found.shares:
            for one, other, side, sign in ((*pair, "alone", 1), (*reversed(pair), "last", -1)):
                run = settle(deal, mixture(library, one, other, [bundle]))
                if isinstance(run, Settled):
                    parts = [part for a in found.affairs for part in a.parts if part.bundle == bundle]
                    told = {a: sum(getattr(part, side)[a] for part in parts) for a in list_accounts(deal)}
                    moved = less(run.net, net(deal, resolve(library, one)))
                    assert told == {a: sign * n for a, n in moved.items()}, (deal.id, bundle)
                    tried += 1
    assert tried


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pam-espagnolette-won", "aca-quinola-forced", "aca-ace-forced", "ger-quinola-put"])
def test_the_shares_are_the_mean_over_all_orders_of_whole_deals(
    name: str, library: Library, deals: dict[str, Deal]
) -> None:
    """PAM and PAR differ little, so that every order of the answers can be tried, each mixture settled as a whole."""
    deal = deals[name]
    found = attribute_difference(library, deal, resolve(library, "PAM"), resolve(library, "PAR"))
    assert adds_up(found)
    assert 1 < len(found.asked) <= 6
    runs = {
        frozenset(some): net(deal, mixture(library, "PAM", "PAR", some))
        for size in range(len(found.asked) + 1)
        for some in combinations(found.asked, size)
    }
    assert runs[frozenset(found.asked)] == net(deal, resolve(library, "PAR"))
    orders = list(permutations(found.asked))
    for bundle in found.asked:
        steps = [less(runs[frozenset({*had, bundle})], runs[frozenset(had)]) for had in before(orders, bundle)]
        mean = {a: Fraction(sum(step[a] for step in steps), len(orders)) for a in list_accounts(deal)}
        assert found.shares.get(bundle, dict.fromkeys(list_accounts(deal), Fraction(0))) == mean


def before(orders: Sequence[Sequence[Bundle]], bundle: Bundle) -> list[Sequence[Bundle]]:
    return [order[: order.index(bundle)] for order in orders]


# ---- interplay
def test_where_single_answers_mislead_it_is_said(attributed: Callable[..., Attribution]) -> None:
    """The price of a forced quinola and the double between opposites are multiplied with each other."""
    found = attributed("aca-quinola-forced", "PAM", "ACA")
    forced = next(one for one in found.affairs if one.case.rule == "forced" and one.case.kind == "quinola")
    assert forced.misleading
    east, west = found.deal.seats.index("east"), found.deal.seats.index("west")
    sums = {part.bundle.questions: (part.alone[east], part.last[east], part.share[east]) for part in forced.parts}
    assert sums["quinola.forced.others-pay",] == (-12, -8, -10)  # west's 5 x2 and north's 5, each become 1
    assert sums["payments.opposite",] == (-5, -1, -3)
    assert sums["quinola.forced.amount",] == (-6, -6, -6)
    (two,) = forced.interplay
    assert {one.questions for one in two.pair} == {("quinola.forced.others-pay",), ("payments.opposite",)}
    assert (
        {a: n for a, n in two.first.items() if n} == {east: 4, west: -4} == {a: n for a, n in two.second.items() if n}
    )


# ---- what differs besides money
def test_a_deal_forbidden_by_one_source_has_no_money_to_share(attributed: Callable[..., Attribution]) -> None:
    found = attributed("pam-espagnolette-won", "PAM", "GER")
    assert not found.settled and isinstance(found.second, Refused)
    assert (found.affairs, found.shares, set(found.difference.values())) == ((), {}, {0})
    first = found.turned[0]
    assert (first.what, first.first, first.second) == ("lawful", "settled", "refused")
    assert first.enough == ((Bundle(("espagnolette.hands",)),),)


def test_a_silence_is_a_cause_of_its_own(library: Library, deals: dict[str, Deal]) -> None:
    own = resolve(library, "PAM")
    for pair in ((own, drop_answer(own, "cards.points")), (drop_answer(own, "cards.points"), own)):
        found = attribute_difference(library, deals["aca-quinola-forced"], *pair)
        assert not found.settled and found.affairs == ()
        assert any(isinstance(one, Unanswered) for one in (found.first, found.second))
        assert [(one.what, one.enough) for one in found.turned] == [("lawful", ())]


# ---- bundles
def asked(slug: str, depends: str = "") -> Question:
    return Question(f"Q{sum(map(ord, slug)) % 900 + 100}", slug, "?", slug[0], "payment", "", depends=depends)


def tiny(values: Mapping[str, object], name: str) -> Ruleset:
    return Ruleset(name, name, {q: Ruling(q, q, value, (), name) for q, value in values.items()})  # type: ignore[arg-type]


QUESTIONS = {
    q.slug: q
    for q in (asked("a.who"), asked("a.sum", "a.who != nobody"), asked("b.sum"), asked("b.double"), asked("b.own"))
}
TINY = Library(QUESTIONS, {})


def tied(first: Mapping[str, object], second: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
    return tuple(bundle.questions for bundle in find_bundles(TINY, tiny(first, "one"), tiny(second, "other")))


POINTING = {"b.sum": 1, "b.double": Like("b.sum", 2), "b.own": 1}
TIED: dict[str, tuple[Mapping[str, object], Mapping[str, object], tuple[str, ...]]] = {
    "what both answer differently is exchanged singly": (
        {"a.who": "x", "a.sum": 1, "b.sum": 2}, {"a.who": "y", "a.sum": 3, "b.sum": 2}, ("a.who", "a.sum"),
    ),
    "what only one answers is in no bundle": ({"a.who": "nobody"}, {"a.who": "y", "a.sum": 3}, ("a.who",)),
    "a question that makes sense in one only goes with the one it hangs on": (
        {"a.who": "nobody", "a.sum": 1, "b.own": 1}, {"a.who": "y", "a.sum": 3, "b.own": 2}, ("a.who a.sum", "b.own"),
    ),
    "an answer that points to another goes with it": (
        POINTING, {"b.sum": 2, "b.double": 2, "b.own": 2}, ("b.sum b.double", "b.own"),
    ),
    "where the other is the same it goes alone": (POINTING, {"b.sum": 1, "b.double": 2, "b.own": 1}, ("b.double",)),
    "and one that points to that as well": (
        {**POINTING, "b.own": Like("b.double")}, {"b.sum": 3, "b.double": 7, "b.own": 9}, ("b.sum b.double b.own",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TIED)
def test_answers_that_go_together_are_one_bundle(name: str) -> None:
    first, second, bundles = TIED[name]
    assert tied(first, second) == tuple(tuple(bundle.split()) for bundle in bundles)


ALONE = "PAM + espagnolette.hands=[] + play.quinola-alone=free"  #: east keeps the quinola, his only heart
PRIVILEGE = "PAM + play.quinola-alone=must-follow"  #: east renounces by the privilege of his hand


def test_answers_that_make_no_game_one_by_one_are_exchanged_together(attributed: Callable[..., Attribution]) -> None:
    """Each source lets east throw a card off on the hearts, for another reason; a mixture with neither forbids it."""
    deal = "quinola-alone-third-heart"
    assert not attributed(deal, ALONE, "PAM + espagnolette.hands=[] + play.quinola-alone=must-follow").settled
    found = attributed(deal, ALONE, PRIVILEGE)
    assert found.settled
    adds_up(found)
    assert found.differ == (Bundle(("play.quinola-alone", "espagnolette.hands"), "unplayable"),) == found.asked


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 60, 300])
def test_too_many_mixtures_are_made_fewer_and_the_sum_stays_exact(
    most: int, attributed: Callable[..., Attribution]
) -> None:
    fine = attributed("aca-quinola-forced", "PAM", "ACA")
    found = attributed("aca-quinola-forced", "PAM", "ACA", most=most)
    assert adds_up(found) and found.difference == fine.difference
    assert len(found.differ) < len(fine.differ) and all(one.joined != "too-many" for one in fine.differ)
    assert any(one.joined == "too-many" for one in found.differ)
    assert sorted(q for one in found.differ for q in one.questions) == sorted(
        q for one in fine.differ for q in one.questions
    )


# ---- the pool
def test_a_pool_that_lay_otherwise_is_a_cause_of_its_own(library: Library, deals: dict[str, Deal]) -> None:
    deal = replace(deals["aca-quinola-forced"], pools={"": Pool(16, (8,)), "ACA": Pool(10, (8,))})
    same, other = resolve(library, "PAM"), replace(resolve(library, "PAM"), name="twin", source="ACA")
    found = attribute_difference(library, deal, same, other)
    assert adds_up(found) and found.differ == (POOL_BUNDLE,) == tuple(found.shares)
    south = deal.seats.index("south")
    assert {a: n for a, n in found.shares[POOL_BUNDLE].items() if n} == {south: 6, "pool": -6}
    assert [(one.what, one.enough) for one in found.turned] == [("pool", ())]
    assert adds_up(attribute_difference(library, deal, same, resolve(library, "ACA")))


def test_a_fragment_is_compared_as_far_as_it_goes(library: Library, deals: dict[str, Deal]) -> None:
    deal = replace(deals["aca-quinola-forced"])
    part = replace(deal, tricks=deal.tricks[:6], fragment=True)
    found = attribute_difference(library, part, resolve(library, "PAM"), resolve(library, "ACA"))
    assert adds_up(found) and "partie" not in {one.case.rule for one in found.affairs}


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


@pytest.mark.release
def test_a_payment_that_is_the_same_both_ways_and_in_every_mixture_is_not_told(
    library: Library, deals: dict[str, Deal], rules: Rules
) -> None:
    for name in list(deals)[::12]:
        for pair in (("PAM", "ACA"), ("GER", "PAR")):
            first, second = (named(rules, one) for one in pair)
            for one in attribute_difference(library, deals[name], first, second).affairs:
                assert one.first != one.second or one.parts
