"""Checks of numbers: each answered or printed number stands in the quotation, or follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook.checks.numerals import Hand, in_a_row, is_numeric, named, numbers, untraced
from rulebook.model import SPOKEN, Alternative, Cite, Clause, Printed, Source
from rulebook.problems import Problem
from rulebook.quotations import by_statements, describe_nearest, loci, occurrences, select_loci, words_at
from rulebook.sources.case import Case, iter_clauses
from rulebook.suggestions import did_you_mean


def every_number_answered_stands_in_the_quotation(case: Case) -> Iterator[Problem]:
    """A number answered is a number quoted, or comes out of a computation with numbers quoted."""
    for source, clause in iter_clauses(case, *SPOKEN, "silent"):
        owners: tuple[Clause | Alternative, ...] = (clause, *clause.alternatives)
        for owner in owners:
            if clause.status in SPOKEN or owner.computation:
                yield from check_numbers(case, source, clause, owner)


def check_numbers(case: Case, source: Source, clause: Clause, owner: Clause | Alternative) -> Iterator[Problem]:
    """Yield the numbers of a clause, or of an alternative, that do not follow from its words."""
    answers = {slug: value for slug, value in owner.answers.items() if is_numeric(value)}
    if not answers:
        return
    answered = tuple(number for value in answers.values() for number in numbers(value))
    proving = any(case.library.questions[slug].measure.get("type") == "shapes" for slug in answers)
    words, hand = words_of_grounds(source, clause, owner), gather_hand(case, source, clause, owner)
    if why := untraced(answered, words, owner.computation, hand, proving):
        ids = ", ".join(case.named(slug) for slug in answers)
        what = f"{owner.id}: {ids} answered {in_a_row(answered)}, but {why}"
        way_out = 'quote the number, or add computation: with the numbers in order, such as "un jetton = 5; rien = 0"'
        yield case.at(owner.where, "answers").problem(what, way_out)


def words_of_grounds(source: Source, clause: Clause, owner: Clause | Alternative) -> str:
    """Return the words that must name the number: those that offer an option, else the clause's grounds."""
    if isinstance(owner, Alternative) and owner.exact:
        return owner.exact
    bearing = [cite for cite in clause.cites if cite.role != "against"]
    first = [cite for cite in bearing if cite.role == "grounds"]
    return "; ".join(quoted_words(source, cite) for cite in first or bearing)


def quoted_words(source: Source, cite: Cite) -> str:
    """Return the words quoted, with those beside them that tell which are meant, or our statement."""
    if by_statements(source):
        return "; ".join(one.text for one in source.statements if one.id in select_loci(source, cite.locus, cite.to))
    return " ".join((cite.prefix, cite.exact, cite.suffix))


def gather_hand(case: Case, source: Source, clause: Clause, owner: Clause | Alternative) -> Hand:
    """Gather what a computation of a clause may start from."""
    offered = [one.exact for one in clause.options]
    rival = isinstance(owner, Alternative)  # what speaks against the clause's own reading may speak for a rival
    quoted = [quoted_words(source, cite) for cite in clause.cites if rival or cite.role != "against"]
    units = source.record.get("units")
    multiples = units.get("multiples", {}) if isinstance(units, Mapping) else {}
    return Hand(
        quoted=frozenset(one.value for words in (*quoted, *offered) for one in named(words)),
        units={str(unit): int(worth) for unit, worth in multiples.items()},
        tricks=frozenset(hand_sizes(case, source)),
        look=lambda locus: words_of_locus(case, locus),
        ours=isinstance(owner, Alternative) or owner.supplied,
    )


def hand_sizes(case: Case, source: Source) -> Iterator[int]:
    """Yield the cards in a hand, as the source deals them: that many tricks there are."""
    for slug, value in case.answers[source.siglum].items():
        if isinstance(value, tuple) and case.library.questions[slug].measure.get("type") == "shapes":
            yield from (one["hand"] for one in value if isinstance(one, Mapping) and isinstance(one["hand"], int))


def words_of_locus(case: Case, locus: str) -> str:
    """The words at a locus of any source; none where there is no such locus."""
    source = case.library.sources.get(locus.partition(".")[0])
    return (
        quoted_words(source, Cite(locus, exact=words_at(source, select_loci(source, locus), "emended")))
        if source
        else ""
    )


def every_printed_number_is_there(case: Case) -> Iterator[Problem]:
    """A number that a source is said to print stands in the words quoted, and there is one way to come to it."""
    for source in case.library.sources.values():
        for one in source.printed:
            for key, what, way_out in faults_of_printed(source, one):
                yield case.at(one.where, key).problem(f"{one.id}: {what}", way_out)


def faults_of_printed(source: Source, one: Printed) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with a printed number: the key, what, and the way out."""
    statements = {statement.id: statement.text for statement in source.statements}
    if one.cite.locus not in loci(source):
        yield "locus", f"there is no {one.cite.locus}", did_you_mean(one.cite.locus, loci(source), "give a sentence")
    elif source.text and occurrences(source, one.cite, one.cite.view) != 1:
        yield "exact", f"the words do not stand once in {one.cite.locus}", describe_nearest(source, one.cite)
    elif one.says not in [n.value for n in named(one.cite.exact or statements.get(one.cite.locus, ""))]:
        yield "says", f"the words do not name {one.says}", "quote the words that do"
    if bool(one.reckon) == bool(one.deal):
        yield "id", "it must have either reckon or deal", "give one of the two"
    if one.unit and one.unit not in source.counters:
        known = ", ".join(source.counters)
        yield "unit", f"{source.siglum} has no counter {one.unit}", did_you_mean(one.unit, source.counters, known)
