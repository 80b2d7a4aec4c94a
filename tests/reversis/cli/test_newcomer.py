"""Commands as a newcomer types them, wrong ones too: the exit code, what is said, and how long the screen is.

The records of deals, and what is said of them, are tried in `test_deal`; here are pipes, lists, ids and slips.
"""

from __future__ import annotations

import json

import pytest
from _pytest.mark import ParameterSet

from tests.support.commands import cache, run
from tests.support.places import CLONE
from tests.support.settling import SIGLA

pytestmark = pytest.mark.slow

__all__ = ["cache"]  # the fixture, for these tests too

RECORD = (CLONE / "sources/PAM/deals/pam-quinola-forced-opposite-last.yaml").read_text(encoding="utf-8")
LINE = '{"deal": "x", "pack": 48}'
SETTLED = "settled: south -10, east -58, north -10, west +18, pool +60"

#: Command, what is piped into it, exit code, words that are said, and lines that suffice on 80 columns.
COMMANDS = [
    ("run - -s PAM -q", RECORD, 0, SETTLED, 2),
    ("run - -s PAM -q", f"---\n{RECORD}---\n# nothing here\n---\n{RECORD}", 0, SETTLED, 4),
    ("run - -s PAM -q", RECORD.replace("\n", "\r\n"), 0, SETTLED, 2),
    ("run - -s PAM", "hello", 1, "standard input:1:1: this is no deal record", 4),
    ("run - -s PAM", "", 1, "No deal on standard input: give deal records, YAML or JSON", 2),
    ("run - -s PAM", f"{RECORD}{LINE}\n", 1, "standard input:", 12),
    ("run -", LINE, 1, "no 'seats'", 14),
    ("run - -q", RECORD.replace("dealer: west", "dealer: wets"), 1, "standard input:7:9: no seat 'wets'", 3),
    ("explain - -s PAM -q --trick 11", RECORD, 0, "west", 40),
    ("compare PAM ACA --deal - -q", RECORD, 0, "PAM", 24),
    ("session - -s PAM -q --turn", RECORD, 0, "PAM 1 deal; south", 3),
    ("session -", "session: x\ndeals: [a]\n", 1, "this is the record of a session", 4),
    ("run", None, 2, "Missing argument 'DEAL...'", 5),
    ("rnu pam-revoke", None, 2, "No command 'rnu'. Did you mean run?", 5),
    ("run pam-revok", None, 2, "Did you mean pam-revoke?", 5),
    ("run PAM-Revoke -q -s PAM", None, 0, "pam-revoke PAM settled", 2),
    ("run pam-basket-renewed", None, 2, "`reversis session pam-basket-renewed` plays it", 6),
    ("run pam-revoke --with 31=3 -q -s PAM", None, 0, "PAM + Q031=3", 2),
    ("run pam-revoke --with q31@aca -q -s pam", None, 0, "PAM + Q031@ACA", 2),
    ("run pam-revoke --with pam.I01 -q -s PAM", None, 0, "PAM + PAM.i01", 2),
    ("run pam-revoke --with 999=3", None, 2, "Questions are Q001 to Q", 6),
    ("run pam-revoke --pretty --format html", None, 2, "--pretty is for JSON", 5),
    ("separate 31 pam aca -q", None, 0, "Q031 quinola.forced.others-pay ACA and PAM: effective", 2),
    ("separate 31 pam", None, 2, "Give a question, a question and two sources, or two sources.", 6),
    ("list", None, 0, "reversis list questions", 14),
    ("list sources", None, 0, "Pamphlet", 12),
    ("list question --topic quinola", None, 0, "How much does the holder of a forced quinola pay?", 30),
    ("list questions -s pam -g aces", None, 0, "PAM answer", 40),
    ("list readings -g aces", None, 0, "Q024=winner-of-partie", 60),
    ("list sessions", None, 0, "pam-basket-renewed", 4 + 2 * len(SIGLA)),
    ("list deels", None, 2, "Did you mean deals?", 5),
    ("list deals -g the", None, 2, "Several topics have 'the' in the name", 6),
    ("list terms -g aces", None, 2, "--topic does not narrow terms", 6),
    ("show 31", None, 0, "PAM: 5 fiches", 40),
    ("show Q31@pam", None, 0, "“il touche un jetton de chaque joueur” (PAM.s0071; PAM.c031)", 12),
    ("show q024=Nobody", None, 0, "answer of: ACA, GER", 12),
    ("show pam.s71", None, 0, "translation: “If anyone forces the quinola, he receives one jetton", 40),
    ("show par.n15", None, 0, "in our words: When Quinola is forced", 24),
    ("show PAM.c31", None, 0, "clauses/PAM.html#PAM.c031", 24),
    ("show PAM.i03", None, 0, "to play it: --with PAM.i03", 24),
    ("show pam.e5", None, 0, "printed: levée.", 12),
    ("show PAM.e14", None, 0, "see instead: PAM.s0117", 12),
    ("show jack of hearts", None, 0, "In all sources the stake depends on it", 50),
    ("show sources/PAM/deals/pam-revoke.yaml", None, 0, "A revoke, its fine", 12),
    ("show remise", None, 0, "definition:", 40),
    ("show PAM-Revoke", None, 0, "sources/PAM/deals/pam-revoke.yaml", 20),
    ("show pam-basket-renewed", None, 0, "reversis session pam-basket-renewed", 24),
    ("show espagnolette", None, 0, "30 questions", 90),
    ("show quinla", None, 2, "Nothing is called 'quinla'. Near it: quinola", 6),
    ("show Q31=many", None, 2, "Near it: Q031=", 6),
    ("show Q999", None, 2, "Nothing is called 'Q999'", 6),
    ("show", None, 2, "Missing argument 'ID...'", 5),
]


def mark_slow(row: tuple[str, str | None, int, str, int]) -> ParameterSet:
    """Whatever can be shown is described in `test_lookup` too."""
    slow = row[0].startswith("show") and row[2] == 0 and row[0] != "show 31"
    return pytest.param(*row, id=row[0], marks=pytest.mark.slow if slow else ())


@pytest.mark.parametrize(("command", "piped", "code", "words", "most"), [*map(mark_slow, COMMANDS)])
def test_a_newcomers_command_ends_as_it_should(
    command: str, piped: str | None, code: int, words: str, most: int
) -> None:
    done = run(*command.split(), stdin=piped, columns="80")  # which fails on a traceback
    assert (done.exit_code, words in " ".join(done.output.split())) == (code, True), done.output
    assert len(done.output.splitlines()) <= most, done.output


def test_what_people_look_up_stays_within_the_screen() -> None:
    for words in (
        ["show", "31"],
        ["show", "PAM.s0071"],
        ["show", "g-reversis"],
        ["list", "deals"],
        ["list", "readings"],
    ):
        assert max(map(len, run(*words, columns="80").output.splitlines())) <= 80, words


def test_a_random_deal_goes_through_a_pipe_in_each_form() -> None:
    for form in (["--format", "yaml"], ["--format", "json"], ["--pretty"]):
        made = run("deal", "random", "--source", "PAM", "--seed", "3", "--number", "2", *form)
        told = run("run", "-", "--source", "PAM", "--format", "json", stdin=made.stdout)
        assert [json.loads(line)["deal"] for line in told.stdout.splitlines()] == ["random-3-1", "random-3-2"]
