"""Meanings of the readings, by subject: a table of a number or a small function for each question."""
