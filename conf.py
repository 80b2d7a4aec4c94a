"""Sphinx configuration. What it says stands in `edition/settings.py`, which an installed copy has too."""

from edition.settings import SPHINX_SETTINGS

globals().update(SPHINX_SETTINGS)
