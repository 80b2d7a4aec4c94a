"""The list of all example deals, each with its result by every source."""

from __future__ import annotations

from dataclasses import dataclass

from edition.analysis.results import settle_worked_deals
from edition.corpus.corpus import Corpus
from edition.data.deals import DealEntry
from edition.nodes.builders import Content, link, para, span, table
from edition.views.deals.attribution import freshness_view
from edition.views.layout import Nodes, join_content, render_badge


@dataclass(frozen=True, slots=True)
class DealRow:
    """A worked deal in the list of all."""

    entry: DealEntry
    results: tuple[tuple[str, str, str], ...]  #: (siglum, state, in one line)


def deals_view(corpus: Corpus, _: str = "") -> tuple[DealRow, ...]:
    """All worked deals, each with how it ends by every source."""
    found = {view.id: view for view in settle_worked_deals(corpus)}
    return tuple(
        DealRow(entry, tuple((one.source, one.state, one.said) for one in found[entry.id].ledgers))
        for entry in corpus.deals
    )


def render_deals(view: tuple[DealRow, ...]) -> Nodes:
    """All deals in a table."""
    if not view:
        return [para("There is no worked deal yet.")]
    sigla = [siglum for siglum, _, _ in view[0].results]
    if any([siglum for siglum, _, _ in row.results] != sigla for row in view):
        return [
            para("So many sources are here that each deal is settled by some of them on its page."),
            *_many_sources_table(view),
        ]
    rows = [
        (
            [
                link("deal", row.entry.id, row.entry.title),
                *([para(row.entry.intro, cls="rv-small")] if row.entry.intro else []),
            ],
            row.entry.provenance,
            *(short_result(state, said) for _, state, said in row.results),
        )
        for row in view
    ]
    return [table("The worked deals", ("Deal", "Provenance", *sigla), rows, cls="rv-stack rv-deals rv-wide")]


def _many_sources_table(view: tuple[DealRow, ...]) -> Nodes:
    rows = [
        (
            [link("deal", row.entry.id, row.entry.title)],
            row.entry.provenance,
            join_content(link("sentence", one) for one in row.entry.cites),
        )
        for row in view
    ]
    return [table("The worked deals", ("Deal", "Provenance", "Illustrates"), rows, cls="rv-stack rv-deals")]


def short_result(state: str, said: str) -> list[Content]:
    """Result of a deal by one source, in as few words as possible."""
    told = span(said.partition(": ")[2] or said, cls="rv-small")
    return [told] if state == "settled" else [render_badge(state, f"rv-{state}"), " ", told]


def causes_found_view(corpus: Corpus, _: str = "") -> tuple[str, tuple[str, ...]] | None:
    """Freshness of the stored causes of differences, compared with these sources."""
    return freshness_view(corpus.causes, corpus.library.digest)
