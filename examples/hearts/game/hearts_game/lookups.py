"""Deals by their ids: listed, described, searched, and with an address of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edition.game import Lookup
from hearts_game.deals import find_deal_paths
from hearts_game.views import DEALS, find_deal, get_deals, group_by_sentence, settle_library_deal
from rulebook.phrases import format_count
from rulebook.program_name import name_command
from rulebook.strings import single_spaced

if TYPE_CHECKING:
    from edition.citation.model import CitationContext, EditionCitation
    from edition.cli.lookup.entries import LookupEntry
    from edition.cli.lookup.list import ListFilter
    from edition.corpus.corpus import Corpus


def _list_rows(corpus: Corpus, wanted: ListFilter) -> Iterator[Mapping[str, Any]]:
    for deal in get_deals(corpus):
        sources = list(dict.fromkeys(locus.partition(".")[0] for locus in deal.cites))
        if not wanted.sources or {*sources} & {*wanted.sources}:
            file = find_deal_paths(corpus.library)[deal.deal]
            row = {"id": deal.deal, "title": deal.title, "provenance": deal.provenance}
            yield {**row, "sources": sources, "file": file}


def _describe_deal(corpus: Corpus, id: str) -> LookupEntry:
    from edition.cli.lookup.entries import LookupEntry, say

    deal = find_deal(corpus, id)
    fields = (
        say("provenance", deal.provenance),
        say("cites", list(deal.cites)),
        say("about", single_spaced(deal.note), label="about it"),
        say("command", name_command(f"run {id}"), label="to settle it"),
    )
    file = f"{Path(corpus.library.root).name}/{find_deal_paths(corpus.library)[id]}"
    return LookupEntry("deal", id, deal.title, fields, f"deals/{id}.html", file)


def _cite_deal(context: CitationContext, citation: EditionCitation) -> EditionCitation:
    return replace(citation, title=find_deal(context.corpus, citation.id).title, label=f"Example deal {citation.id}")


LOOKUPS: Mapping[str, Lookup] = {
    "deal": Lookup(
        "deals",
        find_deal_paths,
        lambda corpus: (deal.deal for deal in get_deals(corpus)),
        lambda library: format_count(len(library.deals), "deal"),
        _describe_deal,
        _list_rows,
        filters=("--source",),
        cite=_cite_deal,
        label="this deal",
        search=lambda corpus: ((deal.deal, deal.title, single_spaced(deal.note)) for deal in get_deals(corpus)),
        heading=DEALS,
        places=lambda corpus: (
            (("deal", deal.deal), (f"deals/{deal.deal}", "", deal.title)) for deal in get_deals(corpus)
        ),
        by_sentence=group_by_sentence,
        results=lambda corpus: {
            deal.deal: {ledger.ruleset: ledger.result for ledger in settle_library_deal(corpus, deal.deal).ledgers}
            for deal in get_deals(corpus)
        },
    )
}
