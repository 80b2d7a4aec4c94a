"""Export the stemma as a graph in DOT: what was not seen is grey, and a line of which even the kind is open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from edition.corpus.corpus import Corpus
from edition.corpus.history_files import get_stemma
from edition.export.file import QUOTES_NONE, ExportFile
from edition.export.tei_elements import to_xml_id
from rulebook.history.stemma import POSSIBLE

STEMMA_DOT = "stemma.gv"
_GREY_TEXT, _GREY_LINE = ', color="grey"', ' [color="grey"]'


def export_stemma(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield the graph; nothing without a stemma."""
    if get_stemma(corpus).edges:
        lines = ("digraph {", *_list_texts(corpus), "", *_list_lines(corpus), "}", "")
        yield ExportFile(STEMMA_DOT, "\n".join(lines).encode(), "the stemma as a graph (DOT)", QUOTES_NONE)


def _list_texts(corpus: Corpus) -> Iterator[str]:
    ancestors = {text.id: text.sign for text in get_stemma(corpus).ancestors}
    for id in get_stemma(corpus).texts:
        source = corpus.library.sources.get(id)
        label = source.short_name if source else ancestors.get(id, id)
        quoted = " ".join(label.replace('"', "'").split())
        yield f'    {_name_node(id)}[label="{quoted}"{_GREY_TEXT if id in ancestors else ""}];'


def _list_lines(corpus: Corpus) -> Iterator[str]:
    """Yield a line for every two texts, grey if all edges between them are debts of an open kind."""
    kinds: dict[tuple[str, str], set[str]] = {}
    for edge in get_stemma(corpus).edges:
        for below in edge.below:
            kinds.setdefault((edge.above, below), set()).add(edge.kind)
    for (above, below), edge_kinds in kinds.items():
        yield f"    {_name_node(above)} -> {_name_node(below)}{_GREY_LINE if edge_kinds == {POSSIBLE} else ''};"


def _name_node(id: str) -> str:
    return re.sub(r"\W", "_", to_xml_id(id))
