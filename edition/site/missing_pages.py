"""Pages for which a library has nothing: they are left out, with whatever would lead to them.

A page written by hand names what it needs in its head (`needs: receipts`). Where the library holds none, the page is
not written, lists of contents do not name it, a paragraph that begins with a link to it goes, and any other link to it
becomes its words.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path

from edition.corpus.corpus import Corpus, list_emendations
from edition.text.handwritten_pages import find_handwritten_page, list_page_folders
from rulebook.resolve import iter_clause_alternatives

_NEEDS = re.compile(r"\A---\n(?:.*\n)*?needs: ([a-z]+)\n")
_LINK = re.compile(r"\[([^\]\n]*)\]\(([\w/.-]+)\.md(?:#[\w-]*)?\)")
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^(?:[^\n<>:`]*<)?([\w-]+)>?$", re.MULTILINE)  #: of a list of contents
_CONTENTS_ENTRY = r"^(?:[^\n<>]*<)?{}>?\n"

#: What a page may need -> what there is of it.
HOLDINGS: Mapping[str, Callable[[Corpus], object]] = {
    "codings": lambda corpus: corpus.codings,
    "emendations": lambda corpus: any(map(list_emendations, corpus.library.sources.values())),
    "receipts": lambda corpus: corpus.receipts,
    "releases": lambda corpus: corpus.releases,
    "rivals": lambda corpus: any(iter_clause_alternatives(corpus.library.clauses())),
    "sources": lambda corpus: corpus.library.sources,
    "terms": lambda corpus: corpus.terms,
    "tombstones": lambda corpus: corpus.gone,
    "works": lambda corpus: corpus.works,
}


def leave_out_missing(pages: Mapping[str, str], corpus: Corpus) -> Mapping[str, str]:
    """Return the pages written by hand that a library has something for, none of which leads to another."""
    missing = {name.removesuffix(".md") for name, words in pages.items() if _lacks_matter(words, corpus)}
    if corpus.settings.game and not corpus.game.name:  # pages of a game that is not installed
        missing |= _list_entries(pages.values()) - {name.removesuffix(".md") for name in pages}
    kept = {name: words for name, words in pages.items() if name.removesuffix(".md") not in missing}
    unlisted = missing if corpus.library.sources else missing | {"sources/*"}
    return {name: _drop_ways(name, words, unlisted) for name, words in kept.items()} if unlisted else kept


def _lacks_matter(words: str, corpus: Corpus) -> bool:
    needs = _NEEDS.match(words)
    return needs is not None and not HOLDINGS[needs[1]](corpus)


def _list_entries(pages: Iterable[str]) -> Set[str]:
    """List the pages, beside those that show one record, which lists of contents name."""
    fences = (piece for words in pages for piece in _FENCE.findall(words) if piece.startswith("```{toctree}"))
    return {entry for fence in fences for entry in _ENTRY.findall(fence)}


def _drop_ways(name: str, words: str, missing: Set[str]) -> str:
    """Drop the ways from a page to missing ones, in lists of contents and in its text."""

    def leads_away(target: str) -> bool:
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) in missing

    def drop_entries(fence: str) -> str:
        for page in sorted(missing):
            fence = re.sub(_CONTENTS_ENTRY.format(re.escape(page)), "", fence, flags=re.MULTILINE)
        return fence

    def drop_links(text: str) -> str:
        blocks = text.split("\n\n")
        kept = [block for block in blocks if not ((link := _LINK.match(block.strip())) and leads_away(link[2]))]
        return _LINK.sub(lambda link: link[1] if leads_away(link[2]) else link[0], "\n\n".join(kept))

    pieces = _FENCE.split(words)
    return "".join(drop_entries(piece) if at % 2 else drop_links(piece) for at, piece in enumerate(pieces))


def is_left_out(page: str, corpus: Corpus) -> bool:
    """Return whether a page that is not there has been left out: somebody has written it."""
    return find_handwritten_page(list_page_folders(corpus.game, Path(corpus.library.root)), f"{page}.md") is not None
