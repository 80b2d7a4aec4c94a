"""The texts as Distributed Text Services, as far as files without a server can: DTS 1.0.

Entry, collections, navigation and documents are files, to which the path templates of the entry lead; the unit of
citation is the sentence, or our statement of a source that is not printed here. What would need a program that answers
(ranges, pages, other media types, `down` together with `ref`) has no template. Addresses are relative to the file in
which they stand, so that the folder can be laid anywhere. Experimental: after https://dtsapi.org/versions/v1.0 as seen
on 26 November 2026, for which there was a client to try it with, and no validator.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from lxml import etree

from edition.citation.model import read_origin
from edition.corpus.corpus import Corpus
from edition.data.rights import get_layer_rights
from edition.export.file import QUOTES_NONE, ExportFile, drop_empty_entries
from edition.export.tables import format_export_json
from edition.export.tei import build_text_document, has_exported_text, serialize_tei
from edition.export.tei_elements import TeiElement, make_element
from rulebook.model import Source
from rulebook.tei.document import TEI_PREFIX, XML_ID

_JsonObject = dict[str, Any]
CONTEXT = "https://dtsapi.org/context/v1.0.json"  #: named, as its readers demand; nothing of ours fetches it
DTS_NAMESPACE = "https://w3id.org/api/dts#"
ROOT_COLLECTION = "reversis"
ENTRY_FILE = "entry.jsonld"
_TEI_MEDIA_TYPE = "application/tei+xml"
_CHILDREN, _PARENTS = "children", "parents"
_WHOLE_TREES = ("-1", "1")  #: values of `down` that ask for all sentences, in a tree of one level


@dataclass(frozen=True, slots=True)
class DtsText:
    """A text with its citable units in their order."""

    source: Source
    document: TeiElement

    @property
    def siglum(self) -> str:
        """The identifier of the resource."""
        return self.source.siglum

    @property
    def cite_type(self) -> str:
        """Type of its citable units."""
        return "sentence" if self.source.text else "statement"

    @property
    def sentences(self) -> Iterator[TeiElement]:
        """The elements of the citable units."""
        return self.document.iterfind(f"{TEI_PREFIX}text//{TEI_PREFIX}s")

    @property
    def units(self) -> list[_JsonObject]:
        """The citable units."""
        tail = {"@type": "CitableUnit", "level": 1, "parent": None, "citeType": self.cite_type}
        return [{"identifier": str(one.get(XML_ID)), **tail} for one in self.sentences]


def export_dts(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield the answers of all four endpoints."""
    sources = [one for one in corpus.library.sources.values() if has_exported_text(corpus, one)]
    texts = [DtsText(one, build_text_document(corpus, one)) for one in sources]
    yield _make_answer(ENTRY_FILE, _build_entry(), "the entry point: start here")
    yield from _list_collections(corpus, texts)
    for text in texts:
        yield from _list_navigations(text)
        yield from _list_documents(text)


def _make_answer(place: str, answer: _JsonObject, says: str) -> ExportFile:
    letters = format_export_json({"@context": CONTEXT, "dtsVersion": "1.0", **answer})
    return ExportFile(place, letters.encode(), says, QUOTES_NONE)


def _to_root(place: str) -> str:
    """Return the way from a file to the folder of the entry."""
    return "../" * place.count("/")


def _build_entry() -> _JsonObject:
    return {
        "@id": ENTRY_FILE,
        "@type": "EntryPoint",
        "collection": "collection{/id,nav}.jsonld",
        "navigation": "navigation/{resource}{/ref,down}.jsonld",
        "document": "document/{resource}{/ref}.xml",
    }


# --- collections ------------------------------------------------------------------------------------------


def _list_collections(corpus: Corpus, texts: list[DtsText]) -> Iterator[ExportFile]:
    """Yield the answers on the one collection and on each text in it, with their children and their parents."""
    says = "the collection of all sources"
    for place in ("collection", f"collection/{ROOT_COLLECTION}", f"collection/{ROOT_COLLECTION}/{_CHILDREN}"):
        at = f"{place}.jsonld"
        members = [_describe_text(one, at) for one in texts]
        yield _make_answer(at, {**_describe_root(corpus, texts, at), "member": members}, says)
    at = f"collection/{ROOT_COLLECTION}/{_PARENTS}.jsonld"
    yield _make_answer(at, {**_describe_root(corpus, texts, at), "member": []}, says)
    for text in texts:
        yield from _list_text_collections(corpus, texts, text)


