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
    found = (here.parent / "vendor" / name, here / f"_{name}")
    return next((path for path in found if (path / file).is_file()), found[0])


SERIF = (  # ours, from the edition's own folder (type.css); the others stand in until it is there
    '"Reversis Suits", "Junicode", "EB Garamond", "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", '
    'Georgia, "Liberation Serif", "Noto Serif", serif'
)

LIGHT: Mapping[str, str] = {
    "font-stack": SERIF,
    "font-stack--headings": SERIF,
    "color-code-background": "#f2eee2",
    "color-code-foreground": "#1c1a17",
    "color-brand-primary": "#7a1f1f",
    "color-brand-content": "#1d4f6b",
    "color-brand-visited": "#4b3b73",
    "color-background-primary": "#fdfcf8",
    "color-background-secondary": "#f6f3ea",
    "color-foreground-primary": "#1c1a17",
    "color-foreground-secondary": "#4f4a42",
    "color-foreground-muted": "#615b51",
    "color-sidebar-link-text": "#3a352d",
    "color-sidebar-link-text--top-level": "#3a352d",
    "rv-red": "#b01e1e",
    "rv-black": "#1c1a17",
    "rv-rule": "#d9d2c2",
    "rv-wash": "#f3efe3",
    "rv-target": "#fbf0c4",
    "rv-a": "#dfe9f2",
    "rv-b": "#f4e3cb",
    "rv-c": "#deecd6",
    "rv-d": "#f0dcea",
    "rv-warn": "#7d4700",
    "rv-good": "#24603a",
    "rv-felt": "#eaf0e4",
    **list_hue_variables(LIGHT_HUES),
    **list_shape_variables(),
}
DARK: Mapping[str, str] = {
    "color-code-background": "#242119",
    "color-code-foreground": "#e9e4d8",
    "color-brand-primary": "#e8a29a",
    "color-brand-content": "#8fc3df",
    "color-brand-visited": "#c0b0ec",
    "color-background-primary": "#171613",
    "color-background-secondary": "#1f1d19",
    "color-foreground-primary": "#e9e4d8",
    "color-foreground-secondary": "#bfb8a8",
    "color-foreground-muted": "#a9a294",
    "color-sidebar-link-text": "#cfc8b9",
    "color-sidebar-link-text--top-level": "#cfc8b9",
    "rv-red": "#ff8379",
    "rv-black": "#efeae0",
    "rv-rule": "#433e35",
    "rv-wash": "#242119",
    "rv-target": "#4a3f14",
    "rv-a": "#20374a",
    "rv-b": "#4a3519",
    "rv-c": "#263f22",
    "rv-d": "#47293f",
    "rv-warn": "#f0b878",
    "rv-good": "#8fd0a5",
    "rv-felt": "#1b231c",
    **list_hue_variables(DARK_HUES),
}

SPHINX_SETTINGS: Mapping[str, Any] = {
    "extensions": ["myst_parser", "sphinxcontrib.bibtex", "edition"],
    "project": "Reversis",
    "author": "the contributors to the Reversis edition",
    "project_copyright": "the contributors to the Reversis edition; texts and data CC BY 4.0",
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
    "html_theme": "furo",
    "html_title": "Reversis",
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_search_summary": False,  # it would fetch pages, which a folder on a disk does not allow
    "html_use_index": False,
    "html_domain_indices": False,
    "html_permalinks_icon": "§",
    "html_theme_options": {
        "light_css_variables": dict(LIGHT),
        "dark_css_variables": dict(DARK),
        "top_of_page_buttons": [],
        "enable_search_shortcuts": False,  # the edition has keys of its own, which can be switched off
    },
}
