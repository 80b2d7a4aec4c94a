"""The page of a question, read with the eyes of one who wants to know who says what."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from edition.corpus.corpus import Corpus
from edition.game import render_panels
from edition.nodes.builders import markup
from edition.views import common as views
from edition.views.layout import render_quotation_english
from edition.views.questions import question as asking
from edition.views.questions.question import render_question
from engine.comparison.separation import EFFECTIVE, NOT_PLAYED
from reversis.views.panels.question import view_answer_effects
from rulebook.phrases import capitalise


@pytest.fixture(scope="module")
def asked(corpus: Corpus) -> dict[str, asking.QuestionView]:
    return {question.id: asking.question_view(corpus, question.id) for question in corpus.library.questions.values()}


@pytest.mark.release
def test_every_source_has_its_words_in_the_overview_or_the_reason_why_not(
    asked: dict[str, asking.QuestionView],
) -> None:
    for one in asked.values():
        for cell in one.cells:
            quoted = asking.select_ground_quotations(cell)
            assert quoted or list(asking.list_missing_quote_reasons(cell)), cell.target
            sentences = {(quote.locus, quote.to) for quote in quoted}
            assert len(sentences) <= asking.MAX_OVERVIEW_SENTENCES, cell.target


def test_a_question_is_printed_with_typographic_apostrophes_and_kept_with_straight_ones(corpus: Corpus) -> None:
    question = next(one for one in corpus.library.questions.values() if "'s " in one.asks)
    asked = asking.question_view(corpus, question.id).link.asks
    assert asked == question.asks.replace("'", "’") and "'" not in asked


def test_a_condition_asks_the_other_question_in_full(corpus: Corpus) -> None:
    asked, verb, value = asking.list_condition_words(corpus, corpus.library.question("Q031"))
    assert asked.question is not None and asked.question.id == "Q030"
    assert (verb.words, value.words) == ("is not", "nobody")


@pytest.mark.slow
def test_a_disagreement_that_is_played_shows_what_it_changes(corpus: Corpus) -> None:
    """Where a deal is known it comes first; what is not played has none."""
    with_deal = 0
    for question in corpus.library.questions.values():
        changes = view_answer_effects(corpus, question.id)
        cases = changes.cases if changes else ()
        verdicts = [case.verdict for case in cases]
        assert NOT_PLAYED not in verdicts
        assert EFFECTIVE not in verdicts[1:] or verdicts[0] == EFFECTIVE
        if question.not_played:
            assert verdicts == [], question.id
        if verdicts and verdicts[0] == EFFECTIVE:
            assert cases[0].deal is not None or cases[0].session, question.id
            with_deal += 1
    assert with_deal > 30


@pytest.mark.slow
def test_where_nobody_disagrees_no_disagreement_is_spoken_of(asked: dict[str, asking.QuestionView]) -> None:
    for id, one in asked.items():
        said = "".join(node.astext() for node in render_panels(one.panels))
        differ = one.agreement == views.AGREEMENT["differ"]
        assert said.startswith("What the difference changes") <= differ, id


def test_plain_answers_come_first_and_the_rest_is_folded(asked: dict[str, asking.QuestionView]) -> None:
    (page,) = render_question(asked["Q031"])
    words = page.astext().casefold()
    order = [words.index(cell.plain.casefold()) for cell in asked["Q031"].cells]
    order += [words.index(title.casefold()) for title in ("What the difference changes", "Other readings")]
    assert order == sorted(order)
    folded = {node["ids"][0] for node in page.findall(markup) if node["tag"] == "details" and node["ids"]}
    assert folded == {"readings", "sources", "about"}


def test_rival_reading_of_the_partie_stands_under_the_answer(asked: dict[str, asking.QuestionView]) -> None:
    """ACA s0013 says that whoever has fewest points wins; its answer goes by tricks."""
    (cell,) = (one for one in asked["Q057"].cells if one.source.siglum == "ACA")
    fewest_points = "fewest points, then no tricks if possible, then best place"
    assert dict(cell.others)["ACA.i08"] == fewest_points
    page = render_question(asked["Q057"])[0].astext()
    assert page.index(capitalise(cell.plain)) < page.index("Could also mean: ") < page.index(fewest_points)


@pytest.mark.slow
def test_every_cell_of_a_question_page_is_an_address_with_a_sign_that_shows_it(site: Path, corpus: Corpus) -> None:
    for path in (site / "questions").glob("Q*.html"):
        root = html.fromstring(path.read_text(encoding="utf-8"))
        for siglum in corpus.library.sources:
            (said,) = root.xpath(f"//div[@id='{siglum}']")
            (sign,) = said.xpath(f".//a[@href='#{siglum}']")
            assert sign.text == "§" and sign.get("aria-label"), path.name


def test_what_is_quoted_of_one_sentence_is_translated_once_and_as_the_whole_sentence(
    corpus: Corpus, asked: dict[str, asking.QuestionView]
) -> None:
    """GER.s0051: two pieces of one sentence."""
    cell = next(one for one in asked["Q022"].cells if one.source.siglum == "GER")
    two = asking.select_ground_quotations(cell)
    (one,) = asking.join_within_sentences(two)
    assert len(two) == 2 and not one.whole and all(part.exact in one.exact for part in two)
    said = "".join(each if isinstance(each, str) else each.astext() for each in render_quotation_english(one))
    assert said.startswith("The whole sentence:") and said.count("honneur") == 1
