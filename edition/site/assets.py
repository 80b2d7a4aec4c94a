"""The style sheets and scripts that a page fetches besides those of all pages: by what is shown on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sphinx.application import Sphinx

#: Kinds of views -> the style sheets and scripts of every page that shows one of them, in the order of fetching.
NEEDS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("deal",): ("steps.css", "steps.js"),
    ("source",): ("reading.css", "reading.js"),
    ("matrix", "beside"): ("compare.css", "compare.js"),
    ("question",): ("asking.css",),
    ("costs",): ("bars.css",),
    ("titlepage",): ("home.css",),
    ("find", "words", "cards", "amounts", "names"): ("finding.css",),
    ("find",): ("finding.js",),
    ("deal", "own-deal"): ("anew.css", "anew-record.js", "anew-ledger.js", "anew.js"),
}
SEARCH = "search"  #: the page that Sphinx makes by itself; it is laid out like the edition's own search


def add_assets(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add to a page what the things that are shown on it need, each file once."""
    shown = {view for view, _ in app.env.get_domain("reversis").data["shown"].get(page, {})}
    for views, files in NEEDS.items():
        if shown.intersection(views) or (page == SEARCH and "finding.css" in files):
            for name in files:
                if name.endswith(".css"):
                    app.add_css_file(name)
                else:
                    app.add_js_file(name, loading_method="defer")


def has_editor(shown: Iterable[tuple[str, str]]) -> bool:
    """Whether a page that shows these views has a place for the editor of deals."""
    return any(view in ("deal", "own-deal") for view, _ in shown)
