"""Files are written in one place, which `test_killed.py` kills at every step; what only tells writes nothing."""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

import edition.site.build
from edition.site.stubs import write_page_if_changed
from reversis.cli.main import cli
from rulebook.io import files as places
from tests.support.library import write_library
from tests.support.places import CLONE, DATA

HOUSE = CLONE
RECORD = str(DATA / "pam-quinola-forced-opposite-last.yaml")
GIVEN = ("title", "short-title", "date", "place", "author", "exemplar", "unit", "coder")
FACTS = (*(f"--{name}=x" for name in GIVEN), "--language=fr")
PASTED = "[p. 1]\nDu péage.\n\nCelui qui mene reçoit deux jetons de chacun. On le paye.\n"


def seen(folder: Path) -> dict[str, bytes]:
    """All files that a reader would see."""
    paths = (path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file())
    return {one.as_posix(): (folder / one).read_bytes() for one in paths if not any(p[0] == "." for p in one.parts)}


def stamped(folder: Path) -> dict[Path, int]:
    """All that lies in a folder, and when it was last changed."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


#: Commands that only tell something.
TELLERS = (
    "check ROOT",
    "check --coverage ROOT",
    "cite PAM quinola",
    "run RECORD -s PAM",
    "explain RECORD -s PAM",
    "session RECORD -s PAM",
    "compare PAM ACA",
    "separate Q031",
    "deal new",
    "deal random --seed 1",
)


@pytest.fixture
def root(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library in which every command finds something to do."""
    root = write_library(tmp_path / "old", deals=False)
    (root / "AAA/text.txt").write_text(PASTED, encoding="utf-8", newline="\n")
    monkeypatch.setattr("rulebook.io.cache.cache_folder", lambda: tmp_path_factory.getbasetemp() / "corpus")
    return root


@pytest.mark.slow
@pytest.mark.parametrize("words", TELLERS)
def test_what_only_tells_writes_nothing(root: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (root.parent / "here").mkdir()
    monkeypatch.chdir(root.parent / "here")
    before = stamped(root.parent)
    done = CliRunner().invoke(cli, words.replace("ROOT", str(root)).replace("RECORD", RECORD).split())
    assert done.exit_code in (0, 1) and done.output and stamped(root.parent) == before, done.exception


@pytest.mark.parametrize("words", [("new-source", "LAH", *FACTS), ("import-text", "AAA", "--anyway")])
def test_a_full_disk_is_told_in_a_line(root: Path, words: tuple[str, ...]) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "text.xml")

    before = seen(root.parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", full)
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
    "reversis/browser/python_bundle.py": "for the compiler, in a temporary folder",
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
