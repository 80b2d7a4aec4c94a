"""Export the stemma in the shape of the OpenStemmata database: a graph in DOT, its metadata, and both as TEI.

The shape is that of the files in github.com/OpenStemmata/database as seen on 26 November 2026 (a record of its data,
and its program that makes TEI out of DOT and metadata). It was not validated with that project's schema: experimental.
What was not seen is grey (in TEI `hypothetical`); what is only possible has low certainty. A stemma there has one root,
ours may have several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lxml import etree

from edition.corpus.corpus import Corpus
from edition.corpus.history import get_stemma
from edition.export.file import QUOTES_NONE, ExportFile
from edition.export.tei_elements import TeiElement, make_element, to_xml_id
from rulebook.history.stemma import POSSIBLE, Edge
from rulebook.model import CERTAINTIES

_OPENSTEMMATA_NAMESPACE = "http://openstemmata.github.io/odd.html"
_OPENSTEMMATA_LICENCE = "https://creativecommons.org/licenses/by/4.0/"
#: Languages of two letters -> of three, as the database has them.
_LONG_LANGUAGES: Mapping[str, str] = {"fr": "fra", "de": "deu", "en": "eng", "es": "spa", "it": "ita", "nl": "nld"}
_WITNESS, _HYPOTHETICAL = "witness", "hypothetical"


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A text in the graph."""

    id: str
    label: str
    kind: str
    date: str
    note: str


@dataclass(frozen=True, slots=True)
class GraphArc:
    """A line of descent in the graph, with what is held of it."""

    above: str
    below: str
    cert: str
    notes: tuple[str, ...]


