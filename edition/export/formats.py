"""The forms in which the edition can be taken away, under the names that the command and the page of downloads use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.data.citation_cff import TERMS
from edition.export import bibtex as references
from edition.export import cldf
from edition.export import parquet as columns
from edition.export import tables as exports
from edition.export import tei as standoff
from edition.export import web_annotations as citations
from edition.export.file import NOBODY, Made, read_me


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its heading, what reads it, the folder in which it lies among the downloads, and who writes it."""

    title: str
    reads: str
    folder: str
    write: Callable[[Corpus], Iterator[Made]]


def whole(corpus: Corpus) -> Iterator[Made]:
    """The library as JSON."""
    for name, (says, write) in exports.JSONS.items():
        yield Made(f"{name}.json", write(corpus, corpus.release.version).encode(), says)


def tables(corpus: Corpus) -> Iterator[Made]:
    """The tables, and what stands in their columns."""
    for table in exports.TABLES:
        says = f"{table.says}: {', '.join(name for name, _ in table.columns)}"
        yield Made(f"{table.name}.csv", exports.as_csv(table, corpus).encode(), says)
    letters = exports.described(exports.TABLES, TERMS["CC-BY-4.0"]).encode()
    yield Made("csv-metadata.json", letters, "what stands in each column of each table (CSV on the Web)", NOBODY)
    yield read_me()


#: Name -> the form, in the order in which one would look for it.
FORMS: Mapping[str, Form] = {
    "json": Form(
        "The library (JSON)", "Every programming language reads JSON; the ids are those of the pages.", "", whole
    ),
    "csv": Form(
        "Tables (CSV)",
        "Spreadsheets read them, and R or pandas; csv-metadata.json tells programs that know CSV on the Web what "
        "stands in each column, and which column points into which table.",
        "",
        tables,
    ),
    "cldf": Form(
        "The matrix for comparative studies (CLDF)",
        "Read by pycldf and the other tools for cross-linguistic data: a source stands where a language would, a "
        "question where a parameter would. Keep the files together and open StructureDataset-metadata.json; its own "
        "check (cldf validate) finds nothing amiss.",
        "cldf",
        cldf.made,
    ),
    "tei": Form(
        "The texts with their coding (TEI)",
        "Read by XML editors and whatever knows TEI; valid by the whole schema, tei_all of TEI P5 4.3.0. The text is "
        "untouched: quotations, clauses, rivals and notes stand in standOff and point to the sentences.",
        "tei",
        standoff.made,
    ),
    "annotations": Form(
        "The citations (Web Annotation)",
        "Read by JSON-LD processors, and by annotation tools that follow the W3C's model: each citation says which "
        "words of which sentence, and what is taken from them. Keep the folder beside that of the TEI files.",
        "annotations",
        citations.made,
    ),
    "bibtex": Form(
        "References (BibTeX)",
        "Read by BibTeX and biblatex, and by reference managers such as Zotero or JabRef.",
        "bibtex",
        references.made,
    ),
    "parquet": Form(
        "Tables (Parquet)",
        "The same tables for whoever reckons with them: read by Arrow, and so by pandas or Polars, and by DuckDB. Each "
        "file explains its own columns.",
        "parquet",
        columns.made,
    ),
}
