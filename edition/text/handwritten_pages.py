"""Pages written by hand: those of every edition, then those of its game, then the library's own.

A page of a later folder takes the place of an earlier one of the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from edition.game import Game
from edition.settings import PAGES
from edition.text.notebook_page import render_notebook_markdown


def list_page_folders(game: Game, root: Path) -> tuple[Path, ...]:
    """List the folders of pages of a library, the one that overrides the others last."""
    return (PAGES, *([game.folder / "pages"] if game.folder else []), root / "pages")


def read_handwritten_pages(folders: Iterable[Path]) -> Mapping[str, str]:
    """Read all pages: path below the edition -> page source."""
    pages = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.md")):
            pages[path.relative_to(folder).as_posix()] = path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.ipynb")):
            page = path.relative_to(folder).with_suffix(".md").as_posix()
            pages[page] = render_notebook_markdown(path.read_text(encoding="utf-8"))
    return pages


def find_handwritten_page(folders: Iterable[Path], name: str) -> Path | None:
    """Find the file of a page; None if no folder has it."""
    return next((path for folder in reversed([*folders]) if (path := folder / name).is_file()), None)
