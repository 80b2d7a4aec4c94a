"""Money that moves when the answer of another source is taken, on the page of all answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.builders import block, bullet_list, page_link, para
from edition.views.common import classify_agreement
from edition.views.layout import Nodes
from edition.views.questions.all_answers import AnswerMeasure, AnswerRow, build_answer_row
from edition.views.questions.answer_table import describe_difference
from lab.survey.variants import VARIANT_QUESTION
from reversis.findings.costs import find_costs, find_question_costs, format_cost_percent, get_cost_sort_key
from reversis.findings.leading import sort_policies
from reversis.views.surveys.costs import find_costliest
from rulebook.model import FrozenMap, Question

DEAREST = 6  #: questions named above the table


# ---- the dearest differences
def view_dearest(corpus: Corpus, _: str = "") -> tuple[AnswerRow, ...] | None:
    """View the differences that move most money, in the order of the page of costs."""
    questions = corpus.library.questions
    ranked = (questions[slug] for policy in sort_policies(corpus)[-1:] for slug in find_costliest(corpus, policy))
    differing = (question for question in ranked if classify_agreement(corpus, question) == "differ")
    return tuple(build_answer_row(corpus, question) for question in islice(differing, DEAREST)) or None


def render_dearest(rows: tuple[AnswerRow, ...]) -> Nodes:
    """Render the differences with what the books say."""
    title = para("The differences that move most money at the table:")
    more = page_link("materiality", "How much each difference matters")
    return [block(title, bullet_list(map(describe_difference, rows)), para(more), cls="rv-dearest")]


# ---- numbers of the table
def view_money_effect(corpus: Corpus, _: str = "") -> AnswerMeasure:
    """View the highest cost of another source's answer to each question, in hundredths of the pool."""
    numbers = {
        question.id: max((share for _, _, share, _ in list_prices(corpus, question)), default=0.0)
        for question in corpus.library.questions.values()
        if any(True for _ in find_question_costs(find_costs(corpus), question.slug))
    }
    return AnswerMeasure(
        "Money effect",
        "Money: any",
        FrozenMap(
            {
                "0": "surveyed",
                "0.1": "0.1 % of the pool or more",
                "1": "1 % or more",
                "10": "10 % or more",
                "100": "the whole pool or more",
            }
        ),
        "Money effects are shares of the opening pool in a deal, on average, with the way of playing for which they "
        "are largest.",
        FrozenMap(numbers),
    )


#: Cost at the table of one source of taking the answer of another: both sigla, the share of the opening pool in a deal,
#: in hundredths, under the policy under which it is most, and words.
Price: TypeAlias = tuple[str, str, float, str]


def list_prices(corpus: Corpus, question: Question) -> Iterator[Price]:
    """Costs of other sources' answers at each source's table, as far as surveyed."""
    for cost in find_question_costs(find_costs(corpus), question.slug):
        policy = max((name for name, _ in cost.weights), key=lambda name: get_cost_sort_key(cost, name))
        weight = cost.of(policy)
        assert weight is not None
        share, illegal = weight.of_pool.value, weight.forbidden.value
        forbidden = f"{format_cost_percent(illegal)} of deals not legal" if illegal else ""
        pool = "a pool that is our assumption" if cost.pool_supplied else "the pool"
        moved = f"{format_cost_percent(share)} of {pool}" if share else "" if forbidden else "no money seen to move"
        words = ", ".join(part for part in (moved, forbidden) if part)
        for stand in cost.stands:
            if stand.kind == VARIANT_QUESTION and question.slug in stand.questions:
                yield cost.table, stand.source, share * 100, words


def view_prices(corpus: Corpus, id: str) -> list[Price]:
    """View the costs of a question as the page's script reads them, the highest first."""
    prices = sorted(list_prices(corpus, corpus.library.question(id)), key=lambda price: -price[2])
    return [(table, giver, round(share, 4), words) for table, giver, share, words in prices]
