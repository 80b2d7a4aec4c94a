"""The page of a source laid out: the overview, then text and translation facing, with notes in the margin.

Both views of the text stand in the page, one under the other; which of them is seen is a matter of the style sheet
and of the buttons above the text, and needs no script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from docutils import nodes

from edition.nodes.builders import (
    Content,
    anchor,
    block,
    bullets,
    definitions,
    details,
    emphasis,
    heading,
    link,
    markup_of,
    para,
    section,
    span,
    spoken,
    strong,
    table,
    unseen,
    within,
)
from edition.text import answers as words
from edition.views.common import NoteView
from edition.views.layout import ROLES, Nodes, answer, badge, badges, cell_ref, foreign, joined, prose, question_ref
from edition.views.sources.source import VIEWS as VIEWS
from edition.views.sources.source import Asked, Chapter, Chip, Line, Mended, Other, Quoted, SourceView, page_address
from edition.views.sources.source_overview import STATES, Letter, summed_up
from rulebook.checks.coverage import BETWEEN
from rulebook.text import Part

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
    return within(one.id, one.sign, cls=letter_cls(one), title=one.words, aria_label=f"{one.sign}, {one.words}")


def letter_cls(one: Letter) -> str:
    """How a letter looks."""
    return f"rv-letter rv-letter-{one.state}" + (" rv-letter-both" if one.counsel else "")


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
    lines = block(*(line(each, view.total, what) for each in one.lines), cls="rv-lines")
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


# --- a sentence ---------------------------------------------------------------------------------------------


def line(one: Line, total: int, what: str) -> nodes.container:
    """A sentence: its place, its words, its translation, its questions, and in the margin what is to be noted."""
    opens = " rv-opens" if one.opens else ""
    under = [*questions(one), *chips(one), *deals(one)]
    hanging = [block(*under, cls="rv-hanging")] if under else []
    row = block(place(one, total, what), *sides(one), *hanging, cls="rv-row")
    made = block(row, *margin(one), cls=f"rv-line rv-line-{one.kind}{opens}")
    return anchor(made, "sentence", one.id, one.id)


def place(one: Line, total: int, what: str) -> nodes.paragraph:
    """The number of a sentence, which is its address; its letter, and the pages that begin with it or in it."""
    siglum, _, number = one.id.partition(".")
    pages: list[Content] = [piece for page in one.pages for piece in (page_number(siglum, page), " ")]
    sign, name = one.letter.sign, one.letter.name
    mark = span(sign, unseen(f", {name}"), cls=letter_cls(one.letter), title=name)
    label = f"{number}: {what} {one.number} of {total}, {one.id}"
    return para(
        *pages,
        within(one.id, number, aria_label=label, title="§, the address of this sentence"),
        " ",
        mark,
        cls="rv-place",
    )


def page_number(siglum: str, page: str) -> nodes.inline:
    """The number of a page that begins here."""
    made = span(f"p. {page}", cls="rv-page-number")
    made["ids"] = [page_address(siglum, page)]
    return made


def sides(one: Line) -> Nodes:
    """The words and their translation; for a statement our words and the few of the source."""
    if one.kind == "statement":
        quote = [para("“", span(one.quote, lang=one.lang), "”", cls="rv-exact")] if one.quote else []
        return [block(para(one.paraphrase), *quote, cls="rv-side rv-statement")]
    return [
        block(*original(one), cls="rv-side rv-original", lang=one.lang),
        block(worded(one, foreign(one.translation)), cls="rv-side rv-english"),
    ]


def original(one: Line) -> Nodes:
    """The words of the source: as printed, and in today's spelling where that differs."""
    printed = [piece for part in one.parts for piece in PARTS.get(part.kind, plain_part)(part)]
    if not one.reading:
        return [worded(one, printed, level=3)]
    return [worded(one, printed, level=3, cls="rv-printed"), worded(one, [one.reading], cls="rv-reading", level=3)]


def worded(one: Line, pieces: Iterable[Content], cls: str = "", level: int = 0) -> nodes.Node:
    """Words as a paragraph, or as a heading where the source has one."""
    if one.kind in ("heading", "title") and level:
        return heading(level, *pieces, cls=cls)
    return para(*pieces, cls=cls)


def plain_part(part: Part) -> list[Content]:
    """Words as they are."""
    return [part.text]


