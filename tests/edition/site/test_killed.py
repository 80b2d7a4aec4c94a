"""A process is really killed, at every step that changes the disk: what it left is recognised by the next run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

import edition.site.build
from edition.cli.build import build
from edition.cli.serve import serve
from edition.corpus.corpus import Shelf
from edition.corpus.load import read_all
from edition.site.build import build_html, exclusive_build
from rulebook.io import files as places
from rulebook.io import transactions
from rulebook.io.locks import hold_lock
from rulebook.io.transactions import READY, UNFINISHED, recover_folder, replace_files, write_folder
from rulebook.model import Problem
from tests.support.library import changed, write_library

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")

CHANGES = ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "shutil.copyfile", "os.truncate")
DONE, KILLED = 0, -signal.SIGKILL


class Countdown:
    """Kills its own process before the nth change of the disk."""

    def __init__(self, folder: Path, at: int) -> None:
        self.folder, self.left = str(folder), at

    def __call__(self, event: str, given: tuple[object, ...]) -> None:
        if event in CHANGES and any(isinstance(one, (str, Path)) and str(one).startswith(self.folder) for one in given):
            if event == "open" and not (isinstance(given[1], str) and set(given[1]) & set("wax+")):
                return
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def child(act: Callable[[], object]) -> int:
    """Do something in a process of its own, and return how that ended."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def killed_everywhere(tmp_path: Path, act: Callable[[Path], object], lay: Callable[[Path], None]) -> Iterator[Path]:
    """Folders in which something was killed one step later each time, and the last one, where it came to its end."""
    for at in range(1, 400):
        home = tmp_path / f"at-{at:03}"
        home.mkdir()
        lay(home)

        def killed(home: Path = home, at: int = at) -> None:
            sys.addaudithook(Countdown(home, at))
            act(home)

        ended = child(killed)
        yield home
        if ended != KILLED:
            assert ended == DONE and at > 5, "it was killed nowhere"
            return
    raise AssertionError("it never came to an end")


def seen(folder: Path) -> Mapping[str, bytes]:
    """All files but those of a mark or lock."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in found
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def hidden(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob(".*"))


# ---- several files of a folder
OLD = {"a": b"old", "b": b"old", "mine.txt": b"mine", "in/c": b"old"}
FILES = {"a": b"new", "b": b"newer", "in/c": b"new", "in/deeper/d": b"new"}
NEW = {**OLD, **FILES}


def lay_old(home: Path) -> None:
    for name, octets in OLD.items():
        (home / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "out" / name).write_bytes(octets)
    os.utime(home / "out" / "mine.txt", (1, 1))


def test_a_folder_is_all_old_or_all_new_or_bears_a_mark_wherever_the_writer_was_killed(tmp_path: Path) -> None:
    outcomes = set()
    for home in killed_everywhere(tmp_path, lambda home: replace_files(home / "out", FILES), lay_old):
        out = home / "out"
        marked = (out / UNFINISHED / READY).exists()
        assert marked or seen(out) in (OLD, NEW), home
        recover_folder(out)
        assert seen(out) == NEW if marked else seen(out) in (OLD, NEW), home
        outcomes.add((marked, seen(out) == NEW))
        replace_files(out, FILES)
        assert seen(out) == NEW and hidden(home) == [], home
        assert (out / "mine.txt").stat().st_mtime == 1
    assert outcomes == {(False, False), (True, True), (False, True)}


def test_whoever_is_killed_while_finishing_is_finished_too(tmp_path: Path) -> None:
    def lay(home: Path) -> None:
        lay_old(home)
        stage = home / "out" / UNFINISHED
        transactions.write_synced(stage / transactions.NEW, FILES)
        (stage / READY).write_text(json.dumps([*FILES]), encoding="utf-8")

    for home in killed_everywhere(tmp_path, lambda home: recover_folder(home / "out"), lay):
        recover_folder(home / "out")
        recover_folder(home / "out")
        assert seen(home / "out") == NEW, home


def test_what_fails_half_way_goes_back_even_if_that_is_killed(tmp_path: Path) -> None:
    """A folder lies where a file should go: nothing can be moved there, however often it is tried."""

    def lay(home: Path) -> None:
        lay_old(home)
        (home / "out" / "in" / "deeper" / "d").mkdir(parents=True)
        (home / "out" / "in" / "deeper" / "d" / "mine").write_bytes(b"mine")

    before = {**OLD, "in/deeper/d/mine": b"mine"}

    def write(home: Path) -> None:
        with pytest.raises(OSError, match="directory"):
            replace_files(home / "out", FILES)

    for home in killed_everywhere(tmp_path, write, lay):
        for _ in range(2):
            try:
                recover_folder(home / "out")
            except OSError:  # it was killed while it moved, and cannot go on either
                continue
        assert seen(home / "out") == before and hidden(home) == [], home


def test_a_new_folder_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    found = set()
    for home in killed_everywhere(tmp_path, lambda home: write_folder(home / "out", FILES), lambda home: None):
        found.add(there := (home / "out").exists())
        assert seen(home / "out") == (FILES if there else {})
        recover_folder(home / "out")
        if not there:
            write_folder(home / "out", FILES)
        assert seen(home) == {f"out/{name}": octets for name, octets in FILES.items()}, home
        assert hidden(home) == [], home
    assert found == {True, False}


def test_a_new_folder_does_not_take_the_place_of_one_that_came_meanwhile(tmp_path: Path) -> None:
    lay_old(tmp_path)
    with pytest.raises(OSError):
        write_folder(tmp_path / "out", FILES)
    assert seen(tmp_path / "out") == OLD and hidden(tmp_path) == []


# ---- the command
EXPORT = """
import os, signal, sys
folder, wanted = sys.argv[1:3]
def hook(event, given):
    if event == "os.rename" and str(given[1]) == os.path.join(folder, wanted):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
