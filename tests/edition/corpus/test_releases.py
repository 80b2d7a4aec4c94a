"""A release, and what is told of it: the files that name it, what has changed since, and what was checked."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from click.testing import CliRunner, Result
from lxml import html

from edition.cli import release as releasing
from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.corpus.releases import RELEASES_FOLDER, Snapshot, last_before, read_snapshots, write_snapshot
from edition.corpus.snapshot import take_snapshot
from edition.site.build import build_html
from edition.views.about.changes import changes_view
from edition.views.about.validation import validation_view
from reversis.cli.main import cli
from reversis.findings.results import compute_results
from rulebook import __version__
from rulebook.sources.paths import digest_sources
from tests.support.handwritten import find_page
from tests.support.library import changed, corpus_of, write_library
from tests.support.places import CLONE

DAY = "2026-12-01"


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library in which some things are no longer as they were when it was released."""
    root = write_library(tmp_path_factory.mktemp("later"), deals=False)
    write_snapshot(root, take_snapshot(corpus_of(root), "0.1.0", DAY))
    write_snapshot(
        root, replace(take_snapshot(corpus_of(root), "0.0.9", "2026-11-01"), answers={"AAA": {"Q001": "nobody"}})
    )
    changed(root, "AAA/clauses.yaml", "Q001: leader ", "Q001: taker ")
    changed(root, "AAA/clauses.yaml", "because: Both are named.", "because: Both are named, one after the other.")
    changed(root, "AAA/text.xml", "Du péage.", "Du peage.")
    clauses = root / "AAA" / "clauses.yaml"
    clauses.write_text(clauses.read_text("utf-8").replace("AAA.i01", "AAA.i02"), "utf-8", newline="\n")
    return root


# ---- what has changed
def test_what_came_changed_and_went_is_told_by_its_id(later: Path) -> None:
    view = changes_view(corpus_of(later))
    assert (view.since, view.since_day) == ("0.1.0", DAY)
    found = {
        kind.name: tuple([each.id for each in some] for some in (kind.added, kind.changed, kind.withdrawn))
        for kind in view.kinds
    }
    assert found == {
        "sentences": ([], ["AAA.s0001"], []),
        "clauses": ([], ["AAA.c001", "AAA.c002"], []),
        "alternatives": (["AAA.i02"], [], ["AAA.i01"]),
    }
    assert [(answer.source, answer.what.id, answer.before, answer.after) for answer in view.answers] == [
        ("AAA", "Q001", "leader", "taker")
    ]
    assert view.deals == ()


def test_a_library_that_is_as_it_was_has_no_changes(tmp_path: Path) -> None:
    root = write_library(tmp_path, deals=False)
    write_snapshot(root, take_snapshot(corpus_of(root), "0.1.0", DAY))
    view = changes_view(corpus_of(root))
    assert view.since == "0.1.0" and not (view.kinds or view.answers or view.deals)


def test_a_release_is_held_against_the_one_before_it_and_whatever_comes_after_against_the_last() -> None:
    every = tuple(Snapshot(version, DAY, "") for version in ("0.9.0", "0.10.0"))
    assert last_before(every, "0.10.0", released=True) is every[0]
    assert last_before(every, "0.10.0", released=False) is every[1]
    assert last_before(every, "0.11.0", released=True) is every[1]
    assert last_before(every[:1], "0.9.0", released=True) is None


def test_a_deal_that_settles_otherwise_is_told(tmp_path: Path) -> None:
    corpus = playing(corpus_of(write_library(tmp_path, deals=False)), "settled: south +2")
    before = take_snapshot(playing(corpus, "settled: south +1"), "0.1.0", DAY)
    view = changes_view(playing(replace(corpus, releases=(before,)), "settled: south +2"))
    assert [(deal.source, deal.what.id, deal.before, deal.after) for deal in view.deals] == [
        ("AAA", "one", "settled: south +1", "settled: south +2")
    ]
    assert not view.kinds and not view.answers


