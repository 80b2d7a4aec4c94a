"""Page source of a notebook: its texts, its code, and the outputs that are kept in it, as Markdown.

Nothing is run here. Outputs lose their styles, since a page takes none but the site's (`edition.site.csp`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_PAGE_HEAD = "---\norphan: true\nhide-toc: true\n---\n"
_STYLES = re.compile(r'<style.*?</style>| (?:style|border)="[^"]*"', re.DOTALL)


def render_notebook_markdown(letters: str) -> str:
    """Return a notebook as the Markdown of a page."""
    parts = (part for cell in json.loads(letters)["cells"] for part in _render_cell(cell))
    return _PAGE_HEAD + "\n" + "\n\n".join(parts) + "\n"


def _render_cell(cell: Mapping[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        yield source
        return
    yield _fence("python", source)
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text", [])})
        kind = next(kind for kind in _OUTPUT_RENDERERS if kind in data)
        yield _OUTPUT_RENDERERS[kind]("".join(data[kind]))


def _render_html(words: str) -> str:
    start = '<div class="rv-output" tabindex="0" role="group" aria-label="Output">'
    return _fence("{raw} html", f"{start}{_STYLES.sub('', words)}</div>")


def _render_drawing(words: str) -> str:
    start = '<div class="rv-output" role="img" aria-label="Chart drawn by the code above">'
    return _fence("{raw} html", f"{start}{words}</div>")


def _fence(kind: str, words: str) -> str:
    return f"```{kind}\n{words.rstrip()}\n```"


#: Kind of output -> what renders it, the richest first.
_OUTPUT_RENDERERS: Mapping[str, Callable[[str], str]] = {
    "image/svg+xml": _render_drawing,
    "text/html": _render_html,
    "text/plain": lambda words: _fence("text", words),
}
