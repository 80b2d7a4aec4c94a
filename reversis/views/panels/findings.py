"""Costliest question, among the findings of the home page."""

from __future__ import annotations

from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, link, page_link
from edition.nodes.components import SourceMark
from edition.text.answers import find_answer_status
from edition.views.about.home import render_finding
from edition.views.common import QuestionLink, question_link
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from lab.survey.variants import VARIANT_QUESTION
from reversis.files.extras import get_surveys
from reversis.findings.costs import OUR_POOL, find_costs, get_cost_sort_key
from reversis.findings.leading import sort_policies
from rulebook.phrases import format_counters

_DOUBTFUL_ANSWER = ", which can be read in another way,"


@dataclass(frozen=True, slots=True)
class CostliestQuestion:
    """Question whose answers make most difference at the table of one book."""

    question: QuestionLink
    moved: float  #: counters a deal, on average
    unit: str
    table: SourceMark  #: by whose other rules the deals are played
    pool_supplied: bool
    other: SourceMark  #: whose answer is taken
    doubtful: bool = False  #: whether the table's own answer can be read in more than one way


def find_costliest_question(corpus: Corpus, _: str = "") -> CostliestQuestion | None:
    """Find the question whose answer moves most counters a deal, against the pool, under the policy that leads."""
    marks = source_marks(corpus)
    known = [
        (cost, stand)
        for cost in find_costs(corpus)
        for stand in cost.stands
        if not cost.whole and stand.kind == VARIANT_QUESTION and cost.table in marks and stand.source in marks
        if not cost.is_between_assumptions(stand.questions[0])
    ]
    if not get_surveys(corpus) or not known:
        return None
    policy = sort_policies(corpus)[-1]
    most, stand = max(known, key=lambda pair: get_cost_sort_key(pair[0], policy))
    figures = most.of(policy)
    if figures is None:
        return None
    asked = question_link(corpus.library.questions[stand.questions[0]])
    unit = corpus.library.sources[most.table].unit
    table, other = marks[most.table], marks[stand.source]
    cell = corpus.cell(most.table, stand.questions[0])
    doubtful = cell is not None and find_answer_status(cell) == "doubtful"
    return CostliestQuestion(asked, figures.moved.value, unit, table, most.pool_supplied, other, doubtful)


def render_costliest(most: CostliestQuestion) -> Nodes:
    """Render the question as a finding."""
    sentence: list[Content] = [
        "end up with somebody else in an average deal if one rule is swapped: ",
        link("question", most.question.id, most.question.asks),
        f" We simulated many deals by one book ({most.table.name}{f', {OUR_POOL}' if most.pool_supplied else ''}), "
        f"with its own answer{_DOUBTFUL_ANSWER if most.doubtful else ''} and with that of {most.other.within}. ",
        page_link("materiality", "How much differences matter"),
        "; ",
        page_link("play-effects", "What a rule does to play"),
    ]
    return [render_finding(format_counters(round(most.moved), most.unit), *sentence)]
