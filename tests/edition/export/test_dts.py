"""Distributed Text Services as files, held to the tables of fields of the specification 1.0.

The fields below are those of https://dtsapi.org/versions/v1.0 and its context https://dtsapi.org/context/v1.0.json
(repository distributed-text-services/specifications), as seen on 26 November 2026.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from lxml import etree
from thunderdots import ThunderDots
from uritemplate import URITemplate

from edition.cli import export
from edition.corpus.corpus import Corpus, build_corpus
from edition.export.downloads import collect_downloads
from edition.export.dts import CONTEXT, DTS_NAMESPACE, ROOT_COLLECTION, export_dts
from edition.views.about.downloads import downloads_view, render_downloads
from rulebook.load import load_library
from rulebook.model import Library
from rulebook.tei.document import TEI_PREFIX, XML_ID, XML_LANG
from tests.support.library import write_library

#: Object -> the fields that it must have, and those that it may have.
FIELDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "EntryPoint": (frozenset({"@id", "@type", "dtsVersion", "collection", "navigation", "document"}), frozenset()),
    "Collection": (
        frozenset({"@id", "@type", "title", "totalParents", "totalChildren", "collection"}),
        frozenset({"dtsVersion", "description", "member", "dublinCore", "extensions", "view"}),
    ),
    "Resource": (
        frozenset({"@id", "@type", "collection", "navigation", "document", "citationTrees"}),
        frozenset(
            {"dtsVersion", "title", "totalParents", "totalChildren", "description", "member", "dublinCore"}
            | {"extensions", "download", "mediaTypes", "view"}
        ),
    ),
    "Navigation": (
        frozenset({"@id", "@type", "dtsVersion", "resource"}),
        frozenset({"ref", "start", "end", "member", "view"}),
    ),
    "CitationTree": (frozenset({"@type"}), frozenset({"identifier", "citeStructure", "description"})),
    "CiteStructure": (frozenset({"citeType"}), frozenset({"@type", "citeStructure"})),
    "CitableUnit": (
        frozenset({"identifier", "@type", "level", "parent"}),
        frozenset({"@id", "citeType", "dublinCore", "extensions"}),
    ),
}
#: Endpoint -> the parameters of a request.
PARAMETERS = {
    "collection": {"id", "page", "nav"},
    "navigation": {"resource", "ref", "start", "end", "down", "tree", "page"},
    "document": {"resource", "ref", "start", "end", "tree", "mediaType"},
}


@pytest.fixture(scope="module")
def corpus(library: Library) -> Corpus:
    return build_corpus(library)


@pytest.fixture(scope="module")
def home(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    export.place_export_files(folder, export.build_export_files(("dts", "tei"), corpus, "", apart=True))
    return folder / "dts"


def follow(place: Path, template: str, **parameters: str) -> Path:
    """The file to which a template leads that stands in another file."""
    return (place.parent / URITemplate(template).expand(**parameters)).resolve()


def read(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def objects(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of DTS in an answer."""
    if isinstance(node, dict):
        if "@type" in node:
            yield node
        for value in node.values():
            yield from objects(value)
    elif isinstance(node, list):
        for one in node:
            yield from objects(one)


def test_every_answer_has_the_fields_of_the_specification_and_no_others(home: Path) -> None:
    seen = set()
    for path in home.rglob("*.jsonld"):
        answer = read(path)
        assert answer.pop("@context") == CONTEXT and answer["dtsVersion"] == "1.0", path
        for one in objects(answer):
            needed, allowed = FIELDS[one["@type"]]
            assert needed <= {*one} <= needed | allowed, (path, one)
            seen.add(one["@type"])
    assert seen == {*FIELDS}


def test_templates_name_only_parameters_of_the_specification_and_none_of_ranges(home: Path) -> None:
    entry = read(home / "entry.jsonld")
    for endpoint, known in PARAMETERS.items():
        named = {*URITemplate(entry[endpoint]).variable_names}
        assert named <= known - {"start", "end", "tree", "page", "mediaType"}, endpoint
    assert "ref" in URITemplate(entry["document"]).variable_names


