"""The fast path as plain Python, while the compiler rests, brings out what it brings out compiled; nobody is warned."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from dataclasses import asdict
from typing import Any

import pytest

from engine.players.preferences import SURVEY_POLICIES
from engine.settlement.settle import Settled, settle
from lab.survey import chunk as work
from lab.survey import reference as readable
from lab.survey.request import EVENTS, SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from rulebook.model import Library
from tests.support.settling import SIGLA

DEALS, SEED = 6, 1785

#: the same, in a process in which nothing is compiled, and a warning is an error
PROGRAM = """
import json
from tests.lab.survey.test_jit_interpreted import found
from lab.survey.jit import INTERPRETED
from lab.survey.play_rules import play_random_deals
from rulebook.load import load_library
print(json.dumps([INTERPRETED, hasattr(play_random_deals, "py_func"), found(load_library()[0])]))
"""


def orders() -> list[SurveyOrder]:
    """A few deals at every table in either manner of playing, priced by the rules of all."""
    tables = tuple(SurveyTable(Rules(own), tuple(map(Rules, SIGLA))) for own in SIGLA)
    return [SurveyOrder(SEED, policy, DEALS, tables) for policy in SURVEY_POLICIES]


def found(library: Library) -> list[Any]:
    """What is counted, every sum of every deal, and the deals themselves."""
    lines: list[Any] = []
    for order in orders():
        lines += [asdict(work.tally_piece(order, library, 0)), work.compute_piece_nets(order, library, 0).tolist()]
        for table in order.tables:
            deals = work.deals_of(order, library, table, range(DEALS))
            lines += [[[*map(sorted, deal.hands)], deal.tricks, [*map(str, deal.exchange)]] for deal in deals]
    return json.loads(json.dumps(lines))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def here(library: Library) -> list[Any]:
    """By default as plain Python too: then a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        return found(library)


@pytest.mark.release  # by default nothing is compiled with which to compare
def test_interpreted_the_fast_path_brings_out_the_same_as_compiled(here: list[Any]) -> None:
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    words = [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == [True, False, here]


@pytest.mark.slow
def test_both_are_what_the_readable_path_brings_out(library: Library, here: list[Any]) -> None:
    lines = iter(here)
    for order in orders():
        expected = readable.tally_by_ledger(
            order, library, lambda t, n, o=order: work.deal_of(o, library, t, n), range(DEALS)
        )
        counted, nets = next(lines), next(lines)
        assert plainly(counted) == plainly(json.loads(json.dumps(asdict(expected))))
        for at, table in enumerate(order.tables):
            own = readable.resolve_table_rules(library, table.rules)
            for number, deal in enumerate(work.deals_of(order, library, table, range(DEALS))):
                theirs = settle(deal, own)
                assert isinstance(theirs, Settled)
                assert nets[number][at] == [theirs.net[one] for one in (*range(SURVEY_SEATS), "pool")]
                assert next(lines)[1] == [[*row] for row in deal.tricks]


def plainly(tally: Any) -> Any:
    """Without the events, which the readable path does not count."""
    return [{**count, "events": [0] * len(EVENTS)} for count in tally["tables"]]
