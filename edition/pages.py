"""The thin pages: those written by hand, and one of a few lines for every record that has a page of its own.

None of them is kept in the repository's own folder of pages: they are laid out beside the built edition,
and a page whose words have not changed is not touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from edition.shelf import Shelf
from edition.views import pairs
from edition.wordlist import languages

HAND = Path(__file__).parent / "pages"

#: What stands at the head of a page: whether the site's navigation lists it, and whether it has one of its own.
LISTED = "---\nhide-toc: true\n---\n"
UNLISTED = "---\norphan: true\nhide-toc: true\n---\n"
WITH_CONTENTS = "---\norphan: true\n---\n"


def stub(head: str, directive: str, argument: str) -> str:
    """A page that shows one record and says nothing itself."""
    return f"{head}\n```{{reversis:{directive}}} {argument}\n```\n"


def stubs(shelf: Shelf) -> Iterator[tuple[str, str]]:
    """Every page that is made from a record alone: its path, and what stands in it."""
    library = shelf.library
    for siglum in library.sources:
        yield f"sources/{siglum}.md", stub(LISTED, "source", siglum)
        yield f"howto/{siglum}.md", stub(WITH_CONTENTS, "howto", siglum)
        yield f"clauses/{siglum}.md", stub(UNLISTED, "clauses", siglum)
    for question in library.questions.values():
        yield f"questions/{question.id}.md", stub(WITH_CONTENTS, "question", question.id)
    for first, second in pairs(shelf):
        yield f"pairs/{first}-{second}.md", stub(UNLISTED, "pair", f"{first}-{second}")
    for deal in shelf.deals:
        yield f"deals/{deal.id}.md", stub(UNLISTED, "deal", deal.id)
    for lang in languages(shelf):
        yield f"indices/words-{lang}.md", stub(UNLISTED, "words", lang)


def by_hand(folder: Path = HAND) -> Iterator[tuple[str, str]]:
    """Every page that was written by hand."""
    for path in sorted(folder.rglob("*.md")):
        yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")


def lay_out(shelf: Shelf, into: Path, folder: Path = HAND) -> None:
    """Lay all pages into a folder that is ours alone: new ones added, changed ones changed, old ones taken away."""
    wanted = dict([*by_hand(folder), *stubs(shelf)])
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
