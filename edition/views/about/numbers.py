"""What there is in the edition, counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Corpus, emendations
from edition.data.drafts import UNREAD, collated, finished
from edition.nodes.builders import bullets, strong
from edition.text import answers as words
from edition.views.layout import Nodes


@dataclass(frozen=True, slots=True)
class Numbers:
    """What there is, counted."""

    lines: tuple[tuple[str, str], ...]


def numbers_view(corpus: Corpus, _: str = "") -> Numbers:
    """What there is in this edition, counted and never written in by hand."""
    library = corpus.library
    sources = [library.sources[siglum] for siglum in finished(library)]
    families = {words.family(source) for source in sources}
    begun = [f"{siglum} ({said})" for siglum in library.sources if (said := collated(library, siglum))]
    translated_sentences = sum(len(one.text.sentences) for one in sources if one.text and one.translation)
    rivals = sum(len(clause.alternatives) for clause in library.clauses())
    return Numbers(
        (
            (str(len(sources)), f"sources, in {words.plural(len(families), 'family', 'families')}"),
            (str(translated_sentences), "sentences with translation"),
            (str(len(library.questions)), "questions"),
            (str(sum(clause.status != UNREAD for clause in library.clauses())), "clauses"),
            (str(rivals), "rival interpretations and options"),
            (str(sum(len(emendations(source)) for source in library.sources.values())), "emendations"),
            *([(str(len(begun)), f"begun and not counted: {', '.join(begun)}")] if begun else []),
        )
    )


def render_numbers(view: Numbers) -> Nodes:
    """What there is, counted."""
    items = [[strong(number), f" {what}"] for number, what in view.lines]
    return [bullets(items, cls="rv-numbers")]


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"numbers": numbers_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"numbers": render_numbers}
