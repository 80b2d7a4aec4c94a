"""What programs may learn of a page: schema.org in a data block, and the clauses of a source as Web Annotations.

Addresses are full where the edition knows its own; else they are relative to where they stand, as JSON-LD allows.
No context has to be fetched to read a data block.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from edition.citation.model import Desk, full_title
from edition.citation.urls import seen_from
from edition.data.citation_cff import TERMS
from edition.export.downloads import collect_downloads
from edition.export.file import ANNOTATIONS, without_nothing
from edition.text import answers as words
from rulebook.answers.values import canonical
from rulebook.model import Clause, Question, Source
from rulebook.strings import single_spaced

CONTEXT: Mapping[str, str] = {"@vocab": "https://schema.org/"}

FOLDER = "linked"

Node = dict[str, Any]


@dataclass(frozen=True)
class Speaker:
    """A page that speaks of things, and from which they are found."""

    desk: Desk
    page: str

    def at(self, path: str) -> str:
        """An address as it is written here."""
        base = self.desk.addresses.base
        return self.desk.addresses.cited(path) if base else seen_from(self.page, path)

    def of(self, kind: str, id: str) -> Node:
        """A pointer to something that has a place; nothing if it has none."""
        path = self.desk.addresses.within(kind, id)
        return {"@id": self.at(path)} if path else {}


def linked(desk: Desk, page: str, kind: str, id: str) -> Node:
    """What is to be said of the thing that a page shows."""
    speaker = Speaker(desk, page)
    said = KINDS[kind](speaker, id) if kind in KINDS else {}
    named = desk.cite(kind, id)
    if not said or named is None:
        return {}
    common = {} if kind == "edition" else {"name": named.title, "isPartOf": whole(speaker)}
    licence = [{"@id": TERMS["CC-BY-4.0"]}]
    made = {"@context": CONTEXT, **speaker.of(kind, id), **common, "license": licence, "version": desk.release.version}
    return without_nothing({**made, "datePublished": desk.release.date, **said})


def whole(speaker: Speaker) -> Node:
    """The edition, as its parts name it."""
    release = speaker.desk.release
    return {**speaker.of("edition", ""), "@type": "Dataset", "name": release.title, "creator": makers(speaker.desk)}


def makers(desk: Desk) -> list[Node]:
    """Who made it."""
    kinds = {True: "Organization", False: "Person"}
    return [{"@type": kinds[who.company], "name": who.name} for who in desk.release.authors]


# --- schema.org -----------------------------------------------------------------------------------------


def edition(speaker: Speaker, _: str) -> Node:
    """The edition: what it is, whose, its sources, and where its data are."""
    desk = speaker.desk
    languages = {source.language for source in desk.corpus.library.sources.values()}
    return {
        "@type": ["Dataset", "Book"],
        "name": desk.release.title,
        "description": desk.release.abstract,
        "keywords": list(desk.release.keywords),
        "creator": makers(desk),
        "license": [{"@id": TERMS[one]} for one in desk.release.licences if one in TERMS],
        "inLanguage": sorted({"en", *languages}),
        "isAccessibleForFree": True,
        "hasPart": list(parts(speaker)),
        "distribution": [download(speaker, one) for one in collect_downloads(desk.corpus).offered],
    }


def parts(speaker: Speaker) -> Iterator[Node]:
    """The sources and the questions."""
    library = speaker.desk.corpus.library
    for siglum, source_ in library.sources.items():
        if place := speaker.of("source", siglum):
            yield {**place, "@type": "CreativeWork", "name": full_title(source_), "alternateName": siglum}
    for asked in library.questions.values():
        if place := speaker.of("question", asked.id):
            yield {**place, "@type": "Question", "name": asked.asks, "identifier": asked.id}


def download(speaker: Speaker, one: Any) -> Node:
    """A file to take away."""
    return {
        "@type": "DataDownload",
        "contentUrl": speaker.at(one.path),
        "name": one.says,
        "encodingFormat": one.media,
        "contentSize": f"{one.size} B",
        "sha256": one.sha256,
    }


def source(speaker: Speaker, siglum: str) -> Node:
    """A source as it is edited, and what it is an edition of."""
    found = speaker.desk.corpus.library.sources[siglum]
    record = found.record
    work = {
        "@type": "CreativeWork",
        "name": full_title(found),
        "inLanguage": found.language,
        "author": {"@type": "Person", "name": str(record["author"])} if record.get("author") else None,
        "temporal": str(record.get("date") or ""),
    }
    return {
        "@type": "CreativeWork",
        "identifier": siglum,
        "isBasedOn": without_nothing(work),
        "hasPart": [place for place in (speaker.of("clauses", siglum), speaker.of("howto", siglum)) if place],
        "encoding": [download(speaker, one) for one in collect_downloads(speaker.desk.corpus).texts_of(siglum)],
    }


def question(speaker: Speaker, name: str) -> Node:
    """A question, and every source's answer."""
    library = speaker.desk.corpus.library
    asked = library.question(name)
    given = [one for siglum in library.sources if (one := answered(speaker, asked, library.sources[siglum]))]
    return {
        "@type": "Question",
        "text": asked.asks,
        "identifier": [asked.id, asked.slug],
        "about": asked.group,
        "answerCount": len(given),
        "suggestedAnswer": given,
    }


