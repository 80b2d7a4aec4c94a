"""The page of a question, read with the eyes of one who wants to know who says what."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from edition.corpus.corpus import Corpus
from edition.views import common as views
from edition.views.questions import question as asking
from engine.comparison.separation import EFFECTIVE, NOT_PLAYED


@pytest.fixture(scope="module")
def asked(corpus: Corpus) -> dict[str, asking.QuestionView]:
    return {one.id: asking.question_view(corpus, one.id) for one in corpus.library.questions.values()}


@pytest.mark.release
def test_every_source_has_its_words_in_the_overview_or_the_reason_why_not(
    asked: dict[str, asking.QuestionView],
) -> None:
    for one in asked.values():
        for cell in one.cells:
            quoted = asking.select_ground_quotations(cell)
            assert quoted or list(asking.render_missing_quote_reasons(cell)), cell.target
            assert len(quoted) <= asking.MAX_OVERVIEW_QUOTATIONS, cell.target


def test_a_condition_asks_the_other_question_in_full(corpus: Corpus) -> None:
    asked, verb, value = asking.list_condition_words(corpus, corpus.library.question("Q031"))
    assert asked.question is not None and asked.question.id == "Q030"
    assert (verb.words, value.words) == ("is not", "nobody")


def test_a_disagreement_that_is_played_shows_what_it_changes(
    corpus: Corpus, asked: dict[str, asking.QuestionView]
) -> None:
    """Where a deal is known it comes first; what is not played has none."""
    with_deal = 0
    for question in corpus.library.questions.values():
        one = asked[question.id]
        verdicts = [each.verdict for each in one.partings]
        assert NOT_PLAYED not in verdicts
        assert EFFECTIVE not in verdicts[1:] or verdicts[0] == EFFECTIVE
        if question.not_played:
            assert verdicts == [], question.id
        if verdicts and verdicts[0] == EFFECTIVE:
            assert one.partings[0].deal is not None or one.partings[0].session, question.id
            with_deal += 1
    assert with_deal > 30


def test_where_nobody_disagrees_no_disagreement_is_spoken_of(asked: dict[str, asking.QuestionView]) -> None:
    for id, one in asked.items():
        said = "".join(node.astext() for node in asking.render_disagreement_effects(one))
        differ = one.agreement == views.AGREEMENT["differ"]
        assert said.startswith("What the disagreement changes") <= differ, id


@pytest.mark.slow
def test_every_cell_of_a_question_page_is_an_address_with_a_sign_that_shows_it(site: Path, corpus: Corpus) -> None:
    for path in (site / "questions").glob("*.html"):
        root = html.fromstring(path.read_text(encoding="utf-8"))
        for siglum in corpus.library.sources:
            (heading,) = root.xpath(f"//section[@id='{siglum}']/h3")
            assert heading.xpath(f"a[@class='headerlink'][@href='#{siglum}']")[0].text == "§", path.name
            assert root.xpath(f"//table[contains(@class, 'rv-said')]//a[@href='#{siglum}']"), path.name


@pytest.mark.slow
@pytest.mark.browser
def test_the_sign_of_a_cell_is_seen_without_pointing_at_it(browser: object, site: Path) -> None:
    tab = browser.new_page()  # type: ignore[attr-defined]
    tab.goto((site / "questions" / "Q031.html").as_uri())
    assert (
        tab.locator("section[id=PAM] > h3 .headerlink").evaluate("(one) => getComputedStyle(one).visibility")
        == "visible"
    )
    tab.close()
