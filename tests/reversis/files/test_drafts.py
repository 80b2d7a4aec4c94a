"""A source that somebody has begun is in the edition, says how far it is collated, and is not played too early."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from docutils import nodes

from edition.book.whole_book import numbers_view
from edition.corpus.corpus import Corpus
from edition.corpus.progress import format_collation
from edition.views.about import home
from edition.views.questions.all_answers import answers_view
from edition.views.questions.answer_table import render_answers_page
from edition.views.questions.pairs import PAIR_COUNTS, pairs_view
from edition.views.questions.question import question_view
from edition.views.questions.silences import silences_view
from edition.views.sources import source as texts
from edition.views.sources.source_list import sources_view
from edition.views.sources.source_text import render_source
from engine.settlement.settle import Unanswered, settle
from reversis.cli.main import cli
from reversis.files.deals import readable_deals
from reversis.files.drafts import explain_draft_gap, list_playable_sources
from reversis.words import ledgers
from reversis.words.deal_views import resolve_rulesets
from rulebook.checks.fingerprints import stamp_fingerprints
from rulebook.drafts import NOT_COLLATED, list_finished_sources, list_uncollated_questions
from rulebook.model import Library
from rulebook.resolve import resolve
from rulebook.sources.assemble import assemble_library
from tests.support.library import changed, corpus_of, write_library

OPTIONS = "--title Règles --short-title Begun --language fr --date 1785 --place= --author= --exemplar= --unit fiche"
ANSWERED = """- id: LAH.c001
  cites: [{locus: LAH.n01}]
  answers: {Q001: leader}
  status: implied
  because: It must be something.
"""


def begun(folder: Path, *more: str) -> Path:
    root = write_library(folder, deals=False)
    words = ["new-source", "LAH", *OPTIONS.split(), "--coder", "me", "--sources", str(root), *more]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    return root


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of(begun(tmp_path_factory.mktemp("begun")))


def said(found: Iterable[nodes.Node]) -> str:
    return " ".join(node.astext() for node in found)


NOTHING, A_THIRD = (f"collated: {share} % of the questions" for share in (0, 33))


def test_a_draft_is_collated_nought_of_a_hundred_wherever_sources_are_listed(corpus: Corpus) -> None:
    assert format_collation(corpus.library, "LAH") == NOTHING and format_collation(corpus.library, "AAA") == ""
    assert NOTHING in said(home.render_home_books(home.home_books_view(corpus)))
    assert NOTHING in said(render_source(texts.source_view(corpus, "LAH"))).lower()
    assert "collated" not in said(render_source(texts.source_view(corpus, "AAA")))
    assert said(render_answers_page(answers_view(corpus))).count(NOTHING) == 1
    assert [here for one, _, _, here in sources_view(corpus) if one.siglum == "LAH"] == [f"nothing yet; {NOTHING}"]


def test_what_is_answered_counts_and_only_all_of_it_is_a_hundred(tmp_path: Path) -> None:
    root = begun(tmp_path, "--in-copyright")
    unread = "- id: LAH.c001\n  on: [Q001]\n  because: Not read for this question yet.\n  status: not-collated\n"
    changed(root, "LAH/clauses.yaml", unread, ANSWERED)
    stamp_fingerprints(root)
    corpus = corpus_of(root)
    assert format_collation(corpus.library, "LAH").startswith(A_THIRD)
    assert [question.id for question in list_uncollated_questions(corpus.library, "LAH")] == ["Q002", "Q003"]
    assert A_THIRD in said(home.render_home_books(home.home_books_view(corpus)))


def test_silence_in_every_row_is_no_hundred_while_sentences_are_left(tmp_path: Path) -> None:
    root = begun(tmp_path, "--in-copyright")
    path = root / "LAH" / "clauses.yaml"
    letters = path.read_text("utf-8").replace("status: not-collated", "status: silent\n  searched: LAH.n01")
    path.write_text(letters, "utf-8")
    assert letters.count("status: silent") == 3
    library = corpus_of(root).library
    assert list_uncollated_questions(library, "LAH") == ()
    assert format_collation(library, "LAH") == "collated: 100 % of the questions, 0 % of the statements"
    (root / "LAH" / "coverage.yaml").write_text("LAH.n01:\n  kind: narrative\n  because: No rule.\n", "utf-8")
    case, _ = assemble_library(root)
    assert case and format_collation(case.library, "LAH").endswith(", 100 % of the statements")


def test_what_was_not_read_is_never_called_silent(corpus: Corpus) -> None:
    for question in corpus.library.questions.values():
        (cell,) = (one for one in question_view(corpus, question.id).cells if one.source.siglum == "LAH")
        assert (cell.mark.letter, cell.status) == ("…", NOT_COLLATED) and "not yet collated" in cell.mark.words
    assert not [clause for source, found in silences_view(corpus) for clause in found if source.siglum == "LAH"]
    pair = next(one for one in pairs_view(corpus) if (one.first.siglum, one.second.siglum) == ("AAA", "LAH"))
    assert dict(zip(PAIR_COUNTS, pair.counts, strict=True))["unread"] == sum(pair.counts)


def test_a_draft_is_not_counted_among_the_sources(corpus: Corpus) -> None:
    lines = {what.partition(",")[0]: number for number, what in numbers_view(corpus)}
    assert lines["sources"] == "2" and lines[f"begun and not counted: LAH ({NOTHING})"] == "1"
    assert int(lines["clauses"]) == sum(clause.status != NOT_COLLATED for clause in corpus.library.clauses())
    assert list_finished_sources(corpus.library) == ("AAA", "BBB")


def as_draft(library: Library, siglum: str, *unread: str) -> Library:
    """A library in which a source is a draft, and not read for some questions."""
    source = library.sources[siglum]
    clauses = tuple(
        replace(clause, answers={}, about=clause.questions, status=NOT_COLLATED)
        if set(clause.questions) & {*unread}
        else clause
        for clause in source.clauses
    )
    draft = replace(source, record={**source.record, "draft": True}, clauses=clauses)
    return replace(library, sources={**library.sources, siglum: draft})


def test_a_draft_is_played_once_it_has_been_read_for_all_that_a_deal_of_its_own_asks(library: Library) -> None:
    siglum = next(iter(library.sources))
    assert siglum in list_playable_sources(as_draft(library, siglum))
    begun = as_draft(library, siglum, "table.pack")
    assert list_playable_sources(begun) == tuple(source for source in library.sources if source != siglum)
    assert siglum not in {ruleset.source for ruleset in resolve_rulesets(begun)}
    deal = next(readable_deals(library))
    stopped = settle(deal, resolve(begun, siglum))
    assert isinstance(stopped, Unanswered)
    told = ledgers.silence_view(begun, stopped).message
    assert told.startswith("Not collated:") and "silent" not in told
    assert f"/code/{siglum}" in told and f"reversis sheet {siglum}" in told and "clauses.yaml" not in told
    assert explain_draft_gap(library, siglum, "table.pack") == ""
