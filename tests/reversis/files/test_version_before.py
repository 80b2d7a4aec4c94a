"""What the version before left behind is read, or silently made again: never a traceback.

`tests/data/before` has one of each, made before the modules moved into packages; its README says by which command.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import pickle
import re
import shutil
import threading
import time
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.corpus.releases import read_snapshots
from edition.corpus.snapshot import take_snapshot
from edition.site.build import build_html
from edition.site.preview import Preview
from edition.site.server import open_server
from lab.survey.request import SurveyOrder
from proofs.survey import read_cached_piece, run_policy_survey
from reversis.browser.api import answer_request
from reversis.browser.bundle import PYODIDE_LOCK, find_python, lay_play
from reversis.browser.library_json import pack_library, unpack_library
from reversis.browser.python_bundle import build_python_bundle
from reversis.cli.main import cli
from reversis.files.attributions import fingerprint_deal, read_causes
from reversis.files.deals import read_json_deal, read_worked
from reversis.files.separations import SEPARATIONS_FILE, read_partings, write_store
from reversis.files.surveys import format_stored_survey, read_surveys
from rulebook.io.digests import add_digest
from rulebook.io.strict_yaml import read_yaml
from rulebook.io.transactions import recover_folder
from rulebook.model import Library
from rulebook.problems import Problem
from tests.support.library import changed, opened
from tests.support.places import DATA

BEFORE = DATA / "before"
PAGE = "# Home\n\n```{edition:people}\n```\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The sources of which the build, the cache and the release were made, with the short forms now asked for."""
    root = Path(shutil.copytree(BEFORE / "sources", tmp_path / "sources"))
    short = "  short: {leader: whoever led, taker: whoever takes the trick, nobody: nobody}\n"
    changed(root, "questions/10.yaml", "  coding: Code who is named.\n", f"{short}  coding: Code who is named.\n")
    return root


@pytest.fixture
def old_build(tmp_path: Path) -> Path:
    """A build and the folder beside it; its note names the first page as it lies here, and the program of then."""
    out, work = tmp_path / "html", tmp_path / ".html-work"
    shutil.copytree(BEFORE / "built" / "html", out)
    shutil.copytree(BEFORE / "built" / "html-work", work)
    program, first = (work / "laid").read_text("utf-8").split()[-1], (out / "index.html").stat()
    (work / "laid").write_text(f"{first.st_ino} {first.st_mtime_ns} {program}\n", encoding="utf-8", newline="\n")
    (out / "play").mkdir()
    (out / "play" / "reversis.zip").write_bytes(b"modules of then")
    return out


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    """A single page written by hand."""
    (tmp_path / "hand").mkdir()
    (tmp_path / "hand" / "index.md").write_text(PAGE, encoding="utf-8")
    return tmp_path / "hand"


def kept_json(name: str) -> Any:
    return json.loads((BEFORE / name).read_text("utf-8"))


