"""Shapes of the YAML files that people write, and how a fault in one is told."""
