"""Two checkouts that should produce the same are compared output by output; only listed exemptions are excused."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofs.same_edition import EXEMPTIONS, differences, run
from tests.support.places import CLONE

HOUSE = CLONE


def lay(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


PAGE = "<!DOCTYPE html><html><head><link href='_static/a.css?v={}'></head><body><p id={}>One {}</p></body></html>"


@pytest.mark.parametrize(
    ("name", "before", "after", "told"),
    [
        ("html/index.html", PAGE.format("1a", "'x'", "word"), PAGE.format("2b", '"x"', "word"), 0),
        ("html/index.html", PAGE.format("1a", "'x'", "word"), PAGE.format("1a", "'y'", "word"), 1),
        ("html/index.html", PAGE.format("1a", "'x'", "word"), PAGE.format("1a", "'x'", "other"), 1),
        ("html/play/reversis.zip", "one", "other", 0),
        ("commands/00.txt", "run python -m rulebook.json_schema", "run python -m rulebook.json_schema", 0),
        ("commands/00.txt", "3 problems", "2 problems", 1),
        ("export/csv/matrix.csv", "Q001,2", "Q001,3", 1),
    ],
)
def test_what_differs_is_told_unless_it_is_exempt(
    tmp_path: Path, name: str, before: str, after: str, told: int
) -> None:
    one, other = lay(tmp_path / "before", {name: before}), lay(tmp_path / "after", {name: after})
    found = list(differences(one, other))
    assert len(found) == told and all(line.startswith(f"{name}: ") for line in found)


def test_an_output_that_only_one_has_is_told(tmp_path: Path) -> None:
    one = lay(tmp_path / "before", {"html/a.html": "<p>a</p>", "html/b.html": "<p>b</p>"})
    other = lay(tmp_path / "after", {"html/a.html": "<p>a</p>"})
    assert list(differences(one, other)) == ["html/b.html: only before"]


def test_every_exemption_has_a_reason() -> None:
    assert all(len(one.why.split()) > 2 for one in EXEMPTIONS)


def test_a_checkout_runs_its_own_command_on_its_own_sources(tmp_path: Path) -> None:
    done = run(HOUSE, tmp_path / "out", "run", "pam-quinola-forced-opposite-last", "-s", "PAM", "-q")
    assert done.returncode == 0 and done.stdout.startswith("pam-quinola-forced-opposite-last  PAM  ")
