"""Two rulesets side by side: the questions on which they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import click

from edition.cli import output
from edition.cli.arguments import load_library_or_exit, named_rules
from edition.cli.completion import complete_source
from edition.cli.options import FORMAT_OPTION, GROUP_NAMES
from edition.corpus.answer_comparison import (
    AnswerDifference,
    RulesetAnswer,
    find_differences,
    plain_answer,
    word_answer,
)
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import format_answer
from rulebook.model import Library, Question, Ruleset
from rulebook.phrases import format_count, pluralize_counter
from rulebook.strings import quote_value

if TYPE_CHECKING:
    from rich.console import Console

_COMPARISON_SCHEMA = 1
_SHARES = (5, 3, 3)  #: of the width for question and answers: without them one long answer would hide the other column
_TABLE_GAPS = 8  #: spaces between columns and at the edges
_Pair: TypeAlias = tuple[Ruleset, Ruleset]
#: Lines on the differences of two rulesets; the last argument is True if all questions were compared.
_Describe: TypeAlias = Callable[[Library, _Pair, Sequence[AnswerDifference], bool], Iterable[str]]


@click.command("compare")
@click.argument("first", metavar="S1", shell_complete=complete_source)
@click.argument("second", metavar="S2", shell_complete=complete_source)
@click.option(*GROUP_NAMES, "group", default="", metavar="GROUP", help="Only the questions of this group.")
@click.option(
    "-a", "--all", "-v", "whole", is_flag=True, help="Every question, with both answers in full and their clauses."
)
@FORMAT_OPTION
@click.option("-q", "--quiet", is_flag=True, help="Print only the summary.")
def compare_command(first: str, second: str, group: str, whole: bool, form: str, quiet: bool) -> None:
    """Compare two sources: their answers.

    Prints on how many questions they differ; then the number in each group, and a line for each question that both
    answer, and differently. With --group or --all every question is printed in full, also where one source is silent.

    S1 and S2 are sources, or changed rules: "PAM + Q017@ACA". Answers that we supply where a source is
    silent are marked, and so are questions that are not applicable to a source. Sums are compared as numbers, each
    in the smallest counter of its source.
    """
    compare_answers(first, second, group, whole, form, quiet)


def compare_answers(
    first: str,
    second: str,
    group: str,
    whole: bool,
    form: str,
    quiet: bool,
    describe: _Describe | None = None,
) -> None:
    """Print where two rulesets differ; *describe* adds lines to the verdict."""
    library = load_library_or_exit()
    pair = named_rules(library, first), named_rules(library, second)
    questions = in_group(library, group)
    differences = tuple(find_differences(library, pair, questions))
    if form == "json":
        _print_json(pair, questions, differences)
        return
    notes = describe(library, pair, differences, len(questions) == len(library.questions)) if describe else ()
    _print_text(library, pair, questions, differences, quiet, whole or bool(group), notes)


def in_group(library: Library, group: str) -> tuple[Question, ...]:
    """The questions of a group, by its name or a part of it; all of them where none is named."""
    questions = tuple(library.questions.values())
    members = tuple(q for q in questions if group.strip().casefold() in q.group.casefold())
    if not members:
        groups = dict.fromkeys(q.group for q in questions)
        raise click.UsageError(f"No group {quote_value(group)}. There are: {', '.join(groups)}.")
    return members


# ---- data
def _print_json(pair: _Pair, questions: Sequence[Question], differences: Sequence[AnswerDifference]) -> None:
    output.print_json(
        {
            "schema": _COMPARISON_SCHEMA,
            "compared": [ruleset.name for ruleset in pair],
            "units": [ruleset.unit for ruleset in pair],
            "questions": len(questions),
            "differences": [_difference_to_data(difference) for difference in differences],
        }
    )


def _difference_to_data(difference: AnswerDifference) -> dict[str, object]:
    q = difference.question
    return {
        "id": q.id,
        "slug": q.slug,
        "group": q.group,
        "asks": q.asks,
        "sides": [plain_answer(s) for s in difference.sides],
    }


# ---- text
def _print_text(
    lib: Library,
    pair: _Pair,
    questions: Sequence[Question],
    differences: Sequence[AnswerDifference],
    quiet: bool,
    whole: bool,
    notes: Iterable[str],
) -> None:
    screen = output.make_console()
    output.print_lines(screen, _describe_verdict(pair, questions, differences, notes))
    if differences and not quiet:
        (_print_whole if whole else _print_in_short)(lib, pair, differences, screen)


def _print_in_short(lib: Library, pair: _Pair, differences: Sequence[AnswerDifference], screen: Console) -> None:
    """Print the differences in each group as numbers, and a line for each that both sources have in words."""
    from rich.table import Column
    from rich.text import Text

    groups = Counter(difference.question.group for difference in differences)
    output.print_lines(screen, [f"By group: {', '.join(f'{name} {n}' for name, n in groups.items())}."])
    spoken = [difference for difference in differences if have_own_answers(difference)]
    if spoken:
        widths = (share * (screen.width - _TABLE_GAPS) // sum(_SHARES) for share in _SHARES)
        names = ("question", *(ruleset.name for ruleset in pair))
        table = output.make_table(
            *(
                Column(name, no_wrap=True, overflow="ellipsis", max_width=width)
                for name, width in zip(names, widths, strict=True)
            )
        )
        for difference in spoken:
            cells = [_word_shortly(lib, difference.question, side) for side in difference.sides]
            table.add_row(*map(Text, (f"{difference.question.id} {difference.question.asks}", *cells)))
        screen.print(table)
    silent = len(differences) - len(spoken)
    rest = f"On {format_count(silent, 'question')} more one of them has no answer of its own. " if silent else ""
    output.print_lines(screen, [f"{rest}In full: --group {quote_value(next(iter(groups)))}, or --all."])


def _word_shortly(lib: Library, question: Question, side: RulesetAnswer) -> str:
    assert side.value is not None  # it has an answer of its own
    return format_answer(question, side.value, lib).short or format_canonical(side.value)


def _print_whole(lib: Library, pair: _Pair, differences: Sequence[AnswerDifference], screen: Console) -> None:
    """Print every question with both answers in full, and where they stand."""
    from rich.table import Column
    from rich.text import Text

    heads = (Column(Text(f"{ruleset.name} ({ruleset.unit})"), ratio=3) for ruleset in pair)
    table = output.make_table(Column("question", ratio=4), *heads)
    for difference in differences:
        cells = [word_answer(lib, difference.question, s) for s in difference.sides]
        table.add_row(*map(Text, (f"{difference.question.id} {difference.question.asks}", *cells)))
        table.add_row()
    screen.print(table)


# ---- the verdict
def _describe_verdict(
    pair: _Pair, questions: Sequence[Question], differences: Sequence[AnswerDifference], notes: Iterable[str]
) -> Iterator[str]:
    """Yield on how much two rulesets differ, and what else is known of that."""
    left, right = pair
    spoken = sum(map(have_own_answers, differences))
    count = f"{left.name} and {right.name} differ on {spoken} of {format_count(len(questions), 'question')}"
    alone = len(differences) - spoken
    yield f"{count}; on {alone} more one of them has no answer of its own." if alone else f"{count}."
    if not differences:
        return
    yield from notes
    units = [pluralize_counter(ruleset.unit) for ruleset in pair]
    if left.unit != right.unit:
        yield f"Sums are compared one to one, though {left.name} reckons in {units[0]} and {right.name} in {units[1]}."


def have_own_answers(difference: AnswerDifference) -> bool:
    """Return whether both sources answer, and neither answer is supplied by us or rests on one that is."""
    return all(side.value is not None and not (side.supplied or side.rests_on_supplied) for side in difference.sides)
