"""The first page, the doubts with what they cost, and the data of the surveys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.views.about import home
from edition.views.questions import interpretations as doubting
from reversis.files.extras import get_deals
from reversis.findings.costs import OUR_POOL, find_alternative_cost, find_costs, format_cost_percent
from reversis.findings.leading import sort_policies
from reversis.findings.results import settle_worked_deal
from reversis.findings.share_of_own_answers import measure_own_share
from reversis.views.home import home_start_view, render_home_start
from reversis.views.panels.alternative import view_money
from reversis.views.panels.findings import find_costliest_question, render_costliest
from rulebook.phrases import join_names
from rulebook.resolve import iter_clause_alternatives
from tests.support.library import with_extras, write_nine_sources

pytestmark = pytest.mark.slow

# --- the first page ------------------------------------------------------------------------------------------


def test_the_deal_of_the_home_page_makes_a_winner_a_loser_and_no_other_does_so_more(corpus: Corpus) -> None:
    """Of the deals that most books settle it is the one with the widest gap."""
    found = home_start_view(corpus).deal
    assert found is not None
    totals = [result.total for result in found.results]
    assert max(totals) > 0 > min(totals)
    deals = (settle_worked_deal(corpus, deal.id) for deal in get_deals(corpus))
    known = {deal.id: [ledger for ledger in deal.ledgers if ledger.state == "settled"] for deal in deals}
    assert [(result.source.siglum, result.total) for result in found.results] == [
        (one.source, dict(one.net)[found.seat]) for one in known[found.deal.id]
    ]
    for name, ledgers in known.items():
        for seat in (seat for seat, _ in ledgers[0].net) if len(ledgers) >= len(totals) else ():
            theirs = [dict(ledger.net)[seat] for ledger in ledgers] if seat != "pool" else [0]
            if max(theirs) > 0 > min(theirs):
                assert len(ledgers) == len(totals) and max(theirs) - min(theirs) <= max(totals) - min(totals), name


def test_the_totals_count_with_the_tricks_and_end_in_the_results(corpus: Corpus) -> None:
    """Payments of a trick are in the total when it lies there; before the first, and at the end, come the others."""
    found = home_start_view(corpus).deal
    assert found is not None
    deal = settle_worked_deal(corpus, found.deal.id)
    for result in found.results:
        entries = deal.ledger(result.source.siglum).entries
        at_end = sum(
            posting.amount * ((posting.payee == found.seat) - (posting.payer == found.seat))
            for entry in entries
            if entry.step == "end"
            for posting in entry.postings
        )
        assert len(result.running) == len(found.deal.tricks) + 1
        assert (result.running[0], result.running[-1] + at_end) == (0, result.total)


def test_the_question_of_the_home_page_is_the_dearest_of_all(corpus: Corpus) -> None:
    found, policy = find_costliest_question(corpus), sort_policies(corpus)[-1]
    assert found is not None
    weights = {
        cost: dict(cost.weights)[policy]
        for cost in find_costs(corpus)
        if not cost.whole and any(stand.kind == "question" for stand in cost.stands) and cost.of(policy)
    }
    most = max(weights, key=lambda weight: weights[weight].of_pool.value)
    assert (found.question.slug in most.questions, found.table.siglum) == (True, most.table)
    assert (found.moved, found.pool_supplied) == (weights[most].moved.value, most.pool_supplied)
    said = " ".join(node.astext() for node in home.render_home_findings(home.home_findings_view(corpus)))
    assert found.table.name in said and (OUR_POOL in said) == found.pool_supplied


def test_a_library_without_deals_or_surveys_has_a_home_page_all_the_same(corpus: Corpus) -> None:
    bare = with_extras(replace(corpus, library=replace(corpus.library, deals=())), surveys=())
    start = home_start_view(bare)
    said = " ".join(node.astext() for node in render_home_start(start))
    assert start.deal is None and "rulebooks for one lost card game" in said and "Follow this deal" not in said
    assert home.home_findings_view(bare).panels == ()


def test_the_costliest_question_says_when_the_books_own_answer_is_doubtful(corpus: Corpus) -> None:
    costliest_question = find_costliest_question(corpus)
    slug = next(
        slug
        for slug, one in corpus.library.questions.items()
        if costliest_question and one.id == costliest_question.question.id
    )
    cell = corpus.cell(costliest_question.table.siglum, slug) if costliest_question else None
    assert costliest_question is not None and cell is not None
    assert costliest_question.doubtful == (cell.status in ("ambiguous", "conjectural", "self-contradictory")), (
        cell.status
    )
    for doubtful in (True, False):
        told = render_costliest(replace(costliest_question, doubtful=doubtful))
        said = " ".join(node.astext() for node in told)
        assert ("can be read in another way" in said) == doubtful


def test_nine_books_two_of_them_nearly_silent_stand_on_the_home_page(tmp_path: Path) -> None:
    """The deal is settled by those that can; the others are counted, not hidden."""
    nine, _ = read_corpus_checked(write_nine_sources(tmp_path))
    assert nine is not None
    assert nine.say(nine.settings.tagline) == "Nine books of rules, compared"
    assert len(home.home_books_view(nine)) == 9
    found = home_start_view(nine).deal
    assert found is None or len(found.results) + found.unsettled == 9


# --- doubts ------------------------------------------------------------------------------------------


@pytest.mark.release
def test_every_other_reading_tells_what_hangs_on_it_or_why_that_is_not_known(corpus: Corpus) -> None:
    weighed = 0
    for _, one in iter_clause_alternatives(corpus.library.clauses()):
        cost, said = find_alternative_cost(find_costs(corpus), one.id), view_money(corpus, one.id)
        assert said is not None
        if cost is None:
            assert not said.percent and said.words.startswith("Not surveyed: "), one.id
            continue
        weighed += 1
        for _, weight in cost.weights:
            if weight.moving:
                assert format_cost_percent(weight.of_pool.value) in said.words, one.id
    assert weighed > 10


def test_what_hangs_on_a_reading_stands_within_it(corpus: Corpus) -> None:
    view = doubting.doubts_view(corpus)
    found = [node for made in doubting.render_doubts(view) for node in made.findall(nodes.container)]
    boxes = {id: node for node in found for kind, id, *_ in node.get("edition-target", []) if kind == "alternative"}
    assert {one.id for each in view for one in each.others} == set(boxes)
    for id, box in boxes.items():
        assert (money := view_money(corpus, id)) and money.words in box.astext(), id


# --- bars ---------------------------------------------------------------------------------------------------------


def test_books_whose_deals_rest_mostly_on_us_are_named_beside_the_results(corpus: Corpus) -> None:
    view = home_start_view(corpus)
    assert view.deal is not None
    said = " ".join(one.astext() for one in render_home_start(view))
    assert f"Most of the rules behind {join_names(view.deal.leaning)} are ours here" in said
    shares = {
        result.source.name: measure_own_share(corpus.library, result.source.siglum) for result in view.deal.results
    }
    assert set(view.deal.leaning) == {name for name, one in shares.items() if one and one.own * 2 < one.asked}
