"""Why and why not: of every payment that could have been there is one account, paid or not, and one true reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any, TypeAlias

import pytest

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.settlement.explain import REQUIRED_QUESTIONS, RETURN_RULES, Reckoning, reckon
from engine.settlement.ledger import Entry
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.settle import Refused, Unanswered, pair_rules_with_facts, settle
from rulebook.model import Library, Ruleset
from rulebook.resolve import Choice, drop_answer, iter_clause_alternatives, resolve
from tests.engine.settlement.test_settle import (
    broken_by_quinola,
    broken_with_his_own_quinola,
    made,
    made_with_hearts,
    plays,
)
from tests.support.deals import FIVE, FOUR, SHAPES, Laid, laid, lay_deal, mixed, read, record
from tests.support.settling import Rules
from tests.support.tiers import mark_for_release

EACH = 4  #: of the random deals, how many lie between one that an alternative is tried on and the next


# ---- the deals
@cache
def by_lot(number: int) -> Deal:
    """A random deal: four or five players, with or without tens, pools full and empty, some claims forgotten."""
    rng = Random(number)
    seats, pack = list(SHAPES)[number % 4]
    names = FOUR if seats == 4 else FIVE
    found = laid(seats=names, pack=pack, dealer=names[-1], heart_first=number % 3 > 0, seed=number)
    faults = [{"kind": "out-of-turn", "seat": rng.choice(names), "trick": 2}] if number % 7 == 0 else []
    cards = [c for row in found.tricks for c in row if c[0] == "A" or c == "JH"]
    pool = {"stake": rng.choice([0, 55, 60]), "waiting": rng.choice([[], [25]])}
    claims = {c: rng.random() < 0.5 for c in cards if leads(found, c)}
    return read(record(found, names[-1], pack, pool, faults=faults, claims=claims))


def leads(found: Laid, card: str) -> bool:
    """Whether a card was led to its trick."""
    return any(row[0] == card for row in found.tricks)


@pytest.fixture(scope="module")
def rulesets(library: Library) -> tuple[Ruleset, ...]:
    """Every source as it is, and with each of its alternatives."""
    own = [resolve(library, siglum) for siglum in library.sources]
    named = [
        resolve(library, siglum, [Choice(one.id, named=one.id)])
        for siglum in library.sources
        for _, one in iter_clause_alternatives(library.sources[siglum].clauses)
    ]
    return (*own, *named)


@pytest.fixture(scope="module", params=[24, mark_for_release(1)])
def reckonings(
    request: pytest.FixtureRequest, rulesets: tuple[Ruleset, ...], deals: dict[str, Deal]
) -> tuple[Reckoning, ...]:
    """Hundreds of random deals, and all worked ones, by every source and every alternative; by default, a few."""
    lots = [by_lot(number) for number in range(240 if request.param == 1 else 120)]
    own = [r for r in rulesets if r.name == r.source]
    tried = [*product(deals.values(), rulesets)][:: request.param]
    tried += [(deal, ruleset) for deal in lots for ruleset in own]
    tried += [(deal, ruleset) for at, ruleset in enumerate(rulesets) for deal in lots[at % EACH :: EACH * 4]]
    found = tuple(one for one in (reckon(deal, ruleset) for deal, ruleset in tried) if isinstance(one, Reckoning))
    assert len(found) > 5000 / request.param
    return found


# ---- exhaustive and exclusive
@pytest.mark.release
def test_every_rule_on_every_fact_is_paid_or_not_or_without_bearing_and_only_one_of_them(
    reckonings: tuple[Reckoning, ...],
) -> None:
    for one in reckonings:
        played = replay_deal(one.settled.deal, Ask(one.settled.ruleset))
        domain = Counter((rule.name, fact) for rule, fact in pair_rules_with_facts(played))
        assert Counter([*((r.rule, r.fact) for r in one.all), *one.idle]) == domain
        assert len(one.paid) + len(one.unpaid) == len(one.all)
        assert all(any(one.settled.amounts(r)) for r in one.paid)
        assert all(r.reason in NONPAYMENT_REASONS for r in one.unpaid)


@pytest.mark.slow
def test_what_passes_is_what_the_ledger_says(reckonings: tuple[Reckoning, ...]) -> None:
    for one in reckonings:
        counted = [e for e in one.settled.entries if any(p.counted(one.settled.before) for p in e.postings)]
        passing = [(r.rule, r.fact, r.postings) for r in one.all if any(one.settled.amounts(r))]
        assert passing == [(e.rule, e.fact, e.postings) for e in counted]
        shown = {(e.rule, e.fact) for e in one.settled.entries}
        assert shown <= {(r.rule, r.fact) for r in one.all}


def test_what_is_paid_in_the_end_makes_the_balance(reckonings: tuple[Reckoning, ...]) -> None:
    for one in reckonings:
        seats, net = one.settled.deal.seats, Counter[object]()
        back = {(RETURN_RULES[r.rule][0], r.fact) for r in one.unpaid if r.reason == "returned"}
        for r in one.paid:
            for p, amount in zip(r.postings, one.settled.amounts(r), strict=True):
                lost = amount if (r.rule, r.fact) not in back else 0
                net[p.payer] -= lost
                net[p.payee] += lost
        assert {a: net[a] for a in (*range(len(seats)), "pool")} == dict(one.settled.net)


# ---- each reason is true where it is given
def value(entry: Entry, rules: Ruleset) -> Any:
    """The answer that decides, followed to where it points."""
    return Ask(rules)(entry.by)


def hero(one: Reckoning) -> int | None:
    """Who has undertaken the reversis."""
    return one.settled.outcome.reversis[0] if one.settled.outcome.reversis else None


def is_made(one: Reckoning) -> bool:
    """Whether a reversis was made."""
    return bool(one.settled.outcome.reversis and one.settled.outcome.reversis[1])


def needed(fact: Fact) -> bool:
    """Whether its holder could play no other card."""
    return fact.alone and not fact.free


def counts(fact: Fact, hero: int | None, whose: str, rules: Ruleset) -> bool:
    """Whether this quinola is the one that counts in a reversis."""
    own = fact.player == hero
    forced = fact.manner == "followed" and (Ask(rules)("quinola.forced.when") == "own-suit" or needed(fact))
    return {"his-own": own, "his-own-unless-forced": own and not forced}.get(whose, fact.taker == hero)


Holds: TypeAlias = Callable[[Entry, Reckoning, Ruleset], bool]
#: What must be so where a reason is given, found without the rule that gives it.
HOLDS: Mapping[str, Holds] = {
    "no-question": lambda r, d, rules: (
        bool(rules.reasons[REQUIRED_QUESTIONS[r.rule]]) and REQUIRED_QUESTIONS[r.rule] not in rules.rulings
    ),
    "supplied": lambda r, d, rules: rules.rulings[r.by].supplied,
    "open": lambda r, d, rules: d.settled.deal.fragment,
    "barred": lambda r, d, rules: (
        r.by.startswith("barred") or any(r.by == f"{f.kind}.bars" for f in d.settled.deal.faults)
    ),
    "returned": lambda r, d, rules: hero(d) is not None and any(d.settled.amounts(r)),
    "empty-pool": lambda r, d, rules: (
        bool(r.postings) and not any(d.settled.before.of(posting.pool).stake for posting in r.postings)
    ),
    "made": lambda r, d, rules: is_made(d) and r.fact.player == hero(d),
    "broken": lambda r, d, rules: hero(d) is not None and not is_made(d),
    "reversis": lambda r, d, rules: hero(d) is not None,
    "told-at-quinola": lambda r, d, rules: is_made(d) and value(r, rules) == "own-quinola-early",
    "quinola-aside": lambda r, d, rules: hero(d) is not None and value(r, rules) in ("draws", "nothing"),
    "not-his": lambda r, d, rules: r.fact.trick is None or not counts(r.fact, hero(d), value(r, rules), rules),
    "too-late": lambda r, d, rules: hero(d) is not None and (r.fact.trick or 0) > 9,
    "broken-before": lambda r, d, rules: hero(d) is not None and not is_made(d),
    "absolved": lambda r, d, rules: value(r, rules) == "waived",
    "own": lambda r, d, rules: not r.by or value(r, rules) in ("nothing", "taker", "who-paid", "highest-heart-before"),
    "nothing-owed": lambda r, d, rules: r.rule == "partie" and hero(d) != r.fact.player,
    "nothing-paid": lambda r, d, rules: r.rule.startswith("espagnolette"),
    "not-forced": lambda r, d, rules: (
        r.fact.privileged and not r.fact.court_led
        if r.by == "espagnolette.forced"
        else value(r, rules) == "sole-card" and not needed(r.fact)
    ),
    "led-otherwise": lambda r, d, rules: r.fact.manner == "led" and value(r, rules) != "any-lead",
    "unclaimed": lambda r, d, rules: not r.fact.claimed and value(r, rules) == "must-be-claimed",
    "not-then": lambda r, d, rules: r.name.removeprefix("quinola-") not in value(r, rules),
    "won-otherwise": lambda r, d, rules: r.by.startswith(("stake", "quinola", "reversis.stake")),
    "stands": lambda r, d, rules: hero(d) is not None,
    "another-pays": lambda r, d, rules: (
        d.settled.outcome.partie is not None and r.fact.player not in d.settled.outcome.partie.losers
    ),
    "no-payee": lambda r, d, rules: hero(d) is None or r.rule == "forced",
    "nobody-pays": lambda r, d, rules: (
        d.settled.outcome.void
        if r.rule in ("dealt-again", "misdeal")
        else value(r, rules) in (0, "nobody", "nothing", "puts-in-the-stake", ())
    ),
}


def test_every_reason_is_true_where_it_is_given(reckonings: tuple[Reckoning, ...]) -> None:
    assert set(HOLDS) == set(NONPAYMENT_REASONS)
    untrue = [
        (one.settled.deal.id, one.settled.ruleset.name, r.rule, r.reason)
        for one in reckonings
        for r in one.unpaid
        if not HOLDS[r.reason](r, one, one.settled.ruleset)
    ]
    assert untrue == []


def test_a_payment_that_the_source_itself_denies_is_not_called_supplied(reckonings: tuple[Reckoning, ...]) -> None:
    said = [one.settled.ruleset.rulings[r.by] for one in reckonings for r in one.unpaid if r.reason == "nobody-pays"]
    assert said and not [ruling for ruling in said if ruling.supplied]


# ---- each reason occurs
def reasons(deal: Deal, ruleset: Ruleset, rule: str = "") -> set[str]:
    """Why payments are not made."""
    found = reckon(deal, ruleset)
    assert isinstance(found, Reckoning), found
    for one in found.unpaid:
        assert HOLDS[one.reason](one, found, ruleset), one
    return {one.reason for one in found.unpaid if rule in ("", one.rule)}


def fragment() -> Deal:
    """Four tricks of a deal."""
    d = laid(tricks={2: "south:9S! east:AC"}, takers={2: "south"}, where=mixed)
    return read(record(d) | {"tricks": [" ".join(row) for row in d.tricks[:4]], "fragment": True})


def quinola_thrown(**keys: Any) -> Deal:
    """The quinola thrown on a spade."""
    return read(record(laid(tricks={5: "south:9S! east:JH"}, takers={5: "south"}, where=mixed), **keys))


def quinola_led(**keys: Any) -> Deal:
    """The quinola led."""
    return read(record(laid(tricks={5: "south:JH!"}, where=mixed), **keys))


def revoker_throws_an_ace() -> Deal:
    """East revokes, and later throws off an ace."""
    found = laid(
        tricks={3: "south:9S! east:7C", 8: "south:9D! east:AC"},
        hands={"east": "6S"},
        takers={8: "south"},
        revokes=[(3, "east")],
        where=lambda d: mixed(d) and next(t for t, row in enumerate(d.tricks, 1) if "6S" in row) > 3,
    )
    return read(record(found, faults=[{"kind": "revoke", "seat": "east", "trick": 3}]))


def breaks_then_the_quinola_takes() -> Deal:
    """South's reversis is broken by a club in trick 10; another then takes the last trick with the quinola."""
    first = ["AS", "KS", "QS", "JS", "9S", "8S", "7S", "6S", "5S"]
    tricks = plays(first, {10: "south:2C! west:KC", 11: "west:2H! east:JH"})
    return lay_deal(hands={"south": "2C 2D"}, tricks=tricks, takers={10: "west", 11: "east"})


