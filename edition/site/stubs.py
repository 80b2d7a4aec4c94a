"""The thin pages: those written by hand, and one of a few lines for every record that has a page of its own.

None of them is kept in the repository's own folder of pages: they are laid out beside the built edition,
and a page whose words have not changed is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from edition.citation.places import source_pairs
from edition.corpus.corpus import Corpus
from edition.data.limits import LISTED as LISTED_ONE_BY_ONE
from edition.settings import PAGES
from edition.views.sources.word_index import languages

#: What stands at the head of a page: whether the site's navigation lists it, and whether it has one of its own.
LISTED = "---\nhide-toc: true\n---\n"
UNLISTED = "---\norphan: true\nhide-toc: true\n---\n"
WITH_CONTENTS = "---\norphan: true\n---\n"

#: Where there are too many sources to name beside every page: parts of the navigation -> what stands there instead.
GATHERED: Mapping[str, str] = {r"^sources/\*$": "sources", r"^```\{toctree\}\n(?::\w+:\n)*\nhowto/\*\n```\n": ""}
SOURCES = f"{LISTED}\n# The sources\n\n```{{reversis:sources}}\n```\n"


def stub(head: str, directive: str, argument: str) -> str:
    """A page that shows one record and says nothing itself."""
    return f"{head}\n```{{reversis:{directive}}} {argument}\n```\n"


def stubs(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Every page that is made from a record alone: its path, and what stands in it."""
    library = corpus.library
    if many(corpus):
        yield "sources.md", SOURCES
    for siglum in library.sources:
        yield f"sources/{siglum}.md", stub(UNLISTED if many(corpus) else LISTED, "source", siglum)
        yield f"howto/{siglum}.md", stub(WITH_CONTENTS, "howto", siglum)
        yield f"clauses/{siglum}.md", stub(UNLISTED, "clauses", siglum)
    for question in library.questions.values():
        yield f"questions/{question.id}.md", stub(WITH_CONTENTS, "question", question.id)
    for first, second in source_pairs(corpus):
        yield f"pairs/{first}-{second}.md", stub(UNLISTED, "pair", f"{first}-{second}")
    for deal in corpus.deals:
        yield f"deals/{deal.id}.md", stub(UNLISTED, "deal", deal.id)
    for lang in languages(corpus):
        yield f"indices/words-{lang}.md", stub(UNLISTED, "words", lang)


def many(corpus: Corpus) -> bool:
    """Whether there are too many sources to name them all beside every page: that would be their number squared."""
    return len(corpus.library.sources) > LISTED_ONE_BY_ONE


def gathered(words: str) -> str:
    """A page written by hand, with the parts of the navigation that would grow with the sources exchanged."""
    for part, instead in GATHERED.items():
        words = re.sub(part, instead, words, flags=re.MULTILINE)
    return words


def by_hand(folder: Path = PAGES) -> Iterator[tuple[str, str]]:
    """Every page that was written by hand."""
    for path in sorted(folder.rglob("*.md")):
        yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")


def lay_out(corpus: Corpus, into: Path, folder: Path = PAGES) -> None:
    """Lay all pages into a folder that is ours alone: new ones added, changed ones changed, old ones taken away."""
    written = ((name, gathered(words) if many(corpus) else words) for name, words in by_hand(folder))
    wanted = dict([*written, *stubs(corpus)])
    for path in [path for path in into.rglob("*") if path.is_file()]:
        if path.relative_to(into).as_posix() not in wanted:
            path.unlink()
    for name, words in wanted.items():
        write(into / name, words)


def write(path: Path, words: str) -> None:
    """Write a page, unless it already says just that; half a page, left by a build that broke off, does not."""
    if path.is_file() and path.read_bytes() == words.encode():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words, encoding="utf-8", newline="\n")
