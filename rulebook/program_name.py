"""The name of the program that runs, for messages that say what to type."""

from __future__ import annotations

import os
from contextvars import ContextVar

#: Environment variable: the game of a library that names none; the command of a game sets it.
GAME_VARIABLE = "RULEBOOK_GAME"
PLAIN_PROGRAM = "rulebook"  #: of libraries without a game, or with one that adds to its commands
#: Set by a program when it begins; where none has, the game of the environment names it.
running_program: ContextVar[str] = ContextVar("running_program", default="")


def name_program() -> str:
    """Return the name of the program that runs."""
    return running_program.get() or os.environ.get(GAME_VARIABLE) or PLAIN_PROGRAM


def name_command(words: str) -> str:
    """Return a command as one types it: `name_command("check")` is "rulebook check" in the program `rulebook`."""
    return f"{name_program()} {words}"
