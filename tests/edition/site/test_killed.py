"""A process is really killed, at every step that changes the disk: what it left is recognised by the next run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

import edition.site.build
from edition.cli.build import build_html_edition
from edition.cli.serve import serve_edition
from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.site import reuse as again
from edition.site.build import build_html, exclusive_build
from rulebook.io import files as places
from rulebook.io import transactions
from rulebook.io.locks import hold_lock
from rulebook.io.transactions import READY, UNFINISHED_NAME, recover_folder, replace_files, write_folder
from rulebook.problems import Problem
from tests.support.killing import KILLED, child, hidden, killed_everywhere, other_processes, seen
from tests.support.library import changed, write_library
from tests.support.read_only import refuse_read_only_files
from tests.support.tiers import sample

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")


# ---- several files of a folder
OLD = {"a": b"old", "b": b"old", "mine.txt": b"mine", "in/c": b"old"}
FILES = {"a": b"new", "b": b"newer", "in/c": b"new", "in/deeper/d": b"new"}
NEW = {**OLD, **FILES}


def lay_old(home: Path) -> None:
    for name, octets in OLD.items():
        (home / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "out" / name).write_bytes(octets)
    os.utime(home / "out" / "mine.txt", (1, 1))


@pytest.mark.parametrize("every", sample([7, 1], 2))
def test_a_folder_is_all_old_or_all_new_or_bears_a_mark_wherever_the_writer_was_killed(
    tmp_path: Path, every: int
) -> None:
    outcomes = set()
    for home in killed_everywhere(tmp_path, lambda home: replace_files(home / "out", FILES), lay_old, every):
        out = home / "out"
        marked = (out / UNFINISHED_NAME / READY).exists()
        assert marked or seen(out) in (OLD, NEW), home
        recover_folder(out)
        assert seen(out) == NEW if marked else seen(out) in (OLD, NEW), home
        outcomes.add((marked, seen(out) == NEW))
        replace_files(out, FILES)
        assert seen(out) == NEW and hidden(home) == [], home
        assert (out / "mine.txt").stat().st_mtime == 1
    assert outcomes == {(False, False), (True, True), (False, True)}


def test_a_file_is_the_old_or_the_new_one_wherever_its_writer_was_killed(tmp_path: Path) -> None:
    found = set()
    for home in killed_everywhere(tmp_path, lambda home: places.replace_file(home / "out" / "a", b"new"), lay_old):
        found.add((home / "out" / "a").read_bytes())
        assert (home / "out" / "b").read_bytes() == b"old"
    assert found == {b"old", b"new"}


@pytest.mark.parametrize("name", ["in", "mine.txt/x"])
def test_a_folder_that_cannot_be_written_stays_as_it_is(tmp_path: Path, name: str) -> None:
    lay_old(tmp_path)
    with pytest.raises(OSError):
        replace_files(tmp_path / "out", {"a": b"new", name: b"new"})
    assert seen(tmp_path / "out") == OLD and hidden(tmp_path) == []


@pytest.mark.release
def test_whoever_is_killed_while_finishing_is_finished_too(tmp_path: Path) -> None:
    def lay(home: Path) -> None:
        lay_old(home)
        stage = home / "out" / UNFINISHED_NAME
        transactions.write_synced(stage / transactions.STAGED_NEW, FILES)
        (stage / READY).write_text(json.dumps([*FILES]), encoding="utf-8")

    for home in killed_everywhere(tmp_path, lambda home: recover_folder(home / "out"), lay):
        recover_folder(home / "out")
        recover_folder(home / "out")
        assert seen(home / "out") == NEW, home


@pytest.mark.release
def test_a_read_only_file_that_was_being_copied_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_read_only_files(monkeypatch)
    failing = monkeypatch.context

    def lay(home: Path) -> None:
        lay_old(home)
        for name in OLD:
            (home / "out" / name).chmod(0o444)

    def back(home: Path) -> None:
        """Write all, but for the last file, whose move fails; the others come back."""
        with failing() as patch:
            move = Path.replace
            patch.setattr(Path, "replace", lambda one, to: move(one / "none" if to.name == "d" else one, to))
            with pytest.raises(OSError, match="none"):
                replace_files(home / "out", FILES)

    for act in (lambda home: replace_files(home / "out", FILES), back):
        (tmp_path / act.__name__).mkdir()
        for home in killed_everywhere(tmp_path / act.__name__, act, lay):
            recover_folder(home / "out")
            assert seen(home / "out") in (OLD, NEW) and hidden(home) == [], home
            assert (home / "out" / "mine.txt").stat().st_mode & 0o777 == 0o444


@pytest.mark.release
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


@pytest.mark.release
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


LAID: dict[str, Callable[[Path], object]] = {
    "an empty folder": Path.mkdir,
    "a folder that came meanwhile": lambda out: lay_old(out.parent),
    "a file": Path.touch,
    "a link to nothing": lambda out: out.symlink_to("none"),
}


@pytest.mark.parametrize("what", LAID)
def test_a_new_folder_takes_the_place_of_nothing_at_all(tmp_path: Path, what: str) -> None:
    LAID[what](tmp_path / "out")
    before, held = (tmp_path / "out").lstat(), seen(tmp_path)
    with pytest.raises(FileExistsError) as refused:
        write_folder(tmp_path / "out", FILES)
    assert refused.value.filename == str(tmp_path / "out")
    after = (tmp_path / "out").lstat()
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert seen(tmp_path) == held and hidden(tmp_path) == []


# ---- the edition
def pages(_: Path, fresh: Path, *more: object) -> bool:
    """Some pages, as Sphinx would make them."""
    for name in ("index.html", "other.html", ".buildinfo"):
        (fresh / name).write_text("new", encoding="utf-8")
    return False


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    root = write_library(tmp_path / "library")
    for path in root.rglob("deals/*.yaml"):
        path.unlink()
    found, _ = read_corpus_checked(root)
    assert found is not None
    return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edition.site.build, "run_sphinx", pages)
    monkeypatch.setattr(edition.site.build, "write_page_sources", lambda corpus, into, folder: None)
    monkeypatch.setattr(edition.site.build, "fingerprint_program", lambda game: "this")


def lay_edition(home: Path) -> None:
    (home / "html").mkdir()
    for name in ("index.html", "gone.html"):
        (home / "html" / name).write_text("old", encoding="utf-8")
    (home / "mine").mkdir()


OLD_PAGES = {"index.html": b"old", "gone.html": b"old"}
NEW_PAGES = {"index.html": b"new", "other.html": b"new"}


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_an_edition_is_the_old_or_the_new_one_wherever_the_build_was_killed(tmp_path: Path, corpus: Corpus) -> None:
    found = set()
    for home in killed_everywhere(tmp_path, lambda home: build_html(home / "html", corpus=corpus), lay_edition):
        edition.site.build.recover_edition(home / "html")
        assert seen(home / "html") in (OLD_PAGES, NEW_PAGES), home
        found.add(seen(home / "html") == NEW_PAGES)
        assert build_html(home / "html", corpus=corpus) == 0
        assert seen(home / "html") == NEW_PAGES
        left = sorted(path.relative_to(home).as_posix() for path in home.rglob("*"))
        assert left == [
            *(".html-work", ".html-work/laid", ".html-work/seal", ".html-work/src"),
            *("html", "html/.buildinfo", "html/index.html", "html/other.html", "mine"),
        ], home
    assert found == {True, False}


@pytest.mark.parametrize("act", ["build", "serve"])
def test_the_last_good_edition_is_back_even_if_nothing_can_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    wrong = Problem("clauses.yaml", 7, 3, "no question Q999", "did you mean Q099?")
    for module in ("edition.cli.build", "edition.corpus.problems"):
        monkeypatch.setattr(f"{module}.find_all_problems", lambda *_: (None, [wrong]))
    monkeypatch.setattr("edition.cli.serve.open_server", lambda *_: pytest.exit("it would be served now"))
    lay_edition(tmp_path)
    (tmp_path / "html" / ".buildinfo").touch()
    (tmp_path / ".html-work").mkdir()
    (tmp_path / "html").rename(tmp_path / ".html-work" / "old")
    if act == "build":
        assert build_html_edition(tmp_path / "html", quiet=True) == 1
    else:
        with pytest.raises(pytest.exit.Exception):
            serve_edition(tmp_path / "html", 0, quiet=True, still=True)
    assert seen(tmp_path / "html") == OLD_PAGES


#: What a reader may have laid beside an edition; some hold a copy of it.
NOT_OURS = (
    *(
        ".html-previous/index.html",
        ".html-backup12/index.html",
        ".html-2026_old/index.html",
        ".html-a1b2c3d4/_static/a",
    ),
    *(".html-snapshot/.buildinfo", ".html-snapshot/_static/a", ".html-snapshot/index.html", ".html-settings/mine"),
    *(
        ".html-old-a1b2c3d4/html/index.html",
        ".html-old-mine/html/index.html",
        ".html-x-work/new/mine",
        "html-a1b2c3d4/a",
    ),
)


@pytest.mark.usefixtures("quick")
def test_no_folder_beside_an_edition_is_touched_but_the_one_in_which_it_is_made(tmp_path: Path, corpus: Corpus) -> None:
    for name in NOT_OURS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"mine")
    (tmp_path / ".html-empty_12").mkdir()
    edition.site.build.recover_edition(tmp_path / "html")
    assert not (tmp_path / "html").exists(), "nor is a reader's copy taken for the edition"
    for _ in range(2):
        assert build_html(tmp_path / "html", corpus=corpus) == 0
        assert all((tmp_path / name).read_bytes() == b"mine" for name in NOT_OURS)
        assert (tmp_path / ".html-empty_12").is_dir()


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_a_second_build_waits_for_the_first_and_says_so(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    going = tmp_path / "going"

    def slowly(_: Path, fresh: Path, *more: object) -> bool:
        going.write_text("", encoding="utf-8")
        time.sleep(0.6)
        (tmp_path / "first").write_text("", encoding="utf-8")
        return pages(_, fresh)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edition.site.build, "run_sphinx", slowly)
        pid = os.fork()
        if pid == 0:
            os._exit(build_html(tmp_path / "html", corpus=corpus))
    while not going.exists():
        time.sleep(0.01)
    assert not (tmp_path / "first").exists()
    assert build_html(tmp_path / "html", corpus=corpus) == 0
    assert (tmp_path / "first").exists() and os.waitpid(pid, 0)[1] == 0
    told = capfd.readouterr().err
    assert told.count("Another process is making the pages") == 1 and f"(process {pid} since " in told
    assert "If it hangs, end that process." in told
    assert seen(tmp_path / "html") == NEW_PAGES


def by_command(out: Path, root: Path) -> int:
    """Build as the command does, with the sources of a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edition.cli.build.find_all_problems", lambda: read_corpus_checked(root))
        return build_html_edition(out, quiet=True)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("act", [lambda out, root: build_html(out, sources=root), by_command], ids=["build", "command"])
