"""The library with its cross references: what cites what, and which words of a note are a reference."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from edition.analysis.costs import Cost, costs, pool_supplied
from edition.data.citation_cff import Release, read_release
from edition.data.limits import pricing
from edition.data.surveys import Survey
from edition.nodes.builders import address
from edition.text.foreign_words import Rows, parted, rows
from engine.interpretation.effects import Effect, effects
from rulebook.agreement.report import AgreementReport
from rulebook.checks.source_records import LANGUAGE
from rulebook.io.strict_yaml import Data, Positions, read_yaml
from rulebook.model import Alternative, Cell, Cite, Clause, Library, Note, Question, Source, Value
from rulebook.problems import Problem, Where
from rulebook.receipts import Receipt
from rulebook.sources.index_terms import NOTHING, Register
from rulebook.sources.rule_sentences import Telling
from rulebook.spelling import NO_TABLE, Spelling
from rulebook.text import Emendation, Sentence

if TYPE_CHECKING:
    from edition.analysis.ledgers import DealView
    from edition.analysis.results import CameOut
    from edition.data.attributions import Causes
    from edition.data.releases import Snapshot
    from edition.export.downloads import Takeaway

KINDS: Mapping[str, str] = {
    "s": "sentence",
    "n": "sentence",
    "c": "clause",
    "e": "emendation",
    "i": "alternative",
    "o": "alternative",
    "note": "note",
}
REFERENCE = re.compile(
    r"\b(?:(?P<siglum>[A-Z]{2,6})\.)?(?P<kind>note|[sncieo])(?P<number>\d{2,4})\b|\bQ\d{3}\b|\b(?P<named>[A-Z]{2,6})\b"
)


@dataclass(frozen=True, slots=True)
class Run:
    """Some words of our prose; with a kind and a target they are a reference, with a tongue a source's own."""

    words: str
    kind: str = ""
    target: str = ""
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game in one language, and what it means."""

    id: str
    term: str
    lang: str
    gloss: str
    english: str = ""  #: the word in English, in short
    forms: tuple[str, ...] = ()  #: how it is spelt in the texts
    see: tuple[str, ...] = ()
    attestations: tuple[str, ...] = ()


class Deal(Protocol):
    """A worked deal as a list names it."""

    @property
    def id(self) -> str:
        """Its name, which is that of its file."""

    @property
    def title(self) -> str:
        """What it is about."""

    @property
    def provenance(self) -> str:
        """Whether a source prints it, or we made it."""

    @property
    def cites(self) -> tuple[str, ...]:
        """The sentences that it illustrates."""

    @property
    def intro(self) -> str:
        """A line on it."""


@dataclass(frozen=True, slots=True)
class Gone:
    """An id that was published and is gone: since when, why, and what to read instead."""

    id: str
    on: str
    why: str
    see: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shelf:
    """All that a page may want to know."""

    library: Library
    terms: tuple[Term, ...] = ()
    deals: tuple[Deal, ...] = ()
    works: Mapping[str, str] = field(default_factory=dict)  #: keys of the bibliography -> a short title
    cells: Mapping[tuple[str, str], Cell | None] = field(default_factory=dict)  #: (siglum, slug) -> what it says
    clauses_at: Mapping[str, tuple[Clause, ...]] = field(
        default_factory=dict
    )  #: sentence or statement -> what cites it
    notes_on: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)  #: sentence, emendation, statement -> notes
    terms_at: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)  #: sentence -> terms attested there
    deals_at: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  #: sentence -> deals that illustrate it
    kinds: Mapping[str, str] = field(default_factory=dict)  #: every id -> what it is the id of
    codings: AgreementReport | None = None  #: how far two coders agree; None where there is only one coding
    gone: tuple[Gone, ...] = ()  #: ids that were published and are no more
    receipts: tuple[Receipt, ...] = ()  #: what was proved about the edition, or about an earlier state of it
    surveys: tuple[Survey, ...] = ()  #: what was counted of many deals, under one policy each
    causes: Causes | None = None  #: which answers make the differences on the worked deals, as last found
    telling: Telling = field(default_factory=Telling)  #: how the rules of a source are told
    spelling: Spelling = NO_TABLE  #: old spelling and today's
    register: Register = NOTHING  #: what the indices go by
    releases: tuple[Snapshot, ...] = ()  #: what every release held, the earliest first
    entries: Mapping[str, str] = field(default_factory=dict)  #: keys of the bibliography -> all that it says there

    @cached_property
    def effects(self) -> Mapping[str, Effect]:
        """What each alternative changes in the worked deals, tried once and when first asked for."""
        from edition.analysis.ledgers import readable  # it needs the whole engine, and few pages need it
        from edition.data.sessions import sat

        library, sessions = self.library, tuple(sat(self.library))
        deals = [(deal, pricing(library, deal)) for deal in readable(library)]
        tried = (
            one
            for siglum in library.sources
            for one in effects(library, (deal for deal, by in deals if siglum in by), [siglum], sessions)
        )
        return {one.alternative: one for one in tried}

    @cached_property
    def release(self) -> Release:
        """The edition as a work that can be cited."""
        return read_release()

    @cached_property
    def settled(self) -> tuple[DealView, ...]:
        """Every worked deal under every source, settled once and when first asked for."""
        from edition.analysis.ledgers import deal_views

        return deal_views(self.library)

    @cached_property
    def came_out(self) -> CameOut:
        """What came of every worked deal, in figures alone."""
        from edition.analysis.results import came_out

        return came_out(self.settled)

    def worked_out(self) -> None:
        """Do now what takes long, before several processes begin, each of which would do it for itself."""
        _ = self.settled, self.effects, self.takeaway

    @cached_property
    def takeaway(self) -> Takeaway:
        """Every file that can be taken away, made once and when first asked for."""
        from edition.export.downloads import take_away  # it needs the ledgers, and few pages need it

        return take_away(self)

    @cached_property
    def costs(self) -> tuple[Cost, ...]:
        """What every disagreement costs at the table, reckoned once from what is stored."""
        return costs(self.surveys, self.supplied_pools)

    @cached_property
    def supplied_pools(self) -> tuple[str, ...]:
        """The sources at whose tables surveys were played with an opening pool that we supply."""
        tables = dict.fromkeys(one.siglum for survey in self.surveys for one in survey.tables)
        return tuple(one for one in tables if one in self.library.sources and pool_supplied(self.library, one))

    @cached_property
    def shown_apart(self) -> frozenset[str]:
        """The questions, by their slugs, for which a page shows where the sources part, or why that cannot be shown."""
        from edition.data.separations import stored  # it needs the search for such deals, and few pages need it
        from engine.comparison.separation import NOT_PLAYED

        store = stored(self.library)
        return frozenset(one.question for one in store.partings if one.verdict != NOT_PLAYED) if store else frozenset()

    @cached_property
    def answers_of(self) -> Mapping[str, Mapping[str, Value]]:
        """What each source answers, question by question."""
        found: dict[str, dict[str, Value]] = {siglum: {} for siglum in self.library.sources}
        for (siglum, slug), cell in self.cells.items():
            if cell and cell.value is not None:
                found[siglum][slug] = cell.value
        return found

    @cached_property
    def alternatives_on(self) -> Mapping[str, tuple[tuple[Clause, Alternative], ...]]:
        """Every rival interpretation and every option, by the questions that it answers."""
        return grouped((slug, (clause, one)) for clause, one in alternatives(self.library) for slug in one.answers)

    def cell(self, siglum: str, slug: str) -> Cell | None:
        """What a source says on a question."""
        return self.cells[siglum, slug]

    def sentence(self, name: str) -> Sentence | None:
        """A sentence by its id."""
        text = self.library.sources[name.partition(".")[0]].text
        return text.sentences.get(name) if text else None

    def loci(self, cite: Cite) -> tuple[str, ...]:
        """The sentences that a citation covers."""
        source = self.library.sources[cite.locus.partition(".")[0]]
        return sentences_between(source, cite.locus, cite.to)

    def term_of(self, locus: str, words: str, lang: str) -> str:
        """The id of the term that some words of a sentence's translation are; empty if they are none."""
        wanted = words.strip().lower()
        for term in self.terms_at.get(locus, ()):
            if term.lang == lang and wanted in {form.lower() for form in (term.term, *term.forms)}:
                return term.id
        return ""

    def questions_of(self, clause: Clause) -> tuple[Question, ...]:
        """The questions that a clause answers, or gives a reason for."""
        return tuple(self.library.questions[slug] for slug in clause.questions)

    def prose(self, words: str, siglum: str = "") -> tuple[Run, ...]:
        """Our own words, with every id in them made a reference.

        Bare ids are those of the source at hand; where there is none, of the source that was named last.
        """
        return tuple(self._runs(single_spaced(words), siglum))

    def _runs(self, words: str, siglum: str) -> Iterator[Run]:
        at, named = 0, ""
        for found in REFERENCE.finditer(words):
            named = found["named"] if found["named"] in self.library.sources else found["siglum"] or named
            target = full_id(found, siglum or named)
            if target not in self.kinds:
                continue
            yield from self._own(words[at : found.start()], siglum)
            yield Run(found[0], self.kinds[target], target)
            at = found.end()
        yield from self._own(words[at:], siglum)

    def _own(self, words: str, siglum: str) -> Iterator[Run]:
        """Words of ours, and among them those of the source at hand."""
        for piece, theirs in parted(words, self.rows_of.get(siglum, frozenset())):
            yield Run(piece, lang=self.library.sources[siglum].language if theirs else "")

    @cached_property
    def rows_of(self) -> Mapping[str, Rows]:
        """What stands in a row in the text of each source, where that is not English."""
        texts = {s: source.text for s, source in self.library.sources.items() if source.language != "en"}
        return {
            siglum: rows(view for one in text.sentences.values() for view in (one.diplomatic, one.emended, one.reading))
            for siglum, text in texts.items()
            if text
        }


