"""Switch a folder whole: its new content is written beside it, and takes its place by renaming."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from rulebook.io.files import discard, is_link, refuse_links, sync_folder
from rulebook.io.locks import hold_lock
from rulebook.io.transactions import FileContents, beside_of, replace_files, write_synced

_SWITCH_NAME, _SWITCH_LOCK = ".reversis-switch", ".reversis-switch-lock"
_NEW, _OLD = "new", "old"  #: in the folder beside: the folder that comes, and the one that gives way


def replace_folder(folder: Path, files: FileContents) -> None:
    """Write files into a folder that is there and switch it whole; what else lies in it stays. Raises OSError.

    A folder in which somebody works, or that cannot be renamed, gets its files one after another.
    """
    folder = folder.resolve()
    beside = beside_of(folder, _SWITCH_NAME)
    if Path.cwd().is_relative_to(folder) or not os.access(folder.parent, os.W_OK) or os.path.ismount(folder):
        replace_files(folder, files)
        return
    for path in files:
        refuse_links(folder, path)
    with hold_lock(beside_of(folder, _SWITCH_LOCK)):
        discard(beside)
        try:
            _link_others(folder, beside / _NEW, files)
            write_synced(beside / _NEW, files)
            put_in_place(beside / _NEW, folder, beside / _OLD)
        finally:
            if folder.exists():
                shutil.rmtree(beside, ignore_errors=True)


def recover_switch(folder: Path) -> None:
    """Bring a folder back whose switch was killed in just the moment between the two renames."""
    folder = folder.resolve()
    beside = beside_of(folder, _SWITCH_NAME)
    if beside.is_dir():
        with hold_lock(beside_of(folder, _SWITCH_LOCK)):
            if not folder.exists() and (beside / _OLD).is_dir() and not is_link(beside):
                (beside / _OLD).rename(folder)
            discard(beside)


def _link_others(folder: Path, new: Path, files: FileContents) -> None:
    """Have in a new folder what lies in the old one and is not written: the same files, not copies, where possible."""

    def passed_over(within: str, names: list[str]) -> set[str]:
        place = Path(within)
        written = {name for name in names if (place / name).relative_to(folder).as_posix() in files}
        return {name for name in written if not (place / name).is_dir()}

    shutil.copytree(folder, new, symlinks=True, ignore=passed_over, copy_function=_link)


def _link(old: str, new: str) -> None:
    try:
        os.link(old, new, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a disk without links
        shutil.copy2(old, new, follow_symlinks=False)


def put_in_place(fresh: Path, out: Path, old: Path) -> None:
    """Replace an old folder by a new one.

    For a moment both are there, never half of either; on failure the old one is restored.
    """
    try:
        if out.exists():
            out.rename(old)
        fresh.rename(out)
        sync_folder(out.parent)
    except BaseException:  # Ctrl-C too
        if old.exists() and not out.exists():
            old.rename(out)
        raise
    finally:
        if out.exists():
            shutil.rmtree(old, ignore_errors=True)
