"""What deals need and a source does not say is supplied from others: marked, listed, and never counted as its word."""

from __future__ import annotations

import difflib
import re
import shutil
from itertools import combinations
from pathlib import Path

import pytest

from edition.views.common import classify_agreement, find_testimony
from edition.views.sources.source import source_view
from edition.views.sources.source_text import render_source
from engine.settlement.settle import Settled, settle
from reversis.files.deals import read_worked
from rulebook.distances import collect_answers_by_source, compute_question_distances
from rulebook.load import load_library
from rulebook.model import Library
from rulebook.resolve import resolve
from rulebook.sources.paths import find_sources
from tests.support.commands import refused, run, said
from tests.support.fifth_source import WITHOUT_DEALS
from tests.support.pages import build_corpus

pytestmark = pytest.mark.slow

DEAL = "pam-quinola-forced-opposite-last"
FACTS = "--title Reversi --short-title Lexikon --language de --date 1895 --place= --author= --exemplar= --unit Marke"
TEXT = "[p. 5]\n# Reversi\nDas Spiel geht unter vier Personen. Der Coeurbube heißt Quinola.\n"
SAID = """- id: LEX.c001
  cites:
    - locus: LEX.s0002
      exact: "unter vier Personen"
  answers: {Q001: four}
  status: stated
"""
UNSAID = "- id: LEX.c001\n  on: [Q001]\n  because: Not read for this question yet.\n  status: not-collated\n"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sources with a few deals, and a third that somebody has begun: it says how many play, and nothing else."""
    root, ours = tmp_path_factory.mktemp("supply") / "sources", find_sources()
    shutil.copytree(ours / "questions", root / "questions")
    for siglum in ("PAM", "PAR"):
        shutil.copytree(ours / siglum, root / siglum, ignore=WITHOUT_DEALS)
    (root / "PAM" / "deals").mkdir()
    shutil.copy(ours / "PAM" / "deals" / f"{DEAL}.yaml", root / "PAM" / "deals")
    shutil.copy(ours / "bibliography.bib", root)
    said("new-source", "LEX", *FACTS.split(), "--coder", "me", "--sources", str(root))
    (root / "LEX" / "text.txt").write_text(TEXT, encoding="utf-8", newline="\n")
    said("import-text", "LEX", "--sources", str(root))
    clauses = root / "LEX" / "clauses.yaml"
    letters = clauses.read_text(encoding="utf-8")
    assert UNSAID in letters
    clauses.write_text(letters.replace(UNSAID, SAID), encoding="utf-8", newline="\n")
    said("check", "--confirm", str(root))
    return root


@pytest.fixture
def root(pristine: Path, tmp_path: Path) -> Path:
    """A copy of its own for every test."""
    shutil.copytree(pristine, tmp_path / "sources")
    return tmp_path / "sources"


def load(root: Path) -> Library:
    library, problems = load_library(root)
    assert library is not None and not problems, "\n".join(map(str, problems))
    return library


def supply(root: Path, *words: str, code: int = 0) -> str:
    return refused(code, "supply", "LEX", *words, "--sources", str(root))


@pytest.fixture(scope="module")
def written(pristine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources after everything was supplied from one source."""
    root = tmp_path_factory.mktemp("written") / "sources"
    shutil.copytree(pristine, root)
    supply(root, "--from", "PAM", "--deal", DEAL, "--searched", "all", "--write", "-q")
    return root


@pytest.fixture(scope="module")
def supplied(written: Path) -> Library:
    """Their library, without a problem."""
    return load(written)


def read_clauses(root: Path) -> str:
    return (root / "LEX" / "clauses.yaml").read_bytes().decode("utf-8")


def test_a_deal_is_settled_with_what_was_supplied_and_each_answer_says_whence(supplied: Library) -> None:
    deal = read_worked(supplied, DEAL).deal
    assert deal is not None
    done = settle(deal, resolve(supplied, "LEX"))
    assert isinstance(done, Settled) and done.net == settle(deal, resolve(supplied, "PAM")).net  # type: ignore[union-attr]
    (own, *ours) = [clause for clause in supplied.sources["LEX"].clauses if clause.answers]
    assert own.id == "LEX.c001" and not own.supplied
    assert len(ours) == len(done.asked) - 1 and all(one.supplied and one.coder == "ed1" for one in ours)
    assert {one.taken_from for one in ours} == {"PAM", "logic", "practice"}  # what PAM assumes is not called PAM's
    assert all("taken from PAM (PAM.c" in one.because for one in ours if one.taken_from == "PAM")
    assert all(one.searched == "LEX.s0001-LEX.s0003" for one in ours)


