"""Parts of pages of the edition that need the game."""
