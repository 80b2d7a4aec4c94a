"""`reversis survey`: what it tells and keeps, how one mistypes it, and what is said where an extra is missing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from pyarrow import parquet

from engine.players import nets as net_files
from lab.players import skilled
from lab.survey import chunk as work
from lab.survey import runner as runs
from lab.survey.dask import NoCluster
from lab.survey.parquet import read_column_dictionary, read_survey_parquet
from lab.survey.request import ACCOUNTS, Rules
from lab.survey.table import NETS_COLUMNS, SURVEY_FILE_COLUMNS, SurveyRun, read_survey_dump
from reversis.cli import survey as command
from reversis.cli.survey import parse_deal_count
from rulebook.model import Library
from rulebook.sources.paths import find_sources
from tests.edition.cli.test_cli import DEAL
from tests.support import settling
from tests.support.commands import cache, refused, run
from tests.support.settling import SIGLA

__all__ = ["cache"]  # the fixture, for these tests too

FEW = ("--deals", "12", "--jobs", "1")


# ---- told
@pytest.mark.slow
def test_a_survey_is_told_company_by_company_and_then_compared() -> None:
    text = run("survey", *FEW, "-s", "pam", "-s", "ACA").stdout
    for words in (
        "12 random deals, seed 1, policy random",
        "again: reversis survey --deals 12 --seed 1 --policy random --source PAM --source ACA",
        "PAM  sums in fiches; 12 of 12 deals settled",
        "quinola thrown off",
        "ACA, PAM",
        "Quinola turned, quinola aside: it was in the talon after the deal; when play began.",
        "Privileged: a player held the espagnolette's cards and need not follow suit; renounced: that player did not.",
        "Reversis undertaken: one player took all tricks but the last few",
        "To look at a deal: reversis survey --deal N --seed 1 --policy random --source S",
    ):
        assert words in text
    assert "GER  sums" not in text and "\x1b" not in text


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["random", "skilled"])
@pytest.mark.parametrize("asked", [("--deals", "1", "--jobs", "1"), ("--deal", "3")])
def test_that_a_survey_is_compiled_is_said_once_and_only_where_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: tuple[str, ...], policy: str
) -> None:
    monkeypatch.setattr("lab.survey.jit.COMPILE_CACHE", tmp_path)
    words = ("survey", *asked, "-s", "PAM", "--policy", policy)

    def tell() -> int:
        command.announce_compiling.cache_clear()
        done = run(*words)
        assert "compiled" not in done.stdout
        return done.stderr.count("The survey is compiled now, once for this version: that takes a minute or more.")

    monkeypatch.setattr("lab.survey.jit.INTERPRETED", True)
    assert tell() == 0
    monkeypatch.setattr("lab.survey.jit.INTERPRETED", False)
    assert tell() == 1
    for name in ("survey_1/play_rules", "survey_1/counting", "players_1/net_batch"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.one-1.py311.nbi").touch()
    assert tell() == 0


@pytest.mark.release
def test_every_disagreement_may_be_priced_and_the_command_to_repeat_it_says_so(rules: settling.Rules) -> None:
    """An answer that several sources share is one game, priced once, under the name of the first of them."""
    text = run("survey", *FEW, "-s", "ACA", "--every").stdout
    assert "again: reversis survey --deals 12 --every --seed 1" in text
    answers = {siglum: rules(siglum).rulings["ace.favoured-suit"].answer for siglum in SIGLA}
    others = [siglum for siglum in SIGLA if answers[siglum] != answers["ACA"]]
    assert len(others) > 1 and len({answers[one] for one in others}) == 1
    priced = re.findall(r"ACA, ACA \+ (\S+)", text)
    assert len(priced) > 40 and [one for one in priced if one.startswith("Q017@")] == [f"Q017@{others[0]}"]
    assert "ACA, ACA +" not in run("survey", *FEW, "-s", "ACA").stdout


@pytest.mark.release
def test_data_is_one_line_that_can_be_read_again(library: Library) -> None:
    done = run("survey", *FEW, "-f", "json")
    assert len(done.stdout.splitlines()) == 1 and done.stderr == ""
    survey = read_survey_dump(json.loads(done.stdout))
    assert [table.rules.source for table in survey.order.tables] == list(library.sources)
    assert survey.sources == library.rules_digest
    assert survey.tally == runs.run_survey_order(survey.order, runs.SingleProcessCrew(library))


@pytest.mark.release
def test_quietly_a_company_has_a_line() -> None:
    lines = run("survey", *FEW, "-q").stdout.splitlines()
    assert tuple(line.split()[0] for line in lines) == SIGLA
    assert all("12 deals, 12 settled  eldest " in line for line in lines)


@pytest.mark.slow
def test_data_keeps_to_its_published_schema_which_explains_every_column() -> None:
    schema = json.loads((find_sources() / "schema" / "survey-result.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    check = Draft202012Validator(schema)
    told = json.loads(run("survey", *FEW, "-f", "json").stdout)
    assert list(check.iter_errors(told)) == []
    told["rows"][0]["own"] = False
    assert list(check.iter_errors(told))
    says = {name: one["description"] for name, one in schema["$defs"]["row"]["properties"].items()}
    assert says == dict(SURVEY_FILE_COLUMNS)


# ---- kept
@pytest.mark.slow
def test_what_was_counted_is_kept_with_every_single_deal(tmp_path: Path, library: Library) -> None:
    out, deals = tmp_path / "survey.parquet", tmp_path / "deals.parquet"
    done = run("survey", *FEW, "-s", "PAM", "-s", "ACA", "--out", str(out), "--per-deal", str(deals), "-f", "json")
    survey = read_survey_parquet(out)
    assert survey == read_survey_dump(json.loads(done.stdout))
    rows = parquet.read_table(deals).to_pylist()
    assert len(rows) == 24 and read_column_dictionary(deals) == dict(NETS_COLUMNS)
    for table, count in zip(("PAM", "ACA"), survey.tally.tables, strict=True):
        mine = [list(row.values())[2:] for row in rows if row["table"] == table]
        assert tuple(map(sum, zip(*mine, strict=True))) == count.net
        assert all(len(row) == ACCOUNTS and sum(row) == 0 for row in mine)


@pytest.mark.slow
def test_a_deal_of_the_survey_can_be_had_and_run(tmp_path: Path) -> None:
    deals = tmp_path / "deals.parquet"
    run("survey", *FEW, "-s", "PAM", "--per-deal", str(deals), "-q")
    expected = [row for row in parquet.read_table(deals).to_pylist() if row["deal"] == 7]
    record = run("survey", "--deal", "7", "-s", "PAM").stdout
    assert "Generated: reversis survey --deal 7 --seed 1 --policy random --source PAM" in record
    (tmp_path / "survey-1-7-pam.yaml").write_text(record, encoding="utf-8")
    result = json.loads(run("run", str(tmp_path / "survey-1-7-pam.yaml"), "-s", "PAM", "-f", "json").stdout)
    assert sorted(result["net"].values()) == sorted(list(expected[0].values())[2:])


# ---- typed, and mistyped
@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("1", 1), ("1000000", 10**6), ("1_000_000", 10**6), ("1,000", 1000), ("1e6", 10**6), ("1E6", 10**6)),
        *(("1M", 10**6), (" 2.5m ", 2_500_000), ("300k", 300_000), ("1g", 10**9), ("1.5e3", 1500)),
        ("1000000000000", 10**12),
    ],
)
def test_a_number_of_deals_is_read_however_it_is_written(text: str, number: int) -> None:
    assert parse_deal_count(text) == number


@pytest.mark.parametrize("text", ["", "many", "1.5", "1e-3", "1e", "M", "_", "1e6x", "nan", "inf", "0x10", "1e99", "²"])
def test_what_is_no_number_of_deals_is_refused(text: str) -> None:
    assert "Error: --deals: " in refused(2, "survey", "--deals", text)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--deals", "0"], "not in the range from 1"),
        (["--deals", "-5"], "-5 is not in the range from 1 to 1,000,000,000,000"),
        (["--seed", "-1"], "-1 is not in the range"),
        (["--seed", "x"], "not a valid integer"),
        (["--jobs", "0"], "0 is not in the range"),
        (["--deal", "-1"], "-1 is not in the range"),
        (["--policy", "cautios"], "No policy 'cautios'. There are: random, cautious, skilled."),
        (["--source", "PAN"], "No source 'PAN'. There are: ACA, GER, HOY, MEY, PAM, PAR, PIE."),
        (["--out", "nowhere/at/all.parquet"], "No folder nowhere/at to put all.parquet in."),
        (["--per-deal", "nowhere/at/all.parquet"], "No folder nowhere/at"),
        (["--out", "one.parquet", "--per-deal", "./one.parquet"], "give them two names"),
        (["--jobs", "2", "--cluster", "tcp://127.0.0.1:1"], "Either --jobs or --cluster"),
        (["--deal", "1", "--out", "x.parquet"], "--deal shows one deal"),
        (["--deals", "100", "--deal", "100"], "--deal: there is no deal 100: 100 deals are numbered from 0 to 99."),
        (["--out", "one.csv"], "one.csv: what is kept is a Parquet file; give it a name like one.parquet"),
        (["--per-deal", "one.CSV"], "one.CSV: what is kept is a Parquet file"),
        (["-s", "PAM+Q033@GER"], "A survey takes sources by their sigla, not 'PAM+Q033@GER': --source PAM."),
        (["--polizy", "random"], "--policy"),
    ],
)
def test_a_mistyped_survey_is_refused_with_code_2(words: list[str], said: str) -> None:
    assert said in refused(2, "survey", *words)


def test_a_folder_that_may_not_be_written_to_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(work, "tally_piece", lambda *piece: pytest.fail("it was played"))
    assert "Nothing may be written in" in refused(2, "survey", *FEW, "--out", str(tmp_path / "one.parquet"))


@pytest.mark.slow
def test_a_disk_that_is_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, survey: SurveyRun) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lab.survey.parquet.write_survey_parquet", full)
    assert "Error: The survey cannot be kept: [Errno 28] No space left" in refused(
        1, "survey", *FEW, "-s", "PAM", "--out", str(tmp_path / "one.parquet")
    )


@pytest.mark.slow
def test_a_cluster_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(address: str, library: Library) -> object:
        raise NoCluster(f"no Dask scheduler answers at {address}")

    monkeypatch.setattr("lab.survey.dask.open_cluster", nobody)
    assert refused(1, "survey", *FEW[:2], "--cluster", "tcp://192.0.2.7:1").endswith(
        "Error: No Dask scheduler answers at tcp://192.0.2.7:1.\n"
    )


def test_an_interruption_ends_with_code_1_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*piece: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(work, "tally_piece", interrupted)
    assert "Aborted!" in refused(1, "survey", *FEW, "--per-deal", str(tmp_path / "deals.parquet"))
    assert list(tmp_path.iterdir()) == []


# ---- without the extras
def without(*modules: str) -> str:
    """A program in whose world these modules are not installed."""
    return f"import sys\nsys.modules.update(dict.fromkeys({modules!r}))\nfrom reversis.cli.main import main\nmain()\n"


def blocked(words: list[str], *modules: str) -> subprocess.CompletedProcess[str]:
    program = without(*modules).replace("main()\n", f"sys.argv[1:] = {words!r}\nmain()\n")
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}
    )


EXTRAS = ("numpy", "numba", "pyarrow", "distributed", "dask")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["run", DEAL, "-q"], ["compare", "PAM", "ACA", "-q"], ["deal", "random"], ["survey", "-h"], ["--version"]]
)
def test_all_else_works_without_the_extras(words: list[str]) -> None:
    done = blocked(words, *EXTRAS)
    assert done.returncode == 0 and done.stdout and not done.stderr.count("Traceback"), done.stderr


@pytest.mark.release
@pytest.mark.parametrize(
    ("module", "words", "said"),
    [
        ("numba", [], 'A survey needs numba, which is not installed: pip install -e ".[survey]"'),
        ("pyarrow", ["--deal", "0"], 'A survey needs pyarrow, which is not installed: pip install -e ".[survey]"'),
        (
            "distributed",
            ["--cluster", "tcp://127.0.0.1:1"],
            'A survey on a cluster needs distributed, which is not installed: pip install -e ".[survey,cluster]"',
        ),
    ],
)
def test_a_missing_extra_is_told_in_one_sentence(module: str, words: list[str], said: str) -> None:
    done = blocked(["survey", "--deals", "1", *words], module)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"Error: {said}\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"), [(["--policy", "cautios"], "No policy 'cautios'"), (["-s", "PAN"], "No source 'PAN'")]
)
def test_what_is_mistyped_is_told_before_an_extra_is_asked_for(words: list[str], said: str) -> None:
    done = blocked(["survey", "--deals", "1", *words], "numpy")
    assert done.returncode == 2 and said in done.stderr and "numpy" not in done.stderr


# ---- reckoned


def test_the_policies_are_those_that_help_names() -> None:
    assert set(command.ALL_POLICIES) == {"random", "cautious", "skilled"}
    assert "random|cautious|skilled" in run("survey", "-h").output


# ---- by nets
SKILLED_PAM = ("survey", *FEW, "-s", "PAM", "--policy", "skilled")


@pytest.mark.slow
def test_another_net_leaves_another_fingerprint_with_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where command, version and sources are the same, and the figures are not."""
    shutil.copytree(skilled.WEIGHTS_FOLDER, tmp_path / "weights")
    shutil.copy(skilled.WEIGHTS_FOLDER / "GER.json", tmp_path / "weights" / "PAM.json")
    (tmp_path / "weights" / net_files.NET_DIGESTS).unlink()  # by which it would be refused as spoilt
    one = json.loads(run(*SKILLED_PAM, "-f", "json").stdout)
    for module in (skilled, net_files):
        monkeypatch.setattr(module, "WEIGHTS_FOLDER", tmp_path / "weights")
    monkeypatch.setattr(skilled, "read_net", lambda source: net_files.read_net(source, tmp_path / "weights"))
    skilled.fingerprint_net.cache_clear()
    try:
        other = json.loads(run(*SKILLED_PAM, "-f", "json").stdout)
    finally:
        skilled.fingerprint_net.cache_clear()
    assert {key for key in one if one[key] != other[key]} == {"nets", "rows"}