def test_from_the_entry_every_sentence_of_every_source_is_reached(home: Path, library: Library) -> None:
    entry_at = home / "entry.jsonld"
    entry = read(entry_at)
    root_at = follow(entry_at, entry["collection"])
    root = read(root_at)
    named = read(follow(entry_at, entry["collection"], id=ROOT_COLLECTION))
    for answer in (root, named):
        assert answer["@id"] == ROOT_COLLECTION and answer["totalChildren"] == len(library.sources)
        assert [one["@id"] for one in answer["member"]] == [*library.sources]
    for member in root["member"]:
        source = library.sources[member["@id"]]
        ids = [*source.text.sentences] if source.text else [one.id for one in source.statements]
        units = read(follow(root_at, member["navigation"], down="-1"))["member"]
        assert [one["identifier"] for one in units] == ids
        assert {(one["level"], one["parent"]) for one in units} == {(1, None)}
        for name in ids:
            answer_at = follow(root_at, member["navigation"], ref=name)
            answer = read(answer_at)
            assert answer["ref"] in units and answer["ref"]["identifier"] == name and "member" not in answer
            assert follow(answer_at, answer["resource"]["document"], ref=name).is_file()


def test_a_collection_answers_for_its_children_and_parents(home: Path, library: Library) -> None:
    entry_at = home / "entry.jsonld"
    template = read(entry_at)["collection"]
    siglum = next(iter(library.sources))
    own_at = follow(entry_at, template, id=siglum)
    own = read(own_at)
    assert (own["@type"], own["totalParents"], own["totalChildren"]) == ("Resource", 1, 0)
    parents = read(follow(own_at, own["collection"], nav="parents"))["member"]
    assert [(one["@id"], one["@type"]) for one in parents] == [(ROOT_COLLECTION, "Collection")]
    assert read(follow(entry_at, template, id=ROOT_COLLECTION, nav="parents"))["member"] == []
    children = read(follow(entry_at, template, id=ROOT_COLLECTION, nav="children"))["member"]
    assert [one["@id"] for one in children] == [*library.sources]
    assert read(follow(entry_at, template, id=siglum, nav="children"))["member"] == []


def test_the_whole_document_has_the_sentences_of_the_source_and_leads_to_the_coding(
    home: Path, library: Library
) -> None:
    entry_at = home / "entry.jsonld"
    entry = read(entry_at)
    for siglum, source in library.sources.items():
        document = etree.parse(str(follow(entry_at, entry["document"], resource=siglum))).getroot()
        assert document.tag == f"{TEI_PREFIX}TEI" and document.find(f"{TEI_PREFIX}standOff") is None
        ids = [*source.text.sentences] if source.text else [one.id for one in source.statements]
        assert [one.get(XML_ID) for one in document.iterfind(f"{TEI_PREFIX}text//{TEI_PREFIX}s")] == ids
        own_at = follow(entry_at, entry["collection"], id=siglum)
        own = read(own_at)
        assert {*own["download"]} == {*own["mediaTypes"]} == {"application/tei+xml"}
        coded = etree.parse(str(follow(own_at, own["download"]["application/tei+xml"]))).getroot()
        assert coded.find(f"{TEI_PREFIX}standOff") is not None and coded.get(XML_ID) == document.get(XML_ID)


