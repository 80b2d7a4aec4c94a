"""Benchmarks of the readable engine; nothing here is a test."""
