"""Languages in the built edition: five words in a row of a text that is not English have its language named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from rulebook.model import Library
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_foreign_titles
from rulebook.sources.paths import find_sources
from rulebook.spelling import simplify_letters
from tests.support.site import pages

pytestmark = pytest.mark.slow

_RUN_LENGTH = 5
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
#: Records and programs as they lie in their files; a language cannot be named within them.
_AS_IN_FILES = ("script", "style", "pre", "code", "textarea")

Runs = Mapping[tuple[str, ...], str]


@pytest.fixture(scope="module")
def runs(library: Library) -> Runs:
    """Every five words in a row of the texts that are not English, with their language."""
    found = {
        tuple(words[at : at + _RUN_LENGTH]): source.language
        for source in library.sources.values()
        if source.text and source.language != "en"
        for sentence in source.text.sentences.values()
        for text in (sentence.diplomatic, sentence.emended, sentence.reading)
        for words in [split_folded_words(text)]
        for at in range(len(words) - _RUN_LENGTH + 1)
    }
    assert len(found) > 3000
    return found


def split_folded_words(text: str) -> list[str]:
    return [simplify_letters(word) for word in _WORD.findall(text)]


def list_words(element: Any, lang: str) -> Iterator[tuple[str, str]]:
    """Every word in an element with the language that is named for it."""
    if not isinstance(element.tag, str) or element.tag in _AS_IN_FILES:
        return
    lang = element.get("lang") or lang
    yield from ((word, lang) for word in split_folded_words(element.text or ""))
    for child in element:
        yield from list_words(child, lang)
        yield from ((word, lang) for word in split_folded_words(child.tail or ""))


def list_unnamed(page: Any, runs: Runs) -> list[str]:
    """Five words in a row of a source, none of which is in an element that names its language."""
    words = list(list_words(page, ""))
    rows = (words[at : at + _RUN_LENGTH] for at in range(len(words) - _RUN_LENGTH + 1))
    return [
        " ".join(word for word, _ in row)
        for row in rows
        if (lang := runs.get(tuple(word for word, _ in row))) and all(named != lang for _, named in row)
    ]


def test_words_of_another_language_are_found_unless_it_is_named(runs: Runs) -> None:
    run, lang = next(iter(runs.items()))
    for said, number in ((f"<p>{' '.join(run)}</p>", 1), (f"<p>So <i lang='{lang}'>{' '.join(run)}</i>.</p>", 0)):
        assert len(list_unnamed(html.fromstring(f"<body>{said}</body>"), runs)) == number


def test_no_words_of_a_source_stand_on_a_page_without_their_language(site: Path, runs: Runs) -> None:
    slips = {name: slip[0] for name, page in pages(site) if (slip := list_unnamed(page, runs))}
    assert slips == {}


def test_every_foreign_title_of_the_bibliography_names_its_language(site: Path) -> None:
    page = dict(pages(site))["bibliography.html"]
    named = [one.get("lang") for one in page.findall(".//div[@class='citation']//span[@lang]")]
    titles = read_foreign_titles(find_sources() / BIBLIOGRAPHY_FILE)
    assert sorted(named) == sorted(lang for _, lang in titles.values())
