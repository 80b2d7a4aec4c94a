"""Shell completion of ids: sources, questions, their readings and more; it never prints a problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import BashComplete, CompletionItem

from rulebook.model import Library, Question
from rulebook.sources.paths import find_sources, find_working_library

_Items = list[CompletionItem]
_WORD_BREAKS = ("=", "@")  #: letters at which bash takes a word apart, and that stand within our names


def complete_source(context: click.Context, parameter: click.Parameter, incomplete: str) -> _Items:
    """Complete the siglum of a source."""
    library = load_library_quietly(context)
    return list(_complete_sources(library, incomplete)) if library else []


def complete_question(context: click.Context, parameter: click.Parameter, incomplete: str) -> _Items:
    """Complete a question, or a source: what `separate` takes."""
    library = load_library_quietly(context)
    if library is None:
        return []
    return [*_complete_questions(library, incomplete), *_complete_sources(library, incomplete)]


def complete_wish(context: click.Context, parameter: click.Parameter, incomplete: str) -> _Items:
    """Complete QUESTION=READING, QUESTION@SOURCE, or the id of an interpretation."""
    library = load_library_quietly(context)
    if library is None:
        return []
    if match := re.match(r"(.+?)([=@])", incomplete):
        return list(_complete_answer(library, match[1], match[2], incomplete[match.end() :]))
    alternatives = (
        (alternative.id, alternative.label) for clause in library.clauses() for alternative in clause.alternatives
    )
    return [*_complete_questions(library, incomplete, "="), *pick_names(alternatives, incomplete)]


def complete_id(context: click.Context, parameter: click.Parameter, incomplete: str) -> _Items:
    """Complete anything that `show` takes."""
    library = load_library_quietly(context)
    if library is None:
        return []
    if match := re.match(r"(.+?)([=@])", incomplete):
        return list(_complete_answer(library, match[1], match[2], incomplete[match.end() :]))
    named = [*_complete_questions(library, incomplete), *_complete_sources(library, incomplete)]
    from edition.game import read_game

    lookups = read_game(Path(library.root))[0].lookups.values()
    ids = ((id, "") for lookup in lookups for id in lookup.find_paths(library))
    return [*named, *pick_names(ids, incomplete), *pick_names(_list_passages(library, incomplete), incomplete)]


# ---- what there is
def load_library_quietly(context: click.Context) -> Library | None:
    """Return the library that the command which is being typed would read; None where it cannot be read."""
    from rulebook.load import quick_load

    return quick_load(find_completed_library(context))[0]


def find_completed_library(context: click.Context) -> Path:
    """Return the folder named, that of the program, or that in which one is."""
    program = context.find_root()
    if named := context.params.get("folder") or program.params.get("folder"):
        return Path(named)
    return find_sources() if getattr(program.command, "own_library", False) else find_working_library()


def _complete_sources(library: Library, incomplete: str) -> Iterator[CompletionItem]:
    return pick_names(((source.siglum, source.title) for source in library.sources.values()), incomplete)


def _complete_questions(library: Library, incomplete: str, after: str = "") -> Iterator[CompletionItem]:
    """Yield questions by id, number and slug; a number becomes the id."""
    questions = library.questions.values()
    if incomplete.isdigit():
        numbered = (question for question in questions if question.id.lstrip("Q0").startswith(incomplete.lstrip("0")))
        yield from (CompletionItem(f"{question.id}{after}", help=question.asks) for question in numbered)
        return
    yield from pick_names(((f"{question.id}{after}", question.asks) for question in questions), incomplete)
    if incomplete:  # the same questions once more
        yield from pick_names(((f"{question.slug}{after}", question.asks) for question in questions), incomplete)


def _complete_answer(library: Library, name: str, mark: str, begun: str) -> Iterator[CompletionItem]:
    from edition.cli.arguments import find_question

    question = find_question(library, name)
    if question is None:
        return
    known = (
        _list_readings(library, question)
        if mark == "="
        else ((s, source.title) for s, source in library.sources.items())
    )
    for item in pick_names(known, begun):
        yield CompletionItem(f"{name}{mark}{item.value}", help=item.help)


def _list_readings(library: Library, question: Question) -> Iterator[tuple[str, str]]:
    """Yield the readings of a question; of one that takes numbers, what the sources answer."""
    if question.readings:
        yield from question.readings.items()
        return
    cells = ((siglum, library.cell(siglum, question.slug)) for siglum in library.sources)
    numbers = [(str(cell.value), siglum) for siglum, cell in cells if cell and isinstance(cell.value, int | str)]
    for number in dict.fromkeys(value for value, _ in numbers):
        yield number, ", ".join(siglum for value, siglum in numbers if value == number)


def _list_passages(library: Library, incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses and sentences of one source, once its siglum is typed."""
    source = library.sources.get(incomplete.partition(".")[0].upper())
    if source is None or "." not in incomplete:
        return
    yield from ((clause.id, clause.status) for clause in source.clauses)
    yield from ((id, "") for id in (source.text.sentences if source.text else ()))
    yield from ((statement.id, statement.section) for statement in source.statements)


def pick_names(known: Iterable[tuple[str, str]], incomplete: str) -> Iterator[CompletionItem]:
    """Yield the names that begin so, each with what it means."""
    begun = incomplete.casefold()
    yield from (
        CompletionItem(name, help=" ".join(meaning.split()) or None)
        for name, meaning in known
        if name.casefold().startswith(begun)
    )


# ---- bash
class WholeWordBash(BashComplete):
    """Bash completion of names with = or @ in them, at which bash takes words apart."""

    #: After = no space is set: a reading follows.
    source_template = BashComplete.source_template.replace(
        "COMPREPLY+=($value)", "COMPREPLY+=($value); [[ $value == *= ]] && compopt -o nospace"
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the arguments before the word to complete, and that word, put together again."""
        before, incomplete = super().get_completion_args()
        words: list[str] = []
        for word in (*before, incomplete):
            if words and (word.startswith(_WORD_BREAKS) or words[-1].endswith(_WORD_BREAKS)):
                words[-1] += word
            else:
                words.append(word)
        return words[:-1], words[-1]

    def get_completions(self, args: list[str], incomplete: str) -> _Items:
        """Return the completions, without the part of the word that bash does not replace."""
        typed = incomplete.partition("=")[2] if incomplete.startswith("-") else incomplete
        cut = max(map(typed.rfind, _WORD_BREAKS)) + 1
        items = super().get_completions(args, incomplete)
        return [CompletionItem(item.value[cut:], type=item.type, help=item.help) for item in items] if cut else items
