"""The stemma as a graph in DOT: a line for every text and every line of descent, grey where unseen or open."""

from __future__ import annotations

import re
from pathlib import Path

from edition.corpus.history_files import get_stemma
from edition.export.stemma import export_stemma
from rulebook.model import Library
from tests.support.library import opened, write_library
from tests.support.pages import build_corpus

DOT_NODE = re.compile(r'^    (\w+)\[label="([^"]*)"(, color="grey")?\];$')
DOT_ARC = re.compile(r'^    (\w+) -> (\w+)( \[color="grey"\])?;$')


def test_a_library_without_a_stemma_has_no_graph(tmp_path: Path) -> None:
    assert [*export_stemma(build_corpus(opened(write_library(tmp_path, deals=False))))] == []


def test_dot_has_a_line_for_every_text_and_every_line_of_descent(library: Library) -> None:
    corpus = build_corpus(library)
    (graph,) = export_stemma(corpus)
    lines = graph.letters.decode().splitlines()
    assert (graph.path, lines[0], lines[-1]) == ("stemma.gv", "digraph {", "}")
    texts = [found for line in lines if (found := DOT_NODE.match(line))]
    arcs = [found for line in lines if (found := DOT_ARC.match(line))]
    assert len(texts) + len(arcs) + 3 == len(lines)  # with a blank line
    stemma = get_stemma(corpus)
    assert len(texts) == len(stemma.texts)
    drawn = {(edge.above, below) for edge in stemma.edges for below in edge.below}
    assert len(arcs) == len(drawn) and {found[2] for found in arcs} == {below for _, below in drawn}
    assert sum(bool(found[3]) for found in texts) == len(stemma.ancestors)
    open_lines = {found[2] for found in arcs if found[3]}
    assert "PAR" in open_lines and not open_lines & {"ACA", "GER", "HAG", "HOY", "PAM"}
