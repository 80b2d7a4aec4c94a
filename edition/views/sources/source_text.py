"""The page of a source laid out: the overview, then text and translation facing, with notes in the margin.

Both views of the text stand in the page, one under the other; which of them is seen is a matter of the style sheet
and of the buttons above the text, and needs no script.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docutils import nodes

from edition.nodes.builders import (
    Content,
    add_anchor,
    add_page_id,
    block,
    bullet_list,
    definition_list,
    details,
    emphasis,
    link,
    markup_of,
    para,
    same_page_link,
    section,
    span,
    table,
)
from edition.text import answers as words
from edition.views.layout import Nodes, join_content, render_badge, render_prose
from edition.views.sources.sentence import letter_class, render_sentence
from edition.views.sources.source import QuotationUsage, SourceChapter, SourceView
from edition.views.sources.source_overview import Letter
from rulebook.checks.coverage import RESIDUE_SEPARATOR

# --- the page -----------------------------------------------------------------------------------------------


def render_source(view: SourceView) -> Nodes:
    """Source page: introduction, overview, text and record."""
    siglum = view.link.siglum
    title = [f"{view.link.title} ", span(siglum, cls="rv-siglum")]
    made = section(
        siglum,
        title,
        *_render_source_front(view),
        section("overview", "Overview, sentence by sentence", *render_sentence_overview(view)),
        _render_source_text(view),
        section("the-record", "Record", _render_source_record(view)),
        *_render_editorial_practice(view),
        cls="rv-page rv-source",
    )
    return [add_anchor(made, "source", siglum, view.link.title, at="")]


def _render_source_front(view: SourceView) -> Nodes:
    title = para(emphasis(view.full_title, lang=view.link.lang), cls="rv-full-title")
    ways: list[Content] = [
        same_page_link("text", "Go to the text" if view.printed else "Go to the statements"),
        link("howto", view.link.siglum, "Rules in two minutes"),
        link("clauses", view.link.siglum, "All its clauses"),
        same_page_link("the-record", "The copy used, and the rights"),
    ]
    ways += [link("costs", view.link.siglum, "What its disagreements cost")] if view.weighed else []
    told = [para(*render_prose(one)) for one in view.introduction]
    return [
        *([_render_draft_note(view.collated)] if view.collated else []),
        title,
        *told,
        para(*join_content(ways, " · "), cls="rv-ways"),
    ]


def _render_draft_note(collated: str) -> nodes.paragraph:
    said = " A draft: its ids may still change, and what it does not answer yet is not silence."
    return para(render_badge(collated, "rv-draft"), said, cls="rv-small")


def _render_source_record(view: SourceView) -> nodes.definition_list:
    pairs: list[tuple[Any, Any]] = [(label, render_prose(said)) for label, said in view.record]
    works = join_content((link("work", key, title) for key, title in view.bibliography), "; ")
    return definition_list([*pairs, ("Literature", works)] if works else pairs, cls="rv-facts")


# --- the overview -------------------------------------------------------------------------------------------


def render_sentence_overview(view: SourceView) -> Nodes:
    """Overview with one letter per sentence, its legend, and what is left over.

    It also says how many sentences are accounted for, and which words no quotation covers.
    """
    rows = [_strip_row(chapter) for chapter in view.chapters]
    strip = block(*rows, cls="rv-strip")
    return [
        para(_describe_coverage(view)),
        _render_letter_key(view),
        *render_double_count_note(view),
        strip,
        *left_over(view),
        *without_clause(view),
    ]


def _render_letter_key(view: SourceView) -> nodes.bullet_list:
    rows = (
        [span(one.sign, cls=f"rv-letter rv-letter-{one.state}"), f" {one.words} ", span(f"({one.number})")]
        for one in view.legend
    )
    return bullet_list(rows, cls="rv-legend")


def render_double_count_note(view: SourceView) -> Nodes:
    """Note on why the legend's numbers exceed the number of sentences."""
    signs = dict.fromkeys(one.sign for chapter in view.chapters for one in chapter.letters if one.counsel)
    if not signs:
        return []
    said = f"A sentence with two letters ({', '.join(signs)}) is advice and grounds of a rule, and counts twice."
    return [para(said, cls="rv-small")]


