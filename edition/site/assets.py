"""Style sheets and scripts that a page fetches besides those of all pages.

They depend on the views that the page shows, and are named beside each (`edition.views.page_kinds`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from sphinx.application import Sphinx

from edition.nodes.builders import DOMAIN
from edition.site.deferred import has_folds
from edition.site.domain import EditionDomain

#: Sheets that come after that of all paper (`print.css`, 900): in Chromium a paper with a name yields to the `@page` of
#: any later sheet.
_SHEET_PRIORITIES: Mapping[str, int] = {"card.css": 910}


def add_assets(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add the style sheets and scripts of the views on a page, each file once.

    A script whose name ends in -first runs before anything is drawn.
    """
    domain = cast(EditionDomain, app.env.get_domain(DOMAIN))
    kinds = dict.fromkeys(kind for kind, _ in domain.data["shown"].get(page, {}))
    if has_folds(doctree):  # whatever it shows: without them nothing would come when a fold is opened
        app.add_js_file("deferred-first.js")
        app.add_js_file("deferred.js", loading_method="defer")
    assets = dict.fromkeys(name for kind in kinds for name in domain.pages[kind].assets)
    scripts = domain.opened().game.scripts(kinds.keys())
    for name in (*(name for name in scripts if name not in assets), *assets):
        if name.endswith(".css"):
            app.add_css_file(name, priority=_SHEET_PRIORITIES.get(name, 500))
        elif name.endswith("-first.js"):
            app.add_js_file(name)
        else:
            app.add_js_file(name, loading_method="defer", **scripts.get(name, {}))
