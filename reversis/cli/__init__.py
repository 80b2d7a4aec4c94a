"""Commands that need the game."""
