"""The reasons for not playing a question hold for every source, its answers and its rival readings."""

from __future__ import annotations

import pytest

from rulebook.model import Clause, Library, Source
from rulebook.resolve import iter_clause_alternatives

#: Case in which an ace may be paid at the rate of the favoured ace -> the question by which it is paid at all.
CASES = {"thrown-off": "ace.thrown-off.payer", "forced": "ace.forced.payee", "led": "ace.led.payee"}
#: A custom that a source may report -> the question that an option answers by it.
CUSTOMS = {
    "free-quinola": "play.quinola-alone",
    "forced-fine": "quinola.forced.to-every-other",
    "other-revoke-fine": "revoke.fine",
    "talon-values": "talon.special-cards",
    "compulsory-exchange": "exchange.duty",
    "espagnolette": "espagnolette.hands",
}


def clauses_on(source: Source, slug: str) -> list[Clause]:
    """Return the clauses of a source that answer a question."""
    return [clause for clause in source.clauses if slug in clause.answers]


def test_the_favoured_ace_is_paid_at_another_rate_in_no_case_that_a_source_names_by_itself(library: Library) -> None:
    """Q196: where a source names fewer cases, it does not pay the others, or what is paid there is supplied."""
    named = {
        s.siglum: c.answers["ace.favoured-when"]
        for s in library.sources.values()
        for c in clauses_on(s, "ace.favoured-when")
    }
    assert named["MEY"] == named["GER"] == ("thrown-off",)
    for siglum, cases in named.items():
        for slug in (slug for case, slug in CASES.items() if case not in cases):  # type: ignore[operator]
            (clause,) = clauses_on(library.sources[siglum], slug)
            assert clause.answers[slug] == "nobody" or (clause.status, bool(clause.taken_from)) == ("silent", True)
            assert not any(slug in alternative.answers for _, alternative in iter_clause_alternatives([clause]))


def test_every_custom_that_a_source_reports_is_an_option_or_stands_in_the_record(library: Library) -> None:
    """Q184: the pack with tens stands in the deal record; each of the others can be chosen, or is played anyway."""
    for source in library.sources.values():
        offered = {slug for _, alternative in iter_clause_alternatives(source.clauses) for slug in alternative.answers}
        for clause in clauses_on(source, "customs.reported"):
            customs = [one for one in clause.answers["customs.reported"] if one != "full-pack"]  # type: ignore[union-attr]
            assert {CUSTOMS[one] for one in customs} <= offered


@pytest.mark.parametrize("slug", ["session.end", "exchange.heart-fine"])
def test_what_no_source_is_said_to_tell_none_tells(library: Library, slug: str) -> None:
    """Q111 and Q144."""
    assert "no source" in library.questions[slug].not_played.casefold()
    answered = [one for source in library.sources.values() for one in clauses_on(source, slug)]
    rivals = [a for _, a in iter_clause_alternatives(library.clauses()) if slug in a.answers]
    assert not answered and not rivals