def test_nothing_is_written_without_being_asked_and_the_diff_is_what_is_written(pristine: Path, written: Path) -> None:
    before, after = read_clauses(pristine), read_clauses(written)
    shown = supply(pristine, "--from", "PAM", "--deal", DEAL, "--searched", "all")
    assert read_clauses(pristine) == before and "Nothing is written: --write does it" in shown
    sides = (before.split("\n"), after.split("\n"))
    assert "\n".join(difflib.unified_diff(*sides, "LEX/clauses.yaml", "LEX/clauses.yaml", lineterm="")) in shown
    against = shown.partition("What speaks against it:")[2]
    assert "Q064 talon.bonus: PAM counts in fiche, LEX in Marke; the procedure of Q064 says: Nought" in against
    assert "Q030 quinola.forced.payee: PAM can be read otherwise (PAM.c030)" in against
    (mixed,) = re.findall(r"^Scales are mixed: .*$", shown, re.M)
    assert re.match(r".*: \d+ sums supplied from PAM, which counts in fiches, and taken over number for number", mixed)
    assert ": nothing says what a Marke is worth in fiches. Look at " in mixed and "Q064" in mixed
    assert "Q026" not in mixed  # nought is nought in any counter
    assert "nothing to supply" in supply(written, "--from", "PAM", "--deal", DEAL, "--write")
    assert read_clauses(written) == after


