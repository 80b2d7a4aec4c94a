"""Playing at a table in the terminal."""
