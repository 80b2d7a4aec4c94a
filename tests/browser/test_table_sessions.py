"""Sessions at the table in a browser: after each deal all that is shown is what the command line makes of the file."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.commands import cache, run
from tests.support.settling import SIGLA
from tests.support.table_tab import opened, served, turn
from tests.support.table_visitor import (
    FOCUSED,
    KeyVisitor,
    Payment,
    PointerVisitor,
    ShownDeal,
    Visitor,
    play_deal,
    read_end,
    read_sum,
)
from tests.support.waiting import until
from tests.support.windows import Open

__all__ = ["cache", "opened", "served"]  # the fixtures, for these tests too

pytestmark = [pytest.mark.slow, pytest.mark.browser]

TOLERANT = ("--as-played", "--tolerate", "exchange,first-lead", "--format", "json")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DAY = "2026-03-05T12:00:00"  #: whose cards are dealt
NOW = "[...document.querySelectorAll('.pl-standing tfoot td')].map((cell) => cell.textContent)"


def settle_lines(*words: str) -> list[dict[str, Any]]:
    """Run a command that prints a line of JSON for each result."""
    done = run(*words)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def net_of(step: dict[str, Any]) -> int | None:
    return step["net"]["south"] if "net" in step else None


@dataclass(frozen=True)
class SavedSession:
    """The file that the page offers after a deal."""

    path: Path
    source: str

    def write_last(self) -> str:
        """Write the last deal to a file of its own."""
        last = self.path.with_name("last.yaml")
        last.write_text(self.path.read_text(encoding="utf-8").split("---\n")[-1], encoding="utf-8")
        return str(last)

    def settle_last(self) -> tuple[int | None, Counter[Payment]]:
        """Settle the last deal by its book; return what the person gets, and all payments."""
        (result,) = settle_lines("run", self.write_last(), "-s", self.source, "--format", "json")
        seats = result["net"]
        payments = Counter(
            (
                _name_time(entry),
                *(posting[end] if posting[end] in seats else "pool" for end in ("from", "to")),
                posting["amount"],
            )
            for entry in result["entries"]
            for posting in entry["postings"]
        )
        return net_of(result), payments

    def total_last(self, number: int) -> dict[str, int | None]:
        """Settle the last deal by every book as played: a single deal by `run`, a session by `session`."""
        if number == 1:
            lines = settle_lines("run", self.write_last(), *TOLERANT)
            return {line["source"]: net_of(line) for line in lines}
        lines = settle_lines("session", str(self.path), *TOLERANT)
        return {line["source"]: net_of([step for step in line["steps"] if step.get("deal")][-1]) for line in lines}

    def find_accounts(self) -> list[int]:
        """Find how all stand by the book that the session is played by."""
        (line,) = settle_lines("session", str(self.path), "-s", self.source, "--format", "json")
        between = [step for step in line["steps"] if step["step"] == "deal"][-1]
        return [between["accounts"][seat] for seat in line["seats"]]


def _name_time(entry: dict[str, Any]) -> str:
    return f"trick {entry['trick']}" if entry["trick"] else "end"


def play_session(visitor: Visitor, lots: Random, source: str, count: int, folder: Path) -> Counter[str]:
    """Play so many deals, and compare each with its file; return what was done, and how often."""
    done = Counter[str]()
    for number in range(1, count + 1):
        if isinstance(visitor, KeyVisitor):
            turn(visitor.tab)
            assert visitor.tab.evaluate(FOCUSED, ".pl-hand [data-card]"), "the keys are at the cards"
        done += play_deal(visitor, lots)
        shown = read_end(visitor.tab, ("south", "east", "north", "west"))
        saved = SavedSession(save_by(visitor, folder), source)
        check_deal(shown, saved, number)
        done["reasons"] += sum(bool(reason) for reason in shown.reasons.values())
        if number < count:
            visitor.press("next")
    check_standing(visitor, saved)
    resumed = run("play", "--resume", str(saved.path))
    assert resumed.exit_code == 0 and f"in the end: {count} deals" in resumed.output, resumed.output
    return done


def save_by(visitor: Visitor, folder: Path) -> Path:
    with visitor.tab.expect_download() as download:
        visitor.press("save")
    path = folder / str(download.value.suggested_filename)
    download.value.save_as(path)
    return path


def check_deal(shown: ShownDeal, saved: SavedSession, number: int) -> None:
    net, payments = saved.settle_last()
    assert (shown.net, shown.payments) == (net, payments)
    assert {**shown.totals} == saved.total_last(number)
    assert {*shown.totals} == {*SIGLA} and shown.totals[saved.source] == net
    assert all(shown.reasons[source] for source, total in shown.totals.items() if total is None)


def check_standing(visitor: Visitor, saved: SavedSession) -> None:
    visitor.press("standing")
    assert [read_sum(words) for words in visitor.tab.evaluate(NOW)] == saved.find_accounts()


def open_by_keys(opened: Open, source: str, lots: Random) -> KeyVisitor:
    """Choose a book of the page and sit down by keys alone; the cards are those of a fixed day."""
    tab = opened("index.html", reduced_motion="reduce")
    tab.clock.set_fixed_time(DAY)
    tab.goto(tab.url.replace("index.html", "play.html"))
    until(tab, "document.querySelector('.pl-choose')")
    visitor = KeyVisitor(tab, lots)
    visitor.sit_down(source)
    return visitor


@pytest.mark.parametrize("source", ["HOY"])
def test_two_deals_by_keys_alone_come_to_what_the_command_line_makes_of_their_file(
    opened: Open, source: str, tmp_path: Path
) -> None:
    lots = Random(source)
    done = play_session(open_by_keys(opened, source, lots), lots, source, 2, tmp_path)
    assert done["finish"] == 2 and done["card"] >= 22


@pytest.mark.nightly
@pytest.mark.parametrize("source", SIGLA)
def test_eight_deals_by_keys_alone_under_every_book(opened: Open, source: str, tmp_path: Path) -> None:
    lots = Random(f"eight by {source}")
    done = play_session(open_by_keys(opened, source, lots), lots, source, 8, tmp_path)
    print(source, dict(done))
    assert done["finish"] == 8 and done["card"] >= 88


@pytest.mark.nightly
@pytest.mark.parametrize(("how", "source", "window"), [("click", "PIE", {}), ("tap", "GER", PHONE)])
def test_eight_deals_by_mouse_and_by_touch(
    opened: Open, how: str, source: str, window: dict[str, Any], tmp_path: Path
) -> None:
    tab = opened(f"play.html#cards=7&s={source}", reduced_motion="reduce", **window)
    done = play_session(PointerVisitor(tab, how), Random(how), source, 8, tmp_path)
    print(how, source, dict(done))
    assert done["finish"] == 8 and done["card"] >= 88
