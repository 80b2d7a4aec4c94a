"""Export the matrix as a CLDF StructureDataset.

A source stands where a language would, a question where a parameter would.

Whoever compares languages has tools for just this: many objects, many questions, closed lists of answers, and for
each answer the place that it rests on. What a source says is a value; what we supply where it is silent is none, and
stands in a column of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from edition.citation.formats import describe_origin, escape_tex, format_bibtex_entry
from edition.citation.model import read_origin
from edition.corpus.citation_cff import LICENCE_URLS
from edition.corpus.corpus import Corpus
from edition.export import cldf_rows
from edition.export.file import QUOTES_ALL, QUOTES_NONE, ExportFile, drop_empty_entries
from edition.export.tables import EDITION_TABLES, RESTS_ON_SUPPLIED_SAYS, build_csvw_schema, format_export_json
from rulebook.sheets.csv_form import render_data_csv
from rulebook.strings import LIST_SEPARATOR

_CLDF_TERM = "http://cldf.clld.org/v1.0/terms.rdf#"
_BIBLIOGRAPHY_FILE = "sources.bib"
_QUOTING_TABLES = frozenset({"values", "clauses", "alternatives"})  #: tables in which a reason may quote any source
METADATA_FILE = "StructureDataset-metadata.json"
#: The name by which programs find the file, and what it tells them of the whole.
_DATASET_NOTE = (
    "Rules of one card game as several books tell them. A book stands where a language would (LanguageTable): the "
    "unit that is compared is a text, as elsewhere it is a language as one text describes it. So no row has a "
    "Glottocode or a place on the map, and Language_Tag tells in which language the book is written. A question "
    "stands where a parameter would. Value holds only what the source itself says; where it is silent and play needs "
    "an answer, ours stands in Supplied_Value. Certainty says how sure we are of a value (high, medium, low), not how "
    "clear the source is; of a silence, how sure we are of Supplied_Value or, if that is empty, of the silence. "
    "Consulted in LanguageTable tells of what of a source was not consulted; of such a source the Status silent means "
    "that the answer is not in the part consulted, and without a Supplied_Value it has no Certainty. "
    "Sums are in the counter named in Unit; the counters of two sources are not the same money. Left_Open says what "
    "the possible worlds leave open, which are the ways in which the disputed passages of a source can be "
    "understood: it is true where the value comes to something else by some rival interpretation, each taken by "
    "itself, and Rival_Values has what rivals answer. Texts of one Family descend from one another or from one list: "
    "they are not independent witnesses, and whoever counts should count families."
)


@dataclass(frozen=True, slots=True)
class CldfColumn:
    """A column: its name, its CLDF property, and how it is written."""

    name: str
    says: str = ""  #: empty where it says what the column of the export table says
    of: str = ""  #: the column of the export table that holds the same
    property: str = ""
    apart: str = ""  #: what stands between several
    to: str = ""  #: the table that it points into
    datatype: str = "string"
    required: bool = False


@dataclass(frozen=True, slots=True)
class CldfTable:
    """A table of the dataset; with a component it is one that CLDF knows."""

    name: str
    of: str  #: the export table with the same things, if there is one
    component: str
    says: str
    columns: tuple[CldfColumn, ...]
    rows: Callable[[Corpus], Iterator[cldf_rows.CldfRow]]


# --- the tables -----------------------------------------------------------------------------------------


def _make_id_column(says: str = "", of: str = "") -> CldfColumn:
    return CldfColumn("ID", says, of, "id", required=True)


_SOURCE_ID_COLUMN = CldfColumn(
    "Language_ID", "the source, by its siglum", "source", "languageReference", to="languages", required=True
)
_QUESTION_ID_COLUMN = CldfColumn(
    "Parameter_ID", "the question", "question", "parameterReference", to="parameters", required=True
)
_REFERENCE_COLUMN = CldfColumn(
    "Source", f"the source in {_BIBLIOGRAPHY_FILE}, with the sentences or statements", property="source", apart=";"
)
_CODE_COLUMN = CldfColumn(
    "Code_ID", "the reading, where the question has a closed list", property="codeReference", to="codes"
)
_EXAMPLES_COLUMN = CldfColumn(
    "Example_IDs", "the sentences it rests on", property="exampleReference", apart=LIST_SEPARATOR, to="examples"
)
_STATEMENTS_COLUMN = CldfColumn("Statement_IDs", "our statements it rests on", apart=LIST_SEPARATOR, to="statements")
_QUOTATION_COLUMN = CldfColumn(
    "Quotation", "the words of the source; none where they are in copyright", apart=LIST_SEPARATOR
)
_CERTAINTY_COLUMN = CldfColumn("Certainty", of="certainty")
_COMMENT_COLUMN = CldfColumn("Comment", of="because", property="comment")
_STATUS_COLUMN = CldfColumn("Status", EDITION_TABLES["cells"].dictionary["status"], "status", required=True)

_CLDF_TABLES: tuple[CldfTable, ...] = (
    CldfTable(
        "values",
        "cells",
        "ValueTable",
        "every source on every question; no Value where the source is silent or the question does not apply",
        (
            _make_id_column("question and source"),
            _SOURCE_ID_COLUMN,
            _QUESTION_ID_COLUMN,
            CldfColumn("Value", "what the source says, as data", property="value"),
            _CODE_COLUMN,
            CldfColumn("Comment", "the reason given for it", property="comment"),
            _REFERENCE_COLUMN,
            _STATUS_COLUMN,
            CldfColumn("Supplied_Value", "our answer, the source being silent"),
            _CERTAINTY_COLUMN,
            CldfColumn("Unit", "the counter in which a sum is given, or what else a number counts", "unit"),
            _QUOTATION_COLUMN,
            CldfColumn("Clause_IDs", "the clauses that speak to it", apart=LIST_SEPARATOR, to="clauses"),
            _EXAMPLES_COLUMN,
            _STATEMENTS_COLUMN,
            CldfColumn("Value_JSON", "Value as JSON", datatype="json"),
            CldfColumn("Supplied_Value_JSON", "Supplied_Value as JSON", datatype="json"),
            CldfColumn("Resolved_JSON", of="value_json", datatype="json"),
            CldfColumn("Resolved_Rests_On_Supplied", RESTS_ON_SUPPLIED_SAYS, datatype="boolean"),
            CldfColumn("Supplied_Code_ID", "the reading of Supplied_Value", to="codes"),
            CldfColumn(
                "Left_Open",
                "whether the possible worlds leave it open: whether Resolved_JSON would be something else by some "
                "rival interpretation of the source",
                datatype="boolean",
            ),
            CldfColumn(
                "Rival_Values",
                "the answers that rival interpretations of the source give to this question instead, see alternatives",
                apart=LIST_SEPARATOR,
            ),
            CldfColumn("Not_Played", of="not_played"),
        ),
        cldf_rows.list_value_rows,
    ),
    CldfTable(
        "languages",
        "sources",
        "LanguageTable",
        "the sources; a text stands where a language would, see the description of the dataset",
        (
            _make_id_column(of="siglum"),
            CldfColumn("Name", of="short_title", property="name"),
            CldfColumn("Title", of="title"),
            CldfColumn("Author", "author, where there is one known", "author"),
            CldfColumn("Date", of="date"),
            CldfColumn("Language_Tag", "the language in which it is written (BCP 47)", "lang"),
            CldfColumn("Family", of="family"),
            CldfColumn("Unit", of="unit"),
            CldfColumn("Printed_Here", "whether the text is printed here", datatype="boolean"),
            CldfColumn("Rights", of="rights"),
            CldfColumn("Consulted", of="consulted"),
            _REFERENCE_COLUMN,
            CldfColumn("Draft", of="draft"),
        ),
        cldf_rows.list_language_rows,
    ),
    CldfTable(
        "parameters",
        "questions",
        "ParameterTable",
        "the questions",
        (
            _make_id_column(of="id"),
            CldfColumn("Name", of="slug", property="name"),
            CldfColumn("Description", of="asks", property="description"),
            CldfColumn("Group", of="group"),
            CldfColumn("Affects", of="affects"),
            CldfColumn("Coding", "when to code what"),
            CldfColumn("Measure", "what can be answered, where there is no closed list"),
            CldfColumn("Depends", of="depends"),
            CldfColumn("Proposed_By", of="proposed_by"),
            CldfColumn("Not_Played", "why the engine does not ask it; empty where it does"),
        ),
        cldf_rows.list_parameter_rows,
    ),
    CldfTable(
        "codes",
        "",
        "CodeTable",
        "the readings of the questions that have a closed list of them",
        (
            _make_id_column("question and reading"),
            _QUESTION_ID_COLUMN,
            CldfColumn("Name", "the reading", property="name"),
            CldfColumn("Description", "what it means", property="description"),
            CldfColumn("Proposed_By", "the source that brings the reading, as long as it is on trial"),
            CldfColumn("Not_Played", "why the engine cannot play it, where that is so"),
        ),
        cldf_rows.list_code_rows,
    ),
    CldfTable(
        "examples",
        "sentences",
        "ExampleTable",
        "the sentences of the sources that are printed here",
        (
            _make_id_column("the id of the sentence, with a hyphen for its full stop"),
            _SOURCE_ID_COLUMN,
            CldfColumn("Primary_Text", of="printed", property="primaryText", required=True),
            CldfColumn("Translated_Text", "our English translation", "english", "translatedText"),
            CldfColumn("Sentence", "the id by which the sentence is cited", "sentence"),
            CldfColumn("Page", of="page"),
            CldfColumn("Language_Tag", "its language (BCP 47)", "lang"),
            CldfColumn("Reading", of="reading"),
        ),
        partial(cldf_rows.list_sentence_rows, printed=True),
    ),
    CldfTable(
        "statements",
        "sentences",
        "",
        "what a source says that is not printed here, in our own words",
        (
            _make_id_column("the id of the statement, with a hyphen for its full stop"),
            _SOURCE_ID_COLUMN,
            CldfColumn("Statement", "the id by which the statement is cited", "sentence"),
            CldfColumn("Description", "the statement", "english", "description"),
        ),
        partial(cldf_rows.list_sentence_rows, printed=False),
    ),
    CldfTable(
        "clauses",
        "clauses",
        "",
        "the clauses: what one passage says, and on which words that rests",
        (
            _make_id_column("the id of the clause, with a hyphen for its full stop"),
            _SOURCE_ID_COLUMN,
            CldfColumn("Clause", "the id by which the clause is cited", "clause"),
            CldfColumn(
                "Parameter_IDs",
                "the questions that it answers, or gives a reason for",
                apart=LIST_SEPARATOR,
                to="parameters",
            ),
            CldfColumn("Answers", "question = answer", apart=LIST_SEPARATOR),
            _STATUS_COLUMN,
            _CERTAINTY_COLUMN,
            _QUOTATION_COLUMN,
            _COMMENT_COLUMN,
            CldfColumn("Searched", "for a silence: the range that was read through"),
            CldfColumn("Taken_From", "for an answer of ours: where we have it from"),
            CldfColumn("Coder", of="coder"),
            CldfColumn("Reviewer", of="reviewer"),
            _REFERENCE_COLUMN,
            _EXAMPLES_COLUMN,
            _STATEMENTS_COLUMN,
        ),
        cldf_rows.list_cldf_clause_rows,
    ),
    CldfTable(
        "alternatives",
        "alternatives",
        "",
        "rival interpretations (ours) and options (offered by the source): other answers to the same question",
        (
            _make_id_column("interpretation or option, and question"),
            CldfColumn("Alternative", "the id by which it is cited", "alternative"),
            CldfColumn("Kind", "interpretation or option", "kind"),
            CldfColumn("Clause_ID", "the clause to which it belongs", to="clauses", required=True),
            _SOURCE_ID_COLUMN,
            _QUESTION_ID_COLUMN,
            CldfColumn("Value", of="reading", property="value"),
            _CODE_COLUMN,
            _CERTAINTY_COLUMN,
            CldfColumn("Label", of="label"),
            _COMMENT_COLUMN,
            CldfColumn("Value_JSON", "Value as JSON", "reading_json", datatype="json"),
        ),
        cldf_rows.list_cldf_alternative_rows,
    ),
)


# --- what is told of them -------------------------------------------------------------------------------


def _build_cldf_metadata(corpus: Corpus) -> dict[str, Any]:
    release = corpus.release
    return {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "dc:conformsTo": f"{_CLDF_TERM}StructureDataset",
        "dc:title": release.title,
        "dc:description": _DATASET_NOTE,
        "dc:creator": [person.name for person in release.authors],
        "dc:bibliographicCitation": f"{release.by}. {release.title}, version {release.version}, {release.dated}.",
        "dc:license": {"@id": LICENCE_URLS["CC-BY-4.0"]},
        "dc:identifier": corpus.library.digest,
        "dc:source": _BIBLIOGRAPHY_FILE,
        "dialect": {"commentPrefix": None},
        "tables": [_describe_table(sheet) for sheet in _CLDF_TABLES],
    }


def _describe_table(sheet: CldfTable) -> dict[str, Any]:
    keys = [(column.name, column.to, "ID") for column in sheet.columns if column.to]
    known = EDITION_TABLES[sheet.of].dictionary if sheet.of else {}
    columns = [_describe_column(column, column.says or known[column.of]) for column in sheet.columns]
    return {
        "url": f"{sheet.name}.csv",
        **({"dc:conformsTo": f"{_CLDF_TERM}{sheet.component}"} if sheet.component else {}),
        "dc:description": sheet.says,
        "tableSchema": build_csvw_schema(columns, ("ID",), keys),
    }


def _describe_column(column: CldfColumn, says: str) -> dict[str, Any]:
    described = {
        "name": column.name,
        "dc:description": says,
        "datatype": {"base": "string", "format": r"[a-zA-Z0-9_\-]+"} if column.name == "ID" else column.datatype,
        "propertyUrl": _CLDF_TERM + column.property if column.property else "",
        "separator": column.apart,
        "required": column.required or None,
    }
    return drop_empty_entries(described)


def _format_bibliography(corpus: Corpus) -> str:
    """Format the sources as references, each under its siglum; a second pair of braces keeps the capitals."""
    origins = ((siglum, read_origin(source)) for siglum, source in corpus.library.sources.items())
    entries = (
        format_bibtex_entry(
            "misc",
            siglum,
            {
                "title": f"{{{escape_tex(known.title)}}}",
                "author": escape_tex(known.author),
                "year": known.date if known.date.isdecimal() else "",
                "note": escape_tex(describe_origin(known)),
                "langid": known.lang,
            },
        )
        for siglum, known in origins
    )
    return "\n".join(entries)


def make_cldf_files(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield every file of the dataset."""
    yield ExportFile(
        METADATA_FILE,
        format_export_json(_build_cldf_metadata(corpus)).encode(),
        "what the dataset is, table by table: open this",
        QUOTES_NONE,
    )
    for sheet in _CLDF_TABLES:
        cells = ([_format_cell(column, row) for column in sheet.columns] for row in sheet.rows(corpus))
        rows = ([column.name for column in sheet.columns], *cells)
        whose = QUOTES_ALL if sheet.name in _QUOTING_TABLES else QUOTES_NONE
        yield ExportFile(f"{sheet.name}.csv", render_data_csv(rows).encode(), sheet.says, whose)
    yield ExportFile(
        _BIBLIOGRAPHY_FILE, _format_bibliography(corpus).encode(), "the sources as references", QUOTES_NONE
    )


def _format_cell(column: CldfColumn, row: cldf_rows.CldfRow) -> str:
    value = row[column.of or column.name]
    return column.apart.join(value) if isinstance(value, (tuple, list)) else value or ""
