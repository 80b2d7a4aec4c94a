"""Topic pages as nodes: what the books agree on, the payment tables, the rules in which they differ, example deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from docutils import nodes

from edition.nodes.builders import (
    Content,
    NodeT,
    add_anchor,
    add_classes,
    add_page_id,
    block,
    bullet_list,
    details,
    fill_node,
    labelled_span,
    link,
    markup_of,
    page_link,
    para,
    same_page_link,
    section,
    span,
    strong,
    table_column,
    table_entry,
)
from edition.nodes.components import (
    ANSWER_STATUS_MARKS,
    SourceMark,
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
from edition.text.answers import NOT_CONSULTED, SUMMARY
from edition.views.layout import Nodes, join_content, render_quotation_place
from edition.views.topics.topic import TopicAnswer, TopicEntry, TopicLink, TopicQuestion, TopicQuotation, TopicView
from reversis.views.topics.payments import (
    ANY_PAYMENT,
    Amount,
    AmountCell,
    EventTable,
    PaymentBlock,
    PaymentLine,
)
from reversis.views.topics.short_table import ShortAnswer, ShortCell, ShortRow
from rulebook.phrases import capitalise, format_count, lower_first, pluralize_counter, spell_number

_SHOWN_DEALS = 6
_FEW_SOURCES = 5  #: with more books than these the tables stack on wider screens

#: Agreement -> id and heading of the part of the page.
_QUESTION_PARTS: Mapping[str, tuple[str, str]] = {
    "differ": ("rules", "Where the rules differ"),
    "alone": ("only-one", "What only one book says"),
    "nobody": ("nobody", "What no book says"),
}


# ---- the page
def render_topic(view: TopicView) -> Nodes:
    """Page of a topic."""
    made = section(
        "topic",
        view.topic.title,
        para(view.topic.says, cls="rv-lede"),
        *_render_ways(view),
        *_render_short(view),
        *_render_agreed(view),
        *_render_money(view),
        *(part for agreement in _QUESTION_PARTS for part in _render_questions(view, agreement)),
        *_render_deals(view),
        _render_steps(view),
        cls="rv-page rv-topic",
    )
    return [add_anchor(made, "group", view.topic.group, view.topic.title, at="")]


def _render_ways(view: TopicView) -> Nodes:
    """Links to the parts of the page, so that a question is found at once."""
    ways = [("short", _SHORT_TITLE)] if view.short else []
    ways += [("agreed", "What the books agree on")] if view.select("agree") else []
    ways += [(one.anchor, one.title) for one in _list_shown_tables(view)]
    ways += [(id, title) for agreement, (id, title) in _QUESTION_PARTS.items() if view.select(agreement)]
    ways += [("deals", "Example deals")] if view.deals else []
    if len(ways) < 3:
        return []
    links = bullet_list([same_page_link(at, title)] for at, title in ways)
    return [markup_of("nav", links, cls="rv-topic-ways", aria_label="On this page")]


def _list_shown_tables(view: TopicView) -> list[EventTable]:
    return [one for one in view.tables if not one.in_example and any(each.known for each in one.blocks)]


def _render_steps(view: TopicView) -> nodes.Element:
    before = [span("← ", topic_ref(view.before), cls="rv-before")] if view.before else []
    after = [span(topic_ref(view.after), " →", cls="rv-after")] if view.after else []
    return markup_of("nav", *before, *after, cls="rv-steps", aria_label="Topics before and after")


def topic_ref(topic: TopicLink) -> nodes.Node:
    """Link to the page of a topic."""
    return link("group", topic.group, topic.title, title=topic.says)


# ---- in short
_SHORT_TITLE = "In short, book by book"
_MARKS_TOLD = "Without a mark, the book says it. " + " ".join(
    f"({mark}): {says}." for mark, says in ANSWER_STATUS_MARKS.values()
)


def _render_short(view: TopicView) -> Nodes:
    if not view.short:
        return []
    rows = _short_rows(view, view.short)
    return [
        section(
            "short",
            _SHORT_TITLE,
            para(_MARKS_TOLD, cls="rv-small"),
            _book_table(view, "short", view.topic.title, "What is asked", rows),
        )
    ]


def _short_rows(view: TopicView, rows: Iterable[ShortRow]) -> Iterator[nodes.row]:
    return (_table_row(view, row.asks, [_render_short_cell(cell) for cell in row.cells]) for row in rows)


def _render_short_cell(cell: ShortCell) -> list[Content]:
    if not cell.answers:
        return [link("cell", f"{cell.question}@{cell.source}", cell.missing, cls="rv-pays-note")]
    return [span(*_render_short_answer(cell, one), cls="rv-short-answer") for one in cell.answers]


def _render_short_answer(cell: ShortCell, one: ShortAnswer) -> Iterator[Content]:
    yield link("cell", f"{one.question}@{cell.source}", one.words)
    yield from status_marks(one.status, one.other)


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


# ---- the money
def _render_money(view: TopicView) -> Nodes:
    shown = _list_shown_tables(view)
    special = [one for one in view.tables if one.in_example and any(each.known for each in one.blocks)]
    if not shown and not special:
        return []
    folded = [
        details(_name_folded(one), defer_content(f"{one.anchor}-sums", _name_deals(one), *_render_event(view, one)))
        for one in special
    ]
    for box, one in zip(folded, special, strict=True):
        add_page_id(box, one.anchor)
    return [
        section(
            "money",
            "Who pays whom, and how much",
            _money_note(view),
            *(section(one.anchor, one.title, *_render_event(view, one)) for one in shown),
            *folded,
            *_render_untold(view),
        )
    ]


def _name_folded(one: EventTable) -> str:
    return f"{one.title}: {'who pays whom' if one.special else 'sums of the example deals'}"


def _name_deals(one: EventTable) -> list[Content]:
    """Say where the sums of an event stand, for whoever cannot unfold them."""
    deals = dict.fromkeys(deal for block in one.blocks for deal in block.deals)
    links = [link("deal", deal) for deal in deals]
    return ["The sums stand in the ledgers of these deals: ", *join_content(links, ", "), "."]


def _money_note(view: TopicView) -> nodes.paragraph:
    counters = ", ".join(f"{pluralize_counter(unit)} ({mark.name})" for mark, unit in view.units if unit)
    return para(
        f"Each book counts its own smallest counters: {counters}. Every sum is settled by the engine from a deal, and "
        "leads to the rule behind it. “Partly ours”: one of the rules behind it, such as doubling, is our assumption.",
        cls="rv-small",
    )


def _render_event(view: TopicView, event: EventTable) -> Nodes:
    known = [one for one in event.blocks if one.known]
    only = _find_only_payment(known)
    said = " ".join(filter(None, (event.meaning, f"{only}:" if only else "")))
    return [
        *([para(said)] if said else []),
        _payment_table(view, event, known, only),
        *_event_notes(event, known),
        *_render_besides(view, event),
    ]


def _render_besides(view: TopicView, event: EventTable) -> Nodes:
    """Rows of the topic's table on this event, such as what becomes of the pool."""
    rows = [row for row in view.short if event.anchor in row.events]
    if not rows:
        return []
    title = f"{event.title}: also asked"
    return [_book_table(view, f"{event.anchor}-besides", title, "Also asked", _short_rows(view, rows))]


