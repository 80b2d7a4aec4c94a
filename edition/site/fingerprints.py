"""Fingerprints of the inputs of views: an edit recomputes only affected views.

Most edits are to the words of a clause, a quotation, a reason, a note, or to its certainty. All but these is its
*structure*: what it answers, where it cites. A view of a kind that `VIEW_DEPENDENCIES` names is made of the structure
and of the wording and the certainty of those clauses whose ids it names; while these are the same, so is the view,
and it need not be made to know that. Where certainties are counted all of them are inputs. Every other kind is made
again whenever the edition is built, and compared.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from edition.analysis.effects import compute_effects
from edition.analysis.results import compute_results
from edition.analysis.situation_table import collect_situation_payments
from edition.corpus.corpus import Corpus
from edition.export.execution_trace import known_traces
from rulebook import program_fingerprint as program
from rulebook.display import format_whole
from rulebook.model import Alternative, Cite, Clause, Library
from rulebook.problems import NOWHERE
from rulebook.resolve import resolve
from rulebook.sources.paths import DEAL_FILE_PATTERNS, SESSION_FILE_PATTERNS, find_files

PART_STRUCTURE, PART_DEALS, PART_FRESHNESS = "bones", "deals", "fresh"
PART_OWN_DEAL, PART_CERTAINTY, PART_QUOTATIONS = "own", "sure", "quoted"

#: Kind of view -> what it rests on besides the words of the clauses that it names: the bones of everything, all worked
#: deals, whether what programs have found is of these sources, the one deal that it shows, how sure every clause is, or
#: what all clauses quote; then it has nothing of their other words.
VIEW_DEPENDENCIES: Mapping[str, tuple[str, ...]] = {
    "alone": (PART_STRUCTURE,),
    "answers": (PART_STRUCTURE,),
    "cards": (PART_STRUCTURE, PART_QUOTATIONS),
    "clauses": (PART_STRUCTURE, PART_DEALS),
    "cost-table": (PART_STRUCTURE, PART_FRESHNESS),
    "costs": (PART_STRUCTURE, PART_CERTAINTY, PART_FRESHNESS),
    "counsel": (PART_STRUCTURE, PART_FRESHNESS),
    "deal": (PART_STRUCTURE, PART_OWN_DEAL),
    "deals": (PART_STRUCTURE, PART_DEALS),
    "effect-table": (PART_STRUCTURE, PART_FRESHNESS),
    "doubts": (PART_STRUCTURE, PART_DEALS, PART_CERTAINTY),
    "distance-table": (PART_STRUCTURE,),
    "distances": (PART_STRUCTURE, PART_FRESHNESS),
    "effects": (PART_STRUCTURE, PART_DEALS),
    "home-deal": (PART_STRUCTURE, PART_DEALS),
    "howto": (PART_STRUCTURE, PART_DEALS),
    "howto-card": (PART_STRUCTURE, PART_DEALS),
    "howtos": (PART_STRUCTURE,),
    "inapplicable": (PART_STRUCTURE,),
    "interpretations": (PART_STRUCTURE, PART_DEALS),
    "itself": (PART_STRUCTURE, PART_DEALS, PART_CERTAINTY),
    "letter": (PART_STRUCTURE, PART_QUOTATIONS),
    "own-deal": (PART_STRUCTURE,),
    "pairs": (PART_STRUCTURE,),
    "play-effects": (PART_STRUCTURE, PART_FRESHNESS),
    "play-money": (PART_STRUCTURE, PART_FRESHNESS),
    "partings": (PART_STRUCTURE, PART_DEALS, PART_FRESHNESS),
    "question": (PART_STRUCTURE,),
    "sessions": (PART_STRUCTURE, PART_DEALS),
    "silences": (PART_STRUCTURE,),
    "source": (PART_STRUCTURE, PART_DEALS),
    "topic": (PART_STRUCTURE, PART_DEALS, PART_FRESHNESS),
    "topics": (PART_STRUCTURE, PART_DEALS),
    "wordlists": (PART_STRUCTURE,),
    "words": (PART_STRUCTURE, PART_QUOTATIONS),
}

#: What is worded in a clause, in a citation, and in another way to take it; and how sure each is.
_WORDING_FIELDS: Mapping[type, tuple[str, ...]] = {
    Clause: ("label", "because", "searched", "computation", "note", "cert"),
    Cite: ("exact", "prefix", "suffix", "seen"),
    Alternative: ("label", "because", "exact", "computation", "cert"),
}
_CLAUSE_ID = re.compile(r"\b[A-Z]{2,6}\.[cio]\d+")


@dataclass(frozen=True, slots=True)
class ViewBasis:
    """Inputs of a view: a fingerprint of the parts it depends on, and of its clauses.

    For every clause that the view names, *words* has a fingerprint of its wording.
    """

    parts: str
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class EditionState:
    """Fingerprints of the edition in its present state."""

    parts: Mapping[str, str]
    deals: Mapping[str, str]  #: id -> fingerprint of its record
    words: Mapping[str, str]  #: clause, or another way to take one -> fingerprint of the clause's words

    def ground(self, kind: str, argument: str, said: str) -> ViewBasis | None:
        """Inputs of a view with this content; None if they are not known for its kind."""
        if kind not in VIEW_DEPENDENCIES:
            return None
        named = () if PART_QUOTATIONS in VIEW_DEPENDENCIES[kind] else _CLAUSE_ID.findall(said)
        return ViewBasis(self.under(kind, argument), self.told(named))

    def holds(self, kind: str, argument: str, before: ViewBasis | None) -> bool:
        """Return True if a view is sure to have the same content as before."""
        if before is None or before.parts != self.under(kind, argument):
            return False
        return all(self.words.get(id, "") == words for id, words in before.words)

    def tried(self, named: Iterable[str]) -> ViewBasis:
        """Inputs of all worked deals, where these clauses are shown in their own words."""
        parts = _hash_parts([self.parts[PART_STRUCTURE], self.parts[PART_DEALS]])
        return ViewBasis(parts, self.told(named))

    def told(self, named: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Fingerprints of the wording of some clauses."""
        return tuple((id, self.words.get(id, "")) for id in sorted(set(named)))

    def under(self, kind: str, argument: str) -> str:
        """Fingerprint of the parts on which a kind of view depends."""
        return _hash_parts(
            [
                self.deals.get(argument, "") if part == PART_OWN_DEAL else self.parts[part]
                for part in VIEW_DEPENDENCIES[kind]
            ]
        )


