"""Coding sheets: a source's answers as a table for a spreadsheet, and the way back into clauses.yaml."""
