"""The sources in a row: title, date, and what of each is here."""

from __future__ import annotations

from typing import Any

from edition.citation.model import format_source_date
from edition.corpus.corpus import Corpus
from edition.corpus.progress import format_collation
from edition.nodes.builders import emphasis, table
from edition.views.common import SourceLink, source_link
from edition.views.layout import Nodes, source_ref
from rulebook.model import Source


def sources_view(corpus: Corpus, _: str = "") -> tuple[tuple[SourceLink, str, str, str], ...]:
    """The sources in a row: title, date, and what of them is here."""
    return tuple(
        (
            source_link(source),
            str(source.record.get("title", "")),
            format_source_date(source),
            "; ".join(
                filter(None, (_describe_available_text(source), format_collation(corpus.library, source.siglum)))
            ),
        )
        for source in corpus.library.sources.values()
    )


def _describe_available_text(source: Source) -> str:
    if source.text:
        return "text and translation" if source.translation else "text, not translated yet"
    return "statements in our own words" if source.statements else "nothing yet"


def render_sources(view: Any) -> Nodes:
    """The sources in a row."""
    rows = [
        ([source_ref(one)], [source_ref(one, one.title), " ", emphasis(title, lang=one.lang)], date, here)
        for one, title, date, here in view
    ]
    return [table("The sources", ("Siglum", "Source", "Date", "Here as"), rows, cls="rv-stack")]
