"""`reversis session`: an account book, one clear message for every mistake, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import Result

from edition.corpus.problems import find_all_problems
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.session.session import Step
from proofs.sessions import play_random_session
from rulebook.sources.paths import find_sources
from tests.support.commands import cache, refused, run
from tests.support.library import changed
from tests.support.settling import SIGLA, Rules

__all__ = ["cache"]  # the fixture, for these tests too
SESSION = "pam-basket-renewed"
ROOT = find_sources()


def lines(done: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def dealt(rules: Rules) -> Callable[[str, int], list[Deal]]:
    """Deals in a row by lot, lawful under a source, each dealt by him whose turn it is."""

    def dealt(siglum: str, number: int) -> list[Deal]:
        steps: list[Step] = list(play_random_session(Random(4), rules(siglum), number))
        return [step.settled.deal for step in steps if step.settled is not None]

    return dealt


def records(deals: list[Deal]) -> str:
    """The records as JSON lines, without the pool."""
    plain = ({key: value for key, value in write_deal(deal).items() if key != "pool"} for deal in deals)
    return "".join(json.dumps(one) + "\n" for one in plain)


# ---- a worked session
@pytest.mark.slow
def test_a_worked_session_reads_like_an_account_book() -> None:
    text = run("session", SESSION, "-s", "PAM").output
    assert "the first stake is put in" in text and "PAM.c163 PAM.c164" in text
    assert "the stake is renewed by all" in text and "the dealer adds a contribution" in text
    assert "3. north deals, for 105" in text and "pam-quinola-placed" in text
    assert "at the end: PAM is silent on Q112 “" in text
    assert "4 deals; south -60, east +95, north -96, west +16; on the table 45; in all 0" in text


def test_a_worked_session_may_be_named_by_its_file_and_played_by_every_source() -> None:
    done = run("session", str(ROOT / "sessions" / f"{SESSION}.yaml"), "-q")
    assert done.exit_code == 0
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [[SESSION, siglum] for siglum in SIGLA]


def test_as_data_a_session_is_one_line_a_source() -> None:
    found = lines(run("session", SESSION, "-f", "json"))
    schemas = {one["source"]: one["schema"] for one in found}
    assert [*schemas] == [*SIGLA] and {one["session"] for one in found} == {SESSION}
    assert {siglum for siglum, number in schemas.items() if number == 2} == {"HOY"}  # which has two pools
    for one in found:
        assert sum(one["accounts"].values()) == 0 and one["receipt"]["sources"].startswith("sha256:")


def test_a_session_that_does_not_come_to_what_it_expects_is_a_problem(tmp_path: Path) -> None:
    text = (ROOT / "sessions" / f"{SESSION}.yaml").read_text(encoding="utf-8")
    path = tmp_path / f"{SESSION}.yaml"
    path.write_text(text.replace("south: -13", "south: -12"), encoding="utf-8")
    assert "after 1 accounts south is -13, the record expects -12" in refused(1, "session", str(path), "-s", "PAM")
    assert run("session", str(path), "-s", "PAM", "--with", "PAM.i22").exit_code == 0  # another rule: nothing expected


# ---- deals in a row
def test_deals_on_standard_input_are_played_in_a_row(dealt: Callable[[str, int], list[Deal]]) -> None:
    done = run("session", "-", "-s", "PAR", "-f", "json", stdin=records(dealt("PAR", 12)))
    assert done.exit_code == 0, done.output
    (found,) = lines(done)
    kinds = [step["step"] for step in found["steps"]]
    assert kinds == ["begin", *(["deal", "between"] * 12)[:-1], "finish"] and found["deals"] == 12
    for one, other in zip(found["steps"], found["steps"][1:], strict=False):
        if other["step"] == "deal":
            assert other["played_for"] == one["pool"] and other["dealer"] == one["next_dealer"]


def test_worked_deals_can_be_turned_to_follow_each_other() -> None:
    words = ("session", "pam-quinola-placed", "pam-quinola-gorged", "-s", "PAM")
    assert "2 deals;" in run(*words, "--turn", "-q").output
    text = refused(1, *words)
    assert text.startswith("Nothing is played: none of the 2 deals is counted by PAM")
    assert "is played for a stake of 55; in this session there lies a stake of 45" in text and "(--turn)" in text


def test_a_wish_may_answer_what_a_source_leaves_open() -> None:
    text = run("session", SESSION, "-s", "PAM", "--with", "Q112=shared").output
    assert "what is left is shared out" in text and "Q112 as chosen" in text and "silent" not in text


# ---- mistypings
@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["pam-basket-renewd"], "Did you mean pam-basket-renewed?"),
        (["pam-quinola-plced"], "Did you mean pam-quinola-placed?"),
        ([SESSION, "pam-quinola-placed"], "is a whole session"),
        ([SESSION, "-s", "PAN"], "No source 'PAN'"),
        ([SESSION, "--with", "Q999=1"], "no question 'Q999'"),
        ([SESSION, "--with", "Q112=shard"], "shared"),
        ([], "Missing argument"),
    ],
)
def test_a_mistyped_command_is_told_with_the_way_out(words: list[str], told: str) -> None:
    assert told in refused(2, "session", *words)


def test_a_faulty_record_of_a_session_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("session: mine\nseats: [a, b, c, d]\ndealer: a\ndeals: [pam-quinola-plced]\n", encoding="utf-8")
    assert "did you mean pam-quinola-placed" in refused(1, "session", str(path))
    assert "did you mean pam-quinola-placed" in refused(1, "check", str(path))
    path.write_text("session: mine\nseats: [a, b, c, d]\ndealer: a\ndeals: [pam-quinola-placed]\n", encoding="utf-8")
    assert "`reversis session" in run("check", str(path)).output
    assert "1 deal; a" in run("session", str(path), "-s", "PAM", "-q").output


@pytest.mark.release
def test_check_tells_what_a_worked_session_does_not_come_to(tmp_path: Path) -> None:
    import shutil

    root = tmp_path / "sources"
    shutil.copytree(ROOT, root)
    changed(root, f"sessions/{SESSION}.yaml", "east: 38", "east: 39")
    _, problems = find_all_problems(root)
    (problem,) = problems
    assert f"{SESSION} under PAM: after 1 accounts east is 38, not 39" in str(problem)
    line = (root / "sessions" / f"{SESSION}.yaml").read_text(encoding="utf-8").splitlines()[problem.line - 1]
    assert "east: 39" in line and problem.file == f"sources/sessions/{SESSION}.yaml"
    changed(root, f"sessions/{SESSION}.yaml", "PAM.s0048", "PAM.s9999")
    assert any("no sentence PAM.s9999" in str(one) for one in find_all_problems(root)[1])


def test_a_game_of_one_source_is_settled_by_the_others_as_it_was_played(
    dealt: Callable[[str, int], list[Deal]],
) -> None:
    words = ("session", "-", "-s", "ACA")
    deals = records(dealt("PAM", 3))
    assert run(*words, stdin=deals).exit_code == 1
    done = run(*words, "--as-played", "--tolerate", "first-lead, exchange", "--format", "json", stdin=deals)
    passed_over = [words for step in lines(done)[0]["steps"] for words in step.get("passed_over", ())]
    assert done.exit_code == 0 and passed_over
    told = run(*words, "--as-played", "--tolerate", "first-lead", stdin=deals)
    assert all(f"{words}" in told.output for words in passed_over)
    said = refused(2, *words, "--tolerate", "revoke", stdin=deals)
    assert "'revoke' cannot be tolerated; write exchange,first-lead" in said