from edition.cli.main import main
sys.argv[1:] = ["export", "tei", folder, "--sources", sys.argv[3], "--overwrite"]
main()
"""


@pytest.mark.parametrize("wanted", ["AAA.xml", "BBB.xml", "RIGHTS.txt"])
def test_an_export_that_was_killed_is_finished_by_the_next(tmp_path: Path, wanted: str) -> None:
    sources = write_library(tmp_path)
    for path in sources.rglob("deals/*.yaml"):
        path.unlink()
    out, clean = tmp_path / "out", tmp_path / "clean"
    out.mkdir()
    for name in ("AAA.xml", "BBB.xml", "mine.txt"):
        (out / name).write_text("mine", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", EXPORT, str(out), wanted, str(sources)], check=False)
    assert done.returncode == KILLED and (out / UNFINISHED / READY).exists()
    command = [sys.executable, "-m", "edition.cli", "export", "tei", "--sources", str(sources)]
    for folder in (out, clean):
        done = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=False)  # no --overwrite
        assert done.returncode == 0, done.stderr
    assert seen(out) == {**seen(clean), "mine.txt": b"mine"} and hidden(out) == []


# ---- the edition
def pages(_: Path, fresh: Path, *more: object) -> bool:
    """Some pages, as Sphinx would make them."""
    for name in ("index.html", "other.html", ".buildinfo"):
        (fresh / name).write_text("new", encoding="utf-8")
    return False


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    root = write_library(tmp_path / "library")
    for path in root.rglob("deals/*.yaml"):
        path.unlink()
    found, _ = read_all(root)
    assert found is not None
    return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edition.site.build, "sphinx", pages)
    monkeypatch.setattr(edition.site.build, "lay_out", lambda shelf, into, folder: None)
    monkeypatch.setattr(edition.site.build, "program_fingerprint", lambda: "this")


def lay_edition(home: Path) -> None:
    (home / "html").mkdir()
    for name in ("index.html", "gone.html"):
        (home / "html" / name).write_text("old", encoding="utf-8")
    (home / "mine").mkdir()


OLD_PAGES = {"index.html": b"old", "gone.html": b"old"}
NEW_PAGES = {"index.html": b"new", "other.html": b"new"}


@pytest.mark.usefixtures("quick")
def test_an_edition_is_the_old_or_the_new_one_wherever_the_build_was_killed(tmp_path: Path, shelf: Shelf) -> None:
    found = set()
    for home in killed_everywhere(tmp_path, lambda home: build_html(home / "html", shelf=shelf), lay_edition):
        edition.site.build.recover_edition(home / "html")
        assert seen(home / "html") in (OLD_PAGES, NEW_PAGES), home
        found.add(seen(home / "html") == NEW_PAGES)
        assert build_html(home / "html", shelf=shelf) == 0
        assert seen(home / "html") == NEW_PAGES
        left = sorted(path.relative_to(home).as_posix() for path in home.rglob("*"))
        assert left == [
            *(".html-work", ".html-work/laid", ".html-work/src"),
            *("html", "html/.buildinfo", "html/index.html", "html/other.html", "mine"),
        ], home
    assert found == {True, False}


@pytest.mark.parametrize("act", ["build", "serve"])
def test_the_last_good_edition_is_back_even_if_nothing_can_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    wrong = Problem("clauses.yaml", 7, 3, "no question Q999", "did you mean Q099?")
    for module in ("edition.cli.build", "edition.cli.check"):
        monkeypatch.setattr(f"{module}.find_all_problems", lambda *_: (None, [wrong]))
    monkeypatch.setattr("edition.cli.serve.house", lambda *_: pytest.exit("it would be served now"))
    lay_edition(tmp_path)
    (tmp_path / "html" / ".buildinfo").touch()
    (tmp_path / ".html-work").mkdir()
    (tmp_path / "html").rename(tmp_path / ".html-work" / "old")
    if act == "build":
        assert build(tmp_path / "html", quiet=True) == 1
    else:
        with pytest.raises(pytest.exit.Exception):
            serve(tmp_path / "html", 0, quiet=True, still=True)
    assert seen(tmp_path / "html") == OLD_PAGES


@pytest.mark.usefixtures("quick")
def test_what_builds_left_that_knew_no_lock_is_swept_and_nothing_else(tmp_path: Path, shelf: Shelf) -> None:
    lay_edition(tmp_path)
    swept = (".html-a1b2c3d4/_static", ".html-e5f6g7_8", ".html-old-a1b2c3d4/html")
    kept = (".html-settings/mine", ".html-x-work/new", ".live-a1b2c3d4/_static", ".html-a1b2/_static", "html-a1b2c3d4")
    for name in (*swept, *kept):
        (tmp_path / name).mkdir(parents=True)
    assert build_html(tmp_path / "html", shelf=shelf) == 0
    assert not any((tmp_path / name.partition("/")[0]).exists() for name in swept)
    assert all((tmp_path / name).exists() for name in kept)
    assert build_html(tmp_path / "live", shelf=shelf) == 0 and not (tmp_path / ".live-a1b2c3d4").exists()


@pytest.mark.usefixtures("quick")
def test_a_second_build_waits_for_the_first_and_says_so(
    tmp_path: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    going = tmp_path / "going"

    def slowly(_: Path, fresh: Path, *more: object) -> bool:
        going.write_text("", encoding="utf-8")
        time.sleep(0.6)
        (tmp_path / "first").write_text("", encoding="utf-8")
        return pages(_, fresh)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edition.site.build, "sphinx", slowly)
        pid = os.fork()
        if pid == 0:
            os._exit(build_html(tmp_path / "html", shelf=shelf))
    while not going.exists():
        time.sleep(0.01)
    assert not (tmp_path / "first").exists()
    assert build_html(tmp_path / "html", shelf=shelf) == 0
    assert (tmp_path / "first").exists() and os.waitpid(pid, 0)[1] == 0
    assert capfd.readouterr().err.count("Another process is making the pages") == 1
    assert seen(tmp_path / "html") == NEW_PAGES


def test_a_lock_is_held_as_long_as_a_child_of_the_killed_lives(tmp_path: Path) -> None:
    """Sphinx's processes go on writing for a moment when theirs is killed."""
    lock, said = tmp_path / "lock", tmp_path / "said"

    def parent() -> None:
        with hold_lock(lock):
            if os.fork() == 0:
                time.sleep(0.5)
                said.write_text("done", encoding="utf-8")
                os._exit(0)
            os.kill(os.getpid(), signal.SIGKILL)

    assert child(parent) == KILLED and lock.exists() and not said.exists()
    waited: list[int] = []
    with hold_lock(lock, lambda: waited.append(1)):
        assert said.exists() and waited == [1]
    assert not lock.exists()


