"""Tables of a survey for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from edition.cli.output import make_table, print_lines
from lab.survey.request import EVENTS, Rules, SurveyTable
from lab.survey.table import WHO, SurveyRun
from lab.survey.tally import Count, Versus
from rulebook.model import Library
from rulebook.phrases import describe_sum_unit

_COUNTED_MARK = "each counted"  #: an event of which a deal may have several


@dataclass(frozen=True, slots=True)
class RulesComparison:
    """The deals of one table, settled by other rules."""

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
        """Number of deals that come out otherwise, or cannot be played so."""
        return self.versus.changed + self.versus.forbidden


def rank_comparisons(survey: SurveyRun) -> list[RulesComparison]:
    """Rank the comparisons by counters moved, then deals changed, the largest first."""
    comparisons = [
        RulesComparison(table.rules, rules, count.deals, versus)
        for table, count in zip(survey.order.tables, survey.tally.tables, strict=True)
        for rules, versus in zip(table.others, count.others, strict=True)
    ]
    return sorted(comparisons, key=lambda comparison: (-comparison.mean, -comparison.otherwise))


def print_survey_report(screen: Console, library: Library, survey: SurveyRun, quiet: bool) -> None:
    """Print table by table, then the comparisons; quietly, a line for each table."""
    both = list(zip(survey.order.tables, survey.tally.tables, strict=True))
    if quiet:
        print_lines(screen, (f"{table.rules}  {_format_table_summary(count)}" for table, count in both))
        return
    order = survey.order
    heading = f"{order.deals:,} random deals, seed {order.seed}, policy {order.policy}"
    again = f"version {survey.version}, sources {survey.sources[:19]}; again: {survey.command}"
    nets = f"nets: {', '.join(f'{siglum} {mark}' for siglum, mark in survey.nets)}"
    print_lines(screen, [heading, again, *([nets] if survey.nets else [])])
    for table, count in both:
        print_table_results(screen, library, table, count)
    screen.print(build_comparison_table(rank_comparisons(survey)))
    print_lines(screen, [_explain_columns(survey)])


def _format_table_summary(count: Count) -> str:
    sums = "  ".join(f"{who} {mean:+.3f}" for who, mean, _ in compute_account_means(count))
    return f"{count.deals:,} deals, {count.settled:,} settled  {sums}"


def compute_account_means(count: Count) -> Iterator[tuple[str, float, float]]:
    """Yield every account's mean win in a settled deal, and its standard deviation."""
    deals = count.settled or 1
    for who, net, squares in zip(WHO, count.net, count.squares, strict=True):
        variance = (squares * deals - net * net) / (deals * deals)  # whole numbers, so that nothing is lost
        yield who, net / deals, sqrt(variance)


# ---- one company
def print_table_results(screen: Console, library: Library, table: SurveyTable, count: Count) -> None:
    """Print the wins of the players at one table, and the frequency of events."""
    unit = library.sources[table.rules.source].unit
    words = f"  {describe_sum_unit(unit)}; {count.settled:,} of {count.deals:,} deals settled"
    screen.print()
    screen.print(Text.assemble((str(table.rules), "bold"), words), soft_wrap=True)
    # Build the table of what each account wins in a deal
    account_means = list(compute_account_means(count))
    grid = make_table("wins in a deal", right=(who for who, _, _ in account_means))
    grid.add_row("mean", *(f"{mean:+.3f}" for _, mean, _ in account_means))
    grid.add_row("spread", *(f"{spread:.3f}" for _, _, spread in account_means))
    screen.print(grid)
    screen.print(build_events_table(count))


def build_events_table(count: Count) -> Table:
    """Build the table of events, and how often each occurs."""
    grid = make_table("what befell", right=["deals"])
    for (name, words), often in zip(EVENTS.items(), count.events, strict=True):
        share = (
            f"{often / count.deals:.3f} a deal"
            if words.endswith(_COUNTED_MARK)
            else format_deal_share(often, count.deals)
        )
        grid.add_row(name.replace("-", " "), share)
    return grid


# ---- by other rules
def build_comparison_table(comparisons: list[RulesComparison]) -> Table:
    """Build the table of comparisons, a row each."""
    heads = ("changed", "forbidden", "silent", "mean moved", "spread", "worst", "in deal")
    grid = make_table(Column("played by, settled by", overflow="fold"), right=heads)
    for comparison in comparisons:
        grid.add_row(*map(Text, (f"{comparison.table}, {comparison.rules}", *_format_comparison(comparison))))
    return grid


def _format_comparison(comparison: RulesComparison) -> Iterator[str]:
    versus = comparison.versus
    yield from (format_deal_share(part, comparison.deals) for part in (versus.changed, versus.forbidden, versus.silent))
    if not versus.settled:
        yield from ("-",) * 4
        return
    variance = (versus.squares * versus.settled - versus.moved**2) / versus.settled**2
    yield from (f"{comparison.mean:.3f}", f"{sqrt(variance):.3f}", str(versus.worst))
    yield str(versus.worst_deal) if versus.worst else "-"


def format_deal_share(part: int, whole: int) -> str:
    """Format a share of all deals in percent; a small one keeps its digits."""
    share = 100 * part / whole if whole else 0.0
    return f"{share:.2f} %" if share >= 0.1 or not part else f"{share:.2g} %"


def _explain_columns(survey: SurveyRun) -> str:
    order = survey.order
    again = f"reversis survey --deal N --seed {order.seed} --policy {order.policy} --source S > FILE.yaml"
    return (
        "Four aces, three aces and quinola: dealt to one player, before any exchange.\n"
        "Quinola turned, quinola aside: it was in the talon after the deal; when play began.\n"
        "Thrown off, followed: played on another suit; on a lead of its own suit.\n"
        "Privileged: a player held the espagnolette's cards and need not follow suit; renounced: that player did not.\n"
        "Reversis undertaken: one player took all tricks but the last few that the rules name.\n"
        "Moved: counters that must change hands to turn one result into the other, where both settle the deal.\n"
        "Spread: standard deviation of single deals.\n"
        f"To look at a deal: {again}; reversis run FILE.yaml"
    )
