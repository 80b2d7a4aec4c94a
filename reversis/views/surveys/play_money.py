"""Money that a difference moves, as nets play and as a search plays: how far the two sums are apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from reversis.files.extras import get_surveys
from reversis.files.play_effects import StoredEffect, StoredEffectTable
from reversis.findings.costs import format_cost_figure
from reversis.views.page_template import page_renderer
from reversis.views.surveys.play_effects import (
    EffectRow,
    effect_row,
    find_effect_tables,
    format_moved,
    list_disagreements,
    list_exchanged_questions,
)
from rulebook.phrases import pluralize_counter


@dataclass(frozen=True, slots=True)
class MoneyComparison:
    """Distance of the money of differences here from that in the survey of skilled players, where both are known.

    Only differences are compared that move money in ten deals here, or a twentieth of the pool by one of both.
    """

    compared: int
    half: float  #: in half of them one is at most this many times the other
    furthest: EffectRow
    there: str  #: what that one moves in the survey


_SKILLED = "skilled"
_NOTABLE_SHARE = 0.05  #: of the pool; what moves less, and in a few deals only, is not compared


def compare_money(corpus: Corpus, _: str = "") -> MoneyComparison | None:
    """Compare what differences move here with what they move in the survey of skilled players; None without one."""
    lines = [*_list_compared_money(corpus)]
    if not lines:
        return None
    ratios = sorted(_compute_ratio(*both) for _, _, *both in lines)
    table, effect, _here, most = max(lines, key=lambda line: _compute_ratio(*line[2:]))
    there = f"{format_cost_figure(most)} {pluralize_counter(table.unit)}"
    return MoneyComparison(len(lines), ratios[(len(ratios) - 1) // 2], effect_row(corpus, table, effect), there)


def _compute_ratio(here: float, there: float) -> float:
    low, high = sorted((here, there))
    return high / low if low else float("inf")


def _list_compared_money(corpus: Corpus) -> Iterator[tuple[StoredEffectTable, StoredEffect, float, float]]:
    """Yield the answers of another book with what they move a deal, here and in the survey of skilled players."""
    survey = next((survey for survey in get_surveys(corpus) if survey.policy == _SKILLED), None)
    known = {
        (table.siglum, name): versus.moved / versus.settled
        for table in (survey.tables if survey else ())
        for other, versus in table.priced
        if versus.settled
        for name in (each.name for each in other.stands)
    }
    for table in find_effect_tables(corpus):
        for effect in list_disagreements(table):
            there = next((known[effect.table, name] for name in effect.names if (effect.table, name) in known), None)
            if effect.moved is None or there is None or not list_exchanged_questions(corpus, effect):
                continue
            if not effect.moved.few or max(effect.moved.mean, there) >= _NOTABLE_SHARE * table.pool:
                yield table, effect, effect.moved.mean, there


render_money_comparison = page_renderer("play-money", moved=format_moved)
