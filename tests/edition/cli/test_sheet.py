"""`reversis sheet`: out, in, and what is refused; as a historian types it."""

from __future__ import annotations

import csv
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebook.clause_edits import read_clause_fields
from rulebook.sheets.columns import HEADINGS
from rulebook.sheets.csv_form import parse_csv
from tests.support.commands import refused, run, said
from tests.support.fifth_source import SIGLUM, small
from tests.support.library import restoring
from tests.support.spoiling import spoil_sheet
from tests.support.tiers import sample

pytestmark = pytest.mark.slow

TEXT = """\
[p. 1]
Reversis is played at our house by four, with a whole pack, the four tens being taken away.
Each has eleven cards, and four lie aside, which are called the talon.
Every body muſt follow ſuit.
An ace that is forced, or led, coſts nothing.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sources, and a third one that was begun today."""
    root = small(tmp_path_factory.mktemp("sheet"))
    facts = {"title": "The Herrings", "short-title": "Herrings", "language": "en", "date": "invented", "coder": "me"}
    rest = {"place": "", "author": "", "exemplar": "none", "unit": "herring"}
    options = [word for name, text in (facts | rest).items() for word in (f"--{name}", text)]
    assert run("new-source", "INN", *options, "--sources", str(root), "-q").exit_code == 0
    (root / "INN" / "text.txt").write_text(TEXT, encoding="utf-8", newline="\n")
    assert run("import-text", "INN", "--sources", str(root), "-q").exit_code == 0
    return root


@pytest.fixture
def root(library: Path) -> Iterator[Path]:
    with restoring(library):
        yield library


def sheet(root: Path, *words: str) -> list[str]:
    return ["sheet", *words, "--sources", str(root)]


def fill(path: Path, **answers: dict[str, str]) -> None:
    """Fill in cells, and save the sheet as Excel does in a French Windows."""
    letters = path.read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(letters, newline=""), delimiter=letters[len("clause")]))
    for row in rows[1:]:
        for name, text in answers.get(row[HEADINGS.index("question")], {}).items():
            row[HEADINGS.index(name)] = text
    with path.open("w", encoding="utf-8-sig", newline="") as opened:
        csv.writer(opened, delimiter=";").writerows(rows)


CODED = {
    "Q001": {"answer": "four", "words": "played at our house by four"},
    "Q002": {"answer": "without-tens", "words": "the four tens being taken away"},
    "Q003": {
        "answer": "[{players: 4, pack: 48, hand: 11, talon: 4}]",
        "words": "each has eleven cards, and four lie aside",
        "computation": "4 x 11 + 4 = 48",
    },
    "Q013": {"answer": "must", "words": "every body must follow suit"},
    "Q015": {"answer": "-"},
    "Q022": {"answer": "nobody", "words": "an ace that is forced or led costs nothing"},
    "Q021": {"answer": "n/a", "because": "An ace that is forced costs nothing, so there is no sum."},
}


def test_a_source_is_coded_by_sheet_and_checks_cleanly_at_once(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "inn.csv"
    assert "0 answered. Next: reversis sheet INN --read" in said(*sheet(root, "INN", "--out", str(path)))
    assert "nothing to change" in said(*sheet(root, "INN", "--read", str(path)))
    fill(path, **CODED)
    clauses = root / "INN" / "clauses.yaml"
    before = clauses.read_bytes()
    told = said(*sheet(root, "INN", "--read", str(path)))
    assert "+ answers: {Q001: four}" in told and "7 rows changed" in told and "--write does it" in told
    assert clauses.read_bytes() == before
    assert "Next: reversis check" in (told := said(*sheet(root, "INN", "--read", str(path), "--write")))
    assert "@@" not in told and "+ answers" not in told, "it is counted, not shown"
    assert "no problems found" in said("check", str(root))
    assert clauses.read_bytes().count(b"\n# Q0") == before.count(b"\n# Q0"), "every comment is still there"
    assert "nothing to change" in said(*sheet(root, "INN", "--read", str(path)))
    fill(path, Q022={"note": "Later."})
    assert "1 row changed" in said(*sheet(root, "INN", "--read", str(path), "--write"))


def test_a_sheet_that_was_kept_brings_lost_clauses_back(root: Path, tmp_path: Path) -> None:
    path, later, clauses = tmp_path / "inn.csv", tmp_path / "later.csv", root / "INN" / "clauses.yaml"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, **CODED)
    said(*sheet(root, "INN", "--read", str(path), "--write"))
    run(*sheet(root, "INN", "--out", str(later)))
    before = read_clause_fields(clauses.read_text("utf-8"))
    for kept in (path, later):
        clauses.unlink()
        assert "sheet INN --read FILE --write` makes it again" in " ".join(refused(1, "check", str(root)).split())
        assert "0 answered" in said(*sheet(root, "INN", "--out", str(tmp_path / f"empty-{kept.name}")))
        said(*sheet(root, "INN", "--read", str(kept), "--write"))
        assert read_clause_fields(clauses.read_text("utf-8")) == before