def answered(speaker: Speaker, asked: Question, source_: Source) -> Node:
    """One source's answer; none where it has none."""
    cell = speaker.desk.corpus.cell(source_.siglum, asked.slug)
    if cell is None or cell.value is None:
        return {}
    said = words.answer(asked, cell.value, speaker.desk.corpus.library)
    how = "supplied by us" if cell.supplied else words.STATUS[cell.status]
    return without_nothing(
        {
            **speaker.of("cell", f"{asked.id}@{source_.siglum}"),
            "@type": "Answer",
            "text": said.full or said.short,
            "creativeWorkStatus": how,
            "isBasedOn": speaker.of("source", source_.siglum),
            "citation": [place for one in cell.clauses if (place := speaker.of("clause", one.id))],
        }
    )


def deal(speaker: Speaker, name: str) -> Node:
    """A worked deal, with the sentences that it illustrates, and its record."""
    corpus = speaker.desk.corpus
    found = next(one for one in corpus.deals if one.id == name)
    return {
        "@type": "CreativeWork",
        "identifier": name,
        "abstract": single_spaced(found.intro),
        "citation": [place for one in found.cites if (place := speaker.of("sentence", one))],
        "encoding": [download(speaker, one) for one in collect_downloads(corpus).record_of(name)],
    }


def clauses(speaker: Speaker, siglum: str) -> Node:
    """The clauses of a source; each of them is told in a file of annotations."""
    found = speaker.desk.corpus.library.sources[siglum]
    return {
        "@type": "Collection",
        "collectionSize": len(found.clauses),
        "about": speaker.of("source", siglum),
        "encoding": {
            "@type": "MediaObject",
            "contentUrl": speaker.at(annotations_of(siglum)),
            "encodingFormat": "application/ld+json",
        },
    }


def plain(speaker: Speaker, _: str) -> Node:
    """Any other page."""
    return {"@type": "CreativeWork"}


KINDS: Mapping[str, Callable[[Speaker, str], Node]] = {
    "edition": edition,
    "source": source,
    "question": question,
    "deal": deal,
    "clauses": clauses,
    "pair": plain,
    "howto": plain,
}


def block(node: Node) -> str:
    """A data block for the head of a page: it is never run, and nothing in it can end it."""
    letters = json.dumps(node, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{letters}</script>'


# --- Web Annotations ------------------------------------------------------------------------------------


def annotations_of(siglum: str) -> str:
    """Where the clauses of a source lie as annotations."""
    return f"{FOLDER}/{siglum}.jsonld"


def annotated(desk: Desk, siglum: str) -> Node:
    """Every clause of a source as a note on its sentences that classifies them."""
    speaker = Speaker(desk, f"{FOLDER}/{siglum}")
    source_ = desk.corpus.library.sources[siglum]
    items = [annotation(speaker, source_, one) for one in source_.clauses if speaker.of("clause", one.id)]
    here = speaker.at(annotations_of(siglum))
    return {
        "@context": ANNOTATIONS,
        "id": here,
        "type": "AnnotationCollection",
        "label": f"The clauses of {siglum}: {source_.title}",
        "rights": TERMS["CC-BY-4.0"],
        "total": len(items),
        "first": {"id": f"{here}#first", "type": "AnnotationPage", "startIndex": 0, "items": items},
    }


def annotation(speaker: Speaker, source_: Source, found: Clause) -> Node:
    """One clause: the words that it rests on, and the answers that we take from them."""
    return {
        "id": speaker.of("clause", found.id)["@id"],
        "type": "Annotation",
        "motivation": "classifying",
        "body": [one for slug in found.questions for one in bodies(speaker, found, slug)],
        "target": list(targets(speaker, source_, found)) or speaker.of("source", source_.siglum)["@id"],
    }


def bodies(speaker: Speaker, found: Clause, slug: str) -> Iterator[Node]:
    """The question, and the answer or why there is none."""
    asked = speaker.desk.corpus.library.questions[slug]
    said = canonical(found.answers[slug]) if slug in found.answers else found.status
    if place := speaker.of("question", asked.id):
        yield {"type": "SpecificResource", "source": place["@id"], "purpose": "identifying"}
    yield {"type": "TextualBody", "value": f"{asked.id}: {said}", "format": "text/plain", "purpose": "classifying"}


def targets(speaker: Speaker, source_: Source, found: Clause) -> Iterator[Node]:
    """The sentences; with the very words, where they may be repeated."""
    for cite in found.cites:
        place = speaker.of("sentence", cite.locus)
        if place:
            quote = {"type": "TextQuoteSelector", "exact": cite.exact, "prefix": cite.prefix, "suffix": cite.suffix}
            shown = {"selector": without_nothing(quote)} if cite.exact and source_.text else {}
            yield {"type": "SpecificResource", "source": place["@id"], **shown}
