"""Layout of the pages on what rules do to play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from docutils import nodes

from edition.nodes.builders import (
    Content,
    add_anchor,
    block,
    bullet_list,
    code,
    details,
    heading,
    link,
    page_link,
    para,
    section,
    span,
    strong,
    table,
)
from edition.nodes.components import named_source, source_chip, source_shape, status_marks
from edition.palette import format_slot_classes
from edition.views.common import QuestionLink
from edition.views.layout import Nodes, build_page_section, join_content
from reversis.findings.costs import THIN_SPACE
from reversis.views.surveys.play_effects import (
    ALIKE,
    BELOW,
    COSTS,
    OPEN,
    EffectCounts,
    EffectRow,
    EffectTableView,
    MeasuredState,
    PlayEffectsView,
    QuestionEffect,
    UnmeasuredView,
    format_card_share,
    format_moved,
)
from reversis.views.surveys.play_examples import render_example
from reversis.views.surveys.scatter import (
    ChartAxis,
    DrawnPoint,
    choose_log_scale,
    scatter_figure,
    scatter_key,
)
from reversis.views.surveys.variant_labels import render_variant_label
from rulebook.phrases import format_count, join_names
from rulebook.strings import slugify_text

NO_EFFECTS_TEXT = "It has not been measured what rules do to play: `python -m proofs.regret` does it."
READ_EFFECTS = 5  #: so many are read in prose
LABELLED_POINTS = 12  #: so many have their number in the chart
_ACROSS, _UP = "money moved a deal, in % of the opening pool →", "↑ other cards, of 100 free choices"
_SURE, _UNSURE = "the other cards clearly lose", "what they lose cannot be told from 0"

#: What is said of an interval, by the verdict.
_VERDICTS = {
    COSTS: "above 0",
    OPEN: "holds 0: not told from nothing",
    BELOW: "below 0: no loss",
    ALIKE: "no other card was seen",
}


# ---- the page
def render_play_effects(view: PlayEffectsView | None) -> Nodes:
    """Render the chart, the largest effects in words with a decision each, the table and the ways on."""
    if view is None:
        return [para(NO_EFFECTS_TEXT)]
    rows = [one.effect for one in view.questions]
    read = [one for one in view.questions if one.effect.verdict == COSTS][:READ_EFFECTS]
    lede = para(
        "Everyone plays by one book, and one player believes one answer of another book. How often does that player "
        "choose another card, and what is lost by it? A rule can move much money and hardly a card, or the other way "
        "round.",
        cls="rv-lede",
    )
    return [
        lede,
        para(*_summarise(view.counts)),
        *_render_state(view.state),
        _render_key([one for row in rows for one in (row.table,)]),
        _render_chart([(one.question.asks, one.effect) for one in view.questions]),
        para(
            "Each question stands once, with the answer of another book that costs most, at the table where it costs "
            "most: books are compared by the share of their opening pool. ",
            view.pools,
            cls="rv-small",
        ),
        section(
            "largest-effects",
            f"The {len(read)} answers of another book that cost most",
            *map(_render_reading, read),
            cls="rv-readings",
        )
        if read
        else para("No single answer was found to cost anything clearly."),
        _render_question_tables(view),
        *_render_readings(view.readings),
        _render_books(view),
        *_render_unmeasured(view.unmeasured),
    ]


def _summarise(counts: EffectCounts) -> Iterator[Content]:
    """Say what came of all that was measured, and how much of that chance alone would bring about."""
    changed = counts.measured - counts.alike
    others = format_count(counts.open, "other")
    below = f" Of {counts.below} it lies below 0." if counts.below else ""
    yield (
        f"{format_count(counts.measured, 'difference was', 'differences were')} measured, book by book: single "
        "answers of another book, all of them, other readings, and options that a book leaves. "
    )
    yield strong(f"{counts.costs} clearly cost something")
    yield (
        f": the 95{THIN_SPACE}% interval lies above 0. Of {others} the interval holds 0: other cards are chosen, "
        f"but whether that costs anything cannot be told from so few deals.{below} {counts.alike} changed no "
        "card in any of these deals, which does not say that they never could. Of "
        f"{changed} intervals, about {max(1, round(changed / 40))} would lie above 0 by chance alone; those that "
        "hardly do are to be read with that in mind."
    )


def _render_state(state: MeasuredState) -> Iterator[nodes.Node]:
    yield para(
        f"Measured on {state.deals:,} deals at each table, {state.made}.{_tell_closer_look(state)} To repeat it: ",
        code(state.command),
        cls="rv-small",
    )
    if state.outdated:
        yield para(strong("Of an earlier state: "), "; ".join(state.outdated), ". Repeat it.", cls="rv-clause")


def _tell_closer_look(state: MeasuredState) -> str:
    """Tell what was measured on more deals, and how much of it is known closely."""
    if not state.matter:
        return ""
    more = f", measured on up to {state.most:,} deals," if state.most > state.deals else ""
    left = state.matter - state.close
    rest = f"; of {left} the interval is wider, and the page of each book lists them" if left else ""
    said = f" Of the {state.matter} differences that clearly cost something or move most money{more}"
    return f"{said} the loss of {state.close} is known to ±0.1 counters a player and deal{rest}."


def _render_wide(rows: Sequence[EffectRow]) -> Nodes:
    """List what matters and is not known closely, with the interval that it has."""
    if not rows:
        return []
    head = f"{format_count(len(rows), 'difference')} of which the loss is not known to ±0.1"
    lines = [([*render_variant_label(one.stands, one.givers, one.brought)], one.loss, one.between) for one in rows]
    made = table(
        "Not known to ±0.1", ("Difference", _HEAD[2], _HEAD[3]), lines, cls="rv-stack rv-figures rv-cost-table"
    )
    return [section("not-known-closely", "Not measured to ±0.1", details(head, made))]


def _render_key(books: Iterable[object]) -> nodes.paragraph:
    marks = dict.fromkeys(books)
    chips = span(*join_content((source_chip(one) for one in marks), " "), cls="rv-cost-books")  # type: ignore[arg-type]
    return scatter_key(_SURE, _UNSURE, [span("colour: the book by whose rules they play"), chips] if marks else [])


def _render_chart(rows: Sequence[tuple[str, EffectRow]]) -> nodes.container:
    """Chart of money against play; what moves no known money has no place in it."""
    placed = [(at, name, one, one.share) for at, (name, one) in enumerate(rows, 1) if one.share is not None]
    points = [
        DrawnPoint(
            share * 100,
            one.cards,
            f"{at}. {name} By the rules of {one.table.within}: {describe_effect(one)}",
            one.verdict == COSTS,
            format_slot_classes(one.table.slot),
            str(at) if one.verdict == COSTS and at <= LABELLED_POINTS else "",
        )
        for at, name, one, share in placed
    ]
    across, up = choose_log_scale(one.across for one in points), choose_log_scale(one.up for one in points)
    sure = sum(one.sure for one in points)
    says = (
        f"{len(points)} differences by the money that they move and the cards that they change, {sure} of which "
        "clearly cost something. All values stand in the table below."
    )
    return scatter_figure(points, ChartAxis(_ACROSS, across), ChartAxis(_UP, up), says)


def describe_effect(one: EffectRow) -> str:
    """All figures of an effect in words."""
    return (
        f"money moved: {format_moved(one)} a deal; other cards: {format_card_share(one.cards)}; lost by them: "
        f"{one.loss} a player and deal (95{THIN_SPACE}%: {one.between}; {_VERDICTS[one.verdict]})."
    )


def _render_reading(one: QuestionEffect) -> nodes.container:
    row = one.effect
    givers: list[Content] = join_content(map(named_source, row.givers), " or ")
    said = para(
        *("By the rules of ", named_source(row.table), ", whoever believes the answer of ", *givers),
        f" plays another card in {format_card_share(row.cards)} free choices, and loses {row.loss} a deal by that "
        f"(95{THIN_SPACE}%: {row.between}). Settled by that answer, the same cards move {format_moved(row)} a deal.",
    )
    asked = heading(3, link("question", one.question.id, one.question.asks), cls="rv-reading-head")
    return block(asked, said, *_render_grounds(row), *_render_row_example(row, ""), cls="rv-reading")


_OWN_DOUBTS = {
    "doubtful": "can be read in more than one way",
    "ours": "is our assumption",
    "follows": "is not stated in so many words",
}


def _render_grounds(row: EffectRow) -> Iterator[nodes.Node]:
    """Say what a difference rests on: doubts of the book's own answer, and the reading by which there is none."""
    parts: list[Content] = []
    if row.status in _OWN_DOUBTS:
        parts += [f"The book’s own answer {_OWN_DOUBTS[row.status]}. "]
    for one in row.ended_by:
        parts += [
            "By another reading of it, ",
            link("alternative", one.id),
            f" ({one.label}; certainty: {one.certainty}), ",
        ]
        parts += ["it answers as the other does, and there is no such difference. "]
    givers = [mark.within for mark, status in zip(row.givers, row.giver_statuses, strict=True) if status == "ours"]
    if givers:
        parts += [f"What {join_names(givers)} would answer is our assumption."]
    if parts:
        yield para(strong("What it rests on: "), *parts)


