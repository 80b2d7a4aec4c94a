"""The game of a library: named in its `library.yaml`, and found as an entry point of the group `rulebook.games`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulebook.problems import Problem, Where
from rulebook.program_name import GAME_VARIABLE
from rulebook.suggestions import did_you_mean

GAMES_GROUP = "rulebook.games"  #: entry points of this group are games


class UnknownGame(Exception):
    """No distribution that is installed has a game of this name."""


class UnusableGame(Exception):
    """A game cannot be used, or two distributions hand over one of the same name."""


def load_game(name: str) -> Any:
    """Return what a game hands over, None for no name. Raises UnknownGame and UnusableGame."""
    if not name:
        return None
    from importlib.metadata import entry_points  # it takes a moment to import

    points = entry_points(group=GAMES_GROUP)
    candidates = [point for point in points if point.name == name]
    if not candidates:
        known = {point.name for point in points}
        raise UnknownGame(f"no game {name} is installed; {did_you_mean(name, known, 'install what has it')}")
    if len({point.value for point in candidates}) > 1:
        raise UnusableGame(f"two distributions have a game {name}: {', '.join(sorted(p.value for p in candidates))}")
    try:
        return candidates[0].load()
    except Exception as fault:  # whatever another's program raises
        raise UnusableGame(f"the game {name} cannot be used ({type(fault).__name__}: {fault})") from fault


def load_every_game() -> Iterator[Any]:
    """Yield what each game that is installed hands over; those that cannot be used are left out."""
    from importlib.metadata import entry_points

    for name in sorted({point.name for point in entry_points(group=GAMES_GROUP)}):
        with suppress(UnusableGame):
            yield load_game(name)


def find_library_game(root: Path | None) -> tuple[Any, list[Problem]]:
    """Return what the game of a library hands over, that of the command where it names none, and what is wrong.

    A game that is not installed is no problem: `explain_missing_game` says so, and nothing is played.
    """
    from rulebook.library_settings import SETTINGS_FILE, read_settings  # with it YAML is imported

    named = read_settings(root)[0].game if root else ""
    try:
        return load_game(named or os.environ.get(GAME_VARIABLE, "")), []
    except UnknownGame:
        return None, []
    except UnusableGame as fault:
        place = Where(f"{root.name}/{SETTINGS_FILE}" if root else SETTINGS_FILE)
        return None, [place.problem(str(fault), "install another version of it, or leave `game` out")]


def explain_missing_game(root: Path) -> str:
    """Explain that the game of a library is not installed, and how it can be; empty where nothing is missing."""
    from rulebook.library_settings import SETTINGS_FILE, read_settings

    settings = read_settings(root)[0]
    try:
        load_game(settings.game)
    except UnknownGame as fault:
        way_out = f"pip install {settings.game_from}" if settings.game_from else "`game_from` may name what to install"
        return f"{root.name}/{SETTINGS_FILE}: {fault} ({way_out}). Nothing is played."
    except UnusableGame:
        pass  # a problem, which is told as such
    return ""
