"""A question that is asked only because of another answer is not cited where that answer does not hold.

The sources never answer such a question; a reader who wishes for another answer (`--with Q024=nobody`) leaves the
answers that hang on the old one standing, and the engine must pass them by.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import pytest

from engine.answers import PRIVILEGED_CARD_SUMS
from engine.deal.model import Deal
from engine.readings.meanings.by_question import MEANINGS
from engine.readings.meanings.cards import ACE_LED_PAYEE, SEAT
from engine.session.session import Step, begin, steps
from engine.settlement.explain import Reckoning, find_missing_question, reckon
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from lab.survey.variants import collect_asked_questions
from rulebook.answers.conditions import dereference_answer, is_question_applicable, list_condition_questions
from rulebook.model import Library, Like, Ruleset, Ruling
from rulebook.resolve import BadChoice, read_choice, rules
from tests.engine.readings.test_meanings import situations
from tests.engine.readings.test_unknown_readings import with_reading
from tests.engine.test_worked_deals import deal_of
from tests.support.deal_records import PATHS
from tests.support.settling import SIGLA, iter_played_alternatives
from tests.support.tiers import sample

pytestmark = pytest.mark.slow

SEATS = ("south", "east", "north", "west")


def list_conditioning(library: Library) -> list[str]:
    """The questions on whose answers others of play hang."""
    questions = (question for question in library.questions.values() if not question.not_played)
    return sorted({slug for question in questions for slug in list_condition_questions(question.depends)})


def list_switches(library: Library) -> list[tuple[str, str]]:
    """Every question on which others hang, with each answer to it."""
    tried = (
        (slug, reading)
        for slug in list_conditioning(library)
        for reading in [*library.questions[slug].readings] or ["[]", "0", "none", "smallest"]
    )
    return [(slug, reading) for slug, reading in tried if is_answer(library, slug, reading)]


def is_answer(library: Library, slug: str, reading: str) -> bool:
    """Return whether a question may be answered so."""
    try:
        read_choice(library, f"{slug}={reading}")
    except BadChoice:
        assert not library.questions[slug].readings
        return False
    return True


def mixtures(library: Library, siglum: str) -> Iterator[Ruleset]:
    """The rules of a source, each with another answer to a question on which others hang."""
    return (rules(library, siglum, f"{slug}={reading}") for slug, reading in list_switches(library))


def misplaced(library: Library, ruleset: Ruleset, asked: Collection[str]) -> set[str]:
    """Those of the questions asked that make no sense; what an answer refers to ("as much as for that") does.

    A further privileged card has sums of its own, on which others hang whatever is answered for the first card.
    """
    answers = {slug: ruling.answer for slug, ruling in ruleset.rulings.items()}
    referred = {value.question for q in asked if isinstance(value := answers.get(q), Like)}
    own = {*PRIVILEGED_CARD_SUMS.values()} if answers.get("quinola.others") else set()
    needs = {slug: library.questions[slug].depends for slug in set(asked) - referred}
    return {
        slug
        for slug, depends in needs.items()
        if not is_question_applicable(depends, answers) and own.isdisjoint(list_condition_questions(depends))
    }


def cited(deal: Deal, ruleset: Ruleset) -> Iterator[tuple[str, ...]]:
    """What every line of a ledger rests on, paid or not, or every refusal."""
    found = reckon(deal, ruleset)
    if isinstance(found, Refused):
        yield from (refusal.asked for refusal in found.refusals)
    elif isinstance(found, Reckoning):
        yield from (one.asked for one in found.all)
        yield tuple(found.settled.asked)


def find_misplaced(library: Library, ruleset: Ruleset, deals: Collection[Deal]) -> set[str]:
    """Every question without sense that deals, or what passes between them, rest on."""
    found: set[str] = set()
    for deal in deals:
        for asked in cited(deal, ruleset):
            found |= misplaced(library, ruleset, asked)
    for step in steps(begin(ruleset, SEATS, 0), deals, turn=True):
        for entry in step.entries if isinstance(step, Step) else ():
            found |= misplaced(library, ruleset, entry.asked)
    return found


@pytest.mark.parametrize("siglum", sample(SIGLA, 7))
def test_no_line_cites_a_question_that_makes_no_sense(library: Library, siglum: str) -> None:
    """Rare situations only, by two books; before a release the worked deals too, and all books."""
    wrong = {one.name: bad for one in mixtures(library, siglum) if (bad := find_misplaced(library, one, rare_deals()))}
    assert not wrong


def rare_deals() -> tuple[Deal, ...]:
    """Deals in which aces and the quinola are led, a reversis broken, an espagnolette lost, and the like."""
    return situations()[::3]


@pytest.mark.release
@pytest.mark.parametrize("siglum", SIGLA)
def test_no_worked_deal_cites_a_question_that_makes_no_sense(library: Library, siglum: str) -> None:
    deals = (*map(deal_of, PATHS), *situations())
    rivals = [rules(library, c.source, a.id) for c, a in iter_played_alternatives(library)]
    these = [rules(library, siglum), *mixtures(library, siglum), *(rival for rival in rivals if rival.source == siglum)]
    wrong = {one.name: bad for one in these if (bad := find_misplaced(library, one, deals))}
    assert not wrong


# ---- what `check` demands is what the engine asks
def answer_what_is_demanded(library: Library, siglum: str, slug: str, reading: str) -> Ruleset:
    """The rules of a source with another answer, with just those answers that `check` lets it give and demands.

    What its own words leave open or now lack is taken from other sources.
    """
    given = rules(library, siglum, f"{slug}={reading}")
    lent = lend_to(library, siglum)
    rulings = dict(given.rulings)
    while True:
        answers = {question: one.answer for question, one in rulings.items()}
        questions = {question for question in answers if dereference_answer(answers[question], answers) is not None}
        sensible = {q for q, one in library.questions.items() if is_question_applicable(one.depends, answers)}
        lacking = (sensible - questions) & {*lent}
        if not lacking and {*rulings} <= sensible:
            return replace(given, rulings=rulings)
        rulings = {q: one for q, one in rulings.items() if q in sensible} | {q: lent[q] for q in lacking}


def lend_to(library: Library, siglum: str) -> dict[str, Ruling]:
    """An answer to every question that is played, of any other source that has one; references are followed."""
    lent: dict[str, Ruling] = {"partie.agreed-sum": replace(rules(library, "PAM").rulings["talon.bonus"], value=5)}
    for other in (one for one in SIGLA if one != siglum):
        rulings = rules(library, other).rulings
        answers = {slug: one.answer for slug, one in rulings.items()}
        for slug, one in rulings.items():
            value = dereference_answer(one.answer, answers)
            if value is not None and not library.questions[slug].not_played:
                lent.setdefault(slug, replace(one, value=value))
    return lent


def find_asked_in_vain(library: Library, ruleset: Ruleset, deals: Collection[Deal]) -> set[str]:
    """Every question that a deal asks, and that `check` demands should be called inapplicable."""
    found: set[str] = set()
    for deal in deals:
        came = settle(deal, ruleset)
        if isinstance(came, Unanswered):
            found.add(came.silent.question)
        elif isinstance(came, Settled):
            found |= came.asked
    answers = {slug: one.answer for slug, one in ruleset.rulings.items()}
    return {slug for slug in found if not is_question_applicable(library.questions[slug].depends, answers)}


@pytest.mark.parametrize("siglum", sample(SIGLA, 7))
def test_no_deal_asks_what_check_calls_inapplicable(library: Library, siglum: str) -> None:
    """For every question and every answer that switches others: leading aces is asked for where the quinola is not."""
    wrong = {
        (slug, reading): bad
        for slug, reading in list_switches(library)
        if (bad := find_asked_in_vain(library, answer_what_is_demanded(library, siglum, slug, reading), rare_deals()))
    }
    assert not wrong


#: what the exchange and the play ask too, so that a payment need not
ASKED_BY_PLAY = {"play.follow", "play.quinola-alone", "cards.points", "reversis.undertaken", "stake.limit-from"}


def collect_asked(library: Library, siglum: str, pair: tuple[str, str]) -> tuple[Ruleset, set[str]]:
    """The rules of a source with another answer, and every question that its payments ask, whatever happens."""
    ruleset = answer_what_is_demanded(library, siglum, *pair)
    return ruleset, {one for place in collect_asked_questions(ruleset).values() for one in place}


def find_differences(
    library: Library, siglum: str, pairs: Collection[tuple[str, str]]
) -> dict[tuple[str, str], set[str]]:
    """By answer, the questions that `check` demands and no payment asks, or the reverse.

    A question is of payments if one of them asks it under any of the answers.
    """
    found = {pair: collect_asked(library, siglum, pair) for pair in pairs}
    ever = {one for _, asked in found.values() for one in asked}
    differences = {pair: compare_with_check(library, *one, ever) for pair, one in found.items()}
    return {pair: bad for pair, bad in differences.items() if bad}


def compare_with_check(library: Library, ruleset: Ruleset, asked: set[str], ever: Collection[str]) -> set[str]:
    answers = {question: one.answer for question, one in ruleset.rulings.items()}
    demanded = {one for one in ever if is_question_applicable(library.questions[one].depends, answers)}
    free = ASKED_BY_PLAY | ({"stake.match-base"} if "stake.limit" in asked else set())  # a limit is of the stake alone
    if answers["reversis.broken.breaker"] == "nobody":  # no deal has a breaker then; what is tried here has one
        asked = asked & demanded
    if answers["reversis.undertaken"] == 0:  # a reversis is all the tricks then: none is broken, whatever is answered
        demanded = demanded & asked
    return asked.symmetric_difference(demanded) - free


def test_payments_ask_what_check_demands(library: Library) -> None:
    """For an answer of one book; before a release for all of all books, below."""
    assert not find_differences(library, "PAM", [("quinola.led.payee", "nobody")])


@pytest.mark.release
@pytest.mark.parametrize("siglum", SIGLA)
def test_payments_ask_what_check_demands_for_every_answer_that_switches_others(library: Library, siglum: str) -> None:
    assert not find_differences(library, siglum, list_switches(library))


# ---- a led ace, paid to whoever takes it: a reading that the edition does not have
@pytest.mark.parametrize("siglum", ["PAM", "PAR"])
def test_who_wins_the_partie_is_no_matter_where_the_taker_is_paid(
    library: Library, siglum: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = "whoever-takes"  # by no other test, which may have heard that it is unknown: that is remembered
    monkeypatch.setitem(ACE_LED_PAYEE, named, SEAT["taker"])  # type: ignore[arg-type]
    assert named not in MEANINGS["quinola.led.payee"]
    ruleset = rules(with_reading(library, "ace.led.payee", named), siglum, f"Q024={named}")
    lines = [
        (entry, found)
        for deal in situations()
        if isinstance(found := settle(deal, ruleset), Settled)
        for entry in found.entries
        if entry.rule == "led" and entry.fact.kind == "ace"
    ]
    own = [entry for entry, _ in lines if entry.fact.taker == entry.fact.player]
    assert own and all((one.reason, one.by) == ("own", "ace.led.payee") for one in own)
    paid = [(entry, found) for entry, found in lines if entry.fact.taker != entry.fact.player]
    assert all({posting.payee for posting in entry.postings} == {entry.fact.taker} for entry, _ in paid)
    hanging = {"ace.led.by-winner", "payments.led-claimed", "partie.in-reversis"}
    assert not [entry for entry, _ in lines if hanging & {*entry.asked}]


def test_who_is_paid_by_nobody_for_a_forced_quinola_is_not_paid_when_it_breaks_a_reversis(library: Library) -> None:
    """Where it is paid for "like a forced quinola", and for a forced quinola nobody is paid."""
    usual, nobody = (rules(library, "PAR", *wish) for wish in ((), ("Q030=nobody",)))
    lines = [
        [entry for entry in found.entries if entry.rule == "breaking-quinola"]
        for ruleset in (usual, nobody)
        for deal in situations()
        if isinstance(found := settle(deal, ruleset), Settled)
    ]
    assert any(lines[: len(lines) // 2]) and not any(lines[len(lines) // 2 :])


def test_an_answer_that_calls_for_another_is_explained_without_it(library: Library) -> None:
    """The quinola lies in the talon, and these rules never say whose quinola would draw the stake."""
    deal = next(deal_of(path) for path in PATHS if path.stem == "fine-before-a-reversis-at-four")
    found = reckon(deal, rules(library, "ACA", "Q074=own-quinola-early"))
    assert isinstance(found, Reckoning)
    (line,) = [one for one in found.all if one.rule == "reversis-by-quinola"]
    assert line.reason == "no-question"
    assert find_missing_question(found.settled, line) == "reversis.stake.whose-quinola"
