"""Two checkouts that should produce the same are compared output by output; only listed exemptions are excused."""

from __future__ import annotations

import subprocess
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from edition.export.formats import list_export_formats
from proofs import same_edition
from proofs.same_edition import (
    COMPARED_COMMANDS,
    EXEMPTIONS,
    FINISHED,
    build_outputs,
    iter_output_differences,
    main,
    run_checkout_command,
)
from reversis.cli.main import cli
from reversis.game import GAME
from tests.support.places import CLONE


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
        ("commands/00-check.txt", "run python -m rulebook.json_schema", "run python -m rulebook.schema", 0),
        ("commands/00-check.txt", "3 problems", "2 problems", 1),
        ("commands/files/game.yaml", "south: QH", "south: 2C", 1),
        ("export/csv/matrix.csv", "Q001,2", "Q001,3", 1),
        ("hearts/html/index.html", PAGE.format("1a", "'x'", "word"), PAGE.format("1a", "'x'", "other"), 1),
        ("hearts/export/csv/matrix.csv", "Q001,2", "Q001,3", 1),
        ("html/index.html", "<p class='a'>word</p>", "<p class='b'>word</p>", 0),
        ("html/_static/edition.css", ".a {}", ".b {}", 0),
        ("html/_static/finding-records.js", "['Who pays']", "['Who wins']", 1),
        ("html/play/library.json", "{}", "[]", 1),
        ("html/downloads/stemma/stemma.gv", "a -> b", "b -> a", 1),
        ("html/linked/PAM.jsonld", "{}", "[]", 0),
        ("html/downloads/matrix.csv", "Q001,2", "Q001,3", 1),
        (
            "html/clauses/A.html",
            "<a href='../linked/A.jsonld'>t</a>",
            "<a href='../downloads/annotations/A.jsonld'>t</a>",
            0,
        ),
        ("html/clauses/A.html", "<a href='../linked/A.jsonld'>t</a>", "<a href='../downloads/tei/A.xml'>t</a>", 1),
        ("html/proofs/fuzz.html", "<p>a</p><p>Proofs are repeated before each release.</p>", "<p>a</p><p></p>", 0),
        ("html/proofs/fuzz.html", "<p>a</p><p>Proofs are repeated before each release.</p>", "<p></p><p></p>", 1),
    ],
)
def test_what_differs_is_told_unless_it_is_exempt(
    tmp_path: Path, name: str, before: str, after: str, told: int
) -> None:
    one, other = lay(tmp_path / "before", {name: before}), lay(tmp_path / "after", {name: after})
    output_differences = list(iter_output_differences(one, other))
    assert len(output_differences) == told and all(line.startswith(f"{name}: ") for line in output_differences)


def test_an_output_that_only_one_has_is_told(tmp_path: Path) -> None:
    one = lay(tmp_path / "before", {"html/a.html": "<p>a</p>", "html/b.html": "<p>b</p>"})
    other = lay(tmp_path / "after", {"html/a.html": "<p>a</p>"})
    assert list(iter_output_differences(one, other)) == ["html/b.html: only before"]


def pack(folder: Path, name: str, members: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / name, "w") as archive:
        for member, text in members.items():
            archive.writestr(member, text)
    return folder


def test_one_changed_chapter_of_a_bound_book_is_told(tmp_path: Path) -> None:
    one = pack(tmp_path / "before", "epub/reversis.epub", {"a.xhtml": "<p>word</p>", "b.xhtml": "<p>word</p>"})
    other = pack(tmp_path / "after", "epub/reversis.epub", {"a.xhtml": "<p>word</p>", "b.xhtml": "<p>other</p>"})
    assert [line.partition(": ")[0] for line in iter_output_differences(one, other)] == ["epub/reversis.epub!b.xhtml"]


def write_inventory(folder: Path, *lines: str) -> Path:
    (folder / "html").mkdir(parents=True)
    packed = zlib.compress("".join(f"{line}\n" for line in lines).encode())
    (folder / "html/objects.inv").write_bytes(b"# Sphinx\n# zlib.\n" + packed)
    return folder


