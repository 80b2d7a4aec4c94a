"""Streams that are closed, pipes as files, and pagers: what cron, a shell and a screen hand to a command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from edition.cli import output

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="it takes a shell of Unix"),
]
CLONE = Path(__file__).parents[2]
BOTS = "--south cautious --east cautious --north cautious --west cautious"


def in_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A line of a shell, in which R is the command `reversis`."""
    words = command.replace("R ", f"{sys.executable} -m reversis.cli ")
    env = {**os.environ, "PYTHONPATH": str(CLONE)}
    return subprocess.run(["bash", "-c", words], cwd=folder, env=env, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("R run - <&-", 1, "No deal on standard input"),
        ("R session - -s PAM <&-", 1, "No deal to play."),
        ("R play -s PAM --seed 3 <&-", 0, "Saved in reversis-1.yaml."),
        ("R deal read - <&-", 1, "who deals is not known"),
        ("R show Q031 >&-", 1, "standard output: it is closed"),
        ("R deal random -s PAM >&-", 1, "standard output: it is closed"),
        (f"R play -s PAM --seed 3 {BOTS} >&-", 1, "standard output: it is closed"),
        ("R deal random -s PAM --seed 1 2>&-", 0, "deal: random-1"),
    ],
)
def test_a_stream_that_is_closed_is_told_and_loses_nothing_silently(
    tmp_path: Path, command: str, code: int, told: str
) -> None:
    done = in_shell(command, tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    assert told in done.stdout + done.stderr
    assert all(path.stat().st_size for path in tmp_path.iterdir()), "no file of nought bytes"


def test_a_record_is_read_from_a_pipe_that_the_shell_names(tmp_path: Path) -> None:
    done = in_shell("R run <(R deal random -s PAM --seed 1) -s PAM", tmp_path)
    assert done.returncode == 0 and "outcome:" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (r"R deal fill <(printf '\xef\xbb\xbfhands:\r\n  south: QH 2S\r\n') -s PAM --seed 1", "deal: filled"),
        (r"R deal read <(printf 'Dealer: west\r\nPool: x\r\n')", ":2:1: pool is 'x'"),
    ],
)
def test_a_part_of_a_deal_and_a_diagram_are_read_from_a_pipe_too(tmp_path: Path, command: str, told: str) -> None:
    done = in_shell(command, tmp_path)
    assert told in done.stdout + done.stderr and "No file" not in done.stderr, done.stderr


def test_the_pager_decides_on_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Click has `less` show them, and takes them out where a pager may not; it must not be overruled."""
    asked: list[object] = []
    monkeypatch.setattr(click, "echo_via_pager", lambda text, color=None: asked.append(color))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with output.page_long_output(True):
        print("line\n" * 500)
    assert asked == [None]
