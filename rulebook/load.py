"""Load and check `sources/`, or its cached copy."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rulebook.io.cache import read_cached_library, write_cached_library
from rulebook.model import Library
from rulebook.problems import NotInOrder, Problem, Where
from rulebook.program_fingerprint import code_fingerprint
from rulebook.program_name import GAME_VARIABLE
from rulebook.rules_digest import digest_rules
from rulebook.sources.paths import (
    RECORD_NAME,
    TEI_SCHEMA,
    digest_sources,
    find_links,
    find_own_sources,
    find_sources,
    list_deal_paths,
    list_session_paths,
)
from rulebook.suggestions import describe_type, match_name

_MISNAMED_FAULT = ("is no name of a deal or a session", "name it with small letters a to z, digits and hyphens")


def load_library(root: Path | None = None) -> tuple[Library | None, list[Problem]]:
    """Load the sources and all problems; no library if part of it could not be read."""
    from rulebook.checks import problems_of
    from rulebook.checks.coverage import check_coverage
    from rulebook.sources.assemble import (
        assemble_library,  # the readers take a moment to import, and a copy on the shelf needs none
    )
    from rulebook.witnesses.checks import open_witnesses

    root = root or find_sources()
    case, unread = assemble_library(root)
    if case is None:
        return None, unread
    records = (*list_deal_paths(root), *list_session_paths(root))
    misnamed = [path for path in records if not RECORD_NAME.fullmatch(Path(path).stem)]
    unread += [Where(f"{root.name}/{path}").problem(*_MISNAMED_FAULT) for path in misnamed]
    problems = sorted({*unread, *problems_of(case), *check_coverage(case), *open_witnesses(root, case.library)[1]})
    if misnamed or case.lost or any(given.wrong for given in case.givens):
        return None, problems
    try:
        seal = digest_sources(root)
    except OSError as fault:
        return None, sorted({*problems, unreadable_file(root, fault)})
    deals, sessions, rules = list_deal_paths(root), list_session_paths(root), digest_rules(case.library)
    return replace(case.library, digest=seal, rules_digest=rules, deals=deals, sessions=sessions), problems


def unreadable_file(root: Path, fault: OSError) -> Problem:
    """Report a file of the sources that the system does not hand over."""
    path = Path(fault.filename or root)
    name = (Path(root.name) / path.relative_to(root)).as_posix() if path.is_relative_to(root) else root.name
    return Problem(name, 1, 1, f"cannot be read: {fault.strerror}", "make it readable")


# --- the shelf ------------------------------------------------------------------------------------------


def quick_load(root: Path | None = None) -> tuple[Library | None, list[Problem]]:
    """Load the library like `load_library`, or from the cache if nothing has changed."""
    root = root or find_sources()
    try:
        key = cache_key(root)
    except OSError:  # `load_library` says which file cannot be read
        return load_library(root)
    library = read_cached_library(key)
    if library is not None:
        return replace(library, root=str(root)), []
    library, problems = load_library(root)
    if library is not None and not problems:
        with suppress(OSError):  # a full or locked disk costs time, not the answer
            write_cached_library(key, library)
    return library, problems


def library(root: str | Path | None = None) -> Library:
    """Load and check the sources. Raises NotInOrder, which lists every problem with place and hint."""
    if not isinstance(root, str | Path | None):
        raise TypeError(f"{describe_type(root)} is no folder: write library(), or the folder of sources: library(path)")
    loaded, problems = quick_load(Path(root).absolute() if isinstance(root, str) else root)
    if loaded is None or problems:
        raise NotInOrder("\n".join(map(str, problems)))
    return loaded


def record(library: Library, name: str) -> dict[str, object]:
    """The record of a worked deal by its id, as plain data. Raises UnknownName, a KeyError."""
    from rulebook.io.strict_yaml import read_yaml

    paths = {Path(path).stem: path for path in library.deals}
    path = paths[match_name("deal", name, paths)]
    data, _, problems = read_yaml(Path(library.root) / path, path)
    if problems or not isinstance(data, dict):
        raise NotInOrder("\n".join(map(str, problems)))
    return dict(data)


def cache_key(root: Path) -> str:
    """Return what must be the same for a copy to be good: files, their schema, lists, the program, Python."""
    schema = find_own_sources() / TEI_SCHEMA
    settings = root / "library.yaml"
    held_to = hashlib.sha256(schema.read_bytes()).hexdigest() if schema.is_file() else ""
    parts = (
        root.name,  # the places of files begin with it
        digest_sources(root),
        held_to,
        *list_deal_paths(root),
        *list_session_paths(root),
        *sorted(find_links(root)),
        settings.read_text(encoding="utf-8") if settings.is_file() else "",
        os.environ.get(GAME_VARIABLE, ""),
        code_fingerprint("rulebook", "engine"),
        sys.version,
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
