"""English phrases for values, and text that is folded, marked or searched."""
