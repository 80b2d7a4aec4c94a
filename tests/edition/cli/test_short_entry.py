"""A short entry of an encyclopaedia goes from the pasted text, by sheet and supply, to a settled deal.

`tests/data/meyers` holds what a historian pastes and fills in; the source that comes of it is `sources/MEY`. The road
is walked in a copy of the sources that has no MEY.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path

import pytest

from rulebook.agreement.settlements import read_settlements
from rulebook.clause_edits import read_clause_fields
from rulebook.model import SPOKEN_STATUSES, Library
from rulebook.sources.paths import find_sources
from tests.support.commands import cache, refused, said
from tests.support.fifth_source import WITHOUT_DEALS
from tests.support.library import restoring
from tests.support.places import DATA

pytestmark = pytest.mark.slow
__all__ = ("cache",)

HERE = DATA / "meyers"
FINISHED = find_sources() / "MEY"
DEAL = "mey-quinola-placed"
TITLE = "Réversis, in: Meyers Großes Konversations-Lexikon, volume 16"
FACTS = ("--short-title", "Meyers 1908", "--language", "de", "--date", "1908", "--place", "Leipzig", "--author", "")
COPY = ("--exemplar", "Volume 16, page 850", "--unit", "Point", "--coder", "transcription and coding")
RESULT = "settled: south +25, east +15, north -18, west -2, pool -20"


def read_table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


ANSWERS = {row["question"]: row for row in read_table(HERE / "answers.csv")}


def fill(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The sheet as the historian fills it in: the answers, and silence in all other rows."""
    return [row | ANSWERS.get(row["question"], {"answer": "-"}) for row in rows]


def save(path: Path, rows: Iterable[Mapping[str, str]], *, separator: str = ",", encoding: str = "utf-8") -> Path:
    """A sheet as a spreadsheet saves it, with its own separator and letters, and lines that end as in Windows."""
    rows = list(rows)
    out = StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=separator, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(out.getvalue().encode(encoding, "replace"))
    return path


@pytest.fixture(scope="module")
def pasted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources with one lender; the entry is pasted and imported, and nothing is coded."""
    root, ours = tmp_path_factory.mktemp("pasted") / "sources", find_sources()
    shutil.copytree(ours / "questions", root / "questions")
    shutil.copytree(ours / "PAM", root / "PAM", ignore=WITHOUT_DEALS)
    shutil.copy(ours / "bibliography.bib", root)
    said("new-source", "MEY", "--title", TITLE, *FACTS, *COPY, "--sources", str(root))
    shutil.copy(HERE / "text.txt", root / "MEY" / "text.txt")
    shown = said("import-text", "MEY", "--sources", str(root))
    assert "9 sentences on 1 page" in shown and "reversis sheet MEY --out" in shown
    return root


@pytest.fixture
def root(pasted: Path) -> Iterator[Path]:
    with restoring(pasted.parent):
        yield pasted


def write_sheet(root: Path, name: str = "mey.csv") -> list[dict[str, str]]:
    out = root.parent / name
    said("sheet", "MEY", "--out", str(out), "--sources", str(root))
    return read_table(out)


def propose(root: Path) -> None:
    shutil.copy(HERE / "proposed.yaml", root / "MEY")


def test_the_pasted_text_has_the_sentences_of_the_finished_source(pasted: Path) -> None:
    texts = [(folder / "MEY" / "text.xml").read_text("utf-8") for folder in (pasted, FINISHED.parent)]
    first, second = (text.partition("</teiHeader>")[2] for text in texts)  # the header's account is written by hand
    assert first == second and first.count("<s xml:id=") == 9


def test_a_missing_reading_is_refused_with_its_cell_and_the_file_for_proposals(root: Path) -> None:
    strange = {"Q160": "hat", "Q184": "[trumps]"}
    rows = [row | {"answer": strange.get(row["question"], row["answer"])} for row in fill(write_sheet(root))]
    sheet = save(root.parent / "filled.csv", rows)
    told = " ".join(refused(1, "sheet", "MEY", "--read", str(sheet), "--write", "--sources", str(root)).split())
    (at,) = [number for number, row in enumerate(read_table(sheet), 2) if row["question"] == "Q160"]
    assert f"filled.csv:{at}:6: answer (F{at}), MEY.c160, Q160: hat is no reading of stake.kept-in" in told
    proposal = "{says: Its meaning., not_played: Why it is not., played_as: one-of-its-readings}"
    assert f"propose one in MEY/proposed.yaml: readings: {{Q160: {{new-word: {proposal}}}}}" in told
    assert "2 problems: nothing was written" in told  # the other is the trumps
    assert (root / "MEY" / "clauses.yaml").read_text("utf-8").count("Not read for this question yet") > 200


def test_paste_sheet_supply_and_the_deal_is_settled(root: Path) -> None:
    folder = ("--sources", str(root))
    propose(root)
    sheet = save(root.parent / "filled.csv", fill(write_sheet(root)))
    assert "Next: reversis check" in said("sheet", "MEY", "--read", str(sheet), "--write", "-q", *folder)
    shutil.copytree(FINISHED / "deals", root / "MEY" / "deals")
    before = refused(1, "run", DEAL, "-s", "MEY", *folder)
    assert "MEY is silent on cards.order: nothing is said in MEY.s0001-MEY.s0009" in " ".join(before.split())
    assert "Q004 cards.order" in before and "Q059 partie.loser" in before  # told at once, the first and the last
    shown = said("supply", "MEY", "--from", "PAM", "--write", *folder)
    assert "Written. Next: reversis check" in shown and "gives a reason for having no answer" not in shown
    for name in ("notes.yaml", "en.xml"):
        shutil.copy(FINISHED / name, root / "MEY")
    assert "9 sentences: 9 read, 9 of them quoted, 0 untouched" in said("check", *folder)
    assert RESULT in said("run", DEAL, "-s", "MEY", "-q", *folder)
    for id, fields in read_clause_fields((FINISHED / "clauses.yaml").read_text("utf-8")).items():
        # of the first coding; its rivals are the only thing that a row cannot hold
        if fields["status"] in SPOKEN_STATUSES and {*fields["answers"]} <= {*ANSWERS} - {"Q192"}:
            assert (
                read_clause_fields((root / "MEY" / "clauses.yaml").read_text("utf-8"))[id]["answers"]
                == fields["answers"]
            )


def test_the_finished_source_holds_beside_all_others_and_its_deal_comes_out(library: Library) -> None:
    own = [clause for clause in library.sources["MEY"].clauses if clause.status in SPOKEN_STATUSES]
    on_trial = {"Q921"}  # a question that the historian proposed, and that no source of the tree may leave on trial
    given = {id for id, row in ANSWERS.items() if row["answer"] != "n/a"} - on_trial
    answered = {library.questions[slug].id for one in own for slug in one.answers}
    settled = [settlement for settlement in read_settlements(library) if settlement.source == "MEY"]
    second = {one.question for one in settled if one.kept == "second" and one.second.status in SPOKEN_STATUSES}
    neither = {one.question for one in settled if one.kept == "neither"}  # found by no coder, and perhaps not answered
    later = {library.questions[slug].id for slug in second | neither}
    assert given | {library.questions[slug].id for slug in second} <= answered <= given | later
    assert all(
        clause.taken_from and clause.because
        for clause in library.sources["MEY"].clauses
        if clause.supplied and clause.answers
    )
    assert RESULT in said("run", DEAL, "-s", "MEY", "-q")
