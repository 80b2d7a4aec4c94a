"""The live preview: what an edit makes anew, what is told of a broken file, and what a page asks for."""

from __future__ import annotations

import json
import shutil
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from edition.site import reuse as again
from edition.site.preview import Preview, read_relative_file_times
from edition.site.server import EditionServer, open_server
from rulebook.load import load_library
from tests.support.library import CLAUSES, changed, place, write_library
from tests.support.read_only import refuse_read_only_files

INDEX = """# Home

```{edition:home-books}
```
```{edition:answers}
```
```{toctree}
:hidden:
:glob:

sources/*
```
"""
LISTS = "---\norphan: true\n---\n# Lists\n\n" + "".join(
    f"```{{edition:{kind}}}\n```\n" for kind in ("doubts", "silences", "inapplicable", "emendations")
)


class Bench:
    """A tiny edition that follows its sources, and which pages were read and written for each change."""

    def __init__(self, folder: Path) -> None:
        self.root = write_library(folder)
        for deals in ("deals", "AAA/deals"):
            shutil.rmtree(self.root / deals)
        self.hand = folder / "hand"
        self.hand.mkdir()
        (self.hand / "index.md").write_text(INDEX, encoding="utf-8")
        (self.hand / "lists.md").write_text(LISTS, encoding="utf-8")
        (self.root / "bibliography.bib").write_text("", encoding="utf-8")
        for name in ("rights", "people", "reading", "answers"):
            (self.hand / f"{name}.md").write_text(f"---\norphan: true\n---\n# {name}\n", encoding="utf-8")
        self.preview = Preview(folder / "html", self.root, self.hand)
        self.read: set[str] = set()
        self.written: set[str] = set()

    def look(self) -> bool:
        self.read.clear()
        self.written.clear()
        return self.preview.look()

    def page(self, name: str) -> str:
        return (self.preview.out / f"{name}.html").read_text(encoding="utf-8")

    def restore(self) -> None:
        (self.root / "AAA" / "clauses.yaml").write_text(CLAUSES, encoding="utf-8", newline="\n")
        self.preview.look()


