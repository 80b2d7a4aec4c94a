"""The book, on an invented library: what stands at its feet, where its links lead, and that it is always the same."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from docutils import nodes

from edition.book import typst as typesetting
from edition.book import write_book as binding
from edition.book import xhtml as drawing
from edition.book.epub import render_epub
from edition.book.nodes import BookContent
from edition.book.pdf import Unbound, render_pdf
from edition.book.printed_book import assemble_short_book
from edition.book.whole_book import assemble_book
from edition.cli import build as building
from edition.corpus.load import read_corpus_checked
from edition.corpus.problems import find_all_problems
from edition.nodes.builders import para
from edition.nodes.deferred import defer_content
from reversis.cli.main import cli
from rulebook.program_name import GAME_VARIABLE
from tests.support.books import OPF, lost_links, opened, pages, read_pdf_texts, tight, told_by_epubcheck
from tests.support.library import changed, corpus_of, write_library
from tests.support.places import OTHER_LIBRARIES


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An invented library, all in order, without worked deals."""
    root = write_library(tmp_path)
    for path in (*root.glob("deals/*"), *root.glob("*/deals/*")):
        path.unlink()
    return root


def bound(root: Path) -> BookContent:
    corpus, problems = read_corpus_checked(root)
    assert corpus is not None and problems == []
    return assemble_book(corpus)


def shortly_bound(root: Path) -> BookContent:
    return assemble_short_book(corpus_of(root))


def words_of(data: bytes) -> str:
    return tight("".join(read_pdf_texts(data)))


# --- at the foot of the page


@pytest.mark.slow
def test_an_emendation_stands_in_the_text_and_what_the_page_has_at_its_foot(root: Path) -> None:
    found = words_of(render_pdf(bound(root)))
    assert tight("On le paye double") in found and tight("On le paye doble") not in found
    foot = "e01 double] doble the page; certainty high, evidence internal, ed1. A letter is missing."
    assert tight(foot) in found and found.index(tight("On le paye double")) < found.index(tight(foot))


@pytest.mark.slow
def test_a_note_stands_at_the_foot_of_the_page_of_its_statement(root: Path) -> None:
    texts = read_pdf_texts(render_pdf(bound(root)))
    (page,) = (text for text in texts if "Odd." in text)
    assert page.index("Whoever leads is paid.") < page.index("Odd.")


@pytest.mark.slow
def test_a_note_of_an_epub_stands_at_the_end_of_its_chapter_and_leads_back(root: Path) -> None:
    chapter = pages(render_epub(bound(root)))["source-AAA.xhtml"]
    (mark,) = (one for one in chapter.iter() if one.get("role") == "doc-noteref")
    (note,) = (one for one in chapter.iter() if one.get("role") == "doc-footnote")
    assert mark.get("href") == f"#{note.get('id')}" and "doble the page" in "".join(note.itertext())
    (back,) = (one for one in note.iter() if one.get("role") == "doc-backlink")
    assert back.get("href") == f"#{mark.get('id')}"


# --- what a page fetches


def _chapter(*content: nodes.Node) -> nodes.section:
    return nodes.section("", nodes.title("", "A chapter"), *content)


def test_what_a_page_fetches_stands_in_the_book_and_not_the_words_in_its_place() -> None:
    chapter = _chapter(defer_content("key", ["It stands elsewhere."], para("Both directions."), para("More.")))
    for said in (typesetting.Setter().set(chapter), drawing.Page("a", {}, {}, 1, []).put(chapter)):
        assert "Both directions." in said and "More." in said and "elsewhere" not in said


def test_a_node_that_no_book_renders_is_an_error_and_does_not_end_the_row() -> None:
    chapter = _chapter(para("Before."), nodes.sidebar("", para("Strange.")))
    for render in (typesetting.Setter().set, drawing.Page("a", {}, {}, 1, []).put):
        with pytest.raises(LookupError, match=r"renders a sidebar: Strange\."):
            render(chapter)


# --- letters


@pytest.mark.slow
def test_no_letter_of_a_source_is_taken_for_an_instruction(root: Path) -> None:
    hostile = '#{panic(1)} \\ "$x$" *a* _b_ @c ]'
    changed(root, "BBB/statements.yaml", "It ends there.", f"'{hostile}'")
    changed(root, "AAA/source.yaml", "Invented for the tests.", "'<b>&amp; #panic() \\n</b>'")
    made = bound(root)
    assert tight("#{panic(1)}") in words_of(render_pdf(made)) and tight("<b>&amp;#panic()") in words_of(
        render_pdf(made)
    )
    said = "".join("".join(tree.itertext()) for tree in pages(render_epub(made)).values())
    assert "#{panic(1)}" in said and "<b>&amp; #panic()" in said


def test_a_letter_that_no_font_has_is_an_error_and_not_an_empty_box(root: Path) -> None:
    changed(root, "BBB/statements.yaml", "It ends there.", "It ends \u6f22 there.")
    with pytest.raises(Unbound, match="\u6f22"):
        render_pdf(bound(root))


def test_a_string_of_the_typesetter_is_closed_by_nothing_in_it() -> None:
    assert typesetting.quote_typst_string('a "b" \\ c\n  d') == '"a \\"b\\" \\\\ c d"'