def full_id(found: re.Match[str], siglum: str) -> str:
    """The id that some letters and digits mean."""
    if not found["kind"]:
        return found[0]
    return f"{found['siglum'] or siglum}.{found['kind']}{found['number']}"


def single_spaced(words: str) -> str:
    """Words without the line ends of the file."""
    return " ".join(words.split())


def paragraphs(words: str) -> tuple[str, ...]:
    """The paragraphs of a longer text, each on one line."""
    return tuple(single_spaced(one) for one in re.split(r"\n\s*\n", words) if one.strip())


def sentences_between(source: Source, first: str, last: str = "") -> tuple[str, ...]:
    """The ids from one to another, in the order of the text; statements stand singly."""
    if not last or source.text is None:
        return (first, last) if last else (first,)
    names = list(source.text.sentences)
    if first not in names or last not in names:
        return (first,)
    return tuple(names[names.index(first) : names.index(last) + 1])


# --- gathering ------------------------------------------------------------------------------------


def shelve(
    library: Library,
    terms: Iterable[Term] = (),
    deals: Iterable[Deal] = (),
    works: Mapping[str, str] = MappingProxyType({}),
    codings: AgreementReport | None = None,
    gone: Iterable[Gone] = (),
    receipts: Iterable[Receipt] = (),
    surveys: Iterable[Survey] = (),
    causes: Causes | None = None,
    telling: Telling | None = None,
    **more: Any,
) -> Shelf:
    """Put the library in order."""
    terms, deals = tuple(terms), tuple(deals)
    return Shelf(
        library,
        terms,
        deals,
        dict(works),
        {(siglum, slug): library.cell(siglum, slug) for siglum in library.sources for slug in library.questions},
        grouped((locus, clause) for clause in library.clauses() for locus in cited(library, clause)),
        grouped((note.on, note) for source in library.sources.values() for note in source.notes),
        grouped((locus, term) for term in terms for locus in term.attestations),
        grouped((locus, deal.id) for deal in deals for locus in deal.cites),
        dict(all_ids(library)),
        codings,
        tuple(gone),
        tuple(receipts),
        tuple(surveys),
        causes,
        telling or Telling(),
        **more,
    )