def test_what_is_settled_with_sums_in_another_counter_says_so(
    supplied: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edition.cli.arguments.quick_load", lambda: (supplied, []))
    told = " ".join(said("run", DEAL, "--source", "LEX").split())
    assert re.search(r"scales are mixed: \d+ sums supplied from PAM, which counts in fiches", told)
    assert "scales are mixed: " in said("run", DEAL, "--source", "LEX", "--format", "html")
    assert "scales are mixed" not in said("run", DEAL, "--source", "PAM")
    page = "".join(one.astext() for one in render_source(source_view(build_corpus(supplied), "LEX")))
    warning = page.partition("Scales are mixed: ")[2].partition(".")[0]
    assert "nothing says what a Marke is worth in fiches" in warning and "PAM" not in warning  # its short name


def test_only_the_marks_of_what_was_not_read_give_way_and_every_other_line_stays(pristine: Path, written: Path) -> None:
    before, after = (read_clauses(one).split("\n") for one in (pristine, written))
    gone = [line[2:] for line in difflib.ndiff(before, after) if line[0] == "-"]
    assert len(gone) == 3 * 38 and {line.strip().split(":")[0] for line in gone} == {"on", "because", "status"}
    assert all("not-collated" in one or "Not read" in one or one.startswith("  on: [") for one in gone)


def test_what_nobody_has_read_for_is_not_called_silent(pristine: Path) -> None:
    before = read_clauses(pristine)
    told = supply(pristine, "--from", "PAM", "--deal", DEAL, "--write", code=1)
    assert "LEX was not read for it: answer it, or read the text for it and say --searched all" in told
    assert told.count("    Q") == 38 and "0 answers" in told
    assert read_clauses(pristine) == before


def be_silent(root: Path) -> None:
    """LEX is read for everything, and silent on all but the number of players."""
    path = root / "LEX" / "clauses.yaml"
    letters = path.read_text(encoding="utf-8")
    read = letters.replace("  because: Not read for this question yet.\n", "").replace(
        "status: not-collated", "status: silent\n  searched: LEX.s0001-LEX.s0003"
    )
    assert read != letters
    path.write_text(read, encoding="utf-8", newline="\n")


FORCED = "pam-espagnolette-forced-by-a-low-heart"  # it asks what a forced ace costs, but not who is paid for one


def test_what_an_answer_hangs_on_is_supplied_in_the_same_pass(root: Path) -> None:
    be_silent(root)
    deal = str(find_sources() / "PAM" / "deals" / f"{FORCED}.yaml")
    told = supply(root, "--from", "PAM", "--deal", deal, "--write", "-q")
    assert "Q023 ace.forced.amount" in told and "Q022 ace.forced.payee: leader  from PAM" in told
    load(root)  # without a problem
    assert "nothing to supply" in supply(root, "--from", "PAM", "--deal", deal, "--write", "-q")


def test_an_answer_that_rules_out_what_the_source_says_is_not_supplied(root: Path) -> None:
    be_silent(root)
    path = root / "LEX" / "clauses.yaml"
    letters = path.read_text(encoding="utf-8")
    silent = "- id: LEX.c023\n  on: [Q023]\n  status: silent\n  searched: LEX.s0001-LEX.s0003\n"
    assert silent in letters
    said = SAID.replace("c001", "c023").replace("Q001: four", "Q023: 4").replace("unter vier", "vier")
    path.write_text(letters.replace(silent, said), encoding="utf-8", newline="\n")
    lender = root / "PAM" / "clauses.yaml"
    theirs = lender.read_text(encoding="utf-8")
    assert "{Q022: leader}" in theirs
    lender.write_text(theirs.replace("{Q022: leader}", "{Q022: nobody}"), encoding="utf-8", newline="\n")
    told = supply(root, "--from", "PAM", "--deal", DEAL, "-q", code=1)
    assert "Q022 ace.forced.payee: nobody  from" not in told
    supposed = "LEX answers Q023, which supposes an answer other than nobody to Q022"
    assert f"{supposed}, “Who is paid by the holder of a forced ace?”, and PAM has nobody" in told


def test_no_answer_is_supplied_that_hangs_on_one_which_cannot_be(root: Path) -> None:
    be_silent(root)
    path = root / "LEX" / "clauses.yaml"
    letters = path.read_text(encoding="utf-8")
    silent = "- id: LEX.c022\n  on: [Q022]\n  status: silent\n"
    assert silent in letters
    ruled_out = silent.replace("status: silent", "because: No aces.\n  status: inapplicable")
    path.write_text(letters.replace(silent, ruled_out), encoding="utf-8", newline="\n")
    deal = str(find_sources() / "PAM" / "deals" / f"{FORCED}.yaml")
    told = supply(root, "--from", "PAM", "--deal", deal, "-q", code=1)
    assert "Q023 ace.forced.amount: 1  from" not in told
    assert "it makes sense only with an answer to Q022, and none is supplied there" in told


def pay_nobody_for_the_led_quinola(root: Path) -> None:
    """LEX is read for everything; nobody is paid for a led quinola, and what hangs on it is called inapplicable."""
    be_silent(root)
    path = root / "LEX" / "clauses.yaml"
    letters = path.read_text(encoding="utf-8")
    for id in ("c041", "c042", "c043", "c044", "c045"):
        number = id.replace("c0", "Q0")
        silent = f"- id: LEX.{id}\n  on: [{number}]\n  status: silent\n  searched: LEX.s0001-LEX.s0003\n"
        assert silent in letters
        ruled_out = silent.partition("  status")[0] + "  because: Nobody is paid.\n  status: inapplicable\n"
        nobody = SAID.replace("c001", "c041").replace("Q001: four", "Q041: nobody").replace("stated", "implied")
        letters = letters.replace(silent, nobody + "  because: So.\n" if id == "c041" else ruled_out)
    path.write_text(letters, encoding="utf-8", newline="\n")
    told = refused(1, "check", "--confirm", str(root))
    assert "LEX.c045: no answer of LEX itself rules out Q045 (payments.led-claimed)" in told and "1 problem in" in told


def test_what_a_deal_asks_although_it_was_called_inapplicable_can_be_supplied(root: Path) -> None:
    """Claims are asked for a led ace too, of which LEX is silent."""
    pay_nobody_for_the_led_quinola(root)
    deal = str(find_sources() / "PAM" / "deals" / f"{FORCED}.yaml")
    told = " ".join(supply(root, "--from", "PAM", "--deal", deal, "--write", "-q", code=1).split())
    because = "a deal asks it because of Q024 (winner-of-partie, as it would be supplied)"
    assert f"LEX.c045 calls it inapplicable, and {because}: call LEX silent on it" in told
    path = root / "LEX" / "clauses.yaml"
    letters = path.read_text(encoding="utf-8")
    idle = "- id: LEX.c045\n  on: [Q045]\n  because: Nobody is paid.\n  status: inapplicable\n"
    assert idle in letters
    silent = "- id: LEX.c045\n  on: [Q045]\n  status: silent\n  searched: LEX.s0001-LEX.s0003\n"
    path.write_text(letters.replace(idle, silent), encoding="utf-8", newline="\n")
    again = supply(root, "--from", "PAM", "--deal", deal, "--write", "-q")
    assert "Q045 payments.led-claimed: must-be-claimed  from PAM" in again
    clause = load(root).clause("LEX.c045")
    assert clause.supplied and clause.taken_from == "PAM"


def test_what_the_source_itself_rules_out_is_not_supplied(root: Path) -> None:
    path = root / "LEX" / "clauses.yaml"
    unread = "- id: LEX.c064\n  on: [Q064]\n  because: Not read for this question yet.\n  status: not-collated\n"
    letters = path.read_text(encoding="utf-8")
    assert unread in letters
    ruled_out = unread.replace("not-collated", "inapplicable").replace("Not read for this question yet", "No talon")
    path.write_text(letters.replace(unread, ruled_out), encoding="utf-8", newline="\n")
    told = supply(root, "--from", "PAM", "--deal", DEAL, "--searched", "all", code=1)
    assert "LEX.c064 calls it inapplicable, and a deal asks it: look at LEX.c064 again: No talon; if that does" in told
    assert "Q064 talon.bonus: 4" not in told


def test_a_supplied_answer_counts_in_no_agreement_and_no_distance(pristine: Path, supplied: Library) -> None:
    before, after = (build_corpus(one) for one in (load(pristine), supplied))
    assert after.cell("LEX", "talon.bonus").value == 4  # type: ignore[union-attr]
    for slug, question in after.library.questions.items():
        assert find_testimony(after, "LEX", slug) == find_testimony(before, "LEX", slug), slug
        for chosen in (("LEX", "PAM"), ("LEX", "PAR"), ("LEX", "PAM", "PAR")):
            kinds = [classify_agreement(each, question, chosen) for each in (before, after)]
            assert kinds[0] == kinds[1], (slug, chosen)
    far = [compute_question_distances(collect_answers_by_source(each.library)) for each in (before, after)]
    assert far[0] == far[1] and len(far[0]) == len([*combinations(after.library.sources, 2)])


def test_a_pointer_to_a_supplied_answer_comes_to_nothing_of_the_source(library: Library) -> None:
    said_by = collect_answers_by_source(library)
    asked = [question.slug for question in library.questions.values() if not question.not_played]
    assert library.cell("ACA", "ace.thrown-off.amount").supplied  # type: ignore[union-attr]
    assert said_by["ACA"][asked.index("ace.forced.amount")] == ""  # "as for an ace thrown off", and that sum is ours
    assert said_by["PAM"][asked.index("ace.forced.others-pay")] != ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("LEX",), "Missing option '--from'"),
        (("LXE", "--from", "PAM"), "No source 'LXE'"),
        (("LEX", "--from", "PAM", "--all-deals", "--deal", DEAL), "Either --deal or --all-deals"),
        (("LEX", "--from", "LEX"), "LEX cannot supply what LEX does not say"),
        (("LEX", "--from", "PAM", "--deal", "nosuch"), "No file and no worked deal 'nosuch'"),
        (("LEX", "--from", "PAM", "--searched", "p. 5"), "is no range of LEX: write all, or LEX.s0001-LEX.s0003"),
    ],
)
def test_a_slip_is_named_with_the_way_out(pristine: Path, words: tuple[str, ...], told: str) -> None:
    done = run("supply", *words, "--sources", str(pristine))
    assert done.exit_code == 2 and told in done.output


def test_by_every_source_says_which_draft_it_leaves_out(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERSIS_SOURCES", str(written))
    told = said("run", DEAL, "--all")
    assert told.count("drafts that settle no worked deal of their own yet: --source LEX runs them") == 1
    assert "LEX" in said("run", DEAL, "--source", "LEX") and "Left out" not in said("run", DEAL, "--source", "PAM")


def test_what_deals_of_other_sources_still_need_is_no_failure(root: Path) -> None:
    clauses = root / "PAM" / "clauses.yaml"
    be_silent(root)
    letters = clauses.read_text(encoding="utf-8")
    assert "answers: {Q064: 4}" in letters
    clauses.write_text(letters.replace("answers: {Q064: 4}", "on: [Q064]"), encoding="utf-8", newline="\n")
    for words, code in ((["--all-deals"], 0), (["--deal", DEAL], 1), ([], 0)):
        assert "1 not supplied" in supply(root, "--from", "PAM", *words, "-q", code=code)
