"""Citations of the edition, a source in it, a question, a clause.

What is cited is a record first; `edition.citation.formats` writes it as a line of text and for reference managers. Of a
text that is printed here the citation names the historical source too, with exemplar and place, as this edition
quotes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from edition.citation.urls import Addresses
from edition.corpus.citation_cff import Release
from edition.corpus.corpus import Corpus
from edition.game import Game
from rulebook.model import Cite, Clause, Library, Source
from rulebook.strings import single_spaced

_MAX_QUOTATION_LENGTH = 90  #: letters of a quotation; a citation needs no more to be recognised


@dataclass(frozen=True, slots=True)
class Origin:
    """A historical source as this edition knows it, and the place in it."""

    author: str
    title: str
    lang: str
    date: str
    exemplar: str
    quotation: str = ""  #: the first words that a clause rests on; empty where none may be repeated
    loci: tuple[str, ...] = ()
    silent: bool = False  #: the clause tells what the source does not say


@dataclass(frozen=True, slots=True)
class EditionCitation:
    """Something of the edition, as others would cite it."""

    kind: str
    id: str
    title: str
    label: str  #: what it is called within the edition: "Question Q031"
    address: str  #: as it is cited: full where the edition knows its own, else within the edition
    full: bool
    release: Release
    library: Library = field(repr=False)
    work: str  #: the whole edition in a list of references
    origin: Origin | None = None

    @property
    def state(self) -> str:
        """Fingerprint of the sources, in short."""
        return self.library.digest.removeprefix("sha256:")[:12]

    @property
    def key(self) -> str:
        """Its name in a list of references."""
        return self.work if self.kind == "edition" else f"{self.work}-{self.id.replace('@', '-at-')}"


@dataclass(frozen=True)
class CitationContext:
    """All that is needed to cite something."""

    corpus: Corpus
    release: Release
    addresses: Addresses

    def cite(self, kind: str, id: str = "") -> EditionCitation | None:
        """A citation of something; None of what is not in the edition, or is not cited by itself."""
        path = self.addresses.within(kind, id)
        citers = get_citers(self.corpus.game)
        if kind not in citers or not path:
            return None
        work = self.corpus.game.name or "edition"
        citation = EditionCitation(
            kind,
            id or work,
            self.release.title,
            "",
            self.addresses.cited(path),
            bool(self.addresses.base),
            self.release,
            self.corpus.library,
            work,
        )
        return citers[kind](self, citation)


# --- what each kind is called -----------------------------------------------------------------------


def _cite_source(desk: CitationContext, citation: EditionCitation) -> EditionCitation:
    source = desk.corpus.library.sources[citation.id]
    how = "Edited" if source.text else "Stated in our own words"
    return replace(citation, title=full_title(source), label=f"{how} as {citation.id}", origin=read_origin(source))


def _cite_question(desk: CitationContext, citation: EditionCitation) -> EditionCitation:
    return replace(citation, title=desk.corpus.library.question(citation.id).asks, label=f"Question {citation.id}")


def _cite_cell(desk: CitationContext, citation: EditionCitation) -> EditionCitation:
    name, _, siglum = citation.id.partition("@")
    asks = desk.corpus.library.question(name).asks
    label = f"Question {name}, the answer of {siglum} ({desk.corpus.library.sources[siglum].title}),"
    return replace(citation, title=asks, label=label)


def _cite_clause(desk: CitationContext, citation: EditionCitation) -> EditionCitation:
    """A clause: the words of the source, and where this edition quotes them."""
    library = desk.corpus.library
    clause = library.clause(citation.id)
    asked = [library.questions[slug] for slug in clause.questions]
    names = f" on {', '.join(question.id for question in asked)}" if asked else ""
    title = f"{citation.id}: {asked[0].asks}" if asked else citation.id
    return replace(
        citation, title=title, label=f"Clause {citation.id}{names}", origin=_read_clause_origin(desk, clause)
    )


def _cite_pair(desk: CitationContext, citation: EditionCitation) -> EditionCitation:
    first, _, second = citation.id.partition("-")
    return replace(citation, title=f"{first} and {second} side by side", label=f"Comparison {citation.id}")


def _cite_clauses(desk: CitationContext, citation: EditionCitation) -> EditionCitation:
    source = desk.corpus.library.sources[citation.id]
    return replace(
        citation, id=f"{citation.id}-clauses", title=f"The clauses of {citation.id}: {source.title}", label="Clauses"
    )


_CITERS: Mapping[str, Callable[[CitationContext, EditionCitation], EditionCitation]] = {
    "edition": lambda desk, citation: citation,
    "source": _cite_source,
    "question": _cite_question,
    "cell": _cite_cell,
    "clause": _cite_clause,
    "pair": _cite_pair,
    "clauses": _cite_clauses,
}


def get_citers(game: Game) -> Mapping[str, Callable[[CitationContext, EditionCitation], EditionCitation]]:
    """Return what completes the citation of each kind of thing."""
    return {**_CITERS, **{kind: lookup.cite for kind, lookup in game.lookups.items() if lookup.cite}}


# --- the historical source ----------------------------------------------------------------------------


def full_title(source: Source) -> str:
    """The title as the record has it."""
    return str(source.record.get("title") or source.title)


def read_origin(source: Source) -> Origin:
    """A source by author, title, date and exemplar."""
    record = source.record
    return Origin(
        str(record.get("author") or ""),
        full_title(source),
        source.language,
        format_source_date(source),
        shorten_exemplar(str(record.get("exemplar") or "")),
    )


def format_source_date(source: Source) -> str:
    """Date of a source: the short one where that qualifies the date of its record, as "after 1765" does."""
    date = single_spaced(str(source.record.get("date") or ""))
    qualifier, _, rest = source.short_date.partition(" ")
    return source.short_date if qualifier in _DATE_QUALIFIERS and rest == date else date


_DATE_QUALIFIERS = frozenset(("after", "before", "about", "probably", "perhaps"))


def shorten_exemplar(words: str) -> str:
    """Short form of the copy used: the first sentence of its description, without what stands in brackets."""
    bare = single_spaced(re.sub(r"(?<!\s)\s*\((?:[^()]|\([^()]*\))*+\)", "", words))
    bare = re.sub(r"\b([A-Z][a-z]{0,4})\.", "\\1\0", bare)  # a stop as in "Mss." ends no sentence and is set aside
    return re.split(r"(?<=[a-z\d]{2})[.;](?=\s+[A-Z])|;\s", bare)[0].rstrip(".").replace("\0", ".")


def _read_clause_origin(desk: CitationContext, clause: Clause) -> Origin:
    """The source of a clause with the place, and with its words where they may be repeated."""
    home = desk.corpus.library.sources[clause.source]
    first = next((cite for cite in clause.cites if cite.role == "grounds"), next(iter(clause.cites), None))
    words = first.exact if first and home.text else ""
    loci = tuple(dict.fromkeys(_format_locus(desk, cite) for cite in clause.cites))
    return replace(read_origin(home), quotation=shorten_cited_words(words), loci=loci, silent=not clause.cites)


def _format_locus(desk: CitationContext, cite: Cite) -> str:
    """Place of some words: sentence, and page where the source has pages."""
    sentence = desk.corpus.sentence(cite.locus)
    page = f" (p. {sentence.page})" if sentence and sentence.page else ""
    return f"{cite.locus} to {cite.to}{page}" if cite.to else f"{cite.locus}{page}"


def shorten_cited_words(words: str) -> str:
    """A quotation by its first words."""
    if len(words) <= _MAX_QUOTATION_LENGTH:
        return words
    return words[:_MAX_QUOTATION_LENGTH].rpartition(" ")[0].rstrip(",;:") + " …"


# --- everything that has files of its own ---------------------------------------------------------------


def all_cited(desk: CitationContext) -> Iterator[tuple[str, tuple[EditionCitation, ...]]]:
    """Every file of citations by its path, without its ending, and what is cited in it."""
    library = desk.corpus.library
    own = [kind for kind, lookup in desk.corpus.game.lookups.items() if lookup.cite]
    whole = desk.cite("edition")
    assert whole is not None
    yield "cite/edition", (whole,)
    for siglum, source_ in library.sources.items():
        yield from one_file(desk, "source", siglum)
        for kind in own:
            yield from one_file(desk, kind, siglum)
        edited = desk.cite("source", siglum)
        citations = [citation for each in source_.clauses if (citation := desk.cite("clause", each.id))]
        if edited and citations:
            yield build_citation_path(desk.corpus.game, "clauses", siglum), (whole, edited, *citations)
    for asked in library.questions.values():
        cells = [desk.cite("cell", f"{asked.id}@{siglum}") for siglum in library.sources]
        for path, (citation,) in one_file(desk, "question", asked.id):
            yield path, (citation, *(each for each in cells if each))
    for wanted in (*own, "pair"):
        for kind, id in desk.addresses.places:
            if kind == wanted and id not in library.sources:
                yield from one_file(desk, kind, id)


def one_file(desk: CitationContext, kind: str, id: str) -> Iterator[tuple[str, tuple[EditionCitation, ...]]]:
    """The file of one thing, if it has a place in the edition."""
    citation = desk.cite(kind, id)
    if citation is not None:
        yield build_citation_path(desk.corpus.game, kind, id), (citation,)


FOLDERS: Mapping[str, str] = {"source": "sources", "question": "questions", "pair": "pairs"}


def build_citation_path(game: Game, kind: str, id: str) -> str:
    """Path of the file with a citation, without the ending."""
    if kind in ("cell", "clause"):
        kind, id = ("question", id.partition("@")[0]) if kind == "cell" else ("clauses", id.partition(".")[0])
    lookup = game.lookups.get(kind)
    folder = lookup.plural if lookup else FOLDERS.get(kind, kind)
    return "cite/edition" if kind == "edition" else f"cite/{folder}/{id}"
