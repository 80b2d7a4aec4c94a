"""The stemma for OpenStemmata: the shape of its files as seen on 26 November 2026, TEI but for one attribute."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from edition.corpus.corpus import Corpus, build_corpus
from edition.corpus.history import get_stemma
from edition.export.stemma import build_metadata, export_stemma, list_graph_arcs, list_graph_nodes
from rulebook.model import Library
from rulebook.sources.paths import find_sources
from rulebook.tei.document import TEI_PREFIX
from tests.support.library import opened, write_library

NAMES = {"t": TEI_PREFIX.strip("{}"), "od": "http://openstemmata.github.io/odd.html"}
#: A line of metadata, as the tests of the database have it: a key with a value in quotes, or a blank, or a remark.
METADATA_LINE = re.compile(r'^(?:[\s-]*\w+\s?:(?:\s?"[^"]*")?\s*|\s*|#.+)$')
DOT_NODE = re.compile(r'^    (\w+)\[label="([^"]*)"(, color="grey")?\];$')
DOT_ARC = re.compile(r'^    (\w+) -> (\w+)( \[color="red"\])?;$')


@pytest.fixture(scope="module")
def corpus(library: Library) -> Corpus:
    return build_corpus(library)


@pytest.fixture(scope="module")
def files(corpus: Corpus) -> dict[str, bytes]:
    return {one.path: one.letters for one in export_stemma(corpus)}


@pytest.fixture(scope="module")
def tree(files: dict[str, bytes]) -> etree._Element:
    return etree.fromstring(files["stemma.tei.xml"])


def test_the_files_have_the_names_of_the_database(files: dict[str, bytes]) -> None:
    assert {*files} == {"stemma.gv", "metadata.txt", "stemma.tei.xml"}


def test_a_library_without_a_stemma_has_no_files(tmp_path: Path) -> None:
    assert [*export_stemma(build_corpus(opened(write_library(tmp_path, deals=False))))] == []


def test_a_text_below_two_others_is_called_contaminated(corpus: Corpus, files: dict[str, bytes]) -> None:
    below = [one.below for one in list_graph_arcs(corpus)]
    told = "yes" if len(set(below)) < len(below) else "no"
    assert f'contam : "{told}"' in files["metadata.txt"].decode()
    arcs = [replace(list_graph_arcs(corpus)[0], above=above) for above in ("A", "B")]
    assert build_metadata(corpus, arcs)["contam"] == "yes" and build_metadata(corpus, arcs[:1])["contam"] == "no"


def test_dot_has_a_line_for_every_text_and_every_line_of_descent(corpus: Corpus, files: dict[str, bytes]) -> None:
    lines = files["stemma.gv"].decode().splitlines()
    assert (lines[0], lines[-1]) == ("digraph {", "}")
    nodes = [found for line in lines if (found := DOT_NODE.match(line))]
    arcs = [found for line in lines if (found := DOT_ARC.match(line))]
    assert len(nodes) + len(arcs) + 3 == len(lines)  # with a blank line
    stemma = get_stemma(corpus)
    assert len(nodes) == len(stemma.texts)
    assert {(found[1], found[2]) for found in arcs} == {(one.above, one.below) for one in list_graph_arcs(corpus)}
    assert sum(bool(found[3]) for found in nodes) == len(stemma.ancestors)
    red = {found[2] for found in arcs if found[3]}
    assert "PAR" in red and not red & {"ACA", "GER", "HAG", "HOY", "PAM"}  # only possible, and more than that


def count_texts(corpus: Corpus) -> int:
    """How many texts of the tree were seen."""
    stemma = get_stemma(corpus)
    return len(stemma.texts) - len(stemma.ancestors)


def test_metadata_is_read_line_by_line(corpus: Corpus, files: dict[str, bytes]) -> None:
    lines = files["metadata.txt"].decode().splitlines()
    assert [line for line in lines if not METADATA_LINE.match(line)] == []
    assert 'workLangCode : "fra+deu+eng"' in lines
    assert sum("witSigla" in line for line in lines) == count_texts(corpus) > 6


def test_tei_has_the_graph_of_dot(corpus: Corpus, tree: etree._Element) -> None:
    (graph,) = tree.xpath("/t:TEI/t:text/t:body/t:graph", namespaces=NAMES)
    nodes, arcs = graph.xpath("t:node", namespaces=NAMES), graph.xpath("t:arc", namespaces=NAMES)
    assert (graph.get("type"), graph.get("order"), graph.get("size")) == ("directed", str(len(nodes)), str(len(arcs)))
    assert [one.get("type") == "hypothetical" for one in nodes] == [
        one.kind == "hypothetical" for one in list_graph_nodes(corpus)
    ]
    ids = {f"#{one.get('{http://www.w3.org/XML/1998/namespace}id')}" for one in nodes}
    assert {end for one in arcs for end in (one.get("from"), one.get("to"))} <= ids
    assert {one.get(f"{{{NAMES['od']}}}type") for one in arcs} == {"filiation"}
    for one in nodes:
        here = f"#{one.get('{http://www.w3.org/XML/1998/namespace}id')}"
        assert int(one.get("inDegree")) == sum(arc.get("to") == here for arc in arcs)
        assert int(one.get("outDegree")) == sum(arc.get("from") == here for arc in arcs)


def test_every_line_has_its_evidence_in_words(tree: etree._Element) -> None:
    arcs = {f"#{one}" for one in tree.xpath("//t:arc/@xml:id", namespaces=NAMES)}
    assert {*tree.xpath("//t:note/@target", namespaces=NAMES)} == arcs
    assert all("Evidence: " in one for one in tree.xpath("//t:noteGrp/t:note/text()", namespaces=NAMES))


def test_every_witness_is_listed_with_its_date(corpus: Corpus, tree: etree._Element) -> None:
    listed = tree.xpath("//t:listWit/t:witness", namespaces=NAMES)
    assert len(listed) == count_texts(corpus)
    assert all(one.findtext(f"{TEI_PREFIX}origDate") for one in listed)


@pytest.mark.slow
def test_but_for_the_attribute_of_the_database_it_is_tei(files: dict[str, bytes]) -> None:
    tree = etree.fromstring(files["stemma.tei.xml"])
    for one in tree.iter(f"{TEI_PREFIX}arc"):
        del one.attrib[f"{{{NAMES['od']}}}type"]
    schema = etree.RelaxNG(etree.parse(str(find_sources().parent / "vendor/tei/tei_all.rng")))
    assert schema.validate(tree), schema.error_log


def test_the_page_of_downloads_says_that_it_is_experimental() -> None:
    from edition.export.formats import EXPORT_FORMATS

    form = EXPORT_FORMATS["stemma"]
    assert "experimental" in form.title and "26 November 2026" in form.reads and "not validated" in form.reads
