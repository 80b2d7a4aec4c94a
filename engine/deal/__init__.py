"""Deals as records and as diagrams: what was dealt, played and done wrong, and the pool."""
