"""Write several files of a folder as one: all of them or none, even when the process is killed half-way.

A new folder is written beside its place, and renamed. Into a folder that is there the files go in two steps: first
all of them are laid into `UNFINISHED_NAME` within it and a list of them (`READY`) is added, then each is moved to its
place. A process that is killed leaves `UNFINISHED_NAME`, and the next call for that folder recognises it: with the
list the moves are finished; without it the folder is still as it was. Files that are not on the list are never
touched.

What lies in a folder may come from a stranger: a list names files below the folder and nothing else, and nothing is
moved through a link. No file stands on it twice, and none that this module makes for itself.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from rulebook.io.files import MAX_NAME_PREFIX, discard, refuse_links, replace_file, sync_file, sync_folder
from rulebook.io.locks import hold_lock

_OWN_NAMES = ".reversis-"  #: with which the names of what lies here meanwhile begin
_LOCK_NAME, UNFINISHED_NAME = f"{_OWN_NAMES}lock", f"{_OWN_NAMES}unfinished"
STAGED_NEW, _STAGED_OLD = (
    "new",
    "old",
)  #: within `UNFINISHED_NAME`: the new files that wait, and copies of the old ones that gave way
_RETURNING_FILE = "back"  #: an old file on its way back
READY, UNDO = "ready", "undo"  #: the list of files: while they are moved, or while the old ones come back

#: Hidden folders in which files of a list may lie; a stranger's list shall reach no other, such as `.git`.
_HIDDEN_FOLDERS = {".github"}

REFUSED_PATHS = (errno.EINVAL, errno.ELOOP)  #: by an OSError with one of these numbers: a list that is none, a link

FileContents = Mapping[str, bytes]


# ---- a new folder
def write_folder(folder: Path, files: FileContents) -> None:
    """Write a new folder with all its files.

    Raises FileExistsError if anything is there, even an empty folder, or another OSError; then nothing has changed.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = beside_of(folder, UNFINISHED_NAME)
    with hold_lock(beside_of(folder, _LOCK_NAME)):
        recover_folder(folder)
        refuse_existing(folder)
        try:
            write_synced(beside / folder.name, files)
            refuse_existing(folder)  # it may have come meanwhile
            (beside / folder.name).rename(folder)
            sync_folder(folder.parent)
        finally:
            discard(beside)


def refuse_existing(path: Path) -> None:
    """Raise FileExistsError if anything bears this name."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def beside_of(folder: Path, suffix: str) -> Path:
    """Return a hidden name beside a folder."""
    return folder.with_name(f".{folder.name[:MAX_NAME_PREFIX]}{suffix}")


def write_synced(folder: Path, files: FileContents) -> None:
    """Write files to a folder, and wait until they are on the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, octets in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(octets)
        sync_file(str(folder / path))
    for place in (*folder.rglob("*"), folder):
        sync_folder(place)


# ---- a folder that is there
def replace_files(folder: Path, files: FileContents) -> None:
    """Write files into a folder that is there. Raises OSError; then all are as they were."""
    stage = folder / UNFINISHED_NAME
    with hold_lock(folder / _LOCK_NAME):
        recover_folder(folder)
        for path in files:
            refuse_links(folder, path)
        try:
            write_synced(stage / STAGED_NEW, files)
            replace_file(stage / READY, json.dumps([*files]))
        except BaseException:
            shutil.rmtree(stage, ignore_errors=True)
            raise
        finish_moves(folder)


def recover_folder(folder: Path) -> None:
    """Finish, or clear away, what a killed process left of a folder; call this before looking at its files.

    Where a process that is alive is writing there, wait for it.
    """
    beside, lock = beside_of(folder, UNFINISHED_NAME), beside_of(folder, _LOCK_NAME)
    if os.path.lexists(beside) or lock.exists():
        with hold_lock(lock):
            discard(beside)
    if os.path.lexists(folder / UNFINISHED_NAME) or (folder / _LOCK_NAME).exists():
        with hold_lock(folder / _LOCK_NAME):
            finish_moves(folder)