def lacks(now: Any, then: Any, way: str = "") -> Iterator[str]:
    """Whatever data of the same kind had before, and has no more: its keys, and of what type each value was."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key, value in then.items():
            yield from lacks(now[key], value, f"{way}/{key}") if key in now else [f"{way}/{key}"]
    elif isinstance(then, list) and isinstance(now, list):
        yield from lacks(now[0], then[0], f"{way}/0") if now and then else [way] * bool(then)
    elif type(now) is not type(then):
        yield way


@pytest.mark.slow
@pytest.mark.parametrize("note", [True, False], ids=["noted", "note lost"])
def test_an_edition_is_built_over_that_of_the_version_before(
    old_build: Path, root: Path, hand: Path, note: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    work = old_build.parent / ".html-work"
    if not note:
        (work / "laid").unlink()
    assert build_html(old_build, False, "1", root, hand) == 0
    assert "Traceback" not in capfd.readouterr().err
    for pages in (work / "src").rglob("*.md"):
        assert (old_build / pages.relative_to(work / "src")).with_suffix(".html").is_file()
    assert pickle.loads((work / "doctrees" / "environment.pickle").read_bytes()).all_docs.keys() >= {"index"}


# ---- a page in a browser, while the server begins again as another version
@pytest.fixture
def address(old_build: Path, root: Path) -> Iterator[str]:
    wrong = (Problem("sources/AAA/clauses.yaml", 8, 5, "there is no answer", "give one"),)
    preview = Preview(old_build, root, problems=wrong, warnings=("a warning",))
    with open_server(old_build, 0, preview) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.address.rstrip("/")
        server.shutdown()


def fetch(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        return str(answer.read().decode())


def test_a_page_of_the_version_before_follows_the_server_of_today(address: str, old_build: Path) -> None:
    script = (BEFORE / "served" / "live.js").read_text("utf-8")
    (ask,) = re.findall(r'ASK = "(.*)"', script)
    before = json.loads(fetch(f"{address}{ask}%2Findex.html"))
    then = kept_json("served/state.json")
    assert [*lacks(before, then)] == [] and {key: before[key] for key in then} | {"state": ""} == {**then, "state": ""}
    assert {*re.findall(r"told\.(\w+)", script)} <= before.keys()
    assert {*re.findall(r"one\.(place|what|out)\b", script)} == before["problems"][0].keys()
    assert json.loads(fetch(f"{address}{ask}%2Findex.html"))["state"] == before["state"], "it is still the page"
    (old_build / "index.html").write_text("<html><head></head>new</html>", encoding="utf-8")
    os.utime(old_build / "index.html", ns=(1, time.time_ns()))
    assert json.loads(fetch(f"{address}{ask}%2Findex.html"))["state"] not in ("", before["state"]), "it loads anew"
    linked = re.findall(r'"(/-live/[^"]*)"', (BEFORE / "served" / "page.html").read_text("utf-8"))
    assert sorted(linked) == ["/-live/live.css", "/-live/live.js"]
    assert all(fetch(f"{address}{one}") for one in linked)


def test_serve_makes_the_edition_of_the_version_before_anew(
    old_build: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr(Preview, "make", lambda self, jobs="1": made.append(jobs))
    Preview(old_build, root).begin()
    assert made == ["auto"]


def test_a_broken_file_is_shown_as_the_server_before_last_found_it_good(old_build: Path, root: Path) -> None:
    preview = Preview(old_build, root)
    shutil.copytree(root, old_build.parent / ".html-work" / "good" / "sources")  # as that server laid it
    changed(root, "AAA/clauses.yaml", "status: ambiguous", "status: ambigous")
    changed(root, "BBB/notes.yaml", "text: Odd.", "text: Odd indeed.")
    corpus, (problem, *_) = preview.read()
    assert problem.file == "sources/AAA/clauses.yaml" and corpus is not None
    sources = corpus.library.sources
    assert "ambiguous" in [clause.status for clause in sources["AAA"].clauses]
    assert [note.text for note in sources["BBB"].notes] == ["Odd indeed."]


def test_a_page_of_the_version_before_is_answered_as_it_was(library: Library) -> None:
    answer = json.dumps(answer_request(library, kept_json("served/request.json")))
    assert [*lacks(json.loads(answer), kept_json("served/answer.json"))] == []


@pytest.mark.slow
def test_a_page_of_the_version_before_finds_what_it_fetches(
    root: Path, old_build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.mkdir()
    for path in find_python().iterdir():  # of the browser's own Python only the names matter here
        (python / path.name).write_bytes(path.read_bytes() if path.name == PYODIDE_LOCK else b"")
    monkeypatch.setattr("reversis.browser.bundle.find_python", lambda: python)
    lay_play(Corpus(opened(root)), {}, old_build / "play")
    choices, others = (
        json.loads((old_build / "play" / name).read_text("utf-8")) for name in ("play.json", "readings.json")
    )
    assert choices["readings"] == choices["questions"] == [], (
        "they have a file of their own, which that page does not know"
    )
    assert choices["faults"] and others["readings"]
    assert [*lacks(choices | others, kept_json("served/choices.json"))] == []
    assert (old_build / "play" / "reversis.zip").read_bytes() == build_python_bundle()


def test_a_library_carried_into_a_browser_is_read(root: Path) -> None:
    letters = (BEFORE / "served" / "library.json").read_text("utf-8")
    carried = unpack_library(letters)
    ours = replace(opened(root), digest=carried.digest)  # its files have short forms now, which are not carried
    assert pack_library(carried) == pack_library(ours) == letters


# ---- surveys
@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """Sources with what programs keep among them."""
    folder = tmp_path / "sources"
    shutil.copytree(BEFORE / "stored", folder)
    (folder / "survey").mkdir()
    shutil.copyfile(BEFORE / "survey" / "random.json", folder / "survey" / "random.json")
    return folder


def test_a_stored_survey_is_read(stored: Path, library: Library) -> None:
    (survey,), problems = read_surveys(stored, library)
    assert problems == []
    assert format_stored_survey(survey) == add_digest((BEFORE / "survey" / "random.json").read_text("utf-8"))
    assert (survey.deals, survey.seed, [table.siglum for table in survey.tables]) == (3, 7, ["PAM"])


def test_a_survey_that_was_broken_off_is_counted_by_one_version(tmp_path: Path, stored: Path, library: Library) -> None:
    kept = Path(shutil.copytree(BEFORE / "survey" / "pieces", tmp_path / "pieces"))
    (then,) = kept.rglob("*.json")
    tally = read_cached_piece(then)
    assert tally is not None and json.loads(json.dumps(asdict(tally))) == json.loads(then.read_text("utf-8"))
    (survey,), _ = read_surveys(stored)
    these = tuple(table.weighed for table in survey.tables)
    order = SurveyOrder(survey.seed, survey.policy, survey.deals, tuple(one.table for one in these))
    counted: list[int] = []

    def piece(order: SurveyOrder, library: Library, chunk: int) -> Any:
        counted.append(chunk)
        return tally

    again = run_policy_survey(library, these, order, kept, piece)
    assert counted == [0], "what another program has counted is counted again"
    assert again.tables == survey.tables
    assert run_policy_survey(library, these, order, kept, piece).tables == again.tables and counted == [0]


def test_the_files_of_a_survey_are_read(tmp_path: Path) -> None:
    from lab.survey.parquet import read_survey_parquet, write_survey_parquet
    from lab.survey.table import dump_survey_run, read_survey_dump

    path = tmp_path / "survey.parquet"
    path.write_bytes(gzip.decompress((BEFORE / "survey" / "survey.parquet.gz").read_bytes()))
    survey, printed = read_survey_parquet(path), kept_json("survey/survey.json")
    assert survey == read_survey_dump(printed) and dump_survey_run(survey) == printed
    assert (survey.order.seed, survey.order.deals) == (7, 3)
    write_survey_parquet(path, survey)
    assert read_survey_parquet(path) == survey


# ---- what searches have found
def test_a_stored_parting_is_read_with_its_deal(stored: Path, library: Library) -> None:
    store, problems = read_partings(stored, replace(library, root=str(stored)))
    assert store is not None and problems == []
    (parting,) = store.partings
    assert (parting.verdict, len(store.deal(parting.deal).tricks)) == ("effective", 9)
    write_store(stored / SEPARATIONS_FILE, store)
    before = (BEFORE / "stored" / "separating.json").read_text("utf-8")
    assert (stored / "separating.json").read_text("utf-8") == add_digest(before)


def test_a_stored_attribution_is_read_and_knows_its_deal(stored: Path, library: Library) -> None:
    causes, problems = read_causes(stored, library)
    assert causes is not None and problems == []
    (found,) = causes.found
    deal = read_worked(library, found.deal).deal
    assert deal is not None and fingerprint_deal(deal) == found.seal


def test_of_a_release_nothing_has_changed_unless_its_sources_have(root: Path) -> None:
    (then,), problems = read_snapshots(BEFORE)
    corpus, wrong = read_corpus_checked(root)
    assert corpus is not None and wrong == problems == []
    now = take_snapshot(corpus, then.version, then.released)
    assert replace(now, sources=then.sources) == then  # the files have short forms now, which change no question


# ---- deals
@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: Library) -> Callable[..., str]:
    """A command that ends well, and what it prints."""
    monkeypatch.setattr("rulebook.load.load_library", lambda *_: (library, []))
    monkeypatch.setattr("rulebook.io.cache.cache_folder", lambda: tmp_path)

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, list(words))
        assert done.exit_code == 0, done.output or done.exception
        return done.stdout

    return run


def test_a_saved_deal_is_settled_as_it_was(run: Callable[..., str]) -> None:
    (line,) = run("run", str(BEFORE / "deals" / "random.yaml"), "-s", "PAM", "--format", "json").splitlines()
    now, then = json.loads(line), kept_json("deals/random.result.json")
    assert [*lacks(now, then)] == []
    assert (now["net"], now["receipt"]["deal"]) == (then["net"], then["receipt"]["deal"])
    lines = str(BEFORE / "deals" / "random.jsonl")
    (record,) = (BEFORE / "deals" / "random.jsonl").read_text("utf-8").splitlines()
    drawn = json.loads(run("deal", "random", "-s", "ACA", "--seed", "7", "--format", "json"))
    assert drawn == json.loads(record) | {"title": "Dealt and played at random"}, "only its title has other words now"
    assert "ACA" in run("session", lines, "-s", "ACA", "--turn")


def test_a_deal_that_was_begun_is_completed(run: Callable[..., str]) -> None:
    read: tuple[Any, object, list[Problem]] = read_yaml(BEFORE / "deals" / "new.yaml")
    begun, _, problems = read
    whole = json.loads(run("deal", "fill", str(BEFORE / "deals" / "new.yaml"), "-s", "PAR", "--format", "json"))
    assert problems == []
    assert {seat: {*cards.split()} for seat, cards in begun["hands"].items()} == {
        seat: {*cards.split()} for seat, cards in whole["hands"].items()
    }
    assert all(len(cards.split()) == 4 for cards in whole["tricks"]) and len(whole["tricks"]) == 11


def test_a_saved_session_comes_to_what_it_expects(run: Callable[..., str]) -> None:
    assert "GER" in run("session", str(BEFORE / "deals" / "session.yaml"), "-s", "GER")


ADDRESS = (BEFORE / "deals" / "address.txt").read_text("utf-8").strip()


def unpack_address() -> Any:
    """What the address of the deal editor holds, by another way than the page's."""
    letters = ADDRESS.removeprefix("#deal=z.")
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), -15))


