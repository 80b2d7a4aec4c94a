"""The game of a library: named in its `library.yaml`, and found as an entry point of the group `rulebook.games`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rulebook.problems import Problem, Where
from rulebook.suggestions import did_you_mean

GAMES_GROUP = "rulebook.games"  #: entry points of this group are games
#: Environment variable: the game of a library that names none; the command of a game sets it.
GAME_VARIABLE = "RULEBOOK_GAME"


class UnknownGame(Exception):
    """No distribution that is installed has a game of this name."""


def load_game(name: str) -> Any:
    """Return what a game hands over, None for no name. Raises UnknownGame."""
    if not name:
        return None
    from importlib.metadata import entry_points  # it takes a moment to import

    points = {point.name: point for point in entry_points(group=GAMES_GROUP)}
    if name not in points:
        hint = did_you_mean(name, points, "install the distribution that has it")
        raise UnknownGame(f"no game {name} is installed; {hint}")
    return points[name].load()


def find_library_game(root: Path | None) -> tuple[Any, list[Problem]]:
    """Return what the game of a library hands over, that of the command where it names none, and what is wrong."""
    from rulebook.library_settings import SETTINGS_FILE, read_settings  # with it YAML is imported

    named = read_settings(root)[0].game if root else ""
    try:
        return load_game(named or os.environ.get(GAME_VARIABLE, "")), []
    except UnknownGame as fault:
        place = Where(f"{root.name}/{SETTINGS_FILE}" if root else SETTINGS_FILE)
        return None, [place.problem(str(fault), "or leave `game` out")]