# --- the way about


def test_every_link_of_an_epub_leads_somewhere(root: Path) -> None:
    data = render_epub(bound(root))
    assert lost_links(data) == []
    links = [one for tree in pages(data).values() for one in tree.iter() if "#cell-Q001" in one.get("href", "")]
    assert len(links) > 3


def test_a_long_chapter_goes_on_in_further_files_and_every_link_still_leads_somewhere(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bound(root)
    whole = pages(render_epub(made))
    monkeypatch.setattr(drawing, "LARGEST_EPUB_FILE", 2_000)
    data = render_epub(made)
    parted = pages(data)
    assert {*whole} < {*parted} and lost_links(data) == []
    assert {"group-the-toll.xhtml", "group-the-toll-2.xhtml"} <= {*parted}
    before, after = (sum(len("".join(tree.itertext()).split()) for tree in one.values()) for one in (whole, parted))
    assert before < after < before * 1.3  # nothing is lost; the title of each file comes once more


# --- the file


@pytest.mark.slow
def test_an_epub_says_first_what_it_is_and_lists_every_file(root: Path) -> None:
    data = render_epub(bound(root))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert archive.read(first) == b"application/epub+zip"
    listed = pages_listed(data)
    assert listed == {name.removeprefix("EPUB/") for name in opened(data) if name.startswith("EPUB/")} - {"package.opf"}


def pages_listed(data: bytes) -> set[str]:
    from lxml import etree

    package = etree.fromstring(opened(data)["EPUB/package.opf"])
    return {str(item.get("href")) for item in package.iter(f"{OPF}item")}


@pytest.mark.release
def test_the_checker_finds_nothing_wrong_with_an_epub(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in (root, *OTHER_LIBRARIES.values()):
        path = tmp_path / f"{library.name}.epub"
        path.write_bytes(render_epub(bound(library)))
        assert told_by_epubcheck(path) == [], library.name
        monkeypatch.delenv(GAME_VARIABLE, raising=False)  # as `rulebook` reads the others


# --- always the same


BIND = """
import hashlib, sys
from pathlib import Path
from edition.corpus.load import read_corpus_checked
from edition.book.whole_book import assemble_book
from edition.book.epub import render_epub
from edition.book.pdf import render_pdf
from edition.book.printed_book import assemble_short_book
corpus = read_corpus_checked(Path(sys.argv[1]))[0]
made = assemble_book(corpus)
files = render_epub(made), render_pdf(assemble_short_book(corpus))
print(*(hashlib.sha256(one).hexdigest() for one in files))
"""


@pytest.mark.release
def test_two_books_of_the_same_records_are_the_same_to_the_last_byte(root: Path) -> None:
    made = bound(root)
    files = render_epub(made), render_pdf(shortly_bound(root))
    here = [hashlib.sha256(data).hexdigest() for data in files]
    there = {**os.environ, "PYTHONHASHSEED": "1785", "TZ": "Asia/Tokyo"}
    done = subprocess.run(
        [sys.executable, "-c", BIND, str(root)], env=there, capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.split() == here


# --- the command


@pytest.fixture
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command works on the invented library."""
    monkeypatch.setattr(building, "find_all_problems", lambda: find_all_problems(root))
    return root


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "begins"), [("pdf", b"%PDF-"), ("epub", b"PK")])
def test_the_command_ends_with_the_path_of_the_book(here: Path, tmp_path: Path, form: str, begins: bytes) -> None:
    path = tmp_path / "out" / f"reversis.{form}"
    done = run("build", form, "-o", str(tmp_path / "out"))
    assert (done.exit_code, done.output) == (0, f"{path}\n")
    assert path.read_bytes().startswith(begins) and [*path.parent.iterdir()] == [path]


@pytest.mark.slow
def test_without_the_typesetter_one_line_says_how_to_get_it(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binding, "find_spec", lambda name: None)
    done = run("build", "pdf", "-o", str(tmp_path / "out"))
    assert done.exit_code == 1 and done.output.count("\n") == 1
    assert 'pip install -e ".[pdf]"' in done.output and not (tmp_path / "out").exists()
    assert run("build", "epub", "-q", "-o", str(tmp_path / "out")).exit_code == 0


@pytest.mark.parametrize(
    ("form", "file", "old", "new", "said"),
    [
        ("epub", "AAA/clauses.yaml", "reçoit deux jetons", "reçoit deux jetens", ("AAA.c001", "Nothing was built")),
        ("pdf", "BBB/statements.yaml", "It ends there.", "It ends \u6f22 there.", ("No PDF was made", "\u6f22")),
    ],
    ids=["a problem", "a letter that cannot be set"],
)
def test_problems_are_told_and_the_last_book_stays(
    here: Path, tmp_path: Path, form: str, file: str, old: str, new: str, said: tuple[str, ...]
) -> None:
    (tmp_path / f"reversis.{form}").write_bytes(b"the last one")
    changed(here, file, old, new)
    done = run("build", form, "-o", str(tmp_path))
    assert done.exit_code == 1 and all(words in done.output for words in said)
    assert (tmp_path / f"reversis.{form}").read_bytes() == b"the last one"
