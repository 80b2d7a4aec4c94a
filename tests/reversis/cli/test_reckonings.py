"""How the sums of a ledger come about, beside them: what `explain` reckons, and always to the sum that is paid."""

from __future__ import annotations

import re
from math import prod

import pytest

from engine.deal.model import Deal
from engine.settlement.settle import Settled, settle
from reversis.cli.reckonings import list_reckonings
from reversis.words.deal_views import view_settlements
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.support.commands import cache, run, said
from tests.support.settling import SIGLA

__all__ = ["cache"]  # the fixture, for these tests too


@pytest.mark.slow
@pytest.mark.parametrize("source", SIGLA)
def test_what_is_told_beside_a_sum_comes_to_it(library: Library, sampled_deals: tuple[Deal, ...], source: str) -> None:
    rules, told = resolve(library, source), 0
    for deal in sampled_deals:
        settled = settle(deal, rules)
        if not isinstance(settled, Settled):
            continue
        (ledger,) = view_settlements(library, deal, [settled]).ledgers
        sums = list_reckonings(library, ledger, settled)
        for entry, some in zip(ledger.entries, sums, strict=True):
            for posting, words in zip(entry.postings, some, strict=True):
                told += bool(words)
                assert comes_to(words, posting.amount), (deal.id, entry.sentence, posting, words)
    assert told > 5


def comes_to(words: str, amount: int) -> bool:
    """Whether every part of what is told comes to a sum, multiplied as the first part says."""
    factors, _, rest = words.partition("; ")
    if not factors.startswith("= "):
        factors, rest = "", words
    numbers = [int(one) for one in re.findall(r"\d+", re.sub(r"\(.*?\)", "", factors))]
    base = numbers[0] if numbers else amount
    if numbers and prod(numbers) != amount:
        return False
    if half := re.fullmatch(r"half of (\d+)", rest):
        return amount in (int(half[1]) // 2, (int(half[1]) + 1) // 2)
    parts = re.findall(r" (\d+)|^(\d+) points", rest.partition(" in ")[0])
    return not rest or sum(int(one or other) for one, other in parts) == base


def test_run_tells_the_factors_below_each_sum() -> None:
    text = said("run", "pam-quinola-forced-side-last", "-s", "PAM")
    for words in (
        "east to west: 20",
        "= 5 × 2 (they sit opposite) × 2",
        "south to north: 24",
        "= 12 × 2 (they sit opposite)",
        "the talon: AC 4, AH 4, 4 added",
    ):
        assert words in text
    assert "they sit opposite" not in said("run", "pam-quinola-forced-side-last")


@pytest.mark.slow
def test_play_tells_the_factors_beside_each_sum(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    seats = ("--south", "cautious", "--east", "random", "--north", "random", "--west", "random")
    lines = run("play", "-s", "HOY", "--seed", "4", *seats).stdout.splitlines()
    forced = "south to north: 12 = 6 × 2 (they sit opposite); east to north: 6; west to north: 6 ("
    assert any(forced in line for line in lines)
    assert any("east to south: 9 (the talon: AC 4, JS 1, 4 added) (" in line for line in lines)
    lines = run("play", "-s", "GER", "--seed", "4", *seats).stdout.splitlines()
    assert any("west to south: 7 (half of 14); north to south: 7 (half of 14) (" in line for line in lines)
    assert any("west to south: 18 (18 points in west's tricks) (" in line for line in lines)
