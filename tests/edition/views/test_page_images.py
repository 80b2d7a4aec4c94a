"""Page images that a record names: on the page of the source, in its structured data and in its TEI file."""

from __future__ import annotations

from pathlib import Path

import pytest
from docutils import nodes

from edition.citation.model import CitationContext
from edition.citation.urls import Addresses
from edition.corpus.corpus import Corpus
from edition.export.json_ld import build_json_ld
from edition.export.tei import build_tei_document
from edition.views.sources.source import source_view
from edition.views.sources.source_text import render_source
from rulebook.load import load_library
from rulebook.page_images import get_iiif_manifest, list_page_images
from rulebook.tei.document import TEI_PREFIX
from tests.support.library import changed, write_library
from tests.support.pages import build_corpus

IMAGES = """\
image_link: null
images:
  - {address: "https://example.org/1", shows: The title page, found: found by search}
  - {address: "https://example.org/2", shows: Another copy, holder: A library, found: cited there, seen: true}
iiif_manifest: https://example.org/manifest.json
"""


@pytest.fixture
def tolls(tmp_path: Path) -> Corpus:
    root = write_library(tmp_path)
    changed(root, "AAA/source.yaml", "image_link: null\n", IMAGES)
    changed(root, "AAA/source.yaml", "images_seen: false", "images_seen: true")
    library, problems = load_library(root)
    assert library is not None, problems
    return build_corpus(library)


def test_images_are_said_not_to_be_seen_unless_the_record_says_so(tolls: Corpus) -> None:
    source = tolls.library.sources["AAA"]
    assert [image.description for image in list_page_images(source)] == [
        "not seen by us; found by search",
        "A library; seen by us; cited there",
    ]
    assert get_iiif_manifest(source) == "https://example.org/manifest.json"
    assert not list_page_images(tolls.library.sources["BBB"]) and not get_iiif_manifest(tolls.library.sources["BBB"])


def test_the_page_of_a_source_links_to_images_and_says_whether_they_were_seen(tolls: Corpus) -> None:
    page = nodes.container("", *render_source(source_view(tolls, "AAA")))
    (section,) = (part for part in page.findall(nodes.section) if "page-images" in part["ids"])
    links = [(way["refuri"], way.astext()) for way in section.findall(nodes.reference)]
    assert links == [
        ("https://example.org/1", "The title page"),
        ("https://example.org/2", "Another copy"),
        ("https://example.org/manifest.json", "IIIF manifest of the pages"),
    ]
    assert "The title page: not seen by us; found by search" in section.astext()
    without = nodes.container("", *render_source(source_view(tolls, "BBB")))
    assert not any("page-images" in part["ids"] for part in without.findall(nodes.section))


def test_structured_data_and_tei_give_images_with_the_same_words(tolls: Corpus) -> None:
    places = {("source", "AAA"): ("sources/AAA", "", "")}
    node = build_json_ld(CitationContext(tolls, tolls.release, Addresses(places)), "sources/AAA", "source", "AAA")
    media = node["isBasedOn"]["associatedMedia"]
    assert [one.get("url") or one["contentUrl"] for one in media] == [
        "https://example.org/1",
        "https://example.org/2",
        "https://example.org/manifest.json",
    ]
    assert media[0]["description"] == "not seen by us; found by search"
    tei = build_tei_document(tolls, tolls.library.sources["AAA"])
    (surrogates,) = tei.iter(f"{TEI_PREFIX}surrogates")
    assert {ptr.get("target") for ptr in surrogates.iter(f"{TEI_PREFIX}ptr")} == {
        "https://example.org/1",
        "https://example.org/2",
        "https://example.org/manifest.json",
    }
    assert "not seen by us" in "".join(surrogates.itertext())


def test_no_image_of_the_library_is_claimed_to_have_been_seen(corpus: Corpus) -> None:
    sources = corpus.library.sources
    found = {siglum: list_page_images(source) for siglum, source in sources.items()}
    assert [siglum for siglum in found if found[siglum]] == ["ACA", "HOY", "MEY", "PAM"]
    assert all("not seen by us" in image.description for images in found.values() for image in images)
