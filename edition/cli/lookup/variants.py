"""Variants of the witnesses: how many of each kind, and each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from edition.cli import output
from edition.cli.arguments import hint_nearest_name, match_siglum
from edition.cli.completion import complete_source
from edition.cli.lookup.catalogue import open_corpus
from edition.cli.lookup.list import print_rows
from edition.cli.options import make_format_option
from edition.corpus.collations import list_collations
from edition.corpus.corpus import Corpus
from edition.text.collations import account_for_words, say_what_moves
from rulebook.strings import quote_value
from rulebook.witnesses.model import WITNESS_VARIANT_KINDS, Collation, WitnessVariant

_SHOWN = ("witness", "sentence", "kind", "ours", "theirs", "why")
_COUNTED = ("witness", "kind", "words", "places")


@click.command("variants")
@click.argument("source", default="", metavar="[SIGLUM]", shell_complete=complete_source)
@click.option("-w", "--witness", default="", metavar="W", help="Only this witness.")
@click.option("-k", "--kind", type=click.Choice(tuple(WITNESS_VARIANT_KINDS)), help="Only variants of this kind.")
@click.option("--counts", is_flag=True, help="Only how many words and variants of each kind.")
@make_format_option(["text", "json", "csv"], "Tables, one line of JSON for each row, or CSV.")
def variants_command(source: str, witness: str, kind: str | None, counts: bool, form: str) -> None:
    """List the variants of other prints of a text, by kind.

    A witness is another print or copy of a source's text, as far as it was consulted. Every word of it is accounted
    for: the same letter by letter, spelt otherwise, misread by the machine that read the witness, a misprint of one of
    the two, or another word (substantive). Marks are compared after words that are the same.

    SIGLUM is the source; default: all that have a witness. A witness has its own siglum.
    """
    collations = _choose(open_corpus(), source, witness)
    if not collations:
        output.print_remark(f"{source.strip().upper() or 'No source'} has {'no' if source else 'a'} witness.")
    if form == "text" and not counts:
        for collation in collations:
            output.print_lines(output.make_console(), [*_describe(collation), ""])
    if counts:
        print_rows(form, [row for collation in collations for row in _list_counts(collation, kind)], _COUNTED)
    else:
        print_rows(form, [row for collation in collations for row in _list_rows(collation, kind)], _SHOWN)


def _choose(corpus: Corpus, source: str, witness: str) -> list[Collation]:
    """Choose collations. Raise click.UsageError for a source or a witness that there is not."""
    siglum = match_siglum(corpus.library, source) if source else ""
    there = [collation for collation in list_collations(corpus) if siglum in ("", collation.witness.source)]
    if not witness:
        return there
    collations = [collation for collation in there if collation.witness.siglum.casefold() == witness.strip().casefold()]
    if not collations:
        of = f" of {siglum}" if siglum else ""
        raise click.UsageError(f"No witness {quote_value(witness)}{of}. {hint_nearest_name(witness, _name(there))}")
    return collations


def _name(collations: Sequence[Collation]) -> list[str]:
    return [collation.witness.siglum for collation in collations] or ["none"]


def _describe(collation: Collation) -> Iterator[str]:
    """Say what a witness is, and account for its words."""
    witness = collation.witness
    yield f"{witness.siglum}, a witness of {witness.source}: {witness.title} ({witness.date})."
    yield f"  Consulted: {witness.first} to {witness.last}, {witness.scope}."
    yield f"  {account_for_words(collation)}"


def _list_counts(collation: Collation, kind: str | None) -> Iterator[dict[str, Any]]:
    head = {"source": collation.witness.source, "witness": collation.witness.siglum}
    if kind is None:
        yield {**head, "kind": "all", "words": collation.words, "places": len(collation.variants)}
        yield {**head, "kind": "same", "words": collation.same, "places": 0}
    for name, places in collation.counts.items():
        if kind in (None, name):
            yield {**head, "kind": name, "words": collation.words_of_kinds.get(name, 0), "places": places}


def _list_rows(collation: Collation, kind: str | None) -> Iterator[dict[str, Any]]:
    yield from (_make_row(collation, variant) for variant in collation.variants if kind in (None, variant.kind))


def _make_row(collation: Collation, variant: WitnessVariant) -> dict[str, Any]:
    return {
        "source": collation.witness.source,
        "witness": collation.witness.siglum,
        "sentence": variant.sentence,
        "word": variant.word,
        "kind": variant.kind,
        "ours": variant.ours,
        "theirs": variant.theirs,
        "transcribed": variant.transcribed,
        "why": variant.why,
        "by": variant.by,
        "emendation": variant.emendation,
        "moves": list(variant.moves),
        "weighed": say_what_moves(variant),
    }
