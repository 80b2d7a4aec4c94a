"""Docutils nodes: builders, charts, lists."""
