"""A command that breaks off in the middle, wherever that is, leaves the old files as they were."""

from __future__ import annotations

import ast
import builtins
import errno
import io
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import edition.site.build
from edition.book import write_book as binding
from edition.corpus.load import read_corpus_checked
from edition.site.stubs import write_page_if_changed
from reversis.cli.main import cli
from rulebook.checks import registry
from rulebook.io import files as places
from rulebook.io.transactions import recover_folder
from rulebook.receipts import build_receipt, write_receipt
from tests.support.library import write_library
from tests.support.places import CLONE, DATA

HOUSE = CLONE
RECORD = str(DATA / "pam-quinola-forced-opposite-last.yaml")
GIVEN = ("title", "short-title", "date", "place", "author", "exemplar", "unit", "coder")
FACTS = (*(f"--{name}=x" for name in GIVEN), "--language=fr")
SEAL = f"sha256:{0:064}"
PASTED = "[p. 1]\nDu péage.\n\nCelui qui mene reçoit deux jetons de chacun. On le paye.\n"


class BrokenOff(BaseException):
    """As if somebody had pulled the plug, or pressed Ctrl-C."""


class Torn:
    """A file of which only half of what is written comes to lie on the disk."""

    def __init__(self, opened: Any, step: Callable[[], bool], fault: BaseException) -> None:
        self.opened, self.step, self.fault = opened, step, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self.opened, name)

    def __enter__(self) -> Torn:
        self.opened.__enter__()
        return self

    def __exit__(self, *told: Any) -> Any:
        return self.opened.__exit__(*told)

    def write(self, letters: Any) -> Any:
        if self.step():
            self.opened.write(letters[: len(letters) // 2])
            self.opened.flush()
            raise self.fault
        return self.opened.write(letters)


class Disk:
    """Counts whatever changes what lies in a folder, and breaks off at one step; killed, it does nothing after that."""

    def __init__(self, folder: Path, at: int = 0, killed: bool = False, fault: BaseException | None = None) -> None:
        self.folder, self.at, self.killed = str(folder), at, killed
        self.fault = fault or BrokenOff()
        self.steps, self.over, self.last = 0, False, ""

    def step(self) -> bool:
        """Whether it breaks here."""
        self.steps += 1
        self.over = self.over or self.steps == self.at
        return self.steps == self.at or (self.over and self.killed)

    def ours(self, path: object) -> bool:
        """Whether it lies in the folder, and is none of what can be made again; whoever is killed, touches nothing."""
        name = str(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else ""
        mine = name.startswith(self.folder) and not any(f"{os.sep}{one}" in name for one in AGAIN)
        return mine or (self.over and self.killed)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Every way to change the disk leads through here."""
        opened = io.open
        with pytest.MonkeyPatch.context() as patch:
            for name in WAYS:
                patch.setattr(os, name, self.counted(getattr(os, name)))
            patch.setattr(io, "open", self.torn(opened))
            patch.setattr(builtins, "open", self.torn(opened))
            yield

    def counted(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def counted(path: Any, *words: Any, **more: Any) -> Any:
            changes = act.__name__ != "mkdir" or not os.path.isdir(path)
            if changes and self.ours(path) and self.step():
                self.last = act.__name__
                raise self.fault
            return act(path, *words, **more)

        return counted

    def torn(self, opened: Callable[..., Any]) -> Callable[..., Any]:
        def torn(file: Any, mode: str = "r", *words: Any, **more: Any) -> Any:
            found = opened(file, mode, *words, **more)
            writes = set(mode) & set("wax+") and self.ours(file)
            return Torn(found, self.step, self.fault) if writes else found

        return torn


AGAIN = (".html-work/src", ".html-work/doctrees")  #: the pages that Sphinx reads
STAYS = (".html-work",)  #: the folder in which pages are made
WAYS = ("replace", "rename", "mkdir", "unlink", "remove", "rmdir", "chmod", "truncate", "link", "symlink")


def seen(folder: Path) -> dict[str, bytes]:
    """All files that a reader would see."""
    paths = (path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file())
    return {one.as_posix(): (folder / one).read_bytes() for one in paths if not any(p[0] == "." for p in one.parts)}


Act = Callable[[Path], object]


def typed(*words: str) -> Act:
    """A command, typed where the sources lie."""

    def act(root: Path) -> None:
        given = [word.replace("ROOT", str(root)) for word in words]
        done = CliRunner().invoke(cli, given)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code in (0, 1), done.output

    return act


def site(root: Path) -> None:
    """The pages are built; Sphinx itself is played by a few lines."""

    def pages(_: Path, fresh: Path, *more: object) -> bool:
        for name in ("index.html", "other.html"):
            (fresh / name).write_text("<p>new</p>", encoding="utf-8")
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edition.site.build, "run_sphinx", pages)
        edition.site.build.build_html(root.parent / "html", sources=root)


def book(root: Path) -> None:
    """The book is bound; its maker is played."""
    corpus, _ = read_corpus_checked(root)
    assert corpus is not None
    with pytest.MonkeyPatch.context() as patch:
        form = replace(binding.BOOK_FORMS["epub"], render=lambda _: b"a new book")
        patch.setattr(binding, "BOOK_FORMS", {"epub": form})
        binding.bind_book(replace(corpus), "epub", root.parent / "epub")


#: All that writes where a reader's own files lie, and how it is done.
WRITERS: Mapping[str, Act] = {
    "check --confirm": typed("check", "--confirm", "ROOT"),
    "new-source": typed("new-source", "LAH", *FACTS, "--sources", "ROOT"),
    "import-text": typed("import-text", "AAA", "--sources", "ROOT", "--anyway"),
    "the registry": registry.register_new_ids,
    "a receipt": lambda root: write_receipt(root, build_receipt("fuzz", "new", "python", 1, SEAL, {})),
    "export --overwrite": typed("export", "tei", "ROOT/../out", "--sources", "ROOT", "--overwrite"),
    "build": site,
    "build epub": book,
}
TELLERS: Mapping[str, Act] = {
    "check": typed("check", "ROOT"),
    "check --coverage": typed("check", "--coverage", "ROOT"),
    "cite": typed("cite", "PAM", "quinola"),
    "run": typed("run", RECORD, "-s", "PAM"),
    "explain": typed("explain", RECORD, "-s", "PAM"),
    "session": typed("session", RECORD, "-s", "PAM"),
    "compare": typed("compare", "PAM", "ACA"),
    "separate": typed("separate", "Q031"),
    "deal new": typed("deal", "new"),
    "deal random": typed("deal", "random", "--seed", "1"),
}


@pytest.fixture
def root(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library in which every command finds something to do, and what an earlier day has left."""
    home = tmp_path / "old"
    root = write_library(home)
    for path in (*root.glob("deals/*"), *root.glob("*/deals/*")):
        path.unlink()
    (root / "AAA/text.txt").write_text(PASTED, encoding="utf-8", newline="\n")
    write_receipt(root, build_receipt("fuzz", "old", "python", 1, SEAL, {}))
    for name in ("html/index.html", "epub/reversis.epub", "out/AAA.xml", "out/mine.txt"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("old\n", encoding="utf-8", newline="\n")
    monkeypatch.setattr("rulebook.io.cache.cache_folder", lambda: tmp_path_factory.getbasetemp() / "corpus")
    return root


def without_fingerprints(root: Path) -> None:
    """So that there are some to be written."""
    for name in ("AAA", "BBB"):
        path = root / name / "clauses.yaml"
        text = re.sub(r',? *seen: "?sha256:\w+"?', "", path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8", newline="\n")


def copy_of(root: Path, name: str) -> Path:
    """Another copy of all that lies there, to be spoilt."""
    shutil.copytree(root.parent, root.parent.parent / name)
    return root.parent.parent / name / root.name


def steps_of(act: Act, root: Path) -> tuple[int, dict[str, bytes]]:
    """In how many steps it is done, and what lies there in the end."""
    disk = Disk(root.parent)
    with disk.watched():
        act(root)
    return disk.steps, seen(root.parent)


@pytest.mark.release
@pytest.mark.parametrize("killed", [False, True], ids=["broken off", "killed"])
@pytest.mark.parametrize("name", WRITERS)
def test_wherever_it_breaks_off_every_file_is_the_old_one_or_the_new_one(root: Path, name: str, killed: bool) -> None:
    if name == "check --confirm":
        without_fingerprints(root)
    act, old = WRITERS[name], seen(root.parent)
    steps, new = steps_of(act, copy_of(root, "whole"))
    assert steps > 1 and new != old, "it wrote nothing, and so nothing was tried"
    for at in range(1, steps + 1):
        here = copy_of(root, f"at-{at}")
        disk = Disk(here.parent, at, killed)
        with disk.watched(), suppress(BrokenOff):
            act(here)
        assert disk.over, at
        for folder in FOLDERS:  # as the next run would
            recover_folder(here.parent / folder)
        edition.site.build.recover_edition(here.parent / "html")
        found = seen(here.parent)
        assert {*old} <= {*found}, at
        assert not [path for path, letters in found.items() if letters not in (old.get(path), new.get(path))], at
        for folder in FOLDERS:
            assert within(folder, found) in (within(folder, old), within(folder, new)), (at, folder)
        if not killed:
            litter = [path.name for path in here.parent.rglob(".*") if path.name not in STAYS]
            assert not litter or disk.last in ("unlink", "rmdir"), (at, litter)


FOLDERS = ("html", "out", "sources/LAH")  #: of which there is never a half


def within(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What lies in one folder."""
    return {path: letters for path, letters in files.items() if path.startswith(f"{folder}/")}


@pytest.mark.slow
@pytest.mark.parametrize("name", TELLERS)
def test_what_only_tells_writes_nothing(root: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (root.parent / "here").mkdir()
    monkeypatch.chdir(root.parent / "here")
    before = seen(root.parent)
    steps, after = steps_of(TELLERS[name], root)
    assert steps == 0 and after == before


@pytest.mark.parametrize("words", [("new-source", "LAH", *FACTS), ("import-text", "AAA", "--anyway")])
def test_a_full_disk_is_told_in_a_line(root: Path, words: tuple[str, ...]) -> None:
    before = seen(root.parent)
    disk = Disk(root.parent, 1, fault=OSError(errno.ENOSPC, "No space left on device", "text.xml"))
    with disk.watched():
        done = CliRunner().invoke(cli, [*words, "--sources", str(root)])
    assert done.exit_code == 1
    assert done.output == "Error: text.xml: No space left on device. What was there before is still there.\n"
    assert seen(root.parent) == before


def test_half_a_page_that_a_build_left_is_written_again(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("# Jeté".encode()[:-1])
    (tmp_path / "b.md").write_bytes(b"# B\n")
    os.utime(tmp_path / "b.md", (1, 1))
    for name, words in (("a.md", "# Jeté\n"), ("b.md", "# B\n")):
        write_page_if_changed(tmp_path / name, words)
    assert (tmp_path / "a.md").read_bytes() == "# Jeté\n".encode()
    assert (tmp_path / "b.md").stat().st_mtime == 1, "what says the same is not touched"


def test_what_a_killed_build_laid_aside_comes_back(tmp_path: Path) -> None:
    (tmp_path / ".html-work" / "old").mkdir(parents=True)
    (tmp_path / ".html-work" / "old" / "index.html").write_text("old", encoding="utf-8")
    (tmp_path / ".other-work" / "old").mkdir(parents=True)
    edition.site.build.recover_edition(tmp_path / "html")
    edition.site.build.recover_edition(tmp_path / "third")
    assert (tmp_path / "html" / "index.html").read_text(encoding="utf-8") == "old"
    assert sorted(one.name for one in tmp_path.iterdir()) == [".html-work", ".other-work", "html"]
    assert not [*(tmp_path / ".html-work").iterdir()]


def test_a_replaced_file_keeps_who_may_read_it(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("old", encoding="utf-8")
    (tmp_path / "one").chmod(0o600)
    places.replace_file(tmp_path / "one", "né\n")
    assert (tmp_path / "one").read_bytes() == b"n\xc3\xa9\n"
    places.replace_file(tmp_path / "deeper" / ("n" * 200), b"new")
    if os.name == "posix":
        assert ((tmp_path / "one").stat().st_mode & 0o777) == 0o600
        assert ((tmp_path / "deeper" / ("n" * 200)).stat().st_mode & 0o777) == 0o644


# --- and nobody writes otherwise

#: Who may write plainly -> why no reader's file can be spoilt by that.
PLAINLY: Mapping[str, str] = {
    "rulebook/io/files.py": "the one place where files are put in the place of others",
    "edition/site/reuse.py": "notes beside the edition; without them the next build makes all anew",
    "edition/book/pdf.py": "for the typesetter, in a temporary folder",
    "reversis/browser/bundle.py": "in the new edition, beside the last good one",
    "edition/cli/editing/import_text.py": "in a temporary folder, to be read once",
    "edition/site/answer_words.py": "in the new edition, beside the last good one",
    "edition/site/deferred.py": "in the new edition, beside the last good one",
    "edition/site/search_index.py": "in the new edition, beside the last good one",
    "edition/site/fonts.py": "in vendor/, with git to fetch them back",
    "edition/site/published_files.py": "in the new edition, beside the last good one",
    "reversis/export/exports.py": "in the new edition, beside the last good one",
    "edition/site/stubs.py": "pages that Sphinx reads; half a page is written again by the next build",
    "reversis/site/card_images.py": "in the new edition, beside the last good one",
    "edition/site/preview.py": "a copy of the last good sources, through `whole`",
    "reversis/cli/table/saved_game.py": "an empty new file, to keep the name; the game goes through `replace_file`",
    "edition/export/downloads.py": "in the new edition, beside the last good one",
    "edition/cli/output.py": "to nowhere, in the place of standard streams that are closed",
    "proofs/tutorial.py": "beside the notebook, through `atomic_write`",
    "proofs/synthetic_library.py": "invented sources, in a temporary folder",
    "proofs/growth.py": "in a temporary folder",
    "proofs/same_edition.py": "in a folder of outputs, which counts only once all is there",
    "proofs/fuzz.py": "in a temporary folder",
    "rulebook/io/transactions.py": "beside a new folder, or where files wait until all are there",
    "rulebook/io/folders.py": "beside the folder, in a new one that takes its place as a whole",
    "rulebook/io/cache.py": "beside the copy on the corpus, through `atomic_write`",
}
STEPS = ("rulebook", "engine", "edition", "lab", "reversis", "proofs")
PROGRAMS = [path for step in STEPS for path in sorted((HOUSE / step).rglob("*.py"))]


def writes_plainly(path: Path) -> bool:
    """Whether it writes to a file without putting it in its place as a whole."""
    letters = path.read_text(encoding="utf-8")
    return bool(LIKE.search(letters)) and any(map(plain, ast.walk(ast.parse(letters))))


WRITING = ("write_text", "write_bytes", "copyfile", "copy2", "touch")
LIKE = re.compile(rf"\b(open|{'|'.join(WRITING)})\(")  #: which files are worth being taken apart


def plain(node: ast.AST) -> bool:
    """Whether this is where it writes."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    modes = {one.value for one in [*node.args, *(k.value for k in node.keywords)] if isinstance(one, ast.Constant)}
    opens = name == "open" and any(isinstance(m, str) and len(m) < 4 and set(m) & set("wax+") for m in modes)
    return opens or name in WRITING


@pytest.mark.slow
def test_files_are_written_in_one_place() -> None:
    found = {path.relative_to(HOUSE).as_posix() for path in PROGRAMS if writes_plainly(path)}
    assert found == {*PLAINLY}
