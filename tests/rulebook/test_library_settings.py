"""`library.yaml`: what is written there is read, and what cannot be meant is told with its place and a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.library_settings import read_settings


@pytest.mark.parametrize(
    ("line", "what", "way_out"),
    [
        ("titel: Tolls", "no setting is called titel", "did you mean title?"),
        ("title: [Tolls]", "title is no text", "write it in words"),
        ("groups: Tolls", "groups is no table of words", "write each in words behind its name"),
        ("order: dates", "order cannot be dates", "did you mean date?"),
        ("citation: ../CITATION.cff", "citation is no name of a file", "write it without a folder: CITATION.cff"),
        ("citation: /etc/passwd", "citation is no name of a file", "write it without a folder: CITATION.cff"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_told_and_not_used(
    tmp_path: Path, line: str, what: str, way_out: str
) -> None:
    (tmp_path / "library.yaml").write_text(f"publisher: nobody\n{line}\n", encoding="utf-8")
    settings, problems = read_settings(tmp_path)
    (problem,) = problems
    assert (problem.line, problem.what, problem.way_out) == (2, what, way_out)
    assert (settings.publisher, settings.title, settings.citation, dict(settings.groups)) == ("nobody", "", "", {})
