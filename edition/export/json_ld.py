"""Structured data of a page, by the vocabulary of schema.org.

Addresses are full where the edition knows its own; else they are relative to where they stand, as JSON-LD allows.
No context has to be fetched to read a data block.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from edition.citation.model import CitationContext, format_source_date, full_title
from edition.citation.urls import seen_from
from edition.corpus.citation_cff import LICENCE_URLS
from edition.export.downloads import DownloadFile, collect_downloads, collect_kept_texts, get_download_address
from edition.export.file import drop_empty_entries
from rulebook.answers.wording import describe_status, format_answer
from rulebook.model import Question, Source
from rulebook.page_images import get_iiif_manifest, list_page_images

_SCHEMA_ORG_CONTEXT: Mapping[str, str] = {"@vocab": "https://schema.org/"}

_Node = dict[str, Any]


@dataclass(frozen=True)
class JsonLdPage:
    """A page with structured data, from which addresses are resolved."""

    desk: CitationContext
    page: str

    def at(self, path: str) -> str:
        """Return an address as it is written on this page."""
        base = self.desk.addresses.base
        return self.desk.addresses.cited(path) if base else seen_from(self.page, path)

    def of(self, kind: str, id: str) -> _Node:
        """Return a pointer to something that has a place; empty if it has none."""
        path = self.desk.addresses.within(kind, id)
        return {"@id": self.at(path)} if path else {}


def build_json_ld(desk: CitationContext, page: str, kind: str, id: str) -> _Node:
    """Return the structured data of the thing that a page shows."""
    speaker = JsonLdPage(desk, page)
    own = {kind: lookup.linked_data for kind, lookup in desk.corpus.game.lookups.items() if lookup.linked_data}
    describe = {**_DESCRIBERS, **own}.get(kind)
    description = describe(speaker, id) if describe else {}
    named = desk.cite(kind, id)
    if not description or named is None:
        return {}
    common = {} if kind == "edition" else {"name": named.title, "isPartOf": _refer_to_edition(speaker)}
    licence = [{"@id": LICENCE_URLS["CC-BY-4.0"]}]
    node = {
        "@context": _SCHEMA_ORG_CONTEXT,
        **speaker.of(kind, id),
        **common,
        "license": licence,
        "version": desk.release.version,
    }
    return drop_empty_entries({**node, "datePublished": desk.release.date, **description})


def _refer_to_edition(speaker: JsonLdPage) -> _Node:
    desk = speaker.desk
    place = speaker.of("edition", "")
    return {**place, "@type": "Dataset", "name": desk.release.title, "creator": _list_creators(desk)}


def _list_creators(desk: CitationContext) -> list[_Node]:
    kinds = {True: "Organization", False: "Person"}
    return [{"@type": kinds[who.company], "name": who.name} for who in desk.release.authors]


# --- schema.org -----------------------------------------------------------------------------------------


def _describe_edition(speaker: JsonLdPage, _: str) -> _Node:
    desk = speaker.desk
    languages = {source.language for source in desk.corpus.library.sources.values()}
    return {
        "@type": ["Dataset", "Book"],
        "name": desk.release.title,
        "description": desk.release.abstract,
        "keywords": list(desk.release.keywords),
        "identifier": f"https://doi.org/{desk.release.doi}" if desk.release.doi else "",
        "creator": _list_creators(desk),
        "license": [{"@id": LICENCE_URLS[licence]} for licence in desk.release.licences if licence in LICENCE_URLS],
        "inLanguage": sorted({"en", *languages}),
        "isAccessibleForFree": True,
        "hasPart": list(_list_parts(speaker)),
        "distribution": [describe_download(speaker, file) for file in collect_downloads(desk.corpus).offered],
    }


def _list_parts(speaker: JsonLdPage) -> Iterator[_Node]:
    library = speaker.desk.corpus.library
    for siglum, source_ in library.sources.items():
        if place := speaker.of("source", siglum):
            yield {**place, "@type": "CreativeWork", "name": full_title(source_), "alternateName": siglum}
    for asked in library.questions.values():
        if place := speaker.of("question", asked.id):
            yield {**place, "@type": "Question", "name": asked.asks, "identifier": asked.id}


def describe_download(speaker: JsonLdPage, file: DownloadFile) -> _Node:
    """Return the record of a file that can be downloaded."""
    return {
        "@type": "DataDownload",
        "contentUrl": speaker.at(file.path),
        "name": file.says,
        "encodingFormat": file.media,
        "contentSize": f"{file.size} B",
        "sha256": file.sha256,
    }


def _describe_source(speaker: JsonLdPage, siglum: str) -> _Node:
    source = speaker.desk.corpus.library.sources[siglum]
    record = source.record
    work = {
        "@type": "CreativeWork",
        "name": full_title(source),
        "inLanguage": source.language,
        "author": {"@type": "Person", "name": str(record["author"])} if record.get("author") else None,
        "temporal": format_source_date(source),
        "associatedMedia": list(_list_page_images(source)),
    }
    parts = ("clauses", *speaker.desk.corpus.game.lookups)
    return {
        "@type": "CreativeWork",
        "identifier": siglum,
        "isBasedOn": drop_empty_entries(work),
        "hasPart": [place for kind in parts if (place := speaker.of(kind, siglum))],
        "encoding": [
            describe_download(speaker, file) for file in collect_kept_texts(speaker.desk.corpus).texts_of(siglum)
        ],
    }


def _list_page_images(source: Source) -> Iterator[_Node]:
    """Yield the page images of a source, with their IIIF manifest; `description` says who saw them."""
    for image in list_page_images(source):
        yield {"@type": "MediaObject", "url": image.address, "name": image.shows, "description": image.description}
    if manifest := get_iiif_manifest(source):
        yield {
            "@type": "MediaObject",
            "contentUrl": manifest,
            "name": "IIIF manifest",
            "encodingFormat": "application/ld+json",
        }


def _describe_question(speaker: JsonLdPage, name: str) -> _Node:
    library = speaker.desk.corpus.library
    asked = library.question(name)
    given = [
        answer for siglum in library.sources if (answer := _describe_answer(speaker, asked, library.sources[siglum]))
    ]
    return {
        "@type": "Question",
        "text": asked.asks,
        "identifier": [asked.id, asked.slug],
        "about": asked.group,
        "answerCount": len(given),
        "suggestedAnswer": given,
    }


def _describe_answer(speaker: JsonLdPage, asked: Question, source_: Source) -> _Node:
    """Describe one source's answer; empty where it has none."""
    cell = speaker.desk.corpus.cell(source_.siglum, asked.slug)
    if cell is None or cell.value is None:
        return {}
    answer = format_answer(asked, cell.value, speaker.desk.corpus.library)
    how = "supplied by us" if cell.supplied else describe_status(cell)
    return drop_empty_entries(
        {
            **speaker.of("cell", f"{asked.id}@{source_.siglum}"),
            "@type": "Answer",
            "text": answer.full or answer.short,
            "creativeWorkStatus": how,
            "isBasedOn": speaker.of("source", source_.siglum),
            "citation": [place for clause in cell.clauses if (place := speaker.of("clause", clause.id))],
        }
    )


def _describe_clauses(speaker: JsonLdPage, siglum: str) -> _Node:
    source = speaker.desk.corpus.library.sources[siglum]
    return {
        "@type": "Collection",
        "collectionSize": len(source.clauses),
        "about": speaker.of("source", siglum),
        "encoding": {
            "@type": "MediaObject",
            "contentUrl": speaker.at(get_download_address("annotations", f"{siglum}.jsonld")),
            "encodingFormat": "application/ld+json",
        },
    }


_DESCRIBERS: Mapping[str, Callable[[JsonLdPage, str], _Node]] = {
    "edition": _describe_edition,
    "source": _describe_source,
    "question": _describe_question,
    "clauses": _describe_clauses,
    "pair": lambda speaker, _: {"@type": "CreativeWork"},
}


def render_json_ld(node: _Node) -> str:
    """Render a data block for the head of a page; it is never run, and nothing in it can end it."""
    letters = json.dumps(node, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{letters}</script>'
