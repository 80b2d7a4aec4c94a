"""Growth: an edition of many sources is as many times as large as one of few, and no larger."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from _pytest.tmpdir import TempPathFactory

from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.site.stubs import write_page_sources
from proofs.growth import (
    write_stub_pages,
)
from proofs.synthetic_library import choose_synthetic_questions, write_synthetic_library
from reversis.files.drafts import MAX_SETTLING_SOURCES
from reversis.files.extras import get_deals
from reversis.views.deals import deal as deals
from rulebook.load import library, load_library
from tests.support.pages import ALL_VIEWS

SIZES = (3, 9, 15)
QUESTIONS = 24


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: TempPathFactory) -> dict[int, Corpus]:
    found = {}
    for number in SIZES:
        root = write_synthetic_library(tmp_path_factory.mktemp(f"of-{number}"), number, QUESTIONS, deals=1, seed=7)
        corpus, problems = read_corpus_checked(root)
        assert corpus is not None and not problems, problems
        found[number] = corpus
    return found


def pages_of(corpus: Corpus, folder: Path) -> dict[str, str]:
    write_page_sources(corpus, folder, write_stub_pages(folder.with_name(f"{folder.name}-hand")))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}


@pytest.mark.slow
def test_an_invented_library_checks_cleanly_and_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    first, again = (
        write_synthetic_library(tmp_path / name, 2, QUESTIONS, deals=1, seed=5) for name in ("first", "again")
    )
    found, problems = load_library(first)
    assert found is not None and not problems
    assert len(found.questions) == QUESTIONS and len(found.sources) == 2 and len(found.deals) == 2
    assert found.digest == load_library(again)[0].digest  # type: ignore[union-attr]
    other = load_library(write_synthetic_library(tmp_path / "other", 2, QUESTIONS, deals=1, seed=6))[0]
    assert other is not None and other.digest != found.digest


def test_the_questions_of_an_invented_library_are_those_that_are_played() -> None:
    real = library()
    synthetic_questions = choose_synthetic_questions(real, 120)
    assert len(synthetic_questions) == 120
    assert not any(question.not_played for question in synthetic_questions)
    assert len(choose_synthetic_questions(real, 10**6)) == len(real.questions)


@pytest.mark.release
def test_the_pages_grow_with_the_sources_and_not_with_their_square(shelves: dict[int, Corpus], tmp_path: Path) -> None:
    for number, corpus in shelves.items():
        kinds = Counter(Path(page).parts[0] for page in pages_of(corpus, tmp_path / str(number)))
        assert {kind: kinds[kind] for kind in ("sources", "clauses", "deals")} == dict.fromkeys(
            ("sources", "clauses", "deals"), number
        )
        assert kinds["howto"] == 2 * number  # rules and card
        assert kinds["questions"] == QUESTIONS


@pytest.mark.slow
def test_what_one_page_says_stays_within_bounds_where_it_is_not_a_page_on_all_sources(
    shelves: dict[int, Corpus],
) -> None:
    few, many = shelves[SIZES[1]], shelves[SIZES[2]]
    for kind in ("source", "clauses", "howto", "deal"):
        assert largest(many, kind) < 1.5 * largest(few, kind), kind
    assert largest(many, "question") < 1.2 * SIZES[2] / SIZES[1] * largest(few, "question")


def largest(corpus: Corpus, kind: str) -> int:
    questions = [question.id for question in corpus.library.questions.values()]
    names = {"deal": [deal.id for deal in get_deals(corpus)], "question": questions}
    return max(len(repr(ALL_VIEWS[kind](corpus, name))) for name in names.get(kind, list(corpus.library.sources)))


def test_many_sources_are_gathered_on_a_page_and_not_named_beside_every_page(
    shelves: dict[int, Corpus], tmp_path: Path
) -> None:
    few, many = (pages_of(shelves[number], tmp_path / str(number)) for number in (SIZES[0], SIZES[2]))
    assert "\nsources/*\n" in few["index.md"] and "sources.md" not in few
    assert "\nsources\n" in many["index.md"] and "sources/*" not in many["index.md"]
    assert "edition:sources" in many["sources.md"]


def test_a_deal_is_settled_by_its_own_source_and_some_others_where_there_are_many(shelves: dict[int, Corpus]) -> None:
    few, many = shelves[SIZES[0]], shelves[SIZES[2]]
    last = get_deals(many)[-1]
    page = ALL_VIEWS["deal"](many, last.id)
    view = page.deal
    assert len(view.ledgers) == MAX_SETTLING_SOURCES and view.left_out == SIZES[2] - MAX_SETTLING_SOURCES
    assert last.cites[0].partition(".")[0] in {ledger.source for ledger in view.ledgers}
    words = "".join(node.astext() for node in deals.render_deal_page(page))
    assert f"by {MAX_SETTLING_SOURCES} of {SIZES[2]} sources" in words
    assert f"reversis run {view.id} --all" in words
    whole = ALL_VIEWS["deal"](few, get_deals(few)[0].id)
    assert [ledger.source for ledger in whole.deal.ledgers] == list(few.library.sources)
    assert not whole.deal.left_out
    assert "settles it by every one" not in "".join(node.astext() for node in deals.render_deal_page(whole))
