"""Every variant of every witness: what our copy has, what the witness has, of what kind that is and what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.corpus.collations import read_collations
from edition.corpus.corpus import Corpus
from edition.export.downloads import get_download_address, get_source_file_address
from edition.nodes.builders import (
    Content,
    add_anchor,
    definition_list,
    details,
    emphasis,
    file_link,
    link,
    markup_of,
    para,
    section,
    span,
)
from edition.nodes.builders import table as build_table
from edition.nodes.components import SourceMark, named_source, render_prose
from edition.text.collations import KIND_NAMES, account_for_words, say_what_moves
from edition.views.common import Prose
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from rulebook.model import FrozenMap
from rulebook.phrases import format_count
from rulebook.witnesses.model import WITNESS_VARIANT_KINDS, Collation, WitnessVariant

#: Kinds whose lists stand open: a reader asks for these first.
_OPEN_KINDS = ("substantive", "misprint")


@dataclass(frozen=True, slots=True)
class VariantView:
    """A place at which our copy and a witness differ."""

    sentence: str  #: of ours; empty where the witness alone has it
    ours: str
    theirs: str
    transcribed: str
    why: Prose
    moves: Prose
    emendation: str


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
    found = {siglum: each for siglum, each in read_collations(corpus).items() if each}
    words = [one for each in found.values() for c in each for one in c.variants if one.kind == "substantive"]
    marks = source_marks(corpus)
    return VariantsView(
        tuple((marks[siglum], tuple(_view_witness(corpus, one) for one in each)) for siglum, each in found.items()),
        FrozenMap((siglum, get_download_address("tei", f"{siglum}.xml")) for siglum in found),
        len(words),
        tuple(f"{one.ours}/{one.theirs}" for one in words if one.ours and one.theirs),
        sum(bool(one.moves) for one in words),
    )


def _view_witness(corpus: Corpus, one: Collation) -> WitnessView:
    told, siglum = one.witness, one.witness.source
    facts = (
        ("Consulted", f"{told.first} to {told.last}: {told.scope}."),
        ("Seen", told.seen),
        ("Corrected by us", f"{format_count(one.corrected, 'word')}. {told.corrected}"),
        ("Hands", "; ".join(f"{name}: {resp}" for resp, name in told.hands.values())),
    )
    by_kind = FrozenMap(
        (kind, tuple(_view_variant(corpus, siglum, each) for each in one.variants if each.kind == kind))
        for kind in WITNESS_VARIANT_KINDS
    )
    return WitnessView(
        told.siglum,
        told.lang,
        told.title,
        told.date,
        one.corrected > 0,
        get_source_file_address(f"{siglum}/witnesses/{told.siglum}.txt"),
        tuple((label, corpus.prose(said, siglum)) for label, said in facts),
        account_for_words(one),
        tuple((kind, found) for kind, found in by_kind.items() if found),
    )


def _view_variant(corpus: Corpus, siglum: str, one: WitnessVariant) -> VariantView:
    return VariantView(
        one.sentence if one.sentence.partition(".")[0] == siglum else "",
        one.ours,
        one.theirs,
        one.transcribed,
        corpus.prose(one.why, siglum),
        corpus.prose(say_what_moves(one), siglum),
        one.emendation,
    )


# ---- layout
def render_variants(view: VariantsView) -> Nodes:
    """Render what the witnesses come to, and each with its variants."""
    return [
        para(*_introduce(view), cls="rv-lede"),
        *(_render_source_variants(mark, view.files[mark.siglum], found) for mark, found in view.sources),
    ]


def _introduce(view: VariantsView) -> list[Content]:
    witnesses = sum(len(found) for _, found in view.sources)
    if not witnesses:
        return ["No text has been compared with another print or copy of it yet."]
    moving = f"{view.moving} of them would change an answer" if view.moving else "None of them changes an answer"
    said = f"{format_count(witnesses, 'other print')} of a text, compared word by word as far as it was consulted."
    places, words = (
        format_count(len(view.exchanged), "place"),
        f" ({', '.join(view.exchanged)})" if view.exchanged else "",
    )
    more = view.substantive - len(view.exchanged)
    rest = f"in {more} one of the two has words more"
    return [f"{said} In {places} another word stands there{words}; {rest}. {moving}."]


def _render_source_variants(mark: SourceMark, file: str, witnesses: Iterable[WitnessView]) -> nodes.section:
    inside = [each for one in witnesses for each in _render_witness(mark, one)]
    taken = para("The text with this apparatus, as TEI: ", file_link(file, file.rpartition("/")[2]), ".")
    made = section(f"variants-{mark.siglum}", [named_source(mark)], *inside, taken)
    return add_anchor(made, "variants", mark.siglum, f"Variants: {mark.name}", at=f"variants-{mark.siglum}")


def _render_witness(mark: SourceMark, one: WitnessView) -> Nodes:
    raw: tuple[Content, Content] = ("Raw transcription", file_link(one.file, one.file.rpartition("/")[2]))
    facts = definition_list([*((label, render_prose(said)) for label, said in one.facts), raw], cls="rv-facts")
    return [
        para(emphasis(one.title, lang=one.lang), f" ({one.date}), called ", span(one.siglum, cls="rv-id"), " here."),
        para(one.account),
        details("What was consulted, where it was seen, what was corrected", facts),
        *(each for kind, found in one.kinds for each in _render_kind(mark, one, kind, found)),
    ]


def _render_kind(mark: SourceMark, witness: WitnessView, kind: str, found: Sequence[VariantView]) -> Nodes:
    name, number = KIND_NAMES[kind].capitalize(), span(f" {len(found)}", cls="rv-small")
    weighed = any(one.moves for one in found)
    there = f"{witness.siglum}, {'a machine reading corrected by us' if witness.machine else 'as transcribed'}"
    head = (f"{mark.name}, as transcribed", there, "Where", "Why", *(["What it changes"] if weighed else []))
    rows = [_render_variant(witness, one, weighed) for one in found]
    made = build_table(f"{name}: {mark.name} and {witness.siglum}", head, rows, cls="rv-stack rv-quiet rv-variants")
    summary = markup_of("summary", name, number, span(f" {WITNESS_VARIANT_KINDS[kind]}", cls="rv-small"))
    return [markup_of("details", summary, made, **({"open": "open"} if kind in _OPEN_KINDS else {}))]


def _render_variant(witness: WitnessView, one: VariantView, weighed: bool) -> tuple[Any, ...]:
    theirs: list[Content] = [span(one.theirs, lang=witness.lang) if one.theirs else "(nothing)"]
    if one.transcribed:
        theirs += [span(" (machine: ", span(one.transcribed, lang=witness.lang, cls="rv-machine"), ")", cls="rv-small")]
    mended: list[Content] = [" (", link("emendation", one.emendation), ")"] if one.emendation else []
    return (
        [span(one.ours, lang=witness.lang) if one.ours else "(nothing)"],
        theirs,
        [link("sentence", one.sentence)] if one.sentence else [f"only in {witness.siglum}"],
        [*render_prose(one.why), *mended],
        *([[*render_prose(one.moves)] or "–"] if weighed else []),
    )