def _list_text_collections(corpus: Corpus, texts: list[DtsText], text: DtsText) -> Iterator[ExportFile]:
    says = f"{text.siglum}: the text as a member of the collection"
    at = f"collection/{text.siglum}.jsonld"
    yield _make_answer(at, _describe_text(text, at), says)
    for nav in (_CHILDREN, _PARENTS):
        at = f"collection/{text.siglum}/{nav}.jsonld"
        members = [_describe_root(corpus, texts, at)] if nav == _PARENTS else []
        yield _make_answer(at, {**_describe_text(text, at), "member": members}, says)


def _describe_root(corpus: Corpus, texts: list[DtsText], place: str) -> _JsonObject:
    return {
        "@id": ROOT_COLLECTION,
        "@type": "Collection",
        "title": corpus.release.title,
        "totalParents": 0,
        "totalChildren": len(texts),
        "collection": f"{_to_root(place)}collection/{ROOT_COLLECTION}{{/nav}}.jsonld",
    }


def _describe_text(text: DtsText, place: str) -> _JsonObject:
    root = _to_root(place)
    return {
        **_describe_resource(text, place),
        "title": text.source.title,
        "totalParents": 1,
        "totalChildren": 0,
        "dublinCore": _describe_dublin_core(text.source),
        "mediaTypes": [_TEI_MEDIA_TYPE],
        "download": {_TEI_MEDIA_TYPE: f"{root}../tei/{text.siglum}.xml"},
    }


def _describe_resource(text: DtsText, place: str) -> _JsonObject:
    """Describe a text by its addresses and its citation tree, as far as navigation needs it."""
    root, siglum = _to_root(place), text.siglum
    structure = {"@type": "CiteStructure", "citeType": text.cite_type}
    return {
        "@id": siglum,
        "@type": "Resource",
        "collection": f"{root}collection/{siglum}{{/nav}}.jsonld",
        "navigation": f"{root}navigation/{siglum}{{/ref,down}}.jsonld",
        "document": f"{root}document/{siglum}{{/ref}}.xml",
        "citationTrees": [{"@type": "CitationTree", "citeStructure": [structure]}],
    }


def _describe_dublin_core(source: Source) -> _JsonObject:
    known = read_origin(source)
    found = {
        "title": [{"lang": known.lang, "value": known.title}],
        "creator": [{"lang": "en", "value": known.author}] if known.author else [],
        "date": [{"lang": "en", "value": known.date}] if known.date else [],
        "language": [source.language if source.text else "en"],
        "rights": [{"lang": "en", "value": get_layer_rights(source, "text" if source.text else "encoding")}],
    }
    return drop_empty_entries(found)


# --- navigation -------------------------------------------------------------------------------------------


def _list_navigations(text: DtsText) -> Iterator[ExportFile]:
    """Yield the list of all sentences, and an answer on each."""
    for down in _WHOLE_TREES:
        says = f"{text.siglum}: the list of its {text.cite_type}s"
        yield _make_navigation(text, down, says, "member", text.units)
    for unit in text.units:
        says = f"{text.siglum}: where a {text.cite_type} stands among the others"
        yield _make_navigation(text, unit["identifier"], says, "ref", unit)


def _make_navigation(text: DtsText, name: str, says: str, key: str, found: object) -> ExportFile:
    place = f"navigation/{text.siglum}/{name}.jsonld"
    head = {"@id": f"{name}.jsonld", "@type": "Navigation", "resource": _describe_resource(text, place)}
    return _make_answer(place, {**head, key: found}, says)


# --- documents --------------------------------------------------------------------------------------------


def _list_documents(text: DtsText) -> Iterator[ExportFile]:
    """Yield the whole text, and each sentence alone."""
    siglum, home = text.siglum, f"document/{text.siglum}"
    yield ExportFile(f"{home}.xml", serialize_tei(text.document), f"{siglum}: the whole text, without coding", siglum)
    for one in text.sentences:
        letters = _serialize_part(one, text.source.language if text.source.text else "en")
        yield ExportFile(f"{home}/{one.get(XML_ID)}.xml", letters, f"{siglum}: a {text.cite_type} by itself", siglum)


def _serialize_part(sentence: TeiElement, lang: str) -> bytes:
    """Serialize a sentence in the wrapper that DTS demands of what is no whole document."""
    wrapper = etree.Element(f"{{{DTS_NAMESPACE}}}wrapper", nsmap={"dts": DTS_NAMESPACE})
    wrapper.append(deepcopy(sentence))
    wrapper[0].tail = None
    return etree.tostring(make_element("TEI", [wrapper], lang=lang), xml_declaration=True, encoding="UTF-8") + b"\n"
