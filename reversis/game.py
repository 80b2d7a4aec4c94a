"""Reversis, as it is handed to the edition."""

from collections.abc import Mapping
from pathlib import Path

from edition.game import Game, GameCommand

_PLAY, _STUDY = "Play and settle", "Study"
COMMANDS: Mapping[str, GameCommand] = {
    "supply": GameCommand(
        "Supply what deals need and a source does not say.", "Work on sources", "reversis.cli.supply:supply_command"
    ),
    "run": GameCommand(
        "Settle deals: who pays whom, and which clause says so.", _PLAY, "reversis.cli.run:run_command", paged=True
    ),
    "explain": GameCommand(
        "Explain every payment of a deal, and why others are not made.",
        _PLAY,
        "reversis.cli.explain:explain_command",
        paged=True,
    ),
    "deal": GameCommand(
        "Make a deal: new, random, filled in, or read from a diagram.", _PLAY, "reversis.cli.deal:deal_command"
    ),
    "session": GameCommand(
        "Play several deals in a row: accounts and pool are carried on.",
        _PLAY,
        "reversis.cli.session:session_command",
        paged=True,
    ),
    "play": GameCommand(
        "Play at a table: you, and players who look ahead.", _PLAY, "reversis.cli.table.play:play_command"
    ),
    "hint": GameCommand(
        "Show what a player who looks ahead would play, and what each card is worth.",
        _PLAY,
        "reversis.cli.hint.hint:hint_command",
        paged=True,
    ),
    "separate": GameCommand(
        "Show the smallest deal on which two sources differ.",
        _STUDY,
        "reversis.cli.separate:separate_command",
        paged=True,
    ),
    "worlds": GameCommand(
        "Show which results of a deal depend on how a source is read.",
        _STUDY,
        "reversis.cli.worlds:worlds_command",
        paged=True,
    ),
    "survey": GameCommand("Simulate many deals and count results.", _STUDY, "reversis.cli.survey:survey_command"),
}
GAME = Game(
    "reversis",
    {
        "commands": "reversis.game:COMMANDS",
        "chapters": "reversis.book.chapters:GAME_CHAPTERS",
        "exports": "reversis.export.exports:GAME_EXPORTS",
        "kinds": "engine.answers:GAME_KINDS",
        "schemas": "reversis.files.counsel_file:GAME_SCHEMAS",
        "readers": "reversis.files.readers:GAME_READERS",
        "pages": "reversis.views.pages:GAME_PAGES",
        "lookups": "reversis.cli.lookups:LOOKUPS",
        "panels": "reversis.views.panels.places:PANELS",
        "scripts": "reversis.site.scripts:list_scripts",
        "tasks": "reversis.findings.shared_results:TASKS",
        "check": "reversis.findings.expectations:find_unexpected_results",
    },
    Path(__file__).parent,
)
