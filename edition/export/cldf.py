"""Export the matrix as a CLDF StructureDataset.

A source stands where a language would, a question where a parameter would.

Whoever compares languages has tools for just this: many objects, many questions, closed lists of answers, and for
each answer the place that it rests on. What a source says is a value; what we supply where it is silent is none, and
stands in a column of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from edition.analysis.results import DealResultRow
from edition.citation.formats import describe_origin, escape_tex
from edition.citation.model import read_origin
from edition.corpus.corpus import Corpus
from edition.data.citation_cff import LICENCE_URLS
from edition.export import tables as exports
from edition.export.file import QUOTES_ALL, QUOTES_NONE, ExportFile, get_quotable_words, make_file_id, make_readme
from edition.export.tables import format_export_json, format_rows_csv
from edition.text import answers as words
from rulebook.answers.values import format_canonical
from rulebook.model import Cell, Cite, Question, Source
from rulebook.strings import single_spaced

_CLDF_TERM = "http://cldf.clld.org/v1.0/terms.rdf#"
_BIBLIOGRAPHY_FILE = "sources.bib"
_QUOTING_TABLES = frozenset({"values", "clauses", "alternatives"})  #: tables in which a reason may quote any source
_METADATA_FILE = "StructureDataset-metadata.json"
#: The name by which programs find the file, and what it tells them of the whole.
_DATASET_NOTE = (
    "Rules of one card game as several books tell them. A book stands where a language would (LanguageTable): the "
    "unit that is compared is a text, as elsewhere it is a language as one text describes it. So no row has a "
    "Glottocode or a place on the map, and Language_Tag tells in which language the book is written. A question "
    "stands where a parameter would. Value holds only what the source itself says; where it is silent and play needs "
    "an answer, ours stands in Supplied_Value. Texts of one Family descend from one another or from one list: they "
    "are not independent witnesses, and whoever counts should count families."
)


@dataclass(frozen=True, slots=True)
class CldfColumn:
    """A column: its name, its CLDF property, and how it is written."""

    name: str
    says: str
    property: str = ""
    apart: str = ""  #: what stands between several
    to: str = ""  #: the table that it points into
    datatype: str = "string"
    required: bool = False


@dataclass(frozen=True, slots=True)
class CldfTable:
    """A table of the dataset; with a component it is one that CLDF knows."""

    name: str
    component: str
    says: str
    columns: tuple[CldfColumn, ...]
    rows: Callable[[Corpus], Iterator[DealResultRow]]


# --- the rows -------------------------------------------------------------------------------------------


def _list_language_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield every source, as the table of sources has it."""
    for siglum, *said, printed, terms in exports.list_source_rows(corpus):
        yield (siglum, *said, "true" if printed == "yes" else "false", terms, siglum)


def list_parameter_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield every question."""
    for one in corpus.library.questions.values():
        coding, measure = single_spaced(one.coding), "" if one.closed else words.describe_measure(one)
        head = (one.id, one.slug, one.asks, one.group, one.affects, coding, measure, one.depends)
        yield (*head, one.by, single_spaced(one.not_played))


def list_code_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield every reading of every question that has a closed list of them."""
    for asked in corpus.library.questions.values():
        for slug, gloss in asked.readings.items():
            trial = asked.proposed.get(slug)
            said = (trial.source, single_spaced(trial.not_played)) if trial else ("", "")
            yield (_code_id(asked, slug), asked.id, slug, single_spaced(gloss), *said)


def _code_id(asked: Question, value: object) -> str:
    """Return the id of a reading; none for an answer outside a closed list."""
    return make_file_id(f"{asked.id}-{value}") if isinstance(value, str) and value in asked.readings else ""


