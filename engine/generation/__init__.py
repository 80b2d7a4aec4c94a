"""Deals made to order: at random, from wishes, from parts of a deal."""
