"""Pages written by hand: those of every edition, then those of its game, then the library's own.

A page of a later folder takes the place of an earlier one of the same name, whose lists of contents it takes over if
it has none: the navigation is made of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from edition.game import Game
from edition.settings import PAGES

_PAGE_HEAD = "---\norphan: true\nhide-toc: true\n---\n"
CONTENTS_LIST = re.compile(r"^```\{toctree\}\n.*?^```$", re.MULTILINE | re.DOTALL)
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


def list_page_folders(game: Game, root: Path) -> tuple[Path, ...]:
    """List the folders of pages of a library, the one that overrides the others last."""
    return (PAGES, *([game.folder / "pages"] if game.folder else []), root / "pages")


def read_handwritten_pages(folders: Iterable[Path]) -> Mapping[str, str]:
    """Read all pages: path below the edition -> page source."""
    pages: dict[str, str] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.md")):
            name, page = path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")
            contents = [] if CONTENTS_LIST.search(page) else CONTENTS_LIST.findall(pages.get(name, ""))
            pages[name] = "\n\n".join((page, *contents)) + ("\n" if contents else "")
        for path in sorted(folder.rglob("*.ipynb")):
            page = path.relative_to(folder).with_suffix(".md").as_posix()
            pages[page] = render_notebook_markdown(path.read_text(encoding="utf-8"))
    return pages


def find_handwritten_page(folders: Iterable[Path], name: str) -> Path | None:
    """Find the file of a page; None if no folder has it."""
    return next((path for folder in reversed([*folders]) if (path := folder / name).is_file()), None)
