"""Run the cells of the tutorial in order and keep their outputs in the notebook.

    python -m proofs.tutorial           run reversis/pages/tutorial.ipynb and write its outputs into it

No kernel is needed: a cell is Python, and its output is what it prints, and what its last line comes to. A figure is
kept as SVG without styles, since the site's pages allow none.
"""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import reversis
from rulebook.io.files import atomic_write

TUTORIAL = Path(reversis.__file__).parent / "pages" / "tutorial.ipynb"


def run_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with the outputs of its cells, run from the first to the last in one namespace."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "reversis"}
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell = {**cell, "execution_count": count, "outputs": [*_run_cell("".join(cell["source"]), names, count)]}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _run_cell(source: str, names: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """Run one cell; yield what it printed, then what its last line came to, then its figures."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    tree.body = tree.body[:-1] if last else tree.body
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None
    if printed.getvalue():
        yield {"output_type": "stream", "name": "stdout", "text": _split_lines(printed.getvalue())}
    figures = [*_take_figures()]
    if value is not None and not figures:
        data = {"text/plain": _split_lines(repr(value))}
        html = getattr(value, "_repr_html_", lambda: None)()
        data |= {"text/html": _split_lines(html)} if html else {}
        yield {"output_type": "execute_result", "execution_count": count, "data": data, "metadata": {}}
    for drawing in figures:
        yield {"output_type": "display_data", "data": {"image/svg+xml": _split_lines(drawing)}, "metadata": {}}


def _take_figures() -> Iterator[str]:
    """Yield the open figures as SVG, and close them."""
    from matplotlib import pyplot

    for number in pyplot.get_fignums():
        letters = io.StringIO()
        pyplot.figure(number).savefig(letters, format="svg", metadata={"Date": None}, transparent=True)
        yield simplify_svg(letters.getvalue())
    pyplot.close("all")


def simplify_svg(letters: str) -> str:
    """Return a drawing without prologue, metadata and styles; each style becomes an attribute."""
    letters = letters[letters.index("<svg") :]
    letters = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", letters, flags=re.DOTALL)
    letters = re.sub(r' style="([^"]*)"', lambda match: "".join(_format_style(match[1])), letters)
    letters = letters.replace("#000000", "currentColor")
    return re.sub(r"\n\s*\n", "\n", letters)


def _format_style(style: str) -> Iterator[str]:
    for part in filter(None, map(str.strip, style.split(";"))):
        name, _, value = (piece.strip() for piece in part.partition(":"))
        if name == "font":
            name, value = "font-size", re.sub(r"\D.*", "", value)
        yield f' {name}="{value}"'


def _split_lines(words: str) -> list[str]:
    return words.splitlines(keepends=True)


def read_notebook(path: Path = TUTORIAL) -> dict[str, Any]:
    """Read a notebook."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def main() -> None:
    """Run the tutorial and write its outputs."""
    words = json.dumps(run_notebook(read_notebook()), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    with atomic_write(TUTORIAL, 0o644) as path:
        Path(path).write_text(words, encoding="utf-8", newline="\n")
    print(f"{TUTORIAL.name}: outputs written")


if __name__ == "__main__":
    main()
