"""Findings from playing the library: costs, causes, effects, separations."""
