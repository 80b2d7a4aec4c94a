"""What a view rests on, so that an edit asks anew only those views in which it has a part.

Most edits are to the words of a clause, a quotation, a reason, a note, or to how sure it is. All but these is its
*bones*: what it answers, where it cites. A view of a kind that `RESTS` names is made of bones and of the words and the
certainty of those clauses whose ids it names; while these are the same, so is the view, and it need not be made to
know that. Where certainties are counted all of them have a part in it. Every other kind is made again whenever the
edition is built, and compared.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from edition.analysis.effects import compute_effects
from edition.analysis.results import compute_results
from edition.corpus.corpus import Corpus
from rulebook import program_fingerprint as program
from rulebook.model import Alternative, Cite, Clause, Library
from rulebook.problems import NOWHERE
from rulebook.sources.paths import DEALS, SESSIONS, find_files

BONES, DEALT, FRESH, OWN, SURE, QUOTED = "bones", "deals", "fresh", "own", "sure", "quoted"

#: Kind of view -> what it rests on besides the words of the clauses that it names: the bones of everything, all worked
#: deals, whether what programs have found is of these sources, the one deal that it shows, how sure every clause is, or
#: what all clauses quote; then it has nothing of their other words.
RESTS: Mapping[str, tuple[str, ...]] = {
    "beside": (BONES,),
    "clauses": (BONES, DEALT),
    "costs": (BONES, SURE),
    "deal": (BONES, OWN),
    "deals": (BONES, DEALT),
    "distances": (BONES,),
    "effects": (BONES, DEALT),
    "glance": (BONES, SURE),
    "hook": (BONES, DEALT),
    "howto": (BONES,),
    "inapplicable": (BONES,),
    "interpretations": (BONES, DEALT),
    "itself": (BONES, DEALT, SURE),
    "matrix": (BONES,),
    "own-deal": (BONES,),
    "pair": (BONES,),
    "pairs": (BONES, SURE),
    "partings": (BONES, DEALT, FRESH),
    "question": (BONES,),
    "sessions": (BONES, DEALT),
    "silences": (BONES,),
    "source": (BONES, DEALT),
    "wordlists": (BONES,),
    "words": (BONES, QUOTED),
}

#: What is worded in a clause, in a citation, and in another way to take it; and how sure each is.
WORDED: Mapping[type, tuple[str, ...]] = {
    Clause: ("label", "because", "searched", "computation", "note", "cert"),
    Cite: ("exact", "prefix", "suffix", "seen"),
    Alternative: ("label", "because", "exact", "computation", "cert"),
}
NAMED = re.compile(r"\b[A-Z]{2,6}\.[cio]\d+")


@dataclass(frozen=True, slots=True)
class Ground:
    """What a view was made of: a fingerprint of the parts it rests on, and of the words of every clause it names."""

    parts: str
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class State:
    """The edition as it now stands, in fingerprints."""

    parts: Mapping[str, str]
    deals: Mapping[str, str]  #: id -> fingerprint of its record
    words: Mapping[str, str]  #: clause, or another way to take one -> fingerprint of the clause's words

    def ground(self, kind: str, argument: str, said: str) -> Ground | None:
        """What a view rests on that says this; nothing where that cannot be told of its kind."""
        if kind not in RESTS:
            return None
        named = () if QUOTED in RESTS[kind] else NAMED.findall(said)
        return Ground(self.under(kind, argument), self.told(named))

    def holds(self, kind: str, argument: str, before: Ground | None) -> bool:
        """Whether a view is sure to say what it said."""
        if before is None or before.parts != self.under(kind, argument):
            return False
        return all(self.words.get(id, "") == words for id, words in before.words)

    def tried(self, named: Iterable[str]) -> Ground:
        """What all worked deals rest on, where these clauses are told in their own words."""
        parts = seal([self.parts[BONES], self.parts[DEALT]])
        return Ground(parts, self.told(named))

    def told(self, named: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """The words of some clauses, in fingerprints."""
        return tuple((id, self.words.get(id, "")) for id in sorted(set(named)))

    def under(self, kind: str, argument: str) -> str:
        """A fingerprint of the parts on which a kind of view rests."""
        return seal([self.deals.get(argument, "") if part == OWN else self.parts[part] for part in RESTS[kind]])


def state_of(corpus: Corpus) -> State:
    """Everything in fingerprints: the folder of sources, and what was read from it."""
    root, library = Path(corpus.library.root), corpus.library
    known = sealed(root, (*library.deals, *library.sessions)) if library.root else {}
    parts = {
        BONES: seal([program.program_fingerprint(), *bones(corpus), *rest_of_the_folder(root, library)]),
        DEALT: seal(known.items()),
        FRESH: seal(fresh(corpus)),
        SURE: seal(certainties(library)),
        QUOTED: seal(quoted(library)),
    }
    deals = {Path(path).stem: known[path] for path in library.deals if path in known}
    return State(parts, deals, dict(worded(library)))


def seal(parts: Iterable[object]) -> str:
    """A fingerprint of some things in a row."""
    total = hashlib.sha256()
    for one in parts:
        total.update(repr(one).encode("utf-8") + b"\0")
    return total.hexdigest()[:32]


def view_fingerprint(said: str) -> str:
    """Return the fingerprint of what a view says."""
    return hashlib.sha256(said.encode("utf-8")).hexdigest()


# ---- the bones
def bones(corpus: Corpus) -> Iterator[object]:
    """All that was read, without the words of clauses and without their places in the files.

    The register is left to its file: it holds sets, which no two runs write down in the same order.
    """
    library = corpus.library
    yield [replace(one, where=NOWHERE) for one in library.questions.values()]
    for source in library.sources.values():
        yield replace(source, clauses=tuple(map(bare, source.clauses)))
    yield corpus.deals
    yield corpus.terms, corpus.works, corpus.entries, corpus.gone, corpus.telling, corpus.spelling


def bare(clause: Clause) -> Clause:
    """A clause of which only the bones are left; where words stood it says that some did."""
    cites = tuple(replace(one, **blanked(one)) for one in clause.cites)
    alternatives = tuple(replace(one, **blanked(one)) for one in clause.alternatives)
    return replace(clause, cites=cites, alternatives=alternatives, **blanked(clause))


def blanked(one: Clause | Cite | Alternative) -> dict[str, Any]:
    """The words of one thing, each blank if it was there."""
    return {"where": NOWHERE, **{name: " " if getattr(one, name) else "" for name in WORDED[type(one)]}}


def worded(library: Library) -> Iterator[tuple[str, str]]:
    """The words of every clause, under its id and those of the other ways to take it."""
    for clause in library.clauses():
        said = seal([words_of(clause), *map(words_of, clause.cites), *map(words_of, clause.alternatives)])
        yield from ((id, said) for id in (clause.id, *(one.id for one in clause.alternatives)))


def certainties(library: Library) -> Iterator[tuple[str, str]]:
    """How sure every clause is, and every other way to take it."""
    for clause in library.clauses():
        yield clause.id, clause.cert
        yield from ((one.id, one.cert) for one in clause.alternatives)


def quoted(library: Library) -> Iterator[tuple[str, ...]]:
    """What every clause quotes, and every other way to take it."""
    for clause in library.clauses():
        yield (clause.id, *(words for cite in clause.cites for words in words_of(cite)))
        yield from ((one.id, one.exact) for one in clause.alternatives)


def words_of(one: Clause | Cite | Alternative) -> tuple[str, ...]:
    """The words of one thing."""
    return tuple(getattr(one, name) for name in WORDED[type(one)])


# ---- the folder
def rest_of_the_folder(root: Path, library: Library) -> Iterator[tuple[str, str]]:
    """Every file of the folder besides clauses, deals and sessions: a view may read what nobody foresaw."""
    if library.root:
        apart = {*find_files(root, ("*/clauses.yaml", *DEALS, *SESSIONS))}
        paths = [path for path in find_files(root, ("**/*",)) if path not in apart]
        yield from sealed(root, (path.relative_to(root).as_posix() for path in paths)).items()


def sealed(root: Path, names: Iterable[str]) -> dict[str, str]:
    """A fingerprint of each of some files."""
    return {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in names}


def fresh(corpus: Corpus) -> Iterator[bool]:
    """Of everything that programs have found, whether they found it in these sources."""
    from edition.data.separations import stored  # it needs the search for such deals

    digest, store = corpus.library.digest, stored(corpus.library)
    found = (*corpus.receipts, *corpus.surveys, corpus.causes, store)
    yield from (one.sources == digest for one in found if one is not None)


# ---- what was tried at length
#: What came of the worked deals, and what every other reading changes in them, for which each is settled again -> the
#: part of it that may speak of clauses in their own words.
TRIED: Mapping[Callable[[Corpus], Any], Callable[[Any], object]] = {
    compute_results: lambda found: found.results,
    compute_effects: lambda _: "",
}


def recall(corpus: Corpus, state: State, kept: Mapping[str, tuple[Ground, object]]) -> None:
    """What was tried on an earlier day holds while bones, deals and the words that it tells are the same."""
    for tried in TRIED:
        of, found = kept.get(tried.__name__, (None, None))
        if of is not None and of == state.tried(id for id, _ in of.words):
            corpus.memo[tried] = found


def keep(corpus: Corpus, state: State, kept: dict[str, tuple[Ground, object]]) -> None:
    """Keep what was tried, if it was."""
    for tried, tells in TRIED.items():
        if tried in corpus.memo:
            found = corpus.memo[tried]
            kept[tried.__name__] = state.tried(NAMED.findall(repr(tells(found)))), found
