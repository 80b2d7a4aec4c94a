"""Lines said at the table, and lines heard: at a terminal with a prompt, elsewhere one line for each event."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from edition.cli.output import make_console, print_lines

if TYPE_CHECKING:
    from rich.console import Console


@dataclass
class Talk:
    """The screen and the keyboard, or what stands for them."""

    screen: Console = field(default_factory=make_console)
    is_terminal: bool = field(default_factory=lambda: sys.stdin.isatty() and sys.stdout.isatty())

    def say(self, *lines: str, style: str = "") -> None:
        """Print lines at once."""
        print_lines(self.screen, lines, style)
        sys.stdout.flush()

    def space(self) -> None:
        """Leave a line free, where somebody looks at it."""
        if self.is_terminal:
            self.say("")

    def listen(self, words: str) -> str:
        """Ask for a line. Raises EOFError where nobody answers any more."""
        self.say(words)
        if self.is_terminal:
            return input("> ")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line