def playing(corpus: Corpus, said: str) -> Corpus:
    """The same corpus with a worked deal, and what one source makes of it."""
    found = replace(corpus, library=replace(corpus.library, deals=("deals/one.yaml",)))
    found.memo[compute_results] = SimpleNamespace(by_deal={"one": (SimpleNamespace(source="AAA", said=said),)})
    return found


# ---- the files
def test_a_snapshot_is_read_as_it_was_written_and_no_part_of_the_fingerprint(tmp_path: Path) -> None:
    root = write_library(tmp_path, deals=False)
    before, one = digest_sources(root), take_snapshot(corpus_of(root), "0.10.0", DAY)
    path = write_snapshot(root, one)
    write_snapshot(root, replace(one, version="0.9.0"))
    found, problems = read_snapshots(root)
    assert not problems and [one.version for one in found] == ["0.9.0", "0.10.0"] and found[1] == one
    assert digest_sources(root) == before
    assert path.stat().st_size < 60 * sum(map(len, (*one.ids.values(), *one.answers.values()))) + 500


@pytest.mark.parametrize(
    ("letters", "what"),
    [
        ("[]", "the entry must be a table, not a list"),
        ("{", "cannot be read as JSON: Expecting property name enclosed in double quotes"),
        ("{}", "ids is missing"),
        ('{"schema": 1, "more": 2}', "the entry more is unknown here"),
        ('{"ids": {"clauses": ["PAM.c001"]}}', "clauses must be a table, not a list"),
        (
            json.dumps({"schema": 1, **asdict(Snapshot("0.2.0", DAY, "-", {}, {}, {}))}),
            "is of version 0.2.0, its file of 0.1.0",
        ),
    ],
)
def test_a_spoilt_snapshot_is_told(tmp_path: Path, letters: str, what: str) -> None:
    root = write_library(tmp_path, deals=False)
    (root / RELEASES_FOLDER).mkdir()
    (root / RELEASES_FOLDER / "0.1.0.json").write_text(letters, "utf-8")
    corpus, problems = read_corpus_checked(root)
    assert corpus is None and what in [problem.what for problem in problems]
    assert {problem.file for problem in problems} == {"sources/releases/0.1.0.json"}


