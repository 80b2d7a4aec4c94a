"""Stemma: the tree as far as the evidence bears, its marks in words, and the evidence of every line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.corpus.history_files import get_stemma
from edition.export.downloads import get_download_address
from edition.export.stemma import STEMMA_DOT
from edition.nodes import history_charts
from edition.nodes.templates import template_renderer
from edition.palette import format_slot_classes
from edition.views.common import Prose
from edition.views.plain_answers import source_marks
from rulebook.history.stemma import POSSIBLE, SHARED_ANCESTOR, Stemma
from rulebook.model import FrozenMap
from rulebook.phrases import join_names
from rulebook.schema.history_records import EdgeRecord, EvidenceRecord

#: Certainty of an edge -> how sure we are, in words.
EDGE_CERTAINTY: Mapping[str, str] = {
    "high": "very likely or certain",
    "medium": "likely",
    "low": "no more than possible",
}
#: Kind of an edge -> its name; one that is "possible" is a debt of an open kind, however sure the debt itself is.
EDGE_KINDS: Mapping[str, str] = {
    "copied": "copied",
    "abridged": "abridged",
    "translated": "translated",
    SHARED_ANCESTOR: "from one ancestor",
    POSSIBLE: "a debt of some kind",
}


#: Whether an agreement could arise twice -> the answer.
TWICE_ANSWERS: Mapping[str, str] = {"no": "No", "hardly": "Hardly", "yes": "Yes"}


@dataclass(frozen=True, slots=True)
class StemmaText:
    """A text of the tree: its mark and all that is said of it."""

    drawn: history_charts.DrawnText
    name: str
    lang: str
    date: str
    of: str  #: for a witness: the source of whose text it is
    note: Prose


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A piece of evidence."""

    evidence: EvidenceRecord
    says: Prose
    because: Prose


@dataclass(frozen=True, slots=True)
class EdgeView:
    """A line of the tree with its evidence."""

    edge: EdgeRecord
    above: str
    below: tuple[str, ...]
    says: Prose
    open: Prose
    evidence: tuple[EvidenceView, ...]


@dataclass(frozen=True, slots=True)
class StemmaView:
    """The tree, its texts and the evidence."""

    texts: tuple[StemmaText, ...]
    lines: tuple[history_charts.DrawnLine, ...]
    edges: tuple[EdgeView, ...]
    languages: Mapping[str, str]  #: of the sources, by siglum
    says: str


def stemma_view(corpus: Corpus, _: str = "") -> StemmaView:
    """The tree as far as the evidence bears, with its texts and lines."""
    stemma = get_stemma(corpus)
    places, levels = place_texts(stemma), measure_levels(stemma)
    texts = tuple(_view_text(corpus, stemma, id, places[id], levels[id]) for id in stemma.texts)
    edges = tuple(_view_edge(corpus, edge) for edge in stemma.edges)
    languages = FrozenMap((siglum, source.language) for siglum, source in corpus.library.sources.items())
    return StemmaView(texts, tuple(_list_lines(stemma)), edges, languages, _describe_tree(texts, stemma))


# ---- the shape of the tree
def place_texts(stemma: Stemma) -> Mapping[str, float]:
    """Place every text across: the last ones side by side, each above in the middle of what comes from it."""
    children = _list_children(stemma)
    leaves = [id for root in _list_roots(stemma) for id in _walk(children, root) if not children[id]]
    columns = {id: 100 * (at + 0.5) / len(set(leaves)) for at, id in enumerate(dict.fromkeys(leaves))}
    places = dict(columns)
    for id in reversed(_sort_by_level(stemma)):
        if children[id]:
            places[id] = sum(places[child] for child in children[id]) / len(children[id])
    return places


def measure_levels(stemma: Stemma) -> Mapping[str, int]:
    """Number of lines from the top to every text, along the longest way."""
    parents = {id: {edge.above for edge in stemma.edges if id in edge.below} for id in stemma.texts}
    levels = dict.fromkeys(stemma.texts, 0)
    for _ in stemma.texts:
        levels = {id: 1 + max((levels[parent] for parent in parents[id]), default=-1) for id in stemma.texts}
    return levels


