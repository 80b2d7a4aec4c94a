"""The pages of Reversis that are written by hand, wherever they lie."""

from __future__ import annotations

from pathlib import Path

from edition.game import read_game
from edition.text.handwritten_pages import find_handwritten_page, list_page_folders
from rulebook.sources.paths import find_sources

PAGE_FOLDERS = list_page_folders(read_game(find_sources())[0], find_sources())


def find_page(name: str) -> Path:
    """The file of a page, by its path below the edition without suffix."""
    path = find_handwritten_page(PAGE_FOLDERS, f"{name}.md")
    assert path is not None, name
    return path
