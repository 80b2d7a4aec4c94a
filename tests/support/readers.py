"""Citations, tables and linked data as libraries read them that others wrote; each is imported by who asks for it."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lxml import html
from pybtex.backends import plaintext
from pybtex.database import parse_string
from pybtex.richtext import Text

from rulebook.model import Like

PLAIN = plaintext.Backend()  # found by its name it would be looked for in all that is installed, entry after entry
WITHIN = re.compile(r"Address within the edition: (\S+)")
ANNOTATIONS = "http://www.w3.org/ns/anno.jsonld"
#: The terms of the Web Annotation vocabulary that are used, as its own context maps them.
VOCABULARY = {
    "@context": {
        "oa": "http://www.w3.org/ns/oa#",
        "as": "http://www.w3.org/ns/activitystreams#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "dc": "http://purl.org/dc/elements/1.1/",
        "dcterms": "http://purl.org/dc/terms/",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "id": "@id",
        "type": "@type",
        "Annotation": "oa:Annotation",
        "SpecificResource": "oa:SpecificResource",
        "TextualBody": "oa:TextualBody",
        "TextQuoteSelector": "oa:TextQuoteSelector",
        "FragmentSelector": "oa:FragmentSelector",
        "AnnotationCollection": "as:OrderedCollection",
        "AnnotationPage": "as:OrderedCollectionPage",
        "classifying": "oa:classifying",
        "identifying": "oa:identifying",
        "linking": "oa:linking",
        "tagging": "oa:tagging",
        "refinedBy": {"@type": "@id", "@id": "oa:refinedBy"},
        "conformsTo": {"@type": "@id", "@id": "dcterms:conformsTo"},
        "creator": {"@type": "@id", "@id": "dcterms:creator"},
        "language": "dc:language",
        "body": {"@type": "@id", "@id": "oa:hasBody"},
        "target": {"@type": "@id", "@id": "oa:hasTarget"},
        "source": {"@type": "@id", "@id": "oa:hasSource"},
        "selector": {"@type": "@id", "@id": "oa:hasSelector"},
        "motivation": {"@type": "@vocab", "@id": "oa:motivatedBy"},
        "purpose": {"@type": "@vocab", "@id": "oa:hasPurpose"},
        "exact": "oa:exact",
        "prefix": "oa:prefix",
        "suffix": "oa:suffix",
        "value": "rdf:value",
        "format": "dc:format",
        "label": "rdfs:label",
        "rights": {"@type": "@id", "@id": "dcterms:rights"},
        "total": "as:totalItems",
        "first": {"@type": "@id", "@id": "as:first"},
        "startIndex": "as:startIndex",
        "items": {"@type": "@id", "@id": "as:items", "@container": "@list"},
    }
}


def in_bibtex(letters: str) -> dict[str, dict[str, str]]:
    """Key -> fields, as pybtex has them, in plain words."""
    entries = parse_string(letters, "bibtex").entries
    return {
        key: {
            **{name: plain_tex(value) for name, value in entry.fields.items()},
            **{role: " and ".join(plain_tex(str(who)) for who in people) for role, people in entry.persons.items()},
        }
        for key, entry in entries.items()
    }


def plain_tex(words: str) -> str:
    """Words of TeX as a reader sees them."""
    return str(Text.from_latex(words).render(PLAIN))


def in_ris(letters: str) -> list[dict[str, Any]]:
    """Entries as rispy has them."""
    import rispy

    return list(rispy.loads(letters))


@cache
def harvard() -> Any:
    """A style that comes with the library."""
    from citeproc import CitationStylesStyle

    return CitationStylesStyle("harvard-cite-them-right", validate=False)


def in_csl(letters: str) -> dict[str, str]:
    """Id -> the line that citeproc-py makes of it; whatever it does not understand is an error."""
    from citeproc import Citation, CitationItem, CitationStylesBibliography, formatter
    from citeproc.source.json import CiteProcJSON

    items = json.loads(letters)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        source = CiteProcJSON(items)
    made = CitationStylesBibliography(harvard(), source, formatter.plain)
    for item in items:
        made.register(Citation([CitationItem(item["id"])]))
    return dict(zip(made.keys, map(str, made.bibliography()), strict=True))


def no_net(url: str, options: dict[str, Any]) -> dict[str, Any]:
    """The one context that may be named from elsewhere; nothing is fetched."""
    assert url == ANNOTATIONS, f"{url} would have to be fetched"
    return {"contextUrl": None, "documentUrl": url, "document": VOCABULARY}


def expanded(node: Any, base: str) -> Any:
    """JSON-LD with every address in full."""
    from pyld import jsonld

    return jsonld.expand(node, {"base": base, "documentLoader": no_net})


def make_plain(value: object) -> object:
    """An answer as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): make_plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [make_plain(one) for one in value]
    return str(value) if isinstance(value, Like) else value


def read_cldf(folder: Path) -> Any:
    """A data set as pycldf has it."""
    from pycldf import Dataset

    return Dataset.from_metadata(folder / "StructureDataset-metadata.json")


def read_csv_on_the_web(folder: Path) -> Any:
    """Tables as csvw has them."""
    import csvw

    return csvw.TableGroup.from_file(folder / "csv-metadata.json")


def read_arrow(path: Path) -> Any:
    """A table as Arrow has it."""
    from pyarrow import parquet

    return parquet.read_table(path)


def addresses_in(node: Any) -> Iterator[str]:
    """Every address in expanded JSON-LD."""
    if isinstance(node, list):
        for one in node:
            yield from addresses_in(one)
    elif isinstance(node, dict):
        if isinstance(node.get("@id"), str):
            yield node["@id"]
        for one in node.get("https://schema.org/contentUrl", ()):
            yield one["@value"]
        for value in node.values():
            yield from addresses_in(value)


def data_blocks(root: html.HtmlElement) -> list[Any]:
    """The data blocks of a page."""
    return [json.loads(one.text) for one in root.xpath("//script[@type='application/ld+json']")]


@cache
def anchors(page: Path) -> frozenset[str]:
    """Every place on a page."""
    return frozenset(re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8")))


def stands(site: Path, address: str, absent: Collection[str] = ()) -> bool:
    """Whether an address within the edition leads to a file, and to a place in it, or to a page that is left out.

    With an equals sign it is no place, but what a script of the page is asked for.
    """
    path, _, at = address.partition("#")
    return path in absent or ((site / path).is_file() and (not at or "=" in at or at in anchors(site / path)))
