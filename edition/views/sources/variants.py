"""Every variant of every witness: what our copy has, what the witness has, of what kind that is and what it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edition.corpus.collations import read_collations
from edition.corpus.corpus import Corpus
from edition.export.downloads import get_download_address, get_source_file_address
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.text.collations import KIND_NAMES, account_for_words, say_what_moves
from edition.views.common import Prose
from edition.views.plain_answers import source_marks
from rulebook.grouping import group_pairs
from rulebook.model import FrozenMap
from rulebook.phrases import format_count
from rulebook.witnesses.model import WITNESS_VARIANT_KINDS, Collation, WitnessVariant


@dataclass(frozen=True, slots=True)
class VariantView:
    """A place at which our copy and a witness differ."""

    variant: WitnessVariant
    why: Prose
    moves: Prose


@dataclass(frozen=True, slots=True)
class WitnessView:
    """A witness of a source, and its variants by kind."""

    siglum: str
    lang: str
    title: str
    date: str
    machine: bool  #: whether its transcription is a machine's, which we correct
    file: str  #: address of its raw transcription, from the first page of the edition
    facts: tuple[tuple[str, Prose], ...]
    account: str
    kinds: tuple[tuple[str, tuple[VariantView, ...]], ...]


@dataclass(frozen=True, slots=True)
class VariantsView:
    """The witnesses of every source that has any."""

    sources: tuple[tuple[SourceMark, tuple[WitnessView, ...]], ...]
    files: Mapping[str, str]  #: siglum -> address of the text with its apparatus, from the first page of the edition
    substantive: int
    exchanged: tuple[str, ...]  #: those of them at which both have a word, with the words
    moving: int  #: those of them that would change an answer


def variants_view(corpus: Corpus, _: str = "") -> VariantsView:
    """Every witness with every variant."""
    collations = {siglum: each for siglum, each in read_collations(corpus).items() if each}
    words = [
        variant for each in collations.values() for c in each for variant in c.variants if variant.kind == "substantive"
    ]
    marks = source_marks(corpus)
    return VariantsView(
        tuple(
            (marks[siglum], tuple(_view_witness(corpus, collation) for collation in each))
            for siglum, each in collations.items()
        ),
        FrozenMap((siglum, get_download_address("tei", f"{siglum}.xml")) for siglum in collations),
        len(words),
        tuple(f"{word.ours}/{word.theirs}" for word in words if word.ours and word.theirs),
        sum(bool(word.moves) for word in words),
    )


def _view_witness(corpus: Corpus, collation: Collation) -> WitnessView:
    witness, siglum = collation.witness, collation.witness.source
    facts = (
        ("Consulted", f"{witness.first} to {witness.last}: {witness.scope}."),
        ("Seen", witness.seen),
        ("Corrected by us", f"{format_count(collation.corrected, 'word')}. {witness.corrected}"),
        ("Hands", "; ".join(f"{name}: {resp}" for resp, name in witness.hands.values())),
    )
    by_kind = group_pairs(
        (each.kind, VariantView(each, corpus.prose(each.why, siglum), corpus.prose(say_what_moves(each), siglum)))
        for each in collation.variants
    )
    return WitnessView(
        witness.siglum,
        witness.lang,
        witness.title,
        witness.date,
        collation.corrected > 0,
        get_source_file_address(f"{siglum}/witnesses/{witness.siglum}.txt"),
        tuple((label, corpus.prose(text, siglum)) for label, text in facts),
        account_for_words(collation),
        tuple((kind, by_kind[kind]) for kind in WITNESS_VARIANT_KINDS if kind in by_kind),
    )


render_variants = template_renderer("edition", "variants", names=KIND_NAMES, meanings=WITNESS_VARIANT_KINDS)
