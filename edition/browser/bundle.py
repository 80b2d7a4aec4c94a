"""What a page carries into the reader's browser, so that the engine itself can settle a deal that he has changed.

With every edition these are laid into its folder `play/`:

- `pyodide/`: Python for browsers, from `vendor/pyodide`, as it came and with its licences;
- `reversis.zip`: the modules that settle a deal (`edition.browser.api` and all that it needs), as they are;
- `library.json`: the checked library (`edition.browser.library_json`);
- `places.json`: where each clause, sentence and question is at home in the edition;
- `play.json`: what else the page wants to know: what there is to choose from, and the size of every file.

Nothing of it is fetched before a reader asks for it.
"""

from __future__ import annotations

import ast
import io
import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edition.browser.library_json import pack
from edition.data.drafts import playable
from engine.deal.model import ANNOUNCED, FAULT_FIELDS, FAULTS, NOTICED
from rulebook.model import Library

if TYPE_CHECKING:
    from edition.citation.places import Place

HERE = Path(__file__).resolve().parents[1]
ROOMS = ("rulebook", "engine", "edition")
DOOR = "edition.browser.api"  #: what is asked in the browser
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
PAPERS = ("LICENSE", "LICENSE-python", "README.md", "package.json")
LINKED = ("clause", "sentence", "question", "cell", "source", "emendation", "alternative")
ALIKE = (1980, 1, 1, 0, 0, 0)  #: every file in the bundle is of one day, so that equal files make equal bundles


def find_python() -> Path:
    """The folder of the browser's Python: in a clone, or in an installed copy."""
    found = (HERE.parent / "vendor" / "pyodide", HERE / "_pyodide")
    return next((path for path in found if (path / PYTHON[0]).is_file()), found[0])


# ---- the modules
def modules(door: str = DOOR) -> tuple[str, ...]:
    """The files of all modules that one module needs, itself included, as paths below the house."""
    found: set[str] = set()
    waiting = {door}
    while waiting:
        name = waiting.pop()
        path = file_of(name)
        if path is None or path in found:
            continue
        found.add(path)
        packages = (name.rpartition(".")[0],) if "." in name else ()
        waiting |= {*imported((HERE.parent / path).read_text(encoding="utf-8")), *packages}
    return tuple(sorted(found))


def file_of(name: str) -> str | None:
    """The file of a module, or of a package; nothing for a name within a module, or a room that is not ours."""
    if name.partition(".")[0] not in ROOMS:
        return None
    path = name.replace(".", "/")
    return next((p for p in (f"{path}.py", f"{path}/__init__.py") if (HERE.parent / p).is_file()), None)


def imported(letters: str) -> Iterator[str]:
    """What a module imports when it is opened: not what it fetches later, and not what only its types need."""
    for node in ast.parse(letters).body:
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)


def bundle() -> bytes:
    """The modules in one file that Python can import from; the same modules make the same bytes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as into:  # packers differ from machine to machine
        for path in modules():
            into.writestr(filed(path), (HERE.parent / path).read_bytes())
    return written.getvalue()


def filed(path: str) -> zipfile.ZipInfo:
    """How a file is filed: under its name, and like all others."""
    made = zipfile.ZipInfo(path, ALIKE)
    made.create_system = 3  # or the bundle would tell on which machine it was made
    return made


# ---- what there is to choose from
def choices(library: Library) -> dict[str, Any]:
    """Sources, other readings, questions, and what a record may list."""
    return {
        "sources": [{"id": siglum, "title": library.sources[siglum].title} for siglum in playable(library)],
        "readings": [
            {"id": other.id, "kind": other.kind, "source": clause.source, "label": other.label}
            for clause in library.clauses()
            for other in clause.alternatives
        ],
        "questions": [{"id": one.id, "slug": one.slug, "asks": one.asks} for one in library.questions.values()],
        "faults": {name: {"says": kind.says, "fields": [*kind.needs, *kind.allows]} for name, kind in FAULTS.items()},
        "fault_fields": list(FAULT_FIELDS),
        "noticed": list(NOTICED),
        "announced": list(ANNOUNCED),
    }


def addresses(places: Mapping[tuple[str, str], Place]) -> dict[str, dict[str, dict[str, str]]]:
    """Where things are at home: kind -> page -> name -> anchor."""
    found: dict[str, dict[str, dict[str, str]]] = {kind: {} for kind in LINKED}
    for kind, name in sorted(places):
        page, anchor, _ = places[kind, name]
        if kind in found:
            found[kind].setdefault(f"{page}.html", {})[name] = anchor
    return found


# ---- laid into the edition
def lay_play(library: Library, places: Mapping[tuple[str, str], Place], into: Path) -> None:
    """All that a browser needs to settle a deal, into a folder of the built edition."""
    python = find_python()
    (into / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in (*PYTHON, *PAPERS):
        shutil.copyfile(python / name, into / "pyodide" / name)
    (into / "reversis.zip").write_bytes(bundle())
    write(into / "library.json", pack(library))
    write(into / "places.json", as_json(addresses(places)))
    sizes = {path: (into / path).stat().st_size for path in fetched()}
    write(into / "play.json", as_json({**choices(library), "sizes": sizes, "lock": without_packages(python)}))


def without_packages(python: Path) -> dict[str, Any]:
    """For which Python packages would be, and that there are none: so none is asked for anywhere."""
    lock = json.loads((python / LOCK).read_text(encoding="utf-8"))
    return {"info": lock["info"], "packages": {}}


def fetched() -> Iterable[str]:
    """What is fetched before the first deal is settled."""
    return (*(f"pyodide/{name}" for name in PYTHON), "reversis.zip", "library.json", "places.json")


def as_json(data: object) -> str:
    """Data in one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def write(path: Path, letters: str) -> None:
    """Letters into a file, with the same bytes on every machine."""
    path.write_text(letters, encoding="utf-8", newline="\n")
