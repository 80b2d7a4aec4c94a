"""Layout of the matrix and of the sources side by side: legend, choices, and one big table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from docutils import nodes

from edition.nodes.builders import (
    Content,
    ContentLike,
    NodeT,
    add_anchor,
    add_classes,
    add_page_id,
    block,
    code,
    definition_list,
    details,
    fill_node,
    link,
    markup_of,
    para,
    same_page_link,
    screen_reader_text,
    span,
    table_column,
    table_entry,
)
from edition.text import answers as words
from edition.views.common import (
    AGREEMENT,
    QuestionLink,
    SourceLink,
)
from edition.views.layout import (
    Nodes,
    clause_ref,
    question_ref,
    render_answer_value,
    render_badge,
    render_card_values,
    render_matrix_mark,
    render_quotation,
    render_unplayed_badge,
    source_ref,
)
from edition.views.questions.matrix_views import (
    SUPPLIED,
    ComparedQuestion,
    SourceComparison,
    Voice,
    accord_words,
)
from rulebook.strings import slugify_text

_MAX_UNFRAMED_SOURCES = 4  #: more sources side by side than this do not fit a page, and are moved about in a frame

#: From how much of the opening pool on (in hundredths) a disagreement is shown -> what the choice is called.
WEIGHTS: Mapping[str, str] = {
    "0": "weighed in the surveys",
    "0.1": "moves 0.1 % of the pool or more",
    "1": "moves 1 % or more",
    "10": "moves 10 % or more",
    "100": "moves the whole pool or more",
}
_LAYOUT_CHOICES: Mapping[str, str] = {"list": "a list", "table": "a table"}
CAPTIONS: Mapping[bool, str] = {False: "All questions in all sources", True: "The sources side by side"}


def render_comparison(view: SourceComparison) -> Nodes:
    """The legend, the choices, how many questions are shown, and the table."""
    many = " rv-many" if len(view.sources) > _MAX_UNFRAMED_SOURCES else ""
    frame = block(_big_table(view), cls=f"rv-frame{many}")
    return [render_legend(), render_choices(view), *left_out_note(view), question_count(view), frame]


def left_out_note(view: SourceComparison) -> Nodes:
    """Note on the sources left out: how many are shown, and how to find the others."""
    if not view.left_out:
        return []
    number = len(view.sources)
    shown = f"{number} of {number + view.left_out} sources stand here, of as many families as can be. "
    others = "All of them are in the matrix, and any two are set side by side by "
    return [para(shown, others, code("reversis compare"), " with their sigla.", cls="rv-small")]


def question_count(view: SourceComparison) -> nodes.paragraph:
    """Number of questions by kind of agreement; the script updates it."""
    counts = "; ".join(f"{AGREEMENT[kind].lower()} on {number}" for kind, number in view.counts.items() if number)
    number = words.format_count(sum(view.counts.values()), "question")
    return add_classes(para(f"{number}: {counts}."), "rv-count", role="status", aria_live="polite")


POINTING = (
    "An answer that points to another (“as if forced”) has a letter of its own; where it comes to the same sum, the "
    "sources agree all the same."
)
_LEGEND_SIGNS: tuple[tuple[str, str, str], ...] = (
    ("a", "a", f"an answer; in one row the same letter is the same answer. {POINTING}"),
    ("(a)", "a", "supplied by us, the source being silent"),
    ("a?", "a", "preferred reading of a passage that can be read otherwise"),
    ("·", "none", "silent"),
    ("…", "none", "not collated: it has not been read for this yet"),
    ("–", "none", "the question makes no sense there"),
)


def render_legend() -> nodes.Element:
    """Legend of the letters."""
    pairs = [(span(sign, cls=f"rv-mark rv-mark-{kind}"), said) for sign, kind, said in _LEGEND_SIGNS]
    told = definition_list(pairs, cls="rv-signs")
    note = para(
        "Whether sources agree is reckoned from those that speak for themselves: what we supply is nobody's testimony, "
        "and who is silent is not heard. What an answer would cost at the table is told of the opening pool, on the "
        "mean, under that policy of the surveys under which it is most.",
        cls="rv-small",
    )
    return block(details("What the letters say", told, note), cls="rv-small rv-legend-box")


# ---- what can be chosen
def render_choices(view: SourceComparison) -> nodes.Element:
    """The choices; without a script there are none, and all is shown."""
    boxes = [_check_box(source.siglum, source.title) for source in view.sources]
    least = "2" if view.quoted else "1"
    only = {kind: f"only where {said[:1].lower()}{said[1:]}" for kind, said in AGREEMENT.items()}
    rest = [
        _labelled_control("Show", _build_select_control("agreement", "all questions", only)),
        _labelled_control(
            "Group", _build_select_control("group", "all groups", {slugify_text(name): name for name, _ in view.groups})
        ),
        _labelled_control("Status", _build_select_control("status", "any status", dict(list_matrix_statuses(view)))),
        _labelled_control("At the table", _build_select_control("cost", "whatever it costs", WEIGHTS)),
        _labelled_control("Words", markup_of("input", type="search", name="text", autocomplete="off")),
        _labelled_control("As", _build_select_control("form", "fits the screen", _LAYOUT_CHOICES)),
        markup_of("button", "Choose anew", type="reset"),
    ]
    sources = markup_of("fieldset", markup_of("legend", "Sources"), *boxes)
    row = markup_of("div", *rest, cls="rv-choices")
    return markup_of(
        "form", sources, row, cls="rv-controls", hidden="hidden", data_least=least, aria_label="What is shown"
    )


def list_matrix_statuses(view: SourceComparison) -> Iterator[tuple[str, str]]:
    """Statuses that some source has, in the order in which they are explained."""
    found = {voice.status for row in view.rows for voice in row.voices}
    yield from ((status, status) for status in words.STATUS_LABELS if status in found)
    if any(voice.supplied for row in view.rows for voice in row.voices):
        yield SUPPLIED, "supplied by us"


def _check_box(siglum: str, title: str) -> nodes.Element:
    box = markup_of("input", type="checkbox", name="sources", value=siglum, checked="checked")
    return markup_of("label", box, f" {siglum}", screen_reader_text(f", {title}"), title=title)


def _build_select_control(name: str, everything: str, known: Mapping[str, str]) -> nodes.Element:
    options = [markup_of("option", said, value=value) for value, said in {"": everything, **known}.items()]
    return markup_of("select", *options, name=name)


def _labelled_control(label: str, control: nodes.Element) -> nodes.Element:
    return markup_of("label", span(label, cls="rv-label"), control)


# ---- the table
def _big_table(view: SourceComparison) -> nodes.table:
    head: list[ContentLike] = ["Question", *[[source_ref(one), *source_heading(view, one)] for one in view.sources]]
    head += [] if view.quoted else ["Agreement"]
    labels = ["", *(one.siglum for one in view.sources), *([] if view.quoted else ["Agreement"])]
    group = nodes.tgroup(cols=len(head))
    group += [table_column(first=at == 0) for at in range(len(head))]
    group += with_role("rowgroup", fill_node(nodes.thead(), [aria_row(head, [""] * len(head), "columnheader")]))
    group += [_group_body(view, name, rows, labels) for name, rows in view.groups]
    kind = "rv-beside" if view.quoted else "rv-letters"
    made = fill_node(add_classes(nodes.table(), f"rv-table rv-compare {kind}", role="table"), [group])
    made.insert(0, fill_node(nodes.title(), [CAPTIONS[view.quoted]]))
    made["ids"] = ["compared"]
    return made


def source_heading(view: SourceComparison, source: SourceLink) -> Nodes:
    """The title of a source under its siglum, where there is room; and how far it is collated, if it is a draft."""
    draft = view.drafts.get(source.siglum, "")
    title = [span(f" {source.title}", cls="rv-head-title")] if view.quoted else []
    return [*title, *([span(f" {draft}", cls="rv-small")] if draft else [])]


def with_role(role: str, node: NodeT, **attributes: str) -> NodeT:
    """A part of a table that says what it is."""
    node["html"] = {**node.get("html", {}), "role": role, **{k.replace("_", "-"): v for k, v in attributes.items()}}
    return node


def aria_row(cells: Iterable[ContentLike], labels: Iterable[str], role: str = "cell", **data: str) -> nodes.row:
    """A row; its first cell names it."""
    made = [table_entry(cell, label) for cell, label in zip(cells, labels, strict=True)]
    for at, entry in enumerate(made):
        with_role("rowheader" if at == 0 and role == "cell" else role, entry)
    return fill_node(with_role("row", nodes.row(), **data), made)


def _group_body(view: SourceComparison, name: str, rows: Iterable[ComparedQuestion], labels: list[str]) -> nodes.tbody:
    wide = with_role("rowheader", table_entry([span(name, cls="rv-group-name")], ""), scope="rowgroup")
    wide["morecols"] = len(labels) - 1
    place = f"group-{slugify_text(name)}"
    head = fill_node(with_role("row", add_classes(nodes.row(), "rv-group")), [wide])
    if not view.quoted:
        add_page_id(head, place)
    made = [_question_row(view, row, labels) for row in rows]
    return with_role("rowgroup", fill_node(nodes.tbody(), [head, *made]), data_group=slugify_text(name))


def _question_row(view: SourceComparison, row: ComparedQuestion, labels: list[str]) -> nodes.row:
    said = accord_words({one.siglum: one.says for one in row.voices})
    badge = span(said, cls=f"rv-agreement rv-{row.kind}")
    cell = full_cell if view.quoted else short_cell
    first = [*_question_heading(row), *([para(badge), *price_line(row)] if view.quoted else price_line(row))]
    cells: list[ContentLike] = [
        first,
        *(cell(row.question, one) for one in row.voices),
        *([] if view.quoted else [[badge]]),
    ]
    packed = (f"{one.table}|{one.giver}|{one.share:.4g}|{one.words}" for one in row.prices)
    prices = {"data_costs": ";".join(packed)} if row.weighed else {}
    made = aria_row(cells, labels, data_slug=row.question.slug, **prices)
    for voice, entry in zip(row.voices, list(made.findall(nodes.entry))[1:], strict=False):
        entry["html"] |= {"data-siglum": voice.siglum, "data-says": voice.says, "data-status": voice.states}
    if view.quoted:
        made["ids"] = [row.question.id]
        return made
    return add_anchor(made, "row", row.question.id, row.question.asks)


def _question_heading(row: ComparedQuestion) -> Nodes:
    here = same_page_link(row.question.id, "§", cls="rv-here", aria_label=f"{row.question.id} on this page")
    return [
        para(
            question_ref(row.question),
            " ",
            row.question.asks,
            *render_unplayed_badge(row.played),
            "\N{NO-BREAK SPACE}",
            here,
        )
    ]


def price_line(row: ComparedQuestion) -> Nodes:
    """Highest cost of another source's answer, with a link to all figures."""
    if not row.weighed:
        return []
    one = row.prices[0] if row.prices else None
    said = f"{one.words} ({one.table} with the answer of {one.giver})" if one else ""  # the script says it likewise
    label = span("At the table: ", cls="rv-price-label")
    return [para(label, link("cost", row.question.id, span(said, cls="rv-price-words")), cls="rv-price")]