def cited(library: Library, clause: Clause) -> Iterator[str]:
    """Every sentence that a clause cites, once."""
    loci = (
        one
        for cite in clause.cites
        for one in sentences_between(library.sources[cite.locus.partition(".")[0]], cite.locus, cite.to)
    )
    yield from dict.fromkeys(loci)


def grouped(pairs: Iterable[tuple[str, Any]]) -> dict[str, tuple[Any, ...]]:
    """All values of each key, in order."""
    found: dict[str, list[Any]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return {key: tuple(values) for key, values in found.items()}


def all_ids(library: Library) -> Iterator[tuple[str, str]]:
    """Every id of the library, and what it is the id of."""
    for question in library.questions.values():
        yield question.id, "question"
    for source in library.sources.values():
        yield from ids_of(source)


def ids_of(source: Source) -> Iterator[tuple[str, str]]:
    """Every id of a source."""
    if source.text is not None:
        yield from ((name, "sentence") for name in source.text.sentences)
        yield from ((name, "emendation") for name in source.text.emendations)
    yield from ((statement.id, "sentence") for statement in source.statements)
    yield from ((note.id, "note") for note in source.notes)
    for clause in source.clauses:
        yield clause.id, "clause"
        yield from ((one.id, "alternative") for one in clause.alternatives)


def emendations(source: Source) -> tuple[Emendation, ...]:
    """Every emendation of a source, in the order of the text."""
    return tuple(source.text.emendations.values()) if source.text else ()


def alternatives(library: Library) -> Iterator[tuple[Clause, Alternative]]:
    """Every rival interpretation and every option, with its clause."""
    for clause in library.clauses():
        for one in clause.alternatives:
            yield clause, one


# --- the bibliography ------------------------------------------------------------------------------


def read_works(path: Path) -> tuple[dict[str, str], list[Problem]]:
    """The works of the bibliography, each by its key with who wrote it and a title; none if there is no file."""
    from pybtex.database import parse_file
    from pybtex.exceptions import PybtexError
    from pybtex.scanner import PybtexSyntaxError

    if not path.is_file():
        return {}, []
    try:
        entries = parse_file(str(path), "bibtex").entries
    except PybtexSyntaxError as fault:
        return {}, [Problem(called(path), fault.lineno or 1, 1, f"is no BibTeX: {fault}", "mend the entry")]
    except (PybtexError, UnicodeError) as fault:
        what = f"cannot be read: {fault}"
        return {}, [Problem(called(path), 1, 1, what, "mend the entry, and save the file as UTF-8")]
    if not entries and (line := line_of_words(path)):
        return {}, [Problem(called(path), line, 1, "words, and no work", "write a work: @misc{key, title = {...}}")]
    return {key: title_of(entry) for key, entry in entries.items()}, [
        *unprintable(path, entries),
        *unsafe(path, entries),
    ]


def called(path: Path) -> str:
    """The bibliography as messages call it: from the folder of sources on."""
    return f"{path.parent.name}/{path.name}"


#: How an address stands within a text of the bibliography.
WITHIN = re.compile(r"\\(?:href|url)\s*\{([^{}]*)\}")


def unsafe(path: Path, entries: Mapping[str, Any]) -> Iterator[Problem]:
    """The addresses that lead to no page of the web: a browser would obey some of them."""
    for key, entry in entries.items():
        within = [one for words in entry.fields.values() for one in WITHIN.findall(str(words))]
        for there in filter(None, map(str.strip, (str(entry.fields.get("url", "")), *within))):
            if not there.startswith(("https://", "http://")):
                what = f"{key}: the address {there[:40]!r} is none of the web"
                yield Problem(called(path), line_of(path, key), 1, what, "let it begin with https://")


def line_of_words(path: Path) -> int:
    """The first line that is neither empty nor a remark; 0 if there is none."""
    lines = enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    return next((at for at, words in lines if words.strip() and not words.lstrip().startswith("%")), 0)


def line_of(path: Path, key: str) -> int:
    """The line on which an entry of the bibliography begins."""
    begins = re.compile(rf"\s*@\w+\s*[{{(]\s*{re.escape(key)}\s*,")
    lines = enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    return next((at for at, words in lines if begins.match(words)), 1)


TEMPLATE = re.compile(r"get_(\w+)_template")  #: how a style names what prints works of one kind


def unprintable(path: Path, entries: Mapping[str, Any]) -> Iterator[Problem]:
    """The entries of a kind that nobody can print, or that lack what a printed entry of their kind has to have."""
    from pybtex.database import BibliographyData
    from pybtex.plugin import find_plugin
    from pybtex.style.template import FieldIsMissing

    style = find_plugin("pybtex.style.formatting", "plain")()
    kinds = [found[1] for name in dir(style) if (found := TEMPLATE.fullmatch(name))]
    for key, entry in entries.items():
        if entry.type not in kinds:
            what, way_out = f"{key}: no work is of the kind @{entry.type}", f"there are @{', @'.join(kinds)}"
            yield Problem(called(path), line_of(path, key), 1, what, way_out)
            continue
        try:
            [*style.format_bibliography(BibliographyData({key: entry}))]
        except FieldIsMissing as fault:
            way_out = "add the entry, or call the work @misc"
            yield Problem(called(path), line_of(path, key), 1, f"{key}: {fault}", way_out)


def title_of(entry: Any) -> str:
    """Author and title of a work, without the braces that keep capitals."""
    people = " and ".join(" ".join(person.last_names) for person in entry.persons.get("author", ()))
    title = str(entry.fields.get("title", "")).translate({ord("{"): None, ord("}"): None})
    return single_spaced(f"{people}: {title}" if people else title).replace("``", "“").replace("''", "”")


# --- the glossary ---------------------------------------------------------------------------------

TERM_KEYS = frozenset({"id", "term", "lang", "english", "definition", "forms", "see", "attestations"})
TERM_LISTS = ("forms", "see", "attestations")


def read_glossary(path: Path, known: Mapping[str, str]) -> tuple[tuple[Term, ...], list[Problem]]:
    """The glossary as far as it can be had, and all that is wrong with it; a missing file is an empty glossary."""
    if not path.is_file():
        return (), []
    raw, positions, problems = read_yaml(path, f"{path.parent.name}/{path.name}")
    if problems or raw is None:
        return (), problems or [positions.where(()).problem("is empty", "fill it, or take it away")]
    if not isinstance(raw, list):
        return (), [positions.where(()).problem("is no list", "write a YAML list of {term, lang, definition}")]
    problems = [problem for at, one in enumerate(raw) for problem in faults_of_term(positions, at, one, known)]
    terms = tuple((term_of(one), positions.where((at,))) for at, one in enumerate(raw) if isinstance(one, dict))
    return tuple(term for term, _ in terms), [*problems, *faults_among(terms)]


def term_of(raw: Mapping[str, Any]) -> Term:
    """One entry of the glossary."""
    term, lang = str(raw.get("term", "")), str(raw.get("lang", ""))
    definition = single_spaced(str(raw.get("definition") or ""))
    name = str(raw.get("id") or f"{lang}-{address(term)}")
    lists = (strings(raw.get(key)) for key in ("forms", "see", "attestations"))
    return Term(name, term, lang, definition, single_spaced(str(raw.get("english") or "")), *lists)


def strings(raw: object) -> tuple[str, ...]:
    """One word or several, as several."""
    if isinstance(raw, (list, tuple)):
        return tuple(map(str, raw))
    return (str(raw),) if raw else ()


def faults_of_term(positions: Positions, at: int, raw: Data, known: Mapping[str, str]) -> Iterator[Problem]:
    """A term has a word, a language and a definition, and is attested where it says."""
    here = positions.where((at,))
    if not isinstance(raw, dict):
        yield here.problem(f"entry {at + 1} is no table", "write {term: ..., lang: ..., definition: ...}")
        return
    name = f"entry {at + 1} ({raw.get('term', 'without a term')})"
    for key in sorted(set(raw) - TERM_KEYS):
        yield positions.key((at, key)).problem(f"{name}: unknown key {key}", f"use {', '.join(sorted(TERM_KEYS))}")
    for key, value in raw.items():
        if not fits(key, value):
            shape = "a list of words: [one, two]" if key in TERM_LISTS else "text, in quotes if need be"
            yield positions.where((at, key)).problem(f"{name}: {key} cannot be read", f"write {shape}")
    for key in ("term", "lang", "definition"):
        if not raw.get(key):
            yield here.problem(f"{name}: no {key}", f"add {key}: ...")
    if isinstance(raw.get("lang"), str) and not LANGUAGE.fullmatch(str(raw["lang"])):
        what = f"{name}: the language {str(raw['lang'])[:40]!r} is not well formed"
        yield positions.where((at, "lang")).problem(what, "write it in two letters: fr, de, en")
    for nth, locus in enumerate(strings(raw.get("attestations"))):
        if known.get(locus) != "sentence":
            place = positions.where((at, "attestations", nth))
            yield place.problem(f"{name}: no sentence {locus}", "give the id of a sentence or statement")


def fits(key: str, value: Data) -> bool:
    """Whether an entry of the glossary holds words, or a list of words where it should."""
    if key in TERM_LISTS and isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or isinstance(value, str)


def faults_among(terms: Sequence[tuple[Term, Where]]) -> Iterator[Problem]:
    """No term stands twice, and every reference among terms finds one."""
    counted = Counter(term.id for term, _ in terms)
    names = {name for term, _ in terms for name in (term.id, term.term)}
    last = {term.id: where for term, where in terms}
    for twice, times in counted.items():
        if times > 1:
            yield last[twice].problem(f"{twice} stands {times} times", "join the entries, or give each an id")
    for term, where in terms:
        for other in term.see:
            if other not in names:
                yield where.problem(f"{term.term}: see {other}, which is not there", "name a term of the glossary")
