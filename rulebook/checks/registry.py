"""The registry of ids: what was published once can be pointed to for ever.

`check --update` (and `python -m rulebook.checks.registry`) adds every new id to registry.yaml. It takes none out: an id
that is gone needs a tombstone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rulebook.io.files import replace_file
from rulebook.io.strict_yaml import read_yaml
from rulebook.problems import NotInOrder
from rulebook.sources.assemble import assemble_whole_library
from rulebook.sources.id_registry import REGISTRY_FILE
from rulebook.sources.paths import find_working_library
from rulebook.sources.published_ids import PUBLISHED, iter_published_ids

_REGISTRY_HEADER = """\
# Every id that was ever published, by kind. Written by `python -m rulebook.checks.registry`, which adds and never
# removes; what became of an id that is gone is told in tombstones.yaml.
"""


def register_new_ids(root: Path) -> list[str]:
    """Add every new id of a library to its registry; return the ids added.

    Raises NotInOrder.
    """
    ids = read_registered_ids(root / REGISTRY_FILE)
    known = {id for group in ids.values() for id in group}
    fresh = [(kind, id) for kind, id in _iter_current_ids(root) if id not in known]
    if not fresh and known:
        return []
    every = {
        kind: [*ids.get(kind, ()), *(id for new_kind, id in fresh if new_kind == kind)] for kind in (*PUBLISHED, *ids)
    }
    replace_file(root / REGISTRY_FILE, _render_registry(every))
    return [id for _, id in fresh]


def read_registered_ids(path: Path) -> dict[str, list[str]]:
    """Read the ids in a registry, by kind; none if there is no registry yet."""
    if not path.exists():
        return {}
    data, _, problems = read_yaml(path)
    if problems or not isinstance(data, dict):
        raise NotInOrder("\n".join(map(str, problems)) or f"{path.name} is no table")
    return {kind: [str(id) for id in ids] if isinstance(ids, list) else [] for kind, ids in data.items()}


def _iter_current_ids(root: Path) -> Iterator[tuple[str, str]]:
    """Yield everything that a reader may point to now: kind and id."""
    yield from dict.fromkeys((kind, id) for kind, id, _ in iter_published_ids(assemble_whole_library(root)))


def _render_registry(ids: Mapping[str, Iterable[str]]) -> str:
    """Render a registry as its file: every kind, one id a line, in order."""
    lines = [_REGISTRY_HEADER]
    for kind, group in ids.items():
        entries = sorted(set(group), key=natural_sort_key)
        lines.append(f"{kind}:\n" + "".join(f"  - {id}\n" for id in entries) if entries else f"{kind}: []\n")
    return "".join(lines)


def natural_sort_key(id: str) -> list[tuple[str, int]]:
    """Return a sort key by which c99 comes before c100."""
    return [(words, int(digits or 0)) for words, digits in re.findall(r"(\D*)(\d*)", id)]


def main() -> int:
    """Bring the registry up to date, and say what was added."""
    try:
        fresh = register_new_ids(find_working_library())
    except NotInOrder as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    sys.stdout.write(f"{len(fresh)} ids added\n" + "".join(f"{id}\n" for id in fresh))
    return 0


if __name__ == "__main__":
    sys.exit(main())
