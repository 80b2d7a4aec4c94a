"""Command-line arguments: sources, questions, wishes; with help on typing errors."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import click

from edition.cli.output import fail_with_problems, print_remark
from rulebook import model
from rulebook.load import quick_load
from rulebook.phrases import format_count
from rulebook.problems import Problem
from rulebook.program_name import name_command
from rulebook.resolve import BadChoice, Choice, iter_clause_alternatives, read_choice, refuse_conflicting, resolve
from rulebook.strings import quote_value
from rulebook.suggestions import describe_lookalikes, did_you_mean

_MAX_LISTED_NAMES = 9  # so many names can simply be told
UNREADABLE_SOURCES = "the sources cannot be read; correct the problems above"


def load_library_or_exit(find_faults: Callable[[model.Library], Iterable[Problem]] | None = None) -> model.Library:
    """Load the library, from its cached copy if nothing has changed; faults that its game finds end the command."""
    library, problems = quick_load()
    if library is not None and (faults := [*(find_faults or _find_game_faults)(library)]):
        library, problems = None, [*problems, *faults]
    if library is None:
        fail_with_problems(problems, UNREADABLE_SOURCES)
    if problems:
        count, check = format_count(len(problems), "problem"), name_command("check")
        print_remark(f"Warning: {count} in the sources; `{check}` tells them")
    return library


def _find_game_faults(library: model.Library) -> Iterator[Problem]:
    """Yield what the game finds wrong with the answers themselves, whatever lies beside them."""
    from edition.game import read_game  # a command of the game knows its own

    root = Path(library.root)
    for reader in read_game(root)[0].readers.values():
        yield from () if reader.files else reader.read(root, library)[1]


def hint_nearest_name(word: str, known: Iterable[str]) -> str:
    """List all names if they are few; otherwise guess which one was meant."""
    names = list(known)
    if len(names) <= _MAX_LISTED_NAMES:
        return f"There are: {', '.join(names)}."
    lowered = {name.casefold(): name for name in reversed(names)}
    near = difflib.get_close_matches(word.casefold(), lowered, 1, 0.6)
    return f"Did you mean {lowered[near[0]]}?{describe_lookalikes(word, lowered[near[0]])}" if near else ""


def match_siglum(library: model.Library, name: str) -> str:
    """Find a source by its siglum, in whatever letters."""
    known = {source.casefold(): source for source in library.sources}
    if name.strip().casefold() in known:
        return known[name.strip().casefold()]
    near = did_you_mean(name.strip().upper(), library.sources, "")
    meant = f" {near[0].upper()}{near[1:]}" if near else ""
    raise click.UsageError(f"No source {quote_value(name)}. There are: {', '.join(library.sources)}.{meant}")


# ---- wishes
def parse_wish_option(library: model.Library, text: str) -> Choice:
    """Parse one wish, as it is typed after --with."""
    mark = next((m for m in "=@" if m in text), "")
    if mark:
        name, _, rest = text.partition(mark)
        question = match_question(library, name, f"--with {text}: no question")
        text = f"{question.id}{mark}{rest if mark == '=' else match_siglum(library, rest)}"
    else:
        text = text.strip()
        text = next(
            (
                alternative.id
                for alternative in (alternative for _, alternative in iter_clause_alternatives(library.clauses()))
                if alternative.id.casefold() == text.casefold()
            ),
            text,
        )
    try:
        return read_choice(library, text.strip())
    except BadChoice as bad:
        raise click.UsageError(f"--with {bad}") from None


def match_question(library: model.Library, name: str, fault: str = "No question") -> model.Question:
    """Find a question by its id, number or slug, in any letters; *fault* begins the message if there is none."""
    if question := find_question(library, name):
        return question
    known = [q.id for q in library.questions.values()] + list(library.questions)
    hint = hint_nearest_name(name, known) or (
        f"Questions are Q001 to {max(q.id for q in library.questions.values())}, {len(library.questions)} in all; "
        f"`{name_command('list questions')}` lists them."
    )
    raise click.UsageError(f"{fault} {quote_value(name.strip())}. {hint}") from None


def find_question(library: model.Library, name: str) -> model.Question | None:
    """Find a question by its id, number or slug, in any letters: `31`, `q31` and `Q31` are Q031."""
    with suppress(KeyError):
        return library.question(name)
    return None


def resolve_cli_rules(library: model.Library, source: str, wishes: Iterable[Choice] = ()) -> model.Ruleset:
    """Resolve the rules of a source, with the reader's wishes."""
    wishes = tuple(wishes)
    try:
        refuse_conflicting(library, wishes)
        return resolve(library, source, wishes)
    except BadChoice as bad:
        raise click.UsageError(f"--with {bad}") from None
    except model.Conflict as conflict:
        raise click.ClickException(f"{conflict}; `{name_command('check')}` tells where") from None


def named_rules(library: model.Library, name: str) -> model.Ruleset:
    """Rules by their name as it is printed: PAM, or PAM + Q017@ACA."""
    source, *wishes = (part.strip() for part in name.split("+"))
    return resolve_cli_rules(
        library, match_siglum(library, source), [parse_wish_option(library, text) for text in wishes]
    )
