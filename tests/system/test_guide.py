"""The guides, followed command by command, box by box: "Add a source in an afternoon", from the built page, and "An
edition of your own game" with "What a game plug-in is", from their Markdown.

Here the commands run within the test, in a copy of the questions and of one source, and the edition that is built in
the end has few pages; `.ci/run` follows the same page in a fresh copy of everything, with a shell, from the
installation to the whole edition.
"""

from __future__ import annotations

import re
import shlex
import shutil
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr
from functools import cached_property
from importlib.metadata import EntryPoint
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from click.testing import CliRunner
from lxml import html

from edition.cli.main import library_cli
from edition.coding.desk import CodingDesk
from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.game import Game, view_panels
from edition.site import build as building
from edition.site.build import build_html
from edition.site.coding_form import CodingForm
from edition.site.preview import Preview
from edition.site.server import open_server
from edition.site.stubs import write_page_sources
from reversis.cli.main import cli
from rulebook.clause_edits import read_clause_fields
from rulebook.program_name import GAME_VARIABLE
from rulebook.sources.paths import SOURCES_VARIABLE, find_sources
from tests.support.coding_form import choose, mark_by_mouse, save
from tests.support.guide import WIDTH, Astray, FillForm, Reader, Said, Step, agrees, send_form, steps
from tests.support.handwritten import find_page
from tests.support.library import write_library
from tests.support.places import CLONE

