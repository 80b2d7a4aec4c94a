"""What a reader meets who knows card games and no programs: plain words, whole sentences, nothing cut off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reversis.cli.main import cli
from tests.support.commands import cache, run, said
from tests.support.places import CLONE

__all__ = ["cache"]  # the fixture, for these tests too


@pytest.mark.parametrize(
    ("command", "words"),
    [  # the trick in which a card counts double is called by its place
        ("explain pam-quinola-forced-opposite-last -s PAM", "5 × 2 (in the last trick) = 10"),
        ("explain pam-espagnolette-won -s PAM", "2 × 2 (in the first trick) = 4"),
        ("explain par-reversis-broken-by-quinola -s PAR", "5 × 2 (in the last but one trick) = 10"),
        # a fine goes to the pool with its article
        ("explain pam-revoke -s PAM", "Trick 5: east revokes: a fine to the pool."),
        ("explain pam-misdeal-bought-back -s PAM", "pays the pool."),
        # the source is named within a sentence
        ("explain pam-espagnolette-won -s PAM", "By PAM, the French pamphlet; sums in its smallest counter"),
        # a reason fits what is not paid
        (
            "explain pam-espagnolette-won -s PAM",
            "nobody's tricks win the stake, because by these rules no tricks can win it.",
        ),
        (
            "explain aca-talon-tie-dealer -s ACA",
            "though the quinola was thrown off in trick 9, because by these rules that does not call for it.",
        ),
        ("explain badly-shuffled -s ACA", "because by these rules it costs nothing."),
    ],
)
def test_what_is_told_is_plain_english(command: str, words: str) -> None:
    assert words in said(*command.split())


@pytest.mark.slow
def test_our_own_reading_is_told_by_its_words_and_not_by_an_id_that_cannot_be_asked_for() -> None:
    for words in (["explain", "pam-espagnolette-won", "-s", "PAM"], ["compare", "PAM", "ACA"]):
        assert ".preferred" not in run(*words).output
    told = said("explain", "pam-espagnolette-won", "-s", "PAM")
    assert "Read here as “he who has used the privilege”, rather than “he who holds the hand, used or not”" in told
    assert "(PAM.i12)" in told


def test_a_long_passage_is_read_out_once() -> None:
    told = run("explain", "par-reversis-broken-by-quinola", "-s", "PAR").output
    flat = " ".join(told.split())
    assert flat.count("A card is forced when it falls to a lead in its own suit") == 1
    assert "the same words as above (PAR.n14; PAR.c018)" in flat
    assert flat.startswith("par-reversis-broken-by-quinola: The reversis broken by Quinola itself By PAR, Parlett;")


@pytest.mark.slow
def test_the_coverage_is_not_cut_on_a_narrow_screen() -> None:
    told = run("check", "--coverage", "-q", columns="80").output
    assert "…" not in told and "PAM, sentences 128, classified 100%" in " ".join(told.split()).replace("source ", "")
    assert "…" not in run("check", "--coverage", "-q").output


@pytest.mark.slow
@pytest.mark.parametrize("words", [["run", "-"], ["explain", "-", "-s", "PAM"], ["worlds", "-"]], ids=" ".join)
def test_nothing_on_standard_input_is_told(words: list[str]) -> None:
    done = run(*words, stdin="\n")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("No deal on standard input: give deal records, YAML or JSON")


def test_a_missing_pack_is_told_once_and_a_wrong_one_still(tmp_path: Path) -> None:
    path = tmp_path / "deal.yaml"
    path.write_text("deal: mine\nseats: [a, b, c, d]\n", encoding="utf-8")
    told = said("run", str(path), "-s", "PAM", code=1)
    assert "no 'pack'" in told and "a pack of" not in told
    path.write_text("deal: mine\nseats: [a, b, c, d]\npack:\n", encoding="utf-8")
    assert "a pack of None cards" in said("run", str(path), "-s", "PAM", code=1)


@pytest.mark.parametrize("name", cli.own_commands.summaries)
def test_the_list_of_commands_says_of_each_what_its_own_help_says(name: str) -> None:
    command, summary = cli.commands[name], cli.own_commands.summaries[name]
    assert command.name == name and (command.help or "").split("\n\n")[0].replace("\n", " ") == summary


def test_no_help_sends_the_reader_to_a_program() -> None:
    names: list[list[str]] = [[name] for name in cli.own_commands.summaries if name != "deal"]
    names += [["deal", name] for name in ("new", "random", "fill", "read")]
    for words in names:
        assert ".py" not in run(*words, "-h").output, words
    assert "a dash is a void" in said("deal", "read", "-h")


def test_an_illegal_play_names_card_trick_what_was_lawful_and_the_clause() -> None:
    told = said("explain", "pam-espagnolette-won", "-s", "ACA", code=1)
    assert "Trick 1: east may not play AD; he may play AH JH." in told
    assert "“on est obligé de donner une carte de la couleur qu'on joue” (ACA.s0005; ACA.c005)" in told
    assert told.count("may not play") == 5


def test_the_page_of_commands_names_every_command_and_the_readme_none_besides() -> None:
    page = (CLONE / "sources" / "pages" / "commands.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^reversis ([\w-]+)", page, re.MULTILINE))
    assert set(cli.own_commands.summaries) <= listed
    readme = (CLONE / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^    reversis ([\w-]+)", readme, re.MULTILINE)) <= {*cli.own_commands.summaries}
