"""Readings as the engine understands them.

There is one function or table for each answer that a clause may give.
"""
