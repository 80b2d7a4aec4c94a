"""Schemas of the YAML files that people write, and the report of their faults."""
