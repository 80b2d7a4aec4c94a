"""The text of a source in paragraphs: those of its file, with the clauses beside them, and the switch to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from lxml import etree

from edition.corpus.corpus import Corpus
from edition.views.sources.source import SourceView, sentences_in, source_view
from edition.views.sources.source_text import render_source
from rulebook.sources.paths import find_sources
from rulebook.text import Sentence, TextBlock

TEI = "{http://www.tei-c.org/ns/1.0}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
TRANSCRIBED = sorted(path.parent.name for path in find_sources().glob("*/text.xml"))


def list_paragraphs(view: SourceView) -> list[list[str]]:
    return [[line.id for line in lines] for chapter in view.chapters for lines in chapter.paragraphs]


def read_paragraphs(path: Path) -> list[list[str]]:
    """The sentences of every element of a file that holds sentences itself."""
    blocks: dict[Any, list[str]] = {}
    for sentence in etree.parse(path).iter(f"{TEI}s"):
        blocks.setdefault(sentence.getparent(), []).append(sentence.get(XML_ID))
    return list(blocks.values())


@pytest.mark.parametrize("siglum", TRANSCRIBED)
def test_the_paragraphs_are_those_of_the_text_file(corpus: Corpus, siglum: str) -> None:
    assert list_paragraphs(source_view(corpus, siglum)) == read_paragraphs(find_sources() / siglum / "text.xml")


@pytest.mark.parametrize("path", sorted(find_sources().glob("*/text.txt")), ids=lambda path: path.parent.name)
def test_a_text_that_was_pasted_keeps_the_paragraphs_that_empty_lines_part(corpus: Corpus, path: Path) -> None:
    pasted = re.sub(r"(?m)^(# .*)$", r"\1\n", path.read_text(encoding="utf-8"))  # a heading needs no empty line
    blocks = [block for block in re.split(r"\n\s*\n", pasted) if block.strip()]
    assert len(list_paragraphs(source_view(corpus, path.parent.name))) == len(blocks)


def test_what_follows_a_list_within_a_paragraph_begins_one_of_its_own() -> None:
    first, item, last = (Sentence(id, "text", "en", None, (), 1, "", "", "", (), ()) for id in ("s1", "s2", "s3"))
    block = TextBlock("p", (first, TextBlock("list", (TextBlock("item", (item,)),)), last))
    assert [(opens, sentence.id) for _, opens, sentence in sentences_in(block)] == [
        (True, "s1"),
        (True, "s2"),
        (True, "s3"),
    ]


def find_all(page: list[nodes.Node], name: str) -> list[nodes.Element]:
    found = (node for part in page for node in part.findall(nodes.Element))
    return [node for node in found if name in node.get("classes", ())]


def test_beside_a_paragraph_stand_its_whole_translation_and_its_clauses(corpus: Corpus) -> None:
    view = source_view(corpus, "PAM")
    page = render_source(view)
    shown = find_all(page, "rv-paragraph")
    paragraphs = [lines for chapter in view.chapters for lines in chapter.paragraphs]
    assert len(shown) == len(paragraphs) > 80
    for node, lines in zip(shown, paragraphs, strict=True):
        (english,) = find_all([node], "rv-running-english")
        assert english.astext() == " ".join("".join(run[0] for run in line.translation) for line in lines)
        led_to = [
            way["reftarget"] for part in find_all([node], "rv-margin") for way in part.findall() if "reftarget" in way
        ]
        assert led_to == [clause for line in lines for clause in line.clauses]
    assert any(len(lines) > 3 for lines in paragraphs)


def test_the_summary_of_a_source_in_copyright_is_not_set_as_its_paragraphs(corpus: Corpus) -> None:
    page = render_source(source_view(corpus, "PAR"))
    assert not find_all(page, "rv-paragraph") and not find_all(page, "rv-shows-running")


# --- in a browser ----------------------------------------------------------------------------------------------------

Open = Callable[..., Any]
#: Of the paragraph of s0009 to s0014: whether a sentence begins on the line on which the one before it ends, the boxes
#: of its text, its translation, its clauses and the page that begins in it, and the letters of the translation.
SET = """() => {
  const paragraph = document.getElementById("PAM.s0009").closest(".rv-paragraph");
  const box = (one) => { const { left, right, top, bottom } = one.getBoundingClientRect();
    return [left, right, top, bottom].map(Math.round); };
  const words = (id) => [...document.getElementById(id).querySelector(".rv-printed, .rv-original").getClientRects()];
  return {
    runs_on: Math.abs(words("PAM.s0009").at(-1).top - words("PAM.s0010")[0].top) < 40,
    text: box(paragraph.querySelector(".rv-sentences")), english: box(paragraph.querySelector(".rv-running-english")),
    margin: box(paragraph.querySelector(".rv-margin")), page: box(document.getElementById("PAM.p3")),
    letters: paragraph.querySelector(".rv-running-english").textContent.length,
  };
}"""


@pytest.fixture
def opened(browser: Any, site: Path) -> Iterator[Open]:
    contexts = []

    def opens(address: str, width: int = 1280, **how: Any) -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **how))
        tab = contexts[-1].new_page()
        tab.goto(f"{(site / 'sources').as_uri()}/{address}")
        return tab

    yield opens
    for context in contexts:
        context.close()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without a script"])
def test_a_text_is_read_in_paragraphs_with_margins(opened: Open, script: bool) -> None:
    tab = opened("PAM.html", java_script_enabled=script)
    assert tab.locator(".rv-running").locator("visible=true").count() == 0
    tab.locator("input.rv-shows-running").check(force=True)
    there = tab.evaluate(SET)
    assert there["runs_on"]
    assert there["page"][1] <= there["text"][0] < there["text"][1] <= there["english"][0]
    assert there["english"][1] <= there["margin"][0]
    lines = round((there["english"][3] - there["english"][2]) / 27)
    assert 45 <= there["letters"] / lines <= 70
    tab.locator("input.rv-shows-english").uncheck(force=True)
    alone = tab.evaluate(SET)
    assert alone["text"][1] - alone["text"][0] == 576 and alone["text"][1] <= alone["margin"][0]
    for spelling in ("modern", "variants", "printed"):
        tab.locator(f"input.rv-shows-{spelling}").check(force=True)
        seen = tab.locator(".rv-line > .rv-original").locator("visible=true").count()
        assert seen == tab.locator(".rv-line").count(), spelling  # each sentence once


@pytest.mark.slow
@pytest.mark.browser
def test_addresses_of_sentences_pages_and_notes_lead_there_in_paragraphs_too(opened: Open) -> None:
    tab = opened("PAM.html")
    tab.locator("input.rv-shows-running").check(force=True)
    note = tab.locator(".rv-line .rv-note[id]").first.get_attribute("id")
    for id in ("PAM.s0050", "PAM.p20", note):
        tab.evaluate("(id) => { location.hash = id; }", id)
        assert tab.locator(f"[id='{id}']").is_visible(), id
        assert 0 <= tab.evaluate("(id) => document.getElementById(id).getBoundingClientRect().top", id) < 900, id


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("siglum", TRANSCRIBED)
def test_no_paragraph_sticks_out_of_a_telephone(opened: Open, siglum: str) -> None:
    tab = opened(f"{siglum}.html", width=390)
    tab.locator("input.rv-shows-running").check(force=True)
    wide, tall = tab.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert wide <= 390 and tall < 30_000
