"""Commands that look things up: lists, and one thing by its id."""