def _render_row_example(row: EffectRow, up: str, key: str = "") -> Nodes:
    if row.example is not None:
        return [render_example(row.example, up, key)]
    if row.verdict == COSTS:
        return [para("None of the decisions that were tried shows it clearly by itself.", cls="rv-small")]
    return []


_HEAD = ("Money moved a deal", "Other cards", "Lost a player and deal", f"95{THIN_SPACE}%")


def _list_figures(row: EffectRow) -> tuple[Content, ...]:
    return (
        format_moved(row),
        format_card_share(row.cards),
        row.loss,
        f"{row.between}; {_VERDICTS[row.verdict]}" if row.verdict != ALIKE else _VERDICTS[ALIKE],
    )


def _render_question_tables(view: PlayEffectsView) -> nodes.section:
    lines = [
        (
            [_name_question(at, one)],
            [one.effect.table.name, *status_marks(one.effect.status)],
            _list_givers(one.effect),
            *_list_figures(one.effect),
        )
        for at, one in enumerate(view.questions, 1)
    ]
    head = ("Question", "By the rules of", "With the answer of", *_HEAD)
    made = table(f"All {len(lines)} questions", head, lines, cls="rv-stack rv-figures rv-cost-table")
    numbers = {one.question.id: at for at, one in enumerate(view.questions, 1)}
    return section(
        "by-question",
        "All figures",
        para(
            "In the first list each question stands where another answer costs most, in the second where it moves most "
            "money, in the third where it changes most cards.",
            cls="rv-small",
        ),
        details(f"Table of all {len(lines)} questions, the costliest first", made),
        _render_ranking("The questions by the money moved", _HEAD[0], numbers, view.by_money, format_moved),
        _render_ranking("The questions by other cards", _HEAD[1], numbers, view.by_cards, _format_cards),
    )


