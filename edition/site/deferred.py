"""Script files with the deferred content of pages, one beside each page that has some."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import Any

from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from edition.nodes.deferred import deferred

FOLDS_ENDING = ".folds.js"  #: of the file beside a page, instead of .html
_FOLDS = "edition_folds"  #: on a document: key -> HTML


def visit_deferred(translator: HTML5Translator, node: deferred) -> None:
    """Write what stands in the page, and take what is fetched out of it."""
    name = PurePosixPath(translator.builder.current_docname).name
    instead, *content = node.children
    place = {"data-fold": node["key"], "data-folds": f"{name}{FOLDS_ENDING}"}
    translator.body.append(translator.starttag(node, "div", "", CLASS="rv-deferred", **place))
    instead.walkabout(translator)
    translator.body.append("</div>")
    translator.document.__dict__.setdefault(_FOLDS, {})[node["key"]] = _render_apart(translator, content)
    node.children = []  # they have been written


def _render_apart(translator: HTML5Translator, content: list[Any]) -> str:
    """HTML of some nodes, which does not go into the page."""
    start = len(translator.body)
    for one in content:
        one.walkabout(translator)
    made = "".join(translator.body[start:])
    del translator.body[start:]
    return made


def depart_deferred(translator: HTML5Translator, node: deferred) -> None:
    """Do nothing: all has been written."""


def has_folds(doctree: object) -> bool:
    """Return whether some content of a page that has been written is fetched when it is unfolded."""
    return bool(getattr(doctree, _FOLDS, None))


def write_folds(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Write the deferred content of a page beside it, as a script that hands it over."""
    folds, path = getattr(doctree, _FOLDS, None), Path(app.outdir, f"{page}{FOLDS_ENDING}")
    if not folds:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    said = json.dumps(folds, ensure_ascii=False, indent=0).replace("</", "<\\/")
    path.write_text(f"editionFolds({said});\n", encoding="utf-8", newline="\n")
