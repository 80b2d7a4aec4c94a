"""Validation report: checks before the build, their numbers and results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from edition.corpus.collations import list_collations
from edition.corpus.corpus import Corpus
from edition.game import view_panels
from edition.nodes.templates import template_renderer
from edition.views.about.receipts import ProofView, proofs_view
from rulebook.checks.coverage import NOT_YET_KIND, compute_coverage
from rulebook.model import Library, Source
from rulebook.quotations import count_occurrences, fingerprint_citation
from rulebook.sources.paths import TEI_SCHEMA
from rulebook.tei.validation import compile_schema


@dataclass(frozen=True, slots=True)
class CheckLine:
    """Check with the number of objects checked and of those that passed."""

    what: str
    number: int
    good: int

    @property
    def said(self) -> str:
        """Result of the check: "all", or the number that passed."""
        return "all" if self.good == self.number else f"{self.good} of {self.number}"


@dataclass(frozen=True, slots=True)
class SourceProgress:
    """Progress of the work on one source."""

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
class ValidationReport:
    """Validation report of the edition."""

    version: str
    dated: str
    digest: str
    lines: tuple[CheckLine, ...]
    stands: tuple[SourceProgress, ...]
    proofs: tuple[ProofView, ...]


def validation_view(corpus: Corpus, _: str = "") -> ValidationReport:
    """Run the checks and return the report."""
    release, library = corpus.release, corpus.library
    lines = [*_check_texts(library), *_check_witnesses(corpus), *_check_clauses(library)]
    lines += [line for panel in view_panels(corpus, "validation") for line in panel.record]
    stands = tuple(_measure_progress(corpus, source) for source in library.sources.values())
    return ValidationReport(release.version, release.dated, library.digest, tuple(lines), stands, proofs_view(corpus))


def _check_texts(library: Library) -> Iterator[CheckLine]:
    root = Path(library.root)
    paths = sorted(root.glob("*/text.xml")) + sorted(root.glob("*/en.xml"))
    schema = root / TEI_SCHEMA
    if paths and schema.is_file():
        rules = compile_schema(schema)
        parser = etree.XMLParser(no_network=True, resolve_entities=False)
        valid = sum(rules.validate(etree.parse(str(path), parser)) for path in paths)
        yield CheckLine("TEI files valid by the schema of the edition", len(paths), valid)
    texts = [source.text for source in library.sources.values() if source.text]
    emendations = {id for text in texts for id in text.emendations}
    noted = {note.on for source in library.sources.values() for note in source.notes}
    yield CheckLine("emendations with a note that gives the reason", len(emendations), len(emendations & noted))


def _check_witnesses(corpus: Corpus) -> Iterator[CheckLine]:
    """Count the words of the witnesses, and those that are the same as ours or stand in a variant of a known kind."""
    if collations := [*list_collations(corpus)]:
        accounted = sum(collation.same + sum(collation.words_of_kinds.values()) for collation in collations)
        yield CheckLine(
            "words of the witnesses accounted for", sum(collation.words for collation in collations), accounted
        )


def _check_clauses(library: Library) -> Iterator[CheckLine]:
    clauses = list(library.clauses())
    cites = [(library.sources[clause.source], cite) for clause in clauses for cite in clause.cites]
    quotes = [count_occurrences(source, cite, cite.view) == 1 for source, cite in cites if cite.exact.strip()]
    yield CheckLine("quotations that stand at their places, letter by letter", len(quotes), sum(quotes))
    sealed = sum(cite.seen == fingerprint_citation(source, cite) for source, cite in cites)
    yield CheckLine("citations of sentences that are as they were when they were coded", len(cites), sealed)
    cells = [(siglum, slug) for siglum in library.sources for slug in library.questions]
    given = [library.cell(*cell) for cell in cells]
    kept = sum(1 for cell in given if cell is not None and cell.status != "not-collated")
    yield CheckLine("pairs of source and question, answered or with a reason", len(cells), kept)
    reviewed = sum(bool(clause.reviewer) for clause in clauses)
    yield CheckLine("clauses that another pass than their coder’s has read", len(clauses), reviewed)


def _measure_progress(corpus: Corpus, source: Source) -> SourceProgress:
    coverage = compute_coverage(corpus.library, source.siglum)
    asked = [slug for slug, question in corpus.library.questions.items() if question.by in ("", source.siglum)]
    cells = [corpus.cell(source.siglum, slug) for slug in asked]
    return SourceProgress(
        source.siglum,
        source.title,
        source.draft,
        coverage.total,
        coverage.total - coverage.by_kind[NOT_YET_KIND],
        coverage.by_kind["encoded"],
        f"{coverage.residue_words} of {coverage.words}" if source.text else "–",
        len(source.clauses),
        sum(bool(clause.reviewer) for clause in source.clauses),
        sum(1 for cell in cells if cell is None or cell.status == "not-collated"),
    )


render_validation = template_renderer("edition", "validation")