def _strip_row(chapter: SourceChapter) -> nodes.container:
    title = para(same_page_link(chapter.target, chapter.title or "The text"), cls="rv-strip-title", lang=chapter.lang)
    row = [markup_of("li", _render_sentence_letter(one)) for one in chapter.letters]
    return block(title, markup_of("ol", *row, cls="rv-strip-letters"), cls="rv-strip-row")


def _render_sentence_letter(one: Letter) -> nodes.reference:
    return same_page_link(
        one.id, one.sign, cls=letter_class(one), title=one.words, aria_label=f"{one.sign}, {one.words}"
    )


def _describe_coverage(view: SourceView) -> str:
    one = view.coverage
    number = words.format_count(one.total, "sentence" if view.printed else "statement")
    said = f"Of {number}, {one.percent_classified:.4g} % are classified and {one.percent_encoded:.3g} % encoded."
    left = f" Of {one.words} printed words, {one.residue_words} in encoded sentences are covered by no quotation."
    return said + (left if one.words else " There are no printed words here to be counted.")


def left_over(view: SourceView) -> Nodes:
    """The words of encoded sentences that no quotation covers, each with the reason why nothing follows."""
    rows = [
        (
            [same_page_link(one.id, one.id)],
            [span(RESIDUE_SEPARATOR.join(one.residue), lang=view.link.lang)],
            render_prose(view.reasons.get(one.id, ())) or "no reason yet",
        )
        for one in view.coverage.lines
        if one.residue
    ]
    number = words.format_count(len(rows), "sentence")
    head = ("Sentence", "Words left over", "Why nothing follows")
    return _fold_residue_table("Words that no quotation covers", f", in {number}", head, rows)


def _fold_residue_table(title: str, number: str, head: tuple[str, ...], rows: list[Any]) -> Nodes:
    made = table(title, head, rows, cls="rv-stack rv-residue")
    return [block(details(f"{title}{number}", made), cls="rv-small")] if rows else []


_UNGROUNDED_KIND_NAMES: Mapping[str, str] = {
    "example": "an example",
    "advice": "advice",
    "narrative": "narrative",
    "not-yet": "not yet accounted for",
}


def without_clause(view: SourceView) -> Nodes:
    """The sentences on which no clause is grounded, each with the reason; headings need none."""
    rows = [
        (
            [same_page_link(one.id, one.id)],
            _UNGROUNDED_KIND_NAMES[one.kind],
            one.missing or render_prose(view.reasons.get(one.id, ())) or "–",
        )
        for one in view.coverage.lines
        if one.kind not in ("encoded", "heading")
    ]
    number = words.format_count(len(rows), "sentence" if view.printed else "statement")
    return _fold_residue_table("On which no clause is grounded", f": {number}", ("Sentence", "What it is", "Why"), rows)


# --- the text -----------------------------------------------------------------------------------------------


def _render_source_text(view: SourceView) -> nodes.section:
    around = zip(view.chapters, (None, *view.chapters), (*view.chapters[1:], None), strict=False)
    made = [chapter_of(view, one, at, before, after) for at, (one, before, after) in enumerate(around, 1)]
    title = "Text and translation" if view.printed else "Statements"
    return section("text", title, *render_text_navigation(view), *made, cls="rv-text")


def render_text_navigation(view: SourceView) -> Nodes:
    """Navigation above the text.

    It has the reason why there is no text, the buttons, the chapters, the pages and the keys.
    """
    why = [para(explain_missing_text(view.quoted))] if view.quoted else []
    return [*why, render_view_bar(view), *_render_text_contents(view), _render_keyboard_help()]


def explain_missing_text(quoted: QuotationUsage) -> str:
    """Reason why there is no text, and how little of it is quoted."""
    share = f"{100 * quoted.words / quoted.page_words:.2g} %" if quoted.page_words else "a part"
    return (
        "This source is in copyright, and its text is not here. What stands here are its rules in our own words, one "
        "point to a statement; words of the source itself stand in quotation marks, and only where the wording is the "
        f"point: {words.format_count(quoted.number, 'quotation')} of {quoted.words} words together, {share} of the "
        f"{quoted.page_words} words of the page. None may have more than {quoted.each} words, and all together no "
        f"more than {100 * quoted.share:.3g} %; the edition is not built otherwise."
    )