def emended_part(part: Part) -> list[Content]:
    """A misprint as the page has it, marked, with the way to its emendation."""
    number = part.id.partition(".")[2]
    said = f"read: {part.corr or '(nothing)'}"
    mark_ = link("emendation", part.id, number, title=said, cls="rv-emendation-mark")
    page = page_part(part) if part.n else []
    return [span(part.text or "‸", cls="rv-sic", title=said), mark_, *page]


def old_part(part: Part) -> list[Content]:
    """An old spelling; today's stands in the reading view."""
    return [part.sic]


def unclear_part(part: Part) -> list[Content]:
    """Words that cannot be read with certainty."""
    reason = part.reason or "not read with certainty"
    return [span(part.text, cls="rv-unclear", title=reason), unseen(f" ({reason})")]


def gap_part(part: Part) -> list[Content]:
    """Words that are lost."""
    return [span("[…]", cls="rv-gap", title=part.reason or "lost")]


def page_part(part: Part) -> list[Content]:
    """A new page begins."""
    return [span(f"|{part.n}|", cls="rv-break", title=f"page {part.n} begins", lang="en")]


def set_part(part: Part) -> list[Content]:
    """Words in another type."""
    return [emphasis(part.text)]


def foreign_part(part: Part) -> list[Content]:
    """Words in another language."""
    return [emphasis(part.text, lang=part.lang)]


PARTS: Mapping[str, Callable[[Part], list[Content]]] = {
    "choice": emended_part,
    "reg": old_part,
    "unclear": unclear_part,
    "gap": gap_part,
    "pb": page_part,
    "hi": set_part,
    "foreign": foreign_part,
}


# --- the questions that a sentence answers --------------------------------------------------------------------


def questions(one: Line) -> Nodes:
    """The questions that a sentence answers, with the answers in words; folded away, for the text comes first."""
    if not (one.asked or one.about):
        return []
    siglum = one.id.partition(".")[0]
    said = f"Answers {summed_up(each.company.kind for each in one.asked)}" if one.asked else "Gives a reason"
    doubts = len({other.id for each in one.asked for other in each.others if other.kind == "interpretation"})
    rivals = f"; {words.plural(doubts, 'rival interpretation')}" if doubts else ""
    rows = [question(siglum, each) for each in one.asked]
    rows += [[question_ref(each), f" {each.asks} Only a reason is given."] for each in one.about]
    return [details(f"{said}{rivals}", bullets(rows, cls="rv-asked-list"), cls="rv-asked")]


def question(siglum: str, one: Asked) -> list[Content]:
    """A question with the answer that the sentence gives, and how the other sources stand to it."""
    asks, number = one.answered.question, one.clause.partition(".")[2]
    said = one.answered.answer
    shown: list[Content] = [said.full] if said.full else answer(said, one.answered.unit)
    return [
        *standing(one.company.kind),
        question_ref(asks),
        " ",
        cell_ref(asks, siglum, asks.asks),
        " ",
        strong(*shown, cls="rv-said"),
        " ",
        *(badges(one.status, one.cert) if one.status != "stated" else []),
        " ",
        span(f"{one.company.words}. " if one.company.words else "", ROLES[one.role], cls="rv-company"),
        " ",
        link("clause", one.clause, number, title=one.clause, cls="rv-id"),
        *others(one.others),
    ]


def deals(one: Line) -> Nodes:
    """The worked deals that show a sentence at work."""
    named = joined(link("deal", each) for each in one.deals)
    return [para(span("In play", cls="rv-label"), " ", *named, cls="rv-deals-here")] if named else []


def chips(one: Line) -> Nodes:
    """The clauses that cite a sentence."""
    return [bullets(map(chip, one.chips), cls="rv-chips")] if one.chips else []


def chip(one: Chip) -> list[Content]:
    """A clause, with the letter that tells how it stands to the other sources."""
    number = one.clause.partition(".")[2]
    sign: list[Content] = []
    if one.state:
        sign = [" ", span(STATES[one.state][0], cls=f"rv-letter rv-letter-{one.state}")]
    name = f"; {STATES[one.state][1]}" if one.state else ""
    aside = [span(f" {ROLES[one.role]}", cls="rv-small")] if ROLES[one.role] else []
    return [link("clause", one.clause, number, *sign, title=f"{one.clause}: {one.words}{name}", cls="rv-chip"), *aside]


