"""Contributors of each source, and the rights in each of its layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.builders import cite_here, para, strong
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.text.passes import describe_passes, describe_review, name_pass
from edition.views.common import as_list, as_mapping
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from rulebook.model import Source
from rulebook.phrases import format_count


@dataclass(frozen=True, slots=True)
class SourceCredits:
    """Rights in one source, or contributions to it, line by line."""

    source: SourceMark
    lines: tuple[tuple[str, str], ...]


def rights_view(corpus: Corpus, _: str = "") -> tuple[SourceCredits, ...]:
    """The rights in each layer of each source."""
    return tuple(
        SourceCredits(
            source_marks(corpus)[source.siglum],
            tuple((layer, str(terms or "none here")) for layer, terms in rights.items()),
        )
        for source in corpus.library.sources.values()
        for rights in [as_mapping(source.record.get("rights"))]
    )


def passes_view(corpus: Corpus, _: str = "") -> str:
    """The sentence on who made this."""
    return describe_passes(corpus.library.sources.values())


def render_passes(view: str) -> Nodes:
    """Render it where readers, coders or agreement are counted."""
    return [para(strong(view), cls="rv-passes")] if view else []


def render_edition_citation(_: str) -> Nodes:
    """Leave room for the citation of the edition as a whole, which the builder fills in."""
    return [cite_here(kind="edition", target="")]


def people_view(corpus: Corpus, _: str = "") -> tuple[SourceCredits, ...]:
    """Contributors of each source."""
    return tuple(
        SourceCredits(source_marks(corpus)[source.siglum], tuple(_list_contributions(source)))
        for source in corpus.library.sources.values()
    )


def _list_contributions(source: Source) -> Iterator[tuple[str, str]]:
    for coder in as_list(source.record.get("coders")):
        id = str(coder.get("id", ""))
        yield name_pass(source, id), str(coder.get("role", ""))
    for coder, number in Counter(clause.coder for clause in source.clauses).items():
        yield name_pass(source, coder), f"coding of {format_count(number, 'clause')}"
    yield "review", describe_review(source)


# Small tables, each at the address of the caption under which it was first published.
render_rights = template_renderer("edition", "credits", caption="Rights in", head=("Layer", "Terms"))
render_people = template_renderer("edition", "credits", caption="Hands in", head=("Who", "What they did"))
