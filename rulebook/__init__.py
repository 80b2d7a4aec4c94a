"""Sources as data: loaded, checked and resolved into rulesets."""

__version__ = "0.1.0"
