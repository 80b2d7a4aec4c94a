"""From the files of `sources/` to a library: reads everything, collects every problem, remembers every place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.games import find_library_game
from rulebook.library_settings import SETTINGS_FILE, read_settings
from rulebook.model import FrozenMap, Library
from rulebook.problems import NotInOrder, Problem, Where
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.file_reader import LibraryFileReader
from rulebook.sources.id_registry import read_registry
from rulebook.sources.paths import find_links
from rulebook.sources.questions import read_questions
from rulebook.sources.source_folder import read_source
from rulebook.spelling import NO_TABLE, read_spelling

_LINK_FAULT = ("is a link, and what it leads to is no part of the sources", "put the file or folder itself there")

_QUESTIONS_HINT = "put one into a file there, such as 10-first.yaml; `rulebook help guide` has examples"


def assemble_library(
    root: Path, unsaved: Mapping[Path, str] | None = None
) -> tuple[AssembledLibrary | None, list[Problem]]:
    """Read the library with its places, and what could not be read; nothing if there are no questions, or links.

    Of the files in `unsaved` the letters given there are read, as if they were written already.
    """
    if links := sorted(find_links(root)):
        return None, [Where(f"{root.name}/{name}").problem(*_LINK_FAULT) for name in links]
    desk = LibraryFileReader(root, unsaved)
    desk.settings, _ = read_settings(root)
    game, faults = find_library_game(root)
    desk.problems += faults
    if twice := sorted(LIBRARY_KINDS.keys() & (game.kinds if game else {})):
        what = f"the game {game.name} has a kind of answers {twice[0]}, which every library has"
        desk.problems.append(Where(f"{root.name}/{SETTINGS_FILE}").problem(what, "its author must name it otherwise"))
    desk.kinds = {**LIBRARY_KINDS, **(game.kinds if game else {})}
    before = len(desk.problems)
    questions = read_questions(desk)
    if not questions:
        if len(desk.problems) == before:  # else it may hold some, and they cannot be read
            desk.problems.append(Where(f"{root.name}/questions").problem("holds no question", _QUESTIONS_HINT))
        return None, desk.all()
    spelling, faults = read_spelling(root / "spelling.yaml") if (root / "spelling.yaml").exists() else (NO_TABLE, [])
    desk.note(root / "spelling.yaml", faults, lost=bool(faults))
    folders = [path.parent for path in sorted(root.glob("*/source.yaml"))]
    if not folders and not (root / SETTINGS_FILE).is_file():  # a library that has begun has its settings first
        desk.problems.append(Where(root.name).problem("holds no source", "a source is a folder with a source.yaml"))
    sources = [source for folder in folders if (source := read_source(desk, folder, questions, spelling))]
    if desk.settings.order == "date":
        sources.sort(key=lambda source: (source.first_year, source.siglum))
    library = Library(FrozenMap(questions), FrozenMap((source.siglum, source) for source in sources), root=str(root))
    lost = bool(desk.problems)
    registry, incomplete = read_registry(desk), frozenset(desk.incomplete)
    return AssembledLibrary(library, tuple(desk.givens), desk.places, incomplete, lost, registry), desk.all()


def assemble_whole_library(root: Path) -> AssembledLibrary:
    """Read the library with its places. Raises NotInOrder if part of it could not be read."""
    case, problems = assemble_library(root)
    if case is None or case.lost:
        raise NotInOrder("\n".join(map(str, problems)))
    return case
