"""Sphinx settings of the edition, and the folders that it needs.

`conf.py` takes them from here, because an installed copy has this module too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from edition.palette import DARK_HUES, LIGHT_HUES, list_hue_variables, list_shape_variables
from rulebook import __version__

PAGES = Path(__file__).parent / "pages"  #: the pages written by hand


def find_vendor_folder(name: str, file: str) -> Path:
    """The folder of something in `vendor/` with this file: in a clone, or in an installed copy."""
    here = Path(__file__).resolve().parent
    folders = (here.parent / "vendor" / name, here / f"_{name}")
    return next((path for path in folders if (path / file).is_file()), folders[0])


SERIF = (  # ours, from the edition's own folder (frame.css); the others stand in until it is there
    '"Edition Suits", "Junicode", "EB Garamond", "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", '
    'Georgia, "Liberation Serif", "Noto Serif", serif'
)
SANS = (
    '"Edition Suits", system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", "Noto Sans", Arial, '
    "sans-serif"
)

#: Colour means a book: nothing else is coloured but red suits and the green of the card table.
LIGHT: Mapping[str, str] = {
    "rv-serif": SERIF,
    "rv-sans": SANS,
    "rv-paper": "#fcfcf9",
    "rv-raised": "#ffffff",
    "rv-sunk": "#f3f3ee",
    "rv-ink": "#1a1c1b",
    "rv-soft": "#565b58",
    "rv-line": "#d9dad3",
    "rv-hair": "#e9e9e3",
    "rv-felt": "#e3ece5",
    "rv-felt-line": "#bccdc1",
    "rv-red": "#b3202a",
    "rv-target": "#fff3b8",
    "rv-card": "#fffef9",
    "rv-card-line": "#8b887b",
    **list_hue_variables(LIGHT_HUES),
    **list_shape_variables(),
}
DARK: Mapping[str, str] = {
    "rv-paper": "#151716",
    "rv-raised": "#1d201f",
    "rv-sunk": "#1f2322",
    "rv-ink": "#ebe9e2",
    "rv-soft": "#a5aaa6",
    "rv-line": "#3a403d",
    "rv-hair": "#2a2e2c",
    "rv-felt": "#1b2a22",
    "rv-felt-line": "#33493d",
    "rv-red": "#ff9a94",
    "rv-target": "#4a4320",
    "rv-card": "#efece0",
    "rv-card-line": "#77756b",
    **list_hue_variables(DARK_HUES),
}

SPHINX_SETTINGS: Mapping[str, Any] = {
    "extensions": ["myst_parser", "sphinxcontrib.bibtex", "edition"],
    "version": __version__,
    "release": __version__,
    "language": "en",
    "smartquotes": False,  # period text keeps its own quotation marks
    "nitpicky": True,
    "myst_enable_extensions": ["attrs_block", "attrs_inline", "deflist"],
    "myst_heading_anchors": 3,
    "bibtex_bibfiles": [],  # the extension puts in the one that lies with the sources
    "bibtex_default_style": "plain",
    "bibtex_cite_id": "{key}",  # an address that stays, whatever is added to the list
    "html_theme": "edition",
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_search_summary": False,  # it would fetch pages, which a folder on a disk does not allow
    "html_use_index": False,
    "html_domain_indices": False,
    "html_permalinks_icon": "§",
    "html_theme_options": {
        "light_css_variables": dict(LIGHT),
        "dark_css_variables": dict(DARK),
    },
}
