"""Sums supplied from a source that counts in another counter: they stand number for number, and mix scales."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rulebook.answers.wording import get_sum_counter
from rulebook.model import Library, Question, Source, Value
from rulebook.phrases import format_count, format_counters, pluralize_counter

#: The warning that stands beside results of sums of one lender, and the ids of their questions.
ForeignSums: TypeAlias = tuple[str, tuple[str, ...]]


def list_foreign_sums(library: Library, siglum: str, among: Iterable[str] | None = None) -> tuple[ForeignSums, ...]:
    """List the sums of a source that are supplied in another's counter; of some questions only, by their slugs."""
    chosen = {*library.questions} if among is None else {*among}
    given = (
        (library.questions[slug], value, clause.taken_from)
        for clause in library.sources[siglum].clauses
        if clause.supplied
        for slug, value in clause.answers.items()
        if slug in chosen
    )
    return group_foreign_sums(library, siglum, given)


def group_foreign_sums(
    library: Library, siglum: str, given: Iterable[tuple[Question, Value, str]]
) -> tuple[ForeignSums, ...]:
    """Group answers, each with where it is taken from, by lender; only sums in a counter that is not the source's."""
    own, ids_by_lender = library.sources[siglum], dict[str, list[str]]()
    for question, value, whence in given:
        lender = library.sources.get(whence)
        nought = value == 0 or value == {"sum": 0}
        if lender and not nought and get_sum_counter(question, value, lender) not in ("", own.unit):
            ids_by_lender.setdefault(whence, []).append(question.id)
    lenders = ((library.sources[siglum], ids) for siglum, ids in ids_by_lender.items())
    return tuple((_warn_of_counter(own, lender, len(ids)), tuple(sorted(ids))) for lender, ids in lenders)


def _warn_of_counter(own: Source, lender: Source, number: int) -> str:
    return (
        f"{format_count(number, 'sum')} supplied from {lender.siglum}, which counts in "
        f"{pluralize_counter(lender.unit)}, and taken over number for number: {_describe_worth(own, lender)}"
    )


def _describe_worth(own: Source, lender: Source) -> str:
    """Describe what either source says of the other's counter."""
    for teller, other in ((own, lender), (lender, own)):
        if other.unit in teller.counters:
            worth = format_counters(teller.counters[other.unit], teller.unit)
            return f"by {teller.siglum} a {other.unit} is worth {worth}"
    return f"nothing says what a {own.unit} is worth in {pluralize_counter(lender.unit)}"
