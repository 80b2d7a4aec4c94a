"""Exports that need the game."""
