"""Checks of citations: known loci, quotations found again at theirs, sentences unchanged since they were coded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulebook.model import VIEWS, Cite, Clause, Source
from rulebook.problems import Problem
from rulebook.program_name import name_command
from rulebook.quotations import (
    by_statements,
    count_occurrences,
    describe_nearest,
    fingerprint_citation,
    list_loci,
    select_loci,
)
from rulebook.sources.assembled_library import AssembledLibrary, iter_alternatives, iter_citations
from rulebook.strings import single_spaced
from rulebook.suggestions import did_you_mean


def every_locus_is_known(case: AssembledLibrary) -> Iterator[Problem]:
    """A citation names sentences, or statements, that there are."""
    for source, clause, cite in iter_citations(case):
        loci = list_loci(source)
        for key, locus in (("locus", cite.locus), ("to", cite.to)):
            if locus and loci and locus not in loci:
                what = f"{clause.id}: there is no {locus} in {source.siglum}"
                way_out = did_you_mean(locus, loci, f"{source.siglum} has {loci[0]} to {loci[-1]}")
                yield case.at(cite.where, key).problem(what, way_out)


def every_range_runs_forward(case: AssembledLibrary) -> Iterator[Problem]:
    """A range ends after it has begun."""
    for source, clause, cite in iter_citations(case):
        loci = list_loci(source)
        if cite.to in loci and cite.locus in loci and loci.index(cite.to) <= loci.index(cite.locus):
            what = f"{clause.id}: the range ends with {cite.to}, which does not come after {cite.locus}"
            yield case.at(cite.where, "to").problem(what, "exchange the two, or leave `to` out")


def every_citation_quotes(case: AssembledLibrary) -> Iterator[Problem]:
    """Everything that is taken from a text is quoted from it."""
    for source, clause, cite in iter_citations(case):
        if source.text and not cite.exact.strip():
            what = f"{clause.id}: cites {cite.locus} and quotes nothing"
            yield cite.where.problem(what, "add exact: and the words that prove the answer")


def every_quotation_stands_at_its_locus(case: AssembledLibrary) -> Iterator[Problem]:
    """Every quotation is found again at its locus, in its view, exactly once."""
    for source, clause, cite in iter_citations(case):
        if cite.exact.strip() and cite.view in VIEWS and select_loci(source, cite.locus, cite.to):
            times = count_occurrences(source, cite, cite.view)
            if times != 1:
                yield case.at(cite.where, "exact").problem(*describe_misquotation(source, clause, cite, times))


def describe_misquotation(source: Source, clause: Clause, cite: Cite, times: int) -> tuple[str, str]:
    """Say what is wrong with a quotation, and the way out."""
    place = f"{cite.locus} to {cite.to}" if cite.to else cite.locus
    quotation = f'{clause.id}: "{single_spaced(cite.exact)}"'
    if times:
        return f"{quotation} stands {times} times in {place}", "tell which by prefix: or suffix:, the words beside it"
    if (cite.prefix or cite.suffix) and count_occurrences(source, Cite(cite.locus, cite.to, cite.exact), cite.view):
        return f"{quotation} does not stand between its prefix and suffix in {place}", "correct prefix: and suffix:"
    if by_statements(source):
        return f"{quotation} is no part of what is quoted in {place}", describe_nearest(source, cite)
    return f"{quotation} does not stand in {place} ({cite.view})", describe_nearest(source, cite)


def every_offer_is_quoted(case: AssembledLibrary) -> Iterator[Problem]:
    """The words by which a source offers an option stand where its clause cites."""
    for source, clause, option in iter_alternatives(case):
        if not option.exact or not list_loci(source):  # a text that could not be read is told by itself
            continue
        looks = [Cite(cite.locus, cite.to, option.exact, view=cite.view) for cite in clause.cites if cite.view in VIEWS]
        if not any(count_occurrences(source, look, look.view) == 1 for look in looks):
            what = f'{option.id}: "{single_spaced(option.exact)}" does not stand once where {clause.id} cites'
            way_out = describe_nearest(source, looks[0]) if looks else f"let {clause.id} cite the sentence"
            yield case.at(option.where, "exact").problem(what, way_out)


def every_sentence_is_as_it_was_when_coded(case: AssembledLibrary) -> Iterator[Problem]:
    """A sentence that has changed since is reported as drift until the clause is confirmed."""
    unseen: dict[str, list[tuple[Clause, Cite]]] = {}
    for source, clause, cite in iter_citations(case):
        now = fingerprint_citation(source, cite)
        if not now or cite.seen == now:
            continue
        confirm = f"read it again; then `{name_command(f'check --confirm {clause.id}')}`"
        if not cite.seen:
            unseen.setdefault(source.siglum, []).append((clause, cite))
        else:
            what = f"{clause.id}: drift: {cite.locus} has changed since the clause was coded: confirm it"
            yield case.at(cite.where, "seen").problem(what, confirm)
    for siglum, cites in unseen.items():
        yield from _check_unseen(siglum, cites)


def _check_unseen(siglum: str, cites: Sequence[tuple[Clause, Cite]]) -> Iterator[Problem]:
    """Yield the citations of a source without a fingerprint; many of them at once, since one command mends all."""
    clause, first = cites[0]
    if len(cites) > _MOST_UNSEEN:
        what = f"{len(cites)} citations of {siglum} have no fingerprint (seen), the first in {clause.id}"
        yield first.where.problem(what, f"`{name_command('check --confirm')}` writes them all")
        return
    for clause, cite in cites:
        what = f"{clause.id}: {cite.locus} has no fingerprint (seen)"
        yield cite.where.problem(what, f"`{name_command('check --confirm')}` writes it")


_MOST_UNSEEN = 2  #: so many citations without a fingerprint are told one by one
