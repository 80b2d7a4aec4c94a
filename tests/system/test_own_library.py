"""A library of one's own, begun, released and given a game; `test_guide.py` fills one, and publishes it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from edition.cli.commands import LazyCommands
from edition.cli.main import Program, library_cli
from edition.coding.desk import CodingDesk
from edition.corpus.load import read_corpus_checked
from edition.export.downloads import collect_downloads
from edition.game import NO_GAME, Game, GameCommand, fingerprint_program
from edition.site.preview import read_file_times
from edition.views.about.home import home_findings_view, render_home_findings
from edition.views.questions.question import question_view, select_ground_quotations
from edition.views.sources.source import source_view
from edition.views.sources.source_text import render_source
from reversis.cli.main import cli
from reversis.game import GAME
from rulebook.program_name import GAME_VARIABLE
from rulebook.sources.paths import SOURCES_VARIABLE, find_library
from tests.support.places import CLONE

Say = Callable[..., str]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Types a command of `rulebook` in a folder that was empty, and returns what it says."""
    monkeypatch.chdir(tmp_path)
    for name in (GAME_VARIABLE, SOURCES_VARIABLE):
        monkeypatch.delenv(name, raising=False)

    def typed(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(library_cli, words, prog_name="rulebook", catch_exceptions=False)
        assert done.exit_code == code, done.output
        return " ".join(done.output.split())

    return typed


def write_answer(sheet: Path, at: int = 0, **cells: str) -> None:
    """Answer the first question of a sheet, or another, as in a spreadsheet."""
    with sheet.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    rows[at] |= {"status": "stated", "certainty": "high", **cells}
    with sheet.open("w", encoding="utf-8-sig", newline="") as opened:
        writer = csv.DictWriter(opened, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def add_source(say: Say, siglum: str, words: str, answer: str, quoted: str) -> None:
    """Add a source with an answer, as its historian would."""
    say(
        "new-source",
        siglum,
        "--title",
        f"The book of {siglum}",
        "--short-title",
        siglum.title(),
        "--rights",
        "public domain",
    )
    Path(siglum, "text.txt").write_text(words, encoding="utf-8")
    say("import-text", siglum)
    say("sheet", siglum, "--out", "answers.csv")
    write_answer(Path("answers.csv"), answer=answer, words=quoted, place=f"{siglum}.s0001")
    assert "1 row changed" in say("sheet", siglum, "--read", "answers.csv", "--write")
    Path("answers.csv").unlink()


def test_a_folder_without_a_library_says_how_to_begin_one(say: Say) -> None:
    assert "`rulebook init my-library` begins one" in say("check", code=2)
    say("init", "games")
    assert "go into the folder of yours (`cd games`) or name it (--sources games)" in say("check", code=2)
    assert "Usage: rulebook check" in say("check", "-h") and "Usage: rulebook check" in say("help", "check")


@pytest.mark.parametrize("program", [library_cli, cli], ids=["rulebook", "reversis"])
def test_the_help_lists_every_command_once(program: Program) -> None:
    listed = [name for names in program.own_commands.groups.values() for name in names]
    assert sorted(listed) == sorted(program.own_commands.summaries)


def test_a_library_is_begun_in_a_new_folder_or_an_empty_one_and_in_no_other(say: Say, tmp_path: Path) -> None:
    assert "Next: cd my-games, then: rulebook new-source ABC" in say("init", "my-games")
    assert 'title: "My games"' in Path("my-games/library.yaml").read_text(encoding="utf-8")
    assert "my-games is not empty: CITATION.cff lies in it" in say("init", "my-games", code=2)
    Path("begun").mkdir()
    Path("begun/.gitignore").write_text("*.bak\n", encoding="utf-8")
    say("init", "begun")
    assert Path("begun/.gitignore").read_text(encoding="utf-8") == "*.bak\n"
    Path("empty").mkdir()
    say("init", "empty", "--title", "Hopscotch: a history", "--languages", "fr, de", "--licence", "CC0-1.0")
    settings = Path("empty/library.yaml").read_text(encoding="utf-8")
    assert 'title: "Hopscotch: a history"' in settings and 'licence: "CC0-1.0"' in settings
    assert find_library(tmp_path / "empty" / "questions") == tmp_path / "empty"
    assert Path("empty/.gitignore").read_text(encoding="utf-8") == "/build/\n/.venv/\n*/backups/\n"
    assert "no problems found: 0 sources, 1 question" in say("--sources", "empty", "check")
    assert 'language: "fr"' in _read_new_record(say)


def _read_new_record(say: Say) -> str:
    say("--sources", "empty", "new-source", "ABC", "--title", "A", "--short-title", "A")
    return Path("empty/ABC/source.yaml").read_text(encoding="utf-8")


def test_what_no_library_can_have_is_refused_before_anything_is_written(say: Say) -> None:
    assert "'English' is no language: write each in two letters" in say("init", "x", "--languages", "English", code=2)
    assert "A library needs a title" in say("init", "x", "--title", " ", code=2)
    assert "has " in say("init", "x", "--title", "a\u202eb", code=2)
    assert not Path("x").exists()


def test_a_new_source_needs_a_title_where_nobody_can_be_asked(say: Say) -> None:
    say("init", "games")
    assert "Missing option '--title'" in say("--sources", "games", "new-source", "ABC", code=2)
    for siglum in ("HOYLETEX", "BUILD"):
        told = say("--sources", "games", "new-source", siglum, code=2)
        assert f"{siglum}" in told and "siglum" in told and "Title" not in told
    assert not Path("games/ABC").exists()


@pytest.mark.slow
def test_what_a_library_does_not_hold_yet_makes_no_page_and_no_link_to_one(say: Say, tmp_path: Path) -> None:
    say("init", "hopscotch", "--title", "Hopscotch")
    say("--sources", "hopscotch", "build")
    pages = {path.stem: path for path in (tmp_path / "build" / "html").glob("*.html")}
    home = " ".join(pages["index"].read_text(encoding="utf-8").split())
    assert "1 question, and no source so far" in home and "_static/home.css" in home
    assert {*pages} >= {"index", "answers", "method"}
    assert not {*pages} & {"agreement", "bibliography", "emendations", "glossary", "proofs", "tombstones", "matrix"}


def test_pages_of_ones_own_stand_in_the_contents_unless_they_are_orphans(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "hopscotch", "--title", "Hopscotch")
    monkeypatch.chdir(tmp_path / "hopscotch")
    draft = "---\norphan: true\n---\n\n# Not yet\n"
    for name, words in (("essay", "# On squares\n"), ("draft", draft), ("index", "# Hops\n\nWelcome.\n")):
        Path("pages", f"{name}.md").parent.mkdir(exist_ok=True)
        Path("pages", f"{name}.md").write_text(words, encoding="utf-8")
    say("build")
    home = Path("build/html/index.html").read_text(encoding="utf-8")
    assert "On squares" in home and "Not yet" not in home
    assert "Welcome." in home and 'href="answers.html"' in home, "a home page of one's own needs no lists of contents"
    assert "no file that the edition reads" not in say("check")


def test_a_library_is_released_with_its_own_citation_and_a_doi(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games", "--pages")
    monkeypatch.chdir(tmp_path / "games")
    assert "0.1.0 stands in .zenodo.json and CITATION.cff" in say("release", "0.1.0", "2026-12-01")
    assert "10.x is no DOI" in say("release", "0.2.0", "2026-12-02", "--doi", "10.x", code=2)
    say("release", "0.2.0", "2026-12-02", "--doi", "10.5281/zenodo.7")
    cited = Path("CITATION.cff").read_text(encoding="utf-8")
    assert "version: 0.2.0\ndate-released: 2026-12-02\ndoi: 10.5281/zenodo.7\n" in cited
    assert {path.stem for path in Path("releases").iterdir()} == {"0.1.0", "0.2.0"}
    assert "no problems found" in say("check")
    say("export", "bibtex", "--output", "build/bibtex")
    assert "doi = {10.5281/zenodo.7}" in Path("build/bibtex/games.bib").read_text(encoding="utf-8")
    workflow = yaml.safe_load(Path(".github/workflows/pages.yml").read_text(encoding="utf-8"))
    commands = [step["run"] for step in workflow["jobs"]["build"]["steps"] if "run" in step]
    assert commands[1:] == ["rulebook check", 'rulebook build --base-url "${{ steps.pages.outputs.base_url }}"']


def test_an_example_in_the_clone_is_not_released_as_the_edition_of_the_program(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (CLONE / "rulebook" / "__init__.py").read_bytes()
    monkeypatch.chdir(CLONE / "examples" / "hearts")
    assert "names no file by which it is cited" in say("release", "9.9.9", "2026-12-01", code=2)
    assert (CLONE / "rulebook" / "__init__.py").read_bytes() == before
    assert not (CLONE / "examples" / "hearts" / "releases").exists()


def test_a_link_in_the_place_of_what_was_built_is_refused_as_any_other(say: Say, tmp_path: Path) -> None:
    say("init", "games")
    (tmp_path / "elsewhere").mkdir()
    Path("games/build").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    told = say("--sources", "games", "check", code=1)
    assert "games/build:1:1: is a link, and what it leads to is no part of the sources" in told


def test_a_file_by_which_nobody_can_cite_is_told_and_no_build_begins(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    monkeypatch.chdir(tmp_path / "games")
    whole = Path("CITATION.cff").read_text(encoding="utf-8")
    for spoilt, told in (
        (whole.replace("version: 0.1.0\n", ""), "games/CITATION.cff:2:1: does not say: version"),
        (whole.replace("- name:", "- nam:"), "an author has no name write `- name: ...` for a group"),
        (f"{whole}title: [", "games/CITATION.cff:"),
    ):
        Path("CITATION.cff").write_text(spoilt, encoding="utf-8")
        assert told in say("check", code=1) and told in say("build", code=1)


def test_the_shell_completes_what_the_library_of_the_folder_has(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    say("--sources", "games", "new-source", "XYZ", "--title", "A", "--short-title", "A")
    monkeypatch.chdir(tmp_path / "games" / "XYZ")
    for typed in ("cite X", "sheet X", "import-text X", "show XY", "--sources .. show XY"):
        monkeypatch.setenv("_RULEBOOK_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", f"rulebook {typed}")
        monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
        done = CliRunner().invoke(library_cli, [], prog_name="rulebook")
        assert done.output == "plain,XYZ\n", typed


def test_what_was_built_or_installed_in_a_library_is_not_followed_as_part_of_it(tmp_path: Path) -> None:
    for name in ("library.yaml", "build/html/sitemap.xml", ".venv/lib/a.py", "ABC/source.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    followed = {Path(path).relative_to(tmp_path).as_posix() for path in read_file_times(tmp_path)}
    assert followed == {"library.yaml", "ABC/source.yaml"}


def test_a_lost_text_is_told_by_itself_and_is_made_anew(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    monkeypatch.chdir(tmp_path / "games")
    add_source(say, "ABC", "Hopscotch is played by two children.", "two", "played by two children")
    Path("ABC/text.xml").unlink()
    told = say("check", code=1)
    assert "games/ABC/text.xml:1:1: is gone, and is quoted by 1 clause of ABC, such as ABC.c001" in told
    assert told.endswith("1 problem in 1 file")
    told = say("build", code=1)
    assert "ABC/text.xml:1:1: is gone" in told and told.endswith("Nothing was built.")
    say("import-text", "ABC")
    assert "no problems found" in say("check")


def test_questions_that_came_later_are_summed_up_behind_what_is_wrong(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    monkeypatch.chdir(tmp_path / "games")
    say("new-source", "ABC", "--title", "A", "--short-title", "A")
    with Path("questions/10-first.yaml").open("a", encoding="utf-8") as questions:
        for at in range(2, 6):
            questions.write(
                f"Q{at:03}: {{slug: squares.{at}, asks: How many?, group: First questions, affects: play, "
                f"coding: Look., measure: {{type: {'integre' if at == 5 else 'integer'}}}}}\n"
            )
    told = say("check", code=1)
    assert "integre" in told.partition("ABC has neither")[0] and told.count("neither answer") == 1
    assert "ABC has neither answer nor reason for 3 questions, from Q002 (squares.2) on `rulebook sheet ABC" in told


def test_a_translation_is_a_copy_of_the_text_that_points_to_its_sentences(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    monkeypatch.chdir(tmp_path / "games")
    say("new-source", "ABC", "--title", "A", "--short-title", "A", "--language", "fr")
    Path("ABC/text.txt").write_text("[p. 3]\n# Jeu\nOn joue à deux. On ne mise pas.\n", encoding="utf-8")
    say("import-text", "ABC")
    copied = Path("ABC/text.xml").read_text(encoding="utf-8").replace('xml:lang="fr"', 'xml:lang="en"', 1)
    pointing = re.sub(r'xml:id="(ABC\.s\d+)"', r'corresp="text.xml#\1"', copied)
    Path("ABC/en.xml").write_text(pointing.replace("On joue à deux", "Two play"), encoding="utf-8")
    assert "no problems found" in say("check") and "Two play" in say("show", "ABC.s0002")
    Path("ABC/en.xml").write_text(re.sub(r"<s corresp=.text.xml#ABC.s0003.>.*?</s>", "", pointing), encoding="utf-8")
    assert "ABC.s0003" in say("check", code=1)


# ---- marks of an editor
def test_a_second_import_tells_which_marks_of_the_first_would_go(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    monkeypatch.chdir(tmp_path / "games")
    say("new-source", "ABC", "--title", "A", "--short-title", "A")
    Path("ABC/text.txt").write_text("[Teh > The] game [... torn] ends.", encoding="utf-8")
    assert "misprints with what is meant: 1; each has its reason in notes.yaml" in say("import-text", "ABC")
    assert "ABC.e01 (Teh > The) has no note" in say("check", code=1)
    before = Path("ABC/text.xml").read_bytes()
    Path("ABC/text.txt").write_text("Teh game ends.", encoding="utf-8")
    told = say("import-text", "ABC", code=1)
    assert "that the new text lacks: 1 misprint ([printed > meant]), 1 gap ([... why])" in told
    assert Path("ABC/text.xml").read_bytes() == before
    say("import-text", "ABC", "--anyway")
    assert b"<choice>" not in Path("ABC/text.xml").read_bytes()


def test_only_forms_that_the_library_has_are_listed_and_written(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    monkeypatch.chdir(tmp_path / "games")
    add_source(say, "ABC", "Hopscotch is played by two children.", "two", "played by two children")
    told = say("export", "-h")
    assert "cldf The matrix" in told and "notebook" not in told and "FORMS" not in told
    assert "This library has nothing for stemma" in say("export", "stemma", code=1)
    assert "Who copied whom" not in say("export", "all", "-o", "out") and not Path("out/stemma").exists()
    corpus, _ = read_corpus_checked(Path.cwd())
    assert corpus is not None
    downloads = collect_downloads(corpus).files
    assert not any("notebook" in file.says or "backups" in file.path for file in downloads)


# ---- what messages name
def test_no_message_points_to_what_only_the_program_or_its_own_edition_has() -> None:
    modules = [*CLONE.glob("rulebook/**/*.py"), *CLONE.glob("edition/**/*.py")]
    elsewhere = ("CONTRIBUTING.md", "page other-rules")
    assert {path.name for path in modules if any(name in path.read_text(encoding="utf-8") for name in elsewhere)} == {
        "release.py"
    }  # which says it where it has named the program itself


def test_questions_that_cannot_be_read_are_not_called_none(say: Say) -> None:
    say("init", "games")
    questions = Path("games/questions/10-first.yaml")
    questions.write_text("Q001:\n\tslug: a\n", encoding="utf-8")
    assert "holds no question" not in say("--sources", "games", "check", code=1)
    questions.unlink()
    assert "holds no question put one into a file there" in say("--sources", "games", "check", code=1)


def test_messages_and_papers_name_the_program_that_runs_and_no_guide_that_is_not_there(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    monkeypatch.chdir(tmp_path / "games")
    add_source(say, "ABC", "Hopscotch is played by two children.", "two", "played by two children")
    Path("ABC/coverage.yaml").write_text("ABC.s0001:\n  kind: encoded\n  questions: [Q001]\n", encoding="utf-8")
    with Path("questions/10-first.yaml").open("a", encoding="utf-8") as questions:
        questions.write(
            "Q002: {slug: players.many, asks: How many?, group: First questions, affects: play, coding: Look., "
            "measure: {type: integer}}\n"
        )
    clauses = Path("ABC/clauses.yaml")
    given = clauses.read_text(encoding="utf-8").replace("{Q001: two}", "{Q001: two, Q002: 3}")
    clauses.write_text(
        given.replace("\n  status: stated", '\n  computation: "(two + 1) / 1 = 3"\n  status: stated'), "utf-8"
    )
    record = Path("ABC/source.yaml")
    record.write_text(record.read_text(encoding="utf-8").replace("draft: true", "draft: false"), "utf-8")
    told = say("check", "ABC", code=1)
    assert "a bracket that begins with a letter is a remark: begin (two + 1) with digits" in told
    assert "the page" not in told and "run rulebook check --update" in told
    assert "coverage.yaml: 1 sentence" in say("check", "--update", code=1)
    assert "--update" not in say("check", code=1)
    say("sheet", "--print", "paper.html")
    assert "rulebook new-source ABC" in Path("paper.html").read_text(encoding="utf-8")


# ---- what pages say
def test_a_number_that_is_reckoned_is_not_called_stated_and_all_its_words_are_shown(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "games")
    monkeypatch.chdir(tmp_path / "games")
    Path("questions/10-first.yaml").write_text(
        "Q001: {slug: a.b, asks: How many are left?, group: Cards, affects: play, coding: Look., "
        "measure: {type: integer}}\n",
        encoding="utf-8",
    )
    add_source(say, "ABC", "Of 36 cards two have 12 each, and the rest is left. More.", "12", "12 each")
    add_source(say, "ABD", "There are 12 left.", "12", "12 left")
    say("sheet", "ABC", "--out", "a.csv")
    more = {"words_2": "36 cards", "words_3": "the rest is left", "computation": "36 - 2 x 12 = 12"}
    write_answer(Path("a.csv"), words="two have 12 each", **more)
    say("sheet", "ABC", "--read", "a.csv", "--write")
    Path("a.csv").unlink()
    told = say("show", "Q001")
    assert "ABC: 12 (computed from what is stated)" in told and "ABD: 12 (" not in told
    corpus, problems = read_corpus_checked(Path.cwd())
    assert corpus is not None and not problems
    reckoned = question_view(corpus, "Q001").cells[0]
    assert [quote.exact for quote in select_ground_quotations(reckoned)] == [
        "two have 12 each",
        "36 cards",
        "the rest is left",
    ]
    (page,) = render_home_findings(home_findings_view(corpus))
    assert "at most one book" not in page.astext()
    overview = " ".join(" ".join(node.astext() for node in render_source(source_view(corpus, "ABC"))).split())
    assert "Answers quote 1 of the 2 sentences, 1 of them in part; 1 more is open. Their coding:" in overview
    assert "Open 2 not quoted, or only in part, and not explained yet" in overview
    assert "Sentences without a rule 1Sentence" in overview


# ---- kinds of answers
#: Kind of answer -> what is typed, and the value as data.
TYPED: Mapping[str, tuple[str, object]] = {
    "yes-no": ("yes", "yes"),
    "integer": ("3", 3),
    "money": ("2", 2),
    "fraction": ("4/6", "2/3"),
    "date": ("1897-05", "1897-05"),
    "set": ("sing", ["sing"]),
    "order": ("sing, dance", ["sing", "dance"]),
    "ranking": ("[sing, dance]", ["sing", "dance"]),
    "times-or-sum": ("x2", {"times": 2}),
}
QUOTED = "On three days in May 1897 they first sing, then dance, for two thirds of two pence"


def test_an_answer_of_every_kind_is_typed_checked_and_exported(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "feasts")
    monkeypatch.chdir(tmp_path / "feasts")
    Path("questions/10-first.yaml").write_text("\n".join(_ask_of_every_kind()) + "\n", encoding="utf-8")
    assert all(kind in say("list", "kinds") for kind in TYPED)
    say("new-source", "ABC", "--title", "A", "--short-title", "A", "--rights", "public domain", "--unit", "pence")
    Path("ABC/text.txt").write_text(f"{QUOTED}.", encoding="utf-8")
    say("import-text", "ABC")
    say("sheet", "ABC", "--out", "a.csv")
    for at, (typed, _) in enumerate(TYPED.values()):
        write_answer(Path("a.csv"), at, answer=typed, words=QUOTED, place="ABC.s0001")
    write_answer(Path("a.csv"), 3, answer="two thirds")
    assert "ABC.c004, Q004: two thirds is no fraction write 1/2" in say(
        "sheet", "ABC", "--read", "a.csv", "--write", code=1
    )
    write_answer(Path("a.csv"), 3, answer="4/6")
    say("sheet", "ABC", "--read", "a.csv", "--write")
    Path("a.csv").unlink()
    assert "no problems found: 1 source, 9 questions, 9 clauses" in say("check")
    form = {question["id"]: question for question in CodingDesk(Path.cwd()).describe("ABC")["questions"]}
    assert form["Q001"]["readings"] == [["yes", "Yes."], ["no", "No."]] and not form["Q001"]["example"]
    assert "1897-05-03" in form["Q005"]["example"] and form["Q008"]["words"][0] == ["sing", "They sing."]
    say("export", "cldf", "--output", "out")
    with Path("out/values.csv").open(encoding="utf-8", newline="") as opened:
        assert [json.loads(row["Value_JSON"]) for row in csv.DictReader(opened)] == [
            value for _, value in TYPED.values()
        ]


@pytest.mark.parametrize("words", ["1 1/2 oz.", "1½ oz.", "3/2 oz."])
def test_a_number_with_a_fraction_stands_in_the_words_as_books_print_it(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    say("init", "beer")
    monkeypatch.chdir(tmp_path / "beer")
    Path("questions/10-first.yaml").write_text(
        "Q001: {slug: a.b, asks: How much?, group: Beer, affects: play, coding: Look., measure: {type: fraction}}\n",
        encoding="utf-8",
    )
    add_source(say, "ABC", f"Take {words} of ginger.", "1 1/2", f"{words} of ginger")
    assert "no problems found" in say("check") and "1 1/2" in say("show", "ABC.c001")
    clauses = Path("ABC/clauses.yaml")
    wrong = re.sub(r"\{Q001: .*\}", "{Q001: 5/4}", clauses.read_text(encoding="utf-8"))
    clauses.write_text(wrong, encoding="utf-8")
    assert "Q001 (a.b) answered" in say("check", code=1)


def test_a_number_may_count_what_the_library_likes(say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say("init", "beer")
    monkeypatch.chdir(tmp_path / "beer")
    asks = "Q001: {slug: a.b, asks: How long?, group: Beer, affects: play, coding: Look., measure: {type: integer, "
    questions = Path("questions/10-first.yaml")
    questions.write_text(f"{asks}unit: smalest}}}}\n", encoding="utf-8")
    assert "the unit 'smalest' cannot stand did you mean smallest?" in say("check", code=1)
    questions.write_text(f"{asks}unit: days}}}}\n", encoding="utf-8")
    add_source(say, "ABC", "It stands for 4 days.", "4", "for 4 days")
    add_source(say, "ABD", "It is fit for no 1 day.", "1", "no 1 day")
    add_source(say, "ABE", "It has 0 days.", "0", "0 days")
    told = say("show", "Q001")
    assert all(words in told for words in ("ABC: 4 days", "ABD: 1 day ", "ABE: 0 days"))


def _ask_of_every_kind() -> Iterator[str]:
    """Yield a question for each kind of answer, as a line of YAML."""
    of = ", of: {sing: They sing., dance: They dance.}, short: {sing: sing, dance: dance}"
    for at, (kind, words) in enumerate(
        (kind, of if isinstance(value, list) else "") for kind, (_, value) in TYPED.items()
    ):
        named = f"slug: feast.{kind}, asks: 'What, {kind}?', group: Feasts, affects: play, coding: Look."
        yield f"Q{at + 1:03}: {{{named[:-1]}, measure: {{type: {kind}{words}}}}}"


# ---- games, and what is wrong with a library
KINDS = "rulebook.answers.kinds:LIBRARY_KINDS"  #: where kinds stand that no game may have


class Point:
    """An entry point of a distribution that has a game."""

    def __init__(self, name: str, value: str, game: object) -> None:
        self.name, self.value, self.game = name, value, game

    def load(self) -> object:
        """Return the game, or raise as its module would."""
        if isinstance(self.game, Exception):
            raise self.game
        return self.game


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Has distributions installed that hand over these games."""
    return lambda *points: monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)


def name_game(folder: str, words: str) -> None:
    """Have a library name its game."""
    with Path(folder, "library.yaml").open("a", encoding="utf-8") as settings:
        settings.write(f"{words}\n")


def test_a_game_that_is_not_installed_is_said_with_what_has_it_and_nothing_is_played(say: Say) -> None:
    say("init", "whist", "--title", "Whist")
    name_game("whist", "game: whist\ngame_from: rulebook-whist")
    Path("whist/deals").mkdir()
    Path("whist/deals/one.yaml").write_text("deal: one\n", encoding="utf-8")
    told = say("--sources", "whist", "check")
    assert "no game whist is installed; install what has it (pip install rulebook-whist). Nothing is played." in told
    assert "no problems found" in told


def test_a_command_of_play_says_what_the_library_lacks_for_it(say: Say) -> None:
    assert "There is no library in this folder" in say("explain", "a-deal", code=2)
    say("init", "whist")
    assert "whist: this library has no game." in say("--sources", "whist", "explain", "a-deal", code=2)
    name_game("whist", "game: whist\ngame_from: rulebook-whist")
    assert "pip install rulebook-whist" in say("run", "a-deal", "--sources", "whist", code=2)
    assert "No command 'rnu'." in say("--sources", "whist", "rnu", code=2)


def test_a_game_takes_no_commands_place() -> None:
    commands = LazyCommands("rulebook", {"check": GameCommand("Cheat.", "Play", "os:abort")})
    assert (
        commands["check"].name == "check" and commands.summaries["check"] != "Cheat." and "Play" not in commands.groups
    )


def test_a_game_from_elsewhere_is_part_of_the_program_by_which_pages_are_made(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "deal.xml").write_text(name, encoding="utf-8")
    games = [NO_GAME, GAME, *(Game(name, folder=tmp_path / name) for name in ("old", "new"))]
    none, ours, old, new = map(fingerprint_program, games)
    assert none == ours and len({ours, old, new}) == 3


@pytest.mark.parametrize(
    ("points", "what"),
    [
        ([Point("whist", "a:GAME", ImportError("no cards"))], "the game whist cannot be used (ImportError: no cards)"),
        ([Point("whist", "a:GAME", NO_GAME), Point("whist", "b:GAME", NO_GAME)], "two distributions have a game whist"),
        (
            [
                Point(
                    "whist",
                    "a:GAME",
                    replace(NO_GAME, name="whist", parts={"kinds": "rulebook.answers.kinds:LIBRARY_KINDS"}),
                )
            ],
            "the game whist has a kind of answers date, which every library has",
        ),
    ],
    ids=["raises", "two", "kind"],
)
def test_a_game_that_cannot_be_used_is_one_problem_with_its_place(
    say: Say, install: Callable[..., None], points: list[Point], what: str
) -> None:
    say("init", "whist", "--title", "Whist")
    name_game("whist", "game: whist")
    install(*points)
    told = say("--sources", "whist", "check", code=1)
    assert what in told and "whist/library.yaml:" in told and told.endswith("1 problem in 1 file")


def test_a_second_library_within_one_is_one_problem(say: Say) -> None:
    say("init", "games")
    say("init", "games/more")
    told = say("--sources", "games", "check", code=1)
    assert "games/more/library.yaml:1:1: begins a second library move it out of this one" in told
    assert told.endswith("1 problem in 1 file")


def test_settings_that_cannot_be_read_are_told_with_their_line(say: Say) -> None:
    say("init", "games")
    name_game("games", "titel: [")
    assert "games/library.yaml:" in say("--sources", "games", "check", code=1)
    assert "games/library.yaml:" in say("--sources", "games", "build", code=1) and not Path("build/html").exists()