def test_a_build_that_waited_is_of_the_sources_and_the_program_as_they_are_then(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, act: Callable[[Path, Path], int]
) -> None:
    laid: list[str] = []
    monkeypatch.setattr(
        edition.site.build,
        "write_page_sources",
        lambda corpus, *_: laid.append(corpus.library.sources["BBB"].notes[0].text),
    )
    monkeypatch.setattr(edition.site.build, "fingerprint_program", lambda game: program)
    waits = threading.Event()
    monkeypatch.setattr(edition.site.build, "hold_lock", lambda path, waiting: hold_lock(path, lambda _: waits.set()))
    root, out, program = tmp_path / "library" / "sources", tmp_path / "html", "before"
    with ThreadPoolExecutor(1) as pool:
        with exclusive_build(out):
            done = pool.submit(act, out, root)
            assert waits.wait(20)
            changed(root, "BBB/notes.yaml", "text: Odd.", "text: Newer.")
            program = "after"
        assert done.result() == 0
    assert laid == ["Newer."] and again.program_of(edition.site.build.work_of(out)) == "after"


@pytest.mark.slow
def test_a_lock_is_held_as_long_as_a_child_of_the_killed_writes_which_ends_with_its_parent(tmp_path: Path) -> None:
    """Sphinx's processes go on writing for a moment when theirs is killed; others wait in a pipe for its next word."""
    lock, said, number = tmp_path / "lock", tmp_path / "said", tmp_path / "number"

    def parent() -> None:
        with hold_lock(lock):
            number.write_text(f"{os.getpid()}\n", encoding="utf-8")
            if os.fork() == 0:
                while True:
                    with said.open("a", encoding="utf-8") as opened:
                        opened.write("more\n")
                    time.sleep(0.01)
            while not said.exists():
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)

    assert child(parent) == KILLED and lock.read_text(encoding="utf-8") == number.read_text(encoding="utf-8")
    waited: list[str] = []
    began = time.monotonic()
    with hold_lock(lock, waited.append):
        last = said.read_text(encoding="utf-8")
        time.sleep(0.1)
        assert said.read_text(encoding="utf-8") == last and time.monotonic() - began < 10
    assert len(waited) == 1 and f"process {number.read_text(encoding='utf-8').strip()} since " in waited[0]
    assert not lock.exists()


