"""Reversis, as it is handed to the edition."""

from edition.game import Game

GAME = Game(
    "reversis",
    {
        "readers": "reversis.files.readers:READERS",
        "pages": "reversis.views.pages:PAGES",
    },
)
