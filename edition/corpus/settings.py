"""The words of a library: its settings, with what stands for those that it does not have, and how it is cited."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from edition.corpus.citation_cff import Person, Release, read_citation_file, read_release
from edition.game import read_game
from rulebook import __version__
from rulebook.library_settings import LibrarySettings, read_settings
from rulebook.problems import Problem


def read_edition_words(root: Path) -> LibrarySettings:
    """Read the settings of a library of which nothing else has been read."""
    return read_library_words(str(root), read_game(root)[0].name)


def read_library_words(root: str, game: str) -> LibrarySettings:
    """Read the settings of a library; where it says nothing of a name, it is called for its game."""
    settings = read_settings(Path(root))[0] if root else LibrarySettings()
    title = settings.title or game.capitalize() or "Books of rules"
    return replace(
        settings,
        title=title,
        tagline=settings.tagline or "{sources} books of rules, compared",
        subtitle=settings.subtitle or "{sources} books of rules, edited and compared",
        publisher=settings.publisher or f"the {title} edition",
        licence=settings.licence or "CC-BY-4.0",
    )


def find_citation_faults(root: Path) -> list[Problem]:
    """Find what is wrong with the file by which a library is cited, if it has one."""
    path = _find_citation_file(str(root), read_settings(root)[0])
    return read_citation_file(path, f"{root.name}/{path.name}")[1] if path else []


def _find_citation_file(root: str, settings: LibrarySettings) -> Path | None:
    """Return the file that the settings name, in the library or the folder around it; None if there is none."""
    folders = (Path(root), Path(root).parent) if root and settings.citation else ()
    return next((folder / settings.citation for folder in folders if (folder / settings.citation).is_file()), None)


def read_library_release(root: str, settings: LibrarySettings, game: str) -> Release:
    """Read how a library is cited: by its own file, as the edition of its game, or by its title.

    Raises ValueError if the file lacks what no citation can do without.
    """
    if path := _find_citation_file(root, settings):
        return read_release(path)
    if game:
        return read_release()
    author = Person(f"The contributors to {settings.publisher}", company=True)
    message = "Please cite it with its version, and a clause or a question by its id."
    return Release(settings.title, __version__, "", (author,), settings.about, (), (settings.licence,), message)
