"""Checks of numbers: each answered or printed number stands in the quotation, or follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeGuard

from rulebook import model
from rulebook.checks.number_words import (
    NumberWords,
    describe_missing_language,
    find_named_numbers,
    learn_number_words,
)
from rulebook.checks.numerals import (
    ADD_COMPUTATION,
    OURS_NOTE,
    ComputationInputs,
    describe_untraced,
    extract_answer_numbers,
    format_number_list,
    is_numeric,
    part_mixed_numbers,
)
from rulebook.phrases import format_mixed
from rulebook.problems import Problem
from rulebook.quotations import by_statements, count_occurrences, describe_nearest, list_loci, select_loci, words_at
from rulebook.sources.assembled_library import AssembledLibrary, iter_clauses
from rulebook.suggestions import did_you_mean

_ONE_STAKE: model.Value = model.FrozenMap({"stakes": 1})


def every_number_answered_stands_in_the_quotation(case: AssembledLibrary) -> Iterator[Problem]:
    """A number answered is a number quoted, or comes out of a computation with numbers quoted."""
    for source, clause in iter_clauses(case):
        if clause.cites and not list_loci(source):  # a text that is gone, or could not be read, is told by itself
            continue
        for owner, what, way_out in find_untraced_numbers(case, source, clause):
            yield case.at(owner.where, "answers").problem(f"{owner.id}: {what}", way_out)


def find_untraced_numbers(
    case: AssembledLibrary, source: model.Source, clause: model.Clause
) -> Iterator[tuple[model.Clause | model.Alternative, str, str]]:
    """Yield what is wrong with the numbers of a clause and its alternatives: whose they are, what, and the way out."""
    owners: tuple[model.Clause | model.Alternative, ...] = (clause, *clause.alternatives)
    for owner in owners:
        if clause.status in model.SPOKEN_STATUSES or (clause.status == "silent" and owner.computation):
            what, way_out = describe_untraced_answers(case, source, clause, owner)
            if what:
                yield owner, what, way_out


def describe_untraced_answers(
    case: AssembledLibrary, source: model.Source, clause: model.Clause, owner: model.Clause | model.Alternative
) -> tuple[str, str]:
    """Explain why numbers answered do not follow from the words, and the way out; empty if they do."""
    words, known = words_of_grounds(source, clause, owner), words_for_numbers(source)
    named = owner.computation or find_named_numbers(words, known)  # "the fine is a stake" names no number, and is one
    kept = {slug: value for slug, value in owner.answers.items() if named or value != _ONE_STAKE}
    answers = {slug: value for slug, value in kept.items() if is_numeric(value)}
    if not answers:
        return "", ""
    answered = tuple(number for value in answers.values() for number in extract_answer_numbers(value))
    typed = tuple(number for slug, value in answers.items() for number in _list_typed_numbers(case, owner, slug, value))
    parted = tuple(n for value in answers.values() for n in part_mixed_numbers(value) or extract_answer_numbers(value))
    proving = any(True for slug, value in answers.items() for _ in case.library.questions[slug].kind.counts(value))
    hand = gather_hand(case, source, clause, owner)
    faults = [
        describe_untraced(row, words, owner.computation, hand, proving)
        for row in dict.fromkeys((typed, answered, parted))
    ]
    if not all(why for why, _ in faults):
        return "", ""
    why, way_out = faults[0]
    ids = ", ".join(case.named(slug) for slug in answers)
    if hand.ours and len(typed) == 1 and ADD_COMPUTATION in way_out:
        way_out += f", or, where no source has the number, mark it as ours: {typed[0]} ({OURS_NOTE}) = {typed[0]}"
    shown = ", ".join(map(format_mixed, answers.values())) if _are_fractions(answers) else format_number_list(typed)
    return f"{ids} answered {shown}, but {why}", _complete_hint(case, source, way_out)


def _are_fractions(answers: Mapping[str, model.Value]) -> TypeGuard[Mapping[str, str]]:
    return all(isinstance(value, str) for value in answers.values())


def _list_typed_numbers(
    case: AssembledLibrary, owner: model.Clause | model.Alternative, slug: str, value: model.Value
) -> tuple[int, ...]:
    """Return the numbers of an answer in the order in which the coder has typed them."""
    kept = extract_answer_numbers(value)
    given = next(
        (answer for answer in case.by_owner.get(owner.id, ()) if answer.slug == slug and answer.value == value), None
    )
    return (
        given.numbers if given and not isinstance(value, model.Like) and sorted(given.numbers) == sorted(kept) else kept
    )


def _complete_hint(case: AssembledLibrary, source: model.Source, way_out: str) -> str:
    """Add to a hint how words for numbers come to be known, where that may be what is wanted, and the examples."""
    guide = Path(case.library.root, "pages", f"{_EXAMPLES_PAGE}.md").is_file()
    examples = f" (the page {_EXAMPLES_PAGE} of the edition has examples)" if guide else ""
    if ADD_COMPUTATION not in way_out:
        return f"{way_out}{examples}"
    missing = describe_missing_language(source.language)
    own = "a word for a number that is not known here stands in source.yaml: numbers: {undici: 11}"
    return "; ".join(filter(None, (way_out, missing, f"{own}{examples}")))


_EXAMPLES_PAGE = "computation"  #: of a library that has such a guide


def words_for_numbers(source: model.Source) -> NumberWords:
    """Return the number words of a source: its own, and those of its language."""
    own = source.record.get("numbers")
    pairs = own.items() if isinstance(own, Mapping) else ()
    return learn_number_words(source.language, tuple((str(word), int(value)) for word, value in pairs))


def words_of_grounds(source: model.Source, clause: model.Clause, owner: model.Clause | model.Alternative) -> str:
    """Return the words that must name the number: those that offer an option, else the clause's grounds."""
    if isinstance(owner, model.Alternative) and owner.exact:
        return owner.exact
    return "; ".join(
        _quote_with_context(source, cite)
        for related in _list_clauses(source, clause, owner)
        for cite in _list_grounds(related)
    )


