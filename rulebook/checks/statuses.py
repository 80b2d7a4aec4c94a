"""Checks of a clause by its status: what is said is cited; silence, doubt and omission have their reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulebook.model import (
    CERTAINTIES,
    CITATION_ROLES,
    DOUBTFUL_STATUSES,
    NOTE_KINDS,
    SPOKEN_STATUSES,
    STATUSES,
    VIEWS,
    Alternative,
    Clause,
    Source,
)
from rulebook.problems import Problem, Where
from rulebook.quotations import list_loci, select_loci
from rulebook.sources.assembled_library import AssembledLibrary, iter_alternatives, iter_clauses
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

_OTHER_ORIGINS = ("practice", "logic")  # where a supplied reading comes from, besides another source


def spoken_to(case: AssembledLibrary, clause: Clause) -> bool:
    """Return whether a clause names any question, even one not understood."""
    return any(answer.owner == clause.id for answer in case.by_source[clause.source])


def what_is_said_is_cited(case: AssembledLibrary) -> Iterator[Problem]:
    """A clause that is not silent rests on words of the source."""
    for _, clause in iter_clauses(case, *SPOKEN_STATUSES):
        if not any(cite.role != "against" for cite in clause.cites):
            what = f"{clause.id} is {clause.status} and cites nothing that supports it"
            yield clause.where.problem(what, "add cites: with locus and exact")
        if not spoken_to(case, clause):
            yield clause.where.problem(f"{clause.id} answers nothing", "add answers:, or take the clause out")


def an_answer_cannot_be_surer_than_the_emendation_it_rests_on(case: AssembledLibrary) -> Iterator[Problem]:
    """A clause that quotes mended words is no more certain than the mending."""
    for source, clause in iter_clauses(case):
        known = source.text.emendations if source.text else {}
        for emendation in (known[id] for id in clause.emendations):
            if clause.cert in CERTAINTIES and CERTAINTIES.index(clause.cert) < CERTAINTIES.index(emendation.cert):
                mended = f"{emendation.id}, which is {emendation.cert}"
                what = f"{clause.id} is of {clause.cert} certainty, but rests on {mended}"
                yield case.at(clause.where, "cert").problem(what, f"write cert: {emendation.cert}, or quote less")


# --- the closed lists -----------------------------------------------------------------------------------


def check_closed_list(
    case: AssembledLibrary, owner: str, record: Where, key: str, word: str, known: tuple[str, ...]
) -> Iterator[Problem]:
    """Check that a word is one of a closed list."""
    if word not in known:
        way_out = did_you_mean(word, known, "use one of: " + ", ".join(known))
        yield case.at(record, key).problem(f"{owner}: {key} cannot be {quote_value(word)}", way_out)


def agreed_words_are_used(case: AssembledLibrary) -> Iterator[Problem]:
    """Status, certainty, role and view come from closed lists."""
    for _, clause in iter_clauses(case):
        yield from check_closed_list(case, clause.id, clause.where, "status", clause.status, STATUSES)
        yield from check_closed_list(case, clause.id, clause.where, "cert", clause.cert, CERTAINTIES)
        for cite in clause.cites:
            yield from check_closed_list(case, clause.id, cite.where, "view", cite.view, VIEWS)
            yield from check_closed_list(case, clause.id, cite.where, "role", cite.role, CITATION_ROLES)
        for alternative in clause.alternatives:
            yield from check_closed_list(case, alternative.id, alternative.where, "cert", alternative.cert, CERTAINTIES)
    for source in case.library.sources.values():
        for note in source.notes:
            yield from check_closed_list(case, note.id, note.where, "kind", note.kind, NOTE_KINDS)


# --- silence, doubt, reasons --------------------------------------------------------------------------------


def check_needed(case: AssembledLibrary, clause: Clause, why: str, *keys: str) -> Iterator[Problem]:
    """Check that a clause of this kind has the entries that it must have."""
    for key in keys:
        if not str(getattr(clause, key)).strip():
            yield case.at(clause.where).problem(f"{clause.id} {why} and has no `{key}`", f"add {key}: {_WANTED[key]}")


#: What is to stand in an entry that is missing.
_WANTED: Mapping[str, str] = {
    "because": "with the reason, in a sentence",
    "taken_from": "practice, logic, or the siglum of the source that says so",
    "label": "what the preferred reading is called, in a few words",
}


def silence_tells_what_was_searched(case: AssembledLibrary) -> Iterator[Problem]:
    """Silence is recorded with the range that was read through."""
    for source, clause in iter_clauses(case, "silent"):
        yield from _check_searched(case, source, clause)
    for source, _, alternative in iter_alternatives(case):
        if alternative.silent:
            yield from _check_searched(case, source, alternative)


def _check_searched(case: AssembledLibrary, source: Source, silent: Clause | Alternative) -> Iterator[Problem]:
    """Check the range that was searched for a silence, of a clause or within another reading."""
    loci = list_loci(source)
    if not silent.searched.strip():
        example = f"{loci[0]}-{loci[-1]}" if loci else f"{source.siglum}.s0001-{source.siglum}.s0009"
        way_out = f"add searched: with the sentences that you have read through for it; for the whole text, {example}"
        yield case.at(silent.where).problem(f"{silent.id} is silent and has no `searched`", way_out)
    for part in re.split(r"[,\s]+", silent.searched.strip()) if loci else ():
        first, _, last = part.partition("-")
        if part and not select_loci(source, first, last):
            what = f"{silent.id}: searched {quote_value(part)} is no range of {source.siglum}"
            yield case.at(silent.where, "searched").problem(
                what, f"name the sentences that were read through, like {loci[0]}-{loci[-1]}"
            )


def a_supplied_reading_says_whence(case: AssembledLibrary) -> Iterator[Problem]:
    """An editor's addition is cited as supplied: from where, and why."""
    whence = (*case.library.sources, *_OTHER_ORIGINS)
    for _, clause in iter_clauses(case, "silent"):
        if clause.answers:
            yield from check_needed(case, clause, "supplies an answer", "taken_from", "because")
        elif not spoken_to(case, clause):
            yield clause.where.problem(f"{clause.id} is silent on nothing", "list questions under answers: or on:")
    for _, clause in iter_clauses(case):
        if clause.taken_from and not case.lost:  # it may be the source that could not be read
            yield from check_closed_list(case, clause.id, clause.where, "taken_from", clause.taken_from, whence)


