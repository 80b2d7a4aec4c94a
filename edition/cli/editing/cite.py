"""Words of a source, found by what one remembers of them, ready to be pasted into a clause."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from edition.cli import output
from edition.cli.arguments import load_library_or_exit, match_siglum
from edition.cli.completion import complete_source
from edition.cli.editing.new_source import find_editable_sources, open_library
from edition.cli.options import SOURCES_OPTION, make_format_option
from rulebook.model import Source
from rulebook.passage_search import Passage, Searched, find_passages, format_citation_yaml, get_passage_sentence
from rulebook.phrases import format_count
from rulebook.program_name import name_command
from rulebook.quotations import words_at
from rulebook.spelling import SPELLING, read_spelling
from rulebook.strings import quote_value

MAX_SOUGHT = 2000  #: letters: no sentence of a source is longer
WIDEST = 300  #: letters of a sentence that are shown around the words


@click.command("cite")
@click.argument("source", metavar="SIGLUM", shell_complete=complete_source)
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@make_format_option(["yaml", "json"], "Ready to be pasted under `cites:`, or one line of JSON for each find.")
@click.option("--most", type=click.IntRange(min=1), default=5, show_default=True, help="Largest number of matches.")
@SOURCES_OPTION
def cite_command(source: str, words: tuple[str, ...], form: str, most: int, folder: Path | None) -> None:
    """Find words in a source and print them as a citation.

    WORDS may be in modern spelling, without accents or capitals. Printed are the words as the source spells them, with
    their sentence and its checksum. If they occur several times, all places are offered; if nowhere, the nearest match
    (exit code 1).
    """
    books = open_library(find_editable_sources(folder)) if folder else load_library_or_exit()
    book = books.sources[match_siglum(books, source)]
    sought = " ".join(words)
    if not sought.strip():
        example = name_command(f'cite {book.siglum} "some words"')
        raise click.UsageError(f"Which words? For example: {example}.")
    if len(sought) > MAX_SOUGHT:
        raise click.UsageError(f"{len(sought)} letters are sought; {MAX_SOUGHT} are the most. The first words will do.")
    if book.text is None and not book.statements:
        command = name_command("import-text")
        raise click.ClickException(f"{book.siglum} has no text yet; `{command}` turns one into sentences")
    spelling, _ = read_spelling(Path(books.root) / SPELLING)
    passages = find_passages(Searched(book, spelling), sought)
    _print_passages(book, sought, passages, form, most)
    sys.exit(int(not passages or passages[0].near))


def _print_passages(source: Source, sought: str, passages: Sequence[Passage], form: str, most: int) -> None:
    if not passages:
        output.print_remark(f"Nothing like {quote_value(sought)} was found in {source.siglum}. Try fewer words.")
    elif passages[0].near:
        output.print_remark(f"{quote_value(sought)} does not stand in {source.siglum}. What comes nearest:")
    elif len(passages) > 1:
        output.print_remark(f"{format_count(len(passages), 'place')} in {source.siglum}: take the one that is meant.")
    for passage in passages[:most]:
        if form == "json":
            output.print_json(_passage_to_data(source, passage))
        else:
            output.print_lines(output.make_console(), [f"    # {_format_headline(source, passage)}"], after="    # ")
            click.echo(format_citation_yaml(passage.cite))
    if len(passages) > most:
        output.print_remark(f"and {len(passages) - most} more; --most {len(passages)} shows them all")


def _format_headline(source: Source, passage: Passage) -> str:
    place = f"p. {passage.page}: " if passage.page else ""
    if source.text is None:
        statement = next(s.text for s in source.statements if s.id == passage.cite.locus)
        return _shorten_text(f"in our words: {statement}")
    return _shorten_text(f"{place}{get_passage_sentence(source, passage)}")


def _shorten_text(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WIDEST else f"{text[:WIDEST].rsplit(' ', 1)[0]} ..."


def _passage_to_data(source: Source, passage: Passage) -> dict[str, object]:
    cite = passage.cite
    fields = ("locus", "to", "exact", "prefix", "suffix", "view", "seen")
    given = {name: text for name in fields if (text := getattr(cite, name))}
    sentence = words_at(source, (cite.locus,), cite.view)
    return {"schema": 1, **given, "page": passage.page or None, "sentence": sentence, "near": passage.near}
