"""Export the stemma in the shape of the OpenStemmata database: a graph in DOT, its metadata, and both as TEI.

The rules are those of github.com/OpenStemmata/database as read on 26 November 2026: `schema/openStemmata.rng` and its
ODD at commit 3ef15283, the tests of DOT and metadata at 82ebd827. The TEI file keeps the whole grammar; it is called
experimental because nobody there has seen it. What was not seen is grey (in TEI `hypothetical`). TEI has our three
levels of certainty; DOT has there no colour but grey, which stands for a line of which even the kind is open, be it
likely or no more than possible. A stemma there has one root, ours may have several; the languages of the schema are
medieval, so that each of ours is `other`, with its code as words.
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
from edition.text.descent import EDGE_CERTAINTY, EDGE_KINDS
from rulebook.history.stemma import POSSIBLE, SHARED_ANCESTOR, Edge
from rulebook.model import CERTAINTIES

_OPENSTEMMATA_NAMESPACE = "http://openstemmata.github.io/odd.html"
_OPENSTEMMATA_LICENCE = "https://creativecommons.org/licenses/by/4.0/"
#: Languages of two letters -> of three, as the database has them.
_LONG_LANGUAGES: Mapping[str, str] = {"fr": "fra", "de": "deu", "en": "eng", "es": "spa", "it": "ita", "nl": "nld"}
_OTHER_LANGUAGE = "other"
_WITNESS, _HYPOTHETICAL = "witness", "hypothetical"
_MADE_BY = "stemma drawn by"
_OPEN_KIND = "debt"
#: Kind of an edge -> its name in an attribute, which is one word.
_NOTE_SUBTYPES: Mapping[str, str] = {SHARED_ANCESTOR: "shared-ancestor", POSSIBLE: _OPEN_KIND}


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A text in the graph."""

    id: str
    label: str
    kind: str
    date: str
    note: str
    shelfmark: str = ""
    place: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class ArcNote:
    """The evidence of one edge in words, with the kind of the edge and its certainty."""

    kind: str
    cert: str
    says: str


@dataclass(frozen=True, slots=True)
class GraphArc:
    """A line of descent in the graph, with what is held of it."""

    above: str
    below: str
    cert: str
    notes: tuple[ArcNote, ...]

    @property
    def grey(self) -> bool:
        """Return whether even the kind of descent is open."""
        return all(one.kind == _OPEN_KIND for one in self.notes)


STEMMA_DOT, STEMMA_METADATA, STEMMA_TEI = "stemma.gv", "metadata.txt", "stemma.tei.xml"


