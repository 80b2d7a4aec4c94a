"""`list` and `show`, and what the shell completes: the same things for people, for programs and by any name."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from click.testing import CliRunner

from edition.cli.lookup.catalogue import find_named, open_corpus
from edition.cli.lookup.describe import describe_thing
from edition.cli.lookup.list import ListFilter, get_list_kinds
from edition.cli.output import format_pretty_json
from edition.corpus.corpus import Corpus
from reversis.cli.main import cli
from reversis.files.deals import find_deal_paths
from reversis.game import GAME
from tests.support.commands import cache, run

__all__ = ["cache"]  # the fixture, for these tests too


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return open_corpus()


@pytest.mark.slow
def test_every_id_can_be_shown_and_says_where_it_is(corpus: Corpus) -> None:
    others = [*find_deal_paths(corpus.library), *(term.id for term in corpus.terms), *corpus.library.sources]
    for id in (*corpus.kinds, *corpus.library.questions, *others):
        (thing,) = find_named(corpus, id)
        told = describe_thing(corpus, thing)
        assert told.title and told.fields and ".html" in told.page and told.file.startswith("sources/"), id
        assert find_named(corpus, f" {id.swapcase()} ") == (thing,)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted({*get_list_kinds(GAME)} - {"kinds"}))  # of answers: their row says all
def test_what_is_listed_can_be_shown(corpus: Corpus, kind: str) -> None:
    rows = list(get_list_kinds(GAME)[kind].rows(corpus, ListFilter()))
    assert rows and all(find_named(corpus, row["id"]) for row in rows)
    assert {*get_list_kinds(GAME)[kind].shown} <= {*rows[0]}


@pytest.mark.slow
def test_a_list_is_the_same_in_json_and_csv() -> None:
    rows = [json.loads(line) for line in run("list", "sessions", "--format", "json").stdout.splitlines()]
    told = list(csv.DictReader(io.StringIO(run("list", "sessions", "-f", "csv").stdout)))
    assert [one["deals"].split("|") for one in told] == [row["deals"] for row in rows]
    assert {*told[0]} == {*rows[0]} - {"schema"}


def test_a_question_is_found_by_number_id_and_slug(corpus: Corpus) -> None:
    found = {find_named(corpus, name) for name in ("31", "031", "q31", "Q031", "quinola.forced.others-pay")}
    assert [[thing.id for thing in one] for one in found] == [["Q031"]]


def test_show_gives_one_object_for_each_thing() -> None:
    lines = run("show", "31", "PAM.s0071", "-f", "json").stdout.splitlines()
    question, sentence = map(json.loads, lines)
    assert question["answers"]["PAM"]["answer"] == "5" and question["answers"]["PAM"]["clauses"] == ["PAM.c031"]
    assert sentence["text"].startswith("Si quelqu'un force le quinola") and sentence["page"].startswith("sources/PAM")


def test_pretty_json_is_the_same_json() -> None:
    short, pretty = (run("run", "pam-revoke", "-s", "PAM", *form).stdout for form in (("-f", "json"), ("--pretty",)))
    assert len(short.splitlines()) == 1 and json.loads(short) == json.loads(pretty)
    one_text = re.compile(r' *("\w+": )?"(\\.|[^"\\])*",?')  # which no line end can divide
    assert len(pretty.splitlines()) > 10
    assert [line for line in pretty.splitlines() if len(line) >= 110 and not one_text.fullmatch(line)] == []
    assert format_pretty_json({"a": [*range(60)]}).count("\n") == 6


# ---- the shell
def complete(*words: str, shell: str = "bash") -> list[str]:
    """What the shell is offered for the last of these words."""
    typed = {"COMP_WORDS": " ".join(("reversis", *words)), "COMP_CWORD": str(len(words))}
    if shell == "fish":
        typed["COMP_CWORD"] = words[-1]
    env = {"_REVERSIS_COMPLETE": f"{shell}_complete", **typed}
    done = CliRunner().invoke(cli, [], prog_name="reversis", env=env)
    return [line.partition(",")[2] for line in done.output.splitlines() if line.startswith("plain,")]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("se",), ["separate", "serve", "session"]),
        (("run", "x", "--source", "P"), ["PAM", "PAR", "PIE"]),
        (("run", "pam-revo"), ["pam-revoke"]),
        (("run", "x", "--with", "31"), ["Q031="]),
        (("run", "x", "--with", "Q024", "=", ""), ["winner-of-partie", "nobody"]),  # bash parts words at =
        (("run", "x", "--with", "Q024=n"), ["nobody"]),
        (("run", "x", "--with", "24", "@", "G"), ["GER"]),
        (("compare", "P"), ["PAM", "PAR", "PIE"]),
        (("separate", "quinola.forced.p"), ["quinola.forced.payee"]),
        (("show", "PAM.s007"), [f"PAM.s007{at}" for at in range(10)]),
        (("show", "pam-basket"), ["pam-basket-renewed"]),
        (("list", "se"), ["sessions"]),
        (("hint", "x", "--seat", "s"), ["south"]),
        (("deal", "fill", "--wish", "reve"), [f"reversis{end}" for end in ("", " undertaken", " made", " broken")]),
    ],
)
def test_the_shell_completes(words: tuple[str, ...], offered: list[str]) -> None:
    assert complete(*words) == offered


def test_another_shell_is_offered_the_whole_word() -> None:
    assert complete("run", "x", "--with", "Q024=n", shell="fish")[0].startswith("Q024=nobody")


def test_the_help_says_how_completion_is_switched_on() -> None:
    assert 'eval "$(_REVERSIS_COMPLETE=bash_source reversis)"' in run("-h").output
    script = CliRunner().invoke(cli, [], prog_name="reversis", env={"_REVERSIS_COMPLETE": "zsh_source"}).output
    assert "#compdef reversis" in script
