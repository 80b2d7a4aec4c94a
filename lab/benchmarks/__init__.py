"""Benchmarks of surveys and players; nothing here is a test."""
