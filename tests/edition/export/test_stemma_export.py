"""The stemma for OpenStemmata: the rules of its files as read on 26 November 2026, TEI but for one attribute.

They are those of github.com/OpenStemmata/database: `schema/openStemmata.rng` (commit 3ef15283), written here as the
content of every element that our file has; `tests/test_dot.py` and `tests/test_metadata.py` (82ebd827).
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from edition.corpus.corpus import Corpus, build_corpus
from edition.corpus.history import get_stemma
from edition.export.formats import make_folder_readme
from edition.export.stemma import build_metadata, export_stemma, list_graph_arcs, list_graph_nodes
from edition.text.descent import EDGE_CERTAINTY
from rulebook.model import Library
from rulebook.tei.document import TEI_PREFIX
from tests.support.library import opened, write_library
from tests.support.tei import cut_tei
from tests.support.tiers import mark_for_release

NAMES = {"t": TEI_PREFIX.strip("{}"), "od": "http://openstemmata.github.io/odd.html"}
#: A line of metadata, as the tests of the database have it: a key with a value in quotes, or a blank, or a remark.
METADATA_LINE = re.compile(r'^(?:[\s-]*\w+\s?:(?:\s?"[^"]*")?\s*|\s*|#.+)$')
#: The fields that those tests know.
METADATA_FIELDS = frozenset(
    re.findall(
        r"\w+",
        "wits witSigla witSignature witOrigDate witOrigPlace witNotes witMsDesc witDigit workTitle workViaf "
        "workOrigDate workOrigPlace workAuthor workAuthors workAuthorViaf workGenre workLangCode stemmaType contam "
        "extraStemmContam rootType drawnStemma completeWits sourceText derivatives contributor contributors "
        "contributorORCID note publicationType publicationTitle publicationDate publicationPlace publicationPlaces "
        "publicationSeries publicationNum publicationStemmaNum publicationAuthors publicationAuthor publicationPage "
        "publicationLink",
    )
)
#: Element -> its children, one letter-perfect name after another; the empty string where only words may stand.
CONTENT: dict[str, str] = {
    "TEI": "teiHeader (facsimile )?text ",
    "teiHeader": "fileDesc profileDesc (revisionDesc )?",
    "fileDesc": "titleStmt publicationStmt notesStmt sourceDesc ",
    "titleStmt": "title title (author )+(respStmt )+",
    "respStmt": "resp persName ",
    "publicationStmt": "authority ((ptr|date|pubPlace|idno|availability) )*",
    "authority": "orgName ptr ",
    "availability": "(licence )+",
    "notesStmt": "(note )+",
    "sourceDesc": "bibl (listWit )?",
    "bibl": "title (author )+date (pubPlace )+series biblScope (biblScope )?ptr ",
    "listWit": "(witness )+",
    "witness": "label (idno|msDesc) origDate origPlace note ptr ptr ",
    "profileDesc": "creation textClass langUsage ",
    "creation": "title persName origDate origPlace ",
    "textClass": "keywords ",
    "keywords": "(term )+",
    "langUsage": "(language )+",
    "text": "body (back )?",
    "body": "graph ",
    "graph": "label (node )+(arc )+",
    "node": "label ",
    "arc": "(label )?",
    "back": "(noteGrp )*",
    "noteGrp": "(note )+",
}
WORDS_ONLY = frozenset(
    re.findall(
        r"\w+",
        "title author resp persName orgName date licence note pubPlace series biblScope label idno origDate origPlace "
        "term language",
    )
)
NUMBER, ID, POINTER, CERTAINTY = r"\d+", r"\w[\w.-]*", r"#\w[\w.-]*", "high|medium|low|unknown"
#: Element -> the attributes that it must have, each with its values.
REQUIRED: dict[str, dict[str, str]] = {
    "bibl": {"type": "book|publicationPart"},
    "term": {"type": "workGenre|stemmaType|contam|extraStemmContam|rootType"},  # the Schematron rule is the narrower
    "language": {"ident": "fro|frm|gmh|lat|dum|enm|wlm|osp|pro|cat|ita|grc|non|other"},
    "graph": {"type": "directed", "order": NUMBER, "size": NUMBER},
    "node": {"xml:id": ID, "type": "hypothetical|witness", "inDegree": NUMBER, "outDegree": NUMBER},
    "arc": {"from": POINTER, "to": POINTER, "cert": CERTAINTY, "od:type": "filiation|contamination"},
    "witness": {"xml:id": ID},
}
#: Element -> the attributes that it may have, with values where these are listed; of others that we write none.
ALLOWED: dict[str, dict[str, str]] = {
    "ptr": {"type": "digitised|description", "target": ".*"},
    "label": {"type": "siglum"},
    "title": {"type": r"\S+"},
    "persName": {"role": r"\S+"},
    "biblScope": {"unit": r"\S+", "n": ".*"},
    "licence": {"target": r"\S+"},
    "note": {"target": POINTER, "type": r"\S+", "subtype": r"\S+", "cert": CERTAINTY},
    "arc": {"xml:id": ID},
}
DOT_NODE = re.compile(r'^    (\w+)\[label="([^"]*)"(, color="grey")?\];$')
DOT_ARC = re.compile(r'^    (\w+) -> (\w+)( \[color="grey"\])?;$')  # no other colour is known there


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
    unsure = {found[2] for found in arcs if found[3]}
    assert "PAR" in unsure and not unsure & {"ACA", "GER", "HAG", "HOY", "PAM"}  # only possible, and more than that


def count_texts(corpus: Corpus) -> int:
    """How many texts of the tree were seen."""
    stemma = get_stemma(corpus)
    return len(stemma.texts) - len(stemma.ancestors)


def test_metadata_is_read_line_by_line(corpus: Corpus, files: dict[str, bytes]) -> None:
    lines = files["metadata.txt"].decode().splitlines()
    assert [line for line in lines if not METADATA_LINE.match(line)] == []
    assert {found[1] for line in lines if (found := re.match(r"[\s-]*(\w+)\s?:", line))} <= METADATA_FIELDS
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


def name_of(one: etree._Element) -> str:
    return etree.QName(one).localname


def attributes_of(one: etree._Element) -> dict[str, str]:
    """Attributes of an element, by the names that the tables have."""
    short = {"{http://www.w3.org/XML/1998/namespace}": "xml:", f"{{{NAMES['od']}}}": "od:"}
    found = {}
    for key, value in one.attrib.items():
        prefix = next((full for full in short if str(key).startswith(full)), "")
        found[f"{short.get(prefix, '')}{str(key).removeprefix(prefix)}"] = str(value)
    return found


def list_faults(tree: etree._Element) -> list[str]:
    """Elements of a file that the schema of the database would not take."""
    faults = []
    for one in tree.iter(f"{TEI_PREFIX}*"):
        name, children = name_of(one), "".join(f"{name_of(child)} " for child in one)
        words = (one.text or "").strip()
        if not re.fullmatch(CONTENT.get(name, ""), children) or (words and name not in WORDS_ONLY):
            faults.append(f"{name}: {children or words}")
        needed = REQUIRED.get(name, {})
        known, has = {**needed, **ALLOWED.get(name, {})}, attributes_of(one)
        faults += [f"{name} without {key}" for key in needed if key not in has]
        faults += [f"{name} {key}={has[key]}" for key in has if not re.fullmatch(known.get(key, r"(?!)"), has[key])]
    return faults


def test_the_tei_keeps_the_rules_of_the_schema_of_the_database(tree: etree._Element) -> None:
    assert list_faults(tree) == []
    # the rule on the label of a graph names no namespace there, and so is met by no file; we do what it says
    assert tree.xpath("string(//t:graph/t:label)", namespaces=NAMES) in ("hypothetical", "observed")


@pytest.mark.parametrize(
    "path", ["//t:respStmt", "//t:witness[1]/t:idno", "//t:bibl/t:pubPlace", "//t:creation/t:title"]
)
def test_a_file_without_what_the_schema_wants_would_be_told(files: dict[str, bytes], path: str) -> None:
    tree = etree.fromstring(files["stemma.tei.xml"])
    (gone,) = tree.xpath(path, namespaces=NAMES)
    gone.getparent().remove(gone)
    assert len(list_faults(tree)) == 1


def test_every_line_has_its_evidence_in_words(tree: etree._Element) -> None:
    arcs = {f"#{one}" for one in tree.xpath("//t:arc/@xml:id", namespaces=NAMES)}
    assert {*tree.xpath("//t:note/@target", namespaces=NAMES)} == arcs
    assert all("Evidence: " in one for one in tree.xpath("//t:noteGrp/t:note/text()", namespaces=NAMES))


def test_every_witness_is_listed_with_its_date(corpus: Corpus, tree: etree._Element) -> None:
    listed = tree.xpath("//t:listWit/t:witness", namespaces=NAMES)
    assert len(listed) == count_texts(corpus)
    assert all(one.findtext(f"{TEI_PREFIX}origDate") for one in listed)


def test_every_note_has_kind_and_certainty_as_data_and_an_arc_is_as_sure_as_its_surest_note(
    corpus: Corpus, tree: etree._Element
) -> None:
    levels = ("high", "medium", "low")
    for arc in tree.xpath("//t:arc", namespaces=NAMES):
        target = f"#{arc.get('{http://www.w3.org/XML/1998/namespace}id')}"
        notes = tree.xpath("//t:note[@target=$target]", namespaces=NAMES, target=target)
        assert arc.get("cert") == min((one.get("cert") for one in notes), key=levels.index)
        for one in notes:
            assert one.get("type") == "evidence"
            said = f", {EDGE_CERTAINTY[one.get('cert')]}: "
            assert said in one.text and "certainty" not in one.text.partition(":")[0]
    below = {arc.get("to"): arc.get("cert") for arc in tree.xpath("//t:arc", namespaces=NAMES)}
    assert (below["#n_PAR"], below["#n_MEY"], below["#n_HOY"]) == ("medium", "low", "high")
    kinds = {*tree.xpath("//t:noteGrp/t:note/@subtype", namespaces=NAMES)}
    assert kinds == {"copied", "abridged", "translated", "shared-ancestor", "debt"}
    told = make_folder_readme(["stemma"], [], corpus).letters.decode()
    assert all(re.search(rf"\b{one}\b", told) for one in (*kinds, *levels, "likely", "no more than"))


@pytest.mark.parametrize("whole", [False, mark_for_release(True)], ids=["as far as it is used", "the whole schema"])
def test_but_for_the_attribute_of_the_database_it_is_tei(
    request: pytest.FixtureRequest, files: dict[str, bytes], whole: bool
) -> None:
    tree = etree.fromstring(files["stemma.tei.xml"])
    for one in tree.iter(f"{TEI_PREFIX}arc"):
        del one.attrib[f"{{{NAMES['od']}}}type"]
    schema: etree.RelaxNG = request.getfixturevalue("whole_tei") if whole else cut_tei([tree])
    assert schema.validate(tree), schema.error_log
    tree.append(etree.Element(f"{TEI_PREFIX}teiHeader"))
    assert not schema.validate(tree)


def test_the_page_of_downloads_says_that_it_is_experimental() -> None:
    from edition.export.formats import EXPORT_FORMATS

    form = EXPORT_FORMATS["stemma"]
    assert "experimental" in form.title and "26 November 2026" in form.reads and "not part of it" in form.reads
