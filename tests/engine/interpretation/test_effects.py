"""Each rival interpretation and each option changes some worked deal, or it is said that it changes none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.deal.model import Deal
from engine.interpretation.effects import (
    HOW,
    HOW_SESSION,
    Effect,
    compare_deal_results,
    find_raised_questions,
    try_alternatives,
)
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from reversis.files.sessions import read_playable_sessions
from rulebook.model import Library
from rulebook.resolve import iter_clause_alternatives
from tests.support.settling import Rules, iter_played_alternatives

pytestmark = pytest.mark.slow

#: Alternatives that the engine plays and that no worked deal can tell from the preferred reading.
#: PAR.i10: put up at once or with the next deal, the same players pay the same; only when they part would it show.
#: MEY.i20, PAM.i40: who revokes is paid nothing in that deal anyhow (Q101); under another answer to that it shows
#: (`test_thrown_in_a_revoke`).
LATENT = frozenset({"PAR.i10", "MEY.i20", "PAM.i40"})


@pytest.fixture(scope="module")
def found(library: Library, deals: dict[str, Deal]) -> dict[str, Effect]:
    tried = try_alternatives(library, tuple(deals.values()), sessions=read_playable_sessions(library))
    return {effect.alternative: effect for effect in tried}


def how(found: dict[str, Effect], alternative: str, name: str) -> tuple[str, ...]:
    return next((difference.how for difference in found[alternative].differences if difference.deal == name), ())


def changed(effect: Effect, kind: str) -> list[str]:
    return [difference.deal for difference in effect.differences if difference.kind == kind]


@pytest.mark.release
def test_every_alternative_of_every_source_is_tried(library: Library, found: dict[str, Effect]) -> None:
    every = {one.id: clause.source for clause, one in iter_clause_alternatives(library.clauses())}
    assert {id: effect.source for id, effect in found.items()} == every


def test_every_alternative_that_is_played_changes_some_worked_deal_or_session(found: dict[str, Effect]) -> None:
    assert {id for id, effect in found.items() if effect.played and not effect.differences} == LATENT


def test_alternatives_that_the_engine_does_not_play_are_told_apart(library: Library, found: dict[str, Effect]) -> None:
    idle = {id: effect for id, effect in found.items() if not effect.played}
    assert idle
    for effect in idle.values():
        assert all(library.questions[slug].not_played for slug in effect.questions)
        assert (effect.raised, effect.differences) == ((), ())


@pytest.mark.parametrize(
    ("alternative", "deal", "differs"),
    [
        ("PAM.i26", "pam-peek-partie-and-quinola", ("net", "outcome", "entries")),  # what a fault denies
        ("PAM.i27", "pam-undiscarded", ("net", "entries")),
        ("PAM.i28", "pam-ten-cards", ("net", "pool", "entries")),
        ("ACA.i25", "badly-shuffled", ("lawfulness", "net", "pool", "outcome", "entries")),
        ("ACA.i16", "king-of-hearts-laid-out", ("lawfulness",)),  # it makes the deal lawful,
        ("PAM.i11", "espagnolette-renounces-again", ("lawfulness",)),
        ("ACA.i02", "five-players-ten-each", ("lawfulness",)),  # or unlawful
        ("PAR.i03", "second-quinola-after-a-supplement", ("pool",)),  # the pool alone
        ("PAM.i10", "reversis-broken-by-two", ("net", "outcome", "entries")),  # who is paid
        ("PAM.i10", "pam-quinola-placed", ()),
    ],
)
def test_an_alternative_changes_just_this(
    found: dict[str, Effect], alternative: str, deal: str, differs: tuple[str, ...]
) -> None:
    assert how(found, alternative, deal) == differs


def test_what_differs_is_told_in_known_words(found: dict[str, Effect]) -> None:
    words = {word for effect in found.values() for difference in effect.differences for word in difference.how}
    assert {"net", "pool", "lawfulness", "entries", "accounts"} <= words <= {*HOW, *HOW_SESSION}
    assert all(difference.how for effect in found.values() for difference in effect.differences)


def test_only_deals_that_raise_a_question_can_differ(found: dict[str, Effect]) -> None:
    for effect in found.values():
        assert set(changed(effect, "deal")) <= set(effect.raised), effect.alternative


@pytest.mark.release
@pytest.mark.parametrize("siglum", ["PAR", "GER"])
def test_no_deal_is_passed_over_that_would_have_differed(
    library: Library, rules: Rules, deals: dict[str, Deal], found: dict[str, Effect], siglum: str
) -> None:
    own = {deal.id: settle(deal, rules(siglum)) for deal in deals.values()}
    for clause, alternative in iter_played_alternatives(library):
        if clause.source != siglum:
            continue
        ruleset = rules(siglum, alternative.id)
        differs = [deal.id for deal in deals.values() if compare_deal_results(own[deal.id], settle(deal, ruleset))]
        assert changed(found[alternative.id], "deal") == differs


def test_an_alternative_can_make_a_deal_unlawful(found: dict[str, Effect]) -> None:
    ten_each = {"five-players-ten-each", "aca-five-quinola-forced", "ger-five-players-out-of-turn"}
    assert {*changed(found["ACA.i02"], "deal")} == {*ten_each, "five-players-nine-each"}


@pytest.mark.parametrize(
    ("alternative", "session", "how"),
    [
        ("PAM.i22", "pam-basket-renewed", ("accounts", "pool")),
        ("PAM.i23", "pam-basket-renewed", ("accounts", "pool")),
        ("PAR.i08", "par-pools-won-and-formed-again", ("accounts", "pool")),
        ("ACA.i23", "aca-betes-one-after-another", ("accounts", "pool")),
    ],
)
def test_an_alternative_that_no_single_deal_can_show_changes_a_worked_session(
    found: dict[str, Effect], alternative: str, session: str, how: tuple[str, ...]
) -> None:
    assert changed(found[alternative], "deal") == []
    told = {
        difference.deal: difference.how
        for difference in reversed(found[alternative].differences)
        if difference.kind == "session"
    }
    assert told.get(session, ()) == how
    assert session in changed(found[alternative], "session")


def test_a_session_is_passed_over_by_an_alternative_that_it_does_not_raise(found: dict[str, Effect]) -> None:
    assert changed(found["PAM.i11"], "session") == changed(found["ACA.i02"], "session") == []


def test_a_refused_deal_raises_the_questions_of_the_play(rules: Rules, deals: dict[str, Deal]) -> None:
    refused = settle(deals["quinola-alone-first-trick"], rules("ACA"))
    assert isinstance(refused, Refused)
    raised = find_raised_questions(refused)
    assert raised is not None and {"play.quinola-alone", "play.first-lead"} <= raised


def test_where_the_rules_are_silent_the_deal_is_tried_again_each_time(rules: Rules, deals: dict[str, Deal]) -> None:
    found = settle(deals["fine-before-a-reversis-at-four"], rules("PAR"))
    assert isinstance(found, Unanswered)
    assert compare_deal_results(found, found) == ()
    settled = settle(
        found.deal, rules("PAR", "out-of-turn.fine=5", "out-of-turn.payee=pool", "reversis.returns-fines=no")
    )
    assert isinstance(settled, Settled)
    assert compare_deal_results(found, settled) == ("lawfulness",)


def test_the_sources_can_be_chosen(library: Library, deals: dict[str, Deal], found: dict[str, Effect]) -> None:
    assert [alternative.alternative for alternative in try_alternatives(library, tuple(deals.values()), ["PAR"])] == [
        one.alternative for one in found.values() if one.source == "PAR"
    ]
    assert not any(alternative.differences for alternative in try_alternatives(library, ()))


def test_an_entry_by_which_nobody_pays_is_no_payment() -> None:
    def entry(rule: str, trick: int | None, *amounts: int) -> Any:
        postings = [SimpleNamespace(payer=0, payee="pool", counted=lambda _, one=one: one) for one in amounts]
        return SimpleNamespace(rule=rule, fact=SimpleNamespace(trick=trick, card=trick), postings=postings)

    settled: Any = SimpleNamespace(
        before=None, entries=[entry("end", None, 5, 0), entry("led", 3, 0), entry("bare", 4)]
    )
    assert HOW["entries"](settled) == [("end", None, None, [(0, "pool", 5)])]