def written_to(root: Path, siglum: str = "INN") -> dict[str, str]:
    """The answers of a source, by question."""
    every = read_clause_fields((root / siglum / "clauses.yaml").read_text(encoding="utf-8")).values()
    return {key: str(value) for one in every for key, value in one.get("answers", {}).items()}


def test_the_same_sheet_is_read_as_often_as_one_likes(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, **CODED)
    said(*sheet(root, "INN", "--read", str(path), "--write"))
    for answer in ("four-or-five", "four", "four-or-five"):
        fill(path, Q001={"answer": answer})
        assert "1 row changed, 1 clause edited" in said(*sheet(root, "INN", "--read", str(path), "--write"))
        assert written_to(root)["Q001"] == answer
    fill(path, Q001={"answer": "?", "words": ""})
    said(*sheet(root, "INN", "--read", str(path), "--write"))
    assert "Q001" not in written_to(root) and "Q002" in written_to(root)
    assert "nothing to change" in said(*sheet(root, "INN", "--read", str(path)))


def test_what_somebody_else_has_changed_since_is_still_refused(root: Path, tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.csv", tmp_path / "other.csv"
    for path in (mine, other):
        run(*sheet(root, "INN", "--out", str(path)))
    fill(mine, **CODED)
    said(*sheet(root, "INN", "--read", str(mine), "--write"))
    fill(other, Q001={"answer": "four-or-five", "words": "played at our house by four"})
    assert "clauses.yaml has changed here too" in refused(1, *sheet(root, "INN", "--read", str(other), "--write"))
    clauses = root / "INN" / "clauses.yaml"
    letters = clauses.read_text(encoding="utf-8")
    clauses.write_text(letters.replace("Q001: four}", "Q001: four-or-five}"), encoding="utf-8", newline="\n")
    assert "nothing to change" in said(*sheet(root, "INN", "--read", str(mine))), "it stays as it is there"
    fill(mine, Q001={"answer": "three"})
    assert "clauses.yaml has changed here too" in refused(1, *sheet(root, "INN", "--read", str(mine), "--write"))


def test_a_copy_of_a_sheet_that_was_read_says_nothing_new(root: Path, tmp_path: Path) -> None:
    """So a sheet may be read again after `reversis supply` has answered where it says that the source is silent."""
    path, copy = tmp_path / "inn.csv", tmp_path / "copy.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, **CODED)
    said(*sheet(root, "INN", "--read", str(path), "--write"))
    copy.write_bytes(path.read_bytes())
    clauses = root / "INN" / "clauses.yaml"
    letters = clauses.read_text(encoding="utf-8")
    supplied = "answers: {Q015: highest-of-suit-led}\n  taken_from: PAR\n  because: So it is there.\n  status: silent"
    clauses.write_text(letters.replace("on: [Q015]\n  status: silent", supplied), encoding="utf-8", newline="\n")
    for one in (path, copy):
        told = said(*sheet(root, "INN", "--read", str(one)))
        assert "nothing to change" in told and "newer than the sheet in 1 row" in told


def test_a_row_that_was_lost_before_it_was_answered_is_told(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, **CODED)
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""), delimiter=";"))
    rows = [row for row in rows if row[HEADINGS.index("question")] != "Q014"]
    with path.open("w", encoding="utf-8-sig", newline="") as opened:
        csv.writer(opened, delimiter=";").writerows(rows)
    told = said(*sheet(root, "INN", "--read", str(path)))
    assert "1 question without a row in the sheet, not looked at: Q014" in told and "7 rows changed" in told


