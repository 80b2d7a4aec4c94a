"""The sources of the edition with a fifth beside them, invented, that contradicts them all."""

from __future__ import annotations

import shutil
from pathlib import Path

from rulebook.sources.paths import find_sources
from tests.support.places import DATA

HERE = DATA / "fifth"
SIGLUM = "FIF"
#: what is reckoned from all sources, and what only a larger library would need
RECKONED = ("survey", "receipts", "attributions.json", "separating.json")


def with_fifth(folder: Path) -> Path:
    """A copy of all sources, and the fifth among them; the folder of sources."""
    root = folder / "sources"
    shutil.copytree(find_sources(), root, ignore=shutil.ignore_patterns(*RECKONED))
    shutil.copytree(HERE / SIGLUM, root / SIGLUM)
    return root


#: Of another source: no worked deals, nor what rests on them.
WITHOUT_DEALS = shutil.ignore_patterns("deals", "coding*", "settled*", "printed*")


def small(folder: Path) -> Path:
    """The fifth beside one other source: enough for its pages."""
    root, ours = folder / "sources", find_sources()
    shutil.copytree(ours / "questions", root / "questions")
    shutil.copytree(ours / "PAR", root / "PAR", ignore=WITHOUT_DEALS)
    shutil.copytree(HERE / SIGLUM, root / SIGLUM)
    shutil.copy(ours / "bibliography.bib", root)
    return root


def whole_game(folder: Path) -> Path:
    """The same two; in the other one the espagnolette may renounce the whole game, down to the last trick (Q081: 0)."""
    root = small(folder)
    clauses = root / "PAR" / "clauses.yaml"
    said = clauses.read_text(encoding="utf-8")
    for number, (before, after) in enumerate(NINE_OF_ELEVEN.items()):
        assert said.count(before) == (2, 1, 1)[number]
        said = said.replace(before, after)
    clauses.write_text(said, encoding="utf-8", newline="\n")
    return root


#: what the other one says of the first nine tricks, and what it would say of all eleven
NINE_OF_ELEVEN = {
    "    Q081: 2  ": "    Q081: 0  ",
    'computation: "11 tricks - 10 + 1 = 2"': 'computation: "no trick is left out = 0"',
    """reviewer: ed3
  computation: "11 tricks - the first 9 = 2"

- id: PAR.c062""": """reviewer: ed3
  computation: "no trick is left out = 0"

- id: PAR.c062""",
}
