"""The books of the real sources, bound once: nothing of the texts is lost in them, and everything can be found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from edition.book.epub import render_epub
from edition.book.pdf import render_pdf
from edition.book.printed_book import assemble_short_book
from edition.book.whole_book import assemble_book
from edition.corpus.corpus import Corpus, list_emendations
from edition.text.passes import describe_passes
from rulebook.model import Library
from rulebook.phrases import spell_number
from tests.support.books import XHTML, lost_links, opened, pages, read_pdf_texts, tight, told_by_epubcheck

pytestmark = [pytest.mark.release, pytest.mark.xdist_group("book")]


@pytest.fixture(scope="session")
def bound(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all forms."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "reversis.epub").write_bytes(render_epub(assemble_book(corpus)))
    (folder / "reversis.pdf").write_bytes(render_pdf(assemble_short_book(corpus)))
    return folder


@pytest.fixture(scope="session")
def reader(bound: Path) -> Any:
    from pypdf import PdfReader

    return PdfReader(bound / "reversis.pdf")


@pytest.fixture(scope="session")
def printed(bound: Path) -> list[str]:
    """The words of every page of the book that one prints."""
    return read_pdf_texts((bound / "reversis.pdf").read_bytes())


# --- the PDF


@pytest.mark.release
def test_the_pdf_says_what_it_is(corpus: Corpus, reader: Any) -> None:
    assert reader.metadata is not None and len(reader.pages) > 100
    number = spell_number(len(corpus.library.sources)).capitalize()
    assert str(reader.metadata.title).startswith(f"Reversis: {number} sources")
    assert reader.metadata.author == "the contributors to the Reversis edition"
    root: Any = reader.trailer["/Root"]
    assert root["/Lang"] == "en" and root["/MarkInfo"]["/Marked"]  # tagged, to be read aloud


def test_the_first_pages_say_who_made_it_when_and_how_to_cite_it(corpus: Corpus, printed: list[str]) -> None:
    title, colophon = (tight(words) for words in printed[:2])
    assert tight(describe_passes(corpus.library.sources.values())) in title
    assert re.search(rf"Version{re.escape(corpus.release.version)},20\d\d", title)
    cited = f"Cite it as: {corpus.release.by}. {corpus.release.title}. Version {corpus.release.version}"
    assert tight(cited) in colophon


def test_every_page_has_the_label_that_is_printed_on_it(reader: Any) -> None:
    assert "/PageLabels" in reader.trailer["/Root"]
    assert reader.page_labels == [str(number + 1) for number in range(len(reader.pages))]


def test_every_part_begins_at_the_top_of_a_page(reader: Any) -> None:
    tops = [float(entry.top) for entry in reader.outline if not isinstance(entry, list)]
    assert len(tops) > 5 and set(tops[1:]) == {max(tops)}


@pytest.mark.release
def test_every_link_within_the_pdf_leads_to_a_page(reader: Any) -> None:
    homes = {page.indirect_reference.idnum for page in reader.pages if page.indirect_reference}
    found = [link for page in reader.pages for link in links(page)]
    assert len(found) > 5000
    assert all(to_page(link).idnum in homes for link in found)


def links(page: Any) -> Iterator[Any]:
    """The links of a page that stay in the book."""
    for annotation in page.get("/Annots", []):
        one: Any = annotation.get_object()
        if "/Dest" in one or one.get("/A", {}).get("/S") == "/GoTo":
            yield one["/Dest"] if "/Dest" in one else one["/A"]["/D"]


def to_page(destination: Any) -> Any:
    """The page that a link leads to, as the file refers to it."""
    return next(iter(destination.get_object()))


# --- the book that one prints


def test_the_book_is_of_a_size_that_one_sends(bound: Path) -> None:
    assert (bound / "reversis.pdf").stat().st_size < 5e6


def test_every_page_that_is_referred_to_has_what_is_named(printed: list[str]) -> None:
    """A reference to an answer may lead to a later page of its question."""
    words = [tight(page).lower() for page in printed]
    found = {
        (name.lower(), int(page))
        for text in printed
        for name, page in re.findall(r"\b([snQ]\d{2,4})\W{0,3}›(\d+)(?=[\s.,;:()])", text)
    }
    assert len(found) > 500
    assert [one for one in found if not any(one[0] in words[at] for at in range(max(0, one[1] - 3), one[1]))] == []


def test_what_the_page_has_stands_at_the_foot_of_the_page_of_every_emended_sentence(
    corpus: Corpus, printed: list[str]
) -> None:
    found = list(map(tight, printed))
    emended = [emendation for source in corpus.library.sources.values() for emendation in list_emendations(source)]
    assert len(emended) > 30
    for one in emended:
        number, sentence = one.id.partition(".")[2], one.sentence.partition(".")[2]
        foot = tight(f"{number} {one.corr or '(nothing)'}] {one.sic or '(nothing)'} the page")
        (at,) = (number for number, words in enumerate(found) if foot in words)
        before = found[at - 1] + found[at][: found[at].index(foot)]
        assert sentence in before, one.id  # on the page of its sentence, or at most the next


# --- the EPUB


def test_no_level_of_heading_is_left_out_in_the_epub(bound: Path) -> None:
    for name, tree in pages((bound / "reversis.epub").read_bytes()).items():
        levels = [int(one.tag[-1]) for one in tree.iter() if re.fullmatch(r"\{.*\}h[1-6]", str(one.tag))]
        assert levels.count(1) == (name != "cover.xhtml"), name
        assert all(after <= before + 1 for before, after in pairwise([0, *levels])), name


def test_the_epub_has_the_indices_with_the_numbers_of_sentences(bound: Path) -> None:
    trees = pages((bound / "reversis.epub").read_bytes())
    for name in ("words", "cards", "amounts"):
        places = [one for one in trees[f"index-{name}.xhtml"].iter() if one.get("class") == "bk-at"]
        assert len(places) > 30 and all(one.findall(f"{XHTML}a") for one in places), name


@pytest.mark.release
def test_the_checker_finds_nothing_wrong_with_the_epub(bound: Path) -> None:
    assert told_by_epubcheck(bound / "reversis.epub") == []


def test_every_link_of_the_epub_leads_somewhere(bound: Path) -> None:
    assert lost_links((bound / "reversis.epub").read_bytes()) == []


def test_no_file_of_the_epub_is_too_large_for_a_reading_device(bound: Path) -> None:
    sizes = {name: len(words) for name, words in opened((bound / "reversis.epub").read_bytes()).items()}
    assert {name: size for name, size in sizes.items() if size > 300_000} == {}


def test_every_sentence_of_every_source_stands_in_the_epub(library: Library, bound: Path) -> None:
    trees = pages((bound / "reversis.epub").read_bytes())
    for source in library.sources.values():
        ids = {one.get("id") for one in trees[f"source-{source.siglum}.xhtml"].iter()}
        names = list(source.text.sentences) if source.text else [statement.id for statement in source.statements]
        assert {f"sentence-{name}" for name in names} <= ids


def test_no_more_of_a_source_in_copyright_is_printed_than_its_statements_quote(library: Library, bound: Path) -> None:
    for source in library.sources.values():
        if source.text is None:
            tree = pages((bound / "reversis.epub").read_bytes())[f"source-{source.siglum}.xhtml"]
            spans = [one for one in tree.iter(f"{XHTML}span") if one.get("lang") == source.language]
            said = {"".join(one.itertext()) for one in spans if "bk-ours" not in one.get("class", "")}
            assert said and said <= {statement.quote for statement in source.statements if statement.quote}