@pytest.fixture
def bench(live: Bench) -> Iterator[Bench]:
    yield live
    live.restore()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    from edition.site.html_builder import EditionBuilder

    made = Bench(tmp_path_factory.mktemp("live"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EditionBuilder, "read_doc", noting(EditionBuilder.read_doc, made.read))
        patch.setattr(EditionBuilder, "_write_page", noting(EditionBuilder._write_page, made.written))
        assert made.look() and (made.preview.warnings, made.preview.problems) == ((), ()), made.preview.warnings
        assert "index" in made.written
        yield made


def noting(original: Callable[..., Any], names: set[str]) -> Callable[..., Any]:
    def noted(self: object, name: str, *args: Any, **more: Any) -> Any:
        names.add(name)
        return original(self, name, *args, **more)

    return noted


@pytest.mark.slow
def test_new_words_in_a_clause_change_only_the_pages_that_have_them(bench: Bench) -> None:
    before = {path.name: path.read_bytes() for path in bench.preview.out.glob("questions/*.html")}
    changed(bench.root, "AAA/clauses.yaml", "because: Both are named.", "because: Both are named here.")
    assert bench.look() and bench.preview.problems == ()
    assert bench.read == {"clauses/AAA", "questions/Q003", "interpretations/AAA", "lists"}
    assert "Both are named here." in bench.page("questions/Q003")
    after = {path.name: path.read_bytes() for path in bench.preview.out.glob("questions/*.html")}
    assert {name for name in after if after[name] != before[name]} == {"Q003.html"}


@pytest.mark.slow
def test_another_answer_makes_the_pages_anew_that_tell_it_and_no_others(bench: Bench) -> None:
    changed(bench.root, "AAA/clauses.yaml", "Q001: leader ", "Q001: taker  ")
    assert bench.look()
    assert bench.preview.problems == () and {"index", "questions/Q001", "clauses/AAA", "howto/AAA"} <= bench.read
    assert not bench.read & {"clauses/BBB", "questions/Q003", "rights", "people"}


@pytest.mark.release
@pytest.mark.parametrize(
    ("words", "others"),
    [
        ("because: Both are named.", "because: Both stand there."),
        ("cert: medium\n  coder: ed1\n  label: first", "cert: low\n  coder: ed1\n  label: first"),
        ("label: the first alone\n", "label: the first alone\n      cert: high\n"),
    ],
)
def test_the_edition_is_the_same_as_one_made_at_once(bench: Bench, tmp_path: Path, words: str, others: str) -> None:
    changed(bench.root, "AAA/clauses.yaml", words, others)
    assert bench.look()
    whole = Preview(tmp_path / "html", bench.root, bench.hand)
    whole.begin()
    files = {path.relative_to(whole.out) for path in whole.out.rglob("*") if path.is_file()}
    assert files == {path.relative_to(bench.preview.out) for path in bench.preview.out.rglob("*") if path.is_file()}
    differing = {path for path in files if (whole.out / path).read_bytes() != (bench.preview.out / path).read_bytes()}
    assert not {path for path in differing if path.suffix in (".html", ".bib", ".json", ".csv")}, differing


@pytest.mark.release
def test_a_broken_file_is_told_and_the_rest_goes_on(bench: Bench) -> None:
    changed(bench.root, "AAA/clauses.yaml", "status: ambiguous", "status: ambigous")
    assert bench.look()
    (problem,) = bench.preview.problems
    assert problem in load_library(bench.root)[1]
    assert (problem.file, problem.line) == place(bench.root, "AAA/clauses.yaml", "ambigous")[:2]
    assert "ambiguous" in problem.way_out and "Both are named." in bench.page("questions/Q003")
    changed(bench.root, "BBB/notes.yaml", "text: Odd.", "text: Odd indeed.")
    assert bench.look() and bench.preview.problems == (problem,)
    assert "sources/BBB" in bench.read and "Odd indeed." in bench.page("sources/BBB")
    changed(bench.root, "AAA/clauses.yaml", "status: ambigous", "status: contradictory")
    assert bench.look() and bench.preview.problems == ()
    assert "contradictory" in bench.page("questions/Q003")
    changed(bench.root, "BBB/notes.yaml", "text: Odd indeed.", "text: Odd.")


@pytest.mark.slow
def test_a_page_written_by_hand_is_followed_and_its_warning_told(bench: Bench) -> None:
    path = bench.hand / "rights.md"
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}\nNew words, and {{edition:question}}`Q999`.\n", encoding="utf-8")
    assert bench.look() and bench.read == {"rights"} and "New words" in bench.page("rights")
    assert any("Q999" in warning for warning in bench.preview.warnings)
    assert (bench.preview.work / again.WARNED).exists()
    path.write_text(before, encoding="utf-8")
    assert bench.look() and bench.preview.warnings == ()


def test_read_only_sources_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_read_only_files(monkeypatch)
    preview = Preview(tmp_path / "html", write_library(tmp_path / "library"))
    for path in preview.sources.rglob("*.yaml"):
        path.chmod(0o444)
    preview.keep(())
    assert read_relative_file_times(preview.good) == read_relative_file_times(
        preview.sources
    ) and read_relative_file_times(preview.good)
    path = preview.sources / "AAA" / "notes.yaml"
    path.chmod(0o644)
    path.write_text("[]\n", encoding="utf-8")
    path.chmod(0o444)
    preview.keep(())
    assert (preview.good / "AAA" / "notes.yaml").read_text(encoding="utf-8") == "[]\n"
    assert read_relative_file_times(preview.good) == read_relative_file_times(preview.sources)


def test_what_is_built_in_a_library_is_no_source_of_it(tmp_path: Path) -> None:
    root = write_library(tmp_path / "library")
    preview = Preview(root / "build" / "html", root)
    before = preview.now()
    (preview.out / "sitemap.xml").parent.mkdir(parents=True)
    (preview.out / "sitemap.xml").write_text("<urlset/>", encoding="utf-8")
    preview.keep(())
    assert preview.now() == before and not (preview.good / "build").exists() and preview.good.is_dir()


