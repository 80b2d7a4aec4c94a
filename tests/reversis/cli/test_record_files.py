"""Files of records as people have them: saved on Windows, read from a pipe, with French courts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.commands import cache, refused, run, said
from tests.support.places import CLONE

__all__ = ["cache"]  # the fixture, for these tests too

DEAL = (CLONE / "sources/PAM/deals/pam-quinola-placed.yaml").read_text(encoding="utf-8")
SESSION = next(iter(sorted((CLONE / "sources/sessions").glob("*.yaml")))).read_text(encoding="utf-8")
LINE = run("deal", "random", "-s", "PAM", "--seed", "1", "--format", "json").stdout
DIAGRAM = (
    "West\n♠ 9 8 7\n♥ 9 8 7 6\n♦ 9 8\n♣ 9 8\nNorth\n♠ 6 5 4\n♥ 5 4 3 2\n♦ 7 6\n♣ 7 6\n"
    "East\n♠ A K Q\n♥ A K Q J\n♦ A K\n♣ A K\nSouth\n♠ J 3 2\n♦ Q J 5 4\n♣ Q J 5 4\n"
    "Talon: 3D 2D 3C 2C\nDealer: west\nPack: 48\n"
)
GAPS = "hands:\n  south: QH 2S\n"

#: Each command that reads a record, the name of the file, and what stands in it.
READERS = [
    ("run {} -s PAM", "a.yaml", DEAL),
    ("run {} -s PAM", "a.json", LINE),
    ("session {} -s PAM", "a.yaml", SESSION),
    ("session {} -s PAM", "b.yaml", re.sub("^pool:.*\n", "", DEAL, flags=re.MULTILINE)),
    ("explain {} -s PAM", "a.yaml", DEAL),
    ("worlds {} -s PAM", "a.yaml", DEAL),
    ("compare PAM ACA --deal {}", "a.yaml", DEAL),
    ("hint {} -s PAM --trick 11 --worlds 8", "a.yaml", DEAL),
    ("deal read {}", "a.txt", DIAGRAM),
    ("deal fill {} -s PAM --seed 1", "a.yaml", GAPS),
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "file", "letters"), READERS, ids=[command for command, _, _ in READERS])
def test_carriage_returns_and_a_byte_order_mark_change_nothing_in_any_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, file: str, letters: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answers = []
    for octets in (letters.encode(), b"\xef\xbb\xbf" + letters.replace("\n", "\r\n").encode()):
        Path(file).write_bytes(octets)
        done = run(*command.format(file).split())
        answers.append((done.exit_code, done.stdout))
    assert answers[0] == answers[1] and answers[0][0] == 0


def test_a_record_without_a_pool_is_settled_with_an_empty_one_and_help_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(re.sub("^pool:.*\n", "", DEAL, flags=re.MULTILINE), encoding="utf-8")
    assert "pool: stake 0 before" in said("run", str(tmp_path / "a.yaml"), "-s", "ACA")
    assert "Without `pool` in a record the pool is empty: its stake is 0." in said("run", "-h")


LINES = LINE + LINE.replace("random-1", "random-1-again")
DOCUMENTS = f"---\n{DEAL}---\n{DEAL.replace('deal: pam', 'deal: another-pam')}"
FAULTY_LINES = LINES.replace('"pack": 48', '"pack": 47')


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run {} -q", "explain {} -s PAM", "worlds {} -s PAM", "session {} -s PAM -q"])
@pytest.mark.parametrize(
    ("file", "letters"),
    [("d.jsonl", LINES), ("d.json", LINES), ("d.txt", LINES), ("d.yaml", DOCUMENTS), ("d.ndjson", FAULTY_LINES)],
)
def test_a_file_of_several_deals_is_taken_as_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, file: str, letters: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(letters, encoding="utf-8")
    named, piped = run(*command.format(file).split()), run(*command.format("-").split(), stdin=letters)
    assert (named.exit_code, named.stdout) == (piped.exit_code, piped.stdout)
    assert named.stderr == piped.stderr.replace("standard input", file) and "YAML" not in named.stderr


def test_every_deal_of_a_file_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(LINES, encoding="utf-8")
    assert "all 2 records are in order" in said("check", str(path))
    path.write_text(LINE + FAULTY_LINES, encoding="utf-8")
    done = run("check", str(path))
    assert done.exit_code == 1 and "d.jsonl:2:1: " in done.stdout and "d.jsonl:3:1: " in done.stdout


def write_french(letters: str) -> str:
    return re.sub(r"\b[KQJ](?=[SHDC]\b)", lambda court: "RDV"["KQJ".index(court[0])], letters)


def test_a_record_that_writes_every_court_in_french_letters_is_settled_alike(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(write_french(DEAL), encoding="utf-8")
    (tmp_path / "b.yaml").write_text(DEAL, encoding="utf-8")
    settled = [said("run", str(tmp_path / file), "-s", "PAM") for file in ("a.yaml", "b.yaml")]
    assert settled[0] == settled[1]


@pytest.mark.parametrize(
    ("command", "file", "letters", "place"),
    [
        ("run {} -s PAM", "a.yaml", DEAL.replace("QH JH 9H", "DH JH 9H"), "a.yaml:11:10: "),
        ("run {} -s PAM", "a.json", LINE.replace("KC", "RC"), "a.json:1:1: "),
        ("session {} -s PAM", "a.yaml", DEAL.replace("QH JH 9H", "DH JH 9H"), "a.yaml:11:10: "),
        ("hint {} -s PAM", "a.yaml", DEAL.replace("QH JH 9H", "DH JH 9H"), "a.yaml:11:10: "),
        ("deal fill {} -s PAM", "a.yaml", "hands:\n  south: QH 2S\n  east: VC\n", "a.yaml:3:"),
    ],
    ids=["run", "run JSON", "session", "hint", "deal fill"],
)
def test_a_record_that_mixes_french_courts_with_english_ones_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, file: str, letters: str, place: str
) -> None:
    """RC, meant for *roi de coeur*, would be the king of clubs."""
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(letters, encoding="utf-8")
    told = refused(1, *command.format(file).split())
    assert place in told and "R, D, V and K, Q, J are mixed" in told
    assert "roi de coeur is KH, and RC is KC" in told