def lost(deals: dict[str, Deal]) -> Deal:
    """An espagnolette lost by the last trick."""
    return deals["pam-espagnolette-lost-last"]


def test_unclaimed_open_empty_pool_barred(rules: Rules) -> None:
    assert "unclaimed" in reasons(quinola_led(claims={"JH": False}), rules("PAM"), "led")
    assert "open" in reasons(fragment(), rules("PAM"), "partie")
    empty = quinola_thrown(pool={"stake": 0, "waiting": []})
    assert reasons(empty, rules("PAM"), "draws-stake") == {"empty-pool"}
    assert reasons(quinola_thrown(), rules("PAM"), "draws-stake") == set()
    assert "barred" in reasons(revoker_throws_an_ace(), rules("PAM"), "thrown-off")
    assert "barred" not in reasons(revoker_throws_an_ace(), rules("PAM", "revoke.bars=nothing"), "thrown-off")


def test_broken_before_absolved_quinola_aside(rules: Rules) -> None:
    assert reasons(breaks_then_the_quinola_takes(), rules("PAR"), "breaking-quinola") == {"broken-before"}
    waived = rules("PAR", "reversis.breaking-quinola=holder-pays")
    assert reasons(broken_with_his_own_quinola(), waived, "breaking-quinola") == {"absolved"}
    assert reasons(broken_with_his_own_quinola(), rules("PAR"), "breaking-quinola") == set()
    always = rules("PAM", "reversis.stake=draws")
    assert reasons(made_with_hearts(3), always, "reversis-by-quinola") == {"quinola-aside"}


