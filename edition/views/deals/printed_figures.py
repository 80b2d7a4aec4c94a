"""Sources against themselves: every number that a source prints about its own game, beside what its rules come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Corpus
from edition.data.deals import worked
from edition.nodes.builders import Content, link, para, span, table
from edition.text.answers import counters, plural
from edition.views.common import Prose, SourceLink, source_link
from edition.views.layout import Nodes, badge, joined, prose
from engine.comparison.printed_figures import Held, held
from rulebook.model import Library, Source


@dataclass(frozen=True, slots=True)
class Number:
    """One printed number, and what came of it."""

    id: str
    locus: str
    words: str  #: the source's own; empty where they are not ours to print
    lang: str
    what: str
    printed: str
    found: str
    agrees: bool
    how: str  #: the sum, or the rule
    deal: str  #: id of the worked deal in which it is paid; empty for a sum
    remark: Prose
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Own:
    """The numbers of one source."""

    source: SourceLink
    numbers: tuple[Number, ...]

    @property
    def kept(self) -> int:
        """How many of them its rules come to."""
        return sum(one.agrees for one in self.numbers)


def itself_view(corpus: Corpus, _: str = "") -> tuple[Own, ...]:
    """Every source held against itself."""
    library = corpus.library
    deals = {record.deal.id: record.deal for record in worked(library) if record.deal}
    return tuple(
        Own(source_link(source), tuple(number(corpus, library, source, one) for one in held(library, siglum, deals)))
        for siglum, source in library.sources.items()
        if source.printed
    )


def number(corpus: Corpus, library: Library, source: Source, one: Held) -> Number:
    """A printed number as a reader sees it."""
    printed, cite = one.printed, one.printed.cite
    rulings = {slug: clause.id for clause in source.clauses for slug in clause.answers}
    found = one.fault if one.found is None else counted(source, one.found, printed.unit)
    return Number(
        printed.id,
        cite.locus,
        cite.exact,
        source.language,
        printed.what,
        counted(source, one.expected, printed.unit),
        found,
        one.agrees,
        printed.rule if printed.deal else printed.reckon,
        printed.deal,
        corpus.prose(printed.remark),
        tuple(dict.fromkeys(rulings[slug] for slug in one.asked if slug in rulings)),
    )


def counted(source: Source, amount: int, unit: str) -> str:
    """A number, with its counter if it is an amount: in the smallest, whatever was printed."""
    return counters(amount, source.unit) if unit else str(amount)


# --- how it is laid out ---------------------------------------------------------------------------------


def itself(view: tuple[Own, ...]) -> Nodes:
    """A table for every source."""
    return [part for own in view for part in of_source(own)]


def of_source(own: Own) -> Nodes:
    """The numbers of one source in a table, those that do not agree marked."""
    head = ("Where", "The number of", "Printed", "By its rules", "How", "Rests on")
    said = f"{own.source.title}: {own.kept} of {plural(len(own.numbers), 'number')} agree"
    return [table(said, head, [row(one) for one in own.numbers], cls="rv-stack rv-itself")]


def row(one: Number) -> tuple[Any, ...]:
    """One number."""
    words: list[Content] = [span("“", span(one.words, lang=one.lang), "”", cls="rv-small")] if one.words else []
    verdict: list[Content] = [one.found, " ", badge("agrees", "rv-good") if one.agrees else badge("not so", "rv-warn")]
    return (
        [link("sentence", one.locus), *([para(*words)] if words else [])],
        one.what,
        one.printed,
        [para(*verdict), *([para(*prose(one.remark))] if one.remark else [])],
        [link("deal", one.deal)] if one.deal else [span(one.how, cls="rv-small")],
        joined(link("clause", id, id.partition(".")[2]) for id in one.clauses) or "–",
    )


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"itself": itself_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"itself": itself}
