"""The first page, the doubts with what they cost, the data of the surveys, and figures on a phone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes

from edition.analysis.costs import OUR_POOL, find_alternative_cost, find_costs, format_cost_percent
from edition.analysis.results import settle_worked_deals
from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.nodes import bar_list as bars
from edition.views.about import home
from edition.views.questions import interpretations as doubting
from edition.views.surveys import survey_columns as dictionary
from engine.survey.statistics import Estimate
from rulebook.resolve import iter_clause_alternatives
from tests.support.library import write_nine_sources

pytestmark = pytest.mark.slow

# --- the first page ------------------------------------------------------------------------------------------


def test_the_deal_of_the_home_page_makes_a_winner_a_loser_and_no_other_does_so_more(corpus: Corpus) -> None:
    """Of the deals that most books settle it is the one with the widest gap."""
    found = home.home_deal_view(corpus)
    assert found is not None
    totals = [one.total for one in found.results]
    assert max(totals) > 0 > min(totals)
    known = {deal.id: [one for one in deal.ledgers if one.state == "settled"] for deal in settle_worked_deals(corpus)}
    assert [(one.source.siglum, one.total) for one in found.results] == [
        (one.source, dict(one.net)[found.seat]) for one in known[found.deal]
    ]
    for name, ledgers in known.items():
        for seat in (seat for seat, _ in ledgers[0].net) if len(ledgers) >= len(totals) else ():
            theirs = [dict(one.net)[seat] for one in ledgers] if seat != "pool" else [0]
            if max(theirs) > 0 > min(theirs):
                assert len(ledgers) == len(totals) and max(theirs) - min(theirs) <= max(totals) - min(totals), name


def test_each_total_of_the_home_page_has_the_events_that_moved_most(corpus: Corpus) -> None:
    found = home.home_deal_view(corpus)
    assert found is not None
    for one in found.results:
        assert 1 <= len(one.reasons) <= 2 and all(amount for _, amount in one.reasons)
        assert [abs(amount) for _, amount in one.reasons] == sorted((abs(n) for _, n in one.reasons), reverse=True)


def test_the_question_of_the_home_page_is_the_dearest_of_all(corpus: Corpus) -> None:
    found, policy = home.find_costliest_question(corpus), corpus.surveys[-1].policy
    assert found is not None
    weights = {
        one: dict(one.weights)[policy]
        for one in find_costs(corpus)
        if not one.whole and any(stand.kind == "question" for stand in one.stands) and one.of(policy)
    }
    most = max(weights, key=lambda one: weights[one].of_pool.value)
    assert (found.question.slug in most.questions, found.table.siglum) == (True, most.table)
    assert (found.moved, found.pool_supplied) == (weights[most].moved.value, most.pool_supplied)
    said = " ".join(node.astext() for node in home.render_home_findings(home.home_findings_view(corpus)))
    assert found.table.name in said and (OUR_POOL in said) == found.pool_supplied


def test_a_library_without_deals_or_surveys_has_a_home_page_all_the_same(corpus: Corpus) -> None:
    bare = replace(corpus, library=replace(corpus.library, deals=()), surveys=())
    assert home.home_deal_view(bare) is None and home.render_home_deal(None) == []
    assert home.home_findings_view(bare).costliest is None


def test_nine_books_two_of_them_nearly_silent_stand_on_the_home_page(tmp_path: Path) -> None:
    """The deal is settled by those that can; the others are counted, not hidden."""
    nine, _ = read_corpus_checked(write_nine_sources(tmp_path))
    assert nine is not None
    assert home.describe_edition(nine) == "Nine rulebooks for one lost card game"
    assert len(home.home_books_view(nine)) == 9
    found = home.home_deal_view(nine)
    assert found is None or len(found.results) + found.unsettled == 9


# --- doubts ------------------------------------------------------------------------------------------


@pytest.mark.release
def test_every_alternative_tells_what_it_costs_or_why_that_is_not_known(corpus: Corpus) -> None:
    told = dict(doubting.doubts_view(corpus).costs)
    weighed = 0
    for clause, one in iter_clause_alternatives(corpus.library.clauses()):
        cost = find_alternative_cost(find_costs(corpus), one.id)
        if cost is None:
            assert not told[one.id].weighed and told[one.id].words.startswith("Not surveyed: "), one.id
            continue
        weighed += 1
        assert told[one.id].source == clause.source
        for _, weight in cost.weights:
            if weight.moving:
                assert format_cost_percent(weight.of_pool.value) in told[one.id].words, one.id
    assert weighed > 10


def test_the_costs_stand_within_the_alternative_that_they_are_of(corpus: Corpus) -> None:
    view = doubting.doubts_view(corpus)
    said = dict(view.costs)
    found = [node for made in doubting.render_doubts(view) for node in made.findall(nodes.container)]
    boxes = {id: node for node in found for kind, id, *_ in node.get("reversis-target", []) if kind == "alternative"}
    assert set(said) <= set(boxes)
    for id, cost in said.items():
        assert cost.words in boxes[id].astext(), id


# --- the data of the surveys -------------------------------------------------------------------------------------


def test_the_dictionary_has_every_entry_of_the_schema(corpus: Corpus) -> None:
    schema = json.loads(
        (Path(corpus.library.root) / "schema" / dictionary.SURVEY_DICTIONARY_FILE).read_text(encoding="utf-8")
    )
    view = dictionary.dictionary_view(corpus)
    assert view is not None
    parts = [schema, *(schema["$defs"][name] for name in list(dictionary.DICTIONARY_PARTS)[1:])]
    for part, defined in zip(view.parts, parts, strict=True):
        names = {entry.name.partition("[")[0] for entry in part.entries}
        assert names == set(defined["properties"]), part.title
        assert all(entry.says for entry in part.entries), part.title
    assert set(schema["$defs"]) == set(dictionary.DICTIONARY_PARTS) - {""}
    said = "".join(node.astext() for node in dictionary.render_dictionary(view))
    assert "stands[].alternative" in said and "four-aces" in said


# --- figures on a phone ------------------------------------------------------------------------------------------


def estimate(value: float) -> Estimate:
    return Estimate(value, value / 2, value * 2)


def test_a_bar_stands_where_its_value_is_on_the_scale() -> None:
    assert bars.locate_on_log_scale(1.0, 0, 2) == 8 and bars.locate_on_log_scale(100.0, 0, 2) == bars.BAR_WIDTH - 8
    assert bars.locate_on_log_scale(10.0, 0, 2) == bars.BAR_WIDTH / 2
    left, right = (bars.locate_on_log_scale(one, 0, 2) for one in (5.0, 20.0))
    assert f'x1="{left:.1f}" x2="{right:.1f}"' in "".join(bars.draw_estimate_markers([estimate(10.0)], 0, 2))


def test_every_line_tells_its_figures_in_words() -> None:
    lines = [("Q001 toll.payee", (estimate(27.0), None)), ("Q002 toll.amount", (estimate(0.5), estimate(3.0)))]
    made = bars.build_bar_list(lines, ("At random", "With caution"))
    rows = [one.astext() for one in made.findall(nodes.list_item)]
    assert "at random 27" in rows[0] and "with caution not surveyed" in rows[0]
    assert "at random 0.50" in rows[1] and "with caution 3.0" in rows[1]


@pytest.mark.browser
def test_the_figure_of_the_dearest_questions_gives_way_to_bars_on_a_phone(browser: Any, site: Path) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 900})
    tab.goto((site / "materiality.html").as_uri())
    drawn, list_ = tab.locator(".rv-drawn .rv-picture"), tab.locator(".rv-bars")
    assert (drawn.is_visible(), list_.is_visible()) == (False, True)
    assert tab.locator(".rv-bars svg.rv-bar").first.bounding_box()["width"] > 300
    tab.set_viewport_size({"width": 1280, "height": 900})
    assert (drawn.is_visible(), list_.is_visible()) == (True, False)
    tab.close()
