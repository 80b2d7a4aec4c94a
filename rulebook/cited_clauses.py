"""Clauses as a ledger or an explanation cites them: each with the words on which it rests.

A `CitedClause` has `id`, `locus` (first sentence or statement), `words`, their `lang`, and `kind`: quotation (the
source's own words), paraphrase (ours, of a source in copyright), supplied (ours, the source being silent) or reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulebook.answers.values import format_canonical
from rulebook.answers.wording import NOT_CONSULTED, describe_supply_ground
from rulebook.model import Cite, Clause, Library, Ruling, Source
from rulebook.phrases import capitalise, join_names
from rulebook.strings import single_spaced

_MAX_SHORT_LENGTH = 60  #: letters of a quotation where room is scarce


@dataclass(frozen=True, slots=True)
class CitedClause:
    """A clause as a ledger cites it, and as an explanation quotes it."""

    id: str
    source: str
    status: str  #: as in rulebook.model.STATUSES
    kind: str  #: quotation | paraphrase | supplied | reason
    words: str
    lang: str
    locus: str = ""
    quotations: tuple[tuple[str, str], ...] = ()  #: all passages that it rests on, each with its place
    remark: str = ""  #: what we say of it: why it is supplied, and from where; why there is no answer
    emendations: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """Its first words, where room is scarce."""
        if len(self.words) <= _MAX_SHORT_LENGTH:
            return self.words
        return self.words[:_MAX_SHORT_LENGTH].rpartition(" ")[0].rstrip(",;:") + " …"

    @property
    def marked(self) -> str:
        """Its first words, in quotation marks only where they are the source's own."""
        return f"“{self.short}”" if self.kind == "quotation" else f"({self.short})"

    @property
    def quoted(self) -> str:
        """Its words, in quotation marks only where they are the source's own."""
        return f"“{self.words}”" if self.kind == "quotation" else f"({self.words})"


class CitingLine:
    """Line of a ledger that rests on answers, its `rulings`; each names its clauses."""

    __slots__ = ()
    rulings: tuple[Ruling, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses on which it rests."""
        return tuple(group_clauses(self.rulings))

    @property
    def emendations(self) -> tuple[str, ...]:
        """The emendations that it rests on: where the page was mended before anybody could read it so."""
        return tuple(dict.fromkeys(id for ruling in self.rulings for id in ruling.emendations))

    @property
    def chosen(self) -> tuple[str, ...]:
        """Readings and answers of the reader's own choice on which this entry rests."""
        named = [ruling.interpretation for ruling in self.rulings]
        given = (f"{ruling.id}={format_canonical(ruling.value)}" for ruling in self.rulings if not ruling.clauses)
        return tuple(dict.fromkeys((*(id for id in named if id and not id.endswith(".preferred")), *given)))


# ---- clauses
def group_clauses(rulings: Iterable[Ruling]) -> dict[str, Ruling]:
    """Return every clause on which some answers rest, with the first of them, in the order in which they are cited."""
    cited: dict[str, Ruling] = {}
    for ruling in rulings:
        for id in ruling.clauses:
            cited.setdefault(id, ruling)
    return cited


def view_ruling_clause(library: Library, ruling: Ruling, clause: Clause) -> CitedClause:
    """View a clause of an answer; by another reading of what it supplies, with the reason of that reading."""
    cited = view_cited_clause(library, clause)
    chosen = next((rival for rival in clause.alternatives if rival.id == ruling.interpretation), None)
    if chosen is None or not clause.supplied:
        return cited
    because = single_spaced(chosen.because)
    return replace(cited, kind="reason", words=because, remark=because)


def view_cited_clause(library: Library, clause: Clause) -> CitedClause:
    """A clause with the words it rests on: the source's, or ours where it has none or they are not ours to print."""
    source = library.sources[clause.source]
    cite = min(clause.cites, key=lambda c: (c.role != "grounds", not c.exact), default=None)
    kind, words = _choose_clause_words(source, clause, cite)
    ours = kind in ("supplied", "reason")
    return CitedClause(
        clause.id,
        clause.source,
        clause.status,
        kind,
        single_spaced(words),
        source.language if kind == "quotation" else "en",
        cite.locus if cite else "",
        () if ours else _list_quotations(source, clause, kind),
        _compose_remark(source, clause) if ours else "",
        clause.emendations,
    )


def _list_quotations(source: Source, clause: Clause, kind: str) -> tuple[tuple[str, str], ...]:
    """The passages that it rests on; of a source in copyright, in our words."""
    cites = [c for c in clause.cites if c.role == "grounds"] or list(clause.cites[:1])
    ours = {s.id: s.text for s in source.statements}
    passages = ((ours.get(c.locus, "") if kind == "paraphrase" else c.exact, c.locus) for c in cites)
    return tuple((single_spaced(words), locus) for words, locus in dict.fromkeys(passages) if words)


def _compose_remark(source: Source, clause: Clause) -> str:
    because = single_spaced(clause.because)
    if not clause.supplied or not clause.answers:
        return because
    whence = f" from {describe_supply_ground(clause.taken_from)}" if clause.taken_from else ""
    unsaid = f"{NOT_CONSULTED} of {source.siglum}" if source.partial else f"{source.siglum} says nothing here"
    limited = f", and limits what {join_names(clause.limits)} says" if clause.limits else ""
    return f"{capitalise(unsaid)}; we supply this{whence}{limited}. {because}".strip()


def _choose_clause_words(source: Source, clause: Clause, cite: Cite | None) -> tuple[str, str]:
    if clause.supplied:
        given = ", ".join(f"{slug} {format_canonical(value)}" for slug, value in clause.answers.items())
        whence = f" from {describe_supply_ground(clause.taken_from)}" if clause.taken_from else ""
        limited = f", limiting {', '.join(clause.limits)}" if clause.limits else ""
        return "supplied", f"silent; supplied{whence}{limited}: {given}"
    statement = next((s.text for s in source.statements if cite and s.id == cite.locus), "")
    if statement:  # in copyright: our words say more than the few that may be quoted
        return "paraphrase", statement
    return ("quotation", cite.exact) if cite and cite.exact else ("reason", clause.because)
