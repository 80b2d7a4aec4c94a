"""Topic pages as nodes: what is asked first, what the books agree on, the rules in which they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from docutils import nodes

from edition.game import PanelView
from edition.nodes.builders import (
    Content,
    add_anchor,
    add_page_id,
    block,
    bullet_list,
    details,
    link,
    markup_of,
    page_link,
    para,
    same_page_link,
    section,
    span,
    strong,
)
from edition.nodes.components import (
    SourceVoice,
    agreement_strip,
    answer_with_status,
    color_suits,
    render_translation,
    source_chip,
    source_quotation,
    source_shape,
    status_marks,
)
from edition.nodes.deferred import defer_content
from edition.palette import format_slot_classes
from edition.text.answers import SUMMARY
from edition.views.layout import Nodes, join_content, render_quotation_place
from edition.views.topics.book_table import render_short_table
from edition.views.topics.topic import TopicAnswer, TopicEntry, TopicLink, TopicQuestion, TopicQuotation, TopicView
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.phrases import capitalise, format_count, spell_number

#: Agreement -> id and heading of the part of the page.
_QUESTION_PARTS: Mapping[str, tuple[str, str]] = {
    "differ": ("rules", "Where the rules differ"),
    "alone": ("only-one", "What only one book says"),
    "nobody": ("nobody", "What no book says"),
}


# ---- the page
def render_topic(view: TopicView) -> Nodes:
    """Page of a topic."""
    short = render_short_table(view.sources, view.topic.title, view.short) if view.short else []
    questions = [part for agreement in _QUESTION_PARTS for part in _render_questions(view, agreement)]
    parts = [*_title_parts([*short, *_render_agreed(view)]), *_title_panels(view.panels)]
    parts += [*_title_parts(questions), *_title_panels(view.end_panels)]
    page = section(
        "topic",
        view.topic.title,
        para(view.topic.says, cls="rv-lede"),
        *_render_ways(parts),
        *(part for _, part in parts),
        _render_steps(view),
        cls="rv-page rv-topic",
    )
    return [add_anchor(page, "group", view.topic.group, view.topic.title, at="")]


def _title_parts(parts: Iterable[nodes.Node]) -> Iterator[tuple[str, nodes.Node]]:
    return ((part[0].astext(), part) for part in parts if isinstance(part, nodes.section))


def _title_panels(panels: Iterable[PanelView]) -> Iterator[tuple[str, nodes.Node]]:
    return ((panel.name, part) for panel in panels for part in panel.render(panel.record))


def _render_ways(parts: Iterable[tuple[str, nodes.Node]]) -> Nodes:
    """Links to the parts of the page, so that a question is found at once."""
    ways = [way for title, part in parts for way in _list_ways(title, part)]
    if len(ways) < 3:
        return []
    return [markup_of("nav", bullet_list(ways), cls="rv-topic-ways", aria_label="On this page")]


def _list_ways(title: str, part: nodes.Node) -> Iterator[list[Content]]:
    """Links to the sections within a part of the page; without any to itself, by its title."""
    sections = [child for child in part.children if isinstance(child, nodes.section)]
    for one in sections:
        yield [same_page_link(one["ids"][0], one[0].astext())]
    if title and isinstance(part, nodes.section) and not sections:
        yield [same_page_link(part["ids"][0], title)]


def _render_steps(view: TopicView) -> nodes.Element:
    before = [span("← ", topic_ref(view.before), cls="rv-before")] if view.before else []
    after = [span(topic_ref(view.after), " →", cls="rv-after")] if view.after else []
    return markup_of("nav", *before, *after, cls="rv-steps", aria_label="Topics before and after")


def topic_ref(topic: TopicLink) -> nodes.Node:
    """Link to the page of a topic."""
    return link("group", topic.group, topic.title, title=topic.says)


# ---- what they agree on
def _render_agreed(view: TopicView) -> Nodes:
    agreed = view.select("agree")
    if not agreed:
        return []
    by_voices = sorted({one.voices for one in agreed}, reverse=True)
    groups = ([one for one in agreed if one.voices == number] for number in by_voices)
    lists = (each for found in groups for each in _agreed_group(found, len(view.sources)))
    counted = f"{format_count(len(agreed), 'question')}: {view.families.describe()}."
    kin = para(f"{counted} Two books of one family are not two witnesses.", cls="rv-small")
    return [section("agreed", "What the books agree on", kin, *lists)]


def _agreed_group(questions: Sequence[TopicQuestion], sources: int) -> Iterator[nodes.Node]:
    """Rules on which equally many books speak; below their number, where some say nothing."""
    number = questions[0].voices
    if number < sources:
        others = "the other does" if sources - number == 1 else "the others do"
        yield para(f"{capitalise(spell_number(number))} books say it; {others} not", cls="rv-agreed-by")
    yield _agreed_list(questions)


def _agreed_list(questions: Sequence[TopicQuestion]) -> nodes.bullet_list:
    made = bullet_list((_agreed_item(one) for one in questions), cls="rv-agreed")
    for item, one in zip(made.findall(nodes.list_item), questions, strict=True):
        add_page_id(item, one.link.id)
    return made


def _agreed_item(one: TopicQuestion) -> list[Content]:
    answer = one.answers[0]
    asked, other = link("question", one.link.id, one.link.asks, cls="rv-asked"), "; ".join(filter(None, answer.others))
    return [
        asked,
        " ",
        answer_with_status(strong(*color_suits(capitalise(answer.words))), answer.status, other),
        " ",
        *_agreed_voices(answer),
    ]


def _agreed_voices(answer: TopicAnswer) -> Iterator[Content]:
    """Marks of the books; a status that only some have stands beside their marks."""
    if answer.status or not any(answer.statuses):
        yield agreement_strip([answer.voices])
        return
    for voice, status, other in zip(answer.voices, answer.statuses, answer.others, strict=True):
        yield from (span(agreement_strip([[voice]]), *status_marks(status, other), cls="rv-voice"), " ")


# ---- the rules
def _render_questions(view: TopicView, agreement: str) -> Nodes:
    found = view.select(agreement)
    if not found:
        return []
    id, title = _QUESTION_PARTS[agreement]
    more = [_link_all_differences()] if agreement == "differ" else []
    return [section(id, title, *map(_render_question, found), *more)]


def _link_all_differences() -> nodes.paragraph:
    every = page_link("answers#agreement=differ", "all questions on which the books differ")
    return para("In the other topics too: ", every, ".")


def _render_question(one: TopicQuestion) -> nodes.container:
    asked = para(link("question", one.link.id, one.link.asks), " ", span(one.link.id, cls="rv-id"), cls="rv-asked")
    answers = bullet_list((_answer_item(each) for each in one.answers), cls="rv-topic-answers")
    missing = (("Says nothing: ", one.silent), (f"{capitalise(NOT_CONSULTED)}: ", one.partial))
    quiet = [
        para(label, ", ".join(each.name for each in who), cls="rv-small")
        for label, who in (*missing, ("Does not apply to: ", one.without))
        if who
    ]
    said = block(*([answers] if one.answers else []), *quiet, *_render_words(one))
    return add_page_id(block(asked, said, cls="rv-topic-question"), one.link.id)


def _render_words(one: TopicQuestion) -> Iterator[nodes.Node]:
    """The quotations, which are fetched when they are unfolded."""
    if one.quotations:
        instead: list[Content] = ["Quotations: ", link("question", one.link.id, one.link.id)]
        kept = defer_content(f"{one.link.id}-words", instead, *map(_render_quotation, one.quotations))
        yield details("In their own words", kept)


def _answer_item(one: TopicAnswer) -> list[Content]:
    """An answer with those who give it; a status that not all of them have stands at the name."""
    shared = len(set(one.statuses)) == 1
    names = join_content(
        _name_voice(voice, "" if shared else status) for voice, status in zip(one.voices, one.statuses, strict=True)
    )
    said = strong(*color_suits(capitalise(one.words)))
    return [answer_with_status(said, one.status), " ", span(*names, cls="rv-voice-list"), *_render_others(one)]


def _name_voice(voice: SourceVoice, status: str) -> nodes.inline:
    shape = source_shape(voice.source, voice.assumed)
    cls = f"rv-voice {format_slot_classes(voice.source.slot)}"
    return span(shape, " ", voice.source.name, *status_marks(status), cls=cls)


def _render_others(one: TopicAnswer) -> Iterator[nodes.inline]:
    """Say what else the words could mean, under the answer; by name where several books give it."""
    for voice, other in zip(one.voices, one.others, strict=True):
        if other:
            name = f"{voice.source.name} " if len(one.voices) > 1 else ""
            yield span(f"{name}could also mean: ", *color_suits(other.removeprefix("or: ")), cls="rv-other-reading")


def _render_quotation(one: TopicQuotation) -> nodes.container:
    quote = one.quotation
    english: list[Content] = (
        [f"{SUMMARY}: {quote.paraphrase}"] if quote.paraphrase else render_translation(quote.translation)
    )
    return block(
        para(source_chip(one.source)),
        source_quotation(one.source, quote.exact, quote.lang, english, render_quotation_place(quote)),
    )


# ---- the list of topics
def render_topics(view: Sequence[TopicEntry]) -> Nodes:
    """List of all topics, each with the questions that it answers."""
    return [block(*map(_render_entry, view), cls="rv-topic-list")]


def _render_entry(one: TopicEntry) -> nodes.container:
    differ = f"Books differ on {one.differing} of {format_count(one.questions, 'question')}"
    count = f"{differ}." if one.differing else f"{format_count(one.questions, 'question')}; the books do not differ."
    if one.families.total:
        count += f" They agree on {one.families.total}: {one.families.describe()}."
    title = markup_of("h2", topic_ref(one.topic))
    return block(title, para(one.topic.says), para(count, cls="rv-small"))
