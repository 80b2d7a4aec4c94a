"""A stranger's folder: opening it with any command runs nothing from it and writes nothing outside it.

Named outputs and the user's own cache are excepted.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from edition.coding.checker import SourceChecker
from edition.site.build import build_html
from edition.site.reuse import EDITION_NOTE, MEMORY, SEAL
from rulebook.io.transactions import UNDO, UNFINISHED_NAME
from rulebook.program_fingerprint import program_fingerprint
from tests.support.library import write_library
from tests.support.tiers import mark_for_release

#: Modules that Python, or one of its packages, would take from a folder that is on its path.
MODULES = ("conf", "json", "multiprocessing", "numba", "pickle", "sitecustomize", "threading", "usercustomize", "yaml")
PACKAGES = ("edition", "engine", "rulebook", "sources")
PAGE = "# Home\n\n```{edition:people}\n```\n"


class Planted:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[[Path], None], tuple[Path]]:
        return Path.touch, (self.mark,)


def plant(folder: Path, mark: Path) -> None:
    """Lay modules into a folder that leave a mark when they are run, and settings that have a file written."""
    code = f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n"
    for name in (*(f"{one}.py" for one in MODULES), *(f"{one}/__init__.py" for one in PACKAGES)):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(code, encoding="utf-8")
    (folder / "docutils.conf").write_text(f"[general]\nrecord_dependencies: {mark}\n", encoding="utf-8")
    (folder / ".numba_config.yaml").write_text(f"cache_dir: here\nchrome_trace: {mark}\n", encoding="utf-8")


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's folder in which one is: sources in order, and whatever could be run beside and among them."""
    folder = tmp_path / "stranger"
    root = write_library(folder, deals=False)
    for one in (folder, root):
        plant(one, tmp_path / "mark")
    for path in [*root.glob("*.py"), *root.glob("*/__init__.py"), root / "docutils.conf"]:
        path.rename(path.with_name(f".{path.name}"))  # `check` names what it does not read
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """The file that is there if anything of the stranger's was run."""
    return tmp_path / "mark"


#: Typed in the folder; FILE.html and the like are named outputs in it.
COMMANDS = (
    "check",
    "list sources",
    "show AAA.c001",
    "cite AAA deux",
    "compare AAA BBB",
    "sheet AAA --out sheet.csv",
    "sheet AAA --read sheet.csv",
    "supply BBB --from AAA",
    "export json",
    "export bibtex -o bibtex",
    "import-text AAA",
    "variants AAA",
    "deal random -s AAA",
    "run one -s AAA",
    "build epub",
)
#: Runs the commands one after another, and prints every file changed outside the folder, and every command that died.
WATCHED = """
import os, sys
folder, cache, root = sys.argv[1:4]
def hook(event, given):
    writes = event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.truncate", "os.link",
                       "os.symlink", "shutil.rmtree")
    if event == "open" and isinstance(given[0], str) and not given[0].startswith("/dev/"):
        writes = bool(given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))
    for one in given[:2] if event in ("os.rename", "os.link", "os.symlink") else given[:1]:
        if writes and isinstance(one, (str, os.PathLike)):
            path = os.path.realpath(one)
            if not path.startswith((folder + os.sep, cache + os.sep)) and not path.startswith("/tmp/tmp"):
                print(event, path)
from click.testing import CliRunner
from reversis.cli.main import cli
sys.addaudithook(hook)
for words in sys.argv[4:]:
    done = CliRunner().invoke(cli, ["--sources", root, *words.split()])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        print(words, repr(done.exception))
"""


def lay_nothing(root: Path, outside: Path) -> None:
    """Sources in order."""


def lay_links(root: Path, outside: Path) -> None:
    (root / "AAA").rename(outside)
    (root / "AAA").symlink_to(outside)


def lay_link_for_output(root: Path, outside: Path) -> None:
    outside.mkdir()
    (root.parent / "build").symlink_to(outside)


def lay_list(root: Path, outside: Path) -> None:
    (root / UNFINISHED_NAME).mkdir()
    (root / UNFINISHED_NAME / UNDO).write_text(json.dumps(["../../outside/text.xml"]), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="its names of files are those of POSIX")
@pytest.mark.parametrize("lay", [lay_nothing, lay_links, *map(mark_for_release, (lay_link_for_output, lay_list))])
def test_no_command_runs_anything_of_it_or_writes_outside_it(
    stranger: Path, tmp_path: Path, mark: Path, lay: Callable[[Path, Path], None]
) -> None:
    root, cache, script = stranger / "sources", tmp_path / "cache", tmp_path / "bin" / "reversis"
    lay(root, tmp_path / "outside")
    script.parent.mkdir()
    script.write_text(WATCHED, encoding="utf-8")
    before = list_files(tmp_path)
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    words = [sys.executable, str(script), str(stranger), str(cache), str(root), *COMMANDS]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout, done.stderr) == ("", "")
    assert not mark.exists() and list_files(tmp_path) == before


def list_files(folder: Path) -> Mapping[str, bytes]:
    """The files beside the stranger's folder and the cache."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {
        name: path.read_bytes()
        for path in paths
        if not (name := path.relative_to(folder).as_posix()).startswith(("stranger/", "cache/"))
    }


@pytest.mark.slow
def test_a_pickle_beside_an_edition_is_not_run_by_a_build(stranger: Path, mark: Path) -> None:
    out, work, hand = stranger / "build" / "html", stranger / "build" / ".html-work", stranger / "hand"
    for path in (work / MEMORY / "x", out / "x", hand / "x"):
        path.parent.mkdir(parents=True)
    (hand / "index.md").write_text(PAGE, encoding="utf-8")
    (out / "index.html").write_text("planted", encoding="utf-8")
    (out / "planted.js").write_text("planted", encoding="utf-8")
    (work / SEAL).write_text("0" * 64, encoding="ascii")

    def build() -> str:
        first = (out / "index.html").stat()
        (work / EDITION_NOTE).write_text(f"{first.st_ino} {first.st_mtime_ns} x {program_fingerprint()}\n", "utf-8")
        for name in ("environment.pickle", "index.doctree"):
            (work / MEMORY / name).write_bytes(pickle.dumps(Planted(mark)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert build_html(out, False, "1", stranger / "sources", hand) == 0
        return (out / "index.html").read_text("utf-8")

    assert "planted" not in build() and not (out / "planted.js").exists()
    build()  # the seal is there now, and holds other doctrees
    assert not mark.exists()


@pytest.mark.slow
def test_the_checker_of_the_server_imports_nothing_of_it(stranger: Path, mark: Path) -> None:
    checker = SourceChecker()
    try:
        assert checker.check(stranger / "sources", deals=False) == []
        assert checker._process is not None, "it has not died"
    finally:
        checker.close()
    assert not mark.exists()


CREW = """
import sys
from lab.survey.runner import ProcessCrew
from os import getppid
def count(order, library, chunk):
    return chunk
if __name__ == "__main__":
    with ProcessCrew(None, 1) as crew:
        print(crew.begin(count, None, 7).result())
"""


@pytest.mark.slow
def test_the_processes_of_a_survey_import_nothing_of_it(stranger: Path, tmp_path: Path, mark: Path) -> None:
    pytest.importorskip("numba")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "crew.py").write_text(CREW, encoding="utf-8")
    words = [sys.executable, str(tmp_path / "bin" / "crew.py")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("7\n", "") and not mark.exists()
