"""Hearts, as it is handed to the edition: a part of it is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from edition.game import Game, GameCommand

COMMANDS: Mapping[str, GameCommand] = {
    "run": GameCommand(
        "Settle deals: who pays whom, and which clause says so.", "Play", "hearts_game.commands:run_command", paged=True
    ),
    "explain": GameCommand(
        "Explain every payment of a deal, in the source's words.",
        "Study",
        "hearts_game.commands:explain_command",
        paged=True,
    ),
}
GAME = Game(
    "hearts",
    {
        "commands": "hearts_game.game:COMMANDS",
        "readers": "hearts_game.deals:READERS",
        "check": "hearts_game.settlement:find_unexpected_results",
        "lookups": "hearts_game.lookups:LOOKUPS",
        "pages": "hearts_game.views:PAGES",
        "panels": "hearts_game.views:PANELS",
    },
    Path(__file__).parent,
)