def _list_givers(row: EffectRow) -> list[Content]:
    """Names of the books whose answer it is, each with its mark."""
    named = zip(row.givers, row.giver_statuses, strict=True)
    return join_content((span(mark.name, *status_marks(status)) for mark, status in named), ", ")


def _format_cards(row: EffectRow) -> str:
    return format_card_share(row.cards)


def _render_ranking(
    caption: str,
    column: str,
    numbers: Mapping[str, int],
    questions: Sequence[QuestionEffect],
    tell: Callable[[EffectRow], str],
) -> nodes.Node:
    """Render the questions in the order of one figure, the greatest first; their numbers are those of the table."""
    lines = [
        (
            [span(f"{numbers[one.question.id]}. ", link("question", one.question.id, one.question.asks))],
            [one.effect.table.name, *status_marks(one.effect.status)],
            _list_givers(one.effect),
            tell(one.effect),
            f"{one.effect.loss} ({one.effect.between})",
        )
        for one in questions
    ]
    head = ("Question", "By the rules of", "With the answer of", column, f"{_HEAD[2]} (95{THIN_SPACE}%)")
    return details(caption, table(caption, head, lines, cls="rv-stack rv-figures"))


SHOWN_READINGS = 10  #: other readings that stand on the page of all books


def _render_readings(rows: Sequence[EffectRow]) -> Iterator[nodes.Node]:
    """List the other readings of one book that cost most at its own table."""
    if not rows:
        return
    lines = [
        ([*render_variant_label(one.stands, one.givers, one.brought)], one.table.name, *_list_figures(one))
        for one in rows[:SHOWN_READINGS]
    ]
    made = table("Other readings", ("Reading", "Of", *_HEAD), lines, cls="rv-stack rv-figures rv-cost-table")
    said = para(
        "Above, the answers of two books differ. The words of one book can be read in two ways as well, and which is "
        f"right can matter as much: {format_count(len(rows), 'other reading')} clearly cost whoever believes them "
        "where the others play by ours. Those that cost most:"
        if len(rows) > 1
        else "One other reading of a book clearly costs whoever believes it:",
    )
    yield section("other-readings", "Other readings of the same book", said, details(_count_shown(lines, rows), made))


def _count_shown(lines: Sequence[object], rows: Sequence[object]) -> str:
    left = " (the page of each book has the rest)" if len(lines) < len(rows) else ""
    return f"{format_count(len(lines), 'reading')}{left}"