def fingerprint_edition(corpus: Corpus) -> EditionState:
    """Fingerprints of the folder of sources and of what was read from it."""
    root, library = Path(corpus.library.root), corpus.library
    known = _hash_files(root, (*library.deals, *library.sessions)) if library.root else {}
    parts = {
        PART_STRUCTURE: _hash_parts(
            [program.program_fingerprint(), *_list_structure(corpus), *_hash_other_files(root, library)]
        ),
        PART_DEALS: _hash_parts(known.items()),
        PART_FRESHNESS: _hash_parts(_list_freshness(corpus)),
        PART_CERTAINTY: _hash_parts(_list_certainties(library)),
        PART_QUOTATIONS: _hash_parts(_list_quotations(library)),
    }
    deals = {Path(path).stem: known[path] for path in library.deals if path in known}
    return EditionState(parts, deals, dict(_fingerprint_clause_words(library)))


def _hash_parts(parts: Iterable[object]) -> str:
    """Hash of several objects in order, by all their fields."""
    total = hashlib.sha256()
    for one in parts:
        total.update(format_whole(one).encode("utf-8") + b"\0")
    return total.hexdigest()[:32]


def view_fingerprint(said: str) -> str:
    """Return the fingerprint of what a view says."""
    return hashlib.sha256(said.encode("utf-8")).hexdigest()


# ---- the bones
def _list_structure(corpus: Corpus) -> Iterator[object]:
    """Everything that was read, except the wording of clauses and line numbers.

    The register is left to its file: it holds sets, whose order differs from run to run.
    """
    library = corpus.library
    yield [replace(one, where=NOWHERE) for one in library.questions.values()]
    for source in library.sources.values():
        yield replace(source, clauses=tuple(map(_strip_wording, source.clauses)))
    yield corpus.deals
    yield corpus.terms, corpus.works, corpus.entries, corpus.gone, corpus.telling, corpus.spelling


def _strip_wording(clause: Clause) -> Clause:
    """Copy of a clause with a blank wherever it has words."""
    cites = tuple(replace(one, **_blank_wording(one)) for one in clause.cites)
    alternatives = tuple(replace(one, **_blank_wording(one)) for one in clause.alternatives)
    return replace(clause, cites=cites, alternatives=alternatives, **_blank_wording(clause))


def _blank_wording(one: Clause | Cite | Alternative) -> dict[str, Any]:
    return {"where": NOWHERE, **{name: " " if getattr(one, name) else "" for name in _WORDING_FIELDS[type(one)]}}


