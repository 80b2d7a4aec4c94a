"""Two sources side by side, and the list of such pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from edition.citation.places import source_pairs
from edition.corpus.corpus import Corpus
from edition.data.drafts import NOT_COLLATED
from edition.nodes.builders import Content, add_anchor, code, link, para, span, table
from edition.text import answers as words
from edition.text.answers import AnswerText
from edition.views.common import (
    AnswerMark,
    QuestionLink,
    SourceLink,
    build_answer_marks,
    classify_agreement,
    format_source_answer,
    group_questions,
    question_link,
    source_link,
)
from edition.views.layout import (
    Nodes,
    build_page_section,
    cell_ref,
    question_ref,
    render_answer_value,
    render_matrix_mark,
    source_ref,
)
from rulebook.model import Question, Source


@dataclass(frozen=True, slots=True)
class PairRow:
    """A question with two answers."""

    question: QuestionLink
    first: tuple[AnswerMark, AnswerText | None, str]
    second: tuple[AnswerMark, AnswerText | None, str]
    agreement: str
    kind: str


@dataclass(frozen=True, slots=True)
class SourcePairView:
    """Two sources over all questions."""

    first: SourceLink
    second: SourceLink
    groups: tuple[tuple[str, tuple[PairRow, ...]], ...]
    counts: tuple[tuple[str, int], ...]
    kin: str


PAIR: Mapping[str, str] = {
    "agree": "They agree",
    "differ": "They differ",
    "alone": "One alone speaks",
    "nobody": "Neither speaks",
    "unread": "One is not read for it yet",
}


def source_pair_view(corpus: Corpus, name: str) -> SourcePairView:
    """Two sources, named like PAM-ACA, side by side."""
    first, second = (corpus.library.sources[siglum] for siglum in name.split("-"))
    groups = tuple(
        (group, tuple(_pair_row(corpus, question, first, second) for question in questions))
        for group, questions in group_questions(corpus).items()
    )
    counted = Counter(row.kind for _, rows in groups for row in rows)
    one, other = words.get_family_name(first), words.get_family_name(second)
    kin = f"Both belong to one family ({one})." if one == other else f"They belong to two families: {one}, and {other}."
    counts = tuple((PAIR[kind], counted[kind]) for kind in PAIR)
    return SourcePairView(source_link(first), source_link(second), groups, counts, kin)


def _pair_row(corpus: Corpus, question: Question, first: Source, second: Source) -> PairRow:
    cells = [corpus.cell(source.siglum, question.slug) for source in (first, second)]
    unread = any(cell is not None and cell.status == NOT_COLLATED for cell in cells)
    kind = "unread" if unread else classify_agreement(corpus, question, (first.siglum, second.siglum))
    marked = {one.siglum: one for one in build_answer_marks(corpus, question)}
    one, other = (format_source_answer(corpus, question, source) for source in (first, second))
    return PairRow(
        question_link(question), (marked[first.siglum], *one), (marked[second.siglum], *other), PAIR[kind], kind
    )


def pairs_view(corpus: Corpus, _: str = "") -> tuple[SourcePairView, ...]:
    """Every two sources with their counts."""
    return tuple(source_pair_view(corpus, "-".join(pair)) for pair in source_pairs(corpus))


def render_pair(view: SourcePairView) -> Nodes:
    """Two sources side by side."""
    counts = "; ".join(f"{said.lower()} on {number}" for said, number in view.counts)
    tables = [
        table(group, _table_head(view), map(_table_row, rows), cls="rv-pair rv-stack") for group, rows in view.groups
    ]
    title = f"{view.first.siglum} and {view.second.siglum}"
    intro = [
        para(source_ref(view.first, view.first.title), " beside ", source_ref(view.second, view.second.title), "."),
        para(f"{view.kin} Counted over all questions: {counts}."),
    ]
    target = f"{view.first.siglum}-{view.second.siglum}"
    return [add_anchor(build_page_section(f"pair-{target}", title, *intro, *tables), "pair", target, title, at="")]


def _table_head(view: SourcePairView) -> list[Any]:
    return ["Question", [source_ref(view.first)], [source_ref(view.second)], "Agreement"]


def _table_row(row: PairRow) -> tuple[Any, ...]:
    return (
        [question_ref(row.question), " ", row.question.asks],
        _table_cell(row.question, *row.first),
        _table_cell(row.question, *row.second),
        [span(row.agreement, cls=f"rv-agreement rv-{row.kind}")],
    )


def _table_cell(question: QuestionLink, one: AnswerMark, said: words.AnswerText | None, unit: str) -> list[Content]:
    shown = render_answer_value(said, unit) if said else ["no answer"]
    return [render_matrix_mark(one), " ", cell_ref(question, one.siglum, one.siglum), " ", *shown]


def render_pairs(view: tuple[SourcePairView, ...]) -> Nodes:
    """Every two sources; where there are too many for that, how any two can be seen together all the same."""
    if not view:
        command = code("reversis compare ONE OTHER")
        return [para("There are more sources than can have a page for every two of them. ", command, " shows any two.")]
    rows = [
        (
            [link("pair", f"{one.first.siglum}-{one.second.siglum}", f"{one.first.siglum} and {one.second.siglum}")],
            *(str(number) for _, number in one.counts),
        )
        for one in view
    ]
    head = ("Two sources", *PAIR.values())
    return [table("Questions on which two sources agree and differ", head, rows, cls="rv-stack")]
