"""Reversis, as it is handed to the edition."""

from edition.game import Game

GAME = Game(
    "reversis",
    {
        "chapters": "reversis.book.chapters:CHAPTERS",
        "exports": "reversis.export.exports:EXPORTS",
        "readers": "reversis.files.readers:READERS",
        "lookups": "reversis.cli.lookups:LOOKUPS",
        "pages": "reversis.views.pages:PAGES",
        "panels": "reversis.views.panels.places:PANELS",
        "tasks": "reversis.findings.tasks:TASKS",
        "check": "reversis.findings.expectations:find_unexpected_results",
    },
)
