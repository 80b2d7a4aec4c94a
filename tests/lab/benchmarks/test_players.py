"""The benchmark of the players: that it measures every source and counts what it says; how fast is no test."""

from __future__ import annotations

import re

import pytest

from lab.benchmarks.players import main, time_best_round


def test_the_round_that_compiles_does_not_count() -> None:
    seen: list[int] = []
    assert time_best_round(2, lambda: seen.append(1)) >= 0
    assert len(seen) == 3


@pytest.mark.release
def test_every_kind_has_its_figure(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--sources", "PAM", "--deals", "8", "--searched", "1", "--settled", "2", "--rounds", "1"]
    assert main(words) == 0
    told = capsys.readouterr().out
    pattern = r"PAM: net +[\d,]+ deals/s   search 64: [\d.]+ ms a card   readable path +[\d,]+ deals/s\n"
    assert re.fullmatch(pattern, told), told
