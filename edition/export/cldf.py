"""The matrix as a CLDF StructureDataset: a source stands where a language would, a question where a parameter would.

Whoever compares languages has tools for just this: many objects, many questions, closed lists of answers, and for
each answer the place that it rests on. What a source says is a value; what we supply where it is silent is none, and
stands in a column of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from edition.analysis.results import Row
from edition.citation.formats import about, escaped
from edition.citation.model import origin
from edition.corpus.corpus import Corpus
from edition.data.citation_cff import TERMS
from edition.export import tables as exports
from edition.export.file import EVERYBODY, NOBODY, Made, file_id, read_me, words_of
from edition.export.tables import as_json, csv_of
from edition.text import answers as words
from rulebook.answers.values import canonical
from rulebook.model import Cell, Cite, Question, Source
from rulebook.strings import single_spaced

TERM = "http://cldf.clld.org/v1.0/terms.rdf#"
BIBLIOGRAPHY = "sources.bib"
QUOTING = frozenset({"values", "clauses", "alternatives"})  #: tables in which a reason may quote any source
METADATA = "StructureDataset-metadata.json"
#: The name by which programs find the file, and what it tells them of the whole.
NOTE = (
    "Rules of one card game as several books tell them. A book stands where a language would (LanguageTable): the "
    "unit that is compared is a text, as elsewhere it is a language as one text describes it. So no row has a "
    "Glottocode or a place on the map, and Language_Tag tells in which language the book is written. A question "
    "stands where a parameter would. Value holds only what the source itself says; where it is silent and play needs "
    "an answer, ours stands in Supplied_Value. Texts of one Family descend from one another or from one list: they "
    "are not independent witnesses, and whoever counts should count families."
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, the property that it is known by, and how it is written."""

    name: str
    says: str
    property: str = ""
    apart: str = ""  #: what stands between several
    to: str = ""  #: the table that it points into
    datatype: str = "string"
    required: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of the dataset; with a component it is one that CLDF knows."""

    name: str
    component: str
    says: str
    columns: tuple[Column, ...]
    rows: Callable[[Corpus], Iterator[Row]]


# --- the rows -------------------------------------------------------------------------------------------


def language_rows(corpus: Corpus) -> Iterator[Row]:
    """Every source, as the table of sources has it."""
    for siglum, *said, printed, terms in exports.source_rows(corpus):
        yield (siglum, *said, "true" if printed == "yes" else "false", terms, siglum)


def parameter_rows(corpus: Corpus) -> Iterator[Row]:
    """Every question."""
    for one in corpus.library.questions.values():
        coding, measure = single_spaced(one.coding), "" if one.closed else words.measure(one)
        head = (one.id, one.slug, one.asks, one.group, one.affects, coding, measure, one.depends)
        yield (*head, one.by, single_spaced(one.not_played))


def code_rows(corpus: Corpus) -> Iterator[Row]:
    """Every reading of every question that has a closed list of them."""
    for asked in corpus.library.questions.values():
        for slug, gloss in asked.readings.items():
            trial = asked.proposed.get(slug)
            said = (trial.source, single_spaced(trial.not_played)) if trial else ("", "")
            yield (code_id(asked, slug), asked.id, slug, single_spaced(gloss), *said)


def code_id(asked: Question, value: object) -> str:
    """The id of a reading; none for an answer that is no reading of a closed list."""
    return file_id(f"{asked.id}-{value}") if isinstance(value, str) and value in asked.readings else ""


def value_rows(corpus: Corpus) -> Iterator[Row]:
    """Every source on every question, also where there is only a reason for saying nothing."""
    for asked in corpus.library.questions.values():
        for siglum, source in corpus.library.sources.items():
            yield value_row(corpus, asked, source, corpus.cell(siglum, asked.slug))


def value_row(corpus: Corpus, asked: Question, source: Source, cell: Cell | None) -> Row:
    """What a source says on a question, on which words, and how sure the coding is."""
    head = (f"{asked.id}-{source.siglum}", source.siglum, asked.id)
    if cell is None:
        return (*head, "", "", "", "", "not-collated", *[""] * 7)
    cites = [cite for one in cell.clauses for cite in one.cites]
    said, supplied = ("", cell.value) if cell.supplied else (cell.value, None)
    quoted = dict.fromkeys(found for cite in cites if (found := words_of(source, cite)))
    return (
        *head,
        written(said),
        code_id(asked, said),
        " ".join(dict.fromkeys(single_spaced(one.because) for one in cell.clauses if one.because)),
        reference(source, cites),
        cell.status,
        written(supplied),
        cell.cert,
        words.counted(asked, cell.value, source) if cell.value is not None else "",
        " | ".join(quoted),
        " ".join(file_id(one.id) for one in cell.clauses),
        *loci_of(corpus, source, cites),
    )


def written(value: object) -> str:
    """An answer as data; nothing where there is none."""
    return "" if value is None or value == "" else canonical(value)


def reference(source: Source, cites: Iterable[Cite]) -> str:
    """The source with the places in it, as a reader of BibTeX keys has them."""
    loci = dict.fromkeys(f"{cite.locus}-{cite.to}" if cite.to else cite.locus for cite in cites)
    return f"{source.siglum}[{', '.join(loci)}]" if loci else ""


def loci_of(corpus: Corpus, source: Source, cites: Iterable[Cite]) -> Row:
    """The sentences that are printed here, and the statements in our own words."""
    loci = [file_id(locus) for locus in dict.fromkeys(locus for cite in cites for locus in corpus.loci(cite))]
    told = " ".join(loci)
    return (told, "") if source.text else ("", told)


def example_rows(corpus: Corpus) -> Iterator[Row]:
    """Every sentence that is printed here, with its translation."""
    for row in sentences(corpus):
        id, siglum, page, lang, printed, reading, english = row
        if printed:
            yield (file_id(id), siglum, printed, english, id, page, lang, reading)


def statement_rows(corpus: Corpus) -> Iterator[Row]:
    """Every statement, in our own words, of a source that is not printed here."""
    for id, siglum, _, _, printed, _, english in sentences(corpus):
        if not printed:
            yield (file_id(id), siglum, id, english)


def sentences(corpus: Corpus) -> Iterator[Row]:
    """The table of sentences as it stands among the others."""
    return exports.sentence_rows(corpus)


def clause_rows(corpus: Corpus) -> Iterator[Row]:
    """Every clause."""
    for one in corpus.library.clauses():
        source = corpus.library.sources[one.source]
        asked = [corpus.library.questions[slug] for slug in one.questions]
        answers = [f"{corpus.library.questions[slug].id}={canonical(value)}" for slug, value in one.answers.items()]
        yield (
            file_id(one.id),
            one.source,
            one.id,
            " ".join(each.id for each in asked),
            " | ".join(answers),
            one.status,
            one.cert,
            " | ".join(found for cite in one.cites if (found := words_of(source, cite))),
            single_spaced(one.because),
            one.searched,
            one.taken_from,
            one.coder,
            one.reviewer,
            reference(source, one.cites),
            *loci_of(corpus, source, one.cites),
        )


def alternative_rows(corpus: Corpus) -> Iterator[Row]:
    """Every rival interpretation and option, a row for each question that it answers otherwise."""
    for clause in corpus.library.clauses():
        for one in clause.alternatives:
            for slug, value in one.answers.items():
                asked = corpus.library.questions[slug]
                said = (canonical(value), code_id(asked, value), one.cert, one.label, single_spaced(one.because))
                ids = (file_id(f"{one.id}-{asked.id}"), one.id, one.kind, file_id(clause.id), clause.source, asked.id)
                yield (*ids, *said)


# --- the tables -----------------------------------------------------------------------------------------


def own(says: str) -> Column:
    """The id of a row."""
    return Column("ID", says, "id", required=True)


def source_of(says: str = "the source, by its siglum") -> Column:
    """The source of a row."""
    return Column("Language_ID", says, "languageReference", to="languages", required=True)


def question_of() -> Column:
    """The question of a row."""
    return Column("Parameter_ID", "the question", "parameterReference", to="parameters", required=True)


REFERENCE = Column("Source", f"the source in {BIBLIOGRAPHY}, with the sentences or statements", "source", ";")
CODE = Column("Code_ID", "the reading, where the question has a closed list", "codeReference", to="codes")
EXAMPLES = Column("Example_IDs", "the sentences it rests on", "exampleReference", " ", "examples")
STATEMENTS = Column("Statement_IDs", "our statements it rests on", "", " ", "statements")
WORDS = Column("Quotation", "the words of the source; none where they are in copyright", "", " | ")
CERT = Column("Certainty", "how sure the coding is: high, medium, low")
STATUS = Column(
    "Status", "stated, implied, denied, ambiguous, contradictory, silent, inapplicable or not-collated", required=True
)

SHEETS: tuple[Sheet, ...] = (
    Sheet(
        "values",
        "ValueTable",
        "every source on every question; no Value where the source is silent or the question does not apply",
        (
            own("question and source"),
            source_of(),
            question_of(),
            Column("Value", "what the source says, as data", "value"),
            CODE,
            Column("Comment", "the reason given for it", "comment"),
            REFERENCE,
            STATUS,
            Column("Supplied_Value", "our answer, the source being silent"),
            CERT,
            Column("Unit", "the counter in which a sum is reckoned"),
            WORDS,
            Column("Clause_IDs", "the clauses that speak to it", "", " ", "clauses"),
            EXAMPLES,
            STATEMENTS,
        ),
        value_rows,
    ),
    Sheet(
        "languages",
        "LanguageTable",
        "the sources; a text stands where a language would, see the description of the dataset",
        (
            own("siglum"),
            Column("Name", "short title", "name"),
            Column("Title", "title"),
            Column("Author", "author, where there is one known"),
            Column("Date", "when it was made, as far as that is known"),
            Column("Language_Tag", "the language in which it is written (BCP 47)"),
            Column("Family", "texts of one family are not independent"),
            Column("Unit", "its smallest counter"),
            Column("Printed_Here", "whether the text is printed here", datatype="boolean"),
            Column("Rights", "the terms of its words"),
            REFERENCE,
        ),
        language_rows,
    ),
    Sheet(
        "parameters",
        "ParameterTable",
        "the questions",
        (
            own("permanent id"),
            Column("Name", "speaking name", "name"),
            Column("Description", "the question", "description"),
            Column("Group", "heading under which it stands"),
            Column("Affects", "what it touches: table, deal, play, award, payment, pool, irregularity"),
            Column("Coding", "when to code what"),
            Column("Measure", "what can be answered, where there is no closed list"),
            Column("Depends", "when the question makes sense"),
            Column("Proposed_By", "the source that proposes the question; none for a question of the edition"),
            Column("Not_Played", "why the engine does not ask it; empty where it does"),
        ),
        parameter_rows,
    ),
    Sheet(
        "codes",
        "CodeTable",
        "the readings of the questions that have a closed list of them",
        (
            own("question and reading"),
            question_of(),
            Column("Name", "the reading", "name"),
            Column("Description", "what it means", "description"),
            Column("Proposed_By", "the source that brings the reading, as long as it is on trial"),
            Column("Not_Played", "why the engine cannot play it, where that is so"),
        ),
        code_rows,
    ),
    Sheet(
        "examples",
        "ExampleTable",
        "the sentences of the sources that are printed here",
        (
            own("the id of the sentence, with a hyphen for its full stop"),
            source_of(),
            Column("Primary_Text", "the words as printed", "primaryText", required=True),
            Column("Translated_Text", "our English translation", "translatedText"),
            Column("Sentence", "the id by which the sentence is cited"),
            Column("Page", "the page on which it begins"),
            Column("Language_Tag", "its language (BCP 47)"),
            Column("Reading", "the words mended and in today's spelling"),
        ),
        example_rows,
    ),
    Sheet(
        "statements",
        "",
        "what a source says that is not printed here, in our own words",
        (
            own("the id of the statement, with a hyphen for its full stop"),
            source_of(),
            Column("Statement", "the id by which the statement is cited"),
            Column("Description", "the statement", "description"),
        ),
        statement_rows,
    ),
    Sheet(
        "clauses",
        "",
        "the clauses: what one passage says, and on which words that rests",
        (
            own("the id of the clause, with a hyphen for its full stop"),
            source_of(),
            Column("Clause", "the id by which the clause is cited"),
            Column("Parameter_IDs", "the questions that it answers, or gives a reason for", "", " ", "parameters"),
            Column("Answers", "question = answer", "", " | "),
            STATUS,
            CERT,
            WORDS,
            Column("Comment", "the reason given for it", "comment"),
            Column("Searched", "for a silence: the range that was read through"),
            Column("Taken_From", "for an answer of ours: where we have it from"),
            Column("Coder", "the editorial pass that coded it"),
            Column("Reviewer", "the pass that read it again; empty if none did"),
            REFERENCE,
            EXAMPLES,
            STATEMENTS,
        ),
        clause_rows,
    ),
    Sheet(
        "alternatives",
        "",
        "rival interpretations (ours) and options (offered by the source): other answers to the same question",
        (
            own("interpretation or option, and question"),
            Column("Alternative", "the id by which it is cited"),
            Column("Kind", "interpretation or option"),
            Column("Clause_ID", "the clause to which it belongs", to="clauses", required=True),
            source_of(),
            question_of(),
            Column("Value", "the other answer, as data", "value"),
            CODE,
            CERT,
            Column("Label", "its name"),
            Column("Comment", "the reason given for it", "comment"),
        ),
        alternative_rows,
    ),
)


# --- what is told of them -------------------------------------------------------------------------------


def metadata(corpus: Corpus) -> dict[str, Any]:
    """The dataset as its readers want it described: CSV on the Web, with the terms of CLDF."""
    release = corpus.release
    return {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "dc:conformsTo": f"{TERM}StructureDataset",
        "dc:title": release.title,
        "dc:description": NOTE,
        "dc:creator": [person.name for person in release.authors],
        "dc:bibliographicCitation": f"{release.by}. {release.title}, version {release.version}, {release.dated}.",
        "dc:license": {"@id": TERMS["CC-BY-4.0"]},
        "dc:identifier": corpus.library.digest,
        "dc:source": BIBLIOGRAPHY,
        "dialect": {"commentPrefix": None},
        "tables": [described(sheet) for sheet in SHEETS],
    }


def described(sheet: Sheet) -> dict[str, Any]:
    """One table with its columns, and where they point to."""
    known = {"dc:conformsTo": f"{TERM}{sheet.component}"} if sheet.component else {}
    keys = [pointing(column) for column in sheet.columns if column.to]
    schema: dict[str, Any] = {"columns": [column_of(column) for column in sheet.columns], "primaryKey": ["ID"]}
    return {
        "url": f"{sheet.name}.csv",
        **known,
        "dc:description": sheet.says,
        "tableSchema": {**schema, "foreignKeys": keys} if keys else schema,
    }


def column_of(column: Column) -> dict[str, Any]:
    """One column."""
    kind: Any = {"base": "string", "format": r"[a-zA-Z0-9_\-]+"} if column.name == "ID" else column.datatype
    said: dict[str, Any] = {"name": column.name, "dc:description": column.says, "datatype": kind}
    more = {
        "propertyUrl": TERM + column.property if column.property else "",
        "separator": column.apart,
        "required": column.required,
    }
    return {**said, **{key: value for key, value in more.items() if value}}


def pointing(column: Column) -> dict[str, Any]:
    """Where a column points to."""
    there = {"resource": f"{column.to}.csv", "columnReference": ["ID"]}
    return {"columnReference": [column.name], "reference": there}


def bibliography(corpus: Corpus) -> str:
    """The sources as references, each under its siglum."""
    return "\n".join(entry(source) for source in corpus.library.sources.values())


def entry(source: Source) -> str:
    """One source; capitals are kept by a second pair of braces."""
    known = origin(source)
    fields = {
        "title": f"{{{escaped(known.title)}}}",
        "author": escaped(known.author),
        "year": known.date if known.date.isdecimal() else "",
        "note": escaped(about(known)),
        "langid": known.lang,
    }
    lines = "".join(f",\n  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{source.siglum}{lines}\n}}\n"


def made(corpus: Corpus) -> Iterator[Made]:
    """Every file of the dataset."""
    yield Made(METADATA, as_json(metadata(corpus)).encode(), "what the dataset is, table by table: open this", NOBODY)
    for sheet in SHEETS:
        rows = ([column.name for column in sheet.columns], *sheet.rows(corpus))
        whose = EVERYBODY if sheet.name in QUOTING else NOBODY
        yield Made(f"{sheet.name}.csv", csv_of(rows).encode(), sheet.says, whose)
    yield Made(BIBLIOGRAPHY, bibliography(corpus).encode(), "the sources as references", NOBODY)
    yield read_me()
