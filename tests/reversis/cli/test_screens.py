"""Commands as a newcomer would type them, wrong ones too: what is said, on a screen of eighty columns.

No traceback, no line over the width, nothing longer than its use; on a terminal a pager has what is longer than it.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.commands import cache, run
from tests.support.places import CLONE
from tests.support.settling import SIGLA

pytestmark = pytest.mark.slow

__all__ = ["cache"]  # the fixture, for these tests too

COLUMNS = 80
LONG = 100_000  #: what a pager is for: as long as there is something to tell
DEAL = "pam-quinola-forced-opposite-last"

#: the deal, of every source its pool, in two lines, what no answer holds of HOY in two and of PAM in one, and of some
#: that scales are mixed
ROWS = 60 + 2 * len(SIGLA)

#: As it is typed, with the exit code, a phrase that is said, and the number of lines that are enough for it.
TYPED: Sequence[tuple[str, int, str, int]] = [
    (f"run {DEAL}", 0, "The quinola forced", ROWS),
    (f"run {DEAL} --all", 0, "east's quinola is forced", ROWS),
    (f"run {DEAL} -s PAM", 0, "PAM.c031", 67),
    (f"run {DEAL} -s pam -q", 0, "settled: south -10", 2),
    (f"run {DEAL} -s ACA", 1, "ACA.c016", 60),
    (f"run {DEAL} -s PMA", 2, "No source 'PMA'", 5),
    (f"run {DEAL} --all -s PAM", 2, "Either --source or --all", 5),
    (f"run {DEAL}.yaml", 2, f"Did you mean {DEAL}?", 5),
    ("run nowhere.yaml", 2, "No file and no worked deal", 6),
    ("run", 2, "Missing argument", 5),
    ("run .", 2, "is a folder", 5),
    ("run NEW", 1, "11 tricks are empty", 3),
    ("run NEW", 1, "reversis deal fill", 3),
    ("run BLANK", 1, "reversis deal fill", 15),
    ("run WRONG", 1, "'8X' is no card", 12),
    ("rum", 2, "Did you mean run?", 5),
    ("compare PAM ACA", 0, "PAM and ACA differ on", LONG),
    ("compare PAM", 2, "Missing argument 'S2'", 5),
    ("compare PAM PAM", 0, "differ on 0 of", 1),
    (f"compare PAM PAR -d {DEAL}", 0, "By PAR instead of PAM: east -2; west +2", LONG),
    (f"compare PAM ACA -d {DEAL}", 0, "Nothing to compare in money", LONG),
    ("compare PAM ACA -g quinolla", 2, "No group 'quinolla'", 30),
    ("deal rndm", 2, "Did you mean random?", 5),
    ("deal random -s PAM --players 5", 2, "Known: 4 players with 48 cards", 6),
    ("deal fill -s PAM", 2, "Give a FILE", 6),
    ('deal fill -s PAM -w "quinola thrown of"', 2, "it stands only in 'thrown off'", 6),
    ('deal fill -s GER -w "espagnolette won"', 1, "these rules know no espagnolette", 3),
    ('deal fill -s PAM -w "no reversis, reversis made"', 1, "cannot both be had", 3),
    ("separate Q999", 2, "No question 'Q999'", 5),
    ("cite PAM quinola --most 2", 0, "PAM.s0019", 13),
    ("cite PAM xyzzy", 1, "Nothing like 'xyzzy' was found in PAM", 2),
    (f"explain {DEAL} -s PAM", 0, "What is paid, and why", LONG),
    (f"worlds {DEAL} -s PAM", 0, DEAL, 60),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Records as a newcomer leaves them: fresh, blank, with a wrong card."""
    folder = tmp_path_factory.mktemp("newcomer")
    fresh = run("deal", "new", "--seed", "1").output
    written = {
        "NEW": fresh,
        "BLANK": run("deal", "new", "--blank").output,
        "WRONG": fresh.replace("talon: ", "talon: 8X "),
    }
    for name, text in written.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8", newline="\n")
    return {"folder": str(folder), **{name: f"{name}.yaml" for name in written}}


def words_of(typed: str, files: dict[str, str]) -> list[str]:
    head, *wish = typed.split('"')
    return [files.get(word, word) for word in head.split()] + wish[:1]


def lines_too_wide(text: str) -> list[str]:
    """Lines over the width; a path or a fingerprint cannot be broken."""
    return [line for line in text.splitlines() if len(line) > COLUMNS and max(map(len, line.split())) < COLUMNS // 2]


@pytest.mark.parametrize(("typed", "code", "phrase", "most"), TYPED, ids=[f"{row[0]}: {row[2]}" for row in TYPED])
def test_what_is_typed_is_answered(
    typed: str, code: int, phrase: str, most: int, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files["folder"])  # where the records lie, so that their paths are short on every machine
    done = run(*words_of(typed, files), columns=str(COLUMNS))
    assert done.exit_code == code, done.output
    assert phrase in " ".join(done.output.split()), done.output
    assert len(done.output.splitlines()) <= most, done.output
    assert lines_too_wide(done.output) == []


@pytest.mark.parametrize("columns", ["60", "120", "160"])
def test_a_ledger_fits_any_width(columns: str) -> None:
    for words in (["run", DEAL], ["run", DEAL, "-s", "PAM"], ["compare", "PAM", "ACA", "-g", "quinola"]):
        output = run(*words, columns=columns).output
        assert max(map(len, output.splitlines())) <= int(columns)


def test_a_quotation_uses_the_width_there_is() -> None:
    narrow, wide = (run("run", DEAL, "-s", "PAM", columns=columns).output for columns in ("80", "160"))
    assert "…" in narrow and "la partie se forme par les quatre cartes de l'écart" in wide.replace("’", "'")


def test_the_balances_of_all_sources_stand_first() -> None:
    lines = run("run", DEAL).output.splitlines()
    heads = next(at for at, line in enumerate(lines) if line.split() == [*SIGLA])
    assert heads < 4 and lines[heads + 3].split()[:4] == ["south", "–", "–", "-12"]
    assert lines.index(next(line for line in lines if "trick   south" in line)) > heads + 6


# ---- the pager
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no terminals to be had")
@pytest.mark.parametrize(
    ("words", "rows", "paged"),
    [
        (["run", DEAL], 24, True),
        pytest.param(["run", DEAL], 200, False, marks=pytest.mark.release),
        (["run", DEAL, "--no-pager"], 24, False),
        pytest.param(["--no-pager", "run", DEAL], 24, False, marks=pytest.mark.release),
        (["deal", "new"], 10, False),
    ],
)
def test_a_pager_has_what_is_longer_than_the_terminal(words: list[str], rows: int, paged: bool, tmp_path: Path) -> None:
    shown = type_at_terminal(words, rows)
    assert ("|paged|" in shown) is paged and "Traceback" not in shown


def type_at_terminal(words: list[str], rows: int) -> str:
    """What a terminal shows; its pager marks every line."""
    import fcntl
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, COLUMNS, 0, 0))
    env = {**os.environ, "PAGER": "sed s/^/|paged|/", "TERM": "xterm", "PYTHONPATH": str(CLONE)}
    with subprocess.Popen(
        [sys.executable, "-m", "reversis.cli", *words], stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=CLONE
    ):
        os.close(theirs)
        shown = b""
        while True:
            try:
                letters = os.read(ours, 65536)
            except OSError:  # the other end is closed
                letters = b""
            if not letters:
                break
            shown += letters
    os.close(ours)
    return shown.decode("utf-8", "replace")