def finish_moves(folder: Path) -> None:
    """Go on from where the folder stands: move the new files, or bring the old ones back, and take the mark away."""
    stage = folder / UNFINISHED_NAME
    refuse_links(folder, UNFINISHED_NAME)
    if (stage / READY).is_file():
        paths = read_list(folder, READY)
        try:
            move_in(folder, paths)
        except BaseException:  # Ctrl-C too
            (stage / READY).rename(stage / UNDO)
            bring_back(folder, paths)
            remove_mark(stage)
            raise
    elif (stage / UNDO).is_file():
        bring_back(folder, read_list(folder, UNDO))
    remove_mark(stage)


def read_list(folder: Path, name: str) -> list[str]:
    """Return the files of a list. Raises OSError if it is none, or would have something done outside the folder."""
    stage = folder / UNFINISHED_NAME
    refuse_links(stage, name)
    try:
        paths: object = json.loads((stage / name).read_bytes())
    except (ValueError, RecursionError):
        paths = None
    if not (isinstance(paths, list) and all(map(_is_path_below, paths)) and _are_files_apart(paths)):
        raise OSError(errno.EINVAL, f"is no list of files of this folder: delete {UNFINISHED_NAME}", str(stage / name))
    for path in paths:
        for place in (path, *(f"{UNFINISHED_NAME}/{staged}/{path}" for staged in (STAGED_NEW, _STAGED_OLD))):
            refuse_links(folder, place)
    return paths


def _is_path_below(path: object) -> bool:
    """Return whether something names a file below a folder, as `replace_files` writes it down on any system."""
    if not isinstance(path, str) or not path.isprintable() or any(letter in path for letter in '\\:"<>|?*'):
        return False
    *folders, name = path.split("/")
    hidden = {folder for folder in folders if folder.startswith(".")}
    if "" in folders or hidden - _HIDDEN_FOLDERS or name.startswith(_OWN_NAMES):
        return False
    return name == name.strip() and bool(name.strip("."))


def _are_files_apart(paths: list[str]) -> bool:
    """Return whether each file is named once, and none is the folder of another, whatever a disk makes of capitals."""
    names = [path.casefold() for path in paths]
    return len({*names}) == len(names) and not any(other.startswith(f"{name}/") for name in names for other in names)


def move_in(folder: Path, paths: list[str]) -> None:
    """Move each new file to its place that is not there yet; before that, copy the one that lies there."""
    stage = folder / UNFINISHED_NAME
    for path in paths:
        new, old, place = stage / STAGED_NEW / path, stage / _STAGED_OLD / path, folder / path
        if not new.exists():
            continue
        for each in (old, place):
            each.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            copy_anew(place, old)
            shutil.copymode(place, new)
        new.replace(place)
    for parent in {(folder / path).parent for path in paths}:
        sync_folder(parent)


def bring_back(folder: Path, paths: list[str]) -> None:
    """Bring back each old file that gave way, and take away each new one where none had been."""
    stage = folder / UNFINISHED_NAME
    for path in paths:
        new, old, place = stage / STAGED_NEW / path, stage / _STAGED_OLD / path, folder / path
        if new.exists():
            continue
        if old.exists():  # it stays there, so that this may be repeated
            copy_anew(old, stage / _RETURNING_FILE)
            (stage / _RETURNING_FILE).replace(place)
        else:
            place.unlink(missing_ok=True)


def copy_anew(place: Path, copy: Path) -> None:
    """Copy a file, in the place of a copy that a killed process made, which may be read-only like its original."""
    copy.unlink(missing_ok=True)
    shutil.copy2(place, copy)


def remove_mark(stage: Path) -> None:
    """Take the mark away: the list first, since without it all that remains counts for nothing."""
    for name in (READY, UNDO):
        (stage / name).unlink(missing_ok=True)
    shutil.rmtree(stage, ignore_errors=True)
