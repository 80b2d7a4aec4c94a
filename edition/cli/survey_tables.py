"""A survey in tables on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from edition.text.answers import sums_in
from engine.survey.request import EVENTS, Rules, Table
from engine.survey.table import WHO, Survey
from engine.survey.tally import Count, Versus
from rulebook.model import Library

COUNTED = "each counted"  #: an event of which a deal may have several


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one company's deals come to by other rules."""

    table: Rules
    rules: Rules
    deals: int
    versus: Versus

    @property
    def mean(self) -> float:
        """Counters moved in a settled deal, on average."""
        return self.versus.moved / self.versus.settled if self.versus.settled else 0.0

    @property
    def otherwise(self) -> int:
        """Deals that come out otherwise, or cannot be played so."""
        return self.versus.changed + self.versus.forbidden


def ranked(survey: Survey) -> list[Comparison]:
    """Every comparison, those first that move most counters, then those that change most deals."""
    found = [
        Comparison(table.rules, rules, count.deals, versus)
        for table, count in zip(survey.order.tables, survey.tally.tables, strict=True)
        for rules, versus in zip(table.others, count.others, strict=True)
    ]
    return sorted(found, key=lambda one: (-one.mean, -one.otherwise))


def show(screen: Console, library: Library, survey: Survey, quiet: bool) -> None:
    """Company by company, then the comparisons; quietly, a line for each company."""
    both = list(zip(survey.order.tables, survey.tally.tables, strict=True))
    if quiet:
        for table, count in both:
            screen.print(Text(f"{table.rules}  {brief(count)}"), soft_wrap=True)
        return
    for words in heading(survey):
        screen.print(Text(words), soft_wrap=True)
    for table, count in both:
        show_company(screen, library, table, count)
    screen.print(comparisons(ranked(survey)))
    screen.print(Text(explained(survey)), soft_wrap=True)


def heading(survey: Survey) -> Iterator[str]:
    """What was done."""
    order = survey.order
    yield f"{order.deals:,} deals by lot, seed {order.seed}, policy {order.policy}"
    yield f"version {survey.version}, sources {survey.sources[:19]}; again: {survey.command}"


def brief(count: Count) -> str:
    """A company in a line."""
    sums = "  ".join(f"{who} {mean:+.3f}" for who, mean, _ in means(count))
    return f"{count.deals:,} deals, {count.settled:,} settled  {sums}"


def means(count: Count) -> Iterator[tuple[str, float, float]]:
    """For every account the mean of what it wins in a settled deal, and how far single deals lie from it."""
    deals = count.settled or 1
    for who, net, squares in zip(WHO, count.net, count.squares, strict=True):
        variance = (squares * deals - net * net) / (deals * deals)  # whole numbers, so that nothing is lost
        yield who, net / deals, sqrt(variance)


# ---- one company
def show_company(screen: Console, library: Library, table: Table, count: Count) -> None:
    """What its players win, and what befalls them."""
    unit = library.sources[table.rules.source].unit
    words = f"  {sums_in(unit)}; {count.settled:,} of {count.deals:,} deals settled"
    screen.print()
    screen.print(Text.assemble((str(table.rules), "bold"), words), soft_wrap=True)
    screen.print(nets(count))
    screen.print(events(count))


def nets(count: Count) -> Grid:
    """What each wins in a deal."""
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column("wins in a deal")
    found = list(means(count))
    for who, _, _ in found:
        grid.add_column(who, justify="right")
    grid.add_row("mean", *(f"{mean:+.3f}" for _, mean, _ in found))
    grid.add_row("spread", *(f"{spread:.3f}" for _, _, spread in found))
    return grid


def events(count: Count) -> Grid:
    """What befell, and how often."""
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column("what befell")
    grid.add_column("deals", justify="right")
    for (name, words), often in zip(EVENTS.items(), count.events, strict=True):
        share = f"{often / count.deals:.3f} a deal" if words.endswith(COUNTED) else percent(often, count.deals)
        grid.add_row(name.replace("-", " "), share)
    return grid


# ---- by other rules
def comparisons(found: list[Comparison]) -> Grid:
    """The comparisons, a row each."""
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column("played by, settled by", overflow="fold")
    for head in ("changed", "forbidden", "silent", "mean moved", "spread", "worst", "in deal"):
        grid.add_column(head, justify="right")
    for one in found:
        grid.add_row(*map(Text, (f"{one.table}, {one.rules}", *figures(one))))
    return grid


def figures(one: Comparison) -> Iterator[str]:
    """The figures of a comparison."""
    versus = one.versus
    yield from (percent(part, one.deals) for part in (versus.changed, versus.forbidden, versus.silent))
    if not versus.settled:
        yield from ("-",) * 4
        return
    variance = (versus.squares * versus.settled - versus.moved**2) / versus.settled**2
    yield from (f"{one.mean:.3f}", f"{sqrt(variance):.3f}", str(versus.worst))
    yield str(versus.worst_deal) if versus.worst else "-"


def percent(part: int, whole: int) -> str:
    """A share of all deals; what is rare keeps its digits."""
    share = 100 * part / whole if whole else 0.0
    return f"{share:.2f} %" if share >= 0.1 or not part else f"{share:.2g} %"


def explained(survey: Survey) -> str:
    """What the columns mean, and how to look at a deal."""
    order = survey.order
    again = f"reversis survey --deal N --seed {order.seed} --policy {order.policy} --source S > FILE.yaml"
    return (
        "Moved: counters that would have to change hands to make one result of the other, where both settle the deal.\n"
        "Spread: how far single deals lie from the mean (standard deviation).\n"
        f"To look at a deal: {again}; reversis run FILE.yaml"
    )
