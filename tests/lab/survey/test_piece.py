"""The workshop of a survey at its edges: what is done and what is left undone, who is called, how rows and files read.

Most of what is asked for here changes no sum where it is done amiss; so what is called is watched instead.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import FrozenInstanceError, replace
from itertools import count
from pathlib import Path
from stat import S_IMODE
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from pyarrow import parquet as files

from engine.players import preferences as policies
from lab.survey import buffers as played
from lab.survey import chunk as work
from lab.survey import play_rules as lockstep
from lab.survey import play_single as singly
from lab.survey import runner as runs
from lab.survey import table as stored
from lab.survey.buffers import NO_CARD
from lab.survey.encode_rules import PLAY_RULES_WIDTH
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.outcomes import batch, layout
from lab.survey.parquet import build_net_columns, format_json_line, write_survey_parquet
from lab.survey.play_rules import BLOCK
from lab.survey.pricing import PRICED_SETTLED, PRICED_SILENT, FactTables, Priced
from lab.survey.request import EVENTS, UNSETTLED_NET, Rules, SurveyOrder, SurveyTable
from lab.survey.runner import ProcessCrew, SingleProcessCrew, deliver_pieces, make_crew
from lab.survey.table import (
    SurveyRun,
    describe_step_column,
    dump_survey_heading,
    generate_survey_rows,
    name_step_column,
)
from lab.survey.tally import MOVED_STEPS, Count, SurveyTally, Versus
from lab.survey.tariff import OF_OUTCOME
from rulebook.model import Library

PAM, ACA = Rules("PAM"), Rules("ACA")
#: what rules say of the play and the outcome; nobody plays by these, with one privileged card and no gifts
ROW = tuple(0 if at in (Column.ACROSS, Column.FURTHER) else at for at in range(PLAY_RULES_WIDTH))
OF = (1, 2, 3)
TWO = 2  #: deals on the desk
Monkey = pytest.MonkeyPatch


def but(row: tuple[int, ...], at: Column, value: int) -> tuple[int, ...]:
    """The row, and one thing in it otherwise."""
    return (*row[:at], value, *row[at + 1 :])


def order_of(deals: int, size: int, policy: str = policies.RANDOM) -> SurveyOrder:
    return SurveyOrder(1, policy, deals, (), size)


def nothing_done(*given: object) -> None:
    """Stands where deals would be played, or gone through."""


# ---- the play
@pytest.mark.parametrize("policy", policies.SURVEY_POLICIES)
@pytest.mark.parametrize(("asked", "blocks"), [(1, 1), (BLOCK, 1), (BLOCK + 1, 2), (3 * BLOCK - 1, 3)])
def test_no_more_is_played_than_fills_the_last_block(monkeypatch: Monkey, policy: str, asked: int, blocks: int) -> None:
    monkeypatch.setattr(lockstep, "play_random_deals", nothing_done)
    monkeypatch.setattr(singly, "play_deals_by_preference", nothing_done)
    deals = work.play_piece_deals(order_of(asked, asked, policy), np.array(ROW, np.int64), range(7, 7 + asked))
    assert deals.taken.size == blocks * BLOCK


def test_who_wants_one_deal_has_one_dealt(monkeypatch: Monkey, library: Library) -> None:
    wanted: list[range] = []

    def deals_of(order: SurveyOrder, library: Library, table: SurveyTable, numbers: range) -> Sequence[str]:
        wanted.append(numbers)
        return [f"deal {number}" for number in numbers]

    monkeypatch.setattr(work, "deals_of", deals_of)
    assert cast(Any, work.deal_of(order_of(20, 5), library, SurveyTable(PAM), 7)) == "deal 7"
    assert wanted == [range(7, 8)]


def test_an_outcome_has_a_place_for_every_field_and_none_besides(monkeypatch: Monkey) -> None:
    monkeypatch.setattr(batch, "compute_outcomes", nothing_done)
    fields, points = work.TableDeals(played.allocate_deals(TWO), ROW).outcome(ROW, OF)
    assert fields.shape == (TWO, len(OF_OUTCOME)) and points.shape == (TWO, 4)


# ---- what came about
def test_every_card_taken_in_and_every_seat_that_plays_for_the_reversis_is_counted() -> None:
    """Of four deals and one that was not asked for; whose hero the rules leave open has none that is counted."""
    deals, fields = played.allocate_deals(5), np.zeros((5, 13), np.int64)
    for seat, at in ((0, 0), (1, 0), (2, 0), (2, 3), (1, 4)):
        deals.swaps[seat, at], deals.swaps[4 + seat, at] = 3, 5
    deals.swaps[3, :4] = 9  # the dealer lays away, and takes nothing
    fields[:, layout.HERO] = 0, 1, 4, 5, 2
    deals.told[:] = 4, 0, 1, 2, 3
    desk = work.TableDeals(deals, ROW, decided={(ROW, OF, 0): (fields, np.zeros((5, 4), np.int64))})
    found = dict(zip(EVENTS, work.count_survey_events(desk, ROW, OF, 4), strict=True))
    assert {name: found[name] for name in ("exchanges", "reversis-undertaken", "privileged")} == {
        **{"exchanges": 4, "reversis-undertaken": 2, "privileged": 3}
    }


# ---- exchanging
def test_a_card_is_judged_by_the_hand_from_which_it_is_laid_away_not_by_what_is_taken_in_for_it() -> None:
    """A lone king may go though a heart comes in for it; with that heart beside him before he might not."""
    king, two, clubs = 16 + 11, 16, 1 << 48 | 1 << 50
    row = np.array(
        [{Column.MAY_EXCHANGE: 1, Column.EXCEPTIONS: 1}.get(cast(Column, at), 0) for at in range(PLAY_RULES_WIDTH)],
        np.int64,
    )
    hands, swaps = np.zeros((4, 2), np.int64), np.full((8, 2), NO_CARD, np.uint8)
    swaps[0] = king
    swaps[4] = two, 48
    hands[0] = clubs | 1 << two  # in the second deal a club came in, and the two was there before
    assert [bool(singly.is_exchange_legal(row, hands, at, swaps)) for at in range(2)] == [True, False]


# ---- the price
ALL_ROOTS, FEW = ("all of them",), ("those that may differ",)
COMES_TO = {("own", ALL_ROOTS): 100, ("own", FEW): 30, ("new", FEW): 7, ("third", FEW): 9, ("new", ALL_ROOTS): 50}


class Till:
    """Stands where deals are priced, and remembers what it was asked."""

    def __init__(self, became: int) -> None:
        self.became, self.asked = became, list[tuple[str, object]]()

    def price(self, ruleset: str, tariff: object, deals: object, outcome: object, quinola: int, *more: Any) -> Priced:
        """So much for everybody, in both deals; the own rules say what became of the second."""
        self.asked.append((ruleset, more[0]))
        became = np.array([PRICED_SETTLED, self.became if ruleset == "own" else PRICED_SETTLED], np.int64)
        return Priced(np.full((TWO, 4), COMES_TO[ruleset, more[0]], np.int64), became)


@pytest.fixture
def priced(monkeypatch: Monkey, library: Library) -> Callable[..., tuple[list[tuple[str, object]], list[int]]]:
    """What is asked of the till, and what comes of it, where another ruleset has such a row."""

    def asked(row: tuple[int, ...], became: int = PRICED_SETTLED, *, names: Sequence[str] = ("new",)) -> Any:
        till, priser, pool = Till(became), work.DealPricer(library), cast(Any, "a pool")
        monkeypatch.setattr(work, "price_deals", till.price)
        monkeypatch.setattr(work, "make_fact_tables", nothing_done)
        monkeypatch.setattr(work, "all_roots", lambda tariff: ALL_ROOTS)
        monkeypatch.setattr(work, "find_affected_roots", lambda tariff, one, other: FEW)
        monkeypatch.setattr(batch, "compute_outcomes", nothing_done)
        priser.bound[PAM], priser.coded[PAM, pool] = cast(Any, ("own", pool)), cast(Any, ("own", ROW, OF))
        deals = played.allocate_deals(TWO)
        desk, nets = work.TableDeals(deals, ROW, replayed={row: deals}), []
        for name in names:
            priser.bound[Rules(name)] = cast(Any, (name, pool))
            priser.coded[Rules(name), pool] = cast(Any, (name, row, OF))
            nets.append(int(priser.other(desk, PAM, Rules(name), pool).net[1, 3]))
        return till.asked, nets

    return asked


def test_under_other_rules_only_what_may_differ_is_paid_anew(priced: Any) -> None:
    assert priced(ROW, names=("new", "third")) == (
        [("own", ALL_ROOTS), ("own", FEW), ("new", FEW), ("third", FEW)],
        [100 - 30 + 7, 100 - 30 + 9],
    )


@pytest.mark.parametrize("at", [Column.ELDEST, Column.QUINOLA])
def test_with_another_quinola_or_first_leader_everything_is_paid_anew(priced: Any, at: Column) -> None:
    assert priced(but(ROW, at, 40)) == ([("new", ALL_ROOTS)], [50])


def test_where_the_own_rules_are_silent_everything_is_paid_anew(priced: Any) -> None:
    assert priced(ROW, PRICED_SILENT) == ([("own", ALL_ROOTS), ("new", ALL_ROOTS)], [50])


@pytest.mark.parametrize("grown", [0, 1, 2])
def test_tables_are_kept_until_the_trees_have_grown_beyond_them(
    monkeypatch: Monkey, library: Library, grown: int
) -> None:
    """They are made when they are first asked for, however far the trees have grown by then."""
    priser, pool, number = work.DealPricer(library), cast(Any, "a pool"), count(1)
    tariff = cast(Any, SimpleNamespace(grown=grown, by_points=True))
    nothing = np.zeros(0, np.int64)
    made: dict[int, FactTables] = {}

    def known(tariff: Any, ruleset: object) -> FactTables:
        return made.setdefault(next(number), FactTables(nothing, nothing, nothing, tariff.by_points))

    monkeypatch.setattr(work, "make_fact_tables", known)
    monkeypatch.setattr(work, "goes_by_points", lambda tariff, ruleset: tariff.by_points)
    priser.coded[PAM, pool], priser.bound[PAM] = cast(Any, ("own", ROW, OF)), cast(Any, ("own", pool))
    priser.tariffs[pool, ROW[Column.ELDEST]] = tariff
    first = priser.tables(PAM, pool)
    assert first is not None and first is made[1]
    tariff.by_points = False  # nobody asks, as long as nothing has grown
    assert priser.tables(PAM, pool) is first
    tariff.grown, tariff.by_points = grown + 1, True
    assert priser.tables(PAM, pool) is first
    tariff.grown, tariff.by_points = grown + 2, False
    assert priser.tables(PAM, pool) is made[2] and len(made) == 2


# ---- who does the work
def number_of(order: SurveyOrder, library: object, chunk: int) -> int:
    return chunk


def library_of(order: SurveyOrder, library: object, chunk: int) -> object:
    return library


class Backwards(SingleProcessCrew):
    """Three at once, of whom the last is done first."""

    hands = 3

    def done(self, under_way: Sequence[Future[Any]]) -> Sequence[Future[Any]]:
        return under_way[::-1]


def test_sums_are_given_away_in_the_order_of_the_deals_whoever_is_done_first(
    monkeypatch: Monkey, library: Library
) -> None:
    given: list[tuple[range, object]] = []
    monkeypatch.setattr(
        work, "tally_piece", lambda order, library, chunk: SurveyTally((Count(len(order.numbers(chunk))),))
    )
    monkeypatch.setattr(work, "compute_piece_nets", number_of)
    total = runs.run_survey_order(
        order_of(12, 5), Backwards(library), keep=lambda numbers, nets: given.append((numbers, nets))
    )
    assert given == [(range(5), 0), (range(5, 10), 1), (range(10, 12), 2)]
    assert total == SurveyTally((Count(12),))


def test_one_process_does_one_piece_after_another(library: Library) -> None:
    crew, first, second = SingleProcessCrew(library), Future[int](), Future[int]()
    assert crew.hands == 1
    assert [*crew.done([first, second])] == [first] and [*crew.done([])] == []
    assert [*deliver_pieces(order_of(5, 1), crew, number_of)] == [(n, n) for n in range(5)]


def test_unless_it_is_said_otherwise_this_process_does_the_work_alone(library: Library) -> None:
    assert isinstance(make_crew(library, order_of(12, 5)), SingleProcessCrew)


def test_of_the_cores_those_are_counted_that_this_process_may_use(monkeypatch: Monkey) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {*range(3 if process == 0 else 8)}, raising=False)
    assert runs.count_cores() == 3


class Hired:
    """Stands where processes would be begun; tells how they are sent home."""

    sent_home: list[dict[str, bool]]

    def __init__(self, *given: object, **more: object) -> None:
        Hired.sent_home = []

    def shutdown(self, **how: bool) -> None:
        self.sent_home.append(how)


def test_who_has_work_in_hand_ends_it_unless_something_went_wrong(monkeypatch: Monkey, library: Library) -> None:
    monkeypatch.setattr(runs, "ProcessPoolExecutor", Hired)
    with ProcessCrew(library, 2) as crew:
        assert crew.hands == 2
    assert Hired.sent_home == [{"wait": True, "cancel_futures": False}]
    with pytest.raises(KeyboardInterrupt), ProcessCrew(library, 2):
        raise KeyboardInterrupt
    assert Hired.sent_home == [{"wait": True, "cancel_futures": True}]


def test_a_new_process_keeps_the_library_and_is_not_held_back_by_waiting_for_its_caller(
    monkeypatch: Monkey, library: Library
) -> None:
    begun: list[dict[str, object]] = []
    kept: list[Library] = []
    monkeypatch.setattr(runs, "LIBRARY", kept)
    monkeypatch.setattr(signal, "signal", nothing_done)
    monkeypatch.setattr(runs, "Thread", lambda **how: SimpleNamespace(start=lambda: begun.append(how)))
    runs.prepare_process(library)
    assert begun == [{"target": runs.exit_with_caller, "daemon": True}]
    assert kept == [library] and runs.run_pool_piece(library_of, order_of(1, 1), 0) is library


def test_a_process_leaves_when_its_caller_has_died_and_stays_where_nobody_called_it(monkeypatch: Monkey) -> None:
    told: list[object] = []
    monkeypatch.setattr(os, "_exit", lambda code: told.append(code))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: None)
    runs.exit_with_caller()
    assert told == []
    caller = SimpleNamespace(join=lambda: told.append("the caller has died"))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: caller)
    runs.exit_with_caller()
    assert told == ["the caller has died", 1]


# ---- how it is counted
@pytest.mark.parametrize(
    "one", [Versus(), Count(), SurveyTally(), SurveyRun(order_of(1, 1), SurveyTally(), "", "", "")]
)
def test_what_has_been_counted_is_changed_by_nobody(one: Any) -> None:
    (name, *_) = one.__dataclass_fields__
    with pytest.raises(FrozenInstanceError):
        setattr(one, name, 7)
    assert not hasattr(one, "__dict__")  # millions are made; none has room for more than it holds


@pytest.mark.parametrize(
    ("one", "other"), [(Count(others=(Versus(),)), Count()), (SurveyTally((Count(),)), SurveyTally((Count(), Count())))]
)
def test_counts_of_different_orders_are_not_added_up(one: Any, other: Any) -> None:
    for a, b in ((one, other), (other, one)):
        with pytest.raises(ValueError, match="argument 2 is"):
            a + b


# ---- how it is kept
@pytest.fixture
def survey() -> SurveyRun:
    """One table, one other ruleset."""
    order = SurveyOrder(7, "random", 10, (SurveyTable(PAM, (ACA,)),))
    return SurveyRun(
        order, SurveyTally((Count(10, 9, others=(Versus(9),)),)), "reversis survey «été»", "0.1.0", "sha256:0"
    )


@pytest.mark.parametrize(
    ("low", "high", "name", "says"),
    [
        (0, 0, "moved_0", "settled deals that move 0 counters"),
        (1, 1, "moved_1", "settled deals that move 1 counter"),
        (2, 4, "moved_2_4", "settled deals that move 2 to 4 counters"),
        (1000, 0, "moved_1000_up", "settled deals that move 1000 or more counters"),
    ],
)
def test_a_step_is_named_and_told_by_its_ends(low: int, high: int, name: str, says: str) -> None:
    assert (name_step_column(low, high), describe_step_column(low, high)) == (name, says)


def test_every_step_ends_before_the_next_and_the_last_has_no_end() -> None:
    assert stored.STEP_HIGHS == (0, 1, 4, 9, 19, 49, 99, 199, 499, 999, 0) and len(MOVED_STEPS) == 11


def test_a_survey_is_of_the_first_schema_and_its_own_rules_forbid_nothing(survey: SurveyRun) -> None:
    assert dump_survey_heading(survey)["schema"] == 1
    own, other = generate_survey_rows(survey.order, survey.tally)
    assert (own["forbidden"], own["silent"], other["forbidden"]) == (0, 1, 0)


def test_rows_are_made_only_of_what_belongs_together(survey: SurveyRun) -> None:
    (count,) = survey.tally.tables
    amiss = {
        "a table that was not counted": (),
        "a count too many": (count, count),
        "a ruleset that was not counted": (replace(count, others=()),),
        "a ruleset too many": (replace(count, others=count.others * 2),),
        "an event too few": (replace(count, events=count.events[1:]),),
        "a step too few": (replace(count, others=(replace(count.others[0], steps=(9,)),)),),
    }
    for tables in amiss.values():
        with pytest.raises(ValueError, match="argument 2 is"):
            list(generate_survey_rows(survey.order, SurveyTally(tables)))


# ---- in a file
def test_a_file_is_everybodys_to_read_and_tells_the_least_and_the_most_of_each_column(
    tmp_path: Path, survey: SurveyRun
) -> None:
    path = tmp_path / "one.parquet"
    write_survey_parquet(path, survey)
    assert sys.platform == "win32" or S_IMODE(path.stat().st_mode) == 0o644  # Windows knows no such modes
    group = files.read_metadata(path).row_group(0)
    columns = {group.column(at).path_in_schema: group.column(at) for at in range(group.num_columns)}
    settled = columns["settled"].statistics
    assert columns["settled"].is_stats_set and (settled.min, settled.max) == (9, 9)
    assert (columns["table"].statistics.min, columns["rules"].statistics.min) == ("PAM", "ACA")


def test_what_a_file_says_of_itself_is_written_in_its_own_letters() -> None:
    assert format_json_line({"command": "«été»", "seed": 7}) == '{"command": "«été»", "seed": 7}'


def test_a_deal_that_is_not_settled_has_nothing_in_any_column() -> None:
    nets = np.array([[[1, 2, 3, 4, -10]], [[UNSETTLED_NET] * 5], [[0] * 5]], np.int32)
    assert [column.to_pylist() for column in build_net_columns(nets)] == [
        *([1, None, 0], [2, None, 0], [3, None, 0], [4, None, 0], [-10, None, 0])
    ]
