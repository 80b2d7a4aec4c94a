"""The fingerprint of the program: what it made is out of date as soon as it would make something else.

`code_fingerprint` covers the modules of some layers; `program_fingerprint` covers everything that shapes a page besides
the sources, which have a digest of their own (`rulebook.sources.paths.digest_sources`), and the pages written by hand,
whose changes Sphinx sees by itself.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROGRAM_ROOT = Path(__file__).resolve().parent.parent  #: the folder of all layers
PROGRAM_LAYERS = ("rulebook", "engine", "edition", "lab", "reversis")

#: Files other than modules that shape a page, as files or folders of a clone. A wheel has them within `edition`.
_DATA_PATHS = ("engine", "edition", "reversis", "vendor", "CITATION.cff")
#: Read by Sphinx as its own sources; a change makes one page anew, not all of them.
_HANDWRITTEN_PAGES = tuple(f"{layer}/pages" for layer in PROGRAM_LAYERS)
BYTECODE = "__pycache__"

#: Packages by which pages are made: what `pyproject.toml` requires, and those on which the letters of a page depend.
PAGE_PACKAGES = (
    *("sphinx", "myst-parser", "sphinxcontrib-bibtex", "docutils", "lxml", "jinja2", "pyyaml", "pydantic"),
    *("click", "rich"),
    *("markdown-it-py", "mdit-py-plugins", "pybtex", "pybtex-docutils", "pygments", "numpy"),
)


@cache
def code_fingerprint(*layers: str) -> str:
    """Return a fingerprint of the modules of some layers, as this process found them when it first asked.

    What a process makes is made by the modules it has loaded; an edit on the disk changes what the next one makes.
    """
    modules = (path for layer in layers for path in sorted((PROGRAM_ROOT / layer).rglob("*.py"), key=_relative_place))
    return hash_files((path, path.read_bytes().replace(b"\r\n", b"\n")) for path in modules)


def program_fingerprint() -> str:
    """Return a fingerprint of everything that shapes a page: modules, their data, Python and its packages."""
    data = hash_files((path, path.read_bytes()) for name in _DATA_PATHS for path in data_files(name))
    parts = (code_fingerprint(*PROGRAM_LAYERS), data, sys.version, *map(package_version, PAGE_PACKAGES))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def data_files(name: str) -> Iterator[Path]:
    """Yield the files under one entry of `_DATA_PATHS`: without modules, bytecode, hidden files and prose."""
    top = PROGRAM_ROOT / name
    for path in [top] if top.is_file() else sorted(top.rglob("*"), key=_relative_place):
        parts = path.relative_to(PROGRAM_ROOT).parts
        excluded = path.suffix in (".py", ".pyc") or BYTECODE in parts or any(part.startswith(".") for part in parts)
        is_page = any(path.is_relative_to(PROGRAM_ROOT / pages) for pages in _HANDWRITTEN_PAGES)
        if path.is_file() and not (excluded or is_page):
            yield path


def hash_files(files: Iterator[tuple[Path, bytes]]) -> str:
    """Return a fingerprint of some files: their places and their bytes."""
    total = hashlib.sha256()
    for path, octets in files:
        total.update(f"{_relative_place(path)}\0{len(octets)}\0".encode())
        total.update(octets)
    return f"sha256:{total.hexdigest()}"


def _relative_place(path: Path) -> str:
    """Return the place of a file below the folder of all layers."""
    return path.relative_to(PROGRAM_ROOT).as_posix()


@cache
def package_version(package: str) -> str:
    """Return the version of an installed package; empty if it is not there."""
    from importlib.metadata import PackageNotFoundError  # the module takes a moment, and a fingerprint of code none
    from importlib.metadata import version as installed

    try:
        return installed(package)
    except PackageNotFoundError:
        return ""
