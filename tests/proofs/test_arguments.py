"""Options of proofs: what is refused in one line, and that no run replaces the published figures of another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from engine.players.preferences import SURVEY_POLICIES
from proofs.arguments import ProofParser, read_stored_command, run_proof, store_receipt
from rulebook.model import Library
from rulebook.receipts import build_receipt, read_receipt
from rulebook.sources.paths import find_sources

PLAYING = ("survey", "regret", "counsel", "strength", "paths")
SIZED = (*PLAYING, "fuzz", "sessions", "separate")
COMMAND = "python -m proofs.strength --deals 256 --seed 1785"


def refusal(words: list[str], capsys: pytest.CaptureFixture[str], name: str = "strength") -> str:
    """The one line that a proof says to a mistyped command."""
    with pytest.raises(SystemExit) as left:
        import_module(f"proofs.{name}").main(words)
    said = capsys.readouterr()
    assert left.value.code == 2 and said.out == "" and said.err.count("\n") == 1, said
    return said.err


# ---- numbers
@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize("text", ["-1", "x", "1.5", str(2**63)])
def test_no_proof_takes_a_seed_that_the_survey_refuses(
    name: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(["--seed", text], capsys, name)
    assert f"argument --seed: '{text}' is not a whole number from 0 to {2**63 - 1}" in said


@pytest.mark.parametrize(
    ("name", "option"),
    [
        *((name, "--deals") for name in ("survey", "regret", "counsel", "strength", "paths", "sessions")),
        *((name, "--worlds") for name in ("regret", "counsel")),
        ("counsel", "--results"),
        ("fuzz", "--number"),
    ],
)
def test_nought_of_anything_is_refused(name: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"argument {option}: '0' is not a whole number from 1 up" in refusal([option, "0"], capsys, name)


@pytest.mark.parametrize("name", SIZED)
def test_help_says_what_is_written_and_what_has_made_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        import_module(f"proofs.{name}").main(["-h"])
    said = capsys.readouterr().out
    assert left.value.code == 0 and "--out FILE" in said and "(default: " in said
    stored = {"survey": "survey/skilled.json", "separate": "separating.json"}.get(name, f"receipts/{name}.json")
    assert f"\n  sources/{stored}: {read_stored_command(find_sources() / stored)}\n" in said


# ---- sources
@pytest.mark.slow
@pytest.mark.parametrize("name", ["regret", "counsel", "strength"])
def test_an_unknown_source_is_told_with_those_there_are(
    name: str, library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(["--source", "XXX"], capsys, name)
    assert f"argument --source: No source 'XXX'. There are: {', '.join(library.sources)}." in said


@pytest.mark.slow
@pytest.mark.parametrize("name", ["regret", "survey"])
@pytest.mark.parametrize(
    ("shown", "what"), [("XXX:3", "--show: No source 'XXX'"), ("PAM", "no deal"), ("PAM:x", "no deal")]
)
def test_a_deal_that_is_none_is_told(name: str, shown: str, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert what in refusal(["--show", shown], capsys, name)


# ---- what is published
@pytest.mark.parametrize("name", [*(name for name in SIZED if name != "survey"), "growth", "survey"])
def test_without_options_a_proof_repeats_what_is_published(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So nobody who only types its name is refused."""

    class Enough(Exception):
        pass

    found = []

    def choose(parser: ProofParser, given: object, command: str, root: Path | None = None, stored: str = "") -> Path:
        found.append((stored or parser.stored[0], command))
        if len(found) == len(SURVEY_POLICIES) or name != "survey":
            raise Enough
        return Path()

    monkeypatch.setattr(ProofParser, "choose_place", choose)
    with pytest.raises(Enough):
        import_module(f"proofs.{name}").main([])
    assert found == [(stored, read_stored_command(find_sources() / stored)) for stored, _ in found]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of sources with a receipt."""
    receipt = build_receipt("strength", "So.", COMMAND, 1785, "sha256:" + "0" * 64, {"one": 1})
    (tmp_path / "receipts").mkdir()
    store_receipt(tmp_path / "receipts" / "strength.json", receipt)
    assert read_receipt(tmp_path / "receipts" / "strength.json", "") == (receipt, [])
    return tmp_path


def test_only_what_repeats_the_published_command_replaces_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = ProofParser("strength", "")
    given = parser.parse_args([])
    assert parser.choose_place(given, COMMAND, root) == root / "receipts" / "strength.json"
    with pytest.raises(SystemExit) as left:
        parser.choose_place(given, COMMAND.replace("256", "8"), root)
    said = capsys.readouterr().err
    assert left.value.code == 2 and f"receipts/strength.json holds what `{COMMAND}` has found" in said
    assert "add --out FILE" in said


def test_a_published_file_is_not_replaced_by_naming_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = ProofParser("strength", "")
    given = parser.parse_args(["--out", str(root / "receipts" / "strength.json")])
    with pytest.raises(SystemExit):
        parser.choose_place(given, COMMAND.replace("256", "8"), root)
    assert f"receipts/strength.json holds what `{COMMAND}` has found" in capsys.readouterr().err
    assert parser.choose_place(given, COMMAND, root) == root / "receipts" / "strength.json"


def test_a_file_that_cannot_be_written_is_told_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in (tmp_path, tmp_path / "nowhere" / "trial.json"):
        assert f"argument --out: {place} cannot be written" in refusal(["--out", str(place)], capsys)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words", "file"),
    [
        ("survey", ["--policy", "skilled", "--deals", "4096"], "survey/skilled.json"),
        ("survey", ["--seed", "2"], "survey/random.json"),
        ("regret", ["--deals", "64"], "receipts/regret.json"),
        ("counsel", ["--results", "1024"], "receipts/counsel.json"),
        ("strength", ["--deals", "8"], "receipts/strength.json"),
        ("fuzz", ["--number", "3"], "receipts/fuzz.json"),
        ("sessions", ["--deals", "2"], "receipts/sessions.json"),
        ("paths", ["--deals", "2"], "receipts/paths.json"),
        ("separate", ["--steps", "1"], "separating.json"),
        ("growth", ["--sources", "2"], "receipts/growth.json"),
    ],
)
def test_a_trial_replaces_nothing_that_is_published(
    name: str, words: list[str], file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"sources/{file} holds what `" in refusal(words, capsys, name)


def test_surveys_of_two_policies_do_not_go_into_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "add --policy" in refusal(["--deals", "8", "--out", str(tmp_path / "one.json")], capsys, "survey")


# ---- broken off, or without the extra
def test_an_interrupted_proof_says_where_its_pieces_are(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert run_proof(lambda: 3) == 3
    assert run_proof(interrupted, Path("build/survey")) == 130
    said = capsys.readouterr().err.strip()
    assert "Interrupted: nothing is stored. Finished pieces are kept in build/survey" in said and "\n" not in said
    assert run_proof(interrupted) == 130 and "pieces" not in capsys.readouterr().err


@pytest.mark.slow
def test_a_proof_that_does_not_play_needs_no_extra(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError('none', name='numpy')\n", encoding="utf-8")
    way = os.pathsep.join((str(tmp_path), str(find_sources().parent)))
    for name in ("sessions", "separate"):
        words = [sys.executable, "-m", f"proofs.{name}", "-h"]
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": way})
        assert done.returncode == 0 and json.dumps(done.stderr) == '""', done.stderr