def export_stemma(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield the graph, its metadata and both as TEI; nothing without a stemma."""
    if not get_stemma(corpus).edges:
        return
    nodes, arcs = list_graph_nodes(corpus), list_graph_arcs(corpus)
    metadata = build_metadata(corpus, arcs)
    yield ExportFile(STEMMA_DOT, format_dot(nodes, arcs).encode(), "the stemma as a graph (DOT)", QUOTES_NONE)
    says = "what the stemma is of, and its witnesses"
    yield ExportFile(STEMMA_METADATA, format_metadata(metadata, nodes).encode(), says, QUOTES_NONE)
    tree = build_stemma_document(corpus, metadata, nodes, arcs)
    letters = etree.tostring(tree, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    yield ExportFile(STEMMA_TEI, letters, "both in one TEI file, with the evidence in words", QUOTES_NONE)


# ---- the graph
def list_graph_nodes(corpus: Corpus) -> tuple[GraphNode, ...]:
    """Every text of the stemma, with an id that DOT and XML can hold."""
    return tuple(_make_node(corpus, id) for id in get_stemma(corpus).texts)


def _make_node(corpus: Corpus, id: str) -> GraphNode:
    if id in corpus.library.sources:
        source = corpus.library.sources[id]
        copy = (str(source.record.get(key) or "") for key in ("shelfmark", "place", "address"))
        return GraphNode(_name_node(id), source.short_name, _WITNESS, source.short_date, source.title, *copy)
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
    return min((one.cert for one in edges), key=CERTAINTIES.index)


def _describe_edge(edge: Edge) -> ArcNote:
    evidence = " ".join(one.says for one in edge.evidence)
    conjecture = f" Conjecture: {edge.open}" if edge.open else ""
    says = f"{EDGE_KINDS[edge.kind]}, {EDGE_CERTAINTY[edge.cert]}: {edge.says}{conjecture} Evidence: {evidence}"
    return ArcNote(_NOTE_SUBTYPES.get(edge.kind, edge.kind), edge.cert, says)


def format_dot(nodes: Sequence[GraphNode], arcs: Sequence[GraphArc]) -> str:
    """Format the graph in DOT: grey for what was not seen, and for a line of which even the kind is open."""
    greys = {one.id: _GREY if one.kind == _HYPOTHETICAL else "" for one in nodes}
    lines = [f'    {one.id}[label="{_unquote(one.label)}"{greys[one.id]}];' for one in nodes]
    lines += ["", *(f"    {one.above} -> {one.below}{_UNSURE if one.grey else ''};" for one in arcs)]
    return "\n".join(("digraph {", *lines, "}", ""))


_GREY, _UNSURE = ', color="grey"', ' [color="grey"]'


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
        "publicationType": "publicationPart",
        "publicationTitle": release.title,
        "publicationDate": release.date[:4],
        "publicationPlace": "",
        "publicationSeries": "",
        "publicationNum": release.version,
        "publicationStemmaNum": "",
        "publicationAuthors": authors,
        "publicationPage": "",
        "publicationLink": "",
        "workTitle": "Rules of the game of reversis",
        "workOrigDate": "",
        "workOrigPlace": "",
        "workAuthor": "",
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
    "Drawn as far as shared wording, order or errors bear it. Grey: a text not seen; a line of which even "
    "the kind is open (a debt of some kind, likely or no more than possible). "
    "Experimental: by the rules of the database as read on 2026-11-26, and not part of it."
)


def format_metadata(metadata: Mapping[str, str], nodes: Sequence[GraphNode]) -> str:
    """Format the metadata line by line, the witnesses last."""
    lines = [f'{key} : "{_unquote(value)}"' for key, value in metadata.items()]
    lines.append("wits :")
    for one in nodes:
        if one.kind == _WITNESS:
            lines += [
                f'    - witSigla : "{one.id}"',
                *(f'      {key} : "{_unquote(value)}"' for key, value in _list_witness_entries(one)),
            ]
    return "\n".join((*lines, ""))


def _list_witness_entries(one: GraphNode) -> Iterator[tuple[str, str]]:
    """Yield what is known of a witness, in the order in which the schema has it."""
    yield "witSignature", one.shelfmark
    yield "witOrigDate", one.date
    yield "witOrigPlace", one.place
    yield "witNotes", one.note
    yield "witMsDesc", ""
    yield "witDigit", one.address


# ---- TEI
def build_stemma_document(
    corpus: Corpus, metadata: Mapping[str, str], nodes: Sequence[GraphNode], arcs: Sequence[GraphArc]
) -> TeiElement:
    """Build the TEI file of the graph."""
    graph = make_element("graph", type="directed", order=str(len(nodes)), size=str(len(arcs)))
    graph.append(make_element("label", _HYPOTHETICAL))  # a stemma that is reconstructed, not observed
    graph.extend(_make_graph_node(one, arcs) for one in nodes)
    graph.extend(_make_arc(at, one) for at, one in enumerate(arcs, 1))
    notes = [_make_note(at, said) for at, one in enumerate(arcs, 1) for said in one.notes]
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


def _make_note(at: int, one: ArcNote) -> TeiElement:
    return make_element("note", one.says, type="evidence", subtype=one.kind, cert=one.cert, target=f"#arc_{at}")


def _make_header(metadata: Mapping[str, str], nodes: Sequence[GraphNode]) -> TeiElement:
    witnesses = [_make_witness(one) for one in nodes if one.kind == _WITNESS]
    file = [
        make_element("titleStmt", _list_titles(metadata)),
        make_element("publicationStmt", _list_publication(metadata)),
        make_element("notesStmt", [make_element("note", metadata["note"])]),
        make_element("sourceDesc", [_make_reference(metadata), make_element("listWit", witnesses)]),
    ]
    terms = [make_element("term", metadata[key], type=key) for key in _TERMS]
    languages = [make_element("language", one, ident=_OTHER_LANGUAGE) for one in metadata["workLangCode"].split("+")]
    profile = [
        make_element("creation", _list_creation(metadata)),
        make_element("textClass", [make_element("keywords", terms)]),
        make_element("langUsage", languages),
    ]
    return make_element("teiHeader", [make_element("fileDesc", file), make_element("profileDesc", profile)])


def _list_titles(metadata: Mapping[str, str]) -> Iterator[TeiElement]:
    yield make_element("title", "Stemma of", type="standard")
    yield make_element("title", metadata["workTitle"], type="variable")
    yield make_element("author", metadata["publicationAuthors"])
    parts = [make_element("resp", _MADE_BY), make_element("persName", metadata["contributor"])]
    yield make_element("respStmt", parts)


def _list_publication(metadata: Mapping[str, str]) -> Iterator[TeiElement]:
    name = make_element("orgName", metadata["publicationAuthors"])
    yield make_element("authority", [name, make_element("ptr", target=metadata["publicationLink"])])
    yield make_element("date", metadata["publicationDate"])
    yield make_element("availability", [make_element("licence", "CC BY", target=_OPENSTEMMATA_LICENCE)])


def _make_reference(metadata: Mapping[str, str]) -> TeiElement:
    """Build the reference to the publication; the schema wants every part of it, known or not."""
    parts = [make_element(tag, metadata[key]) for tag, key in _BIBL_PARTS.items()]
    scopes = [make_element("biblScope", unit=unit, n=metadata[key]) for unit, key in _SCOPES.items()]
    link = make_element("ptr", type="digitised", target=metadata["publicationLink"])
    return make_element("bibl", [*parts, *scopes, link], type=metadata["publicationType"])


def _list_creation(metadata: Mapping[str, str]) -> Iterator[TeiElement]:
    yield make_element("title", metadata["workTitle"])
    yield make_element("persName", metadata["workAuthor"], role="author")
    yield make_element("origDate", metadata["workOrigDate"])
    yield make_element("origPlace", metadata["workOrigPlace"])


#: Element of the reference -> the entry of the metadata that it holds.
_BIBL_PARTS: Mapping[str, str] = {
    "title": "publicationTitle",
    "author": "publicationAuthors",
    "date": "publicationDate",
    "pubPlace": "publicationPlace",
    "series": "publicationSeries",
}
_SCOPES: Mapping[str, str] = {"volume": "publicationNum", "page": "publicationPage"}
_TERMS = ("workGenre", "stemmaType", "contam", "extraStemmContam", "rootType")


def _make_witness(one: GraphNode) -> TeiElement:
    parts = [
        make_element("label", one.id, type="siglum"),
        make_element("idno", one.shelfmark),
        make_element("origDate", one.date),
        make_element("origPlace", one.place),
        make_element("note", one.note),
        make_element("ptr", type="description"),
        make_element("ptr", type="digitised", target=one.address),
    ]
    return make_element("witness", parts, id=f"w_{one.id}")
