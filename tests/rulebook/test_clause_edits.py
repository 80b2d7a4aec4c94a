"""Edits of clauses.yaml: only the lines of the clause change, and the file says just what was meant."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import dropwhile
from typing import Any

import pytest

from rulebook.clause_edits import (
    CannotEdit,
    edit_clauses,
    read_clause_fields,
    take_questions_from,
)
from rulebook.sources.paths import find_sources
from tests.support.settling import SIGLA
from tests.support.tiers import sample

SMALL = """\
# What it says.
- id: INN.c001
  cites:
    - locus: INN.s0001
      exact: "four"  # the number
    - {locus: INN.s0002, exact: "players", role: supports}
  answers:
    Q001: four  # table.players
    Q002: without-tens  # table.pack
  status: stated
  # between two entries
  cert: high
  coder: ed1
  because: >-
    It says so,
    at length.
  rivals:
    - {id: INN.i01, label: five, answers: {Q001: five}, because: perhaps}

# The play
- id: INN.c002
  on: [Q003, Q004]  # a, b
  status: silent
  cert: high
  coder: ed1
  searched: INN.s0001-INN.s0002
"""
NEW = {"id": "INN.c009", "on": ["Q009"], "status": "not-collated", "cert": "low", "coder": "ed1", "because": "x"}


def fields(letters: str, id: str) -> dict[str, Any]:
    return dict(read_clause_fields(letters)[id])


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """What went and what came, line by line."""
    old, new = Counter(before.split("\n")), Counter(after.split("\n"))
    return sorted((old - new).elements()), sorted((new - old).elements())


# ---- one edit
def test_an_entry_that_changes_is_the_only_line_that_changes() -> None:
    after = edit_clauses(SMALL, {"INN.c001": fields(SMALL, "INN.c001") | {"status": "implied"}})
    assert changed_lines(SMALL, after) == (["  status: stated"], ["  status: implied"])


def test_the_remark_behind_an_answer_stays_when_the_answer_changes() -> None:
    one = fields(SMALL, "INN.c001")
    after = edit_clauses(SMALL, {"INN.c001": one | {"answers": one["answers"] | {"Q001": "five"}}})
    assert "    Q001: five  # table.players\n    Q002: without-tens  # table.pack\n" in after


def test_a_second_citation_keeps_its_line_when_the_first_is_replaced() -> None:
    one = fields(SMALL, "INN.c001")
    first = {"locus": "INN.s0009", "exact": "vier: Spieler # 4"}
    after = edit_clauses(SMALL, {"INN.c001": one | {"cites": [first, one["cites"][1]]}})
    assert '    - {locus: INN.s0002, exact: "players", role: supports}\n' in after
    assert "# the number" in after
    assert fields(after, "INN.c001")["cites"][0] == first


def test_prose_of_any_kind_is_read_back_as_it_was_written() -> None:
    for text in (
        "a: b # c",
        "- dash",
        "'q' “w” \"e\"",
        "two\nparagraphs",
        "long " * 60 + "end",
        "007",
        "true",
        "\\n",
        "#",
    ):
        after = edit_clauses(SMALL, {"INN.c001": fields(SMALL, "INN.c001") | {"because": text, "note": text}})
        assert (fields(after, "INN.c001")["because"], fields(after, "INN.c001")["note"]) == (text, text)


def test_a_clause_is_added_behind_another_or_at_the_end() -> None:
    between, last = edit_clauses(SMALL, {}, [("INN.c001", NEW)]), edit_clauses(SMALL, {}, [("", NEW)])
    assert [*read_clause_fields(between)] == ["INN.c001", "INN.c009", "INN.c002"]
    assert [*read_clause_fields(last)] == ["INN.c001", "INN.c002", "INN.c009"]
    assert last.startswith(SMALL) and between.replace(between[between.index("\n- id: INN.c009") :], "") in SMALL
    assert [*read_clause_fields(edit_clauses("# none yet\n[]\n", {}, [("", NEW)]))] == ["INN.c009"]
    assert edit_clauses("# none yet\n", {}, [("", NEW)]).startswith("# none yet\n")


@pytest.mark.parametrize("behind", ["", "INN.c002"])
def test_a_clause_that_grows_ends_before_the_one_that_is_added_behind_it(behind: str) -> None:
    grown = fields(SMALL, "INN.c002") | {"computation": "x", "because": "Not told."}
    after = edit_clauses(SMALL, {"INN.c002": grown}, [(behind, NEW)])
    assert read_clause_fields(after)["INN.c002"] == grown and read_clause_fields(after)["INN.c009"] == NEW


def test_a_question_that_is_split_off_takes_its_remark_along() -> None:
    new = {"id": "INN.c009", "answers": {"Q002": "with"}, "status": "stated", "cert": "low", "coder": "ed1"}
    rest = take_questions_from(fields(SMALL, "INN.c001"), ["Q002"])
    after = edit_clauses(SMALL, {"INN.c001": rest}, [("INN.c001", new)])
    assert fields(after, "INN.c001")["answers"] == {"Q001": "four"}
    assert "  answers: {Q002: with}  # table.pack\n" in after
    assert fields(after, "INN.c001")["rivals"] == fields(SMALL, "INN.c001")["rivals"]


@pytest.mark.parametrize("id", ["INN.c404", ""])
def test_a_clause_that_is_not_there_is_not_edited(id: str) -> None:
    with pytest.raises(CannotEdit, match="there is no clause"):
        edit_clauses(SMALL, {id: None})


def test_what_would_change_something_else_is_refused() -> None:
    with pytest.raises(CannotEdit, match="stands 2 times"):
        edit_clauses(SMALL + SMALL.replace("# What it says.\n", ""), {"INN.c001": None})
    with pytest.raises(CannotEdit, match="in brackets"):
        edit_clauses("[{id: INN.c001}]\n", {}, [("", NEW)])
    with pytest.raises(CannotEdit, match="cannot be seen"):
        edit_clauses(SMALL, {}, [("", NEW | {"because": "a\u200bb"})])


# ---- random edits of all sources
@cache
def letters_of(siglum: str) -> str:
    return (find_sources() / siglum / "clauses.yaml").read_bytes().decode("utf-8")


def excerpt(rng: random.Random, letters: str) -> str:
    """Some forty clauses of a file, with the comments between them, so that a test takes less time."""
    lines = letters.split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith("- id: ")]
    first = rng.randrange(len(starts) - 40)
    some = lines[starts[first] : starts[first + 40]]
    while not some[-1].strip() or some[-1].startswith("#"):  # of the next clause
        some.pop()
    return "\n".join(some) + rng.choice(("", "\n"))


WORDS = ("short", "a: b # c", "word " * 50 + "end", "two\nparas", "“x” 'y' \"z\"", "- dash", "{brace", "ſt — …", "=1+1")
VALUES: tuple[Any, ...] = (5, "word", [1, -1], [], {"AD": 5}, [{"players": 4, "pack": 48}], {"as": "Q032", "times": 2})


def edit_text(rng: random.Random, one: dict[str, Any]) -> dict[str, Any]:
    return one | {rng.choice(("because", "note", "computation", "status", "label")): rng.choice(WORDS)}


def edit_answer(rng: random.Random, one: dict[str, Any]) -> dict[str, Any]:
    if not one.get("answers"):
        return {key: value for key, value in one.items() if key != "on"} | {"answers": {"Q001": rng.choice(VALUES)}}
    return one | {"answers": one["answers"] | {rng.choice([*one["answers"]]): rng.choice(VALUES)}}


def edit_citation(rng: random.Random, one: dict[str, Any]) -> dict[str, Any]:
    new = {"locus": "PAM.s0001", "seen": "sha256:" + "0" * 64, "exact": rng.choice(WORDS), "role": "grounds"}
    old = one.get("cites", [])
    return one | {"cites": rng.choice(([new, *old[1:]], [*old, new], [new]))}


def drop_entry(rng: random.Random, one: dict[str, Any]) -> dict[str, Any]:
    gone = rng.choice([key for key in one if key not in ("id", "status")])
    return {key: value for key, value in one.items() if key != gone}


EDITS = (edit_text, edit_answer, edit_citation, drop_entry)


def make_random_edit(rng: random.Random, before: Mapping[str, Any]) -> tuple[str, dict[str, Any], list[Any]]:
    """The id of a clause, what changes, and what is added behind it."""
    id = rng.choice([*before])
    one = dict(before[id])
    if rng.random() < 0.15:
        return id, {id: None}, []
    if rng.random() < 0.3:
        asked = [*one.get("answers", {}), *one.get("on", [])]
        some = rng.sample(asked, rng.randint(1, len(asked)))
        return id, {id: take_questions_from(one, some)}, [(id, NEW | {"on": some})]
    for _ in range(rng.randint(1, 3)):
        one = rng.choice(EDITS)(rng, one)
    return id, {id: one}, []


def own_lines(letters: str, id: str) -> tuple[int, int]:
    """First line of a clause and the one behind it, by the eye: down to the next dash in the first column."""
    lines = letters.split("\n")
    first = lines.index(f"- id: {id}")
    rest = [at for at in range(first + 1, len(lines)) if lines[at].startswith("- id: ")]
    return first, rest[0] if rest else len(lines)


def comments_of(lines: list[str]) -> list[str]:
    """Lines that are comments and nothing else, in the first column."""
    return [line for line in lines if line.startswith("#")]


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(1000), every=20))
def test_a_random_edit_replaces_only_the_lines_of_its_clause(seed: int) -> None:
    rng = random.Random(seed)
    letters = letters_of(rng.choice(SIGLA))
    letters = letters if seed % 5 == 1 else excerpt(rng, letters)
    before = read_clause_fields(letters)
    id, changed, added = make_random_edit(rng, before)
    after = edit_clauses(letters, changed, added if changed[id] is not None else [("", one) for _, one in added])
    first, end = own_lines(letters, id)
    lines, new = letters.split("\n"), after.split("\n")
    assert new[: max(first - 1, 0)] == lines[: max(first - 1, 0)]
    behind = [*dropwhile(lambda line: not line.startswith("- id: "), lines[end:])]
    while behind and (not behind[-1] or behind[-1].startswith("#")):
        behind.pop()  # remarks behind the last clause, before which others may be added, are counted below
    assert "\n".join(behind) in after, "every byte from the next clause on is still there"
    assert not (Counter(comments_of(lines)) - Counter(comments_of(new)))
    expected = {key: dict(value) for key, value in before.items()}
    expected |= {key: value for key, value in changed.items() if value is not None}
    expected = {key: value for key, value in expected.items() if changed.get(key, {}) is not None}
    assert dict(read_clause_fields(after)) == expected | {str(one["id"]): one for _, one in added}
