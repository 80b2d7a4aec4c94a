"""Every citation of the built edition is read by libraries that others wrote, and leads to a place that is there."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from lxml import html
from pybtex.database import parse_string

from edition.citation.formats import LOCAL_ADDRESS_LABEL
from edition.corpus.corpus import Corpus
from rulebook.model import Library
from tests.support.folds import read_folds
from tests.support.readers import WITHIN, addresses_in, data_blocks, expanded, in_csl, in_ris, plain_tex, stands
from tests.support.specimen import list_absent_pages

HERE = "https://example.org/reversis/"

IsThere = Callable[[str], bool]  # whether an address within the edition leads somewhere
Keyed = dict[str, str]  # name in a list of references -> where it says that it stands


def noted(words: str) -> str:
    (found,) = WITHIN.findall(words)
    return str(found)


def tex(letters: str) -> Keyed:
    """Only the end of each note is read as TeX: there are many, and the address is all that is wanted."""
    notes = {key: entry.fields["note"] for key, entry in parse_string(letters, "bibtex").entries.items()}
    return {key: noted(plain_tex(note[note.index(LOCAL_ADDRESS_LABEL) :])) for key, note in notes.items()}


def ris(letters: str) -> Keyed:
    return {one["id"]: noted(" ".join(one["notes"])) for one in in_ris(letters)}


def csl(letters: str) -> Keyed:
    return {one["id"]: noted(one["note"]) for one in json.loads(letters)}


READERS: dict[str, Callable[[str], Keyed]] = {"bib": tex, "ris": ris, "json": csl}


@pytest.fixture(scope="module")
def is_there(site: Path, corpus: Corpus) -> IsThere:
    return partial(stands, site, absent=list_absent_pages(site, corpus))


@pytest.fixture(scope="module")
def keyed(site: Path) -> dict[str, dict[str, Keyed]]:
    """Path without ending -> form -> what is cited there."""
    files = sorted({path.with_suffix("").relative_to(site).as_posix() for path in (site / "cite").rglob("*.*")})
    read = {file: {end: (site / f"{file}.{end}").read_text(encoding="utf-8") for end in READERS} for file in files}
    return {one: {end: READERS[end](letters) for end, letters in forms.items()} for one, forms in read.items()}


@pytest.mark.release
def test_everything_that_can_be_cited_has_its_citations(
    keyed: dict[str, dict[str, Keyed]], library: Library, site: Path
) -> None:
    wanted = {"reversis", *(f"reversis-{clause.id}" for clause in library.clauses())}
    wanted |= {f"reversis-{siglum}" for siglum in library.sources}
    wanted |= {f"reversis-{question.id}" for question in library.questions.values()}
    wanted |= {f"reversis-{path.stem}" for path in (site / "deals").glob("*.html")}
    assert wanted <= {key for forms in keyed.values() for key in forms["bib"]}


@pytest.mark.slow
def test_all_forms_cite_the_same_and_every_address_is_there(
    keyed: dict[str, dict[str, Keyed]], site: Path, is_there: IsThere
) -> None:
    for name, forms in keyed.items():
        assert forms["bib"] == forms["ris"] == forms["json"], name
        for key, address in forms["bib"].items():
            assert is_there(address), (name, key, address)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["edition", "sources/PAM", "questions/Q031", "clauses/GER"])
def test_a_reference_manager_formats_what_is_cited(site: Path, name: str) -> None:
    letters = (site / "cite" / f"{name}.json").read_text(encoding="utf-8")
    made, items = in_csl(letters), json.loads(letters)
    assert len(made) == len(items)
    assert all(item["title"] in line for item, line in zip(items, made.values(), strict=True))


def pages(site: Path) -> Iterator[tuple[str, html.HtmlElement]]:
    for path in sorted(site.rglob("*.html")):
        yield path.relative_to(site).as_posix(), html.fromstring(path.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_every_page_of_something_tells_how_to_cite_it_and_its_files_are_there(site: Path, is_there: IsThere) -> None:
    folders = {"sources", "questions", "deals", "howto", "clauses"}
    for name, root in pages(site):
        folds = root.xpath("//details[@id='cite']")
        told = name.partition("/")[0] in folders and "/" in name and not name.endswith("-card.html")
        assert len(folds) == (name == "index.html" or told), name
        for fold in root.xpath("//details[contains(@class, 'rv-cite')]"):
            ways = [urljoin(HERE + name, one) for one in fold.xpath(".//a/@href")]
            assert len(ways) == 5 - (name == "citing.html") and all(is_there(one.removeprefix(HERE)) for one in ways), (
                name,
                ways,
            )


@pytest.mark.release
def test_every_clause_tells_how_to_cite_it(site: Path, library: Library) -> None:
    for siglum, source in library.sources.items():
        root = html.fromstring((site / "clauses" / f"{siglum}.html").read_text(encoding="utf-8"))
        folds = (site / "clauses" / f"{siglum}.folds.js").read_text(encoding="utf-8")  # fetched with the evidence
        assert folds.count("rv-cite-text") == len(source.clauses)
        for clause in source.clauses:
            assert len(root.xpath(f"//*[@id='{clause.id}']")) == 1
            assert folds.count(f"clauses/{siglum}.html#{clause.id}.") == 1


def test_no_citation_repeats_the_words_of_a_source_in_copyright(site: Path, library: Library) -> None:
    held = [source for source in library.sources.values() if source.text is None]
    assert held
    for source in held:
        files = [
            *(site / "cite" / "clauses").glob(f"{source.siglum}.*"),
            *(site / "downloads" / "annotations").glob(f"{source.siglum}.*"),
        ]
        letters = " ".join(" ".join(path.read_text(encoding="utf-8").split()) for path in files)
        quoted = {cite.exact for clause in source.clauses for cite in clause.cites if len(cite.exact.split()) > 2}
        assert quoted and not [one for one in quoted if one in letters]


@pytest.mark.release
def test_the_linked_data_of_every_page_can_be_read_without_the_net_and_lead_somewhere(
    site: Path, is_there: IsThere
) -> None:
    told = 0
    for name, root in pages(site):
        for block in data_blocks(root):
            told += 1
            for address in set(addresses_in(expanded(block, HERE + name))):
                here = urljoin(HERE + name, address)
                assert not here.startswith(HERE) or is_there(here.removeprefix(HERE)), (name, address)
    pairs = len(
        list(site.glob("cite/pairs/*.bib"))
    )  # a choice on the page of all answers, which has no page of its own
    assert told == len(list(site.glob("cite/*/*.bib"))) - pairs + 1  # each thing, and the whole


def test_the_checksums_are_those_of_the_files(site: Path) -> None:
    home = site / "downloads"
    sums = dict(reversed(line.split("  ", 1)) for line in (home / "SHA256SUMS").read_text("utf-8").splitlines())
    for name, sha256 in sums.items():
        assert hashlib.sha256((home / name).read_bytes()).hexdigest() == sha256, name
    told = json.loads((home / "manifest.json").read_text(encoding="utf-8"))["files"]
    assert {one["path"]: one["sha256"] for one in told} == sums
    assert all((home / one["path"]).stat().st_size == one["size"] and one["licence"] and one["what"] for one in told)
    there = {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
    assert there - set(sums) == {"SHA256SUMS", "manifest.json"}


def test_the_page_of_downloads_tells_every_file_with_its_checksum(site: Path) -> None:
    """But those of a series: the page has the first, and how many more there are."""
    page = site / "downloads.html"
    parts = page.read_text(encoding="utf-8"), *read_folds(page).values()  # a long list is fetched when it is unfolded
    rows = [
        row for part in parts for row in html.fromstring(part).xpath("//table[contains(@class, 'rv-files')]/tbody/tr")
    ]
    series = [row for row in rows if not row.xpath(".//*[contains(@class, 'rv-sum')]")]
    told = {
        row.xpath(".//a/@href")[0]: row.xpath(".//*[contains(@class, 'rv-sum')]")[0].text_content()
        for row in rows
        if row not in series
    }
    files = json.loads((site / "downloads" / "manifest.json").read_text(encoding="utf-8"))["files"]
    sums = {urljoin("downloads/", file["path"]): file["sha256"] for file in files}
    assert told and told == {path: sum for path, sum in sums.items() if path in told}
    firsts = {row.xpath(".//a/@href")[0]: re.search(r"and (\d+) more", row.text_content()) for row in series}
    folders = [path.rpartition("/")[0] for path in {*sums} - {*told}]
    assert {path: int(more[1]) + 1 for path, more in firsts.items() if more} == {
        path: folders.count(path.rpartition("/")[0]) for path in firsts
    }
    assert {*folders} == {path.rpartition("/")[0] for path in firsts}


def test_the_zip_of_everything_holds_every_file(site: Path) -> None:
    files = json.loads((site / "downloads" / "manifest.json").read_text(encoding="utf-8"))["files"]
    with zipfile.ZipFile(site / "downloads" / "reversis-all.zip") as archive:
        held = {name.partition("/")[2] for name in archive.namelist()} - {"RIGHTS.txt"}
    assert held == {file["path"].removeprefix("../") for file in files if not file["path"].endswith(".zip")}


def test_the_texts_are_taken_away_as_they_are_and_none_of_a_source_in_copyright(site: Path, library: Library) -> None:
    for siglum, source in library.sources.items():
        home = site / "downloads" / "sources" / siglum
        assert (home / "text.xml").is_file() == (source.text is not None)
        if source.text is not None:
            assert (home / "text.xml").read_bytes() == (Path(library.root) / siglum / "text.xml").read_bytes()


@pytest.mark.release
def test_a_data_block_is_not_stopped_by_a_policy_that_stops_scripts(site: Path, browser: Any) -> None:
    policy = "<meta http-equiv='Content-Security-Policy' content=\"script-src 'self'\">"
    letters = (site / "questions" / "Q031.html").read_text(encoding="utf-8")
    at = letters.index('<script type="application/ld+json">')
    told = letters[at : letters.index("</script>", at) + 9]
    said: list[str] = []
    tab = browser.new_page()
    tab.on("console", lambda message: said.append(message.text))
    tab.set_content(f"<!doctype html><html><head>{policy}{told}</head><body>x</body></html>")
    assert said == []
    assert json.loads(tab.text_content("script[type='application/ld+json']"))["@type"] == "Question"
    tab.set_content(f"<!doctype html><html><head>{policy}<script>x = 1</script></head><body>x</body></html>")
    assert any("Content Security Policy" in one for one in said)
    tab.close()
