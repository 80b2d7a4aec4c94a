"""Mutation testing: the engine made wrong, place by place, and which tests notice."""
