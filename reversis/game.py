"""Reversis, as it is handed to the edition."""

from pathlib import Path

from edition.game import Game

GAME = Game(
    "reversis",
    {
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
