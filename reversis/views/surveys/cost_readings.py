"""The largest differences in words: what each book says, what that moves, and whether playing style matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.views.common import QuestionLink, question_link
from edition.views.plain_answers import (
    describe_answer_plainly,
    find_answer_marks,
    group_voices,
    source_marks,
)
from lab.survey.statistics import Weight
from reversis.files.extras import find_questions_shown_apart
from reversis.findings.costs import (
    DisagreementCost,
    format_cost_figure,
    format_cost_frequency,
    format_cost_percent,
)
from reversis.views.page_template import name_policy
from rulebook.model import Question
from rulebook.phrases import pluralize_counter, spell_number

_SAME_STYLE = 0.15  #: two policies that differ by no more of the larger say the same


#: Books that give the same answer, each with the marks that the answer has there; and the answer.
AnswerGroup: TypeAlias = tuple[tuple[tuple[SourceMark, str], ...], str]


@dataclass(frozen=True, slots=True)
class CostReading:
    """One difference in words."""

    question: QuestionLink
    groups: tuple[AnswerGroup, ...]
    silent: tuple[str, ...]  #: names of the books that do not answer
    table: SourceMark
    givers: tuple[SourceMark, ...]
    moves: str
    style: str
    assumed: frozenset[str]  #: sigla of the table and the givers that do not answer themselves
    pool_supplied: bool
    apart: bool


def cost_reading(corpus: Corpus, slug: str, cost: DisagreementCost, policy: str) -> CostReading:
    """Build the reading of one difference at the table where it matters most."""
    question, marks = corpus.library.questions[slug], source_marks(corpus)
    groups = tuple(_answer_groups(corpus, question))
    speaking = {mark.siglum for books, _ in groups for mark, _ in books}
    return CostReading(
        question_link(question),
        groups,
        tuple(mark.name for siglum, mark in marks.items() if siglum not in speaking),
        marks[cost.table],
        tuple(dict.fromkeys(marks[stand.source] for stand in cost.stands if stand.source in marks)),
        _describe_move(corpus, cost, policy),
        describe_style(cost, policy),
        cost.list_assumed(slug),
        cost.pool_supplied,
        slug in find_questions_shown_apart(corpus),
    )


def _answer_groups(corpus: Corpus, question: Question) -> Iterator[AnswerGroup]:
    for voices in group_voices(corpus, question):
        cells = ((voice.source, corpus.cell(voice.source.siglum, question.slug)) for voice in voices)
        books = tuple((mark, find_answer_marks(corpus, cell)) for mark, cell in cells if cell is not None)
        yield books, describe_answer_plainly(corpus, question, books[0][0].siglum)


def _describe_move(corpus: Corpus, cost: DisagreementCost, policy: str) -> str:
    weight = cost.of(policy)
    assert weight is not None
    if not weight.moving:
        return "it was never seen to matter."
    unit = pluralize_counter(corpus.library.sources[cost.table].unit)
    often = format_cost_frequency(weight.moving / weight.settled)
    pool = "the pool that we assume" if cost.pool_supplied else "the pool"
    share = f"{format_cost_percent(weight.of_pool.value)} of {pool}"
    if weight.moving == weight.settled:
        return f"it matters in {often}, and moves {format_cost_figure(weight.moved.value)} {unit} on average: {share}."
    when, moved = format_cost_figure(weight.when), format_cost_figure(weight.moved.value)
    return f"it matters in {often}, and there moves {when} {unit}; over all deals that is {moved} a deal, {share}."


def describe_style(cost: DisagreementCost, lead: str) -> str:
    """Say whether the figure depends on playing style, so far as the policies can tell."""
    mine = cost.of(lead)
    others = [(policy, weight) for policy, weight in cost.weights if policy != lead and weight.known]
    if mine is None or not others:
        return ""
    shares = "; ".join(
        f"{name_policy(policy).lower()}: {format_cost_percent(other.of_pool.value)}"
        for policy, other in reversed(others)
    )
    hardly = all(_alike(mine, other) for _, other in others)
    return f"It {'hardly depends' if hardly else 'depends'} on playing style ({shares})."


def describe_spread(these: Sequence[DisagreementCost], policies: Sequence[str]) -> str:
    """Say in a line how far the last of several policies parts from each other; empty for fewer than three."""
    *others, lead = policies
    if len(others) < 2:
        return ""
    text = "; ".join(part for policy in reversed(others) if (part := _compare_policies(these, lead, policy)))
    return f"How far the {spell_number(len(policies))} ways of playing part: {text}." if text else ""


def _compare_policies(these: Sequence[DisagreementCost], lead: str, other: str) -> str:
    """Count the differences that come to the same, and the times by which half of them part."""
    pairs = [(a, b) for cost in these if (a := cost.of(lead)) and (b := cost.of(other)) and a.moving and b.moving]
    if not pairs:
        return ""
    alike = sum(_alike(a, b) for a, b in pairs)
    times = median(
        max(a, b) / min(a, b) for first, second in pairs for a, b in [(first.of_pool.value, second.of_pool.value)]
    )
    names = [name_policy(policy).lower() for policy in (lead, other)]
    return (
        f"{names[0]} and {names[1]} agree to within {format_cost_percent(_SAME_STYLE)} on {alike} of the "
        f"{len(pairs)} differences that move money with both; half of the {len(pairs)} are no more than "
        f"{format_cost_figure(times)} times apart"
    )


def _alike(weight: Weight, other: Weight) -> bool:
    values = (weight.of_pool.value, other.of_pool.value)
    return max(values) - min(values) <= _SAME_STYLE * max(values)
