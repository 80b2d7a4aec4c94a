"""Ids live for ever: what was published is there, or a tombstone tells what became of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.checks.ids import (
    a_tombstone_tells_what_became_of_it,
    every_id_is_registered,
    no_id_vanishes_without_a_tombstone,
    what_prose_names_is_there,
)
from rulebook.checks.registry import read_registered_ids, register_new_ids
from rulebook.load import load_library
from rulebook.problems import NotInOrder, Problem
from rulebook.program_name import name_command
from rulebook.sources.assemble import assemble_library
from rulebook.sources.paths import digest_sources, find_sources
from rulebook.sources.published_ids import PUBLISHED, iter_published_ids
from tests.support.library import assembled, changed, place, write_library

A, REGISTRY, TOMBS = "AAA/clauses.yaml", "registry.yaml", "tombstones.yaml"
RIVAL = """\
  rivals:
    - id: AAA.i01
      label: the first alone
      answers: {Q003: [1]}
      because: The last may be advice.
"""
STONE = "- {id: AAA.i01, on: '2025-01-31', why: It was the same as AAA.o01., see: [AAA.o01]}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_library(tmp_path)
    (root / "glossary.yaml").write_text("- {id: g-toll, term: toll}\n", encoding="utf-8")
    return root


@pytest.fixture
def registered(root: Path) -> Path:
    register_new_ids(root)
    return root


def without_the_rival(root: Path) -> None:
    changed(root, A, RIVAL, "")
    changed(root, A, "status: ambiguous", "status: stated")


def stone(root: Path, text: str) -> list[Problem]:
    (root / TOMBS).write_text(text, encoding="utf-8")
    return list(a_tombstone_tells_what_became_of_it(assembled(root)))


def test_prose_names_what_there_is_or_was(root: Path) -> None:
    """What was withdrawn may be named, for its tombstone says where it went; what never was may not."""
    changed(root, A, "because: Both are named.", "because: AAA.c009 names both.")
    assert not list(what_prose_names_is_there(assembled(root)))  # without a registry nobody can tell
    register_new_ids(root)
    what, way_out = "AAA.c002 names AAA.c009, which is not there", "did you mean AAA.c001 or AAA.c002?"
    (problem,) = what_prose_names_is_there(assembled(root))
    assert problem == Problem(*place(root, A, "AAA.c009 names"), what, way_out)
    (root / TOMBS).write_text(STONE.replace("AAA.i01", "AAA.c009"), encoding="utf-8")
    assert not list(what_prose_names_is_there(assembled(root)))


def test_a_draft_may_name_what_it_has_itself(root: Path) -> None:
    """Its ids are not in the registry yet, and no other source may name them; its own reasons may."""
    changed(root, A, "because: Both are named.", "because: AAA.c002 and AAA.i01 say so.")
    register_new_ids(root)
    changed(root, "AAA/source.yaml", "images_seen: false", "images_seen: false\ndraft: true")
    assert not list(what_prose_names_is_there(assembled(root)))
    changed(root, A, "AAA.i01 say", "AAA.i09 say")
    assert ["AAA.i09" in one.what for one in what_prose_names_is_there(assembled(root))] == [True]


def test_the_deals_of_a_draft_are_not_published_with_it(root: Path) -> None:
    assert {"one", "two"} == {id for kind, id, _ in iter_published_ids(assembled(root)) if kind == "deals"}
    changed(root, "AAA/source.yaml", "images_seen: false", "images_seen: false\ndraft: true")
    assert {"two"} == {id for kind, id, _ in iter_published_ids(assembled(root)) if kind == "deals"}


def test_the_registry_has_everything_that_a_reader_may_point_to(registered: Path) -> None:
    assert read_registered_ids(registered / REGISTRY) == {
        "questions": ["Q001", "Q002", "Q003"],
        "sentences": ["AAA.s0001", "AAA.s0002", "AAA.s0003"],
        "statements": ["BBB.n01", "BBB.n02"],
        "clauses": ["AAA.c001", "AAA.c002", "BBB.c001", "BBB.c002", "BBB.c003"],
        "alternatives": ["AAA.i01", "AAA.o01"],
        "emendations": ["AAA.e01"],
        "notes": ["AAA.note01", "BBB.note01"],
        "printed numbers": [],
        "terms": ["g-toll"],
        "deals": ["one", "two"],
        "sessions": [],
    }
    assert load_library(registered)[1] == []


def test_a_new_id_must_be_registered(registered: Path) -> None:
    changed(registered, A, "id: AAA.i01", "id: AAA.i02")
    (problem,) = every_id_is_registered(assembled(registered))
    assert (problem.file, problem.line) == (f"sources/{A}", place(registered, A, "id: AAA.i02")[1])
    assert (problem.what, problem.way_out) == (
        "AAA.i02 is not in the registry of ids",
        f"run {name_command('check --update')}",
    )


def test_a_new_deal_must_be_registered(registered: Path) -> None:
    (registered / "deals" / "three.yaml").write_text("deal: three\n", encoding="utf-8")
    (problem,) = every_id_is_registered(assembled(registered))
    assert (problem.file, problem.what) == ("sources/deals/three.yaml", "three is not in the registry of ids")
    assert register_new_ids(registered) == ["three"]


def test_what_a_source_has_new_is_told_at_once_with_its_deals(registered: Path) -> None:
    deals = registered / "AAA" / "deals"
    deals.mkdir(exist_ok=True)
    for number in range(6):
        (deals / f"new-{number}.yaml").write_text(f"deal: new-{number}\n", encoding="utf-8")
    (problem,) = every_id_is_registered(assembled(registered))
    assert problem.what == "AAA is no draft, and 6 of its ids, such as new-0, are not in the registry"


@pytest.mark.parametrize(
    ("name", "old", "new", "gone"),
    [
        ("AAA/notes.yaml", "AAA.note01", "AAA.note02", "AAA.note01"),
        ("AAA/text.xml", "AAA.e01", "AAA.e02", "AAA.e01"),
        ("BBB/statements.yaml", "BBB.n02", "BBB.n03", "BBB.n02"),
        ("glossary.yaml", "g-toll", "g-tax", "g-toll"),
        ("questions/10.yaml", "Q003", "Q004", "Q003"),
        (A, "AAA.o01", "AAA.o02", "AAA.o01"),
    ],
)
def test_an_id_cannot_vanish(registered: Path, name: str, old: str, new: str, gone: str) -> None:
    changed(registered, name, old, new)
    case, _ = assemble_library(registered)
    assert case is not None
    if not case.lost:  # where the rest can still be read
        (problem,) = no_id_vanishes_without_a_tombstone(case)
        assert (problem.file, problem.line, problem.column) == place(registered, REGISTRY, gone)
        assert problem.what == f"{gone} was published and is gone"
    assert any(gone in one.what or gone.partition(".")[2] in one.what for one in load_library(registered)[1])


def test_a_deal_cannot_vanish(registered: Path) -> None:
    (registered / "AAA/deals/one.yaml").unlink()
    (problem,) = no_id_vanishes_without_a_tombstone(assembled(registered))
    assert problem.what == "one was published and is gone"


def test_registering_never_takes_an_id_out(registered: Path) -> None:
    without_the_rival(registered)
    assert register_new_ids(registered) == []
    assert "AAA.i01" in read_registered_ids(registered / REGISTRY)["alternatives"]
    (problem,) = load_library(registered)[1]
    assert problem.what == "AAA.i01 was published and is gone"


def test_a_tombstone_tells_what_became_of_an_id(registered: Path) -> None:
    without_the_rival(registered)
    assert stone(registered, STONE) == []
    assert load_library(registered)[1] == []


@pytest.mark.parametrize(
    ("old", "new", "what", "way_out"),
    [
        ("AAA.i01,", "AAA.o01,", "AAA.o01 has a tombstone and is there", "take the tombstone out"),
        ("AAA.i01,", "AAA.i10,", "AAA.i10 was never published", "did you mean AAA.i01?"),
        ("2025-01-31", "lately", "AAA.i01: 'lately' is no day", "write it like 2025-01-31"),
        ("It was the same as AAA.o01.", "''", "AAA.i01: no reason is given", "say why it is gone"),
        ("[AAA.o01]", "[AAA.o11]", "AAA.i01: see AAA.o11, which there is not", "did you mean AAA.o01?"),
    ],
)
def test_a_tombstone_is_well_made(registered: Path, old: str, new: str, what: str, way_out: str) -> None:
    without_the_rival(registered)
    (problem,) = stone(registered, STONE.replace(old, new))
    assert (problem.file, problem.what, problem.way_out) == (f"sources/{TOMBS}", what, way_out)


@pytest.mark.parametrize("name", [REGISTRY, TOMBS, "glossary.yaml"])
def test_the_copy_on_the_shelf_is_no_older_than_the_registry(registered: Path, name: str) -> None:
    (registered / TOMBS).write_text("[]\n", encoding="utf-8")
    before = digest_sources(registered)
    (registered / name).write_text((registered / name).read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert digest_sources(registered) != before


def test_what_cannot_be_read_is_not_registered(root: Path) -> None:
    (root / REGISTRY).write_text("- AAA.c001\n", encoding="utf-8")
    assert [one.what for one in load_library(root)[1]] == ["is no table"]
    with pytest.raises(NotInOrder):
        register_new_ids(root)
    (root / REGISTRY).unlink()
    changed(root, A, "Q002: 2 ", "Q002: two ")
    changed(root, A, "coder: ed1\n- id: AAA.c002", "codr: ed1\n- id: AAA.c002")
    with pytest.raises(NotInOrder):
        register_new_ids(root)
    assert not (root / REGISTRY).exists()


@pytest.mark.slow
def test_the_real_sources_are_registered_and_nothing_is_lost() -> None:
    case, _ = assemble_library(find_sources())
    assert case is not None and case.registry.begun
    assert list(every_id_is_registered(case)) == []
    assert list(no_id_vanishes_without_a_tombstone(case)) == []
    assert list(a_tombstone_tells_what_became_of_it(case)) == []
    assert {kind for kind, _, _ in iter_published_ids(case)} == set(PUBLISHED)
