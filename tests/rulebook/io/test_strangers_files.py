"""What is read back from a disk may be a stranger's: lists of files to move, links, copies that would be unpickled."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from rulebook.io import cache
from rulebook.io.cache import read_cached_copy, write_cached_copy
from rulebook.io.files import cache_folder
from rulebook.io.transactions import READY, UNDO, UNFINISHED_NAME, recover_folder, replace_files, write_folder
from rulebook.load import load_library, quick_load
from tests.support.commands import run
from tests.support.library import write_library

OUTSIDE = ("victim.txt", "victim/victim.txt")  #: beside the folder that came from elsewhere


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Sources in a folder of a stranger, with files beside it."""
    for name in OUTSIDE:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"mine")
    return write_library(tmp_path / "stranger", deals=False)


def seen(folder: Path) -> Mapping[str, bytes]:
    """Every file of a folder but the marks of a write."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name[:1] != "."}


HOSTILE_LISTS: Mapping[str, object] = {
    "outside": ["../../victim.txt"],
    "outside by a detour": ["AAA/../../../victim.txt"],
    "from the root": ["/ROOT/victim.txt"],
    "with other slashes": ["..\\..\\victim.txt"],
    "on a drive": ["C:victim.txt"],
    "the folder itself": [""],
    "a hidden folder": [".git/hooks/post-commit"],
    "no name": [7],
    "no list": {"../../victim.txt": 1},
    "nested": [["../../victim.txt"]],
    "a line feed": ["AAA/clauses.yaml\n"],
    "its own lock": [".reversis-lock"],
    "its own list": [".reversis-unfinished"],
    "one file twice": ["AAA/clauses.yaml", "AAA/Clauses.yaml"],
    "a file as a folder": ["AAA/clauses.yaml", "AAA/clauses.yaml/x"],
    "a blank at the end": ["AAA/clauses.yaml "],
    "one of many": ["AAA/clauses.yaml", "../../victim/victim.txt"],
}


@pytest.mark.parametrize("kind", [READY, UNDO])
@pytest.mark.parametrize("hostile", HOSTILE_LISTS)
def test_a_list_names_files_below_its_folder_and_nothing_else(
    root: Path, tmp_path: Path, hostile: str, kind: str
) -> None:
    letters = json.dumps(HOSTILE_LISTS[hostile]).replace("/ROOT", tmp_path.as_posix())
    stage = root / UNFINISHED_NAME
    (stage / "new" / "AAA").mkdir(parents=True)
    for name in ("clauses.yaml", "../../../../victim.txt"):
        (stage / "new" / "AAA" / name).resolve().write_bytes(b"planted" if kind == READY else b"mine")
    (stage / kind).write_text(letters, encoding="utf-8")
    before = seen(tmp_path)
    with pytest.raises(OSError, match=f"{UNFINISHED_NAME}") as refused:
        recover_folder(root)
    assert seen(tmp_path) == before and refused.value.filename == str(stage / kind)


@pytest.mark.parametrize("garbage", [b"\xff\x00", b"[" * 100_000, b"", b"{"])
def test_a_list_that_is_garbage_is_told_with_its_file_and_a_way_out(root: Path, garbage: bytes) -> None:
    (root / UNFINISHED_NAME).mkdir()
    (root / UNFINISHED_NAME / READY).write_bytes(garbage)
    done = run("sheet", "AAA", "--sources", str(root), "--out", str(root.parent / "sheet.csv"))
    assert done.exit_code == 1 and f"{root / UNFINISHED_NAME / READY}: " in done.output
    assert f"delete {UNFINISHED_NAME}" in done.output
    assert not (root.parent / "sheet.csv").exists()


#: Names below the folder that lead to the folder beside it.
LINKS: Mapping[str, Callable[[Path], Path]] = {
    "the source": lambda root: root / "AAA",
    "the mark": lambda root: root / UNFINISHED_NAME,
    "the new files": lambda root: root / UNFINISHED_NAME / "new",
    "the old files": lambda root: root / UNFINISHED_NAME / "old",
    "the lock": lambda root: root / ".reversis-lock",
}


@pytest.mark.skipif(os.name != "posix", reason="only an administrator may make a link there")
@pytest.mark.parametrize("act", ["recover", "write"])
@pytest.mark.parametrize("kind", LINKS)
def test_nothing_is_moved_through_a_link(root: Path, tmp_path: Path, kind: str, act: str) -> None:
    name, link, stage = "AAA/victim.txt", LINKS[kind](root), root / UNFINISHED_NAME
    if act == "recover":
        for path in (stage / "new" / name, stage / READY):
            path.parent.mkdir(parents=True, exist_ok=True)
        (stage / "new" / name).write_bytes(b"planted")
        (stage / READY).write_text(json.dumps([name]), encoding="utf-8")
    if link.is_dir():
        link.rename(tmp_path / "moved")
    link.parent.mkdir(exist_ok=True)
    target = tmp_path / "made" if kind == "the lock" else tmp_path / "victim"
    link.symlink_to(target)
    before = seen(tmp_path / "victim")
    with suppress(OSError) if act == "write" else pytest.raises(OSError):  # a mark without a list is cleared away
        recover_folder(root) if act == "recover" else replace_files(root, {name: b"planted"})
    assert seen(tmp_path / "victim") == before and not (tmp_path / "made").exists()


@pytest.mark.skipif(os.name != "posix", reason="only an administrator may make a link there")
def test_a_new_folder_is_not_written_through_a_link_beside_it(tmp_path: Path, root: Path) -> None:
    (root / f".CCC{UNFINISHED_NAME}").symlink_to(tmp_path / "victim")
    write_folder(root / "CCC", {"source.yaml": b"new"})
    assert [path.name for path in (tmp_path / "victim").iterdir()] == ["victim.txt"]
    assert (root / "CCC" / "source.yaml").read_bytes() == b"new"


@pytest.mark.skipif(os.name != "posix", reason="only an administrator may make a link there")
@pytest.mark.parametrize("name", ["AAA/text.xml", "CCC", "AAA/backups", "bibliography.bib", "survey/random.json"])
def test_a_link_among_the_sources_is_told_and_not_followed(root: Path, tmp_path: Path, name: str) -> None:
    assert load_library(root)[1] == []
    (root / name).unlink(missing_ok=True)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).symlink_to(tmp_path / "victim")
    (root / ".#clauses.yaml").symlink_to("me@here.4711")  # so an editor marks what it has open
    for load in (load_library, quick_load):
        library, problems = load(root)
        assert library is None and [problem.file for problem in problems] == [f"sources/{name}"]


@pytest.mark.skipif(os.name != "posix", reason="no file may have such a name there")
def test_a_name_of_a_deal_says_nothing_to_the_program_that_makes_its_page(root: Path) -> None:
    name = "one\n```\n\n```{include} victim.md\n"
    (root / "deals").mkdir()
    (root / "deals" / f"{name}.yaml").write_text(f"deal: {json.dumps(name)}\n", encoding="utf-8")
    for load in (load_library, quick_load):
        library, problems = load(root)
        assert library is None and [problem.what for problem in problems] == ["is no name of a deal or a session"]


# ---- the user's cache
def open_to_the_group(folder: Path) -> None:
    folder.chmod(0o770)


def open_to_all(folder: Path) -> None:
    folder.chmod(0o757)


def lead_elsewhere(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))


def give_away(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only the superuser may give a folder away")
    os.chown(folder, 12345, 12345)


@pytest.mark.skipif(os.name != "posix", reason="there the folder is in the user's profile")
@pytest.mark.parametrize("spoil", [open_to_the_group, open_to_all, lead_elsewhere, give_away])
def test_a_cache_that_is_not_the_users_alone_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], None]
) -> None:
    from lab.survey.jit import open_compile_cache

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "cache_folder", cache_folder)
    write_cached_copy("copy.pickle", "key", "made")
    assert read_cached_copy("copy.pickle", "key") == "made" and open_compile_cache(cache_folder(), "this")
    spoil(cache_folder())
    assert read_cached_copy("copy.pickle", "key") is None
    with pytest.raises(OSError):
        write_cached_copy("copy.pickle", "key", "other")
    assert pickle.loads((cache_folder() / "copy.pickle").read_bytes()[3:]) == "made"
    assert open_compile_cache(cache_folder(), "this") is None


def test_a_relative_cache_folder_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "sources")
    monkeypatch.setenv("LOCALAPPDATA", "sources")
    assert cache_folder().is_absolute() and not cache_folder().is_relative_to(tmp_path)
