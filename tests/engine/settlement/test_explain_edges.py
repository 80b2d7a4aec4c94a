"""When a rule has a bearing on a fact: its sentence in RULE_BEARINGS, held against what happened, rule by rule."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.settlement.explain import RETURN_RULES, RULE_BEARINGS, Reckoning, reckon
from engine.settlement.outcome import DealOutcome
from engine.settlement.payments.rules import RULES
from engine.settlement.settle import select_rules_for_fact
from tests.engine.settlement.test_settle import made
from tests.support.deals import lay_deal
from tests.support.settling import Rules

NOT_ASKED: Any = None


def has_bearing(rule: str, seen: SimpleNamespace, player: int = 0) -> bool:
    """Whether a rule has a bearing on what a player did."""
    fact: Any = SimpleNamespace(player=player)
    outcome: Any = seen
    return RULE_BEARINGS[rule].bears(fact, outcome, NOT_ASKED)


def test_a_payment_comes_back_by_its_own_rule_and_only_what_faults_cost_by_the_question_of_fines() -> None:
    returned = {rule.name for rule in RULES if rule.name.endswith("-returned")} - {"fine-returned"}
    assert returned
    assert {
        "fine": ("fine-returned", "reversis.returns-fines"),
        "misdeal": ("fine-returned", "reversis.returns-fines"),
        **{name.removesuffix("-returned"): (name, "reversis.returns") for name in returned},
    } == RETURN_RULES


@pytest.mark.parametrize(
    "rule", ["thrown-off", "forced", "led", "forced-fine", "refreshed", "misdeal", "dealt-again", "fine"]
)
def test_what_is_looked_for_whenever_the_card_is_played_so_or_the_fault_is_there(rule: str) -> None:
    assert has_bearing(rule, SimpleNamespace())


@pytest.mark.parametrize("rule", ["reversis-broken", "reversis-stake"])
def test_what_only_he_pays_or_wins_who_has_undertaken_the_reversis(rule: str) -> None:
    assert has_bearing(rule, SimpleNamespace(hero=2), player=2)
    assert not has_bearing(rule, SimpleNamespace(hero=2), player=1)
    assert not has_bearing(rule, SimpleNamespace(hero=None), player=1)


def test_the_quinola_wins_a_reversis_only_where_one_was_undertaken() -> None:
    assert has_bearing("reversis-by-quinola", SimpleNamespace(hero=0))
    assert not has_bearing("reversis-by-quinola", SimpleNamespace(hero=None))


def test_the_stake_comes_back_from_the_espagnolette_who_has_lost_and_from_nobody_else() -> None:
    def seen(lost: bool) -> SimpleNamespace:
        return SimpleNamespace(espagnolette_lost=lost, espagnolette=3)

    assert has_bearing("espagnolette-returns-stake", seen(True), player=3)
    assert not has_bearing("espagnolette-returns-stake", seen(True), player=2)
    assert not has_bearing("espagnolette-returns-stake", seen(False), player=3)


@pytest.mark.parametrize(
    ("outcome", "share", "looked_for"),
    [
        ({}, "none", {3}),  # nobody wins it: one account, the dealer's
        ({"hero": 1}, "none", {1}),  # nor in a reversis: that of the player who has undertaken it
        ({"winner": 0, "loser": 2}, "none", {1, 2, 3}),
        ({"winner": 0, "loser": 2}, "debt-shared", {2, 3}),  # the eldest pays together with the loser
        ({"winner": 0, "loser": 2, "hero": 3}, "debt-shared", {1, 2, 3}),  # nothing is shared in a reversis
    ],
)
def test_the_partie_is_looked_for_of_everyone_but_its_winner_and_of_one_where_nobody_wins_it(
    outcome: dict[str, int], share: str, looked_for: set[int]
) -> None:
    seen: Any = SimpleNamespace(**(dict.fromkeys(("hero", "winner", "loser", "twin")) | outcome))
    ask: Any = SimpleNamespace(word=lambda question: share)
    bears = RULE_BEARINGS["partie"].bears
    facts = [Fact("seat", 4, 3, 1, 11, player=player) for player in range(4)]
    assert {fact.player for fact in facts if bears(fact, seen, ask)} == looked_for


def test_an_account_is_given_of_what_no_ledger_mentions_too(rules: Rules) -> None:
    one = reckoned(lay_deal(heart_first=True, seed=3), rules, "PAM")
    partie = {r.entry.fact.player: r for r in one.all if r.entry.rule == "partie"}
    winner, (loser,) = one.settled.outcome.partie.winner, one.settled.outcome.partie.losers  # type: ignore[union-attr]
    assert {player: r.reason for player, r in partie.items()} == {
        player: "" if player == loser else "another-pays" for player in range(4) if player != winner
    }
    assert [e.fact.player for e in one.settled.entries if e.rule == "partie"] == [loser]


def test_a_stake_of_nothing_is_an_empty_pool_and_what_nobody_owes_is_not(rules: Rules) -> None:
    tricks = {3: "south:KS! east:JH"}
    one = reckoned(lay_deal(tricks=tricks, told={"pool": {"stake": 0, "waiting": []}}), rules, "PAM")
    empty = {r.entry.rule for r in one.all if r.reason == "empty-pool"}
    assert "draws-stake" in empty and all(r.entry.postings for r in one.all if r.reason == "empty-pool")
    assert any(not r.entry.postings for r in one.unpaid)
    full = reckoned(lay_deal(tricks=tricks), rules, "PAM")
    assert not [r for r in full.all if r.reason == "empty-pool"]


def returning(one: Reckoning) -> set[tuple[str, object]]:
    """The rules of returning that have a bearing on a fact."""
    back = {name for name, _ in RETURN_RULES.values()} - {"fine-returned"}
    return {(r.entry.rule, r.entry.fact) for r in one.all if r.entry.rule in back}


def paid(one: Reckoning) -> set[tuple[str, object]]:
    """What was paid by a rule that knows a return, under the name of the return."""
    return {
        (RETURN_RULES[r.entry.rule][0], r.entry.fact)
        for r in one.all
        if r.entry.postings and RETURN_RULES.get(r.entry.rule, ("", ""))[1] == "reversis.returns"
    }


def reckoned(deal: Deal, rules: Rules, source: str) -> Reckoning:
    found = reckon(deal, rules(source))
    assert isinstance(found, Reckoning), found
    return found


@pytest.mark.parametrize("source", ["PAM", "GER", "PAR"])
def test_a_return_is_looked_for_just_where_a_reversis_was_undertaken_and_the_card_had_been_paid(
    source: str, rules: Rules
) -> None:
    one = reckoned(made(), rules, source)
    assert one.settled.outcome.reversis and paid(one)
    assert returning(one) == paid(one)
    other = reckoned(lay_deal(heart_first=True, seed=3), rules, source)
    assert not other.settled.outcome.reversis and not returning(other)


def test_a_fine_comes_back_only_to_him_who_has_made_the_reversis() -> None:
    assert not has_bearing("fine-returned", SimpleNamespace(made=True, hero=2), player=1)
    assert not has_bearing("fine-returned", SimpleNamespace(made=False, hero=1), player=1)


def test_what_is_paid_and_what_is_not_are_told_apart(rules: Rules) -> None:
    one = reckoned(made(), rules, "PAM")
    assert one.paid and one.unpaid and all(r.paid for r in one.paid) and not any(r.paid for r in one.unpaid)


def test_a_return_has_a_bearing_by_what_its_own_rule_had_paid_and_only_in_a_reversis(rules: Rules) -> None:
    """Not by what another rule had paid for the same card: each return is asked of every fact."""
    deal, ruleset = made(), rules("PAM")
    ask = Ask(ruleset)
    played = replay_deal(deal, ask)
    seen = DealOutcome(played.measures, ask).seen(ask)
    nobody = DealOutcome(replay_deal(lay_deal(heart_first=True, seed=3), ask).measures, ask).seen(ask)
    paid = {(r.entry.rule, r.entry.fact) for r in reckoned(deal, rules, "PAM").all if r.entry.postings}
    tried = Counter[bool]()
    for name, (back, question) in RETURN_RULES.items():
        for fact in played.facts if question == "reversis.returns" else ():
            if not any(rule.name == back for rule in select_rules_for_fact(fact)):
                continue
            assert RULE_BEARINGS[back].bears(fact, seen, ask) == ((name, fact) in paid), (name, fact)
            assert not RULE_BEARINGS[back].bears(fact, nobody, ask)
            tried[(name, fact) in paid] += 1
    assert tried[True] and tried[False]
