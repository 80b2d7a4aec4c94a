"""Page sources: handwritten pages, and a stub for every record with a page.

None of them is kept in the repository's own folder of pages: they are written beside the built edition, and a page
whose content has not changed is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from edition.citation.places import topic_page, topic_slug
from edition.corpus.corpus import Corpus
from edition.corpus.limits import MAX_NAVIGATION_SOURCES
from edition.settings import PAGES
from edition.text.notebook_page import render_notebook_markdown
from edition.views.questions.coding_manual import manual_list_view
from edition.views.questions.interpretations import list_doubtful_sources
from edition.views.sources.word_index import list_letter_pages, list_word_languages
from reversis.views.surveys.costs import list_cost_tables
from reversis.views.surveys.play_effects import list_effect_tables
from rulebook.strings import slugify_text

#: What stands at the head of a page: whether the site's navigation lists it, and whether it has one of its own.
_LISTED_HEAD = "---\nhide-toc: true\n---\n"
_UNLISTED_HEAD = "---\norphan: true\nhide-toc: true\n---\n"
_CONTENTS_HEAD = "---\norphan: true\n---\n"

#: Where there are too many sources to name beside every page: parts of the navigation -> what stands there instead.
_SHORT_NAVIGATION: Mapping[str, str] = {
    r"^sources/\*$": "sources",
}
_SOURCES_PAGE = f"{_LISTED_HEAD}\n# The sources\n\n```{{reversis:sources}}\n```\n"


def _render_stub(head: str, directive: str, argument: str) -> str:
    """Page source that shows one record."""
    return f"{head}\n```{{reversis:{directive}}} {argument}\n```\n"


def generate_stub_pages(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """All pages that show one record: path and page source."""
    library = corpus.library
    if _has_many_sources(corpus):
        yield "sources.md", _SOURCES_PAGE
    for siglum in library.sources:
        yield (
            f"sources/{siglum}.md",
            _render_stub(_UNLISTED_HEAD if _has_many_sources(corpus) else _LISTED_HEAD, "source", siglum),
        )
        yield f"howto/{siglum}.md", _render_stub(_UNLISTED_HEAD, "howto", siglum)
        yield f"howto/{siglum}-card.md", _render_stub(_UNLISTED_HEAD, "howto-card", siglum)
        yield f"clauses/{siglum}.md", _render_stub(_UNLISTED_HEAD, "clauses", siglum)
    for question in library.questions.values():
        yield f"questions/{question.id}.md", _render_stub(_CONTENTS_HEAD, "question", question.id)
    for group in dict.fromkeys(question.group for question in library.questions.values()):
        yield f"{topic_page(group)}.md", _render_stub(_UNLISTED_HEAD, "topic", topic_slug(group))
    for one in list_doubtful_sources(corpus):
        yield f"interpretations/{one}.md", _render_stub(_UNLISTED_HEAD, "interpretations", one)
    for siglum in list_cost_tables(corpus.surveys, library.sources):
        yield f"costs/{siglum}.md", _render_stub(_UNLISTED_HEAD, "cost-table", siglum)
    for siglum in list_effect_tables(corpus.receipts, library.sources):
        yield f"play-effects/{siglum}.md", _render_stub(_UNLISTED_HEAD, "effect-table", siglum)
    for deal in corpus.deals:
        yield f"deals/{deal.id}.md", _render_stub(_UNLISTED_HEAD, "deal", deal.id)
    for group, _ in manual_list_view(corpus):
        yield f"manual/{slugify_text(group)}.md", _render_stub(_UNLISTED_HEAD, "manual", slugify_text(group))
    for receipt in corpus.receipts:
        yield f"proofs/{receipt.proof}.md", _render_stub(_UNLISTED_HEAD, "proof", receipt.proof)
    for lang in list_word_languages(corpus):
        yield f"indices/words-{lang}.md", _render_stub(_UNLISTED_HEAD, "words", lang)
    for page in list_letter_pages(corpus):
        yield f"indices/{page}.md", _render_stub(_UNLISTED_HEAD, "letter", page)


def _has_many_sources(corpus: Corpus) -> bool:
    """Return True if there are too many sources to list beside every page.

    Listing them would take space by the square of their number.
    """
    return len(corpus.library.sources) > MAX_NAVIGATION_SOURCES


def _shorten_navigation(words: str) -> str:
    for part, instead in _SHORT_NAVIGATION.items():
        words = re.sub(part, instead, words, flags=re.MULTILINE)
    return words


def read_handwritten_pages(folder: Path = PAGES) -> Iterator[tuple[str, str]]:
    """All handwritten pages: path and page source."""
    for path in sorted(folder.rglob("*.md")):
        yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")
    for path in sorted(folder.rglob("*.ipynb")):
        page = path.relative_to(folder).with_suffix(".md")
        yield page.as_posix(), render_notebook_markdown(path.read_text(encoding="utf-8"))


def write_page_sources(corpus: Corpus, into: Path, folder: Path = PAGES) -> None:
    """Write all page sources into a folder of ours.

    Files with the same content are not touched; files that are no longer wanted are removed.
    """
    written = (
        (name, _shorten_navigation(words) if _has_many_sources(corpus) else words)
        for name, words in read_handwritten_pages(folder)
    )
    wanted = dict([*written, *generate_stub_pages(corpus)])
    for path in [path for path in into.rglob("*") if path.is_file()]:
        if path.relative_to(into).as_posix() not in wanted:
            path.unlink()
    for name, words in wanted.items():
        write_page_if_changed(into / name, words)


def write_page_if_changed(path: Path, words: str) -> None:
    """Write a page unless it has just this content.

    Half a page, left by a build that broke off, is replaced.
    """
    if path.is_file() and path.read_bytes() == words.encode():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words, encoding="utf-8", newline="\n")