def _find_only_payment(blocks: Sequence[PaymentBlock]) -> str:
    """Find the one payment that a table is about, if each of its ways has no other."""
    found = {line.words for one in blocks for line in one.lines} - {ANY_PAYMENT}
    single = len(blocks) > 1 and all(len(one.lines) == 1 and one.words for one in blocks)
    return found.pop() if single and len(found) == 1 else ""


def _event_notes(event: EventTable, blocks: Sequence[PaymentBlock]) -> Iterator[nodes.Node]:
    said = ["Sums are those of the example deals. "] if event.in_example else []
    untold = dict.fromkeys(one.untold for one in blocks if one.untold)
    said += [f"Not computed for the {', '.join(untold)}: no example deal was found. "] if untold else []
    gaps = dict.fromkeys(cell.gap for one in blocks for line in one.lines for cell in line.cells if cell.gap)
    said += [f"Not known: {' or '.join(gaps)}. "] if gaps else []
    rules = [piece for id in event.questions for piece in (link("question", id), ", ")][:-1]
    yield para(*said, *(["The rules behind it: ", *rules, "."] if rules else []), cls="rv-small")


def _payment_table(view: TopicView, event: EventTable, blocks: Sequence[PaymentBlock], only: str) -> nodes.table:
    """Table of an event: each payment is a row, or each way in which it happens, where there is but one payment."""
    rows = (row for one in blocks for row in (_single_rows if only else _block_rows)(view, one))
    asked = "In which case" if only else "Who pays whom"
    return _book_table(view, event.anchor, f"{event.title}: who pays whom", asked, rows)


def _book_table(view: TopicView, anchor: str, title: str, asked: str, rows: Iterable[nodes.row]) -> nodes.table:
    """Table with a column for each book, under a head that says what stands before them."""
    group = nodes.tgroup(cols=len(view.sources) + 1)
    group += [table_column(first=at == 0) for at in range(len(view.sources) + 1)]
    heads: list[Content] = [asked, *(source_chip(one) for one in view.sources)]
    head = fill_node(nodes.row(), [_with_role("columnheader", table_entry([one], "")) for one in heads])
    group += _with_role("rowgroup", fill_node(nodes.thead(), [_with_role("row", head)]))
    group += _with_role("rowgroup", fill_node(nodes.tbody(), rows))
    many = " rv-many" if len(view.sources) > _FEW_SOURCES else ""
    made = _with_role("table", fill_node(add_classes(nodes.table(), f"rv-table rv-figures rv-pays{many}"), [group]))
    made.insert(0, fill_node(nodes.title(), [title]))
    made["ids"] = [f"table-{anchor}"]
    return made