def test_a_lock_is_held_by_one_process_at_a_time(tmp_path: Path) -> None:
    """Whoever comes while the lock file is being removed does not keep one that has no name."""
    counter = tmp_path / "counter"
    counter.write_text("0", encoding="utf-8")

    def counting() -> None:
        for _ in range(20):
            with hold_lock(tmp_path / "lock"):
                number = int(counter.read_text(encoding="utf-8"))
                time.sleep(0.001)
                counter.write_text(str(number + 1), encoding="utf-8")

    pids = []
    for _ in range(4):
        pids.append(os.fork())
        if pids[-1] == 0:
            code = 1
            try:
                counting()
                code = 0
            finally:
                os._exit(code)
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * 4
    assert counter.read_text(encoding="utf-8") == "80" and [*tmp_path.iterdir()] == [counter]


def test_a_function_under_a_lock_may_call_one_that_takes_it(tmp_path: Path) -> None:
    with exclusive_build(tmp_path / "html") as work, exclusive_build(tmp_path / "html") as same:
        assert work == same
        assert (work / edition.site.build.LOCK).exists()
    assert not (work / edition.site.build.LOCK).exists()


SPHINX = """
import os, signal, sys
from pathlib import Path
from edition.site.build import build_html
out, sources, hand, at = *map(Path, sys.argv[1:4]), int(sys.argv[4])
def hook(event, given):
    global at
    if event == "open" and str(given[0]).endswith(".doctree") and "w" in str(given[1]):
        at -= 1
        if at == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
sys.exit(build_html(out, False, "1", sources, hand))
"""