@pytest.mark.release  # quick only where it is compiled
def test_skilled_players_play_a_survey_and_a_deal_of_it_can_be_shown(tmp_path: Path, library: Library) -> None:
    many = run("survey", *FEW, "-s", "PAM", "--policy", "skilled", "-f", "json").stdout
    assert json.loads(many)["policy"] == "skilled"
    assert json.loads(many)["nets"] == {"PAM": skilled.fingerprint_net("PAM")}
    schema = json.loads((find_sources() / "schema" / "survey-result.schema.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(json.loads(many))) == []
    assert f"nets: PAM {skilled.fingerprint_net('PAM')}\n" in run(*SKILLED_PAM).stdout
    assert run("survey", *FEW, "-s", "PAM", "--policy", "Skilled", "-f", "json").stdout == many
    assert json.loads(run("survey", *FEW, "-s", "PAM", "-f", "json").stdout)["rows"] != json.loads(many)["rows"]
    shown = run("survey", "--deal", "3", "-s", "PAM", "--policy", "skilled", "-f", "json").stdout
    (tmp_path / "deal.jsonl").write_text(shown, encoding="utf-8")
    assert "PAM" in run("run", str(tmp_path / "deal.jsonl"), "-s", "PAM").stdout


def test_a_net_that_is_older_than_the_rules_of_its_own_source_is_named_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    made = replace(skilled.get_table_net(Rules("PAM")), answers="0" * 16)
    monkeypatch.setattr(skilled, "read_net", lambda source: made)
    found = run("survey", "--deal", "3", "-s", "PAM", "--policy", "skilled", "-f", "json")
    older = "PAM: The net was trained before the latest change of PAM's rules: it is the nearest there is."
    assert older in found.stderr and "other answers" not in found.stderr


@pytest.mark.slow
def test_a_source_without_a_net_is_refused_by_name_and_else_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = skilled.read_net
    monkeypatch.setattr(skilled, "read_net", lambda source: kept(source) if source != "ACA" else None)
    why = "nobody has trained a net for ACA"
    assert f"No survey can play by ACA: {why}" in refused(1, "survey", *FEW, "-s", "ACA", "--policy", "skilled")
    done = run("survey", "--deal", "3", "--policy", "skilled", "-f", "json")
    assert f"Left out of the survey: ACA, since {why}" in done.stderr
    assert len(done.stdout.splitlines()) == len(SIGLA) - 1
