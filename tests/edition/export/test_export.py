"""The edition in the forms of others, each read again by a library of its own and held to what we know ourselves."""

from __future__ import annotations

import csv
import json
import logging
import re
import shutil
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import pytest
from bibtexparser import parse_string as parse_bibtex
from click.testing import CliRunner, Result
from lxml import etree
from pybtex.database import parse_string

from edition.citation.model import format_source_date
from edition.cli import export
from edition.corpus.corpus import Corpus
from edition.corpus.history_files import get_stemma
from edition.corpus.load import read_corpus_checked
from edition.export import bibtex as references
from edition.export import parquet as columns
from edition.export import tables as exports
from edition.export import tei as standoff
from edition.export.downloads import list_source_files
from edition.export.file import make_file_id
from edition.export.formats import list_export_formats
from edition.export.stemma import export_stemma
from edition.export.tei_elements import POINTER_ATTRIBUTES
from reversis.cli.main import cli
from reversis.game import GAME
from rulebook.answers.conditions import dereference_answer
from rulebook.answers.values import format_canonical
from rulebook.load import load_library
from rulebook.model import Cite, Library, Source
from rulebook.program_fingerprint import PROGRAM_ROOT
from rulebook.program_name import GAME_VARIABLE
from rulebook.quotations import words_at
from rulebook.resolve import Choice, resolve
from rulebook.tei.document import TEI_PREFIX, XML_ID
from tests.support.library import changed, corpus_of, opened, write_library
from tests.support.pages import build_corpus
from tests.support.places import OTHER_LIBRARIES
from tests.support.readers import VOCABULARY, expanded, make_plain, read_arrow, read_cldf, read_csv_on_the_web
from tests.support.tiers import mark_for_release

HERE = "https://example.org/reversis/annotations/"
USED_OF_TEI = PROGRAM_ROOT / "tests" / "data" / "tei-of-exports.rng"
HELD = "the leader"  #: what the library of the tests quotes of a source in copyright


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = write_library(tmp_path_factory.mktemp("small"), deals=False)
    changed(found, "BBB/source.yaml", "text: public domain", "text: in copyright")
    (found / "stemma.yaml").write_text(STEMMA, encoding="utf-8")
    return found


STEMMA = """\
edges:
  - above: AAA
    below: [BBB]
    kind: possible
    cert: low
    says: The second may come from the first.
    evidence:
      - agreement: statement
        says: The leader receives.
        passages: [{at: AAA.s0002, exact: "Celui qui mene"}]
        twice: "yes"
        because: It is a common rule.
"""


@pytest.fixture(scope="module")
def small(root: Path) -> Corpus:
    library, problems = load_library(root)
    assert library is not None and not problems, problems
    return build_corpus(library, game=GAME)


def laid(corpus: Corpus, folder: Path, *names: str) -> Path:
    """The files of some forms, as the command lays them out."""
    export.place_export_files(folder, export.build_export_files(names, corpus, "", apart=len(names) > 1))
    return folder


@pytest.fixture(scope="module")
def everything(small: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid(small, tmp_path_factory.mktemp("small") / "out", *list_export_formats(GAME))


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["export", *words])


