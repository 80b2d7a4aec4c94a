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
    ("source",): ("reading.css", "reading.js"),
    ("answers",): ("answers.css", "answers-first.js", "answers.js"),
    ("question",): ("question.css",),
    ("topic", "topics"): ("topics.css",),
    ("costs", "cost-table", "distances", "partings"): ("bars.css",),
    ("costs", "cost-table"): ("bars.js",),
    ("howto", "howto-card", "howtos"): ("rules.css",),
    ("howto-card",): ("card.css", "card.js"),
    ("home-deal",): ("home.css", "home.js"),
    ("find", "words", "cards", "amounts", "names"): ("finding.css",),
    ("find",): ("finding.js",),
    ("deal", "own-deal"): ("anew.css", "anew-record.js", "anew-ledger.js", "anew.js"),
}


def add_assets(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add the style sheets and scripts of the views on a page, each file once.

    A script whose name ends in -first runs before anything is drawn.
    """
    shown = {view for view, _ in app.env.get_domain("reversis").data["shown"].get(page, {})}
    for views, files in _VIEW_ASSETS.items():
        if shown.intersection(views):
            for name in files:
                if name.endswith(".css"):
                    app.add_css_file(name)
                elif name.endswith("-first.js"):
                    app.add_js_file(name)
                else:
                    app.add_js_file(name, loading_method="defer")


def has_editor(shown: Iterable[tuple[str, str]]) -> bool:
    """Return True if a page with these views has a place for the deal editor."""
    return any(view in ("deal", "own-deal") for view, _ in shown)