def _list_children(stemma: Stemma) -> Mapping[str, tuple[str, ...]]:
    pairs = ((id, (child for edge in stemma.edges if edge.above == id for child in edge.below)) for id in stemma.texts)
    return {id: tuple(dict.fromkeys(below)) for id, below in pairs}


def _list_roots(stemma: Stemma) -> list[str]:
    below = {id for edge in stemma.edges for id in edge.below}
    return [id for id in stemma.texts if id not in below]


def _walk(children: Mapping[str, Sequence[str]], id: str) -> Iterator[str]:
    yield id
    for child in children[id]:
        yield from _walk(children, child)


def _sort_by_level(stemma: Stemma) -> list[str]:
    levels = measure_levels(stemma)
    return sorted(stemma.texts, key=lambda id: levels[id])


def _list_lines(stemma: Stemma) -> Iterator[history_charts.DrawnLine]:
    """Yield one line for every two texts; it is whole if any edge between them is more than possible."""
    pairs = dict.fromkeys((edge.above, id) for edge in stemma.edges for id in edge.below)
    sure = {(edge.above, id) for edge in stemma.edges for id in edge.below if edge.kind != POSSIBLE}
    yield from (history_charts.DrawnLine(above, below, (above, below) not in sure) for above, below in pairs)


# ---- views
def _view_text(corpus: Corpus, stemma: Stemma, id: str, across: float, level: int) -> StemmaText:
    if id in corpus.library.sources:
        mark = source_marks(corpus)[id]
        drawn = history_charts.DrawnText(
            id, id, history_charts.SOURCE_MARK, mark.title, across, level, format_slot_classes(mark.slot)
        )
        return StemmaText(drawn, mark.name, "", mark.date, "", ())
    if id in stemma.witnesses:
        witness = stemma.witnesses[id]
        drawn = history_charts.DrawnText(
            id, id, history_charts.WITNESS_MARK, f"{witness.title} ({witness.date})", across, level
        )
        return StemmaText(drawn, witness.title, witness.lang, witness.date, witness.source, ())
    ancestor = next(ancestor for ancestor in stemma.ancestors if ancestor.id == id)
    drawn = history_charts.DrawnText(
        id, ancestor.sign, history_charts.UNSEEN_MARK, f"{ancestor.name}: not seen", across, level
    )
    return StemmaText(drawn, ancestor.name, "", "", "", corpus.prose(ancestor.note))


def _view_edge(corpus: Corpus, edge: EdgeRecord) -> EdgeView:
    signs = {ancestor.id: ancestor.sign for ancestor in get_stemma(corpus).ancestors}
    return EdgeView(
        edge,
        signs.get(edge.above, edge.above),
        tuple(signs.get(text, text) for text in edge.below),
        corpus.prose(edge.says),
        corpus.prose(edge.open),
        tuple(
            EvidenceView(evidence, corpus.prose(evidence.says), corpus.prose(evidence.because))
            for evidence in edge.evidence
        ),
    )


def _describe_tree(texts: Iterable[StemmaText], stemma: Stemma) -> str:
    """Describe the tree in words, for whoever does not see it."""
    names = {text.drawn.id: text.drawn.says for text in texts}
    children = ((id, below) for id, below in _list_children(stemma).items() if below)
    branches = (f"from {names[id]} come {join_names([names[child] for child in below])}" for id, below in children)
    return f"Tree of the texts: {'; '.join(branches)}."


# ---- layout
def _draw_tree(view: StemmaView) -> nodes.container:
    return history_charts.stemma_figure([text.drawn for text in view.texts], view.lines, view.says)


_EDGE_WORDS: Mapping[str, Mapping[str, str]] = {"kinds": EDGE_KINDS, "certainties": EDGE_CERTAINTY}
render_stemma = template_renderer(
    "edition",
    "stemma",
    tree=_draw_tree,
    mark=history_charts.stemma_key_mark,
    twice=TWICE_ANSWERS,
    **_EDGE_WORDS,
    file=get_download_address("stemma", STEMMA_DOT),
)
#: The tree in words, as a book has it.
render_printed_stemma = template_renderer("edition", "stemma-printed", **_EDGE_WORDS)
