"""Exit codes that a script goes by: 2 for a command line that is mistyped, 0 or 141 where the reader has left."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.support.commands import cache, run
from tests.support.tiers import sample
from tests.system.test_closed_streams import in_shell

__all__ = ["cache"]  # the fixture, for these tests too

DEAL = "pam-quinola-placed"
#: Commands that take a source, a question, a seat, a trick, a deal or a wish, each mistyped.
MISTYPED = [
    *(f"{one} -s PAX" for one in ("run D", "session D", "explain D", "worlds D", "hint D", "play", "deal random")),
    *(f"{one} -s PAM --with {wish}" for one in ("run D", "session D", "explain D", "worlds D", "hint D", "play")
      for wish in ("Q999=1", "Q031@PAX", "Q031=many", "PAM.i99")),
    *(f"{one} nodeal -s PAM" for one in ("run", "session", "explain", "worlds", "hint")),
    *(f"{one} D -s PAM --seat {seat}" for one in ("explain", "hint") for seat in ("eats", "pool")),
    *(f"{one} D -s PAM --trick {trick}" for one in ("explain", "hint") for trick in ("0", "-1", "99", "x")),
    "compare PAM PAX", "compare PAM ACA --deal nodeal", "compare PAM ACA --group none", "compare PAM+Q999=1 ACA",
    "separate Q999", "separate Q031 PAM PAX", "separate PAM PAX",
    "show Q999", "show Q031 Q999", "show PAM.s9999", "show Q031 -s PAX", "list nothings", "list deals -s PAX",
    "cite PAX word", "variants PAX", "check PAX",
    "survey --deals 10 -s PAX", "survey --deals 10 --with Q999=1", "survey --deals x", "survey --policy clever",
    "deal fill -s PAX --wish 'quinola led'", "deal fill -s PAM --wish 'quinola led by eats'",
    "deal fill -s PAM --wish 'quinola led at trick 14'", "deal fill nofile -s PAM", "deal read nofile",
    "play --resume nofile", "play -s PAM --south nobody",
    "supply PAX", "supply PAM Q999", "supply PAM --from PAX --all-deals", "sheet PAX --out x.csv",
    "import-text PAX", "export xml x", "frobnicate",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("command", MISTYPED)
def test_a_mistyped_command_line_ends_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(command.replace(" D", f" {DEAL}")), stdin="")
    assert done.exit_code == 2, done.output
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it takes a shell of Unix")
@pytest.mark.parametrize(
    "command",
    sample(["deal random -s PAM --number 400", "-h", "run -h", f"run {DEAL}", "show Q031", "show Q999"], every=3),
)
def test_a_reader_of_a_pipe_who_leaves_is_no_fault(tmp_path: Path, command: str) -> None:
    done = in_shell(f"R {command} 2>err | true; echo ${{PIPESTATUS[0]}}; cat err", tmp_path)
    code, _, said = done.stdout.partition("\n")
    assert code in ({"2"} if command == "show Q999" else {"0", "141"}), done.stdout
    assert "Traceback" not in said and "Broken" not in said and "Exception" not in said