def _list_value_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield every source on every question.

    Also where there is only a reason for saying nothing.
    """
    for asked in corpus.library.questions.values():
        for siglum, source in corpus.library.sources.items():
            yield _make_value_row(corpus, asked, source, corpus.cell(siglum, asked.slug))


def _make_value_row(corpus: Corpus, asked: Question, source: Source, cell: Cell | None) -> DealResultRow:
    """Return the answer of a source to a question, its quotations and certainty."""
    head = (f"{asked.id}-{source.siglum}", source.siglum, asked.id)
    if cell is None:
        return (*head, "", "", "", "", "not-collated", *[""] * 7)
    cites = [cite for one in cell.clauses for cite in one.cites]
    said, supplied = ("", cell.value) if cell.supplied else (cell.value, None)
    quoted = dict.fromkeys(found for cite in cites if (found := get_quotable_words(source, cite)))
    return (
        *head,
        _format_value(said),
        _code_id(asked, said),
        " ".join(dict.fromkeys(single_spaced(one.because) for one in cell.clauses if one.because)),
        _format_reference(source, cites),
        cell.status,
        _format_value(supplied),
        cell.cert,
        words.get_sum_counter(asked, cell.value, source) if cell.value is not None else "",
        " | ".join(quoted),
        " ".join(make_file_id(one.id) for one in cell.clauses),
        *_split_loci(corpus, source, cites),
    )


def _format_value(value: object) -> str:
    """Format an answer as data; empty where there is none."""
    return "" if value is None or value == "" else format_canonical(value)


def _format_reference(source: Source, cites: Iterable[Cite]) -> str:
    """Format the source with the places in it, as a reader of BibTeX keys has them."""
    loci = dict.fromkeys(f"{cite.locus}-{cite.to}" if cite.to else cite.locus for cite in cites)
    return f"{source.siglum}[{', '.join(loci)}]" if loci else ""


def _split_loci(corpus: Corpus, source: Source, cites: Iterable[Cite]) -> DealResultRow:
    """Return the sentences that are printed here, and the statements in our own words."""
    loci = [make_file_id(locus) for locus in dict.fromkeys(locus for cite in cites for locus in corpus.loci(cite))]
    told = " ".join(loci)
    return (told, "") if source.text else ("", told)


def _list_example_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield every sentence that is printed here, with its translation."""
    for row in _list_sentence_rows(corpus):
        id, siglum, page, lang, printed, reading, english = row
        if printed:
            yield (make_file_id(id), siglum, printed, english, id, page, lang, reading)


def _list_statement_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield every statement, in our own words, of a source that is not printed here."""
    for id, siglum, _, _, printed, _, english in _list_sentence_rows(corpus):
        if not printed:
            yield (make_file_id(id), siglum, id, english)


def _list_sentence_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield the table of sentences as it stands among the others."""
    return exports.list_sentence_rows(corpus)