GUIDE = "add-a-source"
README = (CLONE / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide as the edition prints it; the sources do not matter for that."""
    folder = tmp_path_factory.mktemp("guide")
    hand = folder / "hand"
    hand.mkdir()
    (hand / "index.md").write_text("# Home\n", encoding="utf-8")
    shutil.copy(find_page(GUIDE), hand)
    root, out = write_library(folder), folder / "html"
    for deal in root.rglob("deals/*.yaml"):
        deal.unlink()  # they are names without cards
    assert build_html(out, warnings_as_errors=False, jobs="1", sources=root, by_hand=hand) == 0
    return out / f"{GUIDE}.html"


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The questions and one source, which the commands take for those of the clone; only pages of INN are built."""
    there, here = find_sources(), tmp_path / "sources"
    unread = shutil.ignore_patterns("deals", "printed.yaml", "coding-*.yaml", "settled.yaml")
    for name in ("questions", "PAM"):  # the others take longer to read, and nothing is asked of them
        shutil.copytree(there / name, here / name, ignore=unread)
    shutil.copy(there / "bibliography.bib", here)
    monkeypatch.setattr("rulebook.sources.paths.RULEBOOK_FOLDER", tmp_path / "rulebook")
    monkeypatch.setattr("rulebook.io.cache.cache_folder", lambda: tmp_path / "corpus")
    monkeypatch.setattr(building, "write_page_sources", few_pages)
    monkeypatch.setattr(building, "run_sphinx", forgiving(building.run_sphinx))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def few_pages(corpus: Corpus, into: Path, by_hand: Path) -> None:
    """Lay out the first page, and what speaks of the new source."""
    write_page_sources(corpus, into, by_hand)
    for path in into.rglob("*.md"):
        if path.name not in ("index.md", "INN.md", "inn-ace-thrown-off.md"):
            path.unlink()


def forgiving(sphinx: Callable[..., bool]) -> Callable[..., bool]:
    """Without most of its pages the edition has links that lead nowhere; they are no matter here, and not told."""

    def built(pages: Path, fresh: Path, memory: Path, warnings: bool, jobs: str, *rest: object) -> bool:
        with redirect_stderr(StringIO()):
            return sphinx(pages, fresh, memory, False, "1", *rest)

    return built


def run(command: str, answers: str) -> Said:
    """Do a command as a window does it; how the program is installed is left to `.ci/run`."""
    if command.startswith("export "):
        return 0, ""
    if command == printed_in_readme():
        return 0, ""
    program, *words = shlex.split(command)
    assert program == "reversis", command
    done = CliRunner().invoke(cli, words, input=answers, env={"COLUMNS": WIDTH})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def printed_in_readme() -> str:
    """How the edition is installed and built."""
    found = re.search(r"<!-- command: build -->\n```sh\n(.+)\n```", README)
    assert found
    return found[1]


@pytest.fixture
def form(page: Path, clone: Path, browser: Any) -> Iterator[FillForm]:
    """The form, filled in with mouse and keyboard in a real browser."""
    desk = CodingDesk(clone / "sources")
    with open_server(page.parent, 0, Preview(page.parent, desk.root), CodingForm(desk)) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()

        def fill(siglum: str, fields: Mapping[str, str]) -> str:
            tab = browser.new_page()
            tab.goto(f"{made.address}code/{siglum}")
            tab.locator(f"#{fields['Question']} > button").click()
            place = tab.locator(".rv-sentence", has_text=fields["Mark"]).get_attribute("data-id")
            mark_by_mouse(tab, place, fields["Mark"])
            choose(tab, fields["Answer"])
            said = save(tab, tab.locator(".rv-answer button[type=submit]").click)
            tab.close()
            return said

        yield fill
        made.shutdown()


@pytest.mark.slow
@pytest.mark.browser
def test_sheet_and_form_lead_to_a_settled_deal(page: Path, clone: Path, form: FillForm) -> None:
    """Every box but the last, with a real browser; the edition itself is built before a release."""
    every = list(steps(page))
    (build,) = (at for at, step in enumerate(every) if step.words == "reversis build")
    reader = Reader(clone, run, lambda command: None, form)
    reader.follow(iter(every[:build]))
    captions = {re.sub(r"\S+\.csv", "a sheet", step.caption) for step in reader.done}
    assert {"In a sheet, fill in these cells", "In the form of INN"} <= captions
    assert build == len(every) - 2


def test_a_machine_without_a_browser_sends_what_the_form_sends(tmp_path: Path) -> None:
    desk = CodingDesk(write_library(tmp_path, deals=False))
    with open_server(tmp_path, 0, Preview(tmp_path, desk.root), CodingForm(desk)) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
        fields = {"Question": "Q001", "Mark": "Celui qui mene", "Answer": "leader"}
        said = send_form(f"{made.address}code/AAA", "AAA", fields)
        made.shutdown()
    id = said.removeprefix("Written to AAA/clauses.yaml: ").rstrip(".")
    one = read_clause_fields((desk.root / "AAA" / "clauses.yaml").read_text("utf-8"))[id]
    assert (one["answers"], one["cites"][0]["exact"]) == ({"Q001": "leader"}, "Celui qui mene")


@pytest.mark.release
@pytest.mark.browser
def test_whoever_follows_the_guide_has_an_edition_with_the_new_source_in_it(
    page: Path, clone: Path, form: FillForm
) -> None:
    left: list[str] = []
    reader = Reader(clone, run, left.append, form)
    every = list(steps(page))
    reader.follow(iter(every))
    assert reader.done == every and len(every) > 40
    assert left == ["reversis serve"]
    built = html.parse(str(clone / "build" / "html" / "sources" / "INN.html"))
    assert "Every body muſt follow ſuit" in built.getroot().text_content()
    deal = html.parse(str(clone / "build" / "html" / "deals" / "inn-ace-thrown-off.html")).getroot().text_content()
    assert "North throws off the ace of diamonds" in deal
    record = (clone / "sources" / "INN" / "source.yaml").read_text(encoding="utf-8")
    assert "invented for the guide" in record and "draft: true" in record


def test_windows_is_told_what_the_readme_tells_it(page: Path) -> None:
    boxes = html.parse(str(page)).getroot().xpath("//div[contains(@class, 'literal-block-wrapper')]")
    told = {box.xpath(".//span[@class='caption-text']")[0].text_content(): box.xpath(".//pre")[0] for box in boxes}
    command = told["Type this (Windows)"].text_content().strip()
    assert command.startswith("py -m venv") and f"\n{command}\n" in README
    assert told["Type this (Mac, Linux)"].text_content().strip() == printed_in_readme()
    every = [one for one in told if one.endswith(" (Windows)")]
    assert {one.replace("Windows", "Mac, Linux") for one in every} <= set(told) and len(every) == 2


# ---- an edition of one's own, and a game for it
OWN, PLUG_IN = CLONE / "docs" / "edition-of-your-own.md", CLONE / "docs" / "game-plug-in.md"
#: What no file of another library may say; its workflow alone names the distribution that it installs.
OURS = re.compile(rb"quinola|reversis|\bPAM\b", re.IGNORECASE)


def run_rulebook(command: str, answers: str) -> Said:
    """Do a command of `rulebook` as a window does it; how it is installed is left to `.ci/run`."""
    if "pip install" in command or command.startswith("export "):
        return 0, ""
    program, *words = shlex.split(command)
    assert program == "rulebook", command
    done = CliRunner().invoke(library_cli, words, answers, {"COLUMNS": WIDTH}, prog_name="rulebook")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def hopscotch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The library of somebody who has followed the page from an empty folder to its end."""
    folder = tmp_path_factory.mktemp("own") / "hopscotch"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        for name in (GAME_VARIABLE, SOURCES_VARIABLE):
            here.delenv(name, raising=False)
        left: list[str] = []
        reader, every = Reader(folder, run_rulebook, left.append), list(steps(OWN))
        reader.follow(iter(every))
        assert (reader.done, left) == (every, ["rulebook serve"])
        yield folder


@pytest.mark.slow
def test_from_an_empty_folder_to_a_table_of_answers_in_which_nothing_is_ours(hopscotch: Path) -> None:
    site = hopscotch / "build" / "html"
    answers = (site / "answers.html").read_text(encoding="utf-8")
    assert "Hill Street" in answers and 'href="https://example.org/hopscotch/answers.html"' in answers
    assert "“Each player puts two marbles into a cap”" in (site / "questions" / "Q004.html").read_text(encoding="utf-8")
    said = {name: (site / f"{name}.html").read_text(encoding="utf-8") for name in ("index", "agreement", "silences")}
    assert not re.search("across families|<strong>0<", said["index"]) and "(0 times)" not in said["silences"]
    for command in ("build epub", "export all -o build/exports"):
        assert run_rulebook(f"rulebook {command}", "")[0] == 0
    (book,) = hopscotch.glob("build/epub/*.epub")
    with ZipFile(book) as pages:
        pages.extractall(hopscotch / "build" / "unpacked")
    files = [path for path in hopscotch.rglob("*") if path.is_file() and ".github" not in path.parts]
    assert len(files) > 100
    assert [path.as_posix() for path in files if OURS.search(path.read_bytes())] == []


@pytest.mark.slow
def test_the_workflow_of_a_library_runs_commands_that_there_are_and_publishes_what_they_build(hopscotch: Path) -> None:
    workflow = yaml.safe_load((hopscotch / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8"))
    job_steps = workflow["jobs"]["build"]["steps"]
    commands = [step["run"] for step in job_steps if step.get("run", "").startswith("rulebook ")]
    address = "https://example.org/hopscotch/"
    done = [run_rulebook(re.sub(r"\$\{\{.*?\}\}", address, command), "") for command in commands]
    assert [code for code, _ in done] == [0, 0], done
    (published,) = [step["with"]["path"] for step in job_steps if "upload-pages-artifact" in step.get("uses", "")]
    assert f'rel="canonical" href="{address}' in (hopscotch / published / "answers.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_game_as_the_page_has_it_settles_by_each_book(hopscotch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = hopscotch.parent / "hopscotch-game"

    def list_games(group: str) -> list[EntryPoint]:
        points = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
        return [EntryPoint(name, value, group) for name, value in points[group].items()]

    monkeypatch.setattr("importlib.metadata.entry_points", list_games)
    monkeypatch.syspath_prepend(str(package))
    reader, every = Reader(hopscotch, run_rulebook, lambda command: None), list(steps(PLUG_IN))
    reader.follow(iter(every))
    assert reader.done == every and len(every) > 10
    corpus, problems = read_corpus_checked(hopscotch)
    assert corpus and not problems
    ((panel,), other) = view_panels(corpus, "question", "Q010"), view_panels(corpus, "question", "Q001")
    said = [node.astext() for node in panel.render(panel.record)]
    assert said[0] == "three-players: the winner is ahead 4 by HIL." and len(said) == 2 and not other
    course = corpus.library.question("Q011")
    assert course.kind.full(course, (1, 10, 1)).full == "From 1 to 10, then to 1."


def test_the_page_of_plug_ins_names_every_part_of_a_game() -> None:
    parts = {name for name, part in vars(Game).items() if isinstance(part, cached_property)}
    assert parts and parts <= set(re.findall(r"^\| `(\w+)` \|", PLUG_IN.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize(("word", "page"), [("guide", OWN), ("game", PLUG_IN)])
def test_a_guide_is_printed_wherever_the_program_is(word: str, page: Path) -> None:
    assert run_rulebook(f"rulebook help {word}", "") == (0, page.read_text(encoding="utf-8"))


# ---- the reader notices where the guide is wrong
def test_a_box_over_which_nothing_stands_is_noticed_too(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("Some words:\n\n```sh\nrulebook check  # as `check`\n```\n", encoding="utf-8")
    assert [*steps(tmp_path / "page.md")] == [Step("", "rulebook check  # as `check`")]


START: Mapping[str, str] = {
    "a.yaml": "- id: X.c1\n  on: 1\n\n# two\n- id: X.c2\n  on: 2\n\n- id: X.c3\n  on: 3\n",
    "a.csv": "clause,question,answer,words\nX.c1,Q001,?,\nX.c2,Q002,?,\n",
}


def followed(folder: Path, *every: tuple[str, str], said: Said = (0, "all is well\nin a\\b")) -> str:
    for name, words in START.items():
        (folder / name).write_text(words, encoding="utf-8")
    reader = Reader(folder, lambda command, answers: said, lambda command: None)
    reader.follow(Step(*one) for one in every)
    return (folder / "a.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("every", "wrong"),
    [
        ([("Type this", "x"), ("It says", "all is ill")], "printed in the guide"),
        ([("Type this", "x"), ("It says", "all is")], "printed in the guide"),
        ([("Type this", "x"), ("It complains", "all is well …")], "exit code 0"),
        ([("Type this", "x"), ("It asks, and you answer", "Name: me")], "does not ask: Name"),
        ([("In a.yaml, find", "on:")], "stands 3 times"),
        ([("In a.yaml, find", "off")], "stands 0 times"),
        ([("In a.yaml, a new file", "x")], "is there already"),
        ([("In b.yaml, instead of everything", "x")], "is not there"),
        ([("In a.yaml, in place of X.c9", "x")], "X.c9 or X.c9 does not stand"),
        ([("In a.csv, fill in these cells", "four")], "no cell: 'four'"),
        ([("In a.csv, fill in these cells", "Q999  answer  four")], "a.csv has no row for Q999"),
        ([("In the form of INN", "Question  Q001")], "there is no form here"),
        ([("Do as you like", "x")], "nobody knows"),
    ],
)
def test_a_step_that_cannot_be_done_as_printed_is_noticed(
    tmp_path: Path, every: list[tuple[str, str]], wrong: str
) -> None:
    with pytest.raises(Astray, match=re.escape(wrong)):
        followed(tmp_path, *every)


def test_a_command_that_fails_is_noticed_where_nothing_is_printed_of_it(tmp_path: Path) -> None:
    for last in ([], [("In a.yaml, find", "on: 1")]):
        with pytest.raises(Astray, match="broken"):
            followed(tmp_path, ("Type this", "x"), *last, said=(1, "broken"))


def test_cells_are_filled_in_as_a_spreadsheet_saves_them(tmp_path: Path) -> None:
    cells = ("In a.csv, fill in these cells", "Q002  answer  four\n      words   by four,  they say")
    followed(tmp_path, cells, ("In a.csv, in every row that still has ?", "answer  -"))
    saved = (tmp_path / "a.csv").read_bytes().decode("utf-8-sig")
    assert saved == "clause;question;answer;words\r\nX.c1;Q001;-;\r\nX.c2;Q002;four;by four,  they say\r\n"


def test_job_stepschange_just_what_they_name(tmp_path: Path) -> None:
    whole = START["a.yaml"]
    one = followed(tmp_path, ("In a.yaml, in place of X.c2", "- id: X.c2\n  off: 2"))
    assert one == whole.replace("on: 2", "off: 2")
    two = followed(tmp_path, ("In a.yaml, in place of X.c1 to X.c2", "- id: X.c9\n  on: 9"))
    assert two == "- id: X.c9\n  on: 9\n\n- id: X.c3\n  on: 3\n"
    three = followed(tmp_path, ("In a.yaml, find", "on: 2"), ("Put in its place", "on: 5"))
    assert three == whole.replace("on: 2", "on: 5")
    told = followed(tmp_path, ("Type this", "x"), ("It says", "all is … in a/b"))
    assert told == whole


@pytest.mark.parametrize(
    ("printed", "said", "same"),
    [
        ("a …\nc", "a b\n   b   c\n", True),
        ("a …", "a", True),
        ("a", "a b", False),
        ("…b", "a b", True),
        ("a.c", "abc", False),
        ("a\n…\nb\n…\nc", "a x b c", True),
        ("a\n…\nb\n…\nc", "a x c b", False),
    ],
)
def test_three_dots_stand_for_anything_and_nothing_else_does(printed: str, said: str, same: bool) -> None:
    assert agrees(printed, said) is same
