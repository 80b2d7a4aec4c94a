"""Pages of a library that has no game: what a game would add is left out, and nothing leads there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from docutils import nodes
from sphinx.addnodes import pending_xref

from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.game import NO_GAME
from edition.site.stubs import generate_stub_pages
from edition.views.page_kinds import get_page_kinds, list_addressed_kinds
from rulebook.program_name import GAME_VARIABLE

HEARTS = Path(__file__).parents[2] / "data" / "hearts"
PLACED = re.compile(r"\{edition:([\w-]+)\} (.*)")  #: directive of a page that shows one record


@pytest.fixture
def hearts(monkeypatch: pytest.MonkeyPatch) -> Corpus:
    monkeypatch.delenv(GAME_VARIABLE, raising=False)
    corpus, problems = read_corpus_checked(HEARTS)
    assert corpus is not None and problems == [] and corpus.game is NO_GAME
    return corpus


def render_pages(corpus: Corpus) -> Iterator[nodes.Node]:
    kinds = get_page_kinds(corpus.game)
    placed = [found.groups() for _, text in generate_stub_pages(corpus) for found in PLACED.finditer(text)]
    assert {"source", "question", "topic", "clauses"} <= {kind for kind, _ in placed}
    for kind, name in [*placed, *((kind, "") for kind, page in kinds.items() if not page.path)]:
        yield from kinds[kind].render(kinds[kind].view(corpus, name))


@pytest.mark.slow
def test_every_page_is_made_without_a_game_and_leads_to_no_page_of_one(hearts: Corpus) -> None:
    known = {*list_addressed_kinds(NO_GAME), "page"}
    links = [link for page in render_pages(hearts) for link in page.findall(pending_xref)]
    assert len(links) > 500 and {link["reftype"] for link in links} <= known
