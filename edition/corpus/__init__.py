"""All that was read, with cross-references between its parts."""