def _fingerprint_clause_words(library: Library) -> Iterator[tuple[str, str]]:
    """Fingerprints of the wording of every clause, under its id and its alternatives'."""
    for clause in library.clauses():
        said = _hash_parts(
            [_get_wording(clause), *map(_get_wording, clause.cites), *map(_get_wording, clause.alternatives)]
        )
        yield from ((id, said) for id in (clause.id, *(one.id for one in clause.alternatives)))


def _list_certainties(library: Library) -> Iterator[tuple[str, str]]:
    for clause in library.clauses():
        yield clause.id, clause.cert
        yield from ((one.id, one.cert) for one in clause.alternatives)


def _list_quotations(library: Library) -> Iterator[tuple[str, ...]]:
    for clause in library.clauses():
        yield (clause.id, *(words for cite in clause.cites for words in _get_wording(cite)))
        yield from ((one.id, one.exact) for one in clause.alternatives)


def _get_wording(one: Clause | Cite | Alternative) -> tuple[str, ...]:
    return tuple(getattr(one, name) for name in _WORDING_FIELDS[type(one)])


# ---- the folder
def _hash_other_files(root: Path, library: Library) -> Iterator[tuple[str, str]]:
    """Hash of every file of the sources except clauses, deals and sessions.

    A view may read any of them.
    """
    if library.root:
        apart = {*find_files(root, ("*/clauses.yaml", *DEAL_FILE_PATTERNS, *SESSION_FILE_PATTERNS))}
        paths = [path for path in find_files(root, ("**/*",)) if path not in apart]
        yield from _hash_files(root, (path.relative_to(root).as_posix() for path in paths)).items()


def _hash_files(root: Path, names: Iterable[str]) -> dict[str, str]:
    return {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in names}


def _list_freshness(corpus: Corpus) -> Iterator[bool]:
    """One flag per stored result: True if it was computed from these sources."""
    from edition.data.separations import load_separations  # it needs the search for such deals

    digest, store = corpus.library.rules_digest, load_separations(corpus.library)
    found = (*corpus.receipts, *corpus.surveys, corpus.causes, store)
    yield from (one.sources == digest for one in found if one is not None)


# ---- what was tried at length
#: What came of the worked deals, and what every other reading changes in them, for which each is settled again -> the
#: part of it that may speak of clauses in their own words.
_EXPENSIVE_RESULTS: Mapping[Callable[[Corpus], Any], Callable[[Any], object]] = {
    compute_results: lambda found: found.results,
    compute_effects: lambda _: "",
    collect_situation_payments: lambda found: [
        one.reason for rows in found.values() for row in rows for one in row.sources
    ],
}


_TRACES = "traces"  #: the key of the traces of all settlements, which are kept for each source by itself
_Kept: TypeAlias = dict[str, Any]  #: what was found -> the inputs it was found of, and what was found


def restore_results(corpus: Corpus, state: EditionState, kept: Mapping[str, Any]) -> None:
    """Restore cached results of worked deals that still hold, and the traces of those sources of which they do.

    They hold while structure, deals and the wording that they show are the same.
    """
    for tried in _EXPENSIVE_RESULTS:
        of, found = kept.get(tried.__name__, (None, None))
        if of is not None and of == state.tried(id for id, _ in of.words):
            corpus.memo[tried] = found
    for siglum, (of, traces) in kept.get(_TRACES, {}).items():
        if of == state.tried(id for id, _ in of.words):
            known_traces(corpus)[siglum] = traces


def cache_results(corpus: Corpus, state: EditionState, kept: _Kept) -> None:
    """Cache the results of worked deals and the traces of their settlements, if they were computed."""
    for tried, tells in _EXPENSIVE_RESULTS.items():
        if tried in corpus.memo:
            found = corpus.memo[tried]
            kept[tried.__name__] = state.tried(_CLAUSE_ID.findall(format_whole(tells(found)))), found
    kept[_TRACES] = {
        siglum: (state.tried(_list_traced_clauses(corpus.library, siglum)), traces)
        for siglum, traces in known_traces(corpus).items()
    }


def _list_traced_clauses(library: Library, siglum: str) -> Iterator[str]:
    """Yield the clauses that a trace by a source may show: its own, and those that supply what it does not say."""
    yield from (one.id for one in library.sources[siglum].clauses)
    yield from (id for ruling in resolve(library, siglum).rulings.values() for id in ruling.clauses)
