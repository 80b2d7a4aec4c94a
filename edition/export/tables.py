"""The edition as tables and as JSON.

A table says of each of its columns what stands in it and of which type it is; that goes into the description that
"CSV on the Web" asks for, into the schema of Parquet, and onto the page of downloads. Nothing here is written to a
disk.

The names and the order of columns are relied on: a new column comes last.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edition.citation.model import read_origin
from edition.corpus.corpus import Corpus
from edition.corpus.progress import format_collation
from edition.corpus.rights import get_layer_rights
from edition.export.columns import (
    ColumnType,
    ExportColumn,
    ExportRow,
    describe_csvw_column,
    format_csv_cell,
    format_reading_json,
    format_value_json,
    list_distinct,
    simplify_value,
)
from edition.export.file import drop_empty_entries
from edition.game import NO_GAME, Game
from edition.nodes.components import ANSWER_STATUS_MARKS
from edition.text import answers as words
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import (
    NOT_CONSULTED,
    STATUS_LABELS,
    describe_measure,
    format_answer,
    format_plain_answer,
    get_answer_unit,
)
from rulebook.model import Cell, Cite, Clause, Proposal, Question, Source
from rulebook.proposals import find_played_answer
from rulebook.quotations import list_loci
from rulebook.sheets.csv_form import render_data_csv
from rulebook.strings import single_spaced


@dataclass(frozen=True)
class ExportTable:
    """A table: its name, what a row is, what stands in each column, and its rows."""

    name: str
    says: str
    columns: tuple[ExportColumn, ...]
    rows: Callable[[Corpus], Iterator[ExportRow]]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def dictionary(self) -> Mapping[str, str]:
        """Descriptions of the columns, by their names."""
        return {column.name: column.says for column in self.columns}

    def records(self, corpus: Corpus) -> Iterator[dict[str, Any]]:
        """Yield every row, its cells by the names of their columns."""
        return (dict(zip(self.names, row, strict=True)) for row in self.rows(corpus))


# --- the rows -------------------------------------------------------------------------------------------


def list_question_rows(corpus: Corpus) -> Iterator[ExportRow]:
    """Yield every question."""
    for question in corpus.library.questions.values():
        readings = tuple(question.readings) or list_distinct([describe_measure(question)])
        head = (question.id, question.slug, question.asks, question.group, question.affects, readings, question.depends)
        yield (
            *head,
            not question.not_played,
            question.not_played,
            question.by,
            tuple(question.proposed),
            question.closed,
        )


def _list_cell_rows(corpus: Corpus) -> Iterator[ExportRow]:
    for asked in corpus.library.questions.values():
        for siglum, source in corpus.library.sources.items():
            cell = corpus.cell(siglum, asked.slug)
            cell_row = _make_cell_row(corpus, asked, source, cell)
            value_json = format_value_json(asked, corpus.answers_of[siglum])
            why = find_played_answer(asked, cell.value)[1] if cell and cell.value is not None else ""
            resting = corpus.rests_on_supplied(siglum, asked.slug)
            yield (asked.id, asked.slug, siglum, *cell_row, value_json, resting, single_spaced(why))


def _make_cell_row(corpus: Corpus, asked: Question, source: Source, cell: Cell | None) -> ExportRow:
    if cell is None:
        return ("not-collated", *[None] * 5, (), (), (), None)
    return (
        cell.status,
        "" if cell.value is None else format_canonical(cell.value),
        "" if cell.value is None else format_answer(asked, cell.value, corpus.library).full,
        cell.supplied,
        words.find_sure_certainty(source, cell.status, cell.value is not None, cell.cert),
        get_answer_unit(asked, cell.value, source),
        tuple(clause.id for clause in cell.clauses),
        *_list_citations([cite for clause in cell.clauses for cite in clause.cites]),
        format_reading_json(cell.value),
    )


def _list_citations(cites: Sequence[Cite]) -> ExportRow:
    return list_cited_places(cites), list_distinct(cite.exact for cite in cites)


def list_cited_places(cites: Iterable[Cite]) -> tuple[str, ...]:
    """Return the places that are cited, each once, a range with a hyphen."""
    return list_distinct(f"{cite.locus}-{cite.to}" if cite.to else cite.locus for cite in cites)


def _list_clause_rows(corpus: Corpus) -> Iterator[ExportRow]:
    for clause in corpus.library.clauses():
        loci, exact = _list_citations(clause.cites)
        for slug in clause.questions:
            value = clause.answers.get(slug)
            answer = format_canonical(value) if slug in clause.answers else ""
            source = corpus.library.sources[clause.source]
            cert = words.find_sure_certainty(source, clause.status, bool(answer), clause.cert)
            head = (
                clause.id,
                clause.source,
                corpus.library.questions[slug].id,
                clause.status,
                answer,
                cert,
                loci,
                exact,
            )
            yield (*head, single_spaced(clause.because), clause.coder, clause.reviewer, format_reading_json(value))


def _list_alternative_rows(corpus: Corpus) -> Iterator[ExportRow]:
    for clause in corpus.library.clauses():
        for alternative in clause.alternatives:
            head, tail = (
                (alternative.id, alternative.kind, clause.id, clause.source),
                (alternative.cert, alternative.label, single_spaced(alternative.because)),
            )
            for slug, value in alternative.answers.items():
                answer = (corpus.library.questions[slug].id, format_canonical(value))
                yield (*head, *answer, *tail, format_reading_json(value))
            for slug in alternative.silent:
                yield (*head, corpus.library.questions[slug].id, "", *tail, format_reading_json(None))


def _list_sentence_rows(corpus: Corpus) -> Iterator[ExportRow]:
    for siglum, source in corpus.library.sources.items():
        for sentence in source.text.sentences.values() if source.text else ():
            translated = source.translation.sentences.get(sentence.id) if source.translation else None
            english = "".join(part.text for part in translated.parts) if translated else ""
            yield (sentence.id, siglum, sentence.page, sentence.lang, sentence.diplomatic, sentence.reading, english)
        for each in source.statements:
            yield (each.id, siglum, "", "en", "", "", single_spaced(each.text))


def _list_source_rows(corpus: Corpus) -> Iterator[ExportRow]:
    for siglum, source in corpus.library.sources.items():
        known = read_origin(source)
        facts = (
            source.title,
            known.title,
            known.author,
            known.date,
            source.language,
            words.get_family_name(source),
            source.unit,
        )
        draft = format_collation(corpus.library, siglum)
        yield (
            siglum,
            *facts,
            source.text is not None,
            get_layer_rights(source, "text"),
            describe_consulted(source),
            draft,
        )


def describe_consulted(source: Source) -> str:
    """Say what of a source was not consulted, or that it is whole; of a draft without a text, that it has none."""
    if not list_loci(source):
        return "nothing yet"
    gaps = (str(source.record.get(key) or "") for key in ("begins_late", "breaks_off"))
    return single_spaced(" ".join(gaps)) or WHOLE


WHOLE = "whole"  #: what stands in the column `consulted` of a source that was read from its beginning to its end
CERTAINTY_SAYS = (
    "how sure we are of the answer: high (very likely or certain), medium (likely), low (no more than possible); of a "
    "silence without an answer of ours: of the silence, and empty if the source is not consulted whole"
)
SOURCE_COLUMN = ExportColumn("source", "siglum of the source")
_QUESTION_COLUMN = ExportColumn("question", "id of the question")
_CERTAINTY_COLUMN = ExportColumn("certainty", CERTAINTY_SAYS)
_LOCI_COLUMN = ExportColumn("loci", "sentences or statements it rests on, a range with a hyphen", ColumnType.LIST)
_QUOTATION_COLUMN = ExportColumn("quotation", "the words of the source", ColumnType.LIST)
_REASON_COLUMN = ExportColumn("because", "the reason given for it")
_READING_JSON_COLUMN = ExportColumn("reading_json", "the answer as JSON", ColumnType.JSON)
#: What stands in the column `value_json`, here and in the table that the game gives to programs.
VALUE_JSON_SAYS = "what the answer comes to, as JSON: an answer that points to another is followed; compare by this"
RESTS_ON_SUPPLIED_SAYS = "whether the answer is the source's own, but points to one that is ours"
NOT_PLAYED_SAYS = "why the engine does not play the answer, and another instead; empty where it does"
UNIT_COLUMN = ExportColumn("unit", "the counter in which sums are given, or what else a number counts")

_TABLES: tuple[ExportTable, ...] = (
    ExportTable(
        "questions",
        "the questions: one row each",
        (
            ExportColumn("id", "permanent id"),
            ExportColumn("slug", "speaking name"),
            ExportColumn("asks", "the question"),
            ExportColumn("group", "heading under which it stands"),
            ExportColumn("affects", "what it touches: table, deal, play, award, payment, pool, irregularity"),
            ExportColumn("answers", "the closed list of readings, or what can be answered", ColumnType.LIST),
            ExportColumn("depends", "when the question makes sense"),
            ExportColumn("played", "whether the engine asks it", ColumnType.BOOLEAN),
            ExportColumn("why_not", "why it does not"),
            ExportColumn("proposed_by", "the source that proposes the question; none for a question of the edition"),
            ExportColumn(
                "on_trial",
                "those of its readings that a source proposes and the edition has not taken up",
                ColumnType.LIST,
            ),
            ExportColumn("closed", "whether `answers` is a closed list of readings", ColumnType.BOOLEAN),
        ),
        list_question_rows,
    ),
    ExportTable(
        "cells",
        "the matrix: one row for each question and source",
        (
            _QUESTION_COLUMN,
            ExportColumn("slug", "speaking name of the question"),
            SOURCE_COLUMN,
            ExportColumn(
                "status", "stated, implied, denied, ambiguous, contradictory, silent, inapplicable or not-collated"
            ),
            ExportColumn("reading", "the answer, as data"),
            ExportColumn("gloss", "the answer in words, where that says more"),
            ExportColumn("supplied", "whether the answer is ours, the source being silent", ColumnType.BOOLEAN),
            _CERTAINTY_COLUMN,
            UNIT_COLUMN,
            ExportColumn("clauses", "clauses that speak to it", ColumnType.LIST),
            _LOCI_COLUMN,
            _QUOTATION_COLUMN,
            _READING_JSON_COLUMN,
            ExportColumn("value_json", VALUE_JSON_SAYS, ColumnType.JSON),
            ExportColumn("rests_on_supplied", RESTS_ON_SUPPLIED_SAYS, ColumnType.BOOLEAN),
            ExportColumn("not_played", NOT_PLAYED_SAYS),
        ),
        _list_cell_rows,
    ),
    ExportTable(
        "clauses",
        "the clauses: one row for each question that a clause answers",
        (
            ExportColumn("clause", "id of the clause"),
            SOURCE_COLUMN,
            _QUESTION_COLUMN,
            ExportColumn("status", "as in the table of cells"),
            ExportColumn("reading", "the answer, as data; empty where there is only a reason"),
            _CERTAINTY_COLUMN,
            _LOCI_COLUMN,
            _QUOTATION_COLUMN,
            _REASON_COLUMN,
            ExportColumn("coder", "the editorial pass that coded it"),
            ExportColumn("reviewer", "the pass that read it again; empty if none did"),
            _READING_JSON_COLUMN,
        ),
        _list_clause_rows,
    ),
    ExportTable(
        "alternatives",
        "rival interpretations and options: one row for each question that they answer otherwise",
        (
            ExportColumn("alternative", "id of the interpretation or option"),
            ExportColumn("kind", "interpretation (ours) or option (offered by the source)"),
            ExportColumn("clause", "the clause to which it belongs"),
            SOURCE_COLUMN,
            _QUESTION_COLUMN,
            ExportColumn("reading", "the other answer, as data; empty where the source says nothing if it is read so"),
            _CERTAINTY_COLUMN,
            ExportColumn("label", "its name"),
            _REASON_COLUMN,
            _READING_JSON_COLUMN,
        ),
        _list_alternative_rows,
    ),
    ExportTable(
        "sentences",
        "the texts: one row for each sentence with its translation, or statement in our own words",
        (
            ExportColumn("sentence", "id of the sentence or statement"),
            SOURCE_COLUMN,
            ExportColumn("page", "the page on which it begins"),
            ExportColumn("lang", "its language"),
            ExportColumn("printed", "the words as transcribed"),
            ExportColumn("reading", "the words corrected and in modern spelling"),
            ExportColumn("english", "our translation, or our statement of it"),
        ),
        _list_sentence_rows,
    ),
)

#: The last of all tables: those of a game stand before it.
_SOURCES_TABLE = ExportTable(
    "sources",
    "the sources: one row each",
    (
        ExportColumn("siglum", "siglum"),
        ExportColumn("short_title", "short title"),
        ExportColumn("title", "title"),
        ExportColumn("author", "author, where one is known"),
        ExportColumn("date", "when it was made, as far as that is known"),
        ExportColumn("lang", "the language in which it is written"),
        ExportColumn("family", "texts of one family are not independent"),
        ExportColumn("unit", "its smallest counter"),
        ExportColumn("printed", "whether the text is printed here", ColumnType.BOOLEAN),
        ExportColumn("rights", "the terms of its words"),
        ExportColumn("consulted", f"{WHOLE}, or what was not; of that nobody can tell that it is silent"),
        ExportColumn("draft", "how far a draft is collated; empty of a source that is finished"),
    ),
    _list_source_rows,
)


def build_matrix_table(corpus: Corpus) -> ExportTable:
    """Build the table of all answers as one reads them: a row for each question, a column for each source."""
    sources = corpus.library.sources.values()
    columns = [
        ExportColumn(source.siglum, f"what {source.siglum} answers, in plain words; {_MARKS_SAY}") for source in sources
    ]
    return ExportTable("matrix", "all answers: one row each question", (*_MATRIX_HEAD, *columns), _list_matrix_rows)


#: What the marks behind an answer mean, as pages have them.
_MARKS_SAY = "; ".join(f"({mark}) {says}" for name, (mark, says) in ANSWER_STATUS_MARKS.items() if name != "agreed")
_MATRIX_HEAD = (
    ExportColumn("id", "permanent id"),
    ExportColumn("group", "heading under which it stands"),
    ExportColumn("asks", "the question"),
)


def _list_matrix_rows(corpus: Corpus) -> Iterator[ExportRow]:
    for asked in corpus.library.questions.values():
        answers = (_read_plain_answer(corpus, asked, source) for source in corpus.library.sources.values())
        yield (asked.id, asked.group, asked.asks, *answers)


def _read_plain_answer(corpus: Corpus, asked: Question, source: Source) -> str:
    cell = corpus.cell(source.siglum, asked.slug)
    if cell is None or cell.value is None:
        status = cell.status if cell else "not-collated"
        return NOT_CONSULTED if status == "silent" and source.partial else STATUS_LABELS[status]
    status = words.find_answer_status(cell)
    mark = f" ({ANSWER_STATUS_MARKS[status][0]})" if status else ""
    return f"{format_plain_answer(asked, cell.value, source, corpus.library)}{mark}"


def list_export_tables(game: Game) -> tuple[ExportTable, ...]:
    """Return all tables of an edition, those of its game among them."""
    return (*_TABLES, *game.exports.tables, _SOURCES_TABLE)


# --- as files -------------------------------------------------------------------------------------------


def format_table_csv(table: ExportTable, corpus: Corpus) -> str:
    """Return a table as comma-separated values."""
    rows = (map(format_csv_cell, table.columns, row) for row in table.rows(corpus))
    return render_data_csv((table.names, *rows))


EDITION_TABLES: Mapping[str, ExportTable] = {table.name: table for table in list_export_tables(NO_GAME)}

#: Table -> the columns by which a row is known.
_PRIMARY_KEYS: Mapping[str, tuple[str, ...]] = {
    "questions": ("id",),
    "cells": ("question", "source"),
    "clauses": ("clause", "question"),
    "alternatives": ("alternative", "question"),
    "sentences": ("sentence",),
    "sources": ("siglum",),
}
#: Column -> the table and the column into which it points, wherever it stands.
_FOREIGN_KEYS: Mapping[str, tuple[str, str]] = {"question": ("questions", "id"), "source": ("sources", "siglum")}


def describe_tables_csvw(tables: Iterable[ExportTable], licence: str) -> str:
    """Describe every table with its columns, for "CSV on the Web"."""
    return format_export_json(
        {
            "@context": "http://www.w3.org/ns/csvw",
            "dc:license": {"@id": licence},
            "tables": [_describe_table(table) for table in tables],
        }
    )


def _describe_table(table: ExportTable) -> dict[str, Any]:
    columns = [describe_csvw_column(column) for column in table.columns]
    keys = [(name, *_FOREIGN_KEYS[name]) for name in table.names if name in _FOREIGN_KEYS]
    schema = build_csvw_schema(columns, _PRIMARY_KEYS.get(table.name, ()), keys)
    return {"url": f"{table.name}.csv", "dc:description": table.says, "tableSchema": schema}


def build_csvw_schema(
    columns: Sequence[Mapping[str, Any]], primary: Iterable[str], foreign: Iterable[tuple[str, str, str]]
) -> dict[str, Any]:
    """Build the schema of a table; a foreign key is a column, and the table and column into which it points."""
    keys = [
        {"columnReference": [name], "reference": {"resource": f"{table}.csv", "columnReference": [there]}}
        for name, table, there in foreign
    ]
    return drop_empty_entries({"columns": columns, "primaryKey": [*primary], "foreignKeys": keys})


def format_export_json(value: object) -> str:
    """Format a value as JSON, always in the same letters."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def build_export_header(corpus: Corpus) -> dict[str, Any]:
    """Return the state of the edition that a file is of."""
    return {"schema": 1, "version": corpus.release.version, "sources": corpus.library.digest}


