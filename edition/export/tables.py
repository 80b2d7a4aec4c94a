"""The edition as tables and as JSON, for whoever reckons with it.

A table says of each of its columns what stands in it; the same words go into the header, into the description that
"CSV on the Web" asks for, and onto the page of downloads. Nothing here is written to a disk.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from edition.analysis.results import Row as Row
from edition.analysis.results import compute_results
from edition.citation.model import origin
from edition.corpus.corpus import Corpus
from edition.data.rights import rights_in
from edition.text import answers as words
from rulebook.answers.values import canonical
from rulebook.model import Alternative, Cell, Clause, Like, Proposal, Question, Source
from rulebook.strings import single_spaced

Columns = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """A table: its name, what a row is, what stands in each column, and how the rows are found."""

    name: str
    says: str
    columns: Columns
    rows: Callable[[Corpus], Iterator[Row]]


# --- the rows -------------------------------------------------------------------------------------------


def question_rows(corpus: Corpus) -> Iterator[Row]:
    """Every question."""
    for one in corpus.library.questions.values():
        readings = "; ".join(one.readings) or words.measure(one)
        asked = "no" if one.not_played else "yes"
        trial = "; ".join(one.proposed)
        head = (one.id, one.slug, one.asks, one.group, one.affects, readings, one.depends)
        yield (*head, asked, one.not_played, one.by, trial)


def cell_rows(corpus: Corpus) -> Iterator[Row]:
    """Every source on every question."""
    for asked in corpus.library.questions.values():
        for siglum, source in corpus.library.sources.items():
            yield (asked.id, asked.slug, siglum, *cell_row(corpus, asked, source, corpus.cell(siglum, asked.slug)))


def cell_row(corpus: Corpus, asked: Question, source: Source, cell: Cell | None) -> Row:
    """What a source says on a question, with the words it rests on."""
    if cell is None:
        return ("not-collated", *[""] * 8)
    reading = "" if cell.value is None else canonical(cell.value)
    full = "" if cell.value is None else words.answer(asked, cell.value, corpus.library).full
    return (
        cell.status,
        reading,
        full,
        "yes" if cell.supplied else "no",
        cell.cert,
        words.counted(asked, cell.value, source),
        *quoted(one for one in cell.clauses),
    )


def quoted(found: Iterable[Clause]) -> Row:
    """Clauses by their ids, their places, and their words."""
    clauses = tuple(found)
    cites = [cite for one in clauses for cite in one.cites]
    loci = dict.fromkeys(f"{cite.locus}-{cite.to}" if cite.to else cite.locus for cite in cites)
    exact = dict.fromkeys(cite.exact for cite in cites if cite.exact)
    return " ".join(one.id for one in clauses), " ".join(loci), " | ".join(exact)


def clause_rows(corpus: Corpus) -> Iterator[Row]:
    """Every clause, a row for each question that it answers."""
    for one in corpus.library.clauses():
        _, loci, exact = quoted((one,))
        for slug in one.questions:
            said = canonical(one.answers[slug]) if slug in one.answers else ""
            asked = corpus.library.questions[slug]
            why = single_spaced(one.because)
            yield (one.id, one.source, asked.id, one.status, said, one.cert, loci, exact, why, one.coder, one.reviewer)


def alternative_rows(corpus: Corpus) -> Iterator[Row]:
    """Every rival interpretation and option, a row for each question that it answers otherwise."""
    for clause in corpus.library.clauses():
        for one in clause.alternatives:
            yield from answers_of(corpus, clause, one)


def answers_of(corpus: Corpus, clause: Clause, one: Alternative) -> Iterator[Row]:
    """One of them."""
    for slug, value in one.answers.items():
        why = single_spaced(one.because)
        id = corpus.library.questions[slug].id
        yield (one.id, one.kind, clause.id, clause.source, id, canonical(value), one.cert, one.label, why)


def sentence_rows(corpus: Corpus) -> Iterator[Row]:
    """Every sentence that is printed here, and every statement in our own words."""
    for siglum, source in corpus.library.sources.items():
        for one in source.text.sentences.values() if source.text else ():
            found = source.translation.sentences.get(one.id) if source.translation else None
            english = "".join(part.text for part in found.parts) if found else ""
            yield (one.id, siglum, one.page or "", one.lang, one.diplomatic, one.reading, english)
        for each in source.statements:
            yield (each.id, siglum, "", "en", "", "", single_spaced(each.text))


def result_rows(corpus: Corpus) -> Iterator[Row]:
    """Every worked deal by every source: what each player wins or loses, or why nothing is settled."""
    yield from compute_results(corpus).results


def payment_rows(corpus: Corpus) -> Iterator[Row]:
    """Every payment in every worked deal, with the clauses that order it."""
    yield from compute_results(corpus).payments


def source_rows(corpus: Corpus) -> Iterator[Row]:
    """Every source."""
    for siglum, one in corpus.library.sources.items():
        known = origin(one)
        printed = "yes" if one.text else "no"
        said = (one.title, known.title, known.author, known.date, one.language, words.family(one), one.unit)
        yield (siglum, *said, printed, rights_in(one, "text"))


SOURCE = ("source", "siglum of the source")
QUESTION = ("question", "id of the question")
CERT = ("certainty", "how sure the coding is: high, medium, low")
LOCI = ("loci", "sentences or statements it rests on, a range with a hyphen")
WORDS = ("quotation", "the words of the source, several set apart by |")
WHY = ("because", "the reason given for it")
DEAL = ("deal", "id of the worked deal")
UNIT = ("unit", "the counter in which sums are reckoned")

TABLES: tuple[Table, ...] = (
    Table(
        "questions",
        "the questions: one row each",
        (
            ("id", "permanent id"),
            ("slug", "speaking name"),
            ("asks", "the question"),
            ("group", "heading under which it stands"),
            ("affects", "what it touches: table, deal, play, award, payment, pool, irregularity"),
            ("answers", "the closed list of readings, or what can be answered"),
            ("depends", "when the question makes sense"),
            ("played", "whether the engine asks it"),
            ("why_not", "why it does not"),
            ("proposed_by", "the source that proposes the question; none for a question of the edition"),
            ("on_trial", "those of its readings that a source proposes and the edition has not taken up"),
        ),
        question_rows,
    ),
    Table(
        "cells",
        "the matrix: one row for each question and source",
        (
            QUESTION,
            ("slug", "speaking name of the question"),
            SOURCE,
            ("status", "stated, implied, denied, ambiguous, contradictory, silent, inapplicable or not-collated"),
            ("reading", "the answer, as data"),
            ("gloss", "the answer in words, where that says more"),
            ("supplied", "whether the answer is ours, the source being silent"),
            CERT,
            UNIT,
            ("clauses", "clauses that speak to it"),
            LOCI,
            WORDS,
        ),
        cell_rows,
    ),
    Table(
        "clauses",
        "the clauses: one row for each question that a clause answers",
        (
            ("clause", "id of the clause"),
            SOURCE,
            QUESTION,
            ("status", "as in the table of cells"),
            ("reading", "the answer, as data; empty where there is only a reason"),
            CERT,
            LOCI,
            WORDS,
            WHY,
            ("coder", "the editorial pass that coded it"),
            ("reviewer", "the pass that read it again; empty if none did"),
        ),
        clause_rows,
    ),
    Table(
        "alternatives",
        "rival interpretations and options: one row for each question that they answer otherwise",
        (
            ("alternative", "id of the interpretation or option"),
            ("kind", "interpretation (ours) or option (offered by the source)"),
            ("clause", "the clause to which it belongs"),
            SOURCE,
            QUESTION,
            ("reading", "the other answer, as data"),
            CERT,
            ("label", "its name"),
            WHY,
        ),
        alternative_rows,
    ),
    Table(
        "sentences",
        "the texts: one row for each sentence with its translation, or statement in our own words",
        (
            ("sentence", "id of the sentence or statement"),
            SOURCE,
            ("page", "the page on which it begins"),
            ("lang", "its language"),
            ("printed", "the words as printed"),
            ("reading", "the words mended and in today's spelling"),
            ("english", "our translation, or our statement of it"),
        ),
        sentence_rows,
    ),
    Table(
        "results",
        "the worked deals by every source: one row for each account",
        (
            DEAL,
            SOURCE,
            ("state", "settled, refused or silent"),
            ("account", "seat, or pool"),
            ("net", "what it wins, or loses"),
            UNIT,
            ("why", "why nothing was settled"),
        ),
        result_rows,
    ),
    Table(
        "payments",
        "the ledgers of the worked deals: one row for each payment",
        (
            DEAL,
            SOURCE,
            ("trick", "the trick to which it belongs, if any"),
            ("fact", "what happened"),
            ("payer", "who pays"),
            ("payee", "who is paid"),
            ("amount", "how much"),
            UNIT,
            ("questions", "questions on which it rests"),
            ("clauses", "clauses that answered them"),
        ),
        payment_rows,
    ),
    Table(
        "sources",
        "the sources: one row each",
        (
            ("siglum", "siglum"),
            ("short_title", "short title"),
            ("title", "title"),
            ("author", "author, where one is known"),
            ("date", "when it was made, as far as that is known"),
            ("lang", "the language in which it is written"),
            ("family", "texts of one family are not independent"),
            ("unit", "its smallest counter"),
            ("printed", "whether the text is printed here"),
            ("rights", "the terms of its words"),
        ),
        source_rows,
    ),
)


# --- as files -------------------------------------------------------------------------------------------


def as_csv(table: Table, corpus: Corpus) -> str:
    """A table as comma-separated values."""
    return csv_of(([name for name, _ in table.columns], *table.rows(corpus)))


def csv_of(rows: Iterable[Iterable[Any]]) -> str:
    """Rows, the first of them the names of the columns."""
    found = io.StringIO()
    csv.writer(found, lineterminator="\n").writerows(rows)
    return found.getvalue()


NUMBERS = frozenset({"net", "amount"})
YES_NO: Mapping[str, Any] = {"datatype": {"base": "boolean", "format": "yes|no"}}
#: Columns that hold something else than words -> how programs are told so.
SHAPES: Mapping[str, Mapping[str, Any]] = {
    **{name: {"datatype": "integer"} for name in NUMBERS},
    **{name: YES_NO for name in ("supplied", "played")},
    **{name: {"separator": " "} for name in ("clauses", "loci", "questions")},
    "quotation": {"separator": " | "},
}
#: Table -> the columns by which a row is known.
KEYS: Mapping[str, tuple[str, ...]] = {
    "questions": ("id",),
    "cells": ("question", "source"),
    "clauses": ("clause", "question"),
    "alternatives": ("alternative", "question"),
    "sentences": ("sentence",),
    "sources": ("siglum",),
}
#: Column -> the table and the column into which it points, wherever it stands.
POINTS: Mapping[str, tuple[str, str]] = {"question": ("questions", "id"), "source": ("sources", "siglum")}


def described(tables: Iterable[Table], licence: str) -> str:
    """What "CSV on the Web" wants to know: every table with its columns."""
    return as_json(
        {
            "@context": "http://www.w3.org/ns/csvw",
            "dc:license": {"@id": licence},
            "tables": [described_table(table) for table in tables],
        }
    )


def described_table(table: Table) -> dict[str, Any]:
    """One table: its columns, by which of them a row is known, and where they point to."""
    schema: dict[str, Any] = {"columns": [described_column(name, says) for name, says in table.columns]}
    if table.name in KEYS:
        schema["primaryKey"] = list(KEYS[table.name])
    if keys := [pointing(name) for name, _ in table.columns if name in POINTS]:
        schema["foreignKeys"] = keys
    return {"url": f"{table.name}.csv", "dc:description": table.says, "tableSchema": schema}


def pointing(column: str) -> dict[str, Any]:
    """Where a column points to."""
    table, there = POINTS[column]
    return {"columnReference": [column], "reference": {"resource": f"{table}.csv", "columnReference": [there]}}


def described_column(name: str, says: str) -> dict[str, Any]:
    """One column."""
    return {"name": name, "titles": name, "dc:description": says, "datatype": "string", **SHAPES.get(name, {})}


def as_json(value: object) -> str:
    """A value as JSON, always in the same letters."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def bare(value: object) -> Any:
    """An answer or a record as JSON can hold it; an answer that points to another is written as a sentence."""
    if isinstance(value, Mapping):
        return {str(key): bare(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [bare(one) for one in value]
    return str(value) if isinstance(value, Like) else value


def head(corpus: Corpus, version: str) -> dict[str, Any]:
    """Which state of the edition a file is of."""
    return {"schema": 1, "version": version, "sources": corpus.library.digest}


def library_json(corpus: Corpus, version: str) -> str:
    """The sources with their clauses."""
    found = [source_json(corpus, source) for source in corpus.library.sources.values()]
    return as_json({**head(corpus, version), "library": found})


def source_json(corpus: Corpus, source: Source) -> dict[str, Any]:
    """One source."""
    return {
        "siglum": source.siglum,
        "title": source.title,
        "language": source.language,
        "family": words.family(source),
        "unit": source.unit,
        "counters": bare(source.counters),
        "record": bare(source.record),
        "clauses": [clause_json(corpus, one) for one in source.clauses],
    }


def clause_json(corpus: Corpus, one: Clause) -> dict[str, Any]:
    """One clause with its rivals; answers stand under the ids of their questions."""
    return {
        "id": one.id,
        "status": one.status,
        "certainty": one.cert,
        "answers": by_id(corpus, one.answers),
        "about": [corpus.library.questions[slug].id for slug in one.about],
        "cites": [{"locus": c.locus, "to": c.to, "exact": c.exact, "view": c.view, "role": c.role} for c in one.cites],
        "because": single_spaced(one.because),
        "note": single_spaced(one.note),
        "coder": one.coder,
        "reviewer": one.reviewer,
        "alternatives": [alternative_json(corpus, each) for each in one.alternatives],
    }


def alternative_json(corpus: Corpus, one: Alternative) -> dict[str, Any]:
    """Another way to take a clause."""
    said = {"id": one.id, "kind": one.kind, "label": one.label, "certainty": one.cert}
    return {**said, "answers": by_id(corpus, one.answers), "because": single_spaced(one.because)}


def by_id(corpus: Corpus, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Answers under the ids of their questions."""
    return {corpus.library.questions[slug].id: bare(value) for slug, value in answers.items()}


def questions_json(corpus: Corpus, version: str) -> str:
    """The questions."""
    found = [
        {
            "id": one.id,
            "slug": one.slug,
            "asks": one.asks,
            "group": one.group,
            "affects": one.affects,
            "coding": single_spaced(one.coding),
            "readings": bare(one.readings),
            "measure": bare(one.measure),
            "depends": one.depends,
            "related": list(one.related),
            "not_played": single_spaced(one.not_played),
            "proposed_by": one.by,
            "on_trial": {name: proposal_json(said) for name, said in one.proposed.items()},
        }
        for one in corpus.library.questions.values()
    ]
    return as_json({**head(corpus, version), "questions": found})


def proposal_json(one: Proposal) -> dict[str, Any]:
    """A reading on trial: whose it is, and what becomes of it at the table."""
    as_ = None if one.played_as is None else bare(one.played_as)
    return {"source": one.source, "not_played": single_spaced(one.not_played), "played_as": as_}


def matrix_json(corpus: Corpus, version: str) -> str:
    """The matrix: question, source, and what is said there."""
    found = {
        asked.id: {siglum: cell_json(corpus.cell(siglum, asked.slug)) for siglum in corpus.library.sources}
        for asked in corpus.library.questions.values()
    }
    return as_json({**head(corpus, version), "matrix": found})


def cell_json(cell: Cell | None) -> dict[str, Any]:
    """One source on one question."""
    if cell is None:
        return {"status": "not-collated"}
    said = {"status": cell.status, "certainty": cell.cert, "supplied": cell.supplied}
    return {**said, "reading": bare(cell.value), "clauses": [one.id for one in cell.clauses]}


#: Name -> what it is, and who writes it.
JSONS: Mapping[str, tuple[str, Callable[[Corpus, str], str]]] = {
    "library": ("the sources with all their clauses, rivals and options", library_json),
    "questions": ("the questions with their readings and coding procedures", questions_json),
    "matrix": ("every source on every question", matrix_json),
}
