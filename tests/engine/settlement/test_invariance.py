"""What may be changed without any change: names of suits and seats, answers nobody asks for, the writing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.cards import CARD_SUITS, suit_of
from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.readings.ask import OTHER_QUINOLAS
from engine.settlement.ledger import Entry, Posting
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import FrozenMap, Library, Question, Ruleset, Value
from tests.support.random_deals import KINDS, given_by_reader, lot, played, told
from tests.support.settling import SIGLA, Rules, iter_played_alternatives
from tests.support.tiers import sample

#: a deal by lot does not become plainer by shrinking its seed, so what fails is told as it is found
MANY = settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate])
SOME = settings(MANY, max_examples=25)
FEW = settings(MANY, max_examples=20)  #: of the three parts, one by default and two before a release
in_parts = pytest.mark.parametrize("part", sample(range(3), 3))
sources, kinds, seeds = st.sampled_from(SIGLA), st.sampled_from(KINDS), st.integers(0, 10**6)
Number: TypeAlias = Callable[[int], int]


@pytest.fixture(scope="module")
def family(library: Library, rules: Rules) -> Mapping[str, list[Ruleset]]:
    """Every source as it is, and then with each of its alternatives that is played."""
    named = {s: [rules(s)] for s in SIGLA}
    for clause, alternative in iter_played_alternatives(library):
        named[clause.source].append(rules(clause.source, alternative.id))
    return named


def same(number: int) -> int:
    return number


def maybe(number: int | None, to: Number) -> int | None:
    return None if number is None else to(number)


# ---- results up to the names of cards and seats
def renamed(fact: Fact, card: Number, seat: Number) -> Fact:
    """The same fact with other cards and other seats."""
    new = replace(
        fact,
        card=maybe(fact.card, card),
        suit="" if fact.card is None else CARD_SUITS[suit_of(card(fact.card))],
        fault=None if fact.fault is None else replace(fact.fault, seat=seat(fact.fault.seat)),
    )
    return replace(
        new,
        dealer=seat(fact.dealer),
        eldest=seat(fact.eldest),
        **{one: maybe(getattr(fact, one), seat) for one in ("player", "leader", "taker", "highest_before")},
    )


def account(who: int | str, seat: Number) -> int | str:
    return seat(who) if isinstance(who, int) else who


def moved(entry: Entry, card: Number = same, seat: Number = same) -> object:
    """An entry with other cards and seats; who pays first does not matter, nor what was asked first."""
    postings = [replace(p, payer=account(p.payer, seat), payee=account(p.payee, seat)) for p in entry.postings]
    fact = renamed(entry.fact, card, seat)
    return replace(entry, fact=fact, postings=(), asked=()), Counter(postings), frozenset(entry.asked)


def view(deal: Deal, ruleset: Ruleset, card: Number = same, seat: Number = same) -> object:
    """All that comes of a deal, in other names."""
    found = settle(deal, ruleset)
    if isinstance(found, Unanswered):
        return found.silent.question
    if isinstance(found, Refused):
        one = (
            (r.trick, maybe(r.seat, seat), maybe(r.card, card), sorted(map(card, r.legal)), sorted(r.asked))
            for r in found.refusals
        )
        return sorted(map(repr, one))
    _, unsaid = told(deal, ruleset)
    return {
        "entries": Counter(map(repr_of, (moved(e, card, seat) for e in found.entries))),
        "unsaid": Counter(map(repr_of, (moved(e, card, seat) for e in unsaid))),
        "net": {account(a, seat): n for a, n in found.net.items()},
        "pool": found.pool,
        "outcome": summary(found, seat),
        "passed over": len(found.passed_over),
        "open": Counter(found.open),
        "asked": found.asked,
    }


def difference(one: object, other: object) -> list[str]:
    """In what two views differ, in a few lines; nothing where they are alike."""
    if not (isinstance(one, Mapping) and isinstance(other, Mapping)):
        return [] if one == other else [f"{one} != {other}"]
    return [f"{part}: {less(one[part], other[part])}" for part in one if one[part] != other[part]]


def less(one: Any, other: Any) -> str:
    """What the one has that the other has not, and the other way round."""
    if isinstance(one, Counter):
        return f"{list(one - other)[:2]} != {list(other - one)[:2]}"
    return f"{one} != {other}"


def repr_of(one: Any) -> str:
    entry, postings, asked = one
    return f"{entry} {sorted(map(repr, postings.items()))} {sorted(asked)}"


def summary(found: Settled, seat: Number) -> object:
    o, p = found.outcome, found.outcome.partie
    return (
        o.reversis and (seat(o.reversis[0]), o.reversis[1], [seat(s) for s in o.reversis[2]]),
        o.espagnolette and (seat(o.espagnolette[0]), o.espagnolette[1]),
        p and (seat(p.winner), {seat(s) for s in p.losers}, p.value),
        maybe(o.next_dealer, seat),
        o.void,
    )


# ---- suits
def suits_named(ruleset: Ruleset) -> set[str]:
    """Hearts, of which the first lead, the discard and the quinola speak; and those that an amount or value names."""
    rulings = ruleset.rulings
    special = rulings["talon.special-cards"].value if "talon.special-cards" in rulings else {}
    assert isinstance(special, Mapping)
    return {"H", str(rulings["ace.favoured-suit"].value), *(c[1] for c in special)}


def in_suits(deal: Deal, card: Number) -> Deal:
    exchange = (replace(x, out=maybe(x.out, card), taken=maybe(x.taken, card)) for x in deal.exchange)
    return replace(
        deal,
        hands=tuple(frozenset(map(card, hand)) for hand in deal.hands),
        talon=tuple(map(card, deal.talon)),
        tricks=tuple(tuple(map(card, row)) for row in deal.tricks),
        exchange=tuple(exchange),
        claims={card(c): claimed for c, claimed in deal.claims.items()},
    )


def exchanged(plain: Iterable[str], lots: int) -> Mapping[str, str]:
    """One way to change the names of these suits, never the way they are."""
    ways = [dict(zip(plain, way, strict=True)) for way in permutations(plain)][1:]
    return ways[lots % len(ways)]


def by_suits(to: Mapping[str, str]) -> Number:
    """The card that a card becomes."""
    return lambda card: CARD_SUITS.index(to.get(CARD_SUITS[card >> 4], CARD_SUITS[card >> 4])) * 16 + (card & 15)


@pytest.mark.slow
@in_parts
@FEW
@given(sources, kinds, seeds)
def test_plain_suits_are_all_alike(
    family: Mapping[str, list[Ruleset]], part: int, source: str, kind: str, seed: int
) -> None:
    """No rule names them; so exchanging them changes nothing but their names."""
    deal = lot(family[source][0], kind, seed + part * 10**6)
    for ruleset in some(family[source], seed):
        plain = [s for s in CARD_SUITS if s not in suits_named(ruleset)]
        card = by_suits(exchanged(plain, seed))
        assert not difference(view(in_suits(deal, card), ruleset), view(deal, ruleset, card))


@pytest.mark.slow
@in_parts
@FEW
@given(sources, kinds, seeds, st.integers(0, 4))
def test_a_suit_that_is_named_is_only_a_name(
    rules: Rules, part: int, source: str, kind: str, seed: int, way: int
) -> None:
    """Rename a black suit or diamonds in the deal and in the rules that favour it, and nothing changes."""
    deal, ruleset = lot(rules(source), kind, seed + part * 10**6), rules(source)
    to = exchanged("SDC", way)
    favoured = str(ruleset.rulings["ace.favoured-suit"].value)
    given = {"ace.favoured-suit": to.get(favoured, favoured)}
    special: Any = ruleset.rulings["talon.special-cards"].value if "talon.special-cards" in ruleset.rulings else None
    if special is not None:
        given["talon.special-cards"] = FrozenMap({c[0] + to.get(c[1], c[1]): n for c, n in special.items()})
    other = replace(ruleset, rulings={**ruleset.rulings, **given_by_reader(given)})
    card = by_suits(to)
    assert not difference(view(in_suits(deal, card), other), view(deal, ruleset, card))


@pytest.mark.slow
@in_parts
@FEW
@given(st.sampled_from(("PAM", "PAR")), kinds, seeds)
def test_the_quinola_is_only_a_card(rules: Rules, part: int, source: str, kind: str, seed: int) -> None:
    """Where no rule but the quinola speaks of hearts, the knave of clubs may be it, and all hearts become clubs."""
    ruleset = rules(source)
    deal = replace(lot(ruleset, kind, seed + part * 10**6), exchange=())  # to lay out a heart is a question of its own
    given = {"quinola.card": "JC"}
    special: Any = ruleset.rulings["talon.special-cards"].value
    given["talon.special-cards"] = FrozenMap({c.replace("H", "C"): n for c, n in special.items()})
    other = replace(ruleset, rulings={**ruleset.rulings, **given_by_reader(given)})
    card = by_suits({"H": "C", "C": "H"})
    assert not difference(view(in_suits(deal, card), other), view(deal, ruleset, card))
    if kind == "quinola in the talon":
        assert difference(view(in_suits(deal, card), ruleset), view(deal, ruleset, card))


def test_a_suit_that_is_favoured_is_not_like_the_others(rules: Rules) -> None:
    """The check itself can fail: diamonds are no plain suit where their ace is worth double."""
    card = by_suits({"D": "S", "S": "D"})
    deal = lot(rules("PAM"), "ace of diamonds thrown off side", 1)
    assert difference(view(in_suits(deal, card), rules("PAM")), view(deal, rules("PAM"), card))


def some(rulesets: list[Ruleset], seed: int) -> list[Ruleset]:
    """The source itself and a few of its alternatives, others at every turn."""
    return [rulesets[0], *Random(seed).sample(rulesets[1:], min(6, len(rulesets) - 1))]


# ---- money
@pytest.mark.slow
@in_parts
@FEW
@given(sources, kinds, seeds)
def test_every_ledger_sums_to_nought_with_the_pool(
    family: Mapping[str, list[Ruleset]], part: int, source: str, kind: str, seed: int
) -> None:
    """Also with faults, where the deal is void, and of a fragment; the balance is just what the entries say."""
    deal = lot(family[source][0], kind, seed + part * 10**6)
    for ruleset in family[source]:
        found = settle(deal, ruleset)
        if not isinstance(found, Settled):
            continue
        net = Counter[object]()
        for posting in (p for entry in found.entries for p in entry.postings):
            amount = worth(posting, dict(found.before.others).get(posting.pool, found.before))
            assert amount >= 0 and posting.payer != posting.payee
            net[posting.payer] -= amount
            net[posting.payee] += amount
        assert dict(found.net) == {a: net[a] for a in (*range(len(deal.seats)), "pool")}
        assert sum(found.net.values()) == 0
        assert found.net["pool"] == held(found.pool) - held(found.before)
        assert min(found.pool.stake, *found.pool.waiting, 0) == 0
        if found.outcome.void:
            assert all(e.fact.kind == "fault" for e in found.entries)


def worth(posting: Posting, pool: Pool) -> int:
    """What passes: plain counters, the stake, what waits, in equal parts."""
    money = posting.money
    stake = money.limit if 0 < money.limit_from <= pool.stake else pool.stake
    return (money.plain + money.stakes * stake + money.waiting * sum(pool.waiting)) // money.among


def held(pool: Pool) -> int:
    return pool.stake + sum(pool.waiting)


@SOME
@given(sources, kinds, seeds)
def test_no_sum_ever_changes_the_play_or_the_outcome(
    library: Library, rules: Rules, source: str, kind: str, seed: int
) -> None:
    """Whatever number stands for an amount: the same cards are lawful, the same things happen, the same players win."""
    ruleset = rules(source)
    deal = lot(ruleset, kind, seed)
    before = settle(deal, ruleset)
    if isinstance(before, Unanswered):
        return
    plain = played(deal, ruleset)
    sums = {q.slug: 7 for q in library.questions.values() if q.measure.get("unit") == "smallest"}
    assert len(sums) > 25
    other = replace(ruleset, rulings={**ruleset.rulings, **given_by_reader(sums)})
    assert played(deal, other) == plain
    after = settle(deal, other)
    assert type(after) is type(before)
    if isinstance(before, Settled) and isinstance(after, Settled):
        assert winners(after) == winners(before)


def winners(found: Settled) -> object:
    o = found.outcome
    return o.reversis, o.espagnolette, o.partie and o.partie.winner, o.next_dealer, o.void


@pytest.mark.slow
@SOME
@given(sources, kinds, seeds)
def test_what_lies_in_the_pool_never_changes_the_play(rules: Rules, source: str, kind: str, seed: int) -> None:
    deal = lot(rules(source), kind, seed)
    rich = replace(deal, pools={"": Pool(1000, (300, 200))})
    one, two = settle(deal, rules(source)), settle(rich, rules(source))
    assert type(one) is type(two)
    if not isinstance(one, Unanswered):
        assert played(rich, rules(source)) == played(deal, rules(source))
    if isinstance(one, Settled) and isinstance(two, Settled):
        assert one.entries == two.entries and one.outcome == two.outcome


# ---- what nobody asks
def otherwise(question: Question, value: Value | None) -> Value:
    samples: Mapping[str, tuple[Value, ...]] = {
        "integer": (3, 4),
        "order": (("fewest-points",), ("most-points",)),
        "set": ((), tuple(question.measure.get("of", ()))[:1]),  # type: ignore[arg-type]
        "tricks": ((), (2,)),
        "points": (FrozenMap({"A": 9}), FrozenMap({"A": 8})),
        "card-values": (FrozenMap({"2S": 9}), FrozenMap()),
        "times-or-sum": (FrozenMap({"times": 7}), FrozenMap({"sum": 7})),
        "suit": ("S", "none"),
        "card": ("2S", "2C"),
        "ranks": ("23456789TJQKA", "AKQJT98765432"),
        "fine": (3, 4),
        "hands": ((), (FrozenMap({"aces": 1, "quinola": 0}),)),
        "shapes": ((),),
        "privileged-cards": ((),),
    }
    known = tuple(question.readings) or samples[str(question.measure["type"])]
    return next((one for one in known if one != value), known[0])


def adrift(library: Library, ruleset: Ruleset, asked: Iterable[str]) -> Ruleset:
    """All answers that nobody has asked for are other answers, and every question has one."""
    own, kept = ruleset.rulings, frozenset(asked)
    others = {
        slug: otherwise(question, own[slug].value if slug in own else None)
        for slug, question in library.questions.items()
        if slug not in kept and slug != OTHER_QUINOLAS  # of which nothing is asked where it is not answered
    }
    return replace(ruleset, rulings={**own, **given_by_reader(others)})


def bare(ruleset: Ruleset, asked: Iterable[str]) -> Ruleset:
    return replace(ruleset, rulings={q: ruleset.rulings[q] for q in ruleset.rulings if q in frozenset(asked)})


def every_word(found: Settled) -> object:
    """A settlement entry by entry with all citations, the rules aside."""
    entries = Counter(repr((at, entry, found.rulings(entry))) for at, entry in enumerate(found.entries))
    parts = ("net", "pool", "outcome", "passed_over", "open", "asked")
    return {"entries": entries} | {part: getattr(found, part) for part in parts}


@pytest.mark.slow
@in_parts
@FEW
@given(sources, kinds, seeds)
def test_an_irrelevant_clause_changes_nothing(
    library: Library, family: Mapping[str, list[Ruleset]], part: int, source: str, kind: str, seed: int
) -> None:
    """Answer every question that a deal does not ask otherwise, or not at all: not one entry or citation changes."""
    deal = lot(family[source][0], kind, seed + part * 10**6)
    for ruleset in some(family[source], seed):
        found = settle(deal, ruleset)
        if isinstance(found, Settled):
            for other in (adrift(library, ruleset, found.asked), bare(ruleset, found.asked)):
                again = settle(deal, other)
                assert isinstance(again, Settled), again
                assert not difference(every_word(again), every_word(found))


@pytest.mark.slow
@MANY
@given(sources, kinds, seeds)
def test_what_was_refused_was_refused_by_what_it_cites(
    library: Library, rules: Rules, source: str, kind: str, seed: int
) -> None:
    """A refusal names the questions that matter for it, and none is missing."""
    ruleset = rules(source)
    found = settle(lot(ruleset, kind, seed), ruleset)
    if isinstance(found, Refused):
        for refusal in found.refusals:
            assert refusal.asked and all(q in ruleset.rulings for q in refusal.asked)


# ---- rivals
def changed(own: Ruleset, other: Ruleset) -> frozenset[str]:
    slugs = {*own.rulings, *other.rulings}
    return frozenset(s for s in slugs if value_of(own, s) != value_of(other, s))


def value_of(ruleset: Ruleset, slug: str) -> object:
    return ruleset.rulings[slug].value if slug in ruleset.rulings else None


@pytest.mark.slow
@in_parts
@FEW
@given(sources, kinds, seeds)
def test_a_rival_reading_differs_only_where_it_is_asked(
    family: Mapping[str, list[Ruleset]], part: int, source: str, kind: str, seed: int
) -> None:
    own = family[source][0]
    deal = lot(own, kind, seed + part * 10**6)
    before = settle(deal, own)
    for rival in family[source][1:]:
        if isinstance(before, Settled) and not before.asked & changed(own, rival):
            again = settle(deal, rival)
            assert isinstance(again, Settled) and not difference(every_word(again), every_word(before))


@pytest.mark.release
@MANY
@given(sources, kinds, seeds)
def test_an_entry_differs_only_if_it_cites_the_question(
    family: Mapping[str, list[Ruleset]], source: str, kind: str, seed: int
) -> None:
    """Where the same has happened, an entry that does not cite what a rival answers otherwise is the same."""
    own = family[source][0]
    deal = lot(own, kind, seed)
    if not isinstance(settle(deal, own), Settled):
        return
    happened, (_, before) = played(deal, own), told(deal, own)
    for rival in family[source][1:]:
        if played(deal, rival) != happened:
            continue
        found, other = changed(own, rival), settle(deal, rival)
        assert isinstance(other, Settled)
        _, after = told(deal, rival)
        known = {(e.rule, e.fact): e for e in after}
        for entry in before:
            if not found & set(entry.asked):
                # the name alone (forced or put) may rest on a question that the payment itself does not ask
                assert not difference(replace(known[entry.rule, entry.fact], name=""), replace(entry, name=""))


# ---- fragments
@pytest.mark.slow
@in_parts
@FEW
@given(sources, kinds, seeds, st.integers(1, 11))
def test_a_fragment_agrees_with_the_whole(
    family: Mapping[str, list[Ruleset]], part: int, source: str, kind: str, seed: int, length: int
) -> None:
    """What is settled of the first tricks stands in the whole deal; what it has besides was said to be open."""
    deal = lot(family[source][0], kind, seed + part * 10**6)
    faults = tuple(f for f in deal.faults if f.trick is None or f.trick <= length)
    part = replace(deal, tricks=deal.tricks[:length], fragment=True, faults=faults)
    if deal.fragment or faults != deal.faults:
        return
    for ruleset in some(family[source], seed):
        little, whole = settle(part, ruleset), settle(deal, ruleset)
        if isinstance(little, Settled) and isinstance(whole, Settled):
            assert_part_of(little, whole, length)


def assert_part_of(little: Settled, whole: Settled, length: int) -> None:
    known = {(e.rule, key(e.fact)): (e.postings, e.reason) for e in whole.entries}
    found = {(e.rule, key(e.fact)): (e.postings, e.reason) for e in little.entries}
    assert found.items() <= known.items()
    early = {place for place in known if place[1][1] is not None and place[1][1] <= length}
    assert {f"{rule} (trick {at[1]})" for rule, at in early - set(found)} <= set(little.open)


def key(fact: Fact) -> tuple[Any, ...]:
    """A fact by what was known of it when it happened."""
    return fact.kind, fact.trick, fact.card, fact.player, fact.manner