def standing(kind: str) -> list[Content]:
    """The letter that tells how the sources stand on a question."""
    if not kind:
        return []
    sign, name, _ = STATES[kind]
    return [spoken(f"{sign}, {name}", sign, cls=f"rv-letter rv-letter-{kind}"), " "]


KINDS: Mapping[str, str] = {"interpretation": "It can also be taken so", "option": "The source also offers"}


def others(found: tuple[Other, ...]) -> Iterator[Content]:
    """The other ways to take the words, by their names."""
    for kind, label in KINDS.items():
        those = [other(one) for one in found if one.kind == kind]
        if those:
            yield span(f" {label}: ", *joined(those, "; "), cls=f"rv-others rv-others-{kind}")


def other(one: Other) -> nodes.inline:
    """One of them, with the way to its reasons."""
    return span(link("alternative", one.id, one.id.partition(".")[2], title=one.id), f" {one.label}")


# --- the margin -----------------------------------------------------------------------------------------------


def margin(one: Line) -> Nodes:
    """The notes on a sentence, under its number: a long note above may have pushed them down a little."""
    remarks = [*map(emendation, one.mended), *print_facts(one), *map(note, one.notes)]
    if not remarks:
        return []
    on = para(one.id.partition(".")[2], cls="rv-on")
    return [block(on, details(counted(one, len(remarks)), *remarks, cls="rv-remarks"), cls="rv-margin")]


def counted(one: Line, all_: int) -> str:
    """How many notes there are to unfold."""
    told = [words.plural(len(one.mended), "emendation")] if one.mended else []
    rest = all_ - len(one.mended)
    return ", ".join([*told, words.plural(rest, "note")] if rest else told)


def emendation(one: Mended) -> nodes.Node:
    """A misprint: what the page has, what we read, and why."""
    number = one.id.partition(".")[2]
    head = para(
        span("Emendation", cls="rv-label"),
        " ",
        link("emendation", one.id, number),
        " The page has ",
        quote(one.sic, one.lang, "rv-has"),
        ", we read ",
        quote(one.corr, one.lang, "rv-read"),
        f" (certainty {one.cert}, evidence {one.evidence}).",
    )
    why = [details("why", *map(reason, one.notes), cls="rv-more")] if one.notes else []
    return block(head, *why, cls="rv-note rv-note-emendation")


def quote(text: str, lang: str, cls: str) -> nodes.inline:
    """Words of the source, or that there are none."""
    return span("“", span(text, cls=cls, lang=lang), "”") if text else span("nothing", cls=cls)


def reason(one: NoteView) -> nodes.container:
    """Why a misprint was mended so."""
    return anchor(block(para(*prose(one.first), " ", *prose(one.rest))), "note", one.id, one.id)


LABELS: Mapping[str, str] = {"transcription": "On the print"}


def note(one: NoteView) -> nodes.container:
    """A note; of a long one the first sentence is seen, and the rest unfolds."""
    label = span(LABELS.get(one.kind, "Note"), cls="rv-label")
    made = block(para(label, " ", *prose(one.first)), *rest(one), cls=f"rv-note rv-note-{one.kind}")
    return anchor(made, "note", one.id, one.id)


def rest(one: NoteView) -> Nodes:
    """What is left of a long note after its first sentence."""
    return [details("more", para(*prose(one.rest)), cls="rv-more")] if one.rest else []


def print_facts(one: Line) -> Iterator[nodes.Node]:
    """What the text marks of its print: words that are lost or cannot be read with certainty."""
    for part in one.parts:
        if part.kind in FACTS:
            quoted: list[Content] = [quote(part.text, one.lang, "rv-unclear"), " "] if part.kind == "unclear" else []
            said = f"{FACTS[part.kind]}: {part.reason or 'the reason is not known'}."
            yield block(para(span("On the print", cls="rv-label"), " ", *quoted, said), cls="rv-note rv-note-print")


FACTS: Mapping[str, str] = {
    "unclear": "is not read with certainty",
    "gap": "Something is lost here",
}


# --- how the text was made ----------------------------------------------------------------------------------


def practice(view: SourceView) -> Nodes:
    """What was mended silently, and how the text was made."""
    if not view.mended:
        return []
    pairs = [("Mended silently", view.mended), *view.practice]
    return [section("practice", "How this text was made", definitions(pairs, cls="rv-facts rv-practice"))]


RENDER: Mapping[str, Callable[[Any], Nodes]] = {"source": source}
