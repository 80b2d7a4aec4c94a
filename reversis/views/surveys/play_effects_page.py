"""Pages on what rules do to play: their charts, and what their templates call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes

from edition.nodes.builders import Content, span
from edition.nodes.components import source_chip
from edition.palette import format_slot_classes
from edition.views.layout import join_content
from reversis.findings.costs import THIN_SPACE
from reversis.views.page_template import page_renderer
from reversis.views.surveys import play_effects
from reversis.views.surveys.play_examples import render_example
from reversis.views.surveys.scatter import (
    ChartAxis,
    DrawnPoint,
    choose_log_scale,
    scatter_figure,
    scatter_key,
)
from reversis.views.surveys.variant_labels import render_variant_label

_LABELLED_POINTS = 12  #: so many have their number in the chart
_ACROSS, _UP = "money moved a deal, in % of the opening pool →", "↑ other cards, of 100 free choices"

#: What is said of an interval, by the verdict.
_VERDICTS = {
    play_effects.COSTS: "above 0",
    play_effects.OPEN: "includes 0: it may cost nothing",
    play_effects.BELOW: "below 0: no loss",
    play_effects.ALIKE: "no other card was seen",
}


def render_effects_key(questions: Iterable[play_effects.QuestionEffect]) -> nodes.paragraph:
    """Render the key of a chart, with the books by whose rules some questions stand in it."""
    marks = dict.fromkeys(effect.table for _, effect in questions)
    chips = span(*join_content(map(source_chip, marks), " "), cls="rv-cost-books")
    extra = [span("colour: the book by whose rules they play"), chips] if marks else []
    return scatter_key("the other cards clearly lose", "they may lose nothing", extra)


def draw_effects_chart(questions: Iterable[play_effects.QuestionEffect]) -> nodes.container:
    """Draw every question where another answer costs most."""
    return _draw_chart([(question.asks, effect) for question, effect in questions])


def draw_effect_table_chart(rows: Iterable[play_effects.EffectRow]) -> nodes.container:
    """Draw every difference at one table."""
    return _draw_chart([(_name_row(row), row) for row in rows])


def _name_row(row: play_effects.EffectRow) -> str:
    """Name of a row in plain words."""
    asked = [question.asks for stand in row.label.stands[:1] for question in stand.questions]
    return " ".join([*asked, *(f"({stand.alternative or stand.source})" for stand in row.label.stands[:1])])


def _draw_chart(rows: Sequence[tuple[str, play_effects.EffectRow]]) -> nodes.container:
    """Chart of money against play; what moves no known money has no place in it."""
    points = [
        DrawnPoint(
            row.share * 100,
            row.cards,
            f"{at}. {name} By the rules of {row.table.within}: {describe_effect(row)}",
            row.verdict == play_effects.COSTS,
            format_slot_classes(row.table.slot),
            str(at) if row.verdict == play_effects.COSTS and at <= _LABELLED_POINTS else "",
        )
        for at, (name, row) in enumerate(rows, 1)
        if row.share is not None
    ]
    across, up = choose_log_scale(point.across for point in points), choose_log_scale(point.up for point in points)
    sure = sum(point.sure for point in points)
    words = (
        f"{len(points)} differences by the money that they move and the cards that they change, {sure} of which "
        "clearly cost something. All values stand in the table below."
    )
    return scatter_figure(points, ChartAxis(_ACROSS, across), ChartAxis(_UP, up), words)


def describe_effect(row: play_effects.EffectRow) -> str:
    """All figures of an effect in words."""
    return (
        f"money moved: {play_effects.format_moved(row)} a deal; other cards: "
        f"{play_effects.format_card_share(row.cards)}; lost by them: {row.loss} a player and deal "
        f"(95{THIN_SPACE}%: {row.between}; {_VERDICTS[row.verdict]})."
    )


def format_loss_interval(row: play_effects.EffectRow) -> str:
    """Format the interval of a loss with what it means."""
    return (
        _VERDICTS[play_effects.ALIKE]
        if row.verdict == play_effects.ALIKE
        else f"{row.between}; {_VERDICTS[row.verdict]}"
    )


def name_difference(row: play_effects.EffectRow) -> list[Content]:
    """Name a difference, a line for each question that is answered otherwise."""
    return render_variant_label(row.label)


_COMPONENTS = {
    "cards": play_effects.format_card_share,
    "example": render_example,
    "interval": format_loss_interval,
    "key": render_effects_key,
    "label": name_difference,
    "moved": play_effects.format_moved,
}
render_play_effects = page_renderer("play-effects", chart=draw_effects_chart, **_COMPONENTS)
render_effect_table = page_renderer(
    "effect-table",
    chart=draw_effect_table_chart,
    label_line=lambda row: join_content(name_difference(row), " "),
    **_COMPONENTS,
)
