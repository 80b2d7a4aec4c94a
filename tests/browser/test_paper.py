"""The sheet of paper for an archive: two A4 pages, with every question, and nothing cut off."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest

from tests.support.books import read_pdf_pages
from tests.support.commands import refused, run
from tests.support.sheets import read_case

pytestmark = [pytest.mark.slow, pytest.mark.browser]

CUT_OFF = """() => [...document.querySelectorAll("section, header, td p")]
  .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.slice(0, 80))"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.html"
    assert "two pages" in run("sheet", "--print", str(path)).output
    return path


def test_every_question_stands_on_two_pages_and_nothing_is_cut_off(browser: Any, paper: Path) -> None:
    tab = browser.new_page()
    tab.goto(paper.as_uri())
    assert tab.evaluate(CUT_OFF) == []
    assert tab.evaluate("document.querySelector('tbody tr').getBoundingClientRect().height") > 14, "room for a pencil"
    made = tab.pdf(prefer_css_page_size=True)
    tab.close()
    pages = read_pdf_pages(made)
    assert [[round(float(one) * 25.4 / 72) for one in page.mediabox[2:]] for page in pages] == [[210, 297]] * 2
    printed = unicodedata.normalize("NFKC", " ".join(page.extract_text() for page in pages))  # fi may be one letter
    said = " ".join(printed.split())
    for question in read_case().library.questions.values():
        assert question.by or f"{question.id} {question.asks}" in said
    for mark in ("? not looked for yet", "– you have read all of it", "n/a another answer", "Number the sentences"):
        assert mark in said


def test_a_source_that_is_named_stands_on_it(tmp_path: Path) -> None:
    path = tmp_path / "par.html"
    run("sheet", "PAR", "--print", str(path), "-q")
    assert f"<b>{read_case().library.sources['PAR'].short_name}</b>" in path.read_text(encoding="utf-8")
    assert "is no .html" in refused(2, "sheet", "--print", str(tmp_path / "paper.pdf"))
    assert "for a spreadsheet" in refused(2, "sheet", "PAR", "--print", str(path), "--out", str(tmp_path / "par.csv"))
    assert "Name a source:" in refused(2, "sheet")


@pytest.mark.parametrize("form", ["A4", "Letter"])
def test_two_sheets_of_either_form_hold_it(browser: Any, paper: Path, form: str) -> None:
    tab = browser.new_page()
    tab.goto(paper.as_uri())
    made = tab.pdf(format=form, prefer_css_page_size=False)
    tab.close()
    assert len(read_pdf_pages(made)) == 2