def test_an_inventory_may_gain_addresses_and_lose_none(tmp_path: Path) -> None:
    one = write_inventory(tmp_path / "one", "Q001 reversis:question 1 q.html -")
    two = write_inventory(tmp_path / "two", "Q001 reversis:question 1 q.html -", "Q001 rules:question 1 q.html -")
    assert list(iter_output_differences(one, two)) == []
    assert [line.partition(": ")[0] for line in iter_output_differences(two, one)] == ["html/objects.inv"]


def test_a_page_that_an_edit_leaves_stale_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build of edited sources over a finished one keeps the old words here."""

    def build(checkout: Path, out: Path, *words: str) -> subprocess.CompletedProcess[str]:
        sources, folder = Path(words[1]), Path(words[-1])
        if not folder.exists():
            folder.mkdir()
            (folder / "page.html").write_text(
                (sources / "MEY/clauses.yaml").read_text(encoding="utf-8"), encoding="utf-8"
            )
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(same_edition, "run_checkout_command", build)
    (fault,) = same_edition.build_after_an_edit(CLONE, tmp_path / "out")
    assert "after an edit: page.html: " in fault


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [("2\n", "0\n", []), ("2\n", "1\n", ["hearts/built.txt"]), ("0\n", "1\n", ["hearts/built.txt"])],
)
def test_a_second_library_that_does_not_build_is_told_even_if_it_never_did(
    tmp_path: Path, before: str, after: str, told: list[str]
) -> None:
    one, other = (
        lay(tmp_path / "one", {same_edition._BUILT: before}),
        lay(tmp_path / "two", {same_edition._BUILT: after}),
    )
    assert [line.partition(":")[0] for line in iter_output_differences(one, other)] == told


def test_every_command_of_the_program_is_run(tmp_path: Path) -> None:
    begun = {
        next(word for word in words if not word.startswith("-")) for words in COMPARED_COMMANDS if words != ("-h",)
    }
    assert {*cli.commands} - {"build", "export"} <= begun  # these two are run by list_build_commands
    assert {*list_export_formats(GAME)} - {"dts", "traces", "stemma"} == {*same_edition.EXPORTS}


def test_every_exemption_has_a_reason() -> None:
    assert all(len(exemption.why.split()) > 2 for exemption in EXEMPTIONS)


@pytest.mark.slow
def test_a_checkout_runs_its_own_command_on_its_own_sources(tmp_path: Path) -> None:
    done = run_checkout_command(CLONE, tmp_path / "out", "run", "pam-quinola-forced-opposite-last", "-s", "PAM", "-q")
    assert done.returncode == 0 and done.stdout.startswith("pam-quinola-forced-opposite-last  PAM  ")


Said = dict[tuple[str, ...], tuple[int, str]]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Said:
    """What commands end with; any other ends well and says nothing."""
    found: Said = {}

    def answer(checkout: Path, out: Path, *words: str, program: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
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
    lay(tmp_path / "sources", {name: words for name, (words, _) in same_edition.EDIT.items()})
    answers["chekc",] = (2, "no such command")
    assert build_outputs(tmp_path, tmp_path / "out") == []
    assert (tmp_path / "out" / FINISHED).exists()


def test_outputs_that_are_kept_are_used_again_only_if_all_were_made(
    tmp_path: Path, answers: Said, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "other"):
        lay(tmp_path / name / "sources", {name: words for name, (words, _) in same_edition.EDIT.items()})
    words = [str(tmp_path / "one"), str(tmp_path / "other"), "--keep", str(tmp_path / "kept")]
    assert main(words) == 0 and capsys.readouterr().out == "0 outputs differ\n"
    monkeypatch.setattr(same_edition, "run_checkout_command", lambda *_: pytest.fail("it is made again"))
    assert main(words) == 0
    (tmp_path / "kept" / "after" / FINISHED).unlink()
    assert main(words) == 1
    assert f"{tmp_path / 'kept' / 'after'} holds a part of the outputs: remove it" in capsys.readouterr().out