@pytest.mark.release  # it builds the whole edition; by default a build of a few pages is killed
@pytest.mark.parametrize(
    ("ended", "read"),
    [("SIGTERM", 0), ("SIGHUP", 0), ("SIGINT", 0), ("SIGKILL", 0), ("SIGTERM", 9), ("SIGKILL", 9)],
)
def test_nothing_is_left_of_a_server_that_is_ended_while_it_builds_for_the_first_time(
    tmp_path: Path, ended: str, read: int
) -> None:
    program = "from reversis.cli.main import main; main()"
    words = [sys.executable, "-c", program, "serve", "-d", str(tmp_path / "html"), "-p", "0"]
    with (tmp_path / "said").open("w+", encoding="utf-8") as said:
        running = subprocess.Popen(words, stdout=said, stderr=said, start_new_session=True)
        try:
            memory = tmp_path / ".html-work" / "doctrees"
            wait_until(lambda: len(other_processes(running.pid)) > 2 and len([*memory.rglob("*.doctree")]) >= read, 600)
            running.send_signal(getattr(signal, ended))
            code = running.wait(30)
            wait_until(lambda: not other_processes(running.pid), 10)
            with hold_lock(tmp_path / ".html-work" / edition.site.build.BUILD_LOCK, pytest.fail):
                pass
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()
        said.seek(0)
        words_said = said.read()
    assert code == (KILLED if ended == "SIGKILL" else 0) and "Traceback" not in words_said, words_said


