"""Script files with the deferred content of pages, one beside each page that has some."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from edition.nodes.deferred import deferred
from edition.site.translator import EditionTranslator

FOLDS_ENDING = ".folds.js"  #: of the file beside a page, instead of .html
FOLDS = "edition_folds"  #: on a document that is being written: key -> HTML


def visit_deferred(translator: EditionTranslator, node: deferred) -> None:
    """Write what stands in the page, and what is fetched apart from it."""
    name = PurePosixPath(translator.builder.current_docname).name
    instead, *content = node.children
    place = {"data-fold": node["key"], "data-folds": f"{name}{FOLDS_ENDING}"}
    translator.body.append(translator.starttag(node, "div", "", CLASS="rv-deferred", **place))
    translator.write(instead)
    translator.body.append("</div>")
    start = len(translator.body)
    for block in content:
        translator.write(block)
    translator.folds[node["key"]] = "".join(translator.body[start:])
    del translator.body[start:]
    raise nodes.SkipNode


def has_folds(doctree: object) -> bool:
    """Return whether some content of a page that has been written is fetched when it is unfolded."""
    return bool(getattr(doctree, FOLDS, None))


def write_folds(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Write the deferred content of a page beside it, as a script that hands it over."""
    folds, path = getattr(doctree, FOLDS, None), Path(app.outdir, f"{page}{FOLDS_ENDING}")
    if not folds:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps(folds, ensure_ascii=False, indent=0).replace("</", "<\\/")
    path.write_text(f"editionFolds({content});\n", encoding="utf-8", newline="\n")