# ---- the cells
def short_cell(question: QuestionLink, one: Voice) -> list[Content]:
    """A letter and a short answer, leading to the cell of the question's own page."""
    shown: list[Content] = (
        render_card_values(one.answer.cards) if one.answer and one.answer.cards else [short_answer(one)]
    )
    return [render_matrix_mark(one.mark), " ", _cell_link(question, one, shown), *render_unplayed_badge(one.played)]


def short_answer(one: Voice) -> str:
    """An answer as data, or why there is none."""
    return one.answer.short if one.answer else one.status


def _cell_link(question: QuestionLink, one: Voice, shown: Iterable[Content]) -> nodes.Node:
    return link("cell", f"{question.id}@{one.siglum}", *shown, title=one.mark.words)


def full_cell(question: QuestionLink, one: Voice) -> list[Content]:
    """An answer in words, its standing, the words it rests on, and its clauses."""
    line = para(
        render_matrix_mark(one.mark),
        " ",
        _cell_link(question, one, answer_in_words(one)),
        *render_unplayed_badge(one.played),
    )
    return [line, para(*_voice_standing(one), cls="rv-standing"), *_folded_words(one)]


def answer_in_words(one: Voice) -> list[Content]:
    """An answer as words where it has any, otherwise as data."""
    if one.answer is None:
        return [words.STATUS_LABELS[one.status]]
    if one.answer.full and not one.answer.cards:
        return [span(one.answer.full, cls="rv-gloss")]
    return render_answer_value(one.answer, one.unit)


def _voice_standing(one: Voice) -> Iterator[Content]:
    if one.supplied:
        yield from (render_badge("supplied by us", "rv-supplied"), " ")
    yield from (render_badge(one.status, f"rv-{one.status}"), " ")
    if one.cert not in ("", "high"):
        yield from (render_badge(f"certainty {one.cert}", f"rv-cert-{one.cert}"), " ")
    for id in one.clauses:
        yield from (clause_ref(id), " ")


def _folded_words(one: Voice) -> Nodes:
    if not one.quotations:
        return []
    places = dict.fromkeys(quote.locus.partition(".")[2] for quote in one.quotations)
    return [block(details(f"The words: {', '.join(places)}", *map(render_quotation, one.quotations), cls="rv-words"))]