# ---- CLDF
class Told(logging.Handler):
    """What a checker says."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.words.append(record.getMessage())


def complaints(folder: Path) -> list[str]:
    told, log = Told(), logging.Logger("pycldf")
    log.addHandler(told)
    sound = read_cldf(folder).validate(log)
    return told.words or ([] if sound else ["not sound"])


@pytest.mark.release
def test_pycldf_finds_nothing_amiss(exported: Path, everything: Path) -> None:
    assert read_cldf(exported / "cldf").module == "StructureDataset"
    assert complaints(exported / "cldf") == complaints(everything / "cldf") == []


def test_a_source_that_was_only_begun_is_handed_on_as_not_collated(root: Path, tmp_path: Path) -> None:
    begun = tmp_path / "sources"
    shutil.copytree(root, begun)
    facts = ["--title", "New", "--short-title", "New", "--language", "it", "--date", "1800", "--place=", "--author="]
    more = ("--exemplar", "", "--unit", "soldo", "--coder", "coding", "--sources", str(begun))
    assert CliRunner().invoke(cli, ["new-source", "NEW", *facts, *more]).exit_code == 0
    done = run("all", str(tmp_path / "out"), "--sources", str(begun), "-q")
    assert done.exit_code == 0, done.output
    assert complaints(tmp_path / "out" / "cldf") == []
    rows = [row for row in read_cldf(tmp_path / "out" / "cldf")["ValueTable"] if row["Language_ID"] == "NEW"]
    assert rows and {(row["Value"], row["Status"]) for row in rows} == {(None, "not-collated")}
    told = json.loads((tmp_path / "out" / "annotations" / "NEW.jsonld").read_text(encoding="utf-8"))
    assert told["total"] == 0
    for name in ("RIGHTS.txt", "README.txt"):
        text = " ".join((tmp_path / "out" / "csv" / name).read_text(encoding="utf-8").split())
        assert "an edition of seven sources that can be played, with one draft" in text
    languages = read_cldf(tmp_path / "out" / "cldf")["LanguageTable"]
    drafts = {row["ID"]: (row["Draft"], row["Consulted"]) for row in languages}
    assert drafts["NEW"] == ("collated: 0 % of the questions", "nothing yet") and drafts["AAA"][0] is None
    with (tmp_path / "out" / "csv" / "sources.csv").open(encoding="utf-8", newline="") as opened:
        rows = [*csv.DictReader(opened)]
        assert {row["siglum"]: row["draft"] for row in rows if row["draft"]} == {
            "NEW": "collated: 0 % of the questions"
        }


def test_every_value_read_again_is_that_of_the_library(exported: Path, library: Library) -> None:
    found = read_cldf(exported / "cldf")
    rows = {(row["Language_ID"], row["Parameter_ID"]): row for row in found["ValueTable"]}
    assert len(rows) == len(library.sources) * len(library.questions)
    for siglum in library.sources:
        for asked in library.questions.values():
            row, cell = rows[siglum, asked.id], library.cell(siglum, asked.slug)
            assert cell is not None
            told = None if cell.value is None else format_canonical(cell.value)
            assert (row["Value"], row["Supplied_Value"]) == ((None, told) if cell.supplied else (told, None))
            unsure = library.sources[siglum].partial and (cell.status, cell.value) == ("silent", None)
            assert row["Value_JSON"] == (None if cell.supplied or cell.value is None else make_plain(cell.value))
            assert (row["Status"], row["Certainty"]) == (cell.status, None if unsure else cell.cert)
            assert row["Clause_IDs"] == [make_file_id(clause.id) for clause in cell.clauses]
            code = f"{asked.id}-{row['Value']}" if row["Value"] in asked.readings else None
            assert row["Code_ID"] == code


def test_what_the_possible_worlds_leave_open_is_what_resolving_each_rival_changes(
    exported: Path, library: Library
) -> None:
    rows = {(row["Language_ID"], row["Parameter_ID"]): row for row in read_cldf(exported / "cldf")["ValueTable"]}
    for siglum, source in library.sources.items():
        rivals = [rival for clause in source.clauses for rival in clause.rivals]
        choices = [[], *([Choice(rival.id, named=rival.id)] for rival in rivals)]
        worlds = [resolve(library, siglum, each) for each in choices]
        own, *others = [{slug: one.answer for slug, one in world.rulings.items()} for world in worlds]
        for slug, asked in library.questions.items():
            row, ours = rows[siglum, asked.id], own.get(slug)
            given = dict.fromkeys(rival.answers[slug] for rival in rivals if slug in rival.answers)
            assert row["Rival_Values"] == [format_canonical(one) for one in given if one != ours], (siglum, slug)
            ways = [dereference_answer(each.get(slug), each) for each in (own, *others)]
            assert row["Left_Open"] == any(one != ways[0] for one in ways), (siglum, slug)
    assert {True, False} == {row["Left_Open"] for row in rows.values()}


def test_of_a_source_that_is_not_whole_no_silence_is_certain(exported: Path, library: Library) -> None:
    """Its status stays silent, which programs know; certainty, comment and `Consulted` say what that means."""
    broken = {siglum for siglum, one in library.sources.items() if one.partial}
    found = read_cldf(exported / "cldf")
    told = {one["ID"]: one["Consulted"] for one in found["LanguageTable"]}
    assert {siglum for siglum, said in told.items() if said != "whole"} == broken == {"ACA", "HOY", "PIE"}
    assert "opening" in told["ACA"] and "PIE.s0017" in told["PIE"]
    for row in found["ValueTable"]:
        lost, silent = row["Language_ID"] in broken, row["Status"] == "silent"
        assert (str(row["Comment"]).startswith("Not in the part consulted.")) == (lost and silent), row["ID"]
        if silent:
            assert (row["Certainty"] is None) == (lost and row["Supplied_Value"] is None), row["ID"]
    unanswered = [one for one in found["clauses.csv"] if one["Status"] == "silent" and not one["Answers"]]
    assert {one["Language_ID"] for one in unanswered if one["Certainty"] is None} == broken
    assert {one["Language_ID"] for one in unanswered if one["Certainty"]} == {*library.sources} - broken
    assert "tells of what was not consulted of a source" in " ".join(
        (exported / "cldf" / "README.txt").read_text("utf-8").split()
    )


def test_every_locus_is_read_again_from_the_reference_to_the_source(exported: Path, library: Library) -> None:
    found = read_cldf(exported / "cldf")
    cites = {clause.id: [cite.locus for cite in clause.cites] for clause in library.clauses()}
    for row in found["clauses.csv"]:
        keys = [found.sources.parse(one) for one in row["Source"]]
        assert all(key == row["Language_ID"] for key, _ in keys)
        loci = [locus for _, told in keys for locus in (told or "").split(", ")]
        assert loci == [*dict.fromkeys(cites[row["Clause"]])], row["Clause"]


# ---- tables


def test_a_cell_is_read_as_what_its_column_holds(everything: Path, small: Corpus) -> None:
    group = read_csv_on_the_web(everything / "csv")
    cells = {(row["question"], row["source"]): row for row in group.tabledict["cells.csv"]}
    assert len(cells) == len(small.library.sources) * len(small.library.questions)
    assert cells["Q003", "BBB"]["supplied"] is True and cells["Q001", "AAA"]["supplied"] is False
    assert cells["Q001", "AAA"]["clauses"] == ["AAA.c001"] and cells["Q001", "AAA"]["loci"] == ["AAA.s0002"]


def test_the_matrix_has_a_row_for_each_question_and_a_column_for_each_source(small: Corpus) -> None:
    (first, *rest) = exports.build_matrix_table(small).records(small)
    assert [*first] == ["id", "group", "asks", "AAA", "BBB"] and first["id"] == "Q001"
    assert len(rest) + 1 == len(small.library.questions) and all(first.values())
    rows = {row["id"]: row for row in (first, *rest)}
    assert rows["Q003"]["AAA"].endswith(" (?)") and rows["Q003"]["BBB"].endswith(" (our assumption)")
    assert rows["Q001"]["AAA"] == "whoever led"


def test_what_programs_remember_of_sheets_is_no_download(tmp_path: Path) -> None:
    root = write_library(tmp_path, deals=False)
    (root / "AAA" / "backups").mkdir()
    (root / "AAA" / "backups" / "sheets-read.json").write_text("{}", encoding="utf-8")
    listed = [path for path, *_ in list_source_files(corpus_of(root))]
    assert any(path.endswith("AAA/clauses.yaml") for path in listed) and not any("backups" in path for path in listed)


def test_a_row_that_points_nowhere_would_be_found(small: Corpus, tmp_path: Path) -> None:
    home = laid(small, tmp_path / "csv", "csv")
    (home / "sources.csv").write_text((home / "sources.csv").read_text("utf-8").replace("AAA,", "CCC,"), "utf-8")
    with pytest.raises(ValueError, match="AAA"):
        read_csv_on_the_web(home).check_referential_integrity()


@pytest.mark.parametrize("words", ["=1+2", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://evil.example")'])
def test_a_cell_that_looks_like_a_formula_is_guarded_and_a_number_is_not(small: Corpus, words: str) -> None:
    sources = {
        siglum: replace(one, record={**one.record, "title": words}) for siglum, one in small.library.sources.items()
    }
    corpus = replace(small, library=replace(small.library, sources=sources))
    table = next(one for one in exports.list_export_tables(GAME) if one.name == "sources")
    rows = list(csv.DictReader(exports.format_table_csv(table, corpus).splitlines()))
    assert {row["title"] for row in rows} == {words if words in ("+1", "-1") else f"'{words}"}


def test_arrow_reads_the_same_rows_and_what_stands_in_them(everything: Path, small: Corpus) -> None:
    for one in exports.list_export_tables(GAME):
        table = read_arrow(everything / "parquet" / f"{one.name}.parquet")
        assert table.column_names == [*one.names]
        assert [tuple(row.values()) for row in table.to_pylist()] == [
            tuple(columns.convert_parquet_cell(each.type, cell) for each, cell in zip(one.columns, row, strict=True))
            for row in one.rows(small)
        ]
        told = table.schema.metadata
        assert json.loads(told[b"data_dictionary"]) == one.dictionary
        assert told[b"sources"].decode() == small.library.digest
        assert {
            name: table.schema.field(name).metadata[b"description"].decode() for name in one.names
        } == one.dictionary


def test_without_arrow_there_is_no_parquet_and_one_is_told_how_to_get_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = run("parquet", "-o", str(tmp_path / "out"), "--sources", str(root))
    assert done.exit_code == 1 and 'pip install -e ".[parquet]"' in done.output
    done = run("all", "-o", str(tmp_path / "out"), "--sources", str(root))
    assert done.exit_code == 0 and 'no Parquet: that needs pip install -e ".[parquet]"' in done.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*list_export_formats(GAME)} - {"parquet"}


# ---- libraries of something else
@pytest.mark.slow
@pytest.mark.parametrize("name", ["recipes", mark_for_release("hearts")])
def test_another_library_is_read_by_the_programs_that_its_exports_are_for(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(GAME_VARIABLE, raising=False)  # as the command of the toolkit reads it
    corpus, problems = read_corpus_checked(OTHER_LIBRARIES[name])
    assert corpus is not None and not problems
    folder = laid(corpus, tmp_path / "out", *list_export_formats(corpus.game))
    assert complaints(folder / "cldf") == []
    tables = read_csv_on_the_web(folder / "csv").tabledict
    assert len([*tables.pop("matrix.csv")]) == len(corpus.library.questions)
    for file, table in tables.items():
        assert len([*table]) == read_arrow(folder / "parquet" / file.replace(".csv", ".parquet")).num_rows
    schema = etree.RelaxNG(etree.parse(USED_OF_TEI))
    texts = dict(trees(folder))
    assert {siglum for siglum, text in texts.items() if schema.validate(text)} == {*corpus.library.sources}, schema
    cited = [parse_bibtex(path.read_text(encoding="utf-8")) for path in (folder / "bibtex").glob("*.bib")]
    assert not [block for part in cited for block in part.failed_blocks]
    assert {f"edition-{siglum}" for siglum in texts} <= {entry.key for part in cited for entry in part.entries}


# ---- TEI
NAMES = {"t": TEI_PREFIX.strip("{}")}


def matches(root: etree._Element, path: str) -> Any:
    """What an XPath finds, with the prefix `t` for TEI."""
    return root.xpath(path, namespaces=NAMES)


def trees(home: Path) -> Iterator[tuple[str, etree._Element]]:
    for path in sorted((home / "tei").glob("*.xml")):
        yield path.stem, etree.parse(str(path)).getroot()


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, mark_for_release(True)], ids=["as far as it is used", "the whole schema"])
def test_every_text_with_its_coding_is_tei(
    request: pytest.FixtureRequest, exported: Path, everything: Path, small: Corpus, real: Corpus, whole: bool
) -> None:
    bare = replace(small.library.sources["BBB"], text=None, statements=(), clauses=(), notes=())
    found = [*trees(exported), *trees(everything), ("bare", standoff.build_tei_document(small, bare))]
    assert len(found) > 3
    schema: etree.RelaxNG = request.getfixturevalue("whole_tei") if whole else etree.RelaxNG(etree.parse(USED_OF_TEI))
    for name, one in found:
        again = etree.fromstring(etree.tostring(one))
        assert schema.validate(again), (name, schema.error_log)
    again.append(etree.Element(f"{TEI_PREFIX}standOff"))
    assert not schema.validate(again)


@pytest.mark.release  # it compiles the whole schema
def test_the_files_of_an_edition_together_are_a_corpus(whole_tei: etree.RelaxNG, exported: Path) -> None:
    together = etree.Element(f"{TEI_PREFIX}teiCorpus")
    files = [one for _, one in trees(exported)]
    together.append(deepcopy(files[0][0]))
    for one in together[0].iter():
        one.attrib.pop(XML_ID, "")
    together.extend(files)
    again = etree.fromstring(etree.tostring(together))
    assert whole_tei.validate(again), whole_tei.error_log


def test_what_no_xml_file_can_hold_is_marked_and_markup_is_words(small: Corpus) -> None:
    source = small.library.sources["AAA"]
    (note,) = source.notes
    odd = replace(source, notes=(replace(note, text="<script>a\x01b\ufffe&", by="9 hands"),))
    again = etree.fromstring(standoff.serialize_tei(standoff.build_tei_document(small, odd)))
    (found,) = matches(again, "//t:listAnnotation/t:note")
    assert found.text == "<script>a\ufffdb\ufffd&" and found.get("resp") == "#AAA._9-hands"
    assert "AAA._9-hands" in {one.get(XML_ID) for one in again.iter(f"{TEI_PREFIX}respStmt")}


def test_every_id_stands_once_and_every_pointer_finds_one(exported: Path, everything: Path) -> None:
    for name, one in [*trees(exported), *trees(everything)]:
        ids = [element.get(XML_ID) for element in one.iter() if element.get(XML_ID)]
        assert len(ids) == len({*ids}), name
        told = [str(element.get(key)) for element in one.iter() for key in POINTER_ATTRIBUTES if element.get(key)]
        words = {word for run in told for word in run.split() if not word.startswith(("https://", "http://"))}
        assert {word[:1] for word in words} == {"#"}, name  # nothing points into another file
        inner = {word.removeprefix("#") for word in words}
        assert inner and inner <= {*ids}, name


def test_the_coding_read_again_is_that_of_the_library(exported: Path, library: Library) -> None:
    for siglum, one in trees(exported):
        told = {str(element.get(XML_ID)): element.text or "" for element in one.iter(f"{TEI_PREFIX}interp")}
        wanted = {
            f"{owner.id}.{library.questions[slug].id}": format_canonical(value)
            for clause in library.sources[siglum].clauses
            for owner in (clause, *clause.alternatives)
            for slug, value in owner.answers.items()
        }
        reasons = {
            f"{clause.id}.{library.questions[slug].id}": ""
            for clause in library.sources[siglum].clauses
            for slug in clause.about
        }
        silences = {
            f"{other.id}.{library.questions[slug].id}": ""
            for clause in library.sources[siglum].clauses
            for other in clause.alternatives
            for slug in other.silent
        }
        assert told == wanted | reasons | silences
        quoted = [(element.get("from"), element.text or "") for element in one.iter(f"{TEI_PREFIX}span")]
        source = library.sources[siglum]
        cites = [cite for clause in source.clauses for cite in clause.cites]
        assert quoted == [(f"#{cite.locus}", cite.exact) for cite in cites if source.text]


def test_the_text_itself_is_untouched(exported: Path, library: Library) -> None:
    for siglum, one in trees(exported):
        source = library.sources[siglum]
        text = next(one.iter(f"{TEI_PREFIX}text"))
        found = [etree.tostring(element, with_tail=False) for element in text.iter(f"{TEI_PREFIX}s")]
        if source.text:
            path = Path(library.root) / siglum / "text.xml"
            kept = etree.parse(str(path), etree.XMLParser(remove_comments=True)).iter(f"{TEI_PREFIX}s")
            said = [etree.tostring(element, with_tail=False) for element in kept]
            assert found == [one.replace(b' resp="#', f' resp="#{siglum}.'.encode()) for one in said]
        else:
            assert len(found) == len(source.statements) > 0


def test_a_text_in_copyright_has_no_translation_and_no_second_text(everything: Path) -> None:
    (held,) = (one for name, one in trees(everything) if name == "BBB")
    assert len(held.findall(f"{TEI_PREFIX}text")) == 1 and HELD not in etree.tostring(held, encoding="unicode")


@pytest.mark.parametrize(
    ("words", "years"),
    [
        ("1765", {"when": "1765"}),
        ("probably 1780s", {"notBefore": "1780", "notAfter": "1789"}),
        ("18th century", {"notBefore": "1701", "notAfter": "1800"}),
        ("18th century, after about 1745", {"notBefore": "1745", "notAfter": "1800"}),
        ("modern", {}),
    ],
)
def test_the_years_of_a_source_are_those_that_its_date_gives(small: Corpus, words: str, years: dict[str, str]) -> None:
    source = small.library.sources["AAA"]
    made = standoff.build_tei_document(small, replace(source, record={**source.record, "date": words}))
    (date,) = matches(made, "//t:bibl[@type='source']/t:date")
    assert (date.text, dict(date.attrib)) == (words, years)


@pytest.mark.slow
def test_a_year_that_the_pages_qualify_is_qualified_in_every_export(exported: Path, real: Corpus) -> None:
    """The Académie text is a copy of an unknown year after 1765; the print of 1765 is another witness."""
    wanted = {
        "ACA": "after 1765",
        "GER": "18th century",
        "MEY": "1908",
        "PAM": "probably 1780s",
        "PIE": "1857",
    }
    languages = {one["ID"]: one["Date"] for one in read_cldf(exported / "cldf")["LanguageTable"]}
    assert {key: languages[key] for key in wanted} == wanted
    assert {key: format_source_date(real.library.sources[key]) for key in wanted} == wanted
    records = {row["siglum"]: row["date"] for row in exports.EDITION_TABLES["sources"].records(real)}
    assert {key: records[key] for key in wanted} == wanted
    references = parse_string((exported / "cldf" / "sources.bib").read_text(encoding="utf-8"), "bibtex").entries
    assert {key: one.fields.get("year") for key, one in references.items() if "year" in one.fields} == {
        "MEY": "1908",
        "PIE": "1857",
    }
    assert references["ACA"].fields["note"].startswith("after 1765; exemplar")
    (date,) = matches(etree.parse(exported / "tei" / "ACA.xml").getroot(), "//t:bibl[@type='source']/t:date")
    assert (date.text, dict(date.attrib)) == ("after 1765", {"notBefore": "1765"})


# ---- Web Annotations
def collections(home: Path) -> Iterator[tuple[str, Any]]:
    for path in sorted((home / "annotations").glob("*.jsonld")):
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))


def keys_in(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for one in node:
            yield from keys_in(one)
    elif isinstance(node, dict):
        yield from (*node, *([node["type"]] if "type" in node else []))
        for one in node.values():
            yield from keys_in(one)


def test_a_json_ld_processor_reads_the_annotations_and_loses_none_of_their_words(everything: Path) -> None:
    for siglum, told in collections(everything):
        assert {*keys_in(told)} <= {*VOCABULARY["@context"], "@context"}
        (found,) = expanded(told, f"{HERE}{siglum}.jsonld")
        assert found["@type"] == ["http://www.w3.org/ns/activitystreams#OrderedCollection"]
        items = found["http://www.w3.org/ns/activitystreams#first"][0]["http://www.w3.org/ns/activitystreams#items"]
        read = items[0]["@list"]
        assert len(read) == told["total"] > 0
        for one in read:
            assert one["@type"] == ["http://www.w3.org/ns/oa#Annotation"]
            assert one["http://www.w3.org/ns/oa#hasBody"] and one["http://www.w3.org/ns/oa#hasTarget"]


def test_every_citation_is_an_annotation_and_its_words_stand_once_where_it_says(
    exported: Path, library: Library
) -> None:
    for siglum, told in collections(exported):
        source = library.sources[siglum]
        cites = {f"{clause.id}.{at}": cite for clause in source.clauses for at, cite in enumerate(clause.cites, 1)}
        items = {urldefrag(one["id"]).fragment: one for one in told["first"]["items"]}
        assert {*items} == {*cites}
        for name, cite in cites.items():
            if source.text:
                assert stands_once(source, cite, items[name]["target"]), name
            else:
                assert "TextQuoteSelector" not in json.dumps(items[name])


def stands_once(source: Source, cite: Cite, target: Any) -> bool:
    """Whether the words with what is around them are found again, once."""
    locus, quote = target["selector"]["value"], target["selector"]["refinedBy"]
    text = words_at(source, (locus,), cite.view)
    framed = f"{quote.get('prefix', '')}{quote['exact']}{quote.get('suffix', '')}"
    return bool(quote["exact"] == cite.exact and locus == cite.locus and text.count(framed) == 1)


LEFT_OUT = {"diplomatic": ("corr", "reg"), "emended": ("sic", "reg")}  #: by view, as README.txt has it


def read_view(element: etree._Element, view: str) -> str:
    """What a client that knows README.txt, and nothing else of ours, reads in an element."""

    def words(one: etree._Element) -> Iterator[str]:
        yield one.text or ""
        for child in one:
            name = etree.QName(child).localname
            if name == "pb":
                yield "\0" if child.get("break") == "no" else " "
            elif name == "gap":
                yield "[…]"
            elif name not in LEFT_OUT[view]:
                yield from words(child)
            yield child.tail or ""

    return " ".join(re.sub(r"\s*\0\s*", "", "".join(words(element))).split())


@cache
def read_elements(path: Path) -> dict[str, etree._Element]:
    """The elements of a file by their ids."""
    return {one.get(XML_ID): one for one in etree.parse(str(path)).iter(f"{TEI_PREFIX}*") if one.get(XML_ID)}


@cache
def read_prose(path: Path) -> str:
    return " ".join(path.read_text("utf-8").split())


def test_a_client_finds_every_quotation_in_the_view_that_its_selector_names(exported: Path, library: Library) -> None:
    sought, views = 0, set[str]()
    for siglum, told in collections(exported):
        for one in told["first"]["items"] if library.sources[siglum].text else ():
            target = one["target"]
            quote = target["selector"]["refinedBy"]
            file, _, view = quote["conformsTo"].partition("#")
            assert quote["conformsTo"] in read_prose(exported / "annotations" / file)
            sentence = read_elements(exported / "annotations" / target["source"])[target["selector"]["value"]]
            framed = f"{quote.get('prefix', '')}{quote['exact']}{quote.get('suffix', '')}"
            assert read_view(sentence, view).count(framed.strip()) == 1, one["id"]
            sought, views = sought + 1, views | {view}
    cites = [cite for clause in library.clauses() for cite in clause.cites if library.sources[clause.source].text]
    assert sought == len(cites) > 1_000 and views == {*LEFT_OUT}


# ---- BibTeX


def test_with_an_address_every_reference_has_its_own_in_full(small: Corpus) -> None:
    (first, *_) = references.make_bibtex_files(small, "https://example.org/r/")
    found = parse_string(first.letters.decode(), "bibtex").entries
    assert found["reversis-AAA.c001"].fields["url"] == "https://example.org/r/clauses/AAA.html#AAA.c001"


# ---- what may be repeated, and the same bytes
def test_the_words_of_a_source_in_copyright_are_not_repeated(everything: Path) -> None:
    for name in ("cldf", "tei", "annotations", "bibtex"):
        for path in (one for one in (everything / name).rglob("*") if one.is_file()):
            assert HELD not in path.read_text(encoding="utf-8"), path.name


def test_whose_the_words_are_lies_beside_them(everything: Path) -> None:
    for name in list_export_formats(GAME):
        told = (everything / name / "RIGHTS.txt").read_text(encoding="utf-8")
        files = (path for path in (everything / name).rglob("*") if path.is_file())
        there = {path.relative_to(everything / name).as_posix() for path in files} - {"RIGHTS.txt"}
        assert {line.partition("\t")[0] for line in told.splitlines() if "\t" in line} == there
    told = (everything / "tei" / "RIGHTS.txt").read_text(encoding="utf-8")
    assert "AAA.xml\ttext: public domain; encoding: CC BY 4.0" in told


def test_the_same_sources_in_another_folder_give_the_same_bytes(everything: Path, tmp_path: Path) -> None:
    again = write_library(tmp_path, deals=False)
    (again / "stemma.yaml").write_text(STEMMA, encoding="utf-8")
    changed(again, "BBB/source.yaml", "text: public domain", "text: in copyright")
    assert run("all", str(tmp_path / "out"), "--sources", str(again), "-q").exit_code == 0
    one, other = (
        {path.relative_to(home): path.read_bytes() for path in home.rglob("*") if path.is_file()}
        for home in (everything, tmp_path / "out")
    )
    assert {*one} == {*other} and [name for name in one if one[name] != other[name]] == []


# ---- the command
@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("clfd",), "No form 'clfd'. Did you mean cldf?"),
        (
            ("xyz",),
            "There are: json, csv, cldf, tei, annotations, stemma, bibtex, parquet, notebook, all.",
        ),
        ((), "Which form? There are: json, csv,"),
        (("excel",), "No form 'excel'. Did you mean csv?"),
        (("csv,json",), "One form at a time, or `all`. There are: json, csv,"),
        (("csv", "cldf"), "One form at a time, or `all`. For a folder of that name: -o cldf"),
        (("tei", "one", "-o", "two"), "named twice"),
        (("bibtex", "--base-url", "nowhere"), "no base address"),
    ],
)
def test_a_slip_on_the_command_line_is_told(root: Path, words: tuple[str, ...], what: str) -> None:
    done = run(*words, "--sources", str(root))
    assert done.exit_code == 2 and what in done.output


def test_nothing_is_overwritten_unasked_and_what_is_asked_for_is_told(root: Path, tmp_path: Path) -> None:
    words = ("tei", str(tmp_path / "out"), "--sources", str(root))
    assert run(*words).exit_code == 0
    mine, other = tmp_path / "out" / "AAA.xml", tmp_path / "out" / "mine.txt"
    assert run(*words).exit_code == 0  # the same again changes nothing
    was = mine.read_bytes()
    mine.write_text("mine", encoding="utf-8")
    other.write_text("mine", encoding="utf-8")
    done = run(*words)
    assert done.exit_code == 1 and "AAA.xml" in done.output and "--overwrite" in done.output
    assert mine.read_text(encoding="utf-8") == "mine"
    done = run(*words, "--overwrite")
    assert done.exit_code == 0 and "replaced: AAA.xml" in done.output and "mine.txt" in done.output
    assert mine.read_bytes() == was and other.read_text(encoding="utf-8") == "mine"


def test_a_failure_half_way_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, real = tmp_path / "out", Path.write_bytes
    export.place_export_files(folder, {"a": b"old", "b": b"old"})

    def failing(self: Path, octets: bytes) -> int:
        if self.name == "c":
            raise OSError(28, "No space left on device")
        return real(self, octets)

    monkeypatch.setattr(Path, "write_bytes", failing)
    with pytest.raises(Exception, match="No space left on device"):
        export.place_export_files(folder, {"a": b"new", "d": b"new", "c": b"new"})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"a": b"old", "b": b"old"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_place_where_no_folder_can_be_is_told(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run("json", "-o", str(tmp_path / "file" / "out"), "--sources", str(root))
    assert done.exit_code == 1 and "what was there before is as it was" in done.output
    assert f"{tmp_path / 'file'} is a file, where a folder is needed" in done.output


def test_sources_that_are_not_in_order_are_not_handed_on(tmp_path: Path) -> None:
    spoilt = write_library(tmp_path)
    changed(spoilt, "AAA/clauses.yaml", "cert: medium", "cert: middling")
    done = run("cldf", str(tmp_path / "out"), "--sources", str(spoilt))
    assert done.exit_code == 1 and "nothing was written" in done.output and not (tmp_path / "out").exists()


DOT_NODE = re.compile(r'^    (\w+)\[label="([^"]*)"(, color="grey")?\];$')
DOT_ARC = re.compile(r'^    (\w+) -> (\w+)( \[color="grey"\])?;$')


def test_a_library_without_a_stemma_has_no_graph(tmp_path: Path) -> None:
    assert [*export_stemma(build_corpus(opened(write_library(tmp_path, deals=False))))] == []


def test_dot_has_a_line_for_every_text_and_every_line_of_descent(library: Library) -> None:
    corpus = build_corpus(library)
    (graph,) = export_stemma(corpus)
    lines = graph.letters.decode().splitlines()
    assert (graph.path, lines[0], lines[-1]) == ("stemma.gv", "digraph {", "}")
    texts = [found for line in lines if (found := DOT_NODE.match(line))]
    arcs = [found for line in lines if (found := DOT_ARC.match(line))]
    assert len(texts) + len(arcs) + 3 == len(lines)  # with a blank line
    stemma = get_stemma(corpus)
    assert len(texts) == len(stemma.texts)
    drawn = {(edge.above, below) for edge in stemma.edges for below in edge.below}
    assert len(arcs) == len(drawn) and {found[2] for found in arcs} == {below for _, below in drawn}
    assert sum(bool(found[3]) for found in texts) == len(stemma.ancestors)
    open_lines = {found[2] for found in arcs if found[3]}
    assert "PAR" in open_lines and not open_lines & {"ACA", "GER", "HAG", "HOY", "PAM"}
