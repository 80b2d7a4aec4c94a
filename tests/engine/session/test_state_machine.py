"""Sessions of any length, under any source and rival: nothing is lost, and a session equals its deals in a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.deal.pool import Pool
from engine.session.session import NotCounted, Session, Step, begin, finish, play_next_deal, prepare_next_deal
from engine.settlement.settle import Settled, settle
from proofs import sessions as proof
from proofs.sessions import (
    SESSION_SEATS,
    find_step_faults,
    generate_session_deal,
    list_session_shapes,
    play_random_session,
)
from rulebook.load import load_library
from rulebook.model import Library, Ruleset
from rulebook.resolve import iter_clause_alternatives, read_choice, resolve
from tests.support.settling import Rules

WISHES = ((), ("stake.dealer-included=not-included",), ("stake.waiting.together=together",), ("Q112=shared",))


@cache
def list_rulesets() -> tuple[Ruleset, ...]:
    """Every source as it is, under each of its rivals on the stake, and as a reader may wish it."""
    library, _ = load_library()
    assert library is not None
    wishes = {siglum: [*WISHES, *((one.id,) for one in of_the_stake(library, siglum))] for siglum in library.sources}
    return tuple(
        resolve(library, siglum, [read_choice(library, text) for text in wish])
        for siglum, some in wishes.items()
        for wish in some
    )


def of_the_stake(library: Library, siglum: str) -> Iterator[object]:
    for _, one in iter_clause_alternatives(library.sources[siglum].clauses):
        if any(slug.startswith("stake.") for slug in one.answers):
            yield one


EVERY = st.deferred(lambda: st.sampled_from(list_rulesets()))  #: the library is read when a test asks for it


class Company(RuleBasedStateMachine):
    """A company that deals, contradicts itself, and parts when it likes."""

    session: Session

    @initialize(ruleset=EVERY, lot=st.integers(0, 10**6))
    def sits_down(self, ruleset: Ruleset, lot: int) -> None:
        self.rng = Random(lot)
        self.shape = self.rng.choice(list_session_shapes(ruleset))
        self.played = 0
        self.net = [0] * self.shape[0]
        self.note(begin(ruleset, SESSION_SEATS[: self.shape[0]], self.rng.randrange(self.shape[0])))

    def note(self, step: Step) -> None:
        assert list(find_step_faults(step)) == []
        between_deals = step.entries
        for posting in (p for entry in between_deals for p in entry.postings):
            for account, sign in ((posting.payer, -1), (posting.payee, 1)):
                if isinstance(account, int):
                    self.net[account] += sign * posting.money.plain
        for entry in between_deals:
            assert any(ruling.clauses or ruling.source == "given" for ruling in step.rulings(entry))
            assert all(posting.money.plain > 0 for posting in entry.postings)
        self.session = step.after

    def deal(self) -> Step | NotCounted:
        dealt = generate_session_deal(self.rng, self.session.ruleset, self.shape, self.session.dealer, "lot")
        return play_next_deal(self.session, dealt)

    @precondition(lambda self: not self.session.ready)
    @rule()
    def puts_in(self) -> None:
        before = self.session
        step = prepare_next_deal(before)
        assert step.after.pool.stake >= before.pool.stake and step.after.deals == before.deals
        assert sum(step.after.pool.waiting) <= sum(before.pool.waiting)
        self.note(step)

    @precondition(lambda self: self.session.ready)
    @rule()
    def deals(self) -> None:
        before, found = self.session, self.deal()
        assert isinstance(found, Step), found
        assert found.settled is not None and found.settled.before == before.pool
        for seat in range(len(before.seats)):
            self.net[seat] += found.settled.net[seat]
        self.played += 1
        self.note(found)

    @precondition(lambda self: self.session.ready)
    @rule(wrong=st.sampled_from(["dealer", "pool", "fragment"]))
    def contradicts_itself(self, wrong: str) -> None:
        before = self.session
        dealt = generate_session_deal(self.rng, before.ruleset, self.shape, before.dealer, "lot")
        if wrong == "dealer":
            dealt = replace(dealt, dealer=(before.dealer + 1) % len(before.seats))
        elif wrong == "pool":
            dealt = replace(dealt, pools={"": Pool(before.pool.stake + 1)})
        else:
            dealt = replace(dealt, tricks=dealt.tricks[:3], fragment=True)
        found = play_next_deal(before, dealt)
        assert isinstance(found, NotCounted) and found.problems and found.session == before

    @rule()
    def parts(self) -> None:
        step = finish(self.session)
        assert list(find_step_faults(step)) == []
        if step.entries:
            assert step.after.laid < len(step.after.seats) * len(step.after.cards)  # what cannot be divided

    @invariant()
    def nothing_is_lost(self) -> None:
        session = self.session
        assert session.balance == 0
        assert list(session.accounts) == self.net
        assert session.deals == self.played
        assert session.laid >= 0 and all(amount > 0 for amount in session.pool.waiting)
        assert 0 <= session.dealer < len(session.seats)


TestCompany = Company.TestCase
TestCompany.settings = settings(max_examples=25, stateful_step_count=24, deadline=None)


# ---- a session equals its deals in a row
@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(EVERY, st.integers(0, 10**6))
def test_a_session_equals_its_deals_in_a_row(ruleset: Ruleset, seed: int) -> None:
    """Every deal settled by itself, from a record with the pool as it lay there, gives the same."""
    accounts: list[int] = []
    for step in play_random_session(Random(seed), ruleset, 8):
        accounts = accounts or [0] * len(step.after.seats)
        if step.settled is not None:
            alone = settle(replace(step.settled.deal, pools={ruleset.source: step.before.pool}), ruleset)
            assert isinstance(alone, Settled)
            assert (alone.net, alone.entries, alone.outcome) == (
                step.settled.net,
                step.settled.entries,
                step.settled.outcome,
            )
            assert alone.pool.stake == step.after.pool.stake
            assert tuple(amount for amount in alone.pool.waiting if amount) == step.after.pool.waiting
            assert alone.outcome.next_dealer == step.after.dealer
            accounts = [n + alone.net[seat] for seat, n in enumerate(accounts)]
        for posting in (p for entry in step.entries for p in entry.postings):
            for account, sign in ((posting.payer, -1), (posting.payee, 1)):
                if isinstance(account, int):
                    accounts[account] += sign * posting.money.plain
        assert tuple(accounts) == step.after.accounts


def test_the_same_lot_gives_the_same_session(rules: Rules) -> None:
    one, two = (tuple(play_random_session(Random(7), rules("PAR"), 5)) for _ in range(2))
    assert one == two


# ---- the proof, in small
@pytest.mark.slow
def test_sessions_of_random_deals_end_with_all_counters_accounted_for(library: Library) -> None:
    figures = proof.prove_sessions(library, deals=100, sessions=1, seed=2)
    for siglum in library.sources:
        found = figures[siglum]
        assert isinstance(found, dict) and found["deals"] == 100 and found["steps"] == 201


def test_the_proof_fails_where_a_counter_is_lost(rules: Rules) -> None:
    step = begin(rules("PAM"), SESSION_SEATS[:4], 0)
    assert list(find_step_faults(step)) == []
    lost = replace(step, after=replace(step.after, pool=Pool(44)))
    assert [words.split(" ")[0:2] for words in find_step_faults(lost)] == [["the", "accounts"], ["the", "ledgers"]]
    negative = replace(step, after=replace(step.after, pool=Pool(-1), accounts=(1, 0, 0, 0)))
    assert "negative" in " ".join(find_step_faults(negative))


@pytest.mark.release
def test_the_receipt_says_how_it_came_about(
    tmp_path: Path, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    sessions_receipt = proof.make_sessions_receipt(library, deals=2, sessions=1, seed=3)
    assert (sessions_receipt.proof, sessions_receipt.seed, sessions_receipt.sources) == (
        "sessions",
        3,
        library.rules_digest,
    )
    assert sessions_receipt.command.endswith("--deals 2 --sessions 1 --seed 3")
    assert proof.main(["--deals", "2", "--sessions", "1", "--seed", "3", "--out", str(tmp_path / "sessions.json")]) == 0
    assert "sessions.json" in capsys.readouterr().out