@pytest.mark.slow
def test_a_page_that_a_killed_build_had_read_is_not_taken_over(tmp_path: Path) -> None:
    """Sphinx would believe what it has laid down of a page, though the sources say by now what they said before."""
    sources, hand = write_library(tmp_path), tmp_path / "hand"
    for path in sources.rglob("deals/*.yaml"):
        path.unlink()
    (sources / "bibliography.bib").write_text("", encoding="utf-8")
    hand.mkdir()
    (hand / "index.md").write_text("# Home\n\n```{reversis:matrix}\n```\n", encoding="utf-8")
    for name in ("rights", "people", "reading"):
        (hand / f"{name}.md").write_text(f"---\norphan: true\n---\n# {name}\n", encoding="utf-8")

    def built(folder: str, at: int = 0) -> int:
        words = [sys.executable, "-c", SPHINX, *(str(one) for one in (tmp_path / folder, sources, hand, at))]
        return subprocess.run(words, capture_output=True, check=False).returncode

    def html(folder: str) -> dict[str, bytes]:
        return {name: octets for name, octets in seen(tmp_path / folder).items() if name.endswith(".html")}

    assert built("html") == 0
    before = html("html")
    changed(sources, "AAA/clauses.yaml", "because: Both are named.", "because: Both stand there.")
    assert built("html", at=2) == KILLED and html("html") == before
    changed(sources, "AAA/clauses.yaml", "because: Both stand there.", "because: Both are named.")
    with (hand / "index.md").open("a", encoding="utf-8") as opened:
        opened.write("\n# New\n")  # so that all pages are written again
    assert built("html") == 0 and built("clean") == 0
    assert html("html") == html("clean") and b"New" in html("html")["index.html"]
    assert {path.name for path in tmp_path.glob(".html*")} == {".html-work"}
    assert {path.name for path in (tmp_path / ".html-work").iterdir()} == {"src", "doctrees", "laid"}


# ---- on the disk
@pytest.mark.usefixtures("quick")
def test_what_is_written_is_on_the_disk_before_it_counts(
    tmp_path: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}") if sys.platform == "linux" else "")
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    if sys.platform != "linux":
        pytest.skip("only Linux names an open file")
    places.replaced(tmp_path / "one", "words")
    assert len(synced) == 2 and "/.one-" in synced[0] and synced[1] == str(tmp_path)
    synced.clear()
    (tmp_path / "out").mkdir()
    replace_files(tmp_path / "out", {"a": b"1", "in/b": b"2"})
    staged = f"{tmp_path}/out/{UNFINISHED}/new"
    assert {f"{staged}/a", f"{staged}/in/b", staged, f"{staged}/in"} <= {*synced}
    assert {f"{tmp_path}/out", f"{tmp_path}/out/in"} <= {*synced}
    order: list[str] = []
    monkeypatch.setattr(edition.site.build, "sync_tree", lambda folder: order.append(f"synced {folder.name}"))
    place = edition.site.build.put_in_place
    monkeypatch.setattr(edition.site.build, "put_in_place", lambda *given: (order.append("placed"), place(*given)))
    assert build_html(tmp_path / "html", shelf=shelf) == 0
    assert order == ["synced new", "placed"] and synced[-1] == str(tmp_path)


def test_a_file_that_a_killed_process_was_writing_is_swept_a_day_later(tmp_path: Path) -> None:
    def killed() -> None:
        with places.whole(tmp_path / "book.pdf") as name:
            Path(name).write_bytes(b"half")
            os.kill(os.getpid(), signal.SIGKILL)

    assert child(killed) == KILLED
    (left,) = tmp_path.iterdir()
    (tmp_path / ".book.pdf-settings").write_text("mine", encoding="utf-8")
    os.utime(tmp_path / ".book.pdf-settings", (1, 1))
    places.replaced(tmp_path / "book.pdf", b"whole")
    assert left.exists(), "somebody may still be writing it"
    os.utime(left, (time.time() - 2 * places.A_DAY,) * 2)
    places.replaced(tmp_path / "book.pdf", b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".book.pdf-settings", "book.pdf"]
