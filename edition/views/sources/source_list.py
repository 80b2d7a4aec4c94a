"""The sources in a row: title, date, and what of each is here."""

from __future__ import annotations

from edition.citation.model import format_source_date
from edition.corpus.corpus import Corpus
from edition.corpus.progress import format_collation
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.plain_answers import source_marks
from rulebook.model import Source


def sources_view(corpus: Corpus, _: str = "") -> tuple[tuple[SourceMark, str, str, str], ...]:
    """The sources in a row: title, date, and what of them is here."""
    return tuple(
        (
            source_marks(corpus)[source.siglum],
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
        english = source.language.partition("-")[0] == "en"
        return "text and translation" if source.translation else "text" if english else "text, not translated yet"
    return "statements in our own words" if source.statements else "nothing yet"


render_sources = template_renderer("edition", "sources")
