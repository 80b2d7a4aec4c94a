"""The command line: every command, every way to mistype it; one clear message, a way out, never a traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from edition.cli import arguments as wishes
from edition.cli import build as building
from edition.cli.output import print_problems
from edition.corpus.problems import find_all_problems
from rulebook import __version__
from rulebook.load import library, load_library
from rulebook.model import Library
from rulebook.problems import Problem
from tests.support.commands import cache, refused, run
from tests.support.library import changed, write_library
from tests.support.places import CLONE, DATA
from tests.support.settling import SIGLA

RECORD = DATA / "pam-quinola-forced-opposite-last.yaml"
DEAL = str(RECORD)
__all__ = ["cache"]  # the fixture, for these tests too


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_library(tmp_path, deals=False)


def written(folder: Path, old: str = "", new: str = "", name: str = RECORD.name) -> str:
    text = RECORD.read_text(encoding="utf-8")
    assert not old or text.count(old) == 1
    path = folder / name
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8", newline="\n")
    return str(path)


def as_line(path: str = DEAL) -> str:
    from engine.deal.writer import write_deal
    from reversis.files.deals import read_deal_file

    deal = read_deal_file(Path(path)).deal
    assert deal is not None
    return json.dumps(write_deal(deal))


# ---- all commands
@pytest.mark.parametrize("words", [["-h"], *([c, "-h"] for c in ("check", "run", "compare", "build"))])
def test_every_command_explains_itself(words: list[str]) -> None:
    done = run(*words)
    assert done.exit_code == 0 and done.output.startswith("Usage: ")


def test_the_version_is_told() -> None:
    assert run("--version").output == f"reversis {__version__}\n"


@pytest.mark.parametrize(
    "words", [["plaid"], ["run"], ["run", "--nonsense", DEAL], ["compare", "PAM"], ["build", "parchment"]]
)
def test_a_mistyped_command_is_refused_with_code_2(words: list[str]) -> None:
    assert "Error: " in refused(2, *words)


# ---- run
@pytest.mark.slow
def test_run_tells_payments_with_clauses_and_quotations() -> None:
    text = run("run", DEAL, "--source", "PAM").output
    for words in (
        "Trick 11: east's quinola is forced by west",
        "east to west: 40",
        "PAM.c031 “il touche un jetton de chaque joueur”",
        "stake 60 before, stake 120 after",
        "east wins the partie, or talon, worth 21",
        "as the record expects: 7 figures agree",
    ):
        assert words in text
    assert "\x1b" not in text


def test_run_prints_one_line_of_json_for_each_deal_and_source() -> None:
    done = run("run", DEAL, DEAL, "-f", "json")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    first, second = results[: len(SIGLA)], results[len(SIGLA) :]
    assert done.exit_code == 0 and [r["source"] for r in first] == [r["source"] for r in second] == [*SIGLA]
    assert results[0]["refused"][0] | {"trick": 1, "card": "7C", "legal": ["5H"]} == results[0]["refused"][0]


@pytest.mark.slow
def test_a_refusal_is_a_result_by_every_source_and_a_problem_by_one_that_was_named() -> None:
    assert run("run", DEAL).exit_code == 0
    text = refused(1, "run", DEAL, "--source", "aca")
    assert "may not play 7C" in text and "5H" in text and "ACA.c016 “Le premier en cartes" in text


def test_deals_are_read_from_standard_input_line_by_line() -> None:
    done = run("run", "-", "-f", "json", "-s", "PAM", stdin=f"{as_line()}\n\n{as_line()}\n")
    assert done.exit_code == 0
    assert [json.loads(line)["net"]["east"] for line in done.stdout.splitlines()] == [-58, -58]


def test_a_faulty_line_is_told_and_the_next_is_settled() -> None:
    done = run("run", "-", "-f", "json", "-s", "PAM", stdin=f"rubbish\n{as_line()}\n[]\n".encode())
    assert done.exit_code == 1
    assert len(done.stdout.splitlines()) == 1
    assert "standard input:1:1: this is no deal record" in done.stderr and "standard input:3:1: " in done.stderr


@pytest.mark.release
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("dealer: west", "dealer: wets", "7:9: no seat 'wets'\n    did you mean 'west'?"),
        ("  south: QC 2S", "  south: QX 2S", "'QX' is no card"),
        ("talon: AS AH", "talon: AS AS", "AS lies twice"),
        ("  - QH 6C JH KC\n", "", "10 tricks, though everybody holds 11 cards"),
        ("dealer: west", "dealer: west\ndealr: west", "8:8: unknown key 'dealr'\n    did you mean 'dealer'?"),
        ("pack: 48 ", "pack: forty ", "a pack of 'forty' cards"),
        ("dealer: west", "dealer: west\ndealer: east", "'dealer' is given twice"),
        ("dealer: west", "dealer: &a west", "an anchor"),
    ],
)
def test_a_faulty_record_is_told_with_its_place_and_a_way_out(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = written(tmp_path, old, new)
    for form in ("text", "json", "html"):
        done = run("run", path, "-f", form)
        assert done.exit_code == 1 and told in done.stderr and Path(path).name in done.stderr
        assert done.stdout == ""
    assert told in refused(1, "check", path)


@pytest.mark.slow
def test_a_wrong_leader_and_a_revoke_are_refused_with_the_clause(tmp_path: Path) -> None:
    turned = written(tmp_path, "  - 9D 2D 8D QD", "  - QD 9D 2D 8D")
    text = refused(1, "run", turned, "-s", "PAM")
    assert "trick 2: south leads" in text and "PAM.c" in text
    swapped = RECORD.read_text(encoding="utf-8")
    for old, new in (("7C 5C 3C", "7C 2D 3C"), ("JC QS QC 2C", "JC QS QC 5C"), ("9D 2D 8D", "9D 2C 8D")):
        swapped = swapped.replace(f"- {old}", f"- {new}")
    Path(turned).write_text(swapped, encoding="utf-8")
    assert "east may not play 2D" in refused(1, "run", turned, "-s", "PAM")


def test_a_result_that_the_record_does_not_expect_is_a_problem(tmp_path: Path) -> None:
    path = written(tmp_path, "south: -10, east", "south: -11, east")
    assert "NOT as the record expects: net south is -10, expected -11" in refused(1, "run", path)
    assert "net south is -10, the record expects -11" in run("run", path, "-f", "json").stderr
    assert "Not as the record expects" in refused(1, "run", path, "-f", "html")


def test_a_hybrid_prints_as_what_it_is() -> None:
    done = run("run", DEAL, "-s", "PAM", "--with", "Q031=3", "--with", "quinola.forced.amount@par", "-f", "json")
    found = json.loads(done.stdout)
    assert found["ruleset"] == "PAM + Q031=3 + Q032@PAR" and done.exit_code == 0
    text = run("run", DEAL, "-s", "PAM", "--with", "Q031=3").output
    assert "PAM + Q031=3" in text and "chosen: Q031=3" in text and "as the record expects" not in text


@pytest.mark.slow
def test_a_rival_interpretation_can_be_played(library: Library) -> None:
    rival = next(a.id for c in library.sources["PAM"].clauses for a in c.rivals)
    found = json.loads(run("run", DEAL, "-s", "PAM", "--with", rival, "-f", "json").stdout)
    assert found["ruleset"] == f"PAM + {rival}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nosuch"], "No file and no worked deal 'nosuch'"),
        (["pam-quinola-forced-oposite-last"], "Did you mean pam-quinola-forced-opposite-last?"),
        ([str(RECORD.parent)], "is a folder"),
        ([DEAL, "--source", "PMA"], f"No source 'PMA'. There are: {', '.join(SIGLA)}."),
        ([DEAL, "--with", "Q1111=3"], "no question 'Q1111'. Did you mean Q111?"),
        ([DEAL, "--with", "quinola.forced.amont=3"], "Did you mean quinola.forced.amount?"),
        ([DEAL, "--with", "Q030=taker!"], "did you mean taker?"),
        ([DEAL, "--with", "Q031=many"], "--with Q031=many"),
        ([DEAL, "--with", "Q031="], "--with Q031="),
        ([DEAL, "--with", "Q031@XYZ"], "No source 'XYZ'"),
        ([DEAL, "--with", "Q031"], "neither QUESTION=READING nor QUESTION@SOURCE"),
        ([DEAL, "--with", ""], "neither QUESTION=READING nor QUESTION@SOURCE"),
        ([DEAL, "--format", "xml"], "xml"),
    ],
)
def test_who_mistypes_gets_one_message_and_a_way_out(words: list[str], told: str) -> None:
    text = refused(2, "run", *words)
    assert told in " ".join(text.split()) and text.count("Error: ") == 1


@pytest.mark.slow
def test_an_answer_that_the_other_source_does_not_have_cannot_be_borrowed(library: Library) -> None:
    slug, siglum = next((q, s.siglum) for s in library.sources.values() for c in s.clauses for q in c.about)
    assert "has no answer to" in refused(2, "run", DEAL, "-s", "PAM", "--with", f"{slug}@{siglum}")


def test_silence_prints_as_silence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wishes, "quick_load", lambda: load_library(root))
    words = ("run", DEAL, "--ignore-unknown")  # the record expects something of a source that is not there
    done = run(*words)
    assert done.exit_code == 0 and done.output.count("Silent: ") == 2
    assert "Silent: AAA is silent on cards.order" in refused(1, *words, "-s", "AAA")
    assert json.loads(run(*words, "-f", "json").stdout.splitlines()[0])["silent"]["question"] == "cards.order"
    assert "Silent: AAA" in run(*words, "-f", "html").stdout


def test_sources_that_are_not_in_order_are_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wishes, "quick_load", lambda: load_library(root))
    changed(root, "AAA/clauses.yaml", "reçoit deux jetons", "prend deux jetons")
    assert "1 problem in the sources; `reversis check` tells" in run("run", DEAL, "-q").stderr
    (root / "AAA/clauses.yaml").write_text("- {", encoding="utf-8")
    assert "AAA/clauses.yaml:" in (text := refused(1, "run", DEAL)) and "the sources cannot be read" in text


# ---- compare
def test_compare_tells_the_questions_on_which_two_sources_differ() -> None:
    found = json.loads(run("compare", "PAM", "ACA", "-f", "json").stdout)
    assert (found["compared"], found["units"]) == (["PAM", "ACA"], ["fiche", "jeton"])
    others = next(d for d in found["differences"] if d["id"] == "Q012")
    assert [s["value"] for s in others["sides"]] == ["any", "heart"]
    assert [s["supplied"] for s in others["sides"]] == [True, False] and others["sides"][1]["clauses"] == ["ACA.c016"]
    assert {d["id"] for d in found["differences"] if any(s["status"] == "inapplicable" for s in d["sides"])}


def test_compare_finds_no_difference_of_a_source_from_itself() -> None:
    assert "PAM and PAM differ on 0 of " in run("compare", "PAM", "pam").output
    told = " ".join(run("compare", "PAM", "PIE").output.split())
    assert re.search(r"PIE differ on \d+ of \d+ questions; on \d+ more one of them has no answer of its own\.", told)
    assert len(run("compare", "PAM", "PAM", "-q").output.splitlines()) == 1


@pytest.mark.slow
def test_compare_refuses_a_source_that_is_not_there() -> None:
    assert "No source 'XYZ'" in refused(2, "compare", "PAM", "XYZ")
    assert "no question 'Q999'" in refused(2, "compare", "PAM", "PAM + Q999=1")


# ---- check
@pytest.mark.slow
def test_check_finds_the_sources_clean() -> None:
    done = run("check")
    assert done.exit_code == 0, done.output
    assert done.output.startswith(f"no problems found: {len(SIGLA)} sources, ")
    assert run("check", "-q").output == ""


@pytest.mark.slow
def test_check_names_the_clause_whose_quotation_is_changed_by_one_letter(root: Path) -> None:
    assert run("check", str(root)).output == "no problems found: 2 sources, 3 questions, 5 clauses, 0 worked deals\n"
    changed(root, "AAA/clauses.yaml", "reçoit deux jetons", "reçoit deux jetens")
    text = refused(1, "check", str(root))
    assert "sources/AAA/clauses.yaml:5:14: AAA.c001" in text and text.endswith("1 problem in 1 file\n")
    assert refused(1, "check", str(root.parent)) == text


def test_check_reads_every_worked_deal(root: Path, tmp_path: Path) -> None:
    (root / "AAA" / "deals").mkdir(exist_ok=True)
    written(root / "AAA" / "deals", "dealer: west", "dealer: wets")
    written(root / "AAA" / "deals", name="other.yaml")
    text = refused(1, "check", str(root))
    assert f"sources/AAA/deals/{RECORD.name}:7:9: no seat 'wets'" in text
    assert (
        "sources/AAA/deals/other.yaml:1:7: the deal is called pam-quinola-forced-opposite-last, its file other" in text
    )
    assert "no sentence PAM.s0071" in text and "no source PAM" in text


def test_check_tells_a_figure_that_does_not_come_out(root: Path) -> None:
    (root / "AAA" / "deals").mkdir(exist_ok=True)
    letters = RECORD.read_text(encoding="utf-8").replace("  PAM:\n", "  AAA:\n").replace("[PAM.s0071, PAM.s0074]", "[]")
    (root / "AAA" / "deals" / RECORD.name).write_text(letters, encoding="utf-8")
    text = refused(1, "check", str(root))
    assert "under AAA: net is not there (the deal is silent), not {south: -10" in text
    assert f"{RECORD.name}:29:10: " in text


def test_check_takes_a_record_of_ones_own(tmp_path: Path) -> None:
    assert "the record is in order" in run("check", written(tmp_path)).output
    (tmp_path / "x.json").write_text(as_line(), encoding="utf-8")
    assert run("check", str(tmp_path / "x.json"), "-q").output == ""
    (tmp_path / "y.json").write_text("{", encoding="utf-8")
    assert "cannot be read as JSON" in refused(1, "check", str(tmp_path / "y.json"))


@pytest.mark.parametrize("words", [["nosuch"], [str(RECORD.parent)], ["a", "b"], ["PAM.c031"]])
def test_check_refuses_what_it_cannot_check(words: list[str]) -> None:
    assert "Error: " in refused(2, "check", *words)


@pytest.mark.slow
def test_confirming_writes_fingerprints(root: Path) -> None:
    path = root / "AAA" / "clauses.yaml"
    letters = path.read_text(encoding="utf-8")
    fingerprint = letters.partition("seen: ")[2].partition("\n")[0]
    changed(root, "AAA/clauses.yaml", f"      seen: {fingerprint}\n", "")
    assert "has no fingerprint" in refused(1, "check", str(root))
    assert run("check", "--confirm", str(root)).output.startswith("1 clause confirmed\nno problems found")
    assert path.read_text(encoding="utf-8").count(fingerprint) == 1


@pytest.mark.slow
def test_confirming_a_clause_renews_its_fingerprint(root: Path) -> None:
    changed(root, "AAA/text.xml", "deux jetons de chacun.", "deux jetons de chacun!")
    assert "drift" in refused(1, "check", str(root)) and "drift" in refused(1, "check", "--confirm", str(root))
    done = run("check", "--confirm", str(root), "AAA.c001")
    assert done.exit_code == 0 and "1 clause confirmed: AAA.c001" in done.output


# ---- build
@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch, root: Path) -> list[Path]:
    """A builder that only writes down where it was to build."""
    import edition.site.build

    calls: list[Path] = []

    def build_html(out: Path, **_: object) -> int:
        calls.append(out)
        print("a line of its own")
        return int(out.name == "fails")

    monkeypatch.setattr(edition.site.build, "build_html", build_html)
    monkeypatch.setattr(building, "find_all_problems", lambda: find_all_problems(root))
    return calls


def test_build_tells_where_to_open_it(built: list[Path], tmp_path: Path) -> None:
    done = run("build", "--output", str(tmp_path / "html"))
    home = tmp_path / "html" / "index.html"
    assert done.exit_code == 0 and done.output == f"The edition is built. Open {home}\n{home.as_uri()}\n"
    assert built == [tmp_path / "html"]
    assert run("build", "html", "-q", "-o", str(tmp_path / "html")).output == ""


def test_build_tells_problems_and_leaves_the_last_build_in_place(built: list[Path], root: Path, tmp_path: Path) -> None:
    changed(root, "AAA/clauses.yaml", "reçoit deux jetons", "reçoit deux jetens")
    text = refused(1, "build", "-o", str(tmp_path / "html"))
    assert "sources/AAA/clauses.yaml:5:14: AAA.c001" in text and "Nothing was built" in text and built == []


def test_build_does_not_build_with_a_faulty_deal(built: list[Path], root: Path, tmp_path: Path) -> None:
    (root / "AAA" / "deals").mkdir(exist_ok=True)
    written(root / "AAA" / "deals", "dealer: west", "dealer: wets")
    assert "no seat 'wets'" in refused(1, "build", "-o", str(tmp_path / "html")) and built == []


def test_a_build_that_fails_is_a_problem(built: list[Path], tmp_path: Path) -> None:
    assert refused(1, "build", "-o", str(tmp_path / "fails")) == ""


def test_build_does_not_replace_a_folder_with_other_things_in_it(built: list[Path], tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine", encoding="utf-8")
    assert "would be replaced" in refused(2, "build", "-o", str(tmp_path)) and built == []


# ---- at the terminal
def shell(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": str(CLONE), **environment}
    command = [sys.executable, "-m", "reversis.cli", *words]
    return subprocess.run(command, env=env, capture_output=True, cwd=CLONE, timeout=60, check=False)


@pytest.mark.release
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_no_screen_is_too_poor(encoding: str) -> None:
    for words in (["run", DEAL], ["compare", "PAM", "GER"], ["run", DEAL, "-f", "html"]):
        done = shell(*words, PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
    lines = shell("run", DEAL, "-f", "json", PYTHONIOENCODING=encoding).stdout.decode(encoding).splitlines()
    found = {one["source"]: one["schema"] for one in map(json.loads, lines)}
    assert found.keys() == library().sources.keys()
    assert set(found.values()) <= {1, 2}  # 2: several pools


@pytest.mark.slow
@pytest.mark.parametrize("words", [["-h"], ["run", DEAL, "-q"]])
def test_a_quick_command_waits_for_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\nfrom reversis.cli.main import cli\n"
        f"try:\n    cli({words!r})\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('sphinx', 'pydantic', 'docutils', 'jinja2') if m in sys.modules])"
    )
    shell(*words)  # the first time the library is read and put into the cache
    env = {**os.environ, "PYTHONPATH": str(CLONE)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, cwd=CLONE, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_one_message_that_comes_again_and_again_in_a_file_is_printed_thrice_and_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    again = [Problem("survey.json", 1, column, "there is no source HOY", "add it") for column in range(1, 948)]
    other = [Problem("survey.json", 1, 7, "there is no source GER", "add it")] * 3
    print_problems((*again, *other, Problem("other.json", 1, 1, "there is no source HOY", "add it")))
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("    ")]
    assert lines[:3] == [
        "survey.json:1:1: there is no source HOY",
        "survey.json:1:2: there is no source HOY",
        "survey.json:1:3: there is no source HOY, and so in 944 further places",
    ]
    assert lines[3:] == ["survey.json:1:7: there is no source GER"] * 3 + ["other.json:1:1: there is no source HOY"]
