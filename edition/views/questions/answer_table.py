"""Layout of the page of all answers: what can be chosen, and the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from docutils import nodes

from edition.citation.places import format_pair_fragment, topic_page, topic_slug
from edition.game import render_panels
from edition.nodes.builders import (
    TARGET,
    Content,
    add_anchor,
    add_page_id,
    block,
    details,
    link,
    markup,
    markup_of,
    para,
    span,
)
from edition.nodes.components import (
    ANSWER_STATUS_MARKS,
    SourceMark,
    SourceVoice,
    color_suits,
    mark_legend,
    source_chip,
    source_shape,
    status_mark,
)
from edition.palette import format_slot_classes
from edition.text.answers import UNCONSULTED
from edition.views.layout import Nodes
from edition.views.plain_answers import Groups
from edition.views.questions.all_answers import (
    AGREEMENT_NAMES,
    AnswerColumn,
    AnswerRow,
    AnswersView,
    PlainAnswer,
)
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.phrases import format_count

MAX_TABLE_SOURCES = 6  #: of more sources than these every question is laid out as a block, on a wide screen too

#: Status of an answer -> its name in the filter; the script knows every answer by these.
ANSWER_STATUSES: Mapping[str, str] = {
    "stated": "stated",
    "implied": "follows from the text",
    "denied": "ruled out",
    "ambiguous": "more than one reading",
    "contradictory": "contradicts itself",
    "supplied": "our assumption",
    "silent": "silent",
    UNCONSULTED: NOT_CONSULTED,
    "inapplicable": "not applicable",
    "not-collated": "not read yet",
}
#: What can be shown besides the plain answers -> its name.
SWITCHES: Mapping[str, str] = {
    "letters": "Letters",
    "statuses": "Statuses",
    "full": "Full words",
}
#: Letters that fit a line of an answer and of a question where one source fills the page; fewer as there are more.
_LETTERS_ACROSS, _QUESTION_SHARE = 150, 1.5
_LETTERS_ON_PHONE, _LETTERS_OF_MARK = 46, 2
_ANSWER_HEIGHT, _MISSING_HEIGHT = 1.22, 1.1  #: of an answer on a line of its own, in lines of text
_MAX_LINES = 12


def render_answers_page(view: AnswersView) -> Nodes:
    """Panels of the game, the choices, the table, and the marks explained."""
    return [*render_panels(view.panels), _render_filters(view), _answer_table(view), _render_key(view)]


def describe_difference(row: AnswerRow) -> list[Content]:
    """A question, and under it every answer with those who give it."""
    said: dict[tuple[str, str], list[str]] = {}
    for one in row.answers:
        said.setdefault((one.words, one.status), []).append(one.siglum)
    marks = {voice.source.siglum: voice for group in row.voices for voice in group}
    groups = (
        [*(part for siglum in sigla for part in _short_voice(siglum, marks.get(siglum))), *color_suits(words)]
        + [part for each in status.split() for part in (" ", _short_status_mark(each))]
        for (words, status), sigla in said.items()
    )
    return [link("question", row.question.id, row.question.asks), *(span(*one) for one in groups)]


def _short_voice(siglum: str, voice: SourceVoice | None) -> Iterator[Content]:
    """A source by its shape, if it has an answer, and its siglum."""
    if voice:
        yield from (source_shape(voice.source, voice.assumed), " ")
    yield from (markup_of("small", siglum), " ")


# ---- what can be chosen


def _render_filters(view: AnswersView) -> markup:
    """The choices; without scripts all is shown, and they are not."""
    measure = view.measure
    row = markup_of(
        "div",
        _agreement_segment(view),
        _select("group", "Topic", {"": "All topics", **{topic_slug(name): name for name, _ in view.groups}}),
        *([_select("cost", measure.label, {"": measure.any, **measure.least})] if measure else []),
        markup_of("input", type="search", name="text", placeholder="Words, e.g. quinola", aria_label="Words"),
        cls="rv-filter-row",
    )
    found = markup_of("output", format_count(sum(view.counts.values()), "question"), cls="rv-found", name="found")
    return markup_of("form", row, _more_choices(view), found, cls="rv-filters", aria_label="Filter the answers")


def _agreement_segment(view: AnswersView) -> markup:
    kinds = {"": ("All", sum(view.counts.values())), **{k: (AGREEMENT_NAMES[k], n) for k, n in view.counts.items()}}
    radios = [
        markup_of("label", _choice("radio", "agreement", kind, not kind), f"{name} ", markup_of("small", str(number)))
        for kind, (name, number) in kinds.items()
        if number or not kind
    ]
    return markup_of("fieldset", _unseen_legend("Agreement"), *radios, cls="rv-segment")


def _more_choices(view: AnswersView) -> markup:
    books = [_book_box(one) for one in view.columns]
    shown = {**SWITCHES, **({"money": view.measure.label} if view.measure else {})}
    switches = [markup_of("label", _choice("checkbox", "show", name, False), title) for name, title in shown.items()]
    content = (
        markup_of("fieldset", markup_of("legend", "Books"), *books, cls="rv-choose-books"),
        markup_of("fieldset", markup_of("legend", "Show"), *switches, cls="rv-switches"),
        _select("status", "Status", {"": "Any status", **ANSWER_STATUSES}),
        markup_of("button", "Reset filters", type="reset", cls="rv-button"),
    )
    made = details("Books, letters, statuses", markup_of("div", *content, cls="rv-filter-row"), cls="rv-more-choices")
    return made


def _book_box(one: AnswerColumn) -> markup:
    box = _choice("checkbox", "sources", one.source.siglum, True)
    box["html"]["data-family"] = one.family
    return markup_of("label", box, source_shape(one.source), one.source.name)


def _choice(type_: str, name: str, value: str, checked: bool) -> markup:
    more = {"checked": "checked"} if checked else {}
    return markup_of("input", type=type_, name=name, value=value, autocomplete="off", **more)


def _select(name: str, label: str, options: Mapping[str, str]) -> markup:
    made = (markup_of("option", said, value=value) for value, said in options.items())
    return markup_of("select", *made, name=name, aria_label=label, autocomplete="off")


def _unseen_legend(words: str) -> markup:
    return markup_of("legend", words, cls="rv-unseen")


# ---- the table


def _answer_table(view: AnswersView) -> markup:
    bodies = (_group_body(view, name, rows) for name, rows in view.groups)
    many = " rv-many" if len(view.columns) > MAX_TABLE_SOURCES else ""
    caption = markup_of("caption", "Every question with the answer of each book", cls="rv-unseen")
    made = markup_of("table", caption, _table_head(view), *bodies, cls=f"rv-answers{many}", role="table")
    made[TARGET] = [*map(_place_pair, view.pairs)]
    return add_page_id(made, "compared")


def _place_pair(pair: tuple[str, str]) -> tuple[str, str, str, str]:
    """Two sources as something that can be linked to: this page, with an address that chooses them."""
    return "pair", "-".join(pair), " and ".join(pair), format_pair_fragment(*pair)


def _table_head(view: AnswersView) -> markup:
    columns = (
        _head_cell(source_chip(one.source), *([span(one.draft, cls="rv-small")] if one.draft else []))
        for one in view.columns
    )
    row = markup_of("tr", _head_cell("Question"), *columns, _head_cell("Who agrees"), role="row")
    return markup_of("thead", row, role="rowgroup")


def _head_cell(*content: Content) -> markup:
    return markup_of("th", *content, role="columnheader", scope="col")


def _group_body(view: AnswersView, name: str, rows: Iterable[AnswerRow]) -> markup:
    at = [group for group, _ in view.groups].index(name) + 1
    topic = markup_of("a", name, href=f"{topic_page(name)}.html")
    head = markup_of("th", add_page_id(span(topic), f"group-{at}"), role="rowheader", scope="rowgroup")
    row = add_page_id(markup_of("tr", head, role="row", cls="rv-group"), f"group-{topic_slug(name)}")
    made = (_question_row(view, one) for one in rows)
    return markup_of("tbody", row, *made, role="rowgroup", data_group=topic_slug(name))


def _question_row(view: AnswersView, row: AnswerRow) -> markup:
    """Row of a question; it says of every source with which others it agrees (see `format_voices`)."""
    marks = {one.source.siglum: one.source for one in view.columns}
    placed = zip(row.answers, arrange_answers(row.answers), strict=True)
    cells = (_answer_cell(row, one, marks[one.siglum], line, shared) for one, (line, shared) in placed)
    number = view.measure.numbers.get(row.question.id) if view.measure else None
    measured = {} if number is None else {"data_money": f"{number:.4g}"}
    wide, narrow = estimate_lines(row)
    made = markup_of(
        "tr",
        _question_cell(row),
        *cells,
        markup_of("td", agreement_marks(row.kind, row.voices), role="cell", cls="rv-who"),
        role="row",
        cls=f"rv-l{wide} rv-n{narrow}",
        data_voices=format_voices(row),
        **measured,
    )
    return add_anchor(made, "row", row.question.id, row.question.asks)


def _question_cell(row: AnswerRow) -> markup:
    way = markup_of("a", row.question.asks, href=f"questions/{row.question.id}.html")
    notes: list[Content] = [markup_of("small", row.question.id)]
    notes += [] if row.played else [" ", markup_of("em", "not simulated")]
    return markup_of("th", way, " ", *notes, role="rowheader")


def _answer_cell(row: AnswerRow, one: PlainAnswer, source: SourceMark, line: int, shared: bool) -> markup:
    way = markup_of("a", *color_suits(one.words), href=f"questions/{row.question.id}.html#{one.siglum}")
    notes: list[Content] = [part for each in one.status.split() for part in (" ", _short_status_mark(each))]
    notes += [] if one.played else [" ", markup_of("small", "not simulated")]
    cls = format_slot_classes(source.slot)
    cls += " rv-mute" if one.missing else ""
    cls += " rv-run" if shared else ""
    cls += f" rv-o{line}" if line else ""
    return markup_of("td", way, *notes, role="cell", cls=cls)


def arrange_answers(answers: Sequence[PlainAnswer]) -> Sequence[tuple[int, bool]]:
    """Line of a block on which each answer stands, and whether a later one has the same words and shows them.

    Sources that say the same share a line; those that say nothing have one only where no other speaks. Lines that
    already follow each other in the order of the columns are all 0.
    """
    said = [replace(one, siglum="") for one in answers]
    order = [*dict.fromkeys(one for one in said if not one.missing)] or [*dict.fromkeys(said)]
    lines = [order.index(one) if one in order else 0 for one in said]
    lines = lines if lines != sorted(lines) else [0] * len(lines)
    placed = enumerate(zip(lines, said, strict=True), 1)
    return [(line, one in order and one in said[at:]) for at, (line, one) in placed]


def _short_status_mark(status: str) -> markup:
    """Mark of a status as `status_mark` draws it, in fewer letters: there are hundreds of them here."""
    return markup_of("small", f"({ANSWER_STATUS_MARKS[status][0]})")


# ---- who agrees


def format_voices(row: AnswerRow) -> str:
    """Groups of the sources as the script reads them: equal numbers agree, "(2)" is our assumption, "-" no answer."""
    found: dict[str, str] = {}
    for number, group in enumerate(row.voices, 1):
        found |= {one.source.siglum: f"({number})" if one.assumed else str(number) for one in group}
    return " ".join(found.get(one.siglum, "-") for one in row.answers)


def agreement_marks(kind: str, voices: Groups) -> markup:
    """Marks of the sources, drawn as `agreement_strip` does, in fewer letters: there are hundreds of them here."""
    drawn: list[Content] = []
    for group in voices:
        drawn += [markup_of("b")] if drawn else []
        drawn += [_voice_mark(one) for one in group]
    said = f"{AGREEMENT_NAMES[kind]}: {' | '.join(map(_name_group, voices))}" if voices else AGREEMENT_NAMES[kind]
    return markup_of("span", *drawn, role="img", aria_label=said)


def _voice_mark(one: SourceVoice) -> markup:
    return markup_of("i", cls=f"{format_slot_classes(one.source.slot)}{' rv-pale' if one.assumed else ''}")


def _name_group(group: Iterable[SourceVoice]) -> str:
    return ", ".join(f"({one.source.siglum})" if one.assumed else one.source.siglum for one in group)


# ---- heights of rows that are not laid out yet


def estimate_lines(row: AnswerRow) -> tuple[int, int]:
    """Lines of a row as a table and as a block on a phone, from the number of letters."""
    across = _LETTERS_ACROSS / (len(row.answers) + 2.6)
    asks = len(row.question.asks) + (0 if row.played else 14)
    letters = map(_count_letters, row.answers)
    wide = max(_count_lines(asks, across * _QUESTION_SHARE), *(_count_lines(one, across) for one in letters))
    narrow = _count_lines(asks, _LETTERS_ON_PHONE) + _measure_block(row.answers)
    return min(wide, _MAX_LINES), min(round(narrow), 2 * _MAX_LINES)


def _count_letters(one: PlainAnswer) -> int:
    marks = " ".join(ANSWER_STATUS_MARKS[each][0] for each in one.status.split())
    return len(one.words) + len(marks) + (0 if one.played else 14)


def _count_lines(letters: int, across: float) -> int:
    return max(1, -int(-letters // across))


def _measure_block(answers: Iterable[PlainAnswer]) -> float:
    """Height of the answers one under another, in lines of text; those that say the same stand on one line.

    Books without an answer stand there only where no other has one.
    """
    given = tuple(answers)
    said = Counter(replace(one, siglum="") for one in [one for one in given if not one.missing] or given)
    room = max(_LETTERS_OF_MARK, _LETTERS_ON_PHONE - max(said.values()) * _LETTERS_OF_MARK)
    heights = (_MISSING_HEIGHT if one.missing else _ANSWER_HEIGHT for one in said)
    return sum(heights) + sum(_count_lines(_count_letters(one), room) - 1 for one in said)


# ---- what the marks say


def _render_key(view: AnswersView) -> nodes.container:
    pale = view.columns[0].source
    marks: Iterator[tuple[Content, str]] = (
        (status_mark(status), says) for status, (_, says) in ANSWER_STATUS_MARKS.items()
    )
    key = mark_legend([*marks, (source_shape(pale, pale=True), "hollow: our assumption, not the book’s own answer")])
    agreed = f"The books agree on {format_count(view.counts['agree'], 'question')}"
    families = f"{agreed}: {view.families.describe()}. " if view.families else ""
    measured = f"{view.measure.note} " if view.measure else ""
    note = para(
        f"{families}Two books of one family are not two witnesses. Marks that stand together give the same answer; a "
        "line parts the groups. Whether books agree is counted from "
        "what they say themselves: our assumptions do not count. With letters switched on, the same letter in a row is "
        "the same answer; an answer that points to another question (“as if forced”) has a letter of its own, and "
        f"agrees with those to whose sum it comes. {measured}Where the answers stand one below another, a book without "
        "one is left out.",
        cls="rv-small",
    )
    return block(key, note, cls="rv-answers-key")