def test_an_address_with_a_deal_holds_a_record_of_today(library: Library) -> None:
    whole = unpack_address()
    assert whole["sources"] == ["GER"]
    assert read_json_deal(json.dumps(whole["record"]), "deal.json").problems == ()
    asked = {"do": "run", "record": json.dumps(whole["record"]), "sources": whole["sources"]}
    assert [one["state"] for one in answer_request(library, asked)["ledgers"]] == ["settled"]


# ---- what was begun, and files that were being written when the program was killed
def test_an_export_that_was_broken_off_is_finished(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(BEFORE / "unfinished", tmp_path / "export"))
    recover_folder(folder)
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == {"matrix.csv": "new\n"}


def test_a_draft_that_was_begun_is_in_order(root: Path) -> None:
    shutil.copytree(BEFORE / "draft" / "CCC", root / "CCC")
    library = opened(root)
    text = library.sources["CCC"].text
    assert library.sources["CCC"].draft and text is not None
    assert [sentence.diplomatic for sentence in text.sentences.values()][-1] == "On le paye."
    with (root / "CCC" / "text.txt").open("a", encoding="utf-8") as pasted:
        pasted.write("[p. 1]\nDu péage.\n\nCelui qui mene reçoit deux jetons de chacun. On le paye.\n")
    (root / "CCC" / "text.xml").unlink()
    done = CliRunner().invoke(cli, ["import-text", "CCC", "--sources", str(root)])
    assert done.exit_code == 0, done.output
    again, before = (
        path.read_bytes().partition(b"</teiHeader>")[2]
        for path in (root / "CCC" / "text.xml", BEFORE / "draft" / "CCC" / "text.xml")
    )
    assert again == before != b""
