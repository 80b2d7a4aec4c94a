"""How to cite, and what to take away: one behaviour each, on a library of two small sources."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import pytest
from click.testing import CliRunner
from lxml import etree, html

from edition.citation import formats as citation_forms
from edition.citation.model import CitationContext, EditionCitation
from edition.citation.urls import Addresses, BadAddress, base_of
from edition.corpus.citation_cff import Person, Release, find_release, read_release
from edition.corpus.corpus import Corpus
from edition.export.downloads import collect_downloads
from edition.export.json_ld import render_json_ld
from edition.export.tables import EDITION_TABLES, format_table_csv, list_export_tables
from edition.site.build import build_html
from reversis.cli.main import cli
from reversis.game import GAME
from rulebook import __version__
from tests.support.library import changed, corpus_of, write_library
from tests.support.readers import addresses_in, data_blocks, expanded, in_bibtex, in_csl, in_ris, stands
from tests.support.site import find_pages

PLACES = {
    ("source", "AAA"): ("sources/AAA", "", ""),
    ("source", "BBB"): ("sources/BBB", "", ""),
    ("question", "Q001"): ("questions/Q001", "Q001", ""),
    ("cell", "Q001@AAA"): ("questions/Q001", "AAA", ""),
    ("clause", "AAA.c001"): ("clauses/AAA", "AAA.c001", ""),
    ("clause", "BBB.c001"): ("clauses/BBB", "BBB.c001", ""),
    ("clause", "BBB.c002"): ("clauses/BBB", "BBB.c002", ""),
}
BASE = "https://example.org/reversis/"
DATED = Release("A & B: 100 % of #1_x~", "2.0.0", "2026-02-01", (Person("Doe", "Jane"),), "", (), ("MIT",), "")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = write_library(tmp_path_factory.mktemp("small"), deals=False)
    changed(found, "BBB/source.yaml", "text: public domain", "text: in copyright")
    return found


@pytest.fixture(scope="module")
def corpus(root: Path) -> Corpus:
    return corpus_of(root)


def cited(corpus: Corpus, kind: str, id: str = "", base: str = "", release: Release | None = None) -> EditionCitation:
    found = CitationContext(corpus, release or corpus.release, Addresses(PLACES, base)).cite(kind, id)
    assert found is not None
    return found


def line(citation: EditionCitation) -> str:
    return citation_forms.join_citation_pieces(citation_forms.format_citation_text(citation))


# ---- the release
def test_the_version_that_is_cited_is_that_of_the_program() -> None:
    assert read_release().version == __version__


def test_a_version_without_a_day_is_cited_as_not_yet_released(corpus: Corpus) -> None:
    assert "version 0.1.0, not yet released" in line(cited(corpus, "question", "Q001", release=undated()))
    assert "version 2.0.0, 2026-02-01" in line(cited(corpus, "question", "Q001", release=DATED))


def undated() -> Release:
    return replace(read_release(), version="0.1.0", date="")


@pytest.mark.parametrize(
    ("letters", "what"), [("title: x\nversion: 1\n", "authors"), ("- x\n", "title"), ("[", "cannot be read")]
)
def test_a_citation_file_that_says_too_little_is_refused(tmp_path: Path, letters: str, what: str) -> None:
    (tmp_path / "CITATION.cff").write_text(letters, encoding="utf-8")
    with pytest.raises(ValueError, match=what):
        read_release(tmp_path / "CITATION.cff")


def test_the_citation_file_has_what_its_format_demands() -> None:
    text = find_release().read_text(encoding="utf-8")
    assert all(f"\n{key}: " in f"\n{text}" or f"\n{key}:\n" in text for key in ("cff-version", "message", "title"))


# ---- a line of text
def test_a_clause_is_cited_with_the_source_that_speaks_and_the_edition_that_quotes_it(corpus: Corpus) -> None:
    said = line(cited(corpus, "clause", "AAA.c001", release=undated()))
    assert said == (
        "“Celui qui mene reçoit deux jetons”, A book of tolls (1700; exemplar: invented), AAA.s0002. Quoted as clause "
        "AAA.c001 on Q001, Q002 in the contributors to the Reversis edition, Reversis: an edition of seven sources "
        "that can be played, version 0.1.0, not yet released. clauses/AAA.html#AAA.c001."
    )


def test_the_words_of_a_source_that_is_not_printed_are_not_repeated(corpus: Corpus) -> None:
    one = cited(corpus, "clause", "BBB.c001")
    everything = line(one) + "".join(write([one]) for _, write in citation_forms.CITATION_FORMATS.values())
    assert "the leader" not in everything and "BBB.n01" in everything


def test_a_clause_about_a_silence_says_so(corpus: Corpus) -> None:
    assert line(cited(corpus, "clause", "BBB.c002")).startswith("On what is not said in A book of tolls")


def test_one_answer_is_cited_by_both_ids(corpus: Corpus) -> None:
    one = cited(corpus, "cell", "Q001@AAA")
    assert one.address == "questions/Q001.html#AAA" and "Question Q001, the answer of AAA (Tolls), in" in line(one)


def test_what_has_no_place_is_not_cited(corpus: Corpus) -> None:
    assert CitationContext(corpus, DATED, Addresses(PLACES)).cite("question", "Q002") is None


# ---- as others read it
@pytest.mark.parametrize("base", ["", BASE])
@pytest.mark.parametrize(
    ("kind", "id"),
    [("edition", ""), ("source", "AAA"), ("question", "Q001"), ("cell", "Q001@AAA"), ("clause", "AAA.c001")],
)
def test_all_forms_say_the_same(corpus: Corpus, kind: str, id: str, base: str) -> None:
    one = cited(corpus, kind, id, base, DATED)
    (tex,) = in_bibtex(citation_forms.format_bibtex([one])).values()
    (ris,) = in_ris(citation_forms.format_ris([one]))
    ((key, formatted),) = in_csl(citation_forms.format_csl_json([one])).items()
    (item,) = json.loads(citation_forms.format_csl_json([one]))
    assert tex["title"] == ris["title"] == item["title"] == one.title and one.title in formatted
    assert tex["year"] == ris["year"] == str(item["issued"]["date-parts"][0][0]) == "2026"
    assert tex["note"] == " ".join(ris["notes"]) == item["note"]
    assert key.casefold() == one.key.casefold() and ris["id"] == one.key  # the library folds capitals
    container = "" if kind == "edition" else DATED.title
    assert (tex.get("booktitle", ""), ris.get("secondary_title", ""), item.get("container-title", "")) == (
        (container,) * 3
    )
    whose = tex.get("author", "") + tex.get("editor", "")
    assert whose == "Doe, Jane" and item.get("author", item.get("editor")) == [{"family": "Doe", "given": "Jane"}]
    assert tex.get("url", "") == item.get("URL", "") == (one.address if base else "")
    assert (f"Address within the edition: {one.address}" in item["note"]) == (not base)


# ---- addresses


@pytest.mark.parametrize("given", ["a.org", "ftp://a.org/", "https:///x", "https://a.org/?q=1", "https://a.org/#x"])
def test_a_wrong_base_address_is_refused(given: str) -> None:
    with pytest.raises(BadAddress):
        base_of(given)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--base-url", "example.org"], "no base address"),
        (["--corrections-url", "https://a.org/"], "where the id goes"),
    ],
)
def test_the_command_tells_an_address_that_cannot_be_used(tmp_path: Path, words: list[str], what: str) -> None:
    done = CliRunner().invoke(cli, ["build", "-o", str(tmp_path / "html"), *words])
    assert done.exit_code == 2 and what in done.output and not (tmp_path / "html").exists()


# ---- data blocks
def test_nothing_in_a_data_block_can_end_it() -> None:
    made = render_json_ld({"name": "</script><b>"})
    assert made.count("</script>") == 1 and json.loads(made[35:-9]) == {"name": "</script><b>"}


# ---- to take away


def test_the_terms_of_a_file_are_those_of_its_layers(corpus: Corpus) -> None:
    terms = {file.path.removeprefix("downloads/"): file.licence for file in collect_downloads(corpus).files}
    assert terms["sources/AAA/text.xml"] == "text: public domain; encoding: CC BY 4.0"
    assert terms["sources/AAA/en.xml"] == "translation: CC BY 4.0; encoding: CC BY 4.0"
    assert terms["sources/AAA/clauses.yaml"] == "CC BY 4.0"
    for name in ("sources/BBB/statements.yaml", "library.json", "cells.csv"):
        assert terms[name] == "CC BY 4.0; quotations from BBB (Tolls) excepted, which are in copyright"


def test_every_table_has_a_row_for_each_and_says_what_stands_in_it(corpus: Corpus) -> None:
    for table in list_export_tables(GAME):
        rows = list(csv.DictReader(io.StringIO(format_table_csv(table, corpus))))
        assert all(None not in row and None not in row.values() for row in rows), table.name
        assert all(column.says for column in table.columns)
    cells = {
        (row["question"], row["source"]): row
        for row in csv.DictReader(io.StringIO(format_table_csv(EDITION_TABLES["cells"], corpus)))
    }
    assert len(cells) == 6
    assert cells["Q001", "AAA"]["reading"] == "leader" and "mene" in cells["Q001", "AAA"]["quotation"]
    assert cells["Q003", "BBB"]["supplied"] == "yes" and cells["Q002", "BBB"]["status"] == "inapplicable"


# ---- built, with and without an address of its own
Build = Callable[..., Path]
INDEX = "# Home\n"


@pytest.fixture(scope="module")
def build(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Build:
    hand = tmp_path_factory.mktemp("hand")
    (hand / "index.md").write_text(INDEX, encoding="utf-8")
    for name in ("rights", "people", "reading", "corrections", "answers", "emendations", "interpretations"):
        kind = {"answers": "answers", "emendations": "emendations", "interpretations": "doubts"}.get(name)
        shown = f"```{{edition:{kind}}}\n```\n" if kind else ""
        (hand / f"{name}.md").write_text(f"---\norphan: true\n---\n# {name}\n\n{shown}", encoding="utf-8")

    def built(name: str, addresses: Mapping[str, str]) -> Path:
        out = tmp_path_factory.mktemp(name) / "html"
        code = build_html(out, warnings_as_errors=False, jobs="1", sources=root, by_hand=hand, addresses=addresses)
        assert code == 0
        return out

    return built


@pytest.fixture(scope="module")
def without(build: Build) -> Path:
    return build("without", {})


@pytest.fixture(scope="module")
def with_address(build: Build) -> Path:
    corrections = "https://example.org/new?about={id}&title={title}"
    return build("with", {"html_baseurl": BASE.rstrip("/"), "edition_corrections": corrections})


def page(path: Path) -> html.HtmlElement:
    return html.fromstring(path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_without_an_address_no_page_pretends_to_have_one(without: Path) -> None:
    assert not (without / "sitemap.xml").exists()
    for path in without.rglob("*.html"):
        assert not page(path).xpath("//link[@rel='canonical'] | //meta[starts-with(@property, 'og:')]"), path.name
    (fold,) = page(without / "questions" / "Q001.html").xpath("//details[@id='cite']")
    assert "questions/Q001.html." in fold.text_content() and "no address of its own" in fold.text_content()
    assert [(one.get("href"), one.text) for one in fold.xpath(".//p[last()]/a")] == [
        ("../corrections.html", "Suggest a correction")
    ]


@pytest.mark.slow
def test_with_an_address_every_page_has_its_own_in_full(with_address: Path) -> None:
    listed = [one.text for one in etree.parse(with_address / "sitemap.xml").iter("{*}loc")]
    pages = sorted(path.relative_to(with_address).as_posix() for path in find_pages(with_address))
    assert listed == [f"{BASE}{one}" for one in pages]
    for name in pages:
        assert page(with_address / name).xpath("//link[@rel='canonical']/@href") == [f"{BASE}{name}"]
    (fold,) = page(with_address / "questions" / "Q001.html").xpath("//details[@id='cite']")
    assert f"{BASE}questions/Q001.html." in fold.text_content() and "no address" not in fold.text_content()
    (way,) = fold.xpath(".//p[last()]/a/@href")
    assert way == "https://example.org/new?about=Q001&title=Who%20is%20paid%20the%20toll%3F"


def test_a_page_that_is_handed_round_says_what_it_is(with_address: Path) -> None:
    root = page(with_address / "questions" / "Q001.html")
    said = {one.get("property"): one.get("content") for one in root.xpath("//meta[starts-with(@property, 'og:')]")}
    assert said["og:url"] == f"{BASE}questions/Q001.html" and said["og:type"] == "article"
    assert said["og:title"] == "Who is paid the toll? Q001"


def test_linked_data_say_the_same_with_and_without_an_address(without: Path, with_address: Path) -> None:
    """The same addresses: relative ones as seen from where the page stands, full ones as they are written."""
    names = ["index", "sources/AAA", "questions/Q001", "clauses/AAA"]
    for name in names:
        bare, full = (data_blocks(page(site / f"{name}.html")) for site in (without, with_address))
        assert len(bare) == len(full) == 1
        seen = expanded(bare[0], f"{BASE}{name}.html")
        if name == "index":  # the first page is called by the base address itself
            seen = json.loads(json.dumps(seen).replace(f"{BASE}index.html", BASE))
        told = {urljoin(f"{BASE}{name}.html", one) for one in addresses_in(seen)}
        assert {one.replace(f"{BASE}index.html", BASE) for one in told} == set(
            addresses_in(expanded(full[0], "https://elsewhere.org/"))
        ), name


def test_every_address_in_the_linked_data_leads_somewhere(without: Path) -> None:
    for path in [*without.rglob("*.html")]:
        name = path.relative_to(without).as_posix()
        for block in data_blocks(page(path)):
            for address in addresses_in(expanded(block, f"{BASE}{name}")):
                here = urljoin(f"{BASE}{name}", address)
                assert not here.startswith(BASE) or stands(without, here.removeprefix(BASE)), (name, address)


@pytest.mark.parametrize("siglum", ["AAA", "BBB"])
def test_the_clauses_lead_to_their_annotations_and_these_into_the_text(without: Path, siglum: str) -> None:
    root = page(without / "clauses" / f"{siglum}.html")
    (way,) = root.xpath("//link[@rel='alternate'][@type='application/ld+json']/@href")
    (block,) = data_blocks(root)
    assert block["encoding"]["contentUrl"] == way == f"../downloads/annotations/{siglum}.jsonld"
    letters = (without / "clauses" / way).read_text(encoding="utf-8")
    pointers = set(re.findall(rf"\.\./tei/{siglum}\.xml#([^\"]+)", letters))
    text = etree.parse(str(without / "downloads" / "tei" / f"{siglum}.xml"))
    assert pointers and pointers <= set(text.xpath("//@xml:id"))


def test_what_can_be_taken_away_is_the_same_in_every_build(without: Path, with_address: Path) -> None:
    for path in sorted((without / "downloads").rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (with_address / path.relative_to(without)).read_bytes(), path.name


@pytest.mark.slow
def test_the_environment_gives_the_address_too(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERSIS_BASE_URL", BASE)
    assert (build("environment", {}) / "sitemap.xml").is_file()


def test_a_wrong_address_in_the_environment_stops_the_build(
    build: Build, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REVERSIS_BASE_URL", "nowhere")
    with pytest.raises(AssertionError):
        build("wrong", {})
    assert "no base address" in capsys.readouterr().err
