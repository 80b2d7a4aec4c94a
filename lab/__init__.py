"""Surveys, search and training, in compiled code."""
