"""Which style sheets and scripts a page fetches besides those of all pages: those of what is shown there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sphinx.application import Sphinx

#: What is shown on a page -> the style sheets and scripts that it needs.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "matrix": ("compare.css", "compare.js"),
    "beside": ("compare.css", "compare.js"),
    "question": ("asking.css",),
    "costs": ("bars.css",),
    "titlepage": ("home.css",),
}


def dressed(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add to a page what is needed by the things that are shown on it, each file once."""
    shown = app.env.get_domain("reversis").data["shown"].get(page, {})
    for name in dict.fromkeys(file for view, _ in shown for file in NEEDS.get(view, ())):
        if name.endswith(".css"):
            app.add_css_file(name)
        else:
            app.add_js_file(name, loading_method="defer")