def test_the_document_of_a_sentence_is_that_sentence_in_a_wrapper(home: Path, library: Library) -> None:
    entry_at = home / "entry.jsonld"
    entry = read(entry_at)
    for siglum, source in library.sources.items():
        whole = etree.parse(str(follow(entry_at, entry["document"], resource=siglum))).getroot()
        for one in whole.iterfind(f"{TEI_PREFIX}text//{TEI_PREFIX}s"):
            name = str(one.get(XML_ID))
            part = etree.parse(str(follow(entry_at, entry["document"], resource=siglum, ref=name))).getroot()
            (wrapper,) = part
            assert part.tag == f"{TEI_PREFIX}TEI" and wrapper.tag == f"{{{DTS_NAMESPACE}}}wrapper"
            (alone,) = wrapper
            assert "".join(alone.itertext()) == "".join(one.itertext()) and alone.get(XML_ID) == name
            assert part.get(XML_LANG) == (source.language if source.text else "en")


class Expanding(SimpleHTTPRequestHandler):
    """A server of files that expands the templates of the entry for clients that only ask by queries."""

    def send_head(self) -> Any:
        asked = urlsplit(self.path)
        entry = read(Path(self.directory) / "entry.jsonld")
        if template := entry.get(asked.path.strip("/")):
            self.path = "/" + URITemplate(template).expand(dict(parse_qsl(asked.query)))
        return super().send_head()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.mark.slow
def test_a_client_written_by_others_reads_every_sentence(home: Path, library: Library) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Expanding, directory=str(home))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        client = ThunderDots(
            f"http://127.0.0.1:{server.server_port}",
            collection_params={"trust_member_metadata": False, "trust_total_parents": False},
            resource_params={"fragment_mode": "navigation"},
            validate=True,
            verbose=False,
            use_cache=False,
        )
        client.fetch()
        server.shutdown()
    found = client.results()
    assert found["validation"]["output"] == {"ok": True, "issues": []}
    assert found["validation"]["resources"]["valid"] == len(library.sources)
    texts = {one["id"]: [part["id"] for part in one["fragments"]] for one in found["resource_results"]}
    assert texts == {
        siglum: [*source.text.sentences] if source.text else [one.id for one in source.statements]
        for siglum, source in library.sources.items()
    }
    empty = {part["id"] for one in found["resource_results"] for part in one["fragments"] if not part["content"]}
    assert empty == {"PAM.s0064"}  # a line that cannot be read
    assert {parent for one in found["resource_results"] for parent in one["linked_parents"]} == {ROOT_COLLECTION}


def test_no_more_than_a_source_allows_is_printed(tmp_path: Path) -> None:
    root = write_library(tmp_path / "sources", deals=False)
    library, problems = load_library(root)
    assert library is not None and not problems
    made = {one.path: one for one in export_dts(build_corpus(library))}
    for siglum, source in library.sources.items():
        if not source.text:
            assert all(one.id in made[f"document/{siglum}/{one.id}.xml"].letters.decode() for one in source.statements)
    assert {one.whose for path, one in made.items() if path.startswith("document/")} == {*library.sources}


def test_the_sentences_of_a_source_are_one_row_on_the_page_of_downloads(corpus: Corpus) -> None:
    groups = downloads_view(corpus)
    (group,) = (one for one in groups if one.title.startswith("The texts, sentence by sentence"))
    (shown,) = (one for one in render_downloads(groups) if one.astext().startswith(group.title))
    words = shown.astext()
    for siglum, source in corpus.library.sources.items():
        ids = [*source.text.sentences] if source.text else [one.id for one in source.statements]
        series = len(ids) >= 8  # fewer files stand there one by one
        assert f"{ids[0]}.xml" in words and (f"{ids[1]}.xml" not in words) == series
        assert (f"and {len(ids) - 1} more" in words) == series, siglum
    listed = {one.path for one in collect_downloads(corpus).files}
    assert {
        f"downloads/dts/document/{s}/{s}.s0001.xml" for s, one in corpus.library.sources.items() if one.text
    } <= listed


def test_the_readme_says_what_files_without_a_server_cannot_do(home: Path) -> None:
    told = " ".join((home / "README.txt").read_text(encoding="utf-8").split())
    for name in ("start", "end", "tree", "page", "mediaType"):
        assert f" {name}" in told
    assert "26 November 2026" in told and "experimental" in told.casefold()