def _list_grounds(clause: model.Clause) -> list[model.Cite]:
    bearing = [cite for cite in clause.cites if cite.role != "against"]
    return [cite for cite in bearing if cite.role == "grounds"] or bearing


def _list_clauses(
    source: model.Source, clause: model.Clause, owner: model.Clause | model.Alternative
) -> list[model.Clause]:
    """Return a clause, and those whose questions another reading of it answers too: the words of both are at hand."""
    further = {*owner.answers} - {*clause.answers} if isinstance(owner, model.Alternative) else set()
    if not further:
        return [clause]
    return [
        clause,
        *(other for other in source.clauses if other is not clause and not further.isdisjoint(other.answers)),
    ]


def _quote_with_context(source: model.Source, cite: model.Cite) -> str:
    """Return the words quoted, with those beside them that tell which are meant, or our statement."""
    if by_statements(source):
        ids = select_loci(source, cite.locus, cite.to)
        return "; ".join(statement.text for statement in source.statements if statement.id in ids)
    return " ".join((cite.prefix, cite.exact, cite.suffix))


def gather_hand(
    case: AssembledLibrary, source: model.Source, clause: model.Clause, owner: model.Clause | model.Alternative
) -> ComputationInputs:
    """Gather what a computation of a clause may start from."""
    offered = [option.exact for option in clause.options]
    rival = isinstance(owner, model.Alternative)  # what speaks against the clause's own reading may speak for a rival
    cites = [cite for related in _list_clauses(source, clause, owner) for cite in related.cites]
    quoted = [_quote_with_context(source, cite) for cite in cites if rival or cite.role != "against"]
    units = source.record.get("units")
    multiples = units.get("multiples", {}) if isinstance(units, Mapping) else {}
    known = words_for_numbers(source)
    return ComputationInputs(
        quoted=frozenset(number.value for words in (*quoted, *offered) for number in find_named_numbers(words, known)),
        units={str(unit): int(worth) for unit, worth in multiples.items()},
        tricks=frozenset(hand_sizes(case, source)),
        look=lambda locus: words_of_locus(case, locus),
        ours=isinstance(owner, model.Alternative) or owner.supplied,
        words=known,
    )


def hand_sizes(case: AssembledLibrary, source: model.Source) -> Iterator[int]:
    """Yield the cards in a hand, as the source deals them: that many tricks there are."""
    for slug, value in case.answers[source.siglum].items():
        if isinstance(value, tuple):
            yield from case.library.questions[slug].kind.counts(value)


def words_of_locus(case: AssembledLibrary, locus: str) -> str:
    """The words at a locus of any source; none where there is no such locus."""
    source = case.library.sources.get(locus.partition(".")[0])
    return (
        _quote_with_context(source, model.Cite(locus, exact=words_at(source, select_loci(source, locus), "emended")))
        if source
        else ""
    )


def every_printed_number_is_there(case: AssembledLibrary) -> Iterator[Problem]:
    """A number that a source is said to print stands in the words quoted, and there is one way to come to it."""
    for source in case.library.sources.values():
        for passage in source.printed:
            for key, what, way_out in faults_of_printed(source, passage):
                yield case.at(passage.where, key).problem(f"{passage.id}: {what}", way_out)


def faults_of_printed(source: model.Source, passage: model.Printed) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with a printed number: the key, what, and the way out."""
    statements = {statement.id: statement.text for statement in source.statements}
    if passage.cite.locus not in list_loci(source):
        yield (
            "locus",
            f"there is no {passage.cite.locus}",
            did_you_mean(passage.cite.locus, list_loci(source), "give a sentence"),
        )
    elif source.text and count_occurrences(source, passage.cite, passage.cite.view) != 1:
        yield "exact", f"the words do not stand once in {passage.cite.locus}", describe_nearest(source, passage.cite)
    elif passage.says not in _list_printed_values(source, passage, statements):
        yield "says", f"the words do not name {passage.says}", "quote the words that do"
    if bool(passage.reckon) == bool(passage.deal):
        yield "id", "it must have either reckon or deal", "give one of the two"
    if passage.unit and passage.unit not in source.counters:
        known = ", ".join(source.counters)
        yield (
            "unit",
            f"{source.siglum} has no counter {passage.unit}",
            did_you_mean(passage.unit, source.counters, known),
        )


def _list_printed_values(source: model.Source, passage: model.Printed, statements: Mapping[str, str]) -> list[int]:
    words = passage.cite.exact or statements.get(passage.cite.locus, "")
    return [number.value for number in find_named_numbers(words, words_for_numbers(source))]
