"""The game of Hearts, for a library that names it: deals played and settled by the answers of each source."""
