"""Commands that a player tried who had not built the edition: the way out that each names now."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from rulebook.installing import format_install_command
from tests.support.commands import cache, run
from tests.support.places import CLONE
from tests.support.settling import SIGLA

pytestmark = pytest.mark.slow

__all__ = ["cache"]  # the fixture, for these tests too

LOT = run("deal", "random", "-s", "PAM", "--seed", "5").stdout
RENAMED = LOT.replace("seats: [south, east, north, west]", "seats: [anna, ben, carl, dora]")

#: Command, what is piped into it, exit code, words that are said, words that are not.
TRIED = [
    ("deal fill -s PAM --seed 1 --wish 'five players'", None, 1, "by ACA, GER: --source ACA.", "PAR"),
    ("deal fill -s PAR --seed 1 --wish 'five players'", None, 1, "by ACA, GER: --source ACA.", "PAM"),
    ("deal fill -s PAM --wish 'quinola led at trick 14'", None, 2, "no trick 14", "'1'"),
    ("deal fill --wish x", None, 2, f"--source {', '.join(SIGLA)}", "Missing option"),
    ("explain pam-revoke", None, 2, f"--source {', '.join(SIGLA)}", "Missing option"),
    ("explain pam-quinola-gorged -s PAM -t 1 -q", None, 0, "expected in this trick.", "Traceback"),
    ("show bete", None, 0, "g-bete bête", "Near it"),
    ("show renonce", None, 0, "g-renonce renonce", "Near it"),
    ("show misere", None, 0, "g-misere misère", "Near it"),
    ("show knave", None, 0, "Q044 What happens if", "Near it"),
    (
        "show 31 q31 talonn",
        None,
        2,
        "PAM: 5 fiches",
        "Q031 How much does each other player pay to whoever forces the "
        "quinola? question topic: The quinola slug: quinola.forced.others-pay answers: Q031",
    ),
    ("show talonn talonnn", None, 2, "'talonnn'", "page:"),
    ("show 29 -s PAM", None, 0, "PAM: whoever takes the trick", "ACA:"),
    ("show PAM.s0031 -s PAM", None, 2, "--source is for questions", "page:"),
    ("list questions jack of hearts", None, 0, "Q031", "Q001"),
    ("list deals hearts -s ACA", None, 0, "aca-ace-of-hearts-forced", "aca-betes-of-two-kinds"),
    ("compare PAM ACA -q", None, 0, "PAM and ACA differ on 36 of", "Q031 How"),
    ("session pam-quinola-gorged", None, 1, "Nothing is played: the deal is not counted by any source", "first stake"),
    ("run -", "hello", 1, "begins neither as YAML nor as JSON", "Expecting"),
    ("run -", "", 1, "No deal on standard input", "Traceback"),
    ("run - -s PAM", RENAMED, 1, "and no hand for anna, ben, carl, dora", "did you mean"),
    ("worlds pam-quinola-gorged -s PAM", None, 0, "quinola, led: south to north 20; west to north 10", "20; east to"),
]


@pytest.mark.parametrize(("command", "piped", "code", "said", "unsaid"), TRIED)
def test_a_players_command_is_answered(command: str, piped: str | None, code: int, said: str, unsaid: str) -> None:
    done = run(*shlex.split(command), stdin=piped, columns="100")
    words = " ".join(done.output.split())
    assert (done.exit_code, said in words, unsaid in words) == (code, True, False), done.output


def test_a_card_that_lies_twice_says_where_and_which_is_missing() -> None:
    said = run("run", "-", "-s", "PAM", stdin=LOT.replace("QH 3H", "QH QH")).output.splitlines()
    at = said.index("standard input:8:10: QH lies twice in the hand of south")
    assert said[at + 1] == "    a card lies in one place only; nowhere lies 3H"


def test_other_names_under_seats_are_one_fault() -> None:
    assert len(run("run", "-", "-s", "PAM", stdin=RENAMED).output.splitlines()) == 2


def test_the_jack_of_hearts_is_the_quinola() -> None:
    assert run("show", "jack of hearts").output == run("show", "quinola").output


def test_cards_beside_a_name_are_told_where_to_go(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("North: S A K\nSouth: H 2\n", encoding="utf-8")
    text = run("deal", "read", str(tmp_path / "d.txt")).output
    assert "cards go on the lines below the name" in text and "no hands" not in text


def test_two_sources_are_compared_in_a_hundred_lines() -> None:
    short, whole = (run("compare", "PAM", "ACA", *more, columns="100").output for more in ([], ["--all"]))
    assert len(short.splitlines()) <= 100 < len(whole.splitlines())
    assert "Q031" in short and "--group" in short and "stated PAM.c031" in whole and "stated" not in short


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_both_sources_have_their_column_however_long_an_answer_is(columns: int) -> None:
    for pair in (("PAM", "PAR"), ("PIE", "PAM")):
        rows = run("compare", *pair, columns=str(columns)).output.splitlines()
        (head,) = (row for row in rows if row.split() == ["question", *pair])
        assert len(head.rstrip()) <= columns
        places = [head.index(siglum) for siglum in pair]
        answers = [row for row in rows if row.startswith(" Q")]
        assert answers and all(row[at - 1 :].startswith(" ") and row[at] != " " for row in answers for at in places)


def test_deals_from_a_pipe_that_do_not_follow_are_told_one_way_out() -> None:
    dealt = run("deal", "random", "-s", "PAM", "--seed", "3", "--number", "4").stdout
    done = run("session", "-", "-s", "PAM", stdin=dealt, columns="100")
    assert done.exit_code == 1 and done.output.startswith("Nothing is played: none of the 4 deals")
    assert done.output.count("--turn") == 1 and done.output.count("a stake of 45") == 1
    assert run("session", "-", "-s", "PAM", "--turn", "-q", stdin=dealt).exit_code == 0


def test_a_session_that_counts_nothing_is_still_data() -> None:
    done = run("session", "pam-quinola-gorged", "-s", "PAM", "--format", "json")
    assert done.exit_code == 1 and json.loads(done.stdout)["schema"]


def test_a_record_made_by_lot_fits_ninety_columns() -> None:
    assert max(map(len, LOT.splitlines())) <= 90 and "- {seat: south, out: 6S, in: AC}" in LOT


@pytest.mark.parametrize("command", ["play", "hint", "survey"])
def test_help_names_the_installation_command_of_the_readme(command: str) -> None:
    text = " ".join(run(command, "-h").stdout.split())
    told = format_install_command("survey", root=CLONE)
    assert told in text and told in (CLONE / "README.md").read_text("utf-8") and "reversis[" not in text


def test_an_extra_is_installed_from_the_clone_or_by_name(tmp_path: Path) -> None:
    assert format_install_command("survey", root=CLONE) == 'pip install -e ".[survey]"'
    assert format_install_command("survey", "cluster", root=tmp_path) == 'pip install "reversis[survey,cluster]"'
