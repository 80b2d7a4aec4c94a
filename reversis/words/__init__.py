"""Deals and their settlements in words; it also runs in a browser."""
