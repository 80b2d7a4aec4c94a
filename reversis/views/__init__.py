"""Pages that need the game."""
