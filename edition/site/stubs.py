"""Page sources: handwritten pages, and a stub for every record with a page.

None of them is kept in the repository's own folder of pages: they are written beside the built edition, and a page
whose content has not changed is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from edition.corpus.corpus import Corpus
from edition.corpus.limits import MAX_NAVIGATION_SOURCES
from edition.game import PageKind
from edition.site.missing_pages import leave_out_missing
from edition.site.navigation import PARENT_PAGES
from edition.text.handwritten_pages import CONTENTS_LIST, list_page_folders, read_handwritten_pages
from edition.views.page_kinds import get_page_kinds

#: Where there are too many sources to name beside every page: parts of the navigation -> what stands there instead.
_SHORT_NAVIGATION: Mapping[str, str] = {
    r"^sources/\*$": "sources",
}
_STUB = re.compile(r"---\n((?:[a-z-]+: \w+\n)*)---\n\n```\{edition:([a-z-]+)\} (\S+)\n```\n")
_SOURCES_PAGE = "---\nhide-toc: true\n---\n\n# The sources\n\n```{edition:sources}\n```\n"


def generate_stub_pages(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """All pages that show one record: path and page source."""
    many = _has_many_sources(corpus)
    if many:
        yield "sources.md", _SOURCES_PAGE
    for kind, page in get_page_kinds(corpus.game).items():
        head = _render_stub_head(page, many)
        for argument in page.arguments(corpus):
            yield f"{page.path.format(argument)}.md", f"{head}\n```{{edition:{kind}}} {argument}\n```\n"


def _render_stub_head(page: PageKind, many_sources: bool) -> str:
    """Head of a page: whether the site's navigation lists it, and whether it has one of its own."""
    orphan = "" if page.listed and not many_sources else "orphan: true\n"
    hidden = "" if page.contents else "hide-toc: true\n"
    return f"---\n{orphan}{hidden}---\n"


def parse_stub_page(words: str) -> tuple[Mapping[str, str], str, str] | None:
    """Return the head, the kind and the argument of a page that shows one record and nothing else."""
    stub = _STUB.fullmatch(words)
    return (dict(line.split(": ") for line in stub[1].splitlines()), stub[2], stub[3]) if stub else None


def _has_many_sources(corpus: Corpus) -> bool:
    """Return True if there are too many sources to list beside every page.

    Listing them would take space by the square of their number.
    """
    return len(corpus.library.sources) > MAX_NAVIGATION_SOURCES


def _shorten_navigation(words: str) -> str:
    for part, instead in _SHORT_NAVIGATION.items():
        words = re.sub(part, instead, words, flags=re.MULTILINE)
    return words


def write_page_sources(corpus: Corpus, into: Path, folder: Path | None = None) -> None:
    """Write all page sources into a folder of ours; those written by hand are taken from *folder* alone, if given.

    Files with the same content are not touched; files that are no longer wanted are removed.
    """
    folders = [folder] if folder else list_page_folders(corpus.game, Path(corpus.library.root))
    pages = list_own_pages(read_handwritten_pages(folders), *map(read_handwritten_pages, (folders[:-1], folders[-1:])))
    written = (
        (name, _shorten_navigation(words) if _has_many_sources(corpus) else words)
        for name, words in leave_out_missing(pages, corpus).items()
    )
    wanted = dict([*written, *generate_stub_pages(corpus)])
    for path in [path for path in into.rglob("*") if path.is_file()]:
        if path.relative_to(into).as_posix() not in wanted:
            path.unlink()
    for name, words in wanted.items():
        write_page_if_changed(into / name, words)


_UNLISTED = re.compile(r"---\n(?:.*\n)*?orphan: true\n")


def list_own_pages(pages: Mapping[str, str], common: Mapping[str, str], own: Mapping[str, str]) -> Mapping[str, str]:
    """Return pages of which the home page lists those of the library that no list has.

    They stand at the end of its first list of contents. A page that is not to be listed has `orphan: true` in its head.
    A home page without any list has those of the page whose place it takes.
    """
    home = pages.get("index.md", "")
    listed = {word.strip("<>") for tree in CONTENTS_LIST.findall(home) for word in tree.split()}
    fresh = [
        name.removesuffix(".md")
        for name, words in own.items()
        if "/" not in name and name not in common and not _UNLISTED.match(words)
    ]
    lines = "".join(f"{name}\n" for name in fresh if name not in listed | PARENT_PAGES.keys())
    if not lines or not common:
        return pages
    return {**pages, "index.md": CONTENTS_LIST.sub(lambda tree: f"{tree[0][:-3]}{lines}```", home, count=1)}


def write_page_if_changed(path: Path, words: str) -> None:
    """Write a page unless it has just this content.

    Half a page, left by a build that broke off, is replaced.
    """
    if path.is_file() and path.read_bytes() == words.encode():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words, encoding="utf-8", newline="\n")
