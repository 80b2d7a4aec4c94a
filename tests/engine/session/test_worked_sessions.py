"""Every worked session can be read, comes to what was worked out by hand, and is told in the published form."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.session.record import read_sitting
from engine.session.result_json import SESSION_SCHEMA, SEVERAL_POOLS_SESSION_SCHEMA, session_result
from reversis.files.deals import find_session_paths
from reversis.files.sessions import (
    SittingRecord,
    find_unmet_figures,
    play_worked_session,
    read_session,
    worked_sessions,
)
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from rulebook.resolve import resolve
from rulebook.sources.paths import SESSION_FILE_PATTERNS, find_files, find_sources
from tests.engine.test_worked_deals import SUM
from tests.support.schemas import validator
from tests.support.settling import SIGLA
from tests.support.tiers import sample

ROOT = find_sources()
PATHS = find_files(ROOT, SESSION_FILE_PATTERNS)
#: "south -15 +2 = -13": how a player stood, what came to it, how he stands
TALLY = re.compile(r"\b([a-z]+) (-?\d+(?: [+-]\d+)+) = (-?\d+)")

every_session = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def rooted(library: Library) -> Library:
    return replace(library, root=str(ROOT))


def raw(path: Path) -> dict[str, Any]:
    data, _, problems = read_yaml(path, path.name)
    assert not problems and isinstance(data, dict)
    return data


def record(rooted: Library, path: Path) -> SittingRecord:
    return read_session(rooted, path.stem)


def test_every_source_has_a_worked_session(rooted: Library) -> None:
    assert {path.stem for path in PATHS} == set(find_session_paths(rooted))
    assert {siglum for path in PATHS for siglum in raw(path)["expect"]} == set(SIGLA)


def test_the_worked_sessions_are_in_order(rooted: Library) -> None:
    assert [problem for session in worked_sessions(rooted) for problem in session.problems] == []


@every_session
def test_a_worked_session_comes_to_what_is_expected(rooted: Library, path: Path) -> None:
    found = record(rooted, path)
    assert found.sitting is not None
    for siglum, expected in found.sitting.expect.items():
        assert isinstance(expected, dict) and len(expected["after"]) == len(found.deals)
        assert (
            find_unmet_figures(
                found.sitting, siglum, play_worked_session(found.sitting, found.deals, resolve(rooted, siglum))
            )
            == ()
        )


def test_a_figure_that_does_not_come_out_is_told(rooted: Library) -> None:
    found = record(rooted, PATHS[0])
    assert found.sitting is not None
    siglum = next(iter(found.sitting.expect))
    expect = json.loads(json.dumps(found.sitting.expect[siglum], default=dict))
    rival = found.sitting.seats[-1]
    expect["after"][1]["accounts"][rival] += 1
    wrong = replace(found.sitting, expect={siglum: expect})
    unmet_figures = find_unmet_figures(wrong, siglum, play_worked_session(wrong, found.deals, resolve(rooted, siglum)))
    assert [figure.what for figure in unmet_figures] == [f"after 2 accounts {rival}"]


@every_session
def test_the_expected_accounts_come_to_nought_with_the_pool(path: Path) -> None:
    for expected in raw(path)["expect"].values():
        for one in expected["after"]:
            assert sum(one["accounts"].values()) == 0
            pools = [one["pool"], *one["pool"].get("others", {}).values()]
            assert one["accounts"]["pool"] == sum(pool["stake"] + sum(pool["waiting"]) for pool in pools)


@every_session
def test_the_sums_in_a_reasoning_add_up_and_come_to_what_is_expected(path: Path) -> None:
    for expected in raw(path)["expect"].values():
        words = " ".join(expected["reasoning"].split())
        for terms, total in SUM.findall(words):
            assert sum(int(term.replace(" ", "")) for term in re.findall(r"[+-]? ?\d+", terms)) == int(total), terms
        standing = dict.fromkeys(raw(path)["seats"], 0)
        deals = re.split(r"(?:First|Second|Third|Fourth|Fifth|Sixth) deal", words)[1:]
        assert len(deals) == len(expected["after"])
        for part, one in zip(deals, expected["after"], strict=True):
            tallies = [t for t in TALLY.findall(part) if t[0] in standing]
            assert tallies
            for seat, terms, total in tallies:
                assert sum(map(int, terms.split())) == int(total), f"{seat} {terms}"
                standing[seat] = int(total)
            assert {**standing, "pool": one["accounts"]["pool"]} == one["accounts"]


# ---- in the form that is published
@every_session
def test_the_record_agrees_with_the_schema(path: Path) -> None:
    assert read_sitting(raw(path))[1] == list(validator("session").iter_errors(raw(path))) == []


@pytest.mark.slow
@every_session
@pytest.mark.parametrize("siglum", sample(SIGLA, 3))
def test_every_result_agrees_with_its_schema(rooted: Library, path: Path, siglum: str) -> None:
    found = record(rooted, path)
    assert found.sitting is not None
    check: Draft202012Validator = validator("session-result")
    for wish in ((), ("stake.dealer-included=not-included",), ("Q176=in-its-turn",), ("Q112=shared",)):
        from rulebook.resolve import read_choice

        ruleset = resolve(rooted, siglum, [read_choice(rooted, text) for text in wish])
        steps = play_worked_session(found.sitting, found.deals, ruleset)
        told = json.loads(json.dumps(session_result(found.sitting.id, ruleset, steps)))
        assert [error.message for error in check.iter_errors(told)] == []
        several = "others" in told["pool"]
        assert told["schema"] == (SEVERAL_POOLS_SESSION_SCHEMA if several else SESSION_SCHEMA)
        assert sum(told["accounts"].values()) == 0


# ---- faults of a record
@pytest.mark.parametrize(
    ("wrong", "told", "way_out"),
    [
        ({"seats": ["a", "b", "c"]}, "four or five", "pool is reserved"),
        ({"dealer": "sout"}, "no seat 'sout'", "south"),
        ({"daels": []}, "unknown key 'daels'", "deals"),
        ({"deals": []}, "deals must be a list", "ids of worked deals"),
        ({"deals": "one"}, "deals must be a list", "ids of worked deals"),
        ({"expect": 3}, "expect must be a table", "siglum"),
        ({"provenance": "constucted"}, "unknown provenance", "constructed"),
    ],
)
def test_a_faulty_record_is_told_with_the_way_out(wrong: dict[str, object], told: str, way_out: str) -> None:
    sitting, problems = read_sitting(raw(PATHS[0]) | wrong)
    assert sitting is None and len(problems) == 1
    assert told in problems[0].what and way_out in problems[0].way_out


def test_all_faults_of_a_record_are_told_at_once() -> None:
    sitting, problems = read_sitting({"provenance": "x", "colour": "red"})
    assert sitting is None and len(problems) == 6
    assert read_sitting([1])[0] is None
    assert list(validator("session").iter_errors({"provenance": "x", "colour": "red"})) != []


# ---- faults of what a record expects
@pytest.mark.parametrize(
    ("expected", "place", "told"),
    [
        ({}, "expect/PAM", "PAM does not tell how all stand after each deal"),
        (["after"], "expect/PAM", "PAM does not tell how all stand after each deal"),
        ({"after": [], "colour": 1}, "expect/PAM/colour", "unknown key 'colour'"),
        ({"after": [{"ante": {}}]}, "expect/PAM/after/0/ante", "unknown key 'ante'"),
        ({"after": [{"pool": 3}]}, "expect/PAM/after/0/pool", "the pool must be a table"),
        ({"after": [{}, {"next_dealer": "sout"}]}, "expect/PAM/after/1/next_dealer", "no seat 'sout'"),
        ({"after": [], "note": 3}, "expect/PAM/note", "3 is no text"),
    ],
)
def test_a_faulty_expectation_is_told_in_its_place(expected: object, place: str, told: str) -> None:
    plain = {"session": "x", "seats": ["south", "east", "north", "west"], "dealer": "west", "deals": ["a"]}
    sitting, problems = read_sitting(plain | {"expect": {"PAM": expected}})
    assert sitting is None and [(problem.file, problem.what) for problem in problems] == [(place, told)]


# ---- the page
def test_the_page_shows_every_account_book_and_where_it_rests(rooted: Library) -> None:
    from edition.corpus.corpus import Corpus
    from reversis.views.deals import sessions

    views = sessions.sessions_view(Corpus(rooted))
    assert [sitting.id for sitting, *_ in views] == [path.stem for path in PATHS]
    for sitting, books, _, reasoning in views:
        assert [book.source.siglum for book in books] == list(rooted.sources) and len(reasoning) == 1
        (own,) = (book for book in books if book.source.siglum in reasoning)
        standing = [line for line in own.lines if line.kind == "standing"]
        expected = raw(ROOT / "sessions" / f"{sitting.id}.yaml")["expect"][own.source.siglum]["after"]
        assert [int(line.table) for line in standing] == [one["accounts"]["pool"] for one in expected]
        assert all(line.clauses for line in own.lines if line.kind == "between")
    text = " ".join(node.astext() for node in sessions.render_sessions(views))
    assert "he stake is renewed by all" in text and "ACA.c930 (our assumption)" in text and "The arithmetic" in text
