"""Two rulesets side by side: the questions on which they differ."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from edition.analysis.answer_comparison import AnswerDifference, find_differences, plain_answer, word_answer
from edition.cli import output
from edition.cli.arguments import load_library_or_exit, named_rules
from edition.cli.completion import complete_deal, complete_source
from edition.cli.options import FORMAT_OPTION, IGNORE_UNKNOWN_OPTION, QUIET_OPTION, refuse_without_record
from edition.text.answers import format_count, pluralize_counter
from rulebook.model import Library, Question, Ruleset

_COMPARISON_SCHEMA = 1


@click.command("compare")
@click.argument("first", metavar="S1", shell_complete=complete_source)
@click.argument("second", metavar="S2", shell_complete=complete_source)
@click.option("-g", "--group", default="", metavar="GROUP", help="Only the questions of this group, such as Quinola.")
@click.option(
    "-d",
    "--deal",
    "name",
    default="",
    metavar="DEAL",
    help="What differs on this deal, and why.",
    shell_complete=complete_deal,
)
@FORMAT_OPTION
@IGNORE_UNKNOWN_OPTION
@QUIET_OPTION
def compare_command(
    first: str, second: str, group: str, name: str, form: str, ignore_unknown: bool, quiet: bool
) -> None:
    """Tell where two sources part.

    These are the questions that they answer differently.

    S1 and S2 are sources, or rules as they are printed: "PAM + Q017@ACA". Answers that we supply where a source is
    silent are marked; where a question makes no sense for a source, that is said. Sums are compared one to one, each
    in the smallest counter of its source.

    With --deal you are told what differs on one deal: what may be played, who takes, who wins; then who gains how much
    more, and which answers cause it. Every answer's share is the mean of what it adds over all orders in which the
    answers may be exchanged; the shares add up to the difference exactly. So they need not be whole: they are
    written +2 1/2 here and as a string, "5/2", in JSON. DEAL is a file, the id of a worked deal, or - for standard
    input (YAML, JSON or JSON lines).
    """
    if name:
        from edition.cli.compare_deal import compare_deal  # it needs the whole engine

        if group:
            raise click.UsageError("--group picks questions, --deal takes those that the deal asks; give one of them.")
        sys.exit(compare_deal(first, second, name, form, quiet, ignore_unknown))
    refuse_without_record(ignore_unknown)
    lib = load_library_or_exit()
    pair = named_rules(lib, first), named_rules(lib, second)
    questions = in_group(lib, group)
    found = tuple(find_differences(lib, pair, questions))
    if form == "json":
        _print_json(pair, questions, found)
    else:
        _print_text(lib, pair, questions, found, quiet)


def in_group(library: Library, group: str) -> tuple[Question, ...]:
    """The questions of a group, by its name or a part of it; all of them where none is named."""
    questions = tuple(library.questions.values())
    found = tuple(q for q in questions if group.strip().casefold() in q.group.casefold())
    if not found:
        groups = dict.fromkeys(q.group for q in questions)
        raise click.UsageError(f"No group {group!r}. There are: {', '.join(groups)}.")
    return found


# ---- data
def _print_json(
    pair: tuple[Ruleset, Ruleset], questions: Sequence[Question], found: Sequence[AnswerDifference]
) -> None:
    output.print_json(
        {
            "schema": _COMPARISON_SCHEMA,
            "compared": [ruleset.name for ruleset in pair],
            "units": [ruleset.unit for ruleset in pair],
            "questions": len(questions),
            "differences": [_difference_to_data(one) for one in found],
        }
    )


def _difference_to_data(one: AnswerDifference) -> dict[str, object]:
    q = one.question
    return {"id": q.id, "slug": q.slug, "group": q.group, "asks": q.asks, "sides": [plain_answer(s) for s in one.sides]}


# ---- text
def _print_text(
    lib: Library,
    pair: tuple[Ruleset, Ruleset],
    questions: Sequence[Question],
    found: Sequence[AnswerDifference],
    quiet: bool,
) -> None:
    from rich.table import Column
    from rich.text import Text

    screen = output.make_console()
    if found:
        heads = (Column(Text(f"{ruleset.name} ({ruleset.unit})"), ratio=3) for ruleset in pair)
        table = output.make_table(Column("question", ratio=4), *heads)
        for one in found:
            cells = [word_answer(lib, one.question, s) for s in one.sides]
            table.add_row(*map(Text, (f"{one.question.id} {one.question.asks}", *cells)))
            table.add_row()
        screen.print(table)
    if not quiet:
        output.print_lines(screen, [_summarise_differences(pair, questions, found)])


def _summarise_differences(
    pair: tuple[Ruleset, Ruleset], questions: Sequence[Question], found: Sequence[AnswerDifference]
) -> str:
    one, other = pair
    count = f"{one.name} and {other.name} differ on {len(found)} of {format_count(len(questions), 'question')}."
    theirs = [pluralize_counter(each.unit) for each in pair]
    units = f" Sums are compared one to one, though {one.name} reckons in {theirs[0]} and {other.name} in {theirs[1]}."
    return count + (units if one.unit != other.unit else "")
