"""The modules that the browser's Python imports, in one file: `reversis.browser.api` and all that it needs.

Compiling them takes a browser a third of its start, so it is done beforehand, by the browser's own Python: the outcome,
`compiled_modules.zip`, is committed. Of a module that has changed since, the bundle has the source too; Python in the
browser compares their hash, and compiles the source if it is another.

    python -m reversis.browser.python_bundle     compile all modules; needs node
"""

from __future__ import annotations

import _imp
import ast
import io
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from edition.settings import find_vendor_folder

PACKAGES_FOLDER = Path(__file__).resolve().parents[2]
COMPILED_MODULES = Path(__file__).with_name("compiled_modules.zip")
BUNDLE_TIMESTAMP = (1980, 1, 1, 0, 0, 0)  #: of every file in the bundle, so that equal files make equal bundles
_BUNDLED_PACKAGES = ("rulebook", "engine", "edition", "reversis")
_ENTRY_MODULES = ("reversis.browser.api", "reversis.browser.dataclass_methods")  #: what the browser's script imports
_COMPILER = "compile.mjs"


# ---- which modules
def list_bundle_modules() -> tuple[str, ...]:
    """List the files of all modules that the browser's Python needs, as paths below the folder of the packages."""
    paths: set[str] = set()
    waiting = {*_ENTRY_MODULES}
    while waiting:
        name = waiting.pop()
        path = _find_module_file(name)
        if path is None or path in paths:
            continue
        paths.add(path)
        packages = (name.rpartition(".")[0],) if "." in name else ()
        waiting |= {*list_imports(PACKAGES_FOLDER / path), *packages}
    return tuple(sorted(paths))


def _find_module_file(name: str) -> str | None:
    """The file of a module, or of a package; nothing for a name within a module, or a room that is not ours."""
    if name.partition(".")[0] not in _BUNDLED_PACKAGES:
        return None
    path = name.replace(".", "/")
    return next((p for p in (f"{path}.py", f"{path}/__init__.py") if (PACKAGES_FOLDER / p).is_file()), None)


def list_imports(module: Path) -> Iterator[str]:
    """Imports of a module, given by its file, when it is loaded.

    Not what it imports later, and not what only its types need.
    """
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


# ---- the bundle
def build_python_bundle(compiled: Path = COMPILED_MODULES) -> bytes:
    """The modules in one file that Python can import from, compiled; the same modules make the same bytes."""
    if _hides_module(compiled):
        return pack_sources(list_bundle_modules())
    return pack_sources(list_stale_modules(compiled), compiled.read_bytes())


def list_stale_modules(compiled: Path = COMPILED_MODULES) -> tuple[str, ...]:
    """List the files of the modules that have changed since they were compiled."""
    with zipfile.ZipFile(compiled) as archive:
        heads = {name.removesuffix("c"): archive.read(name)[:16] for name in archive.namelist()}
    return tuple(path for path in list_bundle_modules() if not _is_compiled_from(path, heads.get(path, b"")))


def _is_compiled_from(path: str, head: bytes) -> bool:
    """Return True if the hash in the head of bytecode, which the version of Python is the key of, is that of a file."""
    source = (PACKAGES_FOLDER / path).read_bytes()
    return bool(head) and head[8:] == _imp.source_hash(int.from_bytes(head[:4], "little"), source)


def _hides_module(compiled: Path) -> bool:
    """Return True if a module stands where a package was compiled: Python would find the package first."""
    modules = list_bundle_modules()
    with zipfile.ZipFile(compiled) as archive:
        return any(name.replace("/__init__.pyc", ".py") in modules for name in archive.namelist())


def pack_sources(paths: Iterable[str], onto: bytes = b"") -> bytes:
    """ZIP archive of modules as they are, after what an archive has already."""
    written = io.BytesIO(onto)
    with zipfile.ZipFile(written, "a", zipfile.ZIP_STORED) as into:  # packers differ from machine to machine
        for path in paths:
            into.writestr(_create_zip_entry(path), (PACKAGES_FOLDER / path).read_bytes())
    return written.getvalue()


def _create_zip_entry(path: str) -> zipfile.ZipInfo:
    """ZIP entry of a file: its name, and the same date and system as all others."""
    entry = zipfile.ZipInfo(path, BUNDLE_TIMESTAMP)
    entry.create_system = 3  # or the bundle would tell on which machine it was made
    return entry


def compile_modules() -> None:
    """Compile all modules, and the part of Python's library that they need, by the browser's Python under node."""
    with TemporaryDirectory() as folder:
        sources = Path(folder) / "sources.zip"
        sources.write_bytes(pack_sources(list_bundle_modules()))
        compiler = find_vendor_folder("pyodide", _COMPILER) / _COMPILER
        subprocess.run(["node", compiler, sources, COMPILED_MODULES], check=True)


if __name__ == "__main__":
    compile_modules()
