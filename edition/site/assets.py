"""Style sheets and scripts that a page fetches besides those of all pages.

They depend on the views that the page shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sphinx.application import Sphinx

#: Kinds of views -> the style sheets and scripts of every page that shows one of them, in the order of fetching.
_VIEW_ASSETS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("deal",): ("steps.css", "steps.js"),
    ("deals", "sessions"): ("deals.css",),
    ("deals",): ("deals.js",),
    ("source",): ("reading.css", "reading.js"),
    ("matrix", "beside"): ("compare.css", "compare.js"),
    ("question",): ("asking.css",),
    ("costs",): ("bars.css",),
    ("home-deal",): ("home.css", "home.js"),
    ("find", "words", "cards", "amounts", "names"): ("finding.css",),
    ("find",): ("finding.js",),
    ("own-deal",): ("anew.css", "anew-record.js", "anew-ledger.js", "anew.js"),
}
_SEARCH_PAGE = "search"  #: the page that Sphinx makes by itself; it is laid out like the edition's own search


def add_assets(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add the style sheets and scripts of the views on a page, each file once."""
    shown = {view for view, _ in app.env.get_domain("reversis").data["shown"].get(page, {})}
    for views, files in _VIEW_ASSETS.items():
        if shown.intersection(views) or (page == _SEARCH_PAGE and "finding.css" in files):
            for name in files:
                if name.endswith(".css"):
                    app.add_css_file(name)
                else:
                    app.add_js_file(name, loading_method="defer")


def has_editor(shown: Iterable[tuple[str, str]]) -> bool:
    """Return True if a page with these views has a place for the deal editor."""
    return any(view == "own-deal" for view, _ in shown)