def test_quotations_are_found_again_after_a_sentence_was_put_in(root: Path, tmp_path: Path) -> None:
    """By the way that `import-text --anyway` names."""
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, **CODED)
    said(*sheet(root, "INN", "--read", str(path), "--write"))
    text = root / "INN" / "text.txt"
    text.write_text(text.read_text(encoding="utf-8").replace("\n", "\nHere is one more.\n", 1), encoding="utf-8")
    told = said("import-text", "INN", "--anyway", "--sources", str(root))
    assert "sheet INN --out FILE.csv, empty its columns `place`, then" in told
    assert "problems" in refused(1, "check", str(root))
    again = tmp_path / "again.csv"
    run(*sheet(root, "INN", "--out", str(again)))
    rows = list(csv.DictReader(io.StringIO(again.read_text(encoding="utf-8-sig"), newline="")))
    fill(again, **{row["question"]: {"place": ""} for row in rows})
    said(*sheet(root, "INN", "--read", str(again), "--write"))
    assert "no problems found" in said("check", "--confirm", str(root))


def test_a_sheet_saved_under_another_name_is_told_by_which_it_was_read(root: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "inn.csv", tmp_path / "inn2.csv"
    run(*sheet(root, "INN", "--out", str(first)))
    fill(first, **CODED)
    said(*sheet(root, "INN", "--read", str(first), "--write"))
    second.write_bytes(first.read_bytes())
    fill(second, Q001={"answer": "four-or-five"}, Q013={"note": "Later."})
    told = " ".join(refused(1, *sheet(root, "INN", "--read", str(second))).split())
    assert told.count("read before as inn.csv, read it under that name") == 1
    second.replace(first.with_name("inn3.csv"))
    first.unlink()
    assert "read before under another name" in refused(1, *sheet(root, "INN", "--read", str(tmp_path / "inn3.csv")))
    (tmp_path / "inn3.csv").replace(first)
    assert "2 rows changed" in said(*sheet(root, "INN", "--read", str(first)))


def test_a_colleagues_sheet_under_the_same_name_takes_nothing_back(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    empty = path.read_bytes()
    for coded in ({"Q001": CODED["Q001"]}, CODED):
        fill(path, **coded)
        said(*sheet(root, "INN", "--read", str(path), "--write"))
        before = written_to(root)
        path.write_bytes(empty)
        fill(path, Q024={"answer": "nobody", "words": "an ace that is forced or led costs nothing"})
        said(*sheet(root, "INN", "--read", str(path), "--write"))
        assert written_to(root) == before | {"Q024": "nobody"}


@pytest.mark.slow
def test_a_sheet_in_ods_comes_back(root: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "inn.ods")
    assert "0 answered" in said(*sheet(root, "INN", "--out", path))
    assert "nothing to change" in said(*sheet(root, "INN", "--read", path))


def test_a_sheet_that_may_be_filled_in_is_not_written_over(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "inn.csv"
    path.write_text("mine", encoding="utf-8", newline="\n")
    assert "take another name" in refused(1, *sheet(root, "INN", "--out", str(path)))
    assert path.read_text(encoding="utf-8") == "mine"


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_written(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, **CODED, Q014={"answer": "01. Feb"}, Q016={"answer": "taker", "words": "whoever wins it leads"})
    before = (root / "INN" / "clauses.yaml").read_bytes()
    told = refused(1, *sheet(root, "INN", "--read", str(path), "--write"))
    assert "inn.csv:15:6: answer (F15), INN.c014, Q014: 01. Feb looks like a date" in told
    assert (
        re.search(r"inn.csv:\d+:9: words \(I\d+\), INN.c016, Q016:", told) and "2 problems: nothing was written" in told
    )
    assert (root / "INN" / "clauses.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("computation", "told"),
    [
        ("", r"answer \(F4\), INN.c003, Q003: Q003 \(table.shapes\) answered 4, 48, 11, 4, but 48 is neither quoted"),
        ("4 x 11 + 4 = 50", r"computation \(L4\), INN.c003, Q003: Q003 .* but its computation: .*the sides come to 48"),
    ],
)
def test_a_number_that_the_words_do_not_name_is_refused_with_its_cell(
    root: Path, tmp_path: Path, computation: str, told: str
) -> None:
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, **{**CODED, "Q003": CODED["Q003"] | {"computation": computation}}, Q014={"answer": "01. Feb"})
    before = (root / "INN" / "clauses.yaml").read_bytes()
    said = " ".join(refused(1, *sheet(root, "INN", "--read", str(path), "--write")).split())
    assert re.search(told, said) and "looks like a date" in said and "2 problems: nothing was written" in said
    assert (root / "INN" / "clauses.yaml").read_bytes() == before


def test_a_number_is_told_together_with_a_reason_that_is_missing(root: Path, tmp_path: Path) -> None:
    """Whoever mends the reason is not sent back for the number; what no source has is marked as ours."""
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, Q020=CODED["Q022"] | {"answer": "77", "other_answer": "78"})
    said = " ".join(refused(1, *sheet(root, "INN", "--read", str(path), "--write")).split())
    assert re.search(r"other_because \(\w+\), INN.c020, Q020: no reason is given", said)
    assert re.search(r"answer \(F\d+\), INN.c020, Q020: .*answered 77, but the quotation names", said)
    assert "answered 78, but" in said and "mark it as ours: 78 (ours) = 78" in said


DOUBT = {"because": "So the next sentence.", "other_because": "The fifth may look on."}


def test_what_applies_in_the_other_reading_only_is_answered_in_its_own_row(root: Path, tmp_path: Path) -> None:
    """Q021 does not apply where nobody is paid for a forced ace; where the words may mean somebody, it does."""
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    fill(path, **{**CODED, "Q022": CODED["Q022"] | DOUBT | {"other_answer": "taker"}})
    fill(path, Q021={"other_answer": "sole-card", "other_with": "q22"})
    told = " ".join(refused(1, *sheet(root, "INN", "--read", str(path), "--write")).split())
    assert re.search(r"other_with \(U\d+\), INN.c021, Q021: there is no question 'q22'", told) and "1 problem" in told
    fill(path, Q021={"other_with": "Q022"})
    assert "7 rows changed" in said(*sheet(root, "INN", "--read", str(path), "--write"))
    letters = (root / "INN" / "clauses.yaml").read_text(encoding="utf-8")
    assert "answers: {Q022: taker, Q021: sole-card}" in letters and "- id: INN.c021\n  on: [Q021]" in letters
    told = " ".join(refused(1, "check", str(root)).split())
    for id in ("Q017", "Q023", "Q026"):
        assert f"in the row of {id} in the sheet, under other_answer (- for silence), with Q022 under" in told
    silent = {"other_answer": "-", "other_with": "Q022"}
    fill(path, Q023={"other_answer": "0", "other_with": "Q022"}, Q017=silent, Q026=silent)
    assert "3 rows changed, 1 clause edited" in said(*sheet(root, "INN", "--read", str(path), "--write"))
    letters = (root / "INN" / "clauses.yaml").read_text(encoding="utf-8")
    assert re.search(r"silent: \[Q017, Q026\]\n +searched: INN.s0001-INN.s00\d\d\n", letters)
    assert "no problems found" in said("check", str(root))
    assert "nothing to change" in said(*sheet(root, "INN", "--read", str(path)))


def test_what_was_published_leaves_a_tombstone_when_it_is_withdrawn(root: Path, tmp_path: Path) -> None:
    clauses = root / "PAR" / "clauses.yaml"
    assert b"- id: PAR.c001\n" in clauses.read_bytes()
    (root / "registry.yaml").write_text("clauses: [PAR.c001]\n", encoding="utf-8", newline="\n")
    path = tmp_path / "par.csv"
    run(*sheet(root, "PAR", "--out", str(path)))
    fill(path, Q001={"answer": "withdraw"}, Q002={"answer": "withdraw"})
    told = said(*sheet(root, "PAR", "--read", str(path), "--write"))
    assert "1 withdrawn: PAR.c001" in told
    graves = (root / "tombstones.yaml").read_text(encoding="utf-8")
    assert graves.startswith('- id: PAR.c001\n  on: "') and graves.count("- id:") == 1
    letters = clauses.read_text(encoding="utf-8")
    assert "- id: PAR.c001\n" not in letters and "- id: PAR.c201\n  on: [Q001]\n  status: not-collated\n" in letters
    assert "- id: PAR.c002\n  on: [Q002]\n" in letters, "an id that was never published may stand for it"


@pytest.mark.parametrize("seed", sample(range(60), every=20))
def test_a_refused_sheet_leaves_every_file_as_it_was(root: Path, tmp_path: Path, seed: int) -> None:
    rng, path = random.Random(seed), tmp_path / "par.csv"
    cells = list(csv.reader(io.StringIO(run(*sheet(root, "PAR")).output, newline="")))
    path.write_bytes(spoil_sheet(rng, cells))
    before = {one: one.read_bytes() for one in root.rglob("*") if one.is_file()}
    done = run(*sheet(root, "PAR", "--read", str(path), "--write"))
    after = {one: one.read_bytes() for one in root.rglob("*") if one.is_file()}
    assert done.exit_code in (0, 1) and "Traceback" not in done.output
    changed = {one.name for one in before | after if before.get(one) != after.get(one)}
    assert changed <= ({"clauses.yaml", "tombstones.yaml", "sheets-read.json"} if done.exit_code == 0 else set())


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["XXX"], 2, "No source 'XXX'"),
        (["INN", "--out", "inn.xlsx"], 2, "neither .csv nor .ods"),
        (["INN", "--write"], 2, "--write goes with --read"),
        (["INN", "--read", "none.csv"], 2, "No file 'none.csv'"),
        (["INN", "--read", "a.csv", "--out", "b.csv"], 2, "Either --out or --read"),
        (["INN", "--out", "a.ods", "--separator", "tab"], 2, "--separator is for a CSV file"),
        (["INN", "--out", "no/such/folder/a.csv"], 0, "answered"),
    ],
)
def test_a_command_that_is_mistyped_is_explained(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], code: int, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refused(code, *sheet(root, *words))


