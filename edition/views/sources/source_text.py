"""The page of a source laid out: the overview, then text and translation facing, with notes in the margin.

Both views of the text stand in the page, one under the other; which of them is seen is a matter of the style sheet
and of the buttons above the text, and needs no script.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    anchor,
    block,
    bullets,
    definitions,
    details,
    emphasis,
    link,
    markup_of,
    para,
    section,
    span,
    table,
    within,
)
from edition.text import answers as words
from edition.views.layout import Nodes, badge, joined, prose
from edition.views.sources.sentence import letter_class, render_sentence
from edition.views.sources.source import Chapter, Quoted, SourceView, source_view
from edition.views.sources.source_overview import Letter
from rulebook.checks.coverage import BETWEEN

# --- the page -----------------------------------------------------------------------------------------------


def source(view: SourceView) -> Nodes:
    """A source page: what it is, its overview, its text, its apparatus."""
    siglum = view.link.siglum
    title = [f"{view.link.title} ", span(siglum, cls="rv-siglum")]
    made = section(
        siglum,
        title,
        *front(view),
        section("overview", "Overview, sentence by sentence", *overview(view)),
        text(view),
        section("the-record", "Record", record(view)),
        *practice(view),
        cls="rv-page rv-source",
    )
    return [anchor(made, "source", siglum, view.link.title, at="")]


def front(view: SourceView) -> Nodes:
    """Title, introduction, and the ways on."""
    title = para(emphasis(view.full_title, lang=view.link.lang), cls="rv-full-title")
    ways: list[Content] = [
        within("text", "Go to the text" if view.printed else "Go to the statements"),
        link("howto", view.link.siglum, "How to play it"),
        link("clauses", view.link.siglum, "All its clauses"),
        within("the-record", "The copy used, and the rights"),
    ]
    ways += [link("costs", view.link.siglum, "What its disagreements cost")] if view.weighed else []
    told = [para(*prose(one)) for one in view.introduction]
    return [*([draft(view.collated)] if view.collated else []), title, *told, para(*joined(ways, " · "), cls="rv-ways")]


def draft(collated: str) -> nodes.paragraph:
    """That a source is still being read, and how far that has come."""
    said = " A draft: its ids may still change, and what it does not answer yet is not silence."
    return para(badge(collated, "rv-draft"), said, cls="rv-small")


def record(view: SourceView) -> nodes.definition_list:
    """What is known of the source, line by line, and what has been written on it."""
    pairs: list[tuple[Any, Any]] = [(label, prose(said)) for label, said in view.record]
    works = joined((link("work", key, title) for key, title in view.bibliography), "; ")
    return definitions([*pairs, ("Literature", works)] if works else pairs, cls="rv-facts")


# --- the overview -------------------------------------------------------------------------------------------


def overview(view: SourceView) -> Nodes:
    """One letter for every sentence, what the letters say, how many are accounted for, and the words left over."""
    rows = [strip_row(chapter) for chapter in view.chapters]
    strip = block(*rows, cls="rv-strip")
    return [para(told(view)), key(view), *counted_twice(view), strip, *left_over(view), *without_clause(view)]


def key(view: SourceView) -> nodes.bullet_list:
    """What the letters say, and how many sentences have each."""
    rows = (
        [span(one.sign, cls=f"rv-letter rv-letter-{one.state}"), f" {one.words} ", span(f"({one.number})")]
        for one in view.legend
    )
    return bullets(rows, cls="rv-legend")


def counted_twice(view: SourceView) -> Nodes:
    """Why the numbers of the legend come to more than there are sentences."""
    signs = dict.fromkeys(one.sign for chapter in view.chapters for one in chapter.letters if one.counsel)
    if not signs:
        return []
    said = f"A sentence with two letters ({', '.join(signs)}) is advice and grounds of a rule, and counts twice."
    return [para(said, cls="rv-small")]


def strip_row(chapter: Chapter) -> nodes.container:
    """The letters of a chapter, each leading to its sentence."""
    title = para(within(chapter.target, chapter.title or "The text"), cls="rv-strip-title", lang=chapter.lang)
    row = [markup_of("li", letter(one)) for one in chapter.letters]
    return block(title, markup_of("ol", *row, cls="rv-strip-letters"), cls="rv-strip-row")


def letter(one: Letter) -> nodes.reference:
    """A sentence as a letter."""
    return within(one.id, one.sign, cls=letter_class(one), title=one.words, aria_label=f"{one.sign}, {one.words}")


def told(view: SourceView) -> str:
    """How much of the source is accounted for."""
    one = view.coverage
    number = words.plural(one.total, "sentence" if view.printed else "statement")
    said = f"Of {number}, {one.percent_classified:.4g} % are classified and {one.percent_encoded:.3g} % encoded."
    left = f" Of {one.words} printed words, {one.residue_words} in encoded sentences are covered by no quotation."
    return said + (left if one.words else " There are no printed words here to be counted.")


def left_over(view: SourceView) -> Nodes:
    """The words of encoded sentences that no quotation covers, each with the reason why nothing follows."""
    rows = [
        (
            [within(one.id, one.id)],
            [span(BETWEEN.join(one.residue), lang=view.link.lang)],
            prose(view.reasons.get(one.id, ())) or "no reason yet",
        )
        for one in view.coverage.lines
        if one.residue
    ]
    if not rows:
        return []
    title = "Words that no quotation covers"
    made = table(title, ("Sentence", "Words left over", "Why nothing follows"), rows, cls="rv-stack rv-residue")
    return [block(details(f"{title}, in {words.plural(len(rows), 'sentence')}", made), cls="rv-small")]


WHAT: Mapping[str, str] = {
    "example": "an example",
    "advice": "advice",
    "narrative": "narrative",
    "not-yet": "not yet accounted for",
}


def without_clause(view: SourceView) -> Nodes:
    """The sentences on which no clause is grounded, each with the reason; headings need none."""
    rows = [
        (
            [within(one.id, one.id)],
            WHAT[one.kind],
            one.missing or prose(view.reasons.get(one.id, ())) or "–",
        )
        for one in view.coverage.lines
        if one.kind not in ("encoded", "heading")
    ]
    if not rows:
        return []
    title = "On which no clause is grounded"
    made = table(title, ("Sentence", "What it is", "Why"), rows, cls="rv-stack rv-residue")
    number = words.plural(len(rows), "sentence" if view.printed else "statement")
    return [block(details(f"{title}: {number}", made), cls="rv-small")]


# --- the text -----------------------------------------------------------------------------------------------


def text(view: SourceView) -> nodes.section:
    """The text and its translation, or the statements, chapter by chapter."""
    steps = dict(zip(view.chapters, (None, *view.chapters), strict=False))
    after = {one: other for one, other in pairwise(view.chapters)}
    made = [chapter_of(view, one, at, steps[one], after.get(one)) for at, one in enumerate(view.chapters, 1)]
    title = "Text and translation" if view.printed else "Statements"
    return section("text", title, *helps(view), *made, cls="rv-text")


def helps(view: SourceView) -> Nodes:
    """What stands above the text: why there is none, the buttons, the chapters, the pages, the keys."""
    why = [para(no_text(view.quoted))] if view.quoted else []
    return [*why, bar(view), *contents(view), keys()]


def no_text(quoted: Quoted) -> str:
    """Why there is no text, and how little of it is quoted."""
    share = f"{100 * quoted.words / quoted.page_words:.2g} %" if quoted.page_words else "a part"
    return (
        "This source is in copyright, and its text is not here. What stands here are its rules in our own words, one "
        "point to a statement; words of the source itself stand in quotation marks, and only where the wording is the "
        f"point: {words.plural(quoted.number, 'quotation')} of {quoted.words} words together, {share} of the "
        f"{quoted.page_words} words of the page. None may have more than {quoted.each} words, and all together no "
        f"more than {100 * quoted.share:.3g} %; the edition is not built otherwise."
    )


def bar(view: SourceView) -> nodes.container:
    """The buttons: which view of the text, what beside it; they work without a script."""
    chosen = [
        choice("printed", "As printed", checked=True),
        choice("reading", "In today's spelling"),
        choice("both", "Both"),
    ]
    views = markup_of("fieldset", markup_of("legend", "Text"), *chosen, cls="rv-switch rv-switch-text")
    ticks = [tick("english", "Translation", checked=True)] if view.printed else []
    ticks += [tick("unfolded", "All unfolded")]
    beside = markup_of("fieldset", markup_of("legend", "Beside it"), *ticks, cls="rv-switch rv-switch-beside")
    total = span(f"{view.total} {'sentences' if view.printed else 'statements'}", cls="rv-position")
    where = para(within("overview", "Overview"), " ", total, cls="rv-where-am-i")
    return block(*([views] if view.printed else []), beside, where, cls="rv-bar")


def choice(value: str, label: str, checked: bool = False) -> nodes.Node:
    """One view of several."""
    more = {"checked": "checked"} if checked else {}
    button = markup_of("input", type="radio", name="rv-view", value=value, cls=f"rv-view-{value}", **more)
    return markup_of("label", button, f" {label}")


def tick(value: str, label: str, checked: bool = False) -> nodes.Node:
    """Something that can be shown or not."""
    more = {"checked": "checked"} if checked else {}
    button = markup_of("input", type="checkbox", name=f"rv-{value}", cls=f"rv-shows-{value}", **more)
    return markup_of("label", button, f" {label}")


def contents(view: SourceView) -> Nodes:
    """The chapters, and the pages of the copy."""
    found: Nodes = []
    if len(view.chapters) > 1:
        names = [within(one.target, span(one.title, lang=one.lang)) for one in view.chapters]
        name = "Chapters" if view.printed else "Matters"
        found.append(para(span(name, cls="rv-label"), " ", *joined(names, " · "), cls="rv-chapters"))
    if view.pages:
        pages = [within(at, page) for page, at in view.pages]
        label = span("Pages of the copy", cls="rv-label")
        found.append(para(label, " ", *joined(pages, " "), span(f" {view.images}", cls="rv-small"), cls="rv-pages"))
    return found


def keys() -> nodes.Node:
    """What the keyboard does, for who reads with it."""
    said = para(
        "Where scripts run, ",
        markup_of("kbd", "j"),
        " goes to the next sentence and ",
        markup_of("kbd", "k"),
        " to the one before, with its notes and questions unfolded; nothing happens while you type in a field, and "
        "the two keys can be switched off here. Without a script every sentence is a link with an address of its own: "
        "its number. The letter beside the number is that of the overview.",
    )
    return details("Ways through the text, and keys", said, cls="rv-keys rv-small")


def chapter_of(view: SourceView, one: Chapter, at: int, before: Chapter | None, after: Chapter | None) -> nodes.Element:
    """A chapter: where it stands, its sentences, and the ways to the next and the one before."""
    first, last = one.span
    what = "sentence" if view.printed else "statement"
    span_ = f"{what}s {first} to {last}" if last > first else f"{what} {first}"
    part = f"Part {at} of {len(view.chapters)}: " if len(view.chapters) > 1 else ""
    place_ = para(f"{part}{span_} of {view.total}", cls="rv-chapter-place")
    lines = block(*(render_sentence(each, view.total, what) for each in one.lines), cls="rv-lines")
    steps = [chapter_steps(one, before, after)] if before or after else []
    if view.printed:
        made = block(place_, lines, *steps, cls="rv-chapter")
        made["ids"] = [one.target]
        return made
    return section(one.target, one.title, place_, lines, *steps, cls="rv-chapter")


def chapter_steps(one: Chapter, before: Chapter | None, after: Chapter | None) -> nodes.Element:
    """The chapters before and after."""
    to = [span("← ", chapter_link(before), cls="rv-before")] if before else []
    to += [span(chapter_link(after), " →", cls="rv-after")] if after else []
    label = f"Before and after: {one.title or 'the text'}"
    return markup_of("nav", *to, cls="rv-steps rv-chapter-steps", aria_label=label)


def chapter_link(one: Chapter) -> nodes.reference:
    """A way to a chapter."""
    return within(one.target, span(one.title or "The text", lang=one.lang))


# --- how the text was made ----------------------------------------------------------------------------------


def practice(view: SourceView) -> Nodes:
    """What was mended silently, and how the text was made."""
    if not view.mended:
        return []
    pairs = [("Mended silently", view.mended), *view.practice]
    return [section("practice", "How this text was made", definitions(pairs, cls="rv-facts rv-practice"))]


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"source": source_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"source": source}
