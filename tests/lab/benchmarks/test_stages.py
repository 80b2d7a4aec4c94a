"""The benchmarks of stages and of settling: that shares add up, and that what is measured is settled."""

from __future__ import annotations

import pytest

from benchmarks.stages import measure_readable_parts, measure_survey_stages
from engine.generation.deal import random_deal
from rulebook.model import Library
from rulebook.resolve import rules


@pytest.mark.release
@pytest.mark.parametrize("policy", ["random", "cautious"])
def test_the_stages_of_a_survey_add_up(library: Library, policy: str) -> None:
    pace, shares = measure_survey_stages(library, policy, 2_000)
    assert pace > 0 and list(shares) == ["dealing, exchange and play", "payments", "counting"]
    assert sum(shares.values()) == pytest.approx(100) and min(shares.values()) > 0


def test_the_parts_of_settling_add_up_and_name_the_engine(library: Library) -> None:
    ruleset = rules(library, "PAM")
    parts = measure_readable_parts(ruleset, [random_deal(ruleset, seed) for seed in range(3)])
    assert sum(parts.values()) == pytest.approx(100)
    assert {"engine/play/replay", "engine/settlement/settle", "Python's own functions"} <= {*parts}


def test_the_speed_of_settling_is_measured_on_deals_that_settle() -> None:
    from benchmarks.test_speed import at_hand, settle_all  # which reads the library as soon as it is imported

    ruleset, deals = at_hand("PAM")
    assert settle_all(ruleset, deals[:5]) == 5
