"""Whatever somebody writes into a field is shown as it was written, and nothing of it comes to life.

Two builds of it, under other circumstances, must be the same to the last byte.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import pytest
from lxml import etree, html

import reversis as rv
from edition.corpus.load import read_corpus_checked
from edition.corpus.problems import find_all_problems
from edition.text.typography import curl_quotes
from proofs import twice
from rulebook.load import load_library
from rulebook.schema import agreement_records, records, reference_records
from rulebook.schema.records import Record
from rulebook.schema.validation import record_in
from tests.support.poisoned_library import CLOSED, COUNTER, SEAT, TOKEN, Poisoner, fields, poisoned_library

pytestmark = pytest.mark.slow

ALIVE = ("iframe", "object", "embed", "base", "x-evil")  #: elements that no page of ours has


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Poisoner:
    return poisoned_library(tmp_path_factory.mktemp("poisoned"))


@pytest.fixture(scope="module")
def built(poisoned: Poisoner, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The edition of that library, in every form."""
    beneath = tmp_path_factory.mktemp("once")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(beneath / "cache"))
        patch.setenv("LOCALAPPDATA", str(beneath / "cache"))
        assert twice.build_forms(("html", "pdf", "epub"), poisoned.root, beneath / "out", 1) == 0
    return beneath / "out"


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[str, html.HtmlElement]:
    paths = sorted((built / "html").rglob("*.html"))
    home = built / "html"
    return {path.relative_to(home).as_posix(): html.fromstring(path.read_bytes()) for path in paths}


def test_a_library_full_of_script_is_in_order(poisoned: Poisoner) -> None:
    assert find_all_problems(poisoned.root)[1] == [] and read_corpus_checked(poisoned.root)[1] == []


def test_every_text_of_every_record_is_tried(poisoned: Poisoner) -> None:
    """A field that is added to a record is asked for here, until the invented library has it."""
    tried = {name for one in poisoned.known for name in one.steps}
    every = {name for record in kinds() for name in texts_in(record)}
    assert every - tried == {*NOT_TRIED}


#: What the invented library leaves out -> why nothing can come of it.
NOT_TRIED: Mapping[str, str] = {
    "card": "the name of a card",
    "coded_once": "ids of questions",
    "also": "ids of questions",
    "decision": "the number of a decision of ours",
    "events": "addresses of tables of payments",
    "game_from": "the name of a distribution, shown by commands alone",
    "languages": "codes of languages, shown nowhere",
    "left_out": "a reason for programmers, which is shown nowhere",
    "loci": "ids of sentences",
    "multiples": "names of counters, of which one is poisoned by itself",
    "numbers": "words that the checks look for, shown nowhere",
    "order": "one of two words, shown nowhere",
    "package": "written by the program that reckons",
    "payee": "a seat",
    "payer": "a seat",
    "quote_hash": "reckoned",
    "reviewer": "an id, as the coder is",
    "rule": "one of a few words",
    "same": "told as `says` is",
    "seen": "reckoned",
    "silent": "ids of questions",
    "suffix": "a quotation, as the prefix is",
    "sums": "ids of questions",
    "then": "told as `words` is",
    "to": "a place",
    "view": "one of a few words",
}


def kinds() -> Iterator[type[Record]]:
    """Every kind of record there is."""
    named = {
        name: one for module in (records, agreement_records, reference_records) for name, one in vars(module).items()
    }
    found = (one for one in named.values() if isinstance(one, type) and issubclass(one, Record))
    yield from (one for one in found if one is not Record)


def texts_in(record: type[Record]) -> Iterator[str]:
    """The entries in which words may stand."""
    for name, entry in record.model_fields.items():
        if record_in(entry.annotation) is None and wordy(entry.annotation):
            yield name


def wordy(annotation: object) -> bool:
    """Whether words are among what a type takes."""
    return annotation is str or any(map(wordy, get_args(annotation)))


@pytest.mark.release
def test_two_builds_are_the_same_to_the_last_byte(poisoned: Poisoner, tmp_path: Path) -> None:
    differs, _ = twice.build_twice(("html", "pdf", "epub"), poisoned.root, tmp_path)
    assert [str(one) for one in differs] == []
    for form, name in (("html", "index.html"), ("epub", "reversis.epub"), ("pdf", "reversis.pdf")):
        assert (tmp_path / twice.BUILD_CONDITIONS[0].folder / "out" / form / name).stat().st_size > 1000


# --- the pages


def test_no_element_comes_to_life(pages: dict[str, html.HtmlElement]) -> None:
    assert len(pages) > 30
    for name, page in pages.items():
        for one in page.iter(etree.Element):
            assert one.tag not in ALIVE, (name, one.tag)
            assert not [key for key in one.attrib if key.startswith("on") and TOKEN.search(one.get(key))], name
            assert not (one.tag == "img" and one.get("src") == "x"), name
        addresses = [str(one).strip().lower() for one in page.xpath("//@href | //@src | //@action | //@srcset")]
        assert not [one for one in addresses if re.match(r"(javascript|data|vbscript):", one)], name
        assert not page.xpath("//comment()[contains(., 'zq')]"), name


