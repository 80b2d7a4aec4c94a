"""The deals of the days: in each the books disagree whether South has won."""

from __future__ import annotations

from reversis.table.days import (
    DAYS,
    DAYS_SOURCE,
    disagree_in_sign,
    list_results,
    play_by_nets,
    read_days,
)
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.reversis.table.test_review import play_game


def test_every_day_has_a_deal_of_its_own() -> None:
    seeds = read_days()
    assert len({*seeds}) == len(seeds) == DAYS and min(seeds) > 0


def test_in_deals_of_days_the_books_disagree_in_sign(library: Library) -> None:
    rulesets = [resolve(library, siglum) for siglum in library.sources]
    own = resolve(library, DAYS_SOURCE)
    for seed in read_days()[::40]:
        results = list_results(rulesets, own, play_by_nets(library, DAYS_SOURCE, seed))
        assert disagree_in_sign([*results.values()]) and DAYS_SOURCE in results, (seed, results)


def test_a_day_is_played_by_nets_as_at_the_table(library: Library) -> None:
    seed = read_days()[0]
    assert play_by_nets(library, DAYS_SOURCE, seed) == play_game(library, DAYS_SOURCE, seed, by_net=True).deal


def test_books_disagree_in_sign_only_where_one_wins_and_another_loses() -> None:
    assert disagree_in_sign([-1, 0, 2]) and not disagree_in_sign([0, 2]) and not disagree_in_sign([])