def render_view_bar(view: SourceView) -> nodes.container:
    """Buttons to choose the view of the text and what stands beside it.

    They work without a script.
    """
    chosen = [
        _build_view_radio("printed", "As printed", checked=True),
        _build_view_radio("reading", "In today's spelling"),
        _build_view_radio("both", "Both"),
    ]
    views = markup_of("fieldset", markup_of("legend", "Text"), *chosen, cls="rv-switch rv-switch-text")
    ticks = [_build_view_checkbox("english", "Translation", checked=True)] if view.printed else []
    ticks += [_build_view_checkbox("unfolded", "All unfolded")]
    beside = markup_of("fieldset", markup_of("legend", "Beside it"), *ticks, cls="rv-switch rv-switch-beside")
    total = span(f"{view.total} {'sentences' if view.printed else 'statements'}", cls="rv-position")
    where = para(same_page_link("overview", "Overview"), " ", total, cls="rv-where-am-i")
    return block(*([views] if view.printed else []), beside, where, cls="rv-bar")


def _build_view_radio(value: str, label: str, checked: bool = False) -> nodes.Node:
    more = {"checked": "checked"} if checked else {}
    button = markup_of("input", type="radio", name="rv-view", value=value, cls=f"rv-view-{value}", **more)
    return markup_of("label", button, f" {label}")


def _build_view_checkbox(value: str, label: str, checked: bool = False) -> nodes.Node:
    more = {"checked": "checked"} if checked else {}
    button = markup_of("input", type="checkbox", name=f"rv-{value}", cls=f"rv-shows-{value}", **more)
    return markup_of("label", button, f" {label}")


def _render_text_contents(view: SourceView) -> Nodes:
    found: Nodes = []
    if len(view.chapters) > 1:
        names = [same_page_link(one.target, span(one.title, lang=one.lang)) for one in view.chapters]
        name = "Chapters" if view.printed else "Matters"
        found.append(para(span(name, cls="rv-label"), " ", *join_content(names, " · "), cls="rv-chapters"))
    if view.pages:
        pages = [same_page_link(at, page) for page, at in view.pages]
        label = span("Pages of the copy", cls="rv-label")
        found.append(
            para(label, " ", *join_content(pages, " "), span(f" {view.images}", cls="rv-small"), cls="rv-pages")
        )
    return found


def _render_keyboard_help() -> nodes.Node:
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


def chapter_of(
    view: SourceView, one: SourceChapter, at: int, before: SourceChapter | None, after: SourceChapter | None
) -> nodes.Element:
    """A chapter: where it stands, its sentences, and the ways to the next and the one before."""
    first, last = one.span
    what = "sentence" if view.printed else "statement"
    span_ = f"{what}s {first} to {last}" if last > first else f"{what} {first}"
    part = f"Part {at} of {len(view.chapters)}: " if len(view.chapters) > 1 else ""
    place_ = para(f"{part}{span_} of {view.total}", cls="rv-chapter-place")
    lines = block(*(render_sentence(each, view.total, what) for each in one.lines), cls="rv-lines")
    steps = [_chapter_steps(one, before, after)] if before or after else []
    if view.printed:
        return add_page_id(block(place_, lines, *steps, cls="rv-chapter"), one.target)
    return section(one.target, one.title, place_, lines, *steps, cls="rv-chapter")


def _chapter_steps(one: SourceChapter, before: SourceChapter | None, after: SourceChapter | None) -> nodes.Element:
    to = [span("← ", _chapter_link(before), cls="rv-before")] if before else []
    to += [span(_chapter_link(after), " →", cls="rv-after")] if after else []
    label = f"Before and after: {one.title or 'the text'}"
    return markup_of("nav", *to, cls="rv-steps rv-chapter-steps", aria_label=label)


def _chapter_link(one: SourceChapter) -> nodes.reference:
    return same_page_link(one.target, span(one.title or "The text", lang=one.lang))


# --- how the text was made ----------------------------------------------------------------------------------


def _render_editorial_practice(view: SourceView) -> Nodes:
    if not view.mended:
        return []
    pairs = [("Mended silently", view.mended), *view.practice]
    return [section("practice", "How this text was made", definition_list(pairs, cls="rv-facts rv-practice"))]