def _list_clause_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield every clause."""
    for one in corpus.library.clauses():
        source = corpus.library.sources[one.source]
        asked = [corpus.library.questions[slug] for slug in one.questions]
        answers = [
            f"{corpus.library.questions[slug].id}={format_canonical(value)}" for slug, value in one.answers.items()
        ]
        yield (
            make_file_id(one.id),
            one.source,
            one.id,
            " ".join(each.id for each in asked),
            " | ".join(answers),
            one.status,
            one.cert,
            " | ".join(found for cite in one.cites if (found := get_quotable_words(source, cite))),
            single_spaced(one.because),
            one.searched,
            one.taken_from,
            one.coder,
            one.reviewer,
            _format_reference(source, one.cites),
            *_split_loci(corpus, source, one.cites),
        )


def _list_alternative_rows(corpus: Corpus) -> Iterator[DealResultRow]:
    """Yield every alternative, a row for each question that it answers otherwise.

    Alternatives are rival interpretations and options.
    """
    for clause in corpus.library.clauses():
        for one in clause.alternatives:
            for slug, value in one.answers.items():
                asked = corpus.library.questions[slug]
                said = (
                    format_canonical(value),
                    _code_id(asked, value),
                    one.cert,
                    one.label,
                    single_spaced(one.because),
                )
                ids = (
                    make_file_id(f"{one.id}-{asked.id}"),
                    one.id,
                    one.kind,
                    make_file_id(clause.id),
                    clause.source,
                    asked.id,
                )
                yield (*ids, *said)


# --- the tables -----------------------------------------------------------------------------------------


def _make_id_column(says: str) -> CldfColumn:
    """Return the column with the id of a row."""
    return CldfColumn("ID", says, "id", required=True)


def _make_source_column(says: str = "the source, by its siglum") -> CldfColumn:
    """Return the column with the source of a row."""
    return CldfColumn("Language_ID", says, "languageReference", to="languages", required=True)


def _make_question_column() -> CldfColumn:
    """Return the column with the question of a row."""
    return CldfColumn("Parameter_ID", "the question", "parameterReference", to="parameters", required=True)


_REFERENCE_COLUMN = CldfColumn(
    "Source", f"the source in {_BIBLIOGRAPHY_FILE}, with the sentences or statements", "source", ";"
)
_CODE_COLUMN = CldfColumn("Code_ID", "the reading, where the question has a closed list", "codeReference", to="codes")
_EXAMPLES_COLUMN = CldfColumn("Example_IDs", "the sentences it rests on", "exampleReference", " ", "examples")
_STATEMENTS_COLUMN = CldfColumn("Statement_IDs", "our statements it rests on", "", " ", "statements")
_QUOTATION_COLUMN = CldfColumn("Quotation", "the words of the source; none where they are in copyright", "", " | ")
_CERTAINTY_COLUMN = CldfColumn("Certainty", "how sure the coding is: high, medium, low")
_STATUS_COLUMN = CldfColumn(
    "Status", "stated, implied, denied, ambiguous, contradictory, silent, inapplicable or not-collated", required=True
)

_CLDF_TABLES: tuple[CldfTable, ...] = (
    CldfTable(
        "values",
        "ValueTable",
        "every source on every question; no Value where the source is silent or the question does not apply",
        (
            _make_id_column("question and source"),
            _make_source_column(),
            _make_question_column(),
            CldfColumn("Value", "what the source says, as data", "value"),
            _CODE_COLUMN,
            CldfColumn("Comment", "the reason given for it", "comment"),
            _REFERENCE_COLUMN,
            _STATUS_COLUMN,
            CldfColumn("Supplied_Value", "our answer, the source being silent"),
            _CERTAINTY_COLUMN,
            CldfColumn("Unit", "the counter in which a sum is reckoned"),
            _QUOTATION_COLUMN,
            CldfColumn("Clause_IDs", "the clauses that speak to it", "", " ", "clauses"),
            _EXAMPLES_COLUMN,
            _STATEMENTS_COLUMN,
        ),
        _list_value_rows,
    ),
    CldfTable(
        "languages",
        "LanguageTable",
        "the sources; a text stands where a language would, see the description of the dataset",
        (
            _make_id_column("siglum"),
            CldfColumn("Name", "short title", "name"),
            CldfColumn("Title", "title"),
            CldfColumn("Author", "author, where there is one known"),
            CldfColumn("Date", "when it was made, as far as that is known"),
            CldfColumn("Language_Tag", "the language in which it is written (BCP 47)"),
            CldfColumn("Family", "texts of one family are not independent"),
            CldfColumn("Unit", "its smallest counter"),
            CldfColumn("Printed_Here", "whether the text is printed here", datatype="boolean"),
            CldfColumn("Rights", "the terms of its words"),
            _REFERENCE_COLUMN,
        ),
        _list_language_rows,
    ),
    CldfTable(
        "parameters",
        "ParameterTable",
        "the questions",
        (
            _make_id_column("permanent id"),
            CldfColumn("Name", "speaking name", "name"),
            CldfColumn("Description", "the question", "description"),
            CldfColumn("Group", "heading under which it stands"),
            CldfColumn("Affects", "what it touches: table, deal, play, award, payment, pool, irregularity"),
            CldfColumn("Coding", "when to code what"),
            CldfColumn("Measure", "what can be answered, where there is no closed list"),
            CldfColumn("Depends", "when the question makes sense"),
            CldfColumn("Proposed_By", "the source that proposes the question; none for a question of the edition"),
            CldfColumn("Not_Played", "why the engine does not ask it; empty where it does"),
        ),
        list_parameter_rows,
    ),
    CldfTable(
        "codes",
        "CodeTable",
        "the readings of the questions that have a closed list of them",
        (
            _make_id_column("question and reading"),
            _make_question_column(),
            CldfColumn("Name", "the reading", "name"),
            CldfColumn("Description", "what it means", "description"),
            CldfColumn("Proposed_By", "the source that brings the reading, as long as it is on trial"),
            CldfColumn("Not_Played", "why the engine cannot play it, where that is so"),
        ),
        list_code_rows,
    ),
    CldfTable(
        "examples",
        "ExampleTable",
        "the sentences of the sources that are printed here",
        (
            _make_id_column("the id of the sentence, with a hyphen for its full stop"),
            _make_source_column(),
            CldfColumn("Primary_Text", "the words as printed", "primaryText", required=True),
            CldfColumn("Translated_Text", "our English translation", "translatedText"),
            CldfColumn("Sentence", "the id by which the sentence is cited"),
            CldfColumn("Page", "the page on which it begins"),
            CldfColumn("Language_Tag", "its language (BCP 47)"),
            CldfColumn("Reading", "the words mended and in today's spelling"),
        ),
        _list_example_rows,
    ),
    CldfTable(
        "statements",
        "",
        "what a source says that is not printed here, in our own words",
        (
            _make_id_column("the id of the statement, with a hyphen for its full stop"),
            _make_source_column(),
            CldfColumn("Statement", "the id by which the statement is cited"),
            CldfColumn("Description", "the statement", "description"),
        ),
        _list_statement_rows,
    ),
    CldfTable(
        "clauses",
        "",
        "the clauses: what one passage says, and on which words that rests",
        (
            _make_id_column("the id of the clause, with a hyphen for its full stop"),
            _make_source_column(),
            CldfColumn("Clause", "the id by which the clause is cited"),
            CldfColumn("Parameter_IDs", "the questions that it answers, or gives a reason for", "", " ", "parameters"),
            CldfColumn("Answers", "question = answer", "", " | "),
            _STATUS_COLUMN,
            _CERTAINTY_COLUMN,
            _QUOTATION_COLUMN,
            CldfColumn("Comment", "the reason given for it", "comment"),
            CldfColumn("Searched", "for a silence: the range that was read through"),
            CldfColumn("Taken_From", "for an answer of ours: where we have it from"),
            CldfColumn("Coder", "the editorial pass that coded it"),
            CldfColumn("Reviewer", "the pass that read it again; empty if none did"),
            _REFERENCE_COLUMN,
            _EXAMPLES_COLUMN,
            _STATEMENTS_COLUMN,
        ),
        _list_clause_rows,
    ),
    CldfTable(
        "alternatives",
        "",
        "rival interpretations (ours) and options (offered by the source): other answers to the same question",
        (
            _make_id_column("interpretation or option, and question"),
            CldfColumn("Alternative", "the id by which it is cited"),
            CldfColumn("Kind", "interpretation or option"),
            CldfColumn("Clause_ID", "the clause to which it belongs", to="clauses", required=True),
            _make_source_column(),
            _make_question_column(),
            CldfColumn("Value", "the other answer, as data", "value"),
            _CODE_COLUMN,
            _CERTAINTY_COLUMN,
            CldfColumn("Label", "its name"),
            CldfColumn("Comment", "the reason given for it", "comment"),
        ),
        _list_alternative_rows,
    ),
)


# --- what is told of them -------------------------------------------------------------------------------


def build_cldf_metadata(corpus: Corpus) -> dict[str, Any]:
    """Return the description of the dataset: CSV on the Web, with the terms of CLDF."""
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
    """Describe one table with its columns and foreign keys."""
    known = {"dc:conformsTo": f"{_CLDF_TERM}{sheet.component}"} if sheet.component else {}
    keys = [_make_foreign_key(column) for column in sheet.columns if column.to]
    schema: dict[str, Any] = {"columns": [_describe_column(column) for column in sheet.columns], "primaryKey": ["ID"]}
    return {
        "url": f"{sheet.name}.csv",
        **known,
        "dc:description": sheet.says,
        "tableSchema": {**schema, "foreignKeys": keys} if keys else schema,
    }


def _describe_column(column: CldfColumn) -> dict[str, Any]:
    """Describe one column."""
    kind: Any = {"base": "string", "format": r"[a-zA-Z0-9_\-]+"} if column.name == "ID" else column.datatype
    said: dict[str, Any] = {"name": column.name, "dc:description": column.says, "datatype": kind}
    more = {
        "propertyUrl": _CLDF_TERM + column.property if column.property else "",
        "separator": column.apart,
        "required": column.required,
    }
    return {**said, **{key: value for key, value in more.items() if value}}


def _make_foreign_key(column: CldfColumn) -> dict[str, Any]:
    """Return the foreign key of a column."""
    there = {"resource": f"{column.to}.csv", "columnReference": ["ID"]}
    return {"columnReference": [column.name], "reference": there}


def _format_bibliography(corpus: Corpus) -> str:
    """Format the sources as references, each under its siglum."""
    return "\n".join(_format_bibtex_entry(source) for source in corpus.library.sources.values())


def _format_bibtex_entry(source: Source) -> str:
    """Format one source; capitals are kept by a second pair of braces."""
    known = read_origin(source)
    fields = {
        "title": f"{{{escape_tex(known.title)}}}",
        "author": escape_tex(known.author),
        "year": known.date if known.date.isdecimal() else "",
        "note": escape_tex(describe_origin(known)),
        "langid": known.lang,
    }
    lines = "".join(f",\n  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{source.siglum}{lines}\n}}\n"


def make_cldf_files(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield every file of the dataset."""
    yield ExportFile(
        _METADATA_FILE,
        format_export_json(build_cldf_metadata(corpus)).encode(),
        "what the dataset is, table by table: open this",
        QUOTES_NONE,
    )
    for sheet in _CLDF_TABLES:
        rows = ([column.name for column in sheet.columns], *sheet.rows(corpus))
        whose = QUOTES_ALL if sheet.name in _QUOTING_TABLES else QUOTES_NONE
        yield ExportFile(f"{sheet.name}.csv", format_rows_csv(rows).encode(), sheet.says, whose)
    yield ExportFile(
        _BIBLIOGRAPHY_FILE, _format_bibliography(corpus).encode(), "the sources as references", QUOTES_NONE
    )
    yield make_readme()
