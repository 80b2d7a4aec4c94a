"""Sums supplied from a source with another counter: what goes into the basket keeps its proportion to the basket."""

from __future__ import annotations

import pytest

from tests.support.settling import Rules

INTO_THE_BASKET = ("revoke.fine", "out-of-turn.fine", "misdeal.redemption", "misdeal.late-fine", "stake.dealer-adds")


@pytest.mark.parametrize("source", ("PIE", "MEY"))
@pytest.mark.parametrize("slug", INTO_THE_BASKET)
def test_a_fine_from_pam_is_as_large_a_part_of_the_basket_in_the_counters_of_pie_and_mey(
    rules: Rules, source: str, slug: str
) -> None:
    own, lender = (rules(siglum).rulings for siglum in (source, "PAM"))
    basket = "stake.first.total"
    assert own[slug].value * lender[basket].value == lender[slug].value * own[basket].value  # type: ignore[operator]


def test_pie_fines_are_one_and_two_marken_beside_a_basket_of_nine(rules: Rules) -> None:
    own = rules("PIE").rulings
    assert [own[slug].value for slug in ("stake.first.total", *INTO_THE_BASKET)] == [9, 2, 1, 1, 4, 1]
