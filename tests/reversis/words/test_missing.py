"""Everything that a deal asks of a silent source is told at once, and what can be settled is settled all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.deal.model import Deal
from engine.settlement.settle import settle
from reversis.files.deals import read_worked
from reversis.findings.share_of_own_answers import measure_draft_play
from reversis.views.panels.source import render_draft_play
from reversis.words.missing import dump_result, find_missing_for_deals, group_missing_answers
from reversis.words.supply import list_unread_rules, plan_supply
from rulebook.model import Library, Ruleset
from rulebook.resolve import drop_answer, resolve
from tests.support.commands import cache, said

DEAL = "pam-quinola-forced-opposite-last"
__all__ = ("cache",)


@pytest.fixture
def deal(library: Library) -> Deal:
    found = read_worked(library, DEAL).deal
    assert found is not None
    return found


def without(library: Library, siglum: str, *questions: str) -> Ruleset:
    ruleset = resolve(library, siglum)
    for question in questions:
        ruleset = drop_answer(ruleset, question)
    return ruleset


def test_what_is_asked_only_by_some_answers_is_told_apart_and_all_is_grouped(library: Library, deal: Deal) -> None:
    ruleset = replace(
        without(library, "PAM", "partie.winner", "partie.place"), reasons={"partie.winner": "not-collated (X)"}
    )
    (group,) = group_missing_answers(library, deal, ruleset)
    assert group.title == library.questions["partie.winner"].group
    told = {answer.slug: (answer.reason, answer.needed) for answer in group.answers}
    assert told["partie.winner"] == ("not read for it yet", True)
    assert told.get("partie.place", ("no clause speaks of it", False))[0] == "no clause speaks of it"
    both = find_missing_for_deals(library, [deal, deal], ruleset)
    assert both == (group,)


def test_the_data_of_a_silence_name_all_that_is_missing(library: Library, deal: Deal) -> None:
    told = dump_result(library, settle(deal, without(library, "PAM", "talon.bonus", "partie.winner")))
    missing = told["silent"]["missing"]  # type: ignore[index]
    assert [(one["question"], one["needed"]) for one in missing] == [("Q057", True), ("Q064", True)]


def test_run_tells_what_a_source_lacks_and_what_it_settles_all_the_same() -> None:
    told = said("run", "pam-quinola-placed-and-a-fine", "--source", "PAR", code=1)
    assert "For this deal PAR lacks 2 answers; `reversis supply PAR --from PAM` takes what it lacks from" in told
    assert "Q102 out-of-turn.fine, Q103 out-of-turn.payee" in told
    assert "Settled all the same, which is no result: Trick 5: east throws off the ace of diamonds" in told
    assert "left out for want of an answer: fine (Q102)" in told


def test_the_page_of_a_draft_shows_what_it_plays_already_and_what_it_lacks(library: Library) -> None:
    source = library.sources["PAR"]
    clauses = tuple(clause for clause in source.clauses if "talon.bonus" not in clause.questions)
    begun = replace(source, record={**source.record, "draft": True}, clauses=clauses)
    play = measure_draft_play(replace(library, sources={**library.sources, "PAR": begun}), "PAR")
    assert play.partly and {answer.slug for group in play.missing for answer in group.answers} >= {"talon.bonus"}
    told = " ".join(node.astext() for node in render_draft_play(play))
    assert f"and {len(play.partly)} in part." in told and "left out; no result" in told and "Q064" in told


# ---- rules that were not read
UNREAD = {"quinola.others", "exchange.across"}


def test_a_fragment_may_have_further_rules_that_are_asked_only_if_answered(library: Library) -> None:
    assert {*list_unread_rules(library, "PIE")} == UNREAD  # Q125 and Q132 are answered
    assert list_unread_rules(library, "MEY") == ()  # the entry is whole


def test_supply_offers_them_or_says_that_nobody_has_them(library: Library) -> None:
    offered, without = (plan_supply(library, "PIE", lenders, ()) for lenders in (("HOY",), ("PAM",)))
    assert {one.question.slug: one.taken_from for one in offered.lent} == dict.fromkeys(UNREAD, "HOY")
    assert all("our copy of PIE is not whole, and without an answer" in one.because for one in offered.lent)
    assert {one.question.slug for one in without.withheld if not one.needed} == UNREAD
    assert all(one.why.endswith("a rule in the rest is played as none") for one in without.withheld)


@pytest.mark.parametrize(
    ("source", "deal", "wanted"), [("PIE", "pie-reversis-made", True), ("MEY", "mey-reversis-broken", False)]
)
def test_explain_names_them(source: str, deal: str, wanted: bool) -> None:
    told = said("explain", deal, "-s", source)
    assert (f"Our copy of {source} is not whole: what the rest may say" in told) is wanted
    assert ("Q224 Which other cards have the rights of the quinola" in told) is wanted
