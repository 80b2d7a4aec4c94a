"""A deal played by one source, settled by another: what may be passed over is said, and all else is still refused."""

from __future__ import annotations

from random import Random

from engine.play.table import TOLERABLE
from engine.session.session import Step, begin, give_own_pool, steps
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from proofs.sessions import play_random_session
from tests.engine.test_worked_deals import deal_of
from tests.support.deal_records import PATHS
from tests.support.settling import SIGLA, Rules
from tests.support.table_deals import play_deal


def test_what_is_tolerated_is_passed_over_and_said_and_all_else_is_refused(rules: Rules) -> None:
    seen = dict.fromkeys((*TOLERABLE, "passed", "refused"), 0)
    for deal in map(deal_of, PATHS):
        for siglum in SIGLA:
            before = settle(deal, rules(siglum))
            if isinstance(before, Unanswered) and before.silent.question == "exchange.across":
                continue  # the last test is about it
            if not isinstance(before, Refused):
                assert repr(settle(deal, rules(siglum), TOLERABLE)) == repr(before)
                continue
            after = settle(deal, rules(siglum), TOLERABLE)
            left = [refusal for refusal in before.refusals if not refusal.kind]
            if isinstance(after, Settled):
                said = [f"not allowed here: {refusal.message}" for refusal in before.refusals]
                assert not left and list(after.passed_over)[-len(said) :] == said, (deal.id, siglum)
                seen["passed"] += 1
            elif isinstance(after, Refused):
                assert list(after.refusals) == left, (deal.id, siglum)
                seen["refused"] += 1
            for refusal in before.refusals:
                seen[refusal.kind or "refused"] += 1
                assert refusal.kind != "first-lead" or refusal.trick == 1
    assert min(seen.values()) > 0, seen


def test_a_session_as_played_keeps_its_dealers_and_each_source_its_own_pool(rules: Rules) -> None:
    played = [step.settled.deal for step in play_random_session(Random(4), rules("PAM"), 3) if step.settled]
    for siglum in SIGLA:
        first = begin(rules(siglum), played[0].seats, played[0].dealer)
        found = [*steps(first, played, as_played=True, tolerate=TOLERABLE)]
        dealt = [step for step in found if isinstance(step, Step) and step.settled]
        assert [step.before.dealer for step in dealt] == [deal.dealer for deal in played], siglum
        assert dealt[0].before.pool == give_own_pool(played[0], rules(siglum)).pool(siglum)
        assert all(step.after.balance == 0 for step in dealt)


def test_cards_given_across_the_table_are_passed_over_by_a_source_that_is_silent_on_it(rules: Rules) -> None:
    deal = play_deal(rules("HOY"), 1)
    assert deal.gifts and isinstance(settle(deal, rules("HOY"), TOLERABLE), Settled)
    for siglum in ("MEY", "PAM", "PAR"):
        assert isinstance(settle(deal, rules(siglum)), Unanswered)
        assert isinstance(settle(deal, rules(siglum), ["first-lead"]), Unanswered)
        settled = settle(deal, rules(siglum), TOLERABLE)
        assert isinstance(settled, Settled) and settled.deal == deal
        assert "not said here: cards are given across the table" in settled.passed_over
