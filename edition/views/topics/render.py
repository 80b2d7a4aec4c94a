"""Topic pages as nodes: what is asked first, what the books agree on, the rules in which they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docutils import nodes

from edition.game import PanelView
from edition.nodes.builders import Content, bullet_list, markup_of, same_page_link, strong
from edition.nodes.components import ANSWER_STATUS_MARKS, answer_with_status, color_suits, status_marks
from edition.nodes.templates import template_renderer
from edition.views.layout import Nodes
from edition.views.topics.book_table import render_short_table
from edition.views.topics.topic import TopicAnswer, TopicView
from rulebook.phrases import capitalise, spell_number

_WAY = "way"  #: on a panel, until the page is whole: how it is called in the links at its head

#: Status of an answer -> what its mark says, in the line that stays in sight.
_MARKS_IN_SHORT = {
    "doubtful": "can be read otherwise",
    "follows": "not stated outright",
    "ours": "the book is silent, as far as consulted",
    "agreed": "left open, or another answer besides",
}


def _render_strong_answer(answer: TopicAnswer, other: str = "") -> nodes.inline:
    return answer_with_status(strong(*color_suits(capitalise(answer.words))), answer.status, other)


def _render_panels(panels: Iterable[PanelView]) -> Iterator[nodes.Element]:
    for panel in panels:
        for part in panel.render(panel.record):
            assert isinstance(part, nodes.Element)
            part[_WAY] = panel.name
            yield part


_render_page = template_renderer(
    "edition",
    "topic",
    panels=_render_panels,
    short_table=lambda view: render_short_table(view.sources, view.topic.title, view.short),
    spell_number=spell_number,
    marks={ANSWER_STATUS_MARKS[status][0]: says for status, says in _MARKS_IN_SHORT.items()},
    status_marks=status_marks,
    strong_answer=_render_strong_answer,
)
render_topics = template_renderer("edition", "topics")


def render_topic(view: TopicView) -> Nodes:
    """Page of a topic, with links to its parts, so that a question is found at once."""
    (page,) = _render_page(view)
    assert isinstance(page, nodes.section)
    ways = [way for part in page.children for way in _list_ways(part)]
    if len(ways) > 2:
        page.insert(2, markup_of("nav", bullet_list(ways), cls="rv-topic-ways", aria_label="On this page"))
    return [page]


def _list_ways(part: nodes.Node) -> Iterator[list[Content]]:
    """Links to the sections within a part of the page; without any to itself, by its title."""
    sections = [child for child in part.children if isinstance(child, nodes.section)]
    for section in sections:
        yield [same_page_link(section["ids"][0], section[0].astext())]
    if isinstance(part, nodes.section) and not sections and (title := part.attributes.get(_WAY, part[0].astext())):
        yield [same_page_link(part["ids"][0], title)]
    if isinstance(part, nodes.Element):
        part.attributes.pop(_WAY, None)
