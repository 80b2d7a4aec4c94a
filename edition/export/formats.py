"""Export formats, under the names that the command and the downloads page use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.citation_cff import LICENCE_URLS
from edition.corpus.corpus import Corpus
from edition.export import bibtex as references
from edition.export import cldf
from edition.export import parquet as columns
from edition.export import stemma as descent
from edition.export import tables as exports
from edition.export import tei as standoff
from edition.export import web_annotations as citations
from edition.export.file import QUOTES_NONE, ExportFile
from edition.export.readme import GUIDES, FormatGuide, make_readme
from edition.game import Game

DOWNLOADS_FOLDER = "downloads"


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One format: its heading, what reads it, its folder among the downloads, and its writer."""

    title: str
    reads: str
    folder: str
    write: Callable[[Corpus], Iterator[ExportFile]]
    beside: tuple[str, ...] = ()  #: formats whose files it reads in its own folder
    first: str = ""  #: the file with which to begin, in its folder
    asked: str = ""  #: other words by which it is sought
    guide: FormatGuide | None = None  #: instructions, if they stand in no other place

    def get_address(self, name: str) -> str:
        """Return the address of one of its files, from the first page of the edition."""
        return "/".join(part for part in (DOWNLOADS_FOLDER, self.folder, name) if part)


def _make_json_files(corpus: Corpus) -> Iterator[ExportFile]:
    for name, (says, write) in exports.JSON_EXPORTS.items():
        yield ExportFile(f"{name}.json", write(corpus).encode(), says)


def _make_csv_files(corpus: Corpus) -> Iterator[ExportFile]:
    tables = (*exports.list_export_tables(corpus.game), exports.build_matrix_table(corpus))
    for table in tables:
        says = f"{table.says}: {', '.join(table.names)}"
        yield ExportFile(f"{table.name}.csv", exports.format_table_csv(table, corpus).encode(), says)
    letters = exports.describe_tables_csvw(tables, LICENCE_URLS["CC-BY-4.0"]).encode()
    yield ExportFile(
        "csv-metadata.json", letters, "what stands in each column of each table (CSV on the Web)", QUOTES_NONE
    )


#: Name -> the form, in the order in which one would look for it.
EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    "json": ExportFormat(
        "The library (JSON)",
        "Every programming language reads JSON; the ids are those of the pages.",
        "",
        _make_json_files,
        asked="library as data, matrix",
    ),
    "csv": ExportFormat(
        "Tables (CSV)",
        "Spreadsheets read them, and R or pandas; csv-metadata.json tells programs that know CSV on the Web what "
        "stands in each column, and which column points into which table.",
        "",
        _make_csv_files,
        asked="spreadsheet, Excel, pandas, R, CSV on the Web, CSVW",
    ),
    "cldf": ExportFormat(
        "The matrix for comparative studies (CLDF)",
        "Read by pycldf and the other tools for cross-linguistic data: a source stands where a language would, a "
        "question where a parameter would. Keep the files together and open StructureDataset-metadata.json; its own "
        "check (cldf validate) finds nothing amiss. In values.csv Certainty says how sure the coding is, Left_Open "
        "what the possible worlds leave open, and Rival_Values what rival interpretations answer instead.",
        "cldf",
        cldf.make_cldf_files,
        first=cldf.METADATA_FILE,
        asked="cross-linguistic data formats, pycldf, cldfbench, StructureDataset, possible worlds, certainty",
    ),
    "tei": ExportFormat(
        "The texts with their coding (TEI)",
        "Read by XML editors and whatever knows TEI; valid by the whole schema, tei_all of TEI P5 4.3.0. The text is "
        "untouched; the English translation follows as a second text, sentence by sentence, and then quotations, "
        "clauses, rivals and notes in standOff, all pointing to the sentences; and so the critical apparatus (app, "
        "with its lem and rdg, listWit in the header) of a text that was compared with another print.",
        "tei",
        standoff.export_tei,
        asked="XML, critical apparatus, variants, witnesses, standOff",
    ),
    "annotations": ExportFormat(
        "The citations (Web Annotation)",
        "Read by JSON-LD processors, and by annotation tools that follow the W3C's model: each citation says which "
        "words of which sentence, and what is taken from them. Keep the folder beside that of the TEI files.",
        "annotations",
        citations.export_web_annotations,
        asked="JSON-LD, W3C, linked data, RDF",
    ),
    "stemma": ExportFormat(
        "Who copied whom (DOT)",
        "A graph in DOT, read by Graphviz; the evidence of every line stands on the page and in sources/stemma.yaml.",
        "stemma",
        descent.export_stemma,
        first=descent.STEMMA_DOT,
        asked="Graphviz, DOT, stemma",
    ),
    "bibtex": ExportFormat(
        "References (BibTeX)",
        "Read by BibTeX and biblatex, and by reference managers such as Zotero or JabRef.",
        "bibtex",
        references.make_bibtex_files,
        asked="bibliography, Zotero, JabRef, biblatex",
    ),
    "parquet": ExportFormat(
        "Tables (Parquet)",
        "The same tables for computing, with types (true or false, numbers, lists): read by Arrow, and so by pandas, "
        "Polars or R, and by DuckDB. Each file explains its own columns.",
        "parquet",
        columns.make_parquet_files,
        asked="Arrow, Polars, DuckDB, typed tables",
    ),
}


def list_export_formats(game: Game) -> Mapping[str, ExportFormat]:
    """Return all formats by their names, those of the game last."""
    return {**EXPORT_FORMATS, **game.exports.formats}


def make_folder_readme(names: Iterable[str], files: Iterable[ExportFile], corpus: Corpus) -> ExportFile:
    """Return the README of a folder that holds the files of these formats."""
    formats = list_export_formats(corpus.game)
    guides = {formats[name].title: formats[name].guide or GUIDES[name] for name in names}
    return make_readme(guides, files, corpus)