def _format_library_json(corpus: Corpus) -> str:
    sources = [_source_json(corpus, source) for source in corpus.library.sources.values()]
    return format_export_json({**build_export_header(corpus), "library": sources})


def _source_json(corpus: Corpus, source: Source) -> dict[str, Any]:
    return {
        "siglum": source.siglum,
        "title": source.title,
        "language": source.language,
        "family": words.get_family_name(source),
        "unit": source.unit,
        "counters": simplify_value(source.counters),
        "record": simplify_value(source.record),
        "clauses": [_clause_json(corpus, clause) for clause in source.clauses],
    }


def _clause_json(corpus: Corpus, clause: Clause) -> dict[str, Any]:
    return {
        "id": clause.id,
        "status": clause.status,
        "certainty": clause.cert,
        "answers": by_id(corpus, clause.answers),
        "about": [corpus.library.questions[slug].id for slug in clause.about],
        "cites": [
            {"locus": c.locus, "to": c.to, "exact": c.exact, "view": c.view, "role": c.role} for c in clause.cites
        ],
        "because": single_spaced(clause.because),
        "note": single_spaced(clause.note),
        "coder": clause.coder,
        "reviewer": clause.reviewer,
        "alternatives": [
            {
                "id": each.id,
                "kind": each.kind,
                "label": each.label,
                "certainty": each.cert,
                "answers": by_id(corpus, each.answers),
                **({"silent": [corpus.library.questions[slug].id for slug in each.silent]} if each.silent else {}),
                "because": single_spaced(each.because),
            }
            for each in clause.alternatives
        ],
    }