@pytest.fixture
def opened(bench: Bench) -> Iterator[EditionServer]:
    with open_server(bench.preview.out, 0, bench.preview) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
        yield made
        made.shutdown()


def fetched(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        return str(answer.read().decode())


@pytest.mark.slow
def test_only_a_page_that_is_served_has_the_script(bench: Bench, opened: EditionServer) -> None:
    served = fetched(f"{opened.address}questions/Q001.html")
    assert served.count('<script src="/-live/live.js" defer>') == 1 and served != bench.page("questions/Q001")
    assert "-live" not in bench.page("questions/Q001")
    assert "fetch(" in fetched(f"{opened.address}-live/live.js") and ".rv-live" in fetched(
        f"{opened.address}-live/live.css"
    )
    assert fetched(opened.address) == fetched(f"{opened.address}index.html")


@pytest.mark.slow
def test_a_page_asks_whether_it_is_still_the_page_and_what_is_wrong(bench: Bench, opened: EditionServer) -> None:
    ask = f"{opened.address}-live/state?page=/questions/Q003.html"
    before = json.loads(fetched(ask))
    home = json.loads(fetched(f"{opened.address}-live/state?page=/"))
    other = json.loads(fetched(f"{opened.address}-live/state?page=/rights.html"))
    assert before["state"] and before["problems"] == [] and before["state"] != home["state"] != ""
    changed(bench.root, "AAA/clauses.yaml", "because: Both are named.", "because: Both are said.")
    bench.look()
    assert json.loads(fetched(ask))["state"] != before["state"]
    assert json.loads(fetched(f"{opened.address}-live/state?page=/rights.html"))["state"] == other["state"]
    changed(bench.root, "AAA/clauses.yaml", "status: ambiguous", "status: [<b>")
    bench.look()
    (wrong, *_) = json.loads(fetched(ask))["problems"]
    assert wrong["place"].startswith("sources/AAA/clauses.yaml:") and wrong["out"]


def test_a_strict_build_forgets_pages_that_were_made_in_spite_of_warnings(tmp_path: Path) -> None:
    again.discard_stale_doctrees(tmp_path, strictly=False, program="")
    (tmp_path / "doctrees").mkdir()
    again.mark_warned(tmp_path)
    again.finish_build(tmp_path, failed=False)
    again.discard_stale_doctrees(tmp_path, strictly=False, program="")
    again.finish_build(tmp_path, failed=False)
    assert (tmp_path / "doctrees").is_dir()
    again.discard_stale_doctrees(tmp_path, strictly=True, program="")
    assert not (tmp_path / "doctrees").exists() and not (tmp_path / again.WARNED).exists()


@pytest.mark.parametrize("killed", [True, False])
def test_what_a_killed_build_has_read_is_forgotten(tmp_path: Path, killed: bool) -> None:
    again.discard_stale_doctrees(tmp_path, strictly=False, program="")
    (tmp_path / "doctrees").mkdir()
    if not killed:
        again.finish_build(tmp_path, failed=False)
    again.discard_stale_doctrees(tmp_path, strictly=False, program="")
    assert (tmp_path / "doctrees").exists() != killed


@pytest.mark.release
def test_an_edition_made_by_another_program_is_made_anew_when_it_is_served(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = bench.preview.work / again.EDITION_NOTE
    bench.preview.begin()
    before = note.read_text(encoding="utf-8")
    for module in ("edition.site.preview", "edition.site.build"):
        monkeypatch.setattr(f"{module}.fingerprint_program", lambda game: "another")
    bench.read.clear()
    bench.preview.begin()
    assert {"index", "sources/AAA"} <= bench.read and note.read_text(encoding="utf-8") != before
    monkeypatch.undo()
    bench.preview.make()


def test_a_fault_of_the_program_is_told_and_the_sources_are_followed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a page went wrong")

    monkeypatch.setattr("edition.site.preview.build_html", fail)
    preview = Bench(tmp_path).preview
    assert preview.look()
    assert preview.warnings == (
        "the pages could not be made, by a fault of the program: ValueError: a page went wrong",
    )
    assert not preview.at_work and "Traceback" in capsys.readouterr().err
    assert not preview.look()