def test_nothing_was_paid_that_a_lost_espagnolette_could_give_back(rules: Rules, deals: dict[str, Deal]) -> None:
    unpaid = rules("PAM", "ace.thrown-off.amount=0", "ace.favoured-suit=none", "quinola.thrown-off.stake=nothing")
    assert "nothing-paid" in reasons(lost(deals), unpaid, "espagnolette-returns")
    assert reasons(lost(deals), unpaid, "espagnolette-returns-stake") == {"nothing-paid"}
    assert reasons(lost(deals), rules("PAM"), "espagnolette-returns") == set()


def test_a_question_that_makes_no_sense_in_a_source_is_told_apart_from_its_silence(rules: Rules) -> None:
    assert reasons(made_with_hearts(1), rules("ACA"), "reversis-by-quinola") == {"no-question"}
    assert reasons(made("talon"), rules("PAM"), "refreshed") == {"supplied"}
    assert reasons(made("talon"), rules("PAM"), "reversis-stake") == {"told-at-quinola"}
    assert reasons(made("talon"), rules("PAM"), "reversis-by-quinola") == {"not-his"}


# ---- chains of answers
def test_pam_s0074_the_chain_from_a_forced_quinola_to_its_clauses(deals: dict[str, Deal], rules: Rules) -> None:
    deal = deals["pam-quinola-forced-opposite-last"]
    found = reckon(deal, rules("PAM"))
    assert isinstance(found, Reckoning)
    one = next(r for r in found.paid if r.rule == "forced" and r.fact.kind == "quinola")
    assert sum(found.settled.amounts(one)) == 60
    chain = {r.question: (r.value, r.clauses) for r in found.settled.rulings(one)}
    assert chain["quinola.forced.amount"] == (10, ("PAM.c032",))
    assert chain["payments.opposite"] == (2, ("PAM.c046",))