def test_a_script_is_a_file_of_ours_or_data_that_can_be_read(pages: dict[str, html.HtmlElement]) -> None:
    for name, page in pages.items():
        for script in page.iter("script"):
            if script.get("type") == "application/ld+json":
                json.loads(script.text)
            else:
                assert "alert" not in (script.text or ""), name
                assert script.get("src") is None or "alert" not in script.get("src"), name


def test_every_text_stands_as_it_was_written(poisoned: Poisoner, pages: dict[str, html.HtmlElement]) -> None:
    written = {letters: " ".join(poisoned.words(one).split()) for letters, one in poisoned.put.items()}
    shown: set[str] = set()
    for name, page in pages.items():
        if name.startswith("indices/"):
            continue  # there words stand one by one
        words = " ".join("".join(page.xpath("//body//text()[not(ancestor::script)]")).split())
        for found in TOKEN.finditer(words):
            at = found.start()
            plain = written[found[1]]
            ways = (plain, curl_quotes(plain)[0], curl_quotes(plain, quoting=True)[0])  # our prose has curled quotes
            shown |= {found[1]} if words.startswith(ways, at) else set()  # a citation may shorten it
    assert {poisoned.put[letters].name for letters in shown} >= TOLD


#: Of each kind of record, the words that a reader reads.
TOLD = {
    *("clauses.because", "clauses.label", "clauses.note", "clauses.rivals.because", "notes.text", "question.asks"),
    *("question.coding", "question.group", "deal.title", "source.title"),
    *("source.introduction", "source.exemplar", "statements.text", "text.s", "en.s", "glossary.definition"),
    *("tombstones.why", "settled.why", "telling.sections.title"),
}


def test_seats_and_counters_are_words_like_others(pages: dict[str, html.HtmlElement]) -> None:
    everything = " ".join(" ".join(page.text_content().split()) for page in pages.values())
    assert SEAT in everything and COUNTER in everything


# --- a notebook


def test_a_notebook_shows_it_as_words(poisoned: Poisoner) -> None:
    library, problems = load_library(poisoned.root)
    assert library is not None and not problems
    siglum = next(iter(library.sources))
    settled = [rv.settle(rv.deal(row["deal"], library), rv.rules(library, siglum)) for row in rv.deals(library).rows()]
    tables = (rv.matrix(library), rv.clauses(library), rv.deals(library), rv.payments(settled), rv.balances(settled))
    told = 0
    for one in (*settled, *(done.deal for done in settled), *tables):
        page = html.fragment_fromstring(one._repr_html_() or "", create_parent="div")
        assert not {each.tag for each in page.iter(etree.Element)} & {"script", "img", "a", *ALIVE}, one
        assert not page.xpath("//@*[starts-with(name(), 'on')]"), one
        told += len(TOKEN.findall(page.text_content()))
    assert told > 20


# --- the book, and what is given away


def test_the_chapters_of_the_epub_hold_it_as_words(built: Path) -> None:
    told = 0
    with zipfile.ZipFile(built / "epub" / "reversis.epub") as archive:
        for name in archive.namelist():
            if name.endswith((".xhtml", ".opf", ".svg", ".xml")):
                tree = etree.fromstring(archive.read(name))
                tags = {etree.QName(one).localname for one in tree.iter(etree.Element)}
                assert not tags & {"script", *ALIVE}, name
                assert not [one for one in tree.xpath("//@href | //@src") if re.match("(?i)javascript:", str(one))]
                told += "".join(tree.itertext()).count("<x-evil onclick=alert")
    assert told > 20


def test_the_pdf_shows_what_would_be_an_instruction_elsewhere(built: Path) -> None:
    import pypdf

    read = pypdf.PdfReader(io.BytesIO((built / "pdf" / "reversis.pdf").read_bytes()))
    words = "".join("".join(page.extract_text().split()) for page in read.pages)
    assert words.count("#panic(") > 20
    root = read.trailer["/Root"]
    assert "/OpenAction" not in root and "/JavaScript" not in str(root.get("/Names", ""))


def test_data_that_are_given_away_can_be_read(built: Path) -> None:
    found = sorted((built / "html").rglob("*.json"))
    assert len(found) > 10
    for path in found:
        json.loads(path.read_text(encoding="utf-8"))


# --- and what takes no words of one's own refuses them


#: Of the closed fields those that become attributes, names of files or addresses.
USED = (
    "telling.sections.id",
    "indices.cards.id",
    "source.language",
    "glossary.lang",
    "text.licence_at_target",
    "text.teiheader_at_lang",
    "clauses.status",
    "source.bibliography",
)


def test_a_closed_field_refuses_words(tmp_path: Path) -> None:
    """Otherwise the table of closed fields would be a way past the tests above."""
    elsewhere = poisoned_library(tmp_path)
    known = dict(fields(elsewhere))
    for name in USED:
        elsewhere.only = known[name]
        elsewhere.write()
        assert CLOSED[name] and read_corpus_checked(elsewhere.root)[1], name
