"""`reversis deal`: what it makes can be run, the same seed makes it again, and every mistyping has a way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.settlement.settle import Settled, settle
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import load_library
from rulebook.model import Silent
from rulebook.resolve import resolve
from tests.support.commands import cache, refused, run
from tests.support.settling import SIGLA

__all__ = ["cache"]  # the fixture, for these tests too


def made(*words: str, stdin: str | None = None) -> Any:
    done = run("deal", *words, stdin=stdin)
    assert done.exit_code == 0, done.output
    data, _, problems = read_yaml(done.stdout)
    assert problems == []
    return data


def deal_of(raw: object) -> Deal:
    deal, problems = read_deal(raw)
    assert deal is not None, problems
    return deal


def settles(raw: object, *sources: str) -> bool:
    library, _ = load_library()
    assert library is not None
    return all(isinstance(settle(deal_of(raw), resolve(library, s)), Settled) for s in sources)


@pytest.mark.parametrize("words", [[], ["random"], ["new"], ["fill"], ["read"]])
def test_every_way_to_a_deal_explains_itself(words: list[str]) -> None:
    done = run("deal", *words, "-h")
    assert done.exit_code == 0 and "Usage: reversis deal" in done.output.replace("cli", "reversis", 1)


def test_a_source_that_does_not_say_what_a_deal_asks_is_led_to_supply(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise Silent("play.first-lead", "PAM")

    monkeypatch.setattr("reversis.cli.deal.make_random_record", fail)
    said = " ".join(refused(1, "deal", "random", "--source", "PAM").split())
    assert "PAM is silent on play.first-lead" in said and "reversis supply PAM --from ACA --all-deals --write" in said


@pytest.mark.slow
def test_a_random_deal_can_be_run_and_made_again(tmp_path: Path) -> None:
    raw = made("random", "--source", "aca", "--seed", "7", "--players", "5")
    assert raw["provenance"] == "generated" and len(raw["seats"]) == 5 and settles(raw, "ACA")
    command = raw["note"].removeprefix("Generated: reversis deal ").split()
    assert command == ["random", "--source", "ACA", "--seed", "7", "--players", "5"]
    assert made(*command) == raw
    path = tmp_path / "random-7.yaml"
    path.write_text(run("deal", *command).stdout, encoding="utf-8")
    assert run("run", str(path), "--source", "ACA").exit_code == 0


@pytest.mark.slow
def test_help_names_the_table_at_which_every_source_settles_a_random_deal() -> None:
    table = "--players 4 --pack 48"
    assert f"for a deal that every source settles, say {table}" in " ".join(run("deal", "random", "-h").stdout.split())
    for seed in range(1, 3):
        assert settles(made("random", "--seed", str(seed), *table.split()), *SIGLA)


@pytest.mark.release
def test_without_a_source_every_source_that_knows_the_table_settles_it() -> None:
    assert settles(made("random", "--seed", "3", "--players", "4", "--pack", "48"), "PAM", "ACA", "GER", "PAR")
    assert settles(made("random", "--seed", "3", "--players", "4", "--pack", "52"), "ACA", "GER")


@pytest.mark.slow
def test_a_new_record_is_completed_and_run() -> None:
    blank = run("deal", "new", "--seed", "2").stdout
    assert "# 11 tricks" in blank
    raw = made("fill", "-", "--source", "PAM", "--seed", "4", "-w", "no reversis", stdin=blank)
    given, _, problems = read_yaml(blank)
    assert problems == [] and isinstance(given, dict)
    assert raw["hands"] == given["hands"] and settles(raw, "PAM")


@pytest.mark.release
@pytest.mark.parametrize("words", [["--players", "5", "--pack", "52"], ["--blank"]])
def test_a_new_record_of_every_kind_is_completed(words: list[str]) -> None:
    blank = run("deal", "new", *words).stdout
    assert settles(made("fill", "-", "--source", "ACA", "--seed", "1", stdin=blank), "ACA")


@pytest.mark.slow
def test_a_wish_is_fulfilled_and_the_command_kept() -> None:
    raw = made("fill", "--wish", "reversis made by east", "--source", "PAM", "--seed", "2")
    assert settles(raw, "PAM")
    assert 'deal fill --wish "reversis made by east" --source PAM --seed 2' in raw["note"]
    taken = {row.split()[0] for row in raw["tricks"][1:]}
    assert taken <= set(raw["hands"]["east"].split())  # who takes every trick leads every trick but the first


@pytest.mark.slow
def test_a_filled_deal_is_called_as_its_file_is(tmp_path: Path) -> None:
    words = ["fill", "--wish", "no reversis", "--source", "PAM", "--seed", "2"]
    assert made(*words)["deal"] == "filled"
    named = made(*words, "--id", "pam-my-deal")
    assert named["deal"] == "pam-my-deal" and "--id pam-my-deal" in named["note"]
    path = tmp_path / "deals" / "pam-other.yaml"  # a new source has no such folder yet
    done = run("deal", *words, "--out", str(path))
    assert done.exit_code == 0 and "pam-other" in done.output
    written, _, problems = read_yaml(path)
    assert problems == [] and settles(written, "PAM")
    assert written["deal"] == path.stem  # type: ignore[call-overload, index]
    assert "is there already" in refused(2, "deal", *words, "--out", str(path))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--id", "My deal"], "is no name of a deal"),
        (["--id", "one", "--out", "two.yaml"], "leave --id out"),
        (["--out", "two.txt"], "ends in .yaml"),
        (["--out", "two.yaml", "--format", "json"], "--out writes YAML"),
    ],
)
def test_a_name_that_a_deal_cannot_have_is_refused_before_the_search(words: list[str], told: str) -> None:
    said = refused(2, "deal", "fill", "--wish", "no reversis", "--source", "PAM", *words)
    assert told in " ".join(said.split())


def test_a_diagram_becomes_a_record(tmp_path: Path) -> None:
    from tests.engine.deal.test_diagram import COMPASS

    path = tmp_path / "from-a-book.txt"
    path.write_text(COMPASS, encoding="utf-8")
    raw = made("read", str(path))
    assert (raw["deal"], raw["fragment"], raw["hands"]["north"]) == (
        "from-a-book", True, "KS QS 6S 8H 5H 3H 7D 4D JC 8C 7C",
    )  # fmt: skip
    path.write_text(COMPASS.replace("♦ 7 4", "♦ 7 Z"), encoding="utf-8")
    assert "from-a-book.txt:5:" in refused(1, "deal", "read", str(path))


@pytest.mark.parametrize(
    ("code", "words", "said"),
    [
        (2, ["randm"], "Did you mean random?"),
        (2, ["random", "--source", "PMA"], "There are: "),
        (2, ["random", "--source", "PAM", "--players", "5"], "PAM does not play so: 5 players"),
        (2, ["random", "--pack", "50"], "'50' is not one of '48', '52'"),
        (2, ["random", "--number", "0"], "0 is not in the range"),
        (2, ["fill", "--source", "PAM"], "Give a FILE"),
        (2, ["fill", "nowhere.yaml", "--source", "PAM"], "No file 'nowhere.yaml'"),
        (2, ["fill", "--wish", "quinola led"], "Name a source:"),
        (2, ["fill", "--wish", "quinola ledd", "--source", "PAM"], "did you mean 'led'?"),
        (1, ["fill", "--wish", "espagnolette won", "--source", "ACA", "--tries", "5"], "know no espagnolette"),
        (2, ["read", "nowhere.txt"], "No file 'nowhere.txt'"),
    ],
)
def test_who_mistypes_is_told_the_way_out(code: int, words: list[str], said: str) -> None:
    assert said in refused(code, "deal", *words)


def test_a_faulty_part_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "part.yaml"
    path.write_text("dealer: west\nhands:\n  suoth: AS\n", encoding="utf-8")
    assert "part.yaml:3:" in refused(1, "deal", "fill", str(path), "--source", "PAM")