def test_every_payment_rests_on_a_clause_and_every_refusal_of_one_on_an_answer(
    reckonings: tuple[Reckoning, ...],
) -> None:
    for one in reckonings:
        assert all(any(ruling.clauses for ruling in one.settled.rulings(r)) for r in one.paid)
        decisive = [r for r in one.unpaid if r.by in one.settled.ruleset.rulings and r.reason != "returned"]
        assert all(r.by in r.asked for r in decisive)


def test_pam_s0104_what_a_reversis_gives_back_reads_as_returned(deals: dict[str, Deal], rules: Rules) -> None:
    deal = deals["pam-reversis-made-quinola-late"]
    found = reckon(deal, rules("PAM"))
    assert isinstance(found, Reckoning)
    back = [r for r in found.unpaid if r.reason == "returned"]
    assert {r.rule for r in back} == {"thrown-off", "matches-stake"}
    assert {r.by for r in back} == {"reversis.returns"}


def test_aca_s0035_a_fine_that_comes_back_is_returned_by_its_own_question(deals: dict[str, Deal], rules: Rules) -> None:
    deal = deals["fine-before-a-reversis-at-four"]
    found = reckon(deal, rules("ACA"))
    assert isinstance(found, Reckoning)
    fine = next(r for r in found.all if r.rule == "fine")
    assert fine.reason == "returned" and fine.by == "reversis.returns-fines"


def test_what_cannot_be_settled_is_said_as_settling_says_it(deals: dict[str, Deal], rules: Rules) -> None:
    refused = deals["king-of-hearts-laid-out"]
    assert isinstance(reckon(refused, rules("ACA")), Refused)
    assert reckon(refused, rules("ACA")) == settle(refused, rules("ACA"))
    silent = deals["fine-before-a-reversis-at-four"]
    assert isinstance(reckon(silent, rules("PAR")), Unanswered)
    bare = reckon(lost(deals), drop_answer(rules("PAM"), "partie.winner"))
    assert isinstance(bare, Unanswered) and bare.silent.question == "partie.winner"


# ---- of several reasons, one


def test_the_breaking_quinola_in_a_source_that_knows_no_broken_reversis(rules: Rules) -> None:
    deal = broken_by_quinola("east")
    assert "broken" in reasons(deal, rules("PAM"), "reversis-made")
    assert reasons(deal, rules("PAM"), "breaking-quinola") == {"nobody-pays"}
    nobody = rules("PAM", "reversis.broken.breaker=nobody")
    assert reasons(deal, nobody, "reversis-broken") == {"nobody-pays"}
    assert reasons(deal, nobody, "breaking-quinola") == {"nobody-pays"}
