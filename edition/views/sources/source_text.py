"""The page of a source: text and translation facing, a minimap beside them, and after them what the source is.

Printed and modern spelling both stand in the page; which of them is seen is a matter of the style sheet and of the
buttons above the text, and needs no script.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docutils import nodes

from edition.export.downloads import DOWNLOADS_PAGE
from edition.game import render_panels
from edition.nodes.builders import (
    Content,
    add_anchor,
    add_page_id,
    block,
    bullet_list,
    definition_list,
    details,
    emphasis,
    file_link,
    link,
    markup_of,
    page_link,
    para,
    same_page_link,
    section,
    span,
    table,
)
from edition.nodes.components import render_prose, source_shape
from edition.palette import format_slot_classes
from edition.views.layout import Nodes, join_content, render_badge, render_extent
from edition.views.sources.collated import WitnessReach
from edition.views.sources.sentence import render_sentence
from edition.views.sources.source import QuotationUsage, SourceChapter, SourceView, TextFile
from edition.views.sources.source_map import render_source_map
from edition.views.sources.source_overview import ALONE_STATE, StateGroup
from rulebook.checks.coverage import RESIDUE_SEPARATOR, SentenceCoverage
from rulebook.phrases import format_count

# --- the page -----------------------------------------------------------------------------------------------


def render_source(view: SourceView) -> Nodes:
    """Source page: the text first, then introduction, overview and record."""
    siglum = view.link.siglum
    title = [source_shape(view.mark), " ", view.mark.name, " ", span(siglum, cls="rv-chip-siglum")]
    made = section(
        siglum,
        title,
        *_render_source_head(view),
        _render_source_text(view),
        _render_introduction(view),
        *render_panels(view.panels["source"]),
        section("overview", "What each sentence is to the rules", *render_sentence_overview(view)),
        section("the-record", "The copy used, and the rights", *_render_source_record(view)),
        *_render_files(view),
        *_render_editorial_practice(view),
        *_render_keyboard_help(view),
        cls=f"rv-source {format_slot_classes(view.mark.slot)}{'' if view.translated else ' rv-untranslated'}",
    )
    return [add_anchor(made, "source", siglum, view.link.title, at="")]


def _render_source_head(view: SourceView) -> Nodes:
    size = format_count(view.total, "sentence" if view.printed else "statement")
    pages = [format_count(len(view.pages), "page")] if view.pages else []
    facts = [", ".join(filter(None, (view.mark.date, *pages, size)))]
    ways: list[Content] = [
        same_page_link("introduction", "Introduction"),
        *render_panels(view.panels["source-links"]),
        link("clauses", view.link.siglum, "Clauses"),
    ]
    ways += [link("variants", view.link.siglum, "Variants")] if view.witnesses else []
    ways += render_panels(view.panels["source-further-links"])
    ways += [same_page_link("files", "Files")] if view.files else []
    row = para(*join_content([*facts, *ways], " · "), cls="rv-source-facts")
    return [
        *([_render_draft_note(view.collated, view.progress)] if view.collated else []),
        _render_full_title(view),
        block(row, _render_text_controls(view), cls="rv-source-head"),
        *([para(_COPYRIGHT_NOTE, cls="rv-small")] if view.quoted else []),
        *render_panels(view.panels["source-head"]),
        para(*_explain_margins(view), cls="rv-small rv-source-margins"),
        *render_panels(view.panels["source-notes"]),
        *_render_witnesses(view),
    ]


def _render_witnesses(view: SourceView) -> Nodes:
    """Name the other prints of the text; how their variants are marked is shown only where they are."""
    if not view.witnesses:
        return []
    return [
        para(*_introduce_witnesses(view), cls="rv-small"),
        para(*_explain_variants(view), cls="rv-small rv-collated"),
    ]


def _render_full_title(view: SourceView) -> nodes.paragraph:
    title = emphasis(view.full_title, lang=view.link.lang)
    by = f". By {view.author or 'an author not known to us'}."
    return para(title, by, *render_extent(view.partial), cls="rv-source-title")


def _explain_margins(view: SourceView) -> list[Content]:
    """Explain the number beside a sentence, and the strip of chapters, which a narrow screen has not."""
    what = "sentence" if view.printed else "statement"
    strip = span(" In the strip of chapters a darker line has more answers.", cls="rv-of-the-strip")
    number = f"“3 *” beside a {what}: three answers rest on it, and it has a note; open it to see them."
    return [number, strip] if len(view.chapters) > 1 else [number]


def _introduce_witnesses(view: SourceView) -> list[Content]:
    """Say which other prints of the text are known, how far, and where they are weighed."""
    return [
        "A part of this text is known from another print too, and compared with ",
        *join_content((span(*_describe_reach(one)) for one in view.witnesses), "; "),
        ": ",
        link("variants", view.link.siglum, "all variants"),
        ", ",
        page_link("descent#who-copied-whom", "who copied whom"),
        ".",
    ]


def _explain_variants(view: SourceView) -> list[Content]:
    """Explain the marks of the text with variants."""
    return [
        "Outside of what was consulted nothing is known, and the absence of marks is no agreement. In brackets, behind "
        "underlined words, stands another word, or what stands there for a misprint; behind ‸ stands what our copy has "
        "not. Dotted is a word that is spelt or pointed otherwise: touch it to see how, or look into ",
        link("variants", view.link.siglum, "the list with its reasons"),
        *(part for one in view.files if one.apparatus for part in ("; ", _link_file(one, "TEI with apparatus"))),
        ".",
    ]


def _link_file(one: TextFile, *content: Content) -> nodes.reference:
    """Link to a file from the page of a source, which lies one folder below the first page."""
    return file_link(f"../{one.address}", *content)


def _describe_reach(one: WitnessReach) -> Iterator[Content]:
    """Describe a witness: its siglum, title and year, and from where to where it was consulted."""
    yield from (f"{one.siglum} (", emphasis(one.title, lang=one.lang), f", {one.year}), " if one.year else "), ")
    yield from ("consulted from ", same_page_link(one.first, one.first.partition(".")[2]))
    yield from (" to ", same_page_link(one.last, one.last.partition(".")[2]))


_COPYRIGHT_NOTE = (
    "This source is in copyright, and its text is not here: this is our summary, one point to a statement, with a few "
    "words of the source where the wording is the point."
)


def _render_draft_note(collated: str, progress: str) -> nodes.paragraph:
    said = f" A draft: its ids may still change, and what it does not answer yet is not silence. {progress}."
    return para(render_badge(collated, "rv-draft"), said, cls="rv-small")


def _render_text_controls(view: SourceView) -> nodes.container:
    """Buttons for the spelling and for what stands beside the text; all but the clauses work without a script."""
    spelling = [_build_choice("radio", "rv-spelling", "printed", "As transcribed", checked=True)]
    spelling += [_build_choice("radio", "rv-spelling", "modern", "Modern spelling")]
    spelling += [_build_choice("radio", "rv-spelling", "variants", "With variants")] if view.witnesses else []
    ticks = [_build_choice("checkbox", "rv-shows", "english", "Translation", checked=True)] if view.translated else []
    ticks += [_build_choice("checkbox", "rv-shows", "clauses", "Clauses", cls="rv-needs-script")]
    ticks += [_build_choice("checkbox", "rv-shows", "ids", "Numbers")]
    groups = [_build_choices("Spelling", spelling)] if view.printed else []
    return block(*groups, _build_choices("Beside the text", ticks), cls="rv-text-controls")


def _build_choices(legend: str, choices: list[nodes.Node]) -> nodes.Node:
    return markup_of("div", *choices, cls="rv-segment", role="group", aria_label=legend)


def _build_choice(kind: str, name: str, value: str, label: str, checked: bool = False, cls: str = "") -> nodes.Node:
    more = {"checked": "checked"} if checked else {}
    button = markup_of("input", type=kind, name=name, value=value, cls=f"rv-shows-{value}", **more)
    return markup_of("label", button, label, cls=cls)


# --- the text -----------------------------------------------------------------------------------------------


def _render_source_text(view: SourceView) -> nodes.container:
    chapters = block(*(_render_chapter(view, one) for one in view.chapters), cls="rv-text")
    beside = [render_source_map(view.chapters)] if len(view.chapters) > 1 else []
    return add_page_id(block(*beside, chapters, cls="rv-read" if beside else ""), "text")


def _render_chapter(view: SourceView, one: SourceChapter) -> nodes.Element:
    """Sentences under their heading; statements have a heading of ours."""
    lines = [render_sentence(each) for each in one.lines]
    if view.printed:
        return add_page_id(block(*lines, cls="rv-chapter"), one.target)
    return section(one.target, one.title, *lines, cls="rv-chapter")


# --- what the source is -------------------------------------------------------------------------------------


def _render_introduction(view: SourceView) -> nodes.section:
    return section("introduction", "Introduction", *(para(*render_prose(one)) for one in view.introduction))


def _render_source_record(view: SourceView) -> Nodes:
    pairs: list[tuple[Any, Any]] = [(label, render_prose(said)) for label, said in view.record]
    works = join_content((link("work", key, title) for key, title in view.bibliography), "; ")
    pairs += [("Literature", works)] if works else []
    pages = join_content((same_page_link(at, page) for page, at in view.pages), " ")
    pairs += [("Pages of the copy", pages)] if pages else []
    quoted = [para(explain_quotation_limits(view.quoted))] if view.quoted else []
    return [*quoted, details("Author, date, copy, family, rights, literature", definition_list(pairs, cls="rv-facts"))]


def _render_files(view: SourceView) -> Nodes:
    if not view.files:
        return []
    rows = ([_link_file(one, f"{one.says[:1].upper()}{one.says[1:]}")] for one in view.files)
    page = nodes.reference("", "downloads", refuri=f"../{DOWNLOADS_PAGE}.html", internal=True)
    more = para("Other forms, archives, terms and checksums: ", page, ".")
    return [section("files", "Files", bullet_list(rows), more)]


def explain_quotation_limits(quoted: QuotationUsage) -> str:
    """Amount quoted of a source in copyright, and the amount permitted."""
    share = f"{100 * quoted.words / quoted.page_words:.2g} %" if quoted.page_words else "a part"
    return (
        "The source is in copyright; words of its own stand in quotation marks: "
        f"{format_count(quoted.number, 'quotation')} of {quoted.words} words together, {share} of the "
        f"{quoted.page_words} words of the page. None may have more than {quoted.each} words, and all together no "
        f"more than {100 * quoted.share:.3g} %; the edition is not built otherwise."
    )


def _render_editorial_practice(view: SourceView) -> Nodes:
    if not view.mended:
        return []
    pairs = [("Mended silently", view.mended), *view.practice]
    facts = definition_list(pairs, cls="rv-facts rv-practice")
    return [
        section(
            "practice",
            "How this text was made",
            details("Spelling, words cut at line ends, misprints, sentences", facts),
        )
    ]


def _render_keyboard_help(view: SourceView) -> Nodes:
    """Keys of the page, which can be switched off; only where scripts run."""
    keys = markup_of("input", type="checkbox", name="rv-keys", checked="checked", cls="rv-keys-on")
    what = "sentence" if view.printed else "statement"
    said = para(
        *("The key ", markup_of("kbd", "j"), f" goes to the next {what} and ", markup_of("kbd", "k")),
        " to the one before, with what hangs on it unfolded.",
    )
    switch = para(markup_of("label", keys, "The keys j and k are on"))
    return [block(details("Keys", said, switch), cls="rv-keys rv-needs-script")]


# --- the overview -------------------------------------------------------------------------------------------


def render_sentence_overview(view: SourceView) -> Nodes:
    """Sentences by what they are to the rules; the words and the sentences from which no rule follows."""
    rows = [details(*_render_state_group(view.link.siglum, one), cls="rv-state-group") for one in view.states]
    return [
        para(_describe_coverage(view)),
        *rows,
        *_render_text_without_rule(view),
        *_render_unheld_orders(view),
        *_render_ungrounded(view),
    ]


def _render_state_group(siglum: str, one: StateGroup) -> tuple[list[Content], nodes.Node]:
    number = span(f" {len(one.ids)}", cls="rv-small")
    links = join_content((same_page_link(id, id.partition(".")[2]) for id in one.ids), " ")
    alone = f"answers#alone-{siglum}"
    every: list[Content] = (
        [" · ", page_link(alone, "the rules that only this book has")] if one.state == ALONE_STATE else []
    )
    head: list[Content] = [one.name.capitalize(), number, span(f" {one.says}", cls="rv-small")]
    return head, para(*links, *every, cls="rv-state-ids")


def _describe_coverage(view: SourceView) -> str:
    one = view.coverage
    number = format_count(one.total, "sentence" if view.printed else "statement")
    said = f"Rules rest on {one.percent_encoded:.3g} % of the {number}; what the others are is said below."
    left = f" Of {one.words} printed words, {one.residue_words} in sentences with a rule are covered by no quotation."
    return said + (left if one.words else " There are no printed words here to be counted.")


def _render_text_without_rule(view: SourceView) -> Nodes:
    """Words of sentences with a rule that no quotation covers, each with the reason why nothing follows."""
    rows = [
        (
            [same_page_link(one.id, one.id.partition(".")[2])],
            [span(RESIDUE_SEPARATOR.join(one.residue), lang=view.link.lang)],
            render_prose(view.reasons.get(one.id, ())) or _explain_missing_reason(one),
        )
        for one in view.coverage.lines
        if one.residue
    ]
    number = format_count(len(rows), "sentence")
    head = ("Sentence", "Words left over", "Why nothing follows")
    return _fold_table("Text without a rule", f"in {number}", head, rows, "table-words-that-no-quotation-covers")


def _render_unheld_orders(view: SourceView) -> Nodes:
    """Orders of the sentences that no answer holds, so that no deal is settled by them."""
    rows = [
        (
            [same_page_link(one.sentence, one.sentence.partition(".")[2])],
            [span(one.words, lang=view.link.lang if view.printed else "en")],
            one.explanation,
        )
        for one in view.coverage.not_held
    ]
    head = ("Sentence" if view.printed else "Statement", "Words", "What no answer holds")
    return _fold_table("Not held by any answer", str(len(rows)), head, rows, "table-what-no-answer-holds")


def _explain_missing_reason(one: SentenceCoverage) -> str:
    """Say why nobody has given a reason: the words need none, or it is still to be found."""
    return "nobody has said why" if one.missing else "they only link or number: no rule could follow from them"


def _render_ungrounded(view: SourceView) -> Nodes:
    """Sentences on which no rule rests, each with the reason; headings need none."""
    rows = [
        (
            [same_page_link(one.id, one.id.partition(".")[2])],
            _UNGROUNDED_KIND_NAMES[one.kind],
            one.missing or render_prose(view.reasons.get(one.id, ())) or "nobody has said why",
        )
        for one in view.coverage.lines
        if one.kind not in ("encoded", "heading")
    ]
    what = "sentence" if view.printed else "statement"
    title, head = f"{what.capitalize()}s without a rule", (what.capitalize(), "What it is", "Why")
    return _fold_table(title, str(len(rows)), head, rows, "table-on-which-no-clause-is-grounded")


_UNGROUNDED_KIND_NAMES: Mapping[str, str] = {
    "example": "an example",
    "advice": "advice",
    "narrative": "narrative",
    "not-yet": "not yet accounted for",
}


def _fold_table(title: str, number: str, head: tuple[str, ...], rows: list[Any], at: str) -> Nodes:
    """Fold a table under its title; *at* is its address, which was published."""
    made = table(span(title, cls="rv-unseen"), head, rows, cls="rv-stack rv-residue")
    made["ids"] = [at]
    return [details([title, span(f" {number}", cls="rv-small")], made)] if rows else []