def wait_until(holds: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it never came about"
        time.sleep(0.05)


@pytest.mark.slow
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


# ---- on the disk
@pytest.mark.usefixtures("quick")
def test_what_is_written_is_on_the_disk_before_it_counts(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}") if sys.platform == "linux" else "")
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    if sys.platform != "linux":
        pytest.skip("only Linux names an open file")
    places.replace_file(tmp_path / "one", "words")
    assert len(synced) == 2 and "/.one-" in synced[0] and synced[1] == str(tmp_path)
    synced.clear()
    (tmp_path / "out").mkdir()
    replace_files(tmp_path / "out", {"a": b"1", "in/b": b"2"})
    staged = f"{tmp_path}/out/{UNFINISHED_NAME}/new"
    assert {f"{staged}/a", f"{staged}/in/b", staged, f"{staged}/in"} <= {*synced}
    assert {f"{tmp_path}/out", f"{tmp_path}/out/in"} <= {*synced}
    order: list[str] = []
    monkeypatch.setattr(edition.site.build, "sync_tree", lambda folder: order.append(f"synced {folder.name}"))
    place = edition.site.build.put_in_place
    monkeypatch.setattr(edition.site.build, "put_in_place", lambda *given: (order.append("placed"), place(*given)))
    assert build_html(tmp_path / "html", corpus=corpus) == 0
    assert order == ["synced new", "placed"] and synced[-1] == str(tmp_path)
