"""The game of Hearts, put in the way of `rulebook` as an installer would, but for this process alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulebook.program_name import GAME_VARIABLE
from rulebook.sources.paths import SOURCES_VARIABLE
from tests.support.places import CLONE

HEARTS = CLONE / "examples" / "hearts"
GAME_FOLDER = HEARTS / "game"


@contextmanager
def install_hearts_game(folder: Path) -> Iterator[pytest.MonkeyPatch]:
    """Install the game: an entry point in a folder, which with that of its package is searched for modules."""
    record = folder / "hearts_game-0.1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: hearts-game\nVersion: 0.1.0\n", encoding="utf-8")
    (record / "entry_points.txt").write_text("[rulebook.games]\nhearts = hearts_game.game:GAME\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        for name in (GAME_VARIABLE, SOURCES_VARIABLE):  # as the command of the toolkit reads it
            patched.delenv(name, raising=False)
        patched.syspath_prepend(str(GAME_FOLDER))
        patched.syspath_prepend(str(folder))
        yield patched
