"""Additions of the game to `compare`: what differences cost, and what differs on a deal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import cast

import click

from edition.cli.commands import extend_command
from edition.cli.compare import compare_answers
from edition.cli.options import IGNORE_UNKNOWN_OPTION, refuse_without_record
from edition.corpus.answer_comparison import AnswerDifference
from lab.survey.statistics import Weight
from reversis.cli.deal_arguments import complete_deal
from reversis.files.surveys import read_surveys
from reversis.findings.costs import (
    POLICY_HEADINGS,
    find_answer_costs,
    find_pair_costs,
    format_cost_frequency,
    format_cost_percent,
)
from rulebook.model import Library, Ruleset

_MAX_NAMED_ANSWERS = 3  #: so many answers are named as the costliest
_DEAL_OPTION = click.option(
    "-d",
    "--deal",
    "name",
    default="",
    metavar="DEAL",
    help="What differs on this deal, and why.",
    shell_complete=complete_deal,
)
_HELP_ON_DEALS = (
    "With --deal: who gains or loses how much on that deal; then differences in legal cards, tricks and winners, and "
    "which answers cause them. An answer's share is the average of what it adds over all orders in which the answers "
    "can be exchanged (its Shapley value); the shares add up to the difference exactly. They need not be whole: "
    '+2 1/2 here, the string "5/2" in JSON. DEAL is a file, the id of a worked deal, or - for standard '
    "input (YAML, JSON or JSON lines)."
)
_WORDS = (
    ("Compare two sources: their answers.", "Compare two sources: their answers, or their results on a deal."),
    ("they differ; then", "they differ and, where it was simulated, how much money that moves; then"),
    ("in the smallest counter of its source.", f"in the smallest counter of its source.\n\n{_HELP_ON_DEALS}"),
)


def add_deal_comparison(command: click.Command) -> click.Command:
    """Have `compare` say what differences cost, and compare results on a deal."""

    def compare(
        first: str, second: str, group: str, name: str, whole: bool, form: str, ignore_unknown: bool, quiet: bool
    ) -> None:
        if name:
            from reversis.cli.compare_deal import compare_deal  # it needs the whole engine

            if group:
                raise click.UsageError(
                    "--group picks questions, --deal takes those that the deal asks; give one of them."
                )
            sys.exit(compare_deal(first, second, name, form, quiet, ignore_unknown))
        refuse_without_record(ignore_unknown)
        compare_answers(first, second, group, whole, form, quiet, describe_costs)

    command.params = [_name_example(option) for option in command.params]
    return extend_command(command, compare, (("whole", _DEAL_OPTION), ("quiet", IGNORE_UNKNOWN_OPTION)), _WORDS)


def _name_example(option: click.Parameter) -> click.Parameter:
    if option.name == "group":
        option = copy(option)
        cast(click.Option, option).help = "Only the questions of this group, such as Quinola."
    return option


def describe_costs(
    library: Library, pair: tuple[Ruleset, Ruleset], differences: Sequence[AnswerDifference], whole: bool
) -> Iterator[str]:
    """Yield what differences cost in a deal, as far as it was surveyed."""
    costs = list(_describe_table_costs(library, pair, differences, whole))
    words = "What that costs in a deal, as a share of the opening pool, counters taken one to one:"
    yield words if costs else "What that costs was not surveyed."
    yield from costs


def _describe_table_costs(
    library: Library, pair: tuple[Ruleset, Ruleset], differences: Sequence[AnswerDifference], whole: bool
) -> Iterator[str]:
    """Yield the costs at the tables of both; nothing of hybrids, which are not surveyed."""
    if any(ruleset.name != ruleset.source for ruleset in pair):
        return
    surveys, _ = read_surveys(Path(library.root))
    for table, other in (pair, pair[::-1]):
        costs = find_pair_costs(surveys, table.source, other.source) if whole else ()
        words = [f"{POLICY_HEADINGS.get(policy, policy).lower()} {_format_cost(weight)}" for policy, weight in costs]
        answers = find_answer_costs(surveys, table.source, other.source)
        costly = [difference.question for difference in differences if difference.question.slug in answers]
        costly.sort(key=lambda question: -answers[question.slug].heft[0])
        named = ", ".join(
            f"{question.id} {_format_cost(answers[question.slug])}" for question in costly[:_MAX_NAMED_ANSWERS]
        )
        words += [f"most by {named}"] if named else []
        if words:
            yield f"  at {table.source}'s table, {other.source}'s rules: {'; '.join(words)}"


def _format_cost(weight: Weight) -> str:
    share = weight.forbidden.value
    forbidden = f" (the play forbidden in {format_cost_frequency(share)})" if share else ""
    return f"{format_cost_percent(weight.of_pool.value)}{forbidden}"
