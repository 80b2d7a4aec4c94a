"""Two checkouts that should produce the same are compared output by output; only listed exemptions are excused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from proofs import same_edition
from proofs.same_edition import EXEMPTIONS, FINISHED, build_outputs, iter_output_differences, main, run_checkout_command
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
    found = list(iter_output_differences(one, other))
    assert len(found) == told and all(line.startswith(f"{name}: ") for line in found)


def test_an_output_that_only_one_has_is_told(tmp_path: Path) -> None:
    one = lay(tmp_path / "before", {"html/a.html": "<p>a</p>", "html/b.html": "<p>b</p>"})
    other = lay(tmp_path / "after", {"html/a.html": "<p>a</p>"})
    assert list(iter_output_differences(one, other)) == ["html/b.html: only before"]


def test_every_exemption_has_a_reason() -> None:
    assert all(len(one.why.split()) > 2 for one in EXEMPTIONS)


@pytest.mark.slow
def test_a_checkout_runs_its_own_command_on_its_own_sources(tmp_path: Path) -> None:
    done = run_checkout_command(HOUSE, tmp_path / "out", "run", "pam-quinola-forced-opposite-last", "-s", "PAM", "-q")
    assert done.returncode == 0 and done.stdout.startswith("pam-quinola-forced-opposite-last  PAM  ")


@pytest.mark.slow
def test_two_empty_checkouts_are_not_called_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    assert main([str(tmp_path / "one"), str(tmp_path / "other")]) == 1
    said = capsys.readouterr().out
    for name in ("one", "other"):
        for words in ("build --output", "export json", "export parquet", "build epub", "build pdf"):
            assert f"{tmp_path / name}: reversis {words}" in said
    assert "pyproject.toml" in said and "outputs differ" not in said


Said = dict[tuple[str, ...], tuple[int, str]]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Said:
    """What commands end with; any other ends well and says nothing."""
    found: Said = {}

    def answer(checkout: Path, out: Path, *words: str) -> subprocess.CompletedProcess[str]:
        code, said = next((end for begin, end in found.items() if words[: len(begin)] == begin), (0, ""))
        return subprocess.CompletedProcess(words, code, said, said)

    monkeypatch.setattr(same_edition, "run_checkout_command", answer)
    return found


@pytest.mark.parametrize("words", [("build", "--output"), ("export", "tei"), ("build", "pdf")])
def test_a_command_that_fails_is_named_and_nothing_counts_as_made(
    tmp_path: Path, answers: Said, words: tuple[str, ...]
) -> None:
    answers[words] = (1, "line 1\nno such font\n")
    (failure,) = build_outputs(tmp_path, tmp_path / "out")
    assert failure.startswith(f"{tmp_path}: reversis {' '.join(words)}") and failure.endswith(
        "exit code 1: no such font"
    )
    assert not (tmp_path / "out" / FINISHED).exists()


def test_a_command_that_is_to_fail_may_do_so(tmp_path: Path, answers: Said) -> None:
    answers["chekc",] = (2, "no such command")
    assert build_outputs(tmp_path, tmp_path / "out") == []
    assert (tmp_path / "out" / FINISHED).exists()


def test_outputs_that_are_kept_are_used_again_only_if_all_were_made(
    tmp_path: Path, answers: Said, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(tmp_path / "one"), str(tmp_path / "other"), "--keep", str(tmp_path / "kept")]
    assert main(words) == 0 and capsys.readouterr().out == "0 outputs differ\n"
    monkeypatch.setattr(same_edition, "run_checkout_command", lambda *_: pytest.fail("it is made again"))
    assert main(words) == 0
    (tmp_path / "kept" / "after" / FINISHED).unlink()
    assert main(words) == 1
    assert f"{tmp_path / 'kept' / 'after'} holds a part of the outputs: remove it" in capsys.readouterr().out
