"""A new source from nothing: it checks cleanly at once, and its text comes in and stays whole."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from rulebook.checks.registry import register_new_ids
from rulebook.load import load_library
from rulebook.new_source import Facts, explain_unfit_siglum, source_yaml
from rulebook.sources.paths import find_sources
from rulebook.tei.import_plain import Paste
from tests.support.commands import run
from tests.support.library import changed, opened

FACTS = {
    "title": 'Règles "du" jeu: #1',
    "short-title": "The Hague",
    "language": "fr",
    "date": "1785",
    "place": "La Haye",
    "author": "",
    "exemplar": "",
    "unit": "fiche",
    "coder": "all of it",
}
OPTIONS = [word for key, value in FACTS.items() for word in (f"--{key}", value)]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    shutil.copytree(find_sources(), folder, ignore=shutil.ignore_patterns("survey", "receipts", "attributions.json"))
    return folder


def begun(root: Path, *more: str) -> Path:
    done = run("new-source", "LAH", *OPTIONS, *more, "--sources", str(root))
    assert done.exit_code == 0, done.output
    return root / "LAH"


@pytest.mark.release
def test_a_new_source_checks_cleanly_and_every_question_waits_for_it(whole: Path) -> None:
    place = begun(whole)
    library = opened(whole)
    source = library.sources["LAH"]
    assert source.draft and source.text is None and source.record["title"] == FACTS["title"]
    assert [slug for clause in source.clauses for slug in clause.about] == list(library.questions)
    assert {clause.status for clause in source.clauses} == {"not-collated"}
    written = (place / "clauses.yaml").read_text("utf-8")
    flat = " ".join(written.replace("#", " ").split())
    for question in library.questions.values():
        assert " ".join(question.asks.split()) in flat
        assert " ".join(question.coding.split()) in flat
        assert all(" ".join(f"{name}: {gloss}".split()) in flat for name, gloss in question.readings.items())
    assert max(map(len, written.split("\n"))) <= 120
    for path in place.glob("*.yaml"):
        modeline = path.read_text("utf-8").split("\n", 1)[0]
        assert (place / modeline.partition("$schema=")[2]).resolve().is_file(), modeline


def test_a_source_in_copyright_gets_statements_and_a_cap_and_no_place_for_its_text(root: Path) -> None:
    place = begun(root, "--in-copyright")
    library = opened(root)
    assert (place / "statements.yaml").exists() and not (place / "text.txt").exists()
    assert library.sources["LAH"].record["quotation_cap"]


def test_what_is_not_given_is_asked_for(root: Path) -> None:
    done = run("new-source", "LAH", "--sources", str(root), stdin="A title\nShort\nfr\n1785\n\n\n\n\n\n\n")
    assert done.exit_code == 0, done.output
    record = yaml.safe_load((root / "LAH" / "source.yaml").read_text("utf-8"))
    assert (record["title"], record["short_title"], record["place"]) == ("A title", "Short", None)
    assert record["units"]["smallest"] == "counter"  # no word of a source that nobody has read
    assert record["rights"]["text"].startswith("Not stated yet")
    assert "jeton" not in done.output
    assert (record["short_name"], record["short_date"]) == ("Short", "1785")


@pytest.mark.parametrize(
    ("typed", "words", "file"),
    [("public domain", "public domain", "text.txt"), ("In copyright", "in copyright", "stat")],
)
def test_the_rights_in_the_text_are_asked_for_and_never_guessed(root: Path, typed: str, words: str, file: str) -> None:
    done = run("new-source", "LAH", "--sources", str(root), stdin=f"A title\nS\nfr\n1785\n\n\n\n\n\nfree\n{typed}\n")
    assert done.exit_code == 0 and "type public domain, or in copyright" in done.output
    record = yaml.safe_load((root / "LAH" / "source.yaml").read_text("utf-8"))
    assert record["rights"]["text"] == words
    assert any(one.name.startswith(file) for one in (root / "LAH").iterdir())


def test_words_that_new_source_left_are_a_warning_and_no_fault(root: Path) -> None:
    for deal in root.rglob("deals/*.yaml"):
        deal.unlink()  # they are names without cards
    place = begun(root)
    done = run("check", str(place))
    assert done.exit_code == 0
    left = "LAH/source.yaml still has the words of new-source under date_certainty, exemplar, rights.text, introduction"
    assert left in " ".join(done.output.split())
    record = place / "source.yaml"
    mended = re.sub(r"Not (stated|written) yet[^\"\n]*", "public domain", record.read_text("utf-8"))
    record.write_text(mended, "utf-8")
    assert "new-source" not in run("check", str(place)).output


def test_a_title_or_date_that_is_too_long_for_a_chip_is_not_taken_for_one(root: Path) -> None:
    facts = Facts("LAH", "A title", "The rules adopted at The Hague", "fr", "1785, or in the year before")
    record = yaml.safe_load(source_yaml(facts))
    assert (record["short_name"], record["short_date"]) == ("", "") and "colour" not in record


@pytest.mark.parametrize(("siglum", "code", "told"), [("AAA", 2, "AAA is taken"), ("LAH", 1, "is there already")])
def test_a_siglum_that_cannot_be_had_is_refused_and_nothing_is_touched(
    root: Path, siglum: str, code: int, told: str
) -> None:
    (root / "LAH").mkdir()
    before = sorted(root.rglob("*"))
    done = run("new-source", siglum, *OPTIONS, "--sources", str(root))
    assert done.exit_code == code and told in done.output
    assert sorted(root.rglob("*")) == before


def test_a_folder_without_questions_is_no_folder_of_sources(tmp_path: Path) -> None:
    done = run("new-source", "LAH", *OPTIONS, "--sources", str(tmp_path))
    assert done.exit_code == 2 and "holds no sources" in done.output
    assert explain_unfit_siglum("LAH", ["PAM"]) == ""


TEXT = "# Du jeu\n[p. 1]\nOn joue à quatre. L’as prend le roi.\n[p. 2]\nOn paye deux fiches.\n"


def test_a_pasted_text_becomes_sentences_and_can_be_cited_at_once(root: Path) -> None:
    place = begun(root)
    path = place / "text.txt"
    path.write_text(path.read_text("utf-8") + TEXT, "utf-8")
    done = run("import-text", "LAH", "--sources", str(root))
    assert done.exit_code == 0 and "4 sentences on 2 pages" in done.output, done.output
    library = opened(root)
    text = library.sources["LAH"].text
    assert text is not None
    assert [sentence.diplomatic for sentence in text.sentences.values()] == [
        "Du jeu",
        "On joue à quatre.",
        "L'as prend le roi.",
        "On paye deux fiches.",
    ]
    assert library.sources["LAH"].translation is None


def test_nothing_pasted_yet_is_told(root: Path) -> None:
    begun(root)
    done = run("import-text", "LAH", "--sources", str(root))
    assert done.exit_code == 1 and "holds no words yet" in done.output
    assert not (root / "LAH" / "text.xml").exists()


def test_a_text_is_never_overwritten_without_a_copy_and_not_at_all_where_clauses_would_lose_their_ground(
    root: Path, tmp_path: Path
) -> None:
    pasted = tmp_path / "pasted.txt"
    pasted.write_text(TEXT, "utf-8")
    before = (root / "AAA" / "text.xml").read_bytes()
    done = run("import-text", "AAA", str(pasted), "--sources", str(root))
    assert done.exit_code == 1 and "Nothing was changed" in done.output
    assert (root / "AAA" / "text.xml").read_bytes() == before
    done = run("import-text", "AAA", str(pasted), "--anyway", "--sources", str(root))
    assert done.exit_code == 0
    assert (root / "AAA" / "backups" / "text.xml.1").read_bytes() == before
    run("import-text", "AAA", str(pasted), "--anyway", "--sources", str(root))
    assert (root / "AAA" / "backups" / "text.xml.2").exists() and (
        root / "AAA" / "backups" / "text.xml.1"
    ).read_bytes() == before


def test_words_added_where_nothing_is_cited_are_taken_over(root: Path) -> None:
    place = begun(root)
    (place / "text.txt").write_text(TEXT, "utf-8")
    run("import-text", "LAH", "--sources", str(root))
    (place / "text.txt").write_text(TEXT + "\nEncore.\n", "utf-8")
    done = run("import-text", "LAH", "--sources", str(root))
    assert done.exit_code == 0 and "backups/text.xml.1" in done.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("letters", "told"),
    [
        (b"\xff\xfe", "is not UTF-8"),
        (b"<TEI", "is not well-formed XML"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', "has a <!DOCTYPE"),
        (b"x" * 4_000_001, "is larger than"),
    ],
)
def test_a_hostile_or_broken_file_is_refused_in_words(root: Path, tmp_path: Path, letters: bytes, told: str) -> None:
    begun(root)
    path = tmp_path / "bad.txt"
    path.write_bytes(letters)
    done = run("import-text", "LAH", str(path), "--sources", str(root))
    assert done.exit_code == 1 and told in done.output
    assert not (root / "LAH" / "text.xml").exists()


# ---- numbers before a stop
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("He pays 40. Then he deals.", ["40."]),
        ("He pays\n40. Then he deals.", ["40."]),
        ("He pays 40.\nThen he deals.", ["40."]),
        ("He pays 40. || Then he deals. Am 3.~Stich.", []),
        ("He pays 40.\n\nThen he deals.\n\nHe pays 41.\n \nHe deals.", []),  # a paragraph ends there
        ("1. Each has eleven cards. 2. He deals.\n\n3. The ace wins.", []),
        ("As said in Art. 3. The ace wins; Rule 4. The king.", []),
        ("He pays 40. and deals.", []),
        ("He deals.\n[p. 2]\n40. Then he deals.", []),
    ],
)
def test_a_number_before_a_stop_is_told_where_a_sentence_may_end(text: str, told: list[str]) -> None:
    found = Paste("text.txt").apart(text).doubts
    assert [one.what.split("'")[1] for one in found] == told
    for one in found:
        line = text.split("\n")[one.line - 1]
        assert line[one.column - 1 :].startswith("40.") and f"{told[0]} ||" in one.way_out
    parted = Paste("text.txt").apart(text.replace("40. Then", "40. || Then").replace("40.\nThen", "40. ||\nThen"))
    assert parted.doubts == ()


def test_a_folder_that_is_renamed_is_told_once_for_each_file_how_it_goes_on(root: Path) -> None:
    begun(root).rename(root / "HAL")
    told = load_library(root)[1]
    assert [one.what for one in told] == ["the folder HAL holds the source LAH"]
    assert "delete the folder and begin again: reversis new-source HAL" in told[0].way_out
    changed(root, "HAL/source.yaml", "siglum: LAH", "siglum: HAL")
    (problem,) = load_library(root)[1]
    assert problem.what == "all 3 ids of clauses.yaml begin with LAH, and this is HAL"
    assert "search and replace LAH. by HAL. in all its files" in problem.way_out and problem.line > 1
    clauses = root / "HAL" / "clauses.yaml"
    clauses.write_text(clauses.read_text("utf-8").replace("LAH.", "HAL."), "utf-8")
    assert load_library(root)[1] == []


# ---- out of the draft
def test_a_source_that_is_no_draft_any_more_is_told_so_once(root: Path) -> None:
    place = begun(root, "--in-copyright")
    assert register_new_ids(root)
    changed(root, "LAH/source.yaml", "draft: true ", "# ")
    (place / "clauses.yaml").write_text(
        "".join(UNREAD_CLAUSE.format(n=n, q=1 + n % 3) for n in range(1, 9)), encoding="utf-8"
    )
    told = [one.what for one in load_library(root)[1] if "registry" in one.what]
    assert told == ["LAH is no draft, and 9 of its ids, such as LAH.c001, are not in the registry"]


UNREAD_CLAUSE = """\
- id: LAH.c{n:03}
  on: [Q00{q}]
  because: Not read.
  status: not-collated
  cert: low
  coder: ed1
"""


@pytest.mark.parametrize(("language", "told"), [("en", 0), ("en-GB", 0), ("it", 1)])
def test_only_what_is_not_english_needs_a_translation_in_the_end(root: Path, language: str, told: int) -> None:
    place = begun(root)
    (place / "text.txt").write_text(TEXT, "utf-8")
    run("import-text", "LAH", "--sources", str(root))
    changed(root, "LAH/source.yaml", "draft: true ", "# ")
    record = place / "source.yaml"
    record.write_text(re.sub(r"(?m)^language: .*?(?= +#)", f"language: {language}", record.read_text("utf-8")), "utf-8")
    found = [one for one in load_library(root)[1] if "translation" in one.what]
    assert len(found) == told and all("put draft: true back" in one.way_out for one in found)
