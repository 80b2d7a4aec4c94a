"""Parts of the printed book that need the game."""