def export_stemma(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield the graph, its metadata and both as TEI; nothing without a stemma."""
    if not get_stemma(corpus).edges:
        return
    nodes, arcs = list_graph_nodes(corpus), list_graph_arcs(corpus)
    metadata = build_metadata(corpus, arcs)
    yield ExportFile("stemma.gv", format_dot(nodes, arcs).encode(), "the stemma as a graph (DOT)", QUOTES_NONE)
    says = "what the stemma is of, and its witnesses"
    yield ExportFile("metadata.txt", format_metadata(metadata, nodes).encode(), says, QUOTES_NONE)
    tree = build_stemma_document(corpus, metadata, nodes, arcs)
    letters = etree.tostring(tree, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    yield ExportFile("stemma.tei.xml", letters, "both in one TEI file, with the evidence in words", QUOTES_NONE)


# ---- the graph
def list_graph_nodes(corpus: Corpus) -> tuple[GraphNode, ...]:
    """Every text of the stemma, with an id that DOT and XML can hold."""
    return tuple(_make_node(corpus, id) for id in get_stemma(corpus).texts)


def _make_node(corpus: Corpus, id: str) -> GraphNode:
    if id in corpus.library.sources:
        source = corpus.library.sources[id]
        return GraphNode(_name_node(id), source.short_name, _WITNESS, source.short_date, source.title)
    if id in get_stemma(corpus).witnesses:
        witness = get_stemma(corpus).witnesses[id]
        return GraphNode(_name_node(id), id, _WITNESS, witness.date, witness.title)
    found = next(one for one in get_stemma(corpus).ancestors if one.id == id)
    return GraphNode(_name_node(id), found.sign, _HYPOTHETICAL, "", f"{found.name}. {found.note}")


def _name_node(id: str) -> str:
    return re.sub(r"\W", "_", to_xml_id(id))


def list_graph_arcs(corpus: Corpus) -> tuple[GraphArc, ...]:
    """One arc for every two texts; its certainty is that of the surest edge between them."""
    pairs = dict[tuple[str, str], list[Edge]]()
    for edge in get_stemma(corpus).edges:
        for below in edge.below:
            pairs.setdefault((edge.above, below), []).append(edge)
    return tuple(
        GraphArc(_name_node(above), _name_node(below), _choose_certainty(edges), tuple(map(_describe_edge, edges)))
        for (above, below), edges in pairs.items()
    )


def _choose_certainty(edges: Sequence[Edge]) -> str:
    return (
        "low"
        if all(edge.kind == POSSIBLE for edge in edges)
        else min((one.cert for one in edges), key=CERTAINTIES.index)
    )


def _describe_edge(edge: Edge) -> str:
    evidence = " ".join(one.says for one in edge.evidence)
    conjecture = f" Conjecture: {edge.open}" if edge.open else ""
    return f"{edge.kind}, certainty {edge.cert}: {edge.says}{conjecture} Evidence: {evidence}"


def format_dot(nodes: Sequence[GraphNode], arcs: Sequence[GraphArc]) -> str:
    """Format the graph in DOT: grey for what was not seen, red for what is only possible."""
    greys = {one.id: _GREY if one.kind == _HYPOTHETICAL else "" for one in nodes}
    lines = [f'    {one.id}[label="{_unquote(one.label)}"{greys[one.id]}];' for one in nodes]
    lines += ["", *(f"    {one.above} -> {one.below}{_RED if one.cert == 'low' else ''};" for one in arcs)]
    return "\n".join(("digraph {", *lines, "}", ""))


_GREY, _RED = ', color="grey"', ' [color="red"]'


def _unquote(words: str) -> str:
    """Words without the mark in which the database puts a value."""
    return " ".join(words.replace('"', "'").split())


# ---- metadata
def build_metadata(corpus: Corpus, arcs: Sequence[GraphArc]) -> Mapping[str, str]:
    """Entries of the metadata, in the order of the database."""
    release, below = corpus.release, [one.below for one in arcs]
    used = dict.fromkeys(
        source.language for id, source in corpus.library.sources.items() if id in get_stemma(corpus).texts
    )
    authors = "; ".join(person.name for person in release.authors)
    return {
        "publicationType": "",
        "publicationTitle": release.title,
        "publicationDate": release.date[:4],
        "publicationAuthors": authors,
        "workTitle": "Rules of the game of reversis",
        "workGenre": "Rules of a card game",
        "workLangCode": "+".join(_LONG_LANGUAGES.get(one, one) for one in used),
        "stemmaType": "reconstructed",
        "contam": "yes" if len(set(below)) < len(below) else "no",  # a text below two others
        "extraStemmContam": "no",
        "rootType": "unspecified",
        "contributor": authors,
        "note": f"{release.title}, version {release.version}. {_METADATA_NOTE}",
    }


_METADATA_NOTE = (
    "Drawn as far as shared wording, order or errors bear it. Grey: not seen. Red: only possible. "
    "Experimental: in the shape of the database as seen on 2026-11-26, not validated with its schema."
)


def format_metadata(metadata: Mapping[str, str], nodes: Sequence[GraphNode]) -> str:
    """Format the metadata line by line, the witnesses last."""
    lines = [f'{key} : "{_unquote(value)}"' for key, value in metadata.items()]
    lines.append("wits :")
    for one in nodes:
        if one.kind == _WITNESS:
            lines += [
                f'    - witSigla : "{one.id}"',
                f'      witOrigDate : "{_unquote(one.date)}"',
                f'      witNotes : "{_unquote(one.note)}"',
            ]
    return "\n".join((*lines, ""))


# ---- TEI
def build_stemma_document(
    corpus: Corpus, metadata: Mapping[str, str], nodes: Sequence[GraphNode], arcs: Sequence[GraphArc]
) -> TeiElement:
    """Build the TEI file of the graph."""
    graph = make_element("graph", type="directed", order=str(len(nodes)), size=str(len(arcs)))
    graph.append(make_element("label"))
    graph.extend(_make_graph_node(one, arcs) for one in nodes)
    graph.extend(_make_arc(at, one) for at, one in enumerate(arcs, 1))
    notes = [make_element("note", said, target=f"#arc_{at}") for at, one in enumerate(arcs, 1) for said in one.notes]
    back = make_element("back", [make_element("noteGrp", notes)])
    text = make_element("text", [make_element("body", [graph]), back])
    return make_element("TEI", [_make_header(metadata, nodes), text])


def _make_graph_node(one: GraphNode, arcs: Sequence[GraphArc]) -> TeiElement:
    degrees = {
        "inDegree": str(sum(arc.below == one.id for arc in arcs)),
        "outDegree": str(sum(arc.above == one.id for arc in arcs)),
    }
    return make_element("node", [make_element("label", one.label)], id=f"n_{one.id}", type=one.kind, **degrees)


def _make_arc(at: int, one: GraphArc) -> TeiElement:
    made = make_element("arc", id=f"arc_{at}", from_=f"#n_{one.above}", to=f"#n_{one.below}", cert=one.cert)
    made.set(f"{{{_OPENSTEMMATA_NAMESPACE}}}type", "filiation")
    return made


def _make_header(metadata: Mapping[str, str], nodes: Sequence[GraphNode]) -> TeiElement:
    titles = [
        make_element("title", "Stemma of", type="standard"),
        make_element("title", metadata["workTitle"], type="variable"),
        make_element("author", metadata["publicationAuthors"]),
    ]
    licence = make_element("licence", "CC BY", target=_OPENSTEMMATA_LICENCE)
    published = [make_element("authority", metadata["publicationAuthors"]), make_element("availability", [licence])]
    bibl = [make_element(tag, metadata[key]) for tag, key in _BIBL_PARTS.items()]
    witnesses = [_make_witness(one) for one in nodes if one.kind == _WITNESS]
    file = [
        make_element("titleStmt", titles),
        make_element("publicationStmt", published),
        make_element("notesStmt", [make_element("note", metadata["note"])]),
        make_element("sourceDesc", [make_element("bibl", bibl), make_element("listWit", witnesses)]),
    ]
    terms = [make_element("term", metadata[key], type=key) for key in _TERMS]
    languages = [make_element("language", ident=one) for one in metadata["workLangCode"].split("+")]
    profile = [
        make_element("creation", [make_element("title", metadata["workTitle"])]),
        make_element("textClass", [make_element("keywords", terms)]),
        make_element("langUsage", languages),
    ]
    return make_element("teiHeader", [make_element("fileDesc", file), make_element("profileDesc", profile)])


#: Element of the reference -> the entry of the metadata that it holds.
_BIBL_PARTS: Mapping[str, str] = {
    "author": "publicationAuthors",
    "title": "publicationTitle",
    "date": "publicationDate",
}
_TERMS = ("workGenre", "stemmaType", "contam", "extraStemmContam", "rootType")


def _make_witness(one: GraphNode) -> TeiElement:
    siglum = make_element("label", one.id, type="siglum")
    parts = [siglum, make_element("origDate", one.date), make_element("note", one.note)]
    return make_element("witness", parts, id=one.id)