def _name_question(at: int, one: QuestionEffect) -> nodes.inline:
    id = one.question.id
    asked = span(f"{at}. ", link("question", id, one.question.asks))
    return add_anchor(asked, "effect", id, f"What {id} does to play", at=f"effect-{id}")


def _render_books(view: PlayEffectsView) -> nodes.section:
    lines = [
        para(
            source_shape(mark),
            " ",
            link("effects", mark.siglum, mark.name),
            f": {counts.measured} differences, {counts.costs} of which clearly cost something",
        )
        for mark, counts in view.tables
    ]
    left = [para(f"Not measured yet: {join_names(view.left)}.")] if view.left else []
    return section("by-book", "Book by book", *lines, *left)


def _name_unmeasured(one: QuestionLink) -> nodes.Node:
    return link("question", one.id, one.asks)


def _render_unmeasured(view: Sequence[UnmeasuredView]) -> Iterator[nodes.Node]:
    """List of what is not measured, by the reason; with no reason nothing."""
    if not view:
        return
    lines = (
        [
            f"{one.because[:1].upper()}{one.because[1:]}: ",
            *join_content(
                [*map(_name_unmeasured, one.questions), *(link("alternative", id) for id in one.alternatives)], "; "
            ),
        ]
        for one in view
    )
    said = para("Of these nothing is known; they may do much to play all the same.")
    yield section("not-measured", "Not measured", said, details("What is not measured, and why", bullet_list(lines)))


# ---- the page of one source
def render_effect_table(view: EffectTableView | None) -> Nodes:
    """Render everything that was measured at the table of one source."""
    if view is None:
        return [para(NO_EFFECTS_TEXT)]
    name, siglum = view.source.name, view.source.siglum
    lede = para(
        *("Everyone plays by one book (", source_shape(view.source), " ", link("source", siglum, name), "), and one "),
        f"player believes other rules. {view.pool} lie in the pool before the deal. ",
        page_link("play-effects", "How this is measured"),
        cls="rv-lede",
    )
    rows = (*view.whole, *view.single)
    made = build_page_section(
        f"effects-at-{siglum}",
        f"What rules do to play: {name}",
        lede,
        para(*_summarise(view.counts)),
        *_render_state(view.state),
        scatter_key(_SURE, _UNSURE),
        _render_chart([(_name_row(one), one) for one in rows]),
        para(view.pools, cls="rv-small"),
        section("whole", "All answers of another book", *_render_rows("Whole books", view.whole)),
        section("single", "One answer, or another reading", *_render_rows("Single differences", view.single)),
        *_render_wide(view.wide),
        *_render_unmeasured(view.unmeasured),
    )
    return [add_anchor(made, "effects", siglum, f"What rules do to play: {name}", at=f"effects-{siglum}")]


def _name_row(one: EffectRow) -> str:
    """Name of a row in plain words."""
    asked = [question.asks for stand in one.stands[:1] for question in stand.questions]
    return " ".join([*asked, *(f"({stand.alternative or stand.source})" for stand in one.stands[:1])])


def _render_rows(caption: str, rows: Sequence[EffectRow]) -> Iterator[nodes.Node]:
    """Table of what clearly costs something, with its examples; then, folded, of all the rest."""
    sure = [one for one in rows if one.verdict == COSTS]
    rest = [one for one in rows if one.verdict != COSTS]
    if sure:
        yield _render_row_table(f"{caption}: the loss is clearly above 0", sure)
        yield block(*_render_examples(caption, sure))
    if rest:
        made = _render_row_table(f"{caption}: not told from 0", rest)
        yield details(f"{format_count(len(rest), 'other')} of which the interval holds 0, or no card is another", made)


def _render_row_table(caption: str, rows: Sequence[EffectRow]) -> nodes.table:
    lines = [([*render_variant_label(one.stands, one.givers, one.brought)], *_list_figures(one)) for one in rows]
    return table(caption, ("Difference", *_HEAD), lines, cls="rv-stack rv-figures rv-cost-table")


def _render_examples(caption: str, rows: Sequence[EffectRow]) -> Iterator[nodes.Node]:
    shown = [one for one in rows if one.example]
    yield para(
        f"{format_count(len(shown), 'example')} of a decision in which both rulesets clearly prefer another card; of "
        f"{len(rows) - len(shown)} none was found that shows it by itself."
    )
    for at, one in enumerate(shown, 1):
        label = para(*join_content(render_variant_label(one.stands, one.givers, one.brought), " "))
        yield block(label, *_render_row_example(one, "../", f"{slugify_text(caption)}-{at}"))
