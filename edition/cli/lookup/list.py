"""Lists of what there is: for people, as JSON lines, as CSV."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from edition.cli import output
from edition.cli.arguments import match_siglum
from edition.cli.completion import find_completed_library
from edition.cli.lookup.catalogue import open_corpus
from edition.cli.lookup.words import read_synonyms, row_has_words
from edition.cli.options import GROUP_NAMES, make_format_option, make_source_option
from edition.corpus.corpus import Corpus
from edition.game import Game, read_game
from edition.views.common import group_questions
from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import format_plain_answer
from rulebook.grouping import group_pairs
from rulebook.model import Question
from rulebook.program_name import name_command
from rulebook.sheets.csv_form import render_data_csv
from rulebook.sources.paths import find_sources
from rulebook.strings import LIST_SEPARATOR, quote_value

_LIST_SCHEMA = 1
_MAX_WHOLE_NAME = 50  #: columns of a name that is never broken


@dataclass(frozen=True, slots=True)
class ListFilter:
    """Sources and topic to which a list is narrowed; all where none is named."""

    sources: tuple[str, ...] = ()
    topic: str = ""

    def takes(self, topic: str) -> bool:
        """Return whether a topic is wanted."""
        return self.topic in ("", topic)


_Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ListKind:
    """One kind of list: how its rows are made, which columns people read, which filters it takes."""

    rows: Callable[[Corpus, ListFilter], Iterator[_Row]]
    shown: tuple[str, ...]
    filters: tuple[str, ...] = ()


@click.command("list")
@click.argument("kind", default="", metavar="[KIND]", shell_complete=lambda *given: complete_kind(given[0], given[-1]))
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@make_source_option("Only what this source has; questions come with its answer. May be given several times.")
@click.option(
    *GROUP_NAMES,
    "topic",
    default="",
    metavar="TOPIC",
    help="Only this topic, by its name or a part of it.",
)
@make_format_option(
    ["text", "json", "csv"], "A table, one line of JSON for each row, or CSV (| between several values)."
)
def list_command(kind: str, words: tuple[str, ...], sources: tuple[str, ...], topic: str, form: str) -> None:
    """List sources, questions, readings and more.

    KIND is one of sources, questions, readings, kinds (of answers), topics, interpretations (passages that can be read
    in another way, and options), terms. `rulebook show ID` has all about each. With WORDS only what has
    them all, or other words for the same.

    Questions, readings and interpretations can be narrowed by --topic and --source.
    """
    if not kind:
        _print_kinds(open_corpus(), form)
        return
    kinds = get_list_kinds(read_game(find_sources())[0])
    name = match_kind(kind, kinds)
    _refuse_filters(name, sources, topic, kinds)
    corpus = open_corpus()
    wanted = ListFilter(
        tuple(dict.fromkeys(match_siglum(corpus.library, source) for source in sources)), match_topic(corpus, topic)
    )
    rows = list(kinds[name].rows(corpus, wanted))
    if sought := [part for word in words for part in word.split()]:
        synonyms = read_synonyms(Path(corpus.library.root))
        rows = [row for row in rows if row_has_words(row, sought, synonyms)]
    if not rows:
        output.print_remark(f"There are no such {name}.")
    answers = tuple(f"{siglum} answer" for siglum in wanted.sources if name == "questions")
    print_rows(form, rows, kinds[name].shown + answers)


def match_kind(word: str, kinds: Iterable[str]) -> str:
    """Find a kind of list, in singular or plural. Raise click.UsageError if there is none."""
    folded = word.strip().casefold()
    named = {name: name for name in kinds} | {name.removesuffix("s"): name for name in kinds}
    if folded in named:
        return named[folded]
    near = difflib.get_close_matches(folded, named, 1)
    hint = f"Did you mean {named[near[0]]}?" if near else f"There are: {', '.join(kinds)}."
    raise click.UsageError(f"No list of {quote_value(word)}. {hint}")


def match_topic(corpus: Corpus, word: str) -> str:
    """Find a topic by its name or a part of it. Raise click.UsageError if there is none."""
    groups, folded = list(group_questions(corpus)), word.strip().casefold()
    if not folded:
        return ""
    topics = [group for group in groups if folded in group.casefold()]
    exact = [topic for topic in topics if folded in (topic.casefold(), topic.casefold().removeprefix("the "))]
    if len(exact or topics) == 1:
        return (exact or topics)[0]
    hint = f"Which: {', '.join(topics)}?" if topics else f"There are: {', '.join(groups)}."
    raise click.UsageError(
        f"{'Several topics have' if topics else 'No topic has'} {quote_value(word)} in the name. {hint}"
    )


def complete_kind(context: click.Context, incomplete: str) -> list[str]:
    """Return the kinds of lists that begin so."""
    kinds = get_list_kinds(read_game(find_completed_library(context))[0])
    return [name for name in kinds if name.startswith(incomplete.casefold())]


def _refuse_filters(name: str, sources: Sequence[str], topic: str, kinds: Mapping[str, ListKind]) -> None:
    for given, option in ((sources, "--source"), (topic, "--topic")):
        if given and option not in kinds[name].filters:
            fitting = [kind_name for kind_name, kind in kinds.items() if option in kind.filters]
            raise click.UsageError(f"{option} does not narrow {name}; it is for {', '.join(fitting)}.")


# ---- rows
def _list_sources(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    for source in corpus.library.sources.values():
        yield {
            "id": source.siglum,
            "name": source.short_name,
            "date": source.short_date,
            "language": source.language,
            "unit": source.unit,
            "sentences": len(source.text.sentences) if source.text else len(source.statements),
            "clauses": len(source.clauses),
            "title": source.title,
        }


def _list_questions(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    for question in corpus.library.questions.values():
        answers = {s: _mark_assumed(corpus, question, s) for s in wanted.sources}
        if wanted.takes(question.group) and (not answers or any(answers.values())):
            row = {
                "id": question.id,
                "slug": question.slug,
                "topic": question.group,
                "asks": question.asks,
                "readings": [*question.readings],
            }
            yield row | {f"{siglum} answer": answer for siglum, answer in answers.items()}


def _mark_assumed(corpus: Corpus, question: Question, siglum: str) -> str:
    cell, answer = corpus.cell(siglum, question.slug), _word_answer(corpus, question, siglum)
    if corpus.rests_on_supplied(siglum, question.slug):
        return f"{answer} (rests on our assumption)"
    return f"{answer} (our assumption)" if cell and cell.supplied else answer


def _word_answer(corpus: Corpus, question: Question, siglum: str) -> str:
    cell = corpus.cell(siglum, question.slug)
    if cell is None or cell.value is None:
        return ""
    return format_plain_answer(question, cell.value, corpus.library.sources[siglum], corpus.library)


def _list_readings(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    for question in corpus.library.questions.values():
        if not wanted.takes(question.group):
            continue
        cells = ((siglum, corpus.cell(siglum, question.slug)) for siglum in corpus.library.sources)
        held = group_pairs((format_canonical(cell.value), s) for s, cell in cells if cell and cell.value is not None)
        for key in dict.fromkeys((*question.readings, *held)):
            sources = [*held.get(key, ())]
            if not wanted.sources or set(sources) & set(wanted.sources):
                yield {
                    "id": f"{question.id}={key}",
                    "question": question.id,
                    "reading": key,
                    "says": question.readings.get(key) or _word_answer(corpus, question, sources[0]),
                    "asks": question.asks,
                    "sources": sources,
                }


def _list_kinds(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    """Yield the kinds of answers that the measure of a question may name, and before them the closed list."""
    yield {
        "id": "readings",
        "answer": "one of the readings that the question lists",
        "typed": "the name of a reading",
        "questions": [question.id for question in corpus.library.questions.values() if question.closed],
    }
    for name, kind in {**LIBRARY_KINDS, **corpus.game.kinds}.items():
        yield {
            "id": name,
            "answer": kind.describes,
            "typed": kind.example.replace("{0}", "word, word"),
            "questions": [one.id for one in corpus.library.questions.values() if one.measure.get("type") == name],
        }


def _list_topics(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    for group, questions in group_questions(corpus).items():
        yield {"id": group, "questions": [question.id for question in questions], "number": len(questions)}


def _list_interpretations(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    for clause in corpus.library.clauses():
        if wanted.sources and clause.source not in wanted.sources:
            continue
        for alternative in clause.alternatives:
            questions = [corpus.library.questions[slug] for slug in alternative.answers]
            if not wanted.topic or wanted.topic in [question.group for question in questions]:
                asked = [question.id for question in questions]
                yield {
                    "id": alternative.id,
                    "kind": alternative.kind,
                    "label": alternative.label,
                    "clause": clause.id,
                    "questions": asked,
                }


def _list_terms(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    for term in corpus.terms:
        yield {
            "id": term.id,
            "term": term.term,
            "language": term.lang,
            "english": term.english,
            "definition": term.definition,
        }


_LIST_KINDS: Mapping[str, ListKind] = {
    "sources": ListKind(_list_sources, ("id", "name", "date", "language", "sentences", "clauses")),
    "questions": ListKind(_list_questions, ("id", "asks"), ("--source", "--topic")),
    "readings": ListKind(_list_readings, ("id", "says", "sources"), ("--source", "--topic")),
    "kinds": ListKind(_list_kinds, ("id", "answer", "typed")),
    "topics": ListKind(_list_topics, ("id", "number")),
    "interpretations": ListKind(_list_interpretations, ("id", "label", "questions"), ("--source", "--topic")),
    "terms": ListKind(_list_terms, ("id", "term", "english")),
}


def get_list_kinds(game: Game) -> Mapping[str, ListKind]:
    """Return every kind of list; those of the game come after the readings."""
    own = {
        lookup.plural: ListKind(lookup.rows, lookup.columns, lookup.filters)
        for lookup in game.lookups.values()
        if lookup.rows is not None
    }
    names = [*_LIST_KINDS]
    after = names.index("readings") + 1
    kinds = {**_LIST_KINDS, **own}
    return {name: kinds[name] for name in (*names[:after], *own, *names[after:])}


# ---- printing
def print_rows(form: str, rows: Sequence[Mapping[str, Any]], shown: Sequence[str]) -> None:
    """Print rows as text, with the columns that people read, or as JSON or CSV with all of them."""
    _PRINTERS[form](rows, shown)


def _print_kinds(corpus: Corpus, form: str) -> None:
    counts = [
        {
            "kind": name,
            "number": sum(1 for _ in kind.rows(corpus, ListFilter())),
            "command": name_command(f"list {name}"),
        }
        for name, kind in get_list_kinds(corpus.game).items()
    ]
    print_rows(form, counts, ("kind", "number", "command"))


def _print_table(rows: Sequence[_Row], shown: Sequence[str]) -> None:
    from rich.table import Column
    from rich.text import Text

    if not rows:
        return
    first, *others = shown
    whole = max(len(str(row[first])) for row in rows) <= _MAX_WHOLE_NAME
    table = output.make_table(
        Column(first, no_wrap=whole, overflow="fold"), *(Column(name, overflow="fold") for name in others)
    )
    for row in rows:
        table.add_row(*(Text(_format_cell(row.get(name, ""), ", ")) for name in shown))
    output.make_console().print(table)


def _print_rows_json(rows: Sequence[_Row], shown: Sequence[str]) -> None:
    for row in rows:
        output.print_json({"schema": _LIST_SCHEMA, **row})


def _print_csv(rows: Sequence[_Row], shown: Sequence[str]) -> None:
    if not rows:
        return
    cells = ([_format_cell(cell, LIST_SEPARATOR) for cell in row.values()] for row in rows)
    click.echo(render_data_csv(([*rows[0]], *cells)), nl=False)


def _format_cell(cell: object, separator: str) -> str:
    return separator.join(map(str, cell)) if isinstance(cell, list) else str(cell)


_PRINTERS: Mapping[str, Callable[[Sequence[_Row], Sequence[str]], None]] = {
    "text": _print_table,
    "json": _print_rows_json,
    "csv": _print_csv,
}
