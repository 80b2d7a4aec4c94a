"""The library of Hearts: in order, whole, at variance where its books are, and about nothing but Hearts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from edition.cli.main import library_cli
from edition.corpus.load import read_corpus_checked
from edition.site.stubs import write_page_sources
from rulebook.agreement.report import read_agreement
from rulebook.answers.conditions import is_question_applicable
from rulebook.checks.coverage import compute_coverage
from rulebook.model import Clause, Library
from rulebook.program_name import GAME_VARIABLE
from rulebook.resolve import rules
from tests.support.hearts_game import GAME_FOLDER, HEARTS

TEXTS = {"NYD": 11, "NYS": 6, "FOS": 65, "KIN": 13, "BRI": 11, "OFF": 24}  #: sentences of each
OF_ANOTHER_GAME = re.compile("reversis|quinola", re.IGNORECASE)
ITS_PAGE = "from-reversis-to-hearts"

#: Where the books contradict each other: question -> the sentence on which each rests, and what it answers.
CONTRADICTIONS: Mapping[str, Mapping[str, str]] = {
    "pool.taker": {"FOS.s0062": "clear", "KIN.s0012": "clear", "OFF.s0014": "fewest", "BRI.s0007": "by-missing"},
    "clear.two": {"FOS.s0063": "odd-stays", "OFF.s0017": "divide", "KIN.s0012": "divide"},
    "clear.three": {"FOS.s0064": "stays", "OFF.s0018": "stays", "KIN.s0012": "divide"},
    "pool.none-clear": {"FOS.s0062": "stays", "OFF.s0014": "fewest", "BRI.s0007": "by-missing"},
    "jack.divided": {"FOS.s0064": "alone", "OFF.s0018": "divide"},
    "settle.choice": {
        "FOS.s0017": "agreed-before",
        "KIN.s0011": "counters-optional",
        "BRI.s0006": "howell-general",
        "OFF.s0014": "side-by-side",
    },
    "pool.all-thirteen": {
        "FOS.s0064": "stays",
        "KIN.s0012": "divide",
        "OFF.s0015": "divide",
        "BRI.s0007": "by-missing",
    },
}


@pytest.fixture(scope="module")
def hearts() -> Library:
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv(GAME_VARIABLE, raising=False)  # as the command of the toolkit reads it
        corpus, problems = read_corpus_checked(HEARTS)
    assert corpus is not None and [str(problem) for problem in problems] == []
    return corpus.library


def test_a_question_on_one_way_of_settling_is_asked_of_the_books_that_have_that_way(hearts: Library) -> None:
    answers = {s: {k: v for c in source.clauses for k, v in c.answers.items()} for s, source in hearts.sources.items()}
    ways = {"clear": {"FOS", "KIN", "OFF"}, "howell": {"BRI", "FOS", "OFF"}}
    asked = [question for question in hearts.questions.values() if " has " in question.depends]
    assert len(asked) == 8
    for question in asked:
        books = {siglum for siglum in TEXTS if is_question_applicable(question.depends, answers[siglum])}
        assert books == ways[question.depends.split()[-1]], question.id


def find_clause(library: Library, siglum: str, slug: str) -> Clause:
    """Return the one clause in which a source speaks to a question."""
    (clause,) = (clause for clause in library.sources[siglum].clauses if slug in clause.questions)
    return clause


def test_six_texts_are_read_and_each_says_what_is_missing_of_it(hearts: Library) -> None:
    texts = {siglum: source.text for siglum, source in hearts.sources.items()}
    assert {siglum: text and len(text.sentences) for siglum, text in texts.items()} == TEXTS
    assert all(
        source.record.get("breaks_off") or source.record.get("begins_late") for source in hearts.sources.values()
    )
    assert not any(source.record["images_seen"] or source.draft for source in hearts.sources.values())


@pytest.mark.parametrize("siglum", TEXTS)
def test_every_sentence_is_accounted_for(hearts: Library, siglum: str) -> None:
    coverage = compute_coverage(hearts, siglum)
    assert (coverage.total, coverage.missing) == (TEXTS[siglum], ())


@pytest.mark.parametrize("siglum", TEXTS)
def test_every_question_is_answered_by_every_source_once(hearts: Library, siglum: str) -> None:
    asked = [slug for clause in hearts.sources[siglum].clauses for slug in clause.questions]
    assert sorted(asked) == sorted(hearts.questions)
    assert not [clause.id for clause in hearts.sources[siglum].clauses if clause.status == "not-collated"]


@pytest.mark.parametrize("slug", CONTRADICTIONS, ids=lambda slug: f"{slug}-{'-'.join(CONTRADICTIONS[slug])}")
def test_the_books_contradict_each_other_in_these_sentences(hearts: Library, slug: str) -> None:
    expected = CONTRADICTIONS[slug]
    clauses = {locus: find_clause(hearts, locus.partition(".")[0], slug) for locus in expected}
    assert {locus: clause.answers.get(slug) for locus, clause in clauses.items()} == expected
    for locus, clause in clauses.items():
        assert locus in {cite.locus for cite in clause.cites if cite.role == "grounds"}, clause.id
    assert len({*expected.values()}) > 1


@pytest.mark.parametrize(
    ("siglum", "option", "answers"),
    [
        ("OFF", "", ("fewest", "fewest", "divide")),
        ("OFF", "OFF.o01", ("clear", "stays", "stays")),
        ("OFF", "OFF.o02", ("by-missing", "by-missing", "by-missing")),
        ("FOS", "", ("clear", "stays", "stays")),
        ("FOS", "FOS.o01", ("by-missing", "by-missing", "by-missing")),
        ("FOS", "FOS.o02", ("excess", "excess", "excess")),
    ],
)
def test_another_way_of_settling_is_chosen_as_a_whole(
    hearts: Library, siglum: str, option: str, answers: tuple[str, ...]
) -> None:
    rulings = rules(hearts, siglum, *filter(None, [option])).rulings
    assert tuple(rulings[slug].value for slug in ("pool.taker", "pool.none-clear", "pool.all-thirteen")) == answers


def test_a_text_that_ends_before_the_settling_is_never_said_to_settle(hearts: Library) -> None:
    settling = [question.slug for question in hearts.questions.values() if question.affects in ("pool", "payment")]
    assert len(settling) > 10
    statuses = {find_clause(hearts, siglum, slug).status for siglum in ("NYD", "NYS") for slug in settling}
    assert statuses == {"silent"}


def test_in_one_way_of_settling_two_books_agree_that_differ_in_the_one_they_put_first(hearts: Library) -> None:
    """If nobody is without a heart: asked of the first way they differ, asked of the same way they do not."""
    first, same = (
        {siglum: find_clause(hearts, siglum, slug).answers.get(slug) for siglum in ("FOS", "OFF")}
        for slug in ("pool.none-clear", "clear.none")
    )
    assert first == {"FOS": "stays", "OFF": "fewest"} and same == {"FOS": "stays", "OFF": "stays"}


def test_the_front_page_counts_the_disagreements_as_they_are_settled(hearts: Library) -> None:
    agreement, page = read_agreement(hearts), (HEARTS / "pages" / "index.md").read_text("utf-8")
    found = re.search(r"the (\d+) of (\d+) cases in which they differ", page)
    assert found and [int(number) for number in found.groups()] == [len(agreement.settled), agreement.all.cells]


def test_nothing_is_supplied(hearts: Library) -> None:
    """An answer that is here is a source's own."""
    assert not [clause.id for source in hearts.sources.values() for clause in source.clauses if clause.taken_from]