def _with_role(role: str, node: NodeT) -> NodeT:
    """Say what a part of a table is: on a narrow screen it is no longer laid out as one."""
    node["html"] = {**node.get("html", {}), "role": role}
    return node


def _block_rows(view: TopicView, one: PaymentBlock) -> Iterator[nodes.row]:
    if one.words:
        entry = _with_role("rowheader", table_entry([one.words], ""))
        entry["morecols"] = len(view.sources)
        entry["html"]["scope"] = "rowgroup"
        yield _with_role("row", fill_node(add_classes(nodes.row(), "rv-pays-way"), [entry]))
    said: dict[str, str] = {}
    for line in one.lines:
        yield _payment_row(view, line, said)


def _single_rows(view: TopicView, one: PaymentBlock) -> Iterator[nodes.row]:
    yield _payment_row(view, replace(one.lines[0], words=one.words), {})


def _payment_row(view: TopicView, line: PaymentLine, said: dict[str, str]) -> nodes.row:
    """A payment; why nothing is known of a book is said once in a block."""
    cells = [_render_cell(cell, said.get(cell.source) == cell.unknown) for cell in line.cells]
    made = _table_row(view, line.words, cells)
    said.update({cell.source: cell.unknown for cell in line.cells if cell.unknown})
    return made


def _table_row(view: TopicView, asked: str, cells: Sequence[Iterable[Content]]) -> nodes.row:
    name = _with_role("rowheader", table_entry([asked], ""))
    entries = [_book_entry(mark, cell) for mark, cell in zip(view.sources, cells, strict=True)]
    return _with_role("row", fill_node(nodes.row(), [name, *entries]))


def _book_entry(mark: SourceMark, content: Iterable[Content]) -> nodes.entry:
    """Cell of a book, with its name for a narrow screen."""
    entry = _with_role("cell", add_classes(table_entry([*content], ""), format_slot_classes(mark.slot)))
    entry["html"]["data-book"] = mark.name
    return entry


def _render_cell(cell: AmountCell, again: bool) -> Iterator[Content]:
    if cell.unknown:
        grounds = ("clause", cell.clause) if cell.clause else ("cell", f"{cell.question}@{cell.source}")
        if again:
            yield labelled_span(cell.unknown, "–", cls="")
        elif cell.clause or cell.question:
            yield link(*grounds, cell.unknown, cls="rv-pays-note")
        else:
            yield span(cell.unknown, cls="rv-pays-note")
        return
    for at, amount in enumerate(cell.amounts):
        yield span(*_render_amount(cell, amount, first=at == 0), cls="rv-pays-part")


def _render_amount(cell: AmountCell, amount: Amount, first: bool) -> Iterator[Content]:
    if amount.tricks:
        yield f"{amount.tricks}: "
    cls = "rv-amount" if amount.words[:1].isdigit() else "rv-pays-words"
    grounds = cell.question if first else ""
    yield link("cell", f"{grounds}@{cell.source}", amount.words, cls=cls) if grounds else span(amount.words, cls=cls)
    if first:
        yield from status_marks(cell.status, cell.other)
    if first and cell.partly_ours:
        title = "a rule that it rests on is our assumption"
        yield from (" ", span("(partly ours)", cls="rv-status rv-status-ours", title=title))
    if amount.note:
        yield span(f" {amount.note}", cls="rv-pays-note")


def _render_untold(view: TopicView) -> Nodes:
    """Events of which no book's payments could be computed, and why."""
    rows = [
        [f"{event.title}: {lower_first(one.words)}" if one.words else event.title]
        for event in view.tables
        for one in event.blocks
        if not one.known
    ]
    if not rows:
        return []
    why = para("For these no example deal was found, so nothing could be computed.")
    return [details(f"Not computed: {format_count(len(rows), 'case')}", why, bullet_list(rows))]


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


# ---- deals
def _render_deals(view: TopicView) -> Nodes:
    if not view.deals:
        return []
    rows = [[*([f"{one.shows}: "] if one.shows else []), link("deal", one.id, one.title)] for one in view.deals]
    rest = rows[_SHOWN_DEALS:]
    more = [details(format_count(len(rest), "more deal"), bullet_list(rest))] if rest else []
    return [section("deals", "See it happen: example deals", bullet_list(rows[:_SHOWN_DEALS], cls="rv-index"), *more)]


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
