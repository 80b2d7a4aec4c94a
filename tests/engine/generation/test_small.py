"""Small edges of small rooms: the record of a session, its result, decisions that hang together, the fewest deals."""

from __future__ import annotations

from itertools import combinations
from random import Random

from engine.comparison.smallest_test_set import (
    choose_class_pairs,
    choose_deals_greedily,
    drop_dominated_deals,
    find_exact_test_set,
    find_smallest_test_set,
)
from engine.session.record import read_sitting
from rulebook.decisions import Decision, list_compatible_ways
from rulebook.model import FrozenMap, Library, Ruling
from tests.support.in_one_test import in_one_test
from tests.support.settling import Rules

SITTING = {"session": "x", "seats": ["a", "b", "c", "d"], "dealer": "b", "deals": ["one", "two"]}


# ---- the record of a session
def told(**keys: object) -> list[str]:
    found, problems = read_sitting({**SITTING, **keys})
    assert found is None
    return [problem.what for problem in problems]


# ---- decisions
def ruling(question: str, value: object) -> Ruling:
    return Ruling(question, question, value, (), "x")  # type: ignore[arg-type]


def choice(clause: str, *answers: dict[str, object]) -> Decision:
    bundles = (FrozenMap(), *(FrozenMap({q: ruling(q, v) for q, v in answer.items()}) for answer in answers))
    return Decision(clause, tuple(f"{clause}.{n}" for n in range(len(bundles))), bundles)


def test_readings_that_exclude_each_other_are_passed_over_and_the_rest_are_tried(
    library: Library, rules: Rules
) -> None:
    one, other = choice("a", {"q": 1}, {"q": 2}), choice("b", {"q": 2})
    found = list(list_compatible_ways(library, rules("PAM"), [one, other], frozenset()))
    assert found == [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)]


# ---- the fewest deals
def brute(told: dict[str, frozenset[tuple[str, str]]]) -> int:
    """How few deals tell apart all that any does, by trying all choices."""
    wanted = frozenset(pair for some in told.values() for pair in some)
    sizes = range(len(told) + 1)
    return next(
        n for n in sizes for some in combinations(told, n) if wanted <= frozenset(p for d in some for p in told[d])
    )


@in_one_test("seed", range(40))
def test_no_fewer_deals_tell_apart_as_much(seed: int) -> None:
    rng = Random(seed)
    pairs = [("r", str(n)) for n in range(rng.randint(3, 12))]
    told = {f"d{n}": frozenset(p for p in pairs if rng.random() < 0.3) for n in range(rng.randint(2, 9))}
    wanted = frozenset(pair for some in told.values() for pair in some)
    found = find_smallest_test_set(told, pairs)
    assert len(found.deals) == brute(told) and found.exact
    assert wanted <= frozenset(p for deal in found.deals for p in told[deal])
    first = choose_deals_greedily(told, wanted)
    assert wanted <= frozenset(p for deal in first for p in told[deal])
    for deal in first:  # without any that is not needed
        assert not wanted <= frozenset(p for one in first if one != deal for p in told[one])
    assert find_exact_test_set(told, wanted, first) == (tuple(find_exact_test_set(told, wanted, first)[0]), True)
    kept = drop_dominated_deals(told, wanted)
    assert not [(a, b) for a, b in combinations(kept, 2) if kept[a] <= kept[b] or kept[b] <= kept[a]]
    assert all(any(told[deal] & wanted <= other for other in kept.values()) for deal in told)
    assert choose_class_pairs(told, wanted) <= wanted


def test_what_was_chosen_first_is_left_out_where_the_rest_does_without_it() -> None:
    a, b, c, d, e, f = (("r", str(n)) for n in range(6))
    told = {"big": frozenset([a, b, c, d]), "left": frozenset([a, b, e]), "right": frozenset([c, d, f])}
    assert choose_deals_greedily(told, frozenset([a, b, c, d, e, f])) == ("right", "left")