def a_reason_is_told(case: AssembledLibrary) -> Iterator[Problem]:
    """A question is not passed over without saying why."""
    for _, clause in iter_clauses(case, "inapplicable", "not-collated"):
        yield from check_needed(case, clause, f"is {clause.status}", "because")
        if clause.answers:
            what = f"{clause.id} is {clause.status} and answers all the same"
            yield case.at(clause.where, "answers").problem(what, "list the questions under on: instead")
        elif not spoken_to(case, clause):
            yield clause.where.problem(f"{clause.id} is {clause.status} to nothing", "list questions under on:")
    for _, clause in iter_clauses(case, *SPOKEN_STATUSES):
        if clause.about:
            what = f"{clause.id} is {clause.status} and passes questions over"
            yield case.at(clause.where, "on").problem(what, "answer them, or give them a clause of their own")


def ambiguity_is_data(case: AssembledLibrary) -> Iterator[Problem]:
    """An ambiguous or contradictory passage has a name for its preferred reading, a reason, and a rival."""
    for _, clause in iter_clauses(case, *DOUBTFUL_STATUSES):
        yield from check_needed(case, clause, f"is {clause.status}", "label", "because")
        if not clause.rivals:
            yield clause.where.problem(
                f"{clause.id} is {clause.status} and has no rival",
                "add rivals: with the other reading, its answers and its reason; or, if there is none, another status",
            )
    for _, clause in (pair for pair in iter_clauses(case, "silent") if pair[1].limits):
        yield from check_needed(case, clause, f"limits what {', '.join(clause.limits)} says", "label")
        if not clause.rivals:
            what = f"{clause.id} is supplied against the words of {', '.join(clause.limits)} and has no rival"
            yield clause.where.problem(what, "add rivals: with the answer that leaves those words as they stand")
    for _, _, alternative in iter_alternatives(case):
        if not alternative.label.strip():
            yield alternative.where.problem(f"{alternative.id} has no `label`", "add label:")
        if alternative.kind == "interpretation" and not alternative.because.strip():
            yield alternative.where.problem(f"{alternative.id} has no `because`", "add because:")
