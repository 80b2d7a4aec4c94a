"""What is summed up of the effect that another ruleset has on play."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from proofs import regret
from proofs.regret import MeasuredPiece, measure_effects, sum_up_effect
from reversis.files.play_effects import (
    CLOSE,
    MONEY,
    MONEY_DEALS,
    MONEY_MARGIN,
    MOVING_DEALS,
    REGRET_MARGIN,
    list_effects_that_matter,
)


def test_regret_is_told_a_player_and_deal_and_money_only_of_deals_that_are_settled() -> None:
    nan = float("nan")
    one = {"choices": [10.0, 10.0], "changed": [1.0, 0.0], "regret": [8.0, 0.0], "moved": [6.0, nan]}
    other = {"choices": [20.0], "changed": [1.0], "regret": [4.0], "moved": [2.0]}
    found = sum_up_effect([(one, None), (other, None)])
    assert found["deals"] == 3
    assert found["money moved"] == 4.0
    assert found["other cards of 100"] == 5.0
    assert found["regret"] == 1.0
    assert found["give or take"] == 0.924


def test_money_says_on_how_many_deals_it_rests_in_how_many_any_moves_and_how_sure_it_is() -> None:
    nan = float("nan")
    part = {"choices": [1.0] * 4, "changed": [0.0] * 4, "regret": [0.0] * 4, "moved": [6.0, 0.0, 0.0, nan]}
    found = sum_up_effect([(part, None)])
    assert (found[MONEY_DEALS], found[MOVING_DEALS], found[MONEY], found[MONEY_MARGIN]) == (3, 1, 2.0, 3.201)


def test_where_no_deal_is_settled_by_the_other_rules_no_money_is_told() -> None:
    part = {"choices": [1.0], "changed": [0.0], "regret": [0.0], "moved": [float("nan")]}
    assert "money moved" not in sum_up_effect([(part, None)])


def test_an_effect_matters_that_surely_costs_or_moves_money_in_the_upper_third() -> None:
    lines = [
        {"regret": 0.5, REGRET_MARGIN: 0.4, MONEY: 0.0},  # surely costs
        {"regret": 0.3, REGRET_MARGIN: 0.4, MONEY: 9.0},  # the greatest of five sums
        {"regret": 0.3, REGRET_MARGIN: 0.4, MONEY: 5.0},
        {"regret": 0.3, REGRET_MARGIN: 0.4, MONEY: 1.0},
        {"regret": 0.3, REGRET_MARGIN: 0.4},  # no deal is settled by these rules
        {"regret": 0.0, REGRET_MARGIN: 0.0, MONEY: 0.0},
    ]
    assert list_effects_that_matter(lines) == [0, 1]
    assert list_effects_that_matter(lines[4:]) == []


def make_part(values: list[float], money: float) -> dict[str, list[float]]:
    n = len(values)
    return {"choices": [33.0] * n, "changed": [1.0] * n, "regret": values, "moved": [money] * n}


def test_only_what_matters_is_measured_further_and_no_longer_than_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, range]] = []

    def pieces(_own: object, _company: object, others: Any, deals: range, _worlds: int) -> Iterator[MeasuredPiece]:
        asked.append((len(others), deals))
        n = len(deals)
        swing = [8.0, 0.0] * (n // 2)  # 1 a player and deal, and known within 0.1 only after some hundred deals
        parts = {"wide": make_part(swing, 9.0), "calm": make_part([0.0] * n, 0.0)}
        yield MeasuredPiece(tuple(parts[one] for one in others), (None,) * len(others), {str(deals.start): {}})

    monkeypatch.setattr(regret, "iter_pieces", pieces)
    monkeypatch.setattr(regret, "make_company", lambda *_: None)
    plan: Any = SimpleNamespace(rules="X", table=SimpleNamespace(others=("calm", "wide", "calm")))
    found, records = measure_effects(None, plan, (64, 10_000), 64, 1)  # type: ignore[arg-type]
    assert [sum(len(part["regret"]) for part, _ in one) for one in found] == [64, 448, 64]
    assert asked[0] == (3, range(64)) and {number for number, _ in asked[1:]} == {1}
    assert sum_up_effect(found[1])[REGRET_MARGIN] <= CLOSE < sum_up_effect(found[1][:-1])[REGRET_MARGIN]
    assert len(records) == len(asked)
    found, _ = measure_effects(None, plan, (64, 64), 64, 1)  # type: ignore[arg-type]
    assert [len(one) for one in found] == [1, 1, 1]


def test_what_stays_wide_is_measured_on_the_most_deals_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def pieces(_own: object, _company: object, others: Any, deals: range, _worlds: int) -> Iterator[MeasuredPiece]:
        part = make_part([800.0, 0.0] * (len(deals) // 2), 9.0)
        yield MeasuredPiece((part,) * len(others), (None,) * len(others), {})

    monkeypatch.setattr(regret, "iter_pieces", pieces)
    monkeypatch.setattr(regret, "make_company", lambda *_: None)
    plan: Any = SimpleNamespace(rules="X", table=SimpleNamespace(others=("one",)))
    (found,), _ = measure_effects(None, plan, (64, 300), 64, 1)  # type: ignore[arg-type]
    assert sum_up_effect(found)["deals"] == 300
