"""Things with ids of this game: worked deals, sessions, and the rules of each source as one plays by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edition.game import Lookup
from reversis.files.deals import find_deal_paths, find_session_paths
from reversis.files.sessions import read_session
from rulebook.model import Library
from rulebook.phrases import format_count
from rulebook.strings import single_spaced

if TYPE_CHECKING:
    import click

    from edition.citation.model import CitationContext, EditionCitation
    from edition.cli.lookup.entries import LookupEntry
    from edition.cli.lookup.list import ListFilter
    from edition.corpus.corpus import Corpus
    from edition.export.json_ld import JsonLdPage
    from reversis.files.deals import DealEntry

_Row = Mapping[str, Any]
_Place = tuple[tuple[str, str], tuple[str, str, str]]


# ---- worked deals
def _get_deals(corpus: Corpus) -> tuple[DealEntry, ...]:
    from reversis.files.extras import get_deals  # slow to import, and completion needs none

    return get_deals(corpus)


def _group_deals_by_sentence(corpus: Corpus) -> Mapping[str, tuple[str, ...]]:
    from reversis.files.extras import group_deals_by_sentence

    return group_deals_by_sentence(corpus)


def _settle_deals(corpus: Corpus) -> Mapping[str, Mapping[str, str]]:
    from reversis.findings.results import compute_results

    results_by_deal = compute_results(corpus).by_deal
    return {deal: {result.source: result.said for result in results} for deal, results in results_by_deal.items()}


def _list_deal_rows(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    paths = find_deal_paths(corpus.library)
    for deal in _get_deals(corpus):
        topics = list(dict.fromkeys(topic for locus in deal.cites for topic in _list_topics_at(corpus, locus)))
        cited = dict.fromkeys(locus.partition(".")[0] for locus in deal.cites)
        if (not wanted.topic or wanted.topic in topics) and (not wanted.sources or set(cited) & set(wanted.sources)):
            yield {
                "id": deal.id,
                "title": deal.title,
                "provenance": deal.provenance,
                "sources": list(cited),
                "topics": topics,
                "file": paths[deal.id],
            }


def _list_topics_at(corpus: Corpus, locus: str) -> Iterator[str]:
    for clause in corpus.clauses_at.get(locus, ()):
        yield from (question.group for question in corpus.questions_of(clause))


def _describe_deal(corpus: Corpus, id: str) -> LookupEntry:
    from edition.cli.lookup.entries import LookupEntry, say

    deal = next(deal for deal in _get_deals(corpus) if deal.id == id)
    fields = (
        say("provenance", deal.provenance),
        say("cites", list(deal.cites)),
        say("about", deal.intro, label="about it"),
        say("command", f"reversis run {id}", label="to settle it"),
    )
    file = f"{Path(corpus.library.root).name}/{find_deal_paths(corpus.library)[id]}"
    return LookupEntry("deal", id, deal.title, fields, file=file)


def _cite_deal(context: CitationContext, citation: EditionCitation) -> EditionCitation:
    title = next(deal.title for deal in _get_deals(context.corpus) if deal.id == citation.id)
    return replace(citation, title=single_spaced(title), label=f"Worked deal {citation.id}")


def _search_deals(corpus: Corpus) -> Iterator[tuple[str, str, str]]:
    yield from ((deal.id, deal.title, deal.intro) for deal in _get_deals(corpus))


def _link_deal(page: JsonLdPage, id: str) -> dict[str, Any]:
    from edition.export.downloads import collect_kept_texts
    from edition.export.json_ld import describe_download

    corpus = page.desk.corpus
    deal = next(deal for deal in _get_deals(corpus) if deal.id == id)
    return {
        "@type": "CreativeWork",
        "identifier": id,
        "abstract": single_spaced(deal.intro),
        "citation": [place for locus in deal.cites if (place := page.of("sentence", locus))],
        "encoding": [describe_download(page, file) for file in collect_kept_texts(corpus).record_of(id)],
    }


def _place_deals(corpus: Corpus) -> Iterator[_Place]:
    yield from ((("deal", deal.id), (f"deals/{deal.id}", "", deal.title)) for deal in _get_deals(corpus))


# ---- worked sessions
def _list_session_rows(corpus: Corpus, wanted: ListFilter) -> Iterator[_Row]:
    for id, path in find_session_paths(corpus.library).items():
        if sitting := read_session(corpus.library, id).sitting:
            yield {"id": id, "title": sitting.title, "deals": list(sitting.deals), "file": path}


def _describe_session(corpus: Corpus, id: str) -> LookupEntry:
    from edition.cli.lookup.entries import LookupEntry, say

    sitting = read_session(corpus.library, id).sitting
    fields = (
        say("deals", list(sitting.deals) if sitting else []),
        say("cites", list(sitting.cites) if sitting else []),
        say("about", single_spaced(sitting.note) if sitting else "", label="about it"),
        say("command", f"reversis session {id}", label="to play it"),
    )
    file = f"{Path(corpus.library.root).name}/{find_session_paths(corpus.library)[id]}"
    return LookupEntry("session", id, sitting.title if sitting else id, fields, f"sessions.html#{id}", file)


def _count_sessions(library: Library) -> str:
    return format_count(len(library.sessions), "worked session") if library.sessions else ""


# ---- the rules of a source
def _cite_rules(context: CitationContext, citation: EditionCitation) -> EditionCitation:
    title = context.corpus.library.sources[citation.id].title
    return replace(citation, id=f"{citation.id}-howto", title=f"Rules by {citation.id}: {title}", label="Rules")


def _place_rules(corpus: Corpus) -> Iterator[_Place]:
    for siglum, source in corpus.library.sources.items():
        yield ("howto", siglum), (f"howto/{siglum}", "", source.title)
        yield ("howto-card", siglum), (f"howto/{siglum}-card", "", source.title)
        yield ("howto-full", siglum), (f"howto/{siglum}", "full", source.title)


LOOKUPS: Mapping[str, Lookup] = {
    "deal": Lookup(
        "deals",
        find_deal_paths,
        lambda corpus: (deal.id for deal in _get_deals(corpus)),
        lambda library: format_count(len(library.deals), "worked deal"),
        _describe_deal,
        _list_deal_rows,
        filters=("--source", "--topic"),
        cite=_cite_deal,
        label="this deal",
        linked_data=_link_deal,
        search=_search_deals,
        heading="Example deals",
        places=_place_deals,
        by_sentence=_group_deals_by_sentence,
        results=_settle_deals,
    ),
    "session": Lookup(
        "sessions",
        find_session_paths,
        lambda corpus: find_session_paths(corpus.library),
        _count_sessions,
        _describe_session,
        _list_session_rows,
    ),
    "howto": Lookup(
        "howto", cite=_cite_rules, linked_data=lambda page, id: {"@type": "CreativeWork"}, places=_place_rules
    ),
}


# ---- words of the generic commands
def add_lists(command: click.Command) -> click.Command:
    """Have the help text of `list` name deals and sessions."""
    from edition.cli.commands import reword_help

    words = (
        ("readings and more", "readings, deals, sessions and more"),
        ("readings, kinds", "readings, deals, sessions, kinds"),
        ("other words for the same.", "other words for the same: `reversis list questions jack of hearts`."),
        ("by --topic and --source.", "by --topic and --source, deals too."),
    )
    return reword_help(command, words)


def add_things(command: click.Command) -> click.Command:
    """Have the help text of `show` name deals and sessions."""
    from edition.cli.commands import reword_help

    words = (
        ("a sentence, a term.", "a sentence, a deal, a term."),
        ("a note, an answer", "a note, a deal, a session, an answer"),
        ("goes by its name too.", "goes by its name too: quinola."),
    )
    return reword_help(command, words)
