"""However many edits came one after another, the edition is what a clean build makes of the last of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from edition.corpus.load import read_corpus_checked
from edition.site.build import build_html
from edition.site.domain import fingerprint_view
from edition.site.stubs import generate_stub_pages, parse_stub_page
from rulebook.io.files import replace_file
from rulebook.reads import record_reads
from rulebook.sources.paths import find_sources
from tests.support.killing import seen
from tests.support.library import changed, corpus_of, write_three_sources
from tests.support.pages import ALL_VIEWS

#: File, words and what takes their place; the first is what once left an old quotation on a page. Empty: the file goes.
EDITS = (
    ("AAA/clauses.yaml", 'exact: "Celui qui mene reçoit deux', 'exact: "mene reçoit deux'),
    ("AAA/notes.yaml", "A letter is missing.", "One letter is missing."),
    ("questions/10.yaml", "asks: In which tricks is it paid?", "asks: Which tricks cost the toll?"),
    ("BBB/source.yaml", "short_name: Tolls BBB", "short_name: Ferries"),
    *((f"CCC/{name}", "", "") for name in ("clauses.yaml", "notes.yaml", "statements.yaml", "source.yaml")),
)


def write_pages(hand: Path, root: Path) -> Path:
    """Write a page for every kind of view that shows something of this library without being asked for a thing."""
    corpus = corpus_of(root)
    hand.mkdir()
    (hand / "index.md").write_text("# Home\n\n```{toctree}\n:hidden:\n:glob:\n\nsources/*\n```\n", encoding="utf-8")
    elsewhere = "".join(words for _, words in generate_stub_pages(corpus))
    shown = [kind for kind in ALL_VIEWS if f"{{edition:{kind}}}" not in elsewhere and can_be_shown(corpus, kind)]
    assert len(shown) > 30, shown
    for kind in {*shown, "rights", "people", "reading", "answers", "bibliography"}:
        words = f"```{{edition:{kind}}}\n```\n" if kind in shown else ""
        (hand / f"{kind}.md").write_text(f"---\norphan: true\n---\n# {kind}\n\n{words}", encoding="utf-8")
    return hand


def can_be_shown(corpus: object, kind: str) -> bool:
    try:
        ALL_VIEWS[kind](corpus, "")  # type: ignore[arg-type]
    except (KeyError, StopIteration, ValueError, IndexError):
        return False
    return True


def differing(path: Path, other: Path) -> list[str]:
    """Names of the files that are not in both of two folders, or not the same."""
    first, second = seen(path), seen(other)
    return sorted(name for name in {*first, *second} if first.get(name) != second.get(name))


@pytest.mark.slow
def test_edits_one_after_another_leave_what_a_clean_build_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edition.site.build.sync_tree", lambda folder: None)  # which waits for everybody's files
    root = write_three_sources(tmp_path)
    hand, out = write_pages(tmp_path / "hand", root), tmp_path / "html"
    assert build_html(out, False, "1", root, hand) == 0
    assert (out / "downloads" / "annotations" / "CCC.jsonld").exists() and "CCC" in (out / "index.html").read_text(
        encoding="utf-8"
    )
    for name, old, new in EDITS:
        if old:
            changed(root, name, old, new)
        else:
            (root / name).unlink()
            if any((root / "CCC").iterdir()):
                continue
        assert build_html(out, False, "1", root, hand) == 0, (name, new)
    assert build_html(tmp_path / "clean", False, "1", root, hand) == 0
    assert not differing(out, tmp_path / "clean")
    assert not any("CCC" in path.name for path in out.rglob("*"))
    (hand / "rights.md").unlink()
    (hand / "people.md").write_text("---\norphan: true\n---\n# Others\n", encoding="utf-8")
    for folder in ("html", "anew"):
        assert build_html(tmp_path / folder, False, "1", root, hand) == 0
    assert not differing(out, tmp_path / "anew")


@pytest.mark.slow
def test_after_an_edit_of_words_only_pages_are_written_that_read_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("edition.site.build.sync_tree", lambda folder: None)
    root = write_three_sources(tmp_path)
    hand, out = write_pages(tmp_path / "hand", root), tmp_path / "html"
    assert build_html(out, False, "1", root, hand) == 0
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.html")}
    changed(root, "AAA/clauses.yaml", "because: Both are named.", "because: Both stand there.")
    assert build_html(out, False, "1", root, hand) == 0
    assert "words are read when" not in capfd.readouterr().err
    written = {path.relative_to(out).as_posix() for path, time in before.items() if path.stat().st_mtime_ns != time}
    assert {"clauses/AAA.html", "questions/Q003.html", "index.html"} <= written
    assert not written & {"clauses/BBB.html", "questions/Q001.html", "sources/CCC.html", "glossary.html"}


@pytest.mark.slow
def test_the_words_a_view_reads_do_not_hang_on_what_was_viewed_before(tmp_path: Path) -> None:
    root = write_three_sources(tmp_path)
    views = [view for words in dict(generate_stub_pages(corpus_of(root))).values() if (view := parse_stub_page(words))]
    views += [({}, kind, "") for kind in ALL_VIEWS if can_be_shown(corpus_of(root), kind)]
    assert len(views) > 40
    read = []
    for order in (views, views[::-1]):
        corpus, seen_words = corpus_of(root), {}
        for _, kind, argument in order:
            with record_reads() as words:
                fingerprint_view(ALL_VIEWS[kind](corpus, argument))
            seen_words[kind, argument] = words
        read.append(seen_words)
    assert read[0] == read[1]
    assert read[0]["question", "Q001"] > {("AAA.c001", "because")}


# ---- the whole, by night
NIGHTLY_EDITS = 200
_WORDED = ("because", "label", "text", "title", "note", "asks", "introduction", "computation", "searched")


def list_edits(root: Path, random: Random) -> Iterator[tuple[Path, str, str]]:
    """Yield edits of one line, by lot, whether or not the sources would still be in order."""
    files = sorted(path for path in root.rglob("*.yaml") if "schema" not in path.parts)
    while True:
        path = random.choice(files)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        at = random.randrange(len(lines)) if lines else 0
        key, _, value = lines[at].lstrip("- ").partition(": ") if lines else ("", "", "")
        value = value.rstrip("\n")
        other = {
            "exact": f'"{value[1:].partition(" ")[2]}' if " " in value[1:-1] and value[0] == '"' else "",
            "cert": random.choice(("high", "medium", "low")),
            **dict.fromkeys(
                _WORDED, f"{value[:-1]} indeed{value[-1]}" if value[-1:] in ("'", '"') else f"{value} indeed"
            ),
        }.get(key, "")
        if value and other not in ("", value):
            yield path, "".join(lines), "".join([*lines[:at], lines[at].replace(value, other, 1), *lines[at + 1 :]])


@pytest.mark.nightly
def test_two_hundred_edits_of_the_whole_leave_what_a_clean_build_makes(tmp_path: Path) -> None:
    root, random, done = tmp_path / "sources", Random(38), 0
    shutil.copytree(find_sources(), root)
    for path, before, after in list_edits(root, random):
        replace_file(path, after)
        corpus, problems = read_corpus_checked(root)
        if corpus is None or problems:
            replace_file(path, before)
            continue
        assert build_html(tmp_path / "html", sources=root, corpus=corpus) == 0
        done += 1
        if done == NIGHTLY_EDITS:
            break
    assert build_html(tmp_path / "clean", sources=root) == 0
    assert not differing(tmp_path / "html", tmp_path / "clean")