def by_id(corpus: Corpus, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Answers under the ids of their questions."""
    return {corpus.library.questions[slug].id: simplify_value(value) for slug, value in answers.items()}


def format_questions_json(corpus: Corpus) -> str:
    """Return the questions as JSON."""
    questions = [
        {
            "id": question.id,
            "slug": question.slug,
            "asks": question.asks,
            "group": question.group,
            "affects": question.affects,
            "coding": single_spaced(question.coding),
            "readings": simplify_value(question.readings),
            "measure": simplify_value(question.measure),
            "depends": question.depends,
            "related": list(question.related),
            "not_played": single_spaced(question.not_played),
            "proposed_by": question.by,
            "on_trial": {name: _proposal_json(proposal) for name, proposal in question.proposed.items()},
        }
        for question in corpus.library.questions.values()
    ]
    return format_export_json({**build_export_header(corpus), "questions": questions})


def _proposal_json(proposal: Proposal) -> dict[str, Any]:
    as_ = None if proposal.played_as is None else simplify_value(proposal.played_as)
    return {"source": proposal.source, "not_played": single_spaced(proposal.not_played), "played_as": as_}


def _format_matrix_json(corpus: Corpus) -> str:
    matrix = {
        asked.id: {siglum: _cell_json(corpus.cell(siglum, asked.slug)) for siglum in corpus.library.sources}
        for asked in corpus.library.questions.values()
    }
    return format_export_json({**build_export_header(corpus), "matrix": matrix})


def _cell_json(cell: Cell | None) -> dict[str, Any]:
    if cell is None:
        return {"status": "not-collated"}
    standing = {"status": cell.status, "certainty": cell.cert, "supplied": cell.supplied}
    return {**standing, "reading": simplify_value(cell.value), "clauses": [clause.id for clause in cell.clauses]}


#: Name -> what it is, and who writes it.
JSON_EXPORTS: Mapping[str, tuple[str, Callable[[Corpus], str]]] = {
    "library": ("the sources with all their clauses, rivals and options", _format_library_json),
    "questions": ("the questions with their readings and coding procedures", format_questions_json),
    "matrix": ("every source on every question", _format_matrix_json),
}
