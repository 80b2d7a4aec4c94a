"""A question that is asked only because of another answer is not cited where that answer does not hold.

The sources never answer such a question; a reader who wishes for another answer (`--with Q024=nobody`) leaves the
answers that hang on the old one standing, and the engine must pass them by.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pytest

from engine.deal.model import Deal
from engine.readings.meanings.by_question import MEANINGS
from engine.readings.meanings.cards import ACE_LED_PAYEE, SEAT
from engine.session.session import Step, begin, steps
from engine.settlement.explain import Reckoning, reckon
from engine.settlement.settle import Refused, Settled, settle
from rulebook.answers.conditions import is_question_applicable, parse_conditions
from rulebook.answers.game_measures import PRIVILEGED_CARD_SUMS
from rulebook.model import Library, Like, Ruleset
from rulebook.resolve import BadChoice, iter_clause_alternatives, rules
from tests.engine.readings.test_meanings import situations
from tests.engine.readings.test_unknown_readings import with_reading
from tests.engine.test_worked_deals import deal_of
from tests.support.deal_records import PATHS
from tests.support.settling import SIGLA
from tests.support.tiers import sample

pytestmark = pytest.mark.slow

#: asked for a led ace as for the led quinola, while its condition names the quinola alone (conditions know no "or")
ASKED_FOR_BOTH = {"payments.led-claimed"}
SEATS = ("south", "east", "north", "west")


def list_conditioning(library: Library) -> list[str]:
    """The questions on whose answers others of play hang."""
    asked = (question for question in library.questions.values() if not question.not_played)
    return sorted({one.question for question in asked for one in parse_conditions(question.depends)})


def mixtures(library: Library, siglum: str) -> Iterator[Ruleset]:
    """The rules of a source, each with another answer to a question on which others hang."""
    for slug in list_conditioning(library):
        readings = list(library.questions[slug].readings) or ["[]", "0", "none", "smallest"]
        for reading in readings:
            try:
                yield rules(library, siglum, f"{slug}={reading}")
            except BadChoice:
                assert not library.questions[slug].readings


def misplaced(library: Library, ruleset: Ruleset, asked: Collection[str]) -> set[str]:
    """Those of the questions asked that make no sense; what an answer refers to ("as much as for that") does.

    A further privileged card has sums of its own, on which others hang whatever is answered for the first card.
    """
    answers = {slug: ruling.answer for slug, ruling in ruleset.rulings.items()}
    referred = {value.question for q in asked if isinstance(value := answers.get(q), Like)}
    own = {*PRIVILEGED_CARD_SUMS.values()} if answers.get("quinola.others") else set()
    needs = {slug: library.questions[slug].depends for slug in set(asked) - referred - ASKED_FOR_BOTH}
    return {
        slug
        for slug, depends in needs.items()
        if not is_question_applicable(depends, answers)
        and not own & {one.question for one in parse_conditions(depends)}
    }


def cited(deal: Deal, ruleset: Ruleset) -> Iterator[tuple[str, ...]]:
    """What every line of a ledger rests on, paid or not, or every refusal."""
    found = reckon(deal, ruleset)
    if isinstance(found, Refused):
        yield from (one.asked for one in found.refusals)
    elif isinstance(found, Reckoning):
        yield from (one.entry.asked for one in found.all)
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


@pytest.mark.parametrize("siglum", sample(SIGLA, 2))
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
    rivals = [rules(library, c.source, a.id) for c, a in iter_clause_alternatives(library.clauses())]
    these = [rules(library, siglum), *mixtures(library, siglum), *(one for one in rivals if one.source == siglum)]
    wrong = {one.name: bad for one in these if (bad := find_misplaced(library, one, deals))}
    assert not wrong


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
    (line,) = [one for one in found.all if one.entry.rule == "reversis-by-quinola"]
    assert (line.reason, line.missing) == ("no-question", "reversis.stake.whose-quinola")
