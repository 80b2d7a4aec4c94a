"""Texts: read from TEI, checked, and imported from other files."""