# ---- the pages
@pytest.fixture(scope="module")
def pages(later: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    hand = tmp_path_factory.mktemp("pages") / "hand"
    hand.mkdir()
    (hand / "index.md").write_text("# Home\n", encoding="utf-8")
    for name in ("changes", "validation", "manual"):
        shutil.copy(find_page(name), hand)
    out = hand.parent / "html"
    assert build_html(out, warnings_as_errors=False, jobs="1", sources=later, by_hand=hand) == 0
    return out


def said_on(page: Path) -> str:
    (found,) = html.parse(str(page)).getroot().xpath("//article")
    return " ".join(found.text_content().split())


@pytest.mark.slow
def test_the_page_of_changes_shows_them(pages: Path) -> None:
    told = said_on(pages / "changes.html")
    assert f"held against version 0.1.0 of {DAY}" in told and "1 answer changed" in told
    assert "Every worked deal that was there settles as before" in told
    page = html.parse(str(pages / "changes.html")).getroot()
    assert page.xpath("//a[contains(@href, 'clauses/AAA.html#AAA.c001')]")
    assert page.xpath("//a[contains(@href, 'questions/Q001.html')]")
    assert not page.xpath("//a[contains(@href, 'AAA.i01')]") and "AAA.i01" in told
    assert (pages / "downloads" / "sources" / "releases" / "0.1.0.json").is_file()


def test_the_report_says_what_is_not_as_it_should_be(later: Path) -> None:
    """As a library would look that nobody has checked."""
    corpus = corpus_of(later)
    source = corpus.library.sources["AAA"]
    first = source.clauses[0]
    spoilt = replace(first, cites=tuple(replace(cite, exact="nowhere", seen="sha256:0") for cite in first.cites))
    aaa = replace(source, clauses=(spoilt, *source.clauses[1:]))
    library_ = replace(corpus.library, sources={**corpus.library.sources, "AAA": aaa})
    report = validation_view(replace(corpus, library=library_))
    found = {line.what.partition(" ")[0]: (line.number, line.good) for line in report.lines}
    assert found["quotations"] == (3, 2)
    number, good = found["citations"]
    assert good == number - 1


# ---- the command
@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with a small library in it."""
    write_library(tmp_path, deals=False)
    (tmp_path / "rulebook").mkdir()
    for name in ("CITATION.cff", "CHANGELOG.md", "rulebook/__init__.py"):
        shutil.copy(CLONE / name, tmp_path / name)
    monkeypatch.setattr("rulebook.sources.paths.RULEBOOK_FOLDER", tmp_path / "rulebook")
    monkeypatch.setattr(releasing.write_release, "__defaults__", (tmp_path, ""))
    return tmp_path


def run(*words: str) -> Result:
    done = CliRunner().invoke(cli, ["release", *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def test_a_release_is_written_into_every_file_that_names_it(clone: Path) -> None:
    before = (clone / "CHANGELOG.md").read_text("utf-8")
    for _ in range(2):  # whoever has broken off does it once more
        done = run("0.2.0", DAY)
        assert done.exit_code == 0 and "git tag v0.2.0" in done.output, done.output
    cited = yaml.safe_load((clone / "CITATION.cff").read_text("utf-8"))
    assert (cited["version"], str(cited["date-released"])) == ("0.2.0", DAY)
    assert '__version__ = "0.2.0"' in (clone / "rulebook" / "__init__.py").read_text("utf-8")
    news = (clone / "CHANGELOG.md").read_text("utf-8")
    assert news == before.replace("## Unreleased\n", f"## Unreleased\n\n## 0.2.0, {DAY}\n", 1)
    assert json.loads((clone / ".zenodo.json").read_text("utf-8"))["publication_date"] == DAY
    (one,), problems = read_snapshots(clone / "sources")
    assert not problems and (one.version, one.released) == ("0.2.0", DAY) and "AAA.c001" in one.ids["clauses"]
    older = run("0.1.9", DAY)
    assert older.exit_code == 2 and "0.2.0 has been released already" in older.output


@pytest.mark.parametrize("at", ["CITATION.cff", "CHANGELOG.md", ".zenodo.json", "0.2.0.json"])
def test_a_release_that_fails_half_way_is_none(clone: Path, monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    def files() -> dict[str, bytes]:
        return {path.relative_to(clone).as_posix(): path.read_bytes() for path in clone.rglob("*") if path.is_file()}

    before, real = files(), Path.replace

    def failing(self: Path, target: Path) -> Path:
        if target.name == at:
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    done = CliRunner().invoke(cli, ["release", "0.2.0", DAY])
    assert done.exit_code == 1 and files() == before


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("2", DAY), "2 is no version"),
        (("0.2.0", "tomorrow"), "tomorrow is no day"),
        (("0.2.0", DAY), "no CHANGELOG.md"),
    ],
)
def test_what_is_no_release_is_refused_and_nothing_is_written(clone: Path, words: tuple[str, str], what: str) -> None:
    if "CHANGELOG" in what:
        (clone / "CHANGELOG.md").unlink()
    done = run(*words)
    assert done.exit_code == 2 and what in done.output
    assert f"version: {__version__}" in (clone / "CITATION.cff").read_text("utf-8")
    assert not (clone / "sources" / RELEASES_FOLDER).exists()


def test_sources_with_a_problem_are_not_released(clone: Path) -> None:
    changed(clone / "sources", "AAA/clauses.yaml", "Q002: 2 ", "Q002: two ")
    done = run("0.2.0", DAY)
    assert done.exit_code == 1 and "Nothing was released." in done.output
    assert not (clone / "sources" / RELEASES_FOLDER).exists()
