"""A transcription that cannot be taken over is told with its own lines."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from reversis.cli.main import cli
from tests.support.library import write_library

TEXT = """\
% A remark.
[p. 1]
# A
One. Two
three [p. 20] four.

[p. 21]
# B
The [cat > cat] sat.
"""


def test_what_is_wrong_is_told_with_the_line_of_the_transcription(tmp_path: Path) -> None:
    root, path = write_library(tmp_path, deals=False), tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    done = CliRunner().invoke(cli, ["import-text", "AAA", str(path), "--anyway", "--sources", str(root)])
    told = " ".join(done.output.split())
    assert done.exit_code == 1 and "text.xml:" not in told
    assert "text.txt:5:1: page 20 follows page 1" in told
    assert "text.txt:7:1: on the page that begins here, in sentence 5: a choice between equals" in told
