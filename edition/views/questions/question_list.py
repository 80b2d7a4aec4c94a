"""All questions under their headings, with how the sources stand to each."""

from __future__ import annotations

from typing import Any

from edition.corpus.corpus import Corpus
from edition.nodes.builders import bullet_list, section
from edition.views.common import AGREEMENT, QuestionLink, classify_agreement, group_questions, question_link
from edition.views.layout import Nodes, question_ref, render_badge, render_unplayed_badge


def questions_view(corpus: Corpus, _: str = "") -> tuple[tuple[str, tuple[tuple[QuestionLink, str, bool], ...]], ...]:
    """All questions under their headings, with how the sources stand to each, and whether it is played."""
    return tuple(
        (
            group,
            tuple(
                (question_link(one), AGREEMENT[classify_agreement(corpus, one)], not one.not_played)
                for one in questions
            ),
        )
        for group, questions in group_questions(corpus).items()
    )


def render_questions(view: Any) -> Nodes:
    """All questions under their headings."""
    return [
        section(
            f"group-{at}",
            group,
            bullet_list(
                [
                    [question_ref(one), f" {one.asks} ", render_badge(said), *render_unplayed_badge(played)]
                    for one, said, played in rows
                ],
                cls="rv-index",
            ),
        )
        for at, (group, rows) in enumerate(view, 1)
    ]
