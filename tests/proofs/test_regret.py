"""What is summed up of the effect that another ruleset has on play."""

from __future__ import annotations

from proofs.regret import sum_up_effect


def test_regret_is_told_a_player_and_deal_and_money_only_of_deals_that_are_settled() -> None:
    nan = float("nan")
    one = {"choices": [10.0, 10.0], "changed": [1.0, 0.0], "regret": [8.0, 0.0], "moved": [6.0, nan]}
    other = {"choices": [20.0], "changed": [1.0], "regret": [4.0], "moved": [2.0]}
    found = sum_up_effect([one, other])
    assert found["deals"] == 3
    assert found["money moved"] == 4.0
    assert found["other cards of 100"] == 5.0
    assert found["regret"] == 1.0
    assert found["give or take"] == 0.924


def test_where_no_deal_is_settled_by_the_other_rules_no_money_is_told() -> None:
    part = {"choices": [1.0], "changed": [0.0], "regret": [0.0], "moved": [float("nan")]}
    assert "money moved" not in sum_up_effect([part])