@pytest.mark.parametrize("without", [(), ("source",)])
def test_the_sheet_of_another_source_is_refused_with_both_names(
    root: Path, tmp_path: Path, without: tuple[str, ...]
) -> None:
    path, other = tmp_path / "inn.csv", tmp_path / "other.csv"
    said(*sheet(root, "INN", "--out", str(path)))
    rows = parse_csv(path.read_bytes(), HEADINGS).rows
    at = [n for n, name in enumerate(HEADINGS) if name not in without]
    with other.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([row[n] if HEADINGS[n] != "answer" else "-" for n in at] for row in rows)
    before = (root / SIGLUM / "clauses.yaml").read_bytes()
    told = refused(1, *sheet(root, SIGLUM, "--read", str(other), "--write"))
    assert "this is a sheet of INN: The Herrings, invented; it was to be read for FIF: " in told
    assert told.count("other.csv:") == 1 and (root / SIGLUM / "clauses.yaml").read_bytes() == before


def test_a_web_page_is_no_sheet_and_is_told_so_once(root: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("<!DOCTYPE html><html><body>Sheet</body></html>\n", "utf-8")
    told = refused(1, *sheet(root, "INN", "--read", str(tmp_path / "a.csv")))
    assert told.count("a.csv:") == 1 and "is no sheet of ours: " in told and "no web page" in told


def test_a_file_that_is_no_sheet_is_refused(root: Path, tmp_path: Path) -> None:
    for name, octets in {
        "a.csv": b"",
        "b.csv": b"hello",
        "c.csv": b"\0" * 9,
        "d.ods": b"PK\3\4",
        "e.csv": b"PKx",
    }.items():
        (tmp_path / name).write_bytes(octets)
        assert name in refused(1, *sheet(root, "INN", "--read", str(tmp_path / name)))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("", "1 row with -, and the last sentence, INN.s0004, has no stop. If the text breaks off there, say so in"),
        (
            "breaks_off: In INN.s0004.\n",
            "1 row with -: of INN a part was not consulted (source.yaml), so the pages say",
        ),
    ],
)
def test_silence_in_a_text_that_breaks_off_is_remarked_upon(root: Path, tmp_path: Path, given: str, told: str) -> None:
    cut = TEXT.replace("costs nothing.", "costs").replace("coſts nothing.", "coſts")
    (root / "INN" / "text.txt").write_text(cut, encoding="utf-8", newline="\n")
    assert "text.txt:5:37: sentence 4 has no stop" in run("import-text", "INN", "--sources", str(root)).output
    record = root / "INN" / "source.yaml"
    record.write_text(record.read_text("utf-8").replace("bibliography: []", given + "bibliography: []"), "utf-8")
    path = tmp_path / "inn.csv"
    run(*sheet(root, "INN", "--out", str(path)))
    assert "breaks_off" not in run(*sheet(root, "INN", "--read", str(path))).output
    fill(path, Q015={"answer": "-"})
    assert told in " ".join(run(*sheet(root, "INN", "--read", str(path), "-q")).output.split())