def test_no_procedure_quotes_a_book(hearts: Library) -> None:
    texts = [source.text for source in hearts.sources.values() if source.text]
    sentences = [sentence.diplomatic for text in texts for sentence in text.sentences.values()]
    books = " ".join(" ".join(re.findall(r"\w+", sentence)).lower() for sentence in sentences)
    words = {question.id: re.findall(r"\w+", question.coding.lower()) for question in hearts.questions.values()}
    runs = {(id, " ".join(of[at : at + 6])) for id, of in words.items() for at in range(len(of) - 5)}
    assert len(runs) > 500 and not [(id, run) for id, run in sorted(runs) if run in books]


def test_one_page_alone_names_the_older_game() -> None:
    made = {"build", "__pycache__"}
    files = [path for path in HEARTS.rglob("*") if path.is_file() and not made & {*path.relative_to(HEARTS).parts}]
    files.remove(GAME_FOLDER / "pyproject.toml")  # its game needs the distribution that has `rulebook`
    naming = {path.stem for path in files if OF_ANOTHER_GAME.search(path.read_text("utf-8").replace(ITS_PAGE, ""))}
    assert len(files) > 30 and naming == {ITS_PAGE}


def test_without_its_game_there_is_no_page_of_play_and_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(GAME_VARIABLE, raising=False)
    monkeypatch.chdir(HEARTS)
    corpus, problems = read_corpus_checked(HEARTS)
    assert corpus is not None and not problems
    write_page_sources(corpus, tmp_path)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
    assert "answers.md" in written and not [name for name in written if name.startswith("deals")]
    contents = (tmp_path / "index.md").read_text("utf-8")
    assert "\nanswers\n" in contents and "\ndeals\n" not in contents
    done = CliRunner().invoke(library_cli, ["run", "fos-jack"], prog_name="rulebook")
    assert done.exit_code == 2 and done.output.count("pip install ./game") == 1
