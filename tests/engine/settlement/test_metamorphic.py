"""Every payment rule, by what becomes of it when one thing is changed: the deal, the pool, or one answer.

What the change should do is said here in plain arithmetic on the entries as they were before it; whatever the case does
not speak of must stay as it was. Every rule of the table of contents has its cases, and none of them is idle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import pytest

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.settlement.payments.rules import RULES
from engine.settlement.settle import Settled, settle
from rulebook.model import FrozenMap, Ruleset, Value
from tests.engine.settlement.test_settle import SPADES, broken_by_quinola, plays
from tests.support.deals import lay_deal, paid
from tests.support.random_deals import given_by_reader, lot, told
from tests.support.settling import Rules, Settle
from tests.support.tiers import sample

Sum: TypeAlias = tuple[object, object, int]  #: payer, payee, amount
Ledger: TypeAlias = Mapping[tuple[str, Fact], tuple[Sum, ...]]
Effect: TypeAlias = Callable[[Fact, tuple[Sum, ...], Settled], Iterable[Sum]]
KINDS = (
    "by lot", "at fault", "misdealt", "maker at fault", "announced", "revoked", "reversis made quinola forced",
    "quinola forced opposite first trick", "quinola forced side last trick", "quinola put side",
    "quinola thrown off opposite", "quinola thrown off side last trick", "quinola led", "quinola led first trick",
    "quinola in the talon", "ace of diamonds led opposite", "ace of hearts led side",
    "ace of diamonds thrown off opposite first trick", "ace of hearts thrown off last trick",
    "ace of spades forced opposite", "ace of diamonds forced side", "partie without trick", "reversis made",
    "reversis made quinola led trick 3", "reversis made quinola thrown off",
    "reversis made quinola followed ace thrown off", "reversis broken", "reversis broken quinola followed trick 10",
    "reversis broken quinola led trick 4", "espagnolette lost", "espagnolette lost quinola thrown off",
    "espagnolette lost ace thrown off", "espagnolette undertaken reversis made",
    "espagnolette undertaken reversis broken",
)  # fmt: skip
SEEDS = {"misdealt": 25}  #: of how many deals a kind needs more than five, so that all it can be occurs


# ---- what a case says
def times(k: int, of: Callable[[Fact, Sum, Settled], bool] = lambda fact, one, found: True) -> Effect:
    """So many times as much, for all that passes or for some of it."""
    return lambda fact, sums, found: [(a, b, n * k if of(fact, (a, b, n), found) else n) for a, b, n in sums]


def halved(of: Callable[[Fact, Sum, Settled], bool]) -> Effect:
    """Half as much for some of it."""
    return lambda fact, sums, found: [(a, b, n // 2 if of(fact, (a, b, n), found) else n) for a, b, n in sums]


def gone(of: Callable[[Fact, Sum, Settled], bool] = lambda fact, one, found: True) -> Effect:
    """Nothing any more, of all of it or of some."""
    return lambda fact, sums, found: [one for one in sums if not of(fact, one, found)]


def is_kind(kind: str) -> Callable[[Fact, Sum, Settled], bool]:
    return lambda fact, one, found: fact.kind == kind


def is_manner(*manners: str) -> Callable[[Fact, Sum, Settled], bool]:
    return lambda fact, one, found: fact.manner in manners


def faces(fact: Fact, one: Sum, found: Settled) -> bool:
    """Payer and payee sit opposite."""
    a, b, _ = one
    return fact.seats == 4 and isinstance(a, int) and isinstance(b, int) and abs(a - b) == 2


def from_player(fact: Fact, one: Sum, found: Settled) -> bool:
    """He who gave up the card pays, or has it back."""
    return fact.player in one[:2]


def from_others(fact: Fact, one: Sum, found: Settled) -> bool:
    return fact.player not in one[:2]


def both(*tests: Callable[[Fact, Sum, Settled], bool]) -> Callable[[Fact, Sum, Settled], bool]:
    return lambda fact, one, found: all(test(fact, one, found) for test in tests)


def in_trick(*numbers: int) -> Callable[[Fact, Sum, Settled], bool]:
    """In one of these tricks, counted from the front or from the end."""
    return lambda fact, one, found: fact.trick in {n if n > 0 else fact.last + 1 + n for n in numbers}


def with_pool(fact: Fact, one: Sum, found: Settled) -> bool:
    return "pool" in one[:2]


def hero(found: Settled) -> int | None:
    return found.outcome.reversis[0] if found.outcome.reversis else None


def placed(fact: Fact) -> bool:
    """The quinola thrown off."""
    return (fact.kind, fact.manner) == ("quinola", "thrown-off")


def back_and(*rules: str, effect: Effect) -> dict[str, Effect]:
    """The same for payments and for their return in a reversis."""
    return {**{rule: effect for rule in rules}, **{f"{rule}-returned": effect for rule in rules}}


@dataclass(frozen=True)
class Case:
    """Under a source, with some answers, some answers are changed; the effects are all that comes of it."""

    source: str
    change: Mapping[str, Value]
    effects: Mapping[str, Effect]
    given: Mapping[str, Value] = field(default_factory=dict)  #: the answers before the change, where not the source's
    deal: Callable[[Deal], Deal] = lambda deal: deal  #: and what is done to the deal

    def __str__(self) -> str:
        return f"{self.source} {' '.join(self.change) or 'deal'} {' '.join(self.effects)}"


ACE, QUINOLA = is_kind("ace"), is_kind("quinola")
THROWN = {**back_and("thrown-off", effect=times(2, ACE)), "espagnolette-returns": times(2, ACE)}
STAKES = ("draws-stake", "matches-stake")


def pools(times: int) -> Callable[[Deal], Deal]:
    """The same deal with a larger pool."""
    return lambda deal: replace(deal, pools={"": Pool(60 * times, (60 * times, 120 * times))})


CASES = (
    Case("PAM", {"ace.thrown-off.amount": 3, "ace.favoured-amount": FrozenMap({"times": 2})},
         {**back_and("thrown-off", effect=times(3, ACE)), "espagnolette-returns": times(3, ACE)},
         {"ace.favoured-amount": FrozenMap({"times": 2})}),
    Case("PAR", {"ace.thrown-off.amount": 2}, THROWN),
    Case("PAM", {"quinola.thrown-off.amount": 10},
         {**back_and("thrown-off", effect=times(2, QUINOLA)), "espagnolette-returns": times(2, QUINOLA)}),
    Case("GER", {"quinola.thrown-off.amount": 0}, back_and("thrown-off", effect=gone(QUINOLA))),
    Case("PAM", {"ace.favoured-amount": FrozenMap({"sum": 6})},
         {**back_and("thrown-off", "forced", "led", effect=times(3, lambda f, s, x: f.kind == "ace" and f.suit == "D")),
          "espagnolette-returns": times(3, lambda f, s, x: f.kind == "ace" and f.suit == "D")}),
    Case("PAM", {"payments.opposite": 1},
         {**back_and("thrown-off", "forced", "led", effect=halved(faces)), "espagnolette-returns": lambda f, sums, x: [
             (a, b, n // 2 if f.taker is not None and f.player is not None and abs(f.taker - f.player) == 2 else n)
             for a, b, n in sums]}),
    Case("PAR", {"payments.doubled-tricks": ()},
         {**back_and("thrown-off", "forced", "led", effect=halved(in_trick(-1, -2))),
          "espagnolette-returns": halved(in_trick(-1, -2)), "breaking-quinola": halved(in_trick(-1, -2))}),
    Case("PAM", {"payments.trick-factor": 6},
         {**back_and("thrown-off", "forced", "led", effect=times(3, in_trick(1, -1))),
          "espagnolette-returns": times(3, in_trick(1, -1))}),
    Case("PAR", {"ace.thrown-off.payer": "nobody"},
         {**back_and("thrown-off", effect=gone(ACE)), "espagnolette-returns": gone(ACE)}),
    Case("PAM", {"ace.forced.amount": 2, "ace.led.amount": 1}, back_and("forced", effect=times(2, ACE)),
         {"ace.favoured-suit": "none", "ace.led.amount": 1}),
    Case("PAR", {"quinola.forced.amount": 30},
         {**back_and("forced", effect=times(3, both(QUINOLA, from_player))),
          "breaking-quinola": times(3, from_player)}),
    Case("PAR", {"quinola.forced.others-pay": 0},
         {**back_and("forced", effect=gone(both(QUINOLA, from_others))), "breaking-quinola": gone(from_others)}),
    Case("PAM", {"quinola.forced.payee": "nobody"}, back_and("forced", effect=gone(QUINOLA))),
    Case("PAR", {"ace.led.amount": 4}, back_and("led", effect=times(4, both(ACE, from_player)))),
    Case("PAR", {"quinola.led.others-pay": 10}, back_and("led", effect=times(2, both(QUINOLA, from_others)))),
    Case("PAR", {"quinola.led.payee": "nobody"}, back_and("led", effect=gone(QUINOLA))),
    Case("PAM", {}, {"led": gone()},
         deal=lambda deal: replace(deal, claims={row[0]: False for row in deal.tricks})),
    Case("ACA", {"quinola.forced.to-every-other": 6}, back_and("forced-fine", effect=times(3)),
         {"quinola.forced.to-every-other": 2}),
    Case("GER", {"quinola.forced.to-every-other": 6}, back_and("forced-fine", effect=times(3)),
         {"quinola.forced.to-every-other": 2, "reversis.returns": "everything"}),
    Case("PAR", {"quinola.led.others-pay": 10, "quinola.led.amount": 20}, back_and("led", effect=times(2, QUINOLA)),
         {"partie.in-reversis": "settled-by-the-others"}),
    Case("GER", {"quinola.forced.to-every-other": 0}, back_and("forced-fine", effect=gone()),
         {"quinola.forced.to-every-other": 2}),
    Case("PAM", {"quinola.thrown-off.stake": "nothing"},
         {**back_and("draws-stake", effect=gone()), "espagnolette-returns-stake": gone()}),
    Case("PAM", {"quinola.led.stake": "nothing"}, back_and("matches-stake", effect=gone(is_manner("led")))),
    Case("PAR", {"quinola.forced.stake": "nothing"}, back_and("matches-stake", effect=gone(is_manner("followed")))),
    Case("PAM", {"stake.match-base": "stake-and-waiting"},
         {**back_and("matches-stake", effect=times(4)),
          "reversis-by-quinola": times(4, lambda f, s, x: s[1] == "pool")}),
    Case("PAM", {}, {**back_and(*STAKES, effect=times(2)), "espagnolette-returns-stake": times(2),
                     "reversis-by-quinola": times(2)}, deal=pools(2)),
    Case("GER", {}, {**back_and(*STAKES, effect=times(3)), "reversis-stake": times(3), "stake-by-tricks": times(3)},
         deal=pools(3)),
    Case("ACA", {}, {"fine": times(2, with_pool), "fine-returned": times(2, with_pool),
                     **back_and(*STAKES, effect=times(2)), "reversis-stake": times(2)}, deal=pools(2)),
    Case("PAM", {"espagnolette.lost.returns-own": 6},
         {"espagnolette-returns": times(3, lambda f, s, x: f.player == s[0])}),
    Case("PAM", {"espagnolette.lost.returns-others": 0},
         {"espagnolette-returns": gone(lambda f, s, x: f.player != s[0])}),
    Case("PAM", {"espagnolette.lost.returns-others-to": "who-was-paid"},
         {"espagnolette-returns": lambda f, sums, x: [
             (a, b if f.player == a else f.player, n) for a, b, n in sums]}),
    Case("PAR", {"espagnolette.lost.stake": 4}, {"espagnolette-returns-stake": times(2)}),
    Case("PAM", {"espagnolette.lost.stake": 0}, {"espagnolette-returns-stake": gone()}),
    Case("PAM", {"reversis.stake": "nothing"}, {"reversis-by-quinola": gone()}),
    Case("PAM", {"reversis.broken.stake": "nothing"},
         {"reversis-by-quinola": gone(lambda f, s, x: s[1] == "pool")}),
    Case("PAR", {"reversis.stake-pools": "stake-and-waiting"},
         {"reversis-by-quinola": times(4, lambda f, s, x: s[0] == "pool")}),
    Case("PAR", {"reversis.breaking-quinola": "holder-pays"}, {"breaking-quinola": gone(from_others)}),
    Case("PAR", {"reversis.breaking-quinola": "nothing"}, {"breaking-quinola": gone()}),
    Case("PAM", {"reversis.made.neighbour": 48},
         {"reversis-made": times(3, lambda f, s, x: f.player is not None and (f.player - (hero(x) or 0)) % 2 == 1)}),
    Case("PAR", {"reversis.made.opposite": 0},
         {"reversis-made": gone(lambda f, s, x: f.player is not None and (f.player - (hero(x) or 0)) % 2 == 0)}),
    Case("ACA", {"reversis.made.neighbour": 4, "reversis.made.opposite": 4}, {"reversis-made": times(2)}),
    Case("PAR", {"reversis.broken.amount": 128}, {"reversis-broken": times(2)}),
    Case("PAM", {"reversis.broken.breaker": "nobody"}, {"reversis-broken": gone()}),
    Case("ACA", {"reversis.stake-pools": "stake-and-waiting"}, {"reversis-stake": times(4)}),
    Case("PAR", {"partie.per-point": 2}, {"partie": times(2)}),
    Case("ACA", {"partie.per-point": 0}, {"partie": gone()}),
    Case("PAM", {"partie.opposite": 1}, {"partie": halved(faces)}),
    Case("PAM", {"talon.bonus": 14}, {"partie": lambda f, sums, x: [
        (a, b, n + (20 if faces(f, (a, b, n), x) else 10)) for a, b, n in sums]}),
    Case("GER", {"partie.per-point": 2, "partie.eldest-share": "none"}, {"partie": times(2)},
         {"partie.eldest-share": "none"}),
    Case("GER", {"stake.by-tricks": ()}, {"stake-by-tricks": gone()}),
    Case("ACA", {"stake.refreshed.amount": 6}, {"refreshed": times(3)}),
    Case("GER", {"stake.refreshed.when": ("laid-away",)}, {"refreshed": gone(is_manner("followed"))}),
    Case("ACA", {"stake.refreshed.when": ()}, {"refreshed": gone()}),
    Case("PAM", {"misdeal.late-fine": 60}, {"misdeal": times(3, lambda f, s, x: noticed(f) != "before-discard")}),
    Case("PAM", {"misdeal.redemption": 10}, {"misdeal": times(2, lambda f, s, x: noticed(f) == "before-discard")}),
    Case("PAM", {"revoke.fine": 20, "out-of-turn.fine": 10}, {"fine": times(2), "fine-returned": times(2)}),
    Case("GER", {"revoke.fine": 0}, {"fine": gone(is_manner("revoke"))}),
    Case("ACA", {"reversis.returns-fines": "no"}, {"fine-returned": gone()}),
    Case("PAM", {"reversis.returns-fines": "no"}, {"fine-returned": gone()}, {"reversis.returns-fines": "yes"}),
    *(Case(source, {"reversis.returns": "makers-own-and-thrown-quinola"},
           {f"{rule}-returned": gone(lambda f, s, x: s[1] != hero(x) and not placed(f)) for rule in
            ("thrown-off", "forced", "led", "forced-fine", "draws-stake", "matches-stake")},
           {"reversis.returns": "everything"}) for source in ("PAM", "PAR", "ACA", "GER")),
    Case("GER", {"reversis.returns": "makers-own-to-pool-and-thrown-quinola"},
         {f"{rule}-returned": gone(lambda f, s, x: s[:2] != ("pool", hero(x)) and not placed(f))
          for rule in ("thrown-off", "forced")}),
)  # fmt: skip


def noticed(fact: Fact) -> str:
    return fact.fault.noticed if fact.fault else ""


# ---- holding them against the deals
DEALT: dict[str, tuple[Deal, ...]] = {}


def lots(source: str, rules: Rules) -> tuple[Deal, ...]:
    """Deals of all kinds, the same for every case of a source, with much in the pool."""
    if source not in DEALT:
        every = [lot(rules(source), kind, seed) for kind in KINDS for seed in range(SEEDS.get(kind, 5))]
        DEALT[source] = tuple(pools(1)(deal) for deal in every)
    return DEALT[source]


def changed(ruleset: Ruleset, given: Mapping[str, Value]) -> Ruleset:
    return replace(ruleset, rulings={**ruleset.rulings, **given_by_reader(given)})


def ledger(found: Settled) -> Ledger:
    """What passes, rule by rule and fact by fact, whatever was claimed."""
    sums: dict[tuple[str, Fact], tuple[Sum, ...]] = {}
    for entry in found.entries:
        passes = [(p.payer, p.payee, p.counted(found.before)) for p in entry.postings]
        sums[entry.rule, replace(entry.fact, claimed=True)] = tuple(sorted((p for p in passes if p[2]), key=str))
    return {key: value for key, value in sums.items() if value}


def expected(case: Case, before: Settled) -> Ledger:
    """The ledger that should come of it."""
    keep: Effect = lambda fact, sums, found: sums  # noqa: E731
    after = {
        (rule, fact): tuple(sorted(case.effects.get(rule, keep)(fact, sums, before), key=str))
        for (rule, fact), sums in ledger(before).items()
    }
    return {key: sums for key, value in after.items() if (sums := tuple(one for one in value if one[2]))}


KNOWN: dict[int, tuple[set[str], list[str]]] = {}


def tried(case: Case, rules: Rules) -> tuple[set[str], list[str]]:
    """The rules whose entries a case has changed, and all that has come out otherwise than it says."""
    if id(case) not in KNOWN:
        KNOWN[id(case)] = on_all(case, rules)
    return KNOWN[id(case)]


def on_all(case: Case, rules: Rules) -> tuple[set[str], list[str]]:
    """A case on all deals that can be settled."""
    one = changed(rules(case.source), case.given)
    two = changed(one, case.change)
    touched, wrong = set[str](), list[str]()
    for deal in lots(case.source, rules):
        before = settle(deal, one)
        if isinstance(before, Settled):
            after = settle(case.deal(deal), two)
            assert isinstance(after, Settled), after
            had, want, found = ledger(before), expected(case, before), ledger(after)
            wrong += [f"{k}: {want.get(k)} != {found.get(k)}" for k in {*want, *found} if want.get(k) != found.get(k)]
            touched |= {k[0] for k in {*had, *found} if had.get(k) != found.get(k)}
    return touched, wrong


@pytest.mark.slow
@pytest.mark.parametrize("case", sample(CASES, 32), ids=str)
def test_one_change_changes_what_it_should_and_nothing_else(case: Case, rules: Rules) -> None:
    touched, wrong = tried(case, rules)
    assert not wrong, "; ".join(wrong[:2])
    assert touched and touched <= set(case.effects)


def test_every_rule_has_its_case() -> None:
    assert {rule for case in CASES for rule in case.effects} | {"dealt-again"} == {rule.name for rule in RULES}


@pytest.mark.release
def test_no_rule_is_idle_in_all_of_its_cases(rules: Rules) -> None:
    touched = {rule for case in CASES for rule in tried(case, rules)[0]}
    assert touched | {"dealt-again"} == {rule.name for rule in RULES}


# ---- what no factor can say
def test_dealt_again_hangs_on_its_cause_alone(rules: Rules) -> None:
    """Where a fault is no cause for dealing again, the deal is settled as if nobody had noted it."""
    own, seen = rules("ACA"), 0
    for seed in range(80):
        deal = lot(own, "misdealt", seed)
        if {f.kind for f in deal.faults} != {"badly-shuffled"}:
            continue
        seen += 1
        void, stands = settle(deal, own), settle(deal, changed(own, {"deal.again": ("incomplete-pack",)}))
        plain = settle(replace(deal, faults=()), own)
        assert isinstance(void, Settled) and isinstance(stands, Settled) and isinstance(plain, Settled)
        (entry,) = void.entries
        assert (entry.rule, entry.postings, entry.by) == ("dealt-again", (), "deal.again")
        assert void.outcome.void and set(void.net.values()) == {0} and void.outcome.next_dealer == deal.dealer
        assert stands.entries == plain.entries and stands.outcome == plain.outcome and len(stands.passed_over) == 1
    assert seen > 3


@pytest.mark.slow
def test_what_bars_from_nothing_changes_nothing(rules: Rules) -> None:
    """A talon card seen, where nothing is denied for it, leaves the ledger as it is without the fault."""
    own, barred = rules("PAM"), 0
    for seed in range(60):
        deal = lot(own, "at fault", seed)
        if {f.kind for f in deal.faults} != {"peek"}:
            continue
        free, plain = settle(deal, changed(own, {"peek.bars": ()})), settle(replace(deal, faults=()), own)
        found = settle(deal, own)
        assert isinstance(free, Settled) and isinstance(plain, Settled) and isinstance(found, Settled)
        assert (ledger(free), free.pool, free.outcome) == (ledger(plain), plain.pool, plain.outcome)
        barred += ledger(found) != ledger(plain)
        culprits = {f.seat for f in deal.faults if len(found.passed_over) == 0}
        winner = found.outcome.partie and found.outcome.partie.winner
        assert winner not in culprits
    assert barred > 3


# ---- the quinola that breaks a reversis
def test_the_quinola_is_paid_for_the_trick_that_breaks_and_no_later_one(settles: Settle) -> None:
    """He who has broken the reversis in trick 10 with another card takes trick 11 with the quinola: nothing is due."""
    tricks = plays(SPADES.split(), {10: "south:2C! east:KC", 11: "east:JH!"})
    led = lay_deal(hands={"south": "2C"}, tricks=tricks, takers={10: "east"})
    tricks = plays(SPADES.split(), {10: "south:2C! north:KC", 11: "north:3H! east:JH"})
    follows = lay_deal(hands={"south": "2C"}, tricks=tricks, takers={10: "north", 11: "east"})
    for deal, breaker in ((led, "east"), (follows, "north")):
        settled = settles(deal, "PAR")
        assert paid(settled, "breaking-quinola") == {}
        assert paid(settled, "reversis-broken") == {("south", breaker): 64}
    _, every = told(follows, settled.ruleset)
    (entry,) = [e for e in every if e.rule == "breaking-quinola"]
    assert (entry.postings, entry.reason, entry.by) == ((), "broken-before", "reversis.broken.breaker")
    each = settles(follows, "PAR", "reversis.broken.breaker=each")
    assert paid(each, "breaking-quinola") == {}
    assert paid(settles(broken_by_quinola("east", 11), "PAR"), "breaking-quinola")[("east", "south")] == 20


def test_he_who_breaks_twice_is_paid_for_a_quinola_only_in_the_first_trick(settles: Settle) -> None:
    """The same player takes both last tricks: the quinola counts in trick 10, and not in trick 11."""
    first = plays(SPADES.split(), {10: "south:2H! east:JH", 11: "east:3C!"})
    later = plays(SPADES.split(), {10: "south:2H! east:KH", 11: "east:JH!"})
    deals = [lay_deal(hands={"south": "2H"}, tricks=tricks, takers={10: "east"}) for tricks in (first, later)]
    due = [paid(settles(deal, "PAR"), "breaking-quinola") for deal in deals]
    assert due == [{("east", "south"): 20, ("north", "south"): 20, ("west", "south"): 10}, {}]
