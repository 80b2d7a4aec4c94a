"""The validation report: what was checked before the pages were made, how much of each, and how it came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from edition.analysis.results import compute_results
from edition.corpus.corpus import Corpus
from edition.data.sessions import missed, played, worked_sessions
from edition.nodes.builders import link, para, section, table
from edition.text.answers import plural
from edition.views.about.receipts import ProofView, proofs_view
from edition.views.deals.printed_figures import itself_view
from edition.views.layout import Nodes
from rulebook.checks.coverage import NOT_YET, coverage
from rulebook.model import Library, Source
from rulebook.quotations import fingerprint_citation, occurrences
from rulebook.resolve import resolve
from rulebook.tei.validation import compile_schema

SCHEMA = Path("schema", "reversis-tei.rng")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was checked: how many there are, and how many of them stand."""

    what: str
    number: int
    good: int

    @property
    def said(self) -> str:
        """How it came out."""
        return "all" if self.good == self.number else f"{self.good} of {self.number}"


@dataclass(frozen=True, slots=True)
class Stand:
    """How far one source has been worked through."""

    siglum: str
    title: str
    draft: bool
    sentences: int
    accounted: int
    encoded: int
    left_over: str  #: words that no quotation covers; of a source in copyright none are counted
    clauses: int
    reviewed: int
    waiting: int  #: questions for which it was not read yet


@dataclass(frozen=True, slots=True)
class Report:
    """All of it."""

    version: str
    dated: str
    digest: str
    lines: tuple[Line, ...]
    stands: tuple[Stand, ...]
    proofs: tuple[ProofView, ...]


def validation_view(corpus: Corpus, _: str = "") -> Report:
    """What was checked of the edition as it stands."""
    release, library = corpus.release, corpus.library
    lines = (*of_texts(library), *of_clauses(library), *of_play(corpus))
    stands = tuple(stand(corpus, source) for source in library.sources.values())
    return Report(release.version, release.dated, library.digest, lines, stands, proofs_view(corpus))


def of_texts(library: Library) -> Iterator[Line]:
    """The files of texts, held against their schema once more."""
    root = Path(library.root)
    paths = sorted(root.glob("*/text.xml")) + sorted(root.glob("*/en.xml"))
    schema = root / SCHEMA
    if paths and schema.is_file():
        rules = compile_schema(schema)
        yield Line("TEI files valid by the schema of the edition", len(paths), sum(map(rules.validate, read(paths))))
    texts = [source.text for source in library.sources.values() if source.text]
    emendations = {id for text in texts for id in text.emendations}
    noted = {note.on for source in library.sources.values() for note in source.notes}
    yield Line("emendations with a note that gives the reason", len(emendations), len(emendations & noted))


def read(paths: list[Path]) -> Iterator[Any]:
    """The files, without anything from outside."""
    parser = etree.XMLParser(no_network=True, resolve_entities=False)
    yield from (etree.parse(str(path), parser) for path in paths)


def of_clauses(library: Library) -> Iterator[Line]:
    """Clauses, their quotations, and the questions that they answer."""
    clauses = list(library.clauses())
    cites = [(library.sources[clause.source], cite) for clause in clauses for cite in clause.cites]
    quotes = [occurrences(source, cite, cite.view) == 1 for source, cite in cites if cite.exact.strip()]
    yield Line("quotations that stand at their places, letter by letter", len(quotes), sum(quotes))
    sealed = sum(cite.seen == fingerprint_citation(source, cite) for source, cite in cites)
    yield Line("citations of sentences that are as they were when they were coded", len(cites), sealed)
    cells = [(siglum, slug) for siglum in library.sources for slug in library.questions]
    given = [library.cell(*cell) for cell in cells]
    kept = sum(1 for one in given if one is not None and one.status != "not-collated")
    yield Line("pairs of source and question, answered or with a reason", len(cells), kept)
    reviewed = sum(bool(one.reviewer) for one in clauses)
    yield Line("clauses that somebody besides their coder has read", len(clauses), reviewed)


def of_play(corpus: Corpus) -> Iterator[Line]:
    """Worked deals and sessions against what they expect, and sources against what they print."""
    came = compute_results(corpus)
    yield Line("worked deals that come out as expected, by each source", came.expected, came.met)
    library = corpus.library
    sat = [
        not missed(record.sitting, siglum, played(record.sitting, record.deals, resolve(library, siglum)))
        for record in worked_sessions(library)
        if record.sitting
        for siglum in record.sitting.expect
    ]
    yield Line("worked sessions that come out as expected", len(sat), sum(sat))
    numbers = [one.agrees for own in itself_view(corpus) for one in own.numbers]
    yield Line("numbers printed by a source that follow from its own rules", len(numbers), sum(numbers))


def stand(corpus: Corpus, source: Source) -> Stand:
    """One source."""
    found = coverage(corpus.library, source.siglum)
    cells = [corpus.cell(source.siglum, slug) for slug in corpus.library.questions]
    return Stand(
        source.siglum,
        source.title,
        source.draft,
        found.total,
        found.total - found.by_kind[NOT_YET],
        found.by_kind["encoded"],
        f"{found.residue_words} of {found.words}" if source.text else "–",
        len(source.clauses),
        sum(bool(one.reviewer) for one in source.clauses),
        sum(1 for cell in cells if cell is None or cell.status == "not-collated"),
    )


# ---- layout
COLUMNS = (
    "Source",
    "Sentences",
    "Accounted for",
    "Encoded",
    "Words left over",
    "Clauses",
    "Reviewed",
    "Not yet read for",
)


def validation(view: Report) -> Nodes:
    """Version and sources; then what was checked, how far each source is, and the proofs."""
    said = f"Of version {view.version}, {view.dated}; fingerprint of the sources {view.digest.partition(':')[2][:16]}."
    checked = [(one.what, str(one.number), one.said) for one in view.lines if one.number]
    return [
        para(said),
        section(
            "checked",
            "What was checked",
            table(
                "Checked when the pages were built", ("What", "How many", "Good"), checked, cls="rv-stack rv-figures"
            ),
        ),
        section(
            "stands",
            "Source by source",
            table("How far each source has come", COLUMNS, map(stood, view.stands), cls="rv-stack rv-figures"),
        ),
        section("proved", "What programs have proved", *proved(view.proofs)),
    ]


def stood(one: Stand) -> tuple[Any, ...]:
    """One source in the table."""
    name = [link("source", one.siglum, one.siglum, title=one.title), *([" (draft)"] if one.draft else [])]
    numbers = (one.sentences, one.accounted, one.encoded, one.left_over, one.clauses, one.reviewed)
    return (name, *map(str, numbers), plural(one.waiting, "question") if one.waiting else "–")


def proved(view: tuple[ProofView, ...]) -> Nodes:
    """Every receipt in a line."""
    if not view:
        return [para("No proof has left a receipt.")]
    rows = [(one.receipt.proof, one.receipt.made, one.receipt.says, state(one)) for one in view]
    made = table(
        "Proofs and when they were made",
        ("Proof", "Made", "What it has shown", "Does it speak of this edition?"),
        rows,
        cls="rv-stack",
    )
    return [made]


def state(one: ProofView) -> str:
    """Whether a receipt is of this edition."""
    return f"No: {'; '.join(one.outdated)}" if one.outdated else "Yes"


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"validation": validation_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"validation": validation}
