"""From what a source says to a ruleset: wishes, bundles, hybrids, silence, conflict."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from rulebook.answers.conditions import is_question_applicable
from rulebook.answers.values import format_canonical
from rulebook.model import Alternative, Clause, Conflict, FrozenMap, Library, Like
from rulebook.resolve import BadChoice, drop_answer, iter_clause_alternatives, read_choice, resolve
from rulebook.resolve import rules as rules_of
from tests.support.settling import SIGLA, Rules


@pytest.mark.parametrize("siglum", SIGLA)
def test_a_source_as_it_is_bears_its_own_name(rules: Rules, siglum: str) -> None:
    ruleset = rules(siglum)
    assert ruleset.name == ruleset.source == siglum and ruleset.rulings
    assert all(r.clauses and r.source == siglum for r in ruleset.rulings.values())


@pytest.mark.parametrize("siglum", SIGLA)
def test_every_question_is_answered_or_has_a_reason(rules: Rules, library: Library, siglum: str) -> None:
    ruleset = rules(siglum)
    for slug in (slug for slug, one in library.questions.items() if one.by in ("", siglum)):
        assert (slug in ruleset.rulings) != (slug in ruleset.reasons), slug


@pytest.mark.parametrize("siglum", SIGLA)
def test_only_questions_that_make_sense_are_answered(rules: Rules, library: Library, siglum: str) -> None:
    answers = {q: r.value for q, r in rules(siglum).rulings.items()}
    for slug in answers:
        assert is_question_applicable(library.questions[slug].depends, answers), slug


def test_supplied_answers_are_marked(rules: Rules) -> None:
    assert rules("PAM").rulings["play.first-lead"].supplied
    assert not rules("ACA").rulings["play.first-lead"].supplied


def test_a_hybrid_prints_as_one(rules: Rules) -> None:
    assert rules("PAM", "Q017@ACA").name == "PAM + Q017@ACA"
    assert rules("PAM", "ace.favoured-suit@ACA").name == "PAM + Q017@ACA"
    assert rules("PAM", "Q031=3").name == "PAM + Q031=3"
    assert rules("PAM", "Q031=3", "Q017@ACA").name == "PAM + Q031=3 + Q017@ACA"


def test_a_wish_for_what_the_source_has_anyway_changes_nothing(rules: Rules) -> None:
    own = rules("PAM")
    for wish in ("Q031=5", "Q031@PAM", "quinola.forced.when=own-suit"):
        assert rules("PAM", wish) == own


def is_played(library: Library, alternative: Alternative) -> bool:
    """Return whether the engine asks any of the questions that a reading answers."""
    return any(not library.questions[slug].not_played for slug in alternative.answers)


def test_a_reading_of_which_nothing_is_played_is_refused_with_the_reason(rules: Rules, library: Library) -> None:
    """By its id, and as an answer to the question, the reader's own or another source's."""
    unplayed = [(c, a) for c, a in iter_clause_alternatives(library.clauses()) if not is_played(library, a)]
    assert {"ACA.i29", "PAM.i25"} <= {alternative.id for _, alternative in unplayed}
    for clause, alternative in unplayed:
        slug, value = next(iter(alternative.answers.items()))
        question = library.questions[slug]
        for wish in (alternative.id, f"{question.id}={format_canonical(value)}", f"{question.id}@{clause.source}"):
            with pytest.raises(BadChoice) as refused:
                rules(clause.source, wish)
            assert f"{wish} is not played: {' '.join(question.not_played.split())}" in str(refused.value)


@pytest.mark.parametrize(
    ("siglum", "wishes", "question"),
    [
        ("PAM", ("Q031=3", "Q031=4"), "Q031"),
        ("GER", ("GER.i13", "GER.i14"), "Q067"),
        ("GER", ("Q061=payers-points", "GER.i12"), "Q061"),
        ("PAM", ("Q017@ACA", "Q017=none"), "Q017"),
    ],
)
def test_two_wishes_that_answer_one_question_are_refused_by_their_names(
    library: Library, siglum: str, wishes: tuple[str, str], question: str
) -> None:
    for one, other in (wishes, wishes[::-1]):
        with pytest.raises(BadChoice, match=f"^{one} and {other} both answer {question}"):
            rules_of(library, siglum, one, other)
    assert rules_of(library, siglum, wishes[0], wishes[0]) == rules_of(library, siglum, wishes[0])


def test_an_interpretation_by_its_id_or_by_its_answer(rules: Rules, library: Library) -> None:
    for clause, alternative in iter_clause_alternatives(library.clauses()):
        if not is_played(library, alternative):
            continue
        named = rules(clause.source, alternative.id)
        assert alternative.id in named.name
        for slug, value in alternative.answers.items():
            ruling = named.rulings[slug]
            assert ruling.value == value and ruling.interpretation == alternative.id and ruling.clauses == (clause.id,)


def test_an_answer_carries_the_bundle_that_goes_with_it(rules: Rules) -> None:
    sole = rules("PAM", "quinola.forced.when=sole-card")
    assert sole.rulings["quinola.put.stake"].value == "nothing"
    talon = rules("GER", "partie.amount=talon-cards")
    assert talon.rulings["talon.bonus"].value == 0 and talon.rulings["talon.special-cards"].value == {}
    agreed = rules("ACA", "partie.amount=agreed-sum")
    assert agreed.rulings["partie.agreed-sum"].value == 4


def test_what_a_reader_names_outdoes_what_a_bundle_brings(rules: Rules) -> None:
    for wishes in (
        ("partie.amount=agreed-sum", "partie.agreed-sum=6"),
        ("partie.agreed-sum=6", "partie.amount=agreed-sum"),
    ):
        assert rules("ACA", *wishes).rulings["partie.agreed-sum"].value == 6


def test_a_borrowed_answer_carries_what_only_now_makes_sense(rules: Rules) -> None:
    hybrid = rules("ACA", "espagnolette.hands@PAM", "reversis.broken.breaker@PAM")
    for slug in (
        "espagnolette.until",
        "espagnolette.lost-by",
        "reversis.broken.amount",
        "espagnolette.pays-reversis-broken",
    ):
        assert hybrid.rulings[slug].source == "PAM", slug
    assert hybrid.rulings["ace.favoured-suit"].source == "ACA"


def test_an_answer_may_point_to_another(rules: Rules) -> None:
    assert rules("PAM").rulings["quinola.led.amount"].value == Like("quinola.forced.amount")


def test_answers_that_point_in_a_circle_are_refused(library: Library) -> None:
    wish = read_choice(library, "quinola.forced.amount=as quinola.led.amount")
    with pytest.raises(BadChoice, match="circle"):
        resolve(library, "PAM", [wish])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Q999=3", "no question 'Q999'"),
        ("quinola=3", "no question"),
        ("Q031=many", "Q031=many"),
        ("Q031@XYZ", "no source 'XYZ'"),
        ("Q031@PMA", r"no source 'PMA'; there are .*; did you mean PAM or PAR\?$"),
        ("nonsense", "neither .* option$"),
        ("PAM.i99", r"^PAM.i99: neither .*; did you mean PAM.i09 or PAM.i19 or PAM.i29\?$"),
        ("quinola.forced.when=sometimes", "sometimes"),
        ("quinola=3", r"^quinola=3: no question 'quinola'; did you mean quinola\.card\?$"),
        ("nonsense=3", r"^nonsense=3: no question 'nonsense'; give an id such as Q031, or its slug\.$"),
        ("no. such=3", r"^no. such=3: no question 'no. such'; give an id such as Q031, or its slug\.$"),
        ("nonsense", "^nonsense: neither"),
        (" ", "^an empty wish: neither"),
    ],
)
def test_a_wish_that_cannot_be_granted_says_why(library: Library, text: str, word: str) -> None:
    with pytest.raises(BadChoice, match=word):
        read_choice(library, text)


@pytest.mark.parametrize("wish", [31, None, ("Q031=3",)])
def test_only_what_is_typed_is_a_wish(library: Library, wish: Any) -> None:
    with pytest.raises(TypeError, match=r'is no wish: write each by itself: rules\(library, "PAM", "Q031=3"\)$'):
        rules_of(library, "PAM", wish)


def test_a_silence_tells_the_editors_reason_or_else_what_was_searched(library: Library) -> None:
    pam = library.sources["PAM"]
    told = {
        question: Clause(f"PAM.x{number}", "PAM", FrozenMap(), "silent", "", "", about=(question,), **why)
        for number, (question, why) in enumerate(SILENCES.items())
    }
    clauses = (*(clause for clause in pam.clauses if not {*clause.questions} & {*told}), *told.values())
    changed = replace(library, sources={**library.sources, "PAM": replace(pam, clauses=clauses)})
    reasons = resolve(changed, "PAM").reasons
    assert [reasons[question] for question in told] == [
        "silent (PAM.x0): Nobody asks.",
        "silent (PAM.x1): Nobody asks.",
        "nothing is said in PAM.s0001-PAM.s0009",
        "silent",
    ]


SILENCES: dict[str, dict[str, Any]] = {
    "play.thrown-down": {"because": "Nobody asks."},
    "exchange.across": {"because": "Nobody asks.", "searched": "PAM.s0001-PAM.s0009"},
    "quinola.others": {"searched": "PAM.s0001-PAM.s0009"},
    "stake.by-tricks": {},
}


def test_a_source_without_an_answer_cannot_lend_it(library: Library) -> None:
    with pytest.raises(BadChoice, match="GER has no answer to"):
        resolve(library, "PAM", [read_choice(library, "espagnolette.until@GER")])


def test_two_clauses_that_differ_are_a_conflict_of_both(library: Library) -> None:
    pam = library.sources["PAM"]
    first = next(c for c in pam.clauses if "quinola.card" in c.answers)
    second = Clause("PAM.x999", "PAM", FrozenMap({"quinola.card": "JD"}), "stated", "high", "ed1")
    sources = dict(library.sources) | {"PAM": replace(pam, clauses=(*pam.clauses, second))}
    with pytest.raises(Conflict) as caught:
        resolve(replace(library, sources=sources), "PAM")
    assert (caught.value.question, caught.value.first.id, caught.value.second.id) == (
        "quinola.card",
        first.id,
        second.id,
    )


def test_two_clauses_that_agree_are_both_cited(library: Library) -> None:
    pam = library.sources["PAM"]
    second = Clause("PAM.x999", "PAM", FrozenMap({"quinola.card": "JH"}), "stated", "high", "ed1")
    sources = dict(library.sources) | {"PAM": replace(pam, clauses=(*pam.clauses, second))}
    ruling = resolve(replace(library, sources=sources), "PAM").rulings["quinola.card"]
    assert ruling.clauses[-1] == "PAM.x999" and len(ruling.clauses) == 2


def test_the_preferred_reading_is_named_where_there_are_rivals(rules: Rules, library: Library) -> None:
    for source in library.sources.values():
        rivals = {q for c in source.clauses for a in c.rivals for q in a.answers if q in c.answers}
        rulings = rules(source.siglum).rulings
        for slug, ruling in rulings.items():
            if slug in rivals:
                assert ruling.interpretation.endswith(".preferred"), slug


def test_an_answer_taken_away(rules: Rules) -> None:
    bare = drop_answer(rules("PAM"), "quinola.card")
    assert "quinola.card" not in bare.rulings and "quinola.card" in bare.reasons
    assert format_canonical(rules("PAM").rulings["quinola.card"].value) == "JH"


def test_what_the_engine_plays_as_it_is_said_is_not_said_once_more(rules: Rules) -> None:
    """Only where something else is played in its place does a ruling keep what the source says, and why."""
    played = rules("PAM", "talon.bonus=3").rulings["talon.bonus"]
    assert (played.answer, played.said, played.not_played, played.unasked) == (3, None, "", False)


def test_a_wish_that_was_read_stays_as_it_was_written(library: Library) -> None:
    wish = read_choice(library, "talon.bonus=3")
    assert not hasattr(wish, "__dict__")
    with pytest.raises(FrozenInstanceError):
        setattr(wish, "text", "talon.bonus=4")  # noqa: B010 - the type checker would not let it stand otherwise
